"""A whole solution: cut into steps for a verifier, judged by the domain or a person, tried anew."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from agentflow import prompts
from agentflow.channels import Ruling
from agentflow.domains import Domain
from agentflow.models.model import segment
from agentflow.monitors.monitor import Intervention
from agentflow.nodes.announced import announced
from agentflow.nodes.cut_back import cut_back
from agentflow.nodes.finish import answer_of
from agentflow.nodes.judging import Judging
from agentflow.nodes.redraw import drawn_from
from agentflow.nodes.refine import asked
from agentflow.nodes.restart import next_attempt
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.tool_log import ToolLog
from agentflow.settings import Settings
from agentflow.trace import Operation, Segment, Trace
from agentflow.verdict import Verdict
from agentflow.verifiers import DomainVerifier
from agentflow.verifiers import segment as segment_text

NO_ANSWER = "no_answer"
"""The kind of the verdict on a solution that states none."""

_CHARACTERS = 2
"""Characters of solutions for each token of a model's context, at most: about half of it."""


@node(Settings)
async def read_solution(run: Run[Settings]) -> Update:
    """Cut the solution at its hesitations.

    One that states no answer gets its ``verdict`` here: no verifier needs to be asked about it. A
    graph may lead around them (``"settle" if run.verdict else "judge"``), or on to
    :func:`domain_verify`, which leaves that verdict as it is.
    """
    model, domain = await run.model(), await run.domain()
    steps = segment_text(run.trace.body, model.profile.hesitations)
    steps = [step.replace(run.close, "\n") if run.close else step for step in steps]
    answer = answer_of(run, domain)
    update: Update = {"steps": steps, "stated": answer, "verdict": {}}
    if answer is not None:
        return update
    return update | _unanswered(run, domain)


@node(Settings)
async def domain_verify(run: Run[Settings]) -> Update:
    """The domain's own verifiers: the answer, and every step that can be read.

    A solution without an answer is not judged; its verdict is that of :func:`read_solution`.
    """
    tools = run.tool_log(f"verify/{run.branch}/{len(run.operations)}")
    domain = await run.domain(tools)
    if (answer := answer_of(run, domain)) is not None:
        return await _by_domain(run, answer, domain, tools, _noted(run))
    told = run.verdict is not None and run.verdict.kind == NO_ANSWER
    return {} if told else _unanswered(run, domain)


@node(Settings, Judging)
async def domain_judge(run: Judging[Settings]) -> Update:
    """The same of a solution that was given."""
    tools = run.tool_log(f"verify/{run.branch}/0")
    domain = await run.domain(tools)
    if (answer := run.answer(domain)) is None:
        return _unanswered(run, domain)
    return await _by_domain(run, answer, domain, tools, frozenset())


async def _by_domain(
    run: Run[Any], answer: str, domain: Domain, tools: ToolLog, corrected: frozenset[int]
) -> Update:
    """The update of a node that has the domain judge; ``corrected`` as DomainVerifier has it."""
    verifier = DomainVerifier(domain, corrected, run.settings.judge_answers)
    verdict = await verifier.verify_all(run.problem, run.steps, answer)
    run.spent(tools.entries)
    return announced(run, "domain", verdict) | {"ledger": tools.entries}


def _unanswered(run: Run[Any], domain: Domain) -> Update:
    """The verdict on a solution that states no answer."""
    verdict = Verdict(False, "no final answer was given", NO_ANSWER, source=domain.name)
    return announced(run, "answer", verdict)


@node(Settings)
async def ask_person(run: Run[Settings]) -> Update:
    """Pause, and take a person's word for it."""
    domain = await run.domain()
    said = answer_of(run, domain)
    reply = asked(
        {
            "resume": "true to accept this solution, or a text that says what is wrong with it",
            "problem": run.problem.text,
            "answer": said and domain.shown(said),
            "solution": "".join(run.steps),
            "reason": run.verdict.reason if run.verdict else "",
        }
    )
    if reply is True:
        return announced(run, "human", Verdict(True, source="a person"))
    return announced(run, "human", Verdict(False, str(reply), "rejected", source="a person"))


def unmarked(run: View[Any], operations: Sequence[Operation], member: int = 0) -> str:
    """A solution as it stands in another's prompt: without the markers around its thinking.

    Args:
        member: Which of a team wrote it.
    """
    markers = run.begun(member) or run.channels
    close: str = markers.get("close") or ""
    text = Trace(operations).body.removeprefix(markers.get("open") or "")
    return (text.replace(close, "\n") if close else text).strip()


def fitting(texts: Sequence[str], context: int) -> list[str]:
    """The first of several solutions, as many as fit into about half of a model's context of so
    many tokens; one in any case."""
    shown = list(texts)
    while len(shown) > 1 and sum(map(len, shown)) > _CHARACTERS * context:
        shown.pop()
    return shown


