"""What a program is said to return under a condition, held against its runs.

``It returns `low` if `x` is greater than `high`.``
``When n < 0, the result is -1.``
``For odd numbers it returns False.``
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from agentflow.domains.python.samples import World

_EMPTY = r"(?:an|the) empty (?:list|array|string|tuple|dictionary|dict|set)"
_VALUE = rf"(?P<{{0}}>{_EMPTY}|-?\d+|true|false|none|[a-z_]\w*)(?: itself)?"
_IT = (
    r"(?:(?:it|this|that|we|the (?:function|code|program|solution)) )?"
    r"(?:simply |just |then |directly |immediately )?"
)
_RESULT = (
    rf"{_IT}(?:returns?|gives?(?: back)?|yields?|outputs?) {_VALUE.format('given')}"
    r"|(?:the )?(?:result|output|answer|return value) is"
    rf" {_VALUE.format('come')}"
    rf"|{_VALUE.format('named')} is (?:returned|given back|the (?:result|output|answer))"
)
_KIND = r"(?P<kind>even|odd|positive|negative)"
_NOUN = r"(?:numbers?|integers?|values?|inputs?|arguments?|n)"
_IF = r"(?:if|when|whenever|where)"
_FORMS = (
    re.compile(rf"(?:^|[ ,;])(?:{_RESULT}) {_IF} (?P<condition>[^,;.]{{1,80}})(?=[,;.]|\W*$)"),
    re.compile(
        rf"\b{_IF} (?P<condition>[^,;.]{{1,80}}),? (?:then )?(?:{_RESULT})(?=[,;.]| and\b|\W*$)"
    ),
    re.compile(rf"\bfor {_KIND} {_NOUN},? (?:{_RESULT})(?=[,;.]|\W*$)"),
    re.compile(rf"(?:^|[ ,;])(?:{_RESULT}) for (?:(?:all|any|every) )?{_KIND} {_NOUN}\b"),
    re.compile(
        r"^\W*(?:\w+: )?(?P<expression>[^,;.]{1,40}?) (?:is|equals) (?P<given>-?\d+)"
        rf" for {_KIND} "
    ),
)
_TERM = r"(?:-?\d+|[a-z_]\w*)"
_SIGNS = (
    ("(?:strictly )?(?:greater|larger|bigger|more|higher) than|above|exceeds|over", ">"),
    ("(?:strictly )?(?:less|smaller|lower|fewer) than|below|under", "<"),
    ("at least|(?:greater|larger) than or equal to|not (?:less|smaller) than", ">="),
    ("at most|(?:less|smaller) than or equal to|not (?:greater|larger) than", "<="),
    ("equal to|equals", "=="),
    ("not equal to|different from", "!="),
)
_WORDED = [(re.compile(rf"(?P<one>{_TERM}) (?:is )?(?:{how}) (?P<other>{_TERM})"), sign)
           for how, sign in _SIGNS]  # fmt: skip
_IS = re.compile(rf"(?P<one>{_TERM}) is (?P<other>-?\d+)")
_IS_EMPTY = re.compile(
    r"(?:(?:the|an?) )?(?:input |given )*(?P<one>[a-z_]\w*) is (?P<not>not )?empty"
)
_BARE = re.compile(r"(?:the (?:number|input|argument|value|integer)|it)(?= is\b)")
_KINDS = {"even": "% 2 == 0", "odd": "% 2 == 1", "positive": "> 0", "negative": "< 0"}
_IS_KIND = re.compile(
    rf"(?P<one>{_TERM}) is (?P<not>not )?(?:an? )?"
    r"(?:(?P<kind>even|odd|positive|negative)|divisible by (?P<by>\d+))"
)
_CONSTANTS = {"true": True, "false": False, "none": None}
_OPERATORS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class _Unread(Exception):
    """A condition is not understood."""


def made(sentence: str) -> bool:
    """Whether a sentence, in small letters and without backticks, may say such a thing."""
    return any(how.search(sentence) for how in _FORMS)


def hold(sentence: str, world: World) -> bool:
    """Whether what a sentence says of results is so in each run that it is about, and there is one;
    what is not understood says nothing here."""
    return without_held(sentence, world) is not None


def without_held(sentence: str, world: World) -> str | None:
    """A sentence without what it says of results that is so; None where some of it is not."""
    names = [one.lower() for one in world.names]
    rest = sentence
    for how in _FORMS:
        for found in how.finditer(sentence):
            try:
                if not _holds(found.groupdict(), names, world):
                    return None
            except (_Unread, ZeroDivisionError):
                continue
            rest = rest.replace(found[0], " ifthen ", 1)
    return rest


def _holds(said: Mapping[str, str | None], names: list[str], world: World) -> bool:
    condition = said.get("condition") or ""
    if kind := said.get("kind"):
        condition = f"{_only(names)} is {kind}"
    empty_one = _IS_EMPTY.fullmatch(condition.strip())
    if empty_one:
        condition = "1"  # the runs are chosen below
    tree = _read(_BARE.sub(_only(names) if len(names) == 1 else "?", condition.strip()))
    value = next(it for key in ("given", "come", "named") if (it := said.get(key)))
    if expression := said.get("expression"):
        left = _parsed(expression)
        runs = [{_only(names): one} for one in range(-6, 7)]
        return all(_value(left, one) == int(value) for one in runs if _value(tree, one))
    empty = re.fullmatch(_EMPTY, value) is not None
    if (
        not empty
        and value not in _CONSTANTS
        and value not in names
        and not value.lstrip("-").isdigit()
    ):
        raise _Unread
    runs_of = [(dict(zip(names, args, strict=False)), came) for args, came in world.runs]
    met = [it for it in runs_of if _value(tree, it[0]) and _asked_for(it[0], world)]
    if empty_one:
        at = _sequence(empty_one["one"], names, world)
        met = [it for it in met if (not it[0][at]) is not bool(empty_one["not"])]
    if empty:
        return bool(met) and all(came in ([], "", (), {}, set()) for _, came in met)
    return bool(met) and all(came == _told(value, args) for args, came in met)


def _sequence(name: str, names: list[str], world: World) -> str:
    """The parameter that is meant: the one of that name, else the only list, or text, of all."""
    kinds = (list, tuple, str, dict, set)
    own = [
        one
        for at, one in enumerate(names)
        if world.runs and all(isinstance(args[at], kinds) for args, _ in world.runs)
    ]
    if name in own:
        return name
    if name in names or len(own) != 1:
        raise _Unread
    return own[0]


def _asked_for(args: Mapping[str, Any], world: World) -> bool:
    """Whether arguments keep the task's own conditions; not where these are not understood."""
    try:
        return all(_value(_parsed(one.lower()), args) for one in world.task.pre)
    except (_Unread, ZeroDivisionError):
        return False


