"""Whether what is said of a program could as well have been said the other way round.

``It appends the sum of the last two.``   holds of ``them.append(them[-1] + them[-2])``
``It appends the sum of the first two.``  no line has ``first`` beside so many of these words
``If n is 1, it returns 1.``              a branch of the program has this condition
``If n is not 1, it returns 1.``          none has that

A word that has an opposite, a number, and a denial are not believed where the program, or its task,
says the opposite of the same things: a line that says it has more of the words around them than any
line has that says them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.python import (
    branches,
    claims,
    conditions,
    examples,
    facts,
    told,
    vocabulary,
    words_for_code,
)
from agentflow.domains.python.samples import results, world_of
from agentflow.domains.python.source import code_alone, tree_of
from agentflow.domains.python.task import Task
from agentflow.domains.spelling import NUMBERS, word_set

_FAMILIES = (
    (
        "add addition sum plus",
        "subtract subtraction minus difference",
        "multiply multiplication product",
        "divide division quotient",
    ),
    ("append insert push", "remove delete pop discard"),
    ("first", "last"),
    ("odd", "even"),
    ("greater larger bigger more above exceed", "less smaller fewer below"),
    ("largest biggest greatest highest max maximum", "smallest lowest least min minimum"),
    ("divisor factor", "multiple"),
    ("final", "initial"),
    ("longest", "shortest"),
    ("ascending increasing", "descending decreasing"),
    ("uppercase upper", "lowercase lower"),
    ("vowel", "consonant"),
    ("prefix", "suffix"),
    ("before", "after"),
    ("previous preceding predecessor", "next successor"),
    ("positive", "negative"),
    ("recursion recursive recursively", "iterative iteratively"),
    ("true", "false"),
    ("inclusive", "exclusive"),
    ("remainder modulo modulus", "quotient"),
    ("intersection", "union"),
    ("increment", "decrement"),
    ("valueerr", "typeerr", "keyerr", "indexerr", "zerodivisionerr"),
    ("ifso", "ifnot"),
    ("like", "unlike"),
)
"""Words that say the same, beside those of which each says another thing."""
_ENDINGS = (("", "s"), ("", "es"), ("", "ed"), ("", "d"), ("", "ing"), ("e", "ing"), ("y", "ies"))
_STOPS = word_set("""
    a an and are as at be been being but by can do does for given has have i if in is it its of on
    or so such than that the their them then there these they this those to until used uses using
    was we what when where which while will with you your also just
""")
_TOKEN = re.compile(r"[a-z_][a-z_0-9]*|(?<![\w.])\d+(?:\.\d+)?")
_FEW = 9
"""Words of a sentence that only gives an example, at most."""
_NEAR = 7
"""Words on each side that tell what a word is said of."""
_PART = re.compile(r"[,;:.()]\s|[()]|\s-+\s|\b(?:and|but|so|because|since|then|which|where)\b")
_PAIR = re.compile(r"\b([a-z]+) (?:and|or) (?:the )?([a-z]+)\b")
_PRONOUN = r"\b(?:if|when) (?:it|this|that|they|the condition)"
_IF_NOT = re.compile(
    _PRONOUN + r"(?:(?:'s| is| are| does| do) not|(?: is| does| do| are)n't)(?=[ ,])"
    r"(?! (?:empty|zero|none|equal))(?: already)?,?|\bif not\b,?|\botherwise\b,?"
)
_IF_SO = re.compile(
    _PRONOUN + r"(?:'s| is| are| does| do)\b(?: true)?(?=,| it| we| the),?|\bif so\b,?"
)
_READER = re.compile(
    r"\b(?:you (?:can|may|might|could|will need|'ll need)|if you|let me|i hope)\b.*"
)
_OF = re.compile(
    r"\b(?P<noun>[a-z]+) of (?P<one>-?\d+)(?: and (?P<two>-?\d+))? (?:is|are|equals)"
    r"(?: always| both)?(?: defined as| defined to be| equal to)? (?P<value>-?\d+)\b(?!\.\d)"
)
_WHICH_IS = re.compile(
    r"(?P<value>-?\d+)`?,? (?:which|that) is the (?P<noun>[a-z]+) of (?P<one>-?\d+)"
    r"(?: and (?P<two>-?\d+))?\b(?!\.\d)"
)
_PREDECESSOR = re.compile(r"\bminus (?:one|1)\b")
_IN_ORDER = re.compile(
    r"(?:\A|[,;:] |\b(?:and|it|we|code|function|program|then|will) )(?:first|next|lastly|last)"
    r"(?=,| (?!(?:two|three|element|item|number|value|character|digit|letter|word|index|half|one|of"
    r"|n)s?\b)[a-z]+s?\b)"
)
"""What puts a step in its place among others."""
_SPAN = re.compile(r"`([^`\n]+)`")
_DATA = re.compile(r"[\[{]\s*[-'\"\d\[({][^\]}]*[\]}]")
_SERIES = re.compile(r"\((-?\d+(?:(?:, and |, | and )-?\d+)*)\)")
_COUNTS = {number: word for word, number in NUMBERS.items() if 1 < number < 10}
_WAYS = word_set("""
    recursion recursive recursively iterative iteratively multiple even odd
