"""Evaluate, reflect, conclude: from what both layers found to one verdict (paper 004, 3.3)."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.nodes.context import emitter, settings_of
from agentflow.nodes.flexive import told
from agentflow.nodes.tool_verify import calls_of, evaluated, rounds_of
from agentflow.nodes.verifiagent import (
    TooLong,
    VerifiAgentSettings,
    VerifiAgentState,
    asking,
    form_of,
    say,
)
from agentflow.verifiers.actions import Evaluation, NoAction, parse
from agentflow.verifiers.evidence import concluded, disagreement


async def evaluate(state: VerifiAgentState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Ask for the evaluation by what stands there: the rounds are spent, or there are no tools.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    return await _evaluation(state, runtime, "evaluate", "verifier-act")


async def reflect(state: VerifiAgentState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Show the model where the layers, or its evaluation, disagree; it decides again.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    before = state["evaluation"]
    why = conflict_of(state)
    update = await _evaluation(state, runtime, "reflect", "verifier-reflect", conflict=why)
    return update | {"reflection": {"conflict": why, "before": before}}


async def conclude_verdict(state: VerifiAgentState, runtime: Runtime[Any]) -> dict[str, Any]:
    """The verdict, by rules that are not the model's."""
    settings, emit = settings_of(runtime, VerifiAgentSettings), emitter(state, runtime)
    turns, meta, evaluation = state["turns"], state.get("meta"), state["evaluation"]
    read = meta if meta and meta["ok"] is not None else None
    if not (evaluation or settings.use_tools):  # meta verification was all there was
        why = meta["error"] if meta else ""
        evaluation = {"ok": None, "error": f"meta verification: {why}"}
    said = [meta or {}, *turns, state["reflection"].get("before", {}), evaluation]
    evidence = {
        "meta": read,
        "calls": calls_of(turns),
        "reflected": bool(state["reflection"]),
        "conflict": state["reflection"].get("conflict", ""),
        "revision": evaluation.get("revision", ""),
        "rounds": len(turns) if settings.driver == "model" else 0,
        "repeated": sum(turn["repeated"] for turn in turns),
        "malformed": [turn["observation"] for turn in turns if turn["malformed"]],
        "unread": meta["error"] if meta and read is None else "",
        "cut": max(one.get("cut", 0) for one in said),
        "protocol": state.get("protocol") or {},
    }
    verdict = concluded(
        evaluation, read, evidence["calls"], evidence, with_tools=settings.use_tools
    )
    return told(emit, "verifiagent", verdict)


def conflict_of(state: VerifiAgentState) -> str:
    """How the layers and the evaluation disagree; empty where they do not, or there is none."""
    evaluation = state["evaluation"]
    if evaluation.get("ok") is None:
        return ""
    meta = state.get("meta") or {}
    return disagreement(meta.get("ok"), calls_of(state["turns"]), evaluation["ok"])


async def _evaluation(
    state: VerifiAgentState,
    runtime: Runtime[Any],
    template: str,
    counted_as: str,
    conflict: str = "",
) -> dict[str, Any]:
    settings, emit = settings_of(runtime, VerifiAgentSettings), emitter(state, runtime)
    tokens = settings.act_tokens
    try:
        asked = await asking(
            state,
            runtime,
            template,
            counted_as,
            tokens,
            form=form_of(state),
            rounds=rounds_of(state["turns"]),
            conflict=conflict,
        )
    except TooLong as error:
        return {"evaluation": {"ok": None, "kind": "too_long", "error": str(error)}}
    said = await say(asked, settings, tokens)
    emit({"type": "usage", "entries": asked.model.entries})
    try:
        action = parse(said.text)
        if not isinstance(action, Evaluation):
            raise NoAction("a tool was called where the evaluation was asked for")
        evaluation = evaluated(action, said)
    except NoAction as malformed:
        why = f"the evaluation could not be read: {malformed}"
        evaluation = {"ok": None, "kind": "malformed", "error": why}
    how, wrong = ("default", evaluation["error"]) if "error" in evaluation else ("valid", "")
    emit({"type": "reply", "name": template, "how": how, "error": wrong, "value": said.text})
    evaluation["cut"] = asked.cut
    return {"evaluation": evaluation, "ledger": asked.model.entries}
