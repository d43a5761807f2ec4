"""Certification by mutation: no right action is blocked, and which broken ones are caught."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentflow.errors import BadInput
from agentflow.gate.policy import Call, Policy, always, judge

SCHEMA = "schema"
"""In the place of a rule's name: what breaks the schema of a tool rather than a rule."""


@dataclass(frozen=True, slots=True)
class Action:
    """A call that is right, with the state before it.

    Attributes:
        label: Where it is from, for reports.
    """

    state: Mapping[str, Any]
    call: Call
    label: str = ""


Broken = Callable[[Action], Iterable[Action]]


@dataclass(frozen=True, slots=True)
class Mutation:
    """An operator: makes actions that break one rule out of one that is right.

    Attributes:
        name: What is changed.
        breaks: The rule's name, or :data:`SCHEMA`.
        tools: The tools whose calls it changes; all of them if empty.
        make: Gives the broken actions; none where the action offers no way.
    """

    name: str
    breaks: str
    make: Broken
    tools: frozenset[str] = frozenset()


@dataclass(slots=True)
class Row:
    """What became of the mutants that break one rule.

    Attributes:
        mutants: How many were made.
        caught: How many were not allowed.
        by_rule: How many of them the rule itself refuted; the rest others stopped.
        missed: Labels of those that were allowed.
    """

    rule: str
    mutants: int = 0
    caught: int = 0
    by_rule: int = 0
    missed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certification found.

    Attributes:
        gold: How many right actions were judged.
        blocked: (label, reason) of each that was not allowed.
        rows: By rule, in the policy's order, then the schema's; a rule that no mutant breaks has a
            row of zeros, for nothing is known of it. A rule that always passes has none.
    """

    gold: int
    blocked: list[tuple[str, str]]
    rows: list[Row]

    @property
    def caught(self) -> float:
        """The share of all mutants that was not allowed; 0 where there was none."""
        mutants = sum(row.mutants for row in self.rows)
        return sum(row.caught for row in self.rows) / mutants if mutants else 0.0

    def holds(self, share: float = 0.95) -> bool:
        """Whether there were right actions, none was blocked, and of every rule's mutants, of which
        there was at least one, at least the share was caught."""
        return (
            self.gold > 0
            and not self.blocked
            and bool(self.rows)
            and all(row.mutants and row.caught >= share * row.mutants for row in self.rows)
        )

    def table(self) -> str:
        """The rows as a Markdown table."""
        lines = ["| rule | mutants | caught | by the rule itself |", "|---|---:|---:|---:|"]
        lines += [
            f"| {row.rule} | {row.mutants} | {row.caught} | {row.by_rule} |" for row in self.rows
        ]
        total = [sum(getattr(row, key) for row in self.rows) for key in _COLUMNS]
        return "\n".join([*lines, "| all | {} | {} | {} |".format(*total)])


_COLUMNS = ("mutants", "caught", "by_rule")


def certify(
    policy: Policy, actions: Iterable[Action], mutations: Sequence[Mutation]
) -> Certificate:
    """Judge right actions, and every mutant of each.

    A person who is asked counts as a call that is stopped: for a right action that is a block.

    Args:
        actions: The gold actions, each with the state before it.

    Raises:
        BadInput: If a mutation breaks a rule that the policy does not have.
    """
    rows = {rule.name: Row(rule.name) for rule in policy.rules if rule.check is not always}
    rows[SCHEMA] = Row(SCHEMA)
    for mutation in mutations:
        if mutation.breaks not in rows:
            raise BadInput(
                f"mutation {mutation.name!r} breaks {mutation.breaks!r}: the policy has no such "
                f"rule that can be broken; it has {', '.join(rows)}"
            )
    gold, blocked = 0, []
    for action in actions:
        gold += 1
        decision = judge(policy, action.state, action.call)
        if decision.outcome != "allow":
            blocked.append((action.label, decision.reason))
        for mutation in mutations:
            if not mutation.tools or action.call.name in mutation.tools:
                for mutant in mutation.make(action):
                    _count(policy, rows[mutation.breaks], mutation, mutant)
    return Certificate(gold, blocked, list(rows.values()))


def _count(policy: Policy, row: Row, mutation: Mutation, mutant: Action) -> None:
    decision = judge(policy, mutant.state, mutant.call)
    said = decision.verdicts.get(row.rule)
    row.mutants += 1
    row.caught += decision.outcome != "allow"
    row.by_rule += (said is not None and said.ok is False) or (
        row.rule == SCHEMA and not decision.verdicts and decision.outcome != "allow"
    )
    if decision.outcome == "allow":
        row.missed.append(f"{mutant.label}: {mutation.name}")


def with_args(action: Action, **changed: Any) -> Action:
    """The action with other arguments."""
    return replace(action, call=Call(action.call.name, {**action.call.args, **changed}))


def with_state(action: Action, *path: str, value: Any) -> Action:
    """The action in a state that differs at one path; only what leads there is copied.

    Raises:
        KeyError: If a key on the way is missing.
    """

    def put(inner: Any, keys: tuple[str, ...]) -> Any:
        return {**inner, keys[0]: put(inner[keys[0]], keys[1:])} if keys else value

    return replace(action, state=put(action.state, path))


def _misread(action: Action) -> Iterable[Action]:
    args = dict(action.call.args)
    for key, value in args.items():
        yield with_args(action, **{key: [value] if isinstance(value, str) else str(value)})
        yield with_args(action, **{key: None})
        less = {name: one for name, one in args.items() if name != key}
        yield replace(action, call=Call(action.call.name, less))
    yield with_args(action, approved=True)


def _misnamed(action: Action) -> Iterable[Action]:
    for name in (f"{action.call.name}_now", action.call.name.upper(), ""):
        yield replace(action, call=Call(name, action.call.args))


SCHEMA_MUTATIONS = (
    Mutation("an argument missing, of a wrong type, or too many", SCHEMA, _misread),
    Mutation("a tool that nobody knows", SCHEMA, _misnamed),
)
"""For any policy whose tools have no optional arguments."""
