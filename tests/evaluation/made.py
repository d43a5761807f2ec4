"""Chains made up for tests."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from agentflow.evaluation.chains import Chain, Check

ANSWERING = 33


def check(
    tokens: int,
    *,
    entropy: float = 1.0,
    confidence: float = 0.5,
    answers: Sequence[str | None] = ("a", "b"),
    lengths: Sequence[int] | None = None,
    stable: int = 0,
    stated: bool = False,
) -> Check:
    """A check point; the answer ``a`` is right."""
    right = [answer == "a" for answer in answers]
    lengths = [29] * len(answers) if lengths is None else list(lengths)
    given = list(answers)
    return Check(
        tokens, 2 * tokens, entropy, 0.0, confidence, given, right, lengths, stable, stated
    )


def chain(
    checks: Sequence[Check], *, problem: str = "1 2 3 4", right: bool = True, seed: int = 0
) -> Chain:
    """A chain whose thinking ends three tokens behind its last check point."""
    thinking = (checks[-1].tokens if checks else 0) + 3
    ends = [2 * n for n in range(1, thinking + ANSWERING + 1)]
    return Chain(
        problem=problem,
        id=problem,
        domain="game24",
        seed=seed,
        model="made",
        text="x\n" * len(ends),
        ends=ends,
        closed=2 * thinking,
        thinking=thinking,
        answering=ANSWERING,
        answer="a" if right else None,
        right=right,
        finished=True,
        confidence_tokens=5,
        checks=list(checks),
    )


_SOME = [0.0, 0.25, 0.5, 1.0]
"""Values that come up often, so that there are ties."""


@st.composite
def checks(draw: st.DrawFn, answers: int = 4) -> list[Check]:
    """Up to thirty check points."""
    found, tokens = [], 0
    for _ in range(draw(st.integers(0, 30))):
        tokens += draw(st.integers(1, 40))
        entropy = draw(st.sampled_from(_SOME) | st.floats(0, 12))
        confidence = draw(st.sampled_from([*_SOME, 0.95]) | st.floats(0, 1))
        given = draw(
            st.lists(st.sampled_from(["a", "b", None]), min_size=answers, max_size=answers)
        )
        lengths = draw(st.lists(st.integers(1, 64), min_size=answers, max_size=answers))
        found.append(
            check(
                tokens,
                entropy=entropy,
                confidence=confidence,
                answers=given,
                lengths=lengths,
                stable=draw(st.integers(0, 12)),
                stated=draw(st.booleans()),
            )
        )
    return found


@st.composite
def chains(draw: st.DrawFn) -> list[Chain]:
    """One to six chains on up to three problems."""
    return [
        chain(
            draw(checks()),
            problem=draw(st.sampled_from(["1 2 3 4", "1 1 1 8", "2 2 2 3"])),
            right=draw(st.booleans()),
            seed=seed,
        )
        for seed in range(draw(st.integers(1, 6)))
    ]
