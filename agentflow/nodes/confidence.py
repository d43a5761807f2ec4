"""How sure a model is that a solution is right: P(True) (Kadavath et al. 2022) as a critic."""

from __future__ import annotations

from agentflow import prompts
from agentflow.models.structured import chance_of_yes
from agentflow.nodes.announced import announced
from agentflow.nodes.context import weaker
from agentflow.nodes.critic import CriticSettings, scored
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Update, node
from agentflow.settings import request_seed
from agentflow.verdict import Verdict
from agentflow.verifiers import joined

_PLAIN = weaker("log-probabilities", "a model's Yes counts 1, and its No 0")


@node(CriticSettings, Judging)
async def confidence_critic(run: Judging[CriticSettings]) -> Update:
    """Ask a model (role verifier) whether the answer is right; the score is how likely it says Yes.

    With ``choose=weighted`` that is confidence-informed self-consistency (Taubenfeld et al. 2025,
    "Confidence Improves Self-Consistency in LLMs", section 3), where the model is the solver's.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    settings = run.settings
    model = await run.ask("verifier", "verifier", f"{run.branch}/confidence")
    if model.capabilities.logprobs == 0:
        run.emit(_PLAIN)
    fields = {
        "stated": await prompts.statement(run.problem, model.profile),
        "solution": joined(run.steps).strip(),
    }
    yes = await chance_of_yes(
        model,
        await prompts.rendered("sampling", "confidence", model.profile, fields),
        seed=request_seed(settings.seed, run.problem.id, "verifier", run.branch, "confidence"),
        cache=settings.shares_cache,
        think="verifier" in settings.think,
    )
    run.spent(model.entries)
    if yes is None:
        why = "the model began with neither Yes nor No"
        verdict = Verdict(None, why, "cannot_tell", source="confidence")
    else:
        verdict = scored(yes, settings.pass_at, "", "confidence", {})
    return announced(run, "confidence", verdict) | {"ledger": model.entries}
