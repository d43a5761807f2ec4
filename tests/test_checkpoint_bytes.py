"""What a superstep writes does not grow with the trace: bytes, counted; time is benchmarked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median

import agentflow
from agentflow.models import ScriptedModel, Token
from agentflow.profile import PROFILES

CORRECTIONS = 110
"""With solve and refine, 222 supersteps."""
THOUGHT = ("so", "what", "if", "I", "take", "the", "other", "two", "first")
PROFILE = replace(PROFILES["qwen3"], context=10**6, max_tokens=10**6)
ROWS = """
SELECT checkpoint_id, length(checkpoint) + length(metadata) FROM checkpoints
UNION ALL SELECT checkpoint_id, length(channel) + ifnull(length(value), 0) FROM writes
"""


async def test_every_superstep_writes_about_the_same(tmp_path: Path) -> None:
    thinking = [Token(f"{word:>99}\n") for word in THOUGHT]
    model = ScriptedModel(lambda _: [*thinking * 5, "8 / 8 = 2 (left: 2 4 7)\n"], profile=PROFILE)
    file = tmp_path / "threads.sqlite"
    kept = {"thread": "one", "checkpoints": file}
    result = await agentflow.asolve(
        "4 7 8 8", "interwhen", model=model, max_corrections=CORRECTIONS, **kept
    )
    assert result.corrections == CORRECTIONS
    assert len(result.trace.body) > CORRECTIONS * 4500
    sizes: dict[str, int] = {}
    with closing(sqlite3.connect(file)) as connection:
        for checkpoint, size in connection.execute(ROWS):
            sizes[checkpoint] = sizes.get(checkpoint, 0) + size
    written = [sizes[checkpoint] for checkpoint in sorted(sizes)]
    assert len(written) == 2 * CORRECTIONS + 5
    # The last superstep writes what the run returns; solve writes more than refine.
    early, late = written[2:22], written[-21:-1]
    assert median(late[::2]) + median(late[1::2]) < 1.2 * (median(early[::2]) + median(early[1::2]))
    assert max(written[:-1]) < 1.2 * max(early), "the whole trace was written"
