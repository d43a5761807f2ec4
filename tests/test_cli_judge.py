"""judge on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import agentflow
from agentflow import models
from agentflow.cli import app
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models import ScriptedModel

RIGHT = "8 / 8 = 1 (left: 1 4 7)\nAnswer: (7 - 8 / 8) * 4 = 24\n"
BY_DOMAIN = ("--set", "driver=domain", "--set", "meta=false")


def judge(*arguments: str, given: str | None = None) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    start = ["judge", "verifiagent", "--problem", "4 7 8 8", "--solution"]
    return CliRunner().invoke(app, [*start, *arguments], input=given)


@pytest.fixture(autouse=True)
def model(play: Any) -> ScriptedModel:
    """Every model is one that finds no mistake."""
    return play("Action: Evaluate[Correct]\x1b[2J")


def test_a_solution_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "solution.txt"
    file.write_text(RIGHT)
    done = judge(str(file), *BY_DOMAIN)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "correct (verifiagent)\ndomain: passed (passed, agrees)\n"
    file.write_text(RIGHT.replace("7 - 8", "7 + 8"))
    done = judge(str(file), *BY_DOMAIN, "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["ok"], found["evidence"]["calls"][0]["agrees"]) == (
        0,
        False,
        False,
    )
    assert found["cost_by_role"] == {}


def test_what_cannot_be_told_has_an_exit_code_of_its_own(model: ScriptedModel) -> None:
    done = judge("-", "--set", "meta=false", "--set", "rounds=2", given=RIGHT)
    assert done.exit_code == 1
    first, reason, cost = done.stdout.splitlines()
    assert (first, reason) == ("cannot tell (verifiagent)", "no tool was used")
    assert cost.startswith("verifier-act: 2 calls, ")
    assert len(model.requests) == 2


def test_what_a_model_writes_does_not_steer_the_terminal(play: Any) -> None:
    step = "Action: Evaluate[Incorrect]\nError Reason: Step 1 is \x1b[31mwrong"
    play(step)
    done = judge("-", "--set", "use_tools=false", "--set", "meta=true", given=RIGHT)
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.txt",), "nowhere.txt cannot be read"),
        (("-",), "there is no solution to judge"),
        (("-", "--set", "meta=false", "--set", "use_tools=false"), "nothing would be verified"),
        (("-", "--set", "rounds=0"), "rounds"),
        (("-", "--set", "verifier=flexive"), "verifier: no such setting; known: model"),
        (("-", "--set", "solution=x"), "solution: no such setting; known: model"),
        (("-", "--set", "problem=x"), "problem: no such setting; known: model"),
        (("-", "--set", "spending=1"), "spending: no such setting; known: model"),
        (("-", "--set", "tools=1"), "tools: Input should be a valid dictionary"),
        (("-", "--set", "roles=1"), "roles: Input should be a valid dictionary"),
        (("-", "--set", "model=1"), "model: Input should be a valid string"),
        (("-", "--domain", "chess"), "unknown domain 'chess'"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], message: str) -> None:
    done = judge(*arguments, given="" if "--domain" not in arguments else RIGHT)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ((), {"embedded", "embedded:judge"}),
        (("--set", "model=x.gguf"), {"x.gguf"}),
        (("--model", "y.gguf"), {"y.gguf"}),
    ],
)
def test_the_model_is_a_setting_and_an_option(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], asked: set[str]
) -> None:
    specs = list[Any]()

    async def connect(spec: Any, **_: Any) -> ScriptedModel:
        specs.append(spec)
        return ScriptedModel("Action: Evaluate[Correct]")

    monkeypatch.setattr(models, "connect", connect)
    assert judge("-", *arguments, given=RIGHT).exit_code in (0, 1)
    assert set(specs) == asked


def test_bytes_are_no_solution(tmp_path: Path) -> None:
    file = tmp_path / "solution.bin"
    file.write_bytes(b"\xff\xfe")
    done = judge(str(file))
    assert (done.exit_code, "solution.bin, line 1: not UTF-8" in done.stderr) == (2, True)


@pytest.mark.parametrize("verifier", ["vanilla", "flexive", "critic", "deductive", "verifiagent"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--problem", "4 7 8 8", "--domain", "nope"), "unknown domain 'nope'; known: game24"),
        (("--problem", "", "--domain", "open"), "the problem is empty"),
        (("--problem", " \n", "--domain", "game24"), "the problem is empty"),
    ],
)
def test_every_verifier_looks_at_what_it_is_given(
    verifier: str, arguments: tuple[str, ...], message: str
) -> None:
    given = ["judge", verifier, "--solution", "-", *arguments]
    done = CliRunner().invoke(app, given, input=RIGHT)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


@pytest.mark.parametrize("problem", ["", {}, {"id": "1"}, {"text": " "}])
async def test_a_problem_without_a_text(problem: Any) -> None:
    with pytest.raises(BadInput, match="the problem is empty"):
        await agentflow.ajudge(problem, RIGHT, "vanilla", model=ScriptedModel("x"))


async def test_a_verifier_that_asks_nothing_of_the_domain_takes_any_problem() -> None:
    model = ScriptedModel('{"reason": "", "correct": true}')
    verdict, _ = await agentflow.ajudge({"text": "hello"}, RIGHT, "vanilla", model=model)
    assert verdict.ok


def test_an_unknown_verifier() -> None:
    arguments = ["judge", "nope", "--problem", "4 7 8 8", "--solution", "-"]
    done = CliRunner().invoke(app, arguments, input=RIGHT)
    assert (done.exit_code, "unknown verifier 'nope'; known: " in done.stderr) == (2, True)


def test_a_model_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(spec: Any, **_: Any) -> ScriptedModel:
        raise ModelUnavailable("no server answers")

    monkeypatch.setattr(models, "connect", connect)
    done = judge("-", given=RIGHT)
    assert (done.exit_code, "no server answers" in done.stderr) == (3, True)


def test_the_rating_of_every_fact_is_told(play: Any, tmp_path: Path) -> None:
    (tmp_path / "llama.txt").write_text("A grown llama is 1.8 m tall.")
    (tmp_path / "solution.txt").write_text("Llamas are tall. Llamas are green.")

    def reply(prompt: str) -> str:
        if "list the facts" in prompt:
            return '{"facts": ["Llamas are tall.", "Llamas are green."]}'
        if "searched for next" in prompt:
            return json.dumps({"query": "" if "> " in prompt else "llama"})
        rating = "contradicted" if "[Fact]\nLlamas are green." in prompt else "supported"
        return json.dumps({"reason": "so it says", "rating": rating})

    play(reply)
    given = ["--problem", "Are llamas green?", "--domain", "commonsense"]
    given += [
        "--solution",
        str(tmp_path / "solution.txt"),
        "--set",
        f"tools.search=local:{tmp_path}",
    ]
    done = CliRunner().invoke(app, ["judge", "fact_check", *given])
    assert done.exit_code == 0, done.output
    assert "supported: Llamas are tall. (so it says; searched for: llama)\n" in done.stdout
    assert "contradicted: Llamas are green. (so it says; searched for: llama)\n" in done.stdout


def test_a_solution_longer_than_any_model_reads_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "solution.txt"
    file.write_bytes(b"So it is 7.\n" * 100_000)
    done = judge(str(file))
    assert done.exit_code == 2
    assert done.stderr == f"error: {file} has more than 1,000,000 bytes\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize(
    "arguments",
    [
        ["view", "/dev/zero"],
        ["compare", "/dev/zero", "/dev/zero"],
        ["solve", "4 7 8 8", "--settings", "/dev/zero"],
        ["judge", "vanilla", "--problem", "1", "--solution", "/dev/zero"],
        ["sandbox", "run", "/dev/zero"],
        ["verify", "--input", "/dev/zero"],
        ["gate", "show", "/dev/zero", "--tools", "/dev/zero"],
        ["eval-verifier", "critic", "/dev/zero", "--domain", "math", "--out", "records.jsonl"],
    ],
)
def test_a_device_without_an_end_is_refused(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for module in ("evaluation.tables", "evaluation.records", "trace_file", "judge"):
        monkeypatch.setattr(f"agentflow.{module}.DATA", 100_000)
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2, done.output
    assert "bytes" in done.stderr
