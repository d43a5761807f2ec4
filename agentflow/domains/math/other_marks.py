"""How replies mark their answer that were asked for a form they took by its letter.

    The answer is '#### 42'.        So she has #### 42 pens.        **42 answer**
    Step 4: The answer is: 42       The answer is 42. 42. 42. 42. 42. 42. 42. 42. 42. 42. 42.

:func:`usual` writes such a text with the marks that every domain reads. It adds no answer: a mark
only stands where one stood, and what a text ends in again and again is said once.
"""

from __future__ import annotations

import re

from agentflow.domains import answers

_VALUE = r"-?\\?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?:\s?\\?%)?"
_A_LINE = re.compile(r"(?m)^[^\S\n]*A[^\S\n]*:")
_SIGN_APART = re.compile(r"(?m)^([ \t*]*#{4} ?)[-−–] (?=\\?\$?\d)")
"""``#### - 50``: a sign, no item of a list."""
_LABEL_BEHIND = re.compile(rf"(?mi)^[ \t*_#$]{{0,8}}(?P<said>{_VALUE}) answer[ \t*_.]{{0,8}}$")
"""``**42 answer**``"""
_NAMED_TWICE = re.compile(
    rf"(?i)(\\boxed\{{[^{{}}\n]{{1,80}}\}}\$?|\banswer(?: is)?: {_VALUE}) answer(?=[\s.]|\Z)"
)
"""``The answer is: 42 answer``"""
_STEP = re.compile(
    r"(?mi)^[ \t]{0,8}step \d{1,3}: (?=#{4} |(?:so,? )?(?:the )?(?:final )?answer(?: is)?\b)"
)
"""The number of a step that only states the answer."""
_IN_LINE = re.compile(r"(?:(?<=[^\s#])[ \t]*|^)#{4} ?(?P<rest>[^#\n]{1,60})$", re.MULTILINE)
_HASHES = re.compile(
    rf"(?<=[a-zA-Z='\"$(*,] )#{{4}} ?(?P<said>{_VALUE})(?![\w%/]|[.,]\d)"
    rf"|(?<=['\"$(*])(?<!')#{{4}} ?(?P<inside>{_VALUE})(?![\w%/]|[.,]\d)"
    rf"|(?P<quote>['\"])#{{4}} ?(?P<quoted>{_VALUE})(?P=quote)"
)
"""What marks a number within a sentence: ``She has #### $50 left.``"""
_WHICH_OPTION = re.compile(
    r"(?<=[\d}$)\]a-z]),? (?:which|and (?:this|that)) (?:is|matches|corresponds to|is given by)"
    r" (?:the )?(?:option|choice|answer(?: choice)?) (?:\$?\\boxed\{)?[\W_]{0,3}"
    r"(?:\\(?:text|textbf|mathrm|mathbf)\{)?[\W_]?(?P<letter>[A-J])[\W_]{0,6}(?:\s|\Z)"
)
"""What is said behind an answer to be the option that it is."""
_WORD = re.compile(r"(?<!\\)\b[^\W\d_]{2,}")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_HINTS = re.compile(
    r"\s*We know the (?P<name>[A-Za-z ]{1,20}): (?P<hints>[^\n]{1,200})\. With the (?P=name):"
    r" (?P=hints), we will answer the question\.\s*\n(?=\S)"
)
_HINT_ENDS = re.compile(r", (?![^(\[{]*[)\]}])")
_LONG = 40
"""Characters of a paragraph that may be said again for nothing."""
_PERIOD, _TIMES, _FEWEST = 400, 4, 40
"""Characters of what is repeated at most; how often it is at least, and over how many."""
_SENTENCE_IN = re.compile(r"[.!?\n](?:\s|\Z)|\n")


