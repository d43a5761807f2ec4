"""What a search backend is: a name, and a query's hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Hit:
    """One result.

    Attributes:
        title: Of the page or document; may be empty.
        url: Where it stands: an address, or a path within the indexed folder.
        text: What was found there.
        score: The backend's own measure, higher is better; None where it has none.
    """

    title: str
    url: str
    text: str
    score: float | None = None


class SearchFailed(Exception):
    """A search that could not be done, which is not the same as nothing found.

    Attributes:
        kind: ``offline``, ``timeout``, ``rate_limited`` (wait and ask again), ``documents`` (the
            local documents cannot be read) or ``failed``.
    """

    def __init__(
        self,
        kind: Literal["offline", "timeout", "rate_limited", "documents", "failed"],
        message: str,
    ) -> None:
        super().__init__(kind, message)  # by which it is made anew where it is unpickled
        self.kind, self.message = kind, message

    def __str__(self) -> str:
        return self.message


class SearchBackend(Protocol):
    """Anything that can be searched; used from many threads at once.

    Attributes:
        name: Unlike that of any backend that answers otherwise; a cache keeps answers by it.
    """

    @property
    def name(self) -> str: ...

    def search(self, query: str, limit: int) -> list[Hit]:
        """At most ``limit`` hits, the best first. May block.

        Raises:
            SearchFailed: If the search could not be done.
        """
