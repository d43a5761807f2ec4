"""What the bundled model is asked: arms as data, and the problems of each domain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from agentflow.evaluation import datasets
from agentflow.problem import Problem

DOMAINS = ("game24", "math", "logic", "commonsense", "maze", "spatialmap")
QUESTIONS = Path(__file__).parent.parent / "data" / "strategyqa" / "sample.jsonl"
MOST = 10
"""Problems of a domain."""


@dataclass(frozen=True)
class Arm:
    """A method with settings, under a name of its own within the method.

    Attributes:
        problems: How many of each domain; fewer where a run is long.
    """

    method: str
    name: str
    problems: int = MOST
    settings: Mapping[str, Any] = field(default_factory=dict)
    domains: tuple[str, ...] = DOMAINS


FEW = {"n": 2, "k": 2}
FIXED = {"plan": False, "reasoning": ["cot"], "iterations": 1}
SHORT = {"max_steps": 5, "step_tokens": 64, "candidates": 2}

ARMS = (
    Arm("direct", "default"),
    Arm("interwhen", "default"),
    Arm("interwhen", "k stable", 10, {"step_verifier": False, "k_stable": 2}),
    Arm("interwhen", "restarts, k stable", 3, {"restarts": 2, "k_stable": 2}),
    Arm("interwhen", "thinking budget", 4, {"thinking_tokens": 60, "repetition": 2}),
    Arm("interwhen", "hopeless", 5, {"hopeless": True}, ("game24", "maze")),
    Arm("early_exit", "entropy", 5),
    Arm("early_exit", "entropy level", 3, {"rules": [{"rule": "entropy_level", "level": 0.5}]}),
    Arm("early_exit", "stall", 3, {"rules": [{"rule": "stall", "window": 3}], "check": "line"}),
    Arm("early_exit", "confidence", 3, {"rules": [{"rule": "confidence", "confidence": 0.8}]}),
    Arm(
        "early_exit",
        "rollouts",
        2,
        {"rules": ["rollouts"], "probe": {"rollouts": 3, "answer_tokens": 24}},
    ),
    Arm("early_exit", "k stable", 5, {"rules": ["k_stable"], "check": "line"}),
    Arm("early_exit", "all", 3, {"rules": ["entropy", "k_stable"], "combine": "all"}),
    Arm(
        "early_exit", "first", 3, {"rules": [{"rule": "budget", "tokens": 50}], "combine": "first"}
    ),
    Arm("solve_detect_verify", "default", 4),
    Arm("solve_detect_verify", "fast", 3, {"ladder": ["fast"], "k": 2}),
    Arm("solve_detect_verify", "slow, noted", 3, {"ladder": ["slow"], "k": 1, "refine_by": "note"}),
    Arm("solve_detect_verify", "domain", 5, {"ladder": ["domain"], "detect": False}),
    Arm(
        "solve_detect_verify",
        "three samples",
        2,
        {"ladder": ["fast", "slow", "domain"], "samples": 3, "k": 2, "tau": 1.0},
    ),
    Arm("unified", "default"),
    Arm("unified", "notes", 3, {"redraws": 0, "n": 2}),
    Arm("unified", "whole ladder", 3, {**FEW, "judged_from": 0, "rounds": 2}),
    Arm("verified_sampling", "domain", 5, {"n": 4}),
    Arm("verified_sampling", "precaution", 3, {"n": 2, "feedback": "precaution"}),
    Arm("verified_sampling", "vanilla", 2, {**FEW, "verifier": "vanilla"}),
    Arm("verified_sampling", "critic", 2, {**FEW, "verifier": "critic"}),
    Arm("verified_sampling", "deductive", 1, {**FEW, "verifier": "deductive"}),
    Arm("verified_sampling", "fact check", 1, {**FEW, "verifier": "fact_check"}),
    Arm("verified_sampling", "self check", 1, {**FEW, "verifier": "self_check"}),
    Arm("verified_sampling", "cross check", 1, {**FEW, "verifier": "cross_check", "others": 2}),
    Arm("verified_sampling", "panel", 1, {**FEW, "verifier": "panel"}),
    Arm("verified_sampling", "reconstruction", 1, {**FEW, "verifier": "reconstruction"}),
    Arm(
        "verified_sampling",
        "mutual consistency",
        1,
        {**FEW, "verifier": "mutual_consistency", "completions": 2},
    ),
    Arm("verified_sampling", "backward", 2, {**FEW, "verifier": "backward"}),
    Arm(
        "verified_sampling",
        "chain of verification",
        1,
        {**FEW, "verifier": "chain_of_verification", "questions": 2},
    ),
    Arm("verified_sampling", "flexive", 2, {**FEW, "verifier": "flexive"}),
    Arm("verified_sampling", "verifiagent", 1, {"n": 1, "verifier": "verifiagent", "rounds": 2}),
    Arm(
        "verified_sampling",
        "verifiagent, domain drives",
        2,
        {**FEW, "verifier": "verifiagent", "driver": "domain", "meta": False},
    ),
    Arm("verified_sampling", "tools", 1, {"n": 1, "reasoner": "tools"}),
    Arm("generate_test", "default", 2),
    Arm("adaptive_branching", "default", 2, {"n": 4}),
    Arm("sampling", "default", 3),
    Arm("sampling", "majority", 3, {"choose": "majority", "critic": "domain", "k": 3}),
    Arm("sampling", "sure", 3, {"choose": "majority", "critic": "none", "k": 5, "stop": "sure"}),
    Arm("sampling", "consistent", 2, {"choose": "consistent", "critic": "none", "k": 3}),
    Arm("sampling", "confidence", 1, {"critic": "confidence", "choose": "weighted", "k": 2}),
    Arm("sampling", "aspects", 1, {"critic": "aspects", "k": 2}),
    Arm("budget_forcing", "one", 3, {"waits": 1}),
    Arm("alpha_one", "default", 1),
    Arm("alpha_one", "lines", 2, {"step": "line", "usual_tokens": 60}),
    Arm("thought_switching", "NoWait", 3, {"penalty": 100.0, "thought_tokens": 0}),
    Arm("cot_decoding", "default", 2, {"k": 4}),
    Arm("cumulative_reasoning", "default", 1, {"proposals": 3}),
    Arm("program_aided", "default", 1, {"mends": 1}),
    Arm("tool_integrated", "default", 1),
    Arm("deepconf", "default", 2, {"k": 6, "warm_up": 3, "at_once": 3, "window": 32}),
    Arm("active_retrieval", "default", 2, {"lookups": 2, "tools": {"search": "off"}}),
    Arm("learning_from_peers", "default", 2, {"n": 2, "every": 60}),
    Arm("self_aggregation", "default", 2, {"n": 2, "see": 2, "rounds": 2}),
    Arm("speculative_reasoning", "default", 3),
    Arm("tournament", "default", 1, {"n": 2, "compare": 1}),
    Arm("tree_of_thoughts", "default", 2),
    Arm("tree_of_thoughts", "steps", 2, {"critic": "steps"}),
    Arm("adaptive_compute", "default", 1, {"iterations": 1, **SHORT}),
    Arm(
        "adaptive_compute",
        "direct",
        3,
        {"plan": False, "reasoning": [], "compute": "best of n", "iterations": 3},
    ),
    Arm("adaptive_compute", "best of n", 2, {**FIXED, "compute": "best of n", "param": 3}),
    Arm(
        "adaptive_compute",
        "beam search",
        1,
        {**FIXED, **SHORT, "compute": "beam search", "param": 2},
    ),
    Arm(
        "adaptive_compute",
        "lookahead",
        1,
        {**FIXED, **SHORT, "compute": "lookahead", "param": 1},
        ("game24", "math", "logic"),
    ),
)


@cache
def problems(domain: str) -> tuple[Problem, ...]:
    """The first :data:`MOST` problems of a domain, with gold answers."""
    if domain == "commonsense":
        rows = map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines()[:MOST])
        return tuple(
            Problem(row["question"], domain, row["qid"], "yes" if row["answer"] else "no")
            for row in rows
        )
    if domain == "game24":
        held_out = datasets.load(domain)
        return tuple(held_out[:: len(held_out) // MOST][:MOST])
    return tuple(datasets.load(f"generate:{domain}?count={MOST}&seed=0"))


def runs() -> Iterator[tuple[Arm, str, Problem]]:
    """Every run: its arm, its domain, its problem."""
    for arm in ARMS:
        for domain in arm.domains:
            for problem in problems(domain)[: arm.problems]:
                yield arm, domain, problem


def pages(file: Path) -> None:
    """Write what commonsense may look up: the facts that the questions come with."""
    rows = map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines()[:MOST])
    found = [{"title": row["term"], "text": " . ".join(row["facts"])} for row in rows]
    file.write_text(json.dumps(found), encoding="utf-8")
