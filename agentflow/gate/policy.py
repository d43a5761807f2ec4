"""A policy over tool calls: allow, deny with the reason, or ask a person, before a call is made.

What is not understood is never allowed. The verdict rests on the state and on the arguments as
data; no text of the model's is read for what it says, and none is repeated in a reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Literal

from pydantic import BaseModel

from agentflow.errors import BadInput
from agentflow.gate.arguments import Given, read, read_begun
from agentflow.gate.inside import Arguments, Unread
from agentflow.verdict import Verdict

Outcome = Literal["allow", "deny", "ask"]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: the tool's name, and its arguments as plain JSON."""

    name: str
    args: Mapping[str, Any]

    def key(self) -> str:
        """The call as one text: two calls are the same where theirs is (True is not 1 there).

        Raises:
            TypeError, ValueError: If an argument is no JSON.
        """
        return json.dumps([self.name, dict(self.args)], sort_keys=True, allow_nan=False)


Check = Callable[[Mapping[str, Any], Call], Verdict]
"""What a rule says of a state and a call; it changes neither."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One verifier.

    Attributes:
        name: Short, unique within its policy.
        says: The sentence of the written policy that it checks.
        check: Judges the calls of its tools. The arguments have been read by the tool's schema.
        tools: Names of the tools that it is about.
    """

    name: str
    says: str
    check: Check
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules over the schemas of tools.

    Attributes:
        schemas: Tool's name -> the pydantic model of its arguments; see :func:`schemas_of`.
        rules: All rules about a tool must pass. A tool that none is about is never allowed: a rule
            that always passes (:func:`always`) says that it is open to everybody.
        otherwise: What becomes of a call of which nobody can tell.
        one_at_a_time: Whether a message with several calls is refused as a whole. Without it every
            call of a message is judged by the state before the first.
        seconds: Wall clock for all rules of a call; a rule that takes longer cannot tell.
        fault: Why the policy cannot be used (:func:`agentflow.gate.read_policy`); then no call is
            allowed.

    Raises:
        BadInput: If two rules have one name, a rule is about a tool without a schema, a schema is
            no pydantic model, or ``otherwise`` is neither ``deny`` nor ``ask``.
    """

    schemas: Mapping[str, type[BaseModel]]
    rules: Sequence[Rule]
    otherwise: Literal["deny", "ask"] = "deny"
    one_at_a_time: bool = False
    seconds: float = 5.0
    fault: str = ""

    def __post_init__(self) -> None:
        names = [rule.name for rule in self.rules]
        for rule in self.rules:
            if names.count(rule.name) > 1:
                raise BadInput(f"policy: two rules are called {rule.name!r}; rename one")
            if unknown := sorted(rule.tools - set(self.schemas)):
                raise BadInput(f"policy: rule {rule.name!r} is about {unknown[0]!r}: no schema")
        for name, schema in self.schemas.items():
            if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
                raise BadInput(f"policy: the schema of {name!r} is no pydantic model; write one")
        if self.otherwise not in ("deny", "ask"):
            raise BadInput(f"policy: otherwise={self.otherwise!r}; it is 'deny' or 'ask'")


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a call.

    Attributes:
        outcome: ``allow`` only where every rule about the tool passed.
        reason: For the model or a person: the policy's words, none of the call's; empty if allowed.
        verdicts: Rule's name -> what it said; empty where the call was not read as far as that.
    """

    outcome: Outcome
    reason: str = ""
    verdicts: dict[str, Verdict] = field(default_factory=dict)


def always(state: Mapping[str, Any], call: Call) -> Verdict:
    """The check of a tool that is open to everybody."""
    return Verdict(True)


def schemas_of(tools: Sequence[Any]) -> dict[str, type[BaseModel]]:
    """The schemas of LangChain tools, without what LangGraph injects.

    Raises:
        BadInput: By :class:`Policy`, for a tool whose schema is plain JSON Schema.
    """
    return {tool.name: tool.tool_call_schema for tool in tools}


def judge(policy: Policy, state: Mapping[str, Any], call: Mapping[str, Any] | Call) -> Decision:
    """Allow a call, deny it or ask a person; never raises.

    Args:
        state: What the rules may know; of the model's making only what a person vouched for.
        call: A :class:`Call`, or LangChain's dict with ``name`` and ``args``.
    """
    return _judged(policy, state, call, ended=True)


