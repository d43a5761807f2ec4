"""The tutorial: its code is taken from the page and run."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from forks import Forks
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow import domains
from agentflow.errors import BadInput
from agentflow.models import ScriptedModel

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "write-a-domain.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


CLASS, TRY, ANSWERS_ALONE = blocks("python")


def test_the_class_is_short() -> None:
    assert len(CLASS.splitlines()) < 60
    assert max(map(len, CLASS.splitlines())) <= 100


def test_the_code_of_the_page_runs(forks: Forks) -> None:
    done = forks.run(f"{CLASS}\n{TRY}", folder=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_domain_without_steps_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS_ALONE], capture_output=True, text=True, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_problems_that_are_none() -> None:
    space: dict[str, Any] = {"__name__": "brackets"}
    exec(compile(CLASS, "page", "exec"), space)
    domain = space["Brackets"](None)
    for text in ("", "( x", "( ]", ")"):
        with pytest.raises(BadInput, match=r"^brackets: .*example: "):
            domain.parse(text)


@given(st.text(st.sampled_from("])} or(I x")))
def test_an_answer_that_is_not_understood_is_undecided(answer: str) -> None:
    space: dict[str, Any] = {"__name__": "brackets"}
    exec(compile(CLASS, "page", "exec"), space)
    domain = space["Brackets"](None)
    verdict = asyncio.run(domain.verify_answer(domain.parse("( [ { }"), answer))
    understood = "".join(answer.split())
    read = bool(understood) and not understood.strip("])}")
    assert verdict.ok == ((understood == "])") if read else None)


def test_an_undecided_answer_is_not_refuted_in_a_run() -> None:
    space: dict[str, Any] = {"__name__": "brackets"}
    exec(compile(CLASS, "page", "exec"), space)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(domains.DOMAINS, "brackets", space["Brackets"])
        script = {r"<think>\n": "Hm.\n</think>\nAnswer: I do not know", "": " I do not know"}
        result = agentflow.solve(
            "( [ { }", "direct", model=ScriptedModel(script), domain="brackets"
        )
    assert (result.status, result.answer) == ("exhausted", None)
    assert "could not read 'I do not know" in result.reason


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the package of the page installed in it, and with entry points gone wrong."""
    halves = "\n\nclass Half(Domain):\n    name = 'half'\n\nclass Apart:\n    name = 'apart'\n"
    (tmp_path / "brackets.py").write_text(CLASS + halves)
    group = tomllib.loads(blocks("toml")[0])["project"]["entry-points"]["agentflow.domains"]
    points = "".join(f"{name} = {value}\n" for name, value in group.items())
    points += "broken = nowhere:Nothing\nmisnamed = brackets:Brackets\n"
    points += "half = brackets:Half\napart = brackets:Apart\ngame24 = brackets:Brackets\n"
    info = tmp_path / "agentflow_brackets-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: agentflow-brackets\nVersion: 0.1")
    (info / "entry_points.txt").write_text(f"[agentflow.domains]\n{points}")
    return tmp_path


def test_an_installed_domain_is_found_by_the_command_line(site: Path) -> None:
    traces = [
        {"id": 1, "problem": "( [", "trace": "Read 2 brackets, open: ( [\nAnswer: ] )"},
        {"id": 2, "problem": "( [", "trace": "Read 1 bracket, open: [\nAnswer: ] )"},
    ]
    command = ["verify", "--domain", "brackets", "--input", "-", "--output", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "agentflow", *command],
        input="".join(json.dumps(trace) + "\n" for trace in traces),
        capture_output=True,
        text=True,
        env=dict(os.environ) | {"PYTHONPATH": str(site)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["ok"], second["ok"], second["kind"]) == (True, False, "open")


def test_entry_points_that_cannot_be_used(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(site)
    domains._installed.cache_clear()
    try:
        assert domains.kind("brackets").name == "brackets"
        assert domains.kind("game24") is domains.Game24  # ours is never replaced
        assert domains.names().count("game24") == 1
        with pytest.raises(BadInput, match="broken: nowhere:Nothing cannot be loaded: ModuleNotF"):
            domains.get("broken")
        with pytest.raises(BadInput, match="must have the attribute name = 'misnamed'"):
            domains.get("misnamed")
        lacks = "parse, verify_answer, description, example"
        with pytest.raises(BadInput, match=f"half: brackets:Half lacks {lacks}"):
            domains.get("half")
        with pytest.raises(BadInput, match="apart: brackets:Apart must inherit from agentflow"):
            domains.get("apart")
        with pytest.raises(BadInput, match=r"unknown domain 'nope'; known: game24, .*brackets"):
            domains.get("nope")
    finally:
        domains._installed.cache_clear()
