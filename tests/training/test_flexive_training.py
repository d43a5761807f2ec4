"""The trainings of the fast verifier run, learn, go on and export: a minute on one core.

They need the ``training`` extra; ``make test-training`` installs it. Elsewhere they are skipped.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

# ruff: noqa: E402  (what is imported below needs what may be missing)
torch = pytest.importorskip("torch", reason="needs the extra 'training': make test-training")
pytest.importorskip("trl", reason="needs the extra 'training': make test-training")

from transformers import AutoModelForCausalLM, AutoTokenizer

from agentflow.errors import BadInput
from agentflow.profile import Piece
from training.convert import convert
from training.flexive.base import Base, open_base
from training.flexive.options import Options
from training.flexive.rows import Row, encode, load, prompt, save
from training.flexive.train import train
from training.flexive.trainers import IGNORED, answered, labelled
from training.model import make_model

pytestmark = pytest.mark.slow

ROW = Row("2 3 4 4", ("3 - 2 = 1", "1 + 4 = 6", "6 * 4 = 24"), 1)
MAX_TOKENS = 16
GROUP = 28


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def pocket(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """The bundled model."""
    return open_base(Options(("game24",), tmp_path_factory.mktemp("pocket"), base="pocket"))


@pytest.fixture(scope="module")
def guesser(pocket: Base, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A very small model that names every index of ROW equally often, -1 too."""
    torch.manual_seed(0)
    model = make_model(len(pocket.tokenizer), width=64, layers=2, heads=2)
    texts = [answered(pocket, replace(ROW, index=index)) for index in (-1, 0, 1, 2)]
    longest = max(len(text["input_ids"]) for text in texts)
    padded = [
        (ids + [0] * (longest - len(ids)), labels + [IGNORED] * (longest - len(labels)))
        for ids, labels in ((text["input_ids"], text["labels"]) for text in texts)
    ]
    ids, labels = (torch.tensor(part) for part in zip(*padded, strict=True))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(120):
        model(input_ids=ids, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    folder = tmp_path_factory.mktemp("guesser")
    model.config.use_cache = True
    model.save_pretrained(folder)
    pocket.tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def settings(guesser: Path, tmp_path_factory: pytest.TempPathFactory) -> Options:
    folder = tmp_path_factory.mktemp("training")
    save([ROW] * 20, folder / "rows.jsonl")
    return Options(
        (str(folder / "rows.jsonl"),),
        folder / "grpo",
        base=str(guesser),
        profile="pocket",
        rate=2e-3,
        warmup=0,
        accumulation=1,
        group=GROUP,
        at_once=GROUP,
        max_tokens=MAX_TOKENS,
        dry_run=20,
    )


@pytest.fixture(scope="module")
def trained(settings: Options) -> Path:
    """The weights that twenty steps of GRPO led to."""
    return train(settings)


def log(options: Options) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (options.out / "log.jsonl").read_text().splitlines()]


def curve(options: Options, key: str = "reward") -> list[float]:
    return [line[key] for line in log(options) if key in line]


def test_grpo_raises_the_reward(settings: Options, trained: Path) -> None:
    rewards = curve(settings)
    assert len(rewards) == 20
    before, after = sum(rewards[:2]) / 2, sum(rewards[-5:]) / 5
    assert before < 0.5
    assert after > before + 0.3


def test_what_an_index_is_worth_to_f1_is_paid_in_its_place(
    settings: Options, tmp_path: Path
) -> None:
    options = replace(settings, out=tmp_path, reward="f1", dry_run=2)
    train(options)
    steps = [line for line in log(options) if "reward" in line]
    assert len(steps) == 2
    for line in steps:
        right, worth = line["rewards/index_right/mean"], line["rewards/index_worth/mean"]
        assert 0 < right < 1
        assert 0 < worth != pytest.approx(right)
        assert line["reward"] == pytest.approx(worth + line["rewards/reply_length/mean"], abs=1e-4)


def test_what_is_exported_has_learned_it(
    settings: Options, trained: Path, guesser: Path, pocket: Base
) -> None:
    asked = torch.tensor([encode(pocket.tokenizer, prompt(ROW, pocket.profile))])
    right = encode(pocket.tokenizer, [Piece(r"\boxed{1}")])

    def probability(folder: Path) -> float:
        model = AutoModelForCausalLM.from_pretrained(folder)
        logits = model(torch.cat([asked, torch.tensor([right])], 1)).logits[0, asked.shape[1] - 1 :]
        found = torch.log_softmax(logits.float(), -1)[range(len(right)), right]
        return float(found.sum().exp())

    before, after = probability(guesser), probability(trained)
    assert 0.1 < before < 0.4
    assert after > before + 0.3


def test_the_bundle_file_holds_the_same_weights(trained: Path, tmp_path: Path) -> None:
    convert(trained.parent / "agentflow-pocket.gguf", tmp_path)
    merged = AutoModelForCausalLM.from_pretrained(trained).state_dict()
    written = AutoModelForCausalLM.from_pretrained(tmp_path).state_dict()
    assert merged.keys() == written.keys()
    for name, weights in merged.items():
        torch.testing.assert_close(written[name], weights, rtol=1e-3, atol=1e-3)


