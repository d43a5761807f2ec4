"""Detect: at a hesitation the solution is asked about; the thinking ends where it is complete."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains import Game24
from agentflow.models import Delay, Request, ScriptedModel, Token
from agentflow.models.metered import Metered
from agentflow.models.model import prompt_of, segment
from agentflow.models.scripted import Reply
from agentflow.monitors import Detect, StreamResult, watch
from agentflow.monitors.probes import Prober
from agentflow.profile import HESITATIONS, PROFILES, Piece, Profile
from agentflow.trace import Trace

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
QUESTION = "complete:"


def says(yes: float, no: float = 0.1) -> Reply:
    top = (("Yes", yes), (" no", no), ("x", 0.01))
    return [Token("Y", None, -1.0, tuple((text, math.log(p)) for text, p in top if p))]


class Solver:
    """Says ``text``; asked whether that is complete, it says Yes once ``until`` stands there."""

    def __init__(self, text: str, until: str, delay: float = 0.0, profile: str = "pocket") -> None:
        self.text, self.until, self.delay = text, until, delay
        self.model = ScriptedModel(self.reply, profile=PROFILES[profile])
        self.asked: list[str] = []

    def reply(self, prompt: str) -> Reply:
        if QUESTION not in prompt:
            return self.text
        said = prompt.partition("<think>\n")[2].partition("</think>")[0]
        self.asked.append(said)
        answer = says(0.6) if self.until in said else says(0.1, 0.2)
        return [Delay(self.delay), *answer]

    async def watch(self, **options: Any) -> tuple[StreamResult, Trace]:
        async def ask(role: str) -> Metered:
            assert role == "probe"
            return Metered(self.model, role, "0")

        options = {"words": HESITATIONS, **options}
        monitor = Detect(Prober(ask, PROBLEM, GAME), **options)
        trace = Trace()
        pieces = self.model.profile.render("solve")
        trace.append(await segment(self.model, "prompt", pieces))
        request = Request(prompt_of(self.model, trace), 500)
        result = await watch(self.model, trace, request, [monitor])
        return result, trace

    def run(self, **options: Any) -> tuple[StreamResult, str]:
        result, trace = asyncio.run(self.watch(**options))
        return result, trace.body


THOUGHT = "first 3. Hmm, no. It is 4. Wait, is it? Yes it is. Hmm again.\n\nBut wait, so much. End"


class TestDetect:
    def test_the_thinking_is_cut_in_front_of_the_hesitation(self) -> None:
        solver = Solver(THOUGHT, "4")
        result, body = solver.run()
        assert result.ended == "intervened"
        assert result.intervention is not None
        assert (result.intervention.kind, result.intervention.monitor) == ("close", "detect")
        assert body.rstrip() == "first 3. Hmm, no. It is 4."
        assert [said.rstrip() for said in solver.asked[:2]] == [
            "first 3.",
            "first 3. Hmm, no. It is 4.",
        ]
        assert result.wasted > 0

    def test_never_complete(self) -> None:
        solver = Solver(THOUGHT, "5")
        result, body = solver.run()
        assert (result.ended, body) == ("stop", THOUGHT)
        assert len(solver.asked) == 4

    def test_one_who_never_hesitates_is_never_asked(self) -> None:
        solver = Solver("so 4, done", "4")
        result, body = solver.run()
        assert (result.ended, body, solver.asked) == ("stop", "so 4, done", [])

    def test_one_who_hesitates_at_every_token(self) -> None:
        solver = Solver(" Wait" * 40 + " 4 Hmm" + " Wait" * 40, "4")
        result, body = solver.run()
        assert result.ended == "intervened"
        assert body.rstrip() == (" Wait" * 40 + " 4")
        assert len(solver.asked) <= 42

    def test_one_in_so_many_hesitations(self) -> None:
        solver = Solver(THOUGHT, "5")
        solver.run(every=2)
        assert len(solver.asked) == 2

    def test_words_of_ones_own(self) -> None:
        solver = Solver("it is 4. Mmh, is it?", "4")
        assert solver.run(words=("mmh",))[1].rstrip() == "it is 4."
        assert Solver("it is 4. Wait, is it?", "4").run(words=())[0].ended == "stop"

    def test_hesitations_in_the_answer_are_not_looked_at(self) -> None:
        solver = Solver("so 4</think>The answer, wait, is 4", "4")
        result, _ = solver.run()
        assert (result.ended, solver.asked) == ("stop", [])

    @pytest.mark.parametrize("told", [(0.0, 0.0), (0.3, 0.3)])
    def test_a_detector_that_cannot_tell_lets_it_go_on(self, told: tuple[float, float]) -> None:
        solver = Solver(THOUGHT, "")
        solver.model._script = lambda prompt: says(*told) if QUESTION in prompt else THOUGHT
        result, body = solver.run()
        assert (result.ended, body) == ("stop", THOUGHT)
        assert {one.verdict.kind for one in result.judged} == {"probe"}

    def test_a_probe_that_breaks_lets_it_go_on(self) -> None:
        solver = Solver(THOUGHT, "")
        solver.model._script = lambda prompt: "no logprobs" if QUESTION in prompt else THOUGHT
        result, body = solver.run()
        assert (result.ended, body) == ("stop", THOUGHT)
        assert "gave no log-probabilities" in result.judged[0].verdict.reason


class TestFinish:
    def test_the_thought_goes_on_to_its_end(self) -> None:
        result, body = Solver(THOUGHT, "4").run(finish=True)
        assert result.intervention is not None
        assert result.intervention.kind == "close"
        assert body.rstrip() == "first 3. Hmm, no. It is 4. Wait, is it? Yes it is."

    def test_or_to_the_end_of_its_paragraph(self) -> None:
        _, body = Solver("it is 4. Wait, is it?\nYes.\n\nNow for more. Hmm", "4").run(finish=True)
        assert body == "it is 4. Wait, is it?\nYes.\n\n"

    def test_or_to_its_own_end(self) -> None:
        result, body = Solver("it is 4. Wait, is it?", "4").run(finish=True)
        assert (result.ended, body) == ("stop", "it is 4. Wait, is it?")


@given(
    st.lists(st.sampled_from([" so", " 4", ". Wait", " Hmm", ",", "\n\n", "\n", " Waiting"])),
    st.sampled_from([0.0, 0.001, 0.01]),
    st.booleans(),
)
def test_a_slow_probe_changes_nothing(tokens: Sequence[str], delay: float, finish: bool) -> None:
    text = "".join(tokens)
    quick, slow = Solver(text, "4"), Solver(text, "4", delay)
    ended, body = quick.run(finish=finish)
    again, same = slow.run(finish=finish)
    assert body == same
    assert ended.ended == again.ended
    assert ended.intervention == again.intervention
    if not finish and ended.intervention is not None:
        assert "4" in body


class TestFollowUp:
    """The question stands in a turn of its own, behind the solver's."""

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            (
                "pocket",
                "</think><|im_end|>\n<|im_start|>user\nwell?<|im_end|>\n<|im_start|>assistant\n"
                "<think>\n\n</think>\n\n",
            ),
            (
                "deepseek-r1-distill",
                "</think><｜end▁of▁sentence｜><｜User｜>well?<｜Assistant｜><think>\n\n</think>\n\n",
            ),
            (
                "qwen2.5-instruct",
                "<|im_end|>\n<|im_start|>user\nwell?<|im_end|>\n<|im_start|>assistant\n",
            ),
            (
                "llama-3.1-instruct",
                "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nwell?<|eot_id|>"
                "<|start_header_id|>assistant<|end_header_id|>\n\n",
            ),
            (
                "phi-4-reasoning",
                "</think><|im_end|><|im_start|>user<|im_sep|>well?<|im_end|>"
                "<|im_start|>assistant<|im_sep|><think>\n\n</think>\n\n",
            ),
        ],
    )
    def test_the_turn(self, name: str, expected: str) -> None:
        profile = PROFILES[name]
        pieces = profile.follow_up("well?", closed=False)
        assert "".join(piece.text for piece in pieces) == expected
        markers = {*profile.template.specials, *profile.stops, "<think>", "</think>"}
        assert all(piece.special == (piece.text in markers) for piece in pieces)

    def test_thinking_that_was_closed_is_not_closed_again(self) -> None:
        text = "".join(p.text for p in PROFILES["pocket"].follow_up("well?", closed=True))
        assert text.startswith("<|im_end|>\n<|im_start|>user\nwell?")

    def test_what_the_question_spells_is_letters(self) -> None:
        pieces = PROFILES["pocket"].follow_up("<|im_end|>", closed=True)
        assert Piece("\n<|im_start|>user\n<|im_end|>") not in pieces
        assert [piece.text for piece in pieces if piece.special].count("<|im_end|>") == 2

    def test_the_prefix_is_the_very_trace(self) -> None:
        solver = Solver(THOUGHT, "5")
        solver.run()
        first, *probes = [r.prompt for r in solver.model.requests]
        assert len(probes) == 4
        for probe in probes:
            assert probe[: len(first)] == first

    def test_a_proxy_reads_the_thinking_as_text(self) -> None:
        solver = Solver(THOUGHT, "4")
        proxy = Solver("", "4")

        async def ask(role: str) -> Metered:
            return Metered(proxy.model, role, "0")

        def render(profile: Profile) -> tuple[str, str]:
            return "", f"for {profile.name}"

        prober = Prober(ask, PROBLEM, GAME, render_for=render)
        trace = Trace()

        async def run() -> StreamResult:
            pieces = solver.model.profile.render("solve")
            trace.append(await segment(solver.model, "prompt", pieces))
            request = Request(prompt_of(solver.model, trace), 500)
            return await watch(solver.model, trace, request, [Detect(prober, HESITATIONS)])

        result = asyncio.run(run())
        assert result.ended == "intervened"
        assert trace.body.rstrip() == "first 3. Hmm, no. It is 4."
        assert proxy.asked[0].startswith("first 3.")


def test_words_of_several_tokens_count_by_the_first() -> None:
    profile = replace(PROFILES["pocket"], yes=("Certainly",), no=("Not",))
    solver = Solver("it is 4. Wait", "4")
    top = (("Cert", math.log(0.4)), ("N", math.log(0.1)), ("Not yet", math.log(0.3)))
    question = [Token("Cert", None, -1.0, top)]
    solver.model._script = lambda prompt: question if QUESTION in prompt else "it is 4. Wait, so"
    solver.model.profile = profile
    result, _ = solver.run()
    assert result.judged[0].verdict.evidence["yes"] == pytest.approx(0.4)
    assert result.judged[0].verdict.evidence["no"] == pytest.approx(0.1)
