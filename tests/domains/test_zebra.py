from __future__ import annotations

import asyncio
import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow import prompts
from agentflow.domains.zebra import Zebra, grid
from agentflow.domains.zebra.claims import claims, sentence
from agentflow.domains.zebra.puzzle import EXAMPLE, Puzzle, parse
from agentflow.domains.zebra.solver import left
from agentflow.judge import judge, states
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.state import State
from agentflow.verdict import Verdict

ZEBRA = Zebra()
DATA = Path(__file__).parent.parent / "data"
ANSWER = "House 1: Name = Arnold, Drink = tea\nHouse 2: Name = Peter, Drink = water\n"
ANSWER += "House 3: Name = Eric, Drink = milk"

MANY = """There are 4 houses, numbered 1 to 4 from left to right.
 - Each person has a unique name: `Alice`, `Bob`, `Carol`, `Eric`
 - Each mother is accompanied by their child: `Alice`, `Bella`, `Fred`, `Timothy`
 - The mothers' names in different houses are unique: `Holly`, `Janelle`, `Kailyn`, `Penny`
 - Each person has a favorite color: `red`, `white`, `green`, `blue`
 - Each person has a unique hair color: `red`, `white`, `black`, `brown`
 - People have unique heights: `very short`, `short`, `average`, `tall`
 - People own unique car models: `ford f150`, `tesla model 3`, `audi a4`, `honda civic`
 - Everyone has a unique favorite cigar: `prince`, `blue master`, `pall mall`, `dunhill`

## Clues:
1. Alice is in the first house.
"""
PUZZLE = parse(MANY)


def said(text: str, puzzle: Puzzle = PUZZLE) -> list[Any] | None:
    """What a sentence says: values with their attributes, and the numbers allowed."""
    relation = sentence(puzzle, text)
    if relation is None:
        return None
    cells = [relation.one] if relation.other is None else [relation.one, relation.other]
    named = [f"{cell[0]} {puzzle.written(cell)}" for cell in cells]
    return [*named, sorted(relation.allowed)]


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("Alice is in the fourth house.", ["0 Alice", [4]]),
        ("Alice is not in house 3", ["0 Alice", [1, 2, 4]]),
        ("**Alice** is in the 2nd house", ["0 Alice", [2]]),
        ("Alice lives in the leftmost house", ["0 Alice", [1]]),
        ("Alice is in the seventh house", ["0 Alice", []]),
        ("The person's child is named Alice is Bob.", ["0 Bob", "1 Alice", [0]]),
        ("The tall person is the person's child is named Alice.", ["1 Alice", "5 tall", [0]]),
        ("Alice is the person who is the mother of Timothy.", ["0 Alice", "1 Timothy", [0]]),
        ("Eric is The person whose mother's name is Holly.", ["0 Eric", "2 Holly", [0]]),
        ("Bob is not the one who is very short.",
         ["0 Bob", "5 very short", [-3, -2, -1, 1, 2, 3]]),
        ("The person who has red hair is directly left of Bob.", ["0 Bob", "4 red", [-1]]),
        ("The one whose favorite color is red is directly right of Bob.", ["0 Bob", "3 red", [1]]),
        ("Bob is somewhere to the left of Eric.", ["0 Bob", "0 Eric", [1, 2, 3]]),
        ("Bob is somewhere to the right of Eric.", ["0 Bob", "0 Eric", [-3, -2, -1]]),
        ("Bob and the person who owns a Ford F-150 are next to each other.",
         ["0 Bob", "6 ford f150", [-1, 1]]),
        ("Bob is next to Eric", ["0 Bob", "0 Eric", [-1, 1]]),
        ("Bob is not next to Eric", ["0 Bob", "0 Eric", [-3, -2, 0, 2, 3]]),
        ("There is one house between Bob and Eric.", ["0 Bob", "0 Eric", [-2, 2]]),
        ("There are two houses between the Dunhill smoker and Eric.",
         ["0 Eric", "7 dunhill", [-3, 3]]),
        ("The person who loves blue is Eric.", ["0 Eric", "3 blue", [0]]),
        ("The person who smokes Blue Master is Eric.", ["0 Eric", "7 blue master", [0]]),
    ],
)  # fmt: skip
def test_clues_are_read(text: str, means: list[Any]) -> None:
    assert said(text) == means
    assert said(text.upper()) == means
    assert said(f"  {text}  ".replace(" ", "\u00a0 ")) == means


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Alice",
        "Alice is happy.",
        "Alice is Alice.",
        "Dora is in the first house.",
        "Alice is in the first house or the second house.",
        "Alice is in the second house from the right.",
        "Alice is left of Bob.",  # directly, or somewhere?
        "Is Alice in the first house?",
        "If the person who is tall is in the first house",
        "The person who is not tall is in the first house.",
        "The person who isn't tall is in the first house.",
        "The person next to the one who is tall is in the first house.",
        "The person who has short hair is not probably Bob.",
        "It is false that the person who is tall is in the first house.",
        "The friend of the tall person is in the first house.",
        "The person who is tall is at most in the second house.",
        "Alice's cat is in the first house.",
        "The one of the two who has hair that is white or red is Bob.",
        "There are at least two houses between Alice and Bob.",
        "The tall one and Alice and Bob are next to each other.",
        "the tall person " * 30 + "is Bob",
    ],
)
def test_what_may_mean_something_else_says_nothing(text: str) -> None:
    assert said(text) is None


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("House 2: Bob", {("Bob", 2)}),
        ("house 2 - Name: Bob; Height: tall", {("Bob", 2), ("tall", 2)}),
        ("House 2: Name = Bob, CarModel = Audi A4.", {("Bob", 2), ("audi a4", 2)}),
        ("House 4: Children = alice, not tall", {("Alice", 4), ("tall", -4)}),
        ("House #1: height is not tall, car != honda civic", {("tall", -1), ("honda civic", -1)}),
        ("House 1: Name ≠ Bob", {("Bob", -1)}),
    ],
)
def test_claims_of_a_house_are_read(text: str, means: set[tuple[str, int]]) -> None:
    found = claims(PUZZLE, text)
    assert found is not None
    everywhere = {1, 2, 3, 4}
    told = set()
    for one in found:
        no = len(one.allowed) > 1
        [house] = everywhere - one.allowed if no else one.allowed
        told.add((PUZZLE.written(one.one), -house if no else house))
    assert told == means


