"""Compiled methods: run without an event loop, refuse unknown settings, tell LangChain's events."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass
from operator import add
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.config import get_stream_writer
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, StateGraph

from agentflow.compiled import compiled
from agentflow.errors import BadInput
from agentflow.graphs import METHODS, VERIFIERS, baselines, interwhen, module
from agentflow.models import ScriptedModel, Token
from agentflow.nodes import MODEL_KEY, SDVSettings
from agentflow.settings import Settings

PUZZLE = {"problem": "4 7 8 8"}
SOLVED = "8 / 8 = 1 (left: 1 4 7)\n</think>\nAnswer: (7 - 8 / 8) * 4 = 24"


def config() -> dict[str, Any]:
    first = Token("8", None, -0.1, (("8", -0.1), ("4", -3.0)))  # some look at others
    return {"configurable": {MODEL_KEY: ScriptedModel([first, SOLVED.removeprefix("8")])}}


def test_invoke_and_stream_need_no_loop() -> None:
    assert baselines.graph.invoke(PUZZLE, config())["result"]["status"] == "verified"
    seen = [mode for mode, _ in baselines.graph.stream(PUZZLE, config(), stream_mode=["values"])]
    assert seen
    assert set(seen) == {"values"}


async def test_they_also_work_beside_a_running_loop() -> None:
    assert baselines.graph.invoke(PUZZLE, config())["result"]["status"] == "verified"


def test_what_a_run_raises_comes_out() -> None:
    with pytest.raises(BadInput, match="bogus"):
        baselines.graph.invoke(PUZZLE, config(), context={"bogus": 1})
    with pytest.raises(BadInput, match="bogus"):
        list(baselines.graph.stream(PUZZLE, config(), context={"bogus": 1}))


@pytest.mark.timeout(60)  # the node waits for ever: it ends by being cancelled, or not at all
def test_a_stream_that_is_left_stops_its_run() -> None:
    ended = list[str]()

    async def node(state: dict[str, Any]) -> dict[str, Any]:
        get_stream_writer()("begun")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return {}

    graph = compiled(StateGraph(dict).add_node("node", node).add_edge(START, "node"), "waits")
    for item in graph.stream({"a": 1}, stream_mode="custom"):
        assert item == "begun"
        break
    assert ended == ["cancelled"]
    stream: Any = graph.stream({"a": 1}, stream_mode="custom")
    next(stream)
    with pytest.raises(KeyError):
        stream.throw(KeyError)
    assert ended == ["cancelled", "cancelled"]


def test_a_stream_that_is_left_when_its_run_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    run, ended = asyncio.run, threading.Event()

    def told(main: Coroutine[Any, Any, Any]) -> Any:
        try:
            return run(main)
        finally:
            ended.set()

    monkeypatch.setattr(asyncio, "run", told)
    stream: Any = baselines.graph.stream(PUZZLE, config(), stream_mode=["values"])
    next(stream)
    assert ended.wait(60)  # its loop is closed: there is nothing to cancel
    stream.close()


@pytest.mark.parametrize("name", [*METHODS, *VERIFIERS])
def test_a_server_finds_every_key_in_the_schema(name: str) -> None:
    """It would drop others without a word; so they come to the settings, which refuse them."""
    schema = module(name).graph.get_context_jsonschema()
    assert "bogus" in schema["properties"]
    assert schema["properties"].keys() >= Settings.model_fields.keys()


async def test_events_show_prompts_and_tokens() -> None:
    events = [one async for one in baselines.graph.astream_events(PUZZLE, config(), version="v2")]
    counts = Counter(one["event"] for one in events)
    assert counts["on_chat_model_start"] == counts["on_chat_model_end"] == 1
    (start,) = (one for one in events if one["event"] == "on_chat_model_start")
    assert "4 7 8 8" in start["data"]["input"]["messages"][0][0].content
    text = "".join(
        one["data"]["chunk"].content for one in events if one["event"] == "on_chat_model_stream"
    )
    assert text == SOLVED
    (end,) = (one for one in events if one["event"] == "on_chat_model_end")
    assert end["data"]["output"].content == SOLVED
    assert end["data"]["output"].usage_metadata["output_tokens"] == counts["on_chat_model_stream"]


class Asked(TypedDict):
    """What a graph is given."""

    question: str


class Said(TypedDict):
    """What it gives."""

    answers: Annotated[list[str], add]


class Both(Asked, Said):
    """Its channels."""


async def test_a_graph_in_a_graph_writes_the_same_where_events_are_listened_to() -> None:
    """LangGraph streams it then, and would take all of its channels for what it wrote."""
    inner: Any = StateGraph(Both, input_schema=Asked, output_schema=Said)
    inner.add_node("answer", lambda state: {"answers": [state["question"]]})
    inner.add_edge(START, "answer")
    for within in (compiled(inner, "inner"), inner.compile(name="inner")):
        outer: Any = StateGraph(Both, input_schema=Asked, output_schema=Said)
        outer.add_node("one", within)
        outer.add_node("other", within)
        outer.add_edge(START, "one")
        outer.add_edge(START, "other")
        graph = compiled(outer, "outer")
        events = [one async for one in graph.astream_events({"question": "a"}, version="v2")]
        assert await graph.ainvoke({"question": "a"}) == {"answers": ["a", "a"]}
        assert events[-1]["data"]["output"]["answers"] == ["a", "a"]


class Problem(TypedDict, total=False):
    """The channels of somebody's own graph with a method in it."""

    problem: str
    result: dict[str, Any]


