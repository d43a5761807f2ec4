"""Which records may stand in one report."""

from __future__ import annotations

import errno
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from agentflow.errors import BadInput
from agentflow.evaluation import plan
from agentflow.evaluation.collected import collect
from agentflow.evaluation.compute import Size
from agentflow.evaluation.plan import Plan
from agentflow.evaluation.records import Arm, arm_line
from agentflow.evaluation.runner import Record
from agentflow.files import unwritable
from agentflow.models import ScriptedModel


def write(path: Path, arm: str = "a", problems: str = "pq", **line: Any) -> Path:
    lines = [{**arm_line(arm, "direct", {}, "m"), **line}]
    for problem in problems:
        plain = Record(arm, problem, 0, "unverified", "4", True, 1, 0, 1, 1, 0, 1.0, None, "")
        lines.append(asdict(plain))
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def full(path: Path, data: bytes) -> None:
    raise unwritable(path, OSError(errno.ENOSPC, "No space left on device"))


def test_files_and_folders_are_one_comparison(tmp_path: Path) -> None:
    write(tmp_path / "one" / "r.jsonl")
    found = collect([tmp_path / "one", write(tmp_path / "s.jsonl", "b", "qr")])
    assert {arm: len(records) for arm, records in found.records.items()} == {"a": 2, "b": 2}
    assert found.traces["a"] == tmp_path / "one" / "r.traces"
    assert found.unfinished == {"a": (2, 3, 0), "b": (2, 3, 0)}
    assert collect([tmp_path / "one", tmp_path / "one" / "r.jsonl"]).unfinished == {}


def test_what_was_planned_tells_what_is_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl")
    plan.begin(path, "game24", {"a": 2})
    assert collect([path]).unfinished == {}
    plan.begin(path, "game24", {"a": 5, "b": 5})
    found = collect([path])
    assert found.unfinished == {"a": (2, 5, 0)}
    assert found.dataset == "game24"


def test_a_line_that_is_being_written_is_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl")
    path.write_text(path.read_text() + '{"arm": "a", "prob')
    assert len(collect([path]).records["a"]) == 2


class TestRefused:
    def refused(self, *paths: Path) -> str:
        with pytest.raises(BadInput) as refused:
            collect(paths)
        return str(refused.value)

    def test_what_is_not_there(self, tmp_path: Path) -> None:
        assert "no such file or folder" in self.refused(tmp_path / "none")
        assert "no records (*.jsonl) in it" in self.refused(tmp_path)

    @pytest.mark.parametrize(
        "content", ["", "{}\n", "hello\n", '{"describes"}\n', '{"describes": 1}\n']
    )
    def test_what_is_no_file_of_records(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "r.jsonl").write_text(content)
        assert "r.jsonl" in self.refused(tmp_path)

    def test_a_run_of_which_nothing_has_come_yet(self, tmp_path: Path) -> None:
        assert "no records of `agentflow eval` yet" in self.refused(
            write(tmp_path / "r", problems="")
        )

    def test_another_version(self, tmp_path: Path) -> None:
        write(tmp_path / "r.jsonl", version="0.0.1")
        other = write(tmp_path / "s.jsonl", "b", version="0.0.2")
        said = self.refused(tmp_path / "r.jsonl", other)
        assert "s.jsonl: its runs are of agentflow 0.0.1 and 0.0.2" in said

    def test_another_dataset(self, tmp_path: Path) -> None:
        one, other = write(tmp_path / "r.jsonl"), write(tmp_path / "s.jsonl", "b", "xy")
        assert "no problem in common" in self.refused(one, other)
        plan.begin(one, "game24", {"a": 2})
        plan.begin(other, "math500", {"b": 2})
        assert "is on the dataset math500" in self.refused(one, other)

    def test_a_dataset_that_has_changed_between_them(self, tmp_path: Path) -> None:
        one, other = write(tmp_path / "r.jsonl"), write(tmp_path / "s.jsonl", "b")
        for path, source in ((one, "1"), (other, "2")):
            first, *records = map(json.loads, path.read_text().splitlines())
            lines = [first, *(record | {"extra": {"source": source}} for record in records)]
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        said = self.refused(one, other)
        assert "s.jsonl: its problem 'p' has another gold answer" in said
        assert "\n" not in said
        old = write(tmp_path / "t.jsonl", "c")  # of a version that kept no fingerprint
        assert list(collect([one, old]).records) == ["a", "c"]

    @pytest.mark.parametrize("method", ["verifiagent", "flex", "domain"])
    def test_records_of_a_verifier(self, tmp_path: Path, method: str) -> None:
        said = self.refused(write(tmp_path / "r.jsonl", method=method))
        assert "r.jsonl: verdicts of a verifier" in said
        assert "--resume" in said

    def test_an_arm_of_the_same_name(self, tmp_path: Path) -> None:
        said = self.refused(write(tmp_path / "r.jsonl"), write(tmp_path / "s.jsonl"))
        assert "the arm 'a' is in" in said


