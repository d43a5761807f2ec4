"""Who asks, and whether they may now: keys, and what each of them has used."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from math import ceil
from time import monotonic

from agentflow.errors import BadInput
from agentflow.server.refused import Refused
from agentflow.server.settings import Key, Limits, ServeSettings

_MINUTE = 60.0
_GIVE_A_KEY = "give a key of this server: Authorization: Bearer KEY (or x-api-key: KEY)"
_SHORTEST = 16
"""Characters of a key, at least; it is to be random, so that its plain SHA-256 tells nothing."""


@dataclass(slots=True)
class Account:
    """What one key has used.

    Attributes:
        name: The client's, for the log.
        limits: What it may use.
        metrics: Whether it may read the metrics.
        running: Its runs under way.
        spent: (when, tokens) of the last minute, oldest first.
    """

    name: str
    limits: Limits
    metrics: bool
    running: int = 0
    spent: deque[tuple[float, int]] = field(default_factory=deque)

    def charge(self, tokens: int) -> None:
        """Add tokens that a run was found to have used."""
        if tokens and self.limits.tokens_per_minute:
            self.spent.append((monotonic(), tokens))

    @contextmanager
    def admitted(self, runs: int = 1) -> Iterator[None]:
        """Count a request's runs while they last.

        Raises:
            Refused: If a limit is reached (429), with the seconds after which to ask again; if it
                has more runs than the limit lets it have at any time (400).
        """
        if runs > self.limits.concurrency:
            message = f"{runs} answers: this key may have {self.limits.concurrency} runs at once"
            raise Refused(400, message, "invalid_value", "n")
        if self.running + runs > self.limits.concurrency:
            raise _too_many(f"{self.limits.concurrency} requests at once", 1)
        if wait := self._seconds_to_wait():
            raise _too_many(f"{self.limits.tokens_per_minute} tokens per minute", wait)
        self.running += runs
        try:
            yield
        finally:
            self.running -= runs

    def _seconds_to_wait(self) -> int:
        """Seconds until the last minute's tokens are below the limit."""
        limit, now = self.limits.tokens_per_minute, monotonic()
        if limit is None:
            return 0
        while self.spent and self.spent[0][0] <= now - _MINUTE:
            self.spent.popleft()
        left = sum(tokens for _, tokens in self.spent)
        for when, tokens in self.spent:
            if left < limit:
                return 0
            left -= tokens
            if left < limit:
                return max(1, ceil(when + _MINUTE - now))
        return 0


def _too_many(limit: str, wait: int) -> Refused:
    message = f"this key's limit of {limit} is reached; ask again in {wait} s"
    return Refused(429, message, "rate_limit_exceeded", retry_after=wait)


class Access:
    """The accounts by key; without keys there is one, and everybody is let in.

    Raises:
        BadInput: If a key's variable is not set, its key is too short, or two names share one.
    """

    def __init__(self, settings: ServeSettings) -> None:
        self.open = not settings.keys
        self._everybody = Account("anonymous", settings.limits, metrics=True)
        self._keys = {
            _digest(name, key): Account(name, key.limits(settings.limits), key.metrics)
            for name, key in settings.keys.items()
        }
        if len(self._keys) < len(settings.keys):
            raise BadInput("serve.keys: two names have the same key")

    def account(self, authorization: str, api_key: str = "") -> Account:
        """The account of a request's ``Authorization`` header, or without one its ``x-api-key``.

        Every key is compared, in constant time, whichever it is.

        Raises:
            Refused: If there is no such key (401).
        """
        if self.open:
            return self._everybody
        scheme, _, given = (authorization or f"Bearer {api_key}").partition(" ")
        digest = sha256(given.strip().encode("latin-1", "replace")).digest()
        found = [one for key, one in self._keys.items() if compare_digest(key, digest)]
        if not found or scheme.lower() != "bearer":
            raise Refused(401, _GIVE_A_KEY, "bad_key")
        return found[0]


def _digest(name: str, key: Key) -> bytes:
    """The SHA-256 of a key."""
    if key.sha256 is not None:
        return bytes.fromhex(key.sha256)
    value = os.environ.get(key.env or "", "").strip()
    if len(value) < _SHORTEST:
        what = "is not set" if not value else f"holds fewer than {_SHORTEST} characters"
        raise BadInput(f"serve.keys: {name}: the environment variable {key.env} {what}")
    return sha256(value.encode()).digest()
