"""Words for what stands in a program: ``sort`` for ``sorted``, ``remainder`` for ``%``."""

from __future__ import annotations

import ast
import re

from agentflow.domains.python import complexity
from agentflow.domains.python.source import loads, nodes_of
from agentflow.domains.spelling import LETTERS

WORDS_FOR: tuple[tuple[type[ast.AST], str], ...] = (
    (ast.Add, "add addition sum total plus concatenate combine append join increment increase"),
    (ast.Sub, "subtract subtraction difference minus decrement decrease before previous"),
    (ast.Mult, "multiply multiplication product time double triple square repeat"),
    (ast.Pow, "power square cube exponent root raise"),
    (ast.Div, "divide division quotient ratio half halve average mean"),
    (ast.FloorDiv, "divide division quotient half halve floor integer remove drop middle binary"),
    (ast.Mod, "remainder modulo modulus divisible divisibility even odd multiple last digit mod"),
    (ast.Gt, "compare comparison great large exceed big high more above positive"),
    (
        ast.GtE,
        "compare comparison great large exceed big high more above least negative orequalabove",
    ),
    (ast.Lt, "compare comparison less small below low negative"),
    (ast.LtE, "compare comparison less small below low most positive orequalbelow"),
    (ast.Eq, "compare comparison equal match same"),
    (ast.NotEq, "compare comparison equal match different differ not other"),
    (ast.In, "membership member belong contain in among appear"),
    (ast.NotIn, "membership member belong contain already yet skip met before new first"),
    (ast.Not, "not empty negate"),
    *((ast.And, "both and"), (ast.Or, "either or any"), (ast.USub, "negative minus negate")),
    (
        ast.For,
        "each iterate iterative element loop every all one over round iteration pass after so far",
    ),
    (
        ast.While,
        "each iterate iterative loop repeat until round iteration keep go all continue end stop",
    ),
    (ast.comprehension, "each iterate element loop every all one over generator"),
    (ast.ListComp, "list comprehension"),
    (ast.GeneratorExp, "generator"),
    (ast.If, "condition case otherwise else check branch handle skip keep kept only base"),
    (ast.IfExp, "condition conditional case otherwise else check ternary"),
    (ast.Continue, "skip ignore"),
    (ast.Break, "stop end exit early"),
    (ast.Slice, "slice part sublist substring piece most short"),
    (ast.Subscript, "index access element position"),
    (ast.Dict, "dictionary map mapping hash key value pair lookup look"),
    (ast.DictComp, "dictionary map mapping hash key value pair lookup"),
    *((one, "set unique distinct duplicate") for one in (ast.Set, ast.SetComp)),
    *((ast.List, "list collect hold"), (ast.Tuple, "tuple pair"), (ast.Lambda, "lambda anonymous")),
    (ast.AugAssign, "accumulate accumulator running update total keep track"),
    (ast.Assign, "set variable start track keep hold begin initial replace become base"),
    (ast.keyword, "set default argument"),
    (ast.Raise, "raise error exception message"),
    (ast.Try, "error exception catch"),
)
"""What stands in a program -> words for it."""
NAMES = {
    "len": "length size long count empty",
    "sum": "sum total add count",
    "max": "maximum maxima large great big high",
    "min": "minimum minima small less low",
    **dict.fromkeys(("sorted", "sort"), "sort order ascend increase arrange"),
    "reverse": "reverse descend decrease backward order",
    "reversed": "reverse backward order",
    "set": "set unique distinct duplicate remove drop lookup seen",
    "add": "add insert seen",
    "dict": "dictionary map key value",
    "Counter": "count frequency occurrence dictionary often",
    "count": "count occurrence often frequency",
    "get": "dictionary default lookup look",
    "range": "range step up from number",
    "enumerate": "index position pair",
    "zip": "pair together corresponding",
    "abs": "absolute difference distance",
    "int": "integer convert conversion whole",
    "float": "convert decimal",
    "str": "string convert text digit",
    "list": "list convert",
    "map": "map convert apply each all every number integer",
    "filter": "filter keep",
    "join": "join concatenate combine space string together",
    "split": "split space word whitespace separate",
    "strip": "strip trim whitespace remove space",
    "replace": "replace remove substitute drop ignore",
    "lower": "lowercase lower-case case insensitive ignore convert lower small",
    "upper": "uppercase upper-case case convert upper capital",
    "islower": "lowercase lower-case case lower small",
    "isupper": "uppercase upper-case case upper capital",
    "swapcase": "swap flip case upper lower uppercase lowercase vice versa turn",
    "casefold": "lowercase case insensitive ignore",
    "isalpha": "alphabetic letter",
    "isalnum": "alphanumeric punctuation letter digit ignore filter",
    "isdigit": "digit numeric",
    "append": "append add collect insert end push build",
    **dict.fromkeys(("extend", "insert"), "extend insert add"),
    "pop": "pop remove last top",
    **dict.fromkeys(("input", "stdin"), "read input ask standard line"),
    "print": "print output show display write",
    **{"all": "all every whether", "any": "any whether", "deque": "queue", "heapq": "heap"},
    "gcd": "great common divisor",
    "ValueError": "invalid raise error",
}
"""Functions and methods of a program -> words for what they do."""
_FILTER = "filter keep kept skip ignore drop remove"
_RECURSION = "recursion recursive recursively recurse itself base end"
_CACHE = "cache cached memoise memoize memoised memoization memo store once"
_POINTERS = "pointer toward move inward inwards meet end side opposite both"
_EARLY = "stop end early soon immediately exit any match"
_SWAP = "swap exchange place"
_DOWN = "backward downward down reverse descend decrease end last"
_MIRROR = "first second mirror mirrored image half end opposite corresponding counterpart"


