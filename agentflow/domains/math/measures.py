"""Units of measurement in an equation: whether its plain numbers may be compared, and by what they
are converted.

``2 hours + 30 minutes = 32 hours`` holds in plain numbers only; ``3 * 60 minutes = 3 hours`` holds
only in converted ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from math import prod
from typing import NamedTuple, TypeAlias

from agentflow.domains.math.expressions import Tree, contains
from agentflow.domains.math.notation import Token, tokens, units
from agentflow.domains.math.units import UNITS, Unit
from agentflow.tools.quantities import singular, things

_UNIT_KINDS = frozenset(unit.kind for unit in UNITS.values())
_RATES = {"mph": ("mile", "hour"), "kph": ("km", "hour")}
Powers: TypeAlias = "Counter[Unit | str]"
"""Units and things of a product, with their powers."""


class _Measured(NamedTuple):
    """What a side measures.

    Attributes:
        units: Its units; those behind ``per`` belong to rates and are left out.
        powers: All of them and the things that are counted; of use for products only.
    """

    units: set[Unit]
    powers: Powers


_PER = frozenset({"/", "per", "a", "an", "each", "every"})
POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}


def factor(run: Sequence[Token]) -> Fraction:
    """What a number is multiplied by to drop the unit behind it: ``miles per hour``."""
    return prod((unit.factor**power for unit, power in _parts(run)), start=Fraction(1))


def _parts(run: Sequence[Token]) -> Iterator[tuple[Unit, int]]:
    """The units that a unit consists of, with their powers; those behind ``per`` are negative."""
    power, under = 1, False
    for place, token in enumerate(run):
        word = token.text.lower()
        under = under or word in _PER
        if token.kind == "^":
            power = 1
        elif word in POWERS:
            power = POWERS[word]
        for part, below in zip(_RATES.get(word, (word,)), (under, True), strict=False):
            if unit := UNITS.get(part):
                ahead = run[place + 1 : place + 3]
                raised = ahead and ahead[0].kind == "^" and len(ahead) == 2
                exponent = int(ahead[1].text) if raised else power
                yield unit, -exponent if below else exponent
                power = 1


def comparable(one: str, other: str, left: Tree, right: Tree) -> bool:
    """Whether the plain numbers of two sides tell whether they are equal.

    They do where there is but one unit, which a product or a quotient has as it must: ``3 feet * 3
    feet`` are no ``feet``. With a dozen or cents, numbers have to be converted.

    Args:
        one: The left side as written.
        other: The right side as written.
        left: What the left side says, without its units.
        right: What the right side says, without its units.
    """
    first, second = _measured(one), _measured(other)
    every = first.units | second.units
    if contains(left, "+", "-") or contains(right, "+", "-"):
        every |= {unit for unit in {**first.powers, **second.powers} if isinstance(unit, Unit)}
    elif not _agree(first.powers, second.powers) or _are_mixed(first.powers, second.powers):
        return False
    elif not second.units:  # 60 miles / 2 hours = 30
        kinds = [unit.kind for unit in every]
        return len(kinds) == len(set(kinds)) and not any(map(_scales, every))
    return len(every) <= 1 and not any(map(_scales, every))


def _scales(unit: Unit) -> bool:
    return unit.kind in ("money", "count") and unit.factor != 1


def convertible(one: str, other: str, left: Tree, right: Tree) -> bool:
    """Whether two sides measure the same, as far as can be told, once their units are converted;
    the arguments are those of :func:`comparable`."""
    if contains(left, "+", "-") or contains(right, "+", "-"):
        return True
    return _agree(*(_by_kind(_measured(side).powers) for side in (one, other)))


def adds_things(one: str, other: str) -> bool:
    """Whether numbers of different things are added, and the result is none of things: ``2 pens + 3
    pencils = 13``, what they cost; the arguments are those of :func:`comparable`."""
    added, told = (_by_kind(_measured(side).powers) for side in (one, other))
    things = {thing for thing, power in told.items() if thing not in _UNIT_KINDS}
    return len(added) > 1 and not things


def _agree(powers: Powers, said: Powers) -> bool:
    """Whether each unit of a result has the power that it has in the product:
    ``3 feet * 3 feet`` are no ``feet``."""
    return all(powers.get(unit, power) == power for unit, power in said.items())


def _are_mixed(powers: Powers, said: Powers) -> bool:
    """Whether a unit stands over another of the same kind, so that it must be converted:
    ``60 miles per hour * 30 minutes``; or a rate is said in another."""
    rates = Counter(powers)
    rates.subtract({unit: power for unit, power in said.items() if power < 0})
    signs = {
        (unit.kind, power > 0) for unit, power in rates.items() if power and isinstance(unit, Unit)
    }
    return any((kind, not sign) in signs for kind, sign in signs)


def _by_kind(powers: Powers) -> Powers:
    """The powers of what the units measure."""
    found = Counter[Unit | str]()
    for unit, power in powers.items():
        found[unit.kind if isinstance(unit, Unit) else unit] += power
    return found


def _signs(found: Sequence[Token]) -> list[int]:
    """Of each token of a product: 1 above a fraction bar or before a division sign, -1 below."""
    signs = list[int]()
    outer, sign, over = 1, 1, False
    opened = list[tuple[int, int, bool]]()
    for place, token in enumerate(found):
        if token.kind in ("*", "/"):
            sign = outer if token.kind == "*" else -outer
        elif token.kind in ("(", "{"):
            opened.append((outer, sign, place > 0 and found[place - 1].text == "frac"))
            outer = sign = -sign if over else sign
            over = False
        elif token.kind in (")", "}") and opened:
            outer, sign, over = opened.pop()
        signs.append(sign)
    return signs


def _powers(run: Sequence[Token]) -> Iterator[tuple[Unit | str, int]]:
    """The units and the things in the name of what is counted, with their powers; a dozen is a
    number."""
    known = [(unit, power) for unit, power in _parts(run) if unit.kind != "count"]
    yield from known
    words = [token.text.lower() for token in run]
    per = next((place for place, word in enumerate(words) if word in _PER), len(words))
    named = things(words[:per])
    if named and not any(power > 0 for _, power in known):
        yield singular(words[named - 1]), 1
    if words[per + 1 :] and not any(power < 0 for _, power in known):
        yield singular(words[-1]), -1


@lru_cache(maxsize=10_000)
def _measured(text: str) -> _Measured:
    found = tokens(text)
    runs = list(units(found))
    signs = _signs(found) if runs else []
    main, powers = set[Unit](), Counter[Unit | str]()
    for start, end in runs:
        words = [token.text.lower() for token in found[start:end]]
        main |= {
            UNITS[word] for word in takewhile(lambda one: one not in _PER, words) if word in UNITS
        }
        for unit, power in _powers(found[start:end]):
            powers[unit] += signs[start] * power
    return _Measured(main, powers)
