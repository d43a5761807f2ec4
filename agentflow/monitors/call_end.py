"""Calls of tools in a text: the forms that models write them in, and a monitor that ends the stream
behind one.

```python                  <code>                       what is called
print(17 * 23)             print(17 * 23)
```                        </code>
```output                  <interpreter>                what came of it stands behind
391                        391
```                        </interpreter>
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agentflow.domains.python.source import tree_of
from agentflow.monitors.monitor import Context, Increment, Intervention, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict

Callable = Literal["python", "search"]
"""The tools that a solver may call."""

_LONGEST: dict[Callable, int] = {"python": 20_000, "search": 1_000}
"""Characters of a call, at most."""
_DEEPER = 3
"""Columns by which the fence that closes a block may stand behind the one that opens it."""
_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})(?:[ \t]*\r?\n)?")
_WITHIN = re.compile(r"\s*(?P<fence>`{3,})[^\n`]*\n(?P<code>.*\n)?[ \t]*(?P=fence)\s*", re.DOTALL)
"""A block that stands in tags."""

_LEAD = 400
"""Characters of a sentence in front of a call that are read."""
_SENTENCE = re.compile(r"[.!?]\s+")
_GROUND = re.compile(r"[,;] (?:so|therefore|thus|hence|but let)\b", re.IGNORECASE)
_COMPLEMENT = re.compile(r"\b(?:that|whether|which)\b", re.IGNORECASE)
_UNMADE = re.compile(
    r"\b(?:not|never|no|nor|cannot|against|instead|would|wrong|format|template|examples? of an?"
    r"|(?:user|student|page|prompt|solution|text|problem)(?:['’]s (?:code|program|query|call)"
    r"| (?:tells|asks|wants|says)))\b|n['’]t\b",
    re.IGNORECASE,
)
"""What in it denies the call, makes it one that would be made, or somebody else's."""


class Form(NamedTuple):
    """How a call is written, and what came of it.

    Attributes:
        tool: What is called.
        opens: What stands in front of what the tool is given, within a line.
        closes: What stands behind it; empty for the fence that opens it.
        before, behind: What stands around what came of it.
    """

    tool: Callable
    opens: re.Pattern[str]
    closes: str
    before: str
    behind: str


def _fenced(tool: Callable, languages: str, said: str = "output") -> Form:
    """A block of Markdown (ToRA, Gou et al. 2024); all of it may stand in a line."""
    opens = re.compile(
        rf"^(?P<indent>[ \t]*)(?P<fence>`{{3,}}|~{{3,}})[ \t]*(?:\{{\.?)?(?:{languages})(?![\w+#-])"
        r"(?:(?P<info>[^\n`]*)\n|(?P<inline>[^\n`]*[^\s`][^\n`]*)(?=(?P=fence)))",
        re.IGNORECASE,
    )
    return Form(tool, opens, "", f"```{said}\n", "\n```\n")


def _tagged(tool: Callable, call: tuple[str, str], said: tuple[str, str], at: str = "") -> Form:
    opens = re.compile(rf"{at}{re.escape(call[0])}(?:\r?\n)?")
    return Form(tool, opens, call[1], f"{said[0]}\n", f"\n{said[1]}\n")


FORMS = {
    "fenced_python": _fenced("python", "python3?|py"),
    "fenced_search": _fenced("search", "search"),
    "tool_code": _fenced("python", "tool_code", "tool_output"),  # Gemini
    # ReTool (Feng et al. 2025); within a line it is HTML
    "code": _tagged(
        "python", ("<code>", "</code>"), ("<interpreter>", "</interpreter>"), r"^[ \t]*"
    ),
    # Search-R1 (Jin et al. 2025)
    "search": _tagged("search", ("<search>", "</search>"), ("<information>", "</information>")),
    # Search-o1 (Li et al. 2025)
    "search_query": _tagged(
        "search",
        ("<|begin_search_query|>", "<|end_search_query|>"),
        ("<|begin_search_result|>", "<|end_search_result|>"),
    ),
}


