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
"""Of a reply behind any thinking: its first word counts, where no other takes it back."""

_LEADS = frozenset({"answer", "the", "final", "is", "verdict", "my"})
"""Words that may stand in front of it: ``Answer: Yes``."""
_SIGNS = re.compile(r"[\s.!*_\"'”’)\]`]*")
_MARK = re.compile(r"[*_\"'”’)\]`]*(?:\s*[.,:;!—–-]|\n)")
"""What parts a word from more that is said: a *No* without it is another word's."""
_SUBJECTS = "it this that the its final answer solution is indeed step steps s"
_BEHIND = {
    "y": frozenset(
        f"{_SUBJECTS} right correct correctly all every follows are here explanation why".split()
    ),
    "n": frozenset(
        f"{_SUBJECTS} not wrong incorrect should be there an a error mistake in has".split()
    ),
}
"""Words behind *Yes* and *No* that say the same."""
_AFFIRMS = re.compile(
    r"\s*(?:the|its|each|every) (?:final )?(?:solution|answer|step)"
    r" (?:correctly|properly|accurately)(?: (?!but\b|if\b|not\b)[\w$.]+)*\W{0,3}"
)
"""``Yes. The solution correctly adds``, as far as it was written."""


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
    tokens = list(said)
    words = [_word(token.text).lower() for token in tokens]
    at = next((at for at, word in enumerate(words) if word and word not in _LEADS), None)
    if at is None:
        return None
    first, rest = tokens[at], "".join(token.text for token in tokens[at:])
    if not _goes_with(words[at], rest.lower().partition(words[at])[2]):
        return None
    begun = distribution((_word(text), p) for text, p in first.top or ((first.text, 0.0),))
    yes, no = begun.probability(profile.yes), begun.probability(profile.no)
    return yes / (yes + no) if yes + no else None


def _goes_with(word: str, rest: str) -> bool:
    """Whether what stands behind a word, as far as it was written, leaves it as it is."""
    if _SIGNS.fullmatch(rest):
        return True
    known = _BEHIND.get(word[:1], frozenset())
    found = _MARK.match(rest)
    if found is None or "?" in rest:
        return False
    if word[:1] == "y" and _AFFIRMS.fullmatch(rest, found.end()):
        return True
    said = re.split(r"\b(?:because|since)\b", rest)[0]
    return known.issuperset(re.findall(r"[^\W\d_]+", said))


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
