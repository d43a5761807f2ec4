"""How the verifier gets better: ``python -m training.flexive.curve runs/flexive``.

Every checkpoint that is left of a training of a bundled model (``--keep``) and the base before it
become GGUF files, and ``agentflow eval-steps`` measures the running code's F1 on the held-out rows.
Prints a table in Markdown. What was measured before is not measured again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from peft import PeftModel
from transformers import AutoModelForCausalLM

from agentflow.evaluation.intervals import Interval, bootstrap, f1
from agentflow.evaluation.verdicts import load
from training.flexive.train import bundle

VERIFIERS = {"fast": ("fast@1", "fast@8", "flex@8"), "slow": ("slow@1", "fast@1")}
"""By the stage that was trained; of the first one gains and shares are told, too."""


def models(run: Path, seed: int) -> dict[int, Path]:
    """The steps of a run -> its GGUF file then, 0 for the base; written where it is not there."""
    folder, found = run / "curve", dict[int, Path]()
    folder.mkdir(exist_ok=True)
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


def measured(run: Path, model: Path, verifiers: tuple[str, ...]) -> dict[str, Any]:
    """What ``agentflow eval-steps`` says of a model, by verifier; its records lie beside it.

    Raises:
        SystemExit: If the evaluation fails.
    """
    out = model.with_suffix(".jsonl")
    command = [sys.executable, "-m", "agentflow", "eval-steps", str(run / "held_out.jsonl")]
    command += ["--out", str(out), "--model", str(model), "--json"]
    command += [part for name in verifiers for part in ("--verifier", name)]
    command += ["--resume"] if out.exists() else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return {one["arm"]: one for one in json.loads(done.stdout)["rows"]}


def gain(before: Path, after: Path, verifier: str) -> Interval:
    """By how much F1 is higher in one file of records than in another, on the same solutions;
    those with and without a mistake are drawn again apart, as F1 counts them."""
    hits = [{r.digest: r for r in load(file) if r.arm == verifier} for file in (before, after)]
    shared = sorted(hits[0].keys() & hits[1].keys())
    columns = {
        wrong: np.array(
            [
                [
                    float(found[digest].correct)
                    for digest in shared
                    if _wrong(found[digest]) == wrong
                ]
                for found in hits
            ]
        )
        for wrong in (True, False)
    }

    def gained(wrong: Any, right: Any, axis: int) -> Any:
        old, new = (
            f1(columns[True][at][wrong.astype(int)], columns[False][at][right.astype(int)], axis)
            for at in (0, 1)
        )
        return new - old

    return bootstrap(gained, *(np.arange(columns[wrong].shape[1]) for wrong in (True, False)))


def _wrong(record: Any) -> bool:
    return bool(record.label is not None and record.label >= 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path, help="folder of a training with --base pocket or judge")
    run = parser.parse_args().run
    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    verifiers = VERIFIERS[settings.get("stage", "fast")]
    first = verifiers[0]
    head = [*(f"{one} F1" for one in verifiers), f"gain of {first}", "mistakes named"]
    print(f"| step | {' | '.join([*head, 'right ones passed', f'tokens of {first}'])} |")
    print(f"|--:|{'--:|' * (len(head) + 2)}")
    steps = models(run, settings["seed"])
    for step, model in steps.items():
        found = measured(run, model, verifiers)
        score = found[first]["score"]
        gained = gain(steps[0].with_suffix(".jsonl"), model.with_suffix(".jsonl"), first)
        cells = [Interval(**found[name]["score"]["f1"]).percent() for name in verifiers]
        cells += [gained.points() if step else ""]
        cells += [f"{100 * score[share]['value']:.0f} %" for share in ("wrong", "right")]
        print(f"| {step} | {' | '.join(cells)} | {found[first]['generated']:.1f} |", flush=True)


if __name__ == "__main__":
    main()
