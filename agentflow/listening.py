"""Who listens to a run, beside whoever listens to what it runs in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from langchain_core.callbacks import BaseCallbackHandler, BaseCallbackManager
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config

from agentflow.errors import BadInput
from agentflow.telemetry import listener


@contextmanager
def listening(callbacks: Sequence[BaseCallbackHandler] = ()) -> Iterator[RunnableConfig]:
    """The config by which ``callbacks`` and OpenTelemetry listen to the block's run, beside whoever
    listens to what it runs in.

    Raises:
        BadInput: If what is given as callbacks are none.
    """
    handlers = isinstance(callbacks, Sequence) and all(
        isinstance(one, BaseCallbackHandler) for one in callbacks
    )
    if not handlers:
        raise BadInput(f"callbacks: {callbacks!r:.60} is no list of LangChain's callback handlers")
    spans = listener()
    around = (var_child_runnable_config.get() or {}).get("callbacks")
    ours = [*callbacks, *([spans] if spans is not None else ())]
    try:
        if not ours:
            yield {}
        elif not isinstance(around, BaseCallbackManager):
            yield {"callbacks": [*(around or ()), *ours]}
        else:
            manager = around.copy()
            for one in ours:
                manager.add_handler(one)
            yield {"callbacks": manager}
    finally:
        if spans is not None:
            spans.close()
