"""The gate's retail policy on tau2-bench: gold actions blocked, mutants caught, time of a call.

    python benchmarks/gate.py FOLDER [--no-check]

FOLDER is data/tau2/domains/retail of github.com/sierra-research/tau2-bench (MIT). Time is this
process's CPU time for all judgements by their number; making the mutants counts into it.

Exits with 1 if a goal is missed: no gold action that the benchmark's own tools carry out is
blocked, at least 95 % of the mutants of each rule are caught, at most 5 ms a call.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

from shared import goal, header, options

from agentflow.gate import certify
from agentflow.gate.retail import MUTATIONS, policy, read
from agentflow.gate.retail.tasks import REFUSED

MILLISECONDS = 5.0


def main() -> bool:
    parser = options(__doc__, check=True)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    actions = read(given.folder)
    header(f"{len(actions)} gold actions, {len(MUTATIONS)} operators")
    begun = process_time()
    found = certify(policy(), actions, MUTATIONS)
    judged = found.gold + sum(row.mutants for row in found.rows)
    each = (process_time() - begun) / judged * 1_000
    print(found.table(), end="\n\n")
    for (task, index), why in REFUSED.items():
        print(f"left out, for the benchmark's tools refuse it: task {task}, action {index}: {why}")
    for label, why in found.blocked:
        print(f"blocked: {label}: {why}")
    met = [
        goal(f"{len(found.blocked)} of {found.gold} gold actions blocked", not found.blocked),
        goal(f"{found.caught:.2%} of all mutants caught, 95 % of each rule's", found.holds(0.95)),
        goal(f"{each:.2f} ms a call, {MILLISECONDS} allowed", each <= MILLISECONDS),
    ]
    return all(met) or given.no_check


if __name__ == "__main__":
    sys.exit(not main())
