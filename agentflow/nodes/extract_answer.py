"""Extract the answer: what a trajectory comes to, in a format (adaptive, appendix B.7)."""

from __future__ import annotations

from agentflow.domains import Domain
from agentflow.models.structured import Reply, Wording, parse
from agentflow.nodes.finish import answer_of
from agentflow.nodes.iteration import IterationRun, asked
from agentflow.nodes.run import Update, node
from agentflow.settings import Settings


class Extracted(Reply):
    """The answer that a trajectory comes to; empty for none."""

    answer: Wording


@node(Settings, IterationRun)
async def read_answer(run: IterationRun[Settings]) -> Update:
    """The answer that the domain reads in the trace; nobody is asked."""
    return {"answer": answer_of(run, await run.domain())}


@node(Settings, IterationRun)
async def extract_answer(run: IterationRun[Settings]) -> Update:
    """Ask for the answer that the trajectory comes to; malformed, it is what the domain reads, but
    for a trajectory that a limit ended: its last words may be half of an answer."""
    said, update = await asked(
        run,
        "answer",
        lambda text: parse(Extracted, text).answer.strip(),
        "",
        schema=Extracted.model_json_schema(),
        steps=run.trajectory,
    )
    domain = await run.domain()
    if said:
        return update | {"answer": plain(domain, said)}
    return update | {"answer": None if run.cut_short else answer_of(run, domain)}


def plain(domain: Domain, answer: str) -> str:
    """An answer as the domain writes it: without the box, or what else stands around it."""
    return domain.answer(answer) or domain.answer(f"\\boxed{{{answer}}}") or answer
