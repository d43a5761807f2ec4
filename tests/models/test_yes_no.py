"""Whether a model said Yes."""

from __future__ import annotations

import pytest

from agentflow.models import ScriptedModel
from agentflow.models.structured import chance_of_yes
from agentflow.reproduce.judging import read_match


@pytest.mark.parametrize(
    ("reply", "chance"),
    [
        *((reply, 1.0) for reply in ("Yes", "**Yes**", '"Yes"', "yes.", "Yes!\n", "Answer: Yes")),
        *((reply, 1.0) for reply in ("Yes, it is.", "Yes, the answer is right.", "- Yes")),
        *((reply, 1.0) for reply in ("Yes.\n\nThe solution correctly", "Yes, because 48 is")),
        *((reply, 1.0) for reply in ("Yes. The solution correctly adds the", "Yes, it is right")),
        *((reply, 0.0) for reply in ("No", "No.", "No, step 2 is wrong.", "The answer is No")),
        *((reply, None) for reply in ("Yes and no", "Yes or No", "Yes/No", "Yes? No.", "Yes, but")),
        *((reply, None) for reply in ("Yes, if step 2 holds", "Yes (assuming x > 0)", "Yes or")),
        *((reply, None) for reply in ("Yes, there is a mistake", "Yes — wait, no", "Yes, I guess")),
        *((reply, None) for reply in ("Yes. The solution correctly adds, but", "Yes. Hmm")),
        *((reply, None) for reply in ("No doubt, yes", "No errors", "No step is wrong")),
        *(
            (reply, None)
            for reply in ("No, wait: Yes", "No, it is right", "Yesterday", "Maybe", "")
        ),
    ],
)
async def test_a_word_counts_where_no_other_takes_it_back(reply: str, chance: float | None) -> None:
    assert await chance_of_yes(ScriptedModel(reply), ("s", "u")) == chance


@pytest.mark.parametrize(
    ("reply", "matches"),
    [
        ("They match. <answer>1</answer>", True),
        ("**<answer>1</answer>**", True),
        ("It does not match: <answer>0</answer>", False),
        ("I would not say <answer>1</answer>", None),
        ("If it were 5, <answer>1</answer>", None),
        ("The answer contains <answer>1</answer>, which I leave out.", None),
        ("<answer>1</answer>\n\nThey differ, though.", None),
        ("~~<answer>1</answer>~~", None),
        ("<answer>1</answer> <answer>0</answer>", None),
    ],
)
def test_whether_an_answer_matches(reply: str, matches: bool | None) -> None:
    if matches is None:
        with pytest.raises(ValueError, match="<answer>"):
            read_match(reply)
    else:
        assert read_match(reply) is matches
