from __future__ import annotations

import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains import Game24
from agentflow.errors import ModelUnavailable
from agentflow.models import Delay, Fault, Request, ScriptedModel, Token
from agentflow.models.metered import Metered
from agentflow.models.model import Finish, prompt_of, segment
from agentflow.models.scripted import Reply
from agentflow.monitors import (
    Context,
    EarlyExit,
    Increment,
    KStable,
    Monitor,
    StepVerifier,
    StreamResult,
    TokenBudget,
    watch,
)
from agentflow.monitors.monitor import Memory
from agentflow.monitors.probes import Prober, ProbeSettings
from agentflow.monitors.rules import (
    Budget,
    Confidence,
    EntropyLevel,
    EntropyVariance,
    Rule,
    Stable,
    Stall,
    UniqueAnswers,
    stops,
)
from agentflow.monitors.schedule import Schedule
from agentflow.profile import PROFILES, Piece
from agentflow.state import State
from agentflow.trace import Trace
from agentflow.verdict import Verdict

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
CLOSE = "</think>"
LEAD = f"{CLOSE}\nAnswer:"
RIGHT = "Answer: (7 - 8 / 8) * 4\n"
OTHER = "Answer: 8 * (7 - 4) / 8\n"
LINES = re.compile(r"[^\n]*\n|[^\n]+")


def sure(probability: float) -> Token:
    """A token of two alternatives, with its own probability."""
    top = ((" a", math.log(probability)), (" b", math.log1p(-probability)))
    return Token(" a", None, math.log(probability), top)


def watching(
    rules: Sequence[Rule],
    schedule: Schedule,
    ask: Any = None,
    *,
    combine: Any = "any",
    **options: Any,
) -> EarlyExit:
    prober = Prober(ask, PROBLEM, GAME, settings=ProbeSettings(**options))
    return EarlyExit(PROBLEM, GAME, prober, rules, schedule, combine)


async def watched(
    script: Callable[[str], Reply], make: Callable[[Any], Sequence[Monitor]], most: int = 10_000
) -> tuple[StreamResult, Trace, dict[str, Metered], ScriptedModel]:
    """One stream under monitors that ask the streaming model itself."""
    model = ScriptedModel(script)
    meters: dict[str, Metered] = {}

    async def ask(role: str) -> Metered:
        return meters.setdefault(role, Metered(model, role, "here"))

    trace = Trace([(await segment(model, "prompt", [Piece("Q: ")])).operation()])
    result = await watch(model, trace, Request(prompt_of(model, trace), most), make(ask))
    return result, trace, meters, model


# ---- what a reader that waits for every probe comes to ------------------------------------------


@dataclass(frozen=True)
class Case:
    """A stream, what the probes say, and when they are asked."""

    tokens: list[str]
    rules: list[Rule]
    schedule: Schedule
    combine: str
    salt: int
    pace: int

    def number(self, text: str, what: str, below: int) -> int:
        return crc32(f"{self.salt}{what}{text}".encode()) % below

    def fails(self, text: str) -> bool:
        return self.number(text, "fails", 6) == 0

    def probability(self, text: str) -> float:
        return (1 + self.number(text, "probability", 98)) / 100

    def answer(self, text: str, index: int) -> str:
        return (" 24", " 4 * 6", "?")[self.number(text, f"answer{index}", 3)]

    def script(self) -> Callable[[str], Reply]:
        """Probes take their time; roll-outs from one place differ."""
        asked = Counter[str]()

        def reply(prompt: str) -> Reply:
            if not prompt.endswith(LEAD):
                return [item for token in self.tokens for item in (Token(token), Delay(0))]
            text = prompt.removeprefix("Q: ").removesuffix(LEAD)
            asked[text] += 1
            wait = [Delay(0)] * (self.number(text, "wait", 9) * self.pace)
            if self.fails(text):
                return [*wait, Fault(ModelUnavailable("off"))]
            if asked[text] <= len({"entropy", "confidence"} & {r.signal for r in self.rules}):
                return [*wait, sure(self.probability(text))]
            return [*wait, Token(self.answer(text, asked[text]))]

        return reply

    def signals(self, text: str, data: dict[str, Any]) -> dict[str, Any] | None:
        """What the rules are told at the end of a text; None where a probe fails."""
        wanted = {rule.signal for rule in self.rules}
        asked = count(1)
        values = dict(data)
        if wanted & {"entropy", "confidence", "answers"} and self.fails(text):
            return None
        p = self.probability(text)
        if "entropy" in wanted:
            next(asked)
            values["entropy"] = -p * math.log(p) - (1 - p) * math.log1p(-p)
        if "confidence" in wanted:
            next(asked)
            values["confidence"] = p
        if "answers" in wanted:
            said = [GAME.answer(f"Answer:{self.answer(text, next(asked))}") for _ in range(3)]
            values["answers"] = [one and GAME.normalise(PROBLEM, one) for one in said]
        return values


