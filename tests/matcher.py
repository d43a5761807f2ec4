"""A backtracking matcher of regular expressions that counts its steps: for ``counting.py``.

A node of the tree that ``re`` parses is compiled to a function from a place in the text to the
place behind the match, None where there is none; ``then`` is what must match behind it. Only Python
calls Python, so that depth costs no stack of the machine's.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from re import _compiler  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MANY = 50_000_000
"""A function that takes so many steps is stopped: it would not end."""

Then = Callable[[int], "int | None"]


class TooMany(AssertionError):
    """It does not end."""


class Steps:
    """A count."""

    def __init__(self) -> None:
        self.taken = 0

    def add(self, many: int = 1) -> None:
        self.taken += many
        if self.taken > MANY:
            raise TooMany(f"more than {MANY:,} steps")


class Matcher:
    """A pattern, and the text that it is tried on."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self.text: Any = pattern.pattern[:0]
        self.end = 0
        self.steps = Steps()
        self.groups: dict[int, tuple[int, int]] = {}
        self.opened: dict[int, int] = {}
        tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self.whole = False
        flags = tree.state.flags
        self.match = self.sequence(list(tree), flags, self.arrived)

    def arrived(self, at: int) -> int | None:
        return None if self.whole and at != self.end else at

    def attempt(self, text: Any, end: int, at: int, steps: Steps, whole: bool = False) -> Any:
        """The end of a match that begins at a place."""
        self.text, self.end, self.steps = text, end, steps
        self.groups, self.whole = {}, whole
        self.steps.add()
        depth, trace = sys.getrecursionlimit(), sys.gettrace()
        sys.settrace(None)
        sys.setrecursionlimit(1_000_000)
        try:
            return self.match(at)
        finally:
            sys.setrecursionlimit(depth)
            sys.settrace(trace)

    def sequence(self, items: Any, flags: int, then: Then) -> Then:
        for code, given in reversed(list(items)):
            then = self.node(code, given, flags, then)
        return then

    def node(self, code: Any, given: Any, flags: int, then: Then) -> Then:
        one = self.single(code, given, flags)
        if one is not None:

            def character(at: int) -> int | None:
                self.steps.add()
                return then(at + 1) if at < self.end and one(self.text[at]) else None

            return character
        return getattr(self, f"on_{code}".lower())(given, flags, then)

    def single(self, code: Any, given: Any, flags: int) -> Callable[[Any], bool] | None:
        """What one character must be; None for what is more than one."""
        if code not in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
            return None
        if code is op.ANY and flags & re.DOTALL:
            return lambda char: True
        real, known = _single(code, given, flags, self.text), dict[Any, bool]()

        def is_one(char: Any) -> bool:
            if char not in known:
                known[char] = real.match(bytes([char]) if type(char) is int else char) is not None
            return known[char]

        return is_one

    def on_subpattern(self, given: Any, flags: int, then: Then) -> Then:
        number, add, remove, items = given

        def close(at: int) -> int | None:
            before = self.groups.get(number)
            if number is not None:
                self.groups[number] = (self.opened[number], at)
            found = then(at)
            if found is None and number is not None:
                if before is None:
                    self.groups.pop(number, None)
                else:
                    self.groups[number] = before
            return found

        inner = self.sequence(items, (flags | add) & ~remove, close)

        def open_(at: int) -> int | None:
            if number is None:
                return inner(at)
            before = self.opened.get(number, -1)
            self.opened[number] = at
            found = inner(at)
            self.opened[number] = before
            return found

        return open_

    def on_branch(self, given: Any, flags: int, then: Then) -> Then:
        ways = [self.sequence(items, flags, then) for items in given[1]]

        def either(at: int) -> int | None:
            for way in ways:
                self.steps.add()
                if (found := way(at)) is not None:
                    return found
            return None

        return either

    def on_max_repeat(self, given: Any, flags: int, then: Then) -> Then:
        low, high, items = given
        if len(items) == 1 and (one := self.single(*items[0], flags)) is not None:

            def greedy(at: int) -> int | None:
                last = min(self.end, at + int(high))
                stop = at
                while stop < last and one(self.text[stop]):
                    stop += 1
                self.steps.add(stop - at + 1)
                for end in range(stop, at + low - 1, -1):
                    self.steps.add()
                    if (found := then(end)) is not None:
                        return found
                return None

            return greedy
        return self.repeated(low, int(high), items, flags, then, greedy=True)

    def on_min_repeat(self, given: Any, flags: int, then: Then) -> Then:
        low, high, items = given
        return self.repeated(low, int(high), items, flags, then, greedy=False)

    def repeated(
        self, low: int, high: int, items: Any, flags: int, then: Then, *, greedy: bool
    ) -> Then:
        rounds: list[tuple[int, int]] = []  # (how many before, where the round began)

        def again(at: int) -> int | None:
            before, began = rounds[-1]
            if at == began and before >= low:
                return None  # a round that takes nothing leads nowhere
            rounds.append((before + 1, at))
            found = from_here(at)
            rounds.pop()
            return found

        inner = self.sequence(items, flags, again)

        def leave(at: int) -> int | None:
            kept = rounds.pop()
            found = then(at)
            rounds.append(kept)
            return found

        def from_here(at: int) -> int | None:
            self.steps.add()
            count = rounds[-1][0]
            if count < low:
                return inner(at)
            tries = [inner, leave] if greedy else [leave, inner]
            for way in tries:
                if way is inner and count >= high:
                    continue
                if (found := way(at)) is not None:
                    return found
            return None

        def begin(at: int) -> int | None:
            rounds.append((0, -1))
            found = from_here(at)
            rounds.pop()
            return found

        return begin

    def apart(self, items: Any, flags: int) -> Then:
        """What matches without regard to what follows."""
        return self.sequence(items, flags, lambda at: at)

    def on_atomic_group(self, given: Any, flags: int, then: Then) -> Then:
        inner = self.apart(given, flags)

        def once(at: int) -> int | None:
            found = inner(at)
            return None if found is None else then(found)

        return once

    def on_possessive_repeat(self, given: Any, flags: int, then: Then) -> Then:
        return self.on_atomic_group([(op.MAX_REPEAT, given)], flags, then)

    def on_assert(self, given: Any, flags: int, then: Then, wanted: bool = True) -> Then:
        direction, items = given
        width = items.getwidth()[0] if direction < 0 else 0
        inner = self.apart(items, flags)

        def look(at: int) -> int | None:
            self.steps.add()
            seen = at >= width and inner(at - width) is not None
            return then(at) if seen is wanted else None

        return look

    def on_assert_not(self, given: Any, flags: int, then: Then) -> Then:
        return self.on_assert(given, flags, then, wanted=False)

    def on_at(self, given: Any, flags: int, then: Then) -> Then:
        def here(at: int) -> int | None:
            self.steps.add()
            return then(at) if self.stands(given, flags, at) else None

        return here

    def stands(self, what: Any, flags: int, at: int) -> bool:
        text, end = self.text, self.end
        newline = b"\n"[0] if isinstance(text, bytes) else "\n"
        if what in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            lines = what is op.AT_BEGINNING and flags & re.MULTILINE
            return at == 0 or bool(lines and text[at - 1] == newline)
        if what is op.AT_END_STRING:
            return at == end
        if what is op.AT_END:
            if at == end or (flags & re.MULTILINE and text[at] == newline):
                return True
            return at == end - 1 and text[at] == newline
        word = [0 <= n < end and self.is_word(text[n], flags) for n in (at - 1, at)]
        return (word[0] != word[1]) is (what is op.AT_BOUNDARY)

    def is_word(self, char: Any, flags: int) -> bool:
        if isinstance(char, int):
            return bytes([char]).isalnum() or char == ord("_")
        return (char.isalnum() and (char.isascii() or not flags & re.ASCII)) or char == "_"

    def on_groupref(self, given: Any, flags: int, then: Then) -> Then:
        def same(at: int) -> int | None:
            if given not in self.groups:
                return None
            begin, end = self.groups[given]
            self.steps.add(end - begin + 1)
            one, other = self.text[begin:end], self.text[at : at + end - begin]
            if flags & re.IGNORECASE:
                one, other = one.lower(), other.lower()
            return then(at + end - begin) if one == other else None

        return same

    def on_groupref_exists(self, given: Any, flags: int, then: Then) -> Then:
        number, yes, no = given
        ways = [self.sequence(items or [], flags, then) for items in (yes, no)]
        return lambda at: ways[0 if number in self.groups else 1](at)


def _single(code: Any, given: Any, flags: int, text: Any) -> Any:
    """A real pattern for one node of the tree, which takes one character."""
    state = parser.State()
    kept = flags & (re.IGNORECASE | re.ASCII | re.DOTALL)
    state.flags = kept if isinstance(text, bytes) or kept & re.ASCII else kept | re.UNICODE
    state.str = text
    words = _compiler._code(parser.SubPattern(state, [(code, given)]), state.flags)
    return _compiler._sre.compile(text, state.flags, words, 0, {}, (None,))