ALL = (
    *(words for _, words in WORDS_FOR),
    *NAMES.values(),
    *(_RECURSION, _CACHE, _POINTERS, _MIRROR),
)
"""Words that go with some programs."""
_ALSO: tuple[tuple[type[ast.AST], str], ...] = (
    (ast.Mod, "divide divisor factor"),
    (ast.Add, "append extend prepend insert end build construct"),
    (ast.AugAssign, "count counter increment"),
    (ast.In, "search find found occurrence match any"),
    (ast.Eq, "match find correspond"),
    (ast.Slice, "extract front prefix suffix move portion remove exclude except"),
    (ast.Subscript, "retrieve extract access lookup table"),
    (ast.Dict, "collection count counter"),
    (ast.DictComp, "collection build construct"),
    (ast.For, "scan search collect"),
    (ast.comprehension, "collect select scan build construct extract add include"),
    (ast.If, "depend select"),
)
"""The same, of words that are no claim where nothing of the kind is there."""
_ALSO_NAMES = {
    "round": "round nearest close half",
    "bin": "binary prefix remove strip",
    **dict.fromkeys(("find", "index"), "search find occurrence first"),
    **dict.fromkeys(("copy", "deepcopy"), "copy original modify"),
    **dict.fromkeys(("sqrt", "isqrt"), "square root perfect"),
    **dict.fromkeys(("ord", "chr"), "ascii code alphabet shift"),
    **dict.fromkeys(("max", "min"), "select pick choose among"),
    **dict.fromkeys(("heapq", "heappush", "nlargest", "nsmallest"), "priority queue"),
    **dict.fromkeys(("append", "extend"), "append build construct"),
    "re": "regular expression regex match find occurrence capture group quantifier replace search",
    "isinstance": "instance exclude include boolean",
    "bool": "boolean",
    "zip": "select simultaneous",
    "items": "key value pair collection",
    "split": "tokenize token multiple individual",
    "Fraction": "fraction numerator denominator simplify",
    "dp": "dynamic programming subproblem recurrence state",
    "set": "different",
    "counts": "count",
    "math": "math constant",
    "int": "boolean truncate",
}


def words(code: str) -> list[str]:
    """The words that go with a program, and it itself."""
    nodes = nodes_of(code)
    said = [code]
    said += [words for kind, words in WORDS_FOR if any(isinstance(one, kind) for one in nodes)]
    said += [words for kind, words in _ALSO if any(isinstance(one, kind) for one in nodes)]
    names = set(LETTERS.findall(code))
    said += [
        words for table in (NAMES, _ALSO_NAMES) for name, words in table.items() if name in names
    ]
    places = [ast.unparse(one.slice) for one in nodes if isinstance(one, ast.Subscript)]
    said += ["last end"] * any(one.startswith("-") for one in places)
    said += ["first start begin"] * ("0" in places)
    said += ["reverse backward"] * ("::-1" in places)
    return [*said, *_ways(nodes)]


def _ways(nodes: list[ast.AST]) -> list[str]:
    """Words for the ways in which a program works, of those that are seen in several places."""
    found = []
    if any(isinstance(one, ast.comprehension) and one.ifs for one in nodes):
        found.append(_FILTER)
    if complexity.calls_itself(nodes):
        found.append(_RECURSION)
    loops = [
        part for one in nodes if isinstance(one, ast.For | ast.While) for part in ast.walk(one)
    ]
    if any(isinstance(one, ast.Return | ast.Break) for one in loops):
        found.append(_EARLY)
    if any(map(_swaps, nodes)):
        found.append(_SWAP)
    if any(map(_goes_down, nodes)):
        found.append(_DOWN)
    names = {name.lower() for one in nodes for name in loads(one)} if nodes else set()
    if any(one in name for name in names for one in ("cache", "memo")):
        found.append(_CACHE)
    steps = [one for one in nodes if isinstance(one, ast.AugAssign)]
    signs = {type(one.op) for one in steps if isinstance(one.target, ast.Name)}
    pairs = [one for one in nodes if isinstance(one, ast.While | ast.For)]
    if pairs and {ast.Add, ast.Sub} <= signs:
        found.append(_POINTERS)
    tests = [one.test for one in nodes if isinstance(one, ast.While)]
    if any(isinstance(part, ast.Lt) for one in tests for part in ast.walk(one)):
        found.append("untilabove")
    if any(map(reaches, nodes)):
        found.append("inclusive inclusively")
    places = {ast.unparse(one.slice) for one in nodes if isinstance(one, ast.Subscript)}
    if any(re.search(r"- 1 - \w|-\w+ - 1|- \w+ - 1|~\w", one) for one in places):
        found.append(_MIRROR)
    return found


def _swaps(node: ast.AST) -> bool:
    """Whether two things change places: ``a, b = b, a``."""
    match node:
        case ast.Assign([ast.Tuple(one)], ast.Tuple(other)):
            return [ast.unparse(it) for it in one] == [ast.unparse(it) for it in reversed(other)]
    return False


def reaches(node: ast.AST) -> bool:
    """Whether a range has its end in it: ``range(1, n + 1)``."""
    match node:
        case ast.Call(ast.Name("range"), [*_, ast.BinOp(op=ast.Add(), right=ast.Constant(1))]):
            return True
        case ast.Call(ast.Name("range"), [_, ast.BinOp(op=ast.Add(), right=ast.Constant(1)), _]):
            return True
    return False


def _goes_down(node: ast.AST) -> bool:
    """Whether a range has a negative step."""
    match node:
        case ast.Call(ast.Name("range"), [_, _, ast.UnaryOp(ast.USub())]):
            return True
    return False