@pytest.mark.parametrize(
    "text",
    [
        "House 1: Alice",  # the person, or the child?
        "House 1: red",
        "House 1: Name = Bob?",
        "House 1: Bob or Eric",
        "House 1: Neighbor = Bob",
        "House 1: Name = Bob = Eric",
        "House 1: Name = tall",
        "House 1: Bob, house 2: Eric",
        "House 1: Bob, perhaps",
        "House 1: Bob, Eric",  # one of them?
        "House 1: Name = Bob, Name = Eric",
        "House 1: Name is not Bob, Eric",
        "House 1: Bob, not",
        "Bob == tall",
        "Bob -= tall",
        "Bob = tall?",
        "Bob's is tall",
        "Bob = tall, mostly",
        "suppose House 1: Bob",
    ],
)
def test_claims_that_are_not_clear_are_none(text: str) -> None:
    assert claims(PUZZLE, text) is None


def problem(clues: str = "") -> Problem:
    return ZEBRA.parse(EXAMPLE + clues)


def answered(answer: str, of: Problem | None = None) -> Verdict:
    return asyncio.run(ZEBRA.verify_answer(of or problem(), answer))


def stepped(line: str, of: Problem | None = None) -> Verdict:
    of = of or problem()
    _, [state] = ZEBRA.extract(of, line, 7, {})
    assert (state.kind, state.start, state.end) == ("step", 7, 7 + len(line))
    with blockbuster_ctx():
        return asyncio.run(ZEBRA.verify_state(of, state, []))


