"""The penalty of words that begin another thought: what is put in their place, and how often."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.models import Token
from agentflow.monitors import Increment, SwitchPenalty
from agentflow.monitors.switch_penalty import penalised, shares
from agentflow.profile import GREEDY, PROFILES, Sampling

PLAIN = Sampling(1.0, 1.0, 0)
WAIT, SO, THEN = " Wait", " so", " then"


def penalty(sampling: Sampling = PLAIN, by: float = 3.0, **other: object) -> SwitchPenalty:
    settings = {"words": ("Wait", "Alternatively"), "tokens": 0, "profile": PROFILES["pocket"]}
    return SwitchPenalty(**{**settings, **other, "penalty": by, "sampling": sampling})  # type: ignore[arg-type]


def logs(**shares_: float) -> dict[str, float]:
    return {f" {word}": math.log(share) for word, share in shares_.items()}


# What is drawn instead


def test_the_likeliest_other_token_stands_there_where_the_model_is_greedy() -> None:
    told = logs(Wait=0.6, so=0.3, then=0.1)
    assert penalty(GREEDY).instead(WAIT, told, 7) == SO
    assert penalty(GREEDY, by=0.5).instead(WAIT, told, 7) is None  # 0.36 is still the most


def test_a_word_that_nothing_can_replace_stays() -> None:
    assert penalty(by=1000).instead(WAIT, {WAIT: 0.0}, 7) is None
    assert penalty(by=1000).instead(WAIT, {SO: -1.0}, 7) is None  # it was not told of


def test_another_switch_is_no_way_out() -> None:
    told = logs(Wait=0.5, alternatively=0.4, so=0.1)
    assert penalty(by=1000).instead(WAIT, told, 7) == SO


@pytest.mark.parametrize("text", ["<think>", "<|im_start|>", "", "\ufffd"])
def test_what_is_no_text_is_not_put_there(text: str) -> None:
    told = {WAIT: math.log(0.5), text: math.log(0.45), SO: math.log(0.05)}
    assert penalty(GREEDY).instead(WAIT, told, 7) == SO


chances = st.floats(0.001, 1.0)
samplings = st.builds(
    Sampling, st.sampled_from([0.0, 0.3, 0.7, 1.0, 2.0]), st.floats(0.1, 1.0), st.integers(0, 5)
)


@given(
    st.dictionaries(st.sampled_from("abcdef"), chances, min_size=1),
    st.lists(chances, min_size=1, max_size=2),
    samplings,
    st.floats(0.0, 20.0),
)
def test_it_is_as_if_tokens_had_been_drawn_with_the_penalty(
    others: dict[str, float], words: list[float], sampling: Sampling, by: float
) -> None:
    """Over all draws of the model, and of what is put in a word's place."""
    switches = dict(zip((WAIT, "Alternatively"), words, strict=False))
    total = sum(others.values()) + sum(words)
    told = {a: math.log(p / total) for a, p in (others | switches).items()}
    plain = shares(told, sampling)
    wanted = penalised(told, switches.keys(), by, sampling)
    left = {a: max(0.0, plain.get(a, 0.0) - wanted.get(a, 0.0)) for a in switches}
    more = {a: max(0.0, p - plain.get(a, 0.0)) for a, p in wanted.items()}
    found = {a: p - left.get(a, 0.0) for a, p in plain.items()}
    for one, share in more.items():
        found[one] = found.get(one, 0.0) + sum(left.values()) * share / (sum(more.values()) or 1)
    for one in told:
        assert found.get(one, 0.0) == pytest.approx(wanted.get(one, 0.0), abs=1e-9)


@given(
    st.dictionaries(st.sampled_from("abcdef"), chances, min_size=1),
    chances,
    st.sampled_from([0.5, 1.0, 2.0]),
    st.floats(0.0, 20.0),
)
def test_without_truncation_it_is_the_penalty_on_logits(
    others: dict[str, float], word: float, temperature: float, by: float
) -> None:
    told = {a: math.log(p) for a, p in (others | {WAIT: word}).items()}
    sampling = Sampling(temperature, 1.0, 0)
    lowered = shares({a: p - by * (a == WAIT) for a, p in told.items()}, sampling)
    found = penalised(told, {WAIT}, by, sampling)
    for one in told:  # what is next to never drawn may be missing
        assert found.get(one, 0.0) == pytest.approx(lowered.get(one, 0.0), abs=1e-9)


def test_a_part_of_a_word_is_not_put_there() -> None:
    told = logs(Wait=0.6, Al=0.3, so=0.1)
    assert penalty(by=1000).instead(WAIT, told, 7) == SO


def test_what_is_drawn_has_these_chances() -> None:
    """The code draws as the property above computes: 4,000 places."""
    told = logs(Wait=0.6, so=0.3, then=0.1)
    drawn = [penalty(by=1.0).instead(WAIT, told, place) for place in range(4000)]
    kept = 0.6 * math.exp(-1)
    kept /= kept + 0.4
    assert drawn.count(None) / 4000 == pytest.approx(kept / 0.6, abs=0.03)
    assert drawn.count(SO) / drawn.count(THEN) == pytest.approx(3.0, rel=0.15)


def test_the_seed_decides() -> None:
    told = logs(Wait=0.5, so=0.5)
    first, again, other = [
        [penalty(by=1.0, seed=seed).instead(WAIT, told, place) for place in range(40)]
        for seed in (1, 1, 2)
    ]
    assert first == again
    assert first != other


@given(st.dictionaries(st.text(max_size=3), st.floats(-30, 0), min_size=1), samplings)
def test_shares_are_shares(logits: dict[str, float], sampling: Sampling) -> None:
    found = shares(logits, sampling)
    assert sum(found.values()) == pytest.approx(1)
    assert found.keys() <= logits.keys()
    assert sampling.top_k == 0 or len(found) <= sampling.top_k
    assert max(logits, key=logits.__getitem__) in found or max(logits.values()) in [
        logits[one] for one in found
    ]


# Where it is asked


def read(
    monitor: SwitchPenalty, *tokens: Token, answering: bool = False
) -> list[dict[str, object]]:
    memory, found, offset = monitor.start(), list[dict[str, object]](), 0
    for token in tokens:
        increment = Increment(token.text, offset, 1, answering, top=token.top)
        memory, states = monitor.feed(memory, increment)
        assert all(state.end <= offset for state in states)
        found += [{"at": state.end, **state.data} for state in states]
        offset += len(token.text)
    return found


def words(text: str) -> list[Token]:
    top = tuple(logs(Wait=0.5, so=0.5).items())
    return [Token(f" {word}", top=top) for word in text.split()]


def test_a_word_is_found_where_it_begins() -> None:
    (found,) = read(penalty(GREEDY, by=9), *words("a b Wait c"))
    assert found == {"at": 4, "word": "Wait", "thought": 2, "instead": SO}


def test_part_of_a_longer_word_is_none() -> None:
    assert not read(penalty(), *words("a Waiter Await c"))


def test_the_answer_is_left_alone() -> None:
    assert not read(penalty(), *words("a Wait c"), answering=True)


def test_a_thought_that_is_long_enough_may_end() -> None:
    """A word that stays begins the next one, whose length counts from it."""
    found = read(penalty(GREEDY, by=9, tokens=3), *words("a b c Wait d e Wait f"))
    assert [(one["thought"], one["instead"]) for one in found] == [(3, None), (3, None)]
    found = read(penalty(GREEDY, by=9, tokens=3), *words("a b c Wait d Wait f"))
    assert [(one["thought"], one["instead"]) for one in found] == [(3, None), (2, SO)]
