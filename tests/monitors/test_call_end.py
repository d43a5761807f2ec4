"""The monitor that ends a stream behind a call of a tool."""

from __future__ import annotations

import copy
import json
from collections.abc import Collection

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors import CallEnd, Increment
from agentflow.monitors.call_end import FORMS, Callable
from agentflow.state import State
from agentflow.trace import LINES

BOTH: Collection[Callable] = ("python", "search")
PIECES = st.sampled_from(
    [
        *("```python\n", "```\n", "```", "```search\n", "print(1)\n", "who?\n", "so it is\n", "\n"),
        *("<search>", "</search>", "<code>\n", "</code>\n", "<|begin_search_query|>", " "),
        *("<|end_search_query|>", "```output\n", "<information>\n", "</information>\n"),
    ]
)


def read(text: str, tools: Collection[Callable] = BOTH) -> list[State]:
    """The states of a text that is read line by line, each stream beginning where one ended."""
    monitor, offset, found = CallEnd(tools), 0, list[State]()
    memory = monitor.start()
    for line in [*LINES.findall(text), ""]:
        before = copy.deepcopy(memory)
        increment = Increment(line, offset, 1, False, "" if line else "end")
        after, states = monitor.feed(memory, increment)
        assert memory == before
        memory = json.loads(json.dumps(after))
        offset += len(line)
        found += states
    return found


@pytest.mark.parametrize(
    ("call", "tool", "given"),
    [
        ("```python\nx = 1\nx\n```\n", "python", "x = 1\nx"),
        ("```Python\nx\n```", "python", "x"),
        ("```py\n\nx\n\n```\n", "python", "\nx"),
        ("  ```python3\n  x\n  ```\n", "python", "  x"),
        ("```search\nwho founded Lima\n```\n", "search", "who founded Lima"),
        ("<search> who founded Lima </search>\n", "search", " who founded Lima "),
        ("<code>\nx\n</code>\n", "python", "x"),
        ("<|begin_search_query|>who<|end_search_query|>", "search", "who"),
    ],
)
def test_a_call_ends_with_its_last_mark(call: str, tool: str, given: str) -> None:
    text = f"First I look.\n{call}"
    (state,) = read(text)
    assert (state.kind, state.data["given"]) == (tool, given)
    assert text[: state.data["end"]].rstrip("\n") == text.rstrip("\n")


def test_what_is_made_up_behind_a_call_in_its_line_is_cut_off() -> None:
    text = "I ask. <search>who</search> <information>Pizarro</information>\n"
    (state,) = read(text)
    assert text[: state.data["end"]] == "I ask. <search>who</search>"
    assert state.end == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\n",  # it has no end
        "```\nx = 1\n```\n",
        "```java\nint x;\n```\n",
        "I write ```python\nx\n",
        "```output\n4\n```\n",
        "</search> who <search>\n",
        "",
    ],
)
def test_other_text_is_no_call(text: str) -> None:
    assert read(text) == []


def test_only_what_may_be_called_is() -> None:
    text = "```search\nwho\n```\n```python\nx\n```\n"
    assert [one.kind for one in read(text, ("python",))] == ["python"]
    assert [one.kind for one in read(text, ("search",))] == ["search"]
    assert [one.kind for one in read(text)] == ["search", "python"]


def test_what_never_ends_is_none() -> None:
    assert read("```python\n" + "x = 1\n" * 5000) == []


@given(st.lists(PIECES, max_size=12).map("".join))
def test_every_call_is_where_it_says(text: str) -> None:
    for state in read(text):
        form = FORMS[state.data["form"]]
        assert 0 <= state.start < state.data["end"] <= state.end <= len(text)
        call = text[state.start : state.data["end"]]
        opened, closed = form.opens.match(call), list(form.closes.finditer(call))
        assert opened is not None
        assert closed[-1].end() == len(call)
        assert state.data["given"] in call
        assert state.kind == form.tool


@pytest.mark.parametrize("piece", ["```python\n", "<search>", "x\n", " ", "```\n", "\n"])
def test_a_long_text_is_read_in_linear_time(piece: str) -> None:
    is_linear(lambda times: read(piece * times))
