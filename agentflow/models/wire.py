"""What comes over the wire: server-sent events, and the tokens in them in either engine's shape.

What is not as it should be raises :class:`~agentflow.models.fields.Wrong`, which names the field.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import quote

import aiohttp
import orjson

from agentflow.errors import AgentflowError
from agentflow.models import fields
from agentflow.models.fields import Wrong
from agentflow.models.model import Token, estimated

E = TypeVar("E", bound=AgentflowError)

_BY_ID = "token_id:"
"""What vLLM puts before a number to name a token by its id."""

_REQUEST_IDS = (
    *("x-request-id", "request-id", "apim-request-id", "x-ms-request-id", "x-goog-request-id"),
    *("x-amzn-requestid", "x-ds-trace-id", "cf-ray"),
)
"""Where servers say a request's id: OpenAI, vLLM and OpenRouter, Anthropic, Azure, Google, Amazon,
DeepSeek, and whoever stands behind Cloudflare."""
_EVENT, _ALTERNATIVE = 1 << 20, 512
"""Bytes of an event, and so many more for each alternative asked for: whoever wants the whole
vocabulary gets it in one event."""


_BOM = b"\xef\xbb\xbf"
_CONSTANTS = {"-Infinity": -9999.0}
"""vLLM's logarithm of 0; other numbers that JSON has no word for are taken as absent."""
_FIELDS = (b"", b"event", b"id", b"retry", b"data")
"""Fields of a stream of events that bring no text; a comment has none."""


def longest(top: int) -> int:
    """Bytes that one event may have, where each token brings ``top`` alternatives."""
    return _EVENT + _ALTERNATIVE * top


