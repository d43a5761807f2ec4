"""Extract the answer: what a trajectory comes to, in a format (adaptive, appendix B.7)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentflow.domains import Domain
from agentflow.models.structured import Reply, Wording, parse
from agentflow.nodes.finish import answer_of
from agentflow.nodes.iteration import LONG, IterationRun, asked
from agentflow.nodes.run import Update, node
from agentflow.settings import Settings


class ExtractSettings(Settings):
    """Who reads answers off trajectories."""

    extract: Literal["model", "unstructured", "domain"] = Field(
        default="model",
        description="Who reads the answer off a trajectory: model, asked for it as JSON; "
        "unstructured, asked to bring the reasoning to its end, with the answer in a box; domain. "
        "The domain does, too, where a model's reply is malformed, and without a controller",
    )


class Extracted(Reply):
    """The answer that a trajectory comes to; empty for none."""

    answer: Wording


@node(Settings, IterationRun)
async def read_answer(run: IterationRun[Settings]) -> Update:
    """The answer that the domain reads in the trace; nobody is asked."""
    return {"answer": answer_of(run, await run.domain())}


@node(ExtractSettings, IterationRun)
async def extract_answer(run: IterationRun[ExtractSettings]) -> Update:
    """Ask for the answer that the trajectory comes to; malformed, it is what the domain reads, but
    for a trajectory that a limit ended: its last words may be half of an answer.

    With ``extract=unstructured`` the reasoning is brought to its end in prose instead, and the
    answer read in the box that ends it (appendix B.9).
    """
    domain = await run.domain()
    if run.settings.extract == "unstructured":
        reply, update = await asked(
            run,
            "unstructured_answer",
            lambda text: _boxed(domain, text),
            "",
            tokens=LONG,
            steps=run.trajectory,
        )
    else:
        reply, update = await asked(
            run,
            "answer",
            lambda text: parse(Extracted, text).answer.strip(),
            "",
            schema=Extracted.model_json_schema(),
            steps=run.trajectory,
        )
    if reply:
        return update | {"answer": plain(domain, reply)}
    return update | {"answer": None if run.cut_short else answer_of(run, domain)}


def _boxed(domain: Domain, text: str) -> str:
    """The answer at the end of a text in prose.

    Raises:
        ValueError: If the domain reads none there.
    """
    if not (answer := domain.answer(text)):
        raise ValueError("the reply gives no final answer in a box")
    return answer


def plain(domain: Domain, answer: str) -> str:
    """An answer as the domain writes it: without the box, or what else stands around it."""
    return domain.answer(answer) or domain.answer(f"\\boxed{{{answer}}}") or answer
