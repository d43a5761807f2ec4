"""The same servers as LangChain chat models, for roles that plan, select, judge or call tools."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from agentflow.errors import AgentflowError, BadInput, ModelUnavailable
from agentflow.models.http import HTTPModel
from agentflow.models.protocol import Token
from agentflow.profile import Sampling

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.tools import BaseTool
    from langchain_openai import ChatOpenAI
    from openai import APIError

_REFUSALS = (400, 404, 405, 422, 501)
_TRY_LATER = (408, 425, 429)


class ToolsRefused(BadInput):
    """A server does not take the tools that a request brings."""


def chat_model(model: HTTPModel, **options: Any) -> ChatOpenAI:
    """A LangChain chat model on an opened model's server.

    Args:
        options: Passed on to ``ChatOpenAI`` (``temperature``, ``max_tokens``, …).
    """
    from langchain_openai import ChatOpenAI

    key = SecretStr(model.api_key or "none")
    return ChatOpenAI(model=model.name, base_url=model.base_url, api_key=key, **options)


async def reply_with_tools(
    model: HTTPModel,
    messages: Sequence[BaseMessage],
    tools: Sequence[BaseTool],
    *,
    max_tokens: int,
    sampling: Sampling,
    seed: int,
    top: int,
    idle_timeout: float,
) -> AIMessage:
    """The model's next message, which may call tools natively.

    Args:
        top: Alternatives per token to ask for; 0 for none.
        idle_timeout: Seconds without a byte after which the request counts as lost.

    Raises:
        ToolsRefused: If the server refuses the request.
        ModelUnavailable: If it does not answer.
    """
    options: dict[str, Any] = {"logprobs": True, "top_logprobs": top} if top else {}
    client = await asyncio.to_thread(_client, idle_timeout)

    def bound() -> Any:
        chat = chat_model(
            model,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            seed=seed,
            max_tokens=max_tokens,
            max_retries=0,
            http_async_client=client,
            **options,
        )
        return chat.bind_tools(tools)

    async with client:
        asked = await asyncio.to_thread(bound)  # it imports much, what follows does not again
        from openai import APIError

        try:
            message: AIMessage = await asked.ainvoke(list(messages))
        except APIError as error:
            raise _told(error, model.base_url) from error
    return message


@cache
def _certificates() -> Any:
    return ssl.create_default_context()


def _client(idle_timeout: float) -> Any:
    """A client of its own for one request: one that is kept belongs to one event loop."""
    import httpx

    return httpx.AsyncClient(timeout=idle_timeout, verify=_certificates())


def _told(error: APIError, url: str) -> AgentflowError:
    """What an error of the OpenAI client is here."""
    said, status = " ".join(error.message.split())[:200], getattr(error, "status_code", 0)
    if status in _REFUSALS or (status >= 500 and "tool" in said.lower()):
        return ToolsRefused(f"{url} refused a request with tools: {said}")
    if 400 <= status < 500 and status not in _TRY_LATER:
        return BadInput(f"{url} answered {status}: {said}")
    return ModelUnavailable(f"{url} answered {status}: {said}" if status else f"{url}: {said}")


def tokens_of(message: AIMessage) -> tuple[Token, ...]:
    """The tokens of a message's text, where its server gave their log-probabilities."""
    content = (message.response_metadata.get("logprobs") or {}).get("content") or ()
    return tuple(
        Token(
            str(one["token"]),
            None,
            one["logprob"],
            tuple((str(t["token"]), t["logprob"]) for t in one.get("top_logprobs") or ()),
        )
        for one in content
    )
