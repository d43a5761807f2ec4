"""What a program is made of: what it defines, binds and uses, what it tries itself, its faults."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from textwrap import dedent
from typing import Any, TypeGuard

MAX_CODE = 50_000
_NOTHING = ast.Module([], [])
SAID = "  # said of it"
"""What marks a line that a text says of its code, and that is not part of it."""
PRINTED = "_printed"
"""What an assertion calls that tells what a program prints for an input."""
WALKED = "_walked"
"""What an assertion calls that tells how a run goes on, step by step."""
_VERSION = "# or: "
"""What begins a line that holds another version of the code, as a literal."""
_TOLD = "# told: "
"""What begins a line that holds a sentence of the text around the code."""
_CHANCE = frozenset({"random", "secrets", "time", "uuid"})
"""Modules by which a program gives another result another time."""
_BY_CHANCE = frozenset({"getpid", "hash", "id", "now", "today", "urandom", "utcnow"})
"""Functions of that kind."""
_BY_BUILD = frozenset({"__sizeof__", "getrefcount", "getsizeof"})
"""Functions whose result is another one in another Python."""
TESTS = frozenset({"main", "test", "tests", "check", "run_tests"})
_STATEMENT = re.compile(
    r"\s|[#@)\]}\"']|(?:async|await|class|def|del|global|nonlocal|raise|return|yield)\b"
    r"|(?:assert|import|from)\s|(?:break|continue|pass|return)\s*$"
    r"|(?:if|elif|else|except|finally|for|match|try|while|with)\b.*:\s*(?:#.*)?$"
    r"|[A-Za-z_][\w.]*(?:\(|\[|\s*(?:[-+*/|&%@^]|//|\*\*)?=|\s*:\s*[A-Za-z_][\w.\[\], |]*=)"
)
"""How a line of a program may begin."""
_NEWER = re.compile(
    r"(?m)^\s*(?:(?:async )?(?:def|class) \w+\[|type \w+(?:\[.*\])? =|except \w+, )|\bt['\"]"
)


def tree_of(code: str) -> ast.Module | None:
    """What code is to Python; None where it is nothing, or too long."""
    try:
        return ast.parse(code) if len(code) <= MAX_CODE else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def nodes_of(code: str) -> list[ast.AST]:
    """All nodes of code; none where it is nothing to Python."""
    return [*ast.walk(tree_of(code) or _NOTHING)]


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


def is_newer(code: str, fault: str) -> bool:
    """Whether a fault may be none to a later Python: syntax since 3.12."""
    return "f-string" in fault or _NEWER.search(code) is not None


def is_transcript(code: str) -> bool:
    """Whether code stands behind the prompts of an interpreter."""
    return re.search(r"(?m)^\s*>>> ", code) is not None


def is_code(text: str) -> bool:
    """Whether all lines of a text look like those of a program, right or wrong."""
    return all(_STATEMENT.match(line) for line in text.splitlines() if line.strip())


def body(code: str) -> tuple[str, str] | None:
    """(the body of a function that code is, without its head, at the margin; what goes on behind it
    there). None where it is no body that returns something.

    Its first line may have lost its indentation.
    """
    if (tree := tree_of(dedent(code))) is not None:
        return (dedent(code), "") if returns(tree) else None
    first, *lines = code.strip("\n").split("\n")
    end = next((n for n, one in enumerate(lines) if one[:1].strip()), len(lines))
    inner, rest = lines[:end], "\n".join(lines[end:])
    behind = tree_of(rest)
    if behind is None or returns(behind):
        return None
    depth = min((len(one) - len(one.lstrip()) for one in inner if one.strip()), default=0)
    for head in (first, " " * depth + first.lstrip()):
        level = dedent("\n".join([head, *inner]))
        if (tree := tree_of(level)) is not None and returns(tree):
            return level, rest
    return None


def defines(code: str, asked: str = "") -> set[str]:
    """The functions and classes at a program's margin; those of tests are left out, unless they
    are what is ``asked`` for."""
    tree = tree_of(code)
    if tree is None:
        return set(re.findall(r"^(?:async\s+def|def|class)\s+(\w+)", code, re.MULTILINE))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {one.name for one in tree.body if isinstance(one, kinds)}
    return {name for name in names if name == asked or not name.startswith("test_")}


def binds(code: str) -> set[str]:
    """The names that a program makes something else of, anywhere in it."""
    found = set[str]()
    for one in nodes_of(code):
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


def loads(tree: ast.AST) -> set[str]:
    """The names, and the attributes, that a program uses."""
    return names_in(tree) | {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)}


def names_in(tree: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}


def has_function(code: str) -> bool:
    """Whether a program defines a function at its margin, even one of its tests."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(isinstance(one, kinds) for one in (tree_of(code) or _NOTHING).body)


