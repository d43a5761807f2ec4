"""What is read back of a record's ``extra``, and of a verdict's evidence and ledger."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from agentflow.evaluation.checked import Plain, Whole, like, shape
from agentflow.ledger import Entry

Ledger = Annotated[dict[str, dict[str, Any]], like(dict[str, shape(Entry)])]  # type: ignore[misc]
"""Costs by role, in plain form."""

_Count = Annotated[Whole, Field(ge=0)]
_Share = Annotated[float, Field(ge=0, le=1)]


class Choice(Plain):
    """What an iteration of adaptive compute used."""

    tools: list[str]
    strategy: str


class Draw(Plain):
    """A continuation that a search drew, as :meth:`agentflow.search.tree.Tree.plain` has it, with
    whether it is right."""

    group: Whole
    behind: Annotated[Whole, Field(ge=-1)]
    scores: list[_Share | None]
    tokens: list[_Count]
    done: bool
    right: bool = False

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if len(self.scores) != len(self.tokens):
            raise ValueError("has not as many scores as steps")
        if self.done and "right" not in self.model_fields_set:
            raise ValueError("ended, and is neither right nor wrong")
        return self


class Tree(Plain):
    """What a search drew."""

    strategy: str
    scorer: str
    draws: list[Draw]

    @model_validator(mode="after")
    def _grown(self) -> Self:
        steps = 0
        for draw in self.draws:
            if draw.behind >= steps:
                raise ValueError(f"has a draw behind step {draw.behind}, of {steps}")
            steps += len(draw.tokens)
        return self


class Extra(Plain):
    """A record's ``extra``, as far as it is read; all of it may be missing."""

    domain: str = ""
    type: str = ""
    difficulty: str = ""
    source: str = ""
    roles: Ledger = Field({})
    judged: bool = False
    samples: _Count = 0
    choices: list[Choice] = Field([])
    trace: str = ""
    trees: list[Tree] = Field([])

    @model_validator(mode="after")
    def _judged(self) -> Self:
        if self.trees and not self.domain:
            raise ValueError("has trees, and no domain")
        return self


class Call(Plain):
    """A call of a tool that a verifier chose to make."""

    tool: str


class Replies(Plain):
    """The replies of one stage that were gathered."""

    outcomes: list[int | None]
    generated: list[_Count]
    prompt: _Count

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if len(self.outcomes) > len(self.generated):
            raise ValueError("has more outcomes than lengths")
        return self


class Evidence(Plain):
    """A verdict's evidence, as far as it is read; all of it may be missing."""

    agreement: float = 0.0
    calls: list[Call] = Field([])
    correct: float | None = None
    fast: Replies | None = None
    slow: Replies | None = None
