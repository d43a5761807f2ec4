"""eval, record and replay on the command line."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow import models
from agentflow.cli import app
from agentflow.cli.running import finished
from agentflow.errors import ModelUnavailable
from agentflow.evaluation import chains
from agentflow.evaluation.runner import load
from agentflow.models import Capabilities, Fault, ScriptedModel, Token
from agentflow.version import install

CLAIM = "Answer: ( 1 + 1 ) * ( 13 - 1 ) = 24\n"
THINKING = f" 1 1 1 13 : 13 - 1 = 12 -> 1 1 12\n{CLAIM}{CLAIM} hm\n{CLAIM}"
TOP = (("yes", -0.1), ("no", -2.35))


def script(prompt: str) -> list[str | Token]:
    """Thinking, or an answer with the log-probabilities that probes ask for."""
    if prompt.endswith("<think>\n"):
        return [THINKING, "</think>\n", CLAIM]
    return [Token("Answer:", None, -0.1, TOP), " ( 1 + 1 ) * ( 13 - 1 ) = 24\n"]


def run(*arguments: str) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def model(play: Any) -> ScriptedModel:
    """Every model is one that plays the script."""
    return play(script)


def strict(text: str) -> Any:
    """JSON as others read it: without NaN and Infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def recorded(model: ScriptedModel, tmp_path: Path) -> Path:
    out = tmp_path / "chains.parquet"
    done = run(
        "record", str(out), "--limit", "4", "--set", "check=line", "--set", "probe.rollouts=2"
    )
    assert (done.exit_code, done.stdout) == (0, f"4 chains in {out}\n"), done.stderr
    return out


def test_eval_prints_a_table_and_writes_records(model: ScriptedModel, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    k2 = "k2=early_exit;rules=k_stable;check=line"
    done = run("eval", "direct", k2, "--limit", "3", "--seeds", "2", "--out", str(out))
    assert done.exit_code == 0, done.stderr
    first, _, heading, _, direct, ours = done.stdout.splitlines()
    assert first.startswith("agentflow ")
    assert first.endswith("model embedded, game24: problems 3, seeds 2")
    assert "tokens / direct" in heading
    assert direct.startswith("| direct | 6 |")
    assert ours.startswith("| k2 | 6 |")
    records = load(out)
    assert len(records) == 12
    alone, stopped = (r for r in records if r.problem == "1 1 1 13" and r.seed == 0)
    assert (alone.arm, stopped.arm) == ("direct", "k2")
    assert stopped.tokens < alone.tokens
    assert stopped.right


def test_eval_as_json(model: ScriptedModel, tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    done = run("eval", "direct", "--limit", "2", "--json", "--out", out)
    assert (done.exit_code, done.stderr) == (0, "")
    printed = strict(done.stdout)
    assert (printed["failed"], len(printed["rows"])) == (0, 1)
    assert printed["rows"][0]["runs"] == 2


def test_rows_that_cannot_be_used_are_told_of_once(model: ScriptedModel, tmp_path: Path) -> None:
    lines = ["x", '{"text": "4 7 8 8"}', '{"text": "1 2"}', "[]", '{"text": ""}', '{"id": 3}']
    (tmp_path / "d.jsonl").write_text("\n".join([*lines, '{"text": "1 1 1 13", "id": "last"}']))
    arguments = ("eval", "direct", "--dataset", str(tmp_path / "d.jsonl"))
    whole = (*arguments, "--json", "--out", str(tmp_path / "r.jsonl"))
    done = run(*whole)
    assert (done.exit_code, strict(done.stdout)["skipped"]) == (0, 5), done.stderr
    assert done.stderr.count("\n") == 1
    assert "d.jsonl: 5 of 7 rows skipped: line 1: Expecting value" in done.stderr
    assert "; line 3: game24: " in done.stderr
    assert done.stderr.endswith("; line 4: not a JSON object; and 2 more\n")
    asked = len(model.requests)
    again = run(*whole, "--resume")
    assert (again.stdout, again.stderr, len(model.requests)) == (done.stdout, done.stderr, asked)
    (tmp_path / "d.jsonl").write_text("\n".join(lines[:1]))
    none = run(*arguments, "--out", str(tmp_path / "none.jsonl"))
    assert (none.exit_code, none.stderr.count("\n")) == (2, 1)
    assert "d.jsonl, line 1: Expecting value" in none.stderr


def test_record_tells_of_rows_that_cannot_be_used(model: ScriptedModel, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"text": "1 1 1 13"}\nx\n')
    out = tmp_path / "chains.parquet"
    done = run(
        "record", str(out), "--dataset", str(tmp_path / "d.jsonl"), "--set", "probe.rollouts=2"
    )
    assert (done.exit_code, done.stdout) == (0, f"1 chains in {out}\n"), done.stderr
    assert "d.jsonl: 1 of 2 rows skipped: line 2: Expecting value" in done.stderr


def test_records_are_not_gone_on_with_on_a_dataset_that_has_changed(
    model: ScriptedModel, tmp_path: Path
) -> None:
    data, out = tmp_path / "d.jsonl", tmp_path / "r.jsonl"
    old = '{"text": "What is 2 + 3?", "gold": "5"}\n'
    data.write_text(old)
    whole = ("--dataset", str(data), "--domain", "math", "--resume", "--out", str(out))
    assert run("eval", "direct", *whole).exit_code == 0
    for changed, why in (
        (old.replace("2 + 3", "3 + 2"), "'What is 2 + 3?' is not in the dataset"),
        (old.replace('"5"', '"6"'), "'What is 2 + 3?' has another gold answer"),
    ):
        data.write_text(changed)
        refused = run("eval", "direct", *whole)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert why in refused.stderr
        assert "name another file for the records" in refused.stderr
    data.write_text('{"text": "What is 1 + 1?", "gold": "2"}\n' + old)  # nothing of it is lost
    assert run("eval", "direct", *whole).exit_code == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    for line in lines:
        line.get("extra", {}).pop("source", None)
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))  # of an older version
    assert run("eval", "direct", *whole).exit_code == 0
    data.write_text(old)
    assert "is not in the dataset" in run("eval", "direct", *whole).stderr


