"""What a text says that comes of a program, as assertions, which are run.

``add(1, 2)  # 3``, ``For `[-2, -4]` it returns -1.``, ``| `[]` | `0` |``
"""

from __future__ import annotations

import ast
import re

from agentflow.domains.python import source
from agentflow.domains.python.source import defines, nodes_of
from agentflow.domains.spelling import NUMBERS, number

_INNER = r"(?:[^\[\]{}()\n]|\[[^\[\]\n]{0,40}\]|\([^()\n]{0,40}\)|\{[^{}\n]{0,40}\}){0,80}"
_VALUE = (
    r"-?\d+|True|False|None|'[^'\n]{0,80}'|\"[^\"\n]{0,80}\""
    rf"|\[{_INNER}\]|\((?!\)){_INNER}\)|\{{{_INNER}\}}"
)
_CALL = r"(?<!\w)[A-Za-z_]\w{0,80}\((?:[^()`\n]|\([^()`\n]{0,60}\)){0,100}\)"
_EXAMPLES = (
    re.compile(
        rf"(?P<call>{_CALL})`?,? (?:will |would |should |correctly )?(?:returns?|gives?|yields?"
        r"|outputs?|evaluates to|is|==|=|->|=>|→|the (?:result|output) (?:is|will be))"
        rf" `?(?P<value>{_VALUE})(?!\w|\.\d| ?[·×*/+%^-] ?\d)"
    ),
    re.compile(rf"\b(?:result|output|answer) is `?(?P<value>{_VALUE})`? for `?(?P<call>{_CALL})"),
    re.compile(
        rf"(?m)print\((?P<call>{_CALL})\)\s*#\s*(?:(?i:(?:expected )?(?:output|result|prints"
        rf"|returns)):? |[-=]> )?(?P<value>{_VALUE})\s*$"
    ),
)
"""What says of a call what it gives."""
_GIVEN = (
    r"(?:`?(?P<to>\w+)`? ?(?:=|being|equal to) ?)?`?(?P<given>\[[^\n`]{0,80}?\]|\{[^\n`]{0,80}?\}"
    r"|-?\d+(?:(?:, | and |, and )-?\d+)*|'[^'\n]{0,80}'|\"[^\"\n]{0,80}\")`?"
)
_SEVERAL = re.compile(r",? and ")
_DIGITS = re.compile(r"[-\d, ]+")
_EMPTY = {
    re.compile(rf"(?i){how}"): before + value
    for noun, value in (("(?:list|array)", "[]"), ("(?:string|text)", "''"))
    for how, before in (
        (rf"(?:\b(?:an?|the) |\b)empty {noun}s?\b", ""),
        (rf"\b(?:if|when) (?:the )?(?:input |given )?{noun} is empty\b", "for "),
    )
}
"""Values that are told in words -> their literals."""
_WORDED = re.compile(
    r"(?i)(?P<verb>\b(?:returns?|gives?|yields?|prints?|outputs?|produces?|is|are|for|input) |\b)"
    rf"(?P<minus>minus )?(?P<said>{'|'.join(NUMBERS)})"
    r"(?=[.,;!]|\s*$| (?:for|when|if|on|with|comes|instead|(?:is|are|gets) (?:returned|printed))\b)"
)
_SHOWN_VALUE = rf"`?(?P<value>{_VALUE})`?(?![\w`]|\.\d)"
_WAYS = (
    re.compile(rf"(?m)>>> (?P<call>{_CALL})\s*\n[ \t]*(?P<value>{_VALUE})[ \t]*$"),
    re.compile(
        rf"(?m)^[ \t]*(?P<call>{_CALL})[ \t]*#[ \t]*(?:(?i:(?:expected )?(?:output|result|gives"
        rf"|prints|returns)):? |[-=]+> )?(?P<value>{_VALUE})[ \t]*$"
    ),
    re.compile(
        rf"(?m)^[ \t]*print\((?P<call>{_CALL})\)[ \t]*\n\s*(?:```|~~~)\s*\n\W*output:?\W*?\n\s*"
        rf"(?:```|~~~)\w*\n(?P<value>{_VALUE})\s*\n\s*(?:```|~~~)",
        re.IGNORECASE,
    ),
)
"""What shows in a block, or in a docstring, what a call gives."""
_INPUTS = (
    re.compile(
        rf"(?i)\b(?:(?:for|with|given|calling it with|if \w+ is|(?:the )?input)"
        rf"(?: the (?:input|list|string|number|value))?:?) {_GIVEN}"
        r",? (?:(?:it|this|we|the (?:code|function|program|result|output|outcome))\b,? )?"
        r"(?:\w+ly )?"
        r"(?:(?:will |should )?(?:returns?|gets?|gives?|yields?|outputs?|prints?|produces?)"
        r"|is|->|=>|→)"
        rf"(?: the (?:output|result))?(?: output)? {_SHOWN_VALUE}"
    ),
    re.compile(rf"(?m)(?:^[\W_]*?|[.,;:] ){_GIVEN} (?:returns|gives|yields) {_SHOWN_VALUE}"),
    re.compile(rf"(?m)^\s*\|\s*{_GIVEN}\s*\|\s*{_SHOWN_VALUE}\s*\|\s*$"),
    re.compile(
        rf"(?i)\b(?:returns|gives|prints|outputs) {_SHOWN_VALUE}"
        r" (?:for|on|with|when given|if given|given)"
        rf" (?:(?:the )?(?:input|list|string|number|value) )?{_GIVEN}(?![\w`])"
    ),
)
"""What tells what comes of an input, of a function that is not named."""
_LINE = r":[ \t*_]*\n?(?:```\w*\n)?[ \t]*`?"
_PAIR = re.compile(
    rf"(?im)^[ \t*_#>-]*(?:sample )?input[ \d]*{_LINE}(?P<given>[^`\n]+)`?\s*"
    rf"(?:\n```)?\n+[ \t*_#>-]*(?:sample )?output[ \d]*{_LINE}(?P<value>[^`\n]+)"
)
"""An input with its output, each of one line."""
CALLED = re.compile(_CALL)
_MOST = 20


