"""Answers that are stated in words: answer lines, sentences, headings, a last line.

A cue says that an answer comes (``the answer is``, ``it should be``, ``C is correct``). The
sentence around it must state it: no question, no supposition, no doubt, no denial, no quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from agentflow.domains.answers import languages
from agentflow.domains.answers.doubt import BACK, TAKEN_BACK, is_doubted, quoted
from agentflow.domains.answers.fronts import KIND_OF_IT, may_lead
from agentflow.domains.answers.leads import leads, of_all
from agentflow.domains.answers.marks import Found
from agentflow.domains.answers.values import (
    ADVERB,
    MAX_SAID,
    TAIL,
    differ,
    line_value,
    said_behind,
    trimmed,
    value,
)
from agentflow.domains.spelling import NUMBERS, lowered, word_set

_KEPT = 256
"""Lines that are remembered with what they say: what loops says the same lines."""
_SAYING = ("answer", "ans", "correct", "right", "best", "final", "solution", "choice", "option",
           "likely", "proper", "suitable", "plausible", "reasonable", "logical",
           "accurate", "fitting", "appropriate", "valid", "only", "overall")  # fmt: skip
_POINTING = ("answer", "ld be", "must be", "has to be", "ght to be", "have to be", " with ",
             "choose", "pick", "select", "settle", "it's", "it is", "that's", "that is", "this is",
             "which", "match", "corresp", "leads", "points", "means", "gives", "so", "thus",
             "therefore", "hence", "accordingly", "consequently", "conclusion", "ergo")  # fmt: skip
_CONCLUDING = ("so", "thus", "therefore", "hence", "finally", "total", "overall", "conclusion",
               "ultimately", "consequently", "altogether", "summary", "conclude")  # fmt: skip
_HINTS = ("answer", "olution", "option", "choice", "correct", "####", "esult", "ld be", "must be",
          "has to be", "ght to be", "go with", "going with", "ans:", "ans.",
          "onclusion", "xpression", "<final")  # fmt: skip
_ENDS = (":", "=", "is", "equals", "remains", "becomes", "be", "as", "to", "of", "'s", "’s",
         "-", "–", "—")  # fmt: skip
"""What a cue ends with."""
_LETTER_ENDS = re.compile(r" [*(\[]{0,3}[A-Z][)\]*]{0,3}(?:[.,!:;)]|\s*$)")
_BE = (
    rf"(?:,? {ADVERB},?)?(?:\s*(?::=|[:=→⇒])|\s+(?:is|equals|remains|becomes"
    rf"|(?:would|should|must|will|has to|ought to)(?: {ADVERB})? be"
    r"|turns out to be|comes out (?:to be|as|to)|works out to(?: be)?)(?![^\W\d_]))"
)
_ABOUT = (
    r"(?:,? (?:to (?:the|this|your|our) (?:(?:given|above|following|math|word|logic) ){0,2}"
    r"(?:riddle|question|problem|puzzle|analogy|task|challenge|exercise|equation|query)"
    r"(?:,? [\"“][^\"“”\n]{0,120}[\"”])?|to [\"“][^\"“”\n]{0,120}[\"”]"
    rf"|{KIND_OF_IT}"
    r"|here|then|now|indeed|(?:choice|option|letter)(?: \(?[a-z]\)?)?"
    r"|we (?:want|need|seek|get|are looking for|were looking for)"
    r"|in (?:the )?(?:required |specified |requested |simplest |lowest |correct )?"
    r"(?:format|form|terms)|that (?:best )?(?:fits|matches|satisfies|works)[^.;?!=:\n]{0,60}))?"
)
"""What a sentence may say of the answer before it says it; what it may be the answer to."""
_GOOD = (
    r"(?:correct|right|best|final|proper|only correct|valid|only|overall"
    r"|(?:most )?(?:appropriate|suitable|fitting)"
    r"|most (?:likely|plausible|reasonable|logical|accurate))"
)
_THING = (
    r"(?:options?|choices?|one|solution|expression|equation|letter|value|response|result"
    r"|conclusion|relationship|alternative|selection|number|statement)"
)
_SAYS = re.compile(
    r"(?<![^\W_])(?:ans(?:wer(?!s))?(?![^\W_])[\s*_\"”)]{0,5}"
    rf"|{_GOOD} {_THING}[*_]{{0,3}}|solution(?: set)?[*_]{{0,3}}|my choice[*_]{{0,3}})"
    rf"{_ABOUT}{_BE}[\s*_:]*|(?<![^\W_])answer['’]s\s+"
    r"|\b(?:gives?(?: us)?|get|got|giving(?: us)?|have|for|yields?) (?:an?|the) (?:final )?"
    r"answer of\s|^\W*(?:final )?answer[*_]{0,3}\s+[-–—]+\s+"
    r"(?=(?:[^-–—]|(?<=\w)-(?=[^\W\d_])){1,80}$)"
)
_RIGHT_THING = re.compile(
    rf"(?:(?:\A|, )\W*(?:(?:so|thus|therefore|hence),? )?)the {_GOOD} (?:[a-z-]+ ){{1,3}}"
    r"(?:is|are|would be)"
    r"[\s*_]*:[\s*_]*\Z"
)
"""What an option stands below: ``Given this, the correct structure is:``"""
_AND_SO = r"(?:so|thus|therefore|hence|consequently|accordingly|in conclusion|and so|ergo)"
_OPENING = re.compile(rf"(?i){_AND_SO}, ")
_LETTER = r"[(\[]?[A-Z][)\]]?"
_NUMBER = r"\$?-?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?\s?[%°]?\$?"
_NAMED = (
    rf"(?:(?i:the )?(?i:options?|choices?|answers?|letter) (?:{_LETTER}|[(\[]?\d{{1,2}}[)\]]?))"
)
_OPTION = rf"(?:{_NAMED}|{_LETTER})"
_WITH_TEXT = r"(?:(?:[.):,]|\s[-–=(])\s*[^\n]{1,80})?"
_POINTS = re.compile(
    rf"(?:(?i:\b(?:it|this|that|which|mine) (?:should|must|has to|ought to|would have to)"
    rf"(?: {ADVERB})? be ){ADVERB.replace('(?:', '(?i:', 1)}?\s?(?P<a>(?:{_OPTION}|{_NUMBER}))"
    r"|(?i:\b(?:i|we|let's|let me)(?:'ll| will| would|'d| can| am|'m|'re| are| should)?"
    rf"(?: {ADVERB})? (?:go(?:ing)? with|choose|pick|select|answer|settle on|stick with|choosing)"
    rf" (?:answer )?)(?P<b>{_OPTION})"
    rf"|(?i:\b(?:it|this|that|which|and that)(?:'s| is| must be| matches| means| gives"
    rf"| corresponds to| points to| leads to)(?: {ADVERB})? (?:answer )?)(?P<c>{_OPTION})"
    r"|(?i:\b(?:corresponds to|matches|matching|corresponding to|pointing to|leads to|points to)"
    rf" )(?P<d>{_NAMED})"
    rf"|^(?i:{_AND_SO})[,:]? (?i:it's |it is |that's |we have |(?:the )?answer )?(?P<e>{_OPTION})"
    rf"|^(?i:therefore|thus|hence|(?:{_AND_SO}[,:]? )?answer)[,:]? (?P<f>{_NUMBER}))"
    rf"(?P<rest>{_WITH_TEXT})$"
)
_IS = re.compile(
    rf"(?P<x>(?:{_OPTION}|{_NUMBER}(?: [a-z]{{2,20}}){{0,3}}?|\$[^$\n]{{1,80}}\$"
    r"|-?\\[dt]?frac\{\w{1,9}\}\{\w{1,9}\}|\\\([^\n]{1,80}?\\\)|[-+*/(\d][-+*/×÷·−().\d ]{2,60}))"
    r"(?P<text>: [^.:\n]{1,60}|[.)] [^.:\n]{1,60}?|,[^.,:\n]{1,60},|\s\([^()\n]{1,60}\))?"
    rf"(?i:,? (?:is|are|would be|should be|must be|seems|has to be)(?: to be)?(?:,? {ADVERB},?)?"
    rf" (?:(?P<noun>(?:the|our|my) (?:{_GOOD}[ ,]{{1,2}}){{0,2}}"
    r"(?:answer|option|choice|solution|one))"
    r"|correct|right)\b)"
)
_TRUTH = word_set("true false yes no uncertain unknown correct incorrect valid invalid")
"""What need not be said of what is asked: ``So premise 1 is **True**``."""
_WORD_IS = re.compile(
    rf"(?:(?i:{_AND_SO}),? )?(?P<x>[A-Z][\w'’.-]*(?: (?:of|the|de|[A-Z][\w'’.-]*)){{0,5}}"
    rf"|(?:{'|'.join((*_TRUTH, *NUMBERS))}"
    rf"|(?:north|south)[ -]?(?:east|west))(?: [a-z]{{2,20}}){{0,2}})"
    rf" is (?:the|our|my) (?:{_GOOD}[ ,]{{1,2}}){{0,2}}answer"
)
"""``William Shakespeare is the answer``, ``two turns is the answer``."""
_NO_NAMES = word_set("""
    none nothing nobody neither either both everything something anything mine yours ours hardly
    another
