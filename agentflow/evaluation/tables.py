"""Rows of local tables: JSON lines, one JSON list, CSV or Parquet, told by the file's name."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput

Row = dict[str, Any]
Broken = Callable[[str, str], None]
"""Told of each row that cannot be read: its place (``line 3``) and why."""


def read(path: Path, broken: Broken) -> Iterator[tuple[str, Row]]:
    """(place, row) of every row that can be read; blank lines are skipped.

    Args:
        path: ``.csv`` (the first line has the fields' names), ``.parquet``, ``.json`` (a list, or
            JSON lines), else JSON lines. Text is UTF-8.

    Raises:
        BadInput: If the file cannot be read.
    """
    try:
        if path.suffix == ".parquet":
            yield from _parquet(path)
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8-sig", newline="") as file:
                yield from _csv(file, broken)
        else:
            text = path.read_text(encoding="utf-8-sig")
            listed = path.suffix == ".json" and text.lstrip()[:1] == "["
            yield from _list(text, broken) if listed else _lines(text, broken)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path}: no dataset: {error}") from error


def _lines(text: str, broken: Broken) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield from _object(f"line {number}", line, broken)


def _object(place: str, line: str, broken: Broken) -> Iterator[tuple[str, Row]]:
    try:
        yield place, _checked(json.loads(line))
    except (ValueError, RecursionError) as error:
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


def _csv(file: Any, broken: Broken) -> Iterator[tuple[str, Row]]:
    rows = csv.DictReader(file)
    for row in rows:
        place = f"line {rows.line_num}"
        if None in row:
            broken(place, f"more cells than the {len(rows.fieldnames or [])} fields of line 1")
        else:
            yield place, row


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