class TestPlan:
    def test_another_dataset_is_refused_before_anything_runs(self, tmp_path: Path) -> None:
        write(tmp_path / "r.jsonl")
        plan.begin(tmp_path / "r.jsonl", "game24", {"a": 2})
        with pytest.raises(BadInput, match="was begun on the dataset game24, not math500"):
            plan.begin(tmp_path / "r.jsonl", "math500", {"a": 2})

    def test_the_same_plan_needs_no_room_on_a_full_disk(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        out = tmp_path / "r.jsonl"
        plan.begin(out, "game24", {"a": 2})
        out.touch()
        monkeypatch.setattr(plan, "write_whole", full)
        plan.begin(out, "game24", {"a": 2})
        with pytest.raises(BadInput, match="make room"):
            plan.begin(out, "game24", {"b": 2})

    def test_what_a_start_that_failed_planned_counts_for_nothing(self, tmp_path: Path) -> None:
        plan.begin(tmp_path / "r.jsonl", "game24", {"a": 2})
        plan.begin(tmp_path / "r.jsonl", "math500", {"b": 2})
        write(tmp_path / "r.jsonl", "b")
        assert plan.read(tmp_path / "r.jsonl") == Plan("math500", {"b": 2})

    @pytest.mark.parametrize(
        "content",
        [
            "[1]",
            "[" * 100_000,
            '{"dataset": 1, "runs": {}, "sizes": {}}',
            '{"dataset": "x", "runs": {"a": "2"}, "sizes": {}}',
            '{"dataset": "x", "runs": {"a": null}, "sizes": {}}',
            '{"dataset": "x", "runs": {}, "sizes": {"a": {"solver": 3}}}',
            '{"dataset": "x", "runs": {}, "sizes": {"a": {"solver": {"parameters": 7.0}}}}',
            '{"dataset": "x", "runs": {}, "sizes": {"a": {"solver": {"parameters": "7", "context":'
            " 9}}}}",
            '{"dataset": "x", "runs": {}, "sizes": {"a": {"solver": {"parameters": 7, "context":'
            " null}}}}",
        ],
    )
    def test_what_is_no_plan(self, tmp_path: Path, content: str) -> None:
        write(tmp_path / "r.jsonl")
        (tmp_path / "r.plan.json").write_text(content)
        with pytest.raises(BadInput, match=r"r\.plan\.json: no plan of a run; remove it"):
            plan.read(tmp_path / "r.jsonl")

    async def test_a_team_has_no_one_size(self, tmp_path: Path) -> None:
        out, arm = tmp_path / "r.jsonl", Arm("a", "sampling", {"team": ["x.gguf", "y.gguf"]})
        plan.begin(out, "game24", {"a": 1})

        async def run() -> None:
            write(out)

        await plan.sized(run(), out, [arm], "m")
        found = plan.read(out)
        assert found is not None
        assert found.sizes["a"]["solver"] == (
            "several models solve by turns, and none has the size of all"
        )

    async def test_sizes_are_written_behind_the_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def connect(at: Any, **more: Any) -> ScriptedModel:
            if at != "m":
                raise BadInput("nobody there")
            return ScriptedModel("", name="tiny")

        monkeypatch.setattr("agentflow.models.connect", connect)
        monkeypatch.setattr(plan, "_size", lambda model: Size(7.0, 100))
        out = tmp_path / "r.jsonl"
        plan.begin(out, "game24", {"a": 1})

        async def run() -> int:
            write(out)
            return 3

        arm = Arm("a", "solve_detect_verify", {"roles": {"verifier": "gone"}})
        assert await plan.sized(run(), out, [arm], "m") == 3
        found = plan.read(out)
        assert found == Plan(
            "game24",
            {"a": 1},
            {
                "a": {
                    "solver": Size(7.0, 100),
                    **dict.fromkeys(plan.COUNTED_AS["verifier"], "nobody there"),
                }
            },
        )
