"""One iteration of adaptive compute: its channels and its questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from agentflow.nodes.asking import ask_role
from agentflow.nodes.run import Run, Update, View
from agentflow.run import RunState
from agentflow.settings import Role, Settings

S = TypeVar("S", bound=Settings)
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
        reflected: Whether every action was criticised and refined as it was written.
        reward: R of the trajectory; None where nobody scored it.
        scorer: Who did.
        answer: The final answer.
        notes: What went wrong with steps and scores, in words.
        late: Whether the time is over, so that nobody is asked any more.
    """

    plan: str
    tools: list[str]
    compute: dict[str, Any]
    how: dict[str, str]
    reframed: str
    scores: list[float]
    critique: str
    reflected: bool
    reward: float | None
    scorer: str
    answer: str | None
    notes: list[str]
    late: bool


@dataclass(frozen=True)
class IterationView(View[S]):
    """An iteration as its channels have it; see :class:`Iteration` for each."""

    @property
    def plan(self) -> str:
        return self.channels.get("plan") or ""

    @property
    def tools(self) -> list[str]:
        return self.channels.get("tools") or []

    @property
    def strategy(self) -> str:
        strategy: str = self.channels["compute"]["strategy"]
        return strategy

    @property
    def param(self) -> int:
        return int(self.channels["compute"]["param"])

    @property
    def how(self) -> dict[str, str]:
        return self.channels.get("how") or {}

    @property
    def reframed(self) -> str:
        return self.channels.get("reframed") or ""

    @property
    def scores(self) -> list[float]:
        return self.channels.get("scores") or []

    @property
    def critique(self) -> str:
        return self.channels.get("critique") or ""

    @property
    def reflected(self) -> bool:
        return self.channels.get("reflected") or False

    @property
    def reward(self) -> float | None:
        return self.channels.get("reward")

    @property
    def scorer(self) -> str:
        return self.channels.get("scorer") or ""

    @property
    def answer(self) -> str | None:
        return self.channels.get("answer")

    @property
    def notes(self) -> list[str]:
        return self.channels.get("notes") or []

    @property
    def trajectory(self) -> str:
        """The trajectory as a prompt shows it: without the marker that ends the thinking."""
        text = "".join(self.steps)
        return text.replace(self.close, "\n").strip() if self.close else text.strip()

    @property
    def cut_short(self) -> bool:
        """Whether a limit of tokens or steps ended the trajectory: it may come to an answer as it
        is, which whoever reads answers off trajectories is asked for."""
        late = self.channels.get("late") or False
        return self.stream.ended == "length" and bool(self.steps) and not late


@dataclass(frozen=True)
class IterationRun(Run[S], IterationView[S]):
    """What the nodes of an iteration are given."""

    schema = Iteration


async def asked(
    run: IterationRun[Any],
    name: str,
    read: Callable[[str], T],
    default: T,
    *,
    role: Role = "solver",
    counted_as: str = "solver",
    schema: dict[str, Any] | None = None,
    tokens: int = 256,
    **fields: str,
) -> tuple[T, Update]:
    """Put the prompt ``name`` to a model; its reply is read, repaired once, or defaulted.

    Args:
        read, default, schema, tokens: As for :func:`~agentflow.models.structured.ask`.
        counted_as: Role in the ledger.
        fields: Of the prompt, beside those of every one: ``task``, ``problem``, ``plan``.

    Returns:
        The value, and the state's update.
    """
    reply, entries = await ask_role(
        run,
        (FOLDER, name),
        await fields_of(run) | fields,
        read,
        default,
        role=role,
        counted_as=counted_as,
        schema=schema,
        tokens=tokens,
    )
    return reply.value, {"ledger": entries, "how": run.how | {name: reply.how}}


async def fields_of(run: IterationRun[Any]) -> dict[str, str]:
    """What every prompt may name."""
    task = (await run.domain()).description
    return {"task": task, "problem": run.problem.text, "plan": run.plan or "none"}
