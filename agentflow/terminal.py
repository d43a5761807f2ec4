"""Texts that nobody has read, as a terminal may show them.

A model, a program or a server can write anything: what moves the cursor, changes colours, or turns
the order of the letters round would let it forge what stands around it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from agentflow.files import unwritable

_STEERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but for the tab and the line feed
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"  # what formats, and is not seen
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # 2028, 2029 end lines
    "\ud800-\udfff"  # halves of surrogate pairs cannot be written at all
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f]"
)


def dotted(text: str) -> str:
    """A text with a dot for each character that would steer a terminal; as long as it was."""
    return _STEERS.sub("·", text)


def escaped(text: str) -> str:
    r"""A text in which a character that would steer a terminal is spelled out, as ``\x1b``."""
    return _STEERS.sub(lambda found: ascii(found[0])[1:-1], text)


def to_nowhere(stream: TextIO) -> None:
    """Have what is left of a stream go nowhere, where it cannot be written: the rest would fail
    again at the end."""
    with suppress(OSError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


@contextmanager
def printing() -> Iterator[None]:
    """See that what the body prints can be written; but for a pipe whose reader has gone.

    Raises:
        BadInput: If it cannot.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        to_nowhere(sys.stdout)
        raise unwritable("standard output", error) from error
