"""An object of an answer and the reasons behind it is read as these, and the answer below."""

from __future__ import annotations

import json

import pytest

from agentflow import domains

COMMONSENSE = domains.get("commonsense")
LOON = (
    "Which of these animals lays its eggs on land?\n\nA. The carp\nB. The loon\nC. The perch\n"
    "D. The squid"
)
TILES = (
    "A wall is covered by 40 tiles of 2 square feet. What is its area?\n\nA. 2 feet\n"
    "B. 40 square feet\nC. 80 square feet\nD. 42 feet"
)
READ = [
    (LOON, {"answer": "B", "reasoning": "The loon is a bird, and birds lay their eggs on land."
            " Carp and perch spawn in water, and so does the squid."}, "B"),
    (LOON, {"final_answer": "B", "explanation": "Loons nest on shores of lakes, on land."}, "B"),
    (TILES, {"answer": "C", "reasoning": "Each tile covers 2 square feet, and there are 40 of them."
             " Therefore, the area is 80 square feet."}, "C"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "reply", "letter"), READ)
async def test_reasons_behind_an_answer(problem: str, reply: dict[str, str], letter: str) -> None:
    asked = COMMONSENSE.parse(problem)
    for text in (json.dumps(reply), f"```json\n{json.dumps(reply, indent=2)}\n```"):
        said = COMMONSENSE.answer(text)
        assert said is not None
        assert await COMMONSENSE.equal(asked, said, letter) is True


NOT_READ = [
    (LOON, {"answer": "B", "reasoning": "The carp lays its eggs on land. So the answer is A."}),
    (LOON, {"answer": "B", "reasoning": "B is wrong. The correct option is D."}),
    (LOON, {"answer": "B", "reasoning": "The correct option is (C) The perch."}),
    (LOON, {"answer": "B", "reasoning": "I am not sure, this is only a guess."}),
    (LOON, {"answer": "B", "reasoning": "It could be A or B."}),
    (LOON, {"answer": "B or C", "reasoning": "Loons nest on land."}),
    (LOON, {"answer": "B", "reasoning": "Loons nest on land.", "corrected": "C"}),
    (TILES, {"answer": "C", "reasoning": "40 tiles of 2 square feet. Therefore, the area is 40"
             " square feet."}),
    (LOON, {"answer": "not B", "reasoning": "Loons nest on land."}),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "reply"), NOT_READ)
async def test_reasons_that_do_not_bear_it_out(problem: str, reply: dict[str, str]) -> None:
    said = COMMONSENSE.answer(json.dumps(reply))
    right = "B" if problem == LOON else "C"
    assert said is None or await COMMONSENSE.equal(COMMONSENSE.parse(problem), said, right) is None
