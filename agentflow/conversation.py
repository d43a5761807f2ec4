"""A conversation as one text: each message under a heading that says whose it is."""

from __future__ import annotations

from collections.abc import Iterable

SPEAKERS = {
    "system": "Instructions",
    "developer": "Instructions",
    "user": "User",
    "assistant": "Assistant",
}
"""Whose messages are taken -> the heading over them."""


def is_several(text: str) -> bool:
    """Whether a text may be one that :func:`as_text` made."""
    return text.startswith(tuple(f"[{heading}]\n" for heading in SPEAKERS.values()))


def as_text(messages: Iterable[tuple[str, str]]) -> str:
    """All messages, each (whose it is, its text)."""
    return "\n\n".join(f"[{SPEAKERS[role]}]\n{text.strip()}" for role, text in messages)
