"""A manifest: what a table or figure of a paper measures, and what the paper printed."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agentflow.errors import BadInput, known
from agentflow.settings import Role, checked

Kind = Literal["methods", "chains", "steps", "verdicts"]
"""What is run: methods on problems; chains that are recorded, and rules replayed on them; verifiers
of steps, as votes over a pool of replies; verifiers on a reasoner's solutions."""

Figure = float | tuple[float, float]
"""What the paper printed; with half the width of its interval where it printed one."""

ALL = "all"
"""The key of :attr:`Manifest.lacks` that is about every cell."""
_SHARED = ("kind", "models", "roles", "parts", "arms", "settings", "probes", "reasoner", "pool")
_RUNS = (*_SHARED, "seeds", "stand_in", "times")
"""What a manifest takes over from the one whose runs it shares."""


class Strict(BaseModel):
    """A part of a manifest: it has no keys that nobody reads."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Served(Strict):
    """A model that the paper used.

    Attributes:
        name: On the Hugging Face hub, or of an API.
        parameters: In billions; 0 where nobody says.
        context: Tokens it can hold.
    """

    name: str
    parameters: float = 0.0
    context: int = 32_768


class Part(Strict):
    """A data set of the table, with the model that it was run on.

    Attributes:
        name: As the paper has it.
        dataset: As ``agentflow eval`` takes it.
        domain: Who parses it; None for the data set's own.
        size: Problems that the paper used.
        model: The solver, a key of the manifest's models; empty for the first.
        tokens: That one chain of the solver takes, for the estimate; the paper's, where it says.
        of: The part whose runs these are: it has no data set of its own then.
        over: The parts whose mean this is, likewise.
        where: Of its problems only those with these properties (``difficulty``, ``type``).
        solved: Of recorded chains only those whose roll-outs at the end are right this often.
        judged: A model of the role judge says which answers match the gold one.
    """

    name: str
    dataset: str = ""
    domain: str | None = None
    size: int = Field(default=0, ge=0)
    model: str = ""
    tokens: float = Field(default=2000, ge=0)
    of: str = ""
    over: tuple[str, ...] = ()
    where: dict[str, str] = {}
    solved: float = Field(default=0, ge=0, le=1)
    judged: bool = False


class Arm(Strict):
    """A row of the table.

    Attributes:
        name: As the paper has it.
        method: Empty for what is none of ours: the paper's figure stands alone. Of ``methods``, a
            method; of ``chains``, a family of rules; of ``steps``, ``fast``,
            ``flex`` or ``slow``; of ``verdicts``, a verifier.
        settings: Of it.
        roles: Who else is asked: role -> a key of the manifest's models.
        parts: Those that it is run on; none for all.
        probe: Of ``chains``: the re-probing whose signals it reads; empty for the recorded ones.
        times: Tokens it takes, in chains of the solver.
    """

    name: str
    method: str
    settings: dict[str, Any] = {}
    roles: dict[Role, str] = {}
    parts: tuple[str, ...] = ()
    probe: str = ""
    times: float = 1.0


class Probe(Strict):
    """How recorded chains are probed again.

    Attributes:
        name: What arms call it.
        model: Who is asked, a key of the manifest's models; empty for the solver.
        prefix: Text behind the close marker; None for the profile's.
        closes: Whether the thinking is closed first.
    """

    name: str
    model: str = ""
    prefix: str | None = None
    closes: bool = True


class StandIn(Strict):
    """How a manifest is tried with a small model on problems that are not the paper's.

    Attributes:
        arms: Those that are run; none for all. Others differ in numbers alone.
        parts: Likewise.
        settings: In the place of an arm's own, where it has them.
    """

    arms: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    settings: dict[str, Any] = {}


class Manifest(Strict):
    """A table or figure.

    Attributes:
        name: ``PAPER/TABLE``.
        paper, source: Which paper, and where in it.
        title: What it shows.
        runs: The manifest whose runs it shares; its own name where these are its own.
        models: What the paper used, by short names.
        roles: Who is asked beside the solver in every arm: role -> a key of the models.
        settings: Of every arm.
        base: The arm that tokens are relative to; empty for chains that are left alone.
        probes: How chains are probed again.
        reasoner: Of ``verdicts``: the arm whose solutions are judged.
        pool: Of ``steps``: fast and slow replies to each solution.
        times: Tokens of a whole recording, in chains of the solver.
        figures: What the paper printed: metric -> part -> arm -> figure.
        scale: What one of ours is in the paper's unit, where it is not percent for shares.
        lacks: Why a metric, an arm, a part (or ``all``) is not measured as in the paper.
        notes: What a reader should know; it keeps nothing from being compared.
    """

    name: str
    paper: str
    source: str
    title: str
    runs: str
    kind: Kind
    models: dict[str, Served] = Field(min_length=1)
    parts: tuple[Part, ...] = Field(min_length=1)
    arms: tuple[Arm, ...] = Field(min_length=1)
    roles: dict[Role, str] = {}
    settings: dict[str, Any] = {}
    base: str = ""
    seeds: int = Field(default=1, ge=1)
    probes: tuple[Probe, ...] = ()
    reasoner: Arm | None = None
    pool: dict[str, int] = {}
    times: float = 1.0
    metrics: tuple[str, ...] = Field(min_length=1)
    figures: dict[str, dict[str, dict[str, Figure]]] = {}
    scale: dict[str, float] = {}
    lacks: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    stand_in: StandIn = StandIn()

    @model_validator(mode="after")
    def _of_one_piece(self) -> Self:
        """Every name that is used is there."""
        for where, name, among in self._names():
            if name not in among:
                raise ValueError(f"{where}: there is no {name!r}; {known(name, among)}")
        for one in self.parts:
            if bool(one.of) + bool(one.over) + bool(one.dataset) != 1:
                raise ValueError(f"part {one.name!r} needs a dataset, or the parts it is of")
        if (self.kind == "verdicts") != (self.reasoner is not None):
            raise ValueError("verdicts, and they alone, have a reasoner")
        return self

    def _names(self) -> Iterator[tuple[str, str, Collection[str]]]:
        """The names that are used: where, which, and among which it must be."""
        parts, arms = [part.name for part in self.parts], [arm.name for arm in self.arms]
        for metric, by_part in self.figures.items():
            yield "figures", metric, self.metrics
            for part, row in by_part.items():
                yield f"figures.{metric}", part, parts
                yield from ((f"figures.{metric}.{part}", arm, arms) for arm in row)
        for one in self.parts:
            where = f"part {one.name!r}"
            yield from ((where, name, parts) for name in (one.of, *one.over) if name)
            if one.model:
                yield where, one.model, self.models
        for arm in (*self.arms, *([self.reasoner] if self.reasoner else [])):
            where = f"arm {arm.name!r}"
            yield from ((where, model, self.models) for model in arm.roles.values())
            yield from ((where, part, parts) for part in arm.parts)
            if arm.probe:
                yield where, arm.probe, [probe.name for probe in self.probes]
        yield from (("stand_in.arms", name, arms) for name in self.stand_in.arms)
        yield from (("stand_in.parts", name, parts) for name in self.stand_in.parts)
        if self.base:
            yield "base", self.base, arms

    @property
    def used(self) -> dict[str, Served]:
        """The models that its parts, arms and probes name; a manifest that shares runs may have
        others."""
        named = {part.model or next(iter(self.models)) for part in self.parts if part.dataset}
        named |= {*self.roles.values(), *(name for arm in self.arms for name in arm.roles.values())}
        probed = {arm.probe for arm in self.arms}
        named |= {probe.model for probe in self.probes if probe.name in probed}
        return {name: one for name, one in self.models.items() if name in named}

    def solver(self, part: Part) -> Served:
        """The solver of a part."""
        return self.models[self.root(part).model or next(iter(self.models))]

    def root(self, part: Part) -> Part:
        """The part whose runs a part's are."""
        return next(one for one in self.parts if one.name == part.of) if part.of else part

    def arms_of(self, part: Part) -> list[Arm]:
        """The arms that are run on a part."""
        names = {part.name, self.root(part).name, *part.over}
        return [arm for arm in self.arms if not arm.parts or names & {*arm.parts}]

    def why_not(self, metric: str, part: str, arm: str) -> str:
        """Why a cell is not measured as in the paper; empty where it is."""
        said = (self.lacks.get(key, "") for key in (ALL, metric, part, arm))
        return "; ".join(dict.fromkeys(filter(None, said)))


