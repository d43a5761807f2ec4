"""Which code a text means, and its functions as they are completed."""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

MAX_CODE = 50_000
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)\s*(\w*)[^\n`]*$")
_LANGUAGES = frozenset({"", "python", "py", "python3"})
_OPENS = re.compile(r"(?:async\s+def|def|class)\s+(\w+)|@")


class Finished(NamedTuple):
    """Code that a line finishes: the block so far, and whether it is the whole of it."""

    code: str
    whole: bool


def fold(memory: dict[str, Any], line: str) -> tuple[dict[str, Any], Finished | None]:
    """Read one line; a block grows, and a function in it ends where a line at the margin begins.

    The memory holds the ``code`` of an open block, and whether a function is ``open`` in it.
    """
    fence = _FENCE.match(line.rstrip("\n"))
    if memory.get("other"):
        return ({} if fence else memory), None
    if "code" not in memory:
        if not fence:
            return memory, None
        return _begun(fence), None
    code = memory["code"]
    if fence and fence[1]:  # the block before was never closed: a note broke it off
        return _begun(fence), None
    if fence:
        return {}, Finished(code, True) if code.strip() else None
    if len(code) > MAX_CODE:
        return {}, None
    at_margin = bool(line.strip()) and not line[0].isspace() and line[0] not in "#)]}"
    done = Finished(code, False) if at_margin and memory["open"] and tree_of(code) else None
    opened = memory["open"]
    if at_margin:
        opened = _OPENS.match(line) is not None or (opened and done is None)
    return {"code": code + line, "open": opened}, done


def _begun(fence: re.Match[str]) -> dict[str, Any]:
    """The memory where a block begins."""
    return {"code": "", "open": False} if fence[1].lower() in _LANGUAGES else {"other": True}


def blocks(text: str) -> list[str]:
    """The blocks of code in a text; the whole text where it has no fence and is Python."""
    found, memory = list[str](), dict[str, Any]()
    for line in text.splitlines(keepends=True):
        memory, done = fold(memory, line)
        if done is not None and done.whole:
            found.append(done.code)
    if memory.get("code", "").strip():  # a block that was never closed
        found.append(memory["code"])
    return found or ([text] if "```" not in text and defines(text) else [])


def meant(text: str, entry: str = "") -> str | None:
    """The code that a text means: its last block that defines ``entry``; without one, any function;
    else its last block. None if there is no code."""
    found = blocks(text)
    asked = entry.partition(".")[0]
    named = [one for one in found if asked in defines(one, asked)] if entry else []
    best = named or [one for one in found if defines(one) - _TESTS]
    best = best or [one for one in found if defines(one)] or found
    return best[-1].strip("\n") if best else None


_TESTS = frozenset({"main", "test", "tests", "check", "run_tests"})


def defines(code: str, asked: str = "") -> set[str]:
    """The functions and classes at a program's margin; those of tests are left out, unless they
    are what is ``asked`` for."""
    tree = tree_of(code)
    if tree is None:
        return set(re.findall(r"^(?:async\s+def|def|class)\s+(\w+)", code, re.MULTILINE))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {one.name for one in tree.body if isinstance(one, kinds)}
    return {name for name in names if name == asked or not name.startswith("test_")}


def without_tests(code: str) -> str:
    """The code without what it tries itself: assertions, prints, the part under ``__main__``."""
    tree = tree_of(code)
    if tree is None:
        return code
    tree.body = [one for one in tree.body if not _tries(one)]
    return ast.unparse(tree)


def _tries(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert() | ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name == "print" or name in _TESTS or name.startswith("test_")
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="testmod" | "main"))):
            return True
    return False


def fault(code: str) -> str | None:
    """Why a text is no Python; None if it is."""
    if len(code) > MAX_CODE:
        return "it is too long"
    try:
        ast.parse(code)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def tree_of(code: str) -> ast.Module | None:
    """What code is to Python; None where it is nothing, or too long."""
    try:
        return ast.parse(code) if len(code) <= MAX_CODE else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
