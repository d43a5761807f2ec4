"""Claims, and lines that stand for themselves, above a grid that is right."""

import pytest
from replies import verdict

from agentflow.domains.zebra import leads
from agentflow.domains.zebra.puzzle import EXAMPLE

TABLE = "| House | Name | Drink |\n|---|---|---|\n| 1 | Arnold | tea |\n| 2 | Peter | water |\n"
TABLE += "| 3 | Eric | milk |"


@pytest.mark.parametrize(
    ("above", "right"),
    [
        ("Peter is between Arnold and Eric.", True),
        ("Arnold is between Peter and Eric.", None),
        ("Arnold is not between Peter and Eric.", True),
        ("Peter's house is the second one.", True),
        ("Peter's house is the third one.", None),
        ("Done!", True),
    ],
)
def test_claims_above_a_grid_are_held_against_it(above, right):
    assert verdict("zebra", EXAMPLE, f"{above}\n\n{TABLE}") is right


def test_a_month_is_no_doubt():
    where = {"eric": {2}, "may": {1}, "jan": {2}}
    assert leads.at_odds("Eric's birthday is in May.", where)
    assert not leads.at_odds("Eric's birthday may be in May.", where)


@pytest.mark.parametrize("above", ["Wrong!", "DO NOT SUBMIT", "Not really!", "REJECTED"])
def test_a_line_that_stands_for_itself_is_not_passed_over(above):
    assert verdict("zebra", EXAMPLE, f"{above}\n\nAnswer:\n\n{TABLE}") is None
    assert verdict("zebra", EXAMPLE, f"{above}\n\nAnswer: \n\n{TABLE}") is None
