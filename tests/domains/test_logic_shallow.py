"""Formulas that are decided in this process: which they are; the verdicts are the tool's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow.domains.logic import Logic, fol
from agentflow.domains.logic.shallow import fits, is_shallow
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox, build
from agentflow.tools.z3_tool import z3_tool
from agentflow.verdict import Verdict


def by_tool_alone() -> Logic:
    ours: Any = z3_tool()

    def another(**given: Any) -> Any:
        return ours.func(**given)

    return Logic(Toolbox({"z3": ours.model_copy(update={"func": another})}))


AT_ONCE, BY_TOOL = Logic(Toolbox(build(Logic.tools))), by_tool_alone()


@pytest.mark.parametrize(
    ("formula", "shallow"),
    [
        ("Kind(alex)", True),
        ("¬(Kind(alex) ∧ Tall(alex))", True),
        ("∀x (Kind(x) → Tall(x))", True),
        ("∀x ∀y (Likes(x, y) → Likes(y, x))", True),
        ("∃x Kind(x)", True),
        ("∀x ∃y Likes(x, y)", False),
        ("¬∀x Kind(x)", False),
        ("(∃x Kind(x)) → Tall(alex)", False),
    ],
)
def test_which_are_shallow(formula: str, shallow: bool) -> None:
    assert is_shallow(fol.parse(formula)) is shallow


@pytest.mark.parametrize(
    ("formulas", "fit"),
    [
        (["Kind(alex)", "∀x (Kind(x) → Tall(x))"], True),
        (["Kind(alex)", "∀x ∃y Likes(x, y)"], False),
        (["Kind(mother(alex))"], False),
        (["Older(alex, 3)"], True),
        (["Older(alex, 3)", "Older(kim, 4)"], False),
    ],
)
def test_what_fits(formulas: list[str], fit: bool) -> None:
    parsed = list(map(fol.parse, formulas))
    assert fits(parsed, fol.signature(parsed)) is fit


ATOMS = st.sampled_from(
    ["Kind(alex)", "Tall(alex)", "Kind(kim)", "Likes(alex, kim)", "Likes(kim, alex)", "alex = kim"]
)
OPEN = st.sampled_from(["Kind(x)", "Tall(x)", "Likes(x, alex)", "Likes(x, x)", "x = kim"])


def formulas(atoms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(atoms, st.sampled_from("∧∨→⊕↔"), atoms)
    return st.one_of(atoms, atoms.map("¬{}".format), pairs.map(lambda p: f"({' '.join(p)})"))


SHALLOW = st.one_of(
    formulas(ATOMS),
    st.tuples(st.sampled_from("∀∃"), formulas(OPEN)).map(lambda q: f"{q[0]}x {q[1]}"),
)


@settings(max_examples=40)
@given(st.lists(SHALLOW, min_size=1, max_size=4), SHALLOW, SHALLOW)
def test_the_verdicts_are_the_tools(premises: list[str], asked: str, claim: str) -> None:
    problem = AT_ONCE.parse("\n".join(premises) + f"\nConclusion: {asked}")

    def judged(by: Logic) -> list[Verdict]:
        async def all_of_them() -> list[Verdict]:
            step = State("step", {"claim": claim}, 0, 1)
            answers = [await by.verify_answer(problem, one) for one in ("True", "Uncertain")]
            return [*answers, await by.verify_state(problem, step, [])]

        return asyncio.run(all_of_them())

    for one, other in zip(judged(AT_ONCE), judged(BY_TOOL), strict=True):
        assert (one.ok, one.kind, one.reason) == (other.ok, other.kind, other.reason)


def test_another_tool_is_called_for_them_whatever_its_name() -> None:
    uses: list[str] = []
    assert BY_TOOL.toolbox.tools["z3"].name == "z3"
    domain = Logic(Toolbox(BY_TOOL.toolbox.tools, lambda use: uses.append(use.role)))
    simple = domain.parse("Alex is kind. All kind people are happy. Conclusion: Alex is happy.")
    assert asyncio.run(domain.verify_answer(simple, "True")).ok
    assert uses == ["z3"]


def test_the_tool_is_not_called_for_them_and_is_for_others() -> None:
    uses: list[str] = []
    domain = Logic(Toolbox(build(Logic.tools), lambda use: uses.append(use.role)))
    simple = domain.parse("Alex is kind. All kind people are happy. Conclusion: Alex is happy.")
    verdict = asyncio.run(domain.verify_answer(simple, "True"))
    assert (verdict.ok, verdict.evidence["premises"], uses) == (True, [1, 2], [])
    nested = domain.parse("∀x ∃y Likes(x, y)\nConclusion: ∃y Likes(alex, y)")
    assert asyncio.run(domain.verify_answer(nested, "True")).ok
    assert uses == ["z3"]
