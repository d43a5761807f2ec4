"""What may stand on a terminal, whoever wrote it."""

from __future__ import annotations

import sys
from unicodedata import category

import pytest

from agentflow.errors import BadInput
from agentflow.terminal import dotted, escaped, printing

JOINERS = "\u200c\u200d"
"""Persian, Hindi and many an emoji are not written without them."""


def test_nothing_that_steers_a_terminal_stays_and_nothing_else_goes() -> None:
    wrong = []
    for code in range(sys.maxunicode + 1):
        steers = category(chr(code)) in ("Cc", "Cf", "Zl", "Zp", "Cs")
        expected = steers and chr(code) not in "\n\t" + JOINERS
        if (dotted(chr(code)) != chr(code)) is not expected and category(chr(code)) != "Cn":
            wrong.append(f"{code:04x}")
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "dots", "spelled"),
    [
        ("a\x1b[31mb", "a·[31mb", r"a\x1b[31mb"),
        ("done\rfail", "done·fail", r"done\rfail"),
        ("\u202eabc\u2066", "·abc·", r"\u202eabc\u2066"),
        ("\x9b2J\x07", "·2J·", r"\x9b2J\x07"),
        ("one\u2028two", "one·two", r"one\u2028two"),
        ("\ud800", "·", r"\ud800"),
        ("\U000e0041", "·", r"\U000e0041"),
        ("a\tb\nc é 漢 \xa0 👩\u200d🔬 می\u200cخواهم", None, None),
    ],
)
def test_both_ways_of_showing_it(text: str, dots: str | None, spelled: str | None) -> None:
    assert dotted(text) == (text if dots is None else dots)
    assert escaped(text) == (text if spelled is None else spelled)
    assert len(dotted(text)) == len(text)


def test_an_output_that_takes_nothing_is_named() -> None:
    with pytest.raises(BadInput, match=r"standard output: cannot be written \(.*make room"):  # noqa: SIM117
        with printing():
            raise OSError(28, "No space left on device")
    with pytest.raises(BrokenPipeError), printing():  # the reader had enough
        raise BrokenPipeError
