"""The retail policy of tau2-bench by hand-written verifiers: the reference for generated ones.

The state that the rules see: ``users``, ``orders`` and ``products`` as the benchmark's database has
them; ``user``, the id of the customer who was authenticated, or None; ``confirmed``, the key of the
call (:meth:`agentflow.gate.Call.key`) that the customer said yes to, or None.
"""

from agentflow.gate.retail.mutations import MUTATIONS
from agentflow.gate.retail.policy import policy
from agentflow.gate.retail.tasks import read

__all__ = ["MUTATIONS", "policy", "read"]
