"""FlexiVe as nodes: fast runs, and slow ones (paper 002, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime
from pydantic import Field

from agentflow.ledger import Entries
from agentflow.models.metered import Metered
from agentflow.nodes.context import emitter, metered, problem_of, settings_of
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.verdict import Verdict
from agentflow.verifiers import FlexiVe
from agentflow.verifiers.flexive import Mode, Stage


class FlexSettings(Settings):
    """Settings of FlexiVe; the defaults are Flex@8's."""

    k: int = Field(default=8, ge=1, le=1024, description="Runs of the verifier's first stage")
    tau: float = Field(
        default=0.8, ge=0, le=1, description="Agreement at which fast runs are enough"
    )
    slow_runs: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="Slow runs where they are not; empty for one in eight of k",
    )
    fast_tokens: int = Field(default=1024, ge=1, description="Most tokens of a fast reply")
    slow_tokens: int | None = Field(
        default=None, ge=1, description="Most tokens of a slow reply; empty for the profile's"
    )

    @property
    def mode(self) -> Mode:
        """Which stages there are."""
        return "flex"


def flexive(stage: Stage) -> Callable[..., Any]:
    """A node that runs one stage on ``steps`` and puts what comes of it into ``verdict``.

    A slow stage behind a fast one has ``slow_runs``, else ``k`` runs.
    """

    async def node(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
        settings, problem = settings_of(runtime, FlexSettings), problem_of(state)
        branch, done = state.get("branch", 0), len(state.get("operations", ()))
        meters: list[Metered] = []

        async def ask(counted_as: str) -> Metered:
            place = f"{branch}/{done}"
            meters.append(await metered(state, settings, "verifier", counted_as, place))
            return meters[-1]

        verifier = flexive_of(settings, ask)
        runs = verifier.slow_runs if (stage, settings.mode) == ("slow", "flex") else settings.k
        verdict = await verifier.stage(stage, runs, problem, state["steps"], branch, done)
        entries: Entries = {k: v for meter in meters for k, v in meter.entries.items()}
        emit = emitter(state, runtime)
        emit({"type": "usage", "entries": entries})
        return told(emit, stage, verdict) | {"ledger": entries}

    return node


def flexive_of(settings: FlexSettings, ask: Callable[[str], Any]) -> FlexiVe:
    """The verifier that the settings describe."""
    return FlexiVe(
        ask,
        settings.mode,
        settings.k,
        settings.tau,
        settings.slow_runs,
        settings.seed,
        fast_tokens=settings.fast_tokens,
        slow_tokens=settings.slow_tokens,
    )


def told(emit: Callable[[dict[str, Any]], None], rung: str, verdict: Verdict) -> dict[str, Any]:
    """A verdict on the whole solution, as an event and as the state's update."""
    plain = asdict(verdict)
    emit({"type": "verdict", "monitor": rung, "final": True, "answer": None} | plain)
    return {"verdict": plain | {"rung": rung}}
