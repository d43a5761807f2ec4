"""Solve-Detect-Verify as a subgraph of your own agent; streams, threads and Studio see into it.

python examples/subgraph.py "Make 24 of 4 7 8 8, please."
"""

import asyncio
import re
import sys
from typing import Any

from langgraph.graph import END, START, MessagesState, StateGraph

from agentflow import models
from agentflow.graphs import solve_detect_verify as sdv


class Chat(MessagesState):
    """The agent's own channel, and the method's two."""

    problem: str
    result: dict[str, Any] | None


def read(state: Chat) -> dict[str, Any]:
    numbers = re.findall(r"\d+", state["messages"][-1].text)
    return {"problem": " ".join(numbers[-4:]), "result": None}


def solvable(state: Chat) -> str:
    return "solve" if state["problem"].count(" ") == 3 else "reply"


def reply(state: Chat) -> dict[str, Any]:
    said, result = "Four numbers, please.", state["result"]
    if result is not None:
        said = f"{result['answer'] or result['reason']} ({result['status']})"
    return {"messages": [("ai", said)]}


build = StateGraph(Chat, sdv.SDVSettings)
build.add_node("read", read)
build.add_node("solve", sdv.graph)
build.add_node("reply", reply)
build.add_conditional_edges("read", solvable, ["solve", "reply"])
for start, end in (START, "read"), ("solve", "reply"), ("reply", END):
    build.add_edge(start, end)
agent = build.compile()


async def main(message: str) -> None:
    # The domain verifies: the bundled model plays FlexiVe's part badly.
    settings = sdv.SDVSettings(ladder=("domain",), refine_by="note", iterations=4)
    asked: Any = {"messages": [("user", message)]}
    print((await agent.ainvoke(asked, context=settings))["messages"][-1].content)
    await models.close_all()


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or "Make 24 of 4 7 8 8, please."))
