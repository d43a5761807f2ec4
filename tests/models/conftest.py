"""The fake server and its client, as fixtures."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import TestServer
from fake_server import Fake

from agentflow import models
from agentflow.models import HTTPModel


@pytest.fixture(params=["llamacpp", "vllm"])
async def fake(request: pytest.FixtureRequest) -> AsyncIterator[Fake]:
    """A server of each dialect; ``fake.url`` is its base URL."""
    one = Fake(request.param)
    async with TestServer(one.app, host="127.0.0.1") as server:
        one.url = f"http://127.0.0.1:{server.port}/v1"
        yield one
        await models.close_all()


@pytest.fixture
async def model(fake: Fake) -> AsyncIterator[HTTPModel]:
    """The opened client of the fake server."""
    one = HTTPModel(fake.url, idle_timeout=600)
    await one.open()
    yield one
    await one.close()
