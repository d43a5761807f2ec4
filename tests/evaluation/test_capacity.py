"""Problems an hour and their price, against sums made by hand."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.errors import BadInput
from agentflow.evaluation.capacity import capacities, cells
from agentflow.evaluation.collected import Collected
from agentflow.evaluation.records import arm_line
from agentflow.evaluation.runner import Record
from agentflow.ledger import Entry


def record(problem: str, tokens: int, right: bool = True, *, cached: int = 0) -> Record:
    roles = {"solver": asdict(Entry("solver", 1, 100, cached, tokens, 0, 0.1))}
    return Record(
        *("a", problem, 0, "verified", "x", right, tokens),
        *(0, 100, 1, 0, 0.1, None, ""),
        extra={"roles": roles},
    )


def collected(*records: Record) -> Collected:
    return Collected({"a": {"name": "a"}}, {"a": [*records]})


def test_against_a_hand_count() -> None:
    failed = replace(record("r", 9_999, False), status="failed")
    found = collected(record("p", 300, cached=50), record("q", 500, False), failed)
    (line,) = capacities(found, 200, prompt_tokens_per_second=150, servers=3, price_per_hour=9)
    assert (line.generated, line.read) == (400, 75)
    assert line.seconds == pytest.approx(2 + 0.5)
    assert line.problems == pytest.approx(3 * 1440)
    assert line.right == pytest.approx(3 * 720)
    assert line.price == pytest.approx(9 / 1440 * 1000)
    assert line.price_right == pytest.approx(2 * 9 / 1440 * 1000)
    assert cells(line)["problems an hour"] == "4,320"


def test_what_is_not_known_is_left_out() -> None:
    (line,) = capacities(collected(record("p", 300, False)), 100)
    assert (line.seconds, line.price, line.price_right) == (3, None, None)
    (line,) = capacities(collected(record("p", 300, False)), 100, price_per_hour=0)
    assert (line.price, line.price_right) == (0, None)
    assert capacities(collected(replace(record("p", 1), status="failed")), 100) == []
    with pytest.raises(BadInput, match="arm 'a' used no tokens"):
        capacities(collected(record("p", 0)), 100)


@given(st.lists(st.integers(1, 10_000), min_size=1), st.integers(1, 9), st.floats(0.1, 1e6))
def test_price_times_throughput_is_what_the_servers_cost(
    tokens: list[int], servers: int, rate: float
) -> None:
    found = collected(*(record(str(n), one) for n, one in enumerate(tokens)))
    (line,) = capacities(found, rate, servers=servers, price_per_hour=2.5)
    assert line.price is not None
    assert line.price / 1000 * line.problems == pytest.approx(2.5 * servers)


def test_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    lines = [arm_line("a", "direct", {}, "m"), asdict(record("p", 300))]
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def run(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["capacity", str(out), *arguments])
        return done.exit_code, done.output

    code, said = run("--tokens-per-second", "100", "--price-per-hour", "6")
    assert code == 0
    assert said.splitlines()[2] == "| a | 300 | 100 | 3 | 1,200 | 1,200 | 5.00 | 5.00 |"
    code, said = run("--tokens-per-second", "100", "--json")
    assert json.loads(said)[0]["problems"] == 1200
    assert run("--tokens-per-second", "0")[0] == 2
    assert run("--servers", "2")[0] == 2
