"""The same servers as LangChain chat models, for roles that plan, select or judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from agentflow.models.http import HTTPModel

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI


def chat_model(model: HTTPModel, **options: Any) -> ChatOpenAI:
    """A LangChain chat model on an opened model's server.

    Args:
        options: Passed on to ``ChatOpenAI`` (``temperature``, ``max_tokens``, …).
    """
    from langchain_openai import ChatOpenAI

    key = SecretStr(model.api_key or "none")
    return ChatOpenAI(model=model.name, base_url=model.base_url, api_key=key, **options)
