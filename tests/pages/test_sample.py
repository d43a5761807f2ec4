"""What a page shows of a run: the layout of its text, verdicts at their places, curves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.models import ScriptedModel
from agentflow.pages.sample import Layout, answers, curves, pieces, sample_of
from agentflow.run import Result
from agentflow.trace import Segment, Trace
from agentflow.trace_file import lean

PUZZLE = "2 4 7 8"


def trace_of(result: Result) -> dict[str, Any]:
    return lean(result.as_dict() | {"events": result.events})


def segment(kind: Any, text: str) -> Segment:
    ends = tuple(range(1, len(text) + 1)) if kind == "generated" else ()
    return Segment(kind, text, tuple(range(len(ends))), ends)


def result_of(trace: Trace, **known: Any) -> Result:
    return Result(None, "exhausted", problem={"text": "p"}, operations=trace.operations, **known)


def verdict(start: int, end: int, ok: bool | None, **more: Any) -> dict[str, Any]:
    state = {"kind": "step", "data": {}, "start": start, "end": end}
    said = {"ok": ok, "reason": "", "evidence": {}, **more}
    return {"type": "verdict", "monitor": "m", "state": state, "verdict": said, "answering": False}


def node(operations: int, name: str = "solve", **more: Any) -> dict[str, Any]:
    base = {"type": "node", "name": name, "inside": "", "seconds": 0.1, "paused": False}
    return base | {"error": "", "operations": operations, **more}


class TestLayout:
    def test_a_cut_is_struck_where_it_stood_and_feedback_follows_it(self) -> None:
        trace = Trace()
        trace.append(segment("prompt", "P"))
        trace.append(segment("generated", "one. two. three."))
        trace.cut(5, "two is wrong")
        trace.append(segment("feedback", "Wait, "))
        trace.append(segment("generated", "four."))
        (track,) = sample_of(lean(result_of(trace).as_dict()))["tracks"]
        assert track["pieces"] == [
            {"k": "prompt", "t": "P"},
            {"k": "generated", "t": "one. "},
            {"k": "generated", "t": "two. three.", "x": 1},
            {"k": "cut", "reason": "two is wrong", "tokens": 11},
            {"k": "feedback", "t": "Wait, "},
            {"k": "generated", "t": "four."},
        ]
        assert track["struck"] == [[6, 17]]
        assert track["feedback"] == [17]
        assert track["length"] == 28

    def test_a_token_cut_in_two_does_not_stand_there_twice(self) -> None:
        trace = Trace()
        trace.append(segment("prompt", "P"))
        trace.append(Segment("generated", "abcdef", (1, 2), (4, 6)))
        trace.cut(2)
        trace.append(segment("feedback", "ab!"))
        (track,) = sample_of(lean(result_of(trace).as_dict()))["tracks"]
        assert [(p["k"], p.get("t")) for p in track["pieces"][1:]] == [
            ("generated", "ab"),
            ("generated", "cdef"),
            ("cut", None),
            ("feedback", "!"),
        ]

    @given(
        st.lists(
            st.one_of(
                st.tuples(
                    st.sampled_from(["generated", "feedback", "marker"]), st.text(max_size=9)
                ),
                st.tuples(st.just("cut"), st.floats(0, 1)),
                st.tuples(st.just("begin"), st.text(max_size=3)),
            ),
            max_size=12,
        ),
        st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=6),
    )
    def test_what_is_not_struck_is_the_body(
        self, steps: list[tuple[str, Any]], places: list[tuple[int, int]]
    ) -> None:
        trace = Trace()
        trace.append(segment("prompt", "P"))
        for kind, what in steps:
            if kind == "cut":
                trace.cut(int(what * len(trace.body)))
            elif kind == "begin":
                trace.begin(segment("prompt", what))
            else:
                trace.append(segment(kind, trace.leftover + what))
        layout = Layout()
        for operation in lean(result_of(trace).as_dict())["operations"]:
            layout.apply(operation)
        assert layout.body == trace.body
        spans = [layout.place(start, start + more) for start, more in places]
        assert all(0 <= start <= end <= layout.length for start, end in spans)
        found = pieces(layout.runs, spans)
        assert len("".join(p.get("t", "") for p in found)) == layout.length
        last = max((n for n, p in enumerate(found) if p["k"] == "begin"), default=0)
        kept = [p["t"] for p in found[last:] if "t" in p and "x" not in p and p["k"] != "prompt"]
        assert "".join(kept) == trace.body
        assert {v for p in found for v in p.get("v", ())} == set(range(len(spans)))


class TestVerdicts:
    def test_verdicts_of_a_cut_text_stay_with_it(self) -> None:
        trace = Trace()
        trace.append(segment("prompt", "P"))
        trace.append(segment("generated", "aabbcc"))
        trace.cut(2)
        trace.append(segment("generated", "dd"))
        events = [
            *(verdict(0, 2, True), verdict(2, 4, False), verdict(4, 6, None)),
            *(node(3), verdict(2, 4, True), node(1)),
        ]
        (track,) = sample_of(lean(result_of(trace, events=events).as_dict() | {"events": events}))[
            "tracks"
        ]
        assert [(p.get("t"), p.get("x"), p.get("v")) for p in track["pieces"][1:]] == [
            ("aa", None, [0]),
            ("bb", 1, [1]),
            ("cc", 1, [2]),
            (None, None, None),
            ("dd", None, [3]),
        ]
        assert [one["ok"] for one in track["verdicts"]] == [True, False, None, True]
        assert [item["type"] for item in track["items"]] == [
            *("node", "verdict", "verdict", "verdict", "node", "verdict")
        ]

    def test_without_events_the_judged_states_are_shown(self) -> None:
        trace = Trace()
        trace.append(segment("prompt", "P"))
        trace.append(segment("generated", "aabb"))
        judged = [{k: v for k, v in verdict(2, 4, False).items() if k != "type"}]
        (track,) = sample_of(lean(result_of(trace, judged=judged).as_dict()))["tracks"]
        assert track["pieces"][-1] == {"k": "generated", "t": "bb", "v": [0]}

    @pytest.mark.usefixtures("slow_verdicts")
    async def test_a_run_with_a_correction(self) -> None:
        begin = "8 / 8 = 2 (left: 2 4 7)\n"
        model = ScriptedModel(f"{begin}and on and on")
        result = await agentflow.asolve(PUZZLE, "interwhen", model=model)
        sample = sample_of(trace_of(result))
        (track,) = sample["tracks"]
        wrong = [p for p in track["pieces"] if p.get("v")]
        assert [p["t"] for p in wrong] == [begin] * 6
        assert [track["verdicts"][p["v"][0]]["ok"] for p in wrong] == [False] * 6
        struck = {p["t"] for p in track["pieces"] if p.get("x")}
        assert struck
        assert all("and on and on".startswith(text) for text in struck)
        kinds = [item["type"] for item in track["items"]]
        assert kinds.count("intervention") == sum(p["k"] == "feedback" for p in track["pieces"])
        assert sample["problem"] == PUZZLE
        assert [i["name"] for i in track["items"] if i["type"] == "node"][:3] == [
            *("prepare", "solve", "refine")
        ]

    def test_samples_side_by_side_are_tracks_of_their_own(self) -> None:
        trace = Trace()
        trace.append(segment("prompt", "P"))
        other = Trace(trace.operations)
        trace.append(segment("generated", "ab"))
        other.append(segment("generated", "cd"))
        samples = [
            {"branch": 1, "answer": "2", "judged": [], "operations": other.operations}
            | {"steps": ["c", "no step of it"], "scores": [0.9, 0.2]},
            {"branch": 0, "answer": None, "judged": [], "operations": trace.operations},
        ]
        events = [
            *(verdict(0, 2, True), node(1, inside="sample")),
            *(node(1, inside="sample", branch=1), node(0, "sample", branch=1), node(1, "vote")),
        ]
        result = result_of(other, samples=samples)
        found = sample_of(lean(result.as_dict() | {"events": events}))
        assert (found["chosen"], found["path"]) == (1, ["sample", "vote"])
        first, second = found["tracks"]
        assert [p.get("t") for p in first["pieces"]] == ["P", "ab"]
        assert [one["ok"] for one in first["verdicts"]] == [True]
        assert [(p.get("t"), p.get("v")) for p in second["pieces"][1:]] == [("c", [0]), ("d", None)]
        assert second["verdicts"][0]["score"] == 0.9
        assert second["items"][-1] == {"type": "step", "text": "no step of it", "score": 0.2}


def test_curves_and_candidate_answers_along_a_trace() -> None:
    def at(place: int, **signals: Any) -> dict[str, Any]:
        rules = {"entropy": {"variance": 0.5}} if "entropy" in signals else {}
        evidence = {"signals": signals, "rules": rules}
        return {"at": place, "data": {"tokens": 10 * place}, "evidence": evidence}

    verdicts = [
        at(1, entropy=0.7, answers=["4", "5", "4"]),
        {"at": 2, "data": {"answer": "5"}, "score": 0.25},
        at(3, entropy=0.2, answers=[None, None, "4"]),
    ]
    found = {curve["name"]: curve for curve in curves(verdicts)}
    assert found["entropy"]["points"] == [[1, 0.7, 10], [3, 0.2, 30]]
    assert found["variance"]["points"] == [[1, 0.5, 10], [3, 0.5, 30]]
    assert found["distinct answers"]["points"] == [[1, 2, 10], [3, 2, 30]]
    assert found["variance"]["log"]
    assert "score" not in found  # a single point is no curve
    assert answers(verdicts) == [[1, "4", 0], [2, "5", 1]]
