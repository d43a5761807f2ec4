"""Data sets of the hub, by a stand-in for huggingface_hub that has samples of them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.evaluation import datasets, hub, solutions
from agentflow.generators import generate
from agentflow.version import install

DATA = Path(__file__).parent.parent / "data"
Row = dict[str, Any]


def sample(path: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / path).read_text(encoding="utf-8").splitlines()]


def spatial(task: str, domain: str) -> list[Row]:
    """Generated problems in SpatialEval's fields, and a row of another task."""
    rows = [
        {"id": f"{task}.tqa.{n}", "text": problem.text, "oracle_option": problem.gold}
        for n, problem in enumerate(generate(domain, 3, 0))
    ]
    return [*rows, {"id": "spatialgrid.tqa.0", "text": "A grid.", "oracle_option": "A"}]


def verina() -> list[Row]:
    """As on the hub: the file's text is called ``lean_code``."""
    rows = sample("verina/sample.jsonl")
    return [
        {key: row[key] for key in ("id", "description", "signature")} | {"lean_code": row["lean"]}
        for row in rows
    ]


GPQA = [
    {"Question": f"What is {n}?", "Correct Answer": f"right {n}", "Record ID": f"rec{n}"}
    | {f"Incorrect Answer {k}": f"wrong {k}\n" for k in (1, 2, 3)}
    for n in range(8)
]
PROVERQA = [
    {
        "id": 0,
        "options": ["A) True", "B) False", "C) Uncertain"],
        "answer": "B",
        "question": "Based on the above information, is the following statement true, false, or "
        "uncertain? Dana is not kind.",
        "reasoning": "fact1: Dana is kind.",
        "context": "Dana is kind. Everyone who is kind is tall.",
        "nl2fol": {},
        "conclusion_fol": "not_kind(Dana)",
    }
]
AIME = [{"id": 7, "problem": "What is $2^5 + 1$?", "answer": "033", "url": "", "question": ""}]
AMC = [{"id": 0, "problem": "What is 6 times 7?", "answer": 42.0, "url": ""}]
CNMO = [{"question": "Find the largest $n$ with $n^2 < 50$.", "answer": "$7$", "question_type": ""}]
GAME24 = [
    {"numbers": [4, 7, 8, 8], "solutions": ["(7-8/8)*4"], "solvable": True},
    {"numbers": [1, 6, 8, 12], "solutions": ["6*8/(12/1)"], "solvable": True},
]
MATH = [
    {
        "problem": f"What is {n} + {n}?",
        "level": f"Level {1 + n % 3}",
        "type": "Algebra" if n % 2 else "Geometry",
        "solution": f"It is $\\boxed{{{2 * n}}}$.",
    }
    for n in range(12)
]
OLYMPIAD = [
    {
        "id": 1606,
        "question": "Solve $x - 1 = 1$.",
        "final_answer": ["$2$"],
        "is_multiple_answer": False,
        "subfield": "Algebra",
    }
]
AMO = [{"question_id": 1, "prompt": "What is 1 + 1?", "answer": "\\boxed{2}", "answer_type": "n"}]
REWILD = [{"input": "Which hold?\n1. a\n2. b", "label": "1", "src": "test", "dataset": "hybrid"}]
ROWS: dict[str, Callable[[], list[Row]]] = {
    "spatialeval-maze": lambda: spatial("mazenav", "maze"),
    "spatialeval-map": lambda: spatial("spatialmap", "spatialmap"),
    "math500": lambda: sample("math500/sample.jsonl"),
    "game24-all": lambda: GAME24,
    "math": lambda: MATH,
    "aime24": lambda: AIME,
    "aime25": lambda: AIME,
    "amc": lambda: AMC,
    "cnmo24": lambda: CNMO,
    "olympiadbench": lambda: OLYMPIAD,
    "amo-bench": lambda: AMO,
    "gsm8k": lambda: sample("gsm8k/problems_sample.jsonl"),
    "gpqa-diamond": lambda: GPQA,
    "gpqa-open": lambda: GPQA,
    "folio": lambda: sample("folio/sample.jsonl"),
    "folio-formulas": lambda: sample("folio/sample.jsonl"),
    "proverqa-easy": lambda: PROVERQA,
    "proverqa-medium": lambda: PROVERQA,
    "proverqa-hard": lambda: PROVERQA,
    "strategyqa": lambda: sample("strategyqa/sample.jsonl"),
    "hotpotqa": lambda: sample("hotpotqa/questions_sample.jsonl"),
    "rewild": lambda: REWILD,
    "verina-code": verina,
    "verina-spec": verina,
    "bfcl": lambda: sample("bfcl/sample.jsonl"),
    "bfcl-multiple": lambda: sample("bfcl/sample.jsonl"),
}


