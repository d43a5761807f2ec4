"""The programs that run in the sandbox, as text: an answer called, a program that prints, tests.

Each finds what it works on in ``data``, and leaves what it gives in ``ans``. Why the answer and its
tests run apart is told in :mod:`agentflow.domains.python.running`.
"""

from __future__ import annotations

import inspect

from agentflow.domains.python import carry

CARRY = inspect.getsource(carry).replace("from __future__ import annotations\n", "")
"""How values are carried between processes; stands before the program."""

ANSWER = """
import sys, types
sys.setrecursionlimit(5000)
module = sys.modules["answer"] = types.ModuleType("answer")  # where dataclasses look for it
space = vars(module)
exec(compile(data["stub"], "<given>", "exec"), space)
owner, _, name = data["entry"].rpartition(".")
ended = []
try:
    exec(compile(data["code"], "<answer>", "exec"), space)
except BaseException as error:  # behind the function, in what tries it, maybe
    if owner not in space and name not in space:
        raise
    ended = [["ended", type(error).__name__[:80], str(error)[:200]]]
said = []
for call in data["calls"]:
    arguments, named = unpacked(call)
    function = getattr(space[owner](), name) if owner in space else space[name]
    try:
        value = packed(function(*arguments, **named))
        changed = packed((arguments, named))
        said.append(["value", value] + [changed] * (changed != call))
    except Opaque as error:
        said.append(["opaque", str(error)])
    except Exception as error:
        kinds = [one.__name__[:80] for one in type(error).__mro__]
        said.append(["raised", kinds[0], str(error)[:200], *kinds[1:20]])
ans = said + ended
"""
"""Calls the answer's function: ``data`` has ``stub``, ``code``, ``entry`` and packed ``calls``."""

PRINTS = """
import os, tempfile
with tempfile.TemporaryFile() as given:  # as a file: programs read sys.stdin.buffer, or open(0)
    given.write(data["input"].encode())
    given.seek(0)
    os.dup2(given.fileno(), 0)
exec(compile(data["code"], "<answer>", "exec"), {"__name__": "__main__"})
ans = None
"""
"""Runs a program on an input: ``data`` has ``code`` and ``input``."""

HELPERS = """
import ast, builtins, json, math, random, sys, types

def _listed(value):
    return [_listed(one) for one in value] if isinstance(value, (tuple, list)) else value

def _close(one, other, atol):
    if isinstance(one, float) or isinstance(other, float):
        try:
            return one == other or math.isclose(one, other, rel_tol=1e-7, abs_tol=atol)
        except TypeError:
            return False
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(_close(a, b, atol) for a, b in zip(one, other))
    return one == other
"""
"""What tests may use; stands before the two below."""

TOGETHER = """
sys.setrecursionlimit(5000)
module = sys.modules["answer"] = types.ModuleType("answer")
own = vars(module)
exec(compile(data["setup"], "<setup>", "exec"), own)
given = dict(own)  # one class of each name: a test may expect an error that is given
try:
    exec(compile(data["code"], "<answer>", "exec"), own)
except BaseException:  # in what tries it; that its function is there is known
    pass
made = [one for one, it in given.items() if isinstance(it, types.FunctionType)]
given.update({one: own[one] for one in made if one in own})  # a helper that it makes anew is used
owner, _, name = data["entry"].rpartition(".")

def method(*arguments, **named):
    return getattr(own[owner](), name)(*arguments, **named)

ans = ""
for test in data["tests"]:
    module = sys.modules["tests"] = types.ModuleType("tests")
    space = vars(module)
    space.update(given | {"_close": _close, "_listed": _listed})
    if data["reference"]:
        told = dict(space)
        exec(compile(data["reference"], "<reference>", "exec"), told)
        space["_reference"] = told[name]
    space[name] = method if owner in own else own[name]
    random.seed(0)
    try:
        exec(compile(test, "<test>", "exec"), space)
    except BaseException as error:
        ans = f"{type(error).__name__}: {error!s:.150}"
        break
"""
"""Runs all of an answer and its tests in one process."""

