"""An expander that streams a model's text behind a trace, step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Literal

from agentflow import ledger
from agentflow.errors import MissingCapability
from agentflow.models.lasting import LastingStream
from agentflow.models.metered import Metered
from agentflow.models.model import Finish, Request, Token, prompt_of
from agentflow.profile import Sampling
from agentflow.search.interfaces import step_by_step
from agentflow.search.path import Path
from agentflow.settings import request_seed
from agentflow.together import together
from agentflow.trace import Operation, Segment, Trace

Measure = Callable[[Sequence[Token]], float | None]
"""What is measured of a step's tokens; None where they do not tell it."""

Boundary = Literal["line", "paragraph", "tag"]
"""Where a step ends; see :data:`BOUNDARIES`."""

BOUNDARIES: dict[Boundary, str] = {"line": "\n", "paragraph": "\n\n", "tag": "</action>"}
"""What ends a step, in its own text. A step says something: blank lines in front belong to it. Of a
step in which no tag is opened its paragraph is the end: not every model writes the tags."""
_OPENED = re.compile(r"<(?:reasoning|action)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^\W\d_]{2}[.!?][\"'”’)*_]{0,4}\s{0,3}\Z|[。！？\n]\s{0,3}\Z")
"""The end of a sentence, as far as it can be told from what is in front of it."""


