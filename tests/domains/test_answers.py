"""What a text states, and characters in their plain spelling."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains import answers, spelling
from agentflow.domains.answers import lines, marks, sentences
from agentflow.profile import Profile


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Answer: 5", "5"),
        ("The answer is 5.", "5"),
        ("**Answer:** 5", "5"),
        ("**Answer**: 5", "5"),
        ("_Answer_: **5**", "5"),
        ("answer = 5", "5"),
        ("Answer:\n5\n", "5"),
        ("Answer: 4\nAnswer: 5\nso", None),
        ("Answer: 4\nWait, no.\nAnswer: 5\nso", "5"),
        ("\\boxed{4} and \\boxed{\\text{5}}\nAnswer: 4, 5", "4, 5"),
        ("\\boxed{4} and \\boxed{\\text{5}}\nAnswer: 5", None),
        ("\\boxed{4} and \\boxed{5}\nAnswer: 6", None),
        ("\\[\\boxed{2}, \\boxed{3} \\quad \\text{and}\\ \\boxed{5}\\]", "2, 3, 5"),
        ("\\(x = \\boxed{3}\\) and \\(y_1 = \\boxed{-1}\\)", "3, -1"),
        ("\\boxed{1} paper and \\boxed{2} bins", "1, 2"),
        ("\\boxed{A} or \\boxed{B}", "A or B"),
        ("\\boxed{5} and \\(\\boxed{5}\\)", "5"),
        ("Is it \\boxed{5} or \\boxed{6}?", None),
        ("\\boxed{5} is wrong, \\boxed{6}", "6"),
        ("It takes \\boxed{4}, so the total is \\boxed{6}.", "6"),
        ("\\boxed{4}. Then \\boxed{5}", "5"),
        ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
        ("Answer: ", None),
        ("Answer: **\n", None),
        ("The answers are: 5", None),
        ("unanswer: 5", None),
        ("\\boxed{}", None),
        ("5", "5"),
    ],
)
def test_what_a_text_states(text: str, stated: str | None) -> None:
    assert answers.stated(text) == stated


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("Step 2: so it is", "so it is"),
        ("- **Step 2.** From 1, 3: so it is", "so it is"),
        ("From 1, 3: so it is\n", "so it is"),
        ("Step 2 (from 1 and 2): so it is", "so it is"),
        ("Step 2 [from 1, 2]: so it is", "so it is"),
        ("Step 2, from 1 and 2: so it is", "so it is"),
        ("**Step 2**: so it is", "so it is"),
        ("Step 2a: so it is", "so it is"),
        ("Step2: so it is", "so it is"),
        ("Final step: so it is", "so it is"),
        ("Step 2, we see so. Then: no", None),
        ("Stepping back: so it is", None),
        ("Step by step: so it is", None),
        ("From here: so it is", None),
        ("so it is", None),
    ],
)
def test_what_a_line_claims_as_a_step(line: str, claim: str | None) -> None:
    assert answers.step(line) == claim


@pytest.mark.parametrize(
    ("text", "supposed"),
    [
        ("Suppose Alex is sad.\nSo is he.\nContradiction.\nStep 2: so", [True, True, False, False]),
        ("Step 1: Assume for contradiction that so.\nThen so.", [True, True]),
        ("Case 1: so\n\nThus so.", [True, True, False]),
        ("Suppose so: that cannot be.\nso", [False, False]),
        ("If Eric were in house 1:\nso\nAnswer: no", [True, True, False]),
        ("Assume that the premises hold.\nIf so, then so.", [False, False]),
    ],
)
def test_what_stands_under_a_supposition(text: str, supposed: list[bool]) -> None:
    found, before = list[bool](), False
    for line in text.splitlines():
        before = answers.supposed(line, before)
        found.append(before)
    assert found == supposed


def test_plain_spellings() -> None:
    assert spelling.plain("１–２ → “it’s”\u200b") == '1-2 -> "it\'s"'
    assert spelling.NUMBERS["nineteen"] == 19


@given(st.text())
def test_a_plain_text_stays_as_it_is(text: str) -> None:
    answers.stated(text), answers.step(text)
    plain = spelling.plain(text)
    assert spelling.plain(plain) == plain


def how(text: str) -> list[tuple[str, str]]:
    return [(one.text, one.how) for one in answers.statements(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("so <answer>5</answer>", [("5", "tag")]),
        ("<answer>\n1 2\n2 1\n</answer>", [("1 2\n2 1", "tag")]),
        ("<answer>5", [("5", "tag")]),
        ("in <answer> tags.\nAnd so on.\n", []),
        ("<answer>\\boxed{5}</answer>", [("5", "boxed"), ("5", "tag")][:1]),
        ("[[A]]", [("A", "brackets")]),
        ("[[1, 2], [3, 4]]", []),
        ('```json\n{"answer": "\\\\frac{1}{2}"}\n```', [("\\frac{1}{2}", "json")]),
        ("{'final_answer': 5}", [("5", "json")]),
        ("\\boxed{\n\\frac{1}{2}\n}", [("\\frac{1}{2}", "boxed")]),
        ("\\boxed{\\boxed{5}}", [("5", "boxed")]),
        ("\\boxed{3}. So \\boxed{4}", [("3", "boxed"), ("4", "boxed")]),
        ("\\boxed{3} and \\boxed{4}", [("3, 4", "boxed")]),
        ("#### 5", [("5", "line")]),
        ("#### 1. The path", []),
        ("### Final Answer\n\n5\n", [("5", "heading")]),
        ("### Solution\n\nFirst I look at the path.\n", []),
        ("```python\nprint('the answer is', x)\n```\nSo the answer is 4.", [("4", "sentence")]),
        ("So it's C. Wait.", [("C", "conclusion")]),
        ("Suppose it is A. Then the answer is 5.", []),
        ("The answer is D. 7.", [("D. 7", "sentence")]),
        ("The answer is D. Let me see.", [("D", "sentence")]),
        ("x" * 5_000 + ". So the answer is 5. " + "y" * 5_000, [("5", "sentence")]),
    ],
)
def test_how_answers_are_stated(text: str, found: list[tuple[str, str]]) -> None:
    assert how(text) == found


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("So x.\n\n42", "42"),
        ("So x.\n\n**Northeast**\n", "Northeast"),
        ("So\nB", "B"),
        ("Nothing is said of it, so the conclusion is uncertain.", "uncertain"),
        ("**The conclusion is true.**", "true"),
        ("The conclusion is false based on the premises.", "false"),
        ("If so, the conclusion is true.", None),
        ("The conclusion is not true.", None),
        ("The negation of the conclusion is true.", None),
        ("\\boxed{A}\n\nBut no: the conclusion is uncertain.", None),
        ("The answer is True. Or is it? Perhaps not.", None),
        ("Answer: 5\nMaybe I should look again.", None),
        ("Answer: 5\nPerhaps let me check: 2 + 3.", "5"),
        ("Answer: 2**10", "2**10"),
        ("The answer is 2**3 + 1.", "2**3 + 1"),
        ("Answer: 5**", "5"),
        ("\\boxed{x + 1}\nThe answer is x - 1.", None),
        ("\\boxed{x+1}\nThe answer is x + 1.", "x+1"),
        ("\\boxed{-5}\nThe answer is 5.", None),
        ("\\boxed{5}\nThe answer is 5.", "5"),
        ("\\boxed{5}\nThe answer is 5 apples.", "5"),
        ("\\boxed{2 * 3}\nThe answer is 3 * 2 = 6.", None),
        ("\\boxed{2 × 3}\nThe answer is 2*3 = 6.", "2 × 3"),
        ("\\boxed{well-known}\nThe answer is well known.", "well-known"),
        ("I do not know", None),
        ("It is hard.\n\nLet me see:", None),
        ("<answer>4</answer>\nThe answer is 4 apples.", "4"),
        ("The answer is 5.\n<answer>4</answer>", None),
        ("The answer is 5.\nBut wait, I forgot one.\n<answer>4</answer>", "4"),
        ("<answer>4</answer>\nThe answer is 5.", None),
        ("Answer: 4\nSo it's C.", None),
    ],
)
def test_the_strongest_statement_and_the_last_line(text: str, stated: str | None) -> None:
    assert answers.stated(text) == stated


PIECES = st.sampled_from(
    [
        "The answer is",
        " 5.",
        " C.",
        "\n",
        "\\boxed{",
        "}",
        "5",
        "<answer>",
        "</answer>",
        "[[",
        "]]",
        *(
            '"answer": "',
            '"',
            "**",
            "Final Answer",
            "###",
            "```",
            "python",
            " so ",
            "Wait, ",
            "?",
            "$",
        ),
        *(
            "it should be",
            "option C is correct",
            " if ",
            "x" * 700,
            " ",
            "Suppose ",
            ":",
            "\r\n",
            "\f",
        ),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200), st.data())
def test_how_a_text_is_chopped_changes_nothing(text: str, data: st.DataObject) -> None:
    whole = list(answers.statements(text))
    size = data.draw(st.integers(1, 900))
    memory, found = {}, []
    for place in range(0, len(text), size):
        before = json.dumps(memory)
        after, said = answers.read(memory, text[place : place + size], place)
        assert json.dumps(memory) == before
        memory, found = json.loads(json.dumps(after)), [*found, *said]
    assert [*found, *answers.finish(memory, len(text))] == whole
    for one in whole:
        assert one.text.strip()
        assert 0 <= one.start <= one.end <= len(text)


@pytest.mark.parametrize(
    "unit",
    [
        "The answer is 5.\n",
        "the answer is ",
        "\\boxed{",
        "\\boxed{5} ",
        "<answer>",
        "[[5]] ",
        "A. ",
        *("So C. ", "x", '"answer": "', "**So** ", "it should be ", "\\boxed{\n", "answer\n"),
    ],
)
def test_reading_is_linear(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: the characters that are given to what reads."""
    given = [0]

    def counting(name: str, module: Any) -> None:
        real = getattr(module, name)

        def count(*args: Any, **named: Any) -> Any:
            given[0] += sum(len(one) for one in args if isinstance(one, str))
            return real(*args, **named)

        monkeypatch.setattr(module, name, count)

    counting("_piece", lines)
    for name in ("_read", "_stated", "hints", "announces", "value"):
        counting(name, sentences)
    for name in ("_boxes", "clean", "_is_place"):
        counting(name, marks)
    seen = []
    for size in (20_000, 40_000):
        given[0] = 0
        list(answers.statements((unit * size)[:size]))
        seen.append(given[0])
        assert given[0] <= 400 * size
    assert seen[1] <= 2.2 * seen[0]


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{True}\nWait, no, it is False.",
        "Answer: 5. Actually, it is 6.",
        "The answer is C. No, that is not it.",
        "\\boxed{7}\n\nI was wrong: two of them overlap.",
        "**Answer:** 12\nHold on, that is wrong.",
        "\\boxed{A}\n\nWait, I misread premise 2. The answer should be C.",
        "Answer: True\n\nHold on, premise 2 is only about adults, so it is open.",
        "Answer: A\n\nEdit: C",
        "Answer: A\nRevised: C",
        "Answer: A\n\nHmm, let me reconsider. It has no legs. Therefore B.",
        "Answer: A\n\nActually B.",
        "The answer is True. Just kidding, it's False.",
        "\\boxed{(7-8/8)*4}\n(That equals 20, so this fails.)",
        "\\boxed{False}\nNote: this is the opposite of my answer.",
        "\\boxed{B}\nerr, option A.",
        "\\boxed{5}\n\nBut we used **2** twice. So that's not valid.",
        "Answer: -1\n\nThe closest option is -10. But this is not correct.",
        "Answer: 12\n\nDisregard this.",
    ],
)
def test_an_answer_that_is_taken_back_is_none(text: str) -> None:
    assert answers.stated(text) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is not \\boxed{A}.", None),
        ("It is not \\boxed{A}, so it is open.", None),
        ("The answer is \\boxed{C}, not \\boxed{A}.", "C"),
        ("\\boxed{C}, since \\boxed{A} would need premise 4.", "C"),
        ("If premise 4 held, then \\boxed{A}.", None),
        ("$\\boxed{A}$ is wrong.", None),
        ("\\boxed{A}? No.", None),
        ("<answer>C</answer>\n\nNot <answer>A</answer>", "C"),
        ("If we add them, we get \\boxed{5}.", "5"),
        ("The answer is \\boxed{5}, which is not a multiple of 3.", "5"),
        ("It is not 4 but \\boxed{5}.", "5"),
    ],
)
def test_a_marked_answer_that_is_denied_is_none(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "There's no way the answer is A.",
        "Many would say the answer is True.",
        "It would be a mistake to say the answer is True.",
        "It is tempting to conclude that the answer is A.",
        "Many people think the answer is True.",
        "I no longer believe the answer is A.",
        "It's false that the answer is True.",
        "Let's say the answer is A.",
        "Initial answer: True",
        "So premise 1 is **True**.",
        'So the statement "Alex is happy" is **True**.',
        "Thus, the negation of the conclusion is **True**.",
    ],
)
def test_what_others_say_or_of_something_else_is_no_answer(text: str) -> None:
    assert list(answers.statements(text)) == []


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\\boxed{.2}", ".2"),
        ("Answer: .2\n", ".2"),
        ("\\boxed{True.}", "True"),
        ("\\boxed{True...}", "True..."),
        ("\\boxed{5}\nNote that 5 - 3 = 2.", "5"),
        ("Wait, let me see. The answer is \\boxed{5}.", "5"),
        ("So the answer is C. Wait, let me double-check.", "C"),
    ],
)
def test_dots_that_are_its_own_stay(text: str, answer: str) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    "behind",
    [
        "Reason: it is impossible to break it by hand.",
        "Option A is wrong: nobody said so.",
        "Explanation: a sound has no weight, and is not something that one holds.",
        "Here's why: no premise is about adults.",
    ],
)
def test_an_explanation_behind_an_answer_leaves_it(behind: str) -> None:
    assert answers.stated(f"Answer: C\n\n{behind}") == "C"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\\boxed{(7-8/8)*4} = 20", "(7-8/8)*4 = 20"),
        ("\\(\\boxed{x}\\) = 24", "x = 24"),
        ("\\boxed{24} = 24", "24"),
        ("\\boxed{x} = 2 + y", None),
        ("\\boxed{B} (Northeast)", "B (Northeast)"),
        ("\\boxed{5} (apples)", "5"),
    ],
)
def test_what_stands_beside_a_box_says_what_it_is(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    "behind",
    [
        *("No!", "Nope", "wait.", "Hmm.", "Never mind.", "Strike that.", "I take it back."),
        *("My mistake.", "That was a typo.", "I don't know.", "I give up.", "None of the above"),
        *("This is just a guess.", "However, this is speculative.", "Verification fails."),
        *("The correct answer is something else.", "However, A is also possible.", "Final: A"),
        *("**Result:** A", "∴ A", "=> A", "A is right.", "Switching to A.", "| Final answer | A |"),
        *("Therefore there are 0 right turns.", "This does not match the path.", "答案错误。"),
        *("Moment, das ist falsch.", "C'est faux, je crois.", "Or A.", "But I miscounted.", "❌"),
        *("That said, A remains plausible to me.", "Please treat this as a placeholder."),
        *("On closer inspection the path has one right turn.", "The key says the same as I do."),
        *("I have since found that the path goes on, which leaves A.", "Is this it?", "56"),
    ],
)
@pytest.mark.parametrize("said", ["\\boxed{C}", "The answer is C.", "Answer:\nC"])
def test_what_is_not_understood_behind_an_answer_leaves_it_open(said: str, behind: str) -> None:
    assert answers.stated(f"{said}\n\n{behind}") is None


