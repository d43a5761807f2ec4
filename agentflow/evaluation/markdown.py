"""Tables in Markdown, from lines by their columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentflow.evaluation.intervals import Interval

NOTHING = "–"
"""What stands where there is no value."""


def columns(lines: Sequence[dict[str, str]], *, empty: bool = True) -> list[str]:
    """The columns of lines, in the order in which they first appear.

    Args:
        empty: Also those in which no line has a value.
    """
    names = dict.fromkeys(name for one in lines for name in one)
    return [n for n in names if empty or any(one.get(n, NOTHING) != NOTHING for one in lines)]


def cells(lines: Sequence[dict[str, str]], names: Sequence[str]) -> list[list[str]]:
    """What stands in these columns, line by line."""
    return [[one.get(name, NOTHING) for name in names] for one in lines]


def table(lines: Iterable[dict[str, str]], *, empty: bool = True) -> str:
    """Lines as a table, the first column to the left; ``empty`` as of :func:`columns`."""
    found = list(lines)
    names = columns(found, empty=empty)
    head, *body = ["|" + "".join(map(_cell, row)) for row in [names, *cells(found, names)]]
    return "\n".join([head, "|---|" + "---:|" * (len(names) - 1), *body])


def _cell(text: str) -> str:
    escaped = text.replace("|", "\\|")
    return f" {escaped} |" if text else " |"


def percent(share: float | Interval | None) -> str:
    """A share, with its interval where it has one."""
    if share is None:
        return NOTHING
    return share.percent() if isinstance(share, Interval) else f"{100 * share:.1f} %"


def number(value: float | None, digits: int = 1) -> str:
    """A number with so many digits behind the point."""
    return NOTHING if value is None else f"{value:,.{digits}f}"
