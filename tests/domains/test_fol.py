from __future__ import annotations

import contextlib
from itertools import product

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains.logic import fol, smtlib
from agentflow.domains.logic.fol import Atom, Compound, Formula, FormulaError, Not, Quantified, Term
from agentflow.domains.logic.fol import parse as read

X, Y = Term("x", (), "variable"), Term("y", (), "variable")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Kind(alex)", "Kind(alex)"),
        ("  Rain ", "Rain"),
        ("∀x (Kind(x) → Happy(x))", "∀x (Kind(x) → Happy(x))"),
        ("∀x(Kind(x)→Happy(x))", "∀x (Kind(x) → Happy(x))"),
        ("forall x. Kind(x) -> exists y. Likes(x, y)", "∀x (Kind(x) → ∃y (Likes(x, y)))"),
        ("∀x.Kind(x)", "∀x (Kind(x))"),
        ("∀x ∀y P(x, y)", "∀x (∀y (P(x, y)))"),
        ("∀x∀y(P(x,y))", "∀x (∀y (P(x, y)))"),
        ("∀x y (P(x, y))", "∀x (∀y (P(x, y)))"),
        ("∀x, y (P(x, y))", "∀x (∀y (P(x, y)))"),
        ("∀x P(x) ∧ Q(a)", "∀x (P(x)) ∧ Q(a)"),
        ("A ∧ B ∨ C ⊕ D → E ↔ F", "((((A ∧ B) ∨ C) ⊕ D) → E) ↔ F"),
        ("A → B → C", "A → B → C"),
        ("¬¬A & ~B && !C and not D and -E", "¬¬A ∧ ¬B ∧ ¬C ∧ ¬D ∧ ¬E"),
        ("A or B || C | D", "A ∨ B ∨ C ∨ D"),
        ("A xor B", "A ⊕ B"),
        ("A <-> B <=> C ⟷ D iff E", "A ↔ B ↔ C ↔ D ↔ E"),
        ("A -> B => C ⇒ D implies E", "A → B → C → D → E"),
        ("a = b", "a = b"),
        ("a ≠ father(b)", "¬(a = father(b))"),
        ("a != 1990", "¬(a = 1990)"),
        ("Made(a, y1984) ∧ ∀x1 P(x1)", "Made(a, y1984) ∧ ∀x1 (P(x1))"),
        ("Science-fiction(dune) → Good(mr.smith)", "Science-fiction(dune) → Good(mr.smith)"),
        ("Companies’Stocks(kO) ∨ Grade(c++)", "Companies’Stocks(kO) ∨ Grade(c++)"),
        ("Costs(y42.3billion, 3.5)", "Costs(y42.3billion, 3.5)"),
        ("[A ∨ B] ∧ C", "(A ∨ B) ∧ C"),
        ("Größe(jürgen)", "Größe(jürgen)"),
        ("P(01, 1.0, 1.50, 00)", "P(1, 1, 1.5, 0)"),
        ("~(1 = 1.0)", "¬(1 = 1)"),
    ],
)
def test_what_is_read(text: str, shown: str) -> None:
    formula = read(text)
    assert fol.show(formula) == shown
    assert read(shown) == formula


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("(((", "the end at character 4"),
        ("P(a", "the end at character 4, where ',' or ')' is wanted"),
        ("P(a))", "')' at character 5, where a connective or the end is wanted"),
        ("P()", "')' at character 3, where a name is wanted"),
        ("P(a) Q(b)", "'Q' at character 6"),
        ("A ∧", "the end at character 4, where a formula is wanted"),
        ("∀ (P(x))", "'(' at character 3, where a variable is wanted"),
        ("∀1 P(1)", "where a variable is wanted"),
        ("∀x", "the end"),
        ("∀person.Kind(person)", "'person.Kind' at character 2, where a variable without a dot"),
        ("∀x P(x) → Q(x)", "variable 'x' at character 13 stands outside of its quantifier"),
        ("P(x)", "variable 'x' at character 3 stands outside"),
        ("∀x (x)", "'x' at character 5 is no formula"),
        ("1990", "is no formula"),
        ("∀x (x(a))", "variable 'x' at 5 has arguments"),
        ("P(a) ^ Q(b)", "'^' at character 6 is not understood"),
        ("P(a, _)", "'_' at character 6 is not understood"),
        ("a < b", "'<' at character 3 is not understood"),
        ("P(X)", "variable 'X' at character 3 stands outside"),
        ("P(1,000)", "'1,000' at character 3 can be one number or several"),
        ("True → P(a)", "'True' at character 1 is no proposition"),
        ("P(captain america)", "'america' at character 11, where ',' or ')' is wanted"),
        ("(" * 41 + "A" + ")" * 41, "nested deeper than 40"),
        ("¬" * 5000, "more than 4000"),
        ("f(" * 50 + "a" + ")" * 50, "nested deeper"),
    ],
)
def test_what_is_refused_says_where(text: str, says: str) -> None:
    with pytest.raises(FormulaError) as caught:
        read(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_no_name_is_a_word_of_smtlib() -> None:
    text = smtlib.script(
        [read("∀let (true(let, ite, 1, 2))")], fol.signature([read("true(Int, 1)")])
    )
    assert "|let.|" in text
    assert "|true/4|" in text
    assert "|Int.|" in text
    assert "(distinct" not in text  # one number alone


def test_names_keep_their_arity_and_kind() -> None:
    names = fol.signature(map(read, ["P(a, f(1))", "∀x Q(x)", "R", "f(a) = b"]))
    assert names.predicates == {"P": 2, "Q": 1, "R": 0}
    assert (names.functions, names.constants, names.numbers) == ({"f": 1}, {"a", "b"}, {"1"})
    assert names.covers(fol.signature([read("∃y P(y, b)")]))
    assert not names.covers(fol.signature([read("P(c, b)")]))
    assert not names.covers(fol.signature([read("S(a)")]))
    with pytest.raises(FormulaError, match="'P' is used with 1 and with 2 arguments"):
        fol.signature(map(read, ["P(a, b)", "P(a)"]))
    with pytest.raises(FormulaError, match="'B' is used as a proposition and as a name"):
        fol.signature(map(read, ["A = B", "B"]))
    with pytest.raises(FormulaError, match="'P' is used as a variable and as a predicate"):
        fol.signature(map(read, ["∀P (Q(P))", "P(a)"]))
    with pytest.raises(FormulaError, match="'P' is used as a predicate and as a function"):
        fol.signature(map(read, ["P(a)", "Q(P(a))"]))


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        *[("A ⊕ B ⊕ C", True), ("A → B → C", True), ("∀x ¬(P(x) ↔ A ↔ B)", True)],
        *[("A ⊕ (B ⊕ C)", False), ("A → (B → C)", False), ("A ∧ B ∧ C ∨ D ∨ E", False)],
    ],
)
def test_chains_that_are_read_in_several_ways(text: str, chain: bool) -> None:
    assert fol.has_chain(read(text)) is chain


