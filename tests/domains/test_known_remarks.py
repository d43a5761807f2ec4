"""What may stand anywhere in a reply, and says nothing against its answer."""

from __future__ import annotations

import pytest

from agentflow.domains import answers
from agentflow.domains.answers.known_remarks import closes, leaves


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        ("Hope this helps!", True),
        ("I hope this helps you plan your trip!", True),
        ("**Let me know if you have any further questions.**", True),
        ("Let me know if you need anything else!", True),
        ("Is there anything else I can help you with?", True),
        ("Happy coding!", True),
        ("Hope this is right.", False),
        ("Hope this helps, but it is wrong.", False),
        ("Let me know if you need a correct answer.", False),
        ("Let me know whether this is right.", False),
        ("Done?", False),
        ("", False),
    ],
)
def test_what_ends_a_text(sentence: str, ends: bool) -> None:
    assert closes(sentence) is ends


@pytest.mark.parametrize(
    "said",
    [
        "Would you like me to solve a similar problem?",
        "Would you like me to explain the reasoning?",
        "Want to try another one?",
        "Does that make sense?",
        "If you'd like, I can also explain the steps.",
        "Let me know if you want to see the steps.",
        "I hope this explanation was helpful!",
        "Keep practicing! 💪",
        "**Confidence:** 100%",
        "You're welcome!",
    ],
)
def test_offers_leave_the_answer(said: str) -> None:
    assert answers.stated(f"So the answer is $\\boxed{{72}}$.\n\n{said}") == "72"


@pytest.mark.parametrize(
    "said",
    [
        "Would you like me to solve it correctly this time?",
        "Want to try another answer?",
        "If you'd like, I can check whether this is right.",
        "If you want, I can give the real answer.",
        "Let me know if you want me to redo it.",
        "Would you like the correct solution?",
    ],
)
def test_offers_of_another_answer_do_not(said: str) -> None:
    assert answers.stated(f"So the answer is $\\boxed{{72}}$.\n\n{said}") is None


def test_a_percentage_may_be_the_number() -> None:
    assert answers.stated("\\boxed{40}\n\nThe probability is 40%.") == "40"
    assert answers.stated("\\boxed{3/5}\n\nThe chance is 40%.") is None


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("It must be 72.", True),
        ("It must be 72.5.", False),
        ("It must be 70.", False),
        ("70 is not the answer.", True),
        ("72 is not the answer.", False),
        ("Both methods give 72.", True),
        ("The answer has been checked twice.", True),
        ("The answer has not been checked.", False),
        ("I hardly checked the answer.", False),
        ("Both experts have reviewed the solution.", True),
        ("Neither expert has reviewed the solution.", False),
        ("So that's correct.", True),
        ("So that's incorrect.", False),
        ("EDIT: formatting.", True),
        ("EDIT: 70.", False),
    ],
)
def test_what_leaves_an_answer(sentence: str, left: bool) -> None:
    assert leaves(sentence, "72") is left
