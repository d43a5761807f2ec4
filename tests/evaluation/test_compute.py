"""F_theo and S_CI: identities, recounts, and what the text's own tables allow to check."""

from __future__ import annotations

import json
from math import floor, log10
from pathlib import Path
from statistics import mean
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadInput
from agentflow.evaluation.compute import Size, compute, intensity, named_parameters, size_of
from agentflow.ledger import Entry, record
from agentflow.models import HTTPModel

TABLES = Path(__file__).parent / "adaptive_tables_5_6.json"
BASE, PRM = Size(7.6e9, 32_768), Size(7.1e9, 4096)
SIZES = {"solver": BASE, "prm": PRM}
ENTRIES = st.builds(
    Entry,
    st.sampled_from(["solver", "rollout", "planner", "selector", "prm", "judge", "tool:python"]),
    st.integers(1, 3),
    st.integers(0, 6000),
    st.just(0),
    st.integers(0, 1024),
)
LEDGERS = st.lists(st.lists(ENTRIES, max_size=6), min_size=1, max_size=4)


def written(entries: list[Entry]) -> dict[str, Any]:
    return {key: one for n, e in enumerate(entries) for key, one in record(str(n), e).items()}


@given(LEDGERS)
def test_a_recount_from_single_calls(ledgers: list[list[Entry]]) -> None:
    found = compute([written(one) for one in ledgers], SIZES)
    calls = [e for one in ledgers for e in one if e.calls and not e.role.startswith("tool:")]
    flops = 0.0
    for role in {e.role for e in calls}:
        own = [e for e in calls if e.role == role]
        count = sum(e.calls for e in own)
        size = PRM if role == "prm" else BASE
        per_call = sum(e.prompt + e.generated for e in own) / count
        flops += 2 * size.parameters * min(per_call, size.context) * count / len(ledgers)
    assert found.flops == pytest.approx(flops)
    base = [e for e in calls if e.role in ("solver", "rollout", "judge")]
    auxiliary = sum(e.calls for e in calls if e not in base) / len(ledgers)
    generated = sum(e.generated for e in base) / len(ledgers)
    assert found.auxiliary == pytest.approx(auxiliary)
    assert found.intensity == pytest.approx(generated * (1 + 0.1 * auxiliary) / 1e6)
    assert found.generations * found.tokens == pytest.approx(generated)


def test_the_formulas_on_one_problem() -> None:
    ledger = written([Entry("solver", 5, 500, 0, 2000), Entry("prm", 10, 4000, 0, 0)])
    found = compute([ledger], SIZES)
    assert found.flops == pytest.approx(2 * 7.6e9 * 500 * 5 + 2 * 7.1e9 * 400 * 10)
    assert found.intensity == pytest.approx(5 * 400 * (1 + 0.1 * 10) / 1e6)
    assert (found.generations, found.tokens, found.auxiliary) == (5, 400, 10)


def test_without_a_cap_it_is_the_sum_over_calls() -> None:
    entries = [Entry("solver", 1, 100 * n, 0, 10) for n in range(1, 9)]
    found = compute([written(entries)], SIZES)
    single = [compute([written([one])], SIZES) for one in entries]
    assert found.flops == pytest.approx(sum(one.flops for one in single))
    assert found.intensity == pytest.approx(sum(one.intensity for one in single))


def test_a_call_counts_no_more_tokens_than_the_context_holds() -> None:
    long = written([Entry("prm", 2, 20_000)])
    assert compute([long], SIZES).flops == 2 * 7.1e9 * 4096 * 2


def test_problems_are_averaged() -> None:
    ledgers = [written([Entry("solver", 1, 100, 0, n)]) for n in (100, 300)]
    found = compute(ledgers, SIZES)
    each = [compute([one], SIZES) for one in ledgers]
    assert found.flops == pytest.approx(mean(one.flops for one in each))
    assert found.intensity == pytest.approx(mean(one.intensity for one in each))


def test_more_of_anything_costs_more() -> None:
    base = [Entry("solver", 4, 400, 0, 800)]
    plain = compute([written(base)], SIZES)
    for more in (Entry("solver", 1, 100, 0, 200), Entry("prm", 1, 300), Entry("planner", 1, 50)):
        found = compute([written([*base, more])], SIZES)
        assert found.flops > plain.flops
        assert found.intensity > plain.intensity
    tool = compute([written([*base, Entry("tool:python", 1)])], SIZES)
    assert tool == plain


def test_nothing_to_count() -> None:
    with pytest.raises(ValueError, match="no runs"):
        compute([], SIZES)
    assert compute([{}], SIZES).intensity == 0


