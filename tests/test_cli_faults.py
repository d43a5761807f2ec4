"""The command line where the disk is full, a file is damaged, or a word is wrong: one line says
what to do, in JSON where that is asked for."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from forks import COMMAND, Forks
from pydantic_core import SchemaError
from typer.testing import CliRunner

from agentflow import api, backoff
from agentflow.cli import app
from agentflow.errors import ModelUnavailable, Refused, StreamBroken
from agentflow.evaluation.records import only_writer
from agentflow.models import Fault
from agentflow.models.scripted import Reply

RIGHT = (
    " 4 7 8 8 : 8 / 8 = 1 -> 1 4 7\n 1 4 7 : 7 - 1 = 6 -> 4 6\n 4 6 : 6 * 4 = 24 -> 24\n"
    "</think>\nAnswer: ( 7 - ( 8 / 8 ) ) * 4 = 24\n"
)
WRONG = " 4 7 8 8 : 8 / 8 = 2 -> 2 4 7\n"
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTFLOW_CHECKPOINTS", str(tmp_path / "threads.sqlite"))
    monkeypatch.delenv("AGENTFLOW_SETTINGS", raising=False)
    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.0)


def run(*arguments: str, input: str | None = None) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    return CliRunner().invoke(app, list(arguments), input=input)


def corrected(prompt: str) -> Reply:
    return RIGHT if "Wait," in prompt else WRONG


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def said(done: Any) -> dict[str, Any]:
    """The one object on standard output."""
    (line,) = done.stdout.splitlines()
    found = json.loads(line, parse_constant=refuse)
    assert isinstance(found, dict)
    return found


# JSON on every outcome

FAILING = {
    "solve": ["solve", "4 7 8 8", "--method", "nope"],
    "resume": ["resume", "nobody"],
    "history": ["history", "nobody"],
    "judge": ["judge", "nope", "--problem", "4 7 8 8", "--solution", "/nowhere"],
    "eval": ["eval", "nope", "--out", "/nowhere/r.jsonl"],
    "eval-steps": ["eval-steps", "/nowhere", "--out", "/nowhere/r.jsonl"],
    "eval-verifier": ["eval-verifier", "nope", "/nowhere", "--out", "/nowhere/r.jsonl"],
    "replay": ["replay", "/nowhere"],
    "report": ["report", "/nowhere"],
    "capacity": ["capacity", "/nowhere", "--tokens-per-second", "1"],
    "sandbox run": ["sandbox", "run", "/nowhere"],
}
WRONGLY_CALLED = {
    "solve": ["solve", "--nonsense"],
    "resume": ["resume"],
    "history": ["history", "--nonsense"],
    "judge": ["judge"],
    "eval": ["eval", "direct", "--out", "x", "--limit", "none"],
    "eval-steps": ["eval-steps"],
    "eval-verifier": ["eval-verifier", "--seed"],
    "replay": ["replay", "a", "b"],
    "controller replay": ["controller", "replay"],
    "report": ["report"],
    "capacity": ["capacity", "x"],
    "probe": ["probe"],
    "reproduce": ["reproduce", "--limit", "none"],
    "simulate": ["simulate", "--replicas", "0"],
    "sandbox run": ["sandbox", "run"],
    "gate certify": ["gate", "certify"],
    "lean doctor": ["lean", "doctor", "now"],
    "lean verina": ["lean", "verina"],
    "sandbox check": ["sandbox", "check", "now"],
    "methods": ["methods", "--nonsense"],
    "domains": ["domains", "all"],
    "doctor": ["doctor", "--timeout", "0"],
}


def with_json() -> set[str]:
    """The commands that have the option, by their words."""
    from typer.main import get_command

    found: set[str] = set()
    waiting: list[tuple[str, Any]] = [("", get_command(app))]
    while waiting:
        name, one = waiting.pop()
        waiting += [(f"{name} {n}".strip(), c) for n, c in getattr(one, "commands", {}).items()]
        if any("--json" in parameter.opts for parameter in one.params):
            found.add(name)
    return found


def test_every_command_with_json_is_tried_here() -> None:
    assert with_json() == set(WRONGLY_CALLED)


@pytest.mark.parametrize("arguments", FAILING.values(), ids=FAILING)
def test_an_error_is_an_object_too(arguments: list[str]) -> None:
    done = run(*arguments, "--json")
    found = said(done)
    assert (found["exit_code"], found["status"]) == (done.exit_code, "failed") == (2, "failed")
    assert done.stderr == f"error: {found['error']}\n"


@pytest.mark.parametrize("arguments", WRONGLY_CALLED.values(), ids=WRONGLY_CALLED)
def test_so_is_a_wrong_call(arguments: list[str]) -> None:
    done = run(*arguments, "--json")
    found = said(done)
    assert (found["exit_code"], found["status"]) == (done.exit_code, "failed") == (2, "failed")
    assert found["error"]
    assert "Usage:" in done.stderr
    assert run(*arguments).stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [["nonsense", "--json"], ["--json"], ["generate", "--json"], ["solve", "--", "--json"]],
)
def test_who_has_no_json_prints_none(arguments: list[str], play: Any) -> None:
    play(RIGHT)
    assert "{" not in run(*arguments).stdout


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (
            SchemaError('Error building "literal" validator: KeyboardInterrupt: '),
            130,
            "interrupted",
        ),
        (ZeroDivisionError("x"), 70, "failed"),
        (ModelUnavailable("gone"), 3, "failed"),
        (OSError(errno.ENOSPC, "No space left on device", "/some/file"), 2, "failed"),
    ],
)
def test_the_exit_code_stands_in_it(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, status: str
) -> None:
    def broken(only: str = "") -> None:
        raise error

    monkeypatch.setattr("agentflow.catalogue.methods", broken)
    done = run("methods", "--json")
    found = said(done)
    assert (done.exit_code, found["exit_code"], found["status"]) == (code, code, status)
    assert found["error"]


@pytest.mark.parametrize(
    ("script", "more", "code"),
    [
        (RIGHT, (), 0),
        ("", (), 1),
        ([Fault(StreamBroken("the server left"))], ("--set", "retries=0"), 3),
        ([Fault(ModelUnavailable("no server"))], ("--set", "retries=0"), 3),
        ([Fault(Refused("no such model"))], ("--method", "direct"), 2),
        ([Fault(Refused("no such model"))] * 9, ("--method", "unified"), 2),
        (corrected, ("--method", "interwhen", "--thread", "t", "--set", "review=true"), 4),
    ],
)
def test_a_run_gives_one_object_however_it_ends(
    play: Any, script: Any, more: tuple[str, ...], code: int
) -> None:
    play(script)
    done = run("solve", "4 7 8 8", "--json", *more)
    found = said(done)
    assert (done.exit_code, found["exit_code"]) == (code, code)
    assert found["status"]
    assert code < 2 or found["error"]


def test_a_run_that_is_interrupted_gives_what_it_has(
    play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupted(*_: Any, **__: Any) -> Any:
        yield {"type": "token", "text": "so far"}
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "astream", interrupted)
    done = run("solve", "4 7 8 8", "--json")
    found = said(done)
    assert (done.exit_code, found["exit_code"], found["text"]) == (130, 130, "so far")


def test_a_page_that_cannot_be_written_is_told_before_the_run(play: Any, tmp_path: Path) -> None:
    model = play(RIGHT)
    done = run("solve", "4 7 8 8", "--json", "--html", str(tmp_path))
    assert (done.exit_code, said(done)["status"]) == (2, "failed")
    assert "is a folder" in said(done)["error"]
    assert model.requests == []


def test_a_result_is_not_lost_with_its_page(
    play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentflow.cli.solve.see_writable", lambda *_: None)  # gone meanwhile
    play(RIGHT)
    folder = tmp_path / "p.html"
    folder.mkdir()
    done = run("solve", "4 7 8 8", "--json", "--html", str(folder))
    found = said(done)
    assert (done.exit_code, found["exit_code"], found["status"]) == (2, 2, "verified")
    assert found["answer"]
    assert "p.html: cannot be written" in found["error"]


def test_a_page_without_a_folder_is_refused_before_the_run(play: Any, tmp_path: Path) -> None:
    play(RIGHT)
    done = run("solve", "4 7 8 8", "--json", "--html", str(tmp_path / "none" / "p.html"))
    assert (done.exit_code, said(done)["status"]) == (2, "failed")
    assert "there is no folder" in said(done)["error"]


# A disk that is full, a terminal that takes nothing


@needs_full
@pytest.mark.parametrize(
    "arguments",
    [
        ["methods"],
        ["graph", "direct"],
        ["--version"],
        ["solve", "--help"],
        ["verify", "--input", "{}"],
    ],
)
def test_an_output_that_is_full_is_one_line(
    tmp_path: Path, arguments: list[str], forks: Forks
) -> None:
    traces = tmp_path / "traces.jsonl"
    traces.write_text('{"id": 1, "problem": "4 7 8 8", "trace": "8 / 8 = 1"}\n')
    words = [word.format(traces) for word in arguments]
    done = forks.start(COMMAND, *words, stdout="/dev/full")
    _, errors = done.communicate()
    assert done.returncode == 2
    assert errors == (
        "error: standard output: cannot be written (No space left on device); make room for it, or "
        "name another place\n"
    )


def test_a_disk_that_fills_behind_a_checkpoint_is_said(
    play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite keeps to a number of pages, behind which it says what it says of a full disk."""
    connect = sqlite3.connect

    def small(*arguments: Any, **more: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **more)
        connection.execute("PRAGMA max_page_count = 8")
        return connection

    play(corrected)
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", small)
        done = run("solve", "4 7 8 8", "--thread", "t", "--quiet", "--json")
    assert done.exit_code == 2
    assert said(done)["error"] == (
        f"{tmp_path}/threads.sqlite: cannot be used as a database of threads (database or disk is "
        "full); the disk is full: make room, and `agentflow resume` goes on from the last "
        "checkpoint"
    )
    assert run("resume", "t", "--quiet").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["graph", "direct", "--output", "{}/out"],
        ["view", "{}/run.json", "--html", "{}/out"],
        ["eval", "direct", "--out", "{}/out.jsonl", "--limit", "1", "--patience", "0"],
        ["report", "{}/r.jsonl", "--out", "{}/out"],
        ["verify", "--input", "{}/traces.jsonl", "--output", "{}/out"],
    ],
)
def test_a_disk_that_is_full_is_one_line_that_names_the_file(
    play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    play(RIGHT)
    (tmp_path / "traces.jsonl").write_text('{"id": 1, "problem": "4 7 8 8", "trace": ""}\n')
    (tmp_path / "run.json").write_text(run("solve", "4 7 8 8", "--json").stdout)
    assert run("eval", "direct", "--out", str(tmp_path / "r.jsonl"), "--limit", "1").exit_code == 0
    before = sorted(os.listdir(tmp_path))

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        patched.setattr(Path, "replace", full)
        patched.setattr(os, "write", full)
        done = run(*[word.format(tmp_path) for word in arguments])
    (line,) = done.stderr.splitlines()
    assert done.exit_code == 2, line
    assert f"{tmp_path}/out" in line
    assert "No space left on device); make room for it, or name another place" in line
    left = set(os.listdir(tmp_path)) - set(before)
    assert left <= {"out", ".out.jsonl.lock"}  # a report's folder


# A damaged database


def test_a_database_that_another_program_holds(play: Any, tmp_path: Path) -> None:
    play(RIGHT)
    assert run("solve", "4 7 8 8", "--thread", "t").exit_code == 0
    holder = sqlite3.connect(tmp_path / "threads.sqlite")
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    done = run("history")
    holder.rollback()
    holder.close()
    assert done.exit_code == 2
    assert "(database is locked); another program holds it: end that" in done.stderr


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"\x00" * 5000, b"SQLite f"])
@pytest.mark.parametrize(
    "command", [("history",), ("resume", "t"), ("solve", "1", "--thread", "t")]
)
def test_what_is_no_database(tmp_path: Path, content: bytes, command: tuple[str, ...]) -> None:
    (tmp_path / "threads.sqlite").write_bytes(content)
    done = run(*command)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error: {tmp_path}/threads.sqlite: cannot be used as a database")
    assert "another with --checkpoints" in done.stderr


