"""What ``x``, or ``something``, is in a reply of Game of 24.

We need 6 / x = 24, so x = 1/4.      6 / (1/4) = 24, so (1/4) = 1/4
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.game24 import reading
from agentflow.domains.game24.known import Known

_NAME = re.compile(
    r"(?<![\w\\])(x|y|z|something)(?!\w)(?=.*=)|(?:=|[-+*/]) ?\(?(x|y|z|something)(?!\w)"
)
"""What stands for a number, where there are equations."""
_RUN = re.compile(r"[-+*/(= ]*\d[-+*/().\d =]*")


class Unknowns:
    """The unknowns that were found, by name."""

    def __init__(self) -> None:
        self._found: dict[str, Fraction] = {}

    def filled(self, said: str, known: Known) -> str:
        """A sentence with a number for each unknown: the one that it was, or a part of the answer,
        that all equations of the sentence hold with."""
        for name in sorted({one or other for one, other in _NAME.findall(said)}):
            unknown = re.compile(rf"\(?(?<![\w\\]){name}(?!\w)\)?")
            before = [self._found[name]] if name in self._found else []
            for value in [*before, *sorted(known.parts)]:
                filled = unknown.sub(f"({value})", said)
                runs = [run for run in _RUN.findall(filled) if "=" in run and f"({value})" in run]
                if runs and all(map(_holds, runs)):
                    self._found[name] = value
                    known.numbers.add(value)
                    break
            if name in self._found:
                said = unknown.sub(f"({self._found[name]})", said)
        return said


def _holds(run: str) -> bool:
    """Whether the sides of an equation are all of one value."""
    sides = [arithmetic.parse(reading.with_products(one.strip(" ."))) for one in run.split("=")]
    found = {None if one is None else arithmetic.value(one) for one in sides}
    return len(found) == 1 and None not in found
