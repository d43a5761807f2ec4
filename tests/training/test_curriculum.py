"""The curriculum: every source is read as it is meant, and none knows a held-out problem."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice

import pytest

from agentflow.evaluation.datasets import held_out as held_out_puzzles
from training import curriculum
from training.cases import facts
from training.cases.case import is_held_out
from training.curriculum import CHUNK, OPENS, SOURCES, chunk, opened
from training.game24 import Part

EVERY = pytest.mark.parametrize("name", SOURCES)
COUNT = 12
SOLVED = [name for name, one in SOURCES.items() if one.stage == 0]

_PUZZLE = re.compile(r"(?m)(?:^|: )(\d{1,2}(?: \d{1,2}){3})$")
_WORDS = re.compile(r"(?m)(?:^|: )([A-Z](?!uestion:)[^\n]*(?:How many|How much)[^\n?]*\?)$")
_PEOPLE = re.compile(r"(?m)(?:^|: )((?:In which town was|Was) [^\n]*\?)$")
_WHOLE = re.compile(
    r"(Premises:\n(?:[^\n]+\n)+?Conclusion: [^\n]+"
    r"|Here is a maze\.[\s\S]*?\n[A-D]\. [^\n]+(?:\n[A-D]\. [^\n]+)*"
    r"|Consider a map with[\s\S]*?options:\n[A-D]\. [^\n]+(?:\n[A-D]\. [^\n]+)*)"
)
"""Problems of logic, mazes and maps as they were drawn; a solver is told them in other words."""


@cache
def texts(name: str, held_out: bool = False, count: int = COUNT) -> tuple[list[Part], ...]:
    return tuple(islice(SOURCES[name].texts(1, held_out=held_out), count))


def learned(parts: list[Part]) -> str:
    return "".join(part.text for part in parts[1:]).removesuffix("<|im_end|>")


@EVERY
def test_what_is_learned_is_read_and_right(name: str) -> None:
    for held_out in (False, True):
        for parts in texts(name, held_out):
            assert not parts[0].learn
            assert parts[-1].learn
            assert parts[-1].text.endswith("<|im_end|>")
            assert SOURCES[name].right(parts[0].text, learned(parts), learned(parts))


@EVERY
def test_another_reply_is_not_right(name: str) -> None:
    """The metric tells replies apart: most texts' replies are not right for another's prompt."""
    replies = list(dict.fromkeys(learned(parts) for parts in texts(name)))
    assert len(replies) > 1
    wrong = 0
    for parts in texts(name):
        others = [reply for reply in replies if reply != learned(parts)]
        for reply in others:
            try:
                wrong += not SOURCES[name].right(parts[0].text, reply, learned(parts))
            except ValueError:
                wrong += 1
    assert wrong > len(replies)
    with pytest.raises(ValueError):  # noqa: PT011 the reasons are the parsers' own
        SOURCES[name].right(texts(name)[0][0].text, "", learned(texts(name)[0]))


@EVERY
def test_no_held_out_problem_is_learned(name: str) -> None:
    held, seen = set(held_out_puzzles()), 0
    for held_out in (False, True):
        for parts in texts(name, held_out):
            asked = parts[0].text.replace("<|im_end|>", "\n")
            for puzzle in _PUZZLE.findall(asked):
                assert (puzzle in held) is held_out
                seen += 1
            for story in _WORDS.findall(asked) if name != "backward" else ():
                assert is_held_out(story) is held_out
                seen += 1
            for problem in _WHOLE.findall(asked) if name not in SOLVED else ():
                assert is_held_out(problem) is held_out
                seen += 1
            for question in _PEOPLE.findall(asked):
                who = [one.name for one in facts.people() if one.name in question]
                assert any(map(is_held_out, who)) is held_out
                seen += 1
    assert seen or name in ("logic", "maze", "spatialmap", "follows", "step_score", "backward")
    prompts = [{parts[0].text for parts in texts(name, held_out)} for held_out in (False, True)]
    assert name in ("follows", "step_score") or not prompts[0] & prompts[1]


def test_sources_open_in_their_order() -> None:
    assert {SOURCES[name].stage for name in opened(0.0)} == {0}
    assert all(SOURCES[name].solves for name in opened(0.0))
    for stage, at in enumerate(OPENS):
        assert {SOURCES[name].stage for name in opened(at)} == set(range(stage + 1))
    assert opened(1.0) == list(SOURCES)


@pytest.mark.slow
def test_a_chunk_is_drawn_by_weight() -> None:
    found = Counter(name for number in range(2) for name, _ in chunk(1, number, 1.0))
    total = sum(one.weight for one in SOURCES.values())
    assert found.total() == 2 * CHUNK
    for name, one in SOURCES.items():
        wanted = 2 * CHUNK * one.weight / total
        assert abs(found[name] - wanted) < 4 * wanted**0.5 + 2, name


@pytest.mark.slow
def test_a_chunk_depends_on_seed_and_number_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curriculum, "CHUNK", 64)
    one = chunk(1, 5, 0.0)
    assert one == chunk(1, 5, 0.0)
    assert one != chunk(1, 6, 0.0)
    assert one != chunk(2, 5, 0.0)
