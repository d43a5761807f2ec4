"""Formulas as SMT-LIB text: one sort without interpretation, whose things the formulas speak of."""

from __future__ import annotations

from collections.abc import Sequence

from agentflow.domains.logic.fol import Atom, Compound, Formula, Not, Quantified, Signature, Term

_SMT = {"∧": "and", "∨": "or", "⊕": "xor", "→": "=>", "∀": "forall", "∃": "exists"}


def script(formulas: Sequence[Formula], names: Signature) -> str:
    """SMT-LIB that declares ``names`` and asserts ``formulas``, named ``p1``, ``p2`` and so on."""
    lines = ["(declare-sort Thing 0)"]
    for functions, sort in ((names.predicates, "Bool"), (names.functions, "Thing")):
        for name, arity in functions.items():
            things = " ".join(["Thing"] * arity)
            lines.append(f"(declare-fun {_symbol(name, arity)} ({things}) {sort})")
    for name in sorted(names.constants | names.numbers):
        lines.append(f"(declare-const {_thing(name)} Thing)")
    if len(names.numbers) > 1:
        lines.append(f"(assert (distinct {' '.join(map(_thing, sorted(names.numbers)))}))")
    lines += [
        f"(assert (! {term(formula)} :named p{number}))"
        for number, formula in enumerate(formulas, 1)
    ]
    return "\n".join(lines)


def term(formula: Formula) -> str:
    """The formula as an SMT-LIB term."""
    match formula:
        case Atom("=", arguments):
            return f"(= {' '.join(map(_argument, arguments))})"
        case Atom(name, arguments):
            return _applied(name, arguments)
        case Not(body):
            return f"(not {term(body)})"
        case Compound("↔", parts):
            terms = [term(part) for part in parts]
            return "(= " * (len(terms) - 1) + terms[0] + "".join(f" {one})" for one in terms[1:])
        case Compound(connective, parts):
            return f"({_SMT[connective]} {' '.join(map(term, parts))})"
        case Quantified(quantifier, variable, body):
            return f"({_SMT[quantifier]} (({_thing(variable)} Thing)) {term(body)})"


def _argument(one: Term) -> str:
    return _applied(one.name, one.arguments) if one.arguments else _thing(one.name)


def _applied(name: str, arguments: tuple[Term, ...]) -> str:
    symbol = _symbol(name, len(arguments))
    return f"({symbol} {' '.join(map(_argument, arguments))})" if arguments else symbol


def _thing(name: str) -> str:
    """The symbol of a constant or variable; no word of SMT-LIB ends in a dot, nor does a name."""
    return f"|{name}.|"


def _symbol(name: str, arity: int) -> str:
    """Of a predicate or function; no name holds a slash."""
    return f"|{name}/{arity}|"
