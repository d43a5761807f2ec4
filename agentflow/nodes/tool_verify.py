"""Tool verification: thought and action, round by round (VerifiAgent, section 3.2)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from agentflow import prompts
from agentflow.models.chat import ToolsRefused
from agentflow.nodes.native_calls import native_turn, protocol_of, tool_call
from agentflow.nodes.run import Update, node
from agentflow.nodes.tool_calls import DEFAULTS, MAX_OBSERVATION, call_tool, tools_of
from agentflow.nodes.verifiagent import (
    FOLDER,
    Asking,
    Said,
    TooLong,
    VerifiAgentRun,
    VerifiAgentSettings,
    asking,
    form_of,
    say,
)
from agentflow.verdict import Verdict
from agentflow.verifiers import DomainVerifier
from agentflow.verifiers.actions import TOOLS, Call, Evaluation, NoAction, parse, quoted, shown
from agentflow.verifiers.evidence import any_evidence, found

_MAX_SHOWN = 500
"""Characters of a reply without a call that the next rounds are shown."""

_FORMAT = (
    "Write a line that begins with Action: and goes on with Use Python Interpreter[program], "
    "Use Theorem Prover[program], Use Search Engine[question], Evaluate[Correct] or "
    "Evaluate[Incorrect]."
)
_EARLY = "Tools cannot be skipped: no tool has found anything yet. Use one before you evaluate."
_AGAIN = "You made this call before, and this is what it found then. Choose another action."


@node(VerifiAgentSettings, VerifiAgentRun)
async def act(run: VerifiAgentRun) -> Update:
    """One round: the model thinks, and chooses a tool to call or evaluates the solution.

    An action that cannot be read, and an evaluation before any tool found something, are answered
    and count as rounds.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    turns = run.turns
    try:
        asked, said, protocol = await _choose(run)
    except TooLong as error:
        return {"evaluation": {"ok": None, "kind": "too_long", "error": str(error)}}
    turn, evaluation = _turn(said, any_evidence(calls_of(turns)))
    turn["cut"] = asked.cut
    run.spent(asked.model.entries)
    how, wrong = ("default", turn["observation"]) if turn["malformed"] else ("valid", "")
    run.emit({"type": "reply", "name": "act", "how": how, "error": wrong, "value": turn["text"]})
    return {
        "turns": [*turns, turn],
        "protocol": protocol,
        "evaluation": evaluation,
        "ledger": asked.model.entries,
    }


