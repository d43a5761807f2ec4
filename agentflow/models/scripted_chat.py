"""A chat model of LangChain's that plays messages: for tests, yours and ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field, PrivateAttr

TOKEN = re.compile(r"\s*\w{1,4}|\s*\W")
"""About what a token is."""


class ScriptedChat(BaseChatModel):
    """Plays one message after the other, in chunks of a token: the text, then the arguments of each
    call, one after the other.

    Attributes:
        script: The messages. Arguments that are no dict may stand as text in
            ``additional_kwargs["args"]``, by the call's id.
        received: What it was asked, request by request.
        sent: Chunks of each message that were streamed.
    """

    script: list[AIMessage]
    received: list[list[BaseMessage]] = Field(default_factory=list)
    sent: list[int] = Field(default_factory=list)
    _at: int = PrivateAttr(default=0)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        """The same model: its script knows what it calls."""
        return self

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        if self._at >= len(self.script):
            raise ValueError(f"the script has {len(self.script)} messages; one more was asked for")
        self.received.append(list(messages))
        self._at += 1
        return self.script[self._at - 1]

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **options: Any
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **options: Any
    ) -> Iterator[ChatGenerationChunk]:
        message = self._next(messages)
        self.sent.append(0)
        for chunk in chunks_of(message):
            self.sent[-1] += 1
            yield ChatGenerationChunk(message=chunk)


def chunks_of(message: AIMessage) -> list[AIMessageChunk]:
    """A message as it would be streamed."""
    raw = message.additional_kwargs.get("args", {})
    found = [AIMessageChunk(content=one) for one in TOKEN.findall(message.text)]
    for at, call in enumerate(message.tool_calls):
        begin = tool_call_chunk(name=call["name"], id=call["id"], args="", index=at)
        found.append(AIMessageChunk(content="", tool_call_chunks=[begin]))
        text = raw[call["id"]] if call["id"] in raw else json.dumps(call["args"])
        for piece in TOKEN.findall(text):
            more = tool_call_chunk(args=piece, index=at)
            found.append(AIMessageChunk(content="", tool_call_chunks=[more]))
    return found or [AIMessageChunk(content="")]
