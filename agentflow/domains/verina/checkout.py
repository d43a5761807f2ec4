"""Verina's tasks as its repository keeps them: read completely, or said what was not understood.

A checkout has a folder for each task under ``datasets/verina``: ``task.json`` (signature), its
``description.txt``, ``task.lean``, ``test.json`` and ``reject_inputs.json``. A file of rows (JSON
lines) has the same as fields. ``task.lean`` is a whole file of Lean with marked sections; what
stands between them are the heads of the definitions, which the signature determines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentflow.domains.verina import lean_text, values
from agentflow.domains.verina.task import Signature, signature
from agentflow.domains.verina.values import Type, Unread, Value
from agentflow.errors import BadInput
from agentflow.files import text_in

NAMES = (
    *("task_aux", "solution_aux", "precond_aux", "precond", "code_aux", "code"),
    *("postcond_aux", "postcond", "proof_aux", "proof"),
)
"""The sections of ``task.lean`` besides its imports, in their order; the first may be missing."""
DEFINED = ("precond", "code", "postcond", "proof")
"""The sections that are the body of a definition."""
IMPORTS = frozenset({"task", "solution", "test", "llm"})
"""Whose imports a section of them holds."""

_MARK = re.compile(r"[ \t]*-- !benchmark @(start|end) (\w+)[ \t]*(?:type=(\w+))?[ \t]*\n?")
_IMPORT = re.compile(r"import [A-Za-z_][\w.']*")
_ATTRIBUTES = re.compile(r"@\[[\w, ]*\]\s*")
_FILES = ("description.txt", "task.lean", "test.json", "reject_inputs.json")


@dataclass(frozen=True, slots=True)
class Section:
    """The text between two marks, and where it stands in ``task.lean``."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Case:
    """A test: the parameters' values, the result, and results that are wrong."""

    inputs: tuple[Value, ...]
    expected: Value
    unexpected: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A task of Verina.

    Attributes:
        lean: The whole of ``task.lean``.
        imports: Its lines ``import …``.
        sections: By name.
        returns: The type of the result, read.
        assumes: Whether the code and the postcondition take a proof of the precondition.
        rejects: Inputs that the precondition must refuse.
        not_understood: What was not; the task is not used then.
    """

    id: str
    description: str
    head: Signature
    lean: str
    imports: tuple[str, ...]
    sections: Mapping[str, Section]
    returns: Type
    assumes: bool
    cases: tuple[Case, ...]
    rejects: tuple[tuple[Value, ...], ...]
    not_understood: tuple[str, ...] = ()

    def text(self, section: str) -> str:
        """What stands in a section; nothing where there is none."""
        one = self.sections.get(section)
        return "" if one is None else self.lean[one.start : one.end]

    @property
    def proved(self) -> bool:
        """Whether the repository has a proof that the reference meets its specification."""
        found = lean_text.tokens(self.text("proof"))
        return bool(found) and all(token.text != "sorry" for token in found or ())


@dataclass(slots=True)
class _Doubts:
    """Collects what is not understood."""

    found: list[str] = field(default_factory=list)

    def unless(self, holds: bool, what: str) -> None:
        if not holds:
            self.found.append(what)


def tasks(place: Path) -> list[Task]:
    """The tasks of a checkout, of its folder ``datasets/verina``, or of a file of rows.

    Raises:
        BadInput: If there is no such place, no task in it, or a file of a task cannot be read.
    """
    if not place.exists():
        raise BadInput(f"verina: there is no {place}; give the path of a checkout of Verina")
    rows = list(_lines(place) if place.is_file() else _folders(place))
    if not rows:
        raise BadInput(f"verina: no task.json in {place} or in its folder datasets/verina")
    return [read(row) for row in rows]


def _lines(file: Path) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(text_in(file).splitlines(), 1):
        if line.strip():
            yield _object(line, f"{file}, line {number}")


def _folders(place: Path) -> Iterator[Mapping[str, Any]]:
    root = place / "datasets" / "verina" if (place / "datasets" / "verina").is_dir() else place
    for file in sorted(root.glob("*/task.json"), key=lambda file: _numbers(file.parent.name)):
        row = dict(_object(text_in(file), str(file)))
        names = [row.get(f"{name}_file", "") for name in ("description", "lean", "test")]
        names.append(row.get("reject_inputs_file", ""))
        for known, name in zip(_FILES, names, strict=True):
            if name not in ("", known, f"./{known}"):
                raise BadInput(f"verina: {file} names {name!r} where ./{known} was expected")
        description, lean, tests, rejects = (text_in(file.parent / name) for name in _FILES)
        row |= {"description": description, "lean": lean}
        row["tests"] = _json(tests, f"{file.parent}/{_FILES[2]}")
        row["reject_inputs"] = _json(rejects, f"{file.parent}/{_FILES[3]}")
        yield row


def _numbers(name: str) -> list[tuple[int, str]]:
    return [(int(one), "") if one.isdecimal() else (-1, one) for one in re.split(r"(\d+)", name)]


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"verina: {where} is no JSON ({error})") from error


def _object(text: str, where: str) -> Mapping[str, Any]:
    row = _json(text, where)
    if not isinstance(row, dict) or not isinstance(row.get("id"), str):
        raise BadInput(f"verina: {where} is no task: a JSON object with an id")
    return row


def read(row: Mapping[str, Any]) -> Task:
    """The task in a row; what of it was not understood stands in it.

    Raises:
        BadInput: If it has no signature or no Lean that could be a task at all.
    """
    doubts, name = _Doubts(), str(row.get("id"))
    lean, description = row.get("lean"), row.get("description")
    if not isinstance(lean, str) or not isinstance(description, str):
        raise BadInput(f"verina: {name} has no text of Lean, or no description")
    head = signature(row.get("signature"))
    sections, imports = _sections(lean, doubts)
    assumes = True if doubts.found else _assumes(head, lean, sections, doubts)
    kinds, returns = _types(head, doubts)
    cases = list[Case]()
    rejects = list[tuple[Value, ...]]()
    if not doubts.found:
        names = [one for one, _ in head.parameters]
        cases = [*_cases(row.get("tests"), names, kinds, returns, doubts)]
        rejects = [*_rejects(row.get("reject_inputs"), names, kinds, doubts)]
    return Task(
        name,
        description.strip(),
        head,
        lean,
        imports,
        sections,
        returns,
        assumes,
        tuple(cases),
        tuple(rejects),
        tuple(doubts.found),
    )


def _sections(lean: str, doubts: _Doubts) -> tuple[dict[str, Section], tuple[str, ...]]:
    """The sections by name, and the imports; every mark must have its end."""
    found, imports, opened = dict[str, Section](), list[str](), None
    for mark in _MARK.finditer(lean):
        kind, name, whose = mark[1], mark[2], mark[3]
        if kind == "start":
            doubts.unless(opened is None, f"the section {name} begins inside of another")
            doubts.unless(name == "import" or name in NAMES, f"an unknown section {name}")
            doubts.unless(name != "import" or whose in IMPORTS, f"imports of type={whose}")
            opened = mark
            continue
        if opened is None or opened[2] != name:
            doubts.unless(False, f"the section {name} ends where it did not begin")
        elif name == "import":
            lines = lean[opened.end() : mark.start()].split("\n")
            imports += [line.strip() for line in lines if line.strip()]
        else:
            doubts.unless(name not in found, f"there are two sections {name}")
            found[name] = Section(name, opened.end(), mark.start())
        opened = None
    doubts.unless(opened is None, "a section has no end")
    doubts.unless(lean.count("!benchmark") == len(_MARK.findall(lean)), "a mark of another form")
    for line in imports:
        doubts.unless(_IMPORT.fullmatch(line) is not None, f"the import {line!r}")
    order = [name for name in NAMES if name in found]
    doubts.unless(list(found) == order, f"the sections stand in the order {list(found)}")
    doubts.unless(not set(NAMES[1:]) - set(found), "a section is missing")
    for name in DEFINED:
        if name in found:
            inner = lean_text.tokens(lean[found[name].start : found[name].end])
            doubts.unless(bool(inner), f"the section {name} cannot be read, or is empty")
    return found, tuple(imports)


def _assumes(head: Signature, lean: str, sections: Mapping[str, Section], doubts: _Doubts) -> bool:
    """Whether the definitions take a proof of the precondition.

    The text between the sections must be what the signature says, and nothing else.
    """
    pieces, position = list[str](), 0
    for one in sections.values():
        place = f" «{one.name}» " if one.name in DEFINED else "\n"
        pieces += [lean[position : one.start], place]
        position = one.end
    text = _MARK.sub("\n", "".join(pieces) + lean[position:])
    text = "\n".join(line for line in text.split("\n") if not line.startswith("import "))
    found = _words(_ATTRIBUTES.sub("", text))
    for assumes in (True, False):
        if any(found == _words(_frame(head, assumes, prop)) for prop in (" : Prop", "")):
            return assumes
    doubts.unless(False, "the definitions' heads are not those of the signature")
    return True


def _frame(head: Signature, assumes: bool, prop: str) -> str:
    """The heads of a task's definitions, by its signature."""
    name, given = head.name, " ".join(f"({one} : {kind})" for one, kind in head.parameters)
    used = " ".join(one for one, _ in head.parameters)
    holds = f"(h_precond : {name}_precond {used})" if assumes else ""
    proof = "h_precond" if assumes else ""
    return (
        f"def {name}_precond {given} : Prop := «precond»\n"
        f"def {name} {given} {holds} : {head.returns} := «code»\n"
        f"def {name}_postcond {given} (result : {head.returns}) {holds} {prop} := «postcond»\n"
        f"theorem {name}_spec_satisfied {given} {holds} : "
        f"{name}_postcond {used} ({name} {used} {proof}) {proof} := by «proof»\n"
    )


