"""verifiagent: the rules around the model, with tools that answer at once."""

from __future__ import annotations

from dataclasses import asdict, replace
from math import exp
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from verifiagent_world import (
    RIGHT,
    STEPS,
    Script,
    evaluation,
    meta,
    program,
    proof,
    question,
    stub_tools,
)

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.graphs import verifiagent
from agentflow.models.scripted import Reply
from agentflow.nodes import MODEL_KEY, VerifiAgentSettings
from agentflow.nodes.judging import JudgingState
from agentflow.profile import PROFILES

CORRECT, INCORRECT = evaluation(True), evaluation(False)
SCORE = exp(-0.1) / (exp(-0.1) + exp(-2.5) + exp(-9.0))


async def test_an_incorrect_solution() -> None:
    script = Script(act=[program("72"), INCORRECT])
    verdict = await script.judge(tools=stub_tools())
    assert (verdict.ok, verdict.kind, verdict.first_wrong_step) == (False, "wrong_step", 1)
    assert verdict.reason == "Step 2 is wrong: 48 + 24 is 72."
    assert verdict.score == pytest.approx(SCORE)
    assert verdict.source == "verifiagent"
    assert verdict.evidence["revision"] == "add again"
    assert verdict.evidence["meta"]["steps"] == STEPS
    (call,) = verdict.evidence["calls"]
    assert (call["tool"], call["outcome"], call["agrees"]) == ("python", "value", False)
    assert script.asked == ["meta", "act", "act", "reflect"]  # form: right, tools: wrong


async def test_a_correct_solution() -> None:
    script = Script(act=[program("72"), CORRECT])
    verdict = await script.judge(RIGHT, tools=stub_tools())
    assert (verdict.ok, verdict.reason, verdict.kind) == (True, "", "")
    assert verdict.evidence["calls"][0]["agrees"] is True
    assert (script.asked, verdict.evidence["reflected"]) == (["meta", "act", "act"], False)
    roles = [entry["role"] for entry in script.ledger.values()]
    assert roles.count("tool:python") == 1
    assert {"verifier-meta", "verifier-act"} < set(roles)


async def test_the_reply_is_closed_where_its_action_ends() -> None:
    long = program("72") + " and so on" * 500
    script = Script(act=[long, CORRECT])
    await script.judge(RIGHT, tools=stub_tools())
    generated = [e["generated"] for e in script.ledger.values() if e["role"] == "verifier-act"]
    assert generated[0] < 40  # nothing behind Observation: was even generated
    assert "made up" not in script.prompts[2]


async def test_tools_cannot_be_skipped() -> None:
    script = Script(act=[CORRECT])
    verdict = await script.judge(RIGHT, tools=stub_tools(), rounds=4)
    assert (verdict.ok, verdict.kind, verdict.reason) == (None, "no_evidence", "no tool was used")
    assert script.asked == ["meta"] + ["act"] * 4
    assert "Tools cannot be skipped" in script.prompts[-1]
    script = Script(act=[CORRECT, program("72"), CORRECT])
    assert (await script.judge(RIGHT, tools=stub_tools())).ok is True


@pytest.mark.parametrize(
    ("action", "outcome"),
    [
        (program("raise"), "error"),
        (program(""), "no_value"),
        (question("nothing"), "nothing"),
        (proof("unsolvable"), "unsolvable"),
        (proof(""), "no_outcome"),
        (
            "Action: Use Python Interpreter[\ndef solver():\n    return 72\nans = solver()]",
            "stated",
        ),
    ],
)
async def test_what_found_nothing_is_no_evidence(action: str, outcome: str) -> None:
    script = Script(act=[action, CORRECT])
    verdict = await script.judge(RIGHT, tools=stub_tools(), rounds=3)
    assert (verdict.ok, verdict.kind) == (None, "no_evidence")
    assert [call["outcome"] for call in verdict.evidence["calls"]] == [outcome]


async def test_a_tools_error_is_told() -> None:
    script = Script(act=[program("raise"), program("72"), CORRECT])
    assert (await script.judge(RIGHT, tools=stub_tools())).ok is True
    assert "> RuntimeError: it broke" in script.prompts[2]


