"""Running methods and verifiers over many problems, and what comes of it."""

from __future__ import annotations

from importlib.util import find_spec

from agentflow.errors import BadInput
from agentflow.version import install


def require(what: str, *packages: str) -> None:
    """See that optional packages are there, before anything is run for nothing.

    Args:
        what: What needs them, in the plural (``reports``).

    Raises:
        BadInput: If one is missing; says how to install it.
    """
    if lacking := [name for name in packages if find_spec(name) is None]:
        raise BadInput(f"{what} need {', '.join(lacking)}: {install('evaluation')}")
