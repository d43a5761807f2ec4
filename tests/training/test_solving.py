"""Traces over the domains: right by their own verifiers, notes and all; held-out problems apart."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from functools import cache, partial
from itertools import islice, pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from agentflow import prompts
from agentflow.domains import get
from agentflow.evaluation.datasets import load
from agentflow.nodes.critic import doubted
from agentflow.state import State
from training import solving
from training.cases import facts
from training.cases.case import is_held_out
from training.game24 import Part
from training.here import at_once, domain
from training.judging import own
from training.mistakes import POCKET
from training.solving import LONG, WORKED, Worked
from training.solving import __main__ as write
from training.solving.trace import slip, trace
from training.texts import CONTEXT_CHARACTERS, LONGEST, prompt

DOMAINS = pytest.mark.parametrize("name", WORKED)
JUDGED = ("math", "maze", "spatialmap", "logic")
"""Domains that refute states."""


@cache
def drawn(name: str, count: int = 25, held_out: bool = False) -> tuple[Worked, ...]:
    return tuple(islice(WORKED[name](random.Random(1), held_out=held_out), count))


@cache
def texts(name: str, count: int = 30) -> tuple[list[Part], ...]:
    return tuple(islice(solving.texts(3, name), count))


def states(name: str, one: Worked, lines: list[str]) -> list[State]:
    memory: dict[str, Any] = {}
    found: list[State] = []
    for line in lines:
        memory, new = domain(name).extract(one.problem, line, 0, memory)
        found += new
    return found


@DOMAINS
def test_solutions_are_right_by_the_domain(name: str) -> None:
    judged = 0
    for one in drawn(name):
        earlier: list[State] = []
        lines = [f"{line}\n" for line in (*one.lines, f"Answer: {one.answer}")]
        for state in states(name, one, lines):
            verdict = at_once(domain(name).verify_state(one.problem, state, earlier))
            assert verdict.ok is not False, (one, state, verdict)
            judged += verdict.ok is True
            earlier.append(state)
        assert earlier[-1].kind == "candidate"
        assert domain(name).answer(lines[-1]) == one.answer
    assert judged > 25 or name not in JUDGED


@DOMAINS
def test_answers_are_the_generators(name: str) -> None:
    for one in drawn(name):
        if one.problem.gold is not None:
            assert one.answer == one.problem.gold
    assert len({one.answer for one in drawn(name)}) > 1


@DOMAINS
def test_held_out_problems_stay_held_out(name: str) -> None:
    for held_out in (False, True):
        for one in drawn(name, 10, held_out):
            if name != "commonsense":
                assert is_held_out(one.problem.text) is held_out
            elif not one.problem.text.startswith("What was the work of"):
                asked = [who.name for who in facts.people() if who.name in one.problem.text]
                assert asked
                assert any(map(is_held_out, asked)) is held_out
    assert not {one.problem.text for one in drawn(name, 10, True)} & {
        one.problem.text for one in drawn(name)
    }


@DOMAINS
def test_prompts_are_those_of_a_run(name: str) -> None:
    for parts, one in zip(texts(name, 5), drawn(name, 5), strict=True):
        assert parts[0].text.startswith("<|im_start|>user\n")
        user = prompts.for_problem("interwhen", get(name).parse(one.problem.text), POCKET)[1]
        assert trace(random.Random(1), one)[0].text == prompt(user)


@DOMAINS
def test_mistakes_are_not_learned_and_their_notes_are_the_verifiers(name: str) -> None:
    """Of the domain's verifier or, where that knows few mistakes, of a reward model."""
    noted = 0
    for parts in texts(name):
        for part in parts[1:]:
            if not part.learn:
                wrong, _, note = part.text.partition("\n")
                assert note.startswith(("Wait, ", "[verifier: ")), part
                assert wrong
                noted += 1
            else:
                assert "[verifier" not in part.text
    assert noted > 5


