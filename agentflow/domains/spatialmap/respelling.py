"""Orders by signs, ``y(A) < y(B)``, in a spelling of
:mod:`~agentflow.domains.spatialmap.claims`."""

from __future__ import annotations

import re
from itertools import pairwise

from agentflow.domains.spatialmap import wording
from agentflow.domains.spatialmap.claims import WHO, N

_ORDER = re.compile(
    rf"(?P<one>(?P<axis>[xy])(?:\( ?|_ ?|-coordinate of ){WHO}(?: ?\))?)"
    r" (?P<sign>[<>]|is (?:larger|greater|bigger|higher|smaller|lower|less) than) "
    rf"(?P<other>(?:(?P=axis)(?:\( ?|_ ?|-coordinate of )|that of ){WHO}(?: ?\))?)"
)
_IN_ORDER = re.compile(
    r"(?:east-west|north-south), further to the (?P<way>east|north) being more: ?"
    rf"(?P<names>{WHO}(?: ?< ?{WHO})+)"
)
"""``east-west, further to the east being more: A < B``"""


def respelled(text: str) -> str:
    """A clause in a spelling of :mod:`~agentflow.domains.spatialmap.claims`."""
    return wording.as_in_a_map(_IN_ORDER.sub(_chained, _ORDER.sub(_compared, text)))


def _compared(found: re.Match[str]) -> str:
    ways = ("west", "east") if found["axis"] == "x" else ("south", "north")
    one, other = (re.findall(N, found[name])[0] for name in ("one", "other"))
    more = re.search(r">|larger|greater|bigger|higher", found["sign"]) is not None
    return f"{one} is further {ways[more]} than {other}"


def _chained(found: re.Match[str]) -> str:
    names = re.findall(N, found["names"])
    way = found["way"]
    return ", ".join(f"{more} is further {way} than {one}" for one, more in pairwise(names))
