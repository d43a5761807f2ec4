"""The one vLLM that the tests of it share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from vllm_server import BLOCK, SMALL

from agentflow.models import HTTPModel
from agentflow.models.serve import serve


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The one server of these tests; on a machine without free cores it starts in minutes."""
    small = SMALL | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    options = ["--enforce-eager", "--dtype", "float32", "--block-size", str(BLOCK)]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in small.items():
            patch.setenv(name, value)
        with serve("vllm", port=0, options=options, patience=840) as served:
            yield served.url
    assert served.process.returncode == 0, served.last_words


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[HTTPModel]:
    model = HTTPModel(url, idle_timeout=300)
    await model.open()
    yield model
    await model.close()


@pytest.fixture
async def model(url: str) -> AsyncIterator[HTTPModel]:
    """The opened client."""
    async with opened(url) as one:
        yield one
