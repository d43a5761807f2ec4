"""Server-sent events: chunks of bytes to events, however they are framed.

What is not as it should be raises :class:`~agentflow.models.fields.Wrong`, which names the field.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from time import monotonic
from typing import Any

import aiohttp
import orjson

from agentflow.models.fields import Wrong
from agentflow.models.server_errors import unwrapped
from agentflow.models.server_json import Halves, decoded

_EVENT, _ALTERNATIVE = 1 << 20, 512
"""Bytes of an event, and so many more for each alternative asked for: whoever wants the whole
vocabulary gets it in one event."""

_BOM = b"\xef\xbb\xbf"
_FIELDS = (b"", b"event", b"id", b"retry", b"data")
"""Fields of a stream of events that bring no text; a comment has none."""


def longest(top: int) -> int:
    """Bytes that one event may have, where each token brings ``top`` alternatives."""
    return _EVENT + _ALTERNATIVE * top


async def events(
    response: aiohttp.ClientResponse, idle_timeout: float, most: int = _EVENT
) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream, parsed, up to ``[DONE]``; an error has the key ``error``.

    A server that streams nothing but answers with one object gives that object.

    Args:
        idle_timeout: Seconds without an event after which the stream counts as silent, though
            comments come that keep the connection open.
        most: Bytes that an event may have.

    Raises:
        orjson.JSONDecodeError: If one is no JSON.
        Wrong: If one is no object, or too long, or if what comes is no stream of events at all.
        aiohttp.ClientError, TimeoutError, OSError: If the connection breaks or falls silent.
    """
    reader, last = _Reader(most), monotonic()
    async for chunk in response.content.iter_any():
        came = False
        for event in reader.feed(chunk):
            came = True
            yield event
        if reader.done:
            return
        now = monotonic()
        if came:
            last = now
        elif now - last > idle_timeout:
            raise TimeoutError(f"no event for {idle_timeout:g} s")
    for event in reader.end():
        yield event


class _Reader:
    """Chunks of bytes to server-sent events.

    Attributes:
        done: Whether ``[DONE]`` came.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.rest, self.data, self.other = b"", bytearray(), bytearray()
        self.came = self.done = False
        self._begun = self._cr = self._fails = self._several = False
        self._halves = Halves()

    def feed(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        """The events that a chunk completes."""
        lines = (self.rest + self._newlines(chunk)).split(b"\n")
        self.rest = lines.pop()
        if lines and not self._begun:
            self._begun, lines[0] = True, lines[0].removeprefix(_BOM)
        for line in lines:
            if line.startswith(b"data:"):
                if self.data and not self._several and (event := self._whole()) is not None:
                    self.data, self.came = bytearray(), True  # some end events with the line
                    yield event
                self._several = bool(self.data)
                self.data += line[5:].strip()
                if self.data == b"[DONE]":
                    self.done = True
                    return
            elif line.startswith(b"error:"):  # llama.cpp's own form
                self.came = True
                yield {"error": self._read(line[6:])}
            elif line.strip() == b"event: error":
                self._fails = True
            elif self.data and not line.strip():
                data, self.data = self.data, bytearray()
                self.came = True
                yield self._parsed(data)
            elif not (self.came or line.partition(b":")[0].strip() in _FIELDS):
                self.other += line
        if len(self.rest) + len(self.data) + len(self.other) > self.most:
            start = bytes(self.data or self.rest or self.other)[:40]
            raise Wrong("data", start, f"an event of at most {self.most:,} bytes")

    def end(self) -> Iterator[dict[str, Any]]:
        """What the end of the connection completes: some write no empty line behind the last
        event, and some take no notice of ``stream``."""
        yield from self.feed(b"\n\n")
        other = self.other.strip()
        if self.came or not other:
            return
        if not other.startswith((b"{", b"[")):
            said = other[:60].decode("utf-8", "replace")
            raise Wrong("(the whole)", said, "a stream of events")
        event = self._parsed(other)
        yield event if event.keys() & {"choices", "error", "usage"} else {"error": event}

    def _newlines(self, chunk: bytes) -> bytes:
        """A chunk with every end of a line as a newline: it may be a carriage return, or both."""
        if self._cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._cr = chunk.endswith(b"\r")
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return chunk

    def _whole(self) -> dict[str, Any] | None:
        """The event that the part of one which came is by itself."""
        try:
            return self._event(self._halves.joined(orjson.loads(self.data), self.data))
        except (orjson.JSONDecodeError, Wrong):
            return None

    def _parsed(self, data: bytearray) -> dict[str, Any]:
        try:
            found = self._read(data)
        except orjson.JSONDecodeError:
            if not self._fails:
                raise
            found = data[:300].decode("utf-8", "replace")
        return self._event(found)

    def _event(self, found: Any) -> dict[str, Any]:
        fails, self._fails = self._fails, False
        event = unwrapped(found)
        if fails and not (isinstance(event, dict) and event.get("error") is not None):
            return {"error": event}
        if not isinstance(event, dict):
            raise Wrong("data", event, "an object")
        return {"error": event} if event.get("object") == "error" else event  # older vLLM's form

    def _read(self, data: bytes | bytearray) -> Any:
        return self._halves.joined(decoded(data), data)
