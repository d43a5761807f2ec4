"""Run several arms (a method with settings) over the same problems and seeds, one record each.

Records are appended to a JSON-lines file as they finish; a run that was cut off goes on where it
stopped. With one problem at a time and the prefix cache off, arms that share a seed share their
stream until something intervenes, so that differences between them are paired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import blake2b
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Protocol

from agentflow import domains, graphs, models
from agentflow.api import asolve
from agentflow.arguments import settings_for
from agentflow.backoff import silent
from agentflow.errors import (
    AgentflowError,
    BadInput,
    MissingCapability,
    ModelUnavailable,
    StreamBroken,
)
from agentflow.evaluation.checked import like
from agentflow.evaluation.datasets import right, right_form
from agentflow.evaluation.kept import Extra
from agentflow.evaluation.records import Arm, alone, latest, lines_of, resume
from agentflow.evaluation.servers import Place, Servers
from agentflow.judge import states
from agentflow.models import Model
from agentflow.nodes.context import new_budget
from agentflow.problem import Problem
from agentflow.run import Result
from agentflow.strict_json import dumps
from agentflow.thinking_formats import PLAIN
from agentflow.trace import Trace


@dataclass(frozen=True, slots=True)
class Record:
    """What one arm made of one problem with one seed.

    Attributes:
        problem: Its text.
        status: Of the result; ``failed`` for a run that raised, with the reason in ``error``.
        right: Whether the emitted answer is right, by a judge that no method uses; False where
            none was emitted.
        tokens: Generated tokens, wasted ones and probes included.
        oracle: Tokens a rule would have needed that stops the thinking at the first right
            candidate (None where there was none); the answer part counted.
        extra: What the run was asked to keep of the result.
    """

    arm: str
    problem: str
    seed: int
    status: str
    answer: str | None
    right: bool
    tokens: int
    wasted: int
    prompt: int
    calls: int
    corrections: int
    seconds: float
    oracle: int | None
    text: str
    error: str = ""
    extra: Annotated[dict[str, Any], like(Extra)] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells the run from all others: (arm, problem, seed)."""
        return self.arm, self.problem, self.seed

    @property
    def failed(self) -> bool:
        """Whether the run raised."""
        return self.status == "failed"


ARMS = (
    Arm("direct", "direct"),
    Arm("k-stable (k=2)", "interwhen", {"step_verifier": False, "k_stable": 2}),
    Arm("step verifier", "interwhen"),
    Arm("step verifier, 2 restarts", "interwhen", {"restarts": 2}),
)


Keep = Callable[[Result, bool], dict[str, Any]]
"""What of a result, right or not, goes into its record's ``extra``."""


class Engine(Protocol):
    """Where a sample is run: here, or on a cluster (``evaluation/cluster.py``)."""

    async def __call__(
        self, arm: Arm, problem: Problem, seed: int, model: str | Model | None, keep: Keep
    ) -> Record:
        """The record of one run.

        Raises:
            ModelUnavailable, StreamBroken: If the model's server was lost.
            MissingCapability: If the model cannot do what the arm needs.
        """


def nothing(result: Result, right: bool) -> dict[str, Any]:
    """Keep nothing of a result."""
    return {}


async def run_here(
    arm: Arm, problem: Problem, seed: int, model: str | Model | None, keep: Keep
) -> Record:
    """The :class:`Engine` of this process."""
    given = {"text": problem.text, "id": problem.id, "gold": problem.gold}
    started = monotonic()
    try:
        result = await asolve(
            given, arm.method, model=model, seed=seed, domain=problem.domain, **arm.settings
        )
    except (MissingCapability, ModelUnavailable, StreamBroken):
        raise
    except AgentflowError as error:
        return failed(arm, problem, seed, error)
    if result.error and result.answer is None and not result.refused:
        raise StreamBroken(result.error)
    seconds = monotonic() - started
    is_right = await right(problem, result.answer)
    record = _record(arm, problem, seed, result, is_right, seconds)
    if result.refused and result.answer is None:
        record = replace(record, status="failed")
    return replace(record, extra=about(problem) | keep(result, is_right))


