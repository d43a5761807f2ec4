"""A method of your own from our nodes: stream, verify, begin again until an answer passes.

python examples/own_graph.py "4 7 8 8"
"""

import sys

import agentflow
from agentflow.graphs import METHODS
from agentflow.nodes import View, restart, route, single, solver, verify
from agentflow.settings import Settings


def after_verify(run: View[Settings]) -> str:
    passed = run.final is not None and run.final.ok
    return "finish" if passed or run.attempt.number == 4 else "restart"


build = single(Settings)  # prepare -> solve ... finish
build.add_node("solve", solver())
build.add_node("verify", verify)
build.add_node("restart", restart)
build.add_edge("solve", "verify")
build.add_conditional_edges("verify", route(Settings, after_verify), ["restart", "finish"])
build.add_edge("restart", "solve")
graph = build.compile(name="try_again")

METHODS["try_again"] = __name__  # by this name agentflow.solve finds it
if __name__ == "__main__":
    result = agentflow.solve(" ".join(sys.argv[1:]) or "4 7 8 8", "try_again")
    print(result.status, result.answer, result.cost.generated, "tokens")
