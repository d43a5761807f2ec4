"""One iteration of adaptive compute: its channels and its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from langgraph.runtime import Runtime

from agentflow.nodes.asking import ask_role
from agentflow.nodes.context import domain_of, problem_of, settings_of
from agentflow.run import RunState
from agentflow.settings import Role, Settings

T = TypeVar("T")

FOLDER = "adaptive_compute"
"""Of the prompts."""

LONG = 1024
"""Most tokens of a reply that is a text; the paper's most of any."""


class Iteration(RunState, total=False):
    """The channels of one iteration; ``steps`` are its trajectory.

    Attributes:
        plan: What the planner said; empty for none.
        tools: The reasoning tools, in the order in which they run; empty for direct generation.
        compute: ``strategy`` and ``param`` of the search.
        how: How each reply that has a format came about, by its name: valid, repaired, default.
        reframed: The problem restated; empty for none.
        scores: Validity of the first steps, as far as they are scored.
        critique: What was said of an attempt that is to be refined.
        reward: R of the trajectory; None where nobody scored it.
        scorer: Who did.
        answer: The final answer.
        notes: What went wrong with steps and scores, in words.
    """

    plan: str
    tools: list[str]
    compute: dict[str, Any]
    how: dict[str, str]
    reframed: str
    scores: list[float]
    critique: str
    reward: float | None
    scorer: str
    answer: str | None
    notes: list[str]


async def asked(
    state: Iteration,
    runtime: Runtime[Any],
    name: str,
    read: Callable[[str], T],
    default: T,
    *,
    role: Role = "solver",
    counted_as: str = "solver",
    schema: dict[str, Any] | None = None,
    tokens: int = 256,
    **fields: str,
) -> tuple[T, dict[str, Any]]:
    """Put the prompt ``name`` to a model; its reply is read, repaired once, or defaulted.

    Args:
        read, default, schema, tokens: As for :func:`~agentflow.models.structured.ask`.
        counted_as: Role in the ledger.
        fields: Of the prompt, beside those of every one: ``task``, ``problem``, ``plan``.

    Returns:
        The value, and the state's update.
    """
    texts = await fields_of(state, settings_of(runtime, Settings)) | fields
    reply, entries = await ask_role(
        state,
        runtime,
        (FOLDER, name),
        texts,
        read,
        default,
        role=role,
        counted_as=counted_as,
        schema=schema,
        tokens=tokens,
    )
    how = {**state.get("how", {}), name: reply.how}
    return reply.value, {"ledger": entries, "how": how}


async def fields_of(state: Iteration, settings: Settings) -> dict[str, str]:
    """What every prompt may name."""
    domain, problem = await domain_of(settings), problem_of(state)
    plan = state.get("plan", "")
    return {"task": domain.description, "problem": problem.text, "plan": plan or "none"}


def something(text: str) -> str:
    """The text without space around it.

    Raises:
        ValueError: If nothing is left.
    """
    if not (said := text.strip()):
        raise ValueError("the reply is empty")
    return said


def trajectory(state: Mapping[str, Any], steps: Sequence[str] | None = None) -> str:
    """The trajectory as others read it: its thinking and its answer part as one text."""
    text = "".join(state["steps"] if steps is None else steps)
    return text.replace(state["close"], "\n").strip() if state["close"] else text.strip()
