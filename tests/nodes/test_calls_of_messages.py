"""The call that a chat message makes, natively or in its text."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call

from agentflow.nodes.native_calls import call_in

TOOLS = ("python", "z3", "search")


def made(message: AIMessage) -> tuple[str, dict[str, Any]] | str | None:
    call, wrong = call_in(message, str(message.content), TOOLS)
    return (call["name"], call["args"]) if call else wrong or None


def test_the_servers_own_call() -> None:
    call = tool_call(name="functions.python", args={"code": "ans = 1"}, id="a")
    assert made(AIMessage("", tool_calls=[call])) == ("python", {"code": "ans = 1"})


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ('{"code": "def solver():\n    return 1\nans = solver()"}', "def solver():\n    return 1"),
        ("{'code': 'x = 1'}", "x = 1"),
        ('{"code": "x = 1",}', "x = 1"),
        (r'{"code": "a = 1\nnu = 2\nu = 3"}', "a = 1\nnu = 2\nu = 3"),
    ],
)
def test_arguments_that_the_server_could_not_read(written: str, arguments: str) -> None:
    call = invalid_tool_call(name="python", args=written, id="a", error="no JSON")
    found = made(AIMessage("", invalid_tool_calls=[call]))
    assert isinstance(found, tuple)
    assert found[1]["code"].startswith(arguments)


@pytest.mark.parametrize("written", ["", '{"code": "x', '{"code": x + 1}', '{"a": 1, "a": 2}', "1"])
def test_arguments_that_nobody_can_read(written: str) -> None:
    call = invalid_tool_call(name="python", args=written, id="a", error="no JSON")
    found = made(AIMessage("", invalid_tool_calls=[call]))
    assert written == "" or (isinstance(found, str) and "no readable arguments" in found)


def test_a_call_in_the_text() -> None:
    text = '<tool_call>\n{"name": "search", "arguments": {"query": "who?"}}\n</tool_call>'
    assert made(AIMessage(text)) == ("search", {"query": "who?"})


@pytest.mark.parametrize(
    "tags",
    [
        "<tool_call>\n<function=search>\n<parameter=query>\nwho?\n</parameter>\n</function>\n"
        "</tool_call>",
        "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>who?</arg_value>\n</tool_call>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0"
        '<|tool_call_argument_begin|>{"query": "who?"}<|tool_call_end|><|tool_calls_section_end|>',
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n"
        '{"query": "who?"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
)
@pytest.mark.parametrize("lead", ["", "Let me look that up.\n\n"])
def test_a_call_between_tags_that_the_server_does_not_read(tags: str, lead: str) -> None:
    assert made(AIMessage(f"{lead}{tags}")) == ("search", {"query": "who?"})
    assert made(AIMessage(tags.replace("search", "erase"))) is None
    assert made(AIMessage(f"I will not call this:\n{tags}")) is None


@pytest.mark.parametrize(
    "text",
    [
        "Thought: so\nAction: Evaluate[Correct]",
        'I could call python(code="1").\nThought: no need\nAction: Evaluate[Correct]',
        'search(query="a") or else search(query="b")',
        "I call nothing.",
    ],
)
def test_a_text_that_calls_nothing(text: str) -> None:
    assert made(AIMessage(text)) is None


WRITTEN = [
    'python(code="6 * 7")',
    '{"name": "python", "arguments": {"code": "6 * 7"}}',
    '<tool_call>{"name": "python", "arguments": {"code": "6 * 7"}}</tool_call>',
]
MADE = [
    *("{}", "I calculate it.\n{}", "Let me check the product: {}", "```json\n{}\n```"),
    *("Let me check that 6 * 7 = 42:\n{}", "I should verify the answer 42 independently.\n{}"),
    *("The sums look right, but the product has to be checked.\n\n{}", "{}\n\nObservation: 42"),
]
NOT_MADE = [
    *("I will not call {}.", "For example, {} would be a call.", "Never run {}.", "> {}", "# {} x"),
    *("The solution wants me to call {}.", "I called {} before.", "Should I call {}?", "~~{}~~"),
    *("I decided against\n{}", "No tool is needed.\n{}", "Below is a bad call.\n{}", "Wrong: {}"),
    *("{}\nis not needed.", "{}\nIgnore that call.", "{}\nWait, I do not need it.", "Later: {}"),
]


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("said", MADE)
def test_words_around_a_call_let_it_be_made(said: str, written: str) -> None:
    assert made(AIMessage(said.replace("{}", written))) == ("python", {"code": "6 * 7"})


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("said", NOT_MADE)
def test_words_around_a_call_keep_it_from_being_made(said: str, written: str) -> None:
    found = made(AIMessage(said.replace("{}", written)))
    assert found is None or isinstance(found, str)
