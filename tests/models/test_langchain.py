"""Any chat model of LangChain's as a role: by object, by role, by name."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI

sys.path.insert(0, str(Path(__file__).parent.parent / "servers"))

from brain import ANSWER, PATH, PUZZLE, WRONG
from standin import KEY, Standin, standing

import agentflow
from agentflow import BadInput, models
from agentflow.api import ajudge, asolve
from agentflow.errors import StreamBroken, Withheld
from agentflow.graphs import baselines
from agentflow.ledger import total
from agentflow.models.langchain import LangChainModel, _Reply, named
from agentflow.models.splitter import Splitter
from agentflow.models.turns import CHAT
from agentflow.nodes import MODEL_KEY
from agentflow.profile import Sampling

THINKING = f"<think>{PATH}</think>{ANSWER}"


class Unstreamed(GenericFakeChatModel):
    """Its replies come as a whole."""

    _stream = BaseChatModel._stream


@pytest.fixture(params=["openai", "openai-reasoning"])
async def standin(request: pytest.FixtureRequest) -> AsyncIterator[Standin]:
    async with standing(request.param) as one:
        yield one
        await models.close_all()


def chat(standin: Standin, **more: Any) -> ChatOpenAI:
    return ChatOpenAI(
        model=standin.rules.model, base_url=standin.url, api_key=KEY, max_retries=0, **more
    )


@pytest.mark.parametrize("responses", [False, True])
async def test_a_chat_model_solves(standin: Standin, responses: bool) -> None:
    model = chat(standin, use_responses_api=responses)
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
    cost, (count,) = total(result.ledger), standin.counts
    assert (cost.prompt, cost.generated) == (count.prompt, count.generated)
    assert (cost.reasoning, cost.estimated) == (count.reasoning, 0)
    assert standin.refused == []


async def test_a_role_has_its_own(standin: Standin) -> None:
    fake = GenericFakeChatModel(messages=iter([AIMessage(THINKING)]))
    result = await agentflow.asolve(
        PUZZLE,
        "solve_detect_verify",
        model=fake,
        roles={"verifier": chat(standin)},
        detect=False,
        k=2,
    )
    roles = {entry["role"] for entry in result.ledger.values()}
    assert {"solver", "verifier-fast"} <= roles
    assert len(standin.counts) >= 2
    assert standin.refused == []


@pytest.mark.parametrize("responses", [False, True])
async def test_schemas_and_native_calls(standin: Standin, responses: bool) -> None:
    """The meta layer's reply follows its schema, and tools are called by the provider's own way."""
    verdict, ledger = await ajudge(
        {"text": "What is 15 + 27?"},
        ["15 + 27 = 42", "The answer is 42."],
        "verifiagent",
        model=chat(standin, use_responses_api=responses),
        domain="math",
    )
    assert standin.refused == []
    native = [body for body in standin.bodies if body.get("tools")]
    formed = [body for body in standin.bodies if body.get("response_format") or body.get("text")]
    assert native
    assert formed
    cost = total(ledger)
    assert (cost.prompt, cost.generated) == (standin.prompt, standin.generated)
    assert verdict.source


async def test_it_is_steered_by_turns() -> None:
    first, second = f"<think>{WRONG}and so on</think>{ANSWER}", THINKING
    fake = GenericFakeChatModel(messages=iter([AIMessage(first), AIMessage(second)]))
    result = await agentflow.asolve(PUZZLE, "interwhen", model=fake)
    assert (result.status, result.corrections) == ("verified", 1)
    assert PATH in result.trace.body


@pytest.mark.parametrize(("told", "cost"), [(True, 40 + 30), (False, None)])
async def test_a_reply_that_comes_as_a_whole_costs_all_of_it(told: bool, cost: int | None) -> None:
    """Also where it is cut: the class does not stream, and the provider has generated it."""

    def message(text: str, tokens: int) -> AIMessage:
        usage = {"input_tokens": 9, "output_tokens": tokens, "total_tokens": 9 + tokens}
        return AIMessage(text, usage_metadata=usage if told else None)

    first = message(f"<think>{WRONG}and so on\n</think>{ANSWER}", 40)
    fake = Unstreamed(messages=iter([first, message(THINKING, 30)]))
    result = await agentflow.asolve(PUZZLE, "interwhen", model=fake)
    assert (result.status, result.corrections) == ("verified", 1)
    generated = total(result.ledger).generated
    assert generated == cost if told else generated > 0


def test_thinking_that_its_class_does_not_know_is_thinking() -> None:
    """Mistral's chunks, through the class for OpenAI's API."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "I"}]}
    chunk = AIMessage([thought, {"type": "text", "text": "so"}])
    taken = _Reply(0).take(chunk, Splitter(CHAT))
    assert [token.text for token in taken] == ["<think>", "I", "</think>", "so"]


