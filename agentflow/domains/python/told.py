"""Whether what is said of a program agrees with it, as far as a look at the code tells.

``It returns `a * b`.``          where the code has no ``a * b``
``The numbers are multiplied.``  where the code multiplies nothing
``The code returns 0.``          where no 0 stands in it
"""

from __future__ import annotations

import ast
import builtins
import re

from agentflow.domains.python import examples
from agentflow.domains.python.source import defines, loads, names_in, tree_of
from agentflow.domains.spelling import lowered, plain

_GIVES = r"(?:(?:return|comput|calculat|output|print|evaluat|yield|giv)\w*(?: to)?|answer is)"
_SPAN = re.compile(rf"(?i)\b{_GIVES} (?:\w+ ){{0,2}}?`(?P<code>[^`\n]{{1,200}})`")
_SAID = r"`?(?P<value>-?\d+(?:\.\d+)?|none|true|false|nothing)`?"
_RETURNS = r"(?:returns?|gives?(?: back)?|yields?|outputs?|prints?|produces?)"
_STOPS = (
    r"(?=[.!,;:)]*\s*$|[,;)] |\s+(?:as|because|for|if|in|instead|on|or|otherwise|since|unless|when"
    r"|where|with|without)\b)"
)
_ALONE = r"(?<![-+*/%] )(?<![\w.\]])"
_RESULTS = (
    re.compile(
        rf"(?:^|(?<!`) ){_RETURNS} (?:only |just )?(?:the )?(?:value |number |constant |integer )?"
        rf"{_SAID}{_STOPS}"
    ),
    re.compile(
        rf"{_ALONE}{_SAID} (?:comes (?:back|out)"
        r"|(?:is|will be|gets) (?:given|output|printed|produced|returned))\b"
    ),
    re.compile(rf"\b(?:outcome|output|result) (?:is|will be) {_SAID}{_STOPS}"),
    re.compile(rf"\bor {_SAID} (?:if|when|where)\b"),
)
"""What says that a value comes of a program, in small letters."""
_ALL = re.compile(r"\b(?:all|any|each|every) (?:calls?|cases?|inputs?|tests?)\b")
_TIMES = re.compile(r"\b(?:twice|(?:two|three|four) times|doubled|tripled)\b")
_RAISES = re.compile(
    r"(?:^|\b(?:calls?|code|function|it|list|program|solution|string|that|this|we|which)|[\]'\"])"
    r" (?:\w+ )?(?:raises?|throws?|(?:ends?|results?) (?:in|with)|leads? to|causes?)"
    r" (?:an? |the )?`?(?P<error>\w*(?:error|exception))\b"
)
NOT = re.compile(
    r"\b(?:alternatively|and not|avoid\w*|cannot|could|discard\w*|drop\w*|exclud\w*|filter\w*|if"
    r"|ignor\w*|in contrast|instead|like|never|no|none|not|otherwise|prevent\w*|rather|reject\w*"
    r"|remov\w*|similar|skip\w*|than|unless|unlike|whether|without|would)\b|n't\b"
)
"""What makes a sentence, or a part of one, say that something is not so, or is elsewhere."""
_MAY_RAISE = {
    "indexerror": {"Subscript", "pop", "index"},
    "keyerror": {"Subscript", "pop", "remove"},
    "valueerror": {"int", "float", "index", "remove"},
    "zerodivisionerror": {"Div", "FloorDiv", "Mod", "divmod"},
}
"""Errors -> what of a program may raise them without saying so."""
_PLACED = re.compile(r"\b(?:check|comparison|condition|expression|test) `(?P<code>[^`\n]{1,200})`")
_ASSIGNED = re.compile(r"`(?P<name>\w+) ?= ?-?(?P<value>\d+)`")
_STARTS = re.compile(r"\b(?:begin\w*|default|initial\w*|set|start\w*)\b")
"""What says that a number is given to a name, and not that it gets to that."""
_NAME = re.compile(r"`(?P<name>[a-z_]\w*)(?:\(\))?`")
_USED = (
    r"(?:return|comput|calculat|implement|us|perform|giv|appl|mak|need|want)\w* (?:\w+ ){0,2}?"
    r"|\bwe |\bfor |\bthe |\bis |\bare |\bgets? |\bthat |\bwhich "
)
_OPERATIONS = {
    r"(?:product(?= of\b|[.!]?\s*$)|multiplication|multiplied|multiplies|multiply)": (
        (ast.Mult, ast.Pow),
        {"mul", "prod", "product", "comb", "factorial", "lcm"},
    ),
    r"(?:difference(?= of\b| between\b|[.!]?\s*$)|subtraction|subtracted|subtracts?)": (
        (ast.Sub, ast.USub),
        {"sub", "difference", "dist", "diff", "timedelta", "subtract"},
    ),
    r"(?:quotient|division|divided|divides?)": (
        (ast.Div, ast.FloorDiv, ast.Mod),
        {"divmod", "gcd", "Fraction", "truediv", "floordiv"},
    ),
    r"(?:negat(?:e|es|ed|ing|ion))": ((ast.USub, ast.Sub, ast.Not, ast.Invert), {"neg", "not_"}),
    r"(?:sum(?= of\b|[.!]?\s*$)|addition)": (
        (ast.Add,),
        {"sum", "fsum", "accumulate", "add", "reduce"},
    ),
    r"(?:(?<=[ent]s the )(?:number|count) of(?! times\b)|counts (?:how|the))": (
        (ast.Add, ast.Sub),
        {"sum", "len", "count", "Counter", "enumerate", "most_common"},
    ),
}
"""Words for an operation -> the signs and the functions by which it is done."""
_SAYS = {words: re.compile(rf"(?i)(?:{_USED})(?:\w+ )?{words}(?!\w)") for words in _OPERATIONS}
_NAMED = re.compile(
    r"\b(?:function|implementation of|called|named|function is) `?(?P<name>[a-z]\w*_\w+)"
)
"""A function that is named."""
_SET = re.compile(
    r"\b(?:set (?:the )?(?:\w+ ){0,2}(?P<name>\w+) to"
    r"|(?:base|default|divisor|limit|modulus|step) (?:must|should) be) (?P<value>\d+)(?![\w.]\d)"
)
"""A number that something in a program is to be."""
_COUNTED = re.compile(
    r"\btakes (?:only )?(?P<count>no|one|two|three|four) (?:argument|parameter)s?\b"
)
_COUNTS = ("no", "one", "two", "three", "four")
NO_CODE = re.compile(r"(?m)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)", re.DOTALL)


