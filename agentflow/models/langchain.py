"""Any chat model of LangChain's as a model: whatever provider it wraps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from importlib import import_module
from inspect import signature
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, convert_to_messages
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.tools import BaseTool
from pydantic import SecretStr

from agentflow.backoff import Rest
from agentflow.errors import (
    AgentflowError,
    BadInput,
    ModelUnavailable,
    Refused,
    StreamBroken,
    Withheld,
)
from agentflow.models import choice_tokens, fields, finish_reason, server_errors
from agentflow.models.connection import refuses, seconds
from agentflow.models.dialects import DIALECTS, Effort
from agentflow.models.fields import Usage, Wrong
from agentflow.models.model import Capabilities, Finish, Request, Token, estimated, whole
from agentflow.models.splitter import Splitter
from agentflow.models.strict_schema import strict
from agentflow.models.turns import CHAT, Behind, ChatOnly, chat_profile, chat_prompt, turns_of
from agentflow.profile import Profile, Sampling

_LIMITS = ("max_tokens", "max_output_tokens", "num_predict", "max_new_tokens")
"""What chat models call the most tokens of a reply."""
_NAMES = ("model_name", "model", "model_id", "deployment_name")
_LEAST = 1024
"""Tokens of a budget of thinking."""
_WHOLE = (
    *("", "stop"),
    *("tool_calls", "tool_use", "function_call"),  # by which some classes hold to a schema
)
"""How providers call the end of a whole reply; what has no such word was cut off."""
_WITHHELD = ("content_filter", "safety", "refusal", "prohibited_content", "recitation")


class LangChainModel(ChatOnly):
    """A chat model of LangChain's.

    It is asked as its owner set it up: of a request it gets the limit, a schema, and the sampling
    where that is not the profile's own. Its callbacks and tracers are told by itself.

    Args:
        chat: The model, or what ``bind``, ``with_config`` or ``with_retry`` made of one.
        profile: Whose limits and sampling are used; None for those of a model nobody knows.
        idle_timeout: Seconds without a chunk after which a stream counts as broken.
    """

    tells = True
    """It tells LangChain's listeners by itself."""

    def __init__(
        self, chat: Runnable[Any, Any], *, profile: Profile | None = None, idle_timeout: float = 60
    ) -> None:
        self._given = chat
        self.chat: BaseChatModel = chat_in(chat)
        self.name = _name_of(self.chat)
        self._idle_timeout = idle_timeout
        self._rest = Rest()
        tools = type(self.chat).bind_tools is not BaseChatModel.bind_tools
        known = CHAT if profile is None else chat_profile(profile)
        self.profile: Profile = replace(known, tools=tools)
        self._fields = type(self.chat).model_fields.keys()
        self._thinks = DIALECTS["openai"].thinks(self.name)
        responses = getattr(self.chat, "use_responses_api", None)
        logs = "top_logprobs" in self._fields and not (self._thinks or responses)
        self.capabilities = Capabilities(
            continues=False, turns=True, exact_prefix=False, logprobs=20 if logs else 0
        )
        self._seeds = "seed" in self._fields and not (self._thinks or responses)

    async def open(self) -> None:
        """Nothing to do: it connects by itself."""

    async def close(self) -> None:
        """Nothing to do."""

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream the answer to the messages that the prompt holds, as going on from what stands
        behind them.

        Raises:
            MissingCapability: If the prompt is not what the profile renders.
            Refused, ModelUnavailable, StreamBroken: By what the model raised.
        """
        prompt = chat_prompt(request.prompt, self.name)
        messages = convert_to_messages(await turns_of(prompt, self.profile))
        chat = self._set_up(request.max_tokens, request.sampling, request.seed)
        splitter, behind = Splitter(self.profile), Behind(self.profile, prompt.body)
        reply = _Reply(request.top)
        received, left = 0, None
        await self._rest.over()
        try:
            async with aclosing(self._chunks(chat, messages, request)) as chunks:
                async for chunk in chunks:
                    if not isinstance(chunk, AIMessageChunk) and chunk.usage_metadata:
                        left = chunk.usage_metadata["output_tokens"]  # it comes as a whole
                    taken = reply.take(chunk, splitter)
                    for token in whole((one for one in taken if behind.takes(one.text)), left):
                        received += 1
                        yield token
                        left = left and 0
        except AgentflowError:
            raise
        except Wrong as error:
            raise StreamBroken(f"{self.name}: what came cannot be used: {error}") from error
        except Exception as error:  # each provider has its own
            raise self._error(error, received) from error
        for token in whole(map(estimated, filter(behind.takes, splitter.end())), left):
            yield token
        yield reply.finish(self.name)

    async def _chunks(
        self, chat: BaseChatModel, messages: Sequence[BaseMessage], request: Request
    ) -> AsyncGenerator[AIMessage, None]:
        """What comes, each piece within the idle time; a reply by a schema comes as a whole."""
        structured = self._structured(chat, request)
        if structured is not None:
            async with asyncio.timeout(10 * self._idle_timeout):
                found = await _wrapped_as(self._given, structured).ainvoke(list(messages))
            raw = found["raw"]
            if not raw.text and found["parsed"] is not None:  # it came as a call
                raw = raw.model_copy(update={"content": json.dumps(found["parsed"])})
            yield raw
            return
        logs: dict[str, Any] = {"logprobs": True, "top_logprobs": request.top}
        options = logs if request.top and self.capabilities.logprobs else {}
        stream = _wrapped_as(self._given, chat).astream(list(messages), **options)
        async with aclosing(stream):
            while True:
                async with asyncio.timeout(self._idle_timeout):
                    chunk = await anext(stream, None)
                if chunk is None:
                    return
                yield chunk

    def _structured(self, chat: BaseChatModel, request: Request) -> Any:
        """The model held to the schema, by the way that its class takes for the best; None where it
        has none."""
        if request.schema is None:
            return None
        schema = strict(request.schema) or dict(request.schema)
        named = {"title": "reply", "description": "The reply."} | schema
        method = signature(chat.with_structured_output).parameters.get("method")
        held = method is not None and "json_schema" in str(method.annotation)
        try:
            return chat.with_structured_output(
                named,
                include_raw=True,
                **({"method": "json_schema"} if held else {}),
                **_bound_to(self._given),  # which a chain hands to nobody
            )
        except (NotImplementedError, ValueError, TypeError, AttributeError):
            return None

    async def call_tools(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        *,
        max_tokens: int,
        sampling: Sampling,
        seed: int,
        top: int,
    ) -> AIMessage:
        """The model's next message, which may call tools.

        Raises:
            Refused, ModelUnavailable: By what the model raised.
            Withheld: If the provider filters the message.
        """
        logs: dict[str, Any] = {"logprobs": True, "top_logprobs": top} if top else {}
        await self._rest.over()
        try:
            bound = self._set_up(max_tokens, sampling, seed).bind_tools(list(tools), **logs)
            asked = _wrapped_as(self._given, bound)
            async with asyncio.timeout(10 * self._idle_timeout):
                message: AIMessage = await asked.ainvoke(list(messages))
        except Exception as error:
            raise self._error(error, 0) from error
        reply = _Reply(top)
        reply.note(message)
        reply.see_given(self.name)
        message.response_metadata["tokens"] = _logged(message, top)
        return message

    def _set_up(self, limit: int, sampling: Sampling, seed: int) -> BaseChatModel:
        """The model for one request."""
        update: dict[str, Any] = {}
        for name in _LIMITS:
            if name in self._fields:
                own = getattr(self.chat, name)
                update[name] = limit if own is None else min(own, limit)
                break
        thinking = getattr(self.chat, "thinking", None)
        if isinstance(thinking, dict) and thinking.get("budget_tokens", 0) >= limit:
            update["thinking"] = (  # the least that Anthropic takes, and it must be below the limit
                thinking | {"budget_tokens": limit - 1} if limit > _LEAST else None
            )
        usual = self.profile.sampling
        if not self._thinks:
            for name in ("temperature", "top_p"):
                wanted = getattr(sampling, name)
                if name in self._fields and wanted != getattr(usual, name):
                    update[name] = wanted
        if self._seeds and getattr(self.chat, "seed", 0) is None:
            update["seed"] = seed
        if "stream_usage" in self._fields:
            update["stream_usage"] = True
        return self.chat.model_copy(update=update | _clients_here(self.chat))

    def _error(self, error: BaseException, received: int) -> AgentflowError:
        """What the model raised as an error of ours, without its keys."""
        status = getattr(error, "status_code", None)
        message = f"{self.name}: {type(error).__name__}: {error}"
        for value in vars(self.chat).values():
            if isinstance(value, SecretStr) and (key := value.get_secret_value()):
                message = server_errors.without_key(message, key)
        message = message[:500]
        headers = getattr(getattr(error, "response", None), "headers", {})
        if isinstance(status, int) and refuses(status):
            return server_errors.with_id(Refused(message, status), headers)
        if received:
            return server_errors.with_id(
                StreamBroken(f"{message}, after {received} pieces"), headers
            )
        after = seconds(headers.get("retry-after"))
        self._rest.ask(after)
        status = status if isinstance(status, int) else 0
        return server_errors.with_id(ModelUnavailable(message, status, after), headers)


_HERE: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()
"""By event loop, the connections of OpenAI's clients there."""


