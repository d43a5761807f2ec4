"""Start an engine as a server of its own, wait until it answers, stop it.

The flags are what :class:`~agentflow.models.http.HTTPModel` needs: a prefix cache, the whole
vocabulary's log-probabilities, no defaults of the model's own, no parser for the thinking, which
we read ourselves, and our plugin (:mod:`agentflow.vllm_plugin`) switched on.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path

from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models import bundled
from agentflow.version import install
from agentflow.vllm_plugin.ask import SWITCH

ENGINES = ("vllm", "llamacpp")
_GRACE = 30.0
"""Seconds an engine has to stop by itself."""


@dataclass(frozen=True, slots=True)
class Served:
    """An engine that runs.

    Attributes:
        url: Its base URL.
        process: Of ``leash.py``, which ends as the engine does, and it as this process does. It
            leads a process group of its own.
        log: The last lines that it wrote.
    """

    url: str
    process: subprocess.Popen[str]
    log: deque[str]

    @property
    def last_words(self) -> str:
        """What its log says went wrong, in one line; else the log's end."""
        lines = [line.strip() for line in self.log if line.strip()]
        errors = [line for line in lines if "rror: " in line and "WARN" not in line]
        return " / ".join(dict.fromkeys(errors[:3] or lines[-3:])) or "it wrote nothing"


@contextmanager
def serve(
    engine: str,
    model: str = "embedded",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    name: str = "",
    context: int | None = None,
    options: Sequence[str] = (),
    in_engine: bool = True,
    patience: float = 1800.0,
    echo: Callable[[str], object] = lambda line: None,
) -> Iterator[Served]:
    """A server that answers while the block runs; behind it no process of it is left, even where
    this process is killed.

    Args:
        engine: One of :data:`ENGINES`.
        model: ``embedded``, or what the engine takes: for vLLM a folder or a hub's name, for
            llama.cpp a GGUF file.
        host, port: Where it listens; port 0 for a free one.
        name: The served model's name; empty for the engine's own choice.
        context: Tokens a stream holds; None for the engine's own choice.
        options: More options for the engine's own command line.
        in_engine: Whether vLLM has our plugin on.
        patience: Seconds until it must answer.
        echo: Called with each line of the engine's log, in a thread.

    Raises:
        BadInput: If there is no such engine, the patience is no time, the port is taken, the
            engine ends at once, or the options exclude the plugin.
        ModelUnavailable: If it is not installed, or does not answer in time.
    """
    if not patience > 0:  # not a number is none
        raise BadInput(f"patience is {patience:g}: give a number of seconds above 0")
    if engine not in ENGINES:
        raise BadInput(f"unknown engine {engine!r}; use {' or '.join(ENGINES)}")
    if engine == "vllm" and in_engine:
        _agree(options)
    port = _free(host, port)
    build = _vllm if engine == "vllm" else _llamacpp
    command = [sys.executable, "-m", *build(model, name, context)]
    leash = [sys.executable, "-I", "-S", str(Path(__file__).with_name("leash.py"))]
    process = subprocess.Popen(
        [*leash, *command, "--host", host, "--port", str(port), *options],
        stdin=subprocess.PIPE,  # its end, where this process dies, ends the engine
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env=os.environ | {SWITCH: str(int(engine == "vllm" and in_engine))},
    )
    served = Served(f"http://{_reachable(host)}:{port}/v1", process, deque(maxlen=400))
    reader = threading.Thread(target=_read, args=(served, echo), daemon=True)
    reader.start()
    try:
        _wait(served, engine, patience, reader)
        yield served
    finally:
        _stop(process)
        reader.join(_GRACE)


