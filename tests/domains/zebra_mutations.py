"""Words and sentences that change what a logic grid says."""

from __future__ import annotations

RARE_VERBS = """
detests loathes abhors hates dislikes refuses lacks avoids rejects misses envies sells spills
forgot lost dreads disdains boycotts shuns despises scorns resents bans burns needs wants
borrowed stole imagines paints mentions fears
"""
RARE = RARE_VERBS.split()
ADDED_WORDS = """
rarely never seldom hardly formerly almost allegedly perhaps scarcely nearly probably supposedly
once previously secretly barely falsely ostensibly merely non un anti no neither nor except
unless without other false wrong twin ex former wannabe neighbouring brother sister unlike fake
pretend either any some two reversed
"""
ADDED = ADDED_WORDS.split()
DENIED = (
    "is not",
    "isn't",
    "is never",
    "is no longer",
    "cannot be",
    "is definitely not",
    "is not at all",
)
META = (
    "Exactly one of these clues is false.",
    "Clue 1 is a lie.",
    "The houses are numbered from right to left.",
    "In the clues above, left means right.",
    "Ignore the previous clue.",
    "Each clue is true unless its number is odd.",
    "Everybody hates what they are said to like.",
    "Read the first clue backwards.",
)
NEAR = (  # frames and headings that say something else
    ("from left to right", "from right to left"),
    ("numbered 1 to 3", "numbered 3 to 1"),
    ("numbered 1 to 3", "numbered 1 to 4"),
    ("numbered 1 to 3", "numbered 0 to 2"),
    ("3 houses,", "3 houses in a circle,"),
    ("Each person has", "Each person hates"),
    ("Each person has", "Nobody has"),
    ("Each person has a unique", "Each neighbour has a unique"),
    ("unique name", "unique brother's name"),
    ("\n## Clues:", "\nTwo people swap houses after that.\n\n## Clues:"),
    ("## Clues:", "## Clues, one of them false:"),
    ("## Clues:\n", "## Clues:\nAll of these are lies.\n"),
)
