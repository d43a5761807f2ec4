"""The spatial map domain: wordings, what is read and what not, bad input, fuzzing."""

from __future__ import annotations

import json
import random
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from injection import domain_called, garbage, survives
from spatial_worlds import SIGNS, worlds

from agentflow.domains.spatialmap import claims
from agentflow.domains.spatialmap import problem as spatialmap
from agentflow.errors import BadInput
from agentflow.judge import judge, states
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

MAP = (
    "Old Mill is in the map. Pier is to the Southeast of Old Mill. Wren's Books is to the "
    "Northeast of Pier. Wren's Books is to the Southeast of Old Mill. K Hall is to the "
    "Northeast of Wren's Books."
)
WHICH = "Which object is in the Southwest of K Hall?"
HOW_MANY = "How many objects are in the North of Old Mill?"
DIRECTION = "In which direction is Pier relative to Old Mill?"
MANY = "How many objects are in the Northeast of Pier?"
OPTIONS = "A. Old Mill\nB. Pier\nC. K Hall\nD. Wren's Books"
OPEN = f"{MAP}\nIn which direction is Old Mill relative to K Hall?"
"""Old Mill is further west; nothing is said of north and south."""

DOMAIN = domain_called("spatialmap")


def parsed(question: str = WHICH, options: str = "") -> Problem:
    return spatialmap.parse(
        f"{MAP}\n\n{question}" + (f" Available options:\n{options}" * bool(options))
    )


def states_in(text: str, problem: Problem | None = None) -> list[State]:
    return list(states(DOMAIN, problem or parsed(), text))


def said(line: str) -> list[str] | None:
    """What a line claims, in words; None if it cannot be read."""
    objects = parsed().data["objects"]
    found = claims.claims_in(line, tuple(objects))
    return None if found is None else [spatialmap.shown(objects, claim) for claim in found]


async def verdict(text: str) -> Verdict:
    (state,) = states_in(text)
    return await DOMAIN.verify_state(parsed(), state, [])


# Problems


def test_the_problem_of_spatialeval() -> None:
    text = (
        f"Consider a map with multiple objects: \n{MAP}\n\n Please answer the following "
        f"multiple-choice question based on the provided information. {WHICH} Available options:\n"
        f"{OPTIONS}."
    )
    data = spatialmap.parse(text).data
    assert data["objects"] == ["Old Mill", "Pier", "Wren's Books", "K Hall"]
    assert data["relations"][0] == [1, "Southeast", 0]
    assert data["asked"] == {"kind": "object", "of": 3, "direction": "Southwest"}
    assert list(data["letters"].values()) == [
        "Old Mill",
        "Pier",
        "K Hall",
        "Wren's Books",
    ]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "In which direction is Old Mill relative to Pier?",
            {"kind": "direction", "object": 0, "of": 1},
        ),
        (
            "which object is in the North of old mill?",
            {"kind": "object", "of": 0, "direction": "North"},
        ),
        (
            "Question: How many objects are in the South-West of Wren’s **Books** ?",
            {"kind": "count", "of": 2, "direction": "Southwest"},
        ),
    ],
)
def test_the_three_kinds_of_question(question: str, asked: dict[str, Any]) -> None:
    assert parsed(question).data["asked"] == asked


def test_names_that_sound_like_several() -> None:
    data = spatialmap.parse(
        "Bed and Board is in the map. Sink or Swim is to the North of Bed and Board. "
        "How many objects are in the North of Bed and Board?"
    ).data
    assert data["objects"] == ["Bed and Board", "Sink or Swim"]
    line = "Sink or Swim is to the North of Bed and Board"
    assert len(claims.claims_in(line, tuple(data["objects"])) or []) == 1


