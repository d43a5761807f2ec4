"""Where a sentence of a text ends."""

from __future__ import annotations

import pytest

from agentflow.domains.sentence_ends import sentence_end


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It is 5. So A! Is it? Yes.", ["It is 5.", "So A!", "Is it?", "Yes."]),
        ("It is **5.5.** So\n\nA.", ["It is **5.5.", "So", "A."]),
        ('He says "It is 5." So A.', ['He says "It is 5.', "So A."]),
        ("Check: 2.5; a.b", ["Check: 2.5; a.b"]),
        ("", [""]),
    ],
)
def test_sentences_and_lines_are_told_apart(text: str, parts: list[str]) -> None:
    assert sentence_end().split(text) == parts


def test_further_signs_and_patterns_part_a_text() -> None:
    assert sentence_end(".!?:").split("Check: 5.") == ["Check:", "5."]
    assert sentence_end(".!?", r";\s*").split("5; 6. 7;8") == ["5", "6.", "7", "8"]
