"""How a line begins that is put in the place of a refused one."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legs import PATH, PUZZLE, RIGHT

import agentflow
from agentflow import Result
from agentflow.models import Capabilities, ScriptedModel, Token
from agentflow.models.scripted import Reply
from agentflow.monitors.stream_result import Drawn
from agentflow.nodes.instead import LEAST, likeliest, refuted_at, ways_of
from agentflow.trace import Segment, Trace, begin

WORDS = ["Move", " UP", " LEFT", " DOWN", " from", " here", "\n"]


def drawn(start: int, *tokens: tuple[str, float, dict[str, float]]) -> list[Drawn]:
    """Tokens in a row: (text, probability, probabilities of others)."""
    found = []
    for text, chance, others in tokens:
        tops = tuple((other, math.log(p)) for other, p in others.items())
        found.append(Drawn(start, text, math.log(chance), ((text, math.log(chance)), *tops)))
        start += len(text)
    return found


UP = drawn(
    7, ("Move", 0.9, {"Go": 0.05}), (" UP", 0.6, {" LEFT": 0.3, " DOWN": 0.02}), ("\n", 0.9, {})
)
"""``Move UP``, a line that begins at 7."""


def interventions(result: Result) -> list[dict[str, Any]]:
    return [event for event in result.events if event["type"] == "intervention"]


class TestLikeliest:
    def test_the_likeliest_beginning_with_another_last_token(self) -> None:
        ways = ways_of("Move UP\n", 7, UP, {}, ())
        assert likeliest(ways, ["Move UP\n"]) == "Move LEFT"
        assert math.isclose(ways["Move LEFT"], math.log(0.9 * 0.3))

    def test_no_refused_line_begins_with_it(self) -> None:
        ways = ways_of("Move UP\n", 7, UP, {}, ())
        assert likeliest(ways, ["Move UP\n", "Move LEFT, then\n"]) == "Go"
        assert likeliest(ways, ["Move UP\n", "Move LEFT\n", "Go on\n"]) == "Move DOWN"
        assert likeliest(ways, ["Move UP\n", "Move LEFT\n", "Go on\n", "Move DOWN\n"]) == ""

    def test_behind_a_beginning_that_was_put_there_its_likelihood_counts(self) -> None:
        known = {"Move LEFT": math.log(0.27)}
        rest = drawn(7 + len("Move LEFT"), (" from", 0.5, {" to": 0.4}))
        found = ways_of("Move LEFT from\n", 7, rest, known, ())
        assert math.isclose(found["Move LEFT to"], math.log(0.27 * 0.4))

    def test_markers_and_halves_of_characters_and_lines_are_no_beginnings(self) -> None:
        others = {"</think>": 0.2, "\ufffd": 0.1, "": 0.1, "so\n": 0.1, "then": 0.01}
        found = ways_of("Move\n", 0, drawn(0, ("Move", 0.4, others)), {}, ("</think>",))
        assert found.keys() == {"then"}
        assert ways_of("</think>Move UP\n", 7, UP, {}, ("</think>",)) == {}

    def test_what_is_hardly_likely_is_not_taken(self) -> None:
        more, less = math.exp(LEAST + 0.1), math.exp(LEAST - 0.1)
        assert ways_of("a\n", 0, drawn(0, ("a", 0.9, {"b": more, "c": less})), {}, ()).keys() == {
            "b"
        }
        unlikely = drawn(0, ("a", less, {}), (" b", 0.5, {" c": 0.5}))
        assert ways_of("a b\n", 0, unlikely, {}, ()) == {}

    def test_behind_a_beginning_of_which_nothing_is_known_there_is_none(self) -> None:
        assert ways_of("So Move UP\n", 4, UP, {}, ()) == {}

    def test_a_step_of_several_lines_is_drawn_again_as_a_whole(self) -> None:
        assert ways_of("so\nMove UP\n", 4, UP, {}, ()) == {}

    @given(
        st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map("".join), max_size=6), st.data()
    )
    def test_it_is_never_one_that_was_refused(self, lines: list[str], data: st.DataObject) -> None:
        some = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map("".join)
        ways = data.draw(st.dictionaries(some, st.floats(-9, 0), max_size=9))
        found = likeliest(ways, lines)
        assert not found or not any(line.startswith(found) for line in lines)
        assert found or all(any(line.startswith(way) for line in lines) for way in ways)


class TestRefused:
    def trace(self) -> Trace:
        trace = Trace([begin(Segment("prompt", "walk"))])
        for text in ("so it is\n", "Move UP\n"):
            trace.append(Segment("generated", text))
        return trace

    def test_every_line_that_was_taken_back_there_with_its_alternatives(self) -> None:
        trace = self.trace()
        trace.cut(9, "a wall", {"Move LEFT": -1.0})
        trace.append(Segment("alternative", "Move LEFT"))
        trace.append(Segment("generated", " now\n"))
        trace.cut(9, "a wall", {"Move DOWN": -2.0})
        lines, ways = refuted_at(trace.operations, 9)
        assert lines == ["Move UP\n", "Move LEFT now\n"]
        assert ways == {"Move LEFT": -1.0, "Move DOWN": -2.0}

    def test_none_where_what_stands_before_it_changed(self) -> None:
        trace = self.trace()
        trace.cut(9, "a wall", {"Move LEFT": -1.0})
        trace.cut(0, "further back")
        trace.append(Segment("generated", "now it is\nMove UP\n"))
        assert refuted_at(trace.operations, 10) == ([], {})

    def test_none_behind_another_prompt(self) -> None:
        trace = self.trace()
        trace.cut(9, "a wall", {"Move LEFT": -1.0})
        trace.begin(Segment("prompt", "walk again"))
        assert refuted_at(trace.operations, 9) == ([], {})


class TestRedraw:
    """A wrong step of Game of 24 is begun otherwise."""

    WRONG = (
        *(Token(text, logprob=-0.01, top=((text, -0.01),)) for text in (" 8", " /", " 8", " =")),
        Token(" 2", logprob=-0.1, top=((" 2", -0.1), (" 1", -2.5), (" 3", -4.0))),
        *(Token(text) for text in (" (", "left:", " 2", " 4", " 7", ")", "\n")),
    )

    async def solve(self, *replies: Reply, **given: Any) -> tuple[Result, ScriptedModel, list[str]]:
        left, prompts = iter(replies), list[str]()

        def reply(prompt: str) -> Reply:
            prompts.append(prompt)
            return next(left)

        able = Capabilities(logprobs=given.pop("logprobs", 20))
        model = ScriptedModel(reply, capabilities=able)
        models: Any = model
        if "writer" in given:  # and no reward model
            models = {"solver": model, "verifier": ScriptedModel(given.pop("writer"))}
            given["roles"] = {"prm": "embedded"}
        result = await agentflow.asolve(PUZZLE, "unified", model=models, **given)
        return result, model, [prompt.removeprefix(prompts[0]) for prompt in prompts]

    async def test_the_model_goes_on_behind_its_second_choice(self) -> None:
        rest = RIGHT.removeprefix(" 8 / 8 = 1")
        result, model, prompts = await self.solve(self.WRONG, rest)
        assert prompts == ["", " 8 / 8 = 1"]
        assert (result.status, result.corrections) == ("verified", 1)
        assert result.trace.body.startswith(PATH)
        kinds = [segment.kind for segment in result.trace.segments]
        assert kinds[:3] == ["prompt", "alternative", "generated"]
        assert result.cost.generated == model.streamed
        assert [one.top for one in model.requests] == [5, 5]
        assert interventions(result)[0]["text"] == " 8 / 8 = 1"

    async def test_refused_again_the_third_choice_follows(self) -> None:
        worse = " (left: 9)\n"
        result, _, prompts = await self.solve(self.WRONG, worse, " (left: 9)\n", RIGHT)
        assert prompts[1:3] == [" 8 / 8 = 1", " 8 / 8 = 3"]
        assert result.status == "verified"

    async def test_a_model_that_tells_no_alternatives_draws_another_line(self) -> None:
        text = "".join(token.text for token in self.WRONG)
        result, model, prompts = await self.solve(text, RIGHT, logprobs=0)
        assert prompts == ["", ""]
        assert [one.top for one in model.requests] == [0, 0]
        told = [event for event in result.events if event["type"] == "weaker"]
        assert "log-probabilities" in str(told[0])
        assert result.status == "verified"

    @pytest.mark.parametrize("given", [{"redraws": 0}, {"steer": False}])
    async def test_none_are_asked_for_where_nothing_is_drawn_again(
        self, given: dict[str, Any]
    ) -> None:
        result, model, _ = await self.solve(RIGHT, **given)
        assert result.status == "verified"
        assert [one.top for one in model.requests] == [0]

    async def test_corrections_come_to_an_end_behind_a_right_line_that_it_began(self) -> None:
        first, *_ = PATH.splitlines(keepends=True)
        stuck = " 7 - 1 = 5 (left: 4 5)\n"
        rest = first.removeprefix(" 8 / 8 = 1") + stuck
        given: dict[str, Any] = {"n": 1, "redraws": 9, "max_corrections": 4}
        result, _, _ = await self.solve(self.WRONG, rest, *[stuck] * 9, **given)
        assert (result.status, result.answer) == ("abstained", None)
        assert result.corrections == 1 + 4

    async def test_what_another_model_writes_the_second_time_is_put_there(self) -> None:
        first, *_ = PATH.splitlines(keepends=True)
        replies = [self.WRONG, " (left: 9)\n", RIGHT.removeprefix(first)]
        result, _, prompts = await self.solve(*replies, writer=first)
        assert prompts == ["", " 8 / 8 = 1", first]
        assert [event["kind"] for event in interventions(result)][:2] == ["redraw", "rewrite"]
        assert result.status == "verified"

    @pytest.mark.parametrize("written", ["", "".join(token.text for token in WRONG)])
    async def test_where_it_has_no_other_line_the_next_beginning_follows(
        self, written: str
    ) -> None:
        result, _, prompts = await self.solve(self.WRONG, " (left: 9)\n", RIGHT, writer=written)
        assert prompts[1:3] == [" 8 / 8 = 1", " 8 / 8 = 3"]
        assert [event["kind"] for event in interventions(result)][:2] == ["redraw", "redraw"]
        assert result.status == "verified"
