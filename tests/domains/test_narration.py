"""What only tells how one goes about a problem, and what claims something of it."""

from __future__ import annotations

import pytest

from agentflow.domains import narration


@pytest.mark.parametrize(
    "sentence",
    ["Let's work through this step by step.", "First, we’ll find 3 * 4:", "**Step 1**", ""],
)
def test_a_sentence_of_known_words_claims_nothing(sentence: str) -> None:
    assert narration.only(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["391 is a prime number.", "That is not right.", "It is larger.", "There are two of them."],
)
def test_a_sentence_with_another_word_may_claim_something(sentence: str) -> None:
    assert not narration.only(sentence)


def test_a_domain_brings_words_of_its_own() -> None:
    assert not narration.only("We multiply first.")
    assert narration.only("We multiply first.", {"multiply"})


def test_calls_of_tools_and_what_was_refuted_are_nobodys_words() -> None:
    called = "Thought: try it\nAction: Use Python[\n1 + 1\n]\nObservation:\n> value: 2\nSo 2.\n"
    assert narration.own(called) == "So 2.\n"
    assert narration.own("3\n[verifier: 3 is wrong]\n2").strip() == "2"
    assert narration.own("Answer: (7 - 8 …\nAnswer: (7 - 8 / 8) * 4") == "Answer: (7 - 8 / 8) * 4"
    assert narration.own("Answer: 5 …\nAnswer: 6") == "Answer: 5 …\nAnswer: 6"
    assert narration.own("Action: none was needed.") == "Action: none was needed."
