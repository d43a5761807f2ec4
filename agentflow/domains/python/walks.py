"""What a text says of one run of a program, step by step, which is followed.

``With `n = 4`, `a` takes the values 0, 1, 1, 2, 3.``   the values of ``a``, one after the other
``| J | j | {j} |``, under ``Walkthrough for 'Jy'``      columns of a table
``(25, 15) -> (15, 10) -> (10, 5)``                      states
``- i = 3: total = 6``                                   what some variables are at one time
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from agentflow.domains import markup
from agentflow.domains.python import examples
from agentflow.domains.python.following import Walk
from agentflow.domains.python.source import WALKED, nodes_of
from agentflow.domains.spelling import plain

_LITERAL = (
    r"(?:-?\d+(?:\.\d+)?|'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|True|False|None|\[[^\[\]\n]{0,80}\]"
    r"|\([^()\n]{0,80}\)|\{[^{}\n]{0,80}\})"
)
_GIVEN = rf"`?(?:(?P<to>\w+)`? ?= ?`?)?(?P<given>{_LITERAL})`?"
_NAMES_ONE = rf"`?(?P<to>[A-Za-z_]\w*)`? ?= ?`?(?P<given>{_LITERAL})`?"
_NAMED_ONE = rf"`?[A-Za-z_]\w*`? ?= ?`?{_LITERAL}`?"
_NAMED = rf"{_NAMED_ONE}(?:,? and {_NAMED_ONE}|, {_NAMED_ONE}){{1,4}}"
_OPENS = re.compile(
    rf"(?i)^[\s#*_>]*(?:(?:the |an? )?(?:\w+ )?(?:example|trace|tracing|walk-?through|walking"
    rf"|dry run|run|illustration)(?: \w+)?(?: (?:for|of|with|on|through|using))?:?"
    rf"|let's (?:trace|walk|go|run)(?: \w+){{0,3}}|take|consider)"
    rf"(?: (?:the )?(?:input|call|example|case|string|list|number|value))? [(*_]*"
    rf"(?:`?(?P<call>\w+\([^()`\n]{{0,100}}\))`?|(?P<named>{_NAMED})|{_GIVEN})"
)
"""What names the input of a run: the lines below are of that."""
_WITHIN = re.compile(
    rf"(?i)\b(?:for|with|on)(?: (?:the )?(?:input|call|example|case|string|list|number|value))?"
    rf" [(*_]*(?:`?(?P<call>\w+\([^()`\n]{{0,100}}\))`?|(?P<named>{_NAMED})|{_GIVEN})(?![\w`])"
)
"""What names it in a sentence: what follows is of that, up to the end of the paragraph."""
_HEADS = re.compile(r"^\s*(?:#{1,6} |\*\*[^*\n]+\*\*:?\s*$)")
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
    r"|\b(?:the )?(?:final )?(?:result|answer|output|return value)(?: is|:)"
    r"|\b(?:the|their|its) (?:sum|total|product|count) is(?=[^,;]*[.!]?$))"
    rf"(?: the (?:value|result))? [*_]*(?P<value>{_ONE})(?![\w`]|\.\d)"
    r"(?! (?:for|if|when|on|with|unless)\b)"
)
_STEP = re.compile(r"(?i)(?:start|initial(?:ly)?|begin|end|-|–|\d{1,3})?")
_MOST = 60


def parted(text: str, code: str) -> tuple[list[str], str]:
    """What a text says of runs, as assertions and lines for :func:`following.holds`; and the text
    without it.

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
        row = markup.ROW.match(line)
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
                    brief = brief or (walk is None and not line.rstrip(" *_").endswith(":"))
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
    elif found["named"]:
        given = {it["to"]: it["given"] for it in re.finditer(_NAMES_ONE, found["named"])}
        order = [it.arg for it in nodes_of(code) if isinstance(it, ast.arg)]
        call = f"{name}({', '.join(given[it] for it in order)})" if set(order) == {*given} else ""
    else:
        names = {it.arg for it in nodes_of(code) if isinstance(it, ast.arg)}
        fits = one and (found["to"] is None or found["to"] in names)
        call = f"{name}({found['given']})" if fits else ""
    return call if call and examples.is_plain(call) else ""


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
