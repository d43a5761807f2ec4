"""Running methods and verifiers over many problems, and what comes of it.

``datasets`` has the problems and their judge. ``runner`` (methods on problems) and ``verdicts``
(verifiers on recorded ``solutions``) share one loop, ``records.resume``; ``servers`` and
``cluster`` are what they run on. ``summary``, ``intervals`` and ``report`` say what came of it.
``chains`` are recorded once, for ``replay``, ``families`` and ``tradeoff`` to try every rule on;
so are ``trees``, for ``control``. ``fleet`` simulates many servers.
"""

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
