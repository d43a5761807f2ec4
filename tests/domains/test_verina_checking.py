"""References and mutants of Verina's tasks: their files, and what Lean's words about them mean."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from lean_tasks import made

from agentflow.domains.verina import checkout, files
from agentflow.domains.verina.checking import Counts, Result, check, one_by_one
from agentflow.domains.verina.checkout import Task
from agentflow.domains.verina.mutants import mutants
from agentflow.tools.lean import Check, Message

SAMPLE = Path(__file__).parent.parent / "data" / "verina" / "sample.jsonl"
TASKS = checkout.tasks(SAMPLE)
FALSE = "Expression\n  x\ndid not evaluate to `true`"


ASKED = [
    "#guard double (2) (by sorry) == (4 : Nat)",
    "#guard double (2) (by sorry) == (3 : Nat)",
    "#guard double (2) (by sorry) == (5 : Nat)",
    "#guard decide (double_precond (2))",
    "#guard decide (¬ (double_precond (100)))",
    "#guard decide (double_postcond (2) (4) (by sorry))",
    "#guard decide (¬ (double_postcond (2) (3) (by sorry)))",
]


def test_a_reference_s_file_has_a_line_for_each_test() -> None:
    file = files.reference(made())
    lines = file.source.splitlines()
    assert lines[file.first - 1 :] == ASKED
    assert [one.text for one in file.guards] == ASKED
    assert [one.kind for one in file.guards] == [
        *("result", "wrong result", "wrong result", "precondition", "rejected input"),
        *("postcondition", "rejected result"),
    ]
    assert "omega" not in file.source
    assert "omega" in files.proof(made()).source
    assert files.proof(made()).guards == ()


def test_a_task_without_the_proof_takes_none_in_its_tests() -> None:
    row = json.loads(SAMPLE.read_text(encoding="utf-8").splitlines()[0])
    assert all("(by sorry)" in one.text for one in files.reference(checkout.read(row)).guards[:2])
    task = made()
    bare = task.lean.replace(" (h_precond : double_precond (n))", "").replace(" h_precond", "")
    found = checkout.read(
        {
            "id": "bare",
            "description": "Twice.",
            "lean": bare,
            "signature": "double (n : Nat) : Nat",
            "tests": [{"input": {"n": 2}, "expected": 4, "unexpected": []}],
            "reject_inputs": [],
        }
    )
    assert found.not_understood == ()
    assert not found.assumes
    texts = [one.text for one in files.reference(found).guards]
    assert texts[0] == "#guard double (2) == (4 : Nat)"
    assert texts[-1] == "#guard decide (double_postcond (2) (4))"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_samples_files_and_mutants(task: Task) -> None:
    file = files.reference(task)
    lines = file.source.splitlines()
    assert len(lines) == file.first + len(file.guards) - 1
    assert all(line.startswith("#guard ") for line in lines[file.first - 1 :])
    wrong = sum(len(case.unexpected) for case in task.cases)
    kinds = [one.kind for one in file.guards]
    assert kinds.count("result") == kinds.count("postcondition") == len(task.cases)
    assert kinds.count("rejected result") == wrong
    assert kinds.count("wrong result") >= wrong
    every = list(mutants(task))
    for one in every:
        assert one.text != task.text(one.section)
        source = files.changed(task, one.section, one.text).source
        assert one.text in source
        assert source != files.changed(task, one.section, task.text(one.section)).source
    assert len({(one.section, one.text) for one in every}) == len(every)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("n + n", ["+ → -"]),
        ("if n < 10 then n * 2 else 0", ["< → ≤", "10 → 11", "* → +", "2 → 3", "0 → 1"]),
        (
            "if n == 0 && true then 1 else n",
            ["== → !=", "0 → 1", "&& → ||", "true → false", "1 → 2"],
        ),
        ("max n (Nat.min n n)", ["max → min", "Nat.min → Nat.max"]),
        ("n -- 1 + 2\n  /- 3 -/", []),
        ('let s := "1 + 2"\n  s.length', []),
        ("have h : n < 2 := by omega\n  n", []),
        ("(-n)", []),
    ],
)
def test_mutants(code: str, wanted: list[str]) -> None:
    assert [one.change for one in mutants(made(code))] == wanted


def said(file: files.File, *errors: tuple[int, str], complete: bool = True) -> files.Judged:
    """What is judged where Lean finds errors at lines; from 1 behind the file's code."""
    messages = [Message("error", file.first - 1 + line, 0, text) for line, text in errors]
    failure = None if complete or errors else {"type": "incomplete", "message": "it ended"}
    return files.judged(file, Check(messages, complete=complete, failure=failure))


WRONG = ((2, FALSE), (3, FALSE))


def test_a_reference_whose_wrong_results_alone_are_false_passes() -> None:
    file = files.reference(made())
    done = said(file, *WRONG)
    assert done.compiles is True
    assert done.total("passed") == len(ASKED)
    assert Result("x", done, None).passes is True


