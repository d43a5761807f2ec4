"""The simulated fleet: small cases that can be reckoned by hand, and what holds of all."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

pytest.importorskip("simpy")

from agentflow.cli import app
from agentflow.errors import BadInput
from agentflow.evaluation.fleet import ROUTINGS, Work, simulate
from agentflow.evaluation.fleet_fit import Recorded, fit, least_squares, recorded
from agentflow.evaluation.fleet_server import Server
from agentflow.evaluation.fleet_study import STUDIES, Fleet, fewest

SERVER = Server(step=1.0, sequence=0.1, read=0.01, request=0.5, block=10)


class TestByHand:
    def test_one_stream(self) -> None:
        found = simulate(SERVER, Work(1, prompt=100, tokens=11))
        first = 1 + 100 * 0.01 + 0.5  # its prompt, and its first token
        assert found.seconds == pytest.approx(first + 10 * 1.1)
        assert (found.counts.steps, found.counts.sequences, found.counts.read) == (11, 10, 100)

    def test_two_share_their_steps(self) -> None:
        found = simulate(SERVER, Work(2, prompt=100, tokens=11))
        assert found.seconds == pytest.approx(1 + 2 * (1 + 0.5) + 10 * 1.2)
        assert found.took == pytest.approx([found.seconds] * 2)

    def test_more_than_have_room_wait(self) -> None:
        found = simulate(replace(SERVER, sequences=1), Work(2, prompt=100, tokens=11))
        assert found.took == pytest.approx([13.5, 27.0])

    def test_a_long_prompt_is_read_in_parts(self) -> None:
        found = simulate(replace(SERVER, chunk=40), Work(1, prompt=100, tokens=1))
        assert (found.counts.steps, found.counts.read) == (3, 100)

    def test_a_probe_finds_the_streams_whole_blocks(self) -> None:
        found = simulate(SERVER, Work(1, prompt=100, tokens=30, every=15, probe=3))
        assert found.counts.requests == 2
        assert (found.counts.known, found.counts.kept) == (115, 110)
        assert found.counts.read == 100 + 8

    def test_a_cut_is_read_again_from_its_last_whole_block(self) -> None:
        found = simulate(SERVER, Work(1, prompt=100, tokens=30, cut=20, back=5, feedback=4))
        assert found.counts.requests == 2
        assert (found.counts.known, found.counts.kept) == (115, 110)
        assert found.counts.read == 100 + 9  # five behind the block, four of feedback
        assert found.counts.wasted == 5

    def test_the_engine_ends_a_stream_at_once_and_a_probe_a_little_later(self) -> None:
        work = Work(1, prompt=100, tokens=100, exit=0.5)
        whole = simulate(SERVER, replace(work, exit=1.0)).counts
        inside = simulate(SERVER, replace(work, inside=True)).counts
        probed = simulate(SERVER, replace(work, every=20)).counts
        assert (inside.steps, inside.wasted, inside.requests) == (50, 0, 1)
        assert probed.requests == 1 + 3
        assert 60 < probed.steps < whole.steps == 100
        assert probed.wasted == probed.steps - 60

    def test_a_deadline_gives_up_those_that_are_late(self) -> None:
        work = Work(8, over=8, prompt=100, tokens=100, sigma=0.5)
        free = simulate(SERVER, work)
        limit = free.quantile(0.5)
        found = simulate(SERVER, replace(work, deadline=limit))
        assert 0 < found.given_up < 5  # fewer than were late: they leave room
        assert max(found.took) <= limit
        assert simulate(SERVER, replace(work, deadline=limit / 1000)).given_up == 8
        assert simulate(SERVER, replace(work, deadline=2 * free.seconds)) == free
        assert simulate(SERVER, replace(work, deadline=0.001)).quantile(0.5) == math.inf

    def test_what_a_lost_replica_had_is_read_again_elsewhere(self) -> None:
        work = Work(2, prompt=100, tokens=50)
        found = simulate(SERVER, work, 2, "stream", [(20.0, 1)])
        assert len(found.took) == 2
        assert found.counts.requests == 3
        assert found.counts.read > 300 - 1


class TestRouting:
    WORK = Work(24, over=40, prompt=200, tokens=60, every=10)

    def kept(self, name: Any, **server: Any) -> float:
        return simulate(replace(SERVER, **server), self.WORK, 4, name).kept

    def test_who_stays_finds_its_prefix(self) -> None:
        assert self.kept("stream") > 0.95
        assert self.kept("prefix") > 0.95
        assert self.kept("turns") < 0.7

    def test_a_small_cache_forgets(self) -> None:
        assert self.kept("stream", cache=500) < self.kept("stream")


@given(
    st.builds(
        Work,
        streams=st.integers(1, 12),
        over=st.floats(0, 30),
        prompt=st.integers(1, 80),
        tokens=st.integers(1, 60),
        sigma=st.sampled_from([0.0, 0.7]),
        every=st.integers(0, 12),
        probed=st.integers(1, 3),
        cut=st.sampled_from([0, 9, 20]),
        back=st.integers(0, 8),
        feedback=st.integers(0, 5),
        exit=st.sampled_from([1.0, 0.6, 0.01]),
        inside=st.booleans(),
        trip=st.sampled_from([0.0, 0.3]),
        deadline=st.sampled_from([None, 5.0, 60.0]),
        seed=st.integers(0, 3),
    ),
    st.integers(1, 4),
    st.sampled_from(ROUTINGS),
    st.lists(st.tuples(st.floats(0, 40), st.integers(1, 3)), max_size=2),
)
@settings(deadline=None, max_examples=60)
def test_every_stream_ends_and_nothing_is_made_up(
    work: Work, replicas: int, routing: Any, lost: list[tuple[float, int]]
) -> None:
    server = replace(SERVER, sequences=5, chunk=50, cache=400)
    found = simulate(server, work, replicas, routing, lost)
    assert len(found.took) + found.given_up == work.streams
    assert found.given_up == 0 or work.deadline is not None
    assert all(took >= 0 for took in found.took)
    counts = found.counts
    assert 0 <= counts.kept <= counts.known
    assert counts.busy <= (found.seconds + (work.deadline or 0) + work.over) * replicas + 1e-6 or (
        counts.busy > 0  # probes may outlast the streams
    )
    assert simulate(server, work, replicas, routing, lost) == found  # and again the same


class TestFit:
    def runs(self, server: Server, off: float = 0.0) -> list[Recorded]:
        ways: list[dict[str, Any]] = [{}, {"every": 8}, {"cut": 16, "back": 5, "feedback": 3}]
        works = [
            Work(n, prompt=prompt, tokens=40, **way)
            for n in (1, 3, 8, 16)
            for way in ways
            for prompt in (30, 200)
        ]
        return [
            Recorded(work=w, seconds=simulate(server, w).counts.busy * (1 + off), block=10)
            for w in works
        ]

    def test_prices_are_found_again(self) -> None:
        found, compared = fit(self.runs(SERVER))
        for name in ("step", "sequence", "read"):
            assert getattr(found, name) == pytest.approx(getattr(SERVER, name), rel=0.05)
        assert found.request == pytest.approx(SERVER.request, rel=0.3)  # few requests, many steps
        held_out = [one for one in compared if not one.fitted]
        assert {one.run.work.streams for one in held_out} == {16}
        assert max(abs(one.off) for one in held_out) < 0.05  # a probe a step earlier or later

    def test_too_few_runs_are_refused(self) -> None:
        with pytest.raises(BadInput, match=r"4 prices need as many runs .* there are 3"):
            fit(self.runs(SERVER)[:3] + self.runs(SERVER)[-1:])

    @given(st.lists(st.lists(st.floats(0.1, 10), min_size=3, max_size=3), min_size=1, max_size=9))
    def test_no_price_is_below_nothing(self, rows: list[list[float]]) -> None:
        assert min(least_squares(rows)) >= 0

    @pytest.mark.parametrize("line", ["{", "[]", '{"work": {"streams": 1}}', '{"seconds": 1}'])
    def test_a_line_that_is_no_run_is_named(self, tmp_path: Path, line: str) -> None:
        good = '{"work": {"streams": 1}, "seconds": 1.0}'
        (tmp_path / "runs").write_text(f"{good}\n{line}\n")
        with pytest.raises(BadInput, match="runs, line 2: no recorded run: "):
            recorded(tmp_path / "runs")


class TestStudies:
    FLEET = Fleet(SERVER, Work(40, over=60, prompt=100, tokens=50, sigma=0.5, every=10), 4)

    @pytest.mark.parametrize("name", STUDIES)
    def test_every_row_has_every_column(self, name: str) -> None:
        rows = list(STUDIES[name](self.FLEET))
        assert len(rows) >= 3
        assert len({tuple(row) for row in rows}) == 1

    def test_the_fewest_replicas_are_found(self) -> None:
        def by_hand(found: Any) -> bool:
            return bool(found.quantile(0.99) <= limit)

        busy = replace(self.FLEET, server=replace(SERVER, step=0.0, sequence=1.0))
        limit = busy.run(3).quantile(0.99)
        assert fewest(busy, by_hand) == 3
        limit = busy.run(6).quantile(0.99)
        assert 4 < fewest(busy, by_hand) <= 6


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["simulate", *words])


class TestCommand:
    SMALL = ("--replicas", "2", "--set", "streams=6", "--set", "tokens=20", "--set", "over=0")

    def test_one_simulation(self) -> None:
        done = run(*self.SMALL)
        assert done.exit_code == 0, done.output
        assert "work: streams 6, over 0, prompt 320, tokens 20" in done.stdout
        assert "| seconds |" in done.stdout

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--study", "nothing"), "no study 'nothing'"),
            (("--routing", "nowhere"), "no routing 'nowhere'"),
            (("--set", "nobody=1"), "no field 'nobody'"),
            (("--set", "streams=none"), "streams=none: not a value of streams"),
            (("--set", "streams=1.5"), "not a value of streams"),
            (("--set", "streams=0"), "not a value of streams"),
            (("--set", "exit=0"), "not a value of exit"),
            (("--set", "streams=inf"), "streams=inf: not a value of streams"),
            (("--set", "streams=nan"), "streams=nan: not a value of streams"),
            (("--set", "over=nan"), "over=nan: not a value of over"),
            (("--set", "over=inf"), "over=inf: not a value of over"),
            (("--set", "over=1e999"), "over=1e999: not a value of over"),
            (("missing.jsonl",), "missing.jsonl cannot be read"),
        ],
    )
    def test_bad_input_is_named(self, words: tuple[str, ...], said: str) -> None:
        done = run(*words)
        assert done.exit_code == 2
        assert said in done.output
