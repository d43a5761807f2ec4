"""Which of several samples was chosen, also where a question about them could not be asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agentflow.channels import Sample
from agentflow.errors import Exhausted, Refused
from agentflow.ledger import Entries
from agentflow.nodes.run import Run
from agentflow.nodes.surviving import asked_under, raise_again


@dataclass(frozen=True, slots=True)
class Choice:
    """What the choice came to.

    Attributes:
        sample: The sample that was found; None for none.
        reason: Of how many it was chosen, or why none was found.
        error: What failed for good of a question.
        limit: Which limit of the run left no room for it.
        refused: Whether a server refused it.
        share: Of a vote, the share that the sample's answer has.
        entries: What it cost.
    """

    sample: Sample | None = None
    reason: str = ""
    error: str = ""
    limit: str = ""
    refused: bool = False
    share: float = 1.0
    entries: Entries = field(default_factory=dict)


def failed(run: Run[Any], name: str, error: Any) -> Choice:
    """What came of a question that failed.

    Args:
        name: Of the prompt.

    Raises:
        ModelUnavailable, StreamBroken: The error, if it may go well when asked again.
    """
    raise_again(error, run.runtime)
    spent = asked_under(run, f"{run.branch}/{name}/")
    why, refused = str(error), isinstance(error, Refused)
    if isinstance(error, Exhausted):
        return Choice(None, why, limit=why, entries=spent)
    return Choice(None, why, error=why, refused=refused, entries=spent)
