"""A streamed reply while it comes in: how much of it, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentflow.models.fields import Usage, Wrong

_SPELLED, _SPELLED_MORE = 256, 1 << 16
"""Characters that a token may have on the average, and a stream beside that."""


@dataclass(slots=True)
class Incoming:
    """What has come of a reply.

    Attributes:
        most: Tokens that were asked for.
        name: Of the field in which the text comes, for errors.
        headers: Of the response, once there is one.
        pieces: Tokens so far; of a chat, pieces of the message.
        letters: Their characters.
        streamed: Tokens that were passed on.
        used: Tokens, as far as the server has told.
        reason: Why it ended, in OpenAI's words; empty as long as nobody said so.
        why: What went wrong where nobody did.
        gone: Whether the server may be gone then.
    """

    most: int
    name: str
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: int = 0
    letters: int = 0
    streamed: int = 0
    used: Usage = field(default_factory=Usage)
    reason: str = ""
    why: str = "it ended without a finish reason"
    gone: bool = True

    @property
    def full(self) -> bool:
        """Whether all that was asked for has come."""
        return self.pieces == self.most

    @property
    def room(self) -> int:
        """Characters that it may have: more than any tokenizer puts into its tokens."""
        return _SPELLED * self.most + _SPELLED_MORE

    def take(self, letters: int) -> None:
        """Count a piece.

        Raises:
            Wrong: If it is too much for the tokens that were asked for.
        """
        self.pieces += 1
        self.letters += letters
        if self.letters > self.room:
            raise Wrong(self.name, f"{self.letters} letters", f"those of {self.most} tokens")
