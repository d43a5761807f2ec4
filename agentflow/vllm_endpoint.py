"""``POST /v1/agentflow``: a method run beside the engine, in the server's own process.

vLLM loads it by the entry point ``vllm.endpoint_plugins``, and only where ``VLLM_PLUGINS`` names
it: ``VLLM_PLUGINS=agentflow agentflow model serve MODEL``. Streams, cuts, feedback and probes then
go to the engine without HTTP; the events of the run come back as server-sent events.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict

from agentflow.api import astream
from agentflow.errors import AgentflowError
from agentflow.models.beside import EngineModel
from agentflow.profile import PROFILES, detect
from agentflow.run import Result

Plain = str | int | float | bool | None
_OURS = frozenset(
    {"model", "roles", "team", "thread", "checkpoints", "tools", "idle_timeout", "retries"}
)
"""Arguments that are the server's to give: none of them may name a file or another server."""


class Wanted(BaseModel):
    """The body of a request: one problem, a method, and plain settings of it."""

    model_config = ConfigDict(extra="forbid")

    problem: str
    method: str = "interwhen"
    profile: str | None = None
    settings: dict[str, Plain | list[Plain]] = {}


class Endpoint:
    """What vLLM asks of an endpoint plugin."""

    name = "agentflow"
    required_tasks = ("generate",)

    def attach_router(self, app: Any) -> None:
        """Register the route."""
        from fastapi import Request
        from fastapi.responses import JSONResponse, StreamingResponse

        async def run(wanted: Wanted, request: Request) -> Any:
            refused = sorted(_OURS & wanted.settings.keys())
            if refused:
                body = {"error": {"message": f"settings: {', '.join(refused)} are the server's"}}
                return JSONResponse(body, status_code=400)
            if wanted.profile is not None and wanted.profile not in PROFILES:
                known = ", ".join(PROFILES)
                body = {"error": {"message": f"no profile {wanted.profile!r}; there are {known}"}}
                return JSONResponse(body, status_code=400)
            model = self._model(request.app.state, wanted.profile)
            return StreamingResponse(events(wanted, model), media_type="text/event-stream")

        run.__annotations__ = {"wanted": Wanted, "request": Request}  # not as text: it is local
        app.post("/v1/agentflow")(run)

    async def init_state(self, engine_client: Any, state: Any, args: Any) -> None:
        """Keep the engine."""
        state.agentflow_engine = engine_client
        names = getattr(args, "served_model_name", None) or [args.model]
        state.agentflow_name = names[0] if isinstance(names, list) else names

    @staticmethod
    def _model(state: Any, profile: str | None) -> EngineModel:
        name = state.agentflow_name
        spoken = PROFILES[profile] if profile else detect(name)
        return EngineModel(state.agentflow_engine, name, spoken)


async def events(wanted: Wanted, model: Any) -> AsyncIterator[bytes]:
    """The run's events, then its result or its error; whoever leaves ends the run."""
    settings: dict[str, Any] = dict(wanted.settings)
    run = astream(wanted.problem, wanted.method, model=model, **settings)
    try:
        async for item in run:
            event = {"type": "result", **item.as_dict()} if isinstance(item, Result) else item
            yield _event(event)
    except AgentflowError as error:
        yield _event({"type": "error", "message": str(error)})
    finally:
        await run.aclose()
    yield b"data: [DONE]\n\n"


def _event(event: Any) -> bytes:
    return b"data: " + orjson.dumps(event, default=str) + b"\n\n"
