from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow import domains, ledger
from agentflow.domains import DOMAINS, Game24
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable
from agentflow.models import Capabilities, Fault, ScriptedModel
from agentflow.models.metered import Metered
from agentflow.models.scripted import Reply
from agentflow.monitors import Context, Elicit, Increment, KStable, StepVerifier
from agentflow.monitors.probes import Prober
from agentflow.monitors.schedule import Schedule
from agentflow.nodes.elicit import _question
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.state import State
from agentflow.trace import Segment, Trace
from agentflow.verdict import Verdict

QWEN = PROFILES["qwen3"]
GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
ASKED = "place of the brackets"  # in every question, and nowhere else

RIGHT = "Available numbers: [4, 7, 8, 8]\nOperation: 8 / 8 = 1\nRemaining numbers: [1, 4, 7]\n"
WRONG = "Available numbers: [4, 7, 8, 8]\nOperation: 8 / 8 = 2\nRemaining numbers: [2, 4, 7]\n"
UNCLEAR = "Operation: eight over something = 1\n"
ANSWER = "Answer: (7 - 8 / 8) * 4 = 24\n"
PROSE = "eights over each other\nthat leaves a small one\nsevens come next\nand fours\n"
DONE = "</think>\n\\boxed{(7 - 8 / 8) * 4}"


class Unsure(Game24):
    """Tells of lines that it cannot read."""

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        if line == UNCLEAR:
            return memory, [State("step", {"claim": "unread", "text": line}, offset, offset)]
        return super().extract(problem, line, offset, memory)

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        if "text" in state.data:
            return self.unread(state.data["text"])
        return await super().verify_state(problem, state, earlier, hopeless=hopeless)


class World:
    """A reasoner that thinks in prose, and says where it stands when it is asked."""

    def __init__(self, *told: Reply, think: str = PROSE, **claims: Any) -> None:
        self.told, self.think, self.asked = list(told), think, 0
        self.model = ScriptedModel(self.reply, profile=QWEN, **claims)

    def reply(self, prompt: str) -> Reply:
        if ASKED in prompt:
            self.asked += 1
            return self.told[min(self.asked, len(self.told)) - 1]
        begun = prompt.rpartition("<think>\n")[2]
        if "</think>" in begun:
            return DONE.partition("</think>")[2]
        return f"so it is\n{DONE}" if begun else self.think + DONE

    def prompts(self, asked: bool) -> list[str]:
        texts = [self.model.text(one.prompt) for one in self.model.requests]  # type: ignore[arg-type]
        return [text for text in texts if (ASKED in text) is asked]

    async def solve(self, **settings: Any) -> agentflow.Result:
        return await agentflow.asolve(
            "4 7 8 8", "interwhen", model=self.model, **{"elicit": 2} | settings
        )


def judged(result: agentflow.Result) -> list[tuple[bool | None, str]]:
    found = [one for one in result.judged if one["monitor"] == "elicit"]
    return [(one["verdict"]["ok"], one["verdict"]["kind"]) for one in found]


