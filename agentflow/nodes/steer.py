"""The settings of unified, the monitors they make, and when samples are enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from agentflow.channels import Sample
from agentflow.ledger import total
from agentflow.monitors import KStable, Monitor, StepVerifier
from agentflow.nodes.context import has_model, has_reward_model, weaker
from agentflow.nodes.critic import PRMSettings
from agentflow.nodes.flexive import FlexSettings
from agentflow.nodes.instead import ALTERNATIVES
from agentflow.nodes.run import View
from agentflow.nodes.solution import rejected, start_of_wrong_step
from agentflow.nodes.solve import Task
from agentflow.nodes.team import TeamSettings
from agentflow.nodes.verifiagent import VerifiAgentSettings
from agentflow.settings import Count, Few, Positive, Share, Times
from agentflow.tools.equality import normal_form

Verifier = Literal["domain", "prm", "fast", "verifiagent", "slow"]
_LADDER: tuple[Verifier, ...] = ("domain", "prm", "fast", "verifiagent")


class UnifiedSettings(FlexSettings, PRMSettings, VerifiAgentSettings, TeamSettings):
    """Settings of unified."""

    steer: bool = Field(
        default=True, description="Verify every step as it is written, where the model continues"
    )
    redraws: int = Field(
        default=3,
        ge=0,
        le=1000,
        description="How often in a row a wrong step is taken back, before a note that says what "
        "is wrong is put behind it; 0 for notes alone. The line then begins as the model would "
        "most likely have begun it otherwise; the second time a verifier that is another model "
        "(role verifier) writes it. Where the model tells no alternatives, or none is left, it "
        "draws another one, and from the third time on the lines before it go, too: one, three, "
        "seven and so on",
    )
    doubt: Share = Field(
        default=0.8,
        description="Also draw a step again that the domain cannot decide, when its best evidence "
        "covers less than this share of it; at most redraws times a sample",
    )
    hopeless: bool = Field(
        default=False,
        description="Also object to right steps from which the goal is out of reach, where the "
        "domain knows; it then tells the model more than a verifier of steps could",
    )
    k_stable: Times = Field(
        default=2,
        description="Stop thinking once the same answer was given so many times in a row, where "
        "steps are not verified; where they are, its first answer ends it; 0 for never",
    )
    max_corrections: int = Field(
        default=5,
        ge=0,
        le=1000,
        description="Give a sample up after more wrong steps in a row than so many",
    )
    ladder: tuple[Verifier, ...] | None = Field(
        default=None,
        min_length=1,
        description="Who verifies, each where the one before could not tell: the domain's "
        "verifiers and tools, a reward model (role prm), fast runs of FlexiVe, VerifiAgent, slow "
        "runs of FlexiVe; empty for domain, prm if there is a reward model, fast, verifiagent",
    )
    rewrites: int = Field(
        default=5,
        ge=0,
        le=1000,
        description="How often in a sample the verifier's model writes a line itself in which the "
        "reward model rejects the solution; the solver goes on behind it. What was looked up and "
        "is covered by its evidence (doubt) stays",
    )
    judged_from: Count = Field(
        default=2000,
        description="Ask the verifiers behind the ladder's first that write only about a sample "
        "that took so many tokens, about what k fast replies take: a shorter one is cheaper drawn "
        "again",
    )
    n: Few = Field(default=5, description="Samples before the majority answers")
    agree: Few = Field(
        default=1,
        description="Samples with the same answer that are enough where no verifier can decide",
    )
    budget: Positive | None = Field(
        default=None,
        description="Tokens for the problem, all roles and samples: the solver never generates "
        "more, and behind them no verifier but the ladder's first is asked; empty for what n "
        "samples come to",
    )

    @property
    def verifies_steps(self) -> bool:
        return self.steer or self.ladder is None or "domain" in self.ladder

    @property
    def alternatives(self) -> int:
        return ALTERNATIVES if self.steer and self.redraws else 0

    @model_validator(mode="after")
    def _no_verifier_twice(self) -> Self:
        if self.ladder and len(set(self.ladder)) < len(self.ladder):
            raise ValueError("a verifier stands in the ladder twice")
        return self


def verifiers(settings: UnifiedSettings) -> tuple[Verifier, ...]:
    """The ladder; where none is given, with a reward model if there is one."""
    if settings.ladder is not None:
        return settings.ladder
    return tuple(one for one in _LADDER if one != "prm" or has_reward_model(settings))


async def steering(task: Task) -> Sequence[Monitor]:
    """Step verifier, then early exit; none for a model that cannot go on from a text of ours, not
    even by turns."""
    settings: UnifiedSettings = task.settings
    problem, domain, model = task.problem, task.domain, task.model
    if not model.capabilities.continues:
        if not model.capabilities.turns:
            return ()
        task.emit(weaker("continues", "it is shown its text in a new turn"))
    elif settings.alternatives and model.capabilities.logprobs == 0:
        task.emit(weaker("log-probabilities", "a wrong line is drawn again, not begun otherwise"))
    chosen: list[Monitor] = []
    if settings.steer:
        back = [one for one in task.judged if one.corrected and one.verdict.ok is None]
        doubt = settings.doubt if len(back) < settings.redraws else 0.0
        doubted = [one.state.data for one in back]
        answers = settings.judge_answers
        chosen.append(
            StepVerifier(problem, domain, model.profile, settings.hopeless, doubt, doubted, answers)
        )
    k = 1 if settings.steer else settings.k_stable
    if k and model.profile.think_close:
        chosen.append(KStable(problem, domain, k))
    return chosen


def written_by_another(settings: UnifiedSettings) -> bool:
    """Whether the verifier's model, which would write a wrong step, is another than the
    solver's."""
    return has_model(settings, "verifier", "rewriter")


def is_supported(run: View[UnifiedSettings]) -> bool:
    """Whether the line that the reward model rejects was looked up, and the evidence covers it: a
    model that has not seen the evidence does not know better."""
    start = start_of_wrong_step(run, rejected(run), ())
    end = start + len(run.trace.body[start:].partition("\n")[0])
    return any(
        one.state.kind == "step"
        and start <= one.state.start < end
        and not one.gone
        and one.verdict.ok is None
        and (one.verdict.score or 0.0) >= run.settings.doubt > 0
        for one in run.judged
    )


def spent(run: View[Any]) -> int:
    """Tokens of all roles so far."""
    return total(run.ledger).generated


def taken(run: View[Any]) -> int:
    """Tokens that the solver generated for this sample."""
    mine = f"solver/{run.branch}/"
    return total({k: v for k, v in run.ledger.items() if k.startswith(mine)}).generated


def stuck(done: Sequence[Sample]) -> bool:
    """Whether two samples were given up at a wrong step: it is beyond the model."""
    ends = [one.judgements[-1] for one in done if one.verdict is None and one.judged]
    wrong = [end for end in ends if end.state.kind == "step" and end.verdict.ok is False]
    return len(wrong) >= 2


def alike(done: Sequence[Sample]) -> int:
    """How many samples gave the most frequent of the answers of which nobody could tell."""
    open_ = [
        normal_form(one.candidate)
        for one in done
        if one.candidate and one.verdict and one.verdict.ok is None
    ]
    return max(Counter(open_).values(), default=0)