def about(problem: Problem) -> dict[str, str]:
    """What a record tells of its problem: the domain, its type and difficulty where the data set
    has them, and a fingerprint of these and of its text and gold answer."""
    fields = {
        name: str(problem.data[name]) for name in ("type", "difficulty") if name in problem.data
    }
    found = {"domain": problem.domain} | fields
    whole = dumps([problem.text, problem.gold, found]).encode()
    return found | {"source": blake2b(whole, digest_size=8).hexdigest()}


def refuse_changed(out: Path, problems: Sequence[Problem]) -> None:
    """See that what the records of a file were made from is still in the dataset.

    A record that has no fingerprint is known by its problem's text alone.

    Args:
        problems: All of the dataset.

    Raises:
        BadInput: If a problem is gone or is another now, or a line of the file is not a record.
    """
    there = defaultdict[str, set[str]](set)  # a text may be there twice, with other gold answers
    for problem in problems:
        there[problem.text].add(about(problem)["source"])
    for record in load(out):
        known, source = there.get(record.problem), record.extra.get("source")
        if known and (not source or source in known):
            continue
        change = "is not in the dataset"
        if known:
            change = "has another gold answer, type, difficulty or domain in the dataset"
        raise BadInput(
            f"{out}: its problem {record.problem[:60]!r} {change}, which has changed since; go on "
            "with the dataset as it was, or name another file for the records"
        )


@alone
async def run(
    arms: Sequence[Arm],
    problems: Sequence[Problem],
    seeds: Iterable[int],
    out: Path,
    *,
    model: str | Model | None = "embedded",
    servers: Sequence[str] = (),
    concurrency: int = 1,
    settings: Mapping[str, Any] | None = None,
    keep: Keep = nothing,
    on_record: Callable[[Record], None] = lambda record: None,
    engine: Engine = run_here,
    patience: float = 0.0,
    tell: Callable[[str], None] = silent,
    begin: Callable[[], None] = lambda: None,
) -> list[Record]:
    """Run what ``out`` does not hold yet, and again what failed; returns all its records.

    A run whose server is lost is begun again, at most twice, on one that is there.

    Args:
        out: A file of JSON lines: what each arm is, then a record a run. One run at a time may
            write to it.
        servers: In the place of ``model``, several servers of one model: each run is on the one
            that is least busy.
        concurrency: Runs at once on each server; with more than one at once the prefix cache is
            on, else off, unless ``settings`` say. A model file gets an engine a core, and they
            share them.
        settings: For every arm; an arm's own win.
        on_record: Told of each record as it is written.
        engine: Where runs happen.
        patience: Seconds that a server that does not answer and a full disk are waited for.
        tell: Told when something is.
        begin: Called first, once nobody else writes to ``out``.

    Raises:
        BadInput: If a line of ``out`` is not a record, an arm of it was begun with another model,
            version or settings, or it cannot be written, or is being written to by another run; or
            an arm's settings or model cannot be used, or two servers have different ones.
        MissingCapability: If the model cannot do what an arm needs.
        ModelUnavailable: If no server answers for longer than ``patience``.
    """
    begin()
    at_once = concurrency * max(1, len(servers))
    here = not servers and engine is run_here  # a cluster's machines have engines of their own
    copies = models.engines(model, concurrency) if here else 1
    common = {"cache": at_once > 1, **(settings or {})}
    chosen = [replace(arm, settings={**common, **arm.settings}) for arm in arms]
    used = {arm.name: arm for arm in chosen} if servers else {}
    places = [Place(at, partial(_open, used, at)) for at in (servers or (model,))]
    leases = Servers(places, ceil(concurrency / copies), patience, tell)
    name = model if isinstance(model, str) or model is None else model.name
    if servers:
        name = await leases.model()
    jobs = {
        (arm.name, problem.text, seed): partial(
            leases.begin,
            partial(_run_one, engine, arm, problem, seed, keep),
            partial(failed, arm, problem, seed),
        )
        for seed in seeds
        for problem in problems
        for arm in chosen
    }

    async def ready(todo: list[tuple[str, str, int]]) -> None:
        if not servers:
            wanted = {arm for arm, _, _ in todo}
            used.update({arm.name: arm for arm in chosen if arm.name in wanted})
            await leases.model()
            if isinstance(model, str) and copies > 1:
                others = await models.extra_engines(model, copies - 1)
                leases.places += [Place(at, partial(_open, used, at)) for at in others]

    waiting = {"patience": patience, "tell": tell}
    lines = lines_of(chosen, name)
    try:
        found = await resume(out, Record, lines, jobs, at_once, on_record, ready, **waiting)
    finally:
        await leases.close()
        if model is None or isinstance(model, str):  # no client of the caller's
            await models.close_all()
    return list(found.values())


