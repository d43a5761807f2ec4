"""The bundled judge as a reader: log-probabilities of a text's tokens in one pass."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from itertools import chain
from random import Random
from typing import Any

import pytest

import agentflow
from agentflow import models
from agentflow.errors import BadReply, ModelUnavailable
from agentflow.models import HTTPModel, JudgeModel, Model, ScriptedModel, bundled, next_token
from agentflow.profile import Piece
from agentflow.scorers.likelihood import UNKNOWN, Likelihood

pytestmark = pytest.mark.skipif(
    not bundled.file(bundled.JUDGE).is_file(), reason="the judge is not here"
)

PROBLEM = (
    "math: Jonas has 89 stamps in a drawer. Jonas gives 55 stamps to a neighbour. Later Jonas gets "
    "44 stamps more. How many stamps does Jonas have in the end?"
)
LINES = ("What is left: 89 - 55 = 34 stamps\n", "After that: 34 + 44 = {} stamps\n", "Answer: {}\n")


@pytest.fixture(autouse=True)
async def _closed() -> AsyncIterator[None]:
    yield
    await models.close_all()


async def judge() -> JudgeModel:
    model = await models.connect(bundled.JUDGE)
    assert isinstance(model, JudgeModel)
    return model


async def test_a_token_is_as_likely_as_the_model_says() -> None:
    model = await judge()
    before = await model.tokenize([Piece("9 + 36 =")])
    ids = before + await model.tokenize([Piece(" 45")])
    found = await model.likelihoods(ids)
    assert (len(found), found[0]) == (len(ids), 0.0)
    for at in range(1, len(ids)):
        said = await next_token(model, ids[:at])
        whole = {round(math.log(p), 1) for _, p in said.top if p > 0}
        assert any(abs(found[at] - one) <= 0.2 for one in whole)
    said = await next_token(model, before)
    assert dict(said.top)[" 45"] == pytest.approx(math.exp(found[-1]), rel=0.1, abs=1e-4)


async def test_lines_are_tokenized_alone_in_one_request() -> None:
    model, draw = await judge(), Random(0)
    fresh = JudgeModel(model.base_url, model.file)
    await fresh.open()
    for _ in range(100):
        lines = ["".join(draw.choices("a  3+é\n\t.'", k=draw.randrange(9))) for _ in range(5)]
        pieces = [Piece(f"{line}\n") for line in lines]
        alone = [await HTTPModel.tokenize(fresh, [piece]) for piece in pieces]
        assert await model.tokenize(pieces) == tuple(chain.from_iterable(alone)), lines
    await fresh.close()


async def test_known_lines_are_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model, asked = await judge(), list[str]()
    ask = model._ask

    async def counted(path: str, body: dict[str, Any] | None = None) -> Any:
        asked.append(path)
        return await ask(path, body)

    monkeypatch.setattr(model, "_ask", counted)
    pieces = [Piece(line.format(77)) for line in LINES]
    whole = await model.tokenize(pieces)
    assert [one for piece in pieces for one in await model.tokenize([piece])] == list(whole)
    assert asked == ["/tokenize"]


async def test_what_it_cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    model = await judge()
    with pytest.raises(ModelUnavailable, match="too large"):
        await model.likelihoods(tuple([5] * 3000))

    async def ask(path: str, body: dict[str, Any]) -> Any:
        return [{"embedding": [[0.0, 1.0]]}]

    other = JudgeModel("http://localhost:1/v1", model.file)
    monkeypatch.setattr(other, "_ask", ask)
    with pytest.raises(BadReply, match=r"states of shape \(1, 2\) for 3 tokens"):
        await other.likelihoods((1, 2, 3))


async def test_the_wrong_line_is_named() -> None:
    reader = Likelihood(await judge())
    right = await reader.rewards(PROBLEM, [line.format(78) for line in LINES])
    assert min(right.scores) > UNKNOWN
    wrong = await reader.rewards(PROBLEM, [line.format(87) for line in LINES])
    assert wrong.scores[0] > UNKNOWN > wrong.scores[1]


@pytest.mark.parametrize("pass_at", [0.5, 0.8])
async def test_what_was_not_read_is_undecided(
    pass_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def likely(self: JudgeModel, ids: tuple[int, ...]) -> tuple[float, ...]:
        return (-0.1,) * len(ids)

    monkeypatch.setattr(JudgeModel, "likelihoods", likely)
    text = LINES[0] * 700
    verdict, _ = await agentflow.ajudge(PROBLEM, text, "prm", domain="math", pass_at=pass_at)
    assert (verdict.ok, verdict.kind, verdict.score) == (None, "cannot_tell", UNKNOWN)
    verdict, _ = await agentflow.ajudge(PROBLEM, LINES[0], "prm", domain="math", pass_at=pass_at)
    assert verdict.ok


async def test_a_solution_is_judged_with_it() -> None:
    text = "".join(line.format(87) for line in LINES)
    verdict, ledger = await agentflow.ajudge(PROBLEM, text, "prm", domain="math")
    assert (verdict.ok, verdict.evidence["end"]) == (False, text.index("Answer"))
    (entry,) = ledger.values()
    assert (entry["role"], entry["generated"], entry["prompt"] > 60) == ("prm", 0, True)


@pytest.mark.parametrize("with_judge", [True, False])
async def test_in_a_step_of_several_lines_the_first_that_it_rejects_is_rewritten(
    with_judge: bool,
) -> None:
    """FlexiVe names a step; it begins where the model hesitates, which it does nowhere here."""
    solutions = iter(
        [
            "".join(line.format(87) for line in LINES) + "</think>\n\\boxed{87}",
            f"{LINES[2].format(78)}</think>\n\\boxed{{78}}",
        ]
    )
    replies = iter([r"\boxed{0}", LINES[1].format(78), r"\boxed{-1}"])
    solver = ScriptedModel(lambda prompt: next(solutions))
    roles: dict[str, Model] = {
        "solver": solver,
        "verifier": ScriptedModel(lambda prompt: next(replies)),
        "prm": await judge() if with_judge else ScriptedModel(""),
    }
    result = await agentflow.asolve(
        PROBLEM.removeprefix("math: "), "solve_detect_verify", model=roles, domain="math",
        ladder=["fast"], k=1, detect=False, judge_answers=False, refine_by="rewrite",
    )  # fmt: skip
    assert (result.status, result.answer) == ("accepted", "78")
    first, second = (solver.text(one.prompt) for one in solver.requests)  # type: ignore[arg-type]
    kept = LINES[0] if with_judge else ""
    assert second == f"{first}{kept}{LINES[1].format(78)}"
    assert ("prm" in {entry["role"] for entry in result.ledger.values()}) is with_judge
