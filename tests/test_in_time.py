"""A run ends without a tool that does not; samples as they are given to people."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

import agentflow
from agentflow import api
from agentflow.domains.answers import conclusions
from agentflow.domains.zebra import grid
from agentflow.in_time import shown


@pytest.mark.parametrize("name", ["solve", "resume"])
def test_a_run_does_not_wait_for_a_tool_in_a_thread(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, ended = Event(), Event()

    def stuck() -> None:
        over.wait(30)
        ended.set()

    async def run(*_: str) -> str:
        asyncio.get_running_loop().run_in_executor(None, stuck)
        return "the result"

    monkeypatch.setattr(api, f"a{name}", run)
    try:
        assert getattr(agentflow, name)("4 7 8 8") == "the result"
        assert not ended.is_set()
    finally:
        over.set()


def test_answers_are_shown_as_their_domain_shows_them() -> None:
    samples = [
        {"branch": 0, "answer": f"grid{grid.ODDS}", "candidate": None},
        {"branch": 1, "answer": None, "candidate": "grid"},
    ]
    assert [
        one["answer"] or one["candidate"]
        for one in shown({"problem": {"domain": "zebra"}, "samples": samples})
    ] == [
        "grid",
        "grid",
    ]


def test_claims_beside_an_answer_are_not_shown() -> None:
    answer = conclusions.grounded("(7 - 8 / 8) * 4", ["a claim"])
    (sample,) = shown(
        {"problem": {"domain": "game24"}, "samples": [{"answer": answer, "candidate": None}]}
    )
    assert sample == {"answer": "(7 - 8 / 8) * 4", "candidate": None}


def test_samples_of_a_domain_that_is_not_installed_are_left_as_they_are() -> None:
    samples = [{"answer": "x", "candidate": None}]
    state = {"problem": {"domain": "of another package"}, "samples": samples}
    assert shown(state) == samples
    assert shown({"problem": {"text": "not parsed yet"}}) == []
