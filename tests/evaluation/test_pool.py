"""Votes drawn from a pool are what FlexiVe would have said of the same replies."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadInput
from agentflow.evaluation.pool import markdown, simulate, votes
from agentflow.evaluation.records import Arm
from agentflow.evaluation.solutions import Solution
from agentflow.evaluation.verdicts import Ask, Judgement, predicted, run
from agentflow.models import ScriptedModel
from agentflow.models.metered import Metered
from agentflow.problem import Problem
from agentflow.verifiers import FlexiVe
from agentflow.verifiers.flexive import Mode, slow_runs

OUTCOME = st.sampled_from([None, -1, 0, 1])
PROMPT = 100


def pooled(fast: list[int | None], slow: list[int | None], label: int = 0) -> Judgement:
    evidence = {
        stage: {
            "outcomes": outcomes,
            "generated": [10 + n for n in range(len(outcomes))],
            "prompt": PROMPT,
        }
        for stage, outcomes in (("fast", fast), ("slow", slow))
    }
    return Judgement("pool", f"{label}", f"{label}", "pool", "", evidence, {}, 1.0, label=label)


def said(index: int | None) -> str:
    return "?" if index is None else rf"\boxed{{{index}}}"


def asking(model: ScriptedModel) -> Ask:
    async def ask(role: str) -> Metered:
        return Metered(model, role, "0")

    return ask


@given(
    st.lists(OUTCOME, min_size=1, max_size=9),
    st.lists(OUTCOME, min_size=2, max_size=2),
    st.sampled_from([0.0, 0.5, 0.8, 1.0]),
    st.sampled_from(["flex", "fast"]),
)
def test_a_vote_over_the_whole_pool_is_flexives(
    fast: list[int | None], slow: list[int | None], tau: float, mode: Mode
) -> None:
    k = len(fast)
    slow = slow[: slow_runs(k)]
    left = {"fast": list(fast), "slow": list(slow)}

    def script(prompt: str) -> str:
        if prompt.endswith("</think>\n\n"):
            return said(left["fast"].pop(0))
        return f"</think>{said(left['slow'].pop(0))}"

    verifier = FlexiVe(asking(ScriptedModel(script)), mode, k, tau)
    verdict = asyncio.run(verifier.verify(Problem("p", "", "p"), ["x", "y"]))
    index = predicted(verdict)
    for label in (-1, 0, 1):
        other = 0 if label == -1 else -1  # a second solution, so that there are both kinds
        pool = [pooled(fast, slow, label), pooled(fast, slow, other)]
        voted = simulate(pool, mode, k, tau, draws=3)
        hit = voted.right if label == -1 else voted.wrong
        assert hit == (index == label)
        assert voted.prompt == PROMPT * (k + (len(slow) if not left["slow"] else 0))
        assert voted.escalated == (None if mode == "fast" else float(not left["slow"]))


def test_votes_over_some_of_the_pool_vary() -> None:
    pool = [pooled([0, 0, 0, -1] * 16, [0], 0), pooled([-1, -1, -1, None] * 16, [-1], -1)] * 20
    one, most = simulate(pool, "fast", 1), simulate(pool, "fast", 33)
    assert 0.6 < one.wrong < 0.9
    assert one.f1.low < one.f1.value < one.f1.high
    assert most.wrong == most.right == most.f1.low == most.f1.high == 1.0
    assert one == simulate(pool, "fast", 1)
    assert one != simulate(pool, "fast", 1, seed=1)
    assert 9 <= one.generated / 4 <= 20


def test_a_stricter_threshold_escalates_more() -> None:
    pool = [pooled([0, 0, 0, -1] * 16, [0] * 8, 0), pooled([-1, -1, -1, 0] * 16, [-1] * 8, -1)]
    shares = [simulate(pool, "flex", 8, tau).escalated for tau in (0.0, 0.8, 1.0)]
    assert shares[0] == 0.0
    assert shares[0] < shares[1] < shares[2]  # type: ignore[operator]
    assert (
        simulate(pool, "flex", 8, 1.0).prompt > simulate(pool, "flex", 8, 0.0).prompt == 8 * PROMPT
    )


def test_what_a_pool_cannot_tell() -> None:
    both = [pooled([0, 0], [0], 0), pooled([-1, -1], [-1], -1)]
    with pytest.raises(BadInput, match="a vote over 3 fast replies, of 2 gathered"):
        simulate(both, "fast", 3)
    with pytest.raises(BadInput, match="solutions with and without a wrong step"):
        simulate(both[:1], "fast", 1)
    empty = pooled([], [], 0)  # beyond the model's context
    voted = simulate([empty, both[1]], "flex", 2)
    assert (voted.wrong, voted.right, voted.prompt) == (0.0, 1.0, PROMPT)


def test_every_vote_that_there_are_replies_for() -> None:
    pool = [pooled([0] * 20, [0] * 2, 0), pooled([-1] * 20, [-1] * 2, -1)]
    table = votes(pool, 0.7)
    assert [(one.mode, one.k) for one in table] == [
        *(("fast", k) for k in (1, 2, 4, 8, 16)),
        *(("flex", k) for k in (1, 2, 4, 8, 16)),
        *(("slow", k) for k in (1, 2)),
    ]
    assert {one.tau for one in table} == {None, 0.7}
    shown = markdown(table).splitlines()
    assert shown[2].startswith("| fast@1 | | 100.0 ± 0.0 % | 100.0 % | 100.0 % | | 100 | ")
    assert len({line.count("|") for line in shown}) == 1


async def test_gathered_replies_have_their_own_lengths(tmp_path: Path) -> None:
    lengths = [3, 0, 7, 1]
    fast = iter("word " * n + rf"\boxed{{{index}}}" for index, n in enumerate(lengths))
    model = ScriptedModel(
        lambda prompt: next(fast) if prompt.endswith("</think>\n\n") else r"hm</think>\boxed{-1}"
    )
    arm = Arm("pool@4+2", "pool", {"fast": 4, "slow": 2})
    sample = Solution(Problem("p", "", "p"), ("a", "b", "c", "d"), label=2)
    (record,) = await run([arm], [sample], tmp_path / "r", model=model)
    pool = record.evidence
    assert (record.kind, record.predicted, len(model.requests)) == ("pool", None, 6)
    assert pool["fast"]["outcomes"] == [0, 1, 2, 3]
    assert pool["slow"]["outcomes"] == [-1, -1]
    least = min(pool["fast"]["generated"])
    assert [n - least for n in pool["fast"]["generated"]] == lengths
    assert pool["fast"]["prompt"] == len(model.requests[0].prompt)
    assert sum(pool["fast"]["generated"] + pool["slow"]["generated"]) == model.streamed
