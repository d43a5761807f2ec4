"""Many texts continued at once, against one after the other."""

from __future__ import annotations

from itertools import islice

import pytest

# ruff: noqa: E402  (what is imported below needs what may be missing)
torch = pytest.importorskip("torch", reason="needs the extra 'training': make test-training")

import gguf
from tokenizers import Tokenizer
from transformers import Qwen3ForCausalLM

from agentflow.models.embedded import bundled
from agentflow.profile import GREEDY, Sampling
from training.convert import model_of, tokenizer_of
from training.judging import label, sample
from training.judging.batched import MIN_P, continued, drawn
from training.solving import Worked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader() -> gguf.GGUFReader:
    return gguf.GGUFReader(bundled())


@pytest.fixture(scope="module")
def model(reader: gguf.GGUFReader) -> Qwen3ForCausalLM:
    return model_of(reader).eval()


@pytest.fixture(scope="module")
def tokenizer(reader: gguf.GGUFReader) -> Tokenizer:
    return tokenizer_of(reader)


@pytest.fixture(scope="module")
def given() -> list[Worked]:
    """Problems whose solutions differ in length."""
    found = []
    for name in ("math", "logic", "commonsense", "maze"):
        drawn = sample.drawn(name, sample.random.Random(2), held_out=False)
        found += list(islice(drawn, 2))
    return found


def test_together_texts_go_on_as_alone(
    model: Qwen3ForCausalLM, tokenizer: Tokenizer, given: list[Worked]
) -> None:
    asked = [sample.ids_of(tokenizer, one) for one in given]
    assert len({len(ids) for ids in asked}) > 3
    generator = torch.Generator()
    together = continued(model, asked, 150, GREEDY, generator)
    alone = [continued(model, [ids], 150, GREEDY, generator)[0] for ids in asked]
    same = [one == other for one, other in zip(together, alone, strict=True)]
    assert sum(same) >= len(same) - 1  # rounding may decide a tie
    assert sum(one is not None for one in together) >= 5
    end = model.config.eos_token_id
    assert all(end not in one for one in together if one is not None)


def test_a_text_that_comes_to_no_end_is_none(
    model: Qwen3ForCausalLM, tokenizer: Tokenizer, given: list[Worked]
) -> None:
    asked = [sample.ids_of(tokenizer, one) for one in given]
    assert continued(model, asked, 3, GREEDY, torch.Generator()) == [None] * len(asked)


async def test_solutions_sampled_at_once_are_read_like_any(
    model: Qwen3ForCausalLM, tokenizer: Tokenizer, given: list[Worked]
) -> None:
    found = await sample.solved(model, tokenizer, given, 0.7, 200, seed=3)
    again = await sample.solved(model, tokenizer, given, 0.7, 200, seed=3)
    assert found == again
    texts = [one.problem.text for one in given]
    assert len(found) >= 4
    for one in found:
        assert one.right[-1] == f"Answer: {given[texts.index(one.text)].answer}"
        assert "</think>" in one.said
        assert "<|im_" not in one.said
    assert any(label.labelled(one) is not None for one in found)


def test_tokens_are_drawn_of_the_likeliest() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.3, 0.15, 0.04, 0.01]])).repeat(4000, 1)
    generator = torch.Generator().manual_seed(1)

    def seen(sampling: Sampling) -> list[float]:
        found = drawn(logits, sampling, generator)
        return (torch.bincount(found, minlength=5) / len(found)).tolist()

    assert seen(GREEDY) == [1, 0, 0, 0, 0]
    assert seen(Sampling(1.0, 1.0, 2))[2:] == [0, 0, 0]
    assert seen(Sampling(1.0, 0.85, 0))[3:] == [0, 0]
    every = seen(Sampling(1.0, 1.0, 0))
    assert every[4] == 0  # less than a share of the likeliest
    assert 0.01 < MIN_P < 0.04 / 0.5
    assert every[:4] == pytest.approx([0.5 / 0.99, 0.3 / 0.99, 0.15 / 0.99, 0.04 / 0.99], abs=0.04)
    # The temperature changes how often, not which.
    hot = seen(Sampling(5.0, 0.85, 0))
    assert hot[3:] == [0, 0]
    assert hot[:3] == pytest.approx([1 / 3] * 3, abs=0.07)
