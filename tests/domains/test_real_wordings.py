"""How real models word the sentences around an answer: each rule beside what it must not let pass.

The wordings are of models of 1.5 to 70 billion parameters on MATH, AMC and OlympiadBench; the
numbers and things are made up.
"""

from __future__ import annotations

import pytest

from agentflow.domains import answers

CHECKED = "\\boxed{7}\n\nTo verify:\n- Total score so far: $3 \\times 7 = 21$.\n"

READ = [
    # What is counted, and which.
    ("There are $\\boxed{24}$ ways to seat 4 people.", "24"),
    ("There are $\\boxed{9}$ positive divisors of 100.", "9"),
    ("There are $\\boxed{6}$ distinct arrangements possible.", "6"),
    ("Rosa can come up with $\\boxed{64}$ different funny hats.", "64"),
    ("There are $\\boxed{2}$ values of $x$ for which $\\frac{1}{x^2-9}$ is not defined.", "2"),
    ("The curve has $\\boxed{2}$ $y$-intercepts.", "2"),
    ("There is only $\\boxed{1}$ ordered pair of numbers that fits.", "1"),
    ("They can mow $\\boxed{10}$ lawns in $2 \\cdot T$ hours.", "10"),
    ("Thus, Pam pays $\\boxed{10}$ more than Susan.", "10"),
    ("They eat $\\boxed{\\frac{13}{15}}$ of the pie altogether.", "\\frac{13}{15}"),
    ("The values of $a$ and $b$ are $\\boxed{2, -1}$, respectively.", "2, -1"),
    ("Therefore, $\\boxed{17}$ is the value of $x + y$.", "17"),
    ("The hall is $\\boxed{12}$ cm long.", "12 cm"),
    # Units.
    ("The energy is $\\boxed{1.9}$ eV.", "1.9 eV"),
    ("The weight is \\(\\boxed{84.01}\\) g/mol.", "84.01 g/mol"),
    # Bases.
    ("The product of $6_8$ and $7_8$ in base 8 is $\\boxed{52_8}$.", "52_8"),
    ("The number is equal to $\\boxed{2516_8}$ in base eight.", "2516_8"),
    ("The number is equal to $\\boxed{(2516)_8}$ in base eight.", "(2516)_8"),
    ("The number is equal to $\\boxed{2516_\\text{eight}}$ in base 8.", "2516_eight"),
    ("The value of N in base 10 is $\\boxed{335}$.", "335"),
    # Clauses that deny something of a thing.
    ("The number of rows such that the 2 red books are not side by side is $\\boxed{480}$.", "480"),
    ("The share that is not within 1 unit of a face is $\\boxed{\\frac{1}{2}}$.", "\\frac{1}{2}"),
    ("The minimum number of guesses needed to guarantee a hit is $\\boxed{4}$.", "4"),
    # What leads to a display, or heads it.
    ("Finally, calculate the product $CD$:\n\\[\n\\boxed{-5}\n\\]", "-5"),
    ("**4. Divide:**\n\n$$\n\\boxed{60}\n$$", "60"),
    ("Thus, the largest value of the real part is:\n\n\\[\n\\boxed{540}\n\\]", "540"),
    ("The final answer, encapsulated as requested, is $\\boxed{28}$.", "28"),
    ("7. **Final simplification**: Since $4^1 = 4$, the final answer is $\\boxed{4}$.", "4"),
    ("The chance that Pat and Chris get the same answer is $\\boxed{\\frac{9}{25}}$.",
     "\\frac{9}{25}"),
    ("Rosa could cover $\\boxed{1625}$ square centimeters of paper.", "1625 square centimeters"),
    # What follows.
    ("\\boxed{25}\n\nLet's check this in Python:\n```python\nprint(5 * 5)\n```", "25"),
    ("\\boxed{25}\n\nLet's check this:\n```python\nprint(5 * 5)\n```\n```output\n25\n```", "25"),
    ("\\boxed{2}\n\nThis confirms our analysis.", "2"),
    ("\\boxed{2}\n\nThis step-by-step approach closely follows the solution.", "2"),
    ("\\boxed{p - q}\n\nwhere \\(p = \\sum_k \\frac{1}{k^2}\\) and \\(q = 3\\).", "p - q"),
    ("\\boxed{2}\n\nLet me know if you'd like me to walk through the second part in detail!", "2"),
    (CHECKED + "Both cases confirm the solution is correct.", "7"),
    (CHECKED + "Therefore, her mean is indeed $7.", "7"),
]  # fmt: skip
OPEN = [
    "There are $\\boxed{5}$ to 6 ways.",
    "There are $\\boxed{3}$ boxes of 4 apples.",
    "There are $\\boxed{3}$ different answers.",
    "There are $\\boxed{9}$ divisors, which makes 18.",
    "There are $\\boxed{9}$ divisors that are wrong.",
    "\\boxed{14} more than 7",
    "\\boxed{14} to be checked",
    "\\boxed{14} with the sign flipped",
    "Therefore, $\\boxed{17}$ is not the value of $x + y$.",
    "Therefore, $\\boxed{17}$ is the value of the other root.",
    "Therefore, $\\boxed{17}$ is the other value of $x$.",
    "There are $\\boxed{3}$ apples on a different tree.",
    "In base 7, it is $\\boxed{42}$.",
    "The number is $\\boxed{52_8}$ in base nine.",
    "The number is $\\boxed{52}$ in base eight.",
    "The number is $\\boxed{(52)_8}$ in base ten.",
    "The number is $\\boxed{52_\\text{eight}}$ in base ten.",
    "The number is $\\boxed{52_{100}}$ in base ten.",
    "The number is $\\boxed{\\text{DEAD}_{16}}$ in base ten.",
    "The number that fits is not $\\boxed{480}$.",
    "The number of my guess is $\\boxed{4}$.",
    "The other part is:\n\n\\[\n\\boxed{540}\n\\]",
    "Draft: calculate the wrong product:\n\\[\n\\boxed{-5}\n\\]",
    "It could be $\\boxed{1625}$.",
    "\\boxed{25}\n\nLet's check:\n```python\nprint(26)\n```\n```output\n26\n```",
    "\\boxed{15}\n\nThis confirms that the total is 14.",
    "\\boxed{B}\n\nThis shows that the other option is right.",
    "\\boxed{2}\n\nLet me know if you'd like to see the correct answer!",
    CHECKED,
    CHECKED + "The mean is 8.",
    CHECKED.replace("21", "22") + "Both cases confirm the solution is correct.",
    CHECKED + "So the answer is 8.",
]


@pytest.mark.parametrize(("text", "answer"), READ)
def test_what_real_models_write_is_read(text: str, answer: str) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize("text", OPEN)
def test_what_is_nearly_that_is_not(text: str) -> None:
    assert answers.stated(text) is None
