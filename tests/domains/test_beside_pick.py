"""What stands beside an option that a reply picks, and may leave it."""

import pytest

from agentflow import domains

DOMAIN = domains.get("commonsense")
DRAWER = DOMAIN.parse(
    "Where does the dough rise best?\nA) In a cold room\nB) In a warm drawer\nC) In a full oven\n"
    "D) On a dry shelf"
)
FLAW = DOMAIN.parse(
    "Critic: The play sold out, so it must be good. If it were bad, nobody would have come.\n"
    "The reasoning is flawed because the argument\n"
    "A) takes the size of an audience for the quality of a play\n"
    "B) fails to consider that tickets may be cheap\nC) rejects a view because of who holds it\n"
    "D) confuses a cause with its effect"
)
LAMP = DOMAIN.parse(
    "A lamp of 60 W burns for 5 hours. How much energy does it take?\n"
    "A. 0.3 kWh\nB. 3.0 kWh\nC. 30 kWh\nD. 12 kWh"
)
FRONTS = (
    "The correct answer is B) In a warm drawer.\n\n",
    "The best place is:\n\n**B) In a warm drawer**\n\n",
)
WHY = "The yeast in the dough needs warmth. "


def read(text, problem=DRAWER):
    answer = DOMAIN.answer(text)
    return None if answer is None else DOMAIN.normalise(problem, answer)


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize(
    "behind",
    [
        WHY,
        f"{WHY}However, the dough may rise in less than an hour if the drawer is warm.",
        "**Why:**\n\n1. The yeast in the dough needs warmth.\n2. A drawer keeps the dough warm.",
        f"{WHY}\n\n**Other options:**\n* **A) In a cold room:** It does not rise in the cold.",
        f"{WHY}\n\n- Option C: nothing rises in an oven.\n- Option D: the dough lacks water there.",
        f"{WHY}\n\nTherefore, the correct answer is B.",
    ],
)
def test_reasons_in_words_of_the_problem_leave_the_option(front, behind):
    assert read(front + behind) == "(B)"


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize(
    "behind",
    [
        "Scratch that, the dough is different.",
        "Although A is the better one.",
        "A colleague of mine laughed at that dough.",
        "The dough of the key was leaked by the dean.",
        "At least that is what the dough salesman says.",
        "This holds only where the dough is fresh.",
        "Most people think of the drawer, and they err.",
        "Nobody would use the drawer for the dough.",
        "The drawer is the one thing that never works for the dough.",
        "The drawer was a joke.",
        "The dough does not care.",
        "Read the dough part backwards.",
        "Take the letter behind it.",
        "The dough was never checked.",
        "The drawer comes from an old key.",
        "The dough was translated badly, so do not rely on it.",
        "Grade of this dough reply: F.",
        "Score of the dough: 0",
        "A cold room is what the dough wants.",
        "Here's why:\n\nThe drawer is the worst for the dough.",
        "Here's why:\n\nThe dough was dreamt up.",
        "Here's why:\n\nThe dough is no dough without a cold room.",
        f"Here's why:\n\n{WHY}But a cold room has more of it.",
        f"Here's why:\n\n{WHY}What the dough asks for is a cold room.",
        f"Here's why:\n\n1. {WHY}\n2. The rest speaks for a cold room.",
        "Here's why:\n\n* **A) In a cold room:** This fits the dough.",
        "Here's why:\n\n* **A) In a cold room:** The dough asks for it.",
        "Here's why:\n\n* **B) In a warm drawer:** The dough rules it out.",
        "Here's why:\n\n* **B) In a warm drawer:** This is not what the dough needs.",
        "**Why the other options are wrong:**\n* **A) In a cold room:** This is the one for it.",
        "**Why the other options are wrong:**\n* **A) In a cold room**",
        "A) In a cold room - yes.",
        "See A as well.",
        f"{WHY}Or so the dough lobby wants us to believe.",
        f"{WHY}Said no dough ever.",
        f"{WHY}Anyone who believes this about the dough is a fool.",
        f"{WHY}If the dough were real.",
        f"{WHY}If so, the dough rises; if not, in a cold room.",
        f"{WHY}Provided that the dough is the usual one.",
        "However, the dough speaks against it.",
        f"{WHY}Let me reconsider:",
        f"{WHY}❌",
    ],
)
def test_what_may_leave_an_option_is_not_understood(front, behind):
    assert read(front + behind) is None


@pytest.mark.parametrize(
    "above",
    [
        "A student wrote:\n\n",
        "Do not believe this:\n\n",
        "The opposite of what is right:\n\n",
        "What would a liar say of the dough?\n\n",
        "If the dough were old, what then?\n\n",
        "The book, which errs on the dough, says:\n\n",
        "In a cold room is right.\n\n",
        "It is A) In a cold room.\n\n",
        "Answer: A\n\n",
        "[ ] ",
        "> ",
    ],
)
def test_what_stands_above_a_picked_option_is_looked_at(above):
    for front in FRONTS:
        assert read(f"{above}{front}{WHY}") is None


@pytest.mark.parametrize(
    ("problem", "text", "picked"),
    [
        (FLAW, "The argument takes the audience for a sign of quality. A) takes the size of an "
         "audience for the quality of a play", None),
        (FLAW, "The correct option is B) fails to consider that tickets may be cheap. The argument "
         "fails to consider that cheap tickets may bring an audience.", "(B)"),
        (FLAW, "The correct option is B) fails to consider that tickets may be cheap. The argument "
         "takes the size of an audience for the quality of a play.", None),
        (FLAW, "C) C) rejects a view because of who holds it.\n\nReasoning: It is flawed, "
         "as a view of a play may be rejected.", "(C)"),
        (FLAW, "C) B) rejects a view because of who holds it.", None),
        (LAMP, "E = P t = 60 W × 5 h = 0.3 kWh\n\nThe energy of the lamp is:\n\n**A. 0.3 kWh**",
         "(A)"),
        (LAMP, "My friend's energy of the lamp is:\n\n**A. 0.3 kWh**", None),
        (LAMP, "The answer is A. 0.3 kWh. P is the power in W.\n\nE = P t", "(A)"),
        (LAMP, "The answer is A. 0.3 kWh. Yet 3.0 kWh is what the lamp takes.", None),
        (LAMP, "The answer is A. 0.3 kWh, more or less.", None),
        (LAMP, "The closest match is:\n\nB. 3.0 kWh", "(B)"),
        (LAMP, "The energy of the lamp is 0.3 kWh (A).", "(A)"),
        (LAMP, "The energy of the lamp is 0.3 kWh (B).", None),
    ],
)  # fmt: skip
def test_an_option_is_picked_by_its_letter_and_all_that_it_says(problem, text, picked):
    assert read(text, problem) == picked
