"""What is said that a program keeps, drops, returns or needs: the program is run, or its source is
walked, or it stays open.

``Digits are dropped.``               holds where a text without its digits gives the same
``It returns the larger of the two.`` holds where each run gives that
``The lists have to be sorted.``      holds where the task says so
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from agentflow.domains.python import conditions, words_for_code
from agentflow.domains.python.samples import World, results, world_of
from agentflow.domains.python.source import nodes_of
from agentflow.domains.python.task import Task
from agentflow.domains.spelling import word_set

_CHARACTERS: dict[str, Callable[[str], bool]] = {
    "digits?": str.isdigit,
    "(?:white)?spaces?": str.isspace,
    "vowels?": lambda one: one.lower() in {*"aeiou"},
    "consonants?": lambda one: one.isalpha() and one.lower() not in {*"aeiou"},
    "letters?": str.isalpha,
    "(?:upper-?case|capitals?)": str.isupper,
    "lower-?case": str.islower,
    "punctuation": lambda one: not (one.isalnum() or one.isspace()),
}
_NUMBERS: dict[str, Callable[[Any], bool]] = {
    "evens?": lambda one: one % 2 == 0,
    "odds?": lambda one: one % 2 == 1,
    "negatives?": lambda one: one < 0,
    "positives?": lambda one: one > 0,
    "non-negative": lambda one: one >= 0,
    "zeroe?s?": lambda one: one == 0,
}
_KIND = "|".join([*_CHARACTERS, *_NUMBERS])
_PHRASE = rf"(?:(?:all|any|every|the|its|and|other) )*(?:(?:{_KIND}) )*(?:{_KIND})\b"
_NOUN = r"(?: (?:characters?|numbers?|elements?|items?|values?|integers?|signs?))?"
_DROPS = r"(?:drop|remov|discard|delet|strip|ignor|skip|filter|exclud|eliminat|omit|left out|gone)"
_KEEPS = r"(?:keep|kept|stay|preserv|retain|remain|add|sum|count|test|check|consider|includ|left)"
_FATE = re.compile(
    rf"(?P<only>\bonly )?\b(?P<what>{_PHRASE}){_NOUN} (?:(?:is|are|gets?|will be) )?"
    rf"(?P<not>(?:not|never) )?(?:also )?(?:(?P<drops>{_DROPS})|(?P<keeps>{_KEEPS}))\w*"
)
_DOES = re.compile(
    rf"\b(?:(?P<drops>{_DROPS})|(?P<keeps>keep|retain|preserv))(?:s|es|ing)?(?: out| away)?"
    rf" (?P<only>only )?(?P<what>{_PHRASE})"
)
_PASSES = re.compile(
    r"\b(?:skip|miss|ignor|omit|drop|exclud|leav|forget)(?:s|es|ing)?(?: out)?"
    r" (?:(?:the|its|each|every) )?"
    r"(?P<place>first|last|second|third|next|final|middle) (?!(?:and|or|time|step)\b)\w+"
)
_TWICE = re.compile(
    rf"\b(?:duplicate|repetition)s? (?:\w+ )?(?:is|are|gets?|stay) ?(?P<not>(?:not|never) )?"
    rf"(?:also )?(?:(?P<drops>{_DROPS})|(?P<keeps>{_KEEPS}))\w*"
)
_RESULT = r"\b(?:result|output|answer|return value|(?:letters|numbers|elements|\w+) comes? out)\b"
_IS = re.compile(rf"{_RESULT}(?:(?: is| are| will be)(?P<not> not| never)?)?(?P<what> [^,;.:]*)")
_FORMS: dict[str, Callable[[Any], bool]] = {
    "(?:a|the) (?:new |sorted )?list": lambda one: isinstance(one, list),
    "a set": lambda one: isinstance(one, set | frozenset),
    "a tuple": lambda one: isinstance(one, tuple),
    "a dict(?:ionary)?": lambda one: isinstance(one, dict),
    "a (?:float|decimal)": lambda one: isinstance(one, float),
    "an? (?:whole|int(?:eger)?)": lambda one: isinstance(one, int),
    "a string": lambda one: isinstance(one, str),
    "a bool(?:ean)?": lambda one: isinstance(one, bool),
    "lower[- ]?case|small letters": lambda one: isinstance(one, str) and one == one.lower(),
    "upper[- ]?case|capitals": lambda one: isinstance(one, str) and one == one.upper(),
    "descending|decreasing": lambda one: list(one) == sorted(one, reverse=True),
    "ascending|increasing|sorted": lambda one: list(one) == sorted(one),
    "even": lambda one: one % 2 == 0,
    "odd": lambda one: one % 2 == 1,
    "positive": lambda one: one > 0,
    "negative": lambda one: one < 0,
    "empty": lambda one: not one,
}
_KINDS = [*_FORMS][:8]
"""Those that say of what type a result is."""
_COUNT = re.compile(
    r" (?:the )?(?:number|count|amount|length|size) of\b|(?:the )? (?:sum|product)\b"
)
_ENDS = re.compile(
    r"\b(?P<one>larg|bigg|great|small)(?:er|est) (?:\w+ )?(?:comes|goes|is) (?P<at>first|last)"
)
_ORDER = re.compile(
    r"\border(?: of (?:the )?(?P<name>\w+)(?: \w+)?)? (?:is|stays) (?:kept|preserved|the same)"
    r"|\b(?:keep|preserv|maintain|retain)\w* the (?:\w+ )?order(?: of (?:the )?(?P<other>\w+))?"
)
_PARTS = r"(?:numbers|arguments|elements|items|values|integers|parameters|inputs|two|both)"
_GIVES = re.compile(
    r"(?:\breturns?|(?:^\W*|\b(?:it|this|that|which|function|code|program|solution|we|and|\w+ly) )"
    r"(?:gives?(?: back)?|computes?|calculates?|finds?|yields?|produces?|outputs?))\b(?P<what>"
    r"(?:(?! if | when | because | using | by | so )[^,;:])*)"
)
_TOTAL = re.compile(
    rf"(?: just| simply)? (?:the )?(?P<how>\w+)(?: one| number)?(?: (?:of|in) (?:its |the |both )?"
    rf"(?:two )?(?:{_PARTS}|(?P<names>\w+(?: and \w+)?)))?\W*"
)
_TOTALS: dict[str, Callable[[list[Any]], Any]] = {
    "sum|total": sum,
    "product": prod,
    "larg\\w+|great\\w+|bigg\\w+|max\\w*": max,
    "small\\w+|least|min\\w*": min,
    "difference": lambda them: them[0] - them[1],
    "average|mean": lambda them: sum(them) / len(them),
}
_FORMULA = re.compile(r"(?<![\w(+*/-])[a-z]\w{0,9}(?: [-+*/%]{1,2} (?:[a-z]\w{0,9}|\d+)\b(?!\())+")
_NEEDS = re.compile(
    r"\b(?:(?:ha(?:s|ve)|needs?|ought) to be|(?:must|should|required to|assumed to) be"
    r"|(?:expects?|assumes?|requires?|needs)(?: that)?|only (?:accept|work|support|handle|take)s?"
    r"|(?:accept|work|support|handle|take)s? only)"
    r" (?P<what>[^,;.:]*)"
)
_UNUSED = re.compile(
    r"\b(?P<name>[a-z]\w*) (?:is|are|goes) (?:never|not|un)(?: |-)?(?:used|read|needed)"
)
_SPANS = re.compile(
    r"\b(?:loop|iterat|stop|run|walk|goes|count)\w*\b[^,;.]* (?:from|at|to|until)\b"
)
_STORED = re.compile(
    r"\b(?:stored|kept|collected|gathered|put|held|saved) in (?:an?|the) (?:\w+ )?"
    r"(?P<what>list|set|dict|tuple|string)"
)
_TURNED = re.compile(
    r"\b(?:convert|turn|cast|chang)\w* (?:\w+ ){0,3}?(?:in)?to (?:an? )?"
    r"(?P<what>int|str|float|list|set|lower|upper|tuple)"
)
_SWAPPED = re.compile(r"\border (?:of [^,;.]*)?(?P<not>does(?:n't| not) )?matters?\b")
_CASES = re.compile(r"\bcase[- ](?P<in>in)?sensitive")
_IN_PLACE = re.compile(r"\bin[- ]place\b")
_STARTS = re.compile(r"\bstart\w* (?:with|from|at) (?P<what>-?\d+(?:(?:, | and )-?\d+)+)")
_WEIGHTY = word_set("""
    large larger largest bigger biggest greater greatest small smaller smallest less more most least
    first last before after every only both either union intersection middle reverse sum sums total
    product difference quotient square squares cube cubes double doubles half halves power digit
    digits even odd positive negative non-negative sorted unique distinct duplicates ascending
    descending average maximum minimum empty equal prime rounded strings integers floats
    lists next previous second third multiplies subtracts divides reversed maximum minimum
