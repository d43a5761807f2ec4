"""Dialects: what each chat API of OpenAI's kind takes, as data.

The APIs share their messages and differ in nearly everything beside them: what a limit is called,
which sampling parameters are refused, how a schema is sent, how much the model may think. What is
in the table is from the providers' published references (2025 and 2026); a server of none of these
names is sent what nearly all take, and :func:`without` learns from its refusals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from agentflow.errors import BadInput
from agentflow.models.strict_schema import strict
from agentflow.profile import Sampling

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh"]
"""How much a model is to think; which of them there are depends on the model."""

_LEFT_OUT = (
    *("seed", "top_k", "presence_penalty", "frequency_penalty", "logprobs", "top_logprobs"),
    *("stream_options", "response_format", "temperature", "top_p"),
)
"""Keys that a request can do without, the least missed first."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one API takes.

    Attributes:
        name: As settings name it.
        host: Pattern of its URLs' hosts.
        owner: What its list of models says under ``owned_by``.
        takes: The sampling parameters beside ``temperature`` and ``top_p``.
        limit: What the most tokens of a reply are called.
        seed: What the seed is called.
        counts_asked: Whether a stream has to be asked for its counts of tokens.
        logprobs: Most alternatives per token; 0 where it gives none.
        schema: How a schema is sent: ``strict`` with every property required, ``object`` only as
            the wish for some JSON object, ``none`` not at all.
        tools: Whether it is known to take tools, however it was started.
        effort: Where in the request the effort of thinking stands, as a path with dots.
        budget: Where the most tokens of thinking stand.
        switch: Where it is said whether to think at all.
        beside: Keys that a budget brings along.
        thinkers: Pattern of the models that think by themselves, and refuse sampling parameters.
        key: The header that holds the key; empty for a bearer token.
    """

    name: str
    host: str = ""
    owner: str = ""
    takes: frozenset[str] = frozenset()
    limit: str = "max_tokens"
    seed: str = "seed"
    counts_asked: bool = True
    logprobs: int = 0
    schema: Literal["strict", "object", "none"] = "strict"
    tools: bool = False
    effort: str = ""
    budget: str = ""
    switch: str = ""
    beside: tuple[tuple[str, Any], ...] = ()
    thinkers: str = ""
    key: str = ""

    def thinks(self, model: str) -> bool:
        """Whether the model refuses sampling parameters and gives no log-probabilities."""
        return bool(self.thinkers and re.match(self.thinkers, model.rpartition("/")[2]))

    def most_logprobs(self, model: str) -> int:
        """Most alternatives per token that the model gives here."""
        return 0 if self.thinks(model) else self.logprobs


_PENALTIES = frozenset(("presence_penalty", "frequency_penalty"))
_COMMON = _PENALTIES | {"seed"}
_OPENAI = r"o\d|gpt-5(?!.*chat)|gpt-oss"

DIALECTS: dict[str, Dialect] = {
    one.name: one
    for one in (
        Dialect(
            "openai",
            tools=True,
            host=r"api\.openai\.com$",
            takes=_COMMON,
            limit="max_completion_tokens",
            logprobs=20,
            effort="reasoning_effort",
            thinkers=_OPENAI,
        ),
        Dialect(
            "azure",
            tools=True,
            host=r".*\.(openai\.azure|services\.ai\.azure|cognitiveservices\.azure)\.com$",
            takes=_COMMON,
            limit="max_completion_tokens",
            logprobs=20,
            effort="reasoning_effort",
            thinkers=_OPENAI,
            key="api-key",
        ),
        Dialect(
            "anthropic",
            host=r"api\.anthropic\.com$",
            schema="none",
            budget="thinking.budget_tokens",
            tools=True,
            beside=(("thinking.type", "enabled"),),
        ),
        Dialect(
            "gemini",
            tools=True,
            host=r"generativelanguage\.googleapis\.com$|.*aiplatform\.googleapis\.com$",
            effort="reasoning_effort",
            budget="extra_body.google.thinking_config.thinking_budget",
        ),
        Dialect(
            "deepseek",
            tools=True,
            host=r"api\.deepseek\.com$",
            takes=_PENALTIES,
            logprobs=20,
            schema="object",
            switch="thinking.type",
            thinkers="deepseek-reasoner",
        ),
        Dialect(
            "mistral",  # which refuses whatever it does not know
            tools=True,
            host=r"api\.mistral\.ai$",
            takes=_COMMON,
            seed="random_seed",
            counts_asked=False,
            effort="reasoning_effort",
        ),
        Dialect(
            "openrouter",
            tools=True,
            host=r"openrouter\.ai$",
            takes=_COMMON | {"top_k"},
            logprobs=20,
            effort="reasoning.effort",
            budget="reasoning.max_tokens",
            thinkers=_OPENAI,
        ),
        Dialect(
            "ollama",
            tools=True,
            host=r".*:11434$|ollama\.com$",
            owner="library",
            takes=_COMMON,
            logprobs=20,
            effort="reasoning_effort",
        ),
        Dialect(
            "sglang",
            owner="sglang",
            takes=_COMMON | {"top_k"},
            logprobs=20,
            effort="reasoning_effort",
            switch="chat_template_kwargs.enable_thinking",
        ),
        Dialect(
            "llamacpp",
            owner="llamacpp",
            takes=_COMMON | {"top_k"},
            logprobs=20,
            switch="chat_template_kwargs.enable_thinking",
        ),
        Dialect(
            "vllm",
            owner="vllm",
            takes=_COMMON | {"top_k"},
            logprobs=20,
            effort="reasoning_effort",
            budget="thinking_token_budget",
            switch="chat_template_kwargs.enable_thinking",
        ),
        Dialect("other", takes=_COMMON | {"top_k"}, logprobs=20, effort="reasoning_effort"),
    )
}
"""By name. ``other`` is any server that is none of these."""


def dialect_of(url: str, owner: str = "", name: str | None = None) -> Dialect:
    """The dialect of the API at a URL.

    Args:
        owner: What its list of models says of the model.
        name: As the settings name it, which counts before all.

    Raises:
        BadInput: If there is none of that name.
    """
    if name is not None:
        if name not in DIALECTS:
            raise BadInput(f"unknown provider {name[:40]!r}; known: {', '.join(DIALECTS)}")
        return DIALECTS[name]
    parts = urlsplit(url)
    for one in DIALECTS.values():
        if one.host and re.match(one.host, parts.netloc.rpartition("@")[2] or ""):
            return one
    found = [one for one in DIALECTS.values() if one.owner and one.owner == owner]
    return found[0] if found else DIALECTS["other"]


def body_of(
    dialect: Dialect,
    model: str,
    sampling: Sampling,
    *,
    limit: int,
    seed: int,
    top: int = 0,
    effort: Effort | None = None,
    budget: int | None = None,
) -> dict[str, Any]:
    """What a request says beside its messages; nothing that the API would refuse of this model.

    Args:
        limit: Most tokens of the reply, with its thinking.
        top: Alternatives per token.
        effort, budget: As of :func:`thinking_of`, which raises.
    """
    thinking = thinking_of(dialect, effort, budget, limit)
    body = {"model": model, dialect.limit: limit} | _sampling(dialect, model, sampling, seed)
    if top := min(top, dialect.most_logprobs(model)):
        body |= {"logprobs": True, "top_logprobs": top}
    if "thinking" in thinking and dialect.name == "anthropic":  # which then refuses any other
        del body["temperature"]
    return body | thinking


def _sampling(dialect: Dialect, model: str, sampling: Sampling, seed: int) -> dict[str, Any]:
    """What a request says of sampling."""
    if dialect.thinks(model):
        return {dialect.seed: seed} if "seed" in dialect.takes else {}
    wanted: dict[str, Any] = {
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "seed": seed,
        "top_k": sampling.top_k,
    }
    body: dict[str, Any] = {"temperature": sampling.temperature, "top_p": sampling.top_p}
    if dialect.name == "anthropic":  # newer models refuse both at once
        body = {"temperature": min(sampling.temperature, 1.0)}
    if not sampling.top_k:
        del wanted["top_k"]
    named = {"seed": dialect.seed}
    taken = (key for key in wanted if key in dialect.takes)
    return body | {named.get(key, key): wanted[key] for key in taken}


def format_of(dialect: Dialect, schema: Mapping[str, Any], messages: Any) -> dict[str, Any]:
    """What a request says of the reply's format."""
    if dialect.schema == "none":
        return {}
    if dialect.schema == "object":  # it must be asked for in words, too, or is refused
        in_words = "json" in str(messages).lower()
        return {"response_format": {"type": "json_object"}} if in_words else {}
    exact = strict(schema)
    shape: dict[str, Any] = {"name": "reply", "schema": schema if exact is None else exact}
    shape["strict"] = exact is not None
    return {"response_format": {"type": "json_schema", "json_schema": shape}}


