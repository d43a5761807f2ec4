"""Whether what is said of a program agrees with it, as far as a look at the code tells.

``It returns `a * b`.``          where the code has no ``a * b``
``The numbers are multiplied.``  where the code multiplies nothing
``The code returns 0.``          where no 0 stands in it
"""

from __future__ import annotations

import ast
import re

from agentflow.domains.python.source import defines, nodes_of, tree_of
from agentflow.domains.spelling import lowered, plain

_GIVES = r"(?:(?:return|comput|calculat|output|print|evaluat|yield|giv)\w*(?: to)?|answer is)"
_SPAN = re.compile(rf"(?i)\b{_GIVES} (?:\w+ ){{0,2}}?`(?P<code>[^`\n]{{1,200}})`")
_LITERAL = re.compile(
    r"(?i)\breturns? (?:only )?(?:the )?(?:value |number |constant )?"
    r"(?P<code>-?\d+(?:\.\d+)?|none|true|false|nothing)[.!]?\s*$"
)
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
}
"""Words for an operation -> the signs and the functions by which it is done."""
_SAYS = {words: re.compile(rf"(?i)(?:{_USED})(?:\w+ )?{words}(?!\w)") for words in _OPERATIONS}
_VALUE = (
    r"-?\d+|True|False|None|'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|\[[^\[\]\n]{0,80}\]|\([^()\n]{1,80}\)"
)
_CALL = r"(?<!\w)[A-Za-z_]\w{0,80}\([^()`\n]{0,100}\)"
_EXAMPLES = (
    re.compile(
        rf"(?P<call>{_CALL})`?,? (?:will |should |correctly )?(?:returns?|gives?|yields?|outputs?"
        r"|evaluates to|is|==|=|->|=>|→|the (?:result|output) (?:is|will be))"
        rf" `?(?P<value>{_VALUE})(?!\w|\.\d)"
    ),
    re.compile(rf"\b(?:result|output|answer) is `?(?P<value>{_VALUE})`? for `?(?P<call>{_CALL})"),
    re.compile(
        rf"(?m)print\((?P<call>{_CALL})\)\s*#\s*(?:(?:expected )?(?:output|result|prints|returns)"
        rf"?:? |[-=]> )?(?P<value>{_VALUE})\s*$"
    ),
)
"""What says of a call what it gives."""
_GIVEN = (
    r"`?(?P<given>\[[^\n`]{0,80}?\]|\{[^\n`]{0,80}?\}|-?\d+|'[^'\n]{0,80}'|\"[^\"\n]{0,80}\")`?"
)
_SHOWN_VALUE = rf"`?(?P<value>{_VALUE}|\{{[^{{}}\n]{{0,80}}\}})`?(?![\w`]|\.\d)"
_WAYS = (
    re.compile(rf"(?m)>>> (?P<call>{_CALL})\s*\n[ \t]*(?P<value>{_VALUE})[ \t]*$"),
    re.compile(
        rf"(?m)^[ \t]*(?P<call>{_CALL})[ \t]*#[ \t]*(?:(?:expected )?(?:output|result|gives|prints"
        rf"|returns):? |[-=]+> )?(?P<value>{_VALUE})[ \t]*$"
    ),
    re.compile(
        rf"(?m)^[ \t]*(?P<name>\w+) = (?P<call>{_CALL})[ \t]*\n[ \t]*print\((?P=name)\)[ \t]*#"
        rf"[ \t]*(?:(?:expected )?(?:output|result|prints|returns):? |[-=]+> )?(?P<value>{_VALUE})"
        r"[ \t]*$"
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
        r"(?:(?:will |should )?(?:returns?|gives?|yields?|outputs?|prints?|produces?)|is|->|=>|→)"
        rf"(?: the (?:output|result))?(?: output)? {_SHOWN_VALUE}"
    ),
    re.compile(rf"(?m)^\s*\|\s*{_GIVEN}\s*\|\s*{_SHOWN_VALUE}\s*\|\s*$"),
    re.compile(
        rf"(?i)\b(?:returns|gives|prints|outputs) {_SHOWN_VALUE}"
        rf" (?:for|on|with) (?:(?:the )?(?:input|list|string|number|value) )?{_GIVEN}(?![\w`])"
    ),
)
"""What tells what comes of an input, of a function that is not named."""
_NAMED = re.compile(
    r"\b(?:function|implementation of|called|named|function is) `?(?P<name>[a-z]\w*_\w+)"
)
"""A function that is named."""
_SET = re.compile(
    r"\b(?:set (?:the )?(?:\w+ ){1,3}to"
    r"|(?:base|default|divisor|limit|modulus|step) (?:must|should) be) (?P<value>\d+)(?![\w.]\d)"
)
"""A number that something in a program is to be."""
_COUNTED = re.compile(
    r"\btakes (?:only )?(?P<count>no|one|two|three|four) (?:argument|parameter)s?\b"
)
_COUNTS = ("no", "one", "two", "three", "four")
_PROGRAM = r"(?:function|code|solution|program|implementation)"
_DOES = re.compile(
    rf"^\W*(?:here(?:['’]s| is) (?:an? |my |the )?(?:\w+ )?{_PROGRAM}|it|this"
    rf"|(?:my|the|this) (?:above |following )?(?:\w+ )?{_PROGRAM}|this is an? (?:\w+ )?{_PROGRAM})?"
    r" ?(?:that |which |takes (?:\w+ ){1,3}and )?"
    r"(?:for|checks? if|(?:calculat|check|comput|count|find|implement"
    r"|read|return|revers|solv|sort)e?s?)\b(?P<what>(?:(?! (?:because|by|if|or|since|using|when"
    r"|where|while)\b)[^.,;:])*)"
)
"""A sentence that says what a program does, up to its conditions."""
_TOPICS = {
    "anagram": "anagram",
    "binary search": "search|bisect",
    "factorial": "factorial",
    "fibonacci": "fib",
    "from a file": "file|path|open",
    "largest": "larg|max|big|great|high|most|long",
    "linked list": "node|link",
    "odd number": "odd",
    "palindrome": "palindrom",
    "prime": "prime",
    "reverses": r"revers|\[::-1\]",
    "smallest": "small|min|least|low|short|close",
    "sorts": "sort|order",
    "string": "str|text|word|char|letter|sentence|name",
    "two-sum": "sum|target",
    "vowel": "vowel|aeiou",
}
"""What programs are said to be for -> what a task, or a program, of that kind speaks of."""
_OF = "# it is for: "
_CALLED = re.compile(_CALL)
_MOST = 20
_NO_CODE = re.compile(r"(?m)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)", re.DOTALL)


