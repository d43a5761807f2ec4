"""A second reader and solver of logic problems, slow and plain; it shares no code with the domain.

A world gives each name a type (which of the properties it has), and says of which types there is
anybody at all: without equality, and with properties only, nothing else can matter. A sentence is
read by patterns that it has to match whole; any other sentence has no meaning here.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Type = frozenset[str]
Does = Callable[[Type], bool]
Holds = Callable[["World"], bool]


@dataclass(frozen=True)
class World:
    names: dict[str, Type]
    types: frozenset[Type]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What may be spoken of: names, adjectives, and nouns with their plurals."""

    names: tuple[str, ...]
    adjectives: tuple[str, ...]
    nouns: dict[str, str]

    @property
    def properties(self) -> tuple[str, ...]:
        return (*self.adjectives, *self.nouns)

    def worlds(self) -> Iterator[World]:
        types = [
            frozenset(some)
            for size in range(len(self.properties) + 1)
            for some in itertools.combinations(self.properties, size)
        ]
        for size in range(1, len(types) + 1):
            for inhabited in itertools.combinations(types, size):
                for given in itertools.product(inhabited, repeat=len(self.names)):
                    names = dict(zip(self.names, given, strict=True))
                    yield World(names, frozenset(inhabited))


def decided(premises: Sequence[Holds], claim: Holds, worlds: Sequence[World]) -> str | None:
    """``True``, ``False`` or ``Uncertain``; None where the premises contradict each other."""
    found = {claim(world) for world in worlds if all(one(world) for one in premises)}
    if not found:
        return None
    return "Uncertain" if len(found) == 2 else str(found.pop())


