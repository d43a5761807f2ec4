"""Every graph under LangGraph's own development server, as LangGraph Studio drives it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from agentflow.catalogue import methods
from agentflow.graphs import METHODS, VERIFIERS, get
from agentflow.models import embedded
from agentflow.run import Status
from agentflow.trace import Trace

pytest.importorskip("langgraph_api", reason="needs the extra 'studio' (make test-studio)")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here"),
]

ROOT = Path(__file__).parents[2]
PUZZLES = ["4 7 8 8", "1 6 8 12", "2 3 5 12", "3 3 8 8", "1 5 5 5", "4 4 10 10"]
NOTE = "Hm, let me look at the numbers again.\n"
BLOCKING = """
import time
from langgraph.graph import START, MessagesState, StateGraph

async def sleep(state):
    time.sleep(0.01)

graph = StateGraph(MessagesState).add_node(sleep).add_edge(START, "sleep").compile()
"""
"""A graph that blocks: the server must refuse it, or it would let ours block too."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server's address; it works, and keeps its state, in a folder of its own."""
    folder = tmp_path_factory.mktemp("studio")
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    (folder / "blocking.py").write_text(BLOCKING)
    config["graphs"]["blocking"] = "./blocking.py:graph"
    (folder / "langgraph.json").write_text(json.dumps(config))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
    quiet = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "1"}
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--port", str(port)],
            cwd=folder,
            env=os.environ | quiet | {"LANGSMITH_TRACING": "false", "NO_COLOR": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        while not _answers(port):
            said = (folder / "log").read_text()[-3000:]
            assert server.poll() is None, f"the server ended: {said}"
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.fixture
def client(url: str) -> LangGraphClient:
    return get_client(url=url)


class Refused(Exception):
    """A run ended in an error; the message is what Studio shows."""


class Thread:
    """A thread on the server, and what its last run streamed."""

    def __init__(self, client: LangGraphClient, id: str, **context: Any) -> None:
        self.client, self.id, self.context = client, id, context
        self.events: list[dict[str, Any]] = []
        self.updates: list[str] = []

    async def run(self, given: Any = None, assistant: str = "interwhen", **more: Any) -> None:
        """Run to its end or the next pause; notes events and which nodes were run."""
        stream = self.client.runs.stream(
            self.id,
            assistant,
            input=given,
            context=self.context or None,
            stream_mode=["custom", "updates"],
            stream_subgraphs=True,
            **more,
        )
        self.events, self.updates = [], []
        async for part in stream:
            if part.event == "error":
                raise Refused(f"{part.data['error']}: {part.data['message']}")
            kind = part.event.partition("|")[0]  # behind it stands the place of a subgraph
            if kind == "custom":
                self.events.append(part.data)
            elif kind == "updates":
                self.updates += part.data

    async def state(self, checkpoint: str | None = None) -> Any:
        return await self.client.threads.get_state(self.id, checkpoint_id=checkpoint)

    async def trace(self) -> Trace:
        return Trace((await self.state())["values"]["operations"])

    def kinds(self) -> set[str]:
        return {event["type"] for event in self.events}


async def thread(client: LangGraphClient, **context: Any) -> Thread:
    return Thread(client, (await client.threads.create())["thread_id"], **context)


async def paused(client: LangGraphClient, **context: Any) -> Thread:
    """A thread that stands before an intervention; the model slips on about every puzzle.

    It stopped at the server's behest, or with ``review`` at its own.
    """
    more = {} if context.get("review") else {"interrupt_before": ["refine"]}
    for seed, puzzle in enumerate(PUZZLES * 3):
        one = await thread(client, seed=seed, **context)
        await one.run({"problem": puzzle}, **more)
        if (await one.state())["next"] == ["refine"]:
            return one
    raise AssertionError("no intervention in any of the runs")


class TestWhatStudioShows:
    async def test_every_method_is_there(self, client: LangGraphClient) -> None:
        found = {one["graph_id"] for one in await client.assistants.search(limit=100)}
        assert found == {*METHODS, *VERIFIERS, "blocking"}

    @pytest.mark.parametrize("method", METHODS)
    async def test_settings_come_with_descriptions_and_bounds(
        self, client: LangGraphClient, method: str
    ) -> None:
        schemas = await client.assistants.get_schemas(await _assistant(client, method))
        assert schemas["input_schema"]["required"] == ["problem"]
        assert "result" in schemas["output_schema"]["properties"]
        assert {"operations", "ledger"} <= set(schemas["state_schema"]["properties"])
        settings = schemas["context_schema"]["properties"]
        listed = next(one["settings"] for one in methods() if one["name"] == method)
        assert set(settings) == {one["name"] for one in listed if "." not in one["name"]}
        assert all(field["description"] for field in settings.values())
        numbers = 0
        for field in settings.values():
            for kind in field.get("anyOf", [field]):
                if kind.get("type") in ("integer", "number"):
                    numbers += 1
                    assert {"minimum", "exclusiveMinimum"} & set(kind), field
        assert numbers >= 7

    async def test_a_bound_is_the_setting_s_own(self, client: LangGraphClient) -> None:
        schemas = await client.assistants.get_schemas(await _assistant(client, "interwhen"))
        k_stable = schemas["context_schema"]["properties"]["k_stable"]
        assert (k_stable["minimum"], k_stable["maximum"], k_stable["default"]) == (0, 100, 0)

    @pytest.mark.parametrize("method", METHODS)
    async def test_the_drawing_is_the_graph(self, client: LangGraphClient, method: str) -> None:
        drawn = await client.assistants.get_graph(await _assistant(client, method))
        graph = get(method).graph.get_graph()
        assert {node["id"] for node in drawn["nodes"]} == set(graph.nodes)
        assert {
            (edge["source"], edge["target"], edge.get("conditional", False))
            for edge in drawn["edges"]
        } == {(edge.source, edge.target, edge.conditional) for edge in graph.edges}
        assert any(edge.conditional for edge in graph.edges)


async def _assistant(client: LangGraphClient, method: str) -> str:
    (found,) = await client.assistants.search(graph_id=method, metadata={"created_by": "system"})
    return found["assistant_id"]


class TestRuns:
    async def test_the_server_refuses_what_blocks(self, client: LangGraphClient) -> None:
        one = await thread(client)
        with pytest.raises(Refused, match="BlockingError"):
            await one.run({"messages": []}, "blocking")

    @pytest.mark.parametrize("method", METHODS)
    async def test_every_method_runs(self, client: LangGraphClient, method: str) -> None:
        one = await thread(client)
        one.context = {"iterations": 2} if method == "adaptive_compute" else {}  # of ten
        await one.run({"problem": PUZZLES[0]}, method)
        assert {"token", "usage"} <= one.kinds()
        assert one.updates[0] == "prepare"
        edges = get(method).graph.get_graph().edges
        assert one.updates[-1] in {edge.source for edge in edges if edge.target == "__end__"}
        result = (await one.state())["values"]["result"]
        assert result["status"] in get_args(Status)
        assert set(result) == {"answer", "status", "reason", "candidate", "error"}

    async def test_events_say_all_that_the_state_holds(self, client: LangGraphClient) -> None:
        one = await paused(client)
        assert one.kinds() >= {"token", "state", "verdict", "usage"}
        assert "intervention" not in one.kinds()
        read = "".join(event["text"] for event in one.events if event["type"] == "token")
        assert read.startswith((await one.trace()).body)
        await one.run()
        assert one.updates[:2] == ["refine", "solve"]
        first = one.events[0]
        values = (await one.state())["values"]
        assert first["type"] == "intervention"
        assert first["text"] in (await one.trace()).body
        assert values["corrections"] == sum(
            s.kind == "feedback" for s in Trace(values["operations"]).segments
        )
        usage = [event["entries"] for event in one.events if event["type"] == "usage"]
        assert usage[-1].items() <= values["ledger"].items()

    async def test_an_assistant_runs_with_its_settings(self, client: LangGraphClient) -> None:
        settings = {"step_verifier": False, "thinking_tokens": 20, "k_stable": 2}
        made = await client.assistants.create("interwhen", context=settings, name="hasty")
        one = await thread(client)
        await one.run({"problem": PUZZLES[0]}, made["assistant_id"])
        closed = [event for event in one.events if event["type"] == "intervention"]
        assert [event["kind"] for event in closed] == ["close"]
        values = (await one.state())["values"]
        assert values["settings"] == settings
        assert not any(judged["monitor"] == "step_verifier" for judged in values["judged"])
        assert values["result"]["status"] in ("verified", "abstained", "unverified", "exhausted")

    @pytest.mark.parametrize(
        ("context", "problem", "says"),
        [
            ({"k_stable": -1}, PUZZLES[0], "k_stable.*greater than or equal to 0"),
            ({"temperature": 9}, PUZZLES[0], "temperature.*less than or equal to 5"),
            ({"bogus": 1}, PUZZLES[0], "bogus: no such setting"),
            ({"domain": "chess"}, PUZZLES[0], "unknown domain 'chess'"),
            ({"model": "gpt-99"}, PUZZLES[0], "unknown model 'gpt-99'"),
            ({}, "4 7 8", "needs four numbers, got 3"),
        ],
    )
    async def test_bad_input_is_refused_with_its_reason(
        self, client: LangGraphClient, context: dict[str, Any], problem: str, says: str
    ) -> None:
        one = await thread(client, **context)
        with pytest.raises(Refused, match=f"(?s){says}"):
            await one.run({"problem": problem})

    async def test_a_thread_used_again_starts_afresh(self, client: LangGraphClient) -> None:
        one = await paused(client)
        await one.run({"problem": "1 1 1 1"})
        values = (await one.state())["values"]
        assert values["result"]["status"] == "abstained"
        assert (values["operations"], values["ledger"], values["corrections"]) == ([], {}, 0)
        await one.run({"problem": "2 2 6 6"})
        trace = await one.trace()
        assert "2 2 6 6" in trace.segments[0].text
        assert (await one.state())["values"]["problem"]["text"] == "2 2 6 6"

    async def test_a_cancelled_run_leaves_the_thread_usable(self, client: LangGraphClient) -> None:
        one = await thread(client, max_tokens=100, max_corrections=0, restarts=100)
        stream = client.runs.stream(
            one.id,
            "interwhen",
            input={"problem": "1 1 1 11"},
            context=one.context,
            stream_mode="custom",
            on_disconnect="continue",
        )
        run = (await anext(stream)).data["run_id"]
        assert (await anext(stream)).data["type"] == "token"
        await client.runs.cancel(one.id, run, wait=True)
        assert (await client.runs.get(one.id, run))["status"] == "interrupted"
        assert (await one.state())["values"]["result"] == {}
        one.context = {}
        await one.run({"problem": PUZZLES[0]})
        values = (await one.state())["values"]
        assert values["result"]["status"] in ("verified", "abstained", "exhausted")
        assert values["problem"]["text"] == PUZZLES[0]


class TestAPersonStepsIn:
    async def test_time_travel(self, client: LangGraphClient) -> None:
        """Fork at an intervention, change the feedback, go on."""
        one = await paused(client)
        await one.run()
        ended = await one.state()
        first = (await one.trace()).body
        history = await client.threads.get_history(one.id, limit=1000)
        at = [past for past in history if past["next"] == ["refine"]][-1]
        leg = at["values"]["stream_end"]
        said = leg["intervention"]["text"]
        leg["intervention"]["text"] = NOTE
        fork = await client.threads.update_state(
            one.id, {"stream_end": leg}, checkpoint_id=at["checkpoint"]["checkpoint_id"]
        )
        assert (await one.state())["next"] == ["refine"]
        await one.run(checkpoint_id=fork["checkpoint"]["checkpoint_id"])
        assert one.updates[0] == "refine"
        values = (await one.state())["values"]
        assert values["result"]["status"] in get_args(Status)  # what it goes on to say is free
        kept = Trace(at["values"]["operations"]).body
        second = Trace(values["operations"]).body
        assert first.removeprefix(kept).lstrip("\n").startswith(said)
        assert second.removeprefix(kept).lstrip("\n").startswith(NOTE)
        old = await one.state(ended["checkpoint"]["checkpoint_id"])
        assert Trace(old["values"]["operations"]).body == first
        assert old["values"]["result"] == ended["values"]["result"]
        assert NOTE not in first

    async def test_a_run_pauses_for_review_and_goes_on(self, client: LangGraphClient) -> None:
        one = await paused(client, review=True)
        (pause,) = (await one.state())["interrupts"]
        value = pause["value"]
        assert value["monitor"] == "step_verifier"
        assert value["kind"] == "feedback"
        assert value["text"]
        assert value["reason"]
        kept = (await one.trace()).body
        assert value["offset"] == len(kept)
        assert "intervention" not in one.kinds()
        with pytest.raises(Refused, match="BadInput"):
            await one.run(command={"resume": False})
        one.context = {}  # the thread has its settings
        with pytest.raises(Refused, match="BadInput"):
            await one.run(command={"resume": 5})
        await one.run(command={"resume": NOTE})
        assert next(e for e in one.events if e["type"] == "intervention")["text"].endswith(NOTE)
        assert (await one.trace()).body.removeprefix(kept).lstrip("\n").startswith(NOTE)
        for _ in range(20):
            if not (await one.state())["next"]:
                break
            await one.run(command={"resume": True})
        assert (await one.state())["values"]["result"]
