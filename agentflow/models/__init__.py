"""Models: one protocol, two engines over one client, and a scripted model for tests."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from agentflow.errors import BadInput
from agentflow.models import embedded
from agentflow.models.chat import chat_model
from agentflow.models.http import HTTPModel
from agentflow.models.protocol import (
    Capabilities,
    Completion,
    Distribution,
    Finish,
    Model,
    Request,
    Token,
    complete,
    next_token,
    sample,
)
from agentflow.models.scripted import Delay, Fault, ScriptedModel

__all__ = [
    "Capabilities",
    "Completion",
    "Delay",
    "Distribution",
    "Fault",
    "Finish",
    "HTTPModel",
    "Model",
    "Request",
    "ScriptedModel",
    "Token",
    "chat_model",
    "close_all",
    "complete",
    "connect",
    "next_token",
    "sample",
]

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Any, HTTPModel]] = WeakKeyDictionary()


async def connect(spec: str, *, idle_timeout: float = 60.0) -> Model:
    """The opened client for a model, one per event loop and specification.

    Args:
        spec: ``embedded``, a path to a GGUF file, or a base URL, with ``#NAME`` behind it for
            one of several served models.

    Raises:
        BadInput: If ``spec`` names no usable model.
        ModelUnavailable: If no server answers.
    """
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    key = (spec, idle_timeout)
    if key not in clients:
        clients[key] = await _client(spec, idle_timeout)
    await clients[key].open()
    return clients[key]


async def _client(spec: str, idle_timeout: float) -> HTTPModel:
    if spec.startswith(("http://", "https://")):
        url, _, name = spec.partition("#")
        return HTTPModel(url, name or None, idle_timeout=idle_timeout)
    if spec == "embedded":
        path = embedded.bundled()
    elif spec.endswith(".gguf") or os.path.exists(spec):  # noqa: ASYNC240
        path = Path(spec)
    else:
        raise BadInput(
            f"unknown model {spec!r}; use 'embedded', a path to a GGUF file, or a base URL such "
            "as http://localhost:8000/v1"
        )
    url = await asyncio.to_thread(embedded.serve, path)
    return HTTPModel(url, idle_timeout=idle_timeout)


async def close_all() -> None:
    """Close the clients of the running event loop."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.close()
