"""What explains a program in words of its own: forms of words, comparisons, equations, outputs."""

from __future__ import annotations

import json
from functools import partial

import pytest
from counting import is_linear
from replies import verdict

from agentflow.domains.python import explanations, facts, remarks


def task(prompt: str, tests: str) -> str:
    entry = prompt.split("def ")[1].partition("(")[0]
    check = "def check(candidate):\n" + "".join(f"    assert {one}\n" for one in tests.split("; "))
    row = {"prompt": prompt, "entry_point": entry, "test": check, "complete": True}
    return json.dumps(row)


PRODUCT = task(
    'def whirl(n):\n    """Multiply the numbers from 1 to n: the product, the n-th factorial."""\n',
    "candidate(5) == 120; candidate(0) == 1; candidate(3) == 6",
)
PRODUCT_CODE = (
    "```python\ndef whirl(n):\n    if n < 0:\n        raise ValueError('negative')\n"
    "    result = 1\n    for i in range(1, n + 1):\n        result *= i\n    return result\n```"
)
WITHIN = task(
    'def within(numbers, limit):\n    """Whether no number is over the limit."""\n',
    "candidate([1, 2], 2); not candidate([1, 3], 2); candidate([], 0)",
)
WITHIN_CODE = (
    "```python\ndef within(numbers, limit):\n    for number in numbers:\n"
    "        if not number <= limit:\n            return False\n    return True\n```"
)
CAPITALS = task(
    'def shouted(text):\n    """The capital letters of a text."""\n',
    "candidate('aBc') == 'B'; candidate('') == ''; candidate('AB') == 'AB'",
)
CAPITALS_CODE = (
    "```python\ndef shouted(text):\n    return ''.join(one for one in text if one.isupper())\n```"
)
SPREAD = task(
    'def spread(numbers):\n    """How far the largest number is from the smallest one."""\n',
    "candidate([1, 5, 3]) == 4; candidate([2]) == 0",
)
SPREAD_CODE = "```python\ndef spread(numbers):\n    return max(numbers) - min(numbers)\n```"
CHAIN = task(
    'def chain(n):\n    """The first n numbers of which each is the sum of the two before."""\n',
    "candidate(5) == [0, 1, 1, 2, 3]; candidate(2) == [0, 1]",
)
CHAIN_CODE = (
    "```python\ndef chain(n):\n    out = [0, 1]\n    while len(out) < n:\n"
    "        out.append(out[-1] + out[-2])\n    return out[:n]\n```"
)

HOLDS = [
    (PRODUCT, PRODUCT_CODE, "It multiplies the current value of `result` by `i`."),
    (PRODUCT, PRODUCT_CODE, "`result` is multiplied by each number from 1 to `n` (inclusive)."),
    (PRODUCT, PRODUCT_CODE, "Here `whirl(5)` returns 120 (`5*4*3*2*1 = 120`)."),
    (PRODUCT, PRODUCT_CODE, "For example, 5! = 5 * 4 * 3 * 2 * 1 = 120."),
    (PRODUCT, PRODUCT_CODE, "For example, 2^3 = 2 * 2 * 2 = 8."),
    (PRODUCT, PRODUCT_CODE, "You can test the function with different values of `n`."),
    (PRODUCT, PRODUCT_CODE, "Inside the loop, `result` is multiplied by `i`, up to the `n`th one."),
    (PRODUCT, PRODUCT_CODE, "The function first checks if `n` is negative. If so, it raises."),
    (
        PRODUCT,
        PRODUCT_CODE,
        "It raises a `ValueError` because the factorial is not defined for negative numbers.",
    ),
    (PRODUCT, PRODUCT_CODE, "If it is negative, it raises an error message."),
    (PRODUCT, PRODUCT_CODE, "The loop uses a constant amount of space."),
    (PRODUCT, PRODUCT_CODE, "This solution should work for the given problem."),
    (
        PRODUCT,
        PRODUCT_CODE,
        "A more efficient implementation would use dynamic programming to store the products.",
    ),
    (PRODUCT, PRODUCT_CODE, "For large numbers, you may want to use a library."),
    (PRODUCT, PRODUCT_CODE, "Let me know if you'd like to support more features like labels!"),
    (PRODUCT, PRODUCT_CODE, "### 🔍 Explanation:\n\nIt multiplies the numbers."),
    (PRODUCT, PRODUCT_CODE, "```python\nprint(whirl(4))\n```\n\n**Output:**\n```\n24\n```"),
    (
        PRODUCT,
        PRODUCT_CODE,
        "```python\none = 3\nprint(whirl(one))\nprint(whirl(4))\n```\n\nThis will output:\n\n"
        "```\n6\n24\n```",
    ),
    (WITHIN, WITHIN_CODE, "It checks whether each number is less than or equal to the limit."),
    (CHAIN, CHAIN_CODE, "The loop appends the sum of the last two numbers to the list."),
    (CHAIN, CHAIN_CODE, "We loop until the length of `out` is greater than or equal to `n`."),
    (CAPITALS, CAPITALS_CODE, "It checks whether each letter is an uppercase one."),
    (SPREAD, SPREAD_CODE, "We find the minimum and the maximum, and subtract."),
    (SPREAD, SPREAD_CODE, "It finds the largest and the smallest number, and subtracts."),
]


