"""Constraint programs as Logic-LM records them, as SMT-LIB: LogicalDeduction's and AR-LSAT's.

Their expressions are Python's, with quantifiers over sorts of a few elements; these are written
out, element by element. Elements are integers: one that is a number stands for itself, any other
for its place in its sort, far from the numbers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from programs.logic import Option, Program, Unreadable, lines, sections, with_options

_MAX_SIZE = 1_000_000
"""Characters written for one expression and all its parts, quantifiers written out."""

_BINDER = re.compile(r"\[\s*(\w+\s*:\s*\w+(?:\s*,\s*\w+\s*:\s*\w+)*)\s*\]")
_SORT = re.compile(r"(?P<name>\w+) = EnumSort\(\[(?P<elements>[^\[\]]+)\]\)")
_FUNCTION = re.compile(r"(?P<name>\w+) = Function\(\[(?P<of>[\w, ]+)\] -> \[(?P<to>\w+)\]\)")
_OPTION = re.compile(r"(?P<term>.+?)\s*:::\s*\((?P<letter>[A-E])\)\s*")
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_COUNTED = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "mod"}
_JOINED = {"And": "and", "Or": "or", "Not": "not", "Implies": "=>", "Xor": "xor", "If": "ite"}
_BUILT_IN = {"int": "Int", "bool": "Bool"}


@dataclass(slots=True)
class Names:
    """What the names of a program stand for.

    Attributes:
        sorts: Sort -> its elements, as integers.
        elements: Element -> integer.
        functions: Function -> how many arguments.
        variables: Integers of their own.
    """

    sorts: dict[str, list[str]] = field(default_factory=dict)
    elements: dict[str, str] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)


def csp_program(text: str) -> Program:
    """A LogicalDeduction program: ``Variables:``, ``Constraints:``, ``Query:`` (``A) x == 1``).

    An option holds where the constraints entail it.

    Raises:
        Unreadable: If a line is in another language.
    """
    _, variables, constraints, query = sections(text, "Domain", "Variables", "Constraints", "Query")
    names, script = Names(), list[str]()
    for line in lines(variables):
        found = re.fullmatch(r"(\w+) \[IN\] \[([\d, ]+)\]", line)
        if found is None:
            raise Unreadable("a declaration", line)
        names.variables.add(found[1])
        values = " ".join(f"(= |{found[1]}| {value.strip()})" for value in found[2].split(","))
        script += [f"(declare-const |{found[1]}| Int)", f"(assert (or {values}))"]
    script += [f"(assert {term(line, names)})" for line in lines(constraints)]
    options = []
    for line in lines(query):
        letter, bracket, claim = line.partition(")")
        if not bracket:
            raise Unreadable("an option without a letter", line)
        options.append(Option(letter.strip(), ((f"(not {term(claim, names)})", "unsat"),)))
    return with_options(script, options)


def lsat_program(text: str) -> Program:
    """An AR-LSAT program: ``Declarations``, ``Constraints``, ``Options`` (``is_valid(...)``).

    Raises:
        Unreadable: If a line is in another language.
    """
    declarations, constraints, chosen = sections(text, "Declarations", "Constraints", "Options")
    names, script = Names(), list[str]()
    for declaration in lines(declarations):
        line = declaration.partition(" #")[0].strip()
        if found := _SORT.fullmatch(line):
            _declare_sort(found["name"], found["elements"], names)
        elif found := _FUNCTION.fullmatch(line):
            script += _declared_function(found["name"], found["of"], found["to"], names)
        elif "=" in line.partition("(")[0]:
            raise Unreadable("a declaration", line)
        else:
            script.append(f"(assert {term(line, names)})")
    script += [f"(assert {term(line, names)})" for line in lines(constraints)]
    options = [
        _option(found["letter"], found["term"], names)
        for line in chosen.splitlines()
        if (found := _OPTION.fullmatch(line.strip()))
    ]
    if not options:
        raise Unreadable("no options")
    return with_options(script, options)


def _declare_sort(name: str, elements: str, names: Names) -> None:
    first = 1_000 * (len(names.sorts) + 1)
    names.sorts[name] = []
    for place, element in enumerate(elements.split(",")):
        said = element.strip().strip("'\"")
        number = said if said.isdigit() else names.elements.setdefault(said, str(first + place))
        names.sorts[name].append(number)


def _declared_function(name: str, of: str, to: str, names: Names) -> Iterator[str]:
    sorts = [one.strip() for one in of.split(",")]
    for sort in (*sorts, to):
        if sort not in names.sorts and sort not in _BUILT_IN:
            raise Unreadable("an unknown sort", sort)
    names.functions[name] = len(sorts)
    kinds = " ".join(_BUILT_IN.get(sort, "Int") for sort in sorts)
    yield f"(declare-fun |{name}| ({kinds}) {_BUILT_IN.get(to, 'Int')})"
    if to in names.sorts and all(sort in names.sorts for sort in sorts):
        for places in product(*(names.sorts[sort] for sort in sorts)):
            values = (f"(= (|{name}| {' '.join(places)}) {one})" for one in names.sorts[to])
            yield f"(assert (or {' '.join(values)}))"


def _option(letter: str, text: str, names: Names) -> Option:
    node = _parsed(text)
    match node:
        case ast.Call(ast.Name("is_exception"), [inner]):
            option = _checks(letter, inner, names)
            return Option(letter, option.checks, negated=True)
    return _checks(letter, node, names)


def _checks(letter: str, node: ast.expr, names: Names) -> Option:
    def one(part: ast.expr) -> str:
        return _Term(names).of(part, {})

    match node:
        case ast.Call(ast.Name("is_valid"), [claim]):
            return Option(letter, ((f"(not {one(claim)})", "unsat"),))
        case ast.Call(ast.Name("is_sat"), [claim]):
            return Option(letter, ((one(claim), "sat"),))
        case ast.Call(ast.Name("is_unsat"), [claim]):
            return Option(letter, ((one(claim), "unsat"),))
        case ast.Call(ast.Name("is_accurate_list"), [ast.List(claims)]) if claims:
            each = [one(claim) for claim in claims]
            several = f"(not (or {' '.join(each)}))"
            return Option(letter, ((several, "unsat"), *((claim, "sat") for claim in each)))
        case ast.Call(ast.Name(name)):
            raise Unreadable(f"an option with {name}")
    raise Unreadable("an option that asks nothing", ast.unparse(node))


def term(text: str, names: Names) -> str:
    """An expression as an SMT-LIB term.

    Raises:
        Unreadable: If it is none of the language.
    """
    return _Term(names).of(_parsed(text), {})


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(_BINDER.sub(r"'\1'", text.strip()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable("an expression that does not parse", text) from error


class _Term:
    """Writes one expression; ``size`` bounds what its quantifiers come to."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.size = 0

    def of(self, node: ast.expr, bound: Mapping[str, str]) -> str:
        said = self.write(node, bound)
        self.size += len(said)
        if self.size > _MAX_SIZE:
            raise Unreadable("a term too large")
        return said

    def write(self, node: ast.expr, bound: Mapping[str, str]) -> str:
        match node:
            case ast.Constant(bool() as value):
                return str(value).lower()
            case ast.Constant(int() as value):
                return str(value)
            case ast.Constant(str() as value) if value in self.names.elements:
                return self.names.elements[value]
            case ast.Name(name):
                return self.name(name, bound)
            case ast.UnaryOp(ast.USub(), operand):
                return f"(- {self.of(operand, bound)})"
            case ast.UnaryOp(ast.Not(), operand):
                return f"(not {self.of(operand, bound)})"
            case ast.BoolOp(operator, values):
                word = "and" if isinstance(operator, ast.And) else "or"
                return f"({word} {self.all(values, bound)})"
            case ast.BinOp(left, operator, right) if type(operator) in _COUNTED:
                return f"({_COUNTED[type(operator)]} {self.all([left, right], bound)})"
            case ast.Compare(left, operators, rights):
                return self.compared([left, *rights], operators, bound)
            case ast.Call(ast.Name(name), arguments, []):
                return self.call(name, arguments, bound)
        raise Unreadable("an expression of another kind", ast.unparse(node))

    def all(self, nodes: list[ast.expr], bound: Mapping[str, str]) -> str:
        return " ".join(self.of(node, bound) for node in nodes)

    def name(self, name: str, bound: Mapping[str, str]) -> str:
        if name in bound:
            return bound[name]
        if name in self.names.elements:
            return self.names.elements[name]
        if name in self.names.variables:
            return f"|{name}|"
        raise Unreadable("an unknown name", name)

    def compared(
        self, nodes: list[ast.expr], operators: list[ast.cmpop], bound: Mapping[str, str]
    ) -> str:
        terms = [self.of(node, bound) for node in nodes]
        found = []
        for left, operator, right in zip(terms, operators, terms[1:], strict=False):
            match operator:
                case ast.Eq():
                    found.append(f"(= {left} {right})")
                case ast.NotEq():
                    found.append(f"(not (= {left} {right}))")
                case _ if type(operator) in _COMPARED:
                    found.append(f"({_COMPARED[type(operator)]} {left} {right})")
                case _:
                    raise Unreadable("a comparison of another kind", ast.unparse(nodes[0]))
        return found[0] if len(found) == 1 else f"(and {' '.join(found)})"

    def call(self, name: str, arguments: list[ast.expr], bound: Mapping[str, str]) -> str:
        match name, arguments:
            case "ForAll" | "Exists" | "Count" | "Distinct", [ast.Constant(str() as binder), body]:
                each = [self.of(body, {**bound, **values}) for values in self.bindings(binder)]
                return _gathered(name, each)
            case "Distinct" | "AllDifferentConstraint", [ast.List(parts)] if parts:
                return f"(distinct {self.all(parts, bound)})"
            case "Abs" | "abs", [_]:
                return f"(abs {self.all(arguments, bound)})"
        if name in _JOINED and arguments:
            return f"({_JOINED[name]} {self.all(arguments, bound)})"
        if name in self.names.functions:
            if self.names.functions[name] != len(arguments):
                raise Unreadable("a function with too many or too few arguments", name)
            return f"(|{name}| {self.all(arguments, bound)})"
        raise Unreadable("an unknown function", name)

    def bindings(self, binder: str) -> Iterator[dict[str, str]]:
        pairs = [pair.split(":") for pair in binder.replace(" ", "").split(",") if ":" in pair]
        if not pairs:
            raise Unreadable("a quantifier without variables", binder)
        for _, sort in pairs:
            if sort not in self.names.sorts:
                raise Unreadable("an unknown sort", sort)
        variables = [variable for variable, _ in pairs]
        for values in product(*(self.names.sorts[sort] for _, sort in pairs)):
            yield dict(zip(variables, values, strict=True))


def _gathered(name: str, each: list[str]) -> str:
    match name:
        case "ForAll":
            return f"(and {' '.join(each)})"
        case "Exists":
            return f"(or {' '.join(each)})"
        case "Count":
            return f"(+ 0 {' '.join(f'(ite {one} 1 0)' for one in each)})"
    return f"(distinct {' '.join(each)})" if len(each) > 1 else "true"
