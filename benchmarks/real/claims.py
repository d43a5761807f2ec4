"""Whether the calculations of right recordings stand, by file and model.

In a recording that came to the right answer hardly a line is wrong: one that is refuted was most
likely misread. Every line is read as mathematics, thinking and answer apart, and its claims are
judged in exact fractions, without the sandbox. What needs more than fractions is undecided here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agentflow import domains
from agentflow.domains.math.claims import Claim, is_plain, judge
from agentflow.judge import steps
from agentflow.problem import Problem
from agentflow.state import State
from real.recordings import Finding, Recording

GOAL = 0.01
"""Share of the lines read as claims that may be refuted."""

_ALL = re.compile("")
TASKS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("qwen_math", "mip_overthinking", "thought_anchors", "tora"), _ALL),
    **dict.fromkeys(("countdown_qwen3", "overthinking_solutions"), _ALL),
    "zeroeval_json": re.compile(r"(?i)gsm|math"),
    "korgym": re.compile(r"jiafa|NpointPlus"),
    "reasoning_gym": re.compile(
        r"puzzle24|countdown|polynomial|simple_equations|integration|gsm|chain_sum|decimal"
        r"|number_format|prime_fact|fraction|geometry|time_intervals|rectangle"
    ),
    "reasoning_gym_rl3b": re.compile(r"arithmetic|algebra(?!_to)|geometry|games"),
}
"""File -> the tasks in it that are mathematics or arithmetic."""

_COUNTS = ("claims", "passed", "undecided", "refuted", "unread")


def section(recordings: Sequence[Recording]) -> Finding:
    """The section of ``real_text.py``."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    missed = list[str]()
    for one in recordings:
        if one.row.get("correct") is not True or not _is_mathematics(one):
            continue
        count = counts.setdefault((one.file, one.model), Counter())
        count["recordings"] += 1
        for outcome, said in judged(one):
            count[outcome] += 1
            count["claims"] += outcome != "unread"
            if outcome == "refuted":
                missed.append(f"{one.row.get('id')} ({one.file}, {one.model}): {said}")
    rows = [
        {"file": file, "model": model, **{key: n[key] for key in ("recordings", *_COUNTS)}}
        for (file, model), n in counts.items()
    ]
    claims, refuted = (sum(n[key] for n in counts.values()) for key in ("claims", "refuted"))
    share = refuted / max(claims, 1)
    summary = f"{refuted} of {claims} lines read as claims refuted, {share:.2%}"
    return Finding(rows, refuted <= GOAL * claims, summary, missed)


def judged(recording: Recording) -> Iterator[tuple[str, str]]:
    """(``passed``, ``refuted``, ``undecided`` or ``unread``; the line, and why it is refuted)."""
    domain, text = domains.get("math"), recording.output
    for step in steps(domain, problem_of(recording), text):
        outcome, reason = _outcome(step)
        line = " ".join(text[step.start : step.end].split())
        yield outcome, f"{line[:200]!r}: {reason}" if reason else line


def problem_of(recording: Recording) -> Problem:
    """The recording's problem for mathematics; one that says nothing where none is stored."""
    said = str(recording.row.get("problem") or "").strip()
    return domains.get("math").parse(said[:100_000] or "?")


def _is_mathematics(recording: Recording) -> bool:
    tasks = TASKS.get(recording.file)
    return tasks is not None and tasks.search(str(recording.row.get("task"))) is not None


def _outcome(step: State) -> tuple[str, str]:
    if "claim" in step.data:
        return "unread", ""
    claims = [Claim(**claim) for claim in step.data["claims"]]
    found = [judge(claim) if is_plain(claim) else None for claim in claims]
    for one in found:
        if one is not None and one.ok is False:
            return "refuted", one.reason
    holds = all(one is not None and one.ok for one in found)
    return "passed" if holds else "undecided", ""
