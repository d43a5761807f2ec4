"""verified_sampling: its loop, feedback, majority, what it never gives out, threads."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legs import IDS, TEXTS, Killed, told

import agentflow
from agentflow import Result
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable
from agentflow.graphs import VERIFIERS
from agentflow.models import Capabilities, Delay, Fault, ScriptedModel
from agentflow.models.scripted import Reply
from agentflow.nodes.judges import Judge
from agentflow.profile import Piece

PUZZLE = "4 7 8 8"
ANSWERS = [
    "(7 - 8 / 8) * 4",
    "4 * (7 - 8 / 8)",  # the same
    "8 + 8 + 7 + 4",  # not 24
    "8 + 8 + 7 - 4",  # nor this
]
PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"


class World:
    """A solver and a vanilla verifier in one model; plays what each is to say.

    Args:
        answers: Index of the answer of each sample; None for a text without one.
        verdicts: Of each sample: True, False, or None for a reply that cannot be read.
    """

    def __init__(
        self, answers: Sequence[int | None] = (), verdicts: Sequence[bool | None] = ()
    ) -> None:
        self.answers, self.verdicts = list(answers), list(verdicts)
        self.solving: list[str] = []
        self.judging: list[str] = []
        self.model = ScriptedModel(self.reply)

    def reply(self, prompt: str) -> Reply:
        if "user\ncorrect: " in prompt:
            return self.judge(prompt)
        if prompt.endswith("\\boxed{"):  # asked to state its answer
            return "I do not know"
        self.solving.append(prompt)
        number = self.answers[len(self.solving) - 1]
        said = "I do not know" if number is None else f"Answer: {ANSWERS[number]} = 24"
        return f"{PATH}</think>\n{said}"

    def judge(self, prompt: str) -> Reply:
        self.judging.append(prompt)
        said = self.verdicts[len(self.solving) - 1]
        if said is None:
            return "hm"
        return json.dumps({"reason": f"flaw {len(self.solving)}", "correct": said})

    async def solve(self, **given: Any) -> Result:
        given = {"judge_answers": given.get("verifier", "domain") == "domain"} | given
        return await agentflow.asolve(PUZZLE, "verified_sampling", model=self.model, **given)


def calls(result: Result) -> dict[str, int]:
    """Calls by role."""
    found: Counter[str] = Counter()
    for entry in result.ledger.values():
        found[entry["role"]] += entry["calls"]
    return dict(found)


class TestLoop:
    async def test_the_first_that_passes_ends_it(self) -> None:
        result = await World([2, 3, 0, 0]).solve(verifier="domain")
        assert (result.status, result.answer) == ("verified", ANSWERS[0])
        assert result.reason == "by game24; sample 3"
        assert [one["branch"] for one in result.samples] == [0, 1, 2]
        assert [one["verdict"]["ok"] for one in result.samples] == [False, False, True]
        assert calls(result) == {"solver": 3}
        assert ANSWERS[0] in result.trace.body

    async def test_a_model_s_word_is_accepted(self) -> None:
        result = await World([2, 0], [False, True]).solve(verifier="vanilla")
        assert (result.status, result.answer) == ("accepted", ANSWERS[0])
        assert result.reason == "by vanilla; sample 2"
        assert calls(result) == {"solver": 2, "verifier": 2}

    async def test_at_n_the_majority_answers_for_what_it_is_worth(self) -> None:
        result = await World([2, 0, 3, 1, 2, 0], [False] * 6).solve(verifier="vanilla", n=6)
        assert (result.status, result.answer) == ("unverified", ANSWERS[0])
        assert result.reason.startswith(
            "none of 6 samples passed; majority 3 of 6: rejected by vanilla"
        )
        assert not result.judged_answer
        assert ANSWERS[0] in result.trace.body

    async def test_what_the_domain_refuted_is_never_given(self) -> None:
        result = await World([3, 2, 2]).solve(verifier="domain", n=3)
        assert (result.status, result.answer, result.candidate) == ("abstained", None, ANSWERS[2])
        assert result.reason.startswith("none of 3 samples passed; the last: rejected by game24")
        assert result.judged_answer

    @pytest.mark.parametrize("verifier", ["verifiagent", "backward"])
    async def test_what_is_judged_is_the_answer_that_is_given(self, verifier: str) -> None:
        asked: list[str] = []

        def reply(prompt: str) -> Reply:
            asked.append(prompt)
            return f"So \\boxed{{{ANSWERS[0]}}}\n</think>\nAnswer: {ANSWERS[2]}\n"

        given: dict[str, Any] = {"verifier": verifier, "meta": False, "driver": "domain", "n": 1}
        result = await agentflow.asolve(
            PUZZLE, "verified_sampling", model=ScriptedModel(reply), **given
        )
        assert result.status != "accepted"
        evidence = json.dumps(result.samples[0]["verdict"]) + "".join(asked[1:2])
        assert ANSWERS[0] not in evidence

    async def test_a_later_sample_whose_server_is_gone_leaves_the_earlier_ones(self) -> None:
        said = iter([f"{PATH}</think>\nAnswer: 12\n"])
        model = ScriptedModel(lambda _: next(said, [Fault(ModelUnavailable("gone"))]))
        given: dict[str, Any] = {"domain": "math", "retries": 0, "n": 2}
        question = "How many eggs are in 3 boxes of 4?"
        result = await agentflow.asolve(question, "verified_sampling", model=model, **given)
        assert (result.status, result.answer) == ("unverified", "12")
        assert [one["error"] for one in result.samples] == ["", "gone"]

    async def test_nor_is_what_stands_in_a_text_that_was_cut_short(self) -> None:
        world = World([2, 2])
        said = f"</think>\nAnswer: {ANSWERS[0]} = 24\n"
        world.model._script = f"{said}Done. Let me see once more"
        tokens = len(await world.model.tokenize([Piece(said)]))
        result = await world.solve(verifier="domain", n=2, solver_tokens=tokens)
        assert (result.status, result.answer, result.candidate) == ("exhausted", None, ANSWERS[0])

    async def test_nor_is_what_nobody_answered(self) -> None:
        result = await World([None, None]).solve(verifier="domain", n=2)
        assert (result.status, result.answer, result.candidate) == ("exhausted", None, None)
        assert "no answer found" in result.reason

    async def test_a_verdict_that_cannot_tell_is_no_pass(self) -> None:
        result = await World([0, 2, 0], [None, None, True]).solve(verifier="vanilla")
        assert (result.status, len(result.samples)) == ("accepted", 3)
        assert result.samples[0]["reason"].startswith("not decided by vanilla: ")
        assert calls(result) == {"solver": 3, "verifier": 5}  # the two are asked once more

    async def test_no_two_requests_share_a_seed(self) -> None:
        world = World([2] * 4, [False] * 4)
        await world.solve(verifier="vanilla", n=4)
        assert len({request.seed for request in world.model.requests}) == 8

    async def test_each_sample_has_the_whole_budget_of_tokens(self) -> None:
        result = await World([2, 0]).solve(verifier="domain", n=2)
        spent = max(entry["generated"] for entry in result.ledger.values())
        again = await World([2, 0]).solve(verifier="domain", n=2, solver_tokens=spent + 1)
        assert again.status == "verified"
        short = await World([2, 0]).solve(verifier="domain", n=2, solver_tokens=5)
        assert (short.status, len(short.samples)) == ("exhausted", 2)
        assert short.reason.endswith("the budget of 5 tokens is spent, with no answer yet")

    @pytest.mark.usefixtures("virtual_time")
    async def test_all_samples_share_the_time(self) -> None:
        world = World([2, 2, 2, 2])
        reply = world.reply
        world.model._script = lambda prompt: [Delay(0.3), str(reply(prompt))]
        result = await world.solve(verifier="domain", n=4, timeout=0.45)
        assert [one["error"] for one in result.samples] == [""] * 2  # the others are not begun
        assert [one["candidate"] for one in result.samples] == [ANSWERS[2], None]
        assert len(world.solving) == 2

    async def test_events_say_whose_they_are(self) -> None:
        events: list[dict[str, Any]] = []
        result = await World([2, 0]).solve(verifier="domain", on_event=events.append)
        assert {e.get("branch", 0) for e in events if e["type"] == "token"} == {0, 1}
        assert {e.get("branch", 0) for e in events if e["type"] == "verdict"} == {0, 1}
        assert {k for e in events if e["type"] == "usage" for k in e["entries"]} == set(
            result.ledger
        )

    async def test_a_problem_without_an_answer_is_declined(self) -> None:
        world = World()
        result = await agentflow.asolve("1 1 1 1", "verified_sampling", model=world.model)
        assert (result.status, world.model.requests) == ("abstained", [])

    @pytest.mark.parametrize("bad", [{"n": 0}, {"verifier": "prayer"}, {"feedback": "x"}])
    async def test_settings_that_are_none(self, bad: dict[str, Any]) -> None:
        with pytest.raises(BadInput, match=f"settings of verified_sampling: {next(iter(bad))}"):
            await World().solve(**bad)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([None, 0, 1, 2, 3]), st.sampled_from([True, False, None])),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["domain", "vanilla"]),
    st.sampled_from(["sample", "precaution", "post_editing"]),
)
def test_the_loop_is_what_the_paper_says(
    plays: list[tuple[int | None, bool | None]], verifier: str, feedback: str
) -> None:
    """Against a plain loop over what is played."""
    answers, verdicts = [a for a, _ in plays], [v for _, v in plays]
    passes = [
        answer is not None and (answer < 2 if verifier == "domain" else verdict is True)
        for answer, verdict in plays
    ]
    world, n = World(answers, verdicts), len(plays)
    result = asyncio.run(world.solve(verifier=verifier, feedback=feedback, n=n))
    taken = passes.index(True) + 1 if True in passes else n
    assert len(result.samples) == len(world.solving) == taken
    if True in passes:
        said = answers[taken - 1]
        assert said is not None
        assert result.answer == ANSWERS[said]
        assert result.status == ("verified" if verifier == "domain" else "accepted")
        return
    given_ = [0 if answer == 1 else answer for answer in answers if answer is not None]
    if verifier == "domain" or not given_:
        refuted = "abstained" if given_ else "exhausted"
        assert (result.status, result.answer) == (refuted, None)
        return
    most = Counter(given_).most_common(1)[0]
    assert result.status == "unverified"
    of_several = f"none of {n} samples passed; majority {most[1]} of {n}: "
    assert result.reason.startswith(of_several) is (n > 1)
    assert result.reason.removeprefix(of_several)  # why the sample itself did not pass
    assert result.answer is not None
    place = ANSWERS.index(result.answer)
    assert Counter(given_)[0 if place == 1 else place] == most[1]


class TestFeedback:
    REASON = "( ( 8 + 8 ) + 7 ) + 4 is 27 , not 24"

    async def second(self, **given: Any) -> tuple[str, Result]:
        """The prompt of the second sample, behind a rejected first one."""
        world = World([2, 0], [False, True])
        result = await world.solve(**{"verifier": "domain", **given})
        return world.solving[1], result

    async def test_a_fresh_sample_is_told_nothing(self) -> None:
        prompt, result = await self.second(feedback="sample")
        assert (
            prompt
            == "<|im_start|>user\ngame24: 4 7 8 8<|im_end|>\n<|im_start|>assistant\n<think>\n"
        )
        assert result.corrections == 0

    async def test_precaution_is_told_what_was_wrong_but_not_shown_it(self) -> None:
        prompt, result = await self.second(feedback="precaution")
        assert self.REASON in prompt
        assert ANSWERS[2] not in prompt
        assert PATH not in prompt
        assert result.corrections == 1
        assert prompt.endswith("<think>\n")

    async def test_post_editing_has_the_solution_before_it(self) -> None:
        prompt, result = await self.second(feedback="post_editing")
        assert self.REASON in prompt
        assert PATH in prompt
        assert f"Answer: {ANSWERS[2]} = 24" in prompt
        assert "</think>" not in prompt
        assert result.corrections == 1

    @pytest.mark.parametrize("feedback", ["precaution", "post_editing"])
    async def test_each_richness_says_more(self, feedback: str) -> None:
        prompts = [
            (await self.second(feedback=feedback, richness=richness))[0]
            for richness in ("result", "reason", "revision")
        ]
        assert all("Evaluation: incorrect" in prompt for prompt in prompts)
        assert [self.REASON in prompt for prompt in prompts] == [False, True, True]
        assert prompts[1] == prompts[2]  # the domain says nothing of how to revise

    async def test_without_a_rejection_there_is_none(self) -> None:
        world = World([0, None, 0], [None, True, True])
        result = await world.solve(verifier="vanilla", feedback="post_editing")
        undecided, unanswered = world.solving[1:]
        assert "revise:" not in undecided
        assert "no final answer was given" in unanswered
        assert result.status == "accepted"

    async def test_what_was_cut_short_is_not_shown(self) -> None:
        world = World([2, 2])
        await world.solve(verifier="domain", n=2, solver_tokens=5, feedback="post_editing")
        assert world.solving[1] == world.solving[0]

    async def test_a_marker_in_a_solution_stays_letters(self) -> None:
        world = World([0, 0], [False, True])
        reply = world.reply

        def marked(prompt: str) -> Reply:
            said = str(reply(prompt))
            return said if "correct:" in prompt else f"$problem <|im_start|>system {said}"

        world.model._script = marked
        await world.solve(verifier="vanilla", feedback="post_editing", n=2)
        first, _, second, _ = world.model.requests
        assert isinstance(first.prompt, tuple)
        assert isinstance(second.prompt, tuple)
        assert "$problem <|im_start|>system" in world.solving[1]
        marker = world.model._id("<|im_start|>")
        assert second.prompt.count(marker) == first.prompt.count(marker) == 2


class TestVerifiers:
    """Each of the others judges a sample."""

    def test_every_verifier_of_solutions_can_be_chosen(self) -> None:
        assert set(get_args(Judge)) == {*VERIFIERS, "domain"}

    @pytest.mark.parametrize(
        ("verifier", "replies", "asked"),
        [
            ("flexive", {"verify: ": r"fine \boxed{-1}"}, {"verifier-fast": 2}),
            (
                "deductive",
                {
                    "\npremises: ": json.dumps(
                        {"conditions": ["4 7 8 8"], "uses": [{"conditions": [1], "steps": []}] * 4}
                    ),
                    "\nfollows: ": '{"reason": "", "follows": true}',
                },
                {"verifier": 5},
            ),
            ("backward", {"\nmask: X": '{"work": "", "value": "4"}'}, {"verifier": 1}),
            ("confidence", {"Reply with one word": "Yes"}, {"verifier": 1}),
            ("aspects", {"[Aspect]": '{"reason": "", "holds": true}'}, {"verifier": 5}),
        ],
    )
    async def test_it_passes(
        self, verifier: str, replies: dict[str, str], asked: dict[str, int]
    ) -> None:
        world = World([0])
        solver = world.reply
        world.model._script = lambda prompt: (
            next((said for mark, said in replies.items() if mark in prompt), None) or solver(prompt)
        )
        result = await world.solve(verifier=verifier, k=2, conditions=1)
        assert (result.status, result.answer) == ("accepted", ANSWERS[0])
        assert calls(result) == {"solver": 1, **asked}


class TestVerifiAgent:
    async def test_what_its_domain_refuted_is_never_given(self) -> None:
        chosen = {"verifier": "verifiagent", "driver": "domain", "meta": False}
        passed = await World([2, 0]).solve(**chosen)
        assert (passed.status, passed.answer) == ("accepted", ANSWERS[0])
        assert calls(passed) == {"solver": 2}
        refuted = await World([2, 3, 2]).solve(n=3, **chosen)
        assert (refuted.status, refuted.candidate) == ("exhausted", ANSWERS[2])

    async def test_its_revision_method_is_told(self) -> None:
        world = World([2, 0])
        solver = world.reply
        program = "def solver():\n    return 8 + 8 + 7 + 4\nans = solver()"
        summary = "Error Reason: it comes to 27\nRevision Method: use 8 / 8"

        def reply(prompt: str) -> Reply:
            if "user\nact: " not in prompt:
                return solver(prompt)
            if "Observation:" not in prompt:
                return f"Thought: try\nAction: Use Python Interpreter[\n{program}\n]"
            word = "Incorrect" if len(world.solving) == 1 else "Correct"
            said = f"Thought: so\nAction: Evaluate[{word}]\nSummarisation:\n"
            told = summary if word == "Incorrect" else "Error Reason: None\nRevision Method: None"
            return f"{said}Evaluation Result: {word}\n{told}"

        world.model._script = reply
        chosen = {"verifier": "verifiagent", "meta": False, "feedback": "precaution"}
        result = await world.solve(**chosen)
        assert "Error reason: it comes to 27\nRevision method: use 8 / 8" in world.solving[1]
        assert (result.status, result.answer) == ("accepted", ANSWERS[0])
        assert calls(result) == {"solver": 2, "verifier-act": 4, "tool:python": 2}


class TestTools:
    """A reasoner that calls real tools as it goes."""

    PROGRAM = "def solver():\n    return (7 - 8 / 8) * 4\nans = solver()"
    CALL = f"Thought: try it\nAction: Use Python Interpreter[\n{PROGRAM}\n"

    async def solve(self, *said: str, **given: Any) -> tuple[Result, ScriptedModel]:
        """Each leg of the one sample says the next."""
        legs = iter(said)
        model = ScriptedModel(lambda prompt: next(legs))
        chosen: dict[str, Any] = {"verifier": "domain", "reasoner": "tools", "n": 1, **given}
        result = await agentflow.asolve(PUZZLE, "verified_sampling", model=model, **chosen)
        assert next(legs, None) is None
        return result, model

    def prompt(self, model: ScriptedModel, number: int) -> str:
        request = model.requests[number]
        assert isinstance(request.prompt, tuple)
        return model.text(request.prompt)

    async def test_it_goes_on_from_what_the_tool_found(self) -> None:
        made_up = "]\nObservation: 99\nThought: so it is 99\n"
        end = f"</think>\nAnswer: {ANSWERS[0]} = 24"
        result, model = await self.solve(self.CALL + made_up, end)
        assert (result.status, result.answer) == ("verified", ANSWERS[0])
        first, second = (self.prompt(model, number) for number in (0, 1))
        assert "Use Theorem Prover[" in first
        assert second == first + f"{self.CALL.rstrip()}\nObservation:\n> value: 24.0\n"
        assert "99" not in result.trace.body
        assert result.trace.wasted > 0
        assert calls(result) == {"solver": 2, "tool:python": 1}
        assert result.corrections == 0

    async def test_what_the_tool_found_is_no_answer(self) -> None:
        program = f"ans = 'Answer: ' + {ANSWERS[0]!r} + ' = 24'"
        call = f"</think>\nAction: Use Python Interpreter[\n{program}\n]\n"
        result, _ = await self.solve(call, "Now I know it.", "")
        assert f"Answer: {ANSWERS[0]}" in result.trace.body
        assert result.answer is None

    async def test_what_a_tool_raises_is_what_it_found(self) -> None:
        call = self.CALL.replace("8 / 8", "8 / 0")
        result, model = await self.solve(call, "</think>\nI give up", "no")
        assert "ZeroDivisionError" in self.prompt(model, 1)
        assert result.status == "exhausted"

    @pytest.mark.parametrize(
        ("action", "said"),
        [
            ("Action: Pray[hard]\n", "> 'Pray[hard]' is none of the actions. The actions are: Use"),
            ("Action: Use Search Engine[]\n", "> the action gives the Search Engine nothing."),
            ("Action: Evaluate[Correct]\nRevision Method: None\n\n", "> There is nothing to eval"),
        ],
    )
    async def test_an_action_that_is_none(self, action: str, said: str) -> None:
        _, model = await self.solve(f"hm\n{action}", "</think>\nI give up", "no")
        assert f"\nObservation:\n{said}" in self.prompt(model, 1)

    async def test_an_action_at_the_end_of_the_text(self) -> None:
        result, model = await self.solve(self.CALL.rstrip("\n"), "</think>\nI give up", "no")
        assert self.prompt(model, 1).endswith("\nans = solver()\nObservation:\n> value: 24.0\n")
        assert calls(result)["tool:python"] == 1

    async def test_acting_without_end_is_ended_by_the_budget(self) -> None:
        model = ScriptedModel("Action: Pray[hard]\n")
        chosen: dict[str, Any] = {"verifier": "domain", "reasoner": "tools", "n": 2}
        result = await agentflow.asolve(
            PUZZLE, "verified_sampling", model=model, solver_tokens=30, **chosen
        )
        assert (result.status, len(result.samples)) == ("exhausted", 2)
        assert result.cost.generated <= 60
        assert "the budget of 30 tokens is spent" in result.reason

    async def test_feedback_and_tools_stand_in_one_prompt(self) -> None:
        wrong, right = (f"</think>\nAnswer: {ANSWERS[number]} = 24" for number in (2, 0))
        result, model = await self.solve(wrong, right, n=2, feedback="post_editing")
        prompt = self.prompt(model, 1)
        assert prompt.index("revise:") < prompt.index("is 27 , not 24") < prompt.index("Use Search")
        assert (result.status, result.corrections) == ("verified", 1)

    async def test_a_model_that_cannot_go_on_is_refused(self) -> None:
        model = ScriptedModel("", capabilities=Capabilities(continues=False))
        with pytest.raises(MissingCapability, match="continues"):
            await agentflow.asolve(PUZZLE, "verified_sampling", model=model, reasoner="tools")
        assert model.requests == []


class Mortal(ScriptedModel):
    """Gives the third sample the right answer, told of the others; dies behind some tokens.

    What it says depends on its prompt alone.
    """

    def __init__(self, lives: int = 10**6) -> None:
        super().__init__(self.reply)
        self._ids, self._texts = IDS, TEXTS  # a server's ids outlive the client's process
        self.lives = lives

    def reply(self, prompt: str) -> Reply:
        answer = 3 if "is 27 , not 24" in prompt else 0 if "is 19 , not 24" in prompt else 2
        said = f"{PATH}</think>\nAnswer: {ANSWERS[answer]} = 24"
        begun = prompt.partition("<think>\n")[2]
        assert said.startswith(begun), "asked to go on from what it did not say"
        return said[len(begun) :]

    async def stream(self, request: Any) -> Any:
        async with aclosing(super().stream(request)) as items:
            async for item in items:
                if self.streamed > self.lives:
                    raise Killed
                yield item


class TestThreads:
    async def test_a_run_goes_on_where_its_verifier_fell_away(self, tmp_path: Path) -> None:
        world, gone = World([2, 0], [False, True]), True
        judge, failed = world.judge, list[str]()

        def broken(prompt: str) -> Reply:
            if not (gone and len(world.solving) == 2):
                return judge(prompt)
            failed.append(prompt)
            return [Fault(ModelUnavailable("gone"))]

        world.judge = broken  # type: ignore[method-assign]
        where = {"checkpoints": tmp_path / "t.sqlite"}
        with pytest.raises(ModelUnavailable):
            await world.solve(verifier="vanilla", feedback="precaution", thread="t", **where)
        gone = False
        result = await agentflow.aresume("t", model=world.model, **where)
        assert (result.status, len(result.samples)) == ("accepted", 2)
        assert len(world.solving) == 2
        assert failed
        assert calls(result) == {"solver": 2, "verifier": 2 + len(failed)}

    async def test_a_thread_used_again_begins_anew(self, tmp_path: Path) -> None:
        where: dict[str, Any] = {"checkpoints": tmp_path / "t.sqlite", "thread": "t"}
        first = await World([2, 0]).solve(verifier="domain", **where)
        again = await World([3, 3, 3]).solve(verifier="domain", n=3, **where)
        assert (first.status, again.status) == ("verified", "abstained")
        assert (len(again.samples), again.candidate) == (3, ANSWERS[3])
        assert calls(again) == {"solver": 3}

    @settings(max_examples=12)
    @given(st.integers(5, 120), st.sampled_from(["precaution", "post_editing"]))
    def test_killed_again_and_again_it_is_the_same(self, lives: int, feedback: str) -> None:
        chosen: dict[str, Any] = {"verifier": "domain", "feedback": feedback, "n": 3}

        async def run(model: Mortal, kills: int, **at: Any) -> Result:
            if kills:
                return await agentflow.aresume(model=model, **at)
            return await agentflow.asolve(PUZZLE, "verified_sampling", model=model, **at, **chosen)

        plain = asyncio.run(run(Mortal(), 0))
        assert (plain.status, plain.corrections, len(plain.samples)) == ("verified", 1, 3)
        kills, result = 0, None
        with TemporaryDirectory() as folder:
            at = {"thread": "t", "checkpoints": Path(folder) / "t.sqlite"}
            while result is None:
                try:
                    result = asyncio.run(run(Mortal(lives), kills, **at))
                except Killed:
                    kills += 1
                assert kills < 100
        assert told(result, sums=False) == told(plain, sums=False)
        assert result.cost.generated == plain.cost.generated