class TestInARun:
    async def test_without_an_objection_the_stream_is_the_one_without_the_monitor(self) -> None:
        alone, watched = World(RIGHT), World(RIGHT)
        plain, result = await alone.solve(elicit=0), await watched.solve()
        main = [one for one in watched.model.requests if one.max_tokens != 512]
        assert main == alone.model.requests
        assert result.trace.text == plain.trace.text
        assert (result.status, result.answer) == (plain.status, plain.answer)
        assert judged(result) == [(True, ""), (True, "")]

    async def test_each_question_stands_behind_what_was_thought_so_far(self) -> None:
        world = World(RIGHT)
        await world.solve()
        begun = world.prompts(asked=False)[0]
        lines = PROSE.splitlines(keepends=True)
        for count, prompt in zip((2, 4), world.prompts(asked=True), strict=True):
            assert prompt.startswith(begun + "".join(lines[:count]) + "</think><|im_end|>")
        main, *questions = (one.prompt for one in world.model.requests)
        assert all(asked[: len(main)] == main for asked in questions)  # the prefix is cached

    async def test_a_wrong_state_leads_to_feedback_where_the_question_was_put(self) -> None:
        world = World(WRONG, RIGHT)
        result = await world.solve()
        (first, second) = world.prompts(asked=False)
        prose = "eights over each other\nthat leaves a small one\n"
        assert second == first + prose + PROFILES["qwen3"].note("8 / 8 is 1 , not 2")
        assert (result.status, result.corrections) == ("verified", 1)
        assert judged(result)[0] == (False, "arithmetic")

    async def test_what_it_costs_is_counted(self) -> None:
        world = World(RIGHT)
        result = await world.solve()
        found = ledger.by_role(result.ledger)
        assert (found["elicit"].calls, found["solver"].calls) == (2, 1)
        questions = [one for one in world.model.requests if one.max_tokens == 512]
        assert found["elicit"].prompt == sum(len(one.prompt) for one in questions)
        assert found["elicit"].generated > 20

    @pytest.mark.parametrize(
        ("told", "expected"),
        [
            ("all is right and verified, the step passes\n", (None, "unread")),
            ("none\n", (None, "unread")),
            ("", (None, "unread")),
            (UNCLEAR, (None, "unread")),
            (_question("game24", "qwen3"), (None, "unread")),
        ],
    )
    async def test_what_the_domain_cannot_judge_passes_nothing(
        self, told: str, expected: tuple[bool | None, str]
    ) -> None:
        result = await World(told).solve()
        assert judged(result) == [expected, expected]
        assert result.corrections == 0

    async def test_a_question_that_fails_is_no_objection(self) -> None:
        world = World([Fault(ModelUnavailable("nobody there"))], RIGHT)
        result = await world.solve()
        assert judged(result) == [(None, "probe"), (True, "")]
        assert result.status == "verified"

    async def test_the_lines_of_the_thinking_are_not_read_and_those_of_the_answer_are(self) -> None:
        world = World(RIGHT, think=PROSE + WRONG)
        script, answer = world.reply, f"</think>\n{RIGHT}{ANSWER}"
        world.model._script = lambda text: script(text) if ASKED in text else world.think + answer
        result = await world.solve()
        read = [one for one in result.judged if one["monitor"] == "step_verifier"]
        assert result.corrections == 0
        assert read
        assert all(one["answering"] for one in read)

    async def test_answers_are_left_unjudged_where_they_are_to_be(self) -> None:
        wrong = "Answer: 4 * 7 - 8 / 8 = 24\n"
        assert judged(await World(wrong).solve(max_corrections=0))[0][0] is False
        left = await World(wrong).solve(judge_answers=False)
        assert judged(left) == [(None, "unread"), (None, "unread")]

    async def test_paragraphs_may_be_counted_instead(self) -> None:
        world = World(RIGHT, think=f"{PROSE}\n{PROSE}\n{PROSE}")
        result = await world.solve(elicit=1, elicit_at="paragraph")
        begun = world.prompts(asked=False)[0]
        first, second = world.prompts(asked=True)
        assert first.startswith(f"{begun}{PROSE}\n</think>")
        assert second.startswith(f"{begun}{PROSE}\n{PROSE}\n</think>")
        assert judged(result) == [(True, ""), (True, "")]

    async def test_a_model_that_does_not_think_apart_is_asked_about_all_it_writes(self) -> None:
        told = iter((WRONG, RIGHT, RIGHT))

        def reply(prompt: str) -> str:
            if ASKED in prompt:
                return next(told)
            return DONE.partition("</think>")[2] if "[verifier" in prompt else PROSE

        model = ScriptedModel(reply, profile=PROFILES["llama-3.1-instruct"])
        result = await agentflow.asolve("4 7 8 8", "interwhen", model=model, elicit=2)
        assert "that leaves a small one\n[verifier: 8 / 8 is 1 , not 2." in result.trace.body
        assert (result.status, result.corrections) == ("verified", 1)
        assert {one["monitor"] for one in result.judged} == {"elicit"}


class TestStable:
    STOPS = {"step_verifier": False, "k_stable": 2}  # noqa: RUF012

    async def test_the_same_candidate_in_two_replies_ends_the_thinking(self) -> None:
        world = World(ANSWER, think=PROSE * 3)
        result = await world.solve(**self.STOPS)
        assert result.trace.body.startswith(f"{PROSE}</think>")
        assert result.answer is not None

    @pytest.mark.parametrize("told", [(ANSWER * 3 + RIGHT, RIGHT), ("none", ANSWER)])
    async def test_one_reply_is_one_statement(self, told: Sequence[str]) -> None:
        world = World(told[0], told[1])
        result = await world.solve(**self.STOPS)
        assert [one for one in judged(result) if one[0] is False] == []
        assert PROSE in result.trace.body

    async def test_a_reply_without_one_changes_nothing_and_another_one_does(self) -> None:
        other = "Answer: 8 * (4 - (8 - 7)) = 24\n"
        world = World(ANSWER, "none\n", ANSWER, think=PROSE * 2)
        stopped = await world.solve(**self.STOPS)
        assert stopped.trace.body.startswith(f"{PROSE}eights over each other\nthat leaves a small")
        world = World(ANSWER, other, ANSWER, other, think=PROSE * 2)
        assert PROSE * 2 in (await world.solve(**self.STOPS)).trace.body

    async def test_both_may_ask_in_one_question(self) -> None:
        world = World(RIGHT + ANSWER, think=PROSE * 3)
        result = await world.solve(k_stable=2)
        assert result.trace.body.startswith(f"{PROSE}</think>")
        assert world.asked == ledger.by_role(result.ledger)["elicit"].calls
        world = World(WRONG + ANSWER, RIGHT + ANSWER, think=PROSE * 3)
        assert "Wait, 8 / 8 is 1" in (await world.solve(k_stable=2)).trace.body