def thinking_of(
    dialect: Dialect, effort: Effort | None, budget: int | None, limit: int
) -> dict[str, Any]:
    """What a request says of the model's thinking.

    Args:
        effort: How much to think; None to leave it to the model.
        budget: Most tokens of thinking; None for no such bound.
        limit: Most tokens of the whole reply, in which the thinking counts.

    Raises:
        BadInput: If the API has no word for it; says which it has.
    """
    body: dict[str, Any] = {}
    has = [word for word in ("effort", "budget", "switch") if getattr(dialect, word)]
    if budget is not None:
        if not dialect.budget:
            known = "effort" if "effort" in has else "none"
            raise BadInput(
                f"{dialect.name} takes no budget of thinking (thinking_tokens); it takes: {known}"
            )
        for path, value in (*dialect.beside, (dialect.budget, min(budget, max(1, limit - 1)))):
            _put(body, path, value)
        return body
    if effort is None:
        return body
    if effort == "none" and dialect.switch:
        off: Any = "disabled" if dialect.switch.endswith("type") else False
        _put(body, dialect.switch, off)
    elif dialect.effort:
        _put(body, dialect.effort, effort)
    elif dialect.switch:
        _put(body, dialect.switch, "enabled" if dialect.switch.endswith("type") else True)
    else:
        raise BadInput(
            f"{dialect.name} takes no effort of thinking; it takes: thinking_tokens"
            if dialect.budget
            else f"{dialect.name} takes no effort of thinking"
        )
    return body


def _put(body: dict[str, Any], path: str, value: Any) -> None:
    """Set what stands at a path with dots."""
    *outer, last = path.split(".")
    for key in outer:
        body = body.setdefault(key, {})
    body[last] = value


def without(body: Mapping[str, Any], refusal: str) -> tuple[str, str] | None:
    """(key to leave out, key to say it under instead) for a request that was refused.

    Only what the refusal names, and what a request can do without; None where that is nothing. It
    is for servers that are in no table.
    """
    named = set(_words(refusal))
    limits = ("max_tokens", "max_completion_tokens")
    for key, other in (limits, limits[::-1]):
        if key in body and named & {*limits}:
            return key, other
    for key in _LEFT_OUT:
        if key in body and key in named:
            return key, ""
    return None


def _words(text: str) -> Iterator[str]:
    return (found[0] for found in re.finditer(r"[a-z]+(?:_[a-z]+)*", text.lower()))
