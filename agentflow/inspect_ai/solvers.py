"""A method as a solver of Inspect's: ``--solver agentflow/METHOD``."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from agentflow.inspect_ai.driven import Driven
from agentflow.inspect_ai.runs import NAME, output_of, problem_in, run, settings_of, usable
from agentflow.inspect_ai.scoring import PREFIX


@solver(name=f"{PREFIX}method")
def method(name: str, at: str | None = None, **settings: Any) -> Solver:
    """A method that runs on a sample's messages.

    The method drives the model of the evaluation, which is asked by messages alone. With ``at`` it
    has a server of its own, and with it all that agentflow can do with one.

    A run's seed is ``seed`` (0 by default) and the number of epochs before it.

    Args:
        name: The method.
        at: Where its model is served (:class:`~agentflow.settings.Server`).
        settings: The method's.

    Raises:
        PrerequisiteError: If there is no such method or setting.
    """
    with usable():
        checked = settings_of(name, at, settings)
    first = int(checked.get("seed", 0))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        seed = first + state.epoch - 1
        if at is not None:
            model = get_model(f"{NAME}/{name}", at=at, **settings)
            state.output = await model.generate(state.messages, config=GenerateConfig(seed=seed))
        else:
            problem, own = problem_in(state.messages)
            driven = Driven(get_model())
            result = await run(problem, name, checked | own | {"seed": seed}, driven)
            state.output = output_of(result, driven.name, seed)
            state.output.usage = driven.used
        state.messages.append(state.output.message)
        return state

    return solve


def registered(name: str) -> None:
    """Tell Inspect of a method by its own name: ``agentflow/interwhen``."""

    def made(at: str | None = None, **settings: Any) -> Solver:
        return method(name, at, **settings)

    solver(PREFIX + name)(made)
