"""What may stand beside an answer and only says it once more, or that it was checked."""

from __future__ import annotations

import pytest

from agentflow.domains import answers, get


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Answer: Quito (verified)", "Quito"),
        ("**Answer:** 23 (double-checked)", "23"),
        ("The answer is Quito (confirmed).", "Quito"),
        ("Answer: Quito\n\nIn short: Quito.", "Quito"),
        ("Answer: 23\n\nTo sum up: 23", "23"),
        ("Answer: Quito\n\nIn short: Lima.", None),
        ("Answer: 23\n\nIn a word: 24", None),
        ("We get the following answer: Quito", "Quito"),
        ("My brother gives the following answer: Quito", None),
        ("Answer: Quito\n\nExplanation: I worked it out step by step.", "Quito"),
        ("Answer: Quito\n\nExplanation: I worked out the opposite step by step.", None),
        ("A quick way to finish:\n\nAnswer: Quito", "Quito"),
        ("A quick way to guess:\n\nAnswer: Quito", None),
        ("A quick way to finish another problem:\n\nAnswer: Quito", None),
        ('{"final": {"answer": "Quito"}}', "Quito"),
        ('{"student": {"answer": "Quito"}}', None),
        ('{"answer": "Quito", "correct": true}', "Quito"),
        ('{"answer": "Quito", "correct": false}', None),
        ('{"answer": "Quito", "correct": null}', None),
        ('{"result": {"answer": "Quito", "verified": true}, "id": 3}', "Quito"),
        ('{"result": {"answer": "Quito"}, "final": {"text": "no"}}', None),
        ("The capital of Ecuador is Quito.\n\nDone.", None),
    ],
)
def test_an_answer_said_once_more(reply: str, answer: str | None) -> None:
    domain = get("open")
    assert (None if domain.disclaims(reply) else answers.stated(reply)) == answer
