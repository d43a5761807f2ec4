"""The options of a multiple-choice question, and which of them an answer names."""

from __future__ import annotations

import re

from agentflow.errors import BadInput

_HEADING = re.compile(r"(?i)\b(?:(?:available|answer)\s+)?(?:options|choices)\s*(?:are\s*)?:")
_FIRST = re.compile(r"(?m)^[ \t]*\(?A[.):]")
_MARK = re.compile(r"(?:^|(?<=[\s,;|]))\(?([A-Z])[.):](?=\s|$)")
_NAMED = re.compile(
    r"(?:(?:options?|choices?)\s*:?\s*)?(?:\(([a-z])\)|([a-z])(?![a-z']))\s*[.):,=-]*\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_MARKED = re.compile(
    r"\s*(?:(?:options?|choices?)\b|\([a-z]\)|[a-z](?:[).:]|\s*\Z))", re.IGNORECASE
)
"""What surely is the letter of an option, and no article."""
_LOOSE = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\b|[^\w.+/^<>=-]|\.(?!\d)")
_SET_IN_ROWS = re.compile(r"(?:&\s*)?\\text(?:bf)?\{\s*\(?([A-Z])[).:]\s*\}(?:\\ |~)*\s*&?\s*")
"""The letter of an option in a table of LaTeX: ``& \\text{B)}\\ &``."""
_ENDS_ROW = re.compile(r"(?:\s|&|\\\\|\\end\{align\*?\})+\Z")
_NONE = re.compile(r"(?i)none(?: of (?:the above|these|those|them|the (?:options|others)))?")
_NAMED_BEHIND = re.compile(r"(.+?),?\s*\((?:option\s*)?([a-z])\)", re.IGNORECASE | re.DOTALL)


def parts(text: str) -> tuple[str, dict[str, str], str]:
    """:func:`listed`, of options that differ.

    Raises:
        BadInput: If one of them is empty, or two are the same.
    """
    before, options, around = listed(text)
    values = [option.lower() for option in options.values()]
    for at, (letter, option) in enumerate(options.items()):
        if not option:
            raise BadInput(f"option {letter} is empty")
        if values.index(option.lower()) < at:
            raise BadInput(f"option {letter}, {option[:40]!r}, is there twice")
    return before, options, around


def listed(text: str) -> tuple[str, dict[str, str], str]:
    """(the text before the options, letter -> option, the text around and behind the options).

    Options stand behind ``Options:`` (or ``Answer choices:``), or begin on a line with ``A.``;
    on lines of their own, or on one line. The third part is what the options do not take up.
    """
    text = _SET_IN_ROWS.sub(r"\n\1) ", text) if "\\text" in text else text
    begin = _HEADING.search(text) or _FIRST.search(text)
    if begin is None:
        return text, {}, ""
    tail = text[begin.end() :] if begin.re is _HEADING else text[begin.start() :]
    marks: list[re.Match[str]] = []
    for mark in _MARK.finditer(tail):
        if mark[1] == chr(ord("A") + len(marks)):
            marks.append(mark)
    ends = [*(mark.start() for mark in marks), len(tail)][1:]
    options: dict[str, str] = {}
    around = [tail[: marks[0].start()] if marks else tail]
    for mark, end in zip(marks, ends, strict=True):
        first, *others = tail[mark.end() : end].strip().split("\n")
        options[mark[1]] = _ENDS_ROW.sub("", first.strip(" \t\r,;|"))
        around += others
    return text[: begin.start()], options, "\n".join(around).strip()


def says_none(option: str) -> bool:
    """Whether an option only says that the others are not right: ``None of the above``."""
    return _NONE.fullmatch(option.strip(" .")) is not None


def named(answer: str, options: dict[str, str]) -> tuple[str | None, str]:
    """(the option that an answer gives by its letter, what else the answer says).

    ``C``, ``(c)``, ``C. 2``, ``Option C: 2`` and ``2 (C)`` name the third option. An answer that
    names none gives (None, the answer).
    """
    answer = answer.strip()
    if found := _NAMED.fullmatch(answer):
        letter, rest = found[1] or found[2], found[3]
    elif found := _NAMED_BEHIND.fullmatch(answer):
        rest, letter = found.groups()
    else:
        return None, answer
    option = options.get(letter.upper())
    return (None, answer) if option is None else (option, rest.strip())


def letter(answer: str, options: dict[str, str]) -> str | None:
    """The letter of the option that an answer gives in words, with its letter or without, or by
    the letter alone; None where it names none, or what it says beside the letter is not how that
    option begins."""
    whole = [one for one, text in options.items() if words(text) == (words(answer) or None)]
    option, rest = named(answer, options)
    said = words(rest)
    by_letter = option is not None and said == words(option)[: len(said)]
    own = [one for one in options if by_letter and options[one] == option and _is_in(one, answer)]
    found = {*own[:1]} if own and _MARKED.match(answer) else {*whole, *own[:1]}
    return found.pop() if len(found) == 1 else None


def marked(answer: str) -> bool:
    """Whether an answer begins with what surely is the letter of an option."""
    return _MARKED.match(answer.lstrip(" *_")) is not None


def verbatim(text: str, options: dict[str, str]) -> str | None:
    """The letter of the option that a text is, letter and all, and nothing else."""
    option, rest = named(text.strip(" \n\t*_"), options)
    same = option is not None and words(option) == words(rest) != []
    return letter(text, options) if same and marked(text) else None


_WHICH_IS = re.compile(
    r"(?i)[,;–—-] (?:which|and (?:this|that|it)) (?:is|matches|corresponds to|is given by) "
    r"(?:the )?(?:option|choice|answer(?: choice)?) \W*(?P<letter>(?-i:[A-J]))\W*"
)


def matched(sentence: str, options: dict[str, str]) -> str | None:
    """The letter of the option whose words end a sentence: ``so the sum is 7, which is option B``;
    None where that option says something else."""
    found = _WHICH_IS.search(sentence)
    if found is None or found.end() < len(sentence) or found["letter"] not in options:
        return None
    told, own = _spelled(sentence[: found.start()]), _spelled(options[found["letter"]])
    clause = re.split(r"(?i)[,;] (?:so|and|thus|hence|therefore)\b|[=≈]", told)[-1]
    if re.search(r"\b(?:not|never|if|unless|or|except|maybe|perhaps)\b|n['’]t\b", clause):
        return None
    ends = bool(own) and re.search(rf"(?<![\w.√\\^/*+-]){re.escape(own)}\Z", clause)
    return found["letter"] if ends else None


def _spelled(text: str) -> str:
    """A text without what sets its formulas."""
    text = re.sub(r"\\sqrt\{?(\w+)\}?", r"√\1", re.sub(r"\\[()\[\]]|\$|\*\*", "", text))
    return " ".join(text.lower().split()).strip(" .")


def _is_in(letter: str, answer: str) -> bool:
    return re.search(rf"(?i)\b{letter}\b", answer) is not None


def words(text: str) -> list[str]:
    """The words and numbers of an option, small, by which two of them are the same."""
    return _LOOSE.sub(" ", text.lower()).split()
