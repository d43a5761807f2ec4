"""``benchmarks/real_text.py`` on the small sample of recordings."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from forks import Forks

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

from real import cost  # noqa: E402
from real.recordings import Recording, read  # noqa: E402

RUN = f"""
import runpy, sys
sys.path.insert(0, {str(ROOT / "benchmarks")!r})
runpy.run_path({str(ROOT / "benchmarks" / "real_text.py")!r}, run_name="__main__")
"""
SAMPLE = ROOT / "tests" / "data" / "traces"


def printed(forks: Forks, folder: Path, *options: str, code: int = 0) -> str:
    done = forks.run(RUN, str(folder), *options)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_every_recording_of_the_sample_is_split_right(forks: Forks) -> None:
    *_, last = printed(forks, SAMPLE, "--only", "split").splitlines()
    known, _, rest = last.removeprefix("split: holds (").partition(" of a known format, ")
    assert int(known) >= 20
    assert rest.endswith("without; 0 wrong)")
    rows = json.loads(printed(forks, SAMPLE, "--only", "split", "--json"))["split"]["rows"]
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
    forks: Forks, tmp_path: Path, file: str, model: str, output: str
) -> None:
    row = {"id": "0", "model": model, "output": output}
    (tmp_path / f"{file}.jsonl").write_text(json.dumps(row), encoding="utf-8")
    text = printed(forks, tmp_path, "--only", "split", code=1)
    assert "split: MISSED" in text.splitlines()[-1]
    assert f"missed: 0 ({file}, {model}): " in text


def test_hardly_a_claim_in_a_right_recording_of_the_sample_is_refuted(forks: Forks) -> None:
    *_, last = printed(forks, SAMPLE, "--only", "claims").splitlines()
    refuted, _, rest = last.removeprefix("claims: holds (").partition(" of ")
    assert refuted == "0"
    assert int(rest.partition(" lines read as claims")[0]) >= 80
    rows = json.loads(printed(forks, SAMPLE, "--only", "claims", "--json"))["claims"]["rows"]
    assert {row["file"] for row in rows} >= {"countdown_qwen3", "mip_overthinking"}
    for row in rows:
        assert row["claims"] == row["passed"] + row["undecided"] + row["refuted"]
        assert row["passed"] + row["unread"] > 0 or row["claims"] == 0


def test_what_is_refuted_in_a_right_recording_is_shown(forks: Forks, tmp_path: Path) -> None:
    said = "<think>\n2 + 2 = 4\n3 * 7 = 22\nIs 2 + 2 = 5?\n</think>\nsin(1) = 0.84\n"
    right = {"id": "0", "model": "m", "correct": True, "problem": None, "output": said}
    rows = [right, {**right, "id": "1", "correct": False}, {**right, "id": "2", "correct": None}]
    (tmp_path / "qwen_math.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "farel.jsonl").write_text(json.dumps(right), encoding="utf-8")  # no mathematics
    text = printed(forks, tmp_path, "--only", "claims", code=1)
    assert "| qwen_math | m | 1 | 3 | 1 | 1 | 1 | 0 |" in text
    assert "farel" not in text
    assert [line for line in text.splitlines() if line.startswith("missed")] == [
        "missed: 0 (qwen_math, m): '3 * 7 = 22': 3 * 7 is 21, not 22"
    ]
    assert "claims: MISSED (1 of 3 lines" in text


def test_the_cost_is_no_section_of_every_run(forks: Forks, tmp_path: Path) -> None:
    row = {"id": "0", "model": "m", "task": "t", "output": "It is so.\n"}
    (tmp_path / "farel.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert set(json.loads(printed(forks, tmp_path, "--json"))) == {
        *("split", "candidates", "claims", "json")
    }


def recorded(*texts: str) -> list[Recording]:
    return [Recording("f", {"id": str(n), "output": text}) for n, text in enumerate(texts)]


def counted(price: Callable[[str], int], recordings: list[Recording]) -> cost.Cost:
    """What a reader costs that needs so many seconds for a text, by a clock of its own."""
    spent = 0

    def reader(one: Recording, text: str) -> None:
        nonlocal spent
        spent += price(text)

    return cost.measured(reader, recordings, lambda: spent, lambda: 1.0)


def test_the_cost_of_a_token() -> None:
    recordings = recorded(*["a b c\n" * 50] * 12, "? b c\n" * 50, "?")
    found = counted(lambda text: text.count("\n") * (3 if "?" in text else 1), recordings)
    assert found.tokens == 13 * 200 + 1
    assert found.overall == pytest.approx((12 * 50 + 150) / found.tokens * 1e6)
    assert len(found.slowest) == cost.SLOWEST
    assert found.slowest[0] == (150 / 200 * 1e6, recordings[12])
    assert {spent for spent, _ in found.slowest[1:]} == {50 / 200 * 1e6}
    assert found.growth == 1
    assert found.degenerate == pytest.approx((12 * 50 + 150) / (13 * 200) * 1e6)


def test_the_cost_that_grows_with_the_text() -> None:
    found = counted(lambda text: len(text) ** 2, recorded("a b c\n" * 50, "a\n" * 200))
    assert found.growth == pytest.approx(cost.PIECES, rel=0.01)


def test_the_readers_are_timed_on_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    recordings = [one for one in read(SAMPLE) if one.file == "countdown_qwen3"][:5]
    monkeypatch.setattr(cost, "PIECE", 500)
    monkeypatch.setattr(cost, "GOAL", float("inf"))
    monkeypatch.setattr(cost, "GROWTH", float("inf"))
    finding = cost.section(recordings)
    assert finding.holds
    assert [row["reader"] for row in finding.rows] == ["answers", "math", "game24"]
    assert {row["tokens"] for row in finding.rows} == {525}
    assert not finding.missed
    monkeypatch.setattr(cost, "GROWTH", 0.0)
    assert not cost.section(recordings).holds
    monkeypatch.setattr(cost, "GROWTH", float("inf"))
    monkeypatch.setattr(cost, "GOAL", 0.0)
    finding = cost.section(recordings)
    assert not finding.holds
    long = [one for one in recordings if len(one.output) > 300]
    assert len(finding.missed) == len(long) * len(finding.rows) > 0


def test_a_folder_without_recordings(forks: Forks, tmp_path: Path) -> None:
    assert printed(forks, tmp_path, code=2) == ""
