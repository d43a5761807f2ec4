"""Solutions over the domains: labels by the domains' own verifiers, held-out problems apart."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path

from agentflow.evaluation.solutions import load_labelled
from agentflow.judge import judge
from agentflow.verifiers import segment
from training import flawed
from training.flawed import TURNS
from training.here import at_once, domain
from training.mistakes import POCKET, Example, write
from training.solving import WORKED, Worked

JUDGED = ("logic", "maze", "spatialmap")
"""Domains whose verifiers tell every mistake."""


@cache
def tried(count: int = 140) -> tuple[tuple[Worked, Example], ...]:
    return tuple(islice(flawed.tried(3), count))


def test_what_is_written_is_what_verifiers_are_evaluated_on(tmp_path: Path) -> None:
    for name in WORKED:
        found = [one for _, one in tried() if one.problem.domain == name]
        write(tmp_path / f"{name}.jsonl", found)
        read = load_labelled([tmp_path / f"{name}.jsonl"], domain(name))
        assert [(one.given, one.label) for one in read] == [(one.steps, one.wrong) for one in found]
        assert [one.problem.text for one in read] == [one.problem.text for one in found]


def test_labels_are_the_domain_verifiers() -> None:
    seen = Counter[tuple[str, bool]]()
    for one, example in tried():
        right = example.wrong < 0  # what is wrong may be taken back in a later step
        text = "".join(example.steps[: None if right else example.wrong + 1])
        found = at_once(judge(domain(one.problem.domain), one.problem, text))
        seen[one.problem.domain, right] += 1
        if one.problem.domain in JUDGED:
            assert (found.ok is not False) is right, (example, found)
        elif right:
            assert found.ok is not False
    assert len(seen) == 2 * len(WORKED)
    assert min(seen.values()) > 4


def test_the_wrong_line_stands_in_the_wrong_step() -> None:
    for one, example in tried():
        lines = [*one.lines, f"Answer: {one.answer}"]
        if example.wrong < 0:
            assert (example.line, example.reason) == ("", "")
            assert set(lines) <= set("".join(example.steps).splitlines())
        else:
            assert example.reason
            assert example.line in example.steps[example.wrong]
            judging, before = domain(one.problem.domain), example.steps[: example.wrong]
            assert at_once(judge(judging, one.problem, "".join(before))).ok is not False
            if one.problem.domain in JUDGED:  # such a line may be right in another place
                through = "".join([*before, example.steps[example.wrong]])
                assert at_once(judge(judging, one.problem, through)).ok is False
            else:
                assert example.line not in lines
                assert not any(example.line in step for step in before)


def test_what_a_domain_cannot_tell_is_told_by_the_right_solution() -> None:
    told = [(one, e) for one, e in tried() if e.reason.startswith("it should be ")]
    for one, example in told:
        meant = example.reason.removeprefix("it should be ")
        assert meant in (*one.lines, f"Answer: {one.answer}")
    assert {one.problem.domain for one, _ in told} == {"math", "commonsense"}


def test_a_mistake_in_a_sum_is_carried_on() -> None:
    carried = 0
    for one, example in tried():
        said = domain("math").answer("".join(example.steps))
        if one.problem.domain == "math" and example.wrong >= 0 and said != one.answer:
            carried += len(set(example.steps[0].splitlines()) - set(one.lines)) > 2
    assert carried > 3


def test_steps_are_cut_as_a_run_cuts_them() -> None:
    for _, example in tried():
        assert list(example.steps) == segment("".join(example.steps), POCKET.hesitations)
    assert max(example.wrong for _, example in tried()) > 0


def test_domains_take_turns_and_the_seed_decides() -> None:
    drawn = list(islice(flawed.examples(5), len(TURNS)))
    assert Counter(one.problem.domain for one in drawn) == Counter(TURNS)
    assert drawn == list(islice(flawed.examples(5), len(TURNS)))
    assert drawn != list(islice(flawed.examples(6), len(TURNS)))
    all_wrong = islice(flawed.tried(5, flawed=True), 14)
    assert all(example.wrong >= 0 for _, example in all_wrong)


def test_held_out_problems_stay_held_out() -> None:
    ours = {one.problem.text for one, _ in tried()}
    held = {one.problem.text for one, _ in islice(flawed.tried(3, held_out=True), 60)}
    assert not ours & held


def test_an_attempt_without_a_mistake_is_the_right_solution() -> None:
    rng = random.Random(1)
    for one, _ in tried(20):
        said, instead = flawed.attempt(rng, one, flawed=False)
        assert said[: len(one.lines) + 1] == [*one.lines, f"Answer: {one.answer}"]
        assert instead == {}
