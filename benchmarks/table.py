"""Every method and baseline on every domain that the bundled model has learnt, side by side.

    python benchmarks/table.py runs/table                      # some hours on two cores
    python benchmarks/table.py runs/table --domains maze math  # a part; run again it goes on
    python benchmarks/table.py runs/table --arms direct SDV    # some of its rows
    python benchmarks/table.py runs/table --count 400 --seeds 2  # more, on top of those
    python benchmarks/table.py runs/long --long                # of problems that take more lines
    python benchmarks/table.py runs/table --report-only        # only the tables, from recorded runs

Held-out problems, prefix cache on, one at a time on each engine (of the bundled model one
a core). Of each domain FOLDER gets the
problems, the records of ``agentflow eval``, the traces, and the report of ``agentflow report``;
``FOLDER/table.md`` has what is printed: every domain's table, how each paper's headline relation
comes out, and where ``unified`` stands. Exits 1 if a goal is missed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shared import goal, options

from agentflow import models
from agentflow.evaluation.collected import Collected, collect
from agentflow.evaluation.markdown import table
from agentflow.evaluation.report import cells
from agentflow.evaluation.summary import Summary, paired, pairs, pareto, summaries

DOMAINS = ("game24", "math", "logic", "commonsense", "maze", "spatialmap")

LONG = ("math", "logic", "maze", "spatialmap")
"""Those with problems that take more lines than the pocket model's usual ones."""

SEARCH = (
    "adaptive_compute;plan=false;reasoning=[];iterations=1;scorer=prm;param=4;search_tokens=4096;"
)
"""A search over lines by the judge's scores, with as many tokens as the best of 4 may take."""

NOWAIT = [
    *("wait", "alternatively", "hmm", "but", "however", "alternative", "another", "check"),
    *("double-check", "oh", "maybe", "verify", "other", "again", "now", "ah", "any"),
]
"""Words that NoWait leaves out (Wang et al. 2025, section 3)."""

