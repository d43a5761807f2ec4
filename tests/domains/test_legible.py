"""A reply is read as a reader sees it, whatever signs it is written in."""

from __future__ import annotations

import pytest
from counting import is_linear
from replies import is_right

from agentflow import domains
from agentflow.domains.spelling import legible

WORK = "In April she sold 48 clips, in May 24.\n\n"


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("Ｔｈｅ ａｎｓｗｅｒ ｉｓ ７０.", "The answer is 70."),
        ("答案：７２！", "答案:72！"),
        ("𝗧𝗵𝗲 𝗮𝗻𝘀𝘄𝗲𝗿 𝗶𝘀 𝟕𝟎.", "The answer is 70."),
        ("The ans\u200bwer is n\u00adot 7\u20602.", "The answer is not 72."),
        ("The \u0430nswer", "The answer"),
        ("Ответ: 7", "Ответ: 7"),
        ("7\ufe0f\u20e32\ufe0f\u20e3", "72"),
        ("a =\u0338 b", "a ≠ b"),
        ("7\u03362\u0336 70", "~~72~~ 70"),
        ("The anwser is worng. Ms. Wong", "The answer is wrong. Ms. Wong"),
        ("Ans. 72", "Answer: 72"),
        ("<b>Answer:</b> 72", "**Answer:** 72"),
        ("x² ∈ ℝ, ½", "x² ∈ ℝ, ½"),
    ],
)
def test_what_a_reader_sees(written: str, seen: str) -> None:
    assert legible(written) == seen


@pytest.mark.parametrize(
    "line",
    [
        "Ａｎｓｗｅｒ： {}",
        "Ｔｈｅ ａｎｓｗｅｒ ｉｓ {}.",
        "The ans\u200bwer is {}.",
        "The \u0430nswer is {}.",
        "\u0391nswer: {}",
        "The anwser is {}.",
        "𝗧𝗵𝗲 𝗮𝗻𝘀𝘄𝗲𝗿 𝗶𝘀 {}.",
        "Ans. {}",
    ],
)
def test_another_answer_in_other_signs(line: str) -> None:
    assert is_right("sum", f"{WORK}{line.format(70)}\n\n\\boxed{{72}}") is not True
    assert is_right("sum", f"{WORK}{line.format(72)}\n\n\\boxed{{72}}") is True
    assert is_right("sum", f"{WORK}{line.format(72)}") is True


@pytest.mark.parametrize(
    "line", ["This is wr\u00adong.", "This is worng.", "𝗧𝗵𝗶𝘀 𝗶𝘀 𝘄𝗿𝗼𝗻𝗴.", "That is incorect."]
)
def test_a_denial_in_other_signs(line: str) -> None:
    code = "```python\ndef f(x):\n    return x\n```"
    assert is_right("sum", f"{WORK}\\boxed{{72}}\n\n{line}") is not True
    assert domains.get("python").answer(f"{code}\n\n{line}") is None


def test_letters_that_are_turned_around() -> None:
    assert is_right("sum", f"{WORK}\\boxed{{\u202e72}}") is None


def test_a_program_stays_as_it_is() -> None:
    code = "```python\ndef f(x):\n    return x == '７'\n```"
    assert "７" in (domains.get("python").answer(code) or "")


@pytest.mark.parametrize("domain", ["open", "math"])
@pytest.mark.parametrize(
    "piece", ["答案是", "? ", "\n\n", "皆", "check: ", "a run gave 70.\n\n", "> "]
)
def test_a_long_reply_is_read_in_linear_time(domain: str, piece: str) -> None:
    read = domains.get(domain).answer
    is_linear(lambda size: read(piece * size + "\n\\boxed{7}"))


@pytest.mark.parametrize("sign", ["-", "*", "_", "$\n", "\t"])
@pytest.mark.parametrize("domain", ["math", "game24", "python", "logic"])
def test_a_long_run_of_one_sign_in_a_line_is_read_in_linear_time(domain: str, sign: str) -> None:
    read = domains.get(domain).answer
    is_linear(lambda size: read(f"So it is{sign * size}this:\n\\boxed{{7}}"))


@pytest.mark.parametrize("blank", ["\t", "\n", "$\n"])
def test_blank_space_in_front_of_an_answer_is_read_in_linear_time(blank: str) -> None:
    read = domains.get("open").answer
    is_linear(lambda size: read(f"So it is{blank * size}this:\n\\boxed{{7}}"))
