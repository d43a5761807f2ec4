from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadInput, ModelUnavailable, StreamBroken
from agentflow.models import (
    Capabilities,
    Delay,
    Fault,
    Finish,
    Request,
    ScriptedModel,
    Token,
    complete,
    next_token,
)
from agentflow.profile import PROFILES, Piece


async def tokens(model: ScriptedModel, prompt: str = "", most: int = 1000) -> list[Token | Finish]:
    ids = await model.tokenize([Piece(prompt)])
    return [item async for item in model.stream(Request(ids, most))]


async def test_text_is_cut_into_markers_and_words() -> None:
    model = ScriptedModel("so <b> 4</think>\n ok")
    *sent, finish = await tokens(model, "1 2")
    assert [token.text for token in sent if isinstance(token, Token)] == [
        "so",
        " ",
        "<",
        "b>",
        " 4",
        "</think>",
        "\n",
        " ok",
    ]
    assert finish == Finish("stop", prompt=2)
    assert model.streamed == 8


@given(st.text(max_size=80))
def test_no_character_is_lost_in_the_cut(text: str) -> None:
    model = ScriptedModel(text)
    assert "".join(model._split.findall(text)) == text


async def test_tokens_come_out_exactly_as_scripted() -> None:
    first = Token("8", 123, -0.5, (("8", -0.5), ("9", -1.0)))
    model = ScriptedModel([first, Token("", None, -0.1), "x y"])
    sent = await tokens(model)
    assert sent[0] == first
    assert [token.text for token in sent if isinstance(token, Token)] == ["8", "", "x", " y"]


async def test_ids_are_stable_and_give_the_text_back() -> None:
    model = ScriptedModel(["a b a", Token("c", 77)])
    completion = await complete(model, Request((), 10))
    ids = [token.id for token in completion.tokens if token.id is not None]
    assert ids[0] != ids[1]
    assert model.text(ids) == completion.text == "a b ac"
    assert await model.tokenize([Piece("a"), Piece(" b")]) == (ids[0], ids[1])
    again = await complete(model, Request(tuple(ids), 10))
    assert [token.id for token in again.tokens] == ids


async def test_ids_of_another_one_are_an_error_that_says_so() -> None:
    ids = await ScriptedModel("").tokenize([Piece("4 7 8 8")])
    with pytest.raises(ValueError, match="of another scripted model"):
        ScriptedModel("").text(ids)


async def test_a_given_id_keeps_its_text_and_no_other_text_gets_it() -> None:
    model = ScriptedModel([Token("x", 0), "y z"])
    completion = await complete(model, Request((), 10))
    ids = [token.id for token in completion.tokens if token.id is not None]
    assert len(set(ids)) == 3
    assert model.text(ids) == "xy z"


async def test_only_special_pieces_become_markers() -> None:
    model = ScriptedModel("")
    special = await model.tokenize([Piece("</think>", special=True)])
    text = await model.tokenize([Piece("say </think>")])
    assert len(special) == 1
    assert not set(special) & set(text)
    assert model.text(text) == "say </think>"


async def test_a_reply_is_cut_at_max_tokens() -> None:
    *sent, finish = await tokens(ScriptedModel("a b c d"), most=2)
    assert len(sent) == 2
    assert finish == Finish("length", prompt=0)
    *sent, finish = await tokens(ScriptedModel("a b"), most=2)
    assert (len(sent), finish) == (2, Finish("stop", prompt=0))


async def test_a_stop_marker_ends_the_turn() -> None:
    completion = await complete(ScriptedModel("a b<|im_end|> c"), Request((), 10))
    assert completion.text == "a b"
    assert completion.finish.reason == "stop"


async def test_a_mapping_forks_on_the_end_of_the_prompt() -> None:
    model = ScriptedModel({r"Wait, .*\n": "sorry", r"\d+": "number", "": "else"})
    for prompt, reply in [("Wait, no\n", "sorry"), ("a 12", "number"), ("12 a", "else")]:
        assert (await complete(model, Request(prompt, 10))).text == reply


async def test_a_prompt_without_a_reply_is_an_error_that_shows_it() -> None:
    with pytest.raises(AssertionError, match="unforeseen"):
        await complete(ScriptedModel({"foreseen!": "x"}), Request("unforeseen", 10))


async def test_a_function_forks_on_anything() -> None:
    model = ScriptedModel(lambda prompt: prompt.upper())
    assert (await complete(model, Request("abc", 10))).text == "ABC"


async def test_faults_break_the_stream_where_they_stand() -> None:
    model = ScriptedModel(["a b", Fault(StreamBroken("gone")), "c"])
    stream = model.stream(Request((), 10))
    for text in ("a", " b"):
        token = await anext(stream)
        assert isinstance(token, Token)
        assert token.text == text
    with pytest.raises(StreamBroken, match="gone"):
        await anext(stream)
    with pytest.raises(ModelUnavailable):
        await complete(ScriptedModel([Fault(ModelUnavailable("off"))]), Request((), 10))


async def test_delays_wait() -> None:
    started = time.monotonic()
    await complete(ScriptedModel(["a", Delay(0.05), "b"]), Request((), 10))
    assert time.monotonic() - started >= 0.05


async def test_requests_are_kept_in_order() -> None:
    model = ScriptedModel("x")
    requests = [Request("one", 5, seed=1), Request("two", 6, seed=2)]
    for request in requests:
        await complete(model, request)
    assert model.requests == requests


async def test_a_closed_stream_sends_nothing_more() -> None:
    model = ScriptedModel("a b c d e")
    stream = model.stream(Request((), 10))
    await anext(stream)
    await stream.aclose()
    assert model.streamed == 1


async def test_a_probe_reads_the_scripted_distribution() -> None:
    half = math.log(0.5)
    top = ((" Yes", half), ("no", math.log(0.25)))
    model = ScriptedModel([Token(" Yes", None, half, top), "and more"])
    found = await next_token(model, "prompt")
    assert found.probability(["yes"]) == pytest.approx(0.5)
    assert found.missing == pytest.approx(0.25)
    assert model.requests[-1].max_tokens == 1
    assert model.requests[-1].sampling.temperature == 1.0


def test_it_claims_what_it_is_told_to_claim() -> None:
    assert ScriptedModel("").capabilities == Capabilities()
    limited = Capabilities(continues=False, exact_prefix=False, logprobs=0)
    assert ScriptedModel("", capabilities=limited).capabilities == limited


@pytest.mark.parametrize("key", ["(?s).*", "a("])
def test_a_key_that_cannot_be_looked_for_is_refused_at_once(key: str) -> None:
    with pytest.raises(BadInput, match=r"write flags as in \(\?s:"):
        ScriptedModel({key: "reply"})


async def test_markers_are_whole_wherever_they_stand() -> None:
    """Also those of another form than the pocket model's, right behind a word."""
    model = ScriptedModel("thinks.[/THINK]done", profile=PROFILES["magistral"])
    *sent, _ = await tokens(model)
    assert [one.text for one in sent if isinstance(one, Token)] == ["thinks.", "[/THINK]", "done"]
