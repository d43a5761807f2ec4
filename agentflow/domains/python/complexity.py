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
    r"|\b(?P<word>constant|linear|quadratic|logarithmic)"
    r"(?:(?: amount of)? (?:extra |additional |auxiliary )?(?:time|space|memory)| in )"
)
_WORDS = {"constant": "1", "linear": "n", "quadratic": "n^2", "logarithmic": "log n"}
_SPACE = re.compile(r"\b(?:space|memory)\b")
_ELSEWHERE = re.compile(
    r"(?:,? (?:instead of|rather than|compared (?:to|with)|as opposed to)|\bunlike) [^,;.]*"
    r"|\b(?:would|could|naive|brute|alternative(?:ly)?)\b.*"
)
"""What is said of another program."""
_PARTS = re.compile(r"[,;.]\s|\band\b|\bwith\b|\bbut\b")
_OF_PART = re.compile(
    r"\W*(?:building|converting|counting|creating|each|every|lookups?|membership"
    r"|the (?:lookup|set)s?|the sorting (?:operation|step))\b"
)
"""How one speaks of what a part of a program takes."""
_BESIDE = re.compile(r"\b(?:aside|apart|besides|beyond|exclud\w*|ignor\w*|not counting|output)\b")
_BUILDS = word_set("""
    sorted list set dict tuple Counter deque defaultdict append add extend insert join split lower
    upper replace swapcase translate copy str format
""")
_BUILT = (
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.Slice,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.JoinedStr,
)
"""What needs memory that grows with what it is given."""
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_GOES_THROUGH = word_set("""
    sum max min sorted sort set list dict tuple map filter any all reversed join split replace lower
    upper count index reverse enumerate zip Counter str
""")

_SORTS = word_set("""
    sorted sort heapq heappush heappop heapify nlargest nsmallest bisect bisect_left bisect_right
    insort SortedList unique
""")


def may_be(sentence: str, code: str) -> bool:
    """Whether what a sentence, in small letters, says of a program's running time, and of its
    memory, may be so."""
    sentence = _ELSEWHERE.sub("", sentence)
    return all(
        _may_need(one, code) if _SPACE.search(one) else _may_take(one, code)
        for one in _PARTS.split(sentence)
        if not _OF_PART.match(one)
    )


def _may_need(sentence: str, code: str) -> bool:
    """Whether a program may need the memory that is told: none that grows where it builds nothing,
    and some where it does."""
    if _BESIDE.search(sentence):
        return True
    nodes = nodes_of(code)
    calls = (one.func for one in nodes if isinstance(one, ast.Call))
    used = {name for one in calls for name in loads(one)}
    builds = bool(used & _BUILDS) or any(isinstance(one, _BUILT) for one in nodes)
    grows = builds or calls_itself(nodes)
    return all(_order(one) != ("1" if grows else "n") for one in _TOLD.finditer(sentence))


def _may_take(sentence: str, code: str) -> bool:
    nodes = nodes_of(code)
    used = {name for one in nodes for name in loads(one)} if nodes else set[str]()
    depth = max((_depth(one) for one in nodes if isinstance(one, _LOOPS)), default=0)
    through = (used & _GOES_THROUGH) - _of_few(nodes)
    goes_through = depth > 0 or bool(through) or calls_itself(nodes)
    sorts = bool(used & _SORTS)
    halves = any(isinstance(one, ast.FloorDiv | ast.RShift) for one in nodes)
    halves = halves and any(isinstance(one, ast.While) for one in nodes)
    for one in _TOLD.finditer(sentence):
        order = _order(one)
        if order == "1" and goes_through:
            return False
        if re.fullmatch(r"log(?:10)?\(?\w+\)?", order) and not (halves or calls_itself(nodes)):
            return False
        if re.fullmatch(r"[a-z]", order) and (not goes_through or sorts or halves):
            return False
        if "log" in order and not goes_through:
            return False
        if re.fullmatch(r"(\w)\*?log\(?\1\)?", order) and not (
            sorts or halves or depth > 1 or calls_itself(nodes)
        ):
            return False
        if re.fullmatch(r"\w(?:\^|\*\*)3|2\^n|n!", order) and not calls_itself(nodes):
            return depth > 2 or (depth == 2 and _quadratic(nodes))
        if re.fullmatch(r"\w(?:\^|\*\*)2|\w\*\w", order) and depth < 2:
            return _quadratic(nodes)
    return True


def _of_few(nodes: list[ast.AST]) -> set[str]:
    """``max`` and ``min`` where they only choose between values that are written there."""
    calls = [one for one in nodes if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    few = [
        one.func
        for one in calls
        if len(one.args) > 1 and not any(isinstance(it, ast.Starred) for it in one.args)
    ]
    names = [one for one in nodes if isinstance(one, ast.Name)]
    return {
        name
        for name in ("max", "min")
        if all(any(one is it for it in few) for one in names if one.id == name)
    }


def _order(told: re.Match[str]) -> str:
    return (
        "".join((told["of"] or _WORDS[told["word"]]).split()).replace("²", "^2").replace("³", "^3")
    )


def _quadratic(nodes: list[ast.AST]) -> bool:
    """Whether a loop has in it what may go through a list again."""
    inner = [part for one in nodes if isinstance(one, _LOOPS) for part in ast.walk(one)]
    used = {name for one in inner if isinstance(one, ast.Call) for name in loads(one.func)}
    return bool(used & _GOES_THROUGH) or any(isinstance(one, ast.Slice) for one in inner)


def _depth(node: ast.AST) -> int:
    """How many loops stand in one another."""
    inner = max((_depth(one) for one in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, _LOOPS)


def calls_itself(nodes: list[ast.AST]) -> bool:
    named = {one.name: one for one in nodes if isinstance(one, ast.FunctionDef)}
    return any(name in loads(one) for name, one in named.items())
