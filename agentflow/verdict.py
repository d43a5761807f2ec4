"""A verdict: what a verifier says of a state, a step or an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

VERIFIER_ERROR, TOOL_ERROR = "verifier_error", "tool_error"
"""Kinds of a verdict that cannot tell because something does not work: who should have judged, or
the tool that was needed. A result's reason names it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one verification (interwhen, section 4, ``verify``).

    Attributes:
        ok: True (passed), False (refuted) or None (cannot tell, which is not a pass).
        reason: One sentence a model or a person can act on; becomes the feedback text.
        kind: Short name of the error kind, empty when there is no error.
        score: Confidence in [0, 1], where the verifier has one.
        first_wrong_step: 0-based index of the first wrong step, where steps were judged.
        source: Who says so (a monitor, a domain, a tool).
        evidence: What the verdict rests on, as plain JSON.
    """

    ok: bool | None
    reason: str = ""
    kind: str = ""
    score: float | None = None
    first_wrong_step: int | None = None
    source: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """
        Raises:
            TypeError: If ``ok`` is another value, true or false as Python may take it (a text, a
                match, NumPy's own truth): what it says of the answer would be a guess.
        """
        if not isinstance(self.ok, bool | None):
            raise TypeError(f"the verdict {self.ok!r:.60} is none; give True, False or None")
        for name in ("reason", "kind", "source"):
            if not isinstance(found := getattr(self, name), str):
                raise TypeError(f"a verdict's {name} is a text, not {found!r:.60}")
