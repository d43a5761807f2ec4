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
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agentflow.monitors.monitor import Context, Increment, Intervention, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict

_LONGEST = 20_000
"""Characters of a call, at most."""

Callable = Literal["python", "search"]
"""The tools that a solver may call."""


class Form(NamedTuple):
    """How a call is written, and what came of it.

    Attributes:
        tool: What is called.
        opens, closes: What stands around what the tool is given; neither is longer than a line.
        before, behind: What stands around what came of it.
    """

    tool: Callable
    opens: re.Pattern[str]
    closes: re.Pattern[str]
    before: str
    behind: str


def _fenced(tool: Callable, languages: str) -> Form:
    """A block of Markdown (ToRA, Gou et al. 2024)."""
    opens = re.compile(rf"^[ \t]*```[ \t]*(?:{languages})[ \t]*\n", re.IGNORECASE)
    closes = re.compile(r"^[ \t]*```[ \t]*(?:\n|\Z)", re.MULTILINE)
    return Form(tool, opens, closes, "```output\n", "\n```\n")


def _tagged(tool: Callable, call: tuple[str, str], said: tuple[str, str]) -> Form:
    opens, closes = re.compile(rf"{re.escape(call[0])}\n?"), re.compile(re.escape(call[1]))
    return Form(tool, opens, closes, f"{said[0]}\n", f"\n{said[1]}\n")


FORMS = {
    "fenced_python": _fenced("python", "python3?|py"),
    "fenced_search": _fenced("search", "search"),
    # ReTool (Feng et al. 2025)
    "code": _tagged("python", ("<code>", "</code>"), ("<interpreter>", "</interpreter>")),
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
        return {"begun": "", "form": ""}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        name, before, line = memory["form"], memory["begun"], increment.text
        if increment.boundary or len(before) + len(line) > _LONGEST:
            return self.start(), []
        inside = 0
        if not name:
            mine = {name: form for name, form in FORMS.items() if form.tool in self.tools}
            begun = {name: at for name, form in mine.items() if (at := form.opens.search(line))}
            if not begun:
                return memory, []
            name = min(begun, key=lambda one: begun[one].start())
            line, inside = line[begun[name].start() :], len(begun[name][0])
        closed = FORMS[name].closes.search(line, inside)
        if closed is None:
            return {"begun": before + line, "form": name}, []
        text, end = before + line, increment.offset + len(increment.text)
        start = end - len(text)
        opened = FORMS[name].opens.match(text)
        assert opened is not None, "it begins with what opens it"
        given = text[opened.end() : len(before) + closed.start()].rstrip("\n")
        data = {"given": given, "form": name, "end": start + len(before) + closed.end()}
        return self.start(), [State(FORMS[name].tool, data, start, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        return Verdict(None, self.over or f"{state.kind} is called", "call", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        kind: Literal["abstain", "feedback"] = "abstain" if self.over else "feedback"
        return Intervention(kind, state.data["end"], "", verdict.reason, self.name)
