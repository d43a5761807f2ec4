from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.run import Result
from agentflow.server import results as telling
from agentflow.server import wire
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest
from agentflow.server.results import Ended
from agentflow.server.wire import ChatReply, ChatRequest
from agentflow.trace import Segment, Trace

TEXT = GenerationRequest("m", ("4 7 8 8",))


def completion(result: Result) -> Any:
    """A whole reply."""
    return ChatReply({}, TEXT).whole([Ended(result, 1)])


USER = {"role": "user", "content": "4 7 8 8"}


def read(**values: Any) -> ChatRequest:
    return wire.read(json.dumps({"model": "m", "messages": [USER]} | values).encode())


def refused(**values: Any) -> Refused:
    with pytest.raises(Refused) as raised:
        assert read(**values).problem
    assert raised.value.status == 400
    return raised.value


def test_what_openai_clients_send_beside_it_is_taken() -> None:
    request = read(
        n=1,
        stop=None,
        tools=[],
        logprobs=False,
        top_logprobs=None,
        presence_penalty=0,
        frequency_penalty=0.0,
        response_format={"type": "text"},
        user="someone",
        metadata={"a": "b"},
        stream=True,
        stream_options={"include_usage": True, "include_obfuscation": False},
        reasoning_effort="high",
        service_tier="flex",
        parallel_tool_calls=False,
        min_p=0,
        modalities=["text"],
        verbosity="low",
        audio=None,
        prediction=None,
        web_search_options=None,
        prompt_cache_key="some",
        prompt_cache_retention="24h",
        safety_identifier="someone",
        seed=3,
        temperature=1,
        max_completion_tokens=9,
    )
    assert request.settings == {"seed": 3, "temperature": 1.0, "max_tokens": 9}
    assert request.problem == "4 7 8 8"


def test_null_asks_for_nothing() -> None:
    names = ("reasoning_effort", "modalities", "verbosity", "prompt_cache_key", "stream_options")
    assert read(**dict.fromkeys(names)).settings == {}
    assert not read(stream_options={"include_usage": None}).stream_options.include_usage  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("modalities", ["text", "audio"]),
        ("web_search_options", {}),
        ("tools", [{"type": "function"}]),
        ("logprobs", True),
        ("frequency_penalty", 0.5),
        ("store", True),
        ("unheard_of", None),
        ("roles", {"solver": "http://elsewhere/v1"}),
        ("team", ["http://elsewhere/v1"]),
    ],
)
def test_what_no_method_takes_is_named(name: str, value: Any) -> None:
    error = refused(**{name: value})
    assert (error.code, error.param) == ("unsupported_parameter", name)
    assert name in str(error)


def test_all_of_them_are_named() -> None:
    said = str(refused(tools=[1], logprobs=True, x=3))
    assert "tools, logprobs, x; leave them out (a method uses no tools of its client's;" in said


@pytest.mark.parametrize(
    "values",
    [
        {"model": 3},
        {"messages": []},
        {"messages": "4 7 8 8"},
        {"messages": [{"role": "user"}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
        {"temperature": "hot"},
        {"temperature": -1},
        {"temperature": 3},
        {"max_tokens": 0},
        {"seed": -1},
        {"seed": 1.5},
        {"stream": "yes"},
        {"agentflow": []},
    ],
)
def test_a_wrong_value_is_named(values: dict[str, Any]) -> None:
    error = refused(**values)
    assert error.param is not None
    assert error.param.split(".")[0] == next(iter(values))


ASSISTANT = {"role": "assistant", "content": "24"}
TOOL = {"role": "tool", "content": "24", "tool_call_id": "call_1"}


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([ASSISTANT], r"messages\[0\]: assistant: the last message is the user's"),
        ([USER, ASSISTANT], r"messages\[1\]: assistant: the last"),
        ([USER, TOOL, USER], r"messages\[1\]: tool: a method uses no tools of its client's"),
        ([ASSISTANT, {"role": "user", "content": " "}], r"messages\[1\]: it is empty"),
    ],
)
def test_what_no_run_can_take_is_refused(messages: list[Any], said: str) -> None:
    assert re.match(said, str(refused(messages=messages)))


def test_a_conversation_is_the_problem() -> None:
    """Nothing of it is left out: what a domain cannot read, it refuses."""
    system = {"role": "system", "content": "Be brief.\n"}
    told = read(messages=[system, USER, ASSISTANT, {"role": "user", "content": "And 1?"}]).problem
    first = USER["content"]
    assert told == (
        f"[Instructions]\nBe brief.\n\n[User]\n{first}\n\n[Assistant]\n24\n\n[User]\nAnd 1?"
    )
    with pytest.raises(BadInput):
        domains.get("game24").parse(told)


