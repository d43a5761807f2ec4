"""Profiles: how a model is spoken to, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters; every request sends all of them."""

    temperature: float = 0.6
    top_p: float = 0.95
    top_k: int = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of prompt text; only a ``special`` piece may become special tokens."""

    text: str
    special: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """Markers, templates and limits of one family of models.

    Attributes:
        name: The profile's name.
        turn_open, turn_close: Special tokens around a turn of the chat.
        think_open, think_close: Markers around the thinking.
        prefills_thinking: Whether the prompt must open the thinking (else the model does).
        stops: Special tokens that end the model's turn.
        answer_prefix: Text put behind the close marker when thinking is closed for the model.
        thinking_note: Feedback while thinking; ``{reason}`` is the verdict's reason.
        answer_note: Feedback in the answer part.
        context: Context length in tokens.
        max_tokens: Generated tokens allowed for one problem by default.
        sampling: Default sampling.
    """

    name: str
    turn_open: str = "<|im_start|>"
    turn_close: str = "<|im_end|>"
    think_open: str = "<think>"
    think_close: str = "</think>"
    prefills_thinking: bool = True
    stops: tuple[str, ...] = ("<|im_end|>",)
    answer_prefix: str = "\n"
    thinking_note: str = "Wait, {reason}\n"
    answer_note: str = "[verifier: {reason}]\n"
    context: int = 32_768
    max_tokens: int = 32_768
    sampling: Sampling = field(default_factory=Sampling)

    def render(self, user: str, system: str = "") -> list[Piece]:
        """The prompt for one user turn, up to where the model's own text begins (ChatML)."""
        return list(self._render(user, system))

    def _render(self, user: str, system: str) -> Iterator[Piece]:
        for role, text in (("system", system), ("user", user)):
            if text:
                yield Piece(self.turn_open, special=True)
                yield Piece(f"{role}\n{text}")
                yield Piece(self.turn_close, special=True)
                yield Piece("\n")
        yield Piece(self.turn_open, special=True)
        yield Piece("assistant\n")
        if self.prefills_thinking:
            yield Piece(self.think_open, special=True)
            yield Piece("\n")

    @property
    def markers(self) -> tuple[str, ...]:
        """Every marker that is recognised by its token id in generated text."""
        return (self.think_open, self.think_close, *self.stops)


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("qwen3-thinking"),
        Profile(
            "pocket",
            context=2048,
            max_tokens=1024,
            sampling=Sampling(temperature=0.7, top_p=0.95, top_k=20),
        ),
    )
}


def detect(model_name: str) -> Profile:
    """The profile for a served model's name; ``qwen3-thinking`` where nothing fits better."""
    pocket = "pocket" in model_name.lower()
    return PROFILES["pocket" if pocket else "qwen3-thinking"]
