"""Mazes: a second reader and solver, slow and of its own, says what may pass and be refuted.

It knows questions, answers and steps as whole texts, from a list of every one that there is; what
is not on the list means nothing to it, and then the domain may neither pass nor refute.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from functools import cache
from itertools import product

import pytest
from mutations import SENTENCES, mutated

from agentflow.domains.maze import Maze
from agentflow.errors import BadInput

MAZE = Maze()
WAYS = {"UP": (-1, 0), "DOWN": (1, 0), "LEFT": (0, -1), "RIGHT": (0, 1)}
Cell = tuple[int, int]


def drawn(rng: random.Random) -> list[str]:
    """A maze whose path goes at random and touches itself nowhere."""
    size = 7
    while True:
        path = [(rng.randrange(size), rng.randrange(size))]
        for _ in range(rng.randint(2, 14)):
            free = [cell for cell in beside(path[-1]) if lonely(cell, path, size)]
            if not free:
                break
            path.append(rng.choice(free))
        if len(path) > 2:
            break
    signs = dict.fromkeys(path, "X") | {path[0]: "S", path[-1]: "E"}
    inner = [
        "".join(signs.get((r, c), rng.choice(" ##")) for c in range(size)) for r in range(size)
    ]
    return ["#" * (size + 2), *(f"#{row}#" for row in inner), "#" * (size + 2)]


def beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + r, cell[1] + c) for r, c in WAYS.values()]


def lonely(cell: Cell, path: list[Cell], size: int) -> bool:
    inside = 0 <= cell[0] < size and 0 <= cell[1] < size
    return inside and cell not in path and not set(beside(cell)) & set(path[:-1])


class Walk:
    """The path of a maze, found by trying every way."""

    def __init__(self, rows: list[str]) -> None:
        self.signs = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
        self.s, self.e = (next(at for at, one in self.signs.items() if one == end) for end in "SE")
        self.path = self.way([self.s]) or []

    def way(self, path: list[Cell]) -> list[Cell] | None:
        if path[-1] == self.e:
            return path
        ways = (self.way([*path, c]) for c in beside(path[-1]) if self.on(c) and c not in path)
        return next((way for way in ways if way), None)

    def on(self, cell: Cell) -> bool:
        return self.signs.get(cell, "#") in "XE"

    def turns(self, kind: str, back: bool) -> int:
        path = self.path[::-1] if back else self.path
        found = Counter[int]()
        for a, b, c in zip(path, path[1:], path[2:], strict=False):
            found[(b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])] += 1
        sides = {"right": found[-1], "left": found[1]}
        return sides[kind] if kind in sides else found[1] + found[-1]

    def lies(self, one: str, place: str) -> bool:
        (a, b), (c, d) = (self.e, self.s) if one == "e" else (self.s, self.e)
        return {
            **{"above": a < c, "below": a > c, "to the left of": b < d, "to the right of": b > d},
            **{"directly above": a < c and b == d, "directly below": a > c and b == d},
            **{"directly to the left of": a == c and b < d},
            **{"directly to the right of": a == c and b > d},
            **{"to the top left of": a < c and b < d, "to the top right of": a < c and b > d},
            **{"to the bottom left of": a > c and b < d, "to the bottom right of": a > c and b > d},
            **{"in the same row as": a == c, "in the same column as": b == d},
        }[place]


PLACES = (
    *("above", "below", "to the left of", "to the right of", "directly above", "directly below"),
    *("directly to the left of", "directly to the right of", "to the top left of"),
    *("to the top right of", "to the bottom left of", "to the bottom right of"),
    *("in the same row as", "in the same column as"),
)
E_NAMES = ("e", "(e)", "the exit", "the exit (e)", "exit", "exit (e)", "the e", "the (e)")
S_NAMES = (
    *("s", "(s)", "the start", "the start (s)", "the starting point", "the starting point (s)"),
    *("start", "start (s)", "starting point", "starting point (s)", "the s"),
    "the (s)",
)
VERBS = ("are there", "are")
PATHS = tuple(
    f"{pre} {the} {kind}{noun}{mark}"
    for pre, the, kind, noun, mark in product(
        (" in", " on", " along"),
        ("the", "this"),
        ("", "provided ", "marked "),
        ("path", "maze", "route"),
        ("", " (marked by x)", " marked by x"),
    )
)


@cache
def questions() -> dict[str, tuple[str, ...]]:
    """Every question -> what it asks."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, verb, path in product(("right ", "left ", "total ", ""), VERBS, ("", *PATHS)):
        total = ("", " in total")
        for sum_, ends in product(total, (None, *product(E_NAMES, S_NAMES, (True, False)))):
            said, back = "", False
            if ends is not None:
                e, s, back = ends
                said = f" from {e} to {s}" if back else f" from {s} to {e}"
            asked = ("turns", kind.strip() or "total", "back" if back else "")
            found[f"how many {kind}turns {verb}{sum_}{path}{said} ?"] = asked
    for place, e, s in product(PLACES, E_NAMES, S_NAMES):
        tails = {"": ""}
        if "left" in place or "right" in place or "row" in place:
            tails["with no vertical displacement"] = "row"
        if "above" in place or "below" in place or "column" in place:
            tails["with no horizontal displacement"] = "column"
        for tail, axis in tails.items():
            behind = f" , {tail}" if tail else ""
            found[f"is {e} {place} {s}{behind} ?"] = ("lies", "e", place, axis)
            found[f"is {s} {place} {e}{behind} ?"] = ("lies", "s", place, axis)
    return found