@DOMAINS
def test_a_right_line_that_is_doubted_is_written_again(name: str) -> None:
    """A reward model objects to right lines, too; what is learned then is to keep to them."""
    kept = mended = 0
    for parts in texts(name, 150):
        for part, behind in pairwise(parts):
            line, _, note = part.text.partition("\n")
            if doubted(line) in note:
                assert not part.learn
                kept += behind.learn and behind.text == f"{line}\n"
                mended += behind.learn and behind.text != f"{line}\n"
    assert kept > 5
    assert mended > 5


@pytest.mark.parametrize("name", LONG)
def test_long_problems_take_more_lines(name: str) -> None:
    means = [
        mean(len(one.lines) for one in islice(draw(random.Random(2), held_out=True), 20))
        for draw in (WORKED[name], LONG[name])
    ]
    assert means[1] > 1.3 * means[0]


def test_long_texts_are_right_and_nearly_fill_the_context() -> None:
    longest = 0
    for parts in islice(solving.long_texts(4), 60):
        longest = max(longest, sum(len(part.text) for part in parts))
        assert parts[-1].learn
    assert LONGEST < longest <= CONTEXT_CHARACTERS


@DOMAINS
def test_answers_end_the_text_and_are_read(name: str) -> None:
    cut = doubted = 0
    rng = random.Random(5)
    for one in drawn(name) * 3:
        said = "".join(part.text for part in trace(rng, one)[1:])
        thinking, closed, behind = said.partition("</think>\n")
        assert closed
        assert behind.endswith("<|im_end|>")
        answer = domain(name).answer(behind.removesuffix("<|im_end|>"))
        assert domain(name).shown(answer or "") == one.answer
        cut += "Answer: " not in thinking
        doubted += thinking.count("let me")
    assert cut
    assert doubted > 10


def test_a_slip_changes_one_word() -> None:
    rng, swaps = random.Random(2), (("left", "right"), ("alone",))
    found = {slip(rng, "go left 3", swaps) for _ in range(50)}
    assert "go right 3" in found
    assert all(one == "go right 3" or one.startswith("go left ") for one in found)
    assert slip(rng, "nothing alone", swaps) == "nothing alone"


@pytest.mark.parametrize("size", [[], ["--long"]])
def test_held_out_problems_are_written_for_eval(
    size: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("logic", "maze"):
        out = tmp_path / f"{name}.jsonl"
        monkeypatch.setattr(sys, "argv", ["solving", name, str(out), "--count", "5", *size])
        write.main()
        problems = load(str(out), name)
        assert len(problems) == 5
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        assert [one.gold for one in problems] == [row["gold"] for row in rows]
        assert all(is_held_out(one.text) for one in problems)


@pytest.mark.parametrize("name", ["game24", "logic", "math", "spatialmap"])
def test_what_a_controller_learns_from_is_kept_apart_from_what_it_is_measured_on(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The problems that ``benchmarks/controller.py`` records and those that it measures on."""
    found = []
    for given in (["--trained", "--count", "20", "--seed", "3"], ["--count", "60"]):
        out = tmp_path / f"{len(given)}.jsonl"
        monkeypatch.setattr(sys, "argv", ["solving", name, str(out), *given])
        write.main()
        found.append({one.text for one in load(str(out), name)})
    trained, measured = found
    assert (len(trained), len(measured)) == (20, 60)
    assert not trained & measured
    assert not any(own.held_out(name, text) for text in trained)
    assert all(own.held_out(name, text) for text in measured)


def test_domains_without_long_problems_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["solving", "commonsense", str(tmp_path / "out"), "--long"])
    with pytest.raises(SystemExit):
        write.main()
    assert "of commonsense there are no longer ones" in capsys.readouterr().err


def test_there_are_not_so_many_held_out_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "people.jsonl"
    monkeypatch.setattr(facts, "make", partial(first_of, facts.make))
    monkeypatch.setattr(write, "_IN_VAIN", 500)
    monkeypatch.setattr(sys, "argv", ["solving", "commonsense", str(out), "--count", "9"])
    with pytest.raises(SystemExit, match="commonsense has 1 "):
        write.main()
    assert not out.exists()


def first_of(make: Callable[..., Any], rng: random.Random, *rest: Any, **given: Any) -> Any:
    """Always the same."""
    return make(random.Random(0), *rest, **given)
