"""How a run looks in a notebook: HTML that fetches nothing and needs no script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from agentflow.trace import Operation, Trace

_STYLES = {
    "generated": "",
    "rewritten": "background:#ebe8fa;color:#5140a8",
    "alternative": "background:#ebe8fa;color:#5140a8",
    "feedback": "background:#ebe8fa;color:#5140a8",
    "observation": "background:#ebe8fa;color:#5140a8",
    "marker": "opacity:.6",
    "cut": "text-decoration:line-through;opacity:.6",
}
_BOX = "white-space:pre-wrap;font-family:monospace;line-height:1.5"


def trace_html(operations: Iterable[Operation]) -> str:
    """A trace without its prompt: feedback on violet, and what was cut away struck through."""
    pieces = [
        f'<span style="{_STYLES.get(kind, "")}">{escape(text)}</span>'
        for kind, text in _pieces(operations)
        if text
    ]
    return f'<div style="{_BOX}">{"".join(pieces)}</div>'


def result_html(
    status: str, answer: str | None, reason: str, tokens: int, operations: Iterable[Operation]
) -> str:
    """A result: its status, answer, reason and tokens, and its trace to be unfolded."""
    head = f"<b>{escape(status)}</b> " + (
        "" if answer is None else f"<code>{escape(answer)}</code>"
    )
    line = f"{escape(reason)} &middot; {tokens} tokens" if reason else f"{tokens} tokens"
    unfolded = f"<details><summary>reasoning</summary>{trace_html(operations)}</details>"
    return f"<div>{head} <small>{line}</small>{unfolded}</div>"


def _pieces(operations: Iterable[Operation]) -> Iterator[tuple[str, str]]:
    """Everything written behind the prompt, in order; what was taken back is ``cut``."""
    trace, pieces = Trace(), list[tuple[str, str]]()
    for operation in operations:
        repeated = len(trace.leftover)
        trace.apply(operation)
        match operation["op"]:
            case "cut":
                pieces = list(_cut(pieces, operation["offset"]))
            case "append" if operation["kind"] != "prompt":
                pieces.append((operation["kind"], operation["text"][repeated:]))
            case "begin":
                pieces = [("cut", text) for _, text in pieces]
    yield from pieces


def _cut(pieces: Iterable[tuple[str, str]], offset: int) -> Iterator[tuple[str, str]]:
    """The pieces, with what is kept behind ``offset`` characters marked as cut."""
    for kind, text in pieces:
        if kind == "cut":
            yield kind, text
            continue
        yield kind, text[:offset]
        yield "cut", text[offset:]
        offset = max(0, offset - len(text))
