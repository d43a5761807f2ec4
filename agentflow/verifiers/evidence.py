"""What tools found of a solution, and what may be said of it (VerifiAgent, 3.2 and F).

The model evaluates; these rules are not its own. A Correct is never let through against a finding
about the answer: once a call found otherwise, a later one that agrees does not undo it, for its
program was written anew by who wants it to agree, maybe because the solution says so.

A finding speaks of the final answer, of a value on the way to it, or of a statement, and its sign
is relative to the answer: where Z3 contradicts a statement, the answer "False" is borne out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agentflow.domains.protocol import Domain
from agentflow.own_parts import equal_of, verdict_of
from agentflow.problem import Problem
from agentflow.tools.findings import failed, found_by, value_by
from agentflow.tools.toolbox import Use
from agentflow.tools.z3_tool import Outcome as Proved
from agentflow.tools.z3_tool import outcome_of
from agentflow.verdict import Verdict
from agentflow.verifiers.on_the_way import goes_on_with
from agentflow.verifiers.programs import numbers_left_out, states_result

Outcome = (
    Literal["value", "no_value", "stated", "found", "nothing", "error"]
    | Proved
    | Literal["no_outcome", "passed", "refuted", "cannot_tell"]
)
"""How a call ended. ``stated``: the program holds its own result. The last three are a domain's."""

About = Literal["answer", "intermediate", "unclear", "statement"]
"""What a call speaks of: the final answer; a value from which the solution goes on to its answer;
a value that may be meant as either; a statement."""

SOURCE = "verifiagent"
CORRECT = "correct"
"""Under which the evidence has :func:`correctness`."""