""")
_CLAUSE = re.compile(r"[,;:]")
_PART = re.compile(r"[-+*/×÷·−^(\d]\s*\Z")
"""What stands before the rest of an expression."""
_BULLET = re.compile(r"\A(?:[\s>*•✅✓]|-(?![\d.(\\$]))+")
"""What lists have in front; a minus before a number is none."""
_NUMBERED = re.compile(
    r"\A\d{1,2}[.)] (?=(?:looking|given|based|comparing|among|of|from|since|so|therefore|thus"
    r"|hence)\b)",
    re.IGNORECASE,
)
"""The number of a step, in front of a sentence that begins like this."""
_OF_ANOTHER = re.compile(
    r"\W*to (?!(?:the|this|our) (?:given |original )?(?:maze|problem|puzzle|question)\b)"
    r"|\W*(?:that |which )?(?:an?|the|they|people|some|most|many|someone|somebody|everyone"
    r"|everybody|anyone|he|she|you) (?:[a-z]+ ){0,4}?(?:would|will|might|may|could"
    r"|gives?|gave|chooses?|chose"
    r"|picks?|picked|wants?|wanted|expects?|expected|say|said|says)\b"
)
"""How a sentence goes on that answers another question, or tells who answers so: ``C is the answer
to question 1``, ``C is the answer that a child would give``."""
_BOLD = re.compile(
    rf"(?i)^[\W_]*(?:{_AND_SO}|finally|in total|altogether|overall|ultimately|in summary"
    r"|to conclude)\b[, :][^\n?]{0,250}?\*\*(?P<x>[^*\n]{1,80}?)\*\*(?P<tail>[^*\n]{0,60})$"
)
_CONCLUSION = re.compile(
    r"(?i)\b(?:the|this) conclusion(?: is| must be| remains)"
    r"(?: (?:therefore|thus|hence|definitely|logically))?"
    r" (?P<x>true|false|uncertain|unknown|undetermined)"
    r"(?:,? (?:based on|given|according to|from|by) (?:the|these|our) [^.,;]{1,60})?[.!]?$"
)
_CALCULATION = r"(?: (?:\\(?:times|cdot|div)|[-+*/().\d ×÷·$\\]){3,60})?"
_VALUE = re.compile(
    r"(?i)\W*(?:(?:so|thus|therefore|hence|finally),? )?(?:the (?:final |exact )?value of )?"
    r"(?:the|this) (?:given |whole |entire |original )?(?:arithmetic )?expression"
    rf"{_CALCULATION},? (?:is|equals|=|evaluates to|simplifies to)(?: {ADVERB})?(?: equal to)?"
    rf" (?P<x>{_NUMBER})"
)
"""``The value of the expression is 55.``"""
_AS = re.compile(
    r"(?i)\b(?:get|gives?(?: us)?|have|obtain|take|find|with|leaving|choose) "
    r"(?P<x>[^,.;:\n]{1,60}?)"
    rf" as (?:the|our|my) (?:{_GOOD} )?(?:answer|solution)\b"
)
_POINTED_AT = re.compile(
    rf"(?:^|(?<=[.!?] ))(?:(?i:so,?|it's) )?(?P<before>{_OPTION}|{_NUMBER})[.,!] (?i:(?:so|and) )?"
    r"(?i:that|this)(?i:'s| is| must be| has to be) (?i:the|my|our)(?i: final| correct)? answer\b"
    r"|\b(?i:that|this|it|which)(?i:'s| is| must be| has to be) (?i:the|my|our)"
    rf"(?i: final| correct)? answer[.:,!] (?:(?i:so,?|it's) )?(?P<behind>{_OPTION}|{_NUMBER})"
    r"[.!]?\s*$"
)
"""``360. That must be the answer.``"""
_LETTER_LINE = re.compile(
    rf"(?i:\W*(?:final |correct )?(?:answer|option|choice)) (?P<x>{_LETTER})[.\s*]*"
)
_FOR = re.compile(
    r"(?i)\b(?:for|per|each|every|of|any|no)\s+(?:(?:a|an|the|each|every|correct|wrong|incorrect"
    r"|right)\s+)*$"
)
_SUPPOSES = re.compile(
    r"(?i)\W*(?:(?:now|so|let's|let us|but)[ ,]+)*(?:suppos|imagin|pretend|assum|what if)"
)
_HASHES = re.compile(r"(?:\A\s*|[.!?)\]]\s+)####\s+(?P<x>[^#\n]+?)\s*\Z")
_SHORT_TAG = re.compile(
    r"(?i)\s*<(?P<tag>final|solution|result)>\s*(?P<x>[^<>\n]{1,80}?)\s*</(?P=tag)>\s*"
)
"""Tags that hold the answer where they hold a few words."""
_QUESTION = re.compile(r"(?i)[\s*_]*(?:what|which|who|where|when|how)(?: \S+){3,}\?[\s*_]*")
_LINE_START = re.compile(
    r"(?i)[\W_]*(?:the |my |our |so,? |therefore,? )?(?:(?:final|correct(?:ed)?|revised) ){0,2}"
)
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s*[*_]{0,3}|[*_]{2,3}|>{2,3}\s|)[\s\d.]*(?i:(?:the|my|our) )?"
    r"(?i:(?P<final>final|correct) )?"
    r"(?i:(?P<answer>answer)|solution|result|option|choice|conclusion)[\s*_]*(?P<colon>:?)[\s*_]*$"
)
_IN_STEPS = re.compile(
    r"\b(?:step[- ]by[- ]step|(?:worked|detailed|complete|full|thorough)(?:[ -]out)?) solution"
)
"""What heads the work and not the answer: ``Here is the step-by-step solution:``"""
_FRAME = re.compile(r"\s*(?:\\\[|\\\]|\$\$|\\begin\{\w+\*?\}|\\\(|-{3,}|\*{3,}|\"{3}|'{3})\s*$")

_MARK = re.compile(r"\\f?boxed\b|<(?i:(?:final[_ ]?)?answer)>")
_SPACE = re.compile(r"\s*")
_STOP = re.compile(r"(?:(?<!\\)[.!?]+(?:[\"'”’)*_\]}$]|\\\])*|\\\])(?=\s|$)")
"""Where a sentence may end: with a sign, or with a formula on a line of its own."""
_ABBREVIATED = re.compile(
    r"(?:\b(?:St|Dr|Mr|Mrs|Ms|Jr|Sr|vs|etc|Mt|e\.g|i\.e|approx|Inc|Ltd|Co|Prof|Fig|Eq|U\.S"
    r"|a\.m|p\.m)|^\W*\d{1,3})$"
)
_INITIAL = re.compile(r"(?<![^\W_])[(\[*]*[A-Za-j][)\]*]*$")
_OPENERS = word_set("""
    wait but let so however hmm now because since this that therefore thus it i we he she they yes
    no actually alternatively double ok okay hold then here there if for also and as in to my our
    what why how is are was first next finally all answer final please note hope not or just you
    your sorry perhaps maybe another given looking hence which when thanks done good great
    explanation reason option options choice choices answers nope or