@dataclass(frozen=True, slots=True)
class CallEnd(Monitor):
    """Asks for what a tool says behind every call of one; what the model makes up there is cut off.

    A call to which a sentence leads that does not let it be made ("I will not run this:") is text.
    A call may lack its end where the text ends with it, as where a server takes that for a stop
    sequence; unless more stands there than a program, or one line to search for.

    Its verdicts are about nothing that could be right or wrong: they cannot tell.

    Attributes:
        tools: Those that may be called; other calls are text.
        over: Why the next call ends the run; empty where it does not.
    """

    tools: Collection[Callable]
    over: str = ""
    name: str = "call_end"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        return {"begun": "", "form": "", "above": ""}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        name, before, line = memory["form"], memory["begun"], increment.text
        end = increment.offset + len(line)
        if increment.boundary:
            ends = increment.boundary == "end" and name
            return self.start(), list(_unended(name, before, end)) if ends else []
        closed = _closed(FORMS[name], before, line) if name else None
        if closed is None and (not name or FORMS[name].tool == "search"):  # no query has a block
            opened = {one: at for one in FORMS if (at := self._opens(one, line)) is not None}
            if opened and denied(line[: min(opened.values())] or memory.get("above", "")):
                opened = {}
            if opened:
                name = min(opened, key=lambda one: opened[one])
                before, line = "", line[opened[name] :]
                closed = _closed(FORMS[name], before, line)
        if not name:
            return (memory | {"above": line[-_LEAD:]} if line.strip() else memory), []
        text, most = before + line, _LONGEST[FORMS[name].tool]
        if closed is None:
            begun = {"begun": text, "form": name, "above": ""}
            return begun if len(text) <= most else self.start(), []
        given, behind = _given(FORMS[name], text, closed[0]), end - len(text) + closed[1]
        data = {"given": given, "form": name, "end": behind, "missing": ""}
        state = State(FORMS[name].tool, data, end - len(text), end)
        return self.start(), [state] if len(given) <= most else []

    def _opens(self, name: str, line: str) -> int | None:
        """Where in a line a call begins; None where none does."""
        form = FORMS[name]
        found = form.opens.search(line) if form.tool in self.tools else None
        return found.start() if found else None

    async def verify(self, state: State, context: Context) -> Verdict:
        return Verdict(None, self.over or f"{state.kind} is called", "call", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        kind: Literal["abstain", "feedback"] = "abstain" if self.over else "feedback"
        return Intervention(kind, state.data["end"], "", verdict.reason, self.name)


def denied(lead: str) -> bool:
    """Whether a sentence that goes on into a call, one that is not finished, keeps it from being
    made; what stands behind *that* or in front of *so* is about something else."""
    said = _SENTENCE.split(lead.strip())[-1].rstrip(" *_")
    if not said or said.endswith((".", "!", "?")):
        return False
    clause = _COMPLEMENT.split(_GROUND.split(said)[-1])[0]
    return _UNMADE.search(clause) is not None


def _opening(form: Form, text: str) -> re.Match[str]:
    """What opens a call, whose text is given."""
    opened = form.opens.match(text)
    assert opened is not None, "it begins with what opens it"
    return opened


def _closed(form: Form, before: str, line: str) -> tuple[int, int] | None:
    """Where in the text of a call, which a line goes on with, that ends which the tool is given,
    and where the call does; None where the call goes on."""
    opened = _opening(form, before + line)
    inside = max(opened.end() - len(before), 0)
    if form.closes:
        at = line.find(form.closes, inside)
        return None if at < 0 else (len(before) + at, len(before) + at + len(form.closes))
    inline = not before and opened["inline"] is not None
    found = _FENCE.match(line, inside) if inline or before else None
    if found is None or not found["fence"].startswith(opened["fence"]):
        return None
    deeper = not inline and len(found["indent"]) > len(opened["indent"]) + _DEEPER
    if deeper or (found.end() == len(line) and _in_text(before[opened.end() :])):
        return None
    return len(before) + found.start(), len(before) + found.end()


def _in_text(program: str) -> bool:
    """Whether a program is within a text of several lines where it ends."""
    return any(program.count(mark) % 2 for mark in ('"""', "'''"))


def _given(form: Form, text: str, end: int) -> str:
    """What the tool is given by a call; that ends at ``end``."""
    opened = _opening(form, text)
    given = text[opened.end() : end].rstrip("\r\n")
    if not form.closes and not given.strip():
        return (opened["info"] or opened["inline"] or "").strip()
    if form.closes and (block := _WITHIN.fullmatch(given)):
        return (block["code"] or "").rstrip("\r\n")
    return given


def _unended(name: str, text: str, end: int) -> Iterator[State]:
    """The call that a text ends in."""
    form, given = FORMS[name], _given(FORMS[name], text, len(text))
    if form.tool == "python":
        whole = bool(given.strip()) and tree_of(given) is not None
    else:
        whole = len(given.strip().splitlines()) == 1
    if whole:
        missing = form.closes or _opening(form, text)["fence"]
        data = {"given": given, "form": name, "end": end, "missing": missing}
        yield State(form.tool, data, end - len(text), end)
