"""Anthropic's messages endpoint, with the clients that people use."""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
import serving
from serving import ANSWER, PUZZLE, SAID, SOLVED, THINKING

from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models import Delay, Fault, ScriptedModel
from agentflow.server import ServeSettings, stream
from agentflow.server.messages_reply import SIGNATURE
from agentflow.server.settings import Key

anthropic = pytest.importorskip("anthropic")
httpx2 = pytest.importorskip("httpx2")  # which its clients take

client = partial(serving.client, library=httpx2)

MODEL = "interwhen/scripted"
SYSTEM = {"role": "system", "content": "x"}
USER: Any = [{"role": "user", "content": PUZZLE}]
THINKS: Any = {"type": "enabled", "budget_tokens": 1024}
WRONG = "8 / 8 = 2 (left: 2 4 7)\n"
KEY = "alice" * 8


def sdk(http: Any, **given: Any) -> Any:
    base = str(http.base_url).removesuffix("/v1/")
    given = {"api_key": "none"} | given
    return anthropic.AsyncAnthropic(base_url=base, http_client=http, max_retries=0, **given)


async def create(model: ScriptedModel, *, method: str = "interwhen", **more: Any) -> Any:
    settings = more.pop("settings", {})
    body: Any = {"model": f"{method}/scripted", "messages": USER, "max_tokens": 4096} | more
    async with client(model, **settings) as http:
        return await sdk(http).messages.create(**body)


class TestWhole:
    async def test_a_message(self) -> None:
        model = ScriptedModel(SOLVED)
        reply = await create(model, extra_body={"temperature": 0.5})
        assert [(one.type, one.text) for one in reply.content] == [("text", SAID)]
        assert (reply.role, reply.type, reply.model) == ("assistant", "message", MODEL)
        assert (reply.stop_reason, reply.stop_sequence) == ("end_turn", None)
        assert reply.usage.output_tokens == model.streamed
        assert reply.usage.input_tokens > 0
        assert reply.model_extra["agentflow"]["status"] == "verified"
        assert model.requests[0].sampling.temperature == 0.5

    @pytest.mark.parametrize("type", ["enabled", "adaptive"])
    async def test_the_thinking_is_a_block(self, type: str) -> None:
        given = THINKS if type == "enabled" else {"type": type}
        reply = await create(ScriptedModel(SOLVED), thinking=given)
        thought, text = reply.content
        assert (thought.type, thought.thinking) == ("thinking", THINKING.strip())
        assert (thought.signature, text.text) == (SIGNATURE, SAID)

    @pytest.mark.parametrize(
        "given", [{"type": "disabled"}, {"type": "adaptive", "display": "omitted"}]
    )
    async def test_unless_it_was_not_asked_for(self, given: Any) -> None:
        reply = await create(ScriptedModel(SOLVED), thinking=given)
        assert [one.type for one in reply.content] == ["text"]

    async def test_a_conversation_with_a_system_prompt(self) -> None:
        """The thinking of before is sent back, and is no part of the problem."""
        prompts: list[str] = []

        def replies(prompt: str) -> str:
            prompts.append(prompt)
            return "hm</think>\nIt is \\boxed{4}."

        model = ScriptedModel(replies)
        settings = {"domain": "math"}
        first = await create(model, thinking=THINKS, settings=settings, method="direct")
        turns = [*USER, first.to_param(), {"role": "user", "content": "Sure?"}]
        blocks = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
        again = await create(
            model, messages=turns, system=blocks, settings=settings, method="direct"
        )
        assert again.content[0].text == "It is \\boxed{4}."
        for part in (
            "[Instructions]\nBe brief.",
            "[Assistant]\nIt is \\boxed{4}.",
            "[User]\nSure?",
        ):
            assert part in prompts[-1]
        assert "hm" not in prompts[-1]

    async def test_a_stop_sequence(self) -> None:
        reply = await create(ScriptedModel(SOLVED), stop_sequences=["=", "x"])
        assert reply.content[0].text == "Answer: (7 - 8 / 8) * 4 "
        assert (reply.stop_reason, reply.stop_sequence) == ("stop_sequence", "=")
        nothing = await create(ScriptedModel(SOLVED), stop_sequences=["Answer"])
        assert nothing.content == []

    async def test_no_answer_says_so(self) -> None:
        wrong = f"{THINKING}</think>\nAnswer: 4 + 7 + 8 + 8 = 24"
        reply = await create(ScriptedModel(lambda prompt: wrong), settings={"max_corrections": 0})
        assert reply.content[0].text.startswith("No answer (abstained): ")
        assert reply.stop_reason == "end_turn"

    async def test_tokens_that_are_spent(self) -> None:
        model = ScriptedModel(lambda prompt: ["on and on\n"] * 100)
        reply = await create(model, max_tokens=20)
        assert (reply.stop_reason, reply.usage.output_tokens) == ("max_tokens", 20)
        assert reply.content[0].text.startswith("No answer (exhausted): ")

    async def test_the_operators_budget_stands(self) -> None:
        """Everybody must name one here, so one that is too large is lowered."""
        model = ScriptedModel(lambda prompt: ["on and on\n"] * 100)
        reply = await create(model, max_tokens=20_000, settings={"max_tokens": 30})
        assert (reply.stop_reason, reply.usage.output_tokens) == ("max_tokens", 30)

    async def test_json(self) -> None:
        schema = {
            "type": "object",
            "properties": {"answer": {"type": "string"}},
            "required": ["answer"],
            "additionalProperties": False,
        }
        asked = {"format": {"type": "json_schema", "schema": schema}, "effort": "high"}
        reply = await create(ScriptedModel(SOLVED), output_config=asked)
        assert json.loads(reply.content[0].text) == {"answer": ANSWER}
        number = {"type": "object", "properties": {"answer": {"type": "number"}}}
        asked = {"format": {"type": "json_schema", "schema": number | {"required": ["answer"]}}}
        reply = await create(ScriptedModel(SOLVED), output_config=asked)
        assert reply.stop_reason == "refusal"


