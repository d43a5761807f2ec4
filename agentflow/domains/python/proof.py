"""Proofs by CrossHair: a contract, or equality with a reference, over every path.

CrossHair runs the answer symbolically in its own process, so that a program which reaches beyond
its own function could forge the outcome. Only code of a small pure part of Python is given to it
(:func:`pure`); and only over whole numbers, truth values and texts is its word taken for a proof:
its floats are not those of Python in every version. Needs ``crosshair-tool`` (extra ``code``).
"""

from __future__ import annotations

import ast
import builtins
from functools import cache
from importlib.util import find_spec

from agentflow.domains.python import carry, running
from agentflow.domains.python.running import Outcome
from agentflow.domains.python.source import binds, nodes_of, tree_of
from agentflow.domains.python.task import Task, function_of
from agentflow.domains.spelling import word_set
from agentflow.tools.sandbox import Limits, Sandbox
from agentflow.version import install

LIMITS = Limits(seconds=60.0, cpu_seconds=60.0, memory_mib=2048, output_bytes=1 << 20)
PATHS = 600
"""Paths of a program that are looked at. A search is counted in work, so that a verdict does not
depend on how fast the machine is, or how busy."""
WORK = 1_000_000
"""Z3's units of work (``rlimit``) for one question about a path."""
SECONDS = 20.0
"""The fence around a search (of CPU time, in the versions of CrossHair that count it)."""
FENCE = "limit"
"""The kind of an outcome where a fence, and not the count, ended the search."""

_HINTS = frozenset({"int", "bool", "str"})
_CALLS = word_set("""
    abs all any bool enumerate int isinstance len list max min range reversed sorted str sum tuple
    zip divmod ord chr set dict
""")
_METHODS = word_set("""
    append count endswith extend find get index insert isalpha isdigit items join keys lower lstrip
    pop replace reverse rstrip sort split startswith strip upper values add
""")
_FORBIDDEN = word_set("""
    eval exec compile open input globals locals vars getattr setattr delattr type super object
    memoryview breakpoint help dir id print exit quit float complex hash format map filter
""")
_TYPES = frozenset({"List", "Tuple", "Dict", "Set", "Optional", "Union", "Any"})
_NODES = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign,
    ast.AnnAssign, ast.For, ast.While, ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue,
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant,
    ast.Subscript, ast.Slice, ast.Name, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Attribute,
    ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.comprehension, ast.Starred,
    ast.ImportFrom, ast.alias,
    ast.Load, ast.Store, ast.keyword, ast.operator, ast.unaryop, ast.cmpop, ast.boolop,
)  # fmt: skip

_PROVE = """
import collections, os, sys, z3
sys.path.insert(0, os.getcwd())
with open("judged.py", "w") as file:
    file.write(data["source"])
import judged
from crosshair.core_and_libs import analyze_function, run_checkables
from crosshair.options import AnalysisKind, AnalysisOptionSet
from crosshair.statespace import MessageType

z3.set_param("rlimit", data["work"])
stats = collections.Counter()
options = AnalysisOptionSet(
    analysis_kind=[AnalysisKind.PEP316], report_all=True, stats=stats,
    max_iterations=data["paths"], max_uninteresting_iterations=sys.maxsize,
    per_condition_timeout=data["seconds"], per_path_timeout=1e6,  # the work ends a path
)
messages = run_checkables(analyze_function(judged.judged_, options))
ans = {
    "messages": [[message.state.name, message.message[:400]] for message in messages],
    "fenced": stats["num_paths"] < data["paths"] and not stats["exhaustion"],
}
"""


@cache
def _sandbox() -> Sandbox:
    return Sandbox(LIMITS, preload=("z3", "crosshair"))


def proved(task: Task, code: str) -> Outcome:
    """Whether the contract, and equality with the reference, hold on every path.

    True only if CrossHair confirms it over all paths; False with its counterexample, which Python
    is to run (:func:`~agentflow.domains.python.properties.on_call`); else None.
    """
    if not task.head or not (task.post or task.reference):
        return Outcome(None, "lost", "there is neither a contract nor a reference")
    if find_spec("crosshair") is None:
        return Outcome(None, "lost", f"CrossHair is not installed: {install('code')}")
    if why := pure(code) or shadowed(task, code):
        return Outcome(None, "lost", f"not given to CrossHair: {why}")
    if why := hinted(task.head):
        return Outcome(None, "lost", f"no proof over {why}")
    source = _source(task, code)
    data = {"source": source, "paths": PATHS, "work": WORK, "seconds": SECONDS}
    execution = _sandbox().run(_PROVE, data=data)
    if execution.limit:
        return _fenced(execution.limit)
    if not execution.ok or not isinstance(execution.value, dict):
        reason = running.why(execution)
        return Outcome(None, "lost", f"CrossHair does not come to an end: {reason}")
    messages = execution.value["messages"]
    if messages and all(state == "CONFIRMED" for state, _ in messages):
        return Outcome(True, passed=len(messages))
    for state, message in messages:
        if state in ("POST_FAIL", "EXEC_ERR"):
            reason = message.replace("judged_", task.entry)
            return Outcome(False, "failed", reason, call=called(message, _names(task)))
    if execution.value["fenced"]:
        return _fenced("seconds")
    return Outcome(None, "lost", f"CrossHair neither proves nor refutes it in {PATHS} paths")


