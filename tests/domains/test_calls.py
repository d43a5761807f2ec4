"""Calls of functions, read as Python's syntax and compared as the leaderboard compares them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.domains.calls import Calls, reading, wanted
from agentflow.errors import BadInput
from agentflow.evaluation.datasets import right, right_form
from agentflow.problem import Problem

DATA = Path(__file__).parents[1] / "data" / "bfcl" / "sample.jsonl"
CALLS = Calls()
GOLD: list[dict[str, Any]] = [
    {"area.of": {"sides": [[3, 4], [4, 3]], "unit": ["", "square cm"], "exact": [True]}}
]
FUNCTIONS = [
    {
        "name": "area.of",
        "parameters": {
            "properties": {"sides": {}, "unit": {}, "exact": {}, "scale": {}},
            "required": ["sides"],
        },
    },
    {"name": "other", "parameters": {"properties": {"p": {}}}},
    {"name": "free", "parameters": {"properties": {"x": {}}, "additionalProperties": True}},
]


def problem(gold: Any = None) -> Problem:
    text = json.dumps({"question": "How large?", "function": FUNCTIONS})
    found = CALLS.parse(text, "p")
    return Problem(text, "calls", "p", json.dumps(gold or GOLD), found.data)


@pytest.mark.parametrize(
    ("answer", "ok"),
    [
        ('[area.of(sides=[3, 4], unit="square cm", exact=True)]', True),
        ("area.of(sides=[4, 3], exact=True)", True),
        ("[area.of(sides=(3, 4), unit='Square-CM.', exact=True)]", True),
        ("[area.of(sides=[3, 4], exact=1)]", False),
        ("[area.of(sides=[3, 4])]", False),
        ("[area.of(sides=[3, 4, 5], exact=True)]", False),
        ('[area.of(sides=[3, 4], exact=True, unit="inch")]', False),
        ("[area.of(sides=[3, 4], exact=True, scale=1)]", False),
        ("[area_of(sides=[3, 4], exact=True)]", False),
        ("[area.of(sides=[3, 4], exact=True), other()]", False),
        ("[area.of(sides=[3, 4], exact=True), area.of(sides=[3, 4], exact=True)]", False),
        ("[area.of([3, 4], exact=True)]", False),
        ("[]", False),
        ("[area.of(sides=[3, x], exact=True)]", False),
    ],
)
async def test_an_answer_beside_the_gold_one(answer: str, ok: bool) -> None:
    assert await right(problem(), answer) is ok
    form = CALLS.normalise(problem(), answer)
    assert (form is not None and right_form(problem(), form)) is ok


@pytest.mark.parametrize(
    ("value", "listed", "ok"),
    [
        ("5", [5], True),
        ("5", [5.0], True),
        ("5.0", [5], False),
        ("'New York, NY'", ["New York NY"], True),
        ("'it''s'", ['it"s'], False),
        ("{'a': 1, 'b': 'X y'}", [{"a": [1, 2], "b": ["x y"]}], True),
        ("{'a': 3}", [{"a": [1, 2]}], False),
        ("{'a': 1}", [{"a": [1], "b": [""]}], True),
        ("[{'a': 1}]", [[{"a": [1]}]], True),
        ("None", [None], True),
        ("'5'", [5], False),
        ("{'a': 1.0}", [{"a": [1]}], True),
        ("[{'a': 1.0}]", [[{"a": [1]}]], True),
        ("{'a': 1.5}", [{"a": [1]}], False),
        ("{'a': True}", [{"a": [1]}], False),
        ("[]", [["x"], ""], True),
        ("[]", [["x"]], False),
    ],
)
async def test_values(value: str, listed: list[Any], ok: bool) -> None:
    assert await right(problem([{"other": {"p": listed}}]), f"[other(p={value})]") is ok


@pytest.mark.parametrize(
    ("value", "typed", "listed", "ok"),
    [
        ("5.0", {"type": "float"}, [5], True),
        ("5.0", {"type": "number"}, [5], True),
        ("5.0", {"type": "integer"}, [5], False),
        ("[5.0, 6.0]", {"type": "array", "items": {"type": "float"}}, [[5, 6]], True),
        ("[5.0, 6.0]", {"type": "array", "items": {"type": "integer"}}, [[5, 6]], False),
        ("5.5", {"type": "float"}, [5], False),
        ("[5.0, 6.0]", {"type": "array", "items": "float"}, [[5, 6]], False),
    ],
)
async def test_a_whole_float_where_the_function_takes_floats(
    value: str, typed: dict[str, Any], listed: list[Any], ok: bool
) -> None:
    offered = [{"name": "take", "parameters": {"properties": {"p": typed}}}]
    text = json.dumps({"question": "How large?", "function": offered})
    given = Problem(
        text, "calls", "p", json.dumps([{"take": {"p": listed}}]), CALLS.parse(text).data
    )
    assert await right(given, f"[take(p={value})]") is ok


@pytest.mark.parametrize(
    ("value", "typed", "listed", "ok"),
    [
        ("[]", {"type": "string", "enum": ["celsius"]}, ["celsius", ""], False),
        ("[]", {"type": "boolean"}, ["", False], False),
        ("[]", {"type": "float"}, [""], False),
        ("''", {"type": "integer"}, [""], False),
        ("''", {"type": "array", "items": {"type": "string"}}, [["x"], ""], False),
        ("''", {"type": "string"}, ["x", ""], True),
        ("''", {}, ["x", ""], True),
        ("[]", {"type": "array"}, ["", ["a"]], True),
        ("[]", {"type": "array"}, [["a"]], False),
    ],
)
async def test_an_empty_list_is_no_text_or_number(
    value: str, typed: dict[str, Any], listed: list[Any], ok: bool
) -> None:
    offered = [{"name": "take", "parameters": {"properties": {"p": typed}}}]
    text = json.dumps({"question": "How large?", "function": offered})
    gold = json.dumps([{"take": {"p": listed}}])
    given = Problem(text, "calls", "p", gold, CALLS.parse(text).data)
    assert await CALLS.equal(given, f"[take(p={value})]", gold) is ok


@pytest.mark.parametrize(
    ("said", "gold", "same"),
    [
        ("x2", "x^2", None),
        ("x*2", "x^2", None),
        ("x-2", "x^2", None),
        ("x/y", "x-y", None),
        ("73.9", "-73.9", None),
        ("-7.39", "-73.9", None),
        ("lat -5", "lat 5", None),
        ("48.852.35", "48.85, 2.35", None),
        ("2024-012-3", "2024-01-23", None),
        ("john.doe@example.com", "johndoe@example.com", None),
        ("x**2", "x^2", True),
        ("3*x**2+2*x-1", "3x^2 + 2x - 1", True),
        ("2024/01/23", "2024-01-23", True),
        ("July 4, 2024", "July 4 2024", True),
        ("10 - 20", "10-20", True),
        ("Washington DC", "washington d.c.", True),
        ("12 Main St., NY 10001", "12 Main St NY, 10001", True),
        ("COVID 19", "covid-19", True),
        ("Rome", "Paris", False),
    ],
)
async def test_signs_in_texts_count_but_between_words(
    said: str, gold: str, same: bool | None
) -> None:
    right_one = json.dumps([{"other": {"p": [gold]}}])
    assert await CALLS.equal(problem(), f"[other(p={said!r})]", right_one) is same


async def test_a_call_that_cannot_be_made_is_not_the_gold_one() -> None:
    gold = [{"area.of": {"sides": [[3, 4], ""], "exact": [True]}}]  # it says that sides may lack
    answer = "[area.of(exact=True)]"
    assert (await CALLS.verify_answer(problem(gold), answer)).ok is False
    assert not await right(problem(gold), answer)
    unknown = [{"area.of": {"sides": [[3, 4]], "colour": [2]}}]
    assert not await right(problem(unknown), "[area.of(sides=[3, 4], colour=2)]")


async def test_each_call_is_given_a_wanted_one_that_it_fits() -> None:
    gold = [{"other": {"p": [1, 2]}}, {"other": {"p": [1]}}]
    assert await right(problem(gold), "[other(p=1), other(p=2)]")
    assert await right(problem(gold), "[other(p=2), other(p=1)]")
    assert not await right(problem(gold), "[other(p=2), other(p=2)]")


async def test_several_calls_in_any_order() -> None:
    gold = [{"other": {"p": [1]}}, {"other": {"p": [2]}}]
    assert await right(problem(gold), "[other(p=2), other(p=1)]")
    assert not await right(problem(gold), "[other(p=2), other(p=2)]")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("[nobody(x=1)]", "no_such_function"),
        ("[area.of(sides=[1], colour=2)]", "parameters"),
        ("[area.of(exact=True)]", "parameters"),
        ("[area.of(sides=[1, 2])]", ""),
        ("[default_api.other()]", ""),
        ("[functions.area_of(sides=[1])]", ""),
        ("[area_of(sides=[1], colour=2)]", "parameters"),
        ("[tools.nobody()]", "no_such_function"),
        ("[free(x=1, y=2)]", ""),
        ("I would call it", "unread"),
    ],
)
async def test_what_is_refuted_without_the_gold_answer(answer: str, kind: str) -> None:
    verdict = await CALLS.verify_answer(problem(), answer)
    assert (verdict.kind, verdict.ok) == (kind, None if kind in ("", "unread") else False)


@pytest.mark.parametrize("calls", ["[nobody(x=1)]", '{"name": "other", "arguments": {"x": 1}}'])
@pytest.mark.parametrize(
    "text",
    [
        "[other()]\n\nNot {}.",
        "I can't: there is no {} function.",
        "For example `{}` would be wrong; none is needed.",
        "The following is wrong:\n```\n{}\n```",
        "Not\n{}",
        "{} is wrong",
        "{}\nWait, that is wrong.",
        "One might think of {}, but no.",
    ],
)
async def test_calls_that_the_text_denies_are_not_judged(text: str, calls: str) -> None:
    said = CALLS.answer(text.replace("{}", calls))
    assert said is None or (await CALLS.verify_answer(problem(), said)).ok is None


@pytest.mark.parametrize("calls", ["[nobody(x=1)]", '{"name": "other", "arguments": {"x": 1}}'])
@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "```python\n{}\n```",
        "Here is the call:\n\n{}\n\nThis line asks for the area.",
        "The function call would look like this:\n```json\n{}\n```\nI hope this helps!",
        "First I thought of it.\nSo I call {}",
        "<|im_start|>\n{}",
    ],
)
async def test_calls_that_the_text_holds_on_to(text: str, calls: str) -> None:
    said = CALLS.answer(text.replace("{}", calls))
    assert said is not None
    assert (await CALLS.verify_answer(problem(), said)).ok is False


def test_the_last_calls_in_a_text_are_the_answer() -> None:
    text = "First [other()], no: [1, 2].\n\nI call [area.of(sides=[3, 4], exact=True)]."
    assert CALLS.answer(text) == "[area.of(sides=[3, 4], exact=True)]"
    assert CALLS.answer("nothing [1, 2]") is None


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "area.of", "arguments": {"sides": [3, 4], "exact": true}}',
        '[{"name": "area_of", "parameters": {"sides": [3, 4], "exact": true}}]',
        '[{"area_of": "{\\"sides\\": [3, 4], \\"exact\\": true}"}]',
        '{"type": "function", "function": {"name": "area.of", "arguments": '
        '"{\\"sides\\": [3, 4], \\"exact\\": true}"}}',
        '<tool_call>\n{"name": "area.of", "arguments": {"sides": [3, 4], "exact": true}}\n'
        "</tool_call>",
        "I call this:\n```json\n"
        "[{'name': 'area.of', 'arguments': {'sides': [3, 4], 'exact': True}}]"
        "\n```",
        "area.of(sides=[3, 4], exact=True)",
        "['area.of(sides=[3, 4], exact=True)']",
        'area_of\n{"sides": [3, 4], "exact": true}',
        "[area.of({'sides': [3, 4], 'exact': True})]",
        "```python\narea.of(sides=[3, 4], exact=True)\n```",
    ],
)
async def test_calls_as_apis_write_them(text: str) -> None:
    said = CALLS.answer(text)
    assert said is not None
    assert await right(problem(), said)
    assert (await CALLS.verify_answer(problem(), said)).kind == ""
    fewer = text.replace("sides", "side")
    said = CALLS.answer(fewer)
    assert said is not None
    assert (await CALLS.verify_answer(problem(), said)).kind == "parameters"


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "area.of", "arguments": {"sides": [3, 4]',
        '{"name": "other", "arguments": {}} or {"name": "area.of", "arguments": {"sides": [3]}}',
        'No function fits {"a": 1}.',
        json.dumps(FUNCTIONS),
        'undo({"name": "other", "arguments": {"p": 1}})',
        'undo([{"name": "other", "arguments": {"p": 1}}])',
        "[area.of([3, 4], exact=True)]",
    ],
)
async def test_calls_that_are_not_understood(text: str) -> None:
    said = CALLS.answer(text)
    assert said is None or (await CALLS.verify_answer(problem(), said)).kind == "unread"


def test_rows_of_the_leaderboard() -> None:
    for line in DATA.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = json.dumps({"question": row["question"], "function": row["function"]})
        found = CALLS.parse(text, row["id"])
        assert found.data["question"] == row["question"][0][0]["content"]
        gold = json.dumps(row["ground_truth"])
        said = ", ".join(
            f"{name}({', '.join(f'{k}={one[0]!r}' for k, one in given.items() if one[0] != '')})"
            for one in row["ground_truth"]
            for name, given in one.items()
        )
        form, right_one = CALLS.normalise(found, f"[{said}]"), CALLS.normalise(found, gold)
        assert form is not None
        assert right_one is not None
        assert CALLS.matches(found, form, right_one)


def test_functions_may_be_one_or_wrapped() -> None:
    listed = CALLS.parse(json.dumps({"question": "q", "function": FUNCTIONS[:1]}))
    wrapped = [{"type": "function", "function": FUNCTIONS[0]}]
    for one in (FUNCTIONS[0], wrapped):
        assert CALLS.parse(json.dumps({"question": "q", "function": one})).data == listed.data


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"question": "q", "function": []}', "[1", "7"])
def test_what_is_no_problem(text: str) -> None:
    with pytest.raises(BadInput, match=r"calls: .*example: "):
        CALLS.parse(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_not(text: str) -> None:
    said = CALLS.answer(text)
    assert said is None or said in text
    form = CALLS.normalise(problem(), text)
    assert form is None or wanted.gold(form) is not None


@pytest.mark.parametrize(
    "piece", [" ", "[", "a", "a(", "{", '{"', '{"a":', "a\n", "]", "a(a=1)", "'"]
)
def test_long_texts_take_linear_time(piece: str) -> None:
    is_linear(lambda size: CALLS.answer(piece * size))


@given(st.text(alphabet="[](){}=,.'\"ab1 -*", max_size=80))
def test_any_signs_are_read_or_not(text: str) -> None:
    found = reading.calls(text)
    assert found is None or all(isinstance(values, dict) for _, values in found)


async def test_questions_with_any_answer() -> None:
    open_ = domains.get("open")
    asked = open_.parse("Which gas?", "q")
    assert open_.answer("It is \\boxed{\\text{carbon dioxide}}.") == "carbon dioxide"
    assert open_.answer("Answer: CO2") == "CO2"
    assert open_.answer("I do not know") is None
    for behind in (
        "Wait, actually it is SO2.",
        "Hmm, that is wrong.",
        "I am not sure about this.",
        "On reflection, the answer is SO2.",
    ):
        assert open_.answer(f"Answer: CO2\n{behind}") is None
    assert open_.answer("\\boxed{SO2}\n\nThat is wrong. The answer is \\boxed{CO2}.") == "CO2"
    form = open_.normalise(asked, "\\text{Carbon  dioxide}.")
    assert form == "carbon dioxide"
    assert open_.normalise(asked, "...") is None
    assert open_.normalise(asked, "...carbon dioxide.") == form
    assert await open_.equal(asked, ".9", "9") is False
    assert await open_.equal(asked, "$.9$.", ".9") is True
    assert (await open_.verify_answer(asked, "CO2")).ok is None
    with pytest.raises(BadInput, match="open: the question is empty"):
        open_.parse(" ")


@pytest.mark.parametrize(
    "text",
    [
        "[get_weather(city='Paris')]\n\nUse London instead.",
        "[get_weather(city='Paris')]\n\nReplace Paris with London.",
        "[get_weather(city='Paris')]\n\nDo not run this.",
        "[get_weather(city='Paris')]\n\nExample only.",
        "Do you want me to call: [get_weather(city='Paris')]",
        "The failed call was: [get_weather(city='Paris')]",
    ],
)
def test_calls_that_are_not_to_be_made_are_none(text: str) -> None:
    assert reading.stated(text) is None


def test_what_calls_are_for_may_stand_behind_them() -> None:
    call = "[get_weather(city='Paris')]"
    assert reading.stated(f"I call: {call}\n\nThis gets the weather.") == call


PARIS = "[get_weather(city='Paris')]"


@pytest.mark.parametrize(
    ("behind", "meant"),
    [
        ("Use London instead.", False),
        ("Replace Paris with London.", False),
        ("The city is wrong; it should be London.", False),
        ("I won't call it.", False),
        ("Do not run this.", False),
        ("Never run this.", False),
        ("These calls are not needed.", False),
        ("No function is suitable.", False),
        ("None of these functions fit.", False),
        ("Not this one.", False),
        ("Example only.", False),
        ("It gets the weather. Don't use it.", False),
        ("This call gets the weather in Paris.", True),
        ("No other information is missing.", True),
        ("Here the city is Paris, not London.", True),
        ("These calls should be made together.", True),
        ("Shall I go ahead?", False),
        ("Please confirm the city.", False),
        ("That was my first attempt.", False),
        ("The date is missing, though.", False),
        ("However, the user asked about London.", False),
        ("The right call is get_time.", False),
        ("This is only a placeholder.", False),
        ("The call lacks a unit.", False),
        ("The API returned an error.", False),
        ("Ich würde das nicht aufrufen.", False),
        ("这个调用是错误的。", False),
        ("# TODO: replace the city", False),
        ("(draft)", False),
        ("👎", False),
        ("[]", False),
        ("I will run it once you agree.", False),
        ("This call will be made after the user has confirmed.", False),
        ("The city is set to London.", False),
        ("I will use get_time.", False),
        ("It returns a 404.", False),
        ("This retrieves the weather for Paris.", True),
        ("The `city` parameter is set to 'Paris', as requested.", True),
        ("I called the `get_weather` function to get the weather in Paris.", True),
        ("I hope this helps! Let me know if you need any further assistance.", True),
        ("It checks if the city is known.", True),
        ("No additional parameters are required for this function.", True),
        ("Let me know if you would like the forecast, too.", True),
        ("Let me know if you meant Paris, Texas.", False),
        ("Let me know if the city is right.", False),
    ],
)
def test_what_stands_behind_calls(behind: str, meant: bool) -> None:
    for text in (f"{PARIS}\n{behind}", f"{PARIS} {behind}", f"```python\n{PARIS}\n```\n{behind}"):
        assert reading.stated(text) == (PARIS if meant else None)


@pytest.mark.parametrize(
    ("lead", "meant"),
    [
        ("Do you want me to call:", False),
        ("First, shall I call:", False),
        ("Is this the call:", False),
        ("The failed call was:", False),
        ("I will not call:", False),
        ("No call is needed:", False),
        ("This is not the right call:", False),
        ("After you confirm, I'll execute:", False),
        ("Previously I called:", False),
        ("You wrote:", False),
        ("The old version of the call was:", False),
        ("For illustration:", False),
        ("Avoid:", False),
        ("Falscher Aufruf:", False),
        ("Option A:", False),
        ("Here is the call you made:", False),
        ("The call to avoid is:", False),
        ("Let us use a dummy:", False),
        ("I would call:", False),
        ("~~", False),
        ("<!--", False),
        ("Here is the function call to get the weather in Paris:", True),
        ("Therefore, the function call(s) to retrieve the information would be:", True),
        ("I can help you with that. Let me check the weather in Paris.", True),
        ("Sure! Here is the function call in JSON format:", True),
        ("The user wants the weather. No other information is missing.", True),
        ("No parameters are missing, so I make the call:", True),
        ("Since the user asks about Paris, not London, I call:", True),
        ("I'd be happy to help with that!", True),
        ("Here is the function call that fits the request:", True),
        ("Sure! Here is the call you need:", True),
        ("Here is the call you need to avoid:", False),
        ("Given the request, the following function should be called:", True),
        ("Based on the question, I will make one function call:", True),
    ],
)
def test_what_leads_up_to_calls(lead: str, meant: bool) -> None:
    assert reading.stated(f"{lead}\n{PARIS}") == (PARIS if meant else None)


@pytest.mark.parametrize("mark", ["<tool_call>", "<tool_call>\n", "<|python_tag|>", "[TOOL_CALLS]"])
@pytest.mark.parametrize(
    ("lead", "meant"),
    [("Let me check the weather for you.", True), ("I will not check the weather.", False)],
)
def test_what_marks_calls_may_stand_right_behind_a_sentence(
    mark: str, lead: str, meant: bool
) -> None:
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    assert reading.stated(f"{lead}{mark}{call}") == (call if meant else None)


@pytest.mark.parametrize(
    "text",
    [
        '<|python_tag|>get_weather(city="Paris")<|eom_id|>',
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}',
        '<function=get_weather>{"city": "Paris"}</function>',
        'I call it.\n<function=get_weather>\n{"city": "Paris"}\n</function>',
        '```tool_code\nget_weather(city="Paris")\n```',
        '```tool_code\nprint(default_api.get_weather(city="Paris"))\n```',
        '```tool_code\n[default_api.get_weather(city="Paris")]\n```',
    ],
)
def test_how_llama_and_gemini_write_a_call(text: str) -> None:
    said = reading.stated(text)
    assert said is not None
    assert reading.read(said, {"get_weather": {}}) == [("get_weather", {"city": "Paris"})]


JSON = '{"name": "get_weather", "arguments": {"city": "Paris"}}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'{JSON}\nI made a mistake. No function fits {{"a": 1}}.', None),
        (f"{JSON}\nThis is wrong.\n{JSON}", None),
        (f"{JSON}\nThis function returns the weather (in Celsius).", JSON),
        (f'{{"content": "One moment, please.", "tool_calls": [{JSON}]}}', f"[{JSON}]"),
        (f"{PARIS}\nor\n{PARIS}", None),
        (f"> {PARIS}", None),
    ],
)
def test_calls_end_where_words_begin(text: str, said: str | None) -> None:
    found = reading.stated(text)
    assert found is None if said is None else said in str(found)


def test_tags_of_functions_are_read_in_time() -> None:
    is_linear(lambda size: reading.read('<function=f>{"a": ' * size, {"f": {}}))


GIVEN = '{"city": "Paris", "days": 2}'
TEXT = json.dumps(GIVEN)
CALL = f'{{"name": "get.weather", "input": {GIVEN}}}'
OF_OPENAI = f'{{"name": "get_weather", "arguments": {TEXT}}}'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"role": "assistant", "content": null, "tool_calls": [{{"id": "call_1", '
        f'"type": "function", "function": {OF_OPENAI}}}]}}',
        f'{{"choices": [{{"message": {{"content": "One moment.", "tool_calls": [{{"function": '
        f"{OF_OPENAI}}}]}}}}]}}",
        f'{{"role": "assistant", "content": null, "function_call": {OF_OPENAI}}}',
        f'{{"output": [{{"type": "reasoning", "summary": []}}, {{"type": "function_call", '
        f'"call_id": "1", "name": "get.weather", "arguments": {TEXT}}}]}}',
        f'{{"type": "tool_use", "id": "t1", "name": "get_weather", "input": {GIVEN}}}',
        f'{{"role": "assistant", "content": [{{"type": "text", "text": "Yes."}}, {CALL}]}}',
        f'{{"functionCall": {{"name": "get.weather", "args": {GIVEN}}}}}',
        f'{{"toolUse": {CALL}}}',
        f'```json\n[{{"tool_name": "get.weather", "parameters": {GIVEN}}}]\n```',
        f'{{"action": "get.weather", "action_input": {GIVEN}}}',
        f'{{"method": "tools/call", "params": {{"name": "get.weather", "arguments": {GIVEN}}}}}',
        f"<|channel|>commentary to=functions.get.weather <|constrain|>json<|message|>{GIVEN}"
        "<|call|>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n"
        f"{GIVEN}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get.weather:0"
        f"<|tool_call_argument_begin|>{GIVEN}<|tool_call_end|><|tool_calls_section_end|>",
        f"[TOOL_CALLS]get_weather[ARGS]{GIVEN}</s>",
        f"Thought: I look it up.\nAction: get_weather\nAction Input: {GIVEN}",
        '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n'
        '<parameter name="days">2</parameter>\n</invoke>\n</function_calls>',
        "<tool_call>\n<function=get.weather>\n<parameter=city>\nParis\n</parameter>\n"
        "<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n"
        "<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
        "<|python_start|>[get.weather(city='Paris', days=2)]<|python_end|><|eot|>",
        f"<longcat_tool_call>\n{CALL}\n</longcat_tool_call>",
        "<longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n"
        "<longcat_arg_value>Paris</longcat_arg_value>\n<longcat_arg_key>days</longcat_arg_key>\n"
        "<longcat_arg_value>2</longcat_arg_value>\n</longcat_tool_call>",
        "<seed:tool_call>\n<function=get.weather>\n<parameter=city>Paris</parameter>\n"
        "<parameter=days>2</parameter>\n</function>\n</seed:tool_call>",
        '<seed:tool_call><function name="get.weather"><parameter name="city" string="true">Paris'
        '</parameter><parameter name="days" string="false">2</parameter></function>'
        "</seed:tool_call>",
        "<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜>"
        '<steptml:invoke name="get.weather">\n<steptml:parameter name="city">Paris'
        '</steptml:parameter>\n<steptml:parameter name="days">2</steptml:parameter>\n'
        "</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>",
        '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>'
        '\n<parameter name="days">2</parameter>\n</invoke>\n</minimax:tool_call>',
        f"<TOOLCALL>[{CALL}]</TOOLCALL>",
        f"[TOOL_CALLS]get_weather{GIVEN}",
        f"[TOOL_CALLS]get_weather[CALL_ID]a1b2c3d4e[ARGS]{GIVEN}</s>",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n'
        '<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n'
        '<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        f"<tools>\n{CALL}\n</tools>",
        "<|tool_call_start|>[get.weather(city='Paris', days=2)]<|tool_call_end|>",
        '<|START_ACTION|>\n[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": '
        f"{GIVEN}}}]\n<|END_ACTION|>",
        '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:2}<tool_call|>',
        "<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:2}"
        "<end_function_call>",
    ],
)
async def test_calls_in_messages_and_tags(text: str) -> None:
    types = {"city": {"type": "string"}, "days": {"type": "integer"}}
    offered = [
        {"name": "get.weather", "parameters": {"properties": types, "required": ["city", "days"]}}
    ]
    asked = json.dumps({"question": "How is the weather?", "function": offered})
    gold = json.dumps([{"get.weather": {"city": ["Paris"], "days": [2]}}])
    given = Problem(asked, "calls", "p", gold, CALLS.parse(asked).data)
    for lead in ("", "I call this function:\n"):
        said = CALLS.answer(lead + text)
        assert said is not None
        assert await right(given, said)
        assert (await CALLS.verify_answer(given, said)).ok is None
        for old, new, kind in (
            ("Paris", "London", ""),
            ("days", "hours", "parameters"),
            ("weather", "nothing", "no_such_function"),
        ):
            said = CALLS.answer(lead + text.replace(old, new))
            assert said is not None
            assert not await right(given, said)
            assert (await CALLS.verify_answer(given, said)).kind == kind
    for denied in (f"Do not call this:\n{text}", f"> {text}", f"{text}\nWait, that is wrong."):
        assert CALLS.answer(denied) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("await f()", [{}]),
        ("await f(a=1)", [{"a": 1}]),
        ("[await f(a=1), await f(b=2)]", [{"a": 1}, {"b": 2}]),
        ("await f(a=1)\nawait f(b=2)", [{"a": 1}, {"b": 2}]),
        ("x = await f(a=1)\ny = f(b=2)", [{"a": 1}, {"b": 2}]),
        ("I call it:\n```python\nresult = await f(a=1)\n```", [{"a": 1}]),
        ('f(**{"a": 1})', [{"a": 1}]),
        ('I call it: f(** {"a": 1})', [{"a": 1}]),
        ('[f(b=2, **{"a": 1})]', [{"b": 2, "a": 1}]),
        ('await f(**{"a": 1}, **{"b": [2]})', [{"a": 1, "b": [2]}]),
        ('print(await f(**{"a": 1}))', [{"a": 1}]),
    ],
)
def test_calls_that_are_awaited_or_given_a_mapping(text: str, wanted: list[dict[str, Any]]) -> None:
    said = reading.stated(text)
    assert reading.read(str(said), {"f": {}}) == [("f", given) for given in wanted]


@pytest.mark.parametrize(
    "text",
    [
        *('f(a=2, **{"a": 1})', "f(**given)", 'f(**{"a": x.y()})', "f(**{1: 2})", "f(**[1])"),
        *("[await f(a=1) for i in x]", "f(a=1) if x else f(a=2)", "not f(a=1)", "f(a=1).g()"),
        *("lambda: f(a=1)", "for i in x: f(a=1)", "if x:\n    f(a=1)", "(await f(a=1))['b']"),
    ],
)
async def test_python_that_is_not_understood_is_undecided(text: str) -> None:
    asked = json.dumps({"question": "q", "function": {"name": "f", "parameters": {}}})
    given = Problem(asked, "calls", "p", '[{"f": {"a": [1, 2]}}]', CALLS.parse(asked).data)
    assert (await CALLS.verify_answer(given, text)).kind == "unread"
    assert CALLS.normalise(given, text) is None


OF_GPT_OSS = "commentary to=functions.get_weather <|constrain|>json<|message|>"


@pytest.mark.parametrize("end", ["<|call|>", ""])
@pytest.mark.parametrize(
    "before",
    [
        "<|channel|>analysis<|message|>I look it up.<|end|><|start|>assistant",
        "<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant",
        f"<|channel|>{OF_GPT_OSS}{{}}<|call|><|start|>functions.get_weather to=assistant"
        "<|channel|>commentary<|message|>no city<|end|><|start|>assistant",
    ],
)
def test_calls_that_end_a_text_of_gpt_oss(before: str, end: str) -> None:
    one = f'<|channel|>{OF_GPT_OSS}{{"city": "Paris"}}'
    other = f"<|start|>assistant to=functions.get_time<|channel|>commentary json<|message|>{GIVEN}"
    wanted = [("get_weather", {"city": "Paris"}), ("get_time", {"city": "Paris", "days": 2})]
    known = {"get_weather": {}, "get_time": {}}
    for text, calls in (
        (f"{before}{one}{end}", wanted[:1]),
        (f"{before}{one}<|call|>{other}{end}", wanted),
    ):
        assert reading.read(str(reading.stated(text)), known) == calls
    assert reading.stated(f"{before}<|channel|>analysis<|message|>Perhaps {one}") is None
    cut = reading.stated(f"{before}{one[:-1]}")
    assert cut is None or reading.read(cut, known) is None


@pytest.mark.parametrize(
    "between",
    ["\n</tool_call>\n<tool_call>\n", "\n<|im_start|>\n", "\n", "; ", " <tool_call> "],
)
def test_several_messages_in_a_row(between: str) -> None:
    one = '{"arguments": {"city": "Paris"}, "name": "get_weather"}'
    other = one.replace("Paris", "Rome")
    said = reading.stated(f"I call:\n<tool_call>\n{one}{between}{other}\n</tool_call>")
    wanted = [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "Rome"})]
    assert reading.read(str(said), {"get_weather": {}}) == wanted


def test_a_message_or_another_is_none() -> None:
    one, other = OF_OPENAI, OF_OPENAI.replace("get_weather", "get_time")
    said = reading.stated(f"{one}\n\nor\n\n{other}")
    assert said is None or reading.read(said, {"get_time": {}}) is None


def test_a_message_on_many_lines() -> None:
    call = {
        "type": "function",
        "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'},
    }
    more = [{"index": 0, "message": {"content": None, "tool_calls": [call]}}]
    text = json.dumps({"id": "1", "usage": [{"a": 1}] * 6, "choices": more}, indent=2)
    said = reading.stated(text)
    assert reading.read(str(said), {"get_weather": {}}) == [("get_weather", {"city": "Paris"})]


@pytest.mark.parametrize(
    "text",
    [
        f'{{"role": "user", "content": [{CALL}]}}',
        f'{{"choices": [{{"message": {{"tool_calls": [{CALL}]}}}}, {{"message": {{}}}}]}}',
        f'[{CALL}, {{"type": "tool_result", "tool_use_id": "1", "content": "sunny"}}]',
        f"<function=get_weather><parameter=city>Paris</parameter></function> or {PARIS}",
        "<function=get_weather><parameter=city>Paris</function>",
        f"> ```\n{PARIS}\n```",
        f"[TOOL_CALLS]get_weather[ARGS]{GIVEN[:-1]}",
    ],
)
def test_messages_that_make_no_calls(text: str) -> None:
    said = reading.stated(text)
    assert said is None or reading.read(said, {"get_weather": {}}) is None


@pytest.mark.parametrize(
    "piece",
    [
        '{"a": ', "\n[[", '\n{"', '<invoke name="f">', "<function=f><parameter=a>", "<tool_call>f",
        "<tool_call>f<arg_key>a</arg_key>", "[TOOL_CALLS]f[ARGS]{", "Action: f\nAction Input: {",
        "<|tool_call_begin|>f<|tool_call_argument_begin|>{",
        "<|channel|>commentary to=f<|message|>{", "f(a=1) ", "1. f(a=1)\n", "f(a=1)\n# g\n", "f(a=",
        "<function name=\"f\"><parameter name=\"a\">", "<longcat_tool_call>f", "'f(a=", "[f(a=1), ",
    ],
)  # fmt: skip
def test_messages_and_tags_are_read_in_time(piece: str) -> None:
    is_linear(lambda size: reading.answer(piece * size))
    is_linear(lambda size: reading.read(piece * size, {"f": {}}))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('[TOOL_CALLS]f{"a": "[1]"}[TOOL_CALLS]g{}', [("f", {"a": "[1]"}), ("g", {})]),
        ('[TOOL_CALLS]f[ARGS]{"a": "x"}[TOOL_CALLS]g[ARGS]{}', [("f", {"a": "x"}), ("g", {})]),
        (
            '<|tool_call>call:f{a:<|"|>x, b:1<|"|>}<tool_call|><|tool_call>call:g{}<tool_call|>',
            [("f", {"a": "x, b:1"}), ("g", {})],
        ),
        (
            '<｜DSML｜tool_calls><｜DSML｜invoke name="f"><｜DSML｜parameter name="a" '
            'string="true">7</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>',
            [("f", {"a": "7"})],
        ),
        ('<|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>', [("f", {"a": 1})]),
        ("<function_calls>\ng()\n</function_calls>", [("g", {})]),
        ("```tool_code\ng()\n```", [("g", {})]),
    ],
)
def test_several_calls_and_calls_without_arguments(text: str, wanted: Any) -> None:
    assert reading.read(str(reading.stated(text)), {"f": {}, "g": {}}) == wanted


@pytest.mark.parametrize(
    "text",
    [
        '<|tool_call>call:f{a:<|"|>x}<tool_call|>',
        '<|tool_call>call:f{a:<|"|>x<|"|>,a:<|"|>y<|"|>}<tool_call|>',
        "<|tool_call>call:f{a:x}<tool_call|>",
        '[TOOL_CALLS]f{"a": 1}, or rather [TOOL_CALLS]f{"a": 2}',
        "I would not call it:\n```tool_code\ng()\n```",
        "```tool_code\ng()\n```\nNo, I do not call it.",
    ],
)
def test_calls_that_are_cut_or_taken_back_are_none(text: str) -> None:
    stated = reading.stated(text)
    assert stated is None or reading.read(stated, {"f": {}, "g": {}}) is None
