"""Grids in other spellings: numbered lines, ordinals, header and rows in JSON, a box."""

from __future__ import annotations

import json

import pytest

from agentflow import domains

ZEBRA = domains.get("zebra")
PROBLEM = ZEBRA.parse(
    "There are 3 houses, numbered 1 to 3 from left to right, as seen from across the street. Each "
    "house is occupied by a different person. Each house has a unique attribute for each of the "
    "following characteristics:\n - Each person has a unique name: `Peter`, `Eric`, `Arnold`\n"
    " - Each person has a unique favorite drink: `tea`, `water`, `milk`\n\n## Clues:\n"
    "1. Peter is in the second house.\n"
    "2. Arnold is directly left of the one who only drinks water.\n"
    "3. The one who only drinks water is directly left of the person who likes milk."
)
ROWS = [["1", "Arnold", "tea"], ["2", "Peter", "water"], ["3", "Eric", "milk"]]
WRONG = [["1", "Arnold", "milk"], ["2", "Peter", "water"], ["3", "Eric", "tea"]]
TABLE = {"header": ["House", "Name", "Drink"], "rows": ROWS}


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("Answer:\n1. Arnold, tea\n2. Peter, water\n3. Eric, milk", True),
        ("Answer:\n1: Name = Arnold, Drink = tea\n2: Name = Peter, Drink = water\n"
         "3: Name = Eric, Drink = milk", True),
        ("Answer:\n1) Arnold - tea\n2) Peter - water\n3) Eric - milk", True),
        ("Here is the final solution:\n\n1. **Arnold** drinks tea\n2. **Peter** drinks water\n"
         "3. **Eric** drinks milk", True),
        ("Answer:\n1. Arnold, milk\n2. Peter, water\n3. Eric, tea", False),
        ("House,Name,Drink\n1,Arnold,tea\n2,Peter,water\n3,Eric,milk", True),
        ("House, Name, Drink\n1, Arnold, milk\n2, Peter, water\n3, Eric, tea", False),
        ("```csv\nHouse;Name;Drink\n1;Arnold;tea\n2;Peter;water\n3;Eric;milk\n```", True),
        ("House,Name,Drink\n1,Arnold,tea or milk\n2,Peter,water\n3,Eric,milk", None),
        ("House,Name,Drink\n1,Arnold\n2,Peter,water\n3,Eric,milk", None),
        ("House,Name,Drink\n1,Arnold,tea\n2,Peter,water\n3,Eric,milk\n\nWait, no.", None),
        ("Arnold lives in house 1 and drinks tea. Peter lives in house 2 and drinks water. Eric "
         "lives in house 3 and drinks milk.", True),
        ("Arnold lives in house 1 and drinks milk.\nPeter lives in house 2 and drinks water.\n"
         "Eric lives in house 3 and drinks tea.", False),
        ("The first house belongs to Arnold, who drinks tea. The second house belongs to Peter, "
         "who drinks water. The third house belongs to Eric, who drinks milk.", True),
        ("Arnold lives in house 1 and hates tea. Peter lives in house 2 and drinks water. Eric "
         "lives in house 3 and drinks milk.", None),
        ("Arnold probably lives in house 1 and drinks tea. Peter lives in house 2 and drinks "
         "water. Eric lives in house 3 and drinks milk.", None),
        ("Arnold lives in house 1 and drinks tea. Peter lives in house 2 and drinks water. Eric "
         "lives in house 3 and drinks milk. But that breaks clue 3.", None),
        ("So Peter lives in house 2 and drinks water.", None),
        ("Answer:\n1st house: Arnold, tea\n2nd house: Peter, water\n3rd house: Eric, milk", True),
        ("Answer:\nThe first house: Arnold, tea\nThe second house: Peter, water\n"
         "The third house: Eric, milk", True),
        ("\\boxed{House 1: Arnold, tea; House 2: Peter, water; House 3: Eric, milk}", True),
        (json.dumps(TABLE), True),
        (json.dumps({"solution": TABLE}, indent=1), True),
        (json.dumps({"header": TABLE["header"], "rows": WRONG}), False),
        (json.dumps(TABLE | {"remark": "a guess"}), None),
        ("Answer:\n2. Arnold, tea\n1. Peter, water\n3. Eric, milk", None),
        ("Answer:\n1. Arnold, tea\n2. Peter, water", False),
        ("Answer:\n1. Arnold, tea\n2. Peter, water\n3. Eric, milk\n\nBut this is wrong.", None),
        ("A wrong attempt:\n1. Arnold, tea\n2. Peter, water\n3. Eric, milk", None),
        ("Steps:\n1. Peter is in the second house.\n2. Arnold, tea\n3. Eric, milk", None),
    ],
)  # fmt: skip
async def test_other_spellings(said: str, ok: bool | None) -> None:
    answer = ZEBRA.answer(said)
    judged = await ZEBRA.verify_answer(PROBLEM, answer) if answer else None
    assert (judged.ok if judged else None) is ok