def test_a_map_as_a_list() -> None:
    listed = MAP.replace(". ", ".\n- ")
    assert (
        spatialmap.parse(f"Map:\n- {listed}\n{WHICH}").data["relations"]
        == parsed().data["relations"]
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the problem is empty"),
        (MAP, "asks nothing known"),
        (f"{MAP} Which of them is the oldest?", "asks nothing known"),
        (f"{MAP} What is Old Mill? {WHICH}", "'What is Old Mill\\?"),
        (f"{MAP} {WHICH} {WHICH}", "has 2 questions"),
        (f"{MAP} {WHICH} Why?", "goes on behind its question"),
        (f"{MAP} Which objects border on Old Mill?", "of no known kind"),
        (f"{MAP} Which object is in the Southwest of Town Hall?", "'Town Hall' is not in the map"),
        (f"{MAP} The weather is nice. {WHICH}", "read 'The weather is nice', this is no sen"),
        (f"{MAP} A is to the North of Old Mill and Pier. {WHICH}", "'Old Mill and Pier' is no"),
        (f"{MAP} A is to the North of B, C is to the North of B. {WHICH}", "is no name"),
        (f"{MAP} Old Mill is to the Southwest of Pier. {WHICH}",
         "contradicts itself: Pier is to the Southeast of Old Mill; Old Mill is to the Southwest"),
        (f"{MAP} Old Mill is to the North of Old Mill. {WHICH}", "contradicts itself"),
        (f"{MAP} {WHICH}\nOptions: A. Old Mill B. Town Hall", "'Town Hall', is not an object"),
        (f"{MAP} {WHICH}\nOptions: A. Old Mill B. old mill", "'old mill', is there twice"),
        (f"{MAP} {HOW_MANY}\nOptions: A. 1 B. many", "option B, 'many', is not a number"),
        (f"{MAP} {HOW_MANY}\nOptions: A. 1 B. 2", "none of the options can be the answer"),
        (f"{MAP} {WHICH}\nOptions: A. K Hall", "none of the options can be the answer"),
        (" ".join(f"A{n} is in the map." for n in range(33)) + WHICH, "33 objects; 1 to 32"),
        (MAP * 200 + WHICH, "more than 20,000 characters"),
    ],
)  # fmt: skip
def test_bad_input(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=f"^spatialmap: .*{why}") as error:
        DOMAIN.parse(text)
    assert "\n" not in str(error.value)


@given(
    st.one_of(
        st.text(max_size=200),
        garbage([*MAP.replace(". ", ".\n").split("\n"), WHICH, *OPTIONS.split("\n")]),
    )
)
def test_any_text_is_a_problem_or_bad_input(text: str) -> None:
    try:
        problem = DOMAIN.parse(text)
    except BadInput:
        return
    assert json.loads(json.dumps(problem.data)) == problem.data


# Reading


@pytest.mark.parametrize(
    "line",
    [
        "- Wren's Books is to the Northwest of Old Mill",
        "Wren's Books is northwest of Old Mill.",
        "WREN'S BOOKS IS NORTH-WEST OF OLD MILL",
        "  3)  **Wren’s Books** is\tto the `Northwest` of **Old  Mill** ✓",
        "> So, “Wren's Books” is in the north west of “Old Mill”, as the map says.",
        "Step 4: Wren's Books is located to the NW of Old Mill -> NOT Southwest",
        "From clue 2 we know that Wren's Books is NW of Old Mill (not Southeast!)",
    ],
)
def test_a_relation_in_many_wordings(line: str) -> None:
    assert said(line) == ["Wren's Books is to the Northwest of Old Mill"]


