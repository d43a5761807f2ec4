"""Files that people name: read so that a bad byte is found, written so that none is left half."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from agentflow.errors import BadInput
from agentflow.strict_json import bad_byte

TEXT, DATA = 10_000_000, 1_000_000_000
"""Most bytes of a text that a person wrote, and of what programs wrote."""
_AT_ONCE = 1 << 20
FULL = (errno.ENOSPC, errno.EDQUOT)
"""What the system says of a disk without room."""


def unwritable(place: object, error: OSError) -> BadInput:
    """The error of a file that cannot be written: names it, and what to do."""
    remedy = "make room for it, or name another place" if error.errno in FULL else "name another"
    return BadInput(f"{place}: cannot be written ({error.strerror or error}); {remedy}")


def see_writable(path: Path) -> None:
    """See that a file can be written, before anything is run for it.

    Raises:
        BadInput: If it cannot; says why and what to do.
    """
    if path.is_dir():
        raise BadInput(f"{path}: is a folder; name a file in it")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent}; make it first")
    _see_access(path, path if path.exists() else path.parent)


def see_folder(folder: Path) -> None:
    """See that a folder can be written into, or made.

    Raises:
        BadInput: If it cannot; says why and what to do.
    """
    place = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not place.is_dir():
        raise BadInput(f"{folder}: {place} is a file, not a folder; name another")
    _see_access(folder, place)


def _see_access(wanted: Path, place: Path) -> None:
    if not os.access(place, os.W_OK):
        raise BadInput(f"{wanted}: cannot be written (no permission at {place}); name another")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: a failure leaves what was there before.

    Raises:
        BadInput: If it cannot be written.
    """
    try:
        with draft_of(path) as draft:
            draft.write_bytes(data)
    except OSError as error:
        raise unwritable(path, error) from error


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """Where the block writes a file so that it appears whole, at the block's end, or not at all.

    Raises:
        OSError: If it cannot take the file's place.
    """
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
        yield path
        return
    target = path.resolve()
    draft = target.with_name(f".{uuid4().hex}.tmp")
    try:
        yield draft
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def reading(place: object) -> Iterator[None]:
    """For reading a file.

    Raises:
        BadInput: What the system says against it, with the file's name.
    """
    try:
        yield
    except OSError as error:
        raise BadInput(f"{place} cannot be read: {error.strerror or error}") from error


def standard_input() -> BinaryIO:
    """Standard input, as bytes.

    Raises:
        BadInput: If this process was started without one.
    """
    if sys.stdin is None:
        raise BadInput("standard input is closed; give what is to be read as a file or argument")
    return sys.stdin.buffer


def bounded(file: BinaryIO, place: object, most: int) -> bytes:
    """What is left of an open file; of a device or a pipe, which may have no end, no more is read.

    Raises:
        BadInput: If that is more than ``most`` bytes.
    """
    parts, left = list[bytes](), most + 1
    while left and (part := file.read(min(left, _AT_ONCE))):
        parts.append(part)
        left -= len(part)
    if not left:
        raise BadInput(f"{place} has more than {most:,} bytes")
    return b"".join(parts)


def bounded_lines(file: BinaryIO, place: object, most: int) -> Iterator[bytes]:
    """The lines of an open file, each with its end.

    Raises:
        BadInput: If one has more than ``most`` bytes; names it.
    """
    number = 1
    while line := file.readline(most + 1):
        if len(line) > most:
            raise BadInput(f"{place}, line {number}: has more than {most:,} bytes")
        yield line
        number += 1


def bytes_in(path: str | Path, most: int) -> bytes:
    """A file's bytes.

    Raises:
        BadInput: If it cannot be read, or has more than ``most``.
    """
    with reading(path), open(path, "rb") as file:
        return bounded(file, path, most)


def text_in(path: str | Path, most: int = TEXT) -> str:
    """A file's text, its lines ended by newlines alone.

    Raises:
        BadInput: If it cannot be read, has more than ``most`` bytes, or is no UTF-8; names the
            line.
    """
    return text_of(bytes_in(path, most), path).replace("\r\n", "\n")


def text_of(data: bytes, place: object) -> str:
    """The text in a file's bytes.

    Raises:
        BadInput: If it is no UTF-8; names the line.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{place}, line {line}: {bad_byte(error)}") from error