@node(VerifiAgentSettings, VerifiAgentRun)
async def make_call(run: VerifiAgentRun) -> Update:
    """Make the call that the last round chose, and hold what it found against the solution.

    A call that was made before is not made again. What a tool raises is what it found.
    """
    settings, (*before, turn) = run.settings, run.turns
    log = run.tool_log(f"{run.branch}/{len(run.operations)}/act{len(before)}")
    domain = await run.domain(log)
    call, by_role = tool_call(turn, len(before)), await tools_of(settings, domain)
    called = await call_tool(by_role, call, calls_of(before), log, log.limit)
    made, note = None, _AGAIN
    content = called.use.content[:MAX_OBSERVATION]
    if not called.repeated:
        answer, claims = run.answer(domain), False
        if called.use.role == "z3" and settings.driver == "model":
            claims = (await run.model("verifier")).profile.proves_claims
        finding = await found(called.use, domain, run.problem, answer, run.steps, claims=claims)
        note = finding.note
        made = {
            "tool": call["name"],
            "arguments": call["args"],
            "observation": content,
            "outcome": finding.outcome,
            "agrees": finding.agrees,
            "about": finding.about,
        }
    context = (await run.model("verifier")).profile.context
    observation = "\n".join(filter(None, [quoted(content[: context // 4]), note]))
    run.spent(log.entries)
    turn = {**turn, "made": made, "observation": observation, "repeated": called.repeated}
    return {"turns": [*before, turn], "ledger": log.entries}


@node(VerifiAgentSettings, VerifiAgentRun)
async def by_domain(run: VerifiAgentRun) -> Update:
    """The domain's own verifiers in place of the model's rounds: the answer, and every step."""
    log = run.tool_log(f"{run.branch}/{len(run.operations)}/domain")
    domain = await run.domain(log)
    answer = run.answer(domain)
    verdict = Verdict(False, "no final answer was given", "no_answer", source=domain.name)
    if answer is not None:
        verdict = await DomainVerifier(domain).verify_all(run.problem, run.steps, answer)
    run.spent(log.entries)
    outcome = {True: "passed", False: "refuted", None: "cannot_tell"}[verdict.ok]
    reason = verdict.reason or outcome
    made = {
        "tool": "domain",
        "arguments": {"answer": answer and domain.shown(answer)},
        "observation": reason,
        "outcome": outcome,
        "agrees": verdict.ok,
        "about": "answer",
    }
    turn = _blank("") | {"made": made, "observation": f"The domain's verifier:\n{quoted(reason)}"}
    evaluation = {
        "ok": verdict.ok,
        "reason": verdict.reason,
        "error": verdict.reason,
        "kind": verdict.kind,
        "first_wrong_step": verdict.first_wrong_step,
    }
    return {"turns": [turn], "evaluation": evaluation, "ledger": log.entries}


def calls_of(turns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The calls that were made, as evidence."""
    return [turn["made"] for turn in turns if turn["made"]]


def rounds_of(turns: Sequence[Mapping[str, Any]]) -> str:
    """The rounds so far, as a prompt shows them."""
    said = []
    for turn in turns:
        call = turn["call"]
        text = turn["text"][:_MAX_SHOWN].strip()
        if call and call["name"] in TOOLS:
            argument = str(call["args"].get(TOOLS[call["name"]][1], ""))
            text = shown(Call(call["name"], argument, turn["thought"]))
        observed = f"Observation:\n{turn['observation']}" if turn["observation"] else ""
        said.append("\n".join(filter(None, [text, observed])))
    return "\n".join(said) or "none yet"


def evaluated(action: Evaluation, said: Said) -> dict[str, Any]:
    """An evaluation as the channel holds it."""
    return {
        "ok": action.ok,
        "reason": action.reason,
        "revision": action.revision,
        "v_score": said.v_score(action.at),
    }


async def _choose(run: VerifiAgentRun) -> tuple[Asking, Said, dict[str, str]]:
    """What the model is asked and says, natively where it can, and how its tools are called."""
    settings, turns = run.settings, run.turns
    fields = {
        "form": form_of(run),
        "rounds": rounds_of(turns),
        "tools": await asyncio.to_thread(_parts),
        "actions": _actions(),
    }
    protocol = run.protocol or protocol_of(settings, await run.model("verifier"))

    async def ask(template: str) -> Asking:
        tokens, number = settings.act_tokens, len(turns)
        return await asking(run, template, "verifier-act", tokens, number, **fields)

    if protocol["by"] == "native":
        asked = await ask("native")
        by_role = await tools_of(settings, await run.domain())
        try:
            said = await native_turn(asked, turns, by_role, settings)
        except ToolsRefused as error:
            protocol = {"by": "text", "why": str(error)}
        else:
            return asked, said, protocol
    asked = await ask("act")
    if protocol["why"] and not turns:
        asked.model.note("not-native")
    return asked, await say(asked, settings, settings.act_tokens), protocol


def _turn(said: Said, evidence: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """A round as the channel holds it, and the evaluation, if it ends the rounds."""
    turn = _blank(said.text[:MAX_OBSERVATION])
    if (call := said.call) is not None:
        turn["thought"] = said.text.strip().removeprefix("Thought:").strip()
        turn |= {"call": {"name": call["name"], "args": call["args"]}, "observation": None}
        return turn, {}
    try:
        if said.wrong:
            raise NoAction(said.wrong)
        action = parse(said.text)
    except NoAction as error:
        return turn | {"malformed": True, "observation": f"{error}. {_FORMAT}"}, {}
    turn["thought"] = action.thought
    if isinstance(action, Evaluation):
        if evidence:
            return turn, evaluated(action, said)
        return turn | {"observation": _EARLY}, {}
    arguments = {TOOLS[action.tool][1]: action.argument}
    return turn | {"call": {"name": action.tool, "args": arguments}, "observation": None}, {}


def _blank(text: str) -> dict[str, Any]:
    return {
        "text": text,
        "thought": "",
        "call": None,
        "observation": "",
        "made": None,
        "repeated": False,
        "malformed": False,
        "cut": 0,
    }


def _actions() -> str:
    """The actions that call a tool, as the prompt lists them."""
    given = {"python": "<program>", "z3": "<program>", "search": "<question>"}
    return "\n".join(
        f"Thought: why\nAction: Use {name}[{given[role]}]\n" for role, (name, _) in TOOLS.items()
    ).strip()


def _parts() -> str:
    """What the prompt says of the tools; reads files."""
    return "\n".join(prompts.render(FOLDER, role, "", {})[1] for role in DEFAULTS)
