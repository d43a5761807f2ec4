"""How models mark their thinking: the table that everything which splits a text reads.

Sources: the models' cards, and the reasoning parsers of vLLM, as of November 2026. Where a model
thinks without marking it (LIMO, QwQ-32B-Preview, Sky-T1) there is no format to be had.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """How a model marks its thinking; each entry is a regular expression.

    Attributes:
        name: What it is called on the command line.
        opens, closes: Markers around the thinking.
        wraps: What stands around the answer behind the closing marker, and is none of it.
        words: Whether the markers are ordinary words, which mean nothing in a text that does not
            begin with the opening one.
        both: Whether even then the closing one must be there.
        sure: Whether an opening one begins thinking wherever it stands.
        noise: Further marks that are neither thinking nor answer.
    """

    name: str
    opens: str
    closes: str
    wraps: tuple[str, str] | None = None
    words: bool = False
    both: bool = False
    sure: bool = False
    noise: str = ""


def pair(name: str, opens: str, closes: str, wraps: tuple[str, str] | None = None) -> Format:
    """A format of two markers, as they are written; a tag's letters in either case.

    Args:
        opens: Empty for one that only prompts have.
        wraps: What may stand around the answer, as it is written.
    """
    around = (_literal(wraps[0]), _literal(wraps[1])) if wraps else None
    return Format(name, _literal(opens), _literal(closes), around)


def _literal(marker: str) -> str:
    """An expression for it; one that matches nothing for none."""
    if marker.startswith("<"):
        return f"<(?i:{re.escape(marker[1:])})"
    return re.escape(marker) or "(?!)"


PLAIN = Format("plain", "", "")
"""Of a model that does not think apart: all of its text is the answer."""

MARKERS = {
    "think": ("<think>", "</think>"),
    "magistral": ("[THINK]", "[/THINK]"),
    "seed": ("<seed:think>", "</seed:think>"),
    "longcat": ("<longcat_think>", "</longcat_think>"),
    "kimi": ("◁think▷", "◁/think▷"),
    "thinking": ("<thinking>", "</thinking>"),
    "thought": ("<thought>", "</thought>"),
    "reasoning": ("<reasoning>", "</reasoning>"),
    "scratchpad": ("<scratchpad>", "</scratchpad>"),
    "begin-of-thought": ("<|begin_of_thought|>", "<|end_of_thought|>"),
    "cohere": ("<|START_THINKING|>", "<|END_THINKING|>"),
    "apertus": ("<|inner_prefix|>", "<|inner_suffix|>"),
    "gemma": ("<|channel>thought\n", "<channel|>"),
}
"""Formats of two markers. ``think`` is that of Qwen, DeepSeek, Phi-4-reasoning, GLM, Nemotron,
EXAONE 4, Hunyuan, ERNIE, MiniMax, Kimi K2 and more; ``thought`` of Marco-o1 and EXAONE Deep;
``kimi`` of Kimi-VL and Kimi-Dev; ``thinking`` and ``scratchpad`` of prompted Claude; ``gemma`` of
Gemma 4."""

_WRAPS = {  # an <answer> is left for the domains, which read it
    "think": ("<response>", "</response>"),
    "thinking": ("<output>", "</output>"),
    "thought": ("<output>", "</output>"),
    "begin-of-thought": ("<|begin_of_solution|>", "<|end_of_solution|>"),
    "cohere": ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
}


def _header(channel: str) -> str:
    """What a message of gpt-oss begins with."""
    return (
        r"<\|(?:end\|>\s{0,4}<\|start\|>assistant[^<\n]{0,80}<\|channel\|>"
        rf"|start\|>assistant[^<\n]{{0,80}}<\|channel\|>|channel\|>)(?:{channel})"
        r"[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
    )


FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        *(pair(name, *both, _WRAPS.get(name)) for name, both in MARKERS.items()),
        Format(  # gpt-oss, with its special tokens
            "harmony",
            _header("analysis|commentary"),
            _header("final"),
            sure=True,
            noise=r"<\|(?:end|return|call)\|>",
        ),
        # The same without them, as some servers print it.
        Format("harmony-words", r"analysis(?=\S)", "assistantfinal", words=True, both=True),
        Format(  # s1, likewise with and without
            "s1",
            r"^(?:<\|im_start\|>)?think\r?\n",
            r"^(?:<\|im_start\|>)?answer(?:\r?\n|\Z)",
            words=True,
        ),
        Format(  # Granite 3.2
            "granite",
            r"Here(?: i|')s my thought process:",
            r"Here(?: i|')s my response:",
            words=True,
        ),
        Format(  # Apriel
            "apriel",
            r"Here are my reasoning steps:",
            r"\[BEGIN FINAL RESPONSE\]",
            words=True,
            noise=r"\[END FINAL RESPONSE\]",
        ),
        PLAIN,
    )
}
"""Every known format by its name."""


def of_markers(opens: str, closes: str) -> Format:
    """The format of a profile's markers; :data:`PLAIN` where it has none."""
    if not closes:
        return PLAIN
    known = (FORMATS[name] for name, both in MARKERS.items() if both == (opens, closes))
    return next(known, pair(closes, opens, closes))