_DECISIVE = ("value", "found", "agree", "contradict", "uncertain", "passed", "refuted")
_MAX_ANSWER = 1000
"""A longer value is no answer."""
TRUTHS = {
    "agree": ("True", "Yes"),
    "contradict": ("False", "No"),
    "uncertain": ("Uncertain", "Unknown"),
}
"""What Z3 finds of a statement -> the answer that says the same."""
_NUMBER = re.compile(r"\d{1,300}(?:\.\d{1,300})?")
_STEP = re.compile(r"\bstep\s{0,3}#?(\d{1,4})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one call of a tool says of the solution.

    Attributes:
        outcome: How it ended.
        agrees: Whether it bears the solution's answer out, where that can be told without a model.
        note: What the model is told of it beside what the tool says.
        about: What it speaks of.
    """

    outcome: Outcome
    agrees: bool | None = None
    note: str = ""
    about: About = "answer"

    @property
    def counts(self) -> bool:
        """Whether it is evidence at all."""
        return self.outcome in _DECISIVE


async def found(
    use: Use,
    domain: Domain,
    problem: Problem,
    answer: str | None,
    steps: Sequence[str] = (),
    *,
    claims: bool = False,
) -> Finding:
    """What a call found: Python's value, and Z3's outcome, against the solution's answer; hits.

    Args:
        answer: The solution's; None where it states none that can be read.
        steps: The solution's, in which a value may be one on the way.
        claims: Whether a Z3 program checks what the solution claims, the negation where it says
            False, instead of the problem's own statement.
    """
    artifact = use.fields
    if failed(use):
        return Finding("error")
    if use.role == "search":
        return Finding("found" if found_by(use) else "nothing", about="statement")
    first = next(iter(use.arguments.values()), "")  # of a tool that calls its argument otherwise
    program = str(use.arguments.get({"python": "code", "z3": "program"}.get(use.role, ""), first))
    python = use.arguments.get("language", "python") == "python"
    handed = use.arguments.get("data") is not None  # what a native call may hand to a program
    if handed or (python and states_result(use.role, program, problem.text)):
        return Finding("stated", note="The program only states its result; have it work it out.")
    if use.role == "z3":
        outcome = outcome_of(artifact.get("outcome")) or outcome_of(use.content.strip())
        if outcome is None:
            return Finding("no_outcome", note="There is no outcome; end it with ans = main().")
        if claims and outcome != "unsolvable":
            return Finding(outcome, outcome == "agree")
        return _proved(outcome, program, domain, problem, answer)
    value = artifact.get("value") if artifact else value_by(use)
    if value is None:
        return Finding("no_value", note="There is no value; end it with ans = solver().")
    form = domain.normalise(problem, answer) if answer is not None else None
    truths = [domain.normalise(problem, str(truth)) for truth in (True, False)]
    truth = isinstance(value, bool) or (not artifact and str(value).lower() in ("true", "false"))
    if truth and (form is None or form not in truths):
        return Finding("no_value", note="A truth value is no answer; let ans be the answer itself.")
    text = str(artifact.get("shown", value)) if isinstance(value, list | dict) else str(value)
    read = len(text) <= _MAX_ANSWER and domain.normalise(problem, text) is not None
    if not (artifact or read):
        return Finding("no_value", note="What it says is no answer to the problem.")
    agrees, note = await _compared(text, answer if form else None, domain, problem)
    terms = goes_on_with(text, form, steps) if agrees is False and form else None
    if terms:
        note = "The solution goes on from this value to its answer. Work out the answer, too."
        later = numbers_left_out(program, problem.text) & {float(term) for term in terms}
        return Finding("value", None, note, "intermediate" if later else "unclear")
    return Finding("value", agrees, note)


def _proved(
    outcome: Outcome, program: str, domain: Domain, problem: Problem, answer: str | None
) -> Finding:
    """What Z3 found of a statement, against an answer that says what is true of it; of another
    answer the statement is the claim that it is right, where it names that answer's number."""
    form = domain.normalise(problem, answer) if answer is not None else None
    if outcome == "unsolvable":
        return Finding(outcome, about="statement")
    for said, words in TRUTHS.items():
        if form is not None and form in [domain.normalise(problem, word) for word in words]:
            note = "It bears the solution's answer out." if said == outcome else ""
            return Finding(outcome, said == outcome, note, "statement")
    number = _NUMBER.fullmatch(form.lstrip("-")) if form is not None else None
    if number and float(number[0]) not in map(float, _NUMBER.findall(program)):
        note = "The program does not speak of the solution's answer."
        return Finding(outcome, None, note, "statement")
    return Finding(outcome, outcome == "agree", about="answer" if number else "statement")


async def _compared(
    value: str, answer: str | None, domain: Domain, problem: Problem
) -> tuple[bool | None, str]:
    """A program's value against the solution's answer; None where they cannot be compared."""
    if len(value) > _MAX_ANSWER or domain.normalise(problem, value) is None:
        return None, ""
    if answer is None:
        return False, "The solution states no answer that can be read."
    equal = await equal_of(domain, problem, value, answer)
    if equal:
        return True, "It is the solution's answer."
    if equal is None:
        return None, ""
    if domain.decides(problem):  # several answers may be right
        if (await verdict_of(domain, "verify_answer", problem, value)).ok is False:
            return None, ""
        if (await verdict_of(domain, "verify_answer", problem, answer)).ok:
            return True, "The solution's answer is another one that is right."
    return False, "The solution's answer is another one."


def tools_say(calls: Sequence[Mapping[str, Any]]) -> bool | None:
    """What the calls come to for the answer: False once one disagrees, True where one agrees, else
    None. A value on the way says nothing of it."""
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
        calls: Those that were made, with ``agrees``, ``outcome`` and ``about``.
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
    unclear = [call for call in calls if call.get("about") == "unclear"]
    if ok and unclear and tools_say(calls) is None:
        why = f"{unclear[-1]['observation']}, from which the solution goes on; not its answer"
        return cannot_tell("no_evidence", f"{unclear[-1]['tool']} found only {why}"[:2000])
    if ok:
        return Verdict(True, "", "", score, None, SOURCE, evidence)
    step = evaluation.get("first_wrong_step")
    step = wrong_step(reason, meta) if step is None else step
    kind = evaluation.get("kind") or _kind(step, meta, calls)
    reason = reason or "the solution is incorrect"
    return Verdict(False, reason, kind, score, step, SOURCE, evidence)


def correctness(evaluation: Mapping[str, Any]) -> float | None:
    """How likely *Correct* is to the model, in [0, 1]: V_score says how sure it was of the word
    that it wrote, and what one of two words lacks is the other's.

    Returns:
        None where there is no evaluation, or it came without a V_score.
    """
    ok, score = evaluation.get("ok"), evaluation.get("v_score")
    if ok is None or score is None:
        return None
    return float(score if ok else 1 - score)


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


def chance_right(verdict: Verdict) -> float:
    """How likely a solution is right by its verdict: its score; one without says 1 or 0. Where it
    cannot tell, that counts half: such a solution may be better than another one, but is no good
    one yet.

    VerifiAgent's own score is how sure it was of its word, right or wrong; of its evidence counts
    how likely the solution is right.
    """
    likely: float | None = verdict.evidence.get(CORRECT)
    if likely is None:
        likely = verdict.score
    if likely is None:
        likely = float(verdict.ok is not False)
    return likely / 2 if verdict.ok is None else likely
