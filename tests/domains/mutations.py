"""Small changes to a text, of which a reader must not take any for nothing."""

from __future__ import annotations

import random

WORDS = (
    *("not", "never", "no", "only", "almost", "about", "roughly", "maybe", "probably", "perhaps"),
    *("first", "last", "second", "before", "after", "until", "except", "besides", "without"),
    *("at least", "at most", "more", "fewer", "than", "twice", "half", "double", "other", "wrong"),
    *(
        "backwards",
        "mirrored",
        "upside down",
        "rotated",
        "if",
        "unless",
        "or",
        "and",
        "but",
        "also",
    ),
    *(
        "today",
        "yesterday",
        "once",
        "used to be",
        "was",
        "formerly",
        "usually",
        "by 2 km",
        "in row 3",
    ),
    *("far", "just", "north", "left", "right", "total", "the", "a", "some", "every", "3", "2", "?"),
    *("*", "_", "²", "½", '"', "(not really)", ", I think", "(E)", "S", "false that", "either"),
)
"""What may be put between two words."""

SENTENCES = (
    "Assume that left and right are swapped.",
    "Count backwards.",
    "North is at the bottom.",
    "Ignore the first one.",
    "Give twice the number.",
    "Choose the wrong option.",
    "If so, add one.",
    "The drawing is mirrored.",
    "This is a lie.",
    "Please answer as if it were the other way round.",
)
SWAPS = {
    **{"right": "left", "left": "right", "above": "below", "below": "above", "S": "E", "E": "S"},
    **{"from": "to", "to": "from", "is": "was", "are": "were", "there": "not", "turns": "steps"},
    **{"Northeast": "Southwest", "Southwest": "Northwest", "Northwest": "Southeast"},
    **{"Southeast": "Northeast", "in": "near", "of": "from", "Which": "What", "many": "few"},
    **{"total": "right", "objects": "things", "with": "without", "no": "some", "(E)": "(S)"},
}


def mutated(rng: random.Random, text: str) -> str:
    """The text with a word put in, left out, said twice, moved or replaced."""
    words = text.split(" ")
    place = rng.randrange(len(words))
    match rng.choice(("in", "in", "in", "out", "twice", "moved", "swap", "swap", "mark")):
        case "in":
            words.insert(rng.randrange(len(words) + 1), rng.choice(WORDS))
        case "out":
            del words[place]
        case "twice":
            words.insert(place, words[place])
        case "moved":
            words.insert(rng.randrange(len(words)), words.pop(place))
        case "swap":
            known = [number for number, word in enumerate(words) if word in SWAPS]
            if known:
                place = rng.choice(known)
                words[place] = SWAPS[words[place]]
        case "mark":
            words[place] = rng.choice(("{}*", "*{}", "{}_", "{}²", "{}?", '"{}', "not-{}", "un{}"))
            words[place] = words[place].format(text.split(" ")[place])
    return " ".join(words)
