"""Files of records and data with a fault in them, and two that write to one."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agentflow.errors import BadInput
from agentflow.evaluation import chains, collected, datasets, solutions, verdicts
from agentflow.evaluation.records import (
    append,
    arm_line,
    described,
    only_writer,
    read,
    resume,
)
from agentflow.evaluation.runner import load


@dataclass(frozen=True, slots=True)
class Tiny:
    name: str
    number: float
    answer: str | None = None
    more: dict[str, Any] = field(default_factory=dict)


ARMS = {"a": arm_line("a", "direct", {}, "m")}
ROW = {"id": "x", "text": "4 7 8 8", "problem": "4 7 8 8", "solution": "s", "right": True}
STEPS = ROW | {"steps": ["s"], "label": -1}
"""A line that every reader takes, or passes over."""

DAMAGE = [
    (b"\xff", "not UTF-8 text: byte 9 is 0xff"),
    (b"\x00", "byte 9 is NUL"),
    (b"\xed\xa0\x80", "not UTF-8 text: byte 9 is 0xed"),
]


def loaded(path: Path) -> None:
    """Rows that hold no solution are named, and the others judged."""
    _, bad = asyncio.run(solutions.load([path], domain="game24"))
    raise BadInput(*bad)


def samples(path: Path) -> None:
    skipped = list[str]()
    solutions.load_labelled([path], skipped=skipped.append)
    raise BadInput(*skipped)


def all_records(path: Path) -> None:
    list(read(path, Tiny))


def without_bad_rows(path: Path) -> None:
    def refuse(row: str) -> None:
        raise BadInput(f"{path}, {row}")

    datasets.load(str(path), "game24", refuse)


@pytest.mark.parametrize(("damage", "says"), DAMAGE)
@pytest.mark.parametrize(
    "reader",
    [
        all_records,
        load,
        verdicts.load,
        chains.load,
        lambda path: collected.collect([path]),
        without_bad_rows,
        samples,
        loaded,
    ],
    ids=["read", "load", "verdicts", "chains", "collect", "dataset", "samples", "rows"],
)
def test_a_bad_byte_is_named_by_file_and_line(
    tmp_path: Path, reader: Callable[[Path], Any], damage: bytes, says: str
) -> None:
    """Whatever reads JSON lines."""
    path = tmp_path / "r.jsonl"
    before = json.dumps(ARMS["a"] | ROW | STEPS).encode() + b"\n"
    path.write_bytes(before + b'{"id": "' + damage + b'x"}\n')
    with pytest.raises(BadInput) as refused:
        reader(path)
    assert f"{path}, line 2: " in str(refused.value)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("d.csv", b"text,gold\n4 7 \xff 8,1\n", "d.csv, line 2: not UTF-8 text: byte 5"),
        ("d.csv", b"text,gold\n4 7 8 \x00,1\n", "d.csv, line 2: "),
        ("d.csv", b"te\xffxt,gold\n4 7 8 8,1\n", "d.csv, line 1: not UTF-8 text: byte 3"),
        ("d.json", b'[{"text": "4 7 8 8"},\n{"text": "\xff"}]', "d.json, line 2: not UTF-8 text"),
        ("d.jsonl", b"\x1f\x8b\x08\x00\x00\n\x00", "d.jsonl, line 1: compressed by gzip; unpack"),
        ("d.jsonl.gz", b"\x1f\x8b\x08\x00\x00", "d.jsonl.gz, line 1: compressed by gzip; unpack"),
        ("d.csv", b"\x1f\x8b\x08\x00\x00", "d.csv, line 1: compressed by gzip; unpack"),
    ],
)
def test_a_bad_byte_of_a_table_is_named(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput) as refused:
        datasets.load(str(path), "game24")
    assert says in str(refused.value)


def test_a_csv_cell_that_is_too_large_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text(f"text,gold\n4 7 8 8,{'1' * (csv.field_size_limit() + 1)}\n")
    with pytest.raises(BadInput, match=r"d\.csv, line 2: .*field larger"):
        datasets.load(str(path), "game24")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "d.jsonl"
    lines = [json.dumps({"text": text}) for text in ("4 7 8 8", "1 2 3 4")]
    path.write_bytes(ending.join(lines).encode())
    assert len(datasets.load(str(path), "game24")) == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"name": 3, "number": 1}', "name is 3"),
        ('{"name": "x", "number": "1"}', "number is '1'"),
        ('{"name": "x", "number": 1, "answer": []}', r"answer is \[\]"),
        ('{"name": "x", "number": 1, "more": null}', "more is None"),
        ('{"name": "x"}', "number"),
        ("[]", ""),
        ("3", ""),
        ('{"describes": "a"}', ""),
        ('{"describes": "a", "settings": 3}', ""),
        ('{"describes": ', "Expecting value"),
    ],
)
def test_a_record_of_other_types_is_named_by_its_line(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"name": "x", "number": 1}\n' + line + "\n")
    with pytest.raises(BadInput, match=rf"r\.jsonl, line 2: not a record.*{says}"):
        list(read(path, Tiny)) and described(path)


def test_an_arm_whose_name_cannot_be_shown_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(arm_line("a\udcff", "direct", {}, None)) + "\n")
    with pytest.raises(BadInput, match=r"line 1: 'a\\udcff' cannot be an arm's name"):
        described(path)


def test_records_as_they_are_written_are_read(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    found = [Tiny("x", 1), Tiny("y", 1.5, "a", {"b": [1]}), Tiny("\ud800\x00\n", 2)]
    path.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found))
    assert list(read(path, Tiny)) == found


async def test_a_number_that_json_does_not_know_is_written_as_null(tmp_path: Path) -> None:
    async def job() -> Tiny:
        return Tiny("x", 1, more={"entropy": float("nan")})

    with only_writer(tmp_path / "r"):
        await append(tmp_path / "r", ARMS, [job], 1, lambda record: None)
    assert "NaN" not in (tmp_path / "r").read_text()
    assert [one.more for one in read(tmp_path / "r", Tiny)] == [{"entropy": None}]


@dataclass(frozen=True, slots=True)
class Whole:
    """As the records of a run are."""

    arm: str
    key: str
    failed: bool = False


async def one() -> Whole:
    return Whole("a", "k")


@pytest.mark.parametrize(
    "content", [b'{"mine": [1, 2, 3]}', b"[", b"notes", b"\xff", b'{"arms": "']
)
async def test_a_file_that_was_never_ours_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"results\.json, line 1: "):
        await resume(path, Whole, ARMS, {"k": one})
    assert path.read_bytes() == content


@pytest.mark.parametrize("before", ["", json.dumps(ARMS["a"]) + "\n"])
@pytest.mark.parametrize(
    "tail", ["", "{", '{"describ', '{"describes": "a", "ver', '{"arm": "d', "\0\0"]
)
async def test_a_line_of_ours_that_was_cut_short_is_cut_off(
    tmp_path: Path, before: str, tail: str
) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(before + tail)
    assert await resume(path, Whole, ARMS, {"k": one}) == {"k": Whole("a", "k")}
    first, second = path.read_text().splitlines()
    assert (json.loads(first), json.loads(second)) == (ARMS["a"], asdict(Whole("a", "k")))


async def test_behind_a_line_of_ours_any_tail_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(json.dumps(ARMS["a"]).encode() + b"\n" + b"\x00" * 9)
    await resume(path, Whole, ARMS, {"k": one})
    assert list(read(path, Whole)) == [Whole("a", "k")]


def test_the_second_writer_of_a_file_is_refused(tmp_path: Path) -> None:
    with (
        only_writer(tmp_path / "r.jsonl"),
        pytest.raises(BadInput, match=r"r\.jsonl: is being written to by another run; wait"),
        only_writer(tmp_path / "r.jsonl"),
    ):
        pytest.fail("there are two")
    with only_writer(tmp_path / "r.jsonl"), only_writer(tmp_path / "other.jsonl"):
        pass  # it is free again, and others always are


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="has no folder that holds no files")
def test_a_folder_that_takes_no_file_is_no_other_writer() -> None:
    with (
        pytest.raises(BadInput, match=r"no file can be made in /proc|cannot"),
        only_writer(Path("/proc/r.jsonl")),
    ):
        pytest.fail("it was written")


def test_a_writer_that_is_killed_holds_nothing(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from agentflow.evaluation.records import only_writer\n"
        "with only_writer(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "r.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(BadInput, match="another run"), only_writer(tmp_path / "r.jsonl"):
            pytest.fail("another process holds it")
        process.send_signal(signal.SIGKILL)
        process.wait()
    with only_writer(tmp_path / "r.jsonl"):
        pass


@pytest.mark.parametrize("place", [os.devnull, "."])
def test_what_is_no_file_takes_no_records(place: str) -> None:
    with pytest.raises(BadInput, match="is no file"), only_writer(Path(place)):
        pytest.fail("it is none")
