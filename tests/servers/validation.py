"""What is wrong with a chat request, by the rules of its API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from brain import text_of
from rules import Rules


def see(body: Mapping[str, Any], rules: Rules) -> Iterator[str]:
    """What is wrong with a request."""
    if rules.takes is not None:
        for key in body.keys() - rules.takes:
            yield f"Unrecognized request argument supplied: {key}"
    if body.get("model") != rules.model:
        yield f"The model {body.get('model')!r} does not exist"
    for key in ("max_tokens", "max_completion_tokens"):
        if key in body and key not in rules.limits:
            instead = rules.limits[0]
            yield f"Unsupported parameter: '{key}' is not supported. Use '{instead}' instead."
    if rules.thinks:
        for key in ("temperature", "top_p", "presence_penalty", "frequency_penalty"):
            if key in body and body[key] != {"temperature": 1, "top_p": 1}.get(key, 0):
                yield f"Unsupported value: '{key}' does not support {body[key]} with this model."
    if body.get("logprobs") and rules.logprobs < 0:
        yield "logprobs are not supported with this model"
    if (body.get("top_logprobs") or 0) > max(rules.logprobs, 0):
        yield f"top_logprobs must be at most {rules.logprobs}"
    if body.get("top_logprobs") and not body.get("logprobs"):
        yield "top_logprobs needs logprobs"
    if "stream_options" in body and not body.get("stream"):
        yield "stream_options is only allowed when stream is enabled"
    if body.get("tools") and not rules.tools:
        yield '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'
    reasoning = body.get("reasoning") or {}
    if {"effort", "max_tokens"} <= reasoning.keys():
        yield "Only one of reasoning.effort and reasoning.max_tokens may be given"
    thinking = body.get("thinking") or {}
    if thinking.get("budget_tokens", 0) >= body.get("max_tokens", 1 << 30):
        yield "max_tokens must be greater than thinking.budget_tokens"
    yield from _messages(body.get("messages"))
    yield from _format(body, rules)


def _messages(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages must be a list of at least one"
        return
    before = ""
    for message in messages:
        role = message.get("role")
        if role not in ("system", "developer", "user", "assistant", "tool"):
            yield f"Invalid role: {role}"
        if "reasoning_content" in message:
            yield "reasoning_content may not be in the input"
        if not text_of(message) and not message.get("tool_calls"):
            yield "messages must have non-empty content"
        if role == "assistant" and before == "assistant":
            yield "roles must alternate"
        before = role
    if messages[-1].get("role") == "assistant":
        yield "the last message may not be the assistant's"


def _format(body: Mapping[str, Any], rules: Rules) -> Iterator[str]:
    form = body.get("response_format")
    if form is None:
        return
    kind = form.get("type")
    if rules.schema == "object" and kind == "json_schema":
        yield "This response_format type is unavailable now"
    if kind == "json_object" and "json" not in json.dumps(body["messages"]).lower():
        yield "Prompt must contain the word 'json' to use 'response_format' of type 'json_object'."
    if kind == "json_schema":
        schema = form["json_schema"]
        if not schema.get("name"):
            yield "response_format.json_schema.name is missing"
        if rules.schema == "strict" and schema.get("strict"):
            yield from not_strict(schema["schema"])


def not_strict(schema: Any, place: str = "()") -> Iterator[str]:
    """What keeps a schema from being strict."""
    lead = f"Invalid schema for response_format: In context={place}"
    if not isinstance(schema, dict):
        return
    if "default" in schema:
        yield f"{lead}, 'default' is not permitted."
    if "$ref" in schema and len(schema) > 1:
        yield f"{lead}, $ref cannot have keywords beside it."
    if "allOf" in schema or "oneOf" in schema:
        yield f"{lead}, 'allOf' and 'oneOf' are not permitted."
    if schema.get("type") == "object" or "properties" in schema:
        if schema.get("additionalProperties") is not False:
            yield f"{lead}, 'additionalProperties' is required to be supplied and to be false."
        if sorted(schema.get("required", ())) != sorted(schema.get("properties", ())):
            yield f"{lead}, 'required' is required to be an array including every key."
    for key in ("properties", "$defs"):
        for name, part in (schema.get(key) or {}).items():
            yield from not_strict(part, f"{place}.{name}")
    for part in (*schema.get("anyOf", ()), schema.get("items")):
        yield from not_strict(part, f"{place}[]")
