"""The reward of a fast verifier's reply (Solve-Detect-Verify, section 3.2, equations 1 and 2)."""

from __future__ import annotations

from agentflow.verifiers import parse

LENGTH_WEIGHT = 0.1
"""The paper's lambda."""


def correctness(reply: str, steps: int, index: int) -> float:
    """1 for a reply that names the first wrong step, else 0; a malformed one names none.

    Args:
        steps: How many steps the solution has.
        index: 0-based index of the first wrong one, -1 for none.
    """
    return 1.0 if parse(reply, steps).index == index else 0.0


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
