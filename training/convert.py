"""Turn the shipped GGUF back into a Hugging Face folder: ``python -m training.convert``.

The GGUF is the only copy of the model that is shipped. transformers and vLLM load the folder that
this writes; the weights in it are the GGUF's own, dequantised to f32.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import gguf
import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
)


def convert(source: Path, folder: Path) -> None:
    """Write the model and the tokenizer of the GGUF file ``source`` to ``folder``."""
    reader = gguf.GGUFReader(source)
    model_of(reader).save_pretrained(folder)
    end = _field(reader, "tokenizer.ggml.tokens")[_field(reader, "tokenizer.ggml.eos_token_id")]
    tokenizer = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer_of(reader),
        eos_token=end,
        pad_token=end,
        model_max_length=_field(reader, "qwen3.context_length"),
        clean_up_tokenization_spaces=False,
        chat_template=_field(reader, "tokenizer.chat_template"),
    )
    tokenizer.save_pretrained(folder, save_jinja_files=False)
    # Releases of transformers before 5, which some engines pin, know the class by this name only.
    path = folder / "tokenizer_config.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["tokenizer_class"] = "PreTrainedTokenizerFast"
    path.write_text(json.dumps(settings, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _field(reader: gguf.GGUFReader, key: str) -> Any:
    field = reader.get_field(key)
    if field is None:
        raise SystemExit(f"the file has no field {key}: it was not written by training.export")
    return field.contents()


def model_of(reader: gguf.GGUFReader) -> Qwen3ForCausalLM:
    """The model in a GGUF file, its weights in f32."""

    def shape(key: str) -> Any:
        return _field(reader, f"qwen3.{key}")

    end = _field(reader, "tokenizer.ggml.eos_token_id")
    config = Qwen3Config(
        vocab_size=len(_field(reader, "tokenizer.ggml.tokens")),
        hidden_size=shape("embedding_length"),
        num_hidden_layers=shape("block_count"),
        num_attention_heads=shape("attention.head_count"),
        num_key_value_heads=shape("attention.head_count_kv"),
        head_dim=shape("attention.key_length"),
        intermediate_size=shape("feed_forward_length"),
        max_position_embeddings=shape("context_length"),
        # A GGUF float has 32 bits: without rounding 1e-06 would become 9.999999974752427e-07.
        rms_norm_eps=float(f"{shape('attention.layer_norm_rms_epsilon'):.6g}"),
        rope_parameters={"rope_type": "default", "rope_theta": shape("rope.freq_base")},
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=end,
        pad_token_id=end,
    )
    model = Qwen3ForCausalLM(config)
    weights = {
        tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        for tensor in reader.tensors
    }
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN3, config.num_hidden_layers)
    found = {
        name: torch.from_numpy(weights[written].copy())
        for name in model.state_dict()
        if (written := names.get_name(name, try_suffixes=(".weight",))) in weights
    }
    missing = model.load_state_dict(found, strict=False).missing_keys
    assert missing == ["lm_head.weight"], missing  # tied to the embedding
    return model


def tokenizer_of(reader: gguf.GGUFReader) -> Tokenizer:
    """The tokenizer in a GGUF file."""
    tokens: list[str] = _field(reader, "tokenizer.ggml.tokens")
    types: list[int] = _field(reader, "tokenizer.ggml.token_type")
    merges = [tuple(pair.split(" ")) for pair in _field(reader, "tokenizer.ggml.merges")]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [
            AddedToken(token, special=True, normalized=False)
            for token, kind in zip(tokens, types, strict=True)
            if kind == gguf.TokenType.CONTROL
        ]
    )
    return tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("folder", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    convert(arguments.model, arguments.folder)
    print(f"{arguments.folder}: {', '.join(sorted(p.name for p in arguments.folder.iterdir()))}")


if __name__ == "__main__":
    main()
