"""The runner: one record each, resume, an independent judge of answers."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from forks import Forks

from agentflow.domains import Game24
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable
from agentflow.evaluation.datasets import held_out, right
from agentflow.evaluation.records import Arm, whole_lines
from agentflow.evaluation.runner import ARMS, load, run
from agentflow.evaluation.summary import rows
from agentflow.models import Capabilities, Fault, ScriptedModel, Token
from agentflow.models.model import Finish, Request
from agentflow.profile import PROFILES
from agentflow.version import __version__

THINKING = " 1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n 1 4 6 : 6 * 4 = 24 -> 1 24\n"
CLAIM = "Answer: ( ( 12 - 8 ) * 6 ) * 1 = 24\n"
SOLVED = f"{THINKING} 1 24 : 24 * 1 = 24 -> 24\n{CLAIM}and on and on\n</think>\n{CLAIM}"
DIRECT = Arm("direct", "direct")
PUZZLE = Game24().parse("1 6 8 12")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("(12 - 8) * 6 * 1", True),
        ("6 * (12 - 8) / 1", True),
        ("(12 - 8) * 6", False),
        ("12 + 8 + 6 - 1", False),
        ("no idea", False),
        ("", False),
        (None, False),
    ],
)
async def test_answers_are_judged_by_enumeration(answer: str | None, expected: bool) -> None:
    assert await right(PUZZLE, answer) is expected


async def test_one_record_per_arm_problem_and_seed(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    records = await run(ARMS, [PUZZLE], [0, 1], out, model=ScriptedModel(SOLVED))
    assert {(r.arm, r.seed) for r in records} == {(a.name, s) for a in ARMS for s in (0, 1)}
    assert all(r.right and r.tokens > 0 for r in records)
    assert load(out) == records


async def test_a_run_cut_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    model = ScriptedModel(SOLVED)
    whole = await run([DIRECT], [PUZZLE], range(3), out, model=model)
    kept = out.read_text().splitlines(keepends=True)[:3]
    out.write_text("".join(kept) + '{"arm": "direct", "prob')
    again = ScriptedModel(SOLVED)
    records = await run([DIRECT], [PUZZLE], range(3), out, model=again)
    assert len(again.requests) == 1
    assert [replace(r, seconds=0) for r in records] == [replace(r, seconds=0) for r in whole]


@pytest.mark.parametrize("name", ["qwen3", "magistral", "seed-oss"])
async def test_the_oracle_stops_at_the_first_right_candidate(tmp_path: Path, name: str) -> None:
    profile = PROFILES[name]
    script = SOLVED.replace("</think>", profile.think_close)
    model = ScriptedModel(script, profile=profile)
    (record,) = await run([DIRECT], [PUZZLE], [0], tmp_path / "r.jsonl", model=model)
    after = len(ScriptedModel("")._split.findall("and on and on\n"))
    assert record.oracle == record.tokens - after


def test_another_versions_file_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"arm": "direct"}\n')
    with pytest.raises(BadInput, match="line 1"):
        load(tmp_path / "r.jsonl")


def test_the_held_out_puzzles() -> None:
    puzzles = held_out()
    assert len(set(puzzles)) == len(puzzles) == 250
    assert all(1 <= int(n) <= 13 for p in puzzles for n in p.split())


SETTINGS = Arm("k2", "interwhen", {"step_verifier": False, "k_stable": 2})


async def test_settings_seed_model_and_version_are_recorded(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    await run([SETTINGS], [PUZZLE], [3], out, model=ScriptedModel(SOLVED), settings={"top_k": 5})
    header, line = map(json.loads, out.read_text().splitlines())
    settings = {"cache": False, "top_k": 5, "step_verifier": False, "k_stable": 2}
    assert header == {
        "describes": "k2",
        "name": "k2",
        "method": "interwhen",
        "settings": settings,
        "model": "scripted",
        "version": __version__,
    }
    assert (line["arm"], line["seed"], line["problem"]) == ("k2", 3, PUZZLE.text)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"settings": {"k_stable": 3}}, "another step_verifier, k_stable"),
        ({"method": "direct", "settings": {}}, "another method, step_verifier, k_stable"),
    ],
)
async def test_another_arm_under_the_same_name_is_refused(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    out, model = tmp_path / "r.jsonl", ScriptedModel(SOLVED)
    await run([SETTINGS], [PUZZLE], [0], out, model=model)
    before = out.read_text()
    with pytest.raises(BadInput, match=f"arm 'k2' was begun with {says}"):
        await run([replace(SETTINGS, **change)], [PUZZLE], [0, 1], out, model=model)
    with pytest.raises(BadInput, match="another model"):
        await run([SETTINGS], [PUZZLE], [1], out, model=ScriptedModel(SOLVED, name="other"))
    with pytest.raises(BadInput, match="another cache; give the arm another name"):
        await run([SETTINGS], [PUZZLE], [1], out, model=model, concurrency=2)
    with pytest.raises(BadInput, match="another top_k"):
        await run([SETTINGS], [PUZZLE], [1], out, model=model, settings={"top_k": 5})
    assert out.read_text() == before
    await run([SETTINGS], [PUZZLE], [1], out, model=model)
    assert len(load(out)) == 2


async def test_a_run_that_failed_is_recorded_and_tried_again(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    broken = ScriptedModel([Fault(ModelUnavailable("nobody there"))])
    once = {"settings": {"retries": 0}}
    (record,) = await run([DIRECT], [PUZZLE], [0], out, model=broken, **once)
    assert (record.status, record.right, record.tokens) == ("failed", False, 0)
    assert "nobody there" in record.error
    assert load(out) == [record]
    assert rows([record]) == []
    (record,) = await run([DIRECT], [PUZZLE], [0], out, model=ScriptedModel(SOLVED), **once)
    assert (record.status, record.right) == ("verified", True)
    assert load(out) == [record]
    again = ScriptedModel(SOLVED)
    await run([DIRECT], [PUZZLE], [0], out, model=again, **once)
    assert again.requests == []


async def test_what_every_run_would_fail_for_is_raised(tmp_path: Path) -> None:
    model = ScriptedModel(SOLVED, capabilities=Capabilities(continues=False))
    with pytest.raises(MissingCapability, match="continue"):
        await run([SETTINGS], [PUZZLE], range(5), tmp_path / "r.jsonl", model=model)
    assert load(tmp_path / "r.jsonl") == []


async def test_a_server_of_a_team_that_is_not_there_is_named_before_any_run(tmp_path: Path) -> None:
    team = ["embedded", "http://127.0.0.1:9/v1#none"]
    arm = Arm("team", "verified_sampling", {"team": team, "n": 1})
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9"):
        await run([arm], [PUZZLE], range(1), tmp_path / "r.jsonl", patience=0)
    assert load(tmp_path / "r.jsonl") == []


async def test_a_record_is_written_as_it_finishes(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    seen = []
    await run(
        [DIRECT],
        [PUZZLE],
        range(4),
        out,
        model=ScriptedModel(SOLVED),
        on_record=lambda record: seen.append(record.seed in {one.seed for one in load(out)}),
    )
    assert seen == [True] * 4


@pytest.mark.parametrize("most", [1, 3])
async def test_no_more_runs_at_once_than_allowed(tmp_path: Path, most: int) -> None:
    now, peak, full = 0, 0, asyncio.Event()

    class Counting(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
            nonlocal now, peak
            now, peak = now + 1, max(peak, now + 1)
            if now == most:
                full.set()
            try:
                await full.wait()  # as many as are allowed wait for one another
                async for item in super().stream(request):
                    yield item
            finally:
                now -= 1

    model = Counting(SOLVED)
    await run([DIRECT], [PUZZLE], range(9), tmp_path / "r", model=model, concurrency=most)
    assert (now, peak) == (0, most)


async def test_reading_leaves_a_file_that_is_being_written_alone(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    await run([DIRECT], [PUZZLE], [0], out, model=ScriptedModel(SOLVED))
    torn = out.read_text() + '{"arm": "direct", "pro'
    out.write_text(torn)
    assert len(load(out)) == 1
    assert out.read_text() == torn


@pytest.mark.parametrize("torn", ['{"arm": "dir', '{"describes": "dir', "\x00\x00", "{"])
async def test_a_torn_last_line_is_cut_off(tmp_path: Path, torn: str) -> None:
    out = tmp_path / "r.jsonl"
    await run([DIRECT], [PUZZLE], [0], out, model=ScriptedModel(SOLVED))
    whole = out.read_text()
    out.write_text(whole + torn)
    await run([DIRECT], [PUZZLE], [0, 1], out, model=ScriptedModel(SOLVED))
    assert out.read_text().startswith(whole)
    assert {record.seed for record in load(out)} == {0, 1}
    out.write_text(torn)
    await run([DIRECT], [PUZZLE], [0], out, model=ScriptedModel(SOLVED))
    assert len(load(out)) == 1


async def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        await run([DIRECT], [PUZZLE], [0], tmp_path / "file" / "r", model=ScriptedModel(SOLVED))


@pytest.mark.parametrize("content", [b"\xff\xfe\n", b"PAR1\x15\x04\n\x00\xff"])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r.jsonl").write_bytes(content)
    with pytest.raises(BadInput, match="cannot be read as JSON lines"):
        load(tmp_path / "r.jsonl")


KILLED = """
import asyncio, sys
from pathlib import Path
from agentflow.evaluation import datasets
from agentflow.evaluation.records import Arm
from agentflow.evaluation.runner import run
from agentflow.models import Delay, ScriptedModel
script = sys.argv[2]
model = ScriptedModel(lambda prompt: [Delay(0.05), script, Delay(0.05)])
problems = datasets.load("game24", "game24")[:12]
asyncio.run(run([Arm("direct", "direct")], problems, [0], Path(sys.argv[1]), model=model,
                concurrency=int(sys.argv[3])))
"""


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 4])
def test_kill_9_loses_nothing_and_redoes_nothing(
    tmp_path: Path, concurrency: int, forks: Forks
) -> None:
    out = tmp_path / "r.jsonl"
    killed, finished = 0, list[str]()
    while True:
        process = forks.start(KILLED, str(out), SOLVED, str(concurrency))
        while process.poll() is None:
            if killed < 2 and len(list(whole_lines(out))) > len(finished) + 2:
                process.send_signal(signal.SIGKILL)
                killed += 1
                break
            time.sleep(0.002)
        process.wait()
        lines = list(whole_lines(out))
        assert lines[: len(finished)] == finished  # nothing lost
        finished = lines
        if process.returncode == 0:
            break
    assert killed == 2
    runs = [json.loads(line)["problem"] for line in finished[1:]]
    assert sorted(runs) == sorted(held_out()[:12])  # each once