def _told(value: str, args: Mapping[str, Any]) -> Any:
    if value in _CONSTANTS:
        return _CONSTANTS[value]
    return args[value] if value in args else int(value)


def _only(names: list[str]) -> str:
    if len(names) != 1:
        raise _Unread
    return names[0]


def _read(condition: str) -> ast.expr:
    """A condition as an expression."""
    for how, sign in _WORDED:
        if found := how.fullmatch(condition):
            return _parsed(f"{found['one']} {sign} {found['other']}")
    if found := _IS.fullmatch(condition):
        return _parsed(f"{found['one']} == {found['other']}")
    if found := _IS_KIND.fullmatch(condition):
        told = _KINDS[found["kind"]] if found["kind"] else f"% {found['by']} == 0"
        sign = "== 0" if found["not"] else "== 1"
        return _parsed(f"({found['one']} {told}) {sign}")
    return _parsed(condition)


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _Unread from error


def _value(tree: ast.AST, args: Mapping[str, Any]) -> Any:
    """The value of an expression over whole numbers; nothing else is computed here."""
    match tree:
        case ast.Constant(int(number)) if abs(number) < 10**9:
            return number
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, args)
        case ast.Name(name) if isinstance(args.get(name), int):
            return args[name]
        case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_value(left, args), _value(right, args))
        case ast.Compare(left, signs, others) if all(type(one) in _OPERATORS for one in signs):
            values = [_value(one, args) for one in (left, *others)]
            pairs = zip(signs, values, values[1:], strict=False)
            return all(_OPERATORS[type(sign)](one, other) for sign, one, other in pairs)
        case ast.BoolOp(sign, values):
            told = [_value(one, args) for one in values]
            return all(told) if isinstance(sign, ast.And) else any(told)
    raise _Unread
