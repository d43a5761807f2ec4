"""What a text concludes of a subject: ``So the number of turns is **2**``, or a last line.

Whether the subject is what is asked is the domain's to say.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from agentflow.domains import answers, narration
from agentflow.domains.answers.alike import alike
from agentflow.domains.answers.fronts import calls_it_answer
from agentflow.domains.answers.leads import leads
from agentflow.domains.answers.typesetting import unmarked
from agentflow.domains.sentence_ends import SENTENCE_END
from agentflow.domains.spelling import LETTER_OR_DIGIT
from agentflow.state import State
from agentflow.tools.quantities import things

_COUNTING_BOX = re.compile(
    r"\\boxed\{(?P<said>[\d,.]+)\}[$ )\\\]]*(?P<things>[a-z]+(?: [a-z]+){0,4}?)"
    r"(?P<per> (?:per|each|every) [a-z]+)?[$ .!\n]*\Z"
)
"""A last box that counts things: ``$\\boxed{14}$ oranges.``"""
_COUNTING_OBJECT = re.compile(
    r'"answer"\s*:\s*"?(?P<said>[\d,.]+)"?,\s*"units?"\s*:\s*"(?P<things>[^"]{1,40})"\s*\}[\s`]*\Z'
)
_CLAUSE = re.compile(
    r"(?i)\b(?:explanation|reason|reasoning|justification|rationale|note|check):"
    r"|(?:^|,? )(?:so|thus|therefore|hence|because|since|as|given that|but|and|which means"
    r"(?: that)?|meaning(?: that)?)\b,?|[,;] "
    r"|[.!?](?: |$)|[.!?]?\" ?[:,] ?\"| ?(?:→|⇒|=>) ?"
)
_GROUNDED = re.compile(r"(?s)(?P<said>.*?) \(given: (?P<grounds>.*)\)")
_OPTION = re.compile(r"[(\[]?[A-J](?![^\W_])[)\].]*")
_LEADING = re.compile(
    r"(?is)\A\W*(?:.*(?:[,;]|,? and) (?:so|thus|therefore|hence|giving|which gives"
    r"|which means(?: that)?),? "
    r"|(?:since|because|as(?! seen)|given|based on|by|using|following|applying|tracing|counting)\b"
    r"[^,:;]{1,200}, (?!and )"
    r"|(?:so |thus |therefore |hence )?we (?:can )?(?:conclude|see|find) that )"
)
"""What leads to the clause of a box, in its sentence."""
_AS_GIVEN = re.compile(
    r"(?i)\W*(?:(?:by (?:modus (?:ponens|tollens)|transitivity)|(?:following|tracing) the path"
    r"(?: from s to e)?|(?:based on|from|given|using) (?:all )?(?:the|these) (?:given |above )?"
    r"(?:premises|facts|rules|information|map|path)), "
    r"|since (?-i:[A-Z])\w+ (?:is|are) [a-z ]{2,40}, "
    r"|(?:\w+ )?we (?:can )?(?:conclude|see|find) that )"
)
"""A clause of grounds that says nothing, or what the domain looks at itself."""
_AS_TOLD = re.compile(
    r"\W*(?:[Ss]ince |[Bb]ecause )?(?:[Tt]here (?:are|is) \d+ |[Bb]oth (?:of the )?turns are "
    r"|[A-Z][\w' ]{0,40} (?:is|are) (?:to the )?[\w -]{2,60}|[Tt]he (?:conclusion|statement) is )"
)
"""A claim that the answer follows from, which the domain looks at itself."""
_LETTERED = re.compile(
    r"[(\[]?(?P<letter>[A-J])[)\].:]* \(?(?P<text>[^()]+)\)?"
    r"|(?P<front>[^()]+) \((?P<behind>[A-J])\)?"
)
"""What an option says, beside its letter."""
_MARK = re.compile(r"\$?\\boxed\{[^{}\n]{0,80}\}\$?|</answer>")
_MAX_WORDS = 4
_AROUND = " \t.!*_$>-"
_OF_ANSWER = re.compile(r"(?i)\b(?:answer|option|choice)\b")
_POINTS = re.compile(r"(?:→|⇒|=>)\s*\Z")
_HEADING = re.compile(r"\s*(?:#|[\W_]*(?:final )?answer\W*$)", re.IGNORECASE)
_HEADLINE = re.compile(r"#+\s.*|\*\*[^*]*\*\*:?|.*[:?][*_\s]*")
_LISTED = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s")
_ITEM = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s.*[\w)*]")
"""A list's item without its full stop."""