def told(text: str) -> str:
    """A question as it stands in the list, without a stray mark or "and" in front."""
    text = text.removeprefix("* ").removeprefix("*").removeprefix("and ")
    return " ".join(text.lower().replace("?", " ? ").replace(",", " , ").split())


def truth(rows: list[str], question: str) -> str | None:
    asked = questions().get(told(question))
    if asked is None:
        return None
    walk = Walk(rows)
    if asked[0] == "turns":
        return str(walk.turns(asked[1], asked[2] == "back"))
    _, one, place, axis = asked
    same = {
        "": True,
        "row": walk.s[0] == walk.e[0],
        "column": walk.s[1] == walk.e[1],
    }[axis]
    corner = axis and any(word in place for word in ("top", "bottom"))
    return None if corner else "Yes" if walk.lies(one, place) and same else "No"


def verdict(problem: str, answer: str) -> bool | str | None:
    try:
        parsed = MAZE.parse(problem)
    except BadInput:
        return "refused"
    return asyncio.run(MAZE.verify_answer(parsed, answer)).ok


def asked(rng: random.Random) -> str:
    if rng.random() < 0.5:
        kind = rng.choice(("right ", "left ", "total ", ""))
        ends = rng.choice(("from S to E", "from E to S", "from the exit (E) to the start (S)"))
        path = rng.choice(("the provided path (marked by X)", "the path", "this path"))
        return f"How many {kind}turns are there in {path} {ends}?"
    ends = rng.sample(("the exit (E)", "the starting point (S)"), 2)
    place = rng.choice(PLACES)
    tail = ""
    if rng.random() < 0.4 and "row" not in place and "column" not in place:
        tail = f", with no {rng.choice(('vertical', 'horizontal'))} displacement"
    return f"Is {ends[0]} {place} {ends[1]}{tail}?"


def answers(rng: random.Random, right: str | None) -> list[tuple[str, str | None]]:
    """(an answer, what it says, or None) of every kind."""
    if right in ("Yes", "No", None):
        plain = [("Yes", "Yes"), ("no", "No"), ("**No**", "No"), ("YES.", "Yes")]
        hedged = ["Yes/No", "Yes, no", "not no", "No?", "Yes, I think", "Yes or No", "no yes"]
    else:
        numbers = [right, str(int(right) + 1), rng.choice("0123456789")]
        forms = ("{}", "{}.", "**{}**", "{} turns", "({})", "turns = {}")
        plain = [(rng.choice(forms).format(one), one) for one in numbers]
        hedged = [f"{numbers[0]} or {numbers[1]}", f"not {numbers[0]}", f"{numbers[0]}²"]
        hedged += [f"more than {numbers[0]}", f"-{numbers[0]}", f".{numbers[0]}", "1/2"]
    return [*plain, (rng.choice(hedged), None)]


