from __future__ import annotations

import warnings
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentflow.domains.arithmetic import (
    MAX_LENGTH,
    Expression,
    apply,
    normal_form,
    numbers,
    parse,
    plain,
    show,
    value,
)

EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    st.integers(1, 13).map(Fraction),
    lambda inner: st.tuples(st.sampled_from("+-*/"), inner, inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8 - 7", Fraction(1)),
        ("( 4 + 8 ) * ( 9 - 7 )", Fraction(24)),
        ("8/(3-8/3)", Fraction(24)),
        ("2 + 3 * 4", Fraction(14)),
        ("10 - 4 - 3", Fraction(3)),
        ("24 / 4 / 3", Fraction(2)),
        ("1.5 * 16", Fraction(24)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("4.00000000000000000001 * 6", 24 + Fraction(6, 10**20)),
        ("(1 +\n\t2)\u00a0* 8", Fraction(24)),
        ("-3 + 27", Fraction(24)),
        ("1 / (3 - 3)", None),
    ],
)
def test_values_are_exact(text: str, expected: Fraction | None) -> None:
    expression = parse(text)
    assert expression is not None
    assert value(expression) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "None",
        "2 ** 3",
        "7 // 2",
        "7 % 2",
        "~7",
        "1 + True",
        "x + 1",
        "f(1)",
        "(1, 2)",
        "'24'",
        "24j",
        "0x18",
        "1_000",
        "1e3",
        "4 < 5",
        "__import__('os').system('true')",
        "(lambda: 24)()",
        "1 +",
        "(1 + 2",
        "1 + 2)",
        "8 (3)",
        "\0",
        "1\n+ 2\n+",
        "\ud800",
        "(" * 150 + "1" + ")" * 150,
    ],
)
def test_what_is_not_plain_arithmetic_is_no_expression(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse(text) is None


def test_long_text_is_refused_however_harmless() -> None:
    assert parse("1" + " " * (MAX_LENGTH - 1)) is not None
    assert parse("1" + " " * MAX_LENGTH) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4 × 7 ÷ 2 − 1 – 1 — 1", "4 * 7 / 2 - 1 - 1 - 1"),
        ("8 · 3 ∗ 1 ⋅ 1 ∕ 1", "8 * 3 * 1 * 1 / 1"),
        ("[1, 2] → 3", "(1, 2) -> 3"),
        (r"\frac{8}{3 - 1}", "((8)/(3 - 1))"),
        (r"\dfrac{8}{3}", "((8)/(3))"),
        (r"$4 \times 6$", "4 * 6"),
        (r"4 \cdot 6 \div 1 \ast 1", "4 * 6 / 1 * 1"),
        (r"\left(4\right)", "(4)"),
        ("4 x 6, 4x6, (4)X(6)", "4 * 6, 4*6, (4)*(6)"),
        ("`4 * 6`", "4 * 6"),
        ("the next box", "the next box"),
    ],
)
def test_operators_in_every_spelling(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_division_by_nought_has_no_value() -> None:
    assert apply("/", Fraction(1), Fraction(0)) is None
    assert apply("/", Fraction(1), Fraction(3)) == Fraction(1, 3)


@given(EXPRESSIONS)
def test_what_is_shown_is_read_back(expression: Expression) -> None:
    again = parse(show(expression))
    if len(show(expression)) <= MAX_LENGTH:
        assert again == expression
        assert list(numbers(again)) == list(numbers(expression))


@pytest.mark.parametrize(
    "same",
    [
        ("8 * 3", "3 * 8"),
        ("(4 + 7) + (8 + 5)", "8 + (5 + (7 + 4))"),
        ("8 - (7 - 4)", "(8 + 4) - 7", "4 - 7 + 8"),
        ("8 / (4 / 2)", "2 * 8 / 4", "(8 / 4) * 2"),
        ("(7 - 8 / 8) * 4", "4 * (7 - (8 / 8))"),
    ],
)
def test_order_and_grouping_do_not_matter(same: tuple[str, ...]) -> None:
    forms = {normal_form(expression) for text in same if (expression := parse(text)) is not None}
    assert len(forms) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("8 - 3", "3 - 8"), ("8 / 2", "2 / 8"), ("2 * (3 + 4)", "2 * 3 + 4"), ("12 + 12", "12 * 2")],
)
def test_different_expressions_have_different_forms(one: str, other: str) -> None:
    first, second = parse(one), parse(other)
    assert first is not None
    assert second is not None
    assert normal_form(first) != normal_form(second)


@given(EXPRESSIONS, EXPRESSIONS)
def test_equal_forms_mean_equal_values_and_numbers(one: Expression, other: Expression) -> None:
    if normal_form(one) == normal_form(other):
        assert sorted(numbers(one)) == sorted(numbers(other))
        assert value(one) == value(other)


@given(EXPRESSIONS, st.randoms(use_true_random=False))
def test_the_normal_form_survives_swapping(expression: Expression, random: object) -> None:
    def swapped(part: Expression) -> Expression:
        if isinstance(part, Fraction):
            return part
        operator, left, right = part[0], swapped(part[1]), swapped(part[2])
        swap = operator in "+*" and random.random() < 0.5  # type: ignore[attr-defined]
        return (operator, right, left) if swap else (operator, left, right)

    assert normal_form(swapped(expression)) == normal_form(expression)


@given(st.text(max_size=300) | st.text("0123456789+-*/(). xX\\{}frac\n", max_size=300))
@example("9" * 200)
@example("1" + "-" * 199)
@example("1." * 100)
@example("1if 2else 3")
@example("5.e400")
@example("2 / .1")
def test_any_text_is_read_without_an_error_or_a_warning(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expression = parse(plain(text))
    if expression is not None:
        value(expression)
        normal_form(expression)
        if (again := parse(show(expression))) is not None:
            assert value(again) == value(expression)
