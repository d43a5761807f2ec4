"""A program in the place of a solution: written by the solver, run in the sandbox, mended."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from typing import Any, Literal

from pydantic import Field

from agentflow import prompts
from agentflow.channels import AnswerVerdict, Sample
from agentflow.domains import Domain
from agentflow.domains.python import explanations, remarks
from agentflow.domains.python.blocks import blocks
from agentflow.ledger import Entries
from agentflow.models.model import segment
from agentflow.models.structured.around import points_ahead
from agentflow.monitors.monitor import Intervention
from agentflow.nodes.announced import announced
from agentflow.nodes.finish import answer_of
from agentflow.nodes.judging import Judging
from agentflow.nodes.restart import next_attempt
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solution import begin_again, told_again
from agentflow.nodes.tool_calls import tools_of, use_of
from agentflow.nodes.vote import settled, voted
from agentflow.own_parts import verdict_of
from agentflow.problem import Problem
from agentflow.profile import Piece
from agentflow.settings import Few, Settings
from agentflow.tools.findings import failed as failed_to_run
from agentflow.tools.findings import value_by
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.tools.toolbox import Use
from agentflow.tools.z3_tool import outcome_of
from agentflow.verdict import Verdict
from agentflow.verifiers.actions import quoted
from agentflow.verifiers.evidence import TRUTHS

_FOLDER = "program_aided"
_DIGITS = 15
"""Of a floating-point number, that are exact."""
_EXACT = 2**53
"""Below it, so is every whole one."""
_MAX_ANSWER = 10_000
_NO_ANSWERS = ("ellipsis", "nan", "inf", "-inf", "sat", "unsat")
"""What a program may come to where its calculation, or Z3, has no answer yet."""
_SHOWN = 2_000
"""Characters of what came of a program that the solver is shown."""
_CLOSINGS = {"\\boxed{": "}", "<answer>": "</answer>", "[": "]"}
"""What closes an answer, by what opens it."""
_Z3_MODEL = re.compile(r"\[[^=\[\],\"]{1,100} = ")
"""How a model of Z3 begins, written out: ``[x = 7]``."""
_FORM = re.compile(
    r"\b(?:format|template|placeholder|sample|dummy|examples?|prompt|look|never|can(?:not|['’]t)"
    r"|if\b.*:\W*\Z)(?!\w)",
    re.IGNORECASE,
)
"""What above a program says that it is none."""
_THIS = re.compile(r"\b(?:this|my) (?:program|code|script|snippet|block)\b|<!|~~", re.IGNORECASE)
_NO_BLOCK = "the reply has no block of Python with a beginning (```python) and an end"
_NOT_HELD = "the reply does not say that it holds on to one program; write that one program alone"
_PROGRAM = "program"
"""Whose verdict it is that a program came to no answer."""
NO_SANDBOX = "no_sandbox"
"""The kind of fault that no other program mends."""


class ProgramSettings(Settings):
    """Settings of program_aided."""

    k: Few = Field(
        default=1,
        description="Programs side by side; of several the most frequent value answers, one that "
        "the domain passed before all others",
    )
    language: Literal["python", "z3"] = Field(
        default="python",
        description="What the program is written for: Python, which works the answer out; or Z3, "
        "which finds it from the problem's conditions",
    )
    mends: int = Field(
        default=2,
        ge=0,
        le=20,
        description="How often a program is written anew, told why, that came to no answer or to "
        "one that the domain refutes",
    )
    fallback: Literal["words", "none"] = Field(
        default="words",
        description="What follows where no program came to an answer that stands: the problem is "
        "solved in words, or there is no answer",
    )

    def unfit(self, domain: Domain, problem: Problem) -> str:
        if not domain.verbatim:
            return ""
        return (
            "program_aided takes the value of a program for the answer, and the answer to this "
            f"problem of {domain.name} is {domain.form}; use direct or verified_sampling"
        )


@node(ProgramSettings, Judging)
async def ask_program(run: Judging[ProgramSettings]) -> Update:
    """Begin an attempt with a prompt that asks for a program; behind one that came to no answer for
    another, told what came of it."""
    settings, verdict = run.settings, run.verdict
    model, domain = await run.model(), await run.domain()
    stated = await prompts.statement(run.problem, model.profile)
    given = {"stated": stated, "form": domain.form}
    system, asked = await prompts.rendered(_FOLDER, settings.language, model.profile, given)
    update, fault = Update(), verdict.reason if verdict else ""
    if verdict:
        given = {"asked": asked, "program": _program(run) or "(none)"} | {"fault": quoted(fault)}
        asked = (await prompts.rendered(_FOLDER, "mend", model.profile, given))[1]
        update = {"verdict": {}} | told_again(run, verdict)
    prompt = await segment(model, "prompt", model.profile.render(asked, system))
    return update | {
        "operations": [run.trace.begin(prompt, fault)],
        "reading": {},
        "attempt": asdict(next_attempt(run)),
    }


@node(ProgramSettings, Judging)
async def put_in_words(run: Judging[ProgramSettings]) -> Update:
    """Begin the last attempt, with the problem as other methods put it."""
    reason = run.verdict.reason if run.verdict else ""
    return await begin_again(run, (), {}, reason) | {"verdict": {}}


@node(ProgramSettings, Judging)
async def run_program(run: Judging[ProgramSettings]) -> Update:
    """Run the program that the last stream wrote.

    Its value becomes the trace's answer. What came instead of one, or what the domain has against
    it, is the verdict, behind which the program is written anew; where no attempt is left, the
    sample ends with it.
    """
    settings, domain, program = run.settings, await run.domain(), _program(run)
    if not program:
        written = blocks(run.trace.split(run.close)[1] or "")
        whole = bool(written) and written[-1].closed and bool(written[-1].opening)
        return _failed(run, _NOT_HELD if whole else _NO_BLOCK, "no_program")
    log = run.tool_log(f"program/{run.branch}/{len(run.operations)}")
    use = await use_of(await tools_of(settings, domain), settings.language, program, log)
    run.spent(log.entries)
    spent = {"ledger": log.entries}
    try:
        answer = answer_in(domain, run.problem, value_of(use))
    except NoValue as error:
        kind = NO_SANDBOX if _failure(use) == SandboxUnavailable.__name__ else "no_value"
        return spent | _failed(run, str(error)[:_SHOWN], kind)
    verdict, cost = await _judged(run, answer)
    spent["ledger"] |= cost
    if verdict and verdict.ok is False and settings.require != "nothing":
        why = f"the program's value is {domain.shown(answer)}, which is wrong: {verdict.reason}"
        return spent | _failed(run, why[:_SHOWN], "refuted")
    model, trace = await run.model(), run.trace
    begun = trace.begin(trace.segments[0], "the program's value is the answer")
    closing = model.profile.closing if run.close else []
    said = await segment(model, "marker", [*closing, Piece(stated_as(domain, answer))])
    update = spent | (announced(run, "domain", verdict) if verdict else {})
    ended = asdict(replace(run.stream, ended="stop"))  # also where it was cut off behind its end
    return update | {
        "operations": [begun, said.operation()],
        "reading": {},
        "stream_end": ended,
    }


@node(ProgramSettings, Judging)
async def judge_words(run: Judging[ProgramSettings]) -> Update:
    """Have the domain judge an answer in words as it does a program's, so that the better of two
    samples wins."""
    answer = answer_of(run, await run.domain())
    verdict, cost = (None, {}) if answer is None else await _judged(run, answer)
    return {"ledger": cost} | (announced(run, "domain", verdict) if verdict else {})


@node(ProgramSettings, Judging)
async def settle_program(run: Judging[ProgramSettings]) -> Update:
    """What this sample came to, and whether a program or words answered; where neither did, what
    became of the last program, too."""
    sample = await settled(run)
    if sample.said is not None:
        words = any(one.kind == "generated" for one in run.trace.segments)  # else it is the value
        by = "in words" if words else "by a program"
        sample = replace(sample, reason=f"{sample.reason}; answered {by}")
    elif not failed(run) and (fault := _fault_before(run)):
        sample = replace(sample, reason=f"{sample.reason}; the last program: {fault}")
    return {"samples": [sample.plain()]}


@node(ProgramSettings)
async def vote_on_programs(run: Run[ProgramSettings]) -> Update:
    """The answer that most samples gave; the domain, which judged each, is not asked again."""
    return await voted(run, _final)


def _final(sample: Sample) -> AnswerVerdict | None:
    """The domain's verdict on the sample's answer; None where it was not asked."""
    verdict = sample.verdict
    if verdict is None or verdict.verifier != "domain":
        return None
    plain = {one.name: getattr(verdict, one.name) for one in fields(Verdict)}
    return AnswerVerdict(**plain, answer=sample.said)


def _fault_before(run: Judging[ProgramSettings]) -> str:
    """What came of the program before this attempt; empty for the first."""
    begun = [one for one in run.operations if one["op"] == "begin"]
    return str(begun[-1]["reason"]) if run.attempt.number else ""


async def _judged(run: Judging[ProgramSettings], answer: str) -> tuple[Verdict | None, Entries]:
    """The domain's verdict on an answer, and what its tools cost; None where it is asked about
    none."""
    log = run.tool_log(f"verify/{run.branch}/{len(run.operations)}")
    domain = await run.domain(log)
    if not (run.settings.judge_answers and domain.checks(run.problem)):
        return None, {}
    verdict = await verdict_of(domain, "verify_answer", run.problem, answer)
    run.spent(log.entries)
    return verdict, log.entries


class NoValue(ValueError):
    """A program that came to no answer; says why, to the model."""


def value_of(use: Use) -> Any:
    """What a program came to (:func:`~agentflow.tools.findings.value_by`), as plain JSON.

    Raises:
        NoValue: If it failed, or has no value.
    """
    if failed_to_run(use):
        raise NoValue(use.content or "it failed")
    value = value_by(use)
    value = _only_value(value) if isinstance(value, str) else value
    if value in (None, "", "null") or str(value).lower() in _NO_ANSWERS:
        raise NoValue("the program came to no value; have it set `ans` to the answer")
    return value


def _only_value(text: str) -> str:
    """The value in a model of Z3 that has one variable; any other text as it is.

    Raises:
        NoValue: If it is a model of several, or of a function: it does not say which is meant.
    """
    begins = _Z3_MODEL.match(text)
    if begins is None or not text.endswith("]"):
        return text
    value = text[begins.end() : -1]
    if " = " in value or "->" in value:
        raise NoValue(
            f"the program's value is a whole model, {text[:200]}; have it set `ans` to what is "
            "asked for"
        )
    return value.strip('"')


def answer_in(domain: Domain, problem: Problem, value: Any) -> str:
    """A value as an answer in the domain's form: a truth also as Yes or No, what Z3 found of a
    statement as the truth that it is.

    Raises:
        NoValue: If it is no answer, or none that would be read as this one.
    """
    answer = None
    for text in _texts(value):
        said = domain.answer(stated_as(domain, text)) if len(text) <= _MAX_ANSWER else None
        form = domain.normalise(problem, text)
        if form is not None and said is not None and domain.normalise(problem, said) == form:
            return text
        answer = text if answer is None and form is not None else answer
    if answer is not None:
        unread = f"is an answer, but the domain does not read it behind {domain.opening!r}"
        raise NoValue(f"the program's value {answer[:200]!r} {unread}")
    raise NoValue(f"the program's value is {next(_texts(value))[:200]}, and not {domain.form}")


def _texts(value: Any) -> Iterator[str]:
    """A value as a text, in the ways that domains may read it."""
    plain = _rounded(value)
    if isinstance(plain, str):
        yield plain.strip()
        if plain.startswith("{"):  # a set, in a box
            yield plain.strip().replace("{", "\\{").replace("}", "\\}")
    elif isinstance(plain, list) and plain and not any(isinstance(e, list | dict) for e in plain):
        yield ", ".join(map(str, plain))
    if isinstance(plain, bool):
        yield str(plain)
        yield "Yes" if plain else "No"
    elif not isinstance(plain, str):
        yield json.dumps(plain, ensure_ascii=False)
    yield from TRUTHS.get(outcome_of(plain) or "", ())


def _rounded(value: Any) -> Any:
    """A value without the rounding of floating point: 6.0 is 6, and 0.1 + 0.2 is 0.3."""
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, float):
        value = float(f"{value:.{_DIGITS}g}")
        return int(value) if value.is_integer() and abs(value) < _EXACT else value
    return value


def stated_as(domain: Domain, answer: str) -> str:
    """An answer as the domain's problems ask for it."""
    opening = "" if answer.startswith(domain.opening) else domain.opening
    return f"\n{opening}{answer}{_CLOSINGS.get(opening, '')}"