def agrees(prose: str, code: str) -> bool:
    """Whether nothing that is said around a program is plainly not so.

    Args:
        prose: What stands around it; blocks of code in it are not read.
    """
    if (tree := tree_of(code)) is None:
        return True
    prose = NO_CODE.sub("\n", prose)
    nodes = list(ast.walk(tree))
    written = "".join(ast.unparse(tree).split())
    for line in examples.literally(prose).split("\n"):
        spans = (
            ()
            if examples.CALLED.search(line) or examples.of_inputs(line, code)
            else _SPAN.finditer(line)
        )
        if any(_is_other(found["code"], written, nodes) for found in spans):
            return False
        if _is_misnamed(line, code, nodes):
            return False
        for sentence in re.split(r"(?<=[.!])\s", plain(line)):
            if not _agrees(sentence, code, tree, nodes, written):
                return False
    return True


def _agrees(sentence: str, code: str, tree: ast.Module, nodes: list[ast.AST], written: str) -> bool:
    """Whether a sentence says nothing of a program that is plainly not so."""
    bare = sentence.replace("`", "")
    tried = examples.CALLED.search(bare) or examples.of_inputs(bare, code)  # it is run
    if not tried and not may_result(sentence, code, tree):
        return False
    low = lowered(bare)
    if any(_SAYS[one].search(low) and not _does(one, nodes) for one in _SAYS):
        return False
    if NOT.search(low):
        return True
    if _TIMES.search(low) and not any(isinstance(one, ast.Mult) for one in nodes):
        return any(_is_result(said, tree) for said in ("2", "3", "4"))
    if _STARTS.search(low) and any(
        not _is_set(one["name"], one["value"], nodes) for one in _ASSIGNED.finditer(sentence)
    ):
        return False
    if any(_is_other(found["code"], written, nodes) for found in _PLACED.finditer(sentence)):
        return False
    names = names_in(tree) | {one.attr for one in nodes if isinstance(one, ast.Attribute)}
    return not any(
        callable(getattr(builtins, one["name"], None)) and one["name"] not in names
        for one in _NAME.finditer(sentence)
    )


