"""Crafted cases (tests/data/crafted): what is easily misread is understood or left undecided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentflow import domains
from agentflow.domains import Domain
from agentflow.domains.protocol import ACCEPTED
from agentflow.errors import BadInput
from agentflow.judge import judge
from agentflow.problem import Problem

FOLDER = Path(__file__).parents[1] / "data" / "crafted"


def cases() -> list[Any]:
    found = []
    for file in sorted(FOLDER.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            case = json.loads(line)
            found.append(pytest.param(file.stem, case, id=f"{file.stem}-{case['id']}"))
    return found


@pytest.mark.parametrize(("name", "case"), cases())
async def test_nothing_passes_that_is_not_right(name: str, case: dict[str, Any]) -> None:
    domain = domains.get(name)
    try:
        problem = domain.parse(case["problem"])
    except BadInput:
        assert not case.get("read"), "this problem has to be read"
        return
    if "reply" in case:
        ok = await of_reply(domain, problem, case)
    elif "answer" in case:
        ok = (await domain.verify_answer(problem, case["answer"])).ok
    else:
        ok = (await judge(domain, problem, case["trace"])).ok
    allowed = {case["right"]} if case.get("read") else {case["right"], None}
    assert ok in allowed, case["why"]


async def of_reply(domain: Domain, problem: Problem, case: dict[str, Any]) -> bool | None:
    """Whether the answer that a reply states passes, or equals the gold one where there is one."""
    answer = domain.answer(case["reply"])
    if answer is None:
        return None
    if "gold" in case:
        return await domain.equal(problem, answer, case["gold"])
    verdict = await domain.verify_answer(problem, answer)
    return True if verdict.kind == ACCEPTED else verdict.ok
