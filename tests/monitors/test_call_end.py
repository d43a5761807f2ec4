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
        ("```python\r\nx = 1\r\nx\r\n```\r\n", "python", "x = 1\r\nx"),
        ('``` python title="x"\nx\n```\n', "python", "x"),
        ("```{python}\nx\n```\n", "python", "x"),
        ("~~~python\nx\n~~~\n", "python", "x"),
        ("````python\nx = '''\n```\n'''\n````\n", "python", "x = '''\n```\n'''"),
        ("```tool_code\nx\n```\n", "python", "x"),
        (
            "```python\ndef f():\n    '''```\n    ```\n    '''\n```",
            "python",
            "def f():\n    '''```\n    ```\n    '''",
        ),
        ('```python\nx = """\n```\n"""\n```\n', "python", 'x = """\n```\n"""'),
        ("```python print(1)```\n", "python", "print(1)"),
        ("```search who founded Lima```\n", "search", "who founded Lima"),
        ("```search who founded Lima\n```\n", "search", "who founded Lima"),
        ("<code>\n```python\nx\n```\n</code>\n", "python", "x"),
        ("I could <search>.\n```python\nx\n```\n", "python", "x"),
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
    ("made_up", "call"),
    [
        ("```python\nx\n```output\n400\n```\n", "```python\nx\n```"),
        ("```py\nx\n``` So it is 400.\n", "```py\nx\n```"),
        ("~~~python\nx\n~~~ So it is 400.\n", "~~~python\nx\n~~~"),
    ],
)
def test_what_is_made_up_behind_a_fence_is_cut_off(made_up: str, call: str) -> None:
    (state,) = read(made_up)
    assert made_up[: state.data["end"]] == call
    assert state.data["given"] == "x"


@pytest.mark.parametrize(
    ("text", "given", "missing"),
    [
        ("so\n```python\nx = 1\nx", "x = 1\nx", "```"),
        ("so\n~~~~python\nx\n", "x", "~~~~"),
        ("```search\nwho\n", "who", "```"),
        ("so <search> who", " who", "</search>"),
        ("<code>\nx\n", "x", "</code>"),
        ("<code>\n```python\nx\n```\n", "x", "</code>"),
    ],
)
def test_a_call_that_the_text_ends_in_is_one(text: str, given: str, missing: str) -> None:
    (state,) = read(text)
    assert (state.data["given"], state.data["missing"]) == (given, missing)
    assert state.data["end"] == state.end == len(text)


def test_a_call_that_a_limit_or_a_note_breaks_off_is_none() -> None:
    monitor = CallEnd(BOTH)
    memory, _ = monitor.feed(monitor.start(), Increment("```python\n", 0, 1, False))
    memory, _ = monitor.feed(memory, Increment("x\n", 10, 1, False))
    for boundary in ("feedback", "close"):
        assert monitor.feed(memory, Increment("", 12, 0, False, boundary)) == (monitor.start(), [])


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\nSo x is \\boxed{1}.\n",  # forgotten, not called
        "```search\nwho\nSo it is him.\n",
        "```python-repl\n>>> x\n```\n",
        "```python``` is a language.\n",
        "<search>" + 300 * "who? " + "</search>",
        "A <code>x</code> is no call.\n",
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
        opened, missing = form.opens.match(call), state.data["missing"]
        assert opened is not None
        closes = form.closes or opened["fence"]
        assert missing in ("", closes)
        assert missing or call.rstrip("\r\n\t ").endswith(closes)
        assert state.data["given"] in call
        assert state.kind == form.tool


@pytest.mark.parametrize("piece", ["```python\n", "<search>", "x\n", " ", "```\n", "\n"])
def test_a_long_text_is_read_in_linear_time(piece: str) -> None:
    is_linear(lambda times: read(piece * times))


LEADS = [
    "",
    "I compute it.",
    "Let me check:",
    "We need the product, not the sum.",
    "Step 1",
    "## Sum",
]
LEADS += [
    "I'm not sure, so I compute:",
    "Now check that it is not larger than 50:",
    "Using Python:",
]
LEADS += [
    "It does not end. Try a bound:",
    "I'll check which numbers do not divide it:",
    "Try an example:",
]
DENIALS = [
    "I will not run this:",
    "Do not run this:",
    "A wrong program would be:",
    "The format is:",
]
DENIALS += ["There is no need for:", "Instead of", "I decided against this:", "We don't need"]
DENIALS += ["The user's code:", "The page tells me to run:", "I could run this, but I need not:"]
CALLS = ["```python\n6 * 7\n```\n", "<code>\n6 * 7\n</code>\n", "<search>6 * 7</search>\n"]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("lead", LEADS)
def test_a_call_is_made_behind_what_leads_to_it(lead: str, call: str) -> None:
    assert len(read(f"{lead}\n{call}So it is 42.\n")) == 1


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("lead", DENIALS)
def test_a_call_is_text_behind_what_denies_it(lead: str, call: str) -> None:
    assert read(f"{lead}\n{call}So it is 42.\n") == []
    assert len(read(f"{lead}\n{call}So I compute it.\n{call}")) == 1


def test_a_denial_within_the_line() -> None:
    assert read("I would not write <search>who?</search> here.\n") == []
    assert len(read("It is not known. I look it up: <search>who?</search>\n")) == 1
