"""Where a trace is cut for a wrong step to be drawn again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentflow.nodes.redraw import lines_before

LINES = st.lists(st.sampled_from(["a step", " 1 + 1 = 2", "", "  ", "</think>"]), max_size=12)


@given(LINES, st.integers(0, 12), st.integers(0, 8))
def test_the_cut_is_as_many_lines_with_words_further_back(
    lines: list[str], at: int, count: int
) -> None:
    at = min(at, len(lines))
    body, start = "".join(f"{line}\n" for line in lines), sum(len(line) + 1 for line in lines[:at])
    found = lines_before(body, start, count)
    assert found == 0 or body[found - 1] == "\n"
    cut = [line for line in body[found:start].split("\n") if line.strip()]
    assert len(cut) == min(count, sum(bool(line.strip()) for line in lines[:at]))
