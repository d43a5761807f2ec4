"""Drawings of the graphs, and the command that makes them."""

from __future__ import annotations

import re
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow import BadInput, draw
from agentflow.cli import app
from agentflow.graphs import METHODS, VERIFIERS, get, verifier
from agentflow.version import install

PNG = b"\x89PNG\r\n\x1a\n"


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["graph", *arguments])


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing leaves this machine."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a drawing opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize("method", METHODS)
def test_mermaid_has_every_step(method: str) -> None:
    shown = run(method)
    assert shown.exit_code == 0, shown.stderr
    text = shown.stdout.replace(r"\3a", ":")  # Mermaid's spelling in the names of inner steps
    drawn = set(re.findall(r"^\t([\w:]+) (-->|-\.->) ([\w:]+);$", text, re.MULTILINE))
    edges = get(method).graph.get_graph(xray=True).edges
    assert drawn == {(e.source, "-.->" if e.conditional else "-->", e.target) for e in edges}
    assert any(re.search("solve|reason", target) for _, _, target in drawn)


@pytest.mark.parametrize("name", VERIFIERS)
def test_verifiers_are_drawn_too(name: str) -> None:
    shown = run(name)
    assert shown.exit_code == 0, shown.stderr
    inside = {node.rpartition(":")[2] for node in verifier(name).graph.get_graph(xray=True).nodes}
    assert {"read", "__end__"} < inside
    steps = [node for node in inside if not node.startswith("__")]
    assert all(re.search(rf"(\(|\\3a){node}\b", shown.stdout) for node in steps)


def test_it_is_written_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "direct.mmd"
    shown = run("direct", "--output", str(file))
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert file.read_text() == draw.mermaid("direct") == run("direct").stdout


def test_a_png_is_a_picture_that_grows_with_the_graph(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz", reason="needs the extra 'draw'")
    sizes = []
    for method in ("direct", "interwhen"):
        file = tmp_path / f"{method}.png"
        shown = run(method, "--format", "png", "--output", str(file))
        assert shown.exit_code == 0, shown.stderr
        data = file.read_bytes()
        assert data.startswith(PNG)
        sizes.append(struct.unpack(">II", data[16:24]))
    (narrow, low), (wide, high) = sizes
    assert narrow > 100
    assert wide > narrow
    assert high > low


def test_a_first_drawing_is_like_the_next() -> None:
    """Graphviz, fresh in a process, left labels out that it had to think of itself."""
    pytest.importorskip("pygraphviz", reason="needs the extra 'draw'")
    twice = "from agentflow.draw import png; print(png('direct') == png('direct'))"
    done = subprocess.run([sys.executable, "-c", twice], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_an_svg_names_every_step() -> None:
    pytest.importorskip("pygraphviz")
    text = draw.svg("interwhen").decode()
    nodes = get("interwhen").graph.get_graph(xray=True).nodes
    assert all(f">{node}</text>" in text for node in nodes if not node.startswith("__"))


def test_a_png_goes_to_a_pipe_but_not_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "png", lambda method: PNG)
    assert run("direct", "--format", "png").stdout_bytes == PNG
    monkeypatch.setattr("agentflow.cli.look.sys", type("sys", (), {"stdout": Terminal}))
    shown = run("direct", "--format", "png")
    assert shown.exit_code == 2
    assert shown.stderr == "error: a PNG would garble the terminal; give --output FILE\n"
    assert run("direct").exit_code == 0


class Terminal:
    @staticmethod
    def isatty() -> bool:
        return True


def test_without_graphviz_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(BadInput, match=re.escape(install("draw"))):
        draw.png("direct")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["interwehn"],
            "error: unknown method 'interwehn'; known: active_retrieval, adaptive_branching",
        ),
        (["direct", "--output", "/nowhere/at/all"], "error: /nowhere/at/all: cannot be written"),
        (["direct", "--format", "svg"], "'svg' is not one of 'mermaid', 'png'"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], says: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert says in shown.stderr
