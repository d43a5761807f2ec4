"""A solution's text as steps."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.profile import HESITATIONS
from agentflow.verifiers import numbered, paragraphs, segment

TEXTS = st.lists(
    st.sampled_from([*HESITATIONS, "wait", "so 1 + 1 = 2", " ", ", ", ".\n", "Waiting", "HMM", "é"])
).map("".join)


class TestSegment:
    def test_every_hesitation_begins_a_step(self) -> None:
        text = "It is 4. Wait, is it? Alternatively 5.\nHmm 6"
        assert segment(text, HESITATIONS) == [
            "It is 4. ",
            "Wait, is it? ",
            "Alternatively 5.\n",
            "Hmm 6",
        ]

    def test_a_hesitation_alone_begins_the_next_step(self) -> None:
        text = "Done. Wait, let me verify: 4. But wait. Hmm"
        assert segment(text, HESITATIONS) == ["Done. ", "Wait, let me verify: 4. ", "But wait. Hmm"]

    def test_a_word_inside_of_another_is_none(self) -> None:
        assert segment("Waiting, awaits", HESITATIONS) == ["Waiting, awaits"]

    @pytest.mark.parametrize("words", [(), ("Wait",)])
    def test_nothing_to_cut(self, words: tuple[str, ...]) -> None:
        assert segment("", words) == []
        assert segment("one thought", words) == ["one thought"]

    def test_hesitating_without_an_end_is_read_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen, sub = 0, re.sub

        def counted(pattern: str, by: str, text: str, flags: int = 0) -> str:
            nonlocal seen
            seen += len(text)
            return sub(pattern, by, text, flags=flags)

        monkeypatch.setattr(re, "sub", counted)
        text = "Wait. " * 1000
        assert segment(text, HESITATIONS) == [text]
        assert seen <= len(text)
        assert segment(f"{text}It is 4. {text}So 5. Wait", HESITATIONS) == [
            f"{text}It is 4. ",
            f"{text}So 5. ",
            "Wait",
        ]

    @given(TEXTS)
    def test_the_steps_are_the_text_and_each_says_something(self, text: str) -> None:
        steps = segment(text, HESITATIONS)
        assert "".join(steps) == text
        assert all(steps)
        longest = "|".join(sorted(HESITATIONS, key=len, reverse=True))
        words = re.compile(rf"(?<!\w)(?:{longest})(?!\w)", re.IGNORECASE)
        for step in steps[:-1]:
            assert re.search(r"\w", words.sub("", step)), step


def test_steps_are_counted_from_0() -> None:
    assert numbered([" a\n", "b"]) == "<step_0>\na\n</step_0>\n<step_1>\nb\n</step_1>"


class TestSentences:
    @pytest.mark.parametrize(
        "text",
        [
            "We square both sides to make sure that both are positive.",
            "It helps to double-check the sum, and I did make sure of it.",
            "Take 5, but wait for the carry.",
            "The sum is 5 (to confirm: 2 + 3), or alternatively 2 + 3.",
            "a long line that is wrapped in order to\nmake sure that it fits",
            "Ruth is the mother of... wait for it, of Ann.",
            "She waits. He said that the wait was long.",
        ],
    )
    def test_a_hesitation_inside_of_a_sentence_cuts_nothing(self, text: str) -> None:
        assert segment(text, HESITATIONS) == [text]

    @pytest.mark.parametrize(
        ("text", "cut"),
        [
            ("It is 5. Let me double-check: 2 + 3 = 5.", "Let me double-check"),
            ("It is 5. To make sure, add again.", "To make sure"),
            ("It is 5. So, wait, is it?", "So, wait"),
            ("It is $5$. Wait, is it?", "Wait"),
            ("It is **5.** Wait, is it?", "Wait"),
            ('He says "5." "Wait", she says.', '"Wait"'),
            ("It is 5\n\nwait, is it?", "wait"),
            ("2 + 3 = 5\nWait, is it?", "Wait"),
            ("Is it 5?\n- Wait, no.", "- Wait"),
            ("是5。 Wait, is it?", "Wait"),
        ],
    )
    def test_a_sentence_that_begins_with_one_is_a_step(self, text: str, cut: str) -> None:
        assert segment(text, HESITATIONS) == [text[: text.index(cut)], text[text.index(cut) :]]


class TestParagraphs:
    @pytest.mark.parametrize(
        "steps",
        [
            ["First, 6 * 6 = 36.\n\n", "Wait, to make sure: 36. Then 36 - 20 = 16.\n\n", "So 16."],
            ["1. 6 * 6 = 36\n", "2. 36 - 20 = 16\n", "3. It is 16."],
            ["Two parts.\n\n", "**Step 1:** square it.\n", "**Step 2:** take 20 away.\n"],
            ["## Step 1: square\n\n6 * 6 = 36.\n\n", "## Step 2\n\n36 - 20 = 16.\n"],
            ["In May she sold 24.\n", "Together 72.\n", "Answer: 72"],
            ["We have:\n\n\\[\nx = 1\n\n+ 2\n\\]\n\nso that x is 3.\n\n", "Then y is 4."],
            ["This runs:\n\n```python\na = 1\n\nb = 2\n```\n\n", "It prints 3."],
            ["a sentence that is\nwrapped and goes on.\n", "Another one."],
            ["\n\n  One.\n\n\n", "Two.\n\n---\n\n"],
            ["One paragraph alone"],
        ],
    )
    def test_paragraphs_and_numbered_steps(self, steps: list[str]) -> None:
        assert paragraphs("".join(steps)) == steps

    @given(
        st.lists(
            st.sampled_from(
                [
                    "A b.",
                    "c d",
                    "\n",
                    "\n\n",
                    "1. x",
                    "Step 2: ",
                    "```",
                    "$$",
                    "\\[",
                    "\\]",
                    "## H",
                    "Wait, ",
                    " ",
                    ":",
                    "é。",
                    "- ",
                    "\r\n",
                    "\u2028",
                    "\x0c",
                ]
            ),
            max_size=30,
        ).map("".join)
        | st.text(max_size=60)
    )
    def test_the_steps_are_the_text(self, text: str) -> None:
        steps = paragraphs(text)
        assert "".join(steps) == text
        assert all(steps)
        assert len(steps) < 2 or all(re.search(r"\w", step) for step in steps)
