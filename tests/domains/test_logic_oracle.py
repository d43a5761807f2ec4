"""The logic domain beside a second reader and solver: generated problems, and mutations of them."""

from __future__ import annotations

import asyncio
import functools
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from logic_worlds import English, Formulas, Holds, Vocabulary, World, decided

from agentflow.domains.logic import Logic
from agentflow.errors import BadInput
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox, build

LOGIC = Logic(Toolbox(build(Logic.tools)))
ANSWERS = ("True", "False", "Uncertain")
PERSONS = Vocabulary(("Dana", "Erik"), ("kind", "tall"), {})
MORE_PERSONS = Vocabulary(("Dana",), ("kind", "tall", "shy"), {})
THINGS = Vocabulary(("Max", "Rex"), ("red",), {"wumpus": "wumpuses"})
MORE_THINGS = Vocabulary(("Max",), ("small",), {"cat": "cats", "impus": "impuses"})
VOCABULARIES = (PERSONS, MORE_PERSONS, THINGS, MORE_THINGS)
INSERTED = (
    *("not", "never", "only", "most", "few", "usually", "almost", "all", "some", "no", "two"),
    *("every", "either", "or", "and", "unless", "if", "was", "very", "maybe", "Tom says", "more"),
    *(
        "than",
        "un",
        "s",
        "non-",
        "at least",
        "but",
        "both",
        "except",
        "who is",
        "or both",
        "others",
    ),
)
HEDGES = (
    *("{} or {}", "{}, {}", "not {}", "{}?", "{}, maybe", "{}. No wait, {}", "{} if Max is red"),
    *("probably {}", "{} (mostly)", "A) {}", "{} {}", "{}, not {}", "It is not {}", "un{}"),
)


@functools.cache
def worlds(words: Vocabulary) -> list[World]:
    return list(words.worlds())


def item(rng: random.Random, words: Vocabulary, several: bool = False) -> str:
    word = rng.choice(words.properties)
    if word not in words.nouns:
        return word
    return words.nouns[word] if several else f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def phrase(
    rng: random.Random, words: Vocabulary, several: bool = False, positive: bool = False
) -> str:
    one, other = (item(rng, words, several) for _ in "12")
    shapes = ["{0}", "{0}", "{0} and {1}", "{0} or {1}", "{0} or {1}, or both"]
    if not positive:
        shapes += ["not {0}", "not {0}", "{0} and not {1}", "not {0} or not {1}"]
        shapes += ["either {0} or not {1}, but not both", "either {0} or {1}, but not both"]
    return rng.choice(shapes).format(one, other)


def sentence(rng: random.Random, words: Vocabulary) -> str:
    """A sentence of the controlled English about the words."""
    name, other = rng.choice(words.names), rng.choice(words.names)
    persons = not words.nouns
    crowd = "one" if persons else "thing"
    they = rng.choice(["they are", "he is", "she is"]) if persons else "it is"
    is_, many = functools.partial(phrase, rng, words), functools.partial(phrase, rng, words, True)
    of = "people" if persons else "things"
    adjective = rng.choice(words.adjectives)
    shapes: list[Callable[[], str]] = [
        lambda: f"{name} is {is_()}.",
        lambda: f"{name} is {is_()}.",
        lambda: f"If {name} is {is_()}, then {other} is {is_()}.",
        lambda: f"If {name} is {is_()} and {other} is {is_()} then {name} is {is_()}.",
        lambda: f"If some{crowd} is {is_()}, then {they} {is_()}.",
        lambda: f"If some{crowd} is {is_()}, then {name} is {is_()}.",
        lambda: f"Every{crowd} who is {is_()} is {is_()}.".replace("thing who", "thing that"),
        lambda: f"No{' one' if persons else 'thing'} that is {is_()} is {is_(positive=True)}.",
        lambda: f"No{' one' if persons else 'thing'} is {is_(positive=True)}.",
        lambda: f"Some{crowd} is {is_()}.",
        lambda: f"Every{crowd} is {is_(positive=True)}.",
        lambda: f"All {adjective} {of} are {many(positive=True)}.",
        lambda: f"No {adjective} {of} are {many(positive=True)}.",
        lambda: f"It is not the case that {name} is {is_()}.",
    ]
    if rng.random() < 0.3:  # each of these takes a call of the sandbox
        shapes.append(lambda: f"It is not true that every{crowd} is {is_(positive=True)}.")
    if words.nouns:
        noun, plural = rng.choice(list(words.nouns.items()))
        shapes += [
            lambda: f"Every {noun} is {is_()}.",
            lambda: f"{plural.capitalize()} are {many()}.",
            lambda: f"All {plural} are {many(positive=True)}.",
            lambda: f"No {noun} is {is_(positive=True)}.",
            lambda: f"{adjective.capitalize()} {plural} are {many()}.",
        ]
    return rng.choice(shapes)()


def formula(
    rng: random.Random, words: Vocabulary, terms: Sequence[str] = (), depth: int = 2
) -> str:
    """A formula; one with quantifiers has them in front, for the others need a sandbox each."""
    if not terms:
        terms = words.names
        if rng.random() < 0.5:
            sign, dot = rng.choice(
                [("∀x ", ""), ("∃x ", ""), ("forall x", ". "), ("exists x", ". ")]
            )
            return f"{sign}{dot}({formula(rng, words, (*terms, 'x', 'x', 'x'))})"
    if not depth or rng.random() < 0.3:
        negated = rng.choice(["", "", "¬", "~", "not "])
        return f"{negated}{rng.choice(words.properties)}({rng.choice(terms)})"
    sign = rng.choice(["∧", "∨", "→", "↔", "⊕", "&", "|", "->", "<->", "and", "or", "xor"])
    one, other = (formula(rng, words, terms, depth - 1) for _ in "12")
    if rng.random() < 0.6:
        one, other = f"({one})", f"({other})"
    return f"{one} {sign} {other}"


