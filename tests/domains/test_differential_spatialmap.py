"""Maps: a second reader knows a few whole sentences, and every arrangement says what follows.

What this reader does not know means nothing to it, and then the domain may neither pass nor refute.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter

import pytest
from injection import domain_called
from mutations import SENTENCES, WORDS, mutated
from spatial_worlds import SIGNS, Worlds, worlds

from agentflow.domains.spatialmap import problem as spatialmap
from agentflow.errors import BadInput

DOMAIN = domain_called("spatialmap")
NAMES = ("Old Mill", "Pier", "Wren's Books", "K Hall", "Bank 2", "Rose Garden", "Dairy")
NAME = r"(?:[Tt]he )?(?:un)?[A-Z0-9][\w']*(?: (?:the )?(?:un)?[A-Z0-9][\w']*)*"
WAY = r"(northeast|northwest|southeast|southwest|north[- ]east|north|south|east|west)"
WHERE = r"(?:to|in|on|at) (?:the )?"
STRANGE = {part.lower() for word in WORDS for part in word.split()} - {
    "a",
    "2",
    "3",
    "e",
    "s",
    "the",
}
DIRECTIONS = tuple(SIGNS)


def made(rng: random.Random) -> str:
    """A map of four objects, in sentences; now and then with two in line."""
    names = rng.sample(NAMES, 4)
    lined = rng.random() < 0.3
    spots = [[rng.randrange(3) for _ in names] if lined else rng.sample(range(4), 4) for _ in "xy"]
    told = [f"{names[0]} is in the map."]
    for number in range(1, 4):
        for other in rng.sample(range(number), rng.randint(1, min(2, number))):
            signs = tuple((s[number] > s[other]) - (s[number] < s[other]) for s in spots)
            if word := next((word for word, one in SIGNS.items() if one == signs), None):
                told.append(f"{names[number]} is to the {word.capitalize()} of {names[other]}.")
    return " ".join(told)


def asked(rng: random.Random, text: str) -> str:
    names = [name for name in NAMES if name in text]
    a, b = rng.sample(names, 2) if len(names) > 1 else ("Pier", "Dairy")
    way = rng.choice(DIRECTIONS[4:] * 3 + DIRECTIONS).capitalize()
    return rng.choice(
        (
            f"In which direction is {a} relative to {b}?",
            f"Which object is in the {way} of {b}?",
            f"How many objects are in the {way} of {b}?",
        )
    )


def plain(text: str) -> str:
    """Without stray marks, without an "and" that goes on from nothing, and names as one word more
    or less leaves them."""
    text = re.sub(r"[*\"]|^\s*and |\(E\) ?|\ba (?=[A-Z])", "", text)
    return re.sub(r"(?<=[a-z]) (?:and|or) (?=[A-Z])|(?<= ) +", " ", text).replace("  ", " ").strip()


def understood(told: str) -> Worlds | None:
    """The arrangements that a map allows; None if a sentence or a name of it is strange."""
    facts = []
    for part in re.split(r"(?<=\.)\s+", plain(told)):
        if only := re.fullmatch(rf"({NAME}) is (?:in|on) the map\.", part):
            facts.append(f"{only[1]} is in the map.")
        elif fact := re.fullmatch(rf"({NAME}) is {WHERE}(?i:{WAY}) of ({NAME})\.", part):
            way = re.sub("[- ]", "", fact[2].lower())
            facts.append(f"{fact[1]} is to the {way} of {fact[3]}.")
        else:
            return None
    found = worlds(" ".join(facts))
    known = {name: name.lower().split() for name in found.names}
    for one, words in known.items():
        if {re.sub(r"\W", "", word) for word in words} & STRANGE:
            return None
        for other, more in known.items():
            if one != other and any(more[n : n + len(words)] == words for n in range(len(more))):
                return None
    return found if found.xs and found.ys and len(found.names) < 6 else None


def worth(found: Worlds, question: str, answer: str) -> bool | None:
    """Whether an answer holds in every arrangement, in none, or neither (or cannot be read)."""
    said, question = answer.strip("*. "), plain(question)
    lower = {name.lower(): name for name in found.names}
    if fact := re.fullmatch(
        r"in (?:which|what) direction is (.+) relative to (.+)\?", question, re.I
    ):
        a, b = (lower.get(fact[n].strip().lower()) for n in (1, 2))
        way = said.lower().replace("-", "")
        return found.inside(a, way, b) if a and b and way in SIGNS and "of" not in said else None
    if fact := re.fullmatch(rf"(?:which|what) object is {WHERE}{WAY} of (.+)\?", question, re.I):
        b, name = lower.get(fact[2].strip().lower()), lower.get(said.lower())
        return found.inside(name, re.sub("[- ]", "", fact[1].lower()), b) if b and name else None
    if fact := re.fullmatch(rf"how many objects are {WHERE}{WAY} of (.+)\?", question, re.I):
        b = lower.get(fact[2].strip().lower())
        whole = b and re.fullmatch(r"[0-9]{1,3}", said)
        way = re.sub("[- ]", "", fact[1].lower())
        return found.count(int(said), way, b) if whole and b else None
    return None


def answers(rng: random.Random, question: str) -> list[str]:
    if "direction" in question:
        one, other = rng.sample(DIRECTIONS, 2)
        plain = [way.capitalize() for way in DIRECTIONS[4:]]
    elif "many" in question:
        one, other = rng.sample("0123", 2)
        plain = ["0", "1", "2"]
    else:
        one, other = rng.sample(NAMES, 2)
        plain = rng.sample(NAMES, 3)
    forms = ("{0} or {1}", "not {0}", "{0}?", "{0}²", "{0} and {1}", "maybe {0}", "{0}*", "un{0}")
    return [*plain, rng.choice(plain).upper(), rng.choice(forms).format(one, other)]


def judged_alike(rng: random.Random, seen: Counter[str]) -> None:
    told = made(rng)
    question = asked(rng, told)
    changes = [(told, question), *((told, mutated(rng, question)) for _ in range(2))]
    changes += [(mutated(rng, told), question) for _ in range(3)]
    sentence = rng.choice(SENTENCES)
    changes.append((f"{told} {sentence}", question))
    changes.append((told, f"{question} {sentence}"))
    for changed, new in changes:
        strange = sentence in changed or sentence in new
        found = None if strange else understood(changed)
        try:
            problem = spatialmap.parse(f"{changed}\n\n{new}")
        except BadInput:
            seen["refused" if found else "rightly refused"] += 1
            continue
        for answer in answers(rng, question):
            wanted = worth(found, new, answer) if found else None
            ok = asyncio.run(DOMAIN.verify_answer(problem, answer)).ok
            assert ok in (None, wanted), f"{changed}\n{new}\n{answer} {ok} {wanted}"
            seen["checks"] += 1
            seen[f"{wanted} {ok}"] += 1


@pytest.mark.slow
def test_no_change_of_a_map_or_a_question_is_overlooked() -> None:
    rng, seen = random.Random(7), Counter[str]()
    for _ in range(250):
        judged_alike(rng, seen)
    checks = seen["checks"] + seen["rightly refused"] * 5
    assert checks >= 5_000, seen
    assert min(seen["True True"], seen["False False"], seen["None None"]) > 100, seen
    assert seen["True None"] + seen["False None"] < 0.02 * seen["checks"], seen


LINE = re.compile(
    rf"(?:- )*(?:(?:also|and|but) )*({NAME}) is (not )?(?:(directly |exactly )|({WHERE}))?"
    rf"(?i:{WAY}) of ({NAME})\.?"
)


def claimed(found: Worlds, line: str) -> bool | None:
    """What a line of a trace is worth; None for one that this reader does not know."""
    if (said := LINE.fullmatch(line)) is None:
        return None
    lower = {name.lower(): name for name in found.names}
    a, b = (lower.get(said[n].lower().removeprefix("the ")) for n in (1, 6))
    way = said[5].lower().replace("-", "")
    if a is None or b is None or (way in ("north", "south", "east", "west") and not said[4]):
        return None
    inside = found.inside(a, way, b)
    return inside if inside is None or not said[2] else not inside


@pytest.mark.slow
def test_no_change_of_a_step_is_overlooked() -> None:
    rng, seen = random.Random(5), Counter[str]()
    for _ in range(150):
        told = made(rng)
        found = understood(told)
        assert found is not None, told
        problem = spatialmap.parse(
            f"{told}\n\nHow many objects are in the North of {found.names[0]}?"
        )
        for _ in range(4):
            a, b = rng.sample([*found.names, rng.choice(NAMES)], 2)
            no = rng.choice(("", "", "not "))
            way = rng.choice(DIRECTIONS[4:] * 2 + DIRECTIONS).capitalize()
            line = f"- {a} is {no}to the {way} of {b}"
            for changed in (line, *(mutated(rng, line) for _ in range(6))):
                wanted = claimed(found, changed)
                states = [s for s in DOMAIN.extract(problem, changed, 0, {})[1] if s.kind == "step"]
                oks = [asyncio.run(DOMAIN.verify_state(problem, one, [])).ok for one in states]
                if oks:
                    ok = False if False in oks else None if None in oks else True
                    assert ok in (None, wanted), (told, changed, ok, wanted)
                    seen[f"{wanted} {ok}"] += 1
                if changed == line:
                    assert oks == [wanted], (told, line, oks, wanted)
    assert seen.total() >= 2_000, seen
    assert min(seen["True True"], seen["False False"], seen["None None"]) > 150, seen