class TestRefused:
    @pytest.mark.parametrize("more", [{}, {"step_verifier": False, "k_stable": 2}])
    async def test_a_model_that_cannot_go_on_is_refused_before_the_first_token(
        self, more: dict[str, Any]
    ) -> None:
        world = World(RIGHT, capabilities=Capabilities(continues=False, exact_prefix=False))
        with pytest.raises(MissingCapability, match="continues"):
            await world.solve(**more)
        assert world.model.requests == []

    async def test_and_so_is_a_proxy(self) -> None:
        world, chat = World(RIGHT), Capabilities(continues=False, exact_prefix=False)
        proxy = ScriptedModel(RIGHT, capabilities=chat)
        roles: Any = {"solver": world.model, "proxy": proxy}
        with pytest.raises(MissingCapability, match="elicit asks the proxy"):
            await agentflow.asolve("4 7 8 8", "interwhen", model=roles, elicit=2, elicit_by="proxy")
        assert world.model.requests == proxy.requests == []

    async def test_a_domain_whose_states_nobody_describes(self) -> None:
        with pytest.raises(BadInput, match=r"no prompt template elicit/chess\.md"):
            _question("chess", "qwen3")


async def test_a_proxy_reads_the_problem_in_its_own_prompt() -> None:
    world = World(RIGHT)
    proxy = ScriptedModel(RIGHT, profile=PROFILES["deepseek-r1-distill"])
    roles: Any = {"solver": world.model, "proxy": proxy}
    result = await agentflow.asolve(
        "4 7 8 8", "interwhen", model=roles, elicit=4, elicit_by="proxy"
    )
    (asked,) = (proxy.text(one.prompt) for one in proxy.requests)  # type: ignore[arg-type]
    assert asked.startswith("<｜begin▁of▁sentence｜>")
    assert PROSE in asked
    assert ASKED in asked
    assert judged(result) == [(True, "")]


def test_questions_are_put_in_the_thinking_alone_or_everywhere_without_one() -> None:
    def places(apart: bool) -> list[int]:
        monitor = Elicit(PROBLEM, GAME, None, "", Schedule(at="line", every=2), apart=apart)  # type: ignore[arg-type]
        memory, found = monitor.start(), []
        for number, line in enumerate(("one\n", "\n", "two\n", "three\n", "four\n")):
            memory, states = monitor.feed(memory, Increment(line, 6 * number, 1, number > 2))
            found += [state.end for state in states]
        return found

    assert places(apart=True) == [16]
    assert places(apart=False) == [16, 29]


async def told(text: str, name: str = "", **more: Any) -> Verdict:
    """The verdict where a model tells ``text``."""
    domain = domains.get(name, {"search": "off"}) if name else Unsure()
    problem = domain.parse(domain.example)
    model = ScriptedModel([text], profile=QWEN)

    async def ask(role: str) -> Metered:
        return Metered(model, role, "here")

    trace = Trace([Segment("prompt", "Q").operation()])
    monitor = Elicit(
        problem,
        domain,
        Prober(ask, problem, domain),
        _question(domain.name, "qwen3"),
        Schedule(at="line"),
        StepVerifier(problem, domain, QWEN),
        KStable(problem, domain),
        **more,
    )
    return await monitor.verify(State("question"), Context(trace=lambda: trace))


async def test_a_line_that_the_budget_cut_short_is_not_read() -> None:
    whole = await told(RIGHT + WRONG)
    assert whole.ok is False
    short = await told(RIGHT + WRONG, tokens=len(RIGHT.split()) + 10)
    assert short.ok is not False
    assert "Remaining numbers: [1, 4, 7]\n" in short.evidence["reply"]


BARE: list[Callable[[str], str]] = [
    lambda line: line,
    lambda line: f"  {line}  ",
    lambda line: f"- {line}",
    lambda line: f"**{line}**",
    lambda line: line.replace("<", "").replace(">", ""),
    lambda line: line.replace("<", "[").replace(">", "]"),
    lambda line: line.replace("<", "...").replace(">", ""),
]


@pytest.mark.parametrize("name", list(DOMAINS))
@pytest.mark.parametrize("written", BARE)
async def test_the_question_repeated_is_no_verdict(
    name: str, written: Callable[[str], str]
) -> None:
    text = "\n".join(written(line) for line in _question(name, "qwen3").splitlines())
    assert (await told(text, name)).ok is None


@given(st.lists(st.sampled_from([RIGHT, WRONG, UNCLEAR, ANSWER, "none\n", "so\n", "<\n"])))
def test_it_passes_only_what_the_domain_passed(parts: list[str]) -> None:
    verdict = asyncio.run(told("".join(parts)))
    if WRONG in parts:
        assert verdict.ok is False
    elif UNCLEAR in parts or not {RIGHT, ANSWER} & set(parts):
        assert verdict.ok is None
    else:
        assert verdict.ok is True
