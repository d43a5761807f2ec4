"""A task of reasoning-gym as a domain: a countdown, whose steps and answer are judged.

The model here plays a script; its first step is wrong, and is cut back. Needs the extra `gym`.

python examples/gym_task.py
"""

import agentflow
from agentflow import domains
from agentflow.models import ScriptedModel

NAME = "gym:countdown?seed=1&min_numbers=3&max_numbers=3"

domain = domains.get(NAME)
problem = domain.parse("0")  # the first of its problems; its question would do as well
print(problem.text.splitlines()[0])

solution = next(domain.problems(1)).gold
model = ScriptedModel(
    {
        r"<think>\n": "First, 2 + 2 = 5.\nSo far.",
        r"Wait, .*\n": f"I see.\n</think>\n<answer>{solution}</answer>",
    }
)
result = agentflow.solve(problem.text, "interwhen", model=model, domain=NAME)
print(result.status, result.answer, result.corrections)
