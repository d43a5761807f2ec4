"""Verify: the domain's own verifier on the final answer."""

from __future__ import annotations

from dataclasses import asdict

from agentflow.channels import AnswerVerdict
from agentflow.nodes.finish import answer_of
from agentflow.nodes.last_word import judge_answer
from agentflow.nodes.run import Run, Update, node
from agentflow.settings import Settings


@node(Settings)
async def verify(run: Run[Settings]) -> Update:
    """Judge exactly the answer that would be emitted."""
    domain = await run.domain()
    answer = answer_of(run, domain)
    if answer is not None and run.settings.judge_answers:
        final, entries = await judge_answer(run, answer)
        return {"final": asdict(final), "ledger": entries}
    why = "no answer found" if answer is None else "answers are not judged"
    return {"final": asdict(AnswerVerdict(None, why, source=domain.name, answer=answer))}
