"""The tokenizer, the batches and the loop, on a tiny model."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

# ruff: noqa: E402  (what is imported below needs what may be missing)
torch = pytest.importorskip("torch", reason="needs the extra 'training': make test-training")

from tokenizers import Tokenizer
from transformers import Qwen3ForCausalLM

from agentflow.models.embedded import bundled
from training import data, game24, tokenizer, train
from training.convert import convert
from training.curriculum import chunk, opened
from training.data import IGNORED, Batch, Plan, batches, encode
from training.export import export
from training.model import carry_over, make_model

pytestmark = pytest.mark.slow
TINY = ["--width", "32", "--layers", "1", "--heads", "2", "--batch", "1024", "--threads", "1"]


@pytest.fixture(scope="module")
def words() -> list[str]:
    return ["".join(part.text for part in parts) for _, parts in chunk(3, 0, 1.0)]


@pytest.fixture(scope="module")
def small(words: list[str]) -> Tokenizer:
    return tokenizer.grown(tokenizer.bare(), words, 420)


@pytest.fixture(autouse=True)
def one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "CHUNKS_READ", 1)
    monkeypatch.setattr(tokenizer, "VOCABULARY", 420)


def run(out: Path, *arguments: str) -> list[dict[str, Any]]:
    train.train(train.parsed(["--out", str(out), *TINY, *arguments]))
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


def test_a_tokenizer_that_grows_keeps_what_it_knew(small: Tokenizer, words: list[str]) -> None:
    larger = tokenizer.grown(small, words, 520)
    old, before = tokenizer.state(small)
    new, merges = tokenizer.state(larger)
    assert old.items() <= new.items()
    assert merges[: len(before)] == before
    assert sorted(new.values()) == list(range(520))
    for text in words[:40]:
        ids = larger.encode(text).ids
        assert larger.decode(ids, skip_special_tokens=False) == text
        assert len(ids) <= len(small.encode(text).ids)
    made = tokenizer.pieces(small, larger)
    spelled = {number: token for token, number in old.items()}
    for token, number in new.items():
        assert "".join(spelled[part] for part in made[number]) == token


def test_cells_of_a_drawing_stay_tokens(small: Tokenizer) -> None:
    assert small.encode("#SXX#\n").tokens == ["#", "S", "X", "X", "#", "Ċ"]


def test_batches_go_on_where_they_were_cut_off(small: Tokenizer, tmp_path: Path) -> None:
    small.save(str(tmp_path / "tokenizer.json"))
    plan = Plan(str(tmp_path / "tokenizer.json"), seed=1, total=10**9, batch=4096)
    whole = list(islice(batches(plan), 60))
    assert whole[-1].position[0] > 0  # more than one chunk
    for cut in (1, 7, 50):
        (again,) = islice(batches(plan, whole[cut - 1].position), 1)
        assert torch.equal(again.ids, whole[cut].ids)
        assert torch.equal(again.labels, whole[cut].labels)
    for one in whole:
        assert one.ids.numel() <= 4096 or len(one.sources) == 1
        assert len(one.sources) == len(one.ids)
        assert ((one.labels == IGNORED) | (one.labels == one.ids)).all()


def test_texts_are_learned_again_in_blocks(
    small: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "BLOCK", 2)
    small.save(str(tmp_path / "tokenizer.json"))
    plan = Plan(str(tmp_path / "tokenizer.json"), seed=1, total=10**9, batch=65_536, repeat=3)
    assert [plan.number(visit) for visit in range(8)] == [0, 1, 0, 1, 0, 1, 2, 3]
    pools: dict[int, list[Batch]] = {}
    for batch in batches(plan):
        visit = batch.position[0] - (batch.position[1] == 0)
        if visit == 3:
            break
        pools.setdefault(visit, []).append(batch)
    assert all(torch.equal(a.ids, b.ids) for a, b in zip(pools[0], pools[2], strict=True))
    assert not torch.equal(pools[0][0].ids, pools[1][0].ids)


def test_a_run_ends_when_its_time_is_up(tmp_path: Path) -> None:
    (last,) = run(tmp_path, "--tokens", "30000", "--every", "10", "--seconds", "0.001")
    assert last["step"] == 1  # the first is made, however long it takes
    assert (tmp_path / "checkpoint.pt").exists()


def test_the_rate_falls_to_nothing() -> None:
    rates = [train.rate(tokens, 1 - tokens / 100, 3.0, 10) for tokens in range(0, 101, 5)]
    assert rates[0] == pytest.approx(0.3)
    assert rates[2:11] == [3.0] * 9
    assert rates[11:] == sorted(rates[11:], reverse=True)
    assert rates[-1] == 0


def test_a_run_learns_and_resumes(tmp_path: Path) -> None:
    log = run(tmp_path, "--tokens", "30000", "--every", "10", "--rate", "3e-3", "--warmup", "5000")
    assert log[-1]["step"] >= 25
    assert log[-1]["loss"] < 0.8 * log[0]["loss"]
    assert set(log[0]["sources"]) <= set(opened(0.0))
    steps = log[-1]["step"]
    log = run(tmp_path, "--tokens", "34000", "--every", "1")
    assert log[-1]["step"] > steps
    assert [line["step"] for line in log[3:]] == sorted(line["step"] for line in log[3:])
    export(tmp_path, tmp_path / "model.gguf", "f32")
    convert(tmp_path / "model.gguf", tmp_path / "hf")
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)["model"]
    loaded = Qwen3ForCausalLM.from_pretrained(tmp_path / "hf").state_dict()
    assert all(torch.equal(state[name], loaded[name]) for name in state)


@pytest.mark.parametrize("more", [0, 2])
def test_a_run_that_goes_on_from_the_shipped_model_knows_what_it_knew(
    tmp_path: Path, words: list[str], more: int
) -> None:
    convert(bundled(), tmp_path)
    old = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    before = Qwen3ForCausalLM.from_pretrained(tmp_path)
    new = tokenizer.grown(old, words, old.get_vocab_size() + 300)
    shape = before.config
    size, width, heads = new.get_vocab_size(), shape.hidden_size, shape.num_attention_heads
    model = make_model(size, width, shape.num_hidden_layers + more, heads)
    carry_over(model, new, before, old)
    losses = []
    for parts in islice(game24.traces(7), 60):
        first, second = encode(old, parts), encode(new, parts)
        if first == second:  # notes hold words that have become tokens
            losses.append([_loss(before, *first), _loss(model, *second)])
    assert len(losses) > 30
    was, now = map(sum, zip(*losses, strict=True))
    assert now < 1.05 * was
    with pytest.raises(SystemExit, match="--init: the model has another shape"):
        carry_over(make_model(new.get_vocab_size(), 32, 1, 2), new, before, old)


def _loss(model: Qwen3ForCausalLM, ids: list[int], labels: list[int], lines: list[int]) -> float:
    with torch.no_grad():
        losses, _, _ = train.token_losses(
            model, model.model, torch.tensor([ids]), torch.tensor([labels]), torch.tensor([lines])
        )
    return float(losses.sum())
