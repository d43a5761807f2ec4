"""FlexiVe: many fast readings of a whole solution, a few slow ones where they disagree."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, Literal

from agentflow import prompts
from agentflow.models.metered import Ask
from agentflow.models.model import Request, prompt_of, sample, segment
from agentflow.problem import Problem
from agentflow.profile import Piece, Profile, Sampling
from agentflow.settings import request_seed
from agentflow.trace import Trace
from agentflow.verdict import Verdict
from agentflow.verifiers.critique import Critique, parse
from agentflow.verifiers.steps import numbered

Mode = Literal["flex", "fast", "slow"]
"""``flex`` is the paper's Flex@k, ``fast`` its NoThinking@k, ``slow`` its Think@k."""

Stage = Literal["fast", "slow"]


@dataclass(frozen=True, slots=True)
class FlexiVe:
    """The generative verifier of Solve-Detect-Verify, section 3.2.

    A fast run has its thinking skipped by a block that is closed already and holds a placeholder
    (figure 3: NoThinking), a slow one thinks. All
    runs of a stage are asked at once and share the prompt through the engine's prefix cache.

    Attributes:
        ask: Finds the model, counted under ``verifier-fast`` or ``verifier-slow``.
        mode: What is run.
        k: Runs of the first stage.
        tau: Agreement at which the fast runs are enough.
        slow: Slow runs where they are not; None for ``max(1, ceil(k / 8))``.
        seed: Seed of the run.
        sampling: None for the model's profile's.
        fast_tokens, slow_tokens: Most tokens of a reply; None for the profile's.
    """

    ask: Ask
    mode: Mode = "flex"
    k: int = 8
    tau: float = 0.8
    slow: int | None = None
    seed: int = 0
    sampling: Sampling | None = None
    fast_tokens: int | None = 1024
    slow_tokens: int | None = None

    @property
    def name(self) -> str:
        return f"{self.mode}@{self.k}"

    @property
    def slow_runs(self) -> int:
        """Slow runs behind fast ones that disagree."""
        return slow_runs(self.k) if self.slow is None else self.slow

    async def verify(self, problem: Problem, steps: Sequence[str], *place: str | int) -> Verdict:
        """Judge a solution, as :class:`~agentflow.verifiers.SolutionVerifier` says."""
        if self.mode == "slow":
            return await self.stage("slow", self.k, problem, steps, *place)
        fast = await self.stage("fast", self.k, problem, steps, *place)
        if self.mode == "fast" or agreed(fast.ok, fast.evidence, self.tau):
            return fast
        return await self.stage("slow", self.slow_runs, problem, steps, *place)

    async def stage(
        self, stage: Stage, runs: int, problem: Problem, steps: Sequence[str], *place: str | int
    ) -> Verdict:
        """Run one stage and take its majority.

        Raises:
            ModelUnavailable, StreamBroken: If the verifier's model does not answer.
        """
        model = await self.ask(f"verifier-{stage}")
        profile = model.profile
        stated = await prompts.statement(problem, profile)
        pieces = await asyncio.to_thread(question, profile, stage, stated, steps)
        prompt = prompt_of(model, Trace([(await segment(model, "prompt", pieces)).operation()]))
        wanted = (self.slow_tokens if stage == "slow" else self.fast_tokens) or profile.max_tokens
        length = len(prompt) if isinstance(prompt, tuple) else 0
        room = min(wanted, profile.context - length)
        if room <= 0:
            reason = f"the solution is longer than the verifier's context of {profile.context:,}"
            return Verdict(None, reason, "too_long", source=self.name, evidence=_evidence(stage))
        seed = request_seed(self.seed, problem.id, f"verifier-{stage}", *place)
        request = Request(prompt, room, self.sampling or profile.sampling, seed)
        replies = await sample(model, request, runs)
        critiques = list[Critique]()
        for reply in replies:
            text = reply.text.removesuffix(profile.stops[0])
            said = profile.said(text, opened=stage == "slow")  # some think though they are not to
            critiques.append(parse(said, len(steps), whole=reply.finish.reason == "stop"))
        return self._majority(stage, critiques)

    def _majority(self, stage: Stage, critiques: Sequence[Critique]) -> Verdict:
        """The outcome named most often, with the words of the first run that named it."""
        index, agreement = consensus([one.index for one in critiques])
        words = next((c.feedback for c in critiques if c.index == index and c.feedback), "")
        passed = sum(one.index == -1 for one in critiques) / len(critiques)
        evidence = _evidence(stage, agreement, critiques)
        if index is None:
            reason = "no reply named a step"
            return Verdict(None, reason, "malformed", passed, None, self.name, evidence)
        if index == -1:
            return Verdict(True, words, "", passed, None, self.name, evidence)
        reason = words or f"step {index} is wrong"
        return Verdict(False, reason, "wrong_step", passed, index, self.name, evidence)


def question(profile: Profile, stage: Stage, stated: str, steps: Sequence[str]) -> list[Piece]:
    """The prompt of a run: a slow one begins to think, a fast one has thought already.

    Args:
        stated: The problem, as :func:`agentflow.prompts.stated` has it.
    """
    fields = {"stated": stated, "steps": numbered(steps), "last": len(steps) - 1}
    system, user = prompts.render("flexive", "verify", profile.name, fields)  # it reads files
    if stage == "slow":
        return profile.render(user, system, thinking="open")
    return profile.thought_already.render(user, system, thinking="none")


def slow_runs(k: int) -> int:
    """Slow runs behind ``k`` fast ones that disagree (Solve-Detect-Verify, section 3.2)."""
    return max(1, ceil(k / 8))


def agreed(ok: bool | None, evidence: Mapping[str, Any], tau: float) -> bool:
    """Whether the verdict of fast runs is enough (Solve-Detect-Verify, equation 4)."""
    return ok is not None and evidence["agreement"] >= tau


def consensus(outcomes: Sequence[int | None]) -> tuple[int | None, float]:
    """The outcome named most often and its share (Solve-Detect-Verify, equation 3).

    A malformed reply (None) is an outcome of its own. The text leaves ties open: here they go
    against the solution, to the earliest step named; only then to -1, and to None last.

    Raises:
        ValueError: If there are none.
    """
    if not outcomes:
        raise ValueError("no outcomes to count")
    counts = Counter(outcomes)
    most = max(counts.values())
    tied = [outcome for outcome, count in counts.items() if count == most]
    steps = [outcome for outcome in tied if outcome is not None and outcome >= 0]
    winner = min(steps) if steps else -1 if -1 in tied else None
    return winner, most / len(outcomes)


def _evidence(
    stage: Stage, agreement: float = 0.0, critiques: Sequence[Critique] = ()
) -> dict[str, Any]:
    return {
        "stage": stage,
        "agreement": agreement,
        "runs": [asdict(critique) for critique in critiques],
    }
