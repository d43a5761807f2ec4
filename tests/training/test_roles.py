"""Texts for the roles: the prompts that the running code sends, replies that it reads."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest
from context_limit import check_fit
from drawn import Drawn

import agentflow
from agentflow import prompts
from agentflow.domains.game24 import Game24, judge_answer
from agentflow.evaluation.datasets import held_out
from agentflow.models import ScriptedModel, Token
from agentflow.models.metered import Metered
from agentflow.models.model import segment
from agentflow.monitors.probes import Prober
from agentflow.profile import Piece
from agentflow.trace import Trace
from agentflow.verifiers import DomainVerifier, FlexiVe, parse
from training import flawed, game24, mistakes, roles
from training.game24 import Part
from training.here import domain

DOMAIN = Game24()
ROLES: dict[str, Callable[..., Iterator[list[Part]]]] = {
    "completeness": roles.completeness,
    "fast": partial(roles.critic, stage="fast"),
    "slow": partial(roles.critic, stage="slow"),
    "retry": roles.retry,
}


@cache
def source(role: str, held_out: bool) -> Drawn[list[Part]]:
    return Drawn(ROLES[role](3, held_out=held_out))


def texts(role: str, count: int = 60, held_out: bool = False) -> list[list[Part]]:
    return source(role, held_out).first(count)


def puzzles(role: str, count: int = 60, held_out: bool = False) -> dict[str, list[Part]]:
    """The texts that ask about a puzzle, by the puzzle."""
    found = dict[str, list[Part]]()
    for parts in texts(role, count, held_out=held_out):
        line = parts[0].text.split("\n")[1].removesuffix("<|im_end|>")
        if asked := re.fullmatch(r"(?:\w+: )+(\d+ \d+ \d+ \d+)", line):
            found[asked[1]] = parts
    return found


EXAMPLES = Drawn(mistakes.examples(5))


def examples(count: int = 300) -> list[mistakes.Example]:
    return EXAMPLES.first(count)


async def test_labels_are_the_domain_verifiers() -> None:
    for one in examples():
        verdict = await DomainVerifier(DOMAIN).verify(one.problem, one.steps)
        wrong = -1 if verdict.first_wrong_step is None else verdict.first_wrong_step
        assert (one.wrong, one.reason) == (wrong, verdict.reason)
        assert verdict.ok is (one.wrong == -1)


def test_examples_are_of_many_kinds() -> None:
    labels = Counter(one.wrong for one in examples(600))
    assert 250 < labels[-1] < 350
    assert all(labels[index] >= 10 for index in (0, 1, 3))
    assert labels[0] < 200  # the first step is not most of the wrong ones
    wrong = [one for one in examples() if one.wrong >= 0]
    ended_wrong = [one for one in wrong if not right_answer(one)]
    assert 0.2 < len(ended_wrong) / len(wrong) < 0.9


def right_answer(one: mistakes.Example) -> bool:
    answer = DOMAIN.answer("".join(one.steps))
    assert answer is not None
    return judge_answer(one.problem, DOMAIN.shown(answer)).ok is True


@pytest.mark.parametrize("role", ROLES)
def test_held_out_puzzles_stay_held_out(role: str) -> None:
    held = set(held_out())
    assert not puzzles(role).keys() & held
    assert len(puzzles(role, 40, held_out=True).keys() & held) > 5
    assert puzzles(role, 40, held_out=True).keys() <= held


@pytest.mark.parametrize("role", ROLES)
def test_texts_depend_on_the_seed_alone(role: str) -> None:
    assert texts(role, 10) == list(islice(ROLES[role](3, held_out=False), 10))
    assert texts(role, 10) != list(islice(ROLES[role](4, held_out=False), 10))


@pytest.mark.parametrize("role", ROLES)
def test_only_replies_are_learned(role: str) -> None:
    for first, *rest in texts(role):
        assert not first.learn
        assert rest[-1].learn
        assert rest[-1].text.endswith("<|im_end|>")


@pytest.mark.parametrize("stage", ["fast", "slow"])
def test_what_a_critic_learns_is_the_label(stage: str) -> None:
    source = flawed.examples(3)
    for prompt, reply in texts(stage):
        one = next(e for e in source if roles.critic_prompt(e, stage) == prompt.text)  # type: ignore[arg-type]
        said = reply.text.removesuffix("<|im_end|>").rpartition("</think>")[2]
        critique = parse(said, len(one.steps))
        assert (critique.index, critique.feedback) == (one.wrong, one.reason or "right")
        assert ("</think>" in reply.text) is (stage == "slow")


def test_a_slow_reading_goes_through_the_steps_up_to_the_wrong_one() -> None:
    for one in [*examples(100), *islice(flawed.examples(6), 100)]:
        lines = roles.thought(one).splitlines()
        headers = [int(line.removesuffix(" :")) for line in lines if line.endswith(" :")]
        assert headers == sorted(set(headers))
        if one.wrong >= 0:
            assert headers[-1] == one.wrong
            assert lines[-1].endswith(f" {one.reason}")


def test_complete_is_where_a_right_solution_stands() -> None:
    found = Counter(reply.text for _, reply in texts("completeness", 400))
    assert found == {"Yes<|im_end|>": 200, "No<|im_end|>": 200}
    claimed = 0
    for numbers, (prompt, reply) in puzzles("completeness", 400).items():
        thinking = prompt.text.split("<think>\n")[1].split("</think>")[0]
        said = [line for line in thinking.splitlines() if line.startswith("Answer: ")]
        answer = DOMAIN.answer(said[-1]) if said else None  # a check may come behind it
        right = answer is not None and judge_answer(DOMAIN.parse(numbers), answer).ok is True
        if reply.text.startswith("Yes"):
            assert right
        else:
            claimed += answer is not None
    assert claimed > 5  # a wrong solution is none


def test_a_right_thought_is_complete_at_its_end_and_not_before_its_answer() -> None:
    seen = Counter[str]()
    for problem, answer, thinking in islice(roles.thoughts(random.Random(2)), 160):
        if answer is None:
            continue
        said = domain(problem.domain).answer(thinking)
        complete = roles.is_complete(problem, answer, thinking)
        assert complete is (said is not None and domain(problem.domain).shown(said) == answer)
        assert not roles.is_complete(problem, answer, thinking.partition("Answer: ")[0])
        seen[f"{problem.domain} {complete}"] += 1
    assert len(seen) == 10


def test_the_last_claim_says_whether_it_is_complete() -> None:
    problem = DOMAIN.parse("4 7 8 8")
    right = "Answer: ( 7 - ( 8 / 8 ) ) * 4 = 24\n"
    wrong = "Answer: ( 7 + ( 8 / 8 ) ) * 4 = 24\n"
    cases = {"": False, right: True, wrong: False, wrong + right: True, right + wrong: False}
    assert {text: roles.is_complete(problem, None, text) for text in cases} == cases


async def test_the_completeness_prompt_is_the_probers() -> None:
    model = ScriptedModel([Token("Yes", None, -0.1, (("Yes", -0.1), ("No", -2.4)))])
    for problem, _, thinking in islice(roles.thoughts(random.Random(1)), 16):
        system, user = prompts.for_problem("interwhen", problem, model.profile)
        trace = Trace()
        trace.append(await segment(model, "prompt", model.profile.render(user, system)))
        trace.append(await segment(model, "feedback", [Piece(thinking)]))
        await Prober(asker(model), problem, domain(problem.domain)).completeness(trace)
        assert sent(model) == roles.completeness_prompt(problem, thinking)


@pytest.mark.parametrize("stage", ["fast", "slow"])
async def test_the_critics_prompt_is_flexives(stage: str) -> None:
    model = ScriptedModel("\\boxed{-1}")
    for one in islice(flawed.examples(7), 20):
        await FlexiVe(asker(model), stage, 1).verify(one.problem, one.steps)  # type: ignore[arg-type]
        assert sent(model) == roles.critic_prompt(one, stage)  # type: ignore[arg-type]


async def test_prompts_in_a_run_are_those_learned() -> None:
    one = next(e for e in examples() if e.wrong == 0 and len(e.steps) == 1)
    thinking, _, answer = one.steps[0].rpartition("\n\n")
    reply = f"{one.reason}\n\\boxed{{0}}"
    verified = roles.critic_prompt(one, "fast")
    retried = roles.retry_prompt(one)

    def script(prompt: str) -> str:
        if prompt == verified:
            return reply
        return f"{thinking}</think>\n{answer}" if prompt.endswith("<think>\n") else "\\boxed{-1}"

    model = ScriptedModel(script)
    settings: dict[str, Any] = {"detect": False, "k": 1, "ladder": ["fast"], "iterations": 2}
    await agentflow.asolve(one.problem.text, "solve_detect_verify", model=model, **settings)
    asked = [model.text(request.prompt) for request in model.requests]  # type: ignore[arg-type]
    first = game24.prompt(tuple(one.problem.data["numbers"]))
    assert asked[:3] == [first, verified, retried]


def asker(model: ScriptedModel) -> Callable[[str], Awaitable[Metered]]:
    async def ask(role: str) -> Metered:
        return Metered(model, role, "0")

    return ask


def sent(model: ScriptedModel) -> str:
    """The last prompt."""
    prompt = model.requests[-1].prompt
    assert not isinstance(prompt, str)
    return model.text(prompt)


@pytest.mark.slow
async def test_every_text_fits_the_context() -> None:
    await check_fit(parts for role in ROLES for parts in texts(role, 40))
