"""Crafted cases through the methods: no method says `verified` of what is not right."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import agentflow
from agentflow.errors import BadInput
from agentflow.models import ScriptedModel

FOLDER = Path(__file__).parents[1] / "data" / "crafted"
METHODS: dict[str, dict[str, Any]] = {
    "direct": {},
    "interwhen": {"max_corrections": 0},
    "solve_detect_verify": {"ladder": ["domain"], "detect": False, "iterations": 1},
    "verified_sampling": {"n": 1},
    "unified": {"n": 1, "redraws": 0, "max_corrections": 0},
    "sampling": {"critic": "domain", "k": 1},
}


DOMAIN = pytest.mark.parametrize("domain", sorted(file.stem for file in FOLDER.glob("*.jsonl")))


class Says(ScriptedModel):
    """Gives one text; where it is to go on from it, it has nothing more to say."""

    def __init__(self, text: str) -> None:
        super().__init__(lambda prompt: text if prompt.endswith("<think>\n") else "")


def written(case: dict[str, Any]) -> list[str]:
    """The texts of a model that gives the case's answer, its reply, or its trace."""
    if "reply" in case:
        return [f"</think>\n{case['reply']}"]
    if "answer" not in case:
        return [case["trace"]]
    boxed = f"</think>\n\\boxed{{{case['answer']}}}"
    line = f"</think>\nAnswer: {case['answer']}\n"
    return [boxed] if "\n" in case["answer"] or case.get("boxed") else [boxed, line]


def cases(domain: str) -> list[dict[str, Any]]:
    lines = (FOLDER / f"{domain}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
@DOMAIN
async def test_verified_means_right(domain: str) -> None:
    """Each case through one of the methods, by a fixed draw."""
    drawn = random.Random(0).sample(cases(domain), len(cases(domain)))
    for number, method in enumerate(METHODS):
        assert await wrong(domain, method, drawn[number :: len(METHODS)]) == [], method


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", METHODS)
@DOMAIN
async def test_verified_means_right_in_all(domain: str, method: str) -> None:
    assert await wrong(domain, method, cases(domain)) == []


async def wrong(domain: str, method: str, cases: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What a method says of the cases that is not so."""
    found = list[tuple[Any, ...]]()
    for case in cases:
        for text in written(case):
            given = {"domain": domain, "max_tokens": 100_000, **METHODS[method]}
            try:
                result = await agentflow.asolve(case["problem"], method, model=Says(text), **given)
            except BadInput:
                continue
            claims = result.status in ("verified", "incomplete")
            if claims and case["right"] is not True and "trace" not in case:
                found.append((case["id"], result.status, result.answer))
            refuted = result.final.get("ok") is False and result.final["answer"] == case.get(
                "answer"
            )
            if refuted and case["right"] is not False:
                found.append((case["id"], "refuted", result.reason))
    return found