def test_eval_goes_on_only_when_told(model: ScriptedModel, tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    assert run("eval", "direct", "--limit", "2", "--out", out).exit_code == 0
    asked = len(model.requests)
    refused = run("eval", "direct", "--limit", "3", "--out", out)
    assert (refused.exit_code, len(model.requests)) == (2, asked)
    assert "is there already; --resume goes on with it" in refused.stderr
    assert run("eval", "direct", "--limit", "3", "--out", out, "--resume").exit_code == 0
    assert len(model.requests) == asked + 1
    fewer = run("eval", "direct", "--limit", "1", "--out", out, "--resume", "--json")
    assert strict(fewer.stdout)["rows"][0]["runs"] == 1  # what is asked for, not all there is
    other = run("eval", "direct", "--set", "top_k=3", "--limit", "3", "--out", out, "--resume")
    assert (other.exit_code, other.stderr.count("\n")) == (2, 1)
    assert "arm 'direct' was begun with another top_k" in other.stderr


def test_eval_reports_runs_that_failed(
    monkeypatch: pytest.MonkeyPatch, model: ScriptedModel, tmp_path: Path
) -> None:
    monkeypatch.setattr(model, "_script", [Fault(ModelUnavailable("nobody there"))])
    out = tmp_path / "r.jsonl"
    arguments = ("eval", "direct", "--limit", "1", "--set", "retries=0", "--out", str(out))
    done = run(*arguments, "--json")
    assert (done.exit_code, strict(done.stdout)) == (3, {"rows": [], "failed": 1, "skipped": 0})
    done = run(*arguments, "--resume")
    assert done.exit_code == 3
    assert "nobody there" in done.stderr
    assert done.stdout.endswith("\n\nno run finished\n")  # rather than a table without rows
    monkeypatch.setattr(model, "_script", script)
    assert run(*arguments, "--resume").exit_code == 0


def test_eval_leaves_nothing_behind_where_no_model_answers(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    done = run("eval", "direct", "--model", "nope", "--out", str(out))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "unknown model 'nope'" in done.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    for more in (), ("--server", url):
        given = ("eval", "direct", "--model", url, *more, "--out", str(out))
        done = run(*given, "--patience", "0")
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (3, "", 1)
        assert "no server answers" in done.stderr
        assert not out.exists()
    done = run(*given, "--patience", "0.01")
    assert done.exit_code == 3
    assert "start one or check --model; waiting up to 0 s" in done.stderr
    assert not out.exists()


def test_what_is_finished_needs_no_model(
    model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arguments = ("eval", "direct", "--limit", "2", "--json", "--out", str(tmp_path / "r.jsonl"))
    shown = run(*arguments).stdout

    async def connect(spec: str, **_: Any) -> None:
        raise ModelUnavailable("gone")

    monkeypatch.setattr(models, "connect", connect)
    again = run(*arguments, "--resume")
    assert (again.exit_code, again.stdout) == (0, shown)


def test_replay_prints_every_rule(recorded: Path) -> None:
    done = run("replay", str(recorded))
    assert (done.exit_code, done.stderr) == (0, "")
    first, *lines = done.stdout.splitlines()
    assert first.startswith("4 chains, ")
    for rule in ("entropy variance, alpha 0.2 |", "confidence |", "k-stable |", "stall", "budget"):
        assert any(rule in line for line in lines)
    assert run("replay", str(recorded.with_suffix(".jsonl"))).stdout == done.stdout


def test_replay_as_json(recorded: Path) -> None:
    done = run("replay", str(recorded), "--json", "--epsilon", "0.9", "--delta", "0.2")
    printed = strict(done.stdout)
    assert printed["chains"] == 4
    assert set(printed["curves"]) == {line["family"] for line in printed["lines"]}
    assert set(printed["calibrated"]) == set(printed["curves"])
    assert printed["calibrated"]["k-stable"]["problems"] == 2


def test_replay_says_why_nothing_is_certified(recorded: Path) -> None:
    done = run("replay", str(recorded), "--epsilon", "0.05")
    assert done.exit_code == 0
    assert "| k-stable | none certified | | |" in done.stdout
    assert "2 problems certify nothing at this loss; 45 may." in done.stdout


def test_replay_draws(recorded: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "plots"
    done = run("replay", str(recorded), "--plots", str(folder))
    assert done.exit_code == 0
    for name in ("accuracy.png", "relative.png", "chain.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
        assert f"wrote {folder / name}" in done.stderr


def test_record_on_several_servers(model: ScriptedModel, tmp_path: Path) -> None:
    out = tmp_path / "c.parquet"
    both = ("--server", "http://one/v1", "--server", "http://two/v1")
    done = run("record", str(out), "--limit", "4", "--set", "check=line", *both)
    assert (done.exit_code, done.stdout) == (0, f"4 chains in {out}\n"), done.stderr
    assert {chain.model for chain in chains.load(out)} == {"http://one/v1, http://two/v1"}


def test_record_goes_on_only_when_told(recorded: Path, model: ScriptedModel) -> None:
    arguments = ("record", str(recorded), "--set", "check=line", "--set", "probe.rollouts=2")
    refused = run(*arguments, "--limit", "5")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "is there already" in refused.stderr
    assert run(*arguments, "--limit", "5", "--resume").exit_code == 0
    assert len(chains.load(recorded)) == 5


def test_record_overwrites_no_chains(recorded: Path, model: ScriptedModel) -> None:
    """Neither beside the lines that they came from, nor where these are gone."""
    whole, lines = recorded.read_bytes(), recorded.with_suffix(".jsonl")
    arguments = ("record", str(recorded), "--set", "check=line", "--limit", "1")
    asked = len(model.requests)
    for more in ([], ["--resume"]):
        lines.unlink(missing_ok=True)
        done = run(*arguments, *more)
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
        assert f"{recorded} is there already" in done.stderr
    lines.write_text("")
    assert run(*arguments).exit_code == 2
    assert (recorded.read_bytes(), len(model.requests)) == (whole, asked)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"entropy": ', '"entropy": "x", "was": '),
        ('"ends": [', '"ends": [null, '),
        ('"checks"', '"c"'),
    ],
)
def test_a_damaged_chain_is_named_before_anything_runs(
    recorded: Path, model: ScriptedModel, old: str, new: str
) -> None:
    lines, whole, asked = recorded.with_suffix(".jsonl"), recorded.read_bytes(), len(model.requests)
    first, second, rest = lines.read_text().split("\n", 2)
    assert old in second
    lines.write_text("\n".join([first, second.replace(old, new), rest]))
    options = ("--set", "check=line", "--set", "probe.rollouts=2", "--limit", "5", "--resume")
    done = run("record", str(recorded), *options)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.stderr
    assert f"{lines}, line 2: not chains of this version (" in done.stderr
    assert (recorded.read_bytes(), len(model.requests)) == (whole, asked)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
@pytest.mark.parametrize(
    "command",
    [
        ["eval", "direct", "--out"],
        ["record"],
        ["controller", "record"],
        ["eval-steps", "-", "--out"],
        ["eval-verifier", "flexive", "-", "--out"],
    ],
)
def test_what_is_no_file_is_refused_before_it_is_read(tmp_path: Path, command: list[str]) -> None:
    pipe = tmp_path / "r.jsonl"
    os.mkfifo(pipe)
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"problem": "1", "steps": ["1"], "label": -1, "right": true}\n')
    out = str(pipe.with_suffix(".parquet") if command == ["record"] else pipe)
    words = [str(rows) if word == "-" else word for word in command]
    whole = [sys.executable, "-m", "agentflow", *words, out, "--limit", "1", "--resume"]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=600)
    assert done.returncode == 2, done.stderr
    assert f"{pipe}: is no file; records need one" in done.stderr


def test_a_file_of_yours_is_left_as_it_is(model: ScriptedModel, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    out.write_text('{"mine": [1,2,3]}')
    done = run("eval", "direct", "--limit", "1", "--resume", "--out", str(out))
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{out}, line 1: " in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["results.json"]
    assert out.read_text() == '{"mine": [1,2,3]}'


def test_a_start_that_failed_keeps_no_name(model: ScriptedModel, tmp_path: Path) -> None:
    """Its plan was written, and no record."""
    out = tmp_path / "r.jsonl"
    start = ("eval", "direct", "--limit", "1", "--out", str(out))
    assert run(*start, "--set", "max_cost=1").exit_code == 2  # nobody knows the model's price
    assert (tmp_path / "r.plan.json").exists()
    assert not out.exists()
    done = run(*start, "--dataset", "generate:math?count=2")
    assert done.exit_code == 0, done.stderr
    other = run(*start, "--resume")
    assert "was begun on the dataset generate:math?count=2, not game24" in other.stderr


def test_record_needs_log_probabilities(
    monkeypatch: pytest.MonkeyPatch, model: ScriptedModel, tmp_path: Path
) -> None:
    monkeypatch.setattr(model, "capabilities", Capabilities(logprobs=0))
    done = run("record", str(tmp_path / "c.parquet"), "--limit", "2")
    assert done.exit_code == 2
    assert "rules entropy, confidence probe the solver, which lacks" in done.stderr.splitlines()[-1]


EVAL = ("eval", "direct", "--out", "{}/r.jsonl")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("replay", "{}/none.parquet"), "no such file; `agentflow record` makes one"),
        (("replay", "{}/none.jsonl"), "no such file"),
        (("replay", "{}/text.jsonl"), "line 1: not a record"),
        (("replay", "{}/text.parquet"), "cannot be read"),
        (
            ("eval", "nope", "--out", "{}/r.jsonl"),
            "unknown method 'nope'; known: active_retrieval",
        ),
        (("eval", "panel", "--out", "{}/r.jsonl"), "'panel' is a verifier, no method"),
        ((*EVAL, "--dataset", "{}"), "it is a folder; name a file in it"),
        (("eval", "a=direct;nope=1", "--out", "{}/r.jsonl"), "nope: no such setting"),
        (("eval", "a=direct;nope", "--out", "{}/r.jsonl"), "write --set KEY=VALUE"),
        (("eval", "direct", "direct", "--out", "{}/r.jsonl"), "two arms have the same name"),
        ((*EVAL, "--set", "top_k=-1"), "top_k: Input should be greater"),
        ((*EVAL, "--set", "seed=3"), "seed=3: not a setting here"),
        ((*EVAL, "--set", "model=x"), "model=x: not a setting here"),
        ((*EVAL, "--set", "roles.solver=embedded"), "roles.solver is no setting here; all arms"),
        (
            ("eval", "a\udcff=direct", "--out", "{}/r.jsonl"),
            "'a\\udcff' cannot be the name of an arm",
        ),
        (("eval", "a\nb=direct", "--out", "{}/r.jsonl"), "use printable characters"),
        (("eval", "=direct", "--out", "{}/r.jsonl"), "arm '=direct' has no name"),
        ((*EVAL, "--dataset", "{}/none"), "no dataset"),
        ((*EVAL, "--domain", "nope"), "unknown domain"),
        (("eval", "direct", "--out", "{}/text.jsonl"), "is there already"),
        (("eval", "direct", "--out", "{}/text.jsonl", "--resume"), "line 1: not a record"),
        (("eval", "direct", "--out", "{}", "--resume"), "is a folder"),
        (("record", "{}/c.jsonl"), "chains are kept in Parquet; name it"),
        (
            ("record", "{}/c.parquet", "--set", "probe.rollouts=0"),
            "probe.rollouts: Input should be greater",
        ),
        (("record", "{}/c.parquet", "--set", "nope=0"), "nope: no such setting"),
    ],
)
def test_bad_input_is_one_line(
    model: ScriptedModel, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    for name in ("text.jsonl", "text.parquet"):
        (tmp_path / name).write_text("hello\n")
    done = run(*(one.replace("{}", str(tmp_path)) for one in arguments))
    assert (done.exit_code, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("error: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert model.requests == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--slack", "-1"),
        ("--slack", "2"),
        ("--epsilon", "0"),
        ("--epsilon", "1"),
        ("--epsilon", "nan"),
        ("--epsilon", "0.1", "--delta", "1"),
    ],
)
def test_options_out_of_range(recorded: Path, arguments: tuple[str, ...]) -> None:
    done = run("replay", str(recorded), *arguments)
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("command", [("record", "c.parquet"), ("replay", "c.parquet")])
def test_missing_packages_are_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "class Hide:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('numpy', 'pyarrow', 'matplotlib'): raise ModuleNotFoundError(name)\n"
        "import importlib.util\n"
        "find = importlib.util.find_spec\n"
        "hidden = ('numpy', 'pyarrow', 'matplotlib')\n"
        "importlib.util.find_spec = lambda name: None if name in hidden else find(name)\n"
        "sys.meta_path.insert(0, Hide())\n"
        "from agentflow import cli\n"
        "cli.main()\n"
    )
    (tmp_path / "c.parquet").write_bytes(b"PAR1")
    whole = [sys.executable, "-c", code, *command]
    done = subprocess.run(whole, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"error: chains need numpy, pyarrow, matplotlib: {install('evaluation')}\n"
    )


def test_help_waits_for_nothing() -> None:
    code = (
        "import sys, agentflow.cli as cli\n"
        "try: cli.app(['replay', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'langgraph', 'numpy', 'pyarrow', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_names_what_goes_on() -> None:
    async def stopped() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"^interrupted; runs\.jsonl .* --resume "):
        finished(stopped(), Path("runs.jsonl"))
    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        finished(stopped())
