"""Problems, and scripted verifiers for them, that VerifiAgent's tests share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.tools import BaseTool, tool

from agentflow.api import ajudge
from agentflow.models import ScriptedModel, Token
from agentflow.models.scripted import Reply
from agentflow.profile import PROFILES, Profile
from agentflow.verdict import Verdict

PROBLEM = (
    "Natalia sold clips to 48 of her friends in April, and then half as many in May. "
    "How many clips did she sell in April and May?"
)
WRONG = "In May she sold 48 / 2 = 24 clips.\nTogether 48 + 24 = 70.\nAnswer: 70"
RIGHT = "In May she sold 48 / 2 = 24 clips.\nTogether 48 + 24 = 72.\nAnswer: 72"
HONEST = """Thought: I calculate it.
Action: Use Python Interpreter[
def solver():
    april = 48
    may = april // 2
    return april + may

ans = solver()
]"""
STEPS = ["In May she sold 24", "Together 70"]

_TEMPLATES = {
    "You look at the form": "meta",
    "You check whether": "act",
    "You say whether": "evaluate",
    "You decide whether": "reflect",
}


def evaluation(ok: bool, reason: str = "Step 2 is wrong: 48 + 24 is 72.", p: float = -0.1) -> Reply:
    """An evaluation, its verdict's token with log-probabilities."""
    word, other = ("Correct", "Incorrect") if ok else ("Incorrect", "Correct")
    said = "None" if ok else reason
    return [
        "Thought: weighed.\nAction: Evaluate[",
        Token(word, None, p, ((word, p), (other, -2.5), ("None", -9.0))),
        f"]\nSummarisation:\nEvaluation Result: {word}\nError Reason: {said}\nRevision Method: "
        f"{'None' if ok else 'add again'}\n",
    ]


def meta(ok: bool = True, complete: bool = True, steps: Sequence[str] = STEPS) -> str:
    """What meta verification says; where it is not ok, the last step does not follow."""
    consistency = [
        {"step": n, "follows": (holds := ok or n < len(steps)), "why": "" if holds else "a jump"}
        for n in range(1, len(steps) + 1)
    ]
    said = {
        "conditions": ["48 in April", "half as many in May"],
        "objective": "clips in both months",
        "steps": list(steps),
        "complete": complete,
        "why": "" if complete else "it gives no answer",
        "consistency": consistency if complete else [],
    }
    return json.dumps(said)


@dataclass
class Script:
    """A verifier's replies by template; the last of a list is repeated."""

    act: Sequence[Reply] = (HONEST, evaluation(False))
    reflect: Reply = field(default_factory=lambda: evaluation(False))
    evaluate: Reply = field(default_factory=lambda: evaluation(False))
    meta: Reply = field(default_factory=meta)
    profile: Profile = PROFILES["qwen3"]

    def __post_init__(self) -> None:
        self.asked: list[str] = []
        self.prompts: list[str] = []
        self.model = ScriptedModel(self._reply, profile=self.profile)

    def _reply(self, prompt: str) -> Reply:
        name = next(name for start, name in _TEMPLATES.items() if start in prompt[:80])
        count = self.asked.count(name)
        self.asked.append(name)
        self.prompts.append(prompt)
        if name == "act":
            return self.act[min(count, len(self.act) - 1)]
        reply: Reply = {"meta": self.meta, "evaluate": self.evaluate, "reflect": self.reflect}[name]
        return reply

    async def judge(
        self, solution: str = WRONG, problem: str = PROBLEM, domain: str = "math", **settings: Any
    ) -> Verdict:
        """The verdict of VerifiAgent with this verifier."""
        verdict, self.ledger = await ajudge(
            problem, solution, "verifiagent", model=self.model, domain=domain, **settings
        )
        return verdict


def stub_tools() -> dict[str, BaseTool]:
    """Tools that answer at once: the code is the value, or an error where it says so."""

    @tool(response_format="content_and_artifact")
    def python(code: str) -> tuple[str, dict[str, Any]]:
        """Give the number in the code."""
        if "raise" in code:
            raise RuntimeError("it broke")
        value = code.rpartition("#")[2].strip()
        return f"value: {value}", {"ok": True, "value": value or None}

    @tool(response_format="content_and_artifact")
    def z3(program: str) -> tuple[str, dict[str, Any]]:
        """Give the outcome in the program."""
        outcome = program.rpartition("#")[2].strip()
        return outcome, {"ok": True, "outcome": outcome or None}

    @tool(response_format="content_and_artifact")
    def search(query: str) -> tuple[str, dict[str, Any]]:
        """Find what is asked for."""
        hits = [{"title": "t", "text": query}] if "found" in query else []
        return str(hits), {"ok": True, "hits": hits}

    return {"python": python, "z3": z3, "search": search}


def program(said: str) -> str:
    """An action that runs a program in which a stub finds ``said``."""
    body = f"def solver():\n    return sum(range(48))  # {said}"
    return f"Thought: look\nAction: Use Python Interpreter[\n{body}\n]\nObservation: made up"


def proof(outcome: str) -> str:
    """An action that runs a Z3 program for which a stub says ``outcome``."""
    return f"Thought: look\nAction: Use Theorem Prover[\nSolver().check()  # {outcome}\n]"


def question(text: str) -> str:
    """An action that looks something up."""
    return f"Thought: look\nAction: Use Search Engine[{text}]"