def around(method: Any, schema: type | None = None) -> Any:
    """A graph of somebody's own that holds a method."""
    graph: Any = StateGraph(Problem, schema)
    graph.add_node("method", method)
    graph.add_edge(START, "method")
    return graph.compile()


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("method", [interwhen.graph, interwhen.build().compile()])
@pytest.mark.parametrize("context", [None, {"max_corrections": 0}])
async def test_a_graph_without_a_context_schema_hands_settings_on(
    context: dict[str, Any] | None, method: Any, again: bool
) -> None:
    graph = around(around(method) if again else method)
    script = {r"<think>\n": "8 / 8 = 2 (left: 2 4 7)\n", r"\n": SOLVED}
    out = await graph.ainvoke(
        PUZZLE, {"configurable": {MODEL_KEY: ScriptedModel(script)}}, context=context
    )
    assert out["result"]["status"] == ("abstained" if context else "verified")


async def test_settings_that_all_methods_have_are_those_of_each() -> None:
    """A graph of two methods may have the common settings as its context."""
    script = {MODEL_KEY: ScriptedModel(SOLVED)}
    graph = around(interwhen.graph, Settings)
    out = await graph.ainvoke(PUZZLE, {"configurable": script}, context=Settings(max_tokens=1))
    assert out["result"]["status"] == "exhausted"


@pytest.mark.parametrize("bound", [False, True])
async def test_a_setting_in_configurable_is_refused_with_where_it_is_to_be(bound: bool) -> None:
    given: Any = {"configurable": {MODEL_KEY: ScriptedModel(SOLVED), "max_tokens": 5, "me": 1}}
    graph = interwhen.graph.with_config(given) if bound else interwhen.graph
    with pytest.raises(BadInput, match=r"setting of interwhen.*write context={'max_tokens': 5}$"):
        await graph.ainvoke(PUZZLE, None if bound else given)
    del given["configurable"]["max_tokens"]  # what is somebody else's may stand there
    out = await interwhen.graph.ainvoke(PUZZLE, given)
    assert out["result"]["status"] == "verified"


async def test_a_key_of_ours_that_is_none_is_refused() -> None:
    given: Any = {"configurable": {"agentflow_modl": ScriptedModel(SOLVED)}}
    with pytest.raises(
        BadInput, match=r"'agentflow_modl' in `configurable`: no such key; .*_model"
    ):
        await interwhen.graph.ainvoke(PUZZLE, given)


