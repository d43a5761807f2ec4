"""Methods and verifiers as tools of the Model Context Protocol; needs the extra ``mcp``."""

from agentflow.server.mcp.desk import Desk
from agentflow.server.mcp.listen import over_http, over_stdio
from agentflow.server.mcp.tools import server_of

__all__ = ["Desk", "over_http", "over_stdio", "server_of"]
