"""The blocks of code in a text, and its functions as they are completed."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from agentflow.domains.python import explanations, remarks
from agentflow.domains.python.source import (
    MAX_CODE,
    body,
    defines,
    has_function,
    reads,
    tree_of,
)

_MAX_ABOVE = 300
FENCE = re.compile(
    r"(?P<indent>[ \t]{0,12})(?:`{3,6}|~{3,6})\s*(?:\{\.?)?(?P<language>\w*)[^\n`]*$"
)
_TAG = r"(?:answer|code(?: class=[\w\"-]{1,40})?|final|pre|python|s|solution|\|\w{1,20}\|)"
_NAMED = r"(?:verbatim|lstlisting|PYTHON|CODE)"
_WRAPPED = re.compile(
    rf"(?:\s*(?:<{_TAG}>|\[(?:{_NAMED}|BEGIN)\]|\\begin\{{{_NAMED}\}}(?:\[[^\]\n]*\])?)[ \t]*)*+"
    r"\n*+(?P<code>.*?)(?<!\s)\s*+"
    rf"(?:(?:</?{_TAG}>|\[(?:/{_NAMED}|DONE)\]|\\end\{{{_NAMED}\}})\s*+)*+",
    re.DOTALL,
)
"""Code in tags, which a text is."""
_JSON = re.compile(r"\s*(?:```json\s*)?(\{.*\})\s*(?:```\s*)?", re.DOTALL)
_KEYS = frozenset({"answer", "code", "completion", "function", "program", "python", "solution"})
_THINKING = frozenset({"analysis", "plan", "reasoning", "thinking", "thought", "thoughts"})
_ABOUT = frozenset({"language", "filename", "file", "name", "entry_point", "id"})
"""Fields of which one word says nothing of the code."""
_DEEPER = 3
"""Columns by which the fence that closes a block may stand behind the one that opens it."""
_LANGUAGES = frozenset({"", "python", "py", "python3"})
_OPENS = re.compile(r"(?:async\s+def|def|class)\s+(\w+)|@")


class Finished(NamedTuple):
    """Code that a line finishes.

    Attributes:
        code: The block so far.
        whole: Whether that is all of it.
        above: The last line in front of the block that is not empty.
    """

    code: str
    whole: bool
    above: str


def fold(memory: dict[str, Any], line: str) -> tuple[dict[str, Any], Finished | None]:
    """Read one line; a block grows, and a function in it ends where a line at the margin begins.

    The memory holds the ``code`` of an open block, and whether a function is ``open`` in it; the
    margin is as far to the right as the fence that opened the block (``indent``). Outside of a
    block it holds the last line, and whether that stands ``after`` a block.
    """
    fence = FENCE.match(line.rstrip("\n"))
    if memory.get("other"):
        return ({} if fence else memory), None
    above = memory.get("above", "")
    if "code" not in memory:
        if fence:
            return _begun(fence, above), None
        said = line.strip()[-_MAX_ABOVE:]
        if not said:
            return memory, None
        if "after" in memory and remarks.looks_back(said):
            return {"after": True}, None
        return {**memory, "above": said}, None
    if fence and len(fence["indent"]) > memory["indent"] + _DEEPER:  # in a docstring
        fence = None
    code = memory["code"]
    if fence and fence["language"]:  # the block before was never closed: a note broke it off
        return _begun(fence, ""), None
    if fence:
        return {"after": True}, Finished(code, True, above) if code.strip() else None
    if len(code) > MAX_CODE:
        return {}, None
    margin = memory["indent"]
    line = line[margin:] if not line[:margin].strip() and line.strip() else line.lstrip(" \t")
    at_margin = bool(line.strip()) and not line[0].isspace() and line[0] not in "#)]}"
    done = None
    if at_margin and memory["open"] and tree_of(code):
        done = Finished(code, False, above)
    opened = memory["open"]
    if at_margin:
        opened = _OPENS.match(line) is not None or (opened and done is None)
    return {**memory, "code": code + line, "open": opened}, done


def _begun(fence: re.Match[str], above: str) -> dict[str, Any]:
    """The memory where a block begins."""
    if fence["language"].lower() not in _LANGUAGES:
        return {"other": True}
    return {"code": "", "open": False, "above": above, "indent": len(fence["indent"])}


class Block(NamedTuple):
    """A block of code in a text.

    Attributes:
        code: The code.
        above: What stands above it.
        end: Where it ends.
        closed: Whether it has an end, or is all of the text.
        opening: The fence that opens it; empty for the whole of a text.
        beside: What the other fields of a JSON object say of it.
    """

    code: str
    above: str = ""
    end: int = 0
    closed: bool = True
    opening: str = ""
    beside: str = ""


def blocks(text: str) -> list[Block]:
    """The blocks of code in a text; the whole text where it has no fence and is Python, or goes on
    behind the head of a function."""
    if (told := _told(text)) is not None:
        return [Block(told[0], "", len(text), beside=told[1])]
    found, memory, place, opening = list[Block](), dict[str, Any](), 0, ""
    for line in text.splitlines(keepends=True):
        memory, done = fold(memory, line)
        place += len(line)
        opening = line if memory.get("code") == "" else opening
        if done is not None and done.whole:
            found.append(Block(done.code, done.above, place, opening=opening))
    if memory.get("code", "").strip():  # a block that was never closed
        found.append(Block(memory["code"], memory["above"], place, False, opening))
    if not found and not fenced(text):
        bare = _WRAPPED.fullmatch(text)
        code = bare["code"] if bare else text
        if (has_function(code) or defines(code) or reads(code)) and tree_of(code):
            return [Block(code, "", place)]
        if (rest := body(code)) and not any(map(remarks.disowned, rest)):
            return [Block(code, "", place)]
        return [Block(text, "", place)] if defines(text) else []
    return found


def _told(text: str) -> tuple[str, str] | None:
    """(the code in a JSON object, which a text is, or its block; what else is said there, which
    must explain it)."""
    whole = _JSON.fullmatch(text)
    if whole is None:
        return None
    try:
        fields = json.loads(whole[1])
    except (ValueError, RecursionError):
        return None
    codes = [one for key, one in fields.items() if key.lower() in _KEYS and isinstance(one, str)]
    others = {key: one for key, one in fields.items() if key.lower() not in _KEYS}
    if len(codes) != 1 or not all(map(_leaves, others.items())):
        return None
    said = [others[key] for key in others if key.lower() not in _THINKING | _ABOUT]
    beside = "\n".join(one for one in said if isinstance(one, str))
    if not fenced(codes[0]):
        return codes[0], beside
    inner = blocks(codes[0])
    return (inner[0].code, beside) if len(inner) == 1 else None


def _leaves(field: tuple[str, Any]) -> bool:
    """Whether a field beside the code of a JSON object leaves it: a language, a number, a text that
    only explains."""
    name, said = field
    if isinstance(said, str) and name.lower() in _THINKING:
        return not remarks.taken_back(said)
    if isinstance(said, str):
        plain = name.lower() in _ABOUT and not said.count(" ")
        return plain or (defines(said) == set() and explanations.explained(said))
    if isinstance(said, list):
        return all(_leaves((name, one)) for one in said)
    return said is None or (isinstance(said, int | float) and said is not False)


def around(text: str) -> str:
    """What a text says around a program that has no fence, for what stands in that is no sentence
    of its writer; else the whole text."""
    if fenced(text):
        return text
    found = [one.code for one in blocks(text) if one.code in text]
    return "\n".join(text.split(found[0])) if found and _is_code(found[0]) else text


def _is_code(code: str) -> bool:
    return tree_of(code) is not None or body(code) is not None


def fenced(text: str) -> bool:
    """Whether there is a fence in a text."""
    return "```" in text or "~~~" in text


def opened(text: str) -> str:
    """A text without the fence that it begins with."""
    first, line, rest = text.partition("\n")
    return rest if line and FENCE.match(first) else text
