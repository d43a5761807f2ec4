"""What a reply says beside its answer to a question about the world has to go with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentflow.domains import get
from agentflow.domains.commonsense import declared

COMMON = get("commonsense")
MET = "Could Haydn have met Brahms in person?"
FIT = "Can a grand piano fit in a phone booth?"
SAME = "Are both Anna Lund and Piet Maas of the same nationality?"
OLDER = "Which bridge was opened first, Otter Bridge or Tern Bridge?"
WROTE = "Who wrote the novel The Grey Harbour?"


async def equal(question: str, text: str, gold: str) -> bool | None:
    problem = replace(COMMON.parse(question), gold=gold)
    said = COMMON.answer(text)
    return None if said is None else await COMMON.equal(problem, said, gold)


@pytest.mark.parametrize(
    ("question", "gold", "text"),
    [
        (MET, "no", "No. Haydn died on May 31, 1809, and Brahms was born in 1833. 🎹"),
        (MET, "no", f"Q: {MET}\nA: No."),
        (MET, "no", "Haydn died in 1809 and Brahms was born in 1833, so they never met.\n\n**No**"),
        (FIT, "no", "No. A piano is about 5 feet wide, but a phone booth is only 3 feet wide."),
        (FIT, "no", "No; a phone booth, which is three feet wide, is far too small for one."),
        (SAME, "yes", "Yes. Anna Lund is Danish, and Piet Maas is Danish as well."),
        (
            OLDER,
            "Otter Bridge",
            "Otter Bridge. It opened in 1831, while Tern Bridge opened in 1904.",
        ),
        (OLDER, "Otter Bridge", "Otter Bridge was opened first, in 1831."),
        (WROTE, "Ida Holm", "Ida Holm. She began the book in 1931 and won a prize with it."),
        (WROTE, "Ida Holm", "It was **Ida Holm**, whose first novel it is."),
    ],
)
async def test_a_right_reply_is_read(question: str, gold: str, text: str) -> None:
    assert await equal(question, text, gold) is True


@pytest.mark.parametrize(
    ("question", "gold", "text"),
    [
        (MET, "no", "No. Haydn died in 1839, six years after Brahms was born in 1833: they met."),
        (MET, "no", "No. Haydn died in 1809, four years before Brahms was born in 1833."),
        (MET, "no", "Haydn died in 1849, so he could have met Brahms.\n\nAnswer: No"),
        (MET, "yes", "Haydn was long dead by then, so they couldn't have met.\n\nAnswer: Yes"),
        (MET, "no", "Q: Could Haydn have met Mozart?\nA: No."),
        (FIT, "no", "No. Since 5 is less than 3, the piano is too wide."),
        (FIT, "no", "No. A grand piano is 2 feet wide, so it fits easily."),
        (SAME, "no", "No. Anna Lund is Danish and Piet Maas is Danish as well."),
        (SAME, "yes", "Yes. Anna Lund is Danish, while Piet Maas is Dutch."),
        (OLDER, "Otter Bridge", "Otter Bridge. It opened in 1904, and Tern Bridge opened in 1831."),
        (OLDER, "Otter Bridge", "Otter Bridge. Tern Bridge was opened first, in 1831."),
        (WROTE, "Ida Holm", "Ida Holm. The novel was written by Karl Brandt."),
        (WROTE, "Ida Holm", "Ida Holm. Its author is Karl Brandt."),
        (WROTE, "Ida Holm", "Ida Holm, I believe, or perhaps Karl Brandt."),
        (WROTE, "Ida Holm", "Ida Holm is a good guess. The book is Karl Brandt's."),
    ],
)
async def test_a_reply_at_odds_with_itself_is_not_read(question: str, gold: str, text: str) -> None:
    assert await equal(question, text, gold) is not True


SURVIVES = "Would a goldfish survive in the sea?"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("no", 'It would survive, so the answer is "no".'),
        ("no", "It would survive. Answer: no"),
        ("no", "It would easily survive, therefore the answer is no."),
        ("yes", "It would not survive, so the answer is yes."),
        ("yes", "It wouldn't survive, hence the final answer is yes."),
    ],
)
async def test_a_reason_in_the_sentence_of_the_answer_that_says_the_opposite(
    said: str, text: str
) -> None:
    assert await equal(SURVIVES, text, said) is not True


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("yes", 'It would survive, so the answer is "yes".'),
        ("no", "It would not survive, so the answer is no."),
        ("no", "It would soon die, so the answer is no."),
        ("no", "It would survive for minutes, so the answer is no."),
        ("yes", "It would survive. Answer: yes"),
    ],
)
async def test_a_reason_in_the_sentence_of_the_answer_that_goes_with_it(
    said: str, text: str
) -> None:
    assert await equal(SURVIVES, text, said) is True


@pytest.mark.parametrize(
    ("question", "said", "answer"),
    [
        ("Ann is Bea's sister. How is Ann related to Cid?", "Ann is Cid's aunt.", "aunt"),
        ("Ann is Bea's sister. How is Ann related to Cid?", "Ann is the aunt of Cid.", "aunt"),
        (
            "[Ann] is sister of [Bea].\nQuestion: How is [Ann] related to [Cid]?",
            "[Ann] is [Cid]'s mother-in-law.",
            "mother-in-law",
        ),
        ("Ann is Bea's sister. How is Ann related to Cid?", "Cid is Ann's nephew.", None),
        (
            "It is May 6, 2002. What is the date 10 days ago in MM/DD/YYYY?",
            "The date 10 days ago is 04/26/2002.",
            "04/26/2002",
        ),
        (
            "It is May 6, 2002. What is the date 10 days ago in MM/DD/YYYY?",
            "The date 11 days ago is 04/25/2002.",
            None,
        ),
    ],
)
def test_what_the_last_sentence_of_a_question_asks(
    question: str, said: str, answer: str | None
) -> None:
    assert declared.answered(question, said) == answer


@pytest.mark.parametrize(
    ("above", "same"),
    [
        ("The capital of Peru is Lima.", True),
        ("The capital of Chile is Santiago.", True),
        ("The capital of Peru is not Cusco.", True),
        ("The capital of Peru is Cusco.", None),
        ("Cusco is the capital of Peru.", None),
        ("The capital of Peru is not Lima.", None),
    ],
)
async def test_what_the_line_above_says_is_the_answer(above: str, same: bool | None) -> None:
    domain = get("commonsense")
    problem = domain.parse("What is the capital of Peru?")
    answer = domain.answer(f"{above}\n\nAnswer: Lima") or ""
    assert await domain.equal(problem, answer, "Lima") is same


CAPITAL = "What is the capital of Peru?"
PAINTED = "Who painted the Girl with a Pearl Earring?"


@pytest.mark.parametrize(
    ("question", "gold", "text", "same"),
    [
        (CAPITAL, "Lima", "Lima is the capital and largest city of Peru.", True),
        (CAPITAL, "Lima", "Lima is the capital of Peru, located on the coast.", True),
        (CAPITAL, "Lima", "Lima is the capital of Peru's neighbour.", None),
        (CAPITAL, "Lima", "Lima is the culinary capital of Peru.", None),
        (CAPITAL, "Lima", "Lima is nearly the capital of Peru.", None),
        (CAPITAL, "Lima", "Lima is one capital of Peru.", None),
        (CAPITAL, "Lima", "Lima is the capital of Peru, says Tom.", None),
        (CAPITAL, "Lima", "Lima is the capital of Peru at 50% odds.", None),
        (CAPITAL, "Lima", "Lima. It overlooks the Pacific Ocean.", True),
        (CAPITAL, "Lima", "Lima. It was founded in 1535 by Francisco Pizarro.", True),
        (CAPITAL, "Lima", "Lima. It became a suburb of the capital.", None),
        (CAPITAL, "Lima", "Lima. It was the capital.", None),
        (CAPITAL, "Lima", "Lima. It lies next to Cusco, the capital.", None),
        (CAPITAL, "Lima", "Lima. It gave way to Cusco.", None),
        (CAPITAL, "Lima", "Lima. It moved its government to Cusco.", None),
        (CAPITAL, "Lima", "Lima. It joined Callao, and Cusco runs Peru.", None),
        (CAPITAL, "Lima", "Lima. It needs a check.", None),
        (PAINTED, "Johannes Vermeer", "Johannes Vermeer. He was a Dutch Baroque painter.", True),
        (PAINTED, "Johannes Vermeer", "Johannes Vermeer. He made about 35 paintings.", True),
        (PAINTED, "Johannes Vermeer", "Johannes Vermeer. He taught the painter.", None),
        (PAINTED, "Johannes Vermeer", "Johannes Vermeer. He painted a copy of it.", None),
    ],
)
async def test_what_is_told_of_a_name_is_no_other_standing(
    question: str, gold: str, text: str, same: bool | None
) -> None:
    assert await equal(question, text, gold) is same


@pytest.mark.parametrize(
    ("behind", "same"),
    [
        ("It is located on the Pacific coast.", True),
        ("It is known for its food.", True),
        ("It is the former capital.", None),
        ("It was replaced by Cusco.", None),
        ("Cusco holds that title.", None),
        ("The government sits in Cusco.", None),
    ],
)
async def test_what_stands_below_an_answer_line_is_held_against_it(
    behind: str, same: bool | None
) -> None:
    assert await equal(CAPITAL, f"Answer: Lima\n\n{behind}", "Lima") is same


@pytest.mark.parametrize(
    "condition",
    [
        "provided that the map is right",
        "so long as it stands",
        "subject to a second look",
        "granted that nobody moved it",
        "but only if it has not rained",
        "assuming that the question was misprinted",
    ],
)
async def test_a_yes_on_a_condition_is_none(condition: str) -> None:
    assert await equal(FIT, f"Answer: Yes, {condition}.", "yes") is None


async def test_a_reason_is_no_condition() -> None:
    assert await equal(FIT, "Answer: No, given that a piano is five feet wide.", "no") is True


@pytest.mark.parametrize("taken_back", ["Turns out I was off.", "It turns out this was wrong."])
async def test_what_turns_out_takes_an_answer_back(taken_back: str) -> None:
    assert await equal(FIT, f"Answer: No\n\n{taken_back}", "no") is None
