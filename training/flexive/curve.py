"""How the fast verifier gets better: ``python -m training.flexive.curve runs/flexive``.

Every checkpoint that is left of a training of the pocket model (``--keep``) and the base before it
become GGUF files, and ``agentflow eval-steps`` measures the running code's F1 on the held-out rows.
Prints a table in Markdown. What was measured before is not measured again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from peft import PeftModel
from transformers import AutoModelForCausalLM

from agentflow.evaluation.intervals import Interval
from training.flexive.train import bundle

VERIFIERS = ("fast@1", "fast@8", "flex@8")
_HEAD = "| step | " + " | ".join(f"{name} F1" for name in VERIFIERS) + " | tokens of fast@1 |"


def models(run: Path) -> dict[int, Path]:
    """The steps of a run -> its GGUF file then, 0 for the base; written where it is not there."""
    folder, found = run / "curve", dict[int, Path]()
    folder.mkdir(exist_ok=True)
    seed = json.loads((run / "settings.json").read_text(encoding="utf-8"))["seed"]
    steps = sorted(int(one.name.rpartition("-")[2]) for one in run.glob("checkpoint-*"))
    for step in (0, *steps):
        found[step] = folder / f"pocket-{step}.gguf"  # a name that tells its profile
        if not found[step].exists():
            model = AutoModelForCausalLM.from_pretrained(run / "base")
            if step:
                adapted = PeftModel.from_pretrained(model, str(run / f"checkpoint-{step}"))
                model = adapted.merge_and_unload()
            bundle(model, run / "base", found[step], step, seed)
    return found


def row(run: Path, step: int, model: Path) -> str:
    """A line of the table.

    Raises:
        SystemExit: If the evaluation fails.
    """
    out = model.with_suffix(".jsonl")
    command = [sys.executable, "-m", "agentflow", "eval-steps", str(run / "held_out.jsonl")]
    command += ["--out", str(out), "--model", str(model), "--json"]
    command += [part for name in VERIFIERS for part in ("--verifier", name)]
    command += ["--resume"] if out.exists() else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    found = {one["arm"]: one for one in json.loads(done.stdout)["rows"]}
    cells = [Interval(**found[name]["score"]["f1"]).percent() for name in VERIFIERS]
    return f"| {step} | {' | '.join(cells)} | {found['fast@1']['generated']:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path, help="folder of a training with --base pocket")
    run = parser.parse_args().run
    print(f"{_HEAD}\n|--:|{'--:|' * (len(VERIFIERS) + 1)}")
    for step, model in models(run).items():
        print(row(run, step, model), flush=True)


if __name__ == "__main__":
    main()
