"""Certification by mutation: no right action is blocked, and which broken ones are caught."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agentflow.errors import BadInput
from agentflow.gate.policy import Call, Decision, Policy, Rule, always, judge
from agentflow.verdict import Verdict

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
        by_rule: How many of them the rule itself refuted; the rest others stopped. Where the name
            is of another policy, how many any rule refuted.
        missed: Labels of those that were allowed.
    """

    rule: str
    mutants: int = 0
    caught: int = 0
    by_rule: int = 0
    missed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class OfTool:
    """What was found of the calls of one tool.

    Attributes:
        gold: How many right calls were judged.
        blocked: How many of them were not allowed.
        refuting: Rules that refuted one of them.
        mutants: What is broken -> how many mutants there were, and how many were caught.
    """

    gold: int = 0
    blocked: int = 0
    refuting: set[str] = field(default_factory=set)
    mutants: dict[str, tuple[int, int]] = field(default_factory=dict)

    def holds(self, share: float = 0.95) -> bool:
        """Whether there were right calls, none was blocked, there were mutants, and of those that
        break one rule at least the share was caught."""
        caught = all(found >= share * many for many, found in self.mutants.values())
        return self.gold > 0 and not self.blocked and bool(self.mutants) and caught


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certification found.

    Attributes:
        gold: How many right actions were judged.
        blocked: (label, reason) of each that was not allowed.
        rows: By rule, in the policy's order, then the schema's; a rule that no mutant breaks has a
            row of zeros, for nothing is known of it. A rule that always passes has none.
        tools: By tool; a mutant counts for the tool of the action that it was made of.
    """

    gold: int
    blocked: list[tuple[str, str]]
    rows: list[Row]
    tools: dict[str, OfTool]

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
    policy: Policy,
    actions: Iterable[Action],
    mutations: Sequence[Mutation] = (),
    *,
    reference: Policy | None = None,
    broken: Iterable[tuple[str, Action]] = (),
) -> Certificate:
    """Judge right actions, every mutant of each, and wrong actions that are given.

    A person who is asked counts as a call that is stopped: for a right action that is a block.

    Args:
        actions: The gold actions, each with the state before it.
        reference: The policy whose rules are broken, where that is not the one that is judged: for
            one that a model wrote, the one that a person wrote.
        broken: Wrong actions, each with the name of what it breaks; any name.

    Raises:
        BadInput: If a mutation breaks a rule that the policy does not have.
    """
    named = (reference or policy).rules
    rows = {rule.name: Row(rule.name) for rule in named if rule.check is not always}
    rows[SCHEMA] = Row(SCHEMA)
    for mutation in mutations:
        if mutation.breaks not in rows:
            raise BadInput(
                f"mutation {mutation.name!r} breaks {mutation.breaks!r}: the policy has no such "
                f"rule that can be broken; it has {', '.join(rows)}"
            )
    given = list(broken)
    if given:  # by their own names: what else the policy says may be no matter of theirs
        names = [*(mutation.breaks for mutation in mutations), *(name for name, _ in given)]
        rows = {name: Row(name) for name in names}
    found = Certificate(0, [], list(rows.values()), {})
    gold = 0
    for action in actions:
        gold += 1
        _gold(found, action, judge(policy, action.state, action.call))
        for mutation in mutations:
            if not mutation.tools or action.call.name in mutation.tools:
                for mutant in mutation.make(action):
                    label = f"{mutant.label}: {mutation.name}"
                    _count(policy, found, rows[mutation.breaks], mutant, action.call.name, label)
    for name, action in given:
        _count(policy, found, rows[name], action, action.call.name, action.label)
    return replace(found, gold=gold)


def _gold(found: Certificate, action: Action, decision: Decision) -> None:
    of = found.tools.setdefault(action.call.name, OfTool())
    of.gold += 1
    if decision.outcome != "allow":
        of.blocked += 1
        of.refuting |= {name for name, one in decision.verdicts.items() if one.ok is False}
        found.blocked.append((action.label, decision.reason))


def _count(
    policy: Policy, found: Certificate, row: Row, mutant: Action, tool: str, label: str
) -> None:
    decision = judge(policy, mutant.state, mutant.call)
    said = decision.verdicts.get(row.rule)
    own = any(rule.name == row.rule for rule in policy.rules)
    refuted = any(one.ok is False for one in decision.verdicts.values())
    caught = decision.outcome != "allow"
    row.mutants += 1
    row.caught += caught
    row.by_rule += (
        (said is not None and said.ok is False)
        or (not own and row.rule != SCHEMA and refuted)
        or (row.rule == SCHEMA and not decision.verdicts and caught)
    )
    if not caught:
        row.missed.append(label)
    mutants = found.tools.setdefault(tool, OfTool()).mutants
    many, before = mutants.get(row.rule, (0, 0))
    mutants[row.rule] = many + 1, before + caught


def install(
    policy: Policy,
    found: Certificate,
    share: float = 0.95,
    otherwise: Literal["deny", "ask"] | None = None,
) -> Policy:
    """The policy with what is certified of it.

    A tool of which the certificate does not hold is never allowed: its calls are undecided, unless
    a rule refutes them. A rule that refuted a right call of a tool no longer judges that tool.

    Args:
        share: Of a rule's mutants that must be caught, tool by tool.
        otherwise: What becomes of an undecided call; None for the policy's own.
    """
    doubted = {name for name in policy.schemas if not _holds(found, name, share)}
    rules = []
    for rule in policy.rules:
        wrong = {name for name, of in found.tools.items() if rule.name in of.refuting}
        if left := rule.tools - wrong:
            rules.append(replace(rule, tools=left))
    if doubted:
        says = "what the policy says of this tool is not certified"
        rules.append(Rule(_name(policy), says, _undecided, frozenset(doubted)))
    return replace(policy, rules=rules, otherwise=otherwise or policy.otherwise)


def _holds(found: Certificate, tool: str, share: float) -> bool:
    of = found.tools.get(tool)
    return of is not None and of.holds(share)


def _name(policy: Policy) -> str:
    """A name that no rule has."""
    taken = {rule.name for rule in policy.rules}
    return next(name for name in ("certified", *map(str, range(len(taken)))) if name not in taken)


def _undecided(state: Mapping[str, Any], call: Call) -> Verdict:
    return Verdict(None)


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
