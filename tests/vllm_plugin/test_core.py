"""Probes, rules and forced tokens on random distributions, against plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: make test-vllm has it")

from engine import (  # noqa: E402
    BASE,
    CLOSE,
    END,
    FIRST,
    PREFIX,
    TURN,
    Stream,
    apply,
    asks,
    distribution,
    entropy_of,
    forced,
    seeded,
    step,
)
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from agentflow.monitors.rules import (  # noqa: E402
    Budget,
    Confidence,
    EntropyLevel,
    EntropyVariance,
    Rule,
    stops,
)
from agentflow.vllm_plugin.ask import SIGNATURE, Ask, Report, Stop  # noqa: E402
from agentflow.vllm_plugin.core import Core  # noqa: E402
from agentflow.vllm_plugin.digits import MOST, Ended, decode_probe, report  # noqa: E402

WORDS = list(range(20, 60))
torch.set_num_threads(1)  # the rows are small, and the cores are others', too


class TestProbe:
    @given(st.integers(0, 2**32), st.floats(0.1, 12))
    @settings(max_examples=20)
    def test_numbers_come_in_the_tokens(self, seed: int, scale: float) -> None:
        core, x = Core(1), distribution(seeded(seed), 1, scale)
        wanted = ("protocol", "entropy", "confidence", "yes", "no")
        stream = Stream(asks(probe=wanted, yes=(30, 31), no=(40,)), [5] * 10)
        core.add(0, stream.ask, 10)
        for place in range(10):  # only what stands behind the prompt counts
            step(core, [stream], x.clone() if not place else distribution(seeded(place)))
        found, p = decode_probe(stream.tokens, wanted, FIRST, BASE), x[0].double().softmax(-1)
        assert found["protocol"] == pytest.approx(SIGNATURE, abs=1e-3)
        assert found["entropy"] == pytest.approx(entropy_of(x[0]), abs=1e-5)
        assert found["confidence"] == pytest.approx(float(p.max()), abs=1e-5)
        assert found["yes"] == pytest.approx(float(p[30] + p[31]), abs=1e-5)
        assert found["no"] == pytest.approx(float(p[40]), abs=1e-5)

    def test_a_prompt_that_is_read_in_parts(self) -> None:
        core, x = Core(1), distribution(seeded(1))
        stream = Stream(asks(probe=("entropy",)), [5, 5])
        core.add(0, stream.ask, 2)
        for part in range(3):  # nothing is sampled from these
            apply(core, [stream], distribution(seeded(50 + part)))
        for _ in range(2):
            step(core, [stream], x.clone())
        found = decode_probe(stream.tokens, ("entropy",), FIRST, BASE)["entropy"]
        assert found == pytest.approx(entropy_of(x[0]), abs=1e-5)


def run(
    stop: Stop,
    script: Sequence[int],
    *,
    seed: int = 0,
    scales: Sequence[float] = (3.0,),
    end: Report | None = None,
    again: bool = False,
) -> tuple[Stream, list[Any]]:
    """A stream to its end, and the distributions that it came from."""
    core, generator = Core(3), seeded(seed)
    stream = Stream(asks(stop, end), script, slot=2)
    core.add(2, stream.ask, len(script))
    seen = []
    while not stream.done:
        x = distribution(generator, 1, scales[len(stream.tokens) % len(scales)])
        seen.append(x[0].clone())
        if again:  # as where a step's result is thrown away
            apply(core, [stream], distribution(generator))
        step(core, [stream], x)
    return stream, seen


def exit_of(stream: Stream) -> int | None:
    """Behind how many tokens the close marker was forced."""
    return stream.tokens.index(CLOSE) if CLOSE in stream.tokens else None


def monitored(
    rules: Sequence[Rule], combine: Any, seen: Sequence[Any], every: int, most: int
) -> int | None:
    """Where the client's own monitor ends the stream of these distributions."""
    memory: dict[str, Any] = {}
    for tokens in range(every, most, every):
        values = {
            "entropy": entropy_of(seen[tokens]),
            "confidence": float(seen[tokens].double().softmax(-1).max()),
            "tokens": tokens,
        }
        memory, fired = stops(rules, combine, memory, values)
        if fired:
            return tokens
    return None


