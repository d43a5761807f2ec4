from __future__ import annotations

from dataclasses import asdict, fields

from hypothesis import given
from hypothesis import strategies as st

from agentflow.ledger import Entries, Entry, by_role, merge, record, total

COUNT = st.integers(0, 10**6)
ENTRY = st.builds(
    Entry,
    st.sampled_from(["solver", "probe", "prm", "tool:python"]),
    calls=COUNT,
    prompt=COUNT,
    cached=COUNT,
    generated=COUNT,
    wasted=COUNT,
    seconds=COUNT.map(float),  # whole seconds add up exactly, in any order
)
LEDGER = st.dictionaries(st.text(max_size=3), ENTRY.map(asdict), max_size=6)


def test_a_call_is_recorded_under_its_id() -> None:
    assert record("solver/0/1", Entry("solver", prompt=9, generated=4)) == {
        "solver/0/1": {
            "role": "solver",
            "calls": 1,
            "prompt": 9,
            "cached": 0,
            "generated": 4,
            "wasted": 0,
            "seconds": 0.0,
            "cost": 0.0,
            "until": 0.0,
            "reasoning": 0,
            "estimated": 0,
        }
    }


def test_the_same_call_written_twice_counts_once() -> None:
    once = record("a", Entry("solver", generated=5, wasted=2))
    assert total(merge(once, [once])) == Entry("total", 1, generated=5, wasted=2)


def test_branches_add_up() -> None:
    left = record("0", Entry("solver", generated=5, wasted=2, seconds=1.5))
    right = record("1", Entry("solver", generated=7, seconds=0.5))
    probe = record("2", Entry("probe", prompt=3, generated=1))
    sums = by_role(merge({}, [left, right, probe]))
    assert sums == {
        "solver": Entry("solver", 2, generated=12, wasted=2, seconds=2.0),
        "probe": Entry("probe", 1, prompt=3, generated=1),
    }


def test_an_empty_ledger_costs_nothing() -> None:
    assert total({}) == Entry("total", 0)
    assert by_role({}) == {}


@given(LEDGER, st.lists(st.sets(st.integers(0, 5)), max_size=5))
def test_merging_parts_in_any_order_and_any_number_of_times_gives_the_whole(
    whole: Entries, parts: list[set[int]]
) -> None:
    ids = list(whole)
    pieces = [{ids[i]: whole[ids[i]] for i in part if i < len(ids)} for part in parts]
    merged = merge({}, pieces)
    assert merged == merge({}, list(reversed(pieces)))
    assert merged == merge(merged, [merged])
    assert merged == {
        ids[i]: whole[ids[i]] for i in range(len(ids)) if any(i in part for part in parts)
    }


@given(LEDGER)
def test_the_total_is_the_sum_of_the_roles_and_of_the_calls(entries: Entries) -> None:
    for name in (field.name for field in fields(Entry) if field.name != "role"):
        everything = sum(entry[name] for entry in entries.values())
        assert getattr(total(entries), name) == everything
        assert sum(getattr(entry, name) for entry in by_role(entries).values()) == everything


def test_merge_changes_neither_side() -> None:
    left, right = record("a", Entry("solver")), record("b", Entry("probe"))
    merge(left, [right])
    assert (list(left), list(right)) == (["a"], ["b"])
