"""The journal of a stream: what is read back is what was written, whatever happened to the file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentflow.errors import AgentflowError
from agentflow.models import Finish, Token, journal
from agentflow.models.journal import Journal, Recovered

TEXTS = st.text(st.characters(), max_size=5)
CHANCES = st.floats(-50, 0)
IDS = st.none() | st.integers(0, 10**6)
TOPS = st.lists(st.tuples(TEXTS, CHANCES), min_size=1, max_size=3).map(tuple)
TOKENS = st.builds(lambda text, id: Token(text, id), TEXTS, IDS) | st.builds(
    lambda *fields: Token(*fields), TEXTS, IDS, CHANCES, TOPS
)
END = Finish("stop", 7, 3)


def written(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


async def fill(path: Path, tokens: list[Token], *, every: int = 1, end: Finish | None = END) -> int:
    """Write a journal under the key ``k``, a flush every so many tokens; returns its size."""
    one = Journal(path)
    await one.recover("k")
    one.request(11)
    for count, token in enumerate(tokens):
        one.token(token)
        if count % every == 0:
            await one.flush()
    if end is not None:
        one.finish(end)
    await one.flush()
    return path.stat().st_size  # noqa: ASYNC240


@given(st.lists(TOKENS, max_size=12), st.integers(1, 5))
@example([Token('\ud800"\\\n\r\x00\u2028</think>', 3), Token("", None)], 1)
def test_what_was_written_is_read_back(tokens: list[Token], every: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a" / "b" / "one.jsonl"
        asyncio.run(fill(path, tokens, every=every))
        assert asyncio.run(Journal(path).recover("k")) == Recovered(tokens, [11], END)


async def test_a_log_probability_without_alternatives_is_not_kept(tmp_path: Path) -> None:
    await fill(tmp_path / "j", [Token("a", 1, -0.5)])
    assert (await Journal(tmp_path / "j").recover("k")).tokens == [Token("a", 1)]


async def test_of_nothing_is_nothing(tmp_path: Path) -> None:
    assert await Journal(tmp_path / "j").recover("k") == Recovered([], [], None)


async def test_another_request_starts_it_anew(tmp_path: Path) -> None:
    await fill(tmp_path / "j", [Token("a", 1)])
    assert await Journal(tmp_path / "j").recover("other") == Recovered()
    assert await Journal(tmp_path / "j").recover("k") == Recovered()


@given(st.lists(TOKENS, max_size=8), st.data())
def test_a_file_cut_at_any_byte_gives_a_prefix_and_takes_more(
    tokens: list[Token], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        size = asyncio.run(fill(path, tokens, every=2))
        cut = data.draw(st.integers(0, size))
        path.write_bytes(path.read_bytes()[:cut])

        async def go_on() -> tuple[Recovered, Recovered]:
            one = Journal(path)
            first = await one.recover("k")
            one.request(12)
            one.token(Token("more", 5))
            await one.flush()
            return first, await Journal(path).recover("k")

        first, second = asyncio.run(go_on())
        assert first.tokens == tokens[: len(first.tokens)]
        assert first.finish in (None, END)
        if cut == size:
            assert first == Recovered(tokens, [11], END)
        assert second.tokens == [*first.tokens, Token("more", 5)]
        assert second.prompts == [*first.prompts, 12]


@given(st.binary(max_size=60), st.integers(0, 3))
@example(b"\x00" * 40, 1)
@example(b'{"tokens": 5}\n', 2)
@example(b'{"tokens": [["a", 1]]}', 2)
@example(b"[]\n", 2)
@example(b'{"finish": ["stop"', 3)
def test_what_is_no_journal_ends_it(noise: bytes, place: int) -> None:
    """A disk that was full leaves half a line in the middle; a lost page is zeros."""
    lines = [{"key": "k"}, {"request": 11}, {"tokens": [["a", 1]]}, {"finish": ["stop", 1, None]}]
    good = [written(line) for line in lines]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        path.write_bytes(b"".join([*good[:place], noise, *good[place:]]))
        found = asyncio.run(Journal(path).recover("k"))
        assert found.tokens[:1] in ([], [Token("a", 1)])
        again = asyncio.run(Journal(path).recover("k"))
        assert again == found


async def test_recovering_never_takes_the_file_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may be killed again at once: what it recovers stays on disk all the while."""
    path = tmp_path / "j"
    await fill(path, [Token("a", 1)], end=None)
    path.write_bytes(path.read_bytes() + b'{"tok')

    def lose(*_: Any) -> int:
        raise AssertionError("the whole journal is written again")

    monkeypatch.setattr(Path, "write_bytes", lose)
    assert (await Journal(path).recover("k")).tokens == [Token("a", 1)]


async def test_flushes_that_overlap_keep_the_order(tmp_path: Path) -> None:
    one = Journal(tmp_path / "j")
    await one.recover("k")
    tokens = [Token(str(i), i) for i in range(200)]
    flushes = []
    for token in tokens:
        one.token(token)
        flushes.append(asyncio.ensure_future(one.flush()))
        if token.id is not None and token.id % 7 == 0:
            await asyncio.sleep(0)
    await asyncio.gather(*flushes)
    assert (await Journal(tmp_path / "j").recover("k")).tokens == tokens


async def test_a_cancelled_flush_loses_nothing(tmp_path: Path) -> None:
    """Nor does it let what comes behind it overtake."""
    for steps in range(6):
        one = Journal(tmp_path / f"j{steps}")
        await one.recover("k")
        one.token(Token("a", 1))
        flush = asyncio.ensure_future(one.flush())
        for _ in range(steps):
            await asyncio.sleep(0)
        flush.cancel()
        one.token(Token("b", 2))
        await one.flush()
        await asyncio.wait([flush])
        found = await Journal(tmp_path / f"j{steps}").recover("k")
        assert found.tokens == [Token("a", 1), Token("b", 2)], steps


async def test_flushing_writes_while_the_body_runs_and_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "FLUSH_SECONDS", 0.01)
    one, reader = Journal(tmp_path / "j"), Journal(tmp_path / "j")
    await one.recover("k")
    async with one.flushing():
        one.token(Token("a", 1))
        async with asyncio.timeout(600):
            while b'"a"' not in one.path.read_bytes():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        one.token(Token("b", 2))
    assert (await reader.recover("k")).tokens == [Token("a", 1), Token("b", 2)]


async def test_an_error_in_the_body_still_writes(tmp_path: Path) -> None:
    one = Journal(tmp_path / "j")
    await one.recover("k")

    async def fail() -> None:
        async with one.flushing():
            one.token(Token("a", 1))
            raise KeyError

    with pytest.raises(KeyError):
        await fail()
    assert (await Journal(tmp_path / "j").recover("k")).tokens == [Token("a", 1)]


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AgentflowError, match=r"file.j: cannot keep the journal .*--checkpoints"):
        await Journal(tmp_path / "file" / "j").recover("k")


async def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    one = Journal(tmp_path / "j")
    await one.recover("k")
    one.path.unlink()
    one.path.mkdir()
    one.token(Token("a", 1))
    with pytest.raises(AgentflowError, match="j: cannot keep the journal"):
        await one.flush()


async def test_a_disk_that_fills_while_it_streams_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "FLUSH_SECONDS", 0.01)
    one = Journal(tmp_path / "j")
    await one.recover("k")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    async def write() -> None:
        async with one.flushing():
            one.token(Token("a", 1))
            await asyncio.sleep(0.1)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(AgentflowError, match="No space left on device"):
        await write()