def test_a_step_is_entailed_contradicted_or_open() -> None:
    assert stepped("From 1: House 2: Name = Peter\n").ok is True
    assert stepped("Step 2: Eric is directly right of Peter.\n").ok is True
    wrong = stepped("From 2, 3: House 1: Drink = water\n")
    assert (wrong.ok, wrong.kind) == (False, "contradicted")
    assert wrong.reason == "the clues say the opposite of: House 1: Drink = water"
    fewer = ZEBRA.parse(EXAMPLE.rpartition("\n")[0])
    open_ = stepped("Step 1: House 1: Drink = milk\n", fewer)
    assert (open_.ok, open_.kind) == (None, "undetermined")


def test_clues_that_cannot_be_read_are_listed_and_matter_only_where_they_do() -> None:
    text = EXAMPLE.replace("2. Arnold", "2. Either Eric or Arnold")
    unread = ZEBRA.parse(text + "\n4. The person who likes milk is left of Eric or is Eric.")
    assert unread.data["unread"] == [2, 4]
    assert stepped("From 1: House 2: Name = Peter\n", unread).ok is True
    assert stepped("From 1: House 3: Drink = water\n", unread).ok is False
    assert stepped("From 2: House 1: Name = Arnold\n", unread).ok is None
    assert answered(ANSWER, unread).kind == "undetermined"
    assert answered(ANSWER.replace("Peter", "Bob"), unread).kind == "unread"
    assert answered(ANSWER.replace("Peter", "Eric"), unread).kind == "duplicate"
    assert problem().data["unread"] == []


def test_claims_may_be_judged_side_by_side() -> None:
    domain, of = Zebra(), ZEBRA.parse(EXAMPLE.rpartition("\n")[0])
    lines = [
        f"Step: House {house}: {value}"
        for house in (1, 2, 3)
        for value in ("Peter", "Eric", "Arnold", "tea", "water", "milk")
    ]
    steps = [domain.extract(of, line, 0, {})[1][0] for line in lines * 20]

    async def together() -> list[bool | None]:
        judged = await asyncio.gather(*(domain.verify_state(of, step, []) for step in steps))
        return [verdict.ok for verdict in judged]

    alone = [stepped(line, of).ok for line in lines]
    assert set(alone) == {True, False, None}
    assert asyncio.run(together()) == alone * 20


def test_a_claim_that_cannot_be_read_is_never_a_pass() -> None:
    strange = State("step", {"claim": "Peter is happy"})
    assert asyncio.run(ZEBRA.verify_state(problem(), strange, [])).ok is None
    _, [state] = ZEBRA.extract(problem(), "Step 1: Peter is happy", 0, {})
    assert state.data == {"claim": "unread", "text": "Peter is happy"}
    verdict = asyncio.run(ZEBRA.verify_state(problem(), state, []))
    assert (verdict.ok, verdict.kind) == (None, "unread")
    _, [supposed] = ZEBRA.extract(problem(), "From 1, if 2 is false: House 2: Peter", 0, {})
    assert supposed.data == {"claim": "unread", "text": "House 2: Peter"}
    _, [long] = ZEBRA.extract(problem(), "From 1: " + "House 2: Name = Peter, " * 50, 0, {})
    assert long.data["claim"] == "unread"


