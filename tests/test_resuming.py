"""The same run plain, on a thread, stopped at every superstep, and killed while it streams."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from legs import LEGS, PUZZLE, Killed, Script, story, told

from agentflow import Result, checkpoints, threads
from agentflow.api import aresume, asolve
from agentflow.arguments import settings_for
from agentflow.models import journal
from agentflow.models.journal import Journal
from agentflow.nodes import MODEL_KEY

FLUSH = Journal.flush
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "k_stable": st.sampled_from([0, 2]),
        "max_corrections": st.integers(0, 3),
        "restarts": st.integers(0, 2),
        "thinking_tokens": st.sampled_from([0, 8, 30]),
        "max_tokens": st.sampled_from([20, 60, 150]),
        "step_verifier": st.booleans(),
    },
)
PLANS = st.lists(st.sampled_from(list(LEGS)), max_size=4)


async def superstep(file: Path, legs: Sequence[str], config: dict[str, Any]) -> Result | None:
    """Begin or go on with a thread for one superstep; the result once it has come to its end.

    Nothing happens behind the superstep that would not behind a kill.
    """
    async with checkpoints.open_checkpoints(file) as opened, threads.holding("t", opened):
        model = Script(legs)
        method, context = "interwhen", settings_for("interwhen", **config)
        graph = threads.graph_of(method, opened)
        begun = await threads.origin_of("t", opened) is not None
        runnable: Any = threads.config_of("t", opened, method, context)
        runnable["configurable"][MODEL_KEY] = model
        await graph.ainvoke(
            None if begun else {"problem": PUZZLE},
            runnable,
            context=context,
            durability="sync",
            interrupt_after="*",
        )
        if (await graph.aget_state(runnable)).next:
            return None
    return await aresume("t", checkpoints=file, model=Script(legs))


@settings(max_examples=15)
@given(PLANS, SETTINGS)
@example(["wrong step"], {"k_stable": 0, "step_verifier": False, "max_tokens": 20})
def test_plain_checkpointed_and_stopped_at_every_superstep_are_the_same(
    legs: list[str], config: dict[str, Any]
) -> None:
    plain = asyncio.run(asolve(PUZZLE, "interwhen", model=Script(legs), **config))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "t.sqlite"
        whole = asyncio.run(
            asolve(PUZZLE, "interwhen", model=Script(legs), thread="t", checkpoints=file, **config)
        )
        assert told(whole) == told(plain)
        stopped, stops = None, -1
        while stopped is None:
            stopped = asyncio.run(superstep(Path(folder) / "s.sqlite", legs, config))
            stops += 1
            assert stops < 100
        assert told(stopped) == told(plain)
        assert asyncio.run(story(file)) == asyncio.run(story(Path(folder) / "s.sqlite"))
        assert stops >= len(plain.ledger)


@settings(max_examples=12)
@given(PLANS, SETTINGS, st.integers(1, 25), st.booleans())
def test_killed_again_and_again_while_it_streams_it_is_the_same(
    legs: list[str], config: dict[str, Any], lives: int, lossy: bool
) -> None:
    """Each process dies some tokens after it began; what a lossy one had not written is lost."""
    plain = asyncio.run(asolve(PUZZLE, "interwhen", model=Script(legs), **config))
    kills, streamed, result = 0, 0, None
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        at = {"thread": "t", "checkpoints": Path(folder) / "t.sqlite"}
        while result is None:
            model = Script(legs, kill_at=lives + kills * lossy)
            if lossy:
                patch.setattr(journal, "FLUSH_SECONDS", 0.0)
                patch.setattr(Journal, "flush", dying(model))
            try:
                again = aresume(model=model, **at) if kills else None
                result = asyncio.run(
                    again or asolve(PUZZLE, "interwhen", model=model, **at, **config)
                )
            except Killed:
                kills += 1
            streamed += model.streamed
            assert kills < 500
    assert told(result, sums=False) == told(plain, sums=False)
    assert (result.cost.generated, result.cost.wasted) == (plain.cost.generated, plain.cost.wasted)
    if kills == 0:
        assert told(result) == told(plain)
    else:
        assert result.cost.calls >= plain.cost.calls
    if not lossy:  # a token may be received by nobody: the stream is cut as it comes
        assert streamed <= plain.cost.generated + plain.cost.calls + kills


def dying(model: Script) -> Callable[[Journal], Awaitable[None]]:
    """The journal's flush of a process that does nothing more once it was killed."""

    async def flush(self: Journal) -> None:
        if not model.dead:
            await FLUSH(self)

    return flush
