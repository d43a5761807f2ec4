"""A file of records: JSON lines that say what each arm is, then a record a run.

It outlasts crashes: what was written whole is kept, what was cut short is cut off.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from agentflow.errors import BadInput
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
    jobs: Sequence[Callable[[], Awaitable[R]]],
    concurrency: int,
    done: Callable[[R], None],
) -> None:
    """Run what gives the records, so many at once, and write each as it comes.

    Args:
        done: Told of each record once it is written.

    Raises:
        BadInput: If the file cannot be written.
    """
    gate = asyncio.Semaphore(concurrency)
    known = _arms(path)
    with _appending(path) as file:
        for name, line in arms.items():
            if name not in known:
                print(json.dumps(line), file=file, flush=True)

        async def one(job: Callable[[], Awaitable[R]]) -> None:
            async with gate:
                record = await job()
                print(json.dumps(asdict(record)), file=file, flush=True)
                done(record)

        tasks = [asyncio.ensure_future(one(job)) for job in jobs]
        try:
            await asyncio.gather(*tasks)
        finally:  # nobody writes once the file is closed
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def read(path: Path, record: Callable[..., R]) -> list[R]:
    """The records of a file, none if it is not there; a last line that a crash cut short, or that
    is being written, is left out.

    Raises:
        BadInput: If another line is not a record; names it.
    """
    found = []
    for number, line in enumerate(whole_lines(path), 1):
        if line.startswith(_DESCRIBES):
            continue
        try:
            found.append(record(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise BadInput(f"{path}, line {number}: not a record of this version") from error
    return found


def whole_lines(path: Path) -> list[str]:
    """The lines of a file that end; none if it is not there.

    Raises:
        BadInput: If it cannot be read as text.
    """
    try:
        return path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as JSON lines: {error}") from error


def _appending(path: Path) -> TextIO:
    """The file, opened behind its last whole line; one that a crash cut short is cut off."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="utf-8")
        os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error}") from error
    return file
