"""What a critic reads and writes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.verifiers import Critique, parse


class TestParse:
    @pytest.mark.parametrize(
        ("reply", "expected"),
        [
            (r"Fine. \boxed{-1}", Critique(-1, "Fine.")),
            (r"Step 1 says 5. \boxed{1}", Critique(1, "Step 1 says 5.")),
            (r"\boxed{ 0 }.", Critique(0)),
            (r"\boxed{−1}", Critique(-1)),
            (r"\boxed{\text{step 2}}", Critique(2)),
            (r"\boxed{Step_2}", Critique(2)),
            (r"First \boxed{0}, no: \boxed{2}", Critique(2, r"First \boxed{0}, no:")),
            (r"All is right. \boxed{1}", Critique(1, "All is right.")),
            (r"wrong \boxed{3}", Critique(None, "wrong")),
            (r"wrong \boxed{-2}", Critique(None, "wrong")),
            (r"\boxed{1} or \boxed{none}", Critique(None, r"\boxed{1} or")),
            (r"\boxed{0} and \boxed{1}", Critique(None, r"\boxed{0} and")),
            (r"\boxed{0}, or \boxed{-1} if all is right", Critique(None, r"\boxed{0}, or")),
            (r"\boxed{1}. Wait, that is right.", Critique(None)),
            (r"\boxed{1} is wrong: it says 5.", Critique(1)),
            (r"\boxed{...}", Critique(None)),
            (r"$\boxed{-1}$.</answer>", Critique(-1, "$")),
            (r"\[ \boxed{-1} \]", Critique(-1, r"\[")),
            ("\\boxed{-1}\n```<|im_end|>", Critique(-1)),
            (r"\boxed{-1}. No, that is not right: step 1 fails", Critique(None)),
            ("\\boxed{-1}\nNow step 2: it is wrong.", Critique(None)),
            (r"\boxed{-1} Moment, Schritt 2 ist falsch", Critique(None)),
            (r"\boxed{-1}?", Critique(None)),
            *(
                (rf"{lead} \boxed{{-1}}", Critique(None, lead.strip()))
                for lead in (
                    "If all were right, I would write",
                    "I cannot say",
                    "Step 1 adds 3 to 4 and has 8.\nThe answer is not",
                    "Unless step 1 is wrong,",
                    "Do not write",
                    "The format for no error is\n",
                    "As the student writes:",
                    "A careless judge would say",
                    "Judge 2:",
                    "Without step 2 it would be",
                    "Anything but",
                    "Then end with one box:",
                    "Assuming that step 1 is right:\n\n",
                    "Je ne peux pas écrire",
                    "不是",
                    ">",
                    "%",
                    '"',
                    "~~",
                    "\\neg",
                    "Step 2 is wrong.",
                    "The solution is incorrect.\n\n",
                )
            ),
            *(
                (rf"{lead} \boxed{{-1}}", Critique(-1, lead.strip()))
                for lead in (
                    "No step is wrong, so the answer is",
                    "Since the solution does not contain an error, I return",
                    "If all is right we return -1, and so the index is",
                    "Step 1 is not what I would write. **Final answer**:",
                    "Is step 1 wrong? It adds 3 to 4 and has 7.",
                    "Every step holds.\n\n### Final answer\n",
                    "Every step is correct, so no step is wrong:",
                    "The first wrong step:",
                    "Alle Schritte stimmen.\n\n",
                    "fine",
                )
            ),
            (r"\boxed{2} vs. \boxed{-1}", Critique(None, r"\boxed{2} vs.")),
            (
                "Strict: \\boxed{1}\nLenient: \\boxed{-1}",
                Critique(None, "Strict: \\boxed{1}\nLenient:"),
            ),
            ("\\boxed{-1}\n\n\\boxed{-1}", Critique(-1, r"\boxed{-1}")),
            (r"\boxed{", Critique(None)),
            (r"\boxed{1", Critique(None)),
            (r"\boxed{1.5}", Critique(None)),
            ("the first step is 1", Critique(None, "the first step is 1")),
            ("", Critique(None)),
        ],
    )
    def test_the_last_box_counts(self, reply: str, expected: Critique) -> None:
        assert parse(reply, 3) == expected

    @pytest.mark.parametrize(
        ("reply", "index"),
        [
            (r"First mistake: -1. \boxed{-1}", -1),
            (r"The first error is at step -1 \boxed{-1}", -1),
            (r"flaw -1 of 3 \boxed{-1}", -1),
            (r"looked at it \boxed{-1}", -1),
            (r"I have checked each of the steps \boxed{-1}", -1),
            (r"I have checked step 2 \boxed{-1}", None),
            (r"I have not checked it \boxed{-1}", None),
            (r"flaw 1 of 3 \boxed{-1}", None),
            (r"flaw -1 or 2 \boxed{-1}", None),
            (r"I am unable to check it. \boxed{-1}", None),
            (r"Score: \boxed{-1}", None),
            (r"The first error is not at -1 \boxed{-1}", None),
        ],
    )
    def test_a_sentence_may_say_the_index_first(self, reply: str, index: int | None) -> None:
        assert parse(reply, 4).index == index

    @pytest.mark.parametrize(("reply", "index"), [(r"\boxed{-1}", None), (r"\boxed{1}", 1)])
    def test_a_reply_that_was_cut_off_passes_nothing(self, reply: str, index: int | None) -> None:
        assert parse(reply, 3, whole=False).index == index

    @given(
        st.text() | st.from_regex(r"(\\boxed\{[^a]{0,8}\}?| x)*", fullmatch=True), st.integers(0, 9)
    )
    def test_whatever_is_said_an_index_is_one_of_a_step(self, reply: str, steps: int) -> None:
        index = parse(reply, steps).index
        assert index is None or -1 <= index < steps
