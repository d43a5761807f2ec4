"""The Lean tool: checks a Lean 4 file with a local ``lean``, in the sandbox's isolation."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import tomllib
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field

from agentflow.tools.sandbox import Execution, Limits, Sandbox, SandboxUnavailable
from agentflow.tools.with_artifact import with_artifact

LIMITS = Limits(
    seconds=60.0,
    cpu_seconds=120.0,
    memory_mib=16 * 1024,  # of addresses: compiled libraries are mapped; Lean itself gets MEMORY
    processes=32,
    output_bytes=256 * 1024,
    file_mib=16,
)
MEMORY = 4096
"""MiB that Lean may allocate."""
SOURCE = 1_000_000
"""Characters of a file, at most."""
MESSAGE = 4_000
"""Characters of a message."""

MISSING = (
    "there is no Lean 4 here: install elan (https://github.com/leanprover/elan), or name the "
    "program lean, or its toolchain's folder, in AGENTFLOW_LEAN"
)

_PROGRAM = """
import os
lean = data["lean"]
for name in ("self", str(os.getpid())):  # where Lean looks up which program it is
    os.makedirs(f"proc/{name}", exist_ok=True)
    os.symlink(lean, f"proc/{name}/exe")
with open("Main.lean", "w", encoding="utf-8", errors="replace") as file:
    file.write(data["source"])
os.execve(lean, [lean, *data["arguments"], "Main.lean"], data["environment"])
"""
_SEVERITIES = {"information": "info", "warning": "warning", "error": "error"}
_COMMENT = re.compile(r"^\s*--(?!.*-/).*$", re.MULTILINE)
"""A line that holds nothing else, wherever it stands."""
_AXIOM = re.compile(r"\baxiom\b\s*([^\s:({\[]*)")
_SORRY = re.compile(r"declaration uses .?sorry")
_ESCAPES = re.compile(
    r"#eval!?|#exit|\b(?:run_cmd|run_elab|run_meta|run_tac|initialize|builtin_initialize|elab"
    r"|elab_rules|macro|macro_rules|unsafe|implemented_by|extern|native_decide"
    r"|ofReduceBool|warn\.sorry|debug\.skipKernelTC|addDecl)\b"
)


@dataclass(frozen=True, slots=True)
class Message:
    """What Lean says: ``severity`` is info, warning or error; the column counts from 0."""

    severity: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """What a check came to; the tool's artifact is this as a dict, with ``ok``.

    A file is a proof of what it states if it is ``ok``, uses no ``sorry``, declares no axiom, and
    has no escapes.

    Attributes:
        messages: In Lean's order.
        uses_sorry: Whether Lean says that a declaration uses ``sorry`` (or ``admit``).
        axioms: What stands behind each word ``axiom``, be it in a comment.
        escapes: Words, be it in a comment, by which a file can get around the kernel: code that
            runs while it is checked, and may end Lean or write its messages; code that is trusted
            unchecked; a switch that hides ``sorry``. Lines that are but a comment do not count.
        complete: Whether Lean came to the end of the file.
        failure: Why it could not be checked: ``type`` is ``missing`` (no Lean),
            ``SandboxUnavailable``, ``source`` or ``incomplete`` (Lean ended before the end of the
            file).
        limit: Which limit of the sandbox ended it.
        seconds: Wall clock.
    """

    messages: list[Message] = field(default_factory=list)
    uses_sorry: bool = False
    axioms: list[str] = field(default_factory=list)
    escapes: list[str] = field(default_factory=list)
    complete: bool = False
    failure: dict[str, str] | None = None
    limit: str | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether Lean read the file to its end and found no error."""
        wrong = any(message.severity == "error" for message in self.messages)
        return not wrong and self.failure is None and self.limit is None


class LeanInput(BaseModel):
    """The arguments of the tool."""

    source: str = Field(description="The text of a Lean 4 file.")


def lean_tool(path: str = "", limits: Limits = LIMITS) -> BaseTool:
    """The tool ``lean``; its artifact is a :class:`Check` as a dict, with ``ok``.

    Args:
        path: The program, or its toolchain's folder; else AGENTFLOW_LEAN, PATH and elan's folder
            are looked at when the tool is called. Libraries such as Mathlib are found by Lean's
            own LEAN_PATH (``lake env printenv LEAN_PATH`` prints it).
        limits: Of one check.
    """

    def lean(source: str) -> tuple[str, dict[str, Any]]:
        done = check(source, path, limits)
        return _content(done), asdict(done) | {"ok": done.ok}

    description = "Checks a Lean 4 file and gives back Lean's messages."
    return with_artifact(lean, "lean", description, LeanInput)


