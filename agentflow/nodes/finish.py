"""Finish: what the run came to, and what may be claimed for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentflow.channels import StreamEnd
from agentflow.domains import Domain
from agentflow.monitors.stream_result import Judged
from agentflow.nodes.last_word import Outcome, last_word
from agentflow.nodes.run import Run, Update, View, node
from agentflow.problem import Problem
from agentflow.settings import Settings
from agentflow.trace import Trace

_CALLS = ("act", "call_end")
"""Monitors whose states are calls of tools."""


@node(Settings)
async def finish(run: Run[Settings]) -> Update:
    """Set ``result``."""
    domain = await run.domain()
    if run.abstained:
        return await last_word(run, Outcome(None, "abstained", run.abstained))
    return await last_word(
        run,
        _outcome(run, domain),
        incomplete=_unfinished(run, domain),
        doubt="" if domain.decides(run.problem) else _doubt(run),
    )


def answer_of(run: View[Any], domain: Domain) -> str | None:
    """The answer stated in the trace's answer part, if it has the form of one."""
    return stated(run.trace, run.close, domain, run.problem, run.judged_now)


def stated(
    trace: Trace, close: str, domain: Domain, problem: Problem, judged: Iterable[Judged] = ()
) -> str | None:
    """The same of a trace whose thinking ends at ``close``; None where the answer was asked for
    and nothing came.

    Args:
        judged: What monitors judged of it: calls of tools, and what they said, state no answer.
    """
    text = trace.said(close, calls_in(judged))
    said = None if text is None or _left_open(trace, domain) else domain.answer(text)
    return said if said is not None and domain.is_answer(problem, said) else None


def calls_in(judged: Iterable[Judged]) -> list[tuple[int, int]]:
    """Where in a text the tools were called that were, begin and end."""
    calls = (one.state for one in judged if one.monitor in _CALLS and not one.gone)
    return [(state.start, state.data["end"]) for state in calls]


def opening_of(domain: Domain) -> str:
    """What we begin an answer with that was asked for."""
    return domain.opening or "Answer:\n"


def _left_open(trace: Trace, domain: Domain) -> bool:
    """Whether no word stands behind our beginning of an answer: what stands above it was no answer
    when it was asked for, and our beginning makes it none."""
    last = max((n for n, one in enumerate(trace.segments) if one.kind == "marker"), default=None)
    if last is None or not trace.segments[last].text.endswith(opening_of(domain)):
        return False
    behind = "".join(one.text for one in trace.segments[last + 1 :]) + trace.leftover
    return not any(map(str.isalnum, behind))


UNFINISHED = ("length", "broken")
"""How a stream ended that did not come to its end."""


def unfinished(end: StreamEnd) -> str:
    """Why such a stream, or one that a monitor ended, did not."""
    if end.ended == "abstained":
        return end.wanted.reason
    if end.ended == "intervened":
        return f"too many corrections; the last: {end.wanted.reason}"
    return f"{end.limit}, with no answer yet" if end.ended == "length" else end.error


def no_answer(run: View[Any], domain: Domain) -> Outcome:
    """The outcome of a text that came to its end without an answer of the domain's form."""
    text = run.trace.said(run.close, calls_in(run.judged_now))
    said = None if text is None else domain.answer(text)
    if said is None:
        return Outcome(None, "exhausted", "no answer found")
    reason = f"no answer found: could not read {domain.shown(said)[:80]!r} as {domain.form}"
    return Outcome(None, "exhausted", reason, said)


def _outcome(run: View[Any], domain: Domain) -> Outcome:
    end = run.stream
    if end.ended in UNFINISHED:
        return Outcome(None, "exhausted", unfinished(end), _candidate(run), end.error)
    if end.ended != "stop":
        return Outcome(None, "abstained", unfinished(end), _candidate(run), end.error)
    answer = answer_of(run, domain)
    if answer is None:
        return no_answer(run, domain)
    return Outcome(answer, "unverified", error=end.error)


def _steps(run: View[Any]) -> list[Judged]:
    """What the step verifier judged in this attempt."""
    return [one for one in run.judged_now if one.monitor == "step_verifier"]


def _doubt(run: View[Any]) -> str:
    """Why the steps do not bear an answer out; empty if every one passed or was corrected."""
    judged = _steps(run)
    left = [one.verdict.ok for one in judged if not one.corrected]
    if False in left:
        return "a step was refuted"
    if None in left:
        return "some steps could not be verified"
    return "" if judged else "no step could be read"


def _unfinished(run: View[Any], domain: Domain) -> str:
    """Why the steps of this attempt that passed, and stand, do not come to the answer."""
    passed = [one for one in _steps(run) if one.verdict.ok and not one.gone]
    steps = [one.state for one in passed if one.state.kind == "step"]
    return domain.unfinished(run.problem, steps) or ""


def _candidate(run: View[Any]) -> str | None:
    """The last proposed answer that passed its verification."""
    answers = [one.state.data.get("answer") for one in run.judged if one.verdict.ok]
    return next((str(answer) for answer in reversed(answers) if answer is not None), None)
