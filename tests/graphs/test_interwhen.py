from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

import agentflow
from agentflow import BadInput, Result
from agentflow.domains import Game24, arithmetic
from agentflow.domains.game24 import solutions
from agentflow.errors import MissingCapability, ModelUnavailable, StreamBroken
from agentflow.graphs import METHODS, VERIFIERS, baselines, interwhen
from agentflow.models import Capabilities, Delay, Fault, ScriptedModel, Token
from agentflow.nodes import MODEL_KEY
from agentflow.verdict import Verdict

PUZZLE = "4 7 8 8"
PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
RIGHT = "Answer: (7 - 8 / 8) * 4 = 24"
SOLVED = f"{PATH}</think>\n{RIGHT}"
BEGIN, NOTED, ANSWERING = r"<think>\n", r"Wait, .*\n", r"</think>\n"
"""Where a prompt ends: at the start of the thinking, behind a note, where thinking was closed."""


async def solve(model: ScriptedModel, problem: str = PUZZLE, **settings: Any) -> Result:
    return await agentflow.asolve(problem, "interwhen", model=model, **settings)


def path_to_24(numbers: Sequence[int], *, wrong_at: int | None = None) -> str:
    """A right path in words, the step ``wrong_at`` with a wrong result, and the answer."""
    expression = next(solutions([Fraction(n) for n in numbers]))
    left, lines = [Fraction(n) for n in numbers], list[str]()

    def take(part: arithmetic.Expression) -> Fraction:
        if isinstance(part, Fraction):
            return part
        a, b = take(part[1]), take(part[2])
        left.remove(a)
        left.remove(b)
        result = arithmetic.apply(part[0], a, b)
        assert result is not None
        left.append(result)
        said = result + 1 if len(lines) == wrong_at else result
        remaining = " ".join(map(str, [*left[:-1], said]))
        lines.append(f"{a} {part[0]} {b} = {said} (left: {remaining})\n")
        return result

    take(expression)
    return "".join(lines) + f"</think>\nAnswer: {arithmetic.show(expression)} = 24"