""")
"""Words that say what comes of a program, or what it is given."""
_OPEN = re.compile(
    r"\b(?:never(?! (?:fail|raise)s?\b)|excludes?|excluded|exclusive|included|inclusive"
    r"|(?:treated|handled|counts?|taken) as|(?:every|all) \w+ (?:numbers?|\w+s) (?:is|are)"
    rf"|for (?:all|every|each) \w+ numbers?|always (?:{'|'.join(sorted(_WEIGHTY))}))\b"
)
"""What is not checked: it holds only in the task's words."""
_DEEDS = re.compile(
    r"\W*(?:it|this|the (?:function|code|program|solution)) (?:\w+ly )?"
    r"(?!works|handles|covers|supports|is|needs|takes|runs|ends|stops|means|avoids)\w+s\b(?!')"
)
_ALIKE = ("max maximum largest greatest biggest highest", "min minimum smallest lowest least")
"""Words of which one says the same as the others."""
_STATES = word_set("""
    even odd positive negative non-negative sorted unique distinct duplicates ascending descending
    equal prime rounded reversed integers strings floats lists larger smaller greater less at least
    empty non-empty zero
""")
"""Words that say what something has to be."""


def made(sentence: str) -> bool:
    """Whether a sentence, in small letters, says something that is checked here."""
    bare = _bare(sentence)
    return any(how.search(bare) for how in (*_CHECKS, _OPEN, _DEEDS)) or conditions.made(bare)


