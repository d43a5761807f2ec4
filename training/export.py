"""Write a training run as one GGUF file that llama.cpp loads: ``python -m training.export``.

The file holds all there is of the model: weights, tokenizer, chat template, and where it came from.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import gguf
import torch
from transformers import Qwen3ForCausalLM

from training.model import CONTEXT, make_model
from training.tokenizer import SPECIAL

TYPES = {
    "f32": (gguf.GGMLQuantizationType.F32, gguf.LlamaFileType.ALL_F32),
    "f16": (gguf.GGMLQuantizationType.F16, gguf.LlamaFileType.MOSTLY_F16),
    "q8_0": (gguf.GGMLQuantizationType.Q8_0, gguf.LlamaFileType.MOSTLY_Q8_0),
}
NAME, JUDGE = "agentflow-pocket", "agentflow-pocket-judge"
AUTHOR = "The agentflow authors"
LICENCE = "mit"
VERSIONS = {NAME: "1", JUDGE: "0"}
DESCRIPTIONS = {
    NAME: "A small model, trained from scratch on generated texts, that solves and verifies "
    "generated problems of six domains.",
    JUDGE: "A small model, trained on generated texts and on what agentflow-pocket writes, that "
    "judges solutions of generated problems of six domains.",
}
CHAT_TEMPLATE = (
    "{%- for message in messages -%}"
    "{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' -}}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n<think>\\n' -}}{%- endif -%}"
)


def load(run: Path) -> tuple[Qwen3ForCausalLM, dict[str, Any]]:
    """The model of a run's last checkpoint, ready for use, and the checkpoint itself."""
    state: dict[str, Any] = torch.load(run / "checkpoint.pt", map_location="cpu", weights_only=True)
    arguments = state["arguments"]
    rows = state["model"]["model.embed_tokens.weight"].shape[0]
    model = make_model(rows, arguments["width"], arguments["layers"], arguments["heads"])
    model.load_state_dict(state["model"])
    model.train(False)
    return model, state


def tensor_names(model: Qwen3ForCausalLM) -> dict[str, str]:
    """The name in the file of every weight of ``model`` that the file holds."""
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN3, model.config.num_hidden_layers)
    found: dict[str, str] = {}
    for name in model.state_dict():
        if name == "lm_head.weight":
            continue  # tied: the loader takes the embedding for it when the file has none
        written = names.get_name(name, try_suffixes=(".weight",))
        assert written is not None, name
        found[name] = written
    return found


def export(run: Path, out: Path, kind: str) -> None:
    """Write the last checkpoint of ``run`` to ``out`` with weights of type ``kind``."""
    model, state = load(run)
    unfinished = out.with_suffix(".tmp")  # a served file must never be written into
    writer = gguf.GGUFWriter(unfinished, "qwen3")
    name = JUDGE if state["arguments"].get("own") else NAME
    writer.add_name(name)
    writer.add_author(AUTHOR)
    writer.add_license(LICENCE)
    writer.add_version(VERSIONS[name])
    writer.add_description(DESCRIPTIONS[name])
    writer.add_uint64("agentflow.training.tokens", state["tokens"])
    writer.add_uint32("agentflow.training.steps", state["step"])
    writer.add_uint32("agentflow.training.seed", state["arguments"]["seed"])
    _add_shape(writer, model)
    _add_tokenizer(writer, json.loads((run / "tokenizer.json").read_text(encoding="utf-8")))
    _add_weights(writer, model, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    unfinished.replace(out)


def _add_shape(writer: gguf.GGUFWriter, model: Qwen3ForCausalLM) -> None:
    config: Any = model.config
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_key_length(config.head_dim)
    writer.add_value_length(config.head_dim)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])


def _add_tokenizer(writer: gguf.GGUFWriter, tokenizer: dict[str, Any]) -> None:
    vocabulary = tokenizer["model"]["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    assert [vocabulary[token] for token in tokens] == list(range(len(tokens)))
    types = [
        gguf.TokenType.CONTROL if token in SPECIAL else gguf.TokenType.NORMAL for token in tokens
    ]
    end = vocabulary["<|im_end|>"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_eos_token_id(end)
    writer.add_pad_token_id(end)
    # Never added; but where the file names none, llama.cpp takes token 11, here a bracket, for it.
    writer.add_bos_token_id(end)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)


def _add_weights(writer: gguf.GGUFWriter, model: Qwen3ForCausalLM, kind: str) -> None:
    quantization, file_type = TYPES[kind]
    writer.add_file_type(file_type)
    if kind == "q8_0":
        writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    weights = model.state_dict()
    for name, written in tensor_names(model).items():
        data = weights[name].float().numpy()
        # Norms are tiny and llama.cpp multiplies by them in f32: nothing is gained by rounding.
        to = gguf.GGMLQuantizationType.F32 if data.ndim == 1 else quantization
        writer.add_tensor(written, gguf.quants.quantize(data, to), raw_dtype=to)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of the training run")
    parser.add_argument("out", type=Path, metavar="OUT.gguf")
    parser.add_argument("--type", choices=TYPES, default="f16", help="type of the weights")
    arguments = parser.parse_args()
    export(arguments.run, arguments.out, arguments.type)
    print(f"{arguments.out}: {arguments.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
