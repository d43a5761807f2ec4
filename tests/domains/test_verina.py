"""Verina: reading tasks and answers, and what is never claimed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import BaseTool, StructuredTool

from agentflow import domains
from agentflow.domains.verina import PARTS, Verina
from agentflow.domains.verina.task import EXAMPLE, signature
from agentflow.errors import BadInput
from agentflow.judge import judge, states
from agentflow.monitors.kstable import KStable
from agentflow.monitors.monitor import Context, Increment
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox
from agentflow.trace import LINES
from agentflow.verdict import Verdict

SAMPLE = Path(__file__).parent.parent / "data" / "verina" / "sample.jsonl"
TASKS = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
CODE = "[CODE]\nif a ≤ b then b else a\n[/CODE]\n"
SPEC = "[PRECOND]\nTrue\n[/PRECOND]\n[POSTCOND]\nresult ≥ a ∧ result ≥ b\n[/POSTCOND]\n"


def fake_lean(files: list[str], **says: Any) -> BaseTool:
    """A Lean that finds an error in every file with the word ``wrong``, and keeps the files."""

    def lean(source: str) -> tuple[str, dict[str, Any]]:
        files.append(source)
        messages = [{"severity": "error", "line": 2, "column": 0, "text": "unknown\nwrong"}]
        ok = "wrong" not in source
        return "said", {"ok": ok, "messages": [] if ok else messages, "uses_sorry": False} | says

    return StructuredTool.from_function(
        lean, name="lean", description="Lean", response_format="content_and_artifact"
    )


def equality(answers: list[tuple[str, str]]) -> BaseTool:
    def equal(answer: str, gold: str) -> tuple[str, dict[str, Any]]:
        answers.append((answer, gold))
        return "yes", {"equal": True}

    return StructuredTool.from_function(
        equal, name="equal", description="Equal", response_format="content_and_artifact"
    )


BARE = Verina(Toolbox({"lean": fake_lean([])}))
PLAIN = BARE.parse(EXAMPLE)
SPECIFY = BARE.parse(f"{EXAMPLE}\nWrite: specification.")


def judged(answer: str, problem: Problem = PLAIN, **says: Any) -> tuple[Verdict, list[str]]:
    files: list[str] = []
    domain = Verina(Toolbox({"lean": fake_lean(files, **says)}))
    return asyncio.run(domain.verify_answer(problem, answer)), files


def test_a_task_in_plain_text() -> None:
    assert PLAIN.data["task"] == "code"
    assert PLAIN.data["head"] == "def larger (a : Int) (b : Int) : Int :="
    assert PLAIN.data["description"] == "Return the larger of two integers."
    assert SPECIFY.data["task"] == "spec"
    assert "def larger_postcond (a : Int) (b : Int) (result : Int) : Prop" in SPECIFY.data["ask"]
    assert BARE.parse("Sort a list.").data["head"] is None


def test_tasks_of_the_data_set() -> None:
    for row in TASKS:
        for task in ("code", "spec"):
            given = {"task": task, "description": row["description"], "signature": row["signature"]}
            problem = BARE.parse(json.dumps(given), row["id"])
            head = problem.data["head"]
            assert head.startswith(f"def {row['signature']['name']} (")
            assert signature(head) == signature(row["signature"])
            assert head.removesuffix(" :=") in problem.data["ask"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no description"),
        ("def f (a : Int) : Int", "no description"),
        ("Do it.\ndef f (a : Int) =", "cannot read the signature"),
        ("Do it.\ndef f (a Int) : Int", "cannot read the signature"),
        ("Do it.\ndef f (a : Int : Int", "cannot read the signature"),
        ("Do it.\ndef 1f : Int", "cannot read the signature"),
        ("Do it.\nWrite: spec", "needs the signature"),
        ("{", "is no JSON"),
        ('{"description": 1}', "is no text"),
        ('{"description": "x", "task": "proof"}', "the task is code or spec"),
        ('{"description": "x", "signature": {"name": "f"}}', "cannot read the signature"),
        ('{"description": "x", "signature": 3}', "cannot read the signature"),
        ("x" * 60_000, "more than 50,000"),
    ],
)
def test_what_is_no_task(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=rf"^verina: .*{says}"):
        BARE.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        "so I write\n**[CODE]**\n```lean\nif a ≤ b then b else a\n```\n**[/CODE]**\nand am done",
        "  [code] if a ≤ b then b else a [/code].\n",
        "-- !benchmark @start code\nif a ≤ b then b else a\n-- !benchmark @end code\n",
        f"Between [CODE] and [/CODE] stands:\n{CODE}",
        f"[CODE]\nI begin\n{CODE}",
        f"[PRECOND]\nTrue\n[/PRECOND]\n{CODE}[CODE]\nno end",
    ],
)
def test_code_is_extracted(text: str) -> None:
    answer = BARE.answer(text)
    assert answer is not None
    assert BARE.normalise(PLAIN, answer) == BARE.normalise(PLAIN, CODE) is not None
    (state,) = [s for s in states(BARE, PLAIN, text) if s.kind == "candidate"]
    assert BARE.candidate(PLAIN, state) == BARE.normalise(PLAIN, CODE)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (f"{CODE}Wait, actually this is wrong.", False),
        (f"{CODE}That is incorrect, ignore it.", False),
        (f"{CODE}I am not sure.", False),
        (f"{CODE}The condition should be reversed.", False),
        (f"Do not use:\n{CODE}", False),
        (f"For example:\n{CODE}", False),
        (f"I cannot write this. The format would be\n{CODE}", False),
        ("> " + CODE.replace("\n", "\n> "), False),
        (f"<!--\n{CODE}-->", False),
        (f"[CODE]\nb\n[/CODE]\nThat is wrong. Corrected:\n{CODE}", True),
        (f"[verifier: CODE is not finished: it has sorry in it]\n{CODE}", True),
        (f"Here is the code:\n{CODE}\nI hope this helps!", True),
        (f"{CODE}\nThis compares the two numbers.", True),
    ],
)
def test_only_what_a_text_holds_on_to_is_its_answer(text: str, held: bool) -> None:
    assert (BARE.answer(text) is not None) is held


def test_the_last_version_is_the_answer_with_what_it_uses() -> None:
    late = "[CODE_AUX]\ndef one := 1\n[/CODE_AUX]\n[CODE]\na + one\n[/CODE]"
    assert BARE.answer(CODE + late) == late
    assert BARE.answer("[CODE]\nx\n[/CODE]\n[CODE_AUX]\ny\n[/CODE_AUX]") == (
        "[CODE_AUX]\ny\n[/CODE_AUX]\n[CODE]\nx\n[/CODE]"
    )
    assert BARE.answer("no tags at all") is None
    assert BARE.normalise(PLAIN, late) != BARE.normalise(PLAIN, "[CODE]\na + one\n[/CODE]")


def test_a_specification_needs_both_conditions() -> None:
    found = [s.data["answer"] for s in states(BARE, SPECIFY, SPEC)]
    assert found == [SPEC.strip()]
    pre, _, post = SPEC.partition("[POST")
    assert list(states(BARE, SPECIFY, pre + pre)) == []
    assert len(list(states(BARE, SPECIFY, pre + pre + "[POST" + post))) == 1
    assert list(states(BARE, SPECIFY, CODE)) == []
    assert BARE.normalise(SPECIFY, pre) is None
    assert BARE.normalise(SPECIFY, SPEC) == BARE.normalise(SPECIFY, SPEC.replace("≥", ">="))


@pytest.mark.parametrize(("k", "text", "closes"), [(2, SPEC + SPEC, True), (2, SPEC, False)])
def test_k_stable_counts_specifications(k: int, text: str, closes: bool) -> None:
    monitor = KStable(SPECIFY, BARE, k)
    memory, found, offset = monitor.start(), [], 0
    for line in LINES.findall(text.replace("∧", "/\\", 1)):
        memory, states = monitor.feed(memory, Increment(line, offset, 0, False))
        found += states
        offset += len(line)
    assert (found[-1].data["count"] == k) is closes
    assert json.loads(json.dumps(memory)) == memory


PRE, POST = "[PRECOND]\nTrue\n[/PRECOND]\n", "[POSTCOND]\nresult ≥ a ∧ result ≥ b\n[/POSTCOND]\n"
OTHER = POST.replace("≥ b", "> b")


async def stable(text: str, domain: Verina = BARE, k: int = 2) -> list[bool]:
    """Whether k-stable fires at each candidate of a specification."""
    monitor, offset, said = KStable(SPECIFY, domain, k), 0, []
    memory, earlier = monitor.start(), list[State]()
    for line in LINES.findall(text):
        memory, states = monitor.feed(
            json.loads(json.dumps(memory)), Increment(line, offset, 0, False)
        )
        for state in states:
            verdict = await monitor.verify(state, Context(earlier=tuple(earlier)))
            said.append(verdict.ok is False)
            earlier.append(state)
        offset += len(line)
    return said


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        (PRE + POST, [False]),
        (PRE + POST + PRE + POST, [False, False, True]),
        (PRE + PRE + POST, [False]),
        (PRE + PRE + POST + POST, [False, True]),  # each was stated twice in a row
        (PRE + POST + POST + PRE, [False, False, True]),
        (PRE + POST + OTHER + PRE, [False, False, False]),
        (PRE + POST + PRE + OTHER + OTHER, [False, False, False, True]),
    ],
)
async def test_conditions_are_counted_apart(text: str, fires: list[bool]) -> None:
    assert await stable(text) == fires


async def test_the_answer_has_each_condition_as_last_stated() -> None:
    (_, last) = [s.data["answer"] for s in states(BARE, SPECIFY, PRE + POST + OTHER)]
    assert last == BARE.answer(PRE + POST + OTHER) == (PRE + OTHER).strip()


async def test_other_words_for_the_same_are_stable_where_a_tool_says_so() -> None:
    asked: list[tuple[str, str]] = []
    text = PRE + POST + PRE + OTHER
    assert await stable(text) == [False, False, False]
    with_tool = Verina(Toolbox({"equality": equality(asked)}))
    assert await stable(text, with_tool) == [False, False, True]
    assert asked == [(POST.strip(), OTHER.strip())]


def test_nothing_is_ever_passed() -> None:
    for problem, answer in ((PLAIN, CODE), (SPECIFY, SPEC)):
        verdict, files = judged(answer, problem)
        assert verdict.ok is None
        assert "is not checked" in verdict.reason
        assert len(files) == 1


def test_the_file_that_lean_is_given() -> None:
    whole = f"[IMPORTS]\nimport Std\n[/IMPORTS]\n[CODE_AUX]\ndef two := 2\n[/CODE_AUX]\n{CODE}"
    assert judged(whole)[1] == [
        "import Std\n\ndef two := 2\n\n"
        "def larger (a : Int) (b : Int) : Int :=\n  if a ≤ b then b else a\n"
    ]
    assert judged("[CODE]\ndef larger (a b : Int) : Int :=\n  a\n[/CODE]")[1] == [
        "def larger (a b : Int) : Int :=\n  a\n"
    ]
    assert judged(SPEC, SPECIFY)[1] == [
        "def larger_precond (a : Int) (b : Int) : Prop :=\n  True\n\n"
        "def larger_postcond (a : Int) (b : Int) (result : Int) : Prop :=\n"
        "  result ≥ a ∧ result ≥ b\n"
    ]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("[CODE]\nsorry\n[/CODE]", "unfinished"),
        ("[CODE_AUX]\ndef x : Int := by admit\n[/CODE_AUX]\n[CODE]\nx\n[/CODE]", "unfinished"),
        ("[CODE]\nwrong\n[/CODE]", "does_not_compile"),
    ],
)
def test_what_is_refuted(answer: str, kind: str) -> None:
    verdict, _ = judged(answer)
    assert (verdict.ok, verdict.kind) == (False, kind)
    assert verdict.reason
    assert "\n" not in verdict.reason


@pytest.mark.parametrize(
    "answer",
    [
        *("I do not know", SPEC, "[CODE]\n\n[/CODE]", "[CODE]\na /- b\n[/CODE]", "", "a"),
        *('[CODE]\n"a\n[/CODE]', "[CODE] or [PRECOND]?", "[PRECOND]\nTrue\n[/PRECOND]"),
    ],
)
def test_what_is_not_of_the_form_is_neither_right_nor_wrong(answer: str) -> None:
    verdict, files = judged(answer)
    assert (verdict.ok, verdict.kind, files) == (None, "unread", [])
    assert verdict.reason.startswith("could not read")
    assert BARE.normalise(PLAIN, answer) is None


@pytest.mark.parametrize("code", ["(f a).sorry", "f «sorry»", "let admit := a\nadmit"])
def test_a_name_is_not_unfinished(code: str) -> None:
    assert judged(f"[CODE]\n{code}\n[/CODE]")[0].ok is None


def test_what_sorry_is_after_a_macro_only_lean_can_tell() -> None:
    text = "[CODE_AUX]\nmacro_rules | `(sorry) => `(0)\n[/CODE_AUX]\n[CODE]\nsorry\n[/CODE]"
    assert judged(text)[0].ok is None
    assert judged(text, uses_sorry=True)[0].kind == "unfinished"


def test_what_only_looks_wrong_is_not_refuted() -> None:
    assert judged("[CODE]\na -- no sorry here\n[/CODE]")[0].ok is None
    assert judged('[CODE]\nf "sorry"\n[/CODE]')[0].ok is None
    imports = "[IMPORTS]\nimport wrong\n[/IMPORTS]\n"  # Lean here does not have the library
    verdict, files = judged(imports + CODE)
    assert (verdict.ok, len(files)) == (None, 2)
    assert judged(CODE, BARE.parse("Sort a list."))[1] == []
    for says in ({"failure": {"type": "missing"}}, {"limit": "seconds"}, {"ok": "yes"}):
        assert judged("[CODE]\nwrong\n[/CODE]", **says)[0].ok is None
    assert judged(CODE, uses_sorry=True)[0].kind == "unfinished"


def test_without_lean_nothing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AGENTFLOW_LEAN", str(tmp_path / "none"))
    verdict = asyncio.run(domains.get("verina").verify_answer(PLAIN, CODE))
    assert (verdict.ok, "there is no Lean 4 here" in verdict.reason) == (None, True)


def test_equality_is_of_normal_forms_or_of_a_tool() -> None:
    asked: list[tuple[str, str]] = []
    with_tool = Verina(Toolbox({"equality": equality(asked)}))
    other = "[CODE]\nmax a b\n[/CODE]"
    assert asyncio.run(BARE.equal(PLAIN, CODE, CODE.replace("≤", "<=") + "-- so"))
    assert asyncio.run(BARE.equal(PLAIN, CODE, other)) is None  # text cannot tell
    assert asyncio.run(BARE.equal(PLAIN, CODE, "nothing")) is None
    assert asyncio.run(with_tool.equal(PLAIN, CODE, other))
    assert asked == [(CODE, other)]
    assert not asyncio.run(with_tool.equal(PLAIN, CODE, "nothing"))
    assert len(asked) == 1


def test_reference_answers_are_equal_to_themselves_and_to_no_others() -> None:
    from agentflow.evaluation.hub import SOURCES

    for name in ("verina-code", "verina-spec"):
        rows = [SOURCES[name].problem(row) for row in TASKS]
        problems = [BARE.parse(row["text"]) for row in rows if row]
        golds = [row["gold"] for row in rows if row]
        forms = [BARE.normalise(p, gold) for p, gold in zip(problems, golds, strict=True)]
        assert None not in forms
        assert len(set(forms)) == len(forms) == 4


PIECES = ["[CODE]", "[/CODE]", "[PRECOND]", "[/PRECOND]", "[POSTCOND]", "[/POSTCOND]", "\n"]
PIECES += ["-- !benchmark @start code", "-- !benchmark @end code", "```lean", "```", "</think>"]
PIECES += ["**", "sorry", "[IMPORTS]", "[/IMPORTS]", "/-", '"', "\x00", "\ud800", "[CODE_AUX]"]
TEXTS = st.lists(st.sampled_from([*PIECES, "True", "def", " "]), max_size=40).map("".join)


@given(TEXTS, st.sampled_from([PLAIN, SPECIFY]))
def test_any_text_is_read_and_none_is_accepted(text: str, problem: Problem) -> None:
    assert asyncio.run(judge(BARE, problem, text)).ok is not True
    answer = BARE.answer(text)
    if answer is not None:
        assert BARE.answer(answer) == answer
        assert any(answer.endswith(f"\n[/{name}]") for name in PARTS)


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        *(("", "[CODE]\n"), ("[CODE]\n", "x\n"), ("", "*" * 9), ("", "[CODE]*")),
        *(("", "[CODE]\nx\n[/CODE]\n"), ("", "!benchmark @start code\n"), ("[CODE]", "[/CODE] ")),
    ],
)
def test_every_text_is_read_in_linear_time(begin: str, piece: str) -> None:
    def read(size: int) -> None:
        memory: dict[str, Any] = {}
        for line in LINES.findall(begin + piece * size):
            memory, _ = BARE.extract(PLAIN, line, 0, memory)
        BARE.answer(begin + piece * size)

    is_linear(read)


def test_a_word_without_end_says_nothing() -> None:
    assert domains.get("verina").answer("e" * 90_000) is None
