"""Entropy, confidence and masses against their definitions in float64."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: make test-vllm has it")

from engine import distribution, entropy_of, seeded  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from agentflow.vllm_plugin import signals  # noqa: E402

torch.set_num_threads(1)


class TestSignals:
    @given(st.integers(0, 2**32), st.sampled_from([2, 17, 1500]), st.floats(0.01, 60))
    def test_the_entropy_is_that_of_the_definition(
        self, seed: int, width: int, scale: float
    ) -> None:
        x = distribution(seeded(seed), 3, scale, width)
        found, best, normaliser = signals.read(x)
        for row in range(3):
            assert float(found[row]) == pytest.approx(entropy_of(x[row]), abs=1e-5)
            logs = x[row].double().log_softmax(-1)
            assert float(best[row]) == pytest.approx(float(logs.max()), abs=1e-5)
        ids = torch.tensor([[0, 1, -1]] * 3)
        both = x.double().softmax(-1)[:, :2].sum(-1)
        assert torch.allclose(signals.mass(x, normaliser, ids), both, atol=1e-5)

    @pytest.mark.parametrize("scale", [0.0, 0.5, 3.0, 12.0])
    def test_over_a_large_vocabulary(self, scale: float) -> None:
        x = distribution(seeded(1), 2, scale, 151_936)
        assert float(signals.read(x)[0][1]) == pytest.approx(entropy_of(x[1]), abs=1e-5)

    def test_barred_tokens_have_no_part_in_it(self) -> None:
        x = torch.tensor([[0.0, float("-inf"), 0.0, float("-inf")]])
        assert float(signals.read(x)[0]) == pytest.approx(math.log(2))

    def test_certainty_is_no_entropy(self) -> None:
        x = torch.zeros(1, 1000)
        x[0, 7] = 1e4
        assert float(signals.read(x)[0]) == pytest.approx(0, abs=1e-12)
