"""The manifests: each is whole, its arms can be run, and its figures are the papers'."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentflow.errors import BadInput
from agentflow.evaluation import datasets, hub
from agentflow.graphs.adaptive_compute import CONFIGURATIONS, GRID
from agentflow.reproduce import chains, kinds, manifest, methods, problems, verdicts
from agentflow.reproduce.kinds import Options
from agentflow.reproduce.manifest import Manifest, load, names, read

NAMED = (
    *("interwhen/table1", "interwhen/table2", "interwhen/table5", "interwhen/table6"),
    *("eat/fig3", "eat/fig4", "eat/fig6", "eat/fig8", "eat/fig11", "eat/fig13"),
    *(f"adaptive/{name}" for name in ("table1", "table2", "table5", "table6", "table7")),
    *("adaptive/fig2", "adaptive/fig3"),
    *(f"sdv/table{n}" for n in (1, 3, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19)),
    *(f"verifiagent/table{n}" for n in (2, 3, 5, 6, 9, 10)),
    *(f"verifiagent/fig{n}" for n in (3, 4, 5)),
)
GIVEN: dict[str, Any] = {
    "title": "A table",
    "source": "table 1",
    "kind": "methods",
    "metrics": ["accuracy"],
    "models": {"m": {"name": "M"}},
    "parts": [{"name": "P", "dataset": "game24", "size": 10}],
    "arms": [{"name": "A", "method": "direct"}],
}


def test_there_is_one_for_every_table_that_is_wanted() -> None:
    assert set(NAMED) <= set(names())
    assert names().index("sdv/table9") < names().index("sdv/table10")


@pytest.mark.parametrize("name", names())
def test_a_manifest_is_whole(name: str, tmp_path: Path) -> None:
    found = load(name)
    assert found.source
    assert found.title
    at = dict.fromkeys(found.models, "http://127.0.0.1:9/v1")
    for stand_in in (False, True):
        options = Options(out=tmp_path, stand_in=stand_in, at=at)
        for arm in found.arms:
            if arm.method:
                kinds.see(found, arm, options)
        if found.reasoner is not None:
            values = kinds.settled(found, found.reasoner, options)
            assert kinds.settings_for(found.reasoner.method, **values)
    for part in found.parts:
        if part.dataset:
            assert part.size
            plain = part.dataset.partition("?")[0]
            assert {*plain.split("+")} <= {*hub.SOURCES, *hub.STEPS, "game24"}
            there = problems.source(part, {}, stand_in=True)
            assert there == "game24" or there.startswith("generate:") or Path(there).is_file()
    for metric in found.metrics:
        assert _known(found, metric), metric


def _known(found: Manifest, metric: str) -> bool:
    first = metric.partition(".")[0]
    match found.kind:
        case "methods":
            return metric in methods.METRICS or first == "usage"
        case "chains":
            return metric in chains.METRICS
        case "steps":
            return metric in ("f1", "f1 of draws", "escalated", "total tokens")
    return metric in verdicts.METRICS or first in ("tools", "wrong")


@pytest.mark.parametrize(
    ("name", "metric", "part", "arm", "figure"),
    [
        ("interwhen/table1", "relative tokens", "Qwen3-30B GAMEOF24", "k-Stable", 68.35),
        ("interwhen/table2", "accuracy", "MAZE", "interwhen (step verifier)", 98.74),
        ("interwhen/table5", "reduction", "Phi-4 SPATIALMAP", "DEER", 35.36),
        ("interwhen/table6", "reduction", "QwQ-32B VERINA Code", "k-Stable", 29.42),
        ("interwhen/table8", "tokens", "Qwen3-30B SPATIALMAP", "EAT 0.008", 4937.21),
        ("interwhen/table9", "accuracy", "QwQ-32B VERINA Spec", "DEER 0.995", 37.57),
        ("interwhen/table10", "reduction", "Phi-4 MAZE", "k-Stable 2", 14.38),
        ("adaptive/table1", "accuracy", "MATH-500 Llama-3.1-8B", "Dynamic + PRM Sel.", 65.4),
        ("adaptive/table2", "accuracy", "MATH-500", "Self-Reflection Beam Search p=5 I=1", 76.8),
        ("adaptive/table5", "s_ci", "MATH-500", "CoT Beam Search p=10 I=10", 8.32e-3),
        ("adaptive/table6", "f_theo", "MATH-500", "CoT Best-of-N p=10 I=10", 1.31e14),
        ("adaptive/table7", "accuracy", "AIME24", "CoT Lookahead p=5 I=1", 10.0),
        ("sdv/table1", "f1", "Avg", "Think@64", 86.3),
        ("sdv/table2", "f1", "R1-14B Avg", "NoThinking@4", 37.1),
        ("sdv/table3", "token difference", "AIME 2025 S1 14B", "Solve+Detect", 2374),
        ("sdv/table7", "total tokens", "OmniMATH", "Think@128", 456.4),
        ("sdv/table9", "f1", "GSM8K", "Flex@8", 75.75),
        ("sdv/table10", "f1", "MATH", "Dyve-14B", 58.3),
        ("sdv/table12", "accuracy", "AIME 2024", "Solve-Detect-Verify N=16", 83.3),
        ("sdv/table17", "f1 of draws", "MATH", "Flex@128", (85.0, 1.48)),
        ("sdv/table18", "escalated", "Avg", "tau 0.8", 28),
        ("verifiagent/table2", "recall", "ReWild", "VerifiAgent", 0.89),
        ("verifiagent/table3", "samples", "Llama-3.3-70B MATH", "VerifiAgent (o1-mini)", 2.2),
        ("verifiagent/table7", "precision", "MATH", "w/o tool v.", 0.75),
        ("verifiagent/table10", "cost", "GPT-4o MATH", "VerifiAgent (GPT-4o)", 0.047),
        ("verifiagent/fig4", "tools.z3", "ReWild", "VerifiAgent", 11.2),
    ],
)
def test_what_the_papers_printed(
    name: str, metric: str, part: str, arm: str, figure: manifest.Figure
) -> None:
    assert load(name).figures[metric][part][arm] == figure


def test_the_grid_and_the_configurations_are_the_graphs_own() -> None:
    cells = [arm.settings for arm in load("adaptive/table2").arms]
    assert [one | {"reasoning": tuple(one["reasoning"])} for one in cells] == list(GRID)
    arms = [dict(arm.settings) for arm in load("adaptive/table1").arms]
    arms = [one | ({"reasoning": ()} if one.get("reasoning") == [] else {}) for one in arms]
    assert arms == list(CONFIGURATIONS.values())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"metrics": []}, "metrics: the list must have at least 1"),
        ({"colour": 1}, "colour: no such setting; known: "),
        ({"parts": [{"name": "P"}]}, "part 'P' needs a dataset, or the parts it is of"),
        ({"parts": [{"name": "P", "of": "Q"}]}, "part 'P': there is no 'Q'; known: P"),
        ({"figures": {"accuracy": {"P": {"B": 1.0}}}}, "there is no 'B'; known: A"),
        ({"figures": {"tokens": {"P": {"A": 1.0}}}}, "there is no 'tokens'; known: accuracy"),
        ({"kind": "verdicts"}, "verdicts, and they alone, have a reasoner"),
        ({"base": "C"}, "base: there is no 'C'"),
        ({"arms": [{"name": "A", "method": "", "roles": {"prm": "x"}}]}, "there is no 'x'"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=f"manifest made/up: .*{says}"):
        read("made/up", GIVEN | change)


def test_an_unknown_table() -> None:
    with pytest.raises(BadInput, match=r"unknown table 'eat/fig99'; known: .*did you mean eat/fig"):
        load("eat/fig99")


def test_stand_ins_are_problems_of_their_domains() -> None:
    for file in (Path(manifest.__file__).parent / "stand_ins").glob("*.jsonl"):
        skipped: list[str] = []
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        if file.stem == "steps":
            assert len(problems.load_steps(str(file), None, skipped.append)) == len(rows)
            assert len(problems.load_steps(str(file), 2, skipped.append)) == 2
        else:
            name = {"gpqa-diamond": "math", "verina-code": "verina", "verina-spec": "verina"}
            domain = name.get(file.stem, file.stem)
            assert len(datasets.load(str(file), domain, skipped.append)) == len(rows)
        assert skipped == []
