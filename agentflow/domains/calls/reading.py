"""Calls in a text, as Python or as JSON."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from agentflow.domains.answers import conclusions
from agentflow.domains.calls import notations, remarks, surroundings
from agentflow.domains.calls.wanted import Calls
from agentflow.models.structured.calls import CALLED, GIVEN, NoCall, read_calls
from agentflow.models.structured.calls import spelled as meant
from agentflow.models.structured.values import Malformed, Reader
from agentflow.thinking import split

_MAX = 20_000
"""Longer texts are not read."""
_MOST_WORK = 12
"""How often an object that has no end may be read, on average."""
_TRIED = 50
"""Lists in a text that are tried, the last ones."""
_OF_GPT_OSS = ("<|channel|>", "<|start|>assistant")
"""How gpt-oss's text with its special tokens begins, in which thinking may stand before calls."""
_SIGNS = re.compile(r"[\[\]]")
_BRACKETS = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|[()\[\]{}]", re.DOTALL)
"""Brackets; those in a text are none."""
_NAMED = re.compile(
    r"[\w.\\]{1,100}(?:\(|\s{0,20}\n\s{0,20}\{)$|<function=[\w.-]{1,200}>\s{0,20}\{$"
)
"""A name in front of the bracket that its call opens."""
_STEP = (
    r"[\"']step[\"']\s{0,20}:\s{0,20}"
    r"(?:\"(?:[^\"\\\n]|\\.){0,300}+\"|'(?:[^'\\\n]|\\.){0,300}+'|\d{1,3}),\s{0,20}"
)
"""A field in front of a call that says which step of a plan it is."""
_KEYED = (
    rf"\{{\s{{0,20}}(?:{_STEP})?[\"'](?:{CALLED}|{GIVEN}|tool_calls|function_call)[\"']\s{{0,20}}:"
)
_BEGINS = re.compile(
    rf"<tool_call>|<function=|{_KEYED}"
    r"|\{\s{0,20}[\"'][\w.]{1,100}[\"']\s{0,20}:\s{0,20}[\"']?\{"
    r"|(?<![\w.\\])(?:await )?[A-Za-z_](?:[\w.]|\\_){0,100}+"
    r"(?:\(\s{0,20}(?:\w(?:\w|\\_){0,100}+\s{0,20}=|(?:\*\*\s{0,9})?\{)"
    rf"|\n\s{{0,20}}(?!{_KEYED})\{{)"
)
"""Where calls begin: ``{"name": ...``, ``[{"f": {...``, ``[{"f": "{...``, ``f(a=``, ``f({``; or a
name above its object."""
_HOLDERS = frozenset(
    {"tool_calls", "tool_call", "calls", "call", "function_calls", "function_call", "functions"}
    | {"function", "actions", "action", "tools", "tool", "answer", "response", "result", "output"}
    | {"message", "messages", "content", "choices", "functionCall", "toolUse", "tool_use"}
)
"""Keys of an object that may hold the calls that are made."""
_SCHEMA = frozenset(("type", "properties", "required", "additionalProperties"))
_CUT = re.compile(r"\s*,\s*")
"""What stands behind calls of which more were to come."""
_COMMENTS = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|(?P<begins>#|(?<!:)//|/\*|<!--)"
)
"""Texts, and where a comment begins."""
_TEXT = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"")
_STRING = re.compile(r"(?:[=(]\s*[rbf]?[\"']{1,3}|\"{3}|'{3})\s*\Z")
"""Where a text begins in Python, in which calls are not made."""
_QUOTED = re.compile(r"\s*(?:\"{3}|'{3})")
_CLOSED = re.compile(r"[\"'\s]*+(?:\]|</\w+>)")
_HANDED_ON = re.compile(rf"(?<![\w.\\])([A-Za-z_][\w.]{{0,100}})\(\s{{0,20}}\[?\s{{0,20}}{_KEYED}")
"""A call as an object that something else is given: ``undo({"name": ...})``."""
_TAGGED = re.compile(
    r"<function=([\w.-]{1,200})>\s{0,20}(\{(?:(?!</?function\b).)*\})\s{0,20}</function>", re.DOTALL
)
"""A call as Llama writes it."""
_OF_CALLS = re.compile(
    r"(?:<function_calls>|```tool_code)[ \t]*\n([^`<]*)(?:</function_calls>|```)\s*\Z"
)
"""A block of calls that a text ends in."""
_AROUND = (
    *(ast.If, ast.IfExp, ast.BoolOp, ast.Not, ast.Compare, ast.Lambda, ast.comprehension, ast.Try),
    *(ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.FunctionDef, ast.ClassDef),
    *(ast.AsyncFunctionDef, ast.Assert, ast.Delete, ast.Raise, ast.Match),
)
"""What in Python makes calls when, and as often as, something else says."""
_OF_GEMINI = re.compile(r"(?:default_api|functions)\.")


