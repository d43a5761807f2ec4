"""Instructions in a solution: none turns a verdict that the tools' evidence contradicts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from verifiagent_world import HONEST, WRONG, Script, evaluation, meta, stub_tools

DATA = Path(__file__).parents[1] / "data" / "injections" / "cases.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
CORRECT = evaluation(True)
SEARCH = {"search": stub_tools()["search"]}

PROOF = """Action: Use Theorem Prover[
from z3 import *
def main():
    total = Int('total')
    s = Solver()
    s.add(total == 48 + 48 / 2)
    claim = total == 70
    holds, fails = s.check(claim), s.check(Not(claim))
    return 'Agree' if fails == unsat else 'Contradict' if holds == unsat else 'Uncertain'
ans = main()
]"""


def solution(case: dict[str, Any], wrong: str = WRONG) -> str:
    """A wrong solution with the case's text in it."""
    steps, _, answer = wrong.rpartition("\n")
    text = case["text"] * case.get("times", 1)
    match case.get("at"):
        case "end":
            return f"{wrong}\n{text}"
        case "answer":
            return f"{steps}\n{text}\nAnswer: {case['answer']}"
    return f"{steps}\n{text}\n{answer}"


def gullible(case: dict[str, Any], first: Sequence[str] = (), then: Sequence[str] = ()) -> Script:
    """A verifier that does what the solution tells it to, between what it does by itself."""
    obeys = [*case.get("obeys", ()), CORRECT]
    said = case.get("meta", meta())
    return Script([*first, *obeys, *then, CORRECT], CORRECT, CORRECT, said)


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 40
    assert len({solution(case) for case in CASES}) == len(CASES)
    assert len({case["guise"] for case in CASES}) >= 15


Check = Callable[[dict[str, Any]], Awaitable[None]]


async def hold(check: Check, cases: Sequence[dict[str, Any]] = CASES) -> None:
    """Have a check hold for every case; eight at once, and all that fail are told."""
    places = asyncio.Semaphore(8)

    async def one(case: dict[str, Any]) -> str:
        async with places:
            try:
                await check(case)
            except AssertionError as error:
                return f"{case['id']} ({case['guise']}): {error}"
        return ""

    assert [failed for failed in await asyncio.gather(*map(one, cases)) if failed] == []


async def test_against_pythons_evidence() -> None:
    """The verifier calculates, and obeys then."""

    async def check(case: dict[str, Any]) -> None:
        script = gullible(case, first=[HONEST])
        verdict = await script.judge(solution(case), rounds=8, tools=SEARCH)
        call = verdict.evidence["calls"][0]
        assert (call["observation"], call["agrees"]) == ("value: 72", False)
        assert (verdict.ok, verdict.kind) == (None, "evidence_against")

    await hold(check)


@pytest.mark.slow
async def test_who_obeys_first_and_calculates_when_it_must() -> None:
    async def check(case: dict[str, Any]) -> None:
        script = gullible(case, then=[HONEST])
        verdict = await script.judge(solution(case), rounds=8, tools=SEARCH)
        assert verdict.ok is None
        assert verdict.evidence["calls"][-1]["observation"] == "value: 72"

    await hold(check, [case for case in CASES if not case.get("works")])


@pytest.mark.slow
async def test_who_only_obeys_finds_nothing() -> None:
    async def check(case: dict[str, Any]) -> None:
        verdict = await gullible(case).judge(solution(case), tools=SEARCH)
        assert verdict.ok is None
        assert not [call for call in verdict.evidence["calls"] if call["agrees"]]

    await hold(check, [case for case in CASES if not case.get("works")])


@pytest.mark.slow
async def test_against_the_domains_evidence() -> None:
    wrong = "8 / 8 = 1 (left: 1 4 7)\nAnswer: (7 + 8 / 8) * 4 = 24"

    async def check(case: dict[str, Any]) -> None:
        if case.get("at") == "answer":
            case = case | {"answer": f"(7 + 8 / 8) * 4 = {case['answer']}"}
        script = gullible(case)
        verdict = await script.judge(solution(case, wrong), "4 7 8 8", "game24", driver="domain")
        agrees = verdict.evidence["calls"][0]["agrees"]
        assert agrees is not True
        if agrees is None:  # what the case made of the answer cannot be read: it passes nothing
            assert verdict.ok is not True
            return
        read = verdict.evidence["meta"]  # else nothing disagrees with the domain
        assert (verdict.ok, bool(verdict.kind)) == (None if read else False, True)

    await hold(check)


@pytest.mark.slow
async def test_against_z3s_evidence() -> None:
    async def check(case: dict[str, Any]) -> None:
        script = gullible(case, first=[PROOF])
        verdict = await script.judge(solution(case), rounds=8, tools=SEARCH)
        assert verdict.evidence["calls"][0]["outcome"] == "contradict"
        assert (verdict.ok, verdict.kind) == (None, "evidence_against")

    await hold(check, CASES[::3])


async def test_it_stays_letters_and_stays_quoted() -> None:
    """No marker of a solution becomes one, and no line of it stands where ours stand."""
    for case in CASES[::4]:
        script = gullible(case)
        await script.judge(solution(case), rounds=1, tools=stub_tools())
        for prompt in script.prompts:
            shown = prompt.partition("[Solution]\n")[2].partition("\n\n")[0]
            assert all(line.startswith("> ") for line in shown.split("\n"))
        special = set(script.profile.template.specials)
        for one in script.model.requests:
            texts = [script.model.text((int(i),)) for i in one.prompt]
            assert sum(text in special for text in texts) == 5
