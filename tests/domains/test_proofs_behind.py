"""Proofs and counts in plain words behind or around an answer: right ones pass, others do not."""

from __future__ import annotations

import pytest
from replies import verdict

LOGIC = "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."
MAZE = (
    "#####\n#SX #\n##X##\n#EX #\n#####\n"
    "How many right turns are there in the provided path from S to E?"
)


@pytest.mark.parametrize(
    "proof",
    [
        "1. Alex is kind.\n2. Everyone who is kind is happy.\n3. Alex is happy.",
        "1. Alex is kind. (premise)\n2. Everyone who is kind is happy. (premise)\n"
        "3. Alex is happy. (from 1, 2)",
        "1. Alex is kind (premise 1).\n2. Everyone who is kind is happy (premise 2).\n"
        "3. Therefore, Alex is happy (modus ponens, 1, 2).",
        "Alex is kind. Everyone who is kind is happy. So Alex is happy.",
        "Premise 1 says Alex is kind. Hence, Alex is happy.",
        "Alex is kind, so he is happy.",
        "Alex is happy because he is kind.",
    ],
)
@pytest.mark.parametrize("form", ["The answer is True.", "Conclusion: True", "Answer: True"])
def test_a_proof_behind_the_answer(form: str, proof: str) -> None:
    assert verdict("logic", LOGIC, f"{form}\n\n{proof}") is True


@pytest.mark.parametrize(
    "proof",
    [
        "1. Alex is kind. (premise)\n2. Everyone who is kind is happy. (premise)\n"
        "3. So Alex is unhappy. (from 1, 2)",
        "1. Alex is kind (premise 1).\n2. Therefore, Alex is not happy (modus ponens, 1, 2).",
        "Alex is kind. Everyone who is kind is happy. So Alex is sad.",
        "Everyone who is kind is unhappy.",
        "Everyone who is happy is kind.",
        "Reason: everyone who is kind is sad, so Alex is happy.",
        "Reason: Alex is kind. Nobody who is kind is happy.",
        "Alex is kind, so he is sad.",
        "Premise 1 says that the answer is False.",
        "2. Alex is kind.\n7. So False.",
        "- [ ] True\n- [x] False",
        "✅ False",
    ],
)
def test_a_proof_that_says_something_else(proof: str) -> None:
    assert verdict("logic", LOGIC, f"The answer is True.\n\n{proof}") is None


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("There are 2 right turns and 0 left turns.", True),
        ("So the path has 2 right and 0 left turns.", True),
        ("I follow it.\n\nThere are two right turns and zero left turns in the path.", True),
        ("There are 0 right turns and 2 left turns.", False),
        ("There are 2 right turns and 1 left turn.", None),
        ("There are 2 right turns and 2 right turns.", None),
    ],
)
def test_turns_of_both_kinds(text: str, ok: bool | None) -> None:
    assert verdict("maze", MAZE, text) is ok


@pytest.mark.parametrize(
    ("clause", "answer", "ok"),
    [
        ("The conclusion contradicts the premises.", "True", None),
        ("The conclusion does not follow.", "True", None),
        ("Alex is far from happy.", "True", None),
        ("Alex has to be sad.", "True", None),
        ("Premise 2 says that kind people are sad.", "True", None),
        ("Premise 1 says that Alex is kind.", "True", True),
        ("The premises entail it.", "True", True),
    ],
)
def test_what_is_said_of_a_thing_or_of_the_conclusion(
    clause: str, answer: str, ok: bool | None
) -> None:
    assert verdict("logic", LOGIC, f"Answer: {answer}\n\n{clause}") is ok


def test_a_false_may_say_that_the_conclusion_contradicts_the_premises() -> None:
    sad = LOGIC.replace("Alex is happy.", "Alex is not happy.")
    said = "The conclusion contradicts the premises.\n\nAnswer:"
    assert verdict("logic", sad, f"{said} False") is True
    open_ = LOGIC.replace("is kind is", "is tall is")
    assert verdict("logic", open_, f"{said} Uncertain") is None