@pytest.mark.parametrize(
    ("line", "claims"),
    [
        ('- "K Hall is to the Northeast of Wren\'s Books" → Wren\'s Books is SOUTHWEST of K Hall',
         ["K Hall is to the Northeast of Wren's Books",
          "Wren's Books is to the Southwest of K Hall"]),
        ("Old Mill is not to the East of Pier.", ["Old Mill is not to the East of Pier"]),
        ("Old Mill is directly north of Pier", ["Old Mill is to the North of Pier"]),
        ("There are no objects in the Southwest of Pier.",
         ["the number of objects in the Southwest of Pier is 0"]),
        ("- There is 1 object to the NE of Pier",
         ["the number of objects in the Northeast of Pier is 1"]),
        ("Count of objects in the Northeast of Pier = two",
         ["the number of objects in the Northeast of Pier is 2"]),
        ("Objects in SOUTHWEST of K Hall: Pier, and Wren's Books.",
         ["the objects in the Southwest of K Hall are: Pier, Wren's Books"]),
        ("Count of objects confirmed to be in the Southwest of K Hall: 0",
         ["the number of objects in the Southwest of K Hall is 0"]),
        ("Old Mill: Northeast of Pier (not Southeast)", ["Old Mill is to the Northeast of Pier"]),
        ("Old Mill isn't to the Northeast of Pier", ["Old Mill is not to the Northeast of Pier"]),
        ("Looking at the map, Old Mill is to the Northeast of Pier.",
         ["Old Mill is to the Northeast of Pier"]),
        ("We can confirm that Old Mill must be to the Northeast of Pier.",
         ["Old Mill is to the Northeast of Pier"]),
        ("Objects in the Southwest of Pier: None",
         ["the objects in the Southwest of Pier are: none"]),
    ],
)  # fmt: skip
def test_other_claims(line: str, claims: list[str]) -> None:
    assert said(line) == claims


@pytest.mark.parametrize(
    "line",
    [
        "If Old Mill is to the Northwest of Pier, then Pier is to the Southeast of Old Mill.",
        "Is Old Mill to the Northwest of Pier?",
        "- Old Mill is to the Southwest of Pier?",
        "Old Mill is to the Southwest of Pier ✗",
        "Old Mill could be southwest, or Old Mill is southeast of K Hall.",
        "\ue000 is to the Northeast",
        ">>> STEP 2: FIND OBJECTS IN SOUTHWEST OF K Hall",
        "- Looking for: Old Mill relative to Pier",
    ],
)
def test_what_is_no_claim(line: str) -> None:
    assert said(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "Old Mill is to the Southwest of Pier: no, it is not.",
        "- Old Mill is Southwest of Pier → NOT Southwest",
        "Big Old Mill is to the Southwest of Pier",
        "Old Mill is to the Southwest of Pier Street",
        "Old Mill is to the Southwest of Pier's corner",
        "The owner of Old Mill is to the Southwest of Pier",
        "Everything but Old Mill is to the Southwest of Pier",
        "Old Mill is to the Southwest of Town Hall",
        "Town Hall is to the Southwest of Town Hall",
        "Old Mill is far north of Pier",
        "Old Mill is south of Pier",
        "Old Mill is roughly to the Southwest of Pier",
        "Old Mill is to the Southwest of Pier, roughly",
        "Old Mill is to the Southwest of Pier today",
        "Old Mill is to the Southwest of Pier*",
        "Old*Mill is to the Southwest of Pier",
        "Old Mill is to the Southwest of Pier and K Hall",
        "Old Mill is never to the Southwest of Pier",
        "\ue000 is to the Northeast of \ue001",
        "It is wrong that Old Mill is to the Southwest of Pier.",
        "It is impossible that Old Mill is to the Southwest of Pier.",
        "Neither Old Mill nor K Hall is to the Southwest of Pier.",
        "To the Southwest of Pier is Old Mill.",
        "Old Mill -> Southwest of Pier",
        "Old Mill is to the Southwest relative to Pier.",
        "Objects in Southwest of K Hall: Pier, Town Hall",
        "There are at least 2 objects in the Southwest of K Hall",
        "There are 2² objects in the Southwest of K Hall",
        "Number of objects in the Southwest of K Hall: 1.5",
        "There are 2 objects in the Southwest of K Hall or 3.",
    ],
)
async def test_what_looks_like_a_claim_and_cannot_be_read_cannot_be_told(line: str) -> None:
    assert said(line) is None
    found = await verdict(line)
    assert (found.ok, found.kind) == (None, "unread")
    assert (await judge(DOMAIN, parsed(), f"{line}\nAnswer: Pier")).steps_ok is None


def test_what_follows_a_supposition_is_not_read() -> None:
    line = "Pier is to the North of Old Mill\n"
    text = f"Suppose so.\nThen {line}{line}\n{line}Assume so.\n{line}>>> STEP 3\n{line}"
    read = [text.index(f"\n\n{line}") + 2, len(text) - len(line)]
    assert [state.start for state in states_in(text)] == read


