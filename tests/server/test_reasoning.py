from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serving import SAID, SOLVED, THINKING

from agentflow.api import astream
from agentflow.models import ScriptedModel, Token
from agentflow.profile import PROFILES
from agentflow.run import Result
from agentflow.server.reasoning import Delta, Reasoning
from agentflow.server.requested import GenerationRequest
from agentflow.server.results import Ended
from agentflow.server.wire import ChatReply
from agentflow.thinking_formats import MARKERS
from agentflow.trace import Segment, Trace

BEGIN, NOTED = r"<think>\n", r"Wait, .*\n"
WRONG = "8 / 8 = 2 (left: 2 4 7)\n"


async def streamed(
    model: Any, method: str = "interwhen", **more: Any
) -> tuple[list[Delta], Result]:
    reasoning, deltas = Reasoning(), list[Delta]()
    async for item in astream("4 7 8 8", method, model=model, **more):
        if isinstance(item, Result):
            return [*deltas, *reasoning.end(item)], item
        deltas += reasoning.take(item)
    raise AssertionError("no result")


def applied(deltas: list[Delta]) -> str:
    """The thinking that stands when a reader applies every note."""
    text = ""
    for delta in deltas:
        if delta.intervention is None:
            text += delta.text
        else:
            assert len(text) - delta.intervention["taken_back"] == delta.intervention["kept"]
            assert delta.text.startswith("\n[agentflow: ")
            text = text[: delta.intervention["kept"]]
    return text


def told(opens: str = "<think>", closes: str = "</think>") -> Reasoning:
    """A reader that was told of the model's markers."""
    reasoning = Reasoning()
    assert list(reasoning.take({"type": "markers", "open": opens, "close": closes})) == []
    return reasoning


def kinds(deltas: list[Delta]) -> list[str]:
    return [one.intervention["kind"] for one in deltas if one.intervention]


async def test_the_thinking_is_streamed_and_the_answer_is_not() -> None:
    deltas, result = await streamed(ScriptedModel(SOLVED))
    assert applied(deltas) == THINKING
    assert kinds(deltas) == []
    assert result.trace.body == SOLVED


async def test_what_is_taken_back_is_said() -> None:
    model = ScriptedModel({BEGIN: WRONG + "and so on, and so on\n" * 9, NOTED: SOLVED})
    deltas, result = await streamed(model)
    assert kinds(deltas) == ["feedback"]
    thinking = result.trace.split("</think>")[0]
    assert applied(deltas) == thinking
    assert thinking.startswith(f"{WRONG}Wait, ")


async def test_a_cut_in_the_middle_of_a_token() -> None:
    model = ScriptedModel({BEGIN: ["8 / 8 = 2 (left: 2 4 7)", Token("\nand so")], NOTED: SOLVED})
    deltas, result = await streamed(model)
    assert applied(deltas) == result.trace.split("</think>")[0]
    assert kinds(deltas) == ["feedback"]


async def test_an_answer_that_fails_is_never_shown() -> None:
    wrong = f"{THINKING}</think>\nAnswer: 4 + 7 + 8 + 8 = 24"
    model = ScriptedModel({BEGIN: wrong, r"\[verifier: .*\]\n": SAID})
    deltas, result = await streamed(model)
    assert "4 + 7 + 8 + 8" not in "".join(delta.text for delta in deltas)
    assert result.corrections == 1
    assert applied(deltas).strip() == result.trace.split("</think>")[0].strip()


async def test_a_restart() -> None:
    scripts = iter([WRONG * 3, SOLVED])
    model = ScriptedModel(lambda prompt: next(scripts))
    deltas, result = await streamed(model, max_corrections=0, restarts=1)
    assert "restart" in kinds(deltas)
    assert (applied(deltas), result.status) == (THINKING, "verified")


async def test_a_trajectory_that_was_not_streamed_replaces_what_was() -> None:
    """Of samples side by side the first is streamed; another may be chosen."""
    reasoning = told()
    sent = list(reasoning.take({"type": "token", "text": "wrong</think>\nno"}))
    sent += reasoning.take({"type": "token", "text": "right</think>\nyes", "branch": 1})
    trace = Trace()
    trace.append(Segment("prompt", "?"))
    trace.append(Segment("generated", "right</think>\nyes", (), (5, 13, 17)))
    sent += reasoning.end(Result("yes", "verified", operations=trace.operations, close="</think>"))
    assert kinds(sent) == ["result"]
    assert applied(sent) == "right"


async def test_what_was_not_streamed_follows() -> None:
    trace = Trace()
    trace.append(Segment("prompt", "?"))
    trace.append(Segment("generated", "all of it", (), (9,)))
    result = Result(None, "exhausted", operations=trace.operations, close="</think>")
    assert list(told().end(result)) == [Delta("all of it")]
    assert list(Reasoning().end(Result(None, "abstained"))) == []


LINES = st.sampled_from(
    [WRONG, "8 / 8 = 1 (left: 1 4 7)\n", "hm\n", "\n", "7 - 1 = 6 (left: 4 6)\n"]
)


