"""The reward of a verifier's reply (Solve-Detect-Verify, section 3.2, equations 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass

from agentflow.verifiers import parse

LENGTH_WEIGHT = 0.1
"""The paper's lambda."""


def correctness(reply: str, steps: int, index: int, *, whole: bool = True) -> float:
    """1 for a reply that names the first wrong step, else 0; a malformed one names none.

    Args:
        reply: Without its thinking.
        steps: How many steps the solution has.
        index: 0-based index of the first wrong one, -1 for none.
        whole: Whether the reply came to its end.
    """
    return 1.0 if parse(reply, steps, whole=whole).index == index else 0.0


def length(tokens: int, maximum: int) -> float:
    """What a reply's length costs, between ``-LENGTH_WEIGHT`` and 0.

    The paper leaves the unit of its length open. Here it is the share of the tokens allowed:
    counted in tokens, the length would swamp whether the index is right.

    Args:
        tokens: Generated tokens, the one that ends the turn included.
        maximum: Most tokens of a reply.

    Raises:
        ValueError: If ``maximum`` is not positive.
    """
    if maximum <= 0:
        raise ValueError(f"the most tokens of a reply must be positive, not {maximum}")
    return -LENGTH_WEIGHT * min(tokens / maximum, 1.0)


_LATE = 0.005
"""How much one reply changes the shares that are kept: they are of some 200 replies."""


@dataclass(slots=True)
class F1:
    """What a right index is worth to F1 (ProcessBench's), which is paid for both classes together.

    Say that 46 % of mistakes are named and 79 % of right solutions passed: F1 then gains three
    times as much from one more mistake named as from one more solution passed. A training that
    pays both alike learns the answer that is more often right; this pays whichever falls behind.

    Attributes:
        wrong: Share of the rows that have a mistake.
        named: Share of mistakes named of late.
        passed: Share of right solutions passed of late.
    """

    wrong: float
    named: float = 0.5
    passed: float = 0.5

    def worth(self, index: int) -> float:
        """How fast F1 rises with the accuracy on solutions like this one, over how often there are
        such: 1 where both classes come as often and are judged as well.

        Args:
            index: 0-based index of the first wrong step, -1 for none.
        """
        both = max(self.named + self.passed, 1e-6)
        if index < 0:
            return (self.named / both) ** 2 * 2 / max(1 - self.wrong, 1e-6)
        return (self.passed / both) ** 2 * 2 / max(self.wrong, 1e-6)

    def see(self, index: int, right: float) -> None:
        """Learn whether a reply (1 or 0) was right."""
        if index < 0:
            self.passed += _LATE * (right - self.passed)
        else:
            self.named += _LATE * (right - self.named)