class Checked:
    """Judges problems by the domain and by the second reader, and counts what came out."""

    def __init__(self) -> None:
        self.counts = Counter[str]()

    async def problem(
        self, reader: English | Formulas, words: Vocabulary, lines: Sequence[str], whole: bool
    ) -> None:
        """One problem, its last line the conclusion; where ``whole`` all of it has to be read."""
        *given, claim = [reader.sentence(line) for line in lines]
        meant: list[Holds] = [one for one in given if one]
        assert not whole or isinstance(reader, Formulas) or len(meant) == len(given), lines
        whole = whole and len(meant) == len(given)  # formulas are made with chains, too
        expected = decided(meant, claim, worlds(words)) if claim else None
        if expected == "Uncertain" and len(meant) < len(given):
            expected = None  # what was not understood may decide it; what follows, follows
        text = "\n".join(lines[:-1]) + f"\nConclusion: {lines[-1]}"
        try:
            problem = LOGIC.parse(text)
        except BadInput:
            assert not whole, text
            self.counts["refused"] += 1
            return
        for answer in ANSWERS:
            ok = (await LOGIC.verify_answer(problem, answer)).ok
            self.note(ok, None if expected is None else expected == answer, whole, text + answer)
        if expected is not None and whole and isinstance(reader, English):
            for other in lines[:-1]:
                state = State("step", {"claim": other}, 0, 1)
                assert (await LOGIC.verify_state(problem, state, [])).ok, (text, other)
                self.counts["steps"] += 1

    def note(self, ok: bool | None, right: bool | None, whole: bool, told: str) -> None:
        assert ok in (None, right), f"{ok}, not {right}: {told}"
        assert not whole or ok is right, f"not read: {told}"
        self.counts["undecided" if ok is None else "passed" if ok else "refuted"] += 1

    async def hedged(self, rng: random.Random, lines: Sequence[str]) -> None:
        problem = LOGIC.parse("\n".join(lines[:-1]) + f"\nConclusion: {lines[-1]}")
        said = rng.choice(HEDGES).format(*rng.sample(ANSWERS, 2))
        assert (await LOGIC.verify_answer(problem, said)).ok is None, said
        self.counts["hedged"] += 1


def inserted(rng: random.Random, line: str) -> str:
    """The line with a word more, a word less, or two words swapped."""
    words = line.split(" ")
    place = rng.randrange(len(words))
    match rng.randrange(3):
        case 0:
            words.insert(place, rng.choice(INSERTED))
        case 1:
            del words[place]
        case _:
            other = rng.randrange(len(words))
            words[place], words[other] = words[other], words[place]
    return " ".join(words)


def reformed(rng: random.Random, lines: Sequence[str]) -> tuple[list[str], Vocabulary]:
    """The lines with one adjective in another form, which may or may not be a word of its own."""
    word = rng.choice(PERSONS.adjectives)
    form = rng.choice(["un{}", "non-{}", "{}s", "{}ly", "{}er", "{}ness"]).format(word)
    text = "\n".join(lines)
    places = [one.start() for one in re.finditer(rf"\b{word}\b", text)]
    for place in rng.sample(places, min(1, len(places))):
        text = text[:place] + form + text[place + len(word) :]
    return text.split("\n"), Vocabulary(PERSONS.names, (*PERSONS.adjectives, form), {})


def spoilt(rng: random.Random, line: str) -> str:
    """A formula with a sign more, less, or exchanged; its names stay what they are."""
    places = [place for place, sign in enumerate(line) if not sign.isalpha()]
    place = rng.choice([one for one in places if not line[:one][-1:].isalpha()] or places[-1:])
    fewer = place + (line[place] != " ")
    sign = rng.choice([*"()¬∧∨→∀∃⊕", " "])
    return rng.choice([line[:place] + sign + line[place:], line[:place] + sign + line[fewer:]])


async def compared(seed: int, problems: int) -> Counter[str]:
    rng, checked = random.Random(seed), Checked()
    for number in range(problems):
        words = VOCABULARIES[number % len(VOCABULARIES)]
        english = number % 3 > 0
        reader = English(words) if english else Formulas(words)
        make = sentence if english else formula
        lines = [make(rng, words) for _ in range(rng.randint(2, 5))]
        await checked.problem(reader, words, lines, whole=True)
        for _ in range(2):
            await checked.hedged(rng, lines)
        for _ in range(4):
            place = rng.randrange(len(lines))
            line = inserted(rng, lines[place]) if english else spoilt(rng, lines[place])
            other = [*lines[:place], line, *lines[place + 1 :]]
            await checked.problem(reader, words, other, whole=False)
        if english and words is PERSONS:
            other, words = reformed(rng, lines)
            await checked.problem(English(words), words, other, whole=False)
    return checked.counts


def test_the_domain_and_the_second_reader_agree() -> None:
    counts = asyncio.run(compared(1, 60))
    assert min(counts[kind] for kind in ("passed", "refuted", "undecided", "hedged", "steps")) > 20


@pytest.mark.exhaustive
def test_they_agree_on_many() -> None:
    counts = asyncio.run(compared(2, 320))
    assert counts.total() > 5_000
    assert counts["passed"] > 300
