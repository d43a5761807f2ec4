"""The rule scorer: what the domain's step verifier says, as scores."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains import Game24
from agentflow.problem import Problem
from agentflow.scorers import RuleScorer
from agentflow.search import Path
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers import DomainVerifier

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
RIGHT = ("8 / 8 = 1 (left: 1 4 7)\n", "7 - 1 = 6 (left: 4 6)\n", "4 * 6 = 24 (left: 24)\n")
WRONG = "8 - 7 = 2 (left: 2 4 8)\n"
HOPELESS = "8 + 8 = 16 (left: 4 7 16)\n"
STEPS = st.lists(st.sampled_from([*RIGHT, WRONG, HOPELESS, "so\n", "4 + 7 = 11 (left: 11)\n"]))


def scores(*steps: str, **options: Any) -> tuple[float, ...]:
    (path,) = asyncio.run(RuleScorer(GAME, **options).score(PROBLEM, [Path(steps)]))
    assert path.steps == steps
    return path.scores


class Counting(Game24):
    """Counts what is judged, and can be made unable to tell."""

    judged = 0
    tells = True

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        self.judged += 1
        verdict = await super().verify_state(problem, state, earlier, hopeless=hopeless)
        return verdict if self.tells else Verdict(None)


def test_right_wrong_and_nothing_to_judge() -> None:
    assert scores(RIGHT[0], WRONG, "let me see\n", *RIGHT[1:]) == (1.0, 0.0, 0.5, 1.0, 1.0)


def test_a_step_builds_on_the_right_ones_before_it() -> None:
    assert scores(RIGHT[0], RIGHT[1]) == (1.0, 1.0)
    assert scores(RIGHT[1]) == (0.0,)
    assert scores(WRONG, "2 * 4 = 8 (left: 8 8)\n") == (0.0, 0.0)


def test_one_wrong_state_makes_the_step_wrong() -> None:
    assert scores(RIGHT[0] + WRONG + "hm\n") == (0.0,)
    assert scores("".join(RIGHT)) == (1.0,)


def test_the_answer_is_judged_as_an_answer() -> None:
    assert scores("</think>\nAnswer: (7 - 8 / 8) * 4 = 24") == (1.0,)
    assert scores("</think>\nAnswer: (7 - 8 / 8) * 5 = 24") == (0.0,)
    assert scores("</think>\nI do not know") == (0.5,)


def test_hopeless_steps_are_right_unless_it_is_asked_for() -> None:
    assert scores(HOPELESS) == (1.0,)
    assert scores(HOPELESS, hopeless=True) == (0.0,)


def test_the_score_of_what_cannot_be_read_is_a_setting() -> None:
    assert scores("let me see\n", RIGHT[0], unread=1.0) == (1.0, 1.0)


def test_a_domain_that_cannot_tell_is_no_pass() -> None:
    domain = Counting()
    domain.tells = False
    (path,) = asyncio.run(RuleScorer(domain, unread=1.0).score(PROBLEM, [Path((RIGHT[0],))]))
    assert path.scores == (0.5,)


def test_a_prefix_is_judged_once_and_scores_that_are_there_are_kept() -> None:
    domain = Counting()
    scorer = RuleScorer(domain)

    def score(*paths: Path) -> list[Path]:
        return asyncio.run(scorer.score(PROBLEM, paths))

    score(Path(RIGHT[:2]))
    assert domain.judged == 2
    first, second = score(Path(RIGHT), Path((*RIGHT[:2], WRONG)))
    assert domain.judged == 4
    assert (first.scores, second.scores) == ((1, 1, 1), (1, 1, 0))
    (kept,) = score(Path(RIGHT, (0.25, 0.75)))
    assert kept.scores == (0.25, 0.75, 1.0)
    other = GAME.parse("1 1 1 13")
    (elsewhere,) = asyncio.run(scorer.score(other, [Path(RIGHT[:1])]))
    assert elsewhere.scores == (0.0,)  # another problem's prefix is another


@given(STEPS)
def test_it_agrees_with_the_verifier_of_solutions_and_step_by_step(steps: list[str]) -> None:
    found = scores(*steps)
    verdict = asyncio.run(DomainVerifier(GAME).verify(PROBLEM, steps))
    assert (0.0 in found) == (verdict.ok is False)
    if verdict.ok is False:
        assert found.index(0.0) == verdict.first_wrong_step
    grown, scorer = Path(), RuleScorer(GAME)
    for count in range(1, len(steps) + 1):
        longer = Path(tuple(steps[:count]), grown.scores)
        (grown,) = asyncio.run(scorer.score(PROBLEM, [longer]))
    assert grown.scores == found
