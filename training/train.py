"""Train the pocket model from scratch: tokenizer, loop, checkpoint, resume.

``python -m training.train --out runs/pocket`` is the CPU preset; a run that is cut off goes on
from its last checkpoint when the same command is given again. ``--tokens`` may be lowered or
raised between the two: the learning rate is constant after the warm-up and falls to zero over the
last half of the tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch.nn.functional import cross_entropy
from transformers import Qwen3Config, Qwen3ForCausalLM

from training import game24

SPECIAL = ["<|im_start|>", "<|im_end|>", "<think>", "</think>"]
VOCABULARY = 640
CONTEXT = 2048
IGNORED = -100


def make_tokenizer(seed: int, documents: int = 4000) -> Tokenizer:
    """A byte-level BPE tokenizer with GPT-2's pre-tokeniser, trained on generated traces."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    source = game24.traces(seed)
    texts = ["".join(part.text for part in next(source)) for _ in range(documents)]
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        min_frequency=20,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def make_model(vocabulary: int, width: int, layers: int, heads: int) -> Qwen3ForCausalLM:
    """A Qwen3 model with tied embeddings; the feed-forward is two and a half times the width."""
    config = Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=width // heads,
        intermediate_size=width * 5 // 2,
        max_position_embeddings=CONTEXT,
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=SPECIAL.index("<|im_end|>"),
        pad_token_id=SPECIAL.index("<|im_end|>"),
        use_cache=False,
        attn_implementation="sdpa",
    )
    return Qwen3ForCausalLM(config)


def encode(tokenizer: Tokenizer, parts: list[game24.Part]) -> tuple[list[int], list[int]]:
    """(token ids, labels); each part is tokenised alone, as a prompt is built in use."""
    ids: list[int] = []
    labels: list[int] = []
    for learn, text in _merged(parts):
        piece = tokenizer.encode(text, add_special_tokens=False).ids
        ids += piece
        labels += piece if learn else [IGNORED] * len(piece)
    return ids, labels


def _merged(parts: list[game24.Part]) -> Iterator[tuple[bool, str]]:
    """Neighbouring parts with the same ``learn`` as one text."""
    text, learn = "", False
    for part in parts:
        if part.learn != learn and text:
            yield learn, text
            text = ""
        text, learn = text + part.text, part.learn
    yield learn, text


def batches(
    tokenizer: Tokenizer, seed: int, size: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Endless (ids, labels) batches of about ``size`` tokens, traces of like length together."""
    source, rng = game24.traces(seed), random.Random(seed)
    while True:
        pool = sorted(
            (encode(tokenizer, next(source)) for _ in range(256)), key=lambda d: len(d[0])
        )
        groups: list[list[tuple[list[int], list[int]]]] = [[]]
        for document in pool:
            if groups[-1] and len(document[0]) * (len(groups[-1]) + 1) > size:
                groups.append([])
            groups[-1].append(document)
        rng.shuffle(groups)
        for group in groups:
            longest = max(len(ids) for ids, _ in group)
            padded = [
                (ids + [0] * (longest - len(ids)), labels + [IGNORED] * (longest - len(labels)))
                for ids, labels in group
            ]
            yield torch.tensor([ids for ids, _ in padded]), torch.tensor([y for _, y in padded])


def rate(tokens: int, total: int, peak: float, warmup: int) -> float:
    """Learning rate: warm-up, constant, and linear decay over the last half of ``total``."""
    left = max(0.0, 1 - tokens / total)
    return peak * min(1.0, (tokens + 1) / warmup, left * 2)


def save(path: Path, **state: object) -> None:
    """Write a checkpoint so that a crash leaves either the old or the new one."""
    torch.save(state, path.with_suffix(".tmp"))
    os.replace(path.with_suffix(".tmp"), path)


def train(arguments: argparse.Namespace) -> None:
    """Run until ``arguments.tokens`` have been seen, from the last checkpoint if there is one."""
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if not (out / "tokenizer.json").exists():
        make_tokenizer(arguments.seed).save(str(out / "tokenizer.json"))
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    model = make_model(
        tokenizer.get_vocab_size(), arguments.width, arguments.layers, arguments.heads
    ).to(device)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=arguments.rate, betas=(0.9, 0.98), weight_decay=0.05, fused=True
    )
    step = tokens = 0
    seconds = 0.0
    checkpoint = out / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=device, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, tokens, seconds = state["step"], state["tokens"], state["seconds"]
    # A resumed run draws fresh traces: the seed moves on with the step.
    source = batches(tokenizer, arguments.seed + 1 + step, arguments.batch)
    started, saved, losses = time.time(), time.time(), []
    with (out / "log.jsonl").open("a") as log:
        while tokens < arguments.tokens:
            ids, labels = (part.to(device) for part in next(source))
            for group in optimizer.param_groups:
                group["lr"] = rate(tokens, arguments.tokens, arguments.rate, arguments.warmup)
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                logits = model(input_ids=ids).logits
                loss = cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step, tokens = step + 1, tokens + ids.numel()
            losses.append(loss.item())
            done = tokens >= arguments.tokens
            if step % 50 == 0 or done:
                elapsed = seconds + time.time() - started
                line = {
                    "step": step,
                    "tokens": tokens,
                    "loss": round(sum(losses) / len(losses), 4),
                    "seconds": round(elapsed),
                }
                print(json.dumps(line), file=log, flush=True)
                print(json.dumps(line), flush=True)
                losses.clear()
            if time.time() - saved > 120 or done:
                elapsed = seconds + time.time() - started
                save(
                    checkpoint,
                    model=model.state_dict(),
                    optimizer=optimizer.state_dict(),
                    step=step,
                    tokens=tokens,
                    seconds=elapsed,
                    arguments=vars(arguments),
                )
                saved = time.time()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default="runs/pocket")
    parser.add_argument("--tokens", type=int, default=25_000_000, help="tokens to train on")
    parser.add_argument("--batch", type=int, default=3072, help="tokens a step")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="peak learning rate")
    parser.add_argument("--warmup", type=int, default=400_000, help="warm-up, in tokens")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=5)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    train(parser.parse_args())


if __name__ == "__main__":
    main()
