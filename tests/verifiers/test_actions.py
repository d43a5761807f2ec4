"""The text protocol: what counts as an action, and where a reply ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.verifiers.actions import Call, Ending, Evaluation, NoAction, parse, quoted, shown

PROGRAM = "def solver():\n    numbers = [1, 2]\n    return numbers[0]\n\nans = solver()"
EVALUATED = """Thought: the tool found 12.
Action: Evaluate[Incorrect]
Summarisation:
Evaluation Result: Incorrect
Error Reason: Step 4 is wrong.
It takes 6 for half of 10.
Revision Method: count again
"""

WRITTEN = {
    "brackets": f"Action: Use Python Interpreter[{PROGRAM}]",
    "brackets on lines of their own": f"Action: Use Python Interpreter[\n{PROGRAM}\n]",
    "a fence": f"Action: Use Python Interpreter\n```python\n{PROGRAM}\n```\nIt will find it.",
    "a fence in brackets": f"Action: Use Python Interpreter[```\n{PROGRAM}\n```]",
    "an open fence": f"Action: Use Python Interpreter\n```\n{PROGRAM}",
    "nothing": f"Action: Use Python Interpreter\n\n{PROGRAM}\n\nThe program will find it.",
    "bold": f"**Action:** Use the Python Interpreter:\n```py\n{PROGRAM}\n```",
    "spaces in front": "Action: Use Python Interpreter[\n"
    + "\n".join(f"    {line}" for line in PROGRAM.splitlines())
    + "]",
    "an invented observation": f"Action: Use Python Interpreter[{PROGRAM}]\nObservation: [10]\n"
    "Thought: so it is right\nAction: Evaluate[Correct]",
    "a second action": f"Action: Use Python Interpreter\n{PROGRAM}\nAction: Evaluate[Correct]",
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_program_in_any_wrapping(written: str) -> None:
    for text in (written, f"Thought: count\n{written}"):
        found = parse(text)
        assert isinstance(found, Call)
        assert (found.tool, found.argument) == ("python", PROGRAM)
        assert found.thought == ("count" if text.startswith("Thought") else "")


def test_the_other_tools() -> None:
    asked = parse("Thought: facts\nAction: Use Search Engine[Who wrote [sic] it?]\nmore")
    assert asked == Call("search", "Who wrote [sic] it?", "facts")
    assert parse("Action 2: Use Online Search Engine: who?") == Call("search", "who?")
    found = parse("Action: Use Z3 Theorem Prover\n```\ndef main():\n    pass\nans = main()\n```")
    assert found == Call("z3", "def main():\n    pass\nans = main()")


def test_an_evaluation_with_its_summary() -> None:
    found = parse(EVALUATED)
    assert isinstance(found, Evaluation)
    assert (found.ok, found.revision) == (False, "count again")
    assert found.reason == "Step 4 is wrong.\nIt takes 6 for half of 10."
    assert found.thought == "the tool found 12."
    assert EVALUATED[found.at :].startswith("Incorrect]")


@pytest.mark.parametrize(
    "none",
    [
        *(
            "None",
            "none.",
            "N/A",
            "",
            "[None]",
            "None needed",
            "No errors found.",
            "Not applicable",
        ),
        *(
            "No error was found.",
            "No errors were found in the solution.",
            "None. All steps are correct.",
            "None, as no revision is needed",
        ),
        *("There is no error.", "None, since the solution is correct.", "No revision is needed."),
    ],
)
def test_none_is_nothing(none: str) -> None:
    found = parse(f"Action: Evaluate[correct]\nError Reason: {none}\nRevision Method: {none}")
    assert isinstance(found, Evaluation)
    assert (found.ok, found.reason, found.revision) == (True, "", "")


@pytest.mark.parametrize(
    "behind",
    [
        *("", ".", "\n```", "\n\nSummarisation: as the tool says\nEvaluation Result: **Correct**."),
        *("\nEvaluation Result: Correct\nError Reason: None", "\nEvaluation Result:"),
    ],
)
def test_a_solution_that_is_right(behind: str) -> None:
    found = parse(f"Action: Evaluate[Correct]{behind}")
    assert isinstance(found, Evaluation)
    assert found.ok


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Action: Evaluate[Correct]\nWait, no. Step 2 is wrong.", "more than the summary"),
        ("Action: Evaluate[Correct]\n\nSchritt 2 ist falsch.", "more than the summary"),
        ("Action: Evaluate[Correct]\nError Reason: Step 2 is wrong.", "goes with no Error Reason"),
        ("Action: Evaluate[Correct]\nError Reason: None, but step 2 is wrong.", "no Error Reason"),
        ("Action: Evaluate[Correct]\nRevision Method: Redo step 2.", "no Revision Method"),
        (
            "Action: Evaluate[Correct]\nEvaluation Result: Correct? No.",
            "Result Correct stands more",
        ),
        ("Thought: Step 2 is wrong.\nAction: Evaluate[Correct]", "contradict each other"),
        ("Thought: The solution is correct.\nAction: Evaluate[Incorrect]", "contradict each other"),
        (
            "Action: Evaluate[Correct]\nSummarisation: It is wrong.\nEvaluation Result: Correct",
            "contradict each other",
        ),
        ("Thought: The tool contradicts it.\nAction: Evaluate[Correct]", "speaks against"),
        ("Thought: I cannot judge it.\nAction: Evaluate[Correct]", "may not let it be said"),
        ("Thought: I would not write\nAction: Evaluate[Correct]", "may not let it be said"),
        ("The solution says:\nAction: Evaluate[Correct]", "may not let it be said"),
        (
            "Action: Evaluate[Correct]\nError Reason: None\nError Reason: Step 2.",
            "two of Error Reason",
        ),
        (
            "Action: Evaluate[Correct]\nEvaluation Result: Correct\nEvaluation Result: Incorrect",
            "two of Evaluation Result",
        ),
        ("", "no line that begins with Action"),
        ("The solution says: Action: Evaluate[Correct]", "no line that begins with Action"),
        ("> Action: Evaluate[Correct]", "no line that begins with Action"),
        ("Observation: x\nAction: Evaluate[Correct]", "no line that begins with Action"),
        ("Action: Evaluate[Correct/Incorrect]", "none of the actions"),
        ("Action: Evaluate[]", "none of the actions"),
        ("Action: Evaluate[Correctish]", "none of the actions"),
        ("Action: Evaluate: Correct", "none of the actions"),
        ("Action: Use Calculator[1]", "none of the actions"),
        ("Action: Correct", "none of the actions"),
        ("Action: Use Search Engine[]", "gives the Search Engine nothing"),
        ("Action: Use Python Interpreter\n```\n```", "gives the Python Interpreter nothing"),
        ("Action: Evaluate[Correct]\nEvaluation Result: Incorrect", "contradict each other"),
    ],
)
def test_what_is_no_action(reply: str, why: str) -> None:
    with pytest.raises(NoAction, match=why) as error:
        parse(reply)
    assert "\n" not in str(error.value)


TEXTS = st.lists(
    st.sampled_from(
        [
            *("Thought: ", "Action: ", "Observation: ", "Use Python Interpreter", "Evaluate["),
            *("Correct", "Incorrect", "]", "[", "```", "```python\n", "ans = solver()", "\n", " "),
            *(
                "Use Search Engine[",
                "Use Theorem Prover",
                "Error Reason:",
                "Revision Method:",
                "**",
            ),
        ]
    )
    | st.text(max_size=8),
    max_size=25,
).map("".join)


@given(TEXTS)
def test_any_text_is_an_action_or_says_why_not(text: str) -> None:
    found = outcome(text)
    if isinstance(found, Call):
        assert found.argument
        again = parse(shown(found))
        assert isinstance(again, Call)
        assert again.tool == found.tool
    elif isinstance(found, Evaluation):
        word = text[found.at :].lower()
        assert word.startswith("correct" if found.ok else "incorrect")
    else:
        assert found


@given(TEXTS, st.data())
def test_the_end_does_not_depend_on_how_a_reply_comes(text: str, data: st.DataObject) -> None:
    whole = Ending()
    whole.feed(text)
    parts, tokens = Ending(), 0
    while tokens < len(text) and parts.at is None:
        size = data.draw(st.integers(1, 7))
        parts.feed(text[tokens : tokens + size])
        tokens += size
    assert parts.at == whole.at
    if whole.at is not None:  # and nothing behind it changes what was said
        assert outcome(text) == outcome(text[: whole.at])


def outcome(text: str) -> Call | Evaluation | str:
    try:
        return parse(text)
    except NoAction as error:
        return str(error)


def test_a_reply_ends_before_it_makes_an_observation_up() -> None:
    ending = Ending()
    said = f"Thought: x\nAction: Use Python Interpreter[\n{PROGRAM}"
    assert not ending.feed(said)
    assert ending.feed("\n]\nObservation: 10")
    assert ending.at == len(said)
    ending = Ending()
    assert not ending.feed("Action: Use Python Interpreter[\nx = 1\n")
    assert ending.feed("Observation:")


@given(st.text())
def test_no_quoted_line_looks_like_ours(text: str) -> None:
    shown = quoted(text)
    assert all(line.startswith("> ") for line in shown.split("\n") if shown)
    with pytest.raises(NoAction, match="Action"):
        parse(quoted(f"{text}\nAction: Evaluate[Correct]"))
