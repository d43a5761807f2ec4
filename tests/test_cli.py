"""The command line: what it prints, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from forks import COMMAND, Forks
from typer.testing import CliRunner

from agentflow import models
from agentflow.cli import app
from agentflow.doctor import Check, bundled, kernel
from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.graphs import METHODS
from agentflow.models import Capabilities, Delay, Fault, embedded
from agentflow.models.scripted import Reply
from agentflow.version import __version__

needs_pocket = pytest.mark.skipif(
    not embedded.bundled().is_file(), reason="the bundled model is not here"
)

RIGHT = (
    " 4 7 8 8 : 8 / 8 = 1 -> 1 4 7\n 1 4 7 : 7 - 1 = 6 -> 4 6\n 4 6 : 6 * 4 = 24 -> 24\n"
    "</think>\nAnswer: ( 7 - ( 8 / 8 ) ) * 4 = 24\n"
)
WRONG_STEP = " 4 7 8 8 : 8 / 8 = 2 -> 2 4 7\n 2 4 7 : 7 * 2 = 14 -> 4 14\n"


def run(*arguments: str, input: str | bytes | None = None) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``; interwhen solves."""
    if arguments[:1] == ("solve",) and "--method" not in arguments:
        arguments = (*arguments, "--method", "interwhen")
    return CliRunner().invoke(app, list(arguments), input=input)


def corrected(prompt: str) -> Reply:
    return RIGHT if "Wait," in prompt else WRONG_STEP


def test_solve_shows_the_thinking_the_verdicts_and_the_result(play: Any) -> None:
    play(RIGHT)
    done = run("solve", "4 7 8 8")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[:2] == [" 4 7 8 8 : 8 / 8 = 1 -> 1 4 7", "  ✓ step"]
    assert lines.count("  ✓ step") == 3
    assert "answer  ( 7 - ( 8 / 8 ) ) * 4" in lines
    assert "status  verified (by game24)" in lines
    assert any(line.startswith("cost    solver: ") for line in lines)
    assert "\x1b" not in done.stdout


def test_solve_shows_what_was_cut_and_the_feedback(play: Any) -> None:
    play(corrected)
    done = run("solve", "4", "7", "8", "8")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    at = lines.index("  ✗ step: 8 / 8 is 1 , not 2")
    # Verification runs beside the generation: how much came in between is not fixed.
    cut = next(line for line in lines[at:] if line.startswith("  step_verifier: "))
    assert cut.endswith("cut, feedback")
    assert "Wait, 8 / 8 is 1 , not 2" in lines
    assert "        corrections: 1" in lines


def test_thinking_is_closed_by_k_stable(play: Any) -> None:
    same = " ( 7 - ( 8 / 8 ) ) * 4 = 24\n"
    play({"</think>\n": "Answer: ( 7 - ( 8 / 8 ) ) * 4\n", "": same * 20})
    done = run("solve", "4 7 8 8", "--set", "k_stable=2", "--set", "step_verifier=false")
    assert done.exit_code == 0
    assert "thinking closed" in done.stdout
    assert "status  verified" in done.stdout


def test_quiet_prints_only_the_result(play: Any) -> None:
    play(RIGHT)
    done = run("solve", "4 7 8 8", "--quiet")
    assert done.stdout == "answer  ( 7 - ( 8 / 8 ) ) * 4\nstatus  verified (by game24)\n"
    assert done.stderr == ""


