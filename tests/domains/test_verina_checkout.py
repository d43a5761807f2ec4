"""Verina's tasks, read from a checkout's folders and from rows; values by their types."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains.verina import checkout, values
from agentflow.domains.verina.values import Unread, read_type
from agentflow.errors import BadInput

SAMPLE = Path(__file__).parent.parent / "data" / "verina" / "sample.jsonl"
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()
]
CHECKOUT = os.environ.get("AGENTFLOW_VERINA", "")
"""A whole checkout of Verina, which is read where it is named."""


def folders(root: Path, rows: list[dict[str, Any]]) -> Path:
    """The rows as a checkout keeps them."""
    for row in rows:
        folder = root / "datasets" / "verina" / row["id"]
        folder.mkdir(parents=True)
        files = {"description.txt": row["description"], "task.lean": row["lean"]}
        files["test.json"] = json.dumps(row["tests"])
        files["reject_inputs.json"] = json.dumps(row["reject_inputs"])
        task = {key: row[key] for key in ("id", "signature", "specification", "metadata")}
        task |= {"lean_file": "./task.lean", "test_file": "./test.json"}
        files["task.json"] = json.dumps(task)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    return root


def test_folders_and_rows_are_the_same_tasks(tmp_path: Path) -> None:
    found = checkout.tasks(folders(tmp_path, ROWS))
    assert found == checkout.tasks(tmp_path / "datasets" / "verina")
    assert sorted(found, key=lambda one: one.id) == sorted(
        checkout.tasks(SAMPLE), key=lambda one: one.id
    )
    assert [one.not_understood for one in found] == [()] * 4
    for one, row in zip(found, sorted(ROWS, key=lambda row: row["id"]), strict=True):
        assert one.head.name == row["signature"]["name"]
        assert len(one.cases) == len(row["tests"])
        assert [len(case.unexpected) for case in one.cases] == [
            len(test["unexpected"]) for test in row["tests"]
        ]
        assert len(one.rejects) == len(row["reject_inputs"])
        assert f"@start code\n{one.text('code')}" in one.lean
        assert one.assumes


@pytest.mark.skipif(not CHECKOUT, reason="AGENTFLOW_VERINA names no checkout")
def test_every_task_of_verina_is_understood() -> None:
    found = checkout.tasks(Path(CHECKOUT))
    assert len(found) == 189
    assert {one.id: one.not_understood for one in found if one.not_understood} == {}
    assert sum(len(one.cases) for one in found) == 1114
    assert sum(one.proved for one in found) == 46


def changed(lean: tuple[str, str] | None = None, **fields: Any) -> checkout.Task:
    """The first row with another text in its Lean, or other fields."""
    row = copy.deepcopy(ROWS[0]) | fields
    if lean is not None:
        assert lean[0] in row["lean"]
        row["lean"] = row["lean"].replace(*lean, 1)
    return checkout.read(row)


NAME = ROWS[0]["signature"]["name"]
FIRST = ROWS[0]["tests"][0]


@pytest.mark.parametrize(
    ("lean", "says"),
    [
        (("-- !benchmark @end code\n", ""), "begins inside of another"),
        (("@end code\n", "@end precond\n"), "ends where it did not begin"),
        (("@start solution_aux", "@start news"), "unknown section news"),
        (("type=solution", "type=other"), "imports of type=other"),
        (("type=solution\n", "type=solution\nopen Nat\n"), "the import 'open Nat'"),
        ((f"def {NAME} ", f"def other{NAME} "), "not those of the signature"),
        ((" : Prop", " : Bool"), "not those of the signature"),
        ((f"theorem {NAME}", f"axiom hidden : False\ntheorem {NAME}"), "not those of the"),
        (("-- !benchmark @start code\n", "-- !benchmark @start code\n/- "), "cannot be read"),
        (("-- !benchmark @end proof\n", ""), "a section has no end"),
        (("-- !benchmark @start code\n", "-- !benchmark  @start code\n"), "another form"),
    ],
)
def test_a_file_of_another_form_is_not_understood(lean: tuple[str, str], says: str) -> None:
    assert says in "; ".join(changed(lean).not_understood)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"tests": []}, "there are no tests"),
        ({"tests": None}, "there are no tests"),
        ({"tests": [1]}, "test 0 is no input"),
        ({"tests": [FIRST | {"more": 1}]}, "test 0 is no input"),
        ({"tests": [FIRST | {"input": {}}]}, "the inputs are not"),
        ({"tests": [FIRST | {"expected": {}}]}, "test 0: "),
        ({"tests": [FIRST | {"unexpected": "x"}]}, "unexpected is no list"),
        ({"tests": [FIRST | {"unexpected": [FIRST["expected"]]}]}, "expected and unexpected"),
        ({"reject_inputs": {}}, "no list"),
        ({"reject_inputs": [{"input": {"x": 1}}]}, "input 0 to reject"),
        ({"reject_inputs": [{"inputs": {}}]}, "input 0 to reject"),
    ],
)
def test_tests_of_another_form_are_not_understood(fields: dict[str, Any], says: str) -> None:
    assert says in "; ".join(changed(**fields).not_understood)


def test_what_is_no_checkout_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"give the path of a checkout"):
        checkout.tasks(tmp_path / "nowhere")
    with pytest.raises(BadInput, match=r"no task.json"):
        checkout.tasks(tmp_path)
    root = folders(tmp_path, ROWS[:1])
    folder = root / "datasets" / "verina" / ROWS[0]["id"]
    (folder / "test.json").write_text("[")
    with pytest.raises(BadInput, match=r"test\.json is no JSON"):
        checkout.tasks(root)
    (folder / "test.json").unlink()
    with pytest.raises(BadInput, match=r"test\.json cannot be read"):
        checkout.tasks(root)
    (folder / "task.json").write_text('{"id": "x", "test_file": "../other.json"}')
    with pytest.raises(BadInput, match=r"names '../other.json'"):
        checkout.tasks(root)
    (folder / "task.json").write_text("[]")
    with pytest.raises(BadInput, match="is no task"):
        checkout.tasks(root)
    with pytest.raises(BadInput, match="no text of Lean"):
        checkout.read({"id": "x"})


def term(kind: str, given: Any) -> str:
    return values.read(read_type(kind), given).term


@pytest.mark.parametrize(
    ("kind", "given", "wanted"),
    [
        ("Int", -5, "-5"),
        ("Int", "-5", "-5"),
        ("Nat", "7", "7"),
        ("UInt8", 255, "255"),
        ("Float", 0.5, "0.5"),
        ("Float", "Float.nan", "Float.nan"),
        ("Bool", True, "true"),
        ("Bool", "false", "false"),
        ("Char", "x", "'x'"),
        ("Char", "'", "'\\''"),
        ("String", "5", '"5"'),
        ("String", 'a"\\\n', '"a\\"\\\\\\n"'),
        ("List Int", [], "[]"),
        ("List Int", [1, -2], "[1, -2]"),
        ("List (Int)", "[1,-2]", "[1, -2]"),
        ("Array Int", "#[1, 2]", "#[1, 2]"),
        ("Array Char", "#['a','\\'']", "#['a', '\\'']"),
        ("List String", '["a, b", "]"]', '["a, b", "]"]'),
        ("List (List Nat)", "[[], [1]]", "[[], [1]]"),
        ("Option Nat", "none", "none"),
        ("Option Nat", "some 2", "some (2)"),
        ("Option Char", "some ('A')", "some ('A')"),
        ("Option (Nat × Nat)", "some (1, 2)", "some ((1, 2))"),
        ("(Int × Int)", "(1, -2)", "(1, -2)"),
        ("Int × Nat × Bool", "(1, 2, true)", "(1, (2, true))"),
        ("List (Prod Int Int)", "[(1, 2)]", "[(1, 2)]"),
        ("Map Int Int", "⟨[(1, 2)]⟩", "⟨[(1, 2)]⟩"),
        ("Int -> Bool", "fun x => x > 5", "fun x => x > 5"),
    ],
)
def test_values_are_read_by_their_types(kind: str, given: Any, wanted: str) -> None:
    assert term(kind, given) == wanted


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("Int", True),
        ("Int", 1.5),
        ("Int", "1 2"),
        ("Int", "one"),
        ("Int", None),
        ("Int", "sorry"),
        ("Nat", -1),
        ("UInt8", 256),
        ("Float", float("inf")),
        ("Bool", 1),
        ("Bool", "truely"),
        ("Char", "xy"),
        ("Char", ""),
        ("List Int", "#[1]"),
        ("List Int", "[1"),
        ("List Int", "[1,]"),
        ("List Int", "[1] ++ []"),
        ("List Int", [1.5]),
        ("List", "[1]"),
        ("Array Int", "[1]"),
        ("Int × Int", "(1, 2, 3)"),
        ("Int × Int", "(1, 2"),
        ("Option Int", "5"),
        ("Option Int", "someone"),
        ("List Char", '["a"]'),
        ("Map Int Int", "⟨[(1, 2)]"),
        ("Map Int Int", "⟨sorry⟩"),
        ("Map Int Int", "⟨[]⟩ -- more"),
        ("Int -> Bool", "fun x => (x > 5]"),
        ("Int", "9" * 20_000),
        ("List Int", "[" * 50),
    ],
)
def test_a_value_of_another_form_is_not_read(kind: str, given: Any) -> None:
    with pytest.raises(Unread):
        term(kind, given)


@pytest.mark.parametrize("text", ["", "Int ×", "(Int", "List )", "5", "Int Int)", "(" * 200, "→"])
def test_a_type_of_another_form_is_not_read(text: str) -> None:
    with pytest.raises(Unread):
        read_type(text)


_KINDS = st.recursive(
    st.sampled_from(["Int", "Nat", "UInt8", "Bool", "Char", "String"]),
    lambda inner: st.one_of(
        inner.map("List ({})".format),
        inner.map("Array ({})".format),
        inner.map("Option ({})".format),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) × ({pair[1]})"),
    ),
    max_leaves=4,
)


def datum(kind: values.Type) -> st.SearchStrategy[Any]:
    match kind.head:
        case "Bool":
            return st.booleans()
        case "Char":
            return st.characters(codec="utf-8")
        case "String":
            return st.text(max_size=4)
        case "List" | "Array":
            return st.lists(datum(kind.of[0]), max_size=3)
        case "Option":
            return st.just(("none",)) | st.tuples(st.just("some"), datum(kind.of[0]))
        case "Prod":
            return st.tuples(datum(kind.of[0]), datum(kind.of[1]))
    return st.integers(-300 if kind.head == "Int" else 0, 255)


@given(st.data())
def test_another_value_is_of_the_type_and_is_another(data: st.DataObject) -> None:
    kind = read_type(data.draw(_KINDS))
    one = values._written(kind, data.draw(datum(kind)))
    found = values.other(kind, one)
    if found is not None:
        assert found.data != one.data
        assert found.term != one.term


@given(st.lists(st.sampled_from([*"[](),#⟨⟩'\"\\ -19.x", "some", "none", "true", "fun", "=>"])))
def test_any_value_is_read_or_refused(pieces: list[str]) -> None:
    text = "".join(pieces)
    for kind in ("Int", "List (Option Char)", "Array String × Float", "Map Int Int", "Bool"):
        try:
            found = values.read(read_type(kind), text)
        except Unread:
            continue
        assert "\n" not in found.term
        if not found.opaque:
            assert values.read(read_type(kind), found.term) == found


@given(st.text(max_size=40), st.integers(0, 2000), st.integers(0, 40))
def test_any_file_is_read_or_not_understood(text: str, place: int, cut: int) -> None:
    row = ROWS[0] | {"lean": ROWS[0]["lean"][:place] + text + ROWS[0]["lean"][place + cut :]}
    found = checkout.read(row)
    assert found.not_understood or found.cases


@pytest.mark.parametrize("piece", ["[", "(1, ", "-- !benchmark @start code\n", "/-", "x "])
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    def attempt(size: int) -> None:
        checkout.read(ROWS[0] | {"lean": piece * size})

    is_linear(attempt)