GRID = """| House | Name | Drink |
|---|---|---|
| 1 | Arnold | tea |
| 2 | Peter | water |
| 3 | Eric | milk |"""
LATEX = r"""$$\begin{array}{|c|c|c|}\hline House & Name & Drink\\\hline
1 & Arnold & tea\\ 2 & \text{Peter} & water\\ 3 & Eric & milk\\\hline\end{array}$$"""


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        (LATEX, True),
        (LATEX.replace("milk", "tea").replace("& tea", "& milk", 1), False),
        (LATEX.replace(r"\begin", r"\boxed{\begin").replace("array}$$", "array}}$$"), True),
        (r"\boxed{\text{House 1: Arnold, tea; House 2: Peter, water; House 3: Eric, milk}}", True),
        ("Arnold: house 1, tea\nPeter: house 2, water\nEric: house 3, milk", True),
        ("Arnold: house 1, tea\nPeter: house 2, water\nEric: house 2, milk", None),
        (GRID.replace("Name", "Person"), True),
        ("From left to right:\n\n1st house: Arnold, tea\n2nd house: Peter, water\n"
         "3rd house: Eric, milk", True),
        ("From right to left:\n\n1st house: Arnold, tea\n2nd house: Peter, water\n"
         "3rd house: Eric, milk", None),
    ],
)  # fmt: skip
async def test_grids_in_latex_and_by_person(said: str, ok: bool | None) -> None:
    answer = ZEBRA.answer(said)
    assert (await ZEBRA.verify_answer(PROBLEM, answer)).ok is ok if answer else ok is None


@pytest.mark.parametrize(
    ("check", "ok"),
    [
        ("All clues check out!", True),
        ("**Verification:**\n- Clue 1: ✓\n- Clue 2: ✓\n- Clue 3: ✓", True),
        ("**Check:**\n1. Peter is in the second house ✓", True),
        ("- Clue 2: Arnold (house 1) is directly left of water (house 2) ✓", True),
        ("- Clue 2: Arnold (2) is directly left of water (3) ✓", None),
        ("- Clue 1: ✗", None),
        ("- Clue 1:", None),
        ("Not all clues check out!", None),
        ("- Clue 2: Arnold (house 4) is directly left of water (house 2) ✓", None),
    ],
)
async def test_a_check_behind_a_grid_is_read(check: str, ok: bool | None) -> None:
    answer = ZEBRA.answer(f"{GRID}\n\n{check}")
    assert answer is not None
    assert (await ZEBRA.verify_answer(PROBLEM, answer)).ok is ok


@pytest.mark.parametrize(
    ("line", "ok"),
    [
        ("Peter is next to no one.", None),
        ("Arnold drinks no tea.", None),
        ("Everyone drinks milk.", None),
        ("Peter and Eric live together.", None),
        ("No one drinks tea.", None),
        ("Peter has no other option than house 2.", True),
        ("So Eric is in house 3.", True),
    ],
)
async def test_what_counts_values_above_a_grid(line: str, ok: bool | None) -> None:
    answer = ZEBRA.answer(f"{line}\n\n{GRID}")
    assert answer is not None
    assert (await ZEBRA.verify_answer(PROBLEM, answer)).ok is ok


def in_json(rows: list[list[str]], *, both: str = "", indent: int | None = None) -> str:
    """A grid whose values stand in lists, one of them with a second value in it."""
    houses = {f"House {n}": {"Name": [who], "Drink": [drink]} for n, who, drink in rows}
    houses["House 1"]["Drink"] += [both] if both else []
    return json.dumps({"reasoning": "By the clues.", "solution": houses}, indent=indent)


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        (in_json(ROWS), True),
        (f"```json\n{in_json(ROWS, indent=2)}\n```", True),
        (in_json(WRONG), False),
        (in_json(ROWS, both="milk"), None),
        (in_json(WRONG, both="tea"), None),
        (in_json(ROWS).replace('["tea"]', '["not tea"]'), None),
        (in_json(ROWS).replace('["tea"]', '[["tea"]]'), None),
        (in_json(ROWS) + "\n\nWait, no.", None),
    ],
)
async def test_values_in_lists_of_one(said: str, ok: bool | None) -> None:
    answer = ZEBRA.answer(said)
    assert (None if answer is None else (await ZEBRA.verify_answer(PROBLEM, answer)).ok) is ok