def _fenced(limit: str) -> Outcome:
    reason = f"the limit on {limit} ended the proof, which a quicker machine may come to"
    return Outcome(None, FENCE, reason)


def called(message: str, names: list[str]) -> list[object] | None:
    """The call of ``judged_`` in a message of CrossHair's, packed; None where it has no such call
    with plain values for all parameters."""
    begin = message.find("judged_(")
    for end, sign in enumerate(message):
        if sign != ")" or begin < 0 or end < begin:
            continue
        try:
            call = ast.parse(message[begin : end + 1], mode="eval").body
            assert isinstance(call, ast.Call)
            given = [ast.literal_eval(one) for one in call.args]
            named = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
            values = [*given, *(named[name] for name in names[len(given) :])]
            return carry.packed((values, {})) if len(values) == len(names) else None
        except (SyntaxError, ValueError, KeyError, RecursionError, MemoryError, carry.Opaque):
            continue
    return None


def _names(task: Task) -> list[str]:
    return [one.arg for one in function_of(task.head).args.args]


def pure(code: str) -> str:
    """Why code is not of the small pure part of Python; empty if it is."""
    if (tree := tree_of(code)) is None:
        return "it is no Python"
    own = {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
    if own & (_CALLS | {"judged_", "reference_"}):
        return "a function has the name of a builtin"
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            return f"it has {type(node).__name__}"
        if isinstance(node, ast.FunctionDef) and (node.decorator_list or node.args.defaults):
            return "a function has decorators or defaults"
        if isinstance(node, ast.alias) and (node.asname or node.name not in _TYPES):
            return f"it imports {node.name}"
        if isinstance(node, ast.Attribute) and (
            node.attr not in _METHODS or not isinstance(node.ctx, ast.Load)
        ):
            return f"it uses .{node.attr}"
        if isinstance(node, ast.Name):
            if "__" in node.id or (isinstance(node.ctx, ast.Store) and node.id in _CALLS | own):
                return f"it uses {node.id}"
            if isinstance(node.ctx, ast.Load) and node.id in _FORBIDDEN:
                return f"it uses {node.id}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id not in _CALLS | own:
                return f"it calls {node.func.id}"
        elif isinstance(node, ast.Call) and not isinstance(node.func, ast.Attribute):
            return "it calls what it computed"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Pow | ast.MatMult):
            return "it divides or takes powers, which gives floats"
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex | bytes):
            return "it has a number that is not whole"
    for one in tree.body:
        typed = isinstance(one, ast.ImportFrom) and (one.module, one.level) == ("typing", 0)
        if not isinstance(one, ast.FunctionDef) and not typed:
            return "it has more than functions"
    return ""


def shadowed(task: Task, code: str) -> str:
    """Why code would change what the contract, the reference or the code that is given means, which
    stand in one module with it; empty if it does not. A given helper may be repeated as it is."""
    given = _functions(task.stub)
    own = {
        name
        for name, one in _functions(code).items()
        if name not in given or ast.dump(one) != ast.dump(given[name])
    }
    conditions = [node for one in (*task.pre, *task.post) for node in ast.walk(ast.parse(one))]
    used = {node.id for node in conditions if isinstance(node, ast.Name)}
    others = {*dir(builtins), *binds(task.stub), *binds(task.reference), *used} - {task.entry}
    return f"it defines {min(own & others)} anew" if own & others else ""


def _functions(code: str) -> dict[str, ast.FunctionDef]:
    """The functions of a program by name, the last of each."""
    nodes = nodes_of(code)
    return {one.name: one for one in nodes if isinstance(one, ast.FunctionDef)}


def hinted(head: str) -> str:
    """What in a head no proof is for; empty if all is whole numbers, truth values and texts."""
    function = function_of(head)
    arguments = function.args
    plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults)
    hints = [one.annotation for one in arguments.args] + [function.returns]
    names = [ast.unparse(one) if one is not None else "no hint" for one in hints]
    return "" if plain and set(names) <= _HINTS else ", ".join(names)


def _source(task: Task, code: str) -> str:
    """A module whose function ``judged_`` holds if the answer does."""
    head = task.head.replace(f"def {task.entry}(", "def judged_(", 1)
    head = f"{head.rpartition('->')[0]}-> bool:"
    names = ", ".join(_names(task))
    lines = [task.stub, code]
    checks = [f"({one})" for one in task.post]
    if task.reference:
        renamed = _Renamed(task.entry).visit(ast.parse(task.reference))
        lines.append(ast.unparse(renamed))
        checks.append(f"__return__ == reference_({names})")
    hint = function_of(task.head).returns
    assert hint is not None, "the head has hints"
    returns = ast.unparse(hint)
    checks.append(f"type(__return__) is {returns}" if returns != "str" else "True")
    contract = ["'''", *(f"pre: {one}" for one in task.pre), "post: _", "'''"]
    body = [*contract, f"__return__ = {task.entry}({names})"]
    lines += [head, *(f"    {line}" for line in body)]
    return "\n".join([*lines, f"    return bool({' and '.join(checks)})\n"])


class _Renamed(ast.NodeTransformer):
    """Gives the reference's function another name, wherever it stands."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = "reference_" if node.name == self.name else f"{node.name}"
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = "reference_" if node.id == self.name else node.id
        return node
