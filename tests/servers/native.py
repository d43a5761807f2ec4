"""The APIs of their own kind: OpenAI's responses and Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from aiohttp import web
from brain import Thought, reply, text_of, tokens
from validation import not_strict

if TYPE_CHECKING:
    from standin import Standin

_RESPONSES = frozenset(
    [
        "model",
        "input",
        "instructions",
        "stream",
        "max_output_tokens",
        "reasoning",
        "text",
        "tools",
        "tool_choice",
        "include",
        "store",
        "temperature",
        "top_p",
        "parallel_tool_calls",
        "metadata",
        "user",
        "truncation",
        "previous_response_id",
        "top_logprobs",
        "service_tier",
    ]
)
_MESSAGES = frozenset(
    [
        "model",
        "messages",
        "max_tokens",
        "system",
        "stream",
        "temperature",
        "top_p",
        "top_k",
        "stop_sequences",
        "thinking",
        "tools",
        "tool_choice",
        "metadata",
        "output_config",
        "output_format",
        "service_tier",
    ]
)
_TINY = 4
"""Tokens of an event."""


async def responses(standin: Standin, request: web.Request) -> web.StreamResponse:
    """``POST /v1/responses``."""
    standin.see_key(request)
    body = await request.json()
    standin.bodies.append(body)
    fault = standin.fault()
    for wrong in _wrong_response(body, standin.rules.thinks):
        raise standin.refuse(wrong)
    given = body["input"]
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else _turns(given)
    form = (body.get("text") or {}).get("format") or {}
    thought = reply(messages, form.get("schema"), body.get("tools") or ())
    from standin import Count

    count = Count(sum(3 + len(tokens(text_of(one))) for one in messages))
    standin.counts.append(count)
    thinking = tokens(thought.thinking) if standin.rules.thought else []
    said = tokens(thought.said or " ".join(thought.call or ()))
    limit = body.get("max_output_tokens", 1 << 20)
    kept = (thinking + said)[:limit]
    count.generated, count.reasoning = len(kept), min(len(thinking), limit)
    text = "".join(kept[len(thinking) :])
    whole = len(thinking) + len(said) <= limit
    done = _response(standin, thought, text, count, whole)
    if not body.get("stream"):
        count.whole = True
        return web.json_response(done)
    numbered = (
        {"type": kind, "sequence_number": number} | event
        for number, (kind, event) in enumerate(_response_events(done, thought, text), 1)
    )
    return await _streamed(standin, request, numbered, count, fault)


async def _streamed(
    standin: Standin,
    request: web.Request,
    events: Iterable[Mapping[str, Any]],
    count: Any,
    fault: str | None,
) -> web.StreamResponse:
    """A reply as events; with a fault it breaks off behind the fifth."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for number, event in enumerate(events, 1):
        await response.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        if fault and number == 5:
            await standin.break_off(request, response, fault)
            return response
    count.whole = True
    return response


def _wrong_response(body: Mapping[str, Any], thinks: bool) -> Iterator[str]:
    for key in body.keys() - _RESPONSES:
        yield f"Unknown parameter: '{key}'."
    if thinks:
        for key in ("temperature", "top_p"):
            if key in body:
                yield f"Unsupported parameter: '{key}' is not supported with this model."
    form = (body.get("text") or {}).get("format") or {}
    if form.get("type") == "json_schema" and form.get("strict"):
        yield from not_strict(form["schema"])


def _turns(given: list[Any]) -> list[dict[str, Any]]:
    made = []
    for item in given:
        if item.get("type") in ("function_call_output", "function_call"):
            made.append({"role": "tool", "content": str(item.get("output", ""))})
        elif "role" in item:
            made.append(item)
    return made


def _response(
    standin: Standin, thought: Thought, text: str, count: Any, whole: bool
) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if thought.call is not None:
        call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "status": "completed"}
        output.append(call | {"name": thought.call[0], "arguments": thought.call[1]})
    else:
        part = {"type": "output_text", "text": text, "annotations": []}
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
        output.append(item | {"content": [part]})
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": standin.rules.model,
        "status": "completed" if whole else "incomplete",
        "incomplete_details": None if whole else {"reason": "max_output_tokens"},
        "error": None,
        "instructions": None,
        "metadata": {},
        "output": output,
        "parallel_tool_calls": True,
        "temperature": None,
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "usage": {
            "input_tokens": count.prompt,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": count.generated,
            "output_tokens_details": {"reasoning_tokens": count.reasoning},
            "total_tokens": count.prompt + count.generated,
        },
    }


