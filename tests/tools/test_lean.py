from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from agentflow.tools import lean
from agentflow.tools.lean import find_lean, lean_tool
from agentflow.tools.sandbox import Limits, SandboxUnavailable

FAKE = """#!{shell}
[ "$1" = --json ] || exit 9
say() {{ printf '{{"fileName":"Main.lean","pos":{{"line":%s,"column":%s}},"endPos":null,' "$2" "$3"
printf '"keepFullRange":false,"severity":"%s","caption":"","data":"%s"}}\\n' "$1" "$4"; }}
number=0
while IFS= read -r line; do
  number=$((number + 1))
  case "$line" in
    *sorry*) say warning $number 8 "declaration uses 'sorry'" ;;
    *wrong*) say error $number 2 "type mismatch" ;;
    *#crash*) echo "INTERNAL PANIC: out of memory" >&2; exit 1 ;;
    *#exit*) exit 0 ;;
    *#loop*) while :; do :; done ;;
    *#flood*) while :; do echo "no JSON, and no end"; done ;;
    *#path*) say information $number 0 "$LEAN_PATH in $PWD" ;;
    *#host*) for file in {secret} /etc/passwd; do [ -r $file ] && say error 1 0 "saw $file"; done ;;
    *#home*) say information $number 0 "home: $HOME" ;;
    '#print "'*) mark=${{line#*\\"}}; say information $number 0 "${{mark%\\"*}}" ;;
  esac
done < Main.lean
"""
"""Prints what Lean prints: builtins of a shell only, since a program here may start no other."""


@pytest.fixture(scope="module")
def toolchain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toolchain")
    (folder / "bin").mkdir()
    (folder / "lib" / "lean").mkdir(parents=True)
    shell = folder / "lib" / "lean" / "sh"
    shutil.copy("/bin/sh", shell)
    secret = folder.parent / "secret"
    secret.write_text("secret")
    program = folder / "bin" / "lean"
    program.write_text(FAKE.format(shell=shell, secret=secret))
    program.chmod(0o755)
    for each in (folder, folder.parent):
        each.chmod(0o755)
    return folder


def call(path: str | Path, source: str, **options: Any) -> tuple[str, dict[str, Any]]:
    tool = lean_tool(str(path), **options)
    message = tool.invoke(
        {"type": "tool_call", "id": "1", "name": "lean", "args": {"source": source}}
    )
    assert isinstance(message, ToolMessage)
    json.dumps(message.artifact)
    return str(message.content), message.artifact


GOOD = "theorem one : 1 = 1 := rfl\n"


def test_a_file_without_errors_is_accepted(toolchain: Path) -> None:
    content, artifact = call(toolchain, GOOD)
    assert content == "Lean accepts the file."
    seconds = artifact.pop("seconds")
    assert artifact == {
        "ok": True,
        "messages": [],
        "uses_sorry": False,
        "axioms": [],
        "escapes": [],
        "complete": True,
        "failure": None,
        "limit": None,
    }
    assert seconds > 0


def test_errors_are_told_with_their_place(toolchain: Path) -> None:
    content, artifact = call(toolchain, GOOD + "\ntheorem two : wrong := rfl\n")
    assert artifact["ok"] is False
    message = {"severity": "error", "line": 3, "column": 2, "text": "type mismatch"}
    assert artifact["messages"] == [message]
    assert content.split("\n") == [
        "Lean finds errors in the file.",
        "line 3, column 2: error: type mismatch",
    ]


def test_sorry_axioms_and_escapes_are_told(toolchain: Path) -> None:
    source = (
        "axiom bad : False\nprivate axiom A.b (n : Nat) : n = 0\ntheorem t : 1 = 2 := by sorry\n"
    )
    content, artifact = call(toolchain, source + "theorem u : 3 = 4 := by native_decide\n")
    assert artifact["ok"] is True
    assert artifact["uses_sorry"] is True
    assert artifact["axioms"] == ["bad", "A.b"]
    assert artifact["escapes"] == ["native_decide"]
    assert [one["severity"] for one in artifact["messages"]] == ["warning"]
    assert "It uses sorry.\nIt declares axioms: bad, A.b.\n" in content


@pytest.mark.parametrize(
    ("source", "axioms", "escapes"),
    [
        ("-- axiom bad, #eval\n  -- macro\ntheorem t := rfl", [], []),
        ("theorem noaxioms.x := elaborate\ndef axiom' := evalx", ["'"], []),
        ("/- -- -/ axiom bad : False", ["bad"], []),
        ("/-\n-- -/ axiom bad : False", ["bad"], []),
        ('def s := s!"{f "/-"}" axiom/-x-/bad : False', ["/-x-/bad"], []),
        ("#eval! 1\n#eval 2\nset_option warn.sorry false", [], ["#eval", "#eval!", "warn.sorry"]),
        ("@[implemented_by f, extern 2] unsafe def", [], ["extern", "implemented_by", "unsafe"]),
    ],
)
def test_words_that_get_around_the_kernel(
    source: str, axioms: list[str], escapes: list[str]
) -> None:
    found = lean._read(source, "m", _said(""))
    assert (found.axioms, found.escapes) == (axioms, escapes)


def _said(stdout: str) -> Any:
    return lean.Execution(None, "", stdout, "", None, None, 0.1, 0.1, 1.0)


@pytest.mark.parametrize(("line", "says"), [("#crash", "INTERNAL PANIC"), ("#exit", "status 0")])
def test_a_lean_that_ends_early_accepts_nothing(toolchain: Path, line: str, says: str) -> None:
    content, artifact = call(toolchain, f"{GOOD}{line}\n{GOOD}")
    assert artifact["ok"] is False
    assert artifact["failure"]["type"] == "incomplete"
    assert says in artifact["failure"]["message"]
    assert content.startswith("The file was not checked: Lean ended before the file did")


