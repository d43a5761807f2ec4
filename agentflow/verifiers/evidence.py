"""What tools found of a solution, and what may be said of it (paper 004, 3.2 and F).

The model evaluates; these rules are not its own. A Correct is never let through against a tool:
once a call found otherwise, a later one that agrees does not undo it, for its program was written
anew by who wants it to agree, maybe because the solution says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agentflow.domains.protocol import Domain
from agentflow.problem import Problem
from agentflow.tools.toolbox import Use
from agentflow.tools.z3_tool import outcome_of
from agentflow.verdict import Verdict
from agentflow.verifiers.programs import states_result

Outcome = Literal[
    "value",
    "no_value",
    "stated",
    "found",
    "nothing",
    "error",
    "agree",
    "contradict",
    "uncertain",
    "unsolvable",
    "no_outcome",
    "passed",
    "refuted",
    "cannot_tell",
]
"""How a call ended. ``stated``: the program holds its own result. The last three are a domain's."""

SOURCE = "verifiagent"

_DECISIVE = ("value", "found", "agree", "contradict", "uncertain", "passed", "refuted")
_MAX_ANSWER = 1000
"""A longer value is no answer."""
_STEP = re.compile(r"\bstep\s{0,3}#?(\d{1,4})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one call of a tool says of the solution.

    Attributes:
        outcome: How it ended.
        agrees: Whether it bears the solution out, where that can be told without a model.
        note: What the model is told of it beside what the tool says.
    """

    outcome: Outcome
    agrees: bool | None = None
    note: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is evidence at all."""
        return self.outcome in _DECISIVE


async def found(use: Use, domain: Domain, problem: Problem, answer: str | None) -> Finding:
    """What a call found: Python's value against the solution's answer, Z3's outcome, hits."""
    artifact = use.artifact if isinstance(use.artifact, dict) else {}
    if use.error or artifact.get("ok") is False:
        return Finding("error")
    if use.role == "search":
        return Finding("found" if artifact.get("hits", use.content.strip()) else "nothing")
    program = use.arguments.get({"python": "code", "z3": "program"}.get(use.role, ""), "")
    python = use.arguments.get("language", "python") == "python"
    handed = use.arguments.get("data") is not None  # what a native call may hand to a program
    if handed or (python and states_result(use.role, str(program), problem.text)):
        return Finding("stated", note="The program only states its result; have it work it out.")
    if use.role == "z3":
        outcome = outcome_of(artifact.get("outcome")) or outcome_of(use.content.strip())
        if outcome is None:
            return Finding("no_outcome", note="There is no outcome; end it with ans = main().")
        return Finding(outcome, {"agree": True, "unsolvable": None}.get(outcome, False))
    value = artifact.get("value", None if artifact else use.content.strip())
    if value is None:
        return Finding("no_value", note="There is no value; end it with ans = solver().")
    form = domain.normalise(problem, answer) if answer is not None else None
    truths = [domain.normalise(problem, str(truth)) for truth in (True, False)]
    if isinstance(value, bool) and (form is None or form not in truths):
        return Finding("no_value", note="A truth value is no answer; let ans be the answer itself.")
    text = str(artifact.get("shown", value)) if isinstance(value, list | dict) else str(value)
    agrees, note = await _compared(text, answer if form else None, domain, problem)
    return Finding("value", agrees, note)


async def _compared(
    value: str, answer: str | None, domain: Domain, problem: Problem
) -> tuple[bool | None, str]:
    """A program's value against the solution's answer; None where they cannot be compared."""
    if len(value) > _MAX_ANSWER or domain.normalise(problem, value) is None:
        return None, ""
    if answer is None:
        return False, "The solution states no answer that can be read."
    if await domain.equal(problem, value, answer):
        return True, "It is the solution's answer."
    if domain.decides(problem):  # several answers may be right
        if (await domain.verify_answer(problem, value)).ok is False:
            return None, ""
        if (await domain.verify_answer(problem, answer)).ok:
            return True, "The solution's answer is another one that is right."
    return False, "The solution's answer is another one."


def tools_say(calls: Sequence[Mapping[str, Any]]) -> bool | None:
    """What the calls come to: False once one disagrees, True where one agrees, else None."""
    said = [call["agrees"] for call in calls]
    return False if False in said else True if True in said else None


def any_evidence(calls: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a call found something; a tool that failed, or found nothing, did not."""
    return any(call["outcome"] in _DECISIVE for call in calls)


def disagreement(meta: bool | None, calls: Sequence[Mapping[str, Any]], evaluated: bool) -> str:
    """How the layers disagree, in words; empty where they do not."""
    words = {True: "correct", False: "incorrect"}
    said = {
        "the look at the solution's form": meta,
        "the tools": tools_say(calls),
        "your evaluation": evaluated,
    }
    if len({ok for ok in said.values() if ok is not None}) < 2:
        return ""
    return "; ".join(f"{who}: {words[ok]}" for who, ok in said.items() if ok is not None)


def concluded(
    evaluation: Mapping[str, Any],
    meta: Mapping[str, Any] | None,
    calls: Sequence[Mapping[str, Any]],
    evidence: dict[str, Any],
    *,
    with_tools: bool,
) -> Verdict:
    """The verdict.

    Args:
        evaluation: The last: ``ok``, ``reason``, ``v_score``, and ``kind`` and ``first_wrong_step``
            where they are known; ``error`` where it gave none.
        meta: What meta verification found; None where it did not run or could not be read.
        calls: Those that were made, with ``agrees`` and ``outcome``.
        evidence: What the verdict is to show.
        with_tools: Whether tools were to be used.
    """
    ok, score = evaluation.get("ok"), evaluation.get("v_score")
    reason = evaluation.get("reason", "")

    def cannot_tell(kind: str, why: str) -> Verdict:
        return Verdict(None, why, kind, score, None, SOURCE, evidence)

    if with_tools and not any_evidence(calls):
        return cannot_tell(evaluation.get("kind", "no_evidence"), _unproved(evaluation, calls))
    if ok is None:
        return cannot_tell(evaluation.get("kind", "malformed"), evaluation.get("error", ""))
    if ok and tools_say(calls) is False:
        against = next(call for call in calls if call["agrees"] is False)
        why = f"{against['tool']} found otherwise: {against['observation']}"
        return cannot_tell("evidence_against", f"it was said to be correct, but {why}"[:2000])
    if ok:
        return Verdict(True, "", "", score, None, SOURCE, evidence)
    step = evaluation.get("first_wrong_step")
    step = wrong_step(reason, meta) if step is None else step
    kind = evaluation.get("kind") or _kind(step, meta, calls)
    reason = reason or "the solution is incorrect"
    return Verdict(False, reason, kind, score, step, SOURCE, evidence)


def wrong_step(reason: str, meta: Mapping[str, Any] | None) -> int | None:
    """The first step that a reason names, from 0, counted as in the steps that meta found."""
    named = _STEP.search(reason)
    step = int(named[1]) - 1 if named else -1
    return step if 0 <= step < (len(meta["steps"]) if meta else step + 1) else None


def _kind(
    step: int | None, meta: Mapping[str, Any] | None, calls: Sequence[Mapping[str, Any]]
) -> str:
    if meta and not meta["complete"]:
        return "incomplete"
    if step is not None:
        return "wrong_step"
    return "wrong_answer" if tools_say(calls) is False else "incorrect"


def _unproved(evaluation: Mapping[str, Any], calls: Sequence[Mapping[str, Any]]) -> str:
    if why := evaluation.get("error"):
        return str(why)
    if not calls:
        return "no tool was used"
    return f"no tool found anything; the last: {calls[-1]['observation']}"[:2000]