""")
_JOINS = re.compile(r"[,;:(]| and | or | so | but | then ")
_CORRECTS = re.compile(r"(?i)\b(?:no|wait|actually|sorry|rather|correction|not)\b")
_RETRACTS = re.compile(r"(?i)\W*(?:no|wait|actually|or|but|hmm+|scratch|sorry|correction|rather)\b")


def hints(text: str) -> bool:
    """Whether it is worth while to look for an answer in a text; in most lines it is not."""
    low = lowered(text)
    if _has(low, _HINTS) or _LETTER_ENDS.search(text) or languages.hints(low):
        return True
    return "**" in low and _has(low, _CONCLUDING)


def _has(low: str, words: Sequence[str]) -> bool:
    """Whether one of the words stands in a text; a loop, for it is asked of every line."""
    for word in words:  # noqa: SIM110
        if word in low:
            return True
    return False


def read(text: str, offset: int) -> list[Found]:
    """The answers that the sentences of a line that :func:`hints` state, in order."""
    return [(answer, how, offset + begin, offset + end) for answer, how, begin, end in _read(text)]


@lru_cache(maxsize=_KEPT)
def _read(text: str) -> tuple[Found, ...]:
    if "####" in text and (hashes := _HASHES.search(text)):
        answer = value(hashes["x"], short=True)
        if answer and re.match(r"[-$\\]{0,2}\d[^.]|.*\\|\d$", answer) and "**" not in text:
            begin = text.index("####")
            before = text[:begin] if begin else ""
            said = _read(before) if hints(before) else ()
            return (*said, (answer, "line", begin, len(text.rstrip())))
    if "</" in text and (tagged := _SHORT_TAG.fullmatch(text)):
        return ((trimmed(tagged["x"]), "tag", 0, len(text.rstrip())),) if tagged["x"] else ()
    found, supposed, one = list[Found](), False, None
    for begin, end in _sentences(text):
        sentence = text[begin:end]
        supposed = supposed or _SUPPOSES.match(sentence) is not None
        if one and TAKEN_BACK.match(sentence):
            found.pop()
        says = not supposed and hints(sentence)
        if one := _stated(sentence, text, end) if says else None:
            found.append((*one, begin, end))
    low = lowered(text)
    if not found and "answer" in low and (pointed := _POINTED_AT.search(text)):
        lead = text[: pointed.start()]
        if not quoted(lead) and not is_doubted(lead, pointed[0]):
            answer = trimmed(pointed["before"] or pointed["behind"])
            found.append((answer, "conclusion", pointed.start(), pointed.end()))
    if not found and languages.hints(low):
        abroad = languages.read(text, low)
        if abroad and (answer := trimmed(abroad[0])) and len(answer) <= MAX_SAID:
            found.append((answer, "sentence", *abroad[1:]))
    return tuple(found)


@lru_cache(maxsize=_KEPT)
def announces(text: str) -> Literal["", "any", "short", "option"]:
    """Whether a line says that the answer stands below: a heading, or ``the answer is:``.

    ``short`` where a derivation may stand there as well: below ``Solution``; ``option`` where only
    an option is one: below ``The correct structure is:``.
    """
    if len(text) > MAX_SAID:
        return ""
    if len(text) <= 80 and (heading := _HEADING.match(text)):
        marked = "#" in text or "**" in text or "__" in text or bool(heading["colon"])
        if heading["final"] or (marked and heading["answer"]):
            return "any"
        if marked:
            return "short"
    low = lowered(text)
    if languages.hints(low) and languages.heads(low):
        return "short"
    if not low.rstrip().rstrip("*_$ \t\r\n").rstrip().endswith(_ENDS):
        return ""
    cues = list(_SAYS.finditer(low))
    if not cues and (thing := _RIGHT_THING.search(low)):
        lead = low[: thing.start()]
        return "" if quoted(lead) or is_doubted(lead, "") else "option"
    if not cues or text[cues[-1].end() :].strip(" \t\r\n*_:$"):
        return ""
    begin = max(text.rfind(stop, 0, cues[-1].start()) for stop in (". ", "? ", "! ")) + 1
    if "solution" in cues[-1][0] and _IN_STEPS.search(low, begin, cues[-1].end()):
        return ""
    lead = text[begin : cues[-1].start()]
    return "" if is_doubted(lead, cues[-1][0]) or _SEEKS.search(lowered(lead)) else "any"


_SEEKS = re.compile(
    r"\bhow (?:to|we|i)\b.{0,160}\b(?:determine|find|arrive at|get|identify|select|reach|choose)"
    r"(?: (?:the|our))?\W*\Z"
)
"""What tells how an answer is sought: ``Here's how to look at it and find the answer:``"""


