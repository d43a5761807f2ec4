"""Online equals replay: a rule stops a live stream where replay stops its recording."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncGenerator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import agentflow
from agentflow import models
from agentflow.domains import Game24, arithmetic
from agentflow.domains.game24 import solutions
from agentflow.evaluation import families
from agentflow.evaluation.chains import Chain, chain_of, record
from agentflow.evaluation.families import Family
from agentflow.evaluation.replay import Replay
from agentflow.models import ScriptedModel, Token, embedded
from agentflow.models.model import Finish, Request
from agentflow.monitors.rules import Average
from agentflow.run import Result

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

PUZZLE = Game24().parse("1 6 8 12")
ANSWERS = [arithmetic.show(one) for one in solutions([Fraction(n) for n in (1, 6, 8, 12)])]
CLOSE = "</think>"
LEAD = "\nAnswer:"
ASKED = {"check": "line", "probe": {"rollouts": 4}}


class Wavering(ScriptedModel):
    """Thinks aloud for some thirty lines; what a probe finds depends on where it asks."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        claims = [f"Answer: {rng.choice(ANSWERS[:2])} = 24\n" for _ in range(8)]
        other = [f" hm {rng.randrange(99)} and so on\n" for _ in range(20)]
        lines = rng.sample(claims + other, 28)
        super().__init__({r"<think>\n": "".join(lines) + f"{CLOSE}\nAnswer: {ANSWERS[0]} = 24\n"})

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        asked = request.prompt if isinstance(request.prompt, str) else self.text(request.prompt)
        if asked.endswith("<think>\n"):
            async for item in super().stream(request):
                yield item
            return
        self.requests.append(request)
        for token in self.said(asked, request)[: request.max_tokens]:
            yield token
        yield Finish("stop", len(request.prompt))

    def said(self, asked: str, request: Request) -> list[Token]:
        """An answer after the close marker: surer, and more of one mind, the longer it thought."""
        thought = random.Random(asked)
        doubt = thought.random() * 300 / len(asked)
        p = 1 / (1 + doubt)
        top = (("yes", math.log(p)), ("no", math.log1p(-p)))
        mind = random.Random(f"{asked}{request.seed}") if request.sampling.temperature else thought
        text = ANSWERS[mind.randrange(3 if mind.random() < doubt else 1)]
        lead = "" if asked.endswith(LEAD) else "Answer:"
        pieces = [lead, *(f" {word}" for word in text.split()), "\n"]
        return [Token(piece, self._id(piece), math.log(p), top) for piece in pieces if piece]


def stopped(one: Chain, family: Family, threshold: float) -> tuple[int, int]:
    """(tokens, offset) of the thinking where replay stops a chain."""
    stop = int(Replay([one]).stops(family, [threshold])[0, 0])
    if stop == len(one.checks):
        return one.thinking, one.closed
    return one.checks[stop].tokens, one.checks[stop].end


def thinking(result: Result) -> tuple[int, int]:
    """The same of a run."""
    found = chain_of(replace(result, judged=[]), False, 0, "", 0)
    return found.thinking, found.closed


async def recorded(model: Any, out: Path, **settings: Any) -> Chain:
    (one,) = await record([PUZZLE], [3], out, model=model, settings=settings)
    return one


AVERAGE = {"alpha": 0.4, "start_at_first": True, "debias": False, "min_checks": 3}
LIVE = replace(  # a live run stops by all that it samples
    families.unique_answers(4),
    statistic=lambda checks: [families.different(one.answers) for one in checks],
)
CASES: list[tuple[Family, dict[str, Any], str]] = [
    (families.entropy_variance(), {"rule": "entropy"}, "variance"),
    (
        families.entropy_variance(Average(0.4, first=True, debias=False), 3),
        {"rule": "entropy", **AVERAGE},
        "variance",
    ),
    (families.entropy_level(), {"rule": "entropy_level"}, "level"),
    (families.confidence(), {"rule": "confidence"}, "confidence"),
    (LIVE, {"rule": "rollouts"}, "distinct"),
    (families.k_stable(), {"rule": "k_stable"}, "k"),
    (families.budget(range(5, 201, 5)), {"rule": "budget"}, "tokens"),
    (families.confidence_variance(), {"rule": "confidence_variance"}, "variance"),
    (families.stall(3), {"rule": "stall", "window": 3}, "ratio"),
]


