"""What a reply tells above its answer, behind words that only lead to it, or beside a search."""

from __future__ import annotations

import pytest
from replies import equal, verdict

from agentflow.domains import narration

LOGIC = (
    "Anne is quiet. Bob is not kind. Everyone who is quiet is smart. All smart people are kind."
    " Conclusion: Anne is kind."
)
SHOWS = "Anne is quiet, so she is smart.\n\nShe is smart, so she is kind."


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("As we saw in step 3, Anne is smart", "Anne is smart"),
        ("You can easily see that Anne is smart", "Anne is smart"),
        ("Along the way: in the first step I found that Anne is smart", "Anne is smart"),
        ("That is clear, since Anne is smart", "Anne is smart"),
        ("We want to find out: Anne is smart", "We want to find out: Anne is smart"),
        ("If this is so, Anne is smart", "If this is so, Anne is smart"),
        ("The question says that Anne is smart", "The question says that Anne is smart"),
        ("Nobody says that Anne is smart", "Nobody says that Anne is smart"),
    ],
)
def test_a_clause_that_only_leads_to_a_claim(sentence: str, claim: str) -> None:
    assert narration.behind_leads(sentence) == claim


@pytest.mark.parametrize(
    ("lead", "end"),
    [
        ("As we saw in step 2, ", "."),
        ("You can easily see that ", "."),
        ("Along the way, we get that ", "."),
        ("This works because ", "."),
        ("(Here ", ".)"),
        ("Obviously, ", "."),
        ("Since ", ", this makes sense."),
        ("So ", ", which is what we need."),
        ("Because ", ", we are done."),
        ("", ", as expected."),
    ],
)
@pytest.mark.parametrize(
    ("claim", "ok"), [("Anne is smart", True), ("Anne is not smart", None), ("Bob is kind", None)]
)
def test_what_a_lead_leads_to_is_read(lead: str, end: str, claim: str, ok: bool | None) -> None:
    said = f"{lead}{claim}{end}"
    assert verdict("logic", LOGIC, f"{said}\n\n{SHOWS}\n\nAnswer: True") is ok
    assert verdict("logic", LOGIC, f"{SHOWS} {said}\n\nThat completes it.\n\n\\boxed{{True}}") is ok


@pytest.mark.parametrize(
    "told",
    [
        "So we get {}.",
        "In short: {}.",
        "TL;DR: {}",
        "Hence our result, {}.",
        "I'd go with {}.",
        "In conclusion, the value we were looking for turns out to be {}.",
        "And that's how you arrive at {}!",
        "Running a small program gives {}.",
        "| {} |",
    ],
)
@pytest.mark.parametrize(("said", "ok"), [("True", True), ("False", None), ("Uncertain", None)])
def test_a_truth_value_that_a_sentence_comes_to(told: str, said: str, ok: bool | None) -> None:
    one = told.format(said)
    assert verdict("logic", LOGIC, f"{one}\n\n{SHOWS}\n\nAnswer: True") is ok
    assert verdict("logic", LOGIC, f"{SHOWS}\n\n{one}\n\nThat completes it.\n\nAnswer: True") is ok


@pytest.mark.parametrize(
    "told",
    [
        "The options are True, False and Uncertain.",
        "We check if it is False.",
        "Is it True or False?",
    ],
)
def test_a_truth_value_that_is_no_answer(told: str) -> None:
    assert verdict("logic", LOGIC, f"{told}\n\n{SHOWS}\n\nAnswer: True") is True


SEARCH = """Let me try 8 * 3 first, and see what is left.

- 8 * 5 = 40 (too big)
- 5 - 5 = 0, so this does not work

Let me try 8 + 3 + 5 + 5 = 21, which is not 24.

Wait, let me try 8 * 3 = 24, and 5 / 5 = 1.

{}

So 8 * 3 * (5 / 5) = 24.

<answer>8 * 3 * 5 / 5</answer>"""


@pytest.mark.parametrize(
    ("told", "ok"),
    [
        ("Along the way, 8 times 3 is 24.", True),
        ("8 times 3 is 25.", None),
        ("Check: 8 × 3 = 24, fine.", True),
        ("Check: 8 × 3 = 25, fine.", None),
        ("\\[ 8 * 3 = 25 \\]", None),
        ("- 8 - 3 = 5", True),
        ("- 8 - 3 = 6", None),
        ("What if 8 * 3 = 25? No.", True),
        ("5 / 3 = 1.67, which does not help.", True),
        ("So we get 8 * 3 * 5 / 5.", True),
        ("So we get 8 * 3 * 5 / 6.", None),
        ("In short: (8 - 5) * (5 + 3).", True),
        ("In short: 8 * 3 + 5 + 5.", None),
        ("✅ 8 * 3 * 5 / 6", None),
        ("| 8 * 3 + 5 / 5 |", None),
        ("Let me look at 8 * 3 + 5 / 5.", True),
        ("Note: the numbers are 3, 5, 5 and 8.", True),
        ("Note: the numbers are 3, 5, 6 and 8.", None),
        ("Note: the numbers include 8.", True),
        ("Since the numbers include 11, this makes sense.", None),
        ("In total, there are four numbers.", True),
        ("In total, there are five numbers.", None),
    ],
)
def test_what_is_wrong_above_in_a_search(told: str, ok: bool | None) -> None:
    assert verdict("game24", "3 5 5 8", SEARCH.format(told)) is ok


MATH = "Tom had 20 apples. He ate 6 and gave 4 to Ann. How many apples does he have left?"
WORK = "Tom ate 6, so 20 - 6 = 14.\n\n{}\n\nHe gave 4 away, so 14 - 4 = 10.\n\nAnswer: 10"


@pytest.mark.parametrize(
    "told",
    [
        "In short: {}.",
        "TL;DR: {}",
        "Hence our result, {}.",
        "I'd go with {}.",
        "My final choice is {}.",
        "In conclusion, the value we were looking for turns out to be {}.",
        "And that's how you arrive at {}!",
        "Thus, {} is the solution to the problem.",
        "✅ {}",
        "- [x] {}",
        "| Answer |\n|---|\n| {} |",
    ],
)
def test_what_a_text_sums_itself_up_to_above_its_answer(told: str) -> None:
    work = WORK.format(told)
    assert equal("math", MATH, work.format("10"), "10") is True
    assert equal("math", MATH, work.format("11"), "10") is None
    of_hamlet = "Hamlet is a play.\n\n{}\n\nIt is a tragedy.\n\nAnswer: {}"
    for asked, right, wrong in (
        ("Is Hamlet a play?", "Yes", "No"),
        ("Who wrote Hamlet?", "William Shakespeare", "Christopher Marlowe"),
    ):
        for said, ok in ((right, True), (wrong, None)):
            text = of_hamlet.format(told.format(said), right)
            ticked = " " in said and told.startswith(("✅", "-"))  # only a value is one
            assert equal("commonsense", asked, text, right) is (True if ticked else ok)


@pytest.mark.parametrize(
    "told",
    [
        "So we get 14.",
        "In short, he has 14 at first.",
        "✅ Correct",
        "✅ 20 - 6 = 14",
        "- [x] done",
    ],
)
def test_what_sums_up_a_step_only(told: str) -> None:
    assert equal("math", MATH, WORK.format(told), "10") is True
