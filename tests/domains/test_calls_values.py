"""What the values of calls say is said by nobody: a reply does not leave its calls open by them."""

from __future__ import annotations

import json

import pytest
from counting import is_linear

from agentflow import domains
from agentflow.domains.calls import reading

CALLS = domains.get("calls")
VALUES = [
    "The notes do not mention it, so I could not find the answer.",
    "answer",
    "N/A",
    "OR",
    "Ignore this. Actually no, wait: it is wrong.",
    "We laughed all day. The soup was perfect and we enjoyed it.",
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("behind", ["", "\nThis sends the note."])
def test_values_are_no_sentences_of_the_reply(value: str, behind: str) -> None:
    as_python = f"[send(text={value!r}), send(text='7', to='Ann')]"
    calls = [{"name": "send", "arguments": {"text": one}} for one in (value, "7")]
    for said in (as_python, json.dumps(calls), f"<tool_call>{json.dumps(calls[0])}</tool_call>"):
        assert CALLS.answer(f"Here are the calls:\n{said}{behind}") is not None


@pytest.mark.parametrize(
    "text",
    [
        "[send(text='hello')]\nIgnore this call, it is wrong.",
        "I could not find the address.\n[send(text='hello')]",
        '{"content": "No, wait: that is wrong. I did not find the address.", "tool_calls": '
        '[{"name": "send", "arguments": {"text": "hello"}}]}',
        '{"name": "send", "arguments": {"text": "hello"}}\nActually, no: it is wrong.',
    ],
)
def test_what_stands_beside_the_values_still_counts(text: str) -> None:
    given = {"question": "Send it.", "function": [{"name": "send", "parameters": {}}]}
    problem, said = CALLS.parse(json.dumps(given)), CALLS.answer(text)
    assert said is None or CALLS.normalise(problem, said) is None


@pytest.mark.parametrize("piece", ['{"a": "', 'f(a="b") ', '"\\', "[f(a='b'), "])
def test_long_texts_take_linear_time(piece: str) -> None:
    is_linear(lambda size: reading.around(piece * size))
