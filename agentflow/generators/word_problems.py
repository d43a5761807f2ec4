"""Seeded arithmetic word problems with an exact answer and a worked solution.

A story keeps one quantity (eggs, money, kilometres, flour) and changes it move by move; or it
compares what friends have, and adds it up. Every line of the solution states one equation, in the
form that the math domain reads.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from agentflow.problem import Problem

NAMES = ("Ada", "Boris", "Chen", "Dora", "Emil", "Fatima", "Goran", "Hedda", "Ines", "Jonas")
THINGS = ("marbles", "stamps", "seeds", "beads", "tiles", "candles", "pencils", "postcards")
_ATTEMPTS = 200
"""Moves tried before a story that cannot go on is thrown away."""


@dataclass(slots=True)
class Story:
    """A problem in the making.

    Attributes:
        rng: Where every choice comes from.
        name: Who it is about.
        thing: What is counted; ``$`` for money.
        value: How much of it there is now.
        told: The sentences so far.
        solution: The lines of the solution so far.
    """

    rng: random.Random
    name: str
    thing: str
    value: Fraction = Fraction(0)
    told: list[str] = field(default_factory=list)
    solution: list[str] = field(default_factory=list)

    def amount(self, value: Fraction) -> str:
        """A quantity in words: ``$3.50``, ``12 eggs``."""
        return f"${written(value, 2)}" if self.thing == "$" else f"{written(value)} {self.thing}"

    def bare(self, value: Fraction) -> str:
        """A quantity in an equation."""
        return f"${written(value, 2)}" if self.thing == "$" else written(value)

    def work(self, says: str, expression: str, value: Fraction) -> Fraction:
        """Add a line to the solution; gives its value."""
        self.solution.append(f"{says}: {expression} = {self.amount(value)}")
        return value

    def change(self, sign: str, by: Fraction, says: str) -> None:
        value = self.value + by if sign == "+" else self.value - by
        self.value = self.work(says, f"{self.bare(self.value)} {sign} {self.bare(by)}", value)

    def small(self, low: int, high: int) -> Fraction:
        return Fraction(self.rng.randint(low, high))


def written(value: Fraction, places: int = 0) -> str:
    """A number as in the text: whole, with decimals where they end soon, else a fraction."""
    if value.denominator == 1:
        return str(value)
    if 100 % value.denominator == 0:
        text = f"{float(value):.2f}"
        return text if places else text.rstrip("0")
    return str(value)


Move = Callable[[Story], bool]
"""Tells one thing that happens and works it out; False, with nothing changed, if it cannot."""


def gets_more(story: Story) -> bool:
    more = story.small(3, 60)
    story.told.append(f"Later {story.name} gets {story.amount(more)} more.")
    story.change("+", more, "After that")
    return True


def gives_away(story: Story) -> bool:
    if story.value < 8:
        return False
    given = story.small(2, int(story.value) - 3)
    story.told.append(f"{story.name} gives {story.amount(given)} to a neighbour.")
    story.change("-", given, "What is left")
    return True


def buys_boxes(story: Story) -> bool:
    boxes, each = story.small(2, 9), story.small(3, 24)
    story.told.append(f"{story.name} adds {boxes} boxes with {each} {story.thing} in each.")
    bought = story.work("In the boxes", f"{boxes} * {each}", boxes * each)
    story.change("+", bought, "Together")
    return True


def loses_part(story: Story) -> bool:
    bottom = story.rng.choice((2, 3, 4, 5, 8))
    top = story.rng.randint(1, bottom - 1)
    part = story.value * Fraction(top, bottom)
    if story.value <= 0 or 100 % part.denominator or (story.thing in THINGS and part % 1):
        return False
    if Fraction(top, bottom).denominator != bottom:
        return False
    how = story.rng.choice(("uses up", "loses"))
    story.told.append(f"Then {story.name} {how} {top}/{bottom} of what there is.")
    story.work("That part", f"{top}/{bottom} * {story.bare(story.value)}", part)
    story.change("-", part, "What is left")
    return True


def loses_percent(story: Story) -> bool:
    percent = story.rng.choice((5, 10, 15, 20, 25, 30, 40, 60, 75))
    part = story.value * Fraction(percent, 100)
    if story.value <= 0 or 100 % part.denominator or (story.thing in THINGS and part % 1):
        return False
    if story.thing == "kilometres":
        story.told.append(f"{story.name} takes a train for {percent}% of the way that is left.")
    else:
        story.told.append(f"A little later {percent}% of the {story.thing} are gone.")
    story.work("That part", f"{percent}% * {story.bare(story.value)}", part)
    story.change("-", part, "What is left")
    return True


def shares(story: Story) -> bool:
    people = story.rng.randint(2, 9)
    part = story.value / people
    if part < 3 or part % 1:
        return False
    story.told.append(
        f"{story.name} shares everything equally with {people - 1} "
        f"friend{'s' if people > 2 else ''} and keeps one share."
    )
    story.value = story.work("One share", f"{story.bare(story.value)} / {people}", part)
    return True


def works(story: Story) -> bool:
    hours = story.rng.choice(
        (Fraction(2), Fraction(3), Fraction(5, 2), Fraction(4), Fraction(7, 2))
    )
    pay = story.small(8, 25)
    story.told.append(f"{story.name} works {written(hours)} hours for {story.amount(pay)} an hour.")
    earned = story.work("The pay", f"{written(hours)} * {story.bare(pay)}", hours * pay)
    story.change("+", earned, "The money now")
    return True


def buys_several(story: Story) -> bool:
    number, price = story.small(2, 7), Fraction(story.rng.randrange(75, 900, 25), 100)
    if number * price >= story.value:
        return False
    what = story.rng.choice(("notebooks", "tickets", "sandwiches", "plants"))
    story.told.append(f"{story.name} buys {number} {what} for {story.amount(price)} each.")
    cost = story.work("The cost", f"{number} * {story.bare(price)}", number * price)
    story.change("-", cost, "The money left")
    return True


def buys_reduced(story: Story) -> bool:
    price, percent = story.small(2, 12) * 5, story.rng.choice((10, 20, 25, 40))
    off = price * Fraction(percent, 100)
    if price - off >= story.value or 100 % off.denominator:
        return False
    story.told.append(
        f"{story.name} buys a coat that is marked {story.amount(price)} but is {percent}% off."
    )
    story.work("The reduction", f"{percent}% * {story.bare(price)}", off)
    paid = story.work("The price", f"{story.bare(price)} - {story.bare(off)}", price - off)
    story.change("-", paid, "The money left")
    return True


def rides(story: Story) -> bool:
    hours = story.rng.choice((Fraction(1, 2), Fraction(2), Fraction(3, 2), Fraction(3)))
    speed = story.small(6, 24) * 2
    if hours * speed >= story.value:
        return False
    story.told.append(f"{story.name} rides {written(hours)} hours at {speed} kilometres an hour.")
    ridden = story.work("The ride", f"{written(hours)} * {speed}", hours * speed)
    story.change("-", ridden, "Still to go")
    return True


def makes_detour(story: Story) -> bool:
    longer = story.small(2, 15)
    story.told.append(f"A closed bridge makes the rest of the way {story.amount(longer)} longer.")
    story.change("+", longer, "Still to go")
    return True


def bakes(story: Story) -> bool:
    loaves, each = story.small(2, 6), Fraction(story.rng.randint(1, 5), story.rng.choice((3, 4, 6)))
    if loaves * each >= story.value or each >= 1:
        return False
    story.told.append(f"{story.name} bakes {loaves} loaves with {each} kilograms of flour each.")
    used = story.work("For the loaves", f"{loaves} * {each}", loaves * each)
    story.change("-", used, "What is left")
    return True


def opens_bag(story: Story) -> bool:
    bag = Fraction(story.rng.randint(1, 7), story.rng.choice((2, 3, 4)))
    story.told.append(f"{story.name} pours in a bag that holds {story.amount(bag)}.")
    story.change("+", bag, "After that")
    return True


@dataclass(frozen=True, slots=True)
class Theme:
    """A kind of story: what there is at first, what may happen, what is asked, what misleads."""

    things: Sequence[str]
    start: Callable[[random.Random], Fraction]
    opening: str
    moves: Sequence[Move]
    question: str
    distractor: str


MONEY = Theme(
    ("$",),
    lambda rng: Fraction(rng.randint(8, 160), 2),
    "{name} starts the week with {amount}.",
    (works, buys_several, buys_reduced, loses_part, gets_more),
    "How many dollars does {name} have now?",
    "The bus to town takes {n} minutes.",
)

THEMES = (
    Theme(
        THINGS,
        lambda rng: Fraction(rng.randint(12, 120)),
        "{name} has {amount} in a drawer.",
        (gets_more, gives_away, buys_boxes, loses_part, loses_percent, shares),
        "How many {thing} does {name} have in the end?",
        "The drawer is {n} centimetres wide.",
    ),
    MONEY,
    Theme(
        ("kilometres",),
        lambda rng: Fraction(rng.randint(60, 320)),
        "{name} sets out on a bicycle tour of {amount}.",
        (rides, makes_detour, loses_percent, rides),
        "How many kilometres are still to go?",
        "The bicycle is {n} years old.",
    ),
    Theme(
        ("kilograms",),
        lambda rng: Fraction(rng.randint(5, 40), rng.choice((2, 3, 4))),
        "A tin holds {amount} of flour.",
        (bakes, opens_bag, loses_part),
        "How many kilograms of flour are in the tin now?",
        "The oven is heated to {n} degrees.",
    ),
)

EVERY: Sequence[Theme | None] = (*THEMES, None)
"""What a story may be about; None for friends who have more or fewer."""


def compare(rng: random.Random, steps: int) -> Story:
    """Friends who have so many times, more or fewer than the one before; the sum is asked."""
    names = rng.sample(NAMES, steps)
    story = Story(rng, names[0], rng.choice(THINGS), Fraction(rng.randint(6, 30)))
    story.told.append(f"{names[0]} has {story.amount(story.value)}.")
    held = [story.value]
    for before, name in pairwise(names):
        last, number = held[-1], rng.randint(2, 5)
        kind = rng.choice(("times", "more", "fewer"))
        if kind == "times":
            story.told.append(f"{name} has {number} times as many {story.thing} as {before}.")
            held.append(story.work(name, f"{number} * {last}", number * last))
        elif kind == "more":
            story.told.append(f"{name} has {number} {story.thing} more than {before}.")
            held.append(story.work(name, f"{last} + {number}", last + number))
        else:
            story.told.append(f"{name} has {number} {story.thing} fewer than {before}.")
            held.append(story.work(name, f"{last} - {number}", last - number))
    story.value = story.work("Together", " + ".join(map(str, held)), sum(held, Fraction(0)))
    story.told.append(f"How many {story.thing} do they have together?")
    return story if min(held) > 0 else compare(rng, steps)


def tell(theme: Theme, rng: random.Random, steps: int, distractors: float) -> Story | None:
    """A story of a theme whose solution has exactly ``steps`` lines, if one is found."""
    story = Story(rng, rng.choice(NAMES), rng.choice(theme.things), theme.start(rng))
    amount = story.amount(story.value)
    story.told.append(theme.opening.format(name=story.name, amount=amount))
    for _ in range(_ATTEMPTS):
        if len(story.solution) >= steps:
            break
        rng.choice(theme.moves)(story)
    if len(story.solution) != steps or story.value <= 0:
        return None
    if rng.random() < distractors:
        place = rng.randint(1, len(story.told))
        story.told.insert(place, theme.distractor.format(n=rng.randint(3, 90)))
    story.told.append(theme.question.format(name=story.name, thing=story.thing))
    return story


def generate(
    count: int,
    seed: int,
    *,
    steps: tuple[int, int] = (2, 6),
    distractors: float = 0.3,
    themes: Sequence[Theme | None] = EVERY,
) -> Iterator[Problem]:
    """Distinct problems; the same seed gives the same ones.

    Args:
        count: How many.
        seed: Of every choice.
        steps: Least and greatest number of equations in a solution, 2 to 6.
        distractors: Share of the stories of one quantity that tell a number nobody needs.
        themes: What the stories are about.

    Yields:
        Problems with the exact answer as ``gold`` and the worked solution, a list of lines, in
        ``data["solution"]``.
    """
    rng = random.Random(f"word problems {seed}")
    texts: set[str] = set()
    while len(texts) < count:
        length = rng.randint(*steps)
        theme = rng.choice(themes)
        story = tell(theme, rng, length, distractors) if theme else compare(rng, length)
        if story is None or (text := " ".join(story.told)) in texts:
            continue
        texts.add(text)
        gold = written(story.value)
        solution = [*story.solution, f"Answer: {gold}"]
        data = {"question": text, "solution": solution}
        yield Problem(text, "math", f"word-{seed}-{len(texts)}", gold, data)