def _response_events(
    done: dict[str, Any], thought: Thought, text: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    begun = done | {"status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"response": begun}
    item = done["output"][0]
    place = {"output_index": 0, "item_id": item["id"], "content_index": 0}
    if thought.call is not None:
        yield "response.output_item.added", {"output_index": 0, "item": item | {"arguments": ""}}
        delta = {"output_index": 0, "item_id": item["id"], "delta": item["arguments"]}
        yield "response.function_call_arguments.delta", delta
        yield "response.output_item.done", {"output_index": 0, "item": item}
    else:
        yield "response.output_item.added", {"output_index": 0, "item": item | {"content": []}}
        empty = {"type": "output_text", "text": "", "annotations": []}
        yield "response.content_part.added", place | {"part": empty}
        for piece in _grouped(tokens(text)):
            yield "response.output_text.delta", place | {"delta": piece, "logprobs": []}
        yield "response.output_text.done", place | {"text": text, "logprobs": []}
        yield "response.content_part.done", place | {"part": item["content"][0]}
        yield "response.output_item.done", {"output_index": 0, "item": item}
    kind = "response.completed" if done["status"] == "completed" else "response.incomplete"
    yield kind, {"response": done}


async def messages(standin: Standin, request: web.Request) -> web.StreamResponse:
    """``POST /v1/messages``."""
    from standin import KEY, Count

    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if request.headers.get("x-api-key", bearer) != KEY:
        raise standin.error(401, "invalid x-api-key")
    body = await request.json()
    standin.bodies.append(body)
    fault = standin.fault()
    for wrong in _wrong_message(body, request):
        raise standin.refuse(wrong)
    said = [{"role": "system", "content": body["system"]}] if body.get("system") else []
    for message in body["messages"]:
        parts = message["content"] if isinstance(message["content"], list) else []
        tool = any(part.get("type") == "tool_result" for part in parts)
        said.append({**message, "role": "tool"} if tool else message)
    form = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    thought = reply(said, form.get("schema"), body.get("tools") or ())
    count = Count(sum(3 + len(tokens(text_of(one))) for one in said))
    standin.counts.append(count)
    thinks = (body.get("thinking") or {}).get("type") == "enabled"
    thinking = tokens(thought.thinking) if thinks else []
    text = tokens(thought.said or " ".join(thought.call or ()))
    kept = (thinking + text)[: body["max_tokens"]]
    count.generated = len(kept)
    whole = len(kept) == len(thinking) + len(text)
    reason = "max_tokens" if not whole else "tool_use" if thought.call else "end_turn"
    usage = {"input_tokens": count.prompt, "output_tokens": count.generated}
    blocks: list[dict[str, Any]] = []
    if thinking:
        block = {"type": "thinking", "thinking": "".join(kept[: len(thinking)])}
        blocks.append(block | {"signature": "signed"})
    if thought.call is not None:
        name, arguments = thought.call
        call = {"type": "tool_use", "id": "toolu_1", "name": name, "input": json.loads(arguments)}
        blocks.append(call)
    elif len(kept) > len(thinking):
        blocks.append({"type": "text", "text": "".join(kept[len(thinking) :])})
    done = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": standin.rules.model,
        "content": blocks,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage,
    }
    if not body.get("stream"):
        count.whole = True
        return web.json_response(done)
    return await _streamed(standin, request, _message_events(done), count, fault)


def _wrong_message(body: Mapping[str, Any], request: web.Request) -> Iterator[str]:
    for key in body.keys() - _MESSAGES:
        yield f"{key}: Extra inputs are not permitted"
    if "anthropic-version" not in request.headers:
        yield "anthropic-version: header is required"
    if type(body.get("max_tokens")) is not int:
        yield "max_tokens: Field required"
        return
    if {"temperature", "top_p"} <= body.keys():
        yield "`temperature` and `top_p` cannot both be specified for this model."
    thinking = body.get("thinking") or {}
    if thinking.get("type") == "enabled":
        budget = thinking.get("budget_tokens", 0)
        if budget < 1024:
            yield "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
        if budget >= body["max_tokens"]:
            yield "`max_tokens` must be greater than `thinking.budget_tokens`"
        if body.get("temperature", 1) != 1:
            yield "`temperature` may only be set to 1 when thinking is enabled"
    for message in body.get("messages", ()):
        if message["role"] not in ("user", "assistant"):
            yield f'messages: Unexpected role "{message["role"]}"'
        if not message["content"]:
            yield "messages: all messages must have non-empty content"


def _message_events(done: dict[str, Any]) -> Iterator[dict[str, Any]]:
    used = done["usage"]
    begun = {"usage": used | {"output_tokens": 1}, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": done | begun}
    for index, block in enumerate(done["content"]):
        at = {"index": index}
        if block["type"] == "thinking":
            start: dict[str, Any] = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [
                {"type": "thinking_delta", "thinking": piece}
                for piece in _grouped(tokens(block["thinking"]))
            ]
            deltas.append({"type": "signature_delta", "signature": "signed"})
        elif block["type"] == "tool_use":
            start = block | {"input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
        else:
            start = {"type": "text", "text": ""}
            deltas = [
                {"type": "text_delta", "text": piece} for piece in _grouped(tokens(block["text"]))
            ]
        yield {"type": "content_block_start", "content_block": start} | at
        yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "delta": delta} | at
        yield {"type": "content_block_stop"} | at
    delta = {"stop_reason": done["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": used}  # it is cumulative
    yield {"type": "message_stop"}


def _grouped(pieces: list[str]) -> Iterator[str]:
    for at in range(0, len(pieces), _TINY):
        yield "".join(pieces[at : at + _TINY])
