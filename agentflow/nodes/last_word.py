"""The last word: what may be claimed for an answer, once the domain has judged exactly it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from agentflow.channels import AnswerVerdict
from agentflow.configurable import BUDGET_KEY
from agentflow.domains.protocol import ACCEPTED
from agentflow.ledger import Entries
from agentflow.nodes.context import configured
from agentflow.nodes.run import Run, Update
from agentflow.own_parts import verdict_of
from agentflow.run import Status
from agentflow.settings import Require
from agentflow.verdict import TOOL_ERROR, VERIFIER_ERROR, Verdict

_FAILED = (VERIFIER_ERROR, TOOL_ERROR)
_NOBODY_JUDGES = "nothing here can tell whether it is right"
_UNASKED = "judge_answers=false leaves answers unjudged"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method came to, before or after the domain's last word.

    Attributes:
        answer: The answer to be given, None for none.
        status: What may be claimed for it.
        reason: Who says so, or why there is no answer.
        candidate: The best answer that is not given.
        error: What went wrong on the way.
    """

    answer: str | None
    status: Status
    reason: str = ""
    candidate: str | None = None
    error: str = ""


async def judge_answer(run: Run[Any], answer: str) -> tuple[AnswerVerdict, Entries]:
    """The domain's verdict on an answer, and what its tools cost."""
    tools = run.tool_log(f"verify/{len(run.operations)}")
    domain = await run.domain(tools)
    verdict = await verdict_of(domain, "verify_answer", run.problem, answer)
    final = AnswerVerdict(**asdict(verdict), answer=answer)
    run.emit({"type": "verdict", "monitor": "verify", "final": True} | asdict(final))
    run.spent(tools.entries)
    return final, tools.entries


async def last_word(
    run: Run[Any],
    outcome: Outcome,
    *,
    incomplete: str = "",
    doubt: str = "",
    final: AnswerVerdict | None = None,
) -> Update:
    """The update that ends a run: ``result``, the verdict ``final`` it rests on, and its cost.

    A domain that checks answers to the problem is asked about every one before it is given,
    whatever gave it, unless that very answer was judged before or the settings leave answers
    unjudged.

    Args:
        outcome: What the method came to.
        incomplete: Why the steps do not come to the answer; empty if they do, or nobody can tell.
        doubt: Why a verdict that passes the answer is no proof of it; empty if it is one.
        final: The domain's verdict on the answer, where a sample had it judged; else the run's own.
    """
    settings, entries, domain = run.settings, Entries(), await run.domain()
    final = final or run.final
    proved = outcome.status in ("verified", "incomplete")
    known = proved or (final is not None and final.answer == outcome.answer)
    checks = settings.judge_answers and domain.checks(run.problem)
    if outcome.answer is not None and not known and checks:
        final, entries = await judge_answer(run, outcome.answer)
    if outcome.answer is None or final is None or final.answer != outcome.answer:
        final = None
    given = granted(outcome, final, settings.require, incomplete, doubt)
    given = cut_short(given, _over(run))
    given = replace(given, reason="; ".join(filter(None, [given.reason, _failing(run, given)])))
    if given.status == "unverified" and not given.reason:
        why = _NOBODY_JUDGES if settings.judge_answers else _UNASKED
        given = replace(given, reason=why)
    judged = asdict(final) if final else {}
    answer, candidate = (one and domain.shown(one) for one in (given.answer, given.candidate))
    given = replace(given, answer=answer, candidate=candidate)
    return {"result": asdict(given), "final": judged, "ledger": entries}


def _failing(run: Run[Any], given: Outcome) -> str:
    """What did not work of the parts and tools that should have judged the run's states; empty
    where all worked, or where the reason says it already."""
    judged = run.judged or [one for sample in run.samples for one in sample.judgements]
    failures = [one.verdict.reason for one in judged if one.verdict.kind in _FAILED]
    if not failures or failures[0] in given.reason:
        return ""
    more = f" (and {len(failures) - 1} more of {len(judged)} verdicts)" if failures[1:] else ""
    return f"not judged: {failures[0]}{more}"


def _over(run: Run[Any]) -> str:
    """Which limit of the run was reached, in words; empty for none.

    Without the API's shared budget, as in Studio, it is reached where all that the ledger holds is
    too much and something was cut short for it.
    """
    if configured(BUDGET_KEY):
        return run.budget.over
    verdicts = [run.verdict, *(sample.verdict for sample in run.samples)]
    cut = run.stream.limit or any(one and one.kind == "exhausted" for one in verdicts)
    cut = cut or any(sample.status == "exhausted" for sample in run.samples)
    return run.budget.spent if cut else ""


def cut_short(outcome: Outcome, over: str) -> Outcome:
    """The outcome of a run that a limit may have cut short: ``exhausted``, unless somebody vouches
    for the answer; one that nobody does becomes the candidate."""
    if not over or outcome.status in ("verified", "incomplete", "accepted"):
        return outcome
    reason = outcome.reason
    said = reason if over in reason else "; ".join(filter(None, [over, reason]))
    candidate = outcome.answer or outcome.candidate
    return Outcome(None, "exhausted", said, candidate, outcome.error)


def granted(
    outcome: Outcome,
    final: Verdict | None,
    require: Require,
    incomplete: str = "",
    doubt: str = "",
) -> Outcome:
    """What may be given of an outcome: the domain's refusal wins, and so does its proof.

    Args:
        final: The domain's verdict on the answer; None where it was not asked.
        require: What an answer must have to be given.
        incomplete, doubt: As of :func:`last_word`.
    """
    if outcome.answer is None:
        return outcome
    if final and final.ok is False:
        if require != "nothing":
            reason = f"the answer failed verification: {final.reason}"
            return Outcome(None, "abstained", reason, error=outcome.error)
        reason = f"refuted by {final.source}: {final.reason}"
        return replace(outcome, status="unverified", reason=reason)
    if final and final.ok and not doubt and outcome.status != "verified":
        reason = f"by {final.source}" + (f"; {outcome.reason}" if outcome.reason else "")
        outcome = replace(outcome, status="verified", reason=reason)
    passed = final is not None and final.ok is None and final.kind == ACCEPTED
    if final and passed and outcome.status == "unverified":
        reason = f"by {final.source}: {final.reason}"
        outcome = replace(outcome, status="accepted", reason=reason)
    if outcome.status == "verified" and incomplete:
        return replace(outcome, status="incomplete", reason=f"{outcome.reason}, but {incomplete}")
    if require == "proof" and outcome.status not in ("verified", "incomplete"):
        said = final.reason if final else ""
        why = said or doubt or outcome.reason or "it was not judged"
        reason = f"no proof of the answer: {why}"
        return Outcome(None, "abstained", reason, outcome.answer, outcome.error)
    if final is None:
        return outcome
    return replace(outcome, reason=outcome.reason or final.reason or doubt)
