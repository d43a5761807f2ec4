"""The same servers as LangChain chat models, for roles that plan, select, judge or call tools."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson

from agentflow.errors import BadReply, ModelUnavailable, Refused, Withheld
from agentflow.models import choice_tokens, fields, finish_reason, server_errors
from agentflow.models.blackbox import ChatAPI
from agentflow.models.fields import Wrong
from agentflow.models.http import HTTPModel
from agentflow.models.model import Finish, Token
from agentflow.profile import Sampling

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.tools import BaseTool

    from agentflow.models.langchain import LangChainModel

_REFUSALS = (400, 404, 405, 422, 501)


class ToolsRefused(Refused):
    """A server does not take the tools that a request brings."""


async def reply_with_tools(
    model: HTTPModel | LangChainModel,
    messages: Sequence[BaseMessage],
    tools: Sequence[BaseTool],
    *,
    max_tokens: int,
    sampling: Sampling,
    seed: int,
    top: int,
) -> AIMessage:
    """The model's next message, which may call tools natively.

    Args:
        top: Alternatives per token to ask for; 0 for none.

    Raises:
        ToolsRefused: If the server refuses the request.
        Withheld: If the provider filters the answer.
        BadReply: If its answer is no message.
        ModelUnavailable: If it does not answer.
    """
    body = await asyncio.to_thread(_body, messages, tools)  # it imports much
    url = model.name
    try:
        if not isinstance(model, HTTPModel):
            return await model.call_tools(
                messages, tools, max_tokens=max_tokens, sampling=sampling, seed=seed, top=top
            )
        url = model.at("/chat/completions")
        if isinstance(model, ChatAPI):
            core = model.core(max_tokens, sampling, seed, top)
            reply = await model.chat(body | core | {"stream": False})
        else:
            body |= {"model": model.name, "max_tokens": max_tokens, "seed": seed, "stream": False}
            body |= {"temperature": sampling.temperature, "top_p": sampling.top_p}
            if top:
                body |= {"logprobs": True, "top_logprobs": top}
            reply = await model.json("POST", url, body)
    except (Refused, ModelUnavailable) as error:
        status, message = error.status, str(error)
        if status in _REFUSALS or (status >= 500 and "tool" in message.lower()):
            raise ToolsRefused(f"{url} refused a request with tools: {message}", status) from error
        raise
    try:
        if _filtered(reply):
            said = "ended its answer with 'content_filter': the provider withholds it"
            raise _with_counts(Withheld(f"{url} {said}"), reply)
        return _message(reply, top)
    except Wrong as error:
        message = f"{url} answered what cannot be used: {error}"
        hidden = model.without_key(message) if isinstance(model, HTTPModel) else message
        raise _with_counts(BadReply(hidden), reply) from error


def _filtered(reply: Any) -> bool:
    """Whether a reply ends where its provider filters it; asking again is of no use.

    Raises:
        Wrong: If it says otherwise than in words why it ends.
    """
    fields.member(reply, "choices")
    choice = fields.only_choice(reply) or {}
    reason = fields.text_or_none(choice.get("finish_reason"), "finish_reason") or ""
    return finish_reason.ended(reason) == "content_filter"


def _with_counts(error: server_errors.E, reply: Any) -> server_errors.E:
    """The error, with what the reply tells of its tokens."""
    with suppress(Wrong):
        used = fields.usage(fields.fields(reply, "(the whole)"))
        if used.prompt or used.generated:
            error.told = Finish(
                "length", used.prompt, used.cached, (), used.generated, used.reasoning
            )
    return error


def _body(messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> dict[str, Any]:
    from langchain_core.messages import convert_to_openai_messages
    from langchain_core.utils.function_calling import convert_to_openai_tool

    said = convert_to_openai_messages(list(messages))
    return {"messages": said, "tools": [convert_to_openai_tool(tool) for tool in tools]}


def _message(reply: Any, top: int) -> AIMessage:
    """The message in a reply; a call whose arguments cannot be read is an invalid one.

    Raises:
        Wrong: If there is none.
    """
    from langchain_core.messages import AIMessage
    from langchain_core.messages.tool import ToolCall, invalid_tool_call, tool_call

    fields.member(reply, "choices")
    if reply.get("error") is not None:
        raise Wrong("error", server_errors.message(reply), "nothing")
    choice = fields.only_choice(reply)
    if choice is None:
        raise Wrong("choices", None, "a list of one choice")
    said = choice.get("message")
    if not isinstance(said, dict):
        raise Wrong("message", said, "an object")
    calls, invalid = list[ToolCall](), list[Any]()
    made = fields.entries(said.get("tool_calls"), "message.tool_calls")
    if not made and said.get("function_call") is not None:  # of OpenAI's older API
        made = [{"function": said["function_call"]}]
    for call in made:
        call = fields.fields(call, "message.tool_calls[]")
        function = fields.fields(call.get("function"), "message.tool_calls[].function")
        name = fields.text(function.get("name"), "message.tool_calls[].function.name")
        id = fields.text_or_none(call.get("id"), "message.tool_calls[].id")
        given = function.get("arguments")
        arguments = _arguments(given)
        if arguments is None:
            shown = given if isinstance(given, str) else None
            invalid.append(invalid_tool_call(name=name, args=shown, id=id, error="not an object"))
        else:
            calls.append(tool_call(name=name, args=arguments, id=id))
    used = fields.usage(reply)
    prompt, cached, generated = used.prompt or 0, used.cached or 0, used.generated or 0
    logprobs = fields.fields(choice.get("logprobs"), "logprobs")
    logged = fields.entries(logprobs.get("content"), "logprobs.content")
    return AIMessage(
        fields.thinking_and_text(said.get("content"), "message.content")[1],
        tool_calls=calls,
        invalid_tool_calls=invalid,
        usage_metadata={
            "input_tokens": prompt,
            "output_tokens": generated,
            "total_tokens": prompt + generated,
            "input_token_details": {"cache_read": cached},
            "output_token_details": {"reasoning": used.reasoning},
        },
        response_metadata={"tokens": choice_tokens.logged(logged, top)},
    )


def _arguments(given: Any) -> dict[str, Any] | None:
    """The arguments of a call, which servers write as a text of JSON or as an object; None for what
    is neither."""
    if isinstance(given, str):
        try:
            given = orjson.loads(given or "{}")
        except orjson.JSONDecodeError:
            return None
    return given if isinstance(given, dict) else None


def tokens_of(message: AIMessage) -> tuple[Token, ...]:
    """The tokens of a message's text, where its server gave their log-probabilities."""
    return tuple(message.response_metadata["tokens"])
