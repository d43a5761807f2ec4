"""A round of tool verification in which the model calls a tool as its server's chat API has it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
)
from langchain_core.tools import BaseTool

from agentflow.domains.calls import notations, surroundings
from agentflow.errors import Exhausted
from agentflow.models.chat import reply_with_tools, tokens_of
from agentflow.models.http import HTTPModel
from agentflow.models.langchain import LangChainModel
from agentflow.models.model import Model, Request, estimated
from agentflow.models.structured import NoCall, arguments_of, placed_calls, spelled
from agentflow.models.structured.around import last_sentence, points_ahead
from agentflow.nodes.verifiagent import Asking, Said, VerifiAgentSettings
from agentflow.verifiers.actions import begins
from agentflow.verifiers.v_score import TOP

_DENIES = re.compile(
    r"\b(?:no|not|never|cannot|without|against|refuse\w*|unnecessary|useless|pointless|already)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
"""What in a finished thought may keep a call from being made."""
_VERIFIES = re.compile(r"\b(?:verify|confirm|re-?check)\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\d[\d\s.,+*/=^()-]*\d|\d")
_OUTCOME = re.compile(r"(?im)^\W{0,4}(?:observation|output|result|<tool_response>)\b|\n[ \t]*\n")
"""Where what is said right behind a call ends."""


def protocol_of(settings: VerifiAgentSettings, model: Model) -> dict[str, str]:
    """How tools are called: ``by`` native or text; and ``why``, where it is not as was wanted."""
    if settings.calls == "text" or (settings.calls == "auto" and not model.profile.tools):
        return {"by": "text", "why": ""}
    if not isinstance(model, HTTPModel | LangChainModel):
        return {"by": "text", "why": f"{model.name} has no chat API"}
    return {"by": "native", "why": ""}


async def native_turn(
    asked: Asking,
    turns: Sequence[Mapping[str, Any]],
    tools: Mapping[str, BaseTool],
    settings: VerifiAgentSettings,
) -> Said:
    """What the model said, with the call that it made.

    Of several calls the first counts, as in a text. What it cost stands in the asked model's
    entries.

    Raises:
        ToolsRefused, BadInput: If the server takes no tools, or nothing at all.
        Withheld: If the provider filters the message.
        ModelUnavailable: If it does not answer.
    """
    model, profile = asked.model.model, asked.model.profile
    assert isinstance(model, HTTPModel | LangChainModel), "protocol_of found a chat API"
    messages = messages_of(asked.prompt, turns)
    said = "".join(str(one.text) for one in messages)
    request = Request(said, settings.act_tokens)
    try:
        async with asked.model.budget.admitted(model, request, streamed=False) as admitted:
            if admitted is None:
                return Said("", ())
            async with asked.model.call(messages) as count:
                count.prompt, count.estimated = admitted.length, 1  # as long as nobody says
                message = await reply_with_tools(
                    model,
                    messages,
                    list(tools.values()),
                    max_tokens=admitted.max_tokens,
                    sampling=settings.sampling(profile),
                    seed=asked.seed,
                    top=0 if model.capabilities.logprobs == 0 else TOP,
                )
                usage: Any = message.usage_metadata or {}
                if usage:
                    count.prompt, count.estimated = usage.get("input_tokens") or 0, 0
                count.cached = (usage.get("input_token_details") or {}).get("cache_read") or 0
                written = str(message.text) + "".join(
                    str(one["args"]) for one in message.tool_calls
                )
                guess = estimated(written).generated if count.estimated and written else 0
                count.generated = usage.get("output_tokens") or guess
                count.reasoning = (usage.get("output_token_details") or {}).get("reasoning") or 0
    except Exhausted:
        return Said("", ())
    whole = str(message.text)
    text = profile.said(whole)
    tokens = tokens_of(message)
    start = "".join(token.text for token in tokens).rfind(text) if text else 0
    call, wrong = call_in(message, text, tools)
    return Said(text, tokens if start >= 0 else (), max(start, 0), call, wrong)


def call_in(message: AIMessage, text: str, tools: Collection[str]) -> tuple[ToolCall | None, str]:
    """The call that a message makes, and what is wrong with one that cannot be read.

    Arguments that the server's JSON cannot hold are read by our own reader, and so is a call that
    stands in the message's text, where the server has no reader for its model's notation.

    Args:
        text: The message behind its thinking.
        tools: Their names.
    """
    if message.tool_calls:
        first = message.tool_calls[0]
        return ToolCall(
            name=spelled(first["name"], tools) or first["name"],
            args=first["args"],
            id=first["id"],
            type="tool_call",
        ), ""
    if message.invalid_tool_calls:
        bad = message.invalid_tool_calls[0]
        name = spelled(bad["name"] or "", tools)
        try:
            if name is None:
                raise ValueError("there is no such tool")
            return ToolCall(
                name=name, args=arguments_of(bad["args"] or ""), id=bad["id"], type="tool_call"
            ), ""
        except ValueError as error:
            return None, f"the call of {bad['name']} has no readable arguments: {error}"
    if any(map(begins, text.splitlines())):
        return None, ""
    try:
        (made, *_), front, behind = placed_calls(text, tools)
    except NoCall:
        return _tagged(text, tools), ""
    written = text.removeprefix(front).removesuffix(behind)
    if not (_leads(front, written) and surroundings.hold(_next(behind), written)):
        return None, f"the text around the call of {made.name} does not say that it is made"
    return ToolCall(name=made.name, args=made.arguments, id="call", type="tool_call"), ""


def _leads(front: str, written: str) -> bool:
    """Whether what stands in front of a call leads to it: a thought that is finished above it, and
    neither points ahead nor denies anything; or a sentence that goes on with the call."""
    *above, own = front.split("\n")
    said = next((one for one in reversed(above) if not surroundings.is_silent(one)), "")
    if surroundings.is_silent(own) and said.rstrip("*_ ").endswith((".", "!")):
        last = last_sentence(said)
        return not (said.lstrip().startswith(">") or points_ahead(said) or _DENIES.search(last))
    plain = _NUMBERS.sub("it", _VERIFIES.sub("check", front))
    return surroundings.lead_up(plain, written)


def _next(behind: str) -> str:
    """What follows right behind a call, in front of what a model makes up of its outcome."""
    return _OUTCOME.split(behind, maxsplit=1)[0]


def _tagged(text: str, tools: Collection[str]) -> ToolCall | None:
    """The first call of a text between the tags of its model's template; None where it calls what
    is no tool. Values are texts, as the tools take them."""
    place = notations.place(text)
    if place is None:
        return None
    front, said = text[: place[0]], text[slice(*place)]
    if not surroundings.lead_up(front, said):
        return None
    for name, values in notations.read(said, {}) or ():
        if known := spelled(name, tools):
            return ToolCall(name=known, args=values, id="call", type="tool_call")
    return None


def tool_call(turn: Mapping[str, Any], number: int) -> ToolCall:
    """The call of a round as LangChain has it."""
    call = turn["call"]
    return ToolCall(name=call["name"], args=call["args"], id=f"call{number}", type="tool_call")


def messages_of(prompt: tuple[str, str], turns: Sequence[Mapping[str, Any]]) -> list[AnyMessage]:
    """The rounds so far as a chat."""
    system, user = prompt
    messages: list[AnyMessage] = [SystemMessage(system), HumanMessage(user)]
    for number, turn in enumerate(turns):
        if turn["call"] is None:
            messages += [AIMessage(turn["text"]), HumanMessage(turn["observation"])]
            continue
        messages.append(AIMessage(turn["thought"], tool_calls=[tool_call(turn, number)]))
        messages.append(ToolMessage(turn["observation"], tool_call_id=f"call{number}"))
    return messages
