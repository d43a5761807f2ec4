"""The web, through ``ddgs`` (several search engines behind one call)."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tenacity import RetryCallState, Retrying, stop_after_attempt, wait_exponential

from agentflow.tools.search.protocol import Hit, SearchFailed
from agentflow.tools.search.text import from_html

REST = 30.0
"""Seconds for which engines that cannot be reached, or refuse, are left alone."""

_NOTHING = "No results found"
_TIMEOUT = re.compile(r"timed?[ -]?out|timeout", re.IGNORECASE)
_OFFLINE = re.compile(r"DNSError|ConnectError|ConnectionError|error resolving|unreachable|refused")


class _Crowded(SearchFailed):
    """A request's turn did not come in time; no engine was asked."""


class WebSearch:
    """Web pages' titles, addresses and snippets.

    ddgs does not tell an engine that refused (HTTP 429 and the like) from one that found nothing,
    so nothing found is asked for once more, and after that believed.

    Args:
        engines: ``auto``, or names with commas as in ddgs (``wikipedia,duckduckgo``).
        region: Country and language: ``us-en``.
        seconds: Wall-clock limit of a search with all its attempts.
        attempts: How often an engine's time-out or refusal is tried again, counting the first.
        spacing: Least seconds between two requests of this object.
        client: Makes what has ``text(query, region=, max_results=, backend=)``: ddgs's ``DDGS``.

    Raises:
        ValueError: If the region or an engine is none.
    """

    def __init__(
        self,
        engines: str = "auto",
        *,
        region: str = "us-en",
        seconds: float = 15.0,
        attempts: int = 3,
        spacing: float = 0.5,
        client: Callable[[], Any] | None = None,
    ) -> None:
        if not re.fullmatch(r"[a-z]{2}-[a-z]{2}", region):
            raise ValueError(f"web search: {region!r} is no region; example: us-en")
        if engines != "auto":
            _check_engines(engines)
        self.engines = engines
        self.region = region
        self.seconds = seconds
        self.attempts = attempts
        self.spacing = spacing
        self.name = f"web:{engines}:{region}"
        self._client = client or (lambda: _ddgs(timeout=max(1, round(seconds / 3))))
        self._lock = threading.Lock()
        self._free = 0.0  # when the next request may go out
        self._failed: SearchFailed | None = None
        self._rests = 0.0  # until when that holds

    def search(self, query: str, limit: int) -> list[Hit]:
        """See :class:`SearchBackend`; a failure is repeated to everybody for half a minute."""
        until = time.monotonic() + self.seconds
        if self._failed is not None and time.monotonic() < self._rests:
            raise SearchFailed(self._failed.kind, str(self._failed))
        pause = wait_exponential(2 * self.spacing)
        retrying = Retrying(
            sleep=time.sleep,
            stop=stop_after_attempt(self.attempts),
            wait=lambda state: max(0.0, min(pause(state), until - time.monotonic())),
            retry=partial(self._asks_again, until),
            reraise=True,
        )
        try:
            return retrying(self._ask, query, limit, until)[:limit]
        except _Crowded:
            raise
        except SearchFailed as error:
            if error.kind != "failed":
                self._failed, self._rests = error, time.monotonic() + REST
            raise

    def _asks_again(self, until: float, state: RetryCallState) -> bool:
        """Whether what came of an attempt is worth another one."""
        assert state.outcome is not None
        error = state.outcome.exception()
        if error is None:
            return not state.outcome.result() and state.attempt_number < min(2, self.attempts)
        passing = isinstance(error, SearchFailed) and error.kind in ("rate_limited", "timeout")
        late = max(self._free, time.monotonic()) >= until
        return passing and not late and not isinstance(error, _Crowded)

    def _turn(self, until: float) -> None:
        """Wait for this request's turn.

        Raises:
            SearchFailed: If it does not come in time.
        """
        with self._lock:
            at = max(self._free, time.monotonic())
            if at >= until:
                raise _Crowded("rate_limited", "too many searches wait for their turn")
            self._free = at + self.spacing
        time.sleep(max(0.0, at - time.monotonic()))

    def _ask(self, query: str, limit: int, until: float) -> list[Hit]:
        """One request, left behind at its deadline: ddgs waits for its slowest engine."""
        self._turn(until)
        found: list[Hit] = []
        failed: list[Exception] = []

        def ask() -> None:
            try:
                given = {"region": self.region, "max_results": limit, "backend": self.engines}
                found.extend(map(_hit, self._client().text(query, **given)))
            except Exception as error:  # ddgs, its parsers and its transport
                failed.append(error)

        thread = threading.Thread(target=ask, name="web search", daemon=True)
        thread.start()
        thread.join(max(0.0, until - time.monotonic()))
        if thread.is_alive():
            raise SearchFailed("timeout", f"no answer within {self.seconds:g} s")
        if failed and _NOTHING not in str(failed[0]):
            raise _told(failed[0]) from failed[0]
        return found


def _ddgs(timeout: int) -> Any:
    from ddgs import DDGS  # takes a tenth of a second to import

    return DDGS(timeout=timeout)


def _check_engines(engines: str) -> None:
    from ddgs.engines import ENGINES

    for engine in engines.split(","):
        if engine.strip() not in ENGINES["text"]:
            known = ", ".join(sorted(ENGINES["text"]))
            raise ValueError(
                f"web search: no engine is called {engine.strip()!r}; there are: {known}"
            )


def _hit(result: dict[str, Any]) -> Hit:
    title, url, text = (str(result.get(key) or "") for key in ("title", "href", "body"))
    return Hit(from_html(title), url, from_html(text))


def _told(error: Exception) -> SearchFailed:
    """What went wrong, by the names and words of ddgs and of its transport."""
    message = f"{type(error).__name__}: {error}"
    if "Ratelimit" in message:
        return SearchFailed("rate_limited", "the search engines refuse: asked too often")
    if _TIMEOUT.search(message):
        return SearchFailed("timeout", "the search engines do not answer in time")
    if _OFFLINE.search(message):
        return SearchFailed("offline", "no search engine can be reached: is there a network?")
    return SearchFailed("failed", message[:300])
