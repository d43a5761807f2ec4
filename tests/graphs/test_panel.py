"""Several verifiers judge one solution, or one of them several times."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow import models
from agentflow.channels import Ruling
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.graphs import verifier
from agentflow.models import Request, ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.panel import PanelSettings, verdict_of
from agentflow.verifiers.evidence import chance_right

PROBLEM = "Tom has 5 apples, buys 7 and eats 3. How many has he left?"
SOLUTION = "He buys 7, so 5 + 7 = 12.\nThen 12 - 3 = 9.\nAnswer: 9"
ALL = {"panel_counts": "verdicts", "panel_pass_at": 1, "panel_asks": "until_sure"}


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentflow import backoff

    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.001)


def score(value: float) -> str:
    return json.dumps({"reason": f"it is worth {value}", "score": value})


def scores(*values: float) -> ScriptedModel:
    """A critic that says these, one after the other."""
    left: Iterator[float] = iter(values)
    return ScriptedModel(lambda _: score(next(left)))


async def judged(model: Any, solution: str = SOLUTION, **settings: Any) -> dict[str, Any]:
    config: Any = {"configurable": {MODEL_KEY: model}}
    puzzle = settings.get("domain") == "game24"
    start: Any = {"problem": "4 7 8 8" if puzzle else PROBLEM, "solution": solution}
    out = await verifier("panel").graph.ainvoke(
        start, config, context={"domain": "math", **settings}
    )
    verdict: dict[str, Any] = out["verdict"]
    assert len(verdict["evidence"]["panel"]) <= len(settings.get("panel", "123"))
    return verdict | {"ledger": out["ledger"]}


async def test_its_score_is_the_mean() -> None:
    verdict = await judged(scores(0.9, 0.2, 0.7))
    assert (verdict["ok"], verdict["verifier"]) == (True, "panel")
    assert verdict["score"] == pytest.approx(0.6)
    assert verdict["reason"] == "2 of 3 verifiers passed it"
    assert len(verdict["ledger"]) == 3


async def test_who_rejects_it_says_why() -> None:
    verdict = await judged(scores(0.9, 0.2, 0.1))
    assert verdict["ok"] is False
    assert verdict["reason"] == "critic: it is worth 0.2\ncritic: it is worth 0.1"


async def test_the_first_that_rejects_ends_it_where_all_must_pass() -> None:
    verdict = await judged(scores(0.9, 0.2), panel=["critic"] * 5, **ALL)
    assert verdict["ok"] is False
    assert len(verdict["evidence"]["panel"]) == 2
    assert (await judged(scores(*[0.6] * 5), panel=["critic"] * 5, **ALL))["ok"] is True


async def test_one_that_cannot_be_read_leaves_it_open_where_it_could_turn_it() -> None:
    replies = [score(0.9), "hm", "hm", score(0.2)]
    verdict = await judged(ScriptedModel(lambda _: replies.pop(0)))
    assert (verdict["ok"], verdict["kind"]) == (None, "cannot_tell")
    assert verdict["reason"].startswith("2 of 3 verifiers could tell, which decides nothing (")
    replies = [score(0.9), "hm", "hm", score(0.9)]
    assert (await judged(ScriptedModel(lambda _: replies.pop(0))))["ok"] is True


async def test_nobody_can_tell() -> None:
    verdict = await judged(ScriptedModel("hm"), panel=["critic", "critic"])
    assert (verdict["ok"], verdict["score"]) == (None, None)
    assert "JSON" in verdict["reason"]


async def test_different_verifiers() -> None:
    def reply(prompt: str) -> str:
        return "Yes" if "Yes or No" in prompt else score(0.2)

    verdict = await judged(ScriptedModel(reply), panel=["critic", "confidence"])
    seats = [(one["verifier"], one["score"]) for one in verdict["evidence"]["panel"]]
    assert seats == [("critic", 0.2), ("confidence", 1.0)]
    assert verdict["score"] == pytest.approx(0.6)


async def test_the_domain_on_a_seat_judges_the_answer() -> None:
    panel: dict[str, Any] = {"panel": ["domain", "critic"], **ALL, "domain": "game24"}
    verdict = await judged(scores(0.9), "Answer: 8 + 8 + 7 - 4 = 24", **panel)
    assert verdict["ok"] is False
    assert [one["verifier"] for one in verdict["evidence"]["panel"]] == ["domain"]
    assert (await judged(scores(0.9), "Answer: 4 * (7 - 8 / 8) = 24", **panel))["ok"] is True


class Seeds(ScriptedModel):
    """Remembers the seeds of requests."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.seeds = list[int]()

    async def stream(self, request: Request) -> Any:
        self.seeds.append(request.seed)
        async for item in super().stream(request):
            yield item


async def test_one_that_is_asked_again_is_asked_with_another_seed() -> None:
    three, one = Seeds(score(0.5)), Seeds(score(0.5))
    await judged(three)
    await judged(one, panel=["critic"])
    assert len(set(three.seeds)) == 3
    assert three.seeds[:1] == one.seeds


async def test_a_judge_that_is_gone_leaves_its_seat_open() -> None:
    class Gone(Seeds):
        gone: int | None = None

        async def stream(self, request: Request) -> Any:
            new = self.seeds and request.seed not in self.seeds
            if new and self.gone in (None, request.seed):
                self.gone = request.seed
                raise ModelUnavailable("gone")
            async for item in super().stream(request):
                yield item

    verdict = await judged(Gone(score(0.9)), retries=0)
    kinds = [one["kind"] for one in verdict["evidence"]["panel"]]
    assert kinds == ["", "unavailable", ""]
    assert verdict["ok"] is True


