"""Train the pocket model: presets, loop, checkpoint, resume.

``python -m training.train --out runs/pocket --init MODEL.gguf`` is the CPU preset, which goes on
from a model of its shape; ``--preset gpu`` trains a larger one from scratch. A run that is cut off
goes on from its last checkpoint, at the very batch, when the same command is given again.
``--tokens`` may be lowered or raised between the two: the learning rate is constant after the
warm-up and falls to zero over the last half of the tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import Qwen3ForCausalLM

from agentflow.scorers.likelihood import SLOPE, SURE
from training import tokenizer as vocabulary
from training.convert import convert
from training.curriculum import chunk
from training.data import IGNORED, Batch, Plan, batches
from training.model import carry_over, make_model

PRESETS: dict[str, dict[str, Any]] = {
    "cpu": {
        "tokens": 40_000_000,
        "batch": 2048,
        "pool": 1,
        "repeat": 1,
        "rate": 1.2e-3,
        "warmup": 400_000,
        "width": 256,
        "layers": 5,
        "heads": 4,
        "workers": 0,
        "bf16": False,
        "compile": False,
    },
    "gpu": {
        "tokens": 500_000_000,
        "batch": 65_536,
        "pool": 8,
        "repeat": 4,
        "rate": 2e-3,
        "warmup": 10_000_000,
        "width": 384,
        "layers": 8,
        "heads": 6,
        "workers": max(1, (os.cpu_count() or 2) - 1),
        "bf16": True,
        "compile": True,
    },
}
WRONG = 4.0
"""How often a wrong line counts beside a right one: there is one among some twenty."""
CHUNKS_READ = 24
"""Chunks of the curriculum from which the tokenizer learns."""


@dataclass(slots=True)
class Losses:
    """Sums of losses since the last line of the log, by source; kept on the device until then."""

    rows: list[tuple[list[str], torch.Tensor, torch.Tensor]] = field(default_factory=list)
    lines: list[torch.Tensor] = field(default_factory=list)

    def add(
        self, batch: Batch, losses: torch.Tensor, rows: torch.Tensor, lines: torch.Tensor
    ) -> None:
        """The losses of a batch's learned tokens, the row of each, and the losses of its lines."""
        self.lines.append(lines)
        sums = losses.new_zeros(len(batch.sources)).index_add_(0, rows, losses)
        self.rows.append((batch.sources, sums, torch.bincount(rows, minlength=len(batch.sources))))

    def take(self) -> dict[str, Any]:
        """The mean loss of a token, overall and by source; begins anew."""
        sums, counts = defaultdict[str, float](float), defaultdict[str, int](int)
        for sources, rows, numbers in self.rows:
            for source, loss, number in zip(sources, rows.tolist(), numbers.tolist(), strict=True):
                sums[source] += loss
                counts[source] += number
        lines = torch.cat(self.lines)
        self.rows.clear()
        self.lines.clear()
        return {
            "loss": round(sum(sums.values()) / max(1, sum(counts.values())), 4),
            "lines": round(float(lines.mean()), 4) if len(lines) else None,
            "sources": {name: round(sums[name] / counts[name], 4) for name in sorted(sums)},
        }


def make_tokenizer(seed: int, old: Tokenizer) -> Tokenizer:
    """A tokenizer of the whole curriculum that goes on from ``old``."""
    parts = (text for number in range(CHUNKS_READ) for _, text in chunk(seed, number, 1.0))
    return vocabulary.grown(old, ("".join(part.text for part in text) for text in parts))


def begin(out: Path, arguments: argparse.Namespace) -> None:
    """Write the tokenizer of a new run and, where it goes on from a model, the first weights."""
    torch.manual_seed(arguments.seed)
    if arguments.init is None:
        make_tokenizer(arguments.seed, vocabulary.bare()).save(str(out / "tokenizer.json"))
        return
    with tempfile.TemporaryDirectory() as folder:
        convert(arguments.init, Path(folder))
        old = Tokenizer.from_file(f"{folder}/tokenizer.json")
        before = Qwen3ForCausalLM.from_pretrained(folder)
    new = old if arguments.own else make_tokenizer(arguments.seed, old)
    model = _model(arguments, new)
    carry_over(model, new, before, old)
    torch.save(model.state_dict(), out / "start.pt")
    new.save(str(out / "tokenizer.json"))


