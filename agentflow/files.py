"""Files that people name: read so that a bad byte is found, written so that none is left half."""

from __future__ import annotations

import errno
from pathlib import Path
from uuid import uuid4

from agentflow.errors import BadInput
from agentflow.strict_json import bad_byte

FULL = (errno.ENOSPC, errno.EDQUOT)
"""What the system says of a disk without room."""


def unwritable(place: object, error: OSError) -> BadInput:
    """The error of a file that cannot be written: names it, and what to do."""
    remedy = "make room for it, or name another place" if error.errno in FULL else "name another"
    return BadInput(f"{place}: cannot be written ({error.strerror or error}); {remedy}")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: a failure leaves what was there before.

    Raises:
        BadInput: If it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_bytes(data)
            return
        target = path.resolve()
        draft = target.with_name(f".{uuid4().hex}.tmp")
        try:
            draft.write_bytes(data)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error


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
