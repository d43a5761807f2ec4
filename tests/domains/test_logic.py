from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from importlib import resources
from itertools import product
from typing import Any

import pytest
from counting import is_linear, steps
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.tools import BaseTool, StructuredTool

from agentflow import prompts
from agentflow.domains import get, logic
from agentflow.domains.logic import Logic, fol, smtlib
from agentflow.errors import BadInput
from agentflow.generators import propositional
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox, build
from agentflow.verdict import Verdict

LOGIC = Logic(Toolbox(build(Logic.tools)))
RULES = """Premises:
1. Dana is kind.
2. If someone is kind and not shy, then they are happy.
3. Everyone who is kind is tall.
4. No tall people are shy.
Conclusion: """
FOLIO = {
    "premises": ["Bonnie performs or is inactive.", "Whoever is inactive chaperones."],
    "premises-FOL": ["Perform(bonnie) ∨ Inactive(bonnie)", "∀x (Inactive(x) → Chaperone(x))"],
    "conclusion": "Bonnie performs.",
    "conclusion-FOL": "Perform(bonnie)",
}
INFORMAL = "Raul either ignored warning signs or listened to his body.\nConclusion: Raul listened."


OPTIONS = "\nOptions:\nA) True\nB) False\nC) Uncertain"


def problem(claim: str = "Dana is happy.") -> Problem:
    return LOGIC.parse(RULES + claim)


def answered(of: Problem, answer: str, by: Logic = LOGIC) -> Verdict:
    return asyncio.run(by.verify_answer(of, answer))


def states(text: str, of: Problem | None = None) -> list[State]:
    memory: dict[str, Any] = {}
    found, offset = [], 0
    for line in text.splitlines(keepends=True):
        memory, new = LOGIC.extract(of or problem(), line, offset, memory)
        found += new
        offset += len(line)
    return found


def judged(line: str, of: Problem | None = None, by: Logic = LOGIC) -> tuple[bool | None, str]:
    (state,) = states(line, of)
    verdict = asyncio.run(by.verify_state(of or problem(), state, []))
    return verdict.ok, verdict.kind


