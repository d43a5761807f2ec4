"""A person in the loop: ``review`` before an intervention, a state edited on the way."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

import agentflow
from agentflow import BadInput
from agentflow.graphs import interwhen
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.trace import Trace

PUZZLE = "4 7 8 8"
WRONG = "8 / 8 = 2 (left: 2 4 7)\n"
NOTE = "Wait, 8 / 8 is 1 , not 2\n"
SOLVED = (
    "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
    "</think>\nAnswer: (7 - 8 / 8) * 4 = 24"
)
AGAIN = "(7 - 8 / 8) * 4 = 24\n"


class Reviewed:
    """A thread of interwhen with ``review``, and the events of its runs."""

    def __init__(self, script: Any, **settings: Any) -> None:
        self.graph = interwhen.build().compile(checkpointer=InMemorySaver())
        self.model = ScriptedModel(script)
        self.config: Any = {"configurable": {"thread_id": "one", MODEL_KEY: self.model}}
        self.context: Any = interwhen.InterwhenSettings(review=True, **settings)
        self.interventions: list[dict[str, Any]] = []

    async def run(self, given: Any) -> dict[str, Any]:
        """The question the run pauses with, or its result."""
        question: dict[str, Any] | None = None
        stream = self.graph.astream(
            given, self.config, context=self.context, stream_mode=["custom", "updates"]
        )
        async for mode, data in stream:
            if mode == "updates" and "__interrupt__" in data:
                question = data["__interrupt__"][0].value
            elif mode == "custom" and data["type"] == "intervention":
                self.interventions.append(data)
        values = (await self.graph.aget_state(self.config)).values
        self.body = Trace(values["operations"]).body
        self.values = values
        return question or values["result"]


def correcting() -> Reviewed:
    return Reviewed({r"<think>\n": WRONG + "and so on\n", r"\n": SOLVED})


async def test_it_pauses_behind_the_cut_with_the_intervention() -> None:
    run = correcting()
    question = await run.run({"problem": PUZZLE})
    assert "true" in question.pop("resume")
    assert question == {
        "kind": "feedback",
        "offset": len(WRONG),
        "text": NOTE,
        "reason": "8 / 8 is 1 , not 2",
        "monitor": "step_verifier",
    }
    assert run.body == WRONG
    assert run.interventions == []
    assert len(run.model.requests) == 1


async def test_true_accepts() -> None:
    run = correcting()
    await run.run({"problem": PUZZLE})
    result = await run.run(Command(resume=True))
    assert result["status"] == "verified"
    assert run.body == WRONG + NOTE + SOLVED
    assert [event["text"] for event in run.interventions] == [NOTE]
    assert run.values["corrections"] == 1
    plain = await agentflow.asolve(
        PUZZLE, model=ScriptedModel({r"<think>\n": WRONG, r"\n": SOLVED})
    )
    assert plain.trace.body == run.body


@pytest.mark.parametrize("text", ["Hm, eight eighths are one.", "Hm, eight eighths are one.\n"])
async def test_a_text_is_the_feedback_instead(text: str) -> None:
    run = correcting()
    await run.run({"problem": PUZZLE})
    result = await run.run(Command(resume=text))
    assert result["status"] == "verified"
    assert run.body == WRONG + "Hm, eight eighths are one.\n" + SOLVED
    assert [event["text"] for event in run.interventions] == ["Hm, eight eighths are one.\n"]
    assert run.values["judged"][0]["corrected"] is True


@pytest.mark.parametrize("said", ["", " \n", False, 24, {"text": "no"}])
async def test_anything_else_is_refused_and_may_be_answered_again(said: Any) -> None:
    run = correcting()
    await run.run({"problem": PUZZLE})
    with pytest.raises(
        BadInput, match=r"cannot be told .*; reply true to accept this intervention, or"
    ):
        await run.run(Command(resume=said))
    assert (await run.run(Command(resume=True)))["status"] == "verified"
    assert run.body == WRONG + NOTE + SOLVED


async def test_each_intervention_is_asked_for() -> None:
    run = Reviewed({r"<think>\n": WRONG, "one\n": WRONG, "two\n": SOLVED})
    first = await run.run({"problem": PUZZLE})
    second = await run.run(Command(resume="one"))
    assert first["offset"] < second["offset"]
    assert (await run.run(Command(resume="two")))["status"] == "verified"
    assert run.values["corrections"] == 2


async def test_a_text_keeps_the_thinking_open_that_a_monitor_would_close() -> None:
    run = Reviewed({r"<think>\n": AGAIN * 2, r"Go on\.\n": SOLVED}, k_stable=2)
    question = await run.run({"problem": PUZZLE})
    assert question["kind"] == "close"
    result = await run.run(Command(resume="Go on."))
    assert result["status"] == "verified"
    assert run.body == AGAIN * 2 + "Go on.\n" + SOLVED
    assert [event["kind"] for event in run.interventions] == ["feedback"]


async def test_a_state_may_be_edited_and_run_on_from() -> None:
    """The edges that are asked again then know the run's settings, though they have no runtime."""

    def script(prompt: str) -> str:
        return WRONG if prompt.count(WRONG) < 7 else SOLVED

    run = Reviewed(script, max_corrections=7)
    run.context = run.context.model_copy(update={"review": False})
    await run.run({"problem": PUZZLE})
    ended = run.body
    assert ended == (WRONG + NOTE) * 7 + SOLVED
    history = [past async for past in run.graph.aget_state_history(run.config)]
    at = next(past for past in history if past.next == ("refine",))
    leg = at.values["stream_end"]
    leg["intervention"]["text"] = "Hm.\n"
    fork = await run.graph.aupdate_state(at.config, {"stream_end": leg})
    assert (await run.graph.aget_state(fork)).next == ("refine",)
    result = await run.run(None)
    assert result["status"] == "verified"
    assert run.body == (WRONG + NOTE) * 6 + WRONG + "Hm.\n" + SOLVED
    assert Trace((await run.graph.aget_state(history[0].config)).values["operations"]).body == ended