class TestSameTokenAsTheMonitor:
    """For every rule that the engine and the client both have."""

    @given(
        st.integers(0, 2**32),
        st.sampled_from([0.01, 0.2, 0.5, 1.0]),
        st.booleans(),
        st.booleans(),
        st.integers(0, 12),
        st.floats(1e-4, 8),
        st.sampled_from([1, 2, 5]),
        st.sampled_from(["variance", "level"]),
        st.booleans(),
    )
    @settings(max_examples=40)
    def test_entropy(
        self,
        seed: int,
        alpha: float,
        first: bool,
        debias: bool,
        checks: int,
        threshold: float,
        every: int,
        kind: str,
        again: bool,
    ) -> None:
        first = first or kind == "level"  # whose mean always starts at the first value
        average = {"alpha": alpha, "first": first, "debias": debias}
        rule = {kind: threshold, "min_checks": checks} | average
        stop = Stop.model_validate({"close": (CLOSE,), "every": every, "entropy": rule})
        scales = (1.0, 4.0, 6.0, 6.0, 6.0)
        stream, seen = run(stop, [5] * 40, seed=seed, scales=scales, again=again)
        ours: Rule = EntropyLevel(alpha=alpha, level=threshold, min_checks=checks)
        if kind == "variance":
            ours = EntropyVariance(
                alpha=alpha,
                start_at_first=first,
                debias=debias,
                variance=threshold,
                min_checks=checks,
            )
        assert exit_of(stream) == monitored([ours], "any", seen, every, 40)

    @given(st.integers(0, 2**32), st.floats(0, 1), st.sampled_from([1, 3]))
    @settings(max_examples=20)
    def test_confidence(self, seed: int, threshold: float, every: int) -> None:
        rule = {"threshold": threshold}
        stop = Stop.model_validate({"close": (CLOSE,), "every": every, "confidence": rule})
        stream, seen = run(stop, [5] * 30, seed=seed, scales=(1.0, 3.0, 8.0))
        assert exit_of(stream) == monitored(
            [Confidence(confidence=threshold)], "any", seen, every, 30
        )

    @given(st.integers(1, 40))
    @settings(max_examples=15)
    def test_budget(self, tokens: int) -> None:
        stream, seen = run(Stop(close=(CLOSE,), budget=tokens), [5] * 40)
        assert exit_of(stream) == monitored([Budget(tokens=tokens)], "any", seen, 1, 40)

    @given(st.integers(0, 2**32), st.integers(1, 30), st.floats(0.5, 7), st.booleans())
    @settings(max_examples=20)
    def test_several(self, seed: int, tokens: int, level: float, every: bool) -> None:
        combine = "all" if every else "any"
        rules = {"budget": tokens, "entropy": {"level": level, "first": True}, "combine": combine}
        stop = Stop.model_validate({"close": (CLOSE,)} | rules)
        stream, seen = run(stop, [5] * 40, seed=seed, scales=(2.0, 5.0))
        ours = [Budget(tokens=tokens), EntropyLevel(level=level)]
        assert exit_of(stream) == monitored(ours, combine, seen, 1, 40)


class TestTokens:
    @given(st.lists(st.sampled_from([20, 21, 22]), max_size=40), st.data())
    def test_patterns(self, words: list[int], data: Any) -> None:
        pattern = st.lists(st.sampled_from([20, 21, 22]), min_size=1, max_size=4).map(tuple)
        patterns = data.draw(st.lists(pattern, min_size=1, max_size=3))
        stream, _ = run(Stop(close=(CLOSE,), patterns=tuple(patterns)), [*words, 5, 5])
        found = [
            i
            for i in range(1, len(words) + 1)
            if any(tuple(words[:i][-len(p) :]) == p for p in patterns)
        ]
        assert exit_of(stream) == (found[0] if found else None)

    @given(st.lists(st.sampled_from([20, 21, 22]), max_size=60), st.integers(2, 4))
    def test_repetition(self, words: list[int], times: int) -> None:
        rule = {"times": times, "longest": 5, "least": 4}
        stop = Stop.model_validate({"close": (CLOSE,), "repetition": rule})
        stream, _ = run(stop, [*words, 5, 6])
        assert exit_of(stream) == next((i for i in range(61) if circles(words[:i], **rule)), None)

    @given(st.lists(st.sampled_from([20, 21, 30, 31, 50]), max_size=60), st.integers(2, 3))
    def test_stable(self, words: list[int], k: int) -> None:
        rule = {"lead": (30, 31), "ends": (50, 51), "k": k}
        stop = Stop.model_validate({"close": (CLOSE,), "stable": rule})
        stream, _ = run(stop, [*words, 5, 6])
        assert exit_of(stream) == stable(words, (30, 31), 50, k)

    def test_an_answer_stated_twice(self) -> None:
        rule = {"lead": (30, 31), "ends": (50,), "k": 2}
        stop = Stop.model_validate({"close": (CLOSE,), "stable": rule})
        twice = [30, 31, 7, 8, 50, 20, 30, 31, 7, 9, 50, 30, 31, 7, 9, 50]
        assert exit_of(run(stop, [*twice, 5, 5])[0]) == len(twice)


