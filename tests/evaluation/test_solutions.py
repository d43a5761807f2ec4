"""Recorded solutions: published sets as they are, labels, rows that hold none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.evaluation.solutions import READERS, Solution, load

DATA = Path(__file__).parents[1] / "data"
SAMPLES = {
    "gsm8k": DATA / "gsm8k" / "solutions_sample.jsonl",
    "processbench": DATA / "processbench" / "sample.jsonl",
    "hotpotqa": DATA / "hotpotqa" / "react_sample.jsonl",
    "zeroeval": DATA / "zeroeval" / "gsm_sample.jsonl",
    "game24": DATA / "game24" / "gpt4_cot_sample.jsonl",
}
GOOD = {"problem": "1 + 1?", "solution": "Answer: 2", "right": True, "domain": "math"}


def written(tmp_path: Path, *lines: Any) -> list[Path]:
    path = tmp_path / "data.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return [path]


async def published(name: str) -> tuple[list[dict[str, Any]], list[Solution]]:
    """The rows of a sample as they are, and the solutions read from it."""
    rows = [json.loads(line) for line in SAMPLES[name].read_text(encoding="utf-8").splitlines()]
    found, bad = await load([SAMPLES[name]], name)
    assert bad == []
    assert len({one.digest for one in found}) == len({one.problem.id for one in found})
    return rows, found


def text_of(one: Solution) -> str:
    return one.given if isinstance(one.given, str) else "\n".join(one.given)


def test_every_format_has_a_sample() -> None:
    assert set(READERS) == {"rows", "records", *SAMPLES}


async def test_gsm8k_has_several_solutions_to_a_problem() -> None:
    rows, found = await published("gsm8k")
    assert len(found) == 4 * len(rows)
    labels = [said["is_correct"] for row in rows for said in row.values() if "is_correct" in said]
    assert [one.right for one in found] == labels
    assert {True, False} == set(labels)
    assert not any("<<" in text_of(one) for one in found)
    math = domains.get("math")
    for row, one in zip(rows, found[::4], strict=True):
        said = row["6b_finetuning"]["solution"].rpartition("A: ")[2]
        assert math.shown(math.answer(text_of(one)) or "") == said
        assert one.difficulty == str(row["ground_truth"].count("<<"))


async def test_processbench_is_labelled_by_the_final_answer() -> None:
    rows, found = await published("processbench")
    assert [one.right for one in found] == [row["final_answer_correct"] for row in rows]
    assert [list(one.given) for one in found] == [row["steps"] for row in rows]
    assert {one.type for one in found} == {"gsm8k", "math", "olympiadbench", "omnimath"}


async def test_a_trajectory_does_not_tell_its_outcome() -> None:
    rows, found = await published("hotpotqa")
    assert all("Answer is" in row["trajectory"] for row in rows if row["status"] != "halted")
    commonsense = domains.get("commonsense")
    for row, one in zip(rows, found, strict=True):
        assert one.right is (row["status"] == "correct")
        whole = text_of(one)
        assert "Answer is" not in whole
        assert "CORRECT" not in whole
        assert all(step.startswith(("Thought ", "Answer: ")) for step in one.given)
        if one.right:
            answer = commonsense.answer(whole)
            assert answer is not None
            assert f"Finish[{answer}]" in whole
            assert await commonsense.equal(one.problem, answer, row["gold"])


async def test_an_output_of_zeroeval_is_its_reasoning_and_answer() -> None:
    rows, found = await published("zeroeval")
    assert [one.right for one in found] == [row["correct"] for row in rows]
    math = domains.get("math")
    for row, one in zip(rows, found, strict=True):
        assert '"reasoning"' not in text_of(one)
        answer = math.answer(text_of(one))
        assert answer is not None
        assert (await math.equal(one.problem, answer, row["gold"]) is True) is one.right


async def test_an_output_in_no_format_stays_as_it_is(tmp_path: Path) -> None:
    row = {"id": "a", "model": "m", "question": "1 + 1?", "correct": True}
    for said in ("The answer is {2}.", '{"answer": "2"}', '["2"]', "{", "no"):
        (one,), _ = await load(written(tmp_path, row | {"output": said}), "zeroeval")
        assert one.given == said


async def test_game_of_24_says_itself_which_are_right() -> None:
    rows, found = await published("game24")
    assert [one.right for one in found] == [bool(row["tot_reward"]) for row in rows]
    assert {True, False} == {one.right for one in found}


async def test_a_gold_answer_labels_and_is_not_kept(tmp_path: Path) -> None:
    row = {"problem": "Half of 3?", "gold": "3/2", "domain": "math"}
    said = ["so it is 1.5.\nAnswer: 1.5", "Answer: 1", "I do not know"]
    found, bad = await load(written(tmp_path, *(row | {"solution": one} for one in said)))
    assert bad == []
    assert [one.right for one in found] == [True, False, False]
    assert {one.problem.gold for one in found} == {None}
    labelled, _ = await load(written(tmp_path, row | {"solution": "Answer: 1", "right": True}))
    assert labelled[0].right is True


async def test_fields_of_a_row(tmp_path: Path) -> None:
    more = {"id": 7, "type": "algebra", "difficulty": 3, "steps": ["a", "b"], "domain": None}
    (one,), _ = await load(written(tmp_path, GOOD | more), domain="math")
    assert (one.problem.id, one.type, one.difficulty) == ("7", "algebra", "3")
    assert (one.given, one.problem.domain) == (("a", "b"), "math")


@pytest.mark.parametrize("id", [None, ""])
async def test_a_row_without_an_id_is_named_by_its_place(tmp_path: Path, id: Any) -> None:
    (one,), _ = await load(written(tmp_path, GOOD | {"id": id}))
    assert one.problem.id == "data-1"


async def test_a_whole_surrogate_pair_is_a_character(tmp_path: Path) -> None:
    (one,), bad = await load(written(tmp_path, GOOD | {"solution": "\U0001d7da, Answer: 2"}))
    assert (one.given, bad) == ("\U0001d7da, Answer: 2", [])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "Expecting property name"),
        ("[" * 100_000, "recursion"),
        ("[]", "not a JSON object"),
        (GOOD | {"problem": " "}, "problem is no text"),
        (GOOD | {"problem": 3}, "problem is no text"),
        (GOOD | {"solution": None}, "needs solution, a text, or steps"),
        (GOOD | {"solution": ["a"]}, "needs solution, a text, or steps"),
        (GOOD | {"solution": " \n"}, "the solution is empty"),
        (GOOD | {"steps": []}, "the solution is empty"),
        (GOOD | {"steps": "ab"}, "steps is no list of texts"),
        (GOOD | {"steps": [1]}, "steps is no list of texts"),
        (GOOD | {"right": "yes"}, "right is neither true nor false: 'yes'"),
        (GOOD | {"right": 1}, "right is neither true nor false: 1"),
        (GOOD | {"right": None}, "needs right, or gold to judge by"),
        (GOOD | {"domain": "chess"}, "unknown domain 'chess'"),
        (GOOD | {"domain": ["math"]}, "unknown domain"),
        (GOOD | {"domain": ""}, "names no domain: give the row the field domain, or use --domain"),
        (GOOD | {"domain": "game24"}, "game24: "),
        (GOOD | {"problem": "1 + 2\ud800?"}, "surrogates not allowed"),
        (GOOD | {"solution": "Answer: \ud800"}, "surrogates not allowed"),
        (GOOD | {"steps": ["a", "\udfff"]}, "surrogates not allowed"),
        (GOOD | {"right": None, "gold": "\ud800"}, "surrogates not allowed"),
        (GOOD | {"id": "\ud800"}, "surrogates not allowed"),
        (GOOD | {"type": "\ud800"}, "surrogates not allowed"),
        (GOOD | {"difficulty": "\ud800"}, "surrogates not allowed"),
    ],
)
async def test_a_bad_row_is_named_and_the_rest_read(tmp_path: Path, row: Any, reason: str) -> None:
    found, bad = await load(written(tmp_path, GOOD, "", row, GOOD | {"problem": "1 + 2?"}))
    assert [one.problem.text for one in found] == ["1 + 1?", "1 + 2?"]
    (line,) = bad
    assert line.startswith(f"{tmp_path}/data.jsonl, line 3: ")
    assert reason in line


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_row_of_another_set_is_named(tmp_path: Path, name: str) -> None:
    paths = written(tmp_path, *SAMPLES[name].read_text(encoding="utf-8").splitlines(), GOOD)
    _, bad = await load(paths, name)
    assert len(bad) == 1
    assert "no field" in bad[0]


@given(st.dictionaries(st.sampled_from(["question", "output", "solution", "id"]), st.none()))
@pytest.mark.parametrize("name", SAMPLES)
def test_readers_refuse_what_they_cannot_read(name: str, row: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, AttributeError)):
        list(READERS[name](row, "x"))


async def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"gone\.jsonl cannot be read"):
        await load([tmp_path / "gone.jsonl"])
    with pytest.raises(BadInput, match=r"data\.jsonl: no solution in it$"):
        await load(written(tmp_path, ""))
    with pytest.raises(BadInput, match=r"no solution in it; .* line 1: not a JSON object"):
        await load(written(tmp_path, "[]"))
    with pytest.raises(BadInput, match="unknown format 'csv'; known: rows, records, gsm8k"):
        await load(written(tmp_path, GOOD), "csv")


async def test_the_same_solution_counts_once(tmp_path: Path) -> None:
    row = GOOD | {"id": "a"}
    found, bad = await load(written(tmp_path, row, row))
    assert len(found) == 1
    assert bad[0].endswith("line 2: the same solution as one before")


async def test_only_the_first_so_many() -> None:
    found, _ = await load([SAMPLES["gsm8k"]], "gsm8k", limit=6)
    every, _ = await load([SAMPLES["gsm8k"]], "gsm8k")
    assert found == every[:6]
