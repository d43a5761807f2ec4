"""Build the wheel and the sdist, install the wheel in an empty environment, run the CLI there."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST_MODEL = 25_000_000


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command outside the repository; its standard output."""
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
        (wheel,) = folder.glob("*.whl")
        files = zipfile.ZipFile(wheel).infolist()
        names = {file.filename for file in files}
        wanted = {
            "agentflow/graphs/interwhen.py",
            "agentflow/prompts/interwhen/game24.md",
            "agentflow/tools/__init__.py",
            "agentflow/py.typed",
            "agentflow/models/pocket/agentflow-pocket.gguf",
        }
        if missing := wanted - names:
            sys.exit(f"the wheel lacks {', '.join(sorted(missing))}")
        if strays := {n.split("/")[0] for n in names if not n.startswith("agentflow")}:
            sys.exit(f"the wheel has top-level {', '.join(sorted(strays))}")
        if any(f.file_size > LARGEST_MODEL for f in files):
            sys.exit("the wheel has a file over 25 MB")
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", wheel, cwd=folder)
        agentflow = folder / "venv" / "bin" / "agentflow"
        methods = json.loads(run(agentflow, "methods", "--json", cwd=folder))
        result = json.loads(run(agentflow, "solve", "4 7 8 8", "--json", cwd=folder))
        assert result["status"] in {"verified", "abstained", "exhausted"}, result
        assert result["cost"]["generated"] > 0, result
        print(f"wheel: {wheel.stat().st_size / 1e6:.1f} MB, {len(methods)} methods, runs installed")


if __name__ == "__main__":
    main()