@pytest.mark.parametrize(("problem", "code", "said"), HOLDS)
def test_what_explains_a_program(problem: str, code: str, said: str) -> None:
    assert verdict("python", problem, f"{code}\n\n{said}") is True


FALSE = {
    PRODUCT: (
        PRODUCT_CODE,
        r"""
        It divides the current value of `result` by `i`.
        It modifies the numbers by sorting.
        It cubes each number, and cubed numbers are added.
        `result` is multiplied by each number from 1 to `n` (exclusive).
        `result` is added to each number twice, inclusively.
        Here `whirl(5)` returns 121 (`5*4*3*2*1 = 121`).
        Here `whirl(5)` returns 120 (`5*4*3*2*1 = 121`).
        Here `whirl(5)` returns 120 (`5*4*3*2 = 24`), (`5*4 = 21`).
        For example, 5! = 5 * 4 * 3 * 2 * 1 = 119.
        For example, 5! = 6 * 4 * 3 * 2 * 1 = 144.
        For example, 4! = 120.
        For example, 2^3 = 2 * 2 * 2 = 9.
        For example, 2^3 = 6.
        You can test the function with different code.
        It gives different results.
        Inside the loop, `result` is divided by `i`.
        Inside the result, the sum is kept.
        Inside the loop, it is cubed, up to the `n`th one.
        It stops in front of the `n`th sieve.
        The function first checks if `n` is sorted.
        The function fails first, then checks if `n` is negative.
        The last check fails if `n` is negative.
        My check fails.
        My argument is flawed.
        The argument does not hold.
        It returns it because the factorial is not defined for negative numbers.
        It raises a `ValueError` because the factorial is not multiplied.
        It raises a `KeyError` because the factorial is reversed.
        There is an error in it.
        It has an error.
        It has a small error, message me.
        The loop takes a constant amount of time.
        It takes constant time.
        The loop takes a quadratic amount of time.
        This solution should work.
        This solution should work for the examples.
        This solution should work for the first example.
        This solution should work for any number, but it does not.
        Changing the sign should work for any number.
        It should work for all numbers if you replace the sign.
        The solution above with the sign swapped should work for any number.
        A more efficient implementation would be correct.
        A more correct implementation would use dynamic programming.
        A more efficient implementation would work, but this one fails.
        You may want to use a library instead.
        You may want to use a library, as this one is wrong.
        You may want to use a loop that sorts, so this must be changed.
        You may want to use another version.
        Let me know if you'd like to support negative numbers, which it gets wrong.
        Let me know if you want to add a test, but it fails.
        ### ❌ Explanation:
        """,
    ),
    WITHIN: (
        WITHIN_CODE,
        """
        It checks whether each number is greater than or equal to the limit.
        It checks whether each number is more than or equal to the limit.
        It checks whether each number is larger than or equal to the limit.
        It goes on until a number is greater than or equal to the limit.
        It checks whether each number is equal to the limit.
        It checks whether each number is bigger than or equal to the sum.
        """,
    ),
    CHAIN: (
        CHAIN_CODE,
        """
        It generates the last `n` numbers of the chain.
        The last n numbers are returned.
        It loops until the length of `out` is less than or equal to `n`.
        It loops until the length of `out` is greater than or equal to the sum of squares.
        The loop appends the product of the last two numbers to the list.
        It loops if the length of `out` is greater than or equal to `n`.
        """,
    ),
    CAPITALS: (
        CAPITALS_CODE,
        """
        It checks whether each letter is a lowercase one.
        It handles both uppercase and lowercase letters.
        It keeps lowercase letters.
        The letters are converted to lowercase.
        The vowels are kept.
        """,
    ),
    SPREAD: (
        SPREAD_CODE,
        """
        It adds the minimum to the maximum.
        It multiplies the minimum by the maximum.
        It sorts them in ascending order.
        It finds the first maximum, and divides.
        """,
    ),
}


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (problem, code, said.strip())
        for problem, (code, told) in FALSE.items()
        for said in told.strip().split("\n")
    ],
)
def test_what_is_not_so_leaves_a_program_open(problem: str, code: str, said: str) -> None:
    assert verdict("python", problem, f"{code}\n\n{said}") is not True
    assert verdict("python", problem, f"{said}\n\nHere is the code:\n\n{code}") is not True