async def test_a_call_made_before_is_not_made_again() -> None:
    script = Script(act=[program("72")] * 4)
    verdict = await script.judge(tools=stub_tools(), rounds=4)
    assert [entry["role"] for entry in script.ledger.values()].count("tool:python") == 1
    assert (len(verdict.evidence["calls"]), verdict.evidence["repeated"]) == (1, 3)
    assert "You made this call before" in script.prompts[3]
    assert script.asked == ["meta", *["act"] * 4, "evaluate", "reflect"]


async def test_a_malformed_action_is_told_the_format() -> None:
    script = Script(act=["I think it is right.", program("72"), CORRECT])
    verdict = await script.judge(RIGHT, tools=stub_tools())
    assert verdict.ok is True
    assert "Write a line that begins with Action:" in script.prompts[2]
    assert len(verdict.evidence["malformed"]) == 1


async def test_an_evaluation_that_cannot_be_read() -> None:
    script = Script(act=[program("72")], evaluate="It is right.")
    verdict = await script.judge(RIGHT, tools=stub_tools(), rounds=1)
    assert (verdict.ok, verdict.kind) == (None, "malformed")
    assert "could not be read" in verdict.reason
    script = Script(act=[program("72"), CORRECT], reflect=program("70"))
    verdict = await script.judge(tools=stub_tools())
    assert (verdict.ok, verdict.kind) == (None, "malformed")


async def test_correct_is_not_let_through_against_a_tool() -> None:
    script = Script(act=[program("72"), CORRECT], reflect=CORRECT)
    verdict = await script.judge(tools=stub_tools())
    assert (verdict.ok, verdict.kind) == (None, "evidence_against")
    assert "value: 72" in verdict.reason
    assert verdict.evidence["reflected"] is True
    assert script.asked.count("reflect") == 1


async def test_nor_by_a_later_call_that_agrees() -> None:
    script = Script(act=[program("72"), program("70"), CORRECT], reflect=CORRECT)
    verdict = await script.judge(tools=stub_tools())
    assert [call["agrees"] for call in verdict.evidence["calls"]] == [False, True]
    assert (verdict.ok, verdict.kind) == (None, "evidence_against")


async def test_incorrect_stands_against_a_tool_that_agrees() -> None:
    script = Script(act=[program("72"), INCORRECT], reflect=evaluation(False, "No units.", -1.0))
    verdict = await script.judge(RIGHT, tools=stub_tools())
    assert (verdict.ok, verdict.reason, verdict.kind) == (False, "No units.", "incorrect")
    assert verdict.score == pytest.approx(exp(-1) / (exp(-1) + exp(-2.5) + exp(-9)))


async def test_a_form_that_is_wrong_is_reflected_on() -> None:
    script = Script(act=[program("72"), CORRECT], meta=meta(False), reflect=CORRECT)
    verdict = await script.judge(RIGHT, tools=stub_tools())
    assert (verdict.ok, script.asked[-1]) == (True, "reflect")
    assert "form: incorrect; the tools: correct; your evaluation: correct" in script.prompts[-1]
    script = Script(act=[program("72"), INCORRECT], meta=meta(complete=False))
    assert (await script.judge(RIGHT, tools=stub_tools())).kind == "incomplete"


async def test_a_form_that_could_not_be_read_passes_and_fails_nothing() -> None:
    script = Script(act=[program("72"), CORRECT], meta='{"complete": true}')
    verdict = await script.judge(RIGHT, tools=stub_tools())
    assert (verdict.ok, verdict.evidence["meta"]) == (True, None)
    assert "could not be read" in verdict.evidence["unread"]
    assert script.asked == ["meta", "meta", "act", "act"]
    script = Script(meta="?")
    verdict = await script.judge(RIGHT, use_tools=False)
    assert (verdict.ok, script.asked) == (None, ["meta", "meta"])


async def test_without_meta_verification() -> None:
    script = Script(act=[program("72"), CORRECT])
    verdict = await script.judge(RIGHT, tools=stub_tools(), meta=False)
    assert (verdict.ok, verdict.evidence["meta"]) == (True, None)
    assert script.asked == ["act", "act"]