TESTS = """

sys.set_int_max_str_digits(0)

known = {json.dumps(call): said for call, said in data["known"]}
needed, asked, lost = [], [], []

class Need(BaseException):
    pass

class Lost(BaseException):
    pass

raised = []  # by the answer, as its tests see it

def lose(why):
    lost.append(why)  # a test may catch everything
    raise Lost(why)

def lasting(reference):
    # What tells nothing of an input on which it fails itself: JSON has made a list of a tuple.
    def told(*arguments, **named):
        try:
            return reference(*arguments, **named)
        except Exception as error:
            lose(f"the reference ends with {type(error).__name__}: {error}")

    return told

def compares_identity(tree):
    # Values that are carried between processes are other objects.
    return any(
        isinstance(sign, (ast.Is, ast.IsNot)) and not isinstance(one, ast.Constant)
        and not isinstance(node.left, ast.Constant)
        for node in ast.walk(tree) if isinstance(node, ast.Compare)
        for sign, one in zip(node.ops, node.comparators)
    )

def function(*arguments, **named):
    try:
        call = packed(([*arguments], named))
    except Opaque as error:
        lose(f"an argument of type {error}")
    key = json.dumps(call)
    if key not in known:
        needed.append(call)
        raise Need()
    said = known[key]
    asked.append([arguments, named, said])
    if said[0] == "value":
        if len(said) > 2:
            renew(arguments, named, *unpacked(said[2]))
        return unpacked(said[1])
    if said[0] != "raised":
        lose(f"a value of type {said[1]}" if said[0] == "opaque" else said[1])
    raised.append(error_of([said[1], *said[3:]], said[2]))
    raise raised[-1]

def error_of(kinds, message):
    # The error of that name; else one of that name under the first of its bases that is known.
    for base in kinds:
        kind = getattr(builtins, base, space.get(base))
        if isinstance(kind, type) and issubclass(kind, Exception):
            kind = kind if base == kinds[0] else type(kinds[0], (kind,), {})
            try:
                return kind(message)
            except TypeError:  # it wants more than a message
                continue
    return Exception(message)

def renew(arguments, named, *after):
    # What the function made of its arguments.
    for old, new in [*zip(arguments, after[0]), *((named[one], after[1][one]) for one in named)]:
        if type(old) is list:
            old[:] = new
        elif type(old) in (dict, set):
            old.clear()
            old.update(new)

class Patient(ast.NodeTransformer):
    # What waits for a value is left out for now, so that the next ones are asked for, too.
    def visit_Assert(self, node):
        return self.left_out([node], node)[0]

    def visit_For(self, node):
        self.generic_visit(node)
        node.body = self.left_out(node.body, node.body[0])
        return node

    def left_out(self, body, place):
        handler = ast.ExceptHandler(ast.Name("Need_", ast.Load()), None, [ast.Pass()])
        return [ast.copy_location(ast.Try(body, [handler], [], []), place)]

ans = []
for number, test in enumerate(data["tests"]):
    del asked[:], lost[:]
    before = len(needed)
    random.seed(0)
    module = sys.modules["tests"] = types.ModuleType("tests")  # where dataclasses look for it
    space = vars(module)
    space.update({"Need_": Need, "_close": _close, "_listed": _listed})
    line = ""
    try:
        if data["reference"]:
            told = dict(space)
            exec(compile(data["reference"], "<reference>", "exec"), told)
            space["_reference"] = lasting(told[data["name"]])
        exec(compile(data["setup"], "<setup>", "exec"), space)
    except Exception as error:
        ans.append(["lost", f"what stands before it ends with {type(error).__name__}: {error}", ""])
        continue
    try:
        space[data["name"]] = function
        tree = ast.fix_missing_locations(Patient().visit(ast.parse(test, "<test>")))
        if compares_identity(tree):
            lose("it asks whether two values are the same object")
        exec(compile(tree, "<test>", "exec"), space)
        outcome = ["passed", ""]
    except Need:
        outcome = ["needs", ""]
    except Lost as error:
        outcome = ["lost", str(error)]
    except Exception as error:
        unknown = isinstance(error, NameError) and error not in raised
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<test>":
                line = test.splitlines()[trace.tb_lineno - 1].strip()
            trace = trace.tb_next
        outcome = ["failed", line or type(error).__name__]
        if unknown:  # the answer may define it, but nothing of an answer runs here
            outcome = ["lost", str(error)]
    if len(needed) > before:
        outcome = ["needs", ""]
    elif lost:
        outcome = ["lost", lost[0]]
    shown = ""
    if outcome[0] == "failed" and asked:
        arguments, named, said = asked[-1]
        given = ", ".join([*map(repr, arguments), *(f"{a}={b!r}" for a, b in named.items())])
        came = repr(unpacked(said[1])) if said[0] == "value" else f"{said[1]}: {said[2]}"
        shown = f"{data['name']}({given[:200]}) gives {came[:200]}"
    ans.append([*outcome, shown])
ans = {"outcomes": ans, "needed": needed}
"""
"""Runs tests with the values that the answer's function gave, by call (``known``); tells what came
of each, and which calls it still needs."""
