"""What a server's prefix cache is worth: how much of what it had had before it read again."""

from __future__ import annotations

from dataclasses import dataclass

LONG = 1024
"""Tokens of a prefix that counts. A shorter one may lie within a block or two, of which nothing is
kept before they are full: hybrid models have some of 528 tokens."""
ENOUGH = 3
"""Requests with such a prefix before anything is said."""
WORKS = 0.5
"""Share that a cache which works has at least: two blocks of which the second is not yet full."""


@dataclass(slots=True)
class Reuse:
    """What one server took from its cache.

    Attributes:
        requests: With a long prefix that it had had before.
        known: Tokens of these prefixes.
        cached: Tokens of them that it did not read again.
        told: Whether somebody was told that it does not work.
    """

    requests: int = 0
    known: int = 0
    cached: int = 0
    told: bool = False

    def take(self, known: int, cached: int | None) -> None:
        """Count a request.

        Args:
            known: Tokens at its beginning that the server had read or written before.
            cached: What it says it took from its cache; None where it says nothing.
        """
        if cached is not None and known >= LONG:
            self.requests += 1
            self.known += known
            self.cached += min(cached, known)

    @property
    def share(self) -> float | None:
        """Cached of the known tokens, in [0, 1]; None while there are too few requests."""
        return self.cached / self.known if self.requests >= ENOUGH else None

    @property
    def works(self) -> bool:
        """Whether it does, as far as anybody knows."""
        share = self.share
        return share is None or share >= WORKS


def rereads(server: str, known: int, cached: int) -> str:
    """What is said of a server whose cache does not work, and what to do."""
    return (
        f"{server} read {known - cached:,} of {known:,} tokens again that it had had before: each "
        "probe and each cut costs a whole prompt. See that prefixes are cached there (vLLM: "
        '--enable-prefix-caching; hybrid models may have none), or space the checks by every="auto"'
    )
