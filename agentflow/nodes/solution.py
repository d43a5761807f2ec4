"""A whole solution: cut into steps for a verifier, judged by the domain or a person, tried anew."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agentflow import prompts
from agentflow.models.model import segment
from agentflow.nodes.context import domain_of, emitter, model_of, problem_of, settings_of
from agentflow.nodes.cut_back import cut_back
from agentflow.nodes.finish import answer_of
from agentflow.nodes.flexive import told
from agentflow.nodes.refine import Review
from agentflow.nodes.restart import attempt_of
from agentflow.nodes.tool_log import ToolLog
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.trace import Segment, Trace
from agentflow.verdict import Verdict
from agentflow.verifiers import DomainVerifier
from agentflow.verifiers import segment as segment_text


async def read_solution(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Cut the solution at its hesitations; one that states no answer is wrong as it is."""
    settings = settings_of(runtime, Settings)
    model = await model_of(settings)
    domain = await domain_of(settings)
    steps = segment_text(Trace(state["operations"]).body, model.profile.hesitations)
    steps = [step.replace(state["close"], "\n") if state["close"] else step for step in steps]
    answer = answer_of(state, domain)
    update: dict[str, Any] = {"steps": steps, "stated": answer}
    if answer is not None:
        return update | {"verdict": {}}
    verdict = Verdict(False, "no final answer was given", "no_answer", source=domain.name)
    return update | told(emitter(state, runtime), "answer", verdict)


async def domain_verify(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """The domain's own verifiers: the answer, and every step that can be read."""
    settings, problem = settings_of(runtime, Settings), problem_of(state)
    emit = emitter(state, runtime)
    branch, done = state.get("branch", 0), len(state["operations"])
    tools = ToolLog(f"verify/{branch}/{done}", emit)
    domain = await domain_of(settings, tools)
    answer = answer_of(state, domain)
    assert answer is not None, "a solution without an answer is not verified"
    verifier = DomainVerifier(domain, _noted(state), settings.judge_answers)
    verdict = await verifier.verify_all(problem, state["steps"], answer)
    if tools.entries:
        emit({"type": "usage", "entries": tools.entries})
    return told(emit, "domain", verdict) | {"ledger": tools.entries}


async def ask_person(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Pause, and take a person's word for it."""
    settings = settings_of(runtime, Settings)
    said = interrupt(
        {
            "resume": "true to accept this solution, or a text that says what is wrong with it",
            "problem": problem_of(state).text,
            "answer": answer_of(state, await domain_of(settings)),
            "solution": "".join(state["steps"]),
            "reason": state["verdict"].get("reason", ""),
        },
        response_schema=Review,
    ).root
    verdict = (
        Verdict(True, source="a person")
        if said is True
        else Verdict(False, str(said), "rejected", source="a person")
    )
    return told(emitter(state, runtime), "human", verdict)


async def retry(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Begin again with a prompt that holds the solution and what is wrong with it (figure 7)."""
    profile = (await model_of(settings_of(runtime, Settings))).profile
    reason = state["verdict"]["reason"]
    texts = {
        "solution": "".join(state["steps"]).removeprefix(profile.think_open).strip(),
        "feedback": reason,
    }
    update = await begin_again(state, runtime, [("solve_detect_verify", "retry")], texts, reason)
    return update | told_again(state, runtime)


async def begin_again(
    state: RunState,
    runtime: Runtime[Any],
    templates: Sequence[tuple[str, str]],
    texts: Mapping[str, str],
    reason: str = "",
) -> dict[str, Any]:
    """Begin the trace again behind the problem's prompt with more around it.

    Args:
        templates: Folder and name of prompts, the innermost first; the field ``problem`` of each
            is the prompt within it.
        texts: Their other fields.
    """
    settings, problem = settings_of(runtime, Settings), problem_of(state)
    model, trace = await model_of(settings), Trace(state["operations"])
    profile = model.profile
    system, user = await asyncio.to_thread(
        prompts.for_problem, settings.solver_prompt, problem, profile
    )
    for folder, name in templates:
        fields = {**texts, "problem": "\n\n".join(filter(None, (system, user)))}
        system, user = await asyncio.to_thread(prompts.render, folder, name, profile.name, fields)
    attempt = _next_attempt(state, trace)
    prompt = await segment(model, "prompt", profile.render(user, system))
    return {"operations": [trace.begin(prompt, reason)], "reading": {}, "attempt": attempt}


def told_again(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Count, and tell, that the solver is told what was wrong with its last solution."""
    _tell(state, runtime, "retry", 0, state["verdict"]["reason"])
    return {"corrections": state.get("corrections", 0) + 1}


async def roll_back(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Cut the trace behind its first wrong step, for the feedback to be put there."""
    model = await model_of(settings_of(runtime, Settings))
    trace, verdict = Trace(state["operations"]), state["verdict"]
    attempt = _next_attempt(state, trace)
    offset = _end_of_wrong_step(state, trace, model.profile.hesitations)
    place = f"retry{attempt['number']}"
    entries = cut_back(state, runtime, trace, offset, verdict["reason"], place)
    intervention = {
        "kind": "feedback",
        "offset": offset,
        "text": model.profile.thinking_note.format(reason=verdict["reason"]),
        "reason": verdict["reason"],
        "monitor": verdict["rung"],
    }
    return {
        "operations": trace.operations[-1:],
        "reading": {},
        "ledger": entries,
        "leg": {**state["leg"], "intervention": intervention},
        "attempt": attempt,
    }


def _noted(state: RunState) -> frozenset[int]:
    """Where in the joined steps notes stand: behind what they say is wrong."""
    trace, placed = Trace(), list[tuple[Segment, int]]()
    for operation in state["operations"]:
        end, left = len(trace.body), len(trace.leftover)
        trace.apply(operation)
        last = trace.segments[-1]
        if operation["op"] == "append" and last.kind == "feedback" and len(last.text) > left:
            placed.append((last, end))
    kept = {id(part) for part in trace.segments}
    ends = [end for part, end in placed if id(part) in kept]
    close, body = state["close"], trace.body
    if close:  # for which a line break stands in the steps
        ends = [end - (len(close) - 1) * body.count(close, 0, end) for end in ends]
    return frozenset(ends)


def _end_of_wrong_step(state: RunState, trace: Trace, words: tuple[str, ...]) -> int:
    """Where feedback goes: behind the step, but into the thinking, which is where it is heeded."""
    verdict = state["verdict"]
    thinking = len(trace.split(state["close"])[0])
    if "end" in verdict["evidence"]:
        return min(int(verdict["evidence"]["end"]), thinking)
    if verdict["first_wrong_step"] is None:
        return thinking
    steps = segment_text(trace.body, words)
    return min(sum(map(len, steps[: verdict["first_wrong_step"] + 1])), thinking)


def _next_attempt(state: RunState, trace: Trace) -> dict[str, int]:
    return {
        "number": attempt_of(state)["number"] + 1,
        "tokens": trace.generated,
        "corrections": state.get("corrections", 0),
        "judged": len(state.get("judged", [])),
    }


def _tell(state: RunState, runtime: Runtime[Any], kind: str, offset: int, reason: str) -> None:
    monitor = state["verdict"]["rung"]
    event = {"type": "intervention", "kind": kind, "offset": offset, "text": "", "monitor": monitor}
    emitter(state, runtime)(event | {"reason": reason})
