"""Maze traces with one injected error, judged by an oracle that walks the drawing itself."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from injection import NOISES, Made, check, garbage, noise, survives

from agentflow.generators import mazes

Cell = tuple[int, int]
WAYS = {(-1, 0): "UP", (1, 0): "DOWN", (0, -1): "LEFT", (0, 1): "RIGHT"}
VECTORS = {word: vector for vector, word in WAYS.items()}
WORDS = {
    **{(-1, None): "above", (1, None): "below", (None, -1): "left of", (None, 1): "right of"},
    **{(0, None): "in the same row as", (None, 0): "in the same column as"},
    **{(-1, 0): "directly above", (1, 0): "directly below"},
    **{(0, -1): "directly to the left of", (0, 1): "directly to the right of"},
    **{(-1, -1): "to the top left of", (-1, 1): "to the top right of"},
    **{(1, -1): "to the bottom left of", (1, 1): "to the bottom right of"},
}


class Oracle:
    """What is true of a maze, found by trying every way over the marked cells."""

    def __init__(self, text: str) -> None:
        self.rows = [line for line in text.split("\n") if line.startswith("#")]
        self.start, self.end = self.find("S"), self.find("E")
        (self.path,) = list(self.ways([self.start]))
        self.words = [WAYS[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(self.path)]
        self.question = text.split("Question: ")[1].split("\n")[0]

    def find(self, sign: str) -> Cell:
        (found,) = [
            (r, c) for r, row in enumerate(self.rows) for c, one in enumerate(row) if one == sign
        ]
        return found

    def ways(self, path: list[Cell]) -> Iterator[list[Cell]]:
        if self.sign(path[-1]) == "E":
            yield path
            return
        for r, c in WAYS:
            cell = path[-1][0] + r, path[-1][1] + c
            if cell not in path and self.sign(cell) in "XE":
                yield from self.ways([*path, cell])

    def sign(self, cell: Cell) -> str:
        r, c = cell
        inside = 0 <= r < len(self.rows) and 0 <= c < len(self.rows[0])
        return self.rows[r][c] if inside else "#"

    def turn(self, index: int) -> str:
        """The turn with which move ``index`` begins; rows count downwards."""
        if index == 0:
            return "STRAIGHT"
        (a, b), (c, d) = VECTORS[self.words[index - 1]], VECTORS[self.words[index]]
        return {0: "STRAIGHT", 1: "LEFT_TURN", -1: "RIGHT_TURN"}[a * d - b * c]

    def counts(self, cell: Cell) -> dict[str, int]:
        turns = [self.turn(index) for index in range(self.path.index(cell))]
        right, left = turns.count("RIGHT_TURN"), turns.count("LEFT_TURN")
        return {"right": right, "left": left, "total": right + left}

    def lies(self, one: str, signs: tuple[int | None, int | None]) -> bool:
        (a, b), (c, d) = (self.end, self.start) if one == "E" else (self.start, self.end)
        rows = {None: True, -1: a < c, 0: a == c, 1: a > c}
        columns = {None: True, -1: b < d, 0: b == d, 1: b > d}
        return rows[signs[0]] and columns[signs[1]]

    def answer(self) -> str:
        for kind in ("right", "left", "total"):
            if f"How many {kind} turns" in self.question:
                return str(self.counts(self.end)[kind])
        inner = self.question.removeprefix("Is the exit (E) ").split(" the starting point")[0]
        signs = next(signs for signs, words in WORDS.items() if words == inner)
        return "Yes" if self.lies("E", signs) else "No"

    def wrong_move(self, claim: Claim, reached: set[Cell]) -> str | None:
        """The error kind of a move: off the path, direction, wall, off path, not reached."""
        cell, (r, c) = claim["from"], VECTORS[claim["way"]]
        if cell not in self.path:
            return "not_reached"
        line = [(cell[0] + n * r, cell[1] + n * c) for n in range(1, 30)]
        if claim["to"] not in line:
            return "direction"
        for before, after in pairwise([cell, *line]):
            if self.sign(after) == "#":
                return "wall"
            if (before, after) not in pairwise(self.path):
                return "off_path"
            if after == claim["to"]:
                break
        return None if cell in reached else "not_reached"

    def wrong(self, claims: list[Claim]) -> tuple[int, str] | None:
        """The first wrong claim and its error kind."""
        reached = {self.start}
        move: Claim = Claim("none", {})
        for index, claim in enumerate(claims):
            if claim.kind == "move":
                move = claim
                if kind := self.wrong_move(claim, reached):
                    return index, kind
                reached |= set(self.path[: self.path.index(claim["to"]) + 1])
            elif not self.holds(claim, move):
                return index, claim.kind
        return None

    def holds(self, claim: Claim, move: Claim) -> bool:
        match claim.kind:
            case "location":
                return bool(claim["at"] == (self.start if claim["of"] == "S" else self.end))
            case "position":
                return bool(claim["at"] == move["to"])
            case "direction":
                return bool(claim["way"] == move["way"])
            case "previous_direction":
                index = self.path.index(move["from"])
                return bool(claim["way"] == (self.words[index - 1] if index else None))
            case "turn":
                return bool(claim["turn"] == self.turn(self.path.index(move["from"])))
            case "count":
                real = self.counts(self.end if claim["final"] else move["to"])
                return all(real[kind] == number for kind, number in claim["counts"].items())
            case "comparison":
                axis = claim["axis"]
                ends = {"S": self.start[axis], "E": self.end[axis]}
                one, other = claim["one"], "S" if claim["one"] == "E" else "E"
                real = "<" if ends[one] < ends[other] else "=" if ends[one] == ends[other] else ">"
                return bool(
                    (claim["a"], claim["b"], claim["sign"]) == (ends[one], ends[other], real)
                )
            case "relation":
                return bool(self.lies(claim["one"], claim["signs"]) == claim["holds"])
        raise AssertionError(claim)


@dataclass(frozen=True)
class Claim:
    """One claim of a trace."""

    kind: str
    says: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.says[name]

    def but(self, **says: Any) -> Claim:
        return replace(self, says={**self.says, **says})

    def __str__(self) -> str:
        match self.kind:
            case "location":
                return f"{self['of']} position: {cell(self['at'])}"
            case "move":
                return f"Move {self['way']} from {cell(self['from'])} to {cell(self['to'])}"
            case "position":
                return f"Current position: {cell(self['at'])}"
            case "direction":
                return f"Current direction: {self['way']}"
            case "previous_direction":
                return f"Previous direction: {self['way'] or 'none'}"
            case "turn":
                return f"Turn type: {self['turn']}"
            case "count":
                if self["final"]:
                    ((kind, number),) = self["counts"].items()
                    return f">>> FINAL ANSWER: {kind.capitalize()} turns = {number}"
                listed = [f"{kind.capitalize()}={n}" for kind, n in self["counts"].items()]
                return "Running count: " + ", ".join(listed)
            case "comparison":
                axis = ("row", "col")[self["axis"]]
                other = "S" if self["one"] == "E" else "E"
                numbers = f"{axis} ({self['a']}) {self['sign']} {other} {axis} ({self['b']})"
                return f"{axis.capitalize()} comparison: {self['one']} {numbers}"
            case "relation":
                other = "S" if self["one"] == "E" else "E"
                words = f"{WORDS[self['signs']]} {other}"
                if self["style"] == "said":
                    return f"{self['one']} is {words}: {'YES' if self['holds'] else 'NO'}"
                return f"{self['one']} is {'' if self['holds'] else 'not '}{words}"
        raise AssertionError(self)


def cell(at: Cell) -> str:
    return f"({at[0]},{at[1]})"


Lines = list[list[Claim]]
"""The claims of a trace, line by line."""


def traced(oracle: Oracle, final: str | None) -> Lines:
    """A right account of the path."""
    lines = located(oracle)
    for index, way in enumerate(oracle.words):
        start, end = oracle.path[index], oracle.path[index + 1]
        counts = oracle.counts(end)
        if final != "total":
            del counts["total"]
        lines += [
            [Claim("move", {"way": way, "from": start, "to": end})],
            [Claim("position", {"at": end})],
            [Claim("previous_direction", {"way": oracle.words[index - 1] if index else None})],
            [Claim("direction", {"way": way})],
            [Claim("turn", {"turn": oracle.turn(index)})],
            [Claim("count", {"counts": counts, "final": False})],
        ]
    if final:
        counts = {final: oracle.counts(oracle.end)[final]}
        lines.append([Claim("count", {"counts": counts, "final": True})])
    return lines


def located(oracle: Oracle) -> Lines:
    ends = {"S": oracle.start, "E": oracle.end}
    return [[Claim("location", {"of": end, "at": at})] for end, at in ends.items()]


def compared(oracle: Oracle, rng: random.Random) -> Lines:
    """A right account of how E lies to S, or S to E."""
    lines = located(oracle)
    one = rng.choice("ES")
    first, second = (oracle.end, oracle.start) if one == "E" else (oracle.start, oracle.end)
    signs = [0 if a == b else 1 if a > b else -1 for a, b in zip(first, second, strict=True)]
    halves = [(signs[0], None), (None, signs[1])]
    for axis in (0, 1):
        sign = {-1: "<", 0: "=", 1: ">"}[signs[axis]]
        says = {"axis": axis, "one": one, "a": first[axis], "b": second[axis], "sign": sign}
        said = {"one": one, "signs": halves[axis], "holds": True, "style": "then"}
        lines.append([Claim("comparison", says), Claim("relation", said)])
    for signs_asked in rng.sample(list(WORDS), 3):
        holds = oracle.lies(one, signs_asked)
        style = rng.choice(["said", "plain"])
        says = {"one": one, "signs": signs_asked, "holds": holds, "style": style}
        lines.append([Claim("relation", says)])
    return lines


def written(rng: random.Random, lines: Lines) -> str:
    """The lines of a trace, with headings and remarks between them."""
    text, step = [], 0
    for line in lines:
        said = " -> ".join(map(str, line))
        if line[0].kind == "move":
            step += 1
            text += ["", f">>> STEP {step}: {said}"]
        elif line[0].kind == "comparison" and line[0]["axis"] == 0:
            text += ["", ">>> COMPARE POSITIONS:", said]
        elif line[0].kind == "relation" and line[0]["style"] == "plain" and rng.random() < 0.5:
            text.append(f"Therefore {said}.")
        else:
            text.append(said)
        if rng.random() < 0.05:
            text.append(rng.choice(["That is a corridor.", "Let me look again, right?", ""]))
    return "\n".join(text)


def other(rng: random.Random, right: Any, choices: Any) -> Any:
    return rng.choice([one for one in choices if one != right])


def shifted(rng: random.Random, at: Cell) -> Cell:
    r, c = rng.choice(list(WAYS))
    return at[0] + r, at[1] + c


def spoilt(rng: random.Random, claim: Claim) -> Claim:
    """The claim with something else in it; that may be right, too."""
    match claim.kind:
        case "location" | "position":
            return claim.but(at=shifted(rng, claim["at"]))
        case "move":
            part = rng.choice(["way", "to", "from", "detour", "back", "back", "far"])
            way = other(rng, claim["way"], VECTORS)
            start, (r, c) = claim["from"], VECTORS[way]
            if part == "way":
                return claim.but(way=way)
            if part == "detour":
                return claim.but(way=way, to=(start[0] + r, start[1] + c))
            if part == "back":
                r, c = VECTORS[claim["way"]]
                return claim.but(**{"way": WAYS[-r, -c], "from": claim["to"], "to": start})
            if part == "far":
                r, c = VECTORS[claim["way"]]
                far = rng.randint(2, 4)
                return claim.but(to=(start[0] + far * r, start[1] + far * c))
            return claim.but(**{part: shifted(rng, claim[part])})
        case "direction":
            return claim.but(way=other(rng, claim["way"], VECTORS))
        case "previous_direction":
            return claim.but(way=other(rng, claim["way"], [None, *VECTORS]))
        case "turn":
            return claim.but(
                turn=other(rng, claim["turn"], ["STRAIGHT", "RIGHT_TURN", "LEFT_TURN"])
            )
        case "count":
            kind = rng.choice(list(claim["counts"]))
            number = max(0, claim["counts"][kind] + rng.choice([-1, 1, 2]))
            return claim.but(counts={**claim["counts"], kind: number})
        case "comparison":
            part = rng.choice(["a", "b", "sign"])
            if part == "sign":
                return claim.but(sign=other(rng, claim["sign"], "<=>"))
            return claim.but(**{part: claim[part] + rng.choice([1, 2])})
        case "relation":
            if rng.random() < 0.5:
                return claim.but(signs=other(rng, claim["signs"], WORDS))
            return claim.but(holds=not claim["holds"])
    raise AssertionError(claim)


def blocks(lines: Lines) -> list[int]:
    return [index for index, line in enumerate(lines) if line[0].kind == "move"]


def with_an_error(rng: random.Random, lines: Lines) -> Lines:
    """One claim spoilt, or one step left out."""
    moves = blocks(lines)
    if len(moves) > 1 and rng.random() < 0.1:
        left_out = rng.choice(moves[:-1])
        return lines[:left_out] + lines[left_out + 6 :]
    kind = rng.choice(sorted({claim.kind for line in lines for claim in line}))
    places = [
        (index, place)
        for index, line in enumerate(lines)
        for place, claim in enumerate(line)
        if claim.kind == kind
    ]
    index, place = rng.choice(places)
    line = list(lines[index])
    line[place] = spoilt(rng, line[place])
    return [*lines[:index], line, *lines[index + 1 :]]


def with_a_repeat(rng: random.Random, lines: Lines) -> Lines:
    """Some steps are gone through again, as somebody does who is not sure."""
    moves = blocks(lines)
    if not moves:
        return lines
    begin, end = sorted(rng.choices(moves, k=2))
    return lines[: end + 6] + lines[begin : end + 6] + lines[end + 6 :]


def with_a_stride(rng: random.Random, oracle: Oracle, lines: Lines) -> Lines:
    """Two moves straight on, told as one."""
    straight = [
        index
        for index in blocks(lines)[:-1]
        if lines[index][0]["way"] == lines[index + 6][0]["way"]
        and lines[index][0]["to"] == lines[index + 6][0]["from"]
    ]
    if not straight:
        return lines
    index = rng.choice(straight)
    move, end = lines[index][0], lines[index + 6][0]["to"]
    return [
        *lines[:index],
        [move.but(to=end)],
        *lines[index + 7 : index + 8],
        *lines[index + 2 : index + 5],
        *lines[index + 11 :],
    ]


def answered(rng: random.Random, text: str, value: str) -> str:
    """A spelling of an answer, given by letter, by value or by both."""
    letters = {
        line[3:]: line[0] for line in text.split("Options:\n")[1].split("\n") if line[1:3] == ". "
    }
    spelt = [letters[value], f"{letters[value]}. {value}", value, f"\\text{{{value}}}"]
    boxed = f"\\boxed{{{rng.choice(spelt)}}}"
    plain = f"Answer: {rng.choice(spelt[:3])}"
    return rng.choice([boxed, f"So it is ${boxed}$.", plain, f"The answer is {spelt[1]}."])


def made(rng: random.Random, text: str, change: Callable[[str], str] = str) -> Made:
    """A trace about the maze of ``text``: right, or with one error.

    Args:
        change: Of the text of the trace, without changing what it says.
    """
    oracle = Oracle(text)
    right = oracle.answer()
    if "turns" in oracle.question:
        final = next(kind for kind in ("right", "left", "total") if kind in oracle.question)
        lines = traced(oracle, final if rng.random() < 0.8 else None)
    else:
        lines = compared(oracle, rng)
    if rng.random() < 0.3:
        lines = with_a_repeat(rng, lines)
    if rng.random() < 0.3:
        lines = with_a_stride(rng, oracle, lines)
    assert oracle.wrong([claim for line in lines for claim in line]) is None
    fate, said = rng.random(), right
    if fate < 0.6:
        lines = with_an_error(rng, lines)
    elif fate < 0.7:
        options = [line[3:] for line in text.split("Options:\n")[1].split("\n")]
        said = other(rng, right, options)
    claims = [claim for line in lines for claim in line]
    wrong = oracle.wrong(claims)
    if wrong is None and said != right:
        wrong = len(claims), "wrong_answer"
    trace = written(rng, lines)
    if rng.random() < 0.4:
        place = rng.randrange(len(lines) + 1)
        trace = f"{written(rng, lines[:place])}\n</think>\n{written(rng, lines[place:])}"
        place = sum(map(len, lines[:place]))
        kinds = [claim.kind for claim in claims[place:]]
        under = ("position", "direction", "previous_direction", "turn", "count")
        if kinds and kinds[0] in under and not claims[place].says.get("final"):
            return made(rng, text, change)  # what is said under a move is not read without it
    trace = f"{trace}\n{answered(rng, text, said)}"
    return Made(text, change(trace), wrong, said == right)


def problems(count: int, seed: int) -> Iterator[str]:
    kinds = ("right", "total", "relation", "left", "relation")
    return (problem.text for problem in mazes.generate(count, seed, size=(2, 4), kinds=kinds))


async def run(count: int, seed: int, *, noisy: bool) -> Counter[str]:
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for text in problems(count, seed):
        one = made(rng, text, partial(noise, rng) if noisy else str)
        await check("maze", one)
        seen[one.wrong[1] if one.wrong else "right"] += 1
    return seen


KINDS = {
    *("location", "not_reached", "direction", "wall", "off_path", "position", "turn", "count"),
    *("previous_direction", "comparison", "relation", "wrong_answer", "right"),
}


@pytest.mark.parametrize("noisy", [False, True])
async def test_what_the_oracle_says(noisy: bool) -> None:
    assert set(await run(200, 1, noisy=noisy)) == KINDS


@pytest.mark.exhaustive
@pytest.mark.parametrize("noisy", [False, True])
async def test_what_the_oracle_says_of_very_many(noisy: bool) -> None:
    seen = await run(3_200, 2, noisy=noisy)
    assert seen.total() - seen["right"] >= 2_000
    assert min(seen.values()) >= 20
    assert set(seen) == KINDS


@pytest.mark.parametrize("kind", NOISES)
async def test_no_kind_of_noise_changes_a_verdict(kind: str) -> None:
    rng = random.Random(f"noise {kind}")
    changed = 0
    for number, text in enumerate(problems(30, 3)):
        state = rng.getstate()
        plain = made(rng, text)
        rng.setstate(state)
        noisy = made(rng, text, partial(noise, random.Random(number), kinds=[kind]))
        changed += plain.trace != noisy.trace
        await check("maze", plain)
        await check("maze", noisy)
    assert changed or kind == "dashes"  # there are no minus signs in the format


def test_the_generators_gold_answer_is_the_oracles() -> None:
    for problem in mazes.generate(100, 4, kinds=("right", "left", "total", "relation")):
        assert Oracle(problem.text).answer() == problem.gold


async def test_the_generators_solutions_are_right() -> None:
    for problem in mazes.generate(60, 6, kinds=("right", "left", "total", "relation")):
        trace = "\n".join(problem.data["solution"])
        await check("maze", Made(problem.text, trace, None, True))


PROBLEM = next(problems(1, 7))
LINES = made(random.Random(8), PROBLEM).trace.split("\n")
WRONG = next(
    f"\\boxed{{{line[3:]}}}"
    for line in PROBLEM.split("Options:\n")[1].split("\n")
    if line[3:] != Oracle(PROBLEM).answer()
)


@given(garbage([*LINES, "STEP 1: Move", "E is above S: NO", "answer: A", "(1,2) -> \\boxed{"]))
async def test_no_text_breaks_it_or_is_accepted_by_accident(text: str) -> None:
    await survives("maze", PROBLEM, f"{text}\n{WRONG}")


@given(st.sampled_from(["move ", "answer ", "(1,", "- ", "E is left ", "1.", "* ", "right=1, "]))
async def test_long_lines_are_quick(piece: str) -> None:
    for length in (290, 20_000):
        text = piece * (length // len(piece))
        await survives("maze", PROBLEM, f"{text}\nanswer: {text}\n\\boxed{{{text}\n{WRONG}")
