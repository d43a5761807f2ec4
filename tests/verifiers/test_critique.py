"""What a critic reads and writes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.profile import HESITATIONS
from agentflow.verifiers import Critique, numbered, parse, segment

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
            (r"\boxed{", Critique(None)),
            (r"\boxed{1", Critique(None)),
            (r"\boxed{1.5}", Critique(None)),
            ("the first step is 1", Critique(None, "the first step is 1")),
            ("", Critique(None)),
        ],
    )
    def test_the_last_box_counts(self, reply: str, expected: Critique) -> None:
        assert parse(reply, 3) == expected

    @given(
        st.text() | st.from_regex(r"(\\boxed\{[^a]{0,8}\}?| x)*", fullmatch=True), st.integers(0, 9)
    )
    def test_whatever_is_said_an_index_is_one_of_a_step(self, reply: str, steps: int) -> None:
        index = parse(reply, steps).index
        assert index is None or -1 <= index < steps
