"""Chains that are there, probed again; and chains of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow import domains, models
from agentflow.cli import app
from agentflow.errors import BadInput
from agentflow.evaluation import chains as recorded
from agentflow.evaluation import datasets, imported
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.probing import CONTROLS, How, probe
from agentflow.models import ScriptedModel, Token
from agentflow.monitors.schedule import Schedule
from agentflow.profile import PROFILES

CLAIM = "Answer: ( 1 + 1 ) * ( 13 - 1 ) = 24\n"
THINKING = f"Let me see\n\n{CLAIM}\nhm\n\n{CLAIM}\n"
SURE, UNSURE = (("a", -0.001), ("b", -7.0)), (("a", -0.7), ("b", -0.7))


def solver(prompt: str) -> list[str | Token]:
    if prompt.endswith("<think>\n"):
        return [THINKING, "</think>\n", CLAIM]
    return [Token("Answer:", None, -0.1, UNSURE), CLAIM.removeprefix("Answer:")]


def proxy(prompt: str) -> list[str | Token]:
    """Sure of what stands behind a close marker, and of nothing else."""
    told = SURE if "</think>" in prompt else UNSURE
    return [Token("x", None, -0.1, told)]


@pytest.fixture
async def chains(tmp_path: Path) -> list[Chain]:
    return await recorded.record(
        [domains.get("game24").parse("1 1 1 13")],
        [0],
        tmp_path / "c.parquet",
        model=ScriptedModel(solver),
        settings={"check": "paragraph", "probe": {"rollouts": 2}},
    )


async def test_only_the_signal_is_new(chains: list[Chain], tmp_path: Path) -> None:
    asked = ScriptedModel(proxy, name="small")
    (new,) = await probe(chains, tmp_path / "p.jsonl", How("own"), model=asked)
    (old,) = chains
    assert len(new.checks) == len(old.checks) >= 3
    for one, was in zip(new.checks, old.checks, strict=True):
        assert one.entropy < was.entropy
        assert (one.answers, one.right, one.lengths) == (was.answers, was.right, was.lengths)
        assert (one.tokens, one.end, one.stable) == (was.tokens, was.end, was.stable)
    prompts = [asked.text(request.prompt) for request in asked.requests]  # type: ignore[arg-type]
    assert all(prompt.endswith("</think>\nAnswer:") for prompt in prompts)
    assert all(old.text[: c.end] in p for c, p in zip(old.checks, prompts, strict=True))
    again = await probe(chains, tmp_path / "p.jsonl", How("own"), model=asked)
    assert (again, len(asked.requests)) == ([new], len(old.checks))
    with pytest.raises(BadInput, match="begun with another probe"):
        await probe(chains, tmp_path / "p.jsonl", How("own", "x"), model=asked)


@pytest.mark.parametrize(
    ("how", "ends"),
    [
        (How("bare", ""), "</think>"),
        (How("said", "\nThe answer is"), "</think>\nThe answer is"),
        (CONTROLS["bracket"], "</think>["),
        (CONTROLS["newline"], "\n\n"),
    ],
)
async def test_prefixes_and_controls(
    how: How, ends: str, chains: list[Chain], tmp_path: Path
) -> None:
    asked = ScriptedModel(proxy)
    (new,) = await probe(chains, tmp_path / "p.jsonl", how, model=asked)
    for request in asked.requests:
        prompt = asked.text(request.prompt)  # type: ignore[arg-type]
        assert prompt.endswith(ends)
        assert ("</think>" in prompt) is how.closes
    assert (new.checks[0].entropy < 0.1) is how.closes


async def test_other_places_have_the_answers_before_them(
    chains: list[Chain], tmp_path: Path
) -> None:
    (old,) = chains
    for check in (Schedule(at="tokens", every=5), Schedule(at="line")):
        file = tmp_path / f"{check.at}.jsonl"
        how = How("often", check=check)
        (new,) = await probe(chains, file, how, model=ScriptedModel(proxy))
        assert len(new.checks) >= 3
        ends = [one.end for one in new.checks]
        assert ends == sorted(set(ends))
        assert ends[0] >= old.checks[0].end
        for one in new.checks:
            before = [was for was in old.checks if was.end <= one.end][-1]
            assert one.answers == before.answers
            assert one.tokens == sum(end <= one.end for end in old.ends)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """As the authors' scripts write: two chains, roll-outs of two seeds, and a bad row."""
    texts = ["So it is 2.\n\nYes, 2.", "Hm 5.\n\nNo, 4.\n\nFour."]
    rows = [
        {"response": f"Q<think>\n{one}\n</think>\n\n\\boxed{{{n}}}"}
        for one, n in zip(texts, "24", strict=True)
    ]
    file = tmp_path / "chains.json"
    lines = [json.dumps(row) for row in [*rows, {"response": "no thinking"}]]
    file.write_text("\n".join(lines))
    for seed in (0, 1):
        folder = tmp_path / "rollouts" / f"seed_{seed}"
        folder.mkdir(parents=True)
        (folder / "answers_0.json").write_text(json.dumps([[" \\boxed{2}"] * 2] * 3))
        said = [[" \\boxed{5}", " \\boxed{4}"], [" \\boxed{4}"] * 2, [" \\boxed{4}"] * 2]
        (folder / "answers_1.json").write_text(json.dumps([*said, said[-1]]))
        (folder / "answers_2.json").write_text("[]")
    return file


