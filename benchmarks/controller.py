"""The learned controller beside the fixed searches, on held-out problems of the bundled model.

    python benchmarks/controller.py runs/controller                   # 60 problems of each domain
    python benchmarks/controller.py runs/controller --domains logic   # a part; run again it goes on
    python benchmarks/controller.py runs/controller --report-only     # only the table
    python benchmarks/controller.py runs/controller --learn           # record, fit, and replay
    python benchmarks/controller.py runs/judge --scorer prm           # the judge scores, no rules

Seed 0, prefix cache on. ``--learn`` records trees of 20 training problems of each domain that is
learned from, fits a controller, and replays it on trees of held-out problems.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from shared import by_name, goal, header, options
from table import run

from agentflow.evaluation.collected import collect
from agentflow.evaluation.compute import Size, compute
from agentflow.evaluation.intervals import grouped_mean, wilson
from agentflow.evaluation.markdown import table
from agentflow.evaluation.runner import Record, load
from agentflow.evaluation.summary import paired, pairs

DOMAINS = ("logic", "math", "spatialmap", "maze", "game24", "commonsense")
LEARNED_FROM = {"rules": DOMAINS[:3], "prm": DOMAINS}
"""Scorer -> domains. Rules tell every wrong step of Game of 24 and of mazes, so that a table has
nothing to learn there; in commonsense they look facts up."""
RECORDED = 20

_ALONE = "adaptive_compute;plan=false;reasoning=[];iterations=1"
ARMS = {
    "direct": f"{_ALONE};compute=best of n;select_by=first",
    "best of 4": f"{_ALONE};compute=best of n;param=4",
    "beam search, 4": f"{_ALONE};compute=beam search;param=4",
    "learned": f"{_ALONE};compute=learned",
}
"""Name -> method and settings."""

OURS = "learned"


def problems(folder: Path, domain: str, count: int, *, trained: bool = False) -> Path:
    """The file of a domain's held-out problems, or of training problems."""
    file = folder / f"{domain}.{'trained' if trained else 'held-out'}.jsonl"
    there = file.read_bytes().count(b"\n") if file.exists() else 0
    if there < count:  # those that were there stay the first ones
        draft = file.with_suffix(".part")
        more = ["--trained", "--seed", "3"] if trained else []
        run("training.solving", domain, str(draft), "--count", str(count), *more)
        draft.replace(file)
    return file


def measure(given: Namespace, domain: str) -> None:
    """Run what is not there yet."""
    out = given.folder / f"{domain}.runs.jsonl"
    file = problems(given.folder, domain, given.count)
    arms = [f"{name}={arm}" for name, arm in ARMS.items()]
    common = ["--dataset", str(file), "--domain", domain, "--limit", str(given.count)]
    common += ["--set", "cache=true", "--set", f"scorer={given.scorer}", "--no-traces"]
    resume = ["--resume"] if out.exists() else []
    run("agentflow", "eval", *arms, "--out", str(out), "--model", given.model, *common, *resume)


def learn(given: Namespace) -> None:
    """Record, fit, and replay on held-out problems."""
    files = dict[bool, list[str]]()
    for trained in (True, False):
        files[trained] = []
        for domain in LEARNED_FROM[given.scorer]:
            file = problems(
                given.folder, domain, RECORDED if trained else given.count, trained=trained
            )
            out = file.with_suffix(".trees.jsonl")
            said = ["--dataset", str(file), "--domain", domain, "--limit", str(RECORDED)]
            resume = ["--resume"] if out.exists() else []
            common = ["--set", "cache=true", "--set", f"scorer={given.scorer}"]
            common += ["--model", given.model]
            run("agentflow", "controller", "record", str(out), *said, *common, *resume)
            files[trained].append(str(out))
    learned = str(given.folder / "controller.json")
    run("agentflow", "controller", "fit", *files[True], "--out", learned)
    run("agentflow", "controller", "replay", *files[False], "--controller", learned)


def lines(found: dict[str, list[Record]], where: str, size: Size) -> list[dict[str, str]]:
    """A row for each arm; differences are those of the learned controller to it."""
    rows, ours = [], found[OURS]
    for name, ran in found.items():
        cost = compute([r.extra["roles"] for r in ran], {"solver": size})
        row = {
            "domain": f"{where} ({len(ran)})",
            "search": name,
            "right": wilson(sum(r.right for r in ran), len(ran)).percent(),
            "tokens": f"{mean(r.tokens for r in ran):.0f}",
            "S_CI": f"{cost.intensity:.2g}",
            "F_theo": f"{cost.flops:.2g}",
            "requests": f"{cost.generations:.0f}",
        }
        if name != OURS:
            gap = grouped_mean((a.problem, a.tokens - b.tokens) for a, b in pairs(ours, ran))
            row["learned ahead, points"] = paired(ours, ran).points()
            row["its tokens more"] = f"{gap.value:+.0f} [{gap.low:+.0f}, {gap.high:+.0f}]"
        rows.append(row)
    return rows


def common(records: Sequence[Record]) -> dict[str, list[Record]]:
    """The runs of each arm on the problems that all arms have."""
    arms = by_name((one for one in records if not one.failed), ARMS)
    texts = set.intersection(*({one.problem for one in ran} for ran in arms.values()))
    return {name: [one for one in ran if one.problem in texts] for name, ran in arms.items()}


def report(folder: Path) -> bool:
    """Print the table, and whether the learned controller is ahead of the fixed searches."""
    every: dict[str, list[Record]] = {name: [] for name in ARMS}
    rows = []
    for domain in DOMAINS:
        file = folder / f"{domain}.runs.jsonl"
        if not file.exists():
            continue
        found = common(load(file))
        size = collect([file]).sizes[OURS]["solver"]
        assert isinstance(size, Size), f"{domain}: {size}"
        rows += lines(found, domain, size)
        for name, records in found.items():
            every[name] += records
    print(table([*rows, *lines(every, "all", size)], empty=False) + "\n")
    met = []
    for name, ran in every.items():
        if name == OURS:
            continue
        ahead = paired(every[OURS], ran)
        fewer = mean(r.tokens for r in every[OURS]) <= mean(r.tokens for r in ran)
        text = "above 0, or for no more tokens not below"
        better = ahead.low > 0 or (fewer and ahead.high >= 0)
        met.append(goal(f"learned : {name}: {ahead.points()} points (goal: {text})", better))
    return all(met)


def main() -> None:
    parser = options(__doc__, count=60)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--domains", nargs="+", choices=DOMAINS)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--scorer", choices=list(LEARNED_FROM), default="rules")
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--learn", action="store_true")
    given = parser.parse_args()
    given.domains = given.domains or (DOMAINS if given.scorer == "prm" else DOMAINS[:5])
    given.folder.mkdir(parents=True, exist_ok=True)
    header(f"model {given.model}", f"scorer {given.scorer}", "seed 0")
    if given.learn:
        learn(given)
        return
    if not given.report_only:
        for domain in given.domains:
            measure(given, domain)
    sys.exit(not report(given.folder))


if __name__ == "__main__":
    main()