def of_subject(text: str) -> str | None:
    """The sentence with the answer that a text states, where nothing but bold print or a box shows
    it, and around it stand other words than may lead to any answer (``So the row is **2**``); else
    None."""
    if "boxed" in text and (boxed := _of_box(text)):
        return boxed
    found = answers.statements(text) if "**" in text else ()
    if not found or any(one.how != "conclusion" for one in found):
        return None
    sentence = text[found[-1].start : found[-1].end]
    if "**" not in sentence or answers.statements(sentence.replace("**", "")):
        return None
    before, _, behind = sentence.rpartition("**")
    lead = before.rpartition("**")[0]
    plain = (leads(lead) or _POINTS.search(lead)) and not behind.strip(" .!*")
    return None if plain else sentence


def _of_box(text: str) -> str | None:
    """The sentence of a box that is the answer, where it says of what."""
    found = answers.statements(text)
    if not found or found[-1].how != "boxed":
        return None
    last = found[-1]
    lead = SENTENCE_END.split(text[: last.start])[-1]
    behind = SENTENCE_END.split(text[last.end :], maxsplit=1)[0]
    led = _LEADING.match(lead)
    rest = lead[led.end() :] if led else lead
    if led and (_AS_GIVEN.fullmatch(led[0]) or (calls_it_answer(rest) and _AS_TOLD.match(led[0]))):
        lead = rest
    if "\\[" in lead or "$$" in lead or calls_it_answer(lead):
        return None
    return " ".join([lead.rstrip("$(* \\"), last.text, behind.lstrip("$)* \\")]).strip()


def clauses(text: str, *, around: bool = False) -> list[str]:
    """The clauses of the line in which a text states its answer, or of its last line.

    Args:
        around: Whether those :func:`around_answer` are wanted, too.
    """
    return clauses_of(around_answer(text, around=around))


def around_answer(text: str, *, around: bool = True) -> str:
    """The line in which a text states its answer, or its last; with its paragraph, the one before
    and all behind."""
    text = text.rstrip()
    found = answers.statements(text)
    start, end = (found[-1].start, found[-1].end) if found else (len(text), len(text))
    begin = text.rfind("\n", 0, start) + 1
    if around:
        begin = text.rfind("\n\n", 0, max(0, text.rfind("\n\n", 0, begin))) + 1
        end = len(text)
    end = len(text) if (stop := text.find("\n", end)) < 0 else stop
    return text[begin:end]


def behind(text: str) -> list[str]:
    """The clauses of the lines behind the one in which a text states its answer."""
    found = answers.statements(text)
    _, _, rest = text[found[-1].end :].partition("\n") if found else ("", "", "")
    return clauses_of(rest)


def clauses_of(text: str) -> list[str]:
    """The clauses of a text; what stands under a supposition is none."""
    told, under = list[str](), False
    for line in text.split("\n"):
        under = answers.supposed(line, under)
        line = _MARK.sub(". ", line.replace("**", ""))
        told += [] if under else _CLAUSE.split(line.strip())
    told = [clause.strip(_AROUND) for clause in told]
    return [clause for clause in told if clause and not _OF_ANSWER.search(clause)]


def above(text: str) -> list[str]:
    """The clauses that lead to the answer of a text: what stands in front of it on its line, and
    the line above; no heading and no item of a list. Where the answer is nothing but the last line
    (``B. 2``), the line above that."""
    before, lead = _before(text)
    lines = [line for line in before.split("\n") if line.strip() and not _HEADING.match(line)]
    told = [line for line in [*lines[-1:], f"{lead} "] if not _LISTED.match(line)]
    split = (clause for line in told for clause in _CLAUSE.split(line.replace("**", "")))
    said = (clause.strip(_AROUND).rstrip("→⇒=> ") for clause in split)
    return [one for one in said if LETTER_OR_DIGIT.search(one) and not _OF_ANSWER.search(one)]


def _before(text: str) -> tuple[str, str]:
    """(the lines above the one in which a text states its answer, what stands in front of it on
    that line); empty where an answer that the text opens with is only explained behind."""
    if found := answers.statements(text):
        before, _, lead = text[: found[-1].start].rpartition("\n")
        return before, lead
    return "" if answers.opens(text) else answers.ending(text).rpartition("\n")[0], ""


def by_letter(one: str, other: str) -> bool:
    """Whether two answers may be one where one of them, or none, is the letter of an option; what
    that option says is for its domain to read (:func:`others`)."""
    letters = [_OPTION.fullmatch(each) is not None for each in (one, other)]
    return letters[0] != letters[1] or alike(one, other)


def headline(text: str) -> str:
    """The headline, or the question, right above the answer of a text; empty for none."""
    found = answers.statements(text)
    before = text[: found[-1].start].rpartition("\n")[0] if found else text.rpartition("\n")[0]
    line = answers.above(before)
    return line if _HEADLINE.fullmatch(line) else ""


