"""What is told beside an answer of reasoning-gym has to go with it."""

import pytest

from agentflow.domains.gym import Gym, told

GCD = "Find the Greatest Common Divisor (GCD) of these numbers: 84, 126. Give only the GCD."
EQUATION = "Solve for n: 7*n + 20 = 83"
LETTERS = 'How many times does the letter "o" appear in the text: "good morning to all"?'
DAY = "What day of the week was March 3, 2021? Give the weekday name in full."
ROLES = "Tim and Una. So who is a knight and who is a knave? (Una is a knight/knave)"
RULES = "1. All cats are poets\nDoes it logically follow that:\nAll poets are cats?"
BASE = "Now, convert the base-12 number b5 to base-7"
SERIES = "2, 5, 11, 23, ?"
FAMILY = "Ann is married to Bob. They have a child called Cid. Cid is married to Dee. "
FAMILY += "They have children called Eve and Fay.\n\nHow is Ann related to Fay?"
BITS = "How many 1 bits are there in the binary representation of the number 2918?"
NOTE = "Is the note made of the magazine?\n\nRansom note: abba\nMagazine: abcbad"
PRIME = "Find the prime factorization of 1901. Write the factors in a line."
ANGLE = "A convex pentagon has interior angles 106°, 126°, 149°, 98°. What is the fifth?"
FRACTION = "Simplify the fraction 1890/4914."
SKEINS = "Ann knits 4 shawls of 15 skeins each. How many skeins does she need?"
FOUR = "Make 24 using 8, 3, 5, 5."
EDGES = "Solve this:\n|11 22|22 33|11 44|44 55/11 55 ="
HEX = "Give the value.\n((0x1f + 0x2) >> 0x1)"
LARGER = "Remove all numbers larger than 3.5 in this list: [1, 7, 3, 9]"
COURSES = "Return True if all courses can be finished:\n[(1, 0), (2, 1)]"
WORD = "Spell this word backward (example: sun -> nus): webworm"
COUNTDOWN = "Calculate 40 using all of these numbers: 8, 6, 2, 6."
TRY = "Try:  \n**8 - (6 ÷ 2) - 2**  \n"


def goes_with(task: str, question: str, said: str, text: str) -> bool:
    answer, sentences = told.parted(told.grounded(said, f"{text}\n\n<answer>{said}</answer>"))
    assert answer == said
    return told.goes_with(task, question, said, sentences)


