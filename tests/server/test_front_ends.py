"""What ordinary programs send is answered: front ends, SDKs, LangChain, an evaluation harness."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import httpx
import pytest
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, BadRequestError
from pydantic import BaseModel
from serving import ANSWER, PUZZLE, SAID, SOLVED, THINKING, asked, client

from agentflow.models import Delay, ScriptedModel
from agentflow.server import ServeSettings

USER: Any = [{"role": "user", "content": PUZZLE}]
MODEL = "interwhen/scripted"
FOUR = "2 + 2 is 4.</think>\nIt is \\boxed{4}."

BODIES: dict[str, dict[str, Any]] = {
    "LibreChat": {
        "temperature": 1,
        "top_p": 1,
        "presence_penalty": 0,
        "frequency_penalty": 0,
        "user": "65a1f0c2",
        "stream": True,
    },
    "Open WebUI": {
        "stream": True,
        "temperature": 0.8,
        "top_p": 0.9,
        "max_tokens": 4000,
        "frequency_penalty": 0.0,
        "seed": 0,
        "stop": ["</s>"],
        "logit_bias": {},
        "reasoning_effort": "medium",
        "stream_options": {"include_usage": True},
    },
    "lm-eval": {"max_tokens": 256, "temperature": 0, "stop": ["Question:", "</s>"], "seed": 1234},
    "the OpenAI SDK": {"n": 1, "response_format": {"type": "text"}, "store": False, "tools": []},
    "LangChain": {"stream": False, "temperature": 0.7, "max_completion_tokens": 100},
    "LiteLLM": {"stream": False, "metadata": {"tags": ["a"], "user_api_key": None}},
}


@pytest.mark.parametrize("name", BODIES)
async def test_what_it_sends_is_answered(name: str) -> None:
    async with client(ScriptedModel(SOLVED)) as http:
        reply = await http.post("chat/completions", json=asked(**BODIES[name]))
    assert reply.status_code == 200, reply.text
    assert json.dumps(SAID)[1:-1] in reply.text


async def test_a_reply_may_be_sent_back() -> None:
    """As the SDK's users do: the message that came goes into the next request as it is."""
    async with client(ScriptedModel(lambda prompt: FOUR), domain="math") as http:
        create = AsyncOpenAI(
            base_url=http.base_url, api_key="none", http_client=http
        ).chat.completions.create
        turns: list[Any] = [{"role": "user", "content": "What is 2 + 2?"}]
        reply = await create(model="direct/scripted", messages=turns)
        whole = [*turns, reply.choices[0].message, {"role": "user", "content": "Sure?"}]
        again = await create(model="direct/scripted", messages=whole)
    assert again.choices[0].message.content == "It is \\boxed{4}."


PARTS = [{"type": "text", "text": PUZZLE, "cache_control": {"type": "ephemeral"}}]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([{"role": "user", "content": PUZZLE, "type": "text"}], None),
        ([{"role": "user", "content": PARTS, "name": "ann"}], None),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
            "messages[0]: image_url: only text is taken",
        ),
        ([{"role": "user"}], "messages[0]: it has no content"),
        ([{"role": "robot", "content": "x"}], "messages[0]: robot: its role is one of system"),
        (
            [{"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}, *USER],
            "messages[0]: unsupported parameters: tool_calls",
        ),
        ([{"role": "user", "content": PUZZLE, "colour": "red"}], "parameters: colour"),
    ],
)
async def test_messages(messages: Any, said: str | None) -> None:
    async with client(ScriptedModel(SOLVED)) as http:
        reply = await http.post("chat/completions", json={"model": MODEL, "messages": messages})
    assert reply.status_code == (200 if said is None else 400)
    if said is not None:
        assert said in reply.json()["error"]["message"]


