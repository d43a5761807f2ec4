"""A world for adaptive_compute: every role of it in one scripted model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import agentflow
from agentflow import Result
from agentflow.ledger import by_role
from agentflow.models import ScriptedModel
from agentflow.models.scripted import Reply

PUZZLE = "4 7 8 8"
RIGHT = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
SLIP = RIGHT.replace("7 - 1 = 6", "7 - 1 = 5")
ANSWER = "(7 - 8 / 8) * 4"
END = f"</think>\nAnswer: {ANSWER} = 24"
FIXED = {"plan": False, "reasoning": ["cot"], "compute": "best of n", "param": 1}

SAYS: dict[str, Reply] = {
    "plan": "<plan>Make a 6 and a 4.</plan>",
    "tools": '{"tools": ["cot"]}',
    "compute": '{"strategy": "best of n", "param": 3}',
    "reframe": "Reach 24.",
    "critique": "All is well.",
    "check": "The numbers are right.",
    "review": "The logic is right.",
    "summary": "Six fours.",
    "answer": f'{{"answer": "{ANSWER}"}}',
    "json": f'{{"answer": "{ANSWER}"}}',
}


class World:
    """Every role in one model; plays what each is to say, the first word of a prompt telling whom.

    Args:
        says: What a role says: a text, or texts one after the other, the last again and again.
        solutions: What the solver writes, one trajectory after the other, the last again and again;
            a trajectory that was begun is gone on with.
    """

    def __init__(
        self, says: Mapping[str, Any] | None = None, solutions: Sequence[str] = (RIGHT + END,)
    ) -> None:
        self.says = {
            role: list(said) if isinstance(said, list) else [said]
            for role, said in {**SAYS, **(says or {})}.items()
        }
        self.solutions = list(solutions)
        self.asked: list[tuple[str, str]] = []
        self.model = ScriptedModel(self.reply)

    def reply(self, prompt: str) -> Reply:
        user = prompt.rpartition("<|im_start|>user\n")[2].partition("<|im_end|>")[0]
        role = "solver" if user.startswith("game24:") else user.partition(":")[0]
        self.asked.append((role, user))
        if role == "solver":
            return self.solve(prompt.rpartition("assistant\n<think>\n")[2])
        said = self.says[role]
        return said.pop(0) if len(said) > 1 else said[0]

    def solve(self, begun: str) -> Reply:
        if begun:
            return next(one[len(begun) :] for one in self.solutions if one.startswith(begun))
        return self.solutions.pop(0) if len(self.solutions) > 1 else self.solutions[0]

    def asks(self, role: str) -> list[str]:
        """The prompts that a role was sent."""
        return [user for asked, user in self.asked if asked == role]

    async def solve_with(self, **given: Any) -> Result:
        given = {"iterations": 1, **given}
        return await agentflow.asolve(PUZZLE, "adaptive_compute", model=self.model, **given)


def calls(result: Result) -> dict[str, int]:
    """Calls by role."""
    return {role: e.calls for role, e in by_role(result.ledger).items() if e.calls}


def scored(result: Result) -> str:
    """The status that the scores alone gave, before the domain's last word."""
    which = re.search(r"iteration (\d+) of", result.reason)
    branch = int(which[1]) - 1 if which else 0
    return next(str(one["status"]) for one in result.samples if one["branch"] == branch)