def question(given: Any) -> str:
    """The request: a text, or messages in turns.

    Raises:
        TypeError, KeyError: If it is neither.
    """
    if isinstance(given, str):
        return given
    turns = given[0] if given and isinstance(given[0], list) else given
    return "\n".join(str(one["content"]) for one in turns)


def stated(text: str) -> str | None:
    """The calls in a text as it writes them: the last list of them, else what stands between the
    beginning of the first that looks like one and the last bracket; None if there are none, or the
    text around them does not hold on to them."""
    found = _stated(text)
    return found[1] if found else None


def answer(text: str) -> str | None:
    """The same, with what is said around them as the grounds of an answer; also several calls with
    words between them that say which is next."""
    found = _stated(text)
    if found is not None:
        front, said, behind = found
        told = surroundings.remarks(front, behind)
    elif (parts := _parts(text)) is not None:
        said, told = parts
    else:
        return None
    return conclusions.grounded(said, filter(remarks.says, told))


def around(text: str) -> str:
    """What a text says around its calls, and beside them in an API's messages, for their values are
    no sentences of its author; the whole text where it has no calls."""
    if (found := _stated(text)) is None:
        return text
    front, said, behind = found
    without_values = "" if calls(said) is not None else _TEXT.sub('""', said)
    return "\n".join([front, without_values, behind, *beside(said)])


def _parts(text: str) -> tuple[str, list[str]] | None:
    """Several calls in a text, one below the other, with what is said around them; None if there
    are not several, or the words between them do more than to say which is next."""
    if len(text) > _MAX or notations.tagged(text):
        return None
    fronts, said, at = list[str](), list[str](), 0
    while len(said) < _TRIED and (begins := _BEGINS.search(text, at)):
        begin = begins.start()
        end = _end(text, begin)
        if not end:
            return None
        fronts.append(text[at:begin])
        said.append(text[begin:end])
        at = end
    behind, whole = text[at:], "\n".join(said)
    if len({"".join(one.split()) for one in said}) < len(said) or _commented(whole):
        return None  # one that comes twice may be made once
    introduced = (surroundings.introduces(one, whole) for one in fronts)
    if len(said) < 2 or not all(introduced) or not surroundings.hold(behind, whole):
        return None
    told = [line for one in fronts for line in surroundings.remarks("", one)]
    return whole, [*told, *surroundings.remarks("", behind)]


def _commented(said: str) -> bool:
    """Whether calls have a comment between them, which may deny one."""
    return any(one["begins"] for one in _COMMENTS.finditer(said))


def beside(said: str) -> list[str]:
    """The texts beside calls within what :func:`stated` finds: those of an API's messages."""
    if notations.tagged(said) or calls(said) is not None:
        return []
    return [text for one in _objects(said) for text in notations.told(one)]


def _stated(text: str) -> tuple[str, str, str] | None:
    """(what stands in front of the calls, they, what stands behind them)."""
    if text.lstrip().startswith(_OF_GPT_OSS):
        text = split(text).answer or ""
    text = text[-_MAX:]
    place = _place(text)
    if place is None:
        return None
    front, said, behind = text[: place[0]], text[slice(*place)], text[place[1] :]
    if _CUT.fullmatch(behind) or (_STRING.search(front) and behind.lstrip()[:1] in ("'", '"')):
        return None
    if not notations.tagged(said) and (_commented(said) or _QUOTED.match(said)):
        return None
    meant = surroundings.lead_up(front, said) and surroundings.hold(behind, said)
    return (front, said.strip(), behind) if meant else None


