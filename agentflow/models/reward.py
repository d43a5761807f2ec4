"""A process reward model that vLLM serves: one probability a step."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models.http import HTTPModel

SYSTEM = "Please reason step by step, and put your final answer within \\boxed{}."
"""The system prompt that Qwen2.5-Math-PRM was trained under."""

SEPARATOR = "<extra_0>"
"""The token behind each step at which it says how likely the step is right."""

_SPELLS = re.compile(r"<(?=extra_\d|\|)")
"""What begins a special token of its tokenizer, which finds them in any text."""

_FIRST_WAIT = 0.5


@dataclass(frozen=True, slots=True)
class Rewards:
    """What the model says of one solution.

    Attributes:
        scores: For each step, how likely it is right, in [0, 1].
        prompt: Tokens it read.
    """

    scores: tuple[float, ...]
    prompt: int = 0


class RewardModel(HTTPModel):
    """A reward model of Qwen2.5-Math-PRM's kind behind vLLM's ``/pooling``.

    It is served with ``vllm serve Qwen/Qwen2.5-Math-PRM-7B --runner pooling``; each reply holds the
    probabilities of (wrong, right) at every separator.

    Args:
        base_url, name, api_key, idle_timeout: As for :class:`~agentflow.models.http.HTTPModel`.
        retries: How often a request that was not answered is sent again.
    """

    def __init__(
        self,
        base_url: str,
        name: str | None = None,
        *,
        api_key: str | None = None,
        idle_timeout: float = 60.0,
        retries: int = 2,
    ) -> None:
        super().__init__(base_url, name, api_key=api_key, idle_timeout=idle_timeout)
        self.retries = retries

    async def open(self) -> None:
        """See that the server answers, and ask it for its model where none is named."""
        async with self._opening:
            if self._engine and not self._lost:
                return
            url = f"{self.base_url}/models"
            reply = await self._json("GET", url)
            try:
                served = [str(model["id"]) for model in reply["data"]]
            except (KeyError, TypeError) as error:
                raise BadInput(f"{url} lists no models; is it an OpenAI-compatible API?") from error
            if not served or (self._named and self.name not in served):
                listed = ", ".join(served) or "no model"
                raise BadInput(f"{self.base_url} serves {listed}, not {self.name or 'a reward'!r}")
            self.name = self.name if self._named else served[0]
            self._engine, self._lost = "vllm", False

    async def rewards(self, problem: str, steps: Sequence[str]) -> Rewards:
        """How likely each step is right, given those before it.

        Raises:
            BadInput: If the server refuses (the solution may be longer than its context), or what
                it answers is not two probabilities a step.
            ModelUnavailable: If it does not answer, however often it is asked.
        """
        said = "".join(f"{_letters(step).strip()}{SEPARATOR}" for step in steps)
        texts = {"system": SYSTEM, "user": _letters(problem), "assistant": said}
        messages = [{"role": role, "content": text} for role, text in texts.items()]
        for attempt in range(self.retries + 1):
            try:
                await self.open()
                body = {"model": self.name, "messages": messages, "use_activation": True}
                return self._read(await self._ask("/pooling", body), len(steps))
            except ModelUnavailable:
                if attempt == self.retries:
                    raise
                await asyncio.sleep(_FIRST_WAIT * 2**attempt)
        raise AssertionError("unreachable")

    def _read(self, reply: Any, steps: int) -> Rewards:
        try:
            rows = reply["data"][0]["data"]
            pairs = [tuple(map(float, row)) for row in rows]
            tokens = int((reply.get("usage") or {}).get("prompt_tokens") or 0)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise BadInput(f"{self._root}/pooling answered no rewards: {reply!r:.200}") from error
        if len(pairs) != steps:
            raise BadInput(
                f"{self._root}/pooling answered {len(pairs)} rows for {steps} steps; is "
                f"{self.name} a process reward model that scores at {SEPARATOR}?"
            )
        if not all(len(pair) == 2 and _sums_to_one(pair) for pair in pairs):
            raise BadInput(
                f"{self._root}/pooling answered {rows!r:.120}, which is not the probabilities of "
                "two classes a step"
            )
        return Rewards(tuple(min(max(pair[1], 0.0), 1.0) for pair in pairs), tokens)


def _letters(text: str) -> str:
    """The text with nothing in it that the server's tokenizer would take for a special token."""
    return _SPELLS.sub("< ", text)


def _sums_to_one(pair: Sequence[float]) -> bool:
    return all(isfinite(p) and -1e-3 <= p <= 1 + 1e-3 for p in pair) and abs(sum(pair) - 1) < 0.02
