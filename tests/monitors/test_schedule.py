from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agentflow.monitors.monitor import LOOKBACK, Increment, Memory
from agentflow.monitors.schedule import Place, Schedule
from agentflow.profile import HESITATIONS

LINES = re.compile(r"[^\n]*\n|[^\n]+")


def increments(tokens: Iterable[str], start: int = 0) -> list[Increment]:
    """Tokens as a monitor is fed them: one with line breaks in it comes in parts."""
    found, offset = [], start
    for token in tokens:
        parts = LINES.findall(token) or [""]
        for number, part in enumerate(parts, 1):
            found.append(Increment(part, offset, int(number == len(parts)), False))
            offset += len(part)
    return found


def lines(text: str) -> list[Increment]:
    return increments(LINES.findall(text))


def follow(
    schedule: Schedule, read: Sequence[Increment], memory: Memory | None = None
) -> list[Place]:
    """The check points; the memory goes through JSON and is never changed in place."""
    memory, places = memory or {}, list[Place]()
    for increment in read:
        kept = json.dumps(memory)
        after, found = schedule.step(memory, increment)
        assert json.dumps(memory) == kept
        assert json.loads(json.dumps(after)) == after
        memory = after
        places += found
    return places


def offsets(schedule: Schedule, read: Sequence[Increment]) -> list[int]:
    return [place.offset for place in follow(schedule, read)]


class TestLines:
    def test_behind_every_line_that_says_something(self) -> None:
        assert offsets(Schedule(at="line"), lines("a\n\n \nb\n")) == [2, 7]

    def test_the_last_line_needs_no_line_break(self) -> None:
        assert offsets(Schedule(at="line"), lines("a\nb")) == [2, 3]

    def test_every_third(self) -> None:
        assert offsets(Schedule(at="line", every=3), lines("a\nb\n\nc\nd\ne\nf\n")) == [7, 13]


class TestParagraphs:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a\n\nb\n\n", [3, 6]),
            ("a\nb\n\nc", [5]),  # the last one has not ended
            ("a\r\n\r\nb", [5]),
            ("a\n\n\n\n\nb\n\n", [3, 9]),  # several blank lines count once
            ("a\n \t\nb", [5]),
            ("\n\n\na\n\n", [6]),  # nothing was said before
            ("a\n", []),
            ("a\n  ", []),  # a line may still come of it
            ("", []),
        ],
    )
    def test_behind_the_first_blank_line(self, text: str, expected: list[int]) -> None:
        assert offsets(Schedule(at="paragraph"), lines(text)) == expected

    def test_every_second(self) -> None:
        assert offsets(Schedule(at="paragraph", every=2), lines("a\n\nb\n\nc\n\nd\n\n")) == [6, 12]

    @given(st.lists(st.sampled_from(["a\n", "\n", " \n", "b", "\r\n"])))
    def test_is_what_a_look_at_the_whole_text_finds(self, parts: list[str]) -> None:
        text = "".join(parts)
        found = re.finditer(r"[^\n]*\S[^\n]*\n(?:[^\S\n]*\n)", text)
        assert offsets(Schedule(at="paragraph"), lines(text)) == [match.end() for match in found]


class TestTokens:
    def test_behind_every_so_many(self) -> None:
        tokens = ["a", " b", "", "\n", "c", "d"]
        assert offsets(Schedule(at="tokens", every=2), increments(tokens)) == [3, 4, 6]

    def test_behind_the_whole_token_though_it_holds_line_breaks(self) -> None:
        assert offsets(
            Schedule(at="tokens", every=1), increments(["a", ".\n\n", "b\nc\n", "d"])
        ) == [
            1,
            4,
            8,
            9,
        ]

    def test_behind_no_token_that_completes_no_letter(self) -> None:
        assert offsets(
            Schedule(at="tokens", every=2), increments(["a", "", "", "é\nf", "b", "c"])
        ) == [4, 6]

    def test_more_than_there_are(self) -> None:
        assert offsets(Schedule(at="tokens", every=7), increments(["a"] * 6)) == []


