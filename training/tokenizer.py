"""The tokenizer: byte-level BPE with GPT-2's pre-tokeniser, which may go on from an older one.

What grows from an older tokenizer keeps its tokens, their ids and its merges, and merges on from
there; so a model's embeddings can be carried over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

SPECIAL = ["<|im_start|>", "<|im_end|>", "<think>", "</think>"]
VOCABULARY = 1500

Pair = tuple[str, str]


def bare() -> Tokenizer:
    """A tokenizer of the special tokens and the 256 bytes."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    return _made({token: number for number, token in enumerate([*SPECIAL, *letters])}, [])


def grown(old: Tokenizer, texts: Iterable[str], size: int = VOCABULARY) -> Tokenizer:
    """``old`` with more merges, the most frequent pair in ``texts`` first, up to ``size`` entries.

    Drawings (lines that begin with ``#``) are left out: each cell of them stays a token.
    """
    vocabulary, merges = state(old)
    words = Counter[tuple[str, ...]]()
    for text in texts:
        for line in text.splitlines(keepends=True):
            if not line.startswith("#"):
                words.update(_words(old, line))
    while len(vocabulary) < size:
        pairs = Counter[Pair]()
        for word, count in words.items():
            for pair in pairwise(word):
                pairs[pair] += count
        ((best, count),) = pairs.most_common(1) or [(("", ""), 0)]
        if count < 2:
            break
        merges.append(best)
        vocabulary.setdefault("".join(best), len(vocabulary))
        merged = Counter[tuple[str, ...]]()
        for word, number in words.items():
            merged[_merged(word, best)] += number
        words = merged
    return _made(vocabulary, merges)


def state(tokenizer: Tokenizer) -> tuple[dict[str, int], list[Pair]]:
    """(token -> id, merges in their order)."""
    found = json.loads(tokenizer.to_str())["model"]
    return dict(found["vocab"]), [(a, b) for a, b in found["merges"]]


def pieces(old: Tokenizer, new: Tokenizer) -> dict[int, list[int]]:
    """Of each new token's id the ids of the old tokens that it is made of."""
    known, _ = state(old)
    vocabulary, merges = state(new)
    parts = {token: [number] for token, number in known.items()}
    for one, other in merges:
        parts.setdefault(one + other, [*parts[one], *parts[other]])
    return {number: parts[token] for token, number in vocabulary.items()}


def _words(tokenizer: Tokenizer, text: str) -> Iterable[tuple[str, ...]]:
    """The pre-tokens of a text without special tokens, each as its tokens."""
    for special in SPECIAL:
        text = text.replace(special, "\n")
    encoded = tokenizer.encode(text, add_special_tokens=False)
    by_word: dict[int, list[str]] = {}
    for token, word in zip(encoded.tokens, encoded.word_ids, strict=True):
        by_word.setdefault(word, []).append(token)
    return map(tuple, by_word.values())


def _merged(word: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    if pair[1] not in word:
        return word
    found: list[str] = []
    for token in word:
        if found and (found[-1], token) == pair:
            found[-1] += token
        else:
            found.append(token)
    return tuple(found)


def _made(vocabulary: dict[str, int], merges: list[Pair]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in SPECIAL]
    )
    return tokenizer
