"""Profiles: how a model is spoken to, as data; ours stand in ``profiles.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, Self

from agentflow.errors import BadInput
from agentflow.thinking import split
from agentflow.thinking_formats import FORMATS, PLAIN, Format, of_markers

Thinking = Literal["open", "none", "plain"]
"""How a prompt begins the model's turn: with the thinking opened; with it skipped, by a thinking
part that is already closed; or as the model's template does by itself."""

_READ: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("profiles.toml").read_text("utf-8")
)

HESITATIONS = (
    *("Wait", "double-check", "Alternatively", "Hmm", "Let me check", "Alright", "make sure"),
    *("Another way", "Let me verify", "to confirm", "Looking back", "But wait"),
)
"""Words at which a model hesitates (Solve-Detect-Verify, figure 8)."""


RESUME = "That is inconsistent; resume from the last valid state."
"""What a note says besides its reason (interwhen, section 4.3)."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters; every request sends all of them."""

    temperature: float = 0.6
    top_p: float = 0.95
    top_k: int = 20


GREEDY = Sampling(temperature=0.0, top_p=1.0, top_k=0)
"""The likeliest token, always."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of prompt text; only a ``special`` piece may become special tokens."""

    text: str
    special: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """A chat template, as the text it writes around the contents of one user turn.

    With a system text a prompt is ``start`` system ``middle`` user ``end``, without one it is
    ``alone`` user ``end``. So a default system prompt stands in ``alone``.

    Attributes:
        start, middle, alone, end: As above; ``end`` opens the model's turn.
        specials: What is a special token in them; everything else is letters.
        trims: Whether space around the contents is dropped.
    """

    start: str
    middle: str
    alone: str
    end: str
    specials: tuple[str, ...] = ()
    trims: bool = False


