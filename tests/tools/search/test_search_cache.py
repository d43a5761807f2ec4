from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentflow.tools.search import Cache, Hit, cache

HITS = [Hit("Paris", "a.md", "A city — of France 🙂", 1.5), Hit("", "", "", None)]


class Clock:
    now = 1_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(cache, "time", clock)
    return clock


@pytest.mark.parametrize("file", [None, "answers.sqlite"])
def test_an_answer_comes_back_as_it_was(tmp_path: Path, file: str | None) -> None:
    kept = Cache(file and tmp_path / file)
    assert kept.get("web", "paris", 5) is None
    kept.put("web", "paris", 5, HITS)
    assert kept.get("web", "paris", 5) == HITS
    assert kept.get("web", "paris", 4) is None
    assert kept.get("web", "Paris", 5) is None
    assert kept.get("local", "paris", 5) is None
    kept.put("web", "paris", 5, HITS[:1])
    assert kept.get("web", "paris", 5) == HITS[:1]


def test_an_old_answer_is_none(clock: Clock) -> None:
    kept = Cache(seconds=60)
    kept.put("web", "paris", 5, HITS)
    clock.now += 59
    assert kept.get("web", "paris", 5) == HITS
    clock.now += 2
    assert kept.get("web", "paris", 5) is None
    clock.now -= 100  # a clock that was set back
    assert kept.get("web", "paris", 5) is None


def test_what_was_not_asked_for_longest_goes_first(clock: Clock) -> None:
    kept = Cache(size=2)
    for query in ("one", "two"):
        clock.now += 1
        kept.put("web", query, 5, HITS)
    clock.now += 1
    assert kept.get("web", "one", 5) == HITS
    clock.now += 1
    kept.put("web", "three", 5, HITS)
    assert kept.get("web", "two", 5) is None
    assert kept.get("web", "one", 5) == kept.get("web", "three", 5) == HITS


def test_a_file_outlives_its_cache(tmp_path: Path) -> None:
    Cache(tmp_path / "a.sqlite").put("web", "paris", 5, HITS)
    assert Cache(tmp_path / "a.sqlite").get("web", "paris", 5) == HITS


def test_a_file_that_cannot_be_used_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_bytes(b"no database, but long enough to be looked at" * 40)
    for kept in (Cache(tmp_path / "a.sqlite"), Cache(tmp_path / "no" / "a.sqlite")):
        kept.put("web", "paris", 5, HITS)
        assert kept.get("web", "paris", 5) is None


def test_many_threads_share_it(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "a.sqlite", size=10)
    barrier = threading.Barrier(8)

    def use(number: int) -> None:
        barrier.wait()
        for turn in range(20):
            kept.put("web", f"{number} {turn}", 5, HITS)
            kept.get("web", f"{number - 1} {turn}", 5)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(8)))
    left = [n for n in range(8) for turn in range(20) if kept.get("web", f"{n} {turn}", 5)]
    assert len(left) == 10
