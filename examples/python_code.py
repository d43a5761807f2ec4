"""A Python function, judged as it is written: the first version is cut back, the second is checked.

The model here plays a script. With the extra `code` installed the contract is proved, too: the
result is then `verified`; without it the examples alone have passed, and it is `accepted`.

python examples/python_code.py
"""

import agentflow
from agentflow.models import ScriptedModel

STUB = '''def middle(a: int, b: int, c: int) -> int:
    """The middle one of three numbers.

    post: sorted([a, b, c])[1] == __return__

    >>> middle(3, 1, 2)
    2
    """
'''
WRONG = "```python\ndef middle(a, b, c):\n    return b\n\nprint(middle(1, 2, 3))\n"
RIGHT = "```python\ndef middle(a, b, c):\n    return max(min(a, b), min(max(a, b), c))\n```\n"
model = ScriptedModel({r"<think>\n": WRONG, r"Wait, .*\n": f"I see.\n```\n</think>\n{RIGHT}"})

result = agentflow.solve(STUB, "interwhen", model=model, domain="python", k_stable=0)
print(result.trace.text)
print(result.status, result.corrections)
