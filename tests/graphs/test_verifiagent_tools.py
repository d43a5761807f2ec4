"""verifiagent over the real tools: the sandbox, Z3, a local search index."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest
from verifiagent_world import HONEST, RIGHT, WRONG, Script, evaluation, meta, question

RAUL = """Raul either ignored warning signs or listened to his body. Raul did not ignore warning \
signs.
Conclusion: Raul got proper medical attention when needed."""
RAULS = """Raul did not ignore warning signs, so he listened to his body.
Who listens to their body seeks medical attention, so Raul got it.
Answer: True"""
PROOF = """Thought: does it follow?
Action: Use Theorem Prover
```python
from z3 import *

def check(solver, claim):
    holds, fails = solver.check(claim), solver.check(Not(claim))
    if unknown in (holds, fails) or holds == fails == unsat:
        return 'unsolvable'
    if holds == fails:
        return 'Uncertain'
    return 'Agree' if fails == unsat else 'Contradict'

def main():
    s = Solver()
    ignored, listened, attention = Bools('ignored listened attention')
    s.add(Or(ignored, listened), Not(ignored))
    return check(s, CLAIM)

ans = main()
```"""


async def test_python_catches_wrong_arithmetic() -> None:
    script = Script(act=[HONEST, evaluation(False)])
    verdict = await script.judge(WRONG)
    assert (verdict.ok, verdict.kind) == (False, "wrong_step")
    (call,) = verdict.evidence["calls"]
    assert (call["observation"], call["agrees"]) == ("value: 72", False)
    assert "> value: 72\nThe solution's answer is another one." in script.prompts[2]
    again = await Script(act=[HONEST, evaluation(False)]).judge(WRONG)
    assert asdict(again) == asdict(verdict)
    right = Script(act=[HONEST, evaluation(True)])
    verdict = await right.judge(RIGHT)
    assert (verdict.ok, verdict.evidence["calls"][0]["agrees"]) == (True, True)


@pytest.mark.parametrize(
    ("claim", "outcome", "agrees", "ok"),
    [
        ("attention", "uncertain", False, False),
        ("ignored", "contradict", False, False),
        ("listened", "agree", True, True),
    ],
)
async def test_z3_catches_what_does_not_follow(
    claim: str, outcome: str, agrees: bool, ok: bool
) -> None:
    jump = evaluation(ok, "Step 2 does not follow from what is given.")
    script = Script(act=[PROOF.replace("CLAIM", claim), jump], reflect=jump)
    verdict = await script.judge(RAULS, RAUL, "logic")
    (call,) = verdict.evidence["calls"]
    assert (call["tool"], call["outcome"], call["agrees"]) == ("z3", outcome, agrees)
    assert (verdict.ok, verdict.first_wrong_step) == (ok, None if ok else 1)


async def test_the_local_index_catches_a_false_fact(tmp_path: Path) -> None:
    text = "Roy Rogers has about fifty restaurants. Taco Bell has more than 7,000 restaurants."
    (tmp_path / "chains.md").write_text(f"# Restaurant chains\n\n{text}\n")
    false = evaluation(False, "Step 1 is wrong: Roy Rogers has about fifty restaurants.")
    script = Script(act=[question("How many restaurants has Roy Rogers?"), false], reflect=false)
    verdict = await script.judge(
        "Fact: Roy Rogers has 90,000 restaurants.\nAnswer: no",
        "Do more people visit Taco Bell than Roy Rogers?",
        "commonsense",
        tools={"search": f"local:{tmp_path}"},
    )
    assert (verdict.ok, verdict.first_wrong_step) == (False, 0)
    (call,) = verdict.evidence["calls"]
    assert (call["outcome"], call["agrees"]) == ("found", None)
    assert "about fifty restaurants" in script.prompts[2]
    assert all(line[:2] == "> " for line in script.prompts[2].splitlines() if "fifty" in line)


async def test_a_program_that_fails_is_told_and_mended() -> None:
    bad = "Action: Use Python Interpreter[\ndef solver():\n    return 48 / 0\nans = solver()]"
    script = Script(act=[bad, HONEST, evaluation(True)], meta=meta())
    verdict = await script.judge(RIGHT)
    assert [call["outcome"] for call in verdict.evidence["calls"]] == ["error", "value"]
    assert "ZeroDivisionError (line 2)" in script.prompts[2]
    assert verdict.ok is True


@pytest.mark.parametrize(
    ("value", "agrees"),
    [
        ("april * 3 / 2", True),  # 72.0
        ("str(april + 24)", True),
        ("__import__('fractions').Fraction(april * 3, 2)", True),
        ("april + 24 == 72", None),  # a truth value says nothing of a number
        ("april + 23", False),
        ("None if april else 0", None),
    ],
)
async def test_values_are_compared_as_the_domain_compares_answers(
    value: str, agrees: bool | None
) -> None:
    code = f"def solver():\n    april = 48\n    return {value}\nans = solver()"
    act = [f"Action: Use Python Interpreter[\n{code}\n]", evaluation(True)]
    verdict = await Script(act=act, reflect=evaluation(True)).judge(RIGHT, rounds=2)
    assert verdict.evidence["calls"][0]["agrees"] is agrees


async def test_another_right_answer_is_no_contradiction() -> None:
    found = "'4 * (7 - 8 / 8)' * len(numbers[:1])"
    code = f"def solver():\n    numbers = [4, 7, 8, 8]\n    return {found}\n"
    act = [f"Action: Use Python Interpreter[\n{code}ans = solver()\n]", evaluation(True)]
    solution = "Answer: (7 - 8 / 8) * 4 = 24"
    verdict = await Script(act=act).judge(solution, "4 7 8 8", "game24")
    assert (verdict.ok, verdict.evidence["calls"][0]["agrees"]) == (True, True)
    code = code.replace("'4 * (7 - 8 / 8)'", "'24'")  # says that it can be done, not how
    act = [f"Action: Use Python Interpreter[\n{code}ans = solver()\n]", evaluation(True)]
    verdict = await Script(act=act).judge(solution, "4 7 8 8", "game24")
    assert verdict.evidence["calls"][0]["agrees"] is None


ROOM = "A room is 6 m square; 20 square metres of it are carpeted. How much is bare?"
BARE = "The room has 6 * 6 = 36 square metres.\nOf it 36 - 20 = 16 are bare.\nAnswer: 16"


def calculation(code: str) -> str:
    body = f"def solver():\n    side = 6\n    return {code}\nans = solver()"
    return f"Thought: look\nAction: Use Python Interpreter[\n{body}\n]"


@pytest.mark.parametrize("then", [(), (calculation("side * side - 20"),)])
async def test_a_value_on_the_way_does_not_overrule_the_evaluation(then: tuple[str, ...]) -> None:
    script = Script(act=[calculation("side * side"), *then, evaluation(True)])
    verdict = await script.judge(BARE, ROOM)
    assert [call["about"] for call in verdict.evidence["calls"]] == [
        "intermediate",
        *(["answer"] if then else []),
    ]
    assert (verdict.ok, "reflect" in script.asked) == (True, False)


@pytest.mark.parametrize(
    ("answer", "claim", "ok"),
    [("False", "ignored", True), ("Uncertain", "attention", True), ("False", "listened", None)],
)
async def test_what_z3_finds_bears_out_the_answer_that_says_so(
    answer: str, claim: str, ok: bool | None
) -> None:
    act = [PROOF.replace("CLAIM", claim), evaluation(True)]
    script = Script(act=act, reflect=evaluation(True))
    solution = f"Raul did not ignore warning signs.\nAnswer: {answer}"
    verdict = await script.judge(solution, RAUL, "logic")
    assert (verdict.ok, verdict.kind) == (ok, "" if ok else "evidence_against")
