"""What a text says of one run of a program, step by step; the run is followed, and compared.

``With `n = 4`, `a` takes the values 0, 1, 1, 2, 3.``   the values of ``a``, one after the other
``| J | j | {j} |``, under ``Walkthrough for 'Jy'``      columns of a table
``(25, 15) -> (15, 10) -> (10, 5)``                      states
``- i = 3: total = 6``                                   what some variables are at one time
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from agentflow.domains.python import examples, running
from agentflow.domains.python.source import WALKED, nodes_of, walked
from agentflow.domains.spelling import plain
from agentflow.tools.sandbox.errors import SandboxUnavailable

_LITERAL = (
    r"(?:-?\d+(?:\.\d+)?|'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|True|False|None|\[[^\[\]\n]{0,80}\]"
    r"|\([^()\n]{0,80}\)|\{[^{}\n]{0,80}\})"
)
_GIVEN = rf"`?(?:(?P<to>\w+)`? ?= ?`?)?(?P<given>{_LITERAL})`?"
_OPENS = re.compile(
    rf"(?i)^[\s#*_>]*(?:(?:the |an? )?(?:\w+ )?(?:example|trace|tracing|walk-?through|walking"
    rf"|dry run|run|illustration)(?: \w+)?(?: (?:for|of|with|on|through|using))?:?"
    rf"|let's (?:trace|walk|go|run)(?: \w+){{0,3}}|take|consider)"
    rf"(?: (?:the )?(?:input|call|example|case|string|list|number|value))? [(*_]*"
    rf"(?:`?(?P<call>\w+\([^()`\n]{{0,100}}\))`?|{_GIVEN})"
)
"""What names the input of a run: the lines below are of that."""
_WITHIN = re.compile(
    rf"(?i)\b(?:for|with|on)(?: (?:the )?(?:input|call|example|case|string|list|number|value))?"
    rf" [(*_]*(?:`?(?P<call>\w+\([^()`\n]{{0,100}}\))`?|{_GIVEN})(?![\w`])"
)
"""What names it in a sentence: what follows is of that, up to the end of the paragraph."""
_HEADS = re.compile(r"^\s*(?:#{1,6} |\*\*[^*\n]+\*\*:?\s*$)")
_ROW = re.compile(r"^\s*\|(?P<cells>.*)\|\s*$")
_RULE = re.compile(r"^\s*\|[\s|:-]+\|\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_ONE = rf"`?{_LITERAL}`?"
_SERIES = re.compile(
    rf"(?:`?(?P<name>[A-Za-z_]\w*)`? |\b)(?:takes?(?: on)? the values?|becomes"
    rf"|goes(?: through)?|tries|visits|runs through|checks|is|are)(?: successively)?:? "
    rf"(?P<values>{_ONE}(?:(?:, (?:and )?(?:then )?| and (?:then )?| then | ?-> ?){_ONE}){{2,40}})"
)
_ARROWS = re.compile(rf"(?P<values>{_ONE}(?: ?-> ?{_ONE}){{1,40}})")
_IS = re.compile(
    rf"`?\b(?P<name>[A-Za-z_]\w*)`? ?(?:=|==|is|becomes) ?`?(?P<value>{_LITERAL})`?(?![\w.]*\d)"
)
_ENDS = re.compile(
    r"(?:,? ?\b(?:so|and|thus|hence|therefore),? )?"
    r"(?:\b(?:the (?:function|code|program|loop)|it|we|this)"
    r" (?:then )?(?:returns?|gives?|gets?|outputs?)"
    r"|\b(?:the )?(?:final )?(?:result|answer|output|return value)(?: is|:))"
    rf"(?: the (?:value|result))? [*_]*(?P<value>{_ONE})(?![\w`]|\.\d)"
    r"(?! (?:for|if|when|on|with|unless)\b)"
)
_STEP = re.compile(r"(?i)(?:start|initial(?:ly)?|begin|end|-|–|\d{1,3})?")
_SAY_SO = {"yes": "True", "no": "False", "✓": "True", "✗": "False", "—": "", "-": ""}
_MOST = 60


class Walk(NamedTuple):
    """What is said of one run.

    Attributes:
        call: The call.
        columns: Values that something takes, one after the other, with its name if that is known.
        states: What variables are, in this order.
    """

    call: str
    columns: list[tuple[str, list[str]]]
    states: list[dict[str, str]]


def parted(text: str, code: str) -> tuple[list[str], str]:
    """What a text says of runs, as lines for :func:`holds` and assertions; and the text without it.

    Nothing is parted where a program has several functions, or reads its input.
    """
    name = examples.only(code)
    if not name:
        return [], text
    takes = examples.arity(name, nodes_of(code))
    one = takes is not None and 1 in takes
    said, rest = list[str](), list[str]()
    walk: Walk | None = None
    table: list[list[str]] = []
    fenced = False
    brief = False
    for line in [*text.split("\n"), ""]:
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        row = _ROW.match(line)
        if walk and table and not row:
            walk.columns.extend(_columns(table))
            table = []
        opened = "" if fenced else _opened(_OPENS.match(plain(line)), name, one, code)
        if opened or _HEADS.match(line) or (brief and not line.strip()):
            said += _lines(walk)
            walk, brief = Walk(opened, [], []) if opened else None, False
        if fenced or _RULE.match(line):
            rest.append(line)
        elif row and walk:
            if not table:
                rest.append(line)
            table.append([cell.strip() for cell in row["cells"].split("|")])
        else:
            parts = list[str]()
            for part in _pieces(plain(line)):
                if call := _opened(_WITHIN.match(part), name, one, code):
                    said += _lines(walk)
                    brief = brief or walk is None
                    walk = Walk(call, [], [])
                parts.append(part if walk is None else _read(part, walk, said))
            rest.append("".join(parts))
    said += _lines(walk)
    return list(dict.fromkeys(said))[:_MOST], "\n".join(rest[:-1])


def _pieces(line: str) -> list[str]:
    """A line in pieces, each of which may name an input where it begins."""
    cuts = [0, *(one.start() for one in _WITHIN.finditer(line) if one.start()), len(line)]
    return [line[one:other] for one, other in pairwise(cuts)]


def _opened(found: re.Match[str] | None, name: str, one: bool, code: str) -> str:
    """The call of which something begins to tell; empty where it does not.

    Args:
        one: Whether the function may be called with one argument.
    """
    if found is None:
        return ""
    if found["call"]:
        call = found["call"] if found["call"].startswith(f"{name}(") else ""
    else:
        names = {it.arg for it in nodes_of(code) if isinstance(it, ast.arg)}
        fits = one and (found["to"] is None or found["to"] in names)
        call = f"{name}({found['given']})" if fits else ""
    return call if call and _is_plain(call) else ""


def _is_plain(call: str) -> bool:
    try:
        tree = ast.parse(call, mode="eval").body
        given = tree.args if isinstance(tree, ast.Call) and not tree.keywords else [tree]
        for one in given:
            ast.literal_eval(one)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _read(line: str, walk: Walk, said: list[str]) -> str:
    """A line of a walk, without what it says of the run, which is added to that."""
    rest = line
    if opened := _OPENS.match(rest) or _WITHIN.match(rest):
        head, rest = rest[: opened.end()], rest[opened.end() :]
    else:
        head = ""
    before = rest

    def series(found: re.Match[str]) -> str:
        walk.columns.append((found.groupdict().get("name") or "", _values(found["values"])))
        return " goes on"

    def ends(found: re.Match[str]) -> str:
        value = found["value"].strip("`")
        try:
            ast.literal_eval(value)
        except (SyntaxError, ValueError):
            return found[0]
        said.append(f"assert {walk.call} == {value}")
        return ""

    rest = _ENDS.sub(ends, rest)
    rest = _SERIES.sub(series, rest)
    rest = _ARROWS.sub(series, rest)
    found = list(_IS.finditer(rest))
    if found and not re.search(r"\b(?:if|when|unless|not|would)\b", rest):
        walk.states.append({one["name"]: one["value"] for one in found})
        rest = _IS.sub("", rest)
    if rest == before:
        return line
    rest = re.sub(r"\s+([.,;:])", r"\1", rest)
    return (
        ""
        if re.fullmatch(
            r"\W*(?:now|then|so|at the end|finally|goes on|and)?\W*", (head + rest).strip().lower()
        )
        else head + rest
    )


def _values(listed: str) -> list[str]:
    return [one.strip("` ") for one in re.findall(_ONE, listed)]


def _columns(table: list[list[str]]) -> list[tuple[str, list[str]]]:
    """The columns of a table that are no numbers of its rows; under the head stands a name, if
    anything is called so."""
    head, *rows = table
    found = list[tuple[str, list[str]]]()
    for at, name in enumerate(head):
        cells = [row[at].strip("` ") if at < len(row) else "" for row in rows]
        counts = [int(one) for one in cells if one.isdigit()]
        steps = bool(re.search(r"(?i)step|round|iteration|#", name)) and all(
            _STEP.fullmatch(one) for one in cells
        )
        if not (
            steps and counts == list(range(counts[0], counts[0] + len(counts))) if counts else steps
        ):
            found.append((name.strip("` "), cells))
    return found


def _lines(walk: Walk | None) -> list[str]:
    if walk is None or not (walk.columns or walk.states):
        return []
    return [f"assert {WALKED}({walk.call!r}, {walk.columns!r}, {walk.states!r})"]


_FOLLOW = """
import ast, itertools
seen, order = {}, []

