"""The tools of the Model Context Protocol, with the client of its own SDK."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serving import ANSWER, ENDLESS, PUZZLE, SAID, SOLVED, THINKING, Counted, falls, rises

from agentflow.domains import gym, names
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable
from agentflow.models import Delay, Fault, ScriptedModel
from agentflow.server import ServeSettings, stream

pytest.importorskip("mcp")

from desks import desk_of
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from agentflow.server.mcp import Desk, desk, server_of

BAD = THINKING.replace("4 * 6 = 24", "4 * 6 = 25")


@asynccontextmanager
async def client(desk: Desk, **more: Any) -> AsyncIterator[Client]:
    async with Client(server_of(desk), **more) as found:
        yield found


async def called(desk: Desk, tool: str, **arguments: Any) -> Any:
    async with client(desk) as mcp:
        return await mcp.call_tool(tool, arguments)


async def refused(desk: Desk, tool: str, **arguments: Any) -> str:
    reply = await called(desk, tool, **arguments)
    assert reply.is_error
    return str(reply.content[0].text)


class TestTools:
    async def test_they_are_listed(self) -> None:
        async with client(desk_of(ScriptedModel(SOLVED))) as mcp:
            tools = {tool.name: tool for tool in (await mcp.list_tools()).tools}
        assert set(tools) == {"solve", "verify", "judge"}
        assert "direct/scripted, interwhen/scripted" in (tools["solve"].description or "")
        assert all(name in (tools["verify"].description or "") for name in names())
        for tool in tools.values():
            assert tool.output_schema is not None
            assert "ctx" not in tool.input_schema["properties"]
            assert tool.input_schema["additionalProperties"] is False

    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    async def test_nothing_but_tools_is_announced(self, mode: str) -> None:
        async with client(desk_of(ScriptedModel(SOLVED)), mode=mode) as mcp:
            offered = mcp.server_capabilities.model_dump(exclude_none=True)
            assert offered == {"tools": {"list_changed": False}}
            with pytest.raises(MCPError, match="Method not found"):
                await mcp.list_prompts()

    async def test_the_sandbox_is_one_only_where_it_was_asked_for(self) -> None:
        desk = desk_of(ScriptedModel(SOLVED), sandbox=True)
        async with client(desk) as mcp:
            assert "run_python" in {tool.name for tool in (await mcp.list_tools()).tools}
        assert "Unknown tool" in await refused(desk_of(ScriptedModel("")), "run_python", code="1")

    async def test_solve(self) -> None:
        model = ScriptedModel(SOLVED)
        reply = await called(desk_of(model), "solve", problem=PUZZLE, model="interwhen/scripted")
        told = reply.structured_content
        assert (told["status"], told["answer"], told["text"]) == ("verified", ANSWER, SAID)
        assert [one["ok"] for one in told["evidence"]] == [True]
        assert told["cost"]["solver"]["generated"] == model.streamed
        assert json.loads(reply.content[0].text) == told

    async def test_a_seed_a_domain_and_a_budget(self) -> None:
        model = ScriptedModel(lambda prompt: "hm</think>\nIt is \\boxed{4}.")
        given: Any = {"domain": "math", "seed": 7, "max_tokens": 3}
        reply = await called(desk_of(model), "solve", problem="What is 2 + 2?", **given)
        told = reply.structured_content
        assert (told["seed"], told["model"]) == (7, "direct/scripted")
        assert told["cost"]["solver"]["generated"] <= 3

    @pytest.mark.parametrize(
        ("solution", "status", "wrong"),
        [
            (SOLVED, "correct", None),
            (f"{BAD}</think>\n{SAID}", "incorrect", 2),
            ("hm", "undecided", None),
        ],
    )
    async def test_verify(self, solution: str, status: str, wrong: int | None) -> None:
        model = ScriptedModel(SOLVED)
        reply = await called(desk_of(model), "verify", problem=PUZZLE, solution=solution)
        told = reply.structured_content
        assert (told["status"], told["first_wrong_step"]) == (status, wrong)
        assert bool(told["reason"]) == (status != "correct")
        assert model.streamed == 0

    async def test_judge(self) -> None:
        model = ScriptedModel(lambda prompt: '{"is_correct": false, "error": "a slip"}')
        desk = desk_of(model)
        given = {"problem": PUZZLE, "solution": SAID, "verifier": "vanilla"}
        told = (await called(desk, "judge", **given)).structured_content
        assert told["status"] in ("correct", "incorrect", "undecided")
        assert sum(role["generated"] for role in told["cost"].values()) == model.streamed > 0
        assert "verifier: none is called 'flexive'; known: vanilla" in await refused(
            desk, "judge", problem="x", solution="y"
        )

    async def test_a_program(self) -> None:
        desk = desk_of(ScriptedModel(SOLVED), sandbox=True)
        reply = await called(desk, "run_python", code="ans = data + 1", data=41)
        if reply.is_error:
            pytest.skip(reply.content[0].text)
        told = reply.structured_content
        assert (told["ok"], told["value"], told["error"]) == (True, 42, None)
        told = (await called(desk, "run_python", code="1 / 0")).structured_content
        assert (told["ok"], told["error"]) == (False, "line 1: ZeroDivisionError: division by zero")


class TestLimits:
    @pytest.mark.parametrize(
        ("tool", "arguments", "said"),
        [
            ("solve", {"problem": "hello"}, "game24: 'hello' is not"),
            ("solve", {"problem": " "}, "problem: it is empty"),
            ("solve", {"problem": "4 " * 2000}, "problem: over 2,000 bytes"),
            (
                "solve",
                {"problem": PUZZLE, "model": "interwhen/script"},
                "model: none is called 'interwhen/script'; known: direct/scripted, "
                "interwhen/scripted; did you mean interwhen/scripted?",
            ),
            ("solve", {"problem": PUZZLE, "domain": "x"}, "unknown domain 'x'"),
            (
                "solve",
                {"problem": PUZZLE, "settings": {"tools": {}}},
                "settings.tools: clients do not choose it, but: domain",
            ),
            (
                "solve",
                {"problem": PUZZLE, "max_tokens": 0},
                "solve: max_tokens: Input should be greater than or equal to 1",
            ),
            ("solve", {}, "solve: problem: Field required"),
            (
                "solve",
                {"problem": PUZZLE, "sead": 1},
                "sead: no such argument; known: problem, model, domain, max_tokens, seed, "
                "settings; did you mean seed?",
            ),
            ("judge", {"problem": PUZZLE, "solution": SAID, "ctx": 1}, "ctx: no such argument"),
            (
                "solve",
                {"problem": PUZZLE, "domain": "game24", "settings": {"domain": "math"}},
                "domain: is in settings, too",
            ),
            ("verify", {"problem": "hello", "solution": "x"}, "game24: 'hello' is not"),
            ("verify", {"problem": PUZZLE, "solution": "x", "domain": "x"}, "unknown domain 'x'"),
            ("judge", {"problem": PUZZLE, "solution": "x", "domain": "x"}, "unknown domain 'x'"),
            ("judge", {"problem": PUZZLE, "solution": ""}, "solution: it is empty"),
        ],
    )
    async def test_what_cannot_be_asked_for_is_named(
        self, tool: str, arguments: Any, said: str
    ) -> None:
        desk = desk_of(ScriptedModel(SOLVED), ServeSettings(body_bytes=2000))
        if tool == "judge":
            arguments = arguments | {"verifier": "vanilla"}
        told = await refused(desk, tool, **arguments)
        assert said in told
        assert told.startswith(f"{tool}: ")
        assert not {"pydantic", "HTTP", "GET", "agentflow."} & set(re.split(r"[ /]", told))
        assert "\n" not in told

    async def test_a_bug_is_called_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(desk, "judge", None)
        told = await refused(desk_of(ScriptedModel("")), "verify", problem=PUZZLE, solution=SAID)
        assert told == "verify: a bug of this server's, of which its log says more"

    async def test_a_domain_that_clients_do_not_choose_is_that_of_the_model(self) -> None:
        desk = desk_of(ScriptedModel(SOLVED), ServeSettings(client_settings=()))
        for tool, more in (("solve", {}), ("verify", {"solution": SAID})):
            said = await refused(desk, tool, problem=PUZZLE, domain="math", **more)
            assert "domain: clients do not choose it; it is game24" in said
            same = await called(desk, tool, problem=PUZZLE, domain="game24", **more)
            assert not same.is_error

    async def test_seconds(self) -> None:
        desk = desk_of(ScriptedModel(lambda _: [THINKING, Delay(30)]), ServeSettings(seconds=0.3))
        told = (await called(desk, "solve", problem=PUZZLE)).structured_content
        assert told["reason"] == "the limit of 0.3 seconds is over"
        given = {"problem": PUZZLE, "solution": SAID, "verifier": "vanilla"}
        told = (await called(desk, "judge", **given)).structured_content
        assert (told["status"], told["reason"]) == (
            "undecided",
            "the limit of 0.3 seconds is over",
        )

    async def test_runs_at_once_and_tokens_per_minute(self) -> None:
        model = Counted(lambda prompt: SOLVED)
        model.gate = asyncio.Event()
        desk = desk_of(model, ServeSettings(concurrency=1, tokens_per_minute=5))
        async with client(desk) as mcp:
            first = asyncio.ensure_future(mcp.call_tool("solve", {"problem": PUZZLE}))
            await rises(model)
            second = await mcp.call_tool("solve", {"problem": PUZZLE})
            model.gate.set()
            assert not (await first).is_error
            third = await mcp.call_tool("solve", {"problem": PUZZLE})
        assert "limit of 1 requests at once" in second.content[0].text
        assert "limit of 5 tokens per minute" in third.content[0].text

    async def test_a_model_that_does_not_answer(self) -> None:
        """No server of the operator's is named."""
        fault = Fault(ModelUnavailable("http://gpu1:8000/v1 is down"))
        desk = desk_of(ScriptedModel(lambda prompt: [fault]))
        for tool, more in (("solve", {}), ("judge", {"solution": SAID, "verifier": "vanilla"})):
            said = await refused(desk, tool, problem=PUZZLE, **more)
            assert "the model's server does not answer" in said
            assert "gpu1" not in said

    @pytest.mark.parametrize("tool", ["solve", "judge"])
    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (MissingCapability("/etc/secret has no log-probabilities"), "its model cannot do what"),
            (BadInput("/etc/secret: no such model file"), "cannot be used as it is set up"),
        ],
    )
    async def test_an_unfit_model_is_the_operators(
        self, tool: str, error: BadInput, said: str
    ) -> None:
        """No file of the operator's is named."""
        desk = desk_of(ScriptedModel(lambda prompt: [Fault(error)]))
        more = {"solution": SAID, "verifier": "vanilla"} if tool == "judge" else {}
        told = await refused(desk, tool, problem=PUZZLE, **more)
        assert said in told
        assert "secret" not in told
        metrics = desk.server.metrics.text().decode()
        assert 'status="refused"} 1.0' in metrics
        assert "agentflow_running 0.0" in metrics

    async def test_a_domain_that_cannot_be_used_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Why is the operator's to know: it may name files of the server."""

        def kind(name: str) -> Any:
            raise BadInput(f"gym: not installed: pip install -e '/etc/secret' for {name}")

        monkeypatch.setattr(gym, "kind", kind)
        desk = desk_of(ScriptedModel(SOLVED))
        more = {"solution": SAID, "verifier": "vanilla"}
        for tool, args in (("solve", {}), ("verify", {"solution": SAID}), ("judge", more)):
            said = await refused(desk, tool, problem=PUZZLE, domain="gym:nope", **args)
            assert "domain 'gym:nope' cannot be used on this server" in said
            assert "secret" not in said

    async def test_what_a_verifier_came_to_is_counted(self) -> None:
        model = Counted(lambda prompt: SOLVED)
        desk = desk_of(model, ServeSettings(concurrency=1))
        given = {"problem": PUZZLE, "solution": SAID, "verifier": "vanilla"}
        model.gate = asyncio.Event()
        async with client(desk) as mcp:
            first = asyncio.ensure_future(mcp.call_tool("judge", given))
            await rises(model)
            second = await mcp.call_tool("judge", given)  # over the limit: no run begins
            model.gate.set()
            assert not (await first).is_error
        assert "limit of 1 requests at once" in second.content[0].text
        counts = [
            line
            for line in desk.server.metrics.text().decode().splitlines()
            if line.startswith("agentflow_runs_total")
        ]
        assert counts == ['agentflow_runs_total{model="vanilla",status="judged"} 1.0']

    async def test_a_bug_shows_nothing(self) -> None:
        def broken(prompt: str) -> str:
            raise RuntimeError(f"with {prompt}")

        said = await refused(desk_of(ScriptedModel(broken)), "solve", problem=PUZZLE)
        assert PUZZLE not in said

    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    @pytest.mark.parametrize("tool", ["solve", "judge"])
    async def test_who_cancels_ends_the_run(self, mode: str, tool: str) -> None:
        model = Counted(lambda prompt: ENDLESS)
        more = {"solution": SAID, "verifier": "vanilla"} if tool == "judge" else {}
        async with client(desk_of(model), mode=mode) as mcp:
            call = asyncio.ensure_future(mcp.call_tool(tool, {"problem": PUZZLE} | more))
            await rises(model)
            call.cancel()
            await asyncio.wait({call})
            await falls(model)
        assert model.streaming == 0

    async def test_progress(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stream, "BEAT_SECONDS", 0.05)
        told: list[tuple[float, str | None]] = []

        async def heard(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, message))

        async with client(desk_of(ScriptedModel([Delay(1), SOLVED]))) as mcp:
            await mcp.call_tool("solve", {"problem": PUZZLE}, progress_callback=heard)
        assert [number for number, _ in told] == [*range(1, len(told) + 1)]
        assert "working; " in (told[0][1] or "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(PUZZLE) | st.just(SOLVED),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
NAMES = st.sampled_from(["problem", "solution", "model", "domain", "seed", "settings", "verifier"])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["solve", "verify", "judge", "x"]), st.dictionaries(NAMES, JSON))
async def test_any_arguments(tool: str, arguments: dict[str, Any]) -> None:
    """A reply that fits the schema, or an error that a model can read; never a failure of ours."""
    server = server_of(desk_of(ScriptedModel(lambda prompt: SOLVED)))
    async with Client(server) as mcp:
        reply = await mcp.call_tool(tool, arguments)
        schemas = {one.name: one.output_schema for one in (await mcp.list_tools()).tools}
    if reply.is_error:
        said = reply.content[0].text  # type: ignore[union-attr]
        assert said
        assert "bug" not in said
    else:
        jsonschema.validate(reply.structured_content, schemas[tool] or {})