@pytest.mark.parametrize(
    ("errors", "complete", "failed", "undecided", "passes"),
    [
        ((*WRONG, (1, FALSE)), True, 1, 0, False),
        (((2, FALSE),), True, 1, 0, False),
        ((), True, 2, 0, False),
        ((*WRONG, (6, "failed to synthesize Decidable")), True, 0, 1, True),
        ((*WRONG, (6, FALSE)), True, 1, 0, False),
        ((*WRONG, (1, "cannot evaluate")), True, 0, 1, None),
        (((2, FALSE), (3, "cannot evaluate")), True, 0, 1, None),
        (WRONG, False, 0, len(ASKED) - 2, None),
        ((), False, 0, len(ASKED), None),
        (((0, "unknown identifier"),), True, 0, len(ASKED), False),
        (((-9, "unknown module"),), False, 0, len(ASKED), None),
    ],
)
def test_only_what_lean_decided_counts(
    errors: tuple[tuple[int, str], ...],
    complete: bool,
    failed: int,
    undecided: int,
    passes: bool | None,
) -> None:
    done = said(files.reference(made()), *errors, complete=complete)
    assert (done.total("failed"), done.total("undecided")) == (failed, undecided)
    assert done.total("passed") == len(ASKED) - failed - undecided
    assert Result("x", done, None).passes is passes


def reads(sources: Sequence[str]) -> Iterator[Check]:
    """A Lean that knows what ``double`` is, and of its mutants what they are."""
    for source in sources:
        messages = list[Message]()
        code = source.split("@start code\n")[1].split("-- !")[0].strip()
        value = {"n + n": 4, "n - n": 0, "n * 2": 4, "n + 2": 4, "n * 3": 6}.get(code)
        if value is None:
            messages.append(Message("error", 3, 0, "unknown"))
        for number, line in enumerate(source.splitlines(), 1):
            if line.startswith("#guard double") and f"== ({value} " not in line:
                text = "unknown constant" if value is None else FALSE
                messages.append(Message("error", number, 0, text))
            if line.startswith("#guard decide (double_postcond"):
                messages.append(Message("error", number, 0, "failed to synthesize"))
        yield Check(messages, complete=True, uses_sorry="sorry" in source)


def test_references_and_mutants_are_judged() -> None:
    (good,) = check([made()], reads)
    assert good.passes
    assert good.proof is True
    assert [(one.change, fate) for one, fate in good.mutants] == [("+ → -", "caught")]
    (blind,) = check([made("n * 2")], reads)
    assert [(one.change, fate) for one, fate in blind.mutants] == [
        ("* → +", "survived"),
        ("2 → 3", "caught"),
    ]
    (bad,) = check([made("n - n")], reads)
    assert bad.passes is False
    assert bad.reference.failures == ("#guard double (2) (by sorry) == (4 : Nat)",)
    (unknown,) = check([made("m + n")], reads, most=0)
    assert unknown.passes is False
    assert unknown.reference.said == "unknown"
    assert unknown.proof is False
    assert unknown.mutants == ()

    def dead(sources: Sequence[str]) -> list[Check]:
        return [Check(limit="seconds") for _ in sources]

    (nothing,) = check([made()], dead)
    assert nothing.passes is None
    assert nothing.proof is None
    assert [fate for _, fate in nothing.mutants] == ["undecided"]


def test_a_proof_with_sorry_is_none() -> None:
    done = check([made()], one_by_one(lambda source: Check(complete=True, uses_sorry=True)))
    assert next(iter(done)).proof is False


def test_the_draw_is_the_same_each_time() -> None:
    task = max(TASKS, key=lambda one: len([*mutants(one)]))
    drawn = [
        [mutant.change for mutant, _ in next(check([task], none, most=2, seed=seed)).mutants]
        for seed in (0, 0, 1, 2, 3, 4)
    ]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 2
    assert len({tuple(one) for one in drawn}) > 1


def none(sources: Sequence[str]) -> list[Check]:
    return [Check(complete=True) for _ in sources]


def test_the_tables() -> None:
    counts = Counts()
    for one in check([made(), made("n * 2"), made("m + n")], reads):
        counts.add(one)
    references, proofs, results, wrong, *_, refused = counts.tests_table()
    assert references == {"what": "references", "passed": "2", "failed": "1", "undecided": "0"}
    assert (proofs["passed"], proofs["failed"]) == ("2", "1")
    assert (results["passed"], results["undecided"]) == ("2", "1")
    assert (wrong["passed"], wrong["undecided"]) == ("4", "2")
    assert (refused["passed"], refused["undecided"]) == ("2", "1")
    assert not counts.good
    arithmetic, number, every = counts.mutants_table()
    assert arithmetic["mutants"] == "arithmetic"
    assert every == {
        "mutants": "all",
        "made": "4",
        "caught": "2",
        "survived": "1",
        "does not compile": "1",
        "undecided": "0",
        "caught of those decided": "66.7%",
    }
    assert number["made"] == "1"


def test_no_mutants_no_share() -> None:
    counts = Counts()
    counts.add(next(check([made()], reads, most=0)))
    assert counts.good
    (only,) = counts.mutants_table()
    assert (only["made"], only["caught of those decided"]) == ("0", "–")
