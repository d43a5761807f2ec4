"""Maps of five objects: what follows for those that are asked about."""

from __future__ import annotations

import random
from collections.abc import Iterator

from agentflow.generators import spatial_maps
from agentflow.generators.spatial_maps import CORNERS
from training.cases.case import is_held_out
from training.solving.trace import Worked

OBJECTS = (5, 5)
_MANY = 1_000_000


def worked(rng: random.Random, *, held_out: bool = False) -> Iterator[Worked]:
    """Endless maps; the lines are those behind the map's own sentences."""
    for problem in spatial_maps.generate(_MANY, rng.getrandbits(32), objects=OBJECTS):
        if is_held_out(problem.text) == held_out:
            solution = problem.data["solution"]
            behind = solution[solution.index(">>> STEP 2: FIND THE RELATIONSHIPS ASKED FOR") :]
            said = [one for one in behind if one and not one.startswith((">>>", "\\boxed"))]
            lines = tuple(dict.fromkeys(said))
            yield Worked(problem, lines, str(problem.gold), (CORNERS, problem.data["objects"]))
