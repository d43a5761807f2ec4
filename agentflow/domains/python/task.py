"""What a programming problem gives: from a stub with a docstring, or a row of a known layout.

HumanEval (Chen et al., 2021), MBPP (Austin et al., 2021), LiveCodeBench (Jain et al., 2024) and
EvalPlus (Liu et al., 2023) each have a layout of rows; its field names are read, and nothing else.
"""

from __future__ import annotations

import ast
import doctest
import json
import re
import sys
from dataclasses import dataclass
from typing import Any

from agentflow.errors import BadInput

MAX_TEXT = 400_000
EXAMPLE = '''def double(x: int) -> int:
    """Twice a number.

    >>> double(4)
    8
    """
'''
_CONTRACT = re.compile(r"^\s*(pre|post):\s*(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Task:
    """A programming problem.

    Attributes:
        entry: The function that is asked for; empty for a program that reads its input and prints.
        ask: What a model is told.
        stub: Code that stands before the answer: imports, and functions that are given.
        head: The function's ``def`` line, where it is known.
        examples: Of the docstring: tests as assertions.
        tests: Statements with assertions, run one by one.
        setup: What the tests need.
        inputs: (input, output) of a program that reads and prints.
        pre, post: The contract: conditions over the parameters, and ``__return__``.
        reference: A function of the same name that is right.
        complete: Whether the tests are declared to be all that matters.
    """

    entry: str
    ask: str
    stub: str = ""
    head: str = ""
    examples: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    setup: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    pre: tuple[str, ...] = ()
    post: tuple[str, ...] = ()
    reference: str = ""
    complete: bool = False


def read(text: str) -> Task:
    """The problem in a text: a JSON object of a known layout, or a stub with a docstring.

    Raises:
        BadInput: If it is neither.
    """
    text = text.strip()
    if not text or len(text) > MAX_TEXT:
        raise BadInput(f"python: the problem is {'too long' if text else 'empty'}; {_shown()}")
    if text.startswith("{"):
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            why = f"the problem begins as JSON, but is none: {error}"
            raise BadInput(f"python: {why}; {_shown()}") from error
        try:
            return of_row(row)
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"python: no layout that is known: {error!r}; {_shown()}") from error
    try:
        return _of_stub(text)
    except ValueError as error:
        raise BadInput(f"python: {error}; {_shown()}") from error


def _shown() -> str:
    return f"example: {EXAMPLE!r}"


def of_row(row: dict[str, Any]) -> Task:
    """The problem of a row of HumanEval, EvalPlus, MBPP or LiveCodeBench.

    ``complete`` (true or false), ``pre`` and ``post`` (lists of conditions) and ``reference`` may
    stand beside the fields of every layout.

    Raises:
        KeyError, TypeError, ValueError: If it has none of these layouts.
    """
    more: dict[str, Any] = {
        "complete": row.get("complete") is True,
        "pre": tuple(row.get("pre", ())),
        "post": tuple(row.get("post", ())),
        "reference": str(row.get("reference") or ""),
    }
    if "question_content" in row:
        return _live(row, more)
    if "test_list" in row:
        return _mbpp(row, more)
    return _human_eval(row, more)


def _human_eval(row: dict[str, Any], more: dict[str, Any]) -> Task:
    entry, prompt = str(row["entry_point"]), str(row["prompt"])
    worded = "base_input" in row and not functions_in(_tree(prompt))  # EvalPlus's MBPP
    if worded:
        shown = f" It must pass:\n\n{str(row['assertion']).strip()}" if "assertion" in row else ""
        ask = prompt.strip(" \n\"'")
        ask += f"\nGive the function {entry} in one block of Python.{shown}"
        prompt, stub, head, documented = "", "", "", tuple[str]()
    else:
        ask = f"Complete this function. Give the whole of it in one block of Python.\n\n{prompt}"
        stub, head, documented = _parts(prompt, entry)
    tests = list[str]()
    if "base_input" in row:  # EvalPlus: inputs, whose outputs the reference tells
        more["reference"] = more["reference"] or prompt + str(row["canonical_solution"])
        more["setup"] = "inf, nan = float('inf'), float('nan')"  # as JSON has them
        for arguments in [*row["base_input"], *(row.get("plus_input") or [])]:
            said = ", ".join(map(repr, arguments))
            how = f"_close(_reference({said}), {entry}({said}), {float(row.get('atol') or 0)!r})"
            tests.append(f"assert {how}")
    elif row.get("test"):
        tests.append(f"{row['test']}\n\ncheck({entry})\n")
    elif not (documented or more["post"]):
        raise ValueError("it has neither test nor base_input")
    given = dict(zip(("pre", "post"), _contract(prompt), strict=True))
    more |= {name: more[name] or given[name] for name in given}
    return Task(entry, ask, stub, head, documented, tuple(tests), **more)


