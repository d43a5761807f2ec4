"""The REPL's protocol as its versions speak it, and files checked by a stand-in."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow.tools.lean import LIMITS, Message
from agentflow.tools.lean_repl import (
    Goal,
    Reply,
    Tactic,
    UnknownReply,
    check_all,
    find_repl,
    read,
    reply,
    session,
    written,
)

CHECKOUT = os.environ.get("AGENTFLOW_LEAN_REPL_SOURCE", "")
"""A checkout of the REPL's sources, whose recorded transcripts are read where it is named."""
PLACE: dict[str, Any] = {"pos": {"line": 1, "column": 4}, "endPos": {"line": 1, "column": 5}}
SAID = {"severity": "warning", **PLACE, "data": "declaration uses 'sorry'"}


@pytest.mark.parametrize(
    ("row", "found"),
    [
        pytest.param({"env": 0}, Reply(0), id="a command, v4.3"),
        pytest.param(
            {
                "env": 1,
                "messages": [SAID],
                "sorries": [{"goal": "⊢ Nat", "proofState": 0, **PLACE}],
            },
            Reply(
                1,
                (Message("warning", 1, 4, "declaration uses 'sorry'"),),
                (Goal("⊢ Nat", 0, 1, 4),),
            ),
            id="a sorry, v4.3",
        ),
        pytest.param(
            {"env": 1, "sorries": [{"goal": "⊢ Nat", "proofState": None, **PLACE}]},
            Reply(1, (), (Goal("⊢ Nat", None, 1, 4),)),
            id="a sorry without a state, v4.3",
        ),
        pytest.param(
            {"proofState": 2, "goals": ["⊢ a", "⊢ b"]},
            Reply(proof_state=2, goals=("⊢ a", "⊢ b")),
            id="a step, v4.3",
        ),
        pytest.param(
            {"proofState": 2, "goals": [], "sorries": [{"goal": "⊢ a", "proofState": 1}]},
            Reply(proof_state=2, sorries=(Goal("⊢ a", 1),)),
            id="a step with a sorry, v4.5",
        ),
        pytest.param(
            {"env": 0, "infotree": [{"node": {}, "kind": "TacticInfo", "children": []}]},
            Reply(0, infotree=[{"node": {}, "kind": "TacticInfo", "children": []}]),
            id="an infotree, v4.5",
        ),
        pytest.param(
            {"proofState": 2, "goals": [], "traces": ["37"], "messages": [SAID]},
            Reply(
                messages=(Message("warning", 1, 4, "declaration uses 'sorry'"),),
                proof_state=2,
                traces=("37",),
            ),
            id="traces, v4.6",
        ),
        pytest.param(
            {"env": 0, "tactics": [{"tactic": "rfl", "goals": "⊢ a", "proofState": 0, **PLACE}]},
            Reply(0, tactics=(Tactic("rfl", "⊢ a", 1, 4, 0),)),
            id="tactics, v4.3",
        ),
        pytest.param(
            {
                "env": 0,
                "tactics": [
                    {
                        "tactic": "exact f",
                        "goals": "⊢ a",
                        "proofState": 0,
                        "usedConstants": ["f", "Nat"],
                        **PLACE,
                    }
                ],
            },
            Reply(0, tactics=(Tactic("exact f", "⊢ a", 1, 4, 0, ("f", "Nat")),)),
            id="used constants, v4.14",
        ),
        pytest.param(
            {"proofState": 2, "goals": [], "proofStatus": "Completed"},
            Reply(proof_state=2, proof_status="Completed"),
            id="a proof's status, v4.19",
        ),
        pytest.param(
            {"message": "Unknown environment."}, Reply(fault="Unknown environment."), id="a fault"
        ),
    ],
)
def test_replies_of_all_versions(row: dict[str, Any], found: Reply) -> None:
    assert reply(row) == found
    spread = json.dumps(row, ensure_ascii=False, indent=1)
    assert list(read(f"{spread}\n\n{json.dumps(row)}\n\n")) == [found, found]


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"env": "0"},
        {"env": True},
        {"env": 0, "goals": []},
        {"env": 0, "news": 1},
        {"message": 1},
        {"message": "x", "env": 0},
        {"proofState": 0},
        {"env": 0, "messages": [{"severity": "fatal", **PLACE, "data": "x"}]},
        {"env": 0, "messages": [{"severity": "error", "data": "x"}]},
        {"env": 0, "messages": ["error"]},
        {"env": 0, "messages": {"severity": "error"}},
        {"env": 0, "sorries": [{"proofState": 0}]},
        {"env": 0, "tactics": [{"tactic": "rfl", "goals": ["a"], **PLACE}]},
        {"proofState": 0, "goals": [1]},
    ],
)
def test_what_is_no_reply_is_never_taken_for_one(row: dict[str, Any]) -> None:
    with pytest.raises(UnknownReply):
        reply(row)


def test_a_reply_that_is_cut_is_left_out() -> None:
    whole = '{"env": 0}\n\n{"messages":\n [{"severity": "error"'
    assert list(read(whole)) == [Reply(0)]
    with pytest.raises(UnknownReply, match="uncaught"):
        list(read('{"env": 0}\n\nuncaught exception: x'))


