"""Methods on endpoints, and what befalls streams: a sample here, all of it by the benchmark."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from standin import KEY

from agentflow.graphs import METHODS, VERIFIERS

ROWS = sorted({*METHODS, *VERIFIERS} - {"prm"})


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "endpoints.py"
    spec = importlib.util.spec_from_file_location("endpoints_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_KEY", KEY)


def test_every_method_is_documented(bench: ModuleType) -> None:
    assert sorted(bench.documented()) == ROWS


SAMPLE = [
    ("interwhen", "openai-reasoning"),
    ("interwhen", "vllm"),
    ("unified", "vllm raw"),
    ("early_exit", "gemini"),
    ("solve_detect_verify", "deepseek-reasoner"),
    ("unified", "openrouter"),
    ("interwhen", "mistral"),
    ("generate_test", "mistral"),
    ("verifiagent", "openai"),
    ("verifiagent", "deepseek"),
    ("adaptive_compute", "azure"),
    ("tree_of_thoughts", "ollama"),
    ("flexive", "unknown"),
    ("deductive", "anthropic-compatible"),
    ("critic", "lc openai responses"),
]


@pytest.mark.parametrize(("method", "name"), SAMPLE)
async def test_a_cell_is_as_documented(bench: ModuleType, method: str, name: str) -> None:
    cell = await bench.run(name, method)
    assert cell.kind == bench.expected(name, method), cell.why


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("reset", "openai"),
        ("truncated", "gemini"),
        ("429", "deepseek"),
        ("500", "openrouter"),
        ("wrong json", "ollama"),
        ("error event", "vllm"),
        ("content_filter", "azure"),
        ("no call", "llamacpp"),
    ],
)
async def test_a_fault_ends_in_a_stated_status(bench: ModuleType, fault: str, name: str) -> None:
    cell = await bench.befall(name, "direct", fault)
    assert cell.kind in ("verified", "verified (resumed)"), cell.why


@pytest.mark.slow
@pytest.mark.parametrize("method", ROWS)
async def test_a_part_of_a_row_is_as_documented(bench: ModuleType, method: str) -> None:
    """Every third endpoint, so that three methods in a row have all of them."""
    for name in [*bench.endpoints()][ROWS.index(method) % 3 :: 3]:
        cell = await bench.run(name, method)
        assert cell.kind == bench.expected(name, method), (name, cell.why)


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", ROWS)
async def test_a_row_is_as_documented(bench: ModuleType, method: str) -> None:
    for name in bench.endpoints():
        cell = await bench.run(name, method)
        assert cell.kind == bench.expected(name, method), (name, cell.why)
