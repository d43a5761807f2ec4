"""The judge's texts: the solver's own mistakes, labelled soundly, and no held-out problem."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict, replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from agentflow.evaluation.datasets import held_out as held_out_puzzles
from agentflow.judge import judge
from agentflow.verifiers import segment
from training import flawed, game24
from training.cases import facts
from training.cases.case import is_held_out
from training.curriculum import chunk
from training.here import at_once, domain
from training.judging import curriculum, label, own
from training.judging.label import Labelled, Sampled
from training.mistakes import POCKET
from training.solving import WORKED
from training.texts import LONGEST

SOLVER = Path(__file__).parent / "data" / "solver.jsonl"
"""What the shipped solver wrote for training problems, of every domain and kind of mistake."""

TOLD = ("math", "commonsense")


@cache
def sampled() -> tuple[Sampled, ...]:
    return tuple(label.load(SOLVER))


@cache
def labelled() -> tuple[Labelled, ...]:
    return tuple(found for one in sampled() if (found := label.labelled(one)) is not None)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("judging") / "own.jsonl"
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in labelled()))
    assert label.read(file) == list(labelled())
    return str(file)


def said(name: str, text: str, right: tuple[str, ...], *lines: str) -> Labelled | None:
    """A solution of the solver's, labelled; its last line is the answer it gives."""
    answer = lines[-1].removeprefix("Answer: ")
    end = f"</think>\n{lines[-1]}\n\\boxed{{{answer}}}"
    return label.labelled(Sampled(name, text, right, "\n".join([*lines, end]), 0.7))


def test_every_domain_and_both_kinds_are_there() -> None:
    kinds = {(one.domain, one.wrong < 0) for one in labelled()}
    assert kinds == {(name, ok) for name in own.DOMAINS for ok in (True, False)}


def test_labels_are_the_domain_verifiers() -> None:
    for one in labelled():
        problem, text = domain(one.domain).parse(one.text), "".join(one.steps)
        found = at_once(judge(domain(one.domain), problem, text))
        assert list(one.steps) == segment(text, POCKET.hesitations)
        if one.wrong < 0:
            assert found.ok is not False
            assert not one.line + one.reason + one.kind
            if one.domain not in TOLD:
                assert found.answer_ok is True
                assert found.steps_ok or found.undetermined == "steps: none found"
            continue
        assert one.reason
        assert one.kind
        assert one.line in one.steps[one.wrong]
        if one.domain not in TOLD:
            through = "".join(one.steps[: one.wrong + 1])
            assert at_once(judge(domain(one.domain), problem, through)).ok is False
            before = at_once(judge(domain(one.domain), problem, "".join(one.steps[: one.wrong])))
            assert before.ok is not False


STORY = (
    "Boris has 9 tiles. Ines has 4 times as many tiles as Boris. "
    "How many tiles do they have together?"
)
EQUATIONS = ("Ines: 4 * 9 = 36 tiles", "Together: 9 + 36 = 45 tiles", "Answer: 45")


def test_a_story_is_told_by_its_right_solution() -> None:
    def told(*lines: str) -> tuple[int, str] | None:
        found = said("math", STORY, EQUATIONS, *lines)
        return None if found is None else (found.wrong, found.line)

    assert told(*EQUATIONS) == (-1, "")
    assert told("Ines: 9 * 4 = 36 tiles", *EQUATIONS[1:]) == (-1, "")  # the same product
    slip = "Ines: 4 * 9 = 35 tiles"
    assert told(slip, "Together: 9 + 35 = 44 tiles", "Answer: 44") == (0, slip)
    other = "Ines: 4 + 9 = 13 tiles"
    assert told(other, "Together: 9 + 13 = 22 tiles", "Answer: 22") == (0, other)
    assert told(*EQUATIONS[:2], "Answer: 54") == (0, "Answer: 54")
    # What is not understood is no label: another way to the value, a line of another kind.
    assert told("Ines: 40 - 4 = 36 tiles", *EQUATIONS[1:]) is None
    assert told("Boris is tall", *EQUATIONS) is None
    assert told("Twice: 36 + 36 = 72 tiles", *EQUATIONS) is None


PREMISES = (
    "Premises:\nGary is proud.\nIf someone is proud, then they are young.\n"
    "Conclusion: Gary is not young."
)


