"""Extract the answer: what a trajectory comes to, in a format (paper 001, appendix B.7)."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.domains import Domain
from agentflow.models.structured import parse
from agentflow.nodes.context import domain_of, settings_of
from agentflow.nodes.finish import answer_of
from agentflow.nodes.iteration import Iteration, asked, trajectory
from agentflow.nodes.reason import Answer
from agentflow.settings import Settings


async def read_answer(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """The answer that the domain reads in the trace; nobody is asked."""
    return {"answer": answer_of(state, await domain_of(settings_of(runtime, Settings)))}


async def extract_answer(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Ask for the answer that the trajectory comes to; malformed, it is what the domain reads."""
    said, update = await asked(
        state,
        runtime,
        "answer",
        lambda text: parse(Answer, text).answer,
        "",
        schema=Answer.model_json_schema(),
        steps=trajectory(state),
    )
    domain = await domain_of(settings_of(runtime, Settings))
    return update | {"answer": plain(domain, said) if said else answer_of(state, domain)}


def plain(domain: Domain, answer: str) -> str:
    """An answer as the domain writes it: without the box, or what else stands around it."""
    return domain.answer(answer) or domain.answer(f"\\boxed{{{answer}}}") or answer
