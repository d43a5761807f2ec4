from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.tools.z3_tool import z3_tool

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from programs.constraints import Names, csp_program, lsat_program, term
from programs.logic import (
    Option,
    Program,
    Unreadable,
    entailment,
    fol_program,
    rules_program,
    with_options,
)

TOOL = z3_tool()

FOLIO = """Predicates:
Kind(x) ::: x is kind.
Premises:
∀x (Kind(x) → Happy(x)) ::: Kind people are happy.
Kind(alex) ⊕ Tall(alex) ::: Alex is kind or tall, not both.
¬Tall(alex) ::: Alex is not tall.
Conclusion:
CLAIM ::: The claim.
"""
RULES = """Predicates:
Dumpus($x, bool) ::: Does x belong to Dumpus?

Facts:
Wumpus(Max, True) ::: Max is a wumpus.

Rules:
Wumpus($x, True) && Shy($x, False) >>> Dumpus($x, True) ::: A rule.
Wumpus($x, True) >>> Shy($x, False) ::: Another.

Query:
CLAIM ::: The claim.
"""
CSP = """Domain:
1: leftmost
3: rightmost
Variables:
red [IN] [1, 2, 3]
green [IN] [1, 2, 3]
blue [IN] [1, 2, 3]
Constraints:
red > green ::: Red is to the right of green.
CONSTRAINT
AllDifferentConstraint([red, green, blue]) ::: All have different places.
Query:
A) red == 3 ::: Red is the rightmost.
B) green == 3 ::: Green is the rightmost.
C) blue == 3 ::: Blue is the rightmost.
"""
LSAT = """# Declarations
people = EnumSort([Ann, Ben, "Cleo B"])
days = EnumSort([1, 2, 3])
speaks = Function([people] -> [days])
order = Function([people] -> [int])
likes = Function([people, days] -> [bool])
ForAll([p:people], And(1 <= order(p), order(p) <= 3))

# Constraints
Distinct([p:people], speaks(p)) ::: One a day.
speaks(Ann) + 1 == speaks(Ben) ::: Ann directly before Ben.
Count([d:days], likes(Ann, d)) >= 3 ::: Ann likes all days.
ForAll([p:people, q:people], Implies(speaks(p) < speaks(q), Not(order(p) >= order(q)))) ::: Same.
speaks("Cleo B") != 1 ::: Cleo is not first.

# Options
Question ::: Which one is so?
OPTIONS
"""


def answer(program: Program) -> tuple[str | None, str]:
    arguments = {"program": program.smtlib, "language": "smtlib", "claim": program.claim}
    call = {"type": "tool_call", "id": "1", "name": "z3", "args": arguments}
    return program.answer(TOOL.invoke(call).artifact)


@pytest.mark.parametrize(
    ("claim", "letter"),
    [("Happy(alex)", "A"), ("¬Kind(alex)", "B"), ("∀x Happy(x)", "C")],
)
def test_first_order_logic(claim: str, letter: str) -> None:
    assert answer(fol_program(FOLIO.replace("CLAIM", claim))) == (letter, "")


@pytest.mark.parametrize(
    ("claim", "letter"),
    [("Dumpus(Max, True)", "A"), ("Shy(Max, True)", "B"), ("Wumpus(Sam, True)", "C")],
)
def test_rules(claim: str, letter: str) -> None:
    assert answer(rules_program(RULES.replace("CLAIM", claim))) == (letter, "")


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        ("blue == 1", ("A", "")),
        ("blue > red", ("C", "")),
        ("blue != 2", (None, "no option holds")),
        ("abs(blue - red) == 5", (None, "the constraints are unsat")),
    ],
)
def test_constraints(constraint: str, expected: tuple[str | None, str]) -> None:
    assert answer(csp_program(CSP.replace("CONSTRAINT", constraint))) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["is_valid(speaks(Ann) == 1)", "is_valid(order(Ann) == 2)"], ("A", "")),
        (["is_sat(speaks(Ben) == 3)", "is_sat(order(Ben) == 2)"], ("B", "")),
        (["is_unsat(likes(Ann, 2))", "is_unsat(likes(Ben, 2))"], (None, "no option holds")),
        (["is_sat(likes(Ann, 2))", "is_sat(likes(Ben, 2))"], (None, "several options hold")),
        (
            ["is_exception(is_sat(order(Ann) == 1))", "is_exception(is_sat(order(Ann) == 2))"],
            ("B", ""),
        ),
        (["is_accurate_list([speaks(Ann) == 1, likes(Ben, 1)])", "is_valid(False)"], ("A", "")),
        (["is_accurate_list([speaks(Ann) == 1, speaks(Ann) == 2])", "is_valid(True)"], ("B", "")),
        (["is_valid(Exists([p:people, d:days], likes(p, d)))", "is_sat(1 > 2)"], ("A", "")),
    ],
)
def test_the_language_of_ar_lsat(options: list[str], expected: tuple[str | None, str]) -> None:
    lines = "\n".join(f"{one} ::: ({letter})" for one, letter in zip(options, "AB", strict=True))
    assert answer(lsat_program(LSAT.replace("OPTIONS", lines))) == expected


