"""The sentence that a report leads with: which arm solves most, at what cost, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

from agentflow.evaluation.summary import Comparison, Summary

_CHANCE = 0.05


def lead(lines: Sequence[Summary], pairs: Sequence[Comparison]) -> str:
    """The sentence.

    Args:
        lines: Every arm's; the first is what the others are compared with.
        pairs: What :func:`~agentflow.evaluation.summary.comparisons` makes of the same runs.
    """
    first, best = lines[0], max(lines, key=lambda line: (line.accuracy.value, -line.tokens))
    share = f"{best.accuracy.percent()} of {best.runs:,} runs"
    if len(lines) == 1:
        return f"{best.arm} solves {share}, with {best.tokens:,.0f} tokens a run."
    if best is first:
        return f"No arm solves more than {best.arm}: {share}, with {best.tokens:,.0f} tokens a run."
    pair = next((one for one in pairs if (one.arm, one.base) == (best.arm, first.arm)), None)
    sentence = f"{best.arm} solves most: {share}, with {best.tokens:,.0f} tokens a run"
    sentence += f" ({first.arm}: {100 * first.accuracy.value:.1f} % with {first.tokens:,.0f})."
    if best.accuracy.value == first.accuracy.value:
        return (
            f"{best.arm} solves as many as {first.arm} with the fewest tokens: {share}, with "
            f"{best.tokens:,.0f} tokens a run ({first.arm}: {first.tokens:,.0f})."
        )
    if pair is None:
        return f"{sentence} The two have no run in common, so the difference is not tested."
    return f"{sentence} {_sure(pair)}"


def _sure(pair: Comparison) -> str:
    """Whether the gain could be chance."""
    gain = f"The gain over {pair.base} is {pair.gain.points()} points"
    unanimous = pair.gain.low == pair.gain.high  # no draw differs: the interval tells nothing
    if pair.gain.low > 0 and (pair.p < _CHANCE if pair.p is not None else not unanimous):
        return f"{gain} on the {pair.runs:,} runs that both have."
    return f"{gain}: {pair.runs:,} runs are too few to tell it from chance."
