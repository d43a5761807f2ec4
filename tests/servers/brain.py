"""What a stand-in says: the Game of 24 for 4 7 8 8, JSON to a schema, a call, or a nod."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PUZZLE = "4 7 8 8"
WRONG = "8 / 8 = 2 (left: 2 4 7)\n"
PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
ANSWER = "Answer: (7 - 8 / 8) * 4 = 24\n\\boxed{(7 - 8 / 8) * 4}"
NOD = "Every step holds, and the answer follows.\nYes. The first wrong step: \\boxed{-1}"


@dataclass(frozen=True, slots=True)
class Thought:
    """A reply: its thinking, what is said behind it, and the tool that is called."""

    thinking: str
    said: str
    call: tuple[str, str] | None = None


def reply(
    messages: Sequence[Mapping[str, Any]],
    schema: Mapping[str, Any] | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
) -> Thought:
    """The reply to messages. The first attempt at the puzzle has a wrong step in it.

    Args:
        schema: That the reply is to follow.
        tools: Functions as (name, parameters) that may be called.
    """
    texts = [text_of(message) for message in messages]
    if schema is not None:
        return Thought("I fill it in.\n", json.dumps(instance(schema, schema)))
    if tools and not any(message["role"] == "tool" for message in messages):
        function = tools[0]
        return Thought("", "", (function["name"], json.dumps(called(function))))
    if "numbers" not in "".join(texts) or "solution" in texts[-1].lower():
        return Thought("I look at it.\n", NOD)
    told = any(message["role"] == "assistant" for message in messages)
    lead = "" if told else f"{WRONG}That is not so, I start again.\n"
    return Thought(lead + PATH, ANSWER)


def called(function: Mapping[str, Any]) -> Any:
    """Arguments of a call."""
    schema = function.get("parameters") or function.get("input_schema") or {"type": "object"}
    return instance(schema, schema)


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message, whose content may be in parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content or ""


def instance(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """A small value that follows a schema."""
    if "$ref" in schema:
        return instance(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return instance(schema[word][0], root)
    if "enum" in schema or "const" in schema:
        return schema.get("enum", [schema.get("const")])[0]
    kind = schema.get("type")
    if kind == "object":
        return {name: instance(part, root) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [instance(schema.get("items", {}), root)] * max(1, schema.get("minItems", 1))
    number = schema.get("minimum", schema.get("exclusiveMinimum", 1))
    values = {"boolean": True, "integer": number, "number": number, "null": None}
    return values.get(str(kind), "print(8 / 8)")


def tokens(text: str) -> list[str]:
    """A text in tokens: a word with the space in front of it."""
    return re.findall(r"\s*\S+|\s+", text)
