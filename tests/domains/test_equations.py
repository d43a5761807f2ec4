from __future__ import annotations

import re
from fractions import Fraction

import pytest
from counting import is_linear
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow.domains.math.claims import Claim, is_plain, judge
from agentflow.domains.math.equations import claims, ending, forgets


def oks(line: str) -> list[bool | None]:
    """What is told of the plain claims of a line."""
    return [judge(claim).ok for claim in claims(line)[0] if is_plain(claim)]


RIGHT = [
    "Janet sells 16 - 3 - 4 = <<16-3-4=9>>9 duck eggs a day.",
    "She makes 9 * 2 = $<<9*2=18>>18 every day.",
    "So 20% of 50 = 10.",
    "\\[ \\frac{1}{2} \\times 50 = 25 \\]",
    "Total = $1,200 + $34.50 = $1,234.50",
    "1/3 ≈ 0.33",
    "2/3 \\approx 0.67",
    "x = (12 + 4) / 2^3 = 2",
    "60 miles/hour * 2 hours = 120 miles",
    "5 apples + 3 oranges = 8 fruits",
    "3 x 4 = 12 and so on",
    "- Total: **3 + 4 = 7**",
    "1. 3 + 4 = 7",
    "3/4 = 75%",
    "3/4 * 100 = 75%",
    "50 + 10% = 55",
    "1 1/2 / 1/2 = 3",
    "5! / 3! = 20",
    "\\binom{5}{2} = 10",
    "2 \\cdot (3 + 4) = 14",
    "180^\\circ - 90^\\circ = 90^\\circ",
    "The sum: 3 + 4 + 5 = 12!",
    "1,000 × 3 ÷ 2 = 1,500",
    "\\sqrt{16} + 1 = 5",
    "100 / 7 ≈ 14.3",
    "2x + 3x = 5x",
]
WRONG = [
    ("48/2 = 25 clips", "48/2 is 24, not 25 clips"),
    ("x = 48/2 = 25", "48/2 is 24, not 25"),
    ("She has \\(12 + 6 = 19\\).", "12 + 6 is 18, not 19"),
    ("So 3 + 4 = 7, 5 + 6 = 12", "5 + 6 is 11, not 12"),
    ("We get (8 - 3) * 2 = 5 * 2 = 11", "5 * 2 is 10, not 11"),
    ("0.5 * 3 = 2.5", "0.5 * 3 is 1.5, not 2.5"),
    ("\\frac{1}{2} + \\frac{1}{3} = \\frac{2}{5}", None),
    ("There are <<3*4=13>>13 left", "3*4 is 12, not 13"),
    ("7 * 8 = 54 dollars.", "7 * 8 is 56, not 54"),
    ("$191.50 + $14 = $206.50", "191.50 + 14 is 205.5, not 206.50"),
    ("40% * $25 = $20", "40% * 25 is 10, not 20"),
    ("2^5 = 10", "2^5 is 32, not 10"),
    ("B = (4 + 3 + -5) = 3", "(4 + 3 + -5) is 2, not 3"),
    ("12 = 5 + 6.", "5 + 6 is 11, not 12"),
]
NEVER_REFUTED = [
    "2x + 3 = 5",
    "x + 3 = 5",
    "Let n = 5.",
    "Day 5 = 3 + 4",
    "Suppose 2 + 2 = 5.",
    "If 3 + 4 = 8 then",
    "Is 3 + 4 = 8?",
    "3 * 7 = 1 (mod 10)",
    "3 * 7 = 1 \\pmod{10}",
    "17 / 5 = 3 remainder 2",
    "17 / 5 = 3 R 2",
    "101_2 + 1 = 6",
    "100 / 3 = 33",
    "Half of 20 + 4 = 14",
    "The average of 2 + 4 = 3",
    "gcd(12, 18) = 6",
    "f(3 + 4) = 8",
    "2 dozen + 3 = 27",
    "25 cents * 8 = $2",
    "30 * 4 = 2 hours",
    "2 hours + 30 minutes = 150 minutes",
    "1 + 2 + ... + 10 = 55",
    "\\sum_{k=1}^{3} k = 6",
    "3 + 4 = 7x",
    "2ab + 2cd = 0",
    "65 + 2xy = 105",
    "100 - \\frac{2500}{81} = 5AD^2",
    "5 + 3 = 8 * 2 = 16",
    "- 3 + 4 = 7",
    "25 classmates + his 1 teacher + 1 himself = 27",
    "1st - 5 = 6th",
    "60 / 15 = 4 (15 minutes)",
    "1800 - 2000 = 200 less",
    "48 = 100% + 20%",
    "2 + 2 = 5 is wrong",
    "3 * 3.33 = 10",
    "3.14 * 2^2 = 12.57",
    "9/14*84 = <<9/14*84=54.00000000000001>>54 women",
    "2000 / 75 = 26.666666666666668",
    "\\sqrt{4} = 2 and -2",
    "The roots: 1 + 2 = 3 and 4",
    "sin(30) = 0.5",
    "2, 3, 4 + 5 = 14",
    "4\\log 2 = 4(0.30102...) = 1.2",
    "\\[ 21^2 = 441 \\] \\[ (-20)^2 = 400 \\]",
    "1/2(4) = 2 and 1/2(4) = 1/8",
    "-3^2 = 9 and -3^2 = -9",
    "A = \\{1, 2\\}, |A| = 1 + 1",
]
NOT_MEANT = [
    "2 \\times 3\\frac{4}{5} = 7.6",
    "2 \\cdot 3\\frac{1}{2} = 7",
    "3\\frac{1}{2} \\times 2 = 7",
    "10 \\div 2\\frac{1}{2} = 4",
    "5 - 2\\frac{1}{2} = 2.5",
    "2 * 3 1/2 = 7",
    "2 × 3½ = 7",
    "3½ + 1 = 4.5",
    "-1\\frac{1}{2} + 2 = \\frac{1}{2}",
    "1 - 2\\frac{1}{3} = -\\frac{4}{3}",
    "-2\\frac{1}{2} = -2.5",
    "2\\dfrac12 + 1 = 3.5",
    "2 \\dfrac{1}{2} \\cdot 4 = 10",
    "4 · 1 3/4 = 7",
    "2^{3}\\frac{1}{2} = 4",
    "1/2x = 4",
    "1.234,56 + 1 = 1.235,56",
    "1.234 + 1 = 1.235",
    "1.000 * 3 = 3.000",
    "1,5 + 1,5 = 3",
    "2,5 * 2 = 5",
    "12.345.678 + 1 = 12.345.679",
    "1 234 + 1 = 1 235",
    "1'000 + 1 = 1'001",
    "1_000 + 1 = 1001",
    "10,00,000 + 1 = 10,00,001",
    "0.\\overline{3} + 0.\\overline{6} = 1",
    "0.333... + 0.666... = 1",
    "0.(3) * 3 = 1",
    "0.3\\overline{3} * 3 = 1",
    "1/3 = 0.\\dot{3}",
    "1/3 = 0.333...",
    "1/3 = 0.33",
    "2/3 = 0.67",
    "2/3 = 66.7%",
    "10 / 6 = 1.67",
    "0.67 = 2/3",
    "x = 10 / 3 = 3.333333",
    "22/7 ≈ 3",
    "2/3 ≈ 0.6",
    "2/3 ≈ 0.67",
    "-2/3 ≈ -0.6",
    "10/3 = 3.33",
    "10/3 = 3",
    "10/3 = 3.3",
    "2/3 = 0.666",
    "7/2 = 4",
    "17 = 3 mod 7",
    "17 ≡ 3 (mod 7)",
    "17 = 3 (mod 7)",
    "3 * 5 = 1 mod 7",
    "17 % 5 = 2",
    "10 % 3 = 1",
    "2:30 + 45 = 3:15",
    "2:30 + 0:45 = 3:15",
    "8:45 + 30 = 9:15",
    "11:30 AM + 2 = 1:30 PM",
    "10 + 4 = 2 o'clock",
    "10 + 4 = 2 PM",
    "10 AM + 4 hours = 2 PM",
    "1/2/2020 + 1 = 2/2/2020",
    "2020-01-31 + 1 = 2020-02-01",
    "101_2 + 1_2 = 110_2",
    "0x10 + 1 = 17",
    "0b101 = 5",
    "1010 (base 2) + 1 = 1011",
    "101_2 = 5",
    "5! = 120",
    "3! * 2 = 12",
    "2 + 3 = 5!",
    "5!! = 15",
    '"2" + "3" = "23"',
    "2 || 3 = 23",
    "12 concatenated with 3 = 123",
    "ratio 3:4 = 6:8",
    "3:4 = 0.75",
    "3 : 4 = 6 : 8",
    "log 100 = 2",
    "log(100) + 1 = 3",
    "log_2 8 = 3",
    "\\ln e = 1",
    "log2(8) = 3",
    "$5 + 50¢ = $5.50",
    "€5 + €3 = €8",
    "$5 = £4",
    "5 USD * 2 = 10 USD",
    "1.5e3 + 1 = 1501",
    "1.5E3 = 1500",
    "2 x 10^3 = 2000",
    "2*10^-3 = 0.002",
    "3 + 4 < 8 = 8",
    "3*4 = 12 ≠ 24",
    "3 * 4 = 12 \\neq 24",
    "3 * 4 != 24",
    "3 + 4 > 6",
    "x = 3 or x = 4",
    "x = 3 ± 1 = 4, 2",
    "x = \\pm 2",
    "5 ± 2 = 3",
    "5 ± 2 = 7",
    "\\frac{6 \\pm 2}{2} = 4",
    "(1, 2) + (3, 4) = (4, 6)",
    "[1, 3] + 1 = [2, 4]",
    "|−3| + 1 = 4",
    "|3 - 5| = 2",
    "|-3| = 3",
    "\\lfloor 7/2 \\rfloor = 3",
    "⌊7/2⌋ = 3",
    "\\lceil 7/2 \\rceil = 4",
    "7 // 2 = 3",
    "2 ** 3 = 8",
    "2 ^ 3 = 8",
    "5 & 3 = 1",
    "5 | 3 = 7",
    "5 xor 3 = 6",
    "3 choose 2 = 3",
    "C(5, 2) = 10",
    "5C2 = 10",
    "_5C_2 = 10",
    "^5C_2 = 10",
    "P(5,2) = 20",
    "5P2 = 20",
    "gcd(4, 6) = 2",
    "max(3, 4) = 4",
    "min(3, 4) + 1 = 4",
    "\\min(3, 4) + 1 = 4",
    "\\gcd(12, 18) + 1 = 7",
    "f(3) = 2*3 + 1 = 7",
    "f(2) + 3 = 10",
    "P(A) = 1/2 * 1/3 = 1/6",
    "n = 5; n + 1 = 6",
    "1 Blinket = 7/3",
    "1 Blinket = 7/3 Drinkets",
    "3 Trinkets = 4 Blinkets + 1",
    "1 mile = 5280 feet",
    "1 foot = 12 inches",
    "2 weeks = 14 days",
    "3 hours = 180 minutes",
    "2 hours 30 minutes = 150 minutes",
    "2 hours + 30 minutes = 2.5 hours",
    "5 feet 3 inches = 63 inches",
    '5\' 3" = 63"',
    "1 km + 500 m = 1.5 km",
    "1 L + 250 mL = 1.25 L",
    "2 dozen = 24",
    "2 dozen eggs + 1 = 25",
    "50% of 20 + 5 = 15",
    "20 + 10% = 22",
    "100 - 20% = 80",
    "50% + 50% = 1",
    "25% = 1/4",
    "5% * 200 = 10",
    "200 * 5% = 10",
    "20 is 10% of 200",
    "15% off 100 = 85",
    "100 + 15% off = 85",
    "Does 3 * 4 = 13?",
    "Does (4+8)*(7-8) = 24? No, -12.",
    "Could 3 * 4 = 13? Let me see",
    "If x = 3, 3 * 4 = 13",
    "Suppose 2 + 2 = 5",
    "Say 2 + 2 = 5.",
    "Imagine 2 + 2 = 5.",
    "Pretend 2 + 2 = 5.",
    "What if 2 + 2 = 5",
    "Maybe 3 * 4 = 13.",
    "Perhaps 3 * 4 = 13",
    "I think 3 * 4 = 13",
    "It might be 3 * 4 = 13",
    "Consider 3 * 4 = 13",
    "Let 3 + 4 = 8",
    "Assume 3 + 4 = 8",
    "Try 3 + 4 = 8",
    "3 + 4 = 8 → Not 36",
    "3 + 4 = 8 -> too low",
    "3 + 4 = 8 ❌",
    "3 + 4 = 8 ✗",
    "3 + 4 = 8 ✘",
    "3 + 4 = 8 🚫",
    "❌ 3 + 4 = 8",
    "✗ 3 + 4 = 8",
    "3 + 4 = 8 (wrong)",
    "3 + 4 = 8, but that's not 24",
    "3 + 4 = 8, oops",
    "3 + 4 = 8. Oops.",
    "3 + 4 = 8. No, 7.",
    "3 + 4 = 8, no, 7",
    "3 + 4 = 8... wait, 7",
    "3 + 4 = 8. Wait, that's incorrect.",
    "3 + 4 = 8. That's incorrect.",
    "3 + 4 = 8 would be incorrect",
    "He wrote 3 + 4 = 8",
    "The student claims 3 + 4 = 8",
    "Tom says 3 + 4 = 8",
    '"3 + 4 = 8"',
    "'3 + 4 = 8'",
    "~~3 + 4 = 8~~",
    "\\cancel{3 + 4 = 8}",
    "\\sout{3 + 4 = 8}",
    "It is false that 3 + 4 = 8",
    "It is not true that 3 + 4 = 8",
    "There is no way 3 + 4 = 8",
    "Nobody says 3 + 4 = 8",
    "3 + 4 = 8 is impossible",
    "3 + 4 ≠ 8 = 8",
    "Common mistake: 3 + 4 = 8",
    "Wrong: 3 + 4 = 8",
    "Incorrect: 3 + 4 = 8",
    "Error: 3 + 4 = 8",
    "Old: 3 + 4 = 8",
    "Scratch that: 3 + 4 = 8",
    "Bad: 3 + 4 = 8",
    "Equation: 3 + 4 = 8",
    "Target: 3 + 4 = 8",
    "The puzzle: 3 + 4 = 8 with matchsticks",
    "Code: 3 + 4 = 8",
    "In this system 3 + 4 = 8",
    "a * b = a + 2b, so 3 * 4 = 11",
    "3 ∗ 4 = 11 where a∗b = a+2b",
    "3 ★ 4 = 11",
    "3 ⊕ 4 = 7",
    "3 @ 4 = 8",
    "3 # 4 = 8",
    "3 \\star 4 = 8",
    "3 \\oplus 4 = 7",
    "3 \\circ 4 = 8",
    "| 3 | 4 = 8 |",
    "| 3 + 4 = 8 | x |",
    "x_1 + x_2 = 3 + 4 = 8 - 1",
    "x1 + 3x2 = 4",
    "3x1 + 2x2 = 7",
    "2x2=1",
    "3 x1 + 2 x2 = 7",
    "12 - 5 = 7 - 2 = 5",
    "10 + 5 = 15 / 3 = 5",
    "3/4 * 1/2 = 3/8 plus 1/4 * 1 = 5/8",
    "1461*84 = 1461*80 = 116880",
    "504*685 = 504*600 = 302400",
    "2200 + 44 + 19 = 2200 + 44 = 2244",
    "(2*3 + 2)/4 = (6+2) = 8/4 = 2",
    "84 - 90 - 108 = (84 - 90) is -6",
    "863/10/23 + 2 days = 863/10/25",
    "12/31 + 1 day = 1/1",
    "12/31 + 1 = 1/1",
    "7 - 3 = 4 left: 4 4",
    "sin 30 = 0.5",
    "sin(30) + 1 = 1.5",
    "sqrt 16 = 4",
    "√16 = 4",
    "√16 + 9 = 5",
    "∛8 = 2",
    "³√8 + 1 = 3",
    "2√9 = 6",
    "3 squared = 9",
    "3 squared + 4 squared = 25",
    "3 cubed + 1 = 28",
    "5 choose 2 + 1 = 11",
    "3 and 4 = 7",
    "3 plus 4 equals 8, right?",
    "The sum of 3 + 4 = 8's digits",
    "3rd + 4th = 7th",
    "#3 + 4 = 8",
    "Q3 + 4 = 8",
    "No. 3 + 4 = 8",
    "Step 3 + 4 = 8",
    "Chapter 3 - 4 = 12",
    "pages 3 - 4 = 2 pages",
    "pages 3 – 4 = 2 pages",
    "ages 3-4 = 12 kids",
    "from 3 - 4 = 5 people",
    "3-4 = 2 hours",
    "10 - 20 = 11 numbers",
    "1-10 = 10 numbers",
    "Room 3 + 4 = 8",
    "Scores: 3 - 4 = loss",
    "3 to 4 = 2",
    "2 1/2 + 1 = 3 1/2",
    "2-1/2 = 2.5",
    "1-1/2 cups * 2 = 3 cups",
    "2 & 1/2 * 2 = 5",
    "two and 1/2 * 2 = 5",
    "3 and 1/2 * 2 = 7",
    "3 and 1/2 + 1/2 = 4",
    "3 + 1/2 + 1/2 = 4",
    "one plus 3 + 4 = 8",
    "twice 3 + 4 = 14",
    "double 3 + 4 = 14",
    "the square of 3 + 4 = 49",
    "sum of 3 + 4 = 7",
    "the difference 4 - 3 = 1",
    "-(3 + 4) = -7",
    "- (3 + 4) = 7",
    "* 3 + 4 = 7",
    "+ 3 + 4 = 7",
    "+ 3 + 4 = 10",
    "/ 3 + 4 = 10",
    "... + 3 + 4 = 10",
    "… + 3 + 4 = 10",
    "... 3 + 4 = 10",
    ")3 + 4 = 10",
    "3 + 4 = 10 - ...",
    "3 + 4 = 10 - …",
    "3 + 4 = 10 -",
    "3 + 4 = 1 1",
    "3 + 4 = 1 million",
    "3 + 4 = 8th",
    "3 + 4 = 8%",
    "3 + 4 = 8 percent",
    "3 + 4 = 8 / ",
    "3 + 4 = 8 (approx)",
    "3 + 4 = 8 (rounded up)",
    "3.7 + 4 = 8 (rounded up)",
    "3.7 + 4 = 8",
    "3.4 + 4.3 = 8",
    "100 / 7 = 14",
    "100 / 7 = 15 buses",
    "100 / 7 = 14 R 2",
    "100 / 7 = 14 r2",
    "100 / 7 = 14r2",
    "100 / 7 = 14 rem 2",
    "100 / 7 = 14 with 2 left over",
    "100 / 7 = 14 remainder 2",
    "100/7 = 14, remainder 2",
    "100/7 = 14 (remainder 2)",
    "2^10 = 1000 approximately",
    "2^10 = 1K",
    "1 / 0 = infinity",
    "0.1 + 0.2 = 0.30000000000000004",
    "1e-3 + 1 = 1.001",
    "1 + 1 = 10 in binary",
    "in binary, 1 + 1 = 10",
    "1 + 1 = 10 (binary)",
    "1 + 1 = 0 in Z_2",
    "1 + 1 = 0 (XOR)",
    "1 + 1 = 0 in GF(2)",
    "in F_2, 1 + 1 = 0",
    "1 + 1 = 1 (Boolean OR)",
    "9 + 4 = 1 on a clock",
    "9 + 4 = 13 = 1",
    "Sunday + 3 = Wednesday",
    "A + 1 = B",
    "F - 1 = E",
    "0xF + 1 = 0x10",
    "F + 1 = 10",
    "3 + 4 = 8 - typo",
    "3 + 4 = 8 [sic]",
    "3 + 4 = 8 ?",
    "3 + 4 =? 8",
    "3 + 4 ?= 8",
    "3 + 4 \\stackrel{?}{=} 8",
    "3 + 4 \\overset{?}{=} 8",
    "3 + 4 == 8",
    "assert 3 + 4 == 8",
    "`3 + 4 = 8`",
    "print(3 + 4 = 8)",
    "x = 3 + 4 # = 8",
    "3 + 4 := 8",
    "3 + 4 =: 8",
    "3 + 4 ~ 8",
    "3 + 4 ~= 8",
    "3 + 4 ≈ 8",
    "1/3 ≈ 0.4",
    "1/3 ≈ 1",
    "2/3 ≈ 0",
    "3 + 4 ≃ 8",
    "3 + 4 ∼ 8",
    "3 + 4 \\sim 8",
    "3 + 4 \\cong 8",
    "3 + 4 =~ 8",
    "3 + 4 ≒ 8",
    "3 + 4 ≐ 8",
    "3 + 4 ≤ 8 = 8",
    "3 + 4 <= 8",
    "3 + 4 => 8",
    "3 + 4 ⇒ 8",
    "3 + 4 = 8 = False",
    "3 + 4 = not 8",
    "3 + 4 isn't = 8",
    "3 + 4 /= 8",
    "3 + 4 =/= 8",
    "3 + 4 <> 8",
    "3 + 4 = -8 + 15",
    "3 + 4 = 8 - 1",
    "2(3) + 4 = 10",
    "2(3 + 4) = 14",
    "(2)(3) = 6",
    "(2)(3)(4) = 24",
    "2 3 = 6",
    "2 \\, 3 = 6",
    "6/2(3) = 9",
    "6/2(1+2) = 1",
    "6/2(1+2) = 9",
    "6 ÷ 2(1+2) = 1",
    "1/2 * 3 = 1.5",
    "1/2·3 = 1/6",
    "1 / 2 3 = 1.5",
    "2^3^2 = 512",
    "2^3^2 = 64",
    "-2^2 = 4",
    "-2^2 = -4",
    "(-2)^2 = 4",
    "2^-1 = 0.5",
    "4^1/2 = 2",
    "4^{1/2} = 2",
    "27^1/3 = 3",
    "8^2/3 = 4",
    "10^2 3 = 1",
    "e^0 = 1",
    "e^2 = 7.39",
    "i^2 = -1",
    "i * i = -1",
    "\\infty + 1 = \\infty",
    "∞ + 1 = ∞",
    "1/∞ = 0",
    "∑ 1 + 2 = 3",
    "\\sum 1 + 2 = 3",
    "\\int_0^1 2 + 1 = 3",
    "\\lim 1 + 1 = 3",
    "\\prod 1 * 2 = 2",
    "d/dx 3 = 0",
    "d/dx 3^2 = 0",
    "\\frac{d}{dx} 3 = 0",
    "\\det 3 + 4 = 7",
    "3' + 4 = 8",
    "3 + 4' = 8",
    "3^\\circ + 4 = 7",
    "3° + 4° = 7°",
    "30° 30' + 15' = 30.75°",
    "90^\\circ - 30^\\circ 30' = 59.5^\\circ",
    "-5°C + 10 = 5°C",
    "32°F = 0°C",
    "0°C = 32°F",
    "5 + 3 = 2 (mod 6)",
    "5 + 3 = 2 \\mod 6",
    "5 + 3 = 2 \\bmod 6",
    "5 + 3 = 2 modulo 6",
    "5 + 3 = 2, mod 6",
    "mod 6: 5 + 3 = 2",
    "(mod 6) 5 + 3 = 2",
    "Working mod 6, 5 + 3 = 2",
    "Modulo 6 we have 5 + 3 = 2",
]
"""Mixed numbers, other conventions, dates, units, ranges, other rules, and what nobody claims."""


