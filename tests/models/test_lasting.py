"""A stream that outlasts breaks and kills: the same tokens, none asked for twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import backoff
from agentflow.errors import BadInput, ModelUnavailable, StreamBroken, Withheld
from agentflow.models import (
    Capabilities,
    Delay,
    Fault,
    Finish,
    Request,
    ScriptedModel,
    Token,
    journal,
    lasting,
)
from agentflow.models.journal import Journal, Recovered
from agentflow.models.lasting import LastingStream
from agentflow.models.scripted import Reply
from agentflow.models.turns import SEAM
from agentflow.profile import Piece, Sampling

START = "Count:"
WORDS = [f" {i}" for i in range(12)]
GONE = StreamBroken("gone")


class Counting(ScriptedModel):
    """Counts on from wherever the prompt ends; its n-th reply breaks behind ``breaks[n]`` words."""

    def __init__(self, breaks: Sequence[int | None] = (), **more: Any) -> None:
        super().__init__(self.reply, **more)
        self.breaks = breaks

    def reply(self, prompt: str) -> Reply:
        rest = WORDS[len(prompt.removeprefix(START).split()) :]
        number = len(self.requests) - 1
        at = self.breaks[number] if number < len(self.breaks) else None
        if at is None:
            return rest
        error = StreamBroken("gone") if at else ModelUnavailable("away")
        return [*rest[:at], Fault(error)]

    async def request(self, **more: Any) -> Request:
        prompt: Any = await self.tokenize([Piece(START)])
        if not self.capabilities.exact_prefix:
            prompt = START
        return Request(prompt, **({"max_tokens": 100, "seed": 3} | more))


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.0)


async def received(stream: LastingStream, request: Request) -> list[Token | Finish]:
    return [item async for item in stream.stream(request)]


def texts(items: Sequence[Token | Finish]) -> list[str]:
    return [item.text for item in items if isinstance(item, Token)]


async def abandoned(stream: LastingStream, request: Request, count: int) -> list[str]:
    """The first tokens of a stream that is closed behind them."""
    found: list[str] = []
    async with aclosing(stream.stream(request)) as items:
        async for item in items:
            assert isinstance(item, Token)
            found.append(item.text)
            if len(found) == count:
                break
    return found


# Breaks


@given(st.lists(st.integers(0, 6), max_size=6), st.booleans(), st.integers(1, 14))
def test_breaks_anywhere_change_nothing(breaks: list[int], exact: bool, most: int) -> None:
    async def check() -> None:
        able = Capabilities(exact_prefix=exact)
        whole = Counting(capabilities=able)
        expected = await received(LastingStream(whole), await whole.request(max_tokens=most))
        model = Counting(breaks, capabilities=able)
        stream = LastingStream(model, retries=len(breaks))
        request = await model.request(max_tokens=most)
        items = await received(stream, request)
        assert texts(items) == texts(expected)
        assert isinstance(items[-1], Finish)
        if most != len(WORDS):
            assert items[-1].reason == ("length" if most < len(WORDS) else "stop")
        came = 0
        for asked, at in zip(model.requests, [*breaks, None], strict=False):
            if exact:
                assert model.text(asked.prompt) == START + "".join(WORDS[:came])  # type: ignore[arg-type]
            else:
                assert asked.prompt == START + "".join(WORDS[:came])
            assert asked.max_tokens == most - came
            assert asked.sampling == request.sampling
            came = min(came + (at or 0), len(WORDS))
        lengths = [asked.length for asked in model.requests]
        assert len(stream.counts) == len(lengths)
        assert [one.prompt for one in stream.counts[:-1]] == lengths[:-1]
        assert sum(one.generated for one in stream.counts) == model.streamed
        assert model.streamed == len(texts(items))  # nothing was generated twice

    asyncio.run(check())


async def test_a_continuation_has_a_seed_of_its_own_and_a_repetition_the_same() -> None:
    model = Counting([0, 2, 3])
    await received(LastingStream(model, retries=3), await model.request())
    seeds = [asked.seed for asked in model.requests]
    assert seeds[0] == seeds[1] == 3
    assert len(set(seeds)) == 3
    again = Counting([2, 3])
    await received(LastingStream(again, retries=2), await again.request())
    assert [asked.seed for asked in again.requests] == seeds[1:]


@pytest.mark.parametrize("breaks", [[2, 2, 2], [2, 0, 0], [2, 2, 0]])
async def test_retries_end(breaks: list[int]) -> None:
    model = Counting(breaks)
    stream = LastingStream(model, retries=2)
    found: list[Token | Finish] = []
    request = await model.request()

    async def read() -> None:
        async for item in stream.stream(request):
            found.append(item)

    with pytest.raises(StreamBroken if breaks[-1] else ModelUnavailable):
        await read()
    assert texts(found) == WORDS[: sum(breaks)]
    assert len(stream.counts) == 3


async def test_no_retries_is_the_model_itself() -> None:
    model = Counting([3])
    with pytest.raises(StreamBroken):
        await received(LastingStream(model), await model.request())
    assert len(model.requests) == 1


async def test_an_error_that_no_retry_cures_comes_through() -> None:
    model = ScriptedModel([" a", Fault(BadInput("no"))])
    with pytest.raises(BadInput, match="no"):
        await received(LastingStream(model, retries=5), Request((), 10))
    assert len(model.requests) == 1


async def test_what_cannot_continue_is_asked_again_only_before_its_first_token(
    tmp_path: Path,
) -> None:
    able = Capabilities(continues=False)
    kept = Journal(tmp_path / "j")
    model = Counting([0, None], capabilities=able)
    assert texts(
        await received(LastingStream(model, journal=kept, retries=2), await model.request())
    )
    assert len(model.requests) == 2
    assert not kept.path.exists()  # its tokens could not be gone on from
    model = Counting([3, None], capabilities=able)
    with pytest.raises(StreamBroken):
        await received(LastingStream(model, retries=2), await model.request())
    assert len(model.requests) == 1


async def test_what_only_answers_messages_goes_on_in_a_new_turn() -> None:
    able = Capabilities(continues=False, turns=True, exact_prefix=False)
    model = Counting([3, 2, None], capabilities=able)
    stream = LastingStream(model, retries=2)
    found = await received(stream, await model.request())
    assert texts(found) == [*WORDS[:3], SEAM, *WORDS[4:6], SEAM, *WORDS[7:]]
    assert model.requests[1].prompt == START + "".join(WORDS[:3]) + SEAM
    assert [one.estimated for one in stream.counts] == [1, 1, 0]


async def test_what_a_provider_withholds_is_not_asked_for_again() -> None:
    able = Capabilities(continues=False, turns=True, exact_prefix=False)
    model = ScriptedModel([" a", Fault(Withheld("no"))], capabilities=able)
    with pytest.raises(Withheld, match="no"):
        await received(LastingStream(model, retries=5), Request("Say:", 10))
    assert len(model.requests) == 1


async def test_pauses_double_up_to_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.5)
    waits: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float, *_: Any) -> None:
        if seconds:
            waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", note)
    model = Counting([0] * 10)
    await received(LastingStream(model, retries=10), await model.request())
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30]


# Finding the model again


async def test_a_pause_is_as_long_as_the_server_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """But never longer than the longest; and what it refused by a status has read no prompt."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.5)
    monkeypatch.setattr("agentflow.backoff.asyncio.sleep", sleep)
    replies: list[Reply] = [
        [Fault(ModelUnavailable("later", 429, after))] for after in (7.0, 1e6, None)
    ]
    script = iter([*replies, "so"])
    model = ScriptedModel(lambda _: next(script))
    stream = LastingStream(model, retries=3)
    request = Request(await model.tokenize([Piece("begin")]), 5)
    assert texts(await received(stream, request)) == ["so"]
    assert [one for one in slept if one] == [7.0, 30.0, 2.0]
    assert [bool(one.prompt) for one in stream.counts] == [False] * 3 + [True]


