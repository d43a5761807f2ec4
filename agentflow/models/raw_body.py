"""What a request for a raw completion says in its body, to llama.cpp and to vLLM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from agentflow.models.model import Request


def for_any(request: Request, name: str, tokens: int) -> dict[str, Any]:
    """What both engines are told: the model's ``name``, and how many ``tokens`` are wanted."""
    sampling = request.sampling
    return {
        "model": name,
        "prompt": request.prompt,
        "max_tokens": tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "min_p": 0.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "seed": request.seed,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def for_llamacpp(request: Request, slots: int) -> dict[str, Any]:
    """What llama.cpp is told beside; it has so many ``slots``."""
    # Ids come only with log-probabilities; one alternative is the cheapest.
    body: dict[str, Any] = {"logprobs": max(1, request.top), "cache_prompt": request.cache}
    body |= {"repeat_penalty": 1.0, "typical_p": 1.0}
    if request.own is not None:
        # The slot may still hold what another run left there, which the first stream clears away.
        # A stream that was cut off keeps it busy for a moment; in another one all would be read
        # anew, and read in one go a prompt is rounded otherwise than written token by token.
        body |= {"cache_prompt": request.known > 0, "id_slot": request.own % slots}
    if request.schema is not None:
        body["json_schema"] = request.schema
    return body


def for_vllm(request: Request, stops: Sequence[int], by_id: bool) -> dict[str, Any]:
    """What vLLM is told beside.

    Args:
        stops: Tokens that end the model's turn; the server only knows those of the model's own
            configuration.
        by_id: Whether alternatives are to be named by their ids.
    """
    body: dict[str, Any] = {"skip_special_tokens": False, "return_token_ids": True}
    body |= {"repetition_penalty": 1.0, "logprobs": request.top or None}
    body["return_tokens_as_token_ids"] = bool(request.top and by_id)
    if not request.cache:
        body["cache_salt"] = uuid4().hex
    if request.schema is not None:
        body["structured_outputs"] = {"json": request.schema}
    body["stop_token_ids"] = list(stops)
    if request.ask is not None:
        body["vllm_xargs"] = request.ask.xargs()
        if request.ask.probe or request.ask.report:
            end = request.ask.report
            body |= {"ignore_eos": True, "stop_token_ids": [end.end] if end else []}
    return body
