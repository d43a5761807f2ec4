"""The HTTP surface, with the clients that people use."""

from __future__ import annotations

import json
import logging
from hashlib import sha256
from typing import Any

import httpx
import pytest
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, AuthenticationError, BadRequestError, NotFoundError, RateLimitError
from serving import ANSWER, PUZZLE, SAID, SOLVED, THINKING, asked, client

from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models import Capabilities, Delay, Fault, ScriptedModel
from agentflow.server import ServeSettings, application
from agentflow.server.settings import Key
from agentflow.settings import Settings
from agentflow.tools.search import WebSearch

ALICE, BOB = "alice" * 8, "bob" * 12
KEYS = {
    "alice": Key(sha256=sha256(ALICE.encode()).hexdigest(), metrics=True),
    "bob": Key(sha256=sha256(BOB.encode()).hexdigest(), concurrency=1, tokens_per_minute=50),
}
USER: Any = [{"role": "user", "content": PUZZLE}]


def openai(http: httpx.AsyncClient, key: str = "none") -> AsyncOpenAI:
    return AsyncOpenAI(base_url=http.base_url, api_key=key, http_client=http, max_retries=0)


def extra(of: Any) -> dict[str, Any]:
    """The field ``agentflow``, which the client does not know of."""
    return dict(of.model_extra["agentflow"])


