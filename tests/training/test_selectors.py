"""Texts for the roles of adaptive_compute: the prompts that are sent, replies that are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest
from context_limit import check_fit
from drawn import Drawn

import agentflow
from agentflow.domains.game24 import Game24
from agentflow.evaluation.datasets import held_out
from agentflow.models import ScriptedModel
from agentflow.models.metered import Metered
from agentflow.models.structured import parse
from agentflow.nodes.plan import read_plan
from agentflow.nodes.select import Compute, Strategy, Tools, arrange, bounded
from agentflow.profile import PROFILES
from agentflow.scorers import PromptedScorer, RuleScorer
from agentflow.scorers.prompted import StepReply
from agentflow.search import Path
from training import flawed, mistakes, selectors
from training.game24 import Part

DOMAIN = Game24()
ROLES: dict[str, Callable[..., Iterator[list[Part]]]] = {
    "plan": selectors.plan,
    "tools": selectors.tools,
    "compute": selectors.compute,
    "step_score": selectors.step_score,
    "critique": selectors.critique,
}


@cache
def source(role: str, held_out: bool) -> Drawn[list[Part]]:
    return Drawn(ROLES[role](3, held_out=held_out))


def texts(role: str, count: int = 60, held_out: bool = False) -> list[list[Part]]:
    return source(role, held_out).first(count)


def user(parts: list[Part]) -> str:
    """What the user says in a prompt."""
    return parts[0].text.removeprefix("<|im_start|>user\n").partition("<|im_end|>")[0]


def puzzle(parts: list[Part]) -> str:
    return user(parts).splitlines()[0].partition(": ")[2]


def said(parts: list[Part]) -> str:
    return parts[1].text.removesuffix("<|im_end|>")


def puzzles(role: str, count: int, held_out: bool = False) -> set[str]:
    said = {puzzle(parts) for parts in texts(role, count, held_out=held_out)}
    return {one for one in said if re.fullmatch(r"\d+ \d+ \d+ \d+", one)}


@pytest.mark.parametrize("role", [role for role in ROLES if role != "step_score"])
def test_held_out_puzzles_stay_held_out(role: str) -> None:
    held = set(held_out())
    assert puzzles(role, 60)
    assert not puzzles(role, 60) & held
    assert puzzles(role, 40, held_out=True)
    assert puzzles(role, 40, held_out=True) <= held


def test_the_steps_that_are_scored_are_of_other_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    solution = mistakes.solution

    def noted(rng: Any, numbers: Any, *, flawed: bool) -> Any:
        drawn.append(" ".join(map(str, numbers)))
        return solution(rng, numbers, flawed=flawed)

    monkeypatch.setattr(selectors, "solution", noted)
    fresh = partial(ROLES["step_score"], 3)
    assert list(islice(fresh(), 30))
    assert drawn
    assert not set(drawn) & set(held_out())
    drawn.clear()
    assert list(islice(fresh(held_out=True), 30))
    assert drawn
    assert set(drawn) <= set(held_out())


@pytest.mark.parametrize("role", ROLES)
def test_texts_depend_on_the_seed_alone(role: str) -> None:
    assert texts(role, 10) == list(islice(ROLES[role](3, held_out=False), 10))
    assert texts(role, 10) != list(islice(ROLES[role](4, held_out=False), 10))


@pytest.mark.parametrize("role", ROLES)
def test_only_replies_are_learned(role: str) -> None:
    for prompt, reply in texts(role):
        assert (prompt.learn, reply.learn) == (False, True)
        assert prompt.text.endswith(PROFILES["pocket"].no_think)
        assert reply.text.endswith("<|im_end|>")


def test_replies_are_what_the_running_code_reads() -> None:
    for parts in texts("plan"):
        assert read_plan(said(parts)) == said(parts)[len("<plan>") : -len("</plan>")]
        assert "=" not in said(parts)
    for parts in texts("tools"):
        tools = parse(Tools, said(parts)).tools
        assert list(arrange(tools, puzzle(parts))) == tools
    for parts in texts("compute"):
        compute = parse(Compute, said(parts))
        tools = user(parts).rpartition("tools: ")[2].split(", ")
        assert list(arrange(tools, puzzle(parts))) == tools
        assert bounded(compute.strategy, compute.param, tools) == compute.param


def test_choices_are_of_many_kinds() -> None:
    used = Counter(parse(Compute, said(p)).strategy for p in texts("compute", 300))
    assert min(used.values()) > 60
    assert len(used) == 3
    pairs = {said(parts) for parts in texts("compute", 600)}
    assert len(pairs) >= 8
    assert len({said(parts) for parts in texts("tools", 100)}) == 2
    plans = Counter("plan: none" in user(p) for p in texts("tools", 200))
    assert 30 < plans[True] < 80


async def test_step_scores_are_the_rule_scorers() -> None:
    source = mistakes.examples(2)
    for one in islice(source, 60):
        lines = "".join(one.steps).splitlines(keepends=True)
        (path,) = await RuleScorer(DOMAIN).score(one.problem, [Path(tuple(lines))])
        assert list(path.scores) == selectors.scores(one.problem, lines)


def test_steps_are_right_wrong_and_neither_by_turns() -> None:
    scored = [parse(StepReply, said(parts)).score for parts in texts("step_score", 90)]
    assert Counter(scored) == {1.0: 30, 0.0: 30, 0.5: 30}


def test_a_critique_is_the_examples_reason() -> None:
    source, found = flawed.examples(3), Counter[bool]()
    for parts in texts("critique", 100):
        steps = user(parts)
        one = next(e for e in source if steps.endswith("".join(e.steps).strip()))
        assert said(parts) == (one.reason or "right")
        found[one.wrong == -1] += 1
    assert min(found.values()) > 30


def test_a_longer_solution_is_searched_for_with_more() -> None:
    by_lines = dict[int, Strategy]()
    for one, _ in islice(flawed.tried(2, flawed=False), 120):
        chosen = selectors.line_choice(one)
        assert bounded(chosen.strategy, chosen.param, chosen.tools) == chosen.param
        assert list(arrange(chosen.tools, one.problem.text)) == list(chosen.tools)
        assert read_plan(f"<plan>{chosen.plan}</plan>") == chosen.plan
        assert by_lines.setdefault(len(one.lines), chosen.strategy) == chosen.strategy
    assert set(by_lines.values()) == {"best of n", "lookahead", "beam search"}
    assert by_lines[min(by_lines)] == "best of n"
    assert by_lines[max(by_lines)] == "beam search"


async def test_prompts_in_a_run_are_those_learned() -> None:
    """A run answered with the learned replies asks the learned prompts."""
    seen: dict[str, str] = {}
    for numbers in (held_out()[0], held_out()[7], held_out()[40]):
        choice = selectors.choice(tuple(map(int, numbers.split())))
        drawn = next(e for e in mistakes.examples(1) if e.wrong == 0)
        thinking, _, answer = "".join(drawn.steps).rpartition("\n\n")

        def reply(
            prompt: str, choice: Any = choice, body: str = f"{thinking}</think>\n{answer}"
        ) -> str:
            said = prompt.rpartition("user\n")[2].partition("<|im_end|>")[0]
            role = said.partition(":")[0]
            seen[role] = prompt
            match role:
                case "plan":
                    return f"<plan>{choice.plan}</plan>"
                case "tools":
                    return '{"tools": ["self-reflection", "numeric verifier", "verifier"]}'
                case "compute":
                    return '{"strategy": "best of n", "param": 3}'
                case "answer":
                    return '{"answer": "1"}'
                case "game24":
                    return body
            return "right"

        model = ScriptedModel(reply)
        settings: dict[str, Any] = {"iterations": 1, "select_by": "first"}
        await agentflow.asolve(numbers, "adaptive_compute", model=model, **settings)
        puzzle = DOMAIN.parse(numbers)
        steps = f"{thinking}\n\n{answer}".strip()
        learned = {
            "plan": selectors.asked("plan", puzzle, ""),
            "tools": selectors.asked("tools", puzzle, "", plan=choice.plan),
            "compute": selectors.asked(
                "compute",
                puzzle,
                "",
                plan=choice.plan,
                tools="self-reflection, numeric verifier, verifier",
            ),
            "critique": selectors.asked("critique", puzzle, "", steps=steps),
        }
        assert {role: seen[role] for role in learned} == {
            role: parts[0].text for role, parts in learned.items()
        }
        assert seen["answer"].startswith(
            selectors.asked("answer", puzzle, "", steps=steps)[0].text.partition("<|im_end|>")[0]
        )


async def test_the_scorers_prompt_is_the_one_learned() -> None:
    model = ScriptedModel('{"is_correct": true, "confidence": 1.0}')
    for parts in texts("step_score", 20):
        before, _, step = user(parts).removeprefix("step: ").partition("\n")
        problem = DOMAIN.parse("4 7 8 8")
        path = Path((f" {before}\n", f" {step}\n"), (1.0,))
        await PromptedScorer(Metered(model, "prm", "0")).score(problem, [path])
        prompt = model.requests[-1].prompt
        assert not isinstance(prompt, str)
        assert model.text(prompt) == parts[0].text


@pytest.mark.slow
async def test_every_text_fits_the_context() -> None:
    await check_fit(parts for role in ROLES for parts in texts(role, 40))
