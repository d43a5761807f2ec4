"""Which code a text means, and its functions as they are completed."""

from __future__ import annotations

import ast
import json
import re
from typing import Any, NamedTuple, TypeGuard

from agentflow.domains.python import explanations, remarks, told

MAX_CODE = 50_000
_MAX_ABOVE = 300
_FENCE = re.compile(
    r"(?P<indent>[ \t]{0,12})(?:`{3,6}|~{3,6})\s*(?:\{\.?)?(?P<language>\w*)[^\n`]*$"
)
_PATCH = re.compile(r"(?m)^[ \t]*(?:```|~~~)(?:diff|patch)\b")
_TAG = r"(?:answer|code(?: class=[\w\"-]{1,40})?|final|pre|python|s|solution|\|\w{1,20}\|)"
_NAMED = r"(?:verbatim|lstlisting|PYTHON|CODE)"
_WRAPPED = re.compile(
    rf"(?:\s*(?:<{_TAG}>|\[{_NAMED}\]|\\begin\{{{_NAMED}\}}(?:\[[^\]\n]*\])?)[ \t]*)*+"
    r"\n*+(?P<code>.*?)\s*"
    rf"(?:(?:</?{_TAG}>|\[/{_NAMED}\]|\\end\{{{_NAMED}\}})\s*)*",
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
_DEFINED = re.compile(r"(?m)^[ \t]*(?:```|~~~)(?:text|txt|plain\w*|pseudo\w*)\s[^`]*?\bdef (\w+)")
"""A function in a block that is not said to be of Python."""
_FAILED = re.compile(
    r"\bFAILED\b|Traceback \(most recent|(?m:^(?:E +)?[A-Z]\w*(?:Error|Exception)\b)"
    r"|\b[1-9]\d* failed"
)
"""What a run that failed prints."""
_MAKES = frozenset({"exec", "globals", "setattr", "vars", "__dict__", "__code__", "delattr"})
"""What may define a function without naming it."""
_PIECE = re.compile(r"(?m)^[ \t]*(?:return|def|yield|elif|else:)\b|^[-+] ")
_OPENS = re.compile(r"(?:async\s+def|def|class)\s+(\w+)|@")
_STATEMENT = re.compile(
    r"\s|[#@)\]}\"']|(?:async|await|class|def|del|global|nonlocal|raise|return|yield)\b"
    r"|(?:assert|import|from)\s|(?:break|continue|pass|return)\s*$"
    r"|(?:if|elif|else|except|finally|for|match|try|while|with)\b.*:\s*(?:#.*)?$"
    r"|[A-Za-z_][\w.]*(?:\(|\[|\s*(?:[-+*/|&%@^]|//|\*\*)?=|\s*:\s*[A-Za-z_][\w.\[\], |]*=)"
)
"""How a line of a program may begin."""


_NOTHING = ast.Module([], [])


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


SAID = "  # said of it"
"""What marks a line that a text says of its code, and that is not part of it."""


def unsaid(code: str) -> str:
    """Code without the lines that are only said of it."""
    return "\n".join(line for line in code.split("\n") if not line.endswith(SAID))


def assertions(code: str) -> list[str]:
    """What a program asserts itself at its margin, or as its main part."""
    tree = tree_of(code) or _NOTHING
    body = [*tree.body, *(line for one in tree.body if _is_main(one) for line in one.body)]
    return [ast.unparse(one) for one in body if isinstance(one, ast.Assert)]


class Block(NamedTuple):
    """A block of code in a text.

    Attributes:
        code: The code.
        above: What stands above it.
        end: Where it ends.
        closed: Whether it has an end, or is all of the text.
        opening: The fence that opens it; empty for the whole of a text.
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
            found.append(Block(done.code, done.above, place, opening=opening))
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
    """The code in a JSON object, which a text is, or its block; what else stands there must explain
    it."""
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
    if not fenced(codes[0]):
        return codes[0]
    inner = blocks(codes[0])
    return inner[0].code if len(inner) == 1 else None


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
    behind = found[found.index(last) + 1 :]
    if not entry and (programs := [one for one in behind if _is_program(one.code, last.code)]):
        if not remarks.chosen(programs[-1].above):
            return None
        before, last = best, programs[-1]
        behind = found[found.index(last) + 1 :]
    if remarks.disowned(last.code) or not explanations.announced(last.above):
        return None
    rivals = [one for one in before if _rivals(one.code, last.code)]
    behind_it = text[last.end :]
    if not explanations.explained(behind_it, mended=bool(rivals)):
        return None
    if not told.agrees(f"{last.above}\n{behind_it}", last.code):
        return None
    names = {asked} if entry else defines(last.code)
    if _PATCH.search(text, last.end) or any(_changes(one, last.code, names) for one in behind):
        return None
    if not names.isdisjoint(_DEFINED.findall(text, last.end)):
        return None
    if not remarks.chosen(last.above) and any(
        not (remarks.denied(one.above) or remarks.taken_back(text[one.end :])) for one in rivals
    ):
        return None
    code = _joined(found[: found.index(last)], last.code)
    if code is None:
        return None
    told_of = told.examples(f"{code}\n{behind_it}", names)
    said = [*(line for one in behind for line in assertions(one.code)), *told_of]
    lines = [f"{line}{SAID}" for line in dict.fromkeys(said) if "\n" not in line]
    return last._replace(code="\n".join([code.strip("\n"), *lines]))


def _is_program(code: str, other: str) -> bool:
    """Whether code is a program of its own that reads its input, beside another one."""
    tree = tree_of(code)
    if tree is None or not _at_margin(other).isdisjoint(_loads(tree)):
        return False
    return not {"input", "stdin", "open"}.isdisjoint(_loads(tree))


def _loads(tree: ast.AST) -> set[str]:
    """The names, and the attributes, that a program uses."""
    return _names(tree) | {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)}


def _changes(block: Block, code: str, names: set[str]) -> bool:
    """Whether a block behind code changes what it does, or shows that it fails; lines of the code
    that it shows again do not."""
    if _FAILED.search(block.code):
        return True
    lines = {line.strip() for line in code.splitlines()}
    if all(line.strip() in lines for line in block.code.splitlines() if line.strip()):
        return False
    tree = tree_of(block.code)
    if tree is None:
        return _is_piece(block)
    if _returns(tree) or not (
        names.isdisjoint(binds(block.code)) and _MAKES.isdisjoint(_loads(tree))
    ):
        return True
    inner = binds(code) - _at_margin(code)  # a line of a function uses what only it has
    return bool(inner & _names(tree) - binds(block.code))


def _returns(tree: ast.Module) -> bool:
    """Whether code returns something outside of a function: it is a part of one."""
    return any(isinstance(one, ast.Return) for one in ast.walk(_without_functions(tree)))


def is_body(code: str) -> bool:
    """Whether code may be the body of a function, without its head."""
    tree = tree_of(code)
    return code[:1].isspace() if tree is None else _returns(tree)


def _at_margin(code: str) -> set[str]:
    """The names that a program binds outside of its functions."""
    outside = _without_functions(tree_of(code) or _NOTHING)
    return binds(ast.unparse(outside)) | defines(code)


def _names(tree: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}


def _is_piece(block: Block) -> bool:
    """Whether a block that is no program is a piece of one, and no output."""
    language = _FENCE.match(block.opening.rstrip("\n"))
    return bool(language and language["language"]) or _PIECE.search(block.code) is not None


def _without_functions(tree: ast.Module) -> ast.Module:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return ast.Module([one for one in tree.body if not isinstance(one, kinds)], [])


def _joined(before: list[Block], code: str) -> str | None:
    """Code with the blocks in front of it that belong to it: that make what it uses, or use what it
    defines; None where two of them make the same."""
    for one in reversed(before):
        tree, whole = tree_of(one.code), tree_of(code)
        if tree is None or whole is None or remarks.denied(one.above) or not _only_makes(tree):
            continue
        makes, own = binds(one.code), binds(code)
        linked = makes & _loads(whole) or _loads(tree) & defines(code)
        if not linked or ast.unparse(tree) in ast.unparse(whole):
            continue
        if makes & own:
            if _loads(whole) & makes - own:
                return None
            continue
        code = f"{one.code.rstrip()}\n\n{code}"
    return code


def _only_makes(tree: ast.Module) -> bool:
    """Whether a program only defines, imports and assigns, so that others can use it."""
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    return all(isinstance(one, kinds) or _is_text(one) for one in tree.body)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def binds(code: str) -> set[str]:
    """The names that a program makes something else of, anywhere in it."""
    found = set[str]()
    for one in ast.walk(tree_of(code) or _NOTHING):
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


def _is_main(statement: ast.stmt) -> TypeGuard[ast.If]:
    """Whether a statement is the part under ``if __name__ == "__main__"``."""
    match statement:
        case ast.If(test=ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")])):
            return True
    return False


def _tries(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert():
            return True
        case ast.If():
            return _is_main(statement) and not statement.orelse
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