class TestAnswers:
    async def test_several(self) -> None:
        """Each is a run of its own, with the next seed; each says what it is worth."""
        model = ScriptedModel(lambda prompt: SOLVED)
        async with client(model) as http:
            reply = (await http.post("chat/completions", json=asked(n=3, seed=5))).json()
            metrics = (await http.get("../metrics")).text
        assert [choice["index"] for choice in reply["choices"]] == [0, 1, 2]
        assert [choice["agentflow"]["seed"] for choice in reply["choices"]] == [5, 6, 7]
        assert {choice["message"]["content"] for choice in reply["choices"]} == {SAID}
        assert "agentflow" not in reply
        assert reply["usage"]["completion_tokens"] == model.streamed
        assert f'agentflow_runs_total{{model="{MODEL}",status="verified"}} 3.0' in metrics

    async def test_streamed(self) -> None:
        async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
            reply = await http.post("chat/completions", json=asked(n=2, stream=True))
        *lines, done = [line[6:] for line in reply.text.splitlines() if line]
        assert done == "[DONE]"
        for index in range(2):
            mine = [json.loads(line)["choices"][0] for line in lines]
            deltas = [one["delta"] for one in mine if one["index"] == index]
            assert [delta.get("role") for delta in deltas].count("assistant") == 1
            thought = "".join(delta.get("reasoning_content", "") for delta in deltas)
            assert (thought, "".join(d.get("content", "") for d in deltas)) == (THINKING, SAID)

    async def test_the_first_one_begins_first(self) -> None:
        """The SDK puts answers together in the order in which they begin."""
        replies = iter([[Delay(0.2), SOLVED], SOLVED, SOLVED])
        async with client(ScriptedModel(lambda prompt: next(replies))) as http:
            openai = AsyncOpenAI(base_url=http.base_url, api_key="none", http_client=http)
            async with openai.chat.completions.stream(model=MODEL, messages=USER, n=3) as stream:
                whole = await stream.get_final_completion()
        assert [choice.index for choice in whole.choices] == [0, 1, 2]
        assert {choice.message.content for choice in whole.choices} == {SAID}

    @pytest.mark.parametrize(
        ("serve", "said"),
        [
            (ServeSettings(answers=2), "3 answers: at most 2 to one request"),
            (ServeSettings(concurrency=2), "3 answers: this key may have 2 runs at once"),
        ],
    )
    async def test_too_many(self, serve: ServeSettings, said: str) -> None:
        async with client(ScriptedModel(lambda prompt: SOLVED), serve) as http:
            reply = await http.post("chat/completions", json=asked(n=3))
        assert reply.status_code == 400
        assert said in reply.json()["error"]["message"]


async def test_what_is_refused_takes_no_memory() -> None:
    """How many answers there may be is seen before anything is made for each of them."""
    async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
        for route in ("chat/completions", "completions"):
            body = asked(n=300_000)
            if route == "completions":
                body["prompt"] = body.pop("messages")[0]["content"]
            tracemalloc.start()
            reply = await http.post(route, json=body)
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert "300000 answers: at most 8" in reply.json()["error"]["message"]
            assert most < 4_000_000


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        ("=", "Answer: (7 - 8 / 8) * 4 "),
        ([" * ", "8 /"], "Answer: (7 - "),
        (["nowhere"], SAID),
        ("Answer", ""),
    ],
)
async def test_stop_cuts_the_text_and_not_the_thinking(stop: Any, said: str) -> None:
    """What is verified is the answer, which stands in the extension."""
    async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
        reply = (await http.post("chat/completions", json=asked(stop=stop))).json()
        streamed = await http.post("chat/completions", json=asked(stop=stop, stream=True))
    message = reply["choices"][0]["message"]
    assert (message["content"], message["reasoning_content"]) == (said, THINKING.strip())
    assert reply["agentflow"]["answer"] == ANSWER
    if said:
        assert f'"content":{json.dumps(said)}' in streamed.text


class Reply(BaseModel):
    answer: str
    status: str


class Counted(BaseModel):
    answer: int


