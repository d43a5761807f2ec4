"""The four kinds of runs. Each runs what its files do not hold yet, and says what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from agentflow.arguments import settings_for
from agentflow.backoff import silent
from agentflow.evaluation import chains as recorded
from agentflow.evaluation import ends, plan, probing, records, runner, verdicts
from agentflow.evaluation.compute import Size
from agentflow.evaluation.intervals import Interval
from agentflow.evaluation.plan import COUNTED_AS
from agentflow.evaluation.replay import Replay
from agentflow.evaluation.runner import Engine, Record, run_here
from agentflow.evaluation.traces import folder_of
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.reproduce import chains, judging, methods, problems
from agentflow.reproduce import verdicts as judged
from agentflow.reproduce.manifest import Arm, Manifest, Part
from agentflow.settings import Settings

Where = Callable[[str], bool]
"""Which problems count, by their texts."""
Measure = Callable[[str, Arm, Where], Interval | None]
"""A metric of an arm over some of a part's problems; None where nothing tells."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a manifest is run.

    Attributes:
        out: The folder for its records.
        model: Who solves; ``servers`` several servers of it, in its place.
        at: Where the manifest's other models are served, by their short names; ``own`` are those
            that the solver itself is.
        stand_in: Small problems in the place of the paper's, and one model in all roles.
        given: Data sets in the place of the papers'.
        limit: Problems of each part; None for all.
        settings: In the place of every arm's own.
        concurrency, engine, patience: As of ``agentflow eval``.
        tell: Told what a person should know.
        done: Told after each run whether it was right.
    """

    out: Path
    model: str | Model = "embedded"
    servers: Sequence[str] = ()
    at: Mapping[str, Any] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    stand_in: bool = False
    given: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 1
    engine: Engine = run_here
    patience: float = 0.0
    traces: bool = False
    tell: Callable[[str], None] = silent
    done: Callable[[bool], None] = lambda right: None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a part's runs.

    Attributes:
        measure: Gives a metric of an arm.
        problems: By their texts.
        curves: For plots: arm -> (tokens, accuracy) at every threshold.
        failed: Why runs failed, each with its problem.
    """

    measure: Measure
    problems: Mapping[str, Problem]
    curves: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    failed: Sequence[str] = ()


SMALL = {"max_tokens": 400}
"""Settings of every arm that is tried with a stand-in, if its manifest has no others."""


def settled(manifest: Manifest, arm: Arm, options: Options) -> dict[str, Any]:
    """An arm's settings as they are run; roles as far as their models are served."""
    own: dict[str, Any] = {**manifest.settings, **arm.settings}
    if options.stand_in:
        instead = SMALL | manifest.stand_in.settings
        takes = own.keys() | Settings.model_fields.keys()  # what the arm has, or everybody
        own |= {key: one for key, one in instead.items() if key in takes}
    else:
        roles = {**manifest.roles, **arm.roles}
        servers = {role: options.at[name] for role, name in roles.items() if name in options.at}
        own |= {"roles": servers} if servers else {}
    return own | dict(options.settings)


def lacking(manifest: Manifest, arm: Arm, options: Options) -> str:
    """Whom an arm cannot be run without; empty where all are there."""
    if options.stand_in:
        return ""
    wanted = {**manifest.roles, **arm.roles}
    probe = next((one for one in manifest.probes if one.name == arm.probe and one.model), None)
    names = [*wanted.values(), *([probe.model] if probe else [])]
    there = {*options.at, *options.own}
    missing = [name for name in dict.fromkeys(names) if name not in there]
    return "; ".join(f"--at {name}=SERVER of {manifest.models[name].name}" for name in missing)


async def run_methods(
    manifest: Manifest, part: Part, arms: Sequence[Arm], options: Options, out: Path
) -> Outcome:
    """Methods on problems."""
    found, name = _loaded(part, options)
    seeds = range(manifest.seeds)
    wanted = [records.Arm(a.name, a.method, settled(manifest, a, options)) for a in arms]
    done = await _run(wanted, found, seeds, out, name, options)
    texts = {one.text: one for one in found}
    mine = [r for r in done if r.problem in texts and r.seed in seeds]
    right = await _match(manifest, part, options, out, texts, [(r.problem, r.answer) for r in mine])
    by_arm = records.by_arm(methods.mended(mine, right))
    sizes = _sizes(manifest, part)

    def measure(metric: str, arm: Arm, where: Where) -> Interval | None:
        ours, base = (
            [one for one in by_arm.get(which, []) if where(one.problem)]
            for which in (arm.name, manifest.base)
        )
        return methods.measured(metric, methods.Ran(ours, base, sizes))

    return Outcome(measure, texts, failed=_failures(mine))