@dataclass
class Waiting:
    """Reads part by part, and at every check point all that the rules need before the next."""

    case: Case
    monitors: Sequence[Monitor]
    memories: dict[str, Memory] = field(default_factory=dict)
    rules: Memory = field(default_factory=dict)
    judged: list[tuple[int, bool | None, Any]] = field(default_factory=list)
    body: str = ""
    line: str = ""
    line_tokens: int = 0
    stopped: bool = False

    def __post_init__(self) -> None:
        self.memories = {monitor.name: monitor.start() for monitor in self.monitors}
        before: list[tuple[int, dict[str, Memory], str]] = []
        for token in self.case.tokens:
            if token == CLOSE:
                break
            parts = LINES.findall(token) or [""]
            for number, part in enumerate(parts, 1):
                before.append((len(self.body), dict(self.memories), self.line))
                self.body += part
                place = self.read(part, int(number == len(parts)))
                if place is not None:
                    self.stopped = True
                    if place < len(self.body):
                        _, self.memories, self.line = next(b for b in before if b[0] == place)
                        self.body = self.body[:place]
                    return
        place = self.judge(self.end_line())
        self.stopped = place is not None
        if self.stopped:
            return
        rest = (
            self.case.tokens[self.case.tokens.index(CLOSE) :] if CLOSE in self.case.tokens else []
        )
        self.body += "".join(rest)

    def read(self, part: str, tokens: int) -> int | None:
        self.line, self.line_tokens = self.line + part, self.line_tokens + tokens
        states = self.end_line() if part.endswith("\n") else []
        increment = Increment(part, len(self.body) - len(part), tokens, False)
        return self.judge(states + self.feed("token", increment))

    def end_line(self) -> list[State]:
        line, tokens, self.line, self.line_tokens = self.line, self.line_tokens, "", 0
        return self.feed("line", Increment(line, len(self.body) - len(line), tokens, False))

    def feed(self, reads: str, increment: Increment) -> list[State]:
        states: list[State] = []
        for monitor in self.monitors:
            if monitor.reads == reads:
                memory, found = monitor.feed(self.memories[monitor.name], increment)
                self.memories[monitor.name] = memory
                states += found if isinstance(monitor, EarlyExit) else []
        return states

    def judge(self, states: Sequence[State]) -> int | None:
        """Where the thinking is to end, if it is."""
        for state in states:
            values = self.case.signals(self.body[: state.end], state.data)
            if values is None:
                self.judged.append((state.end, None, None))
                continue
            self.rules, fired = stops(self.case.rules, self.case.combine, self.rules, values)  # type: ignore[arg-type]
            self.judged.append((state.end, not fired, values))
            if fired:
                return state.end
        return None


