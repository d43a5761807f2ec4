"""Pieces of a message as it is written, from what LangChain, OpenAI and Anthropic stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """A piece of a tool call.

    Attributes:
        call: Which call of the message; None for one that comes as a whole.
        id: The call's id, or empty.
        name: Of the tool, or a piece of it.
        args: A piece of the arguments' JSON.
    """

    call: int | str | None
    id: str = ""
    name: str = ""
    args: str = ""


Read = Callable[[Any], Sequence[Piece]]
"""The pieces of calls in one chunk of a stream; none for one that holds text."""


def of_langchain(chunk: Any) -> list[Piece]:
    """The pieces in an ``AIMessageChunk`` (``tool_call_chunks``)."""
    return [
        Piece(one.get("index"), one.get("id") or "", one.get("name") or "", one.get("args") or "")
        for one in getattr(chunk, "tool_call_chunks", ())
    ]


def of_openai(chunk: Any) -> list[Piece]:
    """The pieces in a ``chat.completion.chunk``, as a dict or as the client's object
    (``choices[0].delta.tool_calls``)."""
    choices = _plain(chunk).get("choices") or [{}]
    found = []
    for one in (choices[0].get("delta") or {}).get("tool_calls") or []:
        said = one.get("function") or {}
        call, name, args = one.get("index"), said.get("name"), said.get("arguments")
        found.append(Piece(call, one.get("id") or "", name or "", args or ""))
    return found


def of_anthropic(event: Any) -> list[Piece]:
    """The pieces in an event of the Messages API, as a dict or as the client's object
    (``content_block_start`` of a ``tool_use``, ``input_json_delta``)."""
    match _plain(event):
        case {"type": "content_block_start", "index": call, "content_block": {"type": "tool_use",
              "id": str(one), "name": str(name)}}:  # fmt: skip
            return [Piece(call, one, name)]
        case {"type": "content_block_delta", "index": call, "delta": {"type": "input_json_delta",
              "partial_json": str(args)}}:  # fmt: skip
            return [Piece(call, args=args)]
    return []


def _plain(chunk: Any) -> Mapping[str, Any]:
    if isinstance(chunk, Mapping):
        return chunk
    found: Mapping[str, Any] = chunk.model_dump()
    return found
