"""Texts for the baseline verifiers: the prompts that are sent, replies that are read."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import pytest
from context_limit import check_fit

from agentflow.api import ajudge
from agentflow.evaluation.datasets import held_out
from agentflow.models import ScriptedModel
from agentflow.models.structured import parse
from agentflow.nodes.backward import Value
from agentflow.nodes.deductive import Following
from agentflow.nodes.premises import premises_of
from agentflow.nodes.vanilla import Opinion
from agentflow.profile import PROFILES
from training import baseline_verifiers
from training.baseline_verifiers import UNKNOWN
from training.cases import Case, cases, words
from training.flawed import solutions
from training.game24 import Part

ROLES: dict[str, Callable[..., Iterator[list[Part]]]] = {
    "vanilla": baseline_verifiers.vanilla,
    "premises": baseline_verifiers.premises,
    "follows": baseline_verifiers.follows,
    "backward": baseline_verifiers.backward,
}


@cache
def texts(role: str, count: int = 50, held: bool = False) -> tuple[list[Part], ...]:
    return tuple(islice(ROLES[role](3, held_out=held), count))


def user(parts: list[Part]) -> str:
    """What the user says in a prompt."""
    return parts[0].text.removeprefix("<|im_start|>user\n").partition("<|im_end|>")[0]


def said(parts: list[Part]) -> str:
    return parts[1].text.removesuffix("<|im_end|>")


@cache
def drawn() -> tuple[Case, ...]:
    return tuple(islice(cases(3), 120))


@pytest.mark.parametrize("role", ROLES)
def test_texts_depend_on_the_seed_alone(role: str) -> None:
    assert list(texts(role)[:8]) == list(islice(ROLES[role](3), 8))
    assert list(texts(role)[:8]) != list(islice(ROLES[role](4), 8))


@pytest.mark.parametrize("role", ROLES)
def test_only_replies_are_learned(role: str) -> None:
    for prompt, reply in texts(role):
        assert (prompt.learn, reply.learn) == (False, True)
        assert prompt.text.endswith(PROFILES["pocket"].no_think)
        assert reply.text.endswith("<|im_end|>")


@pytest.mark.parametrize("role", ["vanilla", "premises"])
def test_held_out_problems_stay_held_out(role: str) -> None:
    def puzzles(held: bool) -> set[str]:
        firsts = [user(parts).splitlines()[0].partition(": ")[2] for parts in texts(role, 50, held)]
        return {first for first in firsts if first.replace(" ", "").isdigit()}

    assert puzzles(True) <= set(held_out())
    assert puzzles(True)
    assert not puzzles(False) & set(held_out())


@pytest.mark.parametrize("role", ["follows", "backward"])
def test_texts_of_held_out_problems_are_others(role: str) -> None:
    ours = {user(p) for p in texts(role) if len(user(p)) > 120}
    assert len(ours) >= 5
    assert not ours & {user(parts) for parts in texts(role, 50, True)}


def test_opinions_are_the_labels() -> None:
    source, found = solutions(3), Counter[bool]()
    for parts in texts("vanilla"):
        asked = user(parts)
        reason = next(
            why for problem, told, why in source if problem.text in asked and told in asked
        )
        opinion = parse(Opinion, said(parts))
        assert opinion.correct is not bool(reason)
        assert opinion.reason == (reason or "every step is right")
        found[opinion.correct] += 1
    assert min(found.values()) > 12


def test_premises_are_the_cases() -> None:
    for case, parts in zip(baseline_verifiers.deductive_cases(3), texts("premises"), strict=False):
        read = premises_of(f"24: {case.problem.text}", len(case.lines), said(parts))
        assert tuple(read.conditions) == case.conditions
        uses = [(tuple(one.conditions), tuple(one.steps)) for one in read.uses]
        assert uses == [(one.conditions, one.lines) for one in case.uses]
        steps = user(parts).removeprefix(f"premises: {case.problem.text}\n").splitlines()
        assert steps == [f"{n}. {line}" for n, line in enumerate(case.lines, 1)]


def test_a_line_does_not_follow_where_it_is_the_wrong_one() -> None:
    wrong = {case.lines[case.wrong]: case.reason for case in drawn() if case.wrong >= 0}
    found = Counter[bool]()
    for parts in texts("follows"):
        read = parse(Following, said(parts))
        step = user(parts).rpartition("follows: ")[2]
        found[read.follows] += 1
        if not read.follows:
            assert read.reason == wrong[step]
    assert found[False] > 5
    assert found[True] > 20


def test_what_is_masked_comes_back_from_the_right_answer_alone() -> None:
    found = Counter[str]()
    for parts in texts("backward", 200):
        mask, problem = user(parts).split("\n")[:2]
        mask = mask.removeprefix("mask: ")
        read = parse(Value, said(parts))
        assert problem.count(mask) == 1
        if read.value == UNKNOWN:
            found["unknown"] += 1
            continue
        filled = problem.replace(mask, read.value)
        right = answers().get(filled)
        answer = Fraction(user(parts).rpartition("answer: ")[2])
        if right is not None:  # the number is the problem's own: then so is the answer
            assert right == answer
            found["as it was"] += 1
        else:
            found["otherwise"] += 1
    assert found["as it was"] > 40
    assert found["otherwise"] > 40
    assert found["unknown"] >= 1


@cache
def answers() -> dict[str, Fraction]:
    """The right answers to the problems behind the texts, by problem."""
    rng, found = random.Random(3), dict[str, Fraction]()
    for _ in range(2000):  # drawn as the generator draws them
        problem, right = words.draw(rng)
        if rng.random() < 0.5:
            words.flawed(rng, right)
        found[problem.text] = right[-1].value
    return found


def replies_for(case: Case) -> Callable[[str], str]:
    """A model that knows a case and answers as it is learned."""

    def reply(prompt: str) -> str:
        role, _, rest = prompt.removeprefix("<|im_start|>user\n").partition(":")
        rest = rest.partition("<|im_end|>")[0]
        if role == "correct":
            return json.dumps({"reason": case.reason, "correct": case.right})
        if role == "premises" and "\nfollows: " not in rest:
            uses = [{"conditions": one.conditions, "steps": one.lines} for one in case.uses]
            return json.dumps({"conditions": case.conditions, "uses": uses})
        step = rest.rpartition("follows: ")[2]
        wrong = case.wrong >= 0 and step == case.lines[case.wrong]
        return json.dumps({"reason": case.reason, "follows": not wrong})

    return reply


async def test_prompts_in_a_run_are_those_learned() -> None:
    learned = {parts[0].text for role in ("vanilla", "premises") for parts in texts(role, 120)}
    deductive = list(islice(baseline_verifiers.deductive_cases(3), 20))
    runs = [("vanilla", case) for case in drawn()[:20]]
    runs += [("deductive", case) for case in deductive if case.complete]
    assert len(runs) > 30
    for verifier, case in runs:
        model, domain = ScriptedModel(replies_for(case)), case.problem.domain
        solution = case.told if verifier == "vanilla" else case.text
        verdict, _ = await ajudge(case.problem.text, solution, verifier, model=model, domain=domain)
        assert verdict.ok is case.right
        assert model.text(model.requests[0].prompt) in learned  # type: ignore[arg-type]
        if verifier == "deductive" and case.wrong >= 0:
            found: list[dict[str, Any]] = verdict.evidence["statements"]
            assert [one["follows"] for one in found].index(False) == case.wrong


async def test_the_backward_prompt_is_the_one_learned() -> None:
    seen = 0
    for parts in texts("backward", 20):
        mask, masked, answer = user(parts).split("\n")
        read = parse(Value, said(parts))
        if not read.value.replace(".", "").isdigit():  # none that the verifier would mask
            continue
        seen += 1
        problem = masked.replace(mask.removeprefix("mask: "), read.value)
        model = ScriptedModel(lambda prompt: '{"work": "", "value": "unknown"}')
        solution = f"Answer: {answer.removeprefix('answer: ')}"
        await ajudge(problem, solution, "backward", model=model, domain="math", conditions=100)
        asked = [model.text(request.prompt) for request in model.requests]  # type: ignore[arg-type]
        assert parts[0].text in asked
    assert seen > 8


@pytest.mark.slow
async def test_every_text_fits_the_context() -> None:
    await check_fit(parts for role in ROLES for parts in texts(role, 40))
