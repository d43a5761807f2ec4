"""The answer that the last line of a reply is by itself, in no form that calls it one."""

from __future__ import annotations

import re
from collections.abc import Callable

from agentflow.domains import answers
from agentflow.domains.answers.leads import to_another
from agentflow.domains.answers.lines_above import speaks_against
from agentflow.domains.answers.typesetting import unmarked
from agentflow.domains.commonsense.short_answers import short, yes_no
from agentflow.domains.spelling import word_set

MAX_LINE = 1000
"""Characters of a line that is read."""
_LAST_WORDS = 12
"""A last line with more words is no answer by itself, but a yes or no that it explains."""
_AGAINST = word_set("""
    alternative although besides but candidates cannot except excluding false impossible
    incorrect instead less neither never no nobody none nor not other others rather than unless
    unlike unlikely untrue without wrong
""")
"""Words of a line above by which the last one may not be the answer."""
_AHEAD = word_set("below following")
"""Words by which a sentence speaks of the line below it."""
_GOES_ON = word_set("""
    a an and are as at be been by did do does for from had has have in is named of on or the to was
    were with
""")
"""Words in which a line ends that the next one goes on with."""
_SMALL = word_set("a an and at by de for from in la of on the to van von with")
"""Words in a name that have no capital."""
HEADINGS = word_set("""
    again analysis answer background conclusion context details discussion explanation fact facts
    final finally first hmm introduction next notes now ok okay overview reasoning result so
    solution step steps summary sure then therefore thinking thought thoughts thus well
""")
_REASON = re.compile(r"(?i)because\b")
_NAME = re.compile(r"[^\W\d_](?:[\w &-]|[.,'’](?=\s|\w))+\.?")
_MAX_NAME = 6
"""Words of a line that is a name, and so an answer by itself."""


def last(text: str) -> Callable[[str], str]:
    """What tells the answer that the last line of a text is by itself, and none of another line."""
    before, _, last = answers.ending(text).rpartition("\n")
    last = unmarked(last)
    said = _alone(last)
    said = said if said and _lead_to(before, last, said) else ""
    return lambda line: said if line == last else ""


def _lead_to(before: str, last: str, said: str) -> bool:
    """Whether what stands above a last line may lead up to it: it says nothing against it, does not
    go on with it, and is no other answer."""
    if before.strip() and _REASON.match(last):
        return False
    if to_another(f"{before}\n") or speaks_against(f"{before}\n", said):
        return False
    lines = [line.strip() for line in before.split("\n") if re.search(r"[^\W_]", line)]
    if any(_is_another(line, last) for line in (*lines[:1], *lines[-1:])):
        return False
    line = lines[-1].rstrip('*_)"”$ ').lower() if lines else ""
    line = re.split(r"[.!?]\s", line)[-1]
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)?", line)
    if _AGAINST.isdisjoint(words) and not any(word[-2:] == "'t" for word in words):
        return True
    if line.endswith((".", "!")):
        return _AHEAD.isdisjoint(words)
    goes_on = line.endswith((":", ",")) or words[-1] in _AGAINST | _GOES_ON
    return not goes_on


def _is_another(line: str, last: str) -> bool:
    """Whether a line is an answer by itself, a name as it seems, and the last line another one."""
    if _is_bold(line) != _is_bold(last) or not _NAME.fullmatch(line.strip("*_")):
        return False
    words = re.findall(r"[^\W_]+", line)
    named = all(word[0].isupper() or word[0].isdecimal() or word in _SMALL for word in words)
    if not named or len(words) > _MAX_NAME or not HEADINGS.isdisjoint(map(str.lower, words)):
        return False
    form = short(line.strip("*_"))
    return form is not None and form != short(last.strip("*_"))


def _is_bold(line: str) -> bool:
    return line.strip().startswith("**")


def _alone(line: str) -> str:
    """The answer that a last line is by itself; empty if it is none."""
    if len(line.split()) > _LAST_WORDS and not yes_no(line):
        return ""
    starred = re.fullmatch(r"[^*]*\w\*[\s.]*", line)  # a grade of A*
    edge = " \t\r\n_$" if starred else " \t\r\n*_$"
    plain = answers.unlabelled(line).strip(edge).removesuffix(".").strip()
    says = re.search(r"[^\W_]", plain) and not plain.endswith((":", "?"))
    return plain if says and len(plain) <= MAX_LINE else ""
