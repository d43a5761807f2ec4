"""Draw a method's graph; nothing leaves this machine."""

from __future__ import annotations

from langchain_core.runnables.graph import Graph

from agentflow import graphs
from agentflow.errors import BadInput

_STYLE = {
    "graph": 'bgcolor="white" dpi=144 nodesep=0.5 ranksep=0.5',
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
    graph = _graph(method)
    try:
        import pygraphviz  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError as error:
        raise BadInput(
            "a PNG is drawn by Graphviz, which is not installed; "
            "pip install 'agentflow[draw]', or use --format mermaid"
        ) from error
    drawing = pygraphviz.AGraph(string=_dot(graph))
    try:
        return bytes(drawing.draw(format="png", prog="dot"))
    finally:
        drawing.close()


def _graph(method: str) -> Graph:
    drawn: Graph = graphs.get(method).graph.get_graph(xray=True)
    return drawn


def _dot(graph: Graph) -> str:
    """The graph in Graphviz's language; the start and the end are dots."""
    lines = [f"{kind} [{style}]" for kind, style in _STYLE.items()]
    for node in graph.nodes:
        style = _END if node in ("__start__", "__end__") else f'label="{node}"'
        lines.append(f'"{node}" [{style}]')
    for edge in graph.edges:
        style = "dashed" if edge.conditional else "solid"
        lines.append(
            f'"{edge.source}" -> "{edge.target}" [style={style} label="{edge.data or ""}"]'
        )
    return "digraph {\n" + "\n".join(lines) + "\n}\n"
