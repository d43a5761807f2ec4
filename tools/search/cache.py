"""Answers of a search backend, kept for a while."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

from agentflow.tools.search.protocol import Hit

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    backend TEXT, query TEXT, most INTEGER, hits TEXT, stored REAL, used REAL,
    PRIMARY KEY (backend, query, most)
) WITHOUT ROWID"""
_KEY = "backend = ? AND query = ? AND most = ?"


class Cache:
    """The last answers, in memory or in a file that several processes may share.

    A cache never fails a search: a file that cannot be used is one that holds nothing.

    Args:
        file: A SQLite file; None keeps the answers in memory.
        size: Answers kept; the one that was not asked for longest goes first.
        seconds: How long an answer is good.
    """

    def __init__(
        self, file: str | Path | None = None, *, size: int = 1000, seconds: float = 24 * 3600
    ) -> None:
        self.file = file
        self.size = size
        self.seconds = seconds
        self._lock = threading.Lock()
        self._opened: sqlite3.Connection | None = None

    def get(self, backend: str, query: str, limit: int) -> list[Hit] | None:
        """The hits that were stored, or None."""
        now = time.time()
        with self._lock, suppress(sqlite3.Error, OSError, ValueError, TypeError):
            connection = self._connection()
            row = connection.execute(
                f"SELECT hits FROM answers WHERE {_KEY} AND stored BETWEEN ? AND ?",
                (backend, query, limit, now - self.seconds, now),
            ).fetchone()
            if row is not None:
                hits = [Hit(*fields) for fields in json.loads(row[0])]
                used = (now, backend, query, limit)
                connection.execute(f"UPDATE answers SET used = ? WHERE {_KEY}", used)
                return hits
        return None

    def put(self, backend: str, query: str, limit: int, hits: Sequence[Hit]) -> None:
        """Store an answer; what is too old or too much goes."""
        now = time.time()
        packed = json.dumps([astuple(hit) for hit in hits])
        with self._lock, suppress(sqlite3.Error, OSError, ValueError):
            connection = self._connection()
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
                (backend, query, limit, packed, now, now),
            )
            connection.execute("DELETE FROM answers WHERE stored < ?", (now - self.seconds,))
            connection.execute(
                "DELETE FROM answers WHERE (backend, query, most) IN (SELECT backend, query, most"
                " FROM answers ORDER BY used DESC LIMIT -1 OFFSET ?)",
                (self.size,),
            )

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            where = ":memory:" if self.file is None else str(self.file)
            opened = sqlite3.connect(
                where, timeout=2, isolation_level=None, check_same_thread=False
            )
            opened.execute(_TABLE)
            self._opened = opened
        return self._opened
