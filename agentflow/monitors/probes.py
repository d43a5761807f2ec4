"""Probes: what a model would say if its thinking ended here, asked beside the running stream."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agentflow import prompts
from agentflow.domains.protocol import Domain
from agentflow.models import in_engine
from agentflow.models.metered import Ask, Metered
from agentflow.models.model import Request, complete, next_token, prompt_of, sample, segment
from agentflow.monitors.monitor import Context
from agentflow.problem import Problem
from agentflow.profile import GREEDY, Piece, Profile, Thinking
from agentflow.settings import Few, Positive, request_seed
from agentflow.trace import Trace
from agentflow.verdict import Verdict

_COMPLETE = ("solve_detect_verify", "complete")
_FEW = 20
"""Alternatives that are asked of a server by default."""
PASSED_OVER = "a check here would take more than the run's checks may"
"""Why nothing was asked where the price of the checks decides."""
RenderFor = Callable[[Profile], tuple[str, str]]
"""(system, user) of the problem's prompt, for the profile of the model that reads it."""


class Ending(BaseModel):
    """What is put behind the thinking before the next token's entropy is asked for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    closes: bool = Field(
        default=True,
        description="Close the thinking first; off for the paper's control (EAT, appendix F), with "
        "a prefix such as an empty line",
    )
    prefix: str | None = Field(
        default=None, description="Text behind the close marker; empty for the profile's"
    )

    @property
    def name(self) -> str:
        """For tables."""
        prefix = "the profile's prefix" if self.prefix is None else f"prefix {self.prefix!r}"
        return prefix if self.closes else f"not closed, {prefix}"


class ProbeSettings(Ending):
    """What is asked at a check point."""

    controls: tuple[Ending, ...] = Field(
        default=(),
        description="Further entropies at every check point, for recordings: without a prefix "
        '(EAT, appendix D) {"prefix": "\\n"}, after a new line (appendix F) {"closes": false, '
        '"prefix": "\\n\\n"}, before a call of a tool (appendix I.2) {"prefix": "["}',
    )
    confidence_prefix: str | None = Field(
        default=None, description="What the confidence has in the place of prefix; empty for that"
    )
    alternatives: int | None = Field(
        default=None,
        ge=2,
        description="The entropy is taken over so many tokens; empty for all of them where the "
        "engine itself tells it (agentflow model serve), else a server's 20 likeliest",
    )
    confidence_tokens: Few = Field(
        default=5, description="Length of the greedy answer that the confidence is taken over"
    )
    arithmetic_mean: bool = Field(
        default=False,
        description="The confidence is the mean of the probabilities but the first, as in DEER's "
        "code; else of the log-probabilities (EAT, equation 16)",
    )
    rollouts: int = Field(default=16, ge=1, le=256, description="How many answers are sampled")
    answer_tokens: Positive = Field(
        default=256, description="Most tokens of an answer that is sampled"
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
        think_close: The reasoner's close marker: what follows it is not read.
    """

    ask: Ask
    problem: Problem
    domain: Domain
    seed: int = 0
    settings: ProbeSettings = field(default_factory=ProbeSettings)
    render_for: RenderFor | None = None
    think_open: str = ""
    think_close: str = ""

    @asynccontextmanager
    async def check(self, role: str, context: Context, *, paced: bool) -> AsyncIterator[bool]:
        """A check by one or more of the probes below.

        Args:
            role: In the ledger, of the model that is asked.
            paced: Whether what the run's checks cost so far decides if there is one; its time is
                then measured.

        Yields:
            Whether it is to be made.
        """
        if not paced:
            yield True
            return
        model = await self.ask(role)
        pace, read = model.budget.pace, model.budget.to_read(model.name, len(context.trace().ids))
        if not pace.due(read):
            yield False
            return
        with pace.check(read):
            yield True

    async def entropy(self, trace: Trace) -> dict[str, Any]:
        """``entropy`` after the close marker and the prefix (EAT, equation 5), nats, and
        the probability mass ``missing`` from what the engine told; where the vocabulary is known,
        too, what the entropy over all of it is at least and at most (``bounds``)."""
        model = await self.ask("probe")
        ending = self._ending(model.profile, self.settings)
        prompt = await self._prompt(model, self._open(trace), ending)
        if self._in_engine(model):
            exact = await in_engine.probe(model, prompt, ("entropy",), known=self._known(trace))
            return {"entropy": exact["entropy"], "missing": 0.0}
        told = await next_token(model, prompt, self._alternatives(model), known=self._known(trace))
        found: dict[str, Any] = {"entropy": told.entropy, "missing": told.missing}
        vocabulary = model.capabilities.logprobs
        if vocabulary is not None and vocabulary > _FEW:
            found |= {"bounds": list(told.entropy_bounds(vocabulary))}
        return found

    async def controls(self, trace: Trace) -> dict[str, Any]:
        """``controls``: the entropy behind each of the settings' other endings, by their names."""
        found = {}
        for ending in self.settings.controls:
            put = {"closes": ending.closes, "prefix": ending.prefix}
            settings = self.settings.model_copy(update=put)
            found[ending.name] = (await replace(self, settings=settings).entropy(trace))["entropy"]
        return {"controls": found}

    async def completeness(self, trace: Trace) -> dict[str, Any]:
        """Probabilities of ``yes`` and ``no`` to the question whether the solution is complete, put
        as a turn behind the solver's (Solve-Detect-Verify, Algorithm 1, lines 10 and 11)."""
        model = await self.ask("probe")
        profile = model.profile
        question = (await prompts.rendered(*_COMPLETE, profile, {}))[1]
        closed = trace.split(profile.think_close)[1] is not None
        prompt = await self._prompt(model, trace, profile.follow_up(question, closed=closed))
        if self._in_engine(model):
            yes_ids, no_ids = [
                await in_engine.ids_of(model, words) for words in (profile.yes, profile.no)
            ]
            words = ("yes", "no")
            exact = await in_engine.probe(
                model, prompt, words, yes=yes_ids, no=no_ids, known=self._known(trace)
            )
            return {**exact, "missing": 0.0}
        told = await next_token(model, prompt, self._alternatives(model), known=self._known(trace))
        yes, no = told.probability(profile.yes), told.probability(profile.no)
        return {"yes": yes, "no": no, "missing": told.missing}

    def _known(self, trace: Trace) -> int:
        """How much of a prompt its server has: all of the stream, where it is the solver's."""
        return len(trace.ids) if self.render_for is None else 0

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
        own, lead = self.settings, self.settings.confidence_prefix
        settings = own if lead is None else own.model_copy(update={"prefix": lead})
        prompt = await self._prompt(model, self._open(trace), self._ending(model.profile, settings))
        most, known = self.settings.confidence_tokens, self._known(trace)
        completion = await complete(model, Request(prompt, most, GREEDY, top=1, known=known))
        logs = [token.logprob for token in completion.tokens if token.logprob is not None]
        return {"confidence": confidence(logs, geometric=not self.settings.arithmetic_mean)}

    async def reply(self, trace: Trace, question: str, tokens: int) -> str:
        """What the model (role ``elicit``) replies, greedily, to a question put as a turn behind
        the solver's: behind any thinking of its own, without a line that ``tokens`` cut short."""
        model = await self.ask("elicit")
        profile = model.profile
        closed = trace.split(profile.think_close)[1] is not None
        begins: Thinking = "open" if profile.always_thinks else "none"
        turn = profile.follow_up(question, thinking=begins, closed=closed)
        prompt, known = await self._prompt(model, trace, turn), self._known(trace)
        sampling = GREEDY
        if profile.always_thinks:
            tokens, sampling = tokens + profile.max_tokens, profile.sampling
        completion = await complete(model, Request(prompt, tokens, sampling, known=known))
        said = profile.said(completion.text, opened=profile.always_thinks)
        whole = completion.finish.reason == "stop"
        return said if whole else said[: said.rfind("\n") + 1]

    async def sampled(self, trace: Trace) -> dict[str, Any]:
        """``answers``: normal forms of sampled answers, None for one that is none; and the
        ``lengths`` of all, in tokens."""
        model = await self.ask("rollout")
        trace = self._open(trace)
        seed = request_seed(self.seed, self.problem.id, "rollout", len(trace.body))
        ending = self._ending(model.profile, self.settings)
        prompt = await self._prompt(model, trace, ending)
        request = Request(prompt, self.settings.answer_tokens, model.profile.sampling, seed)
        found = await sample(model, request, self.settings.rollouts)
        lead = ending[-1].text
        return {
            "answers": [self._normal(lead, completion.text) for completion in found],
            "lengths": [len(completion.tokens) for completion in found],
        }

    def _normal(self, lead: str, text: str) -> str | None:
        # Some begin anew, with an answer line of their own; behind it stands what is cut off.
        line = [lead + text.lstrip().partition("\n")[0]] if lead.strip() else []
        for said in (lead + text, text, *line):
            answer = self.domain.answer(said)
            normal = None if answer is None else self.domain.normalise(self.problem, answer)
            if normal is not None:
                return normal
        return None

    def _ending(self, profile: Profile, ending: Ending) -> list[Piece]:
        """What makes the model answer: the thinking closed, and the text that leads to it."""
        close = [Piece(profile.think_close, special=True)] if ending.closes else []
        return [*close, Piece(profile.answer_lead if ending.prefix is None else ending.prefix)]

    def _open(self, trace: Trace) -> Trace:
        """The trace with its thinking open, where that was closed already."""
        thinking, answer = trace.split(self.think_close) if self.think_close else ("", None)
        if answer is None:
            return trace
        trace = Trace(trace.operations)
        trace.cut(len(thinking), "asked as if it ended here")
        return trace

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