async def run_chains(
    manifest: Manifest, part: Part, arms: Sequence[Arm], options: Options, out: Path
) -> Outcome:
    """Chains that are recorded once, probed again where arms ask for that, and replayed."""
    found, name = _loaded(part, options)
    values = settled(manifest, Arm(name="recorded", method="early_exit"), options)
    parquet = out.with_suffix(".parquet")
    planned = {"recorded": len(found) * manifest.seeds}
    kept = await recorded.record(
        found,
        range(manifest.seeds),
        parquet,
        settings=values,
        on_record=lambda one: options.done(one.right),
        begin=partial(plan.begin, out, name, planned),
        engine=options.engine,
        **_shared(options),
    )
    texts = {one.text: one for one in found}
    kept = [one for one in kept if one.problem in texts and one.seed < manifest.seeds]
    pairs = [(c.problem, form) for c in kept for k in c.checks for form in k.answers]
    pairs += [(c.problem, c.answer) for c in kept]
    right = await _match(manifest, part, options, out, texts, pairs)
    kept = [judging.mended(chain, right) for chain in kept]
    kept = ends.solvable(kept, part.solved) if part.solved else kept
    probed = {"": kept}
    for probe in manifest.probes:
        if any(arm.probe == probe.name for arm in arms) and kept:
            model = (
                options.model if options.stand_in else options.at.get(probe.model, options.model)
            )
            if not probe.model and options.servers:
                model = options.servers[0]
            probed[probe.name] = await probing.probe(
                kept,
                out.with_name(f"{out.stem}.{probe.name}.jsonl"),
                probing.How(probe.name, probe.prefix, probe.closes),
                model=model,
                settings=values,
                concurrency=options.concurrency,
            )
    replays = {key: Replay(chains_) for key, chains_ in probed.items() if chains_}

    def chosen(arm: Arm, where: Where) -> chains.Chosen | None:
        replayed = replays.get(arm.probe)
        if replayed is None:
            return None
        ours = [chain for chain in replayed.chains if where(chain.problem)]
        if len(ours) < len(replayed.chains):
            replayed = Replay(ours) if ours else None
        return chains.chosen(replayed, arm.method, arm.settings) if replayed else None

    def measure(metric: str, arm: Arm, where: Where) -> Interval | None:
        one = chosen(arm, where)
        return chains.measured(metric, one) if one else None

    curves = {a.name: chains.curve(one) for a in arms if (one := chosen(a, lambda text: True))}
    missing = len(found) * manifest.seeds - len(kept)
    failed = [f"{part.name}: {missing} chains are missing"] if missing and not part.solved else []
    return Outcome(measure, texts, curves, failed)


async def run_steps(
    manifest: Manifest, part: Part, arms: Sequence[Arm], options: Options, out: Path
) -> Outcome:
    """Votes over a pool of replies on solutions whose first wrong step is known."""
    name, skipped = problems.source(part, options.given, options.stand_in), list[str]()
    samples = problems.load_steps(name, options.limit, skipped.append)
    _tell(name, skipped, len(samples), options)
    gather = {**manifest.pool, **(manifest.stand_in.settings if options.stand_in else {})}
    arm = records.Arm("pool", "pool", {key: gather[key] for key in ("fast", "slow")})
    plan.begin(out, name, {"pool": len(samples)})
    done = await _judge([arm], samples, out, options)
    gathered = [one for one in done if one.kind == "pool"]

    def measure(metric: str, arm: Arm, where: Where) -> Interval | None:
        k, tau = int(arm.settings["k"]), float(arm.settings.get("tau", 0.8))
        if options.stand_in:
            k = min(k, gather["slow" if arm.method == "slow" else "fast"])
        ours = [one for one in gathered if where(one.id)]
        return judged.vote(metric, ours, arm.method, k, tau, part.size) if ours else None

    texts = {one.problem.id: one.problem for one in samples}
    return Outcome(measure, texts, failed=[f"{r.id}: {r.reason}" for r in done if r.failed])


