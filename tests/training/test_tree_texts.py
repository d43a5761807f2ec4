"""Texts for Tree of Thoughts and for what adaptive_compute says of a solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

import agentflow
from agentflow import prompts
from agentflow.domains.game24 import Game24, judge_answer, judge_state, reachable
from agentflow.judge import steps
from agentflow.models import ScriptedModel
from agentflow.models.structured import parse
from agentflow.scorers.value import VALUES, ValueReply
from agentflow.search.proposals import Thoughts
from training import flawed, game24, reviews, trees
from training.cases import cases, words
from training.game24 import Part
from training.mistakes import POCKET

DOMAIN = Game24()


def user(parts: list[Part]) -> str:
    return parts[0].text.removeprefix("<|im_start|>user\n").partition("<|im_end|>")[0]


def said(parts: list[Part]) -> str:
    return parts[1].text.removesuffix("<|im_end|>")


def puzzles(source: Iterator[list[Part]], count: int) -> Iterator[list[Part]]:
    """The texts that are about Game of 24."""
    return islice((parts for parts in source if "game24: " in user(parts)), count)


def test_in_other_domains_a_thought_is_the_next_line() -> None:
    drawn = flawed.tried(2, flawed=False)
    others = (parts for parts in trees.propose(2) if "game24: " not in user(parts))
    answered = 0
    for parts in islice(others, 60):
        asked = user(parts)
        (thought,) = parse(Thoughts, said(parts)).thoughts
        lines = next(
            [line.strip() for line in (*one.lines, f"Answer: {one.answer}")]
            for one, _ in drawn
            if prompts.for_problem("interwhen", one.problem, POCKET)[1] in asked
        )
        at = lines.index(thought)
        assert asked.endswith("\n".join(lines[:at]) or "(none yet)") or lines.count(thought) > 1
        answered += thought.startswith("Answer: ")
    assert 5 < answered < 40


def test_a_state_with_a_wrong_line_is_impossible() -> None:
    drawn, found = flawed.tried(2), Counter[str]()
    others = (parts for parts in trees.value(2) if "game24: " not in user(parts))
    for parts in islice(others, 60):
        example = next(
            example
            for one, example in drawn
            if prompts.for_problem("interwhen", one.problem, POCKET)[1] in user(parts)
        )
        judgement = parse(ValueReply, said(parts)).judgement
        has_it = example.line in user(parts).splitlines() if example.line else False
        assert (judgement == "impossible") is has_it
        found[judgement] += 1
    assert min(found[one] for one in ("likely", "impossible")) > 10


def test_thoughts_are_right_steps_and_the_first_leads_on() -> None:
    counts = Counter[str]()
    for parts in puzzles(trees.propose(2), 200):
        first, _, before = user(parts).partition("\n")
        problem = DOMAIN.parse(first.partition("game24: ")[2])
        taken = list(steps(DOMAIN, problem, f"{before}\n"))
        thoughts = parse(Thoughts, said(parts)).thoughts
        assert len(thoughts) <= int(first.removeprefix("propose ")[0])
        if not thoughts:
            assert taken[-1].data["remaining"] != ["24"]
            assert len(taken[-1].data["remaining"]) == 1
            counts["none"] += 1
            continue
        if answer := DOMAIN.answer(thoughts[0]):
            assert judge_answer(problem, answer).ok
            counts["answer"] += 1
            continue
        left = []
        for thought in thoughts:
            (state,) = steps(DOMAIN, problem, f"{thought}\n")
            assert judge_state(problem, state, taken).ok
            left.append(tuple(sorted(map(Fraction, state.data["remaining"]))))
        available = taken[-1].data["remaining"] if taken else problem.text.split()
        if game24.paths(tuple(sorted(map(int, available)))):
            assert reachable(left[0])
            counts["leads on"] += 1
    assert min(counts[kind] for kind in ("none", "answer", "leads on")) > 5


def test_values_are_as_common_as_each_other_and_exact_where_nothing_leads_on() -> None:
    found = Counter[str]()
    for parts in puzzles(trees.value(2), 90):
        judgement = parse(ValueReply, said(parts)).judgement
        found[judgement] += 1
        first, _, before = user(parts).partition("\n")
        problem = DOMAIN.parse(first.partition("game24: ")[2])
        taken = list(steps(DOMAIN, problem, f"{before}\n"))
        verdicts = [
            judge_state(problem, state, taken[:number], hopeless=True).ok
            for number, state in enumerate(taken)
        ]
        assert (judgement == "impossible") is (False in verdicts)
    assert found == dict.fromkeys(VALUES, 30)


async def test_prompts_in_a_tree_are_those_learned() -> None:
    """A tree grown with the learned replies asks the learned prompts."""
    numbers = game24.puzzles()[1][3]
    path = game24.preferred(numbers)[0]
    lines = [step.line().strip() for step in path]
    learned = {user(p): said(p) for p in islice(trees.propose(1, held_out=True), 400)}
    asked: list[str] = []

    def reply(prompt: str) -> str:
        text = prompt.rpartition("user\n")[2].partition("<|im_end|>")[0]
        asked.append(text)
        if text.startswith("value: "):
            return '{"judgement": "likely"}'
        done = text.count(" -> ")
        thought = lines[done] if done < 3 else game24.answer(path).strip()
        return f'{{"thoughts": ["{thought}"]}}'

    result = await agentflow.asolve(
        " ".join(map(str, numbers)), "tree_of_thoughts", model=ScriptedModel(reply)
    )
    assert result.answer
    start = f"propose 2: game24: {' '.join(map(str, numbers))}\n"
    assert asked[0] == f"{start}(none yet)"
    proposals = [one for one in asked if one.startswith("propose")]
    assert proposals[-1] == f"{start}{chr(10).join(lines)}"
    form = {text.partition(":")[0] for text in learned}
    assert {one.partition(":")[0] for one in proposals} <= form
    assert any(
        text.startswith("propose 2") and text.count("\n") == 3 and "\n " not in text
        for text in learned
    )


def test_reviews_say_what_the_domain_says() -> None:
    found = Counter[tuple[str, bool]]()
    drawn = cases(4, kinds=reviews.KINDS)
    for case, check in zip(islice(drawn, 60), reviews.numeric_verifier(4), strict=False):
        assert user(check).startswith(f"check: {case.problem.text}\n")
        operation = case.reason.startswith("the work is ")
        numbers_right = case.wrong < 0 or operation
        assert (said(check) == reviews.NUMBERS_RIGHT) is numbers_right
        found[case.problem.domain, numbers_right] += 1
    assert len(found) == 4


def test_a_review_is_of_a_solution_and_its_mistake() -> None:
    source, found = flawed.solutions(4), Counter[bool]()
    for parts in islice(reviews.verifier(4), 60):
        asked, reason = next(
            (f"review: {problem.text}\n{solution}", reason)
            for problem, solution, reason in source
            if user(parts) == f"review: {problem.text}\n{solution}"
        )
        assert user(parts) == asked
        assert said(parts) == (reason or reviews.RIGHT)
        found[not reason] += 1
    assert min(found.values()) > 15


@pytest.mark.parametrize("kind", reviews.KINDS)
def test_a_summary_is_lines_of_the_solution_up_to_its_answer(kind: str) -> None:
    for case in islice(cases(6, kinds=[kind]), 60):
        if case.complete:
            lines = reviews.summary(case)
            assert set(lines) <= set(case.lines)
            assert lines[-1].startswith("Answer: ")
            if kind == "game24":
                assert len(lines) == 4
                assert all(" -> " in line for line in lines[:3])


def test_answers_at_once_are_right() -> None:
    kinds = Counter[str]()
    for parts in islice(reviews.direct_json(3), 60):
        text = user(parts).removeprefix("json: ")
        answer = said(parts).removeprefix('{"answer": "').removesuffix('"}')
        kind = "math" if "?" in text else "game24"
        kinds[kind] += 1
        if kind == "game24":
            assert judge_answer(DOMAIN.parse(text), answer).ok
        else:
            assert words.number(answer).denominator == 1
    assert min(kinds.values()) > 15
