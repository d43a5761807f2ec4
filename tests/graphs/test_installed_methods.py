"""Methods that an installed package brings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentflow import catalogue, graphs
from agentflow import installed as parts
from agentflow.errors import BadInput
from agentflow.graphs import interwhen

ROOT = Path(__file__).parent.parent.parent
OWN = (ROOT / "examples" / "own_graph.py").read_text(encoding="utf-8")
POINTS = """[agentflow.methods]
try_again = try_again
interwhen = try_again
critic = try_again
broken = nowhere
empty = json
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a package that has the graph of the example, and entry points gone wrong."""
    (tmp_path / "try_again.py").write_text(OWN.replace('METHODS["try_again"] = __name__', ""))
    info = tmp_path / "agentflow_try_again-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: agentflow-try-again\nVersion: 0.1")
    (info / "entry_points.txt").write_text(POINTS)
    return tmp_path


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(site)
    parts.installed.cache_clear()
    yield
    parts.installed.cache_clear()
    sys.modules.pop("try_again", None)


def test_it_is_found_by_the_command_line(site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agentflow", "solve", "4 7 8 8", "--method", "try_again", "--json"],
        capture_output=True,
        text=True,
        env=dict(os.environ) | {"PYTHONPATH": str(site)},
    )
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["method"] == "try_again"


@pytest.mark.usefixtures("installed")
class TestEntryPoints:
    def test_ours_are_never_replaced(self) -> None:
        assert graphs.get("interwhen") is interwhen
        assert "critic" not in graphs.methods()
        assert list(graphs.methods())[: len(graphs.METHODS)] == list(graphs.METHODS)
        assert graphs.get("try_again").graph.name == "try_again"
        assert {one["name"] for one in catalogue.settings("try_again")} >= {"seed", "model"}

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("broken", "method broken: nowhere cannot be loaded: ModuleNotFoundError"),
            ("empty", "method empty: json needs a compiled StateGraph named graph"),
            ("nope", r"unknown method 'nope'; known: .*, try_again"),
        ],
    )
    def test_those_that_cannot_be_used(self, name: str, why: str) -> None:
        with pytest.raises(BadInput, match=why):
            graphs.get(name)
