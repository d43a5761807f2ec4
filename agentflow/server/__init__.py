"""Methods as models behind OpenAI's and Anthropic's HTTP APIs; needs the extra ``server``."""

from agentflow.server.app import application
from agentflow.server.offers import Offer
from agentflow.server.serve import serve
from agentflow.server.settings import ServeSettings

__all__ = ["Offer", "ServeSettings", "application", "serve"]
