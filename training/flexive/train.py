"""One training from its data to the weights that are served."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from transformers import PrinterCallback, Trainer, set_seed
from transformers.trainer_utils import get_last_checkpoint

from agentflow.errors import BadInput
from agentflow.models.bundled import file, is_judge
from training.export import export
from training.flexive.base import Base, open_base
from training.flexive.options import BUNDLED, Options, first
from training.flexive.rows import Row, draw, encode, prompt, save
from training.flexive.trainers import Log, grpo, prm, sft
from training.mistakes import POCKET
from training.train import save as save_checkpoint

TRAINERS = {"grpo": grpo, "sft": sft, "prm": prm}


def train(options: Options) -> Path:
    """Train, from the last checkpoint in ``options.out`` if there is one, and export.

    Writes to the folder: ``settings.json``; ``held_out.jsonl``, the rows kept for testing;
    ``log.jsonl``, a line a step; ``checkpoint-N``; ``merged``, the base with what was learned; and
    of a bundled model a GGUF file. The held-out rows are tried before and after.

    Returns:
        The folder of the merged weights.

    Raises:
        BadInput: If the data, the base or the folder is not fit.
        OSError: If the folder cannot be written to.
    """
    rows, held_out = draw(options.data, options.rows, options.seed, options.flawed)
    base = open_base(options)
    rows, held_out = _fitting(options, base, rows), _fitting(options, base, held_out)
    if first():
        _claim(options)
        save(held_out, options.out / "held_out.jsonl")
    set_seed(options.seed)
    trainer = TRAINERS[options.method](options, base, rows, held_out[: options.tried])
    trainer.remove_callback(PrinterCallback)
    if first():
        trainer.add_callback(Log(options.out / "log.jsonl"))
    checkpoint = get_last_checkpoint(str(options.out))
    if checkpoint is None:
        trainer.evaluate()
    trainer.train(resume_from_checkpoint=checkpoint)
    trainer.evaluate()
    return _export(trainer, base, options) if first() else options.out / "merged"


def _claim(options: Options) -> None:
    """Note the settings in the folder, or find the same there."""
    settings = asdict(options) | {"data": list(options.data)}
    for name in (
        "out",
        "dry_run",
        "at_once",
        "keep",
        "tried",
        "vllm",
    ):  # these may change on the way
        del settings[name]
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "settings.json"
    if not file.exists():
        file.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadInput(f"{file} is damaged: {error}") from error
    if other := [key for key in settings if known.get(key) != settings[key]]:
        raise BadInput(
            f"{options.out} holds a training with another {' and another '.join(other)}; "
            "give the same settings to go on with it, or another --out"
        )


def _fitting(options: Options, base: Base, rows: Sequence[Row]) -> list[Row]:
    """The rows that leave room for a reply in the model's context."""
    room = base.profile.context - options.max_tokens

    def length(row: Row) -> int:
        return len(encode(base.tokenizer, prompt(row, base.profile, options.stage)))

    found = [row for row in rows if length(row) <= room]
    if not found:
        raise BadInput(
            f"no row fits: {options.max_tokens:,} tokens for a reply leave {room:,} of "
            f"the context of {base.profile.context:,}; lower --max-tokens"
        )
    if len(found) < len(rows):
        print(f"{len(rows) - len(found):,} of {len(rows):,} rows are too long and left out")
    return found


def _export(trainer: Trainer, base: Base, options: Options) -> Path:
    """Write the base with the adapter merged into it."""
    model: Any = trainer.accelerator.unwrap_model(trainer.model).merge_and_unload()
    folder = options.out / "merged"
    model.save_pretrained(folder)
    base.tokenizer.save_pretrained(folder)
    if base.profile.name == POCKET.name and options.method != "prm":
        out = options.out / file(BUNDLED.get(options.base, "embedded")).name
        bundle(model, folder, out, trainer.state.global_step, options.seed)
    return folder


def bundle(model: Any, folder: Path, out: Path, step: int, seed: int) -> None:
    """Write a pocket model or a judge as one GGUF file, as those of a run of training.train are.

    Args:
        folder: Where its tokenizer is.
        step: Optimiser steps it has been trained for.
    """
    with TemporaryDirectory() as name:
        run = Path(name)
        copyfile(folder / "tokenizer.json", run / "tokenizer.json")
        config = model.config
        shape = {
            "width": config.hidden_size,
            "layers": config.num_hidden_layers,
            "heads": config.num_attention_heads,
        }
        save_checkpoint(
            run / "checkpoint.pt",
            model=model.state_dict(),
            step=step,
            tokens=0,
            arguments=shape | {"seed": seed, "own": is_judge(out.name)},
        )
        export(run, out, "f16")
