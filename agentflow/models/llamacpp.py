"""llama.cpp in a process of its own: ``python -m agentflow.models.llamacpp MODEL.gguf``."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from agentflow.errors import AgentflowError
from agentflow.models import embedded


def main() -> None:
    """Serve until a signal says to stop."""
    parser = argparse.ArgumentParser(prog="llamacpp", description=__doc__)
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--name", default="", help="the served model's name")
    parser.add_argument("--context", type=int, default=2048, help="tokens a stream holds")
    parser.add_argument("--slots", type=int, default=embedded.SLOTS, help="streams at once")
    parser.add_argument("--threads", type=int, default=1, help="threads that compute")
    given = vars(parser.parse_args())
    stops = (signal.SIGTERM, signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    try:
        server = embedded.start(given.pop("model"), **given)
    except AgentflowError as error:
        sys.exit(f"error: {error}")
    signal.sigwait(stops)
    del server


if __name__ == "__main__":
    main()
