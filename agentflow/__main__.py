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
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    finally:  # a thread may be waited for that nothing stops: another Ctrl-C does
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
