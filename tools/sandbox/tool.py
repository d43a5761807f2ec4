"""The sandbox as a LangChain tool."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field

from agentflow.tools.sandbox.client import Sandbox, shared
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.tools.sandbox.execution import Execution, Failure, Limits
from agentflow.tools.with_artifact import with_artifact

DESCRIPTION = """Runs a Python program and gives back its value: the variable `ans`, else the last \
expression. SymPy, NumPy and z3 can be imported. There is no network, no file but an empty scratch \
folder, and nothing is kept between calls."""


MAX_SECONDS = 3600
"""That a setting may let a program run."""


class PythonInput(BaseModel):
    """Arguments of the tool `python`."""

    code: str = Field(description="The program.")
    data: Any = Field(None, description="JSON that the program sees as the variable `data`.")


def python_tool(sandbox: Sandbox | None = None, limits: Limits | None = None) -> BaseTool:
    """The tool "python".

    Its content is a short text; its artifact is the `Execution` as a dict, with `ok`. Where the
    sandbox cannot run at all, the failure's type is "SandboxUnavailable".

    Args:
        sandbox: Where programs run; this process's shared one if None.
        limits: Of one call; the sandbox's if None.
    """

    def run(code: str, data: Any = None) -> tuple[str, dict[str, Any]]:
        try:
            execution = (sandbox or shared()).run(code, data=data, limits=limits)
        except SandboxUnavailable as error:
            execution = Execution(failure=Failure("SandboxUnavailable", str(error)))
        return content_of(execution), asdict(execution) | {"ok": execution.ok}

    return with_artifact(run, "python", DESCRIPTION, PythonInput)


def python_within(seconds: str = "") -> BaseTool:
    """The tool whose programs may run for so many seconds; by default as long as the sandbox says.

    Raises:
        ValueError: If that is no number of seconds.
    """
    return python_tool(limits=within(seconds, Limits()) if seconds else None)


def within(seconds: str, limits: Limits) -> Limits:
    """Limits with another time; by default the same.

    Raises:
        ValueError: If that is no number of seconds, or more than an hour.
    """
    if not seconds:
        return limits
    try:
        most = float(seconds)
    except ValueError:
        most = 0.0
    if not 0 < most <= MAX_SECONDS:
        raise ValueError(
            f"{seconds[:40]!r} is no number of seconds that a program may run: give one above 0, "
            f"at most {MAX_SECONDS}, such as sandbox:30"
        )
    return replace(limits, seconds=most, cpu_seconds=most)


def content_of(execution: Execution) -> str:
    """What a model reads of a call."""
    parts = execution.why
    if execution.ok:
        parts.append(f"value: {execution.shown}")
    if execution.stdout:
        parts.append(f"stdout:\n{execution.stdout}")
    if execution.stderr:
        parts.append(f"stderr:\n{execution.stderr}")
    return "\n".join(parts)
