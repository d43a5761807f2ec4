"""A learned controller of searches: what to do at each step, by expected reward per token.

At each step boundary an attempt is in a :class:`State`, which its scores say. For each state and
choice a table, learned from recorded trees, has how attempts end that make this choice and then go
on one step at a time, and how many tokens that takes. A kind of end has its share of right
answers. A choice's gain is the share expected of it beyond that of the best attempt that has ended.
The choice of the highest gain per token is made, until none gains more than the price of a token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path as File
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agentflow.errors import BadInput
from agentflow.files import TEXT, bytes_in, text_of
from agentflow.models.bundled import is_judge

Choice = Literal["go on", "widen", "look ahead", "redraw", "give up", "stop"]
"""What may be done behind a step. ``go on``: one more step. ``widen``: :data:`WIDTH` candidates for
the next one, of which the best stays. ``look ahead``: the better of two continuations by
:data:`DEPTH` steps. ``redraw``: another candidate beside the last step; the better one stays.
``give up``: leave the attempt and begin another. ``stop``: give the best attempt that has ended."""

WIDTH, DEPTH, ROLLOUTS = 4, 4, 2
"""Candidates of ``widen``; steps and number of the continuations of ``look ahead``."""

BANDS = ("low", "middle", "high")
_LENGTHS = (8, 24, 64)
DRAWN, FAILED = 3, 6
"""Candidates of a step, and attempts that failed, behind which there may be another one; recordings
have no more to learn from."""
AHEAD = 8
"""Steps that a reward model reads at once where the controller's file says nothing else: a whole
attempt in most domains."""
_FAILS = 0.5
"""An attempt failed if fewer than this share of its kind of end are right."""

SHIPPED = File(__file__).with_name("controllers")
"""Learned from the bundled model's trees: a folder for the rules' scores and one for the bundled
judge's, with a table for any domain and some for one domain."""


def shipped(scorer: str, domain: str) -> File:
    """The table that is shipped for the scores of a scorer, told by its name: the domain's own,
    where there is one."""
    tables = SHIPPED / ("judge" if is_judge(scorer) else "rules")
    own = tables / f"{domain}.json"
    return own if own.is_file() else tables / "any.json"


def band(score: float) -> str:
    """The third of [0, 1] in which a score lies."""
    return BANDS[min(int(3 * score), 2)]


def kind(scores: Sequence[float]) -> str:
    """What the scores of a path say of it: its last one, and its lowest."""
    return f"{band(scores[-1])}/{band(min(scores))}" if scores else "none"


KINDS = tuple(f"{a}/{b}" for a in BANDS for b in BANDS if BANDS.index(a) >= BANDS.index(b))
CUT = "cut"
"""The end of an attempt that never comes to one."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a search stands behind a step.

    Attributes:
        kind: Of the attempt's scores; ``none`` at its beginning.
        length: How many of 8, 24 and 64 steps it has.
        drawn: Candidates of its last step that were compared; 1 where that is not low.
        failed: At an attempt's beginning, how many have failed before it.
    """

    kind: str
    length: int = 0
    drawn: int = 1
    failed: int = 0

    def __str__(self) -> str:
        if self.kind == "none":
            return f"start, {self.failed} failed"
        least = (1, *_LENGTHS)[self.length]
        drawn = f", drawn {self.drawn}" if self.kind.startswith("low") else ""
        return f"{self.kind}, from step {least}{drawn}"


def state_of(scores: Sequence[float], drawn: int = 1, failed: int = 0) -> State:
    """The state of an attempt with these scores."""
    said = kind(scores)
    if said == "none":
        return State(said, failed=min(failed, FAILED))
    length = sum(len(scores) >= bound for bound in _LENGTHS)
    return State(said, length, min(max(drawn, 1), DRAWN) if said.startswith("low") else 1)


STATES = (
    *(State("none", failed=n) for n in range(FAILED + 1)),
    *(
        State(said, length, drawn)
        for said in KINDS
        for length in range(len(_LENGTHS) + 1)
        for drawn in range(1, DRAWN + 1 if said.startswith("low") else 2)
    ),
)
"""All there are."""

_NAMES = {str(state) for state in STATES}
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Plain(BaseModel):
    """Read from a file: nothing more than its fields, and nothing changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Estimate(Plain):
    """What is expected of a choice in a state.

    Attributes:
        tokens: Until the attempt ends, those of the choice counted.
        ends: Shares of the kinds of ends; what is missing to 1 is cut short.
        seen: Places in the recorded trees that say so.
    """

    tokens: float = Field(gt=0, allow_inf_nan=False)
    ends: dict[str, _Share]
    seen: int = Field(ge=0)

    @model_validator(mode="after")
    def _known(self) -> Self:
        if unknown := self.ends.keys() - {*KINDS}:
            raise ValueError(f"no kinds of ends: {', '.join(sorted(unknown))}")
        if sum(self.ends.values()) > 1.01:  # they are rounded
            raise ValueError("the shares of the ends are more than 1 together")
        return self


class Scores(Plain):
    """Whose scores the states are told from; the fields are the settings of that name."""

    scorer: Literal["rules", "prompted", "prm"]
    hopeless: bool
    unread: _Share


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice, and why.

    Attributes:
        choice: What is done.
        state: Where.
        gain: Expected share of right answers beyond ``held``, the best attempt's that has ended.
        tokens: Expected until the attempt ends.
        rate: The gain per 1,000 tokens.
        reason: In words.
    """

    choice: Choice
    state: str
    held: float
    gain: float
    tokens: float
    rate: float
    reason: str


