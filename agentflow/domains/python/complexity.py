"""Whether what is said of a program's running time may be so, as far as its loops tell.

``O(1)``        not where it has a loop, or calls what goes through its argument
``O(n)``        not where it has loops in one another, or sorts
``O(n log n)``  not where it has no loop
``O(n^2)``      not where it has no loops in one another
"""

from __future__ import annotations

import ast
import re

from agentflow.domains.python.source import loads, nodes_of
from agentflow.domains.spelling import word_set

_TOLD = re.compile(
    r"(?<!\w)o\((?P<of>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)"
    r"|\b(?P<word>constant|linear|quadratic|logarithmic)(?: time| space| in )"
)
_WORDS = {"constant": "1", "linear": "n", "quadratic": "n^2", "logarithmic": "log n"}
_SPACE = re.compile(r"\b(?:space|memory)\b")
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_GOES_THROUGH = word_set("""
    sum max min sorted sort set list dict tuple map filter any all reversed join split replace lower
    upper count index reverse enumerate zip Counter str
""")


def may_be(sentence: str, code: str) -> bool:
    """Whether what a sentence, in small letters, says of a program's running time may be so; what
    it says of memory is not looked at."""
    if _SPACE.search(sentence):
        return True
    nodes = nodes_of(code)
    used = {name for one in nodes for name in loads(one)} if nodes else set[str]()
    depth = max((_depth(one) for one in nodes if isinstance(one, _LOOPS)), default=0)
    goes_through = depth > 0 or bool(used & _GOES_THROUGH) or _calls_itself(nodes)
    sorts = bool(used & {"sorted", "sort", "heapq"})
    halves = any(isinstance(one, ast.FloorDiv | ast.RShift) for one in nodes)
    halves = halves and any(isinstance(one, ast.While) for one in nodes)
    for one in _TOLD.finditer(sentence):
        order = "".join((one["of"] or _WORDS[one["word"]]).split()).replace("²", "^2")
        if order == "1" and goes_through:
            return False
        if re.fullmatch(r"log(?:10)?\(?\w+\)?", order) and not (halves or _calls_itself(nodes)):
            return False
        if re.fullmatch(r"[a-z]", order) and (not goes_through or sorts or halves):
            return False
        if "log" in order and not goes_through:
            return False
        if re.fullmatch(r"\w(?:\^|\*\*)2|\w\*\w", order) and depth < 2:
            return _quadratic(nodes)
    return True


def _quadratic(nodes: list[ast.AST]) -> bool:
    """Whether a loop has in it what may go through a list again."""
    inner = [part for one in nodes if isinstance(one, _LOOPS) for part in ast.walk(one)]
    used = {name for one in inner if isinstance(one, ast.Call) for name in loads(one.func)}
    return bool(used & _GOES_THROUGH) or any(isinstance(one, ast.Slice) for one in inner)


def _depth(node: ast.AST) -> int:
    """How many loops stand in one another."""
    inner = max((_depth(one) for one in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, _LOOPS)


def _calls_itself(nodes: list[ast.AST]) -> bool:
    named = {one.name: one for one in nodes if isinstance(one, ast.FunctionDef)}
    return any(name in loads(one) for name, one in named.items())
