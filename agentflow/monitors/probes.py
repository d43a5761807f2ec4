"""Probes: what a model would say if its thinking ended here, asked beside the running stream."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agentflow import prompts
from agentflow.domains.protocol import Domain
from agentflow.models import in_engine
from agentflow.models.metered import Ask, Metered
from agentflow.models.model import Request, complete, next_token, prompt_of, sample, segment
from agentflow.problem import Problem
from agentflow.profile import GREEDY, Piece, Profile
from agentflow.settings import request_seed
from agentflow.trace import Trace
from agentflow.verdict import Verdict

_COMPLETE = ("solve_detect_verify", "complete")
_FEW = 20
"""Alternatives that are asked of a server by default."""
RenderFor = Callable[[Profile], tuple[str, str]]
"""(system, user) of the problem's prompt, for the profile of the model that reads it."""


class ProbeSettings(BaseModel):
    """What is asked at a check point."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    closes: bool = Field(
        default=True,
        description="Close the thinking first; off for the paper's control (EAT, appendix D), with "
        "a prefix such as a line break",
    )
    prefix: str | None = Field(
        default=None, description="Text behind the close marker; empty for the profile's"
    )
    alternatives: int | None = Field(
        default=None,
        ge=2,
        description="The entropy is taken over so many tokens; empty for all of them where the "
        "engine itself tells it (agentflow model serve), else a server's 20 likeliest",
    )
    confidence_tokens: int = Field(
        default=5,
        ge=1,
        le=100,
        description="Length of the greedy answer that the confidence is taken over",
    )
    arithmetic_mean: bool = Field(
        default=False,
        description="The confidence is the mean of the probabilities but the first, as in DEER's "
        "code; else of the log-probabilities (EAT, equation 16)",
    )
    rollouts: int = Field(default=16, ge=1, le=256, description="How many answers are sampled")
    answer_tokens: int = Field(
        default=256, ge=1, description="Most tokens of an answer that is sampled"
    )


@dataclass(frozen=True, slots=True)
class Prober:
    """Asks a model at a check point of a trace.

    Attributes:
        ask: Finds the model of a role (``probe``, ``rollout``, ``elicit``), counted.
        problem, domain: What an answer is.
        seed: Seed of the roll-outs; a check point's own derives from it.
        settings: What is asked.
        render_for: Set for a proxy: it reads the problem in its own prompt, and the thinking as
            text.
        think_open: What that text does not need to begin with: chat servers stream the marker.
    """

    ask: Ask
    problem: Problem
    domain: Domain
    seed: int = 0
    settings: ProbeSettings = field(default_factory=ProbeSettings)
    render_for: RenderFor | None = None
    think_open: str = ""

    async def entropy(self, trace: Trace) -> dict[str, Any]:
        """``entropy`` after the close marker and the prefix (EAT, equation 5), nats, and
        the probability mass ``missing`` from what the engine told; where the vocabulary is known,
        too, what the entropy over all of it is at least and at most (``bounds``)."""
        model = await self.ask("probe")
        prompt = await self._prompt(model, trace, self._answering(model.profile))
        if self._in_engine(model):
            exact = await in_engine.probe(model, prompt, ("entropy",))
            return {"entropy": exact["entropy"], "missing": 0.0}
        told = await next_token(model, prompt, self._alternatives(model))
        found: dict[str, Any] = {"entropy": told.entropy, "missing": told.missing}
        vocabulary = model.capabilities.logprobs
        if vocabulary is not None and vocabulary > _FEW:
            found |= {"bounds": list(told.entropy_bounds(vocabulary))}
        return found

    async def completeness(self, trace: Trace) -> dict[str, Any]:
        """Probabilities of ``yes`` and ``no`` to the question whether the solution is complete, put
        as a turn behind the solver's (Solve-Detect-Verify, Algorithm 1, lines 10 and 11)."""
        model = await self.ask("probe")
        profile = model.profile
        question = (await asyncio.to_thread(prompts.render, *_COMPLETE, profile.name, {}))[1]
        closed = trace.split(profile.think_close)[1] is not None
        prompt = await self._prompt(model, trace, profile.follow_up(question, closed=closed))
        if self._in_engine(model):
            ids = {
                name: await in_engine.ids_of(model, words)
                for name, words in (("yes", profile.yes), ("no", profile.no))
            }
            return {**await in_engine.probe(model, prompt, ("yes", "no"), **ids), "missing": 0.0}
        told = await next_token(model, prompt, self._alternatives(model))
        yes, no = told.probability(profile.yes), told.probability(profile.no)
        return {"yes": yes, "no": no, "missing": told.missing}

    def _in_engine(self, model: Metered) -> bool:
        """Whether the engine itself tells the numbers; a count of alternatives is for the wire."""
        return self.settings.alternatives is None and model.capabilities.in_engine is not None

    def _alternatives(self, model: Metered) -> int | None:
        """How many to ask for: a server writes a whole vocabulary in seconds and megabytes."""
        asked = self.settings.alternatives
        return _FEW if asked is None and model.capabilities.logprobs is not None else asked

    async def confidence(self, trace: Trace) -> dict[str, Any]:
        """``confidence`` of the greedy answer (EAT, equation 16)."""
        model = await self.ask("probe")
        prompt = await self._prompt(model, trace, self._answering(model.profile))
        asked = Request(prompt, self.settings.confidence_tokens, GREEDY, top=1)
        completion = await complete(model, asked)
        logs = [token.logprob for token in completion.tokens if token.logprob is not None]
        return {"confidence": confidence(logs, geometric=not self.settings.arithmetic_mean)}

    async def reply(self, trace: Trace, question: str, tokens: int) -> str:
        """What the model (role ``elicit``) replies, greedily, to a question put as a turn behind
        the solver's: behind any thinking of its own, without a line that ``tokens`` cut short."""
        model = await self.ask("elicit")
        profile = model.profile
        closed = trace.split(profile.think_close)[1] is not None
        prompt = await self._prompt(model, trace, profile.follow_up(question, closed=closed))
        completion = await complete(model, Request(prompt, tokens, GREEDY))
        said = profile.said(completion.text)
        whole = completion.finish.reason == "stop"
        return said if whole else said[: said.rfind("\n") + 1]

    async def sampled(self, trace: Trace) -> dict[str, Any]:
        """``answers``: normal forms of sampled answers, None for one that is none; and the
        ``lengths`` of all, in tokens."""
        model = await self.ask("rollout")
        seed = request_seed(self.seed, self.problem.id, "rollout", len(trace.body))
        prompt = await self._prompt(model, trace, self._answering(model.profile))
        request = Request(prompt, self.settings.answer_tokens, model.profile.sampling, seed)
        found = await sample(model, request, self.settings.rollouts)
        lead = self._lead(model.profile)
        return {
            "answers": [self._normal(lead, completion.text) for completion in found],
            "lengths": [len(completion.tokens) for completion in found],
        }

    def _lead(self, profile: Profile) -> str:
        return profile.answer_lead if self.settings.prefix is None else self.settings.prefix

    def _normal(self, lead: str, text: str) -> str | None:
        for said in (lead + text, text):  # some begin anew, with an answer line of their own
            answer = self.domain.answer(said)
            normal = None if answer is None else self.domain.normalise(self.problem, answer)
            if normal is not None:
                return normal
        return None

    def _answering(self, profile: Profile) -> list[Piece]:
        """What makes the model answer: the thinking closed, and the text that leads to it."""
        close = [Piece(profile.think_close, special=True)] if self.settings.closes else []
        return [*close, Piece(self._lead(profile))]

    async def _prompt(
        self, model: Metered, trace: Trace, end: Sequence[Piece]
    ) -> tuple[int, ...] | str:
        """The trace with ``end`` behind it, as a prompt of the model that is asked."""
        profile = model.profile
        if self.render_for is None:
            trace = Trace(trace.operations)
            trace.append(await segment(model, "marker", end, trace.leftover))
            return prompt_of(model, trace)
        system, user = await asyncio.to_thread(self.render_for, profile)  # it reads files
        # Line by line, for a line's ids are remembered: only the last ones are asked for.
        thinking = trace.body.removeprefix(self.think_open)
        lines = [Piece(line) for line in thinking.splitlines(keepends=True)]
        read = await segment(model, "prompt", [*profile.render(user, system), *lines, *end])
        return prompt_of(model, Trace([read.operation()]))


def failed(error: Exception, source: str, what: str = "probe", **evidence: Any) -> Verdict:
    """The verdict where asking came to nothing; the next place may be luckier."""
    reason = f"the {what} failed: {type(error).__name__}: {error}"
    return Verdict(None, reason, "probe", source=source, evidence=evidence)


def confidence(logs: Sequence[float], *, geometric: bool = True) -> float:
    """How sure a greedy answer with these log-probabilities is, in [0, 1]; 0 for an empty one."""
    if geometric:
        return math.exp(math.fsum(logs) / len(logs)) if logs else 0.0
    rest = [math.exp(log) for log in logs[1:]]
    return math.fsum(rest) / len(rest) if rest else 0.0
