"""Starting and stopping engines: a stand-in for vLLM, and llama.cpp itself."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models import HTTPModel, Request, complete, embedded
from agentflow.models import serve as serving
from agentflow.models.serve import Served, serve
from agentflow.version import install

STAND_IN = '''
"""Behaves as vLLM does, as far as its start and end go."""
import json, os, signal, subprocess, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/v1/models" else 404)
        self.end_headers()
        self.wfile.write(json.dumps({
            "argv": sys.argv[1:], "in_engine": os.environ.get("AGENTFLOW_IN_ENGINE"),
            "pid": os.getpid(), "helper": helper.pid, "apart": apart.pid
        }).encode())

sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
helper = subprocess.Popen(sleep)
apart = subprocess.Popen(sleep, start_new_session=True)
mode = os.environ.get("STAND_IN", "")
print("loading", flush=True)
if mode == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode == "fails":
    print("WARNING: OSError: [Errno 24] is what few files may lead to")
    print("(Worker pid=7) ERROR ValueError: too little memory")
    print("for more see above")
    sys.exit(3)
if mode == "silent":
    time.sleep(600)
HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler).serve_forever()
'''

FOUND = embedded.bundled().is_file()
needs_pocket = pytest.mark.skipif(not FOUND, reason="the bundled model is not here")


@pytest.fixture
def vllm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install the stand-in; what is returned chooses how it behaves."""
    folder = tmp_path / "vllm" / "entrypoints" / "openai"
    folder.mkdir(parents=True)
    (folder / "api_server.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "vllm", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def behave(mode: str) -> None:
        monkeypatch.setenv("STAND_IN", mode)

    return behave


def asked(served: Served) -> Any:
    """What the stand-in says of itself."""
    with urllib.request.urlopen(f"{served.url}/models") as reply:
        return json.load(reply)


def lives(pid: int) -> bool:
    """Whether a process runs (a dead one that nobody waited for does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def dies(pid: int) -> bool:
    """Whether a process that was killed is gone, which takes the kernel a moment; or for ever."""
    while lives(pid):
        time.sleep(0.01)
    return True


def test_vllm_is_started_with_what_the_client_needs(vllm: Callable[[str], None]) -> None:
    options = ["--enforce-eager", "--seed", "3"]
    with serve("vllm", "Qwen/Qwen3-8B", port=0, context=4096, options=options) as served:
        argv = asked(served)["argv"]
    given = dict(pairwise(argv))
    assert given["--model"] == "Qwen/Qwen3-8B"
    assert given["--max-logprobs"] == "-1"
    assert given["--logprobs-mode"] == "raw_logprobs"
    assert given["--generation-config"] == "vllm"
    assert given["--max-model-len"] == "4096"
    assert f":{given['--port']}/v1" in served.url
    assert {"--enable-prefix-caching", "--enable-prompt-tokens-details"} <= set(argv)
    assert not any("reasoning" in one or "served-model-name" in one for one in argv)
    assert argv[-3:] == options


@pytest.mark.parametrize("on", [True, False])
def test_our_plugin_is_switched_on_unless_it_is_not_wanted(
    vllm: Callable[[str], None], on: bool
) -> None:
    with serve("vllm", "x", port=0, in_engine=on) as served:
        assert asked(served)["in_engine"] == str(int(on))


@pytest.mark.parametrize("option", ["--speculative-config", "-sc", "--speculative_config={}"])
def test_speculative_decoding_excludes_it(vllm: Callable[[str], None], option: str) -> None:
    why = f"{option}: .* do not work under speculative decoding; .* --no-in-engine"
    with pytest.raises(BadInput, match=why), serve("vllm", "x", port=0, options=[option]):
        pytest.fail("it started")
    with serve("vllm", "x", port=0, options=[option], in_engine=False) as served:
        assert asked(served)["argv"][-1] == option


def test_nothing_of_it_is_left_behind(vllm: Callable[[str], None]) -> None:
    with serve("vllm", "x", port=0) as served:
        helper, apart = asked(served)["helper"], asked(served)["apart"]
        assert lives(served.process.pid)
        assert lives(helper)
        assert lives(apart)
    assert not lives(served.process.pid)
    assert dies(helper)
    assert dies(apart)
    assert served.process.returncode == -signal.SIGTERM


@pytest.mark.parametrize("mode", ["", "deaf"])
def test_nothing_is_left_behind_kill_9(vllm: Callable[[str], None], mode: str) -> None:
    """Nor of what the engine started, in sessions of their own or not."""
    vllm(mode)
    command = [sys.executable, "-m", "agentflow", "model", "serve", "x", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        with urllib.request.urlopen(f"{process.stdout.readline().strip()}/models") as reply:
            said = json.load(reply)
        started = [said[name] for name in ("pid", "helper", "apart")]
        assert all(map(lives, started))
        process.kill()
    assert all(map(dies, started))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills the children of the killed")
def test_the_engine_dies_with_what_holds_it(vllm: Callable[[str], None]) -> None:
    with serve("vllm", "x", port=0) as served:
        said = asked(served)
        served.process.kill()
        assert dies(said["pid"])
        os.kill(said["apart"], signal.SIGKILL)  # nobody is left who knows of it


def test_nothing_is_left_behind_an_error_either(vllm: Callable[[str], None]) -> None:
    with pytest.raises(ZeroDivisionError), serve("vllm", "x", port=0) as served:
        raise ZeroDivisionError
    assert not lives(served.process.pid)


def test_an_engine_that_will_not_stop_is_killed(
    vllm: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_GRACE", 0.3)
    vllm("deaf")
    with serve("vllm", "x", port=0) as served:
        helper = asked(served)["helper"]
    assert served.process.returncode == -signal.SIGKILL
    assert dies(helper)


def test_an_engine_that_fails_says_why(vllm: Callable[[str], None]) -> None:
    vllm("fails")
    seen: list[str] = []
    with pytest.raises(BadInput) as caught, serve("vllm", "x", port=0, echo=seen.append):
        pytest.fail("it cannot answer")
    assert str(caught.value) == (
        "vllm ended before it answered (exit code 3): (Worker pid=7) ERROR ValueError: too little "
        "memory"
    )
    assert seen[0] == "loading"
    assert seen[-1] == "for more see above"


def test_an_engine_that_never_answers(vllm: Callable[[str], None]) -> None:
    vllm("silent")
    with (
        # Whether it came to write a line within the second, the machine decides.
        pytest.raises(ModelUnavailable, match=r"does not answer after 1 s: (loading|it wrote)"),
        serve("vllm", "x", port=0, patience=1),
    ):
        pytest.fail("it cannot answer")


def test_a_port_that_is_taken_is_told_at_once(vllm: Callable[[str], None]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f"127.0.0.1:{port} .*in use"):  # noqa: SIM117
            with serve("vllm", "x", port=port):
                pytest.fail("the port is taken")


@pytest.mark.parametrize("patience", ["-1", "0", "nan"])
def test_patience_is_a_time(monkeypatch: pytest.MonkeyPatch, patience: str) -> None:
    def started(*_: Any, **__: Any) -> Any:
        raise AssertionError("the engine was started")

    monkeypatch.setattr(serving.subprocess, "Popen", started)
    given = ["model", "serve", "x.gguf", "--port", "0", "--patience", patience]
    done = CliRunner().invoke(app, given)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"patience is {float(patience):g}: give a number of seconds above 0" in done.stderr


def test_an_unknown_engine() -> None:
    with pytest.raises(BadInput, match="unknown engine 'ollama'; use vllm or llamacpp"):  # noqa: SIM117
        with serve("ollama"):
            pytest.fail("there is no such engine")


def test_vllm_that_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["model", "serve", "Qwen/Qwen3-8B", "--port", "0"])
    assert done.exit_code == 3
    assert done.stdout == ""
    assert install("vllm") in done.stderr.splitlines()[-1]


def test_the_command_prints_the_url_alone_and_returns_the_engines_exit_code(
    vllm: Callable[[str], None],
) -> None:
    """SIGTERM stops it; what stands behind -- goes to the engine."""
    command = [sys.executable, "-m", "agentflow", "model", "serve", "x", "--port", "0", "--name"]
    command += ["mine", "--", "--seed", "3"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{url}/models") as reply:
            said = json.load(reply)
        process.send_signal(signal.SIGTERM)
        rest, log = process.communicate()
    assert said["argv"][-2:] == ["--seed", "3"]
    assert said["argv"][said["argv"].index("--served-model-name") + 1] == "mine"
    assert (rest, log.splitlines()[-1]) == ("", "vllm stopped")
    assert process.returncode == 128 + signal.SIGTERM  # the stand-in has no handler
    assert dies(said["helper"])


@pytest.mark.slow
@needs_pocket
async def test_llamacpp_serves_on_a_chosen_port() -> None:
    with serve("llamacpp", port=0, name="agentflow-pocket-2", options=["--slots", "2"]) as served:
        model = HTTPModel(served.url)
        await model.open()
        assert (model.name, model.profile.name) == ("agentflow-pocket-2", "pocket")
        prompt = await model.tokenize(model.profile.render("game24: 1 6 8 12"))
        schema = {"enum": ["right", "wrong"]}
        said = await complete(model, Request(prompt, 20, seed=1, schema=schema))
        assert json.loads(said.text) in schema["enum"]
        await model.close()
    assert served.process.returncode == 0
    again = HTTPModel(served.url)
    with pytest.raises(ModelUnavailable, match="no server answers"):
        await again.open()
    await again.close()


def test_a_model_that_cannot_be_converted_for_vllm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    wrong = tmp_path / "model.gguf"
    wrong.write_bytes(b"GGUF, but no model")
    with pytest.raises(BadInput, match=r"cannot be converted here \(.*Error.*\); in a checkout"):
        serving._converted(wrong)
    assert list((tmp_path / "cache" / "agentflow").iterdir()) == []


@pytest.mark.slow
def test_llamacpp_says_what_is_no_model(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.gguf")
    with pytest.raises(BadInput, match=f"{missing}: no such model file"):  # noqa: SIM117
        with serve("llamacpp", missing, port=0):
            pytest.fail("there is no such file")


@pytest.mark.slow
@needs_pocket
def test_ctrl_c_stops_llamacpp_cleanly() -> None:
    command = [sys.executable, "-m", "agentflow", "model", "serve", "embedded"]
    command += ["--engine", "llamacpp", "--port", "0"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A test run in the background of a shell ignores SIGINT, and its children would too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, log = process.communicate()
    assert process.returncode == 0
    assert log.splitlines()[-1] == "llamacpp stopped"