def _mbpp(row: dict[str, Any], more: dict[str, Any]) -> Task:
    tests = [str(one) for one in row["test_list"]]
    called = {
        node.func.id
        for test in tests
        for node in ast.walk(ast.parse(test))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    defined = _defined(str(row.get("code") or ""))
    names = sorted(called & defined) if called & defined else sorted(called - _BUILT_IN)
    if len(names) != 1:
        raise ValueError(f"the tests call {', '.join(names) or 'no function'}, not one")
    asked = str(row.get("text") or row["prompt"])
    setup = "\n".join(
        [*_modules(tests), row.get("test_setup_code") or "", *row.get("test_imports", ())]
    )
    shown = "\n".join(tests)
    ask = f"{asked}\nGive the function in one block of Python. It must pass:\n\n{shown}"
    return Task(names[0], ask, tests=tuple(tests), setup=setup.strip(), **more)


def _modules(tests: list[str]) -> list[str]:
    """Imports of the standard modules that tests name as if the answer had imported them."""
    nodes = [node for test in tests for node in ast.walk(ast.parse(test))]
    names = {
        node.value.id
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return [f"import {name}" for name in sorted(names & sys.stdlib_module_names)]


_BUILT_IN = frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)


_STARRED = ["typing", "collections", "heapq", "bisect", "math", "itertools", "functools", "string"]
GIVEN = (
    "\n".join([f"from {one} import *" for one in _STARRED] + [f"import {one}" for one in _STARRED])
    + "\nfrom builtins import *"
)  # math has another pow
"""What LiveCodeBench, like the sites it is from, imports for an answer."""


def _live(row: dict[str, Any], more: dict[str, Any]) -> Task:
    given = row.get("public_test_cases") or "[]"
    cases = json.loads(given) if isinstance(given, str) else given
    private = row.get("private_test_cases") or []
    cases += private if isinstance(private, list) else []  # else packed, which is not read
    starter = str(row.get("starter_code") or "")
    ask = str(row["question_content"])
    if not starter.strip():
        inputs = tuple((str(one["input"]), str(one["output"])) for one in cases)
        ask += (
            "\nGive a program that reads the input and prints the output, in one block of Python."
        )
        return Task("", ask, inputs=inputs, **more)
    found = re.findall(r"def (\w+)\(self", starter)
    if len(found) != 1:
        raise ValueError("the starter code is no class with one method")
    tests = []
    for one in cases:
        said = ", ".join(repr(json.loads(line)) for line in one["input"].splitlines())
        tests.append(f"assert _listed({found[0]}({said})) == {json.loads(one['output'])!r}")
    ask += f"\nComplete this class, in one block of Python.\n\n{starter}"
    return Task(f"Solution.{found[0]}", ask, GIVEN, tests=tuple(tests), **more)


def _of_stub(text: str) -> Task:
    names = [one.name for one in functions_in(_tree(text))]
    if not names:
        raise ValueError("no function is defined")
    entry = names[-1]
    stub, head, examples = _parts(text, entry)
    pre, post = _contract(text)
    ask = f"Complete this function. Give the whole of it in one block of Python.\n\n{text}"
    return Task(entry, ask, stub, head, examples, pre=pre, post=post)


def _tree(text: str) -> ast.Module:
    for body in (text, f"{text.rstrip()}\n    pass\n"):
        try:
            return ast.parse(body)
        except (SyntaxError, RecursionError, MemoryError) as error:
            why = error
    raise ValueError(f"not Python: {why}")


def _parts(prompt: str, entry: str) -> tuple[str, str, tuple[str, ...]]:
    """(the code before the function, its head, the examples of its docstring)."""
    tree = _tree(prompt)
    functions = [one for one in functions_in(tree) if one.name == entry]
    if not functions:
        raise ValueError(f"the prompt does not define {entry}")
    asked = functions[-1]
    before = [ast.unparse(one) for one in tree.body if one is not asked]
    head = f"def {entry}({ast.unparse(asked.args)})"
    head += f" -> {ast.unparse(asked.returns)}:" if asked.returns else ":"
    return "\n".join(before), head, examples(ast.get_docstring(asked) or "", entry)


def examples(docstring: str, entry: str) -> tuple[str, ...]:
    """The examples of a docstring (``>>> f(4)``) as assertions; those with another result than a
    literal are left out."""
    try:
        found = doctest.DocTestParser().get_examples(docstring)
    except ValueError:
        return ()
    tests = []
    for one in found:
        try:
            call = ast.parse(one.source.strip(), mode="eval").body
            ast.literal_eval(one.want.strip())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == entry:
            tests.append(f"assert {one.source.strip()} == {one.want.strip()}")
    return tuple(tests)


def _contract(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found: dict[str, list[str]] = {"pre": [], "post": []}
    for kind, condition in _CONTRACT.findall(text):
        try:
            ast.parse(condition.strip(), mode="eval")
        except SyntaxError as error:
            raise ValueError(f"{kind}: {condition!r} is no expression") from error
        found[kind].append(condition.strip())
    return tuple(found["pre"]), tuple(found["post"])


def functions_in(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions at a program's margin."""
    return [one for one in tree.body if isinstance(one, ast.FunctionDef)]


def function_of(head: str) -> ast.FunctionDef:
    """The function of a ``def`` line, with nothing in it."""
    function = ast.parse(f"{head}\n    pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function


def _defined(code: str) -> set[str]:
    try:
        return {one.name for one in functions_in(ast.parse(code))}
    except (SyntaxError, ValueError):
        return set()
