"""Fields of a server's reply, taken only if they are what its API says they are.

Each function takes a value and the name of its field. An absent field is None, like one that is
null: servers write both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Choice = Mapping[str, Any]
"""One of the texts that a server answers a request with."""

_MOST = 10**12
"""No count of tokens or parameters is larger."""
_LEAST = -1e39
"""llama.cpp writes the logarithm of 0 as the least number of 32 bits."""
_ROUNDED = 1e-3
"""By so much a logarithm of 1 may be wrong."""


class Wrong(ValueError):
    """What a reply has wrong: names the field, what stands there, and what should."""

    def __init__(self, name: str, value: Any, wanted: str) -> None:
        none = "null or NaN" if name.endswith("[]") else "missing"
        shown = none if value is None else _shown(value)
        super().__init__(f"its field {name} is {shown}, where {wanted} should be")


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    return repr(value[:60] if isinstance(value, str) else value)


def text(value: Any, name: str) -> str:
    """A text."""
    if isinstance(value, str):
        return value
    raise Wrong(name, value, "a text")


def text_or_none(value: Any, name: str) -> str | None:
    """A text, if there is one."""
    return None if value is None else text(value, name)


def thinking_and_text(value: Any, name: str) -> tuple[str, str]:
    """(thinking, text) of a message's content: a text, or a list of chunks, as Mistral, Anthropic
    and OpenAI's newer API write it, among which the sources that they name are neither; an absent
    one is empty."""
    if not isinstance(value, list):
        return "", text_or_none(value, name) or ""
    thinking, said = list[str](), list[str]()
    for chunk in value:
        found, kind = _chunk(chunk, name)
        if kind in ("thinking", "reasoning"):
            key = next((one for one in (kind, "text", "summary") if found.get(one)), kind)
            inner, inside = found.get(key), f"{name}[].{key}"
            if isinstance(inner, str):
                thinking.append(inner)
            elif isinstance(inner, list):
                thinking += (_text_of_chunk(*_chunk(one, inside), inside) for one in inner)
            else:
                raise Wrong(inside, inner, "a list of chunks")
        else:
            said.append(_text_of_chunk(found, kind, name))
    return "".join(thinking), "".join(said)


def _chunk(value: Any, name: str) -> tuple[Mapping[str, Any], str]:
    """A chunk, and its type."""
    if not isinstance(value, dict):
        raise Wrong(f"{name}[]", value, "an object")
    return value, text(value.get("type"), f"{name}[].type")


def _text_of_chunk(found: Mapping[str, Any], kind: str, name: str) -> str:
    """The text of a chunk; empty where it names sources."""
    if kind in ("text", "output_text", "summary_text"):
        return text(found.get("text"), f"{name}[].text")
    if kind == "refusal":
        return text(found.get("refusal"), f"{name}[].refusal")
    if kind in ("reference", "tool_reference", "redacted_thinking"):
        return ""
    raise Wrong(f"{name}[].type", kind, "text")


def count(value: Any, name: str) -> int:
    """A whole number, 0 or more."""
    if type(value) is int and 0 <= value <= _MOST:
        return value
    raise Wrong(name, value, "a count")


def count_or_none(value: Any, name: str) -> int | None:
    """A count, if there is one."""
    return None if value is None else count(value, name)


def logprob(value: Any, name: str) -> float:
    """The logarithm of a probability."""
    if type(value) in (float, int) and _LEAST < value <= _ROUNDED:
        return float(value)
    raise Wrong(name, value, "a log-probability")


def logprob_or_none(value: Any, name: str) -> float | None:
    """A log-probability, if there is one."""
    return None if value is None else logprob(value, name)


def probability(value: Any, name: str) -> float:
    """A number in [0, 1], but for rounding."""
    if type(value) in (float, int) and -_ROUNDED <= value <= 1 + _ROUNDED:
        return float(value)
    raise Wrong(name, value, "a probability")


def entries(value: Any, name: str) -> Sequence[Any]:
    """A list; an absent one is empty."""
    if value is None:
        return ()
    if isinstance(value, list):
        return value
    raise Wrong(name, value, "a list")


def fields(value: Any, name: str) -> Mapping[str, Any]:
    """An object; an absent one is empty."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    raise Wrong(name, value, "an object")


def ids(value: Any, name: str) -> tuple[int, ...]:
    """Token ids, of which there must be a list."""
    if not isinstance(value, list):
        raise Wrong(name, value, "a list of token ids")
    return tuple([count(one, name) for one in value])


def only_choice(reply: Mapping[str, Any], before: Choice | None = None) -> Choice | None:
    """The one choice that a reply or an event has; None where it has none. Of several, which nobody
    asked for, it is the first by their indices, wherever it stands.

    Args:
        before: Of a stream of events, what an event before this one had: others are not its choice.
    """
    choices = reply.get("choices")
    if not choices:
        entries(choices, "choices")
        return None
    if type(choices) is list and all(type(one) is dict for one in choices):
        wanted = min(map(_index, choices)) if before is None else _index(before)
        found = [one for one in choices if _index(one) == wanted]
        if len(found) < 2:
            return found[0] if found else None
    raise Wrong("choices", choices, "a list of one object")


def _index(choice: Choice) -> int:
    """A choice's number, from 0 or from 1; what is none counts as 0."""
    index = choice.get("index")
    return index if type(index) is int else 0


class Usage(NamedTuple):
    """Tokens as far as a reply tells them; ``reasoning`` ones are among those generated."""

    prompt: int | None = None
    cached: int | None = None
    generated: int | None = None
    reasoning: int = 0


def usage(reply: Mapping[str, Any]) -> Usage:
    """The tokens that a reply tells.

    Gemini's endpoint leaves its thinking out of ``completion_tokens`` but not out of the total;
    DeepSeek's and Moonshot's have fields of their own for what came from the cache, SGLang's for
    the thinking.
    """
    found = fields(reply.get("usage"), "usage")
    details = fields(found.get("prompt_tokens_details"), "usage.prompt_tokens_details")
    made = fields(found.get("completion_tokens_details"), "usage.completion_tokens_details")
    prompt = _count(found, "prompt_tokens")
    generated, total = _count(found, "completion_tokens"), _count(found, "total_tokens")
    cached = _count(details, "cached_tokens", "usage.prompt_tokens_details")
    for key in ("prompt_cache_hit_tokens", "cached_tokens"):
        cached = _count(found, key) if cached is None else cached
    reasoning = _count(made, "reasoning_tokens", "usage.completion_tokens_details")
    if reasoning is None:
        reasoning = _count(found, "reasoning_tokens") or 0
    if prompt is not None and generated is not None and total is not None:
        hidden = max(0, total - prompt - generated)
        generated, reasoning = generated + hidden, max(reasoning, hidden)  # xAI says it twice
    return Usage(prompt, cached, generated, min(reasoning, generated or 0))


def _count(found: Mapping[str, Any], key: str, place: str = "usage") -> int | None:
    return count_or_none(found.get(key), f"{place}.{key}")


def models(reply: Any) -> dict[str, Mapping[str, Any]]:
    """A server's list of models, by name; empty where it lists none."""
    listed = member(reply, "data")
    if not isinstance(listed, list):
        raise Wrong("data", listed, "a list of models")
    cards = [fields(card, "data[]") for card in listed]
    return {text(card.get("id"), "data[].id"): card for card in cards}


def member(reply: Any, name: str) -> Any:
    """A field of a reply that must be an object; None where it is absent.

    Raises:
        Wrong: If it is none.
    """
    if isinstance(reply, dict):
        return reply.get(name)
    raise Wrong("(the whole)", reply, "an object")