@settings(max_examples=30)
@given(
    st.lists(st.lists(LINES, max_size=4).map("".join), min_size=1, max_size=5),
    st.integers(1, 9),
    st.integers(0, 1),
)
async def test_notes_applied_are_the_result(texts: list[str], size: int, restarts: int) -> None:
    """However the tokens fall, and whatever is corrected or begun again."""
    scripts = iter(texts)

    def reply(prompt: str) -> list[Token | str]:
        text = next(scripts, "")
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        return [*map(Token, pieces), "</think>\n", SAID]

    model = ScriptedModel(reply)
    deltas, result = await streamed(model, max_corrections=2, restarts=restarts)
    assert applied(deltas) == result.trace.split("</think>")[0]
    assert "result" not in kinds(deltas) or result.status == "abstained"  # cut, and given up


OPENED_LATE: list[Any] = [
    f"<think>\n{SOLVED}",
    [*map(Token, ["<th", "ink>", "\n"]), SOLVED],
    [Token("<th"), SOLVED],
    [Token("<th")],
    f"<think></think>\n{SAID}",
    f"<think>\n{WRONG}" + "and so on, and so on\n" * 9,
]


@pytest.mark.parametrize("script", OPENED_LATE)
@pytest.mark.parametrize("restarts", [0, 1])
async def test_a_text_that_opens_its_thinking_itself(script: Any, restarts: int) -> None:
    """As of models behind chat servers: the marker is neither sent, nor counted, nor in a reply."""
    scripts = iter([script])
    model = ScriptedModel(lambda prompt: next(scripts, SOLVED))
    deltas, result = await streamed(model, max_corrections=1 - restarts, restarts=restarts)
    whole = ChatReply({}, GenerationRequest("m", ("",))).whole([Ended(result, 1)])
    reply = whole["choices"][0]["message"]["reasoning_content"]
    assert applied(deltas).strip() == reply
    assert "<think>" not in reply
    assert "result" not in kinds(deltas) or result.status == "abstained"


@pytest.mark.parametrize("method", ["direct", "early_exit", "solve_detect_verify"])
async def test_of_other_methods(method: str) -> None:
    more: dict[str, Any] = {}
    if method == "early_exit":
        more = {"rules": {"rule": "budget", "tokens": 3}}
    if method == "solve_detect_verify":
        more = {"ladder": ["domain"], "detect": False}
    deltas, result = await streamed(
        ScriptedModel({BEGIN: SOLVED, r"(.|\n)*": SAID}), method, **more
    )
    assert applied(deltas).strip() == result.trace.split("</think>")[0].strip()
    assert "result" not in kinds(deltas)


@pytest.mark.parametrize(
    ("said", "offset", "more", "thinking"),
    [
        pytest.param("hm</think>\nno", 1, "a</think>yes", "ha", id="into the thinking"),
        pytest.param("<think>hm", 3, "at</think>yes", "<that", id="into the opening marker"),
        pytest.param("hm</think>\nno", 11, "so", "hm", id="behind the thinking"),
    ],
)
def test_what_a_cut_leaves_of_the_thinking(
    said: str, offset: int, more: str, thinking: str
) -> None:
    reasoning = told()
    sent = list(reasoning.take({"type": "token", "text": said}))
    cut = {"type": "intervention", "kind": "restart", "offset": offset, "text": "", "monitor": "m"}
    sent += reasoning.take(cut)
    sent += reasoning.take({"type": "token", "text": more})
    assert applied(sent) == thinking


@pytest.mark.parametrize("name", ["magistral", "kimi", "seed"])
@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_other_markers_wherever_the_stream_is_cut(name: str, size: int) -> None:
    opens, closes = MARKERS[name]
    text = f"{opens}hm </think> {closes[:-1]} so{closes}\n24 {closes}"
    reasoning = told(opens, closes)
    deltas = list[Delta]()
    for at in range(0, len(text), size):
        deltas += reasoning.take({"type": "token", "text": text[at : at + size]})
    assert applied(deltas) == f"hm </think> {closes[:-1]} so"
    assert kinds(deltas) == []


def test_a_marker_that_does_not_come_is_sent_when_that_is_known() -> None:
    reasoning = told()
    deltas = list(reasoning.take({"type": "token", "text": "a</th"}))
    assert applied(deltas) == "a"
    event = {"type": "intervention", "kind": "feedback", "offset": 5, "text": "ink>", "monitor": ""}
    deltas += reasoning.take(event)
    assert applied(deltas) == "a</think>"


def test_of_a_model_that_does_not_think_apart_nothing_is_thinking() -> None:
    for reasoning in (Reasoning(), told("", "")):
        assert list(reasoning.take({"type": "token", "text": "8 * 3</think>24"})) == []


async def test_an_answer_behind_other_markers_is_not_streamed() -> None:
    profile = replace(PROFILES["qwen3"], think_open="[THINK]", think_close="[/THINK]")
    script = f"{THINKING}[/THINK]\n{SAID}"
    deltas, result = await streamed(ScriptedModel(script, profile=profile))
    assert (applied(deltas), result.status) == (THINKING, "verified")
    message = ChatReply({}, GenerationRequest("m", ("",))).whole([Ended(result, 1)])["choices"][0][
        "message"
    ]
    assert (message["reasoning_content"], message["content"]) == (THINKING.strip(), SAID.strip())
