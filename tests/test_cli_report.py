"""report, view, and pages of a run from solve, on the command line."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.errors import ModelUnavailable
from agentflow.evaluation import traces
from agentflow.evaluation.runner import load
from agentflow.models import Fault, ScriptedModel

CLAIM = "Answer: ( 1 + 1 ) * ( 13 - 1 ) = 24\n"
SCRIPT = f" 1 1 1 13 : 13 - 1 = 12 -> 1 1 12\n{CLAIM}</think>\n{CLAIM}"
ARMS = ("direct", "steps=interwhen")


def run(*arguments: str | Path) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    return CliRunner().invoke(app, [str(one) for one in arguments])


@pytest.fixture
def model(play: Any) -> ScriptedModel:
    """Every model is one that plays the script."""
    return play(SCRIPT)


def evaluated(out: Path, *more: str) -> Any:
    return run("eval", *ARMS, "--out", out, "--limit", "3", *more)


def test_a_report_on_what_eval_wrote(model: ScriptedModel, tmp_path: Path) -> None:
    out = tmp_path / "runs" / "r.jsonl"
    assert evaluated(out).exit_code == 0
    kept = {record.extra["trace"] for record in load(out)}
    assert {path.name for path in traces.folder_of(out).iterdir()} == kept
    assert len(kept) == 6
    done = run("report", tmp_path / "runs", "--out", tmp_path / "new" / "report")
    assert done.exit_code == 0, done.stderr
    folder = tmp_path / "new" / "report"
    assert f"wrote {folder / 'index.html'}" in done.stderr
    assert done.stdout == (folder / "report.md").read_text()
    assert "Unfinished" not in done.stdout
    assert "No F_theo and S_CI for direct, steps: scripted does not say" in done.stdout
    rows = list(csv.DictReader((folder / "report.csv").open()))
    assert [(row["arm"], row["runs"], row["verified"]) for row in rows] == [
        ("direct", "3", rows[0]["verified"]),
        ("steps", "3", rows[1]["verified"]),
    ]
    assert float(rows[0]["accuracy"]) == pytest.approx(1 / 3)
    assert float(rows[0]["tokens"]) == float(rows[0]["tokens_solver"]) > 0
    for name in ("accuracy", "roles", "difficulty"):
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    page = (folder / "index.html").read_text()
    for path in (folder / "samples").iterdir():
        assert path.stem in page
        assert path.read_text().startswith(f'agentflowSample("{path.stem}", {{')
    assert len(list((folder / "samples").iterdir())) == 6
    assert page.count("<svg") == 3 + 2  # the plots, and an interval an arm


def test_a_model_without_a_name(model: ScriptedModel, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    evaluated(out)
    out.write_text(out.read_text().replace('"model": "embedded"', '"model": null'))
    done = run("report", out, "--out", tmp_path / "report")
    assert (done.exit_code, done.stderr[-11:]) == (0, "index.html\n")


def test_a_run_that_is_not_whole_says_so(model: ScriptedModel, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    evaluated(out)
    out.write_text("".join(out.read_text().splitlines(keepends=True)[:-1]))
    done = run("report", out, "--out", tmp_path / "report", "--json")
    found = json.loads(done.stdout)
    assert found["unfinished"] == ["steps"]
    assert [arm["runs"] for arm in found["arms"]] == [3, 2]
    assert "Unfinished: steps has 2 of 3 runs." in (tmp_path / "report" / "index.html").read_text()
    assert evaluated(out, "--resume").exit_code == 0
    again = run("report", out, "--out", tmp_path / "report", "--json")
    assert json.loads(again.stdout)["unfinished"] == []


def test_without_traces_there_is_the_text(model: ScriptedModel, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    evaluated(out, "--no-traces")
    assert not traces.folder_of(out).exists()
    run("report", out, "--out", tmp_path / "report")
    page = (tmp_path / "report" / "index.html").read_text()
    assert "6 samples have no trace" in page
    assert all(
        "13 - 1 = 12" in path.read_text() for path in (tmp_path / "report/samples").iterdir()
    )


def test_a_trace_that_cannot_be_written_loses_no_record(
    model: ScriptedModel, tmp_path: Path
) -> None:
    out = tmp_path / "r.jsonl"
    traces.folder_of(out).write_text("in the way")
    assert evaluated(out).exit_code == 0
    assert ["File exists" in record.extra["lost"] for record in load(out)] == [True] * 6


def test_resuming_on_another_dataset_is_refused(model: ScriptedModel, tmp_path: Path) -> None:
    evaluated(tmp_path / "r.jsonl")
    (tmp_path / "d.jsonl").write_text('{"text": "2 4 7 8"}\n')
    model.requests.clear()
    done = evaluated(tmp_path / "r.jsonl", "--resume", "--dataset", str(tmp_path / "d.jsonl"))
    assert (done.exit_code, model.requests) == (2, [])
    assert "was begun on the dataset game24" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("report", "{}/none"), "no such file or folder"),
        (("report", "{}/empty"), "no records (*.jsonl) in it"),
        (("report", "{}/text.jsonl"), "text.jsonl: no records of `agentflow eval`"),
        (("report", "{}/r.jsonl", "--out", "{}"), "has other things in it and no report"),
        (("report", "{}/r.jsonl", "--out", "{}/text.jsonl"), "is a file; a report is a folder"),
        (("report", "{}/failed.jsonl", "--out", "{}/x"), "no run has finished"),
        (("view", "{}/none"), "cannot be read"),
        (("view", "{}/text.jsonl"), "not a JSON object"),
        (("view", "{}/r.jsonl"), "`agentflow report` shows a file of records"),
        (("solve", "1 1 1 13", "--html", "{}/none/p.html", "--quiet"), "there is no folder"),
        (("solve", "1 1 1 13", "--html", "{}", "--quiet"), "is a folder; name a file in it"),
        (("view", "{}/none", "--html", "{}/none/p.html"), "there is no folder"),
        (("eval", "direct", "--out", "{}", "--resume"), "is a folder; name a file in it"),
        (
            ("eval", "direct", "--out", "{}/text.jsonl/r.jsonl"),
            "text.jsonl is a file, not a folder",
        ),
        (
            ("eval", "a=direct:k=2", "--out", "{}/x.jsonl"),
            "write settings as NAME=METHOD;KEY=VALUE",
        ),
        (("compare", "{}/none", "{}/none"), "cannot be read"),
    ],
)
def test_bad_input_is_one_line(
    model: ScriptedModel, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    evaluated(tmp_path / "r.jsonl")
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.jsonl").write_text("hello\n")
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    failed = [line | {"status": "failed"} if "status" in line else line for line in lines]
    (tmp_path / "failed.jsonl").write_text("".join(json.dumps(one) + "\n" for one in failed))
    done = run(*(one.replace("{}", str(tmp_path)) for one in arguments))
    assert done.exit_code == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_solve_writes_a_page_and_what_view_makes_one_of(
    model: ScriptedModel, tmp_path: Path
) -> None:
    done = run("solve", "1 1 1 13", "--json", "--html", tmp_path / "p.html")
    (tmp_path / "r.json").write_text(done.stdout)
    events = json.loads(done.stdout)["events"]
    assert {"node", "verdict", "usage"} <= {event["type"] for event in events}
    shown = run("view", tmp_path / "r.json", "--html", tmp_path / "q.html")
    assert (shown.exit_code, shown.stderr) == (0, f"wrote {tmp_path / 'q.html'}\n")
    assert (tmp_path / "p.html").read_text() == (tmp_path / "q.html").read_text()
    assert "13 - 1 = 12" in (tmp_path / "p.html").read_text()


def test_view_opens_a_trace_of_eval(
    model: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    evaluated(tmp_path / "r.jsonl")
    done = run("view", next((tmp_path / "r.traces").iterdir()))
    (uri,) = opened
    assert Path(uri.removeprefix("file://")).read_text().startswith("<!doctype html>")
    assert done.stderr == f"wrote {uri.removeprefix('file://')}\n"
    os.unlink(uri.removeprefix("file://"))


def test_a_run_that_broke_off_has_a_page_too(
    model: ScriptedModel, tmp_path: Path, play: Any
) -> None:
    play([Fault(ModelUnavailable("nobody there"))])
    done = run("solve", "1 1 1 13", "--html", tmp_path / "p.html")
    assert done.exit_code == 3
    assert "nobody there" in (tmp_path / "p.html").read_text()


def test_two_runs_of_one_problem_beside_each_other(model: ScriptedModel, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.json" for name in ("direct", "interwhen", "other")]
    problems = ("1 1 1 13", "1 1 1 13", "4 7 8 8")
    for file, problem in zip(files, problems, strict=True):
        method = "direct" if file.stem == "other" else file.stem
        file.write_text(run("solve", problem, "--json", "--method", method).stdout)
    page = tmp_path / "p.html"
    done = run("compare", files[0], files[1], "--html", page)
    assert (done.exit_code, done.stderr) == (0, f"wrote {page}\n")
    assert "<title>direct beside interwhen</title>" in page.read_text()
    files[1].write_text(json.dumps(json.loads(files[1].read_text()) | {"method": 3}))
    assert run("compare", files[0], files[1], "--html", page).exit_code == 0
    done = run("compare", files[0], files[2], "--html", page)
    assert done.exit_code == 2
    assert "are runs of two problems, '1 1 1 13' and '4 7 8 8'" in done.stderr


def test_a_result_names_its_model_and_settings(model: ScriptedModel) -> None:
    done = json.loads(run("solve", "1 1 1 13", "--json", "--set", "max_corrections=2").stdout)
    assert done["model"] == "scripted"
    assert done["settings"]["max_corrections"] == 2
