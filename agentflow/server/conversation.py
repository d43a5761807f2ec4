"""A conversation as one problem: what a client's messages come down to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agentflow.conversation import SPEAKERS, as_text
from agentflow.server.refused import Refused


class Turn(NamedTuple):
    """A message: who said what."""

    role: str
    text: str


def problem(turns: Sequence[Turn], first: int = 0) -> str:
    """The problem's text: the user's message; where a conversation leads to it, all of it, with a
    heading over each message. A domain that cannot read the rest refuses the problem.

    Args:
        first: The number of the first of them among the client's messages, for errors.

    Raises:
        Refused: If the last message is not the user's, if it is empty, or if one is a tool's (400).
    """
    for number, turn in enumerate(turns, first):
        if turn.role in ("tool", "function"):
            raise wrong(number, f"{turn.role}: a method uses no tools of its client's")
        if turn.role not in SPEAKERS:
            known = ", ".join(SPEAKERS)
            raise wrong(number, f"{turn.role[:64]}: its role is one of {known}")
    last = turns[-1]
    if last.role != "user":
        raise wrong(first + len(turns) - 1, f"{last.role}: the last message is the user's")
    if not last.text.strip():
        raise wrong(first + len(turns) - 1, "it is empty")
    if len(turns) == 1:
        return last.text
    return as_text(turns)


def wrong(number: int, why: str) -> Refused:
    """A message that cannot be taken."""
    code = "invalid_value" if why == "it is empty" else "unsupported_value"
    return Refused(400, f"messages[{number}]: {why}", code, "messages")
