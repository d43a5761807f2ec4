"""A last sentence that tells the story of its question again, with the number that is asked for."""

from __future__ import annotations

import pytest

from agentflow.domains.math import naming

TULIPS = (
    "There were 5 tulips in the jug. Nora picked some tulips in the back yard."
    " There are now 14 tulips in the jug. How many tulips did she pick?"
)
SHOP = (
    "A toy shop had 50 balls. They sold 18 of them and packed the rest in nets with 8 in each net."
    " How many nets did they use?"
)
KITCHEN = (
    "The kitchen had 80 eggs. For breakfast they served 44 to guests."
    " If each cake takes 4 eggs, how many cakes could they still bake?"
)
CHESS = (
    "Ilse played chess with 6 boys on Friday. She played chess with 5 more boys on Sunday."
    " How many boys did she play with on Sunday?"
)
GEESE = "How many more geese flew off to Spain than those that flew off to Italy?"
NOTES = (
    "Omar had 20 old notes and 31 new notes in his folder. If he threw away 12 of the notes,"
    " how many notes were still in his folder?"
)
PLUMS = (
    "A team of 4 workers got 14 ripe plums and then 6 more."
    " If they all got the same number, how many would each worker get?"
)
PAINT = (
    "Kai and Lin used 1.5 buckets of red paint and 2.5 buckets of blue paint."
    " How much paint did they use in all?"
)
PILES = "There are 96 coins. If the coins are sorted into 12 piles. How big is each pile?"
CARTS = (
    "A cart holds 6 crates. If you had 7 old crates and 11 new crates,"
    " how many carts would you need to hold the crates?"
)
SHARED = "Eva has $9 and Finn has $4. How much money do they have together now?"
QUIZ = (
    "A quiz team of 6 had 2 ill. If each of the rest scored 3 points,"
    " how many points were scored total?"
)
STALL = (
    "A stall sells scarves for $5 each. On Saturday it sold 10 scarves and on Sunday 8."
    " How much money did the stall make from scarves over the weekend?"
)
PARTS = (
    "Una had 40 dollars. If she spent 4 on lunch, how many 9 dollar books could she buy"
    " with the money she had left?"
)
GIFTS = (
    "Rosa found 60 shells. She gave Pia some of her shells. How many shells did she give to Pia?"
)
SAVED = "Zoe has 33 stamps. How many does she need to sell so that she will have 8 stamps left?"


@pytest.mark.parametrize(
    ("question", "clause", "said"),
    [
        (TULIPS, "Nora picked 9 tulips in the back yard", "9"),
        (SHOP, "The toy shop used 4 nets", "4"),
        (KITCHEN, "The kitchen can bake 9 cakes", "9"),
        (KITCHEN, "The kitchen can still bake 9 cakes", "9"),
        (CHESS, "Therefore, Ilse played chess with 11 boys on Sunday", "11"),
        (GEESE, "30 more geese flew off to Spain than those that flew off to Italy", "30"),
        (NOTES, "After throwing away 12 notes, Omar still had 39 notes in his folder", "39"),
        (NOTES, "After throwing away 12 notes, Omar still had 51 - 12 = 39 notes", "39"),
        (PLUMS, "Each worker will get 5 plums", "5"),
        (PLUMS, "Each worker will get 5 ripe plums", "5"),
        (PAINT, "They used 4 buckets of paint in all", "4"),
        (PILES, "Each pile has 8 coins", "8"),
        (PILES, "The size of each pile is 8 coins", "8"),
        (PILES, "There are 96 / 12 = 8 coins in each pile", "8"),
        (CARTS, "We need 3 carts to hold 7 old crates and 11 new crates", "3"),
        (CARTS, "We need 3 carts to hold the crates", "3"),
        (SHARED, "Eva and Finn have a total of 13 dollars together now", "13"),
        (QUIZ, "The total points scored by the quiz team was 12", "12"),
        (PARTS, "Una can buy 4 9 dollar books with the money she had left", "4"),
        (GIFTS, "Rosa gave Pia 45 shells (60 - 15 = 45)", "45"),
        (SAVED, "Zoe needs to sell 25 stamps so that she will have 8 stamps left", "25"),
    ],
)
def test_the_story_told_again(question: str, clause: str, said: str | None) -> None:
    assert naming.said(question, clause) == said


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        (TULIPS, "Nora had 9 tulips in the back yard"),
        (TULIPS, "There are 14 tulips in the jug"),
        (TULIPS, "Nora picked 9 tulips in the jug"),
        (TULIPS, "Nora didn't pick 9 tulips"),
        (TULIPS, "Nora's aunt picked 9 tulips"),
        (TULIPS, "Hugo picked 9 tulips in the back yard"),
        (TULIPS, "Nora picked 9 tulips in the front yard"),
        (SHOP, "The toy shop sold 4 nets"),
        (SHOP, "The balls used 4 nets"),
        (SHOP, "Another toy shop used 4 nets"),
        (SHOP, "The toy shop used 4 of the nets"),
        (KITCHEN, "The guests can bake 9 cakes"),
        (KITCHEN, "The kitchen can't bake 9 cakes"),
        (KITCHEN, "The kitchen could bake 9 more cakes"),
        (CHESS, "Ilse played chess with 11 boys on Friday"),
        (CHESS, "Ilse played chess with 11 more boys on Sunday"),
        (CHESS, "On Friday, Ilse played chess with 11 boys"),
        (CHESS, "Ilse played tennis with 11 boys on Sunday"),
        (GEESE, "30 more geese flew off to Italy than those that flew off to Spain"),
        (GEESE, "30 fewer geese flew off to Spain than those that flew off to Italy"),
        (NOTES, "After throwing away 12 notes, Omar still had 39 new notes in his folder"),
        (NOTES, "Before throwing away 12 notes, Omar still had 39 notes in his folder"),
        (NOTES, "After throwing away 13 notes, Omar still had 39 notes in his folder"),
        (NOTES, "Omar had 39 notes to throw away"),
        (PLUMS, "Each team will get 5 plums"),
        (PLUMS, "Each worker will get 5 more plums"),
        (PAINT, "They used 4 buckets of blue paint in all"),
        (PAINT, "They used 4 cans of paint in all"),
        (PAINT, "Kai used 4 buckets of paint in all"),
        (PILES, "There are 8 piles of coins"),
        (PILES, "Half of each pile has 8 coins"),
        (CARTS, "We need 3 carts to hold 7 old crates"),
        (CARTS, "We have 3 carts to hold the crates"),
        (CARTS, "We need 3 more carts to hold the crates"),
        (SHARED, "Eva and Jo have a total of 13 dollars together now"),
        (SHARED, "Eva has 13 dollars now"),
        (QUIZ, "The total points lost by the quiz team was 12"),
        (QUIZ, "The total points scored by the other team was 12"),
        (STALL, "The stall made $90 from scarves on Sunday"),
        (QUIZ, "The total players scored by the quiz team was 12"),
        (PARTS, "Una can buy 4 7 dollar books with the money she had left"),
        (GIFTS, "Pia gave Rosa 45 shells"),
        (GIFTS, "Rosa gave Pia 45 shells (60 - 15 = 44)"),
        (SAVED, "Zoe will have 25 stamps left"),
        (SAVED, "Zoe needs to sell 25 stamps so that she will have 9 stamps left"),
    ],
)
def test_another_story(question: str, clause: str) -> None:
    assert naming.said(question, clause) is None
