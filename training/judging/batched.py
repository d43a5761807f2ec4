"""Many solutions at once, by transformers: ``python -m training.judging.sample --batch 2048``.

The engine that ships solves a few problems at a time on a core. A GPU solves thousands at once, so
that a judge has a hundred thousand solutions to learn from in minutes. A token is drawn as
llama.cpp draws it: of the likeliest ones, whose probabilities the temperature changes afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from transformers import DynamicCache, Qwen3ForCausalLM

from agentflow.profile import Sampling

MIN_P = 0.05
"""llama.cpp's own: a token is not drawn that is so much less likely than the likeliest one."""

_DROP_EVERY = 32
"""Tokens after which texts that came to their end are dropped."""


@torch.inference_mode()
def continued(
    model: Qwen3ForCausalLM,
    prompts: Sequence[Sequence[int]],
    most: int,
    sampling: Sampling,
    generator: torch.Generator,
) -> list[list[int] | None]:
    """The tokens behind each prompt up to its end; None where ``most`` did not come to one.

    Args:
        prompts: Token ids.
        sampling: How tokens are drawn; greedily at temperature 0.
    """
    end = int(model.config.eos_token_id)
    longest = max(map(len, prompts))
    # Padding stands in front, where no token sees it.
    rows = [[end] * (longest - len(one)) + list(one) for one in prompts]
    ids = torch.tensor(rows, device=model.device)
    lengths = torch.tensor([len(one) for one in prompts], device=model.device)
    seen = torch.arange(longest, device=model.device) >= longest - lengths[:, None]
    place = (seen.cumsum(-1) - 1).clamp(min=0)
    running = torch.arange(len(prompts), device=model.device)
    over = torch.zeros(len(prompts), dtype=torch.bool, device=model.device)
    said = torch.full((len(prompts), most), end, device=model.device)
    cache = DynamicCache(config=model.config)
    for number in range(most):
        found = model(
            input_ids=ids,
            attention_mask=seen.long(),
            position_ids=place,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        token = drawn(found.logits[:, -1].float(), sampling, generator)
        said[running, number] = token
        over[running] |= token == end
        seen = torch.cat([seen, seen.new_ones(len(seen), 1)], -1)
        ids, place = token[:, None], place[:, -1:] + 1
        if (number + 1) % _DROP_EVERY == 0:
            left = (~over[running]).nonzero()[:, 0]
            if not len(left):
                break
            cache.batch_select_indices(left)
            running, seen, ids, place = running[left], seen[left], ids[left], place[left]
    texts = [row[: row.index(end)] if end in row else None for row in said.tolist()]
    return [text if done else None for text, done in zip(texts, over.tolist(), strict=True)]


def drawn(
    logits: torch.Tensor, sampling: Sampling, generator: torch.Generator | None
) -> torch.Tensor:
    """A token of each row.

    Args:
        logits: (rows, tokens).
    """
    if not sampling.temperature:
        return logits.argmax(-1)
    values, ids = logits.topk(min(sampling.top_k or logits.shape[-1], logits.shape[-1]))
    likely = values.softmax(-1)
    out = likely.cumsum(-1) - likely >= (sampling.top_p or 1.0)
    out |= likely < MIN_P * likely[:, :1]
    weights = (values.masked_fill(out, float("-inf")) / sampling.temperature).softmax(-1)
    return ids.gather(-1, torch.multinomial(weights, 1, generator=generator))[:, 0]
