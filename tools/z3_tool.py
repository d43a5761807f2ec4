"""The Z3 tool: Python programs with Z3, and SMT-LIB text, run in the sandbox; results as data."""

from __future__ import annotations

import ast
import re
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field

from agentflow.tools.sandbox import Execution, Failure, Limits, Sandbox, SandboxUnavailable, shared
from agentflow.tools.sandbox.tool import within
from agentflow.tools.with_artifact import with_artifact

Outcome = Literal["agree", "contradict", "uncertain", "unsolvable"]
Status = Literal["sat", "unsat", "unknown"]

LIMITS = Limits(seconds=10.0, cpu_seconds=10.0)
_MAX_TEXT = 2_000

_WORDS: dict[str, Outcome] = {word: word for word in get_args(Outcome)}
_WORDS |= {"unknown": "unsolvable", "true": "agree", "false": "contradict"}


@dataclass(frozen=True, slots=True)
class Check:
    """What one ``check-sat`` found.

    Attributes:
        status: As Z3 says it.
        model: Name -> value as SMT-LIB text, where it is satisfiable; a function is a ``lambda``.
        core: Names of assertions that contradict each other, where it is unsatisfiable and the
            program names any (``:named``).
        reason_unknown: Z3's word for why it does not know (``timeout``, ``canceled``).
    """

    status: Status
    model: dict[str, str] | None = None
    core: list[str] | None = None
    reason_unknown: str | None = None


@dataclass(frozen=True, slots=True)
class Z3Result:
    """What a program came to; the tool's artifact is this as a dict, with ``ok``.

    Attributes:
        outcome: VerifiAgent's word for the value of a Python program or for the claim of an SMT-LIB
            program: ``agree`` (entailed), ``contradict`` (its negation is entailed),
            ``uncertain`` (neither), ``unsolvable`` (Z3 does not know, or the assertions contradict
            each other); None where the value is no such word, or there is no claim.
        reason: Why it is ``unsolvable``.
        value: Of a Python program, as the sandbox gives it.
        checks: One for each ``check-sat`` of an SMT-LIB program.
        claim: The check of the claim, then that of its negation.
        output: What the program printed.
        failure: What was wrong with the program, or what it raised.
        limit: Which limit of the sandbox ended it.
        seconds: Wall clock.
    """

    outcome: Outcome | None = None
    reason: str | None = None
    value: Any = None
    checks: list[Check] = field(default_factory=list)
    claim: list[Check] | None = None
    output: str = ""
    failure: Failure | None = None
    limit: str | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the program ran to its end."""
        return self.failure is None and self.limit is None


class Z3Input(BaseModel):
    """The arguments of the tool."""

    program: str = Field(
        description="A Python program that ends with ans = main(), where main() uses z3 and "
        "returns 'Agree', 'Contradict', 'Uncertain' or 'unsolvable'; or SMT-LIB commands"
    )
    language: Literal["python", "smtlib"] = "python"
    claim: str | None = Field(
        default=None,
        description="SMT-LIB only: a Boolean term; the outcome says whether the program's "
        "assertions entail it",
    )


def z3_tool(sandbox: Sandbox | None = None, limits: Limits = LIMITS) -> BaseTool:
    """The LangChain tool ``z3``.

    Args:
        sandbox: Where programs run; the process-wide one by default.
        limits: Of one call. A single check of Z3 may take a third of the wall clock, so that a
            claim and its negation can both time out before the sandbox ends the call.
    """

    def call(
        program: str, language: str = "python", claim: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        try:
            job, before = _job(program, language, claim, limits)
            result = _read(language, (sandbox or shared()).run(**job), before)
        except SandboxUnavailable as error:
            result = Z3Result(failure=Failure("SandboxUnavailable", str(error)))
        return _text(result), asdict(result) | {"ok": result.ok}

    description = "Run the Z3 theorem prover on a Python program or on SMT-LIB text."
    return with_artifact(call, "z3", description, Z3Input)


def z3_within(seconds: str = "") -> BaseTool:
    """The tool whose programs may run for so many seconds; by default as long as LIMITS say.

    Raises:
        ValueError: If that is no number of seconds.
    """
    return z3_tool(limits=within(seconds, LIMITS))


def is_ours(tool: BaseTool) -> bool:
    """Whether :func:`z3_tool` made a tool; another may have its name."""
    return getattr(getattr(tool, "func", None), "__module__", "") == __name__


def outcome_of(value: Any) -> Outcome | None:
    """VerifiAgent's word for what a Z3 program returned, any case; True agrees, False contradicts.

    ``sat`` and ``unsat`` are none of them: what they say of a claim depends on the program.
    """
    return _WORDS.get(str(value).strip().lower()) if isinstance(value, (str, bool)) else None


def judged(positive: Check, negative: Check) -> tuple[Outcome, str | None]:
    """(outcome, why it is unsolvable) by checks of a claim and its negation (VerifiAgent, F)."""
    statuses = (positive.status, negative.status)
    if "unknown" in statuses:
        reason = positive.reason_unknown or negative.reason_unknown
        return "unsolvable", f"Z3 does not know: {reason}"
    if statuses == ("unsat", "unsat"):
        return "unsolvable", "the assertions contradict each other"
    if statuses == ("sat", "sat"):
        return "uncertain", None
    return ("agree" if negative.status == "unsat" else "contradict"), None


@cache
def _text_of(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def _job(
    program: str, language: str, claim: str | None, limits: Limits
) -> tuple[dict[str, Any], int]:
    """What the sandbox is asked to run, and how many lines of ours stand before the program."""
    milliseconds = int(limits.seconds * 1000 / 3)
    if language == "smtlib":
        data = {"program": program, "claim": claim, "milliseconds": milliseconds}
        code = f"{_text_of('z3_driver.py')}\nans = run(**data)\n"
        return {"code": code, "data": data, "limits": limits}, 0
    decided = re.search(r"\b(?:un)?sat\b", program) is not None and "unknown" not in program
    ours = (
        f"import sys, types, z3; z3.set_param('timeout', {milliseconds}); "
        "sys.modules['z3_guard'] = types.ModuleType('z3_guard'); "
        f"exec({_text_of('z3_guard.py')!r}, vars(sys.modules['z3_guard'])); "
        f"sys.modules['z3_guard'].begin({decided})"
    )
    settled = "if 'ans' in globals():\n    __import__('z3_guard').settle(ans)"
    told = f"{_answering(program)}\n{settled}"
    if begin := _future(program):
        return {"code": f"{told[:begin]}; {ours}{told[begin:]}", "limits": limits}, 0
    return {"code": f"{ours}\n{told}", "limits": limits}, 1


def _answering(program: str) -> str:
    """A program whose last expression is its ``ans``, if it has none."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program  # running it will tell
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or re.search(r"\bans\b", program):
        return program
    lines = program.encode().splitlines(keepends=True)
    before, at = b"".join(lines[: last.lineno - 1]), last.col_offset
    line = lines[last.lineno - 1]
    rest = b"".join(lines[last.lineno :])
    return (before + line[:at] + b"ans = " + line[at:] + rest).decode()


