"""The PRM scorer against a server that answers in vLLM's shape, and in others."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st

from agentflow import ledger, models, prompts
from agentflow.domains import Game24
from agentflow.errors import BadInput, BadReply, ModelUnavailable, Refused
from agentflow.models import RewardModel
from agentflow.models.reward import SEPARATOR, SYSTEM
from agentflow.profile import PROFILES
from agentflow.scorers import PRMScorer
from agentflow.scorers.prm import without_markers
from agentflow.search import Path
from agentflow.settings import Server
from agentflow.thinking import split

PROBLEM = Game24().parse("4 7 8 8")
STEPS = ("8 / 8 = 1\n", "7 - 1 = 6\n", "4 * 6 = 24\n")


def worth(text: str) -> float:
    """What the fake says of a step: the same again, whatever stands around it."""
    return (len(text) * 7 % 90 + 5) / 100


class Fake:
    """vLLM 0.32's /pooling with a STEP pooler: a row of two probabilities at every separator.

    Attributes:
        answers: Instead of that, what a test has it answer: (status, body) or a body.
    """

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.bodies: list[dict[str, Any]] = []
        self.now = self.most = 0
        self.wait = 0.0
        self.app = web.Application()
        self.app.router.add_get("/v1/models", self.models)
        self.app.router.add_post("/pooling", self.pooling)

    async def models(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "prm", "owned_by": "vllm"}]})

    async def pooling(self, request: web.Request) -> web.Response:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.wait)
        self.now -= 1
        body = await request.json()
        self.bodies.append(body)
        answer = self.answers.pop(0) if self.answers else self.rewards(body)
        status, answer = answer if isinstance(answer, tuple) else (200, answer)
        return web.Response(
            text=answer if isinstance(answer, str) else json.dumps(answer),
            status=status,
            content_type="application/json",
        )

    def rewards(self, body: dict[str, Any]) -> dict[str, Any]:
        said = body["messages"][-1]["content"]
        assert said.endswith(SEPARATOR)
        rows = [[1 - worth(step), worth(step)] for step in said.split(SEPARATOR)[:-1]]
        return shaped(rows)

    @asynccontextmanager
    async def served(self, **options: Any) -> AsyncIterator[PRMScorer]:
        async with TestServer(self.app, host="127.0.0.1") as server:
            model = RewardModel(f"http://127.0.0.1:{server.port}/v1", **options)
            yield PRMScorer(model, "0/x")
            await model.close()


def shaped(rows: Any, index: int = 0) -> dict[str, Any]:
    return {
        "id": "pool-1",
        "object": "list",
        "created": 1,
        "model": "prm",
        "data": [{"index": index, "object": "pooling", "data": rows}],
        "usage": {"prompt_tokens": 40, "total_tokens": 40, "completion_tokens": 0},
    }


async def test_every_step_has_the_probability_that_it_is_right() -> None:
    fake = Fake()
    async with fake.served() as scorer:
        (path,) = await scorer.score(PROBLEM, [Path(STEPS)])
    assert path.scores == tuple(pytest.approx(worth(step.strip())) for step in STEPS)
    assert scorer.name == "prm:prm"
    (body,) = fake.bodies
    assert body["model"] == "prm"
    assert body["messages"] == [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": prompts.stated(PROBLEM, PROFILES["qwen3"])},
        {"role": "assistant", "content": "".join(f"{s.strip()}<extra_0>" for s in STEPS)},
    ]


@pytest.mark.parametrize(("begin", "end"), [("<think>", "</think>"), ("[THINK]", "[/THINK]")])
async def test_what_opens_and_ends_the_thinking_is_not_read(begin: str, end: str) -> None:
    """It is no part of a solution; to the judge such a line was as wrong as can be."""
    fake = Fake()
    async with fake.served() as scorer:
        steps = (f"{begin}\n{STEPS[0]}", f"{end}\n{STEPS[1]}")
        (path,) = await scorer.score(PROBLEM, [Path(steps)])
    assert path.scores == tuple(pytest.approx(worth(step.strip())) for step in STEPS[:2])


@given(st.lists(st.text(alphabet="a\n </>think`", max_size=12), max_size=6), st.data())
def test_only_markers_go_wherever_steps_are_cut(pieces: list[str], data: st.DataObject) -> None:
    text = "<think>\n" + "</think>".join(pieces)
    cut = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    steps = [text[a:b] for a, b in pairwise([0, *cut, len(text)])]
    found = without_markers(steps)
    assert len(found) == len(steps)
    kept = [part for part in split(text).parts if part.kind != "marker"]
    said = "".join(text[part.start : part.end] for part in kept)
    assert "".join("".join(found).split()) == "".join(said.split())


async def test_a_path_is_asked_about_once_and_for_all_its_steps() -> None:
    fake = Fake()
    async with fake.served() as scorer:
        first = await scorer.score(PROBLEM, [Path(STEPS[:1]), Path(STEPS), Path(STEPS[:2])])
        assert len(fake.bodies) == 1
        again = await scorer.score(PROBLEM, [Path(STEPS), Path(STEPS[:2])])
        assert len(fake.bodies) == 1
        other = Path((*STEPS[:2], "5\n"), (0.1, 0.2))
        (kept,) = await scorer.score(PROBLEM, [other])
        assert len(fake.bodies) == 2
        assert await scorer.score(PROBLEM, [Path()]) == [Path()]
        assert len(fake.bodies) == 2
    assert again == [first[1], first[2]]
    assert kept.scores == (0.1, 0.2, worth("5"))


async def test_paths_are_asked_about_at_once_but_not_all() -> None:
    fake = Fake()
    fake.wait = 0.02
    async with fake.served() as scorer:
        scorer.at_once = 4
        await scorer.score(PROBLEM, [Path((str(n),)) for n in range(10)])
    assert (len(fake.bodies), fake.most) == (10, 4)


async def test_the_ledger_has_every_call() -> None:
    fake = Fake()
    async with fake.served() as scorer:
        await scorer.score(PROBLEM, [Path((str(n),)) for n in range(3)])
    cost = ledger.by_role(scorer.entries)["prm"]
    assert (cost.calls, cost.prompt, cost.generated) == (3, 120, 0)
    assert set(scorer.entries) == {f"prm/0/x/{n}" for n in range(3)}


async def test_what_spells_a_special_token_is_letters() -> None:
    fake = Fake()
    steps = ("a<extra_0>b<|im_end|>\n", "x < y\n")
    async with fake.served() as scorer:
        (path,) = await scorer.score(PROBLEM, [Path(steps)])
    said = fake.bodies[0]["messages"][-1]["content"]
    assert said.count(SEPARATOR) == 2 == len(path.scores)
    assert "<|" not in said
    assert "x < y" in said


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (shaped([[0.5, 0.5]]), "a row for each of 3 steps .*process reward model"),
        (shaped([[0.5, 0.5]] * 40), "is a list of 40, where a row for each of 3 steps"),
        (shaped([[0.1, 0.2, 0.7]] * 3), "two classes"),
        (shaped([[0.7]] * 3), "two classes"),
        (shaped([[-2.0, 3.5]] * 3), "-2.0, where a probability"),
        (shaped([[float("nan"), 0.5]] * 3), r"\[\] is null or NaN, where a probability"),
        (shaped([0.1, 0.2, 0.3]), "0.1, where a list"),
        (shaped("AAAA"), "'AAAA', where a list"),
        (shaped([["a", "b"]] * 3), "'a', where a probability"),
        ({"data": []}, "data is missing, where a list of one"),
        ([], "the whole.* is a list of 0, where an object"),
        ("<html>", "not JSON"),
        ((404, {"detail": "Not Found"}), "404"),
        ((400, {"error": {"message": "maximum context length is 4096"}}), "context length is 4096"),
    ],
)
async def test_answers_that_are_none(answer: Any, told: str) -> None:
    async with Fake(answer).served() as scorer:
        with pytest.raises((Refused, BadReply), match=told):
            await scorer.score(PROBLEM, [Path(STEPS)])


async def test_a_server_that_fails_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentflow.backoff.FIRST_WAIT", 0.001)
    busy = (503, {"error": {"message": "busy"}})
    fake = Fake(busy, busy)
    async with fake.served() as scorer:
        (path,) = await scorer.score(PROBLEM, [Path(STEPS)])
        assert len(path.scores) == 3
        assert len(fake.bodies) == 3
        fake.answers = [busy] * 3
        with pytest.raises(ModelUnavailable, match=r"503.*busy"):
            await scorer.score(PROBLEM, [Path(("other",))])


async def test_a_server_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentflow.backoff.FIRST_WAIT", 0.001)
    fake = Fake()
    fake.wait = 1.0
    async with fake.served(idle_timeout=0.3, retries=1) as scorer:
        with pytest.raises(ModelUnavailable):
            await scorer.score(PROBLEM, [Path(STEPS)])
    with pytest.raises(ModelUnavailable, match="no server answers"):
        await RewardModel("http://127.0.0.1:9/v1", retries=0).rewards("1 + 1", ["2"])


async def test_a_model_that_is_not_served() -> None:
    async with Fake().served(name="other") as scorer:
        with pytest.raises(BadInput, match="serves prm, not 'other'"):
            await scorer.score(PROBLEM, [Path(STEPS)])


async def test_settings_name_it_by_its_api() -> None:
    async with TestServer(Fake().app, host="127.0.0.1") as server:
        url = f"http://127.0.0.1:{server.port}/v1"
        model = await models.connect([Server.model_validate(f"reward:{url}")])
        assert isinstance(model, RewardModel)
        found = await model.rewards("1 + 1", ["2"])
        await models.close_all()
    assert found.scores == (pytest.approx(worth("2")),)
    assert found.prompt == 40


def test_the_separator_is_one_that_steps_cannot_hold() -> None:
    assert re.fullmatch(r"<extra_\d>", SEPARATOR)
