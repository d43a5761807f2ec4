"""Methods that steer the thinking need a model that thinks apart from its answer."""

from __future__ import annotations

from agentflow.errors import MissingCapability
from agentflow.models import Model


def see_thinking(model: Model, missing: str) -> None:
    """See that a model's thinking has an end of its own.

    Args:
        missing: What there is not, where it has none.

    Raises:
        MissingCapability: If it has none.
    """
    if not model.profile.think_close:
        raise MissingCapability(
            f"{model.name} does not think apart from its answer (profile {model.profile.name}): "
            f"there is {missing}"
        )