async def test_its_own_callbacks_are_told_once() -> None:
    starts: list[Any] = []

    class Handler(AsyncCallbackHandler):
        async def on_chat_model_start(self, serialized: Any, messages: Any, **more: Any) -> None:
            starts.append(messages)

    fake = GenericFakeChatModel(messages=iter([AIMessage(THINKING)]))
    config = {"configurable": {MODEL_KEY: fake}, "callbacks": [Handler()]}
    out = await baselines.graph.ainvoke({"problem": PUZZLE}, config)
    assert out["result"]["status"] == "verified"
    assert len(starts) == 1
    assert PUZZLE in starts[0][0][-1].content


@pytest.mark.parametrize(("fault", "says"), [("401", "(the key)"), ("429", "Rate limit")])
async def test_what_it_raises_is_told_without_its_key(fault: str, says: str) -> None:
    async with standing("openai", faults=[fault] * 9) as standin:
        with pytest.raises(agentflow.AgentflowError) as raised:
            await agentflow.asolve(PUZZLE, "direct", model=chat(standin), retries=0)
    assert says in str(raised.value)
    assert KEY not in str(raised.value)


def test_one_model_serves_several_runs_one_after_the_other() -> None:
    """Each of them has an event loop of its own, and LangChain keeps its connections for all."""
    ready, ended = threading.Event(), threading.Event()
    there: list[Any] = []

    async def serve() -> None:
        async with standing("openai") as standin:
            there.append(standin)
            ready.set()
            await asyncio.to_thread(ended.wait)

    server = threading.Thread(target=lambda: asyncio.run(serve()))
    server.start()
    ready.wait()
    try:
        model = chat(there[0])
        results = [agentflow.solve(PUZZLE, "direct", model=model, retries=0) for _ in range(3)]
    finally:
        ended.set()
        server.join()
    assert not any(one.error for one in results)


async def test_a_stream_that_was_cut_off_is_not_taken_for_whole() -> None:
    async with standing("openai", faults=["truncated"]) as standin:
        result = await agentflow.asolve(PUZZLE, "direct", model=chat(standin), retries=0)
    assert result.status == "exhausted"
    assert "ended without a finish reason" in result.error


async def test_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    async with standing("openai") as standin:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_API_BASE", standin.url)
        result = await agentflow.asolve(PUZZLE, "direct", model="lc:openai:gpt-4o")
        assert result.status == "verified"
        server = {"at": "lc:openai:gpt-4o", "effort": "low", "key_env": "OPENAI_API_KEY"}
        await agentflow.asolve(PUZZLE, "direct", roles={"solver": server})
        assert standin.bodies[-1]["reasoning_effort"] == "low"
        await models.close_all()


def test_other_providers_come_by_langchain(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    module: Any = ModuleType("langchain.chat_models")
    module.init_chat_model = lambda **given: asked.append(given) or "made"
    monkeypatch.setitem(sys.modules, "langchain", ModuleType("langchain"))
    monkeypatch.setitem(sys.modules, "langchain.chat_models", module)
    assert named("lc:anthropic:claude-x", "k", None, 2000) == "made"
    (given,) = asked
    assert given.pop("thinking") == {"type": "enabled", "budget_tokens": 2000}
    assert given == {
        "model_provider": "anthropic",
        "model": "claude-x",
        "api_key": "k",
        "max_tokens": 4000,
    }


@pytest.mark.parametrize(
    ("spec", "says"),
    [("lc:openai", "names no chat model"), ("lc:nowhere:m", "pip install langchain")],
)
def test_a_name_that_is_none(spec: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(BadInput, match=says):
        named(spec, None)


async def test_its_limit_is_the_requests(standin: Standin) -> None:
    result = await agentflow.asolve(PUZZLE, "direct", model=chat(standin), solver_tokens=5)
    assert standin.bodies[0]["max_completion_tokens"] == 5
    assert result.status == "exhausted"
    assert total(result.ledger).generated == standin.generated == 5


def test_what_it_can() -> None:
    model = LangChainModel(GenericFakeChatModel(messages=iter([])))
    assert not model.capabilities.continues
    assert model.capabilities.turns
    assert not model.profile.tools


@pytest.mark.parametrize("budget", [None, 2000])
async def test_anthropics_own_api(budget: int | None) -> None:
    """Thinking blocks are the trace's thinking; a reply shorter than the budget still fits."""
    anthropic = pytest.importorskip("langchain_anthropic", reason="needs the extra 'langchain'")
    more = {"thinking": {"type": "enabled", "budget_tokens": budget}, "max_tokens": 8000}
    async with standing("anthropic-compatible") as standin:
        model = anthropic.ChatAnthropic(
            model=standin.rules.model,
            base_url=standin.url.removesuffix("/v1"),
            api_key=KEY,
            max_retries=0,
            **(more if budget else {}),
        )
        result = await agentflow.asolve(
            PUZZLE, "solve_detect_verify", model=model, detect=False, k=2
        )
        assert result.status == "verified"
        assert (WRONG in result.parts[0]) == bool(budget)
        _, ledger = await ajudge(
            {"text": "What is 15 + 27?"},
            ["15 + 27 = 42", "The answer is 42."],
            "verifiagent",
            model=model,
            domain="math",
        )
        assert standin.refused == []
        both = [total(result.ledger), total(ledger)]
        assert sum(cost.prompt for cost in both) == standin.prompt
        assert sum(cost.generated for cost in both) == standin.generated


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        *((word, "stop") for word in ("stop", "STOP", "end_turn", "COMPLETE", "eos", "tool_calls")),
        *((word, "length") for word in ("max_tokens", "MAX_TOKENS", "incomplete", "OTHER")),
    ],
)
def test_what_a_provider_calls_the_end(said: str, reason: str) -> None:
    """A word that is not known to end a whole reply ends one that was cut off."""
    assert _Reply(0, reason=said, tells=True).finish("m").reason == reason


