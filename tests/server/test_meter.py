from __future__ import annotations

from typing import Any

import pytest

from agentflow import models
from agentflow.api import settings_for
from agentflow.errors import StreamBroken
from agentflow.models import (
    Capabilities,
    Fault,
    HTTPModel,
    Model,
    Request,
    RewardModel,
    ScriptedModel,
    complete,
)
from agentflow.profile import Piece
from agentflow.server.meter import Meters
from agentflow.settings import Server

SETTINGS = settings_for("direct")


async def opened(meters: Meters) -> Model:
    model = meters["solver"]
    await model.open()
    return model


async def test_prompts_and_tokens_are_counted() -> None:
    meters = Meters(SETTINGS, ScriptedModel("one two three"))
    model = await opened(meters)
    ids = await model.tokenize([Piece("say it")])
    await complete(model, Request(ids, 2))
    assert (meters.prompt, meters.generated) == (2, 2)


async def test_a_prompt_of_text_is_estimated_until_its_server_says() -> None:
    text = Capabilities(exact_prefix=False)
    meters = Meters(SETTINGS, ScriptedModel(["x", Fault(StreamBroken("gone"))], capabilities=text))
    with pytest.raises(StreamBroken):
        await complete(await opened(meters), Request("some text", 9))
    assert (meters.prompt, meters.generated) == (2, 1)
    meters = Meters(SETTINGS, ScriptedModel("x", capabilities=text))
    await complete(await opened(meters), Request("some text", 9))
    assert meters.prompt == 9  # which is what it says, a token a character


@pytest.mark.parametrize("kind", [HTTPModel, RewardModel, ScriptedModel])
async def test_it_passes_for_what_it_counts(kind: Any) -> None:
    """Nodes look at a model's class to see what else it can do, and ask it for that."""

    class Open(kind):  # type: ignore[misc]
        async def open(self) -> None:
            pass

    inner = Open("http://gpu1/v1")
    model = await opened(Meters(SETTINGS, inner))
    assert isinstance(model, kind)
    assert isinstance(model, RewardModel) == isinstance(inner, RewardModel)
    told = (model.name, model.profile, model.capabilities)
    assert told == (inner.name, inner.profile, inner.capabilities)
    if isinstance(model, HTTPModel):
        assert model.base_url == "http://gpu1/v1"


async def test_what_a_reward_model_read_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ready(self: RewardModel) -> None:
        pass

    async def said(self: RewardModel, path: str, body: Any = None) -> Any:
        return {"data": [{"data": [[0.1, 0.9]]}], "usage": {"prompt_tokens": 7}}

    monkeypatch.setattr(RewardModel, "open", ready)
    monkeypatch.setattr(RewardModel, "_ask", said)
    meters = Meters(SETTINGS, RewardModel("http://gpu1/v1"))
    model: Any = await opened(meters)
    assert (await model.rewards("?", ["a step"])).scores == (0.9,)
    assert meters.prompt == 7


async def test_a_role_has_its_own_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is asked for anew each time, so that a server that is lost can be passed over."""
    wanted: list[Any] = []

    async def connect(servers: Any, *, idle_timeout: float) -> Model:
        wanted.append((servers, idle_timeout))
        return ScriptedModel("x")

    monkeypatch.setattr(models, "connect", connect)
    roles = {"prm": "reward:http://gpu2/v1#prm"}
    meters = Meters(settings_for("direct", model="http://gpu1/v1", roles=roles, idle_timeout=3))
    assert dict(meters).keys() == {"solver", "verifier", "prm", "proxy", "planner"}
    for role in ("solver", "prm", "prm"):
        await meters[role].open()  # type: ignore[index]
    prm = (Server.model_validate(roles["prm"]),)
    assert wanted == [("http://gpu1/v1", 3), (prm, 3), (prm, 3)]
