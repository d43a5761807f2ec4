"""A state: what a monitor extracted from a trace, with the span it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class State:
    """One verifiable claim found in generated text (interwhen, section 4, ``extract_state``).

    Attributes:
        kind: What is claimed; the domain names its kinds (``"step"``, ``"candidate"``).
        data: The claim as plain JSON.
        start: Offset of its first character in the generated text of the trace.
        end: Offset just behind its last character; feedback on the state is appended here.
    """

    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    start: int = 0
    end: int = 0
