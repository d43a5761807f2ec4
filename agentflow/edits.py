"""A state that a person edits: what does not fit is named before it is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from langgraph.errors import InvalidUpdateError
from langgraph.types import Overwrite
from pydantic import TypeAdapter, ValidationError

from agentflow.channels import AnswerVerdict, Attempt, Ruling, judged, sample, stream_end
from agentflow.errors import BadInput, known
from agentflow.monitors.stream_result import Reading
from agentflow.problem import Problem
from agentflow.run import RunState
from agentflow.trace import Trace

_TYPES = TypeAdapter(RunState)
_OVERWRITE = "__overwrite__"
"""LangGraph's word for a value that takes a channel's place, in plain JSON."""


class BadEdit(BadInput, InvalidUpdateError):
    """An edit that does not fit the state; a LangGraph server passes its message on."""


def _each(read: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda rows: [read(one) for one in rows]


_READERS: Mapping[str, Callable[[Any], object]] = {
    "problem": lambda given: given if isinstance(given, str) else Problem(**given),
    "operations": lambda given: Trace(given).body,
    "reading": lambda given: Reading(**given),
    "judged": _each(judged),
    "stream_end": stream_end,
    "attempt": lambda given: Attempt(**given),
    "verdict": lambda given: Ruling(**given) if given else None,
    "samples": _each(sample),
    "team": _each(
        lambda one: (one["model"], one["open"], one["close"], Trace(one["operations"]).body)
    ),
    "final": lambda given: AnswerVerdict(**given) if given else None,
}
"""How nodes and edges read the channels that are more than a value."""


def see(values: Any, channels: Collection[str]) -> None:
    """See that nodes and edges can read what a person writes.

    Args:
        values: New values of channels by name; anything else is LangGraph's to refuse.
        channels: Those of the graph.

    Raises:
        BadEdit: If there is no such channel, or it cannot hold that; names it.
    """
    if not isinstance(values, Mapping):
        return
    for name, value in values.items():
        if name not in channels:
            raise BadEdit(f"{name!r:.60}: no such channel; {known(str(name), sorted(channels))}")
        given = _whole(value)
        try:
            if name in RunState.__annotations__:
                _TYPES.validate_python({name: given}, strict=True)
            _READERS.get(name, id)(given)
        except ValidationError as error:
            raise BadEdit(f"{name}: {given!r:.60} does not fit; {_said(error)}") from error
        except _MISFITS as error:
            raise BadEdit(
                f"{name}: {given!r:.60} is not what a run writes there ({_said(error)}); change "
                "what a checkpoint has there"
            ) from error


@contextmanager
def seen(edits: Iterable[Any], channels: Collection[str]) -> Iterator[None]:
    """Around an edit: what goes wrong with it, also in an edge behind it, is a :class:`BadEdit`.

    Args:
        edits: LangGraph's updates.
    """
    for edit in edits:
        see(edit.values, channels)
    try:
        yield
    except BadEdit:
        raise
    except _MISFITS as error:
        raise BadEdit(f"the state cannot be edited so: {_said(error)}") from error


_MISFITS = (BadInput, LookupError, TypeError, AttributeError, AssertionError)


def _whole(value: Any) -> Any:
    if isinstance(value, Overwrite):
        return value.value
    return value[_OVERWRITE] if isinstance(value, dict) and value.keys() == {_OVERWRITE} else value


def _said(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, ValidationError):
        return error.errors()[0]["msg"]
    text = " ".join(str(error).split())
    return (
        text if isinstance(error, BadInput | AssertionError) else f"{type(error).__name__}: {text}"
    )
