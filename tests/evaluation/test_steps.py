"""Step-level evaluation: datasets as they are, one record a solution, resuming."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agentflow import models
from agentflow.domains import Game24
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable
from agentflow.evaluation.records import Arm
from agentflow.evaluation.solutions import Solution, load_labelled
from agentflow.evaluation.step_scores import rows
from agentflow.evaluation.verdicts import Judgement, load, predicted, run
from agentflow.models import Fault, ScriptedModel
from agentflow.problem import Problem
from agentflow.verdict import Verdict

DATA = Path(__file__).parents[1] / "data"
PROCESSBENCH = DATA / "processbench" / "sample.jsonl"
BBM = DATA / "bbm" / "sample.jsonl"
GOOD = {"id": "a", "problem": "1 + 1?", "steps": ["It is 2.", "So 3."], "label": 1}
RIGHT = [
    " 4 7 8 8 : 8 / 8 = 1 -> 1 4 7\n",
    " 1 4 7 : 7 - 1 = 6 -> 4 6\n",
    " 4 6 : 6 * 4 = 24 -> 24\n",
]


def flex(k: int = 2, mode: Any = "flex") -> Arm:
    return Arm(f"{mode}@{k}", mode, {"k": k})


def domain() -> Arm:
    return Arm("domain", "domain", {"domain": "game24"})


def sample(id: str, label: int = -1, steps: int = 3) -> Solution:
    return Solution(Problem(f"problem {id}", "", id), tuple("xyz"[:steps]), label=label)


def oracle(samples: list[Solution]) -> ScriptedModel:
    """A critic that knows the labels."""

    def script(prompt: str) -> str:
        (one,) = (one for one in samples if f"verify: {one.problem.text}\n" in prompt)
        return rf"that is it \boxed{{{one.label}}}"

    return ScriptedModel(script)


def written(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "data.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("path", "text", "label"),
    [(PROCESSBENCH, "problem", "label"), (BBM, "input", "mistake_index")],
)
def test_real_samples_are_read_as_they_are(path: Path, text: str, label: str) -> None:
    given = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = load_labelled([path])
    assert [list(one.given) for one in found] == [row["steps"] for row in given]
    assert [one.problem.text for one in found] == [row[text] for row in given]
    expected = [-1 if row[label] is None else row[label] for row in given]
    assert [one.label for one in found] == expected
    assert len({one.problem.id for one in found}) == len({one.digest for one in found})
    assert len(found) >= 19
    assert {-1, 2} <= set(expected)


def test_several_files_are_one_dataset() -> None:
    skipped = list[str]()
    assert load_labelled([PROCESSBENCH, PROCESSBENCH], skipped=skipped.append) == load_labelled(
        [PROCESSBENCH]
    )
    assert len(skipped) == len(load_labelled([PROCESSBENCH]))
    assert re.search(r"line 1: the id '.*' was there before", skipped[0])
    assert len(load_labelled([PROCESSBENCH, BBM])) == 39


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "line 1 column"),
        ("[]", "not a JSON object"),
        ("[" * 100_000, "recursion"),
        ({"id": "b", "problem": "x", "steps": ["a"]}, "needs problem, steps and label; or input"),
        ({"problem": "x", "label": 0}, "needs problem, steps and label"),
        (GOOD | {"id": "b", "steps": []}, "steps is no list of texts"),
        (GOOD | {"id": "b", "steps": "abc"}, "steps is no list of texts"),
        (GOOD | {"id": "b", "steps": ["a", 1]}, "steps is no list of texts"),
        (GOOD | {"id": "b", "problem": " "}, "problem is no text"),
        (GOOD | {"id": "b", "label": 2}, "label is no index of one of 2 steps: 2"),
        (GOOD | {"id": "b", "label": -2}, "label is no index"),
        (GOOD | {"id": "b", "label": True}, "label is no index"),
        (GOOD | {"id": "b", "label": None}, "label is no index"),
        (GOOD | {"id": "b", "label": 1.0}, "label is no index"),
        (GOOD, "the id 'a' was there before"),
        (GOOD | {"id": "b\ud800"}, "surrogates not allowed"),
        (GOOD | {"id": "b", "problem": "1 + \ud800?"}, "surrogates not allowed"),
        (GOOD | {"id": "b", "steps": ["a", "\udfff"]}, "surrogates not allowed"),
    ],
)
def test_a_line_that_is_no_sample_is_skipped(tmp_path: Path, row: Any, reason: str) -> None:
    skipped = list[str]()
    (found,) = load_labelled([written(tmp_path, GOOD, row)], skipped=skipped.append)
    assert found.problem.id == "a"
    (said,) = skipped
    assert re.search(rf"data.jsonl, line 2: .*{reason}", said)


@pytest.mark.parametrize("id", [None, ""])
def test_a_sample_without_an_id_is_named_by_its_place(tmp_path: Path, id: Any) -> None:
    (one,) = load_labelled([written(tmp_path, GOOD | {"id": id})])
    assert one.problem.id == "data-0"


def test_where_no_line_is_a_sample_the_first_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        load_labelled([written(tmp_path, *["{"] * 12)])
    assert all(f"data.jsonl, line {n}: " in str(refused.value) for n in range(1, 11))
    assert str(refused.value).endswith("; and 2 more")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"gone\.jsonl cannot be read"):
        load_labelled([tmp_path / "gone.jsonl"])
    with pytest.raises(BadInput, match="no sample in it"):
        load_labelled([written(tmp_path, "")])
    with pytest.raises(BadInput, match="line 1: game24: "):
        load_labelled([written(tmp_path, GOOD)], Game24())


@pytest.mark.parametrize(
    ("verdict", "index"),
    [
        (Verdict(True), -1),
        (Verdict(False, first_wrong_step=2), 2),
        (Verdict(False), None),
        (Verdict(None, kind="cannot_tell"), -1),
        (Verdict(None, kind="malformed"), None),
        (Verdict(None, kind="too_long"), None),
    ],
)
def test_what_a_verdict_predicts(verdict: Verdict, index: int | None) -> None:
    assert predicted(verdict) == index


async def test_a_verifier_that_knows(tmp_path: Path) -> None:
    samples = load_labelled([PROCESSBENCH, BBM])[::3]
    short = [one for one in samples if len(str(one.given)) < 1200]
    assert len(short) >= 6
    model = oracle(short)
    records = await run([flex(8)], short, tmp_path / "r", model=model, concurrency=3)
    assert [record.id for record in records] == [one.problem.id for one in short]
    assert all(record.predicted == record.label for record in records)
    assert len(model.requests) == 8 * len(short)
    (row,) = rows(records)
    assert (row.score.f1.value, row.malformed, row.escalated) == (1.0, 0.0, 0.0)  # type: ignore[union-attr]
    assert {record.reason for record in records} == {"that is it"}


async def test_the_ledger_counts_by_role(tmp_path: Path) -> None:
    replies = iter([r"\boxed{0}", r"a b c \boxed{1}", r"hm</think>so \boxed{2}"])
    model = ScriptedModel(lambda prompt: next(replies))
    (record,) = await run([flex(2)], [sample("s", 2)], tmp_path / "r", model=model)
    assert (record.predicted, record.evidence["stage"]) == (2, "slow")
    assert record.evidence["outcomes"] == [2]
    calls = {role: entry["calls"] for role, entry in record.ledger.items()}
    assert calls == {"verifier-fast": 2, "verifier-slow": 1}
    prompts = [len(request.prompt) for request in model.requests]
    assert record.ledger["verifier-fast"]["prompt"] == prompts[0] + prompts[1]
    assert record.count("prompt") == sum(prompts)
    assert record.count("generated") == model.streamed


async def test_replies_without_an_index_predict_nothing(tmp_path: Path) -> None:
    records = await run([flex(4, "fast")], [sample("s")], tmp_path / "r", model=ScriptedModel("?"))
    assert [(r.predicted, r.kind) for r in records] == [(None, "malformed")]
    assert rows(records)[0].malformed == 1.0


async def test_a_solution_beyond_the_context(tmp_path: Path) -> None:
    long = Solution(Problem("p", "", "p"), ("word " * 3000,), label=0)
    (record,) = await run([flex()], [long], tmp_path / "r", model=ScriptedModel("?"))
    assert (record.predicted, record.kind, record.ledger) == (None, "too_long", {})


async def test_a_domain_judges_its_own(tmp_path: Path) -> None:
    slip = [RIGHT[0], " 1 4 7 : 7 - 1 = 5 -> 4 5\n", RIGHT[2]]
    lines = [
        {"id": "right", "problem": "4 7 8 8", "steps": RIGHT, "label": -1},
        {"id": "wrong", "problem": "4 7 8 8", "steps": slip, "label": 1},
        {"id": "talk", "problem": "4 7 8 8", "steps": ["Let me see."], "label": -1},
    ]
    samples = load_labelled([written(tmp_path, *lines)], Game24())
    model = ScriptedModel("never asked")
    records = await run([domain()], samples, tmp_path / "r", model=model)
    assert [(r.predicted, r.kind) for r in records] == [
        (-1, ""),
        (1, "arithmetic"),
        (-1, "cannot_tell"),
    ]
    assert not model.requests
    assert rows(records)[0].relative is None


async def test_a_domain_needs_no_model(tmp_path: Path) -> None:
    """Nobody listens there, and nobody is asked."""
    given = [Solution(Game24().parse("4 7 8 8", "a"), tuple(RIGHT), label=-1)]
    (record,) = await run([domain()], given, tmp_path / "r", model="http://127.0.0.1:9/v1")
    assert record.predicted == -1
    with pytest.raises(ModelUnavailable):
        await run([flex()], given, tmp_path / "q", model="http://127.0.0.1:9/v1")
    assert not (tmp_path / "q").exists()
    await models.close_all()


async def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    samples = [sample(str(n), n % 3 - 1) for n in range(9)]
    out = tmp_path / "r.jsonl"
    first = await run([flex()], samples, out, model=oracle(samples))
    whole = out.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join(whole[:5]) + whole[5][:40], encoding="utf-8")
    model, told = oracle(samples), list[str]()
    again = await run([flex()], samples, out, model=model, on_record=lambda r: told.append(r.id))
    assert told == ["4", "5", "6", "7", "8"]
    assert len(model.requests) == 2 * len(told)
    assert [comparable(one) for one in again] == [comparable(one) for one in first]
    assert len(out.read_text(encoding="utf-8").splitlines()) == 10
    done = ScriptedModel("never asked")
    await run([flex()], samples, out, model=done)
    assert not done.requests


def comparable(record: Judgement) -> tuple[Any, ...]:
    return record.id, record.digest, record.predicted, record.reason, record.evidence


async def test_runs_that_failed_are_tried_again(tmp_path: Path) -> None:
    broken = ScriptedModel([Fault(ModelUnavailable("gone"))])
    out = tmp_path / "r"
    (record,) = await run([flex()], [sample("s", 1)], out, model=broken)
    assert (record.kind, record.reason, record.predicted) == ("failed", "gone", None)
    assert rows([record]) == []
    (record,) = await run([flex()], [sample("s", 1)], out, model=oracle([sample("s", 1)]))
    assert (record.kind, record.predicted) == ("wrong_step", 1)
    assert load(out) == [record]


async def test_what_every_sample_would_fail_of_is_raised(tmp_path: Path) -> None:
    lacking = ScriptedModel([Fault(MissingCapability("cannot"))])
    with pytest.raises(MissingCapability):
        await run([flex()], [sample("s")], tmp_path / "r", model=lacking)


async def test_other_settings_are_refused(tmp_path: Path) -> None:
    out, samples = tmp_path / "r", [sample("s")]
    await run([flex()], samples, out, model=oracle(samples))
    other = Arm("flex@2", "flex", {"k": 2, "tau": 0.5})
    with pytest.raises(BadInput, match="arm 'flex@2' was begun with another tau"):
        await run([other], samples, out, model=oracle(samples))
    with pytest.raises(BadInput, match="begun with another model"):
        await run([flex()], samples, out, model=ScriptedModel("", name="else"))
    beside = await run([flex(3)], samples, out, model=oracle(samples))
    assert [record.arm for record in beside] == ["flex@3"]
    assert [record.arm for record in load(out)] == ["flex@2", "flex@3"]


async def test_another_solution_under_the_same_id_is_judged_anew(tmp_path: Path) -> None:
    out = tmp_path / "r"
    await run([flex()], [sample("s")], out, model=oracle([sample("s")]))
    changed = [sample("s", 1, steps=2)]
    (record,) = await run([flex()], changed, out, model=oracle(changed))
    assert record.predicted == 1


async def test_a_line_that_is_no_record(tmp_path: Path) -> None:
    out = tmp_path / "r"
    out.write_text('{"arm": "x"}\n')
    with pytest.raises(BadInput, match="line 1: not a record"):
        await run([flex()], [sample("s")], out, model=ScriptedModel(""))