@pytest.mark.parametrize("line", RIGHT)
def test_right_lines_hold(line: str) -> None:
    found, _ = claims(line)
    assert found, line
    assert set(oks(line)) <= {True}, [(claim, judge(claim)) for claim in found]


@pytest.mark.parametrize(("line", "reason"), WRONG)
def test_wrong_lines_are_refuted(line: str, reason: str | None) -> None:
    judged = [judge(claim) for claim in claims(line)[0]]
    refuted = [one for one in judged if one.ok is False]
    assert len(refuted) == 1, judged
    assert reason is None or refuted[0].reason == reason


@pytest.mark.parametrize("line", [*NEVER_REFUTED, *NOT_MEANT])
def test_what_may_be_meant_otherwise_is_never_refuted(line: str) -> None:
    assert False not in oks(line), [(claim, judge(claim)) for claim in claims(line)[0]]


@pytest.mark.parametrize(
    ("line", "ok"),
    [
        ("Step 1: 17 * 3 = 51", True),
        ("Step 1: 17 * 3 = 50", False),
        ("**Step 12:** 51 + 4 = 55", True),
        ("**Step 12:** 51 + 4 = 56", False),
        ("### Step 3: 2 + 2 = 5", False),
        ("7 + 6 equals 13", True),
        ("7 + 6 equals 12", False),
        ("7 + 6 is equal to 12", False),
        ("4 boxes x 6 cans = 24 cans", True),
        ("4 boxes x 6 cans = 20 cans", False),
        ("4 boxes times 6 cans equals 20 cans", False),
        ("10 * 2 = **20**", True),
        ("10 * 2 = **22**", False),
        ("10 * 2 = **22** (eggs)", False),
        ("**10 * 2 = 22**", False),
        ("**4 ** 2 = 16**", True),
        ("10 times 2 is 20.", True),
        ("10 times 2 is 22", False),
        ("The sum of 7 and 6 is 12.", False),
        ("The product of 3 and 4 is 12.", True),
        ("adding 7 and 6 gives 12", False),
        ("20 divided by 4 is 6.", False),
        ("12 multiplied by 3 is 36", True),
        ("2 \\times 3\\frac{4}{5} = 7.6", True),
        ("2 \\times 3\\frac{4}{5} = 7.7", False),
        ("2½ + 1 = 3½", True),
        ("25 percent of 80 is 20", True),
        ("25 percent of 80 = 25", False),
        ("3 + 4 = 7 ✅", True),
        ("3*4 = 13 ≠ 24", False),
        ("10 * 2 makes 21", False),
    ],
)
def test_steps_as_people_write_them(line: str, ok: bool) -> None:
    assert oks(line) == [ok]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Half of 80 is 40.", [True]),
        ("Two thirds of 9 is 4.", [False]),
        ("The square root of 196 is 14.", [True]),
        ("The square root of 16 is 5.", [False]),
        ("4 squared is 16", [True]),
        ("3 added to 4 is 7", [True]),
        ("2 + 2 is 4 squared", []),
        ("The fifth of 20 students is 18", []),
    ],
)
def test_operations_in_words_are_read(line: str, told: list[bool | None]) -> None:
    assert oks(line) == told


