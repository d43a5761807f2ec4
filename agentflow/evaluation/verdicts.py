"""Verifiers on recorded solutions: one record a solution."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, get_args

from agentflow import domains, models
from agentflow.api import ajudge
from agentflow.arguments import settings_for
from agentflow.backoff import silent
from agentflow.errors import (
    AgentflowError,
    MissingCapability,
    ModelUnavailable,
    StreamBroken,
)
from agentflow.evaluation.checked import like
from agentflow.evaluation.kept import Evidence, Ledger
from agentflow.evaluation.records import Arm, alone, latest, lines_of, resume
from agentflow.evaluation.servers import Place, Servers
from agentflow.evaluation.solutions import Solution
from agentflow.ledger import Entries, by_role
from agentflow.models import Model
from agentflow.models.metered import Metered
from agentflow.problem import Problem
from agentflow.verdict import Verdict
from agentflow.verifiers import DomainVerifier, FlexiVe, SolutionVerifier
from agentflow.verifiers.flexive import Mode, Stage
from agentflow.verifiers.stepwise import RewardVerifier, Stepwise, Style

Ask = Callable[[str], Awaitable[Metered]]
"""Finds the model, counted under a role."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a verifier said of a solution.

    Attributes:
        id: The problem's; ``digest`` tells the solution from all others.
        kind, reason, evidence: The verdict's; ``kind`` is ``failed`` for a run that raised, with
            the reason in ``reason``. Of single replies of FlexiVe only the ``outcomes``.
        ledger: The cost by role.
        right: Whether the solution is right, and ``label`` the index of its first wrong step (-1
            for none); None where that is not known.
        ok, score: The verdict's; ``predicted`` is the index that it came to, -1 for none, None
            where it named none.
        domain, type, difficulty: Of the problem.
    """

    arm: str
    id: str
    digest: str
    kind: str
    reason: str
    evidence: Annotated[dict[str, Any], like(Evidence)]
    ledger: Ledger
    seconds: float
    right: bool | None = None
    label: int | None = None
    ok: bool | None = None
    predicted: int | None = None
    score: float | None = None
    domain: str = ""
    type: str = ""
    difficulty: str = ""

    def __post_init__(self) -> None:
        if self.kind == "pool" and not all(self.evidence.get(one) for one in get_args(Stage)):
            raise ValueError("evidence has not both stages of a pool")

    @property
    def key(self) -> tuple[str, str]:
        """What tells the run from all others: (arm, digest)."""
        return self.arm, self.digest

    @property
    def failed(self) -> bool:
        """Whether the run raised."""
        return self.kind == "failed"

    @property
    def correct(self) -> bool:
        """Whether the verdict is right; one that could not be decided is not."""
        return self.ok is self.right if self.label is None else self.predicted == self.label

    def count(self, what: str) -> int:
        """The sum over all roles of a count of the ledger (``prompt``, ``generated``, …)."""
        return sum(int(entry.get(what, 0)) for entry in self.ledger.values())


@dataclass(frozen=True, slots=True)
class Gatherer:
    """A verifier that judges nothing: it gathers ``fast`` and ``slow`` replies to every solution,
    for votes over them (:mod:`agentflow.evaluation.pool`).

    What they said and how long they were is its verdict's evidence.
    """

    ask: Ask
    fast: int
    slow: int
    seed: int = 0

    @property
    def name(self) -> str:
        return f"pool@{self.fast}+{self.slow}"

    async def verify(self, problem: Problem, steps: Sequence[str], *place: str | int) -> Verdict:
        """Gather; see :class:`~agentflow.verifiers.solution_verifier.SolutionVerifier`."""
        pool: dict[str, Any] = {}
        for stage in get_args(Stage):
            meters: list[Metered] = []

            async def ask(role: str, meters: list[Metered] = meters) -> Metered:
                meters.append(await self.ask(role))
                return meters[-1]

            flexive = FlexiVe(ask, seed=self.seed)
            runs = self.fast if stage == "fast" else self.slow
            verdict = await flexive.stage(stage, runs, problem, steps, *place)
            entries = list(meters[-1].entries.values())  # in the order of the replies
            pool[stage] = {
                "outcomes": [one["index"] for one in verdict.evidence["runs"]],
                "generated": [entry["generated"] for entry in entries],
                "prompt": max((entry["prompt"] for entry in entries), default=0),
            }
        return Verdict(None, "", "pool", source=self.name, evidence=pool)


STEPWISE = (*get_args(Mode), *get_args(Style), "prm", "pool", "domain")
"""The methods that :func:`step_verifier` knows."""


def step_verifier(arm: Arm, ask: Ask) -> SolutionVerifier | None:
    """The verifier of steps that an arm's method is: ``flex``, ``fast``, ``slow`` (FlexiVe by one
    of its modes), ``genprm``, ``dyve`` and ``prm`` (step by step), ``pool`` or ``domain``; None for
    a method of another kind."""
    if arm.method == "domain":
        return DomainVerifier(domains.get(arm.settings["domain"]))
    if arm.method == "pool":
        return Gatherer(ask, **arm.settings)
    if arm.method == "prm":
        return RewardVerifier(ask)
    if arm.method in get_args(Style):
        return Stepwise(ask, arm.method, **arm.settings)  # type: ignore[arg-type]
    if arm.method in get_args(Mode):
        return FlexiVe(ask, arm.method, **arm.settings)  # type: ignore[arg-type]
    return None


@alone
async def run(
    arms: Sequence[Arm],
    solutions: Sequence[Solution],
    out: Path,
    *,
    model: str | Model | Mapping[str, Model] = "embedded",
    servers: Sequence[str] = (),
    concurrency: int = 1,
    patience: float = 0.0,
    tell: Callable[[str], None] = silent,
    on_record: Callable[[Judgement], None] = lambda record: None,
) -> list[Judgement]:
    """Judge what ``out`` does not hold yet, and again what failed; returns the records of these
    arms and solutions.

    Args:
        arms: Their methods are verifiers of :data:`agentflow.graphs.VERIFIERS`, or those of
            :func:`step_verifier`.
        out: A file of JSON lines: what each arm is, then a record a solution. One run at a time may
            write to it.
        model: Who is asked; a verifier that asks nobody needs none. By role only for the former.
        servers: In the place of ``model``, several servers of one model: each solution goes to the
            one that is least busy.
        concurrency: Solutions at once, on each server.
        patience: Seconds that a server that does not answer and a full disk are waited for.
        tell: Told when one is.
        on_record: Told of each record as it is written.

    Raises:
        BadInput: If a line of ``out`` is not a record, an arm was begun in it with another model,
            version or settings, or it cannot be written; or a verifier, its settings or the model
            cannot be used, or two servers have different ones.
        MissingCapability: If the model cannot do what a verifier needs.
        ModelUnavailable: If no server answers to begin with, or all are lost for longer than
            ``patience``.
    """
    own = {"model": model} if isinstance(model, str) else {}
    for arm in arms:
        if arm.method not in STEPWISE:
            settings_for(arm.method, **{**arm.settings, **own})
    asking = [arm for arm in arms if arm.method != "domain"]
    used = {arm.name: arm for arm in asking} if servers else {}
    places = [Place(at, partial(_found, used, at)) for at in (servers or (model,))]
    leases = Servers(places, concurrency, patience, tell)
    name = await leases.model() if servers else _name(model)

    async def ready(todo: list[tuple[str, str]]) -> None:  # no server: said before any record
        if not servers:
            wanted = {arm for arm, _ in todo}
            used.update({arm.name: arm for arm in asking if arm.name in wanted})
            await leases.model()

    jobs = {
        (arm.name, one.digest): partial(
            leases.begin, partial(_judge, arm, one), partial(_failed, arm, one)
        )
        for one in solutions
        for arm in arms
    }
    at_once = concurrency * max(1, len(servers))
    waiting = {"patience": patience, "tell": tell}
    try:
        lines = lines_of(arms, name)
        found = await resume(out, Judgement, lines, jobs, at_once, on_record, ready, **waiting)
    finally:
        await leases.close()
    return [found[key] for key in jobs]


async def _found(arms: Mapping[str, Arm], model: Any) -> str:
    """See that those whom verifiers ask are there; the model's name."""
    own = {"model": model} if isinstance(model, str) else {}
    name = ""
    for arm in arms.values():
        if arm.method in STEPWISE:
            name = (await _connected(model)).name
            continue
        settings = settings_for(arm.method, **{**arm.settings, **own})
        at = settings.roles.get("verifier") or settings.model
        if isinstance(model, str):
            name = (await models.connect(at, idle_timeout=settings.idle_timeout)).name
    return name


