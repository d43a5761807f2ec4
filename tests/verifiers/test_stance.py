"""Whether the words of a judge go with its decision."""

from __future__ import annotations

import pytest

from agentflow.models.structured import Reply, parse
from agentflow.nodes.critic import Criticism
from agentflow.nodes.deductive import Following
from agentflow.nodes.vanilla import Opinion
from agentflow.verifiers.stance import stance


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("The solution is wrong.", False),
        ("Step 2 is wrong, so the solution is incorrect.", False),
        ("The answer is not correct, as 48 + 24 is 72.", False),
        ("This does not follow from the premises.", False),
        ("Overall, the final answer is clearly right", True),
        ("Step 2 is wrong. No: 48 + 24 is 72, so it is right.", True),
        ("Is step 2 off? Step 2 is wrong? 48 + 24 is 72.", None),
        ("Step 2 looks wrong at first.", None),
        ("There is no wrong step.", None),
        ("If the answer is wrong, so is the premise.", None),
        ("The answer is not 73 but 72.", None),
        ("", None),
    ],
)
def test_what_a_reason_says(reason: str, said: bool | None) -> None:
    assert stance(reason) is said


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Opinion, '"correct": true'),
        (Following, '"follows": true'),
        (Criticism, '"score": 0.9'),
    ],
)
def test_a_reason_that_contradicts_its_decision_is_malformed(kind: type[Reply], said: str) -> None:
    assert parse(kind, f'{{"reason": "Step 2 is right.", {said}}}')
    with pytest.raises(ValueError, match="contradict each other"):
        parse(kind, f'{{"reason": "Step 2 is wrong.", {said}}}')
