"""Methods, domains and data sets in Inspect (``inspect_ai``); needs the extra ``inspect``.

Inspect finds them by its entry point: ``agentflow/METHOD`` is a model and a solver, and
``agentflow/DOMAIN`` a task.

``provider`` is a method as a model; ``solvers``, on ``driven``, a method that drives Inspect's own
model; ``tasks`` and ``scoring`` are data sets and their judge.
"""

from agentflow.inspect_ai.provider import AgentflowAPI
from agentflow.inspect_ai.scoring import judged
from agentflow.inspect_ai.solvers import method
from agentflow.inspect_ai.tasks import ask, dataset

__all__ = ["AgentflowAPI", "ask", "dataset", "judged", "method"]