@pytest.mark.parametrize(
    ("task", "question", "said", "text"),
    [
        ("gcd", GCD, "42", "126 = 84 + 42 and 84 = 2 × 42, so 42 divides both."),
        ("gcd", GCD, "42", "$84 = 2^2 \\cdot 3 \\cdot 7$. The GCD of 84 and 126 is 42."),
        ("simple_equations", EQUATION, "9", "Subtracting 20 gives 7n = 63, hence $n = 9$."),
        ("letter_counting", LETTERS, "4", "good (2), morning (1), to (1): 2 + 1 + 1 = 4"),
        ("calendar_arithmetic", DAY, "Wednesday", "March 1, 2021 was a Monday."),
        ("knights_knaves", ROLES, "Tim is a knight, and Una is a knave", "So Una is a knave."),
        ("syllogism", RULES, "No", "Some poets may be dogs, so it doesn't follow."),
        ("base_conversion", BASE, "254", "b is 11, so b5 in base 12 is 11 × 12 + 5 = 137."),
        ("number_sequence", SERIES, "47", "The differences are 3, 6, 12, and 23 + 24 = 47."),
        ("family_relationships", FAMILY, "grandmother", "Ann is the mother of Cid."),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", "8 times 6 is 48, which is 8 too much."),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", f"{TRY}= 8 - 3 - 2 \n= **3** → Not 40"),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", "Try:\n**8 × 6 − (6 + 2)**\n= 48 − 8\n= 40 ✅"),
        ("prime_factorization", PRIME, "1901", "First, let me check whether 1901 is even."),
        (
            "prime_factorization",
            PRIME,
            "1901",
            "1901 is not divisible by 2, 3, 17, 23, 29, 41 or 43.",
        ),
        ("prime_factorization", PRIME, "1901", "√1901 ≈ 43.6, so we try primes up to 43."),
        ("prime_factorization", PRIME, "1901", "The square root of 1901 is approximately 43.6."),
        ("simple_geometry", ANGLE, "61", "The sum of the angles is (n-2) × 180°."),
        ("fraction_simplification", FRACTION, "5/13", "GCD = 2 × 3^3 × 7 = 54 × 7 = 378"),
        ("fraction_simplification", FRACTION, "5/13", "The GCD of 1890 and 4914 is 378."),
        ("gsm_symbolic", SKEINS, "60", "15 skeins/shawl * 4 shawls = 60 skeins"),
        ("gsm_symbolic", SKEINS, "60", "8.5714 skeins/shawl * 7 shawls = 60 skeins"),
        ("puzzle24", FOUR, "8 * 3 * 5 / 5", "- 5 × 5 = 25 (not 24)"),
        (
            "calendar_arithmetic",
            DAY,
            "Wednesday",
            "78 divided by 7 equals 11 with a remainder of 1.",
        ),
        ("count_bits", BITS, "7", "In binary, 2918 is 101101100110.\nIt has 12 digits: 7 ones."),
        ("count_bits", BITS, "7", "101101100110 has 5 zeros."),
        ("ransom_note", NOTE, "True", "| a | 2 | 2 |\n| b | 2 | 2 |\nEvery letter is available."),
        ("ransom_note", NOTE, "True", "Count the letters: a ×2, b ×2."),
        ("path_star", EDGES, "11 44 55", "Follow the edges: 11 → 44 → 55."),
        ("path_star", EDGES, "11 44 55", "The path is 11, 44 and then 55."),
        ("bitwise_arithmetic", HEX, "0x10", "Add them: 0x1f + 0x2 = 31 + 2 = 33."),
        ("number_filtering", LARGER, "[1, 3]", "Let's look for numbers larger than 3.5."),
        ("course_schedule", COURSES, "True", "An order is 0 → 1 → 2."),
        ("spell_backward", WORD, "mrowbew", "The word has seven letters: w, e, b, w, o, r, m."),
        ("spell_backward", WORD, "mrowbew", "A 7-letter word; the first two letters are w and e."),
    ],
)
def test_what_goes_with_an_answer_leaves_it(task: str, question: str, said: str, text: str) -> None:
    assert goes_with(task, question, said, text)