def at_margin(code: str) -> set[str]:
    """The names that a program binds outside of its functions."""
    outside = _without_functions(tree_of(code) or _NOTHING)
    return binds(ast.unparse(outside)) | defines(code)


def returns(tree: ast.Module) -> bool:
    """Whether code returns something outside of a function: it is a part of one."""
    return any(isinstance(one, ast.Return) for one in ast.walk(_without_functions(tree)))


def _without_functions(tree: ast.Module) -> ast.Module:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return ast.Module([one for one in tree.body if not isinstance(one, kinds)], [])


def only_makes(tree: ast.Module) -> bool:
    """Whether a program only defines, imports and assigns, so that others can use it."""
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    return all(isinstance(one, kinds) or _is_text(one) for one in tree.body)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def without_tests(code: str) -> str:
    """The code without what it tries itself: assertions, prints, the part under ``__main__``."""
    tree = tree_of(code)
    if tree is None:
        return code
    tree.body = [one for one in tree.body if not _tries(one)]
    return ast.unparse(tree)


def without_foreign(code: str) -> str:
    """The code without imports that Python does not bring, where its own tests use them and nothing
    else does, and without those tests: ``import pytest``."""
    tree = tree_of(code) or _NOTHING
    foreign = [one for one in tree.body if _is_foreign(one)]
    names = {name for one in foreign for name in binds(ast.unparse(one))}
    rest = [one for one in tree.body if one not in foreign]
    using = [one for one in rest if not names.isdisjoint(names_in(one))]
    used = {name for one in using for name in names_in(one)}
    if not (names and names <= used and all(_tries(one) or _is_test(one) for one in using)):
        return code
    return ast.unparse(ast.Module([one for one in rest if one not in using], []))


def _is_foreign(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import():
            roots = [one.name.partition(".")[0] for one in statement.names]
        case ast.ImportFrom():
            roots = [(statement.module or "").partition(".")[0] if not statement.level else ""]
        case _:
            return False
    return sys.stdlib_module_names.isdisjoint(roots)


def _is_test(statement: ast.stmt) -> bool:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return isinstance(statement, kinds) and statement.name.lower().startswith("test")


def is_main(statement: ast.stmt) -> TypeGuard[ast.If]:
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
            return is_main(statement) and not statement.orelse
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name == "print" or name in TESTS or name.startswith("test_")
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="testmod" | "main"))):
            return True
    return False


def chance(code: str, ask: str) -> str:
    """Why a program may give another result another time; empty where nothing in it does, or that
    is what is asked for."""
    nodes = nodes_of(code)
    modules = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    modules |= {one.module or "" for one in nodes if isinstance(one, ast.ImportFrom)}
    called = {
        one.func.id if isinstance(one.func, ast.Name) else one.func.attr
        for one in nodes
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name | ast.Attribute)
    }
    roots = {one.partition(".")[0] for one in modules}
    found = (roots & _CHANCE) | ((called & _BY_CHANCE) - binds(code))
    low = ask.lower()
    return next((f"it uses {one}, which changes" for one in sorted(found) if one not in low), "")


