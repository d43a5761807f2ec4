from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from agentflow.tools import z3_driver
from agentflow.tools.sandbox import Limits, Sandbox, SandboxUnavailable
from agentflow.tools.z3_tool import Check, judged, outcome_of, z3_tool

TOOL = z3_tool()

TEMPLATE = """
import z3
from z3 import *

def check_constraint(solver, c):
    pos_res = solver.check(c)
    neg_res = solver.check(Not(c))
    if (pos_res == sat) and (neg_res == unsat):
        return 'Agree'
    elif (pos_res == unsat) and (neg_res == sat):
        return 'Contradict'
    elif (pos_res == unknown) or (neg_res == unknown):
        return 'unsolvable'
    else:
        return 'Uncertain'

def main():
    s = z3.Solver()
    ignored, listened, care = Bools('ignored listened care')
    s.add(Or(ignored, listened))
    s.add(Not(ignored))
    return check_constraint(s, CLAIM)

ans = main()
"""
"""The shape of VerifiAgent's Z3 programs, with the problem of its appendix."""

HARD = """(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (and (> x 2) (> y 2) (> z 2)))
(assert (= (+ (* x x x) (* y y y)) (* z z z)))"""


def use(**arguments: Any) -> tuple[str, dict[str, Any]]:
    call = {"type": "tool_call", "id": "1", "name": "z3", "args": arguments}
    message = TOOL.invoke(call)
    json.dumps(message.artifact)  # plain JSON
    return message.content, message.artifact


def smtlib(program: str, claim: str | None = None) -> dict[str, Any]:
    return use(program=program, language="smtlib", claim=claim)[1]


class TestPython:
    @pytest.mark.parametrize(
        ("claim", "outcome"),
        [
            ("listened", "agree"),
            ("ignored", "contradict"),
            ("care", "uncertain"),
            ("Implies(listened, care)", "uncertain"),
        ],
    )
    def test_the_shape_of_paper_004(self, claim: str, outcome: str) -> None:
        said, found = use(program=TEMPLATE.replace("CLAIM", claim))
        assert (found["outcome"], found["ok"], said) == (outcome, True, outcome)

    @pytest.mark.parametrize(
        ("value", "outcome"),
        [
            ("Agree", "agree"),
            (" CONTRADICT ", "contradict"),
            ("uncertain", "uncertain"),
            ("unsolvable", "unsolvable"),
            ("unknown", "unsolvable"),
            (True, "agree"),
            ("False", "contradict"),
            ("sat", None),
            ("unsat", None),
            (1, None),
            (None, None),
            (["Agree"], None),
            ("I agree", None),
        ],
    )
    def test_values_become_outcomes(self, value: Any, outcome: str | None) -> None:
        assert outcome_of(value) == outcome

    def test_a_check_result_is_its_word(self) -> None:
        found = use(program="from z3 import *\nans = Solver().check()")[1]
        assert (found["value"], found["outcome"], found["ok"]) == ("sat", None, True)

    def test_z3_s_own_time_out_is_unsolvable(self) -> None:
        program = (
            "from z3 import *\nx, y, z = Ints('x y z')\ns = Solver()\n"
            "s.add(x > 2, y > 2, z > 2, x*x*x + y*y*y == z*z*z)\nans = s.check()"
        )
        tool = z3_tool(limits=Limits(seconds=5.0))
        call = {"type": "tool_call", "id": "1", "name": "z3", "args": {"program": program}}
        found = tool.invoke(call).artifact
        assert (found["outcome"], found["value"], found["ok"]) == ("unsolvable", "unknown", True)

    @pytest.mark.parametrize(
        ("program", "type", "line"),
        [
            ("def main(:\n    pass", "SyntaxError", 1),
            ("from z3 import *\nx = Int('x')\nans = y", "NameError", 3),
            ("from z3 import *\nans = Solver().add(1 / 0)", "ZeroDivisionError", 2),
            ("from z3 import *\n\nInt('a') + Bool('b') + [1]", None, 3),
        ],
    )
    def test_failures_say_their_line(self, program: str, type: str | None, line: int) -> None:
        said, found = use(program=program)
        failure = found["failure"]
        assert not found["ok"]
        assert found["outcome"] is None
        assert failure["line"] == line
        assert type is None or failure["type"] == type
        assert failure["type"] in said

    def test_an_endless_loop_meets_a_limit(self) -> None:
        tool = z3_tool(limits=Limits(seconds=0.5, cpu_seconds=0.5))
        call = {"type": "tool_call", "id": "1", "name": "z3", "args": {"program": "while True: 1"}}
        message = tool.invoke(call)
        assert message.artifact["limit"] in ("seconds", "cpu_seconds")
        assert not message.artifact["ok"]
        assert "limit" in message.content

    def test_the_text_for_a_model_is_short(self) -> None:
        said, found = use(program="print('a' * 9_000)\nans = 'Agree'")
        assert len(said) < 2_100
        assert said.endswith("... (cut)\nagree")
        assert (found["outcome"], len(found["output"])) == ("agree", 9_001)

    @pytest.mark.parametrize("program", ["", "x = 1", "\0", "\ud800", "print('hi')"])
    def test_what_has_no_answer_is_no_exception(self, program: str) -> None:
        assert use(program=program)[1]["outcome"] is None