def load(path: Path) -> list[Judgement]:
    """The records of a file, the last one of each solution; see :func:`records.read`."""
    return list(latest(path, Judgement).values())


def _name(model: str | Model | Mapping[str, Model]) -> str:
    if isinstance(model, Mapping):
        return ", ".join(one.name for one in model.values())
    return model if isinstance(model, str) else model.name


async def _connected(model: Any) -> Model:
    if isinstance(model, str):
        return await models.connect(model)
    await model.open()
    opened: Model = model
    return opened


async def _judge(arm: Arm, one: Solution, model: Any) -> Judgement:
    """The judgement.

    Raises:
        ModelUnavailable, StreamBroken: If the model's server was lost.
        MissingCapability: If the model cannot do what the verifier needs.
    """
    problem, started = one.problem, monotonic()
    meters: list[Metered] = []

    async def ask(role: str) -> Metered:
        meters.append(Metered(await _connected(model), role, problem.id))
        return meters[-1]

    entries: Entries = {}
    try:
        if (verifier := step_verifier(arm, ask)) is not None:
            verdict = _lean(await verifier.verify(problem, one.given))
        else:
            settings = {**arm.settings, "domain": problem.domain}
            verdict, entries = await ajudge(
                asdict(problem), one.given, arm.method, model=model, **settings
            )
    except (MissingCapability, ModelUnavailable, StreamBroken):
        raise
    except AgentflowError as error:
        verdict = Verdict(None, str(error), "failed")
    entries = entries | {key: entry for meter in meters for key, entry in meter.entries.items()}
    return _judgement(arm, one, verdict, entries, monotonic() - started)