@pytest.mark.parametrize(
    "behind",
    [
        "Done.",
        "Hope this helps!",
        "Let me know if you have any questions.",
        "So the answer is C.",
        "**C**",
        "Option B is wrong.",
        "Explanation: premise 4 says that no adult is loud, and Fiona is one.",
        "This answer is based on the rule stating that no adult is loud.",
        "According to the rule, no adult is loud, and Fiona is an adult.",
        "This path navigates around all walls and reaches the exit.",
        "Wait, let me double-check that.",
        "✅",
        "---",
    ],
)
@pytest.mark.parametrize("said", ["\\boxed{C}", "The answer is C.", "**Answer:** C"])
def test_what_may_follow_an_answer(said: str, behind: str) -> None:
    assert answers.stated(f"{said}\n\n{behind}") == "C"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\\(\\boxed{12}\\) minutes to catch the elephant.", "12 minutes"),
        ("Raymond has $\\boxed{20}$ dollars in her piggy bank.", "20 dollars"),
        ("\\boxed{25}\\%", "25\\%"),
        ("\\boxed{60}^\\circ", "60^\\circ"),
        ("- \\boxed{5}", "5"),
        ("1. \\boxed{5}", "5"),
        ("x = \\boxed{5}", "5"),
        ("so x \\Rightarrow \\boxed{5}", "5"),
        ("-\\boxed{5}", "- 5"),
        ("1 + \\boxed{5}", "1 + 5"),
        ("1\\boxed{5}", "1 5"),
        ("\\boxed{5}5", "5 5"),
        ("\\boxed{5}^2", "5 ^2"),
        ("x > \\boxed{5}", "> 5"),
        ("\\boxed{5} thousand", None),
        ("\\boxed{5} is a wrong number.", None),
        ("\\boxed{C}: 0 right turns", "C : 0 right turns"),
        ("\\boxed{C} violates the rules.", None),
        ("\\boxed{True} only if Alex is tall.", None),
        ("\\boxed{True}, because Alex is tall.", "True"),
    ],
)
def test_a_box_is_read_with_what_it_is_a_part_of(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "Wrong answer: \\boxed{C}",
        "A common mistake is to answer \\boxed{C}.",
        "My friend says \\boxed{C}.",
        "Perhaps \\boxed{C}",
        "It is false that the answer is \\boxed{C}",
        "Either \\boxed{C} or nothing.",
        "~~\\boxed{C}~~",
        "<del>\\boxed{C}</del>",
        "<!-- \\boxed{C} -->",
        "% \\boxed{C}",
        "\\cancel{\\boxed{C}}",
        "❌ \\boxed{C}",
        "When S counts, the answer is C.",
        "For left turns, the answer is C.",
        "The answer for left turns is C.",
        "The answer to a different maze is C.",
        "The answer (if S counts) is C.",
        "The answer is C, with S counted; otherwise A.",
        "Bob's answer is C.",
        "Fake answer: C",
        "Answer (tentative): C",
        "Therefore Bob is tall: **True**",
        "## Not the answer\n\nC",
        "The opposite of\n\nTrue",
        'Is "no" the right answer?\n\n**Yes.**',
        "The answer is 55, giving 56",
        "Answer: 55 because 17*3 = 51 and 51+5=56",
        "Answer:\n- C\n- A",
        "According to Bob, the answer is C.",
        "Given that S counts, the answer is C.",
        "Using the wrong maze, the answer is C.",
        "We have no idea, so the answer is C.",
        "half of \\boxed{55}",
        "An upper bound is \\boxed{55}",
        "Part (a): \\boxed{55}",
        "\\boxed{55} is an upper bound",
        "\\boxed{55} at least",
        "\\boxed{55} in base 8",
        "\\boxed{C}, which is A",
        "Student A wrote:\n\\boxed{C}",
        "The wrong solution was:\n\n\\boxed{C}",
        "Expected output format:\n\n\\boxed{C}",
        "Format:\nAnswer: C",
        "\\neg\\boxed{C}",
        '{"not": {"answer": "C"}}',
        '{"answer": "C", "note": "wrong"}',
    ],
)
def test_what_is_not_surely_the_answer_is_none(text: str) -> None:
    assert answers.stated(text) not in ("C", "True", "Yes", "55")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Since 4 is even, the answer is C.", "C"),
        ("So I'm fairly certain the answer is C.", "C"),
        ('The answer to the riddle "What has keys?" is C.', "C"),
        ("There are two right turns, so the answer is C.", "C"),
        ('{"reasoning": "It is not A.", "answer": "C"}', "C"),
        ("It has two turns.\n\nC", "C"),
        ("According to premise 2, the answer is C.", "C"),
        ("**Answer:** C ✅", "C"),
        ("The answer is **55** ✅", "55"),
        ("The answer is C. The path turns right twice.", "C"),
        ("The final answer is $C$. I hope it is correct.", "C"),
        ("Answer: 55\n\nFollowing the order of operations, multiplication comes first.", "55"),
    ],
)
def test_what_may_lead_to_an_answer(text: str, answer: str) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is C, I think.", None),
        ("The answer is C, we think.", None),
        ("The answer is C, I'll double-check.\n\nThe answer is C.", "C"),
        ("According to the book, the answer is C.", None),
        ("According to my friend, the answer is C.", None),
        ("According to the map, the answer is C.", "C"),
        ("According to the given information, the answer is C.", "C"),
        ("e.g. \\boxed{C}", None),
        ("It is small, e.g. 3. So \\boxed{C}", "C"),
        ("Example output:\n\nAnswer: C", None),
        ("Sample answer:\n\nAnswer: C", None),
        ("The answer is No. This can be verified directly.", "No"),
        ("The answer is No. 5.", "No. 5"),
        ("The answer is C. Option A is incorrect because it does not fit.", "C"),
        ("The answer is C. Options A, B and D are incorrect.", "C"),
        ("The answer is C. Options A and C are incorrect.", None),
        ("The answer is C. Option A is incorrect, and so is C.", None),
        ("The answer is C. Option A is right.", None),
        ("So it is kind, and the answer is **C**.", "C"),
        ("It is kind, and for left turns the answer is C.", None),
        ("So for left turns it is kind, and the answer is C.", None),
        ("The answer is 5. Not C.", None),
        ("The answer is 5, not C.", None),
        ("\\boxed{5}, not C.", None),
        ("Answer: 5. Option C is wrong.", None),
        ("The answer is C, not A.", "C"),
        ("The answer is C, not C.", None),
        ("Answer: `C`", "C"),
        ("The answer is C, as the troll said.", None),
        ("The answer is C, as the path turns twice.", "C"),
        ("The answer is C, as there are two turns.", "C"),
        ('The answer is "C", quoth the raven; mine is A.', None),
        ('The answer is "C", because the path turns twice.', "C"),
        ('[{"answer": "A"}, {"answer": "C"}]', None),
        ('[{"answer": "C"}]', "C"),
        ('See [1]. {"answer": "C"}', "C"),
    ],
)
def test_who_says_it_and_what_is_ruled_out(text: str, answer: str | None) -> None:
    said = answers.stated(text)
    assert said == answer or (answer is None and said != "C")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("**C. 2**\n\nThe path goes right, then down. Each change is a right turn.", "C. 2"),
        ("**C. 2**\n\n**Explanation:** This follows from the path.", "C. 2"),
        ("**C. 2**\n\nHope this helps!", "C. 2"),
        ("**True**\n\nAlex is kind, and everyone who is kind is happy.", "True"),
        ("**55**\n\nMultiplication comes first: 17 * 3 = 51, and then 51 + 4 = 55.", "55"),
        ("**C. 2**\n\nThis is the distractor.", None),
        ("**C. 2**\n\nIt is B.", "B"),
        ("**C. 2**\n\nLet's see whether it fits.", None),
        ("**C. 2**\n\nThe path turns.\n\n**D. 3**\n\nThe path turns again.", None),
        ("**C**\n\nolumn 3 is where the path ends.", None),
        ("**55**\n\nSubtract 1 to get the value.", None),
        ("**55**\n\nis the page number.", None),
        ("**1.**\n\nThe path starts at the top.", None),
        ("**Step 1**\n\nThe path starts at the top.", None),
        ("**Overview**\n\nThe path starts at the top.", None),
    ],
)
def test_a_bold_first_line_that_the_rest_explains(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It is simple.\n\n55\n\nI hope this helps!", "55"),
        ("It is simple.\n\n55\n\nLet me know if you'd like a more detailed explanation!", "55"),
        ("It is simple.\n\n55\n\nI hope this is a joke.", None),
        ("It is simple.\n\n```\n55\n```", "55"),
        ("It is simple.\n\n```text\n55\n```", "55"),
        ("It is simple.\n\n```python\n55\n```", None),
        ("It is simple.\n\n```\n54\n55\n```", None),
        ("It is simple.\n\n**Result:** 55", "55"),
        ("It is simple.\n\nResult: 55", "55"),
        ("It is simple.\n\nResult: 55?", None),
        ("It is simple.\n\n`55`", "55"),
    ],
)
def test_the_last_line_without_what_stands_around_it(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"\boxed{55} apples", "55"),
        (r"\boxed{55} cubic inches.", "55 cubic inches"),
        (r"\boxed{55} more roses than she threw away.", "55"),
        (r"\boxed{55} before adding the 4", None),
        (r"\boxed{55} excluding the last term", None),
        (r"\boxed{55} with the sign flipped", None),
        (r"\boxed{55} backwards", None),
        (r"\boxed{55} creo", None),
        (r"\boxed{55} on the first try, 119 on the second", None),
        ("答案是55。不对，应该是119。", None),
        ("La réponse est 55, ou peut-être 54.", None),
        ("Die Antwort ist 55, oder doch 54.", None),
        ("A resposta é 55, mas pode ser 54.", None),
        ("The answer is True, so the conclusion is false.", None),
        ("The answer is False, since the conclusion follows.", None),
        ("The answer is True, because the conclusion follows.", "True"),
        ("The answer is False, because the premises contradict it.", "False"),
        ("The answer is Uncertain, as it can be neither true nor false.", "Uncertain"),
        ("C is the answer to the first question; for this one it's B.", None),
        ("C is the answer to the question.", "C"),
    ],
)
def test_how_the_sentence_of_an_answer_goes_on(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Final answer: 54\n\\boxed{55}", None),
        ("The answer is 54. So:\n\n\\boxed{55}", None),
        ("The final answer is 54. Therefore: \\boxed{55}", None),
        ("The answer is $\\boxed{54}$.\n\nSo we have \\boxed{55}", None),
        ("<answer>54</answer>\n<answer>55</answer>", None),
        ('{"answer": "54""}', None),
        ("Answer: CO2\nAnswer: SO2", None),
        (">>> FINAL ANSWER: Right turns = 0\nAnswer: A. 0", "A. 0"),
        ("<answer>1</answer> no: <answer>2 or 3</answer>", "2 or 3"),
        ("Answer: The Bank\n\nAnswer: The Cafe", None),
        ("Answer: B\nAnswer: The Bank", "The Bank"),
        ("Answer: 5 apples\nAnswer: 5", "5"),
        ("Option 1: \\boxed{photon}\nOption 2: \\boxed{gluon}", None),
        ('{"answer": "54"}', "54"),
        ("<answer>No, it did not</answer> <answer>Yes</answer>", None),
        ("<answer>The Bank</answer> <answer>The Cafe</answer>", None),
        ("<answer>The Bank</answer> <answer>Bank</answer>", "Bank"),
        ("It is not <answer>54</answer> but <answer>55</answer>", "55"),
        ("The answer is B.\n\n\\boxed{C}", None),
        ("The answer is false.\n\n\\boxed{True}", None),
        ("The answer is south.\n\n\\boxed{north}", None),
        ("The answer is (7 - 8/8) * 5.\n\n\\boxed{(7 - \\frac{8}{8}) \\times 4}", None),
        ("Die Antwort ist 54.\n\n\\boxed{55}", None),
        ('{"answer": 54}\n\n\\boxed{55}', None),
        ("The answer is 54. Wait, I forgot one.\n\n\\boxed{55}", "55"),
        ("The answer is 55.0 dollars.\n\n\\boxed{55}", "55"),
        ("The answer is $1,055.\n\n\\boxed{1055}", "1055"),
        ("The answer is no.\n\n\\boxed{False}", "False"),
        ("The answer is 24.\n\n\\boxed{(7 - 8/8) * 4}", "(7 - 8/8) * 4"),
        ("The answer is (7 - 8/8) * 4.\n\n\\boxed{4 * (7 - 8/8)}", "4 * (7 - 8/8)"),
        ("The answer is Mary's aunt.\n\n\\boxed{2}", "2"),
        ("In the first step we get \\boxed{54}.\n\nIn the second, \\boxed{55}", "55"),
    ],
)
def test_two_answers_that_differ_are_none(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "> \\boxed{55}",
        "The user wrote:\n> The answer is 55.",
        'Another student said: "\\boxed{55}"',
        "The user proposed \\boxed{55}.",
        "A student's answer: \\boxed{55}",
        "Ignore the following line.\nAnswer: 55",
        "Format your reply as: \\boxed{55}",
        "### Example\nAnswer: 55",
        "The opposite of \\boxed{55}",
    ],
)
def test_what_is_quoted_is_no_answer(text: str) -> None:
    assert answers.stated(text) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("### Final answer\n> 55", "55"),
        ("The answer is **55**! 🎉", "55"),
        ("The answer is 55! 🎉", "55!"),
        ("**Answer:** 55 😊", "55"),
        ("**Final answer →** 55", "55"),
        ("So the value of the expression is 55.", "55"),
        ("The value of the expression $17 \\times 3 + 4$ is **55**.", "55"),
        ("The value of the expression is 55 if we add first.", None),
        ("So it is.\n\nErgebnis: 55", "55"),
        ("TL;DR: 55", "55"),
        ("Short answer: 55\n\nLong answer: First, 17 * 3 = 51, and then 51 + 4 = 55.", "55"),
        ('So: {"answer": "55", "confidence": 0.97}', "55"),
        ("So it is.\n\n#### B", "B"),
        ("**55**\n\nFirst, 17 * 3 = 51, and then 51 + 4 = 55.", "55"),
        ("**Northeast**\n\nThe Cafe stands there.", "Northeast"),
        ("Uncertain. There is not enough information to tell.", "Uncertain"),
        (
            "\\boxed{\\text{Uncertain}}\n\nThe premises do not tell us whether he is tall.",
            "Uncertain",
        ),
        ("\\boxed{Uncertain}\n\nIt cannot be determined, but it is probably true.", None),
        ("\\boxed{True}\n\nThe premises do not tell us whether he is tall.", None),
    ],
)
def test_plain_forms_that_models_write(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\\boxed{1}\\boxed{2}", None),
        ("$\\boxed{1}$ $\\boxed{2}$", None),
        ("\\boxed{1} papers and \\boxed{2} bins", "1, 2"),
        ("$\\boxed{(3, 3)} \\text{ for part (a) and } \\boxed{(1, 1)}$", None),
        ("Ann has \\boxed{1} of them, Bob \\boxed{2}.", None),
        ("(a) \\boxed{1}\n(b) \\boxed{2}", None),
        ("1. \\boxed{1}\n2. \\boxed{2}", None),
        ("$$\\boxed{1}$$\n\n$$\\boxed{2}$$", None),
        ("[[1]] [[2]]", None),
        ("\\boxed{2}\n\n\\boxed{2}", "2"),
        ("First \\boxed{1}, so in all \\boxed{2}.", "2"),
        ("$\\boxed{x = 2} \\implies \\boxed{5}$", "5"),
        ("In the first step we get \\boxed{1}. Then it is \\boxed{2}.", "2"),
    ],
)
def test_one_box_of_several_is_no_answer(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Therefore, $\\boxed{\\text{Evelyn}}$ is our answer.", "Evelyn"),
        ("So $x = \\boxed{5}$ is the final answer.", "5"),
        ("Thus, there are $\\boxed{5}$ distinct possible values for $B$.", "5"),
        ("Then, $129^{34} \\equiv \\boxed{5} \\pmod{11}.$", "5"),
        ("The remainder is $\\boxed{5}$ (mod 11).", "5"),
        ("\\begin{align*}\nx &= \\boxed{5}. \\end{align*}", "5"),
        ("\\begin{align*}\nx &= \\boxed{5}.\n\\end{align*}\n\nHope this helps!", "5"),
        ("\\[\\begin{aligned} x &= \\boxed{5} \\end{aligned}\\]", "5"),
        ("It is $\\boxed{5}$ dollars after 3 years. Final Answer: The answer is 5.", "5 dollars"),
        ("$\\boxed{5}$ percent", "5 percent"),
        ("$\\boxed{5}$ pct", "5 pct"),
        ("The sum is $\\boxed{5}$ m.", "5 m"),
        ("The area is $\\boxed{5}$ cm².", "5 cm²"),
        ("\\(\\boxed{5}\\text{ cm}^2\\)", "5 cm^2"),
        ("\\[\\boxed{5} \\text{ square units}\\]", "5 square units"),
        ("So it is \\boxed{28} inches.", "28 inches"),
        ("**$\\boxed{28}$** inches", "28 inches"),
        ("\\[\\boxed{28}\\] inches.", "28 inches"),
        ("He needs $\\boxed{28}$ inches of tape.", "28 inches"),
        ("The area is \\boxed{28} square meters.", "28 square meters"),
        ("He earns \\boxed{28} dollars per day.", "28 dollars per day"),
        ("There are \\boxed{28} apples.", "28"),
        ("It takes \\boxed{28} seconds to fall.", "28 seconds"),
        ("The value is between \\boxed{1} and \\boxed{5}.", "between 1, 5"),
        ("It lies between 1 and $\\boxed{5}$.", "between 1 and 5"),
        ("The distance between the two is \\boxed{5}.", "5"),
    ],
)
def test_a_box_within_its_sentence(text: str, answer: str) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "$\\boxed{5}$ is our answer?",
        "$\\boxed{5}$ is our answer to part (a).",
        "$\\boxed{5}$ is our answer divided by 2.",
        "$\\boxed{5}$ is Bob's answer.",
        "The square of $\\boxed{5}$ is our answer.",
        "The number after $\\boxed{5}$ is our answer.",
        "Nobody says that $\\boxed{5}$ is our answer.",
        "There may be $\\boxed{5}$ possible values for $B$.",
        "There are $\\boxed{5}$ possible values for $B$, but we need their sum.",
        "There are $\\boxed{5}$ possible values for $B$ at most.",
        "There are $\\boxed{5}$ possible values for $B$, I think.",
        "Then $x \\equiv \\boxed{5} \\pmod{11}$, so $x$ is 16.",
        "Then $x \\equiv \\boxed{5} \\pmod{11}$ fails.",
        "\\begin{align*} x &= \\boxed{5} \\end{align*} for part (a).",
        "\\begin{align*} x &= \\boxed{5} \\end{align*} Then we add 1.",
        "\\begin{align*} x &= \\boxed{5} \\end{align*}\n\n6",
        "If x is even, then\n\\begin{align*} x &= \\boxed{5} \\end{align*}",
        "$\\boxed{5}$ dollars after 3 years. The answer is 6.",
        "$\\boxed{5}$ dollars after 3 years. The answer is 5 at least.",
        "$\\boxed{5}$. The answer is 5 or 6.",
        "$\\boxed{5}$. The answer is 5 thousand.",
        "$\\boxed{5}$ percent more",
        "$\\boxed{5}$ m or so.",
        "$\\boxed{5}$ ft 3 in.",
        "$\\boxed{5}$ cm, says the book.",
        "$\\boxed{5}$ for part (a)",
        "$\\boxed{5}$, which contradicts the first case.",
    ],
)
def test_a_box_whose_sentence_goes_elsewhere_is_none(text: str) -> None:
    assert answers.stated(text) is None