@pytest.mark.parametrize(
    ("line", "limit"), [("#loop", "seconds"), ("#loop", "cpu_seconds"), ("#flood", "output_bytes")]
)
def test_limits_hold(toolchain: Path, line: str, limit: str) -> None:
    small = {"seconds": 1.0} if limit == "seconds" else {"cpu_seconds": 1.0, "seconds": 20.0}
    content, artifact = call(toolchain, line, limits=Limits(memory_mib=4096, processes=32, **small))
    assert artifact["limit"] == limit
    assert artifact["ok"] is False
    assert limit in content


def test_the_host_is_out_of_sight(toolchain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    _, artifact = call(toolchain, "#host\n#home\n")
    assert [one["text"] for one in artifact["messages"]] == ["home: "]
    assert artifact["ok"] is True


def test_lean_s_own_path_is_passed_on(
    toolchain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAN_PATH", f"{tmp_path}:")
    _, artifact = call(toolchain, "#path\n")
    assert artifact["messages"][0]["text"].startswith(f"{tmp_path} in /")


@pytest.mark.parametrize(
    ("source", "says"), [("", "is empty"), (" \n", "is empty"), ("x" * 1_000_001, "has more than")]
)
def test_a_file_that_is_none_is_an_error(toolchain: Path, source: str, says: str) -> None:
    _, artifact = call(toolchain, source)
    assert artifact["failure"]["type"] == "source"
    assert says in artifact["failure"]["message"]


def test_without_isolation_nothing_is_run(toolchain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise SandboxUnavailable("no user namespaces")

    monkeypatch.setattr(lean, "sandbox", refuse)
    _, artifact = call(toolchain, GOOD)
    assert artifact["failure"] == {"type": "SandboxUnavailable", "message": "no user namespaces"}


class TestFinding:
    @pytest.fixture(autouse=True)
    def nowhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("AGENTFLOW_LEAN", raising=False)
        monkeypatch.setenv("ELAN_HOME", str(tmp_path / "elan"))
        monkeypatch.setenv("PATH", str(tmp_path / "path"))

    def make(self, program: Path) -> Path:
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        return program

    def test_where_there_is_none_it_is_said(self) -> None:
        assert find_lean() is None
        content, artifact = call("", GOOD)
        assert artifact["failure"] == {"type": "missing", "message": lean.MISSING}
        assert "install elan" in content

    def test_a_named_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        program = self.make(tmp_path / "chain" / "bin" / "lean")
        assert find_lean(str(program)) == find_lean(str(tmp_path / "chain")) == program
        assert find_lean(str(tmp_path / "no")) is None
        monkeypatch.setenv("AGENTFLOW_LEAN", str(tmp_path / "chain"))
        assert find_lean() == program
        program.chmod(0o644)
        assert find_lean() is None or os.access(program, os.X_OK)

    def test_one_on_the_path(self, tmp_path: Path) -> None:
        program = self.make(tmp_path / "path" / "lean")
        assert find_lean() == program

    def test_elan_s_default_toolchain_stands_behind_its_shim(self, tmp_path: Path) -> None:
        elan = tmp_path / "elan"
        self.make(elan / "bin" / "lean")
        (tmp_path / "path").symlink_to(elan / "bin")
        assert find_lean() is None
        old = self.make(elan / "toolchains" / "leanprover--lean4---v4.9.0" / "bin" / "lean")
        new = self.make(elan / "toolchains" / "leanprover--lean4---v4.20.0" / "bin" / "lean")
        os.utime(old, (1, 1))
        assert find_lean() == new
        (elan / "settings.toml").write_text('default_toolchain = "leanprover/lean4:v4.9.0"\n')
        assert find_lean() == old
        (elan / "settings.toml").write_text("no TOML [")
        assert find_lean() == new


async def test_it_works_in_a_tool_node(toolchain: Path) -> None:
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([lean_tool(str(toolchain))]))
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    sources = [GOOD, "wrong", ""]
    calls = [
        {"name": "lean", "args": {"source": source}, "id": str(number)}
        for number, source in enumerate(sources)
    ]
    state: Any = {"messages": [AIMessage("", tool_calls=calls)]}
    compiled = graph.compile()
    for messages in (compiled.invoke(state), await compiled.ainvoke(state)):
        assert [one.artifact["ok"] for one in messages["messages"][1:]] == [True, False, False]
    tool = lean_tool(str(toolchain))
    said = await asyncio.gather(*(tool.ainvoke({"source": GOOD}) for _ in range(8)))
    assert set(said) == {"Lean accepts the file."}


@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from(
            [
                *('{"severity":"error","pos":{"line":1,"column":2},"data":"x"}', "{", "[", "\n"),
                *('{"severity":"fatal","pos":{},"data":1}', "mark", '"', "null", "/-", "-/", "--"),
                *('{"severity":"error","pos":{"line":"x","column":[]},"data":null}', "sorry", "'"),
            ]
        ),
        max_size=20,
    ).map("".join)
)
def test_any_output_and_any_file_is_read(text: str) -> None:
    done = lean._read(text, "mark", _said(text))
    assert isinstance(done.ok, bool)
    assert lean._content(done)


@pytest.mark.parametrize(
    "piece", ["/-", "-/", "--", '"', "'", "\\", '"\\', "axiom ", "/- -/", "'\\"]
)
def test_long_files_are_read_in_linear_time(piece: str) -> None:
    is_linear(lambda size: lean._read(piece * size, "mark", _said(piece * size)))
