"""A journal: the tokens of one stream on disk, so that a killed process goes on from them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.models.model import Finish, Token, estimated

FLUSH_SECONDS = 0.5
"""How long a token may wait in memory; a killed process loses no more than twice that."""


@dataclass(slots=True)
class Recovered:
    """What a journal holds of a stream.

    Attributes:
        tokens: The tokens received, in order; with log-probabilities where alternatives came.
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
        self._writing = threading.Lock()
        self._lines: deque[dict[str, Any]] = deque()
        self._tokens: list[tuple[Any, ...]] = []

    async def recover(self, key: str) -> Recovered:
        """What was written under ``key`` so far; writing goes on behind it.

        Raises:
            BadInput: If nothing can be kept there.
        """
        recovered: Recovered = await self._on_disk(self._recover, key)
        return recovered

    def request(self, prompt: int) -> None:
        """Note a request with ``prompt`` tokens."""
        self._bundle()
        self._lines.append({"request": prompt})

    def token(self, token: Token) -> None:
        """Note a token received."""
        self._tokens.append(token[:4] if token.top else token[:2])

    def finish(self, finish: Finish) -> None:
        """Note how the stream ended."""
        self._bundle()
        told = (finish.reason, finish.prompt, finish.cached, finish.generated, finish.reasoning)
        self._lines.append({"finish": told})

    async def flush(self) -> None:
        """Write what was noted; the file system has it when this returns.

        Raises:
            BadInput: If it cannot be written.
        """
        self._bundle()
        if self._lines:
            await self._on_disk(self._append)

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
            await self.flush()

    def _bundle(self) -> None:
        """Turn the tokens noted so far into one line."""
        if self._tokens:
            self._lines.append({"tokens": self._tokens})
            self._tokens = []

    async def _on_disk(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return await asyncio.to_thread(function, *arguments)
        except OSError as error:
            raise BadInput(
                f"{self.path}: cannot keep the journal of the stream ({error.strerror or error}); "
                "make room for it, or name another place with --checkpoints"
            ) from error

    def _append(self) -> None:
        # Lines are taken by who writes them: a flush that was cancelled neither loses any nor lets
        # later ones overtake.
        with self._writing, self.path.open("ab") as file:
            while self._lines:
                file.write(_line(self._lines.popleft()))

    def _recover(self, key: str) -> Recovered:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        recovered, head = Recovered(), _line({"key": key})
        with self.path.open("a+b") as file:
            file.seek(0)
            if file.readline() == head:
                end = file.tell()
                while _take(file.readline(), recovered):
                    end = file.tell()
                file.truncate(end)  # without the line that was being written
            else:
                file.truncate(0)
                file.write(head)
        return recovered


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _token(
    text: str, id: int | None, logprob: float | None = None, top: Sequence[Sequence[Any]] = ()
) -> Token:
    if id is None and logprob is None:
        return estimated(text)
    return Token(text, id, logprob, tuple((other, chance) for other, chance in top))


def _finish(
    reason: str,
    prompt: int | None,
    cached: int | None,
    generated: int | None = None,
    reasoning: int = 0,
) -> Finish:
    return Finish(reason, prompt, cached, generated=generated, reasoning=reasoning)


def _take(line: bytes, recovered: Recovered) -> bool:
    """Add what a line says; false, and nothing is added, if it is no whole line of a journal."""
    if not line.endswith(b"\n"):
        return False
    try:
        said = json.loads(line)
        tokens = [_token(*fields) for fields in said.get("tokens", ())]
        finish = _finish(*said["finish"]) if "finish" in said else recovered.finish
    except (ValueError, TypeError, AttributeError):
        return False
    recovered.tokens += tokens
    recovered.finish = finish
    if "request" in said:
        recovered.prompts.append(said["request"])
    return True