class TestTheTextsTables:
    """Tables 5 and 6; neither T, C nor M is given in the text."""

    ONE: ClassVar = {  # (S_CI, F_theo) at one iteration
        *((4.35e-5, 8.30e11), (4.57e-5, 8.72e11), (4.52e-5, 8.63e11)),
        *((3.99e-5, 7.61e11), (4.65e-5, 8.88e11), (3.91e-5, 7.46e11)),
        *((2.26e-4, 4.32e12), (2.25e-4, 4.29e12), (1.81e-4, 3.45e12), (2.00e-4, 3.81e12)),
        *((1.90e-4, 3.62e12), (4.56e-4, 8.71e12), (4.37e-4, 8.35e12), (4.58e-4, 8.74e12)),
        *((4.10e-4, 7.83e12), (4.00e-4, 7.63e12), (4.00e-4, 7.64e12)),
    }
    RATIO = 1.908e16

    def test_tables_5_and_6_from_counts_of_every_cell(self) -> None:
        """Whole counts over 500 problems, which the text does not print: the generated tokens of a
        generation are those of the same cell at one iteration, and what further iterations cost
        beside them is the reward model's. Both metrics of all 54 cells follow from them."""
        told = json.loads(TABLES.read_text())
        problems = told["problems"]
        for cell in told["cells"]:
            (calls, prompt, generated), (scored, read) = cell["solver"], cell["prm"]
            entries = [Entry("solver", calls, prompt, 0, generated), Entry("prm", scored, read)]
            ledgers = [written(entries), *[written([])] * (problems - 1)]
            sizes = {"solver": Size(7.616e9, 32_768), "prm": Size(7.071e9, 4096)}
            found = compute(ledgers, sizes)
            assert found.flops == pytest.approx(cell["flops"], rel=0.05), cell
            assert found.intensity == pytest.approx(cell["intensity"], rel=0.05), cell
        assert len(told["cells"]) == 54

    def test_at_one_iteration_the_ratio_is_the_same_everywhere(self) -> None:
        for s, f in self.ONE:
            off_s, off_f = (0.5 * 10.0 ** (floor(log10(x)) - 2) for x in (s, f))  # rounding
            assert (f - off_f) / (s + off_s) <= 1.002 * self.RATIO
            assert (f + off_f) / (s - off_s) >= 0.998 * self.RATIO

    @given(st.integers(1, 30), st.integers(1, 1024), st.floats(0.05, 3), st.integers(0, 40))
    def test_so_is_ours_whatever_is_generated(
        self, n: int, tokens: int, read: float, auxiliary: int
    ) -> None:
        """F / S = 2 M kappa (T / generated) / (1 + alpha C), where the base model does all."""
        prompt = round(read * tokens)
        entries = [Entry("solver", n, n * prompt, 0, n * tokens)]
        found = compute([written(entries)], SIZES)
        share = (prompt + tokens) / tokens
        assert found.flops / found.intensity == pytest.approx(2 * 7.6e9 * 1e6 * share)
        weighed = intensity(n, tokens, auxiliary)
        expected = 2 * 7.6e9 * 1e6 * share / (1 + 0.1 * auxiliary)
        assert found.flops / weighed == pytest.approx(expected)

    def test_the_ratio_is_one_the_text_s_models_can_have(self) -> None:
        """Of Qwen2.5-7B alone, which has 7.62 billion parameters, it says that a call reads a
        quarter of what it writes (prompts of 100 to 250 tokens at their lengths), without a
        single auxiliary call."""
        entries = [Entry("solver", 10, 10 * 126, 0, 10 * 500)]
        found = compute([written(entries)], {"solver": Size(7.616e9, 32_768)})
        assert found.flops / found.intensity == pytest.approx(self.RATIO, rel=0.001)


class TestSizes:
    @pytest.mark.parametrize(
        ("name", "parameters"),
        [
            ("Qwen/Qwen2.5-7B-Instruct", 7e9),
            ("meta-llama/Llama-3.1-8B-Instruct", 8e9),
            ("qwen2.5-0.5b-instruct-q8_0", 0.5e9),
            ("Qwen/Qwen2.5-Math-PRM-7B", 7e9),
            ("Qwen3-30B-A3B", 30e9),
            ("smol-135M", 135e6),
            ("gpt-4o", None),
            ("v3-2b2", None),
        ],
    )
    def test_names(self, name: str, parameters: float | None) -> None:
        assert named_parameters(name) == parameters

    def test_a_server_that_tells(self, tmp_path: Path) -> None:
        model = HTTPModel("http://localhost:1/v1", "some-3b")
        assert size_of(model) == Size(3e9, model.profile.context)
        header = {"__metadata__": {}, "a": {"shape": [3, 4]}, "b": {"shape": [5]}}
        data = json.dumps(header).encode()
        (tmp_path / "model.safetensors").write_bytes(len(data).to_bytes(8, "little") + data)
        model.root = str(tmp_path)
        assert size_of(model).parameters == 17
        model.parameters = 42
        assert size_of(model).parameters == 42

    def test_nobody_tells(self) -> None:
        with pytest.raises(BadInput, match="does not say how many parameters"):
            size_of(HTTPModel("http://localhost:1/v1", "unknown"))
