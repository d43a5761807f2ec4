"""Rules by name, and as settings write them down."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

import agentflow
from agentflow import BadInput, installed
from agentflow.arguments import settings_for
from agentflow.errors import StreamBroken
from agentflow.models import Fault, ScriptedModel
from agentflow.models.scripted import Reply
from agentflow.monitors import Memory, StopRule
from agentflow.monitors.named_rules import OURS, RULES, Rules, make, names
from agentflow.monitors.rules import Budget, EntropyVariance, Rule, Signal, Stable

THINKING = "one\n\ntwo\n\nthree\n\n"
SAID = "Answer: (7 - 8 / 8) * 4 = 24"


class Chosen(BaseModel):
    """Settings that are rules alone."""

    rules: Rules = (EntropyVariance(),)


class Late(StopRule):
    """A rule of our own: the n-th check point."""

    rule: Literal["late"] = "late"
    signal: ClassVar[Signal] = "tokens"
    n: int = Field(default=2, ge=1)

    def step(self, memory: Memory, value: int) -> tuple[Memory, bool]:
        count = memory.get("count", 0) + 1
        return {"count": count}, count >= self.n


@dataclass(frozen=True)
class Plain:
    """The same without a base class of ours."""

    n: int = 2
    name: str = "plain"
    signal: ClassVar[Signal] = "tokens"

    def step(self, memory: Memory, value: int) -> tuple[Memory, bool]:
        return Late(n=self.n).step(memory, value)


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "late", Late)
    monkeypatch.setitem(RULES, "plain", Plain)


def test_ours_are_called_as_they_call_themselves() -> None:
    assert list(RULES) == names() == [kind().name for kind in OURS]
    assert len(set(names())) == len(OURS) == 8


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("k_stable", (Stable(),)),
        ("k_stable, budget", (Stable(), Budget())),
        (["k_stable", {"rule": "budget", "tokens": 5}], (Stable(), Budget(tokens=5))),
        ({"rule": "k_stable", "k": 3}, (Stable(k=3),)),
        (Stable(k=3), (Stable(k=3),)),
        (Stable, (Stable(),)),
        ((Stable(), "k_stable", Budget()), (Stable(), Budget())),
        (Plain(4), (Plain(4),)),
    ],
)
def test_they_are_read_in_every_form(given: Any, read: tuple[Rule, ...]) -> None:
    assert Chosen(rules=given).rules == read


RULE = st.one_of([st.builds(kind) for kind in OURS] + [st.builds(Stable, k=st.integers(1, 100))])


@given(st.lists(RULE, min_size=1, unique_by=lambda rule: rule.name))
def test_they_are_written_down_as_they_are_read(rules: list[Any]) -> None:
    chosen = Chosen(rules=tuple(rules))
    assert Chosen.model_validate_json(chosen.model_dump_json()) == chosen
    written = chosen.model_dump(mode="json", exclude_defaults=True)
    assert Chosen.model_validate(written) == chosen
    if "rules" in written:
        assert [one["rule"] for one in written["rules"]] == [rule.name for rule in rules]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=4))
def test_whatever_is_none_is_refused_in_one_line(given: Any) -> None:
    with pytest.raises(BadInput) as refused:
        settings_for("early_exit", rules=given)
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("entered")
class TestOwnOnes:
    @pytest.mark.parametrize("name", ["late", "plain"])
    def test_they_have_names_and_parameters(self, name: str) -> None:
        first, second = Chosen(rules=[{"rule": name, "n": 3}, "budget"]).rules
        assert (first.name, first.n, second) == (name, 3, Budget())  # type: ignore[attr-defined]
        chosen = Chosen(rules=name)
        assert Chosen.model_validate_json(chosen.model_dump_json()) == chosen
        assert name in str(Chosen.model_json_schema()["properties"]["rules"]["items"])

    @pytest.mark.parametrize("parameters", [{"m": 1}, {"n": 1, "x": 2}])
    @pytest.mark.parametrize("name", ["late", "plain"])
    def test_a_parameter_that_is_none_is_named(self, name: str, parameters: Any) -> None:
        with pytest.raises(BadInput, match=f"rule {name}: .*{list(parameters)[-1]}"):
            make(name, parameters)

    def test_a_value_out_of_bounds_is_named(self) -> None:
        with pytest.raises(BadInput, match="rule late: n: "):
            make("late", {"n": 0})

    @pytest.mark.parametrize("rule", ["late", {"rule": "plain", "n": 2}, Late(), Plain()], ids=str)
    async def test_they_end_the_thinking(self, rule: Any) -> None:
        model = ScriptedModel(lambda text: SAID if text.endswith("</think>\n") else THINKING)
        result = await agentflow.asolve("4 7 8 8", "early_exit", model=model, rules=rule)
        assert result.trace.split("</think>")[0] == "one\n\ntwo\n\n"
        assert result.answer == "(7 - 8 / 8) * 4"

    async def test_first_leaves_them_at_their_check_points(self) -> None:
        model = ScriptedModel(lambda text: SAID if text.endswith("</think>\n") else THINKING)
        rules = ["late", {"rule": "budget", "tokens": 99}]
        result = await agentflow.asolve(
            "4 7 8 8", "early_exit", model=model, rules=rules, combine="first"
        )
        assert result.trace.split("</think>")[0] == "one\n\ntwo\n\n"
        assert {one["monitor"] for one in result.judged} == {"early_exit"}

    async def test_a_thread_that_is_resumed_finds_them(self, tmp_path: Path) -> None:
        up = False

        def script(prompt: str) -> Reply:
            if prompt.endswith("</think>\n"):
                return SAID
            body = prompt.partition("<think>\n")[2]
            rest = THINKING.removeprefix(body)
            return rest if up else [rest[:3], Fault(StreamBroken("gone"))]

        model, where = ScriptedModel(script), tmp_path / "threads.db"
        with pytest.raises(StreamBroken):
            await agentflow.asolve(
                "4 7 8 8",
                "early_exit",
                model=model,
                rules="late",
                thread="one",
                checkpoints=where,
                retries=0,
            )
        up = True
        result = await agentflow.aresume("one", model=model, checkpoints=where)
        assert result.trace.split("</think>")[0] == "one\n\ntwo\n\n"


POINTS = """[agentflow.rules]
own = own_rule:Own
k_stable = own_rule:Own
broken = nowhere:Nothing
misnamed = own_rule:Own
apart = own_rule:Apart
strange = own_rule:Strange
"""
OWN = """
from typing import ClassVar
from agentflow.monitors import StopRule

