"""Trace files: small, whole, and refused where they are none."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow import trace_file
from agentflow.cli.report import page_of
from agentflow.errors import BadInput
from agentflow.evaluation.runner import Record
from agentflow.models import ScriptedModel
from agentflow.pages.sample import sample_of

SOLVED = " 2 4 7 8 : 8 - 7 = 1 -> 1 2 4\n</think>\nAnswer: 1\n"


async def solved() -> Any:
    return await agentflow.asolve("2 4 7 8", "interwhen", model=ScriptedModel(SOLVED))


async def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    result = await solved()
    name = trace_file.write(tmp_path / "new", result, True)
    found = trace_file.read(tmp_path / "new" / name)
    assert found["right"] is True
    whole = trace_file.lean(result.as_dict() | {"events": result.events}) | {"right": True}
    assert found == json.loads(json.dumps(whole))
    kept = "".join(p["t"] for p in sample_of(found)["tracks"][0]["pieces"] if p["k"] == "generated")
    assert kept.startswith(" 2 4 7 8 : 8 - 7 = 1")


async def test_nothing_stands_there_that_only_a_model_reads(tmp_path: Path) -> None:
    result = await solved()
    trace = trace_file.lean(result.as_dict() | {"events": result.events})
    assert {"ids", "ends"}.isdisjoint({key for one in trace["operations"] for key in one})
    assert {"ledger", "judged"}.isdisjoint(trace)
    assert {e["type"] for e in trace["events"]}.isdisjoint({"token", "state"})
    tokens = sum(o["tokens"] for o in trace["operations"] if o.get("kind") == "generated")
    assert tokens == result.trace.generated


async def test_states_are_kept_where_no_event_tells_them() -> None:
    result = await solved()
    assert trace_file.lean(result.as_dict())["judged"] == result.judged


async def test_a_saved_result_and_a_record_can_be_viewed(tmp_path: Path) -> None:
    result = await solved()
    (tmp_path / "result.json").write_text(json.dumps(result.as_dict()))
    assert "8 - 7 = 1" in page_of(tmp_path / "result.json")
    record = Record("direct", "p", 0, "unverified", "4", True, 7, 0, 5, 1, 0, 1.0, None, "so <b>4")
    (tmp_path / "record.jsonl").write_text(json.dumps(asdict(record)) + "\n")
    assert "so \\u003cb>4" in page_of(tmp_path / "record.jsonl")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a JSON object"),
        (b"{}\n{}\n", "not a JSON object; `agentflow report` shows a file of records"),
        (b"\xff\xfe", "not a JSON object"),
        (b"[]", "no result of a run"),
        (b"3", "no result of a run"),
        (b"{}", "no result of a run"),
        (b'{"arm": 1}', "no result of a run"),
        (b'{"format": 99}', "a trace in format 99; this version reads 1"),
        (b'{"format": 1}', "not a run that can be shown"),
        (b'{"operations": [{"op": "leap"}]}', "no result of a run"),
    ],
)
def test_what_is_no_run_is_refused_in_a_line(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"f\.jsonl: ") as refused:
        page_of(path)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        page_of(tmp_path / "none.json")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KNOWN = ("operations", "events", "samples", "problem", "cost", "cost_by_role", "judged", "status")


@given(st.data())
def test_a_run_that_is_broken_anywhere_is_shown_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole: dict[str, Any] = {
        "operations": [{"op": "append", "kind": "generated", "text": "ab", "ids": [], "ends": [2]}],
        "events": [{"type": "node", "name": "n", "inside": "", "seconds": 1, "operations": 1}],
        "samples": [],
        "problem": {"text": "p"},
        "cost": {"generated": 1},
        "cost_by_role": {},
        "judged": [],
        "status": "exhausted",
    }
    name = data.draw(st.sampled_from(KNOWN))
    broken = whole | {name: data.draw(PLAIN)}
    path = tmp_path_factory.mktemp("t") / "r.json"
    path.write_text(json.dumps(broken))
    with suppress(BadInput):
        assert page_of(path).startswith("<!doctype html>")
