"""Whether what is said of a program has only words that go with it and with its task.

``It keeps the first of each.``   goes with ``seen``, ``if one not in seen`` and a task that says so
``It keeps the last of each.``    is strange: neither the code nor the task has a last one
``The list is not sorted.``       is strange where the code sorts: a denial of what it does

A word goes with a program where it is a name in it, or a word for what it does; with a task where
it stands there. The others may only tell how one goes about a program (:data:`_STOCK`).
"""

from __future__ import annotations

import ast
import re
from itertools import product
from typing import NamedTuple

from agentflow.domains import narration
from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.python import claims, complexity, facts
from agentflow.domains.python.source import code_alone, loads, nodes_of
from agentflow.domains.spelling import LETTERS, NUMBERS, plain, stem, word_set

_STOCK = word_set("""
    above absolutely accept account achieve algorithm allow alternative alternatively amount
    applied apply approach args argument array assign attempt avoid being below block body bound
    boundary brute built but call can case cases cell certainly character characters class clean
    cleaner code coin column common complete completed complexity comprehension concise
    condition constraint construct contain contents convenient convert core cost could course
    create current data date day declare define definition degree demonstrate describe
    description designed detect digit digits direct docstring does doing done during easy edge
    efficient either elegant element empty enough ensure entire entry every everything example
    examples exist expect explanation expression fail false file fix fixed float following formatted
    formula full fully function general generate given graph grid handle has have helper hence
    here hold hour idea implement implementation import include index indices individual info
    initialize input insight instance integer integers intuition invalid item iterate itself
    just keep key language letter letters like line liner list logic look loop main maintain
    make matrix may me mean method minute mistake module month must myself naive name need new
    node none normal note now number numbers object obtain okay operation operator optimal
    optimize optimized option original other others otherwise output own paragraph parameter
    part pass people perform person piece please point pointer position possible prepare price
    process produce program project properly provide purpose put python pythonic queue range
    readable reader receive record refactor refer represent represented require requirement
    result results return row rule run script second section sentence should signature
    simplified single size snippet solution space specification specified specify stack standard
    statement still store straightforward string strings structure student style such sure task
    technique temperature test text than thing this three time together too traverse tree true
    try turn two type types typing understand until update usage useful user valid validate
    value values variable various version via visit walk want was way were when whenever whether
    whichever while who whole whose why within word words worst would write written wrong year
    afterwards already always anything change changed come comes euclid euclidean euler exact fact
    few fibonacci form formal gauss job large library long mark marks mathematical natural newline
    newlines nice nicely plain punctuation rest some term terms thanks third trace tracing trial
    unchanged untouched very walkthrough whitespace whitespaces yes
""")
"""Words of the trade that say nothing of what a program does."""
_PLACES = word_set("first last before after")
_LEADS = re.compile(
    r"^(?:(?:first|second|third|last|finally|next|then)(?:ly)?,? (?:we|i|it|the|a)?\b"
    r"|unlike [^,]+, )"
)
"""What puts a sentence in its place among others."""
_FREE = re.compile(
    r"\bunit (?=tests?\b)|\bmore (?=compact|concise|efficient|elegant|general|readable|pythonic)"
    r"|\b(?:first|last|next|single) (?=lines?\b)|\bat (?:most|least) (?=once\b)"
    r"|\bcount(?:s|ing)? (?=down|up)|\bfirst(?=,)|\bwhere n is the (?:length|number|size)\b"
    r"|'(?:ll|ve|re|s|d|m)\b|\bshort\b(?= and\b|[.,]|$)|\bonce more\b"
    r"|\bdrop(?:s|ped)? (?:below|to|under)\b|\bsuch as -?\d+|\b[a-z]+(?:error|exception)\b"
    r"|\breplace (?=.*\byour own\b)|(?<!\w)o\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"
)
"""What says nothing of what a program does."""
_DENIES = re.compile(
    r"(?<!`)\b(?:no|not|never|none|nothing|without|neither|nor|cannot|avoid\w*)\b|n't\b"
)
_OTHER_WORDS = (
    (re.compile(r"(?<=[ent]s the )number of\b(?! times)"), "count"),
    (re.compile(r"\bcalls itself\b"), "recursion"),
    (re.compile(r"\btwo[- ]pointers?\b"), "inwards"),
)
"""What is said in several words -> one for it."""
_ITSELF = {
    stem(word)
    for word in word_set("""
    a an and answer answers asked be code does did for function good here how i is it meant mine my
    of one our program question really right s solution solve solves still suitable that the these
    this to valid want wanted was what will work works would you your
""")
}
"""Words of a sentence that denies nothing but the program: ``This is not the solution.``"""
_OF_ALL = re.compile(
    r"\W*(?:it(?! is|'s)|this|the (?:function|code|program|result|output|solution)|returns?|finds?"
    r"|computes?|counts?)\b"
)
"""How a clause begins that is about all of a program: no word of the trade is free in it."""
_OF_PROGRAM = re.compile(
    r"\W*(?:it|this|that|these|i|we|the (?:answer|function|code|program|solution|result|output)"
    r"|returns?|(?:comput|determin|calculat)es|finds|counts|gives?)\b"
)
"""How a comment begins that is about all of a program, and no order for one of its steps."""
_ORDERS = re.compile(r"[a-z]{3}est\b|\b(?:first|last)\W*\Z")
"""What may say which of several things is meant, or in which order."""
_I_DO = re.compile(r"\W*(?:so )?(?:i|we) (?!returns?\b|give\b)")
_SIGNS = re.compile(r"[\x00-\u024f\u0370-\u03ff\u2000-\u2bff\ufe0f\U0001f389\U0001f60a]*")
_USES_NO = re.compile(rf"(?:{_DENIES.pattern})(?: \w+)? (?:hav|need|requir|us)\w+\b")
_ELSEWHERE = re.compile(
    r"\b(?:unlike|compared (?:to|with)|instead of|rather than|as opposed to|in contrast to) [^,;]*"
    r"(?:, which .*)?"
)
"""What is said of another program."""
_LEFT = re.compile(
    r"\b(?:discard|drop|exclud|filter|ignor|like|otherwise|prevent|reject|remov|skip|than|would)"
)
"""What makes a clause speak of what a program leaves."""
_IF = re.compile(r"\b(?:if|when|unless|until|whether|while)\b")
_HANDLES = re.compile(r"\b(?:accept|cover|handle|support|work)\w*\b")
_HANDLED = word_set("negative positive zero large small invalid odd even duplicate null")
_CLAUSE = re.compile(r"[,;:]\s|\s-+\s|\b(?:and|but|so|because|since|then)\b")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)")
_LISTED = re.compile(
    r"\A\W*(?:\d{1,2}[.)]"
    r"|(?:approach|case|example|method|option|solution|step|version) \d+[:.]?)(?:\s|\Z)"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LITERAL = re.compile(r"[\[{]\s*[-'\"\d\[({][^\]}]*[\]}]")
"""A list, a set or a dictionary with something in it."""
_WORDS_FOR: tuple[tuple[type[ast.AST], str], ...] = (
    (ast.Add, "add addition sum total plus concatenate combine append join increment increase"),
    (ast.Sub, "subtract subtraction difference minus decrement decrease before previous"),
    (ast.Mult, "multiply multiplication product time double triple square repeat"),
    (ast.Pow, "power square cube exponent root raise"),
    (ast.Div, "divide division quotient ratio half halve average mean"),
    (ast.FloorDiv, "divide division quotient half halve floor integer remove drop middle binary"),
    (ast.Mod, "remainder modulo modulus divisible divisibility even odd multiple last digit mod"),
    (ast.Gt, "compare comparison great large exceed big high more above positive"),
    (ast.GtE, "compare comparison great large exceed big high more above least negative"),
    (ast.Lt, "compare comparison less small below low negative"),
    (ast.LtE, "compare comparison less small below low most positive"),
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
    (ast.Raise, "raise error exception"),
    (ast.Try, "error exception catch"),
)
"""What stands in a program -> words for it."""
_NAMES = {
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
_EARLY = "stop end early soon immediately exit"
_MIRROR = "first second mirror mirrored image half end opposite corresponding counterpart"


def is_english(sentence: str) -> bool:
    """Whether enough words of a sentence are known, whatever they say."""
    words = LETTERS.findall(sentence)
    known = sum(_stem(one) in _ENGLISH for one in words)
    return known * 3 >= len(words) and _SIGNS.fullmatch(sentence) is not None


def sentences(text: str) -> list[str]:
    """The sentences of a text in small letters."""
    lines = plain(text).lower().replace("**", "").split("\n")
    found = (one for line in lines for one in _SENTENCE.split(_LISTED.sub("", line)))
    return [one for each in found if re.search(r"\w", one := each.strip(" \t*_#>-•|✅✔✓"))]


def strange(
    text: str, code: str, ask: str | None = None, *, free: bool = False, inside: bool = False
) -> list[str]:
    """The sentences of a text that have words, numbers or denials that go neither with a program
    nor with its task, or tell a running time, or a calculation, that cannot be so.

    Args:
        code: The program, with what is run of it.
        ask: The task; None where that is not known, so that a denial may be one of what it says.
        free: Whether words may stand there of which nothing is known, as ``Gauss``; those for what
            programs do may not.
        inside: Whether the text is that of a program's own comments. They may name what a step is
            about; what one says of all of the program, denies or counts is read to its last word.
    """
    written = ask or ""  # what is said again says nothing of the program
    asked = {*sentences(written), *sentences(written.replace("\\n", "\n"))}
    told = [one for one in sentences(text) if one not in asked and not closes(one)]
    found = [(one, *facts.read(one)) for one in told]
    if not found:
        return []
    bare = code_alone(code)
    own, numbers = _known(bare)
    known = own | _stems(ask or "")
    said = _Said(known, own, _stems(bare), bare.lower(), ask and ask.lower(), free, inside)
    numbers |= _numbers(ask or "")
    packed = "".join(f"{bare}\n{ask or ''}".split()).lower()
    return [
        whole
        for whole, held, one in found
        if not held
        or (ask is None and claims.made(one) and one not in said.code)
        or not complexity.may_be(one, bare)
        or any(_is_strange(it, said) for it in _clauses(one))
        or (_WRITER.match(one) and (_stems(one) - _GENERAL).isdisjoint(known))
        or (
            not free
            and (
                not _numbers(_FREE.sub("", one)) <= numbers
                or any("".join(it.split()) not in packed for it in _LITERAL.findall(one))
                or (ask is None and _DENIES.search(one))
            )
        )
    ]


def _clauses(sentence: str) -> list[str]:
    """The parts of a sentence, without what says nothing of a program."""
    for how, word in _OTHER_WORDS:
        sentence = how.sub(word, sentence)
    return _CLAUSE.split(_FREE.sub("", _ELSEWHERE.sub("", _LEADS.sub("", sentence))))


_WRITER = re.compile(
    r"i(?:['’]ve| have| had)? (?!(?:also |just |simply )?(?:us|writ|wrot|test|add|check|assum"
    r"|cho|keep|kept|implement|includ|ma[dk]e|defin|start|handl|hope|ran|run|need|went|go)[a-z]*\b)"
)
"""How a sentence begins that says of its author what is no work on a program."""


class _Said(NamedTuple):
    """What is known where a text is read.

    Attributes:
        known: The words for what a program does, and those of its task.
        done: Those for what it does.
        used: The words that stand in it.
        code: It, in small letters.
        ask: Its task, in small letters; None where that is not known.
        free: Whether other words may stand there.
        inside: Whether it is a comment in the program.
    """

    known: set[str]
    done: set[str]
    used: set[str]
    code: str
    ask: str | None
    free: bool
    inside: bool

    def turns(self, word: str, other: str) -> bool:
        """Whether a word may turn round what the task, or the program, says by another one."""
        written = f"{self.code} {self.ask or ''}"
        return word not in written and (self.ask is None or other in written)


def _is_strange(clause: str, said: _Said) -> bool:
    """Whether a clause has another word than those that are known, denies what these say, or has
    the opposite of what the task says."""
    words = _stems(_DENIES.sub("", clause))
    denies = _DENIES.search(clause) is not None
    spoken = {*LETTERS.findall(clause)}
    if not (denies or _LEFT.search(clause) or _I_DO.match(clause)) and any(
        one in spoken and other not in spoken and said.turns(one, other) for one, other in _POLES
    ):
        return True
    general = _GENERAL | (_HANDLED_STEMS if _HANDLES.search(clause) else set())
    if "would" in clause:
        general |= _TABLE
    if said.free:
        general |= words - (_CLAIMS | _TRADE if _OF_ALL.match(clause) else _CLAIMS)
    elif said.inside and not (_OF_PROGRAM.match(clause) or _ORDERS.search(clause)):
        general |= words - _CLAIMS - _TRADE
    if "would" in clause or not denies or _IF.search(clause):
        return not words <= said.known | general
    denied = words - general
    if said.free:
        return not denied.isdisjoint(said.done & _DONE)
    if words <= _ITSELF:
        return True
    known = said.used if _USES_NO.search(clause) else said.known
    return not denied <= said.known | _TABLE or not denied.isdisjoint(known)


def _known(code: str) -> tuple[set[str], set[str]]:
    """(the words, the numbers) that go with a program."""
    nodes = nodes_of(code)
    said = [code]
    said += [words for kind, words in _WORDS_FOR if any(isinstance(one, kind) for one in nodes)]
    names = set(LETTERS.findall(code))
    said += [words for name, words in _NAMES.items() if name in names]
    places = [ast.unparse(one.slice) for one in nodes if isinstance(one, ast.Subscript)]
    said += ["last end"] * any(one.startswith("-") for one in places)
    said += ["first start begin"] * ("0" in places)
    said += ["reverse backward"] * ("::-1" in places)
    count = [len(one.args.args) for one in nodes if isinstance(one, ast.FunctionDef)]
    said += _ways(nodes)
    return _stems(*said), _numbers(code) | {"0", "1", *map(str, count)}


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
    names = {name.lower() for one in nodes for name in loads(one)} if nodes else set()
    if any(one in name for name in names for one in ("cache", "memo")):
        found.append(_CACHE)
    steps = [one for one in nodes if isinstance(one, ast.AugAssign)]
    signs = {type(one.op) for one in steps if isinstance(one.target, ast.Name)}
    pairs = [one for one in nodes if isinstance(one, ast.While | ast.For)]
    if pairs and {ast.Add, ast.Sub} <= signs:
        found.append(_POINTERS)
    places = {ast.unparse(one.slice) for one in nodes if isinstance(one, ast.Subscript)}
    if any(re.search(r"- 1 - \w|-\w+ - 1|- \w+ - 1|~\w", one) for one in places):
        found.append(_MIRROR)
    return found


def _numbers(text: str) -> set[str]:
    """The numbers of a text, in digits or in words."""
    words = (NUMBERS[one] for one in LETTERS.findall(text.lower()) if one in NUMBERS)
    return {*_NUMBER.findall(text), *(str(one) for one in words)}


def _stems(*texts: str) -> set[str]:
    words = (one for text in texts for one in LETTERS.findall(plain(text).lower()))
    return {_stem(one) for one in words if one not in NUMBERS and len(one) > 1}


def _stem(word: str) -> str:
    """Its stem, where no other ending is left: ``different`` and ``differs`` have one."""
    while (short := stem(word.removesuffix("est") if len(word) > 5 else word)) != word:
        word = short
    return word


_TABLE = _stems(
    *(words for _, words in _WORDS_FOR), *_NAMES.values(), _RECURSION, _CACHE, _POINTERS, _MIRROR
)
_OPPOSITES = (
    ("odd", "even"),
    ("largest biggest greatest highest max maximum", "smallest lowest min minimum"),
    ("longest", "shortest"),
    ("ascending increasing", "descending decreasing"),
    ("uppercase upper", "lowercase lower"),
    ("vowels", "consonants"),
    ("prefix", "suffix"),
)
"""Words of which some say the opposite of the others."""
_PAIRS = [pair for one, other in _OPPOSITES for pair in product(one.split(), other.split())]
_POLES = [*_PAIRS, *((other, one) for one, other in _PAIRS), ("last", "first")]
"""(a word, another one that says the opposite)"""
_GENERAL = {_stem(one) for one in (narration.WORDS | _STOCK) - _PLACES}
_ENGLISH = _GENERAL | _TABLE | _stems("of to by or but code first")
_HANDLED_STEMS = {_stem(one) for one in _HANDLED}
_DONE = _stems("sort recursion recursive recursively dictionary heap queue")
"""Words of which a denial is against a program that does it."""
_TRADE = _TABLE - _GENERAL - _stems(*_PLACES)
_CLAIMS = _stems("""
    sort sorted sorting recursion recursive recursively recurse cache memoise memoize memo inwards
    mirror queue heap dictionary lambda anonymous multiply multiplication product double triple
    cube concatenate remove drop strip trim discard frequency reverse descend binary ternary average
    subtract subtraction quotient negate count exponential overflow print rounded sieve union
    palindrome factorial raise duplicate consonant modify
""")
"""Words that say what a program does: it does, or its task speaks of it."""
