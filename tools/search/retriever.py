"""Any LangChain retriever as a search backend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentflow.tools.search.protocol import Hit, SearchBackend, SearchFailed

if TYPE_CHECKING:  # half a second to import
    from langchain_core.retrievers import BaseRetriever


def from_retriever(retriever: BaseRetriever, name: str = "") -> SearchBackend:
    """A backend that asks ``retriever``.

    A document's metadata give the title (``title``), the address (``url``, ``source`` or ``id``)
    and the score (``score``). ``name`` is needed where two retrievers of one class share a cache.
    """
    return _Retriever(retriever, name or retriever.get_name())


@dataclass(frozen=True, slots=True)
class _Retriever:
    retriever: BaseRetriever
    name: str

    def search(self, query: str, limit: int) -> list[Hit]:
        try:
            documents = self.retriever.invoke(query)
        except Exception as error:  # a retriever may raise anything
            raise SearchFailed("failed", f"{self.name}: {error or type(error).__name__}") from error
        return [_hit(one.metadata, one.page_content) for one in documents[:limit]]


def _hit(metadata: dict[str, Any], text: str) -> Hit:
    url = next((metadata[key] for key in ("url", "source", "id") if metadata.get(key)), "")
    score = metadata.get("score")
    number = float(score) if isinstance(score, int | float) else None
    return Hit(str(metadata.get("title") or ""), str(url), text, number)
