"""The client's side of our plugin inside vLLM: whether it is there, its probes, its stop rules.

A probe is one request of a few tokens, which spell the number; a :func:`reason` is one stream that
the engine itself ends, where the rules say so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentflow.errors import BadInput, BadReply, MissingCapability, ModelUnavailable, Refused
from agentflow.models import fields
from agentflow.models.fields import Wrong
from agentflow.models.model import Completion, Digits, Model, Request, complete
from agentflow.profile import GREEDY, Piece, Profile
from agentflow.vllm_plugin import digits
from agentflow.vllm_plugin.ask import PROTOCOL, SIGNATURE, YES, Ask, Report, Stop, tokens_of
from agentflow.vllm_plugin.digits import MOST, RANGES, Ended
from agentflow.vllm_plugin.layout import report_tokens

Tell = Callable[[dict[str, Any]], Awaitable[Any]]
_SMALL = 1000
"""Ids that every vocabulary has behind its special tokens."""


async def digits_of(
    tell: Tell, name: str, markers: Sequence[int], vocabulary: int | None
) -> Digits | None:
    """The ids that this server's plugin spells numbers with; None where it has no plugin.

    Args:
        tell: Posts a completion's body.
        markers: Ids that mean something of their own.
        vocabulary: How many ids there are, where that is known.

    Raises:
        BadInput: If its plugin is of another version than this client.
    """
    space = digit_ids(markers, vocabulary)
    if space is None:
        return None
    ask = Ask(protocol=PROTOCOL, first=space.first, base=space.base, probe=("protocol",))
    body = {"model": name, "prompt": [0], "max_tokens": tokens_of(ask), "temperature": 0.0}
    body |= {"return_token_ids": True, "ignore_eos": True, "vllm_xargs": ask.xargs()}
    try:
        reply = await tell(body)
        choice = fields.only_choice(fields.fields(reply, "(the whole)")) or {}
        said = digits.decode_probe(
            fields.ids(choice.get("token_ids"), "token_ids"), ask.probe, *space
        )
    except Refused as error:
        if "agentflow's plugin" in str(error):
            raise BadInput(str(error)) from error
        return None
    except (BadReply, ModelUnavailable, Wrong, ValueError):
        return None
    apart = abs(said["protocol"] - SIGNATURE)
    return space if apart <= RANGES["protocol"] / space.base**2 else None


def digit_ids(markers: Sequence[int], vocabulary: int | None) -> Digits | None:
    """The widest range of ids without a marker in it; None where it is too small for digits."""
    bounds = sorted({-1, *markers})
    last = vocabulary if vocabulary is not None else bounds[-1] + 1 + _SMALL
    ranges = zip(bounds, [*bounds[1:], last], strict=True)
    low, high = max(ranges, key=lambda one: one[1] - one[0])
    space = Digits(low + 1, high - low - 1)
    return space if space.base >= 256 else None


async def probe(
    model: Model,
    prompt: tuple[int, ...] | str,
    wanted: Sequence[str],
    *,
    yes: Sequence[int] = (),
    no: Sequence[int] = (),
    known: int = 0,
) -> dict[str, float]:
    """Numbers about the token after ``prompt``, over the whole vocabulary, on the raw logits.

    Args:
        wanted: Of ``entropy`` (nats), ``confidence`` (probability of the likeliest token), ``yes``
            and ``no`` (probability of these ids).
        known: As of :class:`~agentflow.models.model.Request`.

    Raises:
        MissingCapability: If the server's plugin did not answer.
    """
    ask = _ask(model, probe=tuple(wanted), yes=tuple(yes), no=tuple(no))
    completion = await complete(
        model, Request(prompt, tokens_of(ask), GREEDY, ask=ask, known=known)
    )
    ids = [token.id for token in completion.tokens if token.id is not None]
    try:
        return digits.decode_probe(ids, ask.probe, ask.first, ask.base)
    except ValueError as error:
        raise MissingCapability(f"{model.name}: its plugin did not answer: {error}") from error


async def reason(
    model: Model, request: Request, stop: Stop, *, curve: int = 0
) -> tuple[Completion, Ended]:
    """The thinking of a stream that the engine ends by itself, without a round trip.

    Args:
        request: From the prompt on; its ``max_tokens`` are the thinking's.
        stop: The rules; the stream ends behind ``close``, which is forced.
        curve: How many of the last values come back.

    Returns:
        The thinking with its close marker, and why and where it ended.

    Raises:
        MissingCapability: If the server's plugin did not answer.
    """
    markers = await _markers(model)
    end = next(i for i in markers.values() if i not in (*stop.close, *stop.guard))
    report = Report(after=(stop.close[-1],), end=end, curve=curve)
    ask = _ask(model, stop=stop, report=report)
    room = request.max_tokens + report_tokens(curve)
    done = await complete(model, replace(request, max_tokens=room, ask=ask))
    ids = [-1 if token.id is None else token.id for token in done.tokens]
    most = MOST if stop.entropy is not None else 1.0
    behind = ids.index(stop.close[-1]) + 1 if stop.close[-1] in ids else request.max_tokens
    said = ids[behind:] if end not in ids[behind:] else ids[behind : ids.index(end, behind)]
    try:
        ended = digits.report(said, ask.first, ask.base, most)
    except ValueError as error:
        raise MissingCapability(f"{model.name}: its plugin did not answer: {error}") from error
    return replace(done, tokens=done.tokens[:behind]), ended


async def ids_of(model: Model, words: Sequence[str]) -> tuple[int, ...]:
    """The tokens that :meth:`Distribution.probability` would find for ``words``: each begins one,
    in the usual ways of spacing and case."""
    begun = {word.strip()[:end] for word in words for end in range(1, len(word.strip()) + 1)}
    cased = {form for part in begun for form in (part, part.lower(), part.upper(), part.title())}
    found = [await model.tokenize([Piece(s + form)]) for form in sorted(cased) for s in ("", " ")]
    return tuple(sorted({ids[0] for ids in found if len(ids) == 1}))[:YES]


def _ask(model: Model, **what: Any) -> Ask:
    space = model.capabilities.in_engine
    if space is None:
        raise MissingCapability(
            f"{model.name}: its server has no agentflow plugin; start it with 'agentflow model "
            "serve'"
        )
    return Ask(protocol=PROTOCOL, first=space.first, base=space.base, **what)


async def _markers(model: Model) -> Mapping[str, int]:
    """The profile's markers that are one token each."""
    profile: Profile = model.profile
    found = {m: await model.tokenize([Piece(m, special=True)]) for m in profile.markers}
    return {marker: ids[0] for marker, ids in found.items() if len(ids) == 1}


async def stop_for(model: Model, **rules: Any) -> Stop:
    """Rules with the profile's close marker, and a guard against an end inside the thinking.

    Args:
        rules: Fields of :class:`~agentflow.vllm_plugin.ask.Stop`.
    """
    markers, profile = await _markers(model), model.profile
    guard = tuple(markers[stop] for stop in profile.stops if stop in markers)
    return Stop.model_validate({"close": (markers[profile.think_close],), "guard": guard} | rules)
