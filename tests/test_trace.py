from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.trace import Segment, Trace, extend

PROMPT = Segment("prompt", "Q: ", (900, 901))


def generated(*tokens: str, first_id: int = 0) -> Segment:
    ends, position = [], 0
    for token in tokens:
        position += len(token)
        ends.append(position)
    ids = range(first_id, first_id + len(tokens))
    return Segment("generated", "".join(tokens), tuple(ids), tuple(ends))


def test_a_trace_is_its_segments() -> None:
    trace = Trace()
    trace.append(PROMPT)
    trace.append(generated("one", " two"))
    trace.append(Segment("feedback", "Wait, no\n", (7, 8)))
    assert trace.text == "Q: one twoWait, no\n"
    assert trace.body == "one twoWait, no\n"
    assert trace.ids == [900, 901, 0, 1, 7, 8]
    assert trace.generated == 2
    assert trace.wasted == 0


def test_a_cut_falls_on_the_last_token_boundary_and_keeps_the_rest_as_leftover() -> None:
    trace = Trace([PROMPT.operation(), generated("ab", "cd", "ef").operation()])
    trace.cut(3)
    assert trace.ids == [900, 901, 0]
    assert trace.leftover == "c"
    assert trace.body == "abc"
    assert trace.wasted == 2
    assert trace.generated == 3


def test_a_cut_at_a_boundary_leaves_nothing_over() -> None:
    trace = Trace([PROMPT.operation(), generated("ab", "cd", "ef").operation()])
    trace.cut(4)
    assert (trace.ids, trace.leftover, trace.wasted) == ([900, 901, 0, 1], "", 1)


def test_a_cut_at_the_end_changes_nothing() -> None:
    trace = Trace([PROMPT.operation(), generated("ab", "", "").operation()])
    trace.cut(2)
    assert (trace.ids, trace.body, trace.wasted) == ([900, 901, 0, 1, 2], "ab", 0)


def test_a_cut_at_nought_takes_the_whole_body_back() -> None:
    trace = Trace([PROMPT.operation(), generated("", "ab").operation()])
    trace.cut(0)
    assert (trace.ids, trace.text, trace.wasted) == ([900, 901], "Q: ", 2)


def test_tokens_of_a_character_in_pieces_go_with_it() -> None:
    # "é" came as two tokens, the first of which completed no character yet.
    trace = Trace([PROMPT.operation(), generated("a", "", "é", "b").operation()])
    trace.cut(1)
    assert trace.ids == [900, 901, 0]
    trace = Trace([PROMPT.operation(), generated("a", "", "é", "b").operation()])
    trace.cut(2)
    assert trace.ids == [900, 901, 0, 1, 2]


def test_a_cut_goes_back_over_several_segments() -> None:
    trace = Trace([PROMPT.operation(), generated("ab", "cd").operation()])
    trace.append(Segment("feedback", "note", (50, 51)))
    trace.append(generated("ef", "gh", first_id=10))
    trace.cut(3)
    assert (trace.body, trace.leftover, trace.wasted) == ("abc", "c", 3)
    assert [segment.kind for segment in trace.segments] == ["prompt", "generated"]


def test_half_a_note_is_never_kept_as_tokens() -> None:
    trace = Trace([PROMPT.operation(), generated("ab").operation()])
    trace.append(Segment("feedback", "note", (50, 51)))
    trace.cut(4)
    assert (trace.ids, trace.leftover, trace.body) == ([900, 901, 0], "no", "abno")
    assert trace.wasted == 0


def test_the_leftover_starts_the_next_segment() -> None:
    trace = Trace([PROMPT.operation(), generated("ab", "cd").operation()])
    trace.cut(3)
    with pytest.raises(ValueError, match="'c'"):
        trace.append(Segment("feedback", "Wait", (60,)))
    trace.append(Segment("feedback", "cWait", (61, 60)))
    assert (trace.body, trace.leftover, trace.ids) == ("abcWait", "", [900, 901, 0, 61, 60])


def test_two_cuts_in_a_row_keep_what_both_keep() -> None:
    trace = Trace([PROMPT.operation(), generated("ab", "cdef").operation()])
    trace.cut(5)
    trace.cut(4)
    assert (trace.body, trace.leftover) == ("abcd", "cd")


def test_bad_operations_are_refused_and_change_nothing() -> None:
    trace = Trace([PROMPT.operation(), generated("ab").operation()])
    for offset in (-1, 3):
        with pytest.raises(ValueError, match="outside the body of 2 characters"):
            trace.cut(offset)
    with pytest.raises(ValueError, match="unknown trace operation: 'paste'"):
        trace.apply({"op": "paste"})
    assert trace.body == "ab"
    assert len(trace.operations) == 2