ARMS = {
    "direct": "direct",
    "best of 4": "sampling",
    "majority of 4": "sampling;choose=majority;k=4",
    "majority of 10": "sampling;choose=majority;k=10",
    "majority of 8": "sampling;choose=majority;critic=none;k=8",
    "majority of 8, if 6 agree": "sampling;choose=majority;critic=none;k=8;least_share=0.75",
    "short-3 of 8": "sampling;choose=majority;critic=none;k=8;stop=first;first=3",
    "sure majority of 10": "sampling;choose=majority;critic=none;k=10;stop=sure",
    "most consistent of 4": "sampling;choose=consistent;critic=none",
    "best of 4, aspects": "sampling;critic=aspects",
    "weighted vote of 4": "sampling;choose=weighted;critic=prm",
    "confident vote of 4": "sampling;choose=weighted;critic=confidence;vote_temperature=0.5",
    "self-certainty of 4": "deepconf;k=4;warm_up=4;keep=1;window=32;measure=mean;rank_power=1",
    "DeepConf": "deepconf;k=10;warm_up=4;at_once=3;keep=0.9;window=32",
    "CoT decoding": "cot_decoding",
    "CoT decoding, 4": "cot_decoding;k=4",
    "budget forcing": "budget_forcing;waits=1",
    "AlphaOne": "alpha_one",
    "AlphaOne, lines": "alpha_one;step=line",
    "TIP": "thought_switching",
    "NoWait": "thought_switching;penalty=100;thought_tokens=0;words=" + json.dumps(NOWAIT),
    "self-aggregation": "self_aggregation;n=4;see=2;rounds=2",
    "debate": "self_aggregation;n=3;see=3;rounds=2;style=debate",
    "speculative": "speculative_reasoning;roles.proxy=embedded;roles.prm=embedded:judge",
    "knockout": "tournament;n=4",
    "league": "tournament;n=4;style=league",
    "generate-test": "generate_test",
    "tree of thoughts": "tree_of_thoughts;depth=40",  # a thought is a line: 8 end no maze
    "k-stable": "interwhen;step_verifier=false;k_stable=2",
    "step verifier": "interwhen",
    "first candidate": 'early_exit;rules={"rule":"k_stable","k":1};check=candidate',
    "entropy": 'early_exit;rules={"rule":"entropy_level","alpha":1.0,"level":0.07};'
    "probe.alternatives=16;check=candidate",
    "SDV": "solve_detect_verify",
    "SDV, domain": 'solve_detect_verify;ladder=["domain"];iterations=4;refine_by=note',
    "SDV, redraw": "solve_detect_verify;iterations=4;refine_by=redraw",
    "SDV, judge": 'solve_detect_verify;ladder=["prm"];iterations=4;refine_by=note',
    "SDV, judge, redraw": 'solve_detect_verify;ladder=["prm"];iterations=4;refine_by=redraw',
    "SDV, judge, rewrite": 'solve_detect_verify;ladder=["prm"];iterations=6;refine_by=rewrite;'
    "pass_at=0.7",
    "SDV, rewrite": "solve_detect_verify;iterations=6;refine_by=rewrite",
    "SDV, fast, rewrite": 'solve_detect_verify;ladder=["fast"];k=1;iterations=6;refine_by=rewrite',
    "SDV@4, judge": 'solve_detect_verify;ladder=["prm"];iterations=1;samples=4',
    "best of 4, judge": "sampling;critic=prm",
    "verified, judge": "verified_sampling;verifier=prm;n=4",
    "direct + judge": 'adaptive_compute;plan=false;reasoning=[];compute="best of n";iterations=4;'
    "scorer=prm",
    "learned + judge": "adaptive_compute;plan=false;reasoning=[];compute=learned;iterations=1;"
    "scorer=prm;search_tokens=4096",
    "beam + judge": SEARCH + 'compute="beam search"',
    "DVTS + judge": SEARCH + "compute=dvts",
    "REBASE + judge": SEARCH + "compute=rebase",
    "particles + judge": SEARCH + "compute=particles",
    "best of 4, panel": 'sampling;critic=panel;panel=["prm","critic","vanilla"];k=4',
    "safest of 4, panel": 'sampling;critic=panel;panel=["prm","critic","vanilla"];k=4;'
    "choose=pessimistic",
    "momentum + judge": SEARCH + "compute=momentum",
    "power": SEARCH + "compute=power",
    "direct, 0.25": "direct;temperature=0.25",
    "best of 8 + judge": SEARCH.replace("param=4", "param=8") + 'compute="best of n"',
    "rejection of 8 + judge": SEARCH.replace("param=4", "param=8") + "compute=rejection",
    "MCTS + judge": SEARCH + "compute=mcts",
    "direct + PRM": 'adaptive_compute;plan=false;reasoning=[];compute="best of n";iterations=4',
    "dynamic + PRM": "adaptive_compute;iterations=1;extract=domain;search_tokens=2000",
    "VerifiAgent": "verified_sampling;verifier=verifiagent;n=2;rounds=3;meta_tokens=512;"
    "act_tokens=512",
    "verified, domain": "verified_sampling",
    "verified, FlexiVe": "verified_sampling;verifier=flexive;n=2",
    "verified, vanilla": "verified_sampling;verifier=vanilla;n=2",
    "verified, deductive": "verified_sampling;verifier=deductive;n=2",
    "verified, chain": "verified_sampling;verifier=chain_of_verification;n=2",
    "verified, backward": "verified_sampling;verifier=backward;n=2",
    "unified": "unified",
}
"""Name -> method and settings."""

OURS = "unified"
COLUMNS = ("arm", "accuracy", "answered", "soundness", "tokens", "seconds", "F_theo", "S_CI")


@dataclass(frozen=True, slots=True)
class Relation:
    """What a paper found of two arms, on its own models and problems."""

    paper: str
    found: str
    arm: str
    base: str


