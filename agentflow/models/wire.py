"""The tokens in a streamed choice, in llama.cpp's or in vLLM's shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentflow.models.protocol import Token

_BY_ID = "token_id:"
"""What vLLM puts before a number to name a token by its id."""


def named_ids(choice: dict[str, Any]) -> set[int]:
    """The ids by which vLLM names alternatives; its texts would merge tokens that look alike."""
    tops = (choice.get("logprobs") or {}).get("top_logprobs") or ()
    return {int(name[len(_BY_ID) :]) for top in tops for name in top or () if _is_id(name)}


def tokens(
    choice: dict[str, Any], top: int, markers: Mapping[int, str], texts: Mapping[int, str]
) -> list[Token]:
    """The tokens of one streamed choice.

    Args:
        choice: One of the event's ``choices``.
        top: How many alternatives were asked for.
        markers: Texts of the special tokens that are recognised.
        texts: Texts of the tokens that :func:`named_ids` finds.
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
    if ids and (len(pieces) != len(ids) or "".join(pieces) != text):
        pieces = [text] if len(ids) == 1 else _shared(text, ids, markers)
    elif len(pieces) <= 1:
        pieces = [text] if text or pieces else []
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


def _shared(text: str, ids: Sequence[int], markers: Mapping[int, str]) -> list[str]:
    """The texts of several tokens that came with one text, as a server behind its engine sends.

    Markers are told apart; of the others the last one before a marker or the end gets the text.
    """
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
