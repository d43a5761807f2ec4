"""What was paid before a run was killed still counts when it is resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from legs import Killed

import agentflow
from agentflow.ledger import Entry, by_role, record
from agentflow.models import ScriptedModel
from agentflow.models.metered import Metered
from agentflow.models.paid import Paid

SAID = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n</think>\nAnswer: (7 - 8 / 8) * 4"
GIVEN: dict[str, Any] = {"n": 1, "judge_answers": False}


class Mortal(ScriptedModel):
    """Takes its process with it at one of its requests."""

    def __init__(self, dies_at: int) -> None:
        super().__init__("1. Is 8 / 8 = 1?\n2. Is 7 - 1 = 6?\nYes. Answer: yes")
        self.dies_at = dies_at

    async def stream(self, request: Any) -> Any:
        if len(self.requests) + 1 == self.dies_at:
            raise Killed
        async for item in super().stream(request):
            yield item


async def resumed(
    folder: Path, dies_at: int, **more: Any
) -> tuple[agentflow.Result, ScriptedModel, ScriptedModel]:
    """The result of a run whose verifier killed it, and the verifier before and after."""
    before, after = Mortal(dies_at), Mortal(0)
    place: dict[str, Any] = {"checkpoints": folder / "t.sqlite"}
    models = {"solver": ScriptedModel(SAID), "verifier": before}
    with pytest.raises(Killed):
        await agentflow.asolve(
            "4 7 8 8", "verified_sampling", model=models, thread="t", **place, **GIVEN, **more
        )
    models = {"solver": ScriptedModel(""), "verifier": after}
    return await agentflow.aresume("t", model=models, **place), before, after


@pytest.mark.parametrize(
    ("verifier", "dies_at"),
    [("chain_of_verification", 2), ("verifiagent", 2), ("flexive", 4), ("backward", 4)],
)
async def test_what_a_verifier_took_before_a_kill_counts(
    tmp_path: Path, verifier: str, dies_at: int
) -> None:
    result, before, after = await resumed(tmp_path, dies_at, verifier=verifier)
    paid = [one for role, one in by_role(result.ledger).items() if role != "solver"]
    assert len(before.requests) == dies_at - 1
    assert sum(one.calls for one in paid) > len(before.requests) + len(after.requests)
    assert sum(one.generated for one in paid) == before.streamed + after.streamed


async def test_a_limit_holds_over_a_kill(tmp_path: Path) -> None:
    result, before, after = await resumed(tmp_path, 2, verifier="critic", max_tokens=80)
    whole, *_ = await resumed(tmp_path / "whole", 2, verifier="critic")
    assert before.streamed
    assert after.streamed
    assert result.cost.generated == 80 < whole.cost.generated


def test_a_line_that_was_cut_off_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "new" / "paid.jsonl"
    first, last = (record(f"judge/{i}", Entry("judge", generated=i)) for i in (1, 2))
    paid = Paid(path)
    paid(first)
    paid.close()
    with path.open("ab") as file:
        file.write(b'\n{"judge/9": {"role": "ju')
    paid = Paid(path)
    paid(last)
    paid.close()
    paid(record("judge/3", Entry("judge")))
    assert paid.before() == first | last


async def test_a_call_behind_a_kill_takes_no_name_that_is_taken() -> None:
    taken = record("judge/a/1", Entry("judge", generated=7))
    meter = Metered(ScriptedModel("yes"), "judge", "a", entries=taken)
    for _ in range(2):
        async with meter.call():
            pass
    assert sorted(meter.entries) == ["judge/a/1", "judge/a/2", "judge/a/3"]
    assert meter.entries["judge/a/1"]["generated"] == 7
