from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains import markup


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**A** is *in* the `map`", "A is in the map"),
        ("**`A`**", "A"),
        ("$3$", "3"),
        ("__A B__ and _C_", "A B and C"),
        ("A* is in the map", "A* is in the map"),
        ("A* and B* are two", "A* and B* are two"),
        ("2*3*4", "2*3*4"),
        ("shop_1 and shop_2", "shop_1 and shop_2"),
        ("**A", "**A"),
        ("** A **", "** A **"),
        ("\\$5 and $3$", "\\$5 and 3"),
    ],
)
def test_only_marks_in_pairs_are_taken_away(text: str, plain: str) -> None:
    assert markup.unmarked(text) == plain


def test_another_form_is_plain_only_where_it_means_the_same() -> None:
    assert markup.ascii_signs("（１，２） → “A’s” – B") == '(1,2) -> "A\'s" - B'
    assert markup.ascii_signs("3² ½ Ⅳ ﬁ ①") == "3² ½ Ⅳ ﬁ ①"


@given(st.text("*_`$ab \n\\", max_size=60))
def test_nothing_but_marks_is_taken_away(text: str) -> None:
    marks = str.maketrans("", "", "*_`$")
    assert markup.unmarked(text).translate(marks) == text.translate(marks)
