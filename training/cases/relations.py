"""Relation puzzles: what is given, and what is said to follow from it; Z3 tells."""

from __future__ import annotations

import random
import re

from agentflow.domains import get
from agentflow.generators import relations
from agentflow.generators.propositional import ANSWERS
from agentflow.verifiers.actions import Call
from training.cases.case import Case, Flaw, Uses, is_held_out

_LOGIC = get("logic")
_CLAIM = re.compile(r"^    claim = (.*)$", re.MULTILINE)
_OUTCOME = re.compile(r"^    if unknown in .*?(?=^ans)", re.MULTILINE | re.DOTALL)

_SAID = {
    "True": "So it holds that: {claim}",
    "False": "So it cannot be that: {claim}",
    "Uncertain": "It is left open whether: {claim}",
}
_WHY = {
    "True": "the conditions entail it",
    "False": "the conditions rule it out",
    "Uncertain": "the conditions leave it open",
}


def make(rng: random.Random, flaw: Flaw | None, *, held_out: bool = False) -> Case:
    """One case. A wrong solution concludes what does not follow."""
    while True:
        for puzzle in relations.generate(3, rng.getrandbits(32), size=(3, 4)):
            if is_held_out(puzzle.problem.text) == held_out and rng.random() < 0.5:
                case = _case(puzzle, rng, flaw)
                if case.lines:  # a puzzle without a condition has none but its answer's
                    return case


def _case(puzzle: relations.Puzzle, rng: random.Random, flaw: Flaw | None) -> Case:
    text, _, claim = puzzle.problem.text.partition("\nConclusion: ")
    conditions = tuple(re.split(r"(?<=\.) ", text))
    gold = str(puzzle.problem.gold)
    said = rng.choice([one for one in ANSWERS if one != gold]) if flaw == "wrong" else gold
    given = range(2, len(conditions) + 1)
    lines = [*conditions[1:], _SAID[said].format(claim=claim), f"Answer: {said}"]
    uses = [*(Uses((n,)) for n in given), Uses((1,), tuple(n - 1 for n in given))]
    uses.append(Uses((), (len(lines) - 1,)))
    if flaw == "cut":
        lines, uses = lines[:-2], uses[:-2]
    wrong = len(lines) - 2 if flaw == "wrong" else -1
    return Case(
        _LOGIC.parse(puzzle.problem.text),
        conditions,
        f"Whether it is true, false or uncertain that: {claim}",
        "\n".join(lines),
        tuple(lines),
        tuple(uses),
        (Call("z3", _program(puzzle.python, said), "Check what the solution claims."),),
        (_outcome(said, gold),),
        complete=flaw != "cut",
        wrong=wrong,
        reason={"wrong": _WHY[gold], "cut": "no answer is given"}.get(flaw or "", ""),
        revision="" if flaw is None else f"{_WHY[gold]}, so the answer is {gold}",
    )


def _outcome(said: str, gold: str) -> str:
    """What Z3 finds of the claim of a solution that answers ``said``."""
    if said == gold:
        return "agree"
    return "uncertain" if gold == "Uncertain" else "contradict"


def _program(python: str, said: str) -> str:
    """A puzzle's program, asking for what a solution that answers ``said`` claims."""
    if said == "False":
        return _CLAIM.sub(r"    claim = Not(\1)", python).strip()
    if said == "Uncertain":
        both = '    return "Agree" if agrees == contradicts == sat else "Contradict"\n\n'
        return _OUTCOME.sub(both, python).strip()
    return python.strip()