def names() -> list[str]:
    """Every manifest, as ``PAPER/TABLE``, in the papers' order."""
    folder = resources.files(__package__) / "manifests"
    found = [
        f"{paper.name}/{file.name.removesuffix('.toml')}"
        for paper in folder.iterdir()
        if paper.is_dir()
        for file in paper.iterdir()
        if file.name.endswith(".toml")
    ]
    return sorted(found, key=_in_order)


def _in_order(name: str) -> tuple[str, str, int]:
    """Table 10 behind table 9."""
    paper, _, table = name.partition("/")
    word = table.rstrip("0123456789")
    return paper, word, int(table[len(word) :] or 0)


@cache
def load(name: str) -> Manifest:
    """A manifest by its name.

    Raises:
        BadInput: If there is none, or it is wrong: says where.
    """
    if name not in names():
        raise BadInput(f"unknown table {name[:60]!r}; {known(name, names())}")
    given = _read(name)
    if "runs" in given:
        base = _read(given["runs"])
        given = {key: base[key] for key in _RUNS if key in base} | given
    return read(name, given)


def read(name: str, given: Mapping[str, Any]) -> Manifest:
    """A manifest from what its file says.

    Raises:
        BadInput: If it is wrong: says where.
    """
    paper = name.partition("/")[0]
    values = {"name": name, "paper": paper, "runs": name, **given}
    return checked(Manifest, values, f"manifest {name}")


def _read(name: str) -> dict[str, Any]:
    file = resources.files(__package__) / "manifests" / f"{name}.toml"
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"manifest {name}: {error}") from error
