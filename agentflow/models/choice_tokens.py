"""The tokens of a choice, in either engine's shape.

What is not as it should be raises :class:`~agentflow.models.fields.Wrong`, which names the field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentflow.models import fields
from agentflow.models.fields import Wrong
from agentflow.models.model import Token, estimated

_BY_ID = "token_id:"
"""What vLLM puts before a number to name a token by its id."""


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
    length = 1 if ids or names else estimated(text).generated  # the server may send many at once
    return [
        Token(
            piece,
            ids[i] if ids else None,
            fields.logprob_or_none(chosen[i], "logprobs.token_logprobs[]"),
            _alternatives(tops[i], top, texts),
            length,
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
