"""A failure of one sample costs that sample, not the run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import agentflow
from agentflow import ledger
from agentflow.errors import AgentflowError, BadReply, ModelUnavailable, Refused, StreamBroken
from agentflow.graphs import METHODS
from agentflow.models import Capabilities, Fault, Finish, Request, ScriptedModel
from agentflow.models.budget import Budget
from agentflow.settings import request_seed

PUZZLE = "4 7 8 8"
ANSWER = "(7 - 8 / 8) * 4"
SAID = f"</think>\nAnswer: {ANSWER} = 24\n"
SAMPLED: dict[str, dict[str, Any]] = {
    "sampling": {"critic": "domain", "k": 3},
    "solve_detect_verify": {"ladder": ["domain"], "detect": False, "samples": 3},
    "verified_sampling": {"n": 3},
    "unified": {"n": 3},
}
ERRORS = [ModelUnavailable("gone"), StreamBroken("gone"), BadReply("gone"), Refused("gone")]


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentflow import backoff

    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.001)


class Failing(ScriptedModel):
    """Fails where a request's seed is one of ``seeds``; None for always."""

    def __init__(self, said: str, error: AgentflowError, seeds: set[int] | None) -> None:
        super().__init__(said)
        self.error, self.seeds = error, seeds

    async def stream(self, request: Request) -> Any:
        if self.seeds is None or request.seed in self.seeds:
            raise self.error
        async for item in super().stream(request):
            yield item


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("method", SAMPLED)
async def test_the_first_sample_fails(method: str, error: AgentflowError) -> None:
    seeds = {request_seed(0, PUZZLE, "solver", 0, 1)}
    model = Failing(SAID, error, seeds)
    result = await agentflow.asolve(PUZZLE, method, model=model, retries=0, **SAMPLED[method])
    assert (result.status, result.answer) == ("verified", ANSWER)
    failed = next(one for one in result.samples if one["branch"] == 0)
    assert (failed["status"], failed["error"]) == ("exhausted", "gone")


@pytest.mark.parametrize("method", SAMPLED)
async def test_all_samples_fail(method: str) -> None:
    model = Failing(SAID, ModelUnavailable("gone"), None)
    result = await agentflow.asolve(PUZZLE, method, model=model, retries=0, **SAMPLED[method])
    assert (result.status, result.answer, result.error) == ("exhausted", None, "gone")


@pytest.mark.parametrize("method", sorted(METHODS))
async def test_every_method_says_that_it_was_refused(method: str) -> None:
    model = Failing(SAID, Refused("refused"), None)
    try:
        result = await agentflow.asolve(PUZZLE, method, model=model, retries=0)
    except Refused:  # nothing had begun
        return
    assert (result.answer, result.error, result.refused) == (None, "refused", True)


async def test_a_run_gone_on_with_knows_that_it_was_refused(tmp_path: Path) -> None:
    class Half(Failing):
        gone = True

        async def stream(self, request: Request) -> Any:
            if self.gone and request.seed not in (self.seeds or ()):
                raise ModelUnavailable("gone")
            async for item in super().stream(request):
                yield item

    given: dict[str, Any] = {"critic": "domain", "k": 2, "retries": 0}
    model = Half("nothing", Refused("refused"), {request_seed(0, PUZZLE, "solver", 0, 1)})
    thread: dict[str, Any] = {"thread": "t", "checkpoints": tmp_path / "t", "model": model}
    with pytest.raises(ModelUnavailable):
        await agentflow.asolve(PUZZLE, "sampling", **given, **thread)
    model.gone = False
    result = await agentflow.aresume(**thread)
    assert (result.answer, result.refused) == (None, True)
    assert await agentflow.aresume(**thread) == result


REFUSAL = Fault(Refused("the context is too short"))


