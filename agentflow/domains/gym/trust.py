"""What a score of reasoning-gym is worth: written by hand, from reading each scorer.

``exact``: the score 1 goes to right answers only, and to every right answer of its form.
``sound``: 1 goes to right answers only; but a right one may get less.
``none``: a wrong answer may get 1.
Each scorer that is trusted has a fingerprint in ``sources.json``, which
``python benchmarks/gym_tasks.py --write`` makes: one that changed is not trusted any more.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from agentflow.domains.gym.programs import Item

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
    """

    worth: Worth
    form: str = ""
    why: str = ""
    like: bool = False


_N = r"[-+]?\d[\d,]*(?:\.\d+)?"
_GRID = r"\s*\d+(?:[ \t\n]+\d+)*\s*"
_MAKER = r"\{(?:\s*\"\d+\"\s*:\s*\d+\s*,?)+\s*\}"
_JSON = r"[\[\]\"\w\s,.>-]+"
_CALCULUS = r"(?:[\d\s+\-*/().]|\b(?:[a-zA-Z]|sin|cos|tan|exp|log|sqrt|pi|asin|acos|atan)\b)+"

TASKS = {
    "ab": Trust("exact"),
    "advanced_geometry": Trust("exact", rf"{_N}°?|\(\s*{_N}\s*,\s*{_N}\s*\)"),
    "arc_agi": Trust("exact", _GRID),
    "binary_matrix": Trust("exact", _GRID),
    "bitwise_arithmetic": Trust("exact", r"-?0x[\da-fA-F]+"),
    "boxnet": Trust("none", why="it scores the share of boxes that were moved, lawfully or not"),
    "calendar_arithmetic": Trust("exact", rf"[A-Za-z]+|{_N}"),
    "chain_sum": Trust("exact", _N),
    "circuit_logic": Trust("exact", "[01]"),
    "codeio": Trust("none", why="it takes two JSON values for equal within a tolerance"),
    "coin_flip": Trust("none", why="it rounds"),
    "color_cube_rotation": Trust("exact"),
    "complex_arithmetic": Trust("exact", rf"{_N} ?[-+] ?{_N}i"),
    "countdown": Trust("exact", why="by arithmetic of ours; its own takes 4! for a use of 4"),
    "cryptarithm": Trust("exact", r"\s*[A-Z]\s*=\s*\d(?:\s*,\s*[A-Z]\s*=\s*\d)*\s*"),
    "decimal_arithmetic": Trust("none", why="it rounds"),
    "decimal_chain_sum": Trust("exact", _N),
    "dice": Trust("exact", r"\d+/\d+"),
    "emoji_mystery": Trust("exact"),
    "family_relationships": Trust("sound", "[A-Za-z-]+", "it knows one word for each relation"),
    "figlet_font": Trust("none", why="ten right letters are enough, whatever else is wrong"),
    "fraction_simplification": Trust("exact", r"\$?(?:\\d?frac\{\d+\}\{\d+\}|\d+\s*/\s*\d+)\$?"),
    "futoshiki": Trust("exact"),
    "game_of_life": Trust("none", why="it passes over rows and columns that are too many"),
    "game_of_life_halting": Trust("none", why="it takes every text for True"),
    "graph_color": Trust("exact", _MAKER),
    "group_anagrams": Trust("exact", _JSON),
    "gsm_symbolic": Trust("exact", _N),
    "intermediate_integration": Trust(
        "sound", _CALCULUS, "SymPy may not see that two expressions are equal"
    ),
    "jugs": Trust("exact", _JSON),
    "kakurasu": Trust("exact", r"[01](?:[ \n]+[01])*"),
    "knight_swap": Trust("sound", _JSON, "a way that is longer than the shortest gets less"),
    "knights_knaves": Trust(
        "exact", r"\w+ is an? \w+(?:,? and \w+ is an? \w+|, \w+ is an? \w+)*\.?"
    ),
    "letter_jumble": Trust("none", why="words that are too many are passed over"),
    "manipulate_matrix": Trust("exact", _GRID),
    "mini_sudoku": Trust("exact", _GRID),
    "n_queens": Trust("exact", r"[Q_](?:[ \n]+[Q_])*"),
    "needle_haystack": Trust("exact", r"[\w.'-]+(?: [\w.'-]+)*"),
    "number_format": Trust("none", why="it allows an error of 0.01"),
    "number_sorting": Trust("none", why="each number may be off by one"),
    "palindrome_generation": Trust("exact", "[a-z]+"),
    "palindrome_partitioning": Trust("exact", _JSON),
    "path_star": Trust("exact", _GRID),
    "polynomial_equations": Trust(
        "sound", rf"{_N}(?:\s*,\s*{_N})*", "it wants each root as rounded"
    ),
    "polynomial_multiplication": Trust(
        "sound", r"(?:[\d\s+\-*()]|\b[a-z]\b)+", "it wants the sum, expanded"
    ),
    "pool_matrix": Trust("none", why="it allows an error of 1 % in each number"),
    "power_function": Trust(
        "sound", rf"{_N}(?:[eE][-+]?\d+)?", "three significant figures count, as it asks for"
    ),
    "prime_factorization": Trust("exact", r"\d+(?:\s*×\s*\d+)*"),
    "products": Trust("exact", _N),
    "propositional_logic": Trust("none", why="it passes every conclusion that is not trivial"),
    "puzzle24": Trust("exact", why="by arithmetic of ours; its own asks for any four numbers"),
    "quantum_lock": Trust(
        "sound", r"[ABC](?:\s*→\s*[ABC])*", "a way that is longer than the shortest gets less"
    ),
    "rearc": Trust("exact", _GRID),
    "rectangle_count": Trust("exact", r"\d+"),
    "rubiks_cube": Trust("none", why="not read: it turns a cube of its own"),
    "rush_hour": Trust("none", why="not read: it picks moves out of any text"),
    "self_reference": Trust("exact", r"\d+"),
    "sentence_reordering": Trust("sound", why="the words may make another sentence"),
    "shortest_path": Trust("exact", r"[a-z]+(?: [a-z]+)*"),
    "simple_integration": Trust(
        "sound", _CALCULUS, "SymPy may not see that two expressions are equal"
    ),
    "sokoban": Trust("exact", "[UDLR]+"),
    "spell_backward": Trust("exact", r"\w+"),
    "spiral_matrix": Trust("exact", r"-?\d+(?: -?\d+)*"),
    "string_insertion": Trust("exact", "[A-E]+"),
    "sudoku": Trust("exact", _GRID),
    "survo": Trust("sound", _GRID, "the numbers may fit in another way"),
    "time_intervals": Trust(
        "exact", r"(?:\d+ days?, )?\d\d:\d\d(?::\d\d(?:\.\d{3})?)?|\d+ days?", like=True
    ),
    "tower_of_hanoi": Trust(
        "sound",
        r"(?:Move disk \d+ from Peg \d+ to Peg \d+\s*)+",
        "a way that is longer than the shortest gets less",
    ),
    "tsumego": Trust("exact", r"[A-Z]\d+"),
    "word_ladder": Trust("sound", r"[A-Z]+(?:,\s?[A-Z]+)+", "it knows some words only"),
    "word_sorting": Trust("none", why="it passes over words that are too many"),
    "zebra_puzzles": Trust("exact"),
}
"""The tasks with a scorer of their own. The others compare texts, and are ``exact``."""

OURS = ("countdown", "puzzle24")
"""The tasks whose answers we judge ourselves."""


@cache
def sources() -> dict[str, str]:
    """Task -> the fingerprint of the scorer that was read."""
    found: dict[str, str] = json.loads(Path(__file__).with_name("sources.json").read_text())
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


def has_form(task: str, answer: str, own: str | None) -> bool:
    """Whether an answer looks like one, to its last character.

    Args:
        own: A solution of the task, whose signs it may have where nothing else is known.
    """
    if len(answer) > MOST or not answer:
        return False
    known = TASKS.get(task, Trust("exact"))
    if known.form and (not re.fullmatch(known.form, answer) or not known.like):
        return re.fullmatch(known.form, answer) is not None
    if own is None:
        return True
    if (closed := next((one for one in _CLOSED if own.lower() in one), None)) is not None:
        return answer.lower() in closed
    kinds, signs = _kinds(answer)
    theirs, most = _kinds(own)
    return kinds <= theirs and (signs == 1) == (most == 1)