class TestParse:
    @pytest.mark.parametrize(
        "text",
        [
            "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy.",
            "Premises:\n1. Alex is kind.\n2. Everyone who is kind is happy.\n"
            "Conclusion: Alex is happy.",
            "- Alex is kind.\n- Everyone who is kind is happy.\n\nQuestion: Alex is happy.",
            "Context: Alex is kind. Everyone who is kind is happy.\nQuestion: Based on the above "
            "information, is the following statement true, false, or uncertain? Alex is happy.\n"
            "Options:\nA) True\nB) False\nC) Uncertain",
            json.dumps(
                {
                    "premises": ["Alex is kind.", "Everyone who is kind is happy."],
                    "conclusion": "Alex is happy.",
                }
            ),
            json.dumps(
                {
                    "context": "Alex is kind. Everyone who is kind is happy.",
                    "question": "Is the following statement true or false? Alex is happy.",
                    "options": ["A) True", "B) False"],
                }
            ),
        ],
    )
    def test_ways_to_write_a_problem(self, text: str) -> None:
        data = LOGIC.parse(text).data
        assert data["listing"] == "1. Alex is kind.\n2. Everyone who is kind is happy."
        assert data["conclusion"] == "Alex is happy."
        assert data["premises"] == ["kind(Alex)", "∀x (kind(x) → happy(x))"]
        assert (data["claim"], data["informal"]) == ("happy(Alex)", "")
        json.dumps(data)

    def test_formulas(self) -> None:
        lines = ["Perform(bonnie) | Inactive(bonnie)", "∀x (Inactive(x) → Chaperone(x)) ::: So."]
        data = LOGIC.parse("\n".join([*lines, "Conclusion: Perform(bonnie)"])).data
        from_json = LOGIC.parse(json.dumps(FOLIO)).data
        assert data["premises"] == from_json["premises"] == FOLIO["premises-FOL"]
        assert data["claim"] == from_json["claim"] == "Perform(bonnie)"
        assert from_json["listing"].startswith("1. Perform(bonnie) ∨ Inactive(bonnie) ::: Bonnie")

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (INFORMAL, "not in the controlled English"),
            ("Kind(alex)\nConclusion: Alex is kind.", "the conclusion has none"),
            ("Kind(alex)\nAlex is tall.\nConclusion: Kind(alex)", "premise 2 has none"),
            ("Max is orange. Max is an orange. Conclusion: Max is orange.", "a noun"),
        ],
    )
    def test_what_is_not_formal_is_a_problem_without_verdicts(self, text: str, says: str) -> None:
        of = LOGIC.parse(text)
        assert of.data["claim"] is None
        assert says in of.data["informal"]
        for answer in propositional.ANSWERS:
            verdict = answered(of, answer)
            assert verdict.ok is None
            assert says in verdict.reason
            assert verdict.kind == "unread"
        assert judged("Step: Raul listened.", of) == (None, "unread")

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "no 'Conclusion: ...'"),
            ("Alex is kind.", "no 'Conclusion: ...'"),
            ("Conclusion: Alex is kind.", "no premises"),
            ("Alex is kind.\nConclusion:", "no conclusion"),
            ("Alex is kind. Conclusion: ", "no conclusion"),
            ("∀x (Kind(x)\nConclusion: Kind(a)", "premise 1: the end at character 12"),
            ("Kind(a)\nConclusion: ∃x (Kind(x)", "the conclusion: the end at character 12"),
            ("Kind(a) ::: A.\nKind( ::: B.\nConclusion: Kind(a)", "premise 2: the end"),
            ("Kind(a)\nKind(a, b)\nConclusion: Kind(a)", "'Kind' is used with 1 and with 2"),
            ("{", "starts with { but is no JSON"),
            ('{"premises": "x", "conclusion": "y"}', "the JSON needs premises (a list)"),
            ('{"premises": ["x"], "conclusion": "y", "premises-FOL": []}', "as long as premises"),
            ('{"context": ""}', "no premises"),
            ("{" * 100_000, "no JSON"),
        ],
    )
    def test_bad_input_is_one_clear_line(self, text: str, says: str) -> None:
        with pytest.raises(BadInput, match="logic: ") as caught:
            LOGIC.parse(text)
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 300

    @given(st.text(max_size=80) | st.text(max_size=40).map(lambda s: f"{s}\nConclusion: {s}"))
    def test_any_text_is_parsed_or_refused(self, text: str) -> None:
        try:
            of = LOGIC.parse(text)
        except BadInput:
            return
        json.dumps(of.data)
        assert of.data["listing"]
        assert of.data["conclusion"]

    @pytest.mark.parametrize(
        "piece", ["Alex is kind. ", "Conclusion: ", "is the ", "A) ", "1. ", "\n", " ", "a:::"]
    )
    def test_long_texts_are_quick(self, piece: str) -> None:
        def parse(size: int) -> None:
            with contextlib.suppress(BadInput):
                LOGIC.parse(piece * size + "\nConclusion: Alex is kind.")

        is_linear(parse)


