"""Options that a reply picks: their formulas, the place of the pick, and what leads to it."""

from itertools import product

import pytest

from agentflow import domains
from agentflow.domains import option_text

DOMAIN, MATH = (domains.get(one) for one in ("commonsense", "math"))
SPRING = (
    "A block of mass m hangs on a spring of stiffness k. What is the angular frequency of its"
    " oscillation?\nA. \\sqrt{k/m}\nB. \\sqrt{m/k}\nC. 2.5 k/m\nD. \\frac{k}{2m}"
)
NOT_GAS = "Which of these planets is not a gas giant?\nA. Jupiter\nB. Mars\nC. Saturn\nD. Uranus"
MAIL = (
    "Who alone should be able to read a sealed letter?\nA. The postman on duty\nB. The sender's"
    " neighbour\nC. The receiver\nD. The postman's neighbour"
)
BEADS = "A string has 3 red beads and 14 blue ones. How many beads are there?\nA. 11\nB. 17\nC. 42"


def read(problem, text):
    """What the two domains read that know options: the letter, None where one is undecided."""
    parsed = DOMAIN.parse(problem)
    answer = DOMAIN.answer(text)
    form = None if answer is None else DOMAIN.normalise(parsed, answer)
    return (form or "").strip("()") or None


async def is_right(problem, text, gold):
    parsed, answer = MATH.parse(problem), MATH.answer(text)
    return None if answer is None else await MATH.equal(parsed, answer, gold)


@pytest.mark.parametrize(
    ("option", "text", "rest"),
    [
        ("0.506 \\lambda / a", "\\( 0.506 \\frac{\\lambda}{a} \\)", "} \\)"),
        ("16.9%", "16.90% of it", " of it"),
        ("3 060 000 km", "3,060,000 km.", "."),
        ("(9/2) \\hbar \\omega, 10", "(9/2) ħω, 10.", "."),
        ("\\langle H \\rangle \\ll \\Delta E", "<H> << ΔE", ""),
        ("q/(4\\pi\\epsilon_o r)", "$\\frac{q}{4 \\pi \\epsilon_0 r}$", "}$"),
        ("2e^(3J)", "2e^(-3J)", None),
        ("q/L^2", "q/l^2", None),
        ("4 \\pi", "4.0 \\pi R", " R"),
        ("4 \\pi", "4πR", None),
        ("5", "-5", None),
        ("5", "0.5", None),
        ("x > 2", "x < 2", None),
        ("1,2", "12", None),
    ],
)
def test_what_an_option_says_is_the_same_however_it_is_set(option, text, rest):
    end = option_text.end(text, 0, option)
    assert (None if end is None else text[end:]) == rest


FRONTS = (
    "The correct answer is:\n\n{}",
    "So, the correct option is:\n\n**{}**",
    "The block pulls the spring down.\n\nTherefore, the correct answer is {}.",
    "The correct answer is **{}**. Here's why:\n\nThe stiffness of the spring and the mass of the"
    " block set the frequency.",
)
SET = (
    "A. \\( \\sqrt{\\frac{k}{m}} \\)",
    "A. $\\sqrt{k/m}$",
    "A. √(k/m)",
    "(A) \\sqrt{\\dfrac{k}{m}}",
)


@pytest.mark.parametrize(("front", "said"), list(product(FRONTS, SET)))
async def test_a_picked_option_is_read_however_it_is_set(front, said):
    assert read(SPRING, front.format(said)) == "A"
    assert await is_right(SPRING, front.format(said), "A") is True
    assert await is_right(SPRING, front.format(said), "B") is False


@pytest.mark.parametrize(
    ("front", "said"),
    list(
        product(
            FRONTS,
            (
                "A. \\( \\sqrt{\\frac{m}{k}} \\)",
                "A. $\\sqrt{m/k}$",
                "A. √(m/k)",
                "(A) 2.5 k/m",
                "A. \\frac{k}{2m}",
                "A. √(k/m) or B. √(m/k)",
                "A. √(k/m) is wrong",
                "A. √(k/m)?",
            ),
        )
    ),
)
async def test_the_letter_of_one_with_the_formula_of_another_is_none(front, said):
    assert read(SPRING, front.format(said)) is None
    assert await is_right(SPRING, front.format(said), "A") is not True