class English:
    """Reads a sentence of the controlled English, or gives None."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.singular = {plural: noun for noun, plural in words.nouns.items()}

    def sentence(self, text: str) -> Holds | None:
        if not text.endswith("."):
            return None
        return self.clause(" ".join(text[:-1].split()))

    def clause(self, text: str) -> Holds | None:
        if denied := re.fullmatch(r"[Ii]t is not (?:the case|true) that (.+)", text):
            inner = self.clause(denied[1])
            return None if inner is None else (lambda world: not inner(world))
        low = text[:1].lower() + text[1:]
        return self.condition(text) or self.everybody(low) or self.group(low) or self.fact(text)

    def fact(self, text: str) -> Holds | None:
        found = re.fullmatch(r"(\w+) is (.+)", text)
        if not found or found[1] not in self.words.names:
            return None
        name, does = found[1], self.phrase(found[2], "one")
        return None if does is None else (lambda world: does(world.names[name]))

    def condition(self, text: str) -> Holds | None:
        found = re.fullmatch(r"[Ii]f (.+?),? then (.+)", text) or re.fullmatch(
            r"[Ii]f ([^,]+), (.+)", text
        )
        if not found:
            return None
        anybody = re.fullmatch(r"(someone|something) is (.+)", found[1])
        if not anybody:
            facts = [self.fact(one) for one in re.split(r" and (?=[A-Z]\w+ is )", found[1])]
            then = self.fact(found[2])
            if then is None or None in facts:
                return None
            return lambda world: then(world) or not all(one(world) for one in facts if one)
        given = self.phrase(anybody[2], "one")
        they = re.fullmatch(
            "(?:they are|he is|she is) (.+)" if anybody[1] == "someone" else "it is (.+)", found[2]
        )
        if they:
            follows = self.phrase(they[1], "one")
            return None if given is None or follows is None else _all(given, follows)
        then = self.fact(found[2])
        if given is None or then is None:
            return None
        return lambda world: then(world) or not any(map(given, world.types))

    def everybody(self, low: str) -> Holds | None:
        if found := re.fullmatch(
            r"(?:every(?:one|thing)|any(?:one|thing)) (?:who|that) is (.+?) is (.+)", low
        ):
            given, then = self.phrase(found[1], "one"), self.phrase(found[2], "one")
            return None if given is None or then is None else _all(given, then)
        if found := re.fullmatch(r"(?:no one|nothing) (?:(?:who|that) is (.+?) )?is (.+)", low):
            given = self.phrase(found[1], "one") if found[1] else (lambda one: True)
            then = None if "not" in found[2].split() else self.phrase(found[2], "one")
            return None if given is None or then is None else _all(given, lambda one: not then(one))
        if found := re.fullmatch(r"(every|some)(?:one|thing) is (.+)", low):
            does = self.phrase(found[2], "one")
            if does is None or (found[1] == "every" and found[2].startswith("not ")):
                return None
            every = found[1] == "every"
            return lambda world: (all if every else any)(map(does, world.types))
        return None

    def group(self, low: str) -> Holds | None:
        found = re.fullmatch(r"(?:(every|each|all|no) )?(.+?) (is|are) (.+)", low)
        if not found:
            return None
        how, left, verb, right = found.groups()
        *before, noun = re.split(", | ", left)
        several = verb == "are"
        if any(one not in self.words.adjectives for one in before):
            return None
        if how != "no" and (how in ("every", "each")) == several:
            return None
        if noun in ("people", "things") and several:
            nouns: list[str] = []
        elif (noun in self.singular) if several else (noun in self.words.nouns):
            nouns = [self.singular.get(noun, noun)]
        else:
            return None
        if (how == "all" and right.startswith("not ")) or (how == "no" and "not" in right.split()):
            return None
        does = self.phrase(right, "many" if several else "one")
        if does is None:
            return None
        given = _has([*before, *nouns])
        return _all(given, (lambda one: not does(one)) if how == "no" else does)

    def phrase(self, text: str, of: str) -> Does | None:
        if found := re.fullmatch(r"(?:either )?(.+) or (.+?), (but not|or) both", text):
            parts = [self.item(found[1], of), self.item(found[2], of)]
            if None in parts or (found[1].startswith("not ") and not found[2].startswith("not ")):
                return None
            wanted = (1,) if found[3] == "but not" else (1, 2)
            return lambda one: sum(does(one) for does in parts if does) in wanted
        word, join = ("or", any) if " or " in text else ("and", all)
        first, *rest = re.split(rf",? {word} ", text)
        pieces = [*first.split(", "), *rest]
        if len(pieces) > 2 and ", " in first and len(rest) != 1:
            return None
        does = [self.item(one, of) for one in pieces]
        nots = [one.startswith("not ") for one in pieces]
        if None in does or nots != sorted(nots):
            return None
        return lambda one: join(each(one) for each in does if each)

    def item(self, text: str, of: str) -> Does | None:
        found = re.fullmatch(r"(not )?(an? )?([a-z-]+)", text)
        if not found:
            return None
        word, negated = found[3], bool(found[1])
        if found[2]:
            known = of == "one" and word in self.words.nouns
        elif word in self.singular:
            known, word = of == "many", self.singular[word]
        else:
            known = word in self.words.adjectives
        return (lambda one: (word in one) != negated) if known else None


def _has(properties: Sequence[str]) -> Does:
    return lambda one: all(word in one for word in properties)


def _all(given: Does, then: Does) -> Holds:
    return lambda world: all(then(one) for one in world.types if given(one))


_SIGN = re.compile(r"\s*(<->|->|xor|and|or|not|forall|exists|[∀∃¬∧∨⊕→↔&|~().]|\w+)")
_SAME = {"<->": "↔", "->": "→", "xor": "⊕", "and": "∧", "&": "∧", "or": "∨", "|": "∨", "not": "¬"}
_SAME |= {"~": "¬", "forall": "∀", "exists": "∃"}


class Formulas:
    """Reads a formula of the same worlds, or gives None; chains of ⊕, → and ↔ have no meaning."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words

    def sentence(self, text: str) -> Holds | None:
        self.tokens, place = list[str](), 0
        text = text.strip()
        while place < len(text):
            found = _SIGN.match(text, place)
            if not found:
                return None
            self.tokens.append(_SAME.get(found[1], found[1]))
            place = found.end()
        try:
            holds = self.binary(0, {})
        except (LookupError, ValueError):
            return None
        return None if self.tokens else lambda world: holds(world, {})

    def take(self, *wanted: str) -> str:
        if self.tokens[0] not in wanted:
            raise ValueError(self.tokens[0])
        return self.tokens.pop(0)

    def binary(self, level: int, bound: dict[str, int]) -> Callable[[World, dict[str, Type]], bool]:
        if level == 5:
            return self.unary(bound)
        sign, parts = "↔→⊕∨∧"[level], [self.binary(level + 1, bound)]
        while self.tokens and self.tokens[0] == sign:
            self.take(sign)
            parts.append(self.binary(level + 1, bound))
        if len(parts) == 1:
            return parts[0]
        if len(parts) > 2 and sign not in "∨∧":
            raise ValueError("a chain")
        if sign in "∨∧":
            join = any if sign == "∨" else all
            return lambda world, env: join(part(world, env) for part in parts)
        one, other = parts
        return lambda world, env: {
            "→": lambda a, b: b or not a,
            "↔": lambda a, b: a == b,
            "⊕": lambda a, b: a != b,
        }[sign](one(world, env), other(world, env))

    def unary(self, bound: dict[str, int]) -> Callable[[World, dict[str, Type]], bool]:
        token = self.tokens.pop(0)
        if token == "¬":
            body = self.unary(bound)
            return lambda world, env: not body(world, env)
        if token == "(":
            body = self.binary(0, bound)
            self.take(")")
            return body
        if token in "∀∃":
            variable = self.take("x", "y")
            inner = bound | {variable: 1}
            if self.tokens[0] == ".":
                self.take(".")
                body = self.binary(0, inner)
            else:
                body = self.unary(inner)
            join = all if token == "∀" else any
            return lambda world, env: join(body(world, env | {variable: t}) for t in world.types)
        if token not in self.words.properties:
            raise ValueError(token)
        self.take("(")
        term = self.take(*self.words.names, *bound)
        self.take(")")
        return lambda world, env: token in (env[term] if term in bound else world.names[term])