def test_clues_that_contradict_each_other_decide_nothing() -> None:
    against = problem("\n4. Peter is in the first house.")
    assert ZEBRA.unsolvable(against) == "clues 1, 4 contradict each other"
    assert ZEBRA.unsolvable(problem()) is None
    assert stepped("From 1: House 2: Name = Peter\n", against).ok is None


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        ANSWER.replace(" = ", ": ").upper(),
        "House 1: Arnold, tea\nHouse 2: water, Peter\nHouse 3: Eric; milk",
        json.dumps({"solution": {"House 1": {"Name": "arnold", "Drink": "Tea"},
                                 "House 2": {"Name": "Peter", "Drink": "water"},
                                 "House 3": {"Name": "Eric", "Drink": "milk"}}}, indent=2),
        '[{"House": 1, "Name": "Arnold", "Drink": "tea"}, {"House": 2, "Name": "Peter", '
        '"Drink": "water"}, {"House": 3, "Name": "Eric", "Drink": "milk"}]',
        "| House | Drink | Name |\n|:-:|---|---|\n| 1 | tea | **Arnold** |\n| 2 | water | Peter |\n"
        "| House 3 | milk | Eric |",
        "|  | House 1 | House 2 | House 3 |\n|---|---|---|---|\n| Name | Arnold | Peter | Eric |\n"
        "| Beverage | tea | water | milk |",
        "| House | 1 | 2 | 3 |\n|---|---|---|---|\n| Name | Arnold | Peter | Eric |\n"
        "| Drink | tea | water | milk |",
        "**House 1**\n- Name: Arnold\n- Drink: tea\n\n**House 2:**\n- Name: Peter\n- Drink: water\n"
        "\nHouse 3\n* Name: Eric\n* Drink: milk\n\nThat is all.",
        "House 1: Arnold, tea; House 2: Peter, water; House 3: Eric, milk.",
        "House 1: Arnold, tea. **House 2**: Peter, water. House 3: Eric, milk",
        "1. House 1: Arnold (tea)\n2. House 2: Peter (water)\n3. House 3: Eric (milk)",
        json.dumps({"1": {"Name": "Arnold", "Drink": "tea"},
                    "2": {"Name": "Peter", "Drink": "water"},
                    "3": {"Name": "Eric", "Drink": "milk"}}, indent=2),
        json.dumps({"house_1": {"Name": "Arnold", "Drink": "tea"},
                    "house_2": {"Name": "Peter", "Drink": "water"},
                    "house_3": {"Name": "Eric", "Drink": "milk"}}),
        "1. **House 1**: Arnold drinks tea\n2. **House 2**: Peter drinks water\n"
        "3. **House 3**: Eric drinks the milk",
        f"**Lösung:**\n\n{ANSWER}",
        "House 1: Arnold - tea\nHouse 2: Peter - water\nHouse 3: Eric – milk",
        f"<answer>{ANSWER}</answer>\nAll clues are satisfied.",
        f"### Step 4:\n{ANSWER}\n\nIt satisfies all the clues.\nAll three conditions are met.",
    ],
)  # fmt: skip
def test_answers_are_read_in_every_format(text: str) -> None:
    told = f'House 1: maybe Eric\n{{"House 1": {{"Name": "___"}}}}\n\n{text}\n\nSo much for it.'
    answer = ZEBRA.answer(told)
    assert answer is not None
    assert answered(answer).ok is True
    assert answered(text).ok is True
    assert asyncio.run(ZEBRA.equal(problem(), answer, ANSWER))
    *steps, state = states(ZEBRA, problem(), told)
    assert state.kind == "candidate"
    assert len(steps) == ("Step" in text)
    assert ZEBRA.candidate(problem(), state) == ZEBRA.normalise(problem(), ANSWER)


def test_the_grid_behind_the_word_answer_counts() -> None:
    other = ANSWER.replace("Arnold", "Bob")
    both = ZEBRA.answer(f"Answer:\n{ANSWER}\n\nNot like this:\n{other}")
    assert both == f"{ANSWER}\n\nNot like this:\n{other}"
    assert ZEBRA.normalise(problem(), both) is None
    assert ZEBRA.answer(f"{other}\nAnswer:\n{ANSWER}") == ANSWER
    assert ZEBRA.answer(f"{ANSWER}\n\nThat is my answer.") == ANSWER
    assert ZEBRA.answer("No idea. The answer is 42.") is None
    for two in (f"{ANSWER}\n\nor\n\n{other}", f"Swap the first two of these:\n{ANSWER}"):
        told = ZEBRA.answer(f"So much is clear.\n\n{two}")
        assert told is not None
        assert ZEBRA.normalise(problem(), told) is None


@pytest.mark.parametrize(
    "text",
    [
        "House 1: Arnold, tea; House 2: Peter, water; House 3: Eric, milk? No, House 3: Eric, tea",
        "House 1: Arnold, tea; House 2: Peter, water; House 3: Eric, milk. This is no solution.",
        "House 1: Arnold (not tea)\nHouse 2: Peter (water)\nHouse 3: Eric (milk)",
        f"{ANSWER}\nAll but three clues are met.",
    ],
)
def test_a_grid_of_which_more_is_said_is_none(text: str) -> None:
    assert answered(ZEBRA.answer(text) or "").ok is None


