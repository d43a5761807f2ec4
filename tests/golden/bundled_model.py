"""The bundled model under every method, so that a run gives the same row again.

One slot, one thread and no prompt cache: what a request is answered depends on nothing but itself.
"""

from __future__ import annotations

import hashlib
import json
import urllib.request
from collections.abc import AsyncIterator, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args
from unittest.mock import patch

from golden_row import Row, row_of
from model_arms import Arm, pages

import agentflow
from agentflow import Result, models
from agentflow.evaluation.datasets import right
from agentflow.models import embedded
from agentflow.problem import Problem
from agentflow.run import Status

ALWAYS: dict[str, Any] = {"seed": 0, "cache": False, "idle_timeout": 3600.0}
_PROMPTS = ("game24: 4 7 8 8", "math: Tom has 3 bags of 4 apples.", "The maze")


def server() -> str:
    """The base URL of the model with one slot."""
    return embedded.serve(embedded.bundled(), slots=1)


def fingerprint() -> str:
    """What the engine makes of three prompts, greedy and sampled, with log-probabilities.

    It asks the engine itself, so that no change of ours moves it; another processor's arithmetic,
    another version of llama.cpp and other weights do.
    """
    found = hashlib.sha256()
    for prompt in _PROMPTS:
        for temperature in (0.0, 1.0):
            said = _complete({"prompt": prompt, "temperature": temperature})
            tokens = [
                (one["token"], one["logprob"], [alike["logprob"] for alike in one["top_logprobs"]])
                for one in said["completion_probabilities"]
            ]
            found.update(json.dumps([said["content"], tokens]).encode())
    return found.hexdigest()[:16]


def _complete(body: dict[str, Any]) -> Any:
    always = {"n_predict": 96, "seed": 1, "n_probs": 4, "cache_prompt": False}
    request = urllib.request.Request(
        server().removesuffix("/v1") + "/completion",
        json.dumps(always | body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=600) as reply:
        return json.load(reply)


async def rows(runs: Iterable[tuple[Arm, str, Problem]]) -> AsyncIterator[tuple[Row, list[str]]]:
    """The row of each run, and what is wrong with it wherever it was run."""
    at = server()
    try:
        with TemporaryDirectory() as folder, patch.object(embedded, "SLOTS", 1):  # of the judge
            pages(Path(folder) / "pages.json")
            local = {"search": f"local:{folder}"}
            for arm, domain, problem in runs:
                key = {"part": "model", "method": arm.method, "arm": arm.name}
                key |= {"problem": f"{domain} {problem.id}"}
                faults: list[str] = []
                tools = {"tools": local} if domain == "commonsense" else {}
                run = partial(_run, arm, problem, at, faults, {"domain": domain, **tools})
                yield await row_of(key, run, timed=True), faults
    finally:
        await models.close_all()


async def _run(
    arm: Arm, problem: Problem, at: str, faults: list[str], given: dict[str, Any]
) -> Result:
    settings = {**ALWAYS, **given, **arm.settings}
    said = {"text": problem.text, "id": problem.id, "gold": problem.gold}
    result = await agentflow.asolve(said, arm.method, model=at, **settings)
    where = f"{arm.method} / {arm.name} / {problem.id}"
    faults += [f"{where}: {fault}" for fault in await wrong_anywhere(problem, result)]
    return result


async def wrong_anywhere(problem: Problem, result: Result) -> list[str]:
    """What no machine's arithmetic excuses."""
    found = []
    if result.status not in get_args(Status):
        found.append(f"the status {result.status!r}")
    if result.status == "verified" and not await right(problem, result.answer):
        found.append(f"verified, and wrong: {result.answer!r}")
    if (result.answer is None) != (result.status in ("abstained", "exhausted")):
        found.append(f"{result.status} with the answer {result.answer!r}")
    sums = result.as_dict()
    for count in ("calls", "prompt", "generated", "wasted"):
        whole = sum(role[count] for role in sums["cost_by_role"].values())
        if whole != sums["cost"][count]:
            found.append(f"{count} by role come to {whole}, not {sums['cost'][count]}")
    if not 0 <= result.cost.wasted <= result.cost.generated:
        found.append(f"{result.cost.wasted} of {result.cost.generated} tokens wasted")
    return found
