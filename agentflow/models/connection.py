"""Requests to one server, held to bounds of time and memory that are ours."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import orjson

from agentflow.backoff import Rest
from agentflow.errors import BadInput, BadReply, ModelUnavailable, Refused
from agentflow.models import server_errors, server_json

LOST = (aiohttp.ClientError, asyncio.TimeoutError, OSError)
"""What a connection that is refused, broken or silent raises."""
_TRY_LATER = (408, 425, 429)
"""Client errors, by their number, that another attempt may cure."""
_MOST = 1 << 25
"""Bytes of an answer that is not streamed."""
_MOST_SAID = 1 << 16
"""Bytes of an error's."""


def why_lost(error: Exception) -> str:
    """What is said of a stream that broke; aiohttp speaks of HTTP's inside."""
    if isinstance(error, aiohttp.ClientPayloadError):
        return "the connection was closed in the middle"
    if isinstance(error, orjson.JSONDecodeError):
        return f"an event is no JSON: {error.doc[:60]!r}"
    return str(error) or type(error).__name__


class Connection:
    """A server's base URL, and a session with it.

    A server that asks to be left alone for a while (``retry-after``) is, by every request to it.
    Nothing is unpacked, and no redirect is followed: a server decides neither how much memory an
    answer takes nor who is asked.

    Args:
        base_url: For example ``http://localhost:8000/v1``.
        api_key: Sent as a bearer token, or in the header that ``key_header`` names. It stands in no
            error: what a server says of it is told without.
        idle_timeout: Seconds without a byte after which a stream counts as broken, and that the
            head of an answer, or one that is not streamed, may take.
    """

    def __init__(
        self, base_url: str, api_key: str | None, idle_timeout: float, key_header: str = ""
    ) -> None:
        path, mark, query = base_url.partition("?")
        self.base_url = path.rstrip("/")
        self._query = f"{mark}{query}"
        self.api_key = api_key
        self._idle_timeout = idle_timeout
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=idle_timeout)
        self._headers = {"Accept-Encoding": "identity"}
        if api_key:
            name, lead = (key_header, "") if key_header else ("Authorization", "Bearer ")
            self._headers[name] = lead + api_key
        self._session: aiohttp.ClientSession | None = None
        self._lost = False
        self.rest = Rest()

    def at(self, path: str) -> str:
        """The URL of an endpoint; a query of the base URL stands behind it, as Azure wants it."""
        return f"{self.base_url}{path}{self._query}"

    async def close(self) -> None:
        """Close the session; requests make a new one."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(
                timeout=self._timeout,
                headers=self._headers,
                auto_decompress=False,
                # A kept connection may be closed by the server just when the next request goes out
                # (llama.cpp does), and a POST must not be sent twice.
                connector=aiohttp.TCPConnector(limit=0, force_close=True),
            )
        return self._session

    @asynccontextmanager
    async def request(
        self, method: str, url: str, body: dict[str, Any] | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response to a request, its head read and its status below 300.

        Raises:
            BadInput: If the URL is none.
            Refused: If the server refuses the request, or names another one.
            BadReply: If the answer is packed.
            ModelUnavailable: If it does not answer.
            TimeoutError: If it falls silent while it is read.
        """
        async with await self._send(method, url, body) as response:
            await self._see_head(response, url)
            try:
                yield response
            except aiohttp.SocketTimeoutError as error:
                raise TimeoutError(self._silence) from error

    async def _send(
        self, method: str, url: str, body: dict[str, Any] | None
    ) -> aiohttp.ClientResponse:
        """The response to a request, whatever its head says."""
        data = None if body is None else server_json.packed(body)
        headers = {"Content-Type": "application/json"}
        await self.rest.over()
        session = self._open_session()
        try:
            async with asyncio.timeout(self._idle_timeout + 10):
                return await session.request(
                    method, url, data=data, headers=headers, allow_redirects=False
                )
        except (aiohttp.InvalidURL, ValueError) as error:
            raise BadInput(f"{url!r} is not a URL") from error
        except aiohttp.ClientResponseError as error:
            raise BadInput(f"what answers at {url} does not speak HTTP") from error
        except LOST as error:
            self._lost = True
            reached = isinstance(error, TimeoutError) and not isinstance(
                error, aiohttp.ConnectionTimeoutError
            )
            if reached:
                raise ModelUnavailable(f"{url}: {self._silence}") from error
            why = str(error) or type(error).__name__
            raise ModelUnavailable(
                f"no server answers at {url} ({why}); start one or check --model"
            ) from error

    async def _see_head(self, response: aiohttp.ClientResponse, url: str) -> None:
        """
        Raises:
            Refused, BadReply, ModelUnavailable: As :meth:`request`.
        """
        status, after = response.status, seconds(response.headers.get("Retry-After"))
        packed = response.headers.get("Content-Encoding", "identity")
        if 300 <= status < 400:
            there = response.headers.get("Location", "nowhere")[:200]
            message = f"{url} answered {status}: go to {there}; name that server instead"
            raise Refused(self.without_key(message), status)
        if packed.lower() != "identity":
            message = f"{url} answered packed as {packed[:40]!r}, which was not asked for"
            raise self.identified(BadReply(message), response.headers)
        if status < 400:
            return
        said = await self._say(response)
        long = server_errors.too_long(said) if status == 500 or refuses(status) else ""
        message = f"{url} answered {status}: {said}{long}"
        if refuses(status) or long:
            raise self.identified(Refused(message, status), response.headers)
        self.rest.ask(after)
        raise self.identified(ModelUnavailable(message, status, after), response.headers)

    @property
    def _silence(self) -> str:
        """What is said of a server that sends nothing, which may only be slow."""
        return f"nothing came for {self._idle_timeout:g} s; a longer idle_timeout waits longer"

    async def json(self, method: str, url: str, body: dict[str, Any] | None = None) -> Any:
        """The answer to a request, as JSON.

        Raises:
            BadReply: If it is none, or too long.
            BadInput, ModelUnavailable: As :meth:`request`.
        """
        async with self.request(method, url, body) as response:
            return await self.read(response)

    async def read(self, response: aiohttp.ClientResponse) -> Any:
        """A whole answer, as JSON.

        Raises:
            BadReply: If it is none, or too long.
            ModelUnavailable: If it breaks off.
        """
        url = response.url
        try:
            return server_json.loads(await self._whole(response, _MOST))
        except orjson.JSONDecodeError as error:
            message = f"{url} answered something that is not JSON; is it an OpenAI-compatible API?"
            raise self.identified(BadReply(message), response.headers) from error
        except LOST as error:
            why = "timed out" if isinstance(error, TimeoutError) else str(error)
            message = f"{url}: the answer broke off ({why})"
            raise self.identified(ModelUnavailable(message), response.headers) from error

    async def _whole(self, response: aiohttp.ClientResponse, most: int) -> bytes:
        """The whole answer, from a server that may send it byte by byte.

        Raises:
            BadReply: If it is longer than ``most`` bytes.
        """
        found = bytearray()
        async with asyncio.timeout(self._idle_timeout):
            async for chunk in response.content.iter_any():
                found += chunk
                if len(found) > most:
                    raise BadReply(f"{response.url} answered more than {most:,} bytes")
        return bytes(found)

    def identified(self, error: server_errors.E, headers: Mapping[str, str]) -> server_errors.E:
        """The error with the id that the server gave the request."""
        error.args = (self.without_key(str(error)),)
        return server_errors.with_id(error, headers, self.api_key)

    def without_key(self, text: str) -> str:
        """What a server says, without the key, which some repeat."""
        return server_errors.without_key(text, self.api_key)

    async def _say(self, response: aiohttp.ClientResponse) -> str:
        """What an error response says, in one short line."""
        try:
            raw = (await self._whole(response, _MOST_SAID)).decode("utf-8", "replace")
            return server_errors.message(orjson.loads(raw), self.api_key)
        except orjson.JSONDecodeError:
            text = self.without_key(" ".join(raw.split()))
            if text[:1] != "<":
                return text[:200] or "(nothing)"
            title = re.search(r"<title>([^<]{1,100})</title>", text, re.IGNORECASE)
            page = f"a web page, {title[1].strip()!r}" if title else "a web page"
            return f"{page}; is it an OpenAI-compatible API?"
        except BadReply:
            return "(an endless answer)"
        except LOST:
            return "(the answer broke off)"


def seconds(value: str | None) -> float | None:
    """The seconds of a ``Retry-After``, which may say a date; None for nothing."""
    if not value or re.fullmatch(r"\d{1,6}(\.\d{1,6})?", value):
        return float(value) if value else None
    try:
        left = parsedate_to_datetime(value) - datetime.now(UTC)
    except (ValueError, TypeError, OverflowError):  # no date, or one without a zone
        return None
    return max(0.0, left.total_seconds())


def refuses(status: int) -> bool:
    """Whether an error's status says that another attempt is of no use."""
    return 400 <= status < 500 and status not in _TRY_LATER
