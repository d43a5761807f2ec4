"""Replies that work an answer out, state it, and leave it open in a sentence somewhere else."""

from __future__ import annotations

import pytest
from replies import is_right

from agentflow import domains
from agentflow.domains import answers

REPLIES = {
    "sum": (
        "Let's work it out.\n\nIn April she sold 48 clips.\n\n{}\n\nIn May she sold 24 clips.\n\n"
        "48 + 24 = 72\n\n\\boxed{{72}}",
        "72",
        "73",
    ),
    "lt": (
        "Alex is kind.\n\n{}\n\nWhoever is kind is happy.\n\nSo Alex is happy.\n\nAnswer: True",
        "True",
        "False",
    ),
    "mz": (
        "The path goes right, down, left.\n\n{}\n\nThere are 2 right turns.\n\nAnswer: 2",
        "2",
        "3",
    ),
    "mpo": (
        "We look at the map.\n\n{}\n\nThe Cafe is to the Northeast of The Bank.\n\nAnswer: D",
        "D",
        "A",
    ),
    "g": (
        "8 / 8 = 1\n\n{}\n\n7 - 1 = 6\n\n6 * 4 = 24\n\n<answer>(7 - 8/8) * 4</answer>",
        "(7 - 8/8) * 4",
        "(7 - 8) * 4",
    ),
    "cs": (
        "The Otter Bridge is old.\n\n{}\n\nThe bridge was built in 1831.\n\n\\boxed{{1831}}",
        "1831",
        "1832",
    ),
}
"""Name -> (a right reply with room for a sentence, its answer, another one)."""
OPEN = [
    "{} is the answer if all goes well.",
    "The answer is almost surely {}.",
    "The answer is anything but {}.",
    "One can hardly believe that the answer is {}.",
    "There is more than one right answer.",
    "{other} is a right answer, too.",
    "Either {} or {other} is fine.",
    "It's {}, more or less.",
    "It once was {}.",
    "❌ {}",
    "I skipped the first half of the work.",
    "I assumed a thing or two.",
    "There is not enough information to tell.",
    "No solution exists.",
    "The problem cannot be solved.",
    "The puzzle contains a contradiction.",
    "A quick search disagrees.",
    "The textbook gives another value.",
    "The last check fails.",
    "~~{}~~ {other}",
    "<!-- it is {other} -->",
]
HARMLESS = [
    "The answer is {}.",
    "To find the answer, we go on.",
    "Let's find the answer.",
    "Let us check each step.",
    "The problem asks for the answer.",
    "We can see the answer now:",
]