@pytest.mark.parametrize(
    ("behind", "ok"),
    [
        ("Hope this helps!", True),
        ("Let me know if you need further explanation!", True),
        ("Feel free to ask if you have questions.", True),
        ("This arrangement satisfies all the given clues. ✅", True),
        ("✓ All clues satisfied.", True),
        ("This satisfies all three clues.", True),
        ("This solution satisfies all 3 clues.", True),
        ("The solution satisfies all clues. Hope this helps!", True),
        ("Let me know if you need anything else!", True),
        ("Hope this helps, but it is wrong.", None),
        ("All clues are satisfied except clue 3.", None),
        ("All clues are satisfied. Swap Arnold and Eric.", None),
        (
            "**Verification:**\n1. Arnold drinks tea ✓\n2. Clue 2: Peter is in house 2 - satisfied",
            True,
        ),
        ("Let's verify the clues:\n- Arnold is in the first house. ✔\n\nHope this helps!", True),
        ("**Verification:**\n1. Arnold drinks water ✓", None),
        ("**Verification:**\n1. Arnold drinks tea ❌", None),
        ("Verification:\nPeter is in house 1.", None),
        ("Arnold drinks tea?", None),
        ("Swap houses 1 and 2.\nArnold drinks tea.", None),
        ("Not all clues are satisfied.", None),
        ("This satisfies only two clues.", None),
        ("Let me know if this is wrong.", None),
        ("❌", None),
    ],
)
def test_what_may_stand_behind_a_grid(behind: str, ok: bool | None) -> None:
    assert answered(ZEBRA.answer(f"{ANSWER}\n\n{behind}") or "").ok is ok


@pytest.mark.parametrize(
    ("above", "ok"),
    [
        ("### ✅ Final Answer:", True),
        ("🎉 **Solution**", True),
        ("Sure! Here is the solution to the puzzle:", True),
        ("Not sure. The solution:", None),
        ("✅ ❌ Solution:", None),
        ("❌ Final Answer:", None),
    ],
)
def test_signs_above_a_grid(above: str, ok: bool | None) -> None:
    assert answered(ZEBRA.answer(f"{above}\n\n{ANSWER}") or "").ok is ok


def test_a_check_completes_no_grid() -> None:
    begun = ANSWER.replace(", Drink = milk", "")
    assert answered(ZEBRA.answer(f"{begun}\n\nEric drinks milk.") or "").ok is None
    wrong = ANSWER.replace("tea", "milk").replace("Eric, Drink = milk", "Eric, Drink = tea")
    assert answered(ZEBRA.answer(f"{wrong}\n\nArnold drinks milk. ✓") or "").ok is False


def test_a_claim_may_stand_below_the_heading_of_its_step() -> None:
    text = "### Step 1\n\nHouse 2: Name = Eric\n**Step 2:**\nLet us see.\nPeter is in house 2."
    [state] = states(ZEBRA, problem(), text)
    assert state.data == {"claim": "House 2: Name = Eric"}
    assert not list(states(ZEBRA, problem(), "Suppose not.\nStep 1:\nHouse 2: Name = Eric"))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (("House 3", "House 4"), "no_such_house"),
        (("Drink = milk", "Drink = tea"), "duplicate"),
        ((", Drink = milk", ""), "incomplete"),
        (("Drink = milk", "Drink = ?"), "incomplete"),
    ],
)
def test_what_is_wrong_with_an_answer(change: tuple[str, str], kind: str) -> None:
    verdict = answered(ANSWER.replace(*change))
    assert (verdict.ok, verdict.kind) == (False, kind)


def test_an_answer_against_a_clue_names_it() -> None:
    verdict = answered(ANSWER.replace("tea", "x").replace("milk", "tea").replace("x", "milk"))
    assert (verdict.ok, verdict.kind) == (False, "clue_violated")
    assert verdict.reason.startswith("clue 3 does not hold: The one who only drinks water")