@pytest.mark.parametrize("begins", ["Suppose not.", "Let's check option B.", "Try option C:"])
def test_a_supposition_goes_on_where_the_next_paragraph_says_so(begins: str) -> None:
    line = "Pier is to the North of Old Mill\n"
    text = f"{begins}\n{line}\nThen {line}{line}\nIn that case {line}\nLook:\n{line}"
    assert [state.start for state in states_in(text)] == [text.rindex(line)]


@pytest.mark.parametrize("name", ["Nothing", "Nobody", "No Shop", "Everything"])
def test_what_names_nothing_is_no_object(name: str) -> None:
    text = f"{name} is to the Northeast of Bank. {name} is to the Northeast of Cafe. "
    with pytest.raises(BadInput, match="no name of one object"):
        spatialmap.parse(f"{text}How many objects are in the Northeast of Bank?")


def test_a_name_supposes_and_doubts_nothing() -> None:
    text = (
        "Imagine No More is in the map. Maybe Or Never is in the map. "
        "Maybe Or Never is to the North of Imagine No More."
    )
    problem = spatialmap.parse(f"{text} How many objects are in the North of Imagine No More?")
    assert len(states_in("Maybe Or Never is to the North of Imagine No More\n" * 2, problem)) == 2


def test_a_long_line_is_not_read() -> None:
    (state,) = states_in("Old Mill is to the Northwest of Pier. " + "So it is. " * 80)
    assert state.data["claim"] == "unread"
    assert states_in("So it is. " * 80) == []


# Judging


@pytest.mark.parametrize(
    ("line", "ok", "kind", "reason"),
    [
        ("Old Mill is to the Northwest of Pier", True, "", ""),
        ("Old Mill is to the Northwest of K Hall", None, "undetermined", "the map leaves open"),
        ("Old Mill is not to the Southwest of K Hall", None, "undetermined", "leaves open"),
        ("Old Mill is not to the Northeast of K Hall", True, "", ""),
        ("Old Mill is to the East of K Hall", False, "contradicted",
         "no two objects of the map are in line"),
        ("Pier is to the Northwest of K Hall", False, "contradicted",
         "it is wrong that Pier is to the Northwest of K Hall. The map: Wren's Books is to "
         "the Northeast of Pier; K Hall is to the Northeast of Wren's Books"),
        ("There are 2 objects in the Southwest of K Hall", None, "undetermined", "is 2"),
        ("There are 4 objects in the Southwest of K Hall", False, "wrong_count", "is 4"),
        ("Objects in the Southwest of Wren's Books: Pier", True, "", ""),
        ("Objects in the Southwest of Wren's Books: none", False, "wrong_objects", "are: none"),
        ("Objects in the Southwest of Wren's Books: Wren's Books", False, "wrong_objects", "are"),
        ("Objects in the Southwest of K Hall: Pier, Wren's Books", None, "undetermined", ""),
    ],
)  # fmt: skip
async def test_verdicts(line: str, ok: bool | None, kind: str, reason: str) -> None:
    found = await verdict(line)
    assert (found.ok, found.kind) == (ok, kind)
    assert reason in found.reason


async def test_evidence_is_what_a_verdict_rests_on() -> None:
    found = await verdict("Old Mill is to the Northwest of Pier")
    assert found.evidence["sentences"] == ["Pier is to the Southeast of Old Mill"]
    assert json.loads(json.dumps(found.evidence)) == found.evidence


