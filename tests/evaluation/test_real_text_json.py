"""The benchmark on recorded structured replies, on a few written for it."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

_FILE = Path(__file__).parents[2] / "benchmarks" / "real_text_json.py"
_SPEC = spec_from_file_location("real_text_json", _FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
BENCHMARK = module_from_spec(_SPEC)
sys.modules["real_text_json"] = BENCHMARK
_SPEC.loader.exec_module(BENCHMARK)

ASKED = "zeroeval/math-l5"


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    whole = [{"model": "m", "gold": None, "correct": None, "extra": {}} | row for row in rows]
    (folder / "some.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in whole))
    return folder


CALLED = {
    "task": "bfcl/simple",
    "output": "```python\n[a.b(x=1)]\n```",
    "correct": True,
    "extra": {"functions": [{"name": "a.b"}]},
}


def test_what_is_read_holds_the_goal(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {"task": ASKED, "output": '```json\n{"reasoning": "so", "answer": "\\frac12"}\n```'},
        {"task": ASKED, "output": '{"reasoning": "cut'},
        CALLED,
        {"task": "something else", "output": "{"},
    )
    (row,), held = BENCHMARK.section(folder)
    assert held
    assert (row["replies"], row["readable"], row["read"], row["malformed"]) == (3, 2, 2, 1)
    assert (row["json"], row["json, other"]) == (0, 1)


@pytest.mark.parametrize(
    "row",
    [
        {"task": ASKED, "output": 'It is not {"answer": "5"}'},
        CALLED | {"output": "[a.b(x=1), a.b(x=2"},
    ],
)
def test_what_a_person_reads_and_we_do_not_misses_it(tmp_path: Path, row: dict[str, Any]) -> None:
    assert not BENCHMARK.section(written(tmp_path, row))[1]
    assert BENCHMARK.main([str(tmp_path)]) == 1
