"""Seeded training texts for VerifiAgent: meta verification, actions, evaluation, reflection.

Each is a prompt exactly as the running code sends it, and the reply to learn. What tools are said
to have found is what they find.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from agentflow.nodes.tool_verify import rounds_of
from agentflow.nodes.verifiagent import FOLDER
from agentflow.tools.toolbox import Use
from agentflow.verifiers.actions import TOOLS, Call, quoted, shown
from agentflow.verifiers.evidence import disagreement, found
from agentflow.verifiers.meta import Meta, Step, notes
from training.cases import Case, cases
from training.game24 import Part
from training.here import at_once, domain
from training.mistakes import POCKET
from training.texts import asked, fits

NO_FORM = "not looked at"
"""What the rounds are told where meta verification is off."""


def meta(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless looks at the form of solutions."""
    return filter(fits, (meta_text(case) for case in cases(seed, held_out=held_out)))


def action(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless calls of tools, the first on a solution or a further one."""
    rng = random.Random(seed)
    for case in cases(seed, held_out=held_out):
        parts = action_text(case, _form(rng, case), rng.randrange(len(case.calls)))
        if fits(parts):
            yield parts


def evaluation(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless evaluations, where the tools have found enough or no more may be used."""
    rng = random.Random(seed)
    for case in cases(seed, held_out=held_out):
        template = "evaluate" if rng.random() < 0.25 else "act"
        parts = evaluation_text(case, _form(rng, case), template)
        if fits(parts):
            yield parts


def reflection(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless second evaluations, where the form, the tools and the first one disagree: the form
    was misjudged, or the first evaluation was hasty."""
    rng = random.Random(seed)
    for case in cases(seed, held_out=held_out):
        alarm = rng.randrange(len(case.lines)) if case.right and rng.random() < 0.5 else None
        seen = form(case, sees=rng.random() < 0.5, alarm=alarm)
        first = case.right if rng.random() < 0.5 else not case.right
        parts = reflection_text(case, seen, first)
        if parts and fits(parts):
            yield parts


def meta_text(case: Case) -> list[Part]:
    """A look at a solution's form, which finds what there is to see."""
    return _asked(case, "meta", json.dumps(form(case).model_dump(mode="json")))


def action_text(case: Case, seen: str, done: int) -> list[Part]:
    """A call behind ``done`` others."""
    rounds = rounds_of(turns(case)[:done])
    return _asked(case, "act", shown(case.calls[done]), form=seen, rounds=rounds)


def evaluation_text(case: Case, seen: str, template: str = "act") -> list[Part]:
    """The evaluation behind all calls."""
    reply = evaluated(case, case.right, _why(case))
    return _asked(case, template, reply, form=seen, rounds=rounds_of(turns(case)))


def reflection_text(case: Case, seen: Meta, first: bool) -> list[Part]:
    """The evaluation behind a first one; empty where nothing disagrees."""
    done = turns(case)
    why = disagreement(seen.ok, [turn["made"] for turn in done], first)
    thought = _why(case) if first == case.right else "I have seen enough."
    said = {"text": evaluated(case, first, thought), "call": None, "observation": ""}
    texts = {
        "form": quoted(notes(seen)),
        "rounds": rounds_of([*done, said]),
        "conflict": why,
    }
    return _asked(case, "reflect", evaluated(case, case.right, _why(case)), **texts) if why else []


def form(case: Case, *, sees: bool = True, alarm: int | None = None) -> Meta:
    """What meta verification finds: what can be seen without a tool.

    Args:
        sees: Whether it finds the wrong step.
        alarm: Index of a step at which it is wrongly alarmed.
    """
    steps = []
    for index in range(len(case.lines)):
        seen = sees and case.visible and index == case.wrong
        why = case.reason if seen else "it is not plain why" if index == alarm else ""
        steps.append(Step(step=index + 1, follows=not why, why=why))
    return Meta(
        conditions=list(case.conditions),
        objective=case.objective,
        steps=list(case.lines),
        complete=case.complete,
        why="" if case.complete else case.reason,
        consistency=steps if case.complete else [],
    )


def evaluated(case: Case, ok: bool, thought: str) -> str:
    """An evaluation as the protocol writes it."""
    word, reason, revision = "Correct", "None", "None"
    if not ok:
        word, reason = "Incorrect", "the answer is not right"
        revision = "work it out again"
    if not ok and not case.right:
        step = case.wrong if case.complete else len(case.lines) - 1
        reason, revision = f"Step {step + 1}: {case.reason}", case.revision
    return "\n".join(
        [
            f"Thought: {thought}",
            f"Action: Evaluate[{word}]",
            "Summarisation:",
            f"Evaluation Result: {word}",
            f"Error Reason: {reason}",
            f"Revision Method: {revision}",
        ]
    )


def turns(case: Case) -> list[dict[str, Any]]:
    """The rounds in which a case's calls are made, as the running code has them."""
    return [
        _turn(case, call, result) for call, result in zip(case.calls, case.results, strict=True)
    ]


def _turn(case: Case, call: Call, result: Any) -> dict[str, Any]:
    arguments = {TOOLS[call.tool][1]: call.argument}
    content, artifact = str(result), {"ok": True, "outcome": result}
    if call.tool == "python":
        content, artifact = f"value: {result!r}", {"ok": True, "value": result}
    elif call.tool == "search":
        artifact = {"ok": True, "hits": [{}]}
    use = Use(call.tool, call.tool, arguments, content, artifact)
    reader = domain(case.problem.domain)
    finding = at_once(found(use, reader, case.problem, reader.answer(case.text), claims=True))
    told = (quoted(content[: POCKET.context // 4]), finding.note)
    return {
        "text": shown(call),
        "thought": call.thought,
        "call": {"name": call.tool, "args": arguments},
        "observation": "\n".join(filter(None, told)),
        "made": {"tool": call.tool, "outcome": finding.outcome, "agrees": finding.agrees},
    }


def _form(rng: random.Random, case: Case) -> str:
    """What the rounds are told of the form, now and then nothing."""
    return NO_FORM if rng.random() < 0.2 else quoted(notes(form(case)))


def _why(case: Case) -> str:
    if case.right:
        return "What was found agrees with the solution."
    return f"The solution is wrong: {case.reason}."


def _asked(case: Case, template: str, reply: str, **texts: str) -> list[Part]:
    given = {"problem": case.problem.text, "solution": quoted(case.told)}
    return asked(FOLDER, template, reply, **given, **texts)