def test_a_column_that_may_be_two_attributes_cannot_be_told() -> None:
    text = """There are 2 houses.
 - Each person has a unique name: `Alice`, `Bella`
 - Each mother is accompanied by their child: `Alice`, `Bella`
## Clues:
1. Alice is in the first house.
2. The person's child is named Alice is in the second house."""
    pair = ZEBRA.parse(text)
    assert answered("House 1: Alice, Bella\nHouse 2: Bella, Alice", pair).ok is None
    assert answered("House 1: Name = Alice, Child = Bella\nHouse 2: Name = Bella, Child = Alice",
                    pair).ok is True  # fmt: skip


def test_the_puzzle_behind_an_example_is_read() -> None:
    before = EXAMPLE.replace("Peter", "Paul").replace("Clues:", "Clues for the example")
    behind = "\n\n\n# Instruction\n\nNow solve it, in this format:\n\n{ }"
    whole = ZEBRA.parse(f"# Example\n\n{before}\n\n# Puzzle\n\n{EXAMPLE}{behind}")
    assert whole.data["puzzle"] == EXAMPLE
    assert ZEBRA.normalise(whole, ANSWER) == ZEBRA.normalise(problem(), ANSWER)


def test_a_puzzle_may_be_formatted_otherwise() -> None:
    text = EXAMPLE.replace("`, `", ", ").replace("`", "").replace(", milk", ", and milk").upper()
    text = text.replace("\n - ", "\n* ").replace("\n## CLUES:", "\n**Clues**").replace("1. ", "1) ")
    other = ZEBRA.parse(text.replace("\n", "\r\n"))
    assert other.data["unread"] == []
    assert answered(ANSWER, other).ok is True
    assert answered(ANSWER.replace("tea", "milk"), other).ok is False


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.sampled_from(["Alice", "the person who is tall", "is", "house 2"]))
def test_any_sentence_is_read_or_not(text: str, some: str) -> None:
    for one in (text, f"{some} {text}", f"{text} {some}", f"House 1: {text}, {some}"):
        sentence(PUZZLE, one)
        claims(PUZZLE, one)
        assert grid.whole(one) != []
        assert grid.stated(one) != ""


def test_the_prompt_says_what_the_domain_reads() -> None:
    system, user = prompts.for_problem("interwhen", problem(), PROFILES["qwen3"])
    assert user == EXAMPLE
    example, _, trace = system.partition("\nExample:\n")[2].partition("\nFrom")
    shown = ZEBRA.parse(example)
    found = asyncio.run(judge(ZEBRA, shown, f"From{trace}"))
    assert (found.steps_ok, found.answer_ok, shown.data["unread"]) == (True, True, [])
    assert (resources.files(prompts) / "domains/interwhen/zebra.md").is_file()


def test_a_real_puzzle_is_read_and_decided() -> None:
    """A recorded answer of Llama 3.1 405B; see tests/data/zebralogic/SOURCE.txt."""
    row = json.loads((DATA / "zebralogic" / "sample.jsonl").read_text().splitlines()[0])
    whole, alone = ZEBRA.parse(row["chat_history"][0]), ZEBRA.parse(row["puzzle"])
    assert whole.data == alone.data
    assert whole.data["unread"] == []
    puzzle = parse(alone.text)
    assert (puzzle.houses, len(puzzle.values), len(puzzle.clues)) == (5, 6, 17)
    found = asyncio.run(judge(ZEBRA, whole, row["output"][0]))
    assert (found.answer_ok, found.kind) == (False, "clue_violated")
    assert str(found.feedback).startswith("clue 2 does not hold: The cat lover and the person who")
    [places] = left(whole.text).arrangements
    rows: dict[int, list[str]] = {house: [] for house in range(1, 6)}
    for cell, house in places.items():
        rows[house].append(puzzle.written(cell))
    right = "\n".join(f"House {house}: {', '.join(values)}" for house, values in rows.items())
    assert answered(right, whole).ok is True
