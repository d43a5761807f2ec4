"""LangChain tools that give a model a text and a program data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel

from agentflow.tools.aside import aside


def with_artifact(
    run: Callable[..., tuple[str, dict[str, Any]]],
    name: str,
    description: str,
    arguments: type[BaseModel],
    **more: Any,
) -> BaseTool:
    """The tool that calls ``run``, in a worker thread where it is awaited.

    Args:
        run: Gives (content, artifact).
        arguments: Its arguments; the fields' descriptions are for models.
        more: As for ``StructuredTool``.
    """

    async def arun(**given: Any) -> tuple[str, dict[str, Any]]:
        return await aside(run, **given)

    return StructuredTool.from_function(
        func=run,
        coroutine=arun,
        name=name,
        description=description,
        args_schema=arguments,
        response_format="content_and_artifact",
        **more,
    )
