"""What a score of reasoning-gym is worth, by ``trust.toml``.

``exact``: the score 1 goes to right answers only, and to every right answer of its form.
``sound``: 1 goes to right answers only; but a right one may get less.
``none``: a wrong answer may get 1.
Each scorer that is trusted has a fingerprint in ``sources.json``, which
``python benchmarks/gym_tasks.py --write`` makes: one that changed is not trusted any more.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from agentflow.domains import answers
from agentflow.domains.gym.programs import Item
from agentflow.domains.math.answer_units import number_asked_for
from agentflow.domains.spelling import word_set

Worth = Literal["exact", "sound", "none"]


@dataclass(frozen=True, slots=True)
class Trust:
    """What a task's scores are worth.

    Attributes:
        form: What an answer must look like, to its last character, before it is scored at all; it
            keeps out what a lenient scorer would pass over, and what one that evaluates would run.
            Empty: the same kinds of signs as the task's own solution.
        why: What is wrong with the scorer.
        like: Whether an answer of that form must have the same kinds of signs, too.
        once: Whether no part of the list that an answer is may come twice.
        few: Whether an answer may name no more letters than the task's own solution does: in an
            integral, another letter may be any constant, with anything behind it.
    """

    worth: Worth
    form: str = ""
    why: str = ""
    like: bool = False
    once: bool = False
    few: bool = False


_TOLD: dict[Worth, str] = {"exact": "form", "sound": "form", "none": "why"}
"""What is said of a task where one thing is said."""


def _tasks() -> dict[str, Trust]:
    read = tomllib.loads(Path(__file__).with_name("trust.toml").read_text("utf-8"))
    found = dict[str, Trust]()
    for worth, one in _TOLD.items():
        for task, said in read[worth].items():
            about = said if isinstance(said, dict) else {one: said}
            form = re.sub("<([A-Z]+)>", lambda name: read["forms"][name[1]], about.get("form", ""))
            found[task] = Trust(worth, **{**about, "form": form})
    return found


TASKS = _tasks()
"""The tasks with a scorer of their own. The others compare texts, and are ``exact``."""

OURS = ("countdown", "puzzle24")
"""The tasks whose answers we judge ourselves."""


@cache
def sources() -> dict[str, str]:
    """Task -> the fingerprint of the scorer that was read."""
    found: dict[str, str] = json.loads(Path(__file__).with_name("sources.json").read_text("utf-8"))
    return found


def trust(task: str, item: Item) -> Trust:
    """What a task's scores are worth."""
    if task in OURS:
        return TASKS[task]
    if item.plain:
        return Trust("exact")
    if task not in TASKS:
        return Trust("none", why="nobody has read it")
    if TASKS[task].worth != "none" and sources().get(task) != item.source:
        return Trust("none", why="it is another version than the one that was read")
    return TASKS[task]


_SIGN = re.compile(r"[-+]?\d+(?:[.,]\d+)*|[^\W\d_]+|\s+|.", re.DOTALL)
_CLOSED = ({"true", "false"}, {"yes", "no"})
MOST = 20_000
"""Characters of an answer."""


def _kinds(text: str) -> tuple[set[str], int]:
    signs = [one for one in _SIGN.findall(text) if not one.isspace()]
    kinds = {"N" if one[-1].isdigit() else "W" if one[0].isalpha() else one for one in signs}
    return kinds, len(signs)


_HEDGE = re.compile(r"\b(?:or|not|either|neither|maybe|perhaps|probably|possibly|sorry|actually)\b")


def _hedges(text: str) -> set[str]:
    """The words of a text that may leave open what it says, or deny it."""
    return set(_HEDGE.findall(text.lower()))


_KEY = re.compile(r"\"(\w+)\"\s*:|\b([A-Z])\s*=")


def _names_all_once(answer: str, own: str) -> bool:
    """Whether an answer gives a value to what the task's own solution gives one to, once to each;
    scorers pass over other keys, and take the last of two."""
    names, given = _KEY.findall(own), _KEY.findall(answer)
    return not names or sorted(given) == sorted(names)


def _letters(text: str) -> set[str]:
    """The letters that stand alone."""
    return set(re.findall(r"\b[a-zA-Z]\b", text))


def _repeats(answer: str) -> bool:
    """Whether an answer is a list in JSON with the same part twice."""
    try:
        parts = json.loads(answer)
    except ValueError:
        return False
    said = [json.dumps(part) for part in parts] if isinstance(parts, list) else []
    return len({*said}) < len(said)


_NUMBERS = word_set("""
    aiw basic_arithmetic chain_sum count_bits count_primes gcd gsm_symbolic largest_island lcm
    leg_counting letter_counting number_sequence products rectangle_count self_reference
    simple_equations simple_geometry
""")
"""Tasks whose answer is a whole number."""
_SAYS = re.compile(r"(?:(?P<name>[a-z]) ?= ?)?(?P<number>-?\d+)(?:\.0+)?(?: ?(?P<unit>°|[a-z]+))?")


def plainly(task: str, question: str, answer: str) -> str:
    """The whole number of an answer that says, as its question does, of what it is: ``146 legs``,
    ``104°``, ``e = 13``, ``165.0``; what a box holds; any other answer is itself."""
    boxed = [*answers.boxed(answer)]
    if len(boxed) == 1 and answer.strip("$ ") == f"\\boxed{{{boxed[0]}}}":
        answer = boxed[0].strip()
    found = _SAYS.fullmatch(answer) if task in _NUMBERS else None
    if found is None:
        return answer
    name, number, unit = found.groups()
    if name and not re.search(rf"\b(?:[Ss]olve for|value of) {name}\b", question):
        return answer
    degrees = unit in ("°", "degree", "degrees") and "°" in question
    fits = not unit or degrees or number_asked_for(question, f"{number} {unit}")
    return number if fits else answer


def has_form(task: str, answer: str, own: str | None) -> bool:
    """Whether an answer looks like one, to its last character.

    Args:
        own: A solution of the task, whose signs it may have where nothing else is known.
    """
    if len(answer) > MOST or not answer:
        return False
    if own is not None and not _hedges(answer) <= _hedges(own):
        return False
    of_lines = own is not None and "\n" in own.strip() and "\n" not in answer
    if own and of_lines and 2 * _kinds(answer)[1] < _kinds(own)[1]:  # a line of several
        return False
    if own is not None and not _names_all_once(answer, own):
        return False
    known = TASKS.get(task, Trust("exact"))
    if known.once and _repeats(answer):
        return False
    if known.few and len(_letters(answer)) > len(_letters(own or "")):
        return False
    if known.form and (not re.fullmatch(known.form, answer) or not known.like):
        return re.fullmatch(known.form, answer) is not None
    if own is None:
        return True
    if (closed := next((one for one in _CLOSED if own.lower() in one), None)) is not None:
        return answer.lower() in closed
    if ("\n" in answer) != ("\n" in own.strip()):  # a line of several, say
        return False
    kinds, signs = _kinds(answer)
    theirs, most = _kinds(own)
    return kinds <= theirs and (signs == 1) == (most == 1)
