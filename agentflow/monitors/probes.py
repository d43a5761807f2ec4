"""Probes: what a model would say if its thinking ended here, asked beside the running stream."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agentflow import prompts
from agentflow.domains.protocol import Domain
from agentflow.models.metered import Metered
from agentflow.models.protocol import Request, complete, next_token, prompt_of, sample, segment
from agentflow.problem import Problem
from agentflow.profile import Piece, Profile, Sampling
from agentflow.settings import request_seed
from agentflow.trace import Trace

_COMPLETE = ("solve_detect_verify", "complete")
RenderFor = Callable[[Profile], tuple[str, str]]
"""(system, user) of the problem's prompt, for the profile of the model that reads it."""


@dataclass(frozen=True, slots=True)
class Prober:
    """Asks a model at a check point of a trace.

    Attributes:
        ask: Finds the model of a role (``probe``, ``rollout``, ``elicit``), counted.
        problem, domain: What an answer is.
        seed: Seed of the roll-outs; a check point's own derives from it.
        closes: Whether the thinking is closed; the paper's control leaves it open (appendix D).
        prefix: Text behind that; None for the profile's ``answer_lead``.
        alternatives: How many the entropy is taken over; None for as many as the engine gives.
        confidence_tokens: Length of the greedy answer that the confidence is taken over.
        geometric: Mean of the log-probabilities (EAT, equation 16); else, as DEER's code
            has it, of the probabilities of all tokens but the first.
        answers: How many answers are sampled.
        answer_tokens: Most tokens of one of them.
        sampling: How they are sampled; None for the model's profile's.
        render_for: Set for a proxy: it reads the problem in its own prompt, and the thinking as
            text.
        think_open: What that text does not need to begin with: chat servers stream the marker.
    """

    ask: Callable[[str], Awaitable[Metered]]
    problem: Problem
    domain: Domain
    seed: int = 0
    closes: bool = True
    prefix: str | None = None
    alternatives: int | None = None
    confidence_tokens: int = 5
    geometric: bool = True
    answers: int = 16
    answer_tokens: int = 256
    sampling: Sampling | None = None
    render_for: RenderFor | None = None
    think_open: str = ""

    async def entropy(self, trace: Trace) -> dict[str, Any]:
        """``entropy`` after the close marker and the prefix (EAT, equation 5), nats, and
        the probability mass ``missing`` from what the engine told."""
        model = await self.ask("probe")
        prompt = await self._prompt(model, trace, self._answering(model.profile))
        told = await next_token(model, prompt, self.alternatives)
        return {"entropy": told.entropy, "missing": told.missing}

    async def completeness(self, trace: Trace) -> dict[str, Any]:
        """Probabilities of ``yes`` and ``no`` to the question whether the solution is complete, put
        as a turn behind the solver's (Solve-Detect-Verify, Algorithm 1, lines 10 and 11)."""
        model = await self.ask("probe")
        profile = model.profile
        question = (await asyncio.to_thread(prompts.render, *_COMPLETE, profile.name, {}))[1]
        closed = trace.split(profile.think_close)[1] is not None
        prompt = await self._prompt(model, trace, profile.follow_up(question, closed=closed))
        told = await next_token(model, prompt, self.alternatives)
        yes, no = told.probability(profile.yes), told.probability(profile.no)
        return {"yes": yes, "no": no, "missing": told.missing}

    async def confidence(self, trace: Trace) -> dict[str, Any]:
        """``confidence`` of the greedy answer (EAT, equation 16)."""
        model = await self.ask("probe")
        prompt = await self._prompt(model, trace, self._answering(model.profile))
        greedy = Sampling(temperature=0.0, top_p=1.0, top_k=0)
        completion = await complete(model, Request(prompt, self.confidence_tokens, greedy, top=1))
        logs = [token.logprob for token in completion.tokens if token.logprob is not None]
        return {"confidence": confidence(logs, geometric=self.geometric)}

    async def reply(self, trace: Trace, question: str, tokens: int) -> str:
        """What the model (role ``elicit``) replies, greedily, to a question put as a turn behind
        the solver's: behind any thinking of its own, without a line that ``tokens`` cut short."""
        model = await self.ask("elicit")
        profile = model.profile
        closed = trace.split(profile.think_close)[1] is not None
        prompt = await self._prompt(model, trace, profile.follow_up(question, closed=closed))
        greedy = Sampling(temperature=0.0, top_p=1.0, top_k=0)
        completion = await complete(model, Request(prompt, tokens, greedy))
        said = profile.said(completion.text)
        whole = completion.finish.reason == "stop"
        return said if whole else said[: said.rfind("\n") + 1]

    async def sampled(self, trace: Trace) -> dict[str, Any]:
        """``answers``: normal forms of sampled answers, None for one that is none; and the
        ``lengths`` of all, in tokens."""
        model = await self.ask("rollout")
        sampling = self.sampling or model.profile.sampling
        seed = request_seed(self.seed, self.problem.id, "rollout", len(trace.body))
        prompt = await self._prompt(model, trace, self._answering(model.profile))
        request = Request(prompt, self.answer_tokens, sampling, seed)
        lead, found = self._lead(model.profile), await sample(model, request, self.answers)
        return {
            "answers": [self._normal(lead, completion.text) for completion in found],
            "lengths": [len(completion.tokens) for completion in found],
        }

    def _lead(self, profile: Profile) -> str:
        return profile.answer_lead if self.prefix is None else self.prefix

    def _normal(self, lead: str, text: str) -> str | None:
        for said in (lead + text, text):  # some begin anew, with an answer line of their own
            answer = self.domain.answer(said)
            normal = None if answer is None else self.domain.normalise(self.problem, answer)
            if normal is not None:
                return normal
        return None

    def _answering(self, profile: Profile) -> list[Piece]:
        """What makes the model answer: the thinking closed, and the text that leads to it."""
        close = [Piece(profile.think_close, special=True)] if self.closes else []
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


def confidence(logs: Sequence[float], *, geometric: bool = True) -> float:
    """How sure a greedy answer with these log-probabilities is, in [0, 1]; 0 for an empty one."""
    if geometric:
        return math.exp(math.fsum(logs) / len(logs)) if logs else 0.0
    rest = [math.exp(log) for log in logs[1:]]
    return math.fsum(rest) / len(rest) if rest else 0.0
