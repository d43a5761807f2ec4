"""What words around the object of a reply let it stand."""

from __future__ import annotations

from contextlib import suppress

import pytest
from counting import is_linear

from agentflow.models.structured import Flag, Reply, parse


class Opinion(Reply):
    reason: str
    correct: Flag


RIGHT = '{"reason": "Each sum was done again.", "correct": true}'
WRONG = '{"reason": "48 + 24 is not 73.", "correct": false}'

STANDS = [
    f"Here is my verdict:\n\n{RIGHT}",
    f"Here's the answer in the requested JSON format:\n\n```json\n{RIGHT}\n```",
    f"**Verdict:**\n{RIGHT}",
    f"### Verdict\n\n{RIGHT}",
    f"Step 1: 48 / 2 = 24.\nStep 2: 48 + 24 = 72.\n\nTherefore:\n{RIGHT}",
    f"I thought that step 2 was wrong, but 48 + 24 is 72.\n\nFinal verdict:\n\n{RIGHT}",
    f"No step is wrong.\n{RIGHT}",
    f"Since no step is wrong, the verdict is:\n\n{RIGHT}",
    f"So my reply is {RIGHT}.",
    f"<final_answer>{RIGHT}</final_answer>",
    f"- {RIGHT}",
    f"Hier ist mein Urteil:\n{RIGHT}",
    f"{RIGHT}\n\nLet me know if you'd like more details!",
    f"{RIGHT}<|im_end|>",
    f"{RIGHT}\n\nThe verdict is true.",
    f"{RIGHT}\n{RIGHT[:30]}",
    f"{RIGHT}\n\nFinal answer:\n\n{RIGHT}",
    f"{WRONG}\n\nLet me re-check that: 48 + 24 is 73 after all.\n\n{RIGHT}",
    f"<think>{WRONG}</think>\n{RIGHT}",
    f"The following holds: 48 + 24 = 72.\n\n{RIGHT}",
    f"Is a step wrong? No.\n{RIGHT}",
    f"My verdict is this.\n{RIGHT}",
]

DOES_NOT = [
    # in front
    f"If step 2 were right, I would write:\n{RIGHT}",
    f"Suppose that the solution is right. Then:\n{RIGHT}",
    f"Had they added right, the verdict had been:\n{RIGHT}",
    f"What would be wrong is this.\n{RIGHT}",
    f"I would not write this.\n{RIGHT}",
    f"Could it be this?\n{RIGHT}",
    f"Perhaps:\n{RIGHT}",
    f"A naive judge replies:\n{RIGHT}",
    f"The solution asks for this reply:\n{RIGHT}",
    f"The opposite of my verdict:\n{RIGHT}",
    f"Output format: {RIGHT}",
    f"### Sample\n\n```json\n{RIGHT}\n```",
    f"[Solution]\n{RIGHT}",
    f"[Solution]\nIt is 72. {RIGHT}",
    f"Verdict on the spelling:\n{RIGHT}",
    f"Judge 2:\n{RIGHT}",
    f"> {RIGHT}",
    f'"{RIGHT}"',
    f"// {RIGHT}",
    f"~~{RIGHT}~~",
    f"<!-- {RIGHT} -->",
    f"<del>{RIGHT}</del>",
    f"Je ne peux pas dire : {RIGHT}",
    # finished, but pointing ahead
    f"Below is a bad example.\n{RIGHT}",
    f"The following reply would be wrong.\n\n{RIGHT}",
    f"I looked at it. A careless judge would write the next line.\n{RIGHT}",
    f"The text asks me to write the object below. {RIGHT}",
    f"This is only the format.\n{RIGHT}",
    f"e.g. {RIGHT}",
    # or that there is nothing
    f"I cannot tell.\n{RIGHT}",
    f"No answer is known. {RIGHT}",
    # behind
    f"{RIGHT}\n\nStep 2 says 73, though.",
    f"{RIGHT}\n\nStrike that.",
    f"{RIGHT}\n\nP.S. Step 2 is off by one.",
    f"{RIGHT}\n\nSchritt 2 ist falsch.",
    f"{RIGHT}\n\n等等，第二步错了。",
    f"{RIGHT} provided that step 2 holds.",
    f"{RIGHT}?",
    f"{RIGHT} ❌",
    f"{RIGHT}\n\nNow let me",
    f"{RIGHT}\n\nis the template",
    f"{RIGHT}\n\nThe verdict is false.",
    # others beside it
    f"Solution 1: {WRONG}\nSolution 2: {RIGHT}",
    f"{WRONG}\n\nor\n\n{RIGHT}",
    f"- {WRONG}\n- {RIGHT}",
    f"```json\n{WRONG}\n```\n```json\n{RIGHT}\n```",
]

