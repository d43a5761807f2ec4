"""unified: the means of all five papers in one graph, under a token budget; in none of them.

    prepare -> sample -> sample -> ... -> choose

    sample:  solve <-> redraw, rewrite_now, refine   a wrong step is taken back, or told
               |  ^
               |  +---- rewrite <--+   the verifier's model writes a line that prm rejects
               +-> answer_out --+  |   the thinking ends at the answer it came to
               v                v  |
             read -> domain -> prm -> fast -> verifiagent -> slow -> settle
                     (as far as it is undecided)

Steps, feedback and stable answers are interwhen's, the early exit is EAT's, fast and slow runs are
Solve-Detect-Verify's, the tools are VerifiAgent's.

Which means a problem gets follows from the domain, the model and what came before. Where steps are
verified, the first answer after them that is not refuted ends the thinking and is written out
without the model; elsewhere an answer given ``k_stable`` times ends it. A step that is looked up
because the domain cannot decide, and that no page supports, is drawn again, too. What is drawn
again begins as the model would most likely have begun it otherwise; the second time, a verifier
that is another model than the solver writes it. Where nothing likely is left, the lines that lead
to it are drawn again, too.

The verifiers of the ladder are asked in turn, the cheap ones first, until one can decide. A line in
which the reward model rejects a solution is written by the verifier's model, and the solver goes on
behind it; where that line is rejected, too, or was looked up and its evidence covers it, the run
ends. Those after the first that write are asked only about a sample of ``judged_from`` tokens or
more: a shorter one is cheaper drawn again than judged. Only where a sample fails is another one
drawn: until one passes, ``agree`` of them agree where no verifier can decide, two have failed at a
wrong step, or ``n`` samples or the ``budget`` are spent.
"""

from __future__ import annotations

from typing import Any, Literal

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.graphs import verifiagent
from agentflow.nodes import (
    RETRY,
    UnifiedSettings,
    View,
    after_rewrite,
    answer_out,
    choose,
    domain_verify,
    flexive,
    is_rewritten,
    ladder,
    one_sample,
    prm,
    read_solution,
    redraw,
    refine,
    rewrite_refuted,
    rewrite_step,
    route,
    sampled,
    solver,
    steering,
    stream_ends,
    surviving,
    undecided,
    verifiers_left,
)
from agentflow.nodes.answer_out import answer_at_end
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.redraw import wrong_in_a_row
from agentflow.nodes.steer import (
    alike,
    is_supported,
    spent,
    stuck,
    taken,
    verifiers,
    written_by_another,
)
from agentflow.run import Input, Output, RunState, Sampled
from agentflow.verifiers.flexive import agreed

__all__ = ["UnifiedSettings", "build", "graph"]


def next_sample(run: View[UnifiedSettings]) -> list[dict[str, Any]]:
    """The next sample, unless one passed, enough agree, or more would be no use."""
    done, settings = run.samples, run.settings
    start: dict[str, Any] = {"branch": len(done), "ledger": run.ledger}
    if settings.budget is not None:
        start["allowance"] = settings.budget - spent(run)
    if not done:
        return [start]
    over = len(done) >= settings.n or start.get("allowance", 1) <= 0 or stuck(done)
    verdict = done[-1].verdict
    rejected = verdict is not None and verdict.verifier == "prm" and verdict.ok is False
    if done[-1].answer is not None or over or rejected or alike(done) >= settings.agree:
        return []
    return [start]


def after_solve(
    run: View[UnifiedSettings],
) -> Literal["redraw", "rewrite_now", "refine", "answer_out", "read", "settle"]:
    """Mend a wrong step, as often as that may be; or end the thinking; or have it judged."""
    end, settings = run.stream, run.settings
    if end.ended != "intervened":
        return "read" if end.ended == "stop" else "settle"
    if end.wanted.kind == "close":
        return "refine" if answer_at_end(run) is None else "answer_out"
    wrong = wrong_in_a_row(run)
    if wrong > settings.max_corrections:
        return "settle"
    if wrong > settings.redraws:
        return "refine"
    return "rewrite_now" if wrong == 2 and written_by_another(settings) else "redraw"


def climb(run: View[UnifiedSettings]) -> str:
    """Ask the next verifier of the ladder, where the one before could not tell; or have a line
    written anew in which the reward model rejects the solution."""
    settings, verdict = run.settings, run.verdict
    left = verifiers_left(verifiers(settings), verdict)
    if verdict is None:
        return left[0]
    sure = verdict.ok is not None
    if verdict.verifier == "fast":
        sure = agreed(verdict.ok, verdict.evidence, settings.tau)
    short = taken(run) < settings.judged_from and left[:1] != ("prm",)  # which writes nothing
    out = settings.budget is not None and spent(run) >= settings.budget
    if verdict.verifier == "prm" and verdict.ok is False and "start" in verdict.evidence:
        stays = out or is_rewritten(run) or is_supported(run)
        return "settle" if stays or run.attempt.number >= settings.rewrites else "rewrite"
    return "settle" if sure or short or out or not left else left[0]


def sample() -> StateGraph[JudgingState, UnifiedSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = one_sample(UnifiedSettings)
    graph.add_node("solve", surviving(solver(steering, UnifiedSettings), retried=True))
    graph.add_node("redraw", redraw, retry_policy=RETRY)
    graph.add_node("rewrite_now", rewrite_refuted, retry_policy=RETRY)
    graph.add_node("refine", refine, retry_policy=RETRY)
    graph.add_node("answer_out", answer_out, retry_policy=RETRY)
    graph.add_node("read", read_solution)
    graph.add_node("domain", domain_verify)
    graph.add_node("prm", undecided(prm, "prm"), retry_policy=RETRY)
    graph.add_node("rewrite", rewrite_step, retry_policy=RETRY)
    graph.add_node("fast", undecided(flexive("fast"), "fast"), retry_policy=RETRY)
    judging = verifiagent.judging().compile(name="verifiagent")
    graph.add_node("verifiagent", undecided(judging, "verifiagent"))
    graph.add_node("slow", undecided(flexive("slow"), "slow"), retry_policy=RETRY)
    stream_ends(
        graph, after_solve, ["redraw", "rewrite_now", "refine", "answer_out", "read", "settle"]
    )
    graph.add_edge("redraw", "solve")
    graph.add_edge("rewrite_now", "solve")
    graph.add_edge("refine", "solve")
    graph.add_edge("answer_out", "read")
    graph.add_conditional_edges(
        "rewrite", route(UnifiedSettings, after_rewrite), ["solve", "settle"]
    )
    ladder(graph, ["domain", "prm", "fast", "verifiagent", "slow"], climb, "settle", "rewrite")
    return graph


def build() -> StateGraph[RunState, UnifiedSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(UnifiedSettings, sample(), choose, next_sample, again=True)


graph = compiled(build(), "unified")
