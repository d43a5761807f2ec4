"""Whether the words of a judge go with its decision."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow.models.structured import Reply, parse
from agentflow.nodes.aspects import Approval
from agentflow.nodes.critic import Criticism
from agentflow.nodes.deductive import Following
from agentflow.nodes.fact_check import Rating
from agentflow.nodes.self_check import Support
from agentflow.nodes.tournament import Comparison
from agentflow.nodes.vanilla import Opinion
from agentflow.verifiers.stance import bearing, speaks_for, stance


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
        ("So the result is not valid", False),
        ("Step 1 is right, but step 2 is wrong.", False),
        ("Step 1 is correct. Step 2 adds 48 twice.", None),
        ("There is no wrong step.", None),
        ("There is an error in the sum.", False),
        ("The step cannot be derived.", False),
        ("There is an error in the sum? No.", None),
        ("If the answer is wrong, so is the premise.", None),
        ("The answer is not 73 but 72.", None),
        ("", None),
        ("The solution is not without errors.", False),
        ("The solution makes a mistake in step 2.", False),
        ("Step 2 has an arithmetic error.", False),
        ("Step 2 has no error.", None),
        ("The calculation 5 + 7 = 13 is incorrect.", False),
        ("The sum is off by one.", False),
        ("It fails at step 2.", False),
        ("The solution does not reach the right answer.", False),
        ("It does not make the mistake of adding twice.", None),
        ("The solution would be right if 5 + 7 were 13.", False),
        ("The right answer is 12, not 13.", False),
        ("The answer should be 12.", False),
        ("The answer should be 12, and it is.", None),
        ("Incorrect.", False),
        ("No.", False),
        ("I do not agree.", False),
        ("Die Lösung ist falsch.", False),
        ("Die Lösung ist nicht falsch.", None),
        ("La réponse est fausse.", False),
        ("5 + 7 ≠ 13", False),
        ("As x ≠ 0, it may be divided by.", None),
        ("The first attempt is wrong, but the final answer is correct.", True),
        ("The evaluation is: Incorrect", False),
        ("I can't say it's incorrect.", None),
    ],
)
def test_what_a_reason_says(reason: str, said: bool | None) -> None:
    assert stance(reason) is said


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Opinion, '"correct": true'),
        (Following, '"follows": true'),
        (Approval, '"holds": true'),
        (Criticism, '"score": 0.9'),
    ],
)
def test_a_reason_that_contradicts_its_decision_is_malformed(kind: type[Reply], said: str) -> None:
    assert parse(kind, f'{{"reason": "Step 2 is right.", {said}}}')
    with pytest.raises(ValueError, match="contradict each other"):
        parse(kind, f'{{"reason": "Step 2 is wrong.", {said}}}')


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("The first version contradicts the second.", False),
        ("The first version supports the second one's conclusion.", True),
        ("The answer does not bear the statement out.", False),
        ("What was found clearly confirms the fact.", True),
        ("The sources do not contradict it.", True),
        ("The fact that it contradicts is another one.", None),
        ("Both come to 72.", None),
        ("They differ.", False),
        ("No source supports it.", False),
        ("No page contradicts it.", None),
        ("Nothing was found.", "silent"),
        ("The pages do not speak of it.", "silent"),
        ("The first version is not conclusive.", "silent"),
        ("The second version is conclusive.", None),
        ("It is contradicted by the first page.", False),
        ("The fact is not confirmed.", False),
        ("The numbers differ.", False),
        ("The source gives another year.", False),
        ("They come to different results.", False),
        ("They come to the same number.", True),
        ("It could not be verified.", False),
        ("There is no evidence for it.", "silent"),
        ("I found nothing.", "silent"),
        ("Nothing was found of the date, but the second page supports it.", True),
    ],
)
def test_how_one_text_bears_on_another(reason: str, said: bool | str | None) -> None:
    assert bearing(reason) is said


@pytest.mark.parametrize(
    ("reason", "allowed"),
    [
        ("Solution 2 is the better one.", {2}),
        ("Solution 1 is right, and so is solution 2; the first one is the better", {1}),
        ("Solution 1 is correct, and solution 2 is correct.", {1, 2}),
        ("Both are right, but the first is clearly the sounder.", {1}),
        ("Solution 2 has a mistake, solution 1 has none.", {1}),
        ("Both are wrong, but solution 2 is closer.", {1, 2}),
        ("Solution 1 is wrong. Solution 2 is wrong. Solution 2 is less sound.", {1}),
        ("Step 3 of solution 1 is incorrect.", {1, 2}),
        ("Solution 1 is not wrong, solution 2 is wrong.", {1}),
        ("I prefer solution 2.", {2}),
        ("Therefore, the first should be kept.", {1}),
        ("The better one is solution 2.", {2}),
        ("Neither is better.", set()),
        ("I cannot tell which is better.", set()),
        ("I cannot tell at first. Solution 2 wins on the empty list.", {2}),
    ],
)
def test_which_of_two_a_reason_lets_be_chosen(reason: str, allowed: set[int]) -> None:
    assert {number for number in (1, 2) if speaks_for(reason, number)} == allowed


@pytest.mark.parametrize(
    ("reason", "allowed"),
    [
        ("Solution 2 agrees with most.", {2}),
        ("Solutions 1 and 3 come to 12, so solution 3 is chosen.", {3}),
        ("Solution 2 stands alone.", {1, 3}),
        ("Solution 1 is wrong, as all of them are.", {1, 2, 3}),
        ("Solutions 1, 2 and 3 come to 12.", {1, 2, 3}),
    ],
)
def test_which_of_several(reason: str, allowed: set[int]) -> None:
    assert {one for one in (1, 2, 3) if speaks_for(reason, one, alone=True)} == allowed


@pytest.mark.parametrize(
    ("kind", "reason", "said", "other"),
    [
        (Support, "The first version contradicts the second.", "contradicts", "supports"),
        (Rating, "What was found contradicts the fact.", "contradicted", "supported"),
        (Comparison, "Solution 2 is the better one.", "2", "1"),
    ],
)
def test_what_is_decided_goes_with_it(
    kind: type[Reply], reason: str, said: str, other: str
) -> None:
    field = next(name for name in kind.model_fields if name != "reason")
    assert parse(kind, f'{{"reason": "{reason}", "{field}": "{said}"}}')
    with pytest.raises(ValueError, match="contradict each other"):
        parse(kind, f'{{"reason": "{reason}", "{field}": "{other}"}}')


@pytest.mark.parametrize(
    "unit", ["the answer should be 1 ", "step 1 has ", "≠ 1 ", "no source of "]
)
def test_a_long_reason_is_read_in_linear_time(unit: str) -> None:
    is_linear(lambda size: (stance(unit * size), bearing(unit * size)), size=250)
