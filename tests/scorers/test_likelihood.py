"""The judge as a reward model: what it reads, and what a surprise is worth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow.models import ScriptedModel
from agentflow.problem import Problem
from agentflow.profile import PROFILES, Piece
from agentflow.scorers import PRMScorer
from agentflow.scorers.likelihood import UNKNOWN, Likelihood, before, chance, lines
from agentflow.search.path import Path
from agentflow.verifiers.flexive import question
from agentflow.verifiers.steps import joined, segment

POCKET = PROFILES["pocket"]
STEPS = ("4 * 9 = 36\n", "9 + 36 = 44\n", "Wait, let me verify\n9 + 36 = 45\n")
TEXT = "Boris has 9 tiles."


class Surprised(ScriptedModel):
    """A judge whose tokens are letters, and that is surprised by some of them."""

    def __init__(self, surprises: dict[str, float], context: int = 100_000) -> None:
        super().__init__({}, name="pocket-judge")
        self.surprises, self.asked = surprises, list[str]()
        self.profile = self.profile.__class__(**{**_fields(POCKET), "context": context})

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        return tuple(ord(one) for piece in pieces for one in piece.text)

    async def likelihoods(self, ids: tuple[int, ...]) -> tuple[float, ...]:
        text = "".join(map(chr, ids))
        self.asked.append(text)
        said = [-0.1] * len(ids)
        for words, logprob in self.surprises.items():
            if (at := text.find(words)) >= 0:
                said[at + len(words) - 1] = logprob
        return tuple(said)


def _fields(profile: object) -> dict[str, object]:
    return {name: getattr(profile, name) for name in profile.__dataclass_fields__}  # type: ignore[attr-defined]


async def test_a_step_is_as_good_as_its_least_likely_token() -> None:
    model = Surprised({"36 = 44": -9.0})
    found = await Likelihood(model).rewards(TEXT, STEPS)
    assert found.scores == pytest.approx((chance(-0.1), chance(-9.0), chance(-9.0)))
    assert found.scores[0] > UNKNOWN > found.scores[1]
    assert (found.prompt, found.generated, len(model.asked)) == (len(model.asked[0]), 0, 1)
    assert (await Likelihood(model).rewards(TEXT, ())).scores == ()


async def test_where_a_line_begins_says_nothing_of_it() -> None:
    (first, *_) = (await Likelihood(Surprised({"\n9": -20.0})).rewards(TEXT, STEPS)).scores
    assert first == pytest.approx(chance(-0.1))
    scores = (await Likelihood(Surprised({"\n9": -20.0})).rewards(TEXT, STEPS)).scores
    assert min(scores) == pytest.approx(chance(-0.1))


async def test_what_the_context_does_not_hold_is_unknown() -> None:
    whole = "".join(piece.text for piece, _ in lines(POCKET, TEXT, STEPS))
    model = Surprised({}, context=whole.index("= 44"))
    found = await Likelihood(model).rewards(TEXT, STEPS)
    assert found.scores == pytest.approx((chance(-0.1), UNKNOWN, UNKNOWN))


WORDS = st.sampled_from(
    ["9 + 9 = 18", "Wait, let me verify", "<step_0>", "</step_1>", " ", "né\u2028"]
)
TEXTS = st.lists(st.lists(WORDS, max_size=3).map(lambda some: "\n".join(some) + "\n"), min_size=1)


@settings(max_examples=40)
@given(TEXTS)
def test_it_reads_what_the_fast_verifier_reads(steps: list[str]) -> None:
    parts = segment(joined(steps), POCKET.hesitations)
    whole = "".join(piece.text for piece in question(POCKET, "fast", TEXT, parts))
    read = lines(POCKET, TEXT, steps)
    assert whole.startswith("".join(piece.text for piece, _ in read).rstrip("\n"))
    said = "".join(piece.text for piece, counts in read if counts)
    assert "".join(said.split()) == "".join("".join(steps).split())


@settings(max_examples=40)
@given(TEXTS, st.sampled_from(["18", "me verify", "né"]))
async def test_scores_fall_and_every_step_has_one(steps: list[str], surprise: str) -> None:
    found = (await Likelihood(Surprised({surprise: -30.0})).rewards(TEXT, steps)).scores
    assert len(found) == len(steps)
    assert list(found) == list(accumulate(found, min))
    first = next((at for at, step in enumerate(steps) if surprise in step), None)
    low = next((at for at, score in enumerate(found) if score < UNKNOWN), None)
    assert low == first or (first is None and low is None)


async def test_a_prm_scorer_asks_it() -> None:
    scorer = PRMScorer(Likelihood(Surprised({"36 = 44": -9.0})))
    (path,) = await scorer.score(Problem(text=TEXT, domain="math"), [Path(STEPS)])
    assert path.scores[1] == pytest.approx(chance(-9.0))
    (entry,) = scorer.entries.values()
    assert (entry["generated"], entry["role"]) == (0, "prm")
    assert scorer.name == "prm:pocket-judge"


@given(st.lists(st.lists(WORDS, max_size=3).map("\n".join), max_size=4), st.data())
@settings(max_examples=60, deadline=None)
def test_in_front_of_a_line_stands_what_is_read_before_it(
    steps: list[str], data: st.DataObject
) -> None:
    whole = joined(steps)
    starts = [0, *(at + 1 for at, one in enumerate(whole) if one == "\n")]
    start = data.draw(st.sampled_from(starts))
    shown, found = lines(POCKET, TEXT, steps), before(POCKET, TEXT, steps, start)
    assert found == [piece for piece, _ in shown[: len(found)]]
    said = "".join(piece.text for piece, counts in shown[: len(found)] if counts)
    assert "".join(said.split()) == "".join(whole[:start].split())
    assert len(found) == len(shown) or shown[len(found)][1]  # a line of the solution's comes next
