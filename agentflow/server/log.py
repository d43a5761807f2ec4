"""The log: one JSON object a line, without prompts, answers, keys, or the texts of errors, which
may quote them."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

logger = logging.getLogger("agentflow.server")
_OUR_WORDS = (logger.name, "uvicorn.error")
"""Loggers whose messages hold nothing that a client said; of others only the place is written."""


class JSONLines(logging.Formatter):
    """A record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.name in _OUR_WORDS:
            line["event"] = record.getMessage().strip()
        else:
            line["at"] = f"{record.pathname}:{record.lineno}"
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = described(record.exc_info[1])
        return json.dumps(line)


class _ToStandardError(logging.Handler):
    """Writes to what is standard error by then: a program may run a command with one of its own,
    which is closed behind it."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            print(self.format(record), file=sys.stderr, flush=True)
        except Exception:  # of any kind, as logging's own handlers do
            self.handleError(record)


def described(error: BaseException) -> dict[str, Any]:
    """An error by its type and where it was raised, without its text; its causes too."""
    frames = traceback.extract_tb(error.__traceback__)
    found: dict[str, Any] = {
        "type": type(error).__name__,
        "frames": [f"{one.filename}:{one.lineno} {one.name}" for one in frames],
    }
    if error.__cause__ is not None:
        found["cause"] = described(error.__cause__)
    if isinstance(error, BaseExceptionGroup):
        found["errors"] = [described(one) for one in error.exceptions]
    return found


def write(event: str, fields: dict[str, Any], level: int = logging.INFO) -> None:
    """Write a line."""
    logger.log(level, event, extra={"fields": fields})


def configure() -> None:
    """Send every logger's lines, and warnings, to standard error."""
    logging.captureWarnings(True)
    handler = _ToStandardError()
    handler.setFormatter(JSONLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logger.setLevel(logging.INFO)