async def test_samples_are_judged_by_it() -> None:
    """A solution has to pass five times in a row, and is revised by the first that rejects it."""
    asked = list[str]()
    verdicts = iter([0.9, 0.9, 0.1, 0.9, 0.9, 0.9, 0.9, 0.9])

    def reply(prompt: str) -> str:
        if f"critic: {PROBLEM}" in prompt:
            return score(next(verdicts))
        asked.append(prompt)
        return f"so\n</think>\nAnswer: {15 if len(asked) == 1 else 9}"

    result = await agentflow.asolve(
        PROBLEM,
        "verified_sampling",
        domain="math",
        model=ScriptedModel(reply),
        verifier="panel",
        panel=["critic"] * 5,
        feedback="post_editing",
        **ALL,
    )
    assert (result.answer, result.status) == ("9", "accepted")
    assert next(verdicts, None) is None
    assert "critic: it is worth 0.1" in asked[1]
    assert sum("/critic" in key for key in result.ledger) == 8


async def test_what_the_domain_refuted_on_a_seat_is_no_answer() -> None:
    model = ScriptedModel("so</think>\nAnswer: 8 + 8 + 7 - 4 = 24")
    result = await agentflow.asolve(
        "4 7 8 8", "sampling", model=model, critic="panel", panel=["domain"], k=2
    )
    assert (result.answer, result.status) == (None, "abstained")


@pytest.mark.parametrize("counts", ["scores", "verdicts"])
@pytest.mark.parametrize("asks", ["all", "until_sure"])
async def test_models_do_not_outvote_the_domain(counts: str, asks: str) -> None:
    """Nor do they have the domain passed over."""
    wrong = "He buys 7, so 5 + 7 = 13.\nThen 13 - 3 = 10.\nAnswer: 10"
    verdict = await judged(
        ScriptedModel(score(0.9)),
        wrong,
        panel=["critic", "critic", "critic", "domain"],
        panel_counts=counts,
        panel_asks=asks,
    )
    assert verdict["ok"] is False
    assert verdict["score"] < 0.5
    assert verdict["first_wrong_step"] is not None
    assert verdict["reason"] == "domain: 5 + 7 is 12, not 13"


async def test_a_sample_that_the_domain_refuted_is_not_accepted() -> None:
    def reply(prompt: str) -> str:
        return score(0.9) if "critic: " in prompt else "so</think>5 + 7 = 13.\nAnswer: 10"

    result = await agentflow.asolve(
        PROBLEM,
        "verified_sampling",
        domain="math",
        model=ScriptedModel(reply),
        verifier="panel",
        panel=["critic", "critic", "domain"],
        n=1,
    )
    assert result.status not in ("verified", "accepted")


async def test_a_jury_takes_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    jury = {
        f"http://{name}/v1": scores(*said) for name, said in {"a": (0.9, 0.8), "b": (0.4,)}.items()
    }

    async def connect(servers: Any, **_: Any) -> Any:
        at = servers if isinstance(servers, str) else servers[0].at
        return jury.get(at, ScriptedModel(""))

    monkeypatch.setattr(models, "connect", connect)
    verdict = await judged({}, jury=list(jury))
    assert [one["score"] for one in verdict["evidence"]["panel"]] == [0.9, 0.4, 0.8]


async def test_a_jury_beside_a_model_object_is_refused() -> None:
    with pytest.raises(BadInput, match="the jury names servers, and a model object"):
        await judged(scores(0.9), jury=["http://a/v1"])


def test_the_domain_sits_once() -> None:
    with pytest.raises(ValueError, match="name it once"):
        PanelSettings(panel=("domain", "domain"))
    with pytest.raises(ValueError, match="panel"):
        PanelSettings(panel=("flexive",))  # type: ignore[arg-type]


RULINGS = st.builds(
    lambda ok, score: Ruling(ok, "so", score=score, verifier="critic"),
    st.sampled_from([True, False, None]),
    st.one_of(st.none(), st.floats(0, 1)),
)


@given(
    st.lists(RULINGS, min_size=1, max_size=6),
    st.floats(0, 1),
    st.sampled_from(["scores", "verdicts"]),
    st.integers(0, 3),
)
def test_what_is_open_never_turns_a_verdict(
    rulings: Sequence[Ruling], pass_at: float, counts: Any, left: int
) -> None:
    """Whatever those left say, a verdict that stands is the one that all would have come to."""
    seats = ("critic",) * (len(rulings) + left)
    settings = PanelSettings(panel=seats, panel_pass_at=pass_at, panel_counts=counts)
    verdict = verdict_of(rulings, settings)
    for ok, value in ((True, 1.0), (False, 0.0)):
        filled = [
            one if one.ok is not None else Ruling(ok, score=value, verifier="critic")
            for one in rulings
        ]
        whole = verdict_of(
            [*filled, *[Ruling(ok, score=value, verifier="critic")] * left], settings
        )
        assert whole.ok is not None
        assert verdict.ok in (None, whole.ok)
    if verdict.ok is not None:
        assert verdict.score is not None
        assert (verdict.score >= pass_at) == verdict.ok


@given(RULINGS)
def test_a_panel_of_one_says_what_that_one_says(ruling: Ruling) -> None:
    settings = PanelSettings(panel=("critic",), panel_counts="verdicts")
    verdict = verdict_of([ruling], settings)
    assert verdict.ok == ruling.ok
    assert ruling.ok is None or chance_right(verdict) == float(ruling.ok)
