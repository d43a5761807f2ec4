"""``python -m training.solving DOMAIN FILE`` writes held-out problems for ``agentflow eval``."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from training.solving import WORKED

_IN_VAIN = 10_000
"""Draws without a new problem after which there is taken to be none."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Write problems of the pocket model's size that it was never trained on."
    )
    parser.add_argument("domain", choices=WORKED)
    parser.add_argument("out", type=Path, help="a file of JSON lines: id, text, gold")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    drawn = WORKED[arguments.domain](random.Random(arguments.seed), held_out=True)
    found: dict[str, str] = {}
    since = 0
    while len(found) < arguments.count and since < _IN_VAIN:
        one = next(drawn)
        since = 0 if one.problem.text not in found else since + 1
        found.setdefault(one.problem.text, one.answer)
    if len(found) < arguments.count:
        raise SystemExit(
            f"{arguments.domain} has {len(found):,} held-out problems of this size, as far as can "
            f"be found; ask for so many with --count, not for {arguments.count:,}"
        )
    with arguments.out.open("w", encoding="utf-8") as file:
        for number, (text, gold) in enumerate(found.items()):
            row = {"id": f"{arguments.domain}-{number}", "text": text, "gold": gold}
            print(json.dumps(row), file=file)


if __name__ == "__main__":
    main()
