"""What a run's channels hold, typed; each is written as plain JSON (``asdict``) and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from agentflow.monitors.monitor import Intervention
from agentflow.monitors.stream_result import Drawn, Judged
from agentflow.run import Status
from agentflow.state import State
from agentflow.verdict import Verdict

Ended = Literal["stop", "length", "intervened", "abstained", "broken"]
"""How a stream ended: by the model, at a limit, for an intervention, given up, or broken."""


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """How the last stream ended.

    Attributes:
        ended: How.
        intervention: For which intervention, for ``intervened`` and ``abstained``.
        error: What broke it, for ``broken``, or failed behind it.
        limit: What limits it, for ``length``.
        continues: Whether its model goes on from a text of ours.
        unanswered: Whether it came to its end, and states no answer.
        spent: Whether what limits it is the whole run's, so that no other attempt can follow.
        drawn: The tokens of the line that it was ended for, where alternatives were asked for.
    """

    ended: Ended = "stop"
    intervention: Intervention | None = None
    error: str = ""
    limit: str = ""
    continues: bool = True
    unanswered: bool = False
    spent: bool = False
    drawn: tuple[Drawn, ...] = ()

    @property
    def wanted(self) -> Intervention:
        """The intervention of a stream that ended for one."""
        assert self.intervention is not None, "the stream ended for no intervention"
        return self.intervention


def stream_end(plain: Mapping[str, Any]) -> StreamEnd:
    """From the channel ``stream_end``."""
    found = plain.get("intervention")
    drawn = tuple(Drawn(**one) for one in plain.get("drawn", ()))
    wanted = Intervention(**found) if found else None
    return StreamEnd(**{**plain, "intervention": wanted, "drawn": drawn})


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt under way: its number from 0, and what was there before it.

    Attributes:
        tokens: Tokens generated.
        corrections: Corrections made.
        judged: States judged.
    """

    number: int = 0
    tokens: int = 0
    corrections: int = 0
    judged: int = 0


@dataclass(frozen=True, slots=True)
class Ruling(Verdict):
    """A verdict on a whole solution, and which verifier of the method gave it."""

    verifier: str = ""


@dataclass(frozen=True, slots=True)
class AnswerVerdict(Verdict):
    """The domain's verdict on an answer, and that answer."""

    answer: str | None = None


def judged(plain: Mapping[str, Any]) -> Judged:
    """From an entry of the channel ``judged``."""
    return Judged(
        **{**plain, "state": State(**plain["state"]), "verdict": Verdict(**plain["verdict"])}
    )


@dataclass(frozen=True, slots=True)
class Sample:
    """What one of several trajectories came to.

    Attributes:
        branch: Its number, from 0.
        answer: Its answer, if that passed.
        status, reason: What may be claimed for it, and who says so.
        candidate: Its answer, if that did not pass.
        error: What went wrong on the way.
        corrections: How often feedback was given.
        judged: What monitors judged, as plain JSON (:func:`judged`).
        operations: Its trace.
        verdict: What its verifier said; None where nobody was asked.
        more: What a method adds: ``reward`` and other figures of the trajectory.
    """

    branch: int
    answer: str | None
    status: Status
    reason: str
    candidate: str | None
    error: str
    corrections: int
    judged: list[dict[str, Any]]
    operations: list[dict[str, Any]]
    verdict: Ruling | None = None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def said(self) -> str | None:
        """The answer that it came to, whoever passed it."""
        return self.answer or self.candidate

    @property
    def member(self) -> int:
        """Which of a team wrote it; they take turns where nobody says."""
        member: int = self.more.get("member", self.branch)
        return member

    @property
    def judgements(self) -> list[Judged]:
        """What monitors judged."""
        return [judged(one) for one in self.judged]

    def plain(self) -> dict[str, Any]:
        """As the channel ``samples`` holds it."""
        fields = {name: getattr(self, name) for name in _SAMPLE}
        return fields | {"verdict": asdict(self.verdict) if self.verdict else {}} | self.more


_SAMPLE = (
    *("branch", "answer", "status", "reason", "candidate", "error"),
    *("corrections", "judged", "operations"),
)


def sample(plain: Mapping[str, Any]) -> Sample:
    """From an entry of the channel ``samples``."""
    fields, verdict = {name: plain[name] for name in _SAMPLE}, plain.get("verdict")
    more = {name: value for name, value in plain.items() if name not in (*_SAMPLE, "verdict")}
    return Sample(**fields, verdict=Ruling(**verdict) if verdict else None, more=more)
