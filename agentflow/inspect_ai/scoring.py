"""The domain's judge as a scorer of Inspect's."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState
from inspect_ai.util import registry_info

from agentflow import domains
from agentflow.domains import Domain
from agentflow.inspect_ai.runs import NAME, usable
from agentflow.nodes.last_word import Outcome, granted
from agentflow.own_parts import equal_of
from agentflow.problem import Problem
from agentflow.thinking import split
from agentflow.verdict import Verdict

VALUES = ("right", "wrong", "no_answer", "undecided")
"""What an answer can be: one of them is 1, the others 0. Their means add up to 1."""


@scorer(metrics={"right": [mean(), stderr()], **{name: [mean()] for name in VALUES[1:]}})
def judged(domain: str | None = None) -> Scorer:
    """Judge the answer that a sample's output states.

    An answer is right or wrong where that can be told: by the domain's verifier where its word is
    the last, else by the gold answer, else by that verifier. Where it cannot, it is ``undecided``.
    A run that abstained, or came to no answer, has ``no_answer``; the score's ``reason`` says why.

    Args:
        domain: Of the problems; None for what the sample says.
    """
    with usable():
        chosen = domains.get(domain, {"search": "off"}) if domain else None

    async def score(state: TaskState, target: Target) -> Score:
        metadata = state.metadata.get(NAME, {})
        judge = chosen or domains.get(metadata.get("domain", "open"), {"search": "off"})
        problem = judge.parse(state.input_text, metadata.get("id", ""))
        gold = target.text or None
        run = (state.output.metadata or {}).get(NAME, {})
        answer = run["answer"] if run else _stated(judge, state.output.completion)
        about = {name: run[name] for name in ("status", "reason", "candidate") if name in run}
        if answer is None:
            why = run.get("status", "no_response")
            return Score(
                value=_value("no_answer"),
                reason=why,
                explanation=run.get("reason") or "no answer was found",
                metadata={"status": why} | about,
            )
        verdict = await judge.verify_answer(problem, answer)
        ok = await _right(judge, problem, answer, gold, verdict)
        status = granted(Outcome(answer, "unverified"), verdict, "nothing").status
        kind = {True: "right", False: "wrong", None: "undecided"}[ok]
        return Score(
            value=_value(kind),
            answer=judge.shown(answer),
            reason="undecided" if ok is None else None,
            explanation=verdict.reason or (f"the answer is {gold}" if gold else None),
            metadata={"status": status} | about | {"verdict": asdict(verdict)},
        )

    return score


def _stated(judge: Domain, text: str) -> str | None:
    """The answer in a text of any model's."""
    answer = split(text).answer
    return None if answer is None else judge.answer(answer)


async def _right(
    judge: Domain, problem: Problem, answer: str, gold: str | None, verdict: Verdict
) -> bool | None:
    if verdict.ok is not None and (judge.decides(problem) or gold is None):
        return verdict.ok
    if gold is None:
        return None
    if judge.normalise(problem, answer) is None:  # not understood
        return None
    return await equal_of(judge, problem, answer, gold)


def _value(kind: str) -> dict[str, Any]:
    return {name: int(name == kind) for name in VALUES}


PREFIX = "" if registry_info(judged).name.startswith(f"{NAME}/") else f"{NAME}/"
"""What to put before a name. Inspect puts the package's before those of an installed package, but
not where it is installed editable and its distribution has another name."""