def write(rows: list[Row], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".json" and "ReWild" in str(path):  # a list; BFCL's has lines
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".csv":
        pyarrow.csv.write_csv(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".parquet":
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[hub.Source, list[Row]], None]:
    """Puts rows where the hub has a data set."""

    def snapshot_download(
        repo: str, *, repo_type: str, revision: str, allow_patterns: list[str]
    ) -> str:
        assert repo_type == "dataset"
        assert len(allow_patterns) == 1
        folder = tmp_path / repo / revision
        if not folder.is_dir():
            raise ConnectionError(f"404\nno {repo}")
        return str(folder)

    module = ModuleType("huggingface_hub")
    module.snapshot_download = snapshot_download  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)

    def put(source: hub.Source, rows: list[Row]) -> None:
        folder = tmp_path / source.repo / source.revision
        if source.answers:  # as on the hub: in a file of their own
            gold = [{key: row[key] for key in ("id", "ground_truth")} for row in rows]
            write(gold, folder / source.answers)
            rows = [{key: row[key] for key in row if key != "ground_truth"} for row in rows]
        write(rows, folder / source.files.replace("*", "0000"))

    return put


Put = Callable[[hub.Source, list[Row]], None]


def test_every_data_set_has_a_sample() -> None:
    assert ROWS.keys() == hub.SOURCES.keys()
    assert {s.domain for s in hub.SOURCES.values()} <= set(domains.names())


@pytest.mark.parametrize("name", ROWS)
def test_a_data_set_by_name(name: str, put: Put) -> None:
    source, rows = hub.SOURCES[name], ROWS[name]()
    put(source, rows)
    problems = datasets.load(name)
    assert len(problems) == len(rows) - name.startswith("spatial")
    assert {problem.domain for problem in problems} == {source.domain}
    for problem in problems:
        domain = domains.get(problem.domain)
        if name == "game24-all":  # judged by all solutions there are
            continue
        assert problem.gold is not None
        assert domain.normalise(problem, problem.gold) is not None


def test_what_is_made_of_rows(put: Put) -> None:
    for name in ("gsm8k", "gpqa-diamond", "strategyqa", "verina-spec", "folio", "folio-formulas"):
        put(hub.SOURCES[name], ROWS[name]())
    gsm = datasets.load("gsm8k")
    assert [p.gold for p in gsm] == [
        row["answer"].split("#### ")[1] for row in sample("gsm8k/problems_sample.jsonl")
    ]
    gpqa = datasets.load("gpqa-diamond")
    for n, problem in enumerate(gpqa):
        assert f"\n{problem.gold}. right {n}\n" in problem.text
    assert len({problem.gold for problem in gpqa}) > 1
    assert {problem.gold for problem in datasets.load("strategyqa")} <= {"yes", "no"}
    spec = {problem.id: problem.gold for problem in datasets.load("verina-spec")}
    assert "[PRECOND]\n  n ≥ 2\n[/PRECOND]\n[POSTCOND]\n" in str(spec["verina_basic_28_spec"])
    assert all("∀" not in problem.text for problem in datasets.load("folio"))
    formal = ["premises-FOL" in problem.text for problem in datasets.load("folio-formulas")]
    assert (formal[0], formal[1]) == (True, False)  # the third row of FOLIO is malformed


def test_what_a_problem_is_of(put: Put) -> None:
    for name in ("math", "math500", "strategyqa", "proverqa-easy", "proverqa-hard", "amc"):
        put(hub.SOURCES[name], ROWS[name]())
    about = [(p.data["type"], p.data["difficulty"]) for p in datasets.load("math")]
    assert about[:2] == [("Geometry", "1"), ("Algebra", "2")]
    first = datasets.load("math500")[0].data
    assert (first["type"], first["difficulty"]) == ("Prealgebra", "5")
    assert datasets.load("amc")[0].gold == "42"
    both = datasets.load("proverqa-easy+proverqa-hard")
    assert [problem.data["type"] for problem in both] == ["easy", "hard"]


def test_subsets_are_seeded_nested_and_as_many_of_each_kind(put: Put) -> None:
    put(hub.SOURCES["math"], ROWS["math"]())
    six = datasets.load("math?sample=6&by=type")
    assert [p.data["type"] for p in six].count("Algebra") == 3
    assert six == datasets.load("math?sample=6&by=type")
    assert six != datasets.load("math?sample=6&sample_seed=1&by=type")
    four = datasets.load("math?sample=4&by=type")
    assert {p.text for p in four} < {p.text for p in six}
    assert len(datasets.load("math?sample=500")) == 12
    with pytest.raises(BadInput, match="by=subject: the data set says of no problem"):
        datasets.load("math?sample=4&by=subject")
    with pytest.raises(BadInput, match="a sample of 0 problems"):
        datasets.load("math?sample=0")


def test_answers_in_a_file_of_their_own(put: Put) -> None:
    put(hub.SOURCES["bfcl"], ROWS["bfcl"]())
    first, *_ = datasets.load("bfcl")
    assert json.loads(str(first.gold)) == ROWS["bfcl"]()[0]["ground_truth"]