def others(text: str, said: str, beside: Sequence[str] = ()) -> list[str]:
    """What a text calls its answer besides the letter of an option: ``The answer is 3. So B.``; or
    that letter.

    Args:
        said: The answer that it states.
        beside: What it says of it in other words (:class:`~agentflow.domains.answers.Settled`).
    """
    if not _OPTION.fullmatch(said):
        return [one for one in beside if _OPTION.fullmatch(one)]
    called = (one.text for one in answers.statements(text) if one.how in answers.CALLED)
    told = [_without_letter(one, said) for one in called]
    return [one for one in told if len(one.split()) <= _MAX_WORDS and not _OPTION.fullmatch(one)]


def _without_letter(text: str, said: str) -> str:
    """What an option says, without its letter where that is the answer: ``C. 2``, ``2 (C)``."""
    found = _LETTERED.fullmatch(text)
    if found is None or (found["letter"] or found["behind"]) != said.strip("()[]."):
        return text
    return str(found["text"] or found["front"])


ASKS = "asks: "
"""What marks, among the grounds of an answer, a question or a headline above it."""


def grounded(said: str, grounds: Iterable[str]) -> str:
    """An answer with the claims on whose grounds it is stated: ``B (given: 2 right turns)``;
    :func:`parted` takes them apart again."""
    told = "; ".join(dict.fromkeys(one for one in grounds if one != said))
    return f"{said} (given: {told})" if told else said


_LINE_END = re.compile(r"(\n|; )")
_MARKED_AS = re.compile(r"\A(?:[a-z]+(?: [a-z]+)?: )*")
TOLD = "told: "
"""What marks a ground that is a stretch of a text, to be read beside the problem."""
_MAX_WHOLE, _MAX_LINES = 8_000, 60


def told(text: str) -> str:
    """The ground that is a text; a semicolon, which parts grounds, is another sign in it."""
    return f"{TOLD}{text.replace('; ', '. ').replace(';', ',')}"


def reach(text: str, looked_at: Callable[[str], str] = str) -> str:
    """As much of a text as is carried with its answer: of a long one, which may have tried and
    taken back much, the line above the answer and all from there on.

    Args:
        looked_at: The lines of it that count.
    """
    text = narration.own(text).strip()
    if len(text) <= _MAX_WHOLE and sum(map(bool, looked_at(text).split("\n"))) <= _MAX_LINES:
        return text
    begin = text.rfind("\n", 0, answers.begins(text)) + 1
    return f"{answers.above(text[:begin])}\n{text[begin:]}"


def ground(states: list[State], grounds: Callable[[str], Iterable[str]], line: str) -> list[State]:
    """The states of a line, the candidates among them with the claims that ``grounds`` finds."""
    for state in states:
        if state.kind == "candidate":
            state.data["answer"] = grounded(state.data["answer"], grounds(line))
    return states


def parted(answer: str) -> tuple[str, list[str]]:
    """(an answer, the claims on whose grounds it is stated)."""
    found = _GROUNDED.fullmatch(answer)
    return (found["said"], found["grounds"].split("; ")) if found else (answer, [])


def unread(answer: str, goes_with: Callable[[str], bool]) -> str:
    """The line beside an answer up to which it goes with what is said there, and no longer behind
    it; the answer where it is not understood itself.

    Args:
        goes_with: Whether an answer, with its grounds, is understood.
    """
    said, grounds = parted(answer)
    lines = _LINE_END.split("; ".join(grounds))
    beside = [f"{said} (given: {''.join(lines[: n + 1])})" for n in range(0, len(lines), 2)]
    if not grounds or not goes_with(said):
        return said
    at = bisect_left(beside, True, hi=len(beside) - 1, key=lambda one: not goes_with(one))
    told = (_MARKED_AS.sub("", one).strip() for one in lines[2 * at :: -2])
    return next(filter(None, told), said)


def last_line(text: str) -> str:
    """The last line, where what stands above may lead up to it; else empty."""
    before, _, last = answers.ending(text).rpartition("\n")
    under = False
    for one in before.split("\n"):
        under = answers.supposed(one, under)
    line = answers.above(before)
    ended = f"{line}." if _ITEM.fullmatch(line) else before
    leads_up = answers.leads_up(ended) or answers.step(line)
    concludes = leads_up and not under and not answers.asks(last)
    return unmarked(last).strip() if concludes else ""


def counted(text: str, said: str, *, alone: bool = False) -> str | None:
    """The number in the box, or the object in JSON, that a text ends in, with the things that it
    counts; None where the text does not end so, or ``said`` is another answer.

    Args:
        alone: Whether nothing else may stand behind the number.
    """
    box = _COUNTING_BOX.search(text) or _COUNTING_OBJECT.search(text)
    words = box["things"].split() if box and box["said"] == said else []
    per = box.groupdict().get("per") or "" if box else ""
    named = 0 if "of" in words else things(words)  # boxes of red pens
    unit = " ".join(words) + per if named == len(words) else " ".join(words[:named])
    whole = named == len(words) or not alone
    return f"{said} {unit}" if named and whole else None
