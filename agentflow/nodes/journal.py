"""Where a node keeps the journal of its stream."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from agentflow.configurable import JOURNAL_KEY
from agentflow.models.journal import Journal
from agentflow.nodes.context import configured


def journal_of(runtime: Runtime[Any]) -> Journal | None:
    """The journal of the node's task; None for a run without a thread or a folder for journals.

    A task has the same name when it is run again from its checkpoint, and another one in a fork.
    """
    folder = configured(JOURNAL_KEY) or os.environ.get("AGENTFLOW_JOURNAL")
    info = runtime.execution_info
    if not folder or info is None or info.thread_id is None:
        return None
    return Journal(thread_folder(Path(folder), info.thread_id) / f"{info.task_id}.jsonl")


def thread_folder(journals: Path, thread: str) -> Path:
    """The folder of a thread's journals; a name may hold anything, so that it stands hashed."""
    return journals / hashlib.blake2b(thread.encode(), digest_size=16).hexdigest()
