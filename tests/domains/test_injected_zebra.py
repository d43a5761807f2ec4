from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from injection import Made, check, garbage, noise, survives

from agentflow.domains import Zebra
from agentflow.errors import BadInput
from agentflow.generators import zebra
from agentflow.generators.zebra import ATTRIBUTES, NAME, ORDINALS, SENTENCES
from agentflow.problem import Problem

House = dict[str, str]
"""Column -> value."""

COLUMNS = {one.heading: one.column for one in (NAME, *ATTRIBUTES)}
WHO = {
    (one.column, value): phrase
    for one in (NAME, *ATTRIBUTES)
    for value, phrase in one.phrases.items()
}
MEANS: dict[str, Callable[[int, int], bool]] = {
    "same": lambda a, b: a == b,
    "directly_left": lambda a, b: a + 1 == b,
    "left": lambda a, b: a < b,
    "right": lambda a, b: a > b,
    "beside": lambda a, b: abs(a - b) == 1,
    "one_between": lambda a, b: abs(a - b) == 2,
    "two_between": lambda a, b: abs(a - b) == 3,
}
Value = tuple[str, str]
"""Column and value."""
Places = dict[Value, int]
"""The house of every value."""


@dataclass(frozen=True)
class Oracle:
    """A generated puzzle read by its exact phrases, and solved by trying every arrangement."""

    values: dict[str, list[str]]
    clues: list[tuple[str, Value, Value | None, int]]

    @classmethod
    def of(cls, text: str) -> Oracle:
        values = {}
        for heading, listed in re.findall(r"^ - (.+?): (.+)$", text, re.M):
            values[COLUMNS[heading]] = re.findall("`(.+?)`", listed)
        who = {WHO[c, v].lower(): (c, v) for c, some in values.items() for v in some}
        phrase = "|".join(sorted(map(re.escape, who), key=len, reverse=True))
        clues = []
        for sentence in re.findall(r"^\d+\. (.+)$", text, re.M):
            for kind, form in SENTENCES.items():
                pattern = re.escape(form).replace(r"\{a\}", f"(?P<a>{phrase})")
                pattern = pattern.replace(r"\{b\}", f"(?P<b>{phrase})")
                pattern = pattern.replace(r"\{k\}", f"(?P<k>{'|'.join(ORDINALS)})")
                if found := re.fullmatch(pattern, sentence, re.I):
                    parts = found.groupdict()
                    other = who[parts["b"].lower()] if "b" in parts else None
                    house = ORDINALS.index(parts["k"]) + 1 if "k" in parts else 0
                    clues.append((kind, who[parts["a"].lower()], other, house))
                    break
            else:
                raise AssertionError(sentence)
        return cls(values, clues)

    def arrangements(self, without: int | None = None) -> Iterator[Places]:
        """Every arrangement that meets the clues, or all of them but one."""
        clues = [clue for number, clue in enumerate(self.clues) if number != without]
        columns = list(self.values)

        def deeper(places: Places, depth: int) -> Iterator[Places]:
            if depth == len(columns):
                yield places
                return
            column = columns[depth]
            for order in itertools.permutations(range(1, len(self.values[column]) + 1)):
                more = places | {
                    (column, value): house
                    for value, house in zip(self.values[column], order, strict=True)
                }
                if all(holds(clue, more) for clue in clues):
                    yield from deeper(more, depth + 1)

        yield from deeper({}, 0)


def holds(clue: tuple[str, Value, Value | None, int], places: Places) -> bool:
    """Whether a clue may be met: what it speaks of may not have been placed yet."""
    kind, one, other, house = clue
    if one not in places or (other is not None and other not in places):
        return True
    if other is None:
        return (places[one] == house) == (kind == "at")
    return MEANS[kind](places[one], places[other])


@functools.cache
def puzzles() -> list[tuple[Problem, Oracle, Places]]:
    made = []
    for problem in zebra.generate(60, 11, houses=(3, 4), attributes=(2, 4)):
        oracle = Oracle.of(problem.text)
        [places] = oracle.arrangements()
        made.append((problem, oracle, places))
    return made