@pytest.mark.parametrize(
    "line",
    [
        "More than half of 12 is 7",
        "The answer is 12",
        "There are 3 boxes and 4 is more",
        "2/5 is equal to 12.8 hectares",
        "The shop is open 24/7 is 5 days",
        "555-1234 is 3",
        "if 7 + 6 is 12",
    ],
)
def test_is_does_not_always_say_equals(line: str) -> None:
    assert claims(line)[0] == []


def test_words_behind_a_number_may_be_more_than_its_unit() -> None:
    assert oks("7 + 6 is 12 more than 1") in ([], [None])


@pytest.mark.parametrize(
    "line",
    [
        "52 + 148 (2*74) = 200",  # the bracket says where the number comes from
        "200 + 186 [2 * 93] = 386",
        "So 12 (3 * 4) + 8 = 20",
        "Score:54*5=270 -19*2=38 → 232.",  # each result is that of the last piece of work
        "July 16 + (31-16)=15 days to the end of July",
        "10 + 4/2 = 2, so 12",
        "-32045 =2,113,890 -32,045 =2,081,845.",  # goes on with the line before
        "After the change: 12 blue,28 yellow.28/12=7/3.",  # a full stop, or a decimal point
        "so it is.5 * 2 = 1",
        "12^6=2985984, 12^7=358318",  # cut off within the number
        "7 - 37 = **-3",
        "= **26 * 20 = 52",
    ],
)
def test_what_may_be_meant_in_another_way_is_not_refuted(line: str) -> None:
    assert False not in oks(line), [(claim, judge(claim)) for claim in claims(line)[0]]


