"""What all tools share: a text for a model, data for a program, a thread for who awaits."""

from __future__ import annotations

import threading
from typing import Any

from pydantic import BaseModel

from agentflow.tools.with_artifact import with_artifact


class Numbers(BaseModel):
    """Arguments of a tool."""

    one: int
    other: int = 2


def added(one: int, other: int = 2) -> tuple[str, dict[str, Any]]:
    return f"{one + other}", {"sum": one + other, "thread": threading.get_ident()}


TOOL = with_artifact(added, "add", "Adds.", Numbers)
CALL = {"type": "tool_call", "id": "1", "name": "add", "args": {"one": 3}}


def test_it_gives_a_text_and_data() -> None:
    message = TOOL.invoke(CALL)
    assert (message.content, message.artifact["sum"]) == ("5", 5)
    assert (TOOL.name, TOOL.description, TOOL.args_schema) == ("add", "Adds.", Numbers)


async def test_it_runs_in_another_thread_where_it_is_awaited() -> None:
    message = await TOOL.ainvoke(CALL)
    assert message.artifact["sum"] == 5
    assert message.artifact["thread"] != threading.get_ident()
