"""Verified sampling: what a sample is told of the last one, and what is answered in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from langgraph.types import Overwrite
from pydantic import Field

from agentflow.channels import AnswerVerdict, Sample
from agentflow.domains import Domain
from agentflow.monitors import Act, Monitor
from agentflow.nodes.flexive import FlexiVeSettings
from agentflow.nodes.judges import Judge, JudgeSettings
from agentflow.nodes.judging import Judging
from agentflow.nodes.last_word import Outcome, last_word
from agentflow.nodes.panel import refuted_by_domain, rulings_in
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.solution import begin_again, told_again
from agentflow.nodes.solve import Task
from agentflow.nodes.team import TeamSettings
from agentflow.own_parts import equal_of
from agentflow.problem import Problem
from agentflow.run import Status
from agentflow.search.majority import vote
from agentflow.settings import Few, Settings
from agentflow.verdict import Verdict

Feedback = Literal["sample", "precaution", "post_editing"]
"""What follows a rejected solution: a fresh sample, one that is warned, or the solution revised
(VerifiAgent, section 4.4)."""

Richness = Literal["result", "reason", "revision"]
"""What is said of it: the result, also why, also how to mend it."""

_FOLDER = "verified_sampling"


class FeedbackSettings(Settings):
    """Settings of how a sample is made."""

    reasoner: Literal["cot", "tools"] = Field(
        default="cot",
        description="cot thinks by itself; tools lets it call Python, Z3 and search as it goes",
    )
    feedback: Feedback = Field(
        default="sample",
        description="After a rejected solution: sample afresh; precaution solves anew, told what "
        "was wrong; post_editing revises the solution",
    )
    richness: Richness = Field(
        default="revision",
        description="What is told: the result alone, the reason with it, or also how to revise, "
        "where the verifier says that",
    )

    @property
    def needs_continuing(self) -> bool:
        """A solver with tools goes on behind what they found."""
        return self.reasoner == "tools"


class VerifiedSamplingSettings(FeedbackSettings, FlexiVeSettings, JudgeSettings, TeamSettings):
    """Settings of verified_sampling and of its verifiers."""

    verifier: Judge = Field(
        default="domain",
        description="Who judges the samples: the domain's own verifiers and tools, or one that "
        "asks a model; the paper's is verifiagent",
    )
    n: Few = Field(default=10, description="Samples before the majority answers")

    @property
    def verifies_steps(self) -> bool:
        return self.verifier == "domain"


_EVALUATIONS = {False: "incorrect", None: "not shown to be correct", True: "can be improved"}


@node(FeedbackSettings, Judging)
async def guide(run: Judging[FeedbackSettings]) -> Update:
    """Begin the sample with a prompt that has more around the problem's.

    That is the feedback on the last sample, where there is a ``verdict``, for post-editing with its
    ``solution``; and how tools are called.
    """
    settings, verdict = run.settings, run.verdict
    templates, texts, update = list[tuple[str, str]](), dict[str, str](), Update()
    if verdict:
        templates.append((_FOLDER, settings.feedback))
        texts = {"feedback": feedback_of(verdict, settings.richness), "solution": run.solution}
        update = {"verdict": {}} | told_again(run, verdict)
    if settings.reasoner == "tools":
        templates.append((_FOLDER, "tools"))
    return update | await begin_again(run, templates, texts, verdict.reason if verdict else "")


async def acting(task: Task) -> Sequence[Monitor]:
    """What watches a solver: one with tools stops behind its actions."""
    return [Act()] if task.settings.reasoner == "tools" else []


def feedback_of(verdict: Verdict, richness: Richness) -> str:
    """What is said of a rejected solution, so far as its verifier says it."""
    said = {"Evaluation": _EVALUATIONS[verdict.ok]}
    if richness != "result":
        said["Error reason"] = verdict.reason
    if richness == "revision":
        said["Revision method"] = verdict.evidence.get("revision", "")
    return "\n".join(f"{label}: {text}" for label, text in said.items() if text)


@node(Settings)
async def choose(run: Run[Settings]) -> Update:
    """Set ``result``: the answer that passed, else that of the majority, which nobody vouches for.

    Of several that passed, the first that is verified is taken, else the first; by their branches.
    An answer that the domain refuted in any sample, whose verifier is complete, is only a
    candidate, and so is one in a text that was cut short.
    """
    domain, problem, samples = await run.domain(), run.problem, run.samples
    count, last = len(samples), samples[-1]
    unrefuted = await not_refuted(samples, domain, problem)
    if passed := [one for one in unrefuted if one.answer is not None]:
        first = min(passed, key=lambda one: one.status != "verified")
        reason = f"{first.reason}; sample {first.branch + 1}"
        return await result_of(run, first, first.answer, reason)
    standing = [one for one in unrefuted if one.verdict]
    if agreed := await majority_of(standing, domain, problem):
        reason, voted = agreed[0].reason, f"majority {len(agreed)} of {count}"
        reason = f"none of {count} samples passed; {voted}: {reason}" if count > 1 else reason
        return await result_of(run, agreed[0], agreed[0].said, reason, "unverified")
    chosen = (await majority_of(samples, domain, problem) or [last])[0]
    return await result_of(run, chosen, None, _none_passed(samples))


@node(Settings)
async def give_last(run: Run[Settings]) -> Update:
    """Set ``result``: the last solution, whether it passed or the solutions came to their end with
    it (Generate-Test; interwhen, section 5.3).

    An answer that the domain refuted, whose verifier is complete, is only a candidate.
    """
    samples, last = run.samples, run.samples[-1]
    count, standing = len(samples), await not_refuted(samples, await run.domain(), run.problem)
    if last.answer is not None and last in standing:
        return await result_of(run, last, last.answer, f"{last.reason}; sample {count}")
    reason = _none_passed(samples)
    if last not in standing or last.said is None or not last.verdict:
        return await result_of(run, last, None, reason)
    return await result_of(run, last, last.said, reason, "unverified")


def _none_passed(samples: Sequence[Sample]) -> str:
    """What is said of samples none of which passed."""
    last, count = samples[-1].reason, len(samples)
    return f"none of {count} samples passed; the last: {last}" if count > 1 else last


def refuted(sample: Sample, domain: Domain, problem: Problem) -> bool:
    """Whether the domain refuted the sample's answer and cannot have been wrong."""
    if (verdict := sample.verdict) is None:
        return False
    driven = [call for one in rulings_in(verdict) for call in one.evidence.get("calls", ())]
    asked = any((call["tool"], call["outcome"]) == ("domain", "refuted") for call in driven)
    return domain.decides(problem) and (asked or refuted_by_domain(verdict))


