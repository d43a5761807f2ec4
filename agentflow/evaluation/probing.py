"""Recorded chains, probed again: by another model, behind another prefix, at other places.

Only the signal is new. The answers at a check point, and whether they are right, stay the solver's
own roll-outs: a proxy decides when to stop, not what is answered (EAT, section 5.3).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from agentflow import domains, models, prompts
from agentflow.arguments import settings_for
from agentflow.errors import AgentflowError, MissingCapability, ModelUnavailable, StreamBroken
from agentflow.evaluation.chains import Chain, Check
from agentflow.evaluation.records import Arm, alone, lines_of, resume
from agentflow.models import Model
from agentflow.models.metered import Metered
from agentflow.monitors.monitor import Increment
from agentflow.monitors.probes import Prober, ProbeSettings
from agentflow.monitors.schedule import Schedule
from agentflow.trace import Segment, Trace


@dataclass(frozen=True, slots=True)
class How:
    """How chains are probed again.

    Attributes:
        name: What the records are called.
        prefix: Text behind the close marker; None for that of the model's profile.
        closes: Whether the thinking is closed first; off for the papers' controls.
        check: Where; None for the recorded check points.
    """

    name: str
    prefix: str | None = None
    closes: bool = True
    check: Schedule | None = None


CONTROLS = {
    "newline": How("newline", "\n\n", closes=False),
    "bracket": How("bracket", "[", closes=True),
}
"""The entropy behind a line break, without closing the thinking (EAT, appendix F); and that of the
name of a called function, behind a bracket (appendix I.2)."""


@dataclass(frozen=True, slots=True)
class Probed:
    """What a chain was found to have.

    Attributes:
        checks: Of each check point ``tokens``, ``end``, ``entropy`` and ``missing``.
    """

    arm: str
    problem: str
    seed: int
    checks: list[dict[str, Any]]
    error: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from all others."""
        return self.problem, self.seed

    @property
    def failed(self) -> bool:
        """Whether the model could not be asked."""
        return bool(self.error)


@alone
async def probe(
    chains: Sequence[Chain],
    out: Path,
    how: How,
    *,
    model: str | Model,
    settings: Mapping[str, Any] | None = None,
    concurrency: int = 1,
) -> list[Chain]:
    """The chains with the entropies that a model has at their check points.

    Args:
        out: Where what was asked is kept, as JSON lines; it is gone on with.
        settings: Of ``early_exit``, as the chains were recorded: the prompt, the alternatives.

    Returns:
        The chains that could be probed. At places of another schedule a check point has the answers
        of the recorded one at or before it; where there is none before it, it is left out.

    Raises:
        BadInput: If a setting cannot be used, or the file was begun with others.
        MissingCapability: If the model gives no log-probabilities.
        ModelUnavailable: If it does not answer.
    """
    values: Any = settings_for("early_exit", **(settings or {}))
    asked = values.probe.model_copy(update={"prefix": how.prefix, "closes": how.closes})
    told = {"prompt": values.solver_prompt, "probe": asked.model_dump()}
    told |= {"check": how.check.model_dump() if how.check else None}
    arm = Arm(how.name, "probe", told)
    jobs = {
        (one.problem, one.seed): partial(_probe, one, how, model, values.solver_prompt, asked)
        for one in chains
    }
    name = model if isinstance(model, str) else model.name
    found = await resume(out, Probed, lines_of([arm], name), jobs, concurrency)
    return [
        _with(one, found[one.problem, one.seed])
        for one in chains
        if not found[one.problem, one.seed].failed
    ]


async def _probe(chain: Chain, how: How, model: Any, prompt: str, asked: ProbeSettings) -> Probed:
    opened: Model = model if hasattr(model, "stream") else await models.connect(model)
    domain = domains.get(chain.domain)
    problem = domain.parse(chain.problem, chain.id)

    async def ask(role: str) -> Metered:
        return Metered(opened, role, problem.id)

    prober = Prober(
        ask,
        problem,
        domain,
        settings=asked,
        render_for=partial(prompts.for_problem, prompt, problem),
        think_open=opened.profile.think_open,
    )
    checks = []
    try:
        for tokens, end in _places(chain, how.check):
            trace = Trace([Segment("generated", chain.text[:end], ()).operation()])
            found = await prober.entropy(trace)
            checks.append({"tokens": tokens, "end": end} | found)
    except (MissingCapability, ModelUnavailable, StreamBroken):
        raise
    except AgentflowError as error:
        return Probed(how.name, chain.problem, chain.seed, [], str(error))
    return Probed(how.name, chain.problem, chain.seed, checks)


def _places(chain: Chain, check: Schedule | None) -> Iterator[tuple[int, int]]:
    """(tokens, offset) of the places to ask at."""
    if check is None:
        yield from ((one.tokens, one.end) for one in chain.checks)
        return
    memory: dict[str, Any] = {}
    thinking = chain.text[: chain.closed]
    by_token = check.reads == "token"
    ends = [end for end in chain.ends if end <= chain.closed]
    cuts = ends if by_token else _lines(thinking)
    before = 0
    for end in cuts:
        tokens = bisect_right(ends, end) - bisect_right(ends, before)
        text = thinking[before:end]
        memory, places = check.step(memory, Increment(text, before, tokens, False))
        yield from ((bisect_right(ends, one.offset), one.offset) for one in places)
        before = end


def _lines(text: str) -> Iterator[int]:
    """Where lines end."""
    at = 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        yield at


def _with(chain: Chain, found: Probed) -> Chain:
    """The chain with what was found; its recorded answers stay."""
    ends, checks = [one.end for one in chain.checks], list[Check]()
    for one in found.checks:
        at = bisect_right(ends, one["end"]) - 1
        if at >= 0:
            known = {key: one[key] for key in ("tokens", "end", "entropy", "missing")}
            checks.append(replace(chain.checks[at], **known))
    return replace(chain, checks=checks)