def _place(text: str) -> tuple[int, int] | None:
    """Where the calls in a text begin and end."""
    if (found := notations.place(text)) is not None:
        return found
    if "#" not in text and calls(text) is not None:  # a comment may deny them
        return 0, len(text)
    for start, end in islice(_lists(text), _TRIED):
        if calls(text[start:end]) is not None:
            return start, end
    block = _OF_CALLS.search(text)
    if block and "#" not in block[1] and calls(block[1]) is not None:
        return block.span(1)
    begins = _BEGINS.search(text)
    end = max(text.rfind(sign) for sign in ")}") + 1
    if begins is None or begins.end() > end:
        return None
    begin = len(text[: begins.start()].rstrip(" \t\r\n[\"'"))
    end = _end(text, begin) or end
    closed = _CLOSED.match(text, end)
    return begin, closed.end() if closed else end


def _end(text: str, begin: int) -> int:
    """Where the calls that begin at a place end: where words follow their brackets; 0 if those
    are not closed."""
    depth = end = 0
    for sign in _BRACKETS.finditer(text, begin):
        if sign[0] in "([{":
            if end and not depth and not _goes_on(text[end : sign.end()]):
                return end
            depth += 1
        elif sign[0] in ")]}":
            if not depth:  # it was opened in front of them
                return end
            depth -= 1
            end = end if depth else sign.end()
    return end


def _goes_on(between: str) -> bool:
    """Whether what stands between two brackets, with the second, only has the next call begin."""
    if between.endswith("(") and not _NAMED.search(between):
        return False
    return surroundings.is_silent(_NAMED.sub("", between))


def _lists(text: str) -> Iterator[tuple[int, int]]:
    """Where what stands in square brackets begins and ends, the last first, if it has a call."""
    opened, found = list[int](), list[tuple[int, int]]()
    for sign in _SIGNS.finditer(text):
        if sign[0] == "[":
            opened.append(sign.start())
        elif opened:
            found.append((opened.pop(), sign.end()))
    return (one for one in reversed(found) if "(" in text[slice(*one)])


def read(text: str, known: Mapping[str, Any]) -> Calls | None:
    """The calls that a text makes, of the functions there are; None if it is not understood.

    As Python, a call's name is as written; in JSON a dot may be an underscore, for the APIs of
    models allow no dots.

    Args:
        known: What is known of each function.
    """
    if (found := calls(text)) is not None:
        return [(_offered(name, known), values) for name, values in found]
    if (found := notations.read(text, known)) is not None:
        return [(meant(name, known) or name, values) for name, values in found]
    if notations.several(text) or _conditional(text):  # with words between them, or around
        return None
    if any(one[1] != "print" and not meant(one[1], known) for one in _HANDED_ON.finditer(text)):
        return None
    if not all(_is_of_calls(one, known) for one in _objects(text)):
        return None
    try:
        told = read_calls(_TAGGED.sub(r'{"name": "\1", "arguments": \2}', text), known)
    except NoCall:
        return None
    if any("properties" in one.arguments and one.arguments.keys() <= _SCHEMA for one in told):
        return None  # a function that is offered
    return [(one.name, one.arguments) for one in told]


