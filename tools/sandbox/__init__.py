"""Runs programs that nobody has read: no network, no files, no environment, hard limits.

execution = Sandbox().run("from sympy import *; ans = integrate(sin(symbols('x')))")
"""

from agentflow.tools.sandbox.client import Sandbox, shared
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.tools.sandbox.execution import Execution, Failure, Limits
from agentflow.tools.sandbox.tool import python_tool

__all__ = [
    "Execution",
    "Failure",
    "Limits",
    "Sandbox",
    "SandboxUnavailable",
    "python_tool",
    "shared",
]
