"""``python -m training.solving DOMAIN FILE`` writes held-out problems for ``agentflow eval``."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from training.solving import WORKED


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
    while len(found) < arguments.count:
        one = next(drawn)
        found.setdefault(one.problem.text, one.answer)
    with arguments.out.open("w", encoding="utf-8") as file:
        for number, (text, gold) in enumerate(found.items()):
            row = {"id": f"{arguments.domain}-{number}", "text": text, "gold": gold}
            print(json.dumps(row), file=file)


if __name__ == "__main__":
    main()