def program_in(reply: str, *, mended: bool = False) -> str:
    """The block of Python that a reply holds on to, else one that names no language; empty where
    there is none. Of several that differ it is the last one, if the reply says that it takes the
    place of the others; it is none where the last has no end.

    Args:
        mended: Whether it takes the place of an earlier program, whose fault may be spoken of.
    """
    as_json = reply.lstrip().startswith(("{", "```json"))
    found = [one for one in blocks(reply) if one.opening or not as_json]
    if not found or not found[-1].closed:
        return ""
    *others, last = [one for one in found if one.opening.strip("`~ \t\n")] or found
    others = [one for one in others if one.code.strip() != last.code.strip()]
    for one in others:
        if not (remarks.chosen(last.above) or remarks.taken_back(reply[one.end :])):
            return ""
    behind = reply[last.end :]
    explained = explanations.explained(behind, mended=mended or bool(others))
    if not explained or remarks.taken_back(behind) or remarks.disowned(last.code):
        return ""
    return last.code if _leads(last.above) else ""


def _leads(above: str) -> bool:
    """Whether the line above a program announces it; one that is finished may also say what was
    wrong with an earlier one."""
    if _FORM.search(above):
        return False
    ends = above.rstrip("*_ ").endswith((".", "!")) and not _THIS.search(above)
    return (ends and not points_ahead(above)) or explanations.announced(above)


def _program(run: Judging[ProgramSettings]) -> str:
    mended = run.attempt.number > 0
    return program_in(run.trace.split(run.close)[1] or "", mended=mended)


def _failed(run: Judging[ProgramSettings], reason: str, kind: str) -> Update:
    """The update of a program that came to no answer. The sample ends with it, unless another
    attempt follows."""
    wanted = Intervention("abstain", len(run.trace.body), "", reason, _PROGRAM)
    ended = replace(run.stream, ended="abstained", intervention=wanted)
    verdict = Verdict(False, reason, kind, source=_PROGRAM)
    return announced(run, _PROGRAM, verdict) | {"stream_end": asdict(ended)}


def failed(run: View[ProgramSettings]) -> bool:
    """Whether the last program came to no answer that stands."""
    return run.verdict is not None and run.verdict.verifier == _PROGRAM


def _failure(use: Use) -> str:
    """The type of what a sandbox says went wrong."""
    failure = use.fields.get("failure")
    return str(failure.get("type", "")) if isinstance(failure, dict) else ""