@pytest.mark.parametrize(
    ("front", "behind"),
    list(
        product(
            [front.format(SET[0]) for front in FRONTS],
            (
                "Wait, that is wrong.",
                "Actually, it is B.",
                "No: B is better.",
                "This is what a novice would say.",
                "However, the correct answer is B. √(m/k).",
                "\\[\\boxed{\\sqrt{\\frac{m}{k}}}\\]",
                "\\[\\boxed{B}\\]",
                "I made that up.",
            ),
        )
    ),
)
async def test_what_stands_behind_takes_the_formula_back(front, behind):
    text = f"{front}\n\n{behind}"
    assert read(SPRING, text) != "A"
    assert await is_right(SPRING, text, "A") is not True


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize(
    "behind", ["A colleague laughed at that spring.", "The spring was never checked."]
)
def test_what_is_no_reason_leaves_the_formula_open(front, behind):
    assert read(SPRING, f"{front.format(SET[0])}\n\n{behind}") is None


@pytest.mark.parametrize(
    "text",
    [
        "The frequency is $\\boxed{\\sqrt{\\frac{m}{k}}}$.\n\nThe answer is (A).",
        "The frequency is \\boxed{2.5 k/m}.\n\nThe correct option is:\n\nA. √(k/m)",
        "So the angular frequency is √(m/k).\n\nThe answer is (A).",
        "\\boxed{B}\n\nThe answer is (A).",
        "The correct answer is not A. √(k/m).",
        "A friend's answer is A. √(k/m).",
        "Is the correct answer A. √(k/m)?",
        "If the mass is small, the correct answer is A. √(k/m).",
        "The correct answer is A. √(k/m). The correct answer is B. √(m/k).",
        "The answer is (A).\n\nThe spring is stiff.\n\nThe answer is (B).",
        "The answer is (A).\n\nThe spring is stiff.\n\nThe answer is (A).\n\nNo, it is (B).",
        "The answer is (A).\n\nThe answer is (A), as a novice says.",
        "The answer is (A).\n\nThe answer is (A)? No.",
        "The answer is (A).\n\nThe answer is (A) only if the spring has no mass.",
    ],
)
async def test_what_leads_to_an_option_may_be_at_odds_with_it(text):
    assert read(SPRING, text) != "A"
    assert await is_right(SPRING, text, "A") is not True


@pytest.mark.parametrize(
    "text",
    [
        "The answer is (A).\n\nA stiff spring is quick, and a great mass is slow. Hooke's law and"
        " Newton's second law give $\\ddot{x} = -kx/m$.\n\nThe answer is (A).",
        "The correct answer is A. √(k/m).\n\n1. Newton's second law holds for the block.\n2. Its"
        " unit is that of a frequency.\n\nFinal Answer: The answer is (A).",
        "The frequency is $\\boxed{\\sqrt{\\frac{k}{m}}}$.\n\nSo, the correct option is:\n\n"
        "A. \\( \\sqrt{\\frac{k}{m}} \\)",
    ],
)
async def test_an_option_that_is_picked_again_at_the_end(text):
    assert read(SPRING, text) == "A"
    assert await is_right(SPRING, text, "A") is True


@pytest.mark.parametrize(
    ("problem", "text", "letter"),
    [
        (NOT_GAS, "The correct answer is:\n\nB. Mars\n\nMars was never called a gas giant.", "B"),
        (NOT_GAS, "The correct answer is:\n\nB. Mars\n\nMars was never the right planet.", None),
        (NOT_GAS, "The correct answer is:\n\nB. Mars\n\nThis was never checked.", None),
        (NOT_GAS, "The correct answer is:\n\nB. Mars\n\nJupiter is the one.", None),
        (MAIL, 'Among these, "The receiver" is the correct one for the neighbour\'s letter. The'
         " answer is (C).", "C"),
        (MAIL, "The best choice is the receiver. The answer is (C).", "C"),
        (MAIL, 'Among these, "The receiver" is not the correct one. The answer is (C).', None),
        (MAIL, "The neighbour of the postman is the best one. The answer is (C).", None),
        (MAIL, "The best one is the receiver, but the postman on duty is better. The answer is"
         " (C).", None),
        (MAIL, "The best one is the postman on duty, and not the receiver. The answer is (C).",
         None),
        (BEADS, "The sum is 3 + 14 = 17. The closest answer is 17, which is option B.", "B"),
        (BEADS, "The sum is 3 + 14 = 17. The closest answer is 17, which is option C.", None),
        (BEADS, "The closest answer is 17, which is option B or C.", None),
        (BEADS, "The closest answer is 17, which is option B if all are counted.", None),
        (BEADS, "The closest answer is not 17, which is option B.", None),
        (BEADS, "Therefore, the closest answer (rounded to a whole number) is B. 17.", "B"),
        (BEADS, "Therefore, the closest answer (not the right one) is B. 17.", None),
    ],
)  # fmt: skip
def test_what_says_that_an_option_is_the_answer(problem, text, letter):
    assert read(problem, text) == letter


