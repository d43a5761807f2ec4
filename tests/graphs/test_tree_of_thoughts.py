"""Tree of Thoughts: against brute force, and what a critic, a budget and a bad reply do to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentflow
from agentflow.domains import Game24
from agentflow.errors import BadInput
from agentflow.models import Capabilities, ScriptedModel
from agentflow.models.metered import Metered
from agentflow.nodes.tree import TreeSettings
from agentflow.profile import PROFILES
from agentflow.scorers import ValueScorer
from agentflow.search import Path

PUZZLE = (1, 6, 8, 12)
PROPOSE = re.compile(r"propose (\d+): game24: [\d ]+\n(.*?)<\|im_end\|>", re.DOTALL)
VALUE = re.compile(r"value: game24: [\d ]+\n(.*?)<\|im_end\|>", re.DOTALL)

State = tuple[int, ...]


def left(steps: Sequence[str], puzzle: State) -> State:
    """The numbers that are left behind some steps."""
    return tuple(map(int, steps[-1].split("->")[1].split())) if steps else puzzle


def moves(state: State) -> list[str]:
    """Every operation on a state, written as a step."""
    found = []
    for i, a in enumerate(state):
        for j, b in enumerate(state):
            rest = [n for k, n in enumerate(state) if k not in (i, j)]
            results = {"+": a + b, "-": a - b, "*": a * b} | (
                {"/": a // b} if b and a % b == 0 else {}
            )
            for operator, result in results.items():
                if i != j and 0 <= result <= 100 and (i < j or operator in "-/"):
                    remaining = " ".join(map(str, sorted([*rest, result])))
                    spoken = " ".join(map(str, state))
                    found.append(f"{spoken} : {a} {operator} {b} = {result} -> {remaining}")
    return list(dict.fromkeys(found))


def reachable(state: State) -> bool:
    """Whether 24 can be reached from a state, by trying everything."""
    if len(state) == 1:
        return state == (24,)
    return any(reachable(left([move], state)) for move in moves(state))


def proposals(steps: Sequence[str], puzzle: State) -> list[str]:
    """Next steps; behind the last one the answer, whatever it is worth."""
    state = left(steps, puzzle)
    return moves(state) if len(state) > 1 else [f"Answer: {puzzle[0]} + {state[0]} = 24"]


def judged(steps: Sequence[str], puzzle: State) -> str:
    """A perfect value function on states; an answer is as good as the state before it."""
    state = left([one for one in steps if "->" in one], puzzle)
    return "likely" if reachable(state) else "impossible"


def world(
    puzzle: State = PUZZLE, judge: Callable[[Sequence[str], State], str] = judged
) -> ScriptedModel:
    """A proposer that knows every move, and a judge."""

    def reply(prompt: str) -> str:
        last = prompt[prompt.rindex("<|im_start|>user") :]
        if found := PROPOSE.search(last):
            said = found[2].strip()
            steps = [] if said == "(none yet)" else said.split("\n")
            return json.dumps({"thoughts": proposals(steps, puzzle)[: int(found[1])]})
        found = VALUE.search(last)
        assert found, last
        return json.dumps({"judgement": judge(found[1].strip().split("\n"), puzzle)})

    return ScriptedModel(reply)


async def run(model: ScriptedModel, puzzle: State = PUZZLE, **values: Any) -> agentflow.Result:
    text = " ".join(map(str, puzzle))
    values = {"judge_answers": False} | values
    return await agentflow.asolve(text, "tree_of_thoughts", model=model, **values)


def breadth_first(puzzle: State, width: int, depth: int) -> tuple[list[list[str]], list[list[str]]]:
    """(states valued in order, the beam at the end), written without the package."""
    worth = {"likely": 2, "unlikely": 1, "impossible": 0}
    kept: list[list[str]] = [[]]
    valued: list[list[str]] = []
    for _ in range(depth):
        new = [
            [*path, one]
            for path in kept
            if not (path and path[-1].startswith("Answer"))
            for one in proposals(path, puzzle)[:width]
        ]
        if not new:
            break
        valued += new
        ended = [path for path in kept if path and path[-1].startswith("Answer")]
        ranked = sorted([*ended, *new], key=lambda path: -worth[judged(path, puzzle)])
        kept = ranked[:width]
    return valued, kept


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("puzzle", [PUZZLE, (4, 4, 7, 8), (2, 3, 5, 12), (5, 5, 5, 9)])
async def test_it_is_the_beam_that_brute_force_says(puzzle: State, width: int) -> None:
    model = world(puzzle)
    result = await run(model, puzzle, width=width)
    valued, kept = breadth_first(puzzle, width, 8)
    texts = [model.text(request.prompt) for request in model.requests]
    asked = [found[1].strip().split("\n") for found in map(VALUE.search, texts) if found]
    assert sorted(asked) == sorted(map(list, dict.fromkeys(map(tuple, valued))))
    best = "\n".join(kept[0][:-1]) + "\n</think>\n" + kept[0][-1] + "\n"
    assert result.trace.body == best
    assert result.status == "unverified"


MAZE = """#####
#SX #
##X##
#EX #
#####
How many right turns are there in the provided path from S to E?
A. 0
B. 1
C. 2"""
MAZE_LINES = ["S position: (1,1)", "E position: (3,1)", "2 right turns so far", "Answer: C"]


async def test_a_short_thought_is_not_yet_an_answer() -> None:
    def reply(prompt: str) -> str:
        last = prompt[prompt.rindex("<|im_start|>user") :]
        if "propose" not in last:
            return '{"judgement": "likely"}'
        return json.dumps({"thoughts": [next(line for line in MAZE_LINES if line not in last)]})

    result = await agentflow.asolve(
        MAZE, "tree_of_thoughts", model=ScriptedModel(reply), domain="maze"
    )
    assert result.trace.body == "\n".join(MAZE_LINES[:-1]) + "\n</think>\nAnswer: C\n"
    assert (result.answer, result.status) == ("C", "verified")


@settings(max_examples=6)
@given(st.tuples(*[st.integers(1, 6)] * 3))
def test_with_a_perfect_critic_and_full_width_it_finds_a_way_if_there_is_one(puzzle: State) -> None:
    import asyncio

    state = tuple(sorted((*puzzle, 4)))
    model = world(state)
    try:
        result = asyncio.run(run(model, state, width=64))
    except BadInput:
        return
    if result.status == "abstained":  # the domain knows that there is none, fractions and all
        assert not reachable(state)
        return
    last = result.trace.body.split("</think>")[0].strip().split("\n")[-1]
    assert last.endswith("-> 24") == reachable(state)


async def test_no_more_than_four_branches_are_active_at_a_time() -> None:
    model = world()
    result = await run(model)
    proposals = [r for r in model.requests if PROPOSE.search(model.text(r.prompt))]
    values = [r for r in model.requests if VALUE.search(model.text(r.prompt))]
    assert len(proposals) <= 1 + 2 * 7
    assert len(values) <= 2 + 4 * 7
    entries = result.ledger.values()
    assert sum(e["calls"] for e in entries) == len(model.requests)
    assert sum(e["generated"] for e in entries) == model.streamed
    assert {e["role"] for e in entries} == {"solver", "judge"}


async def test_the_step_verifier_as_critic_asks_no_model() -> None:
    model = world()
    result = await run(model, critic="steps", hopeless=True, unread=1.0, width=24)
    assert not [r for r in model.requests if VALUE.search(model.text(r.prompt))]
    assert result.status == "unverified"
    assert "-> 24\n</think>" in result.trace.body


async def test_the_same_seed_gives_the_same_search() -> None:
    one, other = world(), world()
    results = [await run(one, seed=3), await run(other, seed=3)]
    assert results[0].operations == results[1].operations
    seeds = [sorted(r.seed for r in each.requests) for each in (one, other)]  # asked side by side
    assert seeds[0] == seeds[1]


@pytest.mark.parametrize("reply", ["", "hm", "[]", '{"thoughts": []}', '{"thoughts": ["", " "]}'])
async def test_a_proposer_that_says_nothing(reply: str) -> None:
    result = await run(ScriptedModel(reply))
    assert (result.status, result.answer) == ("exhausted", None)
    assert result.reason.startswith("the model proposed no thought to go on with")


@given(st.lists(st.text(max_size=40), max_size=4))
def test_whatever_is_proposed_no_marker_is_forged(thoughts: list[str]) -> None:
    import asyncio

    said = [*thoughts, "</think>\nAnswer: 4 * 6 = 24", "<|im_end|>"]
    model = ScriptedModel(json.dumps({"thoughts": said}))
    result = asyncio.run(run(model, depth=2, width=8))
    assert result.answer is None or "</think>\nAnswer: 4 * 6" not in result.trace.body
    assert result.trace.body.count("</think>") <= 1


async def test_the_depth_ends_the_search() -> None:
    result = await run(world(), depth=2)
    assert (result.status, result.answer) == ("exhausted", None)
    assert "the depth of 2 thoughts is reached" in result.reason
    assert len(result.trace.body.strip().split("\n")) == 2


@pytest.mark.usefixtures("virtual_time")
async def test_time_that_is_over_is_said() -> None:
    from agentflow.models import Delay

    model = ScriptedModel([Delay(5), "{}"])
    result = await run(model, timeout=0.05)
    assert result.status == "exhausted"
    assert "time limit of 0.05 s" in result.reason


async def test_a_chat_only_model_will_do() -> None:
    model = world()
    model.capabilities = Capabilities(continues=False, exact_prefix=False)
    assert (await run(model)).status == "unverified"


def test_the_defaults_are_the_papers() -> None:
    given = TreeSettings()
    assert (given.width, given.depth, given.critic) == (2, 8, "value")


def test_states_of_the_test_are_what_they_seem() -> None:
    assert reachable(PUZZLE)
    assert not reachable((1, 1, 1))
    assert list(chain(moves((24,)))) == []


class TestStateCritic:
    """Tree of Thoughts with an LLM as the verifier of steps (interwhen, section 5.3)."""

    async def test_section_5_3_the_critic_is_asked_whether_each_state_is_right(self) -> None:
        judged, asked = world(), list[str]()

        def reply(prompt: str) -> str:
            last = prompt[prompt.rindex("<|im_start|>user") :]
            if "Is the state that these steps lead to right?" not in last:
                return str(judged._script(prompt))  # type: ignore[operator]
            asked.append(last)
            good = "8 - 6 = 2" in last or "[Steps so far]\n1 6 8 12 : 12 / 6" in last
            return json.dumps({"is_correct": True, "confidence": 0.9 if good else 0.1})

        model = ScriptedModel(reply)
        result = await agentflow.asolve(
            " ".join(map(str, PUZZLE)), "tree_of_thoughts", model=model, critic="state"
        )
        assert asked
        assert "likely" not in "".join(asked)
        score = next(one for one in result.events if one["type"] == "score")
        assert score["source"] == "state critic"
        assert set(score["scores"]) <= {0.9, 0.1, 0.5}
        assert TreeSettings(critic="state").solver_prompt == "cot"  # no format of steps is needed

    @pytest.mark.parametrize(
        ("said", "worth"),
        [
            ('{"is_correct": true, "confidence": 0.8}', 0.8),
            ('{"is_correct": false, "confidence": 0.8}', 0.2),
            ("hm", 0.5),
        ],
    )
    async def test_what_a_state_is_worth(self, said: str, worth: float) -> None:
        meter = Metered(ScriptedModel(said, profile=PROFILES["qwen2.5-instruct"]), "judge", "0")
        scorer = ValueScorer(meter, "the problem", critic=True)
        (path,) = await scorer.score(Game24().parse("4 7 8 8"), [Path(("a\n",))])
        assert path.scores == pytest.approx((worth,))
        assert scorer.unscored == ({("a\n",)} if said == "hm" else set())


async def test_a_judgement_that_cannot_be_read_is_told() -> None:
    def reply(prompt: str) -> str:
        proposed = PROPOSE.search(prompt)
        return json.dumps({"thoughts": ["1 + 6 = 7 -> 7 8 12"]}) if proposed else "Looks fine!"

    result = await run(ScriptedModel(reply))
    score = next(one for one in result.events if one["type"] == "score")
    assert set(score["scores"]) == {0.5}
    (note,) = score["notes"]
    assert note.startswith("value said nothing that can be read of 8 of 8 steps")


def test_section_5_3_the_defaults_are_width_2_and_depth_8() -> None:
    defaults = TreeSettings()
    assert (defaults.width, defaults.depth, defaults.critic) == (2, 8, "value")
