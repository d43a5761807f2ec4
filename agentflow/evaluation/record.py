"""Record chains: run thinking to its end, and ask every signal at every check point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, cast

from agentflow.api import settings_for
from agentflow.errors import BadInput
from agentflow.evaluation import chains
from agentflow.evaluation.runner import Arm, Record, run
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.run import Result


async def record(
    problems: Sequence[Problem],
    seeds: Sequence[int],
    out: Path,
    *,
    model: str | Model = "embedded",
    settings: Mapping[str, Any] | None = None,
    concurrency: int = 1,
    on_record: Callable[[Record], None] = lambda record: None,
) -> list[chains.Chain]:
    """Record a chain for each problem and seed, into a Parquet file.

    Finished chains are in JSON lines beside it as they come; a recording that was cut off goes on
    where it stopped.

    Args:
        out: Where the Parquet file goes.
        settings: Of ``early_exit``: where check points are, what the probes ask.

    Raises:
        BadInput: If a setting cannot be used, ``out`` was begun with others or is no name of a
            Parquet file, or a package is missing.
        MissingCapability: If the model cannot be probed.
    """
    arm = recording(out, settings or {})
    length = cast("Any", settings_for(arm.method, **arm.settings)).probe.confidence_tokens
    name = model if isinstance(model, str) else model.name
    records = await run(
        [arm],
        problems,
        seeds,
        out.with_suffix(".jsonl"),
        model=model,
        concurrency=concurrency,
        keep=partial(_kept, model=name, confidence_tokens=length),
        on_record=on_record,
    )
    kept = [r for r in records if "chain" in r.extra]
    found = [chains.from_row({**r.extra["chain"], "seed": r.seed}) for r in kept]
    if found:
        chains.save(found, out)
    return found


def recording(out: Path, settings: Mapping[str, Any]) -> Arm:
    """The arm that records.

    Raises:
        BadInput: As of :func:`record`.
    """
    chains.require_packages()
    if out.suffix != ".parquet":
        raise BadInput(f"{out}: chains are kept in Parquet; name it {out.with_suffix('.parquet')}")
    arm = Arm("recorded", "early_exit", {**settings, **chains.SETTINGS})
    settings_for(arm.method, **arm.settings)
    return arm


def _kept(result: Result, right: bool, *, model: str, confidence_tokens: int) -> dict[str, Any]:
    return {"chain": asdict(chains.chain_of(result, right, 0, model, confidence_tokens))}
