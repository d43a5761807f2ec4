"""Write a domain: its code is taken from the page and run, its class from the tutorial."""

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
from agentflow import domains, installed
from agentflow.errors import BadInput
from agentflow.models import ScriptedModel

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


CLASS, _, TRY = blocks("tutorial.md", "python")
ANSWERS_ALONE, IN_BLOCKS = blocks("write-a-domain.md", "python")

SPACE: dict[str, Any] = {"__name__": "coins"}
exec(compile(CLASS, "page", "exec"), SPACE)
Coins = SPACE["Coins"]


def test_the_class_is_short() -> None:
    assert len(CLASS.splitlines()) <= 72  # the pages say 70 lines
    assert max(map(len, CLASS.splitlines())) <= 100


def test_a_domain_without_steps_runs(forks: Forks) -> None:
    done = forks.run(ANSWERS_ALONE, folder=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_answer_in_a_block_of_code_is_read() -> None:
    exec(compile(IN_BLOCKS, "page", "exec"), space := {})
    domain = type("Whole", (space["Queries"],), {"parse": None, "verify_answer": None})(None)
    reply = "Here it is.\n```sql\nselect name\nfrom items;\n```\nIt lists the items."
    assert domain.answer(reply) == "select name\nfrom items;"
    assert domain.answer(f"{domain.opening}select 1") == "select 1"
    assert domain.answer("Answer: select 1") == "select 1"
    assert domain.answer("There is none.") is None


def test_problems_that_are_none() -> None:
    for text in ("", "0", "ten", "6 3", "-5", "12345", "1.5"):
        with pytest.raises(BadInput, match=r"^coins: .*example: "):
            Coins(None).parse(text)


def test_the_fewest_coins_are_the_only_ones_of_their_number() -> None:
    """So that the domain may call every other answer wrong."""
    ways = {0: {()}}
    for amount in range(1, 300):
        found = {
            tuple(sorted((*way, coin), reverse=True))
            for coin in SPACE["COINS"]
            if coin <= amount
            for way in ways[amount - coin]
        }
        least = min(map(len, found))
        ways[amount] = {way for way in found if len(way) == least}
        assert ways[amount] == {tuple(SPACE["fewest"](amount))}


@given(st.text(st.sampled_from("50 10 2 1,+ or.I-x")))
def test_an_answer_that_is_not_understood_is_undecided(answer: str) -> None:
    domain = Coins(None)
    verdict = asyncio.run(domain.verify_answer(domain.parse("63"), answer))
    words = re.split(r"[\s,+]+", answer.strip().removesuffix("."))
    read = all(word.isdigit() and len(word) <= 2 for word in words)
    right = read and sorted(map(int, words)) == [1, 2, 10, 50]
    assert verdict.ok == (right if read else None)


@pytest.mark.parametrize("answer", ["50 10 2 1", "1, 2, 10, 50", "50 + 10 + 2 + 1", " 50 10 2 1. "])
def test_right_answers_in_other_forms(answer: str) -> None:
    domain = Coins(None)
    assert asyncio.run(domain.verify_answer(domain.parse("63"), answer)).ok


def test_unified_lets_the_script_try_again_before_it_says_what_is_wrong() -> None:
    script = TRY.replace('"interwhen"', '"unified"').replace("1)\n", "4)\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(domains.DOMAINS, "coins", Coins)
        space = dict(SPACE)
        exec(compile(script.replace("from coins import Coins\n", ""), "page", "exec"), space)
    result = space["result"]
    assert (result.status, result.answer, result.corrections) == ("verified", "50 10 2 1", 4)


def test_an_undecided_answer_is_not_refuted_in_a_run() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(domains.DOMAINS, "coins", Coins)
        script = {r"<think>\n": "Hm.\n</think>\nAnswer: I do not know", "": " I do not know"}
        result = agentflow.solve("63", "direct", model=ScriptedModel(script), domain="coins")
    assert (result.status, result.answer) == ("exhausted", None)
    assert "could not read 'I do not know" in result.reason


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the tutorial's package installed in it, and with entry points gone wrong."""
    halves = "\n\nclass Half(Domain):\n    name = 'half'\n\nclass Apart:\n    name = 'apart'\n"
    (tmp_path / "coins.py").write_text(CLASS + halves)
    project = tomllib.loads(blocks("tutorial.md", "toml")[0])["project"]
    group = project["entry-points"]["agentflow.domains"]
    points = "".join(f"{name} = {value}\n" for name, value in group.items())
    points += "broken = nowhere:Nothing\nmisnamed = coins:Coins\n"
    points += "half = coins:Half\napart = coins:Apart\ngame24 = coins:Coins\n"
    info = tmp_path / "agentflow_coins-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: agentflow-coins\nVersion: 0.1")
    (info / "entry_points.txt").write_text(f"[agentflow.domains]\n{points}")
    return tmp_path


def test_an_installed_domain_is_found_by_the_command_line(site: Path) -> None:
    traces = [
        {"id": 1, "problem": "12", "trace": "Pay 10, left 2\nAnswer: 10 2"},
        {"id": 2, "problem": "12", "trace": "Pay 9, left 3\nAnswer: 10 2"},
    ]
    command = ["verify", "--domain", "coins", "--input", "-", "--output", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "agentflow", *command],
        input="".join(json.dumps(trace) + "\n" for trace in traces),
        capture_output=True,
        text=True,
        env=dict(os.environ) | {"PYTHONPATH": str(site)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["ok"], second["ok"], second["kind"]) == (True, False, "coin")


def test_entry_points_that_cannot_be_used(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(site)
    installed.installed.cache_clear()
    try:
        assert domains.kind("coins").name == "coins"
        assert domains.kind("game24") is domains.Game24  # ours is never replaced
        assert domains.names().count("game24") == 1
        with pytest.raises(BadInput, match="broken: nowhere:Nothing cannot be loaded: ModuleNotF"):
            domains.get("broken")
        with pytest.raises(BadInput, match="must have the attribute name = 'misnamed'"):
            domains.get("misnamed")
        lacks = "parse, verify_answer, description, example"
        with pytest.raises(BadInput, match=f"half: coins:Half lacks {lacks}"):
            domains.get("half")
        with pytest.raises(BadInput, match="apart: coins:Apart must inherit from agentflow"):
            domains.get("apart")
        with pytest.raises(BadInput, match=r"unknown domain 'nope'; known: game24, .*coins"):
            domains.get("nope")
    finally:
        installed.installed.cache_clear()