class Own(StopRule):
    rule: str = "own"
    signal: ClassVar = "stable"
    def step(self, memory, value):
        return {}, True

class Apart:
    name = "apart"

class Strange:
    name, signal = "strange", "the weather"
    def step(self, memory, value):
        return {}, True
"""


class TestEntryPoints:
    @pytest.fixture(autouse=True)
    def installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        (tmp_path / "own_rule.py").write_text(OWN)
        info = tmp_path / "agentflow_own_rule-0.1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: agentflow-own-rule\nVersion: 1"
        )
        (info / "entry_points.txt").write_text(POINTS)
        monkeypatch.syspath_prepend(tmp_path)
        installed.installed.cache_clear()
        yield
        installed.installed.cache_clear()
        sys.modules.pop("own_rule", None)

    def test_it_is_there_by_its_name(self) -> None:
        (rule,) = Chosen(rules="own").rules
        assert (rule.name, rule.signal) == ("own", "stable")
        assert names()[:8] == list(RULES)
        assert "own" in names()

    def test_ours_are_never_replaced(self) -> None:
        assert make("k_stable", {}) == Stable()
        assert names().count("k_stable") == 1

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("broken", "nowhere:Nothing cannot be loaded: ModuleNotFoundError"),
            ("misnamed", "calls itself 'own'"),
            ("apart", "needs a name, a signal"),
            ("strange", "'the weather' is no signal; the signals: entropy, .*a monitor"),
            ("nope", "unknown rule 'nope'; known: entropy, "),
        ],
    )
    def test_what_cannot_be_used_says_why(self, name: str, why: str) -> None:
        with pytest.raises(BadInput, match=why):
            make(name, {})
