from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models import Capabilities, Delay, Fault, Finish, Request, ScriptedModel, Token
from agentflow.models.model import prompt_of, segment, whole
from agentflow.monitors import (
    Context,
    Increment,
    Intervention,
    Judged,
    Reading,
    StreamResult,
    standing,
    watch,
)
from agentflow.monitors.monitor import CONTINUE, Memory
from agentflow.profile import Piece
from agentflow.state import State
from agentflow.trace import Trace
from agentflow.verdict import Verdict

PROMPT = "Q: "
CLOSE = "</think>"


@dataclass
class Recorder:
    """A monitor that remembers all it was fed, and is fed nothing twice.

    Every increment is one state, and what is wrong depends on all that was ever fed and on the
    earlier states: a memory or a list of states that was restored to anything but what it was
    shows in the outcome.
    """

    name: str
    reads: Literal["line", "token"] = "line"
    action: Literal["feedback", "close"] = "feedback"
    wrong: Callable[[str], bool] = lambda seen: False
    ticks: Callable[[str], int] = lambda seen: 0

    def start(self) -> Memory:
        return {"end": 0, "text": "", "tokens": 0, "boundaries": []}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        start, end = increment.offset, increment.offset + len(increment.text)
        if increment.boundary:
            assert (increment.text, increment.tokens) == ("", 0)
            assert start >= memory["end"]
            boundaries = [*memory["boundaries"], increment.boundary]
            return memory | {"end": end, "boundaries": boundaries}, []
        assert start == memory["end"], "not where it stopped reading"
        seen = memory["text"] + increment.text
        memory = memory | {
            "end": end,
            "text": seen,
            "tokens": memory["tokens"] + increment.tokens,
        }
        if not increment.text or (self.action == "close" and increment.answering):
            return memory, []
        data = {"seen": seen, "answering": increment.answering}
        return memory, [State("part", data, start, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        fingerprint = fingerprint_of(self.name, state, context.earlier)
        for _ in range(self.ticks(fingerprint)):
            await asyncio.sleep(0)
        return Verdict(not self.wrong(fingerprint), source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if verdict.ok is None:
            return CONTINUE
        assert answering == state.data["answering"]
        text = note(self.name, answering) if self.action == "feedback" else ""
        return Intervention(self.action, state.end, text, "wrong", self.name)


def fingerprint_of(name: str, state: State, earlier: Sequence[State]) -> str:
    return repr((name, state.data["seen"], state.data["answering"], [s.end for s in earlier]))


def note(name: str, answering: bool) -> str:
    return f"({name}{'!' if answering else ''})\n"


async def start(model: ScriptedModel) -> Trace:
    return Trace([(await segment(model, "prompt", [Piece(PROMPT)])).operation()])


def request_for(model: ScriptedModel, trace: Trace, most: int = 10_000) -> Request:
    return Request(prompt_of(model, trace), most)


@dataclass
class Run:
    """What came of driving a model to its end."""

    trace: Trace
    results: list[StreamResult]
    events: list[dict[str, Any]]

    @property
    def final(self) -> Reading:
        return self.results[-1].reading

    @property
    def judged(self) -> list[Judged]:
        return [one for result in self.results for one in result.judged]


async def drive(
    model: ScriptedModel, monitors: Sequence[Any], most: int = 10_000, most_streams: int = 200
) -> Run:
    """Watch and refine until the model ends; everything between streams goes through JSON."""
    run = Run(await start(model), [], [])
    reading: Reading | None = None
    while True:
        operations = json.loads(json.dumps(run.trace.operations))
        run.trace = Trace(operations)
        request = request_for(model, run.trace, most)
        if isinstance(request.prompt, tuple):
            assert model.text(request.prompt) == run.trace.text
        result = await watch(
            model,
            run.trace,
            request,
            monitors,
            reading=reading,
            earlier=standing(run.judged),
            emit=run.events.append,
        )
        run.results.append(result)
        assert len(run.results) <= most_streams
        reading = Reading(**json.loads(json.dumps(asdict(result.reading))))
        if result.ended == "broken":
            continue
        if result.ended != "intervened":
            return run
        assert result.intervention is not None
        if result.intervention.kind == "close":
            pieces = [Piece(CLOSE, special=True), Piece("\n")]
            addition = await segment(model, "marker", pieces, run.trace.leftover)
        else:
            pieces = [Piece(result.intervention.text)]
            addition = await segment(model, "feedback", pieces, run.trace.leftover)
        run.trace.append(addition)


# ---- the reference: one part after the other, every verdict awaited before the next -------------


@dataclass
class Watched:
    """A monitor as the reference sees it: all it read, and its states that stand."""

    monitor: Recorder
    seen: str = ""
    boundaries: list[str] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def read(self, text: str, start: int, answering: bool) -> bool:
        """Read a part; whether it objects."""
        self.seen += text
        if self.monitor.action == "close" and answering:
            return False
        data = {"seen": self.seen, "answering": answering}
        state = State("part", data, start, start + len(text))
        if self.monitor.wrong(fingerprint_of(self.monitor.name, state, self.states)):
            return True
        self.states.append(state)
        return False


class Reference:
    """Synchronous: nothing is ever read that is cut away later, except half a line's feedback."""

    def __init__(self, script: Callable[[str], list[str]], monitors: Sequence[Recorder]) -> None:
        self.script = script
        self.watched = [Watched(monitor) for monitor in monitors]
        self.body = ""
        self.line = ""
        self.closed = False
        while not self.play(self.script(PROMPT + self.body)):
            pass

    def play(self, tokens: list[str]) -> bool:
        """One reply; whether it came to its end without an objection."""
        for token in tokens:
            if token == CLOSE and not self.closed:
                if objecting := self.end_line():
                    return self.intervene(objecting[0])
                self.body += CLOSE
                self.closed = True
                self.boundary("close")
                continue
            for part in token.splitlines(keepends=True):
                start = len(self.body)
                self.body += part
                self.line += part
                objecting = self.end_line() if part.endswith("\n") else []
                objecting += [
                    one
                    for one in self.watched
                    if one.monitor.reads == "token" and one.read(part, start, self.closed)
                ]
                if objecting:
                    return self.intervene(min(objecting, key=self.watched.index))
        if objecting := self.end_line():
            return self.intervene(objecting[0])
        self.boundary("end")
        return True

    def end_line(self) -> list[Watched]:
        """The line begun is read as it is; who objects."""
        line, self.line = self.line, ""
        start = len(self.body) - len(line)
        return [
            one
            for one in self.watched
            if line and one.monitor.reads == "line" and one.read(line, start, self.closed)
        ]

    def intervene(self, one: Watched) -> bool:
        # What an intervention leaves of a line is a line of its own, and may be wrong in its turn.
        if objecting := self.end_line():
            one = objecting[0]
        if one.monitor.action == "close":
            self.body += CLOSE + "\n"
            self.closed = True
            self.boundary("close")
        else:
            self.body += note(one.monitor.name, self.closed)
            self.boundary("feedback")
        return False

    def boundary(self, kind: str) -> None:
        for one in self.watched:
            one.boundaries.append(kind)


LONGEST = 40
"""Nothing is wrong behind so many characters: every run comes to an end."""

TOKENS = st.lists(
    st.sampled_from(
        ["a", "b", " c", "a\n", "\n", "\n\n", "b\na", "\nb", "a b\nc\n", "a\nb\nc\na", "", CLOSE]
    ),
    max_size=10,
)


@st.composite
def monitor_lists(draw: st.DrawFn) -> list[Recorder]:
    salt, share = draw(st.integers(0, 2**16)), draw(st.integers(2, 8))
    slow, eager = draw(st.integers(1, 9)), draw(st.booleans())

    def wrong(fingerprint: str) -> bool:
        seen = fingerprint.split(", ")[1]
        return len(seen) < LONGEST and crc32(f"{salt}{fingerprint}".encode()) % share == 0

    def ticks(fingerprint: str) -> int:
        return 0 if eager else crc32(f"{fingerprint}{salt}".encode()) % slow

    kinds = draw(
        st.lists(
            st.sampled_from([("line", "feedback"), ("token", "feedback"), ("line", "close")]),
            min_size=1,
            max_size=4,
        )
    )
    return [
        Recorder(f"m{index}", reads, action, wrong, ticks)  # type: ignore[arg-type]
        for index, (reads, action) in enumerate(kinds)
    ]


@given(st.lists(TOKENS, min_size=1, max_size=5), monitor_lists(), st.integers(0, 2**16))
def test_watching_ends_as_a_slow_synchronous_reading_does(
    replies: list[list[str]], monitors: list[Recorder], salt: int
) -> None:
    def script(text: str) -> list[str]:
        return replies[crc32(f"{salt}{text}".encode()) % len(replies)]

    model = ScriptedModel(lambda text: [Token(token) for token in script(text)])
    run = asyncio.run(drive(model, monitors))
    expected = Reference(script, monitors)

    assert run.trace.body == expected.body
    stood = standing(run.judged)
    for one in expected.watched:
        memory = run.final.memories[one.monitor.name]
        # No character twice and none left out: offsets are asserted by the monitor itself.
        assert memory["text"] == one.seen
        assert memory["boundaries"] == one.boundaries
        assert [state for state, _ in stood.get(one.monitor.name, [])] == one.states

    received = sum(result.generated for result in run.results)
    kept = sum(len(s.ends) for s in run.trace.segments if s.kind == "generated")
    assert received == model.streamed == run.trace.generated
    assert sum(result.wasted for result in run.results) == received - kept == run.trace.wasted
    for result in run.results:
        failed = [one.state.end for one in result.judged if not one.verdict.ok]
        assert bool(failed) == (result.ended == "intervened")
        assert all(end == result.judged[-1].state.end for end in failed)


@given(TOKENS, st.integers(1, 50), st.data())
def test_monitors_that_do_not_object_change_nothing(
    tokens: list[str], most: int, data: st.DataObject
) -> None:
    async def stream(monitors: Sequence[Recorder]) -> tuple[ScriptedModel, Trace, str]:
        model = ScriptedModel([Token(token) for token in tokens])
        trace = await start(model)
        result = await watch(model, trace, request_for(model, trace, most), monitors)
        assert (result.generated, result.wasted, result.intervention) == (model.streamed, 0, None)
        return model, trace, result.ended

    watched = [Recorder("a"), Recorder("b", "token"), Recorder("c", action="close")]
    with_monitors = asyncio.run(stream(watched))
    without = asyncio.run(stream(()))
    assert with_monitors[0].requests == without[0].requests
    assert with_monitors[1].operations == without[1].operations
    assert with_monitors[2] == without[2] == ("length" if len(tokens) > most else "stop")


@given(TOKENS, st.sets(st.integers(1, 9), max_size=3))
def test_a_stream_that_breaks_and_goes_on_states_the_same(
    tokens: list[str], breaks: set[int]
) -> None:
    """The prompt of the next stream says where the last one broke."""
    tokens = [token for token in tokens if token]

    def script(text: str) -> list[Token | Fault]:
        done, position = 0, len(PROMPT)
        while position < len(text):
            position += len(tokens[done])
            done += 1
        left: list[Token | Fault] = []
        for index in range(done, len(tokens)):
            if index in breaks and index > done:
                return [*left, Fault(StreamBroken("gone"))]
            left.append(Token(tokens[index]))
        return left

    monitors = [Recorder("lines"), Recorder("tokens", "token")]
    broken = asyncio.run(drive(ScriptedModel(script), monitors))
    whole = asyncio.run(drive(ScriptedModel([Token(token) for token in tokens]), monitors))
    assert broken.trace.body == whole.trace.body
    for name in ("lines", "tokens"):
        one, other = (
            [judged.state for judged in run.judged if judged.monitor == name]
            for run in (broken, whole)
        )
        assert one == other
    assert broken.final.memories == whole.final.memories
    assert [result.ended for result in broken.results[:-1]] == ["broken"] * (
        len(broken.results) - 1
    )
    assert shown(broken) == broken.trace.body


def shown(run: Run) -> str:
    return "".join(event["text"] for event in run.events if event["type"] == "token")


# ---- one property each ----------------------------------------------------------------------


def bad(*words: str) -> Callable[[str], bool]:
    """Wrong is what ends in one of the words."""
    pattern = re.compile(rf"({'|'.join(words)})(\\n)?', ")
    return lambda fingerprint: pattern.search(fingerprint) is not None


async def test_the_earliest_wrong_state_wins_whichever_verdict_comes_first() -> None:
    def ticks(fingerprint: str) -> int:
        return 30 if "bad2" not in fingerprint else 0  # the first one takes its time

    monitor = Recorder("m", wrong=bad("bad1", "bad2"), ticks=ticks)
    model = ScriptedModel({r"\(m\)\n": "fine\n", "": "ok\nbad1\nok\nbad2\nmore\nand more\n"})
    run = await drive(model, [monitor])
    assert run.trace.body == "ok\nbad1\n(m)\nfine\n"
    first = run.results[0].judged
    assert [(one.state.data["seen"], one.verdict.ok, one.corrected) for one in first] == [
        ("ok\n", True, False),
        ("ok\nbad1\n", False, True),
    ]
    assert run.results[0].wasted == run.trace.wasted > 0


async def test_reading_goes_on_while_a_verification_runs() -> None:
    started = asyncio.Event()
    release = asyncio.Event()
    text = "bad\n" + "more " * 50

    class Slow(Recorder):
        async def verify(self, state: State, context: Context) -> Verdict:
            started.set()
            await release.wait()
            return Verdict(False)

    model = ScriptedModel(text)
    trace = await start(model)
    watching = asyncio.ensure_future(watch(model, trace, request_for(model, trace), [Slow("m")]))
    await started.wait()
    while model.streamed < 52:  # noqa: ASYNC110  (the reading under test must go on meanwhile)
        await asyncio.sleep(0)
    assert not watching.done()
    release.set()
    result = await watching
    assert (result.ended, trace.body) == ("intervened", "bad\n")


async def test_a_wrong_state_stops_the_stream() -> None:
    model = ScriptedModel("bad\n" + "more " * 1000)
    trace = await start(model)
    result = await watch(model, trace, request_for(model, trace), [Recorder("m", wrong=bad("bad"))])
    assert result.ended == "intervened"
    assert model.streamed < 10


async def test_tokens_that_came_together_keep_no_verdict_waiting() -> None:
    class Together(ScriptedModel):
        async def stream(self, request: Request) -> Any:
            for word in ("bad", "\n", *["more "] * 1000):
                self.streamed += 1
                yield Token(word, self._id(word))

    model = Together("")
    trace = await start(model)
    result = await watch(model, trace, request_for(model, trace), [Recorder("m", wrong=bad("bad"))])
    assert (result.ended, trace.body) == ("intervened", "bad\n")
    assert model.streamed < 10


async def test_a_reply_that_came_whole_has_cost_all_of_it_where_it_is_cut() -> None:
    class Whole(ScriptedModel):
        async def stream(self, request: Request) -> Any:
            for token in whole(map(Token, ["bad\n", *["more\n"] * 50]), 200):
                yield token
            yield Finish("stop", generated=200)

    model = Whole("", capabilities=Capabilities(exact_prefix=False))
    trace = await start(model)
    result = await watch(model, trace, request_for(model, trace), [Recorder("m", wrong=bad("bad"))])
    assert (result.ended, trace.body) == ("intervened", "bad\n")
    assert result.generated == 200


@pytest.mark.usefixtures("virtual_time")
async def test_nothing_ends_before_its_verifications_answered() -> None:
    answered = []

    class Slow(Recorder):
        async def verify(self, state: State, context: Context) -> Verdict:
            await asyncio.sleep(0.03)
            answered.append(state)
            return Verdict(True)

    model = ScriptedModel("one\ntwo\nthree")
    trace = await start(model)
    result = await watch(model, trace, request_for(model, trace), [Slow("m")])
    assert result.ended == "stop"
    assert len(answered) == len(result.judged) == 3


async def test_the_last_line_needs_no_line_break() -> None:
    run = await drive(
        ScriptedModel({r"\(m\)\n": "", "": "ok\nbad"}), [Recorder("m", wrong=bad("bad"))]
    )
    assert run.trace.body == "ok\nbad(m)\n"


async def test_what_comes_before_the_close_marker_is_judged_as_thinking() -> None:
    monitor = Recorder("m", wrong=bad("bad"))
    run = await drive(ScriptedModel({r"\)\n": "ok", "": "bad</think>bad"}), [monitor])
    assert run.trace.body == "bad(m)\nok"
    run = await drive(ScriptedModel({r"\)\n": "ok", "": "fine</think>bad"}), [monitor])
    assert run.trace.body == "fine</think>bad(m!)\nok"


async def test_two_monitors_object_at_once_and_the_first_in_the_list_wins() -> None:
    model = ScriptedModel({r"\)\n": "ok", "": "bad\n"})
    monitors = [Recorder("one", wrong=bad("bad")), Recorder("two", wrong=bad("bad"))]
    run = await drive(model, monitors)
    assert run.trace.body == "bad\n(one)\nok"
    assert [(one.monitor, one.corrected) for one in run.results[0].judged] == [
        ("one", True),
        ("two", False),
    ]
    run = await drive(model, monitors[::-1])
    assert run.trace.body == "bad\n(two)\nok"


async def test_a_state_that_stood_is_kept_though_another_monitors_equal_one_failed() -> None:
    model = ScriptedModel({r"\)\n": "ok\n", "": "bad\n"})
    monitors = [Recorder("one", wrong=bad("bad")), Recorder("two")]
    run = await drive(model, monitors)
    states = standing(run.judged)
    assert [state.data["seen"] for state, _ in states["one"]] == ["bad\nok\n"]
    assert [state.data["seen"] for state, _ in states["two"]] == ["bad\n", "bad\nok\n"]


async def test_a_token_with_more_behind_the_wrong_line_leaves_nothing_of_it() -> None:
    model = ScriptedModel({r"\)\n": "ok", "": [Token("ok\nbad\nand more\n"), "x"]})
    run = await drive(model, [Recorder("m", wrong=bad("bad"))])
    assert run.trace.body == "ok\nbad\n(m)\nok"
    assert [segment.kind for segment in run.trace.segments] == ["prompt", "feedback", "generated"]
    assert run.trace.segments[1].text == "ok\nbad\n(m)\n"


async def test_a_verifier_that_raises_cannot_tell() -> None:
    class Broken(Recorder):
        async def verify(self, state: State, context: Context) -> Verdict:
            raise ValueError("oops")

    run = await drive(ScriptedModel("one\n"), [Broken("m")])
    (judged,) = run.judged
    assert judged.verdict.ok is None
    assert judged.verdict.kind == "verifier_error"
    assert judged.verdict.reason == "Broken.verify failed: ValueError: oops"
    assert run.trace.body == "one\n"
    assert not judged.corrected


async def test_an_unbroken_line_is_read_in_the_end() -> None:
    model = ScriptedModel([Token("ab") for _ in range(10_000)])
    run = await drive(model, [Recorder("m")])
    assert run.final.memories["m"]["text"] == "ab" * 10_000
    assert run.final.memories["m"]["tokens"] == 10_000
    assert len(run.judged) > 1  # a line without end is not held back for ever


async def test_tokens_are_counted_whatever_they_hold() -> None:
    tokens = ["a", "", "b\nc\nd", "\n", "", "e"]
    run = await drive(
        ScriptedModel([Token(token) for token in tokens]),
        [Recorder("lines"), Recorder("tokens", "token")],
    )
    for name in ("lines", "tokens"):
        assert run.final.memories[name]["tokens"] == len(tokens)


async def test_the_length_limit_ends_a_leg() -> None:
    model = ScriptedModel("a b c d e")
    trace = await start(model)
    result = await watch(model, trace, request_for(model, trace, 3), [Recorder("m")])
    assert (result.ended, result.generated, trace.body) == ("length", 3, "a b c")


async def test_an_empty_stream_ends() -> None:
    model = ScriptedModel("")
    trace = await start(model)
    result = await watch(model, trace, request_for(model, trace), [Recorder("m")])
    assert (result.ended, result.generated, result.judged) == ("stop", 0, [])
    assert len(trace.operations) == 1


@pytest.mark.parametrize("error", [ModelUnavailable("off"), StreamBroken("gone")])
async def test_a_stream_that_never_began_leaves_the_trace_as_it_was(
    error: ModelUnavailable | StreamBroken,
) -> None:
    model = ScriptedModel([Fault(error)])
    trace = await start(model)
    with pytest.raises(type(error)):
        await watch(model, trace, request_for(model, trace), [Recorder("m")])
    assert len(trace.operations) == 1


async def test_a_broken_stream_keeps_its_text_and_says_why() -> None:
    model = ScriptedModel(["one\ntw", Fault(StreamBroken("gone"))])
    trace = await start(model)
    events: list[dict[str, Any]] = []
    result = await watch(
        model, trace, request_for(model, trace), [Recorder("m")], emit=events.append
    )
    assert (result.ended, trace.body, str(result.error)) == ("broken", "one\ntw", "gone")
    assert (result.reading.unread, result.reading.unread_at) == ("tw", 4)
    assert "".join(e["text"] for e in events if e["type"] == "token") == "one\ntw"


async def test_a_wrong_state_wins_over_a_break_behind_it() -> None:
    model = ScriptedModel(["bad\nmore", Fault(StreamBroken("gone"))])
    trace = await start(model)
    monitor = Recorder("m", wrong=bad("bad"), ticks=lambda _: 20)
    result = await watch(model, trace, request_for(model, trace), [monitor])
    assert (result.ended, trace.body, result.error) == ("intervened", "bad\n", None)


@pytest.mark.usefixtures("virtual_time")
@pytest.mark.parametrize("verifying", [False, True])
async def test_cancelled_from_outside_the_text_is_kept(verifying: bool) -> None:
    """While the stream still runs, and while its end waits for a slow verifier."""
    stopped = []

    class Slow(Recorder):
        async def verify(self, state: State, context: Context) -> Verdict:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                stopped.append(state)
                raise
            return Verdict(True)

    model = ScriptedModel(["one\ntwo", *([] if verifying else [Delay(60), "three"])])
    trace = await start(model)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await watch(model, trace, request_for(model, trace), [Slow("m")])
    await asyncio.sleep(0)
    assert trace.body == "one\ntwo"
    assert trace.generated == model.streamed == 3
    assert len(stopped) == (2 if verifying else 1)


async def test_events_tell_the_story_in_order() -> None:
    model = ScriptedModel({r"\)\n": "ok\n", "": "fine\nbad\n" + "more " * 100})
    monitor = Recorder("m", wrong=bad("bad"))
    run = await drive(model, [monitor])
    story = [
        (event["type"], event.get("text") or event["state"]["data"]["seen"]) for event in run.events
    ]
    assert story[:2] == [("token", "fine\n"), ("state", "fine\n")]
    assert story.index(("token", "bad\n")) < story.index(("state", "fine\nbad\n"))
    assert story.index(("state", "fine\nbad\n")) < story.index(("verdict", "fine\nbad\n"))
    verdicts = [event for event in run.events if event["type"] == "verdict"]
    assert [event["verdict"]["ok"] for event in verdicts] == [True, False, True]
    json.dumps(run.events)


async def test_events_hold_all_text_of_an_unobjected_stream() -> None:
    text = "one two three " * 20 + "\nlast"
    run = await drive(ScriptedModel(text), [Recorder("m")])
    assert shown(run) == text
    bare = await drive(ScriptedModel(text), [])
    assert shown(bare) == text
    assert 2 < len(bare.events) < 40  # gathered, not one event per token


async def test_an_engine_without_ids_is_watched_over_text() -> None:
    model = ScriptedModel(
        {r"\)\n": "ok\n", "": [Token("fine\nba"), Token("d\nmore\n")]},
        capabilities=Capabilities(exact_prefix=False),
    )
    run = await drive(model, [Recorder("m", wrong=bad("bad"))])
    assert run.trace.body == "fine\nbad\n(m)\nok\n"
    assert model.requests[1].prompt == PROMPT + "fine\nbad\n(m)\n"
