"""GRPO for the verifier, and the two trainings that it is compared with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from peft import LoraConfig, TaskType, get_peft_model
from transformers import (
    AutoModelForTokenClassification,
    DataCollatorForTokenClassification,
    DynamicCache,
    EvalPrediction,
    PreTrainedTokenizerBase,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

from agentflow.profile import Piece
from training.flexive.base import ATTENTION, Base
from training.flexive.options import Options, world
from training.flexive.rewards import F1, correctness, length
from training.flexive.rows import Row, encode, prompt

RANK, ALPHA = 16, 32
"""Of the LoRA adapters (Solve-Detect-Verify, table 5)."""

IGNORED = -100
_LABELS = {0: "right", 1: "wrong"}


class Log(TrainerCallback):  # type: ignore[misc]
    """Appends a JSON line to ``path`` and prints it, for every step and evaluation."""

    def __init__(self, path: Path) -> None:
        self.path, self.last = path, time.monotonic()

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Drop the lines of steps behind the checkpoint, and one that a kill cut short."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        kept = [line for line in lines if line.endswith("}") and _step(line) <= state.global_step]
        self.path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        now = time.monotonic()
        rounded = {
            key: float(f"{value:.6g}") if isinstance(value, float) else value
            for key, value in logs.items()
        }
        place = {"step": state.global_step, "seconds": round(now - self.last, 3)}
        line = json.dumps(place | rounded)
        self.last = now
        with self.path.open("a", encoding="utf-8") as file:
            print(line, file=file)
        print(line, flush=True)


def _step(line: str) -> int:
    return int(json.loads(line)["step"])


class _GRPO(GRPOTrainer):  # type: ignore[misc]
    """Takes prompts that are token ids already: no server's template or BOS goes around them.

    Replies that go through the model together are a group's, whose prompt is read once. Where
    memory is saved by gradient checkpointing, no state is kept, and each reply has it read again.
    """

    def _tokenize_prompts(self, prompts: list[list[int]]) -> tuple[list[list[int]], None, Any]:
        return prompts, None, {}

    def _generate_single_turn(
        self, prompt_ids: list[list[int]], *settings: Any, **named: Any
    ) -> tuple[list[list[int]], Any]:
        shared = all(one == prompt_ids[0] for one in prompt_ids)
        if self.use_vllm or self.args.gradient_checkpointing or not shared:
            found: tuple[list[list[int]], Any]
            found = super()._generate_single_turn(prompt_ids, *settings, **named)
            return found
        model = self.accelerator.unwrap_model(self.model)
        ids = torch.tensor(prompt_ids, device=model.device)
        with torch.no_grad():
            cache, _ = _read(model, ids[:1, :-1], len(ids))
            said = model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                past_key_values=cache,
                generation_config=self.generation_config,
            )
        return [self._ended(one) for one in said[:, ids.shape[1] :].tolist()], None

    def _ended(self, reply: list[int]) -> list[int]:
        """Without what fills it up behind its end."""
        ends = [at for at, token in enumerate(reply, 1) if token in self.eos_token_ids]
        return reply[: ends[0]] if ends else reply

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        logits_to_keep: int,
        *settings: Any,
        **named: Any,
    ) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]:
        prompts, replies = input_ids[:, :-logits_to_keep], input_ids[:, -logits_to_keep:]
        shared = bool((prompts == prompts[:1]).all() and attention_mask[:, 0].all())
        if self.args.gradient_checkpointing or not shared:
            return super()._get_per_token_logps_and_entropies(
                model, input_ids, attention_mask, logits_to_keep, *settings, **named
            )
        cache, first = _read(model, prompts[:1], len(replies))
        rest = model(
            input_ids=replies[:, :-1],
            attention_mask=attention_mask[:, :-1],
            past_key_values=cache,
            use_cache=True,
        ).logits
        logits = torch.cat([first.expand(len(replies), -1, -1), rest], 1).float()
        likely = (logits / self.temperature).log_softmax(-1)
        return (
            likely.gather(-1, replies[..., None])[..., 0],
            -(likely.exp() * likely).sum(-1).detach(),
            None,
        )


def _read(model: Any, prompt: torch.Tensor, replies: int) -> tuple[DynamicCache, torch.Tensor]:
    """What a model keeps of a prompt (1, tokens), for so many replies, and its last logits
    (1, 1, vocabulary)."""
    cache = DynamicCache(config=model.config)
    logits = model(input_ids=prompt, past_key_values=cache, use_cache=True, logits_to_keep=1).logits
    cache.batch_repeat_interleave(replies)
    return cache, logits


def grpo(options: Options, base: Base, rows: Sequence[Row], held_out: Sequence[Row]) -> Trainer:
    """Group relative policy optimisation on the reward of :mod:`training.flexive.rewards`.

    An optimiser step learns from ``accumulation`` groups of ``group`` replies, each group to one
    problem. TRL counts its batches in replies.
    """

    def columns(rows: Sequence[Row]) -> Dataset:
        return Dataset.from_list(
            [
                {
                    "prompt": encode(base.tokenizer, prompt(row, base.profile, options.stage)),
                    "steps": len(row.steps),
                    "index": row.index,
                }
                for row in rows
            ]
        )

    parts = options.group // options.at_once
    arguments = GRPOConfig(
        **_arguments(options),
        per_device_train_batch_size=options.at_once,
        per_device_eval_batch_size=options.at_once,
        gradient_accumulation_steps=options.accumulated(world()) * parts,
        steps_per_generation=parts,
        **options.rollouts(),
        num_generations=options.group,
        num_generations_eval=1,
        max_completion_length=options.max_tokens,
        beta=options.beta,
        loss_type="grpo",
        scale_rewards=options.scale,
        reward_weights=[1.0, 1.0] if options.reward == "index" else [0.0, 1.0, 1.0],
    )
    return _GRPO(
        model=base.weights(),
        reward_funcs=_rewards(options, base, rows),
        args=arguments,
        train_dataset=columns(rows),
        eval_dataset=columns(held_out),
        processing_class=base.tokenizer,
        peft_config=_lora(TaskType.CAUSAL_LM),
    )


def _rewards(options: Options, base: Base, rows: Sequence[Row]) -> list[Callable[..., list[float]]]:
    """The reward's parts as TRL calls them, logged under their names: whether the index is right
    comes first, also where it is its worth to F1 that is paid."""
    stop = base.profile.stops[0]

    def right(reply: list[int], steps: int, index: int) -> float:
        text = base.tokenizer.decode(reply)  # with the token that ends the thinking
        said = base.profile.said(text.removesuffix(stop), opened=options.stage == "slow")
        return correctness(said, steps, index, whole=text.endswith(stop))

    def index_right(
        completion_ids: list[list[int]], steps: list[int], index: list[int], **_: Any
    ) -> list[float]:
        return [right(*one) for one in zip(completion_ids, steps, index, strict=True)]

    def reply_length(completion_ids: list[list[int]], **_: Any) -> list[float]:
        return [length(len(ids), options.max_tokens) for ids in completion_ids]

    f1 = F1(sum(row.index >= 0 for row in rows) / len(rows))

    def index_worth(index: list[int], **given: Any) -> list[float]:
        shares = index_right(index=index, **given)
        found = [f1.worth(one) * share for one, share in zip(index, shares, strict=True)]
        for one, share in zip(index, shares, strict=True):
            f1.see(one, share)
        return found

    return [index_right, reply_length, *([index_worth] if options.reward == "f1" else [])]


def sft(options: Options, base: Base, rows: Sequence[Row], held_out: Sequence[Row]) -> Trainer:
    """Supervised fine-tuning on the prompts of GRPO, each answered by its review, where the data
    have one, else by the index in its box."""

    def columns(rows: Sequence[Row]) -> Dataset:
        return Dataset.from_list([answered(base, row) for row in rows])

    return SFTTrainer(
        model=base.weights(),
        args=SFTConfig(**_arguments(options), **_one_by_one(options), max_length=None),
        train_dataset=columns(rows),
        eval_dataset=columns(held_out),
        processing_class=base.tokenizer,
        peft_config=_lora(TaskType.CAUSAL_LM),
    )


def answered(base: Base, row: Row) -> dict[str, list[int]]:
    """A row for supervised fine-tuning: only the reply has labels."""
    asked = encode(base.tokenizer, prompt(row, base.profile))
    said = row.reply or f"\\boxed{{{row.index}}}"
    reply = [Piece(said), Piece(base.profile.stops[0], special=True)]
    told = encode(base.tokenizer, reply)
    return {"input_ids": asked + told, "labels": [IGNORED] * len(asked) + told}


def prm(options: Options, base: Base, rows: Sequence[Row], held_out: Sequence[Row]) -> Trainer:
    """A discriminative process reward model: it says of each step whether it is wrong.

    ``index_right``, of the held-out rows, is the share of those whose steps are all told right, up
    to the first wrong one: then that is the first of which the model says so.
    """

    def columns(rows: Sequence[Row]) -> Dataset:
        return Dataset.from_list([labelled(base.tokenizer, row) for row in rows])

    model = base.weights(AutoModelForTokenClassification, id2label=_LABELS)
    model.config.pad_token_id = base.tokenizer.pad_token_id
    model.enable_input_require_grads()  # else checkpointing stops the gradient at the embedding
    return Trainer(
        model=get_peft_model(model, _lora(TaskType.TOKEN_CLS)),
        args=TrainingArguments(**_arguments(options), **_one_by_one(options)),
        train_dataset=columns(rows),
        eval_dataset=columns(held_out),
        processing_class=base.tokenizer,
        data_collator=DataCollatorForTokenClassification(base.tokenizer),
        compute_metrics=_all_right,
        preprocess_logits_for_metrics=lambda logits, labels: logits.argmax(-1),
    )


def _all_right(found: EvalPrediction) -> dict[str, float]:
    agree = (found.predictions == found.label_ids) | (found.label_ids == IGNORED)
    return {"index_right": float(agree.all(-1).mean())}


def labelled(tokenizer: PreTrainedTokenizerBase, row: Row) -> dict[str, list[int]]:
    """A row for a process reward model: the last token of each step says 0, right, or 1, wrong.

    What stands behind the first wrong step has no label in the data, and gets none; rows that rate
    every step, as Math-Shepherd's do, label them all.
    """
    ids = encode(tokenizer, [Piece(row.problem.strip() + "\n\n")])
    labels = [IGNORED] * len(ids)
    for number, step in enumerate(row.steps):
        found = encode(tokenizer, [Piece(step.strip() + "\n\n")])
        known = bool(row.rated) or row.index < 0 or number <= row.index
        wrong = not row.rated[number] if row.rated else number == row.index
        ids += found
        labels += [IGNORED] * (len(found) - 1) + [int(wrong) if known else IGNORED]
    return {"input_ids": ids, "labels": labels}


def _lora(task: TaskType) -> LoraConfig:
    return LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=list(ATTENTION), task_type=task)


def _arguments(options: Options) -> dict[str, Any]:
    """What the three trainings share."""
    return {
        "output_dir": str(options.out),
        "seed": options.seed,
        "num_train_epochs": options.epochs,
        "max_steps": options.dry_run or -1,
        "learning_rate": options.rate,
        "lr_scheduler_type": "linear",
        "warmup_steps": options.warmup,
        "optim": "adamw_torch",
        "gradient_checkpointing": torch.cuda.is_available(),
        "logging_steps": 1,
        "save_steps": options.save_every,
        "save_total_limit": options.keep,
        "disable_tqdm": True,
        "report_to": "none",
        "bf16": torch.cuda.is_available(),
    }


def _one_by_one(options: Options) -> dict[str, Any]:
    return {
        "per_device_train_batch_size": 1,
        "per_device_eval_batch_size": 1,
        "gradient_accumulation_steps": options.accumulated(world()),
    }