def of_calls(text: str, names: set[str]) -> list[str]:
    """What a text says that calls of functions give, as assertions; decimals may be rounded, and
    are left out."""
    found = dict[str, None]()
    for pattern in (*_EXAMPLES, *_WAYS):
        for one in pattern.finditer(text):
            said = f"assert {one['call']} == {one['value']}"
            if one["call"].partition("(")[0] in names and is_plain(one["call"], one["value"]):
                found[said] = None
    return list(found)[:_MOST]


def of_inputs(prose: str, code: str) -> list[str]:
    """What a text says that comes of inputs, as assertions on the one function of a program; none
    where it has several, or a class.

    ``For `[-2, -4]` it returns -1.``, ``| `[]` | `0` |``
    """
    name, reads = only(code), source.reads(code)
    if not (name or reads):
        return []
    nodes = nodes_of(code)
    takes = arity(name, nodes)
    most = takes[-1] if takes else None
    found = dict[str, None]()
    names = {one.arg for one in nodes if isinstance(one, ast.arg)} | {None}
    pairs = [(one["given"].strip(), one["value"].strip()) for one in _PAIR.finditer(prose)]
    if reads:
        found |= {f"assert {source.PRINTED}({one!r}) == {other!r}": None for one, other in pairs}
    elif most == 1:
        found |= {
            f"assert {name}({one}) == {other}": None for one, other in pairs if is_plain(one, other)
        }
    told = [one for pattern in _INPUTS for one in pattern.finditer(literally(prose))]
    for one in (one for one in told if one.groupdict().get("to") in names):
        given, value = _SEVERAL.sub(", ", one["given"]), one["value"]
        parts = given.split(", ") if _DIGITS.fullmatch(given) else [given]
        if reads:
            calls = [f"{source.PRINTED}({given})"] if len(parts) == 1 else []
        elif len(parts) == most:
            calls = [f"{name}({given})"]
        else:
            calls = [f"{name}({part})" for part in parts] if most in (1, None) else []
        for call in calls:
            if is_plain(call, value):
                found[f"assert {call} == {value}"] = None
    return list(found)[:_MOST]


def literally(text: str) -> str:
    """A text in which values that are told in words stand as literals."""
    for how, value in _EMPTY.items():
        text = how.sub(value, text)
    return _WORDED.sub(_digits, text)


def _digits(worded: re.Match[str]) -> str:
    return worded["verb"] + "-" * bool(worded["minus"]) + str(number(worded["said"].lower()))


def arity(name: str, nodes: list[ast.AST]) -> range | None:
    """How many arguments a function takes; None where nobody can tell."""
    own = [one.args for one in nodes if isinstance(one, ast.FunctionDef) and one.name == name]
    if not own or own[-1].vararg or own[-1].kwonlyargs:
        return None
    most = len(own[-1].args) + len(own[-1].posonlyargs)
    return range(most - len(own[-1].defaults), most + 1)


def only(code: str) -> str:
    """The name of the one function that a program has; else nothing."""
    names = defines(code)
    is_class = any(isinstance(one, ast.ClassDef) for one in nodes_of(code))
    return "" if is_class or len(names) != 1 else names.pop()


def is_plain(call: str, value: str = "None") -> bool:
    """Whether a call has literals alone, and gives one."""
    try:
        tree = ast.parse(call, mode="eval").body
        given = tree.args if isinstance(tree, ast.Call) and not tree.keywords else [tree]
        for one in (*given, ast.parse(value, mode="eval").body):
            ast.literal_eval(one)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