async def events(
    response: aiohttp.ClientResponse, idle_timeout: float, most: int = _EVENT
) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream, parsed, up to ``[DONE]``; an error has the key ``error``.

    A server that streams nothing but answers with one object gives that object.

    Args:
        idle_timeout: Seconds without an event after which the stream counts as silent, though
            comments come that keep the connection open.
        most: Bytes that an event may have.

    Raises:
        orjson.JSONDecodeError: If one is no JSON.
        Wrong: If one is no object, or too long, or if what comes is no stream of events at all.
        aiohttp.ClientError, TimeoutError, OSError: If the connection breaks or falls silent.
    """
    reader, last = _Reader(most), monotonic()
    async for chunk in response.content.iter_any():
        came = False
        for event in reader.feed(chunk):
            came = True
            yield event
        if reader.done:
            return
        now = monotonic()
        if came:
            last = now
        elif now - last > idle_timeout:
            raise TimeoutError(f"no event for {idle_timeout:g} s")
    for event in reader.end():
        yield event


class _Reader:
    """Chunks of bytes to server-sent events.

    Attributes:
        done: Whether ``[DONE]`` came.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.rest, self.data, self.other = b"", bytearray(), bytearray()
        self.came = self.done = False
        self._begun = self._cr = self._fails = False
        self._halves = _Halves()

    def feed(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        """The events that a chunk completes."""
        lines = (self.rest + self._newlines(chunk)).split(b"\n")
        self.rest = lines.pop()
        if lines and not self._begun:
            self._begun, lines[0] = True, lines[0].removeprefix(_BOM)
        for line in lines:
            if line.startswith(b"data:"):
                if self.data and (event := self._whole()) is not None:
                    self.data, self.came = bytearray(), True  # some end events with the line
                    yield event
                self.data += line[5:].strip()
                if self.data == b"[DONE]":
                    self.done = True
                    return
            elif line.startswith(b"error:"):  # llama.cpp's own form
                self.came = True
                yield {"error": self._read(line[6:])}
            elif line.strip() == b"event: error":
                self._fails = True
            elif self.data and not line.strip():
                data, self.data = self.data, bytearray()
                self.came = True
                yield self._parsed(data)
            elif not (self.came or line.partition(b":")[0].strip() in _FIELDS):
                self.other += line
        if len(self.rest) + len(self.data) + len(self.other) > self.most:
            start = bytes(self.data or self.rest or self.other)[:40]
            raise Wrong("data", start, f"an event of at most {self.most:,} bytes")

    def end(self) -> Iterator[dict[str, Any]]:
        """What the end of the connection completes: some write no empty line behind the last
        event, and some take no notice of ``stream``."""
        yield from self.feed(b"\n\n")
        other = self.other.strip()
        if self.came or not other:
            return
        if not other.startswith((b"{", b"[")):
            said = other[:60].decode("utf-8", "replace")
            raise Wrong("(the whole)", said, "a stream of events")
        event = self._parsed(other)
        yield event if event.keys() & {"choices", "error", "usage"} else {"error": event}

    def _newlines(self, chunk: bytes) -> bytes:
        """A chunk with every end of a line as a newline: it may be a carriage return, or both."""
        if self._cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._cr = chunk.endswith(b"\r")
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return chunk

    def _whole(self) -> dict[str, Any] | None:
        """The event that the part of one which came is by itself."""
        try:
            return self._event(self._halves.joined(orjson.loads(self.data), self.data))
        except (orjson.JSONDecodeError, Wrong):
            return None

    def _parsed(self, data: bytearray) -> dict[str, Any]:
        try:
            found = self._read(data)
        except orjson.JSONDecodeError:
            if not self._fails:
                raise
            found = data[:300].decode("utf-8", "replace")
        return self._event(found)

    def _event(self, found: Any) -> dict[str, Any]:
        fails, self._fails = self._fails, False
        event = _unwrapped(found)
        if fails and not (isinstance(event, dict) and event.get("error") is not None):
            return {"error": event}
        if not isinstance(event, dict):
            raise Wrong("data", event, "an object")
        return {"error": event} if event.get("object") == "error" else event  # older vLLM's form

    def _read(self, data: bytes | bytearray) -> Any:
        return self._halves.joined(_loads(data), data)


def loads(data: bytes | bytearray) -> Any:
    """JSON as servers write it: a BOM, half a character, bytes that are none and NaN are no reason
    to lose the rest.

    Raises:
        orjson.JSONDecodeError: If it is none.
    """
    return _Halves().joined(_loads(data), data)


def _loads(data: bytes | bytearray) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:
            text = bytes(data).decode("utf-8-sig", "replace")
            return json.loads(text, parse_constant=_CONSTANTS.get)
        except (ValueError, RecursionError):
            raise error from None


class _Halves:
    """Characters that JSON escapes in two halves, the second of which may come an event later,
    where the first stood. A half that stays alone becomes the sign for what cannot be shown."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def joined(self, found: Any, data: bytes | bytearray) -> Any:
        """What was read from ``data``, with whole characters."""
        if not self._kept and b"\\ud" not in data and b"\\uD" not in data:
            return found
        try:
            return self._joined(found, "")
        except RecursionError as error:
            raise Wrong("data", found, "less nested") from error

    def _joined(self, found: Any, place: str) -> Any:
        if isinstance(found, str):
            text = self._kept.pop(place, "") + found
            if text and "\ud800" <= text[-1] <= "\udbff":
                text, self._kept[place] = text[:-1], text[-1]
            return _shown(text)
        if isinstance(found, list):
            return [self._joined(one, f"{place}/{n}") for n, one in enumerate(found)]
        if isinstance(found, dict):
            return {_shown(k): self._joined(v, f"{place}/{k}") for k, v in found.items()}
        return found


def _shown(text: str) -> str:
    """A text with its halves joined, or replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unwrapped(event: Any) -> Any:
    """An error without the list in which Gemini sends it."""
    return event[0] if isinstance(event, list) and len(event) == 1 else event


def code(event: Mapping[str, Any]) -> int:
    """The status in an error event; 500 where it has none."""
    error = event["error"] if isinstance(event["error"], dict) else {}
    for found in (error.get("code"), error.get("status")):
        if status := re.fullmatch(r"[45]\d\d", str(found)):
            return int(status[0])
    return 500


_ENDS = {
    **dict.fromkeys(("stop", "eos", "eos_token", "stop_sequence", "end_turn"), "stop"),
    **dict.fromkeys(("complete", "completed", "finish", "finished", "done", "end"), "stop"),
    **dict.fromkeys(("safety", "recitation", "blocklist", "spii"), "content_filter"),
    **dict.fromkeys(("prohibited_content", "refusal", "sensitive"), "content_filter"),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "length"),
}


