"""Solutions that a solver writes: ``python -m training.judging.sample FILE``.

Training problems of all six domains, or held-out ones, are solved in batches, at several
temperatures by turns: at a higher one the solver makes more of its mistakes. The file goes on where
it was cut off. What is wrong with the solutions is told by :mod:`training.judging.label`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import gguf
import torch
from tokenizers import Tokenizer
from transformers import Qwen3ForCausalLM

from agentflow import prompts
from agentflow.models.embedded import bundled
from training.convert import model_of, tokenizer_of
from training.judging.label import Sampled
from training.mistakes import POCKET
from training.solving import LONG, WORKED, Worked, drawn
from training.texts import prompt

LONGEST = {"game24": 480, "maze": 330}
"""Most tokens of a solution by domain; what is longer is no text that the judge can learn from."""
_LONGEST = 200
LONGER = 3
"""How many times as long solutions of problems may be that take more lines."""

TEMPERATURES = (POCKET.sampling.temperature, 1.1)

BATCH = 64
_ENOUGH = 0.97
"""Share of a batch that has ended when the rest is given up: it runs on to the limit."""


def batch(
    solver: Qwen3ForCausalLM,
    tokenizer: Tokenizer,
    given: Sequence[Worked],
    temperature: float,
    longest: int,
) -> Iterator[Sampled]:
    """One solution of each problem, but for those that did not come to their end."""
    asked = [prompt(prompts.for_problem("interwhen", one.problem, POCKET)[1]) for one in given]
    ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in asked]
    width, end = max(map(len, ids)), tokenizer.token_to_id(POCKET.stops[0])
    assert end is not None
    rows = torch.tensor([[end] * (width - len(row)) + row for row in ids])
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in ids])

    def enough(said: torch.Tensor, scores: object, **_: Any) -> torch.Tensor:
        ended = (said[:, width:] == end).any(1)
        return ended | (ended.float().mean() > _ENOUGH)

    with torch.inference_mode():
        generated: Any = solver.generate
        found = generated(
            inputs=rows,
            attention_mask=mask,
            do_sample=True,
            temperature=temperature,
            top_p=POCKET.sampling.top_p,
            top_k=POCKET.sampling.top_k,
            max_new_tokens=longest,
            eos_token_id=end,
            pad_token_id=end,
            use_cache=True,
            stopping_criteria=[enough],
        )
    for one, row in zip(given, found[:, width:].tolist(), strict=True):
        if end not in row:
            continue
        said = tokenizer.decode(row[: row.index(end)], skip_special_tokens=False)
        right = (*one.lines, f"Answer: {one.answer}") if one.lines else ()
        yield Sampled(one.problem.domain, one.problem.text, right, said, temperature)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="a file of JSON lines; one that is there goes on")
    parser.add_argument("--model", type=Path, default=bundled(), metavar="GGUF")
    parser.add_argument("--domains", nargs="+", default=["game24", *WORKED])
    parser.add_argument("--batches", type=int, default=20, help=f"of {BATCH}, of each domain")
    parser.add_argument(
        "--temperatures", nargs="+", type=float, default=TEMPERATURES, help="by turns, by batch"
    )
    parser.add_argument(
        "--long", action="store_true", help="problems that take more lines, where there are any"
    )
    parser.add_argument("--held-out", action="store_true", help="problems never trained on")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    reader = gguf.GGUFReader(arguments.model)
    solver, tokenizer = model_of(reader).to(torch.bfloat16), tokenizer_of(reader)
    solver.train(False)
    progress = arguments.out.with_suffix(".done")
    done = set(progress.read_text().splitlines()) if progress.exists() else set[str]()
    domains = [one for one in arguments.domains if one in LONG or not arguments.long]
    for number in range(arguments.batches):
        for name in domains:
            key = f"{arguments.seed} {number} {name}{' long' if arguments.long else ''}"
            if key in done:
                continue
            rng = random.Random(f"sampled {key}")
            torch.manual_seed(rng.getrandbits(32))
            problems = drawn(name, rng, held_out=arguments.held_out, long=arguments.long)
            found = batch(
                solver,
                tokenizer,
                [next(problems) for _ in range(BATCH)],
                arguments.temperatures[number % len(arguments.temperatures)],
                LONGEST.get(name, _LONGEST) * (LONGER if arguments.long else 1),
            )
            rows = "".join(json.dumps(asdict(one)) + "\n" for one in found)
            with arguments.out.open("a", encoding="utf-8") as file:
                file.write(rows)
            with progress.open("a", encoding="utf-8") as file:
                file.write(f"{key}\n")
            print(f"{key}: {rows.count(chr(10))} of {BATCH} came to their end", flush=True)


if __name__ == "__main__":
    main()
