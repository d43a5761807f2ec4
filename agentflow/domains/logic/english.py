"""A small controlled English about named things, and its translation to first-order logic.

    Alex is kind and not tall.               Every wumpus is a dumpus.
    Alex is kind or tall, or both.           Dumpuses are not shy.
    Alex is either kind or tall, but not both.
    If someone is kind and not tall, then they are happy.
    If Alex is kind and Bob is tall, then Carl is not sad.
    Everyone who is kind is happy.           All kind, tall people are happy.
    No kind people are sad.                  Someone is kind.
    It is not the case that Alex is kind.

A name is one capitalised word, a property one word in small letters (``kind``, ``a dumpus``). What
English leaves open (``either ... or`` without ``but not both``, a ``not`` in front of a list, ``all
... are not``) is not in the language, nor is anything else: it is refused rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agentflow.domains.logic.fol import Atom, Compound, Formula, Not, Quantified, Term

MAX_LENGTH = 400
"""Characters of a sentence."""

_WORD = r"[a-z]+(?:-[a-z]+)*"
_NAME = r"[A-Z][a-z]+"
_ANYONE = r"someone|something|a person|a thing"
_NOT_A_WORD = re.compile(
    "a|an|the|not|no|and|or|but|if|then|either|neither|nor|both|is|are|was|be|been|it|they|he|she|"
    "who|that|which|someone|everyone|something|everything|anyone|people|things|some|all|every|"
    "each|any|also|only|just|very|always|never|sometimes|probably|possibly|maybe|likely|unless|"
    "than|as|to|of|in|on|at|by|for|with|from|there|here|this|these|those|him|her|them"
)
_ENDINGS = (("", "s"), ("", "es"), ("y", "ies"))
_CROWD = frozenset(("people", "things", "persons", "person", "thing"))
_ITEM = re.compile(rf"(?P<negated>not )?(?P<article>an? )?(?P<word>{_WORD})")
_CLAUSE = re.compile(
    rf"(?:(?P<who>{_NAME}|{_ANYONE}|it|he|she) is|(?P<they>they) are) (?P<what>.+)"
)
_IF = re.compile(r"[Ii]f (?P<left>.+?),? then (?P<right>.+)|[Ii]f (?P<left2>[^,]+), (?P<right2>.+)")
_WHO = re.compile(r"(?:everyone|everything|anyone) (?:who|that) is (?P<left>.+?) is (?P<right>.+)")
_NOBODY = re.compile(
    r"(?:no one|nobody|nothing) (?:(?:who|that) is (?P<left>.+?) )?is (?P<right>.+)"
)
_ALL = re.compile(r"(?P<how>every|each|all|no) (?P<left>.+?) (?P<verb>is|are) (?P<right>.+)")
_BARE = re.compile(r"(?P<left>[A-Za-z, -]+?) are (?P<right>.+)")
_EVERYONE = re.compile(r"(?P<how>everyone|everything|someone|something) is (?P<right>.+)")
_DENIED = re.compile(r"[Ii]t is not (?:the case|true) that (?P<rest>.+)")
_AND_CLAUSE = re.compile(rf" and (?={_NAME} is )")


class NotControlled(ValueError):
    """The sentence is not in the language; says which."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a problem, by which singular and plural find each other.

    Attributes:
        nouns: Seen behind an article, or behind ``every`` or ``each``.
        plurals: Seen as the group that ``are`` speaks of.
        adjectives: Seen where only an adjective can stand.
    """

    nouns: set[str] = field(default_factory=set)
    plurals: set[str] = field(default_factory=set)
    adjectives: set[str] = field(default_factory=set)

    def base(self, word: str, *, noun: bool) -> str:
        """The word by which the problem means the same; else the word itself.

        That is the singular for a plural, and for a singular noun that the problem has only in
        its plural, that.
        """
        noun = noun and word not in self.nouns
        for singular, plural in _ENDINGS:
            one = word.removesuffix(plural) + singular
            if word.endswith(plural) and one in self.nouns:
                return one
            several = word.removesuffix(singular) + plural
            if noun and word.endswith(singular) and several in self.plurals:
                return several
        return word


def formalise(sentences: Sequence[str], words: Words | None = None) -> list[Formula]:
    """The formulas of sentences that share their words.

    Args:
        words: Those of the problem that the sentences speak of; by default their own.

    Raises:
        NotControlled: If a sentence is not in the language, or a word is now a noun, now an
            adjective.
    """
    known = words or words_of(sentences)
    words = Words(set(known.nouns), set(known.plurals), set(known.adjectives))
    return [_Sentence(words).read(sentence) for sentence in sentences]


def words_of(sentences: Sequence[str]) -> Words:
    """The words that ``sentences`` use.

    Raises:
        NotControlled: As :func:`formalise`.
    """
    words = Words()
    for sentence in sentences:
        _Sentence(words).read(sentence)
    if both := words.nouns & words.adjectives:
        raise NotControlled(f"{min(both)!r} is now a noun, now an adjective")
    return words


_X = Term("x", (), "variable")


class _Sentence:
    """Reads one sentence; ``subject`` stands for what ``someone`` and ``they`` mean in it."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def read(self, sentence: str) -> Formula:
        text = " ".join(sentence[: MAX_LENGTH + 1].split()).rstrip(".")
        if len(sentence) > MAX_LENGTH or not text:
            raise NotControlled(f"an empty sentence or one of more than {MAX_LENGTH} characters")
        try:
            return self.sentence(text)
        except NotControlled as error:
            raise NotControlled(f"{sentence.strip()[:80]!r}: {error}") from None

    def sentence(self, text: str) -> Formula:
        if denied := _DENIED.fullmatch(text):
            return Not(self.sentence(denied["rest"]))
        if text[:3].lower() == "if ":
            return self.conditional(text)
        low = text[0].lower() + text[1:]
        if found := _WHO.fullmatch(low):
            return _every(self.phrase(found["left"], _X), self.phrase(found["right"], _X))
        if found := _NOBODY.fullmatch(low):
            right = Not(self.positive(found["right"]))
            return _every(self.phrase(found["left"], _X) if found["left"] else None, right)
        if found := _EVERYONE.fullmatch(low):
            every = found["how"].startswith("every")
            if every and found["right"].startswith("not "):
                raise NotControlled("'everyone is not' can be read in two ways")
            return Quantified("∀" if every else "∃", "x", self.phrase(found["right"], _X))
        if found := _ALL.fullmatch(low):
            return self.general(found["how"], found["left"], found["verb"], found["right"])
        if (clause := _CLAUSE.fullmatch(text)) and re.fullmatch(_NAME, clause["who"] or ""):
            return self.phrase(clause["what"], Term(clause["who"]))
        if found := _BARE.fullmatch(low):
            return self.general("", found["left"], "are", found["right"])
        raise NotControlled("not a sentence of the controlled English")

    def general(self, how: str, left: str, verb: str, right: str) -> Formula:
        """``every wumpus is ...``, ``all kind people are ...``, ``dumpuses are ...``, ``no``."""
        if how == "all" and right.startswith("not "):
            raise NotControlled("'all ... are not' can be read in two ways")
        *adjectives, noun = re.split(r", | ", left)
        if not noun or (how != "no" and (how in ("every", "each")) != (verb == "is")):
            raise NotControlled(f"{left!r} and {verb!r} do not go together")
        group: list[Formula] = [self.atom(word, _X, "adjective") for word in adjectives]
        if noun not in _CROWD:
            group.append(self.atom(noun, _X, "noun" if verb == "is" else "plural"))
        head = _joined("∧", group) if group else None
        if how == "no":
            return _every(head, Not(self.positive(right, verb)))
        return _every(head, self.phrase(right, _X, verb))

    def conditional(self, text: str) -> Formula:
        found = _IF.fullmatch(text)
        if found is None:
            raise NotControlled("an 'if' without its 'then'")
        left, right = found["left"] or found["left2"], found["right"] or found["right2"]
        clauses = [self.clause(part, first=True) for part in _AND_CLAUSE.split(left)]
        anyone = [who for who, _ in clauses if who is _X]
        if len(anyone) > 1 or (anyone and len(clauses) > 1):
            raise NotControlled("'someone' beside another")
        who, conclusion = self.clause(right, first=False, anyone=bool(anyone))
        body = Compound("→", (_joined("∧", [one for _, one in clauses]), conclusion))
        return Quantified("∀", "x", body) if anyone or who is _X else body

    def clause(self, text: str, *, first: bool, anyone: bool = False) -> tuple[Term, Formula]:
        """(who it speaks of, what it says); ``they`` is who the ``if`` began with."""
        found = _CLAUSE.fullmatch(text)
        if found is None:
            raise NotControlled(f"{text[:40]!r} is no clause")
        who = found["who"] or found["they"]
        if re.fullmatch(_NAME, who):
            subject = Term(who)
        elif first == bool(re.fullmatch(_ANYONE, who)) and (first or anyone):
            subject = _X
        else:
            raise NotControlled(f"nobody is there for {who!r} to mean")
        return subject, self.phrase(found["what"], subject, "are" if found["they"] else "is")

    def phrase(self, text: str, subject: Term, verb: str = "is") -> Formula:
        """``kind, tall and not a dumpus``, ``either kind or tall, but not both``."""
        one_of = text.startswith("either ")
        text = text.removeprefix("either ")
        connective = "∨" if " or " in text else "∧"
        both = re.search(r", (but not|or) both$", text)
        if both:
            text, connective = text[: both.start()], "∨" if both[1] == "or" else "⊕"
        elif one_of:
            raise NotControlled("'either ... or' wants ', but not both'; or write ', or both'")
        parts = re.split(r",? and |, " if connective == "∧" else r",? or |, ", text)
        if both and len(parts) != 2:
            raise NotControlled("'both' of what is not two")
        items = [_ITEM.fullmatch(part) for part in parts]
        found = [item for item in items if item]
        if len(found) != len(items):
            raise NotControlled(f"{text[:40]!r} is no list of properties")
        negated = [bool(item["negated"]) for item in found]
        if negated != sorted(negated):
            raise NotControlled("it is open how far 'not' reaches")
        formulas: list[Formula] = []
        for item in found:
            kind = "noun" if item["article"] else "adjective" if verb == "is" else ""
            atom = self.atom(item["word"], subject, kind)
            formulas.append(Not(atom) if item["negated"] else atom)
        return _joined(connective, formulas)

    def positive(self, text: str, verb: str = "is") -> Formula:
        if text.startswith("not ") or " not " in text:
            raise NotControlled("a 'no' and a 'not'")
        return self.phrase(text, _X, verb)

    def atom(self, word: str, subject: Term, kind: str) -> Formula:
        if _NOT_A_WORD.fullmatch(word) or not re.fullmatch(_WORD, word):
            raise NotControlled(f"{word[:40]!r} is no property")
        base = self.words.base(word, noun=kind == "noun")
        match kind:
            case "noun":
                self.words.nouns.add(word)
            case "plural":
                self.words.plurals.add(word)
            case "adjective":
                self.words.adjectives.add(word)
        return Atom(base, (subject,))


def _every(group: Formula | None, what: Formula) -> Formula:
    return Quantified("∀", "x", what if group is None else Compound("→", (group, what)))


def _joined(connective: str, parts: list[Formula]) -> Formula:
    if len(parts) == 1:
        return parts[0]
    match connective:
        case "∧" | "∨" | "⊕" | "→" | "↔":
            return Compound(connective, tuple(parts))
    raise AssertionError(connective)
