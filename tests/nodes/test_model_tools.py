"""Tools that are models: what Verina's k-stable answer and spatial maps ask of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import agentflow
from agentflow import domains
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models import ScriptedModel
from agentflow.profile import PROFILES
from agentflow.settings import Settings

MAP = (
    "Old Mill is in the map. Ferry Pier is to the Southeast of Old Mill. Rose Garden is to the "
    "Northeast of Ferry Pier. In which direction is Rose Garden relative to Ferry Pier?\n"
    "A. Northeast B. Southwest C. Northwest D. Southeast"
)
PROSE = "Rose Garden is quite a long way to the Southwest of Ferry Pier\n"
"""Looks like a claim, and is in none of our forms."""
DONE = ">>> FINAL ANSWER: Northeast\n\\boxed{A}"
SPEC = "Return the larger of two integers.\ndef larger (a : Int) (b : Int) : Int\nWrite: code"
VERSIONS = ["if a ≤ b then b else a", "if b ≥ a then b else a", "max a b"]


def small(says: Callable[[str], Any]) -> ScriptedModel:
    """A small language model: what it says of a prompt, as JSON."""
    return ScriptedModel(
        lambda prompt: json.dumps(says(prompt)), profile=PROFILES["qwen2.5-instruct"]
    )


def solver() -> ScriptedModel:
    def script(prompt: str) -> str:
        thinks = prompt.endswith("<think>\n")
        return f"{PROSE}So it is.\n</think>\n{DONE}" if thinks else f"I see.\n</think>\n{DONE}"

    return ScriptedModel(script, profile=PROFILES["qwen3"])


async def of_map(claims: list[str], **settings: Any) -> tuple[agentflow.Result, ScriptedModel]:
    reader = small(lambda prompt: {"claims": claims})
    given: dict[Any, Any] = {"solver": solver(), "proxy": reader}
    settings = {"domain": "spatialmap", "tools": {"extract": "model:proxy"}, **settings}
    return await agentflow.asolve(MAP, "interwhen", model=given, **settings), reader


async def test_interwhen_section_4_3_a_small_model_extracts_and_z3_refutes() -> None:
    result, reader = await of_map(["Rose Garden is to the Southwest of Ferry Pier"])
    assert result.corrections == 1
    assert (result.status, result.answer) == ("verified", "A")
    (request,) = reader.requests
    asked = reader.text(request.prompt)
    assert PROSE.strip() in asked
    assert "Old Mill\nFerry Pier\nRose Garden" in asked
    (wrong,) = [one for one in result.judged if one["verdict"]["ok"] is False]
    assert wrong["verdict"]["kind"] == "contradicted"
    assert wrong["verdict"]["evidence"]["read_by"] == "model_extract"
    roles = result.as_dict()["cost_by_role"]
    assert roles["tool-extract"]["calls"] == roles["tool:extract"]["calls"] == 1
    assert roles["tool-extract"]["generated"] > 0


@pytest.mark.parametrize(
    "claims",
    [
        ["Rose Garden is to the Northeast of Ferry Pier"],  # the map says so: no proof of the line
        ["Rose Garden is to the West of the old mill, more or less"],
        ["Tea House is to the Southwest of Ferry Pier"],
        [],
    ],
    ids=["entailed", "unread", "another name", "nothing"],
)
async def test_what_a_model_read_never_passes(claims: list[str]) -> None:
    result, _ = await of_map(claims)
    assert result.corrections == 0
    (line,) = [one for one in result.judged if one["state"]["data"].get("claim") == "unread"]
    assert line["verdict"]["ok"] is None
    assert result.status != "incomplete"


async def test_without_the_tool_no_model_is_asked() -> None:
    result, reader = await of_map(["Rose Garden is to the Southwest of Ferry Pier"], tools={})
    assert (result.corrections, reader.requests) == (0, [])


async def stable(equal: Any, versions: list[str], **settings: Any) -> tuple[Any, ScriptedModel]:
    judge = small(lambda prompt: {"equal": equal})
    blocks = "".join(f"[CODE]\n{one}\n[/CODE]\nLet me think.\n" for one in versions)

    def script(prompt: str) -> str:
        if prompt.endswith("</think>\n"):
            return f"[CODE]\n{versions[1]}\n[/CODE]\n"
        return f"{blocks}and on\n" * 3 + "</think>\n[CODE]\nmax a b\n[/CODE]\n"

    model = ScriptedModel(script, profile=PROFILES["qwen3"])
    result = await agentflow.asolve(
        SPEC,
        "interwhen",
        model={"solver": model, "proxy": judge},
        domain="verina",
        step_verifier=False,
        k_stable=2,
        tools={"equality": "model:proxy", "lean": "local"},
        judge_answers=False,
        **settings,
    )
    return result, judge


async def test_interwhen_section_4_2_a_small_model_says_whether_artefacts_are_equal() -> None:
    result, judge = await stable(True, VERSIONS)
    assert result.trace.split("</think>")[0].endswith(f"[CODE]\n{VERSIONS[1]}\n[/CODE]\n")
    asked = [judge.text(request.prompt) for request in judge.requests]  # side by side, in any order
    assert any(VERSIONS[0] in prompt and VERSIONS[1] in prompt for prompt in asked)


async def test_a_model_that_cannot_tell_stops_nothing() -> None:
    for says in (False, None):
        result, _ = await stable(says, VERSIONS)
        assert VERSIONS[2] in result.trace.split("</think>")[0]


def test_a_role_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="no role 'judge'; there are: solver"):
        agentflow.solve(MAP, domain="spatialmap", model=solver(), tools={"extract": "model:judge"})


def test_only_some_tools_may_be_models() -> None:
    assert Settings(tools={"extract": "model"}).tools == {"extract": "model"}
    assert "extract" not in domains.get("spatialmap", {"extract": "model"}).toolbox.tools
    with pytest.raises(BadInput, match="'lean' has no backend 'model'"):
        domains.get("verina", {"lean": "model"})
    with pytest.raises(BadInput, match="'equality' has no backend 'model'"):
        domains.get("math", {"equality": "model"})  # it has a better one
    with pytest.raises(BadInput, match="'extract' has no backend 'rules'; there is: model"):
        domains.get("spatialmap", {"extract": "rules"})


CAPITAL = "Which city is the capital of the United States?"
OPTIONS = "Which one is a prime?\nA. 4\nB. 7\nC. 9\nD. 10"


async def voted(
    answers: list[str],
    says: Callable[[str], bool | None],
    question: str = CAPITAL,
    **settings: Any,
) -> tuple[agentflow.Result, list[str]]:
    """What samples in the domain ``open`` vote for, and what the model of equality was asked."""
    left, asked = iter(answers), list[str]()

    def reply(prompt: str) -> str:
        if "You compare two texts" in prompt:
            asked.append(prompt)
            return json.dumps({"equal": says(prompt)})
        return f"hm</think>\nThe answer is {next(left)}."

    given = {"choose": "majority", "critic": "none", "tools": {"equality": "model"}, **settings}
    result = await agentflow.asolve(
        question,
        "sampling",
        model=ScriptedModel(reply),
        domain="open",
        k=len(answers),
        **given,
    )
    return result, asked


CITIES = ["New York", "Washington", "Washington, D.C.", "the federal capital on the Potomac"]


async def test_answers_in_other_words_vote_as_one() -> None:
    result, asked = await voted(CITIES, lambda prompt: "New York" not in prompt)
    assert (result.answer, result.status) == ("Washington", "unverified")
    assert "majority 3 of 4" in result.reason
    assert "capital of the United States" in asked[0]
    assert result.as_dict()["cost_by_role"]["tool-equality"]["calls"] == len(asked)


@pytest.mark.parametrize("says", [False, None])
async def test_answers_that_are_not_the_same_vote_apart(says: bool | None) -> None:
    result, asked = await voted(CITIES, lambda _: says)
    assert "majority 1 of 4" in result.reason
    assert len(asked) == 3 + 2 + 1


async def test_the_same_words_are_not_asked_about() -> None:
    result, asked = await voted(["Rome", "rome", "Rome"], lambda _: False)
    assert "majority 3 of 3" in result.reason
    assert asked == []


async def test_without_the_tool_nobody_is_asked() -> None:
    result, asked = await voted(CITIES, lambda _: True, tools={})
    assert "majority 1 of 4" in result.reason
    assert asked == []


async def test_a_run_abstains_where_too_few_answers_say_the_same() -> None:
    result, _ = await voted(CITIES, lambda prompt: "New York" not in prompt, least_share=0.8)
    assert (result.answer, result.status) == (None, "abstained")


async def test_other_letters_and_numbers_are_not_asked_about() -> None:
    result, asked = await voted(["A", "B", "B. 7", "(C)"], lambda _: True, OPTIONS)
    assert ("majority 2 of 4" in result.reason, asked) == (True, [])
    result, asked = await voted(["12", "13", "1,200", "5 million"], lambda _: True)
    assert ("majority 1 of 4" in result.reason, asked) == (True, [])


async def test_the_same_number_may_be_another_version() -> None:
    result, asked = await voted(["3.1", "3.10"], lambda _: False)
    assert ("majority 1 of 2" in result.reason, len(asked)) == (True, 1)


async def test_a_pair_is_asked_about_once_in_a_run() -> None:
    result, asked = await voted(CITIES * 3, lambda prompt: "New York" not in prompt, stop="sure")
    assert "majority 9 of 12" in result.reason
    assert len(asked) == len({*asked}) == 5


async def test_a_model_that_fails_is_told_with_the_vote() -> None:
    def gone(_: str) -> bool:
        raise ModelUnavailable("gone")

    result, _ = await voted(CITIES, gone)
    assert "majority 1 of 4" in result.reason
    assert "the tool equality failed: ModelUnavailable: gone" in result.reason


@pytest.mark.parametrize("domain", ["math", "commonsense", "game24"])
def test_a_domain_that_asks_no_model_says_so(domain: str) -> None:
    with pytest.raises(
        BadInput, match=f"no use in the domain {domain}; it has one in verina, open"
    ):
        agentflow.solve(
            "1 + 1?" if domain != "game24" else "4 7 8 8",
            "direct",
            model=ScriptedModel("x"),
            domain=domain,
            tools={"equality": "model"},
        )