""")
"""What is no word for one statement alone."""
_TESTED = re.compile(r"\b(?:if|when|whether|while) [^,;.]*")
_ONE = re.compile(r"\b((?:return|give|reache|become|equal|i)s|return|give) one\b")
_ADDED = re.compile(r"\badd(?:s|ed|ing)? (?=[^,;.]*\bto (?:an?|the|our|its|it|[a-z_]*list)\b)")
"""What puts something into another one, and adds no number."""
_SHOWN = re.compile(r"(?:(?:expected |sample )?(?:input|output|result)s?:? )?(.*)")
_DIVIDED = re.compile(r"\b(?:divi\w+ by|multiple of|modulo|remainder of \w+ by) `?(?P<by>\d+)`?")
_PARITY = re.compile(r"\b(?:is|returns|gives|equals) `?(?:0`? for even|1`? for odd)\b")
_HANDLED = re.compile(
    r"\b(?:handles?|supports?|covers?|accepts?|works? (?:for|with)) [^,;.]*"
    r"|[^,;.]* (?:is|are) (?:handled|supported|covered|accepted)\b"
)
_FINAL = re.compile(
    r"\bfinal (?=(?:\w+ )?(?:answer|code|function|program|script|solution|version)\b)"
)
_NONE = re.compile(r"\bif there (?:is|are) (?:no|none)\b[^,;.]*")
_ELSEWHERE = re.compile(
    r"\bnever (?:fails?|raises?|crashes)\b|\bwithout\b.* would\b|\btests? pass(?:ed)?\b"
)
_TYPES = {
    kind: vocabulary.stem_of(name)
    for kind, name in (
        (int, "integer"),
        (str, "string"),
        (list, "list"),
        (dict, "dictionary"),
        (tuple, "tuple"),
        (float, "float"),
        (bool, "boolean"),
    )
}
_INVALID = re.compile(r"\bnot (?:defined|allowed|supported|valid|possible)\b")
_BOUNDS = re.compile(r"\bat (?:least|most)\b")
_FILLED = re.compile(r"\bnon-?empty\b")
_WORDED = {*_COUNTS.values()}


class _Known(NamedTuple):
    """Where words with opposites, and numbers, stand in a program and its task.

    Attributes:
        near: The words beside it, for each place where one stands.
    """

    near: dict[str, list[set[str]]]

    def score(self, names: set[str], beside: set[str]) -> int:
        """Of how many of the words beside them some words are said; -1 where they are not."""
        found = [beside & one for name in names for one in self.near.get(name, ())]
        return max((sum(map(_weight, one)) for one in found), default=-1)


def _weight(word: str) -> int:
    """How much it tells that a word stands beside another one."""
    return 2 if word[0].isdigit() or word in _HEAVY else 1


def doubtful(said: Sequence[str], task: Task, code: str) -> str:
    """The first sentence, in small letters, of which the opposite could be said as well; empty for
    none."""
    asked = " ".join(task.ask.lower().split())
    heard = [one for one in said if one.strip(" `.!") not in asked and not closes(one)]
    if not heard:
        return ""
    known = _known(task, code)
    return next((one for one in heard if not _is_plain(one, known, task, code)), "")


@lru_cache(maxsize=64)
def _known(task: Task, code: str) -> _Known:
    near = dict[str, list[set[str]]]()
    for words in _of_statements(code_alone(code)):
        stems = _stems(words)
        of_branch = words & {"ifso", "ifnot"}
        of_branch |= {one for one in words if of_branch and one.endswith("err")}
        names = {name for one in of_branch or words for name in _names(one)}
        for name in names:
            alone = names.isdisjoint(_opposites(name, names))
            near.setdefault(name, []).append(stems if alone else set())  # it tells neither
    for sentence in vocabulary.sentences(task.ask):
        for part in _PART.split(sentence):
            tokens = _tokens(part or "")
            for at, one in enumerate(tokens):
                for name in _names(one):
                    near.setdefault(name, []).append(_beside(tokens, at))
    return _Known(near)


def _names(token: str) -> list[str]:
    """What a word is noted under: each of its sides, or its number; nothing for other words."""
    return [token] if token[0].isdigit() or token in _WORDED else _SIDES.get(token, [])


def _forms(word: str) -> set[str]:
    return {word} | {
        word[: len(word) - len(old)] + new for old, new in _ENDINGS if word.endswith(old)
    }


_SIDES: dict[str, list[str]] = {}
"""Word -> the sides on which it stands."""
_OTHERS: dict[str, set[str]] = {}
"""Side -> its opposites."""
for _at, _family in enumerate(_FAMILIES):
    _own = [f"{_at} {side}" for side in _family]
    for _side, _name in zip(_family, _own, strict=True):
        _OTHERS[_name] = {*_own} - {_name}
        for _word in {form for one in _side.split() for form in _forms(one)}:
            _SIDES.setdefault(_word, []).append(_name)


_SIDES_OF_BRANCHES = {*_SIDES["ifso"], *_SIDES["ifnot"]}
_HEAVY = {vocabulary.stem_of(one) for one in _SIDES}


def _of_statements(code: str) -> Iterator[set[str]]:
    """The words for each statement of a program, without those in it."""
    tree = tree_of(code)
    nodes = [*ast.walk(tree)] if tree else []
    defined = [one for one in nodes if isinstance(one, ast.FunctionDef)]
    itself = {
        one.name
        for one in defined
        if any(isinstance(it, ast.Name) and it.id == one.name for it in ast.walk(one))
    }

    def words(node: ast.AST) -> set[str]:
        found = _words_of(node)
        if any(isinstance(it, ast.Name) and it.id in itself for it in ast.walk(node)):
            found |= {"recursion", "function", "call", "itself"}
        return found

    for node in nodes:
        match node:
            case ast.FunctionDef(name=name, args=ast.arguments(args=args)):
                names = [one.arg for one in args]
                own = {"recursion"} if name in itself else {"iterative"}
                count = _COUNTS.get(len(names), "one")
                yield {"function", "return", "number", "argument", "input", "take", count, *own} | (
                    _words(" ".join([name, *names]))
                )
                for at, one in enumerate(names):
                    place = ("first", "second", "third")[at : at + 1]
                    last = ["last"] if at == len(names) - 1 > 0 else []
                    yield {*_words(one), *place, *last}
            case ast.If(test=test) | ast.While(test=test):
                yield words(ast.Expr(test)) | {"if", "check", "condition", "case", _denying(test)}
                if isinstance(node, ast.If):
                    yield from branches.sides(
                        node,
                        tree,
                        lambda some: {it for one in some[:2] for it in words(_head(one))},
                    )
            case ast.For():
                yield words(_head(node)) | {"start", "index", "loop", "iterate"}
            case ast.Try() | ast.With() | ast.ClassDef() | ast.AsyncFunctionDef():
                continue
            case ast.stmt():
                yield words(node)


def _denying(test: ast.expr) -> str:
    """A word for whether a condition, or a part of it, denies something."""
    kinds = (ast.Not, ast.NotEq, ast.NotIn, ast.IsNot)
    return "unlike" if any(isinstance(one, kinds) for one in ast.walk(test)) else "like"


def _head(node: ast.stmt) -> ast.AST:
    """A statement without those in it."""
    match node:
        case ast.If(test=test) | ast.While(test=test):
            return ast.Expr(test)
        case ast.For(target=target, iter=each):
            return ast.For(target, each, [ast.Pass()], [])
    return node


class _WithoutPlaces(ast.NodeTransformer):
    """Leaves out how a place is reckoned, and the end of a range: ``one[at - 1]`` subtracts nothing
    from what it takes."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node.slice:
            case ast.BinOp(op=ast.Sub()):
                node.slice = ast.Name("previous", ast.Load())
            case ast.BinOp():
                node.slice = ast.Name("next", ast.Load())
            case ast.UnaryOp(ast.USub()):
                node.slice = ast.Name("last", ast.Load())
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        for at, one in enumerate(node.args):
            match one:
                case ast.BinOp(left, ast.Add() | ast.Sub() as sign, ast.Constant()):
                    before = isinstance(sign, ast.Sub)
                    if not isinstance(node.func, ast.Name) or node.func.id != "range":
                        place = ast.Name("previous" if before else "next", ast.Load())
                        left = ast.Tuple([left, place], ast.Load())
                    node.args[at] = left
        return node