def ended(reason: str) -> str:
    """Why a reply ended, in OpenAI's words: ``stop``, ``length`` or ``content_filter``; any other
    reason as it is.

    Together and TGI name the token that ended it, Anthropic and Mistral have words of their own,
    and Gemini says behind a colon what was filtered.
    """
    word = reason.lower()
    return "content_filter" if word.startswith("content_filter") else _ENDS.get(word, reason)


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
    event = _unwrapped(event)
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


def wanted(choice: Mapping[str, Any]) -> set[int]:
    """The ids of tokens whose texts it takes to read a choice of vLLM's.

    It names alternatives by their ids, since their texts would merge tokens that look alike; and
    under load it sends several tokens with one text.
    """
    logprobs = fields.fields(choice.get("logprobs"), "logprobs")
    tops = fields.entries(logprobs.get("top_logprobs"), "logprobs.top_logprobs")
    named: set[int] = set()
    for top in tops:
        names = fields.fields(top, "logprobs.top_logprobs[]")
        named.update(_id(name) for name in names if _is_id(name))
    ids = choice.get("token_ids")
    found = () if ids is None else fields.ids(ids, "token_ids")
    return named.union(found) if len(found) > 1 else named


def tokens(
    choice: Mapping[str, Any], top: int, markers: Mapping[int, str], texts: Mapping[int, str]
) -> list[Token]:
    """The tokens of one streamed choice.

    Args:
        choice: That of an event.
        top: How many alternatives were asked for.
        markers: Texts of the special tokens that are recognised.
        texts: Texts of the tokens that :func:`wanted` finds, where the server tells them.
    """
    text = choice.get("text")
    if type(text) is not str:
        text = fields.text_or_none(text, "text") or ""
    logprobs = choice.get("logprobs")
    if logprobs is None:
        logprobs = {}
    elif not isinstance(logprobs, dict):
        raise Wrong("logprobs", logprobs, "an object")
    content = logprobs.get("content")
    if content is not None:  # llama.cpp: chat-shaped
        if not isinstance(content, list):
            raise Wrong("logprobs.content", content, "a list")
        if not content:
            return [estimated(text)] if text else []
        found = logged(content, top, text if len(content) == 1 else None)
        if text and text != "".join(token.text for token in found):
            pieces = _split(
                text, [one.text for one in found], [one.id or -1 for one in found], markers
            )
            found = [one._replace(text=piece) for one, piece in zip(found, pieces, strict=True)]
        return found
    ids = choice.get("token_ids")
    ids = () if ids is None else fields.ids(ids, "token_ids")
    names = fields.entries(logprobs.get("tokens"), "logprobs.tokens")
    pieces = [_text(fields.text(name, "logprobs.tokens[]"), texts) for name in names]
    if len(ids) > 1:
        pieces = _split(text, pieces or [texts.get(i, "") for i in ids], ids, markers)
    elif len(pieces) <= 1:
        pieces = [text] if text or ids or pieces else []
    if ids and len(ids) != len(pieces):
        raise Wrong("token_ids", choice["token_ids"], f"a list of {len(pieces)} ids")
    chosen = _as_many(logprobs, "token_logprobs", len(pieces))
    tops = _as_many(logprobs, "top_logprobs", len(pieces))
    return [
        Token(
            piece,
            ids[i] if ids else None,
            fields.logprob_or_none(chosen[i], "logprobs.token_logprobs[]"),
            _alternatives(tops[i], top, texts),
        )
        for i, piece in enumerate(pieces)
    ]


