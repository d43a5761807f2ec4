"""Recorded scores of reasoning-gym against our verdicts: they are equal, or the reason is told.

    python benchmarks/gym_recorded.py FILE.jsonl.gz ... [--rows]

A row has the question, the model's output, the task's own solution (gold) and the recorded score.
The dataset that the row came from is not recorded. So its item is put together again from what the
row has: where a scorer needs more than question and solution (the numbers of a countdown), the
question is read. A row whose item cannot be put together is counted, and not judged. Compared are
the answer that we read in the output with the recorded one, the score that the installed scorer
gives the recorded answer with the recorded score, and our verdict with both: a pass needs 1, a
refutation less. Exits 1 on a difference that has no explanation.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from agentflow.domains.gym import Gym, kind, ours, programs, trust, verdict
from agentflow.domains.gym.programs import Item

GIVEN = json.dumps({"seed": 0, "size": 10_000})
_NUMBER = re.compile(r"\d+")


def numbers(question: str) -> dict[str, Any]:
    """Of a countdown: `Calculate 139 using all of these numbers: 36, 29`."""
    listed = re.search(r"(?:numbers:?|using) ((?:\d+, )+\d+)", question)
    target = re.search(r"(?:make|Make|Calculate|equals) (\d+)", question)
    if not listed or not target:
        return {}
    found = [int(one) for one in _NUMBER.findall(listed[1])]
    return {"numbers": found, "target": int(target[1])}


def fraction(question: str) -> dict[str, Any]:
    top, bottom = map(int, _NUMBER.findall(question)[:2])
    return {"numerator": top, "denominator": bottom}


def lowest(gold: str) -> dict[str, Any]:
    top, bottom = map(int, _NUMBER.findall(gold)[:2])
    return {"simplified_numerator": top, "simplified_denominator": bottom}


def rows_of(text: str) -> list[list[int]]:
    lines = [_NUMBER.findall(line) for line in text.splitlines()]
    return [[int(one) for one in line] for line in lines if line]


def calendar(question: str, gold: str) -> dict[str, Any]:
    if gold in ("Yes", "No"):
        return {"task": "is_leap_year"}
    return {"task": "count_days" if _NUMBER.fullmatch(gold.lstrip("-")) else "weekday_of_date"}


def interval(question: str, gold: str) -> dict[str, Any]:
    if "," in gold:
        return {"task_type": "datetime"}
    return {"task_type": "time" if ":" in gold else "date"}


def integral(question: str, gold: str) -> dict[str, Any]:
    found = re.search(r"(?:integral|antiderivative): ∫ (.*) d(\w)\s*$", question, re.M)
    return {"integrand": found[1], "variable": found[2]} if found else {}


def premises(question: str, gold: str) -> dict[str, Any]:
    found = re.findall(r"^\.?\d+\. (.*)$", question, re.M)
    return {"premises": found, "variables": sorted(set(re.findall("[A-Z]", "".join(found))))}


def hanoi(question: str, gold: str) -> dict[str, Any]:
    found = re.search(
        r"with (\d+) disks and (\d+) pegs\.\s+Move all disks from Peg (\d+) to Peg (\d+)", question
    )
    keys = ("num_disks", "num_pegs", "start_peg", "target_peg")
    about = dict(zip(keys, map(int, found.groups()), strict=True)) if found else {}
    return about | {"solution_length": len(gold.splitlines())}


def matrix(question: str, gold: str) -> dict[str, Any]:
    rows = [line.split() for line in question.splitlines() if re.fullmatch(r"(?:[*#OX] ?)+", line)]
    return {"matrix": rows}


def queens(question: str, gold: str) -> dict[str, Any]:
    board = [line.split() for line in question.splitlines() if re.fullmatch(r"(?:[Q_] ?)+", line)]
    size, found = len(board), list[str]()

    def place(row: int, columns: list[int]) -> None:
        if row == size:
            lines = (" ".join("Q" if at == c else "_" for at in range(size)) for c in columns)
            found.append("\n".join(lines))
            return
        fixed = [at for at in range(size) if board[row][at] == "Q"]
        for at in fixed or range(size):
            if all(at != c and abs(at - c) != row - r for r, c in enumerate(columns)):
                place(row + 1, [*columns, at])

    place(0, [])
    return {"valid_answers": found}


def jugs(question: str, gold: str) -> dict[str, Any]:
    sizes = [int(one) for one in re.findall(r"[A-Z]:(\d+)", question.split("Reply")[0])]
    target = re.search(r"exactly (\d+) (?:liters|litres)", question) or re.search(
        r"(\d+) lit", question
    )
    return {"puzzle": {"jug_capacities": sizes, "target": int(target[1]) if target else -1}}


def cryptarithm(question: str, gold: str) -> dict[str, Any]:
    words = [one.strip("+ ") for one in question.splitlines() if re.fullmatch(r"[+ ]*[A-Z]+", one)]
    return {
        "words_letters": words[:-1],
        "result_letters": words[-1],
        "allow_leading_zero": "cannot be zero" not in question and "can't be zero" not in question,
    }


Reader = Callable[[str, str], dict[str, Any]]
READERS: dict[str, Reader] = {
    "calendar_arithmetic": calendar,
    "complex_arithmetic": lambda question, gold: {
        "result": [float(one.replace(" ", "")) for one in re.findall(r"[-+]? ?\d+\.\d+", gold)]
    },
    "countdown": lambda question, gold: numbers(question),
    "cryptarithm": cryptarithm,
    "fraction_simplification": lambda question, gold: fraction(question) | lowest(gold),
    "futoshiki": lambda question, gold: {"solution": rows_of(gold)},
    "intermediate_integration": integral,
    "jugs": jugs,
    "mini_sudoku": lambda question, gold: {"solution": rows_of(gold)},
    "n_queens": queens,
    "number_format": lambda question, gold: {"solution": float(gold)},
    "number_sorting": lambda question, gold: {
        "direction": "ascending" if "ascending" in question else "descending"
    },
    "power_function": lambda question, gold: {},
    "propositional_logic": premises,
    "puzzle24": lambda question, gold: {
        "numbers": [int(one) for one in _NUMBER.findall(question.split("Make 24 using")[1])[:4]]
    },
    "shortest_path": matrix,
    "simple_integration": integral,
    "sudoku": lambda question, gold: {"solution": rows_of(gold)},
    "time_intervals": interval,
    "tower_of_hanoi": hanoi,
    "word_sorting": lambda question, gold: {"sorted_words": re.split(r",\s*", gold)},
}
"""Task -> what its scorer needs, from question and solution."""
UNTOLD = {
    "arc_agi": "the scorer compares a board of tuples, which JSON cannot carry",
    "advanced_geometry": "the exact coordinates are not in the question",
    "knight_swap": "the board is drawn, the scorer wants it as a graph",
    "quantum_lock": "the buttons are not read",
    "rubiks_cube": "the moves that scrambled it are not in the question",
}
"""Tasks whose items cannot be put together, and why."""


def rows(paths: list[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)


@cache
def openings(task: str) -> tuple[str, ...]:
    return tuple(item.question for item in programs.items(task, GIVEN, 0))


def same(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)


def task_of(row: dict[str, Any], known: tuple[str, ...]) -> str:
    """The task of a row; where it names only a group of them, the one that asks most alike."""
    name = str(row["task"]).partition("/")[2].removesuffix(" (hard)")
    if name in known:
        return name
    asked = row["problem"]
    alike = {one: max(same(asked, text) for text in openings(one)) for one in known}
    best = max(alike, key=alike.__getitem__)
    return best if alike[best] >= 12 else ""


def compared(task: str, row: dict[str, Any], domain: type[Gym]) -> tuple[str, str]:
    """(how the row came out, a line about it)."""
    question, said = row["problem"], row["extra"]["model_answer"]
    gold = None if row["gold"] in (None, "None") else str(row["gold"])
    if task in UNTOLD:
        return "item not recorded", UNTOLD[task]
    if said is None:
        return ("equal: no answer" if row["correct"] is False else "DIFFERENT"), "no answer"
    about = READERS[task](question, gold or "") if task in READERS else {}
    sample = programs.items(task, GIVEN, 0)[0]
    entry = {"question": question, "answer": gold, "metadata": about}
    score, why = programs.score(task, GIVEN, 0, said, entry)
    if score is None:
        return "DIFFERENT", why
    recorded, text = float(row["extra"]["score"]), said.strip()
    item = Item(0, question, gold, about, sample.plain, sample.source)
    worth, form = trust.trust(task, item), trust.has_form(task, text, gold)
    if task in trust.OURS:
        ok = ours.judged(about, text).ok
    else:
        ok = verdict(task, worth, score, text, gold).ok if form else None
    line = (
        f"recorded {recorded:.3g}, now {score:.3g}, ours {ok}; {said[:50]!r} for {str(gold)[:40]!r}"
    )
    if (read := domain().answer(row["output"])) != text:
        line += f"; read as {str(read)[:40]!r}"
    if ok is not None and ok == (recorded == 1):
        return f"equal: {'passed' if ok else 'refuted'}", line
    if ok is None and recorded != 1:
        return "equal: not passed", line
    if ok is None:
        why = f"the scorer is {worth.worth}" if form else "more than an answer"
        return f"recorded 1, undecided: {why}", line
    if task in trust.OURS:
        return f"recorded {recorded:.3g}, {'passed' if ok else 'refuted'} by ours", line
    if ok == (score == 1):
        return "the scorer has changed since", line
    return "DIFFERENT", line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rows", action="store_true", help="Show every row that is not equal.")
    args = parser.parse_args()
    known = programs.tasks()
    counts, lines = Counter[str](), list[str]()
    for row in rows(args.files):
        task = task_of(row, known)
        if not task:
            counts["task not recorded"] += 1
            continue
        how, line = compared(task, row, kind(f"gym:{task}"))
        counts[how] += 1
        if not how.startswith("equal"):
            lines.append(f"{how}: {row['id']} {task}: {line}")
    for how, count in sorted(counts.items()):
        print(f"{count:5} {how}")
    for line in sorted(lines) if args.rows else [one for one in lines if "DIFFERENT" in one]:
        print(line)
    return counts["DIFFERENT"] > 0


if __name__ == "__main__":
    sys.exit(main())
