from __future__ import annotations

import pytest

from agentflow.domains import instructions


@pytest.mark.parametrize(
    "text",
    [
        "Please answer the following multiple-choice question based on the\nprovided information.",
        "First, provide a concise answer in one sentence. Then, elaborate on the reasoning behind "
        "your answer in a detailed, step-by-step explanation.",
        "You are an expert problem solver. Carefully read the following multiple-choice question "
        "and think through the solution step-by-step before providing your final answer. Provide "
        "your final answer option by enclosing it within \\boxed{A/B/C/D}.:",
        "Give the letter.",
        "Answer with the letter of the right option.",
        "Let's think step by step.\nAnswer:",
        "",
    ],
)
def test_what_changes_nothing_is_left_out(text: str) -> None:
    assert instructions.without(text).strip() == ""
    assert instructions.without(f"Q?\n{text}").strip() == "Q?"
    assert instructions.without(f"{text}\nQ?").strip() == "Q?"


@pytest.mark.parametrize(
    "text",
    [
        "Please answer the following question as if north were south.",
        "Choose the wrong option.",
        "Give the letter before the right one.",
        "Do not answer the question.",
        "Answer the question backwards.",
        "Think step by step, from E to S.",
        "Give the answer plus one.",
        "Pick the letter that is not right.",
    ],
)
def test_every_other_sentence_stays(text: str) -> None:
    assert instructions.without(text) == text
