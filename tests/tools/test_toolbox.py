"""Tools by role: built by name, swapped, and called without ever raising for what they do."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.tools import BaseTool, StructuredTool, Tool, tool

from agentflow.tools import toolbox
from agentflow.tools.toolbox import BACKENDS, Toolbox, UnknownTool, Use, build


@tool
def plain(code: str) -> str:
    """Returns text alone."""
    return f"ran {code}"


@tool(response_format="content_and_artifact")
async def rich(code: str) -> tuple[str, dict[str, Any]]:
    """Returns text and data."""
    return f"ran {code}", {"value": len(code)}


@tool
def broken(code: str) -> str:
    """Always fails."""
    raise ZeroDivisionError(code)


async def test_a_use_has_what_the_tool_gives_and_is_told_of() -> None:
    told: list[Use] = []
    box = Toolbox({"python": rich, "other": plain}, told.append)
    use = await box.use("python", code="abc")
    assert (use.role, use.tool, use.arguments) == ("python", "rich", {"code": "abc"})
    assert (use.content, use.artifact, use.error) == ("ran abc", {"value": 3}, False)
    assert use.seconds >= 0
    text = await box.use("other", code="x")
    assert (text.content, text.artifact, text.error) == ("ran x", None, False)
    assert told == [use, text]


@pytest.mark.parametrize("arguments", [{"code": "x"}, {"code": {}}, {}, {"cod": "x"}])
async def test_whatever_a_tool_raises_is_its_answer(arguments: dict[str, Any]) -> None:
    told: list[Use] = []
    use = await Toolbox({"python": broken}, told.append).use("python", **arguments)
    assert use.error
    assert use.artifact is None
    assert use.content
    assert told == [use]


def _of_one_input() -> BaseTool:
    return Tool(name="one", description="One input.", func=lambda asked: f"found {asked}")


@tool
def by_another_name(question: str) -> str:
    """Takes its one argument by another name."""
    return f"found {question}"


@tool
def with_a_limit(query: str, limit: int) -> str:
    """Takes both."""
    return f"found {query}, {limit}"


_STRICT = StructuredTool(
    name="strict",
    description="Refuses what its schema does not have.",
    args_schema={"type": "object", "properties": {"query": {"type": "string"}}},
    func=lambda query: f"found {query}",
)


@pytest.mark.parametrize(
    ("tool", "found"),
    [
        (_of_one_input(), "found it"),
        (by_another_name, "found it"),
        (with_a_limit, "found it, 5"),
        (_STRICT, "found it"),
    ],
)
async def test_a_tool_is_given_what_it_takes(tool: BaseTool, found: str) -> None:
    use = await Toolbox({"search": tool}).use("search", query="it", limit=5)
    assert (use.content, use.error) == (found, False)


@pytest.mark.parametrize("artifact", [object(), {"a": {1, 2}}, float("nan"), b"x"])
async def test_an_artifact_that_is_no_json_is_none(artifact: Any) -> None:
    @tool(response_format="content_and_artifact")
    def odd(query: str) -> tuple[str, Any]:
        """Gives what no file can hold."""
        return "found it", artifact

    use = await Toolbox({"search": odd}).use("search", query="it")
    assert (use.content, use.artifact, use.error) == ("found it", None, False)


BLOCKS = [{"type": "text", "text": "found"}, {"type": "image", "url": "x"}, "more"]


@pytest.mark.parametrize(
    ("content", "given", "text", "artifact"),
    [
        (BLOCKS, {"structured_content": {"hits": [1]}}, "found\nmore", {"hits": [1]}),
        (BLOCKS, {"structured_content": {"result": "found"}}, "found\nmore", None),
        (BLOCKS, {"structured_content": "found"}, "found\nmore", {"structured_content": "found"}),
        ("found", {"result": "found"}, "found", {"result": "found"}),
    ],
)
async def test_what_an_adapter_wrapped_is_unwrapped(
    content: Any, given: Any, text: str, artifact: Any
) -> None:
    @tool(response_format="content_and_artifact")
    def of_a_server(query: str) -> tuple[Any, Any]:
        """Gives what langchain-mcp-adapters makes of a server's reply."""
        return content, given

    use = await Toolbox({"search": of_a_server}).use("search", query="it")
    assert (use.content, use.artifact, use.error) == (text, artifact, False)


async def test_a_huge_text_is_cut_and_huge_data_are_left_out() -> None:
    @tool(response_format="content_and_artifact")
    def talks(query: str) -> tuple[str, Any]:
        """Gives what would fill events and checkpoints."""
        return "a" * 10_000_000, ["b" * 10_000_000]

    use = await Toolbox({"search": talks}).use("search", query="it")
    assert (use.content, use.artifact) == ("a" * toolbox.MAX_CONTENT + " ... (cut)", None)


async def test_a_cancelled_use_is_told_of_too() -> None:
    @tool
    async def slow(code: str) -> str:
        """Takes for ever."""
        await asyncio.sleep(60)
        return ""

    told: list[Use] = []
    task = asyncio.ensure_future(Toolbox({"python": slow}, told.append).use("python", code=""))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (use,) = told
    assert use.error
    assert use.content.startswith("CancelledError")


@pytest.mark.parametrize("deep", [False, True])
async def test_a_tool_that_raises_a_cancellation_itself_has_failed(deep: bool) -> None:
    @tool
    async def given_up(code: str) -> str:
        """Is cancelled from within."""
        if not deep:
            raise asyncio.CancelledError(code)
        inner = asyncio.ensure_future(asyncio.sleep(60))
        inner.cancel(code)
        await inner
        return ""

    told: list[Use] = []
    use = await Toolbox({"python": given_up}, told.append).use("python", code="mine")
    assert (use.content, use.error) == ("CancelledError: mine", True)
    assert told == [use]


async def test_a_role_that_no_tool_has() -> None:
    with pytest.raises(UnknownTool, match="no tool has the role 'z3'; there are: python"):
        await Toolbox({"python": plain}).use("z3")


class TestBuild:
    def test_another_tool_takes_the_place_of_a_backend(self) -> None:
        tools = build({"python": "no such backend"}, {"python": plain, "mine": rich})
        assert tools == {"python": plain, "mine": rich}

    def test_unknown_names_say_what_there_is(self) -> None:
        with pytest.raises(UnknownTool, match="no tool is called 'proof'; there are: python, z3"):
            build({"proof": "sandbox"})
        with pytest.raises(UnknownTool, match="no tool is called 'pyhton'; is 'python' meant"):
            build({"python": "sandbox"}, {"pyhton": plain})
        with pytest.raises(UnknownTool, match="'python' has no backend 'docker'; there are"):
            build({"python": "docker"})

    def test_a_backend_may_take_an_argument(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made: list[tuple[str, ...]] = []

        def make(*given: str) -> BaseTool:
            made.append(given)
            return StructuredTool.from_function(lambda query: query, name="find", description="d")

        monkeypatch.setattr(toolbox, "made_for_the_test", make, raising=False)
        where = "agentflow.tools.toolbox:made_for_the_test"
        monkeypatch.setitem(BACKENDS["search"], "mine", where)
        build({"search": "mine:C:/docs"})
        build({"search": "mine"})
        assert made == [("C:/docs",), ()]