LEFT = [
    ("So, it should be {}.", "So, it should be about {}."),
    ("The answer stays {}.", "The answer was {}."),
    ("{} it is.", "It was {}."),
    ("It is true that the answer is {}.", "It is false that the answer is {}."),
    ("It is {}, exactly.", "It is {}, roughly."),
    ("The answer is {} and nothing else.", "The answer is {} or something else."),
    ("That's {} in total.", "That's {} at most."),
    ("That leaves us with {}.", "That rules out {}."),
    ("And that's our answer.", "And that's not our answer."),
    ("Both checks give {}.", "No check gives {}."),
    ("A small program returns {} as well.", "A small program returns {other} instead."),
    ("The textbook gives {} too.", "The textbook gives {other}."),
    ("The check gives the same answer.", "The check gives another answer."),
    ("This check confirms the answer.", "This check spoils the answer."),
    ("The check agrees with our result.", "The check disagrees with our result."),
    ("A check confirms that the answer is right.", "A check denies that the answer is right."),
    ("All checks pass.", "All checks but one pass."),
    ("The verification succeeded.", "The verification was skipped."),
    ("The check is successful.", "The check is half successful."),
    (
        "A check on every line confirms that nothing was missed.",
        "A check on every line confirms that something was missed.",
    ),
    (
        "A check on each row, column, and 3×3 sub-grid confirms that every group contains the "
        "numbers 1 through 9 without repetition.",
        "A check on each row, column, and 3×3 sub-grid confirms that every group contains the "
        "numbers 1 through 9 with one repetition.",
    ),
    ("The answer is reasonable.", "The answer is unreasonable."),
    ("The answer makes sense in the context of the problem.", "The answer makes little sense."),
    ("The final answer is stated at the end.", "The final answer is withheld at the end."),
    ("The answer is written in the box below.", "The answer is missing in the box below."),
    (
        "The answer was obtained by following the steps above.",
        "The answer was obtained by skipping the steps above.",
    ),
    ("This verifies the answer.", "This shakes the answer."),
    ("This brings us to the answer.", "This distracts us from the answer."),
    ("The answer matches what we expected.", "The answer misses what we expected."),
    ("There is only one possible answer.", "There is hardly one possible answer."),
    ("There are no other possible answers.", "There are other possible answers."),
    ("We are ready to give the final answer.", "We are unable to give the final answer."),
    ("The problem has a unique solution.", "The problem has several solutions."),
    ("The question contains no contradiction.", "The question contains a contradiction."),
    ("The problem gives all the information we need.", "The problem hides what we need."),
    ("The problem is well defined.", "The problem is badly defined."),
    ("The puzzle can be solved logically.", "The puzzle can hardly be solved logically."),
    ("All conditions are satisfied.", "One condition is ignored."),
    ("Check: every condition of the problem is met.", "Check: no condition is met."),
    ("I reviewed every step.", "I skipped every step."),
    ("I completed every part of the task.", "I completed one part of the task."),
    ("I explained each step above.", "I invented each step above."),
    ("I've checked the answer, and it works.", "I botched the answer, and it works."),
    ("I made no mistake above.", "I made some of it up."),
    ("I skipped nothing.", "I skipped something."),
    ("I assumed nothing beyond the problem statement.", "I assumed something beyond it."),
    ("I assumed nothing that the problem does not say.", "I assumed what nobody says."),
    ("I skipped none of the conditions.", "I skipped some of the conditions."),
    ("I obtained {} as the answer.", "I rejected {} as the answer."),
    ("I don't see any ambiguity in this problem, so I'll go with that answer.", "I lost my way."),
    ("I am confident that the answer is {}.", "I am afraid that the answer is {}, if any."),
    ("I conclude that the answer is {}.", "I doubted that the answer is {}."),
    ("We can be confident in this answer.", "We can be confident in another answer."),
    ("I stand by this answer.", "I stumble over this answer."),
    ("I can explain the answer in more detail.", "I can explain another answer in more detail."),
    ("I hope this answer helps.", "I hope this answer fits."),
    ("Please let me know if this answer helps.", "Please let me know if this answer is wrong."),
    ("If anything about this answer is unclear, just ask.", "If this answer is wrong, just ask."),
    ("{other} is not the answer.", "{} is not the answer."),
    ("The answer cannot be {other}.", "The answer cannot be {}."),
    ("A common mistake is to answer {other}.", "A common mistake is the answer {}."),
    ("Answer with the selected option number.", "Answer with another option number."),
    ("✅ {}", "❌ {}"),
    ("We can now present the final answer.", "We cannot yet present the final answer."),
    ("I am confident in giving the final answer.", "I am hesitant in giving the final answer."),
    ("Write the answer in DD/MM/YY.", "Write the answer in doubt."),
    ("Match the answer to the options", "Change the answer to the options"),
    (
        "Since the Expert Reader has verified the solution given by the Expert Counter, and it "
        "directly answers the question, I will now present the final answer.",
        "Since the Expert Reader has spoiled the solution given by the Expert Counter, and it "
        "directly answers the question, I will now present the final answer.",
    ),
    (
        "Since both the Expert Reader and Expert Counter have checked the answer, we can state it.",
        "Since neither the Expert Reader nor Expert Counter has checked the answer, we state it.",
    ),
    (
        "Because the calculation has been verified twice, let me report the result.",
        "Because the calculation has not been verified, the answer is a guess.",
    ),
    ("The problem is to find how many there are.", "The problem is to be doubted."),
    ("The second condition requires a whole number.", "The second condition fails."),
    ("The question is in Polish.", "The question is in disorder."),
    ("This question focuses on amounts.", "This question confuses me."),
    ("This is a problem related to amounts.", "This is a problem beyond me."),
    ("The answer {other} is wrong, for it is too far off.", "The answer {} is wrong, I fear."),
]
"""(What leaves an answer as it is, what is like it and does not)."""
UNTRUE = [
    "Our check gives {other} again.",
    "The answer is {}, or another.",
    "The answer is {}, as I fear.",
    "The answer is dubious.",
    "No checks passed.",
    "Few conditions hold in this problem.",
    "Several answers are acceptable.",
]


