"""V_score: how sure a model was of its verdict (VerifiAgent, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isfinite

from agentflow.models.protocol import Token

TOP = 5
"""Alternatives that the verdict is weighed against."""


def v_score(text: str, logprob: float, top: Sequence[tuple[str, float]]) -> float | None:
    """``exp(p(t)) / sum_k exp(p(t_k))``, over the likeliest five: a softmax of log-probabilities.

    Where the token that was chosen is none of them it is added (the text leaves that open).

    Args:
        text, logprob: Of the token that was chosen.
        top: (text, log-probability) of alternatives.

    Returns:
        In [0, 1]; None if the chosen token's log-probability is no finite number.
    """
    best = sorted(top, key=lambda pair: -pair[1])[:TOP]
    logprobs = [p for _, p in best]
    if text not in [one for one, _ in best]:
        logprobs.append(logprob)
    if not isfinite(logprob):
        return None
    most = max(logprobs)  # so that nothing overflows or vanishes
    return exp(logprob - most) / sum(exp(p - most) for p in logprobs)


def v_score_at(tokens: Sequence[Token], at: int) -> float | None:
    """V_score at the token that holds a character of the reply.

    ``Correct`` and ``Incorrect`` differ in their first letter, so the first token of the word, or
    the one that it begins in, tells them apart.

    Args:
        at: The offset of the word's first letter in the tokens' text.

    Returns:
        None where there is no such token, or it came without log-probabilities.
    """
    end = 0
    for token in tokens:
        end += len(token.text)
        if end > at:
            if token.logprob is None or not token.top:  # alone it would look like certainty
                return None
            return v_score(token.text, token.logprob, token.top)
    return None