@pytest.mark.parametrize(
    ("task", "question", "said", "text"),
    [
        ("spell_backward", WORD, "mrowbew", "The word has eight letters, and so has the answer."),
        ("spell_backward", WORD, "mrowbew", "An 8-letter word: w, e, b, w, o, r, m."),
        ("gcd", GCD, "42", "126 = 84 + 32."),
        ("gcd", GCD, "42", "Note that 126 is a multiple of 84."),
        ("gcd", GCD, "42", "The numbers 84 and 128 are even."),
        ("gcd", GCD, "42", "I'm not entirely sure about this."),
        ("gcd", GCD, "42", "The result is 21."),
        ("simple_equations", EQUATION, "9", "Subtracting 20 gives 7n = 53."),
        ("letter_counting", LETTERS, "4", "good (1), morning (1), to (2)"),
        ("calendar_arithmetic", DAY, "Wednesday", "March 1, 2021 was a Tuesday."),
        ("knights_knaves", ROLES, "Tim is a knight, and Una is a knave", "So Tim is a knave."),
        ("syllogism", RULES, "No", "By the premise, the conclusion follows."),
        ("base_conversion", BASE, "254", "b is 10, and so on."),
        ("number_sequence", SERIES, "47", "Differences: 3, 6, 10."),
        ("family_relationships", FAMILY, "grandmother", "Ann is Cid's sister."),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", "The number 2 is left over."),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", f"{TRY}= 8 - 4 - 2 \n= **2** → Not 40"),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", f"{TRY}= 8 - 3 - 2 \n= **4** → Not 40"),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", "Try:\n**8 × 6 − (6 + 2)**\n= 48 − 6\n= 42 ✅"),
        ("countdown", COUNTDOWN, "8 * 6 - 6 - 2", "Then\n= 37 − 17"),
        ("prime_factorization", PRIME, "1901", "1901 is even."),
        ("prime_factorization", PRIME, "1901", "So 1901 is divisible by 41."),
        ("prime_factorization", PRIME, "1901", "1902 is not divisible by 29, 41 or 43."),
        ("prime_factorization", PRIME, "1901", "1901 is not divisible by 57.\nSo 57 it is."),
        ("prime_factorization", PRIME, "1901", "√1901 ≈ 53.6, so we try primes up to 53."),
        ("prime_factorization", PRIME, "1901", "The square root of 1901 is approximately 47.8."),
        ("prime_factorization", PRIME, "1901", "√1901 ≈ 43.6, so we try primes up to 97."),
        ("simple_geometry", ANGLE, "61", "The sum of the angles is (n-2) × 170°."),
        ("fraction_simplification", FRACTION, "5/13", "GCD = 2 × 3^3 × 7 = 54 × 7 = 368"),
        ("fraction_simplification", FRACTION, "5/13", "GCD = 2 × 3^2 × 7 = 54 × 7 = 378"),
        ("fraction_simplification", FRACTION, "5/13", "The GCD of 1890 and 4914 is 126."),
        ("gsm_symbolic", SKEINS, "60", "15 skeins/shawl * 4 shawls = 65 skeins"),
        ("gsm_symbolic", SKEINS, "60", "8.5514 skeins/shawl * 7 shawls = 60 skeins"),
        ("gsm_symbolic", SKEINS, "60", "8.57 skeins/shawl * 7 shawls = 60 skeins"),
        ("puzzle24", FOUR, "8 * 3 * 5 / 5", "- 5 × 5 = 26 (not 24)"),
        (
            "calendar_arithmetic",
            DAY,
            "Wednesday",
            "78 divided by 7 equals 11 with a remainder of 2.",
        ),
        (
            "calendar_arithmetic",
            DAY,
            "Wednesday",
            "78 divided by 7 equals 12 with a remainder of 1.",
        ),
        ("count_bits", BITS, "7", "In binary, 2918 is 101101100111."),
        ("count_bits", BITS, "7", "It has 13 digits."),
        ("count_bits", BITS, "7", "It has 12 digits: 7 ones and 6 zeros."),
        ("ransom_note", NOTE, "True", "| a | 2 | 3 |"),
        ("ransom_note", NOTE, "True", "After that, c is left."),
        ("path_star", EDGES, "11 44 55", "Follow the edges: 11 → 22 → 55."),
        ("path_star", EDGES, "11 44 55", "The node 22 is a dead end."),
        ("bitwise_arithmetic", HEX, "0x10", "Add them: 0x1f + 0x2 = 35."),
        ("number_filtering", LARGER, "[1, 3]", "That removes three numbers."),
        ("course_schedule", COURSES, "True", "An order is 1 → 0 → 2."),
    ],
)
def test_what_does_not_go_with_an_answer_is_found(
    task: str, question: str, said: str, text: str
) -> None:
    assert not goes_with(task, question, said, text)


def test_an_answer_is_shown_without_what_is_told_beside_it() -> None:
    answer = told.grounded("42", "The numbers are 84 and 126.\n\n<answer>42</answer>")
    assert answer != "42"
    assert object.__new__(Gym).shown(answer) == "42"
