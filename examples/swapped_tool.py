"""A tool of your own in the place of ours: VerifiAgent asks a handbook instead of the web.

Any LangChain tool will do; ``search`` is the role that it takes. The model here plays a script.

python examples/swapped_tool.py
"""

import asyncio

from langchain_core.tools import tool

import agentflow
from agentflow.models import ScriptedModel

HANDBOOK = {"holidays": "Everybody has 30 days of holidays a year.", "lunch": "Lunch is at noon."}


@tool
def handbook(query: str) -> str:
    """Look a question up in the company's handbook."""
    found = [text for word, text in HANDBOOK.items() if word in query.lower()]
    return " ".join(found) or "nothing found"


verifier = ScriptedModel(
    {
        r"30 days of holidays(?s:.*)": """Thought: The handbook says 30, not 25.
Action: Evaluate[Incorrect]
Summarisation:
Evaluation Result: Incorrect
Error Reason: Step 1 is wrong: it is 30 days.
Revision Method: look it up""",
        r"(?s:.*)": """Thought: I look it up.
Action: Use Search Engine[How many holidays are there?]""",
    }
)

if __name__ == "__main__":
    verdict, cost = asyncio.run(
        agentflow.ajudge(
            "How many days of holidays do we have?",
            "There are 25 days.\nAnswer: 25",
            "verifiagent",
            domain="commonsense",
            meta=False,
            tools={"search": handbook},
            model=verifier,
        )
    )
    print(verdict.ok, verdict.reason)
    print(*(entry["role"] for entry in cost.values()))
