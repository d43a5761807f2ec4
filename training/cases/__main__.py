"""``python -m training.cases FILE`` writes held-out cases for ``agentflow eval-verifier``."""

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path

from training.cases import cases, facts


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Write held-out solutions, right and wrong, for agentflow eval-verifier."
    )
    parser.add_argument("out", type=Path, help="a file of JSON lines")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--pages",
        type=Path,
        help="a folder for the pages on which the facts stand, to be searched as local:FOLDER",
    )
    arguments = parser.parse_args()
    if arguments.pages:
        arguments.pages.mkdir(parents=True, exist_ok=True)
        facts.write(arguments.pages)
    with arguments.out.open("w", encoding="utf-8") as file:
        drawn = islice(cases(arguments.seed, held_out=True), arguments.count)
        for number, case in enumerate(drawn):
            row = {
                "id": f"case-{number}",
                "problem": case.problem.text,
                "solution": case.told,
                "right": case.right,
                "domain": case.problem.domain,
                "type": "right" if case.right else "wrong step" if case.complete else "incomplete",
                "difficulty": str(len(case.lines)),
            }
            print(json.dumps(row), file=file)


if __name__ == "__main__":
    main()
