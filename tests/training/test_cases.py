"""Cases: labels are the domains', and held-out ones stay held out."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from agentflow import domains
from agentflow.domains.game24 import judge_answer
from agentflow.evaluation.datasets import held_out
from agentflow.evaluation.solutions import load
from agentflow.tools.search.local import LocalIndex
from agentflow.verifiers import DomainVerifier
from agentflow.verifiers.programs import states_result
from training.cases import MAKERS, Case, cases, facts, relations, words
from training.cases import __main__ as write
from training.cases.case import is_held_out

KINDS = ("game24", "math", "logic", "commonsense")


@cache
def drawn(count: int = 200, seed: int = 1, held: bool = False) -> tuple[Case, ...]:
    return tuple(islice(cases(seed, held_out=held), count))


def of(domain: str, some: Sequence[Case] = ()) -> list[Case]:
    return [case for case in some or drawn() if case.problem.domain == domain]


def answer(case: Case) -> str | None:
    domain = domains.get(case.problem.domain)
    said = domain.answer(case.text)
    return said and domain.shown(said)


def test_cases_are_of_all_kinds() -> None:
    assert len(MAKERS) == len(KINDS)
    for domain in KINDS:
        found = Counter((one.complete, one.wrong >= 0) for one in of(domain))
        assert found.total() == 50
        assert found[True, False] > 14
        assert found[True, True] > 6
        assert found[False, False] > 2
        assert found[False, True] == 0
    assert Counter(one.visible for one in of("commonsense") if one.wrong >= 0).keys() == {
        True,
        False,
    }


def test_the_first_case_is_of_any_kind() -> None:
    firsts = Counter(next(cases(seed)).problem.domain for seed in range(80))
    assert set(firsts) == set(KINDS)
    assert max(firsts.values()) < 40


def test_cases_depend_on_the_seed_alone() -> None:
    assert tuple(islice(cases(1), 40)) == drawn()[:40]
    assert drawn(40, 2) != drawn()[:40]
    assert all(one.wrong >= 0 for one in islice(cases(1, flaw="wrong"), 12))
    assert not any(one.complete for one in islice(cases(1, flaw="cut"), 12))


def test_held_out_problems_stay_held_out() -> None:
    held = drawn(80, held=True)
    assert {one.problem.text for one in of("game24", held)} <= set(held_out())
    assert not {one.problem.text for one in drawn()} & set(held_out())
    assert not {one.problem.text for one in drawn()} & {one.problem.text for one in held}
    apart = {person.name for person in facts.people() if is_held_out(person.name)}
    for asked, of_them in ((held, True), (drawn(), False)):
        for one in of("commonsense", asked):
            assert any(name in one.problem.text for name in apart) is of_them


def test_a_case_is_in_order() -> None:
    for one in drawn():
        stripped = [line.strip() for line in one.text.splitlines() if line.strip()]
        assert stripped == list(one.lines)
        assert len(one.lines) == len(one.uses)
        for number, uses in enumerate(one.uses, 1):
            assert all(1 <= n <= len(one.conditions) for n in uses.conditions)
            assert all(1 <= n < number for n in uses.lines)
        assert bool(one.reason) is bool(one.revision) is (not one.right)
        # A short last line is an answer in commonsense, and "What is left: 21 - 7 = 14" in math.
        if one.complete or one.problem.domain not in ("commonsense", "math"):
            assert (answer(one) is not None) is one.complete
        assert len(one.calls) == len(one.results) > 0


async def test_labels_of_game24_are_the_domains() -> None:
    domain = domains.get("game24")
    for one in of("game24"):
        verdict = await DomainVerifier(domain).verify(one.problem, one.text.splitlines(True))
        assert verdict.ok is not False if one.wrong < 0 else verdict.ok is False
        said = answer(one)
        if one.wrong >= 0:
            assert verdict.first_wrong_step is not None
            wrong = one.text.splitlines()[verdict.first_wrong_step].strip()
            assert (wrong, verdict.reason) == (one.lines[one.wrong], one.reason)
        if said is not None:
            assert judge_answer(one.problem, said).ok is one.right
        assert judge_answer(one.problem, one.results[0]).ok is True
        assert one.right or one.results[0] in one.revision


async def test_labels_of_word_problems_are_the_domains() -> None:
    domain = domains.get("math")
    slips = operations = 0
    for one in of("math"):
        verdict = await DomainVerifier(domain).verify(one.problem, one.text.splitlines(True))
        slip = one.wrong >= 0 and not one.reason.startswith("the work is ")
        assert (verdict.ok is False) is slip, one
        if slip:
            assert verdict.first_wrong_step == one.wrong
            slips += 1
        operations += one.wrong >= 0 and not slip
        said = answer(one)
        if said is not None and one.complete:
            assert (words.number(said) == words.number(one.results[0])) is one.right
    assert min(slips, operations) > 1


def test_what_a_line_of_a_word_problem_rests_on_has_its_numbers() -> None:
    seen = 0
    for one in of("math"):
        for line, uses in zip(one.lines[:-1], one.uses[:-1], strict=True):
            premises = [one.conditions[n - 1] for n in uses.conditions]
            premises += [one.lines[n - 1].rpartition(" = ")[2] for n in uses.lines]
            work = line.partition(": ")[2].rpartition(" = ")[0]
            numbers = re.findall(r"[\d.]*\d", work)
            known = [n for n in numbers if n in re.findall(r"[\d.]*\d", " ".join(premises))]
            seen += len(known) == len(numbers)
    assert seen > 0.9 * sum(len(one.lines) - 1 for one in of("math"))


def test_false_facts_are_not_on_the_pages() -> None:
    pages = " ".join(person.page["text"] for person in facts.people())
    for one in of("commonsense"):
        for index, line in enumerate(one.lines):
            if line.startswith("Fact: "):
                name, _, claim = line.removeprefix("Fact: ").rstrip(".").partition(" was born in ")
                (person,) = (p for p in facts.people() if p.name == name)
                assert (claim in (person.town, str(person.year))) is (index != one.wrong)
                assert f"{person.name} was a" in pages


def test_a_case_is_told_as_the_pocket_model_tells_it() -> None:
    doubts = 0
    for one in drawn():
        assert one.told.startswith(one.text.strip())
        domain = domains.get(one.problem.domain)
        told = domain.answer(one.told)
        assert (told and domain.shown(told)) == answer(one)
        assert ("\\boxed{" in one.told) is one.complete
        doubts += "let me" in one.told
    assert doubts > 60


def test_programs_work_their_results_out() -> None:
    for one in drawn():
        for call in one.calls:
            assert not states_result(call.tool, call.argument, one.problem.text)


def test_programs_repeat_what_they_put_into_code() -> None:
    for one in of("logic"):
        *said, claim = re.findall("# (.+)", one.calls[0].argument)
        assert said == [*one.conditions[1:]]
        assert one.objective.endswith(claim)


async def test_held_out_cases_are_written_for_eval_verifier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, pages = tmp_path / "cases.jsonl", tmp_path / "pages"
    arguments = ["cases", str(out), "--count", "24", "--seed", "1", "--pages", str(pages)]
    monkeypatch.setattr(sys, "argv", arguments)
    write.main()
    found, bad = await load([out])
    assert bad == []
    expected = [(one.problem, one.told, one.right) for one in drawn(24, held=True)]
    for one, (problem, text, right) in zip(found, expected, strict=True):
        assert (one.problem.text, one.given, one.right) == (problem.text, text, right)
    assert LocalIndex(pages).search(facts.people()[0].name, 1)[0].title == facts.people()[0].name


def test_a_solution_that_was_cut_has_a_line_left(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, of = list[Case](), relations._case
    monkeypatch.setattr(relations, "_case", lambda *given: drawn.append(of(*given)) or drawn[-1])
    for seed in (488, 510, 685, 706):  # they draw puzzles without a condition
        assert relations.make(random.Random(seed), "cut").lines
    assert not all(case.lines for case in drawn), "no such puzzle was drawn: find other seeds"
