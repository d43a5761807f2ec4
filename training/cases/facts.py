"""Questions about people who never lived: facts on a few pages, which a search finds."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from agentflow.domains import get
from agentflow.tools.search.local import LocalIndex
from agentflow.tools.search.text import cleaned, quoted
from agentflow.verifiers.actions import Call
from training.cases.case import Case, Flaw, Uses, is_held_out

_COMMONSENSE = get("commonsense")
_SYLLABLES = ("ba", "dor", "el", "fin", "gra", "hul", "is", "ka", "lem", "mo", "nor", "pra", "rus")
_ENDS = ("a", "en", "ik", "o", "us", "yn")
_WORK = ("painter", "surgeon", "printer", "sailor", "baker", "teacher", "gardener", "clockmaker")
PEOPLE = 60
HITS = 5
"""Results of a search, as the tool gives them."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody made up."""

    name: str
    town: str
    year: int
    work: str

    @property
    def page(self) -> dict[str, str]:
        """What is to be found about them, as a document of a local index."""
        text = f"{self.name} was a {self.work}, born in {self.town} in {self.year}."
        return {"title": self.name, "text": text, "url": self.name.lower().replace(" ", "-")}


@cache
def people() -> tuple[Person, ...]:
    """Everybody, always the same."""
    rng = random.Random("people")
    found: dict[str, Person] = {}
    while len(found) < PEOPLE:
        person = _somebody(rng)
        found.setdefault(person.name, person)
    return tuple(found.values())


def stranger(rng: random.Random) -> Person:
    """Somebody who is none of them."""
    known = {one.name for one in people()}
    return next(one for one in iter(lambda: _somebody(rng), None) if one.name not in known)


@cache
def _index() -> tuple[LocalIndex, TemporaryDirectory[str]]:
    """The pages as they are searched, and the folder in which they lie as long as it is held."""
    folder = TemporaryDirectory(prefix="agentflow-people-")
    write(Path(folder.name))
    return LocalIndex(folder.name), folder


def write(folder: Path) -> None:
    """Put the pages into a folder, for the local search."""
    pages = [person.page for person in people()]
    (folder / "people.json").write_text(json.dumps(pages), encoding="utf-8")


def found(query: str) -> str:
    """What the search tool says."""
    return quoted(query, [cleaned(hit) for hit in _index()[0].search(query, HITS)])


def _somebody(rng: random.Random) -> Person:
    name = f"{_word(rng)} {_word(rng)}"
    return Person(name, f"{_word(rng)}burg", rng.randint(1780, 1960), rng.choice(_WORK))


def _word(rng: random.Random) -> str:
    return "".join(rng.choices(_SYLLABLES, k=2)).capitalize() + rng.choice(_ENDS)


def make(rng: random.Random, flaw: Flaw | None, *, held_out: bool = False) -> Case:
    """One case. A wrong solution states a false fact, which nothing in it shows; or it concludes
    the opposite of what its facts say, which can be seen."""
    known = [person for person in people() if is_held_out(person.name) == held_out]
    one = rng.choice(known)
    if rng.random() < 0.5:
        return _birthplace(rng, one, flaw)
    # Of a held-out pair one is enough: nobody's pairs with them are trained on.
    others = [person for person in (people() if held_out else known) if person != one]
    pair = [one, rng.choice(others)]
    rng.shuffle(pair)
    return _older(rng, pair, flaw)


def _birthplace(rng: random.Random, person: Person, flaw: Flaw | None) -> Case:
    town = person.town
    if flaw == "wrong":
        town = rng.choice([one.town for one in people() if one.town != person.town])
    lines = (f"Fact: {person.name} was born in {town}.", f"Answer: {town}")
    return _made(
        f"In which town was {person.name} born?",
        lines[:1] if flaw == "cut" else lines,
        (Uses(), Uses((), (1,))),
        [person],
        flaw,
        wrong=0,
        reason=f"{person.name} was born in {person.town}, not in {town}",
        answer=person.town,
    )


def _older(rng: random.Random, pair: Sequence[Person], flaw: Flaw | None) -> Case:
    first, second = pair
    years = [first.year, second.year]
    right = "yes" if years[0] < years[1] else "no"
    other = "no" if right == "yes" else "yes"
    wrong, reason = 2, f"{years[0]} is {'' if right == 'yes' else 'not '}earlier than {years[1]}"
    if flaw == "wrong" and rng.random() < 0.7:  # a false year, by which the other answer follows
        wrong = rng.randrange(2)
        later = (right == "yes") == (wrong == 0)
        away = rng.randint(1, 60)
        years[wrong] = years[1 - wrong] + (away if later else -away)
        reason = f"{pair[wrong].name} was born in {pair[wrong].year}, not in {years[wrong]}"
    said = other if flaw == "wrong" else right
    lines = (
        *(f"Fact: {one.name} was born in {year}." for one, year in zip(pair, years, strict=True)),
        f"Answer: {said}",
    )
    return _made(
        f"Was {first.name} born before {second.name}?",
        lines[:2] if flaw == "cut" else lines,
        (Uses(), Uses(), Uses((), (1, 2))),
        pair,
        flaw,
        wrong=wrong,
        reason=reason,
        answer=right,
    )


def _made(
    question: str,
    lines: Sequence[str],
    uses: Sequence[Uses],
    asked: Sequence[Person],
    flaw: Flaw | None,
    *,
    wrong: int,
    reason: str,
    answer: str,
) -> Case:
    calls = [
        Call("search", f"Where and when was {one.name} born?", f"Look up {one.name}.")
        for one in asked
    ]
    return Case(
        _COMMONSENSE.parse(question),
        (),
        question,
        "\n".join(lines),
        tuple(lines),
        tuple(uses[: len(lines)]),
        tuple(calls),
        tuple(found(call.argument) for call in calls),
        complete=flaw != "cut",
        wrong=wrong if flaw == "wrong" else -1,
        reason={"wrong": reason, "cut": "no answer is given"}.get(flaw or "", ""),
        visible=flaw != "wrong" or lines[wrong].startswith("Answer"),
        revision="" if flaw is None else f"the answer is {answer}",
    )
