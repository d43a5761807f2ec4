"""Rules written by a model (here: by a script) beside the hand-written ones, on tau2-bench's shop.

    python benchmarks/gate_written.py FOLDER [--rules FILE] [--gold 200] [--mutants 400] [--seed 0]

FOLDER is data/tau2/domains/retail of github.com/sierra-research/tau2-bench (MIT). FILE holds rules
as `agentflow gate compile` writes them; without it those of the tests are judged, which stand for a
good model's. Each call of rules in code is a process in the sandbox: gold actions and mutants are a
sample, the same for both policies. Time is wall clock.

Exits with 1 if a gold action is blocked, or less than 95 % of a rule's mutants are caught.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from time import perf_counter

from gate_streams import mutants
from shared import goal, header, options

from agentflow.gate import certify, read_policy
from agentflow.gate.retail import policy, read
from agentflow.gate.retail.tools import SCHEMAS
from agentflow.gate.retail.view import view

RULES = Path(__file__).parents[1] / "tests" / "data" / "tau2" / "written.toml"


def main() -> bool:
    parser = options(__doc__, check=True, gold=200, mutants=400, seed=0)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rules", type=Path, default=RULES)
    given = parser.parse_args()
    actions, draw = read(given.folder), random.Random(given.seed)
    every = mutants(actions)
    gold = draw.sample(actions, min(given.gold, len(actions)))
    broken = draw.sample(every, min(given.mutants, len(every)))
    header(
        f"{len(gold)} of {len(actions)} gold actions, {len(broken)} of {len(every)} mutants, "
        f"seed {given.seed}"
    )
    written = read_policy(given.rules.read_text(encoding="utf-8"), SCHEMAS, seen=view)
    if written.fault:
        return goal(f"{given.rules}: {written.fault}", False)
    by_hand = certify(policy(), gold, broken=broken)
    begun = perf_counter()
    found = certify(written, gold, broken=broken)
    each = (perf_counter() - begun) / (len(gold) + len(broken)) * 1_000
    print("| what is broken | mutants | hand-written | written |\n|---|---:|---:|---:|")
    for ours, theirs in zip(by_hand.rows, found.rows, strict=True):
        print(f"| {ours.rule} | {ours.mutants} | {ours.caught} | {theirs.caught} |")
    print(f"| all | {len(broken)} | {by_hand.caught:.1%} | {found.caught:.1%} |\n")
    for label, why in found.blocked:
        print(f"blocked: {label}: {why}")
    print(f"{each:.1f} ms a call, wall clock")
    held = [name for name, of in sorted(found.tools.items()) if of.holds()]
    print(f"certified on this sample: {', '.join(held)}")
    met = [
        goal(f"{len(found.blocked)} of {found.gold} gold actions blocked", not found.blocked),
        goal("95 % of each rule's mutants caught", found.holds(0.95)),
    ]
    return all(met) or given.no_check


if __name__ == "__main__":
    sys.exit(not main())