def may_result(sentence: str, code: str, tree: ast.Module) -> bool:
    """Whether what a sentence says to come of a program may do so."""
    own = "|".join(map(re.escape, sorted(defines(code)))) or r"(?!)"
    low = lowered(re.sub(rf"`(?:{own})(?:\([^`\n]*\))?`", "it", sentence)).strip(" *-_#>")
    nodes = list(ast.walk(tree))
    found = [one["value"] for how in _RESULTS for one in how.finditer(low)]
    if found and _ALL.search(low):
        return False
    if not all(_is_result(one, tree) for one in found):
        return False
    raised = _RAISES.search(low)
    if raised is None or NOT.search(low[: raised.start("error")].replace("if ", "")):
        return True
    kinds = {type(one).__name__ for one in nodes} | loads(tree)
    return "Raise" in kinds or not kinds.isdisjoint(_MAY_RAISE.get(raised["error"], ()))


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
    minus = [one for one in ast.walk(tree) if isinstance(one, ast.UnaryOp)]
    negative = {id(one.operand) for one in minus if isinstance(one.op, ast.USub)}
    shown = [one for one in ast.walk(tree) if id(one) not in hidden]
    if re.fullmatch(r"-?\d.*", said):
        signed = [one for one in shown if (id(one) in negative) == said.startswith("-")]
        counts = said == "0" and not loads(tree).isdisjoint({"sum", "len", "count", "Counter"})
        return counts or any(_is_constant(one, said.lstrip("-")) for one in signed)
    return _is_returned(said, shown)


def _is_misnamed(line: str, code: str, nodes: list[ast.AST]) -> bool:
    """Whether a line names a function, a number to set, or a count of arguments, that a program
    does not have."""
    if any(not re.search(rf"\b{one['name']}\b", code) for one in _NAMED.finditer(line)):
        return True
    low = line.lower().replace("`", "")
    if any(not _is_set(one["name"], one["value"], nodes) for one in _SET.finditer(low)):
        return True
    name, counted = examples.only(code), _COUNTED.search(low)
    takes = examples.arity(name, nodes)
    if takes is None or counted is None:
        return False
    return _COUNTS.index(counted["count"]) not in takes


def _is_other(span: str, written: str, nodes: list[ast.AST]) -> bool:
    """Whether a piece of code that is said to come out is an expression that no line has."""
    try:
        tree = ast.parse(span.strip().removeprefix("return "), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int | float):
        return not _is_returned(span.strip(), nodes)
    if not isinstance(tree, ast.BinOp | ast.BoolOp | ast.Compare | ast.UnaryOp):
        return False
    return "".join(ast.unparse(tree).split()) not in written


def _is_returned(said: str, nodes: list[ast.AST]) -> bool:
    """Whether a value may be one that a program returns: it, or a calculation, stands in it."""
    low = said.lower()
    if low in ("none", "nothing"):
        returns = [one.value for one in nodes if isinstance(one, ast.Return)]
        return not (returns and all(returns)) or any(_is_constant(one, "None") for one in nodes)
    if low in ("true", "false"):
        return any(isinstance(one, ast.Compare | ast.BoolOp | ast.Call) for one in nodes) or any(
            _is_constant(one, low.capitalize()) for one in nodes
        )
    return any(_is_constant(one, said.lstrip("-")) for one in nodes)


def _is_set(name: str | None, value: str, nodes: list[ast.AST]) -> bool:
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


def _does(operation: str, nodes: list[ast.AST]) -> bool:
    """Whether a program has an operation, or a function that may do it."""
    signs, functions = _OPERATIONS[operation]
    names = {one.id for one in nodes if isinstance(one, ast.Name)}
    names |= {one.attr for one in nodes if isinstance(one, ast.Attribute)}
    names |= {one.name for one in nodes if isinstance(one, ast.alias)}
    modules = {"numpy", "np", "operator", "sympy", "torch", "pandas", "reduce", "eval"}
    return any(isinstance(one, signs) for one in nodes) or not names.isdisjoint(functions | modules)
