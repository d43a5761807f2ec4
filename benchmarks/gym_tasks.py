"""Every task of reasoning-gym: it loads, generates, and is judged as `docs/gym.md` says.

    python benchmarks/gym_tasks.py [--items 5] [--write] [--page docs/gym.md] [TASK ...]

For each task and each of its first items: its own solution is judged, five mutations of it that
still look like an answer (a sign changed, two exchanged, one doubled, one dropped, the solution of
another item; fewer where there are no more, as with True and False), and what hedges or wraps it.
A mutation that is another right answer is told by a checker of its own (:data:`SAME`) and left out.
Exits 1 where a solution does not pass with a scorer that is exact or sound, a mutation is not
refuted with an exact one, or a hedge passes with any.
`--write` notes the fingerprints of the scorers as read; `--page` writes the table into a page.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agentflow import domains
from agentflow.domains import arithmetic
from agentflow.domains.gym import PREFIX, Gym, programs, trust
from agentflow.problem import Problem

MUTATIONS = 5
SIGN = re.compile(r"\d|[^\W\d_]+|[^\w\s]")
BEGIN, END = "<!-- table -->\n", "<!-- end -->\n"


def coloured(problem: Problem, text: str) -> bool:
    """Whether no two neighbours have one colour."""
    edges = re.findall(r"\((\d+), (\d+)\)", problem.text)
    colours = json.loads(text)
    return all(colours[one] != colours[other] for one, other in edges)


def who(text: str) -> set[tuple[str, str]]:
    return set(re.findall(r"(\w+) is an? (\w+)", text))


def comes_to_it(problem: Problem, text: str) -> bool:
    """Whether an expression has the numbers and the value of the solution; no code of ours."""
    used, theirs = (sorted(re.findall(r"\d+", one)) for one in (text, str(problem.gold)))
    return used == theirs and abs(eval(text) - eval(str(problem.gold))) < 1e-9


SAME: dict[str, Callable[[Problem, str], bool]] = {
    "countdown": comes_to_it,
    "graph_color": coloured,
    "prime_factorization": lambda problem, text: (
        sorted(re.findall(r"\d+", text)) == sorted(re.findall(r"\d+", str(problem.gold)))
    ),
    "puzzle24": comes_to_it,
    "knights_knaves": lambda problem, text: who(text) == who(str(problem.gold)),
}
"""Task -> whether a text is right, for those where mutations came upon other right answers."""


@dataclass
class Row:
    """What was found for a task."""

    task: str
    worth: str
    why: str
    own: int = 0
    passed: int = 0
    mutated: int = 0
    refuted: int = 0
    other: int = 0


def mutations(task: str, own: str, others: list[str], draw: random.Random) -> list[str]:
    """Up to five texts of the task's form that say something else."""
    words = re.split(r"(\s+)", own)
    found = dict.fromkeys(one for one in others if one != own)
    for _ in range(60):
        found[changed(own, words, draw)] = None
    rest = [
        one
        for one in found
        if normal(one) != normal(own)
        and trust.has_form(task, one, own)
        and (task not in trust.OURS or arithmetic.parse(one) is not None)
    ]
    draw.shuffle(rest)
    return rest[:MUTATIONS]


def normal(text: str) -> str:
    """The text without what a spelling may differ in."""
    return re.sub(r"[\s,+]|(?<!\d)0+(?=\d)", "", text).casefold()


def changed(own: str, words: list[str], draw: random.Random) -> str:
    places = list(SIGN.finditer(own))
    if not places:
        return own
    one = draw.choice(places)
    how = draw.randrange(4)
    said = one[0]
    if said.isdigit():
        new = str((int(said) + draw.randrange(1, 10)) % 10)
    elif said.isalpha():
        new = (
            said[:-1] + ("s" if said[-1] != "s" else "t")
            if len(said) > 1
            else chr((ord(said) + 1 - ord("A")) % 26 + ord("A"))
            if said.isupper()
            else "z"
        )
    else:
        new = said
    if how == 0 or len(words) < 5:
        return own[: one.start()] + new + own[one.end() :]
    at = draw.randrange(0, len(words), 2)
    if how == 1:
        other = draw.randrange(0, len(words), 2)
        return "".join(
            words[other] if i == at else words[at] if i == other else word
            for i, word in enumerate(words)
        )
    if how == 2:
        return "".join([*words[: at + 1], " ", *words[at:]])
    return "".join([*words[:at], *words[at + 2 :]]).strip()