def _is_op(kind: type[ast.AST]) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, kind)


def _results_by(*kinds: type[ast.operator]) -> Callable[[ast.AST], bool]:
    """What sees whether a variable, or a result, comes by an operator."""

    def comes(node: ast.AST) -> bool:
        match node:
            case ast.AugAssign(op=op) | ast.Return(ast.BinOp(op=op)):
                return isinstance(op, kinds)
        return False

    return comes


def hold(sentences: Sequence[str], task: Task, code: str) -> str:
    """The first sentence whose claims do not hold, or cannot be checked; empty where all do."""
    asked = " ".join(task.ask.lower().split())
    said = [one for one in sentences if one.strip(" `.!") not in asked and made(one)]
    world = world_of(task, code) if said else None
    return next((one for one in said if world and not _holds(_bare(one), world)), "")


def _bare(sentence: str) -> str:
    return sentence.replace("`", "").replace("non negative", "non-negative")


_SEEN: tuple[tuple[re.Pattern[str], Callable[[ast.AST], bool]], ...] = (
    (re.compile(r" \(inclusive\)"), words_for_code.reaches),
    (re.compile(r"\b(?:less|smaller|fewer) than or equal(?: to)?\b"), _is_op(ast.LtE)),
    (re.compile(r"\b(?:greater|larger|more) than or equal(?: to)?\b"), _is_op(ast.GtE)),
    (re.compile(r"\bmultiplies\b"), _results_by(ast.Mult)),
    (re.compile(r"\bsubtracts\b"), _results_by(ast.Sub)),
    (re.compile(r"\bdivides\b"), _results_by(ast.Div, ast.FloorDiv)),
)
"""What a sentence says of a step of a program, and what has it: where it stands there, it holds."""


def _holds(sentence: str, world: World) -> bool:
    if not conditions.hold(sentence, world):
        return False
    for how, has in _SEEN:
        if any(map(has, nodes_of(world.code))):
            sentence = how.sub("does", sentence)
    for how, check in _CHECKS.items():
        for one in how.finditer(sentence):
            try:
                if not check(one, world):
                    return False
            except (TypeError, ValueError, IndexError, ZeroDivisionError, KeyError):
                return False
    if _GIVES.search(sentence) is None and _DEEDS.match(sentence):
        return _is_asked(sentence, world)
    return _OPEN.search(sentence) is None or _words(sentence) <= _words(world.task.ask)


def _words(text: str) -> set[str]:
    found = re.findall(r"[a-z]+(?:-[a-z]+)*", text.lower())
    return {one.rstrip("s") for one in found if len(one) > 2}