@pytest.mark.parametrize(
    "line",
    [
        "52 + 148 (2*74) = 201",
        "54*5=271 -19*2=233",
        "16 + (31-16) = 14",
        "28/12 = 7/4",
        "It was yellow. 28/12 = 7/4.",
        "12^7 = 358318\n",  # a whole line
        "12^7 = 358319",
        "26 * 20 = 52.",
        "26 * 20 = 53",
        "-32045 = 2,113,890 - 32,046",
    ],
)
def test_what_is_wrong_in_every_reading_is_refuted(line: str) -> None:
    assert False in oks(line)


HOLDS, OPEN = [True], [None]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("-2^2 = 4", OPEN),
        ("-3^2 = 9", OPEN),
        ("2 * -3^2 = 18", OPEN),
        ("5 + -2^2 = 9", OPEN),
        ("6/2(1+2) = 1", OPEN),
        ("6/2(1+2) = 9", OPEN),
        ("6 / 1/2 = 3", OPEN),
        ("50 + 10% = 50.1", OPEN),
        ("12 + 12 = 4!", OPEN),
        ("-2^2 = -4", HOLDS),
        ("(-2)^2 = 4", HOLDS),
        ("2 * -3^2 = -18", HOLDS),
        ("5 + -2^2 = 1", HOLDS),
        ("6/(2(1+2)) = 1", HOLDS),
        ("(6/2)(1+2) = 9", HOLDS),
        ("\\frac{6}{2}(1+2) = 9", HOLDS),
        ("6 / 1/2 = 12", HOLDS),
        ("12 + 12 = 24!", HOLDS),
        ("4! * 5 = 5!", HOLDS),
    ],
)
def test_what_holds_by_the_rules_is_sure(line: str, told: list[bool | None]) -> None:
    assert oks(line) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("20% of $50 = $1000", OPEN),
        ("25% of 80 is 2000", OPEN),
        ("5% * 100 = 500", OPEN),
        ("50% * 50% = 2500", OPEN),
        ("1 + 5% = 6", OPEN),
        ("1 - 20% = -19", OPEN),
        ("100% - 25% = 75", OPEN),
        ("2 + 2 = 4%", OPEN),
        ("25% of 80 is 20", HOLDS),
        ("60% - 20% = 40%", HOLDS),
        ("50 + 10% = 55", HOLDS),
        ("1 - 20% = 0.8", HOLDS),
        ("3/4 = 75%", HOLDS),
        ("3/4 * 100 = 75%", HOLDS),
        ("1/3 = 33.33%", OPEN),
        ("2/3 * 100 = 66.67%", OPEN),
    ],
)
def test_a_percent_sign_is_a_hundredth(line: str, told: list[bool | None]) -> None:
    assert oks(line) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("2 hours + 30 minutes = 32 hours", OPEN),
        ("2 hours + 30 minutes = 32 minutes.", OPEN),
        ("5 feet + 6 inches = 11 feet", OPEN),
        ("2 kg + 500 grams = 502 kg", OPEN),
        ("$1 + 50 cents = $51", OPEN),
        ("3 dozen + 6 = 9", OPEN),
        ("10 miles / 2 hours = 5 hours", OPEN),
        ("120 minutes / 2 = 60 hours", OPEN),
        ("1 hour * 30 minutes = 30 hours", OPEN),
        ("$2 + $2 = 4 cents", OPEN),
        ("2 + 2 = 4 million", OPEN),
        ("2 + 2 = 4 dozen", OPEN),
        ("2 hours + 30 minutes = 150 minutes", HOLDS),
        ("2 hours + 30 minutes = 2.5 hours", HOLDS),
        ("$1 + 50 cents = $1.50", HOLDS),
        ("3 dozen + 6 = 42", HOLDS),
        ("4 * 25 cents = $1", HOLDS),
        ("3 million + 2 million = 5 million", HOLDS),
        ("2 hours * 60 minutes/hour = 120 minutes", HOLDS),
        ("120 miles / 60 mph = 2 hours", HOLDS),
        ("180 miles / 60 miles per hour = 3 hours", HOLDS),
        ("3 days * 2 hours = 6 hours", OPEN),
        ("36 inches / 12 = 3 feet", OPEN),
        ("10 miles / 2 hours = 5 miles", OPEN),
        ("120 miles / 60 = 2 hours", OPEN),
        ("48 / 12 = 4 dozen", OPEN),
        ("21 * 4 = 84 cents", HOLDS),
        ("2 hours + 3 hours = 5 hours", HOLDS),
    ],
)
def test_units_are_converted(line: str, told: list[bool | None]) -> None:
    assert oks(line) == told


