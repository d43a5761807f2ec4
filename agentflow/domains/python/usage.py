"""What a program that tries itself says that it prints, as assertions, which are run.

row = (1, 2)
print(twice(row))  # Output: (2, 4)      assert twice((1, 2)) == (2, 4)

The same where a block below it shows the output.
"""

from __future__ import annotations

import ast
import re

from agentflow.domains.python.source import is_main, names_in, tree_of

_SHOWS = re.compile(
    r"\s*#\s*(?:(?:(?:the )?expected )?(?:output|result|prints|returns)(?: is)?:?\s*|[-=]+>\s*)?"
    r"(?P<value>[^#\n]+?)\s*",
    re.IGNORECASE,
)
_MOST = 20
_LONGEST = 300
"""Characters of what a variable was given, at most."""


def shown(code: str, names: set[str], output: str = "") -> list[str]:
    """What a program says that its prints show, where they call a function of ``names``: a variable
    stands for what it was given last, and one that was changed is not followed.

    Args:
        output: What a block below shows that it prints, a line for each print; without it, what
            comments behind the prints say.
    """
    tree, lines = tree_of(code), code.splitlines()
    if tree is None:
        return []
    found, known, lost = list[tuple[ast.expr | None, str]](), dict[str, ast.expr](), set[str]()
    for one in [*tree.body, *(line for it in tree.body if is_main(it) for line in it.body)]:
        match one:
            case ast.Assign([ast.Name(name)], value):
                lost.discard(name) if lost.isdisjoint(names_in(value)) else lost.add(name)
                known[name] = _inlined(value, known)
                if len(ast.unparse(known[name])) > _LONGEST:  # it may double with each line
                    lost.add(name)
                if name in lost:
                    del known[name]
            case ast.Expr(ast.Call(ast.Name("print"), [said])) if one.end_lineno is not None:
                behind = lines[one.end_lineno - 1].encode()[one.end_col_offset :].decode()
                call = _inlined(said, known)
                used = names_in(call)
                follows = not names.isdisjoint(used) and lost.isdisjoint(used)
                found.append((call if follows else None, behind))
            case _:
                lost |= names_in(one) & known.keys()
                known = {name: it for name, it in known.items() if name not in lost}
    told = [_literal(behind) for _, behind in found]
    values = _lines(output, len(found)) if output else told
    pairs = zip((call for call, _ in found), values, strict=False)
    return [f"assert {ast.unparse(a)} == {b}" for a, b in pairs if a is not None and b][:_MOST]


def _lines(output: str, count: int) -> list[str | None]:
    """The values that an output shows, one for each of several prints; none where it has another
    number of lines, or something else than values."""
    lines = [one.strip() for one in output.strip().split("\n")]
    if count == 1:
        lines = [" ".join(lines)]
    values = [_literal(f"# {one}") for one in lines]
    return values if len(values) == count and None not in values else []


def _literal(behind: str) -> str | None:
    """The value in a comment behind a print; None where it is none. Decimals may be rounded."""
    said = _SHOWS.fullmatch(behind)
    try:
        value = ast.literal_eval(said["value"]) if said else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if said is None or isinstance(value, float) else said["value"]


def _inlined(value: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    """An expression in which variables are replaced by what they were given."""

    class Inline(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return known.get(node.id, node)

    copied = ast.parse(ast.unparse(value), mode="eval").body
    return Inline().visit(copied)  # type: ignore[no-any-return]