def foresee(
    policy: Policy, state: Mapping[str, Any], call: Mapping[str, Any] | Call
) -> Decision | None:
    """What :func:`judge` will say of a call, however it goes on; None where that is not certain.

    Never an ``allow``. A rule is asked about what is written; what it says counts if it read no
    other argument, and if it always says the same of the same.

    Args:
        call: Its name, and the arguments that are written to their end.
    """
    found = _judged(policy, state, call, ended=False)
    return None if found.reason == _MORE else found


def several(policy: Policy, ids: Sequence[Any]) -> Decision | None:
    """What becomes of all calls of a message because there are several; None if nothing does.

    Args:
        ids: Of the calls.
    """
    if len(ids) > 1 and policy.one_at_a_time:
        return Decision("deny", "one tool call at a time")
    if len(set(ids)) < len(ids):  # a person's yes to one of them would hold for the other
        return Decision("deny", "several tool calls have one id")
    return None


_MORE = "the call is not written to its end"


def _judged(
    policy: Policy,
    state: Mapping[str, Any],
    call: Mapping[str, Any] | Call,
    *,
    ended: bool,
) -> Decision:
    if policy.fault:
        return _unknown(policy, f"the policy cannot be used: {policy.fault}")
    try:
        name, args = (call.name, call.args) if isinstance(call, Call) else _parts(call)
        text = json.dumps(dict(args), allow_nan=False)
    except Exception:
        return _unknown(policy, "the call is no JSON object of a name and arguments")
    schema = policy.schemas.get(name) if type(name) is str else None
    if schema is None:
        return _unknown(policy, "the policy knows no tool of this name")
    rules = [rule for rule in policy.rules if name in rule.tools]
    if not rules:
        return _unknown(policy, "no rule of the policy is about this tool")
    given = read(schema, text) if ended else read_begun(schema, text)
    if given.wrong and policy.otherwise == "deny":
        return _unknown(policy, given.wrong)
    verdicts = _in_time(policy, rules, state, name, given)
    if given.whole or any(one.ok is False for one in verdicts.values()):
        return _decided(policy, verdicts)
    # What is still to come may be refuted: then the call is denied, not asked about.
    return _unknown(policy, given.wrong if ended else _MORE)


def _parts(call: Mapping[str, Any]) -> tuple[Any, Any]:
    args = call["args"]
    if not isinstance(args, Mapping):
        raise TypeError("arguments are an object")
    return call["name"], args


def _unknown(policy: Policy, why: str) -> Decision:
    return Decision(policy.otherwise, why)


def _in_time(
    policy: Policy, rules: Sequence[Rule], state: Mapping[str, Any], name: str, given: Given
) -> dict[str, Verdict]:
    """What each rule says; a rule that did not end in time, and those after it, cannot tell."""
    said: dict[str, Verdict] = {}

    def run() -> None:
        for rule in rules:
            said[rule.name] = _checked(rule, state, Call(name, given.fresh()))

    # A thread, for nothing else ends a check that hangs; it is left behind and keeps no process up.
    thread = Thread(target=run, name="gate", daemon=True)
    with suppress(RuntimeError):  # no thread to be had: then nothing is said
        thread.start()
        thread.join(policy.seconds)
    late = Verdict(None, "it did not end in time")
    done = dict(said)  # what comes later is not looked at
    return {rule.name: done.get(rule.name, late) for rule in rules}


def _checked(rule: Rule, state: Mapping[str, Any], call: Call) -> Verdict:
    args = call.args
    try:
        verdict = rule.check(state, call)
    except Unread:
        return Verdict(None, UNREAD)
    except BaseException as error:  # whatever a rule does, it is no pass
        return Verdict(None, f"it failed ({type(error).__name__})")
    if isinstance(args, Arguments) and args.asked:
        return Verdict(None, UNREAD)
    if type(verdict) is Verdict and (verdict.ok is None or type(verdict.ok) is bool):
        return verdict
    return Verdict(None, "it gave no verdict")


UNREAD = "an argument is missing"


def _decided(policy: Policy, verdicts: dict[str, Verdict]) -> Decision:
    says = {rule.name: rule.says for rule in policy.rules}
    for outcome, ok in (("deny", False), (policy.otherwise, None)):
        if found := [name for name, one in verdicts.items() if one.ok is ok]:
            reason = "; ".join(
                says[name] + (f" ({verdicts[name].reason})" if verdicts[name].reason else "")
                for name in found
            )
            return Decision(outcome, reason, verdicts)  # type: ignore[arg-type]
    return Decision("allow", "", verdicts)