def test_an_empty_message() -> None:
    assert "empty" in str(refused(messages=[{"role": "user", "content": " \n"}]))


def test_parts_of_text() -> None:
    parts = [{"type": "text", "text": "4 7"}, {"type": "text", "text": "8 8"}]
    assert read(messages=[{"role": "user", "content": parts}]).problem == "4 7\n8 8"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"nan", b"[1]", b'"x"', b"\xff", b'{"model": "\\ud800"}']
)
def test_no_json(body: bytes) -> None:
    with pytest.raises(Refused) as raised:
        wire.read(body)
    assert (raised.value.status, raised.value.code) == (400, "invalid_json")


def test_deep_json() -> None:
    with pytest.raises(Refused):
        wire.read(b'{"model":' + b"[" * 100_000)


@given(st.binary(max_size=200))
def test_any_bytes(body: bytes) -> None:
    with pytest.raises(Refused) as raised:
        wire.read(body)
    json.dumps(wire.error_body(raised.value, "req-1"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from([*ChatRequest.model_fields, "n", "stop", "tools", "response_format", "x"])


@given(st.dictionaries(FIELDS, JSON, max_size=5))
def test_any_json(values: dict[str, Any]) -> None:
    """It is refused with a reason, or has a problem and settings."""
    try:
        request = wire.read(json.dumps(values).encode("utf-8", "surrogatepass"))
        assert request.problem.strip()
        assert set(request.settings) <= {"max_tokens", "temperature", "top_p", "top_k", "seed"}
        assert request.asked().runs >= 1
    except Refused as error:
        said = error
    else:
        return
    assert said.status == 400
    assert str(said)


def traced(text: str) -> Trace:
    trace = Trace()
    trace.append(Segment("prompt", "?"))
    before, marker, behind = text.partition("</think>")
    trace.append(Segment("generated", before, (), (len(before),)))
    if marker:
        trace.append(Segment("marker", marker))
        trace.append(Segment("generated", behind, (), (len(behind),)))
    return trace


@pytest.mark.parametrize(
    ("answer", "text", "said"),
    [
        ("24", "hm</think>\nIt is 24.\n", "It is 24."),
        (
            "24",
            "hm</think>\nIt is 25.\n",
            "24",
        ),  # read from elsewhere: only what was judged is said
        ("24", "hm, 24", "24"),
        (None, "hm</think>\nIt is 25.\n", "No answer (abstained)"),
    ],
)
def test_only_what_is_answered_is_said(answer: str | None, text: str, said: str) -> None:
    status: Any = "verified" if answer else "abstained"
    result = Result(answer, status, operations=traced(text).operations, close="</think>")
    assert telling.content(result) == said
    assert completion(result)["choices"][0]["message"]["content"] == said


@pytest.mark.parametrize(
    ("opens", "closes"), [("[THINK]", "[/THINK]"), ("◁think▷", "◁/think▷"), ("<a>", "</a>")]
)
def test_thinking_and_answer_by_the_markers_of_the_model(opens: str, closes: str) -> None:
    text = f"{opens}hm, 25 </think> 26{closes}\nIt is 24."
    operations = traced(text).operations
    result = Result("24", "verified", operations=operations, open=opens, close=closes)
    message = completion(result)["choices"][0]["message"]
    assert message["content"] == "It is 24."
    assert message["reasoning_content"] == "hm, 25 </think> 26"


def test_the_text_of_a_model_that_does_not_think_apart_is_no_thinking() -> None:
    result = Result("24", "verified", operations=traced("8 * 3 = 24. So 24.").operations)
    message = completion(result)["choices"][0]["message"]
    assert message["content"] == "8 * 3 = 24. So 24."
    assert message["reasoning_content"] == ""


def test_a_broken_stream_names_no_server() -> None:
    error = "http://gpu1:8000/v1 broke off"
    result = Result(None, "exhausted", error, error=error)
    found = completion(result)
    assert "gpu1" not in json.dumps(found)
    said = "No answer (exhausted): the model's server broke off"
    assert found["choices"][0]["message"]["content"] == said


def test_the_cache_is_not_told_of() -> None:
    entry = {"role": "solver", "calls": 1, "prompt": 9, "cached": 8, "generated": 5, "wasted": 0}
    result = Result("24", "verified", ledger={"solver/0": entry | {"seconds": 1.0}})
    reply = completion(result)
    assert reply["usage"] == {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    assert reply["agentflow"]["cost"] == {
        "solver": {
            "calls": 1,
            "prompt": 9,
            "generated": 5,
            "wasted": 0,
            "seconds": 1.0,
            "reasoning": 0,
        }
    }
