"""Questions about strangers: no name tells the answer, and only what is concluded is judged."""

from __future__ import annotations

import re
from itertools import islice

from training.cases import facts
from training.judging import curriculum, strangers
from training.judging.own import held_out
from training.mistakes import Example

_YEAR = re.compile(r"born in (\d+)\.")
_TOWN = re.compile(r"born in (\w+burg)\.")


def right_answer(one: Example) -> str:
    """What follows from the facts as the solution states them."""
    years = [int(year) for year in _YEAR.findall("".join(one.steps))]
    if years:
        return "yes" if years[0] < years[1] else "no"
    return _TOWN.findall("".join(one.steps))[0]


def test_the_first_wrong_line_is_the_first_answer_that_does_not_follow() -> None:
    wrong = 0
    for one in islice(strangers.examples(1), 600):
        right = right_answer(one)
        bad = [
            index
            for index, step in enumerate(one.steps)
            for line in step.splitlines()
            if line.startswith("Answer: ") and line != f"Answer: {right}"
        ]
        assert one.wrong == (bad[0] if bad else -1)
        assert (one.line, one.reason) == (
            (f"Answer: {one.line[8:]}", f"it should be Answer: {right}") if bad else ("", "")
        )
        wrong += bool(bad)
    assert 0.5 * strangers.FLAWED < wrong / 600 < 2 * strangers.FLAWED


def test_a_stranger_is_nobody_that_is_known_or_held_out() -> None:
    names = {one.name for one in facts.people()}
    for one in islice(strangers.examples(2), 200):
        assert not any(name in one.problem.text for name in names)
        assert not held_out("commonsense", one.problem.text)


def test_facts_are_neither_learned_nor_judged() -> None:
    judged = set()
    for one in islice(strangers.examples(3), 200):
        for part in strangers.unread(curriculum.critic(one, "fast")):
            if part.right is not None:
                judged.add((part.text.partition(":")[0].partition("{")[0], part.right))
    assert judged >= {("Answer", True), ("Answer", False)}
    assert ("Fact", True) not in judged
