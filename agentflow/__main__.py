"""The command ``agentflow``, also as ``python -m agentflow``."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run it; Ctrl-C is heard from the beginning, as the imports take a second."""
    try:
        from agentflow.cli import main as run

        run()
    except KeyboardInterrupt:
        _leave_at_once()
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    finally:
        _leave_at_once()


def _leave_at_once() -> None:
    """Have the next Ctrl-C end the process: Python may wait for a thread that nothing stops."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