RELATIONS = (
    Relation("interwhen", "+10 points at 1.26 x tokens", "step verifier", "direct"),
    Relation("interwhen", "-32 % tokens at equal accuracy", "k-stable", "direct"),
    Relation("EAT", "-12 to -22 % tokens at equal accuracy", "entropy", "direct"),
    Relation("SDV", "more accurate with -18 % tokens", "SDV", "direct"),
    Relation("SDV", "more accurate with -18 % tokens", "SDV, redraw", "direct"),
    Relation("SDV", "more accurate with -18 % tokens", "SDV, judge", "direct"),
    Relation("SDV", "more accurate with -18 % tokens", "SDV, judge, redraw", "direct"),
    Relation("SDV", "more accurate with -18 % tokens", "SDV, judge, rewrite", "direct"),
    Relation("SDV", "more accurate with -18 % tokens", "SDV, rewrite", "direct"),
    Relation("SDV", "more accurate with -18 % tokens", "SDV, fast, rewrite", "direct"),
    Relation("SDV", "SDV@N above majority@N", "SDV@4, judge", "majority of 4"),
    Relation("SDV", "best of N above majority@N", "best of 4, judge", "majority of 4"),
    Relation("adaptive compute", "more accurate", "direct + judge", "direct"),
    Relation("adaptive compute", "more accurate", "learned + judge", "direct"),
    Relation("adaptive compute", "as accurate for half", "learned + judge", "direct + judge"),
    Relation("adaptive compute", "as accurate for half", "learned + judge", "direct + PRM"),
    Relation("DVTS", "above best of N", "DVTS + judge", "direct + judge"),
    Relation("REBASE", "above sampling at equal compute", "REBASE + judge", "direct + judge"),
    Relation(
        "speculative rejection",
        "as accurate for less",
        "rejection of 8 + judge",
        "best of 8 + judge",
    ),
    Relation("particle filtering", "above searches", "particles + judge", "beam + judge"),
    Relation("RAP", "more accurate", "MCTS + judge", "direct"),
    Relation("adaptive compute", "more accurate", "dynamic + PRM", "direct"),
    Relation("adaptive compute", "more accurate", "dynamic + PRM", "direct + PRM"),
    Relation("VerifiAgent", "as accurate at 1.5 samples", "VerifiAgent", "majority of 10"),
    Relation("VerifiAgent", "as accurate at 1.5 samples", "verified, judge", "majority of 10"),
    Relation(
        "Adaptive-Consistency", "as accurate for less", "sure majority of 10", "majority of 10"
    ),
    Relation(
        "universal self-consistency", "as majority@N", "most consistent of 4", "majority of 4"
    ),
    Relation("MAV", "above majority@N", "best of 4, aspects", "majority of 4"),
    Relation("self-certainty", "above majority@N", "self-certainty of 4", "majority of 4"),
    Relation("DIVERSE", "above majority@N", "weighted vote of 4", "majority of 4"),
    Relation("DeepConf", "as accurate for less", "DeepConf", "majority of 10"),
    Relation("RSA", "above majority@N for more", "self-aggregation", "majority of 4"),
    Relation("multi-agent debate", "more accurate for more", "debate", "majority of 4"),
    Relation("tournament", "above majority@N for more", "knockout", "majority of 4"),
    Relation("tournament", "above majority@N for more", "league", "majority of 4"),
    Relation("s1", "more accurate for more", "budget forcing", "direct"),
    Relation("none: ours", "", "unified", "direct"),
)


def problems(folder: Path, domain: str, count: int, size: Sequence[str]) -> list[str]:
    """What ``agentflow eval`` is told of a domain's held-out problems.

    Raises:
        SystemExit: If the folder has more of them, or others, which an earlier run drew.
    """
    if domain == "game24":
        return ["--limit", str(count)]
    file = folder / f"{domain}.problems.jsonl"
    drawn = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if len(drawn) > count:
        raise SystemExit(f"{file} has {len(drawn)} problems: give --count {len(drawn)} or more, or "
                         "another folder")  # fmt: skip
    if len(drawn) < count:
        draft = file.with_suffix(".part")
        run("training.solving", domain, str(draft), "--count", str(count), *size)
        if draft.read_text(encoding="utf-8").splitlines()[: len(drawn)] != drawn:
            raise SystemExit(f"{file} has other problems than are drawn now: give another folder")
        draft.replace(file)
    given = ["--dataset", str(file), "--domain", domain]
    if domain == "commonsense":  # what its search finds; the pages of the made-up people
        pages = folder / "pages"
        if not pages.exists():
            run("training.cases", str(folder / "cases.part"), "--count", "1", "--pages", str(pages))
        given += ["--set", "tools=" + json.dumps({"search": f"local:{pages}"})]
    return given


def run(module: str, *arguments: str) -> None:
    """Run a module; its output is shown.

    Raises:
        SystemExit: If it fails.
    """
    if code := subprocess.run([sys.executable, "-m", module, *arguments], check=False).returncode:
        raise SystemExit(f"python -m {module} {' '.join(arguments)} ended with {code}")


def measure(folder: Path, domain: str, arms: Sequence[str], model: str, given: list[str]) -> None:
    """Run what is not there yet."""
    out = folder / f"{domain}.jsonl"
    chosen = [f"{name}={ARMS[name]}" for name in arms]
    at_once = models.engines(model, len(arms))
    common = ["--set", "cache=true", "--model", model, "--concurrency", str(at_once)]
    resume = ["--resume"] if out.exists() else []
    run("agentflow", "eval", *chosen, "--out", str(out), *given, *common, *resume)
    run("agentflow", "report", str(out), "--out", str(folder / f"{domain}.report"))


