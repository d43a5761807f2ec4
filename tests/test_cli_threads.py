"""Threads and settings files on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow import backoff, models
from agentflow.cli import app
from agentflow.errors import StreamBroken
from agentflow.models import Fault
from agentflow.models.scripted import Reply

RIGHT = (
    " 4 7 8 8 : 8 / 8 = 1 -> 1 4 7\n 1 4 7 : 7 - 1 = 6 -> 4 6\n 4 6 : 6 * 4 = 24 -> 24\n"
    "</think>\nAnswer: ( 7 - ( 8 / 8 ) ) * 4 = 24\n"
)
WRONG = " 4 7 8 8 : 8 / 8 = 2 -> 2 4 7\n"


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTFLOW_CHECKPOINTS", str(tmp_path / "threads.sqlite"))
    monkeypatch.delenv("AGENTFLOW_SETTINGS", raising=False)
    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.0)


def run(*arguments: str) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``; interwhen solves."""
    if arguments[:1] == ("solve",) and "--method" not in arguments:
        arguments = (*arguments, "--method", "interwhen")
    return CliRunner().invoke(app, list(arguments))


def corrected(prompt: str) -> Reply:
    return RIGHT if "Wait," in prompt else WRONG


def leaving(prompt: str) -> Reply:
    """The server goes behind the first correction, for good."""
    return [Fault(StreamBroken("the server left"))] if "Wait," in prompt else WRONG


# Threads


def test_a_thread_is_written_down_listed_and_looked_back_at(play: Any) -> None:
    play(corrected)
    assert run("history").stdout == ""
    assert run("solve", "4 7 8 8", "--thread", "mine").exit_code == 0
    (listed,) = run("history").stdout.splitlines()
    assert listed.split()[1:] == ["interwhen", "mine"]
    done = run("history", "mine")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 7
    assert lines[0].endswith("0 tokens   0 corrections  prepare   begun")
    assert "refine    step_verifier: 8 / 8 is 1 , not 2" in lines[2]
    assert lines[-1].endswith("1 corrections  end       verified ( 7 - ( 8 / 8 ) ) * 4")


def test_a_thread_used_again_says_how_both_runs_are_seen(play: Any, tmp_path: Path) -> None:
    play(corrected)
    given = ["mine", "--checkpoints", str(tmp_path / "threads.db")]
    assert run("solve", "4 7 8 8", "--thread", *given).stderr.count("had a run before") == 0
    again = run("solve", "4 7 8 8", "--thread", *given)
    assert f"`agentflow history {' '.join(given)}` shows both" in again.stderr
    assert run("history", *given).exit_code == 0


def test_history_as_json(play: Any) -> None:
    play(corrected)
    run("solve", "4 7 8 8", "--thread", "mine")
    (listed,) = json.loads(run("history", "--json").stdout)
    assert (listed["thread"], listed["method"]) == ("mine", "interwhen")
    entries = json.loads(run("history", "mine", "--json").stdout)
    assert set(entries[0]) == {
        *("run", "checkpoint", "forked", "at", "next", "generated", "corrections", "what")
    }
    assert [one["next"] for one in entries][-2:] == [["finish"], []]


def test_a_lost_server_names_the_command_that_goes_on(play: Any, tmp_path: Path) -> None:
    play(leaving)
    done = run("solve", "4 7 8 8", "--thread", "my run")
    assert done.exit_code == 3
    assert done.stderr == "error: the server left; `agentflow resume 'my run'` goes on\n"
    again = run("resume", "my run")
    assert (again.exit_code, again.stderr) == (3, done.stderr)
    elsewhere = str(tmp_path / "other.sqlite")
    done = run("solve", "4 7 8 8", "--thread", "t", "--checkpoints", elsewhere, "--json")
    assert done.stderr.endswith(f"; `agentflow resume t --checkpoints {elsewhere}` goes on\n")
    result = json.loads(done.stdout)
    assert result["status"] == "exhausted"
    assert result["error"] == result["reason"] == "the server left"
    alone = run("solve", "4 7 8 8")
    assert (alone.exit_code, alone.stderr) == (3, "error: the server left\n")


def test_resume_shows_what_stood_and_the_rest(play: Any) -> None:
    model = play(leaving)
    begun = run("solve", "4 7 8 8", "--thread", "t")
    assert "Wait, 8 / 8 is 1 , not 2" in begun.stdout
    model._script = corrected
    asked = len(model.requests)
    done = run("resume", "t")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[:3] == [WRONG.rstrip(), "Wait, 8 / 8 is 1 , not 2", RIGHT.splitlines()[0]]
    assert "status  verified (by game24)" in lines
    assert "        corrections: 1" in lines
    assert len(model.requests) == asked + 1
    assert "\0" not in done.stdout


