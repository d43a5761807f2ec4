"""Several models that solve by turns: each sample is the next one's.

A vote or a debate of several models (ReConcile, Chen et al. 2024), solutions that they combine
layer by layer (mixture of agents, Wang et al. 2024), and a cascade, which asks a larger model only
where the solution of a smaller one did not pass (FrugalGPT, Chen et al. 2023): each is a method
with samples, and a team::

    agentflow.solve(problem, "sampling", team=["http://a/v1", "http://b/v1"], choose="majority")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from agentflow.settings import Server, Settings, listed


class TeamSettings(Settings):
    """Settings of methods whose samples several models may write."""

    team: Annotated[tuple[Server, ...], BeforeValidator(listed)] = Field(
        default=(),
        max_length=100,
        description="Servers of several models that solve by turns, each sample by the next one; "
        "empty for one solver. Roles without a model of their own have the first, unless `model` "
        "names one",
    )

    @model_validator(mode="after")
    def _are_the_solvers(self) -> Self:
        if self.team and "solver" in self.roles:
            raise ValueError("team and roles.solver both say who solves; leave one of them out")
        return self

    def solver_at(self, member: int = 0) -> Sequence[Server]:
        """Its member of the team; without a team, the role's servers."""
        return (self.team[member % len(self.team)],) if self.team else super().solver_at(member)

    @property
    def members(self) -> Sequence[Server]:
        """The team."""
        return self.team

    @property
    def servers(self) -> list[Server]:
        """The team's too."""
        return [*super().servers, *self.team]
