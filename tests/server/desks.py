"""A desk of tools on a scripted model, for the tests of the Model Context Protocol."""

from __future__ import annotations

from typing import Any

from serving import offers

from agentflow.models import ScriptedModel
from agentflow.server import Offer, ServeSettings
from agentflow.server.access import Access
from agentflow.server.endpoint import Server
from agentflow.server.mcp import Desk


def desk_of(model: ScriptedModel, serve: ServeSettings | None = None, **more: Any) -> Desk:
    serve = serve or ServeSettings()
    once = {"retries": 0}
    judges = {"vanilla": Offer("vanilla", "vanilla", once, model)}
    return Desk(Server(serve, offers(model, **once), Access(serve)), judges, **more)