def _objects(text: str) -> Iterator[Any]:
    """The objects in a text, as JSON or as Python has them; those within others are not looked at.
    An object with an empty key stands for what took too long."""
    place, reader = 0, Reader(text)
    while (place := text.find("{", place)) >= 0:
        try:
            found, place = _DECODER.raw_decode(text, place)
            yield found
        except (ValueError, RecursionError):
            try:
                yield reader.value(place)
                place = reader.at
            except Malformed:
                place += 1
            if reader.work > _MOST_WORK * (len(text) + 100):
                yield {"": None}
                return


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; one with an empty key in place of one that has a key twice."""
    return dict(pairs) if len(dict(pairs)) == len(pairs) else {"": None}


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs)


def _is_of_calls(said: Any, known: Mapping[str, Any]) -> bool:
    """Whether an object, down to its calls, has no key that may put them in doubt
    (``bad_example``), and none twice."""
    if isinstance(said, list):
        return all(_is_of_calls(one, known) for one in said)
    if not isinstance(said, dict):
        return True
    if "" in said:
        return False
    if notations.has_arguments(said) or any(meant(one, known) for one in notations.called(said)):
        return all(notations.leaves(key, value) for key, value in said.items())
    if said and all(meant(key, known) for key in said):
        return True
    within = {key: one for key, one in said.items() if isinstance(one, dict | list)}
    if not any(_has_call(one) for one in within.values()):
        return True
    plain = all(notations.leaves(key, one) for key, one in said.items() if key not in within)
    return plain and all(
        key in _HOLDERS and _is_of_calls(one, known) for key, one in within.items()
    )


def _has_call(said: Any) -> bool:
    """Whether there is something like a call in an object."""
    if isinstance(said, list):
        return any(map(_has_call, said))
    if not isinstance(said, dict):
        return False
    return bool({"name", "function"} & said.keys() or notations.called(said)) or any(
        map(_has_call, said.values())
    )


def _conditional(text: str) -> bool:
    """Whether a text is Python that makes its calls only under a condition, or several times, or
    goes on from what they return."""
    try:
        nodes = list(ast.walk(ast.parse(text.strip())))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    goes_on = (one.value for one in nodes if isinstance(one, ast.Attribute | ast.Subscript))
    return any(isinstance(one, _AROUND) for one in nodes) or any(
        isinstance(one, ast.Call | ast.Await) for one in goes_on
    )


def _offered(name: str, names: Collection[str]) -> str:
    """The name of a function without the module in which Gemini has all of them, or what Llama has
    behind it."""
    bare = _OF_GEMINI.sub("", name, count=1)
    bare = bare if bare in names else bare.removesuffix(".call")  # Llama's tools of its own
    return bare if name not in names and bare in names else name


def calls(text: str) -> Calls | None:
    """The calls that a text is, in a list or one a statement; None if it is anything else.

    Names may have points in them; values are literals, and stand behind their parameter's name, or
    by it in a mapping with two stars. A call may be awaited.
    """
    if len(text) > _MAX:
        return None
    try:
        tree = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match tree:
        case [ast.Expr(value=ast.List(elts=listed))]:
            found = [_call(one) for one in listed]
        case _:
            found = [
                _call(one.value) if isinstance(one, ast.Expr | ast.Assign) else None for one in tree
            ]
    read = [one for one in found if one is not None]
    return read if read and len(read) == len(found) else None


def _call(one: ast.expr) -> tuple[str, dict[str, Any]] | None:
    one = one.value if isinstance(one, ast.Await) else one
    if not isinstance(one, ast.Call) or one.args or (name := _name(one.func)) is None:
        return None
    try:
        said = [(k.arg, ast.literal_eval(k.value)) for k in one.keywords]
        pairs = [pair for key, value in said for pair in ([(key, value)] if key else value.items())]
        given = {key: _plain(value) for key, value in pairs}
    except (ValueError, TypeError, AttributeError, SyntaxError, RecursionError, MemoryError):
        return None
    if len(given) < len(pairs) or not all(isinstance(key, str) for key in given):
        return None
    return name, given


def _name(one: ast.expr) -> str | None:
    if isinstance(one, ast.Name):
        return one.id
    if isinstance(one, ast.Attribute) and (before := _name(one.value)) is not None:
        return f"{before}.{one.attr}"
    return None


def _plain(value: Any) -> Any:
    """A literal as JSON has it.

    Raises:
        ValueError: If JSON has no such thing.
    """
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ValueError(f"no such value: {value!r:.40}")
