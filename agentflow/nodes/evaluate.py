"""Evaluate, reflect, conclude: from what both layers found to one verdict (VerifiAgent, 3.3)."""

from __future__ import annotations

from agentflow.nodes.announced import announced
from agentflow.nodes.run import Update, node
from agentflow.nodes.tool_verify import calls_of, evaluated, rounds_of
from agentflow.nodes.verifiagent import (
    TooLong,
    VerifiAgentRun,
    VerifiAgentSettings,
    VerifiAgentView,
    asking,
    form_of,
    say,
)
from agentflow.verifiers.actions import Evaluation, NoAction, parse
from agentflow.verifiers.evidence import CORRECT, concluded, correctness, disagreement


@node(VerifiAgentSettings, VerifiAgentRun)
async def evaluate(run: VerifiAgentRun) -> Update:
    """Ask for the evaluation by what stands there: the rounds are spent, or there are no tools.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    return await _evaluation(run, "evaluate", "verifier-act")


@node(VerifiAgentSettings, VerifiAgentRun)
async def reflect(run: VerifiAgentRun) -> Update:
    """Show the model where the layers, or its evaluation, disagree; it decides again.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    why = conflict_of(run)
    update = await _evaluation(run, "reflect", "verifier-reflect", conflict=why)
    return update | {"reflection": {"conflict": why, "before": run.evaluation}}


@node(VerifiAgentSettings, VerifiAgentRun)
async def conclude_verdict(run: VerifiAgentRun) -> Update:
    """The verdict, by rules that are not the model's."""
    settings, reflection = run.settings, run.reflection
    turns, meta, evaluation = run.turns, run.meta, run.evaluation
    read = meta if meta and meta["ok"] is not None else None
    if not (evaluation or settings.use_tools):  # meta verification was all there was
        why = meta["error"] if meta else ""
        evaluation = {"ok": None, "error": f"meta verification: {why}"}
    said = [meta or {}, *turns, reflection.get("before", {}), evaluation]
    evidence = {
        "meta": read,
        "calls": calls_of(turns),
        CORRECT: correctness(evaluation),
        "reflected": bool(reflection),
        "conflict": reflection.get("conflict", ""),
        "revision": evaluation.get("revision", ""),
        "rounds": len(turns) if settings.driver == "model" else 0,
        "repeated": sum(turn["repeated"] for turn in turns),
        "malformed": [turn["observation"] for turn in turns if turn["malformed"]],
        "unread": meta["error"] if meta and read is None else "",
        "cut": max(one.get("cut", 0) for one in said),
        "protocol": run.protocol,
    }
    verdict = concluded(
        evaluation, read, evidence["calls"], evidence, with_tools=settings.use_tools
    )
    return announced(run, "verifiagent", verdict)


def conflict_of(run: VerifiAgentView) -> str:
    """How the layers and the evaluation disagree; empty where they do not, or there is none."""
    if run.evaluation.get("ok") is None:
        return ""
    form = run.meta["ok"] if run.meta else None
    return disagreement(form, calls_of(run.turns), run.evaluation["ok"])


async def _evaluation(
    run: VerifiAgentRun, template: str, counted_as: str, conflict: str = ""
) -> Update:
    settings, tokens = run.settings, run.settings.act_tokens
    try:
        asked = await asking(
            run,
            template,
            counted_as,
            tokens,
            form=form_of(run),
            rounds=rounds_of(run.turns),
            conflict=conflict,
        )
    except TooLong as error:
        return {"evaluation": {"ok": None, "kind": "too_long", "error": str(error)}}
    reply = await say(asked, settings, tokens)
    run.spent(asked.model.entries)
    try:
        action = parse(reply.text)
        if not isinstance(action, Evaluation):
            raise NoAction("a tool was called where the evaluation was asked for")
        evaluation = evaluated(action, reply)
    except NoAction as malformed:
        why = f"the evaluation could not be read: {malformed}"
        evaluation = {"ok": None, "kind": "malformed", "error": why}
    how, wrong = ("default", evaluation["error"]) if "error" in evaluation else ("valid", "")
    run.emit({"type": "reply", "name": template, "how": how, "error": wrong, "value": reply.text})
    evaluation["cut"] = asked.cut
    return {"evaluation": evaluation, "ledger": asked.model.entries}
