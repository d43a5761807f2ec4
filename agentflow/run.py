"""The state of a run as it stands in a graph's channels, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from operator import or_
from typing import Annotated, Any, Literal

from langgraph.channels import DeltaChannel
from langgraph.types import Overwrite
from typing_extensions import TypedDict  # pydantic refuses typing's before Python 3.12

from agentflow import notebook
from agentflow.ledger import Entries, Entry, by_role, merge, total
from agentflow.trace import Trace, extend

STATE_VERSION = 2
"""Raised when a thread written before can no longer be read: a channel changed its meaning."""

SNAPSHOT = 1000
"""Updates behind which a channel that grows is written whole; at the others only what was added is.
More often, and the bytes of a long run grow with the square of its length; never, and a thread that
is used again and again is read from ever more rows."""

Status = Literal["verified", "incomplete", "accepted", "unverified", "abstained", "exhausted"]
"""What may be claimed for a result: see :class:`Result`."""


class Input(TypedDict):
    """What a method is given: the problem's text, or a parsed problem as a mapping."""

    problem: str | dict[str, Any]


class RunState(TypedDict, total=False):
    """The channels of a method that grows one trace; plain JSON throughout.

    Attributes:
        problem: The problem; text until the first node has parsed it.
        model: Name of the model whose tokens the trace is made of.
        open, close: The markers around the thinking in the trace; empty for a model that does not
            think apart.
        operations: The trace, as operations; only ever appended to.
        reading: How far the monitors have read (:class:`agentflow.monitors.Reading`).
        judged: Every state that stood, with its verdict, in order.
        ledger: Cost entries by call id.
        settings: What of the settings differs from the defaults, as of the last stream: edges read
            it, for they have no runtime where a person edits a state.
        stream_end: How the last stream ended (:class:`agentflow.channels.StreamEnd`).
        asked: Number of the attempt, from 1, whose text was asked to state its answer.
        corrections: How often feedback was given.
        branch: Which of several trajectories side by side this is, from 0.
        allowance: Tokens that the solver may still generate on this trajectory, where a run's
            budget leaves it less than the settings do.
        floor: Confidence, in nats, below which this trajectory is given up.
        beginnings: What samples begin with, one each: an operation of the trace, and its margin.
        team: What samples begin with whose models take turns, one each: the model, its markers, and
            the prompt as it reads it; empty where one model solves.
        member: Which of them writes this trajectory; where nobody says, they go by its branch.
        steps: The solution as its verifier reads it, step by step.
        verdict: What the last verifier said of the solution.
        refused: Whether a server refused a request.
        samples: What trajectories side by side came to, each with its branch.
        enough: Whether no more samples are wanted.
        attempt: ``number`` of the attempt under way; ``tokens``, ``corrections`` and ``judged``
            before it.
        final: The domain's verdict on the final answer, where it was asked.
        abstained: Why the method declines to answer.
        result: The :class:`Result`, as a mapping.
    """

    problem: str | dict[str, Any]
    model: str
    open: str
    close: str
    operations: Annotated[list[dict[str, Any]], DeltaChannel(extend, snapshot_frequency=SNAPSHOT)]
    reading: dict[str, Any]
    judged: Annotated[list[dict[str, Any]], DeltaChannel(extend, snapshot_frequency=SNAPSHOT)]
    ledger: Annotated[Entries, DeltaChannel(merge, snapshot_frequency=SNAPSHOT)]
    settings: dict[str, Any]
    stream_end: dict[str, Any]
    asked: int
    corrections: int
    attempt: dict[str, int]
    branch: int
    allowance: int
    floor: float | None
    beginnings: list[dict[str, Any]]
    team: list[dict[str, Any]]
    member: int
    steps: list[str]
    verdict: dict[str, Any]
    refused: Annotated[bool, or_]
    samples: Annotated[list[dict[str, Any]], DeltaChannel(extend, snapshot_frequency=SNAPSHOT)]
    enough: bool
    final: dict[str, Any]
    abstained: str
    result: dict[str, Any]


def beginning() -> dict[str, Any]:
    """The update that starts a run: a thread used again carries nothing of its last run on."""
    return {
        "operations": Overwrite([]),
        "reading": {},
        "judged": Overwrite([]),
        "ledger": Overwrite({}),
        "settings": {},
        "stream_end": {},
        "asked": 0,
        "corrections": 0,
        "attempt": {},
        "branch": 0,
        "beginnings": [],
        "team": [],
        "steps": [],
        "verdict": {},
        "refused": Overwrite(False),
        "samples": Overwrite([]),
        "enough": False,
        "final": {},
        "abstained": "",
        "result": {},
    }