def _model(arguments: argparse.Namespace, tokenizer: Tokenizer) -> Qwen3ForCausalLM:
    size = tokenizer.get_vocab_size()
    return make_model(size, arguments.width, arguments.layers, arguments.heads)


def rate(tokens: int, left: float, peak: float, warmup: int) -> float:
    """Learning rate: warm-up, constant, and linear decay over the last half of the training.

    Args:
        left: Share of the training that is still to come.
    """
    return peak * min(1.0, (tokens + 1) / warmup, max(0.0, left) * 2)


def save(path: Path, **state: object) -> None:
    """Write a checkpoint so that a crash leaves either the old or the new one."""
    torch.save(state, path.with_suffix(".tmp"))
    os.replace(path.with_suffix(".tmp"), path)


def token_losses(
    model: Qwen3ForCausalLM,
    body: Any,
    ids: torch.Tensor,
    labels: torch.Tensor,
    lines: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(the loss of each learned token, the row of each, how wrongly each line is read).

    A line is read as in use (:func:`agentflow.scorers.likelihood.chance`): by its least likely
    token after the first. Its loss is the cross-entropy of that; of a wrong line also that of its
    end, where all of it has been read, and which may be the only token to be surprised at.

    Args:
        body: The model's body, or what was compiled of it.
        lines: (texts, tokens): of each token, its line and whether it is right
            (:func:`training.data.encode`), or :data:`IGNORED`.
    """
    learned, read = labels[:, 1:] != IGNORED, lines[:, 1:] != IGNORED
    read &= lines[:, 1:] == lines[:, :-1]
    needed = learned | read
    found = body(input_ids=ids)
    logits = model.lm_head(found.last_hidden_state[:, :-1][needed])
    losses = cross_entropy(logits.float(), ids[:, 1:][needed], reduction="none")
    rows = needed.nonzero()[:, 0]
    key = (lines[:, 1:][needed] + rows * (lines.max() // 2 * 2 + 2))[read[needed]]
    said = losses[read[needed]]
    named, place = key.unique(return_inverse=True)
    worst = said.new_zeros(len(named)).scatter_reduce(0, place, said, "amax")
    ends = torch.cat([key[1:] != key[:-1], key.new_ones(1, dtype=torch.bool)])[: len(key)]
    refused = said[ends & (key % 2 == 0)]
    right = torch.cat([named % 2 == 1, torch.zeros_like(refused, dtype=torch.bool)])
    wrongly = binary_cross_entropy_with_logits(
        SURE - SLOPE * torch.cat([worst, refused]),
        right.to(said.dtype),
        torch.where(right, 1.0, WRONG),
        reduction="none",
    )
    return losses[learned[needed]], rows[learned[needed]], wrongly


def train(arguments: argparse.Namespace) -> None:
    """Run until ``arguments.tokens`` have been seen or the time is up, from the last checkpoint if
    there is one."""
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if not (out / "tokenizer.json").exists():
        begin(out, arguments)
    torch.manual_seed(arguments.seed)
    model = _model(arguments, Tokenizer.from_file(str(out / "tokenizer.json")))
    if (out / "start.pt").exists():
        model.load_state_dict(torch.load(out / "start.pt", weights_only=True))
    torch.nn.Module.to(model, device)
    if device == "cpu":  # fused attention is slower there for texts of a few hundred tokens
        model.set_attn_implementation("eager")
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=arguments.rate, betas=(0.9, 0.98), weight_decay=0.05, fused=True
    )
    step = tokens = 0
    position, before = (0, 0), 0.0
    checkpoint = out / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=device, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, tokens, before = state["step"], state["tokens"], state["seconds"]
        position = tuple(state["position"])
    body = torch.compile(model.model, dynamic=True) if arguments.compile else model.model
    plan = Plan(
        str(out / "tokenizer.json"),
        arguments.seed,
        arguments.tokens,
        arguments.batch,
        arguments.pool,
        str(arguments.own or ""),
        tuple(arguments.weight),
        arguments.opened,
        arguments.repeat,
    )
    source = batches(plan, position, arguments.workers)
    started = saved = time.time()
    losses = Losses()
    with (out / "log.jsonl").open("a") as log:
        left = 1 - tokens / arguments.tokens
        while left > 0:
            batch = next(source)
            for group in optimizer.param_groups:
                group["lr"] = rate(tokens, left, arguments.rate, arguments.warmup)
            with torch.autocast(device, torch.bfloat16, enabled=arguments.bf16):
                given = (tensor.to(device) for tensor in (batch.ids, batch.labels, batch.lines))
                found, rows, wrongly = token_losses(model, body, *given)
            (found.mean() + (wrongly.mean() if len(wrongly) else 0.0)).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step, tokens = step + 1, tokens + batch.ids.numel()
            losses.add(batch, found.detach(), rows, wrongly.detach())
            seconds = before + time.time() - started
            left = 1 - max(tokens / arguments.tokens, seconds / arguments.seconds)
            done = left <= 0
            if step % arguments.every == 0 or done:
                line = {"step": step, "tokens": tokens, "seconds": round(seconds), **losses.take()}
                print(json.dumps(line), file=log, flush=True)
                print(json.dumps(line), flush=True)
            if time.time() - saved > 120 or done:
                save(
                    checkpoint,
                    model=model.state_dict(),
                    optimizer=optimizer.state_dict(),
                    step=step,
                    tokens=tokens,
                    seconds=seconds,
                    position=batch.position,
                    arguments={key: _plain(value) for key, value in vars(arguments).items()},
                )
                saved = time.time()


def _weight(given: str) -> tuple[str, float]:
    name, _, number = given.partition("=")
    return name, float(number)


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value


def parsed(given: list[str] | None = None) -> argparse.Namespace:
    """The arguments: what the preset says, and what is given instead."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default="runs/pocket")
    parser.add_argument("--preset", choices=PRESETS, default="cpu")
    parser.add_argument("--init", type=Path, metavar="GGUF", help="go on from this model")
    parser.add_argument(
        "--own",
        type=Path,
        metavar="FILE",
        help="train the judge, also on these solutions of the solver's (training.judging.label)",
    )
    parser.add_argument(
        "--weight",
        type=_weight,
        action="append",
        default=[],
        metavar="SOURCE=NUMBER",
        help="how often a kind of the judge's texts is drawn; may be given again",
    )
    parser.add_argument(
        "--opened",
        action="store_true",
        help="draw every kind of text from the start: of a model that has learned them",
    )
    parser.add_argument("--tokens", type=int, help="tokens to train on")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="end sooner, where the time is up"
    )
    parser.add_argument("--batch", type=int, help="tokens a step")
    parser.add_argument("--pool", type=int, help="chunks of texts that are sorted by length")
    parser.add_argument("--repeat", type=int, help="how often each text is learned")
    parser.add_argument("--rate", type=float, help="peak learning rate")
    parser.add_argument("--warmup", type=int, help="warm-up, in tokens")
    parser.add_argument("--width", type=int)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--heads", type=int)
    parser.add_argument("--workers", type=int, help="processes that write texts ahead")
    parser.add_argument(
        "--bf16",
        action=argparse.BooleanOptionalAction,
        help="products in 16 bits; slow on a CPU without avx512_bf16",
    )
    parser.add_argument(
        "--compile",
        action=argparse.BooleanOptionalAction,
        help="compile the model; needs a C++ compiler on a CPU, and gains a tenth there",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=100, help="steps from log line to log line")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args(given)
    for name, value in PRESETS[arguments.preset].items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    return arguments


def main() -> None:
    train(parsed())


if __name__ == "__main__":
    main()