class TestExtract:
    @pytest.mark.parametrize(
        "line",
        [
            "From 1, 3: Dana is tall.\n",
            "Step: Dana is tall.",
            "Step 2: Dana is tall.\r\n",
            "  - **Step 2:** Dana is tall.**\n",
            "from premises 1 and 3: Dana is tall.\n",
            "Step 2 (from 1 and 3): Dana is tall.\n",
            "**Step 2**: Dana is tall.\n",
        ],
    )
    def test_steps(self, line: str) -> None:
        (state,) = states(line)
        assert (state.kind, state.data, state.end) == (
            "step",
            {"claim": "Dana is tall."},
            len(line),
        )

    @pytest.mark.parametrize(
        "line",
        [
            "Dana is tall.\n",
            "So Dana is tall: she is kind.\n",
            "From what I know: Dana is tall.\n",
            "Step 2:\n",
            "Stepping back: Dana is tall.\n",
            "The answer is open.\n",
            "Suppose: Dana is shy.\n",
        ],
    )
    def test_what_is_no_step(self, line: str) -> None:
        assert states(line) == []

    @pytest.mark.parametrize(
        "line",
        [
            "From 1 alone it does not follow: Dana is tall.",
            "From 1, 2 we can refute this claim: Dana is tall.",
        ],
    )
    def test_what_a_beginning_denies_is_not_claimed(self, line: str) -> None:
        (state,) = states(line)
        assert state.data == {"claim": "unread", "text": "Dana is tall."}

    @pytest.mark.parametrize(
        ("line", "ok"),
        [
            ("Step 1: Since Alex is kind, Alex is happy.", True),
            ("Step 1: Since Alex is not kind, Alex is happy.", False),
            ("Step 1: Alex is happy because Alex is kind.", True),
            ("Step 1: Alex is happy because Dana is loud.", False),
            ("Step 1: Alex is kind, so Alex is happy (from 1 and 3).", True),
            ("Step 1: Alex is kind, so Dana is loud.", False),
            ("Step 1: From premises 1 and 3, we know that Alex is happy.", True),
            ("Step 1: Therefore, Alex is not happy [1, 3].", False),
            ("Step 1: Thus it is not true that Alex is happy.", False),
            ("Step 1: From the opposite of premise 1, Alex is happy.", None),
            ("Step 1: If Alex is kind, so Alex is happy.", None),
            ("Step 1: Since Dana is kind, shy, Dana is not loud.", None),
        ],
    )
    def test_a_claim_may_say_what_it_follows_from(self, line: str, ok: bool | None) -> None:
        of = LOGIC.parse(
            "Alex is kind. Dana is shy. If someone is kind, then they are happy. If someone is "
            "shy, then they are not loud. Conclusion: Alex is happy."
        )
        assert judged(line, of)[0] is ok

    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ("So he is.\n**Conclusion: True**", "True"),
            ("Final verdict: **False**.", "False"),
            ("Thus it is true.", "true"),
            ("The truth value of the conclusion is: **Uncertain**.", "Uncertain"),
            ("Therefore, the conclusion cannot be determined.", "cannot be determined"),
            ("Therefore, it is not true.", None),
            ("The statement is not true.", None),
            ("Therefore, the conclusion is true or false.", None),
            ("Premise 2 says so.\nIt is true.", None),
            ("It is true.", "true"),
            ("It is true that it is wet.", None),
            ("Cannot be determined", "cannot be determined"),
            ("The statement cannot be determined from the premises.", "cannot be determined"),
            ("There is not enough information.", "cannot be determined"),
            ("There is not enough information about Alex.", None),
            ("Based on the given premises, the statement is true.", "true"),
            ("Based on what Bob says, the statement is true.", None),
            ("The answer is True, not False.", "True"),
            ("The answer is True, not True.", None),
            ("The answer is uncertain, as nothing is said of it.", "uncertain"),
            ("Final answer: {True}", "True"),
            ("Dana is shy. The statement is true.", "true (given: so: Dana is shy; True)"),
            ("Dana is shy, so the statement is true.", "true (given: so: Dana is shy; True)"),
            ("The statement is true because Dana is shy.", "true (given: True; so: Dana is shy)"),
            ("If Dana is shy, so the statement is true.", None),
            ("Bob lies. The statement is true.", None),
            ("The conclusion follows from the rules. Therefore, it is **True**.", "True"),
            ("The negation of the conclusion follows. Therefore, it is true.", None),
            ("The conclusion does not follow. Therefore, it is true.", None),
            ("The conclusion may fail. Therefore, it is true.", None),
            ("Is Dana loud?\nYes.", None),
        ],
    )
    def test_what_the_last_line_concludes(self, text: str, answer: str | None) -> None:
        assert LOGIC.answer(text) == answer

    @pytest.mark.parametrize("heading", ["Step 2:", "### Step 2", "**Step 2:**", "Step (2)\n"])
    def test_a_claim_may_stand_below_the_heading_of_its_step(self, heading: str) -> None:
        of = problem()
        (state,) = states(f"{heading}\nDana is tall.\nDana is shy.\n", of)
        assert state.data == {"claim": "Dana is tall."}
        assert states(f"{heading}\nLet us look at Dana.\nDana is tall.\n", of) == []
        assert states(f"Suppose Dana is shy.\n{heading}\nDana is tall.\n", of) == []

    def test_what_is_only_supposed_is_not_claimed(self) -> None:
        text = "Suppose Dana is shy.\nStep 1: Dana is not tall.\nThat is a contradiction.\n"
        under, plain = states(f"{text}Step 2: Dana is not shy.\n")
        assert (under.data["claim"], plain.data["claim"]) == ("unread", "Dana is not shy.")

    @pytest.mark.parametrize(
        "claim",
        ["Dana is a tall person.", "Perhaps Dana is tall.", "tall(Dana", "Dana is " + "a" * 600],
    )
    def test_a_step_that_is_not_understood_is_not_lost(self, claim: str) -> None:
        (state,) = states(f"Step 2: {claim}\n")
        assert (state.kind, state.data["claim"]) == ("step", "unread")
        assert claim.startswith(state.data["text"])
        verdict = asyncio.run(LOGIC.verify_state(problem(), state, []))
        assert (verdict.ok, verdict.kind) == (None, "unread")
        assert verdict.reason.startswith("could not read")

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("Answer: True", "True"),
            ("**Answer:** False.", "False"),
            ("The answer is C) Uncertain", "Uncertain"),
            ("\\boxed{Uncertain}", "Uncertain"),
            ("\\boxed{\\text{True}}", "True"),
            ("Final answer: B", "False"),
        ],
    )
    def test_candidates(self, line: str, answer: str) -> None:
        of = LOGIC.parse(f"{RULES}Dana is happy.{OPTIONS}")
        (state,) = states(line, of)
        assert state.kind == "candidate"
        assert LOGIC.candidate(of, state) == answer

    @given(
        st.text(max_size=100) | st.text(alphabet="Step From1,:*#- \\boxed{}answer", max_size=100)
    )
    def test_any_line_can_be_read(self, line: str) -> None:
        _, found = LOGIC.extract(problem(), line, 0, {})
        assert all(0 <= state.start <= state.end <= len(line) for state in found)
        answer = LOGIC.answer(line)
        assert answer is None or answer.strip()

    @pytest.mark.parametrize("piece", ["from 1", "step ", "answer: ", "\\boxed{", "* ", ":", "1"])
    def test_reading_is_linear(self, piece: str) -> None:
        is_linear(lambda size: LOGIC.answer(piece * size))
        of = problem()
        assert steps(lambda: LOGIC.extract(of, (piece * 600)[:600], 0, {})) < 200 * 600


