"""How the sandbox's own processes are started."""

import sys
from pathlib import Path

CODE = """
import sys, types
for name in ("agentflow", "agentflow.tools", "agentflow.tools.sandbox"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [sys.argv[1]]
from agentflow.tools.sandbox.{} import main
main({})
"""
"""A module of this folder without the packages around it, which would import all of agentflow."""
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",  # a process with threads cannot be forked
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # each more is 64 MiB of address space
    "PYTHONHASHSEED": "0",  # a set is in the same order tomorrow
}
"""All of it: nothing of ours is handed on."""


def command(module: str, argument: int | None = None) -> list[str]:
    """The command that runs `main` of a module of this folder."""
    code = CODE.format(module, "" if argument is None else argument)
    options = ["-P", "-s", "-S", "-B", "-X", "utf8", "-c", code]
    return [sys.executable, *options, str(Path(__file__).parent)]


READY = b'{"ready": true}'
"""What the zygote says when it takes calls."""
STANDS = b"{}"
"""What a call's control socket says first."""
