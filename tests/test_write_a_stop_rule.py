"""The page about stop rules of one's own: its code is taken from the page and run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from forks import Forks

from agentflow.models import embedded

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "write-a-stop-rule.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


CLASS, USE, NAME = blocks("python")
needs_model = pytest.mark.skipif(
    not embedded.bundled().is_file(), reason="the bundled model is not here"
)


def test_the_class_is_short() -> None:
    assert len([line for line in CLASS.splitlines() if line.strip()]) <= 15


@pytest.mark.slow
@needs_model
def test_the_code_of_the_page_runs(forks: Forks) -> None:
    done = forks.run(f"{CLASS}\n{USE}\n{NAME}", folder=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("verified ")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the package of the page installed in it."""
    (tmp_path / "sure.py").write_text(CLASS)
    group = tomllib.loads(blocks("toml")[0])["project"]["entry-points"]["agentflow.rules"]
    points = "".join(f"{name} = {value}\n" for name, value in group.items())
    info = tmp_path / "agentflow_sure-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: agentflow-sure\nVersion: 0.1")
    (info / "entry_points.txt").write_text(f"[agentflow.rules]\n{points}")
    return tmp_path


@pytest.mark.slow
@needs_model
def test_the_command_line_finds_an_installed_one(site: Path) -> None:
    rule = 'rules={"rule": "sure", "times": 3}'
    command = ["solve", "4 7 8 8", "--method", "early_exit", "--set", rule, "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "agentflow", *command, "--set", "check=line"],
        capture_output=True,
        text=True,
        env=dict(os.environ) | {"PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
    )
    assert (done.returncode, done.stderr) == (0, "")
    judged = json.loads(done.stdout)["judged"]
    assert judged[-1]["verdict"]["evidence"]["rules"] == {"sure": {"row": 3}}
