"""The one place where the version is written, and how to install what an extra brings."""

from pathlib import Path

__version__ = "0.1.0"

DISTRIBUTION = "agentflow-reasoning"
"""The package's name for pip; ``agentflow`` is another project's there."""


def install(extra: str) -> str:
    """The command that installs an extra: into a checkout, or of the released package."""
    checkout = Path(__file__).parent.parent
    if (checkout / "pyproject.toml").exists():
        return f"pip install -e '{checkout}[{extra}]'"
    return f"pip install '{DISTRIBUTION}[{extra}]'"