FENCED = (
    "```\nw^2 = k/m\nw = sqrt(k/m)\n```\n\n",
    "The spring pulls the block back:\n\n```\nF = -k x\n```\n\nIts mass resists.\n\n",
)


@pytest.mark.parametrize("above", FENCED)
def test_fenced_formulas_leave_an_option_alone(above):
    assert read(SPRING, f"{above}**Answer:**\n\nThe correct answer is **A. √(k/m)**.") == "A"


@pytest.mark.parametrize(
    "text",
    [
        "```\nThe answer is B\n```\n\nThe correct answer is A. √(k/m).",
        "```\nwrong\n```\n\nThe correct answer is A. √(k/m).",
        "The correct answer is A. √(k/m).\n\n```\nno\n```",
        "```\nThe correct answer is A. √(k/m).\n```",
        "```\nw = k\nThe correct answer is A. √(k/m).\n",
        "The correct answer is A. √(k/m).\n\n```\nans = B, not A\n```\n\nThe block is free.",
        "The correct answer is A. √(k/m).\n\n```\nprint('B')\n```",
    ],
)
def test_what_is_fenced_is_understood_or_leaves_all_open(text):
    assert read(SPRING, text) != "A"


COMPOUND = (
    "Which salt is the most reasonable guess for the unknown powder? It turns a flame yellow.\n"
    "A. potassium chloride\nB. sodium chloride\nC. copper sulfate"
)
FLAME = "The crystal turns the flame yellow, as sodium does.\n\n"


@pytest.mark.parametrize(
    ("last", "letter"),
    [
        ("Therefore, the most reasonable salt for the unknown crystal is B. sodium chloride.", "B"),
        ("Given the information provided, the most likely crystal is:\n\nB. sodium chloride", "B"),
        ("Therefore, the most reasonable crystal of a rival is B. sodium chloride.", None),
        ("Therefore, the friend's most reasonable salt is B. sodium chloride.", None),
        ("Therefore, my friend's salt is B. sodium chloride.", None),
        ("Therefore, the least reasonable salt is B. sodium chloride.", None),
        ("Therefore, the most reasonable salt is not B. sodium chloride.", None),
        ("Therefore, the most reasonable salt may be B. sodium chloride.", None),
        ("Therefore, the most unreasonable salt is B. sodium chloride.", None),
        ("Given the wrong information provided, the most likely crystal is:\n\nB. sodium chloride",
         None),
        ("Given the information provided, the most likely crystal is:\n\nB. copper sulfate", None),
        ("Given the information provided, the crystal is not:\n\nB. sodium chloride", None),
        ("Therefore, the most reasonable salt is B. sodium chloride or A. potassium chloride.",
         None),
    ],
)  # fmt: skip
def test_a_word_of_the_reasons_may_stand_in_the_conclusion(last, letter):
    assert read(COMPOUND, f"{FLAME}{last}") == letter


SCANS = (
    "Which door does not open to a visitor?\nA. the glass gate\nB. the iron gate\nC. the oak gate"
)
ITEMS = (
    "1. the glass gate (A): It opens to a visitor. It is not the correct answer.\n"
    "2. the iron gate (B): It opens to a visitor, too, so it is not right.\n"
    "3. the oak gate (C): {}\n\nThe answer is (C)."
)