def sums(tmp_path: Path) -> str:
    rows = [{"text": f"What is {n} + {n}?", "gold": str(2 * n)} for n in (1, 2, 3)]
    file = tmp_path / "sums.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


async def test_chains_of_others(published: Path, tmp_path: Path) -> None:
    problems = datasets.load(sums(tmp_path), "math")
    told: list[str] = []
    model = ScriptedModel(proxy)
    folder = tmp_path / "rollouts"
    found = await imported.load(published, problems, folder, model, skipped=told.append)
    assert [chain.problem for chain in found] == ["What is 1 + 1?", "What is 2 + 2?"]
    assert told == ["line 3: no <think> in it"]
    first, second = found
    assert [one.right for one in first.checks] == [[True] * 4] * 2
    assert [sum(one.right) for one in second.checks] == [2, 4, 4]
    assert second.text[: second.checks[0].end] == "\nHm 5."
    assert (first.right, second.right, first.finished) == (True, True, True)
    assert [one.tokens for one in second.checks] == sorted(one.tokens for one in second.checks)
    probed = await probe(found, tmp_path / "p.jsonl", How("own"), model=model)
    assert [one.entropy < 0.1 for one in probed[0].checks] == [True, True]


async def test_what_is_no_chain_of_others(published: Path, tmp_path: Path) -> None:
    problems = datasets.load(sums(tmp_path), "math")
    model = ScriptedModel(proxy)
    with pytest.raises(BadInput, match="3 chains, and the data set has 2 problems"):
        await imported.load(published, problems[:2], tmp_path / "rollouts", model)
    with pytest.raises(BadInput, match=r"no chain in it; line 1: no seed_\*/answers_0.json in "):
        await imported.load(published, problems, tmp_path, model)
    with pytest.raises(BadInput, match="no chain in it; line 1: 'text'"):
        await imported.load(published, problems, tmp_path / "rollouts", model, field="text")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["probe", *arguments])


def test_the_command(
    chains: list[Chain], published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def connect(spec: Any, **_: Any) -> ScriptedModel:
        return ScriptedModel(proxy, name=f"org/{spec}", profile=PROFILES["pocket"])

    monkeypatch.setattr(models, "connect", connect)
    out = tmp_path / "out"
    ways = ("--prefix", "", "--prefix", "\\nSo:", "--control", "newline", "--check", "tokens:5")
    both = ("--model", "one", "--model", "two", "--out", str(out))
    done = run(str(tmp_path / "c.parquet"), *ways, *both)
    assert done.exit_code == 0, done.stderr
    files = sorted(file.name for file in out.glob("*.parquet"))
    kinds = ("check-tokens-5", "newline", "prefix-So", "prefix-none")
    assert files == [f"{name}.{kind}.parquet" for name in ("one", "two") for kind in kinds]
    assert "| two.newline | 1 |" in done.stdout
    assert len(recorded.load(out / files[0])) == 1
    folder = str(tmp_path / "rollouts")
    others = ("--rollouts", folder, "--dataset", f"{sums(tmp_path)}?text=text&gold=gold")
    done = run(str(published), *others, "--out", str(tmp_path / "new"), "--json")
    assert done.exit_code == 2  # no puzzles: the file names no domain
    assert "other problems have other domains" in done.stderr
    others = (*others, "--domain", "math")
    done = run(str(published), *others, "--out", str(tmp_path / "new"), "--json")
    assert done.exit_code == 0, done.stderr
    assert "chains.json: 1 rows skipped: line 3: no <think> in it" in done.stderr
    (told,) = json.loads(done.stdout)
    assert len(recorded.load(Path(told["file"]))) == 2
    for given, says in (
        (("--rollouts", folder), "--rollouts needs --dataset"),
        (("--control", "comma"), "--control comma: newline, bracket"),
        (("--check", "tokens:x"), "--check tokens:x: line, paragraph, or tokens:100"),
    ):
        done = run(str(tmp_path / "c.parquet"), "--out", str(out), *given)
        assert (done.exit_code, says in done.stderr) == (2, True), done.stderr
