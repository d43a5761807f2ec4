"""Tool calls that are judged before they are made: refunds of a small shop, in a LangGraph graph.

The first call is right, the second is of another's order, of the third a person must decide. The
"model" here has written them beforehand, with a word of its own that changes nothing.

python examples/gate.py
"""

from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from agentflow.gate import Policy, Rule, gated_tools, schemas_of
from agentflow.verdict import Verdict

ORDERS = {"A1": ("ann", 20), "A2": ("ann", 900), "B1": ("bob", 30)}


@tool
def refund(order: str) -> str:
    """Give the price of an order back."""
    return f"{ORDERS[order][1]} dollars are on their way"


def own(state, call):
    return Verdict(ORDERS[call.args["order"]][0] == state["user"])


def small(state, call):
    return Verdict(True if ORDERS[call.args["order"]][1] <= 100 else None)


POLICY = Policy(
    schemas_of([refund]),
    [
        Rule("own", "only the customer's own orders", own, frozenset({"refund"})),
        Rule("small", "above 100 dollars a person decides", small, frozenset({"refund"})),
    ],
    otherwise="ask",
)

if __name__ == "__main__":
    graph = StateGraph(MessagesState)
    # Who the customer is comes from the session, never from what the model writes.
    graph.add_node("tools", gated_tools(POLICY, [refund], view=lambda state: {"user": "ann"}))
    graph.add_edge(START, "tools")
    app, thread = graph.compile(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "1"}}
    calls = [{"name": "refund", "args": {"order": one}, "id": one} for one in ("A1", "B1", "A2")]
    asked = app.invoke({"messages": [AIMessage("All approved!", tool_calls=calls)]}, thread)
    for call in asked["__interrupt__"][0].value["calls"]:
        print("asked:", call["args"], call["reason"])
    for message in app.invoke(Command(resume={"A2": True}), thread)["messages"][1:]:
        print(message.tool_call_id, message.content)