ROWS = "\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (ROWS, ROWS),
        (ROWS.replace(" ", "\n"), ROWS),
        (f"It is so.\n\n{ROWS}", ROWS),
        (f"The matrix is not\n\n{ROWS}", None),
        (f"2{ROWS}", None),
        (f"{ROWS} is wrong", None),
        (f"{ROWS} = {ROWS}", None),
        ("First compute 6*7.\n42", "42"),
        ("I am not sure.\n42", None),
        ("These are the numbers.\n41\n42", None),
        ("These are the numbers.\n41\n\n42", None),
        ("### 42", "42"),
        ("So x.\n### 42", "42"),
        ("### 42.", None),
        ("### 42\nThe path is long.", None),
        ("### Step 42", None),
    ],
)
def test_a_last_line_that_is_a_matrix_or_a_number(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is for sure D, it can't be A or B", "D"),
        ("The answer: D, it doesn't make sense for it to be A or B", "D"),
        ("D. it can't be A or B", "D"),
        ("Answer: D, it cannot be A, B, or C.", "D"),
        ("The answer is D, it can't be A or D", None),
        ("The answer is D, it can be A or B", None),
        ("The answer is D, it can't be A, but it may be B", None),
        ("D? it can't be A or B", None),
        ("D. it can't be A or D", None),
        ("D or C. it can't be A or B", None),
    ],
)
def test_an_option_that_is_left_when_others_are_ruled_out(text: str, answer: str | None) -> None:
    said = answers.stated(text)
    assert said == answer or (answer is None and said != "D")