@dataclass(slots=True)
class TraceExpander:
    """Goes on from the end of a trace; every branch is a request of its own.

    A prompt is the token ids of the kept trace, so that branches share their prefix in the engine's
    cache. A stream is closed at the token that ends its step (or its last one), which makes the
    engine stop. A path's payload is the trace's operations.

    Attributes:
        model: Who goes on; its entries are the ledger's.
        operations: The trace that paths begin behind: the prompt.
        problem_id: Takes part in the seeds of requests, as do the role and the place.
        boundary: Where a step ends.
        close: The marker that closes the thinking where the prompt opens it: the step that holds
            it goes on to the end, so that the answer part is one step. Empty for none.
        seed: Seed of the run.
        sampling: None for the model's profile's.
        step_tokens: Most tokens of a step in front of ``close``; it is cut there, or behind the
            last quarter's first sentence, and another begins.
        max_tokens: Most generated tokens of a path; None for the profile's.
        budget: Most generated tokens of all paths together; None for no limit.
        cache: Whether the engine may reuse a cached prefix.
        retries: How often a stream that broke is continued from where it broke.
        top: Alternatives a token that are asked for.
        measure: What a path's ``measured`` says of a step, by its tokens; a last one without a text
            stands for the end of the turn. None for nothing.
        stepwise: Whether each step is a request of its own also where several are asked for.
        generated: Tokens generated so far, over all paths.
    """

    model: Metered
    operations: Sequence[Operation]
    problem_id: str
    boundary: Boundary = "line"
    close: str = ""
    seed: int = 0
    sampling: Sampling | None = None
    step_tokens: int = 1024
    max_tokens: int | None = None
    budget: int | None = None
    cache: bool = True
    retries: int = 0
    stepwise: bool = False
    top: int = 0
    measure: Measure | None = None
    generated: int = 0
    _steps: list[Operation] = field(default_factory=list)

    @property
    def left(self) -> int | None:
        """What is left of the budget; None for no limit."""
        return None if self.budget is None else self.budget - self.generated

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        """See :class:`~agentflow.search.interfaces.Expander`.

        Raises:
            ModelUnavailable, StreamBroken: If the model does not answer.
            MissingCapability: If it cannot go on from a text of ours.
        """
        return await together(self._grow(path, 1, *place, i) for i in range(n))

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        """One request for all the steps, or for each; raises what :meth:`expand` does."""
        if not self.stepwise:
            return await self._grow(path, steps, *place)
        return await step_by_step(path, lambda one: self._grow(one, 1, *place), steps)

    async def behind(self, path: Path, prompt: Operation, *place: str | int) -> Path:
        """The path with one step more, which is written behind another prompt than the path's.

        Raises:
            ModelUnavailable, StreamBroken: If the model does not answer.
        """
        other = await self._grow(Path(payload=(prompt,)), 1, *place, len(path.steps))
        made = tuple(other.payload)[1:]
        payload = (*(path.payload or self.operations), *made)
        return replace(
            path,
            steps=(*path.steps, *other.steps),
            done=other.done,
            payload=payload,
            measured=(*path.measured, *other.measured),
        )

    def wasted(self, kept: Sequence[Path]) -> ledger.Entries:
        """The ledger's entry for the tokens that no kept path holds: those of pruned branches."""
        held = {id(operation) for path in kept for operation in path.payload or ()}
        lost = sum(len(one["ends"]) for one in self._steps if id(one) not in held)
        entry = ledger.Entry(self.model.role, calls=0, wasted=lost)
        return ledger.record(f"{self.model.role}/{self.model.place}/pruned", entry)

    async def _grow(self, path: Path, steps: int | None, *place: str | int) -> Path:
        """The path with at most so many steps more, from one stream."""
        trace = Trace(path.payload or self.operations)
        room = self._room(trace)
        if path.done or room <= 0 or (steps is not None and steps <= 0):
            return path
        able = self.model.capabilities
        if path.steps and not (able.continues or able.turns):
            raise MissingCapability(
                f"{self.model.name} cannot continue a text of ours, which a search step by step "
                "needs; use best of n, or a server with raw completions"
            )
        request = Request(
            prompt_of(self.model, trace),
            room,
            self.sampling or self.model.profile.sampling,
            request_seed(self.seed, self.problem_id, self.model.role, *place, len(path.steps)),
            cache=self.cache,
            top=self.top,
        )
        parts, text, finish = [list[Token]()], "", Finish("length")
        closed = bool(self.close) and trace.split(self.close)[1] is not None
        lasting = LastingStream(self.model, retries=self.retries)
        async with aclosing(lasting.stream(request)) as stream:
            async for item in stream:
                if isinstance(item, Finish):
                    finish = item
                    break
                self.generated += 1
                parts[-1].append(item)
                text += item.text
                closed = closed or (bool(self.close) and item.text == self.close)
                if not closed and self._ends(text, item.text, len(parts[-1])):
                    if len(parts) == steps:
                        break
                    parts.append([])
                    text = ""
                if self.budget is not None and self.generated >= self.budget:
                    break
        made = [_operation(part) for part in parts if part]
        self._steps += made
        return replace(
            path,
            steps=(*path.steps, *(one["text"] for one in made)),
            done=finish.reason == "stop",
            payload=(*(path.payload or self.operations), *made),
            measured=(*path.measured, *self._measured(parts, finish)),
        )

    def _measured(self, parts: Sequence[Sequence[Token]], finish: Finish) -> list[float | None]:
        """What is measured of each step; of the last one with the token that ended the turn."""
        if self.measure is None:
            return []
        steps = [list(part) for part in parts if part]
        if steps and finish.reason == "stop" and finish.top:
            steps[-1].append(Token("", top=finish.top))
        return [self.measure(step) for step in steps]

    def _room(self, trace: Trace) -> int:
        """Tokens that the path may still have."""
        profile = self.model.profile
        room = min(
            (self.max_tokens or profile.max_tokens) - trace.generated,
            profile.context - len(trace.ids),
        )
        return room if self.budget is None else min(room, self.budget - self.generated)

    def _ends(self, text: str, last: str, tokens: int) -> bool:
        """Whether the step ends with its last token."""
        boundary = self.boundary
        if boundary == "tag" and not _OPENED.search(text):
            boundary = "paragraph"
        mark = BOUNDARIES[boundary]
        ended = mark in text[-len(last) - len(mark) + 1 :] and mark in text.lstrip()
        if 4 * tokens >= 3 * self.step_tokens and _SENTENCE.search(text, max(0, len(text) - 10)):
            return True
        return ended or tokens >= self.step_tokens


def _operation(tokens: Sequence[Token]) -> Operation:
    """A step as an operation to append to a trace."""
    ends, end = [], 0
    for token in tokens:
        end += len(token.text)
        ends.append(end)
    ids = tuple(token.id for token in tokens if token.id is not None)
    text = "".join(token.text for token in tokens)
    return Segment("generated", text, ids, tuple(ends)).operation()
