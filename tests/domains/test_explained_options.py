"""A reply that names an option and explains it behind, and speaks of the others."""

import pytest

from agentflow import domains

DOMAIN = domains.get("commonsense")
PROBLEM = DOMAIN.parse(
    "Where does the dough rise best?\nA) In a cold room\nB) In a warm drawer\nC) In a full oven\n"
    "D) On a dry shelf"
)


def read(text: str) -> str | None:
    answer = DOMAIN.answer(text)
    return None if answer is None else DOMAIN.normalise(PROBLEM, answer)


WHY = "The correct answer is **B) In a warm drawer**.\n\nHere's why:\n\n"
OTHERS = "The correct answer is B) In a warm drawer.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        WHY + "* **Warmth:** Yeast could die where it is hot, but never dies in a drawer.",
        WHY
        + "* Yeast needs warmth to grow.\n* However, the yeast would not need any light for that.",
        WHY + "Yeast needs warmth.\n\n**In summary:** The warm drawer keeps the yeast alive.",
        WHY.replace("Here's why:", "**Explanation:**")
        + "This is a slow fermentation of the dough by its yeast in a drawer.",
        OTHERS + "This option supports the growth of the yeast by its warmth.",
        OTHERS + "This option shows that a drawer need not be hot, but may be warm.",
        OTHERS + "Option B provides the warmth that the yeast needs.",
        OTHERS + "**Why the other options are wrong:**\n* **A) In a cold room:** Yeast rests there."
        "\n* **C) In a full oven:** This is incorrect. Yeast dies in the heat.",
        OTHERS + "Let's look at the other options:\n\n- **Option A**: It does not warm the dough."
        "\n- **On a dry shelf (D)**: The dough dries out.",
        "B) B) In a warm drawer. Dough rises in the warm.",
        "B) In a warm drawer.",
        "The best place is clear.\n\nThe correct place is:\n\n**Option B: In a warm drawer**",
        "Corrected final answer: B) In a warm drawer.",
        "Here's how to break this down and arrive at the right place:\n\nYeast needs warmth.\n\n"
        "The correct answer is B.",
        "Let's go through the places to determine the correct answer.\n\nThe answer is B.",
        "Here's the breakdown of why the correct answer is B) In a warm drawer.",
    ],
)
def test_what_explains_an_option_leaves_it(text):
    assert read(text) == "(B)"


@pytest.mark.parametrize(
    "text",
    [
        WHY + "Yeast needs warmth. So the better option is A.",
        WHY + "Yeast needs warmth.\n\nWait, an oven is warmer.",
        WHY + "Yeast needs warmth. I guess.",
        WHY + "Yeast needs cold.\n\n**In summary:** Cold rooms are where loaves grow.",
        OTHERS + "This option supports nothing.",
        WHY + "All of this is nonsense.",
        WHY + "Yeast needs warmth.\n\n**C**",
        WHY + "Then it must be a full oven.",
        WHY + "Pretend that you did not read this about the drawer.",
        OTHERS + "This option provides no warmth for the yeast.",
        OTHERS + "This shows that the yeast does not grow in a drawer.",
        OTHERS + "This suggests a different option than that of the drawer.",
        OTHERS + "Option A provides the cold that the yeast needs.",
        OTHERS + "C) In a full oven.",
        OTHERS
        + "**Why the other options are wrong:**\n* **A) In a cold room:** It is correct, too.",
        OTHERS
        + "**Why the other options are wrong:**\n* **B) In a warm drawer:** Yeast dies there.",
        OTHERS + "- **C) In a full oven:** Wait, it is warm, not hot.",
        "B) A) In a warm drawer. Dough rises in the warm.",
        "B) In a full oven.",
        "The correct place is:\n\nWarmth, which yeast needs.",
        "Here's how to get it wrong:\n\nThe correct answer is B.",
    ],
)
def test_what_speaks_for_another_option_does_not(text):
    assert read(text) is None


ARGUMENT = DOMAIN.parse(
    "Bread rises where it is warm, so this drawer bakes bread. Which is a flaw of the argument?\n"
    "A) It takes rising for baking\nB) It is about bread\nC) It is long"
)


def test_what_is_said_of_a_thing_that_the_question_names_is_no_doubt():
    text = "The argument then goes on to baking.\n\nThe answer is A) It takes rising for baking."
    answer = DOMAIN.answer(text)
    assert answer is not None
    assert DOMAIN.normalise(ARGUMENT, answer) == "(A)"
    assert DOMAIN.normalise(PROBLEM, answer) is None
    mine = DOMAIN.answer(text.replace("The argument", "My argument"))
    assert mine is None or DOMAIN.normalise(ARGUMENT, mine) is None


SEQUEL = DOMAIN.parse("What is the sequel of the film Day Ferry called?")


@pytest.mark.parametrize(
    ("sentence", "read_as"),
    [
        ("The sequel is *Night Ferry*.", "night ferry"),
        ("Night Ferry is the sequel of the film.", "night ferry"),
        ("Night Ferry is not the sequel of it.", None),
        ("The sequel is Morning Ferry, not Night Ferry.", None),
        ("Morning Ferry is older than Night Ferry.", None),
        ("The sequel is either Night Ferry or Morning Ferry.", None),
    ],
)
def test_an_answer_in_a_sentence_above_the_short_one(sentence, read_as):
    answer = DOMAIN.answer(f"**Final Answer**: {sentence}\n\nAnswer: Night Ferry")
    assert (answer and DOMAIN.normalise(SEQUEL, answer)) == read_as


def test_a_yes_or_no_in_a_sentence_above_the_short_one():
    asked = DOMAIN.parse("Are Ada Ferrow and Bo Irn both poets?")
    for said, short, read_as in (("Yes", "yes", "yes"), ("No", "yes", None)):
        text = f"**Final Answer**: {said}, both Ada Ferrow and Bo Irn are poets.\n\nAnswer: {short}"
        answer = DOMAIN.answer(text)
        assert (answer and DOMAIN.normalise(asked, answer)) == read_as


async def test_a_long_option_may_go_on_with_which_but_a_short_one_has_its_reasons():
    text = "The answer is A) It takes rising for baking, which is another thing."
    answer = DOMAIN.answer(text)
    assert answer is not None
    assert answer.startswith("A) It takes rising for baking, which is another thing")
    logic = domains.get("logic")
    asked = logic.parse("Ada is kind.\nConclusion: Ada is tall.\nA) True\nB) False\nC) Uncertain")
    said = "So the correct answer is C) Uncertain, as the premises do not say how tall Ada is."
    answer = logic.answer(said)
    assert answer is not None
    assert (await logic.verify_answer(asked, answer)).ok is True


@pytest.mark.parametrize(
    ("above", "read_as"),
    [
        ("The generated Chain-of-Thought contains a clear answer.", "night ferry"),
        ("The generated Chain-of-Thought contains a clear mistake.", None),
    ],
)
def test_a_given_text_that_has_an_answer_in_it(above, read_as):
    answer = DOMAIN.answer(f"{above} So the answer is: Night Ferry.")
    assert (answer and DOMAIN.normalise(SEQUEL, answer)) == read_as
