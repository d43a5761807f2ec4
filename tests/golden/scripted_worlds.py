"""Worlds for what the pocket model never comes to: a scripted model plays every role."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from golden_row import Row, row_of, tokens

import agentflow
from agentflow import Result
from agentflow.api import ajudge
from agentflow.errors import Paused
from agentflow.graphs import VERIFIERS
from agentflow.models import Capabilities, ScriptedModel
from agentflow.models.scripted import Reply
from agentflow.profile import PROFILES

PUZZLE = "4 7 8 8"

Says = Mapping[str, Reply | list[Reply]]
"""Patterns -> what is replied where one is found in the prompt, the first that is; of a list one
reply after the other, the last again and again. A tuple is one reply of several parts."""


@dataclass(frozen=True)
class World:
    """One method on one problem, with a model that plays what each role says.

    Attributes:
        replies: What a person says each time when the run pauses.
        solution: What a verifier of given solutions is given.
    """

    method: str
    says: Says
    settings: Mapping[str, Any] = field(default_factory=dict)
    problem: str = PUZZLE
    able: Capabilities = field(default_factory=Capabilities)
    profile: str = "pocket"
    replies: tuple[Any, ...] = ()
    solution: str = ""

    @property
    def timed(self) -> bool:
        """Whether probes, threads or processes work beside the stream."""
        beside = {"reasoner", "verifier", "elicit"} & self.settings.keys()
        probed = self.method == "early_exit" or self.settings.get("detect", False)
        elsewhere = self.settings.get("domain", "game24") != "game24"
        return bool(beside) or probed or elsewhere

    def model(self) -> ScriptedModel:
        """A model at the beginning of its script."""
        turns = {
            pattern: list(said) if isinstance(said, list) else [said]
            for pattern, said in self.says.items()
        }

        def reply(prompt: str) -> Reply:
            for pattern, left in turns.items():
                if re.search(pattern, prompt):
                    return left.pop(0) if len(left) > 1 else left[0]
            raise AssertionError(f"nothing to say to a prompt that ends in {prompt[-200:]!r}")

        profile = PROFILES[self.profile]
        return ScriptedModel(reply, capabilities=self.able, profile=profile)


async def play(name: str, world: World) -> Row:
    """The row of a world."""
    key = {"part": "scripted", "method": world.method, "arm": name, "problem": world.problem}
    if world.method in VERIFIERS:
        return key | await judged(world)
    with nullcontext() if world.timed else in_order():
        return await row_of(key, partial(solved, world), timed=world.timed)


async def judged(world: World) -> Row:
    """What a verifier says of the solution."""
    model = world.model()
    verdict, entries = await ajudge(
        world.problem, world.solution, world.method, model=model, **world.settings
    )
    sums: dict[str, dict[str, int]] = {}
    for entry in entries.values():
        role = sums.setdefault(entry["role"], dict.fromkeys(_COUNTS, 0))
        for count in _COUNTS:
            role[count] += entry[count]
    return {
        "status": {True: "right", False: "wrong", None: "cannot tell"}[verdict.ok],
        "kind": verdict.kind,
        "reason": verdict.reason,
        "score": verdict.score and round(verdict.score, 6),
        "step": verdict.first_wrong_step,
        "tokens": tokens(sums, timed=False),
    }


_COUNTS = ("calls", "prompt", "generated", "wasted")


@contextmanager
def in_order() -> Iterator[None]:
    """What threads would do is done at once, so that requests made side by side come in the order
    of their samples on a busy machine, too."""

    async def at_once(function: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
        return function(*args, **named)

    with patch("asyncio.to_thread", at_once):
        yield


async def solved(world: World) -> Result:
    """The result of a world; where it pauses a person replies, and it goes on."""
    model = world.model()
    given: dict[str, Any] = {"model": model, **world.settings}
    if not world.replies:
        return await agentflow.asolve(world.problem, world.method, **given)
    with TemporaryDirectory() as folder:
        at = {"thread": "t", "checkpoints": Path(folder) / "threads.sqlite"}
        events: list[dict[str, Any]] = []
        run = agentflow.asolve(world.problem, world.method, on_event=events.append, **given, **at)
        for reply in world.replies:
            try:
                await run
            except Paused:
                again = {"model": model, "checkpoints": at["checkpoints"], "reply": reply}
                run = agentflow.aresume("t", on_event=events.append, **again)
            else:
                raise AssertionError("it did not pause")
        result = await run
        result.events[:] = [event for event in events if event["type"] != "token"]
        return result