class TestVerified:
    async def test_a_right_path(self) -> None:
        model = ScriptedModel(SOLVED)
        result = await solve(model)
        assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
        assert result.reason == "by game24"
        assert result.corrections == 0
        assert [one["verdict"]["ok"] for one in result.judged] == [True] * 4
        assert result.trace.body == SOLVED
        assert (result.cost.calls, result.cost.generated) == (1, model.streamed)
        assert result.cost.wasted == 0
        assert result.problem["data"] == {"numbers": [4, 7, 8, 8]}
        assert result.method == "interwhen"
        json.dumps(result.as_dict())

    @pytest.mark.usefixtures("slow_verdicts")
    async def test_after_a_correction(self) -> None:
        wrong = "8 / 8 = 2 (left: 2 4 7)\n"
        model = ScriptedModel({BEGIN: wrong + "and so on, and so on\n", NOTED: SOLVED})
        result = await solve(model)
        assert result.status == "verified"
        assert result.corrections == 1
        assert result.trace.body == f"{wrong}Wait, 8 / 8 is 1 , not 2\n{SOLVED}"
        assert [s.kind for s in result.trace.segments] == [
            "prompt",
            "generated",
            "feedback",
            "generated",
        ]
        first = result.judged[0]
        assert (first["verdict"]["kind"], first["corrected"]) == ("arithmetic", True)
        assert all(one["verdict"]["ok"] for one in result.judged[1:])
        assert result.cost.calls == len(model.requests) == 2
        assert result.cost.generated == model.streamed
        assert result.cost.wasted == result.trace.wasted > 0
        assert model.text(model.requests[1].prompt).endswith(wrong + "Wait, 8 / 8 is 1 , not 2\n")

    async def test_after_a_correction_of_the_answer(self) -> None:
        wrong = "Answer: (7 - 8 / 8) * 5\n"
        model = ScriptedModel({BEGIN: f"{PATH}</think>\n{wrong}", r"\[verifier: .*\]\n": RIGHT})
        result = await solve(model)
        assert result.status == "verified"
        assert "[verifier: ( 7 - ( 8 / 8 ) ) * 5 uses 5 7 8 8 , not 4 7 8 8]\n" in result.trace.body

    async def test_feedback_starts_on_its_own_line(self) -> None:
        model = ScriptedModel({BEGIN: "8 / 8 = 2 (left: 2 4 7)", NOTED: SOLVED})
        result = await solve(model)
        assert result.status == "verified"
        assert result.trace.body.startswith("8 / 8 = 2 (left: 2 4 7)\nWait, 8 / 8 is 1 , not 2\n8")

    async def test_what_a_corrected_step_left_is_not_at_hand(self) -> None:
        model = ScriptedModel(
            {
                BEGIN: "8 / 8 = 2 (left: 2 4 7)\n",
                r"Wait, 8 / 8 is .*\n": "2 * 4 = 8 (left: 7 8)\n",
                r"Wait, 2 is not .*\n": SOLVED,
            }
        )
        result = await solve(model)
        assert (result.status, result.corrections) == ("verified", 2)
        assert [one["verdict"]["kind"] for one in result.judged[:2]] == [
            "arithmetic",
            "not_available",
        ]

    async def test_a_right_answer_without_a_step_is_verified_by_a_complete_verifier(self) -> None:
        assert (await solve(ScriptedModel(f"easy</think>{RIGHT}"))).status == "verified"

    async def test_a_step_that_nobody_could_judge_is_no_objection(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: Any, **__: Any) -> Verdict:
            raise RuntimeError("verifier on fire")

        monkeypatch.setattr(Game24, "verify_state", broken)
        result = await solve(ScriptedModel(SOLVED))
        assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
        assert {one["verdict"]["ok"] for one in result.judged} == {None}, "the answer was judged"
        assert {one["verdict"]["kind"] for one in result.judged} == {"verifier_error"}

    @pytest.mark.parametrize(
        "spelling", ["8 ÷ 8 = 1 (left: 1, 4, 7)\n", "4 7 8 8 : 8/8=1 → 1 4 7\n"]
    )
    async def test_whatever_the_spelling(self, spelling: str) -> None:
        model = ScriptedModel(spelling + SOLVED.partition("\n")[2])
        result = await solve(model)
        assert result.status == "verified"
        assert len(result.judged) == 4


class TestAbstained:
    @pytest.mark.parametrize("most", [0, 1, 3])
    async def test_when_more_corrections_would_be_needed(self, most: int) -> None:
        model = ScriptedModel("8 / 8 = 2 (left: 2 4 7)\n")
        result = await solve(model, max_corrections=most)
        assert (result.status, result.answer) == ("abstained", None)
        assert result.corrections == most
        assert result.reason == "too many corrections; the last: 8 / 8 is 1 , not 2"
        assert len(model.requests) == most + 1
        assert result.trace.body.count("Wait") == most

    async def test_with_the_best_candidate_beside_it(self) -> None:
        model = ScriptedModel(f"{RIGHT}\n8 / 8 = 2 (left: 2 4 7)\n")
        result = await solve(model, max_corrections=0)
        assert (result.status, result.candidate) == ("abstained", "(7 - 8 / 8) * 4")

    async def test_when_only_the_final_verifier_sees_that_the_answer_is_wrong(self) -> None:
        model = ScriptedModel(f"{PATH}</think>\n4 * 6")
        result = await solve(model)
        assert (result.status, result.answer) == ("abstained", None)
        assert result.reason == "the answer failed verification: 4 * 6 uses 4 6 , not 4 7 8 8"
        assert all(one["verdict"]["ok"] for one in result.judged)

    async def test_when_the_puzzle_has_no_answer(self) -> None:
        model = ScriptedModel(SOLVED)
        result = await solve(model, "1 1 1 1")
        assert (result.status, result.answer, result.candidate) == ("abstained", None, None)
        assert result.reason == "24 cannot be reached from 1 1 1 1: every combination was tried"
        assert model.requests == []
        assert result.cost.generated == 0

    async def test_hopeless_steps_are_objected_to_only_when_asked_for(self) -> None:
        text = "8 + 8 = 16 (left: 4 7 16)\n" + SOLVED
        assert (await solve(ScriptedModel(text))).corrections == 0
        model = ScriptedModel({BEGIN: text, NOTED: SOLVED})
        result = await solve(model, hopeless=True)
        assert (result.status, result.corrections) == ("verified", 1)
        assert result.judged[0]["verdict"]["kind"] == "hopeless"


