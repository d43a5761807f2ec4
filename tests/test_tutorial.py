"""The tutorial: what it has the reader write is taken from the page and run."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


CLASS, JUDGE, TRY = blocks("python")
(SHOWN,) = blocks("text")
(COMPARE,) = (block for block in blocks("") if "agentflow eval" in block)

WITH_A_MODEL = """
import re, sys
from agentflow import cli, models
from coins import fewest

def script(prompt):
    coins = fewest(left := int(re.findall(r"The amount: (\\d+)", prompt)[-1]))
    steps = [f"Pay {coin}, left {(left := left - coin)}" for coin in coins]
    return "\\n".join(steps) + "\\n</think>\\nAnswer: " + " ".join(map(str, coins)) + "\\n"

model = models.ScriptedModel(script)

async def connect(*_, **__):
    return model

models.connect = connect
sys.argv[0] = "agentflow"
cli.main()
"""
"""The command line, where every model is one that pays with the fewest coins."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder that looks as if the page's package were installed in it."""
    (tmp_path / "coins.py").write_text(CLASS)
    project = tomllib.loads(blocks("toml")[0])["project"]
    info = tmp_path / "agentflow_coins-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    ((name, value),) = project["entry-points"]["agentflow.domains"].items()
    (info / "entry_points.txt").write_text(f"[agentflow.domains]\n{name} = {value}\n")
    return tmp_path


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), str(ROOT)])
    command = [sys.executable, *arguments]
    env = os.environ | {"PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, cwd=site, env=env)


@pytest.mark.parametrize(("code", "printed"), [(JUDGE, ""), (TRY, SHOWN)])
def test_the_domain_runs_without_a_model(site: Path, code: str, printed: str) -> None:
    done = run(site, "-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


def test_the_command_line_finds_the_domain_and_its_problems(site: Path) -> None:
    problems = [json.loads(line) for line in blocks("json")[0].splitlines()]
    coins = {problem["text"]: problem["gold"] for problem in problems}
    rows = [{"id": n, "problem": n, "trace": f"Answer: {paid}"} for n, paid in coins.items()]
    rows.append({"id": "wrong", "problem": "63", "trace": "Pay 50, left 12\nAnswer: 50 10 1 1 1"})
    (site / "traces.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = ("-m", "agentflow", "verify", "--domain", "coins", "--input", "traces.jsonl")
    done = run(site, *asked)
    assert done.returncode == 0, done.stderr
    judged = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["answer_ok"] for one in judged] == [True, True, True, False]
    assert judged[-1]["first_wrong_step"] == 0


def test_the_comparison_ends_in_a_report(site: Path) -> None:
    (site / "amounts.jsonl").write_text(blocks("json")[0])
    for line in COMPARE.splitlines():
        program, *arguments = shlex.split(line)
        assert program == "agentflow"
        done = run(site, "-c", WITH_A_MODEL, *arguments)
        assert done.returncode == 0, done.stderr
    assert "| direct | 3 | 100.0 %" in done.stdout
    assert (site / "report" / "index.html").is_file()