@pytest.mark.parametrize(
    ("method", "script"),
    [
        (
            "interwhen",
            {r"<think>\n": " 4 7 8 8 : 8 / 8 = 2 -> 2 4 7\n", r"not 2\n": [REFUSAL]},
        ),
        ("direct", ["8 / 8 = 1\n", REFUSAL]),  # where a broken stream was to be continued
    ],
)
async def test_a_refusal_behind_a_text_does_not_cost_it(method: str, script: Any) -> None:
    model = ScriptedModel(script)
    result = await agentflow.asolve(PUZZLE, method, model=model, retries=0)
    assert (result.status, result.error) == ("exhausted", "the context is too short")
    assert result.refused
    assert result.cost.generated == model.streamed > 0
    assert "8 / 8 = " in str(result.operations)


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("sampling", {"critic": "model", "k": 2}),
        ("solve_detect_verify", {"detect": False}),
        ("verified_sampling", {"n": 2, "verifier": "vanilla"}),
        ("verified_sampling", {"n": 2, "verifier": "verifiagent"}),
        ("unified", {"n": 1, "ladder": ["fast"], "steer": False, "judged_from": 0}),
    ],
)
async def test_a_verifier_that_is_gone_cannot_tell(method: str, given: dict[str, Any]) -> None:
    verifier = ScriptedModel([Fault(Refused("the context is too short"))])
    models: Any = {"solver": ScriptedModel(SAID), "verifier": verifier}
    given = {"judge_answers": False} | given
    result = await agentflow.asolve(PUZZLE, method, model=models, retries=0, **given)
    assert result.status in ("exhausted", "unverified")
    assert ANSWER in (result.candidate, result.answer)
    for one in result.samples:
        assert one["error"] == "the context is too short"
        assert one["verdict"]["ok"] is None
        assert one["operations"]


async def test_what_a_failing_node_was_sent_is_counted() -> None:
    model = ScriptedModel(["8 / 8 = 1 (left: 1 4 7)\n", Fault(StreamBroken("gone"))])
    given: dict[str, Any] = {"plan": False, "reasoning": ["cot"], "compute": "best of n"}
    result = await agentflow.asolve(
        PUZZLE, "adaptive_compute", model=model, retries=0, iterations=2, **given
    )
    assert (result.status, result.error) == ("exhausted", "gone")
    assert result.cost.generated == model.streamed > 0


def telling(error: AgentflowError) -> AgentflowError:
    """The error of a server that says before it fails what it has done."""
    error.told = Finish("length", 11, 2, (), 7, 5)
    return error


TEXT, IDS = Capabilities(exact_prefix=False), Capabilities()


@pytest.mark.parametrize("able", [IDS, TEXT], ids=["ids", "text"])
@pytest.mark.parametrize("retries", [0, 1])
@pytest.mark.parametrize(
    "script",
    [
        [Fault(ModelUnavailable("gone"))],
        [Fault(Refused("no", 400))],
        [Fault(telling(ModelUnavailable("gone")))],
        [Fault(telling(Refused("too long")))],
        ["8 / 8 = 1\n", Fault(telling(StreamBroken("gone")))],
        ["8 / 8 = 1\n", Fault(StreamBroken("gone"))],
    ],
    ids=["gone", "refused", "gone, told", "refused, told", "broken, told", "broken"],
)
@pytest.mark.parametrize("method", SAMPLED)
async def test_the_ledger_has_all_that_failing_samples_spent(
    method: str, script: Any, retries: int, able: Capabilities
) -> None:
    model, budget = ScriptedModel(script, capabilities=able), Budget()
    result = await agentflow.asolve(
        PUZZLE, method, model=model, retries=retries, spending=budget, **SAMPLED[method]
    )
    cost = result.cost
    assert (cost.calls, cost.prompt) == (len(model.requests), budget.prompt)
    assert cost.generated == budget.generated


@pytest.mark.parametrize("method", ["direct", "interwhen", "sampling"])
async def test_so_has_the_budget_of_a_run_that_ends_with_an_error(method: str) -> None:
    model, budget = ScriptedModel([Fault(telling(ModelUnavailable("gone")))]), Budget()
    given = {"k": 1, "critic": "none", "choose": "majority"} if method == "sampling" else {}
    with suppress(ModelUnavailable):
        await agentflow.asolve(PUZZLE, method, model=model, retries=1, spending=budget, **given)
    cost = ledger.total(budget.entries)
    assert (cost.calls, cost.prompt, cost.generated) == (2, budget.prompt, budget.generated)
