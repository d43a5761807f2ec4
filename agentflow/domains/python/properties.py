"""Counterexamples by Hypothesis: inputs drawn from type hints, judged by a contract or a reference.

Inputs are drawn, and what comes of them is judged, in processes that the answer never enters; the
answer's own process gets the inputs alone. Needs the package ``hypothesis`` (extra ``code``).
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.util import find_spec

from agentflow.domains.python import carry, programs, running
from agentflow.domains.python.running import Outcome
from agentflow.domains.python.samples import written
from agentflow.domains.python.task import Task, function_of
from agentflow.tools.sandbox import Sandbox
from agentflow.version import install

DRAWN = 60

_DRAW = """
import typing, random, json, math
from typing import *
from hypothesis import HealthCheck, given, settings, seed
from hypothesis import strategies as st

space = dict(globals())
exec(compile(data["stub"], "<given>", "exec"), space)
exec(compile(data["head"] + "\\n    pass", "<head>", "exec"), space)
function = space[data["name"]]
hints = typing.get_type_hints(function)
hints.pop("return", None)
small = {int: st.integers(-50, 50) | st.integers(), str: st.text("abcxyz ABC019()[]", max_size=8)
         | st.text(max_size=8), float: st.floats(-100, 100, width=32)}
for kind, how in small.items():
    st.register_type_strategy(kind, how)
found, order = [], list(function.__code__.co_varnames[: function.__code__.co_argcount])
pre = [compile(one, "<pre>", "eval") for one in data["pre"]]

@settings(max_examples=data["drawn"], database=None, deadline=None, derandomize=True,
          suppress_health_check=list(HealthCheck))
@given(st.fixed_dictionaries({name: st.from_type(hints[name]) for name in order}))
def draw(values):
    for one in pre:
        try:
            if not eval(one, space, dict(values)):
                return
        except Exception:
            return
    try:
        call = packed(([values[name] for name in order], {}))
    except Opaque:
        return
    if call not in found:
        found.append(call)

draw()
ans = sorted(found, key=lambda call: len(json.dumps(call)))
"""
_HOLDS = """
import math
from typing import *

space = dict(globals())
exec(compile(data["stub"], "<given>", "exec"), space)
pre = [compile(one, "<pre>", "eval") for one in data["pre"]]
post = [(one, compile(one, "<post>", "eval")) for one in data["post"]]
ans = None

def asked_for(values):
    try:
        return all(eval(one, space, dict(values)) for one in pre)
    except Exception:
        return False

for call, said in zip(data["calls"], data["said"]):
    arguments, _ = unpacked(call)
    if not asked_for(zip(data["order"], arguments)):
        continue
    shown = ", ".join(map(repr, arguments))[:200]
    if said[0] in ("opaque", "lost"):
        continue
    if said[0] == "raised":
        ans = f"{data['name']}({shown}) raises {said[1]}: {said[2]}"
        break
    value = unpacked(said[1])
    scope = dict(zip(data["order"], arguments)) | {"__return__": value}
    for text, one in post:
        try:
            holds = eval(one, space, scope)
        except Exception as error:
            holds = False
        if not holds:
            ans = f"{data['name']}({shown}) gives {value!r:.200}, against {text}"
            break
    if ans:
        break
"""


def counterexample(task: Task, code: str) -> Outcome:
    """An input for which the answer breaks the contract, or differs from the reference.

    Passes only in the sense that none was found. An input for which the reference raises is left
    out; one for which the answer raises, and the contract or the reference allows it, is one.
    """
    if not task.head or not (task.post or task.reference):
        return Outcome(None, "lost", "there is neither a contract nor a reference")
    if find_spec("hypothesis") is None:
        return Outcome(None, "lost", f"hypothesis is not installed: {install('code')}")
    drawn = _drawn(task)
    if isinstance(drawn, Outcome):
        return drawn
    return _judged(task, code, *drawn)


def on_call(task: Task, code: str, call: object) -> Outcome:
    """The same for one call that somebody says is a counterexample: Python runs it."""
    calls, expected = _known(task, [call]) if task.reference else ([call], [])
    if not calls:
        return Outcome(None, "lost", "the reference gives nothing for it")
    return _judged(task, code, calls, expected)


def _judged(task: Task, code: str, calls: list[object], expected: list[list[object]]) -> Outcome:
    """What the answer makes of calls; ``expected`` is what the reference does."""
    name = task.entry
    replies = running.call(task, code, calls) if calls else []
    if isinstance(replies, Outcome):
        return replies
    if task.reference:
        for call, own, right in zip(calls, replies, expected, strict=True):
            if own[0] in ("opaque", "lost"):
                continue
            if json.dumps(own) != json.dumps(right) and not _equal(own, right):
                return Outcome(False, "failed", _differs(name, call, own))
    if task.post:
        order = [one.arg for one in function_of(task.head).args.args]
        more = {"calls": calls, "said": replies, "post": list(task.post), "order": order}
        data = {"stub": task.stub, "name": name, "pre": list(task.pre)}
        held = running.sandbox().run(programs.CARRY + _HOLDS, data=data | more)
        if not held.ok and not (held.failure and held.failure.type == "MissingValue"):
            return Outcome(None, "lost", "the contract cannot be evaluated")
        if isinstance(held.value, str):
            return Outcome(False, "failed", held.value)
    return Outcome(True, passed=len(calls))


@cache
def _sandbox() -> Sandbox:
    return Sandbox(running.LIMITS, preload=("hypothesis",))


@lru_cache(maxsize=64)
def _drawn(task: Task) -> tuple[list[object], list[list[object]]] | Outcome:
    """Inputs, the shortest first, and what the reference gives for them, where there is one."""
    data = {"stub": task.stub, "head": task.head, "name": task.entry, "pre": list(task.pre)}
    drawn = _sandbox().run(programs.CARRY + _DRAW, data=data | {"drawn": DRAWN})
    if not drawn.ok or not isinstance(drawn.value, list):
        return Outcome(None, "lost", f"no inputs can be drawn: {running.why(drawn)}")
    return _known(task, drawn.value) if task.reference else (drawn.value, [])


def _known(task: Task, calls: list[object]) -> tuple[list[object], list[list[object]]]:
    """The calls for which the reference gives a value, and these."""
    said = running.call(task, task.reference, calls)
    if isinstance(said, Outcome):
        return [], []
    pairs = [(one, told) for one, told in zip(calls, said, strict=True) if told[0] == "value"]
    return [one for one, _ in pairs], [told for _, told in pairs]


def _equal(one: list[object], other: list[object]) -> bool:
    if one[0] != "value" or other[0] != "value":
        return False
    a, b = carry.unpacked(one[1]), carry.unpacked(other[1])
    if isinstance(a, float) and isinstance(b, float | int):
        return bool(a == b or abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b)) or (a != a and b != b))
    return bool(a == b)


def _differs(name: str, call: object, own: list[object]) -> str:
    arguments, _ = carry.unpacked(call)
    shown = ", ".join(map(written, arguments))[:200]
    if own[0] == "value":
        return f"{name}({shown}) gives {written(carry.unpacked(own[1]))}, which is not right"
    return f"{name}({shown}) raises {own[1]}"