@pytest.mark.parametrize("nothing", [None, {}], ids=str)  # the second by a LangGraph server
async def test_a_thread_that_goes_on_without_a_context_has_its_settings_still(nothing: Any) -> None:
    run = Reviewed({r"<think>\n": WRONG, "one\n": WRONG, "two\n": SOLVED})
    first = await run.run({"problem": PUZZLE})
    run.context = nothing
    second = await run.run(Command(resume="one"))
    assert first["offset"] < second["offset"]
    assert (await run.run(Command(resume="two")))["status"] == "verified"
    assert run.body == WRONG + "one\n" + WRONG + "two\n" + SOLVED


async def test_a_new_run_on_a_thread_takes_no_settings_of_the_last_one() -> None:
    run = correcting()
    await run.run({"problem": PUZZLE})
    run.context = None
    assert (await run.run({"problem": PUZZLE}))["status"] == "verified"
    assert run.body == WRONG + NOTE + SOLVED


async def test_nor_are_they_lost_in_a_graph_around() -> None:
    """Its context, where it has no settings of its own, is what it was given."""
    graph: Any = StateGraph(interwhen.RunState).add_node("method", interwhen.build().compile())
    around = graph.add_edge(START, "method").compile(checkpointer=InMemorySaver())
    model = ScriptedModel({r"<think>\n": WRONG, "one\n": WRONG, "two\n": SOLVED})
    config: Any = {"configurable": {"thread_id": "one", MODEL_KEY: model}}
    out = await around.ainvoke({"problem": PUZZLE}, config, context={"review": True})
    assert "__interrupt__" in out
    assert "__interrupt__" in await around.ainvoke(Command(resume="one"), config, context={})
    out = await around.ainvoke(Command(resume="two"), config, context={})
    assert out["result"]["status"] == "verified"


async def test_a_command_that_says_nothing_is_refused() -> None:
    run = correcting()
    await run.run({"problem": PUZZLE})
    with pytest.raises(BadInput, match="the command is empty; to go on, give a reply as `resume`"):
        await run.run(Command(resume=None))
    assert (await run.run(Command(resume=True)))["status"] == "verified"


async def test_without_a_thread_it_is_refused_before_the_first_token() -> None:
    model = ScriptedModel(SOLVED)
    with pytest.raises(BadInput, match="review needs a thread"):
        await agentflow.asolve(PUZZLE, "interwhen", model=model, review=True)
    assert model.requests == []
