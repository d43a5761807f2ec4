"""FlexiVe as nodes: fast runs, and slow ones (Solve-Detect-Verify, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from agentflow.ledger import Entries
from agentflow.models.metered import Metered
from agentflow.nodes.announced import announced
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Node, Update, node
from agentflow.settings import Positive, Settings, Share
from agentflow.verifiers import FlexiVe
from agentflow.verifiers.flexive import Mode, Stage


class FlexSettings(Settings):
    """Settings of FlexiVe; the defaults are Flex@8's."""

    k: int = Field(default=8, ge=1, le=1024, description="Runs of the verifier's first stage")
    tau: Share = Field(default=0.8, description="Agreement at which fast runs are enough")
    slow_runs: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="Slow runs where they are not; empty for one in eight of k",
    )
    fast_tokens: Positive = Field(default=1024, description="Most tokens of a fast reply")
    slow_tokens: Positive | None = Field(
        default=None, description="Most tokens of a slow reply; empty for the profile's"
    )

    @property
    def mode(self) -> Mode:
        """Which stages there are."""
        return "flex"


class FlexiVeSettings(FlexSettings):
    """Settings of flexive."""

    runs: Mode = Field(
        default="flex",
        description="flex: fast runs, and slow ones where they disagree (Flex@k); fast alone "
        "(NoThinking@k); slow alone (Think@k)",
    )

    @property
    def mode(self) -> Mode:
        return self.runs


def flexive(stage: Stage) -> Node:
    """A node that runs one stage on ``steps`` and puts what comes of it into ``verdict``.

    A slow stage behind a fast one has ``slow_runs``, else ``k`` runs.
    """

    @node(FlexSettings, Judging)
    async def judge(run: Judging[FlexSettings]) -> Update:
        settings, branch, done = run.settings, run.branch, len(run.operations)
        meters: list[Metered] = []

        async def ask(counted_as: str) -> Metered:
            meters.append(await run.ask("verifier", counted_as, f"{branch}/{done}"))
            return meters[-1]

        verifier = flexive_of(settings, ask)
        runs = verifier.slow_runs if (stage, settings.mode) == ("slow", "flex") else settings.k
        verdict = await verifier.stage(stage, runs, run.problem, run.steps, branch, done)
        entries: Entries = {k: v for meter in meters for k, v in meter.entries.items()}
        run.spent(entries)
        return announced(run, stage, verdict) | {"ledger": entries}

    return judge


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