class TestOpenAI:
    async def test_the_models(self) -> None:
        async with client(ScriptedModel(SOLVED)) as http:
            listed = await openai(http).models.list()
            one = await openai(http).models.retrieve("interwhen/scripted")
        assert [model.id for model in listed.data] == ["direct/scripted", "interwhen/scripted"]
        assert (one.id, one.owned_by) == ("interwhen/scripted", "agentflow")

    async def test_a_completion(self) -> None:
        model = ScriptedModel(SOLVED)
        async with client(model) as http:
            reply = await openai(http).chat.completions.create(
                model="interwhen/scripted", messages=USER, seed=7, temperature=0.5
            )
        message = reply.choices[0].message
        assert (message.content, reply.choices[0].finish_reason) == (SAID, "stop")
        assert message.model_extra is not None
        assert message.model_extra["reasoning_content"] == THINKING.strip()
        told = extra(reply)
        assert (told["status"], told["answer"], told["seed"]) == ("verified", ANSWER, 7)
        assert [verdict["ok"] for verdict in told["verdicts"]] == [True]
        assert reply.usage is not None
        assert reply.usage.completion_tokens == model.streamed
        assert told["cost"]["solver"]["generated"] == model.streamed
        assert model.requests[0].sampling.temperature == 0.5

    async def test_a_stream(self) -> None:
        wrong = "8 / 8 = 2 (left: 2 4 7)\n"
        model = ScriptedModel({r"<think>\n": wrong * 3, r"Wait, .*\n": SOLVED})
        async with client(model) as http:
            stream = await openai(http).chat.completions.create(
                model="interwhen/scripted",
                messages=USER,
                stream=True,
                stream_options={"include_usage": True},
            )
            chunks = [chunk async for chunk in stream]
        deltas = [chunk.choices[0].delta for chunk in chunks[:-1]]
        thinking = "".join((one.model_extra or {}).get("reasoning_content", "") for one in deltas)
        assert [one.role for one in deltas] == ["assistant"] + [None] * (len(deltas) - 1)
        assert "\n[agentflow: feedback by step_verifier: " in thinking
        assert thinking.endswith(THINKING)
        assert [one.content for one in deltas if one.content] == [SAID]
        notes = [extra(one) for one in chunks if one.model_extra and "agentflow" in one.model_extra]
        assert [note.get("kind") for note in notes] == ["feedback", None]
        assert notes[1]["status"] == "verified"
        assert (chunks[-1].choices, chunks[-2].choices[0].finish_reason) == ([], "stop")
        assert chunks[-1].usage is not None
        assert chunks[-1].usage.completion_tokens == model.streamed

    async def test_no_answer_says_nothing(self) -> None:
        wrong = f"{THINKING}</think>\nAnswer: 4 + 7 + 8 + 8 = 24"
        model = ScriptedModel({r"<think>\n": wrong, r"(.|\n)*": "and so on"})
        async with client(model, max_corrections=0) as http:
            create = openai(http).chat.completions.create
            reply = await create(model="interwhen/scripted", messages=USER)
            chunks = [
                one
                async for one in await create(
                    model="interwhen/scripted", messages=USER, stream=True
                )
            ]
        said = reply.choices[0].message.content or ""
        assert said.startswith("No answer (abstained): ")
        assert reply.choices[0].finish_reason == "stop"
        assert (extra(reply)["status"], extra(reply)["answer"]) == ("abstained", None)
        assert "".join(one.choices[0].delta.content or "" for one in chunks) == said
        assert extra(chunks[-1])["status"] == "abstained"

    async def test_seeds_differ_unless_they_are_given(self) -> None:
        async with client(ScriptedModel(SOLVED)) as http:
            create = openai(http).chat.completions.create
            seeds = {
                extra(await create(model="direct/scripted", messages=USER))["seed"]
                for _ in range(3)
            }
        assert len(seeds) == 3

    async def test_errors_are_the_clients(self) -> None:
        serve = ServeSettings(keys=KEYS)
        async with client(ScriptedModel(SOLVED), serve) as http:
            alice = openai(http, ALICE).chat.completions.create
            with pytest.raises(NotFoundError, match="no model 'x'; GET /v1/models"):
                await alice(model="x", messages=USER)
            refused = "unsupported parameters: logit_bias, tools; .* JSON is asked for by resp"
            with pytest.raises(BadRequestError, match=refused):
                await alice(
                    model="interwhen/scripted",
                    messages=USER,
                    tools=[{"type": "function", "function": {"name": "f"}}],
                    logit_bias={"1": 1},
                )
            with pytest.raises(BadRequestError, match="game24: 'hello' is not a positive integer"):
                await alice(
                    model="interwhen/scripted", messages=[{"role": "user", "content": "hello"}]
                )
            with pytest.raises(BadRequestError, match="all messages are read as one problem"):
                await alice(
                    model="interwhen/scripted",
                    messages=[{"role": "system", "content": "Be brief."}, *USER],
                )
            with pytest.raises(BadRequestError, match=r"domain; leave .* in the field agentflow"):
                await alice(
                    model="interwhen/scripted", messages=USER, extra_body={"domain": "math"}
                )
            with pytest.raises(AuthenticationError):
                await openai(http, "someone").models.list()
            bob = openai(http, BOB).chat.completions.create
            await bob(model="interwhen/scripted", messages=USER)
            with pytest.raises(RateLimitError, match="50 tokens per minute") as raised:
                await bob(model="interwhen/scripted", messages=USER)
            assert 1 <= int(raised.value.response.headers["retry-after"]) <= 60
            await alice(model="interwhen/scripted", messages=USER)


async def test_langchain() -> None:
    async with client(ScriptedModel(SOLVED)) as http:
        chat = ChatOpenAI(
            model="interwhen/scripted",
            base_url=str(http.base_url),
            api_key="none",  # type: ignore[arg-type]
            http_async_client=http,
        )
        reply = await chat.ainvoke(PUZZLE)
        pieces = [piece async for piece in chat.astream(PUZZLE)]
    assert reply.content == SAID
    assert reply.usage_metadata is not None
    assert reply.usage_metadata["output_tokens"] > 0
    assert "".join(str(piece.content) for piece in pieces) == SAID


