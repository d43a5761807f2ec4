"""Whether what is said of a program agrees with it, as far as a look at the code tells.

``It returns `a * b`.``            where the code has no ``a * b``
``The code returns 0.``            where no 0 can come of it
``It takes three arguments.``      where it takes two
"""

from __future__ import annotations

import ast
import builtins
import re

from agentflow.domains.python import examples
from agentflow.domains.python.source import defines, loads, nodes_of, tree_of
from agentflow.domains.spelling import lowered, plain

_SPAN = re.compile(
    r"(?i)\b(?:(?:return|comput|calculat|output|print|evaluat|yield|giv)\w*(?: to)?|answer is|check"
    r"|comparison|condition|expression|test) (?:\w+ ){0,2}?`(?P<code>[^`\n]{1,200})`"
)
"""An expression that is said to stand in a program."""
_SAID = r"`?(?P<value>-?\d+(?:\.\d+)?|none|true|false|nothing)`?"
_RETURNS = r"(?:returns?|gives?(?: back)?|yields?|outputs?|prints?|produces?)"
_STOPS = (
    r"(?=[.!,;:)]*\s*$|[,;)] |\s+(?:as|because|for|if|in|instead|on|or|otherwise|since|unless|when"
    r"|where|with|without)\b)"
)
_RESULTS = (
    re.compile(
        rf"(?:^|(?<!`) ){_RETURNS} (?:only |just )?(?:the )?(?:value |number |constant |integer )?"
        rf"{_SAID}{_STOPS}"
    ),
    re.compile(
        rf"(?<![-+*/%] )(?<![\w.\]]){_SAID} (?:comes (?:back|out)"
        r"|(?:is|will be|gets) (?:given|output|printed|produced|returned))\b"
    ),
    re.compile(rf"\b(?:outcome|output|result) (?:is|will be) {_SAID}{_STOPS}"),
    re.compile(rf"\bor {_SAID} (?:if|when|where)\b"),
)
"""What says that a value comes of a program, in small letters."""
_SET = re.compile(rf"\bset\w* the default(?: \w+)? to {_SAID}{_STOPS}")
_ALL = re.compile(r"\b(?:all|any|each|every) (?:calls?|cases?|inputs?|tests?)\b")
_RAISES = re.compile(
    r"\b(?:raises?|throws?|(?:ends?|results?) (?:in|with)|leads? to|causes?)"
    r" (?:an? |the )?`?(?P<error>\w*(?:error|exception))\b"
)
_NOT = re.compile(
    r"\b(?:alternatively|avoid\w*|cannot|could|if|instead|like|never|no|none|not|otherwise"
    r"|prevent\w*|rather|than|unless|unlike|whether|without|would)\b|n't\b"
)
"""What makes a sentence, or a part of one, say that something is not so, or is elsewhere."""
_MAY_RAISE = {
    "indexerror": {"Subscript", "pop", "index"},
    "keyerror": {"Subscript", "pop", "remove"},
    "valueerror": {"int", "float", "index", "remove"},
    "zerodivisionerror": {"Div", "FloorDiv", "Mod", "divmod"},
}
"""Errors -> what of a program may raise them without saying so."""
_STARTS = re.compile(
    r"(?i)\b(?:begin\w*|default|initial\w*|start\w*)\b.*`(?P<name>\w+) ?= ?-?(?P<value>\d+)`"
    r"|\b(?:set (?:the )?(?:\w+ ){0,2}(?P<named>\w+) to"
    r"|(?:base|default|divisor|limit|modulus|step) (?:must|should) be) (?P<number>\d+)(?![\w.]\d)"
)
"""A number that something in a program is given."""
_NAME = re.compile(r"`(?P<name>[a-z_]\w*)(?:\(\))?`")
_NAMED = re.compile(
    r"\b(?:function|implementation of|called|named|function is) `?(?P<name>[a-z]\w*_\w+)"
)
"""A function that is named."""
_COUNTED = re.compile(
    r"\btakes (?:only )?(?P<count>no|one|two|three|four) (?:argument|parameter)s?\b"
)
_COUNTS = ("no", "one", "two", "three", "four")
_BLOCK = re.compile(r"(?m)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)", re.DOTALL)


def agrees(prose: str, code: str) -> bool:
    """Whether nothing that is said around a program is plainly not so.

    Args:
        prose: What stands around it; blocks of code in it are not read.
    """
    if (tree := tree_of(code)) is None:
        return True
    text = examples.literally(_BLOCK.sub("\n", prose))
    return all(_agrees(one, code, tree) for one in _sentences(text))


def of_task(notes: str, code: str, ask: str) -> bool:
    """Whether what stands in a program agrees with it, but for what its task says, too."""
    asked = " ".join(lowered(ask).split())
    said = (one for one in _sentences(notes) if lowered(one).strip(" `.!") not in asked)
    tree = tree_of(code)
    return tree is None or all(_may_result(one, code, tree) for one in said)


def _sentences(text: str) -> list[str]:
    return [one for line in plain(text).split("\n") for one in re.split(r"(?<=[.!])\s", line)]


def _agrees(sentence: str, code: str, tree: ast.Module) -> bool:
    """Whether a sentence says nothing of a program that is plainly not so."""
    if not (_fits(sentence, code, tree) and _may_result(sentence, code, tree)):
        return False
    if _NOT.search(lowered(sentence)):
        return True
    names = loads(tree)
    return not any(
        callable(getattr(builtins, one["name"], None)) and one["name"] not in names
        for one in _NAME.finditer(sentence)
    )


