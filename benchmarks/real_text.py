"""What is made of real models' recorded outputs, by file and model.

    python benchmarks/real_text.py FOLDER [--only SECTION ...] [--json]

FOLDER holds JSON lines (``*.jsonl``, ``*.jsonl.gz``) with ``id``, ``model``, ``problem``,
``output``, ``gold``, ``correct``; ``tests/data/traces`` is a small sample. Each section prints a
table and whether its goal holds, and the recordings that miss it. The last line is the summary;
exits with 1 if a goal is missed, with 2 if there is no recording.

``split``: thinking and answer are told apart. ``candidates``: stated answers are read. ``claims``:
calculations in right recordings are not refuted (those that are must be looked at). ``json``:
structured replies are read. ``cost``: CPU time of reading; it runs only with ``--only cost``, for
it takes minutes and its goal is known to be missed by mathematics, and on short texts full of
equations.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from real import candidates, claims, cost, split, structured
from real.recordings import Finding, Section, read

from agentflow.evaluation.markdown import table
from agentflow.version import __version__

SECTIONS: dict[str, Section] = {
    "split": split.section,
    "candidates": candidates.section,
    "claims": claims.section,
    "json": structured.section,
    "cost": cost.section,
}
"""Every section by its name; each in a module of its own in ``real/``."""

ON_REQUEST = ("cost",)
"""Sections that run only where ``--only`` names them."""

_SHOWN = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sections; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    default = [name for name in SECTIONS if name not in ON_REQUEST]
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=default)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    recordings = list(read(chosen.folder))
    if not recordings:
        print(f"{chosen.folder}: no recordings in it", file=sys.stderr)
        return 2
    findings = {name: SECTIONS[name](recordings) for name in chosen.only}
    holds = all(finding.holds for finding in findings.values())
    if chosen.json:
        print(json.dumps({name: asdict(finding) for name, finding in findings.items()}))
        return 0 if holds else 1
    print(f"agentflow {__version__}, {len(recordings)} recordings of {chosen.folder.name}")
    for name, finding in findings.items():
        print(f"\n## {name}\n\n{_table(finding)}")
        for line in finding.missed[:_SHOWN]:
            print(f"missed: {line}")
        if len(finding.missed) > _SHOWN:
            print(f"missed: {len(finding.missed) - _SHOWN} more")
    said = (f"{n}: {'holds' if f.holds else 'MISSED'} ({f.summary})" for n, f in findings.items())
    print(f"\n{'; '.join(said)}")
    return 0 if holds else 1


def _table(finding: Finding) -> str:
    lines = [{name: str(value) for name, value in row.items()} for row in finding.rows]
    return table(lines) + "\n" if lines else ""


if __name__ == "__main__":
    sys.exit(main())