@pytest.mark.parametrize(
    ("answer", "ok", "kind"),
    [
        ("B", True, ""),
        ("(d)", True, ""),
        ("b. pier", True, ""),
        ("**Pier**.", True, ""),
        ("A", None, "undetermined"),
        ("C", False, "wrong_answer"),
        ("B. Old Mill", None, "unread"),
        ("Town Hall", None, "unread"),
        ("Pier (B)", True, ""),
        ("Pier (option A)", None, "unread"),
        ("E", None, "unread"),
        ("", None, "unread"),
        ("B or C", None, "unread"),
        ("B, not A", None, "unread"),
        ("not Pier", None, "unread"),
        ("Pier?", None, "unread"),
        ("Pier and Old Mill", None, "unread"),
        ("Pier*", None, "unread"),
        ("Pier is to the Southwest of K Hall", True, ""),
        ("B. Pier is to the Southwest of K Hall", True, ""),
        ("A. Pier is to the Southwest of K Hall", None, "unread"),
        ("Wren's Books is to the Southwest of K Hall", True, ""),
        ("Pier is to the Southeast of K Hall", None, "unread"),
        ("K Hall is to the Northeast of Pier", None, "unread"),
        ("Pier is not to the Southwest of K Hall", None, "unread"),
    ],
)
async def test_answers(answer: str, ok: bool | None, kind: str) -> None:
    found = await DOMAIN.verify_answer(parsed(WHICH, OPTIONS), answer)
    assert (found.ok, found.kind) == (ok, kind)


async def test_an_answer_may_be_a_sentence_of_what_is_asked() -> None:
    problem = parsed("In which direction is Pier relative to Old Mill?")
    for answer, form in (
        ("Southeast of Old Mill", "Southeast"),
        ("to the Southeast of Old Mill.", "Southeast"),
        ("Pier is to the Southeast of Old Mill", "Southeast"),
        ("Southeast of Pier", None),
        ("Northwest of Pier", None),
        ("Old Mill is to the Northwest of Pier", None),
        ("Southeast or Southwest of Old Mill", None),
    ):
        assert DOMAIN.normalise(problem, answer) == form
    problem = parsed("How many objects are in the Northeast of Pier?")
    assert DOMAIN.normalise(problem, "There are 2 objects in the Northeast of Pier.") == "2"
    assert DOMAIN.normalise(problem, "There are 2 objects in the Southeast of Pier.") is None


async def test_an_answer_that_is_no_option() -> None:
    options = "A. 0\nB. 2\nC. 3"
    problem = parsed("How many objects are in the Northeast of Pier?", options)
    assert (await DOMAIN.verify_answer(problem, "2")).ok
    refuted = await DOMAIN.verify_answer(problem, "7")
    assert (refuted.ok, refuted.kind) == (False, "not_an_option")
    problem = parsed("How many objects are in the Southwest of K Hall?", options)
    possible = await DOMAIN.verify_answer(problem, "1")
    assert (possible.ok, possible.kind) == (False, "not_an_option")


async def test_an_open_question_has_no_answer_that_passes() -> None:
    problem = DOMAIN.parse(OPEN)
    for direction, ok in (("Northwest", None), ("Southwest", None), ("Southeast", False)):
        assert (await DOMAIN.verify_answer(problem, direction)).ok is ok


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (">>> FINAL ANSWER: Pier\n\\boxed{B}", "B"),
        ("\\\\boxed{\\text{B}}", "B"),
        ("The answer is **B. Pier**.", "B. Pier"),
        ("**Answer: B**\n", "B"),
        (">>> STEP 3: ANSWER\n- it is there", None),
    ],
)
def test_where_the_answer_stands(text: str, answer: str | None) -> None:
    said = DOMAIN.answer(text)
    assert (None if said is None else DOMAIN.shown(said)) == answer


