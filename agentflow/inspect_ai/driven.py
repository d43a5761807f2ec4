"""Inspect's model as a model of ours, for a method to drive."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.model import Model as InspectModel

from agentflow.errors import StreamBroken
from agentflow.models import Capabilities, Finish, Request, Token
from agentflow.models.model import whole
from agentflow.models.splitter import Splitter
from agentflow.models.turns import CHAT, Behind, ChatOnly, chat_prompt, turns_of
from agentflow.profile import Profile

_ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


class Driven(ChatOnly):
    """A model of Inspect's: chat-only, and its replies come as a whole.

    Each request is a call of Inspect's: its log has it, its limits count it, and its cache and
    retries are those of any other call. What a call raises is Inspect's to handle.

    Args:
        model: The model.

    Attributes:
        used: What all calls used, as the provider says.
    """

    capabilities = Capabilities(continues=False, turns=True, exact_prefix=False, logprobs=0)

    def __init__(self, model: InspectModel) -> None:
        self.model = model
        self.name = str(model)
        self.profile: Profile = CHAT
        self.used = ModelUsage()

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do: Inspect does."""

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """The reply to the messages that the prompt holds, line by line.

        Raises:
            MissingCapability: If the prompt is not what the profile renders.
            StreamBroken: If the provider withholds the reply.
        """
        prompt = chat_prompt(request.prompt, self.name)
        turns = await turns_of(prompt, self.profile)
        messages: list[ChatMessage] = [_ROLES[one["role"]](content=one["content"]) for one in turns]
        output = await self.model.generate(messages, config=self._config(request))
        if output.usage is not None:
            self.used += output.usage
        if output.empty or output.stop_reason == "content_filter":
            why = output.error or "there is no reply"
            raise StreamBroken(f"{self.name}: the provider withholds the reply: {why}")
        splitter, behind = Splitter(self.profile), Behind(self.profile, prompt.body)
        reasoning, content = _texts(output)
        pieces = [piece for line in _lines(reasoning) for piece in splitter.feed(line, "")]
        pieces += [piece for line in _lines(content) for piece in splitter.feed("", line)]
        pieces += splitter.end()
        end = _finish(output)
        for token in whole(map(Token, filter(behind.takes, pieces)), end.generated):
            yield token
        yield end

    def _config(self, request: Request) -> GenerateConfig:
        """What the request asks for beside what the evaluation was set up with."""
        usual, sampling = self.profile.sampling, request.sampling
        short = request.max_tokens < self.profile.max_tokens
        return GenerateConfig(
            seed=request.seed,
            max_tokens=request.max_tokens if short else None,
            temperature=(
                None if sampling.temperature == usual.temperature else sampling.temperature
            ),
            top_p=None if sampling.top_p == usual.top_p else sampling.top_p,
        )


def _texts(output: ModelOutput) -> tuple[str, str]:
    """(thinking, content) of a reply."""
    message = output.message
    if isinstance(message.content, str):
        return "", message.content
    thought = [
        part.summary or "" if part.redacted else part.reasoning
        for part in message.content
        if isinstance(part, ContentReasoning)
    ]
    return "".join(thought), message.text


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _finish(output: ModelOutput) -> Finish:
    """How a reply ended, and what it used."""
    reason = "length" if output.stop_reason in ("max_tokens", "model_length") else "stop"
    if (used := output.usage) is None:
        return Finish(reason)
    cached = used.input_tokens_cache_read or 0
    prompt = used.input_tokens + cached + (used.input_tokens_cache_write or 0)
    return Finish(reason, prompt, cached, (), used.output_tokens, used.reasoning_tokens or 0)
