"""A panel: several verifiers judge one solution, or one verifier several times.

Judges of several kinds err in other places than one does (panels of models, Verga et al. 2024; weak
verifiers that are combined, Saad-Falcon et al. 2025), and one that is asked several times lets less
through: the pipeline of Huang and Yang (2025) takes a proof that passes five times in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator

from agentflow.channels import Ruling
from agentflow.errors import BadInput
from agentflow.nodes.announced import announced
from agentflow.nodes.context import injected
from agentflow.nodes.critic import CriticSettings
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import Update, node
from agentflow.settings import Server, Settings, Share, listed, request_seed
from agentflow.verdict import Verdict
from agentflow.verifiers.evidence import chance_right

Seat = Literal[
    "domain",
    "verifiagent",
    "vanilla",
    "critic",
    "confidence",
    "aspects",
    "deductive",
    "backward",
    "chain_of_verification",
    "fact_check",
    "self_check",
    "cross_check",
    "mutual_consistency",
    "reconstruction",
    "prm",
]
"""Who may sit on it. FlexiVe may not: it is a vote of several runs itself."""

PANEL = "panel"
"""Its name, and that of what its verdict's evidence holds: the verdict of each seat."""


_TWO_JUDGES = (
    "the jury names servers, and a model object is the verifier; give objects by role without it "
    "(`model={'solver': MODEL}`), and LangChain's models as lc:PROVIDER:MODEL in the jury"
)


class PanelSettings(CriticSettings):
    """Settings of a panel."""

    panel: tuple[Seat, ...] = Field(
        default=("critic", "critic", "critic"),
        min_length=1,
        max_length=100,
        description="panel: verifiers that judge a solution in turn; one that is named several "
        "times is asked as often",
    )
    panel_counts: Literal["scores", "verdicts"] = Field(
        default="scores",
        description="panel: its score is the mean of their scores, or the share of them that pass "
        "the solution",
    )
    panel_pass_at: Share = Field(
        default=0.5, description="panel: a solution passes whose mean or share is at least this"
    )
    jury: Annotated[tuple[Server, ...], BeforeValidator(listed)] = Field(
        default=(),
        max_length=100,
        description="panel: servers of several models that are the verifier by turns, each seat "
        "the next one; empty for the role's one",
    )
    panel_asks: Literal["all", "until_sure"] = Field(
        default="all",
        description="panel: all of them, or no more once those left cannot change the verdict",
    )

    @field_validator("panel")
    @classmethod
    def _once_where_it_repeats_itself(cls, panel: tuple[Seat, ...]) -> tuple[Seat, ...]:
        if panel.count("domain") > 1:
            raise ValueError("the domain says the same each time; name it once")
        return panel

    @property
    def servers(self) -> list[Server]:
        """The jury's too."""
        return [*super().servers, *self.jury]


class PanelState(JudgingState, total=False):
    """The channels, with the verdict of each seat so far, as plain JSON."""

    rulings: list[dict[str, Any]]


@dataclass(frozen=True)
class OnPanel(Judging[PanelSettings]):
    """What its nodes are given."""

    schema = PanelState

    @property
    def rulings(self) -> list[Ruling]:
        """What each seat so far has said."""
        return [Ruling(**plain) for plain in self.channels.get("rulings") or ()]


@node(PanelSettings, OnPanel)
async def count(run: OnPanel) -> Update:
    """Add the last seat's verdict; set the panel's own once it stands.

    What cannot be told on a seat may be anything from 0 to 1, and so may a seat that was not asked:
    the panel decides where that could not turn its verdict.
    """
    assert run.verdict is not None, "no seat has judged"
    rulings = [*run.rulings, run.verdict]
    told = {"rulings": [asdict(one) for one in rulings], "seat": len(rulings)}
    verdict, settings = verdict_of(rulings, run.settings), run.settings
    left = len(rulings) < len(settings.panel)
    if left and (verdict.ok is None or settings.panel_asks == "all"):
        return told
    return told | announced(run, PANEL, verdict)