class TestAnswers:
    @pytest.mark.parametrize(
        ("claim", "right"),
        [
            ("Dana is happy.", "True"),
            ("Dana is shy.", "False"),
            ("Dana is clever.", "Uncertain"),
            ("If Dana is shy, then Dana is clever.", "True"),
            ("Everyone who is kind is happy.", "True"),
            ("Everyone is kind.", "Uncertain"),
            ("Someone is shy.", "Uncertain"),
        ],
    )
    def test_exactly_the_right_answer_passes(self, claim: str, right: str) -> None:
        verdicts = {answer: answered(problem(claim), answer) for answer in propositional.ANSWERS}
        assert {answer: verdict.ok for answer, verdict in verdicts.items()} == {
            answer: answer == right for answer in verdicts
        }
        assert {v.kind for a, v in verdicts.items() if a != right} == {"wrong_answer"}

    def test_the_evidence_names_the_premises_used(self) -> None:
        evidence = answered(problem("Dana is tall."), "True").evidence
        assert evidence == {"claim": "tall(Dana)", "outcome": "agree", "premises": [1, 3]}

    def test_formulas(self) -> None:
        assert answered(LOGIC.parse(json.dumps(FOLIO)), "Uncertain").ok is True

    def test_premises_that_contradict_each_other_cannot_be_told(self) -> None:
        of = LOGIC.parse("Alex is kind. Alex is not kind. Conclusion: Alex is tall.")
        verdict = answered(of, "True")
        assert verdict.ok is None
        assert "contradict each other" in verdict.reason

    @pytest.mark.parametrize(
        ("answer", "form"),
        [
            ("true", "True"),
            ("TRUE.", "True"),
            ("**True**", "True"),
            ("A", "True"),
            ("(B)", "False"),
            ("option B", "False"),
            ("The answer is A", "True"),
            ("C) Uncertain", "Uncertain"),
            ("c. unknown", "Uncertain"),
            ("True (A)", "True"),
            ("B (False)", "False"),
            ("Yes", "True"),
            ("Unknown", "Uncertain"),
            ("cannot be determined", "Uncertain"),
            ("The conclusion cannot be determined", "Uncertain"),
            ("It cannot be determined from the premises.", "Uncertain"),
            ("Cannot be determined based on the given information", "Uncertain"),
            ("Not enough information", "Uncertain"),
            ("There is not enough information to determine whether it is true.", "Uncertain"),
            ("The truth value of the conclusion is indeterminate", "Uncertain"),
            ("True based on the premises", "True"),
            ("It cannot be determined from premise 2", None),
            ("There is not enough information to say that it is false", None),
            ("The statement is false.", "False"),
            ("It is true", "True"),
            ("The answer is true.", "True"),
            ("A) False", None),
            ("True (B)", None),
            ("D", None),
            ("maybe", None),
            ("True or False", None),
            ("True or Uncertain", None),
            ("True, False", None),
            ("True. No wait, it is False.", None),
            ("True, because Dana is kind.", None),
            ("True?", None),
            ("True, I think", None),
            ("True (mostly)", None),
            ("True under premise 2", None),
            ("True" + " " * 300 + "or False", None),
            ("True" + "." * 300 + "or False", None),
            ("No", None),  # does it follow, or is it true?
            ("No, it is not.", None),
            ("not true", None),
            ("Not True", None),
            ("untrue", None),
            ("It is not the case that it is true", None),
            ("A, B", None),
            ("A or B", None),
            ("not B", None),
            ("a true friend", None),
            ("True True", None),
            ("", None),
        ],
    )
    def test_spellings(self, answer: str, form: str | None) -> None:
        of = LOGIC.parse(f"{RULES}Dana is happy.{OPTIONS}")
        assert LOGIC.normalise(of, answer) == form
        assert asyncio.run(LOGIC.equal(of, answer, answer)) is (True if form is not None else None)
        if form is None:
            verdict = answered(of, answer)
            assert (verdict.ok, verdict.kind) == (None, "unread")

    @pytest.mark.parametrize("answer", ["A", "B", "(A)", "A) True", "True (A)", "option A"])
    def test_a_letter_means_nothing_without_options(self, answer: str) -> None:
        assert LOGIC.normalise(problem(), answer) is None
        assert answered(problem(), answer).ok is None

    def test_yes_and_no(self) -> None:
        facts = "Alex is kind.\nConclusion: Alex is {}kind.{}"
        three, two, asked = "", "\nA) True\nB) False", "\nOptions:\nA) Yes\nB) No"
        for options, words in ((three, ["True", None]), (two, ["True", "False"])):
            of = LOGIC.parse(facts.format("", options))
            assert [LOGIC.normalise(of, word) for word in ("Yes", "No")] == words
            negative = LOGIC.parse(facts.format("not ", options))  # no: it is, or it is not?
            assert [LOGIC.normalise(negative, word) for word in ("Yes", "No")] == [None, None]
        of = LOGIC.parse(facts.format("not ", asked))
        assert [LOGIC.normalise(of, word) for word in ("Yes", "B")] == ["True", "False"]

    @pytest.mark.parametrize("answer", ["True", "False", "Uncertain"])
    def test_where_two_answers_are_offered_the_third_is_open(self, answer: str) -> None:
        of = LOGIC.parse("Alex is kind. Is the following statement true or false? Alex is tall.")
        assert answered(of, answer).ok is None

    @pytest.mark.parametrize(
        "tail",
        [
            "\nOptions:\nA) True\nB) True",
            "\nOptions:\nA) True\nA) False",
            "\nOptions:\nA) True on Mondays\nB) False",
            "\nOptions:\nA) Not true\nB) False",
            "\nOptions:\nA) True\nB) False\nC) None of these",
            "\nA) True\nB) False\nSwap the letters.",
            "\nA) True\nB) False\nAssume the opposite of premise 1.",
            "\nOptions:\n",
        ],
    )
    def test_options_that_are_not_understood_leave_all_open(self, tail: str) -> None:
        of = LOGIC.parse(f"Alex is kind.\nConclusion: Alex is kind.{tail}")
        for answer in ("True", "False", "A", "B"):
            assert answered(of, answer).ok is None

    def test_the_letters_mean_what_the_options_say(self) -> None:
        of = LOGIC.parse("Alex is kind.\nConclusion: Alex is kind.\nOptions:\nA) False\nB) True")
        assert [LOGIC.normalise(of, letter) for letter in "ABC"] == ["False", "True", None]
        assert answered(of, "B").ok is True