class TestExhausted:
    @pytest.mark.parametrize(
        "reply",
        [
            "",
            "</think>",
            "I do not know",
            f"{PATH}and that is all",
            f"{PATH}</think>I will not say",
            "</think>Answer: \n",
            "\x00\x01\ufffd\x1b[2J" * 20,
            [Token("\udc80"), Token("\x00"), Token("")],
        ],
    )
    async def test_without_an_answer(self, reply: Any) -> None:
        model = ScriptedModel(reply)
        result = await solve(model)
        assert (result.status, result.answer) == ("exhausted", None)
        assert result.reason.startswith("no answer found")
        assert result.trace.generated == model.streamed == result.cost.generated

    @pytest.mark.parametrize("word", ["more ", "\n", "1 ", "(", "8 - 7 = 1\n", "\\boxed{"])
    async def test_by_an_endless_reply(self, word: str) -> None:
        model = ScriptedModel([Token(word)] * 500)
        result = await solve(model, max_tokens=200)
        assert result.status == "exhausted"
        assert result.reason == "the budget of 200 tokens is spent, with no answer yet"
        assert result.cost.generated == model.streamed == 200
        assert result.trace.body == word * 200

    @pytest.mark.usefixtures("slow_verdicts")
    async def test_wasted_tokens_count_against_the_budget(self) -> None:
        model = ScriptedModel("8 / 8 = 2 (left: 2 4 7)\n" + "more " * 100)
        result = await solve(model, max_tokens=60, max_corrections=1000)
        assert result.status == "exhausted"
        assert result.cost.wasted > 0
        assert result.cost.generated == model.streamed <= 60

    async def test_by_the_context_of_the_model(self) -> None:
        model = ScriptedModel("more " * 5000)
        result = await solve(model, max_tokens=100_000)
        assert result.status == "exhausted"
        assert len(result.trace.ids) == model.profile.context

    @pytest.mark.usefixtures("virtual_time")
    @pytest.mark.parametrize("k_stable", [0, 2])
    async def test_by_the_clock_with_the_trace_kept(self, k_stable: int) -> None:
        model = ScriptedModel([PATH, Delay(60), SOLVED])
        result = await solve(model, timeout=3, k_stable=k_stable)
        assert result.status == "exhausted"
        assert result.reason == "the time limit of 3.0 s is over, with no answer yet"
        assert result.trace.body == PATH
        assert result.cost.generated == model.streamed


