"""Game of 24's steps and answers against a second reader, which shares no code with the first."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from agentflow.domains.game24 import Game24, judge_answer, judge_state
from agentflow.problem import Problem
from agentflow.state import State

GAME = Game24()
DATA = Path(__file__).parent.parent / "data" / "game24"
Numbers = tuple[Fraction, ...]


# A second opinion: recursive descent over the whole line, every meaning tried.


def stands_for(written: str, exact: Fraction) -> bool:
    """Whether a written number is exact, rounded or cut off."""
    number = Fraction(written)
    if number == exact or "." not in written:
        return number == exact
    unit = Fraction(1, 10 ** len(written.partition(".")[2]))
    cut = int(abs(exact) / unit) * unit * (-1 if exact < 0 else 1)
    return abs(number - exact) <= unit / 2 or number == cut


def values(text: str, at_hand: Numbers) -> Iterator[tuple[Fraction | None, Numbers]]:
    """(value, what is left of the numbers) for each meaning of an expression over some of them."""
    tokens = re.findall(r"\d+(?:\.\d+)?|[-+*/()]", text)
    if "".join(tokens) != text.replace(" ", ""):
        return
    spaced = [match.end() for match in re.finditer(r"\d+(?:\.\d+)?|[-+*/()]", text)]
    starts = [match.start() for match in re.finditer(r"\d+(?:\.\d+)?|[-+*/()]", text)]

    def tight(place: int) -> bool:
        return place < len(tokens) and starts[place] == spaced[place - 1]

    State3 = tuple[int, Fraction | None, Numbers]

    def take(place: int, written: str, left: Numbers, value: Fraction) -> Iterator[State3]:
        for n, number in enumerate(left):
            if stands_for(written, number) and number not in left[:n]:
                yield place, number, (*left[:n], *left[n + 1 :])

    def atom(place: int, left: Numbers) -> Iterator[State3]:
        if place >= len(tokens):
            return
        token = tokens[place]
        if token == "(":
            for end, value, rest in total(place + 1, left):
                if end < len(tokens) and tokens[end] == ")":
                    yield end + 1, value, rest
        elif token == "-":
            if place + 1 < len(tokens) and tokens[place + 1][0].isdigit():
                yield from number(place + 1, left, "-")
        elif token[0].isdigit():
            yield from number(place, left, "")

    def number(place: int, left: Numbers, sign: str) -> Iterator[State3]:
        written = sign + tokens[place]
        yield from take(place + 1, written, left, Fraction(written))
        bottom = place + 2
        divided = bottom < len(tokens) and tokens[place + 1] == "/" and tokens[bottom].isdigit()
        if divided and tight(place + 1) and tight(bottom) and int(tokens[bottom]):
            whole = f"{written}/{tokens[bottom]}"
            yield from take(place + 3, whole, left, Fraction(whole))

    def chain(place: int, left: Numbers, operators: str, part: Any) -> Iterator[State3]:
        for end, value, rest in part(place, left):
            yield from follow(end, value, rest, operators, part)

    def follow(
        place: int, value: Fraction | None, left: Numbers, operators: str, part: Any
    ) -> Iterator[State3]:
        if place >= len(tokens) or tokens[place] not in operators:
            yield place, value, left
            return
        operator = tokens[place]
        for end, other, rest in part(place + 1, left):
            result = None
            if value is not None and other is not None and not (operator == "/" and not other):
                result = {
                    "+": lambda a, b: a + b,
                    "-": lambda a, b: a - b,
                    "*": lambda a, b: a * b,
                    "/": lambda a, b: a / b,
                }[operator](value, other)
            yield from follow(end, result, rest, operators, part)

    def term(place: int, left: Numbers) -> Iterator[State3]:
        yield from chain(place, left, "*/", atom)

    def total(place: int, left: Numbers) -> Iterator[State3]:
        yield from chain(place, left, "+-", term)

    for end, value, rest in total(0, at_hand):
        if end == len(tokens):
            yield value, rest


NUMBER = r"-?\d+(?:\.\d+|/0*[1-9]\d*)?"
LINE = re.compile(rf"([-+*/(). \d]+?) *= *({NUMBER}) \(left: ({NUMBER}(?: {NUMBER})*)\)")


def matched(written: Sequence[str], exact: Numbers) -> bool:
    if not written:
        return not exact
    return any(
        stands_for(written[0], number) and matched(written[1:], (*exact[:n], *exact[n + 1 :]))
        for n, number in enumerate(exact)
    )


def follows(line: str, at_hand: Sequence[Numbers]) -> tuple[bool | None, Numbers]:
    """(whether a line is a right step from any of the numbers, what it leaves); None: unread."""
    found = LINE.fullmatch(line)
    if found is None or found[1].strip().isdigit() or line.startswith(("- ", "* ")):
        return None, ()
    for numbers in at_hand:
        for value, rest in values(found[1].strip(), numbers):
            if value is not None and stands_for(found[2], value):
                left = (*rest, value)
                if matched(found[3].split(), left):
                    return True, left
    return False, ()


def compare(puzzle: str, text: str) -> tuple[int, int, int]:
    """(right steps, right ones read, lines) of a trace; asserts that both readers agree."""
    of = GAME.parse(puzzle)
    start = tuple(Fraction(number) for number in of.data["numbers"])
    at_hand: list[Numbers] = [start]
    passed: list[State] = []
    memory: dict[str, Any] = {}
    right = read = lines = 0
    for line in text.splitlines():
        memory, found = GAME.extract(of, f"{line}\n", 0, memory)
        steps = [state for state in found if state.kind == "step"]
        if "(left:" not in line:
            continue
        lines += 1
        told, left = follows(line.strip(), at_hand)
        oks = [judge_state(of, state, passed).ok for state in steps]
        if told is True:
            right += 1
            read += oks == [True]
            assert False not in oks, (puzzle, line, at_hand)
            at_hand.append(left)
        elif told is False:
            assert True not in oks, (puzzle, line, at_hand)
        elif True in oks:
            break  # the second reader knows fewer spellings, and so not what is at hand now
        passed += [state for state, ok in zip(steps, oks, strict=True) if ok]
    return right, read, lines


def test_recorded_steps_are_judged_as_by_the_second_reader() -> None:
    rows = map(json.loads, (DATA / "gpt4_cot_sample.jsonl").read_text("utf-8").splitlines())
    told = [compare(row["numbers"], row["output"]) for row in rows]
    right, read, lines = (sum(column) for column in zip(*told, strict=True))
    assert (right, read, lines) == (right, right, lines)
    assert right > 100


# Made steps, compound ones among them, and mutations of them.


def expression(rng: random.Random, numbers: list[Fraction]) -> tuple[str, Fraction] | None:
    parts: list[tuple[str, Fraction, str]] = [
        (str(one) if one >= 0 else f"({one})", one, "") for one in numbers
    ]
    while len(parts) > 1:
        rng.shuffle(parts)
        (one, a, _), (other, b, under), *parts = parts
        operator = rng.choice("+-*/")
        if operator == "/" and not b:
            return None
        value = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else a}[operator]
        left = f"({one})" if _ and rng.random() < 0.95 else one
        right = f"({other})" if under and rng.random() < 0.95 else other
        spaces = rng.choice(["", " ", " "]) if "/" not in one + other else " "
        parts.append((f"{left}{spaces}{operator}{spaces}{right}", value, operator))
    return parts[0][0], parts[0][1]


def step(rng: random.Random, numbers: Numbers) -> tuple[str, Numbers] | None:
    """A right step that takes some of the numbers, and what it leaves."""
    shuffled = rng.sample(numbers, len(numbers))
    count = rng.randint(2, len(numbers))
    made = expression(rng, shuffled[:count])
    if made is None:
        return None
    left = [*shuffled[count:], made[1]]
    rng.shuffle(left)
    return f"{made[0]} = {made[1]} (left: {' '.join(map(str, left))})", tuple(left)


def mutated(rng: random.Random, line: str) -> str:
    place = rng.randrange(len(line))
    match rng.randint(0, 5):
        case 0:
            return line[:place] + rng.choice("0123456789+-*/()= ") + line[place:]
        case 1:
            return line[:place] + line[place + 1 :]
        case 2:
            return line[:place] + rng.choice("0123456789+-*/() ") + line[place + 1 :]
        case 3:
            head, equals, tail = line.partition(" = ")
            return f"{rng.randint(1, 13)} {rng.choice('+-*/')} {head}{equals}{tail}"
        case 4:
            head, equals, tail = line.partition(" = ")
            return f"{head} {rng.choice('+-*/')} {rng.randint(1, 13)}{equals}{tail}"
        case _:
            head, equals, tail = line.partition(" = ")
            return f"{head}{equals}{rng.randint(1, 13)} {rng.choice('+-*/')} {tail}"


def checked(seed: int, count: int) -> tuple[int, int]:
    """(right lines, those that were read) of so many traces, each of three made lines at most."""
    rng = random.Random(seed)
    right = read = 0
    for _ in range(count):
        puzzle = [rng.randint(1, 13) for _ in range(4)]
        numbers: Numbers = tuple(map(Fraction, puzzle))
        lines = []
        while len(numbers) > 1 and (made := step(rng, numbers)):
            lines.append(made[0])
            numbers = made[1]
        if rng.random() < 0.7 and lines:
            place = rng.randrange(len(lines))
            for _ in range(rng.randint(1, 2)):
                lines[place] = mutated(rng, lines[place])
        told = compare(" ".join(map(str, puzzle)), "\n".join(lines))
        right, read = right + told[0], read + told[1]
    return right, read


def test_made_steps() -> None:
    right, read = checked(1, 150)
    assert read == right > 100


@pytest.mark.exhaustive
def test_many_made_steps() -> None:
    """At least 5,000 lines, three of ten changed: no wrong pass, no wrong refutation."""
    right, read = checked(2, 12000)
    assert right > 10_000
    assert read > 0.999 * right  # a leading nought is unread, and what rests on it


def proposed(rng: random.Random, text: str) -> str:
    """An answer in one of many forms, some of which are none."""
    shapes = [
        *("{}", "{} = 24", "24 = {}", "${}$", "[{}]", "{}."),
        *("{} = 23", "{}?", "{}? no", "not {}", "{} or 24", "{}, which is 24", "1 {}", "{} 1"),
        *("{} + {}", "...", "your answer", "{} = 12 = 24", "- {}", "{}!", "({}", "<{}>"),
    ]
    return rng.choice(shapes).replace("{}", text)


def answers(seed: int, count: int, is_right: Any) -> int:
    rng = random.Random(seed)
    right = 0
    for _ in range(count):
        puzzle = rng.choice([(4, 7, 8, 8), (3, 3, 8, 8), (1, 6, 8, 12), (2, 2, 4, 9)])
        of: Problem = GAME.parse(" ".join(map(str, puzzle)))
        made = expression(rng, [Fraction(one) for one in puzzle])
        if made is None:
            continue
        base = rng.choice([made[0], SOLVED[puzzle]])
        text = proposed(rng, mutated(rng, f"{base} = ").split(" = ")[0] or "1")
        told = judge_answer(of, text)
        plain = text.strip("$.[]")
        sides = [side.strip() for side in plain.split("=")]
        first = sides[1] if sides[0] == "24" and len(sides) > 1 else sides[0]
        good = is_right(first, puzzle) and set(sides) <= {first, "24"}
        if told.ok:
            assert good, (puzzle, text)
        if told.ok is False:
            assert not good, (puzzle, text)
            assert told.reason
        right += good
    return right


SOLVED = {
    (4, 7, 8, 8): "(7 - 8 / 8) * 4",
    (3, 3, 8, 8): "8 / (3 - 8 / 3)",
    (1, 6, 8, 12): "(12 - 8) * 6 * 1",
    (2, 2, 4, 9): "2 + 9 * 2 + 4",
}


def test_answers_in_many_forms(is_right: Any) -> None:
    assert answers(1, 300, is_right) > 5


@pytest.mark.exhaustive
def test_many_answers_in_many_forms(is_right: Any) -> None:
    assert answers(2, 6000, is_right) > 200


# What a step is, and what a claim is.


def judged(puzzle: str, text: str) -> list[tuple[str, bool | None, str]]:
    of = GAME.parse(puzzle)
    memory: dict[str, Any] = {}
    found: list[tuple[str, bool | None, str]] = []
    passed: list[State] = []
    for line in text.splitlines(keepends=True):
        memory, states = GAME.extract(of, line, 0, memory)
        for state in states:
            verdict = judge_state(of, state, passed)
            found.append((state.kind, verdict.ok, verdict.kind))
            passed += [state] if verdict.ok and state.kind == "step" else []
    return found


@pytest.mark.parametrize(
    ("puzzle", "line", "ok", "kind"),
    [
        ("2 2 4 9", "2 + 2 + 4 = 8 (left: 8 9)", True, ""),
        ("2 2 4 9", "7*2 + 2 = 4 (left: 4 4 9)", False, "not_available"),
        ("2 2 4 9", "(9 - 2 - 4) * 2 = 6 (left: 6)", True, ""),
        ("2 2 4 9", "2 + 2 * 4 = 16 (left: 16 9)", False, "arithmetic"),
        ("2 2 4 9", "2 + 2 + 4 = 8 (left: 9)", False, "wrong_count"),
        ("2 2 4 9", "2 + 2 + 4 = 8 (left: 8 4)", False, "wrong_remaining"),
        ("2 2 4 9", "2 2 4 9 : 2 * 2 * 4 = 16 -> 9 16", True, ""),
        ("2 2 4 9", "2 + 2 = 4 (approx.) (left: 4 4 9)", True, ""),
        ("2 2 4 9", "2 + 2 = 4, leaving 4, 4, 9", True, ""),
        ("2 2 4 9", "2 + 2 = 4 (left: 4 4 9) (wrong)", None, "unread"),
        ("2 2 4 9", "2 + 2 = 4 + 4 = 8 (left: 8 9)", None, "unread"),
        ("2 2 4 9", "Not 2 + 2 = 5 (left: 4 5 9)", None, "unread"),
        ("2 2 4 9", "If 2 + 2 = 5 (left: 4 5 9)", None, "unread"),
        ("2 2 4 9", "2 + 2 = 5? (left: 4 5 9)", None, "unread"),
        ("2 2 4 9", "2^2 + 4 = 8 (left: 8 9)", None, "unread"),
        ("2 2 4 9", "x + 2 + 4 = 8 (left: 8 9)", None, "unread"),
        ("2 2 4 9", "2 + 2 + 4 = 8 (left: 8 nine)", None, "unread"),
    ],
)
def test_a_step_is_read_whole_or_not_at_all(
    puzzle: str, line: str, ok: bool | None, kind: str
) -> None:
    assert judged(puzzle, line) == [("step", ok, kind)]


def test_what_rests_on_an_unread_step_is_not_refuted() -> None:
    text = "8 divided by 08 = 1 (left: 1 4 7)\n1 + 4 = 5 (left: 5 7)\n5 + 7 = 13 (left: 13)\n"
    assert judged("4 7 8 8", text) == [
        ("step", None, "unread"),
        ("step", None, "unread"),
        ("step", False, "not_available"),
    ]


def test_labelled_lines_are_read_whole_or_not_at_all() -> None:
    lines = "Available numbers: {}\nOperation: {}\nRemaining numbers: {}\n"
    right = lines.format("2 2 4 9", "2 + 2 + 4 = 8", "8 9")
    assert judged("2 2 4 9", right) == [("step", True, "")]
    for available, operation, remaining in (
        ("2 2 4 9", "7*2 + 2 = 4 or so", "4 4 9"),
        ("2 2 4 9 maybe", "2 + 2 + 4 = 8", "8 9"),
        ("2 2 4 9", "2 + 2 + 4 = 8", "8 and nine"),
    ):
        text = lines.format(available, operation, remaining)
        assert judged("2 2 4 9", text) == [("step", None, "unread")]


@pytest.mark.parametrize(
    "line",
    [
        "Does (4+8)*(7-8) = 24? No, -12.",
        "If 4 + 7 + 8 + 8 = 24 then we are done.",
        "Suppose 4 + 7 + 8 + 8 = 24",
        "Try: 4 + 7 + 8 + 8 = 24 -> Not 24",
        "4 + 7 + 8 + 8 = 24 ❌",
        "4 + 7 + 8 + 8 = 24 (wrong)",
        "4 + 7 + 8 + 8 = 24 ✗",
        "4 + 7 + 8 + 8 = 24, oops",
        "I wish 4 + 7 + 8 + 8 = 24",
        "Maybe the answer is 4 + 7 + 8 + 8",
        "4 + 7 + 8 + 8 = 27 ≠ 24",
        "Write it as \\boxed{expression}",
        "4 + 7 + 8 + 8 = 24?",
    ],
)
def test_what_nobody_claims_is_not_refuted(line: str) -> None:
    assert False not in [ok for _, ok, _ in judged("4 7 8 8", line)]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("8 / 2 = 5", "8 / 2 = 5"),
        ("First, 8 / 8 = 2. Then 7 - 1 = 6, and 6 * 4 = 24.", "8 / 8 = 2"),
        ("- 7 - 1 = 5", "7 - 1 = 5"),
        ("Check: 7 - 8/8 = 5, 5 * 4 = 20 ✓", "7 - 8/8 = 5"),
        ("So (7 - 8/8) * 4 = 5 * 4 = 20", "(7 - 8/8) * 4 = 5 * 4 = 20"),
        ("$8 \\div 8 = 2$", "8 / 8 = 2"),
        ("Divide 8 by 8: 8 / 8 = 2", "8 / 8 = 2"),
        ("Step 2: 7 - 1 = 5", "7 - 1 = 5"),
        ("8/8 = 1, 7 - 1 = 6, 6 * 4 = 24.", None),
        ("- 7 - 1 = -8", None),
        ("8 / 3 = 2.67", None),
        ("8 / 8 = 2?", None),
        ("8 / 8 = 2. No, it is 1.", None),
        ("If 8 / 8 = 2, then 7 - 2 = 5.", None),
        ("Try 8 / 8 = 2", None),
        ("8 / 8 ≠ 2", None),
        ("8 / 8 = x", None),
        ("(4, 7), 8 = 8", None),
    ],
)
def test_an_equation_that_is_wrong_in_itself_is_a_wrong_step(line: str, wrong: str | None) -> None:
    said = judged("4 7 8 8", line)
    assert said == ([("step", False, "arithmetic")] if wrong else [])
    assert (
        wrong is None
        or wrong in GAME.extract(GAME.parse("4 7 8 8"), line, 0, {})[1][0].data["text"]
    )


@pytest.mark.parametrize(
    ("text", "answer", "ok"),
    [
        ("### Final Answer\n\n(7 - 8/8) * 4\n", "(7 - 8/8) * 4", True),
        ("**Final Answer**\n(7 - 8/8) * 5\n", "(7 - 8/8) * 5", False),
        ("## Answer\n- (7 - 8/8) * 4 = 24\n", "(7 - 8/8) * 4", True),
        ("Answer:\n<answer>(7 - 8/8) * 4</answer>", "(7 - 8/8) * 4", True),
        ("(7 - 8/8) * 4 = \\boxed{24}", "(7 - 8/8) * 4", True),
        ("Answer: 24 = (7 - 8/8) * 4", "(7 - 8/8) * 4", True),
        ("\\boxed{\\frac{8}{3 - \\frac{8}{3}}}", "((8)/(3 - (8/3)))", False),
        ("\\boxed{expression}", None, None),
        ("\\boxed{(7 - 8/8) * 4}\nWait, that is wrong.", None, None),
        ("\\boxed{(7 - 8/8) * 4} is not correct.", None, None),
        ("It is not \\boxed{(7 - 8/8) * 4}.", None, None),
        ("If it were allowed, it would be \\boxed{(7 - 8/8) * 4}.", None, None),
        ("\\boxed{(7 - 8/8) * 4}\n\nThe answer is 4 * 7 - 8/8.", None, None),
        ("\\boxed{(7 - 8/8) * 4}\n\nThe answer is (7-8/8)*4 = 24.", "(7 - 8/8) * 4", True),
        ("8/8 = 1\nSo (7 - 8/8) * 4 = 24", "(7 - 8/8) * 4", True),
        ("Therefore, (7 - 8/8) * 4 = 24.", "(7 - 8/8) * 4", True),
        ("8/8 = 1\n7 - 1 = 6\nSo 6 * 4 = 24", "(7 - (8 / 8)) * 4", True),
        ("8/8 = 1\n7 - 1 = 6\nSo 6 * 4 = 24, which uses 8 once.", None, None),
        ("8/8 = 1\n7 - 1 = 6\n6 * 4 = 24\n\n**(7 - 8/8) * 4 = 24**", "(7 - 8/8) * 4", True),
        ("I tried (7 - 8/8) * 4 = 24, but it fails.", None, None),
        ("**Final expression:** (7 - 8/8) * 4", "(7 - 8/8) * 4", True),
        ("Thus, one way to make 24 is (7 - 8/8) * 4.", "(7 - 8/8) * 4", True),
        ("Another way to make 24 with 9 is (7 - 8/8) * 4.", None, None),
        ("Answer: (7 - 8/8) * 4 ✓", "(7 - 8/8) * 4", True),
        ("Answer: (7 - 8/8) * 4 = 23", "(7 - 8/8) * 4 = 23", None),
        ("Answer: <your answer>", None, None),
        ("Answer: ...", None, None),
    ],
)
def test_answers_are_found_and_judged(text: str, answer: str | None, ok: bool | None) -> None:
    of = GAME.parse("4 7 8 8")
    found = GAME.answer(text)
    assert found == answer
    if found is not None:
        assert judge_answer(of, found).ok is ok


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "None",
            "4 * 7 - 8 ** 8",
            "",
            "...",
            "your answer",
            "X",
            "the final answer",
            "expression",
        ),
        *("24, which is the answer we wanted", "(7-8/8)*4 or 4*6", "(7-8/8)*4? no, 4*7", "24!"),
        *("not (7-8/8)*4", "(7 - 8/8) * 4 = 23", "- 4 * (7 - 8/8)", "-8 + 8 + 4 + 7 + x"),
        *("(7 - 8/8) × 4 = 24 = 25", "7 * 8/8(4)", "8/(7 - 8)(4)", "(7 - 8/8) 4", "2^3", "5!"),
    ],
)
def test_what_is_no_expression_is_neither_right_nor_wrong(answer: str) -> None:
    of = GAME.parse("4 7 8 8")
    verdict = judge_answer(of, answer)
    assert (verdict.ok, verdict.kind) == (None, "unread")
    assert GAME.normalise(of, answer) is None


def test_a_number_with_a_sign_is_undecided_where_it_would_be_right() -> None:
    of = GAME.parse("4 7 8 8")
    assert judge_answer(of, "-8 + 4 + 28").ok is False
    assert judge_answer(GAME.parse("1 2 3 20"), "-1 + 2 + 3 + 20").ok is None
    assert judge_answer(GAME.parse("1 2 3 20"), "2 + 3 + 20 - 1").ok is True


@pytest.mark.parametrize(
    ("answer", "ok"),
    [
        ("4(7 - 8/8)", True),
        ("(7 - 8/8)(4) = 24", True),
        ("4 (7 - \\frac{8}{8})", True),
        ("4(7 - 7/8)", False),
        ("8/8(7 - 4)", None),
        ("8/(7 - 4)(8)", None),
    ],
)
def test_a_product_may_have_no_sign(answer: str, ok: bool | None) -> None:
    assert judge_answer(GAME.parse("4 7 8 8"), answer).ok is ok


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"expression": "(7 - 8/8) * 4"}', "(7 - 8/8) * 4"),
        ('{"equation": "(7 - 8/8) * 4 = 24", "result": 24}', "(7 - 8/8) * 4"),
        ('{"expression": "(7 - 8/8) * 4", "result": 23}', None),
        ('{"expression": "(7 - 8/8) * 4", "valid": false}', None),
        ("The expression is:\n\n\\[\n(7 - 8/8) \\times 4 = 24\n\\]", "(7 - 8/8) * 4"),
    ],
)
def test_where_an_expression_stands(text: str, answer: str | None) -> None:
    assert GAME.answer(text) == answer