class TestBadInput:
    @pytest.fixture
    async def http(self) -> Any:
        async with client(
            ScriptedModel(SOLVED), ServeSettings(body_bytes=2000), max_tokens=500
        ) as c:
            yield c

    async def test_the_body(self, http: httpx.AsyncClient) -> None:
        kind = {"content-type": "application/json; charset=utf-8"}
        path = "chat/completions"
        replies = {
            "malformed": (await http.post(path, content=b'{"model": ', headers=kind), 400),
            "oversize": (await http.post(path, json=asked("4 " * 2000)), 413),
            "no JSON": (await http.post(path, content=b"x", headers={}), 415),
            "a form": (await http.post(path, data={"model": "x"}), 415),
            "a method": (await http.get(path), 405),
            "a path": (await http.get("nowhere"), 404),
        }
        for what, (reply, status) in replies.items():
            assert reply.status_code == status, what
            assert set(reply.json()["error"]) == {"message", "type", "param", "code"}, what
        assert "2,000 bytes" in replies["oversize"][0].json()["error"]["message"]
        assert "line 1" in replies["malformed"][0].json()["error"]["message"]

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (
                {"tools": {"search": "local:/etc"}},
                "agentflow.tools: clients do not choose it, but: d",
            ),
            ({"model": "http://elsewhere/v1"}, "agentflow.model: clients do not choose it"),
            ({"roles": {}}, "agentflow.roles: clients do not choose it"),
            ({"prompt": "../.."}, "agentflow.prompt: clients do not choose it"),
            ({"domain": "cooking"}, "unknown domain 'cooking'"),
            ({"domain": 3}, "domain: Input should be a valid string"),
        ],
    )
    async def test_settings(self, http: httpx.AsyncClient, more: Any, said: str) -> None:
        reply = await http.post("chat/completions", json=asked(agentflow=more))
        assert reply.status_code == 400
        assert said in reply.json()["error"]["message"]

    async def test_the_operators_budget_is_not_raised(self, http: httpx.AsyncClient) -> None:
        reply = await http.post("chat/completions", json=asked(max_tokens=501))
        assert (reply.status_code, reply.json()["error"]["param"]) == (400, "max_tokens")
        assert (await http.post("chat/completions", json=asked(max_tokens=400))).status_code == 200

    async def test_a_page_that_has_its_name_point_here(self, http: httpx.AsyncClient) -> None:
        assert (await http.get("models", headers={"host": "evil.example"})).status_code == 403
        for host in ("localhost:8080", "127.0.0.1", "[::1]:80"):
            assert (await http.get("models", headers={"host": host})).status_code == 200


async def test_a_client_may_choose_what_the_operator_lets_it() -> None:
    serve = ServeSettings(client_settings=("domain", "max_corrections"))
    async with client(ScriptedModel("so</think>\n\\boxed{4}"), serve) as http:
        more = {"domain": "math", "max_corrections": 2}
        body = asked("What is 2 + 2?", "direct", agentflow={"domain": "math"})
        reply = await http.post("chat/completions", json=body)
        assert reply.json()["choices"][0]["message"]["content"] == "\\boxed{4}"
        refused = await http.post("chat/completions", json=asked("2", "direct", agentflow=more))
        said = "agentflow.max_corrections: clients do not choose it, but: domain"  # direct has none
        assert (refused.status_code, refused.json()["error"]["message"]) == (400, said)
        body = asked("4 7 8 8", agentflow=more | {"domain": "game24"})
        assert (await http.post("chat/completions", json=body)).status_code == 200


@pytest.mark.parametrize("error", [ModelUnavailable, StreamBroken])
async def test_a_model_that_does_not_answer(error: Any) -> None:
    """Before the first byte that is a status, of a stream too; no server is named."""
    model = ScriptedModel([Fault(error("http://gpu1:8000/v1 is down"))])
    async with client(model, retries=0) as http:
        for more in ({}, {"stream": True}):
            reply = await http.post("chat/completions", json=asked(**more))
            assert (reply.status_code, reply.json()["error"]["type"]) == (503, "server_error")
            assert reply.headers["retry-after"] == "5"
            assert "gpu1" not in reply.text


@pytest.mark.parametrize(("after", "told"), [(None, "5"), (0.0, "5"), (20.2, "21"), (600.0, "600")])
async def test_how_long_the_models_server_wants_to_be_left_alone_is_passed_on(
    after: float | None, told: str
) -> None:
    model = ScriptedModel([Fault(ModelUnavailable("busy", 429, after))])
    async with client(model, retries=0) as http:
        reply = await http.post("chat/completions", json=asked())
        assert (reply.status_code, reply.headers["retry-after"]) == (503, told)


