"""Whether thinking and answer are split right, by file and model.

How each source recorded the thought is known from its description. Where a text has the markers of
its format just once, what stands between and behind them is the thinking and the answer; that is
compared. A text with other marks (the model wrote one twice, or quotes it) must still be split into
parts that are the text, and its answer hold no marker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from agentflow.thinking import Split, split
from agentflow.thinking_formats import MARKERS
from real.recordings import Finding, Recording


class Marks(NamedTuple):
    """How a model's thought is marked in a recording, as written there."""

    opens: str
    closes: str
    wraps: tuple[str, str] = ("", "")


THINK = Marks("<think>", "</think>")
NONE = Marks("", "")

KNOWN: dict[tuple[str, str], Marks] = {
    ("mip_overthinking", "deepseek-r1"): THINK,
    ("mip_overthinking", "deepseek-r1-distill-qwen (DSQ)"): THINK,
    ("mip_overthinking", "qwq-32b"): THINK,
    ("mip_overthinking", "s1.1"): Marks("think\n", "\nanswer\n"),
    ("thought_anchors", "deepseek-r1-distill-llama-8b"): THINK,
    ("thought_anchors", "deepseek-r1-distill-qwen-14b"): THINK,
    ("korgym", "DeepSeek-R1-Distill-Llama-70B"): THINK,
    ("korgym", "DeepSeek-R1-Distill-Qwen-32B"): THINK,
    ("korgym", "DeepSeek-R1-Distill-Qwen-7B"): THINK,
    ("reasoning_gym_rl3b", "qwen2.5-3b-rl (reasoning-gym)"): THINK,
    ("marco_o1", "marco-o1 CoT demo data"): Marks(
        "<Thought>", "</Thought>", ("<Output>", "</Output>")
    ),
    ("mmlupro_think", "unstated (Ollama baseline)"): THINK,
    ("mmlupro_think", "unstated (Qwen3-style, main baseline)"): THINK,
    **{
        ("steering_thinking_annotated", f"deepseek-r1-distill-{name}"): THINK
        for name in ("llama-70b", "llama-8b", "qwen-1.5b", "qwen-14b", "qwen-32b")
    },
}
"""(file, model) -> its marks. All others mark nothing, or have their thought in a field of its own:
the text cannot be told apart, or is an answer."""


def section(recordings: Sequence[Recording]) -> Finding:
    """The section of ``real_text.py``."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    wrong: Counter[tuple[str, str]] = Counter()
    missed = list[str]()
    known = 0
    for one in recordings:
        place = (one.file, one.model)
        marks, found = KNOWN.get(place, NONE), split(one.output)
        counts.setdefault(place, Counter())[found.how] += 1
        known += place in KNOWN
        if why := _wrong(found, marks):
            wrong[place] += 1
            missed.append(f"{one.row.get('id')} ({one.file}, {one.model}): {why}")
    rows = [
        {
            "file": file,
            "model": model,
            "marked by": " ".join(KNOWN.get((file, model), NONE)[:2]).replace("\n", "\\n") or "-",
            "split": ", ".join(f"{how} {n}" for how, n in sorted(ways.items())),
            "wrong": wrong[file, model],
        }
        for (file, model), ways in counts.items()
    ]
    summary = f"{known} of a known format, {len(recordings) - known} without; {len(missed)} wrong"
    return Finding(rows, not missed, summary, missed)


def _wrong(found: Split, marks: Marks) -> str:
    """What is wrong with a split; empty for nothing."""
    text = found.text
    ends = [0, *(part.end for part in found.parts)]
    if ends[-1] != len(text) or [part.start for part in found.parts] != ends[:-1]:
        return "the parts are not the text"
    if marks is NONE:  # what nothing marks is said to be unknown
        marked = any(one in text for both in MARKERS.values() for one in both)
        return "" if marked or found.how == "unmarked" else f"{found.how}, without a mark"
    opens, closes, wraps = marks
    begins = text.lstrip().startswith(opens)
    count = text.count(opens), text.count(closes)
    expected = {
        (True, 1, 1): "closed",
        (True, 1, 0): "unclosed",
        (False, 0, 1): "only closed",
        (False, 0, 0): "unmarked",
    }.get((begins, *count))
    if expected is None:
        marked = any(mark in (found.answer or "") for mark in (opens, closes))
        return "a marker in the answer" if marked and found.how != "unmarked" else ""
    if found.how != expected:
        return f"{found.how} instead of {expected}"
    thinking, _, answer = text.partition(closes)
    thinking = thinking.lstrip().removeprefix(opens) if begins else thinking
    answer = answer.strip().removeprefix(wraps[0]).removesuffix(wraps[1])
    if expected != "unmarked" and found.thinking.strip() != thinking.strip():
        return "other thinking"
    if "closed" in expected.split() and (found.answer or "").strip() != answer.strip():
        return "another answer"
    return ""
