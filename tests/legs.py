"""What the tests of threads share: a model whose legs go on from anywhere, and what to compare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

from agentflow import Result
from agentflow.checkpoints import open_checkpoints
from agentflow.models import ScriptedModel
from agentflow.models.scripted import Reply
from agentflow.threads import history

PUZZLE = "4 7 8 8"
PATH = " 8 / 8 = 1 (left: 1 4 7)\n 7 - 1 = 6 (left: 4 6)\n 4 * 6 = 24 (left: 24)\n"
RIGHT = f"{PATH}</think> \nAnswer: (7 - 8 / 8) * 4 = 24"
LEGS = {
    "right": RIGHT,
    "wrong step": " 8 / 8 = 2 (left: 2 4 7)\n and so on, and on\n",
    "late": " 8 / 8 = 1 (left: 1 4 7)\n 7 - 1 = 5 (left: 4 5)\n hm\n 4 * 5 = 20 (left: 20)\n",
    "no answer": " hm, hm\n</think> \n I do not know\n",
    "wrong answer": f"{PATH}</think> \nAnswer: (7 - 8 / 8) * 5 = 24\n",
    "same answer": " (7 - 8 / 8) * 4 = 24\n" * 3,
    "endless": " so" * 40,
}
NOTE = re.compile(r"<think>\n|Wait, .*\n|\[verifier: .*\]\n|</think>\n")
"""Behind what a new leg begins; the last is a marker put in, for legs put a space there."""


IDS: dict[str, int] = {}
TEXTS: dict[int, str] = {}


class Killed(BaseException):
    """What no code of ours catches; only what ``finally`` does happens after it."""


UNKNOWN = "I do not know"
"""What is said when an answer is asked for."""


class Script(ScriptedModel):
    """Plays one leg after the other, from wherever in a leg the prompt ends.

    What it says depends on the text so far alone, as a real model's at temperature 0 does.

    Args:
        legs: Names in ``LEGS``; after the last comes the right path.
        kill_at: Streamed tokens behind which the process dies, all requests counted together.
    """

    def __init__(self, legs: Sequence[str], kill_at: int | None = None) -> None:
        super().__init__(self.reply)
        self._ids, self._texts = IDS, TEXTS  # a server's ids outlive the client's process
        self.legs, self.kill_at, self.dead = legs, kill_at, False

    def reply(self, prompt: str) -> Reply:
        ends = [found.end() for found in NOTE.finditer(prompt)]
        said = prompt[ends[-1] :]
        name = self.legs[len(ends) - 1] if len(ends) <= len(self.legs) else "right"
        if LEGS[name].startswith(said):
            return LEGS[name][len(said) :]
        _, asked, begun = said.rpartition("\\boxed{")  # to state its answer
        assert asked, "asked to go on from what it did not say"
        assert UNKNOWN.startswith(begun), "asked to go on from what it did not say"
        return UNKNOWN[len(begun) :]

    async def stream(self, request: Any) -> Any:
        async with aclosing(super().stream(request)) as items:
            async for item in items:
                if self.kill_at is not None and self.streamed > self.kill_at:
                    self.dead = True
                    raise Killed
                yield item


def told(result: Result, *, sums: bool = True) -> dict[str, Any]:
    """A result without its seconds and settings; with ``sums`` also what it cost."""
    found = result.as_dict()
    for key in ("cost", "cost_by_role", "settings"):
        del found[key]
    found["ledger"] = {
        place: {name: value for name, value in entry.items() if name not in ("seconds", "until")}
        for place, entry in found["ledger"].items()
    }
    if not sums:
        del found["ledger"]
    return found


async def entries(file: Path, thread: str = "t") -> list[dict[str, Any]]:
    async with open_checkpoints(file) as opened:
        return await history(thread, opened)


async def story(file: Path, thread: str = "t") -> list[tuple[Any, ...]]:
    async with open_checkpoints(file) as opened:
        return updates(await history(thread, opened))


def updates(found: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """A thread's history without what differs from run to run."""
    return [(*one["next"], one["generated"], one["corrections"], one["what"]) for one in found]
