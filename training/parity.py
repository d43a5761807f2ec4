"""Check that llama.cpp and transformers say the same: ``python -m training.parity MODEL.gguf``.

Both continue held-out prompts greedily, llama.cpp from the GGUF and transformers from the folder
that ``training.convert`` makes of it, and the token ids are compared. So is how both tokenise the
text that came out. Where the two leave each other at a token that transformers finds as likely as
its own to within ``--tie``, the prompt counts as a tie and not as a disagreement.

llama.cpp's attention rounds to 16 bits by default, and its products with f16 and q8_0 weights round
the other factor as well. So the check of the export as such is the f32 file with f32 attention
(the default here), which differs by about 1e-4; the other files may differ at any near tie.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import urllib.request
from pathlib import Path

import torch
import xllamacpp  # type: ignore[import-untyped]
from tokenizers import Tokenizer
from transformers import Qwen3ForCausalLM

from training import game24
from training.convert import convert


def start_server(model: Path, exact: bool) -> xllamacpp.Server:
    """An in-process llama.cpp server with one slot and one thread; it stops when it is deleted."""
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = 0  # the context length that the file gives
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.special = True  # else the text leaves special tokens out
    params.verbosity = -1
    if exact:
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    return xllamacpp.Server(params)


def llama_continues(server: xllamacpp.Server, prompt: list[int], tokens: int) -> list[int]:
    """The token ids with which llama.cpp goes on, the end token included."""
    reply = server.handle_completions(
        {
            "prompt": prompt,
            "max_tokens": tokens,
            "temperature": 0,
            "logprobs": 1,
            "cache_prompt": False,
        }
    )
    if "error" in reply:
        raise SystemExit(f"llama.cpp: {reply['error']['message']}")
    return [entry["id"] for entry in reply["choices"][0]["logprobs"]["content"]]


def llama_tokenises(server: xllamacpp.Server, text: str) -> list[int]:
    """The token ids of ``text``, special tokens read as such."""
    body = json.dumps({"content": text, "parse_special": True}).encode()
    request = urllib.request.Request(
        f"{server.listening_address}/tokenize", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        found: list[int] = json.load(response)["tokens"]
    return found


def transformers_continues(model: Qwen3ForCausalLM, prompt: list[int], tokens: int) -> list[int]:
    """The token ids with which transformers goes on, the end token included."""
    ids = torch.tensor([prompt])
    out = model.generate(  # type: ignore[misc]
        ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=tokens
    )
    found: list[int] = out[0, len(prompt) :].tolist()
    return found


def compare(
    model: Qwen3ForCausalLM, prompt: list[int], ours: list[int], theirs: list[int], tie: float
) -> tuple[str, int, float]:
    """(``same``, ``tie`` or ``different``; tokens that agree; log-probability between the two)."""
    pairs = zip(ours, theirs, strict=False)
    agreed = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))
    if ours == theirs:
        return "same", agreed, 0.0
    if agreed == min(len(ours), len(theirs)):
        return "different", agreed, float("inf")
    with torch.no_grad():
        logits = model(torch.tensor([prompt + ours[:agreed]])).logits[0, -1]
    scores = torch.log_softmax(logits, -1)
    gap = abs(float(scores[ours[agreed]] - scores[theirs[agreed]]))
    return ("tie" if gap <= tie else "different"), agreed, gap


def check(path: Path, prompts: int, tokens: int, exact: bool, tie: float) -> bool:
    """Compare the two on ``prompts`` held-out puzzles; whether they never disagree."""
    counts = {"same": 0, "tie": 0, "different": 0, "tokenised differently": 0}
    with tempfile.TemporaryDirectory() as folder:
        convert(path, Path(folder))
        model = Qwen3ForCausalLM.from_pretrained(folder)
        tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    server = start_server(path, exact)
    held_out = game24.puzzles()[1]
    for numbers in held_out[:: max(1, len(held_out) // prompts)][:prompts]:
        prompt = tokenizer.encode(game24.prompt(numbers)).ids
        theirs = llama_continues(server, prompt, tokens)
        ours = transformers_continues(model, prompt, tokens)
        kind, agreed, gap = compare(model, prompt, ours, theirs, tie)
        counts[kind] += 1
        line = f"{' '.join(map(str, numbers)):12} {kind:9} {agreed}/{len(ours)} tokens"
        print(line + ("" if kind == "same" else f", {gap:.3g} apart in log-probability"))
        text = tokenizer.decode(prompt + ours, skip_special_tokens=False)
        if tokenizer.encode(text).ids != llama_tokenises(server, text):
            counts["tokenised differently"] += 1
    del server
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    return not counts["different"] and not counts["tokenised differently"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--prompts", type=int, default=20, help="how many held-out puzzles")
    parser.add_argument("--tokens", type=int, default=256, help="most tokens a continuation")
    parser.add_argument("--tie", type=float, default=1e-4, help="log-probability that is no matter")
    parser.add_argument(
        "--default-attention",
        action="store_true",
        help="leave llama.cpp its 16-bit attention, as a user runs it",
    )
    given = parser.parse_args()
    torch.set_num_threads(1)
    exact = not given.default_attention
    alike = check(given.model, given.prompts, given.tokens, exact, given.tie)
    sys.exit(0 if alike else 1)


if __name__ == "__main__":
    main()
