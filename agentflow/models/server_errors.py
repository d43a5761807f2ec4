"""What a server says when it refuses or fails: its status, its message without the key, and the
id of the request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import quote

import orjson

from agentflow.errors import AgentflowError

E = TypeVar("E", bound=AgentflowError)

_REQUEST_IDS = (
    *("x-request-id", "request-id", "apim-request-id", "x-ms-request-id", "x-goog-request-id"),
    *("x-amzn-requestid", "x-ds-trace-id", "cf-ray"),
)
"""Where servers say a request's id: OpenAI, vLLM and OpenRouter, Anthropic, Azure, Google, Amazon,
DeepSeek, and whoever stands behind Cloudflare."""


def unwrapped(event: Any) -> Any:
    """An error without the list in which Gemini sends it."""
    return event[0] if isinstance(event, list) and len(event) == 1 else event


def code(event: Mapping[str, Any]) -> int:
    """The status in an error event; 500 where it has none."""
    error = event["error"] if isinstance(event["error"], dict) else {}
    for found in (error.get("code"), error.get("status")):
        if status := re.fullmatch(r"[45]\d\d", str(found)):
            return int(status[0])
    return 500


_SAYS = ("message", "detail", "msg", "Message")
"""Under which an error says what is wrong: OpenAI's, FastAPI's, others'."""
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length"
    r"|(?:prompt|input) is too long: \d"
    r"|\bcontext (?:length|limit|size|window)\b.{0,80}\bexceed"
    r"|\bexceed\w*\b.{0,80}\bcontext (?:length|limit|size|window)\b|model's context length"
    r"|valid range of max_(?:completion_)?tokens|at most \d+ completion tokens"
    r"|max(?:imum|_value)? (?:value )?for `?max_(?:completion_)?tokens"
    r"|\bmax_(?:completion_)?tokens\b.{0,80}(?:too large|at most|less than or equal|\[\d+, ?\d+\])"
    r"|\binput token count\b.{0,40}\bexceeds|max_new_tokens` must be|too many tokens: ",
    re.IGNORECASE | re.DOTALL,
)
"""How OpenAI and vLLM, llama.cpp, Anthropic, SGLang, Gemini, TGI and Cohere say that a request does
not fit the model's context."""


def too_long(message: str) -> str:
    """What to do about an error that says that a request does not fit; empty for any other."""
    fits = _TOO_LONG.search(message) is None
    return "" if fits else "; ask for less (max_tokens), or serve it with a longer context"


def message(event: Any, key: str | None = None) -> str:
    """What an error event or an error's body says, in one short text without the ``key``."""
    event = unwrapped(event)
    error = (event.get("error") or event) if isinstance(event, dict) else event
    names = (name for name in _SAYS if isinstance(error, dict) and error.get(name))
    name = next(names, None)
    text = error[name] if name else error
    about = error.get("metadata") if isinstance(error, dict) else None
    raw = about.get("raw") if isinstance(about, dict) else None  # what OpenRouter's provider said
    try:
        said = f"{text}: {raw}" if isinstance(raw, str) else str(text)
    except RecursionError:
        return "(an error nested too deep to show)"
    return without_key(said, key)[:300]


def request_id(headers: Mapping[str, str]) -> str:
    """The id that a server gave a request, by whichever of the headers in use it says it; empty
    where it says none."""
    found = (headers.get(name, "") for name in _REQUEST_IDS)
    return next((one for one in found if re.fullmatch(r"[\w.:/+=-]{1,128}", one)), "")


_SHORTEST_KEY = 6
"""Shorter keys stand for none, and would garble a message."""
_SHORTEST_PART = 10
"""Characters of the beginning of a key by which one that is cut off is known."""


def without_key(text: str, key: str | None) -> str:
    """A text without the key, which some servers repeat: as it is, in other case, as JSON or a URL
    has it, or cut off behind a quarter of it."""
    if not key or len(key) < _SHORTEST_KEY:
        return text
    escaped = orjson.dumps(key)[1:-1].decode()
    for form in (key, key.replace("/", "\\/"), quote(key, safe=""), escaped):
        text = re.sub(re.escape(form), "(the key)", text, flags=re.IGNORECASE)
    if len(key) <= _SHORTEST_PART:
        return text
    part = re.escape(key[: max(_SHORTEST_PART, len(key) // 4)])
    return re.sub(rf"{part}[\w.+/=-]*", "(the key)", text, flags=re.IGNORECASE)


def with_id(error: E, headers: Mapping[str, str], key: str | None = None) -> E:
    """The error, its message and its ``request_id`` naming the request that it befell; an id that
    repeats the ``key`` is left out."""
    id = request_id(headers)
    if id and without_key(id, key) == id:
        error.args = (f"{error} [request id: {id}]",)
        error.request_id = id
    return error