def begun_by(state: Mapping[str, Any], member: int) -> dict[str, Any]:
    """What a sample begins with that a member of the team writes: its prompt as that model reads
    it, the model's name and its markers; nothing where one model solves."""
    team = state.get("team") or []
    return dict(team[member % len(team)]) if team else {}


def markers_in(state: Mapping[str, Any]) -> dict[str, Any] | None:
    """The event that says what markers stand around the thinking, once the model is known."""
    if "close" not in state:
        return None
    return {"type": "markers", "open": state.get("open", ""), "close": state["close"]}


class Sampled(TypedDict):
    """What one of several trajectories adds to the run."""

    refused: Annotated[bool, or_]
    samples: Annotated[list[dict[str, Any]], DeltaChannel(extend, snapshot_frequency=SNAPSHOT)]
    ledger: Annotated[Entries, DeltaChannel(merge, snapshot_frequency=SNAPSHOT)]


class Output(TypedDict):
    """What a method returns."""

    result: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What a run came to.

    Attributes:
        answer: The answer, None if there is none to give.
        status: ``verified``: a verifier declared sound passed exactly this answer. ``incomplete``:
            so it did, but the steps stop before they come to the answer. ``accepted``: a learned
            verifier or a person passed it. ``unverified``: no sound verifier refuted it.
            ``abstained`` (refuted, or less than the setting ``require`` asks for) and
            ``exhausted`` (a limit was reached, or no answer was found) come without an answer.
        reason: Who passed the answer or objected to it, or why there is none.
        candidate: The best unverified answer, where ``answer`` is None.
        problem: The parsed problem, as a mapping.
        method: The method's name.
        model: The name of the model that solved; empty where none was reached.
        settings: What of the method's settings was not the default.
        corrections: How often feedback was given.
        judged: Every state with its verdict.
        ledger: Cost entries by call id.
        operations: The trace.
        open, close: The markers around its thinking; empty where the model does not think apart.
        error: What went wrong on the way, if anything did.
        refused: Whether a server refused a request on the way, which another run would not mend.
        samples: Where several trajectories ran side by side, what each came to; where a team solves
            also its ``model`` and its markers.
        final: The domain's verdict on the answer, with the answer; empty where it was not asked.
        events: What happened on the way: the events of the stream but its tokens and markers. A
            run that was gone on with has those since.
    """

    answer: str | None
    status: Status
    reason: str = ""
    candidate: str | None = None
    problem: dict[str, Any] = field(default_factory=dict)
    method: str = ""
    corrections: int = 0
    judged: list[dict[str, Any]] = field(default_factory=list)
    ledger: Entries = field(default_factory=dict)
    operations: list[dict[str, Any]] = field(default_factory=list)
    open: str = ""
    close: str = ""
    error: str = ""
    samples: list[dict[str, Any]] = field(default_factory=list)
    final: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list, compare=False)
    model: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    refused: bool = False

    def __repr__(self) -> str:
        shown = self.reason if self.answer is None else self.answer
        return f"Result({self.status}: {shown}; {self.cost.generated} tokens)"

    def _repr_html_(self) -> str:
        tokens = self.cost.generated
        return notebook.result_html(self.status, self.answer, self.reason, tokens, self.operations)

    @property
    def trace(self) -> Trace:
        """The trace with its interventions."""
        return Trace(self.operations)

    @property
    def parts(self) -> tuple[str, str | None]:
        """(thinking, answer part) of the trace, without markers; None where it was not closed."""
        thinking, answer = self.trace.split(self.close)
        return thinking.removeprefix(self.open), answer

    @property
    def reply(self) -> str:
        """What the model said behind its thinking, where that states the answer; else the answer.

        Empty without an answer.
        """
        answer = (self.parts[1] or "").strip()
        return answer if self.answer and self.answer in answer else self.answer or ""

    @property
    def judged_answer(self) -> bool:
        """Whether the domain's verifier told right from wrong of the answer, or rejected the sample
        with the candidate."""
        if self.status in ("verified", "incomplete") or self.final.get("ok") is not None:
            return True
        if self.candidate is None:
            return False
        same = (one for one in self.samples if one.get("candidate") == self.candidate)
        verdicts = (one.get("verdict") or {} for one in same)
        return any(one.get("verifier") == "domain" and one["ok"] is False for one in verdicts)

    @property
    def cost(self) -> Entry:
        """The sum over the ledger."""
        return total(self.ledger)

    def as_dict(self) -> dict[str, Any]:
        """The result as plain JSON, without events; the ledger's sums stand beside its entries."""
        plain = asdict(replace(self, events=[]))
        del plain["events"]
        return plain | {
            "cost": asdict(self.cost),
            "cost_by_role": {r: asdict(e) for r, e in by_role(self.ledger).items()},
        }
