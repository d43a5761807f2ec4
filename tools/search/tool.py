"""The search tool: a backend's hits as data for a program, and quoted for a model."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field

from agentflow.tools.search.cache import Cache
from agentflow.tools.search.local import LocalIndex
from agentflow.tools.search.protocol import Hit, SearchBackend, SearchFailed
from agentflow.tools.search.text import cleaned, cut, plain, quoted
from agentflow.tools.search.web import WebSearch
from agentflow.tools.with_artifact import with_artifact

MOST = 20
"""Hits of one call, at most."""
QUERY = 400
"""Characters of a query; the rest is cut off."""


class SearchInput(BaseModel):
    """The arguments of the tool."""

    query: str = Field(description="What to look for: a question, a claim or a few words.")
    limit: int = Field(default=5, description=f"How many results, at most {MOST}.")


def search_tool(backend: SearchBackend, cache: Cache | None = None) -> BaseTool:
    """A tool ``search(query, limit=5)``.

    Its artifact is ``{"ok", "query", "hits": [{"title", "url", "text", "score"}], "failure": None
    or {"type", "message"}, "backend", "cached"}``, whatever happens; nothing found is no failure.
    Its content quotes the hits, see :func:`~agentflow.tools.search.text.quoted`.

    Args:
        cache: Where answers are kept; None asks the backend every time.
    """

    def search(query: str, limit: int = 5) -> tuple[str, dict[str, Any]]:
        query = cut(plain(query[: 4 * QUERY]), QUERY)
        limit = max(1, min(limit, MOST))
        artifact: dict[str, Any] = {"ok": True, "query": query, "hits": [], "failure": None}
        artifact |= {"backend": backend.name, "cached": False}

        def failed(kind: str, message: str) -> tuple[str, dict[str, Any]]:
            failure = {"type": kind, "message": plain(message)}
            body = {"ok": False, "failure": failure}
            return f"The search failed: {failure['message']}", artifact | body

        if not query:
            return failed("query", "the query is empty")
        hits = cache.get(backend.name, query, limit) if cache else None
        artifact["cached"] = hits is not None
        if hits is None:
            try:
                hits = [cleaned(hit) for hit in backend.search(query, limit)[:limit]]
            except SearchFailed as error:
                return failed(error.kind, str(error))
            except Exception as error:  # a backend of the user's may raise anything
                return failed("failed", f"{type(error).__name__}: {error}")
            if cache and hits:
                cache.put(backend.name, query, limit, hits)
        artifact["hits"] = [asdict(hit) for hit in hits]
        return quoted(query, hits), artifact

    description = "Looks a question or a claim up and quotes what was found."
    return with_artifact(
        search, "search", description, SearchInput, handle_validation_error=_refused
    )


def _refused(error: Any) -> str:
    first = error.errors()[0]
    return f"search: the argument {'.'.join(map(str, first['loc']))} is wrong: {first['msg']}"


@lru_cache(maxsize=16)
def web_search(engines: str = "auto", cache: str | Path | None = None) -> BaseTool:
    """The tool over the web, with its answers kept for a day; one for the whole process.

    Args:
        engines: See :class:`WebSearch`.
        cache: A file for the answers; None keeps them in memory.

    Raises:
        ValueError: If an engine is none.
    """
    return search_tool(WebSearch(engines), Cache(cache))


@lru_cache(maxsize=16)
def local_search(path: str | Path = "", cache: str | Path | None = None) -> BaseTool:
    """The tool over a folder of documents or a file of them; one for the whole process.

    Args:
        path, cache: See :class:`LocalIndex`.

    Raises:
        ValueError: If there is nothing at ``path``, or a file of another kind.
    """
    return search_tool(LocalIndex(path, cache))


class _Off:
    """A backend that looks nothing up."""

    name = "off"

    def search(self, query: str, limit: int) -> list[Hit]:
        """Fail: what was not looked up is not the same as nothing found."""
        raise SearchFailed("failed", "search is switched off here")


def no_search() -> BaseTool:
    """The tool where no query may leave the machine: every search fails and says so."""
    return search_tool(_Off())
