"""A policy's rules that a model writes: read, certified by right and wrong calls, then installed.

The "model" here has written its rules beforehand, once good ones and once lazy ones. What is not
certified is never allowed.

python examples/gate_written.py
"""

import asyncio

from pydantic import BaseModel

from agentflow.gate import Action, Call, certify, install, judge, read_policy, write_policy
from agentflow.models import ScriptedModel


class Refund(BaseModel):
    """A refund's arguments."""

    order: str


RULE = """
[[rule]]
name = "own"
says = "only the customer's own orders"
tools = ["refund"]
code = '''
def check(state, tool, args):
    return {}
'''
"""
TOOLS = {"refund": Refund}
STATE = {"user": "ann", "orders": {"A1": "ann", "B1": "bob"}}
RIGHT = Action(STATE, Call("refund", {"order": "A1"}))
WRONG = Action(STATE, Call("refund", {"order": "B1"}))


async def main():
    for name, body in (("good", 'state["orders"][args["order"]] == state["user"]'),
                       ("lazy", "True")):  # fmt: skip
        model = ScriptedModel(f"```toml{RULE.format(body)}```")
        text = await write_policy(model, "Refund a customer's own orders only.", TOOLS)
        policy = read_policy(text, TOOLS)
        found = certify(policy, [RIGHT], broken=[("own orders", WRONG)])
        gate = install(policy, found, otherwise="ask")
        said = [judge(gate, one.state, one.call).outcome for one in (RIGHT, WRONG)]
        print(f"{name}: {found.caught:.0%} of the wrong calls caught; right, wrong: {said}")


if __name__ == "__main__":
    asyncio.run(main())
