from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from agentflow.tools.search import (
    Cache,
    Hit,
    SearchBackend,
    SearchFailed,
    from_retriever,
    local_search,
    search_tool,
    web_search,
)
from agentflow.tools.search.tool import MOST, QUERY


class Backend:
    """Answers every query alike, and counts."""

    name = "made"

    def __init__(self, answer: list[Hit] | Exception) -> None:
        self.answer = answer
        self.asked: list[tuple[str, int]] = []

    def search(self, query: str, limit: int) -> list[Hit]:
        self.asked.append((query, limit))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


KEA = Hit("Kea", "https://a.org/kea", "A parrot <b>that</b>\nclimbs.", 2.0)


def call(tool: BaseTool, **arguments: Any) -> ToolMessage:
    message = tool.invoke({"type": "tool_call", "id": "1", "name": tool.name, "args": arguments})
    assert isinstance(message, ToolMessage)
    json.dumps(message.artifact)
    return message


def test_the_artifact_is_data_and_the_content_is_quoted() -> None:
    message = call(search_tool(Backend([KEA])), query=" what is\na kea? ")
    assert message.artifact == {
        "ok": True,
        "query": "what is a kea?",
        "hits": [
            {
                "title": "Kea",
                "url": "https://a.org/kea",
                "text": "A parrot <b>that</b> climbs.",
                "score": 2.0,
            }
        ],
        "failure": None,
        "backend": "made",
        "cached": False,
    }
    assert "text: A parrot ‹b›that‹/b› climbs.\n</result 1 " in message.content
    assert message.status == "success"


@pytest.mark.parametrize(("limit", "asked"), [(None, 5), (1, 1), (0, 1), (-3, 1), (10**6, MOST)])
def test_the_limit_is_kept_within_bounds(limit: int | None, asked: int) -> None:
    backend = Backend([KEA] * 50)
    message = call(search_tool(backend), query="x", **({} if limit is None else {"limit": limit}))
    assert backend.asked == [("x", asked)]
    assert len(message.artifact["hits"]) == asked


def test_a_long_query_is_cut() -> None:
    backend = Backend([KEA])
    call(search_tool(backend), query="word " * 10_000)
    assert len(backend.asked[0][0]) <= QUERY


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (SearchFailed("offline", "no network"), "offline", "no network"),
        (RuntimeError("it\nbroke"), "failed", "RuntimeError: it broke"),
    ],
)
def test_a_failure_is_a_result(error: Exception, kind: str, says: str) -> None:
    message = call(search_tool(Backend(error), Cache()), query="x")
    assert message.artifact["ok"] is False
    assert message.artifact["failure"] == {"type": kind, "message": says}
    assert message.artifact["hits"] == []
    assert message.content == f"The search failed: {says}"


def test_an_empty_query_asks_nobody() -> None:
    backend = Backend([KEA])
    for query in ("", " \n", "\x00\u200b"):
        message = call(search_tool(backend), query=query)
        assert message.artifact["failure"]["type"] == "query"
    assert backend.asked == []


def test_an_argument_of_another_type_is_a_clear_error() -> None:
    message = call(search_tool(Backend([KEA])), query="x", limit="many")
    assert message.status == "error"
    assert "the argument limit is wrong" in message.content


def test_nothing_found_is_no_error() -> None:
    message = call(search_tool(Backend([])), query="x")
    assert (message.artifact["ok"], message.artifact["hits"]) == (True, [])
    assert message.content == "Nothing was found for: x"


class TestCached:
    def test_an_answer_is_asked_for_once(self) -> None:
        backend = Backend([KEA])
        tool = search_tool(backend, Cache())
        first, second = call(tool, query="kea"), call(tool, query=" kea ")
        assert len(backend.asked) == 1
        assert (first.artifact["cached"], second.artifact["cached"]) == (False, True)
        assert second.artifact | {"cached": False} == first.artifact
        assert second.content == first.content

    @pytest.mark.parametrize("answer", [[], SearchFailed("offline", "no network")])
    def test_nothing_and_failures_are_not_kept(self, answer: Any) -> None:
        backend = Backend(answer)
        tool = search_tool(backend, Cache())
        call(tool, query="kea")
        assert call(tool, query="kea").artifact["cached"] is False
        assert len(backend.asked) == 2


class Made(BaseRetriever):
    documents: list[Document]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        if query == "broken":
            raise ConnectionError("the store is gone")
        return self.documents


def test_a_langchain_retriever_is_a_backend() -> None:
    documents = [
        Document("one", metadata={"title": "One", "source": "a.md", "score": 0.5}),
        Document("two", metadata={"id": 7, "score": "high"}),
        Document("three"),
    ]
    backend: SearchBackend = from_retriever(Made(documents=documents))
    tool = search_tool(backend)
    hits = call(tool, query="x", limit=2).artifact["hits"]
    assert hits == [
        {"title": "One", "url": "a.md", "text": "one", "score": 0.5},
        {"title": "", "url": "7", "text": "two", "score": None},
    ]
    failure = call(tool, query="broken").artifact["failure"]
    assert failure == {"type": "failed", "message": "Made: the store is gone"}


@given(st.text(max_size=60), st.integers(-5, 30), st.lists(st.text(max_size=40), max_size=3))
def test_any_arguments_and_pages_give_a_result(query: str, limit: int, texts: list[str]) -> None:
    backend = Backend([Hit(text, text, text) for text in texts])
    message = call(search_tool(backend, Cache()), query=query, limit=limit)
    assert message.artifact["ok"] is (message.artifact["failure"] is None)
    assert message.content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kea.md").write_text("The kea is a parrot.")
    return tmp_path


async def test_it_works_without_waiting_and_for_many_at_once(folder: Path) -> None:
    tool = local_search(str(folder))
    said = await asyncio.gather(*(tool.ainvoke({"query": "kea"}) for _ in range(20)))
    assert len(set(said)) == 1
    assert "The kea is a parrot." in said[0]
    assert tool.invoke({"query": "kea"}) == said[0]


async def test_it_works_in_a_tool_node(folder: Path) -> None:
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([local_search(str(folder))]))
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    calls = [
        {"name": "search", "args": {"query": "kea"}, "id": "1"},
        {"name": "search", "args": {"query": ""}, "id": "2"},
        {"name": "search", "args": {"query": "kea", "limit": "many"}, "id": "3"},
    ]
    state: Any = {"messages": [AIMessage("", tool_calls=calls)]}
    compiled = graph.compile()
    for messages in (compiled.invoke(state), await compiled.ainvoke(state)):
        found, empty, wrong = messages["messages"][1:]
        assert found.artifact["hits"][0]["title"] == "kea"
        assert empty.artifact["failure"]["type"] == "query"
        assert wrong.status == "error"


def test_tools_are_shared_by_their_argument(folder: Path) -> None:
    assert local_search(str(folder)) is local_search(str(folder))
    assert web_search() is web_search()
    assert web_search() is not web_search("wikipedia")


@pytest.mark.parametrize("path", ["", "no/such/folder"])
def test_a_path_that_is_not_there_is_refused_when_the_tool_is_made(path: str) -> None:
    with pytest.raises(ValueError, match="local search: "):
        local_search(path)