def claim(rng: random.Random, oracle: Oracle) -> tuple[str, Callable[[Places], bool]]:
    """Something said of a puzzle, and whether it is true of an arrangement."""
    every = [(column, value) for column, some in oracle.values.items() for value in some]
    one, other = rng.sample(every, 2)
    house = rng.randint(1, len(oracle.values["Name"]))
    kind = rng.randrange(6)
    if kind == 0:
        return f"House {house}: {one[0]} = {one[1]}", lambda places: places[one] == house
    if kind == 1:
        sign = rng.choice(["!=", "is not", "≠"])
        return f"House {house}: {one[0]} {sign} {one[1]}", lambda places: places[one] != house
    if kind == 2:
        said = f"House {house}: {one[0]} = {one[1]}, {other[0]} != {other[1]}"
        return said, lambda places: places[one] == house != places[other]
    if kind == 3:
        said = f"{WHO[one]} {rng.choice(['is not', '!='])} {WHO[other]}"
        return said, lambda places: places[one] != places[other]
    if kind == 4:
        where = rng.choice([f"house {house}", f"the {ORDINALS[house - 1]} house."])
        return f"{WHO[one]} is in {where}", lambda places: places[one] == house
    relation = rng.choice(list(MEANS))
    said = SENTENCES[relation].format(a=WHO[one], b=WHO[other])
    return said, lambda places: MEANS[relation](places[one], places[other])


def claims(
    rng: random.Random, oracle: Oracle, places: Places, truth: bool, count: int
) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        said, true_of = claim(rng, oracle)
        if true_of(places) == truth:
            found.append(said)
    return found


def as_lines(rng: random.Random, rows: dict[int, House]) -> list[str]:
    sign = rng.choice([" = ", ": "])
    return [
        f"House {n}: " + ", ".join(f"{c}{sign}{v}" for c, v in row.items())
        for n, row in rows.items()
    ]


def as_list(rng: random.Random, rows: dict[int, House]) -> list[str]:
    return [
        line
        for n, row in rows.items()
        for line in (f"House {n}:", *(f"- {c}: {v}" for c, v in row.items()), "")
    ]


def as_json(rng: random.Random, rows: dict[int, House]) -> list[str]:
    solution = {
        "reasoning": "see above",
        "solution": {f"House {n}": row for n, row in rows.items()},
    }
    return json.dumps(solution, indent=rng.choice([None, 2, 4])).splitlines()


def as_table(rng: random.Random, rows: dict[int, House]) -> list[str]:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    head = ["| House | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    return head + [
        f"| {n} | " + " | ".join(row.get(c, "___") for c in columns) + " |"
        for n, row in rows.items()
    ]


def as_turned_table(rng: random.Random, rows: dict[int, House]) -> list[str]:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    head = ["| | " + " | ".join(f"House {n}" for n in rows) + " |", "|---" * (len(rows) + 1) + "|"]
    return head + [
        f"| {c} | " + " | ".join(row.get(c, "?") for row in rows.values()) + " |" for c in columns
    ]


FORMATS = (as_lines, as_list, as_json, as_table, as_turned_table)


def rows_of(places: Places) -> dict[int, House]:
    rows: dict[int, House] = {house: {} for house in sorted(set(places.values()))}
    for (column, value), house in places.items():
        rows[house][column] = value
    return rows


def swapped(rng: random.Random, rows: dict[int, House]) -> None:
    column = rng.choice(list(rows[1]))
    one, other = rng.sample(list(rows), 2)
    rows[one][column], rows[other][column] = rows[other][column], rows[one][column]


def doubled(rng: random.Random, rows: dict[int, House]) -> None:
    column = rng.choice(list(rows[1]))
    one, other = rng.sample(list(rows), 2)
    rows[one][column] = rows[other][column]


def cut(rng: random.Random, rows: dict[int, House]) -> None:
    house = rng.choice(list(rows))
    del rows[house][rng.choice(list(rows[house]))]


def invented(rng: random.Random, rows: dict[int, House]) -> None:
    rows[rng.choice(list(rows))][rng.choice(list(rows[1]))] = "kangaroo"


def built(rng: random.Random, rows: dict[int, House]) -> None:
    last = len(rows)
    rows[last + 1] = rows.pop(last)


WRONG_ANSWERS = {
    "clue_violated": swapped,
    "duplicate": doubled,
    "incomplete": cut,
    "no_such_house": built,
}