def overview(found: dict[str, list[Summary]]) -> str:
    """An arm a row, a domain a column: accuracy, and tokens over those of ``direct``."""
    rows = []
    for name in ARMS:
        found_of = {"arm": name}
        for domain, lines in found.items():
            by_name = {line.arm: line for line in lines}
            if {name, "direct"} <= set(by_name):
                line, base = by_name[name], by_name["direct"]
                ratio = line.tokens / base.tokens
                found_of[domain] = f"{100 * line.accuracy.value:.1f} % · {ratio:.2f} x"
        rows.append(found_of)
    return table(rows, empty=False)


def row(line: Summary) -> dict[str, str]:
    """A line of a domain's table: tokens by role in one cell; the report has more columns."""
    roles = [f"{role} {tokens:.0f}" for role, tokens in line.roles.items() if tokens >= 0.5]
    found = cells(line)
    return {name: found[name] for name in COLUMNS} | {"tokens by role": ", ".join(roles)}


def beats(one: Summary, other: Summary) -> bool:
    """At least as accurate for at most as many tokens, and better in one of the two."""
    better = (one.accuracy.value, -one.tokens), (other.accuracy.value, -other.tokens)
    return better[0] != better[1] and all(a >= b for a, b in zip(*better, strict=True))


def relations(found: dict[str, Collected]) -> str:
    """How each paper's relation comes out, domain by domain."""
    rows = []
    for one in RELATIONS:
        came_to = {"paper": one.paper, "it found": one.found, "here": f"{one.arm} : {one.base}"}
        for domain, collected in found.items():
            if {one.arm, one.base} <= set(collected.arms):
                ours, base = collected.finished(one.arm), collected.finished(one.base)
                both = pairs(ours, base)
                ratio = sum(r.tokens for r, _ in both) / sum(r.tokens for _, r in both)
                came_to[domain] = f"{paired(ours, base).points()}, {ratio:.2f} x"
        rows.append(came_to)
    return table(rows, empty=False)


def standing(found: dict[str, list[Summary]]) -> list[tuple[str, bool]]:
    """Where ``unified`` stands, and whether that is what was aimed at."""
    goals, dominated = list[tuple[str, bool]](), list[str]()
    for domain, lines in found.items():
        singles = [line for line in lines if line.arm != OURS]
        ours = next((line for line in lines if line.arm == OURS), None)
        if ours is None or not singles:
            continue
        front = [line.arm for line in pareto([*singles, ours])]
        better = [line.arm for line in singles if not beats(ours, line)]
        dominated += [] if better else [domain]
        where = f"front: {', '.join(front)}; not dominated: {', '.join(better) or 'none'}"
        goals.append((f"{domain}: unified on the Pareto front ({where})", OURS in front))
    text = f"unified dominates every single method on {', '.join(dominated) or 'no domain'}"
    return [*goals, (f"{text} (goal: two or more)", len(dominated) >= 2)]


def main() -> None:
    parser = options(__doc__, count=200, seeds=1)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--domains", nargs="+", choices=DOMAINS)
    parser.add_argument("--long", action="store_true", help=f"longer problems: {', '.join(LONG)}")
    parser.add_argument("--arms", nargs="+", choices=list(ARMS), default=list(ARMS))
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--report-only", action="store_true")
    arguments = parser.parse_args()
    if arguments.long and (short := {*(arguments.domains or ())} - {*LONG}):
        parser.error(f"--long: {', '.join(sorted(short))} has no longer problems")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if not arguments.report_only:
        size = ["--long"] if arguments.long else []
        for domain in arguments.domains or (LONG if arguments.long else DOMAINS):
            given = problems(arguments.folder, domain, arguments.count, size)
            given += ["--seeds", str(arguments.seeds)]
            measure(arguments.folder, domain, arguments.arms, arguments.model, given)
    files = {domain: arguments.folder / f"{domain}.jsonl" for domain in DOMAINS}
    found = {domain: collect([file]) for domain, file in files.items() if file.exists()}
    order = list(ARMS)  # a file that was gone on with may have another
    lines = {
        domain: sorted(summaries(collected), key=lambda line: order.index(line.arm))
        for domain, collected in found.items()
    }
    parts = ["## Every domain", overview(lines), "## The papers' relations", relations(found)]
    for domain, summed in lines.items():
        parts += [f"## {domain}", table(map(row, summed), empty=False)]
    text = "\n\n".join(parts) + "\n"
    (arguments.folder / "table.md").write_text(text, encoding="utf-8")
    print(text)
    sys.exit(sum(not goal(text, met) for text, met in standing(lines)) > 0)


if __name__ == "__main__":
    main()