async def test_another_client_of_the_same_model_goes_on() -> None:
    first, second = Counting([4]), Counting()

    async def found() -> ScriptedModel:
        return second

    request = await first.request()
    await second.request()  # the same ids
    second._ids, second._texts = first._ids, first._texts
    items = await received(LastingStream(first, retries=1, reconnect=found), request)
    assert texts(items) == WORDS
    assert (len(first.requests), len(second.requests)) == (1, 1)


async def test_another_model_is_refused() -> None:
    first, second = Counting([4]), Counting(name="other")

    async def found() -> ScriptedModel:
        return second

    stream = LastingStream(first, retries=3, reconnect=found)
    with pytest.raises(ModelUnavailable, match=r"scripted fell away .* serves other"):
        await received(stream, await first.request())
    assert second.requests == []


async def test_a_client_that_finds_another_model_behind_its_url_is_refused() -> None:
    """Another run of this process may have been the one that looked, before this stream broke."""
    model = Counting([4])

    async def found() -> ScriptedModel:
        return model

    stream = LastingStream(model, retries=3, reconnect=found)
    items = stream.stream(await model.request())
    for _ in range(2):
        await anext(items)
    model.name = "other"

    async def rest() -> None:
        async for _ in items:
            pass

    with pytest.raises(ModelUnavailable, match="serves other"):
        await rest()
    assert len(model.requests) == 1


