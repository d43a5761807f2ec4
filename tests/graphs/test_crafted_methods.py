"""Crafted cases through the methods: no method says `verified` of what is not right."""

from __future__ import annotations

import json
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


class Says(ScriptedModel):
    """Gives one text; where it is to go on from it, it has nothing more to say."""

    def __init__(self, text: str) -> None:
        super().__init__(lambda prompt: text if prompt.endswith("<think>\n") else "")


def written(case: dict[str, Any]) -> list[str]:
    """The texts of a model that gives the case's answer, or its trace."""
    if "answer" not in case:
        return [case["trace"]]
    boxed = f"</think>\n\\boxed{{{case['answer']}}}"
    line = f"</think>\nAnswer: {case['answer']}\n"
    return [boxed] if "\n" in case["answer"] or case.get("boxed") else [boxed, line]


def cases(domain: str) -> list[dict[str, Any]]:
    lines = (FOLDER / f"{domain}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("domain", sorted(file.stem for file in FOLDER.glob("*.jsonl")))
async def test_verified_means_right(domain: str, method: str) -> None:
    wrong = []
    for case in cases(domain):
        for text in written(case):
            given = {"domain": domain, "max_tokens": 100_000, **METHODS[method]}
            try:
                result = await agentflow.asolve(case["problem"], method, model=Says(text), **given)
            except BadInput:
                continue
            claims = result.status in ("verified", "incomplete")
            if claims and case["right"] is not True and "trace" not in case:
                wrong.append((case["id"], result.status, result.answer))
            refuted = result.final.get("ok") is False and result.final["answer"] == case.get(
                "answer"
            )
            if refuted and case["right"] is not False:
                wrong.append((case["id"], "refuted", result.reason))
    assert wrong == []
