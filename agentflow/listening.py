"""Who listens to a run, beside whoever listens to what it runs in."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.callbacks import BaseCallbackHandler, BaseCallbackManager
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config


def listening(
    spans: BaseCallbackHandler | None, callbacks: Sequence[BaseCallbackHandler] = ()
) -> RunnableConfig:
    """The config of those who listen to a run, beside whoever listens to what it runs in."""
    around = (var_child_runnable_config.get() or {}).get("callbacks")
    if not (ours := [*callbacks, *([spans] if spans is not None else ())]):
        return {}
    if not isinstance(around, BaseCallbackManager):
        return {"callbacks": [*(around or ()), *ours]}
    manager = around.copy()
    for one in ours:
        manager.add_handler(one)
    return {"callbacks": manager}