async def test_a_stream_that_breaks_keeps_its_text() -> None:
    model = ScriptedModel([THINKING, Fault(StreamBroken("http://gpu1:8000/v1 broke"))])
    async with client(model, retries=0) as http:
        reply = await http.post("chat/completions", json=asked(stream=True))
    assert reply.status_code == 200
    assert "gpu1" not in reply.text
    assert '"status":"exhausted"' in reply.text


async def test_a_model_that_is_not_fit() -> None:
    """What it lacks is said, and no name of it, which may be a path."""
    unfit = Capabilities(continues=False)
    model = ScriptedModel(SOLVED, name="/srv/secret/Qwen3.gguf", capabilities=unfit)
    async with client(model) as http:
        reply = await http.post("chat/completions", json=asked())
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "model_unfit")
    said = reply.json()["error"]["message"]
    assert "interwhen/scripted" in said
    assert "continuing a text of ours" in said
    assert "secret" not in said


async def test_a_method_that_is_not_for_the_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "unfit", lambda *_: "it is for other puzzles")
    model = ScriptedModel(SOLVED)
    async with client(model) as http:
        reply = await http.post("chat/completions", json=asked())
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "method_unfit")
    assert reply.json()["error"]["message"] == "interwhen/scripted: it is for other puzzles"
    assert model.requests == []


async def test_an_operators_mistake_is_not_shown() -> None:
    async with client(ScriptedModel(SOLVED), tools={"python": "local:/secret"}) as http:
        reply = await http.post("chat/completions", json=asked())
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "model_misconfigured")
    assert "secret" not in reply.text


async def test_a_bug_is_told_by_its_place_alone(caplog: pytest.LogCaptureFixture) -> None:
    def broken(prompt: str) -> str:
        raise RuntimeError(f"with {prompt}")

    with caplog.at_level(logging.INFO, "agentflow.server"):
        async with client(ScriptedModel(broken)) as http:
            reply = await http.post("chat/completions", json=asked())
    assert (reply.status_code, reply.json()["error"]["code"]) == (500, "internal_error")
    assert reply.headers["x-request-id"] in reply.json()["error"]["message"]
    failed = next(one for one in caplog.records if one.message == "failed")
    told = json.dumps(failed.fields)  # type: ignore[attr-defined]
    assert "RuntimeError" in told
    assert "test_chat_api.py" in told
    assert PUZZLE not in told + reply.text


async def test_seconds() -> None:
    """The call that they cut off has cost tokens too."""
    model = ScriptedModel([THINKING, Delay(30)])
    async with client(model, ServeSettings(seconds=0.3)) as http:
        reply = (await http.post("chat/completions", json=asked())).json()
        metrics = (await http.get("../metrics")).text
    assert reply["agentflow"]["status"] == "exhausted"
    assert reply["agentflow"]["reason"] == "the limit of 0.3 seconds is over"
    assert reply["usage"]["completion_tokens"] == model.streamed
    assert reply["usage"]["prompt_tokens"] == len(model.requests[0].prompt)
    assert reply["agentflow"]["cost"]["unfinished"]["generated"] == model.streamed
    counted = 'agentflow_tokens_total{kind="generated",model="interwhen/scripted"}'
    assert f"{counted} {float(model.streamed)}" in metrics


