"""Answers that are stated in words: answer lines, sentences, headings, a last line.

A cue says that an answer comes (``the answer is``, ``it should be``, ``C is correct``). The
sentence around it must state it: no question, no supposition, no doubt, no denial, no quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from agentflow.domains.answer_marks import Found, clean, unstopped
from agentflow.domains.spelling import lowered

_KEPT = 256
"""Lines that are remembered with what they say: what loops says the same lines."""
_MAX_LINE = 2_000
"""Of an answer line or of the line below a heading; in characters."""
_MAX_SAID = 300
"""Characters of an answer in a sentence."""

_SAYING = ("answer", "ans", "correct", "right", "best", "final", "solution", "choice", "option",
           "likely", "proper", "appropriate", "valid", "only", "overall")  # fmt: skip
_POINTING = ("ld be", "must be", "has to be", "ght to be", "have to be", " with ", "choose", "pick",
             "select", "settle", "it's", "it is", "that's", "that is", "this is", "which", "match",
             "corresp", "leads", "points", "means", "gives", "so", "thus", "therefore", "hence",
             "accordingly", "consequently", "conclusion", "ergo")  # fmt: skip
_CONCLUDING = ("so", "thus", "therefore", "hence", "finally", "total", "overall", "conclusion",
               "ultimately", "consequently", "altogether", "summary", "conclude")  # fmt: skip
_HINTS = ("answer", "olution", "option", "choice", "correct", "####", "esult", "ld be", "must be",
          "has to be", "ght to be", "go with", "going with", "ans:", "ans.")  # fmt: skip
_LETTER_ENDS = re.compile(r" [*(\[]{0,3}[A-Z][)\]*]{0,3}(?:[.,!:;)]|\s*$)")
_ADVERB = (
    r"(?:indeed|simply|just|therefore|thus|clearly|definitely|certainly|still|now|also|again"
    r"|really|actually|then|hence|exactly|finally|obviously|surely|in fact|always)"
)
_BE = (
    rf"(?:,? {_ADVERB},?)?(?:\s*(?::=|[:=])|\s+(?:is|equals|remains|becomes"
    rf"|(?:would|should|must|will|has to|ought to)(?: {_ADVERB})? be"
    r"|turns out to be|comes out (?:to be|as|to)|works out to(?: be)?))(?![^\W\d_])"
)
_ABOUT = (
    r"(?:,? (?:to|for|of|in|that|we|i|with|from|here|then|now|choice|option|letter|format|"
    r"based|which|\()\b(?:[\"“][^\"“”\n]{0,120}[\"”]|[^.;?!=:\n]){0,80}?)?"
)
_GOOD = (
    r"(?:correct|right|best|final|appropriate|proper|most likely|only correct|valid|only|overall)"
)
_THING = (
    r"(?:options?|choices?|one|solution|expression|equation|letter|value|response|result"
    r"|conclusion|relationship|alternative|selection|number|statement)"
)
_SAYS = re.compile(
    r"(?<![^\W_])(?:ans(?:wer(?!s))?(?![^\W_])[\s*_\"”)]{0,5}"
    rf"|{_GOOD} {_THING}[*_]{{0,3}}|solution[*_]{{0,3}})"
    rf"{_ABOUT}{_BE}[\s*_:]*|(?<![^\W_])answer['’]s\s+"
    r"|\b(?:gives?(?: us)?|get|got|giving(?: us)?|have|for|yields?) (?:an?|the) (?:final )?"
    r"answer of\s"
)
_LETTER = r"[(\[]?[A-Z][)\]]?"
_NUMBER = r"\$?-?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?\s?[%°]?\$?"
_NAMED = (
    rf"(?:(?i:the )?(?i:options?|choices?|answers?|letter) (?:{_LETTER}|[(\[]?\d{{1,2}}[)\]]?))"
)
_OPTION = rf"(?:{_NAMED}|{_LETTER})"
_WITH_TEXT = r"(?:(?:[.):,]|\s[-–=(])\s*[^\n]{1,80})?"
_AND_SO = r"(?:so|thus|therefore|hence|consequently|accordingly|in conclusion|and so|ergo)"
_POINTS = re.compile(
    rf"(?:(?i:\b(?:it|this|that|which|mine) (?:should|must|has to|ought to|would have to)"
    rf"(?: {_ADVERB})? be ){_ADVERB.replace('(?:', '(?i:', 1)}?\s?(?P<a>(?:{_OPTION}|{_NUMBER}))"
    r"|(?i:\b(?:i|we|let's|let me)(?:'ll| will| would|'d| can| am|'m|'re| are| should)?"
    rf"(?: {_ADVERB})? (?:go(?:ing)? with|choose|pick|select|answer|settle on|stick with|choosing)"
    rf" (?:answer )?)(?P<b>{_OPTION})"
    rf"|(?i:\b(?:it|this|that|which|and that)(?:'s| is| must be| matches| means| gives"
    rf"| corresponds to| points to| leads to)(?: {_ADVERB})? (?:answer )?)(?P<c>{_OPTION})"
    r"|(?i:\b(?:corresponds to|matches|matching|corresponding to|pointing to|leads to|points to)"
    rf" )(?P<d>{_NAMED})"
    rf"|^(?i:{_AND_SO})[,:]? (?i:it's |it is |that's |we have |the answer )?(?P<e>{_OPTION})"
    rf"|^(?i:therefore|thus|hence)[,:]? (?P<f>{_NUMBER}))(?P<rest>{_WITH_TEXT})$"
)
_IS = re.compile(
    rf"(?P<x>(?:{_OPTION}|{_NUMBER}|\$[^$\n]{{1,80}}\$|\\\([^\n]{{1,80}}?\\\)"
    r"|[-+*/(\d][-+*/().\d ]{2,60}))"
    r"(?P<text>: [^.:\n]{1,60}|,[^.,:\n]{1,60},|\s\([^()\n]{1,60}\))?"
    rf"(?i:,? (?:is|are|would be|should be|must be|seems|has to be)(?: to be)?(?:,? {_ADVERB},?)?"
    rf" (?:(?P<noun>(?:the|our|my) (?:{_GOOD}[ ,]{{1,2}}){{0,2}}"
    r"(?:answer|option|choice|solution|one))"
    r"|correct|right)\b)"
)
_BOLD = re.compile(
    rf"(?i)^[\W_]*(?:{_AND_SO}|finally|in total|altogether|overall|ultimately|in summary"
    r"|to conclude)\b[, :][^\n?]{0,250}?\*\*(?P<x>[^*\n]{1,80}?)\*\*(?P<tail>[^*\n]{0,60})$"
)
_AS = re.compile(
    r"(?i)\b(?:get|gives?(?: us)?|have|obtain|take|find|with|leaving|choose) "
    r"(?P<x>[^,.;:\n]{1,60}?)"
    rf" as (?:the|our|my) (?:{_GOOD} )?(?:answer|solution)\b"
)
_LETTER_LINE = re.compile(
    rf"(?i:\W*(?:final |correct )?(?:answer|option|choice)) (?P<x>{_LETTER})[.\s*]*"
)
_QUOTATION = re.compile(r"[\"“]([^\"“”\n]{1,200}?)[.,!]?[\"”](?! (?:or|and|but|,)\b)")
_FOR = re.compile(
    r"(?i)\b(?:for|per|each|every|of|any|no)\s+(?:(?:a|an|the|each|every|correct|wrong|incorrect"
    r"|right)\s+)*$"
)
_CONDITION = re.compile(r"(?i)\s(?:only )?(?:if|unless|provided)\s")
_SUPPOSES = re.compile(
    r"(?i)\W*(?:(?:now|so|let's|let us|but)[ ,]+)*(?:suppos|imagin|pretend|assum|what if)"
)
_HASHES = re.compile(r"\s*####\s+(?P<x>[^#\n]+?)\s*$")
_LINE_START = re.compile(r"(?i)[\W_]*(?:the |my |our |so,? |therefore,? )?(?:final |correct )?")
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s*[*_]{0,3}|[*_]{2,3}|)[\s\d.]*(?i:(?:the|my|our) )?"
    r"(?i:(?P<final>final|correct) )?"
    r"(?i:(?P<answer>answer)|solution|result|option|choice|conclusion)[\s*_]*(?P<colon>:?)[\s*_]*$"
)
_FRAME = re.compile(r"\s*(?:\\\[|\\\]|\$\$|\\begin\{\w+\*?\}|\\\(|-{3,}|\*{3,})\s*$")

_SPACE = re.compile(r"\s*")
_STOP = re.compile(r"[.!?]+[\"'”’)*_\]}$]*(?=\s|$)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:St|Dr|Mr|Mrs|Ms|Jr|Sr|vs|etc|Mt|e\.g|i\.e|approx|Inc|Ltd|Co|Prof|No|Fig|Eq|U\.S"
    r"|a\.m|p\.m)|^\W*\d{1,3})$"
)
_INITIAL = re.compile(r"(?<![^\W_])[(\[*]*[A-Z][)\]*]*$")
_OPENERS_WORDS = """
wait but let so however hmm now because since this that therefore thus it i we he she they yes no
actually alternatively double ok okay hold then here there if for also and as in to my our what why
how is are was first next finally all answer final please note hope not or just you your sorry
perhaps maybe another given looking hence which when thanks done good great explanation reason
"""
_OPENERS = frozenset(_OPENERS_WORDS.split())
_RETRACTS = re.compile(r"(?i)\W*(?:no|wait|actually|or|but|hmm+|scratch|sorry|correction|rather)\b")

_DOUBT = re.compile(
    r"\b(?:if|whether|unless|suppos\w+|assum(?:e|ing)|imagine|pretend|hypothe\w*|maybe|perhaps"
    r"|possibly|probably|might|could|may|unsure|wonder\w*|doubt\w*|guess\w*|expected|someone"
    r"|otherwise|once|until|whatever|would have|not (?:sure|certain|clear)|format|example|e\.g"
    r"|sample|template|sanity)\b"
)
_DENIAL = re.compile(
    r"\b(?:not|never|neither|nor|cannot|hardly|wrong|incorrect|says|said|claims?|claimed|thought|than|like"
    r"|(?:let me|let's|need to|should|want to|have to|going to|try to|must|to) (?:\w+ )?"
    r"(?:verify|check|confirm|see|find|make sure|determine|know|ensure|show|prove))\b|n['’]t\b"
)
_RESET = re.compile(r"(?:[,;:]|\band) (?:so|therefore|thus|hence|which means|meaning)\b")
_WOULD = re.compile(r"\b(?:would|might|could)\b")
_NO_VALUE = re.compile(
    r"(?i)(?:not|never|no longer|either|neither|probably|maybe|perhaps|possibly|likely|unlikely"
    r"|unclear|whether|if|what|how|why|where|when|going to|supposed|expected"
    r"|based|obtained|found|presented|given|stated|written|shown|expressed|determined|derived"
    r"|known|asked|required|something|in the (?:form|format|box)|in terms of"
    r"|given by|still|as follows|because|due|also|consistent|wrong|incorrect|could|might|may"
    r"|(?:very|quite|rather|too)\b.*|(?:among|between|one of|any of|somewhere)\b.*"
    r"|the same\b.*|(?:correct|obvious|clear|simple"
    r"|different|unique|valid|below|above|here|right there|yet)[\s.]*$)(?!\w)"
)
_FILLER = re.compile(
    rf"(?i)(?:{_ADVERB},?|as follows:|given as:?|option that is|therefore,?|thus,?|that)\s+(?=\S)"
)
_BACK = re.compile(
    r"\b(?:wrong|incorrect|not (?:right|correct|possible|valid|what)|impossible"
    r"|can(?:not|['’]t) be|isn['’]t|doesn['’]t|mistake|only if|provided|unless|assuming|i guess"
    r"|i['’]m not)\b| if "
)
_REASON = (
    r",?\s+(?:because|since|as (?:it|the|we|this|that|there|shown|required|given|per|stated"
    r"|expected|desired))\b|[,;]\s+(?:due to|based on|given that)\b|\s+\((?:since|because|as)\b"
)
_LINE_TAIL = re.compile(rf"(?i)(?:{_REASON}).*$")
"""What may follow in an answer line and is no part of the answer."""
_CHECKS = (
    r"(?:let me|let['’]?s|let us|i(?:['’]\w+)?|we|wait|to be (?:sure|safe|certain)|just|double"
    r"|first|before)\b"
)
_TAIL = re.compile(
    rf"(?i)(?:{_REASON}|,?\s+even (?:though|if)\b"
    rf"|[,;]?\s+(?:but|although|though|however|and|so)[\s,]+{_CHECKS}|[,;]\s+(?:{_CHECKS}"
    r"|which|so|where|when|after|using|with|by|for|i\.e|rather than|instead of|meaning|making"
    r"|giving|matching|corresponding|right|exactly|indeed|confirmed|therefore"
    r"|this (?:is|was)|not [^,;]{1,40}$)|,?\s+which\b|\s+[—–]+\s*(?=[A-Za-z])"
    r"|\s+-+\s+(?=[A-Za-z]{3})|\s+\((?:not|i\.e|which|from|by|see|the)\b).*$"
)
"""What may follow in a sentence."""


def hints(text: str) -> bool:
    """Whether it is worth while to look for an answer in a text; in most lines it is not."""
    low = lowered(text)
    for hint in _HINTS:
        if hint in low:
            return True
    if _LETTER_ENDS.search(text):
        return True
    return "**" in low and any(hint in low for hint in _CONCLUDING)


def read(text: str, offset: int) -> list[Found]:
    """The answers that the sentences of a line that :func:`hints` state, in order."""
    return [(said, how, offset + begin, offset + end) for said, how, begin, end in _read(text)]


@lru_cache(maxsize=_KEPT)
def _read(text: str) -> tuple[Found, ...]:
    if "####" in text and (hashes := _HASHES.match(text)):
        said = value(hashes["x"], short=True)
        if said and re.match(r"[-$\\]{0,2}\d[^.]|.*\\|\d$", said) and "**" not in text:
            return ((said, "line", 0, len(text.rstrip())),)
    found, supposed = list[Found](), False
    for begin, end in _sentences(text):
        sentence = text[begin:end]
        supposed = supposed or _SUPPOSES.match(sentence) is not None
        if not supposed and hints(sentence) and (one := _stated(sentence, text, end)):
            found.append((*one, begin, end))
    return tuple(found)


@lru_cache(maxsize=_KEPT)
def announces(text: str) -> Literal["", "any", "short"]:
    """Whether a line says that the answer stands below: a heading, or ``the answer is:``.

    ``short`` where a derivation may stand there as well: below ``Solution``.
    """
    if len(text) > _MAX_SAID:
        return ""
    if len(text) <= 80 and (heading := _HEADING.match(text)):
        marked = "#" in text or "**" in text or "__" in text or bool(heading["colon"])
        if heading["final"] or (marked and heading["answer"]):
            return "any"
        if marked:
            return "short"
    cues = list(_SAYS.finditer(lowered(text)))
    if not cues or text[cues[-1].end() :].strip(" \t\r\n*_:$"):
        return ""
    begin = max(text.rfind(stop, 0, cues[-1].start()) for stop in (". ", "? ", "! ")) + 1
    return "" if _is_doubted(text[begin : cues[-1].start()], cues[-1][0]) else "any"


def frame(text: str) -> bool:
    """Whether a line only opens what an answer stands in: ``\\[``, ``$$``, ``---``."""
    return _FRAME.match(text) is not None


def value(text: str, *, short: bool = False) -> str:
    """The answer that a whole line is; empty where it is too long for one, or leads to another.

    Args:
        short: Whether it must be an expression or two words at most.
    """
    said = trimmed(re.sub(r"^\s*(?:[-*•>]\s+)+", "", text))
    if len(said) > _MAX_LINE or said.endswith((":", "?")) or len(said.split()) > 40:
        return ""
    if short and len(re.findall(r"(?<![\\\w])[^\W\d_]{2,}", said)) > 2:
        return ""
    return said


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a line begin and end."""
    begin, stops = 0, [stop.end() for stop in _STOP.finditer(text)]
    for i, end in enumerate(stops):
        before = text[max(begin, end - 60) : end]
        if text[end : end + 9].lstrip()[:1].islower():
            continue
        if before.endswith(".") or before.endswith((".**", ".*")):
            head = before.rstrip("*").rstrip(".")[-40:]
            if _ABBREVIATED.search(head):
                continue
            behind = text[end : stops[i + 1]] if i + 1 < len(stops) else text[end:]
            if _INITIAL.search(head) and _goes_on(behind):
                continue
        yield begin, end
        begin = _SPACE.match(text, end).end()  # type: ignore[union-attr]
    if text[begin:].strip():
        yield begin, len(text.rstrip())


def _goes_on(behind: str) -> bool:
    """Whether what follows ``D.`` is the option's text and no new sentence."""
    words = behind.split()
    if not words:
        return False
    first = words[0].strip(".,;:!?*'’\"").lower()
    if first in ("the", "a", "an"):
        return len(words) <= 4
    return first.split("'")[0].split("’")[0] not in _OPENERS and len(words) <= 12


def _stated(sentence: str, text: str, end: int) -> tuple[str, str] | None:
    """(the answer that a sentence states, ``line``, ``sentence`` or ``conclusion``)."""
    low = lowered(sentence)
    asks = sentence.rstrip("\"'”’)*_ ").endswith("?")
    says = any(hint in low for hint in _SAYING)
    if says and (cues := list(_SAYS.finditer(low))):
        cue = cues[-1]
        if len(cues) > 1 and _is_line(sentence, cues[0]):  # Answer: yes, but the answer is no
            between = sentence[cues[0].end() : cue.start()]
            cue = cue if _LINE_START.fullmatch(between) or not between else cues[0]
        lead, rest = sentence[: cue.start()], sentence[cue.end() :]
        if len(cues) > 1 and not sentence[cues[-2].end() : cue.start()].strip(" \"“'*"):
            lead = sentence[: cues[-2].start()]  # answer: "Answer: 5"
        is_line = _is_line(sentence, cue)
        if (asks and not is_line) or _quoted(lead) or _is_doubted(lead, cue[0]):
            return None
        if cue[0].rstrip(" *_").endswith((":", "=")) and _FOR.search(lead):
            return None
        if said := _line_value(rest) if is_line else _value(rest):
            if is_line and _RETRACTS.match(text, end):
                said = trimmed(rest + text[end:])
            return said, "line" if is_line else "sentence"
        if rest.strip(" *_.:$"):
            return None
    if asks:
        return None
    if " as " in low and (one := _AS.search(sentence)):
        lead = sentence[: one.start()]
        if not (_quoted(lead) or _is_doubted(lead, one[0])) and (said := _value(one["x"])):
            return said, "sentence"
    if says and (letter := _LETTER_LINE.fullmatch(sentence)):
        return letter["x"], "line"
    plain = sentence.replace("**", "").replace("__", "").strip(" \t\r\n>*-•✅✓")
    plain = plain.rstrip(".! ")
    for one in _IS.finditer(plain) if says else ():
        x, lead = one["x"], plain[: one.start()]
        sole = re.fullmatch(_OPTION, x) is not None
        begins = not lead or lead[-1] in " ,:;(\"'"
        if not begins or not (one["noun"] or sole) or _quoted(lead) or _is_doubted(lead, one[0]):
            continue
        said = trimmed(x + (one["text"] or "").rstrip(","))
        if said and not _BACK.search(lowered(plain), one.end()):
            return said, "conclusion"
    shown = _TAIL.sub("", plain)
    points = any(hint in low for hint in _POINTING)
    if points and (point := _POINTS.search(shown)):
        lead = shown[: point.start()]
        x = next(point[name] for name in "abcdef" if point[name])
        sure = not _quoted(lead) and not _is_doubted(lead, point[0]) and not _BACK.search(lowered(plain))
        if sure and (said := trimmed(x + point["rest"])):
            return said, "conclusion"
    if "**" in sentence and (bold := _BOLD.match(sentence)):
        x, tail = bold["x"].strip(" :"), bold["tail"].strip(" .!*")
        short = not tail or (len(tail.split()) <= 4 and bool(re.fullmatch(r"[A-Z]|.*\d.*", x)))
        lead = sentence[: bold.start("x")]
        if short and not _is_doubted(lead, "") and not _BACK.search(lowered(tail)) and not x.endswith(":"):
            return (trimmed(x), "conclusion") if trimmed(x) else None
    return None


def _is_line(sentence: str, cue: re.Match[str]) -> bool:
    """Whether a cue begins an answer line."""
    told = cue[0].rstrip(" *_").endswith((":", "="))
    return told and _LINE_START.fullmatch(sentence, 0, cue.start()) is not None


def _line_value(rest: str) -> str:
    """The answer in an answer line, all that it says but its reasons; a doubt stays."""
    tail = _LINE_TAIL.search(rest)
    if tail and _BACK.search(lowered(rest), tail.start()):
        tail = None
    return trimmed(rest[: tail.start()] if tail else rest)


def _value(rest: str) -> str:
    """The answer behind a cue, without what only speaks of it; empty if there is none."""
    rest = rest.strip(" \t\r\n*_")
    while filler := _FILLER.match(rest):
        rest = rest[filler.end() :].lstrip("*_ ")
    if quotation := _QUOTATION.match(rest):
        return trimmed(quotation[1])
    tail = _TAIL.search(rest)
    if _NO_VALUE.match(rest) or (tail and _BACK.search(lowered(rest), tail.start())):
        return ""
    said = trimmed(rest[: tail.start()] if tail else rest)
    fits = len(said) <= _MAX_SAID and not said.endswith(":")
    return said if fits and not _CONDITION.search(said) else ""


def trimmed(text: str) -> str:
    """An answer without the signs around it that are no part of it; empty for a place for one."""
    text = unstopped(text.strip(" \t\r\n*_")).rstrip(",;*_ ")
    if text.count("**") == 1:
        text = text.replace("**", "")
    if text.count("'") == 1:
        text = text.strip("'")
    if text.count("$") == 1:
        text = text.strip("$ ")
    return unstopped(clean(text).strip(' \t*,;"“”')).strip(' \t*,;"“”') if text else ""


def _quoted(lead: str) -> bool:
    """Whether what follows stands in a quotation that was opened."""
    return lead.count('"') % 2 == 1 or lead.count("“") > lead.count("”") or lead.count("`") % 2 == 1


def _is_doubted(lead: str, cue: str) -> bool:
    """Whether the words before a cue, or within it, do not let its sentence state an answer."""
    lead, cue = lowered(lead), lowered(cue)
    reset = None if _WOULD.search(cue) else list(_RESET.finditer(lead))
    if reset:
        lead = lead[reset[-1].start() :]
    if _DOUBT.search(lead) or _BACK.search(cue):
        return True
    clause = max(lead.rfind(mark) for mark in ",;:—") + 1
    return _DENIAL.search(lead, clause) is not None