def _clients_here(chat: BaseChatModel) -> dict[str, Any]:
    """OpenAI's client with connections of the running event loop, as fields of the model: the one
    that LangChain keeps for a whole process has those of the first loop, which may be closed."""
    client: Any = getattr(chat, "root_async_client", None)
    own = getattr(chat, "http_async_client", None) or getattr(chat, "openai_proxy", None)
    if own or not hasattr(client, "with_options"):
        return {}
    loop = asyncio.get_running_loop()
    http = _HERE.get(loop)
    if http is None or http.is_closed:
        from openai import DefaultAsyncHttpxClient

        from agentflow import models

        http = _HERE[loop] = DefaultAsyncHttpxClient()
        models.close_later(http.aclose)
    here = client.with_options(http_client=http)
    return {"root_async_client": here, "async_client": here.chat.completions}


@dataclass(slots=True)
class _Reply:
    """A reply as it comes.

    Attributes:
        top: Alternatives per token that were asked for.
        used: Tokens; chunks tell parts of a sum.
        reason: Why it ended, in the provider's word.
        tells: Whether it is a provider that says something of its replies.
    """

    top: int
    used: Usage = field(default_factory=lambda: Usage(None, None, None))
    reason: str = ""
    tells: bool = False

    def note(self, chunk: AIMessage) -> None:
        """Note what a chunk says of the end, and of the tokens."""
        metadata = chunk.response_metadata
        self.tells = self.tells or bool(metadata)
        for key in ("finish_reason", "stop_reason", "done_reason", "status"):
            if isinstance(value := metadata.get(key), str):
                self.reason = value
        if chunk.usage_metadata:
            self.used = _added(self.used, chunk.usage_metadata)

    def take(self, chunk: AIMessage, splitter: Splitter) -> Iterator[Token]:
        """The pieces of a chunk that are certain by now."""
        self.note(chunk)
        reasoning, content = _texts(chunk)
        for text in splitter.feed(reasoning, ""):
            yield estimated(text)
        logged = _logged(chunk, self.top) if self.top else []
        if content and "".join(token.text for token in logged) == content:
            for token in logged:
                for text in splitter.feed("", token.text):
                    yield token if text == token.text else estimated(text)
        else:
            for text in splitter.feed("", content):
                yield estimated(text)

    @property
    def _word(self) -> str:
        """Why it ended, in OpenAI's words where there is one."""
        return finish_reason.ended(self.reason).lower()

    def see_given(self, name: str) -> None:
        """
        Raises:
            Withheld: If the provider withholds the rest.
        """
        if self._word in _WITHHELD:
            said = f"the reply ended with {self._word!r}: the provider withholds it"
            raise self._with_counts(Withheld(f"{name}: {said}"))

    def finish(self, name: str) -> Finish:
        """The end.

        Raises:
            StreamBroken: If the provider withholds the rest, or the end never came.
        """
        self.see_given(name)
        word = self._word
        if self.tells and not word:  # else a text that was cut off would be read as whole
            raise self._with_counts(
                StreamBroken(f"{name}: the stream ended without a finish reason")
            )
        if word in ("abort", "error"):
            raise self._with_counts(StreamBroken(f"{name}: the stream ended with {word!r}"))
        return self._finish("stop" if word in _WHOLE else "length")

    def _finish(self, reason: str) -> Finish:
        used = self.used
        return Finish(reason, used.prompt, used.cached, (), used.generated, used.reasoning)

    def _with_counts(self, error: server_errors.E) -> server_errors.E:
        """The error, with what was told of the reply's tokens."""
        if self.used.prompt or self.used.generated:
            error.told = self._finish("length")
        return error


