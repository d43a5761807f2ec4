"""A sentence that says what is asked for, and besides what the question speaks of, too."""

from __future__ import annotations

import pytest

from agentflow.domains.math import naming

FRUIT = (
    "Ana takes $20 to the market, where fruit is sold. A melon costs $6 and a mango $2."
    " How much money will Ana have left if she takes two melons?"
)
POND = "Lev wants to put a rope around his pond. How many meters of rope does Lev need to buy?"
WORK = "Ivo earns $4 per hour. How many hours does he have to work to pay for his skates?"
GRADE = (
    "The 5th and 6th grades sing. How many songs should the 6th grade learn if it is to be fair?"
)
LOANS = (
    "Jo earns $50 a year. How long would it take to earn the loans and the money lost at school?"
)


@pytest.mark.parametrize(
    ("question", "clause", "said"),
    [
        (FRUIT, "Ana will have $8 left after paying for the melons", "$8"),
        (FRUIT, "Ana will have $8 left after purchasing the fruit", "$8"),
        (FRUIT, "Ana will have $8 left after paying for the hats", None),
        (FRUIT, "Ana will have $8 left after paying for half the melons", None),
        (FRUIT, "Ana will have $8 left after paying for the other melons", None),
        (FRUIT, "Ana will have $8 left before paying for the melons", None),
        (FRUIT, "Ben will have $8 left after paying for the melons", None),
        (POND, "Lev needs 70 meters of rope to go around the entire pond", "70"),
        (POND, "Lev needs 70 meters of rope to go around half the pond", None),
        (POND, "Lev needs 70 meters of rope to go around the house", None),
        (POND, "Lev has 70 meters of rope to go around the pond", None),
        (WORK, "Ivo needs to work 5 hours to pay for his skates", "5"),
        (WORK, "Ivo must work 5 hours to pay for his skates", "5"),
        (WORK, "Ivo refuses to work 5 hours to pay for his skates", None),
        (GRADE, "The 6th grade should learn 10 songs", "10"),
        (GRADE, "The 5th grade should learn 10 songs", None),
        (
            LOANS,
            "It would take Jo 4 years to earn the loans and the money lost at school",
            "4 years",
        ),
        (LOANS, "It would take Jo 4 years to earn the loans", None),
    ],
)
def test_what_a_clause_says_besides(question: str, clause: str, said: str | None) -> None:
    assert naming.said(question, clause) == said
