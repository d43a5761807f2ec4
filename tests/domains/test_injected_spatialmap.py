"""Spatial maps: made traces with one error of a named kind, and formatting noise.

What is right is said by every arrangement that the map allows (:mod:`spatial_worlds`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from injection import Made, check, domain_called, noise
from spatial_worlds import SIGNS, Worlds, worlds

from agentflow.generators import spatial_maps
from agentflow.judge import judge, steps

ERRORS = (
    *("quoted", "opposite", "denied", "in_line", "wrong_count", "missing", "added"),
    *("wrong_answer", "not_an_option"),
)
KIND = {
    **dict.fromkeys(("missing", "added"), "wrong_objects"),
    **dict.fromkeys(("quoted", "opposite", "denied", "in_line"), "contradicted"),
}
"""The error kinds of the domain, where they have another name."""
CORNERS = tuple(direction for direction, signs in SIGNS.items() if 0 not in signs)
SHORT = {"northeast": "NE", "northwest": "NW", "southeast": "SE", "southwest": "SW"}
WORDS = ("no", "one", "two", "three", "four", "five")


def says(rng: random.Random, a: str, direction: str, b: str) -> str:
    """Where an object stands, in one of many wordings."""
    said = rng.choice(
        ("{0} is to the {1} of {2}", "{0} is {1} of {2}", "{0} is located to the {1} of {2}")
    )
    word = rng.choice((direction.capitalize(), direction.upper(), direction, SHORT[direction]))
    frame = rng.choice(
        (
            "- {}",
            "{}.",
            "So {}.",
            "From the map, {}.",
            "7. {}",
            '- Found: "{}"',
            "Therefore {}, as the map has it.",
            "- {} → NOT " + CORNERS[(CORNERS.index(direction) + 1) % 4].upper(),
            "Step 3: {}",
            "- {} ✓",
        )
    )
    return frame.format(said.format(a, word, b))


def denies(rng: random.Random, a: str, direction: str, b: str) -> str:
    said = rng.choice(("{0} is not to the {1} of {2}", "{0} is not in the {1} of {2}"))
    return rng.choice(("- {}", "So {}.")).format(said.format(a, direction.capitalize(), b))


def counts(rng: random.Random, number: int, direction: str, of: str) -> str:
    word = rng.choice((str(number), WORDS[number] if number < 6 else str(number)))
    objects = "object" if number == 1 else "objects"
    verb = "is" if number == 1 else "are"
    return rng.choice(
        (
            f"- There {verb} {word} {objects} in the {direction.capitalize()} of {of}.",
            f"Number of objects in the {direction.upper()} of {of}: {number}",
            f"The count of objects to the {direction} of {of} is {number}.",
        )
    )


def lists(rng: random.Random, names: list[str], direction: str, of: str) -> str:
    rng.shuffle(names)
    listed = rng.choice((", ".join(names), " and ".join(names))) or "none"
    return f"- Objects in the {direction.capitalize()} of {of}: {listed}"


def remarks(rng: random.Random, found: Worlds) -> list[str]:
    """Lines that claim nothing, whatever stands in them."""
    a, b, c = rng.sample(found.names, 3)
    direction = rng.choice(CORNERS)
    return rng.choice(
        (
            [],
            [],
            ["Let me look at the others."],
            [f"- Looking for: {a} relative to {b}"],
            [f"{a}: no direct relationship to {b} given."],
            [f"If {a} is to the {direction} of {b}, then {b} is to the {direction} of {a}."],
            [f"Is {a} to the {direction} of {b}?"],
            [f"Maybe {a} is to the {direction} of {b}."],
            [
                f"Suppose {a} is to the {direction} of {b}.",
                f"Then {b} is to the {direction} of {c}.",
                "",
            ],
            [f">>> STEP 2: FIND OBJECTS IN {direction.upper()} OF {a}", ""],
        )
    )


def right_step(rng: random.Random, found: Worlds) -> str | None:
    """Something that holds in every arrangement."""
    a, b = rng.sample(found.names, 2)
    direction = rng.choice(CORNERS)
    match rng.choice(("told", "in", "in", "in", "out", "count", "all", "in_line")):
        case "told":
            one, told, other = rng.choice(found.told)
            return f"- {one} is to the {told} of {other}"
        case "in" if found.inside(a, direction, b):
            return says(rng, a, direction, b)
        case "out" if found.inside(a, direction, b) is False:
            return denies(rng, a, direction, b)
        case "count":
            number = next((n for n in range(7) if found.count(n, direction, b)), None)
            return None if number is None else counts(rng, number, direction, b)
        case "all":
            names = [name for name in found.names if found.inside(name, direction, b)]
            return lists(rng, names, direction, b) if found.among(names, direction, b) else None
        case "in_line":
            return denies(rng, a, rng.choice(("north", "south", "east", "west")), b)
    return None


def wrong_step(rng: random.Random, found: Worlds, error: str) -> str | None:
    """Something that holds in no arrangement."""
    a, b = rng.sample(found.names, 2)
    direction = rng.choice(CORNERS)
    names = [name for name in found.names if found.inside(name, direction, b)]
    match error:
        case "quoted":
            one, true, other = rng.choice(found.told)
            wrong = rng.choice([corner for corner in CORNERS if corner != true])
            return f"- {one} is to the {wrong.capitalize()} of {other}"
        case "opposite" if found.inside(a, direction, b) is False:
            return says(rng, a, direction, b)
        case "denied" if found.inside(a, direction, b):
            return denies(rng, a, direction, b)
        case "in_line":
            return f"- {a} is directly {rng.choice(('north', 'south', 'East', 'WEST'))} of {b}"
        case "wrong_count":
            number = rng.randrange(6)
            return (
                counts(rng, number, direction, b)
                if found.count(number, direction, b) is False
                else None
            )
        case "missing" if names:
            names.remove(rng.choice(names))
            return lists(rng, names, direction, b)
        case "added":
            outside = [n for n in found.names if n != b and found.inside(n, direction, b) is False]
            return lists(rng, [*names, rng.choice(outside)], direction, b) if outside else None
    return None


def open_step(rng: random.Random, found: Worlds) -> str | None:
    """Something that holds in some arrangements and not in others."""
    a, b = rng.sample(found.names, 2)
    direction = rng.choice(CORNERS)
    say = rng.choice((says, denies))
    return say(rng, a, direction, b) if found.inside(a, direction, b) is None else None


def answers(found: Worlds, asked: dict[str, Any], gold: str) -> bool | None:
    """Whether the answer to a question holds in every arrangement."""
    of = found.names[asked["of"]]
    match asked["kind"]:
        case "direction":
            return found.inside(found.names[asked["object"]], gold.lower(), of)
        case "object":
            return found.inside(gold, asked["direction"].lower(), of)
    return found.count(int(gold), asked["direction"].lower(), of)


def drawn(step: Iterator[str | None]) -> str | None:
    return next((one for _, one in zip(range(60), step, strict=False) if one), None)


def made(seed: int, maps: int, each: int) -> Iterator[tuple[str, Made]]:
    """(what was done to it, a trace); every error in turn, and none."""
    rng = random.Random(seed)
    for problem in spatial_maps.generate(maps, seed, objects=(5, 6)):
        found = worlds(problem.text)
        asked, options = problem.data["asked"], problem.data["letters"]
        assert problem.gold is not None
        for number in range(each):
            error = (*ERRORS, None)[number % (len(ERRORS) + 1)]
            lines, steps, wrong = [], 0, None
            where = rng.randrange(8)
            for place in range(8):
                lines += remarks(rng, found)
                kind = error if place == where else None
                draw = (
                    wrong_step(rng, found, kind)
                    if kind and kind not in ERRORS[-2:]
                    else right_step(rng, found)
                    for _ in iter(int, 1)
                )
                if (line := drawn(draw)) is None:
                    continue
                if kind and kind not in ERRORS[-2:]:
                    wrong = (steps, KIND.get(kind, kind))
                lines.append(line)
                steps += 1
            answer = problem.gold
            if error == "wrong_answer":
                answer = rng.choice([one for one in options.values() if one != problem.gold])
            if error == "not_an_option":
                others = {
                    "direction": ["North"],
                    "object": problem.data["objects"],
                    "count": "0123456789",
                }
                answer = rng.choice(
                    [
                        one
                        for one in others[asked["kind"]]
                        if one not in options.values() and answers(found, asked, one) is False
                    ]
                    or [None]
                )
                if answer is None:
                    continue  # what the map does not contradict is not refuted
            if error in ERRORS[-2:]:
                wrong = (steps, error)
            elif wrong is None and error is not None:
                continue  # the map has no place for this error
            letter = next((letter for letter, one in options.items() if one == answer), answer)
            lines.append("</think>")  # remarks and trials are no part of a reply
            lines += rng.choice(
                (
                    [f">>> FINAL ANSWER: {answer}", f"\\boxed{{{letter}}}"],
                    [f"\\boxed{{\\text{{{letter}}}}}"],
                    [f"The answer is {letter}."],
                    ["", f"**Answer:** ({letter}) {answer if letter != answer else ''}"],
                    [f"Answer: {answer}"],
                )
            )
            text = "\n".join(lines)
            yield error or "right", Made(problem.text, text, wrong, answer == problem.gold)


async def checked(seed: int, maps: int, each: int) -> Counter[str]:
    told: Counter[str] = Counter()
    rng = random.Random(seed)
    for error, one in made(seed, maps, each):
        await check("spatialmap", one)
        if told[error] % 4 == 0:
            spoilt = noise(rng, one.trace)
            await check("spatialmap", Made(one.problem, spoilt, one.wrong, one.right_answer))
        told[error] += 1
    return told


async def test_injected_errors_are_found() -> None:
    told = await checked(1, 12, 20)
    assert set(told) == {*ERRORS, "right"}
    assert told.total() > 200


@pytest.mark.exhaustive
async def test_injected_errors_are_found_in_thousands() -> None:
    told = await checked(2, 125, 20)
    assert told.total() - told["right"] >= 2000


async def test_what_the_map_leaves_open_is_never_accepted() -> None:
    """Claims, and answers: the gold one of the hidden grid stays open, too."""
    domain, rng, seen = domain_called("spatialmap"), random.Random(5), Counter[str]()
    for problem in spatial_maps.generate(40, 5, objects=(5, 6), decided=False):
        found = worlds(problem.text)
        for line in (open_step(rng, found) for _ in range(12)):
            if line is None:
                continue
            (state,) = steps(domain, problem, line)
            verdict = await domain.verify_state(problem, state, [])
            assert (verdict.ok, verdict.kind) == (None, "undetermined"), (problem.text, line)
            judged = await judge(domain, problem, f"{line}\nAnswer: {problem.gold}")
            assert judged.ok is None
            seen["claims"] += 1
        assert problem.gold is not None
        verdict = await domain.verify_answer(problem, problem.gold)
        assert verdict.ok is answers(found, problem.data["asked"], problem.gold), problem.text
        seen[f"answers {verdict.ok}"] += 1
    assert min(seen["claims"], seen["answers None"] * 10, seen["answers True"] * 10) > 50, seen