def _texts(chunk: AIMessage) -> tuple[str, str]:
    """(thinking, content) of a chunk."""
    reasoning, content = list[str](), list[str]()
    for block in chunk.content_blocks:
        if block["type"] == "reasoning":
            reasoning.append(block.get("reasoning") or "")
        elif block["type"] == "text":
            content.append(block["text"])
        elif block["type"] == "non_standard" and block["value"].get("type") == "thinking":
            reasoning.append(fields.thinking_and_text([block["value"]], "content")[0])  # Mistral's
    extra = chunk.additional_kwargs.get("reasoning_content")
    thought = "".join(reasoning) or (extra if isinstance(extra, str) else "")
    return thought, "".join(content)


def _added(used: Usage, said: Mapping[str, Any]) -> Usage:
    """The sum of what chunks tell."""
    cached = (said.get("input_token_details") or {}).get("cache_read") or 0
    reasoning = (said.get("output_token_details") or {}).get("reasoning") or 0
    return Usage(
        (used.prompt or 0) + (said.get("input_tokens") or 0),
        (used.cached or 0) + cached,
        (used.generated or 0) + (said.get("output_tokens") or 0),
        used.reasoning + reasoning,
    )


def _logged(message: AIMessage, top: int) -> list[Token]:
    """The tokens of a message, where their log-probabilities came along."""
    found = message.response_metadata.get("logprobs")
    content = found.get("content") if isinstance(found, dict) else None
    return choice_tokens.logged(fields.entries(content, "logprobs.content"), top)


