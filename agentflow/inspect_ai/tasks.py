"""Our data sets and generated problems as tasks of Inspect's: ``inspect eval agentflow/DOMAIN``."""

from __future__ import annotations

import logging
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from agentflow import domains, prompts
from agentflow.evaluation import datasets
from agentflow.generators import GENERATORS
from agentflow.inspect_ai.provider import AgentflowAPI
from agentflow.inspect_ai.runs import NAME, usable
from agentflow.inspect_ai.scoring import PREFIX, judged
from agentflow.models.turns import CHAT
from agentflow.problem import Problem

_LOG = logging.getLogger(__name__)


@solver
def ask(prompt: str = "cot") -> Solver:
    """State the problem as the domain's prompt does, to a model that is no method of ours.

    Args:
        prompt: A folder of ``prompts/domains`` (the setting ``prompt``).
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if isinstance(get_model().api, AgentflowAPI):  # which states it by itself
            return state
        told = state.metadata[NAME]
        problem = domains.get(told["domain"], {"search": "off"}).parse(state.input_text, told["id"])
        system, user = prompts.for_problem(prompt, problem, CHAT)
        state.user_prompt.text = user
        if system:
            state.messages.insert(0, ChatMessageSystem(content=system))
        return state

    return solve


@task(name=f"{PREFIX}dataset")
def dataset(name: str = "game24", domain: str | None = None, prompt: str = "cot") -> Task:
    """The problems of a data set, judged by their domain.

    Args:
        name: As for ``agentflow eval --dataset``: :func:`agentflow.evaluation.datasets.load`.
        domain: Who parses them; None for the data set's own.
        prompt: As for :func:`ask`.

    Raises:
        PrerequisiteError: If there is no such data set, or no row of it can be used.
    """
    with usable():
        problems = datasets.load(name, domain, skipped=_LOG.warning)
    samples = MemoryDataset([_sample(one) for one in problems], name=name)
    return Task(dataset=samples, solver=[ask(prompt), generate()], scorer=judged())


def _sample(problem: Problem) -> Sample:
    told = {"domain": problem.domain, "id": problem.id}
    about = {key: problem.data[key] for key in ("type", "difficulty") if key in problem.data}
    message = ChatMessageUser(content=problem.text, metadata={NAME: told})
    return Sample(
        input=[message], target=problem.gold or "", id=problem.id, metadata={NAME: told} | about
    )


def _generated(domain: str) -> Any:
    """The task of a domain's generated problems."""

    def made(count: int = 100, seed: int = 0, prompt: str = "cot") -> Task:
        return dataset(f"generate:{domain}?count={count}&seed={seed}", prompt=prompt)

    return made


@task(name=f"{PREFIX}game24")
def game24(prompt: str = "cot") -> Task:
    """The bundled puzzles of Game of 24."""
    return dataset("game24", prompt=prompt)


def registered() -> None:
    """Tell Inspect of the tasks of generated problems."""
    for domain in GENERATORS:
        task(name=PREFIX + domain)(_generated(domain))
