"""How far ahead of all other tokens those of an answer are (Wang and Zhou 2024)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import exp
from typing import Literal

from agentflow.monitors.monitor import Context, Increment, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict

_KEPT = 256
"""Tokens at the end of a text that an answer is looked for in."""


@dataclass(frozen=True, slots=True)
class Margins(Monitor):
    """Notes the last tokens' margins: by how much the likeliest token was likelier than the second.

    Where the text ends, the state ``margins`` holds the tokens as [text, margin], the margin in [0,
    1]. Its verdicts cannot tell: sure is not right.
    """

    name: str = "margins"
    reads: Literal["line", "token"] = "token"

    def start(self) -> Memory:
        return {"tokens": []}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        end = increment.offset + len(increment.text)
        if increment.boundary == "end" and memory["tokens"]:
            return memory, [State("margins", memory, end, end)]
        if not increment.text:
            return memory, []
        tokens = [*memory["tokens"], [increment.text, margin(increment.top)]]
        return {"tokens": tokens[-_KEPT:]}, []

    async def verify(self, state: State, context: Context) -> Verdict:
        return Verdict(None, "sure is not right", "margins", source=self.name)


def margin(top: tuple[tuple[str, float], ...]) -> float | None:
    """The likeliest token's probability less the second's; None where fewer than two are told.

    Args:
        top: (text, log-probability) of the likeliest tokens.
    """
    chances = sorted((exp(logprob) for _, logprob in top), reverse=True)
    return chances[0] - chances[1] if len(chances) > 1 else None


def of_answer(tokens: list[tuple[str, float | None]], answer: str) -> float | None:
    """The mean margin of an answer's tokens, where it stands last by itself (7 does not in 17, nor
    in 7.5); where it stands nowhere as it is, of the last line's. None where none of them has
    one."""
    text = "".join(token for token, _ in tokens)
    places = re.finditer(rf"(?<!\w)(?<!\d[.,]){re.escape(answer)}(?!\w|[.,]\d)", text)
    start, end = text.rstrip().rfind("\n") + 1, len(text)
    for place in places:
        start, end = place.span()
    found, at = list[float](), 0
    for token, value in tokens:
        if value is not None and at < end and at + len(token) > start:
            found.append(value)
        at += len(token)
    return sum(found) / len(found) if found else None
