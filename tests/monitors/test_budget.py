from __future__ import annotations

import asyncio

from agentflow.models import Request, ScriptedModel, Token
from agentflow.models.model import prompt_of, segment
from agentflow.monitors import Context, Increment, StreamResult, TokenBudget, watch
from agentflow.profile import Piece
from agentflow.trace import Trace


async def watched(model: ScriptedModel, budget: int) -> tuple[StreamResult, Trace]:
    trace = Trace([(await segment(model, "prompt", [Piece("Q")])).operation()])
    result = await watch(
        model, trace, Request(prompt_of(model, trace), 1000), [TokenBudget(budget)]
    )
    return result, trace


async def test_thinking_is_closed_exactly_at_the_budget() -> None:
    result, trace = await watched(ScriptedModel("one two three four five"), 3)
    assert result.intervention is not None
    assert result.intervention.kind == "close"
    assert result.intervention.reason == "the thinking budget of 3 tokens is spent"
    assert trace.body == "one two three"
    assert result.wasted == result.generated - 3


async def test_thinking_below_the_budget_is_left_alone() -> None:
    result, trace = await watched(ScriptedModel("one two"), 3)
    assert (result.ended, trace.body) == ("stop", "one two")


async def test_the_answer_does_not_count() -> None:
    result, _ = await watched(ScriptedModel("one</think> two three four five"), 3)
    assert result.ended == "stop"


async def test_tokens_without_text_count() -> None:
    tokens = [Token("a"), Token(""), Token(""), Token("é"), Token("b")]
    result, trace = await watched(ScriptedModel(tokens), 3)
    assert result.ended == "intervened"
    assert trace.body == "a"


def test_a_budget_that_was_overruled_objects_again() -> None:
    """A verifier that objects at the same place wins, and thinking goes on behind its note."""
    monitor = TokenBudget(2)
    memory, states = monitor.start(), []
    for offset in range(4):
        memory, found = monitor.feed(memory, Increment("x", offset, 1, False))
        states.append([state.end for state in found])
    assert states == [[], [2], [3], [4]]


def test_it_never_passes() -> None:
    monitor = TokenBudget(1)
    _, (state,) = monitor.feed(monitor.start(), Increment("x", 0, 1, False))
    verdict = asyncio.run(monitor.verify(state, Context()))
    assert (verdict.ok, verdict.kind) == (False, "budget")
