"""Marked answers: ``\\boxed{5}``, ``<answer>5</answer>``, ``[[5]]``, ``"answer": 5``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agentflow.domains.answers.doubt import REFUTED, is_denied, is_untrue, without_base
from agentflow.domains.answers.fronts import may_lead
from agentflow.domains.sentence_ends import led_by
from agentflow.domains.spelling import lowered, phrases, word_set

MAX_ANSWER = 300
"""Longer contents of a box are no answer."""
MAX_MARKED = 10_000
"""Longer contents of a tag, of brackets or of a JSON string are no answer."""

Found = tuple[str, str, int, int]
"""(what the answer is said to be, how, where that begins, where it ends)."""

_BOXED = r"\\(?:f?boxed|fbox)\s*\{"
_BARE = r"\\(?:f?boxed)\s?(?P<bare>-?\d+|[A-Za-z](?![a-zA-Z]))(?![\d^_/]|\.\d)"
"""A box without braces: ``\\boxed 4``."""
_BRACES = re.compile(rf"(?P<box>{_BOXED})|{_BARE}|\\[{{}}]|(?P<opens>\{{)|(?P<closes>\}})")
_TAG = r"<(?:(?:final[_ ]?)?answer|\|begin_of_box\|)>"
_TAG_BEGINS = re.compile(rf"(?i){_TAG}")
_TAGS = re.compile(r"(?i)</?(?:final[_ ]?)?answer>|<\|(?:begin|end)_of_box\|>")
_TAG_END = re.compile(r"(?i)</(?:final[_ ]?)?answer>|<\|end_of_box\|>")
_KEY = r"""(?P<quote>["'])(?:final[_ ]?)?answer(?P=quote)\s*:\s*"""
_OPENS = re.compile(rf"(?i)(?P<tag>{_TAG})|(?<!\w)(?P<brackets>\[\[)(?!\])|(?P<json>{_KEY})")
EMPTY = re.compile(
    r"(?im)(?:^|(?<=[.!?>}\]]))[\s$*_]*"
    r"(?:(?:the |my )?(?:final )?answer[*_]*(?: is)?\s?:?[*_]* *)?"
    r"(?:<(?:final[_ ]?)?answer>\s*</(?:final[_ ]?)?answer>|\\f?boxed\s?\{\s*\}|\[\[\s*\]\])"
    r"[\s$*_.]*$"
)
"""A mark that holds nothing, in no sentence but one that calls it the answer."""
_BRACKETS_END = re.compile(r"\]\]")
_VALUE = re.compile(r"-?\d[\d.,/]*\d|-?\d|true|false|\[[^\[\]{}]{0,300}\]", re.IGNORECASE)
_QUOTED = {quote: re.compile(rf"((?:[^{quote}\\]|\\.)*){quote}", re.DOTALL) for quote in "\"'"}
_QUOTE_END = {quote: re.compile(rf"(?<!\\){quote}") for quote in "\"'"}
_NEXT_KEY = re.compile(r"(?:[\"'\]}\d]|true|false|null),\s*\Z")
"""What stands in front of a key of an object that is not its first."""
_ROWS = re.compile(r"\]\s*,\s*\[")
_TEXT_COMMAND = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mbox)\w*\s*\{([^{}]*)\}")
_ESCAPED = re.compile(r'\\(["\\/])')
_EXAMPLE = re.compile(
    r"(?i)\b(?:for example|an example|such as|template|placeholder|like (?:this|so)|format like"
    r"|format (?:is|should be|would be|must be))\b|e\.g\."
    r"|\b(?:format|phrase|put|write|give|return) your\b[^.!?\n]{0,40}\Z"
    r"|\b(?:in|of|as) the (?:form|format)\s+[\\($\[\s]{0,4}$"
)
_BEFORE = 100
_PLACES = word_set("""
    answer answers value option letter number expression equation solution result choice here tags
    content text insert your_answer final_answer youranswer finalanswer name
""")
_AROUND_PLACES = _PLACES | word_set("""
    your the my a an final correct goes tag and or put single only of in format numeric numerical
    with is be to
""")
"""What a place for an answer is called (``your answer``), and the words around that."""
_BETWEEN = (
    r"(?:[\s,;&$()\[\]~]|\\[()\[\],;:! ]|\\q?quad|(?:\\text\s*\{\s*)?\b(?:and|or)\b[\s,]*\}?)"
)
_JOINED = re.compile(
    rf"(?i)(?=.*(?:[,;&]|quad|\b(?:and|(?P<or>or))\b))[)$\]]?(?: [a-z]+){{0,2}}?{_BETWEEN}+"
    rf"(?:\\?[a-z]\w{{0,3}}(?:_\{{?\w{{1,3}}\}}?)?(?:\([a-z]\))?\s*=\s*)?{_BETWEEN}*"
)
"""What stands between two boxes that state one answer together."""
_REMARKED = re.compile(
    r"[\s$*\\)\]]{0,6}(?P<said>\([^()\n]{1,80}\)|(?:[:=]|[-–—](?=\s))\s*[^\s:=][^\n]{0,80}"
    r"|\.\s+\S+(?: \S+){0,3}$)"
)
"""What behind the letter of an option says which one is meant."""
_EQUATED = re.compile(
    r"[)\]\\$\s]{0,6}(?:=[^=\n]{1,80}?)??(?P<said>=\s*(?:-?\d[\d.,/]*(?<![.,])|[a-z]{2,20}))"
    r"(?![\w=])(?!\s*[-+*/^=\d])"
)
"""What a box is said to come to: ``\\boxed{(7 - 8 / 8) * 4} = 20``."""
_COMMAND = (
    r"\\(?:times|cdot|div|pm|neq?|leq?|geq?|lt|gt|approx|frac|sqrt|pi|infty|ln|log|sin|cos|neg|lnot"
    r"|sim|overline|bar)"
)
_SIGN = r"[-+/^×÷·<>≤≥≠%−*]"
_BEFORE_IT = re.compile(
    rf"(?P<part>(?:(?:[\d.,()\s{{}}!]|{_SIGN}|{_COMMAND}(?![a-z]))*"
    rf"(?:{_SIGN}|{_COMMAND}(?:\{{[^{{}}]*\}})?\{{?|\d)"
    r"|\b(?:less|more|greater|fewer|smaller|larger|other|higher|lower) than"
    r"|\b(?:at (?:least|most)|under|over|below|above|up to"
    r"|between(?: [^\\\s]{1,20} and)?))\s*)$"
)
"""What in front of a box makes it a part of a formula, or a bound."""
_SIDE = re.compile(
    r"(?:\A|[\s$(&:,;])(?P<side>(?:\d[\d.]*|\\[dt]?frac\{\d+\}\{\d+\}|-)\s?(?:\\cdot|\\times|[*·×])?\s?"
    r"[a-z](?![a-z])|\\?(?:log|ln|sin|cos|tan|sqrt)\b\s?[({]?[a-z][)}]?|[a-z]\s?(?:\^\s?\{?\d\}?|[²³!]"
    r"|[-+*/]\s?\d+)|\d+\s?[-+/]\s?[a-z]|\\[dt]?frac\{(?:[a-z]\}\{\d+|\d+\}\{[a-z])\})"
    r"\s*=[\s$]*\Z"
)
"""What is made of one variable, and is said to be what a box holds: ``2x = \\boxed{14}``."""
_BOUNDS = re.compile(
    r"(?i)\b(?:(?:less|more|greater|fewer|smaller|larger|higher|lower) than|at (?:least|most)|twice"
    r"|half)[\s:$*\\(]*\Z"
    r"|(?:[<≤≥≠≈~/×]|!=|\\(?:neq?|leq?|geq?|lt|gt|approx|sim|neg|lnot|times))[\s$]*\Z"
)
"""What in front of a tag makes a bound, or another number, of what it holds."""
_ARROW = re.compile(r"(?:[-=]>|\*\*|(?:^|\s)[-*]\s|^\s*>\s*|^\s*[-*]?\s*\d{1,2}[.)]\s|[-–]\s)\s*$")
"""What ends with a sign, or a number, and is no part of a formula."""
_OPEN = re.compile(r"(?:<[|/]?\w+[|]?>|\\[(\[]|[$\s({]|\*\*|\\(?:text|quad|displaystyle)\b)+$")
"""What opens the formula in which a box stands."""
_BEHIND_IT = re.compile(
    r"(?P<unit>\s*(?:\\?%|\^\s*\{?\\circ\}?|°))"
    r"|(?!\s*<[/|a-zA-Z])(?P<part>[\w!']|\.\d"
    rf"|\s*(?:[+/^×÷·<>≤≥≠−]|{_COMMAND}(?![a-z])|[-*]\s*[\w\\(])[^\n$]{{0,40}})"
)
"""What directly behind a box makes it a part of a formula; or its unit."""
_POWER = r"\s?(?:\^\s?\{?[23]\}?|[²³])"
_ABBREVIATED = phrases(r"""
    percent; per cent; pct; mm; cm; dm; m; km; mg; g; kg; lbs?; oz; ft; yd; mi; ms; secs?; s; mins?
    hrs?; h; ml; mL; L; mph; kph; km/h; m/s; cm/s; Hz; in; second; degree
    [kM]?eV; [np]m; [µμ]m; Å; amu; rad/s; k?g/mol; k?J/mol; [GM]yr; [kM]?pc; AU
""")
"""Units that may be something else where the sentence goes on."""
_MEASURES = phrases(r"""
    inch(?:es)?; feet; foot; yards?; miles?; (?:centi|milli|kilo)?met(?:er|re)s?; (?:kilo)?grams?
    pounds?; ounces?; seconds; minutes?; hours?; days?; weeks?; months?; years?; dollars?; cents?
    degrees; units?; lit(?:er|re)s?; gallons?
""")
_UNIT = re.compile(
    r"(?:[ \t$~*]|\\[,;:! ()\]])*(?:\\(?:text|mathrm|textrm|mbox)\s?\{[\s~]{0,3}"
    rf"(?P<set>(?:(?:square|cubic|sq\.|cu\.) )?(?:{_ABBREVIATED}|{_MEASURES}){_POWER}?)\s?\.?\}}"
    rf"|(?P<plain>(?:(?:square|cubic|sq\.|cu\.) )?(?:{_ABBREVIATED}))(?![^\W²³]|/)"
    rf"|(?P<words>(?:(?:square|cubic) )?(?:{_MEASURES})(?: (?:per|an?) [a-z]{{2,20}})?)"
    rf"(?![^\W²³]|/))(?P<power>{_POWER})?"
)
"""The unit behind a number in a box: ``\\boxed{5}$ cm.``, ``\\boxed{28} inches of tape``."""
_STOPS = re.compile(r"(?<!\\)[,; ]+\Z")
_PAUSES = re.compile(
    r"(?:[\s$*]|\\[)\]])*(?: (?:long|wide|tall|high|deep|thick|away|apart)\b)?"
    r"(?:\Z|[.,;!](?![\w.]))"
)
_AROUND = (
    ("[[", "]]"), ("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"), ("`", "`"), ("{", "}")
)  # fmt: skip
_BRACKETED = re.compile(r"\[([A-Za-z]{2,20})\]")
"""``[Yes]``, as a question asked for it."""
_OBJECT = re.compile("[\"':]")
_LETTER = re.compile(r"(?<!\w)[A-Z](?!\w)")
_WORDS = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")


def boxed(text: str) -> Iterator[str]:
    """The contents of each closed ``\\boxed{...}``, braces matched; of nested boxes the inner."""
    for begin, end, _ in _boxes(text)[0]:
        yield text[begin:end]


def _boxes(text: str) -> tuple[list[tuple[int, int, int]], int | None]:
    """(where the contents of each closed box begin and end, and the box ends; where the last open
    one begins)."""
    closed = list[tuple[int, int, int]]()
    depth, begun = 0, list[tuple[int, int, int]]()
    for brace in _BRACES.finditer(text):
        if brace["box"]:
            begun.append((depth, brace.end(), brace.start()))
            depth += 1
        elif brace["bare"]:
            closed.append((*brace.span("bare"), brace.end()))
        elif brace["opens"]:
            depth += 1
        elif brace["closes"]:
            depth = max(0, depth - 1)
            if begun and begun[-1][0] >= depth:
                _, begin, _ = begun.pop()
                holds = closed and closed[-1][0] >= begin
                if not holds and brace.start() - begin <= MAX_ANSWER:
                    closed.append((begin, brace.start(), brace.end()))
    return closed, begun[-1][2] if begun else None


def clean(text: str) -> str:
    """What stands in a mark, without what is around an answer; empty for a place for one."""
    text = _TEXT_COMMAND.sub(r"\1", _TAGS.sub("", text).strip().strip("*").strip())
    for opening, closing in _AROUND:
        inner = text[len(opening) : -len(closing)]
        # Such marks within: a list of lists, or two formulas.
        within = "[" in inner if opening == "[[" else opening in inner
        within = within or (opening == "{" and _OBJECT.search(inner) is not None)
        if text.startswith(opening) and text.endswith(closing) and not within:
            text = inner.strip()
    if word := _BRACKETED.fullmatch(text):
        text = word[1]
    return "" if _is_place(text) else text


def unstopped(text: str) -> str:
    """The text without its full stop; dots that go on, and one before digits, are its own."""
    text = text.strip()
    return text if text.endswith("..") else text.removesuffix(".").rstrip()


def _is_place(text: str) -> bool:
    """Whether a text is the place of an answer in a format: ``your answer``, ``...``."""
    if not text.strip(" .…_?-*\t\r\n\f\v") or text.isspace():
        return True
    words = [word.lower() for word in _WORDS.findall(text[:60])]
    if _LETTER.search(text):  # option A
        return False
    named = _AROUND_PLACES.issuperset(words) and not _PLACES.isdisjoint(words)
    return len(text) <= 60 and (named or words == ["and"])


def read(memory: dict[str, Any], text: str, offset: int) -> tuple[dict[str, Any], list[Found]]:
    """The marked answers that a line completes.

    Args:
        memory: ``open`` is the mark that was opened before and not closed.
    """
    open_ = memory.get("open")
    may_open = any(mark in text for mark in ("boxed", "[[", "_of_box", "\\fbox"))
    may_open = may_open or ((":" in text or ">" in text) and "nswer" in text.lower())
    if open_ is None and not may_open:
        return memory, []
    memory = {key: memory[key] for key in memory if key != "open"}
    found, place, since = list[Found](), 0, 0
    if open_ and open_["how"] == "tag" and _TAG_BEGINS.search(text):  # the first is spoken of
        open_ = None
    if open_ is not None and open_["how"] != "boxed":
        end = _end_of(open_).search(text)
        if end is None:
            memory = carried({**memory, "open": open_}, text)
            if not _OPENS.search(text) and "boxed" not in text:
                return memory, []
        else:
            place = since = end.end()
            found += _marked(open_["text"] + text[: end.start()], open_, offset + place)
    before = open_ if open_ is not None and open_["how"] == "boxed" else None
    found += _closed_boxes(memory, before, text, offset)
    while opens := _OPENS.search(text, place):
        place = opens.end()
        how = "tag" if opens["tag"] else "brackets" if opens["brackets"] else "json"
        lead = text[since : opens.start()]  # what a mark before holds is said of that one
        lead = "" if how == "json" and _NEXT_KEY.search(lead) else lead  # that is said of another
        if _is_example(lead, len(lead)) or _denied(lead, len(lead)) or _BOUNDS.search(lead):
            continue
        if how != "json" and not _led_to(lead, len(lead)):
            continue
        one: dict[str, Any] = {"how": how, "text": "", "start": offset + opens.start()}
        if how == "json":
            quote = text[place : place + 1]
            if quote not in _QUOTED or not quote:
                if value := _VALUE.match(text, place):
                    found += _marked(value[0], one, offset + value.end())
                continue
            one["quote"], place = quote, place + 1
        end = _end_of(one).search(text, place)
        if end is None:
            if memory.get("open", {}).get("how") != "boxed":
                memory["open"] = {**one, "text": text[place:][:MAX_MARKED]}
            break
        if how == "tag" and (again := _TAG_BEGINS.search(text, place, end.start())):
            place = again.start()  # the first is spoken of
            continue
        said, place = text[place : end.start()], end.end()
        since = place
        if how == "json" and text[place : place + 1] == one["quote"]:  # "14"", which is no JSON
            continue
        found += _marked(said, one, offset + place)
    return memory, _in_order(found)


def carried(memory: dict[str, Any], text: str) -> dict[str, Any]:
    """The memory with a line more in the mark that is open; a mark too long is given up."""
    open_ = memory["open"]
    longest = MAX_ANSWER if open_["how"] == "boxed" else MAX_MARKED
    said = open_["text"] + text
    if len(said) > longest:
        return {key: memory[key] for key in memory if key != "open"}
    return {**memory, "open": {**open_, "text": said}}


def unclosed(memory: dict[str, Any], offset: int) -> list[Found]:
    """What a tag holds that the end of the text leaves open, where it is one line."""
    open_ = memory.get("open")
    if open_ is None or open_["how"] != "tag" or "\n" in open_["text"].strip():
        return []
    return _marked(open_["text"], open_, offset)


def _closed_boxes(
    memory: dict[str, Any], before: dict[str, Any] | None, text: str, offset: int
) -> list[Found]:
    """The boxes that a line closes; one that it leaves open goes into the memory."""
    if before is None and "boxed" not in text and "\\fbox" not in text:
        return []
    held = before["text"] if before else ""
    whole = held + text
    closed, begun = _boxes(whole)
    found, base = list[Found](), offset - len(held)
    for begin, end, behind_it in closed:
        start = max(0, whole.rfind("\\", 0, begin))
        content = _STOPS.sub("", unstopped(clean(whole[begin:end])))
        last = found[-1][3] - base if found else start
        joined = _JOINED.fullmatch(whole[last:start]) if 0 < start - last <= _BEFORE else None
        behind = REFUTED.match(lowered(whole[behind_it : end + _BEFORE]))
        if joined and behind:  # of both
            found.pop()
        denied = behind or _denied(whole, start, content) or _is_example(whole, start)
        if content and not denied and (joined or _led_to(whole, start)):
            place = base + start
            content, end = _whole(whole, start, content, behind_it)
            remark = (_REMARKED if _LETTER.fullmatch(content) else _EQUATED).match(whole, end)
            if remark and remark["said"].lstrip("= ") != content:
                content, end = f"{content} {remark['said']}", remark.end("said")
            if joined:
                said, _, place, _ = found.pop()
                if said != content:
                    content = f"{said}{' or ' if joined['or'] else ', '}{content}"
            found.append((content, "boxed", place, base + end))
    if begun is not None and len(whole) - begun <= MAX_ANSWER and "open" not in memory:
        start = base + begun
        memory["open"] = {"how": "boxed", "text": whole[begun:], "start": start}
    return found


def _whole(text: str, start: int, content: str, end: int) -> tuple[str, int]:
    """What is in a box with the formula that the box is a part of, and where that ends."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    unit = _UNIT.match(text, end) if _DIGIT.search(content) else None
    pauses = unit is not None and _PAUSES.match(text, unit.end()) is not None
    if unit and (pauses or unit["words"]):
        named = unit["set"] or unit["plain"] or unit["words"]
        content = f"{content} {named}{unit['power'] or ''}"
        end = unit.end() if pauses else end
    elif behind := _BEHIND_IT.match(text, end):
        content = f"{content}{behind['unit'] or ''}"
        content = f"{content} {behind['part']}" if behind["part"] else content
        end = behind.end()
    side = _SIDE.search(before)
    if side and before[: side.start("side")].rstrip()[-1:] not in tuple("+-*/=^"):
        content = f"{side['side']} = {content}"
    elif not _ARROW.search(before):
        front = _BEFORE_IT.search(_OPEN.sub("", before[-_BEFORE:]))
        content = f"{front['part'].strip()} {content}" if front else content
    return content, end


def _end_of(open_: dict[str, Any]) -> re.Pattern[str]:
    if open_["how"] == "json":
        return _QUOTE_END[open_["quote"]]
    return _TAG_END if open_["how"] == "tag" else _BRACKETS_END


_NUMBER_QUOTED = re.compile(r"\A\s*\"([^\"\w]*\d[^\"]*)\"\s*\Z")


def _marked(content: str, open_: dict[str, Any], end: int) -> list[Found]:
    """The answer in a mark that was closed at ``end``; none in a place for one."""
    how = open_["how"]
    if len(content) > MAX_MARKED or (how == "brackets" and _ROWS.search(content)):
        return []
    if how == "json":
        content = _NUMBER_QUOTED.sub(r"\1", _ESCAPED.sub(r"\1", content))
    content = content.rpartition("<|begin_of_box|>")[2]
    if inner := list(boxed(content)):
        content = inner[-1]
    content = clean(content)
    return [(content, how, open_["start"], end)] if content else []


def _is_example(text: str, place: int) -> bool:
    """Whether the words before a mark, in its sentence, say that it shows a format."""
    return _EXAMPLE.search(led_by(text, place, _BEFORE)) is not None


def _denied(text: str, place: int, content: str = "") -> bool:
    """:func:`is_denied` of the words before a mark."""
    denied = is_denied(without_base(led_by(text, place, _BEFORE), content))
    return denied or is_untrue(led_by(text, place, MAX_ANSWER))


def _led_to(text: str, place: int) -> bool:
    """:func:`may_lead` of the words before a mark."""
    lead = led_by(text, place, MAX_ANSWER)
    return may_lead(lead, begins=len(lead) < MAX_ANSWER)


def _in_order(found: list[Found]) -> list[Found]:
    """The answers by where they end; a mark around a mark says no more than the inner one."""
    found = sorted(found, key=lambda one: (one[3], -one[2]))
    return [
        one
        for i, one in enumerate(found)
        if not (i and found[i - 1][0] == one[0] and one[2] <= found[i - 1][2])
    ]