def _vllm(model: str, name: str, context: int | None) -> list[str]:
    """vLLM's module and options."""
    if find_spec("vllm") is None:
        raise ModelUnavailable(
            f"vLLM is not installed: {install('vllm')}, or use --engine llamacpp"
        )
    if model in bundled.NAMES:
        path = bundled.file(model)
        model, name = str(_converted(path)), name or path.stem
    # Else a model may fill its answer with white space, which JSON allows without end.
    structured = {"backend": "xgrammar", "disable_any_whitespace": True}
    # The module and not the command `vllm`, which builds for a CPU install without what it needs.
    return [
        *("vllm.entrypoints.openai.api_server", "--model", model),
        *("--enable-prefix-caching", "--enable-prompt-tokens-details"),
        *("--max-logprobs", "-1", "--logprobs-mode", "raw_logprobs"),
        *("--generation-config", "vllm"),
        *("--structured-outputs-config", json.dumps(structured)),
        *(("--served-model-name", name) if name else ()),
        *(("--max-model-len", str(context)) if context else ()),
    ]


def _agree(options: Sequence[str]) -> None:
    """See that the engine's options leave room for the plugin.

    Raises:
        BadInput: Where tokens are proposed by another model: V1 would leave the plugin out without
            a word, and the Model Runner V2 not start.
    """
    for option in options:
        if option.startswith(("--speculative", "-sc")):
            raise BadInput(
                f"{option}: the probes and stop rules inside vLLM do not work under speculative "
                "decoding; leave it out, or serve with --no-in-engine"
            )


def _llamacpp(model: str, name: str, context: int | None) -> list[str]:
    """Our own module around llama.cpp and its options."""
    path = str(bundled.file(model)) if model in bundled.NAMES else model
    return [
        *("agentflow.models.llamacpp", path),
        *(("--name", name) if name else ()),
        *(("--context", str(context)) if context else ()),
    ]


def _converted(path: Path) -> Path:
    """The GGUF file as the folder that vLLM loads, made once by the checkout's own script."""
    data = path.read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agentflow"
    folder = cache / f"{path.stem}-{hashlib.blake2b(data, digest_size=8).hexdigest()}"
    if folder.is_dir():
        return folder
    checkout = Path(__file__).resolve().parents[2]
    cache.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=cache))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "training.convert", str(path), str(fresh)],
            cwd=checkout,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["it said nothing"]
            raise BadInput(
                f"vLLM needs the bundled model as a folder, and it cannot be converted here "
                f"({lines[-1]}); in a checkout, {install('training')}, or serve another model"
            )
        with suppress(OSError):  # another process was faster
            fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def _free(host: str, port: int) -> int:
    """The port, or a free one for 0."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise BadInput(f"cannot listen at {host}:{port} ({error}); choose another") from error
        return int(probe.getsockname()[1])


def _reachable(host: str) -> str:
    """The host as this machine's clients write it in a URL."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def _read(served: Served, echo: Callable[[str], object]) -> None:
    """Keep reading the log, for a full pipe would stop the engine."""
    assert served.process.stdout is not None
    with served.process.stdout as lines:
        for line in lines:
            served.log.append(line)
            echo(line.rstrip("\n"))


def _wait(served: Served, engine: str, patience: float, reader: threading.Thread) -> None:
    """Return as soon as the server lists its models."""
    until = time.monotonic() + patience
    while not _answers(f"{served.url}/models"):
        if served.process.poll() is not None:
            _stop(served.process)
            reader.join(_GRACE)
            raise BadInput(
                f"{engine} ended before it answered (exit code {served.process.returncode}): "
                f"{served.last_words}"
            )
        if time.monotonic() > until:
            raise ModelUnavailable(
                f"{engine} does not answer after {patience:.0f} s: {served.last_words}"
            )
        time.sleep(0.2)


def _answers(url: str) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        direct.open(url, timeout=10).close()
    except urllib.error.HTTPError as error:
        return error.code in (401, 403)  # it wants its key, which its clients will have
    except (OSError, HTTPException):
        return False
    return True


def _stop(process: subprocess.Popen[str]) -> None:
    """End the process, and then whatever is left of it."""
    process.terminate()
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
        assert process.stdin is not None
        process.stdin.close()  # it kills what is left
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
