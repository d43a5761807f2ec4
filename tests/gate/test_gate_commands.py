"""`agentflow gate`: a policy is written, shown and certified from files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from agentflow import models
from agentflow.cli import app
from agentflow.errors import BadInput
from agentflow.gate.files import read_actions, read_tools
from agentflow.models import ScriptedModel

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "refund",
            "parameters": {
                "type": "object",
                "properties": {
                    "order": {"type": "string"},
                    "dollars": {"type": "integer", "minimum": 1},
                },
                "required": ["order", "dollars"],
            },
        },
    }
]
RULES = """\
[[rule]]
name = "own"
says = "only the customer's own orders"
tools = ["refund"]
code = '''
def check(state, tool, args):
    return args["order"] in state["orders"]
'''

[[rule]]
name = "limit"
says = "at most 100 dollars"
tools = ["refund"]
formula = "(<= dollars 100)"
facts = {dollars = "Int args.dollars"}
"""
STATE = {"orders": ["A1"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    (tmp_path / "rules.toml").write_text(RULES)
    (tmp_path / "policy.md").write_text("Refund own orders, up to 100 dollars.")
    lines = [("A1", 5, None), ("B1", 5, "own"), ("A1", 101, "limit")]
    actions = [
        {"state": STATE, "name": "refund", "args": {"order": order, "dollars": dollars}}
        | ({"breaks": breaks} if breaks else {})
        for order, dollars, breaks in lines
    ]
    (tmp_path / "actions.jsonl").write_text("\n".join(map(json.dumps, actions)))
    return tmp_path


def said(folder: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["gate", *(word.replace("@", f"{folder}/") for word in words)])
    return result.exit_code, result.output


def test_rules_are_shown(folder: Path) -> None:
    code, text = said(folder, "show", "@rules.toml", "--tools", "@tools.json")
    assert code == 0
    assert text.startswith("refund: own, limit\n\nown: only the customer's own orders\n")
    assert '    return args["order"] in state["orders"]' in text


def test_rules_are_certified(folder: Path) -> None:
    words = ("certify", "@rules.toml", "--tools", "@tools.json", "--actions", "@actions.jsonl")
    code, text = said(folder, *words)
    assert (code, text.splitlines()[-1]) == (0, "certified: refund")
    (folder / "rules.toml").write_text(RULES.replace("100)", "101)"))
    code, text = said(folder, *words)
    assert (code, text.splitlines()[-1]) == (1, "not certified: never allowed: refund")
    assert "missed: limit: line 3" in text
    code, text = said(folder, *words, "--json")
    assert json.loads(text)["certified"] == {"refund": False}
    (folder / "rules.toml").write_text("allow everything")
    code, text = said(folder, *words)
    assert (code, "rules.toml: " in text) == (2, True)


def test_rules_are_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter([f"```toml\n{RULES}```", "No.", "No."])

    async def connect(name: str) -> Any:
        return ScriptedModel(next(replies)) if name == "mine" else None

    monkeypatch.setattr(models, "connect", connect)
    words = ("compile", "@policy.md", "--tools", "@tools.json", "--out", "@new.toml", "--model")
    assert said(folder, *words, "mine")[0] == 0
    assert (folder / "new.toml").read_text() == RULES
    (folder / "new.toml").unlink()
    assert said(folder, *words, "mine")[0] == 1
    assert not (folder / "new.toml").exists()


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "string", "maxLength": 2}, ["ab"], ["abc", 1, None]),
        ({"type": "number"}, [1.5, 2], ["1", True]),
        ({"type": "boolean"}, [True], [1, "true"]),
        ({"enum": ["a", 1]}, ["a", 1], ["b", 2]),
        ({"type": "array", "items": {"type": "integer"}}, [[], [1]], [["1"], [True], "x"]),
        (
            {"type": "object", "properties": {"x": {"const": "y"}}, "required": ["x"]},
            [{"x": "y"}],
            [{}, {"x": "z"}, {"x": "y", "z": 1}],
        ),
    ],
)
def test_schemas(schema: Any, good: list[Any], bad: list[Any], tmp_path: Path) -> None:
    tool = {"name": "t", "parameters": {"type": "object", "properties": {"a": schema},
            "required": ["a"]}}  # fmt: skip
    (tmp_path / "t.json").write_text(json.dumps([tool]))
    model = read_tools(tmp_path / "t.json")["t"]
    for value in good:
        model.model_validate_json(json.dumps({"a": value}), strict=True, extra="forbid")
    for value in bad:
        with pytest.raises(ValidationError):
            model.model_validate_json(json.dumps({"a": value}), strict=True, extra="forbid")


@pytest.mark.parametrize(
    "text",
    ["{}", "[1]", "[", '[{"name": "a"}, {"name": "a"}]',
     '[{"name": "a", "parameters": {"type": "string"}}]',
     '[{"name": "a", "parameters": {"type": "object", "properties": {"x": {"$ref": "#"}}}}]',
     '[{"name": "a", "parameters": {"type": "object", "properties": {"x": {"not": {}}}}}]',
     '[{"name": "a", "parameters": {"type": "object", "allOf": []}}]',
     '[{"function": 5}]', '[{"name": "\\ud800"}]'],
)  # fmt: skip
def test_a_schema_that_is_not_understood(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(BadInput, match=r"t\.json"):
        read_tools(tmp_path / "t.json")


def test_only_a_newline_ends_an_action(tmp_path: Path) -> None:
    """JSON allows what else Python takes for the end of a line inside its texts."""
    texts = ["a\u2028b", "a\u0085b", "a\u2029b"]
    actions: list[Any] = [{"state": {}, "name": "t", "args": {"order": one}} for one in texts]
    (tmp_path / "a.jsonl").write_text(
        "\r\n".join(json.dumps(one, ensure_ascii=False) for one in actions), encoding="utf-8"
    )
    right, wrong = read_actions(tmp_path / "a.jsonl")
    assert [one.call.args["order"] for one in right] == texts
    assert not wrong


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"enum": [1, True, None, "a"]}, [1, True, None, "a"], [2, "b"]),
        ({"const": None}, [None], [1, ""]),
        ({"type": "integer", "minimum": 1.0}, [1], [0]),
        ({"type": "number", "minimum": 0.5}, [0.5], [0.4]),
        ({"type": "string", "minLength": 0}, [""], [1]),
        ({"enum": [1.5]}, [1.5], [1]),
        ({"type": ["string", "null"], "enum": ["a", None]}, ["a", None], ["b"]),
        ({"type": "integer", "exclusiveMinimum": 0, "maximum": 2}, [1, 2], [0, 3]),
    ],
)
def test_schemas_at_their_bounds(
    schema: Any, good: list[Any], bad: list[Any], tmp_path: Path
) -> None:
    tools = [{"name": "t", "parameters": {"type": "object", "properties": {"a": schema}}}]
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    model = read_tools(tmp_path / "tools.json")["t"]
    for value in good:
        assert model.model_validate({"a": value}, strict=True).model_dump() == {"a": value}
    for value in bad:
        with pytest.raises(ValidationError):
            model.model_validate({"a": value}, strict=True)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"required": 5}, "tool 1: its parameters are no plain object"),
        ({"required": [5]}, "tool 1: its parameters are no plain object"),
        ({"required": "a", "properties": {"a": {"type": "string"}}}, "tool 1: its parameters"),
        ({"required": ["b"], "properties": {"a": {"type": "string"}}}, "tool 1: its parameters"),
        ({"properties": {"a": {"type": "integer", "minimum": 1.5}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "number", "maximum": float("nan")}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "string", "minimum": 3}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "string", "enum": ["x", 1]}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "integer", "const": True}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "string", "minLength": "a"}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "string", "minLength": 1.5}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "string", "maxLength": -1}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "integer", "minimum": "1"}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "integer", "minimum": True}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": "integer", "minLength": 1}}}, "tool 1, a: "),
        ({"properties": {"a": {"enum": [{}]}}}, "tool 1, a: "),
        ({"properties": {"a": {"enum": ["x", [1]]}}}, "tool 1, a: "),
        ({"properties": {"a": {"const": [1]}}}, "tool 1, a: "),
        ({"properties": {"a": {"const": {}}}}, "tool 1, a: "),
        ({"properties": {"a": {"type": [], "enum": ["x"]}}}, "tool 1, a: "),
        ({"properties": {"_a": {"type": "string"}}}, "tool 1: "),
        ({"properties": {"model_config": {"type": "string"}}}, "tool 1: "),
        ({"properties": {"a": {"type": "array", "items": {"const": [1]}}}}, "tool 1, a: "),
    ],
)
def test_a_schema_that_cannot_be_used_is_named(parameters: Any, says: str, tmp_path: Path) -> None:
    tools = [{"name": "t", "parameters": {"type": "object", **parameters}}]
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    with pytest.raises(BadInput, match=says):
        read_tools(tmp_path / "tools.json")


@pytest.mark.parametrize("text", ["[" * 200_000, '[{"name": "t", "parameters": ' * 100_000])
def test_a_file_of_tools_that_is_too_deep(text: str, tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(text)
    with pytest.raises(BadInput, match=r"tools\.json: no JSON"):
        read_tools(tmp_path / "tools.json")


def test_schemas_within_schemas_without_end(tmp_path: Path) -> None:
    schema: Any = {"type": "string"}
    for _ in range(400):
        schema = {"type": "array", "items": schema}
    tools = [{"name": "t", "parameters": {"type": "object", "properties": {"a": schema}}}]
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    with pytest.raises(BadInput, match="tool 1: its parameters are nested too deep"):
        read_tools(tmp_path / "tools.json")


@pytest.mark.parametrize(
    "line", ["1", "{", '{"name": "a", "args": {}}', '{"state": {}, "name": "a", "args": []}',
             '{"state": {}, "name": "a", "args": {}, "break": "x"}']
)  # fmt: skip
def test_an_action_that_cannot_be_read(line: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("\n" + line)
    with pytest.raises(BadInput, match="line 2"):
        read_actions(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("rules.toml", "", "rules.toml: no rules; write a table [[rule]] for each"),
        ("rules.toml", "[[rule]]\nname = 'a'", "rules.toml: rule.0.says: Field required; rule.0."),
        ("rules.toml", "[[rule]]\nwhy = 1", "rule.0.why: no such setting"),
        ("tools.json", "[]", "tools.json: no tools"),
        ("actions.jsonl", "\n", "actions.jsonl: no actions"),
    ],
)
def test_what_is_empty_or_missing_is_said_in_one_line(
    file: str, text: str, said: str, folder: Path
) -> None:
    (folder / file).write_text(text)
    rules, tools = str(folder / "rules.toml"), str(folder / "tools.json")
    actions = ["--actions", str(folder / "actions.jsonl")]
    commands = [["certify", rules, "--tools", tools, *actions]]
    if file != "actions.jsonl":
        commands.append(["show", rules, "--tools", tools])
    for command in commands:
        done = CliRunner().invoke(app, ["gate", *command])
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert said in done.stderr
        assert "pydantic" not in done.stderr
