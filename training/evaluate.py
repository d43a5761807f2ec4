"""Measure a model on the held-out puzzles, without any monitor: ``python -m training.evaluate``.

Reads a training run or a Hugging Face folder and prints one line of JSON. All shares are of the
puzzles unless they say otherwise; only what stands behind ``</think>`` counts as an answer.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import DynamicCache, Qwen3ForCausalLM

from agentflow.domains import arithmetic
from agentflow.domains.game24 import Game24, judge_answer, judge_state
from agentflow.judge import steps
from agentflow.problem import Problem
from training import game24
from training.export import load

BATCH = 64
END = "<|im_end|>"
THOUGHT = "</think>"
DOMAIN = Game24()
_ANSWER_LINE = re.compile(r"^Answer: .*\d", re.MULTILINE)
_CLOSED_BOX = re.compile(r"\\boxed\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Trace:
    """What the model wrote for one puzzle."""

    numbers: game24.Numbers
    text: str
    tokens: int
    thinking: int | None
    """Tokens before the end of thinking, or None if it never ended."""


def generate(
    model: Qwen3ForCausalLM,
    tokenizer: Tokenizer,
    puzzles: list[game24.Numbers],
    temperature: float,
    max_tokens: int,
) -> list[Trace]:
    """One trace for each puzzle; ``temperature`` 0 is greedy."""
    vocabulary = tokenizer.get_vocab()
    end, thought = vocabulary[END], vocabulary[THOUGHT]
    traces = []
    for first in range(0, len(puzzles), BATCH):
        batch = puzzles[first : first + BATCH]
        prompts = [tokenizer.encode(game24.prompt(numbers)).ids for numbers in batch]
        written = continuations(model, prompts, temperature, max_tokens, end)
        for numbers, ids in zip(batch, written, strict=True):
            text = tokenizer.decode(ids, skip_special_tokens=False)
            thinking = ids.index(thought) if thought in ids else None
            traces.append(Trace(numbers, text, len(ids), thinking))
    return traces


@torch.no_grad()
def continuations(
    model: Qwen3ForCausalLM,
    prompts: list[list[int]],
    temperature: float,
    max_tokens: int,
    end: int,
) -> list[list[int]]:
    """The token ids that follow each prompt, up to and including ``end``.

    Sampling is from the model's own distribution: no top-k, no top-p. Lengths differ so much that
    a finished row leaves the batch; transformers' ``generate`` would carry it to the very end.
    """
    longest = max(map(len, prompts))
    padding = [longest - len(prompt) for prompt in prompts]
    rows = [[end] * n + prompt for n, prompt in zip(padding, prompts, strict=True)]
    ids = torch.tensor(rows, device=model.device)
    mask = torch.tensor([[0] * n + [1] * (longest - n) for n in padding], device=model.device)
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    cache = DynamicCache(config=model.config)
    written: list[list[int]] = [[] for _ in prompts]
    alive = list(range(len(prompts)))
    for _ in range(max_tokens):
        logits = model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        ).logits[:, -1]
        if temperature > 0:
            ids = torch.multinomial(torch.softmax(logits / temperature, -1), 1)
        else:
            ids = logits.argmax(-1, keepdim=True)
        for row, token in zip(alive, ids[:, 0].tolist(), strict=True):
            written[row].append(token)
        stay = [i for i, row in enumerate(alive) if written[row][-1] != end]
        if not stay:
            break
        mask = torch.cat([mask, mask.new_ones(len(alive), 1)], 1)
        positions = positions[:, -1:] + 1
        if len(stay) < len(alive):
            kept = torch.tensor(stay, device=model.device)
            cache.batch_select_indices(kept)
            ids, mask, positions = ids[kept], mask[kept], positions[kept]
            alive = [alive[i] for i in stay]
    return written


def step_verdicts(problem: Problem, text: str) -> list[bool]:
    """Whether each step line of ``text`` is right, given all the earlier ones."""
    found = list(steps(DOMAIN, problem, text))
    return [
        judge_state(problem, step, found[:index]).ok is True for index, step in enumerate(found)
    ]


def well_formed(final: str) -> bool:
    """Whether a final text holds an answer line and a closed box around an expression."""
    box = _CLOSED_BOX.search(final)
    if box is None or _ANSWER_LINE.search(final) is None:
        return False
    return arithmetic.parse(arithmetic.plain(box[1])) is not None


def judge(traces: list[Trace]) -> dict[str, float | int | list[int]]:
    """The numbers that describe ``traces``."""
    answered = solved = formed = ended = 0
    steps: list[bool] = []
    for trace in traces:
        problem = DOMAIN.parse(" ".join(map(str, trace.numbers)))
        thinking, _, final = trace.text.partition(THOUGHT)
        ended += final.endswith(END)
        steps += step_verdicts(problem, thinking)
        answer = DOMAIN.answer(final.removesuffix(END))
        if answer is not None:
            answered += 1
            formed += well_formed(final)
            solved += judge_answer(problem, answer).ok is True
    lengths = [trace.tokens for trace in traces]
    thoughts = sorted(trace.thinking for trace in traces if trace.thinking is not None)
    return {
        "solved": _share(solved, len(traces)),
        "answered": _share(answered, len(traces)),
        "ended": _share(ended, len(traces)),
        "valid_format_of_answered": _share(formed, answered),
        "right_of_answered": _share(solved, answered),
        "steps": len(steps),
        "right_steps": _share(sum(steps), len(steps)),
        "tokens_mean": round(statistics.fmean(lengths), 1),
        "tokens_std": round(statistics.pstdev(lengths), 1),
        "thinking_p10_p50_p90_p99": [
            thoughts[int(q * (len(thoughts) - 1))] for q in (0.1, 0.5, 0.9, 0.99) if thoughts
        ],
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def open_model(folder: Path) -> tuple[Qwen3ForCausalLM, Tokenizer, dict[str, int]]:
    """The model and tokenizer of a run or a Hugging Face folder, and how far a run has come."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    if not (folder / "checkpoint.pt").exists():
        return Qwen3ForCausalLM.from_pretrained(folder), tokenizer, {}
    model, state = load(folder)
    return model, tokenizer, {"step": state["step"], "trained_tokens": state["tokens"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, metavar="RUN_OR_HF_DIR")
    parser.add_argument("--puzzles", type=int, default=game24.HELD_OUT, help="how many of them")
    parser.add_argument("--temperature", type=float, default=0.7, help="0 is greedy")
    parser.add_argument("--max-tokens", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print so many traces as well")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    model, tokenizer, progress = open_model(arguments.model)
    torch.nn.Module.to(model, "cuda" if torch.cuda.is_available() else "cpu")
    held_out = game24.puzzles()[1]
    # Sorted puzzles start with the small numbers; fewer than all of them are a fair sample.
    puzzles = random.Random(arguments.seed).sample(held_out, min(arguments.puzzles, len(held_out)))
    traces = generate(model, tokenizer, puzzles, arguments.temperature, arguments.max_tokens)
    for trace in traces[: arguments.show]:
        print(game24.prompt(trace.numbers) + trace.text, end="\n\n")
    decoding = "greedy" if arguments.temperature <= 0 else f"sampled at {arguments.temperature}"
    about = {"puzzles": len(traces), "decoding": decoding, "seed": arguments.seed}
    print(json.dumps(progress | about | judge(traces)))


if __name__ == "__main__":
    main()
