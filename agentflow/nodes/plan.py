"""Plan: what is to be done, in one to three sentences (adaptive, appendix B.2)."""

from __future__ import annotations

import re

from agentflow.models.structured import says_nothing
from agentflow.nodes.iteration import IterationRun, asked
from agentflow.nodes.run import Update, node
from agentflow.settings import Settings

SENTENCES = 3
_PLAN = re.compile(r"<plan>(.*)</plan>", re.DOTALL | re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")


@node(Settings, IterationRun)
async def plan(run: IterationRun[Settings]) -> Update:
    """Ask for a plan; a malformed one is none."""
    reply, update = await asked(run, "plan", read_plan, "", role="planner", counted_as="planner")
    return update | {"plan": reply}


def read_plan(text: str) -> str:
    """The plan between its tags; of more than three sentences the first three.

    Raises:
        ValueError: If there is text outside of the tags, or none inside.
    """
    found = _PLAN.fullmatch(text.strip())
    if found is None:
        raise ValueError("the reply is not <plan>…</plan> alone")
    inner = " ".join(found[1].split())
    if says_nothing(inner):
        raise ValueError("there is no plan between the tags")
    if "<plan>" in inner.lower() or "</plan>" in inner.lower():
        raise ValueError("there must be one plan between the tags")
    return " ".join(_SENTENCE_END.split(inner)[:SENTENCES])
