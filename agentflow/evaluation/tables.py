"""Rows of local tables: JSON lines, one JSON list, CSV or Parquet, told by the file's name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.files import text_of
from agentflow.strict_json import loads_line

Row = dict[str, Any]
Broken = Callable[[str, str], None]
"""Told of each row that cannot be read: its place (``line 3``) and why."""

_MARK = b"\xef\xbb\xbf"


def read(path: Path, broken: Broken) -> Iterator[tuple[str, Row]]:
    """(place, row) of every row that can be read; blank lines are skipped.

    Args:
        path: ``.csv`` (the first line has the fields' names), ``.parquet``, ``.json`` (a list, or
            JSON lines), else JSON lines. Text is UTF-8.

    Raises:
        BadInput: If the file cannot be read; names the line of a byte that is no UTF-8.
    """
    try:
        if path.suffix == ".parquet":
            yield from _parquet(path)
        elif path.suffix == ".csv":
            yield from _csv(path, broken)
        else:
            data = path.read_bytes()
            listed = path.suffix == ".json" and data.removeprefix(_MARK).lstrip()[:1] == b"["
            if listed:
                yield from _list(text_of(data, path), broken)
            else:
                yield from _lines(data.splitlines(), broken)
    except OSError as error:
        raise BadInput(f"{path}: no dataset: {error}") from error


def _lines(lines: Iterable[bytes], broken: Broken) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield from _object(f"line {number}", line, broken)


def _object(place: str, line: bytes, broken: Broken) -> Iterator[tuple[str, Row]]:
    try:
        yield place, _checked(loads_line(line))
    except ValueError as error:
        broken(place, str(error))


def _list(text: str, broken: Broken) -> Iterator[tuple[str, Row]]:
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        broken("the file", f"not JSON: {error}")
        return
    for number, item in enumerate(items, 1):
        try:
            yield f"row {number}", _checked(item)
        except ValueError as error:
            broken(f"row {number}", str(error))


def _checked(value: Any) -> Row:
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _csv(path: Path, broken: Broken) -> Iterator[tuple[str, Row]]:
    text = text_of(path.read_bytes(), path)
    rows = csv.DictReader(io.StringIO(text, newline=""))
    try:
        for row in rows:
            place = f"line {rows.line_num}"
            if None in row:
                broken(place, f"more cells than the {len(rows.fieldnames or [])} fields of line 1")
            elif any("\0" in cell for cell in row.values() if isinstance(cell, str)):
                broken(place, "a NUL byte in it")
            else:
                yield place, row
    except csv.Error as error:
        raise BadInput(f"{path}, line {rows.line_num + 1}: no row of a table ({error})") from error


def _parquet(path: Path) -> Iterator[tuple[str, Row]]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise BadInput(f"{path}: Parquet needs pip install 'agentflow[evaluation]'") from error
    try:
        number = 0
        with ParquetFile(path) as file:
            for batch in file.iter_batches():
                for row in batch.to_pylist():
                    number += 1
                    yield f"row {number}", row
    except ArrowException as error:
        raise BadInput(f"{path}: no dataset: {error}") from error