class TestJSON:
    async def test_an_object(self) -> None:
        more = {"response_format": {"type": "json_object"}}
        async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
            reply = (await http.post("chat/completions", json=asked(**more))).json()
        told = json.loads(reply["choices"][0]["message"]["content"])
        assert (told["answer"], told["status"]) == (ANSWER, "verified")

    async def test_what_the_sdk_parses(self) -> None:
        async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
            openai = AsyncOpenAI(base_url=http.base_url, api_key="none", http_client=http)
            parse = openai.chat.completions.parse
            parsed = await parse(model=MODEL, messages=USER, response_format=Reply)
            misfit = await parse(model=MODEL, messages=USER, response_format=Counted)
            with pytest.raises(BadRequestError, match="nothing is known of steps"):
                await parse(model=MODEL, messages=USER, response_format=Steps)
        assert parsed.choices[0].message.parsed == Reply(answer=ANSWER, status="verified")
        message = misfit.choices[0].message
        assert (message.parsed, message.content) == (None, None)
        assert "does not fit the schema" in (message.refusal or "")

    async def test_langchain(self) -> None:
        async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
            chat = ChatOpenAI(
                model=MODEL,
                base_url=str(http.base_url),
                api_key="none",  # type: ignore[arg-type]
                http_async_client=http,
            ).with_structured_output(Reply)
            assert await chat.ainvoke(PUZZLE) == Reply(answer=ANSWER, status="verified")

    async def test_no_answer_is_a_refusal(self) -> None:
        model = ScriptedModel(lambda prompt: "hm</think>\nno idea")
        schema = {"name": "Reply", "schema": Reply.model_json_schema()}
        body = asked(response_format={"type": "json_schema", "json_schema": schema}, stream=True)
        async with client(model, max_corrections=0) as http:
            reply = await http.post("chat/completions", json=body)
        assert '"refusal":"No answer (' in reply.text
        assert '"content"' not in reply.text

    async def test_nothing_cuts_it(self) -> None:
        body = asked(stop="x", response_format={"type": "json_object"})
        async with client(ScriptedModel(SOLVED)) as http:
            reply = await http.post("chat/completions", json=body)
        assert (reply.status_code, reply.json()["error"]["param"]) == (400, "stop")


class Steps(BaseModel):
    steps: list[str]
    answer: str


class TestCompletions:
    """lm-eval's local-completions, and whoever else speaks the older API."""

    async def post(self, **body: Any) -> httpx.Response:
        async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
            reply: httpx.Response = await http.post("completions", json={"model": MODEL} | body)
            return reply

    async def test_texts(self) -> None:
        sent = {"max_tokens": 256, "temperature": 0, "stop": ["\n\n"], "seed": 1234}
        reply = (await self.post(prompt=[PUZZLE, "1 1 4 6"], **sent)).json()
        assert reply["choices"][0]["text"] == SAID
        assert [choice["agentflow"]["seed"] for choice in reply["choices"]] == [1234, 1234]
        assert reply["object"] == "text_completion"
        assert reply["usage"]["completion_tokens"] > 0

    async def test_the_sdk_and_a_stream(self) -> None:
        async with client(ScriptedModel(lambda prompt: SOLVED)) as http:
            create = AsyncOpenAI(
                base_url=http.base_url, api_key="none", http_client=http
            ).completions.create
            whole = await create(model=MODEL, prompt=PUZZLE, n=2)
            options: Any = {"include_usage": True}
            stream = await create(model=MODEL, prompt=PUZZLE, stream=True, stream_options=options)
            pieces = [piece async for piece in stream]
        assert [choice.text for choice in whole.choices] == [SAID, SAID]
        assert "".join(choice.text for piece in pieces for choice in piece.choices) == SAID
        assert pieces[-1].usage is not None

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ({"prompt": [[1, 2]]}, "not token ids (of lm-eval: tokenized_requests=False)"),
            ({"prompt": []}, "prompt: it is empty"),
            ({"prompt": " "}, "prompt: it is empty"),
            ({"prompt": PUZZLE, "logprobs": 1, "echo": True}, "generate_until"),
            ({"prompt": PUZZLE, "suffix": "x"}, "a method fills no gaps"),
            ({"prompt": [PUZZLE] * 9}, "9 answers: at most 8"),
        ],
    )
    async def test_what_means_nothing_is_refused(self, body: Any, said: str) -> None:
        reply = await self.post(**body)
        assert reply.status_code == 400
        assert said in reply.json()["error"]["message"]