DAMAGES: list[Callable[[random.Random, bytearray], None]] = []


def damage(function: Callable[[random.Random, bytearray], None]) -> None:
    DAMAGES.append(function)


@damage
def cut_off(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


@damage
def zeroed(rng: random.Random, data: bytearray) -> None:
    page = 4096 * rng.randrange(len(data) // 4096)
    data[page : page + 4096] = bytes(4096)


@damage
def overwritten(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data))
    data[at : at + 4096] = rng.randbytes(len(data[at : at + 4096]))


@damage
def flipped(rng: random.Random, data: bytearray) -> None:
    for _ in range(20):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


@pytest.mark.slow
@pytest.mark.parametrize("how", DAMAGES, ids=lambda how: how.__name__)
def test_a_damaged_database_is_never_called_a_bug(
    play: Any, tmp_path: Path, how: Callable[[random.Random, bytearray], None]
) -> None:
    play(corrected)
    file = tmp_path / "threads.sqlite"
    assert run("solve", "4 7 8 8", "--thread", "t", "--checkpoints", str(file)).exit_code == 0
    whole, codes = file.read_bytes(), list[int]()
    for seed in range(6):
        data = bytearray(whole)
        how(random.Random(seed), data)
        damaged = tmp_path / f"{seed}.sqlite"
        damaged.write_bytes(data)
        for command in (["history"], ["history", "t"], ["resume", "t"]):
            done = run(*command, "--checkpoints", str(damaged))
            assert done.exit_code in (0, 2), (seed, command, done.stderr)
            assert done.exit_code == 0 or str(damaged) in done.stderr or "no thread" in done.stderr
            codes.append(done.exit_code)
    assert 2 in codes


# Two writers; numbers; what a program prints


def test_the_second_evaluation_into_a_file_is_refused(play: Any, tmp_path: Path) -> None:
    play(RIGHT)
    out = tmp_path / "r.jsonl"
    command = ["eval", "direct", "--out", str(out), "--limit", "1"]
    assert run(*command).exit_code == 0
    plan = (tmp_path / "r.plan.json").read_text()
    with only_writer(out):
        done = run("eval", "direct", "interwhen", *command[2:], "--resume", "--json")
    assert done.exit_code == 2
    assert said(done)["error"] == (
        f"{out}: is being written to by another run; wait for its end, or name another file"
    )
    assert (tmp_path / "r.plan.json").read_text() == plan


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "[1, {}]", "1" * 400, '"é\\ud800"'])
def test_verify_prints_json_that_every_program_reads(tmp_path: Path, number: str) -> None:
    line = f'{{"id": {number}, "problem": "4 7 8 8", "trace": "8 / 8 = 1e999", "more": NaN}}\n'
    done = run("verify", "--input", "-", input=line)
    for one in done.stdout.splitlines():
        json.loads(one, parse_constant=refuse)
        assert json.loads(one)["id"] == json.loads(number)
    if "e999" in number or "NaN" in number:
        assert done.exit_code == 2
        assert "line 1: the field 'id' has a number that JSON does not know" in done.stderr
    else:
        assert done.exit_code == 0
        assert done.stdout