def usual(text: str) -> str:
    """A reply with the usual marks in the place of its own."""
    text = _once(_said_first(_without_hints(text)))
    text = _STEP.sub("", _A_LINE.sub("Answer:", text))
    text = _WHICH_OPTION.sub(r".\n\nAnswer: (\g<letter>)", text)
    text = _LABEL_BEHIND.sub(r"Answer: \g<said>", _NAMED_TWICE.sub(r"\1", text))
    if "####" not in text:
        return text
    text = _IN_LINE.sub(_on_its_own, _SIGN_APART.sub(r"\1-", text))
    last = text.rstrip().rfind("\n") + 1
    above = _HASHES.sub(_plain, text[:last])
    boxed = f"{above}{_HASHES.sub(_boxed, text[last:])}"
    return boxed if answers.settled(boxed) else f"{above}{_HASHES.sub(_plain, text[last:])}"


def _once(text: str) -> str:
    """A text that ends in the same sentences again and again, with these said once; the last time
    may be broken off."""
    text = text.rstrip()
    for size in range(2, min(_PERIOD, len(text) // _TIMES) + 1):
        reach = size * max(_TIMES, -(-_FEWEST // size)) + size
        if reach > len(text) or text[-reach:-size] != text[size - reach :]:
            continue
        if not _SENTENCE_IN.search(text[-2 * size :]):
            return text
        begin = len(text) - reach
        while begin and text[begin - 1] == text[begin - 1 + size]:
            begin -= 1
        stop = _SENTENCE_IN.search(text, begin + size - 1)
        return text[: stop.start() + 1 if stop else begin + size].rstrip()
    return text


def _said_first(text: str) -> str:
    """A text without its last paragraphs that say earlier ones again, word for word, with ``A:`` in
    front or without; the last one may be broken off."""
    parts = text.rstrip().split("\n\n")
    told = [_A_LINE.sub("", one).strip() for one in parts]
    keep = len(parts)
    while keep > 1 and len(told[keep - 1]) > _LONG:
        again = told[keep - 1]
        if not any(
            one == again or (keep == len(parts) and one.startswith(again))
            for one in told[: keep - 1]
        ):
            break
        keep -= 1
    if keep == len(parts) > 1 and told[-1] and _A_LINE.match(parts[-1]):  # broken off at once
        again = told[-1]
        if told.count(told[-2]) > 1 and told[-2].startswith(again):
            return _said_first("\n\n".join(parts[:-1]))
    return "\n\n".join(parts[:keep])


def _without_hints(text: str) -> str:
    """A text without a first line that says over what hints its author was given, where it ends in
    one of them: ``We know the hints: 3, 5. With the hints: 3, 5, we will answer the question.``"""
    found = _HINTS.match(text)
    if found is None:
        return text
    rest = text[found.end() :]
    *_, last = _HINT_ENDS.split(found["hints"])
    return rest if last.strip() in rest.rstrip().rpartition("\n")[2] else text


def _on_its_own(found: re.Match[str]) -> str:
    """A value behind hashes at the end of a line, called the answer where nothing stands behind."""
    rest = found["rest"]
    if _WORD.search(_COMMAND.sub("", rest)) or not _is_whole(rest.rstrip(" .")):
        return found[0]
    if not found.string[found.end() :].strip():
        return f"\nAnswer: {rest}"
    own = found.start() == 0 or found.string[found.start() - 1] == "\n"
    return found[0] if own else f" {rest}"  # what a step comes to


def _is_whole(rest: str) -> bool:
    """Whether no sign in a value belongs to one in front of its hashes: ``'#### 42'``."""
    pairs = all(rest.count(one) == rest.count(other) for one, other in ("()", "[]", "{}"))
    return pairs and not any(rest.count(one) % 2 for one in "'\"*") and not rest.endswith("$")


def _plain(found: re.Match[str]) -> str:
    return str(found["said"] or found["inside"] or found["quoted"])


def _boxed(found: re.Match[str]) -> str:
    return f"\\boxed{{{_plain(found)}}}"
