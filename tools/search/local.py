"""A local index: BM25 over a folder or a file of documents, with SQLite's FTS5."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from agentflow.tools.search.protocol import Hit, SearchFailed
from agentflow.tools.search.words import all_words, content_words

SUFFIXES = (".txt", ".md", ".json", ".jsonl")
PASSAGE = 1000
"""Characters of a passage, about; longer documents are cut into several."""
FRESH = 5.0
"""Seconds for which the documents are not looked at again."""
WORDS = 64
"""Different words of a query that are looked for."""

_TITLE_WEIGHT = 2.0
_TEXTS = ("text", "contents", "content", "body", "page_content")
_TITLES = ("title", "name")
_URLS = ("url", "source", "id")
_FORMAT = "1"
_TABLES = """
CREATE TABLE meta (fingerprint TEXT);
CREATE VIRTUAL TABLE passages
    USING fts5(title, text, url UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2');
"""
_BEST = f"""
SELECT title, url, text, -bm25(passages, {_TITLE_WEIGHT}, 1.0) FROM passages
WHERE passages MATCH ? ORDER BY 4 DESC LIMIT ?"""


class LocalIndex:
    """BM25 over documents; the index is built at the first search, and again when they changed.

    A ``.txt`` or ``.md`` file is a document. A ``.json`` file holds one or a list of them, a
    ``.jsonl`` file one a line: a string, or an object with the text under ``text`` (``contents``,
    ``content``, ``body``, ``page_content``), and perhaps ``title`` and ``url`` (``source``,
    ``id``). Hidden files are left out.

    Args:
        path: A folder, with all that is below it, or one file.
        cache: A file that keeps the index for the next process; None keeps it in memory.

    Raises:
        ValueError: If there is nothing at ``path``, or a file of another kind.
    """

    def __init__(self, path: str | Path, cache: str | Path | None = None) -> None:
        where = Path(path)
        if not str(path) or not where.exists():
            given = f"there is nothing at {where}" if str(path) else "no path was given"
            raise ValueError(f"local search: {given}; give a folder or a file: local:docs/")
        if where.is_file() and where.suffix.lower() not in SUFFIXES:
            raise ValueError(f"local search: {where} is none of {', '.join(SUFFIXES)}")
        self.path = where.resolve()
        self.cache = cache
        self.name = f"local:{self.path}"
        self._lock = threading.Lock()
        self._opened: sqlite3.Connection | None = None
        self._fingerprint = ""
        self._looked = 0.0  # when the documents were last looked at

    def search(self, query: str, limit: int) -> list[Hit]:
        """See :class:`SearchBackend`; a passage is found by any of the query's words."""
        wanted = match(query)
        if not wanted:
            return []
        try:
            with self._lock:
                rows = self._index().execute(_BEST, (wanted, limit)).fetchall()
        except (sqlite3.Error, OSError) as error:
            raise SearchFailed("documents", f"{self.path}: {error}") from error
        return [Hit(*row) for row in rows]

    def _index(self) -> sqlite3.Connection:
        if self._opened is not None and time.monotonic() < self._looked + FRESH:
            return self._opened
        files = list(self._files())
        fingerprint = _fingerprint(self.path, files)
        if self._opened is None or fingerprint != self._fingerprint:
            old, self._opened = self._opened, self._open(files, fingerprint)
            if old is not None:
                old.close()
            self._fingerprint = fingerprint
        self._looked = time.monotonic()
        return self._opened

    def _open(self, files: list[Path], fingerprint: str) -> sqlite3.Connection:
        if self.cache is None:
            return self._built(":memory:", files, fingerprint)
        file = Path(self.cache)
        if _kept(file) != fingerprint:
            new = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
            try:
                self._built(str(new), files, fingerprint).close()
                new.replace(file)  # at once, whoever else builds it
            finally:
                new.unlink(missing_ok=True)
        return sqlite3.connect(file, check_same_thread=False)

    def _built(self, where: str, files: list[Path], fingerprint: str) -> sqlite3.Connection:
        opened = sqlite3.connect(where, check_same_thread=False)
        opened.execute("PRAGMA synchronous = OFF")  # a file that is not whole is not used
        with opened:
            opened.executescript(_TABLES)
            opened.execute("INSERT INTO meta VALUES (?)", (fingerprint,))
            rows = (row for file in files for row in self._rows(file))
            opened.executemany("INSERT INTO passages (title, url, text) VALUES (?, ?, ?)", rows)
        return opened

    def _files(self) -> Iterator[Path]:
        if self.path.is_file():
            yield self.path
            return
        for folder, folders, names in os.walk(self.path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                    yield Path(folder, name)

    def _rows(self, file: Path) -> Iterator[tuple[str, str, str]]:
        """(title, url, passage) of a file's documents."""
        place = file.name if file == self.path else file.relative_to(self.path).as_posix()
        for title, url, text in _documents(file, place):
            pieces = list(passages(text))
            for number, piece in enumerate(pieces, 1):
                yield title, f"{url}#{number}" if len(pieces) > 1 else url, piece


def match(query: str) -> str:
    """The query as FTS5 reads it: any of its words, each as a quoted string."""
    wanted = content_words(query) or all_words(query)
    return " OR ".join(f'"{word}"' for word in wanted[:WORDS])


def passages(text: str) -> Iterator[str]:
    """The text in pieces of about :data:`PASSAGE` characters, cut between lines or sentences."""
    text = text.strip()
    while len(text) > PASSAGE * 3 // 2:
        head = text[:PASSAGE]
        for mark in ("\n\n", "\n", ". ", " "):
            at = head.rfind(mark, PASSAGE // 2)
            if at > 0:
                at += len(mark)
                break
        else:
            at = PASSAGE
        yield text[:at].strip()
        text = text[at:].lstrip()
    if text:
        yield text


def _kept(file: Path) -> str | None:
    """The fingerprint of what a cache file was built from; None if it is no such file."""
    with suppress(sqlite3.Error):
        if file.exists():
            with closing(sqlite3.connect(file)) as opened:
                row = opened.execute("SELECT fingerprint FROM meta").fetchone()
                return str(row[0]) if row else None
    return None


def _fingerprint(path: Path, files: Iterable[Path]) -> str:
    seen = sha256(f"{_FORMAT} {path}".encode())
    for file in files:
        stat = file.stat()
        seen.update(f"\0{file}\0{stat.st_size}\0{stat.st_mtime_ns}".encode("utf-8", "replace"))
    return seen.hexdigest()


def _documents(file: Path, place: str) -> Iterator[tuple[str, str, str]]:
    """(title, url, text) of each document in a file."""
    suffix = file.suffix.lower()
    if suffix == ".jsonl":
        with file.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield from _of_json(line, f"{place}:{number}")
        return
    text = file.read_text(encoding="utf-8", errors="replace")
    if suffix == ".json":
        yield from _of_json(text, place)
    else:
        yield file.stem, place, text


def _of_json(text: str, place: str) -> Iterator[tuple[str, str, str]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SearchFailed("documents", f"{place} is no JSON: {error}") from error
    many = value if isinstance(value, list) else [value]
    for number, one in enumerate(many, 1):
        at = f"{place}#{number}" if len(many) > 1 else place
        found = ("", "", one) if isinstance(one, str) else _of_object(one)
        if found is None:
            wanted = ", ".join(_TEXTS)
            raise SearchFailed("documents", f"{at} is no document: no text under any of {wanted}")
        title, url, body = found
        yield title, url or at, body


def _of_object(one: Any) -> tuple[str, str, str] | None:
    if not isinstance(one, dict):
        return None
    text, title, url = (
        next((one[key] for key in keys if isinstance(one.get(key), str)), None)
        for keys in (_TEXTS, _TITLES, _URLS)
    )
    return None if text is None else (title or "", url or "", text)
