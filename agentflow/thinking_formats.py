"""How models mark their thinking: the table that everything which splits a text reads.

It stands in ``thinking_formats.toml``. Where a model thinks without marking it (LIMO,
QwQ-32B-Preview, Sky-T1) there is no format to be had.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Format:
    """How a model marks its thinking; each entry is a regular expression.

    Attributes:
        name: What it is called on the command line.
        opens, closes: Markers around the thinking.
        wraps: What stands around the answer behind the closing marker, and is none of it.
        words: Whether the markers are ordinary words, which mean nothing in a text that does not
            begin with the opening one.
        both: Whether even then the closing one must be there.
        sure: Whether an opening one begins thinking wherever it stands.
        noise: Further marks that are neither thinking nor answer.
        calls: What an opening one has in it where it begins a call of a tool. Calls that end a text
            are its answer, with their markers, for these name the tools.
    """

    name: str
    opens: str
    closes: str
    wraps: tuple[str, str] | None = None
    words: bool = False
    both: bool = False
    sure: bool = False
    noise: str = ""
    calls: str = ""


def pair(name: str, opens: str, closes: str, wraps: tuple[str, str] | None = None) -> Format:
    """A format of two markers, as they are written; a tag's letters in either case.

    Args:
        opens: Empty for one that only prompts have.
        wraps: What may stand around the answer, as it is written.
    """
    around = (_literal(wraps[0]), _literal(wraps[1])) if wraps else None
    return Format(name, _literal(opens), _literal(closes), around)


def _literal(marker: str) -> str:
    """An expression for it; one that matches nothing for none."""
    if marker.startswith("<"):
        return f"<(?i:{re.escape(marker[1:])})"
    return re.escape(marker) or "(?!)"


PLAIN = Format("plain", "", "")
"""Of a model that does not think apart: all of its text is the answer."""

_READ = tomllib.loads(Path(__file__).with_name("thinking_formats.toml").read_text("utf-8"))

MARKERS: dict[str, tuple[str, str]] = {name: (*both,) for name, both in _READ["markers"].items()}
"""Formats of two markers: what opens, what closes."""

CALLS: tuple[tuple[str, str], ...] = tuple((opens, closes) for opens, closes in _READ["calls"])
"""What stands around calls of tools: what opens them, what closes them."""


def _header(channel: str) -> str:
    """What a message of gpt-oss begins with."""
    return (
        r"<\|(?:end\|>\s{0,4}<\|start\|>assistant[^<\n]{0,80}<\|channel\|>"
        rf"|start\|>assistant[^<\n]{{0,80}}<\|channel\|>|channel\|>)(?:{channel})"
        r"[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
    )


_HARMONY = Format("harmony", _header("analysis|commentary"), _header("final"), sure=True)
FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        *(pair(name, *both, _READ["wraps"].get(name)) for name, both in MARKERS.items()),
        replace(_HARMONY, noise=r"<\|(?:end|return|call)\|>", calls=r" to=(?!assistant\b)\S"),
        *(Format(name, **one) for name, one in _READ["formats"].items()),
        PLAIN,
    )
}
"""Every known format by its name."""


def of_markers(opens: str, closes: str) -> Format:
    """The format of a profile's markers; :data:`PLAIN` where it has none."""
    if not closes:
        return PLAIN
    known = (FORMATS[name] for name, both in MARKERS.items() if both == (opens, closes))
    return next(known, pair(closes, opens, closes))
