"""Models: one protocol, engines over HTTP, and a scripted model for tests.

Read :mod:`~agentflow.models.model` first: it says what a model is. ``http`` speaks to a server with
raw completions (``raw_body`` is what it says to each engine), ``blackbox`` to one that only chats
(``incoming`` is what has come of a reply of either's; ``sse`` reads a stream's events,
``choice_tokens`` the tokens in them, ``server_errors`` what a server says that fails),
``langchain`` to a chat model of LangChain's, ``beside`` to vLLM's engine in its own process. The
embedded engine (``embedded``, ``llamacpp``) is a server, too, so that the client is the same;
``serve`` starts one to stay. Around a model stand ``lasting`` and ``journal`` (a stream outlasts
breaks and kills), ``metered`` and ``budget`` (what is counted, and what may be used) and
``observed`` (who listens).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models import bundled, embedded
from agentflow.models.blackbox import ChatAPI
from agentflow.models.http import HTTPModel
from agentflow.models.judge import JudgeModel
from agentflow.models.model import (
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
from agentflow.models.reward import RewardModel
from agentflow.models.scripted import Delay, Fault, ScriptedModel
from agentflow.models.turns import CHAT
from agentflow.profile import PROFILES, Profile
from agentflow.settings import Server, checked

if TYPE_CHECKING:
    from agentflow.models.langchain import LangChainModel

__all__ = [
    "Capabilities",
    "ChatAPI",
    "Completion",
    "Delay",
    "Distribution",
    "Fault",
    "Finish",
    "HTTPModel",
    "JudgeModel",
    "Model",
    "Request",
    "RewardModel",
    "ScriptedModel",
    "Token",
    "close_all",
    "complete",
    "connect",
    "engines",
    "extra_engines",
    "is_file",
    "next_token",
    "sample",
]

_REST = 30.0
"""Seconds a server that did not answer is passed over while another one does."""


@dataclass(slots=True)
class _Clients:
    """The clients of one event loop, when servers failed to answer (monotonic seconds), and what
    closes connections of others' clients."""

    open: dict[tuple[Server, float], HTTPModel | LangChainModel] = field(default_factory=dict)
    failed: dict[Server, float] = field(default_factory=dict)
    others: list[Callable[[], Awaitable[None]]] = field(default_factory=list)


_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, _Clients] = WeakKeyDictionary()


async def connect(servers: str | Sequence[Server], *, idle_timeout: float = 60.0) -> Model:
    """The opened client of the first server that answers.

    There is one client per event loop, server and ``idle_timeout``.

    Args:
        servers: In the order they are wanted; or one in its short form
            (:class:`~agentflow.settings.Server`).
        idle_timeout: Seconds without an event after which a stream counts as broken.

    Raises:
        BadInput: If a server cannot be used as it is described; no fallback hides that.
        ModelUnavailable: If no server answers; says of each why.
    """
    if isinstance(servers, str):
        servers = [checked(Server, {"at": servers}, "model")]
    clients = _clients.setdefault(asyncio.get_running_loop(), _Clients())
    rested = monotonic() - _REST
    errors: list[ModelUnavailable] = []
    for server in sorted(servers, key=lambda one: clients.failed.get(one, rested) > rested):
        try:
            if (server, idle_timeout) not in clients.open:
                client = await _client(server, idle_timeout)
                clients.open.setdefault((server, idle_timeout), client)
            client = clients.open[server, idle_timeout]
            await client.open()
        except ModelUnavailable as error:
            clients.failed[server] = monotonic()
            errors.append(error)
            continue
        return client
    if len(errors) == 1:
        raise errors[0]
    raise ModelUnavailable(
        f"none of {len(errors)} servers can be used: " + "; ".join(map(str, errors))
    )


