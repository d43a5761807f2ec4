"""The format of Anthropic's messages: how a reply is written, whole and as a stream of events.

The thinking is a block of its own, where the client asked for it; the answer is a block of text,
sent once, when it is final.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from agentflow.server.reasoning import Delta
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest
from agentflow.server.results import AnswerText, Ended, answer_text, extension, thinking, tokens

SIGNATURE = "agentflow"
"""Signs every thinking: clients send it back, and it is no part of the next problem."""

_KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    405: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
}


class MessageReply:
    """A reply; ``head`` holds ``id`` and ``model``."""

    def __init__(
        self, head: Mapping[str, Any], asked: GenerationRequest, *, thinks: bool = False
    ) -> None:
        self.head, self.asked, self.thinks = head, asked, thinks
        self._begun = self._thought = False

    def whole(self, ended: Sequence[Ended]) -> dict[str, Any]:
        """All of it."""
        (one,) = ended
        said, thought = answer_text(one.result, self.asked), thinking(one.result).strip()
        content: list[dict[str, Any]] = []
        if self.thinks and thought:
            content.append({"type": "thinking", "thinking": thought, "signature": SIGNATURE})
        if said.text:
            content.append({"type": "text", "text": said.text})
        reply = self._message(content) | _stops(one, said)
        return reply | {"usage": _usage(ended), "agentflow": extension(one)}

    def delta(self, index: int, delta: Delta) -> bytes:
        """A piece of the thinking, as events; none where the client did not ask for it."""
        if not self.thinks:
            return b""
        opened = self._opened()
        if not self._thought:
            self._thought = True
            block = {"type": "thinking", "thinking": "", "signature": ""}
            opened += _event("content_block_start", index=0, content_block=block)
        extra = {} if delta.intervention is None else {"agentflow": delta.intervention}
        piece = {"type": "thinking_delta", "thinking": delta.text}
        return opened + _event("content_block_delta", index=0, delta=piece, **extra)

    def end(self, index: int, ended: Ended) -> bytes:
        """The run's end, as events: the answer, and what it is worth."""
        said, at = answer_text(ended.result, self.asked), int(self._thought)
        out = self._opened()
        if self._thought:
            signed = {"type": "signature_delta", "signature": SIGNATURE}
            out += _event("content_block_delta", index=0, delta=signed)
            out += _event("content_block_stop", index=0)
        if said.text:
            block, piece = {"type": "text", "text": ""}, {"type": "text_delta", "text": said.text}
            out += _event("content_block_start", index=at, content_block=block)
            out += _event("content_block_delta", index=at, delta=piece)
            out += _event("content_block_stop", index=at)
        event = {"usage": _usage([ended]), "agentflow": extension(ended)}
        return out + _event("message_delta", delta=_stops(ended, said), **event)

    def last(self, ended: Sequence[Ended]) -> bytes:
        """The end of a stream."""
        return _event("message_stop")

    def _opened(self) -> bytes:
        """The event that a stream begins with, unless it was sent; nothing is counted by then."""
        if self._begun:
            return b""
        self._begun = True
        usage = {"input_tokens": 0, "output_tokens": 0}
        ends = {"stop_reason": None, "stop_sequence": None}
        return _event("message_start", message=self._message([]) | ends | {"usage": usage})

    def _message(self, content: list[dict[str, Any]]) -> dict[str, Any]:
        message = {"type": "message", "role": "assistant", "content": content}
        return {"id": self.head["id"], "model": self.head["model"]} | message


def _stops(ended: Ended, said: AnswerText) -> dict[str, str | None]:
    """Why the message ends."""
    if said.unfilled:
        reason = "refusal"
    elif said.stopped is not None:
        reason = "stop_sequence"
    elif ended.spent and ended.result.answer is None:
        reason = "max_tokens"
    else:
        reason = "end_turn"
    return {"stop_reason": reason, "stop_sequence": said.stopped}


def _usage(ended: Sequence[Ended]) -> dict[str, int]:
    prompt, generated = tokens(ended)
    return {"input_tokens": prompt, "output_tokens": generated}


def _event(kind: str, **fields: Any) -> bytes:
    data = orjson.dumps({"type": kind, **fields})
    return b"event: " + kind.encode() + b"\ndata: " + data + b"\n\n"


def error_body(refused: Refused, id: str) -> dict[str, Any]:
    """An error as Anthropic's API words it."""
    kind = _KINDS.get(refused.status, "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": str(refused)}, "request_id": id}


def error_event(refused: Refused, id: str) -> bytes:
    """An error behind the first byte of a stream."""
    return b"event: error\ndata: " + orjson.dumps(error_body(refused, id)) + b"\n\n"
