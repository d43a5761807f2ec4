"""A run so far: its text, what of it is thinking, what stands of its verdicts."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentflow.progress import Progress, Text

PIECES = st.lists(st.sampled_from(["<think>", "</think>", "<", "</th", "ink>", "a", "\n"]))


def grown(*texts: str) -> Text:
    text = Text("<think>", "</think>")
    for one in texts:
        text.grow(one)
    return text


@given(PIECES)
def test_it_does_not_matter_how_a_text_comes(pieces: list[str]) -> None:
    whole, bit_by_bit = grown("".join(pieces)), grown(*"".join(pieces))
    assert str(whole) == str(bit_by_bit) == "".join(pieces)
    assert whole.thinking == bit_by_bit.thinking
    assert (whole.closed, whole.held) == (bit_by_bit.closed, bit_by_bit.held)


@given(PIECES)
def test_the_thinking_is_what_stands_between_the_markers(pieces: list[str]) -> None:
    text = grown(*pieces)
    thought, closed, _ = str(text).partition("</think>")
    if thought.startswith("<think>"):
        thought = thought.removeprefix("<think>")
    elif not closed and "<think>".startswith(thought):
        thought = ""  # it may become the marker
    assert thought.startswith(text.read(*text.thinking))
    assert len(thought) == text.thought + text.held or not thought


@given(PIECES, st.integers(0, 40), PIECES)
def test_a_cut_leaves_what_stood_before_it(
    before: list[str], offset: int, after: list[str]
) -> None:
    text = grown(*before)
    offset = min(offset, len(text))
    text.cut(offset)
    assert str(text) == "".join(before)[:offset]
    assert (text.held, text.kept) == (0, text.thought)
    for one in after:
        text.grow(one)
    assert str(text) == "".join(before)[:offset] + "".join(after)


def test_without_markers_nothing_is_thinking() -> None:
    text = Text()
    text.grow("a</think>b")
    assert (text.thinking, text.thought) == ((0, 0), 0)


def verdict(end: int, **more: Any) -> dict[str, Any]:
    return {"type": "verdict", "state": {"start": 0, "end": end}, "verdict": {"ok": True}} | more


def test_verdicts_on_what_was_taken_back_go_with_it() -> None:
    run = Progress()
    run.take({"type": "token", "text": "one two"})
    for end in (3, 7):
        run.take(verdict(end))
    cut = {"type": "intervention", "kind": "feedback", "offset": 3, "text": "!", "monitor": "m"}
    run.take(cut)
    assert [one["state"]["end"] for one in run.first.judged] == [3]
    assert (str(run.first.text), run.first.corrections) == ("one!", 1)
    assert [event["type"] for event in run.events] == ["verdict", "verdict", "intervention"]


def test_each_branch_has_a_trajectory_and_the_ledger_is_the_runs() -> None:
    run = Progress()
    run.take({"type": "token", "text": "one"})
    run.take({"type": "token", "text": "other", "branch": 1})
    run.take({"type": "usage", "entries": {"b": {"wasted": 2}}, "branch": 1})
    run.take({"type": "usage", "entries": {"a": {"wasted": 1}}})
    assert [str(run.trajectory(n).text) for n in (0, 1, 2)] == ["one", "other", ""]
    assert [run.trajectory(n).wasted for n in (0, 1)] == [1, 2]
    assert run.entries.keys() == {"a", "b"}


def test_a_verdict_on_the_whole_is_none_on_a_state() -> None:
    run = Progress()
    run.take({"type": "verdict", "monitor": "verify", "final": True, "ok": True})
    assert (run.first.judged, len(run.first.events)) == ([], 1)