@pytest.mark.parametrize(
    "output",
    [
        "**Output:**\n```\n25\n```",
        "Output:\n```\n24\n25\n```",
        "This will output:\n```\n[24]\n```",
        "It gives:\n```\n24.5\n```",
        "### 🧾 Expected Output (as numbers):\n```\n-24\n```",
        "Output:\n```text\n12\n12\n```",
    ],
)
def test_an_output_that_does_not_come(output: str) -> None:
    said = f"{PRODUCT_CODE}\n\n```python\nprint(whirl(4))\n```\n\n{output}"
    assert verdict("python", PRODUCT, said) is not True


ASKED = [
    "The function should return the product of the numbers.",
    "The output should be a number.",
    "For 0, the function should return 1.",
    "We need to multiply the numbers, and return the product.",
    "The product must be returned.",
    "**Pseudocode**:\n\n1. Set `result` to 1.\n2. Multiply it by each number.",
]
NOT_ASKED = [
    "The sign below should be a plus.",
    "The operator should be minus.",
    "The line should return a sum.",
    "The condition has to be negative.",
    "The result should be fixed.",
    "The result should be replaced.",
    "The result should be negated.",
    "The code here must return a sum.",
    "The function should return the sum of the numbers.",
    "The output should be sorted.",
    "We need to change the sign.",
    "We need to sort the numbers.",
    "We need to add the numbers below.",
    "We have to start again, for it is wrong.",
    "This is only pseudocode.",
    "The following is pseudocode.",
]


@pytest.mark.parametrize("said", ASKED)
def test_what_is_asked_for_stands_in_front(said: str) -> None:
    text = f"{said}\n\nHere is the code:\n\n{PRODUCT_CODE}"
    assert verdict("python", PRODUCT, text) is True
    assert verdict("python", PRODUCT, text.replace("*=", "+=")) is False


@pytest.mark.parametrize("said", NOT_ASKED)
def test_another_thing_that_is_asked_for_or_changed(said: str) -> None:
    assert verdict("python", PRODUCT, f"{said}\n\nHere is the code:\n\n{PRODUCT_CODE}") is not True


def test_pseudocode_right_above_a_program_is_that() -> None:
    assert verdict("python", PRODUCT, f"Pseudocode:\n\n{PRODUCT_CODE}") is not True


@pytest.mark.parametrize("piece", ["(1 + ", "5! ", "2^2 = ", "((", "we need to ", "should be "])
def test_long_sentences_take_no_longer_than_they_are(piece: str) -> None:
    is_linear(lambda size: facts.read((piece * size)[:size]), size=250)
    is_linear(lambda size: remarks.unrequired((piece * size)[:size]), size=250)
    is_linear(partial(_fault, piece), size=250)


def _fault(piece: str, size: int) -> None:
    explanations.find_fault((piece * size)[:size])