def _name_of(chat: BaseChatModel) -> str:
    """The model's name as its provider has it."""
    names = (getattr(chat, name, None) for name in _NAMES)
    found = next((name for name in names if isinstance(name, str) and name), type(chat).__name__)
    return found.removeprefix("models/")


def named(
    spec: str, key: str | None, effort: Effort | None = None, budget: int | None = None
) -> BaseChatModel:
    """The chat model that ``lc:PROVIDER:MODEL`` names.

    Args:
        key: The provider's key; None to let the class find its own.
        effort, budget: How much it is to think, and most tokens of that.

    Raises:
        BadInput: If there is none, its package is not installed, or it cannot be set up so.
    """
    provider, colon, model = spec.removeprefix("lc:").partition(":")
    if not (provider and colon and model):
        raise BadInput(f"{spec!r} names no chat model; write lc:PROVIDER:MODEL, as lc:openai:gpt-5")
    given: dict[str, Any] = {} if key is None else {"api_key": key}
    if effort is not None:
        given["reasoning_effort"] = effort
    if budget is not None and provider == "anthropic":
        given["thinking"] = {"type": "enabled", "budget_tokens": budget}
        given["max_tokens"] = 2 * budget
    elif budget is not None:
        given["thinking_budget"] = budget
    try:
        chat: BaseChatModel = _maker(provider)(model=model, **given)
        return chat
    except ImportError as error:
        package = f"langchain langchain-{provider.replace('_', '-')}"
        raise BadInput(f"{spec} needs a package: pip install {package} ({error})") from error
    except Exception as error:  # a key that is missing, a provider or a model that there is not
        message = server_errors.without_key(str(error), key)
        raise BadInput(f"{spec} cannot be set up: {message.strip()[:300]}") from error


def _maker(provider: str) -> Any:
    """What makes a provider's chat models.

    Raises:
        ImportError: If it is not installed.
    """
    if provider == "openai":  # which comes with us
        return import_module("langchain_openai").ChatOpenAI
    made = import_module("langchain.chat_models").init_chat_model
    return lambda **given: made(model_provider=provider, **given)


def wrapped(given: Any) -> Any:
    """A model that is given in code: LangChain's as ours, any other as it is."""
    return LangChainModel(given) if is_chat(given) else given


def is_chat(given: Any) -> bool:
    """Whether it is a chat model of LangChain's, or a wrapper around one."""
    return isinstance(chat_in(given), BaseChatModel)


def chat_in(given: Any) -> Any:
    """What a model is without the wrappers of ``bind``, ``with_config`` and ``with_retry``."""
    return chat_in(given.bound) if isinstance(given, RunnableBindingBase) else given


def _wrapped_as(given: Any, inner: Any) -> Any:
    """Another model in the wrappers of one."""
    if not isinstance(given, RunnableBindingBase):
        return inner
    return given.model_copy(update={"bound": _wrapped_as(given.bound, inner)})


def _bound_to(given: Any) -> dict[str, Any]:
    """What ``bind`` gives to every call of a model."""
    if not isinstance(given, RunnableBindingBase):
        return {}
    return {**_bound_to(given.bound), **given.kwargs}