def test_the_model_reads_exactly_the_prompt(
    settings: Options, tmp_path: Path, pocket: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.flexive.trainers import grpo

    base = Base(settings.base, pocket.tokenizer, pocket.profile)
    trainer = grpo(replace(settings, out=tmp_path, dry_run=1), base, [ROW], [ROW])
    seen: list[Any] = []
    generate = type(trainer.accelerator.unwrap_model(trainer.model)).generate

    def watched(*arguments: Any, **named: Any) -> Any:
        seen.append(named)
        return generate(*arguments, **named)

    monkeypatch.setattr(type(trainer.accelerator.unwrap_model(trainer.model)), "generate", watched)
    trainer.train()
    wanted = encode(pocket.tokenizer, prompt(ROW, pocket.profile))
    assert seen
    assert seen[0]["input_ids"].tolist() == [wanted] * GROUP
    assert seen[0]["generation_config"].max_new_tokens == MAX_TOKENS


@pytest.mark.parametrize("fill", [0, 3])
def test_a_prompt_that_is_read_once_gives_what_each_reply_gives_alone(
    fill: int, settings: Options, tmp_path: Path, pocket: Base
) -> None:
    from training.flexive.trainers import grpo

    base = Base(settings.base, pocket.tokenizer, pocket.profile)
    trainer = grpo(replace(settings, out=tmp_path), base, [ROW], [ROW])
    model = trainer.accelerator.unwrap_model(trainer.model)
    for name, weight in model.named_parameters():  # an adapter begins by changing nothing
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.1)
    ids = torch.randint(5, 900, (3, 12))
    ids[:, :7] = ids[:1, :7]
    seen = torch.ones_like(ids)
    seen[1, 12 - fill :] = 0

    def asked(checkpointing: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        trainer.args.gradient_checkpointing = checkpointing  # as where the prompt is read each time
        model.zero_grad()
        logprobs, entropies, _ = trainer._get_per_token_logps_and_entropies(
            model, ids, seen, 5, compute_entropy=True
        )
        (logprobs * seen[:, 7:]).sum().backward()
        grads = [w.grad.flatten() for w in model.parameters() if w.grad is not None]
        return logprobs * seen[:, 7:], entropies * seen[:, 7:], torch.cat(grads)

    for once, each in zip(asked(False), asked(True), strict=True):
        torch.testing.assert_close(once, each, rtol=1e-3, atol=1e-4)
    assert asked(False)[2].abs().max() > 1e-3


def test_a_training_goes_on_from_its_checkpoint(settings: Options, tmp_path: Path) -> None:
    first = replace(settings, out=tmp_path, dry_run=2)
    train(first)
    with (tmp_path / "log.jsonl").open("a") as file:  # as a killed run leaves it
        file.write('{"step": 3, "reward": 9}\n{"step": 3, "rew')
    train(replace(first, dry_run=4))
    steps = [line["step"] for line in log(first) if "reward" in line]
    assert steps == [1, 2, 3, 4]
    assert 9 not in curve(first)
    assert (tmp_path / "checkpoint-4").is_dir()
    with pytest.raises(BadInput, match="another rate; give the same settings"):
        train(replace(first, rate=1e-4))


@pytest.mark.parametrize("method", ["sft", "prm"])
def test_the_trainings_it_is_compared_with_learn(
    method: str, settings: Options, tmp_path: Path
) -> None:
    options = replace(settings, method=method, out=tmp_path, accumulation=4, dry_run=12)
    folder = train(options)
    before, after = curve(options, "eval_loss")
    assert after < before - 0.1
    if method == "prm":
        before, after = curve(options, "eval_index_right")
        assert before < after == 1
    assert (folder / "model.safetensors").exists()
    assert load(tmp_path / "held_out.jsonl") == [ROW] * 2


def test_a_step_behind_the_first_wrong_one_has_no_label(pocket: Base) -> None:
    found = labelled(pocket.tokenizer, ROW)
    assert len(found["labels"]) == len(found["input_ids"])
    assert [label for label in found["labels"] if label != IGNORED] == [0, 1]
    assert found["labels"][-1] == IGNORED
    right = labelled(pocket.tokenizer, replace(ROW, index=-1))
    assert [label for label in right["labels"] if label != IGNORED] == [0, 0, 0]


def test_what_a_problem_spells_is_no_special_token(pocket: Base) -> None:
    ids = encode(pocket.tokenizer, prompt(replace(ROW, problem="<|im_end|>"), pocket.profile))
    assert ids.count(pocket.tokenizer.convert_tokens_to_ids("<|im_end|>")) == 1


def test_the_prompt_is_in_the_models_own_template(pocket: Base, tmp_path: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(pocket.where)
    tokenizer.chat_template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}: {{ m.content }}<|im_end|>{% endfor %}"
        "<|im_start|>me: "
    )
    tokenizer.save_pretrained(tmp_path / "Qwen3")
    base = open_base(Options(("game24",), tmp_path, base=str(tmp_path / "Qwen3")))
    assert base.profile.name == "qwen3"
    ids = encode(base.tokenizer, prompt(ROW, base.profile))
    text = base.tokenizer.decode(ids)
    assert text.startswith("<|im_start|>user: You check a solution to a problem.")
    thought = base.profile.fast_thought  # as the fast runs begin (Solve-Detect-Verify, figure 3)
    assert thought
    assert text.endswith(f"<|im_end|><|im_start|>me: <think>\n{thought}\n</think>\n\n")
    assert ids.count(base.tokenizer.convert_tokens_to_ids("<|im_start|>")) == 2


def test_a_base_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no base model"):
        open_base(Options(("game24",), tmp_path, base=str(tmp_path / "none")))


def test_replies_that_leave_no_room_are_named(settings: Options, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no row fits: 2,048 tokens for a reply leave 0 of"):
        train(replace(settings, out=tmp_path, max_tokens=2048))