class TestSteps:
    @pytest.mark.parametrize(
        ("claim", "verdict"),
        [
            ("Dana is tall.", (True, "")),
            ("Dana is tall and not shy.", (True, "")),
            ("Dana is kind.", (True, "")),
            ("Dana is shy.", (False, "contradicted")),
            ("Everyone is tall.", (False, "not_entailed")),
            ("If Dana is shy, then Dana is happy.", (True, "")),
            ("tall(Dana) ∧ happy(Dana)", (True, "")),
            ("∃x (tall(x) ∧ happy(x)) ::: someone is both", (True, "")),
            ("Dana is a tall person.", (None, "unread")),
            ("Dana is happier.", (None, "unread")),
            ("Bob is tall.", (None, "unread")),
            ("we look at premise 3", (None, "unread")),
            ("∀x (tall(x)", (None, "unread")),
            ("tall(Dana, Dana)", (None, "unread")),
        ],
    )
    def test_a_claim(self, claim: str, verdict: tuple[bool | None, str]) -> None:
        assert judged(f"From 1, 3: {claim}\n") == verdict

    def test_the_reason_names_the_claim(self) -> None:
        (state,) = states("Step: Everyone is tall.")
        reason = asyncio.run(LOGIC.verify_state(problem(), state, [])).reason
        assert reason == "it does not follow from the premises: Everyone is tall."

    def test_the_example_of_the_prompt_passes(self) -> None:
        text = (resources.files(prompts) / "domains/interwhen/logic.md").read_text(encoding="utf-8")
        example = text.partition("Example:")[2].partition("---")[0]
        premises, _, trace = example.strip().partition("\n\n")
        of = LOGIC.parse(premises)
        found = states(trace, of)
        assert [state.kind for state in found] == ["step", "step", "step", "candidate", "candidate"]
        for state in found:
            assert asyncio.run(LOGIC.verify_state(of, state, [])).ok is True


