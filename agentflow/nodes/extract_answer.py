"""Extract the answer: what a trajectory comes to, in a format (paper 001, appendix B.7)."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.domains import Domain
from agentflow.models.structured import Reply, Wording, parse
from agentflow.nodes.context import domain_of, settings_of
from agentflow.nodes.finish import answer_of
from agentflow.nodes.iteration import Iteration, asked, cut_short, trajectory
from agentflow.settings import Settings


class Extracted(Reply):
    """The answer that a trajectory comes to; empty for none."""

    answer: Wording


async def read_answer(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """The answer that the domain reads in the trace; nobody is asked."""
    return {"answer": answer_of(state, await domain_of(settings_of(runtime, Settings)))}


async def extract_answer(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Ask for the answer that the trajectory comes to; malformed, it is what the domain reads, but
    for a trajectory that a limit ended: its last words may be half of an answer."""
    said, update = await asked(
        state,
        runtime,
        "answer",
        lambda text: parse(Extracted, text).answer.strip(),
        "",
        schema=Extracted.model_json_schema(),
        steps=trajectory(state),
    )
    domain = await domain_of(settings_of(runtime, Settings))
    if said:
        return update | {"answer": plain(domain, said)}
    return update | {"answer": None if cut_short(state) else answer_of(state, domain)}


def plain(domain: Domain, answer: str) -> str:
    """An answer as the domain writes it: without the box, or what else stands around it."""
    return domain.answer(answer) or domain.answer(f"\\boxed{{{answer}}}") or answer
