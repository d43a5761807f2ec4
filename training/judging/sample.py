"""Solutions that a solver writes: ``python -m training.judging.sample FILE``.

Training problems of all six domains, or held-out ones, are solved by the embedded engine, in rounds
at several temperatures by turns: at a higher one the solver makes more of its mistakes. The file
goes on where it was cut off. What is wrong with the solutions is told by
:mod:`training.judging.label`. With ``--batch`` transformers solves as many problems at once, on a
GPU if there is one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import gguf
import torch
from tokenizers import Tokenizer
from transformers import Qwen3ForCausalLM

from agentflow import models, prompts
from agentflow.models import Model, Request, complete
from agentflow.models.embedded import bundled
from training.convert import model_of, tokenizer_of
from training.judging.batched import continued
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

ROUND = 64
"""Problems of a domain that are solved at one temperature, before the next domain's."""


def ids_of(tokenizer: Tokenizer, one: Worked) -> tuple[int, ...]:
    """The prompt that a problem is solved behind."""
    asked = prompt(prompts.for_problem("interwhen", one.problem, POCKET)[1])
    return tuple(tokenizer.encode(asked, add_special_tokens=False).ids)


async def solved(
    model: Model | Qwen3ForCausalLM,
    tokenizer: Tokenizer,
    given: Sequence[Worked],
    temperature: float,
    longest: int,
    seed: int = 0,
) -> list[Sampled]:
    """One solution of each problem, but for those that did not come to their end.

    Args:
        model: An engine solves one after the other, for streams of one engine share its core;
            transformers solves all of them at once.
    """
    sampling = replace(POCKET.sampling, temperature=temperature)
    asked, texts = [ids_of(tokenizer, one) for one in given], list[str | None]()
    if isinstance(model, Qwen3ForCausalLM):
        generator = torch.Generator(model.device).manual_seed(seed)
        for said in continued(model, asked, longest, sampling, generator):
            text = None if said is None else tokenizer.decode(said, skip_special_tokens=False)
            texts.append(text)
    else:
        for number, ids in enumerate(asked):
            reply = await complete(model, Request(ids, longest, sampling, seed + number))
            ended = reply.finish.reason == "stop"
            texts.append(reply.text.removesuffix(POCKET.stops[0]) if ended else None)
    found = []
    for one, text in zip(given, texts, strict=True):
        right = (*one.lines, f"Answer: {one.answer}") if one.lines else ()
        if text is not None:
            found.append(Sampled(one.problem.domain, one.problem.text, right, text, temperature))
    return found


async def run(arguments: argparse.Namespace) -> None:
    """Sample round after round, but for those that the file has."""
    reader = gguf.GGUFReader(arguments.model)
    tokenizer, size = tokenizer_of(reader), arguments.batch or ROUND
    model: Model | Qwen3ForCausalLM
    if arguments.batch:
        model = model_of(reader).eval().to("cuda" if torch.cuda.is_available() else "cpu")
    else:
        model = await models.connect(str(arguments.model))
    progress = arguments.out.with_suffix(".done")
    done = set(progress.read_text().splitlines()) if progress.exists() else set[str]()
    domains = [one for one in arguments.domains if one in LONG or not arguments.long]
    for number in range(arguments.rounds):
        for name in domains:
            key = f"{arguments.seed} {number} {name}{' long' if arguments.long else ''}"
            if key in done:
                continue
            rng = random.Random(f"sampled {key}")
            problems = drawn(name, rng, held_out=arguments.held_out, long=arguments.long)
            given = list(islice(problems, size))
            temperature = arguments.temperatures[number % len(arguments.temperatures)]
            longest = LONGEST.get(name, _LONGEST) * (LONGER if arguments.long else 1)
            seed = rng.getrandbits(31)
            found = await solved(model, tokenizer, given, temperature, longest, seed)
            with arguments.out.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps(asdict(one)) + "\n" for one in found))
            with progress.open("a", encoding="utf-8") as file:
                file.write(f"{key}\n")
            print(f"{key}: {len(found)} of {size} came to their end", flush=True)
    await models.close_all()


def parsed(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The arguments of the command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="a file of JSON lines; one that is there goes on")
    parser.add_argument("--model", type=Path, default=bundled(), metavar="GGUF")
    parser.add_argument("--domains", nargs="+", default=["game24", *WORKED])
    parser.add_argument("--rounds", type=int, default=20, help=f"of {ROUND}, of each domain")
    parser.add_argument(
        "--temperatures", nargs="+", type=float, default=TEMPERATURES, help="by turns, by round"
    )
    parser.add_argument(
        "--batch", type=int, default=0, help=f"solve so many at once, and not {ROUND} in turn"
    )
    parser.add_argument(
        "--long", action="store_true", help="problems that take more lines, where there are any"
    )
    parser.add_argument("--held-out", action="store_true", help="problems never trained on")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(given)


def main() -> None:
    asyncio.run(run(parsed()))


if __name__ == "__main__":
    main()
