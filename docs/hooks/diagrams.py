"""Mermaid's flow charts, as far as our pages use them, drawn by Graphviz when the site is built.

A browser would have to fetch Mermaid to draw them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow import draw

_FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ARROW = re.compile(
    r"\s*(?:(?P<both><-->)|-\.\s+(?P<dotted>.+?)\s+\.->|(?P<dots>-\.->)|--\s+(?P<solid>.+?)\s+-->|-->)\s*"
)
_NODE = re.compile(r'(\w+)(?:\["([^"]+)"\])?')


def drawn(markdown: str) -> str:
    """A page with its Mermaid blocks as pictures.

    Raises:
        ValueError: If one says something that is not read here.
    """
    return _FENCE.sub(lambda found: figure(picture(found[1])), markdown)


def picture(mermaid: str) -> bytes:
    """A flow chart as SVG."""
    return draw.picture(list(statements(mermaid)), "svg")


def figure(svg: bytes) -> str:
    """A picture as it stands in a page: on one line, so that Markdown leaves it alone."""
    text = svg.decode()
    return f'<div class="figure">{" ".join(text[text.index("<svg") :].split())}</div>'


def statements(mermaid: str) -> Iterator[str]:
    """A flow chart in Graphviz's language."""
    head, *lines = mermaid.strip().splitlines()
    if not (direction := re.fullmatch(r"graph (LR|TB)", head)):
        raise ValueError(f"a chart begins with graph LR or graph TB, not with {head!r}")
    yield f"rankdir={direction[1]}"
    for line in filter(str.strip, lines):
        yield from _edges(line.strip())


def _edges(line: str) -> Iterator[str]:
    position, sources, arrow = 0, list[str](), ""
    while position < len(line):
        found = _ARROW.search(line, position)
        end = found.start() if found else len(line)
        nodes = []
        for part in line[position:end].split("&"):
            if not (node := _NODE.fullmatch(part.strip())):
                raise ValueError(f"no node: {part.strip()!r} in {line!r}")
            nodes.append(node[1])
            if node[2]:
                yield f'"{node[1]}" [label="{node[2]}"]'
        for source in sources:
            yield from (f'"{source}" -> "{node}" [{arrow}]' for node in nodes)
        if found is None:
            return
        label = found["dotted"] or found["solid"] or ""
        style = "dashed" if found["dots"] or found["dotted"] else "solid"
        arrow = f'style={style} label="{label}"' + (" dir=both" if found["both"] else "")
        sources, position = nodes, found.end()
    raise ValueError(f"an arrow leads nowhere: {line!r}")
