"""The normal form of Lean texts: what it must not tell apart, and above all what it must."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains.verina.lean_text import MAX_TEXT, normal_form, tokens

LETS = "let x := 1\nlet y := f x\nx + y"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x + 1", "  x+1  -- the next\n"),
        ("x + 1", "x /- a /- nested -/ comment -/ + 1"),
        ("a ≤ b ∧ p → q", "a <= b /\\ p -> q"),
        ("a ∨ ¬ b", "a \\/ ¬b"),
        ("[1, 2]", "[ 1,2 ]"),
        ("f (x)", "f ( x )"),
        ("a ∧\n  b ∧\n  c", "a ∧ b ∧ c"),
        ("fun x => x + 1", "λ y ↦ y + 1"),
        ("∀ i, i < n → a[i]! = 0", "∀ k , k<n → a[k]! = 0"),
        ("∃ i j, i ≠ j", "∃ k l, k ≠ l"),
        ("∀ (x y : Int) (n : Nat), x < y + n", "∀ (a b:Int) (m : Nat), a < b + m"),
        ("∀ i, (h : i < a.size) → a[i] = 0", "∀ k, (h : k < a.size) → a[k] = 0"),
        ("∀ x ∈ xs, ∃ y ∈ ys, x.1 = y", "∀ u ∈ xs, ∃ v ∈ ys, u.1 = v"),
        ("xs.all (fun x => x > 0) ∧ p", "xs.all (fun z => z>0) ∧ p"),
        ("fun x => if x then 1 else x", "fun y => if y then 1 else y"),
        (LETS, "\n" + re.sub("^", "    ", LETS, flags=re.M) + "  -- done\n\n"),
        ('if s = "a  b" then 1 else 2', 'if s = "a  b"   then 1\n else 2'),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x + 1", "x + 2"),
        ("a [i]", "a[i]"),
        ("x -1", "x-1"),
        ("f x", "fx"),
        ('"a b"', '"a  b"'),
        ('"-- a"', '"-- b"'),
        ("'a'", "'b'"),
        ("a -- b", "a - - b"),
        ("fun x => y", "fun y => y"),
        ("∀ x, p x y", "∀ y, p y y"),
        ("fun x y => x", "fun x y => y"),
        ("fun x => fun x => x", "fun x => fun y => x"),
        ("if ∀ x, p x then x else 0", "if ∀ y, p y then y else 0"),
        ("(∀ x, p x, x)", "(∀ y, p y, y)"),
        ("(fun x => x) x", "(fun y => y) y"),
        ("fun a => [fun x => a, x]", "fun a => [fun y => a, y]"),
        ("∀ x₁, f x₁ x", "∀ y₁, f y₁ y"),
        ("fun x => f (x := x)", "fun y => f (y := y)"),
        ("fun x => a.x", "fun y => a.y"),
        ("fun x => (f a).x", "fun y => (f a).y"),
        ("fun x => ({x, z} : P)", "fun y => ({y, z} : P)"),
        ("fun (none, x) => x", "fun (y, x) => x"),
        ("∀ (x : T x), p", "∀ (y : T y), p"),
        (LETS, LETS.replace("\n", " ")),
        (LETS, LETS.replace("\nx + y", "\n  x + y")),
        ("by simp\nomega", "by simp omega"),
        ('s!"{f "--"} a"', 's!"{f "--"} b"'),
        ('r"a\\" ++ b', 'r"a\\" ++ c'),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert normal_form(one) is None or normal_form(one) != normal_form(other)


@pytest.mark.parametrize("text", ["a /- b", 'a "b', "/- /- -/", "§1 + x", "x" * (MAX_TEXT + 1)])
def test_what_cannot_be_read(text: str) -> None:
    assert normal_form(text) is None


PIECES = ["x", "y", "x₁", "∀", "∃", "fun", "=>", ",", "(", ")", "[", "]", "{", "⟨", "⟩", ":", "let"]
PIECES += ["if", "then", "else", ".", ".1", ":=", '"', "'", "--", "/-", "-/", "\n", " ", "  ", "§"]
PIECES += ["≤", "<=", "¬", "1", "s!", "|", "\x00", "é"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_a_normal_form_is_its_own(text: str) -> None:
    form = normal_form(text)
    found = tokens(text)
    assert (form is None) == (found is None or "§" in text)
    if form is not None and "§" not in form:
        assert normal_form(form) == form


def term(rng: random.Random, size: int) -> Any:
    """A term: ("name", x), ("fun" or "∀", x, body), ("apply", …), ("if", …) or ("pair", …)."""
    if size <= 1:
        return "name", rng.choice("xyz")
    match rng.randrange(5):
        case 0 | 1:
            return rng.choice(["fun", "∀"]), rng.choice("xyz"), term(rng, size - 1)
        case 2:
            return "if", *(term(rng, size // 3) for _ in range(3))
        case which:
            return ("apply", "pair")[which - 3], term(rng, size // 2), term(rng, size // 2)


def written(term: Any) -> str:
    match term:
        case ("name", name):
            return str(name)
        case ("fun", name, body):
            return f"fun {name} => {written(body)}"
        case ("∀", name, body):
            return f"∀ {name}, {written(body)}"
        case ("apply", function, argument):
            return " ".join(
                written(one) if one[0] == "name" else f"({written(one)})"
                for one in (function, argument)
            )
        case ("if", condition, one, other):
            return f"if {written(condition)} then {written(one)} else {written(other)}"
    return f"({written(term[1])}, {written(term[2])})"


def meant(term: Any, bound: tuple[str, ...] = ()) -> Any:
    """The term with each bound variable as the number of binders between it and its own."""
    if term[0] == "name":
        return bound.index(term[1]) if term[1] in bound else term[1]
    if term[0] in ("fun", "∀"):
        return term[0], meant(term[2], (term[1], *bound))
    return term[0], *(meant(one, bound) for one in term[1:])


def renamed(term: Any, names: Iterator[str], called: dict[str, str]) -> Any:
    """The term with names of its own for all bound variables."""
    if term[0] == "name":
        return "name", called.get(term[1], term[1])
    if term[0] in ("fun", "∀"):
        name = next(names)
        return term[0], name, renamed(term[2], names, {**called, term[1]: name})
    return term[0], *(renamed(one, names, called) for one in term[1:])


def changed(rng: random.Random, one: Any) -> Any:
    """The term with a few of its names drawn anew."""
    if isinstance(one, str):
        return rng.choice("xyz") if one in "xyz" and rng.random() < 0.2 else one
    return tuple(changed(rng, part) for part in one)


def test_equal_forms_are_equal_up_to_bound_names() -> None:
    rng, equal, different = random.Random(1), 0, 0
    for _ in range(3_000):
        first = term(rng, rng.randint(1, 9))
        form = normal_form(written(first))
        drawn = iter(lambda: rng.choice("xyzuv"), None)  # they may capture one another
        second = renamed(changed(rng, first), drawn, {})
        if normal_form(written(second)) == form:
            assert meant(second) == meant(first), (written(first), written(second))
            equal += second != first
        else:
            different += 1
        one = renamed(first, (f"a{n}" for n in count()), {})
        two = renamed(first, (f"b{n}" for n in count()), {})
        assert normal_form(written(one)) == normal_form(written(two))
    assert equal > 50
    assert different > 500


@pytest.mark.parametrize(
    "piece",
    ["/-", "-- ", '"', "(", "∀ x, ", "a.", "fun x => ", "'", "if x then ", "\\", "x "],
)
def test_every_text_is_read_in_linear_time(piece: str) -> None:
    is_linear(lambda size: normal_form(piece * size))
    is_linear(lambda size: normal_form(piece * size + "\n"))
