"""A method of your own from our nodes: stream, verify, begin again until an answer passes.

python examples/own_graph.py "4 7 8 8"
"""

import sys

from langgraph.graph import END, START, StateGraph

import agentflow
from agentflow.graphs import METHODS
from agentflow.nodes import attempt_of, declined, finish, prepare, restart, solver, verify
from agentflow.run import Input, Output, RunState
from agentflow.settings import Settings


def after_verify(state: RunState) -> str:
    return "finish" if state["final"]["ok"] or attempt_of(state)["number"] == 4 else "restart"


build = StateGraph(RunState, Settings, input_schema=Input, output_schema=Output)
build.add_node("prepare", prepare)
build.add_node("solve", solver())
build.add_node("verify", verify)
build.add_node("restart", restart)
build.add_node("finish", finish)
build.add_edge(START, "prepare")
build.add_conditional_edges("prepare", declined, ["solve", "finish"])
build.add_edge("solve", "verify")
build.add_conditional_edges("verify", after_verify, ["restart", "finish"])
build.add_edge("restart", "solve")
build.add_edge("finish", END)
graph = build.compile(name="try_again")

METHODS["try_again"] = __name__  # by this name agentflow.solve finds it
if __name__ == "__main__":
    result = agentflow.solve(" ".join(sys.argv[1:]) or "4 7 8 8", "try_again")
    print(result.status, result.answer, result.cost.generated, "tokens")
