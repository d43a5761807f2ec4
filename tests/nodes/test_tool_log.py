"""The log of the tools that a node used."""

from typing import Any

from agentflow.models.budget import Budget
from agentflow.nodes.tool_log import ToolLog
from agentflow.tools.toolbox import Use


def test_an_entry_says_when_the_tool_had_ended() -> None:
    """A thread that is resumed takes up its clock where the last entry ended, a tool's, too."""
    told: list[dict[str, Any]] = []
    log = ToolLog("verify/0/3", told.append, lambda: 12.5)
    log(Use("python", "sandbox", {"code": "print(1)"}, "1", seconds=2.0))
    assert [(one["seconds"], one["until"]) for one in log.entries.values()] == [(2.0, 12.5)]
    assert Budget(seconds=20.0).resumed(log.entries).clock >= 12.5
    assert [event["type"] for event in told] == ["tool"]