def test_an_argument_left_open_is_wrong_where_the_premises_decide_it() -> None:
    derived = ("From 1: Gary is proud.", "From 1, 2: Gary is young.")

    def told(right: str, *lines: str) -> tuple[int, str] | None:
        found = said("logic", PREMISES, (*derived, f"Answer: {right}"), *lines)
        return None if found is None else (found.wrong, found.line)

    left_open = "Nothing says whether Gary is young."
    assert told("False", derived[0], left_open, "Answer: Uncertain") == (0, left_open)
    assert told("False", *derived, "Answer: False") == (-1, "")
    other = "Nothing says whether Gary is proud."
    assert told("False", derived[0], other, "Answer: False") is None


MAP = (
    "Consider a map with multiple objects:\nPost Office is in the map. "
    "Rose Garden is to the Northeast of Post Office. "
    "Water Tower is to the Northeast of Rose Garden. "
    "Ferry Pier is to the Northwest of Post Office.\n\n"
    "Please answer the following multiple-choice question based on the provided information. "
    "In which direction is Water Tower relative to Post Office? Available options:\n"
    "A. Northeast\nB. Southwest\nC. Southeast\nD. Northwest."
)


@pytest.mark.parametrize(
    ("way", "order", "right"),
    [
        ("east-west, further to the east", "Ferry Pier < Post Office < Water Tower", True),
        ("east-west, further to the west", "Water Tower < Rose Garden < Ferry Pier", True),
        ("north-south, further to the north", "Post Office < Rose Garden < Water Tower", True),
        ("north-south, further to the north", "Post Office < Water Tower < Rose Garden", False),
        ("north-south, further to the south", "Post Office < Rose Garden", False),
        ("north-south, further to the north", "Rose Garden < Ferry Pier", None),  # left open
        ("north-south, further to the north", "Rose Garden < Clock Tower", None),
    ],
)
def test_an_order_is_told_by_the_map(way: str, order: str, right: bool | None) -> None:
    lines = (f"{way} being more: {order}", "Answer: Northeast")
    found = said("spatialmap", MAP, ("Answer: Northeast",), *lines)
    if right is None:
        assert found is None
        return
    assert found is not None
    assert (found.wrong, found.line) == ((-1, "") if right else (0, lines[0]))


def test_people_are_told_by_the_facts() -> None:
    one, other = facts.people()[:2]
    question, right = (
        f"In which town was {one.name} born?",
        f"Fact: {one.name} was born in {one.town}.",
    )
    lines = (right, f"Answer: {one.town}")

    def told(*given: str) -> tuple[int, str] | None:
        found = said("commonsense", question, lines, *given)
        return None if found is None else (found.wrong, found.reason)

    assert told(*lines) == (-1, "")
    assert told(f"Fact: {other.name} was a {other.work}.", *lines) == (-1, "")
    false = f"Fact: {one.name} was born in {other.town}."
    assert told(false, f"Answer: {other.town}") == (0, f"it should be {right}")
    assert told(right, f"Answer: {other.town}") == (0, f"it should be Answer: {one.town}")
    assert told("Fact: Nobody Known was born in 1800.", *lines) is None


def test_behind_a_wrong_solution_stands_the_right_one_of_its_problem() -> None:
    behind = Counter[bool]()
    for one in sampled():
        first, *others = label.rows(one)
        if first is None or not first.line or not one.right:
            assert others == []
            continue
        (right,) = others
        assert right is not None, one
        assert (right.wrong, right.line, right.text) == (-1, "", one.text)
        assert [line for line in "".join(right.steps).splitlines() if line][:-2] == list(one.right)
        behind[one.domain == "game24"] += 1
    assert behind[False] > 5
    assert not behind[True]  # whose solutions nobody works out


def test_a_solution_without_an_end_has_no_label() -> None:
    whole = next(one for one in sampled() if label.labelled(one) is not None)
    thinking, _, _ = whole.said.partition("</think>")
    assert label.labelled(replace(whole, said=thinking)) is None
    assert label.labelled(replace(whole, said=f"{thinking}</think>\n")) is None


@pytest.mark.parametrize("name", ["game24", *WORKED])
def test_held_out_problems_are_told_as_the_curriculum_tells_them(name: str) -> None:
    for held in (False, True):
        rng = random.Random(4)
        if name == "game24":
            drawn = [game24.puzzle(one).text for one in game24.puzzles()[held][:40]]
        else:
            drawn = [one.problem.text for one in islice(WORKED[name](rng, held_out=held), 40)]
        assert [own.held_out(name, text) for text in drawn] == [held] * 40


