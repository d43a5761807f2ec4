"""What is said of one run of a program is followed, and what is said of numbers is reckoned."""

from __future__ import annotations

import pytest

from agentflow.domains.python import complexity, facts, following, vocabulary, walks

DOUBLE = "def fold(n):\n    a = 1\n    for i in range(n):\n        a = a * 2\n    return a\n"
SPLIT = (
    "def kept(text):\n    out = []\n    for sign in text:\n        if sign.isdigit():\n"
    "            out.append(int(sign))\n    return out\n"
)


def holds(code: str, text: str) -> bool:
    said, _ = walks.parted(text, code)
    assert said
    return following.holds("\n".join([code, *said]))


@pytest.mark.parametrize(
    ("code", "text", "true"),
    [
        (DOUBLE, "With `n = 3`, `a` takes the values 1, 2, 4, 8.", True),
        (DOUBLE, "With `n = 3`, `a` takes the values 1, 2, 6, 8.", False),
        (DOUBLE, "For `fold(2)`:\n\n- i = 0: a = 2\n- i = 1: a = 4", True),
        (DOUBLE, "For `fold(2)`:\n\n- i = 0: a = 2\n- i = 1: a = 6", False),
        (DOUBLE, "For n = 2 the values go 1 -> 2 -> 4.", True),
        (DOUBLE, "For n = 2 the values go 1 -> 4 -> 2.", False),
        (
            SPLIT,
            "**Trace of `'a1'`**\n\n| sign | digit |\n|---|---|\n| a | no |\n| 1 | yes |",
            True,
        ),
        (
            SPLIT,
            "**Trace of `'a1'`**\n\n| sign | digit |\n|---|---|\n| a | yes |\n| 1 | yes |",
            False,
        ),
        (
            SPLIT,
            "### Example: '12'\n\n| sign | out |\n|---|---|\n| 1 | [1] |\n| 2 | [1, 2] |",
            True,
        ),
        (SPLIT, "### Example: '12'\n\n| sign | out |\n|---|---|\n| 1 | [1] |\n| 2 | [2] |", False),
    ],
)
def test_a_run_is_followed(code: str, text: str, true: bool) -> None:
    assert holds(code, text) is true


def test_what_comes_of_a_run_is_asserted() -> None:
    said, rest = walks.parted("For n = 3 we get 8, and for n = 0 we get 1.", DOUBLE)
    assert said == ["assert fold(3) == 8", "assert fold(0) == 1"]
    assert "8" not in rest
    assert walks.parted("It goes on until it has 8.", DOUBLE) == ([], "It goes on until it has 8.")


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("since 12 is divisible by 4, it stops", True),
        ("since 12 is divisible by 5, it stops", False),
        ("as 1 is not greater than 1", True),
        ("7 divides 21", True),
        ("91 is prime", False),
        ("2 * (3 + 4) = 14", True),
        ("17 = 3 * 5 + 3", False),
        ("6 = 2 · 3", True),
    ],
)
def test_numbers_are_reckoned(said: str, true: bool) -> None:
    assert facts.read(said)[0] is true


@pytest.mark.parametrize(
    ("said", "may_be"),
    [
        ("it needs o(n) time and only o(1) extra memory", True),
        ("this is o(n) instead of o(n log n)", True),
        ("it runs in o(n^3)", False),
        ("it uses o(n) space", False),
    ],
)
def test_memory_and_other_orders(said: str, may_be: bool) -> None:
    assert complexity.may_be(said, DOUBLE) is may_be


@pytest.mark.parametrize(
    "said",
    [
        "The function calls itself for the rest.",
        "It uses recursion.",
        "The signs are sorted first.",
        "Two pointers move towards each other.",
        "Letters are put into a dictionary.",
    ],
)
def test_what_a_program_does_not_do_is_contrary(said: str) -> None:
    assert vocabulary.strange(said, SPLIT, "", free=True)
    assert not vocabulary.strange("Each sign is looked at in turn.", SPLIT, "", free=True)