def verdict_of(rulings: Sequence[Ruling], settings: PanelSettings) -> Verdict:
    """What the verdicts of the seats so far come to; undecided where the others could turn it.

    The domain is sound, and no model outvotes it: what it refutes is rejected, and nothing passes
    before it was asked.
    """
    seats, pass_at, evidence = len(settings.panel), settings.panel_pass_at, _evidence(rulings)
    if any(map(refuted_by_domain, rulings)):
        return _rejected(rulings, 0.0, pass_at, evidence)
    told = [one for one in rulings if one.ok is not None]
    if not told and rulings:
        first = rulings[0]
        return Verdict(None, first.reason, first.kind, source=PANEL, evidence=evidence)
    by_verdict = settings.panel_counts == "verdicts"
    least = sum(float(one.ok is True) if by_verdict else chance_right(one) for one in told) / seats
    most = least + (seats - len(told)) / seats
    score = (least + most) / 2
    if most < pass_at:
        return _rejected(rulings, score, pass_at, evidence)
    if least >= pass_at and "domain" not in settings.panel[len(rulings) :]:
        passed = sum(one.ok is True for one in told)
        reason = f"{passed} of {len(rulings)} verifiers passed it"
        return Verdict(True, reason, score=score, source=PANEL, evidence=evidence)
    unsure = next((f" ({one.reason})" for one in rulings if one.ok is None), "")
    why = f"{len(told)} of {seats} verifiers could tell, which decides nothing{unsure}"
    return Verdict(None, why, "cannot_tell", score, source=PANEL, evidence=evidence)


def _rejected(
    rulings: Sequence[Ruling], score: float, pass_at: float, evidence: dict[str, Any]
) -> Verdict:
    """The verdict on a solution that is rejected: by whom, and why."""
    against = [one for one in rulings if one.ok is False]
    reasons = dict.fromkeys(f"{one.verifier}: {one.reason}" for one in against if one.reason)
    reason = "\n".join(reasons) or f"its score of {score:.2f} is below {pass_at:.2f}"
    steps = [one.first_wrong_step for one in against if one.first_wrong_step is not None]
    first = min(steps, default=None)
    return Verdict(False, reason, "low_score", score, first, source=PANEL, evidence=evidence)


def _evidence(rulings: Sequence[Ruling]) -> dict[str, Any]:
    """What its verdict rests on, and how those that reject the solution would mend it."""
    mends = [str(one.evidence.get("revision") or "") for one in rulings if one.ok is False]
    revision = "\n".join(dict.fromkeys(filter(None, mends)))
    told: dict[str, Any] = {PANEL: [asdict(one) for one in rulings]}
    return told | ({"revision": revision} if revision else {})


def rulings_in(verdict: Ruling) -> list[Ruling]:
    """The verdicts of a panel's seats; another verifier's own."""
    seats = verdict.evidence.get(PANEL) if verdict.verifier == PANEL else None
    return [Ruling(**plain) for plain in seats] if seats else [verdict]


def refuted_by_domain(verdict: Ruling) -> bool:
    """Whether it is the domain that refuted the solution, by itself or on a seat."""
    return any(one.verifier == "domain" and one.ok is False for one in rulings_in(verdict))


def seat_settings(run: Judging[PanelSettings], kind: type[Settings]) -> Settings:
    """The settings of the verifier whose turn it is: the run's, with its model of the jury, and
    another seed where it was asked before.

    Args:
        kind: Its class of settings.

    Raises:
        BadInput: If a jury is named, and the verifier is a model object.
    """
    settings, seat = run.settings, run.seat
    given = {name: getattr(settings, name) for name in settings.model_fields_set}
    if before := settings.panel[:seat].count(settings.panel[seat]):
        given["seed"] = request_seed(settings.seed, PANEL, before)
    if jury := settings.jury:
        if injected(settings, "verifier") is not None:
            raise BadInput(_TWO_JUDGES)
        given["roles"] = {**settings.roles, "verifier": (jury[seat % len(jury)],)}
    return kind(**{name: one for name, one in given.items() if name in kind.model_fields})
