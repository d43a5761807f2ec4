"""Measure how far our equality of answers agrees with real gold answers and recorded verdicts.

    python benchmarks/equality.py --data ../shared/data --out disagreements.jsonl

Gold answers must equal themselves and what their worked solutions box; recorded answers were judged
by others (their labels are not always right: read the file of disagreements). Each pair is compared
once. Exits 1 if a gold answer is not equal to itself.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from shared import options, rows_of

from agentflow.domains import answers
from agentflow.tools.equality import Outcome, compare
from agentflow.version import __version__

TRUNCATED = 60
"""Recorded predictions were cut to this length; such are left out."""


@dataclass(frozen=True, slots=True)
class Case:
    """Two answers that somebody has compared.

    Attributes:
        source: Which data they are from.
        answer: What was answered.
        gold: The right answer.
        label: Whether the answer was called right.
    """

    source: str
    answer: str
    gold: str
    label: bool


def cases(data: Path) -> Iterator[Case]:
    """Every comparison that the data hold."""
    for row in rows_of(data / "math500" / "test.jsonl"):
        yield Case("math500, gold", row["answer"], row["answer"], True)
        for box in list(answers.boxed(row["solution"]))[-1:]:
            yield Case("math500, solution", box, row["answer"], True)
    for row in rows_of(data / "aime" / "aime24.jsonl"):
        yield Case("aime, gold", str(row["answer"]), str(row["answer"]), True)
        for box in list(answers.boxed(row["solution"]))[-1:]:
            yield Case("aime, solution", box, str(row["answer"]), True)
    for row in rows_of(data / "gsm8k" / "example_model_solutions.jsonl"):
        gold = final(row["ground_truth"])
        for name, recorded in row.items():
            if isinstance(recorded, dict):
                told = final(recorded["solution"])
                if told:
                    yield Case(f"gsm8k, {name}", told, gold, recorded["is_correct"])
    for folder in ("zeroeval_gsm", "zeroeval_math_l5"):
        for row in rows_of(data / folder / "predictions.jsonl"):
            for told, correct in zip(row["preds"], row["correct"], strict=True):
                if told and told.strip() and len(told) < TRUNCATED:
                    yield Case(folder, told, row["gold"], correct == "1")


def final(solution: str) -> str:
    """What stands behind the last ``A:`` of a worked solution."""
    return solution.rpartition("A:")[2].strip()


def report(found: list[tuple[Case, Outcome]], out: Path | None) -> bool:
    """Print agreement for each source; write what does not agree. Whether all gold ones do."""
    print(f"{'source':24} {'cases':>7} {'agree':>8} {'we: equal':>10} {'we: not':>8} {'cannot':>7}")
    for source in dict.fromkeys(case.source for case, _ in found):
        oks = Counter(
            (case.label, outcome.equal) for case, outcome in found if case.source == source
        )
        agreed = oks[True, True] + oks[False, False] + oks[False, None]
        print(
            f"{source:24} {oks.total():7,} {agreed / oks.total():8.3%} {oks[False, True]:10,} "
            f"{oks[True, False]:8,} {oks[True, None]:7,}"
        )
    how = Counter(outcome.how for _, outcome in found)
    print("decided by:", ", ".join(f"{name} {count:,}" for name, count in how.most_common(8)))
    apart = [(case, outcome) for case, outcome in found if case.label != (outcome.equal is True)]
    if out:
        lines = Counter(
            (case.source, case.answer, case.gold, case.label, outcome.equal, outcome.how)
            for case, outcome in apart
        )
        fields = ("source", "answer", "gold", "label", "equal", "how")
        with out.open("w", encoding="utf-8") as file:
            for line, count in lines.most_common():
                print(
                    json.dumps({**dict(zip(fields, line, strict=True)), "count": count}), file=file
                )
    return not any(case.source.endswith("gold") for case, _ in apart)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="where the disagreements are written")
    given = parser.parse_args()
    every = list(cases(given.data))
    pairs = sorted({(case.answer, case.gold) for case in every})
    began = perf_counter()
    outcomes = dict(zip(pairs, compare(pairs), strict=True))
    seconds = perf_counter() - began
    print(f"agentflow {__version__}: {len(every):,} cases, {len(pairs):,} pairs, {seconds:.0f} s")
    print("agree: equal where the label says right, else not; cannot: labelled right, no verdict")
    if not report([(case, outcomes[case.answer, case.gold]) for case in every], given.out):
        sys.exit(1)


if __name__ == "__main__":
    main()