async def test_without_tools() -> None:
    script = Script(evaluate=CORRECT)
    verdict = await script.judge(use_tools=False)
    assert (verdict.ok, verdict.score) == (True, pytest.approx(SCORE))
    assert script.asked == ["meta", "evaluate"]
    script = Script(meta=meta(False), evaluate=CORRECT, reflect=INCORRECT)
    assert (await script.judge(use_tools=False)).ok is False
    assert script.asked == ["meta", "evaluate", "reflect"]


async def test_without_both_nothing_is_verified() -> None:
    with pytest.raises(BadInput, match="nothing would be verified"):
        await Script().judge(meta=False, use_tools=False)


@pytest.mark.parametrize(
    ("solution", "ok", "kind"),
    [
        ("8 / 8 = 1 (left: 1 4 7)\nAnswer: (7 - 8 / 8) * 4 = 24", True, ""),
        ("8 / 8 = 1 (left: 1 4 7)\nAnswer: (7 + 8 / 8) * 4 = 24", False, "wrong_result"),
        ("It cannot be said.", False, "no_answer"),
    ],
)
async def test_driven_by_the_domain(solution: str, ok: bool, kind: str) -> None:
    script = Script()
    settings = {"driver": "domain", "meta": False}
    verdict = await script.judge(solution, "4 7 8 8", "game24", **settings)
    assert (verdict.ok, bool(verdict.kind)) == (ok, bool(kind))
    assert script.asked == []
    assert verdict.evidence["calls"][0]["agrees"] is ok


async def test_the_domain_and_the_form_disagree() -> None:
    script = Script(reflect=CORRECT)
    verdict = await script.judge("Answer: 4 * 7 - 8 + 8", "4 7 8 8", "game24", driver="domain")
    assert (verdict.ok, verdict.kind, script.asked) == (
        None,
        "evidence_against",
        ["meta", "reflect"],
    )


async def test_a_model_without_log_probabilities_gives_no_score() -> None:
    plain = "Action: Evaluate[Correct]"
    verdict = await Script(act=[program("72"), plain]).judge(RIGHT, tools=stub_tools())
    assert (verdict.ok, verdict.score) == (True, None)


ACTIONS: st.SearchStrategy[Reply] = st.one_of(
    st.sampled_from(
        [
            *(CORRECT, INCORRECT, program("70"), program("72"), program("raise"), program("")),
            *(proof("agree"), proof("uncertain"), proof("unsolvable"), question("found")),
            *(question("nothing"), "", "Action:", "Action: Use Search Engine[]", "Thought: hm"),
            *("Action: Evaluate[Correct", "Observation: Correct", "<think>\n", "</think>"),
        ]
    ),
    st.text(max_size=40).map(lambda text: f"Action: {text}"),
    st.text(max_size=40),
)


@settings(max_examples=40)
@given(
    st.lists(ACTIONS, min_size=1, max_size=8),
    ACTIONS,
    ACTIONS,
    st.sampled_from([meta(), meta(False), meta(complete=False), "?"]),
    st.integers(1, 5),
    st.sampled_from([RIGHT, "Answer: 70", "no"]),
)
async def test_it_ends_within_its_bound_whatever_the_model_does(
    acts: list[Reply],
    evaluates: Reply,
    reflects: Reply,
    form: str,
    rounds: int,
    solution: str,
) -> None:
    def script() -> Script:
        return Script(acts, reflects, evaluates, form)

    first, second = script(), script()
    verdict = await first.judge(solution, tools=stub_tools(), rounds=rounds)
    assert first.asked.count("act") <= rounds
    assert first.asked.count("evaluate") <= 1
    assert first.asked.count("reflect") <= 1
    agrees = [call["agrees"] for call in verdict.evidence["calls"]]
    if verdict.ok:
        assert False not in agrees
        assert verdict.evidence["calls"]
    if verdict.kind == "evidence_against":
        assert False in agrees
    again = await second.judge(solution, tools=stub_tools(), rounds=rounds)
    assert asdict(again) == asdict(verdict)
    assert [one.seed for one in first.model.requests] == [o.seed for o in second.model.requests]
    assert len({one.seed for one in first.model.requests}) == len(first.asked)


