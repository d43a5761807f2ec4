"""The path of a run through its graph, as events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from langgraph.types import Overwrite


@dataclass(slots=True)
class NodePath:
    """Makes an event ``node`` of each task that LangGraph says has ended.

    What else a node has to tell comes before it: its ``name``, the graph ``inside`` which it runs
    (empty for the method's own), the ``seconds`` it took, how many ``operations`` it appended to
    the trace, whether it ``paused`` for a person, its ``error``; and its ``branch``, but for the
    first.
    """

    _begun: dict[str, tuple[float, int]] = field(default_factory=dict)

    def take(self, inside: Sequence[str], task: Mapping[str, Any]) -> dict[str, Any] | None:
        """Take one item of the stream mode ``tasks`` in; the event, if it ends a node."""
        if "input" in task:
            given = task["input"]
            branch = given.get("branch", 0) if isinstance(given, dict) else 0
            self._begun[task["id"]] = monotonic(), branch
            return None
        began, branch = self._begun.pop(task["id"])
        added = task["result"].get("operations") or []
        added = added.value if isinstance(added, Overwrite) else added
        event = {
            "type": "node",
            "name": task["name"],
            "inside": inside[-1].partition(":")[0] if inside else "",
            "seconds": round(monotonic() - began, 4),
            "operations": len(added),
            "paused": bool(task["interrupts"]),
            "error": str(task["error"] or ""),
        }
        return event | ({"branch": branch} if branch else {})