def _failed(arm: Arm, one: Solution, error: AgentflowError) -> Judgement:
    """The judgement of a run that raised."""
    return _judgement(arm, one, Verdict(None, str(error), "failed"), {}, 0.0)


def _judgement(
    arm: Arm, one: Solution, verdict: Verdict, entries: Entries, seconds: float
) -> Judgement:
    problem = one.problem
    return Judgement(
        arm=arm.name,
        id=problem.id,
        digest=one.digest,
        kind=verdict.kind,
        reason=verdict.reason,
        evidence=verdict.evidence,
        ledger={role: asdict(entry) for role, entry in by_role(entries).items()},
        seconds=round(seconds, 4),
        right=one.right,
        label=one.label,
        ok=verdict.ok,
        predicted=predicted(verdict),
        score=verdict.score,
        domain=problem.domain,
        type=one.type,
        difficulty=one.difficulty,
    )


def _lean(verdict: Verdict) -> Verdict:
    """A verdict with the outcomes of its runs in the place of these."""
    evidence = dict(verdict.evidence)
    runs = evidence.pop("runs", None)
    if runs is not None:
        evidence["outcomes"] = [one["index"] for one in runs]
    return replace(verdict, evidence=evidence)


def predicted(verdict: Verdict) -> int | None:
    """The index a verdict comes to: -1 also where a verifier found nothing wrong but could not
    tell of everything, None where it named no step."""
    if verdict.ok is False:
        return verdict.first_wrong_step
    return -1 if verdict.ok or verdict.kind == "cannot_tell" else None