def _words_of(node: ast.AST) -> set[str]:
    """The words for a statement, and the numbers that stand in it."""
    try:
        whole = ast.unparse(ast.fix_missing_locations(node))
        text = ast.unparse(ast.fix_missing_locations(_WithoutPlaces().visit(ast.parse(whole))))
    except (SyntaxError, ValueError, RecursionError):
        return set()
    found = _words(*words_for_code.words(text)) - _WAYS
    if any(map(words_for_code.reaches, ast.walk(ast.parse(whole)))):
        found |= {"inclusive"}
    for one in ast.walk(ast.parse(text)):
        match one:
            case ast.Compare(
                ast.BinOp(op=ast.Mod(), right=ast.Constant(2)), [sign], [ast.Constant(left)]
            ):
                found.add("even" if isinstance(sign, ast.Eq) is (left == 0) else "odd")
            case ast.Slice(lower=None):
                found |= {"first", "start"}
            case ast.Return(value=ast.Name()):
                found |= {"final", "value"}
            case ast.Assign(value=ast.List(elts=values)) if values:
                found |= {"first", "start", "contain", "element", "initialize"}
                found |= {_COUNTS.get(len(values), "one")}
            case ast.BinOp(ast.Subscript(), ast.Add(), ast.Subscript()):
                found |= {"two"}
    return found