async def test_a_graph_around_has_what_it_likes_in_configurable() -> None:
    """So has a LangGraph server, which keeps a thread's last settings there."""
    given: Any = {"configurable": {MODEL_KEY: ScriptedModel(SOLVED), "model": "of another node"}}
    out = await around(interwhen.graph).ainvoke(PUZZLE, given)
    assert out["result"]["status"] == "verified"
    given["configurable"] |= {"assistant_id": "1", "max_tokens": 5}
    out = await interwhen.graph.ainvoke(PUZZLE, given)
    assert out["result"]["status"] == "verified"


@dataclass
class Somebody:
    """A context of somebody's own."""

    user: str = "me"


@pytest.mark.parametrize(
    ("method", "schema", "context", "said"),
    [
        (
            interwhen.graph,
            None,
            {"max_correction": 1},
            "the context, as settings of interwhen: max_correction: no such setting; .*did you "
            "mean max_corrections",
        ),
        (
            interwhen.graph,
            None,
            {"max_corrections": "x"},
            "as settings of interwhen: max_corrections: Input should be a valid integer",
        ),
        (
            interwhen.graph,
            SDVSettings,
            {"iterations": 1},
            "the context is a SDVSettings, where InterwhenSettings should be; .*give it the "
            "method's settings as its context_schema",
        ),
        (
            StateGraph.compile(interwhen.build()),  # by LangGraph, which makes none of ours
            None,
            {"max_corrections": 1},
            "the context: max_corrections: no such setting; .*give it the method's settings as its "
            "context_schema",
        ),
        (
            interwhen.graph,
            Somebody,
            {"user": "you"},
            "the context is a Somebody, where Settings should be; .*as its context_schema",
        ),
    ],
)
async def test_a_context_that_holds_no_settings_says_what_to_do(
    method: Any, schema: type | None, context: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        await around(method, schema).ainvoke(PUZZLE, config(), context=context)


@pytest.mark.parametrize("name", METHODS)
async def test_events_change_no_result(name: str) -> None:
    graph, setting = module(name).graph, {"timeout": 3600}
    if name == "adaptive_compute":
        setting["iterations"] = 2
    events = [
        one async for one in graph.astream_events(PUZZLE, config(), context=setting, version="v2")
    ]
    plain = await graph.ainvoke(PUZZLE, config(), context=setting)
    assert events[-1]["data"]["output"]["result"] == plain["result"]


LONG: dict[str, Any] = {"critic": "utility", "timeout": 3600}
"""Settings of speculative_reasoning by which a run has many steps: LangChain's default is 25."""


async def test_events_have_room_for_a_long_run() -> None:
    graph = module("speculative_reasoning").graph
    stream = graph.astream_events(PUZZLE, config(), context=LONG, version="v2")
    starts = [one["name"] async for one in stream if one["event"] == "on_chain_start"]
    assert starts.count("draft") > 25


@pytest.mark.parametrize("way", ["batch", "chain", "inside"])
async def test_a_long_run_has_room_wherever_langchain_starts_it(way: str) -> None:
    """LangChain enters its default into the config, or into what is around the call."""
    graph = module("speculative_reasoning").graph
    if way == "batch":
        (out,) = await graph.abatch([PUZZLE], config(), context=LONG)
    elif way == "chain":
        solve = graph.bind(context=LONG)
        out = await (RunnableLambda(lambda text: {"problem": text}) | solve).ainvoke(
            PUZZLE["problem"], config()
        )
    else:
        out = RunnableLambda(lambda given: graph.invoke(given, config(), context=LONG)).invoke(
            PUZZLE
        )
    assert out["result"]["status"] == "exhausted"


async def test_steps_that_somebody_limits_are_limited() -> None:
    graph = module("speculative_reasoning").graph
    for one, more in (graph, {"recursion_limit": 5}), (graph.with_config(recursion_limit=5), {}):
        with pytest.raises(GraphRecursionError, match="limit of 5"):
            await one.ainvoke(PUZZLE, config() | more, context=LONG)


async def test_messages_are_streamed() -> None:
    said = [
        (chunk.content, about["langgraph_node"])
        async for chunk, about in baselines.graph.astream(PUZZLE, config(), stream_mode="messages")
    ]
    assert "".join(text for text, _ in said) == SOLVED
    assert {node for _, node in said} == {"solve"}