def test_a_request_is_one_line_and_a_blank_one() -> None:
    text = written([{"cmd": "def 𝕜 :=\n\n1", "env": 2}, {"proofState": 0, "tactic": "rfl"}])
    lines = text.split("\n")
    assert lines[1::2] == ["", ""]
    assert lines[0] == r'{"cmd": "def 𝕜 :=\n\n1", "env": 2}'
    assert json.loads(lines[2]) == {"proofState": 0, "tactic": "rfl"}


def test_a_session(chain: Path) -> None:
    asked: list[dict[str, Any]] = [
        {"cmd": "theorem right (n : Nat) : n + 0 = n := rfl"},
        {"cmd": "\ntheorem wrong : 1 = 2 := rfl\ntheorem later : 1 = 2 := by sorry"},
        {"cmd": "x", "env": 7},
    ]
    done = session(asked, str(chain / "repl"), str(chain))
    one, two, three = done.replies
    assert (one.env, one.messages, two.env) == (0, (), 1)
    assert [(m.severity, m.line) for m in two.messages] == [("error", 2), ("warning", 3)]
    assert three.fault == "Unknown environment."
    assert (done.why, done.limit) == ("", None)


def test_a_session_that_ends_early_says_why(chain: Path) -> None:
    asked = [{"cmd": "def x"}, {"cmd": "#crash"}, {"cmd": "def y"}]
    done = session(asked, str(chain / "repl"), str(chain))
    assert [one.env for one in done.replies] == [0]
    assert "out of memory" in done.why
    done = session([{"cmd": "#raw"}], str(chain / "repl"), str(chain))
    assert done.replies == []
    assert "no JSON" in done.why


def test_files_are_judged_as_lean_does(chain: Path) -> None:
    sources = [
        "theorem right (n : Nat) : n + 0 = n := rfl\n",
        "\n\ntheorem wrong : 1 = 2 := rfl\naxiom bad : False\n",
        "#crash\n",
        "theorem later : 1 = 2 := by sorry\n",
        "#raw",
        "import Nowhere\ntheorem right : 1 = 1 := rfl\n",
        "import Somewhere\n\ntheorem wrong : 1 = 2 := rfl\n",
        "theorem last : 1 = 1 := rfl\n",
    ]
    done = list(check_all(sources, str(chain / "repl"), str(chain)))
    assert [one.ok for one in done] == [True, False, False, True, False, False, False, True]
    assert [one.complete for one in done] == [True, True, False, True, False, False, True, True]
    assert [(m.line, m.text) for m in done[1].messages] == [(3, "type mismatch")]
    assert done[1].axioms == ["bad"]
    assert [one.failure and one.failure["type"] for one in done] == [
        *(None, None, "incomplete", None, "incomplete", "imports", None, None)
    ]
    assert [one.uses_sorry for one in done] == [False, False, False, True, *[False] * 4]
    assert [m.line for m in done[6].messages] == [3], "a file keeps its lines without its imports"


def test_a_file_without_an_end_hurts_no_other(chain: Path) -> None:
    limits = replace(LIMITS, cpu_seconds=1.0)
    sources = ["def x", "#loop", "theorem wrong : 1 = 2 := rfl"]
    done = list(check_all(sources, str(chain / "repl"), str(chain), limits))
    assert [one.limit for one in done] == [None, "cpu_seconds", None]
    assert [one.ok for one in done] == [True, False, False]


def test_what_is_missing_is_said(
    chain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENTFLOW_LEAN_REPL", raising=False)
    assert find_repl() is None
    assert find_repl(str(tmp_path)) is None
    (only,) = check_all(["def x"], "", str(chain))
    assert "AGENTFLOW_LEAN_REPL" in (only.failure or {})["message"]
    (only,) = check_all(["def x"], str(chain / "repl"), str(tmp_path))
    assert "install elan" in (only.failure or {})["message"]
    monkeypatch.setenv("AGENTFLOW_LEAN_REPL", str(chain / "repl"))
    assert find_repl() == chain / "repl" / ".lake" / "build" / "bin" / "repl"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["error", "x", "Completed"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("env", "messages", "sorries", "tactics", "proofState", "goals", "message"),
                    *("pos", "line", "column", "severity", "data", "goal", "tactic", "traces"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["env", "messages", "goals", "proofState"]), _JSON))
def test_any_reply_is_read_or_refused(row: dict[str, Any]) -> None:
    try:
        found = reply(row)
    except UnknownReply:
        return
    assert found.fault or (found.env is None) != ("env" in row and row["env"] is not None)


@given(st.text(max_size=80) | st.lists(st.sampled_from('{}[]":,0 envmessage\n')).map("".join))
def test_any_output_is_read_or_refused(text: str) -> None:
    try:
        list(read(text))
    except UnknownReply:
        return


@pytest.mark.parametrize("piece", ['{"env": 0}\n\n', "{", "[", '{"a":', " "])
def test_long_output_is_read_in_linear_time(piece: str) -> None:
    def attempt(size: int) -> None:
        try:
            list(read(piece * size))
        except UnknownReply:
            return

    is_linear(attempt)


@pytest.mark.skipif(not CHECKOUT, reason="AGENTFLOW_LEAN_REPL_SOURCE names no checkout")
def test_the_recorded_transcripts_are_read() -> None:
    transcripts = sorted(Path(CHECKOUT).glob("test/**/*.expected.out"))
    assert transcripts
    for file in transcripts:
        asked = file.with_name(file.name.replace(".expected.out", ".in")).read_text("utf-8")
        requests = [one for one in asked.split("\n\n") if one.strip()]
        assert len(list(read(file.read_text("utf-8")))) == len(requests), file
