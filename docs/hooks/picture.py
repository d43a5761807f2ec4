"""Draw the README's picture: a recorded run in which a wrong step was caught and mended.

``make picture`` runs it. It reads ``docs/mended-run.json`` and writes ``docs/mended-run.svg``, in
the colours that the page of a run has. To record another run::

    agentflow solve --method interwhen --domain maze --json < problem.txt > docs/mended-run.json
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from agentflow import pages, trace_file

DOCS = Path(__file__).parent.parent
RUN, PICTURE = DOCS / "mended-run.json", DOCS / "mended-run.svg"
WIDTH, LINE, TOP, LEFT, RIGHT = 1010, 22, 66, 28, 322

Line = tuple[str, str, str]
"""The class of a line (``ok``, ``bad``, ``note``, ``plain``), the mark in front of it, its text."""


def problem_lines(text: str) -> list[str]:
    """The drawing, the question and the options, without the explanation before them."""
    drawing, _, question = text.partition("\n\n")[2].partition("\n\nQuestion: ")
    asked, _, options = question.partition("\nOptions:\n")
    words, lines = asked.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 29:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [*drawing.splitlines(), "", *lines, "   ".join(options.splitlines())]


def trace_lines(run: Mapping[str, Any]) -> Iterator[Line]:
    """The lines of the trace, each with the verdict on it; a cut is where a line was wrong."""
    verdicts = {
        event["state"]["end"]: event["verdict"]["ok"]
        for event in run["events"]
        if event["type"] == "verdict" and not event.get("final")
    }
    end = 0
    for operation in run["operations"]:
        if operation["op"] == "cut" or operation["kind"] == "prompt":
            continue
        for line in operation["text"].splitlines(keepends=True):
            end += len(line)
            ok = verdicts.get(end - 1, verdicts.get(end))
            kind = "note" if operation["kind"] == "feedback" else {True: "ok", False: "bad"}.get(ok)
            mark = {"ok": "✓", "bad": "✗", "note": "→"}.get(kind or "", "")
            yield kind or "plain", mark, line.strip()


def colours() -> str:
    """The page's colours, light and dark, as a style sheet."""
    css = (Path(pages.__file__).parent / "page.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    return f"svg {{{_only(light)}}} @media (prefers-color-scheme: dark) {{ svg {{{_only(dark)}}} }}"


def _only(block: str) -> str:
    names = "paper|ink|soft|rule|ok|ok-tint|bad|bad-tint|note|note-tint"
    return " ".join(re.findall(rf"--(?:{names}): [^;]+;", block))


def draw(run: Mapping[str, Any]) -> str:
    """The picture of a run, as SVG."""
    left, right = problem_lines(run["problem"]["text"]), list(trace_lines(run))
    height = TOP + LINE * (max(len(left), len(right)) + 1) + 34
    cost, answer = run["cost"], run["answer"]
    ending = f"{run['status']}: {answer}   ({cost['generated']} tokens, 1 correction)"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>A run: one wrong step is caught, explained, and mended</title>",
        f"<style>{colours()}{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
        _text(LEFT, 36, "head", "The problem"),
        _text(RIGHT, 36, "head", "What the model writes, checked line by line"),
        f'<path class="rule" d="M{RIGHT - 24} 18V{height - 18}"/>',
    ]
    parts += [_text(LEFT, TOP + LINE * n, "mono", line) for n, line in enumerate(left)]
    for n, (kind, mark, line) in enumerate(right):
        y = TOP + LINE * n
        parts.append(
            f'<rect class="{kind}" x="{RIGHT - 8}" y="{y - 16}" width="{WIDTH - RIGHT - 16}" '
            f'height="{LINE - 1}"/>'
        )
        parts += [_text(RIGHT, y, f"mark {kind}", mark), _text(RIGHT + 22, y, kind, line)]
        if kind in LABELS:
            parts.append(_text(WIDTH - 166, y, f"label {kind}", LABELS[kind]))
    parts.append(_text(RIGHT, TOP + LINE * len(right) + 26, "end ok", ending))
    return "\n".join([*parts, "</svg>\n"])


LABELS = {"bad": "✂ wrong: cut here"}

STYLE = """
text { font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: var(--ink);
  white-space: pre; }
.head { font: 600 13px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: var(--soft); }
.label { font: 600 13px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; }
.end { font: 600 15px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; }
.paper { fill: var(--paper); } .rule { stroke: var(--rule); } rect.plain { fill: none; }
rect.ok { fill: var(--ok-tint); } rect.bad { fill: var(--bad-tint); }
rect.note { fill: var(--note-tint); }
text.mark.ok, text.end.ok { fill: var(--ok); } text.bad { fill: var(--bad); }
text.note { fill: var(--note); }
"""


def _text(x: int, y: int, kind: str, text: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" xml:space="preserve">{escape(text)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(trace_file.read(RUN)), encoding="utf-8")
    print(PICTURE.relative_to(DOCS.parent))
