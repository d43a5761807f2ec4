"""Native calls of tools: a chat server's calls, and the text protocol's, come to the same."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from blockbuster import blockbuster_ctx
from verifiagent_world import HONEST, PROBLEM, RIGHT, Script, evaluation, stub_tools

from agentflow import models
from agentflow.api import ajudge
from agentflow.errors import BadInput, ModelUnavailable, Withheld
from agentflow.ledger import Entries
from agentflow.models import HTTPModel, Token
from agentflow.models.budget import Budget
from agentflow.models.scripted import Reply
from agentflow.profile import PROFILES
from agentflow.verdict import Verdict
from agentflow.verifiers.actions import TOOLS, Call, parse

TOOLED = replace(PROFILES["qwen3"], tools=True)


class Chat:
    """A server that has a chat API and raw completions, and plays one list of replies on both.

    Attributes:
        replies: What its model says, in order; the last is repeated.
        status, error: What a chat is answered with, and says where that is no success.
        older: Whether a call is written as OpenAI's older API has it.
        reason: Why a chat's reply ends.
        requests: The bodies of all chats.
    """

    def __init__(self, replies: Sequence[Reply]) -> None:
        self.replies, self.count, self.status = replies, 0, 200
        self.error = "this model has no tool parser"
        self.older, self.reason = False, "stop"
        self.requests: list[dict[str, Any]] = []
        self.app = web.Application()
        self.app.router.add_get("/v1/models", self.models)
        self.app.router.add_post("/v1/completions", self.completions)
        self.app.router.add_post("/v1/chat/completions", self.chat)

    def next(self) -> tuple[str, list[Token]]:
        reply = self.replies[min(self.count, len(self.replies) - 1)]
        self.count += 1
        parts = [reply] if isinstance(reply, str) else list(reply)
        tokens = [part if isinstance(part, Token) else Token(str(part)) for part in parts]
        return "".join(token.text for token in tokens), tokens

    async def models(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"data": [{"id": "qwen3-8b"}]})

    async def completions(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for token in self.next()[1]:
            logprobs = {
                "tokens": [token.text],
                "token_logprobs": [token.logprob],
                "top_logprobs": [dict(token.top)],
            }
            choice = {"text": token.text, "index": 0, "finish_reason": None}
            choice["logprobs"] = logprobs if token.logprob is not None else None
            await response.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")
        last = {"choices": [{"text": "", "index": 0, "finish_reason": "stop"}]}
        await response.write(b"data: " + json.dumps(last).encode() + b"\n\ndata: [DONE]\n\n")
        return response

    async def chat(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(await request.json())
        if self.status != 200:
            error = {"error": {"message": self.error}}
            return web.json_response(error, status=self.status)
        text, tokens = self.next()
        message: dict[str, Any] = {"role": "assistant", "content": text}
        logprobs = None
        try:
            call = parse(text)
        except ValueError:
            call = None
        if isinstance(call, Call):
            name = call.tool
            arguments = json.dumps({TOOLS[name][1]: call.argument})
            function = {"name": name, "arguments": arguments}
            message["content"] = call.thought
            made = [{"id": "x", "type": "function", "function": function}]
            message |= {"function_call": function} if self.older else {"tool_calls": made}
        elif any(token.top for token in tokens):
            content = [
                {
                    "token": one.text,
                    "logprob": one.logprob or 0.0,
                    "top_logprobs": [{"token": t, "logprob": p} for t, p in one.top],
                }
                for one in tokens
            ]
            logprobs = {"content": content}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        choice = {
            "index": 0,
            "message": message,
            "finish_reason": self.reason,
            "logprobs": logprobs,
        }
        body = {"id": "c", "object": "chat.completion", "created": 1, "model": "qwen3-8b"}
        return web.json_response(body | {"choices": [choice], "usage": usage})


@asynccontextmanager
async def served(chat: Chat, tools: bool = True) -> AsyncIterator[HTTPModel]:
    async with TestServer(chat.app, host="127.0.0.1") as server:
        url, profile = f"http://127.0.0.1:{server.port}/v1", TOOLED if tools else PROFILES["qwen3"]
        model = HTTPModel(url, profile=profile, idle_timeout=600)
        try:
            yield model
        finally:
            await model.close()
            await models.close_all()


async def judged_by(model: HTTPModel, **settings: Any) -> tuple[Verdict, Entries]:
    options = {"meta": False, "domain": "math", "tools": stub_tools(), **settings}
    return await ajudge(PROBLEM, RIGHT, "verifiagent", model=model, **options)


async def judged(replies: Sequence[Reply], calls: str, **settings: Any) -> tuple[Verdict, Chat]:
    chat = Chat(replies)
    async with served(chat) as model:
        verdict, _ = await judged_by(model, calls=calls, **settings)
    return verdict, chat


BAD = "Thought: hm\nAction: Use Python Interpreter[\nraise Error\n]"
FOUND = "Thought: count\nAction: Use Python Interpreter[\nsum(range(48)) # 72\n]"
OTHER = "Thought: count\nAction: Use Python Interpreter[\nsum(range(48)) # 70\n]"
LOOK = "Thought: facts\nAction: Use Search Engine[found it?]"


@pytest.mark.parametrize(
    "replies",
    [
        [FOUND, evaluation(True)],
        [evaluation(True), BAD, FOUND, FOUND, evaluation(True)],
        [LOOK, OTHER, evaluation(False), evaluation(False, "Step 1 is wrong.")],
        ["no action", OTHER, evaluation(True), evaluation(True)],
        [BAD],
        [evaluation(True)],
    ],
)
async def test_both_protocols_come_to_the_same(replies: list[Reply]) -> None:
    (text, _), (native, chat) = await judged(replies, "text"), await judged(replies, "native")
    assert (native.ok, native.reason, native.kind) == (text.ok, text.reason, text.kind)
    assert native.score == pytest.approx(text.score) if text.score else native.score is None
    assert (text.score is None) == (text.ok is None and text.kind != "evidence_against")
    for verdict, by in ((native, "native"), (text, "text")):
        assert verdict.evidence.pop("protocol") == {"by": by, "why": ""}
    assert native.evidence == text.evidence
    assert {one["function"]["name"] for one in chat.requests[0]["tools"]} == set(TOOLS)


async def test_a_call_of_the_older_api_is_one() -> None:
    chat = Chat([FOUND, evaluation(True)])
    chat.older = True
    async with served(chat) as model:
        verdict, _ = await judged_by(model, calls="native")
    assert verdict.ok is True
    assert [call["tool"] for call in verdict.evidence["calls"]] == ["python"]
    assert len(chat.requests) == 2


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "refusal"])
async def test_what_is_filtered_is_not_asked_again(reason: str) -> None:
    chat, budget = Chat([""]), Budget()
    chat.reason = reason
    async with served(chat) as model:
        with pytest.raises(Withheld, match=r"/chat/completions ended .*'content_filter'"):
            await judged_by(model, calls="native", spending=budget)
    assert len(chat.requests) == 1
    assert (budget.prompt, budget.generated) == (11, 7)
    (entry,) = budget.entries.values()
    assert (entry["calls"], entry["prompt"], entry["generated"]) == (1, 11, 7)
    assert entry["estimated"] == 0


async def test_an_answer_that_cannot_be_used_has_cost_what_it_tells() -> None:
    chat, budget = Chat([FOUND]), Budget()
    chat.reason = 5  # type: ignore[assignment]
    async with served(chat) as model:
        with pytest.raises(ModelUnavailable, match="finish_reason is 5"):
            await judged_by(model, calls="native", spending=budget)
    assert len(chat.requests) == 3
    assert (budget.prompt, budget.generated) == (33, 21)


async def test_what_was_called_is_told_as_a_chat() -> None:
    _, chat = await judged([FOUND, evaluation(True)], "native")
    roles = [message["role"] for message in chat.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "tool"]
    *_, call, said = chat.requests[1]["messages"]
    assert call["tool_calls"][0]["id"] == said["tool_call_id"]
    assert said["content"] == "> value: 72\nIt is the solution's answer."
    assert chat.requests[0]["top_logprobs"] == 5


async def test_a_server_that_refuses_tools_is_asked_by_text() -> None:
    chat = Chat([FOUND, evaluation(True)])
    chat.status = 400
    async with served(chat) as model:
        verdict, entries = await judged_by(model)
    assert verdict.ok is True
    assert verdict.evidence["protocol"]["by"] == "text"
    assert "no tool parser" in verdict.evidence["protocol"]["why"]
    assert len(chat.requests) == 1  # it is not asked again
    assert any(key.endswith("not-native") for key in entries)


@pytest.mark.parametrize(("status", "error"), [(401, BadInput), (503, ModelUnavailable)])
async def test_a_server_that_fails_is_no_refusal(status: int, error: type[Exception]) -> None:
    chat = Chat([FOUND])
    chat.status = status
    chat.error = "not now"
    async with served(chat) as model:
        with pytest.raises(error):
            await judged_by(model, calls="native")


async def test_auto_asks_natively_only_where_the_template_has_tools() -> None:
    chat = Chat([FOUND, evaluation(True)])
    async with served(chat, tools=False) as model:
        verdict, _ = await judged_by(model)
    assert (verdict.ok, chat.requests) == (True, [])


async def test_a_model_without_a_chat_api_is_asked_by_text() -> None:
    verdict = await Script(act=[FOUND, evaluation(True)]).judge(
        RIGHT, tools=stub_tools(), calls="native"
    )
    assert verdict.ok is True
    assert verdict.evidence["protocol"] == {"by": "text", "why": "scripted has no chat API"}


async def test_nothing_blocks() -> None:
    chat = Chat([HONEST, evaluation(True)])
    async with served(chat) as model:
        with blockbuster_ctx(scanned_modules=["agentflow"]):
            options = {"calls": "native", "meta": False, "domain": "math"}
            verdict, _ = await ajudge(PROBLEM, RIGHT, "verifiagent", model=model, **options)
            assert verdict.ok is True
            script = Script(act=[HONEST, evaluation(True)])
            assert (await script.judge(RIGHT)).ok is True
