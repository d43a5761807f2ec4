"""The REPL of the Lean community: many files in one process, which loads their libraries once.

It reads one JSON object after another from its input, with a blank line behind each, and answers
each with an object (https://github.com/leanprover-community/repl, Apache-2.0; looked at in all its
versions from v4.3.0 to v4.33.0). ``{"cmd": "def f := 2"}`` is answered ``{"env": 0}``; a later
``{"cmd": "#eval f", "env": 0}`` goes on from there.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agentflow.tools.lean import (
    LIMITS,
    MESSAGE,
    MISSING,
    Check,
    Message,
    checked,
    failed,
    find_lean,
    lean_path,
    sandbox,
)
from agentflow.tools.sandbox import Execution, Limits, SandboxUnavailable

MISSING_REPL = (
    "there is no REPL here: build https://github.com/leanprover-community/repl at the tag of your "
    "Lean as its README says, and name the program, or its checkout, in AGENTFLOW_LEAN_REPL"
)
SESSION = 16
"""Files that one process checks, at most."""
PER_FILE = 5.0
"""Seconds that each file adds to a session's limits."""

_BUILT = Path(".lake", "build", "bin", "repl")
_PROGRAM = """
import os
with open("requests", "w", encoding="utf-8", errors="replace") as file:
    file.write(data["requests"])
os.dup2(os.open("requests", os.O_RDONLY), 0)
os.execve(data["repl"], [data["repl"]], data["environment"])
"""
_IMPORTS = re.compile(r"^import[ \t]+[^\n]+$", re.MULTILINE)
_SEVERITIES = ("trace", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class Goal:
    """A ``sorry``: where it is, what is to be shown, and the proof state to go on from.

    Attributes:
        line: From 1; 0 where no place is said, as in the reply to a proof step.
    """

    goal: str
    proof_state: int | None = None
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Tactic:
    """A tactic of a command that asked for ``allTactics``.

    Attributes:
        uses: The constants that it uses; said since v4.14.
    """

    tactic: str
    goals: str
    line: int
    column: int
    proof_state: int | None = None
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the REPL answers to a request.

    Attributes:
        env: Where later commands can go on; None in the reply to a proof step, or to a fault.
        proof_state: Where later tactics can go on.
        goals: What a proof step leaves to be shown.
        traces: Of a proof step; said since v4.6.
        proof_status: ``Completed``, ``Incomplete: …`` and the like; said since v4.19.
        infotree: As it was said, since v4.5.
        fault: Why the request was not carried out.
    """

    env: int | None = None
    messages: tuple[Message, ...] = ()
    sorries: tuple[Goal, ...] = ()
    tactics: tuple[Tactic, ...] = ()
    infotree: Any = None
    proof_state: int | None = None
    goals: tuple[str, ...] = ()
    traces: tuple[str, ...] = ()
    proof_status: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """What one process answered.

    Attributes:
        replies: To the first requests; where there are fewer than these, it ended before.
        why: Why it ended before, or could not be started.
        limit: Which limit of the sandbox ended it.
    """

    replies: list[Reply] = field(default_factory=list)
    why: str = ""
    limit: str | None = None
    seconds: float = 0.0


class UnknownReply(ValueError):
    """An answer that is none of the REPL's."""


def written(requests: Sequence[Mapping[str, Any]]) -> str:
    """Requests as every version of the REPL reads them: each on a line, a blank one behind it.

    What need not be escaped is not, so that no Lean has to read a surrogate pair.
    """
    return "".join(json.dumps(one, ensure_ascii=False) + "\n\n" for one in requests)


def read(text: str) -> Iterator[Reply]:
    """The replies in what the REPL prints, one after another; a last one that is cut is left out.

    Raises:
        UnknownReply: At what is no reply.
    """
    decoder, position = json.JSONDecoder(), 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        if text[position] != "{":
            raise UnknownReply(f"the REPL said {text[position : position + 200]!r}")
        try:
            row, position = decoder.raw_decode(text, position)
        except RecursionError as error:
            raise UnknownReply("a reply of the REPL is nested too deep") from error
        except ValueError:
            return
        yield reply(row)


def reply(row: Mapping[str, Any]) -> Reply:
    """One reply, from its JSON.

    Raises:
        UnknownReply: If it has a field that is not known, or one of another type.
    """
    fields = set(row)
    if fields == {"message"} and isinstance(row["message"], str):
        return Reply(fault=row["message"])
    known = {"env", "messages", "sorries", "tactics", "infotree"}
    steps = {"proofState", "goals", "messages", "sorries", "traces", "proofStatus"}
    if not ("env" in fields <= known or {"proofState", "goals"} <= fields <= steps):
        raise UnknownReply(f"a reply with the fields {', '.join(sorted(fields))[:200]}")
    try:
        return Reply(
            _number(row.get("env")),
            tuple(_message(one) for one in row.get("messages", ())),
            tuple(_goal(one) for one in row.get("sorries", ())),
            tuple(_tactic(one) for one in row.get("tactics", ())),
            row.get("infotree"),
            _number(row.get("proofState")),
            tuple(_word(one) for one in row.get("goals", ())),
            tuple(_word(one) for one in row.get("traces", ())),
            _word(row.get("proofStatus", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnknownReply(f"a reply that cannot be read: {error!r}") from error


def _message(row: Any) -> Message:
    if row["severity"] not in _SEVERITIES:
        raise ValueError(f"the severity {row['severity']!r}")
    line, column = _place(row)
    return Message(row["severity"], line, column, _word(row["data"])[:MESSAGE])


def _goal(row: Any) -> Goal:
    line, column = _place(row) if "pos" in row else (0, 0)
    return Goal(_word(row["goal"]), _number(row.get("proofState")), line, column)


def _tactic(row: Any) -> Tactic:
    uses = tuple(_word(one) for one in row.get("usedConstants", ()))
    state = _number(row.get("proofState"))
    return Tactic(_word(row["tactic"]), _word(row["goals"]), *_place(row), state, uses)


def _place(row: Any) -> tuple[int, int]:
    line, column = _number(row["pos"]["line"]), _number(row["pos"]["column"])
    if line is None or column is None:
        raise ValueError("a place without a line or a column")
    return line, column


def _number(given: Any) -> int | None:
    if given is not None and type(given) is not int:
        raise ValueError(f"{str(given)[:40]!r} is no whole number")
    return given


def _word(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{str(given)[:40]!r} is no text")
    return given


def find_repl(path: str = "") -> Path | None:
    """The program, from its path or its checkout's, else from AGENTFLOW_LEAN_REPL; or None."""
    named = path or os.environ.get("AGENTFLOW_LEAN_REPL") or ""
    if not named:
        return None
    place = Path(named).expanduser()
    found = (place / _BUILT if place.is_dir() else place).resolve()
    return found if found.is_file() and os.access(found, os.X_OK) else None


def session(
    requests: Sequence[Mapping[str, Any]],
    path: str = "",
    lean: str = "",
    limits: Limits = LIMITS,
) -> Session:
    """Let one process of the REPL carry requests out, in the sandbox's isolation.

    Args:
        requests: Such as ``{"cmd": "def f := 2"}``; the fields are those of the REPL's README.
        path: The REPL, or its checkout; else AGENTFLOW_LEAN_REPL.
        lean: The program ``lean``, or its toolchain's folder, as of ``lean_tool``.
        limits: Of the whole session.
    """
    program, repl = find_lean(lean), find_repl(path)
    if program is None or repl is None:
        return Session(why=MISSING if program is None else MISSING_REPL)
    libraries = lean_path()
    root = program.parent.parent
    environment = {"LEAN_PATH": ":".join(libraries), "LEAN_SYSROOT": str(root)}
    data = {
        "repl": str(repl),
        "requests": written(requests),
        "environment": environment | {"LEAN_NUM_THREADS": "4"},
    }
    try:
        done = sandbox(program, libraries, repl).run(_PROGRAM, data=data, limits=limits)
    except SandboxUnavailable as error:
        return Session(why=str(error))
    return _session(requests, done)


def _session(requests: Sequence[Mapping[str, Any]], done: Execution) -> Session:
    replies, why = list[Reply](), ""
    try:
        for one in read(done.stdout):
            replies.append(one)
    except UnknownReply as error:
        why = str(error)
    if len(replies) > len(requests):
        return Session(why=f"the REPL gave {len(replies)} replies to {len(requests)} requests")
    if len(replies) < len(requests) and not why:
        last = (done.stderr or (done.failure.message if done.failure else "")).strip()
        why = f"the REPL ended before the last request: {last[-300:]}"
    return Session(replies, why, done.limit, done.seconds)


def check_all(
    sources: Sequence[str], path: str = "", lean: str = "", limits: Limits | None = None
) -> Iterator[Check]:
    """Check files that you trust as ``lean.check`` does, those with the same imports together.

    A file runs code while it is checked, and could write the replies to others: what a model wrote
    is for ``lean.check``.

    Args:
        limits: Of a session; by default 60 seconds and 5 for each file.

    Yields:
        A check for each file, in their order.
    """
    done = dict[int, Check]()
    for number, source in enumerate(sources):
        if number not in done:
            imports = _IMPORTS.findall(source)
            alike = [n for n in range(number, len(sources)) if n not in done]
            alike = [n for n in alike if _IMPORTS.findall(sources[n]) == imports][:SESSION]
            checks = _together([sources[n] for n in alike], imports, (path, lean), limits)
            done |= dict(zip(alike, checks, strict=False))
        yield done.pop(number)


def _together(
    sources: list[str], imports: list[str], paths: tuple[str, str], limits: Limits | None
) -> list[Check]:
    """The checks of the first files, of one at least; one that ends the REPL is checked alone."""
    seconds = LIMITS.seconds + PER_FILE * len(sources)
    cpu = LIMITS.cpu_seconds + PER_FILE * len(sources)
    wide = LIMITS.output_bytes * 8
    given = limits or replace(LIMITS, seconds=seconds, cpu_seconds=cpu, output_bytes=wide)
    marks = [secrets.token_hex(16) for _ in sources]
    bodies = [
        f'{_IMPORTS.sub("", one) if imports else one}\n#print "{mark}"\n'
        for one, mark in zip(sources, marks, strict=True)
    ]
    head = [{"cmd": "\n".join(imports)}] if imports else []
    onto = {"env": 0} if imports else {}
    found = session([*head, *({"cmd": body, **onto} for body in bodies)], *paths, given)
    replies = found.replies
    if head and replies:
        refused = [one for one in replies[0].messages if one.severity == "error"]
        if replies[0].env != 0 or refused:
            first = next((one.text for one in refused), replies[0].fault)
            return [failed("imports", f"Lean does not accept the imports: {first}")] * len(sources)
    checks = [
        _checked(source, mark, one, found)
        for source, mark, one in zip(sources, marks, replies[len(head) :], strict=False)
    ]
    if len(checks) < len(sources):
        alone = sources[len(checks) : len(checks) + 1]
        checks += [_ended(found)] if alone == sources else _together(alone, imports, paths, limits)
    return checks


def _checked(source: str, mark: str, one: Reply, found: Session) -> Check:
    messages = [message for message in one.messages if message.severity != "trace"]
    if one.fault:
        return failed("incomplete", f"the REPL did not check the file: {one.fault[:300]}")
    return checked(source, mark, messages, "", Execution(seconds=found.seconds))


def _ended(found: Session) -> Check:
    if found.limit:
        return Check(limit=found.limit, seconds=found.seconds)
    return failed("incomplete", found.why)
