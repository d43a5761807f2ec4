"""Methods as models behind an OpenAI-compatible HTTP API; needs the extra ``server``."""

from agentflow.server.app import application
from agentflow.server.offers import Offer
from agentflow.server.serve import serve
from agentflow.server.settings import ServeSettings

__all__ = ["Offer", "ServeSettings", "application", "serve"]