def circles(words: Sequence[int], times: int, longest: int, least: int) -> bool:
    """Whether the last words are a circle gone round often enough."""
    for size in range(1, longest + 1):
        same = 0
        while same + size < len(words) and words[-1 - same] == words[-1 - same - size]:
            same += 1
        if same >= (times - 1) * size and same + size >= least:
            return True
    return False


def stable(words: Sequence[int], lead: tuple[int, ...], end: int, k: int) -> int | None:
    """Behind how many words the same was stated k times in a row."""
    said: list[tuple[int, ...]] = []
    inside: list[int] | None = None
    for i, word in enumerate(words, 1):
        if inside is not None and word == end:
            said += [tuple(inside)] if inside else []
            inside = None
            last = said[-k:]
            if len(last) == k and all(a == b for a, b in pairwise(last)):
                return i
        elif inside is not None:
            inside.append(word)
        if tuple(words[:i][-len(lead) :]) == lead:
            inside = []
    return None


class TestForcing:
    def test_the_close_marker_and_the_prefix_come_token_by_token(self) -> None:
        stream, _ = run(Stop(close=(CLOSE, *PREFIX), budget=3), [20, 21, 22, 23, 24, 25, 26, 27])
        assert stream.tokens == [20, 21, 22, CLOSE, *PREFIX, 26, 27]

    def test_a_marker_of_the_models_own_ends_the_rules(self) -> None:
        stream, _ = run(Stop(close=(CLOSE, *PREFIX), budget=3), [20, CLOSE, 22, 23, 24, 25])
        assert stream.tokens == [20, CLOSE, 22, 23, 24, 25]

    def test_the_turn_cannot_end_inside_the_thinking(self) -> None:
        script = [20, TURN, 22, CLOSE, 23, CLOSE, TURN]
        stream, _ = run(Stop(close=(CLOSE,), guard=(TURN,), least=5), script)
        assert stream.barred == [(1, TURN), (3, CLOSE)]
        assert stream.tokens == [20, 20, 22, 20, 23, CLOSE, TURN]

    @given(st.integers(0, 2**32))
    @settings(max_examples=15)
    def test_others_are_left_bit_for_bit_as_they_were(self, seed: int) -> None:
        core, generator = Core(8), seeded(seed)
        stop = Stop.model_validate(
            {"close": (CLOSE,), "guard": (TURN,), "entropy": {"level": 3}, "budget": 9}
        )
        streams = [Stream(asks(stop), [20 + i] * 20, slot=i) for i in range(3)]
        for stream in streams:
            core.add(stream.slot, stream.ask, 20)
        for _ in range(20):
            x = distribution(generator, 7)
            before = x.clone()
            step(core, streams, x, first_row=2)
            for row in (0, 1, 5, 6):
                assert torch.equal(x[row].view(torch.int32), before[row].view(torch.int32))
            changed = (x != before).sum(dim=1)  # at most the marker, the guard and a forced one
            assert int(changed.max()) <= 2

    @given(st.integers(0, 2**32), st.integers(1, 9))
    @settings(max_examples=8)
    def test_a_batch_is_as_each_alone(self, seed: int, count: int) -> None:
        generator = seeded(seed)
        rules: list[dict[str, Any]] = [
            {"budget": 7},
            {"entropy": {"level": 5.5}},
            {"entropy": {"variance": 0.2}, "every": 2},
            {"patterns": ((20, 21),)},
            {"repetition": {"times": 2, "longest": 3, "least": 4}},
            {"stable": {"lead": (30,), "ends": (31,)}},
        ]
        some = [Stop.model_validate({"close": (CLOSE, 9)} | rules[i % 6]) for i in range(count)]
        pick = torch.randint(0, len(WORDS), (count, 25), generator=generator).tolist()
        scripts = [[WORDS[i] for i in row] for row in pick]
        noise = [distribution(generator, count, 4.0) for _ in range(25)]
        core = Core(count)
        together = [Stream(asks(s), w, slot=i) for i, (s, w) in enumerate(zip(some, scripts))]  # noqa: B905
        for stream in together:
            core.add(stream.slot, stream.ask, 25)
        for x in noise:
            step(core, together, x.clone())
        for i, other in enumerate(together):
            alone, lone = Stream(other.ask, other.script), Core(1)
            lone.add(0, other.ask, 25)
            for x in noise:
                step(lone, [alone], x[i : i + 1].clone())
            assert alone.tokens == other.tokens


