"""What is installed, which engine answers, what the kernel allows."""

from __future__ import annotations

import asyncio
import platform
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from time import monotonic

from agentflow.errors import AgentflowError, StreamBroken
from agentflow.tools.sandbox.support import features
from agentflow.version import __version__, install

PACKAGES = ("langgraph", "langchain-core", "langchain-openai", "pydantic", "aiohttp", "xllamacpp")
EXTRAS = {
    "vllm": "vllm",
    "torch": "training",
    "transformers": "training",
    "ray": "ray",
    "langgraph-cli": "studio",
    "uvicorn": "server",
}
"""Optional package -> the extra that installs it."""

_REQUEST_TOKENS = 48


@dataclass(frozen=True, slots=True)
class Check:
    """One finding.

    Attributes:
        section: ``versions``, ``extras``, ``model`` or ``kernel``.
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
    return [*versions(), *extras(), *kernel(), *bundled(model), asyncio.run(engine(model, timeout))]


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
    what = "missing from this install; reinstall agentflow, or choose --model PATH or URL"
    if name != "embedded":
        what = f"not in this release; the page 'The judge' says how {path.name} is trained"
    return Check("model", label, False, what, needed)


async def engine(spec: str, seconds: float) -> Check:
    """Whether a model answers a short request, and how fast."""
    from agentflow import models

    try:
        async with asyncio.timeout(seconds):
            return Check("model", spec, True, await _ask(spec), required=True)
    except TimeoutError:
        return Check("model", spec, False, f"no answer within {seconds:g} s", required=True)
    except AgentflowError as error:
        return Check("model", spec, False, str(error), required=True)
    finally:
        await models.close_all()


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
    told = f"{model.name}: first token after {arrivals[0] - begun:.1f} s, start included"
    return f"{told}{speed}{taught}"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
