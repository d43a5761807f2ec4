"""FlexiVe as nodes: fast runs, and slow ones (Solve-Detect-Verify, section 3.2)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import Field

from agentflow.ledger import Entries
from agentflow.models.metered import Ask, Metered
from agentflow.nodes.announced import announced
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Node, Update, node
from agentflow.settings import Positive, Settings, Share
from agentflow.verdict import Verdict
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
        settings, place = run.settings, (run.branch, len(run.operations))

        async def judged(ask: Ask) -> Verdict:
            verifier = FlexiVe(
                ask,
                settings.mode,
                settings.k,
                settings.tau,
                settings.slow_runs,
                settings.seed,
                fast_tokens=settings.fast_tokens,
                slow_tokens=settings.slow_tokens,
            )
            runs = verifier.slow_runs if (stage, settings.mode) == ("slow", "flex") else settings.k
            return await verifier.stage(stage, runs, run.problem, run.steps, *place)

        return await asked(run, stage, "", judged)

    return judge


async def asked(
    run: Judging[Any], name: str, below: str, judged: Callable[[Ask], Awaitable[Verdict]]
) -> Update:
    """The update of a node that has FlexiVe judge ``steps``, by models that are counted.

    Args:
        name: Of the verdict.
        below: The node's place in the run, where others ask at the same time.
    """
    meters: list[Metered] = []

    async def ask(counted_as: str) -> Metered:
        place = f"{run.branch}/{len(run.operations)}{below}"
        meters.append(await run.ask("verifier", counted_as, place))
        return meters[-1]

    verdict = await judged(ask)
    entries: Entries = {k: v for meter in meters for k, v in meter.entries.items()}
    run.spent(entries)
    return announced(run, name, verdict) | {"ledger": entries}