@given(st.text(alphabet="∀∃¬∧∨→↔⊕=≠()[],.xyPQa1 -&|~>", max_size=60) | st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        formula = read(text)
    except FormulaError:
        return
    assert read(fol.show(formula)) == formula


@pytest.mark.parametrize(
    "piece", ["¬", "(", "∀x ", "A ∧ ", "A → ", "f(", "x", "∀", "x,", "a ", "."]
)
def test_long_nonsense_is_refused_at_once(piece: str) -> None:
    def refused(size: int) -> None:
        for text in (piece * size, "P(" + piece * size + ")"):
            with contextlib.suppress(FormulaError):
                smtlib.term(read(text))

    is_linear(refused)


TERMS = st.sampled_from([X, Y, Term("a"), Term("b-c"), Term("7", (), "number")]) | st.builds(
    lambda term: Term("f", (term,), "function"), st.sampled_from([X, Term("a")])
)
ATOMS = st.builds(lambda one, other: Atom("P", (one, other)), TERMS, TERMS) | st.builds(
    lambda one, other: Atom("=", (one, other)), TERMS, TERMS
)


def grown(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return (
        st.builds(Not, inner)
        | st.builds(Compound, st.sampled_from(fol.CONNECTIVES), parts)
        | st.builds(Quantified, st.sampled_from(["∀", "∃"]), st.sampled_from(["x", "y"]), inner)
    )


FORMULAS = st.recursive(ATOMS, grown, max_leaves=6).map(
    lambda body: Quantified("∀", "x", Quantified("∃", "y", body))
)


@given(FORMULAS)
def test_what_is_shown_is_read_back(formula: Formula) -> None:
    assert read(fol.show(formula)) == formula


VALUES = {"A": 0, "B": 1, "C": 2}
PROPOSITIONS = st.recursive(
    st.sampled_from(sorted(VALUES)).map(Atom),
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(
            Compound,
            st.sampled_from(fol.CONNECTIVES),
            st.lists(inner, min_size=2, max_size=3).map(tuple),
        )
    ),
    max_leaves=8,
)


def truth(formula: Formula, values: tuple[bool, ...]) -> bool:
    """By the textbook, one assignment at a time."""
    match formula:
        case Atom(name):
            return values[VALUES[name]]
        case Not(body):
            return not truth(body, values)
        case Compound(connective, parts):
            first, *rest = [truth(part, values) for part in parts]
            if connective == "→":
                *given_, last = first, *rest
                return last or not all(given_)
            for one in rest:
                first = {
                    "∧": first and one,
                    "∨": first or one,
                    "⊕": first != one,
                    "↔": first == one,
                }[connective]
            return first
    raise AssertionError(formula)


@given(PROPOSITIONS)
def test_smtlib_means_the_same_to_z3(formula: Formula) -> None:
    import z3

    atoms = {name: z3.Bool(f"{name}/0") for name in VALUES}
    declared = {f"{name}/0": atom for name, atom in atoms.items()}
    (meaning,) = z3.parse_smt2_string(f"(assert {smtlib.term(formula)})", decls=declared)
    for values in product([False, True], repeat=3):
        given_ = [(atoms[name], z3.BoolVal(values[place])) for name, place in VALUES.items()]
        assert z3.is_true(z3.simplify(z3.substitute(meaning, *given_))) == truth(formula, values)
