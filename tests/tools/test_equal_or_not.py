"""Answers found by reading: others taken for the same, and the same taken for others."""

from __future__ import annotations

import pytest

from agentflow.tools.equality import Outcome, compare

NOT_TRUE = [
    ("P=e^{-at};\\lim_{t\\to\\infty}P(t)=1/b", "P=2^{-at};\\lim_{t\\to\\infty}P(t)=1/b"),
    (
        "P=e^{-t}+(1-b)e^{-at};\\lim_{t\\to\\infty}P=1/b",
        "P=e^{-t}+(9-b)e^{-at};\\lim_{t\\to\\infty}P=1/b",
    ),
    *(("\\gamma_1+t", "\\gamma_2+t"), ("\\Gamma_{1}", "\\Gamma_{2}"), ("\\gamma_1", "\\gamma")),
    *(("\\gcd(a,b)", "\\gcd(a,b)^2"), ("\\gcd(a,b)", "1"), ("\\lcm(a,b)", "ab")),
    *(("I^2R", "IR"), ("I^2R", "I^3R"), ("I_p=2t", "I_w=2t"), ("I_1+I_2", "I_1+I_3"), ("|I|", "1")),
    *(("(a) 3, (b) 4", "(a) 3, (b) 5"), ("A:B=1:2", "A:B=1:3"), ("a:2b", "a:3b"), ("x: 5", "x: 7")),
    *(("(x)(x+1)", "(x)(x+2)"), ("(x)+5", "5"), ("(a)+5", "5"), ("(A)-3", "-3"), ("a:b", "b")),
    *(("(a)^2", "(a)^3"), ("(A)^2", "(A)^3"), ("(a) 3, (b) 4", "(a) 4, (b) 3"), ("(A)B", "B")),
    *(("(a)(a+1)", "a+1"), ("(B) 12", "(C) 12"), ("A:B", "B"), ("A:5", "A:7")),
    *(("0.999999999", "1"), ("1234567890.000000000", "1234567891"), ("12345.6", "12345.64")),
    *(("1.00000000000000000001", "1"), ("12345.65", "12345.6")),
    *(("2\\frac{1}{2}\\pi", "\\pi"), ("3\\frac{1}{2}\\sqrt2", "1.5\\sqrt2")),
    *(("2\\frac{1}{2}x", "x"), ("\\pi \\cdot 2\\frac{1}{2}", "\\pi")),
    *(("x>1 and x<2", "(-\\infty,2)\\cup(1,\\infty)"), ("x<1 and x>2", "x<1 or x>2")),
    *(("x>1, x<2", "(-\\infty,2)\\cup(1,\\infty)"), ("x>1 \\land x<2", "x>1 or x<2")),
    *(("\\pm 1 \\pm 2", "\\pm 3"), ("5 am", "17:00"), ("1 am", "13:00"), ("5:30 am", "17:30")),
    *(("12 am", "12 pm"), ("0:30", "12:30 pm"), ("5:75 am", "5:75")),
    *(("(y,x)=(5,8)", "(5,8)"), ("C(5,2)", "(5,2)"), ("P(5,2)", "(5,2)"), ("N(0,1)", "(0,1)")),
]
UNKNOWN = [
    *(("-x=0, \\frac{\\pi}{2}", "x=0, \\frac{\\pi}{2}"), ("\\log_5 7", "\\ln_5 7")),
    *(("h=2, w=l=5", "h=2, w=w=5"), ("w=l=5", "w=h=5"), ("AB=BC=5", "AB=CD=5")),
    *(("(0.33, 2)", "(1/3, 2)"), ("{0.67, 1}", "{2/3, 1}"), ("x=0.33, y=2", "x=1/3, y=2")),
    *(("x^2+1=0", "x^2+2=0"), ("x^2-12x+39=0", "x^2-12x+79=0"), ("|x|=-1", "|x|=-2")),
    *(("x^2+y^2=-1", "x^2+y^2=-2"), ("x^4=-1", "x^2=-1"), ("(x-1)^2=x^2-2x+1", "(x-1)^2=x^2-2x-1")),
    *(("[1,\\infty]", "[1,\\infty)"), ("[-\\infty,2)", "(-\\infty,2)")),
    *(("\\frac{dy}{dx}=x", "\\frac{dz}{dx}=x"), ("\\frac{dv}{dt}", "0")),
    *(("m \\frac{dv}{dt}+bv=f", "w \\frac{dv}{dt}+bv=f"), ("\\frac{dy}{dx}", "\\frac{dx}{dy}")),
    *(("x=3 y=4", "x=5 y=4"), ("x=3\ny=4", "x=5\ny=4"), ("P(X=4)=0.5", "P(X=8)=0.5")),
    *(("x+$ $y^2", "z+$ $y^2"), ("x+$ $y^2", "x-$ $y^2"), ("2$ $3", "5$ $3")),
    *(("x\\boxed y", "z\\boxed y"), ("2\\fbox 3", "3"), ("5\\phantom{2}", "5")),
    *(("3 \\mod 5", "3 \\mod 7"), ("3 \\mod 5", "8 \\mod 5")),
    *(
        ("-converges", "converges"),
        ("- converges", "converges"),
        ("¬true", "true"),
        ("!true", "true"),
        ("yes?", "yes"),
    ),
    *(("(A) or (B)", "(A)"), ("(A) or C", "A"), ("(A) (C)", "A"), ("(A) and then (B)", "(A)")),
    *(("(A) the answer is B", "A"), ("(A) both A and B", "(A)")),
    *(("(B) 12", "(B) 13"), ("5 lakhs", "5"), ("5 reciprocals", "5"), ("5 per mille", "5")),
    *((f"5 {word}", "5") for word in ("pairs", "crores", "negatives", "quadrillions")),
    *((f"5 {word}", "5") for word in ("couples", "logarithms", "per thousand", "inverses")),
    *(("(1\\ 2\\ 3)", "(1\\ 3\\ 2)"), ("(1\\ 2\\ 3)", "6"), ("u \\times v", "v \\times u")),
    *(("a \\mp b", "a \\pm b"), ("n!!", "(n!)!"), ("f \\circ g", "g \\circ f")),
    *(("A \\otimes B", "B \\otimes A"), ("a \\star b", "b \\star a"), ("a \\mid b", "b \\mid a")),
    *(("x>1 and x<2", "(1,2)"), ("x>1 and x>0", "x>1 and x>-1")),
    *(("|x|<2", "-2<x<2"), ("x^2<4", "-2<x<2"), ("(1,3)\\cap(2,4)", "(2,3)")),
    *(("\\{1,2,3\\}\\setminus\\{3\\}", "\\{1,2\\}"), ("0.1(6)", "1/6"), ("1.000.000", "1000000")),
    *(
        ("\\arctan 1", "45^\\circ"),
        ("1 ton", "1000 kg"),
        ("1 mile", "1.6 km"),
        ("12 months", "365 days"),
    ),
    *(("a quarter", "1/4"), ("a third", "1/3"), ("No real solutions", "no solution")),
    *(("DNE", "does not exist"), ("siete", "7"), ("undefined", "does not exist")),
    *(
        ("6:40", "3:20"),
        ("7:30", "19:30"),
        ("2:30", "2:30:00"),
        ("(y,x)=(8,5)", "(x,y)=(5,8)"),
        ("0.(6)", "2/3"),
        ("0.(6)", "0.6"),
    ),
    *(
        ("no solution", "\\emptyset"),
        ("C(5,2)", "10"),
        ("5 ft 6 in", "66"),
        ("1 hr 30 min", "1.5"),
        ("x:5", "5"),
        ("(a) 3, (b) 4", "4, 3"),
        ("C_5^2", "10"),
        ("x>1, x<2", "1<x<2"),
        ("|x|\\ge 2", "x\\le -2 or x\\ge 2"),
        ("never", "no"),
        ("5 basis points", "5"),
        ("x>1, x<2", "(1,2)"),
        ("(B) d", "d"),
        ("C(5,2)", "C(5,3)"),
        ("\\Delta", "\\delta"),
        ("x \\approx 1", "x=1"),
    ),
]
EQUAL = [
    *(("x=2, y=\\infty", "y=\\infty, x=2"), ("(0,\\infty)", "(0, +\\infty)")),
    *(("\\gamma_1+\\gamma_2", "\\gamma_2+\\gamma_{1}"), ("\\gcd(12,18)", "6")),
    *(("I^2R", "RI^2"), ("I_1+I_2", "I_2+I_{1}"), ("I_p=t+t", "I_{p}=2t"), ("AI+ai", "ai+IA")),
    *(("x^2-12x+39=0", "12x-x^2-39=0"), ("\\frac{d}{dx}x^2", "2x"), ("x^2+y^2=4", "2x^2+2y^2=8")),
    *(("3 \\mod 5", "3 \\pmod 5"), ("yes!", "Yes")),
    *(("\\varnothing", "\\emptyset"), ("\\{\\}", "\\emptyset"), ("0.1\\bar{6}", "1/6")),
    *(
        ("3{,}5", "3.5"),
        ("6:4:2", "3:2:1"),
        ("60:40", "30:20"),
        ("2:4", "1:2"),
        ("1 inch", "2.54 cm"),
        ("1 mile", "1.609344 km"),
    ),
    *(("5 ft 6 in", "66 inches"), ("1 hr 30 min", "90 minutes"), ("3 km 500 m", "3500 m")),
    *(
        ("1 pound", "453.59237 grams"),
        ("5 pounds 3 ounces", "83 ounces"),
        ("2 hours, 5 min", "125 min"),
    ),
    *(("(a) 3, (b) 4", "(b) 4, (a) 3"), ("(B) 12", "(B) 12.0"), ("(B) Paris", "B")),
    *(
        ("(A) -3", "-3"),
        ("\\textbf{(A)} $-3$", "-3"),
        ("B) 12", "12"),
        ("B: 12", "12"),
        ("C: Paris", "(C)"),
    ),
    *(("(B) \\frac{1}{2}", "0.5"), ("(a)(a+1)", "a^2+a"), ("(x)(x+1)", "x^2+x"), ("(a)^2", "a^2")),
    *(("x \\times y", "xy"), ("2^3 \\times 5", "5 \\times 2^3"), ("499.99999999999994", "500")),
    *(
        ("0.30000000000000004", "0.3"),
        ("\\log_2 8", "3"),
        ("0.666667", "2/3"),
        ("2\\frac{1}{2} cm", "2.5 cm"),
    ),
    *(("5\\frac{\\pi}{2}", "\\frac{5\\pi}{2}"), ("x<1, x>2", "(-\\infty,1)\\cup(2,\\infty)")),
    *(
        ("x>1 and x<2", "x<2 and x>1"),
        ("12:30", "12:30 am"),
        ("5 pm", "17:00"),
        ("0:30", "12:30 am"),
    ),
    *(("(r,\\theta)=(3,\\pi)", "(3,\\pi)"), ("A(3,4)", "(3,4)"), ("(a,b)=(1,2)", "(1,2)")),
    *(("x=1 and y=2", "x=1, y=2"), ("5 duck eggs", "5"), ("5 miles per hour", "5 mph")),
    *(("1\\pm\\sqrt2", "1+\\sqrt2, 1-\\sqrt2"), ("\\alpha+\\beta", "\\beta+\\alpha")),
    *(
        ("5 square feet", "5 sq ft"),
        ("1 cent", "1"),
        ("n!", "n!"),
        ("\\binom{5}{2}", "10"),
        ("\\lfloor 2.5 \\rfloor", "2"),
    ),
]
DIFFERENT = [
    *(
        ("(A) 12", "(B) 13"),
        ("7:30", "8:30"),
        ("3:2", "2:3"),
        ("1:2:3", "1:2:4"),
        ("1 inch", "1 minute"),
    ),
    *(("12345.6", "12345.7"), ("1<x<2", "1<x<3"), ("2 pm", "13:00"), ("Evelyn", "Peter")),
]


@pytest.fixture(scope="module")
def told() -> dict[tuple[str, str], Outcome]:
    """Every pair of the tables, in both orders, compared in one call."""
    pairs = [*NOT_TRUE, *UNKNOWN, *EQUAL, *DIFFERENT]
    pairs += [(other, one) for one, other in pairs]
    return dict(zip(pairs, compare(pairs), strict=True))


@pytest.mark.parametrize("pair", NOT_TRUE)
def test_what_differs_is_not_equal(
    pair: tuple[str, str], told: dict[tuple[str, str], Outcome]
) -> None:
    assert told[pair].equal is not True, told[pair]
    assert told[pair[::-1]].equal is not True, told[pair[::-1]]


@pytest.mark.parametrize(
    ("pair", "equal"),
    [(pair, None) for pair in UNKNOWN]
    + [(pair, True) for pair in EQUAL]
    + [(pair, False) for pair in DIFFERENT],
)
def test_pairs(
    pair: tuple[str, str], equal: bool | None, told: dict[tuple[str, str], Outcome]
) -> None:
    assert told[pair].equal is equal, told[pair]
    assert told[pair[::-1]].equal is equal, told[pair[::-1]]