class TestReport:
    def ended(self, stream: Stream, after: int, most: float = MOST) -> Ended:
        assert stream.tokens[-1] == END
        return report(stream.tokens[stream.tokens.index(after) + 1 : -1], FIRST, BASE, most)

    def test_why_and_its_curve_come_behind_the_marker(self) -> None:
        stop = Stop.model_validate({"close": (CLOSE,), "entropy": {"level": 1.0, "first": True}})
        stop = stop.model_copy(update={"every": 2})
        end = Report(after=(CLOSE,), end=END, curve=4)
        scales = (3.0,) * 20 + (12.0,) * 60
        stream, seen = run(stop, [20] * 80, scales=scales, end=end)
        ended, at = self.ended(stream, CLOSE), exit_of(stream)
        assert (ended.reason, ended.tokens) == ("entropy_level", at)
        assert at is not None
        want = [entropy_of(seen[t]) for t in range(at - 6, at + 1, 2)]
        assert list(ended.curve) == pytest.approx(want, abs=1e-5)

    def test_a_curve_longer_than_what_is_kept(self) -> None:
        stop = Stop.model_validate({"close": (CLOSE,), "entropy": {"level": 0}, "budget": 150})
        end = Report(after=(CLOSE,), end=END, curve=64)
        stream, seen = run(stop, [20] * 400, end=end)
        curve = self.ended(stream, CLOSE).curve
        want = [entropy_of(seen[t]) for t in range(150 - 63, 151)]
        assert list(curve) == pytest.approx(want, abs=1e-5)

    @pytest.mark.parametrize(
        ("script", "reason", "tokens"),
        [([20, 21, CLOSE, 5], "model", 2), ([20] * 15, "length", 10), ([20, CLOSE], "model", 1)],
    )
    def test_a_stream_that_no_rule_ended(self, script: list[int], reason: str, tokens: int) -> None:
        end = Report(after=(CLOSE,), end=END)
        script += [7] * (15 - len(script))
        stream, _ = run(Stop(close=(CLOSE,), budget=90), script, end=end)
        cut = stream.tokens.index(CLOSE) + 1 if reason == "model" else 10
        ended = report(stream.tokens[cut:-1], FIRST, BASE, 1.0)
        assert ended == Ended(reason, tokens, ())

    def test_behind_the_answer(self) -> None:
        """The engine goes on to the answer, and reports where the turn ends."""
        end = Report(after=(TURN,), end=END)
        script = [20, 21, 22, 0, 0, 23, 24, TURN] + [0] * 10
        stream, _ = run(Stop(close=(CLOSE, 9), guard=(TURN,), budget=3), script, end=end)
        assert stream.tokens[:8] == [20, 21, 22, CLOSE, 9, 23, 24, TURN]
        assert self.ended(stream, TURN) == Ended("budget", 3, ())


def test_a_slot_is_free_of_what_it_held() -> None:
    core = Core(1)
    stop = Stop.model_validate({"close": (CLOSE,), "patterns": ((20, 21),), "budget": 5})
    asked: Ask = asks(stop)
    results = []
    for _ in range(3):
        stream = Stream(asked, [21, 20, 22, 21, 20, 20, 20])
        core.add(0, asked, 7)
        for place in range(7):
            step(core, [stream], distribution(seeded(place)))
        results.append(stream.tokens)
    assert results == [[21, 20, 22, 21, 20, CLOSE, 20]] * 3
    assert forced(torch.zeros(5)) is None