def _is_asked(text: str, world: World) -> bool:
    """Whether all that weighs in a text stands in the task, or in the program."""
    known = _words(f"{world.task.ask} {world.code}".replace("_", " "))
    for alike in map(_words, _ALIKE):
        known |= alike if alike & known else set()
    text = text.replace("even or odd", "")
    return _words(text) & _words(" ".join(_WEIGHTY)) <= known


def _fate(one: re.Match[str], world: World) -> bool:
    """Whether what a kind of elements becomes is so: runs with them, and without."""
    words = one["what"].split()
    kinds = _NUMBERS | _CHARACTERS
    tests = [does for it in words for how, does in kinds.items() if re.fullmatch(how, it)]

    def is_one(it: Any) -> bool:
        return all(does(it) for does in tests)

    drops = bool(one["drops"]) is not bool(one.groupdict().get("not"))
    runs = [(args, came) for args, came in world.runs if args and isinstance(args[0], str | list)]
    runs = [(args, came) for args, came in runs if any(map(is_one, args[0]))]
    if one["only"] and not drops:
        told = [_without(args, lambda it: not is_one(it)) for args, _ in runs]
    else:
        told = [_without(args, is_one) for args, _ in runs]
    again, _ = results(world.task, world.code, told)
    same = [came == other for (_, came), (_, other) in zip(runs, again, strict=True)]
    if not drops and not one["only"]:
        return bool(runs) and all(
            _count(came, is_one) == _count(args[0], is_one)
            if isinstance(came, str | list)
            else came != other
            for (args, came), (_, other) in zip(runs, again, strict=True)
        )
    exact = not (one["only"] and drops) or all(
        isinstance(came, str | list) and len(came) == len(args[0]) - _count(args[0], is_one)
        for args, came in runs
    )
    return bool(same) and all(same) and exact


def _passes(one: re.Match[str], world: World) -> bool:
    """Whether a program may leave out what stands in one place: it takes a part of what it is
    given, or looks at places, or the task says so."""
    has_parts = any(
        isinstance(it, ast.Slice)
        or (isinstance(it, ast.Subscript) and isinstance(it.slice, ast.Name | ast.BinOp))
        for it in nodes_of(world.code)
    )
    starts = re.search(r"\b(?:range|islice|enumerate|next)\(", world.code) is not None
    return has_parts or starts or one["place"] in world.task.ask.lower()


def _without(args: list[Any], is_one: Callable[[Any], bool]) -> list[Any]:
    kept = [it for it in args[0] if not is_one(it)]
    return ["".join(kept) if isinstance(args[0], str) else kept, *args[1:]]


def _count(them: Any, is_one: Callable[[Any], bool]) -> int:
    return sum(map(is_one, them))


def _twice(one: re.Match[str], world: World) -> bool:
    drops = bool(one["drops"]) is not bool(one["not"])
    runs = [came for args, came in world.runs if isinstance(came, list | str)]
    again = [len({*map(repr, came)}) < len(came) for came in runs]
    if not again:
        return drops and re.search(r"\bset\(|fromkeys|not in|\{", world.code) is not None
    return bool(again) and (not any(again) if drops else any(again))


def _is(one: re.Match[str], world: World) -> bool:
    """Whether each result is what all of them are said to be."""
    found = [does for how, does in _FORMS.items() if re.search(rf"\b(?:{how})\b", one["what"])]
    if not found or not world.runs:
        return _is_asked(one["what"], world)
    return all(does(came) is not bool(one["not"]) for _, came in world.runs for does in found)


def _ends(one: re.Match[str], world: World) -> bool:
    pick = min if one["one"] == "small" else max
    runs = [came for _, came in world.runs if isinstance(came, list) and came]
    return bool(runs) and all(
        came[0 if one["at"] == "first" else -1] == pick(came) for came in runs
    )


def _order(one: re.Match[str], world: World) -> bool:
    name = one["name"] or one["other"]
    at = world.names.index(name) if name in world.names else 0
    return bool(world.runs) and all(_runs_in(came, args[at]) for args, came in world.runs)


def _runs_in(came: Any, given: Any) -> bool:
    left = iter(given)
    return all(it in left for it in came)


