"""A journal: the tokens of one stream on disk, so that a killed process goes on from them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentflow.models.protocol import Finish, Token

FLUSH_SECONDS = 0.5
"""How long a token may wait in memory; a killed process loses no more than twice that."""


@dataclass(slots=True)
class Recovered:
    """What a journal holds of a stream.

    Attributes:
        tokens: The tokens received, in order; without log-probabilities.
        prompts: Prompt tokens of each request made.
        finish: How the stream ended, if it did.
    """

    tokens: list[Token] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    finish: Finish | None = None


class Journal:
    """The journal of one stream: lines of JSON in a file of its own.

    The first line names the request. A journal of another request (the model, the prompt or the
    sampling changed since) is started anew. Only whole lines count: a process may be killed while
    it writes one.

    Args:
        path: The file; its folder is made when it is needed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = asyncio.Lock()  # lines are written in their order
        self._lines: list[dict[str, Any]] = []
        self._tokens: list[tuple[str, int | None]] = []

    async def recover(self, key: str) -> Recovered:
        """What was written under ``key`` so far; writing goes on behind it."""
        return await asyncio.to_thread(self._recover, key)

    def request(self, prompt: int) -> None:
        """Note a request with ``prompt`` tokens."""
        self._bundle()
        self._lines.append({"request": prompt})

    def token(self, token: Token) -> None:
        """Note a token received."""
        self._tokens.append((token.text, token.id))

    def finish(self, finish: Finish) -> None:
        """Note how the stream ended."""
        self._bundle()
        self._lines.append({"finish": [finish.reason, finish.prompt, finish.cached]})

    async def flush(self) -> None:
        """Write what was noted; the file system has it when this returns."""
        async with self._lock:
            self._bundle()
            if self._lines:
                data = b"".join(json.dumps(line).encode() + b"\n" for line in self._lines)
                self._lines = []
                await asyncio.to_thread(self._append, data)

    @asynccontextmanager
    async def flushing(self) -> AsyncIterator[None]:
        """Flush every so often while the body runs, and at its end."""
        flusher = asyncio.ensure_future(self._flush_for_ever())
        try:
            yield
        finally:
            flusher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await flusher
            await self.flush()

    async def _flush_for_ever(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            await asyncio.shield(self.flush())

    def _bundle(self) -> None:
        """Turn the tokens noted so far into one line."""
        if self._tokens:
            self._lines.append({"tokens": self._tokens})
            self._tokens = []

    def _append(self, data: bytes) -> None:
        with self.path.open("ab", buffering=0) as file:
            file.write(data)

    def _recover(self, key: str) -> Recovered:
        written = self.path.read_bytes() if self.path.exists() else b""
        first, *lines = written[: written.rfind(b"\n") + 1].splitlines(keepends=True) or [b""]
        head = json.dumps({"key": key}).encode() + b"\n"
        if first != head:
            lines = []
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"".join([head, *lines]))  # without the line that was being written
        recovered = Recovered()
        for line in map(json.loads, lines):
            recovered.tokens += [Token(text, id) for text, id in line.get("tokens", ())]
            if "request" in line:
                recovered.prompts.append(line["request"])
            if "finish" in line:
                recovered.finish = Finish(*line["finish"])
        return recovered
