"""Rows of local tables: JSON lines, one JSON list, CSV or Parquet, told by the file's name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.files import DATA, bytes_in, text_of
from agentflow.strict_json import bad_byte, loads_line
from agentflow.version import install

Row = dict[str, Any]
Broken = Callable[[str, str], None]
"""Told of each row that cannot be read: its place (``line 3``) and why."""

WHOLE = "the file"
"""The place of what is wrong with all rows of a file."""

_MARK = b"\xef\xbb\xbf"


def shown(refused: Sequence[str], most: int = 10) -> str:
    """The first of what is wrong with rows, and how many more there are."""
    more = [f"and {len(refused) - most} more"] if len(refused) > most else []
    return "; ".join([*refused[:most], *more])


def read(path: Path, broken: Broken) -> Iterator[tuple[str, Row]]:
    """(place, row) of every row that can be read; blank lines are skipped.

    Args:
        path: ``.csv`` (the first line has the fields' names), ``.parquet``, ``.json`` (a list, or
            JSON lines), else JSON lines. Text is UTF-8.

    Raises:
        BadInput: If the file cannot be read; names the line of a byte that is no UTF-8 in a list.
    """
    try:
        if path.suffix == ".parquet":
            yield from _parquet(path, broken)
        elif path.suffix == ".csv":
            yield from _csv(path, broken)
        else:
            data = bytes_in(path, DATA)
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
        broken(WHOLE, f"not JSON: {error}")
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
    text = bytes_in(path, DATA).removeprefix(_MARK).decode(errors="surrogateescape")
    rows = csv.DictReader(io.StringIO(text, newline=""))
    try:
        fields = [name for name in rows.fieldnames or () if name]
        if twice := sorted({name for name in fields if fields.count(name) > 1}):
            raise BadInput(f"{path}, line 1: the field {twice[0]!r} stands there twice")
        text_of("".join(rows.fieldnames or ()).encode(errors="surrogateescape"), path)
    except csv.Error as error:
        raise BadInput(f"{path}, line 1: no row of a table ({error})") from error
    while True:
        before = rows.line_num
        try:
            row = next(rows, None)
        except csv.Error as error:
            why = f"no row of a table ({error})"
            if rows.reader.line_num > before + 1:  # where the next row begins is not known
                raise BadInput(f"{path}, line {before + 1}: {why}") from error
            broken(f"line {before + 1}", why)
            continue
        if row is None:
            return
        place = f"line {rows.line_num}"
        cells = [cell for cell in row.values() if isinstance(cell, str)]
        if None in row:
            broken(place, f"more cells than the {len(rows.fieldnames or [])} fields of line 1")
        elif any("\0" in cell for cell in cells):
            broken(place, "a NUL byte in it")
        elif (bad := _bad_bytes(cells)) is not None:
            broken(place, bad)
        else:
            yield place, row


def _bad_bytes(cells: Iterable[str]) -> str | None:
    """What is no UTF-8 in cells that were read in spite of it."""
    try:
        ",".join(cells).encode(errors="surrogateescape").decode()
    except UnicodeDecodeError as error:
        return bad_byte(error)
    return None


def _parquet(path: Path, broken: Broken) -> Iterator[tuple[str, Row]]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise BadInput(f"{path}: Parquet needs {install('evaluation')}") from error
    try:
        number = 0
        with ParquetFile(path) as file:
            for batch in file.iter_batches():
                for at in range(batch.num_rows):
                    number += 1
                    try:
                        (row,) = batch.slice(at, 1).to_pylist()
                    except (
                        ValueError,
                        OverflowError,
                    ) as error:  # no UTF-8, no date
                        broken(f"row {number}", str(error))
                    else:
                        yield f"row {number}", row
    except ArrowException as error:
        raise BadInput(f"{path}: no dataset: {error}") from error
