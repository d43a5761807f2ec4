"""``python -m training.solving DOMAIN FILE`` writes problems for ``agentflow eval``."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from training.solving import LONG, WORKED, drawn

_IN_VAIN = 10_000
"""Draws without a new problem after which there is taken to be none."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Write problems of the pocket model's size that it was never trained on."
    )
    parser.add_argument("domain", choices=["game24", *WORKED])
    parser.add_argument("out", type=Path, help="a file of JSON lines: id, text, gold")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--trained", action="store_true", help="problems that it may have been trained on instead"
    )
    parser.add_argument("--long", action="store_true", help="problems that take more lines")
    arguments = parser.parse_args()
    rng, kind = random.Random(arguments.seed), "training" if arguments.trained else "held-out"
    if arguments.long and arguments.domain not in LONG:
        parser.error(
            f"--long: of {arguments.domain} there are no longer ones; of {', '.join(LONG)}"
        )
    held_out, long = not arguments.trained, arguments.long
    problems = drawn(arguments.domain, rng, held_out=held_out, long=long)
    found: dict[str, str] = {}
    since = 0
    while len(found) < arguments.count and since < _IN_VAIN:
        one = next(problems)
        since = 0 if one.problem.text not in found else since + 1
        found.setdefault(one.problem.text, one.answer)
    if len(found) < arguments.count:
        raise SystemExit(
            f"{arguments.domain} has {len(found):,} {kind} problems of this size, as far as can "
            f"be found; ask for so many with --count, not for {arguments.count:,}"
        )
    with arguments.out.open("w", encoding="utf-8") as file:
        for number, (text, gold) in enumerate(found.items()):
            row = {"id": f"{arguments.domain}-{number}", "text": text}
            print(json.dumps(row | ({"gold": gold} if gold else {})), file=file)


if __name__ == "__main__":
    main()
