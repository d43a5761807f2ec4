"""The sessions that each key has open over HTTP, and a bound on them."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.types import ASGIApp, Message, Scope

MOST = 256
"""Sessions of one key. A session costs some kilobytes, and most clients leave theirs open."""
HEADER = b"mcp-session-id"


class Sessions:
    """Which sessions of each key are open, the one used longest ago first.

    The protocol's SDK has one bound for all clients together. Here a key's sessions end that it has
    beyond its own bound, and nobody else's: their clients are told that the session is not there,
    and begin another.
    """

    def __init__(self, app: ASGIApp, most: int = MOST) -> None:
        self._app, self._most = app, most
        self._open: defaultdict[str, OrderedDict[bytes, None]] = defaultdict(OrderedDict)

    async def used(self, owner: str, scope: Scope, reply: Message) -> None:
        """Keep what a request's reply tells of its session, and end those beyond the bound."""
        asked, told = _named(scope["headers"]), _named(reply["headers"])
        found, status = self._open[owner], reply["status"]
        if asked is not None:
            if status == 404 or scope["method"] == "DELETE":
                found.pop(asked, None)
            elif asked in found:
                found.move_to_end(asked)
        elif told is not None and status < 400:
            found[told] = None
            while len(found) > self._most:
                await self._end(scope, found.popitem(last=False)[0])

    async def _end(self, scope: Scope, session: bytes) -> None:
        """End a session as its client would."""
        lines = [(name, value) for name, value in scope["headers"] if name in (b"host", b"accept")]
        request = {**scope, "method": "DELETE", "headers": [*lines, (HEADER, session)]}

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            pass

        await self._app(request, receive, send)


def owned(scope: Scope, owner: str) -> dict[str, Any]:
    """A request as one of the key's, by whose sessions nobody else can go on."""
    token = AccessToken(token="", client_id=owner, scopes=[])
    return {**scope, "user": AuthenticatedUser(token)}


def _named(headers: Iterable[tuple[bytes, bytes]]) -> bytes | None:
    """The session that a message names."""
    return next((value for name, value in headers if name.lower() == HEADER), None)
