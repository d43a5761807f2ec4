"""Which code a text means, and its functions as they are completed."""

from __future__ import annotations

import ast
import json
import re
from typing import Any, NamedTuple

from agentflow.domains.python import explanations, remarks

MAX_CODE = 50_000
_MAX_ABOVE = 300
_FENCE = re.compile(
    r"(?P<indent>[ \t]{0,12})(?:`{3,6}|~{3,6})\s*(?:\{\.?)?(?P<language>\w*)[^\n`]*$"
)
_PATCH = re.compile(r"(?m)^[ \t]*(?:```|~~~)(?:diff|patch)\b")
_TAG = r"(?:answer|code(?: class=[\w\"-]{1,40})?|final|pre|python|s|solution|\|\w{1,20}\|)"
_NAMED = r"(?:verbatim|lstlisting|PYTHON|CODE)"
_WRAPPED = re.compile(
    rf"(?:\s*(?:<{_TAG}>|\[{_NAMED}\]|\\begin\{{{_NAMED}\}})[ \t]*)*+\n*+(?P<code>.*?)\s*"
    rf"(?:(?:</?{_TAG}>|\[/{_NAMED}\]|\\end\{{{_NAMED}\}})\s*)*",
    re.DOTALL,
)
"""Code in tags, which a text is."""
_JSON = re.compile(r"\s*(?:```json\s*)?(\{.*\})\s*(?:```\s*)?", re.DOTALL)
_KEYS = frozenset({"answer", "code", "completion", "function", "program", "python", "solution"})
_DEEPER = 3
"""Columns by which the fence that closes a block may stand behind the one that opens it."""
_LANGUAGES = frozenset({"", "python", "py", "python3"})
_OPENS = re.compile(r"(?:async\s+def|def|class)\s+(\w+)|@")
_STATEMENT = re.compile(
    r"\s|[#@)\]}\"']|(?:async|await|class|def|del|global|nonlocal|raise|return|yield)\b"
    r"|(?:assert|import|from)\s|(?:break|continue|pass|return)\s*$"
    r"|(?:if|elif|else|except|finally|for|match|try|while|with)\b.*:\s*(?:#.*)?$"
    r"|[A-Za-z_][\w.]*(?:\(|\[|\s*(?:[-+*/|&%@^]|//|\*\*)?=|\s*:\s*[A-Za-z_][\w.\[\], |]*=)"
)
"""How a line of a program may begin."""


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
    fence = _FENCE.match(line.rstrip("\n"))
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
        opening: The fence that opens it.
    """

    code: str
    above: str = ""
    end: int = 0
    closed: bool = True
    opening: str = ""


def blocks(text: str) -> list[Block]:
    """The blocks of code in a text; the whole text where it has no fence and is Python."""
    if (told := _told(text)) is not None:
        return [Block(told, "", len(text))]
    found, memory, place, opening = list[Block](), dict[str, Any](), 0, ""
    for line in text.splitlines(keepends=True):
        memory, done = fold(memory, line)
        place += len(line)
        opening = line if memory.get("code") == "" else opening
        if done is not None and done.whole:
            found.append(Block(done.code, done.above, place))
    if memory.get("code", "").strip():  # a block that was never closed
        found.append(Block(memory["code"], memory["above"], place, False, opening))
    if not found and not fenced(text):
        bare = _WRAPPED.fullmatch(text)
        code = bare["code"] if bare else text
        if defines(code) and tree_of(code):
            return [Block(code, "", place)]
        return [Block(text, "", place)] if defines(text) else []
    return found


def _told(text: str) -> str | None:
    """The code in a JSON object, which a text is, or its block."""
    whole = _JSON.fullmatch(text)
    if whole is None:
        return None
    try:
        told = json.loads(whole[1])
    except (ValueError, RecursionError):
        return None
    codes = [one for key, one in told.items() if key.lower() in _KEYS and isinstance(one, str)]
    return codes[0] if len(codes) == 1 and not fenced(codes[0]) else None


def fenced(text: str) -> bool:
    """Whether there is a fence in a text."""
    return "```" in text or "~~~" in text


def opened(text: str) -> str:
    """A text without the fence that it begins with."""
    first, line, rest = text.partition("\n")
    return rest if line and _FENCE.match(first) else text


def meant(text: str, entry: str = "") -> Block | None:
    """The code that a text means: its last block that defines ``entry``; without one, any function;
    else its last block.

    None if there is no code, if the text does not hold on to it, or if it has several that define
    the same and does not say which one holds.
    """
    found = blocks(text)
    asked = entry.partition(".")[0]
    named = [one for one in found if asked in defines(one.code, asked)] if entry else []
    best = named or [one for one in found if defines(one.code) - _TESTS]
    best = best or [one for one in found if defines(one.code)] or found
    if not best:
        return None
    *before, last = best
    if not (explanations.announced(last.above) and explanations.explained(text[last.end :])):
        return None
    names = {asked} if entry else defines(last.code)
    if remarks.disowned(last.code):
        return None
    if _PATCH.search(text, last.end) or any(
        not names.isdisjoint(binds(one.code)) for one in found[found.index(last) + 1 :]
    ):
        return None
    rivals = any(
        _rivals(one.code, last.code)
        and not (remarks.denied(one.above) or remarks.taken_back(text[one.end :]))
        for one in before
    )
    if rivals and not remarks.chosen(last.above):
        return None
    return last._replace(code=last.code.strip("\n"))


def binds(code: str) -> set[str]:
    """The names that a program makes something else of, anywhere in it."""
    found = set[str]()
    for one in ast.walk(tree_of(code) or ast.Module([], [])):
        match one:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.alias(asname=str(name)) | ast.alias(name=name):
                found.add(name)
            case ast.Attribute(ctx=ast.Store(), value=ast.Name(id=name)):
                found.add(name)
    return found


def _rivals(one: str, other: str) -> bool:
    """Whether two pieces of code define the same, and not alike."""
    if defines(one).isdisjoint(defines(other)):
        return False
    ours, theirs = tree_of(one), tree_of(other)
    return ours is None or theirs is None or ast.unparse(ours) != ast.unparse(theirs)


def is_transcript(code: str) -> bool:
    """Whether code stands behind the prompts of an interpreter."""
    return re.search(r"(?m)^\s*>>> ", code) is not None


def is_code(text: str) -> bool:
    """Whether all lines of a text look like those of a program, right or wrong."""
    return all(_STATEMENT.match(line) for line in text.splitlines() if line.strip())


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


_NEWER = re.compile(
    r"(?m)^\s*(?:(?:async )?(?:def|class) \w+\[|type \w+(?:\[.*\])? =|except \w+, )|\bt['\"]"
)


def is_newer(code: str, fault: str) -> bool:
    """Whether a fault may be none to a later Python: syntax since 3.12."""
    return "f-string" in fault or _NEWER.search(code) is not None


def tree_of(code: str) -> ast.Module | None:
    """What code is to Python; None where it is nothing, or too long."""
    try:
        return ast.parse(code) if len(code) <= MAX_CODE else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
