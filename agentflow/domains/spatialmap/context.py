"""What was spoken of so far in a reply: of whom *it* and *they* say something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.problem import relations_of


@dataclass
class Context:
    """What was spoken of so far.

    Attributes:
        data: The problem's.
        form: The answer, in its normal form.
        normal: The normal form of an answer, or None.
        asked: What the problem asks.
        objects: The names of all.
        relations: What the map says.
        options: The objects of the options, if those are objects.
        topic: The object that the line is about.
        spoken: Whether its sentence said something of ``subject``.
        head: The object that a headline above is about.
        subject: Who was said to be somewhere last.
        of: Of whom.
        items: The count that a headline gives of the objects below it.
        listed: The last several objects.
        claims: What was claimed.
        cited: The number of the sentence that was said to come next.
        at: Where a way that is told has got to.
        any: Whether it was asked last whether any other object is where it is asked for.
        points: The coordinates that objects were given.
    """

    data: dict[str, Any]
    form: str
    normal: Callable[[str], str | None]
    topic: int | None = None
    spoken: bool = False
    head: int | None = None
    subject: int | None = None
    of: int | None = None
    items: Claim | None = None
    listed: tuple[int, ...] = ()
    claims: list[Claim] = field(default_factory=list)
    cited: int = 0
    at: int | None = None
    any: bool = False
    points: dict[int, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Before a word is said, it is spoken of whom the question, or the answer, is about."""
        data = self.data
        self.asked: dict[str, Any] = data["asked"]
        self.objects: tuple[str, ...] = tuple(data["objects"])
        self.relations = relations_of(data)
        places = {name: number for number, name in enumerate(self.objects)}
        self.options = tuple(places[one] for one in data["letters"].values() if one in places)
        if self.subject is None:
            self.subject = self.asked.get("object", places.get(self.form))

    def met(self, found: list[Claim]) -> None:
        """Remembers what was claimed."""
        self.claims = [*self.claims, *found]
        self.any = self.any and not found
        self.spoken = self.spoken or bool(found)
        placed = [one for one in found if one.kind in ("in", "out", "further") and one.objects]
        if not placed:
            if found:
                self.of, self.listed = found[-1].of, found[-1].objects
            return
        self.subject, self.of = placed[-1].objects[0], placed[-1].of
        names = tuple(dict.fromkeys(one.objects[0] for one in placed))
        of = tuple(dict.fromkeys(one.of for one in placed))
        pair = (self.subject, self.of)
        self.listed = next((one for one in (names, of) if len(one) > 1), tuple(dict.fromkeys(pair)))

    def inside(self) -> tuple[int, ...]:
        """Which objects were said to be where it is asked for, and that which is the answer."""
        way, of = self.asked.get("direction"), self.asked["of"]
        found = {
            name
            for one in self.claims
            if one.kind in ("in", "all") and (one.direction, one.of) == (way, of)
            for name in one.objects
        }
        if self.asked["kind"] == "object":
            found.add(self.objects.index(self.form))
        return tuple(sorted(found))
