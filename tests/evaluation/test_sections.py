"""Sections of a report: by level and type, and what adaptive compute chose."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from agentflow.evaluation import runner, solutions, traces
from agentflow.evaluation.collected import Collected
from agentflow.evaluation.runner import Record
from agentflow.evaluation.sections import by_group, sections, usage
from agentflow.evaluation.summary import summary
from agentflow.ledger import Entry, record
from agentflow.problem import Problem
from agentflow.run import Result

PLAIN = Record("a", "p", 0, "unverified", "24", True, 9, 0, 9, 1, 0, 1.0, None, "Answer: 24")


def one(number: int, right: bool = True, **extra: Any) -> Record:
    return replace(PLAIN, problem=f"p{number}", right=right, extra=extra)


def collected(*records: Record) -> Collected:
    return Collected({"a": {"method": "direct"}}, {"a": list(records)})


def test_figure_2_accuracy_by_level() -> None:
    found = collected(
        *(one(n, n < 3, difficulty="1", type="Algebra") for n in range(4)),
        one(5, False, difficulty="10"),
        one(6, True, difficulty="2"),
        one(7),
    )
    levels = by_group(found, "difficulty")["a"]
    assert list(levels) == ["1", "2", "10"]
    assert [level.value for level in levels.values()] == [0.75, 1.0, 0.0]
    assert list(by_group(found, "type")["a"]) == ["Algebra"]
    text = "\n".join(sections(found))
    assert "## Accuracy by level" in text
    assert "## Tools" not in text


def test_figure_3_usage_of_tools_and_strategies() -> None:
    chosen = [
        {"tools": ["cot", "numeric verifier"], "strategy": "lookahead"},
        {"tools": ["cot"], "strategy": "best of n"},
        {"tools": [], "strategy": "best of n"},
        {"tools": ["self-reflection"], "strategy": "lookahead"},
    ]
    found = collected(one(0, choices=chosen[:2]), one(1, choices=chosen[2:]))
    assert usage(found, "tools")["a"] == {
        "cot": 0.5,
        "numeric verifier": 0.25,
        "direct generation": 0.25,
        "self-reflection": 0.25,
    }
    assert usage(found, "strategy")["a"] == {
        "lookahead": 0.5,
        "best of n": 0.25,
        "direct generation": 0.25,
    }
    assert usage(collected(one(0)), "tools") == {}


def result(*samples: dict[str, Any]) -> Result:
    ledger = record("solver/0", Entry("solver", 1, 10, 0, 5, cost=0.25))
    return Result("unverified", "24", "", [], samples=list(samples), ledger=ledger)  # type: ignore[arg-type]


def test_appendix_d_samples_and_dollars_are_kept() -> None:
    """VerifiAgent, appendix D: the mean number of samples, and what a problem costs."""
    chose = {"tools": ["cot"], "compute": {"strategy": "best of n", "param": 3}}
    kept = traces.keep(None, result(chose, chose), True)
    assert kept["samples"] == 2
    assert kept["choices"] == [{"tools": ["cot"], "strategy": "best of n"}] * 2
    line = summary("a", "direct", [one(0, **kept), one(1, **(kept | {"samples": 5}))], {})
    assert (line.samples, line.dollars) == (3.5, 0.25)
    bare = summary("a", "direct", [one(0)], {})
    assert (bare.samples, bare.dollars) == (None, None)


def test_a_record_tells_of_its_problem() -> None:
    problem = Problem("p", "math", data={"difficulty": 5, "type": "Algebra", "text": "p"})
    told = {"domain": "math", "type": "Algebra", "difficulty": "5"}
    found, other = runner.about(problem), runner.about(Problem("p", "math"))
    assert found.pop("source") != other.pop("source")
    assert (found, other) == (told, {"domain": "math"})


async def test_eval_verifier_reads_the_records_of_eval(tmp_path: Path) -> None:
    out = tmp_path / "runs.jsonl"
    right = replace(PLAIN, problem="What is 20 + 4?", extra={"domain": "math", "type": "sum"})
    wrong = replace(right, seed=1, right=False, text="Answer: 25")
    failed = replace(right, seed=2, status="failed")
    arm = {"name": "a", "method": "direct", "model": "m", "settings": {}, "version": "0"}
    rows = [arm, *map(asdict, (right, wrong, failed))]
    out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found, bad = await solutions.load([out], "records")
    assert bad == []
    assert [(one.given, one.right, one.type) for one in found] == [
        ("Answer: 24", True, "sum"),
        ("Answer: 25", False, "sum"),
    ]
    assert {one.problem.domain for one in found} == {"math"}
    with pytest.raises(KeyError):
        list(solutions.records({"problem": "p"}, "x"))