def by_build(code: str) -> str:
    """The function in code whose result is another one in another Python; empty for none."""
    names = {
        one.attr if isinstance(one, ast.Attribute) else one.id
        for one in nodes_of(code)
        if isinstance(one, ast.Attribute | ast.Name)
    }
    return min(names & _BY_BUILD, default="")


def unsaid(code: str) -> str:
    """Code without the lines that are only said of it."""
    return "\n".join(line for line in code.split("\n") if not line.endswith(SAID))


DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
"""What may have a docstring."""


def docstrings(code: str) -> list[str]:
    """The docstrings of a program."""
    kinds = (one for one in nodes_of(code) if isinstance(one, DOCUMENTED))
    return [said for one in kinds if (said := ast.get_docstring(one))]


def code_alone(code: str) -> str:
    """A program without its docstrings and comments."""
    tree = tree_of(code) or _NOTHING
    kinds = (one for one in ast.walk(tree) if isinstance(one, DOCUMENTED))
    texts = [ast.get_docstring(one, clean=False) for one in kinds]
    named = ast.unparse(tree)
    for text in filter(None, texts):
        named = named.replace(text, "").replace(repr(text)[1:-1], "")
    return named


def notes(code: str, ask: str = "") -> list[str]:
    """The docstrings and the comments of a program, and what is only said of it.

    Args:
        ask: Its task; what is repeated from that, word for word, says nothing of the program.
    """
    comments = (one.string.removesuffix(SAID) for one in _comments(code))
    return _not_asked([*docstrings(code), *map(_unmarked, comments)], ask)


def told(code: str, ask: str) -> list[str]:
    """The same without its own comments."""
    comments = (one.string for one in _comments(code) if not _is_own(one))
    return _not_asked(
        [*docstrings(code), *(_unmarked(one.removesuffix(SAID)) for one in comments)], ask
    )


def own_comments(code: str) -> list[str]:
    """The comments that a program has itself; one that goes on in the next line is one."""
    found, row = list[str](), -1
    for one in filter(_is_own, _comments(code)):
        said, alone = _unmarked(one.string), one.line.lstrip().startswith("#")
        goes_on = alone and one.start[0] == row + 1 and said[:1].islower()
        if goes_on and found[-1][-1:] not in tuple(".!?:;"):
            found[-1] += f" {said}"
        elif said:
            found.append(said)
        row = one.start[0]
    return found


def _not_asked(said: list[str], ask: str) -> list[str]:
    asked = " ".join(ask.split())
    return [one for one in said if one and " ".join(one.split()) not in asked]


