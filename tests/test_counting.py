"""The counts that other tests rest on."""

from __future__ import annotations

import re

import pytest
from counting import Counted, Steps, is_linear, steps
from hypothesis import given, settings
from hypothesis import strategies as st

PATTERNS = [
    r"a*b",
    r"(a|b)*c",
    r"(?:ab)+?c",
    r"\s+$",
    r"^\s*(\w+)\s*=\s*\1$",
    r"(?i)x(?!y)[^a-c\d]",
    r"(?m)^a.*$",
    r"(?<=a)b|(?<!a)c",
    r"(a)?(?(1)b|c)",
    r"(?>a+)b|a++c",
    r"\ba\b|\Bb",
    r"(?:a?){3}b{2,4}",
    r"(?s:.)x\Z",
    r"(?:(a)|b)*\1",
    r"(?:a*)*b",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text(alphabet="abcxyXY =\n", max_size=14))
@settings(max_examples=80)
def test_the_matcher_finds_what_re_finds(pattern: str, text: str) -> None:
    """Each method compares what it finds itself."""
    counted = Counted(re.compile(pattern), Steps())
    counted.match(text)
    counted.fullmatch(text)
    counted.search(text)
    counted.findall(text)
    assert counted.sub("-", text) == re.sub(pattern, "-", text)


def cost(pattern: str, text: str) -> int:
    return steps(lambda: re.search(pattern, text))


def test_the_growth_of_a_pattern_is_seen() -> None:
    for pattern, power in ((r"a+b", 2), (r"\s+$|x", 1), (r"a*a*b", 3), (r"a", 0)):
        small, large = cost(pattern, "a" * 40), cost(pattern, "a" * 80)
        assert 2 ** (power - 0.4) < large / small < 2 ** (power + 0.3), (pattern, small, large)


def test_what_grows_with_the_square_is_not_linear() -> None:
    is_linear(lambda n: re.sub(r"a", "b", "a" * n))
    with pytest.raises(AssertionError, match="steps for 60"):
        is_linear(lambda n: re.sub(r"\s+$", "", " " * n + "x"))