async def _open(arms: Mapping[str, Arm], model: str | Model | None) -> str:
    """See that arms' settings and model can be used, before any run fails of them; its name."""
    name = ""
    for arm in arms.values():
        graphs.get(arm.method)  # a verifier has settings, too
        own = {"model": model} if isinstance(model, str) else {}
        settings = settings_for(arm.method, **{**arm.settings, **own})
        if own and settings.roles.get("solver"):
            raise BadInput(
                f"arm {arm.name!r}: roles.solver is no setting here; all arms have the same "
                f"solver, which is {model}"
            )
        if model is None or isinstance(model, str):
            at = settings.roles.get("solver") or settings.model
            for servers in (*((one,) for one in settings.members), at):
                name = (await models.connect(servers, idle_timeout=settings.idle_timeout)).name
                new_budget(settings).price(name)
    return name


async def _run_one(
    engine: Engine, arm: Arm, problem: Problem, seed: int, keep: Keep, at: str | Model | None
) -> Record:
    return await engine(arm, problem, seed, at, keep)


def failed(arm: Arm, problem: Problem, seed: int, error: Exception) -> Record:
    """The record of a run that raised."""
    result = Result(None, "exhausted", problem=asdict(problem), error=str(error))
    return replace(_record(arm, problem, seed, result, False, 0.0), status="failed")


def load(path: Path) -> list[Record]:
    """The records of a file, the last one of each run; see :func:`records.read`."""
    return list(latest(path, Record).values())


def _record(
    arm: Arm, problem: Problem, seed: int, result: Result, right: bool, seconds: float
) -> Record:
    cost = result.cost
    return Record(
        arm=arm.name,
        problem=problem.text,
        seed=seed,
        status=result.status,
        answer=result.answer,
        right=right,
        tokens=cost.generated,
        wasted=cost.wasted,
        prompt=cost.prompt,
        calls=cost.calls,
        corrections=result.corrections,
        seconds=round(seconds, 4),
        oracle=_oracle(problem, result),
        text=result.trace.body,
        error=result.error,
        extra={},
    )


def _oracle(problem: Problem, result: Result) -> int | None:
    """Tokens up to the first right candidate in the thinking, plus those of the answer part."""
    domain, trace = domains.get(problem.domain), result.trace
    thinking, answer = trace.split(result.close)
    if answer is None:
        return None
    for state in states(domain, problem, thinking, PLAIN):
        candidate = domain.candidate(problem, state)
        if candidate is not None and right_form(problem, candidate):
            return _tokens(trace, state.end) + _tokens(trace) - _tokens(trace, len(thinking))
    return None


def _tokens(trace: Trace, end: int | None = None) -> int:
    """Generated tokens kept in the first ``end`` characters of the body."""
    count = position = 0
    for segment in trace.segments:
        if segment.kind == "prompt":
            continue
        if segment.kind == "generated":
            count += sum(1 for e in segment.ends if end is None or position + e <= end)
        position += len(segment.text)
    return count
