"""The program that most others agree with, on tests that a model writes: dual execution agreement
(Chen et al. 2022, "CodeT: Code Generation with Generated Tests", section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from agentflow.channels import Sample
from agentflow.domains import Domain
from agentflow.models.structured import Reply, Wording
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.choice import Choice, failed
from agentflow.nodes.run import Run
from agentflow.nodes.surviving import FAILURES
from agentflow.own_parts import listed_of
from agentflow.problem import Problem
from agentflow.settings import Few, Settings
from agentflow.together import together
from agentflow.tools.sandbox.errors import SandboxUnavailable

_NAME = "tests"


class TestSettings(Settings):
    """Settings of tests that a model writes."""

    __test__ = False  # pytest takes the name for one of its own

    tests: Few = Field(
        default=10, description="choose=tests: how many tests are asked for; no more are run"
    )


class Tests(Reply):
    """Tests of a function, each a statement with an assertion."""

    __test__ = False

    tests: list[Wording]


async def most_tested(run: Run[Any], samples: Sequence[Sample]) -> Choice:
    """Have a model (role verifier) write tests from the problem alone, and run every program on
    each. Programs that pass the same tests are a set; its worth is the number of its programs times
    that of the tests they pass. Of the best set the first sample is taken, of equals the larger."""
    domain, problem = await run.domain(), run.problem
    try:
        fields, room = {"count": run.settings.tests}, 512 + 128 * run.settings.tests
        reply, entries = await ask_role_json(run, ("sampling", _NAME), fields, Tests, tokens=room)
    except FAILURES as error:
        return failed(run, _NAME, error)
    tests = list(dict.fromkeys(reply.value.tests))[: run.settings.tests] if reply.value else []
    if not tests:
        why = reply.error or "no test was written"
        return Choice(None, why, limit=run.budget.over, entries=entries)
    try:
        best, passed = await agreement(domain, problem, samples, tests)
    except SandboxUnavailable as error:
        return Choice(None, f"no test was run: {error}", entries=entries)
    if not passed:
        return Choice(None, f"no sample passes any of {len(tests)} tests", entries=entries)
    told = f"one of {len(best)} samples that pass the same {passed} of {len(tests)} tests"
    return Choice(best[0], told, entries=entries)


async def agreement(
    domain: Domain, problem: Problem, samples: Sequence[Sample], tests: Sequence[str]
) -> tuple[list[Sample], int]:
    """The set of samples that is worth most, by their order, and how many tests they pass."""
    said = (one.said or "" for one in samples)
    outcomes = await together(listed_of(domain, "tested", bool, problem, it, tests) for it in said)
    sets: dict[tuple[bool, ...], list[Sample]] = {}
    for sample, passes in zip(samples, outcomes, strict=True):
        sets.setdefault(tuple(passes), []).append(sample)
    most, best = max(sets.items(), key=lambda one: (sum(one[0]) * len(one[1]), len(one[1])))
    return best, sum(most)
