"""Samples on a Ray cluster of several nodes, one of which is killed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from agentflow.domains import Game24
from agentflow.errors import BadInput, MissingCapability
from agentflow.evaluation.cluster import ray_engine
from agentflow.evaluation.records import Arm
from agentflow.evaluation.runner import Record, run
from agentflow.models import close_all

sys.path.append(str(Path(__file__).parent.parent / "models"))
from fake_server import ANSWER, SOLVED, Fake

ray = pytest.importorskip("ray", reason="Ray is not installed; make test-ray installs it")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PUZZLE = Game24().parse("1 6 8 12")
DIRECT = Arm("direct", "direct")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Three nodes with two CPUs each; the first is the driver's."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    made.add_node(num_cpus=2)
    made.add_node(num_cpus=2)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
async def server() -> AsyncIterator[Fake]:
    """A model that takes a second for an answer."""

    async def slow(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        await asyncio.sleep(1)
        for event in fake.events(fake.tokens(SOLVED + "</think>\n" + ANSWER)):
            await response.write(event)

    fake = Fake("llamacpp", slow)
    async with TestServer(fake.app, host="127.0.0.1") as started:
        fake.url = f"http://127.0.0.1:{started.port}/v1"
        yield fake
        await close_all()


async def test_a_node_that_is_killed_costs_no_sample(
    tmp_path: Path, cluster: Any, server: Fake
) -> None:
    engine = ray_engine(address=cluster.address)
    killed: list[int] = []

    def kill(record: Record) -> None:
        killed.append(record.seed)
        if len(killed) == 12:  # every node has begun to work
            node = cluster.list_all_nodes()[-1]
            cluster.remove_node(node, allow_graceful=False)

    seeds = range(36)
    records = await run(
        [DIRECT],
        [PUZZLE],
        seeds,
        tmp_path / "r.jsonl",
        model=server.url,
        concurrency=6,
        on_record=kill,
        engine=engine,
        patience=60,
    )
    assert len(cluster.list_all_nodes()) == 2
    assert sorted(killed) == sorted(record.seed for record in records) == list(seeds)
    assert {record.status for record in records} == {"verified"}
    assert len(server.requests) >= len(seeds)  # more, where the node was at work when it went
    here = await run([DIRECT], [PUZZLE], [0], tmp_path / "s", model=server.url, concurrency=6)
    there = [record for record in records if record.seed == 0]
    assert [replace(r, seconds=0) for r in here] == [replace(r, seconds=0) for r in there]


async def test_what_a_run_raises_there_is_raised_here(
    tmp_path: Path, cluster: Any, server: Fake
) -> None:
    engine = ray_engine(address=cluster.address)
    chats = {"roles": {"solver": f"chat:{server.url}"}}
    arm = Arm("early_exit", "early_exit", {"substitute": False, **chats})
    with pytest.raises((MissingCapability, BadInput)):
        await run([arm], [PUZZLE], [0], tmp_path / "r", model=None, engine=engine)


def test_no_such_cluster(cluster: Any) -> None:
    ray.shutdown()
    with pytest.raises(BadInput, match="no Ray cluster can be used"):
        ray_engine(address="127.0.0.1:1")
