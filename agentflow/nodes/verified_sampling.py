"""Verified sampling: what a sample is told of the last one, and what is answered in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from langgraph.runtime import Runtime
from pydantic import Field

from agentflow.domains import Domain
from agentflow.monitors import Act, Monitor
from agentflow.nodes.context import domain_of, problem_of, settings_of
from agentflow.nodes.ending import ending
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.solution import begin_again, told_again
from agentflow.nodes.solve import Task
from agentflow.problem import Problem
from agentflow.run import RunState
from agentflow.search.majority import vote
from agentflow.settings import Settings

Feedback = Literal["sample", "precaution", "post_editing"]
"""What follows a rejected solution: a fresh sample, one that is warned, or the solution revised
(paper 004, section 4.4)."""

Richness = Literal["result", "reason", "revision"]
"""What is said of it: the result, also why, also how to mend it."""

_FOLDER = "verified_sampling"


class SamplingSettings(Settings):
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


async def guide(state: JudgingState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Begin the sample with a prompt that has more around the problem's.

    That is the feedback on the last sample, where there is a ``verdict``, for post-editing with its
    ``solution``; and how tools are called.
    """
    settings = settings_of(runtime, SamplingSettings)
    templates, texts, update = list[tuple[str, str]](), dict[str, str](), dict[str, Any]()
    verdict = state.get("verdict")
    if verdict:
        templates.append((_FOLDER, settings.feedback))
        said = feedback_of(verdict, settings.richness)
        texts = {"feedback": said, "solution": state["solution"]}
        update = {"verdict": {}} | told_again(state, runtime)
    if settings.reasoner == "tools":
        templates.append((_FOLDER, "tools"))
    reason = verdict["reason"] if verdict else ""
    return update | await begin_again(state, runtime, templates, texts, reason)


async def acting(task: Task) -> Sequence[Monitor]:
    """What watches a solver: one with tools stops behind its actions."""
    return [Act()] if task.settings.reasoner == "tools" else []


def feedback_of(verdict: Mapping[str, Any], richness: Richness) -> str:
    """What is said of a rejected solution, so far as its verifier says it."""
    said = {"Evaluation": "incorrect"}
    if richness != "result":
        said["Error reason"] = verdict["reason"]
    if richness == "revision":
        said["Revision method"] = verdict["evidence"].get("revision", "")
    return "\n".join(f"{label}: {text}" for label, text in said.items() if text)


@ending
async def choose(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Set ``result``: the answer that passed, else that of the majority, which nobody vouches for.

    An answer that the domain refuted in any sample, whose verifier is complete, is only a
    candidate, and so is one in a text that was cut short.
    """
    domain, problem = await domain_of(settings_of(runtime, Settings)), problem_of(state)
    samples = sorted(state["samples"], key=lambda sample: sample["branch"])
    count, last = len(samples), samples[-1]
    unrefuted = await not_refuted(samples, domain, problem)
    if last["answer"] is not None and last in unrefuted:
        return result_of(last, last["answer"], last["status"], f"{last['reason']}; sample {count}")
    standing = [one for one in unrefuted if one["verdict"]]
    reason = f"none of {count} samples passed"
    if agreed := await _majority(standing, domain, problem):
        reason += f"; majority {len(agreed)} of {count}"
        return result_of(agreed[0], said(agreed[0]), "unverified", reason)
    chosen = (await _majority(samples, domain, problem) or [last])[0]
    return result_of(chosen, None, "exhausted", f"{reason}; the last: {last['reason']}")


def refuted(sample: Mapping[str, Any], domain: Domain) -> bool:
    """Whether the domain refuted the sample's answer and cannot have been wrong."""
    verdict = sample["verdict"]
    alone = verdict.get("rung") == "domain" and verdict["ok"] is False
    calls = verdict.get("evidence", {}).get("calls", [])  # VerifiAgent's, where the domain drives
    asked = any((call["tool"], call["outcome"]) == ("domain", "refuted") for call in calls)
    return domain.complete and (alone or asked)


async def not_refuted(
    samples: Sequence[dict[str, Any]], domain: Domain, problem: Problem
) -> list[dict[str, Any]]:
    """The samples whose answer the domain refuted neither in them nor in another one."""
    wrong = [answer for one in samples if refuted(one, domain) and (answer := said(one))]
    return [
        one
        for one in samples
        if not refuted(one, domain)
        and not any([await domain.equal(problem, said(one) or "", answer) for answer in wrong])
    ]


def said(sample: Mapping[str, Any]) -> str | None:
    """The answer that a sample came to, whoever passed it."""
    answer: str | None = sample["answer"] or sample["candidate"]
    return answer


async def _majority(
    samples: Sequence[dict[str, Any]], domain: Domain, problem: Problem
) -> list[dict[str, Any]]:
    """The samples with the answer that most of them gave."""
    return await vote(samples, said, partial(domain.equal, problem))


def result_of(
    chosen: Mapping[str, Any], answer: str | None, status: str, reason: str
) -> dict[str, Any]:
    """The update: the result, and the chosen sample as the run's trace."""
    result = {
        "answer": answer,
        "status": status,
        "reason": reason,
        "candidate": said(chosen) if answer is None else None,
        "error": chosen["error"],
    }
    return {
        "operations": chosen["operations"][1:],
        "judged": chosen["judged"],
        "corrections": chosen["corrections"],
        "result": result,
    }
