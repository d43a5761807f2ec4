"""What each provider's API takes and gives, from its published reference (2025 and 2026), as data.

It shares nothing with ``agentflow.models.dialects``, the client's own table: the two are written
from the same references and must agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

_CORE = frozenset(
    [
        "model",
        "messages",
        "stream",
        "stream_options",
        "temperature",
        "top_p",
        "n",
        "stop",
        "tools",
        "tool_choice",
        "response_format",
        "parallel_tool_calls",
    ]
)
_SAMPLING = frozenset(("seed", "presence_penalty", "frequency_penalty"))
_LOGPROBS = frozenset(("logprobs", "top_logprobs"))
_OPENAI = (
    _CORE
    | _SAMPLING
    | _LOGPROBS
    | {
        *(
            "max_tokens",
            "max_completion_tokens",
            "reasoning_effort",
            "logit_bias",
            "metadata",
            "store",
        ),
        *("user", "verbosity", "service_tier", "prediction", "modalities", "safety_identifier"),
    }
)


@dataclass(frozen=True, slots=True)
class Rules:
    """One API.

    Attributes:
        name: Of the stand-in.
        provider: The dialect that the client has to speak, where a local URL cannot tell it.
        model: Served.
        owner: What the list of models says of it.
        takes: Keys that a request may have; None for a server that ignores what it does not know.
        limits: What the most tokens may be called.
        thinks: Whether the model refuses sampling parameters and log-probabilities.
        thought: Where the thinking is streamed: a field of the delta, ``chunks`` of the content,
            ``inline`` between tags, ``opened`` in the content without the tag that begins it,
            ``hidden``, or nowhere.
        schema: ``strict``: every object closed and all its properties required; ``object``: only
            ``json_object``, and the prompt must speak of JSON; ``ignored``.
        logprobs: Most alternatives per token; -1 where asking for any is an error.
        usage: ``asked``: an event of its own where ``include_usage`` is set; ``last``: with the
            last choice; ``each``: with every event.
        hides: Whether the thinking's tokens are in the total alone.
        error: The form of errors.
        chunk: Tokens of an event.
        key: The header that must hold the key; empty for none.
        comments: Whether lines come that only keep the connection open.
        tools: Whether it takes tools as it was started.
        raw: Whether it also has raw completions.
    """

    name: str
    provider: str | None
    model: str
    owner: str = "somebody"
    takes: frozenset[str] | None = None
    limits: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    thinks: bool = False
    thought: Literal[
        "reasoning_content", "reasoning", "chunks", "inline", "opened", "hidden", ""
    ] = ""
    schema: Literal["strict", "object", "any", "ignored"] = "any"
    logprobs: int = 20
    usage: Literal["asked", "last", "each"] = "asked"
    hides: bool = False
    error: Literal["openai", "gemini", "vllm"] = "openai"
    chunk: int = 2
    key: str = ""
    comments: bool = False
    tools: bool = True


RULES: dict[str, Rules] = {
    one.name: one
    for one in (
        Rules(
            "openai",
            "openai",
            "gpt-4o",
            takes=_OPENAI,
            schema="strict",
            key="Authorization",
        ),
        Rules(
            "openai-reasoning",
            "openai",
            "o3-mini",
            takes=_OPENAI,
            limits=("max_completion_tokens",),
            thinks=True,
            thought="hidden",
            schema="strict",
            logprobs=-1,
            key="Authorization",
        ),
        Rules(
            "azure",
            "azure",
            "gpt-5-mini",
            takes=_OPENAI,
            limits=("max_completion_tokens",),
            thinks=True,
            thought="hidden",
            schema="strict",
            logprobs=-1,
            key="api-key",
        ),
        Rules(
            "anthropic-compatible",
            "anthropic",
            "claude-sonnet-4-5",
            takes=_OPENAI | {"thinking"},
            schema="ignored",
            logprobs=0,
            key="Authorization",
        ),
        Rules(
            "gemini",
            "gemini",
            "gemini-2.5-flash",
            takes=_CORE | {"max_tokens", "max_completion_tokens", "reasoning_effort", "extra_body"},
            schema="strict",
            thought="hidden",
            logprobs=-1,
            usage="each",
            hides=True,
            error="gemini",
            chunk=7,
            key="Authorization",
        ),
        Rules(
            "deepseek",
            "deepseek",
            "deepseek-chat",
            takes=_CORE
            | _LOGPROBS
            | {"max_tokens", "presence_penalty", "frequency_penalty"}
            | {"thinking"},
            limits=("max_tokens",),
            schema="object",
            usage="last",
            key="Authorization",
        ),
        Rules(
            "deepseek-reasoner",
            "deepseek",
            "deepseek-reasoner",
            takes=_CORE
            | _LOGPROBS
            | {"max_tokens", "presence_penalty", "frequency_penalty"}
            | {"thinking"},
            limits=("max_tokens",),
            thought="reasoning_content",
            schema="object",
            logprobs=-1,
            usage="last",
            key="Authorization",
        ),
        Rules(
            "mistral",
            "mistral",
            "mistral-medium-3-5",
            owner="mistralai",
            takes=_CORE - {"stream_options"}
            | {"max_tokens", "random_seed", "presence_penalty", "frequency_penalty"}
            | {"reasoning_effort", "prompt_mode", "metadata", "prediction", "safe_prompt"},
            limits=("max_tokens",),
            thought="chunks",
            logprobs=-1,
            usage="last",
            key="Authorization",
        ),
        Rules(
            "openrouter",
            "openrouter",
            "qwen/qwen3-32b",
            thought="reasoning",
            schema="strict",
            comments=True,
            key="Authorization",
        ),
        Rules("ollama", None, "qwen3:8b", owner="library", thought="reasoning", chunk=1),
        Rules("sglang", None, "Qwen/Qwen3-8B", owner="sglang", thought="reasoning_content"),
        Rules("llamacpp", None, "qwen3-8b.gguf", owner="llamacpp", thought="reasoning_content"),
        Rules(
            "vllm",
            None,
            "Qwen/Qwen3-8B",
            owner="vllm",
            thought="opened",
            error="vllm",
            chunk=1,
            tools=False,
        ),
        Rules(
            "vllm-parser",
            None,
            "Qwen/Qwen3-8B",
            owner="vllm",
            thought="reasoning",
            error="vllm",
            chunk=1,
            tools=False,
        ),
        Rules(
            "unknown",
            None,
            "some-model",
            takes=_CORE | {"max_completion_tokens"},
            limits=("max_completion_tokens",),
            thought="inline",
            logprobs=-1,
        ),
    )
}
"""By name."""