def hedges(own: str, wrong: str) -> Iterator[str]:
    """Texts with the solution in them that do not state it."""
    yield from (f"{own} or {wrong}", f"not {own}", f"{own}\n{wrong}", f"{own} {wrong}")
    yield from (f"{own}, {wrong}", f"{own}; no, {wrong}", f"is it {own}?")
    yield "__import__('os')._exit(0)"
    yield f"({own!r}, print(1.0))[0]"


async def run(task: str, count: int) -> tuple[Row, list[str]]:
    """What is found for a task, and what is wrong with it."""
    domain = domains.get(PREFIX + task)
    assert isinstance(domain, Gym)
    problems, draw, wrong = list(domain.problems(count)), random.Random(task), list[str]()
    worth = trust.trust(task, programs.items(task, domain.given, 0)[0])
    row = Row(task, worth.worth, worth.why)
    golds = [one.gold for one in problems if one.gold is not None]
    for problem in problems:
        if problem.gold is None:
            continue
        row.own += 1
        said = await domain.verify_answer(domain.parse(problem.text, problem.id), problem.gold)
        row.passed += said.ok is True
        if said.ok is not True and worth.worth != "none":
            wrong.append(f"{task}: its own {problem.gold[:60]!r} is {said.ok}: {said.reason}")
        made = mutations(task, problem.gold, golds, draw)
        for text in made:
            verdict = await domain.verify_answer(problem, text)
            if verdict.ok and task in SAME and SAME[task](problem, text):
                row.other += 1
                continue
            if verdict.kind == "unread" and task in trust.OURS:
                continue  # `4 - - 3` looks like an expression, and is none
            row.mutated += 1
            row.refuted += verdict.ok is False
            if verdict.ok is not False and worth.worth == "exact":
                wrong.append(f"{task}: {text[:70]!r} for {problem.gold[:70]!r} is {verdict.ok}")
        for text in hedges(problem.gold, made[0] if made else "17"):
            verdict = await domain.verify_answer(problem, text)
            if verdict.ok is True:
                wrong.append(f"{task}: passed {text[:70]!r}")
    return row, wrong


def table(rows: list[Row]) -> str:
    head = "| task | scorer | own solutions passed | mutations refuted | why not exact |\n"
    head += "|---|---|---:|---:|---|\n"
    return head + "".join(
        f"| {row.task} | {row.worth} | {row.passed} of {row.own} "
        f"| {row.refuted} of {row.mutated} | {row.why} |\n"
        for row in rows
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--items", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--page", type=Path)
    args = parser.parse_args()
    names = args.tasks or [*programs.tasks()]
    if args.write:
        found = {}
        for task in programs.tasks():
            item = programs.items(task, json.dumps({"seed": 0, "size": 10_000}), 0)[0]
            if task in trust.TASKS and trust.TASKS[task].worth != "none":
                found[task] = item.source
        path = Path(trust.__file__).with_name("sources.json")
        path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        trust.sources.cache_clear()
    rows, wrong = [], list[str]()
    for task in names:
        row, found_wrong = asyncio.run(run(task, args.items))
        rows.append(row)
        wrong += found_wrong
    print(table(rows))
    worths = [row.worth for row in rows]
    counted = ", ".join(f"{worths.count(one)} {one}" for one in ("exact", "sound", "none"))
    print(f"{len(rows)} tasks: {counted}; wrong: {len(wrong)}")
    if args.page:
        text = args.page.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        args.page.write_text(before + BEGIN + table(rows) + END + after, encoding="utf-8")
    for one in wrong:
        print(one)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
