"""llama.cpp in this process, reached over its own HTTP endpoint like any other server."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput, ModelUnavailable

SLOTS = 4
"""Streams that run at once; more wait in llama.cpp's queue. It chooses the slot of a request by the
longest common prefix: probes of a stream come one after the other, and find theirs in the last's.
"""

CACHE_MIB = 256
"""Megabytes of prompts kept beside the slots; llama.cpp's own 8,192 fill a small machine in an hour
of probes."""

CONTEXT, THREADS = 2048, 1
"""Tokens that each stream holds, and threads that compute, where nothing else is said."""

_starting = threading.Lock()


@dataclass(frozen=True, slots=True)
class Engine:
    """What an engine of this process computes, and how.

    Attributes:
        file: The GGUF file.
        context: Tokens each stream holds.
        threads: Threads that compute.
    """

    file: Path
    context: int
    threads: int


_engines: dict[str, Engine] = {}


def bundled() -> Path:
    """The pocket model that ships with the package."""
    return Path(str(resources.files("agentflow.models") / "pocket" / "agentflow-pocket.gguf"))


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # a container may have fewer than the machine
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve(
    path: Path,
    slots: int = SLOTS,
    copy: int = 0,
    *,
    context: int | None = None,
    threads: int | None = None,
    reads: bool = False,
) -> str:
    """Start serving a GGUF file in this process, once, and return its base URL.

    The server listens on a free loopback port and lives as long as the process.

    Args:
        path: A GGUF file.
        slots: Streams that run at once.
        copy: Another number is another engine of the same file, which computes on a core of its
            own; streams of one engine share one.
        context: Tokens each stream holds; 2048 if None.
        threads: Threads that compute; 1 if None.
        reads: Whether it also gives the last layer's state at each token of a text.

    Raises:
        BadInput, ModelUnavailable: As :func:`start`.
    """
    with _starting:
        engine = Engine(path.resolve(), context or CONTEXT, threads or THREADS)
        server = _server(engine.file, slots, copy, engine.context, engine.threads, reads)
        url = str(server.listening_address) + "/v1"
        _engines[url] = engine
        return url


def served(url: str) -> Engine | None:
    """The engine of this process at a URL; None for any other URL."""
    return _engines.get(url)


@cache
def _server(path: Path, slots: int, copy: int, context: int, threads: int, reads: bool) -> Any:
    return start(path, slots, context=context, threads=threads, reads=reads)


def start(
    path: Path,
    slots: int = SLOTS,
    *,
    context: int = CONTEXT,
    threads: int = THREADS,
    host: str = "127.0.0.1",
    port: int = 0,
    name: str = "",
    reads: bool = False,
    change: Mapping[str, Any] | None = None,
) -> Any:
    """Start llama.cpp's server in this process; it stops when what is returned is deleted.

    Args:
        path: A GGUF file.
        slots: Streams that run at once.
        context: Tokens each of them holds.
        threads: Threads that compute.
        host, port: Where it listens; port 0 for a free one.
        name: The served model's name; the file's where it is empty.
        reads: As of :func:`serve`.
        change: Other parameters of llama.cpp, by their names in ``xllamacpp.CommonParams``.

    Raises:
        BadInput: If the file is missing, no GGUF, or llama.cpp cannot load it.
        ModelUnavailable: If llama.cpp is not installed.
    """
    if not path.is_file():
        raise BadInput(f"{path}: no such model file; give a GGUF file, a URL, or 'embedded'")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise BadInput(f"{path}: not a GGUF file (it does not start with the letters GGUF)")
    try:
        import xllamacpp  # type: ignore[import-untyped]
    except ImportError as error:
        raise ModelUnavailable(
            f"the embedded engine needs the package xllamacpp ({error}); install it, or use "
            "--model with the URL of a server"
        ) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {name or path.stem}
    params.hostnames, params.port = [host], port
    params.n_parallel = slots
    params.n_ctx = slots * context
    params.kv_unified = False
    # Two threads beside one busy process are nine times slower than one.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.n_gpu_layers = 0
    # To write one token its kernel costs several times a plain product; to read a whole text, two
    # thirds of one (``benchmarks/engine.py``).
    flash = xllamacpp.llama_flash_attn_type
    params.flash_attn_type = (
        flash.LLAMA_FLASH_ATTN_TYPE_ENABLED if reads else flash.LLAMA_FLASH_ATTN_TYPE_DISABLED
    )
    # Else the whole reply is parsed as a chat's again at every token; thinking is read here.
    params.force_pure_content_parser = True
    params.reasoning_format = xllamacpp.common_reasoning_format.COMMON_REASONING_FORMAT_NONE
    # A file that is overwritten while it is mapped would kill this process.
    params.load_mode = xllamacpp.llama_load_mode.LLAMA_LOAD_MODE_NONE
    params.special = True  # a generated </think> would else print as nothing
    params.warmup = False
    params.cache_ram_mib = CACHE_MIB
    params.verbosity = -1
    if reads:  # a text in one piece, a state for each of its tokens
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_NONE
        params.n_batch = params.n_ubatch = context
    for key, value in (change or {}).items():
        setattr(params, key, value)
    try:
        return xllamacpp.Server(params)
    except Exception as error:
        raise BadInput(f"{path}: llama.cpp cannot load it ({error}); is the file whole?") from error
