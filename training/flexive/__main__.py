"""Train the verifier: ``python -m training.flexive --base B --data D --out O``.

GRPO as in Solve-Detect-Verify, on solutions whose first wrong step is known. The same command,
given again, goes on from the last checkpoint.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from agentflow.errors import AgentflowError
from training.flexive.options import METHODS, REWARDS, SCALES, STAGES, Options

_HELP = {
    "rows": (int, "most rows drawn from the data; a tenth is held out"),
    "flawed": (float, "share of generated rows to train on that have a mistake"),
    "epochs": (float, "passes over the rows"),
    "rate": (float, "peak learning rate"),
    "warmup": (int, "optimiser steps until it is reached"),
    "accumulation": (int, "problems that an optimiser step learns from"),
    "group": (int, "replies to each problem"),
    "at_once": (int, "replies that go through the model together; divides --group"),
    "beta": (float, "weight of the KL divergence from the base"),
    "max_tokens": (int, "most tokens of a reply"),
    "seed": (int, "seed of the rows, the adapter and the sampling"),
    "save_every": (int, "optimiser steps from one checkpoint to the next"),
    "keep": (int, "how many of the last checkpoints stay; for the curve, all"),
    "tried": (int, "most held-out rows that are tried before and after"),
    "dry_run": (int, "stop after so many optimiser steps"),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.flexive", description=__doc__)
    parser.add_argument("--data", nargs="+", required=True, metavar="FILE", help="rows in the form "
                        "of BIG-Bench-Mistake, or generated: 'game24', 'domains'")  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, help="folder of the training")
    parser.add_argument(
        "--base", default=Options.base, help="model, or a bundled one: 'pocket', 'judge'"
    )
    parser.add_argument("--profile", default="", help="how it is spoken to, if not as it seems")
    parser.add_argument("--method", choices=METHODS, default="grpo")
    parser.add_argument("--stage", choices=STAGES, default="fast", help="whose replies are "
                        "learned: fast ones, as in the paper, or slow ones")  # fmt: skip
    parser.add_argument("--scale", choices=SCALES, default="group", help="what GRPO's advantages "
                        "are divided by: their group's deviation, or nothing")  # fmt: skip
    parser.add_argument("--reward", choices=REWARDS, default="index", help="what GRPO pays for a "
                        "right index: 1, or what it is worth to F1")  # fmt: skip
    parser.add_argument("--vllm", default="", metavar="URL", help="server of `trl vllm-serve` that "
                        "makes GRPO's replies")  # fmt: skip
    for name, (kind, text) in _HELP.items():
        flag = f"--{name.replace('_', '-')}"
        default = Options.__dataclass_fields__[name].default
        shown = text if default is None else f"{text} (default {default})"
        parser.add_argument(flag, type=kind, default=default, metavar="N", help=shown)
    arguments = vars(parser.parse_args())
    try:
        options = Options(**arguments | {"data": tuple(arguments["data"])})
        from training.flexive.train import train  # slow to import: after the options are checked

        print(train(options))
    except (AgentflowError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
