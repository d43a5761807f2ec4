"""A question that is answered with Yes or No, and how likely Yes was.

    is this solution right?      Yes (0.83), No (0.12), ...      ->  0.83 / (0.83 + 0.12)

A model is often surer, or less sure, than the word that it writes says: P(True) of Kadavath et al.
2022 ("Language Models (Mostly) Know What They Know", section 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentflow.models.model import Model, Token, distribution
from agentflow.models.structured.asking import completion_of
from agentflow.profile import GREEDY, Profile

TOP = 20
"""Alternatives that are asked for: a server's likeliest."""

_TOKENS = 8
"""Of a reply behind any thinking: its first word counts, whatever stands around it."""


async def chance_of_yes(
    model: Model, prompt: tuple[str, str], *, seed: int = 0, cache: bool = True, think: bool = False
) -> float | None:
    """How likely a model answers a question with Yes rather than No.

    Args:
        prompt: (system, user).
        seed, cache, think: As of :func:`~agentflow.models.structured.ask`.

    Returns:
        In [0, 1]: of the two words' probabilities where the reply begins, behind any thinking. A
        model that tells none says 1 or 0 with its word. None where it begins with neither, or the
        prompt leaves no room.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    most = model.capabilities.logprobs
    top = TOP if most is None else min(TOP, most)
    found = await completion_of(model, prompt, _TOKENS, GREEDY, seed, cache, None, think, top)
    if found is None:
        return None
    completion, opened = found
    said = _behind_thinking(completion.tokens, model.profile, opened=opened)
    return chance_in(said, model.profile)


def chance_in(said: Iterable[Token], profile: Profile) -> float | None:
    """As :func:`chance_of_yes`, of a reply's tokens behind its thinking."""
    first = next((token for token in said if _word(token.text)), None)
    if first is None:
        return None
    begun = distribution((_word(text), p) for text, p in first.top or ((first.text, 0.0),))
    yes, no = begun.probability(profile.yes), begun.probability(profile.no)
    return yes / (yes + no) if yes + no else None


def _word(text: str) -> str:
    """The letters of a token, which may come with space or marks around them."""
    return re.sub(r"[\W_]+", "", text)


def _behind_thinking(tokens: Iterable[Token], profile: Profile, *, opened: bool) -> list[Token]:
    """The tokens of a reply that stand behind its thinking; none where that has no end."""
    found, thinking = list[Token](), opened
    for token in tokens:
        if token.text and token.text in (profile.think_open, profile.think_close):
            found, thinking = [], token.text == profile.think_open
        elif not thinking:
            found.append(token)
    return found