class Controller(Plain):
    """What was learned; see the module.

    Attributes:
        model: Whose trees it is learned from.
        scores: Who scored them.
        learned: Of what: files, problems, seeds, in words.
        price: What a choice must gain per 1,000 tokens, as a share of right answers.
        right: Share of right answers by kind of end.
        ahead: How many steps are drawn before they are scored, 0 for whole attempts; None for
            :data:`AHEAD` where a reward model reads them in one request, else one.
        table: State, choice -> what is expected.
    """

    model: str
    scores: Scores
    learned: str
    price: float = Field(ge=0, allow_inf_nan=False)
    right: dict[str, _Share]
    ahead: int | None = Field(default=None, ge=0)
    table: dict[str, dict[Literal["go on", "widen", "look ahead", "redraw"], Estimate]]

    @property
    def at_once(self) -> int:
        """How many steps are drawn before they are scored; 0 for whole attempts."""
        if self.ahead is not None:
            return self.ahead
        return AHEAD if self.scores.scorer == "prm" else 1

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if unknown := self.right.keys() - {*KINDS}:
            raise ValueError(f"no kinds of ends: {', '.join(sorted(unknown))}")
        if unknown := self.table.keys() - _NAMES:
            raise ValueError(f"no states: {', '.join(sorted(unknown))}")
        if lacking := [name for name in sorted(_NAMES) if "go on" not in self.table.get(name, {})]:
            raise ValueError(f"nothing is said of going on at: {lacking[0]}")
        return self

    def worth(self, scores: Sequence[float]) -> float:
        """How likely the answer is right of an attempt that has ended with these scores."""
        return self.right.get(kind(scores), 0.0)

    def failed(self, scores: Sequence[float]) -> bool:
        """Whether such an attempt failed: few like it are right."""
        return self.worth(scores) < _FAILS

    def unsuited(self, scorer: str, hopeless: bool, unread: float) -> str:
        """Why the scores of such a scorer are not those that it was learned from; empty if they
        are."""
        names = ("scorer", "hopeless", "unread") if scorer == "rules" else ("scorer",)
        given = {"scorer": scorer, "hopeless": hopeless, "unread": unread}
        learned = self.scores.model_dump()
        differ = [name for name in names if given[name] != learned[name]]
        was, here = (
            ", ".join(f"{name}={values[name]}" for name in differ) for values in (learned, given)
        )
        return f"it was learned with {was}, and here is {here}" if differ else ""

    def choose(
        self,
        state: State,
        held: float | None = None,
        left: float | None = None,
        *,
        price: float | None = None,
        failed: int = 0,
        redraws: bool = True,
    ) -> Decision:
        """What to do.

        Args:
            held: :meth:`worth` of the best attempt that has ended; None if none has, and an attempt
                must be brought to its end.
            left: Tokens that the search may still generate; None for no limit. A choice that is
                expected to take more is not made.
            price: In place of the file's.
            failed: Attempts that have failed before this one.
            redraws: Whether the last step may be drawn again.
        """
        least = self.price if price is None else price
        rows: dict[Choice, Estimate] = dict(self.table[str(state)].items())
        onward = self._decision("go on", state, held, rows["go on"])
        if not redraws:
            rows.pop("redraw", None)
        if state.kind == "none" and failed > FAILED:
            rows = {}
        elif state.kind != "none" and failed < FAILED:
            rows["give up"] = self.table[str(state_of((), failed=failed + 1))]["go on"]
        best, found = 0.0, onward
        for choice, row in rows.items():
            one = self._decision(choice, state, held, row)
            if one.rate > max(least, best) and (left is None or one.tokens <= left):
                best, found = one.rate, one
        if best > 0:
            return found
        if held is not None:
            return Decision("stop", str(state), held, 0.0, 0.0, 0.0, "nothing is worth its tokens")
        reason = "no attempt has ended, and nothing is worth its tokens"
        return Decision("go on", str(state), 0.0, onward.gain, onward.tokens, onward.rate, reason)

    def _decision(
        self, choice: Choice, state: State, held: float | None, row: Estimate
    ) -> Decision:
        base = held or 0.0
        gain = sum(
            share * max(0.0, self.right.get(end, 0.0) - base) for end, share in row.ends.items()
        )
        rate = 1000 * gain / row.tokens
        reason = f"{gain:+.3f} right for {row.tokens:.0f} tokens"
        return Decision(choice, str(state), base, gain, row.tokens, rate, reason)


def load(path: File) -> Controller:
    """The controller in a file.

    Raises:
        BadInput: If it is none; says what is wrong and where.
    """
    return _loaded(path.resolve(), path.stat().st_mtime_ns if path.is_file() else 0)


@cache
def _loaded(path: File, changed: int) -> Controller:
    what = f"{path}: no controller (`agentflow controller fit` writes one)"
    try:
        return Controller.model_validate(json.loads(text_of(bytes_in(path, TEXT), what)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise BadInput(f"{what}: {place}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{what}: {error}") from error


def plain(found: Controller) -> str:
    """A controller as the text of its file: a state and its choices a line."""
    given: Mapping[str, Any] = found.model_dump(exclude_none=True)
    table = ",\n".join(
        f"    {json.dumps(state)}: {json.dumps(row)}" for state, row in given["table"].items()
    )
    head = {name: value for name, value in given.items() if name != "table"}
    lines = [f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items()]
    return "{\n" + "".join(lines) + '  "table": {\n' + table + "\n  }\n}\n"