def test_rows_of_held_out_problems_are_kept_out_of_the_texts(rows: str, tmp_path: Path) -> None:
    """Even where a file has them: a row that is moved to a held-out problem is learned no more."""
    moved = [
        replace(one, text=" ".join(held_out_puzzles()[0].split()))
        if one.domain == "game24"
        else one
        for one in labelled()
    ]
    moved = [one for one in moved if one.domain == "game24" or not is_held_out(one.text)]
    file = tmp_path / "moved.jsonl"
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in moved))
    learned = own.rows(str(file), of_held_out=False)
    assert "game24" not in {one.domain for one in learned}
    assert {one.domain for one in own.rows(str(file), of_held_out=True)} >= {"game24"}
    assert "game24" in {one.domain for one in own.rows(rows, of_held_out=False)}
    for name, source in curriculum.sources(str(file)).items():
        if name in ("flexive_fast", "vanilla", "completeness"):
            texts = islice(source.texts(2), 60)
            assert not any(f": {held_out_puzzles()[0]}\n" in parts[0].text for parts in texts)


def test_rows_are_drawn_in_balance(rows: str) -> None:
    drawn = list(islice(own.balanced(random.Random(1), own.kinds(label.read(Path(rows)))), 1200))
    domains = Counter(one.domain for one in drawn)
    assert set(domains.values()) == {200}
    for name in domains:
        mine = [one for one in drawn if one.domain == name]
        assert 70 < sum(one.wrong < 0 for one in mine) < 130
        kinds = Counter(one.kind for one in mine if one.kind)
        assert max(kinds.values()) < 3 * min(kinds.values()) + 20
    with pytest.raises(ValueError, match="no labelled solutions"):
        next(own.balanced(random.Random(1), {}))


@pytest.mark.parametrize("name", sorted({*curriculum.WEIGHTS} - {"lines"}))
def test_what_the_judge_learns_is_read_and_right(name: str, rows: str) -> None:
    source = curriculum.sources(rows)[name]
    for parts in islice(source.texts(1), 14):
        first = [part for part in parts if not part.learn]
        learned = "".join(part.text for part in parts if part.learn)
        assert parts[-1].text.endswith("<|im_end|>")
        assert sum(len(part.text) for part in parts) <= LONGEST
        reply = learned.removesuffix("<|im_end|>")
        assert source.right("".join(part.text for part in first), reply, reply)


def test_weights_are_the_curriculums_unless_others_are_given(rows: str) -> None:
    usual = curriculum.sources(rows)
    others = curriculum.sources(rows, (("action", 40.0), ("hard", 0.0)))
    weights = {name: source.weight for name, source in others.items()}
    assert weights == {**curriculum.WEIGHTS, "action": 40.0, "hard": 0.0}
    assert {name: source.weight for name, source in usual.items()} == curriculum.WEIGHTS
    with pytest.raises(ValueError, match=r"no kind of text: acting\. There are: completeness, "):
        curriculum.sources(rows, (("acting", 1.0),))


def test_every_domain_is_drawn_where_few_texts_are(rows: str) -> None:
    kinds = own.kinds(label.read(Path(rows)))
    firsts = Counter(next(own.balanced(random.Random(seed), kinds)).domain for seed in range(120))
    assert set(firsts) == set(own.DOMAINS)
    assert max(firsts.values()) < 45


def test_the_solvers_own_solutions_are_among_the_texts(rows: str) -> None:
    solutions = {"".join(one.steps).strip() for one in labelled()}
    found = 0
    for parts in islice(curriculum.sources(rows)["vanilla"].texts(1), 60):
        found += any(one in parts[0].text for one in solutions)
    assert 12 < found < 48


def test_lines_are_right_up_to_the_first_wrong_one() -> None:
    seen = Counter[bool]()
    examples = [own.example(one) for one in labelled()]
    examples += islice(flawed.examples(3), 80)
    for one in examples:
        *shown, rest = curriculum.critic(one, "fast")[:-1]
        right = [part.right for part in shown if part.right is not None]
        seen.update(right)
        assert rest.right is None
        assert right == [True] * (len(right) - (one.wrong >= 0)) + [False] * (one.wrong >= 0)
        if one.wrong < 0:
            assert rest.text.startswith("</step_")
            continue
        assert shown[-1].text.strip().endswith(curriculum.wrong_line(one))
        before = "".join(part.text for part in shown)
        assert f"<step_{one.wrong}>" in before
        assert f"<step_{one.wrong + 1}>" not in before
    assert min(seen[True], seen[False]) > 50


def test_a_chunk_of_the_judges(rows: str) -> None:
    sources = curriculum.sources(rows)
    drawn = [name for name, _ in chunk(1, 0, 0.0, sources=sources)]
    assert set(drawn) <= set(sources)
    assert Counter(drawn).most_common(1)[0][0] in ("flexive_fast", "flexive_slow", "hard")