class TestKeywords:
    def find(self, tokens: Iterable[str], *keywords: str, every: int = 1) -> list[int]:
        return offsets(
            Schedule(at="keyword", every=every, keywords=keywords or ("Wait",)), increments(tokens)
        )

    @pytest.mark.parametrize(
        ("tokens", "expected"),
        [
            (["ok", ".", " Wait", ",", " no"], [3]),
            (["Wait", ","], [0]),
            (["Wait"], []),  # it may become Waiter
            (["Wait", "er", " waits"], []),
            (["a", "wait", " b", *(" c" for _ in range(2 * LOOKBACK))], []),  # it is await
            (["wait", " WAIT", "!"], [0, 4]),  # whatever the case
            (["W", "a", "i", "t", "."], [0]),
            (["so", "\n\nWait", ","], [4]),
            (["Wait\n", "x"], [0]),
            (["so W", "ait", " W", "ait ", "x"], [0, 7]),  # where the token began
            (["Wait, W", "ould", " W", "ait", ","], [0, 11]),  # and no one is found twice
            (["Wa", "", "", "it", "", "."], [0]),
            ([], []),
        ],
    )
    def test_before_every_whole_word(self, tokens: list[str], expected: list[int]) -> None:
        assert self.find(tokens) == expected

    def test_the_longest_counts_and_only_once(self) -> None:
        tokens = ["But", " wait", ",", " make", " so", " make", " sure", " so"]
        assert self.find(tokens, *HESITATIONS) == [0, 17]

    def test_a_word_begun_in_vain_hides_no_other(self) -> None:
        assert self.find(["Let", " me", " Wait", "."], *HESITATIONS) == [6]
        assert self.find(["But", " But", " wait", "."], *HESITATIONS) == [3]

    def test_a_keyword_may_begin_or_end_in_anything(self) -> None:
        assert self.find(["done", "\n\nWait", ","], "\n\nWait") == [4]
        assert self.find(["1", "+", "(", "?"], "+(") == [1]

    def test_every_second(self) -> None:
        assert self.find(["Wait", "."] * 5, every=2) == [5, 15]

    def test_two_in_one_token_are_one_place(self) -> None:
        assert self.find(["so", " Wait. Wait. ", "x", " Wait", "."], every=2) == [16]
        assert self.find(["so", " Wait. Wait", ".", " Wait", "."]) == [2, 14]

    def test_no_word_goes_on_behind_a_boundary(self) -> None:
        schedule = Schedule(at="keyword")
        read = increments(["ok", " Wa"])
        read.append(Increment("", 5, 0, False, "feedback"))
        read += increments(["it", "."], 5)
        assert follow(schedule, read) == []
        assert offsets(schedule, [*read, *increments(["Wait", "."], 8)]) == [8]

    def test_one_that_began_too_long_ago_is_none(self) -> None:
        """Where it began, no memory could be restored."""
        for letters, expected in ((LOOKBACK - 1, [0]), (LOOKBACK, [])):
            assert self.find(["W" * letters, "."], "W" * letters) == [0]
            assert self.find(["W"] * letters + ["."], "W" * letters) == expected

    def test_it_says_how_many_tokens_were_read_behind(self) -> None:
        read = increments(["x", " W", "a", "", "it", ".", " y"])
        assert follow(Schedule(at="keyword"), read) == [Place(1, 5, "Wait")]
        assert follow(Schedule(at="keyword"), increments(["a\nWait", "."])) == [Place(2, 2, "Wait")]

    @given(
        st.lists(
            st.sampled_from(
                ["wait", "W", "ait", "Wait. wait", " ", "\n", "wa", "it", "But", ".", "", "x"]
            )
        ),
        st.sampled_from([("Wait",), ("Wait", "But wait"), ("but", "it"), ("Wait", ".")]),
    )
    def test_is_what_a_look_at_the_whole_text_finds(
        self, tokens: list[str], keywords: tuple[str, ...]
    ) -> None:
        """But for words that are spread over more increments than can be restored."""
        read = increments(tokens)
        text = "".join(tokens)
        words = "|".join(
            rf"\b{word}\b" if word.isascii() and word[0].isalpha() else re.escape(word)
            for word in sorted(keywords, key=len, reverse=True)
        )
        expected = []
        for found in re.finditer(rf"(?:{words})(?=[\s\S])", text, re.IGNORECASE):
            spread = [
                one.offset
                for one in read
                if one.offset + len(one.text) > found.start() and one.offset <= found.end()
            ]
            if len(spread) >= LOOKBACK:
                return
            expected.append(spread[0])
        assert offsets(Schedule(at="keyword", keywords=keywords), read) == sorted(set(expected))


class TestAuto:
    def test_every_place_may_be_one(self) -> None:
        read = lines("one\ntwo\nthree\n")
        assert follow(Schedule(at="line", every="auto"), read) == follow(Schedule(at="line"), read)

    def test_but_not_every_token(self) -> None:
        read = increments(["a"] * 100)
        every = follow(Schedule(at="tokens", every="auto"), read)
        assert every == follow(Schedule(at="tokens", every=16), read)

    @pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "often", None, [], float("inf")])
    def test_what_is_neither_is_one_error(self, wrong: object) -> None:
        with pytest.raises(ValidationError) as found:
            Schedule(every=wrong)  # type: ignore[arg-type]
        (error,) = found.value.errors()
        assert error["loc"] == ("every",)
        assert error["msg"] == "Input should be a whole number from 1 on, or auto"