def test_what_tools_said_and_what_called_them_is_left_out() -> None:
    trace = Trace()
    for kind, text in (
        ("prompt", "p"),
        ("generated", "a"),
        ("marker", "</think>"),
        ("generated", "b call c"),
        ("observation", "\n42\n"),
        ("generated", "d"),
    ):
        trace.append(Segment(kind, text))  # type: ignore[arg-type]
    assert trace.said("</think>") == "b call c\nd"
    begin = trace.body.index("call")
    assert trace.said("</think>", [(begin, begin + 4)]) == "b \n c\nd"
    assert trace.said("</think>", [(0, 1)]) == "b call c\nd"
    assert trace.said("<none>") is None
    trace.cut(trace.body.index("42") + 1)
    assert trace.said("</think>") == "b call c\n4"


def test_split_divides_at_the_first_close_marker_of_the_model_or_the_graph() -> None:
    trace = Trace([Segment("prompt", "</think>").operation()])
    trace.append(generated("a", " b"))
    assert trace.split("</think>") == ("a b", None)
    trace.append(Segment("feedback", "do not write </think> yet\n", (1,)))
    assert trace.split("</think>")[1] is None
    trace.append(Segment("marker", "</think>\n", (2, 3)))
    trace.append(generated("42", "</think>"))
    assert trace.split("</think>") == (
        "a bdo not write </think> yet\n",
        "\n42</think>",
    )


def test_without_a_close_marker_all_is_the_answer_part() -> None:
    trace = Trace([PROMPT.operation()])
    assert trace.split("") == ("", "")
    trace.append(generated("a", "</think>", " b"))
    trace.cut(2)
    assert trace.split("") == ("", "a<")


def test_extend_appends_every_write_in_order() -> None:
    assert extend([{"n": 0}], [[{"n": 1}], [], [{"n": 2}, {"n": 3}]]) == [
        {"n": n} for n in range(4)
    ]


@dataclass
class SlowTrace:
    """The body as one string and a list of units: a generated token, or a segment nobody generated.

    A unit is (segment, text, ids, generated).
    """

    body: str = ""
    leftover: str = ""
    units: list[tuple[int, str, list[int], bool]] = field(default_factory=list)
    segments: int = 0
    received: int = 0

    def append(self, segment: Segment) -> None:
        self.body += segment.text[len(self.leftover) :]
        self.leftover = ""
        if segment.kind == "generated":
            start = 0
            for token, end in zip(segment.ids, segment.ends, strict=True):
                self.units.append((self.segments, segment.text[start:end], [token], True))
                start = end
            self.received += len(segment.ends)
        else:
            self.units.append((self.segments, segment.text, list(segment.ids), False))
        self.segments += 1

    def cut(self, offset: int) -> None:
        self.body = self.body[:offset]
        kept, length = list(self.units), sum(len(text) for _, text, _, _ in self.units)
        cut_segment = None
        while kept and length > offset:
            cut_segment, text, _, _ = kept.pop()
            length -= len(text)
        while kept and kept[-1][0] == cut_segment and not kept[-1][1]:
            kept.pop()  # pieces of a character that is gone
        self.units = kept
        self.leftover = self.body[length:]

    @property
    def wasted(self) -> int:
        return self.received - sum(generated for *_, generated in self.units)


TOKENS = st.lists(st.sampled_from(["", "", "a", "bc", "é", "\n", "def\ngh\n", "中文"]), max_size=6)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["generated", "feedback", "marker"]), TOKENS),
        st.tuples(st.just("cut"), st.floats(0, 1)),
    ),
    max_size=12,
)


@given(CHANGES)
def test_any_series_of_appends_and_cuts_is_what_a_slow_model_says(
    changes: list[tuple[str, list[str] | float]],
) -> None:
    trace, slow = Trace([PROMPT.operation()]), SlowTrace()
    next_id = 0
    for kind, what in changes:
        if isinstance(what, float):
            offset = round(what * len(slow.body))
            trace.cut(offset, "why")
            slow.cut(offset)
        else:
            tokens = [slow.leftover, *what] if slow.leftover else what
            segment = generated(*tokens, first_id=next_id)
            if kind != "generated":
                segment = Segment(kind, segment.text, segment.ids)  # type: ignore[arg-type]
            next_id += len(tokens)
            trace.append(segment)
            slow.append(segment)
        assert trace.body == slow.body
        assert trace.text == PROMPT.text + slow.body
        assert trace.leftover == slow.leftover
        assert trace.ids == [900, 901] + [i for _, _, ids, _ in slow.units for i in ids]
        assert trace.wasted == slow.wasted
        assert trace.generated == slow.received
    again = Trace(json.loads(json.dumps(trace.operations)))
    assert (again.segments, again.leftover, again.wasted, again.body) == (
        trace.segments,
        trace.leftover,
        trace.wasted,
        trace.body,
    )


def test_only_a_marker_closes_not_letters_that_spell_it() -> None:
    spelled = Segment("generated", "a</think>b", (1, 2, 3, 4), (1, 5, 9, 10))
    marker = Segment("generated", "c</think>d", (5, 6, 7), (1, 9, 10))
    note = Segment("feedback", "</think>", (8,))
    trace = Trace()
    for segment in (spelled, note):
        trace.append(segment)
    assert trace.split("</think>") == ("a</think>b</think>", None)
    trace.append(marker)
    assert trace.split("</think>") == ("a</think>b</think>c", "d")
