"""Where recorded chains end: what is answered there, a limit of tokens, and which were solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agentflow.evaluation.chains import Chain, Check


def closed_end(chain: Chain) -> Check | None:
    """What the model answered where the thinking was closed at its end; None where nobody asked.

    The thinking of a chain that hit the recording's limit was cut, not answered: its last check
    point stands for the end, where none was recorded (EAT, Algorithm 1: line 11 follows the limit).
    """
    if chain.end is not None and chain.end.right:
        return chain.end
    last = chain.checks[-1] if chain.checks else None
    return None if chain.finished or last is None or not last.right else last


def final(chain: Chain) -> tuple[float, float] | None:
    """(share of right answers, tokens) of a chain that is left alone; None where nobody can tell:
    it hit the recording's limit, and no answer was asked for anywhere."""
    end = closed_end(chain)
    if end is not None:
        return sum(end.right) / len(end.right), chain.thinking + sum(end.lengths) / len(end.lengths)
    return (float(chain.right), chain.thinking + chain.answering) if chain.finished else None


def capped(chain: Chain, limit: int) -> Chain:
    """The chain as it is under a limit of tokens of thinking (T of EAT's algorithms): a line that
    is begun is finished, and its check point is the end."""
    for place, check in enumerate(chain.checks):
        if check.tokens >= limit:
            checks = chain.checks[: place + 1]
            return replace(
                chain, checks=checks, end=check, thinking=check.tokens, finished=False, right=False
            )
    return chain


def solvable(chains: Sequence[Chain], least: float = 0.8) -> list[Chain]:
    """The chains whose problem is solved at the end of the reasoning, by Pass@1 (EAT, I.4)."""
    ends = [final(chain) for chain in chains]
    return [
        chain
        for chain, end in zip(chains, ends, strict=True)
        if end is not None and end[0] >= least
    ]
