"""The command ``agentflow``, also as ``python -m agentflow``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run it; Ctrl-C is heard from the beginning, as the imports take a second."""
    try:
        from agentflow.cli import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