@pytest.mark.parametrize("case", range(len(CASES)), ids=[family.name for family, _, _ in CASES])
async def test_a_live_stream_stops_where_replay_stops_its_recording(
    case: int, tmp_path: Path
) -> None:
    family, rule, name = CASES[case]
    places = set()
    for seed in (1, 2):
        model = Wavering(seed)
        one = await recorded(model, tmp_path / f"{seed}.parquet", **ASKED)
        assert len(one.checks) == 28
        for threshold in family.thresholds[:: max(1, len(family.thresholds) // 5)]:
            shown = family.shown(threshold)
            if name in ("k", "distinct", "tokens"):
                shown = int(shown)
            result = await agentflow.asolve(
                PUZZLE.text, "early_exit", model=model, seed=3, **ASKED, rules={**rule, name: shown}
            )
            assert thinking(result) == stopped(one, family, threshold), (seed, shown)
            places.add(stopped(one, family, threshold))
    assert len(places) > 2  # the thresholds make a difference


async def test_a_recording_is_the_chain_left_alone(tmp_path: Path) -> None:
    model = Wavering(5)
    one = await recorded(model, tmp_path / "c.parquet", **ASKED)
    alone = await agentflow.asolve(PUZZLE.text, "direct", model=model, seed=3)
    assert (one.text, one.answer) == (alone.trace.body, alone.answer)
    assert one.right
    assert one.finished
    assert one.thinking + one.answering == alone.cost.generated == len(one.ends)
    assert one.ends[one.thinking - 1] <= one.closed < one.ends[one.thinking]
    for check in one.checks:
        assert check.end in one.ends
        assert check.tokens == one.ends.index(check.end) + 1
        assert one.text[check.end - 1] == "\n"
        assert len(check.answers) == len(check.right) == len(check.lengths) == 4


async def test_a_candidate_stated_a_hundred_times_does_not_end_a_recording(tmp_path: Path) -> None:
    lines = [f"Try {n}. Answer: {ANSWERS[0]} = 24\n" for n in range(110)]
    text = "".join(lines) + f"{CLOSE}\nAnswer: {ANSWERS[0]} = 24\n"
    model = Wavering(0)
    model._script = {r"<think>\n": text}
    one = await recorded(model, tmp_path / "c.parquet", solver_tokens=5000, **ASKED)
    assert one.text == text
    assert one.checks[-1].stable == len(one.checks) == 110


@pytest.mark.slow
@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
async def test_the_bundled_model_stops_where_replay_does(tmp_path: Path) -> None:
    """Greedy, so that the stream is the same whatever runs beside it."""
    asked: dict[str, Any] = {
        "check": "line",
        "temperature": 0.0,
        "solver_tokens": 200,
        "cache": False,
    }
    problem = Game24().parse("2 7 9 10")
    try:
        (one,) = await record(
            [problem], [0], tmp_path / "c.parquet", settings={**asked, "probe": {"rollouts": 1}}
        )
        assert len(one.checks) > 8
        tests: list[tuple[Family, str, str, float]] = [
            (families.k_stable(), "k_stable", "k", 2),
            (families.confidence(), "confidence", "confidence", 0.9),
            (families.entropy_variance(), "entropy", "variance", 0.01),
        ]
        for family, rule, name, shown in tests:
            values = sorted(family.statistic(one.checks))
            if rule != "k_stable":  # between two values seen: a probe's last bits may differ
                gaps = [(b - a, (a + b) / 2) for a, b in pairwise(values)]
                shown = family.shown(max(gaps[: len(gaps) // 2])[1])
            threshold = 0.5 - shown if rule == "k_stable" else family.shown(shown)
            result = await agentflow.asolve(
                problem.text, "early_exit", rules={"rule": rule, name: shown}, **asked
            )
            assert thinking(result) == stopped(one, family, threshold), (rule, shown)
    finally:
        await models.close_all()