def logged(content: Sequence[Any], top: int, text: str | None = None) -> list[Token]:
    """The tokens of a list of log-probabilities, as chat servers and llama.cpp write them.

    Args:
        top: How many alternatives were asked for.
        text: Of the only token, where its server withholds incomplete characters.
    """
    found = []
    for item in content:
        if type(item) is not dict:
            raise Wrong("logprobs.content[]", item, "an object")
        said, id, log = item.get("token"), item.get("id"), item.get("logprob")
        if type(said) is not str:
            raise Wrong("logprobs.content[].token", said, "a text")
        if id is not None:
            fields.count(id, "logprobs.content[].id")
        if log is not None:
            fields.logprob(log, "logprobs.content[].logprob")
        tops = _listed(item.get("top_logprobs")) if top else ()
        found.append(Token(said if text is None else text, id, log, tops))
    return found


def _listed(found: Any) -> tuple[tuple[str, float], ...]:
    """The alternatives to a token, where they are a list."""
    name = "logprobs.content[].top_logprobs"
    tops = [fields.fields(one, f"{name}[]") for one in fields.entries(found, name)]
    return tuple(
        (
            fields.text(one.get("token"), f"{name}[].token"),
            fields.logprob(one.get("logprob"), f"{name}[].logprob"),
        )
        for one in tops
    )


def _as_many(logprobs: Mapping[str, Any], name: str, count: int) -> Sequence[Any]:
    """A list of the log-probabilities with an entry for each token; Nones where there is none."""
    found = fields.entries(logprobs.get(name), f"logprobs.{name}")
    if not found:
        return [None] * count
    if len(found) != count:
        raise Wrong(f"logprobs.{name}", found, f"a list with an entry for each of {count} tokens")
    return found


def _is_id(name: str) -> bool:
    digits = name[len(_BY_ID) :]
    return name.startswith(_BY_ID) and digits.isascii() and digits.isdecimal() and len(digits) < 12


def _id(name: str) -> int:
    return int(name[len(_BY_ID) :])


def _text(name: str, texts: Mapping[int, str]) -> str:
    return texts.get(_id(name), "") if _is_id(name) else name


def _alternatives(
    logprobs: Any, top: int, texts: Mapping[int, str]
) -> tuple[tuple[str, float], ...]:
    """The likeliest ``top``; vLLM adds the token that was drawn where it is not one of them."""
    if logprobs is None:
        return ()
    name = "logprobs.top_logprobs[]"
    pairs = [(t, fields.logprob(p, name)) for t, p in fields.fields(logprobs, name).items()]
    best = sorted(pairs, key=lambda pair: -pair[1])[:top]
    return tuple((_text(name, texts), logprob) for name, logprob in best)


def _split(
    text: str, known: list[str], ids: Sequence[int], markers: Mapping[int, str]
) -> list[str]:
    """The texts of several tokens that came with one text, as a server behind its engine sends.

    Where ``known``, what each token says alone, is not that text (a character may take several
    tokens), markers are told apart; of the others the last before a marker or the end has the text.
    """
    for pieces in (known, [*known[:-1], ""]):  # the text of a token that ends the turn is kept back
        if len(pieces) == len(ids) and "".join(pieces) == text:
            return pieces
    pieces = [""] * len(ids)
    last: int | None = None
    for index, token in enumerate(ids):
        if token not in markers:
            last = index
            continue
        before, found, behind = text.partition(markers[token])
        if found:
            if last is not None:
                pieces[last] = before
            text, last = behind, None
    if last is not None:
        pieces[last] = text
    return pieces
