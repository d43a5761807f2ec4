"""What a training of the verifier is told."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.models.bundled import JUDGE
from agentflow.profile import PROFILES
from agentflow.verifiers.flexive import Stage

METHODS = ("grpo", "sft", "prm")
STAGES = ("fast", "slow")
SCALES = ("group", "none")
REWARDS = ("index", "f1")
BUNDLED = {"pocket": "embedded", "judge": JUDGE}
"""The bundled models, by what ``--base`` calls them."""


@dataclass(frozen=True, slots=True)
class Options:
    """One training; the defaults are the paper's (table 5) where it gives them.

    Attributes:
        data: Files in the form of BIG-Bench-Mistake, or ``game24`` or ``domains`` (all six):
            generated.
        out: Folder of the training.
        base: A model's name or folder, or a bundled one: ``pocket`` or ``judge``.
        method: ``grpo``; for comparison ``sft``, supervised fine-tuning, and ``prm``, a
            discriminative process reward model.
        stage: Whose replies are learned: ``fast``, as in the paper, or ``slow``, which think first.
        profile: How the base is spoken to; empty: as fits its name and chat template.
        rows: Most rows drawn from the data, held-out ones included.
        flawed: Share of generated rows to train on that have a mistake; of the paper's 1,526 rows
            1,206 have one. Of generated held-out rows half have.
        epochs: Passes over the rows.
        rate: Peak learning rate; it falls linearly to zero.
        warmup: Optimiser steps until it is reached.
        accumulation: Problems that an optimiser step learns from.
        group: Replies to each of them (GRPO).
        at_once: Replies that go through the model together (GRPO). It divides ``group``; more are
            faster and take more memory, and an optimiser step learns from the same.
        scale: What advantages are divided by (GRPO): ``group``, the deviation of their group's
            rewards, or ``none``. Where no reply of a group is right, the deviation is that of the
            lengths alone, and ``group`` makes the shortest reply as good as a right one.
        reward: What a right index is paid (GRPO): ``index``, 1, as in the paper; or ``f1``, what it
            is worth to F1 (:class:`~training.flexive.rewards.F1`).
        beta: Weight of the KL divergence from the base (GRPO).
        max_tokens: Most tokens of a reply (GRPO).
        seed: Seed of the rows, the adapter and the sampling.
        save_every: Optimiser steps from one checkpoint to the next.
        keep: How many of the last checkpoints stay.
        tried: Most held-out rows that are tried before and after; None: all of them.
        vllm: URL of the server that TRL's ``trl vllm-serve`` runs, which makes the replies (GRPO);
            empty: the model that is trained makes them itself.
        dry_run: Stop after so many optimiser steps; None: at the end.
    """

    data: tuple[str, ...]
    out: Path
    base: str = "deepseek-ai/DeepSeek-R1-Distill-Qwen-14B"
    method: str = "grpo"
    stage: Stage = "fast"
    profile: str = ""
    rows: int = 1696
    flawed: float = 0.79
    epochs: float = 3.0
    rate: float = 5e-6
    warmup: int = 100
    accumulation: int = 8
    group: int = 14
    at_once: int = 1
    scale: str = "group"
    reward: str = "index"
    beta: float = 0.04
    max_tokens: int = 1024
    seed: int = 0
    save_every: int = 50
    keep: int = 2
    tried: int | None = None
    vllm: str = ""
    dry_run: int | None = None

    def __post_init__(self) -> None:
        """
        Raises:
            BadInput: If a number cannot be, or a name is not known.
        """
        above = ("rows", "epochs", "rate", "accumulation", "at_once", "max_tokens", "save_every")
        for name in (*above, "keep"):
            if not getattr(self, name) > 0:
                raise BadInput(f"--{name.replace('_', '-')} must be above 0")
        for name in ("warmup", "beta"):
            if not getattr(self, name) >= 0:
                raise BadInput(f"--{name} must not be below 0")
        if not 0 <= self.flawed <= 1:
            raise BadInput("--flawed must be a share, from 0 to 1")
        if self.dry_run is not None and self.dry_run < 1:
            raise BadInput("--dry-run must be 1 or more")
        if self.tried is not None and self.tried < 1:
            raise BadInput("--tried must be 1 or more")
        if self.group < 2:
            raise BadInput("--group must be 2 or more: a reply is judged against its group")
        if self.group % self.at_once:
            raise BadInput(f"--at-once must divide the group of {self.group}")
        if self.method not in METHODS:
            raise BadInput(f"no method {self.method!r}; there are {', '.join(METHODS)}")
        if self.stage not in STAGES:
            raise BadInput(f"no stage {self.stage!r}; there are {', '.join(STAGES)}")
        if self.stage == "slow" and self.method != "grpo":
            raise BadInput(
                "--stage slow is GRPO's; the other methods have no thinking to learn from"
            )
        if self.scale not in SCALES:
            raise BadInput(f"no scale {self.scale!r}; there are {', '.join(SCALES)}")
        if self.reward not in REWARDS:
            raise BadInput(f"no reward {self.reward!r}; there are {', '.join(REWARDS)}")
        if self.vllm and self.method != "grpo":
            raise BadInput("--vllm makes GRPO's replies; the other methods have none to make")
        if self.profile and self.profile not in PROFILES:
            raise BadInput(f"no profile {self.profile!r}; there are {', '.join(PROFILES)}")

    def accumulated(self, processes: int) -> int:
        """Problems that each of so many processes, a GPU each, adds to an optimiser step: together
        they learn from ``accumulation``, as one alone does.

        Raises:
            BadInput: If they cannot share them evenly.
        """
        if self.accumulation % processes:
            raise BadInput(
                f"{processes} processes cannot share --accumulation {self.accumulation}; make it "
                "a multiple of their number"
            )
        return self.accumulation // processes

    def rollouts(self) -> dict[str, Any]:
        """What GRPO is told of who makes the replies."""
        if not self.vllm:
            return {}
        return {"use_vllm": True, "vllm_mode": "server", "vllm_server_base_url": self.vllm}


def world() -> int:
    """Processes of this training, as its launcher says it (``accelerate launch``, ``torchrun``)."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def first() -> bool:
    """Whether this process is the one that writes."""
    return os.environ.get("RANK", "0") == "0"
