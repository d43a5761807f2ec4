"""Have the verifier's model write a wrong step itself, so that the solver goes on behind it."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import asdict, replace
from itertools import accumulate
from typing import Any, Literal

from agentflow.channels import Ruling
from agentflow.ledger import Entries
from agentflow.models.model import Finish, Request
from agentflow.nodes.behind import behind
from agentflow.nodes.context import has_reward_model, weaker
from agentflow.nodes.instead import likeliest
from agentflow.nodes.redraw import drawn_from, refuted_there, start_of_refuted
from agentflow.nodes.restart import next_attempt
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.score import reward_scorer
from agentflow.nodes.solution import rejected, start_of_wrong_step
from agentflow.profile import GREEDY
from agentflow.scorers.likelihood import UNKNOWN, Likelihood
from agentflow.search import Path, Ranking
from agentflow.settings import Settings
from agentflow.trace import Trace
from agentflow.verifiers import joined

LONGEST = 512
"""Most tokens of a step that is written instead of the solver's."""


@node(Settings)
async def rewrite_step(run: Run[Settings]) -> Update:
    """Cut the trace in front of its first wrong step, and put there what the verifier's model
    (role verifier) writes in its place, greedily, up to the end of the line.

    What a step is accepted by is ours; that another model writes the ones that are not is
    SpecReason's (Pan et al. 2025, section 4) and reward-guided speculative decoding's (Liao et al.
    2025, Algorithm 1). Where that model writes nothing, or wrote a line that was rejected all the
    same, the solver draws another step itself. Of a step that holds several lines, as FlexiVe's
    may, the first goes that the bundled judge rejects, where it is the reward model; if it rejects
    none of them, the first one.
    Where that model writes the very line that stands there, it has no better one: nothing is cut.
    """
    words = (await run.model()).profile.hesitations
    verdict, read = await _narrowed(run, rejected(run))
    start, attempt = start_of_wrong_step(run, verdict, words), next_attempt(run)
    line, cost = await _written(run, start)
    if line and line.strip() == run.trace.body[start:].partition("\n")[0].strip():
        evidence = {**verdict.evidence, "written_again": line}
        return {"verdict": asdict(replace(verdict, evidence=evidence)), "ledger": read | cost}
    update = await drawn_from(
        run, start, verdict.reason, verdict.verifier, kind="rewrite", line=line
    )
    return update | {"ledger": update["ledger"] | read | cost, "attempt": asdict(attempt)}


@node(Settings)
async def rewrite_refuted(run: Run[Settings]) -> Update:
    """Cut the line away in which a step was objected to as it was written, and put there what the
    verifier's model writes, as :func:`rewrite_step` does. Where it writes nothing, or a line that
    was refuted there, the line begins as by :func:`~agentflow.nodes.redraw.redraw`."""
    wrong, start = run.stream.wanted, start_of_refuted(run)
    lines, ways = await refuted_there(run, start)
    kind: Literal["redraw", "rewrite"] = "rewrite"
    line, cost = await _written(run, start)
    if not line or line in lines:
        kind, line = "redraw", likeliest(ways, lines)
    update = await drawn_from(
        run, start, wrong.reason, wrong.monitor, kind=kind, line=line, others=ways
    )
    return update | {"ledger": update["ledger"] | cost}


def after_rewrite(run: View[Any]) -> Literal["solve", "settle"]:
    """Edge behind :func:`rewrite_step`: the solver goes on, where anything was cut."""
    return "settle" if "written_again" in rejected(run).evidence else "solve"


def is_rewritten(run: View[Any]) -> bool:
    """Whether the verifier's model wrote a line before where it now rejects one: it can write none
    that it would accept."""
    return start_of_wrong_step(run, rejected(run), ()) in _places(run)


async def _narrowed(run: Run[Any], verdict: Ruling) -> tuple[Ruling, Entries]:
    """(the verdict with the place of the first line up to the end of its wrong step that the
    bundled judge rejects, what reading it cost); as it is where there is none, or the verdict tells
    it."""
    at = verdict.first_wrong_step
    if "start" in verdict.evidence or at is None or not has_reward_model(run.settings):
        return verdict, {}
    scorer = await reward_scorer(run, f"{run.branch}/{len(run.operations)}/line")
    if not isinstance(scorer.model, Likelihood):
        return verdict, {}
    lines = joined(run.steps).splitlines(keepends=True)
    (path,) = await Ranking(run.problem, scorer, "last").scored([Path(tuple(lines))])
    run.spent(scorer.entries)
    starts = accumulate(map(len, lines), initial=0)
    scores = zip(starts, path.scores, strict=False)  # the lowest so far
    start = next((start for start, score in scores if score < UNKNOWN), None)
    if start is None or start >= len(joined(run.steps[: at + 1])):
        return verdict, scorer.entries
    evidence = {**verdict.evidence, "start": start}
    return replace(verdict, evidence=evidence), scorer.entries


def _places(run: View[Any]) -> set[int]:
    """Where in the body lines of the verifier's model began."""
    trace, places = Trace(), set[int]()
    for operation in run.operations:
        if operation["op"] == "append" and operation["kind"] == "rewritten":
            places.add(len(trace.body))
        trace.apply(operation)
    return places


async def _written(run: Run[Any], start: int) -> tuple[str, Entries]:
    """(the line that the verifier's model writes at a place of the trace, what it cost); an empty
    line where it wrote one there before, or cannot go on from a text of ours, which is told."""
    if start in _places(run):
        return "", {}
    model = await run.ask("verifier", "rewriter", f"{run.branch}/{len(run.operations)}")
    if not model.capabilities.continues:
        run.emit(weaker("continues", "the solver draws another step itself"))
        return "", {}
    request = Request(await behind(run, model, start), LONGEST, GREEDY)
    line = ""
    async with aclosing(model.stream(request)) as stream:
        async for item in stream:
            if isinstance(item, Finish) or item.text in model.profile.markers:
                break
            line += item.text
            if "\n" in line.lstrip("\n"):
                break
    line = line.strip("\n").partition("\n")[0].rstrip()
    return (f"{line}\n" if line else ""), model.entries
