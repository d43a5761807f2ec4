"""A reward model as a verifier: alone, and in the ladder of Solve-Detect-Verify."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reward import rejecting

import agentflow
from agentflow.models import Capabilities, ScriptedModel
from agentflow.profile import PROFILES
from agentflow.verdict import Verdict

PUZZLE = "4 7 8 8"
WRONG, RIGHT = "7 - 8 / 8 = 5", "(7 - 8 / 8) * 4"
FIRST = f"We divide.\n\n{WRONG}, so it is done.\n\nThat is all.\n</think>\n\\boxed{{5 * 4}}"
LINE = "8 / 8 = 1, which is left."
SECOND = f"7 - 8 / 8 = 6\n</think>\n\\boxed{{{RIGHT}}}"


async def judged(text: str, word: str) -> Verdict:
    roles = {"prm": rejecting(word), "solver": ScriptedModel("")}
    verdict, _ = await agentflow.ajudge(PUZZLE, text, "prm", model=roles)
    return verdict


async def test_the_first_low_step_is_named() -> None:
    text = FIRST.replace("</think>", "")
    verdict = await judged(text, WRONG)
    assert (verdict.ok, verdict.kind, verdict.score) == (False, "low_score", 0.1)
    assert verdict.evidence["end"] == text.index("That is")
    assert verdict.evidence["scores"] == [0.9, 0.1, 0.1, 0.1]
    assert WRONG in verdict.reason
    assert (await judged(text, "nowhere")).ok


async def test_a_step_is_named_as_the_solution_has_it() -> None:
    text = "7 - 8 / 8 = 6.\n\nWait, 6 * 4 = 25.\n\nThat is all."
    verdict = await judged(text, "25")
    assert verdict.first_wrong_step == 1  # of two, which are cut at the hesitation


async def run(
    word: str = WRONG, replies: Sequence[str] = (FIRST, SECOND), **settings: object
) -> tuple[agentflow.Result, ScriptedModel]:
    left = iter(replies)
    solver = ScriptedModel(lambda prompt: next(left))
    roles = {"solver": solver, "prm": rejecting(word), "verifier": ScriptedModel("")}
    given = {"ladder": ["prm"], "detect": False, "judge_answers": False, **settings}
    return await agentflow.asolve(PUZZLE, "solve_detect_verify", model=roles, **given), solver


async def test_a_rejected_solution_is_mended() -> None:
    result, solver = await run()
    assert (result.status, result.answer) == ("accepted", RIGHT)
    assert result.corrections == 1
    second = solver.text(solver.requests[1].prompt)  # type: ignore[arg-type]
    assert f"this is probably wrong: {WRONG}" in second
    assert [key.split("/")[0] for key in result.ledger].count("prm") == 2


async def test_a_note_stands_behind_the_wrong_step() -> None:
    _, solver = await run(refine_by="note")
    second = solver.text(solver.requests[1].prompt)  # type: ignore[arg-type]
    assert "so it is done." in second
    assert "That is all" not in second
    assert second.index(WRONG) < second.index("this is probably wrong")


@pytest.mark.parametrize(
    ("word", "kept"),
    [
        (WRONG, "We divide.\n\n"),
        ("We divide", ""),
        ("5 * 4", f"We divide.\n\n{WRONG}, so it is done.\n\nThat is all.\n</think>\n"),
    ],
)
async def test_a_wrong_step_is_drawn_anew_without_a_word(word: str, kept: str) -> None:
    again = f"\\boxed{{{RIGHT}}}" if "</think>" in kept else SECOND
    result, solver = await run(word, (FIRST, again), refine_by="redraw")
    assert (result.status, result.answer) == ("accepted", RIGHT)
    first, second = (solver.text(one.prompt) for one in solver.requests)  # type: ignore[arg-type]
    assert second == first + kept
    assert result.trace.body == kept + again
    assert result.corrections == 1
    assert result.cost.wasted == result.trace.wasted > 0


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({"refine_by": "redraw"}, "accepted"),
        ({"refine_by": "redraw", "iterations": 1}, "exhausted"),
        ({"refine_by": "note"}, "exhausted"),
    ],
)
async def test_a_solution_without_an_end_is_drawn_anew(
    settings: dict[str, object], status: str
) -> None:
    replies = ("7 + 8 = 15 and so on " * 9, f"</think>\n\\boxed{{{RIGHT}}}")
    result, solver = await run("nowhere", replies, solver_tokens=40, **settings)
    assert result.status == status
    again = status == "accepted"
    assert len(solver.requests) == 1 + again
    assert result.answer == (RIGHT if again else None)
    assert result.cost.wasted == (40 if again else 0)


async def test_a_wrong_line_behind_two_marks_is_cut_where_it_begins() -> None:
    kept = "We divide.\n</think>\nFirst part.\n</think>\nAll well so far.\n\n"
    result, _ = await run(WRONG, (f"{kept}{WRONG}", f"\\boxed{{{RIGHT}}}"), refine_by="redraw")
    assert result.trace.body == f"{kept}\\boxed{{{RIGHT}}}"


async def test_a_model_without_marks_draws_on_from_a_whole_line() -> None:
    left = iter((f"We divide.\n\n{WRONG}", f"\\boxed{{{RIGHT}}}"))
    solver = ScriptedModel(lambda prompt: next(left), profile=PROFILES["llama-3.1-instruct"])
    roles = {"solver": solver, "prm": rejecting(WRONG)}
    result = await agentflow.asolve(
        PUZZLE,
        "solve_detect_verify",
        model=roles,
        ladder=["prm"],
        detect=False,
        judge_answers=False,
        refine_by="redraw",
    )
    assert result.trace.body == f"We divide.\n\n\\boxed{{{RIGHT}}}"


@pytest.mark.parametrize("how", ["prompt", "redraw"])
async def test_a_spent_run_keeps_what_was_written(how: str) -> None:
    text = "We divide.\n</think>\n\\boxed{5 * 4} and so on " + "and on " * 30
    result, solver = await run("nowhere", (text,), refine_by=how, iterations=4, max_tokens=30)
    assert (result.status, result.corrections, len(solver.requests)) == ("exhausted", 0, 1)
    assert result.trace.body.startswith("We divide.")


@pytest.mark.parametrize("how", ["prompt", "note", "redraw", "rewrite"])
async def test_the_answer_from_before_is_kept_where_what_was_begun_anew_has_no_end(
    how: str,
) -> None:
    result, solver = await run(WRONG, (FIRST, "And so on. " * 60), refine_by=how, solver_tokens=99)
    assert len(solver.requests) == 2
    assert (result.status, result.answer) == ("unverified", "5 * 4")
    assert "this is probably wrong" in result.reason
    assert "begun anew: the budget" in result.reason


async def rewritten(writer: ScriptedModel) -> tuple[agentflow.Result, ScriptedModel]:
    left = iter((FIRST, SECOND))
    solver = ScriptedModel(lambda prompt: next(left))
    roles = {"solver": solver, "prm": rejecting(WRONG), "verifier": writer}
    given = {"ladder": ["prm"], "detect": False, "judge_answers": False, "refine_by": "rewrite"}
    result = await agentflow.asolve(PUZZLE, "solve_detect_verify", model=roles, **given)
    return result, solver


async def test_the_verifier_writes_the_wrong_line_itself() -> None:
    writer = ScriptedModel(f"{LINE}\nAnd more that nobody asked for.\n</think>\n\\boxed{{1}}")
    result, solver = await rewritten(writer)
    assert (result.status, result.answer, result.corrections) == ("accepted", RIGHT, 1)
    first, second = (solver.text(one.prompt) for one in solver.requests)  # type: ignore[arg-type]
    assert second == f"{first}We divide.\n\n{LINE}\n"
    assert writer.text(writer.requests[0].prompt) == f"{first}We divide.\n\n"  # type: ignore[arg-type]
    assert [one.kind for one in result.trace.segments][1:] == [
        "generated",
        "rewritten",
        "generated",
    ]
    assert result.cost.wasted == result.trace.wasted > 0
    (entry,) = [one for key, one in result.ledger.items() if key.startswith("rewriter/")]
    assert 0 < entry["generated"] < len(writer.text(writer.requests[0].prompt))  # type: ignore[arg-type]


async def test_what_is_written_behind_the_thinking_stays_there() -> None:
    writer = ScriptedModel(f"The answer is \\boxed{{{RIGHT}}}.")
    left = iter((f"{WRONG}\n</think>\nThe rest is simple.\n\n\\boxed{{5 * 4}}", ""))
    solver = ScriptedModel(lambda prompt: next(left))
    roles = {"solver": solver, "prm": rejecting("5 * 4"), "verifier": writer}
    result = await agentflow.asolve(
        PUZZLE, "solve_detect_verify", model=roles, ladder=["prm"], detect=False,
        judge_answers=False, refine_by="rewrite",
    )  # fmt: skip
    assert (
        result.trace.body
        == f"{WRONG}\n</think>\nThe rest is simple.\n\nThe answer is \\boxed{{{RIGHT}}}.\n"
    )
    assert result.answer == RIGHT


async def test_a_line_that_is_rejected_all_the_same_is_the_solvers_to_draw() -> None:
    writer = ScriptedModel(f"{WRONG}, as I said.")
    left = iter((FIRST, "</think>\n\\boxed{1}", SECOND))
    solver = ScriptedModel(lambda prompt: next(left))
    roles = {"solver": solver, "prm": rejecting(WRONG), "verifier": writer}
    result = await agentflow.asolve(
        PUZZLE, "solve_detect_verify", model=roles, ladder=["prm"], detect=False,
        judge_answers=False, refine_by="rewrite", iterations=3,
    )  # fmt: skip
    assert len(writer.requests) == 1
    assert result.trace.body == f"We divide.\n\n{SECOND}"
    assert (result.status, result.answer, result.corrections) == ("accepted", RIGHT, 2)


async def test_a_line_that_the_verifier_writes_again_stays() -> None:
    result, solver = await rewritten(ScriptedModel(f"{WRONG}, so it is done.\nMore."))
    assert len(solver.requests) == 1
    assert result.trace.body == FIRST
    assert (result.status, result.answer, result.corrections) == ("unverified", "5 * 4", 0)
    assert "this is probably wrong" in result.reason
    assert {entry["role"] for entry in result.ledger.values()} >= {"rewriter", "prm"}


@pytest.mark.parametrize("said", ["", "\n\n", "</think>\n\\boxed{1}"])
async def test_where_the_verifier_writes_no_line_the_solver_draws_on(said: str) -> None:
    result, solver = await rewritten(ScriptedModel(said))
    first, second = (solver.text(one.prompt) for one in solver.requests)  # type: ignore[arg-type]
    assert second == f"{first}We divide.\n\n"
    assert (result.status, result.answer) == ("accepted", RIGHT)


async def test_a_rewriter_reads_the_solution_in_its_own_prompt() -> None:
    writer = ScriptedModel(LINE, profile=PROFILES["llama-3.1-instruct"])
    result, _ = await rewritten(writer)
    prompt = writer.text(writer.requests[0].prompt)  # type: ignore[arg-type]
    assert "<|start_header_id|>" in prompt
    assert prompt.endswith("We divide.\n\n")
    assert LINE in result.trace.body


async def test_the_bundled_judge_writes_as_it_reads() -> None:
    writer = ScriptedModel(f"{LINE}\nMore.", name="agentflow-pocket-judge")
    result, _ = await rewritten(writer)
    prompt = writer.text(writer.requests[0].prompt)  # type: ignore[arg-type]
    assert prompt.endswith("<step_0>\nWe divide.\n\n")
    assert WRONG not in prompt
    assert f"We divide.\n\n{LINE}\n" in result.trace.body


async def test_where_the_verifier_cannot_go_on_from_a_text_the_solver_draws_on() -> None:
    writer = ScriptedModel(LINE, capabilities=Capabilities(continues=False))
    result, solver = await rewritten(writer)
    first, second = (solver.text(one.prompt) for one in solver.requests)  # type: ignore[arg-type]
    assert second == f"{first}We divide.\n\n"
    assert (result.status, writer.requests) == ("accepted", [])
    assert [e["lacking"] for e in result.events if e["type"] == "weaker"] == ["continues"]
