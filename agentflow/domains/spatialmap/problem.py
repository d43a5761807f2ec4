"""The problem: a map, a question and options; and what an answer to it claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentflow.domains import choices, instructions, markup
from agentflow.domains.spatialmap import claims, layout, wording
from agentflow.domains.spatialmap.layout import Claim
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.tools import entailment

MAX_TEXT = 20_000
"""Characters that a problem may have."""
EXAMPLE = (
    "The Bank is in the map. The Cafe is to the Northeast of The Bank. "
    "In which direction is The Bank relative to The Cafe?"
)


def parse(text: str, id: str = "") -> Problem:
    """The problem in ``text``: a map, a question and, if it has them, options.

    Asks Z3 whether they make sense, which takes milliseconds.

    Raises:
        BadInput: If a sentence or the question cannot be read, if sentences contradict each other,
            or if no option can be the answer.
    """
    if len(text) > MAX_TEXT:
        raise BadInput(f"spatialmap: the problem has more than {MAX_TEXT:,} characters")
    if not text.strip():
        raise BadInput(f"spatialmap: the problem is empty; example: {EXAMPLE}")
    try:
        rest, options, behind = choices.parts(text)
    except BadInput as error:
        raise BadInput(f"spatialmap: {error}") from error
    if left := instructions.without(behind).strip(" .\n"):
        raise BadInput(f"spatialmap: could not read {left[:60]!r} among the options")
    told, question = wording.question_in(rest)
    elsewhere = "\n".join([question, *options.values()])
    objects, sentences, relations = wording.map_in(told, elsewhere)
    asked = wording.asked_in(question, objects)
    letters: dict[str, str] = {}
    for letter, said in options.items():
        value = wording.value_of(said.strip(" ."), asked["kind"], objects)
        if value is None and choices.says_none(said):
            continue  # it is right where no other is, and then nothing passes
        if value is None:
            wanted = {"object": "an object of the map", "count": "a number"}
            what = wanted.get(asked["kind"], "a direction")
            raise BadInput(f"spatialmap: option {letter}, {said[:60]!r}, is not {what}")
        if value in letters.values():
            raise BadInput(f"spatialmap: option {letter}, {said[:60]!r}, is there twice")
        letters[letter] = value
    listed = [f"{letter}. {letters.get(letter, said.strip())}" for letter, said in options.items()]
    data = {
        "map": " ".join(told.split()),
        "question": question,
        "options": "\n".join(["Options:", *listed]) if listed else "",
        "objects": objects,
        "sentences": sentences,
        "relations": [list(relation) for relation in relations],
        "asked": asked,
        "letters": letters,
    }
    if why := entailment.wait(_nonsense, data):
        raise BadInput(f"spatialmap: {why}")
    return Problem(text.strip(), "spatialmap", id or text.strip(), data=data)


def relations_of(data: Mapping[str, Any]) -> layout.Relations:
    return tuple((a, direction, b) for a, direction, b in data["relations"])


def stated(data: Mapping[str, Any], form: str) -> Claim:
    """What an answer claims."""
    asked = data["asked"]
    match asked["kind"]:
        case "direction":
            return Claim("in", form, asked["of"], (asked["object"],))
        case "object":
            number = data["objects"].index(form)
            return Claim("in", asked["direction"], asked["of"], (number,))
    return Claim("count", asked["direction"], asked["of"], count=int(form))


def value(data: Mapping[str, Any], said: str) -> str | None:
    """The normal form of an answer that stands alone, or in a sentence of the form in which it is
    asked for: ``A is to the Northwest of B``, ``Northwest of B``."""
    objects: tuple[str, ...] = tuple(data["objects"])
    asked = data["asked"]
    if (value := wording.value_of(said, asked["kind"], data["objects"])) is not None:
        return value
    if asked["kind"] == "direction" and wording.begins_with_direction(said):
        said = f"{objects[asked['object']]} is {said}"
    read = claims.claims_in(wording.as_in_a_map(said), objects)
    if not read or len(read) > 1 or read[0].of != asked["of"]:
        return None
    claim = read[0]
    if claim.kind == "in" and asked["kind"] == "direction" and claim.objects == (asked["object"],):
        return claim.direction
    if claim.direction != asked.get("direction"):
        return None
    if claim.kind == "in" and asked["kind"] == "object":
        return objects[claim.objects[0]]
    return str(claim.count) if claim.kind == asked["kind"] == "count" else None


def bare(answer: str) -> str:
    """An answer without emphasis, a full stop and the like around it."""
    text = " ".join(markup.unmarked(answer.strip()).split()).rstrip(" .!").lstrip(":").strip()
    return text[1:-1].strip() if text[:1] == "(" and text[-1:] == ")" else text


def shown(objects: Sequence[str], claim: Claim) -> str:
    """A claim in words."""
    where = f"the {claim.direction} of {objects[claim.of]}"
    named = [objects[number] for number in claim.objects]
    match claim.kind:
        case "in":
            return f"{named[0]} is to {where}"
        case "out":
            return f"{named[0]} is not to {where}"
        case "open":
            return f"the map leaves open where {named[0]} is as seen from {objects[claim.of]}"
        case "all":
            return f"the objects in {where} are: {', '.join(named) or 'none'}"
    return f"the number of objects in {where} is {claim.count}"


def _nonsense(data: dict[str, Any]) -> str | None:
    """Why no answer makes sense; in Z3's thread."""
    relations, letters = relations_of(data), data["letters"]
    if (core := layout.contradiction(relations)) is not None:
        return f"the map contradicts itself: {'; '.join(data['sentences'][one] for one in core)}"
    size = len(data["objects"])
    outcomes = {
        layout.judge(relations, size, stated(data, value)).outcome for value in letters.values()
    }
    if outcomes == {"contradicted"}:
        return f"none of the options can be the answer to: {data['question']}"
    return None