class TestKStable:
    EQUAL = "(7 - 8 / 8) * 4 = 24\n"
    TWICE = f"{EQUAL}So {EQUAL}"  # the same line would be one statement

    async def test_thinking_is_closed_when_the_answer_is_stable(self) -> None:
        model = ScriptedModel({BEGIN: self.TWICE + "but wait " * 50, ANSWERING: RIGHT})
        result = await solve(model, step_verifier=False, k_stable=2)
        assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
        assert result.trace.body == f"{self.TWICE}</think>\n{RIGHT}"
        assert result.trace.split("</think>") == (self.TWICE, "\n" + RIGHT)
        assert [s.kind for s in result.trace.segments][-2:] == ["marker", "generated"]
        assert result.corrections == 0
        assert model.text(model.requests[1].prompt).endswith("24\n</think>\n")
        # The marker is the special token that the model itself would write.
        own = await solve(ScriptedModel(SOLVED))
        assert own.status == "verified"
        marker = result.trace.segments[-2].ids[0]
        assert model.text([marker]) == "</think>"
        assert model.streamed == result.cost.generated < 2 * 14 + 60

    @pytest.mark.parametrize(("k", "stated"), [(1, 1), (3, 3)])
    async def test_k_is_how_often(self, k: int, stated: int) -> None:
        lines = [f"{lead}{self.EQUAL}" for lead in ("", "So ", "Then ", "Thus ", "And ")]
        model = ScriptedModel({BEGIN: "".join(lines), ANSWERING: RIGHT})
        result = await solve(model, step_verifier=False, k_stable=k)
        assert result.trace.split("</think>")[0] == "".join(lines[:stated])

    async def test_it_stays_out_of_an_answer_already_begun(self) -> None:
        model = ScriptedModel(f"hm</think>{self.EQUAL * 3}{RIGHT}")
        result = await solve(model, step_verifier=False, k_stable=1)
        assert len(model.requests) == 1
        assert result.answer == "(7 - 8 / 8) * 4"

    async def test_both_at_once(self) -> None:
        model = ScriptedModel(
            {
                BEGIN: "8 / 8 = 2 (left: 2 4 7)\n" + "on " * 50,
                NOTED: PATH + self.TWICE + "but wait " * 50,
                ANSWERING: RIGHT,
            }
        )
        result = await solve(model, k_stable=2)
        assert (result.status, result.corrections) == ("verified", 1)
        assert [s.kind for s in result.trace.segments] == [
            "prompt",
            "generated",
            "feedback",
            "generated",
            "marker",
            "generated",
        ]
        assert result.cost.generated == model.streamed
        assert result.cost.wasted == result.trace.wasted

    async def test_a_stable_wrong_answer_is_corrected_rather_than_kept(self) -> None:
        wrong = "Answer: (7 + 8 / 8) * 4\n"
        model = ScriptedModel({BEGIN: wrong * 3, NOTED: SOLVED})
        result = await solve(model, k_stable=2)
        assert (result.status, result.corrections) == ("verified", 1)

    async def test_a_thinking_budget_closes_it_too(self) -> None:
        model = ScriptedModel({BEGIN: "hm " * 100, ANSWERING: RIGHT})
        result = await solve(model, thinking_tokens=7)
        assert result.status == "verified"
        assert result.trace.split("</think>")[0] == "hm hm hm hm hm hm hm"

    async def test_a_thinking_budget_survives_an_objection_at_its_end(self) -> None:
        wrong = "8 / 8 = 2 (left: 2 4 7)\n"
        tokens = len(ScriptedModel("")._split.findall(wrong))
        model = ScriptedModel({BEGIN: wrong, NOTED: "hm " * 100, ANSWERING: RIGHT})
        result = await solve(model, thinking_tokens=tokens)
        assert (result.status, result.corrections) == ("verified", 1)
        assert result.trace.split("</think>")[0] == f"{wrong}Wait, 8 / 8 is 1 , not 2\nhm"


