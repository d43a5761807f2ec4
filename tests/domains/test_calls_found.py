"""Calls found by reading: what stands in their message, their sentence, or around them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentflow import domains
from agentflow.problem import Problem

CALLS = domains.get("calls")
FUNCTIONS = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "unit": {"type": "string"},
                "days": {"type": "integer"},
            },
            "required": ["city"],
        },
    },
    {
        "name": "send_email",
        "parameters": {"properties": {"to": {"type": "string"}}, "required": ["to"]},
    },
    {
        "name": "brave_search",
        "parameters": {"properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
]
GOLD = json.dumps([{"get_weather": {"city": ["Paris"], "days": [3], "unit": ["celsius", ""]}}])
TEXT = json.dumps({"question": "The weather in Paris for 3 days?", "function": FUNCTIONS})
ARGUMENTS = {"city": "Paris", "days": 3}
CALL = {"name": "get_weather", "arguments": ARGUMENTS}
PYTHON = '[get_weather(city="Paris", days=3)]'
TOOL_CALLS = [{"function": {"name": "get_weather", "arguments": json.dumps(ARGUMENTS)}}]


def right(text: str) -> bool | None:
    asked = CALLS.parse(TEXT)
    problem = Problem(TEXT, "calls", asked.id, GOLD, asked.data)
    answer = CALLS.answer(text)
    return None if answer is None else asyncio.run(CALLS.equal(problem, answer, GOLD))


@pytest.mark.parametrize(
    "said",
    [
        {"bad_example": CALL},
        {"invalid_example": CALL},
        {"tool_calls": [], "rejected_call": CALL},
        {"rejected": [CALL]},
        {**CALL, "comment": "This call is wrong"},
        {**CALL, "cancelled": True},
        {"valid": False, **CALL},
        {"thought": "I must not call this", "action": "get_weather", "action_input": ARGUMENTS},
        {**CALL, "type": "rejected"},
        {**CALL, "role": "user"},
        {**CALL, "status": "failed"},
        {**CALL, "verdict": "no"},
        {**CALL, "comment": "days should be 5"},
        {**CALL, "comment": "For two days."},
        {**CALL, "reason": "This is a bad call; please skip it."},
        {**CALL, "description": "Gets the weather for 5 days"},
        {
            "thought": "The user asked for 5 days in London, I will do that instead later",
            "action": "get_weather",
            "action_input": ARGUMENTS,
        },
        {"content": "Correction: five days.", "tool_calls": TOOL_CALLS},
        {"content": "Please tell me the city first.", "tool_calls": TOOL_CALLS},
        {"content": "Which city", "tool_calls": TOOL_CALLS},
        {"content": "I'd rather do London.", "tool_calls": TOOL_CALLS},
        {"content": "I need the unit. What unit do you want?", "tool_calls": TOOL_CALLS},
        [
            {"type": "tool_use", "name": "get_weather", "input": ARGUMENTS},
            {"type": "text", "text": "Sorry, that was a mistake."},
        ],
        [
            {"type": "text", "text": "Hypothetically one could do this:"},
            {"type": "tool_use", "name": "get_weather", "input": ARGUMENTS},
        ],
        {"status": "failed", "tool_calls": TOOL_CALLS},
        {"refusal": "I can't help with that.", "tool_calls": TOOL_CALLS},
        {"error": {"code": 400}, "tool_calls": TOOL_CALLS},
        {"choices": [{"message": {"tool_calls": TOOL_CALLS}, "finish_reason": "length"}]},
        {"choices": [{"message": {"tool_calls": TOOL_CALLS}, "finish_reason": "content_filter"}]},
        {"content": "I decided not to call anything after all.", "tool_calls": TOOL_CALLS},
        [
            {"type": "tool_use", "name": "get_weather", "input": ARGUMENTS},
            {"type": "text", "text": "Ignore this call."},
        ],
    ],
)
def test_a_message_that_does_not_make_its_calls(said: Any) -> None:
    assert right(json.dumps(said)) is not True


@pytest.mark.parametrize(
    "said",
    [
        CALL,
        [CALL],
        {"tool_calls": TOOL_CALLS},
        {"content": "One moment, please.", "tool_calls": TOOL_CALLS},
        {"content": None, "tool_calls": TOOL_CALLS},
        {"id": "1", "type": "function", **CALL},
        {"id": "1", "type": "function_call", "status": "completed", "call_id": "c", **CALL},
        {"content": None, "refusal": None, "tool_calls": TOOL_CALLS},
        {
            "id": "1",
            "model": "m",
            "choices": [
                {"index": 0, "message": {"tool_calls": TOOL_CALLS}, "finish_reason": "tool_calls"}
            ],
            "usage": {"total_tokens": 5},
        },
        {
            "output": {
                "message": {
                    "role": "assistant",
                    "content": [
                        {"toolUse": {"toolUseId": "a", "name": "get_weather", "input": ARGUMENTS}}
                    ],
                }
            },
            "stopReason": "tool_use",
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "I should not call send_email.", "signature": "x"},
                {"type": "tool_use", "id": "1", "name": "get_weather", "input": ARGUMENTS},
            ],
            "stop_reason": "tool_use",
        },
        {"content": "Sure, let me check the weather for you.", "tool_calls": TOOL_CALLS},
        {
            "thought": "The weather is asked for.",
            "action": "get_weather",
            "action_input": ARGUMENTS,
        },
        [
            {"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "x", "name": "get_weather", "input": ARGUMENTS},
        ],
        {"get_weather": ARGUMENTS},
    ],
)
def test_a_message_that_makes_its_calls(said: Any) -> None:
    assert right(json.dumps(said)) is True


@pytest.mark.parametrize(
    "text",
    [
        f"{PYTHON}\n\nThis call gets the weather in Paris for 5 days.",
        f"{PYTHON}\n\nI used days=5.",
        f"{PYTHON}\n\nThis call uses fahrenheit.",
        f"{PYTHON}\n\nThe unit is set to fahrenheit.",
        f"{PYTHON}\n\nThen I will send an email to the user.",
        f"{PYTHON}\n\nThis call gets the weather in London.",
        f"{PYTHON}\n\nThis gets the weather in london.",
        f"{PYTHON}\n\nThis gets the weather in Paris in fahrenheit.",
        f"{PYTHON}\n\nThis gets the weather for the weekend.",
        f"{PYTHON}\n\nThis sends an email.",
        f"{PYTHON}\n\nThis call sends an email to the manager.",
        f"{PYTHON}\n\nThe results are the temperatures in Rome.",
        f"The user asks for the weather in London:\n{PYTHON}",
        f"I'll check the weather in Rome.\n\n{PYTHON}",
        f"I'll look up the weather in Rome.\n\nHere is the call:\n{PYTHON}",
        f"I'm calling the email function.\n\n{PYTHON}",
        "Thought: I need the weather in Rome.\nAction: get_weather\nAction Input: "
        f"{json.dumps(ARGUMENTS)}",
        f"I will call get_weather for 5 days:\n{PYTHON}",
        f"I will get the forecast for seven days:\n{PYTHON}",
        f"I cannot do this. Running:\n{PYTHON}",
        '[get_weather(city="Paris", days=3), ',
        f'```python\n"""\n{PYTHON}\n"""\n```',
        "answer = \"[get_weather(city='Paris', days=3)]\"",
        '{"name": "get_weather", "arguments": {"city": "Paris", "days": 4, "days": 3}}',
        '<tool_call>\n{"name": "get_weather", "arguments": {"days": 4, "city": "Paris", "days": 3}}'
        "\n</tool_call>",
    ],
)
def test_calls_that_are_not_all_that_is_said(text: str) -> None:
    assert right(text) is None


BARE = PYTHON.strip("[]")
OTHER = '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}'


@pytest.mark.parametrize(
    "text",
    [
        f"# {BARE}",
        f"#{PYTHON}",
        f"```python\n# {BARE}\n```",
        f"```\n## {OTHER}\n```",
        f"// {BARE}",
        f"-- {BARE}",
        f"; {BARE}",
        f"/* {BARE} */",
        f"/*\n{OTHER}\n*/",
        f"- [ ] {BARE}",
        f"<note>{BARE}</note>",
        f"<explanation>{OTHER}</explanation>",
        f"note: {BARE}",
        f"explanation: {BARE}",
        f"output: null {BARE}",
        f"{BARE} (draft)",
        f"'''{BARE}'''",
        f"[] {BARE}",
        str({**CALL, "status": "failed"}),
        str({**CALL, "comment": "days should be 5"}),
        f"{PYTHON} -> null",
        f"{BARE} = null",
        f"[{BARE}, # wrong\n{BARE}]",
        f"{BARE}\n# not:\n{BARE}",
        f"[{OTHER}, // wrong\n{OTHER}]",
    ],
)
def test_calls_in_a_comment_are_not_made(text: str) -> None:
    assert right(text) is None


@pytest.mark.parametrize(
    "text",
    [
        f"- {BARE}",
        f"#### {PYTHON}",
        f"## Answer\n{PYTHON}",
        f"---\n{PYTHON}",
        f"{PYTHON}\n\nNote: This call gets the weather in Paris.",
        f"{PYTHON}\n\n### Explanation\nThis call gets the weather in Paris.",
    ],
)
def test_signs_that_make_no_comment(text: str) -> None:
    assert right(text) is True


@pytest.mark.parametrize(
    "text",
    [
        f"{PYTHON}\n\nThis call gets the weather in Paris for 3 days.",
        f"{PYTHON}\n\nThis call gets the weather for three days.",
        f"I will call get_weather for 3 days:\n{PYTHON}",
        f"Here is the call:\n{PYTHON}",
        f"{PYTHON}\n\nThis will return the weather forecast for Paris for the next three days.",
        f'To get the weather, I\'ll use `get_weather` with city set to "Paris":\n\n{PYTHON}',
        f"{PYTHON}\n\nThe `city` parameter is set to 'Paris' and the `days` parameter is set to 3.",
    ],
)
def test_calls_that_a_sentence_tells_of(text: str) -> None:
    assert right(text) is True


@pytest.mark.parametrize(
    "text",
    [
        '[get_weather(city="Paris", days=4, days=3)]',
        '[get_weather(city="Paris", days=1+2)]',
        'get_weather(city="Paris", days=3).json()',
    ],
)
def test_calls_that_are_not_understood_are_not_refuted(text: str) -> None:
    asked = CALLS.parse(TEXT)
    problem = Problem(TEXT, "calls", asked.id, GOLD, asked.data)
    assert asyncio.run(CALLS.equal(problem, text, GOLD)) is None


def test_how_llama_calls_a_tool_of_its_own() -> None:
    problem = CALLS.parse(TEXT)
    answer = CALLS.answer('<|python_tag|>brave_search.call(query="weather in Paris")')
    assert answer is not None
    assert asyncio.run(CALLS.verify_answer(problem, answer)).ok is None


HOTELS = [
    {
        "name": "book",
        "parameters": {
            "properties": {"hotel": {"type": "string"}, "nights": {"type": "integer"}},
            "required": ["hotel", "nights"],
        },
    }
]
RITZ, HILTON = "book(hotel='Ritz', nights=2)", "book(hotel='Hilton', nights=3)"
BOTH = f"[{RITZ}, {HILTON}]"


def both(text: str) -> bool | None:
    """Whether a text makes the calls that book both hotels."""
    asked = {"question": "Book the Ritz for 2 nights and the Hilton for 3.", "function": HOTELS}
    gold = [{"book": {"hotel": [name], "nights": [n]}} for name, n in (("Ritz", 2), ("Hilton", 3))]
    answer, problem = CALLS.answer(text), CALLS.parse(json.dumps(asked))
    return None if answer is None else asyncio.run(CALLS.equal(problem, answer, json.dumps(gold)))


@pytest.mark.parametrize(
    "text",
    [
        f"{BOTH}\n\nThis books the Ritz for 3 nights and the Hilton for 2 nights.",
        f"{BOTH}\n\nThis books the Ritz.",
        f"{RITZ}\nThat was wrong. Instead:\n{HILTON}",
        f"1. {RITZ}\nor\n2. {HILTON}",
        f"Option 1: {RITZ}\nOption 2: {HILTON}",
        f"{RITZ}\n# not:\n{HILTON}",
        f"Book the Ritz:\n{RITZ}\nDo not book the Hilton:\n{HILTON}",
        f"# Book the Ritz\n{RITZ}\n# {HILTON}",
        f"First the Ritz:\n{RITZ}\nBetter the Hilton:\n{HILTON}",
        f"Book the Savoy:\n{RITZ}\nThen the Hilton:\n{HILTON}",
        f"Then the Ritz:\n{RITZ}\nMaybe also the Hilton:\n{HILTON}",
        f"{BOTH}\n\nThis books both hotels for 3 nights.",
        f"I will book the Ritz for 3 nights and the Hilton for 2 nights:\n{BOTH}",
    ],
)
def test_what_is_said_of_several_calls_goes_with_each(text: str) -> None:
    assert both(text) is None


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        f"{BOTH}\n\nThis books the Ritz for 2 nights and the Hilton for 3 nights.",
        f"I'll book the Ritz for 2 nights, then the Hilton for 3 nights:\n{BOTH}",
        f"First, I'll book the Ritz:\n```\n{RITZ}\n```\nThen the Hilton:\n```\n{HILTON}\n```",
        "First, I'll book the Ritz:\n"
        '{"name": "book", "arguments": {"hotel": "Ritz", "nights": 2}}\n'
        "Then the Hilton:\n"
        '{"name": "book", "arguments": {"hotel": "Hilton", "nights": 3}}',
        f"1. {RITZ}\n2. {HILTON}",
        f"1. Book the Ritz: `{RITZ}`\n2. Book the Hilton: `{HILTON}`",
        f"```python\n# Book the Ritz\n{RITZ}\n# Book the Hilton\n{HILTON}\n```",
    ],
)
def test_several_calls_that_a_sentence_tells_of(text: str) -> None:
    assert both(text) is True


def test_calls_that_are_said_again_are_not_two() -> None:
    assert right(f"I'll get the weather:\n{BARE}\nHere is the call:\n{BARE}") is not False


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("api_name", "parameters"),
        ("tool", "params"),
        ("function_name", "args"),
        ("apiName", "apiParameters"),
        ("func", "kwargs"),
        ("action", "actionInput"),
        ("name", "inputs"),
    ],
)
def test_the_keys_of_a_call_have_many_names(tool: str, given: str) -> None:
    called = {tool: "get_weather", given: ARGUMENTS}
    for said in (called, dict(reversed(called.items())), [called], {"calls": [called]}):
        assert right(json.dumps(said)) is True
        assert right(f"```json\n{json.dumps(said, indent=2)}\n```") is True
    assert right(json.dumps({tool: "get_weather", given: {"city": "London"}})) is False


@pytest.mark.parametrize(
    "said",
    [
        {"tool": "get_weather", "payload": ARGUMENTS},
        {"tool": "get_weather", **ARGUMENTS},
        {"tool": "get_weather", "name": "send_email", "params": {"to": "Ann"}},
        {"tool": "get_weather", "params": ARGUMENTS, "args": {"city": "London"}},
        {"tool": "get_weather", "params": ARGUMENTS, "rejected": True},
    ],
)
def test_a_call_whose_keys_are_not_understood_is_open(said: dict[str, Any]) -> None:
    assert right(json.dumps(said)) is not True
    assert right(json.dumps(dict(reversed(said.items())))) is None


@pytest.mark.parametrize(
    "front",
    [
        "Okay, I understand. I need to get the weather in Paris.",
        "Understood! I will now try to get the weather in Paris.",
        "Alright, I'll attempt to fetch the weather for 3 days using `get_weather`.",
        "To achieve this, I will start by getting the weather in Paris.",
        "Okay, I can help with that. I'll begin by calling the `get_weather` function.",
    ],
)
def test_one_goes_about_a_call(front: str) -> None:
    assert right(f"{front}\n\n{PYTHON}") is True
    assert right(f"{front}\n\n```function_call\n{json.dumps({'id': 1, **CALL})}\n```") is True
    other = front.replace("Paris", "London").replace("3", "5").replace("get_w", "send_")
    assert right(f"{other}\n\n{PYTHON}") is None


@pytest.mark.parametrize(
    "front",
    [
        "I tried to get the weather in Paris, which failed.",
        "I will not try to get the weather in Paris.",
        "You could try to get the weather in Paris with this:",
    ],
)
def test_one_does_not_go_about_a_call(front: str) -> None:
    assert right(f"{front}\n\n{PYTHON}") is None


def test_calls_may_be_written_once_more_in_a_block() -> None:
    said = json.dumps(CALL)
    assert right(f"{said}\n```json\n{said}\n```") is True
    assert right(f"```json\n{said}\n```\n```json\n{said}\n```") is True
    assert right(f"{said}\n{said}") is not True
    other = said.replace("Paris", "London")
    assert right(f"{said}\n```json\n{other}\n```") is not True