def _words(*texts: str) -> set[str]:
    return {token for text in texts for token in _tokens(text.lower())}


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_ERROR.sub(r"\1", text))


def _stems(words: Iterable[str]) -> set[str]:
    parts = (it for one in words for it in (one, *one.split("_")) if it)
    return {vocabulary.stem_of(one) for one in parts if one not in _STOPS}


def _beside(tokens: list[str], at: int) -> set[str]:
    return _stems(tokens[max(0, at - _NEAR) : at] + tokens[at + 1 : at + 1 + _NEAR])


def _is_plain(sentence: str, known: _Known, task: Task, code: str) -> bool:
    """Whether no part of a sentence could be turned round."""
    world = world_of(task, code)
    if _is_literal(sentence) or _ELSEWHERE.search(sentence) or _is_run(sentence, task, code):
        return True
    held = conditions.without_held(sentence.replace("`", ""), world)
    if (
        held is None
        or _FILLED.search(sentence)
        or not _has_types(_HANDLED.sub("", sentence), task, code)
    ):
        return False
    held = sentence if held == sentence.replace("`", "") else held
    rest = _NONE.sub("if it", _READER.sub("", claims.without_run(held)))
    rest = facts.read(_without_checked(rest, code))[1]
    rest = branches.without_conditions(rest, code)
    for how in (_OF, _WHICH_IS):
        if any(not _is_of(one, task, code) for one in how.finditer(rest)):
            return False
        rest = how.sub(r"\g<value>" if how is _WHICH_IS else "it", rest)
    rest = _IF_SO.sub(" ifso ", _IF_NOT.sub(" ifnot ", rest))
    rest = _BOUNDS.sub(" ", rest)
    rest = vocabulary.without_free(_ERROR.sub(r"\1", rest))
    rest = _PREDECESSOR.sub("predecessor", rest)
    rest = _ADDED.sub("append ", _ONE.sub(r"\1 1", _IN_ORDER.sub(" ", rest))).replace("()", "")
    names = {task.entry} if task.entry else set()
    run = {
        it
        for one in examples.of_calls(sentence.replace("`", ""), names)
        for it in re.findall(r"\d+", one)
    }
    rest = _SERIES.sub(lambda one: "" if _stands(one[1], code) else one[1], rest)
    rest = _DATA.sub(" ", _SPAN.sub(lambda one: _as_name(one[1], code), rest))
    if any(not _may_deny(sentence, one, task, code, known) for one in vocabulary.denials(rest)):
        return False
    for one in _PAIR.finditer(rest):
        pair = [{*_names(it)} for it in one.groups()]
        both = {name for name in pair[0] if _OTHERS.get(name, set()) & pair[1]}
        if both and any(known.score({*them}, set()) >= 0 for them in pair):
            rest = rest.replace(one[0], "both")
    for part in _PART.split(rest):
        tokens = _tokens(part or "")
        if any(
            one not in run and not _is_meant(tokens, at, known) for at, one in enumerate(tokens)
        ):
            return False
    return True


_ERROR = re.compile(r"`?\b([a-z]+err)or\b`?")


