"""Logic: formulas as provers write them, translations, and what no premise says."""

from __future__ import annotations

import pytest

from agentflow import domains
from agentflow.domains.logic import formulas

FACTS = (
    "Dora is calm. Evan is cold. All calm, tall people are wise. If someone is tall then they are"
    " calm. Conclusion: "
)


async def _passes(conclusion: str, reply: str, answer: str) -> bool:
    domain = domains.get("logic")
    problem, said = domain.parse(FACTS + conclusion), domain.answer(f"{reply}\n\nAnswer: {answer}")
    assert said
    return (await domain.verify_answer(problem, said)).ok is True


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("-Cold(Evan)", "holds: ¬Cold(Evan)"),
        ("So -Cold(Evan) holds.", "holds: ¬Cold(Evan)"),
        ("- Cold(Evan)", "holds: Cold(Evan)"),
        ("all x. (Tall(x) -> -Cold(x))", "holds: ∀x (Tall(x) → ¬Cold(x))"),
        ("exists x. (Tall(x) & -Cold(x))", "holds: ∃x (Tall(x) & ¬Cold(x))"),
        ("-(Tall(Evan) & Cold(Evan))", "holds: ¬(Tall(Evan) & Cold(Evan))"),
    ],
)
def test_a_minus_in_front_of_a_formula_is_a_not(text: str, told: str) -> None:
    assert formulas.told(text) == [told]


@pytest.mark.parametrize(
    ("reply", "passes"),
    [
        ("TEXT: Evan is cold.\nFOL: Cold(Evan)\nTEXT: Evan is not cold.\nFOL: -Cold(Evan)", True),
        ("FOL: Cold(Evan)\nFOL: -Calm(Dora)", False),
        ("So -Cold(Evan) holds.", False),
        ("So Cold(Evan) holds.", True),
        ("all x. (Tall(x) -> -Calm(x))", False),
        ("all x. (Tall(x) -> Calm(x))", True),
        ('The statement "Evan is cold" contradicts the given premises.', False),
    ],
)
async def test_what_is_translated_is_a_premise_or_the_conclusion(reply: str, passes: bool) -> None:
    assert await _passes("Evan is not cold.", reply, "False") is passes


@pytest.mark.parametrize(
    ("reply", "passes"),
    [
        ("We cannot determine if Dora is wise or not based on the given premises.", True),
        ("We cannot determine if Dora is calm or not based on the given premises.", False),
        ("None of the premises provide any information about whether Dora is wise.", True),
        ("None of the premises provide any information about whether Dora is calm.", False),
        ("However, we don't have a premise that states that Dora is tall.", True),
        ("However, we don't have a premise that states that Dora is calm.", False),
        ("There are no premises stating that Dora is tall.", True),
        ("There are no premises stating that Dora is calm.", False),
    ],
)
async def test_what_no_premise_says(reply: str, passes: bool) -> None:
    assert await _passes("Dora is wise.", reply, "Uncertain") is passes