async def test_the_web_is_not_searched_unless_the_operator_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tool that no sandbox holds is off, also where the domain has it by default."""
    queries: list[str] = []
    monkeypatch.setattr(WebSearch, "search", lambda self, query, limit: queries.append(query) or [])
    model = ScriptedModel("Paris is in France.</think>\nSo the answer is yes.")
    body = asked("Is Paris in France?", agentflow={"domain": "commonsense"})
    for tools, looked_up in (({}, False), ({"search": "web"}, True)):
        async with client(model, tools=tools) as http:
            reply = (await http.post("chat/completions", json=body)).json()
        assert reply["agentflow"]["cost"]["tool:search"]["calls"] > 0
        assert bool(queries) == looked_up


async def test_who_asks_beside_the_routes_learns_what_there_is() -> None:
    """A client whose base URL lacks the version, or that speaks the responses API."""
    async with client(ScriptedModel(SOLVED)) as http:
        for path in ("../chat/completions", "responses", "../v1/v1/messages"):
            reply = await http.post(path, json=asked())
            assert reply.status_code == 404
            said = reply.json()["error"]["message"]
            assert "not found; there are /v1/chat/completions, " in said
            assert "/v1/messages/count_tokens, " in said
            assert "/v1/models/MODEL, " in said


async def test_what_no_route_takes_is_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    """But not the path: anything may stand there."""
    async with client(ScriptedModel(SOLVED)) as http:
        with caplog.at_level(logging.INFO, "agentflow.server"):
            replies = [await http.get("my-secret"), await http.get("chat/completions")]
        logged = [one.fields for one in caplog.records if one.message == "request"]  # type: ignore[attr-defined]
        metrics = (await http.get("../metrics")).text
    assert [one["id"] for one in logged] == [one.headers["x-request-id"] for one in replies]
    assert [(one["route"], one["status"]) for one in logged] == [("other", 404), ("other", 405)]
    assert "secret" not in json.dumps(logged)
    assert 'agentflow_http_replies_total{code="404",route="other"} 1.0' in metrics


async def test_health_and_metrics() -> None:
    async with client(ScriptedModel(SOLVED), ServeSettings(keys=KEYS)) as http:
        assert (await http.get("../health")).json() == {"status": "ok"}
        assert (await http.get("../metrics")).status_code == 401
        await http.post(
            "chat/completions", json=asked(), headers={"authorization": f"Bearer {BOB}"}
        )
        as_bob = await http.get("../metrics", headers={"authorization": f"Bearer {BOB}"})
        as_alice = await http.get("../metrics", headers={"authorization": f"Bearer {ALICE}"})
    assert as_bob.status_code == 403
    assert 'agentflow_runs_total{model="interwhen/scripted",status="verified"} 1.0' in as_alice.text
    assert "agentflow_running 0.0" in as_alice.text
    assert "bob" not in as_alice.text


async def test_no_client_sees_another(caplog: pytest.LogCaptureFixture) -> None:
    """Neither prompt nor trace nor key of one is in a reply to another or in the log."""
    secret = "13 12 11 10"
    async with client(ScriptedModel(lambda prompt: SOLVED), ServeSettings(keys=KEYS)) as http:
        with caplog.at_level(logging.DEBUG):
            mine = await http.post(
                "chat/completions",
                json=asked(secret, user="hidden"),
                headers={"authorization": f"Bearer {BOB}"},
            )
            wrong = await http.get("models", headers={"authorization": f"Bearer {ALICE}x"})
            theirs = [
                await http.request(
                    verb, path, json=body, headers={"authorization": f"Bearer {ALICE}"}
                )
                for verb, path, body in (
                    ("POST", "chat/completions", asked()),
                    ("POST", "chat/completions", asked(stream=True)),
                    ("POST", "chat/completions", asked("x")),
                    ("GET", "models", None),
                    ("GET", "../metrics", None),
                    ("GET", f"chat/completions/{mine.json()['id']}", None),
                )
            ]
    assert mine.status_code == 200
    logged = " ".join(json.dumps(vars(one), default=str) for one in caplog.records)
    assert "interwhen/scripted" in logged
    for text in (secret, "hidden", BOB, ALICE, THINKING.strip(), SAID):
        assert text not in logged
    for reply in [wrong, *theirs]:
        for text in (secret, "hidden", BOB, ALICE):
            assert text not in reply.text


def test_the_routes_are_those_documented() -> None:
    app = application(ServeSettings(), {})
    assert {route.path for route in app.routes} == {  # type: ignore[attr-defined]
        "/v1/chat/completions",
        "/v1/completions",
        "/v1/messages",
        "/v1/messages/count_tokens",
        "/v1/models",
        "/v1/models/{id:path}",
        "/metrics",
        "/health",
    }