@pytest.mark.parametrize(
    "unit",
    [
        *("tenths", "halves", "thirds", "doubled", "tripled", "squared", "factorial", "percent"),
        *("more than 3", "fewer than 3", "times as many", "less", "minus 1", "\\pi", "false"),
        *("is a lie", "is less than 3", "fails", "isn't so", "exceeds 5", "rejected"),
        *("which is off", ", which is a lie", "does hold on Mars only"),
    ],
)
def test_what_scales_or_judges_a_result_is_not_left_out(unit: str) -> None:
    line = f"2 + 2 = 4 {unit}"
    assert oks(line) != HOLDS
    assert False not in oks(line)


@pytest.mark.parametrize(
    "unit",
    [
        *("apples", "stamps", "tiles", "duck eggs a day", "people", "square feet", "cm^2", "fish"),
        *("clips in May", "more than Ann", "years old", "feet long", "left", "in total", "kg"),
        *("apples, which is correct", "which is more than 3", "marbles and so on", "dollars."),
    ],
)
def test_things_that_are_counted_may_follow(unit: str) -> None:
    assert oks(f"2 + 2 = 4 {unit}") == HOLDS


@pytest.mark.parametrize(
    "lead",
    [
        *("Nobody says", "There's no way", "I deny", "We reject", "It is absurd that", "Who says"),
        *("I deny that Tom has", "It's ludicrous that", "Few believe", "The machine printed"),
    ],
)
def test_what_may_be_denied_does_not_hold(lead: str) -> None:
    assert oks(f"{lead} 2 + 2 = 4") == []
    assert oks(f"{lead} 2 + 2 = 5") == []