def test_what_a_program_prints_does_not_steer_the_terminal(tmp_path: Path) -> None:
    pytest.importorskip("agentflow.tools.sandbox")
    program = tmp_path / "p.py"
    text = "\x1b[2J\u202eabc\rdone\x07\x9b1m"
    program.write_text(
        f"import sys\ntext = {text!r}\nprint(text)\nprint(text, file=sys.stderr)\n"
        "raise ValueError(text)\n"
    )
    done = run("sandbox", "run", str(program))
    if done.exit_code == 2:
        pytest.skip(done.stderr)
    shown = r"\x1b[2J\u202eabc\rdone\x07\x9b1m"
    assert done.stdout == shown + "\n"
    assert done.stderr == f"{shown}\nline 5: ValueError: {shown}\n"
    assert json.loads(run("sandbox", "run", str(program), "--json").stdout)["stdout"] == text + "\n"


@pytest.mark.parametrize(
    "command",
    [
        "solve",
        "judge vanilla --problem 4 --solution -",
        "verify --input -",
        "sandbox run -",
        *(["mcp"] if find_spec("mcp") else []),
    ],
)
def test_standard_input_that_is_closed_is_said(command: str) -> None:
    """As a daemon's child may have it."""
    code = "import sys; sys.stdin = None; from agentflow.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *command.split()], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: standard input is closed")
    assert done.stderr.count("\n") == 1