@pytest.mark.parametrize(
    ("asked", "text", "ok"),
    [
        (DIRECTION, "Therefore, Pier is to the Southeast of Old Mill.", True),
        (
            DIRECTION,
            "Let us look at Pier.\n\nSo the Pier is to the **Southeast** of Old Mill.",
            True,
        ),
        (DIRECTION, "- K Hall is on the map\n\nSo Pier is to the Southeast of Old Mill.", True),
        (DIRECTION, "- maybe it is so\n\nSo Pier is to the Southeast of Old Mill.", None),
        (DIRECTION, "So the direction of Pier relative to Old Mill is **Southeast**.", True),
        (DIRECTION, "So, relative to Old Mill, Pier is **Southeast**.", True),
        (DIRECTION, "So, **Southeast**.", True),
        (DIRECTION, "Let us look at Pier.\n\nPier is to the Southeast of Old Mill.", True),
        (DIRECTION, "Look.\n\nPier is to the Southeast of Old Mill.\n\nHope this helps!", True),
        (DIRECTION, "The direction of Pier relative to Old Mill is **Southeast**.", True),
        (DIRECTION, "Look.\n\nPier relative to Old Mill is **Southeast**.", True),
        (DIRECTION, "Pier is to the Southeast of Old Mill.", True),
        (DIRECTION, "Pier is to the Southwest of Old Mill.", False),
        (DIRECTION, "Wren's Books is to the Southeast of Old Mill.", None),
        (DIRECTION, "According to the map, Pier is to the Southeast of Old Mill.", True),
        (DIRECTION, "Pier lies southeast of Old Mill.", True),
        (DIRECTION, "Pier is in the Southeast direction relative to Old Mill.", True),
        (DIRECTION, "Southeast of Old Mill", True),
        (DIRECTION, "Southeast of K Hall", None),
        (DIRECTION, "Direction: Southeast", True),
        (DIRECTION, "Direction: Southeast or Southwest", None),
        (DIRECTION, "south-east", True),
        (WHICH, "Option B: Pier", True),
        (WHICH, "The object is Pier.", True),
        (WHICH, "The object that is in the Southwest of K Hall is **Pier**.", True),
        (MANY, "The number of objects is 2.", True),
        (MANY, "K Hall and Wren's Books are in the Northeast of Pier, so the answer is 2.", True),
        (MANY, "Old Mill and K Hall are in the Northeast of Pier, so the answer is 2.", None),
        (DIRECTION, "Look.\n\nPier is to the Southeast of K Hall.", None),
        (DIRECTION, "Look.\n\nPier is not to the Southeast of Old Mill.", None),
        (DIRECTION, "Suppose so.\n\nPier is to the Southeast of Old Mill.", None),
        (DIRECTION, "Is it so?\n\nPier is to the Southeast of Old Mill.", None),
        (DIRECTION, "Therefore, Pier is to the Northeast of Old Mill.", False),
        (DIRECTION, "Therefore, Pier relative to Old Mill is **Northwest**.", False),
        (DIRECTION, "Therefore, Pier is not to the Southeast of Old Mill.", None),
        (DIRECTION, "Therefore, Pier is to the Southeast of Old Mill?", None),
        (DIRECTION, "Suppose so.\nFine.\nTherefore, Pier is to the Southeast of Old Mill.", None),
        (DIRECTION, "Is it so?\nTherefore, Pier is to the Southeast of Old Mill.", None),
        (DIRECTION, "Therefore, Old Mill relative to Pier is **Southeast**.", None),
        (DIRECTION, "Therefore, Pier relative to K Hall is **Southeast**.", None),
        (DIRECTION, "Therefore, the road is **Southeast**.", None),
        (WHICH, "So the object in the Southwest of K Hall is **B. Pier**.", True),
        (WHICH, "So the object in the Southwest of K Hall is **A. Pier**.", None),
        (WHICH, "So the object in the Southeast of K Hall is **Pier**.", None),
        (MANY, "So the number of objects in the Northeast of Pier is **2**.", True),
        (MANY, "Therefore, there are **3** objects in the Northeast of Pier.", False),
        (MANY, "So the number of objects in the Southeast of Pier is **2**.", None),
        (MANY, "So the count so far is **2**.", None),
    ],
)
async def test_a_conclusion_is_of_what_is_asked(asked: str, text: str, ok: bool | None) -> None:
    problem = parsed(asked, OPTIONS if asked == WHICH else "")
    said = DOMAIN.answer(text)
    assert (None if said is None else (await DOMAIN.verify_answer(problem, said)).ok) is ok


def test_a_direction_in_bold_print_is_proposed_of_what_is_asked() -> None:
    problem = parsed(DIRECTION)
    for pair, proposed in (("Pier relative to Old Mill", 1), ("Pier relative to K Hall", 0)):
        line = f"Therefore, {pair} is **Southeast**."
        found = DOMAIN.extract(problem, line, 0, {})[1]
        assert [one.kind for one in found].count("candidate") == proposed