@pytest.mark.parametrize(
    "lead",
    [
        *("So", "Thus Tom has", "Total:", "He paid", "This means that", "The area is", "x ="),
        *("She can fly, so we get", "First,", "The number of kites that are red is", "Apples:"),
    ],
)
def test_what_is_stated_is_told(lead: str) -> None:
    assert oks(f"{lead} 2 + 2 = 4") == HOLDS
    assert oks(f"{lead} 2 + 2 = 5") == [False]


@pytest.mark.parametrize(
    "line",
    [
        "Pattern: 2 + 3 = 10, 7 + 2 = 63",
        "Rows: 2 + 3 = 10, 7 + 2 = 63",
        "Example: 3 + 4 = 12",
        "In this game, 3 + 4 = 12.",
        "On that planet, 2 + 2 = 5.",
        "Had I used 3 × 4 = 13, ...",
        "Were 3 × 4 = 13, we'd be done.",
        "Using 3 × 4 = 13 gives nonsense.",
        "With 3 * 4 = 13 we would be lost.",
        "The machine printed 2 + 2 = 5.",
        "Jane got 3 × 4 = 13 which is off.",
        "The sign reads 3 * 4 = 13",
    ],
)
def test_what_nobody_claims_is_not_refuted(line: str) -> None:
    assert False not in oks(line)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("9/100 = 0.0", OPEN),
        ("0.99 + 0.99 = 1.9", OPEN),
        ("7.96 + 0 = 7.9", OPEN),
        ("2/3 = 0.66", OPEN),
        ("2.99 + 0 ≈ 2", OPEN),
        ("12 * 12 ≈ 146", OPEN),
        ("500 * 2 ≈ 981", OPEN),
        ("1000 + 1 ≈ 1020", OPEN),
        ("2/3 = 0.67", OPEN),
        ("7.96 + 0 = 8.0", OPEN),
        ("2.99 + 0 ≈ 3", HOLDS),
        ("1000/3 ≈ 330", HOLDS),
        ("100 / 7 ≈ 14.3", HOLDS),
        ("-2/3 ≈ -0.67", HOLDS),
    ],
)
def test_a_result_is_rounded_to_the_places_it_has(line: str, told: list[bool | None]) -> None:
    assert oks(line) == told


