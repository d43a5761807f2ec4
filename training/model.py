"""The pocket model's shape, and how one begins: anew, or from a smaller vocabulary's weights."""

from __future__ import annotations

import torch
from tokenizers import Tokenizer
from transformers import Qwen3Config, Qwen3ForCausalLM

from training.tokenizer import SPECIAL, pieces

CONTEXT = 2048


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


@torch.no_grad()
def carry_over(
    model: Qwen3ForCausalLM, new: Tokenizer, before: Qwen3ForCausalLM, old: Tokenizer
) -> None:
    """Begin ``model`` with the weights of another of its shape, whose tokenizer ``new`` grew from.

    Where ``model`` has more layers, the others come after and change nothing at first. A new token
    begins as half the mean of the old tokens that it is made of: the whole mean would be as likely
    as they are wherever one of them is.

    Raises:
        SystemExit: If the shapes differ.
    """
    weights = before.state_dict()
    rows = weights["model.embed_tokens.weight"]
    made_of = pieces(old, new)
    embedding = torch.stack(
        [
            rows[parts].mean(0) * (1.0 if len(parts) == 1 else 0.5)
            for parts in (made_of[token] for token in range(len(made_of)))
        ]
    )
    weights |= {"model.embed_tokens.weight": embedding, "lm_head.weight": embedding}
    for name, begun in model.state_dict().items():
        if name not in weights and name.startswith("model.layers."):
            silent = name.endswith(("o_proj.weight", "down_proj.weight"))
            weights[name] = torch.zeros_like(begun) if silent else begun
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        reason = str(error).splitlines()[1].strip()
        raise SystemExit(f"--init: the model has another shape: {reason}") from error
