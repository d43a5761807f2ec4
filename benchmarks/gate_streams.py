"""Tool calls judged as they are written: what of tau2-bench's wrong calls is never written.

    python benchmarks/gate_streams.py FOLDER [--mutants 2000] [--seed 0] [--no-check]

FOLDER is data/tau2/domains/retail of github.com/sierra-research/tau2-bench (MIT). A scripted model
streams every gold action, and a sample of the mutants that benchmarks/gate.py judges, as a message
with that one call, in chunks of about a token. Counted is where the message is cut: what the model
sends while a verdict is being found is cut away again.

Exits with 1 if a gold action is cut, or a verdict differs from that on the whole call.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from time import process_time
from typing import Any

from langchain_core.messages import AIMessage
from shared import goal, header, options

from agentflow.gate import Action, judge, watch_calls
from agentflow.gate.retail import MUTATIONS, policy, read
from agentflow.models.scripted_chat import chunks_of


def mutants(actions: list[Action]) -> list[tuple[str, Action]]:
    """All mutants, each with the name of the rule that it breaks."""
    return [
        (mutation.breaks, mutant)
        for action in actions
        for mutation in MUTATIONS
        if not mutation.tools or action.call.name in mutation.tools
        for mutant in mutation.make(action)
    ]


async def said(chunks: list[Any]) -> AsyncIterator[Any]:
    for chunk in chunks:
        yield chunk


async def main() -> bool:
    parser = options(__doc__, check=True, mutants=2000, seed=0)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    gold, shop = read(given.folder), policy()
    every = mutants(gold)
    sample = random.Random(given.seed).sample(every, min(given.mutants, len(every)))
    header(f"{len(gold)} gold actions, {len(sample)} of {len(every)} mutants, seed {given.seed}")
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    differ = cut = sent = 0
    begun = process_time()
    for breaks, action in [*(("", one) for one in gold), *sample]:
        call = {"name": action.call.name, "args": dict(action.call.args), "id": "1"}
        chunks = chunks_of(AIMessage("", tool_calls=[call]))
        found = await watch_calls(said(chunks), shop, action.state)
        sent += len(chunks)
        differ += bool(found.denied) != (judge(shop, action.state, action.call).outcome != "allow")
        if breaks:
            for at, more in enumerate((1, len(chunks), len(found.chunks))):
                rows[breaks][at] += more
        else:
            cut += found.cut
    each = (process_time() - begun) / sent * 1_000
    print("| rule | mutants | tokens | written | saved |\n|---|---:|---:|---:|---:|")
    total = [sum(row[at] for row in rows.values()) for at in range(3)]
    for name, (many, tokens, written) in [*sorted(rows.items()), ("all", total)]:
        print(f"| {name} | {many} | {tokens} | {written} | {1 - written / tokens:.0%} |")
    print()
    met = [
        goal(f"{cut} of {len(gold)} gold actions cut", not cut),
        goal(f"{differ} verdicts differ from those on the whole call", not differ),
        goal(f"{each:.2f} ms of CPU time a token, 5 allowed", each <= 5),
    ]
    return all(met) or given.no_check


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
