"""A stop rule of your own: end the thinking once the model was sure several times in a row.

The graph is early_exit's, with this rule in the place of those that its settings choose:
python examples/stop_rule.py "4 7 8 8"
"""

import sys
from dataclasses import dataclass
from typing import ClassVar

from langgraph.graph import END, START, StateGraph

import agentflow
from agentflow.graphs import METHODS
from agentflow.graphs.early_exit import EarlyExitSettings, check_probes, prober
from agentflow.monitors import EarlyExit
from agentflow.monitors.schedule import Schedule
from agentflow.nodes import declined, finish, prepare, refine, solver
from agentflow.run import Input, Output, RunState


@dataclass(frozen=True)
class Sure:
    """Stop once the entropy was below ``level`` nats so often in a row: a fold over its values."""

    level: float = 0.1
    times: int = 2
    name: str = "sure"
    signal: ClassVar[str] = "entropy"

    def step(self, memory: dict, value: float) -> tuple[dict, bool]:
        row = memory.get("row", 0) + 1 if value < self.level else 0
        return {"row": row}, row >= self.times


async def monitors(task) -> list:
    await check_probes(task, [Sure()])
    where = Schedule("candidate")  # behind every line that states an answer
    return [EarlyExit(task.problem, task.domain, prober(task), [Sure()], where)]


build = StateGraph(RunState, EarlyExitSettings, input_schema=Input, output_schema=Output)
build.add_node("solve", solver(monitors, EarlyExitSettings))
for node in (prepare, refine, finish):
    build.add_node(node)
build.add_edge(START, "prepare")
build.add_conditional_edges("prepare", declined, ["solve", "finish"])
build.add_conditional_edges(
    "solve", lambda state: "refine" if state["stream_end"]["ended"] == "intervened" else "finish"
)
build.add_edge("refine", "solve")
build.add_edge("finish", END)
graph = build.compile(name="sure")

METHODS["sure"] = __name__  # by this name agentflow.solve finds it
if __name__ == "__main__":
    result = agentflow.solve(" ".join(sys.argv[1:]) or "4 7 8 8", "sure")
    print(result.status, result.answer, result.cost.generated, "tokens")
    print(*(event["reason"] for event in result.events if event["type"] == "intervention"))