def make(rng: random.Random, kind: str | None) -> Made:
    """A trace with one error of a kind, or a right one."""
    problem, oracle, places = rng.choice(puzzles())
    said = claims(rng, oracle, places, True, rng.randint(1, 6))
    said += [
        line.partition(": ")[2] for line in problem.data["solution"] if line.startswith("From")
    ]
    rng.shuffle(said)
    wrong = None
    if kind == "contradicted":
        place = rng.randint(0, len(said))
        said[place:place] = claims(rng, oracle, places, False, 1)
        wrong = place, kind
    rows = rows_of(places)
    if kind in WRONG_ANSWERS:
        WRONG_ANSWERS[kind](rng, rows)
        wrong = len(said), kind
    lines = ["Let me look at the clues.", ""]
    for number, one in enumerate(said, 1):
        mark = rng.choice(
            [f"Step {number}", f"From {rng.randint(1, 3)}, {number}", "From clues 2 and 4"]
        )
        lines.append(f"{mark}: {one}")
        if rng.random() < 0.2:
            lines.append("Suppose House 1 had another value. That cannot be.")
    if rng.random() < 0.5:
        lines.append("</think>")
    lines += ["", "Answer:", *rng.choice(FORMATS)(rng, rows)]
    return Made(problem.text, "\n".join(lines), wrong, kind not in WRONG_ANSWERS)


KINDS = (None, "contradicted", *WRONG_ANSWERS)


async def judged(seed: int, count: int) -> None:
    rng = random.Random(seed)
    for number in range(count):
        made = make(rng, KINDS[number % len(KINDS)])
        await check("zebra", made)
        if number % 3 == 0:
            await check(
                "zebra", Made(made.problem, noise(rng, made.trace), made.wrong, made.right_answer)
            )


def test_injected_errors() -> None:
    asyncio.run(judged(1, 140))


@pytest.mark.exhaustive
def test_many_injected_errors() -> None:
    asyncio.run(judged(2, 2100))


def test_open_puzzles_are_told_from_decided_ones() -> None:
    """With a clue left out: entailed, contradicted or open is what the arrangements say."""
    domain = Zebra()
    seen = Counter[bool | None]()

    async def check_all() -> None:
        rng = random.Random(5)
        for problem, oracle, places in puzzles()[:25]:
            left_out = rng.randrange(len(oracle.clues))
            text = problem.text.replace(f"\n{left_out + 1}. ", "\n1000. ")
            text = re.sub(r"\n1000\. .*", "", text)
            every = list(oracle.arrangements(without=left_out))
            for _ in range(20):
                said, true_of = claim(rng, oracle)
                true = set(map(true_of, every))
                _, [step] = domain.extract(problem, f"Step: {said}", 0, {})
                verdict = await domain.verify_state(domain.parse(text), step, [])
                assert verdict.ok is (true.pop() if len(true) == 1 else None), (text, said, verdict)
                assert (verdict.kind == "undetermined") == (verdict.ok is None)
                seen[verdict.ok] += 1
            answer = "\n".join(as_lines(rng, rows_of(places)))
            verdict = await domain.verify_answer(domain.parse(text), answer)
            assert verdict.ok is (True if len(every) == 1 else None), text

    asyncio.run(check_all())
    assert min(seen[True], seen[False], seen[None]) > 50, seen


def test_a_value_that_the_puzzle_does_not_have_is_not_understood() -> None:
    rng, domain = random.Random(7), Zebra()
    for problem, _, places in puzzles()[:20]:
        rows = rows_of(places)
        invented(rng, rows)
        for form in FORMATS:
            answer = domain.answer("Answer:\n" + "\n".join(form(rng, rows)))
            assert answer is not None
            verdict = asyncio.run(domain.verify_answer(problem, answer))
            assert (verdict.ok, verdict.kind) == (None, "unread")


LINES = [line for problem in zebra.generate(3, 4) for line in problem.data["solution"] if line]
PUZZLE = next(zebra.generate(1, 6, houses=(3, 3), attributes=(3, 3)))


@settings(max_examples=100, deadline=None)
@given(
    garbage([*LINES, "| House | Name |", '{"House 1": {"Name": "Eric", "Pet": "dog"},', "</think>"])
)
def test_no_text_is_accepted_by_accident(text: str) -> None:
    asyncio.run(survives("zebra", PUZZLE.text, text))


@settings(max_examples=100, deadline=None)
@given(garbage(PUZZLE.text.splitlines()))
def test_any_problem_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(BadInput):
        asyncio.run(survives("zebra", text, "From 1: House 1: Name = Eric"))


def test_a_long_trace_is_judged_in_time() -> None:
    lines = [line for line in LINES if not line.startswith("House")] * 200
    found = asyncio.run(survives("zebra", PUZZLE.text, "\n".join(lines)))
    assert found.answer_ok is None