@node(Settings)
async def retry(run: Run[Settings]) -> Update:
    """Begin again with a prompt that holds the solution and what is wrong with it (figure 7)."""
    profile, verdict = (await run.model()).profile, rejected(run)
    texts = {
        "solution": "".join(run.steps).removeprefix(profile.think_open).strip(),
        "feedback": verdict.reason,
    }
    update = await begin_again(run, [("solve_detect_verify", "retry")], texts, verdict.reason)
    return update | told_again(run, verdict)


async def begin_again(
    run: Run[Any],
    templates: Sequence[tuple[str, str]],
    texts: Mapping[str, str],
    reason: str = "",
) -> Update:
    """Begin the trace again behind the problem's prompt with more around it.

    Args:
        templates: Folder and name of prompts, the innermost first; the field ``problem`` of each
            is the prompt within it.
        texts: Their other fields.
    """
    model, attempt = await run.model(), next_attempt(run)
    profile = model.profile
    system, user = await run.prompt(profile)
    for folder, name in templates:
        fields = {**texts, "problem": "\n\n".join(filter(None, (system, user)))}
        system, user = await prompts.rendered(folder, name, profile, fields)
    prompt = await segment(model, "prompt", profile.render(user, system))
    return {
        "operations": [run.trace.begin(prompt, reason)],
        "reading": {},
        "attempt": asdict(attempt),
    }


def told_again(run: Run[Any], verdict: Ruling) -> Update:
    """Count, and tell, that the solver is told what was wrong with its last solution."""
    event = {"type": "intervention", "kind": "retry", "offset": 0, "text": ""}
    run.emit(event | {"monitor": verdict.verifier, "reason": verdict.reason})
    return {"corrections": run.corrections + 1}


@node(Settings)
async def roll_back(run: Run[Settings]) -> Update:
    """Cut the trace behind its first wrong step, for the feedback to be put there."""
    model, trace, verdict = await run.model(), run.trace, rejected(run)
    attempt = next_attempt(run)
    offset = _end_of_wrong_step(run, verdict, model.profile.hesitations)
    entries = cut_back(run, trace, offset, verdict.reason, f"retry{attempt.number}")
    note = model.profile.note(verdict.reason)
    intervention = Intervention("feedback", offset, note, verdict.reason, verdict.verifier)
    return {
        "operations": trace.operations[-1:],
        "reading": {},
        "ledger": entries,
        "stream_end": asdict(replace(run.stream, intervention=intervention)),
        "attempt": asdict(attempt),
    }


@node(Settings)
async def redraw_solution(run: Run[Settings]) -> Update:
    """Cut the trace in front of its first wrong step, for the solver to draw another in its place;
    where none was named, or the solution came to no end, draw the whole solution anew."""
    attempt, words = next_attempt(run), (await run.model()).profile.hesitations
    if run.stream.ended == "length":
        update = await drawn_from(run, 0, run.stream.limit, "solver")
    else:
        verdict = rejected(run)
        start = start_of_wrong_step(run, verdict, words)
        update = await drawn_from(run, start, verdict.reason, verdict.verifier)
    return update | {"attempt": asdict(attempt)}


def rejected(run: View[Any]) -> Ruling:
    """The verdict on the solution that is tried anew."""
    assert run.verdict is not None, "a solution is tried anew behind a verdict"
    return run.verdict


def _noted(run: View[Any]) -> frozenset[int]:
    """Where in the joined steps notes stand: behind what they say is wrong."""
    trace, placed = Trace(), list[tuple[Segment, int]]()
    for operation in run.operations:
        end, left = len(trace.body), len(trace.leftover)
        trace.apply(operation)
        last = trace.segments[-1]
        if operation["op"] == "append" and last.kind == "feedback" and len(last.text) > left:
            placed.append((last, end))
    kept = {id(part) for part in trace.segments}
    ends = [end for part, end in placed if id(part) in kept]
    close, body = run.close, trace.body
    if close:  # for which a line break stands in the steps
        ends = [end - (len(close) - 1) * body.count(close, 0, end) for end in ends]
    return frozenset(ends)


def _end_of_wrong_step(run: View[Any], verdict: Ruling, words: tuple[str, ...]) -> int:
    """Where feedback goes: behind the step, but into the thinking, which is where it is heeded."""
    thinking = len(run.trace.split(run.close)[0])
    if "end" in verdict.evidence:
        return min(int(verdict.evidence["end"]), thinking)
    if verdict.first_wrong_step is None:
        return thinking
    steps = segment_text(run.trace.body, words)
    return min(sum(map(len, steps[: verdict.first_wrong_step + 1])), thinking)


def start_of_wrong_step(run: View[Any], verdict: Ruling, words: tuple[str, ...]) -> int:
    """Where the line with the first wrong step begins; of a verdict that tells no more than which
    of the steps it is, the step."""
    body, close = run.trace.body, run.close
    if "start" not in verdict.evidence:
        return sum(map(len, segment_text(body, words)[: verdict.first_wrong_step or 0]))
    start = "".join(run.steps).rfind("\n", 0, int(verdict.evidence["start"])) + 1
    for mark in re.finditer(re.escape(close), body) if close else ():
        if mark.start() < start:  # for which a line break stands in the steps
            start += len(close) - 1
    return start