TOKENS = st.lists(
    st.sampled_from(
        [
            *(
                "a",
                " b",
                "\n",
                "\n\n",
                ".\n\n",
                "x\ny",
                "",
                " Wait",
                ",",
                " W",
                "ait",
                "Wait. Wait",
            ),
            *("\n\n", " Wait", ",", "But", " wait", "\n\nWait"),
            *(RIGHT, OTHER, "7 - 1 = 6 (left: 4 6)\n"),
        ]
    ),
    min_size=12,
    max_size=40,
)
RULES = st.lists(
    st.sampled_from(
        [
            *(
                EntropyVariance(variance=2.0**-k, alpha=0.5, min_checks=least)
                for k in (3, 6, 9)
                for least in (0, 3)
            ),
            EntropyLevel(level=0.4, alpha=0.5),
            *(Stall(window=2, ratio=0.9), Confidence(confidence=0.9), UniqueAnswers()),
            *(Stable(k=2), Budget(tokens=9)),
        ]
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda rule: rule.name,
)
SCHEDULES = st.builds(
    Schedule,
    at=st.sampled_from(["keyword", "paragraph", "line", "tokens"]),
    every=st.integers(1, 3),
    keywords=st.just(("Wait", "But wait")),
)
CASES = st.builds(
    Case,
    st.builds(
        lambda thinking, answer: thinking + answer,
        TOKENS,
        st.sampled_from([[], [CLOSE, "\n", " Wait", ",", RIGHT, "\n\n"]]),
    ),
    RULES,
    SCHEDULES,
    st.sampled_from(["any", "all"]),
    st.integers(0, 2**16),
    st.integers(0, 3),
)


@given(CASES)
def test_probes_beside_the_stream_decide_as_if_it_had_waited(case: Case) -> None:
    def monitors(ask: Any) -> list[Monitor]:
        return [
            watching(case.rules, case.schedule, ask, combine=case.combine, rollouts=3),
            StepVerifier(PROBLEM, NoFault(), PROFILES["pocket"]),
            KStable(PROBLEM, GAME, 99),
            TokenBudget(10_000),
        ]

    result, trace, _, _ = asyncio.run(watched(case.script(), monitors))
    expected = Waiting(case, monitors(None))
    exits = [one for one in result.judged if one.monitor == "early_exit"]

    assert trace.body == expected.body
    assert [(one.state.end, one.verdict.ok) for one in exits] == [j[:2] for j in expected.judged]
    for one, (_, ok, values) in zip(exits, expected.judged, strict=True):
        if ok is not None:
            signals = one.verdict.evidence["signals"]
            assert signals.get("answers") == values.pop("answers", None)
            assert {name: signals[name] for name in values} == pytest.approx(values, rel=1e-9)
    assert (result.intervention is not None) == expected.stopped
    if result.intervention is not None:
        assert (result.intervention.kind, result.intervention.offset) == (
            "close",
            len(expected.body),
        )
        # Every monitor remembers what it would if nothing had been read beyond.
        assert result.reading.memories == expected.memories
        assert result.reading.unread == expected.line
        assert all(one.state.end <= len(expected.body) for one in result.judged)
    json.dumps(asdict(result.reading))


class NoFault(Game24):
    """A domain whose steps all pass: nothing but the early exit intervenes."""

    async def verify_state(self, *_: Any, **__: Any) -> Verdict:
        return Verdict(True)


# ---- one property each ----------------------------------------------------------------------


def fold(monitor: EarlyExit, tokens: Sequence[str]) -> tuple[Memory, list[State]]:
    memory, states, offset = monitor.start(), list[State](), 0
    for token in tokens:
        memory, found = monitor.feed(memory, Increment(token, offset, 1, False))
        states += found
        offset += len(token)
    return memory, states


class TestCheckPoints:
    def test_they_hold_the_tokens_so_far(self) -> None:
        _, states = fold(
            watching([Budget(tokens=9)], Schedule(at="tokens", every=2)), ["a", "b", "c", "d", "e"]
        )
        assert [(s.kind, s.start, s.end, s.data["tokens"]) for s in states] == [
            ("check_point", 2, 2, 2),
            ("check_point", 4, 4, 4),
        ]

    def test_before_a_keyword_its_own_tokens_do_not_count(self) -> None:
        _, (state,) = fold(
            watching([Budget(tokens=9)], Schedule(at="keyword")), ["a", " W", "ait", ","]
        )
        assert (state.end, state.data["tokens"]) == (1, 1)

    @pytest.mark.parametrize("schedule", [Schedule(at="line"), Schedule(at="tokens")])
    def test_candidates_are_counted_in_normal_form(self, schedule: Schedule) -> None:
        same = "Answer: 4 * (7 - (8 / 8))\n"
        monitor = watching([Stable(k=2)], schedule)
        _, states = fold(monitor, [RIGHT, "hm\n", same, OTHER])
        assert [state.data["stable"] for state in states] == [1, 1, 2, 1]

    def test_behind_candidates_only(self) -> None:
        lines = ["hm\n", RIGHT, "hm\n", f"So {RIGHT}", OTHER]
        monitor = watching([Budget(tokens=99)], Schedule(at="candidate"))
        _, states = fold(monitor, lines)
        ends = [len("".join(lines[:n])) for n in (2, 4, 5)]
        assert [state.end for state in states] == ends
        assert [state.data["stable"] for state in states] == [1, 2, 1]
        _, states = fold(watching([Budget(tokens=99)], Schedule(at="candidate", every=2)), lines)
        assert [state.end for state in states] == ends[1:2]

    def test_a_candidate_may_come_in_many_tokens(self) -> None:
        tokens = re.findall(r" ?\S+|\n", f"So {RIGHT}Yes {RIGHT}")
        _, states = fold(watching([Stable(k=2)], Schedule(at="tokens", every=1)), tokens)
        stable = [state.data["stable"] for state in states]
        assert stable == [0] * (len(tokens) // 2 - 1) + [1] * (len(tokens) // 2) + [2]

    def test_a_line_that_a_boundary_ends_is_whole(self) -> None:
        monitor = watching([Stable(k=1)], Schedule(at="tokens"))
        memory, _ = monitor.feed(monitor.start(), Increment(RIGHT[:-1], 0, 1, False))
        memory, states = monitor.feed(memory, Increment("", 40, 0, False, "feedback"))
        assert (memory["candidates"]["count"], memory["line"], states) == (1, "", [])

    def test_the_answer_part_has_none(self) -> None:
        monitor = watching([Budget(tokens=1)], Schedule(at="tokens"))
        memory = monitor.start()
        assert monitor.feed(memory, Increment("a", 0, 1, True)) == (memory, [])

    @pytest.mark.parametrize(
        ("at", "reads"),
        [("paragraph", "line"), ("line", "line"), ("tokens", "token"), ("keyword", "token")],
    )
    def test_lines_are_read_where_they_are_enough(self, at: Any, reads: str) -> None:
        assert watching([Budget(tokens=1)], Schedule(at=at)).reads == reads


class TestProbes:
    async def test_only_what_the_rules_need_is_asked_for(self) -> None:
        def script(prompt: str) -> Reply:
            return [sure(0.6)] * 9 if prompt.endswith(LEAD) else "a\nb\n"

        for rules, calls in (
            ([Budget(tokens=99), Stable(k=9)], {}),
            ([EntropyVariance(variance=0)], {"probe": 2}),
            ([EntropyVariance(variance=0), EntropyLevel(level=0), Stall(window=9)], {"probe": 2}),
            ([Confidence(confidence=1)], {"probe": 2}),
            ([UniqueAnswers(distinct=0)], {"rollout": 8}),
            (
                [EntropyVariance(variance=0), Confidence(confidence=1), UniqueAnswers(distinct=0)],
                {"probe": 4, "rollout": 8},
            ),
        ):
            result, _, meters, _ = await watched(
                script,
                lambda ask, rules=rules: [watching(rules, Schedule(at="line"), ask, rollouts=4)],
            )
            assert {role: len(meter.entries) for role, meter in meters.items()} == calls
            assert len(result.judged) == 2

    async def test_one_comes_after_the_other(self) -> None:
        """So that each finds the last one's prefix in the engine's cache."""
        active = most = 0

        class Counting(Metered):
            async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
                nonlocal active, most
                active += 1
                most = max(most, active)
                async for item in Metered.stream(self, request):
                    yield item
                active -= 1

        def script(prompt: str) -> Reply:
            return [Delay(0.002), sure(0.6)] if prompt.endswith(LEAD) else "a\nb\nc\nd\n"

        model = ScriptedModel(script)

        async def ask(role: str) -> Metered:
            return Counting(model, role, "here")

        trace = Trace([(await segment(model, "prompt", [Piece("Q: ")])).operation()])
        monitor = watching([EntropyVariance(variance=0)], Schedule(at="line"), ask)
        result = await watch(model, trace, Request(prompt_of(model, trace), 99), [monitor])
        assert (len(result.judged), most) == (4, 1)

    async def test_one_that_fails_cannot_tell_and_the_average_goes_on(self) -> None:
        def script(prompt: str) -> Reply:
            if not prompt.endswith(LEAD):
                return "a\nb\nc\n"
            fails = prompt.endswith(f"b\n{LEAD}")
            return [Fault(ModelUnavailable("off"))] if fails else [sure(0.6)]

        result, trace, meters, _ = await watched(
            script, lambda ask: [watching([EntropyVariance(variance=0)], Schedule(at="line"), ask)]
        )
        assert trace.body == "a\nb\nc\n"
        first, second, third = (one.verdict for one in result.judged)
        assert [first.ok, second.ok, third.ok] == [True, None, True]
        assert second.reason == "the probe failed: ModelUnavailable: off"
        assert second.evidence == {"rules": first.evidence["rules"]}
        assert third.evidence["rules"]["entropy"]["n"] == 2
        assert len(meters["probe"].entries) == 3  # what failed was asked for, too

    async def test_so_does_one_whose_answer_nobody_understands(self) -> None:
        class Strict(Game24):
            def answer(self, text: str) -> str | None:
                raise ValueError("what is this?")

        model = ScriptedModel(" 5")

        async def ask(role: str) -> Metered:
            return Metered(model, role, "here")

        prober = Prober(ask, PROBLEM, Strict(), settings=ProbeSettings(rollouts=1))
        monitor = EarlyExit(PROBLEM, GAME, prober, [UniqueAnswers()], Schedule(at="line"))
        state = State("check_point", {"tokens": 1, "stable": 0}, 0, 0)
        verdict = await monitor.verify(state, Context())
        assert (verdict.ok, verdict.reason) == (
            None,
            "the probe failed: ValueError: what is this?",
        )
        assert monitor.intervene(state, verdict, answering=False).kind == "continue"

    async def test_those_of_later_check_points_are_cancelled_and_counted(self) -> None:
        def script(prompt: str) -> Reply:
            if not prompt.endswith(LEAD):
                return ["a\nb\nc\n", Delay(60), "d\n"]
            waits = prompt.endswith(f"Q: a\n{LEAD}")
            return [Delay(0.02), sure(0.999)] if waits else [Delay(60), sure(0.6)]

        result, trace, meters, _ = await watched(
            script, lambda ask: [watching([Confidence(confidence=0.9)], Schedule(at="line"), ask)]
        )
        assert (result.ended, trace.body) == ("intervened", "a\n")
        assert [entry["generated"] for entry in meters["probe"].entries.values()] == [1]
        # One that had begun is counted as well: here every probe asks for itself.
        result, trace, meters, _ = await watched(
            script,
            lambda ask: [
                Eager(
                    PROBLEM,
                    GAME,
                    Prober(ask, PROBLEM, GAME),
                    [Confidence(confidence=0.9)],
                    Schedule(at="line"),
                )
            ],
        )
        assert trace.body == "a\n"
        generated = [entry["generated"] for entry in meters["probe"].entries.values()]
        assert generated == [1, 0, 0]


class Eager(EarlyExit):
    """Does not wait for the check point before."""

    async def verify(self, state: State, context: Context) -> Verdict:
        return await super().verify(state, Context(trace=context.trace))


class TestDecision:
    def test_it_says_which_rules_stopped_it_and_where(self) -> None:
        monitor = watching([Budget(tokens=5), Stable(k=2)], Schedule(at="line"), combine="all")
        state = State("check_point", {"tokens": 7, "stable": 2}, 12, 12)
        verdict = asyncio.run(monitor.verify(state, Context()))
        assert (verdict.ok, verdict.kind, verdict.source) == (False, "exit", "early_exit")
        assert verdict.reason == "budget and k_stable after 7 tokens"
        found = monitor.intervene(state, verdict, answering=False)
        assert (found.kind, found.offset, found.text) == ("close", 12, "")

    async def test_the_evidence_holds_the_signals_and_what_is_missing(self) -> None:
        top = ((" a", math.log(0.5)), (" b", math.log(0.25)))

        def script(prompt: str) -> Reply:
            return [Token(" a", None, -1.0, top)] if prompt.endswith(LEAD) else "a\n"

        result, _, _, _ = await watched(
            script, lambda ask: [watching([EntropyVariance(variance=0)], Schedule(at="line"), ask)]
        )
        signals = result.judged[0].verdict.evidence["signals"]
        assert signals["missing"] == pytest.approx(0.25)
        assert signals["entropy"] == pytest.approx(math.log(2))
        assert set(signals) == {"tokens", "stable", "stated", "entropy", "missing"}

    async def test_it_reads_the_text_up_to_the_check_point_only(self) -> None:
        asked = []

        def script(prompt: str) -> Reply:
            if not prompt.endswith(LEAD):
                return "so Wait, no\nmore and more"
            asked.append(prompt)
            return [sure(0.6)]

        await watched(
            script,
            lambda ask: [watching([EntropyVariance(variance=0)], Schedule(at="keyword"), ask)],
        )
        assert asked == [f"Q: so{LEAD}"]