@pytest.mark.parametrize("name", ["sum", "mpo"])
@pytest.mark.parametrize(("harmless", "hostile"), LEFT)
def test_what_leaves_an_answer_and_what_is_like_it(harmless: str, hostile: str, name: str) -> None:
    reply, answer, other = REPLIES[name]
    assert not answers.disclaimed(reply.format(harmless.format(answer, other=other)))
    assert answers.disclaimed(reply.format(hostile.format(answer, other=other)))


@pytest.mark.parametrize("said", UNTRUE)
def test_a_check_or_an_answer_that_is_another(said: str) -> None:
    reply, answer, other = REPLIES["sum"]
    assert answers.disclaimed(reply.format(said.format(answer, other=other)))


def test_the_option_of_the_answer_with_its_text() -> None:
    reply = "5) Looking at the choices, ({}) 9 minutes is the correct answer.\n\nAnswer: (A)"
    assert not answers.disclaimed(reply.format("A"))
    assert answers.stated(reply.format("A")) == "(A)"


def test_a_value_that_may_be_the_text_of_the_chosen_option_is_not_ruled_out() -> None:
    assert answers.disclaimed("8 is not the answer.\n\nAnswer: 1")
    assert not answers.disclaimed("80 is not the answer.\n\nAnswer: 81")


@pytest.mark.parametrize(
    ("harmless", "hostile"),
    [
        (
            "I verified this by substituting back.",
            "I tried to verify this by substituting back.",
        ),
        ("This makes sense.", "This makes no sense."),
    ],
)
def test_what_leaves_an_answer_behind_it(harmless: str, hostile: str) -> None:
    assert not answers.disclaimed(f"\\boxed{{72}}\n\n{harmless}")
    assert answers.disclaimed(f"\\boxed{{72}}\n\n{hostile}")


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize("said", OPEN)
def test_an_answer_that_its_own_reply_leaves_open(said: str, name: str) -> None:
    reply, answer, other = REPLIES[name]
    assert is_right(name, reply.format(said.format(answer, other=other))) is not True


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize("said", HARMLESS)
def test_what_is_said_of_an_answer_and_leaves_it(said: str, name: str) -> None:
    reply, answer, _ = REPLIES[name]
    assert is_right(name, reply.format(said.format(answer))) is True


@pytest.mark.parametrize(
    "behind",
    ["Scratch that.", "It's 2, more or less.", "It once was 2.", "This solves half of it."],
)
def test_a_maze_whose_answer_is_left_open_behind_it(behind: str) -> None:
    reply = "The path goes right, down, left.\n\nAnswer: 2\n\n"
    assert is_right("mz", reply) is True
    assert is_right("mz", reply + behind) is not True


@pytest.mark.parametrize(
    "reply",
    [
        "Maybe the answer is 5. Wait, I skipped a step.\n\n4 + 3 = 7\n\nAnswer: 7",
        "```\n# no solution exists\n```\n\nAnswer: 7",
        "### The problem contains four numbers\n\nAnswer: 7",
        "Which is the correct answer?\n\nAnswer: 7",
        "[verifier: 6 is not the answer; count again]\nAnswer: 7",
    ],
)
def test_what_says_nothing_of_the_answer_that_is_given(reply: str) -> None:
    assert not answers.disclaimed(reply)


def test_a_program_is_read_with_what_is_said_around_it() -> None:
    of = domains.get("python")
    code = "```python\ndef double(x):\n    return 2 * x\n```"
    assert of.answer(f"To double a number, add it to itself.\n\n{code}") is not None
    assert of.answer(f"{code}\n\nScratch that.") is None
    assert of.answer(f"I skipped the case of zero.\n\n{code}") is None


@pytest.mark.parametrize("said", ["Alex is rude.", "Alex is not kind.", "Obviously, Alex is sad."])
def test_logic_reads_what_is_claimed_far_above(said: str) -> None:
    reply = "{}\n\nLet's go on.\n\nAlex is kind.\n\nSo Alex is happy.\n\nAnswer: True"
    assert is_right("lt", reply.format("Alex is kind.")) is True
    assert is_right("lt", reply.format(said)) is not True
