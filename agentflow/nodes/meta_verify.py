"""Meta verification: is a solution complete, and does each step follow? (VerifiAgent, 3.1)"""

from __future__ import annotations

from functools import partial
from typing import Any

from agentflow.models.structured import Parsed, ask, parse
from agentflow.nodes.run import Update, node
from agentflow.nodes.verifiagent import TooLong, VerifiAgentRun, VerifiAgentSettings, asking
from agentflow.verifiers.meta import Meta, prose


@node(VerifiAgentSettings, VerifiAgentRun)
async def meta_verify(run: VerifiAgentRun) -> Update:
    """Put what meta verification finds into ``meta``, by one question.

    A reply that cannot be read, nor repaired, passes nothing and fails nothing. This node comes
    first and empties the channels of the others; where ``meta`` is off it does nothing else.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    settings = run.settings
    update: Update = {"turns": [], "protocol": {}, "evaluation": {}, "reflection": {}}
    if not settings.meta:
        return update | {"meta": None}
    as_json = settings.meta_form == "json"
    template = "meta" if as_json else "meta_prose"
    try:
        asked = await asking(run, template, "verifier-meta", settings.meta_tokens)
    except TooLong as error:
        return update | {"meta": {"ok": None, "error": str(error), "how": "default"}}
    said: Parsed[Meta | None] = await ask(
        asked.model,
        asked.prompt,
        partial(parse, Meta) if as_json else prose,
        None,
        tokens=settings.meta_tokens,
        sampling=settings.sampling(asked.model.profile),
        seed=asked.seed,
        cache=settings.shares_cache,
        schema=Meta.model_json_schema() if as_json else None,
        think="verifier" in settings.think,
        ended=not as_json,
    )
    meta: dict[str, Any] = {"ok": None, "error": f"it could not be read: {said.error}"}
    if said.value is not None:
        meta = said.value.model_dump(mode="json") | {"ok": said.value.ok}
    meta |= {"how": said.how, "cut": asked.cut}
    run.spent(asked.model.entries)
    run.emit({"type": "reply", "name": "meta", "how": said.how, "error": said.error, "value": meta})
    return update | {"meta": meta, "ledger": asked.model.entries}
