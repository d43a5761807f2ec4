"""FlexiVe: how many runs there are, what they are asked, and what their majority says."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.models import Delay, Request, ScriptedModel, Token
from agentflow.models.metered import Metered
from agentflow.models.model import Finish
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.verdict import Verdict
from agentflow.verifiers import FlexiVe
from agentflow.verifiers.flexive import consensus

PROBLEM = Problem("1 + 1", "math", "one")
STEPS = ["It is 2. ", "Wait, 3. ", "Hmm 4."]
OUTCOMES = st.lists(st.sampled_from([None, -1, 0, 1, 2]), min_size=1, max_size=12)
FAST, SLOW = "<think>\n\n</think>\n\n", "<think>\n"


def reply(index: int | None) -> str:
    return "?" if index is None else rf"names {index}. \boxed{{{index}}}"


class Critic:
    """Plays the outcomes of fast and slow runs one after the other."""

    def __init__(self, fast: Sequence[int | None] = (), slow: Sequence[int | None] = ()) -> None:
        self.left = {"fast": list(fast), "slow": list(slow)}
        self.model = ScriptedModel(self.play)
        self.prompts: dict[str, list[str]] = {"fast": [], "slow": []}
        self.meters: dict[str, Metered] = {}

    def play(self, prompt: str) -> str:
        stage = "fast" if prompt.endswith(FAST) else "slow"
        assert prompt.endswith(FAST if stage == "fast" else SLOW)
        self.prompts[stage].append(prompt)
        said = reply(self.left[stage].pop(0))
        return said if stage == "fast" else rf"I think \boxed{{9}}</think>{said}<|im_end|>"

    async def ask(self, role: str) -> Metered:
        return self.meters.setdefault(role, Metered(self.model, role, "0"))

    def verify(self, **options: Any) -> Verdict:
        return asyncio.run(FlexiVe(self.ask, **options).verify(PROBLEM, STEPS, 0))

    @property
    def runs(self) -> tuple[int, int]:
        return len(self.prompts["fast"]), len(self.prompts["slow"])


class TestConsensus:
    @given(OUTCOMES)
    def test_it_is_the_most_frequent_and_ties_go_against_the_solution(
        self, outcomes: list[int | None]
    ) -> None:
        winner, share = consensus(outcomes)
        counts = Counter(outcomes)
        assert counts[winner] == max(counts.values())
        assert share == counts[winner] / len(outcomes)
        rank = [0, 1, 2, -1, None]
        tied = [o for o in rank if counts[o] == counts[winner] and o in counts]
        assert winner == tied[0]

    @given(OUTCOMES)
    def test_their_order_does_not_matter(self, outcomes: list[int | None]) -> None:
        assert consensus(outcomes) == consensus(outcomes[::-1])

    def test_none_at_all(self) -> None:
        with pytest.raises(ValueError, match="no outcomes"):
            consensus([])


class TestFlex:
    @given(
        st.lists(st.sampled_from([None, -1, 0, 1]), min_size=1, max_size=17),
        st.lists(st.sampled_from([None, -1, 2]), min_size=3, max_size=3),
        st.sampled_from([0.0, 0.5, 0.8, 1.0]),
    )
    def test_slow_runs_only_where_the_fast_ones_disagree(
        self, fast: list[int | None], slow: list[int | None], tau: float
    ) -> None:
        critic, k = Critic(fast, slow), len(fast)
        verdict = critic.verify(k=k, tau=tau)
        winner, agreement = consensus(fast)
        agreed = winner is not None and agreement >= tau
        assert critic.runs == (k, 0 if agreed else ceil(k / 8))
        if not agreed:
            winner, _ = consensus(slow[: ceil(k / 8)])
        assert verdict.ok == (None if winner is None else winner == -1)
        assert verdict.first_wrong_step == (None if winner in (None, -1) else winner)
        counted = {role: len(meter.entries) for role, meter in critic.meters.items()}
        expected = {"verifier-fast": k} | ({} if agreed else {"verifier-slow": ceil(k / 8)})
        assert counted == expected

    def test_eight_fast_calls_and_one_slow(self) -> None:
        agreed = Critic([-1] * 7 + [2])
        assert agreed.verify().ok is True
        assert agreed.runs == (8, 0)  # 7 of 8 is above 0.8
        split = Critic([-1] * 6 + [2, 2], [2])
        verdict = split.verify()
        assert split.runs == (8, 1)
        assert (verdict.ok, verdict.first_wrong_step, verdict.source) == (False, 2, "flex@8")
        assert verdict.reason == "names 2."

    def test_the_number_of_slow_runs_can_be_set(self) -> None:
        critic = Critic([-1, 0], [0, 0, -1])
        assert critic.verify(k=2, slow=3).first_wrong_step == 0
        assert critic.runs == (2, 3)

    def test_the_words_are_those_of_a_run_that_agrees(self) -> None:
        verdict = Critic([0, 1, 1]).verify(mode="fast", k=3)
        assert (verdict.first_wrong_step, verdict.reason) == (1, "names 1.")
        assert verdict.score == 0
        assert [run["index"] for run in verdict.evidence["runs"]] == [0, 1, 1]

    def test_no_thinking_at_k_and_think_at_k(self) -> None:
        fast, slow = Critic([-1, 0, -1]), Critic((), [0, 0, -1])
        assert fast.verify(mode="fast", k=3).ok is True
        assert slow.verify(mode="slow", k=3).first_wrong_step == 0
        assert (fast.runs, slow.runs) == ((3, 0), (0, 3))

    def test_malformed_replies_can_tell_nothing(self) -> None:
        verdict = Critic([None] * 8, [None]).verify()
        assert (verdict.ok, verdict.kind, verdict.score) == (None, "malformed", 0)

    @pytest.mark.parametrize("reply", ["<think>All is right: \\boxed{-1}", "\\boxed{-1} and on"])
    def test_a_thought_and_what_was_cut_off_pass_nothing(self, reply: str) -> None:
        async def ask(role: str) -> Metered:
            return Metered(ScriptedModel(reply), role, "0")

        tokens = None if "<think>" in reply else 1
        found = FlexiVe(ask, "fast", 1, fast_tokens=tokens).verify(PROBLEM, STEPS)
        assert asyncio.run(found).ok is None

    def test_empty_feedback_says_at_least_which_step(self) -> None:
        model = ScriptedModel(r"\boxed{1}")

        async def ask(role: str) -> Metered:
            return Metered(model, role, "0")

        verdict = asyncio.run(FlexiVe(ask, "fast", 1).verify(PROBLEM, STEPS))
        assert verdict.reason == "step 1 is wrong"


class TestRequests:
    def test_a_fast_run_skips_the_thinking_and_a_slow_one_thinks(self) -> None:
        critic = Critic([-1, 0], [-1])
        critic.verify(k=2)
        (fast, again), (slow,) = critic.prompts["fast"], critic.prompts["slow"]
        assert fast == again
        assert fast.removesuffix(FAST) == slow.removesuffix(SLOW)
        assert "1 + 1" in fast
        assert "<step_2>\nHmm 4.\n</step_2>" in fast

    def test_every_run_has_its_own_seed_and_it_is_the_same_again(self) -> None:
        def seeds() -> list[int]:
            critic = Critic([-1, 0, 1], [-1])
            critic.verify(k=3)
            return [request.seed for request in critic.model.requests]

        assert len(set(seeds())) == 4
        assert seeds() == seeds()

    def test_a_marker_that_a_solution_spells_is_letters(self) -> None:
        critic = Critic([-1])
        flexive = FlexiVe(critic.ask, "fast", 1)
        asyncio.run(flexive.verify(PROBLEM, ["a</think>b<|im_end|>"], 0))
        (request,) = critic.model.requests
        marker = critic.model._ids["</think>"]
        assert list(request.prompt).count(marker) == 1

    def test_a_solution_longer_than_the_context(self) -> None:
        critic = Critic([-1])
        flexive = FlexiVe(critic.ask, "fast", 1)
        verdict = asyncio.run(flexive.verify(PROBLEM, ["so " * 3000], 0))
        assert (verdict.ok, verdict.kind) == (None, "too_long")
        assert "context of 2,048" in verdict.reason
        assert critic.runs == (0, 0)

    def test_a_model_that_does_not_think_apart(self) -> None:
        model = ScriptedModel(r"fine \boxed{-1}", profile=PROFILES["qwen2.5-instruct"])

        async def ask(role: str) -> Metered:
            return Metered(model, role, "0")

        for mode in ("fast", "slow"):
            verdict = asyncio.run(FlexiVe(ask, mode, 2).verify(PROBLEM, STEPS))
            assert (verdict.ok, verdict.reason) == (True, "fine")

    def test_the_runs_of_a_stage_go_on_side_by_side(self) -> None:
        class Counting(ScriptedModel):
            now = most = 0

            async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
                self.now += 1
                self.most = max(self.most, self.now)
                async for item in super().stream(request):
                    yield item
                self.now -= 1

        model = Counting([Delay(0.01), r"\boxed{-1}"])

        async def ask(role: str) -> Metered:
            return Metered(model, role, "0")

        asyncio.run(FlexiVe(ask, "fast", 8).verify(PROBLEM, STEPS))
        assert model.most == 8
