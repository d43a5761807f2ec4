"""Draw the graph of a method or a verifier; nothing leaves this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from langchain_core.runnables.graph import Graph

from agentflow import graphs
from agentflow.errors import BadInput
from agentflow.version import install

_STYLE = {
    "graph": 'bgcolor="white" nodesep=0.5 ranksep=0.5',
    "node": 'shape=box style="rounded,filled" fillcolor="#eef2ff" color="#4f5d95" penwidth=1.2 '
    'fontname="Helvetica,Arial,DejaVu Sans,sans-serif" fontsize=12 margin="0.2,0.08"',
    "edge": 'color="#4f5d95" arrowsize=0.7 fontsize=10 '
    'fontname="Helvetica,Arial,DejaVu Sans,sans-serif"',
}
_END = 'shape=circle style=filled fillcolor="#4f5d95" label="" width=0.16 fixedsize=true'


def mermaid(method: str) -> str:
    """The graph as Mermaid text; what a condition decides is dotted.

    Raises:
        BadInput: If there is no such method.
    """
    return _graph(method).draw_mermaid()


def png(method: str) -> bytes:
    """The graph as a picture, laid out by Graphviz; what a condition decides is dashed.

    Raises:
        BadInput: If there is no such method, or Graphviz is not installed.
    """
    return picture(_dot(_graph(method)), "png")


def svg(method: str) -> bytes:
    """The same as :func:`png`, as SVG."""
    return picture(_dot(_graph(method)), "svg")


def picture(statements: Sequence[str], format: Literal["png", "svg"]) -> bytes:
    """A drawing in the style of ours.

    Args:
        statements: Nodes and edges in Graphviz's language.

    Raises:
        BadInput: If Graphviz is not installed.
    """
    try:
        import pygraphviz  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError as error:
        raise BadInput(
            "a PNG is drawn by Graphviz, which is not installed; "
            f"{install('draw')}, or use --format mermaid"
        ) from error
    style = [f"{kind} [{style}]" for kind, style in _STYLE.items()]
    style += ["dpi=144"] if format == "png" else []
    drawing = pygraphviz.AGraph(string="\n".join(["digraph {", *style, *statements, "}\n"]))
    try:
        return bytes(drawing.draw(format=format, prog="dot"))
    finally:
        drawing.close()


def _graph(method: str) -> Graph:
    drawn: Graph = graphs.module(method).graph.get_graph(xray=True)
    return drawn


def _dot(graph: Graph) -> list[str]:
    """The graph in Graphviz's language; the start and the end are dots."""
    lines = []
    for node in graph.nodes:
        style = _END if node in ("__start__", "__end__") else f'label="{node}"'
        lines.append(f'"{node}" [{style}]')
    for edge in graph.edges:
        style = "dashed" if edge.conditional else "solid"
        lines.append(
            f'"{edge.source}" -> "{edge.target}" [style={style} label="{edge.data or ""}"]'
        )
    return lines
