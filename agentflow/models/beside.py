"""vLLM's engine as a model, in the server's own process: no HTTP, no JSON, no network."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any
from uuid import uuid4

from agentflow.errors import BadInput, ModelUnavailable, StreamBroken
from agentflow.models import in_engine
from agentflow.models.model import Capabilities, Finish, Request, Token
from agentflow.models.template import letters
from agentflow.profile import Piece, Profile
from agentflow.vllm_plugin.ask import SWITCH

_ENGINES_OWN = "vllm.v1.engine.exceptions"
"""Where the errors of an engine that died are from."""


class EngineModel:
    """A :class:`~agentflow.models.model.Model` around an ``EngineClient``.

    Args:
        engine: vLLM's.
        name: The served model's.
        profile: How it is spoken to.
    """

    def __init__(self, engine: Any, name: str, profile: Profile) -> None:
        self.name, self.profile, self._engine = name, profile, engine
        self._tokenizer = engine.renderer.get_tokenizer()
        about = engine.model_config
        self._context = int(about.max_model_len)
        most = about.get_vocab_size() if about.max_logprobs == -1 else about.max_logprobs
        ids = {marker: self._ids(marker) for marker in profile.markers}
        self._markers = {found[0]: marker for marker, found in ids.items() if len(found) == 1}
        on = os.environ.get(SWITCH) == "1" and engine.vllm_config.speculative_config is None
        digits = in_engine.digit_ids(list(self._markers), about.get_vocab_size()) if on else None
        self.capabilities = Capabilities(logprobs=most, in_engine=digits)

    async def open(self) -> None:
        """It is open."""

    async def close(self) -> None:
        """It is the server's."""

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Token ids of the pieces, each piece alone."""
        return tuple(
            i
            for piece in pieces
            for text in ([piece.text] if piece.special else letters(piece.text, self.profile))
            for i in self._ids(text)
        )

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """As of :class:`~agentflow.models.http.HTTPModel`; closing it aborts the request.

        Raises:
            BadInput: If the engine refuses the request.
            StreamBroken: If it ends before its time.
            ModelUnavailable: If the engine is dead before it gives a token.
        """
        prompt = self._ids(request.prompt) if isinstance(request.prompt, str) else request.prompt
        reason, cached, came = "", None, 0
        instead: tuple[tuple[str, float], ...] = ()
        stops = self.profile.stops
        try:
            async with aclosing(self._generate(request, list(prompt))) as outputs:
                async for output in outputs:
                    cached = output.num_cached_tokens
                    (one,) = output.outputs
                    reason = one.finish_reason or ""
                    for token in self._tokens(one):
                        came += 1
                        if token.text in stops and token.id in self._markers:
                            instead = token.top
                        else:
                            yield token
        except ValueError as error:
            raise BadInput(f"{self.name} refuses the request: {error}") from error
        except Exception as error:
            if type(error).__module__ != _ENGINES_OWN:
                raise
            kind = StreamBroken if came else ModelUnavailable
            raise kind(f"{self.name}: the engine failed after {came} tokens: {error}") from error
        if reason not in ("stop", "length"):
            raise StreamBroken(f"{self.name}: the stream ended with {reason or 'nothing'!r}")
        yield Finish("stop" if reason == "stop" else "length", len(prompt), cached, instead)

    def _generate(self, request: Request, prompt: list[int]) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams

        sampling, grammar = request.sampling, request.schema
        if (room := self._context - len(prompt)) < 1:
            raise BadInput(f"the prompt fills the model's context of {self._context:,} tokens")
        ends = [i for i, marker in self._markers.items() if marker in self.profile.stops]
        alone = request.ask is not None and bool(request.ask.probe or request.ask.report)
        if request.ask is not None and alone:  # what it spells is no end of the turn
            ends = [request.ask.report.end] if request.ask.report else []
        params = SamplingParams(
            max_tokens=min(request.max_tokens, room),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k,
            seed=request.seed,
            logprobs=request.top or None,
            skip_special_tokens=False,
            stop_token_ids=ends,
            ignore_eos=alone,
            structured_outputs=None if grammar is None else StructuredOutputsParams(json=grammar),
            extra_args=None if request.ask is None else dict(request.ask.xargs()),
            output_kind=RequestOutputKind.DELTA,
        )
        given: dict[str, Any] = {"prompt_token_ids": prompt}
        if not request.cache:
            given["cache_salt"] = uuid4().hex
        return self._engine.generate(given, params, f"agentflow-{uuid4().hex}")

    def _tokens(self, output: Any) -> list[Token]:
        """The new tokens; where several came at once, each with the text that it has alone."""
        ids = list(output.token_ids)
        alone = len(ids) == 1
        tokens = []
        for place, i in enumerate(ids):
            marker = self._markers.get(i)
            text = marker or (output.text if alone else self._tokenizer.decode([i]))
            told = output.logprobs[place] if output.logprobs else {}
            top = sorted(((self._text(j), p.logprob) for j, p in told.items()), key=lambda t: -t[1])
            own = told[i].logprob if i in told else None
            tokens.append(Token(text, i, own, tuple(top)))
        return tokens

    def _text(self, i: int) -> str:
        return self._markers.get(i) or str(self._tokenizer.decode([i]))