def _fields(table: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a table of ``profiles.toml``, and those of the one that it is like."""
    found = dict(table)
    if like := found.pop("like", None):
        found = {**others[like], **found}
    return {key: tuple(one) if isinstance(one, list) else one for key, one in found.items()}


def _template(table: Mapping[str, Any]) -> Template:
    fields = _fields(table, _READ["templates"])
    return Template(**{"alone": fields["start"] + fields["middle"], **fields})


_TEMPLATES = {name: _template(table) for name, table in _READ["templates"].items()}


@dataclass(frozen=True, slots=True)
class Profile:
    """Markers, template and limits of one family of models.

    Attributes:
        name: The profile's name.
        template: The chat template.
        think_open, think_close: Markers around the thinking; both empty for a model that does not
            think apart, whose whole text is the answer part.
        no_think: What makes the model answer at once: a thinking part without a thought.
        stops: Special tokens that end the model's turn.
        fast_thought: What the thinking part of FlexiVe's fast runs holds, which the model did not
            think (Solve-Detect-Verify, figure 3); empty for nothing.
        answer_prefix: Text put behind the close marker when thinking is closed for the model.
        answer_lead: Text behind the close marker that brings the answer itself about, for probes
            (EAT, section 5.3).
        thinking_note: Feedback while thinking; ``{reason}`` is the verdict's reason.
        answer_note: Feedback in the answer part.
        hesitations: Words that the model begins to doubt itself with, whatever their case.
        yes, no: How it spells the two answers to a question; case and spacing do not matter.
        boundary: What it ends a step of its reasoning with, a line or a paragraph.
        tools: Whether the model's own template is known to have calls of tools.
        always_thinks: Whether the model was made to think before every reply: it never gets an
            empty thinking part.
        proves_claims: Whether its Z3 programs check what a solution claims (the negation where it
            says False), as the bundled model learnt, instead of the problem's own statement.
        context: Context length in tokens.
        max_tokens: Generated tokens allowed for one problem by default.
        search_tokens: Generated tokens allowed for one search step by step by default.
        sampling: Default sampling.
    """

    name: str
    template: Template = _TEMPLATES["chatml"]
    think_open: str = "<think>"
    think_close: str = "</think>"
    no_think: str = "<think>\n\n</think>\n\n"
    fast_thought: str = "Okay, I think I have finished thinking."
    stops: tuple[str, ...] = ("<|im_end|>", "<|endoftext|>")
    answer_prefix: str = "\n"
    answer_lead: str = "\nFinal answer:"
    thinking_note: str = f"Wait, {{reason}}. {RESUME}\n"
    answer_note: str = f"[verifier: {{reason}}. {RESUME}]\n"
    hesitations: tuple[str, ...] = HESITATIONS
    yes: tuple[str, ...] = ("Yes",)
    no: tuple[str, ...] = ("No",)
    boundary: Literal["line", "paragraph"] = "paragraph"
    tools: bool = False
    always_thinks: bool = False
    proves_claims: bool = False
    context: int = 32_768
    max_tokens: int = 32_768
    search_tokens: int = 65_536
    sampling: Sampling = field(default_factory=Sampling)

    def render(
        self, user: str, system: str = "", *, thinking: Thinking = "open", body: str = ""
    ) -> list[Piece]:
        """The prompt for one user turn, up to where the model's own text begins or goes on.

        Each special piece is one special token, and comes from the template or is a marker of the
        profile: what ``user`` and ``system`` spell stays letters.

        Args:
            thinking: How the model's turn begins; all the same for a model without markers.
            body: What the model wrote behind that already; markers in it are markers.
        """
        template, end = self.template, self._end(thinking)
        if template.trims:
            user, system = user.strip(), system.strip()
        pieces = [
            *_split(template.start if system else template.alone, self._specials),
            *([Piece(system), *_split(template.middle, self._specials)] if system else ()),
            Piece(user),
            *_split(end, self._specials),
            *_split(body, self._thinking_markers),
        ]
        return list(_merged(pieces))

    def follow_up(self, user: str, *, thinking: Thinking = "none", closed: bool) -> list[Piece]:
        """A further user turn behind a turn of the model's that is under way.

        Args:
            thinking: How the model's next turn begins.
            closed: Whether the thinking of the turn under way was closed.
        """
        template = self.template
        ends = "" if template.middle.startswith(self.stops) else self.stops[0]
        close = "" if closed else self.think_close
        if template.trims:
            user = user.strip()
        specials = (*self._specials, *self.stops)
        pieces = [
            *_split(close + ends + template.middle, specials),
            Piece(user),
            *_split(self._end(thinking), specials),
        ]
        return list(_merged(pieces))

    def said(self, text: str, *, opened: bool = False) -> str:
        """What a reply says behind its thinking; nothing where the thinking has no end.

        Args:
            opened: Whether the prompt opened the thinking.
        """
        form = of_markers(self.think_open, self.think_close)
        return split(text, form, opened=opened and form is not PLAIN).answer or ""

    def note(self, reason: str, *, answering: bool = False) -> str:
        """The feedback that is put into the model's text."""
        template = self.answer_note if answering else self.thinking_note
        if "{reason}." in template:
            reason = reason.rstrip().removesuffix(".")
        return template.format(reason=reason)

    def begins(self, *, continues: bool, think: bool = False) -> Thinking:
        """How the turn of a model that is asked for a reply begins: at once, without a thought,
        where it can and is not to think.

        Args:
            continues: Whether the model goes on from a text of ours.
            think: Whether it may think first.
        """
        if not continues:
            return "plain"
        return "open" if self.think_open and (think or self.always_thinks) else "none"

    @property
    def thought_already(self) -> Profile:
        """This profile with its thinking skipped by a thought that stands there already."""
        if not (self.fast_thought and self.think_open):
            return self
        thought = f"{self.think_open}\n{self.fast_thought}\n{self.think_close}\n\n"
        return replace(self, no_think=thought)

    @property
    def at_once(self) -> Profile:
        """This profile with every turn of the model begun behind a thought that is already
        finished, so that it answers without thinking (NoThinking, Ma et al. 2025)."""
        end, markers = self.thought_already._end("none"), self._thinking_markers
        template = replace(self.template, end=end, specials=self.template.specials + markers)
        return replace(
            self, template=template, think_open="", think_close="", no_think="", always_thinks=False
        )

    def within(self, context: int | None) -> Self:
        """This profile with no more context than that; as it is for None."""
        return replace(self, context=min(self.context, context or self.context))

    def _end(self, thinking: Thinking) -> str:
        """The template's end with the thinking as wanted, whatever it does by itself."""
        end = self.template.end
        if thinking == "plain" or not self.think_open:
            return end
        turn, opened, behind = end.rpartition(self.think_open)
        if not opened or behind.replace(self.think_close, "").strip():
            turn, opened = end, ""
        if thinking == "none":
            return turn + self.no_think
        still_open = opened and self.think_close not in behind
        return end if still_open else f"{turn}{self.think_open}\n"

    @property
    def opened(self) -> bool:
        """Whether the template opens the thinking, so that the model's own text begins in it."""
        end = self.template.end
        at = end.rfind(self.think_open) if self.think_open else -1
        return at >= 0 and self.think_close not in end[at:]

    @property
    def _thinking_markers(self) -> tuple[str, ...]:
        return tuple(marker for marker in (self.think_open, self.think_close) if marker)

    @property
    def _specials(self) -> tuple[str, ...]:
        return (*self.template.specials, *self._thinking_markers)

    @property
    def closing(self) -> list[Piece]:
        """What is put behind thinking to end it for the model."""
        return [Piece(self.think_close, special=True), Piece(self.answer_prefix)]

    @property
    def markers(self) -> tuple[str, ...]:
        """Every marker that is recognised by its token id in generated text."""
        return (*self._thinking_markers, *self.stops)


def _split(text: str, specials: Iterable[str]) -> list[Piece]:
    """The text cut at its special tokens, the longest first where several match."""
    known = sorted(specials, key=len, reverse=True)
    parts = re.split(f"({'|'.join(map(re.escape, known))})", text) if known else [text]
    return [Piece(part, special=number % 2 == 1) for number, part in enumerate(parts)]


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces without empty ones, letters side by side as one: so they tokenise as one text."""
    for special, group in groupby((p for p in pieces if p.text), lambda piece: piece.special):
        if special:
            yield from group
        else:
            yield Piece("".join(piece.text for piece in group))


def _profile(name: str, table: Mapping[str, Any]) -> Profile:
    fields = _fields(table, _READ["bases"])
    template = _TEMPLATES[fields.pop("template", "chatml")]
    return Profile(name, template, sampling=Sampling(**fields.pop("sampling", {})), **fields)


PROFILES = {name: _profile(name, table) for name, table in _READ["profiles"].items()}
"""Every profile by its name. Sampling and lengths are the papers': interwhen's for Qwen and
Phi-4, EAT's for the R1 distills, those of adaptive compute for the instruct models; for Magistral
and Seed-OSS those of the models' cards.
``chatml`` is any other model that answers without thinking apart (SmolLM2).
There is none for gpt-oss: its thinking ends with several tokens, so that raw completions cannot go
on inside it; a server with the chat API tells it apart by itself."""


def detect(model_name: str, chat_template: str = "") -> Profile:
    """The profile that fits a served model best.

    Args:
        model_name: Its name decides where it tells.
        chat_template: Else what stands in this, the model's own template or a prompt it wrote.

    Returns:
        One of :data:`PROFILES`; ``qwen3`` where nothing tells.
    """
    for pattern, name in _READ["detect"]["names"]:
        if re.search(pattern, model_name, re.IGNORECASE):
            return PROFILES[name]
    if not chat_template:
        return PROFILES["qwen3"]
    known = _READ["detect"]["templates"]
    return PROFILES[
        next(name for texts, name in known if all(text in chat_template for text in texts))
    ]


def thinking_format(name: str) -> tuple[Format, bool]:
    """How the thinking is marked in a format, or in the text of a profile's model.

    Returns:
        The format, and whether the text begins in the thinking.

    Raises:
        BadInput: If there is neither; names all.
    """
    if name in FORMATS:
        return FORMATS[name], False
    if name in PROFILES:
        profile = PROFILES[name]
        return of_markers(profile.think_open, profile.think_close), profile.opened
    known = ", ".join((*FORMATS, *PROFILES))
    raise BadInput(f"unknown format of thinking {name[:40]!r}; known: {known}")
