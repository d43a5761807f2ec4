"""Short asides that leave an answer open, each with one in the same words that does not."""

from __future__ import annotations

import pytest
from replies import is_right

REPLIES = {
    "sum": "In April she sold 48 clips, in May 24.\n\n48 + 24 = 72.{}\n\n\\boxed{{72}}{}",
    "lt": "Alex is kind. Whoever is kind is happy.{}\n\nAnswer: True{}",
    "mp": "The Cafe is to the Northeast of The Bank.{}\n\nThe answer is Northeast.{}",
    "g": "8 / 8 = 1, 7 - 1 = 6, 6 * 4 = 24.{}\n\n\\boxed{{(7 - 8/8) * 4}}{}",
    "cs": "The Otter Bridge is old.{}\n\nThe answer is 1831.{}",
}
"""Name -> a right reply with room for an aside above its answer, and for one behind it."""
ABOVE = [
    ("Check: PASSED", "Check: FAILED"),
    ("**Verification:** ✓", "**Verification:** ✗"),
    ("Sanity check: everything fits", "Sanity check: no luck"),
    ("Confidence: high", "Confidence: low"),
    ("Confidence: 100%", "Confidence: 15%"),
    ("Is this right? Yes.", "Is this right? No."),
    ("Let's solve the problem.", "None of the above."),
    ("Let's solve the problem.", "Let me solve a different problem instead:"),
    ("Let's check the steps.", "Skipping the steps."),
    ("Let's check the steps.", "System: ignore the premises."),
    ("Let's check the steps.", "The program crashes."),
    ("<confidence>high</confidence>", "<confidence>low</confidence>"),
    ("Let's solve the problem.", "Everything here is made up."),
    ("Let's solve the problem.", "No estoy seguro."),
    ("Let's solve the problem.", "我不确定。"),
]
BEHIND = [
    ("Check: PASSED", "Check: FAILED"),
    ("Confidence: high", "Confidence: low"),
    ("Is this right? Yes.", "Is this right? No."),
    ("✅", "❌"),
    ("🎉", "🤷"),
    ("This is correct.", "Not really."),
    ("This is correct.", "To be continued"),
    ("This is correct.", "However,"),
    ("This is correct.", "None of the above."),
    ("This is correct.", "User: Are you sure?"),
    ("This is correct.", "It depends."),
    ("This is correct.", "(just a guess)"),
]


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize(("harmless", "leaves_open"), ABOVE)
def test_an_aside_above_an_answer(name: str, harmless: str, leaves_open: str) -> None:
    assert is_right(name, REPLIES[name].format(f"\n\n{leaves_open}", "")) is not True
    assert is_right(name, REPLIES[name].format(f"\n\n{harmless}", "")) is True


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize(("harmless", "leaves_open"), BEHIND)
def test_an_aside_behind_an_answer(name: str, harmless: str, leaves_open: str) -> None:
    assert is_right(name, REPLIES[name].format("", f"\n\n{leaves_open}")) is not True
    assert is_right(name, REPLIES[name].format("", f"\n\n{harmless}")) is True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("sum", "For now: 72"),
        ("g", "For now: (7 - 8/8) * 4"),
        ("g", "Is it \\boxed{(7 - 8/8) * 4}?"),
        ("sum of two", 'My friend said "\\boxed{4}".'),
        ("sum of two", "2 + 2 is a sum.\n\nAnswer: ~4"),
        ("sum of two", "2 + 2 is a sum.\n\nAnswer: 4 (I think)"),
        ("mpo", "The Cafe is to the Northeast of The Bank.\n\n\\boxed{\\cancel{D}}"),
        ("mpo", "The Cafe is to the Northeast of The Bank.\n\n$\\cancel{\\boxed{D}}$"),
        ("i", "44*i = 660, so i = 660/44.\n\n<del>\\boxed{15}</del>"),
        ("lo", "Whoever is kind is happy.\n\n✗ A\n\n\\boxed{A}"),
        ("cs", "1832 instead of 1831.\n\n\\boxed{1831}"),
        ("cs", "1831 → 1832\n\n\\boxed{1831}"),
        ("cs", "answer ≠ 1831\n\nThe bridge is old.\n\n\\boxed{1831}"),
        ("lo", "Not A but B.\n\nWhoever is kind is happy.\n\n\\boxed{A}"),
        ("cs", "EDIT: the answer should be 1832.\n\n\\boxed{1831}"),
        ("cs", "> The answer is 1832.\n\nThe bridge is old.\n\n\\boxed{1831}"),
        ("cs", "The bridge is old.\n\n`ANSWER = 1832`\n\n\\boxed{1831}"),
        ("cs", "The bridge is old.\n\nanswer := 1832\n\n\\boxed{1831}"),
        ("cs", "The bridge is old.\n\n- 1831\n+ 1832\n\n\\boxed{1831}"),
        ("cs", "The bridge is old.\n\n```diff\n- 1831\n+ 1832\n```\n\n\\boxed{1831}"),
        ("cs", "The bridge is old.\n\nउत्तर 1832 है।\n\n\\boxed{1831}"),
        ("cs", "The bridge is old.\n\n\\boxed{1831}\n\nउत्तर 1832 है।"),
        ("cs", "The bridge is old.\n\n\\boxed{1831}\n\n| Answer |\n|---|\n| 1832 |"),
        ("who", "Hamlet is old.\n\n\\boxed{William Shakespeare}\n\nChristopher Marlowe wrote it."),
        ("who", "Hamlet is old.\n\n## Ben Jonson\n\n\\boxed{William Shakespeare}"),
    ],
)
def test_an_answer_that_is_no_plain_one(name: str, reply: str) -> None:
    assert is_right(name, reply) is not True


@pytest.mark.parametrize(
    "answer",
    [
        "\\boxed{72}[^1]\n\n[^1]: 48 + 24 = 72.",
        "\\boxed{72} (checked)",
        "The answer is 72 (checked).",
        "\\boxed{72}\n\n(checked)",
        "\\boxed{72}\n\nEDIT: formatting.",
        "\\boxed{72}\n\nP.S. Thanks for the question!",
        "\\boxed{72}\n\n```output\n72\n```",
        "\\boxed{72}\n\n| Answer |\n|---|\n| 72 |",
        "\\boxed{72}\n\nउत्तर 72 है।",
        "उत्तर 72 है।",
        "~~70~~ 72\n\n\\boxed{72}",
        "The answer is ~~70~~ 72.",
        "\\boxed{72}\n\nThis makes sense.",
    ],
)
def test_what_says_an_answer_again_or_nothing_of_it(answer: str) -> None:
    assert is_right("sum", f"In April she sold 48 clips, in May 24.\n\n{answer}") is True
