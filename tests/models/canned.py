"""A client over given bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fake_server import SPECIAL

from agentflow.models import HTTPModel, Request, Token, complete
from agentflow.profile import PROFILES


class Canned(HTTPModel):
    """The client over given chunks of bytes instead of a connection."""

    def __init__(self, chunks: Sequence[bytes]) -> None:
        super().__init__("http://canned/v1", profile=PROFILES["pocket"])
        self._markers = {i: SPECIAL[i] for i in (1, 2, 3)}
        self.chunks = chunks

    @asynccontextmanager
    async def request(self, *_: Any) -> AsyncIterator[Any]:
        class Content:
            async def iter_any(content) -> AsyncIterator[bytes]:
                for chunk in self.chunks:
                    yield chunk

        response = type("Response", (), {"content": Content(), "headers": {}})
        yield response


async def read(chunks: Sequence[bytes], top: int = 0) -> list[Token]:
    """The tokens in the chunks, which must end in a finish."""
    completion = await complete(Canned(chunks), Request((1,), 99, top=top))
    return list(completion.tokens)
