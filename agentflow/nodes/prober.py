"""The prober of a stream: whom its monitors ask beside it, and what."""

from __future__ import annotations

from functools import partial

from agentflow import prompts
from agentflow.monitors.probes import Prober, ProbeSettings
from agentflow.nodes.solve import Task
from agentflow.settings import Role


def prober_of(task: Task, role: Role, asked: ProbeSettings | None = None) -> Prober:
    """Who asks the model of a role about the task's stream.

    Args:
        role: The solver, or a proxy, which reads the problem in its own prompt.
        asked: What is asked at a check point; None for the defaults.
    """
    render = partial(prompts.for_problem, task.settings.solver_prompt, task.problem)
    return Prober(
        partial(task.ask, role),
        task.problem,
        task.domain,
        task.settings.seed,
        asked or ProbeSettings(),
        render_for=render if role == "proxy" else None,
        think_open=task.model.profile.think_open,
        think_close=task.model.profile.think_close,
    )