def _fits(sentence: str, code: str, tree: ast.Module) -> bool:
    """Whether a program has the expressions, the function, the numbers and the parameters that a
    sentence says it has."""
    nodes, name = nodes_of(code), examples.only(code)
    takes, counted = examples.arity(name, nodes), _COUNTED.search(sentence)
    if takes is not None and counted and _COUNTS.index(counted["count"]) not in takes:
        return False
    if any(not re.search(rf"\b{one['name']}\b", code) for one in _NAMED.finditer(sentence)):
        return False
    starts = _STARTS.search(sentence)
    if starts and not _is_given(
        starts["name"] or starts["named"], starts["value"] or starts["number"], nodes
    ):
        return False
    return _is_run(sentence, code) or all(
        _stands(one["code"], tree) for one in _SPAN.finditer(sentence)
    )


def _is_run(sentence: str, code: str) -> bool:
    """Whether what a sentence says of a program is run."""
    bare = sentence.replace("`", "")
    return bool(examples.CALLED.search(bare) or examples.of_inputs(bare, code))


def _may_result(sentence: str, code: str, tree: ast.Module) -> bool:
    """Whether what a sentence says to come of a program may do so."""
    if _is_run(sentence, code):
        return True
    own = "|".join(map(re.escape, sorted(defines(code)))) or r"(?!)"
    low = lowered(re.sub(rf"`(?:{own})(?:\([^`\n]*\))?`", "it", sentence)).strip(" *-_#>")
    found = [one["value"] for how in _RESULTS for one in how.finditer(low)]
    if found and (_ALL.search(low) or not all(_is_result(one, tree) for one in found)):
        return False
    raised = _RAISES.search(low)
    if raised is None or _NOT.search(low[: raised.start("error")].replace("if ", "")):
        return True
    kinds = {type(one).__name__ for one in ast.walk(tree)} | loads(tree)
    return "Raise" in kinds or not kinds.isdisjoint(_MAY_RAISE.get(raised["error"], ()))


def without_results(sentence: str, code: str) -> str:
    """A sentence, in small letters, without the numbers that it says to come of a program, where no
    other number can, and without those that are given to a name there."""
    if (tree := tree_of(code)) is None:
        return sentence
    nodes = nodes_of(code)
    numbers = [one.value for one in nodes if isinstance(one, ast.Constant)]
    written = {f"{sign}{one}" for one in numbers if type(one) is int for sign in ("", "-")}
    results = {one for one in written | {"0", "1"} if _is_result(one, tree)}
    starts = _STARTS.search(sentence)
    if starts and _fits(sentence, code, tree):
        sentence = sentence.replace(starts[0], "start")
    for how in (*_RESULTS, _SET):
        for one in how.finditer(sentence):
            if {one["value"]} == results:
                sentence = sentence.replace(one[0], " return ", 1)
    return sentence


def _is_result(said: str, tree: ast.Module) -> bool:
    """Whether a value may be one that comes of a program: not one that it only compares with."""
    hidden = set[int]()
    for one in ast.walk(tree):
        match one:
            case ast.Compare(left=left, comparators=others):
                hidden |= {id(part) for part in (left, *others)}
            case ast.BinOp(op=ast.Mod(), right=right):
                hidden.add(id(right))
            case ast.Subscript(slice=place):
                hidden.add(id(place))
    shown = [one for one in ast.walk(tree) if id(one) not in hidden]
    minus = {id(one.operand) for one in shown if isinstance(one, ast.UnaryOp)}
    if said in ("none", "nothing"):
        returns = [one.value for one in shown if isinstance(one, ast.Return)]
        return not (returns and all(returns)) or any(_is_constant(one, "None") for one in shown)
    if said in ("true", "false"):
        kinds = (ast.Compare, ast.BoolOp, ast.Call)
        return any(isinstance(one, kinds) or _is_constant(one, said.title()) for one in shown)
    counts = said == "0" and not loads(tree).isdisjoint({"sum", "len", "count", "Counter"})
    negative = said.startswith("-")
    return counts or any(
        _is_constant(one, said.lstrip("-")) and (id(one) in minus) is negative for one in shown
    )


def _stands(span: str, tree: ast.Module) -> bool:
    """Whether a piece of code that is said to come out is no expression that a program lacks."""
    try:
        said = ast.parse(span.strip().removeprefix("return "), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    kinds = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp)
    if isinstance(said, ast.Constant) and isinstance(said.value, int | float):
        return any(_is_constant(one, repr(said.value)) for one in ast.walk(tree))
    return not isinstance(said, kinds) or ast.unparse(said) in ast.unparse(tree)


def _is_given(name: str | None, value: str, nodes: list[ast.AST]) -> bool:
    """Whether a program has a number, where it is given to a name, if it has that name."""
    given = [one.value for one in nodes if isinstance(one, ast.keyword) and one.arg == name]
    for one in nodes:
        match one:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                pairs = list(zip(targets, values, strict=False))
            case ast.Assign([target], assigned):
                pairs = [(target, assigned)]
            case _:
                pairs = []
        given += [it for target, it in pairs if ast.unparse(target) == name]
    inner = [part for one in given for part in ast.walk(one)]
    return any(_is_constant(one, value) for one in inner or nodes)


def _is_constant(node: ast.AST, said: str) -> bool:
    return isinstance(node, ast.Constant) and repr(node.value) == said
