"""The settings of Solve-Detect-Verify, and its detector: is the solution complete?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from agentflow.monitors import Detect, Monitor
from agentflow.monitors.schedule import Every, Keyword
from agentflow.nodes.context import weaker
from agentflow.nodes.critic import PRMSettings
from agentflow.nodes.flexive import FlexSettings
from agentflow.nodes.prober import prober_of
from agentflow.nodes.solve import Task
from agentflow.settings import Few
from agentflow.verifiers.flexive import Mode

Verifier = Literal["fast", "slow", "prm", "domain", "human"]


class SDVSettings(FlexSettings, PRMSettings):
    """Settings of solve_detect_verify; the defaults are the paper's, with Flex@8."""

    detect: bool = Field(default=True, description="End the thinking once the solution is complete")
    detector: Literal["solver", "proxy"] = Field(
        default="solver", description="Which role is asked whether it is"
    )
    hesitations: tuple[Keyword, ...] = Field(
        default=(), description="Words of hesitation beside the profile's"
    )
    check_every: Every = Field(
        default=1,
        description="One in so many hesitations is checked; auto: as many as what the checks cost "
        "so far allows, at most 5 % of the run's time",
    )
    finish_thought: bool = Field(
        default=False, description="Let the thought that was begun end before the thinking is cut"
    )
    ladder: tuple[Verifier, ...] = Field(
        default=("fast", "slow"),
        description="Who verifies, each where the one before could not tell: fast and slow runs of "
        "FlexiVe, a reward model (role prm), the domain's verifiers and tools, a person (in a "
        "thread, one sample); empty: nobody, solve and detect alone",
    )
    iterations: Few = Field(default=2, description="Solutions before giving up")
    refine_by: Literal["prompt", "note", "redraw", "rewrite"] = Field(
        default="prompt",
        description="A rejected solution: prompt asks anew with it and the feedback; note cuts it "
        "behind its first wrong step and puts the feedback there; redraw cuts it in front of that "
        "step, and has the solver draw another without being told; rewrite cuts it there, too, and "
        "has the verifier's model (role verifier) write that line instead",
    )
    samples: int = Field(default=1, ge=1, le=1024, description="Solvers side by side")

    @property
    def mode(self) -> Mode:
        both = {"fast", "slow"} <= set(self.ladder)
        return "flex" if both else "fast" if "fast" in self.ladder else "slow"

    @property
    def verifies_steps(self) -> bool:
        return "domain" in self.ladder

    @property
    def needs_continuing(self) -> bool:
        """Whoever ends the thinking, or rolls back, goes on from a text; a new prompt does not."""
        return self.detect or (self.refine_by != "prompt" and self.iterations > 1)

    @property
    def pauses(self) -> str:
        return "a person in the ladder" if "human" in self.ladder else ""

    @model_validator(mode="after")
    def _one_person(self) -> Self:
        if "human" in self.ladder and self.samples > 1:
            raise ValueError("a person in the ladder can judge one sample; set samples to 1")
        if len(set(self.ladder)) < len(self.ladder):
            raise ValueError("a verifier stands in the ladder twice")
        return self


async def detector(task: Task) -> Sequence[Monitor]:
    """The detector; none where its model gives no log-probabilities or cannot be probed, which is
    told: then a solution is read where the model itself ends it."""
    settings: SDVSettings = task.settings
    if not settings.detect:
        return ()
    able = (await task.ask(settings.detector, "probe")).capabilities
    for lacking, has in (("logprobs", able.logprobs != 0), ("continues", able.continues)):
        if not has:
            instead = "no detector; name a proxy that has it (roles.proxy, detector=proxy)"
            task.emit(weaker(lacking, instead))
            return ()
    prober = prober_of(task, settings.detector)
    words = (*task.model.profile.hesitations, *settings.hesitations)
    return [Detect(prober, words, settings.check_every, settings.finish_thought)]
