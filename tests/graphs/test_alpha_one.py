"""alpha_one: slow thinking up to the moment, fast behind it."""

from __future__ import annotations

from typing import Any

import pytest

import agentflow
from agentflow.errors import MissingCapability
from agentflow.models import Capabilities, ScriptedModel
from agentflow.monitors import Increment, SlowThenFast
from agentflow.profile import PROFILES

PUZZLE = "1 6 8 12"
RIGHT = r"\boxed{(12 - 8) * 6 * 1}"


def solve(script: Any, **settings: Any) -> agentflow.Result:
    model = script if isinstance(script, ScriptedModel) else ScriptedModel(script)
    return agentflow.solve(PUZZLE, "alpha_one", model=model, **settings)


def test_the_word_stands_behind_a_step_before_the_moment() -> None:
    """The moment is so far that the chance is nearly 1."""
    script = {"Wait": f", on</think>\n{RIGHT}", "": "one\n\ntwo\nthree"}
    result = solve(script, usual_tokens=100_000)
    assert result.trace.body == f"one\n\nWait, on</think>\n{RIGHT}"
    assert (result.status, result.corrections) == ("verified", 1)


def test_the_thinking_ends_at_the_word_behind_the_moment() -> None:
    script = {"</think>\n": RIGHT, "": "one two three. Wait, four"}
    result = solve(script, usual_tokens=1)
    assert result.trace.body == f"one two three.</think>\n{RIGHT}"
    assert result.status == "verified"


def test_a_thinking_without_the_word_goes_on_behind_the_moment() -> None:
    text = f"one\ntwo\nthree\nfour</think>\n{RIGHT}"
    assert solve(text, usual_tokens=1).trace.body == text


def test_another_word_may_be_meant() -> None:
    script = {"</think>\n": RIGHT, "": "one. Wait, two. Hmm, three"}
    assert "Wait, two.</think>" in solve(script, usual_tokens=1, word="Hmm").trace.body


def test_the_word_in_another_sense_ends_nothing() -> None:
    text = f"it leaves after a wait of 5 minutes</think>\n{RIGHT}"
    assert solve(text, usual_tokens=1).trace.body == text


def test_a_word_that_is_put_behind_every_step_comes_to_an_end() -> None:
    result = solve("more\n", usual_tokens=100_000, max_tokens=40, step="line")
    assert result.status == "exhausted"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"profile": PROFILES["chatml"]}, "does not think apart"),
        ({"capabilities": Capabilities(continues=False)}, "alpha_one"),
    ],
)
def test_a_model_that_lacks_what_it_takes_is_refused(claims: dict[str, Any], said: str) -> None:
    with pytest.raises(MissingCapability, match=said):
        solve(ScriptedModel("x", **claims))


def steps(monitor: SlowThenFast, *tokens: str) -> list[tuple[str, int]]:
    memory, offset, found = monitor.start(), 0, list[tuple[str, int]]()
    for token in tokens:
        memory, states = monitor.feed(memory, Increment(token, offset, 1, False))
        offset += len(token)
        found += [(state.kind, state.end) for state in states]
    return found


def test_a_paragraph_is_a_step_once() -> None:
    never_mind = SlowThenFast(10**9)
    assert steps(never_mind, "\n", "\n", "a", "\n", "b", "\n", "\n", "\n", "\n", "c") == [
        ("slow", 7)
    ]
    assert steps(never_mind, "a", "\n", " ", "\n") == [("slow", 4)]


def test_a_line_is_a_step_where_the_model_writes_lines() -> None:
    lines = SlowThenFast(10**9, step="line")
    assert steps(lines, "a", "\n", "\n", "b", "\n") == [("slow", 2), ("slow", 5)]


def test_the_chance_falls_to_zero_at_the_moment() -> None:
    """Of 200 seeds, at a tenth of the way and at nine tenths."""

    def slow(tokens: int) -> int:
        words = ["a"] * (tokens - 1)
        return sum(
            bool(steps(SlowThenFast(100, step="line", seed=seed), *words, "\n"))
            for seed in range(200)
        )

    assert slow(10) > 150
    assert slow(90) < 50
    assert slow(100) == 0