def test_numbers_in_a_list_are_a_puzzle(put: Put) -> None:
    put(hub.Source("me/mine", "game24", lambda row: row), GAME24)
    texts = [problem.text for problem in datasets.load("hub:me/mine?text=numbers")]
    assert texts == ["4 7 8 8", "1 6 8 12"]


def test_any_repository_with_its_fields_named(put: Put) -> None:
    source = hub.Source("me/mine", "game24", lambda row: row)
    put(source, [{"q": "4 7 8 8", "n": 3}, {"q": "1 6 8 12", "n": 4}])
    problems = datasets.load("hub:me/mine?text=q&id=n")
    assert [(p.text, p.id) for p in problems] == [("4 7 8 8", "3"), ("1 6 8 12", "4")]
    with pytest.raises(BadInput, match=r"me/mine, row 1: no field x; there are: q, n; row 2"):
        datasets.load("hub:me/mine?text=x")
    with pytest.raises(BadInput, match=r"me/mine has no file other\.csv at refs/convert/parquet"):
        datasets.load("hub:me/mine?text=q&files=other.csv")


def test_files_in_several_pieces(put: Put) -> None:
    for piece, rows in (("0000", [{"text": "4 7 8 8"}]), ("0001", [{"text": "1 6 8 12"}])):
        put(hub.Source("me/mine", "game24", lambda row: row, f"default/test/{piece}.parquet"), rows)
    assert [(p.text, p.id) for p in datasets.load("hub:me/mine")] == [
        ("4 7 8 8", "1.1"),
        ("1 6 8 12", "2.1"),
    ]
    put(
        hub.Source("me/mine", "game24", lambda row: row, "default/test/0002.parquet"),
        [{"text": "4"}],
    )
    skipped: list[str] = []
    assert len(datasets.load("hub:me/mine", skipped=skipped.append)) == 2
    (why,) = skipped
    assert why.startswith("file 3, row 1: game24: needs four numbers")


def test_a_piece_that_is_no_list_is_more_than_a_bad_row(put: Put, tmp_path: Path) -> None:
    source = hub.Source("me/mine", "game24", lambda row: row, "a.json", "main")
    put(source, [{"text": "4 7 8 8"}])
    (tmp_path / "me/mine/main/b.json").write_text("[")
    with pytest.raises(BadInput, match=r"b\.json, the file: not JSON"):
        datasets.load("hub:me/mine?files=*.json&revision=main")


@pytest.mark.parametrize("name", ROWS)
def test_no_value_of_one_field_refuses_the_other_rows(
    name: str, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each field of a further row in turn is missing, null, or of another type."""
    source, rows = hub.SOURCES[name], ROWS[name]()
    put(source, rows)
    whole = datasets.load(name)
    for field in rows[0]:
        for value in ("missing", None, 7, ["x"], {"y": [None]}, ""):
            last = {key: part for key, part in rows[0].items() if key != field}
            if value != "missing":
                last[field] = value
            found = [(f"row {n}", row) for n, row in enumerate([*rows, last], 1)]
            monkeypatch.setattr(datasets.tables, "read", lambda path, told, found=found: found)
            skipped: list[str] = []
            problems = datasets.load(name, skipped=skipped.append)
            assert problems[: len(whole)] == whole
            assert len(problems) + len(skipped) <= len(whole) + 1


def test_golds_that_a_row_does_not_say(put: Put) -> None:
    gsm = sample("gsm8k/problems_sample.jsonl")
    put(hub.SOURCES["gsm8k"], [*gsm, {"question": "What is 1 + 1?", "answer": "2"}])
    skipped: list[str] = []
    assert len(datasets.load("gsm8k", skipped=skipped.append)) == len(gsm)
    assert skipped == [f"row {len(gsm) + 1}: no #### in the answer"]
    rows = sample("strategyqa/sample.jsonl")
    put(hub.SOURCES["strategyqa"], [*rows, {"qid": "new", "question": "Is it?", "answer": None}])
    skipped.clear()
    assert len(datasets.load("strategyqa", skipped=skipped.append)) == len(rows)
    assert skipped == [f"row {len(rows) + 1}: the answer 'none' is neither true nor false"]


def test_solutions_with_labelled_steps(put: Put) -> None:
    rows = [r for r in sample("processbench/sample.jsonl") if r["id"].startswith("gsm8k")]
    put(hub.STEPS["processbench-gsm8k"], rows)
    samples = solutions.load_labelled([Path("processbench-gsm8k")])
    assert [(s.problem.id, s.label) for s in samples] == [(r["id"], r["label"]) for r in rows]


def test_what_cannot_be_had(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"openai/gsm8k cannot be had .*ConnectionError: 404 no "):
        datasets.load("gsm8k")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(BadInput, match=re.escape(f"needs {install('hub')}")):
        datasets.load("gsm8k")