def _comments(code: str) -> list[tokenize.TokenInfo]:
    """The comments of code that say something of it."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    found = [one for one in tokens if one.type == tokenize.COMMENT and one.string != SAID.strip()]
    return [one for one in found if not one.string.startswith((_VERSION, _TOLD))]


def _is_own(comment: tokenize.TokenInfo) -> bool:
    return not comment.line.rstrip().endswith(SAID)


def _unmarked(comment: str) -> str:
    return comment.lstrip("#: ")


def reads(code: str) -> bool:
    """Whether a program reads its input, so that it is not called."""
    return not {"input", "stdin"}.isdisjoint(loads(tree_of(code) or _NOTHING))


def printed(code: str) -> list[tuple[str, str]]:
    """(input, output) of a program, as is said of it."""
    found = list[tuple[str, str]]()
    for one in (tree_of(code) or _NOTHING).body:
        match one:
            case ast.Assert(
                ast.Compare(ast.Call(ast.Name(name), [given]), [ast.Eq()], [value])
            ) if name == PRINTED:
                found.append((str(ast.literal_eval(given)), str(ast.literal_eval(value))))
    return found


def as_told(sentence: str) -> str:
    """A sentence of the text around code as a line that stands with it."""
    return f"{_TOLD}{sentence}"


def around(code: str) -> list[str]:
    """The sentences of the text around code."""
    lines = [line.removesuffix(SAID) for line in code.split("\n") if line.endswith(SAID)]
    return [one.removeprefix(_TOLD) for one in lines if one.startswith(_TOLD)]


def as_version(code: str) -> str:
    """Code as a line that stands with another version of it."""
    return f"{_VERSION}{code!r}"


def versions(code: str) -> list[str]:
    """The other versions that a text gives of code, without saying which one holds."""
    lines = [line.removesuffix(SAID) for line in code.split("\n") if line.endswith(SAID)]
    return [_literal(one.removeprefix(_VERSION)) for one in lines if one.startswith(_VERSION)]


def _literal(text: str) -> str:
    """The text that a literal stands for; itself where it is none."""
    try:
        return str(ast.literal_eval(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def assertions(code: str) -> list[str]:
    """What a program asserts itself at its margin, or as its main part."""
    tree = tree_of(code) or _NOTHING
    body = [*tree.body, *(line for one in tree.body if is_main(one) for line in one.body)]
    told = [ast.unparse(one) for one in body if isinstance(one, ast.Assert)]
    return [one for one in told if PRINTED not in one and WALKED not in one]


def is_test(code: str, name: str) -> bool:
    """Whether code is one assertion of what a function comes to, which may fail; ``assert f(1) ==
    f(1)`` and ``assert f(1) or True`` say nothing of it."""
    match tree_of(code):
        case ast.Module(body=[ast.Assert(test=said)]):
            pass
        case _:
            return False
    nodes = list(ast.walk(said))
    if any(isinstance(one, ast.Or | ast.Lambda | ast.NamedExpr | ast.IfExp) for one in nodes):
        return False
    if not isinstance(said, ast.Compare | ast.Call | ast.UnaryOp | ast.BoolOp):
        return False
    sides = (
        [ast.unparse(one) for one in (said.left, *said.comparators)]
        if isinstance(said, ast.Compare)
        else []
    )
    calls = (one.func for one in nodes if isinstance(one, ast.Call))
    called = {getattr(one, "id", getattr(one, "attr", "")) for one in calls}
    return name in called and (len(sides) < 2 or len({*sides}) > 1)


def walked(code: str) -> list[list[Any]]:
    """The arguments of what a program is said to do, step by step."""
    found = list[list[Any]]()
    for one in (tree_of(code) or _NOTHING).body:
        match one:
            case ast.Assert(ast.Call(ast.Name(name), given)) if name == WALKED:
                found.append([ast.literal_eval(it) for it in given])
    return found


def tested(code: str) -> list[str]:
    """What the tests of a program assert of plain calls: ``def test_it(): assert add(1, 2) == 3``,
    ``self.assertEqual(add(1, 2), 3)``, with values that pytest gives."""
    found = list[str]()
    for function in filter(_is_function, nodes_of(code)):
        given = _given(function)
        own = set() if given else {one.arg for one in function.args.args} - {"self"}
        own |= _stored(function)
        for said in filter(None, map(_equality, function.body)):
            if own.isdisjoint(names_in(said)):
                test = ast.unparse(said.test)
                found.append(f"assert all({test}{given})" if given else f"assert {test}")
    return found


def _is_function(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def _stored(function: ast.FunctionDef) -> set[str]:
    nodes = (one for one in ast.walk(function) if isinstance(one, ast.Name))
    return {one.id for one in nodes if isinstance(one.ctx, ast.Store)}


def _equality(statement: ast.stmt) -> ast.Assert | None:
    """An assertion, or one of unittest's on two values."""
    match statement:
        case ast.Assert():
            return statement
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), "assertEqual"), [one, other])):
            return ast.Assert(ast.Compare(one, [ast.Eq()], [other]))
    return None


def _given(function: ast.FunctionDef) -> str:
    """The values that ``pytest.mark.parametrize`` gives a test; empty without that."""
    match function.decorator_list:
        case [ast.Call(ast.Attribute(attr="parametrize"), [ast.Constant(str(names)), values])]:
            return f" for {names} in {ast.unparse(values)}"
    return ""