@pytest.mark.parametrize("said", ["error", "abort", "content_filter: RECITATION", "SAFETY"])
def test_what_is_no_end(said: str) -> None:
    with pytest.raises(StreamBroken, match="ended with"):
        _Reply(0, reason=said, tells=True).finish("m")


class Whole(BaseChatModel):
    """A model that neither streams nor tells what its reply took."""

    text: str

    @property
    def _llm_type(self) -> str:
        return "whole"

    def _generate(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **more: Any
    ) -> Any:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.text))])


class Filtered(Whole):
    """A model whose provider filters what it says."""

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self

    def _generate(self, *given: Any, **more: Any) -> Any:
        usage = {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}
        said = {"finish_reason": "content_filter"}
        message = AIMessage("", usage_metadata=usage, response_metadata=said)  # type: ignore[arg-type]
        return ChatResult(generations=[ChatGeneration(message=message)])


async def test_a_call_of_tools_that_is_filtered_is_withheld_and_has_cost_what_was_told() -> None:
    model = LangChainModel(Filtered(text=""))
    with pytest.raises(Withheld, match="ended with 'content_filter'") as raised:
        await model.call_tools([], [], max_tokens=9, sampling=Sampling(1.0, 1.0, 0), seed=0, top=0)
    assert (raised.value.told.prompt, raised.value.told.generated) == (9, 4)


async def test_a_reply_in_one_piece_without_usage_is_counted_by_its_characters() -> None:
    model = Whole(text=f"{'word ' * 800}\nAnswer: (7 - 8 / 8) * 4")
    result = await asolve("4 7 8 8", "direct", model=model)
    assert 1_000 <= result.cost.generated <= 1_100
    short = await asolve("4 7 8 8", "direct", model=Whole(text="Answer: (7 - 8 / 8) * 4"))
    assert short.cost.generated < 10


async def test_a_wrapped_chat_model_is_one(standin: Standin) -> None:
    """And its wrappers stay around it: what they bind is sent, and whom they tell is told."""
    heard: list[list[str]] = []

    class Listener(AsyncCallbackHandler):
        async def on_chat_model_start(self, *told: Any, tags: Any = None, **more: Any) -> None:
            heard.append(tags)

    inner = chat(standin)
    tagged = inner.bind(user="me").with_config(tags=["mine"], callbacks=[Listener()])
    for model in (inner.bind(user="me"), inner.with_retry(), tagged.with_retry()):
        assert (await asolve(PUZZLE, "direct", model=model)).status == "verified"
    assert [body.get("user") for body in standin.bodies] == ["me", None, "me"]
    assert [tags for tags in heard if "mine" in tags] == heard != []
    with pytest.raises(BadInput, match="is no model; give"):
        await asolve(PUZZLE, "direct", model=inner.with_fallbacks([inner]))


async def test_what_is_bound_is_sent_with_schemas_and_tools(standin: Standin) -> None:
    model = chat(standin).bind(user="me").with_retry()
    solution = ["15 + 27 = 42", "The answer is 42."]
    await ajudge({"text": "What is 15 + 27?"}, solution, "verifiagent", model=model, domain="math")
    asked = [body for body in standin.bodies if body.get("tools") or body.get("response_format")]
    assert {"tools" in body for body in asked} == {True, False}
    assert {body.get("user") for body in asked} == {"me"}
