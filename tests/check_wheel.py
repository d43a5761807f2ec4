"""Build the sdist and the wheel from it, install each in an empty environment, run the CLI there.

The sdist comes second, in the wheel's place, with the dependencies that the wheel brought. Against
the wheel a small project is type-checked as its users would.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

from agentflow import __version__
from agentflow.version import DISTRIBUTION

ROOT = Path(__file__).resolve().parent.parent
LARGEST_MODEL = 25_000_000
STEM = DISTRIBUTION.replace("-", "_")
WANTED = {
    "agentflow/graphs/interwhen.py",
    "agentflow/prompts/domains/interwhen/game24.md",
    "agentflow/tools/__init__.py",
    "agentflow/reproduce/manifests/eat/fig3.toml",
    "agentflow/reproduce/stand_ins/steps.jsonl",
    "agentflow/pages/page.js",
    "agentflow/py.typed",
    "agentflow/models/pocket/agentflow-pocket.gguf",
}
CONSUMER = """\
import agentflow
from agentflow.models import ScriptedModel
from agentflow.problem import Problem

model = ScriptedModel("</think>\\\\boxed{ 8 * ( 4 - ( 8 - 7 ) ) }")
result: agentflow.Result = agentflow.solve("4 7 8 8", method="interwhen", model=model, seed=1)
tokens: int = result.cost.generated
text: str = Problem(text="4 7 8 8", domain="game24").text
wrong: int = result.trace.body  # type: ignore[assignment]
"""
"""A type that were unknown would leave the comment in the last line unused, which is an error."""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command outside the repository; its standard output."""
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def check_contents(wheel: Path, sdist: Path) -> None:
    """Nothing is missing, nothing has strayed in, nothing is too large."""
    if not (wheel.name.startswith(f"{STEM}-{__version__}-") and __version__ in sdist.name):
        sys.exit(f"{wheel.name} and {sdist.name} are not of version {__version__}")
    files = zipfile.ZipFile(wheel).infolist()
    names = {file.filename for file in files}
    licences = {f"{STEM}-{__version__}.dist-info/licenses/{n}" for n in ("LICENSE", "NOTICE")}
    if missing := (WANTED | licences) - names:
        sys.exit(f"the wheel lacks {', '.join(sorted(missing))}")
    if strays := {n.split("/")[0] for n in names if not n.startswith(("agentflow/", STEM))}:
        sys.exit(f"the wheel has top-level {', '.join(sorted(strays))}")
    if any(f.file_size > LARGEST_MODEL for f in files):
        sys.exit("the wheel has a file over 25 MB")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    ours = {name for name in names if name.startswith("agentflow/")} | {"LICENSE", "NOTICE"}
    if missing := ours - held:
        sys.exit(f"the sdist lacks {', '.join(sorted(missing))}")
    if strays := {name for name in held if name.startswith("tests")}:
        sys.exit(f"the sdist has {', '.join(sorted(strays))}")


def environment(folder: Path) -> Path:
    """An empty environment; its folder of programs."""
    venv.create(folder / "venv", with_pip=True)
    return folder / "venv" / "bin"


def check_installed(package: Path, bin: Path, *options: str) -> None:
    """Install a package, and use it outside of the checkout."""
    folder = bin.parent.parent
    run(bin / "python", "-m", "pip", "install", "--quiet", *options, package, cwd=folder)
    run(bin / "agentflow", "doctor", cwd=folder)
    methods = json.loads(run(bin / "agentflow", "methods", "--json", cwd=folder))
    solve = ["solve", "4 7 8 8", "--method", "interwhen", "--set", "restarts=8", "--json"]
    result = json.loads(run(bin / "agentflow", *solve, cwd=folder))
    assert (result["status"], result["cost"]["generated"] > 0) == ("verified", True), result
    print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, {len(methods)} methods, solves")


def check_typed(python: Path, folder: Path) -> None:
    """A project outside the checkout, and an agent around a method, see the package's types."""
    (folder / "consumer.py").write_text(CONSUMER)
    shutil.copy(ROOT / "examples" / "subgraph.py", folder)
    mypy = ["-m", "mypy", "--strict", "--python-executable", python, "consumer.py", "subgraph.py"]
    run(sys.executable, *mypy, cwd=folder)
    run(python, "consumer.py", cwd=folder)
    print("a project that uses it type-checks")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
        (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
        check_contents(wheel, sdist)
        bin = environment(folder)
        check_installed(wheel, bin)
        check_typed(bin / "python", folder)
        check_installed(sdist, bin, "--no-deps", "--force-reinstall")


if __name__ == "__main__":
    main()