def _has_types(sentence: str, task: Task, code: str) -> bool:
    """Whether each type that a sentence names is one that a program takes, gives or writes down, or
    its task names."""
    runs = world_of(task, code).runs
    if not runs:
        return True
    values = [one for args, came in runs for one in (*args, came)]
    values += [it for one in values if isinstance(one, list | tuple | set | dict) for it in one]
    known = {_TYPES.get(type(one), "") for one in values} | _stems(_tokens(task.ask.lower()))
    known |= _stems(_words(*words_for_code.words(code_alone(code))))
    said = {vocabulary.stem_of(one) for one in _tokens(sentence)} & {*_TYPES.values()}
    return said <= known


def _without_checked(sentence: str, code: str) -> str:
    """A sentence without what a look at the code tells: the only number that can come of it, what
    something is divided by, what is handled, and pieces of code that stand there."""
    packed = "".join(code.lower().split())
    sentence = told.without_results(sentence, code)
    sentence = _SPAN.sub(lambda one: f"`{_as_name(one[1], code)}`", sentence)
    for one in _DIVIDED.finditer(sentence):
        if f"%{one['by']}" in packed:
            sentence = sentence.replace(one[0], "it")
    return _PARITY.sub("it", _HANDLED.sub("it", _FINAL.sub("", sentence)))


def _is_literal(sentence: str) -> bool:
    """Whether a line shows a value alone."""
    value = _SHOWN.sub(r"\1", sentence, count=1)
    return bool(re.match(r"[-\[({'\"\d]", value)) and examples.is_plain("f()", value)


def _is_run(sentence: str, task: Task, code: str) -> bool:
    """Whether all that a short sentence says is what comes of a call, which is run."""
    if len(vocabulary.words_of(sentence)) > _FEW or vocabulary.denials(sentence):
        return False
    names = {task.entry.lower()} if task.entry else set()
    said = sentence.replace("none", "None").replace("true", "True").replace("false", "False")
    return bool(
        examples.of_calls(said.replace("`", ""), names)
        or examples.of_inputs(f"{said}\n| {said} |", code.lower())
    )


def _as_name(span: str, code: str) -> str:
    """A piece of code in a sentence, as the names in it where it stands in the program."""
    packed = "".join(code.lower().split())
    if "".join(span.lower().split()) in packed:
        return " ".join(re.findall(r"[a-z_]\w*", span.lower())).replace("_", " ")
    return span


def _stands(series: str, code: str) -> bool:
    """Whether a list of numbers stands in a program."""
    packed = "".join(code.split())
    return f"[{','.join(re.findall(r'-?[0-9]+', series))}]" in packed


def _is_of(one: re.Match[str], task: Task, code: str) -> bool:
    """Whether what something of a number is said to be comes of the program."""
    if not re.search(rf"\b{one['noun']} of\b", task.ask.lower()):
        return False
    given: list[list[Any]] = [[int(it)] for it in (one["one"], one["two"]) if it]
    runs, _ = results(task, code, given)
    return len(runs) == len(given) and all(came == int(one["value"]) for _, came in runs)


def _may_deny(sentence: str, denial: str, task: Task, code: str, known: _Known) -> bool:
    """Whether the same sentence without its denial would be strange, or what it denies is denied in
    a condition of the program, or is why it raises an error."""
    if "raise" in sentence and re.search(r"\braise\b", code) and _INVALID.search(sentence):
        return True
    if vocabulary.uses_no(sentence):  # what it denies to use was looked for
        return True
    if (found := _TESTED.search(sentence)) and denial in found[0]:
        tokens = _tokens(found[0])
        if _is_meant([*tokens, "unlike"], len(tokens), known):
            return True
    return bool(vocabulary.strange(sentence.replace(denial, " ", 1), code, task.ask))


def _is_meant(tokens: list[str], at: int, known: _Known) -> bool:
    """Whether the program, and its task, do not say the opposite of a word of the same things."""
    if tokens[at] in ("ifso", "ifnot") and not known.near.keys() & _SIDES_OF_BRANCHES:
        return True
    beside = _beside(tokens, at)
    return all(
        known.score({name}, beside) >= known.score(_opposites(name, known.near), beside)
        for name in _names(tokens[at])
    )


def _opposites(name: str, names: Iterable[str]) -> set[str]:
    """Those of some names that say another thing than one does."""
    if name in _OTHERS:
        return _OTHERS[name]
    digits = name[0].isdigit()
    alike = {one for one in names if one[0].isdigit() and " " not in one} if digits else _WORDED
    return alike - {name}
