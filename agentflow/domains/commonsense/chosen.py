"""A reply that opens with an option, letter and text, and only explains it behind.

(B) a contradiction. The premise says five, but the claim says six.      (B)
(B) a contradiction. Then again, (A) fits the premise as well.           not read

What stands behind is read by the problem: each sentence speaks of its things, of no other option,
and neither of the answer nor of its author.
"""

from __future__ import annotations

import re

from agentflow.domains import narration, spelling
from agentflow.domains.answers import explaining
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.answers.rivals import Statement
from agentflow.domains.commonsense.concluding import stems
from agentflow.domains.sentence_ends import SENTENCE_END, sentence_end
from agentflow.domains.spelling import lowered, word_set

CHOSEN = "opens with: "
"""What marks the text of such a reply among the grounds of its answer."""
ALONE = "only opens with: "
"""The same, of a text that states no answer in another way."""

_OPENS = re.compile(
    r"\s*(?i:option )?\(?(?P<letter>[A-J])[.):]+\s+"
    r"(?:(?P=letter)[.):]+\s+)?(?P<said>[^\n.:?]{1,120})(?P<behind>.*)",
    re.DOTALL,
)
_CLOSES = re.compile(
    r"(?:\A|(?<=[.!?\n]))[ \t]*(?P<last>(?i:so|therefore|thus|hence|given [^,.:\n]{2,80}"
    r"|based on [^,.:\n]{2,80}),? [Tt]he (?P<subject>[a-z][a-z ]{1,40}) (?:is|must be)(?: an?)?"
    r":?\s+(?:(?P<option>\(?[A-J][.):]+ [^\n]{1,300})"
    r"|(?P<front>[A-Za-z ]{2,60}) \((?P<letter>[A-J])\)\.?))\Z"
)
_LAST = 500
_MAX = 3_000
_GOES_ON = re.compile(r"\)?[ *_]*(?:[.!,:;]|\n|\Z|[-–—] |(?:because|since)\b)")
"""What stands behind the whole of an option."""
_SENTENCE = sentence_end(".!?", r"\n")
_LISTED = re.compile(r"(?m)^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ALONE = re.compile(r"(?<![\w'’.])(?:\([A-J]\)|[B-J])(?![\w'’])")
"""The letter of an option; a bare A may be an article."""
_DOUBTS = re.compile(
    r"\b(?:i|we|me|my|you|your|answers?|options?|choices?|wrong|incorrect\w*|mistak\w*|errors?"
    r"|actually|wait|sorry|oops|correction|instead|rather|maybe|perhaps|possibly|probabl[ye]|likely"
    r"|unlikely|guess\w*|doubt\w*|unsure|uncertain|unclear|ambig\w+|alternativ\w*|would|could|might"
    r"|may|pretend\w*|imagin\w*|assum\w*|suppos\w*|except|unless|almost|nearly|partly|half|barely"
    r"|hardly|joke|lie|lies|quote\w*|ignore|disregard|forget|swap\w*|switch\w*|chang\w*)\b"
)
"""What speaks of the answer or of its author, or takes back a part of what is said."""
_DENIES = r"\b(?:not|no|never|neither|nor|without|cannot|hardly)\b|n['’]t\b"
_DENIED = re.compile(_DENIES)
_OF_IT = re.compile(r"\A\W*(?:this|that|it)\b|\b(?:this|that|it)\W*\Z")
"""What a sentence speaks of, or ends in, that may be the answer."""
_HEADS = word_set("explanation explained reason reasons reasoning rationale justification why")


def opening(text: str) -> tuple[str, str] | None:
    """(the option that a text opens with, as it says it, the text), where something stands behind;
    or the last sentence of a text that concludes which option something is, twice: ``So the claim
    is a C. contradiction.``; None for any other text."""
    plain = text.replace("**", "")
    found = _OPENS.fullmatch(plain) if len(text) <= _MAX else None
    if found and _WORD.search(found["behind"]):
        return f"{found['letter']}. {found['said'].strip()}", text
    plain = plain.rstrip()
    closes = _CLOSES.search(plain, max(0, len(plain) - _LAST))
    return (closes["last"], closes["last"]) if closes else None


def called(text: str, statement: Statement) -> str:
    """A text from the answer on that its first sentence states (``So the answer is (B) ...``);
    empty where it states it further down."""
    place = text.find(statement.text, statement.start)
    return "" if place < 0 or SENTENCE_END.search(text[:place]) else text[place:]


def letter(question: str, options: dict[str, str], ground: str = "") -> str | None:
    """The letter of the option that a text opens with and then only explains.

    Args:
        ground: The text, behind :data:`CHOSEN` or :data:`ALONE`; empty for none.
    """
    text = ground.removeprefix(CHOSEN).removeprefix(ALONE)
    if closes := _CLOSES.fullmatch(text):
        if not stems(closes["subject"]) or not stems(closes["subject"]) <= stems(question):
            return None
        behind = closes["letter"]
        text = f"{behind}. {closes['front']}" if behind else closes["option"]
    found = _OPENS.fullmatch(text.replace("**", ""))
    if found is None or (option := options.get(found["letter"])) is None:
        return None
    words, said = _words(option), found["said"] + found["behind"]
    spans = list(_WORD.finditer(said))[: len(words)]
    if not words or [_plain(one[0]) for one in spans] != words:
        return None
    behind = said[spans[-1].end() :]
    if not _GOES_ON.match(behind):
        return None
    others = [text for one, text in options.items() if one != found["letter"]]
    return found["letter"] if _explains(question, found["letter"], option, others, behind) else None


def is_named(options: dict[str, str], form: str, said: str) -> bool:
    """Whether an option, by its letter in brackets, is the only one that has all the words of what
    is said to be the answer."""
    words = stems(said)
    having = [f"({one})" for one, text in options.items() if words <= stems(text)]
    return bool(words) and having == [form]


def speaks_of_another(options: dict[str, str], form: str, said: str) -> bool:
    """Whether what is said has all that sets another option apart from the one with a letter, in
    brackets."""
    own, told = stems(options[form.strip("()")]), stems(said)
    apart = (stems(text) - own for one, text in options.items() if f"({one})" != form)
    return any(words and words <= told for words in apart)


def _explains(question: str, own: str, option: str, others: list[str], behind: str) -> bool:
    """Whether a text speaks of the things of a problem, and well of the option with a letter."""
    behind = _LISTED.sub("", behind)
    if TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind) or rejected(behind):
        return False
    if "?" in behind:
        return False
    words = stems(option)
    rivals = set[str]().union(*map(stems, others)) - words - stems(question)
    known = words | stems(question)
    denied = [re.compile(rf"(?:{_DENIES})(?:\W+\w+){{0,3}}?\W+{re.escape(one)}") for one in words]
    for sentence in _SENTENCE.split(behind):
        low = lowered(sentence)
        if not _WORD.search(low) or closes(sentence):
            continue
        if sentence.rstrip(" *_").endswith(":") and narration.only(sentence, _HEADS):
            continue
        if (told_of_it := explaining.told_of_option(low, own)) is not None:
            sentence, low = sentence[-len(told_of_it) :], told_of_it
        told = stems(low)
        if _DOUBTS.search(low) or _ALONE.search(sentence) or not told.isdisjoint(rivals):
            return False
        if told.isdisjoint(known) or any(one.search(low) for one in denied):
            return False
        if _DENIED.search(low) and _OF_IT.search(low):
            return False
    return True


def _words(text: str) -> list[str]:
    return [_plain(one) for one in _WORD.findall(text)]


def _plain(word: str) -> str:
    return spelling.plain(word).lower()
