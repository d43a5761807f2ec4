"""What a reply says of the premises, the rules and the facts themselves, beside its answer."""

from __future__ import annotations

import pytest
from replies import verdict

from agentflow import domains

LOGIC = "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."


@pytest.mark.parametrize(
    "told",
    [
        "Let's go through the premises step by step.",
        "From the premises, we derive that Alex is happy.",
        "We apply the rules given.",
        "Alex is kind, so the rule applies.",
        "By premises 1 and 2, Alex is happy.",
        "It is not the case that Alex is not happy.",
    ],
)
def test_what_claims_nothing_or_follows_goes_with_an_answer(told: str) -> None:
    assert verdict("logic", LOGIC, f"{told}\n\nAnswer: True") is True


@pytest.mark.parametrize(
    "told",
    [
        "All of the premises are about Alex.",
        "Half of the rules here are superfluous.",
        "The second premise is a mere decoration.",
        "From the premises we derive that Alex is not happy.",
        "By the rules, we find that Alex is not kind.",
        "By premise 3, Alex is happy.",  # of two
        "Premise 9 says that Alex is happy.",
        "It is by no means the case that Alex is happy.",
        "Not everyone who is kind is happy.",
        "So the conclusion is the opposite of what follows.",
        "The negation of the conclusion follows.",
        "Alex being kind means that Alex is not happy.",
        'A fact that we use is $\\neg$("Alex is kind").',
    ],
)
def test_what_is_false_or_not_understood_leaves_it_undecided(told: str) -> None:
    assert verdict("logic", LOGIC, f"{told}\n\nAnswer: True") is None


CITED = (
    "Alex is kind. Everyone who is kind is happy. No one who is happy is rude. "
    "Conclusion: Alex is rude."
)


@pytest.mark.parametrize(
    ("told", "ok"),
    [
        ("Premise 1 says that Alex is kind. So the conclusion is false.", True),
        ("No one who is happy is rude, by premise 3. So the conclusion is false.", True),
        ("By premises 1 and 2, Alex is happy. So the conclusion is false.", True),
        ("By premise 2, Alex is happy. So the conclusion is false.", True),
        ("Premise 3 says that Nora is brave. So the conclusion is false.", None),
        ("Premise 2 says that Alex is kind. So the conclusion is false.", None),
        ("Premise 7 says that Alex is kind. So the conclusion is false.", None),
        ("No one who is rude is kind, by premise 2. So the conclusion is false.", None),
        ("By premise 3, Alex is kind. So the conclusion is false.", None),
        ("Alex is kind (premise 3). So the conclusion is false.", None),
    ],
)
def test_what_a_cited_premise_does_not_say_is_undecided(told: str, ok: bool | None) -> None:
    assert verdict("logic", CITED, told) is ok


IN_PART = (
    "Anne is quiet. All quiet people are kind. All round people are not smart. "
    "Question: Based on the above information, is the following statement true, false, or "
    "unknown? Anne is kind."
)


@pytest.mark.parametrize(
    ("told", "same"),
    [
        ("Anne is quiet, so Anne is kind. The statement is **true**.", True),
        ("Anne is not kind. The statement is **true**.", None),
        ("Anne isn't kind. The statement is **true**.", None),
        ("Anne is not quiet. The statement is **true**.", None),
        ("No quiet people are kind. The statement is **true**.", None),
    ],
)
async def test_a_problem_understood_in_part_denies_what_its_premises_rule_out(
    told: str, same: bool | None
) -> None:
    domain = domains.get("logic")
    problem = domain.parse(IN_PART)
    assert problem.data["claim"] is None
    assert await domain.equal(problem, domain.answer(told) or "", "True") is same