def _show(value):
    try:
        return repr(value)[:300]
    except Exception:
        return "?"

def _see(key, value):
    if len(seen.setdefault(key, [])) < 400:
        seen[key].append(_show(value))
    return value

def _each(key, values):
    values = iter(values)
    first = [_see(key, one) for one in itertools.islice(values, 300)]
    return itertools.chain(first, values)

def _snap(known):
    if len(order) < 2000:
        order.append({a: _show(b) for a, b in known.items() if not a.startswith("_")})

def snap():
    return ast.parse("_snap(locals())").body[0]

class Follow(ast.NodeTransformer):
    count = 0

    def wrap(self, node):
        self.generic_visit(node)
        Follow.count += 1
        key = ast.Constant(Follow.count)
        return ast.copy_location(ast.Call(ast.Name("_see", ast.Load()), [key, node], []), node)

    visit_Call = visit_BinOp = visit_Compare = visit_BoolOp = visit_UnaryOp = wrap

    def visit_Subscript(self, node):
        return self.wrap(node) if isinstance(node.ctx, ast.Load) else self.generic_visit(node)

    def visit_Tuple(self, node):
        return self.wrap(node) if isinstance(node.ctx, ast.Load) else self.generic_visit(node)

    def visit_FunctionDef(self, node):
        node.body = self.lines(node.body)
        node.decorator_list = []
        node.returns = None
        for one in ast.walk(node.args):
            if isinstance(one, ast.arg):
                one.annotation = None
        return node

    def visit_AnnAssign(self, node):
        node.value = node.value and self.visit(node.value)
        return node

    def each(self, values):
        Follow.count += 1
        return ast.Call(ast.Name("_each", ast.Load()), [ast.Constant(Follow.count), values], [])

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.iter = self.each(node.iter)
        return node

    def lines(self, body):
        found = [snap()]
        for one in body:
            found += [self.visit(one), snap()]
        return found

    def visit_For(self, node):
        node.iter = self.visit(node.iter)
        node.body = self.lines(node.body)
        return node

    def visit_While(self, node):
        node.test = self.visit(node.test)
        node.body = self.lines(node.body)
        return node

    def visit_If(self, node):
        node.test = self.visit(node.test)
        node.body = self.lines(node.body)
        node.orelse = self.lines(node.orelse) if node.orelse else []
        return node

