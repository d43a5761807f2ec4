"""Verify: the domain's own verifier on the final answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from agentflow.nodes.context import domain_of, problem_of, settings_of
from agentflow.nodes.finish import answer_of
from agentflow.nodes.tool_log import ToolLog
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.verdict import Verdict


async def verify(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Judge exactly the answer that would be emitted."""
    settings = settings_of(runtime, Settings)
    tools = ToolLog(f"verify/{len(state['operations'])}", runtime.stream_writer)
    domain, problem = await domain_of(settings, tools), problem_of(state)
    answer = answer_of(state, domain)
    if answer is None:
        verdict = Verdict(None, "no answer found", source=domain.name)
    else:
        verdict = await domain.verify_answer(problem, answer)
    final = asdict(verdict) | {"answer": answer}
    runtime.stream_writer({"type": "verdict", "monitor": "verify", "final": True} | final)
    if tools.entries:
        runtime.stream_writer({"type": "usage", "entries": tools.entries})
    return {"final": final, "ledger": tools.entries}
