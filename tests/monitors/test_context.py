"""What a state is judged in, and states that end before the increment that completed them."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import pytest
from counting import Steps, counting_lines
from hypothesis import given
from hypothesis import strategies as st
from test_watch import CLOSE, PROMPT, Recorder, bad, drive, request_for, start

from agentflow.errors import StreamBroken
from agentflow.models import Capabilities, Delay, Fault, ScriptedModel, Token
from agentflow.models.metered import Metered
from agentflow.models.model import Request, complete
from agentflow.monitors import Context, Increment, Intervention, Judged, standing, watch
from agentflow.monitors.monitor import LOOKBACK, Memory
from agentflow.state import State
from agentflow.trace import Trace
from agentflow.verdict import Verdict


@dataclass
class Back:
    """At every ``mark`` a state that ends where the increment ``back`` before it began."""

    mark: str
    back: int
    ok: bool = False
    ticks: int = 0
    name: str = "back"
    reads: Literal["line", "token"] = "token"
    fed: list[Memory] = field(default_factory=list)

    def start(self) -> Memory:
        return {"starts": [], "text": ""}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary:
            return memory, []
        starts = [*memory["starts"], increment.offset]
        memory = {"starts": starts, "text": memory["text"] + increment.text}
        if increment.text != self.mark or len(starts) <= self.back:
            return memory, []
        end = starts[-1 - self.back]
        return memory, [State("mark", {}, end, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        for _ in range(self.ticks):
            await asyncio.sleep(0)
        return Verdict(self.ok, source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        return Intervention("feedback", state.end, "(b)", "back", self.name)


TOKENS = st.lists(st.sampled_from(["a", "b\n", "\n\nc", "", " d", "e\nf\n"]), max_size=20)


class TestLookback:
    @given(TOKENS, TOKENS, st.integers(0, LOOKBACK - 1), st.integers(0, 9))
    def test_everything_is_put_back_to_where_the_state_ended(
        self, before: list[str], behind: list[str], back: int, ticks: int
    ) -> None:
        """As after a stream that ended there."""

        async def watched_in(tokens: list[str], monitors: Sequence[Any]) -> tuple[Any, Trace]:
            model = ScriptedModel([Token(token) for token in tokens])
            trace = await start(model)
            return await watch(model, trace, request_for(model, trace, most=99), monitors), trace

        watched = [Recorder("lines"), Back("!", back, ticks=ticks), Recorder("tokens", "token")]
        found, trace = asyncio.run(watched_in([*before, "!", *behind], watched))
        if found.ended != "intervened":
            starts = [part for token in before for part in token.splitlines() or [""]]
            assert len(starts) < back
            return
        assert found.intervention is not None
        end = found.intervention.offset
        assert trace.body == "".join(before)[:end]
        assert found.wasted == trace.wasted
        memories, reading = found.reading.memories, found.reading
        assert memories["tokens"]["text"] == memories["back"]["text"] == trace.body
        assert memories["lines"]["text"] + reading.unread == trace.body
        assert "\n" not in reading.unread
        if reading.unread:
            assert reading.unread_at == len(memories["lines"]["text"])
        assert all(one.state.end <= end for one in found.judged)
        texts = [one.state.data["seen"] for one in found.judged if one.monitor == "tokens"]
        assert texts == list(dict.fromkeys(texts))  # none is judged twice
        json.dumps(asdict(reading))

    async def test_the_stream_goes_on_from_there(self) -> None:
        model = ScriptedModel({r"\(b\)": " fine\nok\n", "": "one\ntwo three ! four\n"})
        lines, back = Recorder("lines"), Back(" !", 1)
        run = await drive(model, [lines, back])
        assert run.trace.body == "one\ntwo(b) fine\nok\n"
        texts = [one.state.data["seen"] for one in run.judged if one.monitor == "lines"]
        assert [text.splitlines()[-1] for text in texts] == ["one", "two", "two fine", "ok"]

    @pytest.mark.parametrize("line_ticks", [0, 5, 60])
    @pytest.mark.parametrize("back_ticks", [0, 5, 60])
    @pytest.mark.parametrize("first", ["lines", "back"])
    async def test_who_objects_first_wins_whichever_verdict_comes_first(
        self, line_ticks: int, back_ticks: int, first: str
    ) -> None:
        """A reader that waits would never have come to the mark."""
        monitors: list[Any] = [
            Recorder("lines", wrong=bad("bad"), ticks=lambda _: line_ticks),
            Back(" !", 4, ticks=back_ticks),
        ]
        model = ScriptedModel({r"\)\n?": "", "": "one two bad\n three four !" + " x" * 90})
        run = await drive(model, monitors if first == "lines" else monitors[::-1])
        assert run.trace.body == "one two bad\n(lines)\n"

    async def test_a_state_behind_the_place_of_the_cut_does_not_stand(self) -> None:
        lines = Recorder("lines")
        model = ScriptedModel({r"\(b\)": "", "": "one two\nthree !" + " x" * 30})
        run = await drive(model, [lines, Back(" !", 3)])
        assert run.trace.body == "one(b)"
        assert [one.monitor for one in run.results[0].judged] == ["back"]
        assert [one.state.data["seen"] for one in run.judged if one.monitor == "lines"] == ["one"]

    async def test_one_that_ends_before_the_stream_began_ends_where_it_was_found(self) -> None:
        broken = [True]

        def script(_: str) -> list[str | Fault]:
            if not broken:
                return ["! done"]
            broken.clear()
            return ["one two", Fault(StreamBroken("gone"))]

        run = await drive(ScriptedModel(script), [Back("!", 1, ok=True), Recorder("lines")])
        assert run.trace.body == "one two! done"
        (state,) = [one.state for one in run.judged if one.monitor == "back"]
        assert (state.start, state.end) == (3, len("one two!"))


class TestPlacesWithTwoStates:
    async def test_a_line_that_a_token_objected_behind_is_read_once(self) -> None:
        """The stream ends with the line that a monitor of tokens objects to."""
        tokens = Recorder("tokens", "token", wrong=bad("'a"), ticks=lambda _: 5)
        model = ScriptedModel({r"\)\n": "ok", "": "a"})
        run = await drive(model, [Recorder("lines"), tokens])
        assert run.trace.body == "a(tokens)\nok"
        ends = [one.state.end for one in run.judged if one.monitor == "lines"]
        assert ends == sorted(set(ends))

    async def test_a_wrong_line_before_the_marker_is_objected_to_once(self) -> None:
        """A token without text stands between them."""
        model = ScriptedModel(
            {r"\)\n": "ok", "": [Token("bad"), Token(""), Token(CLOSE), Token("x")]}
        )
        run = await drive(
            model, [Recorder("m", wrong=bad("bad")), Recorder("t", "token")], most_streams=5
        )
        assert run.trace.body == "bad(m)\nok"
        assert len(run.results) == 2


@dataclass
class Asking(Recorder):
    """Keeps what every state was judged in."""

    contexts: list[tuple[str, list[str], Verdict | None, Trace]] = field(default_factory=list)

    async def verify(self, state: State, context: Context) -> Verdict:
        previous = await context.previous()
        earlier = [one.data["seen"] for one in context.earlier]
        seen = state.data["seen"]
        self.contexts.append((seen, earlier, previous, context.trace()))
        verdict = await super().verify(state, context)
        return Verdict(verdict.ok, seen, source=self.name)


class TestContext:
    async def test_the_verdict_before_is_waited_for(self) -> None:
        asking = Asking("m", ticks=lambda seen: 9 if seen.count("\\n") == 1 else 0)
        await drive(ScriptedModel("a\nb\nc\n"), [asking])
        previous = [before and before.reason for _, _, before, _ in asking.contexts]
        assert previous == [None, "a\n", "a\nb\n"]
        assert [earlier for _, earlier, _, _ in asking.contexts] == [
            [],
            ["a\n"],
            ["a\n", "a\nb\n"],
        ]

    async def test_in_the_next_leg_it_is_the_last_that_passed(self) -> None:
        asking = Asking("m", wrong=bad("bad"))
        await drive(ScriptedModel({r"\(m\)\n": "fine\n", "": "ok\nbad\n"}), [asking])
        by_state = {seen: before for seen, _, before, _ in asking.contexts}
        after = by_state["ok\nbad\nfine\n"]
        assert after is not None
        assert (after.ok, after.reason) == (True, "ok\n")

    async def test_each_monitor_has_its_own(self) -> None:
        one, two = Asking("one"), Asking("two", "token")
        await drive(ScriptedModel("a b\nc\n"), [one, two])
        for asking in (one, two):
            reasons = [before.reason for _, _, before, _ in asking.contexts if before]
            assert reasons == [seen for seen, _, _, _ in asking.contexts][:-1]

    async def test_the_trace_is_as_it_was_at_the_states_end(self) -> None:
        asking = Asking("m")
        model = ScriptedModel([Token("a"), Token(" b\nc"), Token("\nd")])
        run = await drive(model, [asking])
        bodies = [(trace.body, trace.leftover) for _, _, _, trace in asking.contexts]
        assert bodies == [("a b\n", " b\n"), ("a b\nc\n", "\n"), ("a b\nc\nd", "")]
        whole = run.trace.ids
        prompt = len(await model.tokenize([])) + len(run.trace.segments[0].ids)
        kept = [prompt + 1, prompt + 2, prompt + 3]
        assert [trace.ids for _, _, _, trace in asking.contexts] == [whole[:n] for n in kept]
        assert run.trace.body == "a b\nc\nd"  # what the monitors did with theirs changed nothing

    async def test_in_a_later_leg_what_came_before_is_in_it(self) -> None:
        asking = Asking("m", wrong=bad("bad"))
        await drive(ScriptedModel({r"\(m\)\n": "fine\n", "": "bad\nmore\n"}), [asking])
        seen, _, _, trace = asking.contexts[-1]
        assert seen.endswith("fine\n")
        assert trace.text == f"{PROMPT}bad\n(m)\nfine\n"
        assert [segment.kind for segment in trace.segments] == [
            "prompt",
            "generated",
            "feedback",
            "generated",
        ]

    async def test_before_the_close_marker_it_is_not_closed(self) -> None:
        asking = Asking("m")
        await drive(ScriptedModel(f"a{CLOSE}b"), [asking])
        assert [trace.body for _, _, _, trace in asking.contexts] == ["a", f"a{CLOSE}b"]

    async def test_an_engine_without_ids_has_text(self) -> None:
        asking = Asking("m")
        model = ScriptedModel("a\nb\n", capabilities=Capabilities(exact_prefix=False))
        await drive(model, [asking])
        assert [trace.text for _, _, _, trace in asking.contexts] == ["Q: a\n", "Q: a\nb\n"]

    async def test_the_traces_of_many_states_have_what_came_before_in_common(self) -> None:
        """Copies would take time and memory that grow with the square of the text."""
        asking, states = Asking("m"), 1000
        model = ScriptedModel([Token("a\n")] * states)
        trace = await start(model)
        tracemalloc.start()
        try:
            await watch(model, trace, request_for(model, trace, most=9999), [asking])
            found = tracemalloc.take_snapshot()
        finally:
            tracemalloc.stop()
        ours = [
            tracemalloc.Filter(True, f"*/agentflow/{name}")
            for name in ("*trace.py", "*received.py")
        ]
        held = sum(one.size for one in found.filter_traces(ours).statistics("filename"))
        traces = [trace for _, _, _, trace in asking.contexts]
        assert len(traces) == states
        assert held < 4 * sum(len(one.text) for one in traces)
        assert traces[20].text == PROMPT + "a\n" * 21
        assert (
            Trace(traces[20].operations).ids == traces[20].ids == trace.ids[: len(traces[20].ids)]
        )

    async def test_by_default_there_is_nothing(self) -> None:
        context = Context()
        assert list(context.earlier) == []
        assert await context.previous() is None
        assert context.trace().text == ""


@pytest.mark.usefixtures("virtual_time")
async def test_cancelled_verifications_are_waited_for_and_counted() -> None:
    other = Metered(ScriptedModel(["x", Delay(60), "y"]), "judge", "here")
    ended = []

    class Judging(Recorder):
        async def verify(self, state: State, context: Context) -> Verdict:
            if state.data["seen"] == "bad\n":
                await asyncio.sleep(0.02)
                return Verdict(False)
            try:
                await complete(other, Request("what?", 9))
            finally:
                await asyncio.sleep(0)
                ended.append(state.data["seen"])
            return Verdict(True)

    model = ScriptedModel(["bad\nx\ny\n", Delay(60), "z\n"])
    trace = await start(model)
    result = await watch(model, trace, request_for(model, trace), [Judging("m")])
    assert (result.ended, trace.body) == ("intervened", "bad\n")
    assert ended == ["bad\nx\n", "bad\nx\ny\n"]
    assert [entry["generated"] for entry in other.entries.values()] == [1, 1]
    assert len(asyncio.all_tasks()) == 1


def test_what_passed_stands_with_its_verdict() -> None:
    states = [State("s", {"n": n}) for n in range(3)]
    verdicts = [Verdict(True, "one"), Verdict(False), Verdict(None)]
    judged = [
        Judged("m", state, verdict, False) for state, verdict in zip(states, verdicts, strict=True)
    ]
    assert standing(judged) == {"m": [(states[0], verdicts[0])]}


@dataclass
class Lines:
    """A state per line of a text; at each it looks through all earlier ones, both ways."""

    count: int
    looked: list[Steps] = field(default_factory=list)
    name: str = "lines"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        return {}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary:
            return memory, []
        end = increment.offset + len(increment.text)
        return memory, [State("one", {"at": at}, end, end) for at in range(self.count)]

    async def verify(self, state: State, context: Context) -> Verdict:
        ran, places = Steps(), list(range(state.data["at"]))
        with counting_lines(ran):
            found = list(context.earlier), list(reversed(context.earlier))
        self.looked.append(ran)
        assert [one.data["at"] for one in found[0]] == places
        assert [one.data["at"] for one in found[1]] == places[::-1]
        return Verdict(True, source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        raise AssertionError("all pass")


async def test_to_look_through_many_earlier_states_runs_no_line_of_ours_for_each() -> None:
    lines = Lines(100)
    model = ScriptedModel("one\n")
    trace = await start(model)
    await watch(model, trace, request_for(model, trace), [lines])
    costs = [ran.taken for ran in lines.looked]
    assert len(costs) == 100
    assert costs[-1] == costs[1]