@pytest.mark.parametrize(
    ("line", "forgotten"),
    [
        ("2 + 2 = 4 < 3", True),
        ("2 + 2 = 4 ≠ 4", True),
        ("2 + 2 = 4 \\neq 4", True),
        ("5 < 2 + 2 = 4", True),
        ("2 + 2 = 4 (and 3 + 3 = 7)", True),
        ("2 + 2 = 4 [3 + 3 = 7]", True),
        ("We get 2 + 2 = 4, and (3 + 4) choose 2 = 20", True),
        ("I deny 2 + 2 = 4", True),
        ("It has a volume of 2*2 = <<2*2=4.0>>4 litres", False),
        ("x = 2 + 2 = 4, so x > 3", False),
        ("<answer> 2 + 2 = 4 </answer>", False),
        ("2 + 2 = 4, and y + 3 = 7", False),
        ("| 2 + 2 = 4 | (3 + 4) choose 2 = 20 |", False),
    ],
)
def test_an_equation_that_is_no_claim_is_not_forgotten(line: str, forgotten: bool) -> None:
    assert forgets(line) is forgotten


def test_a_second_equation_in_a_line_is_read() -> None:
    assert oks("2 + 2 = 4 apples and 3 + 3 = 7 apples") == [True, False]
    assert oks("2 + 2 = 4 kg and 3 kg + 3 kg = 6 kg") == [True, True]


