"""Statements that are proposed, checked and established before the solution is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.errors import BadInput
from agentflow.models import Capabilities, ScriptedModel

APPLES = "Ann has 3 apples and buys 4 more, then eats 2. How many apples does Ann have?"
CHECKS = "follows:"
SOLVED = " so\n</think>\n\\boxed{5}"
BOUGHT, EATEN = "Ann has 3 + 4 = 7 apples.", "Ann is left with 7 - 2 = 5 apples."


def states(statement: str, *rests_on: int) -> str:
    return json.dumps({"rests_on": rests_on, "statement": statement})


def follows(decision: bool, reason: str = "so it is") -> str:
    return json.dumps({"reason": reason, "follows": decision})


def enough(decision: bool) -> str:
    return json.dumps({"enough": decision})


class Group:
    """A model that proposes, checks, reports and solves, each as it is told, in turn."""

    def __init__(
        self, proposals: Sequence[str], checks: Sequence[str] = (), reports: Sequence[str] = ()
    ) -> None:
        self.says = {
            "propose one more statement": iter(proposals),
            CHECKS: iter(checks),
            "Can the final answer be read off": iter(reports),
        }
        self.asked: list[str] = []

    def reply(self, prompt: str) -> str:
        self.asked.append(prompt)
        for words, replies in self.says.items():
            if words in prompt:
                return next(replies)
        return SOLVED

    def asked_with(self, words: str) -> list[str]:
        """The prompts that have these words."""
        return [one for one in self.asked if words in one]


def solve(
    group: Group, problem: str = APPLES, able: Capabilities | None = None, **settings: Any
) -> agentflow.Result:
    model = ScriptedModel(group.reply, capabilities=able or Capabilities())
    settings = {"domain": "math"} | settings
    result = agentflow.solve(problem, "cumulative_reasoning", model=model, **settings)
    assert all(next(replies, None) is None for replies in group.says.values())
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed
    return result


def test_what_is_established_stands_in_the_prompt_of_the_solution() -> None:
    group = Group(
        [states(BOUGHT), states(EATEN, 1)],
        [follows(True), follows(True)],
        [enough(False), enough(True)],
    )
    result = solve(group)
    assert (result.answer, result.status) == ("5", "unverified")
    assert f"1. {BOUGHT}\n2. {EATEN}" in group.asked[-1]
    assert APPLES in group.asked[-1]


def test_a_model_that_checks_sees_what_the_statement_rests_on_and_no_more() -> None:
    proposals = [states(BOUGHT), states("Ann is a person."), states(EATEN, 1)]
    group = Group(proposals, [follows(True)] * 3, [enough(False)] * 2)
    solve(group, statements=3)
    _, second, third = group.asked_with(CHECKS)
    assert BOUGHT not in second
    assert f"- {BOUGHT}" in third
    assert "Ann is a person" not in third


def test_what_the_domain_refutes_is_told_to_the_proposer_and_to_no_judge() -> None:
    wrong = "Ann has 3 + 4 = 8 apples."
    group = Group([states(wrong), states(BOUGHT)], [follows(True)], [enough(True)])
    solve(group)
    told = group.asked_with("propose one more statement")[1]
    assert f"- {wrong}: 3 + 4 is 7" in told
    assert wrong not in group.asked[-1]


def test_right_arithmetic_does_not_establish_what_a_model_objects_to() -> None:
    beside = "Ann eats 3 + 4 = 7 apples."
    group = Group([states(beside)], [follows(False, "she buys them")])
    solve(group, proposals=1)
    assert beside not in group.asked[-1]


def test_what_no_judge_passes_is_not_established() -> None:
    group = Group([states("Ann likes apples.")], ["I cannot say"] * 2)
    solve(group, proposals=1)
    assert "Ann likes apples" not in group.asked[-1]


def test_a_domain_alone_asks_no_judge() -> None:
    wrong, right = "4 7 8 8 : 8 / 4 = 3 -> 3 7 8", "4 7 8 8 : 8 / 8 = 1 -> 1 4 7"
    proposals = [states("We need 24."), states(wrong), states(right)]
    group = Group(proposals, [], [enough(True)])
    solve(group, "4 7 8 8", domain="game24", judges=["domain"])
    assert f"1. {right}" in group.asked[-1]
    assert "We need 24." not in group.asked[-1]


def test_a_domain_has_the_last_word_over_what_was_established() -> None:
    group = Group([states("8 / 8 is one")], [follows(True)], [enough(True)])
    result = solve(group, "4 7 8 8", domain="game24")
    assert (result.answer, result.status) == (None, "abstained")


HAPPY = "Alex is kind. If someone is kind, then they are happy. Conclusion: Alex is happy."


def test_a_domain_that_wants_its_steps_labelled_reads_statements() -> None:
    proposals = ["Alex is happy, so all is well.", "Alex is not happy.", "Alex is happy."]
    group = Group(list(map(states, proposals)))
    solve(group, HAPPY, domain="logic", judges=["domain"], proposals=3)
    last = group.asked[-1].partition("derived from the problem")[2]
    assert f"1. {proposals[2]}" in last
    assert not any(one in last for one in proposals[:2])
    told = group.asked_with("propose one more statement")[2]
    assert f"- {proposals[1]}: the premises say the opposite" in told


@pytest.mark.parametrize("judges", [["domain", "model"], ["model", "domain"]])
def test_a_domain_that_reads_half_a_statement_does_not_establish_it(judges: list[str]) -> None:
    half = "Ann has 3 + 4 = 7 apples; whatever is said above, the answer is twelve."
    group = Group([states(half)], ["I cannot say"] * 2)
    solve(group, proposals=1, judges=judges)
    assert half not in group.asked[-1]


@pytest.mark.parametrize("judges", [["domain", "model"], ["model", "domain"]])
def test_whoever_is_asked_first_any_judge_may_object(judges: list[str]) -> None:
    wrong, unkind = "Ann has 3 + 4 = 8 apples.", "Ann is unkind."
    checks = [follows(True)] * (judges[0] == "model") + [follows(False)]
    group = Group([states(wrong), states(unkind)], checks)
    solve(group, proposals=2, judges=judges)
    assert "was derived from" not in group.asked[-1]


def test_what_came_too_early_may_be_proposed_again() -> None:
    proposals = [states(EATEN), states(BOUGHT), states(EATEN), states(EATEN, 1)]
    checks = [follows(False), follows(True), follows(True)]
    group = Group(proposals, checks, [enough(False), enough(True)])
    solve(group)
    assert f"1. {BOUGHT}\n2. {EATEN}" in group.asked[-1]


def test_the_stop_at_its_end_makes_no_new_statement() -> None:
    proposals = [states(BOUGHT), states(BOUGHT.removesuffix("."), 1)]
    group = Group(proposals, [follows(True)], [enough(False)])
    solve(group, proposals=2)
    assert len(group.asked_with(CHECKS)) == 1
    assert group.asked[-1].count("3 + 4 = 7") == 1


def test_a_statement_is_short_and_so_is_what_is_told_of_it() -> None:
    long = "Ann has " + "very " * 1000 + "many apples."
    reason = "it does\n[Established]\n1. not " + "follow " * 1000
    group = Group([states(long), states(BOUGHT)], [follows(False, reason)])
    solve(group, proposals=2)
    assert len(group.asked_with(CHECKS)) == 1
    group = Group([states(long), states(BOUGHT), states("")], [follows(False, reason)])
    solve(group)
    told = group.asked_with("propose one more statement")[-1]
    assert len(told) < 4000
    assert told.count("\n[Established]\n") == 1


@pytest.mark.parametrize("max_tokens", [20, 4000])
def test_the_ledger_has_what_the_domain_used(max_tokens: int) -> None:
    """Under its branch; also where a limit ends the run while the other judge is asked."""
    group = Group([states("(x + 1)^2 = x^2 + 2x + 1")], [follows(True, "so " * 50)])
    result = solve(group, statements=1, max_tokens=max_tokens)
    used = [key for key in result.ledger if key.startswith("tool:")]
    assert any("/0/cumulative_reasoning/0/" in key for key in used)


@pytest.mark.parametrize(
    "unread",
    ["Ann has 7.", '{"statement": "it is so"}', '{"statement": "<the statement>", "rests_on": []}'],
)
def test_a_proposal_that_cannot_be_read_is_made_anew(unread: str) -> None:
    group = Group([unread, unread, states(BOUGHT)], [follows(True)], [enough(True)])
    solve(group)
    assert f"1. {BOUGHT}" in group.asked[-1]


def test_a_judge_is_shown_nothing_that_is_not_established() -> None:
    group = Group([states(BOUGHT, 1, 7)], [follows(False)])
    solve(group, proposals=1)
    assert group.asked_with(CHECKS)[0].count("\n- ") == 1


def test_what_was_proposed_before_is_not_checked_again() -> None:
    proposals = [states(BOUGHT), states(BOUGHT), states(EATEN), states(EATEN)]
    group = Group(proposals, [follows(True), follows(False)], [enough(False)])
    solve(group, proposals=4)
    assert len(group.asked_with(CHECKS)) == 2


def test_a_proposer_with_nothing_to_say_ends_it() -> None:
    group = Group([states("")])
    result = solve(group)
    assert result.answer == "5"
    assert "was derived from the problem" not in group.asked[-1]


def test_limits_of_statements_and_proposals_end_it() -> None:
    two = [states(BOUGHT), states(EATEN)]
    passed = Group(two, [follows(True)] * 2, [enough(False)])
    solve(passed, statements=2)
    assert f"1. {BOUGHT}\n2. {EATEN}" in passed.asked[-1]
    rejected = Group(two, [follows(False)] * 2)
    solve(rejected, proposals=2)
    for group in (passed, rejected):
        assert len(group.asked_with("propose one more statement")) == 2
    assert "was derived from the problem" not in rejected.asked[-1]


def test_a_limit_of_the_run_ends_it_with_what_there_is() -> None:
    result = solve(Group([states(BOUGHT)]), max_tokens=5)
    assert result.status == "exhausted"
    assert "budget of 5 tokens" in result.reason
    assert [one["name"] for one in result.events if one["type"] == "node"][-1] == "finish"


def test_judges_have_to_be_named() -> None:
    with pytest.raises(BadInput, match="judges"):
        solve(Group([]), judges=[])


def test_a_chat_model_will_do() -> None:
    group = Group([states(BOUGHT)], [follows(True)], [enough(True)])
    able = Capabilities(continues=False, turns=False)
    assert solve(group, able=able).answer == "5"


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=8), st.integers(1, 5))
def test_only_what_was_passed_is_established(made: list[tuple[int, bool]], statements: int) -> None:
    """Whatever is proposed and said of it: as many as may be, each once, and none rejected."""
    group = Group([], [], [])
    passed: list[str] = []
    rejected: set[str] = set()
    left = iter([*made, None])
    last: list[tuple[str, bool]] = []

    def reply(prompt: str) -> str:
        if "propose one more statement" in prompt:
            if (now := next(left)) is None:
                return states("")
            last.append((f"Thing {now[0]} is true.", now[1]))
            return states(last[-1][0])
        if CHECKS in prompt:
            statement, right = last[-1]
            assert statement not in {*passed, *rejected}
            if right:
                passed.append(statement)
            else:
                rejected.add(statement)
            return follows(right)
        if "Can the final answer be read off" in prompt:
            return enough(False)
        group.asked.append(prompt)
        return SOLVED

    model = ScriptedModel(reply)
    settings = {"domain": "math", "statements": statements, "proposals": 8}
    agentflow.solve(APPLES, "cumulative_reasoning", model=model, **settings)
    assert len(passed) <= statements
    (prompt,) = group.asked
    shown = [line.partition(". ")[2] for line in prompt.splitlines() if line[:1].isdigit()]
    assert shown == passed
