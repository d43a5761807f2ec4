"""Whether an answer in words matches the gold one, as a model says (EAT, appendix K).

The judge is no part of a method: it sees the question, the gold answer and the answer, once for
each, and its word is kept beside the records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from agentflow import models, prompts
from agentflow.errors import AgentflowError, MissingCapability, ModelUnavailable, StreamBroken
from agentflow.evaluation.chains import Chain, Check
from agentflow.evaluation.records import Arm, alone, lines_of, resume
from agentflow.models import Model
from agentflow.models.structured.asking import ask
from agentflow.problem import Problem
from agentflow.profile import GREEDY
from agentflow.verifiers.critique import leads, says_no_more

_SAID = re.compile(r"<answer>\s*([01])\s*</answer>")
_TOKENS = 1024
_ARM = Arm("match", "match")


@dataclass(frozen=True, slots=True)
class Match:
    """What the judge said of an answer.

    Attributes:
        ok: Whether it matches; None where the judge did not say, or broke (``error``).
    """

    arm: str
    problem: str
    answer: str
    ok: bool | None
    error: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from all others."""
        return self.problem, self.answer

    @property
    def failed(self) -> bool:
        """Whether the request broke."""
        return bool(self.error)


@alone
async def matches(
    pairs: Iterable[tuple[str, str]],
    problems: Mapping[str, Problem],
    out: Path,
    *,
    model: str | Model,
    concurrency: int = 1,
) -> dict[tuple[str, str], bool]:
    """Which answers match the gold ones; what the judge did not decide is not right.

    Args:
        pairs: (the problem's text, the answer).
        problems: By their texts.
        out: Where its words are kept, as JSON lines; what stands there is not asked again.

    Raises:
        BadInput: If the file was begun with another judge.
        ModelUnavailable: If it does not answer.
    """
    name = model if isinstance(model, str) else getattr(model, "name", str(model))
    jobs = {pair: partial(_ask, model, problems[pair[0]], pair[1]) for pair in pairs}
    found = await resume(out, Match, lines_of([_ARM], name), jobs, concurrency)
    return {key: found[key].ok is True for key in jobs}


async def _ask(model: Any, problem: Problem, answer: str) -> Match:
    opened: Model = model if hasattr(model, "stream") else await models.connect(model)
    fields = {"question": problem.text, "gold": problem.gold or "", "answer": answer}
    prompt = await prompts.rendered("critic", "match", opened.profile, fields)
    try:
        reply = await ask(
            opened, prompt, read_match, None, tokens=_TOKENS, sampling=GREEDY, ended=True
        )
    except (MissingCapability, ModelUnavailable, StreamBroken):
        raise
    except AgentflowError as error:
        return Match(_ARM.name, problem.text, answer, None, str(error))
    return Match(_ARM.name, problem.text, answer, reply.value)


def read_match(reply: str) -> bool | None:
    """What the judge said.

    Raises:
        ValueError: If it said neither, or both, or may not mean what it said.
    """
    found = list(_SAID.finditer(reply))
    if len({one[1] for one in found}) != 1:
        raise ValueError("neither 0 nor 1 alone between <answer> and </answer>")
    last, matches = found[-1], found[-1][1] == "1"
    if not says_no_more(reply, last.end()) or (matches and not leads(reply, last.start())):
        raise ValueError("what stands around <answer> may take it back")
    return matches


def mended(chain: Chain, right: Mapping[tuple[str, str], bool]) -> Chain:
    """A chain whose answers a judge was asked about: right is what it said."""
    if not right:
        return chain

    def ok(answer: str | None, was: bool) -> bool:
        return right.get((chain.problem, answer or ""), was)

    def judged(one: Check) -> Check:
        right = [ok(answer, was) for answer, was in zip(one.answers, one.right, strict=True)]
        return replace(one, right=right)

    end = None if chain.end is None else judged(chain.end)
    checks = [judged(one) for one in chain.checks]
    return replace(chain, checks=checks, end=end, right=ok(chain.answer, chain.right))