class TestSmtLib:
    def test_models_cores_and_what_is_printed(self) -> None:
        found = smtlib(
            '(declare-const x Int) ; a comment with "( | quotes\n'
            "(declare-fun f (Int) Int)\n(declare-fun |a b| () Bool)\n"
            "(assert (! (= x 4) :named four))\n(assert (= (f x) 7))\n(assert |a b|)\n(check-sat)\n"
            "(push)(assert (! (< x 2) :named |less than|))(check-sat)(pop)\n"
            '(echo "a ""quoted"" ;word")'
        )
        satisfiable, contradicted = found["checks"]
        assert found["ok"]
        assert satisfiable["status"] == "sat"
        assert satisfiable["model"]["x"] == "4"
        assert satisfiable["model"]["|a b|"] == "true"
        assert satisfiable["model"]["f"].startswith("(lambda ")
        assert "four" not in satisfiable["model"]
        assert contradicted["status"] == "unsat"
        assert contradicted["model"] is None
        assert set(contradicted["core"]) == {"four", "|less than|"}
        assert ";word" in found["output"]
        assert found["outcome"] is None

    @pytest.mark.parametrize(
        ("claim", "outcome"),
        [("(> x 2)", "agree"), ("(< x 0)", "contradict"), ("(> x 9)", "uncertain")],
    )
    def test_a_claim_is_judged(self, claim: str, outcome: str) -> None:
        found = smtlib("(declare-const x Int)(assert (> x 3))", claim)
        assert found["outcome"] == outcome
        assert len(found["claim"]) == 2
        assert found["checks"] == []

    def test_premises_that_contradict_each_other_are_unsolvable(self) -> None:
        found = smtlib("(declare-const x Int)(assert (> x 3))(assert (< x 3))", "(= x 1)")
        assert found["outcome"] == "unsolvable"
        assert "contradict each other" in found["reason"]

    def test_a_time_out_is_unsolvable_and_says_so(self) -> None:
        tool = z3_tool(limits=Limits(seconds=5.0))
        arguments = {"program": HARD, "language": "smtlib", "claim": "(= x y)"}
        call = {"type": "tool_call", "id": "1", "name": "z3", "args": arguments}
        found = tool.invoke(call).artifact
        assert found["outcome"] == "unsolvable"
        assert "does not know" in found["reason"]

    @pytest.mark.parametrize(
        ("program", "claim", "says", "line"),
        [
            ("(declare-const x Int)\n\n(assert (> y 3))", None, "unknown constant y", 3),
            ("(declare-const x Int", None, "bracket is not closed", 1),
            ("\n)", None, "closing bracket too many", 2),
            ('(echo "a)', None, "is not closed", 1),
            ("(frob)", None, "no command 'frob'", 1),
            ("(declare-const x Int)", "(> x 1)) (exit", "closing bracket too many", 1),
            ("(declare-const x Int)", "(> x 1) (< x 2)", "not one term", 1),
            ("(declare-const x Int)", "", "not one term", 1),
            ("(declare-const x Int)", "x", "", 1),
        ],
    )
    def test_failures(self, program: str, claim: str | None, says: str, line: int) -> None:
        found = smtlib(program, claim)
        assert not found["ok"]
        assert found["outcome"] is None
        assert found["failure"]["type"] == "SmtLibError"
        assert says in found["failure"]["message"]
        assert (found["failure"]["line"] == line) or claim is not None

    def test_what_was_found_before_a_failure_is_kept(self) -> None:
        found = smtlib("(declare-const x Int)(assert (> x 3))(check-sat)(nonsense)")
        assert [check["status"] for check in found["checks"]] == ["sat"]
        assert not found["ok"]

    def test_nothing_behind_an_exit_is_run(self) -> None:
        assert smtlib("(check-sat)(exit)(check-sat)(nonsense)")["checks"][0]["status"] == "sat"

    @settings(max_examples=20, deadline=None)
    @given(st.text(alphabet='()|"; \nabcheck-sat', max_size=40))
    def test_any_text_is_answered(self, program: str) -> None:
        found = smtlib(program)
        assert found["ok"] or found["failure"]["message"]


