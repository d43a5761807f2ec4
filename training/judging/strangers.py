"""Questions about strangers: what a solution states of them is all that is known.

Whether "Answer: no" follows from "born in 1813" and "born in 1838" is to be read off the years.
Asked about the same sixty people again and again, a model learns the answers by their names. Nobody
knows a stranger, so the lines of facts are neither learned nor judged, only what is concluded.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from agentflow.verifiers import segment
from training.cases import facts
from training.flawed import SHOULD_BE
from training.game24 import Part
from training.here import domain
from training.mistakes import POCKET, Example
from training.texts import answer_part, verified_again

_FACT = "Fact: "
FLAWED = 0.12
"""Share of the solutions that come to the wrong answer. A wrong line counts four times: with as
many wrong as right ones the judge rejects whatever it cannot tell."""
_NEAR = 0.4
"""Share of the pairs whose years are close together."""


def examples(seed: int, *, held_out: bool = False) -> Iterator[Example]:
    """Endless solutions; :data:`FLAWED` of them come to the wrong answer. Held-out ones are other
    draws: of nobody is anything learned."""
    rng = random.Random(f"strangers {seed} {held_out}")
    while True:
        yield example(rng, flawed=rng.random() < FLAWED)


def example(rng: random.Random, *, flawed: bool) -> Example:
    """A solution that states facts of strangers, and concludes the right or the wrong thing."""
    question, told, right, other = (_birthplace if rng.random() < 0.2 else _older)(rng)
    lines = [*told, f"Answer: {right}"]
    again = list(verified_again(rng, lines))
    late = flawed and bool(again) and rng.random() < 0.3
    wrong = f"Answer: {other}"
    if flawed and not late:
        lines[-1] = wrong
        again = [wrong if line.startswith("Answer: ") else line for line in again]
    elif late:
        again[-1] = wrong
    said = [*lines, *again]
    thinking = "".join(f"{line}\n" for line in said)
    steps = tuple(segment(f"{thinking}\n\n{answer_part(said[-1])}", POCKET.hesitations))
    at = next((number for number, step in enumerate(steps) if wrong in step), -1) if flawed else -1
    reason = f"{SHOULD_BE}Answer: {right}" if flawed else ""
    return Example(
        domain("commonsense").parse(question), steps, at, reason, wrong if flawed else ""
    )


def unread(parts: list[Part]) -> list[Part]:
    """The text without any judgement of its facts."""
    return [replace(part, right=None) if part.text.startswith(_FACT) else part for part in parts]


def _older(rng: random.Random) -> tuple[str, list[str], str, str]:
    """(question, facts, right answer, wrong answer): who was born before whom."""
    one, other = facts.stranger(rng), facts.stranger(rng)
    if rng.random() < _NEAR:
        other = replace(other, year=one.year + rng.randint(-12, 12))
    told = [f"{_FACT}{who.name} was born in {who.year}." for who in (one, other)]
    answers = ("yes", "no") if one.year < other.year else ("no", "yes")
    return f"Was {one.name} born before {other.name}?", told, *answers


def _birthplace(rng: random.Random) -> tuple[str, list[str], str, str]:
    """The same: where somebody was born."""
    who = facts.stranger(rng)
    other = next(
        one.town for one in iter(lambda: facts.stranger(rng), None) if one.town != who.town
    )
    told = [f"{_FACT}{who.name} was born in {who.town}."]
    return f"In which town was {who.name} born?", told, who.town, other
