"""Recorded files with one value in them that another program wrote: they are read, or named."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from made import chain, check

from agentflow.errors import BadInput
from agentflow.evaluation import (
    chains,
    control,
    plan,
    pool,
    runner,
    solutions,
    summary,
    trees,
    verdicts,
)
from agentflow.evaluation import report as reports
from agentflow.evaluation.capacity import capacities, cells
from agentflow.evaluation.collected import collect
from agentflow.evaluation.compute import Size
from agentflow.evaluation.plan import Plan
from agentflow.evaluation.records import Arm, described, lines_of
from agentflow.evaluation.replay import Replay
from agentflow.evaluation.runner import Record
from agentflow.evaluation.step_scores import markdown as steps_table
from agentflow.evaluation.step_scores import rows as step_rows
from agentflow.evaluation.summary import by_difficulty
from agentflow.evaluation.verdict_scores import markdown as verdicts_table
from agentflow.evaluation.verdict_scores import rows as verdict_rows
from agentflow.evaluation.verdicts import Judgement
from agentflow.ledger import Entry

VALUES: list[Any] = [None, True, -1, 0, 1.5, 10**400, "x", "", [], [None], {}, {"x": None}]
GONE = object()
ROLES = {"solver": asdict(Entry("solver", 1, 10, 0, 5)), "probe": asdict(Entry("probe"))}
DRAW = {"group": 0, "behind": -1, "scores": [1.0, 0.5], "tokens": [3, 4], "done": True}
TREE = {"strategy": "best of n", "param": 8, "scorer": "rules", "draws": [DRAW | {"right": True}]}


def record(seed: int, **extra: Any) -> dict[str, Any]:
    numbers = (5, 0, 10, 1, 0, 0.5, 4)
    return asdict(Record("a", "4 7 8 8", seed, "verified", "x", True, *numbers, "text", "", extra))


def judgement(**more: Any) -> dict[str, Any]:
    told = {"agreement": 0.5, "calls": [{"tool": "search"}], "outcomes": [0]}
    return asdict(Judgement("a", "1", "d", "", "", told, ROLES, 0.5, True)) | more


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a line."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*at, key)
        if isinstance(one, dict | list):
            yield from places(one, (*at, key))


def changed(line: dict[str, Any], at: tuple[Any, ...], value: Any) -> dict[str, Any]:
    found = deepcopy(line)
    where: Any = found
    for key in at[:-1]:
        where = where[key]
    if value is GONE:
        del where[at[-1]]
    else:
        where[at[-1]] = value
    return found


def report(path: Path) -> None:
    found = collect([path])
    told = reports.report_on(found)
    reports.markdown(told), reports.table(told), by_difficulty(found)
    (path.parent / "samples").mkdir(exist_ok=True)
    reports._samples(found, path.parent / "samples")
    list(map(cells, capacities(found, 10.0, prompt_tokens_per_second=5.0)))


def judged(path: Path) -> None:
    found = verdicts.load(path)
    verdicts_table(verdict_rows(found))
    steps_table(step_rows(found, 7.0))


def voted(path: Path) -> None:
    pool.markdown(pool.votes([one for one in verdicts.load(path) if one.kind == "pool"]))


def learned(path: Path) -> None:
    control.fit(trees.load(path), trees.scored_by(path), 2.0)


def replayed(path: Path) -> None:
    Replay(chains.load(path))


def resumed(path: Path) -> None:
    described(path)
    summary.markdown(summary.rows(runner.load(path), "a"), "a")


def solved(path: Path) -> None:
    """Rows of another type are named beside the solutions; here the first is none."""
    _, bad = asyncio.run(solutions.load([path], "records", "game24"))
    if bad:
        raise BadInput(bad[0])


FAST = {"outcomes": [0, -1], "generated": [3, 4], "prompt": 10}
POOL = judgement(kind="pool", evidence={"fast": FAST, "slow": FAST}, right=None, label=0)
CHAIN = {"chain": asdict(replace(chain([check(3)]), end=check(5)))}
CHOICES = [{"tools": ["search"], "strategy": "beam"}]
ABOUT = {"domain": "game24", "type": "t", "difficulty": "1"}
KEPT = ABOUT | {"roles": ROLES, "judged": True, "samples": 2, "choices": CHOICES, "trace": "t"}
FILES: dict[str, tuple[Callable[[Path], None], str, list[dict[str, Any]]]] = {
    "report": (report, "direct", [record(0, **KEPT), record(1, **KEPT)]),
    "resumed": (resumed, "direct", [record(0, **KEPT), record(1, **KEPT)]),
    "solved": (solved, "direct", [record(0, **KEPT), record(1, **KEPT)]),
    "judged": (judged, "flexive", [judgement(), judgement(digest="e", right=False, label=0)]),
    "pool": (voted, "pool", [POOL, POOL | {"digest": "e", "label": -1}]),
    "trees": (learned, "adaptive_compute", [record(0, domain="game24", trees=[TREE])]),
    "chains": (replayed, "early_exit", [record(0, **CHAIN)]),
}


def write(path: Path, method: str, lines: list[dict[str, Any]]) -> None:
    (arm,) = lines_of([Arm("a", method)], "m").values()
    path.write_text("".join(json.dumps(line) + "\n" for line in [arm, *lines]))


@pytest.mark.parametrize("name", FILES)
def test_a_value_of_another_type_is_named_or_does_no_harm(tmp_path: Path, name: str) -> None:
    use, method, lines = FILES[name]
    path, refused = tmp_path / "r.jsonl", 0
    write(path, method, lines)
    use(path)  # as they were written
    for at in places(lines[0]):
        for value in [*VALUES, GONE]:
            write(path, method, [changed(lines[0], at, value), *lines[1:]])
            try:
                use(path)
            except BadInput as error:
                refused += "line 2: " in str(error)
            except Exception as error:  # told with what it fell over
                raise AssertionError(f"{'.'.join(map(str, at))}: {value!r:.20}") from error
    assert refused > 50


def test_so_is_one_in_a_plan(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    write(path, "direct", FILES["report"][2])
    whole = asdict(Plan("game24", {"a": 2}, {"a": {"solver": Size(7.0, 100)}}))
    beside = plan.path_of(path)
    for at in places(whole):
        for value in [*VALUES, GONE]:
            beside.write_text(json.dumps(changed(whole, at, value)))
            try:
                report(path)
            except BadInput as error:
                assert str(beside) in str(error)  # noqa: PT017
            except Exception as error:
                raise AssertionError(f"{'.'.join(map(str, at))}: {value!r:.20}") from error