def _future(program: str) -> int:
    """Where the statements ``from __future__ import`` end, before which nothing may stand; 0
    without any."""
    try:
        body = ast.parse(program).body if "__future__" in program else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0  # running it will tell
    futures = (n for n in body if isinstance(n, ast.ImportFrom) and n.module == "__future__")
    if (last := max(futures, key=lambda one: one.lineno, default=None)) is None:
        return 0
    lines = program.encode().splitlines(keepends=True)
    before = b"".join(lines[: (last.end_lineno or 1) - 1])
    inside = lines[(last.end_lineno or 1) - 1][: last.end_col_offset]
    return len((before + inside).decode())


def _read(language: str, done: Execution, before: int) -> Z3Result:
    failure = done.failure
    if language == "python":
        if failure is not None and failure.line is not None:
            failure = replace(failure, line=max(1, failure.line - before))
        outcome = outcome_of(done.value) if done.ok else None
        reason = "the program says so" if outcome == "unsolvable" else None
        result = Z3Result(outcome, reason, done.value, output=done.stdout)
        return replace(result, failure=failure, limit=done.limit, seconds=done.seconds)
    if not done.ok:
        return Z3Result(failure=failure, limit=done.limit, seconds=done.seconds)
    found = done.value
    if error := found["error"]:
        failure = Failure("SmtLibError", error["message"], error["line"])
    claim = [Check(**check) for check in found["claim"]] if found["claim"] else None
    outcome, reason = judged(*claim) if claim else (None, None)
    checks = [Check(**check) for check in found["checks"]]
    result = Z3Result(outcome, reason, None, checks, claim, found["output"], failure)
    return replace(result, seconds=done.seconds)


def _text(result: Z3Result) -> str:
    """What a model reads: what was printed, found and judged, and what went wrong."""
    if result.limit:
        return f"stopped at the limit {result.limit}"
    lines = [result.output.strip()] if result.output.strip() else []
    for check in result.checks:
        values = ", ".join(f"{name} = {value}" for name, value in (check.model or {}).items())
        lines.append(" ".join(filter(None, (check.status, values, check.reason_unknown))))
    if result.failure:
        where = f" in line {result.failure.line}" if result.failure.line else ""
        lines.append(f"{result.failure.type}{where}: {result.failure.message}")
    elif result.outcome:
        lines.append(result.outcome + (f": {result.reason}" if result.reason else ""))
    elif result.value is not None:
        lines.append(str(result.value))
    text = "\n".join(lines) or "no result: end the program with ans = main()"
    if len(text) <= _MAX_TEXT:
        return text
    return f"{text[:_MAX_TEXT]} ... (cut)\n{lines[-1][:_MAX_TEXT]}"
