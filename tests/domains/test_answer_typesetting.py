"""Answers among tokens that end a turn, tags and marks of families of models."""

from __future__ import annotations

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.domains import answers
from agentflow.domains.answers.typesetting import own_turn, unmarked
from agentflow.thinking import split

THOUGHT = "So 6*7 = 42. Maybe 41? No, 42."
CALL = "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>"
ANALYSIS = f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant"


@pytest.mark.parametrize(
    "text",
    [
        f"{ANALYSIS}<|channel|>final<|message|>The answer is 42.<|return|>",
        f"analysis{THOUGHT}assistantfinalThe answer is 42.",
        f"[THINK]{THOUGHT}[/THINK]The answer is 42.</s>",
        f"<think>{THOUGHT}</think>\n<answer>It is <|begin_of_box|>42<|end_of_box|></answer>",
        f"<think>{THOUGHT}</think><|begin_of_box|>42<|end_of_box|>",
        f"<think>{THOUGHT}</think><response>The answer is 42.</response>",
        f"<think>\n{THOUGHT}\n</think>\n<answer>\n42\n</answer>",
        f"<seed:think>{THOUGHT}</seed:think>The answer is 42.",
        f"<|START_THINKING|>{THOUGHT}<|END_THINKING|>"
        "<|START_RESPONSE|>The answer is 42.<|END_RESPONSE|>",
        f"<think>\n{THOUGHT}\n</think>\n\nThe answer is 42.[|endofturn|]",
        f"<think>\n{THOUGHT}\n</think>\n\nThe answer is \\boxed{{42}}.<|im_end|>",
        f"<|channel>thought\n{THOUGHT}<channel|>The answer is 42.<turn|>",
        f"<think>{THOUGHT}</think>The answer is 42.<｜end▁of▁sentence｜>",
        f"<think>{THOUGHT}</think>Final Answer: 42<|end|>",
        f"<scratchpad>{THOUGHT}</scratchpad>\n<answer>42</answer>",
        f"Here are my reasoning steps:\n{THOUGHT}\n"
        "[BEGIN FINAL RESPONSE]\n42\n[END FINAL RESPONSE]",
        "<think>So \\boxed{41}. No: \\boxed{42}.</think>\nThe answer is \\boxed{42}.",
    ],
)
def test_the_answer_behind_a_thought(text: str) -> None:
    found = split(text)
    assert found.how in ("closed", "only closed")
    assert found.answer is not None
    assert answers.stated(found.answer) == "42"


def test_a_call_states_no_answer() -> None:
    for text in (ANALYSIS + CALL, "<think>So \\boxed{41}.</think>\nI cannot tell."):
        assert answers.stated(split(text).answer or "") is None


@pytest.mark.parametrize(
    "text",
    [
        "<b>Answer:</b> 42",
        "\\textbf{Answer: } 42",
        "\\text{Final Answer: } 42",
        "$$\\text{Answer} = 42$$",
        "\\fbox{42}",
        "<final>42</final>",
        "<result>42</result>",
        "<solution>\t42 </solution>",
        "<answer>The answer is 42.</answer>",
        "Answer - 42",
        "**Answer** — 42",
        "The answer is 42.<end_of_turn>",
    ],
)
def test_marks_around_an_answer_are_no_part_of_it(text: str) -> None:
    assert answers.stated(text) == "42"


@pytest.mark.parametrize(
    "text", ["We get \\[x = 6 \\cdot 7\\] The answer is 42.", "So \\[x = 42.\\] The answer is 42."]
)
def test_a_sentence_may_end_with_a_formula_on_a_line_of_its_own(text: str) -> None:
    assert answers.stated(text) == "42"
    assert answers.stated(text.replace("The answer", "Suppose the answer")) is None


@pytest.mark.parametrize(
    "end",
    [
        "<|im_end|>",
        "</s>\n",
        "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n",
        "\n<|im_start|>user",
        "<end_of_turn>\n<start_of_turn>user\n",
    ],
)
def test_tokens_behind_a_reply_are_no_part_of_it(end: str) -> None:
    maths = domains.get("math")
    reply = "6 * 7 = 42\n\nThe answer is 42. I hope it is correct."
    assert maths.answer(reply + end) == maths.answer(reply) is not None
    assert maths.answer(f"{reply}{end}Wait, it is 43.") is None


def test_long_rows_of_tokens_take_linear_time() -> None:
    is_linear(lambda size: own_turn("<|im_end|> \n" * size))
    is_linear(lambda size: own_turn(" " * size + "<"))


def test_a_solution_in_a_tag_is_no_answer() -> None:
    assert answers.stated(f"<solution>{'2 + 2 is the sum of two and two ' * 5}</solution>") is None
    assert answers.stated("The answer - as far as I see - depends on the weather.") is None


@given(st.text(alphabet="<>/|b[]answer\\text{}: \n", max_size=60))
def test_places_stay(text: str) -> None:
    assert len(unmarked(text)) == len(text)


def test_what_is_white_or_a_comment_is_not_said() -> None:
    for text in ("\\textcolor{white}{\\boxed{84}}", "\\color{white}{84}", "// The answer is 84"):
        assert not unmarked(text).strip()
    assert "84" in unmarked("\\color{red}{84}")
