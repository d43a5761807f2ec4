from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from agentflow.domains import Game24
from agentflow.errors import ModelUnavailable
from agentflow.models import Capabilities, Delay, Fault, ScriptedModel, Token
from agentflow.models.metered import Metered
from agentflow.models.model import Request, prompt_of, segment
from agentflow.models.scripted import Reply
from agentflow.monitors.probes import Prober, ProbeSettings, confidence
from agentflow.profile import PROFILES, Piece, Sampling
from agentflow.trace import Segment, Trace

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
RIGHT = " (7 - 8 / 8) * 4 = 24"
LEAD = "</think>\nAnswer:"


def half(*texts: str) -> tuple[tuple[str, float], ...]:
    return tuple((text, math.log(0.5)) for text in texts)


class Asked:
    """A model, what it was asked, and for what."""

    def __init__(self, script: Reply | Callable[[str], Reply], **claims: Any) -> None:
        self.model = ScriptedModel(script, **claims)  # type: ignore[arg-type]
        self.roles: list[str] = []

    async def __call__(self, role: str) -> Metered:
        self.roles.append(role)
        return Metered(self.model, role, "here")

    @property
    def request(self) -> Request:
        return self.model.requests[-1]

    @property
    def prompts(self) -> list[str]:
        return [
            one.prompt if isinstance(one.prompt, str) else self.model.text(one.prompt)
            for one in self.model.requests
        ]


async def trace_of(model: ScriptedModel, *tokens: str, cut: int | None = None) -> Trace:
    trace = Trace([(await segment(model, "prompt", [Piece("Q: ")])).operation()])
    ids = [id for token in tokens for id in await model.tokenize([Piece(token, special=True)])]
    ends = [len("".join(tokens[: n + 1])) for n in range(len(tokens))]
    trace.append(Segment("generated", "".join(tokens), tuple(ids), tuple(ends)))
    if cut is not None:
        trace.cut(cut)
    return trace


def prober(asked: Asked, seed: int = 0, **settings: Any) -> Prober:
    return Prober(asked, PROBLEM, GAME, seed, ProbeSettings(**settings))


class TestEntropy:
    async def test_it_is_taken_behind_the_close_marker_and_the_prefix(self) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes", "no")), " and more"])
        trace = await trace_of(asked.model, "so", " far")
        found = await Prober(asked, PROBLEM, GAME).entropy(trace)
        assert found == {"entropy": pytest.approx(math.log(2)), "missing": pytest.approx(0)}
        assert asked.roles == ["probe"]
        assert asked.prompts == [f"Q: so far{LEAD}"]
        assert (asked.request.max_tokens, asked.request.top) == (1, 1_000_000)
        assert asked.request.sampling == Sampling(1.0, 1.0, 0)
        assert trace.body == "so far"  # the trace itself goes on

    async def test_the_control_leaves_the_thinking_open(self) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes", "no"))])
        trace = await trace_of(asked.model, "so", " far")
        await prober(asked, closes=False, prefix="\n\n").entropy(trace)
        assert asked.prompts == ["Q: so far\n\n"]

    async def test_it_begins_with_the_very_tokens_of_the_stream(self) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes", "no"))])
        trace = await trace_of(asked.model, "so", " far")
        await Prober(asked, PROBLEM, GAME).entropy(trace)
        assert asked.request.prompt[: len(trace.ids)] == tuple(trace.ids)
        assert len(asked.request.prompt) > len(trace.ids)

    async def test_what_is_left_of_a_token_cut_in_two_comes_first(self) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes", "no"))])
        trace = await trace_of(asked.model, "so", " far", cut=4)
        assert trace.leftover == " f"
        await Prober(asked, PROBLEM, GAME).entropy(trace)
        assert asked.prompts == [f"Q: so f{LEAD}"]

    @pytest.mark.parametrize("prefix", ["", "\nSo: [", "</think>"])
    async def test_the_prefix_may_be_another_and_is_letters(self, prefix: str) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes", "no"))])
        trace = await trace_of(asked.model, "so")
        await prober(asked, prefix=prefix).entropy(trace)
        assert asked.prompts == [f"Q: so</think>{prefix}"]
        (close,) = await asked.model.tokenize([Piece("</think>", special=True)])
        assert list(asked.request.prompt).count(close) == 1

    async def test_what_a_truncated_distribution_misses_is_told(self) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes"))], capabilities=Capabilities())
        trace = await trace_of(asked.model, "so")
        found = await prober(asked, alternatives=2).entropy(trace)
        assert found["missing"] == pytest.approx(0.5)
        assert asked.request.top == 2


class TestConfidence:
    LOGS = (-0.1, -0.2, -0.6)

    def test_the_geometric_mean_of_all(self) -> None:
        assert confidence(self.LOGS) == pytest.approx(math.exp(-0.3))

    def test_or_the_arithmetic_one_of_all_but_the_first(self) -> None:
        expected = (math.exp(-0.2) + math.exp(-0.6)) / 2
        assert confidence(self.LOGS, geometric=False) == pytest.approx(expected)

    @pytest.mark.parametrize(("logs", "geometric"), [((), True), ((), False), ((-0.1,), False)])
    def test_of_nothing_there_is_none(self, logs: tuple[float, ...], geometric: bool) -> None:
        assert confidence(logs, geometric=geometric) == 0.0

    @pytest.mark.parametrize("geometric", [True, False])
    async def test_it_is_asked_for_greedily(self, geometric: bool) -> None:
        asked = Asked([Token(f" {n}", None, log) for n, log in enumerate((*self.LOGS, -9.0))])
        trace = await trace_of(asked.model, "so")
        asking = prober(asked, confidence_tokens=3, arithmetic_mean=not geometric)
        found = await asking.confidence(trace)
        assert found == {"confidence": pytest.approx(confidence(self.LOGS, geometric=geometric))}
        assert asked.prompts == [f"Q: so{LEAD}"]
        assert (asked.request.max_tokens, asked.request.sampling.temperature) == (3, 0.0)
        assert asked.roles == ["probe"]


