"""A process reward model that vLLM serves: one probability a step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agentflow.backoff import attempts
from agentflow.errors import BadReply, ModelUnavailable
from agentflow.models import fields
from agentflow.models.fields import Wrong
from agentflow.models.http import HTTPModel

SYSTEM = "Please reason step by step, and put your final answer within \\boxed{}."
"""The system prompt that Qwen2.5-Math-PRM was trained under."""

SEPARATOR = "<extra_0>"
"""The token behind each step at which it says how likely the step is right."""

_SPELLS = re.compile(r"<(?=extra_\d|\|)")
"""What begins a special token of its tokenizer, which finds them in any text."""

_ROUNDED = 0.02
"""By so much two probabilities may miss 1."""


@dataclass(frozen=True, slots=True)
class Rewards:
    """What the model says of one solution.

    Attributes:
        scores: For each step, how likely it is right, in [0, 1].
        prompt, generated: Tokens it read, and those it said to tell them.
    """

    scores: tuple[float, ...]
    prompt: int = 0
    generated: int = 0


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
            await self._card()
            self._engine, self._lost = "vllm", False

    async def rewards(self, stated: str, steps: Sequence[str]) -> Rewards:
        """How likely each step is right, given those before it.

        Args:
            stated: The problem, as :func:`agentflow.prompts.stated` has it.

        Raises:
            Refused: If the server refuses (the solution may be longer than its context).
            BadReply: If what it answers is not two probabilities a step.
            ModelUnavailable: If it does not answer, however often it is asked.
        """
        said = "".join(f"{_letters(step).strip()}{SEPARATOR}" for step in steps)
        texts = {"system": SYSTEM, "user": _letters(stated), "assistant": said}
        messages = [{"role": role, "content": text} for role, text in texts.items()]
        return await attempts(self.retries + 1, _silent)(self._ask_once, messages, len(steps))

    async def _ask_once(self, messages: list[dict[str, str]], steps: int) -> Rewards:
        await self.open()
        body = {"model": self.name, "messages": messages, "use_activation": True}
        return self._read(await self._ask("/pooling", body), steps)

    def _read(self, reply: Any, steps: int) -> Rewards:
        with self._reading("/pooling"):
            data = fields.entries(fields.member(reply, "data"), "data")
            if not data:
                raise Wrong("data", data or None, "a list of one")
            rows = fields.entries(fields.member(data[0], "data"), "data[0].data")
            if len(rows) != steps:
                raise Wrong(
                    "data[0].data",
                    list(rows),
                    f"a row for each of {steps} steps (is {self.name} "
                    f"a process reward model that scores at {SEPARATOR}?)",
                )
            pairs = [_pair(row) for row in rows]
            tokens = fields.usage(reply)[0] or 0
        return Rewards(tuple(min(max(right, 0.0), 1.0) for _, right in pairs), tokens)


def _silent(error: BaseException) -> bool:
    """Whether an error is that of a server which does not answer."""
    return isinstance(error, ModelUnavailable) and not isinstance(error, BadReply)


def _pair(row: Any) -> tuple[float, float]:
    """The probabilities of (wrong, right)."""
    name = "data[0].data[]"
    found = [fields.probability(one, name) for one in fields.entries(row, name)]
    if len(found) != 2 or abs(sum(found) - 1) > _ROUNDED:
        raise Wrong(name, found, "the probabilities of two classes")
    return found[0], found[1]


def _letters(text: str) -> str:
    """The text with nothing in it that the server's tokenizer would take for a special token."""
    return _SPELLS.sub("< ", text)
