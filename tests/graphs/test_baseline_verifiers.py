"""vanilla, deductive, backward: what they ask, and what their verdicts are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agentflow.errors import BadInput
from agentflow.graphs import verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.backward import masked
from agentflow.nodes.premises import premises_of, statements

PROBLEM = "Tom has 5 apples and buys 7 more. How many has he?"
SOLUTION = "He had 5.\nHe buys 7, so 5 + 7 = 12.\n\nAnswer: 12"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["conditions", "steps", "uses", "reason", "correct", "value"]), inner
        )
    ),
    max_leaves=12,
)


async def judged(
    name: str, script: Callable[[str], str] | str, problem: str = PROBLEM, **given: Any
) -> tuple[dict[str, Any], list[str], dict[str, Any]]:
    """The verdict, the prompts, the ledger."""
    prompts: list[str] = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return script if isinstance(script, str) else script(prompt)

    start: Any = {"problem": problem, "solution": SOLUTION}
    start |= {key: given.pop(key) for key in ("solution", "steps") if key in given}
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(reply)}}
    context = {"domain": "math", **given}
    out = await verifier(name).graph.ainvoke(start, config, context=context)
    return out["verdict"], prompts, out["ledger"]


class TestVanilla:
    @pytest.mark.parametrize("correct", [True, False])
    async def test_one_question_decides(self, correct: bool) -> None:
        said = json.dumps({"reason": "5 + 7 is 12", "correct": correct})
        verdict, prompts, ledger = await judged("vanilla", said)
        assert (verdict["ok"], verdict["reason"]) == (correct, "5 + 7 is 12")
        assert (verdict["source"], verdict["verifier"]) == ("vanilla", "vanilla")
        assert len(prompts) == len(ledger) == 1
        assert PROBLEM in prompts[0]
        assert SOLUTION in prompts[0]

    async def test_a_rejection_always_has_a_reason(self) -> None:
        verdict, _, _ = await judged("vanilla", '{"reason": " ", "correct": false}')
        assert verdict["reason"] == "the solution is incorrect"

    async def test_a_reply_is_repaired_once_and_then_cannot_tell(self) -> None:
        replies = iter(["Correct!", '{"reason": "", "correct": true}'])
        verdict, prompts, _ = await judged("vanilla", lambda prompt: next(replies))
        assert (verdict["ok"], verdict["evidence"], len(prompts)) == (True, {"how": "repaired"}, 2)
        verdict, prompts, _ = await judged("vanilla", "Correct!")
        assert (verdict["ok"], verdict["kind"], len(prompts)) == (None, "cannot_tell", 2)
        assert verdict["reason"]

    async def test_what_does_not_fit_cannot_be_told(self) -> None:
        verdict, prompts, _ = await judged("vanilla", "{}", solution="so it is " * 20_000)
        assert (verdict["ok"], prompts) == (None, [])
        assert "fills the context" in verdict["reason"]

    @given(JSON.map(json.dumps) | st.text(max_size=40))
    def test_nothing_else_passes(self, said: str) -> None:
        assume('"correct"' not in said or '"reason"' not in said)
        assert asyncio.run(judged("vanilla", said))[0]["ok"] is None


def uses(*pairs: tuple[list[int], list[int]]) -> str:
    listed = [{"conditions": conditions, "steps": steps} for conditions, steps in pairs]
    return json.dumps({"conditions": ["Tom has 5", "he buys 7"], "uses": listed})


USES = uses(([1], []), ([1, 2], [1]), ([], [2]))


def deductive(*follows: bool | None, premises: str = USES) -> Callable[[str], str]:
    """A reply for each statement, by its text; None for one that cannot be read."""
    lines = [line for _, line in statements([SOLUTION])]

    def reply(prompt: str) -> str:
        if "follows: " not in prompt:
            return premises
        said = follows[next(n for n, line in enumerate(lines) if f"follows: {line}" in prompt)]
        return "?" if said is None else json.dumps({"reason": "so", "follows": said})

    return reply


class TestDeductive:
    async def test_each_step_sees_its_premises_and_nothing_else(self) -> None:
        verdict, prompts, ledger = await judged("deductive", deductive(True, True, True))
        assert (verdict["ok"], verdict["score"]) == (True, 1.0)
        assert len(prompts) == len(ledger) == 4
        last = next(prompt for prompt in prompts if "follows: Answer: 12" in prompt)
        assert "He buys 7, so 5 + 7 = 12." in last
        assert "Tom has 5" not in last
        assert "He had 5." not in last
        found = verdict["evidence"]["statements"]
        assert found[1]["premises"] == ["Tom has 5", "he buys 7", "He had 5."]

    @pytest.mark.parametrize(
        ("follows", "ok", "first", "score"),
        [
            ((True, False, True), False, 0, 2 / 3),
            ((None, False, False), False, 0, 0.0),
            ((True, None, True), None, None, 2 / 3),
        ],
    )
    async def test_unanimity(
        self, follows: Sequence[bool | None], ok: bool | None, first: int | None, score: float
    ) -> None:
        verdict, _, _ = await judged("deductive", deductive(*follows))
        assert (verdict["ok"], verdict["first_wrong_step"]) == (ok, first)
        assert verdict["score"] == pytest.approx(score)
        if ok is False:
            assert verdict["reason"] == '"He buys 7, so 5 + 7 = 12." does not follow: so'

    async def test_the_first_wrong_step_is_one_of_those_given(self) -> None:
        steps = ["He had 5.\n", "He buys 7, so 5 + 7 = 12.\n\n", "Answer: 12"]
        verdict, _, _ = await judged("deductive", deductive(True, True, False), steps=steps)
        assert verdict["first_wrong_step"] == 2

    @pytest.mark.parametrize(
        "premises",
        [
            "{}",
            uses(([1], [])),  # not all statements
            uses(([3], []), ([1], []), ([], [])),  # no such condition
            uses(([0], []), ([1], []), ([], [])),
            uses(([1], []), ([1], [2]), ([], [])),  # rests on itself
            uses(([1], []), ([1], [3]), ([], [])),  # on what comes after it
        ],
    )
    async def test_premises_that_are_none_cannot_tell(self, premises: str) -> None:
        script = deductive(True, True, True, premises=premises)
        verdict, prompts, _ = await judged("deductive", script)
        assert (verdict["ok"], verdict["kind"], len(prompts)) == (None, "cannot_tell", 2)

    async def test_a_long_solution_is_not_judged(self) -> None:
        verdict, prompts, _ = await judged("deductive", "", max_statements=2)
        assert (verdict["ok"], prompts) == (None, [])
        assert verdict["reason"] == "the solution has 3 lines, not 1 to 2"

    async def test_nor_is_one_without_a_word(self) -> None:
        verdict, prompts, _ = await judged("deductive", "", solution="---\n...")
        assert (verdict["ok"], prompts) == (None, [])

    @pytest.mark.parametrize(
        ("condition", "known"),
        [
            ("Tom has five apples.", True),
            ("He has 5.0 apples, and there are 2 kinds.", True),
            ("Tom has 12 apples in the end.", False),
            ("The answer is twelve.", False),
        ],
    )
    def test_no_condition_has_a_number_of_its_own(self, condition: str, known: bool) -> None:
        said = json.dumps({"conditions": [condition], "uses": [{"conditions": [1], "steps": []}]})
        if known:
            assert premises_of(PROBLEM, 1, said).conditions == [condition]
            return
        with pytest.raises(ValueError, match="which is not in the problem"):
            premises_of(PROBLEM, 1, said)
        assert premises_of("She has twenty-five of a dozen.", 1, said)  # other numbers may be meant

    @given(JSON.map(json.dumps) | st.text(max_size=40), st.integers(1, 3))
    def test_premises_are_read_strictly(self, text: str, count: int) -> None:
        try:
            said = premises_of(PROBLEM, count, text)
        except ValueError:
            return
        assert len(said.uses) == count
        for number, one in enumerate(said.uses, 1):
            assert all(0 < n <= len(said.conditions) for n in one.conditions)
            assert all(0 < n < number for n in one.steps)


def backward(*values: str) -> Callable[[str], str]:
    """What each masked number is said to be, by which one is missing from the prompt."""

    def reply(prompt: str) -> str:
        said = values[0] if "has X apples" in prompt else values[1]
        return said if said == "?" else json.dumps({"work": "12 - ...", "value": said})

    return reply


class TestBackward:
    @pytest.mark.parametrize(
        ("values", "ok", "score"),
        [
            (("5", "7"), True, 1.0),
            ((" 5.0 ", "$7"), True, 1.0),
            (("10/2", "7"), True, 1.0),
            (("5", "8"), False, 0.5),
            (("?", "8"), False, 0.0),
            (("?", "7"), None, 0.5),
            (("unknown", "7"), None, 0.5),
            (("1e999999999", "7"), None, 0.5),
            (("1/0", "7"), None, 0.5),
            (("5 or 6", "7"), None, 0.5),
        ],
    )
    async def test_the_conditions_come_out_as_they_were(
        self, values: tuple[str, str], ok: bool | None, score: float
    ) -> None:
        verdict, _, _ = await judged("backward", backward(*values))
        assert (verdict["ok"], verdict["score"]) == (ok, score)
        assert [one["condition"] for one in verdict["evidence"]["conditions"]] == ["5", "7"]

    async def test_the_answer_stands_in_the_prompt_and_one_condition_does_not(self) -> None:
        verdict, prompts, ledger = await judged("backward", backward("5", "9"))
        assert len(prompts) == 2
        assert sum(entry["calls"] for entry in ledger.values() if entry["role"] == "verifier") == 2
        assert all("answer: 12" in prompt for prompt in prompts)
        assert sorted("buys 7" in prompt for prompt in prompts) == [False, True]
        assert verdict["reason"] == (
            "from the answer 12 follows 9 in place of 7, which the problem states"
        )

    async def test_so_many_conditions(self) -> None:
        verdict, prompts, _ = await judged("backward", backward("5", "9"), conditions=1)
        assert (verdict["ok"], len(prompts)) == (True, 1)

    async def test_no_number_to_mask(self) -> None:
        verdict, prompts, _ = await judged("backward", "", "How many legs has a spider?")
        assert (verdict["ok"], prompts) == (None, [])
        assert verdict["reason"] == "the problem has no number to mask"

    async def test_no_answer_is_wrong_as_it_is(self) -> None:
        verdict, prompts, _ = await judged("backward", "", solution="I do not know")
        assert (verdict["ok"], verdict["kind"], prompts) == (False, "no_answer", [])

    async def test_the_problem_is_the_domains(self) -> None:
        with pytest.raises(BadInput, match="game24"):
            await judged("backward", "", domain="game24")

    @given(st.text(alphabet="0123456789.,- aXYw/", max_size=30), st.integers(1, 4))
    def test_what_is_masked_can_be_put_back(self, text: str, most: int) -> None:
        found = masked(text, most)
        assert len(found) <= most
        for hidden, mask, was in found:
            assert hidden.count(mask) == 1
            assert mask not in text
            assert hidden.replace(mask, was) == text
