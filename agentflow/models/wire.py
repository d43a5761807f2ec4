"""What comes over the wire: server-sent events, and the tokens in them in either engine's shape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

import aiohttp
import orjson

from agentflow.models.protocol import Token

_BY_ID = "token_id:"
"""What vLLM puts before a number to name a token by its id."""


async def events(
    response: aiohttp.ClientResponse, idle_timeout: float
) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream, parsed; an error has the key ``error``.

    Args:
        idle_timeout: Seconds without an event after which the stream counts as silent, though
            comments come that keep the connection open.

    Raises:
        orjson.JSONDecodeError: If one is no JSON.
        aiohttp.ClientError, TimeoutError, OSError: If the connection breaks or falls silent.
    """
    rest, last = b"", monotonic()
    async for chunk in response.content.iter_any():
        lines = (rest + chunk).split(b"\n")
        rest, came = lines.pop(), False
        for event in _parsed(lines):
            came = True
            yield event
        now = monotonic()
        if came:
            last = now
        elif now - last > idle_timeout:
            raise TimeoutError(f"no event for {idle_timeout:g} s")


def _parsed(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The server-sent events in whole lines, parsed."""
    for line in lines:
        if line.startswith(b"data:"):
            data = line[5:].strip()
            if data != b"[DONE]":
                event = orjson.loads(data)
                yield event if isinstance(event, dict) else {"error": f"not an event: {data!r:.80}"}
        elif line.startswith(b"error:"):  # llama.cpp's own form
            yield {"error": orjson.loads(line[6:])}


def code(event: dict[str, Any]) -> int:
    """The status in an error event; 500 where it has none."""
    found = event["error"].get("code") if isinstance(event["error"], dict) else None
    return found if isinstance(found, int) else 500


def message(event: Any) -> str:
    """What an error event or an error's body says, in one short text."""
    error = event.get("error", event) if isinstance(event, dict) else event
    return str(error.get("message", error) if isinstance(error, dict) else error)[:300]


def wanted(choice: dict[str, Any]) -> set[int]:
    """The ids of tokens whose texts it takes to read a choice of vLLM's.

    It names alternatives by their ids, since their texts would merge tokens that look alike; and
    under load it sends several tokens with one text.
    """
    tops = (choice.get("logprobs") or {}).get("top_logprobs") or ()
    ids = choice.get("token_ids") or ()
    named = {int(name[len(_BY_ID) :]) for top in tops for name in top or () if _is_id(name)}
    return named.union(ids) if len(ids) > 1 else named


def tokens(
    choice: dict[str, Any], top: int, markers: Mapping[int, str], texts: Mapping[int, str]
) -> list[Token]:
    """The tokens of one streamed choice.

    Args:
        choice: One of the event's ``choices``.
        top: How many alternatives were asked for.
        markers: Texts of the special tokens that are recognised.
        texts: Texts of the tokens that :func:`wanted` finds, where the server tells them.
    """
    logprobs = choice.get("logprobs") or {}
    content = logprobs.get("content")
    if content is not None:  # llama.cpp: chat-shaped
        return [
            Token(
                _piece(choice, item, len(content)),
                item.get("id"),
                item.get("logprob"),
                tuple((t["token"], t["logprob"]) for t in item.get("top_logprobs", ()))
                if top
                else (),
            )
            for item in content
        ]
    text, ids = choice.get("text") or "", choice.get("token_ids") or ()
    pieces = [_text(name, texts) for name in logprobs.get("tokens") or ()]
    if len(ids) > 1:
        pieces = _split(text, pieces or [texts.get(i, "") for i in ids], ids, markers)
    elif len(pieces) <= 1:
        pieces = [text] if text or ids or pieces else []
    chosen = logprobs.get("token_logprobs") or [None] * len(pieces)
    tops = logprobs.get("top_logprobs") or [None] * len(pieces)
    return [
        Token(piece, ids[i] if ids else None, chosen[i], _alternatives(tops[i] or {}, top, texts))
        for i, piece in enumerate(pieces)
    ]


def _is_id(name: str) -> bool:
    return name.startswith(_BY_ID) and name[len(_BY_ID) :].isdecimal()


def _text(name: str, texts: Mapping[int, str]) -> str:
    return texts.get(int(name[len(_BY_ID) :]), "") if _is_id(name) else name


def _alternatives(
    logprobs: Mapping[str, float], top: int, texts: Mapping[int, str]
) -> tuple[tuple[str, float], ...]:
    """The likeliest ``top``; vLLM adds the token that was drawn where it is not one of them."""
    best = sorted(logprobs.items(), key=lambda pair: -pair[1])[:top]
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


def _piece(choice: dict[str, Any], item: dict[str, Any], count: int) -> str:
    """A token's streamed text: the choice's, which withholds incomplete characters."""
    return str(choice.get("text", "")) if count == 1 else str(item.get("token", ""))
