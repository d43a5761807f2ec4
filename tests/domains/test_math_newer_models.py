"""What more models write around their answers in mathematics: all of it invented here."""

import pytest

from agentflow import domains
from agentflow.domains import answers
from agentflow.domains.math import naming


def math() -> domains.Domain:
    return domains.get("math")


async def told(question: str, reply: str, gold: str) -> bool | None:
    """Whether a reply is right: by its domain, else by the gold answer."""
    problem = math().parse(question)
    said = math().answer(reply)
    if said is None:
        return None
    if math().decides(problem):
        return (await math().verify_answer(problem, said)).ok
    return await math().equal(problem, said, gold)


@pytest.mark.parametrize("head", ["step-by-step", "step by step", "detailed", "complete"])
def test_a_solution_in_steps_is_no_answer_below(head: str) -> None:
    reply = f"Here is the {head} solution:\n\n1. Find the red ones.\n20 / 2 = 10\n\n#### 10"
    assert [one.text for one in answers.statements(reply)] == ["10"]


@pytest.mark.parametrize(
    "reply",
    [
        "So mom will have \\(\\boxed{22}\\) boxes of red pens.",
        "Solving this, we found that $b = \\boxed{22}$.",
        "We found that the number of boxes is $\\boxed{22}$.",
    ],
)
def test_box_stands_in_a_sentence(reply: str) -> None:
    assert (math().answer(reply) or "").partition(" (")[0] in ("22", "b = 22")
    assert not math().disclaims(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "My mom said \\(\\boxed{22}\\).",
        "The others found \\boxed{22} earlier.",
        "At first we found that it is \\boxed{22}, but that was wrong.",
    ],
)
def test_box_of_somebody_else_is_no_answer(reply: str) -> None:
    assert math().answer(reply) is None


def test_a_plain_solution_below_still_is_one() -> None:
    assert [one.text for one in answers.statements("Here is the solution:\n\n42")] == ["42"]


ASKED = [
    (
        "Some pens lie in a box. Ann puts 5 pens in. How many pens are there now in total ?",
        "Total number of pens = 12",
        "12",
    ),
    (
        "He packs 40 crates of plums per day. How many crates of plums would be packed in 3 days?",
        "The total number of crates packed in 3 days is 120",
        "120",
    ),
    (
        "How many more blue kites than green kites are in the park?",
        "There are 6 more blue kites than green kites in the park",
        "6",
    ),
    (
        "How many more jars of red paint than white paint did Omar buy?",
        "Omar bought 15 more jars of red paint than white paint",
        "15",
    ),
    (
        "Lou had 10 coins. If he finds 26 more coins in the next room, "
        "how many coins would he have?",
        "Lou would have 36 coins after the next room",
        "36",
    ),
    (
        "There were 54 girls. If they form teams with 6 girls in each team, how many teams would "
        "there be?",
        "There will be 9 teams with 6 girls in each team",
        "9",
    ),
    (
        "Ada and her aunt bought caps for 8 dollars each. How much did they spend if Ada bought 3 "
        "caps and her aunt bought 5 caps?",
        "So Ada and her aunt spent a total of 64 dollars",
        "64",
    ),
    (
        "Of the guests, 0.5 ate soup and 0.2 ate rice. What fraction of the guests ate either soup "
        "or rice?",
        "The fraction of guests who ate either soup or rice is 0.7",
        "0.7",
    ),
    (
        "A tiler used 10 tons of sand on Elm Street and 5.1 tons of sand on Oak Street. How much "
        "sand did the tiler use in all?",
        "The tiler used 15.1 tons of sand in all",
        "15.1",
    ),
    (
        "Ivo cut 0.75 of an inch off a rug and 0.5 of an inch off a mat. How much more did he cut "
        "off the rug than the mat?",
        "Ivo cut 0.25 inch more off the rug than the mat",
        "0.25",
    ),
]


@pytest.mark.parametrize(("question", "sentence", "gold"), ASKED)
async def test_sentence_says_what_is_asked_for(question: str, sentence: str, gold: str) -> None:
    assert await told(question, f"Answer: {sentence}.", gold) is True


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "How many more blue kites than green kites are in the park?",
            "There are 6 more green kites than blue kites in the park",
        ),
        (
            "How many more jars of red paint than white paint did Omar buy?",
            "Omar bought 15 jars of red paint",
        ),
        (
            "Lou had 10 coins. If he finds 26 more coins in the next room, how many coins would he "
            "have?",
            "Lou finds 26 coins in the next room",
        ),
        (
            "There were 54 girls. If they form teams with 6 girls in each team, how many teams "
            "would there be?",
            "There will be 6 girls in each team",
        ),
        (
            "Ada and her aunt bought caps for 8 dollars each. How much did they spend if Ada "
            "bought 3 caps and her aunt bought 5 caps?",
            "Ada spent 24 dollars",
        ),
        (
            "Of the guests, 0.5 ate soup and 0.2 ate rice. What fraction of the guests ate either "
            "soup or rice?",
            "The fraction of guests who ate soup is 0.5",
        ),
        (
            "A tiler used 10 tons of sand on Elm Street and 5.1 tons of sand on Oak Street. How "
            "much sand did the tiler use in all?",
            "The tiler used 10 tons of sand on Elm Street",
        ),
        (
            "A tiler used 10 tons of sand on Elm Street and 5.1 tons of sand on Oak Street. How "
            "much sand did the tiler use in all?",
            "The tiler used 15.1 kg of sand in all",
        ),
        (
            "He packs 40 crates of plums per day. How many crates of plums would be packed in 3 "
            "days?",
            "The total number of crates packed in 2 days is 80",
        ),
    ],
)
def test_sentence_about_something_else_says_nothing(question: str, sentence: str) -> None:
    assert naming.said(question, sentence) is None


@pytest.mark.parametrize(
    "sentence",
    ["45 more coins can be put in the album", "45 coins went into the album in the end"],
)
async def test_sentence_may_begin_with_its_number(sentence: str) -> None:
    question = (
        "An album holds 126 coins. 81 coins are in it. How many more coins can be put in the album?"
    )
    right = "more" in sentence
    assert (await told(question, f"Answer: {sentence}.", "45") is True) is right


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Compute: 32 * 41 * 13. Respond only with the answer in digits.", "32 * 41 * 13"),
        ("Compute: 100 / 5 / 2. Reply with digits only.", "100 / 5 / 2"),
        ("Calculate 12 + 7 + 5. Show your work.", "12 + 7 + 5\n= 12 + 7 + 5\n= 12 + 7 + 5"),
        ("What is the value of 3 * (4 + 5), please say?", "The answer is 3 * (4 + 5)."),
        ("What is $6 \\cdot 7$? Give a number.", "\\boxed{6 \\cdot 7}"),
    ],
)
async def test_what_is_asked_said_again_is_no_answer(question: str, reply: str) -> None:
    assert await told(question, reply, "17056") is not True
    assert math().normalise(math().parse(question), math().answer(reply) or "") is None


async def test_a_root_or_a_fraction_of_the_question_may_be_its_answer() -> None:
    asked = "What is $\\sqrt{53}$ in simplest radical form?"
    assert await told(asked, "\\sqrt{53}", "\\sqrt{53}") is True
    question = "Calculate 3/4 of a mile in miles. Give a fraction."
    assert await told(question, "\\boxed{3/4}", "3/4") is True


def test_a_calculation_may_stand_behind_a_colon() -> None:
    assert math().decides(math().parse("Compute: 17 * 24"))
