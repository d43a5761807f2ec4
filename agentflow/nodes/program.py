"""A program in the place of a solution: written by the solver, run in the sandbox, mended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any, Literal

from langchain_core.messages import ToolCall
from pydantic import Field

from agentflow import prompts
from agentflow.domains import Domain
from agentflow.domains.python.blocks import blocks
from agentflow.models.model import segment
from agentflow.monitors.monitor import Intervention
from agentflow.nodes.announced import announced
from agentflow.nodes.judging import Judging
from agentflow.nodes.restart import next_attempt
from agentflow.nodes.run import Update, View, node
from agentflow.nodes.solution import begin_again, told_again
from agentflow.nodes.tool_calls import call_tool, tools_of
from agentflow.problem import Problem
from agentflow.profile import Piece
from agentflow.settings import Few, Settings
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.tools.toolbox import Use
from agentflow.tools.z3_tool import outcome_of
from agentflow.verdict import Verdict
from agentflow.verifiers.actions import TOOLS
from agentflow.verifiers.evidence import TRUTHS

_FOLDER = "program_aided"
_DIGITS = 12
"""Of a floating-point value that are shown."""
_SHOWN = 2_000
"""Characters of what came of a program that the solver is shown."""
_CLOSINGS = {"\\boxed{": "}", "<answer>": "</answer>", "[": "]"}
"""What closes an answer, by what opens it."""
_NO_SANDBOX = "no_sandbox"
"""The kind of fault that no other program mends."""


class ProgramSettings(Settings):
    """Settings of program_aided."""

    k: Few = Field(
        default=1, description="Programs side by side; of several the most frequent value answers"
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
        description="How often a program is written anew that came to no answer, told why",
    )
    fallback: Literal["words", "none"] = Field(
        default="words",
        description="What follows where no program came to an answer: the problem is solved in "
        "words, or there is no answer",
    )


def after_program(run: View[ProgramSettings]) -> Literal["ask", "words", "settle"]:
    """Another program behind one that came to no answer, as often as it may be mended; then words,
    where they are the fallback."""
    settings, fault = run.settings, run.verdict
    if fault is None:
        return "settle"
    if fault.kind != _NO_SANDBOX and run.attempt.number <= settings.mends:
        return "ask"
    return "words" if settings.fallback == "words" else "settle"


@node(ProgramSettings, Judging)
async def ask_program(run: Judging[ProgramSettings]) -> Update:
    """Begin an attempt with a prompt that asks for a program; behind one that came to no answer for
    another, told what came of it."""
    settings, verdict = run.settings, run.verdict
    model, domain = await run.model(), await run.domain()
    stated = await prompts.statement(run.problem, model.profile)
    fields = {"stated": stated, "form": domain.form}
    system, asked = await prompts.rendered(_FOLDER, settings.language, model.profile, fields)
    update, fault = Update(), verdict.reason if verdict else ""
    if verdict:
        fields = {"asked": asked, "program": _program(run), "fault": fault}
        asked = (await prompts.rendered(_FOLDER, "mend", model.profile, fields))[1]
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

    Its value becomes the trace's answer. What came instead of one is the verdict, behind which the
    program is written anew; where no attempt is left, the sample ends with it.
    """
    settings, domain, program = run.settings, await run.domain(), _program(run)
    if not program:
        return _failed(run, "there is no block of code in the reply", "no_program")
    log = run.tool_log(f"program/{run.branch}/{len(run.operations)}")
    by_role = await tools_of(settings, domain)
    name = settings.language
    arguments = {TOOLS[name][1]: program}
    call: ToolCall = {"name": name, "args": arguments, "id": "0", "type": "tool_call"}
    use = (await call_tool(by_role, call, (), log, log.limit)).use
    run.spent(log.entries)
    spent = {"ledger": log.entries}
    try:
        answer = answer_in(domain, run.problem, value_of(use))
    except NoValue as error:
        kind = _NO_SANDBOX if SandboxUnavailable.__name__ in use.content else "no_value"
        return spent | _failed(run, str(error)[:_SHOWN], kind)
    model, trace = await run.model(), run.trace
    begun = trace.begin(trace.segments[0], "the program's value is the answer")
    closing = model.profile.closing if run.close else []
    said = await segment(model, "marker", [*closing, Piece(stated_as(domain, answer))])
    return spent | {"operations": [begun, said.operation()], "reading": {}}


class NoValue(ValueError):
    """A program that came to no answer; says why, to the model."""


def value_of(use: Use) -> Any:
    """What a program came to: its value, else the one line that it printed; as plain JSON.

    Raises:
        NoValue: If it failed, has no value, or Z3 found nothing.
    """
    artifact = use.artifact if isinstance(use.artifact, dict) else {}
    if use.error or artifact.get("ok") is False:
        raise NoValue(use.content or "it failed")
    if artifact.get("outcome") == "unsolvable":
        raise NoValue(f"Z3 cannot tell: {artifact.get('reason')}")
    value = artifact.get("value") if artifact else use.content
    if value is None:
        value = artifact.get("stdout") or artifact.get("output") or ""
    if isinstance(value, str) and len(value.strip().splitlines()) != 1:
        raise NoValue("the program came to no value; have it set `ans` to the answer")
    return value


def answer_in(domain: Domain, problem: Problem, value: Any) -> str:
    """A value as an answer in the domain's form: a truth also as Yes or No, what Z3 found of a
    statement as the truth that it is.

    Raises:
        NoValue: If it is no answer.
    """
    for text in _texts(value):
        if domain.is_answer(problem, text):
            return text
    raise NoValue(f"the program's value is {next(_texts(value))[:200]}, and not {domain.form}")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, float):
        yield f"{value:.{_DIGITS}g}"  # what is behind them is rounding
    elif isinstance(value, str | int):
        yield str(value).strip()
    elif isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        yield ", ".join(map(str, value))
    yield json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        yield "Yes" if value else "No"
    yield from TRUTHS.get(outcome_of(value) or "", ())


def stated_as(domain: Domain, answer: str) -> str:
    """An answer as the domain's problems ask for it."""
    opening = "" if answer.startswith(domain.opening) else domain.opening
    return f"\n{opening}{answer}{_CLOSINGS.get(opening, '')}"


def program_in(reply: str) -> str:
    """The last block of code in a reply that has an end; empty where there is none."""
    return next((one.code for one in reversed(blocks(reply)) if one.closed), "")


def _program(run: Judging[ProgramSettings]) -> str:
    return program_in(run.trace.split(run.close)[1] or "")


def _failed(run: Judging[ProgramSettings], reason: str, kind: str) -> Update:
    """The update of a program that came to no answer. The sample ends with it, unless another
    attempt follows (:func:`after_program`)."""
    wanted = Intervention("abstain", len(run.trace.body), "", reason, "program")
    ended = replace(run.stream, ended="abstained", intervention=wanted)
    verdict = Verdict(False, reason, kind, source="program")
    return announced(run, "program", verdict) | {"stream_end": asdict(ended)}
