"""A file of records: JSON lines that say what each arm is, then a record a run.

It outlasts crashes: what was written whole is kept, what was cut short is cut off. One process
writes to it at a time.
"""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from filelock import FileLock, Timeout

from agentflow.backoff import outlast, silent
from agentflow.errors import BadInput
from agentflow.evaluation.checked import checked
from agentflow.files import DATA, FULL, bounded_lines, unwritable
from agentflow.strict_json import bad_byte, dumps, loads_line
from agentflow.version import __version__


class Kept(Protocol):
    """What is kept in such a file: a dataclass of plain values."""

    @property
    def arm(self) -> str:
        """The name of the arm that it is of."""

    @property
    def key(self) -> Hashable:
        """What tells the run from all others; the last record of a run counts."""

    @property
    def failed(self) -> bool:
        """Whether the run raised, so that it is to be tried again."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One line of a comparison: a method, or a verifier, with settings, under a name."""

    name: str
    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)


R = TypeVar("R", bound=Kept)
D = TypeVar("D")
P = ParamSpec("P")
T = TypeVar("T")

Arms = Mapping[str, dict[str, Any]]
"""The lines of arms by their names."""

NO_RECORD = "not a record of agentflow's, or one of another version"
_DESCRIBES = '{"describes"'
_BEGIN = (_DESCRIBES, '{"arm": "')
"""How the lines of arms, and those of records, begin."""

_DIGITS = 9
"""Of a name that is a number, at most."""
_ARM = {"describes": str, "name": str, "method": str, "version": str, "settings": dict}
"""What the line of an arm has, beside its model."""


def arm_line(
    name: str, method: str, settings: Mapping[str, Any], model: str | None
) -> dict[str, Any]:
    """The line of an arm, as it is read back."""
    line: dict[str, Any] = {"describes": name, "version": __version__, "name": name}
    line |= {"method": method, "settings": {**settings}, "model": model}
    return dict(loads_line(dumps(line).encode()))


def lines_of(arms: Iterable[Arm], model: str | None) -> Arms:
    """The lines of arms that are run on a model."""
    return {arm.name: arm_line(arm.name, arm.method, arm.settings, model) for arm in arms}


def by_arm(records: Iterable[R]) -> dict[str, list[R]]:
    """The records of each arm but for runs that failed, arms as they first appear."""
    arms: dict[str, list[R]] = defaultdict(list)
    for record in records:
        if not record.failed:
            arms[record.arm].append(record)
    return arms


