"""Samples as they are given to people."""

from __future__ import annotations

from agentflow.domains.answers import conclusions
from agentflow.domains.zebra import grid
from agentflow.in_time import shown


def test_answers_are_shown_as_their_domain_shows_them() -> None:
    samples = [
        {"branch": 0, "answer": f"grid{grid.ODDS}", "candidate": None},
        {"branch": 1, "answer": None, "candidate": "grid"},
    ]
    assert [one["answer"] or one["candidate"] for one in shown({"domain": "zebra"}, samples)] == [
        "grid",
        "grid",
    ]


def test_claims_beside_an_answer_are_not_shown() -> None:
    answer = conclusions.grounded("(7 - 8 / 8) * 4", ["a claim"])
    (sample,) = shown({"domain": "game24"}, [{"answer": answer, "candidate": None}])
    assert sample == {"answer": "(7 - 8 / 8) * 4", "candidate": None}


def test_samples_of_a_domain_that_is_not_installed_are_left_as_they_are() -> None:
    samples = [{"answer": "x", "candidate": None}]
    assert shown({"domain": "of another package"}, samples) == samples
    assert shown({"text": "not parsed yet"}, []) == []