async def test_a_model_that_is_not_found_counts_as_a_retry() -> None:
    tried = 0

    async def found() -> ScriptedModel:
        nonlocal tried
        tried += 1
        if tried < 3:
            raise ModelUnavailable("still away")
        return model

    model = Counting([4])
    items = await received(LastingStream(model, retries=3, reconnect=found), await model.request())
    assert texts(items) == WORDS
    tried = 0
    model = Counting([4])
    with pytest.raises(ModelUnavailable, match="still away"):
        await received(LastingStream(model, retries=2, reconnect=found), await model.request())


# With a journal


@given(
    st.lists(st.integers(0, 5), max_size=5),
    st.lists(st.integers(0, 4), max_size=3),
    st.integers(3, 14),
)
def test_kills_anywhere_change_nothing(kills: list[int], breaks: list[int], most: int) -> None:
    """Each kill closes the stream behind so many new tokens; a new process opens it again."""

    async def check(path: Path) -> None:
        model = Counting(breaks)
        request = await model.request(max_tokens=most)
        expected, seen, calls = WORDS[:most], 0, 0
        for kill in kills:
            seen = min(seen + kill, len(expected))
            if seen:
                stream = LastingStream(model, journal=Journal(path), retries=len(breaks))
                assert await abandoned(stream, request, seen) == expected[:seen]
                assert len(stream.counts) >= calls
                calls = len(stream.counts)
        stream = LastingStream(model, journal=Journal(path), retries=len(breaks))
        items = await received(stream, request)
        assert texts(items) == expected
        assert model.streamed == len(expected)
        assert [one.prompt for one in stream.counts] == [one.length for one in model.requests]
        assert sum(one.generated for one in stream.counts) == model.streamed
        asked = len(model.requests)
        again = LastingStream(model, journal=Journal(path))
        if items[-1].prompt is not None and len(model.requests[-1].prompt) < 1 + most:  # type: ignore[union-attr]
            assert await received(again, request) == [
                *(Token(t.text, t.id) for t in items[:-1] if isinstance(t, Token)),
                items[-1],
            ]
        assert len(model.requests) == asked  # how it ended is known

    with TemporaryDirectory() as folder:
        asyncio.run(check(Path(folder) / "j"))


async def test_a_killed_process_leaves_what_a_model_wrote_that_only_answers_messages(
    tmp_path: Path,
) -> None:
    able = Capabilities(continues=False, turns=True, exact_prefix=False)
    model = Counting(capabilities=able)
    request = await model.request()
    for seen in (3, 6):
        stream = LastingStream(model, journal=Journal(tmp_path / "j"))
        await abandoned(stream, request, seen)
    stream = LastingStream(model, journal=Journal(tmp_path / "j"))
    found = await received(stream, request)
    assert texts(found) == [*WORDS[:3], SEAM, *WORDS[4:6], SEAM, *WORDS[7:]]
    assert model.requests[1].prompt == START + "".join(WORDS[:3]) + SEAM
    assert len(stream.counts) == len(model.requests) == 3
    assert sum(one.generated for one in stream.counts) == model.streamed
    again = LastingStream(Counting([0] * 9), journal=Journal(tmp_path / "j"))
    assert texts(await received(again, request)) == texts(found)


