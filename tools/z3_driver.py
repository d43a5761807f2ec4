"""What runs inside the sandbox for an SMT-LIB program: its text is sent there, see z3_tool.py.

Nothing here is called in the process of agentflow: Z3 can hang where no signal reaches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import z3

_TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|;]+|\s+|["|]')
_CHECKS = ("check-sat", "check-sat-assuming")


class NotSmtLib(ValueError):
    """The text is no sequence of SMT-LIB commands; ``line`` says where, from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def items(text: str) -> Iterator[tuple[str, int]]:
    """The expressions of ``text`` one after the other, each with its offset; comments are left out.

    Raises:
        NotSmtLib: At a bracket, string or quoted symbol that is not closed or not opened.
    """
    depth = start = 0
    for token in _TOKEN.finditer(text):
        said = token[0]
        if said[0] == ";" or said.isspace():
            continue
        if said in ('"', "|"):
            raise NotSmtLib(f"{said} is not closed", _line(text, token.start()))
        if depth == 0:
            start = token.start()
        depth += {"(": 1, ")": -1}.get(said, 0)
        if depth < 0:
            raise NotSmtLib("a closing bracket too many", _line(text, token.start()))
        if depth == 0:
            yield text[start : token.end()], start
    if depth:
        raise NotSmtLib("a bracket is not closed", _line(text, start))


def inner(expression: str) -> list[str]:
    """The parts of a bracketed expression; none for anything else."""
    return [part for part, _ in items(expression[1:-1])] if expression[:1] == "(" else []


def run(program: str, claim: str | None, milliseconds: int) -> dict[str, Any]:
    """Run every command; ask for more at each ``check-sat``; judge the claim at the end.

    Args:
        claim: A term to judge against the assertions that stand at the end.
        milliseconds: Z3's own limit, for each check.

    Returns:
        ``checks`` (each ``status``, ``model``, ``core``, ``reason_unknown``), ``output`` (what
        other commands printed), ``claim`` (the checks of the claim and of its negation),
        ``error`` (``message`` and ``line`` of the first command that failed).
    """
    context = z3.Context()
    found: dict[str, Any] = {"checks": [], "output": "", "claim": None, "error": None}
    place = 0

    def say(command: str) -> str:
        return str(z3.Z3_eval_smtlib2_string(context.ref(), command)).strip()

    named = set(re.findall(r":named\s+(\|[^|]*\||[^\s()]+)", program))

    def check(command: str) -> dict[str, Any]:
        status = say(command)
        model = _model(say("(get-model)"), named) if status == "sat" else None
        core = inner(say("(get-unsat-core)")) if status == "unsat" and named else None
        why = say("(get-info :reason-unknown)") if status == "unknown" else None
        reason = None if why is None else inner(why)[1].strip('"')
        return {"status": status, "model": model, "core": core, "reason_unknown": reason}

    try:
        commands = list(items(program))
        say(f"(set-option :timeout {milliseconds})(set-option :produce-unsat-cores true)")
        for command, place in commands:
            name = (inner(command) or [""])[0]
            if name == "exit":
                break
            if name in _CHECKS:
                found["checks"].append(check(command))
            elif said := say(command):
                if said.startswith("unsupported") and name[:4] not in ("set-", "get-"):
                    raise NotSmtLib(f"Z3 has no command {name[:40]!r}", _line(program, place))
                found["output"] += said + "\n"
        if claim is not None:
            place = len(program)
            if [text.strip() for text, _ in items(claim)] != [claim.strip()]:
                raise NotSmtLib("the claim is not one term", _line(program, place))
            answers = []
            for term in (claim, f"(not {claim})"):
                say(f"(push)(assert {term})")
                answers.append(check("(check-sat)"))
                say("(pop)")
            found["claim"] = answers
    except NotSmtLib as error:
        found["error"] = {"message": str(error), "line": error.line}
    except z3.Z3Exception as error:
        found["error"] = {"message": _message(error), "line": _line(program, place)}
    return found


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _message(error: Exception) -> str:
    """Z3's message without its bytes, its brackets, and a place that is not the program's."""
    message = error.args[0] if error.args else str(error)
    message = message.decode(errors="replace") if isinstance(message, bytes) else str(message)
    quoted = re.findall(r'\(error "((?:[^"]|"")*)"\)', message)
    return re.sub(r"^line \d+ column \d+: ", "", quoted[0] if quoted else message.strip())


def _model(said: str, named: set[str]) -> dict[str, str]:
    """Name -> value; a function is written as a lambda, names of assertions are left out."""
    values = {}
    for definition in inner(said):
        match inner(definition):
            case ["define-fun" | "define-fun-rec", name, parameters, _, value]:
                if name not in named:
                    text = value if parameters == "()" else f"(lambda {parameters} {value})"
                    values[name] = re.sub(r"\s*\n\s*", " ", text)
            case ["declare-fun", name, *_]:  # an element of a sort without interpretation
                values[name] = name
    return values