class TestStreamed:
    async def test_text_alone(self) -> None:
        model = ScriptedModel(SOLVED)
        async with (
            client(model) as http,
            sdk(http).messages.stream(model=MODEL, messages=USER, max_tokens=4096) as events,
        ):
            pieces = [piece async for piece in events.text_stream]
            final = await events.get_final_message()
        assert pieces == [SAID]
        assert (final.content[0].text, final.stop_reason) == (SAID, "end_turn")
        assert final.usage.output_tokens == model.streamed
        assert final.usage.input_tokens > 0

    async def test_the_events(self) -> None:
        """In the order of the reference, with what is taken back said in the thinking."""
        model = ScriptedModel({r"<think>\n": WRONG * 3, r"Wait, .*\n": SOLVED})
        async with client(model) as http:
            stream = await sdk(http).messages.create(
                model=MODEL, messages=USER, max_tokens=4096, stream=True, thinking=THINKS
            )
            events = [event async for event in stream]
        kinds = [event.type for event in events]
        between = [kind for kind in kinds if kind != "content_block_delta"]
        assert between == [
            "message_start",
            *("content_block_start", "content_block_stop") * 2,
            *("message_delta", "message_stop"),
        ]
        assert (events[0].message.content, events[0].message.stop_reason) == ([], None)
        deltas = [event for event in events if event.type == "content_block_delta"]
        thought = "".join(e.delta.thinking for e in deltas if e.delta.type == "thinking_delta")
        assert "\n[agentflow: feedback by step_verifier: " in thought
        assert thought.endswith(THINKING)
        notes = [e.model_extra["agentflow"] for e in deltas if "agentflow" in e.model_extra]
        assert [note["kind"] for note in notes] == ["feedback"]
        assert [(e.index, e.delta.type) for e in deltas[-2:]] == [
            (0, "signature_delta"),
            (1, "text_delta"),
        ]
        assert events[-2].delta.stop_reason == "end_turn"
        assert events[-2].model_extra["agentflow"]["status"] == "verified"
        assert events[-2].usage.output_tokens == model.streamed

    async def test_an_error_behind_the_first_byte(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stream, "BEAT_SECONDS", 0.05)
        model = ScriptedModel([Delay(0.3), Fault(ModelUnavailable("http://gpu1:8000/v1 is down"))])
        async with client(model, retries=0) as http:
            events = await sdk(http).messages.create(
                model=MODEL, messages=USER, max_tokens=4096, stream=True
            )
            with pytest.raises(anthropic.APIStatusError, match="does not answer") as raised:
                async for _ in events:
                    pass
        assert raised.value.body["error"]["type"] == "overloaded_error"

    async def test_a_stream_that_breaks_keeps_its_text(self) -> None:
        model = ScriptedModel([THINKING, Fault(StreamBroken("http://gpu1:8000/v1 broke"))])
        async with client(model, retries=0) as http:
            events = await sdk(http).messages.create(
                model=MODEL, messages=USER, max_tokens=4096, stream=True
            )
            found = [event async for event in events]
        assert found[-2].model_extra["agentflow"]["status"] == "exhausted"


