"""What stands around an answer that says how it was found, and is no other answer."""

from __future__ import annotations

import pytest

from agentflow.domains import answers

PATH = "['right', 'down', 'down']"
READ = [
    # a label in front of the whole work
    ("Answer: Ida is 4 years old. Her aunt is six times as old, so she is \\(6 \\times 4 = 24\\)."
     " Therefore, the answer is \\(\\boxed{24}\\).", "24"),
    ("Answer: There are twelve mugs. Five are red, and four blue, which makes \\(5 + 4 = 9\\), and"
     " \\(12 - 9 = 3\\) are left. Thus, the number of white ones is \\(\\boxed{3}\\).", "3"),
    # a program that was left open
    ("```python\ndef area(rows):\n    return len(rows)\n\n<answer>7</answer>", "7"),
    # signs in quotes, and the best of what is possible
    (f"Answer: {PATH}\n\nThis path leads from the corner 'I' to the exit 'X', and it is the"
     " shortest possible route.", PATH),
    # how the result is set
    ("Thus, we arrange the result as follows, separating words with spaces, wrapped in double"
     " square brackets:\n\n[[MOON LAMP]]", "MOON LAMP"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "answer"), READ)
def test_is_read(text: str, answer: str) -> None:
    assert answers.stated(text) == answer


OPEN = [
    "Answer: Tom has 12 pens left. Check: 12 + 3 = 15, and 15 is \\boxed{15}.",
    "Answer: Tom has 12 pens left. He had 20. So the number is \\boxed{15}.",
    "Answer: 12. Then 12 + 3 = 15. Therefore, the answer is \\boxed{15}.",
    "```python\nprint('<answer>7</answer>')",
    "```python\nx = 7\n<answer>7</answer>\n```\nI do not know the answer.",
    f"Answer: {PATH}\n\nIt is a possible route from 'I' to 'X'.",
    f"Answer: {PATH}\n\nI am not sure about this path from 'I' to 'X'.",
    "A\n\nI would choose 'B'.",
]


@pytest.mark.parametrize("text", OPEN)
def test_is_left_open(text: str) -> None:
    assert answers.stated(text) is None
