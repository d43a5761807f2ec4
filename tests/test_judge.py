"""Judging existing traces: the function, the fields, the file handling."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.judge import Judgement, judge, judge_file
from agentflow.profile import thinking_format
from agentflow.thinking import split
from agentflow.verdict import Verdict

GAME = domains.get("game24")
GPT4 = "Steps:\n10 - 4 = 6 (left: 5 6 6)\n"
SAMPLE = Path(__file__).parent / "data" / "game24" / "gpt4_cot_sample.jsonl"


def judged(problem: str, text: str) -> Judgement:
    return asyncio.run(judge(GAME, GAME.parse(problem), text))


def test_a_right_trace_in_the_spelling_of_gpt4() -> None:
    text = (
        "Steps:\n6 - 4 = 2 (left: 2 5 10)\n10 + 2 = 12 (left: 5 12)\n"
        "12 * 5 = 60 (left: 60)\nAnswer: (10 - 6) * 5 + 4 = 24"
    )
    assert judged("4 5 6 10", text) == Judgement(True, True, True, hopeless_from=0)


def test_the_answer_is_wrong_and_the_steps_are_right() -> None:
    found = judged("4 5 6 10", GPT4 + "Answer: (6 - 4) * 5 = 24")
    assert (found.steps_ok, found.answer_ok, found.ok) == (True, False, False)
    assert (found.first_wrong_step, found.kind) == (None, "not_available")
    assert found.feedback == "( 6 - 4 ) * 5 uses 4 5 6 , not 4 5 6 10"


def test_the_first_wrong_step_is_named_before_the_answer() -> None:
    text = GPT4 + "6 * 6 = 35 (left: 5 35)\n5 + 6 = 12 (left: 6 12)\nAnswer: nothing"
    found = judged("4 5 6 10", text)
    assert (found.first_wrong_step, found.kind) == (1, "arithmetic")
    assert found.feedback == "6 * 6 is 36 , not 35"
    assert found.steps_ok is found.ok is False
    assert found.answer_ok is None  # it is no expression: neither right nor wrong


def test_a_step_behind_a_wrong_one_follows_from_the_right_ones() -> None:
    text = GPT4 + "6 * 6 = 35 (left: 5 35)\n6 * 6 = 36 (left: 5 36)\n36 - 5 = 31 (left: 31)"
    found = judged("4 5 6 10", text)
    assert (found.steps_ok, found.first_wrong_step) == (False, 1)
    assert judged("4 5 6 10", text.replace("6 * 6 = 35 (left: 5 35)\n", "")).steps_ok is True


@pytest.mark.parametrize("text", ["", "I give up.", "\x00\ud800" * 50, "=" * 10_000, "Answer:"])
def test_nothing_found_is_no_judgement(text: str) -> None:
    undetermined = "steps: none found; answer: not found"
    assert judged("4 7 8 8", text) == Judgement(None, None, None, undetermined=undetermined)


def test_no_answer_leaves_right_steps_undecided() -> None:
    found = judged("4 5 6 10", GPT4)
    assert (found.steps_ok, found.answer_ok, found.ok) == (True, None, None)


def test_a_wrong_step_decides_without_an_answer() -> None:
    found = judged("4 5 6 10", "10 - 4 = 7 (left: 5 6 7)")
    assert (found.steps_ok, found.answer_ok, found.ok) == (False, None, False)


def test_a_wrong_candidate_in_the_thinking_is_no_step() -> None:
    text = "4 + 7 + 8 + 8 = 24\n8 / 8 = 1 (left: 1 4 7)\n</think>\nAnswer: (7 - 8 / 8) * 4 = 24"
    assert judged("4 7 8 8", text).ok is True


def test_the_answer_stands_behind_the_last_close_and_steps_stand_anywhere() -> None:
    right, wrong = "(7 - 8 / 8) * 4", "4 + 7 + 8 + 8"
    text = f"<think>\nAnswer: {wrong}\n</think>\nAnswer: {wrong}</think>\n8 / 8 = 1 (left: 1 4 7)\n"
    assert judged("4 7 8 8", f"{text}Answer: {right}").ok is True
    assert judged("4 7 8 8", f"Answer: {right}\n</think>\nthat was it").answer_ok is None
    assert judged("4 7 8 8", f"8 / 8 = 2 (left: 2 4 7)</think>Answer: {right}").ok is False


def test_thinking_is_no_answer_whatever_marks_it() -> None:
    wrong, right = "Answer: 4 + 7 + 8 + 8 = 24\n", "Answer: (7 - 8 / 8) * 4 = 24\n"
    steps = "8 / 8 = 1 (left: 1 4 7)\n"
    marked = [
        (f"[THINK]{steps}{wrong}[/THINK]{right}", "closed"),
        (f"think\n{steps}{wrong}answer\n{right}", "closed"),
        (
            f"<|channel|>analysis<|message|>{steps}{wrong}<|end|><|start|>assistant<|channel|>final"
            f"<|message|>{right}<|return|>",
            "closed",
        ),
        (f"{steps}{wrong}</thinking>\n{right}", "only closed"),
    ]
    for text, how in marked:
        found = judged("4 7 8 8", text)
        assert (found.ok, found.split) == (True, how), text
    found = judged("4 7 8 8", f"<think>\n{steps}{right}")
    assert (found.steps_ok, found.answer_ok, found.split) == (True, None, "unclosed")
    assert found.undetermined == "answer: the thinking has no end"


async def test_a_format_that_is_named_counts() -> None:
    right = "Answer: (7 - 8 / 8) * 4 = 24\n"
    problem = GAME.parse("4 7 8 8")
    form, opened = thinking_format("deepseek-r1-distill")
    found = await judge(GAME, problem, right, form, opened=opened)
    assert (found.answer_ok, found.split) == (None, "unclosed")
    found = await judge(GAME, problem, f"</think>{right}", thinking_format("plain")[0])
    assert (found.answer_ok, found.split) == (True, "plain")


def test_hopeless_counts_steps_and_is_no_error() -> None:
    text = "8 / 8 = 1 (left: 1 4 7)\n7 + 1 = 9 (left: 4 9)\n7 + 1 = 8 (left: 4 8)\n"
    found = judged("4 7 8 8", text + "8 - 4 = 4 (left: 4)")
    assert (found.first_wrong_step, found.hopeless_from) == (1, 2)
    assert judged("1 1 1 1", "1 + 1 = 2 (left: 1 1 2)") == Judgement(
        True, None, None, hopeless_from=0, undetermined="answer: not found"
    )


def test_what_the_domain_cannot_tell_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(*_: Any, hopeless: bool = False) -> Verdict:
        return Verdict(None)

    monkeypatch.setattr(type(GAME), "verify_state", unknown)
    text = "6 - 4 = 2 (left: 2 5 10)\n10 + 2 = 12 (left: 5 12)\nAnswer: (10 - 6) * 5 + 4"
    found = judged("4 5 6 10", text)
    assert (found.steps_ok, found.answer_ok, found.ok) == (None, True, None)
    assert found.undetermined == "step 0: the domain cannot tell"


def test_gpt4_answers_are_judged_as_the_data_set_does() -> None:
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert lines
    for line in lines:
        found = judged(line["numbers"], line["output"])
        assert (found.answer_ok is True) == bool(line["tot_reward"]), line


@given(st.lists(st.sampled_from([*GPT4.split("\n"), "</think>", "\n", "= 24", "Answer: 1/0", "é"])))
def test_any_text_is_judged(parts: list[str]) -> None:
    found = judged("4 5 6 10", "".join(parts))
    assert found.ok is None or found.ok == bool(found.steps_ok and found.answer_ok)
    assert (found.ok is None) == (found.undetermined is not None)


def lines_of(*records: Any) -> str:
    return "".join(
        (one if isinstance(one, str) else json.dumps(one, ensure_ascii=True)) + "\n"
        for one in records
    )


RECORD = {"id": "a", "problem": "4 5 6 10", "trace": GPT4}


async def file_judged(
    source: str | Path, target: str | Path, broken: list[tuple[int, str]] | None = None
) -> int:
    """Judge a file; without ``broken`` no line of it may be."""
    found: list[tuple[int, str]] = []
    judged = await judge_file(
        GAME, str(source), str(target), lambda number, why: found.append((number, why))
    )
    if broken is None:
        assert found == []
    else:
        broken += found
    return judged


def test_a_file_is_judged_line_by_line(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    odd = {"id": 10**30, "problem": "4 5 6 10", "trace": "\ud800", "more": 1}
    source.write_text("\ufeff" + lines_of(RECORD, "", RECORD, odd), encoding="utf-8")
    assert asyncio.run(file_judged(source, target)) == 3
    first, second, third = [json.loads(line) for line in target.read_text().splitlines()]
    assert first == second
    assert list(first) == [
        "id",
        "steps_ok",
        "answer_ok",
        "ok",
        "first_wrong_step",
        "kind",
        "feedback",
        "hopeless_from",
        "undetermined",
        "split",
        "incomplete",
    ]
    assert third["id"] == 10**30
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out.jsonl"]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ("[" * 100_000, "not JSON"),
        ({"id": 1, "problem": "4 5 6 10"}, "the field 'trace' is missing"),
        ({"problem": "4 5 6 10", "trace": ""}, "the field 'id' is missing"),
        ({"id": 1, "problem": 4, "trace": ""}, "the field 'problem' is not a text"),
        ({"id": 1, "problem": "4 5 6", "trace": ""}, "game24: needs four numbers"),
    ],
)
def test_a_broken_line_is_reported_and_the_others_are_judged(
    tmp_path: Path, bad: Any, says: str
) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(lines_of(RECORD, bad, "", RECORD | {"id": "b"}))
    broken: list[tuple[int, str]] = []
    assert asyncio.run(file_judged(source, target, broken)) == 2
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == ["a", "b"]
    assert [number for number, _ in broken] == [2]
    assert broken[0][1].startswith(says)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    source, broken = tmp_path / "in.jsonl", list[tuple[int, str]]()
    source.write_bytes(b'{"id": "\xff"}\n')
    assert asyncio.run(file_judged(source, tmp_path / "out.jsonl", broken)) == 0
    assert broken[0][1].startswith("not JSON")


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(lines_of(RECORD, "x"))
    target.write_text("before")

    def fail(number: int, why: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(judge_file(GAME, str(source), str(target), fail))
    assert target.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_long_name_is_no_hindrance(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / ("n" * 255)
    source.write_text(lines_of(RECORD))
    asyncio.run(file_judged(source, target))
    assert {one.name for one in tmp_path.iterdir()} == {source.name, target.name}


async def test_a_trace_is_split_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are read in the parts that the answer is looked for in."""
    asked = list[bool]()

    def told(text: str, form: Any = None, *, opened: bool = False) -> Any:
        asked.append(opened)
        return split(text, form, opened=opened)

    monkeypatch.setattr("agentflow.judge.split", told)
    problem = GAME.parse("4 7 8 8")
    found = await judge(GAME, problem, "8 / 8 = 1 (left: 1 4 7)\nhm", opened=True)
    assert (asked, found.split, found.steps_ok) == ([True], "unclosed", True)
    assert "the thinking has no end" in str(found.undetermined)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(lines_of(RECORD))
    with pytest.raises(BadInput, match="none cannot be read: No such file"):
        asyncio.run(file_judged(tmp_path / "none", "-"))
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        asyncio.run(file_judged(tmp_path, "-"))
    with pytest.raises(BadInput, match="none/out cannot be written: No such file"):
        asyncio.run(file_judged(source, tmp_path / "none" / "out"))
    with pytest.raises(BadInput, match="cannot be written: Is a directory"):
        asyncio.run(file_judged(source, tmp_path))


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(lines_of(RECORD))
    assert asyncio.run(file_judged(source, os.devnull)) == 1
    assert not Path(os.devnull).is_file()


def test_a_file_may_be_judged_in_place_through_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "traces", tmp_path / "link"
    file.write_text(lines_of(RECORD))
    link.symlink_to(file)
    asyncio.run(file_judged(link, link))
    assert link.is_symlink()
    assert json.loads(file.read_text())["steps_ok"] is True
