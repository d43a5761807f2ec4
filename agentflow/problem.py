"""A problem: the question a method is asked to solve."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One question, parsed by a domain.

    Attributes:
        text: The question as the user wrote it.
        domain: Name of the domain that parsed it.
        id: Identifier, unique within a dataset; it takes part in every request's seed.
        gold: The right answer where it is known (evaluation only; no method reads it).
        data: What the domain parsed from the text, as plain JSON.
    """

    text: str
    domain: str
    id: str = ""
    gold: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
