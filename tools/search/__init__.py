"""Search: one protocol, several backends, and the tool that quotes what they find."""

from agentflow.tools.search.cache import Cache
from agentflow.tools.search.local import LocalIndex
from agentflow.tools.search.protocol import Hit, SearchBackend, SearchFailed
from agentflow.tools.search.retriever import from_retriever
from agentflow.tools.search.tool import local_search, no_search, search_tool, web_search
from agentflow.tools.search.web import WebSearch

__all__ = [
    "Cache",
    "Hit",
    "LocalIndex",
    "SearchBackend",
    "SearchFailed",
    "WebSearch",
    "from_retriever",
    "local_search",
    "no_search",
    "search_tool",
    "web_search",
]
