"""Chains on disk: what is written is read again, and what is no chain is refused in words."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from made import chain, chains, check

from agentflow.errors import BadInput
from agentflow.evaluation import chains as recorded
from agentflow.evaluation.chains import Chain, chain_of, load, save
from agentflow.run import Result
from agentflow.trace import Segment, Trace
from agentflow.version import install

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

MADE = [chain([check(5), check(9, answers=["a", None], stable=2)]), chain([], right=False, seed=1)]


def line(one: Chain) -> str:
    """As the runner writes it."""
    return json.dumps({"seed": one.seed, "extra": {"chain": asdict(replace(one, seed=0))}}) + "\n"


@settings(max_examples=30)
@given(chains())
def test_parquet_gives_back_what_was_saved(made: list[Chain]) -> None:
    with TemporaryDirectory() as folder:
        save(made, Path(folder) / "c.parquet")
        assert load(Path(folder) / "c.parquet") == made


def test_json_lines_give_back_what_was_written(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text("".join(map(line, MADE)))
    assert load(tmp_path / "c.jsonl") == MADE


def test_all_whole_lines_of_a_file_cut_short_are_read(tmp_path: Path) -> None:
    whole = '{"describes": "recorded"}\n' + line(MADE[0])
    text = whole + '{"status": "failed", "extra": {}}\n' + line(MADE[1])
    for cut in range(len(whole), len(text)):
        (tmp_path / "c.jsonl").write_text(text[:cut])
        assert load(tmp_path / "c.jsonl") == MADE[:1]


def test_a_parquet_file_cut_short_points_to_the_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "c.parquet"
    save(MADE, file)
    whole = file.read_bytes()
    for cut in (0, 4, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:cut])
        with pytest.raises(BadInput, match=r"c\.parquet: cannot be read .*c\.jsonl"):
            load(file)


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "VERSION", 99)
    save(MADE, tmp_path / "c.parquet")
    monkeypatch.undo()
    with pytest.raises(BadInput, match=r"another version \(99, this reads 1\)"):
        load(tmp_path / "c.parquet")


def test_another_parquet_file_is_no_chains(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "c.parquet")
    with pytest.raises(BadInput, match="holds no chains"):
        load(tmp_path / "c.parquet")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no chain in it"),
        (b"hello\n", "line 1: not a record"),
        (b"[]\n", "line 1: not a record"),
        (b"3\n", "line 1: not a record"),
        (b'{"extra": {"chain": {}}, "seed": 0}\n', "not chains of this version"),
        (b'{"arm": "direct"}\n', "no chain in it"),
        (b"\xff\xfe\x00", "cannot be read as JSON lines"),
    ],
)
def test_what_is_no_chain_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "c.jsonl").write_bytes(content)
    with pytest.raises(BadInput, match=says):
        load(tmp_path / "c.jsonl")


def test_a_missing_file_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no such file; .agentflow record."):
        load(tmp_path / "c.parquet")


def test_saving_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "c.parquet"
    save(MADE, file)

    def crash(table: object, path: Path, **_: object) -> None:
        Path(path).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(pq, "write_table", crash)
    with pytest.raises(KeyboardInterrupt):
        save(MADE[:1], file)
    assert load(file) == MADE


def result(*segments: Segment, answer: str | None = None, status: str = "unverified") -> Result:
    trace = Trace()
    for one in segments:
        trace.append(one)
    problem = {"text": "4 7 8 8", "domain": "game24", "id": "p"}
    problem |= {"gold": None, "data": {"numbers": [4, 7, 8, 8]}}
    return Result(
        answer,
        status,  # type: ignore[arg-type]
        problem=problem,
        operations=trace.operations,
        close="</think>",
    )


PROMPT = Segment("prompt", "4 7 8 8 <think>", (1, 2))


def test_tokens_of_a_chain() -> None:
    text, ends = "ab\n</think>\ncd", (1, 3, 11, 12, 14)
    generated = Segment("generated", text, (1, 2, 3, 4, 5), ends)
    made = chain_of(result(PROMPT, generated, answer="x"), False, 7, "made", 5)
    assert (made.text, made.closed, tuple(made.ends)) == (text, 3, ends)
    assert (made.thinking, made.answering) == (2, 3)
    assert made.thinking + made.answering == len(made.ends)
    assert (made.seed, made.model, made.finished, made.right) == (7, "made", True, False)
    assert made.checks == []


def test_offsets_count_what_was_put_in() -> None:
    segments = [
        Segment("generated", "ab\n", (1, 2), (2, 3)),
        Segment("feedback", "Wait, no\n", (3,)),
        Segment("generated", "c</think>d", (4, 5, 6), (1, 9, 10)),
    ]
    made = chain_of(result(PROMPT, *segments, answer="x"), False, 0, "made", 5)
    assert made.ends == [2, 3, 13, 21, 22]
    assert (made.thinking, made.answering, made.closed) == (3, 2, 13)


def test_a_chain_without_the_close_marker() -> None:
    """Letters that spell the marker are not it: the budget ran out in the middle of thinking."""
    letters = ["a", "</th", "ink>", "b"]
    ends = (1, 5, 9, 10)
    generated = Segment("generated", "".join(letters), (1, 2, 3, 4), ends)
    made = chain_of(result(PROMPT, generated, status="exhausted"), False, 0, "made", 5)
    assert (made.finished, made.right, made.answer) == (False, False, None)
    assert (made.thinking, made.answering, made.closed) == (4, 0, 10)


def test_a_chain_of_nothing() -> None:
    made = chain_of(result(PROMPT, status="exhausted"), False, 0, "made", 5)
    assert (made.thinking, made.answering, made.ends, made.text) == (0, 0, [], "")


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded.require_packages()
    monkeypatch.setattr(
        "agentflow.evaluation.find_spec", lambda name: None if name == "pyarrow" else 1
    )
    with pytest.raises(BadInput, match=re.escape(f"chains need pyarrow: {install('evaluation')}")):
        recorded.require_packages()
