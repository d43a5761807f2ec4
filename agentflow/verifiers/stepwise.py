"""Verifiers that go through a solution step by step, as FlexiVe is compared with them
(Solve-Detect-Verify, section 3.1 and table 10): a reward model, GenPRM's kind, and Dyve's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agentflow import prompts
from agentflow.errors import MissingCapability
from agentflow.models.metered import Ask
from agentflow.models.model import Request, prompt_of, sample, segment
from agentflow.models.reward import RewardModel
from agentflow.problem import Problem
from agentflow.profile import Thinking
from agentflow.settings import request_seed
from agentflow.trace import Trace
from agentflow.verdict import Verdict
from agentflow.verifiers.critique import changes_its_mind, leads, says_no_more
from agentflow.verifiers.stance import stance

Style = Literal["genprm", "dyve"]
"""``genprm`` reasons about each step and ends with a box; ``dyve`` answers with a sign, and thinks
before where it chooses to."""

RIGHT_AT = 0.5
"""A step with a lower probability of being right is wrong, to a reward model (ProcessBench)."""

_BOXED = re.compile(
    r"\\boxed\s*\{\s*(?:\\(?:text|textbf|mathrm|mathbf)\s*\{\s*)?(yes|no)\.?\s*\}", re.IGNORECASE
)
_SIGN = re.compile(r"(?:\A|\s)(?P<marks>[*_($\[\\]{0,4}\s?)([-+−])[\s.*_)$\]\\]*\Z")
_ALONE = re.compile(r"^[ \t*_]*([-+−])[ \t*_.]*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*- ", re.MULTILINE)
_ASKED = re.compile(r"[^.!?\n]{0,200}\?[\s*_$]*\Z")
_WHETHER_RIGHT = re.compile(
    r"\W*(?:so,? )?(?:is|does) (?:the |this |it |each |every )?(?:last |whole )?(?:step )?"
    r"(?:then |really )?(?:right|correct|valid|sound|follow|hold)\W*",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(r"\b(?:wait|actually|hmm+|sorry|correction|unless|but)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RewardVerifier:
    """A discriminative reward model: the first step whose probability is below one half is wrong.

    Attributes:
        ask: Finds the model, counted under ``prm``; it must be a reward model.
    """

    ask: Ask

    @property
    def name(self) -> str:
        return "prm"

    async def verify(self, problem: Problem, steps: Sequence[str], *place: str | int) -> Verdict:
        """Judge a solution, as :class:`~agentflow.verifiers.SolutionVerifier` says.

        Raises:
            MissingCapability: If the model is no reward model.
        """
        meter = await self.ask("prm")
        if not isinstance(meter.model, RewardModel):
            raise MissingCapability(
                f"the verifier prm needs a reward model, and {meter.name} is none; name one as "
                "--model reward:http://localhost:8000/v1"
            )
        stated = await prompts.statement(problem, meter.profile)
        async with meter.call() as count:
            found = await meter.model.rewards(stated, steps)
            count.prompt = found.prompt
        scores, least = list(found.scores), min(found.scores, default=1.0)
        first = next((n for n, one in enumerate(scores) if not one >= RIGHT_AT), None)
        evidence = {"scores": scores}
        if first is None:
            return Verdict(True, "", "", least, None, self.name, evidence)
        reason = f"step {first} is right with probability {scores[first]:.2f}"
        return Verdict(False, reason, "wrong_step", least, first, self.name, evidence)


@dataclass(frozen=True, slots=True)
class Stepwise:
    """A generative verifier that is asked about each step, with the steps before it, in turn.

    It stops at the first step that most of its replies call wrong; a tie is wrong. Where most
    replies cannot be read, it cannot tell.

    Attributes:
        ask: Finds the model, counted under ``verifier-slow``.
        style: How it is asked and read.
        k: Replies to each step (the paper's Maj@k).
        seed: Seed of the run.
        tokens: Most tokens of a reply; None for the profile's.
    """

    ask: Ask
    style: Style
    k: int = 1
    seed: int = 0
    tokens: int | None = None

    @property
    def name(self) -> str:
        return f"{self.style}@{self.k}"

    async def verify(self, problem: Problem, steps: Sequence[str], *place: str | int) -> Verdict:
        """Judge a solution, as :class:`~agentflow.verifiers.SolutionVerifier` says.

        Raises:
            ModelUnavailable, StreamBroken: If the model does not answer.
        """
        shares: list[float] = []
        for number, step in enumerate(steps):
            replies = await self._replies(problem, steps[:number], step, *place, number)
            if replies is None:
                reason = f"step {number} and those before it are longer than the context"
                return Verdict(None, reason, "too_long", source=self.name)
            counts = Counter(read(reply, self.style) for reply in replies)
            shares.append(counts[True] / len(replies))
            evidence = {"shares": shares}
            if counts[None] * 2 > len(replies):
                reason = f"no reply about step {number} says whether it is right"
                return Verdict(None, reason, "malformed", None, None, self.name, evidence)
            if counts[True] <= counts[False]:
                words = next(one for one in replies if read(one, self.style) is False)
                score = min(shares)
                return Verdict(
                    False, words.strip(), "wrong_step", score, number, self.name, evidence
                )
        return Verdict(True, "", "", min(shares, default=1.0), None, self.name, {"shares": shares})

    async def _replies(
        self, problem: Problem, before: Sequence[str], step: str, *place: str | int
    ) -> list[str] | None:
        """What is said of a step, nothing by a reply that was cut off; None where it does not
        fit."""
        model = await self.ask("verifier-slow")
        profile = model.profile
        fields = {
            "stated": await prompts.statement(problem, profile),
            "before": "\n\n".join(one.strip() for one in before) or "none",
            "step": step.strip(),
        }
        texts = await prompts.rendered("stepwise", self.style, profile, fields)
        thinking: Thinking = "open" if self.style == "genprm" else "plain"
        pieces = profile.render(texts[1], texts[0], thinking=thinking)
        prompt = prompt_of(model, Trace([(await segment(model, "prompt", pieces)).operation()]))
        length = len(prompt) if isinstance(prompt, tuple) else 0
        room = min(self.tokens or profile.max_tokens, profile.context - length)
        if room <= 0:
            return None
        seed = request_seed(self.seed, problem.id, self.style, *place)
        replies = await sample(model, Request(prompt, room, profile.sampling, seed), self.k)
        opened = thinking == "open" or profile.opened
        whole = [r.text if r.finish.reason == "stop" else "" for r in replies]
        return [profile.said(text.removesuffix(profile.stops[0]), opened=opened) for text in whole]


def read(reply: str, style: Style) -> bool | None:
    """Whether a reply calls its step right; None where it says neither, or takes it back."""
    if style == "dyve":
        return _sign(reply)
    boxes = list(_BOXED.finditer(reply))
    if not boxes or _TAKES_BACK.search(reply, boxes[-1].end()):
        return None
    last = boxes[-1]
    if not changes_its_mind(reply, boxes):
        return None
    if last[1].lower() == "no":
        return False
    return True if says_no_more(reply, last.end()) and _may_pass(reply, last.start()) else None


def _may_pass(reply: str, at: int) -> bool:
    """Whether what stands in front of a verdict lets a step be right. To a question right in front
    of it Yes may say anything, unless it asks whether the step is right."""
    asked = _ASKED.search(reply[max(0, at - 400) : at])
    if asked and not _WHETHER_RIGHT.fullmatch(asked[0]):
        return False
    return leads(reply, at) and stance(reply[:at]) is not False


def _sign(reply: str) -> bool | None:
    """What the sign at the end of a reply says; none where the other one stands in a line of its
    own, or the sign may be a bullet, or belong to a calculation."""
    found = _SIGN.search(reply)
    if found is None:
        return None
    right, at = found[2] == "+", found.start(2)
    if any((one[1] == "+") != right for one in _ALONE.finditer(reply, 0, at)):
        return None
    line = reply[reply.rfind("\n", 0, at) + 1 : at]
    if re.search(r"[-+−±/]", line) or (not right and _BULLET.search(reply, 0, at)):
        return None
    return right if (_may_pass if right else leads)(reply, at) else None