class TestStreams:
    async def test_an_unobjected_run_sends_the_requests_of_an_unmonitored_one(self) -> None:
        models = [ScriptedModel(SOLVED) for _ in range(2)]
        await solve(models[0], k_stable=50, thinking_tokens=1000, seed=5)
        await agentflow.asolve(PUZZLE, "direct", model=models[1], seed=5)
        assert models[0].requests == models[1].requests
        assert len(models[0].requests) == 1

    async def test_requests_carry_the_sampling_and_a_seed_of_their_own(self) -> None:
        def script(text: str) -> str:
            return SOLVED if "Wait" in text else "8 / 8 = 2 (left: 2 4 7)\n"

        model = ScriptedModel(script)
        for seed in (0, 0, 1):
            await solve(model, seed=seed, temperature=0.1, top_p=0.5, top_k=3)
        seeds = [request.seed for request in model.requests]
        assert seeds[0:2] == seeds[2:4]
        assert len(set(seeds)) == 4
        for request in model.requests:
            assert request.sampling == agentflow.Settings(
                temperature=0.1, top_p=0.5, top_k=3
            ).sampling(model.profile)

    @pytest.mark.parametrize("where", [0, 4, 20])
    async def test_a_stream_that_broke_is_continued_from_where_it_broke(self, where: int) -> None:
        tokens = ScriptedModel("")._split.findall(SOLVED)
        broken = []

        def script(text: str) -> list[Token | Fault]:
            done = text.partition("<think>\n")[2]
            left = [Token(t) for t in ScriptedModel("")._split.findall(SOLVED[len(done) :])]
            if broken:
                return [*left]
            broken.append(done)
            return [*left[:where], Fault(StreamBroken("gone"))]

        model = ScriptedModel(script)
        result = await solve(model)
        assert (result.status, result.error) == ("verified", "")
        assert result.trace.body == SOLVED
        assert [one["verdict"]["ok"] for one in result.judged] == [True] * 4
        assert (result.cost.calls, result.cost.generated) == (2, len(tokens))

    async def test_one_that_stays_broken_is_exhausted_with_its_text(self) -> None:
        model = ScriptedModel([*[Token("hm ")] * 4, Fault(StreamBroken("gone for good"))])
        result = await solve(model, retries=1)
        assert result.status == "exhausted"
        assert result.reason == result.error == "gone for good"
        assert result.trace.body == "hm " * 8
        assert result.cost.generated == model.streamed

    async def test_one_that_never_begins_is_an_error(self) -> None:
        model = ScriptedModel([Fault(StreamBroken("gone for good"))])
        with pytest.raises(StreamBroken, match="gone for good"):
            await solve(model, retries=1)
        assert len(model.requests) == 2

    async def test_a_server_that_never_answers_is_asked_again_then_reported(self) -> None:
        model = ScriptedModel([Fault(ModelUnavailable("nobody at http://here"))])
        with pytest.raises(ModelUnavailable, match="http://here"):
            await solve(model)
        assert len(model.requests) == 3

    async def test_a_server_that_goes_away_later_leaves_the_text(self) -> None:
        model = ScriptedModel(
            {
                NOTED: [Fault(ModelUnavailable("nobody at http://here"))],
                BEGIN: "8 / 8 = 2 (left: 2 4 7)\n",
            }
        )
        result = await solve(model, retries=0)
        assert result.status == "exhausted"
        assert result.error == "nobody at http://here"
        assert "Wait, 8 / 8 is 1 , not 2" in result.trace.body

    async def test_a_model_that_cannot_continue_a_text_is_refused(self) -> None:
        model = ScriptedModel(SOLVED, capabilities=Capabilities(continues=False), name="chatty")
        with pytest.raises(MissingCapability, match="chatty lacks the capability 'continues'"):
            await solve(model)
        assert model.requests == []

    async def test_an_engine_without_token_ids_does_as_well(self) -> None:
        model = ScriptedModel(
            {BEGIN: "8 / 8 = 2 (left: 2 4 7)\nand on", NOTED: SOLVED},
            capabilities=Capabilities(exact_prefix=False),
        )
        result = await solve(model)
        assert (result.status, result.corrections) == ("verified", 1)
        assert isinstance(model.requests[1].prompt, str)

    async def test_events_show_states_verdicts_interventions_and_usage(self) -> None:
        events: list[dict[str, Any]] = []
        model = ScriptedModel({BEGIN: "8 / 8 = 2 (left: 2 4 7)\n", NOTED: SOLVED})
        result = await agentflow.asolve(PUZZLE, "interwhen", model=model, on_event=events.append)
        kinds = [event["type"] for event in events if event["type"] != "node"]
        assert kinds[:5] == ["markers", "token", "state", "verdict", "usage"]
        assert kinds.index("intervention") == 5
        assert kinds[-2:] == ["usage", "verdict"]
        path = [event["name"] for event in events if event["type"] == "node"]
        assert path == ["prepare", "solve", "refine", "solve", "verify", "finish"]
        kept = [event for event in events if event["type"] not in ("token", "markers")]
        assert result.events == kept
        markers = {"type": "markers", "open": "<think>", "close": "</think>"}
        assert [event for event in events if event["type"] == "markers"] == [markers]
        assert [event for event in events if event["type"] == "verdict"][-1]["final"] is True
        usage = [entry for e in events if e["type"] == "usage" for entry in e["entries"].items()]
        assert dict(usage) == result.ledger
        json.dumps(events)


