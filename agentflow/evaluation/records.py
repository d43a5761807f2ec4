"""A file of records: JSON lines that say what each arm is, then a record a run.

It outlasts crashes: what was written whole is kept, what was cut short is cut off.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agentflow.errors import BadInput
from agentflow.evaluation.patience import outlast, silent
from agentflow.version import __version__

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    R = TypeVar("R", bound=DataclassInstance)

Arms = Mapping[str, dict[str, Any]]
"""The lines of arms by their names."""

_DESCRIBES = '{"describes"'


def arm_line(
    name: str, method: str, settings: Mapping[str, Any], model: str | None
) -> dict[str, Any]:
    """The line of an arm, as it is read back."""
    line = {"describes": name, "version": __version__, "name": name, "method": method}
    return dict(json.loads(json.dumps({**line, "settings": {**settings}, "model": model})))


def refuse_others(path: Path, arms: Arms) -> None:
    """See that the arms are those that the file was begun with, as far as it has them.

    Raises:
        BadInput: If one was begun with another model, version or settings; or a line cannot be
            read.
    """
    known = _arms(path)
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


def _arms(path: Path) -> Arms:
    found = [json.loads(line) for line in whole_lines(path) if line.startswith(_DESCRIBES)]
    return {one["describes"]: one for one in found}


async def append(
    path: Path,
    arms: Arms,
    jobs: Iterable[Callable[[], Awaitable[R]]],
    concurrency: int,
    done: Callable[[R], None],
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
    known, waiting = _arms(path), iter(jobs)
    with _appending(path) as file:
        turn = asyncio.Lock()

        async def write(line: Any) -> None:
            data = json.dumps(line).encode() + b"\n"
            async with turn:
                try:
                    await outlast(partial(_put, file, data), _Full, patience, tell)
                except OSError as error:
                    raise BadInput(
                        f"{path}: cannot be written: {error}; what stands in it is whole, and can "
                        "be gone on with"
                    ) from error

        async def work() -> None:
            for job in waiting:
                record = await job()
                await write(asdict(record))
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
        kind = _Full if error.errno in (errno.ENOSPC, errno.EDQUOT) else OSError
        raise kind(error.errno, error.strerror) from error


def read(path: Path, record: Callable[..., R]) -> Iterator[R]:
    """The records of a file, none if it is not there; a last line that a crash cut short, or that
    is being written, is left out.

    Raises:
        BadInput: If another line is not a record; names it.
    """
    for number, line in enumerate(whole_lines(path), 1):
        if line.startswith(_DESCRIBES):
            continue
        try:
            yield record(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise BadInput(f"{path}, line {number}: not a record of this version") from error


def whole_lines(path: Path) -> Iterator[str]:
    """The lines of a file that end; none if it is not there.

    Raises:
        BadInput: If it cannot be read as text.
    """
    try:
        if path.exists():
            with path.open(encoding="utf-8", newline="\n") as file:
                yield from (line[:-1] for line in file if line.endswith("\n"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as JSON lines: {error}") from error


@contextmanager
def _appending(path: Path) -> Iterator[int]:
    """The file, open behind its last whole line; one that a crash cut short is cut off."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error}") from error
    try:
        os.ftruncate(file, path.read_bytes().rfind(b"\n") + 1)
        yield file
    finally:
        os.close(file)