def test_another_ctrl_c_ends_a_command_that_waits_for_a_thread() -> None:
    """A call of a prover, say, that nothing stops; Python would show where it waits."""
    code = (
        "import os, signal, sys, threading, time\n"
        "import agentflow.__main__ as command, agentflow.cli as cli\n"
        "def run():\n"
        "    threading.Thread(target=time.sleep, args=(3600,)).start()\n"
        "    raise KeyboardInterrupt\n"
        "cli.main = run\n"
        "command.main()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "interrupted\n"
        while process.poll() is None:  # it may just be on its way to where it waits
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        assert (process.returncode, process.stderr.read()) == (-signal.SIGINT, "")


def test_ctrl_c_is_heard_while_the_command_is_imported() -> None:
    code = """
import sys
class Slow:
    def __getattr__(self, name):
        raise KeyboardInterrupt
sys.modules["agentflow.cli"] = Slow()
from agentflow.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_an_error_does_not_steer_it_either(play: Any) -> None:
    play([Fault(StreamBroken("\x1b[2J\u202ethe server says"))])
    done = run("solve", "4 7 8 8", "--thread", "t", "--set", "retries=0")
    assert done.exit_code == 3
    assert "\x1b" not in done.stderr + done.stdout
    assert "·[2J·the server says" in done.stderr


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("solve", "4 7 8 8", "--seed", "1", "--set", "seed=2"), "--set seed=2: --seed says it"),
        (
            ("solve", "4 7 8 8", "--max-tokens", "9", "--set", "max_tokens=5"),
            "--set max_tokens=5: --max-tokens says it",
        ),
        (
            ("solve", "4 7 8 8", "--model", "embedded", "--set", "model=x.gguf"),
            "--set model=x.gguf: --model says it",
        ),
        (
            (
                "judge",
                "vanilla",
                "--problem",
                "4 7 8 8",
                "--solution",
                "-",
                "--domain",
                "math",
                "--set",
                "domain=game24",
            ),
            "--set domain=game24: --domain says it",
        ),
        (
            ("eval", "direct", "--out", "r.jsonl", "--timeout", "9", "--set", "timeout=5"),
            "--set timeout=5: --timeout says it",
        ),
    ],
)
def test_a_setting_is_said_once(command: tuple[str, ...], says: str) -> None:
    done = run(*command, input="24")
    assert done.exit_code == 2
    assert says in done.stderr
    assert "give one of them" in done.stderr
