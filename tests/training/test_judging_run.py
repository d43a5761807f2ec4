"""The judge's batches and run, and sampling the solver."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import pytest

# ruff: noqa: E402  (what is imported below needs what may be missing)
torch = pytest.importorskip("torch", reason="needs the extra 'training': make test-training")

import gguf

from agentflow.models.embedded import bundled
from training import evaluate, train
from training.convert import model_of, tokenizer_of
from training.data import IGNORED, encode
from training.game24 import Part, puzzle, puzzles
from training.judging import curriculum, label, lines, own, sample
from training.judging.evaluate import auc
from training.solving import Worked
from training.texts import MARKS

pytestmark = pytest.mark.slow

SOLVER = Path(__file__).parent / "data" / "solver.jsonl"


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("judging") / "own.jsonl"
    found = [one for sampled in label.load(SOLVER) if (one := label.labelled(sampled))]
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found))
    return str(file)


def test_marks_are_learned_at_the_ends_of_lines(rows: str) -> None:
    tokenizer = tokenizer_of(gguf.GGUFReader(bundled()))
    for row in label.read(Path(rows)):
        parts = curriculum.critic(own.example(row), "fast")
        ids, labels, _ = encode(tokenizer, parts)
        plain, learned, _ = encode(tokenizer, [type(part)(part.text, part.learn) for part in parts])
        assert ids == plain  # the text is the same
        also = [at for at in range(len(ids)) if labels[at] != learned[at]]
        assert [learned[at] for at in also] == [IGNORED] * len(also)
        text = [tokenizer.decode([one], skip_special_tokens=False) for one in ids]
        said = {at: tokenizer.id_to_token(labels[at]) for at in also if set(text[at - 1]) == {"\n"}}
        marked = [at for at in said if said[at] in MARKS and set(text[at]) != {"\n"}]
        assert [said[at] for at in marked] == [part.mark for part in parts if part.mark]
        written = "".join(part.text for part in parts if part.written)
        assert all(text[at].strip() in written for at in also if at not in marked)
        assert row.wrong < 0 or row.line not in written


def test_a_doubt_begins_at_the_first_wrong_token() -> None:
    tokenizer = tokenizer_of(gguf.GGUFReader(bundled()))
    wrong = Part(" 4 5 : 5 + 4 = 8 -> 8\n", learn=False, mark="No", departs=15)
    right = Part(" 4 5 : 5 + 4 = 9 -> 9\n", learn=False, mark="Yes", departs=22)
    ids, _, doubts = encode(tokenizer, [Part("line:\n", learn=False), wrong, right, Part("end")])
    said = [(tokenizer.decode([one]), doubt) for one, doubt in zip(ids, doubts, strict=True)]
    no, yes = map(tokenizer.token_to_id, MARKS)
    first = next(at for at, (_, doubt) in enumerate(said) if doubt == no)
    assert said[first][0].strip() == "8"
    assert [doubt for _, doubt in said].count(IGNORED) == sum(
        len(tokenizer.encode(text).ids) for text in ("line:\n", "end")
    )
    behind = [doubt for _, doubt in said[first:] if doubt != IGNORED]
    assert behind == sorted(behind, key=(no, yes).index)  # each line for itself


def test_lines_say_where_they_depart() -> None:
    for parts in islice(lines.texts(3), 40):
        assert all((part.departs == len(part.text)) == (part.mark == "Yes") for part in parts[1:-1])


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


def test_the_solver_is_sampled() -> None:
    reader = gguf.GGUFReader(bundled())
    solver, tokenizer = model_of(reader), tokenizer_of(reader)
    drawn = sample.drawn("math", sample.random.Random(2), held_out=False)
    given: list[Worked] = list(islice(drawn, 3))
    torch.manual_seed(0)
    found = list(sample.batch(solver, tokenizer, given, 0.7, 120))
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
    assert list(sample.batch(solver, tokenizer, [puzzled], 0.7, 2)) == []


def test_area_under_the_curve() -> None:
    rows = [(True, 0.1), (True, 0.5), (False, 0.5), (False, 0.9)]
    assert auc(rows) == pytest.approx(3.5 / 4)


def test_a_model_is_measured_by_role(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is asked is the whole prompt, also where marks cut it into pieces."""
    sources = {"flexive_fast": curriculum.sources(rows)["flexive_fast"]}
    asyncio.run(evaluate.rows(bundled(), sources, 4, 0))
    row = capsys.readouterr().out.splitlines()[-1].split("|")
    assert [cell.strip() for cell in row[1:4]] == ["flexive_fast", "4", "100%"]