BOOKING = '{"booked_table": "2"}'
FIELDS = [
    "Here is the updated booked table:",
    "Here is the updated booked table in JSON format:",
    "Based on the provided email, here is the extracted data:",
    "Here is my assessment based on the given context and question:",
    "Given the message, I will update the booked table as follows:",
    "They want 3 seats.\n\nHere is the updated JSON object:",
]
OTHER_FIELDS = [
    "Here is the original booked table:",
    "Here is the previous data:",
    "Here is the given booked table:",
    "Here is a booked table:",
    "Here is the updated table:",
    "Here is the provided data:",
    "Here is the updated booked table of somebody else:",
    "Based on a guess, here is the updated booked table:",
    "Given another message, here is the updated booked table:",
    "Based on the message, if it is right, here is the updated booked table:",
    "Here is the updated booked table without the message:",
    "Here is what the updated booked table is not:",
    "The updated booked table would be:",
    "Here is the data from the given message:",
    "Not the updated booked table:",
    "Example of the updated booked table:",
    "Here is the schema of the booked table:",
    "Here is the old booked table:",
    "Given the message and my doubts, here is the booked table:",
    "Ignore the updated booked table:",
]


class Booking(Reply):
    booked_table: str


@pytest.mark.parametrize("lead", FIELDS)
@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```"])
def test_a_lead_may_name_a_field_and_what_an_object_was_made_from(lead: str, fence: str) -> None:
    assert parse(Booking, f"{lead}\n\n{fence.format(BOOKING)}").booked_table == "2"


@pytest.mark.parametrize("lead", OTHER_FIELDS)
def test_a_lead_to_another_object_does_not(lead: str) -> None:
    with pytest.raises(ValueError, match=r"JSON object"):
        parse(Booking, f"{lead}\n\n{BOOKING}")


@pytest.mark.parametrize("reply", STANDS)
def test_words_that_say_nothing_let_an_object_stand(reply: str) -> None:
    assert parse(Opinion, reply).correct


@pytest.mark.parametrize("reply", DOES_NOT)
def test_words_that_say_something_do_not(reply: str) -> None:
    with pytest.raises(ValueError, match=r"JSON object"):
        parse(Opinion, reply)


def test_objects_that_differ_only_in_their_reasons_say_the_same() -> None:
    other = RIGHT.replace("Each sum", "Every sum")
    assert parse(Opinion, f"{RIGHT}\n{other}").correct


@pytest.mark.parametrize(
    "unit", ["`", "*", "# ", " ", "\n", "<a", ", since", "based on the ", "[A", "in the json "]
)
def test_long_texts_around_an_object_take_no_longer_than_they_are(unit: str) -> None:
    def read(size: int) -> None:
        more = unit * size
        for reply in (
            f"{more}{RIGHT}",
            f"{RIGHT}{more}",
            f"{more}\n{RIGHT}",
            f"{RIGHT}{more}{RIGHT}",
        ):
            with suppress(ValueError):
                parse(Opinion, reply)

    is_linear(read, size=250)
