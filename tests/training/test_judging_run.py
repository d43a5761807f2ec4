"""The judge's batches and run, and sampling the solver."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import asdict
from itertools import groupby, islice
from pathlib import Path

import pytest

# ruff: noqa: E402  (what is imported below needs what may be missing)
torch = pytest.importorskip("torch", reason="needs the extra 'training': make test-training")

import gguf

from agentflow import models
from agentflow.models.embedded import bundled
from agentflow.scorers.likelihood import chance
from training import evaluate, train
from training.convert import model_of, tokenizer_of
from training.data import IGNORED, encode
from training.game24 import Part, puzzle, puzzles
from training.judging import curriculum, label, own, sample
from training.judging.evaluate import told_apart
from training.solving import Worked

pytestmark = pytest.mark.slow

SOLVER = Path(__file__).parent / "data" / "solver.jsonl"


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("judging") / "own.jsonl"
    found = [one for sampled in label.load(SOLVER) if (one := label.labelled(sampled))]
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found))
    return str(file)


def test_right_lines_are_learned_and_all_are_read(rows: str) -> None:
    tokenizer = tokenizer_of(gguf.GGUFReader(bundled()))
    for row in label.read(Path(rows)):
        parts = curriculum.critic(own.example(row), "fast")
        ids, labels, lines = encode(tokenizer, parts)
        plain, learned, _ = encode(tokenizer, [Part(part.text, part.learn) for part in parts])
        assert ids == plain  # the text is the same
        read = [at for at in range(len(ids)) if lines[at] != IGNORED]
        assert all(learned[at] == IGNORED for at in read)
        assert all(labels[at] == (ids[at] if lines[at] % 2 else IGNORED) for at in read)
        by_line = [list(group) for _, group in groupby(read, key=lines.__getitem__)]
        texts = [tokenizer.decode([ids[at] for at in group]) for group in by_line]
        assert texts == [part.text for part in parts if part.right is not None]


def test_a_line_is_read_as_in_use() -> None:
    """The loss of the lines against the likelihoods of all tokens, reckoned here."""
    reader = gguf.GGUFReader(bundled())
    model, tokenizer = model_of(reader), tokenizer_of(reader)
    first = Part("game24: 4 4 5\n", False), Part(" 4 4 5 : 5 + 4 = 9 -> 4 9\n", False, True)
    second = Part(" 4 9 : 9 * 4 = 35 -> 35\n", False, False), Part("end", False)
    rows = [encode(tokenizer, [*parts]) for parts in ((*first, *second), first)]
    longest = len(rows[0][0])
    ids, labels, lines = (
        torch.tensor([row[at] + [filler] * (longest - len(row[at])) for row in rows])
        for at, filler in enumerate((0, IGNORED, IGNORED))
    )
    with torch.no_grad():
        losses, at, wrongly = train.token_losses(model, model.model, ids, labels, lines)
        said = model(input_ids=ids).logits.log_softmax(-1)[:, :-1]
    said = said.gather(-1, ids[:, 1:, None])[..., 0]

    def of_line(row: int, line: int) -> list[float]:
        tokens = (lines[row] == line).nonzero()[1:, 0]
        return [chance(one) for one in said[row, tokens - 1].tolist()]

    right, wrong = [min(of_line(row, 3)) for row in (0, 1)], of_line(0, 4)
    refused = [-train.WRONG * math.log(1 - one) for one in (min(wrong), wrong[-1])]
    expected = [-math.log(one) for one in right] + refused
    assert sorted(wrongly.tolist()) == pytest.approx(sorted(expected), rel=1e-3, abs=1e-5)
    assert len(losses) == len(at) == int((labels[:, 1:] != IGNORED).sum())


def test_the_judge_is_trained_and_resumed(rows: str, tmp_path: Path) -> None:
    tiny = ["--width", "32", "--layers", "1", "--heads", "2", "--batch", "1024", "--threads", "1"]
    given = ["--out", str(tmp_path), *tiny, "--own", rows, "--every", "1"]
    reader = gguf.GGUFReader(bundled())
    tokenizer_of(reader).save(str(tmp_path / "tokenizer.json"))
    for tokens in ("6000", "9000"):
        train.train(train.parsed([*given, "--tokens", tokens]))
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in log] == list(range(1, len(log) + 1))
    assert log[-1]["tokens"] >= 9000
    assert {name for line in log for name in line["sources"]} <= set(curriculum.WEIGHTS)


async def test_the_solver_is_sampled() -> None:
    tokenizer = tokenizer_of(gguf.GGUFReader(bundled()))
    model = await models.connect(str(bundled()))
    drawn = sample.drawn("math", sample.random.Random(2), held_out=False)
    given: list[Worked] = list(islice(drawn, 3))
    found = await sample.solved(model, tokenizer, given, 0.7, 120)
    assert found
    texts = [one.problem.text for one in given]
    for one in found:
        assert one.text in texts
        assert one.right[-1] == f"Answer: {given[texts.index(one.text)].answer}"
        assert "</think>" in one.said
        assert "<|im_" not in one.said
    assert any(label.labelled(one) is not None for one in found)
    puzzled = Worked(puzzle(puzzles()[0][0]), (), "")
    # Two tokens are no solution: what does not come to its end is left out.
    assert await sample.solved(model, tokenizer, [puzzled], 0.7, 2) == []
    await models.close_all()


async def test_sampling_goes_on_where_it_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "ROUND", 3)
    out = tmp_path / "sampled.jsonl"
    given = [str(out), "--domains", "logic", "--rounds"]
    await sample.run(sample.parsed([*given, "1"]))
    first = out.read_text()
    await sample.run(sample.parsed([*given, "2"]))
    assert out.read_text().startswith(first)
    assert (tmp_path / "sampled.done").read_text().splitlines() == ["0 0 logic", "0 1 logic"]
    temperatures = [one.temperature for one in label.load(out)]
    assert temperatures == sorted(temperatures)
    assert set(temperatures) == set(sample.TEMPERATURES)


def test_area_under_the_curve() -> None:
    rows = [(True, 0.1), (True, 0.5), (False, 0.5), (False, 0.9)]
    assert told_apart(rows) == pytest.approx(3.5 / 4)


def test_a_model_is_measured_by_role(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is asked is the whole prompt, also where marks cut it into pieces."""
    sources = {"flexive_fast": curriculum.sources(rows)["flexive_fast"]}
    asyncio.run(evaluate.rows(bundled(), sources, 4, 0))
    row = capsys.readouterr().out.splitlines()[-1].split("|")
    assert [cell.strip() for cell in row[1:4]] == ["flexive_fast", "4", "100%"]