PUZZLES = [
    (4, 7, 8, 8), (3, 3, 8, 8), (1, 5, 5, 5), (4, 4, 10, 10), (1, 3, 4, 6),
    (2, 3, 5, 12), (1, 2, 3, 4), (6, 6, 6, 6), (2, 2, 2, 12), (5, 5, 5, 1),
    (1, 1, 4, 6), (2, 4, 6, 11), (3, 7, 7, 8), (1, 6, 6, 12), (4, 5, 12, 12),
    (2, 7, 7, 12), (1, 2, 4, 12), (1, 1, 2, 12), (2, 11, 11, 12), (10, 10, 12, 12),
]  # fmt: skip


class TestManyRuns:
    async def test_runs_of_one_graph_do_not_mix(self) -> None:
        """Twenty at once on one model, each with its own mistake to correct."""

        def script(text: str) -> str:
            numbers = [int(n) for n in re.findall(r"game24: ([\d ]+)", text)[0].split()]
            wrong = None if "Wait" in text else sum(numbers) % 3
            return path_to_24(numbers, wrong_at=wrong)

        model = ScriptedModel(script)
        results = await asyncio.gather(
            *(solve(model, " ".join(map(str, puzzle))) for puzzle in PUZZLES)
        )
        for puzzle, result in zip(PUZZLES, results, strict=True):
            assert result.problem["data"]["numbers"] == sorted(puzzle)
            assert (result.status, result.corrections) == ("verified", 1), puzzle
            alone = await solve(ScriptedModel(script), " ".join(map(str, puzzle)))
            assert result.answer == alone.answer
            assert result.trace.body == alone.trace.body
            assert result.cost.generated >= alone.cost.generated - alone.cost.wasted
        assert sum(result.cost.generated for result in results) == model.streamed

    @pytest.mark.parametrize("settings", [{}, {"k_stable": 2}])
    async def test_a_checkpointer_changes_nothing(self, settings: dict[str, Any]) -> None:
        def model() -> ScriptedModel:
            return ScriptedModel({BEGIN: "8 / 8 = 2 (left: 2 4 7)\n", NOTED: SOLVED})

        graph = interwhen.build().compile(checkpointer=InMemorySaver())
        config: Any = {"configurable": {"thread_id": "one", MODEL_KEY: model()}}
        context = interwhen.InterwhenSettings(**settings)
        output = await graph.ainvoke({"problem": PUZZLE}, config, context=context)
        plain = await solve(model(), **settings)
        assert output["result"]["answer"] == plain.answer
        assert output["result"]["status"] == "verified"
        state = (await graph.aget_state(config)).values
        assert state["operations"] == plain.operations
        assert _untimed(state["ledger"]) == _untimed(plain.ledger)
        assert state["judged"] == plain.judged
        json.dumps(state)

    async def test_a_thread_used_again_starts_afresh(self) -> None:
        graph = interwhen.build().compile(checkpointer=InMemorySaver())
        script = {BEGIN: "8 / 8 = 2 (left: 2 4 7)\n", NOTED: SOLVED}
        states = []
        for problem in (PUZZLE, PUZZLE, "1 1 1 1", PUZZLE):
            config: Any = {"configurable": {"thread_id": "1", MODEL_KEY: ScriptedModel(script)}}
            await graph.ainvoke({"problem": problem}, config)
            states.append((await graph.aget_state(config)).values)
        first, second, unsolvable, last = states
        for state in (second, last):
            assert state["result"]["status"] == "verified"
            for channel in ("operations", "judged", "corrections"):
                assert state[channel] == first[channel], channel
            assert _untimed(state["ledger"]) == _untimed(first["ledger"])
            assert not state.get("abstained")
        assert unsolvable["result"]["status"] == "abstained"
        assert unsolvable["ledger"] == {}
        assert unsolvable["operations"] == []

    async def test_a_run_without_a_context_has_the_defaults(self) -> None:
        model = ScriptedModel(SOLVED)
        config: Any = {"configurable": {MODEL_KEY: model}}
        output = await interwhen.graph.ainvoke({"problem": PUZZLE}, config)
        assert output["result"]["status"] == "verified"
        output = await interwhen.graph.ainvoke(
            {"problem": PUZZLE}, config, context={"step_verifier": False}
        )
        assert output["result"]["status"] == "verified"

    async def test_a_problem_may_bring_its_id_and_gold(self) -> None:
        given = {"text": PUZZLE, "id": "row-1", "gold": "anything"}
        result = await agentflow.asolve(given, model=ScriptedModel(SOLVED))
        assert (result.problem["id"], result.problem["gold"]) == ("row-1", "anything")


