"""The format of OpenAI's older completions: texts in, texts out, without thinking.

Programs that evaluate models speak it. What a method gives them is the answer's text. What asks for
the probabilities of a given text, token by token, is refused: a method has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentflow.server import requested as reading
from agentflow.server import wire
from agentflow.server.reasoning import Delta
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest
from agentflow.server.results import Ended, answer_text, extension
from agentflow.server.wire import DONE, NEUTRAL, Sampled

_SCORES = (
    "a method tells no probabilities of tokens: of an evaluation, use the tasks that generate a "
    "text (generate_until), not those that compare likelihoods"
)
_NEUTRAL: reading.Neutral = {
    **{name: one for name, one in NEUTRAL.items() if "tool" not in name and "func" not in name},
    "best_of": ((1,), "ask for a method that samples, as verified_sampling"),
    "echo": ((False,), _SCORES),
    "logprobs": ((), _SCORES),
    "suffix": (("",), "a method fills no gaps"),
}


class CompletionRequest(Sampled):
    """The body of a request for completions."""

    prompt: Any

    def asked(self) -> GenerationRequest:
        """What it asks for.

        Raises:
            Refused: If the prompts are no texts (400).
        """
        given = [self.prompt] if isinstance(self.prompt, str) else self.prompt
        if not (isinstance(given, list) and all(isinstance(one, str) for one in given)):
            message = "prompt: give texts, not token ids (of lm-eval: tokenized_requests=False)"
            raise Refused(400, message, "unsupported_value", "prompt")
        if not (given and all(one.strip() for one in given)):
            raise Refused(400, "prompt: it is empty", "invalid_value", "prompt")
        return GenerationRequest(
            self.model,
            tuple(given),
            self.n or 1,
            self.settings,
            self.agentflow or {},
            reading.stops(self.stop, "stop"),
            stream=bool(self.stream),
        )


def read(body: bytes) -> CompletionRequest:
    """A request's body.

    Raises:
        Refused: As :func:`agentflow.server.wire.read`.
    """
    return reading.parsed(body, CompletionRequest, _NEUTRAL)


class CompletionReply:
    """A reply; ``head`` holds ``id``, ``created`` and ``model``."""

    def __init__(
        self, head: Mapping[str, Any], asked: GenerationRequest, *, with_usage: bool = False
    ) -> None:
        self.head, self.asked, self.with_usage = head, asked, with_usage

    def whole(self, ended: Sequence[Ended]) -> dict[str, Any]:
        """All of it."""
        choices = [self._choice(index, one) for index, one in enumerate(ended)]
        return self._reply(choices) | {"usage": wire.usage(ended)}

    def delta(self, index: int, delta: Delta) -> bytes:
        """Thinking has no place here."""
        return b""

    def end(self, index: int, ended: Ended) -> bytes:
        """A run's end, as an event."""
        return wire.event(self._reply([self._choice(index, ended)]))

    def last(self, ended: Sequence[Ended]) -> bytes:
        """The end of a stream, as events: what all of it cost."""
        body = self._reply([]) | {"usage": wire.usage(ended)}
        return (wire.event(body) if self.with_usage else b"") + DONE

    def _reply(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {**self.head, "object": "text_completion", "choices": choices}

    def _choice(self, index: int, ended: Ended) -> dict[str, Any]:
        text = answer_text(ended.result, self.asked).text
        choice = {"index": index, "text": text, "finish_reason": "stop", "logprobs": None}
        return choice | {"agentflow": extension(ended)}