def test_json_is_one_object_and_nothing_else(play: Any) -> None:
    play(corrected)
    done = run("solve", "4 7 8 8", "--json", "--seed", "3")
    result = json.loads(done.stdout)
    assert (done.exit_code, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert (result["status"], result["corrections"]) == ("verified", 1)
    assert result["cost"]["generated"] > 0
    assert result["operations"]


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_the_problem_comes_from_standard_input(play: Any, arguments: tuple[str, ...]) -> None:
    play(RIGHT)
    for given in (b"4 7 8 8\n", b"\xef\xbb\xbf4 7 8 8\r\n"):  # some programs mark UTF-8
        assert run("solve", *arguments, "--quiet", input=given).exit_code == 0


@pytest.mark.parametrize(
    ("script", "problem", "status"),
    [
        (" hm\n" * 50 + "</think>\n", "4 7 8 8", "exhausted (no answer found)"),
        ("", "4 7 8 8", "exhausted (no answer found)"),
        (RIGHT, "1 1 1 1", "abstained (24 cannot be reached from 1 1 1 1"),
        (WRONG_STEP, "4 7 8 8", "abstained (too many corrections"),
    ],
)
def test_no_answer_exits_1(play: Any, script: str, problem: str, status: str) -> None:
    play(script)
    done = run("solve", problem)
    assert done.exit_code == 1
    assert f"status  {status}" in done.stdout


def test_endless_output_ends_by_budget(play: Any) -> None:
    play(" 1" * 5000)
    done = run("solve", "4 7 8 8", "--max-tokens", "40", "--json")
    result = json.loads(done.stdout)
    assert (done.exit_code, result["status"]) == (1, "exhausted")
    assert result["cost"]["generated"] == 40


def test_time_is_a_budget_too(play: Any) -> None:
    play([" 1", Delay(30)])
    done = run("solve", "4 7 8 8", "--timeout", "0.3")
    assert done.exit_code == 1
    assert "status  exhausted" in done.stdout


def test_what_would_steer_the_terminal_is_not_passed_on(play: Any) -> None:
    play(" \x1b[2J\x07\r[red]x[/red]\x9b\n</think>\n")
    done = run("solve", "4 7 8 8")
    assert done.stdout.startswith(" ·[2J··[red]x[/red]·\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["4 7 8"], "needs four numbers, got 3"),
        (["4 7 8 8 9"], "needs four numbers, got 5"),
        (["0 1 2 3"], "'0' is not a positive integer"),
        (["-4 7 8 8"], "'-4' is not a positive integer"),
        (["-4", "7", "8", "8"], "'-4' is not a positive integer"),
        (["a b c d"], "'a' is not a positive integer"),
        (["1.5 2 3 4"], "'1.5' is not a positive integer"),
        ([""], "the problem is empty"),
        (["4 7 8 8", "--method", "nope"], "unknown method 'nope'; known: active"),
        (["4 7 8 8", "--method", "critic"], "'critic' is a verifier, no method: it judges a given"),
        (["4 7 8 8", "--domain", "nope"], "unknown domain 'nope'; known: game24"),
        (["4 7 8 8", "--set", "nope=1"], "nope: no such setting; known: model"),
        (["4 7 8 8", "--set", "nope"], "write --set KEY=VALUE"),
        (["4 7 8 8", "--set", "a..b=1"], "write --set KEY=VALUE"),
        (["4 7 8 8", "--set", "roles=1", "--set", "roles.prm=2"], "roles was set to 1"),
        (["4 7 8 8", "--set", "roles.nope=embedded"], "roles.nope"),
        (["4 7 8 8", "--set", "method=direct"], "method: no such setting; known: model"),
        (["4 7 8 8", "--set", "spending=1"], "spending: no such setting; known: model"),
        (["4 7 8 8", "--set", "callbacks=[]"], "callbacks: no such setting; known: model"),
        (["4 7 8 8", "--set", "tools=1"], "tools: Input should be a valid dictionary"),
        (["4 7 8 8", "--set", "roles=1"], "roles: Input should be a valid dictionary"),
        (["4 7 8 8", "--set", "roles=1", "--model", "embedded"], "roles: Input should be a valid"),
        (["4 7 8 8", "--set", "model=1"], "model: Input should be a valid string"),
        (
            ["4 7 8 8", "--set", "model=1", "--context", "9"],
            "model: Input should be a valid string",
        ),
        (["4 7 8 8", "--set", "model.x=1"], "model: Input should be a valid string"),
        (["4 7 8 8", "--set", "tools.search=1"], "tools.search: Input should be a valid string"),
        (["4 7 8 8", "--set", "temperature=9"], "temperature: Input should be less than or equal"),
        (["4 7 8 8", "--set", "k_stable=many"], "k_stable: Input should be a valid integer"),
        (["4 7 8 8", "--seed", "-1"], "seed: Input should be greater than or equal to 0"),
        (["4 7 8 8", "--max-tokens", "0"], "max_tokens: Input should be greater than or equal"),
        (["4 7 8 8", "--timeout", "0"], "timeout: Input should be greater than 0"),
        (["4 7 8 8", "--timeout", "nan"], "timeout: Input should be greater than 0"),
        (["4 7 8 8", "--model", "nope"], "unknown model 'nope'; use 'embedded'"),
        (["4 7 8 8", "--set", "model=nope"], "unknown model 'nope'; use 'embedded'"),
        (["4 7 8 8", "--set", 'model="a\\u0000.gguf"'], "unknown model 'a\\x00.gguf'"),
        (["4 7 8 8", "--set", "k_stable=" + "[" * 100_000], "k_stable: Input should be"),
        (["4 7 8 8", "--model", "none.gguf"], "none.gguf: no such model file"),
        (["4 7 8 8", "--model", __file__], "not a GGUF file"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], says: str) -> None:
    done = run("solve", *arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_problem_that_is_no_text_is_read_as_far_as_it_is(play: Callable[..., Any]) -> None:
    model = play(" hm\n</think>\nAnswer: 42\n")
    done = run("solve", "was \udcff it?", "--domain", "math", "--method", "direct", "--json")
    assert done.exit_code == 0
    assert "was \ufffd it?" in model.text(model.requests[0].prompt)


def test_bad_input_on_standard_input() -> None:
    assert "the problem is empty" in run("solve", input="").stderr
    assert "more than 1,000,000 bytes" in run("solve", input=b"1" * 1_000_001).stderr
    bad = run("solve", "--domain", "math", input=b"What is\n2 + \xff2?")
    assert bad.exit_code == 2
    assert bad.stderr == "error: standard input, line 2: not UTF-8 text: byte 5 is 0xff\n"


def test_usage_errors_exit_2() -> None:
    assert run("solve", "4 7 8 8", "--nope").exit_code == 2
    assert run("solve", "4 7 8 8", "--seed", "x").exit_code == 2
    assert run("nope").exit_code == 2
    assert run("verify").exit_code == 2


def test_a_missing_capability_is_bad_input(play: Any) -> None:
    play(RIGHT, capabilities=Capabilities(continues=False))
    done = run("solve", "4 7 8 8")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: method interwhen cannot run: scripted lacks")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_a_server_that_does_not_answer_exits_3() -> None:
    url = f"http://127.0.0.1:{free_port()}/v1"
    done = run("solve", "4 7 8 8", "--model", url, "--json")
    assert done.exit_code == 3
    assert f"no server answers at {url}" in done.stderr
    assert json.loads(done.stdout)["status"] == "exhausted"


def test_a_stream_that_breaks_keeps_its_text(play: Any) -> None:
    play([RIGHT[:32], Fault(StreamBroken("the server left"))])
    shown = run("solve", "4 7 8 8", "--set", "retries=0")
    assert (shown.exit_code, shown.stderr) == (3, "error: the server left\n")
    assert shown.stdout.startswith(RIGHT[:31])
    printed = run("solve", "4 7 8 8", "--set", "retries=0", "--json")
    result = json.loads(printed.stdout)
    assert (printed.exit_code, result["status"]) == (3, "exhausted")
    assert result["error"] == result["reason"] == "the server left"
    assert result["operations"][1]["text"] == RIGHT[:32].rstrip(" ")


def test_a_run_that_ends_in_an_error_keeps_its_text(play: Any) -> None:
    def script(prompt: str) -> Reply:
        if "Wait," in prompt:
            return [Fault(StreamBroken("the server left"))]
        return WRONG_STEP

    play(script)
    done = run("solve", "4 7 8 8", "--json", "--set", "retries=0")
    assert done.exit_code == 3
    assert len(done.stdout.splitlines()) == 1
    assert "8 / 8 = 2" in done.stdout


def test_an_unexpected_error_is_one_line_and_exits_70(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def connect(spec: str, **_: Any) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(models, "connect", connect)
    done = run("solve", "4 7 8 8")
    assert done.exit_code == 70
    assert done.stderr == (
        "error: ZeroDivisionError: two lines (a bug; --debug shows the traceback)\n"
    )
    assert "Traceback" in run("solve", "4 7 8 8", "--debug").stderr


SLOW = """
import sys
from agentflow import cli, models
class Slow(models.ScriptedModel):
    async def stream(self, request):
        async for item in super().stream(request):
            yield item
            if self.streamed == 50:
                print("begun", file=sys.stderr, flush=True)
model = Slow([item for _ in range(9999) for item in (" word", models.Delay(0.01))])
async def connect(spec, **_): return model
models.connect = connect
cli.main()
"""


@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_prints_the_partial_trace(as_json: bool, forks: Forks) -> None:
    process = forks.start(SLOW, "solve", "4 7 8 8", *(["--json"] if as_json else []))
    while process.stderr.read_text() != "begun\n":
        assert process.poll() is None
        sleep(0.01)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "begun\ninterrupted\n"
    if as_json:
        result = json.loads(printed)
        assert (result["status"], result["reason"]) == ("exhausted", "interrupted")
        assert set(result["text"].split()) == {"word"}
    else:
        assert set(printed.split()) == {"word"}
        assert printed.endswith("word\n")


def test_verify_judges_a_file(tmp_path: Path) -> None:
    source, target = tmp_path / "traces.jsonl", tmp_path / "verdicts.jsonl"
    records = [
        {"id": "right", "problem": "4 7 8 8", "trace": RIGHT},
        {"id": "wrong", "problem": "4 7 8 8", "trace": WRONG_STEP},
    ]
    source.write_text("".join(json.dumps(record) + "\n" for record in records))
    files = ["--input", str(source), "--output", str(target)]
    done = run("verify", "--domain", "game24", *files)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    right, wrong = [json.loads(line) for line in target.read_text().splitlines()]
    assert (right["id"], right["ok"]) == ("right", True)
    assert (wrong["id"], wrong["ok"], wrong["first_wrong_step"]) == ("wrong", False, 0)


def test_verify_is_told_how_the_thinking_is_marked() -> None:
    claim = "Answer: ( 7 - ( 8 / 8 ) ) * 4 = 24\n"
    line = json.dumps({"id": 7, "problem": "4 7 8 8", "trace": claim})
    said = {
        form: json.loads(run("verify", "--input", "-", *form, input=line).stdout)
        for form in ((), ("--format", "plain"), ("--format", "deepseek-r1-distill"))
    }
    assert [one["answer_ok"] for one in said.values()] == [True, True, None]
    assert [one["split"] for one in said.values()] == ["unmarked", "plain", "unclosed"]
    done = run("verify", "--input", "-", "--format", "nope", input=line)
    assert done.exit_code == 2
    assert "unknown format of thinking 'nope'; known: think, magistral, " in done.stderr


def test_verify_does_not_write_over_its_input(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    file.write_text(json.dumps({"id": 7, "problem": "4 7 8 8", "trace": RIGHT}), encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    done = run("verify", "--input", str(file), "--output", str(tmp_path / "." / "traces.jsonl"))
    assert (done.exit_code, file.read_text(encoding="utf-8")) == (2, before)
    assert "its traces would be lost" in done.stderr


def test_verify_reads_and_writes_the_standard_streams() -> None:
    line = json.dumps({"id": 7, "problem": "4 7 8 8", "trace": RIGHT})
    done = run("verify", "--input", "-", input=line)
    assert json.loads(done.stdout)["ok"] is True
    done = run("verify", "--input", "-", "--output", "-", input=line + "\nx\n")
    assert (done.exit_code, json.loads(done.stdout)["ok"]) == (2, True)
    first, second = done.stderr.splitlines()
    assert first.startswith("error: standard input, line 2: not JSON")
    assert second == "error: standard input: broken lines 1, traces judged 1"
    done = run("verify", "--input", "-", input="")
    assert (done.exit_code, done.stderr.strip()) == (
        2,
        "error: standard input: no trace in it; each line is JSON with id, problem and trace",
    )


def test_verify_names_an_unusable_file(tmp_path: Path) -> None:
    done = run("verify", "--input", str(tmp_path / "none"), "--output", "-")
    assert done.exit_code == 2
    assert "none cannot be read: No such file" in done.stderr
    done = run("verify", "--input", "-", "--output", "-", "--domain", "nope")
    assert done.exit_code == 2


def test_a_name_that_is_nearly_right() -> None:
    for words, meant in [
        (["--method", "interwehn"], "interwhen"),
        (["--domain", "gme24"], "game24"),
        (["--set", "k_stabel=2"], "k_stable"),
    ]:
        assert run("solve", "4 7 8 8", *words).stderr.count(f"; did you mean {meant}?") == 1
    assert "did you mean" not in run("solve", "4 7 8 8", "--method", "zzz").stderr
    assert run("solve", "4 7 8 8", "--model", "gpt-4o").stderr.endswith("/v1#gpt-4o\n")


def test_a_page_without_a_folder_is_refused_before_the_run(tmp_path: Path) -> None:
    done = run("solve", "4 7 8 8", "--model", "nope", "--html", str(tmp_path / "no" / "x.html"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no folder" in done.stderr


def test_one_method() -> None:
    said = run("methods", "flexive").stdout.splitlines()
    assert said[0].startswith("flexive  ")
    assert any(line.startswith("    k (integer") for line in said)
    assert run("methods", "flexiv").exit_code == 2


def test_methods_and_domains() -> None:
    short, verbose = run("methods").stdout, run("methods", "--verbose").stdout
    assert re.search(r"^interwhen +verify a reasoning trace while it grows", short, re.MULTILINE)
    assert re.search(r"^direct +one stream, no monitors", short, re.MULTILINE)
    assert "k_stable (integer >= 0 <= 100; default 0)" in verbose
    listed = {method["name"]: method for method in json.loads(run("methods", "--json").stdout)}
    settings = {one["name"]: one for one in listed["interwhen"]["settings"]}
    assert settings["temperature"]["type"] == "number"
    assert settings["k_stable"]["bounds"] == ">= 0 <= 100"
    kinds = {one["name"]: one["type"] for one in listed["solve_detect_verify"]["settings"]}
    assert kinds["refine_by"] == "one of prompt, note, redraw, rewrite"
    assert kinds["ladder"] == "array of fast, slow, prm, domain, human"
    assert all(one["description"] for one in settings.values())
    assert "game24" in run("domains").stdout
    assert json.loads(run("domains", "--json").stdout)[0]["example"] == "4 7 8 8"


def test_doctor(play: Any) -> None:
    play(" word" * 100)
    done = run("doctor", "--model", "http://somewhere/v1")
    assert done.exit_code == 0
    assert "scripted: first token after" in done.stdout
    assert "whatever prompt says, it gets its own in game24, math, logic" in done.stdout
    found = json.loads(run("doctor", "--model", "http://somewhere/v1", "--json").stdout)
    assert found["ok"] is True
    names = {check["name"] for check in found["checks"]}
    assert {"python", "langgraph", "vllm", "bundled", "http://somewhere/v1"} <= names
    assert "bundled judge" in names


def test_doctor_says_what_does_not_work(play: Any) -> None:
    done = run("doctor", "--model", f"http://127.0.0.1:{free_port()}/v1")
    assert done.exit_code == 1
    assert "no server answers" in done.stdout
    play("")
    assert "generates nothing" in run("doctor", "--model", "x").stdout
    play([Delay(30)])
    slow = run("doctor", "--model", "x", "--timeout", "0.1")
    assert (slow.exit_code, "no answer within 0.1 s" in slow.stdout) == (1, True)
    play([Fault(ModelUnavailable("asleep"))])
    assert run("doctor", "--model", "x").exit_code == 1


def test_doctor_misses_the_bundled_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(embedded, "bundled", lambda: tmp_path / "none.gguf")
    assert [check.ok for check in bundled("embedded")] == [False, False]
    done = run("doctor")
    assert done.exit_code == 1
    assert "reinstall agentflow-reasoning, or choose --model" in done.stdout
    assert "bundled judge: not in this release" in done.stdout
    assert run("solve", "4 7 8 8").exit_code == 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the kernel of Linux")
def test_the_kernel_is_asked() -> None:
    checks = {check.name: check for check in kernel()}
    assert {"user namespace", "mount namespace", "Landlock", "seccomp", "bubblewrap"} <= set(checks)
    assert all(isinstance(check, Check) and check.detail for check in checks.values())


def test_the_module_is_the_command(forks: Forks) -> None:
    command = [sys.executable, "-m", "agentflow", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, f"agentflow {__version__}\n")
    done = forks.run(COMMAND, "solve", "4 7 8")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_help_does_not_wait_for_langgraph() -> None:
    code = (
        "import sys, agentflow.cli as cli\n"
        "try: cli.app(['solve', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'langgraph', 'langchain_core', 'aiohttp'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "130  interrupted" in done.stdout


@pytest.mark.parametrize("arguments", [["methods", "--verbose"], ["domains", "--json"]])
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    """With the exit code of a program that SIGPIPE ends: 1 would say that there is no answer."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "agentflow", *arguments]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


@needs_pocket
@pytest.mark.slow
def test_the_bundled_model_answers(forks: Forks) -> None:
    done = forks.run(COMMAND, "solve", "4 7 8 8", "--json", "--max-tokens", "200")
    result = json.loads(done.stdout)
    assert done.returncode in (0, 1)
    assert result["cost"]["generated"] > 0
    assert done.stderr == ""
    assert forks.run(COMMAND, "doctor").returncode == 0


@needs_pocket
@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_is_shown_as_it_runs_and_as_a_page(
    method: str, tmp_path: Path, forks: Forks
) -> None:
    page = tmp_path / "run.html"
    settings = ["--set", "iterations=1"] if method == "adaptive_compute" else []
    shown = ["--method", method, "--html", str(page), *settings]
    done = forks.run(COMMAND, "solve", "4 7 8 8", "--max-tokens", "200", *shown)
    assert done.returncode in (0, 1), done.stderr
    assert "status" in done.stdout + done.stderr
    assert page.stat().st_size > 10_000


@needs_pocket
@pytest.mark.slow
def test_a_truncated_model_file_is_bad_input(tmp_path: Path, forks: Forks) -> None:
    file = tmp_path / "half.gguf"
    file.write_bytes(embedded.bundled().read_bytes()[:1_000_000])
    done = forks.run(COMMAND, "solve", "4 7 8 8", "--model", str(file))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is the file whole?" in done.stderr


def test_settings_reach_the_run(play: Any) -> None:
    model = play(RIGHT)
    run("solve", "4 7 8 8", "--set", "temperature=0.25", "--seed", "5")
    first = model.requests[0]
    run("solve", "4 7 8 8", "--set", "temperature=0.25", "--set", "seed=5", "--json")
    assert first.sampling.temperature == 0.25
    assert model.requests[1] == first