async def test_what_a_server_counted_is_recorded(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    await journal.recover("k")
    told = Finish("stop", 10, 2, generated=20, reasoning=7)
    journal.finish(told)
    await journal.flush()
    assert (await Journal(tmp_path / "j").recover("k")).finish == told


async def test_a_recorded_finish_needs_no_model(tmp_path: Path) -> None:
    model = Counting()
    request = await model.request()
    items = await received(LastingStream(model, journal=Journal(tmp_path / "j")), request)
    off = Counting([0] * 9)
    stream = LastingStream(off, journal=Journal(tmp_path / "j"))
    assert texts(await received(stream, request)) == texts(items)
    assert off.requests == []
    assert [one.prompt for one in stream.counts] == [request.length]


async def test_it_is_on_disk_before_the_finish_is_seen(tmp_path: Path) -> None:
    """Else a process killed while it verifies would ask for the end again."""
    model = Counting()
    request = await model.request()
    async for item in LastingStream(model, journal=Journal(tmp_path / "j")).stream(request):
        if isinstance(item, Finish):
            found = await Journal(tmp_path / "j").recover(lasting._key(model, request))
            assert texts(found.tokens) == WORDS
            assert found.finish == item
            break
    else:
        raise AssertionError("no finish")


async def test_another_request_begins_anew(tmp_path: Path) -> None:
    model = Counting()
    request = await model.request()
    others = [
        await model.request(seed=4),
        await model.request(sampling=Sampling(0.1, 1.0, 1)),
        Request((*request.prompt, *await model.tokenize([Piece(" 0")])), 100, seed=3),  # type: ignore[arg-type]
    ]
    for other in others:
        await abandoned(LastingStream(model, journal=Journal(tmp_path / "j")), request, 3)
        asked = len(model.requests)
        await abandoned(LastingStream(model, journal=Journal(tmp_path / "j")), other, 2)
        assert model.requests[asked:] == [other]
    await abandoned(LastingStream(model, journal=Journal(tmp_path / "j")), request, 3)
    asked = len(model.requests)
    more = await model.request(max_tokens=50)
    items = await received(LastingStream(model, journal=Journal(tmp_path / "j")), more)
    assert texts(items) == WORDS
    assert [one.max_tokens for one in model.requests[asked:]] == [47]


async def test_closing_it_closes_the_models_stream_and_writes(tmp_path: Path) -> None:
    closed = []

    class Careful(Counting):
        async def stream(self, request: Request) -> Any:
            try:
                async with aclosing(super().stream(request)) as items:
                    async for item in items:
                        yield item
            finally:
                closed.append(True)

    model = Careful()
    request = await model.request()
    await abandoned(LastingStream(model, journal=Journal(tmp_path / "j")), request, 5)
    assert closed == [True]
    found = await Journal(tmp_path / "j").recover(lasting._key(model, request))
    assert found == Recovered([*found.tokens[:5]], [1], None)
    assert texts(found.tokens) == WORDS[:5]


async def test_a_cancelled_reader_writes_what_came(tmp_path: Path) -> None:
    model = ScriptedModel([" a", " b", Delay(60)])
    seen: list[Token | Finish] = []

    async def read() -> None:
        async for item in LastingStream(model, journal=Journal(tmp_path / "j")).stream(
            Request((), 10)
        ):
            seen.append(item)

    reader = asyncio.ensure_future(read())
    while len(seen) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    found = await Journal(tmp_path / "j").recover(lasting._key(model, Request((), 10)))
    assert texts(found.tokens) == [" a", " b"]


async def test_it_may_be_cancelled_while_it_replays(tmp_path: Path) -> None:
    model = Counting()
    request = await model.request()
    await received(LastingStream(model, journal=Journal(tmp_path / "j")), request)
    seen: list[str] = []

    async def read() -> None:
        async for item in LastingStream(model, journal=Journal(tmp_path / "j")).stream(request):
            assert isinstance(item, Token)
            seen.append(item.text)

    reader = asyncio.ensure_future(read())
    while len(seen) < 3:  # noqa: ASYNC110
        await asyncio.sleep(0)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert 3 <= len(seen) < len(WORDS)
    assert len(model.requests) == 1
    items = await received(LastingStream(model, journal=Journal(tmp_path / "j")), request)
    assert texts(items) == WORDS
    assert len(model.requests) == 1


async def test_replayed_tokens_leave_others_their_turn(tmp_path: Path) -> None:
    """Verdicts come in between them, as they do in a live stream."""
    model = Counting()
    request = await model.request()
    await received(LastingStream(model, journal=Journal(tmp_path / "j")), request)
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.ensure_future(other())
    before, at = 0, []
    async for _ in LastingStream(model, journal=Journal(tmp_path / "j")).stream(request):
        at.append(turns - before)
        before = turns
    beside.cancel()
    assert min(at[1:]) >= 1


async def test_a_journal_that_cannot_be_kept_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "FLUSH_SECONDS", 0.0)
    (tmp_path / "file").write_text("")
    model = Counting()
    with pytest.raises(BadInput, match="cannot keep the journal"):
        await received(
            LastingStream(model, journal=Journal(tmp_path / "file" / "j")), await model.request()
        )
    assert model.requests == []
