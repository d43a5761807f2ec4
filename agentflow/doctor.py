"""What is installed, which engine answers, what the kernel allows."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from time import monotonic

from agentflow.errors import AgentflowError, StreamBroken
from agentflow.tools.sandbox.support import features
from agentflow.version import DISTRIBUTION, __version__, install

PACKAGES = ("langgraph", "langchain-core", "langchain-openai", "pydantic", "aiohttp", "xllamacpp")
EXTRAS = {
    "vllm": "vllm",
    "torch": "training",
    "transformers": "training",
    "ray": "ray",
    "simpy": "simulate",
    "langgraph-cli": "studio",
    "uvicorn": "server",
}
"""Optional package -> the extra that installs it."""

_REQUEST_TOKENS = 48
_LETTERS = 4
"""Of a token, about."""


@dataclass(frozen=True, slots=True)
class Check:
    """One finding.

    Attributes:
        section: ``versions``, ``extras``, ``kernel``, ``caches`` or ``model``.
        name: What was looked at.
        ok: Whether it is there.
        detail: The version, the figure, or why it is not there and what to do.
        required: Whether the chosen model cannot run without it.
    """

    section: str
    name: str
    ok: bool
    detail: str
    required: bool = False


def examine(model: str = "embedded", timeout: float = 60.0) -> list[Check]:
    """Look at everything; the last ``required`` check is one short request to ``model``."""
    return [
        *(*versions(), *extras(), *kernel(), *caches(), *bundled(model.partition("?")[0])),
        *asyncio.run(engine(model, timeout)),
    ]


def versions() -> list[Check]:
    """Python and the packages the base install needs."""
    checks = [
        Check("versions", "python", True, platform.python_version()),
        Check("versions", "agentflow", True, __version__),
    ]
    for package in PACKAGES:
        version = _version(package)
        checks.append(Check("versions", package, version is not None, version or "not installed"))
    return checks


def extras() -> list[Check]:
    """Optional packages, and which extra brings each."""
    checks = []
    for package, extra in EXTRAS.items():
        version = _version(package)
        detail = version or f"not installed; {install(extra)}"
        checks.append(Check("extras", package, version is not None, detail))
    return checks


def kernel() -> list[Check]:
    """What the sandbox can be built from here."""
    if not sys.platform.startswith("linux"):
        return [Check("kernel", "sandboxing", False, f"not looked at on {sys.platform}")]
    release = Check("kernel", "release", True, platform.release())
    return [
        release,
        *(
            Check("kernel", feature.name, feature.offered, feature.detail or "offered")
            for feature in features()
        ),
    ]


def bundled(model: str) -> list[Check]:
    """Whether the bundled models came with the package: the pocket model and the judge."""
    from agentflow.models import bundled as files

    return [_file(name, files.file(name), model == name) for name in files.NAMES]


def _file(name: str, path: Path, needed: bool) -> Check:
    label = name.replace("embedded", "bundled").replace(":", " ")
    if path.is_file():
        return Check("model", label, True, f"{path.stat().st_size / 1e6:.1f} MB", needed)
    what = f"missing from this install; reinstall {DISTRIBUTION}, or choose --model PATH or URL"
    if name != "embedded":
        what = f"not in this release; the page 'The judge' says how {path.name} is trained"
    return Check("model", label, False, what, needed)


async def engine(spec: str, seconds: float) -> list[Check]:
    """Whether a model answers a short request, and how fast; then, what its prefix cache does."""
    from agentflow import models

    try:
        answers, detail = await _within(seconds, _ask(spec))
        found = [Check("model", spec, answers, detail, required=True)]
        if answers:
            found += await _spoken_to(spec)
            told, detail = await _within(seconds, _cache(spec))
            works = told and detail.startswith("takes ")
            found.append(Check("model", "prefix cache", works, detail))
        return found
    finally:
        await models.close_all()


async def _spoken_to(spec: str) -> list[Check]:
    """How a model that answers is spoken to: its profile, context and threads."""
    from agentflow import models
    from agentflow.models import embedded
    from agentflow.settings import Server

    profile, server = (await models.connect(spec)).profile, Server.model_validate(spec)
    around = f"thinks between {profile.think_open!r} and {profile.think_close!r}"
    thinks = around if profile.think_close else "does not think apart from its answer"
    threads = "the server's own"
    if models.is_file(spec):
        threads = f"{server.threads or embedded.THREADS} (cores here: {embedded.cores()})"
    return [
        Check("model", "profile", True, f"{profile.name}: {thinks}"),
        Check("model", "context", True, f"{profile.context:,} tokens"),
        Check("model", "threads", True, threads),
    ]


def caches() -> list[Check]:
    """What agentflow and what it uses keep on the disk, and how much that is."""
    from agentflow.checkpoints import default_checkpoints

    home = Path.home() / ".cache"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or home)
    hub = Path(os.environ.get("HF_HOME") or cache / "huggingface")
    found = [_kept("converted models", cache / "agentflow"), _kept("data sets of the hub", hub)]
    where = default_checkpoints()
    if "://" in where:
        return [*found, Check("caches", "threads", True, "in a database")]
    return [*found, _kept("threads", Path(where))]


def _kept(name: str, place: Path) -> Check:
    """How much lies in a folder or a file."""
    if not place.exists():
        return Check("caches", name, True, f"none yet ({place})")
    inside = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
    size = sum(one.lstat().st_size for one in inside)
    return Check("caches", name, True, f"{size / 1e6:.1f} MB ({place})")


async def _within(seconds: float, answer: Awaitable[str]) -> tuple[bool, str]:
    """(True, the answer), or (False, why there is none)."""
    try:
        async with asyncio.timeout(seconds):
            return True, await answer
    except TimeoutError:
        return False, f"no answer within {seconds:g} s"
    except AgentflowError as error:
        return False, str(error)


async def _cache(spec: str) -> str:
    """What a server takes from its cache of a long prompt that it was sent a moment ago."""
    from agentflow import models
    from agentflow.models.model import complete, prompt_of, segment
    from agentflow.models.prefix_cache import LONG, WORKS, rereads
    from agentflow.profile import Sampling
    from agentflow.trace import Trace

    model = await models.connect(spec)
    if not model.capabilities.continues:
        return "not looked at: an API that only chats can be neither probed nor cut"
    text = "".join(f"{n} and {n + 1} is {2 * n + 1}. " for n in range(LONG // 4))
    trace = Trace([(await segment(model, "prompt", model.profile.render(text))).operation()])
    prompt = prompt_of(model, trace)
    most = min(LONG, model.profile.context // 2) * (_LETTERS if isinstance(prompt, str) else 1)
    short = models.Request(prompt[: most - _LETTERS], 1, Sampling(temperature=0.0))
    known = (await complete(model, short)).finish.prompt or short.length
    found = await complete(model, replace(short, prompt=prompt[:most]))
    cached = found.finish.cached
    if cached is None:
        return "unknown: the server does not tell (vLLM: --enable-prompt-tokens-details)"
    if cached < WORKS * known:
        return rereads(model.name, known, cached)
    return f"takes {cached:,} of {known:,} tokens from it"


async def _ask(spec: str) -> str:
    from agentflow import models, prompts
    from agentflow.domains import DOMAINS
    from agentflow.models.model import prompt_of, segment
    from agentflow.profile import Sampling
    from agentflow.trace import Trace

    begun = monotonic()
    model = await models.connect(spec)
    trace = Trace()
    trace.append(await segment(model, "prompt", model.profile.render("game24: 4 7 8 8")))
    request = models.Request(prompt_of(model, trace), _REQUEST_TOKENS, Sampling(), cache=False)
    arrivals = [
        monotonic() async for item in model.stream(request) if isinstance(item, models.Token)
    ]
    if not arrivals:
        raise StreamBroken(f"{model.name} answers but generates nothing")
    between = arrivals[-1] - arrivals[0]
    speed = f", {(len(arrivals) - 1) / between:.0f} tokens/s" if between else ""
    fixed = [name for name in DOMAINS if prompts.own(model.profile, name)]
    taught = f"; whatever prompt says, it gets its own in {', '.join(fixed)}" if fixed else ""
    detail = f"{model.name}: first token after {arrivals[0] - begun:.1f} s, start included"
    return f"{detail}{speed}{taught}"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
