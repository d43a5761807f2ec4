"""What stands in a run's configuration, under ``config["configurable"]``: objects, never settings.

LangGraph keeps keys of its own there, and so may a graph around ours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from agentflow.errors import BadInput, known

MODEL_KEY = "agentflow_model"
"""Key for a model object, ours or LangChain's, that takes the place of the settings', or for a
mapping from roles to such objects."""

TOOLS_KEY = "agentflow_tools"
"""Key for LangChain tools by role that take the place of the domain's and the settings'."""

BUDGET_KEY = "agentflow_budget"
"""Key for the run's :class:`~agentflow.models.budget.Budget`."""

JOURNAL_KEY = "agentflow_journal"
"""Key for the folder of journals; ``AGENTFLOW_JOURNAL`` in the environment serves where nobody can
set it, as on a LangGraph server."""

_OURS = "agentflow_"
_KEYS = (MODEL_KEY, TOOLS_KEY, JOURNAL_KEY, BUDGET_KEY)
_OF_A_SERVER = "assistant_id"
"""What a LangGraph server enters, which hands on as context what its users put here."""


def see(given: Mapping[str, Any], settings: Collection[str], method: str) -> None:
    """See that nothing stands there that would be passed over: a key of ours that is misspelled, or
    a setting.

    Args:
        settings: Names of the method's settings; none where the configuration is that of a graph
            around it, in which such a name may be anybody's.

    Raises:
        BadInput: If it does; says what to write instead.
    """
    for key, value in given.items():
        if key.startswith(_OURS) and key not in _KEYS:
            raise BadInput(f"{key!r} in `configurable`: no such key; {known(key, _KEYS)}")
        if key in settings and _OF_A_SERVER not in given:
            raise BadInput(
                f"{key!r} in `configurable` is a setting of {method}, which is read from the "
                f"context alone; write context={{{key!r}: {value!r:.60}}}"
            )
