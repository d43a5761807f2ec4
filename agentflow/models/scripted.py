"""A model that plays a script: for tests, yours and ours.

It streams exact tokens with log-probabilities, forks on what its prompt says, waits, and breaks
on demand. Token ids are stable within one instance and any prefix is continued exactly.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass

from agentflow.errors import AgentflowError, BadInput
from agentflow.models.model import Capabilities, Finish, Request, Token
from agentflow.profile import PROFILES, Piece, Profile


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait before the next token."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Fault:
    """Break the stream here with ``error``."""

    error: AgentflowError


Reply = str | Sequence["str | Token | Delay | Fault"]
"""Text is cut into tokens: markers whole, then words with the space before them."""

_WORDS = r" ?[^\s<]+|\s|<"
_FIRST_ID = 1_000_000
"""Ids below are free for scripts that give their tokens' ids themselves."""


def _at_end(pattern: str) -> str:
    return rf"(?:{pattern})\Z"


class ScriptedModel:
    """A :class:`~agentflow.models.model.Model` that plays ``script``.

    Args:
        script: One reply for every request; or a mapping from regular expressions to replies,
            of which the first that matches the *end* of the prompt's text is played; or a
            function from the prompt's text to a reply.
        profile: How it is spoken to.
        capabilities: What it claims to be able to do.

    Attributes:
        requests: Every request received.
        streamed: Tokens sent, over all requests.

    Raises:
        BadInput: If a key is no regular expression that can be looked for at the end.
    """

    def __init__(
        self,
        script: Reply | Mapping[str, Reply] | Callable[[str], Reply],
        *,
        profile: Profile = PROFILES["pocket"],
        capabilities: Capabilities = Capabilities(),  # noqa: B008  (frozen)
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.profile = profile
        self.capabilities = capabilities
        self.requests: list[Request] = []
        self.streamed = 0
        self._script = script
        for pattern in script if isinstance(script, Mapping) else ():
            try:
                re.compile(_at_end(pattern))
            except re.error as error:
                why = f"the key {pattern!r} cannot be looked for at the end ({error})"
                raise BadInput(f"ScriptedModel: {why}; write flags as in (?s:.*)") from error
        self._ids: dict[str, int] = {}
        self._texts: dict[int, str] = {}
        markers = sorted({*profile.markers, *profile.template.specials}, key=len, reverse=True)
        marker = "|".join(map(re.escape, markers)) or "(?!)"
        self._split = re.compile(rf"{marker}| ?(?:(?!{marker})[^\s<])+|\s|<")

    async def open(self) -> None:
        """Nothing to connect to."""

    async def close(self) -> None:
        """Nothing to release."""

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Ids of the pieces, by the same cut as replies; a non-special marker stays letters."""
        return tuple(
            self._id(text)
            for piece in pieces
            for text in ([piece.text] if piece.special else re.findall(_WORDS, piece.text))
        )

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Play the reply for the prompt, up to ``request.max_tokens`` tokens."""
        self.requests.append(request)
        prompt = request.prompt if isinstance(request.prompt, str) else self.text(request.prompt)
        sent = 0
        for item in self._items(prompt):
            if isinstance(item, Delay):
                await asyncio.sleep(item.seconds)
                continue
            if isinstance(item, Fault):
                raise item.error
            if sent == request.max_tokens:
                yield Finish("length", len(request.prompt))
                return
            if item.text in self.profile.stops:
                break
            sent += 1
            self.streamed += 1
            yield item
            await asyncio.sleep(0)
        yield Finish("stop", len(request.prompt))

    def text(self, ids: Sequence[int]) -> str:
        """The text of token ids.

        Raises:
            ValueError: If another object gave one of them.
        """
        if not self._texts.keys() >= set(ids):
            raise ValueError(
                "the prompt has tokens of another scripted model; give a thread that goes on the "
                "same object that it was begun with"
            )
        return "".join(self._texts[i] for i in ids)

    def _items(self, prompt: str) -> list[Token | Delay | Fault]:
        reply = self._reply(prompt)
        items: list[Token | Delay | Fault] = []
        for item in [reply] if isinstance(reply, str) else reply:
            if isinstance(item, str):
                items += [Token(t, self._id(t), 0.0) for t in self._split.findall(item)]
                continue
            if isinstance(item, Token):
                if item.id is None:
                    item = item._replace(id=self._id(item.text))
                else:
                    self._texts[item.id] = item.text
            items.append(item)
        return items

    def _reply(self, prompt: str) -> Reply:
        if callable(self._script):
            return self._script(prompt)
        if isinstance(self._script, Mapping):
            for pattern, reply in self._script.items():
                if re.search(_at_end(pattern), prompt):
                    return reply
            raise AssertionError(f"no scripted reply for a prompt ending in {prompt[-80:]!r}")
        return self._script

    def _id(self, text: str) -> int:
        if text not in self._ids:
            self._ids[text] = _FIRST_ID + len(self._ids)
            self._texts[self._ids[text]] = text
        return self._ids[text]
