"""What a manifest takes before it is run: problems, tokens, hours of a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agentflow.errors import BadInput
from agentflow.evaluation.capacity import capacities, server_seconds
from agentflow.evaluation.collected import collect
from agentflow.reproduce.manifest import Manifest
from agentflow.reproduce.run import folder

TOKENS_PER_SECOND = 2000.0
"""That a server is taken to generate over all its streams where nobody measured it: about what a
7B model gives on one large GPU with a batch of moderate size."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a manifest takes.

    Attributes:
        problems: Runs of one arm, over all parts.
        tokens: Generated, over all arms and parts.
        hours: Of one server at its throughput.
        measured: Whether tokens are those of runs that are there, not those that the paper tells.
    """

    problems: int
    tokens: float
    hours: float
    measured: bool


def estimate(manifest: Manifest, tokens_per_second: float, out: Path | None = None) -> Estimate:
    """What a manifest takes.

    Args:
        out: Where runs of it may be: what these used is taken for what the others will.
    """
    parts = [part for part in manifest.parts if part.dataset]
    problems = manifest.seeds * sum(part.size for part in parts)
    tokens = 0.0
    for part in parts:
        times = sum(arm.times for arm in manifest.arms_of(part) if arm.method)
        if manifest.kind in ("chains", "steps"):  # one recording, one pool serve all arms
            times = manifest.times
        if manifest.reasoner is not None:
            times += manifest.reasoner.times
        tokens += manifest.seeds * part.size * part.tokens * times
    used = _used(folder(out, manifest)) if out else None
    if used is not None:
        tokens = used * problems
    return Estimate(
        problems, tokens, server_seconds(tokens, tokens_per_second) / 3600, used is not None
    )


def _used(records: Path) -> float | None:
    """Tokens a problem over all arms, of the runs that there are; None if there are none."""
    if not records.is_dir():
        return None
    means = []
    for path in sorted(records.glob("*.jsonl")):
        if path.name.count(".") > 1:  # what a verifier, a judge or a probe said
            continue
        try:
            found = collect([path])
        except BadInput:
            continue
        means.append(sum(line.generated for line in capacities(found, 1.0)))
    return sum(means) / len(means) if means else None
