"""Sections of a report beside its table: accuracy by the problems' level and type, and which tools
and strategies were chosen (adaptive compute, figures 2 and 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from agentflow.evaluation import markdown as tables
from agentflow.evaluation.collected import Collected
from agentflow.evaluation.intervals import Interval, wilson
from agentflow.evaluation.records import grouped

DIRECT = "direct generation"
"""What an iteration is called that used no tool."""

Cells = dict[str, str]


def by_group(found: Collected, group: str) -> dict[str, dict[str, Interval]]:
    """The accuracy of each arm on the problems of each ``difficulty`` or ``type``, in order; empty
    where no record names one."""
    lines: dict[str, dict[str, Interval]] = {}
    for arm in found.arms:
        records = found.finished(arm)
        if rights := grouped((str(one.extra.get(group) or ""), one.right) for one in records):
            lines[arm] = {name: wilson(sum(one), len(one)) for name, one in rights.items()}
    return lines


def usage(found: Collected, what: str) -> dict[str, dict[str, float]]:
    """Of each arm, the share of the iterations that used each of the ``tools``, or each
    ``strategy``; an iteration may use several tools. Arms whose records tell of none are left
    out."""
    lines: dict[str, dict[str, float]] = {}
    for arm in found.arms:
        choices = [one for r in found.finished(arm) for one in r.extra.get("choices", ())]
        if choices:
            used = Counter(name for one in choices for name in _used(one, what))
            lines[arm] = {name: used[name] / len(choices) for name, _ in used.most_common()}
    return lines


def _used(choice: dict[str, object], what: str) -> Sequence[str]:
    tools = choice["tools"]
    if what == "tools":
        return list(map(str, tools)) if isinstance(tools, list) and tools else [DIRECT]
    return [str(choice["strategy"])] if tools else [DIRECT]


def _groups(found: Collected, group: str) -> Iterator[Cells]:
    for arm, shares in by_group(found, group).items():
        yield {"arm": arm, **{name: one.percent() for name, one in shares.items()}}


def _usage(found: Collected, what: str) -> Iterator[Cells]:
    for arm, shares in usage(found, what).items():
        yield {"arm": arm, **{name: tables.percent(one) for name, one in shares.items()}}


_SECTIONS: tuple[tuple[str, Callable[[Collected], Iterator[Cells]]], ...] = (
    ("Accuracy by level", lambda found: _groups(found, "difficulty")),
    ("Accuracy by type", lambda found: _groups(found, "type")),
    ("Tools, in shares of the iterations that used them", lambda found: _usage(found, "tools")),
    ("Strategies, in shares of the iterations", lambda found: _usage(found, "strategy")),
)


def sections(found: Collected) -> list[str]:
    """The sections that the records have something for, as Markdown."""
    said = []
    for title, lines in _SECTIONS:
        if cells := list(lines(found)):
            said += [f"## {title}", tables.table(cells)]
    return said