tree = ast.fix_missing_locations(Follow().visit(ast.parse(data["code"])))
space = {"_see": _see, "_each": _each, "_snap": _snap, "__name__": "answer"}
exec(compile(tree, "<answer>", "exec"), space)
seen.clear()
eval(data["call"], space)
ans = {"seen": list(seen.values()), "order": order}
"""


def holds(code: str) -> bool:
    """Whether what is said of runs of a program holds."""
    return all(_holds(code, Walk(*one)) for one in walked(code))


def _holds(code: str, walk: Walk) -> bool:
    bare = "\n".join(line for line in code.split("\n") if WALKED not in line)
    try:
        execution = running.sandbox().run(_FOLLOW, data={"code": bare, "call": walk.call})
    except SandboxUnavailable:
        return False
    if not execution.ok or not isinstance(execution.value, dict):
        return False
    order: list[dict[str, str]] = execution.value["order"]
    series = _all_series(execution.value["seen"], order, code)
    for name, values in walk.columns:
        own = [them for it, them in series if it == name] or [them for _, them in series]
        if not any(_goes(values, them) for them in own):
            return False
    return _passes(walk.states, order)


def _all_series(
    seen: list[list[str]], order: list[dict[str, str]], code: str
) -> list[tuple[str, list[str]]]:
    """(name, values, one after the other) of all that has some; an expression has no name."""
    found = [("", one) for one in seen]
    names = {name: None for state in order for name in state}
    for name in names:
        every = [state[name] for state in order if name in state]
        found += [(name, _collapsed(every)), (name, every)]
    for one in nodes_of(code):
        match one:
            case ast.Assign([ast.Tuple(elts=targets)]):
                own = [it.id for it in targets if isinstance(it, ast.Name)]
                rows = [
                    [state[it] for it in own] for state in order if all(it in state for it in own)
                ]
                found.append(("", _collapsed([f"({', '.join(row)})" for row in rows])))
    return found


def _collapsed(values: Sequence[str]) -> list[str]:
    return [one for at, one in enumerate(values) if at == 0 or one != values[at - 1]]


def _goes(said: list[str], values: list[str]) -> bool:
    """Whether values are said in a row, of those that something takes; one that stays is said once,
    or once a round."""
    ours, theirs = [_form(one) for one in said], [_form(one) for one in values]
    for some, others in ((ours, theirs), (_collapsed(ours), _collapsed(theirs))):
        size = len(some)
        if any(others[at : at + size] == some for at in range(len(others) - size + 1)):
            return len(ours) > 1
    return False


def _passes(states: list[dict[str, str]], order: list[dict[str, str]]) -> bool:
    """Whether a run comes through states in their order."""
    at = 0
    for state in states:
        wanted = {name: _form(value) for name, value in state.items()}
        while at < len(order) and any(
            name not in order[at] or _form(order[at][name]) != value
            for name, value in wanted.items()
        ):
            at += 1
        if at == len(order):
            return False
    return True


def _form(value: str) -> Any:
    """How a value is compared: without quotes, a set in any order."""
    bare = re.sub(r"[`'\"\s]", "", _SAY_SO.get(value.lower(), value))
    if bare in ("set()", "∅", "{}"):
        return "{}"
    if bare.startswith("{") and bare.endswith("}"):
        return "{" + ",".join(sorted(bare[1:-1].split(","))) + "}"
    return bare
