"""What says that premises leave something open, or rule it out, in further words."""

from __future__ import annotations

import pytest
from replies import verdict

TALL = """Premises:
The cat is tall.
The cat likes the dog.
If someone is quiet, then they are loud.
If someone is kind, then they are quiet.
The dog is kind.
Conclusion: """


@pytest.mark.parametrize(
    ("claim", "reply", "ok"),
    [
        (
            "The cat likes the cat.",
            "None of the premises give any information about whether the cat likes itself."
            "\n\nAnswer: Uncertain",
            True,
        ),
        (
            "The cat likes the cat.",
            "The cat likes itself.\n\nAnswer: Uncertain",
            None,
        ),
        (
            "The cat is quiet.",
            "We know that the cat is tall. However, none of the other premises give us any other"
            " information about the cat, and there are no premises stating that all tall people"
            " are quiet.\n\nAnswer: Uncertain",
            True,
        ),
        (
            "The cat is quiet.",
            "None of the other premises give us any other information about the cat, and there are"
            " no premises stating that all kind people are quiet.\n\nAnswer: Uncertain",
            None,
        ),
        (
            "The cat is quiet.",
            "We do not have a premise that states that the cat is kind, so we cannot conclude that"
            " the cat is quiet based on this rule.\n\nAnswer: Uncertain",
            True,
        ),
        (
            "The dog is not quiet.",
            'Therefore, the statement "The dog is not quiet" contradicts the given premises and is'
            " false.\n\nAnswer: False",
            True,
        ),
        (
            "The dog is not quiet.",
            'Therefore, the statement "The dog is quiet" contradicts the given premises and is'
            " false.\n\nAnswer: False",
            None,
        ),
        (
            "The dog is not quiet.",
            "The dog is quiet. Therefore, the statement is false.\n\nAnswer: False",
            True,
        ),
        (
            "The dog is quiet.",
            "The dog is quiet. Therefore, the statement is false.\n\nAnswer: True",
            None,
        ),
    ],
)
def test_what_premises_leave_open(claim: str, reply: str, ok: bool | None) -> None:
    assert verdict("logic", f"{TALL}{claim}", reply) is ok
