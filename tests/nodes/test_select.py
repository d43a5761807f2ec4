"""The rules of the selectors, as pure functions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.models.structured import parse
from agentflow.nodes.select import (
    REASONERS,
    TOOLS,
    Compute,
    Strategy,
    Tools,
    arrange,
    bounded,
    spelled,
)

NAMES = st.one_of(
    st.sampled_from(TOOLS), st.text(max_size=12), st.sampled_from(["CoT", "Verifier"])
)
NUMBERS, WORDS = "add 3 and 4", "prove that it is so"


@given(st.lists(NAMES, max_size=9), st.sampled_from([NUMBERS, WORDS, "½", "x² > y", ""]))
def test_every_list_gives_a_legal_arrangement(names: list[str], problem: str) -> None:
    tools = arrange(names, problem)
    assert 1 <= len(tools) <= 3
    assert len(set(tools)) == len(tools)
    assert sum(tool in REASONERS for tool in tools) == 1
    assert list(tools) == [tool for tool in TOOLS if tool in tools]
    assert ("numeric verifier" in tools) >= bool(re.search(r"\d", problem))
    assert set(tools) - {"cot", "numeric verifier"} <= {spelled(name) for name in names}
    assert arrange(tools, problem) == tools


@pytest.mark.parametrize(
    ("names", "problem", "expected"),
    [
        ([], WORDS, ["cot"]),
        ([], NUMBERS, ["cot", "numeric verifier"]),
        (["telescope", "verifier"], WORDS, ["cot", "verifier"]),
        (["cot", "self-reflection"], WORDS, ["self-reflection"]),
        (["verifier", "cot", "reframe"], WORDS, ["reframe", "cot", "verifier"]),
        (
            ["cot", "numeric verifier", "verifier", "summarizer"],
            WORDS,
            ["cot", "numeric verifier", "verifier"],
        ),
        (
            ["reframe", "cot", "verifier", "summarizer"],
            NUMBERS,
            ["reframe", "cot", "numeric verifier"],
        ),
        (["cot", "verifier", "summarizer"], WORDS, ["cot", "verifier", "summarizer"]),
        (["Self_Reflection", "NUMERIC-VERIFIER"], WORDS, ["self-reflection", "numeric verifier"]),
        (["cot", "cot", "cot", "cot"], WORDS, ["cot"]),
    ],
)
def test_arrangements(names: list[str], problem: str, expected: list[str]) -> None:
    assert list(arrange(names, problem)) == expected


@pytest.mark.parametrize(
    ("strategy", "tools", "low", "high"),
    [
        ("best of n", (), 3, 5),
        ("beam search", ("cot",), 3, 6),
        ("beam search", ("self-reflection",), 3, 8),
        ("lookahead", (), 2, 4),
    ],
)
def test_ranges(strategy: Strategy, tools: tuple[str, ...], low: int, high: int) -> None:
    found = {bounded(strategy, param, tools) for param in range(-3, 20)}
    assert found == set(range(low, high + 1))
    assert bounded(strategy, 10**9, tools) == high


@pytest.mark.parametrize("param", ["4", '"4"', '" 4 "', '"+4"'])
@pytest.mark.parametrize("name", ["beam search", "Beam_Search", "beam-search"])
def test_a_number_may_be_written_as_text(param: str, name: str) -> None:
    said = parse(Compute, f'{{"strategy": "{name}", "param": {param}}}')
    assert (said.strategy, said.param) == ("beam search", 4)


@pytest.mark.parametrize("param", ["3.5", '"four"', '""', "true", "null", "[4]", '"4.0"'])
def test_what_is_no_number(param: str) -> None:
    with pytest.raises(ValueError, match="param"):
        parse(Compute, f'{{"strategy": "lookahead", "param": {param}}}')


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "cot",
        '["cot"]',
        '{"tools": "cot"}',
        '{"tools": [1]}',
        '{"tools": ["cot"], "why": "it fits"}',
        'Surely not {"tools": ["cot"]}',
        '{"tools": ["telescope"]}',
        '{"tools": ["<first tool>", "cot"]}',
        '{"tools": ["cot"]} Or rather not.',
        '{"tools": ["cot"]',
        "[" * 100_000,
    ],
)
def test_malformed_tools(reply: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(Tools, reply)


def test_the_schema_names_the_tools() -> None:
    schema = Tools.model_json_schema()
    assert schema["properties"]["tools"]["items"]["enum"] == list(TOOLS)
    assert schema["additionalProperties"] is False