class TestItems:
    @given(st.text(alphabet='()|"; \nab', max_size=60))
    def test_it_splits_or_says_why_not(self, text: str) -> None:
        try:
            found = list(z3_driver.items(text))
        except z3_driver.NotSmtLib:
            return
        for item, offset in found:
            assert text[offset : offset + len(item)] == item

    def test_it_is_linear(self) -> None:
        for text in ("(" * 50_000, "a " * 50_000, "|" + "a" * 90_000, "|" * 50_001, "(a)" * 30_000):
            try:
                list(z3_driver.items(text))
            except z3_driver.NotSmtLib:
                continue


@pytest.mark.parametrize(
    ("positive", "negative", "outcome"),
    [
        ("sat", "unsat", "agree"),
        ("unsat", "sat", "contradict"),
        ("sat", "sat", "uncertain"),
        ("unsat", "unsat", "unsolvable"),
        ("unknown", "unsat", "unsolvable"),
        ("unsat", "unknown", "unsolvable"),
        ("unknown", "sat", "unsolvable"),
    ],
)
def test_the_outcome_of_two_checks(positive: Any, negative: Any, outcome: str) -> None:
    found, reason = judged(Check(positive), Check(negative))
    assert found == outcome
    assert (reason is not None) == (outcome == "unsolvable")


def test_it_works_in_a_tool_node() -> None:
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([TOOL]))
    graph.add_edge(START, "tools")
    calls = [
        {"id": "1", "name": "z3", "args": {"program": "ans = 'Agree'"}},
        {"id": "2", "name": "z3", "args": {"program": "1/0"}},
    ]
    state = asyncio.run(graph.compile().ainvoke({"messages": [AIMessage("", tool_calls=calls)]}))
    agreed, failed = state["messages"][-2:]
    assert (agreed.content, agreed.artifact["outcome"]) == ("agree", "agree")
    assert "ZeroDivisionError" in failed.content
    assert failed.status == "success"


def test_it_serves_threads_and_loops_at_once() -> None:
    def one(number: int) -> str:
        arguments = {"program": f"ans = 'Agree' if {number} % 2 else 'Contradict'"}
        call = {"type": "tool_call", "id": "1", "name": "z3", "args": arguments}
        if number % 3:
            return str(TOOL.invoke(call).content)
        return str(asyncio.run(TOOL.ainvoke(call)).content)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(8))) == ["contradict", "agree"] * 4


def test_a_kernel_that_offers_too_little_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **arguments: Any) -> Any:
        raise SandboxUnavailable("no user namespaces")

    monkeypatch.setattr(Sandbox, "run", refuse)
    said, found = use(program="ans = 1")
    assert found["failure"]["type"] == "SandboxUnavailable"
    assert "no user namespaces" in said