def _untimed(ledger: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {key: entry | {"seconds": 0, "until": 0} for key, entry in ledger.items()}


class TestBadInput:
    @pytest.mark.parametrize(
        ("problem", "method", "settings", "says"),
        [
            ("4 7 8", "interwhen", {}, "needs four numbers, got 3"),
            ("", "interwhen", {}, "the problem is empty"),
            (
                PUZZLE,
                "interwehn",
                {},
                "unknown method 'interwehn'; known: active_retrieval, adaptive_branching",
            ),
            (PUZZLE, "interwhen", {"domain": "chess"}, "unknown domain 'chess'"),
            (PUZZLE, "interwhen", {"prompt": "nowhere"}, "no prompt template nowhere/game24.md"),
            (PUZZLE, "interwhen", {"k_stable": -1}, "k_stable: Input should be greater than"),
            (PUZZLE, "direct", {"k_stable": 2}, "k_stable: no such setting"),
        ],
    )
    async def test_is_one_clear_line(
        self, problem: str, method: str, settings: dict[str, Any], says: str
    ) -> None:
        model = ScriptedModel(SOLVED)
        with pytest.raises(BadInput, match=re.escape(says)) as caught:
            await agentflow.asolve(problem, method, model=model, **settings)
        assert "\n" not in str(caught.value)
        assert model.requests == []

    async def test_an_unknown_model_is_named(self) -> None:
        with pytest.raises(BadInput, match="unknown model 'gpt-99'"):
            await agentflow.asolve(PUZZLE, model="gpt-99")


class TestStudio:
    ROOT = Path(__file__).parents[2]

    def test_langgraph_json_lists_every_method_and_each_imports(self) -> None:
        listed = json.loads((self.ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]
        assert set(listed) == {*METHODS, *VERIFIERS}
        for name, target in listed.items():
            path = target["path"] if isinstance(target, dict) else target
            place, attribute = path.rsplit(":", 1)
            module = place.removeprefix("./").removesuffix(".py").replace("/", ".")
            assert module.startswith("agentflow.")
            assert (
                getattr(import_module(module), attribute)
                is import_module({**METHODS, **VERIFIERS}[name]).graph
            )

    @pytest.mark.parametrize("module", [interwhen, baselines])
    def test_a_graph_names_itself_and_shows_its_settings(self, module: Any) -> None:
        schema = module.graph.get_context_jsonschema()
        assert {"model", "domain", "seed", "max_tokens"} <= set(schema["properties"])
        assert module.graph.name in METHODS
        assert module.graph.checkpointer is None  # the caller brings one

    def test_the_graph_reads_like_the_algorithm(self) -> None:
        edges = {(edge.source, edge.target) for edge in interwhen.graph.get_graph().edges}
        assert edges == {
            ("__start__", "prepare"),
            ("prepare", "solve"),
            ("prepare", "finish"),
            ("solve", "refine"),
            ("refine", "solve"),
            ("solve", "verify"),
            ("solve", "state_answer"),
            *(
                ("state_answer", after)
                for after in ("solve", "refine", "verify", "restart", "finish")
            ),
            ("solve", "finish"),
            ("verify", "finish"),
            ("solve", "restart"),
            ("verify", "restart"),
            ("restart", "solve"),
            ("finish", "__end__"),
        }


class TestRestarts:
    BAD = "8 / 8 = 2 (left: 2 4 7)\n"

    def model(self, attempts_that_fail: int) -> ScriptedModel:
        """Ends in a wrong answer as often as told, then solves the problem."""
        begun = [0]

        def script(_: str) -> str:
            begun[0] += 1
            return f"{self.BAD}</think>\n" if begun[0] <= attempts_that_fail else SOLVED

        return ScriptedModel(script)

    async def test_a_failed_attempt_is_cut_away_and_the_next_one_counts(self) -> None:
        result = await solve(self.model(1), max_corrections=0, restarts=1)
        assert (result.status, result.corrections) == ("verified", 0)
        assert result.trace.body == SOLVED
        assert result.cost.wasted == result.trace.wasted > 0
        assert result.cost.generated == result.trace.generated

    async def test_without_restarts_it_abstains(self) -> None:
        result = await solve(self.model(1), max_corrections=0)
        assert result.status == "abstained"

    async def test_restarts_are_bounded(self) -> None:
        model = self.model(100)
        result = await solve(model, max_corrections=0, restarts=3)
        assert (result.status, len(model.requests)) == ("abstained", 4)

    async def test_every_attempt_has_the_whole_budget_and_its_own_seed(self) -> None:
        model = ScriptedModel("hm " * 1000)
        result = await solve(model, solver_tokens=10, restarts=2)
        assert result.status == "exhausted"
        assert [request.max_tokens for request in model.requests] == [10, 10, 10]
        assert len({request.seed for request in model.requests}) == 3


@given(st.data())
def test_what_is_emitted_as_verified_is_right(
    is_right: Callable[[str, Sequence[int]], bool], data: st.DataObject
) -> None:
    """Right answers, damaged in some places, after right or damaged steps."""
    puzzle = data.draw(st.sampled_from(PUZZLES))
    reply = list(path_to_24(puzzle, wrong_at=data.draw(st.sampled_from([None, 0, 1, 2]))))
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(reply) - 1))
        reply[at] = data.draw(st.sampled_from([*"0123456789+-*/() =\n", "24", "", "</think>"]))
    again = path_to_24(puzzle, wrong_at=data.draw(st.sampled_from([None, 0])))
    model = ScriptedModel(lambda text: again if "Wait" in text else "".join(reply))
    settings = {
        "max_corrections": data.draw(st.integers(0, 2)),
        "k_stable": data.draw(st.sampled_from([0, 1])),
    }
    result = asyncio.run(solve(model, " ".join(map(str, puzzle)), **settings))
    if result.status == "verified":
        assert result.answer is not None
        assert is_right(result.answer, puzzle)
        steps = [one for one in result.judged if one["monitor"] == "step_verifier"]
        assert all(one["verdict"]["ok"] is not False or one["corrected"] for one in steps)
    elif result.status != "unverified":  # what stands beside the answer is not understood
        assert result.answer is None
    assert result.cost.generated == model.streamed
    assert result.cost.wasted == result.trace.wasted
    notes = result.trace.body.count("Wait, ") + result.trace.body.count("[verifier: ")
    assert notes == result.corrections