def test_the_result_of_a_step_is_no_earlier_answer() -> None:
    assert answers.stated("1. Shift it:\n   - Final result: CAB\n\nAnswer: BAC") == "BAC"
    assert answers.stated("Final result: CAB\n\nAnswer: BAC") is None


def test_an_answer_behind_a_verifiers_note_takes_the_first_one_back() -> None:
    text = f"Answer: 54\n{Profile('any').note('54 is not 55', answering=True)}Answer: 55\n"
    assert answers.stated(text) == "55"
    assert answers.stated("Answer: 54\nAnswer: 55\n") is None


def test_another_attempt_takes_the_place_of_the_one_above() -> None:
    assert answers.stated("Answer: 54\nAlternatively\n5 * 11 = 55\nAnswer: 55\n") == "55"
    assert answers.stated("Answer: 54\nAlternatively, the answer may be 55.\nAnswer: 55\n") is None
    assert answers.stated("The answer is 54. Alternatively, the answer is 55.") is None


@pytest.mark.parametrize("heading", [">> FINAL ANSWER:", "FINAL ANSWER:", "## Answer"])
@pytest.mark.parametrize("quotes", ['"""', "'''", "```"])
def test_an_answer_in_quotes_on_lines_of_their_own(heading: str, quotes: str) -> None:
    assert answers.stated(f"12 + 5 = 17\n\n{heading}\n{quotes}\n17 pears\n{quotes}") == "17 pears"


def test_an_answer_in_quotes_that_its_text_takes_back() -> None:
    text = '>> FINAL ANSWER:\n"""\n17\n"""\n\n'
    assert answers.stated(f"{text}Wait, that is wrong.") is None
    assert answers.stated(f"{text}The final answer is 18.") is None


def test_an_answer_behind_hashes_at_the_end_of_a_line() -> None:
    assert answers.stated("4. Thus, Ida has 17 pears in all. #### 17") == "17"
    assert answers.stated("4. Thus, the answer is 16. #### 17") is None