def judged_alike(rng: random.Random, seen: Counter[str]) -> None:
    rows = drawn(rng)
    question = asked(rng)
    for changed in (question, *(mutated(rng, question) for _ in range(5))):
        text, right = changed, truth(rows, changed)
        before, behind = "", ""
        if rng.random() < 0.15:
            sentence, right = rng.choice(SENTENCES), None
            before, behind = rng.choice(((f"{sentence}\n", ""), ("", f" {sentence}")))
        problem = before + "\n".join(rows) + f"\n{text}{behind}"
        for answer, says in answers(rng, right):
            found = verdict(problem, answer)
            wanted = None if right is None or says is None else says == right
            assert found in ("refused", None, wanted), (problem, answer, found, wanted)
            seen["checks"] += 1
            seen[f"{wanted} {found}"] += 1


@pytest.mark.slow
def test_no_change_of_a_question_is_overlooked() -> None:
    rng, seen = random.Random(7), Counter[str]()
    for _ in range(400):
        judged_alike(rng, seen)
    assert seen["checks"] >= 5_000
    assert min(seen["True True"], seen["False False"]) > 300, seen
    assert seen["True None"] + seen["False None"] == 0, seen
    refused = seen["True refused"] + seen["False refused"]
    assert refused < 0.05 * (seen["True True"] + seen["False False"]), seen


def steps(rng: random.Random, walk: Walk) -> list[str]:
    """Lines of the format, right and wrong ones."""
    (r, c), way = walk.s, rng.choice(list(WAYS))
    to = (r + WAYS[way][0], c + WAYS[way][1])
    end, at = rng.choice("SE"), rng.choice([walk.s, walk.e])
    one, other = rng.sample("SE", 2)
    kind, number = rng.choice(("right", "left", "total")), rng.randrange(4)
    return [
        f"Move {way} from ({r},{c}) to ({to[0]},{to[1]})",
        f"{end} position: ({at[0]},{at[1]})",
        f"{one} is {rng.choice(('', 'not '))}{rng.choice(PLACES)} {other}",
        f"FINAL ANSWER: {kind.capitalize()} turns = {number}",
    ]


@cache
def lines() -> dict[str, tuple[str, str, bool]]:
    """Every line that says how S and E lie -> of which, where, and whether so or not so."""
    found = {}
    for e, s, place, no in product(E_NAMES, S_NAMES, PLACES, ("", "not ")):
        found[f"{e} is {no}{place} {s}"] = ("e", place, not no)
        found[f"{s} is {no}{place} {e}"] = ("s", place, not no)
    return found


def holds(walk: Walk, line: str) -> bool | None:
    """What a line is worth; None for one that is not on any list."""
    text = " ".join(line.lower().split())
    if text in lines():
        one, place, so = lines()[text]
        return walk.lies(one, place) is so
    for end, at in (("s", walk.s), ("e", walk.e)):
        for r, c in walk.signs:
            if text == f"{end} position: ({r},{c})":
                return (r, c) == at
    for way, (r, c) in WAYS.items():
        start, to = walk.s, (walk.s[0] + r, walk.s[1] + c)
        if text.removesuffix(" (e)") == f"move {way.lower()} from {at_(start)} to {at_(to)}":
            return to == walk.path[1] and (to == walk.e or text[-3:] != "(e)")
    for kind, number in product(("right", "left", "total"), range(10)):
        if text.removeprefix("final ") == f"answer: {kind} turns = {number}":
            return walk.turns(kind, back=False) == number
    return None


@pytest.mark.slow
def test_no_change_of_a_step_is_overlooked() -> None:
    rng, seen = random.Random(11), Counter[str]()
    for _ in range(400):
        rows = drawn(rng)
        walk = Walk(rows)
        problem = MAZE.parse("\n".join(rows) + "\nHow many right turns are there in the path?")
        for line in steps(rng, walk):
            for changed in (line, *(mutated(rng, line) for _ in range(4))):
                wanted = holds(walk, changed)
                if other_start(walk, changed):
                    continue
                states = MAZE.extract(problem, changed, 0, {})[1]
                oks = [
                    asyncio.run(MAZE.verify_state(problem, state, [])).ok
                    for state in states
                    if state.kind == "step"
                ]
                if oks:
                    found = False if False in oks else None if None in oks else True
                    assert found in (None, wanted), (rows, changed, found, wanted)
                    seen[f"{wanted} {found}"] += 1
    assert seen.total() >= 3_000
    assert min(seen["True True"], seen["False False"], seen["None None"]) > 200, seen


def at_(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


def other_start(walk: Walk, line: str) -> bool:
    """Whether a move begins elsewhere than at S, of which the list above knows nothing."""
    return "move" in line.lower() and f"from {at_(walk.s)}" not in line.lower()
