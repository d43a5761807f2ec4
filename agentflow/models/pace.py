"""How often a run can afford to check its stream: by what its checks cost so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

SHARE = 0.05
"""Of a run's time, what its checks may take together."""
ROLES = frozenset({"probe", "rollout", "elicit"})
"""Under which the ledger has checks."""


@dataclass(slots=True)
class Pace:
    """What the checks of a run took, and whether another one is due.

    All streams of a run share one, so that its limit is the run's. The first check is always due:
    what it takes is the price of the next.

    Attributes:
        clock: Seconds that the run has taken so far.
        share: Of these, what checks may take.
        seconds: That they took; one under way counts with its price.
    """

    clock: Callable[[], float]
    share: float = SHARE
    seconds: float = 0.0
    _last: tuple[float, int] | None = field(default=None, repr=False)

    def price(self, read: int) -> float:
        """Seconds that a check will take by what the last one took.

        Args:
            read: Tokens that its server has to read for it, as far as that is known. More than the
                last had make it dearer; fewer are not trusted to make it cheaper.
        """
        if self._last is None:
            return 0.0
        seconds, before = self._last
        return seconds * max(1.0, read / before if before else 1.0)

    def due(self, read: int) -> bool:
        """Whether the run can afford a check now."""
        first = self._last is None and not self.seconds
        return first or self.seconds + self.price(read) <= self.share * self.clock()

    @contextmanager
    def check(self, read: int) -> Iterator[None]:
        """Measure one; it counts, too, where it fails or is cancelled."""
        price, began = self.price(read), self.clock()
        self.seconds += price
        try:
            yield
        finally:
            took = self.clock() - began
            self.seconds += took - price
            self._last = took, read
