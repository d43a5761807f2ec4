"""What a text says beside its answer: of the turns, of the way, and of how S and E lie."""

from __future__ import annotations

import re
from itertools import groupby, pairwise

from agentflow.domains import answers, conclusions
from agentflow.domains.answer_rivals import SENTENCE_END
from agentflow.domains.maze import counts
from agentflow.domains.maze.claims import Claim, direction_of, plain, statement
from agentflow.domains.maze.problem import chosen, grid_of, truth, turns
from agentflow.problem import Problem

_WAY = r"(?:right|left|up|down|straight|north|south|east|west)"
_WAYS = re.compile(
    rf"(?i)\b{_WAY}\b(?:(?: turn| again)?(?:\s?(?:[,;>–-]|->|→|⇒|/))?(?: (?:and|then|again|next"
    rf"|finally|it|once more|turns?|goes|moves?|a|another|followed by|to the))*,? ?{_WAY}\b)+"
    r"(?!(?:-hand)? turns\b)"
)
"""Several directions in a row: ``right, down, then left``."""
_ONE_WAY = re.compile(rf"(?i)\b{_WAY}\b")
_GOES = "way: "
"""What marks a ground that says how the path goes."""
_NO_PATH = re.compile(
    r"(?i)(?:the|this) (?:\w+ )?(?:path|route) (?:is|was) (?:\w+ )?(?:blocked|closed|broken"
    r"|interrupted|cut off|impassable|invalid)|there is no (?:\w+ )?(?:path|route|way)\b.*"
)
"""What denies that there is what a question is about."""
_PLACED = re.compile(r" ?\((?:(?:row|col(?:umn)?)? ?\d{1,3}(?:, ?)?){1,2}\)")
"""Where S or E is, behind its name: ``E (row 1)``."""
_IS_SO = (
    (re.compile(r"\bis (?:higher|further up|farther up)(?: up)? than\b"), "is above"),
    (re.compile(r"\bis (?:lower|further down|farther down)(?: down)? than\b"), "is below"),
    (re.compile(r"\b(?:is (?:located|situated|positioned)|lies|sits|stands)\b"), "is"),
)
"""Other words for how S and E lie -> those that are read."""
_ALONE = re.compile(r"(?i)(?:yes|no|\d{1,3})\Z")
_UNREAD = re.compile(
    r"(?i)\b(?:never|every|each|no|none|all|only|always|without|hardly)\b.*\bturn"
    r"|\bturn\w*\b.*\b(?:never|always|only)\b|\bstraight line\b|\bturns? thrice\b"
    r"|\b(?:exit|goal|end|start|entrance|E|S)\b.*\b(?:higher|lower|over|under|atop|beneath|farther"
    r"|further|sits|lies|is located)\b"
)
"""What speaks of all turns, or of how S and E lie, in whatever words."""


def grounds(text: str) -> list[str]:
    """What a text says of the turns around its answer, of each kind the last, and beside it or
    above of how S and E lie."""
    near = [*conclusions.clauses(text), *conclusions.behind(text)]
    beside = filter(_tells, near)
    above = (one for one in conclusions.above(text) if _tells(one) or _ALONE.match(one))
    ways = (f"{_GOES}{one}" for line in _near(text) for one in _followed(line))
    unread = (one for one in near if _UNREAD.search(one) and not (_tells(one) or counts.count(one)))
    return [
        *counts.told(conclusions.clauses(text, around=True)),
        *ways,
        *beside,
        *unread,
        *(f"{conclusions.ABOVE}{one}" for one in above),
    ]


def _near(text: str) -> list[str]:
    """The sentences of the line above an answer, of its own line, and behind it."""
    above = text[: answers.begins(text)].rstrip("\n $*#_").rfind("\n") + 1
    return SENTENCE_END.split(text[above:])


def _followed(sentence: str) -> list[str]:
    """The directions in a row that a sentence says, behind ``turns`` where it says so of turns."""
    turns = "turns " if "turn" in sentence.lower() else ""
    return [f"{turns}{found[0]}" for found in _WAYS.finditer(sentence)]


def _goes(problem: Problem, said: str) -> bool:
    """Whether the path goes, or turns, so."""
    grid = grid_of(problem)
    ways = [direction_of(one) for one in _ONE_WAY.findall(said)]
    if problem.data["asked"].get("back"):
        return False
    turned = [f"{one}_TURN" for one in ways]
    if {*ways} <= {"LEFT", "RIGHT"}:
        turns = [turn for turn in grid.turns if turn and turn.endswith("_TURN")]
        if _is_within(turned, turns) or said.startswith("turns "):
            return _is_within(turned, turns)
    moves = list(grid.directions)
    again = any(one == other for one, other in pairwise(ways))
    return _is_within(ways, moves if again else [way for way, _ in groupby(moves)])


def _is_within(part: list[str], whole: list[str]) -> bool:
    """Whether one list stands in another, in one piece."""
    return any(whole[at : at + len(part)] == part for at in range(len(whole)))


def called(text: str, said: str) -> list[str]:
    """An answer where a text gives it with a kind of turns, too: ``Answer: 2 left turns``."""
    told = (counts.count(one.text) for one in answers.statements(text) if one.how in answers.CALLED)
    return [
        f"{found[1]} {found[0]} turns" for found in told if found and found[0] and found[1] == said
    ]


def _placed(clause: str) -> Claim | None:
    """What a clause says of how S and E lie: ``E (row 1) is above S``, ``E is higher up than S``"""
    text = plain(_PLACED.sub("", clause))
    for lies, verb in _IS_SO:
        text = lies.sub(verb, text)
    return statement(text)


def _tells(clause: str) -> bool:
    """Whether a clause says how S and E lie, or that there is no path."""
    return _placed(clause) is not None or _NO_PATH.fullmatch(clause) is not None


def holds(problem: Problem, ground: str) -> bool:
    """Whether a claim of :func:`grounds` is right."""
    grid, asked = grid_of(problem), problem.data["asked"]
    above, ground = ground.startswith(conclusions.ABOVE), ground.removeprefix(conclusions.ABOVE)
    stated = _placed(ground)
    if ground.startswith(conclusions.ASKS):
        return bool(ground.removeprefix(conclusions.ASKS) == asked.get("count"))
    if ground.startswith(_GOES):
        return _goes(problem, ground.removeprefix(_GOES))
    other = stated and any(stated[key] != asked.get(key) for key in ("of", "signs"))
    if above and other and statement(plain(ground)):
        return True  # a step, which is judged by itself
    if stated:
        return grid.lies(stated["of"], stated["signs"]) == bool(stated["holds"])
    if (found := counts.count(ground)) is None:
        return chosen(problem, ground) == truth(problem)
    kinds = {found[0]} if found[0] else {"total", asked.get("count", "total")}
    return counts.number(found[1].lower()) in [turns(problem, kind) for kind in kinds]