class TestSampled:
    async def sampled(self, asked: Asked, seed: int = 0, **options: Any) -> dict[str, Any]:
        trace = await trace_of(asked.model, "so")
        return await prober(asked, seed, **options).sampled(trace)

    async def test_answers_come_in_normal_form(self) -> None:
        replies = iter([RIGHT, " 4 * (7 - (8 / 8))", " I cannot say", "", " 5", RIGHT])
        found = await self.sampled(Asked(lambda _: next(replies)), rollouts=6)
        right = GAME.normalise(PROBLEM, "(7 - 8 / 8) * 4")
        five = GAME.normalise(PROBLEM, "5")
        assert right is not None
        assert found["answers"] == [right, right, None, None, five, right]

    async def test_the_lead_belongs_to_the_answer(self) -> None:
        """Without it an answer that is said at once would be none."""
        asked = Asked(" 5\nand so it was")
        assert (await self.sampled(asked, rollouts=1))["answers"] != [None]
        assert (await self.sampled(asked, rollouts=1, prefix="\n"))["answers"] == [None]

    @pytest.mark.parametrize("prefix", [None, "\n"])
    async def test_an_answer_may_bring_its_own(self, prefix: str | None) -> None:
        said = await self.sampled(Asked("\n\nAnswer: 5"), rollouts=1, prefix=prefix)
        assert said["answers"] == [GAME.normalise(PROBLEM, "5")]

    async def test_each_is_drawn_by_itself_and_the_same_again(self) -> None:
        asked = Asked(RIGHT)
        for _ in range(2):
            await self.sampled(asked, rollouts=3, answer_tokens=7, seed=5)
        seeds = [request.seed for request in asked.model.requests]
        assert len(set(seeds)) == 3
        assert seeds[:3] == seeds[3:]
        assert {request.max_tokens for request in asked.model.requests} == {7}
        assert asked.request.sampling == asked.model.profile.sampling
        assert set(asked.roles) == {"rollout"}

    async def test_other_places_problems_and_runs_draw_others(self) -> None:
        asked = Asked(RIGHT)
        for tokens, problem, seed in (
            (("so",), PROBLEM, 0),
            (("so", " far"), PROBLEM, 0),
            (("so",), GAME.parse("1 2 3 4"), 0),
            (("so",), PROBLEM, 1),
        ):
            trace = await trace_of(asked.model, *tokens)
            await Prober(asked, problem, GAME, seed, ProbeSettings(rollouts=1)).sampled(trace)
        assert len({request.seed for request in asked.model.requests}) == 4

    async def test_they_are_drawn_at_once(self) -> None:
        active = most = 0

        def script(_: str) -> Reply:
            nonlocal active, most
            active += 1
            most = max(most, active)
            return [Delay(0.01), Token(RIGHT)]

        await self.sampled(Asked(script), rollouts=4)
        assert most == 4


class TestProxy:
    def prober(self, asked: Asked, **options: Any) -> Prober:
        return Prober(
            asked, PROBLEM, GAME, render_for=lambda profile: ("", f"for {profile.name}"), **options
        )

    async def test_it_reads_the_problem_in_its_own_prompt_and_the_thinking_as_text(self) -> None:
        asked = Asked(
            [Token("yes", None, -1.0, half("yes", "no"))], profile=PROFILES["qwen3"], name="small"
        )
        solver = ScriptedModel("")
        trace = await trace_of(solver, "one\n", "tw", "o\nthree", cut=8)
        await self.prober(asked).entropy(trace)
        assert asked.prompts == [
            "<|im_start|>user\nfor qwen3<|im_end|>\n<|im_start|>assistant\n<think>\n"
            "one\ntwo\n</think>\nFinal answer:"
        ]

    async def test_a_marker_that_the_solver_streams_is_not_repeated(self) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes", "no"))])
        trace = await trace_of(ScriptedModel(""), "<think>", "one\n")
        await self.prober(asked, think_open="<think>").entropy(trace)
        assert asked.prompts[0].endswith(f"assistant\n<think>\none\n{LEAD}")

    async def test_a_longer_text_begins_with_the_tokens_of_a_shorter(self) -> None:
        asked = Asked([Token("yes", None, -1.0, half("yes", "no"))])
        for tokens in (["one\n", "two\n"], ["one\n", "two\n", "three\n"]):
            trace = await trace_of(ScriptedModel(""), *tokens)
            await self.prober(asked).entropy(trace)
        end = len(await asked.model.tokenize([Piece("</think>", special=True), Piece("\nAnswer:")]))
        short, long = (request.prompt for request in asked.model.requests)
        assert long[: len(short) - end] == short[:-end]
        assert len(long) > len(short)

    async def test_an_engine_without_ids_reads_text(self) -> None:
        asked = Asked(
            [Token("yes", None, -1.0, half("yes", "no"))],
            capabilities=Capabilities(exact_prefix=False, logprobs=5),
        )
        trace = await trace_of(ScriptedModel(""), "one\n")
        await self.prober(asked).entropy(trace)
        assert isinstance(asked.request.prompt, str)
        assert asked.request.prompt.endswith(f"<think>\none\n{LEAD}")


async def test_a_probe_that_breaks_raises() -> None:
    asked = Asked([Fault(ModelUnavailable("off"))])
    trace = await trace_of(asked.model, "so")
    with pytest.raises(ModelUnavailable):
        await Prober(asked, PROBLEM, GAME).entropy(trace)
    assert prompt_of(asked.model, trace) == tuple(trace.ids)