async def not_refuted(samples: Sequence[Sample], domain: Domain, problem: Problem) -> list[Sample]:
    """The samples whose answer the domain refuted neither in them nor in another one."""
    wrong = [one.said for one in samples if refuted(one, domain, problem) and one.said]
    return [
        one
        for one in samples
        if not refuted(one, domain, problem)
        and not any([await equal_of(domain, problem, one.said or "", answer) for answer in wrong])
    ]


def answered(samples: Sequence[Sample]) -> list[Sample]:
    """Those that came to their end, with an answer."""
    return [one for one in samples if one.said is not None and one.verdict]


def unanswered(samples: Sequence[Sample]) -> Sample:
    """The sample that a run without an answer shows: the first with a candidate, else the first."""
    ordered = sorted(samples, key=lambda one: one.branch)
    return next((one for one in ordered if one.said is not None), ordered[0])


async def majority_of(
    samples: Sequence[Sample],
    domain: Domain,
    problem: Problem,
    worth: Callable[[Sequence[Sample]], float] = len,
) -> list[Sample]:
    """The samples with the answer that most of them gave, or that is worth most, by branch."""
    return await vote(samples, lambda one: one.said, partial(equal_of, domain, problem), worth)


async def result_of(
    run: Run[Any],
    chosen: Sample,
    answer: str | None,
    reason: str,
    status: Status | None = None,
    final: AnswerVerdict | None = None,
) -> Update:
    """The update: the result after the domain's last word, and the chosen sample as the trace.

    Args:
        answer: What is answered; None for nothing.
        status: What may be claimed for it, where that is not the chosen sample's; without an
            answer, how the run ended.
        final: The domain's verdict on the answer, where it was asked already.
    """
    if answer is None:
        status = status or ("abstained" if chosen.status == "abstained" else "exhausted")
    candidate = chosen.said if answer is None else None
    begun = run.begun(chosen.member)
    said = f"{reason}; written by {begun['model']}" if begun and chosen.said else reason
    said = "; ".join([said, *run.failed_tools[:1]])
    outcome = Outcome(answer, status or chosen.status, said, candidate, chosen.error)
    whole = begun | {"operations": Overwrite(chosen.operations)}  # its own prompt included
    return {
        **(whole if begun else {"operations": chosen.operations[1:]}),
        "judged": chosen.judged,
        "corrections": chosen.corrections,
    } | await last_word(run, outcome, final=final)