def _words(text: str) -> list[str]:
    """The tokens, without the parentheses around a single name and around several names' types."""
    found = lean_text.tokens(text) or []
    words = [token.text for token in found]
    kept = list[str]()
    for word in words:
        kept.append(word)
        if word == ")" and len(kept) > 2 and kept[-3] == "(":
            kept[-3:] = [kept[-2]]
    return kept


def _types(head: Signature, doubts: _Doubts) -> tuple[list[Type], Type]:
    found = list[Type]()
    for kind in (*(kind for _, kind in head.parameters), head.returns):
        try:
            found.append(values.read_type(kind))
        except Unread as error:
            doubts.unless(False, str(error))
    *kinds, returns = found or [Type("?")]
    return kinds, returns


def _cases(
    rows: Any, names: list[str], kinds: list[Type], returns: Type, doubts: _Doubts
) -> Iterator[Case]:
    doubts.unless(isinstance(rows, list) and bool(rows), "there are no tests")
    for number, row in enumerate(rows if isinstance(rows, list) else []):
        where = f"test {number}"
        if not isinstance(row, dict) or set(row) != {"input", "expected", "unexpected"}:
            doubts.unless(False, f"{where} is no input, expected and unexpected")
            continue
        try:
            inputs = _inputs(row["input"], names, kinds)
            expected = values.read(returns, row["expected"])
            wrong = row["unexpected"]
            if not isinstance(wrong, list):
                raise Unread("unexpected is no list")
            unexpected = tuple(values.read(returns, one) for one in wrong)
        except Unread as error:
            doubts.unless(False, f"{where}: {error}")
            continue
        same = any(one.term == expected.term for one in unexpected)
        doubts.unless(not same, f"{where}: {expected.term} is expected and unexpected")
        yield Case(inputs, expected, unexpected)


def _rejects(
    rows: Any, names: list[str], kinds: list[Type], doubts: _Doubts
) -> Iterator[tuple[Value, ...]]:
    doubts.unless(isinstance(rows, list), "the inputs to reject are no list")
    for number, row in enumerate(rows if isinstance(rows, list) else []):
        try:
            if not isinstance(row, dict) or set(row) != {"input"}:
                raise Unread("it is no input")
            yield _inputs(row["input"], names, kinds)
        except Unread as error:
            doubts.unless(False, f"input {number} to reject: {error}")


def _inputs(row: Any, names: list[str], kinds: list[Type]) -> tuple[Value, ...]:
    if not isinstance(row, dict) or set(row) != set(names):
        raise Unread(f"the inputs are not {', '.join(names)}")
    return tuple(values.read(kind, row[name]) for name, kind in zip(names, kinds, strict=True))
