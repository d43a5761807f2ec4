"""What may end any answer."""

from __future__ import annotations

import pytest

from agentflow.domains.closings import closes


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        ("Hope this helps!", True),
        ("I hope this helps you plan your trip!", True),
        ("**Let me know if you have any further questions.**", True),
        ("Let me know if you need anything else!", True),
        ("Is there anything else I can help you with?", True),
        ("Happy coding!", True),
        ("Hope this is right.", False),
        ("Hope this helps, but it is wrong.", False),
        ("Let me know if you need a correct answer.", False),
        ("Let me know whether this is right.", False),
        ("Done?", False),
        ("", False),
    ],
)
def test_what_ends_a_text(sentence: str, ends: bool) -> None:
    assert closes(sentence) is ends
