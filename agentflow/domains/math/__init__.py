"""Mathematics: every equation that a line states about numbers is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from agentflow.domains import answers
from agentflow.domains.math.claims import Claim, is_plain, judge
from agentflow.domains.math.equations import claims, introduces_doubt, is_prose
from agentflow.domains.math.symbolic import judge_all
from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.equality import normal_form
from agentflow.verdict import Verdict

MAX_PROBLEM = 100_000
"""Characters that a problem may have."""

_FINAL = re.compile(r"(?im)^\s*(?:A|Final answer|Answer)\s*:\s*(.+)$|^\s*####\s*(.+)$")
_STATED = re.compile(r"nswer|\\boxed|####|(?m:^\s*A\s*:)")
"""What a text has that states an answer."""


class Math(Domain):
    """Questions with a mathematical answer.

    States have two kinds. A ``step`` is a line that states equations about numbers, or identities;
    a ``candidate`` is a boxed expression or an answer line. A step is refuted, with the error kind
    ``arithmetic``, only where an equation of it is surely wrong; it passes where all of them hold.
    Whether an answer is right cannot be told without the gold one.
    """

    name = "math"
    description = "A mathematical question; the arithmetic of every step is checked."
    example = "Ann has 3 boxes of 12 eggs and sells 20. How many are left?"
    tools: ClassVar[Mapping[str, str]] = {"python": "sandbox", "equality": "math_verify"}

    def parse(self, text: str, id: str = "") -> Problem:
        """The question in ``text``.

        Raises:
            BadInput: If it is empty or too long.
        """
        question = text.strip()
        if not question:
            raise BadInput(f"math: the question is empty; example: {self.example}")
        if len(question) > MAX_PROBLEM:
            raise BadInput(f"math: the question has more than {MAX_PROBLEM:,} characters")
        return Problem(question, self.name, id or question[:60], data={"question": question})

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The states of one line; what it ends in is remembered for a line that goes on with =.

        Equations that a sentence of doubt introduces (``Check:``) are not read.
        """
        end = offset + len(line)
        if not line.strip():
            return memory, []
        doubt = bool(memory.get("doubt")) and not is_prose(line)
        found, ending = claims(line, memory.get("ending", ""))
        states = []
        if found and not doubt:
            data = {"claims": [asdict(claim) for claim in found]}
            states.append(State("step", data, offset, end))
        if (stated := _stated(line)) is not None:
            states.append(State("candidate", {"answer": stated}, offset, end))
        kept: dict[str, Any] = {"ending": ending} if ending else {}
        return kept | ({"doubt": True} if doubt or introduces_doubt(line) else {}), states

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Judge one step by itself; a candidate cannot be judged."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        found = [Claim(**claim) for claim in state.data["claims"]]
        judged = {claim: judge(claim) for claim in found if is_plain(claim)}
        if not any(one.ok is False for one in judged.values()):
            rest = [claim for claim in found if claim not in judged]
            judged |= zip(rest, await judge_all(self.toolbox, rest), strict=True)
        for claim in found:
            if claim in judged and judged[claim].ok is False:
                return Verdict(False, judged[claim].reason, "arithmetic", source=self.name)
        oks = [judged[claim].ok for claim in found]
        evidence = {"claims": len(oks), "hold": oks.count(True)}
        return Verdict(None if None in oks else True, source=self.name, evidence=evidence)

    def answer(self, text: str) -> str | None:
        """The answer in a final text: the last boxed expression, else the last answer line."""
        return _stated(text)

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Nobody can tell without the gold answer, which no method reads."""
        return Verdict(None, "there is no verifier of final answers", source=self.name)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The answer in a plain spelling."""
        return normal_form(answer) or None

    async def equal(self, problem: Problem, one: str, other: str) -> bool:
        """Whether two answers are equal in mathematics."""
        use = await self.toolbox.use("equality", answer=one, gold=other)
        return isinstance(use.artifact, dict) and use.artifact.get("equal") is True


def _stated(text: str) -> str | None:
    """The answer that a text states last: boxed, else in an answer line."""
    if not _STATED.search(text):
        return None
    if "\\boxed" in text and (boxed := list(answers.boxed(text))):
        return boxed[-1].strip() or None
    lines = [found[1] or found[2] for found in _FINAL.finditer(text)] or answers.LINE.findall(text)
    return lines[-1].strip(" \t\r\n*.:$") or None if lines else None
