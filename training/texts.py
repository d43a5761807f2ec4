"""Texts that are learned: a prompt of the pocket model's as it is sent, and the reply to it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Literal, TypeVar

from agentflow import prompts
from agentflow.profile import Piece
from training.game24 import Part
from training.mistakes import POCKET

T = TypeVar("T")

LONGEST = 2400
"""Characters of a whole text: about a thousand tokens, and even in those of a model that knows only
Game of 24 less than its context of 2,048."""

CONTEXT_CHARACTERS = 5_000
"""Characters of a text that may nearly fill the context; what does not fit it is left out."""

DOUBTS = ("Wait, let me verify", "Hmm, let me double-check")
_SHOWN_AGAIN = 4
"""Lines that a verification goes through: the last ones."""


def by_turns(rng: random.Random, given: Sequence[T]) -> Iterator[T]:
    """Endless things, each in its turn. The first may be any: where few texts are drawn at once, as
    in a chunk of the curriculum, all are drawn equally often all the same."""
    return islice(cycle(given), rng.randrange(len(given)), None)


def verified_again(rng: random.Random, lines: Sequence[str]) -> Iterator[str]:
    """The lines in which a solver verifies a solution, more often than it needs to."""
    for number in range(min(int(rng.expovariate(0.9)), 4)):
        yield DOUBTS[number % 2]
        yield from lines[-_SHOWN_AGAIN:]


def asked(folder: str, name: str, reply: str, **fields: Any) -> list[Part]:
    """A question of a template, answered without thinking."""
    return answered(rendered(folder, name, **fields), reply)


def answer_part(line: str) -> str:
    """What a solution ends in behind its thinking: an answer line, and what it says in a box."""
    return f"{line}\n\\boxed{{{line.removeprefix('Answer: ')}}}"


def answered(user: str, reply: str) -> list[Part]:
    """What a user says, answered without thinking."""
    return [Part(prompt(user, thinking="none"), learn=False), Part(f"{reply}<|im_end|>")]


def rendered(folder: str, name: str, **fields: Any) -> str:
    """The user's text of a template; the pocket model's have no system text."""
    return prompts.render(folder, name, POCKET.name, fields)[1]


def prompt(user: str, *, thinking: Literal["open", "none"] = "open") -> str:
    """The prompt in which a user says that."""
    return text_of(POCKET.render(user, thinking=thinking))


def text_of(pieces: Sequence[Piece]) -> str:
    """The pieces as one text."""
    return "".join(piece.text for piece in pieces)


def fits(parts: Sequence[Part], longest: int = LONGEST) -> bool:
    """Whether a text is short enough to be learned."""
    return sum(len(part.text) for part in parts) <= longest
