"""No node waits for a disk or a process with the event loop in its hand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from blockbuster import BlockingError, blockbuster_ctx
from langgraph.checkpoint.memory import InMemorySaver

from agentflow import models, prompts
from agentflow.api import ajudge, asolve
from agentflow.configurable import JOURNAL_KEY
from agentflow.graphs import METHODS, VERIFIERS, get, interwhen, verifier
from agentflow.models import ScriptedModel, Token, embedded
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.journal import thread_folder

WRONG = "8 / 8 = 2 (left: 2 4 7)\n"
SOLVED = "8 / 8 = 1 (left: 1 4 7)\n</think>\nAnswer: (7 - 8 / 8) * 4 = 24"


@pytest.fixture(autouse=True)
def refuse() -> Iterator[None]:
    """Calls that block raise; graphs are loaded, prompts not yet."""
    for method in METHODS:
        get(method)
    for name in VERIFIERS:
        verifier(name)
    prompts._template.cache_clear()
    with blockbuster_ctx(scanned_modules=["agentflow"]):
        yield


@pytest.mark.parametrize("method", METHODS)
async def test_no_node_blocks(method: str) -> None:
    told = Token("8 ", None, -0.1, (("8 ", -0.1), ("4 ", -3.0)))
    wrong = [told, WRONG.removeprefix("8 ")]
    model = ScriptedModel({r"<think>\n": wrong, r"<think>\n\d ": WRONG, r"\n|\\boxed\{": SOLVED})
    result = await asolve("4 7 8 8", method, model=model)
    assert result.status in ("verified", "unverified", "exhausted", "abstained")


async def test_neither_does_the_journal(tmp_path: Path) -> None:
    graph = interwhen.build().compile(checkpointer=InMemorySaver())
    model = ScriptedModel({r"<think>\n": WRONG, r"\n|\\boxed\{": SOLVED})
    given = {"thread_id": "one", MODEL_KEY: model, JOURNAL_KEY: str(tmp_path)}
    output = await graph.ainvoke({"problem": "4 7 8 8"}, {"configurable": given})
    assert output["result"]["status"] == "verified"
    assert len(list(thread_folder(tmp_path, "one").iterdir())) == 2


@pytest.mark.parametrize("driver", ["model", "domain"])
async def test_nor_does_verifiagent(driver: str) -> None:
    act = "Action: Use Python Interpreter[\nans = sum(range(24))\n]"
    model = ScriptedModel({r"value: 276[\s\S]*": "Action: Evaluate[Incorrect]", r"": act})
    verdict, _ = await ajudge("4 7 8 8", WRONG, "verifiagent", model=model, driver=driver)
    assert verdict.ok is False


@pytest.mark.slow
@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
async def test_the_embedded_engine_does_not_block() -> None:
    result = await asolve("4 7 8 8", max_tokens=20)
    assert result.cost.generated == 20
    await models.close_all()


async def test_what_blocks_is_refused() -> None:
    def script(_: str) -> str:
        time.sleep(0.001)
        return SOLVED

    with pytest.raises(BlockingError):
        await asolve("4 7 8 8", model=ScriptedModel(script))
