"""The format of Anthropic's messages: what is read of a request."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agentflow.server import requested as reading
from agentflow.server import shapes
from agentflow.server.conversation import Turn, problem, wrong
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest, Parameters

_NO_TOOLS = "a method uses no tools of its client's"
_NEUTRAL: reading.Neutral = {
    "container": ((), _NO_TOOLS),
    "context_management": (({}, {"edits": []}), "a conversation is taken as it is"),
    "mcp_servers": (([],), _NO_TOOLS),
    "tool_choice": (({"type": "none"}, {"type": "auto"}), _NO_TOOLS),
    "tools": (([],), _NO_TOOLS),
}
"""Parameters of the API that no method takes."""

_THOUGHT = ("thinking", "redacted_thinking")


class Block(BaseModel):
    """A block of content: text, or a thinking of before, which is no part of the problem."""

    model_config = ConfigDict(strict=True, extra="ignore")

    type: str
    text: str | None = None


class Message(BaseModel):
    """A message of the conversation."""

    model_config = ConfigDict(strict=True, extra="forbid")

    role: str
    content: str | list[Block]

    def turn(self, number: int) -> Turn:
        """What it says.

        Raises:
            Refused: If part of it is no text (400).
        """
        if isinstance(self.content, str):
            return Turn(self.role, self.content)
        texts = []
        for block in self.content:
            if block.type in _THOUGHT and self.role == "assistant":
                continue
            if block.type != "text" or block.text is None:
                raise wrong(number, f"{block.type[:64]}: only text is taken; leave it out")
            texts.append(block.text)
        return Turn(self.role, "\n".join(texts))


class Thinking(BaseModel):
    """Whether the reply shows the thinking; its length is bounded by ``max_tokens`` alone."""

    model_config = ConfigDict(strict=True, extra="ignore")

    type: Literal["enabled", "adaptive", "between_tools", "disabled"]
    display: str | None = None


class OutputConfig(BaseModel):
    """The JSON that the answer is to come in; how much effort it is worth is read for nothing."""

    model_config = ConfigDict(strict=True, extra="forbid")

    effort: str | None = None
    format: dict[str, Any] | None = None


class MessagesRequest(Parameters):
    """The body of a request for a message.

    The last of its parameters are read for nothing: who asks, where and how fast a provider works,
    and what it may cache.
    """

    messages: Annotated[list[Message], Field(min_length=1)]
    max_tokens: Annotated[int, Field(ge=1)]
    system: str | list[Block] | None = None
    stop_sequences: list[str] | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    cache_control: dict[str, Any] | None = None
    diagnostics: dict[str, Any] | None = None
    inference_geo: str | None = None
    metadata: dict[str, Any] | None = None
    service_tier: str | None = None
    speed: str | None = None

    @property
    def shows_thinking(self) -> bool:
        """Whether the client asked for the thinking."""
        asked = self.thinking
        return (
            asked is not None
            and asked.type in ("enabled", "adaptive")
            and asked.display != "omitted"
        )

    @property
    def problem(self) -> str:
        """The problem's text; see :func:`agentflow.server.conversation.problem` for errors."""
        turns = [one.turn(number) for number, one in enumerate(self.messages)]
        if unknown := [turn.role for turn in turns if turn.role not in ("user", "assistant")]:
            number = next(n for n, turn in enumerate(turns) if turn.role == unknown[0])
            raise wrong(number, f"{unknown[0][:64]}: its role is user or assistant")
        if self.system is None:
            return problem(turns)
        said = Message(role="system", content=self.system).turn(-1)
        return problem([said, *turns] if said.text.strip() else turns, -bool(said.text.strip()))

    def asked(self) -> GenerationRequest:
        """What it asks for.

        Raises:
            Refused: If a message or a parameter cannot be taken (400).
        """
        wanted = self.output_config.format if self.output_config else None
        shape = None
        if wanted is not None:
            if wanted.get("type") != "json_schema":
                message = "output_config.format: its type is json_schema"
                raise Refused(400, message, "invalid_value", "output_config")
            shape = shapes.of_schema(wanted.get("schema"), "output_config.format.schema")
        stop = reading.stops(self.stop_sequences, "stop_sequences")
        if shape is not None and stop:
            message = "stop_sequences: they would cut the JSON asked for; leave one of both out"
            raise Refused(400, message, "unsupported_value", "stop_sequences")
        settings = reading.settings_of(
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            top_p=self.top_p,
            top_k=self.top_k,
        )
        return GenerationRequest(
            self.model,
            (self.problem,),
            1,
            settings,
            self.agentflow or {},
            stop,
            shape,
            bool(self.stream),
            bounded=True,
        )


def read(body: bytes) -> MessagesRequest:
    """A request's body.

    Raises:
        Refused: If it is no JSON, or a parameter is unknown, unsupported or wrong (400); names it.
    """
    return reading.parsed(body, MessagesRequest, _NEUTRAL)