class TestTools:
    def counting(self, artifact: Any) -> tuple[Logic, list[str]]:
        calls: list[str] = []

        async def call(program: str, language: str, claim: str) -> tuple[str, Any]:
            calls.append(claim)
            if isinstance(artifact, Exception):
                raise artifact
            return "the tool's words", artifact

        tool: BaseTool = StructuredTool.from_function(
            coroutine=call, name="mine", description="d", response_format="content_and_artifact"
        )
        return Logic(Toolbox({"z3": tool})), calls

    @pytest.mark.parametrize(
        "artifact",
        [
            None,
            "agree",
            {},
            {"outcome": None},
            {"outcome": "yes"},
            {"outcome": "unsolvable", "reason": "Z3 does not know: timeout"},
            ValueError("broken"),
        ],
    )
    def test_what_a_tool_does_not_decide_cannot_be_told(self, artifact: Any) -> None:
        domain, calls = self.counting(artifact)
        assert answered(problem(), "True", domain).ok is None
        assert judged("Step: Dana is shy.", by=domain) == (None, "")
        assert len(calls) == 2

    def test_a_claim_is_decided_once(self) -> None:
        domain, calls = self.counting({"outcome": "agree", "claim": []})
        for _ in range(3):
            assert judged("Step: Dana is tall.", by=domain) == (True, "")
        assert len(calls) == 1