def grouped(items: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Items by their names, in the order of these, numbers by what they are worth; what has no name
    is left out."""
    groups: dict[str, list[T]] = defaultdict(list)
    for name, item in items:
        if name:
            groups[name].append(item)
    names = sorted(groups, key=lambda name: name.zfill(_DIGITS) if name.isdigit() else name)
    return {name: groups[name] for name in names}


def refuse_others(path: Path, arms: Arms) -> None:
    """See that the arms are those that the file was begun with, as far as it has them.

    Raises:
        BadInput: If one was begun with another model, version or settings; or a line cannot be
            read.
    """
    known = described(path)
    for name, line in arms.items():
        if other := _differ(known.get(name, line), line):
            raise BadInput(
                f"{path}: arm {name!r} was begun with another {', '.join(other)}; give the arm "
                "another name, or the records another file"
            )


def _differ(line: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """In what two lines of an arm differ; a setting is named."""
    found = [name for name in ("method", "model", "version") if line[name] != other[name]]
    ours, theirs = line["settings"], other["settings"]
    return found + [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]


def described(path: Path) -> Arms:
    """The lines of arms in a file; none if it is not there.

    Raises:
        BadInput: If one cannot be read; names it.
    """
    found = {}
    for number, line in numbered(path, arms=True):
        if "model" not in line or not all(isinstance(line.get(k), _ARM[k]) for k in _ARM):
            raise BadInput(f"{path}, line {number}: {NO_RECORD}")
        if not line["name"].isprintable():
            raise BadInput(f"{path}, line {number}: {line['name']!r} cannot be an arm's name")
        found[line["name"]] = line
    return found


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Keep others from writing to a file of records, in this process and in others of the machine.

    Raises:
        BadInput: If one does, or the file cannot be written.
    """
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: is no file; records need one")
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout as error:
        if not Path(lock.lock_file).exists():
            raise BadInput(f"{path}: no file can be made in {path.parent}") from error
        raise BadInput(
            f"{path}: is being written to by another run; wait for its end, or name another file"
        ) from error
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        yield
    finally:
        lock.release()


def alone(run: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """A function that is the :func:`only_writer` of a file of records, its argument ``out``."""
    parameters = signature(run)

    @wraps(run)
    async def guarded(*arguments: P.args, **named: P.kwargs) -> T:
        with only_writer(parameters.bind(*arguments, **named).arguments["out"]):
            return await run(*arguments, **named)

    return guarded


async def resume(
    path: Path,
    kind: type[R],
    arms: Arms,
    jobs: Mapping[Any, Callable[[], Awaitable[R]]],
    concurrency: int = 1,
    done: Callable[[R], None] = lambda record: None,
    ready: Callable[[list[Any]], Awaitable[object]] | None = None,
    **waiting: Any,
) -> dict[Any, R]:
    """Run what a file does not hold yet, and again what failed; all its records by their keys.

    Args:
        kind: Of the records.
        arms: The lines of the arms that are run.
        jobs: By the keys of the records that they give.
        ready: Called with the keys of what is to be run, if there is any, before anything is
            written: what every run would fail of is raised here.
        concurrency, done, waiting: As of :func:`append`.

    Raises:
        BadInput: If a line is not a record, an arm was begun with another model, version or
            settings, or the file cannot be written.
    """
    refuse_others(path, arms)
    failed = {record.key: record.failed for record in read(path, kind)}
    todo = [key for key in jobs if failed.get(key, True)]
    if todo and ready is not None:
        await ready(todo)
    await append(path, arms, (jobs[key] for key in todo), concurrency, done, **waiting)
    return latest(path, kind)


def latest(path: Path, kind: type[R]) -> dict[Any, R]:
    """The last record of each run that a file holds, by its key; see :func:`read`."""
    return {record.key: record for record in read(path, kind)}


async def append(
    path: Path,
    arms: Arms,
    jobs: Iterable[Callable[[], Awaitable[D]]],
    concurrency: int,
    done: Callable[[D], None],
    *,
    patience: float = 0.0,
    tell: Callable[[str], None] = silent,
) -> None:
    """Run what gives the records, so many at once, and write each as it comes.

    Args:
        jobs: Taken one by one, as there is room for them.
        done: Told of each record once it is written.
        patience: Seconds that a full disk is waited for; nothing is written in between.
        tell: Told when it is.

    Raises:
        BadInput: If the file cannot be written.
    """
    known, waiting = described(path), iter(jobs)
    with _appending(path) as file:
        turn = asyncio.Lock()

        async def write(line: Any) -> None:
            data = dumps(line).encode() + b"\n"
            async with turn:
                try:
                    await outlast(partial(_put, file, data), _Full, patience, tell)
                except OSError as error:
                    raise BadInput(
                        f"{unwritable(path, error)}; what stands in it is whole, and can be gone "
                        "on with"
                    ) from error

        async def work() -> None:
            for job in waiting:
                record = await job()
                await write(asdict(cast("Any", record)))
                done(record)

        for name, line in arms.items():
            if name not in known:
                await write(line)
        workers = [asyncio.ensure_future(work()) for _ in range(concurrency)]
        try:
            await asyncio.gather(*workers)
        finally:  # nobody writes once the file is closed
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)


class _Full(OSError):
    """There is no room for a line, and none of it was written."""


async def _put(file: int, data: bytes) -> None:
    """Append all of the data, or none of it."""
    before = os.fstat(file).st_size
    rest = data
    try:
        while rest:
            rest = rest[os.write(file, rest) :]
    except OSError as error:
        os.ftruncate(file, before)
        kind = _Full if error.errno in FULL else OSError
        raise kind(error.errno, error.strerror) from error


def read(path: Path, kind: type[D]) -> Iterator[D]:
    """The records of a file, none if it is not there; a last line that a crash cut short, or that
    is being written, is left out.

    Raises:
        BadInput: If another line is not a record; names it.
    """
    for number, line in numbered(path):
        try:
            record = checked(kind, line)
        except (TypeError, ValueError) as error:
            raise BadInput(f"{path}, line {number}: {NO_RECORD} ({error})") from error
        yield record


def numbered(path: Path, arms: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, record) of the whole lines of a file, or (number, arm) of those that describe one.

    Raises:
        BadInput: If one is no JSON object; names it.
    """
    for number, line in enumerate(whole_lines(path), 1):
        if line.startswith(_DESCRIBES) is not arms:
            continue
        try:
            found = loads_line(line.encode())
        except ValueError as error:
            raise BadInput(
                f"{path}, line {number}: not a record; cannot be read as JSON lines: {error}"
            ) from error
        if not isinstance(found, dict):
            raise BadInput(f"{path}, line {number}: {NO_RECORD}")
        yield number, found


def whole_lines(path: Path) -> Iterator[str]:
    """The lines of a file that end; none if it is not there.

    Raises:
        BadInput: If it cannot be read as text, or has nothing but a line without an end that is
            none of ours: who writes to it would cut that off. Names the line.
    """
    number = 1
    try:
        if path.exists():
            with path.open("rb") as file:
                for line in bounded_lines(file, path, DATA):
                    text = line.decode()
                    if text.endswith("\n"):
                        yield text[:-1]
                    elif number == 1 and not _begun(text):
                        raise BadInput(f"{path}, line 1: not a record; name another file")
                    number += 1
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{path}, line {number}: cannot be read as JSON lines: {bad_byte(error)}"
        ) from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read as JSON lines: {error}") from error


def _begun(text: str) -> bool:
    """Whether a text may be a line of ours, cut short anywhere; a crash may leave zeros of it."""
    return not text.strip("\0") or any(text.startswith(one[: len(text)]) for one in _BEGIN)


@contextmanager
def _appending(path: Path) -> Iterator[int]:
    """The file, open behind its last whole line; one that a crash cut short is cut off."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        try:
            os.ftruncate(file, path.read_bytes().rfind(b"\n") + 1)
        except OSError as error:
            raise unwritable(path, error) from error
        yield file
    finally:
        os.close(file)
