"""Turns: how a model that only answers messages is shown what was written so far, to go on from it.

The weaker form of continuing a text: the model's turn is sent back as its own, with a verifier's
notes in it, and a further turn asks it to go on (interwhen, its black-box form).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from json import JSONDecoder
from typing import Any

import orjson

from agentflow import prompts
from agentflow.errors import MissingCapability
from agentflow.models.server_json import packed
from agentflow.profile import Piece, Profile, Sampling, Thinking

_TURN = "\x1e"
"""What stands in a prompt in front of a further user turn, as JSON; texts cannot hold it there."""

SEAM = " …\n"
"""What ends a line in which a stream broke off, and which the model is not shown again: such a line
is read by nobody."""


class ChatOnly:
    """A model whose server takes messages and nothing else."""

    name: str

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Nothing that it can do: raises ``MissingCapability``."""
        raise MissingCapability(f"{self.name} is chat-only and has no tokenizer")


@dataclass(frozen=True, slots=True)
class ChatProfile(Profile):
    """A profile whose prompt is the messages as JSON; the server has the template.

    What stands behind that JSON is the model's turn so far.
    """

    def render(
        self, user: str, system: str = "", *, thinking: Thinking = "open", body: str = ""
    ) -> list[Piece]:
        """The messages, as the JSON that the request carries, and ``body`` behind them.

        How the model's turn begins is the server's to say, whatever ``thinking`` is.
        """
        texts = {"system": system, "user": user}
        messages = [{"role": role, "content": text} for role, text in texts.items() if text]
        pieces = [Piece(packed(messages).decode())]
        return [*pieces, Piece(body)] if body else pieces

    def follow_up(self, user: str, *, thinking: Thinking = "none", closed: bool) -> list[Piece]:
        """A further user turn behind the model's turn so far."""
        turn = {"role": "user", "content": user}
        return [Piece(_TURN + packed(turn).decode())]


CHAT = ChatProfile("chat", max_tokens=16_384, sampling=Sampling(1.0, 1.0, 0))
"""What is taken of a server of which nothing is known."""


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """What a prompt holds.

    Attributes:
        messages: Of the first turn.
        body: What the model wrote since, with what was put between.
        follow_up: A further turn that follows it; None for to go on.
    """

    messages: list[dict[str, Any]]
    body: str = ""
    follow_up: dict[str, Any] | None = None


def chat_prompt(prompt: tuple[int, ...] | str, name: str) -> ChatPrompt:
    """The parts of a prompt that :class:`ChatProfile` rendered, with a trace behind it.

    Raises:
        MissingCapability: If it is none.
    """
    try:
        if not isinstance(prompt, str):
            raise ValueError("token ids")
        messages, end = JSONDecoder().raw_decode(prompt)
        body, _, turn = prompt[end:].partition(_TURN)
        return ChatPrompt(messages, body, orjson.loads(turn) if turn else None)
    except ValueError as error:
        raise MissingCapability(
            f"{name} lacks the capability 'continues': it is chat-only and answers messages, not a "
            "text to go on from"
        ) from error


async def turns_of(prompt: ChatPrompt, profile: Profile) -> list[dict[str, Any]]:
    """The messages of a request: where the model wrote something already, it is shown that as its
    own turn, and asked to go on, or for its answer where its thinking was ended."""
    body = _whole(prompt.body)
    if not body.removeprefix(profile.think_open).strip():
        return [*prompt.messages, *([prompt.follow_up] if prompt.follow_up else ())]
    thinking, closed, answer = body.partition(profile.think_close)
    shown = f"{thinking.removeprefix(profile.think_open).strip()}\n\n{answer.strip()}".strip()
    follow_up = prompt.follow_up
    if follow_up is None:
        template = "conclude" if closed and not answer.strip() else "go_on"
        text = (await prompts.rendered("turns", template, profile, {}))[1]
        follow_up = {"role": "user", "content": text.strip()}
    # No model's own turn is empty, and some servers refuse one.
    return [*prompt.messages, {"role": "assistant", "content": shown or "…"}, follow_up]


def _whole(body: str) -> str:
    """A text up to the line that broke off last, if nothing follows it."""
    return body[: body.rfind("\n", 0, -1) + 1] if body.endswith(SEAM) else body


class Behind:
    """The pieces of a reply as they go on from a text: without the thinking's markers, and without
    the thinking itself, where those stand in the text already.

    Args:
        body: The text.
    """

    def __init__(self, profile: Profile, body: str) -> None:
        self.open, self.close = profile.think_open, profile.think_close
        self.begun, self.closed = bool(body.strip()), self.close in body
        self.thinking = False

    def takes(self, piece: str) -> bool:
        """Whether a piece is part of the text that goes on."""
        if not self.begun:
            return True
        if piece == self.open and not self.thinking:
            self.thinking = True
            return False
        if piece == self.close and self.thinking:
            self.thinking = False
            return not self.closed
        return not (self.thinking and self.closed)


def chat_profile(profile: Profile) -> ChatProfile:
    """The profile, for a server that has the template."""
    values = {field.name: getattr(profile, field.name) for field in fields_of(profile)}
    if not profile.think_close:  # a server may tell thinking apart where the model's text does not
        values |= {"think_open": CHAT.think_open, "think_close": CHAT.think_close}
    return ChatProfile(**values)
