"""Methods as models behind OpenAI's and Anthropic's HTTP APIs; needs the extra ``server``.

Every request comes down to a ``requested``; ``results`` says what a client is told. ``wire``,
``completions`` and ``messages`` are the formats. ``run`` is one run for a client, ended when the
client goes. ``mcp/`` are the tools of MCP.
"""

from agentflow.server.app import application
from agentflow.server.offers import Offer
from agentflow.server.serve import serve
from agentflow.server.settings import ServeSettings

__all__ = ["Offer", "ServeSettings", "application", "serve"]
