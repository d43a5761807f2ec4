"""``benchmarks/real_text.py`` on the small sample of recordings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "tests" / "data" / "traces"


def printed(folder: Path, *options: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "real_text.py"), str(folder), *options],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_every_recording_of_the_sample_is_split_right() -> None:
    *_, last = printed(SAMPLE, "--only", "split").splitlines()
    known, _, rest = last.removeprefix("split: holds (").partition(" of a known format, ")
    assert int(known) >= 20
    assert rest.endswith("without; 0 wrong)")
    rows = json.loads(printed(SAMPLE, "--only", "split", "--json"))["split"]["rows"]
    told = {(row["file"], row["model"]): row["split"] for row in rows}
    assert told["mip_overthinking", "deepseek-r1"] == "only closed 2"
    assert told["mip_overthinking", "s1.1"] == "closed 2"
    assert told["mip_overthinking", "limo"] == "unmarked 2"
    assert told["marco_o1", "marco-o1 CoT demo data"] == "closed 4"


@pytest.mark.parametrize(
    ("file", "model", "output"),
    [
        ("mip_overthinking", "deepseek-r1", "so\n```\n</think>\n```\n4"),
        ("marco_o1", "marco-o1 CoT demo data", "so `</Thought>`"),
    ],
)
def test_a_recording_that_is_split_otherwise_misses_the_goal(
    tmp_path: Path, file: str, model: str, output: str
) -> None:
    row = {"id": "0", "model": model, "output": output}
    (tmp_path / f"{file}.jsonl").write_text(json.dumps(row), encoding="utf-8")
    text = printed(tmp_path, "--only", "split", code=1)
    assert "split: MISSED" in text.splitlines()[-1]
    assert f"missed: 0 ({file}, {model}): " in text


def test_a_folder_without_recordings(tmp_path: Path) -> None:
    assert printed(tmp_path, code=2) == ""