def test_resume_as_json_and_quietly(play: Any) -> None:
    model = play(leaving)
    run("solve", "4 7 8 8", "--thread", "one")
    run("solve", "4 7 8 8", "--thread", "two")
    again = run("resume", "one", "--json")
    partial = json.loads(again.stdout)
    assert (again.exit_code, partial["status"]) == (3, "exhausted")
    assert partial["text"] == WRONG + "Wait, 8 / 8 is 1 , not 2\n"
    model._script = corrected
    done = run("resume", "one", "--json")
    result = json.loads(done.stdout)
    assert (done.exit_code, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert (result["status"], result["corrections"]) == ("verified", 1)
    assert result["problem"]["text"] == "4 7 8 8"
    quiet = run("resume", "two", "--quiet")
    assert quiet.stdout == "answer  ( 7 - ( 8 / 8 ) ) * 4\nstatus  verified (by game24)\n"


def test_resuming_an_ended_run_gives_its_result_again(play: Any) -> None:
    model = play(corrected)
    first = json.loads(run("solve", "4 7 8 8", "--thread", "t", "--json").stdout)
    asked = len(model.requests)
    assert json.loads(run("resume", "t", "--json").stdout) == first | {"events": []}
    assert len(model.requests) == asked
    play(" hm\n</think>\n")
    assert run("solve", "4 7 8 8", "--thread", "none").exit_code == 1
    assert run("resume", "none").exit_code == 1


def test_resume_on_what_is_no_model(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = models.connect
    play(leaving)
    run("solve", "4 7 8 8", "--thread", "t")
    monkeypatch.setattr(models, "connect", connect)
    done = run("resume", "t", "--model", "nope")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: unknown model 'nope'")


def test_resume_from_a_checkpoint(play: Any) -> None:
    model = play(corrected)
    run("solve", "4 7 8 8", "--thread", "t")
    entries = json.loads(run("history", "t", "--json").stdout)
    begun = next(one for one in entries if one["next"] == ["solve"])
    model._script = RIGHT
    done = run("resume", "t", "--from", begun["checkpoint"], "--json")
    assert json.loads(done.stdout)["corrections"] == 0
    after = json.loads(run("history", "t", "--json").stdout)
    assert after[: len(entries)] == entries
    assert after[-1]["what"].startswith("verified")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["resume", "nope"], "no thread 'nope' in "),
        (["history", "nope"], "no thread 'nope' in "),
        (["resume", ""], "'' cannot be the name of a thread"),
        (["solve", "4 7 8 8", "--thread", ""], "'' cannot be the name of a thread"),
        (["solve", "4 7 8 8", "--thread", "t"], "`agentflow resume t` goes on with it"),
        (["solve", "4 7 8 8", "--thread", "t", "--method", "direct"], "belongs to method"),
        (["resume", "t", "--from", "nope"], "thread 't' has no checkpoint 'nope'"),
        (["resume", "t", "--feedback", "Wait."], "thread 't' is not paused"),
        (["history", "--checkpoints", "/"], "/: cannot be used as a database of threads"),
        (["history", "--checkpoints", __file__], "cannot be used as a database of threads"),
        (["solve", "4 7 8 8", "--thread", "x", "--checkpoints", "/dev/null/x"], "cannot be used"),
        (["solve", "4 7 8 8", "--set", "thread=x"], "thread: no such setting; known: model"),
        (["solve", "4 7 8 8", "--set", "review=true"], "review needs a thread"),
    ],
)
def test_bad_input_is_one_line(play: Any, arguments: list[str], says: str) -> None:
    play(leaving)
    assert run("solve", "4 7 8 8", "--thread", "t").exit_code == 3
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("mysql://u:secret@host/db", "threads are kept in a SQLite file or at postgresql://"),
        ("sqlite:///threads.sqlite", "threads are kept in a SQLite file or at postgresql://"),
        ("typo.sqlite", "typo.sqlite: there is no such file of threads"),
        ("no/such/folder/threads.sqlite", "there is no such file of threads"),
    ],
)
@pytest.mark.parametrize("command", [["history"], ["history", "t"], ["resume", "t"]])
def test_what_only_reads_makes_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: list[str], where: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*command, "--checkpoints", where)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr
    assert "secret" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_wrong_place_of_threads_is_made_by_no_run(
    play: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    model = play(RIGHT)
    given = ("solve", "4 7 8 8", "--checkpoints")
    done = run(*given, "mysql://u:secret@host/db", "--thread", "t")
    assert (done.exit_code, "mysql" in done.stderr, "secret" in done.stderr) == (2, True, False)
    done = run(*given, "x.sqlite")
    assert (done.exit_code, "--checkpoints: give --thread NAME, too" in done.stderr) == (2, True)
    assert not model.requests
    assert not list(tmp_path.iterdir())


def test_before_the_first_thread_there_is_no_history(tmp_path: Path) -> None:
    done = run("history")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert run("history", "--json").stdout == "[]\n"
    done = run("resume", "t")
    assert (done.exit_code, "there is no such file of threads" in done.stderr) == (2, True)
    assert not list(tmp_path.iterdir())


def test_hints_name_where_the_threads_are(play: Any, tmp_path: Path) -> None:
    play(leaving)
    file = str(tmp_path / "my other.sqlite")
    where = ("--checkpoints", file)
    assert run("solve", "4 7 8 8", "--thread", "q", *where).exit_code == 3
    again = run("solve", "4 7 8 8", "--thread", "q", *where).stderr
    assert f"`agentflow resume q --checkpoints '{file}'` goes on with it" in again
    nope = run("history", "nope", *where).stderr
    assert f"`agentflow history --checkpoints '{file}'` lists them" in nope
    assert run("solve", "4 7 8 8", "--thread", "q").exit_code == 3
    assert "`agentflow resume q` goes on" in run("solve", "4 7 8 8", "--thread", "q").stderr


# A person in the loop


def test_a_pause_exits_4_and_tells_what_is_asked(play: Any, tmp_path: Path) -> None:
    play(corrected)
    done = run("solve", "4 7 8 8", "--set", "review=true", "--thread", "t")
    assert done.exit_code == 4
    assert done.stderr == (
        "thread 't' is paused before the feedback 'Wait, 8 / 8 is 1 , not 2'; "
        "`agentflow resume t` goes on\n"
    )
    assert run("history", "t").stdout.splitlines()[-1].endswith("refine    paused")
    told = run("resume", "t", "--feedback", "")
    assert (told.exit_code, told.stderr.count("\n")) == (2, 1)
    assert told.stderr.startswith("error: thread 't' cannot be told ''; give the feedback as a")
    assert told.stdout == ""
    told = run("resume", "t", "--feedback", " \t")
    assert (told.exit_code, told.stdout) == (2, "")
    done = run("resume", "t", "--json")
    result = json.loads(done.stdout)
    assert (done.exit_code, result["status"], result["corrections"]) == (0, "verified", 1)
    assert "Wait, 8 / 8 is 1 , not 2\n" in [one.get("text") for one in result["operations"]]


def test_feedback_takes_the_interventions_place(play: Any) -> None:
    play(corrected)
    paused = run("solve", "4 7 8 8", "--set", "review=true", "--thread", "t", "--json")
    assert (paused.exit_code, json.loads(paused.stdout)["status"]) == (4, "exhausted")
    done = run("resume", "t", "--feedback", "Wait, eight eighths are one.", "--json")
    result = json.loads(done.stdout)
    assert result["status"] == "verified"
    assert "Wait, eight eighths are one.\n" in [one.get("text") for one in result["operations"]]
    assert run("resume", "t", "--feedback", "Wait.").exit_code == 2


# Settings files


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text("temperature = 0.25\nseed = 3\nmax_tokens = 300\n[interwhen]\nseed = 4\n")
    return path


def test_options_win_over_set_over_the_file(
    play: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = play(RIGHT)
    alone = run("solve", "4 7 8 8", "--set", "temperature=0.25", "--set", "seed=4", "--quiet")
    assert alone.exit_code == 0
    assert run("solve", "4 7 8 8", "--settings", str(file), "--quiet").exit_code == 0
    monkeypatch.setenv("AGENTFLOW_SETTINGS", str(file))
    assert run("solve", "4 7 8 8", "--quiet").exit_code == 0
    by_option, by_file, by_environment = model.requests
    assert by_file.sampling == by_option.sampling
    assert by_file.seed == by_environment.seed == by_option.seed
    assert by_file.max_tokens == 300
    assert by_environment == by_file
    run("solve", "4 7 8 8", "--seed", "7", "--max-tokens", "200")
    run("solve", "4 7 8 8", "--set", "seed=7", "--set", "max_tokens=200")
    assert model.requests[3] == model.requests[4]
    assert (model.requests[3].seed, model.requests[3].max_tokens) != (by_file.seed, 300)
    assert model.requests[3].sampling == by_file.sampling


def test_a_domain_in_the_file_is_used(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('domain = "nope"\n')
    done = run("solve", "4 7 8 8", "--settings", str(path))
    assert "unknown domain 'nope'" in done.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nope = 1\n", "nope: no such setting"),
        ("seed = [\n", "not TOML"),
        ("seed = -1\n", "seed: Input should be"),
        ("interwhen = 3\n", "write the settings of a method as a table"),
    ],
)
def test_a_bad_settings_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    for done in (
        run("solve", "4 7 8 8", "--settings", str(path)),
        CliRunner().invoke(app, ["solve", "4 7 8 8"], env={"AGENTFLOW_SETTINGS": str(path)}),
    ):
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert says in done.stderr
        assert str(path) in done.stderr
    assert "cannot be read" in run("solve", "4 7 8 8", "--settings", str(tmp_path / "none")).stderr


def test_a_settings_files_review_pauses_and_settings_come_back(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("temperature = 0.25\n[interwhen]\nreview = true\n")
    model = play(corrected)
    done = run("solve", "4 7 8 8", "--settings", str(path), "--thread", "t")
    assert done.exit_code == 4
    path.unlink()
    assert run("resume", "t").exit_code == 0
    assert {asked.sampling.temperature for asked in model.requests} == {0.25}