class TestErrors:
    async def test_they_have_the_apis_shape(self) -> None:
        serve = ServeSettings(
            keys={"alice": Key(sha256=sha256(KEY.encode()).hexdigest(), tokens_per_minute=5)}
        )
        body: Any = {"model": MODEL, "messages": USER, "max_tokens": 4096}
        async with client(ScriptedModel(SOLVED), serve) as http:
            with pytest.raises(anthropic.AuthenticationError) as raised:
                await sdk(http).messages.create(**body)
            told = raised.value.response.json()
            assert (told["type"], told["error"]["type"]) == ("error", "authentication_error")
            assert told["request_id"] == raised.value.request_id
            alice = sdk(http, api_key=KEY).messages
            bearer = sdk(http, api_key=None, auth_token=KEY).messages
            with pytest.raises(anthropic.NotFoundError, match="no model 'x'"):
                await alice.create(**body | {"model": "x"})
            with pytest.raises(anthropic.BadRequestError, match="not a positive integer"):
                await bearer.create(**body | {"messages": [{"role": "user", "content": "hello"}]})
            await alice.create(**body)
            with pytest.raises(anthropic.RateLimitError, match="5 tokens per minute"):
                await alice.create(**body)
            with pytest.raises(anthropic.NotFoundError, match="read the reply's usage"):
                await alice.count_tokens(model=MODEL, messages=USER)
            nowhere = await http.get("messages/x")
        assert nowhere.json()["type"] == "error"

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            ({"tools": [{"name": "f"}]}, "tools; leave them out (a method uses no tools"),
            ({"max_tokens": 0}, "max_tokens: "),
            ({"max_tokens": None}, "max_tokens: "),
            ({"stop_sequences": [""]}, "stop_sequences: an empty text"),
            ({"system": [{"type": "image"}]}, "messages[-1]: image: only text is taken"),
            (
                {"messages": [{"role": "system", "content": "x"}, *USER]},
                "role is user or assistant",
            ),
            (
                {"messages": [{"role": "assistant", "content": "x"}]},
                "the last message is the user's",
            ),
            (
                {"messages": [{"role": "user", "content": [{"type": "image", "source": {}}]}]},
                "messages[0]: image: only text is taken",
            ),
            (
                {"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]},
                "messages[0]: tool_result: only text is taken",
            ),
            ({"output_config": {"format": {"type": "x"}}}, "its type is json_schema"),
            ({"agentflow": {"tools": {}}}, "agentflow.tools: clients do not choose it"),
        ],
    )
    async def test_what_means_nothing_is_refused(self, more: Any, said: str) -> None:
        body = {"model": MODEL, "messages": USER, "max_tokens": 100} | more
        async with client(ScriptedModel(SOLVED)) as http:
            reply = await http.post("messages", json=body)
        assert (reply.status_code, reply.json()["error"]["type"]) == (400, "invalid_request_error")
        assert said in reply.json()["error"]["message"]


async def test_what_clients_send_beside_it_is_taken() -> None:
    reply = await create(
        ScriptedModel(SOLVED),
        tools=[],
        metadata={"user_id": "u"},
        service_tier="auto",
        extra_body={"top_p": 0.9, "top_k": 5, "context_management": {"edits": []}},
        extra_headers={"anthropic-beta": "x"},
    )
    assert reply.content[0].text == SAID


async def test_the_models() -> None:
    async with client(ScriptedModel(SOLVED)) as http:
        listed = [one async for one in sdk(http).models.list()]
        one = await sdk(http).models.retrieve(MODEL)
    assert [model.id for model in listed] == ["direct/scripted", MODEL]
    assert (one.type, one.display_name) == ("model", MODEL)


async def test_langchain() -> None:
    chats = pytest.importorskip("langchain_anthropic")
    async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
        chat = chats.ChatAnthropic(
            model_name=MODEL,
            base_url=str(http.base_url).removesuffix("/v1/"),
            api_key="none",
            max_tokens=4096,
            thinking=THINKS,
        )
        chat._async_client._client = http
        reply = await chat.ainvoke(PUZZLE)
        pieces = [piece async for piece in chat.astream(PUZZLE)]
    assert [block["type"] for block in reply.content] == ["thinking", "text"]
    assert reply.usage_metadata["output_tokens"] > 0
    assert "".join(str(piece.text) for piece in pieces) == SAID