async def test_worked_examples_of_the_public_implementation() -> None:
    """Of the third, two steps and the answer are guesses: the map leaves them open."""
    rows = (Path(__file__).parents[1] / "data/spatialeval/spatialmap_fewshot.jsonl").read_text()
    told = []
    for row in map(json.loads, rows.splitlines()):
        problem = DOMAIN.parse(f"{row['map']}\n\nQuestion: {row['question']}")
        verdicts = [
            await DOMAIN.verify_state(problem, state, [])
            for state in states(DOMAIN, problem, row["worked_answer"])
        ]
        told.append([one.kind for one in verdicts if not one.ok])
        assert len(verdicts) >= 10
    assert told == [[], [], ["undetermined"] * 3]


async def test_maps_with_objects_in_line() -> None:
    """Every claim on random maps of four objects, against every arrangement."""
    rng, outcomes = random.Random(3), set()
    names = ("Bank", "Cafe", "Dairy", "Park")
    for _ in range(5):
        ranks = [[rng.randrange(3) for _ in names] for _ in "xy"]
        told = []
        for number in range(1, 4):
            other = rng.randrange(number)
            found = [rank[number] - rank[other] for rank in ranks]
            signs = tuple((one > 0) - (one < 0) for one in found)
            if word := next((word for word, one in SIGNS.items() if one == signs), None):
                told.append(f"{names[number]} is to the {word} of {names[other]}.")
        text = " ".join(
            ["Bank is in the map.", *(f"{name} is in the map." for name in names), *told]
        )
        possible = worlds(text)
        problem = DOMAIN.parse(f"{text}\n\nHow many objects are in the North of Bank?")
        for (a, b), word in product(permutations(names, 2), SIGNS):
            line = f"{a} is to the {word} of {b}"
            (state,) = states(DOMAIN, problem, line)
            verdict = await DOMAIN.verify_state(problem, state, [])
            assert verdict.ok is possible.inside(a, word, b), (text, line)
            assert (
                verdict.kind == {True: "", False: "contradicted", None: "undetermined"}[verdict.ok]
            )
            outcomes.add(verdict.ok)
    assert outcomes == {True, False, None}


LINES = [
    "Old Mill is to the Northwest of Pier",
    "Old Mill is to the Southwest of Pier",
    "- There are 2 objects in the Northeast of Pier",
    "Objects in the Southwest of Wren's Books: Pier",
    "Suppose so.",
    "</think>",
    ">>> FINAL ANSWER: Northwest",
    "\\boxed{A}",
]


@given(garbage(LINES))
async def test_no_text_is_accepted_by_accident(text: str) -> None:
    await survives("spatialmap", f"{OPEN} Options: A. Northwest B. Southwest", text)


@pytest.mark.parametrize(
    "sign",
    [
        "of",
        "is ",
        "Old Mill ",
        "Old Mill is to the ",
        "north",
        "\\boxed{",
        " \t",
        "Objects in the North of Old Mill: " + "Old Mill, " * 9,
    ],
)
async def test_no_text_takes_long(sign: str) -> None:
    for text in (sign * 4_000, f"{sign * 40}\n" * 100):
        await survives("spatialmap", OPEN, text)


async def test_a_worked_solution_is_accepted() -> None:
    text = (
        ">>> STEP 1: PARSE RELATIONSHIPS\n- Pier is to the Southeast of Old Mill\n\n"
        ">>> STEP 2: FIND THE RELATIONSHIPS ASKED FOR\n- Pier is to the Southwest of K Hall\n"
        ">>> STEP 3: ANSWER\n- Pier is to the Southwest of K Hall\n\n"
        ">>> FINAL ANSWER: Pier\n\\boxed{B}"
    )
    found = await judge(DOMAIN, parsed(WHICH, OPTIONS), text)
    assert (found.ok, found.steps_ok, found.answer_ok) == (True, True, True)