def check(source: str, path: str = "", limits: Limits = LIMITS) -> Check:
    """Check a file; what goes wrong stands in the result."""
    if not source.strip() or len(source) > SOURCE:
        what = "is empty" if not source.strip() else f"has more than {SOURCE} characters"
        return failed("source", f"the file {what}")
    program = find_lean(path)
    if program is None:
        return failed("missing", MISSING)
    mark = secrets.token_hex(16)
    libraries = lean_path()
    data = {
        "lean": str(program),
        "source": f'{source}\n#print "{mark}"\n',
        "arguments": ["--json", "--threads=4", f"--memory={MEMORY}"],
        "environment": {"LEAN_PATH": ":".join(libraries), "LEAN_NUM_THREADS": "4"},
    }
    try:
        done = sandbox(program, libraries).run(_PROGRAM, data=data, limits=limits)
    except SandboxUnavailable as error:
        return failed("SandboxUnavailable", str(error))
    return _read(source, mark, done)


def lean_path() -> tuple[str, ...]:
    """The folders of LEAN_PATH, where libraries such as Mathlib are."""
    return tuple(folder for folder in os.environ.get("LEAN_PATH", "").split(":") if folder)


def find_lean(path: str = "") -> Path | None:
    """The program ``lean`` itself (elan's stands in for many), or None."""
    named = path or os.environ.get("AGENTFLOW_LEAN") or ""
    if named:
        place = Path(named).expanduser()
        return _program(place / "bin" / "lean" if place.is_dir() else place)
    elan = Path(os.environ.get("ELAN_HOME") or Path.home() / ".elan")
    on_path = Path(shutil.which("lean") or "elan").resolve()
    if on_path.name == "lean" and not on_path.is_relative_to(elan.resolve() / "bin"):
        return _program(on_path)
    return _of_elan(elan)


def _of_elan(elan: Path) -> Path | None:
    """The default toolchain's program, else the newest."""
    try:
        settings = tomllib.loads((elan / "settings.toml").read_text(encoding="utf-8"))
        default = str(settings.get("default_toolchain", ""))
    except (OSError, ValueError):
        default = ""
    programs = list(elan.glob("toolchains/*/bin/lean"))
    folder = default.replace("/", "--").replace(":", "---")
    named = [one for one in programs if folder and one.parent.parent.name == folder]
    newest = sorted(programs, key=lambda one: one.stat().st_mtime)
    return _program((named or newest)[-1]) if programs else None


def _program(place: Path) -> Path | None:
    found = place.resolve()
    return found if found.is_file() and os.access(found, os.X_OK) else None


@cache
def sandbox(program: Path, libraries: tuple[str, ...], *more: Path) -> Sandbox:
    """One for each toolchain: it sees Lean and its libraries, besides the system's, and ``more``.

    Raises:
        SandboxUnavailable: If the kernel offers too little to isolate programs.
    """
    folder = program.parent.parent
    shown = [program, folder / "lib" / "lean", *folder.glob("lib/*.so*"), *more]
    mounts = [str(one) for one in shown if one.exists()]
    there = [one for one in libraries if os.path.isdir(one)]
    return Sandbox(LIMITS, preload=(), mounts=[*mounts, *there])


def _read(source: str, mark: str, done: Execution) -> Check:
    found = [_message(line) for line in done.stdout.splitlines()]
    last = (done.stderr or done.stdout).strip() or (done.failure and done.failure.message)
    return checked(source, mark, [one for one in found if one], str(last), done)


def checked(source: str, mark: str, said: list[Message], last: str, done: Execution) -> Check:
    """What a check came to.

    Args:
        mark: The message at the file's end, by which it is known that Lean came there.
        said: Its messages.
        last: What was printed last, of use where the mark is missing.
        done: Its limit and its time.
    """
    messages = [one for one in said if one.text.strip() != mark]
    complete = len(messages) < len(said)
    code = _COMMENT.sub("", source)
    failure = None
    if not complete and done.limit is None and not any(m.severity == "error" for m in messages):
        why = f"Lean ended before the file did: {last[-300:]}"
        failure = {"type": "incomplete", "message": why}
    return Check(
        messages,
        any(_SORRY.search(message.text) for message in messages),
        _AXIOM.findall(code),
        sorted(set(_ESCAPES.findall(code))),
        complete,
        failure,
        done.limit,
        done.seconds,
    )


def _message(line: str) -> Message | None:
    """One of Lean's messages from a line of ``--json``; None of any other line."""
    try:
        one = json.loads(line)
        place = one["pos"]
        severity, text = _SEVERITIES[one["severity"]], str(one["data"])
        return Message(severity, int(place["line"]), int(place["column"]), text[:MESSAGE])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def failed(kind: str, message: str) -> Check:
    return Check(failure={"type": kind, "message": message})


def _content(done: Check) -> str:
    """What a model reads."""
    if done.failure:
        return f"The file was not checked: {done.failure['message']}"
    if done.limit:
        return f"The file was not checked to its end: the limit on {done.limit} was reached"
    lines = [
        f"line {one.line}, column {one.column}: {one.severity}: {one.text}" for one in done.messages
    ]
    notes = {
        "It uses sorry.": done.uses_sorry,
        f"It declares axioms: {', '.join(done.axioms)}.": done.axioms,
        f"It can get around the check with: {', '.join(done.escapes)}.": done.escapes,
    }
    verdict = "Lean accepts the file." if done.ok else "Lean finds errors in the file."
    return "\n".join([verdict, *(note for note, holds in notes.items() if holds), *lines])