async def _client(server: Server, idle_timeout: float) -> HTTPModel | LangChainModel:
    if server.api == "langchain":
        return await asyncio.to_thread(_langchain, server, idle_timeout)
    if server.api == "reward":
        name, key = server.name, _key(server)
        return RewardModel(await _url(server), name, api_key=key, idle_timeout=idle_timeout)
    url, key = await _url(server), _key(server)
    if server.api == "chat":
        return ChatAPI(
            url,
            server.name,
            profile=_chat_profile(server),
            api_key=key,
            idle_timeout=idle_timeout,
            provider=server.provider,
            effort=server.effort,
            thinking_tokens=server.thinking_tokens,
        )
    file = _file(server.at)
    if file is not None and bundled.is_judge(file.stem):
        return JudgeModel(url, file, idle_timeout=idle_timeout)
    return HTTPModel(
        url,
        server.name,
        profile=PROFILES[server.profile] if server.profile else None,
        api_key=key,
        idle_timeout=idle_timeout,
        at_once=server.effort == "none",
        context=server.context,
    )


def _chat_profile(server: Server) -> Profile:
    """How an API that only chats is spoken to."""
    return (PROFILES[server.profile] if server.profile else CHAT).within(server.context)


def _langchain(server: Server, idle_timeout: float) -> LangChainModel:
    from agentflow.models.langchain import LangChainModel, named

    chat = named(server.at, _key(server), server.effort, server.thinking_tokens)
    return LangChainModel(chat, profile=_chat_profile(server), idle_timeout=idle_timeout)


async def _url(server: Server) -> str:
    """The base URL; a model file is served first."""
    at = server.at
    if at.startswith(("http://", "https://")):
        return at
    path = _file(at)
    if path is None:
        names = " or ".join(map(repr, bundled.NAMES))
        raise BadInput(
            f"unknown model {at!r}; use {names}, a path to a GGUF file, or a base URL such "
            f"as http://localhost:8000/v1; a model of an API is chat:https://HOST/v1#{at[:80]}"
        )
    return await asyncio.to_thread(_serve, path, server)


def _serve(path: Path, server: Server, copy: int = 0) -> str:
    """The URL of an engine of this process."""
    reads = bundled.is_judge(path.stem)
    return embedded.serve(
        path,
        embedded.SLOTS,
        copy,
        context=server.context,
        threads=server.threads,
        reads=reads,
    )


def _file(at: str) -> Path | None:
    """The model file that is meant, there or not; None for what names none."""
    if at in bundled.NAMES:
        return bundled.file(at)
    named = "\0" not in at and "://" not in at and (at.endswith(".gguf") or os.path.exists(at))
    return Path(at) if named else None


def is_file(model: str) -> bool:
    """Whether this process computes a model, from a file.

    Raises:
        BadInput: If the model cannot be one.
    """
    return _file(checked(Server, {"at": model}, "model").at) is not None


def engines(model: object, most: int) -> int:
    """How many engines may run a model side by side: as many as the cores have threads for, where
    this process computes it from a file, at most ``most``; else 1, its server."""
    if most > 1 and isinstance(model, str):
        server = checked(Server, {"at": model}, "model")
        if _file(server.at) is not None:
            return max(1, min(most, embedded.cores() // (server.threads or embedded.THREADS)))
    return 1


async def extra_engines(model: str, count: int) -> list[str]:
    """The base URLs of ``count`` more engines of a model file, beside that of :func:`connect`.

    Each has a core, a cache and slots of its own: runs on several of them do not disturb each
    other, and give what they give one after the other.

    Raises:
        BadInput, ModelUnavailable: As :func:`connect`.
    """
    server = Server.model_validate(model)
    path = _file(server.at)
    assert path is not None, model
    return [await asyncio.to_thread(_serve, path, server, n) for n in range(1, count + 1)]


def _key(server: Server) -> str | None:
    if server.key_env is None:
        return None
    key = os.environ.get(server.key_env, "").strip()
    if not key:
        raise BadInput(
            f"{server.at}: its key is to be in the environment variable {server.key_env}, which is "
            "not set"
        )
    return key


async def close_all() -> None:
    """Close the clients of the running event loop."""
    clients = _clients.pop(asyncio.get_running_loop(), _Clients())
    for client in clients.open.values():
        await client.close()
    for close in clients.others:
        await close()


def close_later(close: Callable[[], Awaitable[None]]) -> None:
    """Have :func:`close_all` close what the running event loop opened, too."""
    _clients.setdefault(asyncio.get_running_loop(), _Clients()).others.append(close)
