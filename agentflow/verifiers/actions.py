"""The text protocol of tool verification: one thought and one action a reply (VerifiAgent, F).

    Thought: why
    Action: Use Python Interpreter[program]     or Theorem Prover, or Search Engine[question]

    Thought: why
    Action: Evaluate[Correct]                   or Incorrect
    Summarisation:
    Evaluation Result: Correct
    Error Reason: None
    Revision Method: None

Only what stands in front of a second action, or of an ``Observation:``, is read: a model that goes
on makes up what a tool says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

from agentflow.models.structured.around import last_sentence
from agentflow.models.structured.nothing import says_nothing
from agentflow.verifiers.critique import leads_on, says_no_more
from agentflow.verifiers.stance import bearing, stance

TOOLS = {
    "python": ("Python Interpreter", "code"),
    "z3": ("Theorem Prover", "program"),
    "search": ("Search Engine", "query"),
}
"""Role of a tool -> what an action calls it, and the tool's argument that takes what is given."""

MAX_TEXT = 2000
"""Characters of a reason or a method, at most."""

_MARKS = r"[ \t*_#-]{0,8}"
_HEAD = re.compile(
    rf"{_MARKS}(thought|action|observation)(?: \d{{1,3}})?[*_]{{0,4}}:{_MARKS}", re.IGNORECASE
)
_ACTION = re.compile(
    rf"^{_MARKS}action(?: \d{{1,3}})?[*_]{{0,4}}:{_MARKS}(?P<said>.*)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_EVALUATE = re.compile(
    r"evaluate[ \t]*\[[ \t]*(correct|incorrect)[ \t]*\][ \t.*_`]*+(?=\n|\Z)", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"(?:\.{2,}|…|<[^<>\n]*>|(?:the |a |one )?(?:short )?(?:program|code|question|query))",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(r"^[ \t]*(?:\.\.\.|…)[ \t]*$", re.MULTILINE)
_USE = re.compile(
    r"use (?:the )?(?:(?P<python>python interpreter)|(?P<z3>(?:z3 )?theorem prover)"
    r"|(?P<search>(?:online )?search engine))\b[*_]{0,4}",
    re.IGNORECASE,
)
_LAST = re.compile(r"[ \t]*ans[ \t]*=[ \t]*(?:solver|main)[ \t]*\([ \t]*\)")
_LAST_LINE = re.compile(rf"^{_LAST.pattern}", re.MULTILINE)
_FENCE = re.compile(r"\s*\[?\s*```[\w+-]*[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
_NOTHING = re.compile(
    r"\W*(?:(?:since|as|because) )?(?:"
    r"(?:none|nothing)(?: (?:is )?(?:needed|required|necessary))?"
    r"|n/a|not (?:applicable|needed)"
    r"|(?:there (?:is|are|was|were) )?no (?:errors?|mistakes?|revisions?|changes?|corrections?)"
    r"(?: (?:(?:is|are|was|were) )?(?:found|needed|required|necessary))?"
    r"(?: in (?:it|the solution|any step))?"
    r"|(?:the|this|all|every|each) (?:solution|answer|steps?) (?:is|are) (?:right|correct)"
    r")?\W*",
    re.IGNORECASE,
)
"""How it is said that there is no error, or nothing to mend."""
_PART = re.compile(r"(?<!n)[.,;](?=\s|\Z)")
_REVISION = re.compile(rf"{_MARKS}revision method", re.IGNORECASE)
_SUMMARY = re.compile(rf"\s*{_MARKS}summari[sz]ation[*_]{{0,4}}:", re.IGNORECASE)
_FIELD = re.compile(
    rf"^{_MARKS}(evaluation result|error reason|revision method)[*_]{{0,4}}:{_MARKS}",
    re.IGNORECASE | re.MULTILINE,
)


class NoAction(ValueError):
    """A reply holds no action; says in one line what is wrong."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool.

    Attributes:
        tool: Its role, one of :data:`TOOLS`.
        argument: The program or the question.
        thought: Why.
    """

    tool: str
    argument: str
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The final evaluation.

    Attributes:
        ok: Whether the solution is said to be correct.
        reason: What is wrong with it; empty where nothing is.
        revision: How to mend it; empty where nothing is to be.
        thought: Why.
        at: Where in the reply the word ``Correct`` or ``Incorrect`` begins.
    """

    ok: bool
    reason: str = ""
    revision: str = ""
    thought: str = ""
    at: int = 0


class Ending:
    """Finds, while a reply grows, where its first action ends.

    Attributes:
        at: The offset; None as long as it is not known.
    """

    def __init__(self) -> None:
        self.at: int | None = None
        self._start, self._line, self._inside = 0, "", ""

    def feed(self, text: str) -> bool:
        """Take more of the reply; whether the action has ended."""
        *lines, last = (self._line + text).split("\n")
        for line in lines:
            if self._ends(line, whole=True):
                return True
            self._start += len(line) + 1
        self._line = last
        return self._ends(last, whole=False)

    def _ends(self, line: str, *, whole: bool) -> bool:
        end = self._start + len(line)
        head = _HEAD.match(line)
        if head and (self._inside or head[1].lower() == "observation"):
            self.at = self._start  # a further turn
        elif head and head[1].lower() == "action" and whole:
            rest = line[head.end() :]
            use = _USE.match(rest)
            if use and use["search"] is None:
                self._inside = "program"
            elif _EVALUATE.match(rest):
                self._inside = "evaluation"
            else:
                self.at = end
        elif whole and self._inside == "program" and _LAST.match(line):
            self.at = end
        elif whole and self._inside == "evaluation" and _REVISION.match(line):
            self._inside = "revision"
        elif whole and self._inside == "revision" and not line.strip():
            self.at = end
        return self.at is not None


def begins(line: str) -> bool:
    """Whether an action begins with a line."""
    head = _HEAD.match(line)
    return head is not None and head[1].lower() == "action"


def parse(reply: str) -> Call | Evaluation:
    """The first action of a reply. Programs may be fenced or bracketed in any way.

    Raises:
        NoAction: If there is none; says in one line what is wrong.
    """
    ending = Ending()
    ending.feed(reply)
    text = reply[: ending.at]
    found = _ACTION.search(text)
    if found is None:
        raise NoAction("there is no line that begins with Action:")
    thought, rest = _thought(text[: found.start()]), found["said"]
    if evaluated := _EVALUATE.match(rest):
        return _evaluation(rest, evaluated, thought, found.start("said"))
    use = _USE.match(rest)
    if use is None:
        first = rest.partition("\n")[0].strip()
        raise NoAction(f"{first[:60]!r} is none of the actions")
    tool = str(use.lastgroup)
    argument = (_question if tool == "search" else _program)(rest[use.end() :])
    if not argument:
        raise NoAction(f"the action gives the {TOOLS[tool][0]} nothing")
    if _PLACEHOLDER.fullmatch(argument) or (tool != "search" and _LEFT_OUT.search(argument)):
        raise NoAction(f"the action gives the {TOOLS[tool][0]} a placeholder")
    return Call(tool, argument, thought)


def shown(call: Call) -> str:
    """A call as the protocol writes it."""
    name, argument = TOOLS[call.tool][0], call.argument
    inside = argument if call.tool == "search" else f"\n{argument}\n"
    return f"Thought: {call.thought}\nAction: Use {name}[{inside}]"


def quoted(text: str) -> str:
    """A text of others as a prompt shows it: no line of it can be taken for one of ours."""
    return "\n".join(f"> {line}" for line in text.splitlines())


def _thought(text: str) -> str:
    head = _HEAD.match(text)
    return text[head.end() if head else 0 :].strip()


def _question(text: str) -> str:
    line = text.partition("\n")[0].strip(" \t:*")
    line = line.removeprefix("[").removesuffix("]")
    return line.strip(" \t\"'")


def _program(text: str) -> str:
    text = text.lstrip(" \t:")
    if fenced := _FENCE.match(text):
        text = fenced[1]
    elif text.lstrip().startswith("["):
        text = text.lstrip().removeprefix("[").rstrip().removesuffix("]")
    last = list(_LAST_LINE.finditer(text))
    if last:
        text = text[: last[-1].end()]
    return dedent(text.strip("\n")).strip()


def _evaluation(text: str, word: re.Match[str], thought: str, offset: int) -> Evaluation:
    ok = word[1].lower() == "correct"
    heads = list(_FIELD.finditer(text))
    summary = text[word.end() : heads[0].start()] if heads else ""
    if (not ok) in (stance(thought), stance(_SUMMARY.sub("", summary))):
        raise NoAction("the thought, or the summary, and the evaluation contradict each other")
    if ok and bearing(thought) is False:
        raise NoAction("by the thought what was found speaks against Evaluate[Correct]")
    if ok and (not leads_on(thought) or _cannot_tell(thought)):
        raise NoAction("what stands in front of Evaluate[Correct] may not let it be said")
    ends = [head.start() for head in heads[1:]] + [len(text)]
    fields: dict[str, str] = {}
    for head, end in zip(heads, ends, strict=False):  # without a head there is one end
        name, told = head[1].lower(), text[head.end() : end].strip()[:MAX_TEXT]
        if fields.setdefault(name, told) != told:
            raise NoAction(f"there are two of {head[1]}, and they differ")
    said = fields.get("evaluation result", "")
    result = re.match(r"\W{0,4}(correct|incorrect)\b(?! or\b)", said, re.I)
    if said and result is None:
        raise NoAction("the Evaluation Result is neither Correct nor Incorrect")
    if result and (result[1].lower() == "correct") != ok:
        raise NoAction("Evaluate and the Evaluation Result contradict each other")
    reason, revision = (_told(fields.get(name, "")) for name in ("error reason", "revision method"))
    # Of a solution that is right there is no more to say: what stands there else may take it back.
    if ok and (reason or revision):
        raise NoAction("Evaluate[Correct] goes with no Error Reason and no Revision Method")
    if ok and not says_no_more(said[result.end() :] if result else "", 0):
        raise NoAction("behind the Evaluation Result Correct stands more than that")
    if ok and not heads and not says_no_more(text, word.end()):
        raise NoAction("behind Evaluate[Correct] stands more than the summary")
    return Evaluation(ok, reason, revision, thought, offset + word.start(1))


def _cannot_tell(thought: str) -> bool:
    said = last_sentence(thought)
    return " " in said and says_nothing(said)


def _told(text: str) -> str:
    return "" if all(map(_NOTHING.fullmatch, _PART.split(text))) else text
