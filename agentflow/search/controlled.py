"""A search that a learned controller leads, step by step (the adaptive compute paper's outlook)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from agentflow.problem import Problem
from agentflow.search.controller import (
    DEPTH,
    DRAWN,
    ROLLOUTS,
    WIDTH,
    Choice,
    Controller,
    state_of,
)
from agentflow.search.interfaces import Aggregate, Expander, Found, Scorer, grown, reward
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together

ATTEMPTS = 64
"""Most attempts of a search, whatever the controller says."""


async def controlled(
    problem: Problem,
    expander: Expander,
    scorer: Scorer,
    controller: Controller,
    *place: str | int,
    price: float | None = None,
    left: Callable[[], float | None] = lambda: None,
    tell: Callable[[dict[str, Any]], None] = lambda event: None,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
    ahead: int = 1,
) -> Found:
    """Attempts one after the other, each grown as the controller chooses at every step boundary.

    With ``ahead`` more than one step is drawn and scored at a time: fewer scorings, for the tokens
    of the steps that the controller then does not want. With 0 an attempt is drawn to its end, and
    nothing is chosen before it is there: another one, or to stop. An attempt that is no better than
    one that has ended counts as failed.

    The attempt that is given is the one that ended and whose kind of end is most often right, of
    equals the one of the highest reward; where none ended, the best of what there is.

    Args:
        price: What a choice must gain per 1,000 tokens; None for the controller's own.
        left: How many tokens may still be generated; None for no limit.
        tell: Told of every choice, and why.
        ahead: Steps that are drawn before they are scored; 0 for whole attempts.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.
    """
    ranking = Ranking(problem, scorer, aggregate)
    ended, unfinished = list[Path](), list[Path]()
    path, before, drawn, failed, cut = Path(), Path(), 0, 0, False
    there = Path()  # what was drawn ahead: the path goes on in it

    async def draw(choice: Choice, number: int) -> list[Path]:
        """The continuations that a choice asks for, scored."""
        if choice == "look ahead":
            most = min(DEPTH, max_steps - len(path.steps))
            found = await together(
                expander.finish(path, *place, number, i, steps=most) for i in range(ROLLOUTS)
            )
            return await ranking.scored(grown(path, found))
        if choice == "go on" and ahead != 1:
            most = max_steps - len(path.steps)
            one = await expander.finish(path, *place, number, steps=min(ahead or most, most))
            return await ranking.scored(grown(path, [one]))
        base = before if choice == "redraw" else path
        found = await expander.expand(base, WIDTH if choice == "widen" else 1, *place, number)
        return await ranking.scored(grown(base, found))

    for number in range(ATTEMPTS * max_steps):
        held = max((controller.worth(one.scores) for one in ended), default=None)
        if cut and held is None:  # it was brought as far as it may go
            held = 0.0
        decision = controller.choose(
            state_of(path.scores, drawn, failed),
            held,
            left(),
            price=price,
            failed=failed,
            redraws=0 < drawn <= DRAWN,
        )
        tell({"type": "choice"} | asdict(decision))
        if decision.choice == "stop":
            if there.done:  # its rest costs nothing
                ended.append(there)
                path = Path()
            break
        if decision.choice == "give up":
            unfinished.append(path)
            path, there, drawn, failed = Path(), Path(), 0, failed + 1
            continue
        onward = decision.choice == "go on"
        in_hand = onward and len(there.steps) > len(path.steps)
        tried = [there] if in_hand else await draw(decision.choice, number)
        if decision.choice == "redraw":
            drawn += 1
            best = max([path, *tried], key=lambda one: one.scores[-1])
            path, there = best, there if best is path else best
        elif tried:
            drawn = {"widen": WIDTH, "look ahead": 0}.get(decision.choice, 1)
            there = ranking.top(tried, 1)[0]
            along = onward and ahead > 0
            before, path = path, there.first(len(path.steps) + 1) if along else there
        elif not path.steps:  # not even a first step: the budget is spent
            break
        if path.done:
            better = held is None or controller.worth(path.scores) > held
            failed += controller.failed(path.scores) or not better
            ended.append(path)
            path, there, drawn = Path(), Path(), 0
        elif not tried or len(path.steps) >= max_steps:  # it can go on no more
            unfinished.append(path)
            path, there, drawn, failed, cut = Path(), Path(), 0, failed + 1, True
        if len(ended) + len(unfinished) >= ATTEMPTS:
            break
    paths = [*ended, *unfinished, *([path] if path.steps or not (ended or unfinished) else [])]
    found = ranking.found(paths)
    if not ended:
        return found
    best = max(ended, key=lambda one: (controller.worth(one.scores), reward(one, aggregate)))
    return replace(found, best=best)
