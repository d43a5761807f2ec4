"""A monitor of one's own that ends the stream, or gives the run up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from langgraph.graph import END, START, StateGraph

from agentflow.models import ScriptedModel
from agentflow.monitors import Monitor
from agentflow.monitors.monitor import Context, Increment, Intervention, Memory
from agentflow.nodes import MODEL_KEY, Task, declined, finish, prepare, solver, stream_ends
from agentflow.run import Input, Output, RunState
from agentflow.settings import Settings
from agentflow.state import State
from agentflow.verdict import Verdict

PUZZLE = "4 7 8 8"
TEXT = "</think>\nAnswer: (7 - 8 / 8) * 4\nDone.\nAnswer: 4 * 7\n"


@dataclass(frozen=True)
class AtWord:
    """Intervenes behind a line that says ``Done``."""

    kind: Literal["stop", "abstain"]
    name: str = "at_word"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        return {}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        end = increment.offset + len(increment.text)
        found = "Done" in increment.text
        return memory, [State("word", {}, increment.offset, end)] if found else []

    async def verify(self, state: State, context: Context) -> Verdict:
        return Verdict(False, "the word was said", "word", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        return Intervention(self.kind, state.end, "", verdict.reason, self.name)


async def run(kind: Literal["stop", "abstain"]) -> tuple[dict[str, Any], ScriptedModel]:
    async def monitors(task: Task) -> Sequence[Monitor]:
        return [AtWord(kind)]

    graph = StateGraph(RunState, Settings, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", prepare)
    graph.add_node("solve", solver(monitors))
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", declined, ["solve", "finish"])
    stream_ends(graph, lambda state: "finish", ["finish"])
    graph.add_edge("finish", END)
    model = ScriptedModel(TEXT)
    out = await graph.compile().ainvoke(
        {"problem": PUZZLE}, {"configurable": {MODEL_KEY: model}}, context=Settings()
    )
    return out["result"], model


@pytest.mark.parametrize("kind", ["stop", "abstain"])
async def test_it_ends_the_stream_there(kind: Literal["stop", "abstain"]) -> None:
    result, model = await run(kind)
    assert len(model.requests) == 1
    if kind == "stop":
        assert (result["status"], result["answer"]) == ("verified", "(7 - 8 / 8) * 4")
    else:
        assert (result["status"], result["answer"]) == ("abstained", None)
        assert result["reason"] == "the word was said"