@pytest.mark.parametrize(
    ("item", "letter"),
    [
        ("It does not open to a visitor.", "C"),
        ("It does not open to any visitor, so the oak gate is right.", "C"),
        ("It is not the correct answer.", None),
        ("It is wrong.", None),
    ],
)
def test_items_whose_letter_stands_behind_what_they_are_about(item, letter):
    assert read(SCANS, ITEMS.format(item)) == letter


@pytest.mark.parametrize(
    "text",
    [
        "1. the glass gate (A): It is the right one.\n\nThe answer is (C).",
        "1. the glass gate (C): It opens.\n2. the oak gate (A): It does not open.\n\nI say B.",
        "The answer is (C). But it is not.",
        "If the oak gate is locked, the answer is (C).",
        "He says the answer is (C).",
        "The answer is not (C).",
    ],
)
def test_what_names_an_option_by_its_letter_and_leaves_it(text):
    assert read(SCANS, text) is None


PIZZA = (
    "Maddy buys pizza for 38 guests of a soccer game and herself. A pizza feeds 3 people and costs"
    " $15. How many dollars will Maddy spend?"
)


@pytest.mark.parametrize(
    ("sentence", "ok"),
    [
        ("Maddy will spend a total of **$195** on pizza for the soccer game.", True),
        ("Maddy will not spend $195 on pizza.", None),
        ("Maddy will spend more than $195 on pizza.", None),
        ("Maddy will spend about $195 on pizza.", None),
        ("Maddy would spend $195 if all came.", None),
        ("It is wrong that Maddy will spend $195 on pizza.", None),
        ("Nobody believes that Maddy will spend $195.", None),
    ],
)
async def test_a_sentence_called_the_answer_above_a_box(sentence, ok):
    work = "Pizzas for 39 people cost 13 * 15 = 195 dollars."
    text = f"{work}\n\n4. **Final answer**:\n   - {sentence}\n\n\\[\n\\boxed{{195}}\n\\]"
    assert (await is_right(PIZZA, text, "195") or None) is ok


@pytest.mark.parametrize(
    ("advice", "ok"),
    [
        ("It's essential to be careful with the units and operations to ensure accuracy.", True),
        ("It's essential to break down the problem into smaller steps to avoid errors.", True),
        ("It's essential to distrust the number below.", None),
        ("It's essential to avoid the number below.", None),
        ("It's essential to avoid errors such as the number below.", None),
        ("It's essential to be lucky with the key to ensure a pass.", None),
    ],
)
async def test_advice_above_an_answer_claims_nothing(advice, ok):
    text = f"She needs 39 / 3 = 13 pizzas for 13 * 15 = 195 dollars. {advice}\n\nAnswer: 195"
    assert (await is_right(PIZZA, text, "195") or None) is ok


LOGIC = domains.get("logic")
BOB = (
    "Bob is smart. All smart people are green. All green people are white.\n"
    "Conclusion: Bob is white.\nA) True\nB) False\nC) Unknown"
)


@pytest.mark.parametrize(
    ("answer", "last", "ok"),
    [
        ("A) True", 'The statement "Bob is white" is true based on the provided context.', True),
        ("A) True", 'The statement "Bob is white" is true from the given rules and logical'
         " deductions.", True),
        ("A) True", 'The statement "Bob is white" is false based on the provided context.', None),
        ("A) True", 'The statement "Bob is white" remains unknown.', None),
        ("A) True", 'The statement "Bob is rich" is true based on the provided context.', None),
        ("A) True", 'The statement "Bob is not white" is true.', None),
        ("A) True", 'The statement "Bob is white" is true if he is smart and rich.', None),
        ("A) True", 'The statement "Bob is white" is true, says a friend.', None),
        ("B) False", 'The statement "Bob is white" is true.', None),
        ("B) False", 'The statement "Bob is white" is false.', False),
    ],
)  # fmt: skip
async def test_a_statement_that_is_said_again_below_its_truth(answer, last, ok):
    text = f"Bob is green, so Bob is white.\n\nThe correct option is:\n\n**{answer}**\n\n{last}"
    problem, said = LOGIC.parse(BOB), LOGIC.answer(text)
    assert (said and (await LOGIC.verify_answer(problem, said)).ok) is ok