LONG = "In May she sold 24 clips, and so on and on.\n"


@pytest.mark.parametrize("profile", ["qwen3", "qwen2.5-instruct"])
async def test_a_solution_that_is_too_long_is_cut_in_the_middle(profile: str) -> None:
    solution = LONG * 5000 + RIGHT  # more than 50,000 tokens
    context = replace(PROFILES[profile], context=4096)
    script = Script(act=[program("72"), CORRECT], profile=context)
    verdict = await script.judge(solution, tools=stub_tools())
    assert verdict.ok is True
    assert verdict.evidence["cut"] > 200_000
    assert "characters of the solution are left out here" in script.prompts[1]
    assert all(prompt.count("Answer: 72") >= 1 for prompt in script.prompts)
    assert all(len(one.prompt) + one.max_tokens <= 4096 for one in script.model.requests)


async def test_a_problem_that_leaves_no_room_cannot_be_told() -> None:
    script = Script(act=[program("72"), CORRECT], profile=replace(PROFILES["qwen3"], context=256))
    verdict = await script.judge(LONG * 50 + RIGHT, tools=stub_tools())
    assert (verdict.ok, verdict.kind, script.asked) == (None, "too_long", [])


@pytest.mark.parametrize(
    "solution",
    ["五月她卖了24个。\n总共 48 + 24 = 72。\nAnswer: 72", "Всего 48 + 24 = 72.\n\\boxed{72}"],
)
async def test_another_language(solution: str) -> None:
    script = Script(act=[program("72"), CORRECT])
    assert (await script.judge(solution, tools=stub_tools())).ok is True
    assert solution.splitlines()[0] in script.prompts[1]


@pytest.mark.parametrize("solution", ["", " \n"])
async def test_an_empty_solution_is_refused(solution: str) -> None:
    with pytest.raises(BadInput, match="no solution to judge"):
        await Script().judge(solution)


async def test_a_solution_without_an_answer_does_not_pass_a_calculation() -> None:
    script = Script(act=[program("72"), CORRECT], reflect=CORRECT)
    verdict: Any = await script.judge("Together they are seventy-two.", tools=stub_tools())
    assert (verdict.ok, verdict.kind) == (None, "evidence_against")
    assert "states no answer" in script.prompts[-1]


async def test_it_is_a_node_of_another_graph() -> None:
    """As verified sampling has it: judged again and again, in branches, under wider settings."""

    class Wider(VerifiAgentSettings):
        n: int = 2

    def sample(state: JudgingState) -> dict[str, Any]:
        branch = state.get("branch", -1) + 1
        solution = ["8 / 8 = 1", f"Answer: (7 - 8 / {8 if branch else 4}) * 4"]
        return {"branch": branch, "steps": solution, "settings": {"n": 3, "driver": "domain"}}

    def again(state: JudgingState) -> str:
        return END if state["verdict"]["ok"] else "sample"

    graph = StateGraph(JudgingState, Wider)
    graph.add_node("sample", sample)
    graph.add_node("judge", verifiagent.judging().compile())
    graph.add_edge(START, "sample")
    graph.add_edge("sample", "judge")
    graph.add_conditional_edges("judge", again, ["sample", END])
    script = Script(reflect=INCORRECT)
    start: Any = {"problem": asdict(domains.get("game24").parse("4 7 8 8"))}
    context = Wider(n=3, driver="domain")
    config: Any = {"configurable": {MODEL_KEY: script.model}}
    out = await graph.compile().ainvoke(start, config, context=context)
    assert (out["branch"], out["verdict"]["ok"], out["verdict"]["verifier"]) == (
        1,
        True,
        "verifiagent",
    )
    assert script.asked == ["meta", "reflect", "meta"]
    assert list(out["ledger"]) == [
        "verifier-meta/0/0/meta0/0",
        "verifier-reflect/0/0/reflect0/0",
        "verifier-meta/1/0/meta0/0",
    ]
    assert not {"turns", "evaluation", "meta"} & set(out)
