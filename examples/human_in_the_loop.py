"""A person in the loop: every correction is shown first, to be accepted or said better.

A run that waits for a person stands in its thread, on disk: the reply may come from another process
or on another day. The model here plays a script.

python examples/human_in_the_loop.py
"""

import tempfile
from pathlib import Path

import agentflow
from agentflow.models import ScriptedModel

model = ScriptedModel(
    {
        r"<think>\n": " 1 6 8 12 : 12 - 8 = 5 -> 1 5 6\nand so on",
        r"Wait, .*\n": " 1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n 1 4 6 : 6 * 4 = 24 -> 1 24\n"
        " 1 24 : 24 * 1 = 24 -> 24\n</think>\n\\boxed{(12 - 8) * 6 * 1}",
    }
)


def ask(question: dict) -> bool | str:
    """What the person says: true, or the text to give the model instead."""
    print("The verifier wants to say:", question["text"].strip())
    return input("Enter to accept, or a better text: ") or True


def solve(problem: str, **kept) -> agentflow.Result:
    try:
        return agentflow.solve(problem, "interwhen", thread="mine", review=True, **kept)
    except agentflow.Paused as pause:
        question = pause.question
    while True:
        try:
            return agentflow.resume("mine", reply=ask(question), **kept)
        except agentflow.Paused as pause:
            question = pause.question


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        result = solve("1 6 8 12", checkpoints=Path(folder) / "threads.sqlite", model=model)
    print(result.trace.body)
    print(result.status, result.answer)
