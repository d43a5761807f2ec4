"""Open questions: which texts are answers to them."""

from __future__ import annotations

import pytest
from replies import equal

CLOSE = "Close the brackets: < [ ("


@pytest.mark.parametrize(("said", "right"), [(") ] >", True), (") > ]", False), ("...", None)])
def test_brackets_may_be_an_answer(said: str, right: bool | None) -> None:
    assert equal("open", CLOSE, f"So the answer is {said}", ") ] >") is right
