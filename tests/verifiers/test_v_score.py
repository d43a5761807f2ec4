"""V_score against the formula, and the token that it is read at."""

from __future__ import annotations

from math import exp, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.models import Token
from agentflow.verifiers.v_score import v_score, v_score_at

LOGPROBS = st.floats(-50, 0)


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=3), LOGPROBS), min_size=1, max_size=9), LOGPROBS
)
def test_it_is_the_formula(top: list[tuple[str, float]], logprob: float) -> None:
    top = list(dict(top).items())
    best = sorted((p for _, p in top), reverse=True)[:5]
    for text, p in sorted(top, key=lambda pair: -pair[1])[:5]:
        assert v_score(text, p, top) == pytest.approx(exp(p) / sum(map(exp, best)), rel=1e-9)
    expected = exp(logprob) / (exp(logprob) + sum(map(exp, best)))  # one that is not among them
    assert v_score("outside", logprob, top) == pytest.approx(expected, rel=1e-9)


def test_the_papers_figure_comes_out_of_its_log_probabilities() -> None:
    top = [("Correct", -0.02), ("Incorrect", -4.0), (" Correct", -7.0), ("C", -9.0), ("c", -9.5)]
    assert v_score("Correct", -0.02, top) == pytest.approx(
        exp(-0.02) / (exp(-0.02) + exp(-4) + exp(-7) + exp(-9) + exp(-9.5))
    )


@pytest.mark.parametrize("bad", [nan, -inf, inf])
def test_no_number_gives_no_score(bad: float) -> None:
    assert v_score("Correct", bad, [("Incorrect", -1.0)]) is None


def test_it_is_read_at_the_first_token_that_tells_them_apart() -> None:
    def token(text: str, p: float) -> Token:
        return Token(text, None, p, ((text, p), ("other", -3.0)))

    tokens = [token("Evaluate", -9), token("[", -8), token("In", -0.5), token("correct", -0.01)]
    expected = exp(-0.5) / (exp(-0.5) + exp(-3))
    assert v_score_at(tokens, len("Evaluate[")) == pytest.approx(expected)
    glued = [token("Evaluate", -9), token("[In", -0.5), token("correct]", -0.01)]
    assert v_score_at(glued, len("Evaluate[")) == pytest.approx(expected)


@pytest.mark.parametrize(
    "tokens", [[], [Token("Correct")], [Token("Correct", None, -0.1)], [Token("x", None, -1.0)]]
)
def test_without_log_probabilities_there_is_none(tokens: list[Token]) -> None:
    assert v_score_at(tokens, 0) is None
    assert v_score_at(tokens, 99) is None