async def run_verdicts(
    manifest: Manifest, part: Part, arms: Sequence[Arm], options: Options, out: Path
) -> Outcome:
    """Verifiers on what a reasoner came to."""
    assert manifest.reasoner is not None
    found, name = _loaded(part, options)
    reasoner = manifest.reasoner
    solving = [records.Arm(reasoner.name, reasoner.method, settled(manifest, reasoner, options))]
    seeds = range(manifest.seeds)
    done = await _run(solving, found, seeds, out, name, options)
    texts = {one.text: one for one in found}
    mine = [r for r in done if r.problem in texts and r.arm == reasoner.name]
    right = await _match(manifest, part, options, out, texts, [(r.problem, r.answer) for r in mine])
    given = judged.solutions(methods.mended(mine, right), texts)
    wanted = [records.Arm(a.name, a.method, settled(manifest, a, options)) for a in arms]
    verdicts_ = await _judge(wanted, given, out.with_suffix(".verdicts.jsonl"), options)
    ids = {one.problem.id: one.problem.text for one in given}
    by_arm = records.by_arm(verdicts_)

    def measure(metric: str, arm: Arm, where: Where) -> Interval | None:
        return judged.measured(metric, [r for r in by_arm.get(arm.name, []) if where(ids[r.id])])

    failed = [f"{one.id}: {one.reason}" for one in verdicts_ if one.failed]
    return Outcome(measure, texts, failed=[*_failures(mine), *failed])


KINDS: dict[str, Callable[..., Awaitable[Outcome]]] = {
    "methods": run_methods,
    "chains": run_chains,
    "steps": run_steps,
    "verdicts": run_verdicts,
}


def see(manifest: Manifest, arm: Arm, options: Options) -> None:
    """See that an arm's settings can be used, before anything is run.

    Raises:
        BadInput, KeyError, TypeError: If they cannot.
    """
    values = settled(manifest, arm, options)
    match manifest.kind:
        case "methods" | "verdicts":
            settings_for(arm.method, **values)
        case "chains":
            chains.family_of(arm.method, arm.settings)
        case "steps":
            int(arm.settings["k"])


def _loaded(part: Part, options: Options) -> tuple[list[Problem], str]:
    """The problems of a part, and the name of where they are from."""
    name, skipped = problems.source(part, options.given, options.stand_in), list[str]()
    found = problems.load(part, name, options.limit, skipped.append)
    _tell(name, skipped, len(found), options)
    return found, name


def _tell(name: str, skipped: Sequence[str], used: int, options: Options) -> None:
    if skipped:
        options.tell(f"{name}: {len(skipped)} rows skipped, {used} used; {skipped[0][:200]}")


async def _run(
    arms: Sequence[records.Arm],
    found: Sequence[Problem],
    seeds: Sequence[int],
    out: Path,
    name: str,
    options: Options,
) -> list[Record]:
    planned = {arm.name: len(found) * len(seeds) for arm in arms}
    return await runner.run(
        arms,
        found,
        seeds,
        out,
        keep=partial(methods.keep, folder_of(out) if options.traces else None),
        on_record=lambda one: options.done(one.right),
        engine=options.engine,
        begin=partial(plan.begin, out, name, planned),
        **_shared(options),
    )


async def _judge(
    arms: Sequence[records.Arm], given: Sequence[Any], out: Path, options: Options
) -> list[verdicts.Judgement]:
    done = options.done
    return await verdicts.run(
        arms, given, out, on_record=lambda one: done(one.correct), **_shared(options)
    )


def _shared(options: Options) -> dict[str, Any]:
    """What every kind of run takes of the options."""
    names = ("model", "servers", "concurrency", "patience", "tell")
    return {name: getattr(options, name) for name in names}


async def _match(
    manifest: Manifest,
    part: Part,
    options: Options,
    out: Path,
    texts: Mapping[str, Problem],
    pairs: Sequence[tuple[str, str | None]],
) -> dict[tuple[str, str], bool]:
    """What the judge says of answers, where the part has one."""
    if not part.judged:
        return {}
    at = options.model if options.stand_in else options.at.get("judge")
    if at is None:
        options.tell(f"{part.name}: no judge (--at judge=SERVER): answers must equal the gold ones")
        return {}
    distinct = list(dict.fromkeys((problem, answer) for problem, answer in pairs if answer))
    path = out.with_suffix(".matches.jsonl")
    return await judging.matches(distinct, texts, path, model=at, concurrency=options.concurrency)


def _sizes(manifest: Manifest, part: Part) -> dict[str, Size]:
    """The models' sizes by role in the ledger, as the manifest says."""
    served = {"solver": manifest.solver(part)}
    served |= {role: manifest.models[name] for role, name in manifest.roles.items()}
    return {
        counted: Size(one.parameters * 1e9, one.context)
        for role, one in served.items()
        if one.parameters
        for counted in COUNTED_AS[role]
    }


def _failures(found: Sequence[Record]) -> list[str]:
    return [f"{one.arm}: {one.problem[:60]}: {one.error}" for one in found if one.failed]