@pytest.mark.parametrize(
    ("convert", "text", "kind"),
    [
        (fol_program, "Premises:\nA\n", "a section is missing"),
        (fol_program, "Premises:\nConclusion:\nA", "no premises"),
        (fol_program, "Premises:\nA\nConclusion:\nA\nB", "not one conclusion"),
        (fol_program, FOLIO.replace("CLAIM", "Kind("), "malformed formula"),
        (fol_program, FOLIO.replace("CLAIM", "Kind(x)"), "a variable outside of its quantifier"),
        (fol_program, FOLIO.replace("CLAIM", "x ∈ Kind"), "a sign that is not understood"),
        (fol_program, FOLIO.replace("CLAIM", "Kind(a, b)"), "a name used in two ways"),
        (rules_program, RULES.replace("CLAIM", "Max is shy"), "a line that is no literal"),
        (rules_program, RULES.replace(">>>", "->"), "a rule without '>>>'"),
        (csp_program, CSP.replace("[IN]", "in"), "a declaration"),
        (csp_program, CSP.replace("CONSTRAINT", "pink == 1"), "an unknown name"),
        (csp_program, CSP.replace("CONSTRAINT", "red is 1"), "a comparison of another kind"),
        (csp_program, CSP.replace("CONSTRAINT", "red = 1"), "an expression that does not parse"),
        (lsat_program, LSAT.replace("OPTIONS", ""), "no options"),
        (lsat_program, LSAT.replace("OPTIONS", "is_min(1) ::: (A)"), "an option with is_min"),
        (lsat_program, LSAT.replace("OPTIONS", "1 ::: (A)"), "an option that asks nothing"),
        (lsat_program, LSAT.replace("[d:days]", "[d:weeks]"), "an unknown sort"),
        (lsat_program, LSAT.replace("-> [int]", "-> [a, b]"), "a declaration"),
        (lsat_program, LSAT.replace("likes(Ann, d)", "likes(d)"), "a function with too many"),
        (lsat_program, LSAT.replace("Count(", "Sum("), "an unknown function"),
    ],
)
def test_what_is_not_read_says_why(convert: Callable[[str], Program], text: str, kind: str) -> None:
    with pytest.raises(Unreadable) as caught:
        convert(text)
    assert caught.value.kind.startswith(kind)


def test_quantifiers_are_written_out_within_bounds() -> None:
    names = Names(sorts={"s": [str(number) for number in range(100)]})
    assert term("Count([a:s], a == 3) == 1", names).count("ite") == 100
    with pytest.raises(Unreadable, match="too large"):
        term("ForAll([a:s, b:s, c:s], a + b == c)", names)


@given(
    st.text(alphabet="And()[],:xys=<>+-12 'abs.ForlExits", max_size=60)
    | st.sampled_from(["(" * 5_000, "not " * 5_000, "-" * 5_000, "x." * 2_000, "lambda: 1"])
)
def test_any_expression_is_read_or_refused(text: str) -> None:
    try:
        term(text, Names(variables={"x", "y"}, sorts={"s": ["1", "2"]}))
    except Unreadable:
        return


def artifact(**changes: Any) -> dict[str, Any]:
    return {
        "ok": True,
        "limit": None,
        "failure": None,
        "outcome": None,
        "reason": None,
        "checks": [],
    } | changes


def test_what_did_not_run_has_no_answer() -> None:
    program = entailment(["A"], ["A"])
    assert program.answer(artifact(ok=False, limit="seconds")) == (None, "did not run: seconds")
    failed = artifact(ok=False, failure={"type": "SmtLibError"})
    assert program.answer(failed) == (None, "did not run: SmtLibError")
    unsolvable = artifact(outcome="unsolvable", reason="timeout")
    assert program.answer(unsolvable) == (None, "timeout")
    choice = with_options([], [Option("A", (("true", "sat"),))])
    unknown = artifact(checks=[{"status": "sat"}, {"status": "unknown"}])
    assert choice.answer(unknown) == (None, "Z3 does not know")
