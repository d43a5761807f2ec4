"""Runs one program in the process of its call and writes down what came of it.

Nothing here is trusted once the program has begun: it may change any of it.
"""

from __future__ import annotations

import ast
import builtins
import errno
import json
import linecache
import math
import sys
from collections.abc import Mapping
from types import ModuleType, TracebackType
from typing import Any

NAME = "<program>"
MESSAGE = 4_000
"""Characters of a failure's message."""
DEPTH = 64
"""Lists and dicts within each other in a value; what lies deeper is written as its `str`."""
DIGITS = 65_536
"""The longest integer that is written out."""
HINTS = {
    errno.ENOSPC: "file_mib",
    errno.EFBIG: "file_mib",
    errno.EDQUOT: "file_mib",
    errno.EAGAIN: "processes",
    errno.ENOMEM: "memory_mib",
}


def run(code: str, data: Any, most: int) -> dict[str, Any]:
    """Run a program to its end.

    Args:
        code: Its text.
        data: What it sees as `data`.
        most: Bytes of the value as JSON.

    Returns:
        value, shown, failure (type, message, line; or None) and limit, as plain JSON.
    """
    sys.set_int_max_str_digits(DIGITS)
    main = ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, data=data)
    sys.modules["__main__"] = main
    sys.argv = [NAME]
    linecache.cache[NAME] = (len(code), None, code.splitlines(True), NAME)
    try:
        found, value = execute(code, main.__dict__)
    except BaseException as error:
        return reply(failure=failure_of(error), limit=limit_of(error))
    if not found:
        message = "the program has neither `ans` nor a last expression"
        return reply(failure={"type": "MissingValue", "message": message, "line": None})
    try:
        shown = text_of(value, repr)
        value = plain(value, DEPTH)
        size = len(json.dumps(value, ensure_ascii=False).encode())
    except BaseException as error:
        return reply(failure=failure_of(error), limit=limit_of(error))
    if size > most or len(shown.encode()) > most:
        shown = shown.encode()[:most].decode(errors="ignore")
        return reply(None if size > most else value, shown, limit="output_bytes")
    return reply(value, shown)


def reply(
    value: Any = None, shown: str = "", failure: Any = None, limit: str | None = None
) -> dict[str, Any]:
    return {"value": value, "shown": shown, "failure": failure, "limit": limit}


def execute(code: str, scope: dict[str, Any]) -> tuple[bool, Any]:
    """(is there a value, the value)."""
    tree = ast.parse(code, NAME)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    try:
        exec(compile(tree, NAME, "exec"), scope)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), NAME, "eval"), scope)
    except SystemExit as error:
        if error.code not in (None, 0):
            raise
        last = None
    if "ans" in scope:
        return True, scope["ans"]
    return last is not None, value


# Failures


def failure_of(error: BaseException) -> dict[str, Any]:
    line, message = line_of(error.__traceback__), text_of(error, str)
    if isinstance(error, SyntaxError) and error.filename == NAME:
        line, message = error.lineno, error.msg
    name = clean(type(error).__name__)[:200]
    return {"type": name, "message": clean(str(message))[:MESSAGE], "line": line}


def line_of(traceback: TracebackType | None) -> int | None:
    """The line of the program that was running last."""
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == NAME:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def limit_of(error: BaseException) -> str | None:
    """The limit that such an error tells of."""
    if isinstance(error, MemoryError):
        return "memory_mib"
    if isinstance(error, OSError):
        return HINTS.get(error.errno or 0)
    if isinstance(error, RuntimeError) and "can't start new thread" in text_of(error, str):
        return "processes"
    return None


# Values


def plain(value: Any, depth: int) -> Any:
    """The value as plain JSON."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return clean(value)
    if kind is int:
        return value if -(2**63) <= value < 2**63 else text_of(value, str)
    if kind is float:
        return value if math.isfinite(value) else str(value)
    if depth and isinstance(value, (list, tuple)):
        return [plain(item, depth - 1) for item in list(value)]
    if depth and isinstance(value, Mapping):
        return {text_of(key, str): plain(item, depth - 1) for key, item in dict(value).items()}
    return text_of(value, str)


def text_of(value: Any, how: Any) -> str:
    """Its str or repr, whatever its class does."""
    try:
        return clean(str.__str__(how(value)))
    except MemoryError:
        raise
    except BaseException as error:
        return f"<{clean(type(value).__name__)} without a text: {clean(type(error).__name__)}>"


def clean(text: str) -> str:
    """The text without lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode()
