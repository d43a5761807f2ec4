"""Datasets: what a file may hold, and how a line that is no problem is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from agentflow.errors import BadInput
from agentflow.evaluation.datasets import held_out, load
from agentflow.generators import GENERATORS, generate


def test_the_bundled_puzzles() -> None:
    problems = load("game24", "game24")
    assert [problem.text for problem in problems] == held_out()
    assert problems[0].data["numbers"]


def test_a_file_of_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(
        '{"text": "4 7 8 8"}\n\n{"problem": "1 6 8 12", "id": 7, "answer": "(12-8)*6*1"}\n'
        '{"question": "2 2 2 11", "note": "a\u2028b"}',
    )
    first, second, third = load(str(file), "game24")
    assert (first.text, first.id, first.gold) == ("4 7 8 8", "1", None)
    assert (second.text, second.id, second.gold) == ("1 6 8 12", "7", "(12-8)*6*1")
    assert third.text == "2 2 2 11"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "an empty file"),
        ("\n\n", "an empty file"),
        ("\nx\n", "line 2: Expecting value"),
        ("[1]\n", "line 1: not a JSON object"),
        (
            '{"id": 3}\n',
            "line 1: none of the fields text, problem, question is there; there are: id",
        ),
        ('{"text": "4 7"}\n', "line 1: game24: needs four numbers"),
    ],
)
def test_what_is_no_dataset(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "p.jsonl").write_text(content)
    with pytest.raises(BadInput, match=says):
        load(str(tmp_path / "p.jsonl"), "game24")


def test_a_missing_file_and_an_unknown_domain(tmp_path: Path) -> None:
    with pytest.raises(
        BadInput, match=r"no dataset: there is no such file and no such name; known: game24, "
    ):
        load(str(tmp_path / "none"), "game24")
    with pytest.raises(BadInput, match="unknown domain"):
        load("game24", "nope")


def test_rows_that_are_no_problems_are_skipped_and_named(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(
        'x\n{"text": "4 7 8 8", "id": 1}\n{"text": " "}\n{"text": "1 6 8 12", "id": 1}\n'
        '{"text": "4 7 8 8", "id": 9}\n{"text": "1 6 8 12"}\n'
    )
    skipped: list[str] = []
    problems = load(str(file), skipped=skipped.append)
    assert [(p.text, p.id) for p in problems] == [("4 7 8 8", "1"), ("1 6 8 12", "6")]
    assert skipped == [
        "line 1: Expecting value: line 1 column 1 (char 0)",
        "line 3: it has no text",
        "line 4: the id '1' was there before",
        "line 5: the same problem as '1'",
    ]


def test_a_set_of_which_no_row_can_be_used_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text('x\n{"text": " "}\n')
    with pytest.raises(BadInput) as caught:
        load(str(file))
    assert str(caught.value) == (
        f"{file}, line 1: Expecting value: line 1 column 1 (char 0); line 2: it has no text"
    )
    file.write_text("x\n" * 25)
    with pytest.raises(BadInput, match=r"line 10: [^;]*; and 15 more$"):
        load(str(file))


ROWS = [{"puzzle": "4 7 8 8", "number": 1}, {"puzzle": "1 6 8 12", "number": 2}]


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.json", "p.jsonl", "lines.json", "p.txt"])
def test_kinds_of_files_and_fields_by_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    if file.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), file)
    elif file.suffix == ".csv":
        file.write_text("\ufeffpuzzle,number\n4 7 8 8,1\n\n1 6 8 12,2\n", encoding="utf-8")
    elif name == "p.json":
        file.write_text(json.dumps(ROWS))
    else:
        file.write_text("".join(json.dumps(row) + "\r\n" for row in ROWS), encoding="utf-8-sig")
    problems = load(f"{file}?text=puzzle&id=number")
    assert [(problem.text, problem.id) for problem in problems] == [
        ("4 7 8 8", "1"),
        ("1 6 8 12", "2"),
    ]


GOOD = {"text": "What is 2 + 2?", "gold": "4"}


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (3, "not a JSON object"),
        ({"gold": "4"}, "none of the fields text, problem, question"),
        ({"text": None, "gold": "4"}, "question is there; there are: gold"),
        ({"text": "", "gold": "4"}, "it has no text"),
        ({"text": "What is 3 + 3?"}, "it has no gold answer"),
        ({"text": "What is 3 + 3?", "gold": None}, "it has no gold answer"),
        ({"text": "What is 3 + 3?", "gold": ""}, "is no answer to it"),
        ({"text": "What is 3 + 3?", "gold": "I do not know."}, "is no answer to it"),
        ({"text": "What is 3 + 3?", "gold": ["6"]}, "the gold answer is a list"),
        ({"text": "What is 3 + 3?", "gold": "6", "options": ["1", "2"]}, "none of the options"),
        ({"text": "What is \ud800?", "gold": "6"}, "surrogates not allowed"),
        ({"text": "What is 3 + 3?", "gold": "6", "id": "\udfff"}, "surrogates not allowed"),
        ({"text": "What is 3 + 3?", "gold": "6", "type": "\udfff"}, "surrogates not allowed"),
        (GOOD, "the same problem as '1'"),
    ],
)
@pytest.mark.parametrize("name", ["p.json", "p.jsonl"])
def test_one_bad_row_does_not_refuse_the_others(
    tmp_path: Path, name: str, bad: object, says: str
) -> None:
    rows = [GOOD, bad, GOOD | {"text": "What is 1 + 3?"}]
    listed = name == "p.json"
    (tmp_path / name).write_text(
        json.dumps(rows) if listed else "".join(json.dumps(row) + "\n" for row in rows)
    )
    skipped: list[str] = []
    assert [p.id for p in load(str(tmp_path / name), "math", skipped.append)] == ["1", "3"]
    (why,) = skipped
    assert why.startswith(f"{'row' if listed else 'line'} 2: ")
    assert says in why


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"1 6 8", "game24: needs four numbers"),
        (b"1 6 8 12,(12-8)*6*1,3", "more cells than the 2 fields"),
        (b"1 6 8 \x00", "NUL"),
        (b"1 6 8 \xff", "not UTF-8 text: byte 7 is 0xff"),
        (b"1 6 8 12," + b"1" * 200_000, "no row of a table (field larger"),
        (b"1 6 8 12,why", "is no answer to it"),
    ],
)
def test_one_bad_line_of_csv_does_not_refuse_the_others(
    tmp_path: Path, line: bytes, says: str
) -> None:
    file = tmp_path / "p.csv"
    file.write_bytes(b'text,gold\n4 7 8 8,"(7-8/8)*4"\n' + line + b"\n2 2 2 11,(11+2/2)*2\n")
    skipped: list[str] = []
    assert [p.id for p in load(str(file), skipped=skipped.append)] == ["2", "4"]
    (why,) = skipped
    assert why.startswith("line 3: ")
    assert says in why


def test_a_quote_of_csv_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    """Where the next row begins is not known."""
    file = tmp_path / "p.csv"
    file.write_text('text\n4 7 8 8\n"1 6 8 12\n' + "2 2 2 11\n" * 20_000)
    with pytest.raises(BadInput, match=r"p\.csv, line 3: no row of a table"):
        load(str(file))


def test_one_bad_row_of_parquet_does_not_refuse_the_others(tmp_path: Path) -> None:
    file = tmp_path / "p.parquet"
    texts = [b"4 7 8 8", b"1 6 8 \xff", None, b"1 6", b"2 2 2 11"]
    raw = pyarrow.array(texts, pyarrow.binary())
    column = pyarrow.Array.from_buffers(pyarrow.string(), len(raw), raw.buffers())
    pyarrow.parquet.write_table(pyarrow.table({"text": column}), file)
    skipped: list[str] = []
    assert [p.id for p in load(str(file), skipped=skipped.append)] == ["1", "5"]
    for why, (place, says) in zip(
        skipped,
        [("row 2: ", "0xff"), ("row 3: ", "none of the fields"), ("row 4: ", "four numbers")],
        strict=True,
    ):
        assert why.startswith(place)
        assert says in why


def test_a_field_that_is_null_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    rows = [{"q": None, "a": "4"}, {"q": "What is 2 + 2?", "a": "4"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    skipped: list[str] = []
    (problem,) = load(f"{file}?text=q&gold=a", "math", skipped.append)
    assert (problem.id, skipped) == ("2", ["line 1: no text: q is null"])


def test_several_fields_make_a_json_object(tmp_path: Path) -> None:
    row = {
        "context": "Dana is kind.",
        "question": "Dana is kind.",
        "options": ["A) True"],
        "a": "A",
    }
    (tmp_path / "p.jsonl").write_text(json.dumps(row))
    (problem,) = load(f"{tmp_path / 'p.jsonl'}?text=context,question,options&gold=a", "logic")
    assert (problem.data["conclusion"], problem.gold) == ("Dana is kind.", "A")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("p.csv", "text\n4 7 8 8,1\n", "line 2: more cells than the 1 fields of line 1"),
        ("p.csv", "text\n", "an empty file"),
        ("p.csv", "puzzle;id\n4 7 8 8;a\n", "question is there; there are: puzzle;id"),
        ("p.parquet", "text", "no dataset: Parquet"),
        ("p.json", "[1]", "row 1: not a JSON object"),
        ("p.json", "[", "the file: not JSON"),
        ("p.jsonl", "[" * 100_000, "line 1: maximum recursion"),
        ("p.jsonl", '{"text": ["4 7 8 8"]}', 'line 1: game24: .\\["4'),
        ("p.jsonl", '{"text": "4 7 8 8", "gold": "why"}', "answer 'why' is no answer to it"),
    ],
)
def test_files_with_no_problems(tmp_path: Path, name: str, content: str, says: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=says):
        load(str(tmp_path / name))


@pytest.mark.parametrize(
    ("options", "gold", "fits"),
    [
        (["3", "4"], "4", True),
        (["A) 3", "B) 4"], "B", True),
        (["A. 3", "(B) 4"], "4", True),
        (["3", "4"], "5", False),
        (["3", "4"], "C", False),
    ],
)
def test_the_gold_answer_is_among_the_options(
    tmp_path: Path, options: list[str], gold: str, fits: bool
) -> None:
    row = {"text": "What is 2 + 2?", "options": options, "gold": gold}
    (tmp_path / "p.jsonl").write_text(json.dumps(row))
    if fits:
        assert load(str(tmp_path / "p.jsonl"), "math")[0].gold == gold
    else:
        with pytest.raises(BadInput, match=rf"line 1: the gold answer '{gold}' is none of the opt"):
            load(str(tmp_path / "p.jsonl"), "math")


@pytest.mark.parametrize("domain", GENERATORS)
def test_generated_problems_by_name(domain: str) -> None:
    problems = load(f"generate:{domain}?count=3&seed=5")
    assert problems == list(generate(domain, 3, 5))
    assert {problem.domain for problem in problems} == {domain}
    assert None not in {problem.gold for problem in problems}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("generate:nope", "no problems can be generated for domain 'nope'"),
        ("generate:maths", "did you mean math?"),
        ("gmae24", "did you mean game24?"),
        ("generate:math?count=x", "count and seed are whole numbers"),
        ("generate:math?count=0", "count is at least 1"),
        ("generate:math?n=3", r"what is n\? see"),
        ("{}?text=text&x=1", r"what is x\? see"),
        ("{}?gold=answer", "name the field of the text, too"),
    ],
)
def test_names_that_cannot_be_used(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "p.jsonl").write_text('{"text": "4 7 8 8"}')
    with pytest.raises(BadInput, match=says):
        load(name.format(tmp_path / "p.jsonl"))


def test_generated_problems_are_of_their_own_domain() -> None:
    with pytest.raises(BadInput, match="problems of math, not of the domain logic"):
        load("generate:math", "logic")


@pytest.mark.parametrize("gold", ["NaN", "1e400", "-Infinity"])
def test_a_gold_answer_that_is_no_number_is_none(tmp_path: Path, gold: str) -> None:
    file, skipped = tmp_path / "p.jsonl", list[str]()
    file.write_text(
        f'{{"text": "What is 5 + 5?", "gold": {gold}}}\n{{"text": "What is 6 + 5?", "gold": 11}}'
    )
    problems = load(str(file), "math", skipped=skipped.append)
    assert [one.gold for one in problems] == ["11"]
    assert len(skipped) == 1
    assert "the gold answer is no number" in skipped[0]


def test_a_table_with_a_field_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text("text,text,gold\nWhat is 2 + 3?,foo,5\n")
    with pytest.raises(BadInput, match="line 1: the field 'text' stands there twice"):
        load(str(file), "math")