def agrees(prose: str, code: str) -> bool:
    """Whether nothing that is said around a program is plainly not so.

    Args:
        prose: What stands around it; blocks of code in it are not read.
    """
    if (tree := tree_of(code)) is None:
        return True
    prose = _NO_CODE.sub("\n", prose)
    nodes = list(ast.walk(tree))
    written = "".join(ast.unparse(tree).split())
    for line in prose.split("\n"):
        spans = () if _CALLED.search(line) or of_inputs(line, code) else _SPAN.finditer(line)
        if any(_is_other(found["code"], written, nodes) for found in spans):
            return False
        if _is_misnamed(line, code, nodes):
            return False
        for sentence in re.split(r"(?<=[.!])\s", plain(line).replace("`", "")):
            tried = _CALLED.search(sentence) or of_inputs(sentence, code)  # it is run
            said = None if tried else _LITERAL.search(sentence.strip(" *-"))
            if said and not _is_returned(said["code"], nodes):
                return False
            if any(_SAYS[one].search(lowered(sentence)) and not _does(one, nodes) for one in _SAYS):
                return False
    return True


def examples(text: str, names: set[str]) -> list[str]:
    """What a text says that calls of functions give, as assertions; decimals may be rounded, and
    are left out."""
    found = dict[str, None]()
    for pattern in (*_EXAMPLES, *_WAYS):
        for one in pattern.finditer(text):
            said = f"assert {one['call']} == {one['value']}"
            if one["call"].partition("(")[0] in names and _is_plain(one["call"], one["value"]):
                found[said] = None
    return list(found)[:_MOST]


def _is_misnamed(line: str, code: str, nodes: list[ast.AST]) -> bool:
    """Whether a line names a function, a number to set, or a count of arguments, that a program
    does not have."""
    if any(not re.search(rf"\b{one['name']}\b", code) for one in _NAMED.finditer(line)):
        return True
    low = line.lower().replace("`", "")
    if any(not _is_returned(one["value"], nodes) for one in _SET.finditer(low)):
        return True
    name, counted = _only(code), _COUNTED.search(low)
    own = [one.args for one in nodes if isinstance(one, ast.FunctionDef) and one.name == name]
    if not own or counted is None or own[-1].vararg or own[-1].kwonlyargs:
        return False
    most = len(own[-1].args) + len(own[-1].posonlyargs)
    return not most - len(own[-1].defaults) <= _COUNTS.index(counted["count"]) <= most


def topics(prose: str, code: str) -> list[str]:
    """What a text says that a program is for, where nothing in the code speaks of it, as comments
    for :func:`is_for_another`."""
    low = code.lower()
    said = " ".join(
        found[0]
        for line in prose.split("\n")
        for one in re.split(r"(?<=[.!])\s", lowered(plain(line)).replace("`", ""))
        if (found := _DOES.match(one))
    )
    return [f"{_OF}{one}" for one, of in _TOPICS.items() if one in said and not re.search(of, low)]


def is_for_another(code: str, ask: str) -> str:
    """What a program is said to be for that its task does not speak of; empty without that."""
    named = [line.partition(_OF)[2] for line in code.split("\n") if line.startswith(_OF)]
    off = (
        one
        for one in named
        for key, of in _TOPICS.items()
        if one.startswith(key + " ") and not re.search(of, ask.lower())
    )
    return next(off, "").partition("  #")[0]


def of_inputs(prose: str, code: str) -> list[str]:
    """What a text says that comes of inputs, as assertions on the one function of a program; none
    where it has several, or a class.

    ``For `[-2, -4]` it returns -1.``, ``| `[]` | `0` |``
    """
    if not (name := _only(code)):
        return []
    found = dict[str, None]()
    for pattern in _INPUTS:
        for one in pattern.finditer(prose):
            call = f"{name}({one['given']})"
            if _is_plain(call, one["value"]):
                found[f"assert {call} == {one['value']}"] = None
    return list(found)[:_MOST]


def _only(code: str) -> str:
    """The name of the one function that a program has; else nothing."""
    names = defines(code)
    is_class = any(isinstance(one, ast.ClassDef) for one in nodes_of(code))
    return "" if is_class or len(names) != 1 else names.pop()


def _is_plain(call: str, value: str) -> bool:
    """Whether a call has literals alone, and gives one."""
    try:
        tree = ast.parse(call, mode="eval").body
        given = tree.args if isinstance(tree, ast.Call) and not tree.keywords else [tree]
        for one in (*given, ast.parse(value, mode="eval").body):
            ast.literal_eval(one)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


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
