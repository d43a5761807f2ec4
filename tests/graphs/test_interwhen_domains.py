"""interwhen on spatial maps, mazes, logic grids and Lean tasks, with a scripted model.

A right path is verified, a wrong step and a wrong answer are corrected, what is open is not passed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from blockbuster import blockbuster_ctx

import agentflow
from agentflow import Result, prompts
from agentflow.domains import DOMAINS
from agentflow.graphs import get
from agentflow.models import ScriptedModel

BEGIN, NOTED, IN_ANSWER = r"<think>\n", r"Wait, .*\n", r"\[verifier: .*\]\n"


@dataclass(frozen=True, slots=True)
class Case:
    """A problem of a domain, and what a model may write on it.

    Attributes:
        steps: Right lines.
        wrong: A wrong line that may stand before them.
        kind: Its error kind.
        note: What the feedback on it says.
        answer: The text of a right answer.
        said: That answer as the result gives it.
        wrong_answer: The text of a wrong one.
        prompted: What of the problem stands in the prompt, with a space for a line break.
    """

    domain: str
    problem: str
    steps: str
    wrong: str
    kind: str
    note: str
    answer: str
    said: str
    wrong_answer: str
    prompted: str


SPATIALMAP = Case(
    "spatialmap",
    "Consider a map with multiple objects:\nOld Mill is in the map. Pier is to the Southeast of "
    "Old Mill. Book Shop is to the Northeast of Pier. Book Shop is to the Southeast of Old Mill."
    "\n\nWhich object is in the Southwest of Book Shop? Available options:\nA. Old Mill\nB. Pier.",
    ">>> STEP 2: FIND THE RELATIONSHIPS ASKED FOR\n- Pier is to the Southwest of Book Shop\n",
    "- Old Mill is to the Southwest of Book Shop\n",
    "contradicted",
    "it is wrong that Old Mill is to the Southwest of Book Shop. The map: Book Shop is to the "
    "Southeast of Old Mill",
    ">>> FINAL ANSWER: Pier\n\\boxed{B}",
    "B",
    "\\boxed{A}\n",
    "Which object is in the Southwest of Book Shop? Consider a map with",
)
MAZE = Case(
    "maze",
    "#####\n#SX #\n##X##\n#EX #\n#####\nHow many right turns are there in the provided path from S "
    "to E?\nA. 0\nB. 1\nC. 2",
    ">>> STEP 1: Move RIGHT from (1,1) to (1,2)\nTurn type: STRAIGHT\n"
    ">>> STEP 2: Move DOWN from (1,2) to (2,2)\nTurn type: RIGHT_TURN\n"
    ">>> STEP 3: Move DOWN from (2,2) to (3,2)\nTurn type: STRAIGHT\n"
    ">>> STEP 4: Move LEFT from (3,2) to (3,1)\nTurn type: RIGHT_TURN\n",
    ">>> STEP 1: Move DOWN from (1,1) to (2,1)\n",
    "wall",
    "wall",
    ">>> FINAL ANSWER: Right turns = 2\n\\boxed{C}",
    "C",
    "\\boxed{B}\n",
    "#SX #",
)
ZEBRA = Case(
    "zebra",
    "There are 2 houses, numbered 1 to 2 from left to right.\n - Each person has a unique name: "
    "`Mina`, `Otto`\n - Each person has a unique favorite fruit: `plum`, `fig`\n\n## Clues:\n"
    "1. Otto is not in the second house.\n2. Mina is the person who likes plums.\n",
    "From 1: House 1: Name = Otto\nFrom 1, 2: House 2: Fruit = plum\n",
    "From 1: House 2: Name = Otto\n",
    "contradicted",
    "House 2",
    "Answer:\nHouse 1: Name = Otto, Fruit = fig\nHouse 2: Name = Mina, Fruit = plum\n",
    "House 1: Name = Otto, Fruit = fig",
    "Answer:\nHouse 1: Name = Otto, Fruit = plum\nHouse 2: Name = Mina, Fruit = fig\n",
    "2. Mina is the person who likes plums.",
)
CASES = [pytest.param(case, id=case.domain) for case in (SPATIALMAP, MAZE, ZEBRA)]

LEAN = "Return the larger of two integers.\ndef larger (a b : Int) : Int"
CODE = "[CODE]\nif a < b then b else a\n[/CODE]\n"


async def solve(model: ScriptedModel, case: Case, **settings: Any) -> Result:
    """A run of which no node may block the event loop."""
    get("interwhen")
    with blockbuster_ctx(scanned_modules=["agentflow"]):
        return await agentflow.asolve(
            case.problem, "interwhen", model=model, domain=case.domain, **settings
        )


@pytest.mark.parametrize("case", CASES)
async def test_a_right_path_is_verified(case: Case) -> None:
    result = await solve(ScriptedModel(f"{case.steps}</think>\n{case.answer}"), case)
    assert (result.status, result.reason) == ("verified", f"by {case.domain}")
    assert result.answer is not None
    assert result.answer.startswith(case.said)
    judged = [one["verdict"]["ok"] for one in result.judged]
    assert judged == [True] * len(judged)
    assert len([one for one in result.judged if one["state"]["kind"] == "step"]) >= 1
    assert case.prompted in " ".join(result.trace.text.split())


@pytest.mark.parametrize("case", CASES)
async def test_a_wrong_step_is_corrected(case: Case) -> None:
    script = {
        BEGIN: f"{case.wrong}So on.\nAnd on.\n",
        NOTED: f"{case.steps}</think>\n{case.answer}",
    }
    result = await solve(ScriptedModel(script), case)
    assert (result.status, result.corrections) == ("verified", 1)
    assert result.trace.body.startswith(f"{case.wrong}Wait, ")
    assert "So on." not in result.trace.body
    first = result.judged[0]
    assert (first["verdict"]["kind"], first["corrected"]) == (case.kind, True)
    assert case.note in first["verdict"]["reason"]


@pytest.mark.parametrize("case", CASES)
async def test_a_wrong_answer_is_corrected(case: Case) -> None:
    script = {BEGIN: f"{case.steps}</think>\n{case.wrong_answer}", IN_ANSWER: case.answer}
    result = await solve(ScriptedModel(script), case)
    assert (result.status, result.corrections) == ("verified", 1), result.reason
    assert result.answer is not None
    assert result.answer.startswith(case.said)


@pytest.mark.parametrize("case", CASES)
async def test_a_model_that_insists_is_given_up(case: Case) -> None:
    result = await solve(ScriptedModel(case.wrong * 40), case, max_corrections=2)
    assert (result.status, result.answer) == ("abstained", None)
    assert result.reason.startswith("too many corrections")


@pytest.mark.parametrize("case", CASES)
async def test_a_wrong_answer_in_the_end_is_not_emitted(case: Case) -> None:
    result = await solve(
        ScriptedModel(f"{case.steps}</think>\n{case.wrong_answer.rstrip()}"),
        case,
        max_corrections=0,
    )
    assert (result.status, result.answer) == ("abstained", None)


async def test_what_the_map_leaves_open_is_never_verified() -> None:
    """A claim that does not follow is no pass, and no objection to an answer that does follow."""
    open_ = "- Old Mill is to the Northwest of Bank\n"
    case = replace(
        SPATIALMAP,
        problem=re.sub("Consider.*:\n", "Bank is in the map. ", SPATIALMAP.problem),
    )
    result = await solve(ScriptedModel(f"{case.steps}{open_}</think>\n{case.answer}"), case)
    assert (result.status, result.answer) == ("verified", "B"), "it was proved"
    assert result.judged[1]["verdict"]["kind"] == "undetermined"
    assert result.corrections == 0


@pytest.mark.parametrize("method", ["interwhen", "solve_detect_verify", "unified"])
async def test_a_path_left_half_way_is_incomplete(method: str) -> None:
    """The answer is right all the same, by luck."""
    half = MAZE.steps.partition(">>> STEP 3")[0]
    given: dict[str, Any] = {"domain": "maze"}
    if method == "solve_detect_verify":
        given |= {"ladder": ["domain"], "detect": False}
    model = ScriptedModel(f"{half}</think>\n{MAZE.answer}")
    result = await agentflow.asolve(MAZE.problem, method, model=model, **given)
    assert (result.status, result.answer) == ("incomplete", MAZE.said)
    assert "the path was followed only to (2,2)" in result.reason


async def test_a_problem_that_makes_no_sense_is_bad_input() -> None:
    contradictory = "A is to the North of B. B is to the North of A. "
    case = replace(SPATIALMAP, problem=f"{contradictory}Which object is in the North of A?")
    with pytest.raises(agentflow.BadInput, match="the map contradicts itself"):
        await solve(ScriptedModel("x"), case)


async def test_code_is_never_passed_unless_lean_can_tell() -> None:
    model = ScriptedModel(f"Compare them.\n</think>\n{CODE}")
    result = await agentflow.asolve(LEAN, "interwhen", model=model, domain="verina")
    assert result.status == "unverified"
    assert result.answer is not None
    assert "if a < b then b else a" in result.answer
    proof = {"domain": "verina", "require": "proof"}
    result = await agentflow.asolve(LEAN, "interwhen", model=model, **proof)
    assert (result.status, result.answer) == ("abstained", None)


async def test_unfinished_code_is_corrected() -> None:
    script = {BEGIN: "</think>\n[CODE]\nsorry\n[/CODE]\n", IN_ANSWER: CODE}
    model = ScriptedModel(script)
    result = await agentflow.asolve(LEAN, "interwhen", model=model, domain="verina")
    assert (result.status, result.corrections) == ("unverified", 1)
    assert result.judged[0]["verdict"]["kind"] == "unfinished"


def test_every_domain_has_a_prompt() -> None:
    for domain in DOMAINS:
        assert prompts._template("domains/interwhen", domain, "chatml")[1]
