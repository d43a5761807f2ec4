"""Structured replies and tool calls: read to the value that stands there, or malformed."""

from __future__ import annotations

from collections.abc import Sequence

from real_text_json import measured

from real.recordings import Finding, Recording


def section(recordings: Sequence[Recording]) -> Finding:
    """Goal: at least 98 % of what a person could read is read, nothing to another value."""
    rows, holds = measured(((one.file, one.row) for one in recordings), {})
    readable, read = (sum(row[name] for row in rows) for name in ("readable", "read"))
    other = sum(row["other value"] for row in rows)
    said = f"{read} of {readable} readable replies are read, {other} to another value"
    return Finding(rows, holds, said)
