"""A small controlled English about named things, and its translation to first-order logic.

    Alex is kind and not tall.               Every wumpus is a dumpus.
    Alex is kind or tall, or both.           Dumpuses are not shy.
    Alex is either kind or tall, but not both.
    If someone is kind and not tall, then they are happy.
    If Alex is kind and Bob is tall, then Carl is not sad.
    Everyone who is kind is happy.           All kind, tall people are happy.
    No kind people are sad.                  Someone is kind.
    Some kind people are not sad.
    It is not the case that Alex is kind.    The bear does not eat the dog.
    If something chases the dog and it is big, then the dog sees the cat.

A name is one capitalised word, a property one word in small letters (``kind``, ``a dumpus``); words
of grammar are neither. ``the bear`` is the name ``Bear``, a listed verb stands between two things.
A plural is its singular where :mod:`~agentflow.domains.logic.words` is sure of it. A sentence in
which ``it`` may be one of two has two readings. What else English leaves open (``either ... or``
without ``but not both``, a ``not`` in front of a list, ``all ... are not``, whether a dog is
someone) is not in the language, nor is anything else: it is refused rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

from agentflow.domains.logic.fol import Atom, Compound, Formula, Not, Quantified, Term
from agentflow.domains.logic.words import (
    ADJECTIVES,
    ANIMALS,
    FUNCTION,
    NOUNS,
    NOUNS_TOO,
    PERSONS,
    VERBS,
    is_crowd,
    named,
    singular,
)

MAX_LENGTH = 400
"""Characters of a sentence."""

_WORD = r"[a-z]+(?:-[a-z]+)*"
_NAME = r"[A-Z][a-z]+"
_ANYONE = r"someone|somebody|something|a person|a thing"
_CROWDS: dict[str, Literal["persons", "things"]] = {
    **dict.fromkeys(("someone", "everyone", "anyone", "no one"), "persons"),
    **dict.fromkeys(("somebody", "everybody", "anybody", "nobody"), "persons"),
    **dict.fromkeys(("a person", "person", "people", "persons", "they", "he", "she"), "persons"),
    **dict.fromkeys(("something", "everything", "anything", "nothing", "it"), "things"),
    **dict.fromkeys(("a thing", "thing", "things"), "things"),
}
"""Words that speak of anybody, or of anything."""
_ONE, _SEVERAL = "|".join(VERBS), "|".join(VERBS.values())
_DOES = f"is|does not|{_ONE}"
_ITEM = re.compile(rf"(?P<negated>not )?(?P<article>an? )?(?P<word>{_WORD})")
_CLAUSE = re.compile(
    rf"(?:(?P<who>{_NAME}|{_ANYONE}|it|he|she) (?=(?:{_DOES}) )"
    rf"|(?P<they>they) (?=(?:are|do not|{_SEVERAL}) ))(?P<what>.+)"
)
_ACT = re.compile(
    rf"(?:(?P<verb>{_ONE}|{_SEVERAL})|(?:does|do) not (?P<denied>{_SEVERAL})) (?P<whom>{_NAME})"
)
_IF = re.compile(r"[Ii]f (?P<left>.+?),? then (?P<right>.+)|[Ii]f (?P<left2>[^,]+), (?P<right2>.+)")
_WHO = re.compile(
    r"(?P<how>(?:every|any)(?:one|body|thing)) (?:who|that) "
    rf"(?P<left>(?:{_DOES}) .+?) (?P<right>(?:{_DOES}) .+)"
)
_NOBODY = re.compile(
    r"(?P<how>no one|nobody|nothing) "
    rf"(?:(?:who|that) (?P<left>(?:{_DOES}) .+?) )?(?P<right>(?:is|{_ONE}) .+)"
)
_ALL = re.compile(r"(?P<how>every|each|all|no|some) (?P<left>.+?) (?P<verb>is|are) (?P<right>.+)")
_BARE = re.compile(r"(?P<left>[A-Za-z, -]+?) are (?P<right>.+)")
_EVERYONE = re.compile(rf"(?P<how>(?:every|some)(?:one|body|thing)) (?P<right>(?:{_DOES}) .+)")
_DENIED = re.compile(r"[Ii]t is not (?:the case|true) that (?P<rest>.+)")
_AND_CLAUSE = re.compile(
    rf" and (?=(?:{_NAME}|it|he|she) (?:{_DOES}) |they (?:are|do not|{_SEVERAL}) )"
)

Readings = tuple[Formula, ...]
"""What a sentence may mean."""
Of = Literal["one", "all", "kind"]
"""What a phrase speaks of: one thing, all of a group, or a kind (``dogs are ...``)."""


class NotControlled(ValueError):
    """The sentence is not in the language; says which."""


@dataclass(frozen=True, slots=True)
class Words:
    """How the words of a problem are used.

    Attributes:
        nouns: In the singular, whichever way they were seen.
        adjectives: Seen without an article.
        single: Those of the adjectives that were said of one thing.
        grouped: Those that were said of all of a group, or stood in front of a noun.
        crowds: ``persons`` where somebody is spoken of (``everyone``), ``things`` where something.
        animals: Names of those of which there is one each (``the bear``).
        names: All others.
    """

    nouns: set[str] = field(default_factory=set)
    adjectives: set[str] = field(default_factory=set)
    single: set[str] = field(default_factory=set)
    grouped: set[str] = field(default_factory=set)
    crowds: set[str] = field(default_factory=set)
    animals: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def check(self) -> None:
        """Raises:
        NotControlled: If the words do not go together.
        """
        if both := self.nouns & self.adjectives - NOUNS_TOO:
            raise NotControlled(f"{min(both)!r} is now a noun, now an adjective")
        if self.animals and self.names:
            raise NotControlled(f"it is open whether {min(self.names)} is an animal")
        if both := {one.lower() for one in self.animals} & (self.nouns | self.adjectives):
            raise NotControlled(f"{min(both)!r} is now one thing, now a property")
        if len(self.crowds) > 1:
            raise NotControlled("it is open whether every thing is somebody")
        if "persons" in self.crowds and (others := self.nouns - PERSONS):
            raise NotControlled(f"it is open whether a {min(others)} is somebody")
        if unsure := self.grouped - self.single - ADJECTIVES - NOUNS_TOO:
            raise NotControlled(f"it is open whether each is {min(unsure)!r} for itself")


def readings(sentences: Sequence[str], words: Words | None = None) -> list[Readings]:
    """The formulas of sentences that share their words, each in all its readings.

    Args:
        words: Those of the problem that the sentences speak of.

    Raises:
        NotControlled: If a sentence is not in the language, or the words do not go together.
    """
    return _read(sentences, words or Words())[0]


def formalise(sentences: Sequence[str], words: Words | None = None) -> list[Formula]:
    """The same of sentences of one reading.

    Raises:
        NotControlled: If one has two, or as :func:`readings`.
    """
    found = readings(sentences, words)
    if any(len(one) > 1 for one in found):
        raise NotControlled("it is open what a pronoun means")
    return [one[0] for one in found]


def weakest(of_sentence: Readings) -> Formula:
    """What a sentence says in each of its readings."""
    if len(of_sentence) == 1:
        return of_sentence[0]
    first, other = (one for one in of_sentence if isinstance(one, Quantified))
    return Quantified(
        "∀", "x", Quantified("∀", "y", Compound("∨", (first.body, _of_y(other.body))))
    )


def _of_y(formula: Formula) -> Formula:
    """A formula of ``x`` as one of ``y``."""
    match formula:
        case Atom(name, arguments):
            return Atom(
                name, tuple(Term("y", (), "variable") if one == _X else one for one in arguments)
            )
        case Not(body):
            return Not(_of_y(body))
        case Compound(connective, parts):
            return Compound(connective, tuple(map(_of_y, parts)))
    raise AssertionError(formula)


def is_sentence(text: str) -> bool:
    """Whether a text has the form of a sentence; its words may yet not go together."""
    try:
        _Sentence(Words()).read(text)
    except NotControlled:
        return False
    return True


def words_of(sentences: Sequence[str]) -> Words:
    """The words that ``sentences`` use.

    Raises:
        NotControlled: As :func:`formalise`.
    """
    return _read(sentences, Words())[1]


def _read(sentences: Sequence[str], known: Words) -> tuple[list[Readings], Words]:
    words = Words(*(set(getattr(known, kind.name)) for kind in fields(known)))
    formulas = [_readings(sentence, words) for sentence in sentences]
    words.check()
    return formulas, words


def _readings(sentence: str, words: Words) -> Readings:
    """The formulas of a sentence: two where ``it`` may be one of two things."""
    reader = _Sentence(words)
    first = reader.read(sentence)
    return (first, _Sentence(words, nearest=True).read(sentence)) if reader.open else (first,)


_X = Term("x", (), "variable")


class _Sentence:
    """Reads one sentence; ``_X`` stands for what ``someone`` and ``they`` mean in it.

    Attributes:
        nearest: Whether ``it`` is who was spoken of last, and not ``something``.
        open: Whether that makes a difference.
    """

    def __init__(self, words: Words, *, nearest: bool = False) -> None:
        self.words = words
        self.nearest = nearest
        self.open = False

    def read(self, sentence: str) -> Formula:
        text = named(" ".join(sentence[: MAX_LENGTH + 1].split()).removesuffix("."))
        if len(sentence) > MAX_LENGTH or not text:
            raise NotControlled(f"an empty sentence or one of more than {MAX_LENGTH} characters")
        try:
            return self.sentence(text)
        except NotControlled as error:
            raise NotControlled(f"{sentence.strip()[:80]!r}: {error}") from None

    def sentence(self, text: str) -> Formula:
        if denied := _DENIED.fullmatch(text):
            rest = self.sentence(denied["rest"])
            if self.open:
                raise NotControlled("it is open what a pronoun means")
            return Not(rest)
        if text[:3].lower() == "if ":
            return self.conditional(text)
        low = text[0].lower() + text[1:]
        if found := _WHO.fullmatch(low):
            self.crowd(found["how"])
            return _every(self.predicate(found["left"], _X), self.predicate(found["right"], _X))
        if found := _NOBODY.fullmatch(low):
            self.crowd(found["how"])
            if " not " in found["right"]:
                raise NotControlled("a 'no' and a 'not'")
            right = Not(self.predicate(found["right"], _X))
            return _every(self.predicate(found["left"], _X) if found["left"] else None, right)
        if found := _EVERYONE.fullmatch(low):
            self.crowd(found["how"])
            every = found["how"].startswith("every")
            if every and re.match(r"\w+ not ", found["right"]):
                raise NotControlled("'everyone is not' can be read in two ways")
            return Quantified("∀" if every else "∃", "x", self.predicate(found["right"], _X))
        if found := _ALL.fullmatch(low):
            return self.general(found["how"], found["left"], found["verb"], found["right"])
        if (clause := _CLAUSE.fullmatch(text)) and re.fullmatch(_NAME, clause["who"] or ""):
            return self.predicate(clause["what"], self.name(clause["who"]))
        if found := _BARE.fullmatch(low):
            return self.general("", found["left"], "are", found["right"])
        raise NotControlled("not a sentence of the controlled English")

    def name(self, word: str) -> Term:
        low = word.lower()
        if low in FUNCTION or singular(low) or is_crowd(low):
            raise NotControlled(f"{word!r} is no name")
        (self.words.animals if word in ANIMALS else self.words.names).add(word)
        return Term(word)

    def predicate(self, text: str, subject: Term) -> Formula:
        """``is kind and tall``, ``does not eat the dog``."""
        verb, _, what = text.partition(" ")
        if verb in ("is", "are"):
            return self.phrase(what, subject)
        found = _ACT.fullmatch(text)
        if found is None:
            raise NotControlled(f"{text[:40]!r} is not said of one thing and another")
        verb = found["verb"] or found["denied"]
        several = {some: one for one, some in VERBS.items()}
        atom = Atom(several.get(verb, verb), (subject, self.name(found["whom"])))
        return Not(atom) if found["denied"] else atom

    def crowd(self, word: str) -> None:
        self.words.crowds.add(_CROWDS[word])

    def general(self, how: str, left: str, verb: str, right: str) -> Formula:
        """``every wumpus is ...``, ``all kind people are ...``, ``dumpuses are ...``, ``no``."""
        if how == "all" and right.startswith("not "):
            raise NotControlled("'all ... are not' can be read in two ways")
        *adjectives, noun = re.split(r", | ", left)
        if not noun or (how not in ("no", "some") and (how in ("every", "each")) != (verb == "is")):
            raise NotControlled(f"{left!r} and {verb!r} do not go together")
        group: list[Formula] = [self.adjective(word, _X, "all") for word in adjectives]
        if noun in _CROWDS:
            if (noun in ("person", "thing")) != (verb == "is"):
                raise NotControlled(f"{noun!r} and {verb!r} do not go together")
            self.crowd(noun)
        else:
            group.append(self.noun(noun, _X, plural=verb == "are"))
        head = _joined("∧", group) if group else None
        of: Of = "one" if verb == "is" else "all" if how else "kind"
        if how == "no":
            return _every(head, Not(self.positive(right, of)))
        if how == "some":
            return Quantified("∃", "x", _joined("∧", [*group, self.phrase(right, _X, of)]))
        return _every(head, self.phrase(right, _X, of))

    def conditional(self, text: str) -> Formula:
        found = _IF.fullmatch(text)
        if found is None:
            raise NotControlled("an 'if' without its 'then'")
        left, right = found["left"] or found["left2"], found["right"] or found["right2"]
        anyone, named, pronouns = False, list[Term](), 0
        parts = list[Formula]()
        for place, clause in enumerate((*_AND_CLAUSE.split(left), right)):
            who = _CLAUSE.fullmatch(clause)
            if who is None:
                raise NotControlled(f"{clause[:40]!r} is no clause")
            text = who["who"] or who["they"]
            if re.fullmatch(_NAME, text):
                subject = self.name(text)
            elif (place == 0) == bool(re.fullmatch(_ANYONE, text)) and (place == 0 or anyone):
                self.crowd(text)  # 'someone' and 'it' do not go together
                anyone, subject = True, _X
                pronouns += bool(named)
            else:
                raise NotControlled(f"nobody is there for {text!r} to mean")
            if subject is _X and named:
                self.open, subject = True, named[-1] if self.nearest else _X
            named += [] if subject is _X else [subject]
            parts.append(self.predicate(who["what"], subject))
        if pronouns > 1:
            raise NotControlled("it is open what two pronouns mean")
        body = Compound("→", (_joined("∧", parts[:-1]), parts[-1]))
        return Quantified("∀", "x", body) if anyone else body

    def phrase(self, text: str, subject: Term, of: Of = "one") -> Formula:
        """``kind, tall and not a dumpus``, ``either kind or tall, but not both``."""
        one_of = text.startswith("either ")
        text = text.removeprefix("either ")
        connective = "∨" if " or " in text else "∧"
        both = re.search(r", (but not|or) both$", text)
        if both:
            text, connective = text[: both.start()], "∨" if both[1] == "or" else "⊕"
        elif one_of:
            raise NotControlled("'either ... or' wants ', but not both'; or write ', or both'")
        word = "and" if connective == "∧" else "or"
        parts = re.split(rf",? {word} |, ", text)
        marks = [mark.strip(" ,") for mark in re.findall(rf",? {word} |, ", text)]
        if both and (len(parts) != 2 or " or " not in text):
            raise NotControlled("'both' of what is not two")
        if marks and (marks[-1] != word or ("" in marks and word in marks[:-1])):
            raise NotControlled(f"{text[:40]!r} can be read in two ways")
        items = [_ITEM.fullmatch(part) for part in parts]
        found = [item for item in items if item]
        if len(found) != len(items):
            raise NotControlled(f"{text[:40]!r} is no list of properties")
        negated = [bool(item["negated"]) for item in found]
        if negated != sorted(negated):
            raise NotControlled("it is open how far 'not' reaches")
        formulas: list[Formula] = []
        for item in found:
            atom = self.property(item["word"], subject, of, bool(item["article"]))
            formulas.append(Not(atom) if item["negated"] else atom)
        return _joined(connective, formulas)

    def positive(self, text: str, of: Of) -> Formula:
        if text.startswith("not ") or " not " in text:
            raise NotControlled("a 'no' and a 'not'")
        return self.phrase(text, _X, of)

    def property(self, word: str, subject: Term, of: Of, article: bool) -> Atom:
        if article and of != "one":
            raise NotControlled(f"several are not 'a {word[:40]}'")
        if article:
            return self.noun(word, subject, plural=False)
        if of != "one" and (singular(word) or re.search(r"[^su]s$", word)):
            return self.noun(word, subject, plural=True)
        return self.adjective(word, subject, of)

    def noun(self, word: str, subject: Term, *, plural: bool) -> Atom:
        base = singular(word)
        if not plural and base:
            raise NotControlled(f"{word[:40]!r} is no singular")
        if plural and not base and not word.endswith("s"):
            raise NotControlled(f"{word[:40]!r} is no plural")
        self.words.nouns.add(base or word)
        return self.atom(base or word, subject)

    def adjective(self, word: str, subject: Term, of: Of) -> Atom:
        if singular(word) or word in NOUNS or re.search(r"[^o]us$", word):
            raise NotControlled(f"{word[:40]!r} is no adjective")
        if of == "kind" and word not in ADJECTIVES:
            raise NotControlled(f"it is open whether each is {word[:40]!r} for itself")
        self.words.adjectives.add(word)
        (self.words.single if of == "one" else self.words.grouped).add(word)
        return self.atom(word, subject)

    def atom(self, word: str, subject: Term) -> Atom:
        if word in FUNCTION or not re.fullmatch(_WORD, word):
            raise NotControlled(f"{word[:40]!r} is no property")
        return Atom(word, (subject,))


def _every(group: Formula | None, what: Formula) -> Formula:
    return Quantified("∀", "x", what if group is None else Compound("→", (group, what)))


def _joined(connective: str, parts: list[Formula]) -> Formula:
    if len(parts) == 1:
        return parts[0]
    match connective:
        case "∧" | "∨" | "⊕" | "→" | "↔":
            return Compound(connective, tuple(parts))
    raise AssertionError(connective)
