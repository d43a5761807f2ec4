"""Errors: what says one survives being copied, and being sent to another process."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import pytest

from agentflow import checkpoints, errors
from agentflow.cli.app import Stopped
from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, Paused, Refused
from agentflow.models import chat
from agentflow.server import refused
from agentflow.tools.sandbox.jail import JailError
from agentflow.tools.search.protocol import SearchFailed

OWN = [
    Paused("a thread", {"resume": "true"}),
    Refused("no", 400),
    ModelUnavailable("gone", 503, 2.5),
    chat.ToolsRefused("no tools", 422),
    checkpoints.NoThreads("no file"),
    Stopped(BadInput("why"), {"answer": None}),
    refused.Refused(429, "later", "busy", "n", 3),
    JailError("mount", 13),
    SearchFailed("offline", "no network"),
]
"""Of those whose constructor takes more than a message."""


def every(kind: type[AgentflowError]) -> Iterator[type[AgentflowError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from every(one)


PLAIN = [kind("why") for kind in every(AgentflowError) if kind is not Paused]


@pytest.mark.parametrize("error", [*OWN, *PLAIN], ids=lambda one: type(one).__name__)
def test_an_error_is_copied_and_pickled_whole(error: Exception) -> None:
    if isinstance(error, AgentflowError):
        error.request_id = "req-1"
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert {k: str(v) for k, v in vars(again).items()} == {
            k: str(v) for k, v in vars(error).items()
        }


def test_every_error_of_the_module_is_one_of_ours() -> None:
    kinds = [one for one in vars(errors).values() if isinstance(one, type)]
    found = [one for one in kinds if issubclass(one, BaseException)]
    assert found
    assert all(issubclass(one, AgentflowError) for one in found)
