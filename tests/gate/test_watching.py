"""A message ends where one of its calls is denied for certain; whatever is not whole is no pass."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from gate_samples import MADE, STATE, bank, close, transfer
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph

from agentflow.gate import (
    Policy,
    Rule,
    Watched,
    after_model,
    always,
    gated_tools,
    judge,
    of_anthropic,
    of_openai,
    schemas_of,
    watch_calls,
    watched_model,
)
from agentflow.models.scripted_chat import ScriptedChat, chunks_of

ASKS = bank(otherwise="ask")


class Stream:
    """Chunks, one by one; knows how many were taken, and whether it was closed."""

    def __init__(self, chunks: Sequence[Any]) -> None:
        self.chunks, self.taken, self.closed = list(chunks), 0, False

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        if self.taken == len(self.chunks):
            raise StopAsyncIteration
        self.taken += 1
        return self.chunks[self.taken - 1]

    async def close(self) -> None:
        self.closed = True


def named(identity: str, **args: Any) -> Any:
    return {"name": "transfer", "id": identity, "args": {"to": "ann", "dollars": 5} | args}


def message(*calls: Any, text: str = "All approved!", **raw: str) -> AIMessage:
    return AIMessage(text, tool_calls=list(calls), additional_kwargs={"args": raw})


async def watched(said: AIMessage, policy: Policy = ASKS) -> tuple[Watched, Stream]:
    stream = Stream(chunks_of(said))
    return await watch_calls(stream, policy, STATE), stream


async def test_a_message_that_is_right_is_read_to_its_end() -> None:
    found, stream = await watched(message(named("a"), named("b", dollars=500)))
    assert (found.cut, found.denied, stream.closed) == (False, {}, True)
    assert found.chunks == stream.chunks
    assert [call.args for call in found.calls] == [
        {"to": "ann", "dollars": 5}, {"to": "ann", "dollars": 500},
    ]  # fmt: skip


async def test_a_message_ends_where_a_call_is_denied_for_certain() -> None:
    long = "x " * 500
    found, stream = await watched(message(named("a"), named("b", to="eve", note=long), named("c")))
    assert found.cut
    assert stream.closed
    assert found.denied == {1: "money goes to friends"}
    assert [call.id for call in found.calls] == ["a", "b"]
    assert found.calls[0].whole
    assert found.calls[1].args == {"to": "eve"}
    assert len(found.chunks) < 40 < 500 < len(stream.chunks)
    assert found.stream.ended == "intervened"
    assert found.stream.generated - found.stream.wasted == len(found.chunks)


async def test_calls_that_are_written_side_by_side() -> None:
    def piece(index: int, args: str, **more: Any) -> AIMessageChunk:
        chunk = tool_call_chunk(index=index, args=args, **more)
        return AIMessageChunk(content="", tool_call_chunks=[chunk])

    begun = '{"dollars": 5'
    chunks = [piece(0, "", name="transfer", id="a"), piece(1, "", name="transfer", id="b"),
              piece(0, begun), piece(1, begun), piece(1, ', "to": "e'), piece(0, ', "to": "ann"'),
              piece(1, 've", "note": "x"}'), piece(0, "}")]  # fmt: skip
    found = await watch_calls(Stream(chunks), ASKS, STATE)
    assert found.cut
    assert set(found.denied) == {0, 1}
    assert found.denied[1] == "money goes to friends"
    assert "ended before" in found.denied[0]


async def test_the_second_call_where_one_is_to_be_made_at_a_time() -> None:
    found, stream = await watched(message(named("a"), named("b")), bank(one_at_a_time=True))
    assert found.cut
    assert len(found.chunks) < len(stream.chunks)
    assert found.denied == {0: "one tool call at a time", 1: "one tool call at a time"}


async def test_two_calls_of_one_id() -> None:
    found, _ = await watched(message(named("a"), named("a", dollars=7)))
    assert found.cut
    assert set(found.denied.values()) == {"several tool calls have one id"}
    nameless = [dict(named("a"), id=None), dict(named("b"), id=None)]
    found, _ = await watched(message(*nameless))
    assert set(found.denied) == {0, 1}


@pytest.mark.parametrize(
    "text",
    ['{"to": "ann", "dollars": 5', '{"to": "ann", "dollars"', "", '{"to": "ann", "dollars": 5]',
     '{"to": "eve", "to": "ann", "dollars": 5}', "to=ann", '{"to": "ann", "dollars": 5} {}'],
)  # fmt: skip
@pytest.mark.parametrize("otherwise", ["deny", "ask"])
async def test_what_is_not_whole_is_never_made(text: str, otherwise: Any) -> None:
    """LangChain completes arguments that were cut off: the first would be a call that is right."""
    found, _ = await watched(message(named("a"), a=text), bank(otherwise=otherwise))
    assert set(found.denied) == {0}


async def test_a_tool_without_arguments_needs_none() -> None:
    @tool
    def ping() -> str:
        """Answer."""
        return "pong"

    policy = Policy(schemas_of([ping]), [Rule("open", "", always, frozenset({"ping"}))])
    said = message({"name": "ping", "args": {}, "id": "a"}, a="")
    found = await watch_calls(Stream(chunks_of(said)), policy, {})
    assert (found.denied, found.calls[0].whole) == ({}, True)


async def test_what_a_stream_raises_is_raised() -> None:
    class Broken(Stream):
        async def __anext__(self) -> Any:
            if self.taken == 9:
                raise KeyError("the provider's own")
            return await super().__anext__()

    for chunks in ([], chunks_of(message(named("a")))):
        stream = Broken(chunks)
        stream.taken = 0 if chunks else 9
        with pytest.raises(KeyError, match="own"):
            await watch_calls(stream, ASKS, STATE)
        assert stream.closed


def openai(*pieces: Any) -> list[Any]:
    said: list[Any] = [{"choices": [{"delta": {"role": "assistant", "content": "Approved."}}]}]
    for index, one, name, args in pieces:
        function = {"name": name, "arguments": args} if name else {"arguments": args}
        call = {"index": index, "id": one, "type": "function", "function": function}
        said.append({"choices": [{"delta": {"tool_calls": [call]}}]})
    return [*said, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}, {"choices": []}]


def anthropic(*pieces: Any) -> list[Any]:
    said: list[Any] = [
        {"type": "message_start", "message": {"role": "assistant"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "{"}},
        {"type": "content_block_stop", "index": 0},
    ]
    for index, one, name, args in pieces:
        if name:
            block = {"type": "tool_use", "id": one, "name": name, "input": {}}
            said.append({"type": "content_block_start", "index": index, "content_block": block})
        delta = {"type": "input_json_delta", "partial_json": args}
        said.append({"type": "content_block_delta", "index": index, "delta": delta})
    return [*said, {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}]


@pytest.mark.parametrize(("wire", "read"), [(openai, of_openai), (anthropic, of_anthropic)])
async def test_other_wires(wire: Any, read: Any) -> None:
    right = [(1, "a", "transfer", ""), (1, None, "", '{"to": "an'), (1, None, "", 'n", "dollars"'),
             (1, None, "", ": 5}")]  # fmt: skip
    wrong = [(2, "b", "transfer", ""), (2, None, "", '{"to": "eve", '), (2, None, "", '"dollars')]
    found = await watch_calls(Stream(wire(*right)), ASKS, STATE, read)
    assert (found.denied, found.cut) == ({}, False)
    assert found.calls[0].args == {"to": "ann", "dollars": 5}
    stream = Stream(wire(*right, *wrong))
    found = await watch_calls(stream, ASKS, STATE, read)
    assert (found.denied, found.cut) == ({1: "money goes to friends"}, True)
    assert stream.chunks.index(found.chunks[-1]) == len(wire(*right, *wrong[:2])) - (
        3 if wire is openai else 2
    )


ARGS = st.fixed_dictionaries(
    {"to": st.sampled_from(["ann", "eve"]), "dollars": st.sampled_from([5, 500, -1, "5"])},
    optional={"note": st.text(max_size=5) | st.none(), "x": st.just(1)},
)


@given(st.data(), st.lists(ARGS, min_size=1, max_size=3), st.sampled_from(["deny", "ask"]))
async def test_any_split_gives_the_verdicts_of_the_whole(
    data: Any, many: list[dict[str, Any]], otherwise: Any
) -> None:
    policy = bank(otherwise=otherwise)
    chunks: list[Any] = []
    for at, args in enumerate(many):
        text = json.dumps(dict(data.draw(st.permutations(list(args.items())))))
        places = data.draw(st.lists(st.integers(0, len(text)), max_size=5))
        pieces = [text[a:b] for a, b in zip([0, *sorted(places)], [*sorted(places), None])]  # noqa: B905
        for turn, piece in enumerate(pieces):
            begin = {"name": "transfer", "id": str(at)} if not turn else {}
            chunk = tool_call_chunk(index=at, args=piece, **begin)
            chunks.append(AIMessageChunk(content="", tool_call_chunks=[chunk]))
    found = await watch_calls(Stream(chunks), policy, STATE)
    outcomes = [judge(policy, STATE, {"name": "transfer", "args": args}).outcome for args in many]
    denied = [at for at, outcome in enumerate(outcomes) if outcome == "deny"]
    assert sorted(found.denied) == denied[:1]
    assert found.cut == bool(denied)
    assert len(found.calls) == (denied[0] + 1 if denied else len(many))


# In a graph


def graph(model: Any, policy: Policy) -> Any:
    tools = [transfer, close]
    built = StateGraph(MessagesState)
    built.add_node("model", watched_model(policy, model, lambda state: STATE))
    built.add_node("tools", gated_tools(policy, tools, lambda state: STATE))
    built.add_edge(START, "model")
    built.add_conditional_edges("model", after_model, ["tools", "model", END])
    built.add_edge("tools", "model")
    return built.compile()


@pytest.mark.parametrize("awaited", [False, True])
async def test_the_reason_goes_back_as_a_turn_and_the_agent_goes_on(awaited: bool) -> None:
    MADE.clear()
    script = [
        message(named("a"), named("b", to="eve", note="x " * 99), named("c")),
        message(named("d", to="eve")),
        message(named("e", to="bob", dollars=7)),
        message(text="Done."),
    ]
    model = ScriptedChat(script=script)
    app, given = graph(model, bank()), {"messages": [HumanMessage("Pay.")]}
    done = await app.ainvoke(given) if awaited else app.invoke(given)
    assert sorted(MADE) == [("ann", 5), ("bob", 7)]
    answers = {one.tool_call_id: one.content for one in done["messages"] if one.type == "tool"}
    refused = "This call was not made: money goes to friends."
    assert answers == {"a": "sent", "b": refused, "d": refused, "e": "sent"}
    assert done["messages"][-1].content == "Done."
    assert [one.type for one in model.received[1]] == ["human", "ai", "tool", "tool"]
    assert model.received[1][1].tool_calls[1]["args"] == {"to": "eve"}


async def test_a_view_that_fails_lets_no_call_be_made() -> None:
    MADE.clear()
    policy = bank()
    node = watched_model(policy, ScriptedChat(script=[message(named("a"))]), lambda state: 1 // 0)
    done = await node.ainvoke({"messages": []})
    assert "the state cannot be read" in done["messages"][1].content


def test_where_a_graph_goes_on() -> None:
    said = message(named("a"), named("b"))
    one, two = ToolMessage("x", tool_call_id="a"), ToolMessage("x", tool_call_id="b")
    assert after_model({"messages": [said]}) == "tools"
    assert after_model({"messages": [said, one]}) == "tools"
    assert after_model({"messages": [said, one, two]}) == "model"
    assert after_model({"messages": [message()]}) == "__end__"