def test_a_chain_gives_a_claim_for_each_sign() -> None:
    line = "Cost: 3 * 4 + 1 = 12 + 1 = 13 dollars"
    found, before = claims(line)
    assert found == [Claim("3 * 4 + 1", "=", "12 + 1"), Claim("12 + 1", "=", "13 dollars")]
    assert (before, ending(line)) == (line, "13 dollars")


def test_a_line_goes_on_with_an_equality_sign() -> None:
    _, before = claims("\\[ x = 48 / 2 \\\\")
    assert [judge(claim).ok for claim in claims("&= 25 \\]", before)[0]] == [False]
    assert claims("&= 25 \\]")[0] == []


NUMBERS = st.integers(0, 999)
OPERATORS = st.sampled_from("+-*")
NOISE = st.sampled_from(
    [
        "{}",
        "So {}.",
        "**{}**",
        "${}$",
        "\\( {} \\)",
        "\\[{}\\]",
        "- Total: {}",
        "Then {} eggs.",
        "2. {}",
    ]
)
SPELLINGS = st.sampled_from(
    [
        {},
        {"*": "\\times"},
        {"*": "×", "-": "−"},
        {"*": "\\cdot", " ": "  "},
        {" ": ""},
        {"=": " = "},
    ]
)


@given(NUMBERS, NUMBERS, NUMBERS, OPERATORS, OPERATORS, st.integers(-3, 3), NOISE, SPELLINGS)
@settings(max_examples=300)
def test_spelling_makes_no_difference(
    a: int, b: int, c: int, first: str, second: str, off: int, noise: str, spelling: dict[str, str]
) -> None:
    result = eval(f"{a}{first}{b}{second}{c}") + off
    piece = off and second == "*" and first in "+-" and result == b * c  # 270 - 19*2 = 38
    equation = f"{a} {first} {b} {second} {c} = {result}"
    for plain, other in spelling.items():
        equation = equation.replace(plain, other)
    told = oks(noise.format(equation))
    assert told == [None if piece else off == 0], equation


@given(st.fractions(-50, 50, max_denominator=12), st.fractions(1, 50, max_denominator=12))
def test_fractions_are_exact(a: Fraction, b: Fraction) -> None:
    def latex(value: Fraction) -> str:
        return f"\\frac{{{value.numerator}}}{{{value.denominator}}}"

    assert oks(f"{latex(a)} + {latex(b)} = {latex(a + b)}") in ([True], [])
    assert oks(f"So {latex(b)} / {latex(b)} = 1") == [True]
    assert oks(f"So {latex(b)} + {latex(b)} = {latex(2 * b + 3)}") == [False]


PIECES = """
12 3.5 + - * / = ( ) { } [ ] ^ % ! $ \\frac \\sqrt \\text{ \\[ \\] , . : ; eggs x of ≈ << >>
\\pi \\sin _ ° 1,000 and if & \\\\ ½
"""


@given(
    st.one_of(
        st.text(max_size=300), st.lists(st.sampled_from(PIECES.split()), max_size=80).map(" ".join)
    )
)
@settings(max_examples=500, deadline=None)
def test_no_text_raises(text: str) -> None:
    for claim in claims(text)[0]:
        if is_plain(claim):
            judge(claim)


@pytest.mark.parametrize(
    "unit",
    [
        "1+1=2 ",
        "((((",
        "1/2(",
        "2^2^",
        "9^9^9=",
        "5!!!!=1 ",
        "-3^2 ",
        "1 1/2 ",
        "= ",
        "\\frac{",
        "5%+",
        "a b ",
        "1+1=2, ",
        "2 eggs + 2 eggs = 4 eggs, ",
        "a: 1+1=2 so that ",
    ],
)
def test_long_lines_cost_little(unit: str) -> None:
    def read(size: int) -> None:
        for claim in claims(unit * size)[0]:
            if is_plain(claim):
                judge(claim)

    is_linear(read)


def test_huge_values_are_not_worked_out() -> None:
    for line in ("9^999999999 = 1", "(9^999)^999 = 1", "99999! = 1", f"{'9' * 59}^99 = 5"):
        assert False not in oks(line)


def test_reasons_are_short_and_readable() -> None:
    line = f"So {' + '.join(['1/7'] * 20)} = 4"
    (claim,) = claims(line)[0]
    assert re.fullmatch(r"1/7 \+ .* is 20/7, not 4", judge(claim).reason)