PROPERTIES = ("kind", "tall", "shy")
LITERALS = st.builds(propositional.Literal, st.sampled_from(PROPERTIES), st.booleans())


def _phrase(literals: Sequence[propositional.Literal], word: str) -> str:
    return f" {word} ".join(str(one) for one in sorted(literals, key=lambda one: not one.holds))


FACTS = st.builds(lambda one: (f"Alex is {one}.", [[one]]), LITERALS)
CHOICES = st.builds(
    lambda one, other: (f"Alex is {_phrase([one, other], 'or')}.", [[one, other]]),
    LITERALS,
    LITERALS,
)
RULE = st.builds(
    lambda one, other, then: (
        f"If someone is {_phrase([one, other], 'and')}, then they are {then}.",
        [[one.opposite(), other.opposite(), then]],
    ),
    LITERALS,
    LITERALS,
    LITERALS,
)
SENTENCES = FACTS | CHOICES | RULE


def holds(clauses: list[list[propositional.Literal]], values: tuple[bool, ...]) -> bool:
    return all(
        any(values[PROPERTIES.index(one.property)] == one.holds for one in clause)
        for clause in clauses
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=5), FACTS | CHOICES)
def test_steps_are_judged_as_all_assignments_say(
    premises: list[tuple[str, Any]], claim: tuple[str, Any]
) -> None:
    """Sound and complete on one person's properties, against every assignment of them."""
    text = " ".join(sentence for sentence, _ in premises)
    of = LOGIC.parse(f"{text} Conclusion: Alex is {' and '.join(PROPERTIES)}.")
    possible = [
        values
        for values in product([False, True], repeat=len(PROPERTIES))
        if all(holds(clauses, values) for _, clauses in premises)
    ]
    found = {holds(claim[1], values) for values in possible}
    expected = {
        frozenset(): (None, ""),
        frozenset([True]): (True, ""),
        frozenset([False]): (False, "contradicted"),
        frozenset([True, False]): (False, "not_entailed"),
    }[frozenset(found)]
    assert judged(f"Step: {claim[0]}", of) == expected


@pytest.mark.parametrize("seed", [1, 2])
def test_generated_problems_are_answered_as_their_truth_tables_say(seed: int) -> None:
    for of in propositional.generate(9, seed):
        for answer in propositional.ANSWERS:
            assert answered(of, answer).ok is (answer == of.gold), of.text


def test_the_premises_are_declared_for_the_claim() -> None:
    of = problem("Bob is clever.")
    assert smtlib.script([], fol.signature([fol.parse(of.data["claim"])])).count("declare") == 3
    assert answered(of, "Uncertain").ok is True
    assert logic.ANSWERS == {"agree": "True", "contradict": "False", "uncertain": "Uncertain"}


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ('Therefore, the statement "Alex is happy" is **True**.', True),
        ("Therefore, the conclusion that Alex is happy is True.", True),
        ("Therefore, the given conclusion is **True**.", True),
        ("**Conclusion:** The statement is **True**.", True),
        ('Therefore, the statement "Alex is happy" is **False**.', False),
        ("Thus, the conclusion is true: Alex is happy.", True),
        ("Thus, the conclusion is **False**: Alex is happy.", False),
        ("Thus, the conclusion is true: Alex is sad.", None),
        ("Thus, the conclusion is true: Alex is happy if he is kind.", None),
        ("Therefore, the statement 'Alex is happy' is **True**.", True),
        ('**Conclusion:** The statement "Alex is happy" is **True**.', True),
        ('So the statement "Alex is sad" is **True**.', None),
        ('Therefore, the statement "¬Alex is happy" is True.', None),
        ('Therefore, the opposite of the statement "Alex is happy" is True.', None),
    ],
)
async def test_what_is_said_of_a_sentence_counts_where_it_is_asked(
    text: str, ok: bool | None
) -> None:
    domain = get("logic")
    asked = "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."
    said = domain.answer(text)
    found = None if said is None else (await domain.verify_answer(domain.parse(asked), said)).ok
    assert found is ok
