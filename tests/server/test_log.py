"""The server's log."""

from __future__ import annotations

import io
import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr

import pytest

from agentflow.server import log


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Logging is put back: it is the whole process's."""
    root, shown = logging.getLogger(), warnings.showwarning
    handlers, levels = root.handlers[:], (root.level, log.logger.level)
    yield
    logging.captureWarnings(False)
    warnings.showwarning = shown
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    log.logger.setLevel(levels[1])


def test_it_goes_to_what_is_standard_error_by_now(capsys: pytest.CaptureFixture[str]) -> None:
    """A command that a program runs may end before the program does, with its standard error."""
    with redirect_stderr(io.StringIO()) as first:
        log.configure()
        log.write("begun", {})
    assert json.loads(first.getvalue())["event"] == "begun"
    first.close()
    logging.getLogger("agentflow.server").warning("late")
    said = capsys.readouterr().err
    assert json.loads(said)["event"] == "late", said
