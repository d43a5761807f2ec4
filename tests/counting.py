"""What a function does, counted: lines of the package that run, and characters that its regular
expressions look at. The count is the same on every machine, however busy.

A regular expression is followed by a backtracking matcher of our own, beside the real one: it takes
the tree that ``re`` parses, tries what ``re`` tries, and counts each attempt. What it finds is
compared with what ``re`` found.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from matcher import Matcher, Steps

_MATCHERS: dict[Any, Matcher] = {}


class Counted:
    """A compiled pattern that counts what it does."""

    def __init__(self, real: re.Pattern[Any], steps: Steps) -> None:
        self._real, self._steps = real, steps
        if real not in _MATCHERS:
            _MATCHERS[real] = Matcher(real)
        self._matcher = _MATCHERS[real]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _one(self, how: str, text: Any, pos: int, end: int) -> Any:
        found = getattr(self._real, how)(text, pos, end)
        end, pos = min(end, len(text)), min(pos, len(text))
        at = self._matcher.attempt(text, end, pos, self._steps, how == "fullmatch")
        assert at == (None if found is None else found.end()), (self._real, text[:200], pos)
        return found

    def match(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        return self._one("match", string, pos, endpos)

    def fullmatch(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        return self._one("fullmatch", string, pos, endpos)

    def search(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        found = self._real.search(string, pos, endpos)
        self._tried(string, min(endpos, len(string)), pos, found)
        return found

    def _tried(self, text: Any, end: int, begin: int, found: Any) -> int:
        """Where the search goes on behind what it found."""
        last = end if found is None else found.start()
        for at in range(begin, last):
            got = self._matcher.attempt(text, end, at, self._steps)
            assert got is None, (self._real, text[:200], at)
        if found is None:
            return end
        got = self._matcher.attempt(text, end, last, self._steps)
        assert got == found.end() or found.end() == last
        return int(found.end()) + (found.end() == last)

    def finditer(self, string: Any, *place: int) -> Iterator[Any]:
        at = place[0] if place else 0
        for found in self._real.finditer(string, *place):
            at = self._tried(string, len(string), min(at, found.start()), found)
            yield found
        self._tried(string, len(string), at, None)

    def _all(self, text: Any) -> None:
        for _ in self.finditer(text):
            pass

    def findall(self, string: Any, *place: int) -> Any:
        self._all(string)
        return self._real.findall(string, *place)

    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        self._all(string)
        return self._real.sub(repl, string, count)

    def subn(self, repl: Any, string: Any, count: int = 0) -> Any:
        self._all(string)
        return self._real.subn(repl, string, count)

    def split(self, string: Any, maxsplit: int = 0) -> Any:
        self._all(string)
        return self._real.split(string, maxsplit)


def _replaced(value: Any, steps: Steps) -> Any:
    """A value with counting patterns in the place of others; itself if it holds none."""
    if isinstance(value, re.Pattern):
        return Counted(value, steps)
    if isinstance(value, types.BuiltinMethodType) and isinstance(value.__self__, re.Pattern):
        return getattr(Counted(value.__self__, steps), value.__name__)
    if type(value) in (list, tuple) and any(_holds(one) for one in value):
        return type(value)(_replaced(one, steps) for one in value)
    if type(value) is dict and any(_holds(one) for one in value.values()):
        return {key: _replaced(one, steps) for key, one in value.items()}
    return value


def _holds(value: Any) -> bool:
    if isinstance(value, re.Pattern):
        return True
    if type(value) in (list, tuple):
        return any(map(_holds, value))
    return type(value) is dict and any(map(_holds, value.values()))


@contextmanager
def _counting_patterns(steps: Steps) -> Iterator[None]:
    """Every pattern of the package, and every one that is made meanwhile."""
    changed: list[tuple[Any, str, Any]] = []
    for name, module in list(sys.modules.items()):
        if not name.startswith("agentflow.") or module is None:
            continue
        inside = [one for one in vars(module).values() if isinstance(one, type)]
        for place in [module, *(one for one in inside if one.__module__ == name)]:
            for key, value in list(vars(place).items()):
                new = _replaced(value, steps)
                if new is not value:
                    changed.append((place, key, value))
                    setattr(place, key, new)
    compile_ = re._compile  # type: ignore[attr-defined]

    def compiled(pattern: Any, flags: int) -> Any:
        if isinstance(pattern, Counted):
            return pattern
        return Counted(compile_(pattern, flags), steps)

    re._compile = compiled  # type: ignore[attr-defined]
    try:
        yield
    finally:
        re._compile = compile_  # type: ignore[attr-defined]
        for place, key, value in reversed(changed):
            setattr(place, key, value)


@contextmanager
def counting_lines(steps: Steps) -> Iterator[None]:
    """Count the lines of the package that run."""

    def local(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            steps.add()
        return local

    def called(frame: Any, event: str, _: Any) -> Any:
        return local if frame.f_globals.get("__name__", "").startswith("agentflow.") else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)


def steps(function: Callable[[], object]) -> int:
    """How many lines a function runs and how many characters its patterns look at."""
    counted = Steps()
    with _counting_patterns(counted), counting_lines(counted):
        function()
    return counted.taken


def is_linear(function: Callable[[int], object], size: int = 60, factor: int = 4) -> None:
    """Assert that what a function does grows no faster than the size it is given.

    Args:
        size: Of the first try, large enough that what is done once does not count.
        factor: How much larger the second is. A cost that grows with the square grows by the
            square of it.
    """
    function(1)  # what is loaded and remembered at the first time
    small, large = (steps(lambda n=n: function(n)) for n in (size, factor * size))  # type: ignore[misc]
    assert large <= 1.5 * factor * small, f"{small:,} steps for {size}, {large:,} for {factor}-fold"