def frame(text: str) -> bool:
    """Whether a line only opens what an answer stands in: ``\\[``, ``$$``, ``---``."""
    return _FRAME.match(text) is not None


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a line begin and end."""
    begin, stops = 0, [stop.end() for stop in _STOP.finditer(text)]
    for i, end in enumerate(stops):
        before = text[max(begin, end - 60) : end]
        if text[end : end + 9].lstrip()[:1].islower():
            continue
        if before.endswith(".") or before.endswith((".**", ".*")):
            head = before.rstrip("*").rstrip(".")[-40:]
            behind = text[end : stops[i + 1]] if i + 1 < len(stops) else text[end:]
            if _ABBREVIATED.search(head) or (head.endswith(" No") and behind[1:2].isdigit()):
                continue
            if _INITIAL.search(head) and (text.count("**", begin, end) % 2 or _goes_on(behind)):
                continue  # bold print that is open goes on with the option's text
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
    if len(words) == 1 and first in _TRUTH:  # the answer is B. No.
        return True
    if first in ("the", "a", "an"):
        return len(words) <= 4 and words[1:2] not in (["answer"], ["correct"], ["final"])
    return first.split("'")[0].split("’")[0] not in _OPENERS and len(words) <= 12


def _stated(sentence: str, text: str, end: int) -> tuple[str, str] | None:
    """(the answer that a sentence states, ``line``, ``sentence`` or ``conclusion``)."""
    low = lowered(sentence)
    asks = sentence.rstrip("\"'”’)*_ ").endswith("?")
    says = _has(low, _SAYING)
    if says and (cues := list(_SAYS.finditer(low))):
        cue = cues[-1]
        if len(cues) > 1 and _is_line(sentence, cues[0]):  # Answer: yes, but the answer is no
            between = sentence[cues[0].end() : cue.start()]
            cue = cue if _LINE_START.fullmatch(between) or not between else cues[0]
        lead, rest = sentence[: cue.start()], sentence[cue.end() :]
        if _MARK.search(rest):  # which was not taken for a mark
            return None
        if len(cues) > 1 and not sentence[cues[-2].end() : cue.start()].strip(" \"“'*"):
            lead = sentence[: cues[-2].start()]  # answer: "Answer: 5"
        is_line = _is_line(sentence, cue)
        if is_line and _QUESTION.fullmatch(rest):  # Final answer: How many are left?
            return None
        if (asks and not is_line) or quoted(lead) or is_doubted(lead, cue[0]):
            return None
        if not (is_line or leads(lead)):
            return None
        if cue[0].rstrip(" *_").endswith((":", "=")) and _FOR.search(lead):
            return None
        if answer := line_value(rest) if is_line else said_behind(rest):
            if len(cues) > 1 and _rivals(sentence[cues[-2].end() : cue.start()], answer):
                return None
            if is_line and _RETRACTS.match(text, end):
                answer = trimmed(rest + text[end:])
            return answer, "line" if is_line else "sentence"
        if rest.strip(" *_.:$"):
            return None
    if asks:
        return None
    bare = sentence.replace("*", "").strip()
    if "onclusion" in low and (one := _CONCLUSION.search(bare)):
        lead = bare[: one.start()]
        another = quoted(lead) or is_doubted(lead, "") or re.search(r"\bof\s*$", lead)
        return None if another else (one["x"], "conclusion")
    if "xpression" in low and (one := _VALUE.fullmatch(bare.rstrip(".!"))):
        return one["x"], "conclusion"
    if " as " in low and (one := _AS.search(sentence)):
        lead = sentence[: one.start()]
        if not (quoted(lead) or is_doubted(lead, one[0])) and (answer := said_behind(one["x"])):
            return answer, "sentence"
    if says and (letter := _LETTER_LINE.fullmatch(sentence)):
        return letter["x"], "line"
    plain = _BULLET.sub("", sentence.replace("**", "").replace("__", ""))
    plain = _NUMBERED.sub("", plain)
    plain = plain.rstrip(" \t\r\n>*-•✅✓").rstrip(".! ")
    for one in _IS.finditer(plain) if says else ():
        x, lead = one["x"], plain[: one.start()]
        sole = re.fullmatch(_OPTION, x) is not None
        begins = (
            leads(_CLAUSE.split(lead)[-1]) if one["noun"] else not lead or lead[-1] in " ,:;(\"'"
        )
        begins = begins and not _PART.search(lead)
        if not begins or not (one["noun"] or sole) or quoted(lead) or is_doubted(lead, one[0]):
            continue
        answer = trimmed(x + (one["text"] or "").rstrip(","))
        small = lowered(plain)
        if answer and not (BACK.search(small, one.end()) or _OF_ANOTHER.match(small, one.end())):
            return answer, "conclusion"
    if says and (named := _WORD_IS.fullmatch(plain)):
        words = {*named["x"].lower().split()}
        if words.isdisjoint(_NO_NAMES) and words.isdisjoint(_OPENERS - _TRUTH - {"the"}):
            return trimmed(named["x"]), "conclusion"
    opening = _OPENING.match(plain)
    begin = opening.end() if opening else 0
    shown = plain[:begin] + TAIL.sub("", plain[begin:])
    points = _has(low, _POINTING)
    if points and (point := _POINTS.search(shown)):
        lead = shown[: point.start()]
        name = next(name for name in "abcdef" if point[name])
        x = point[name]
        unsure = quoted(lead) or is_doubted(lead, point[0]) or BACK.search(lowered(plain))
        leads_to = may_lead(shown[: point.start(name)], begins=False)
        if leads_to and not unsure and (answer := trimmed(x + point["rest"])):
            return answer, "conclusion"
    if "**" in sentence and (bold := _BOLD.match(sentence)):
        x, tail = bold["x"].strip(" :"), bold["tail"].strip(" .!*")
        short = not tail or (len(tail.split()) <= 4 and bool(re.fullmatch(r"[A-Z]|.*\d.*", x)))
        lead = sentence[: bold.start("x")]
        doubted = is_doubted(lead, "") or BACK.search(lowered(tail)) or x.endswith(":")
        doubted = doubted or (x.lower() in _TRUTH and not of_all(lead))
        if short and not doubted:
            return (trimmed(x), "conclusion") if trimmed(x) else None
    return None


def _rivals(before: str, answer: str) -> bool:
    """Whether what stands between two cues is an answer, too, which nothing takes back, and not the
    same: ``the answer is 5 and the answer is 6``."""
    if _LINE_START.fullmatch(before):
        return False
    said = trimmed(_JOINS.split(before)[0])
    return not _CORRECTS.search(before) and bool(said) and differ(said, answer)


def _is_line(sentence: str, cue: re.Match[str]) -> bool:
    """Whether a cue begins an answer line."""
    announced = cue[0].rstrip(" *_").endswith((":", "=", "-", "–", "—", "→", "⇒"))
    return announced and _LINE_START.fullmatch(sentence, 0, cue.start()) is not None