def _gives(one: re.Match[str], world: World) -> bool:
    """Whether what is returned is a sum, a formula, or in the task's words."""
    if re.match(r" (?:an?|the) empty", one["what"]):
        return any(came in ("", [], {}, ()) for _, came in world.runs)
    if re.match(r" -?\d+ (?:for|if|when) ", f"{one['what']} "):  # which is run as an example
        return True
    kinds = [_FORMS[it] for it in _KINDS if re.match(rf" {it}\b", one["what"])]
    if not all(is_one(came) for _, came in world.runs for is_one in kinds):
        return False
    if _COUNT.match(one["what"]) and not all(re.search(r"\d", repr(it)) for _, it in world.runs):
        return False
    total = _TOTAL.fullmatch(one["what"])
    how = total and next((it for it in _TOTALS if re.fullmatch(it, total["how"])), None)
    if total and how and world.runs and not _is_asked(total["how"], world):
        return all(
            came == _TOTALS[how](args[0] if len(args) == 1 and isinstance(args[0], list) else args)
            for args, came in world.runs
        )
    return _is_asked(one["what"], world)


def _formula(one: re.Match[str], world: World) -> bool:
    """Whether a formula stands in the program, or in the task."""
    said = "".join(one[0].split()).replace("//", "/")
    there = "".join(f"{world.code}\n{world.task.ask}".split()).lower().replace("//", "/")
    used = {it.id for it in nodes_of(world.code) if isinstance(it, ast.Name)}
    return said in there or not {*re.findall(r"[a-z]\w*", one[0])} <= used


def _needs(one: re.Match[str], world: World) -> bool:
    heavy = _words(one["what"]) & _words(" ".join(_STATES))
    nouns = "|".join(["array", "int", "list", "number", "string", *world.names])
    given = rf"(?:\bis|\bare|\bbe) {{0}}|\b{{0}} (?:{nouns})"
    ask = world.task.ask.lower()
    return all(re.search(given.format(it), ask) for it in heavy)


def _unused(one: re.Match[str], world: World) -> bool:
    used = {it.id for it in nodes_of(world.code) if isinstance(it, ast.Name)}
    return one["name"] not in {*world.names, *used} or one["name"] not in used


def _spans(one: re.Match[str], world: World) -> bool:
    loops = (ast.For, ast.While, ast.comprehension)
    return any(isinstance(it, loops) for it in nodes_of(world.code)) or "range" in world.code


def _stored(one: re.Match[str], world: World) -> bool:
    what = one["what"]
    kinds = {type(it).__name__.lower() for it in nodes_of(world.code)}
    return any(what in kind for kind in kinds) or f"{what}(" in world.code or what == "string"


def _turned(one: re.Match[str], world: World) -> bool:
    made = {"list": "sorted( split( [", "set": "{"}.get(one["what"], "").split()
    return any(it in world.code for it in (f"{one['what']}(", *made))


def _swapped(one: re.Match[str], world: World) -> bool:
    runs = [(args, came) for args, came in world.runs if len(args) > 1]
    again, _ = results(world.task, world.code, [args[::-1] for args, _ in runs])
    same = [came == other for (_, came), (_, other) in zip(runs, again, strict=True)]
    return bool(same) and all(same) is bool(one["not"])


def _cases(one: re.Match[str], world: World) -> bool:
    return bool(re.search(r"lower|upper|casefold|IGNORECASE", world.code)) is bool(one["in"])


def _in_place(one: re.Match[str], world: World) -> bool:
    return world.changes


def _starts(one: re.Match[str], world: World) -> bool:
    said = ",".join(re.findall(r"-?\d+", one["what"]))
    return said in "".join(f"{world.code}\n{world.task.ask}".split())


_CHECKS: dict[re.Pattern[str], Callable[[re.Match[str], World], bool]] = {
    _FATE: _fate,
    _DOES: _fate,
    _PASSES: _passes,
    _TWICE: _twice,
    _IS: _is,
    _ENDS: _ends,
    _ORDER: _order,
    _GIVES: _gives,
    _FORMULA: _formula,
    _NEEDS: _needs,
    _UNUSED: _unused,
    _SPANS: _spans,
    _STORED: _stored,
    _TURNED: _turned,
    _SWAPPED: _swapped,
    _CASES: _cases,
    _IN_PLACE: _in_place,
    _STARTS: _starts,
}
_RUN = (_FATE, _DOES, _TWICE, _ENDS, _ORDER, _SWAPPED, _CASES)
"""Those that are held against runs to their last word."""


def without_run(sentence: str) -> str:
    """A sentence that holds (:func:`hold`), without what runs showed."""
    bare = _bare(sentence)
    found = [one for how in _RUN for one in how.finditer(bare)]
    if not found:
        return sentence
    for one in found:
        bare = bare.replace(one[0], "it")
    return bare
