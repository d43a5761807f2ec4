"""Parts of users' with mistakes: each is told by its class, its method and what it must return.

A part that judges and fails leaves undecided what it should have judged, and the result's reason
names it; one that reads, and every other mistake, is an error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, ClassVar, Literal

import pytest

import agentflow
from agentflow import domains
from agentflow.domains import Game24
from agentflow.errors import BadInput
from agentflow.graphs import METHODS
from agentflow.models import ScriptedModel
from agentflow.monitors import Increment, Intervention, Memory, Monitor, StopRule
from agentflow.monitors.rules import stops
from agentflow.nodes import (
    Run,
    choose,
    node,
    one_sample,
    sampled,
    side_by_side,
    single,
    solver,
    steered,
)
from agentflow.problem import Problem
from agentflow.settings import Settings
from agentflow.state import State
from agentflow.verdict import Verdict

SOLVED = (
    "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
    "</think>\nAnswer: (7 - 8 / 8) * 4"
)


async def coroutine(*_: Any, **__: Any) -> Any:
    return None


def gives(value: Any) -> Any:
    return lambda *_, **__: value


def gives_later(value: Any) -> Any:
    async def later(*_: Any, **__: Any) -> Any:
        return value

    return later


def raises(*_: Any, **__: Any) -> Any:
    raise ValueError("oops")


def says(*verdict: Any) -> Any:
    async def later(*_: Any, **__: Any) -> Any:
        return Verdict(*verdict)

    return later


async def raises_later(*_: Any, **__: Any) -> Any:
    raise ValueError("oops")


def empty(*_: Any, **__: Any) -> Any:
    return next(iter(()))


def left(*_: Any, **__: Any) -> Any:
    raise GeneratorExit("oops")


async def leaves(*_: Any, **__: Any) -> Any:
    raise GeneratorExit("oops")  # as of a generator of its own that it closed


class TestDomains:
    @pytest.fixture(autouse=True)
    def prompts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("agentflow.prompts.for_problem", lambda *_: ("", "4 7 8 8"))

    async def solve(self, monkeypatch: pytest.MonkeyPatch, **methods: Any) -> agentflow.Result:
        mine = type("Mine", (Game24,), {"name": "mine", **methods})
        monkeypatch.setitem(domains.DOMAINS, "mine", mine)
        model = ScriptedModel(SOLVED)
        return await agentflow.asolve("4 7 8 8", "interwhen", model=model, domain="mine")

    @pytest.mark.parametrize("method", ["verify_state", "verify_answer"])
    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (gives_later(True), "returned True; it must return a Verdict"),
            (gives_later(None), "returned None; it must return a Verdict"),
            (
                gives_later(Verdict(True, evidence={"x": object()})),
                "returned {'x': <object",
            ),
            (says("no"), "failed: TypeError: the verdict 'no' is none; give True, False or None"),
            (says(1), "failed: TypeError: the verdict 1 is none; give True, False or None"),
            (
                says(False, KeyError("x")),
                "failed: TypeError: a verdict's reason is a text, not Key",
            ),
            (gives(Verdict(True)), "is no coroutine; write `async def"),
            (raises, "failed: ValueError: oops"),
            (raises_later, "failed: ValueError: oops"),
            (leaves, "failed: GeneratorExit: oops"),
            (lambda self: None, "failed: TypeError: "),
        ],
    )
    async def test_one_that_judges_and_fails_is_named_by_the_reason(
        self, monkeypatch: pytest.MonkeyPatch, method: str, wrong: Any, said: str
    ) -> None:
        result = await self.solve(monkeypatch, **{method: wrong})
        assert f"Mine.{method} {said}" in result.reason
        decided = "verified" if method == "verify_state" else "unverified"
        assert (result.status, result.answer) == (decided, "(7 - 8 / 8) * 4")

    @pytest.mark.parametrize(
        ("method", "wrong", "said"),
        [
            ("parse", gives(None), "returned None; it must return a Problem"),
            ("parse", gives({"text": "x"}), "returned {'text': 'x'}; it must return a Problem"),
            ("parse", coroutine, "is a coroutine; write `def parse`"),
            ("normalise", gives(5), "returned 5; it must return a text, or None"),
            ("unsolvable", gives(True), "returned True; it must return a reason"),
            ("answer", gives(5), "returned 5; it must return a text, or None"),
            ("shown", gives(None), "returned None; it must return a text"),
            ("unfinished", gives(True), "returned True; it must return a reason"),
            ("decides", gives("no"), "returned 'no'; it must return True or False"),
            ("checks", coroutine, "is a coroutine; write `def checks`"),
            ("extract", gives(({}, [State("step", {"x": object()}, 0, 1)])), "plain JSON"),
            ("extract", gives(None), "returned None; it must return its memory"),
            ("extract", gives([]), "returned []; it must return its memory"),
            ("extract", gives(({}, [("step", 1)])), "it must return its memory"),
            *((one, empty, "failed: StopIteration") for one in ("parse", "answer", "extract")),
            *((one, left, "failed: GeneratorExit: oops") for one in ("parse", "normalise")),
        ],
    )
    async def test_one_that_reads_is_refused_by_name(
        self, monkeypatch: pytest.MonkeyPatch, method: str, wrong: Any, said: str
    ) -> None:
        with pytest.raises(BadInput) as caught:
            await self.solve(monkeypatch, **{method: wrong})
        assert str(caught.value).startswith(f"Mine.{method} ")
        assert said in str(caught.value)

    async def test_an_empty_reason_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        result = await self.solve(monkeypatch, unsolvable=gives(""), unfinished=gives(""))
        assert result.status == "verified"

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (gives(True), "Mine.equal is no coroutine; write `async def equal`"),
            (gives_later("yes"), "Mine.equal returned 'yes'; it must return True, False or None"),
            (raises, "Mine.equal failed: ValueError: oops"),
            (raises_later, "Mine.equal failed: ValueError: oops"),
            (leaves, "Mine.equal failed: GeneratorExit: oops"),
        ],
    )
    async def test_one_that_compares_and_fails_is_named(
        self, monkeypatch: pytest.MonkeyPatch, wrong: Any, said: str
    ) -> None:
        mine = type("Mine", (Game24,), {"name": "mine", "equal": wrong})
        monkeypatch.setitem(domains.DOMAINS, "mine", mine)
        answers = iter(["(7 - 8 / 8) * 4", "4 * (7 - 8 / 8)"])
        model = ScriptedModel(lambda _: f"hm</think>\nAnswer: {next(answers)}")
        with pytest.raises(BadInput) as caught:
            await agentflow.asolve(
                "4 7 8 8", "sampling", domain="mine", model=model,
                k=2, choose="majority", critic="none",
            )  # fmt: skip
        assert str(caught.value) == said

    @pytest.mark.parametrize("method", ["tested", "outcomes"])
    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (gives([]), "is no coroutine"),
            (gives_later([None]), r"returned \[None\]; it must return a list with one (bool|str) "),
            (gives_later([]), r"returned \[\]; it must return a list with one (bool|str) for each"),
            (gives_later(None), "returned None; it must return a list"),
            (raises_later, "failed: ValueError: oops"),
        ],
    )
    async def test_one_that_runs_programs_and_fails_is_named(
        self, monkeypatch: pytest.MonkeyPatch, method: str, wrong: Any, said: str
    ) -> None:
        own = {
            "takes_tests": gives(True),
            "call_form": gives("a number"),
            "equal": gives_later(None),
        }
        mine = type("Mine", (Game24,), {"name": "mine", method: wrong} | own)
        monkeypatch.setitem(domains.DOMAINS, "mine", mine)
        answers = iter(["(7 - 8 / 8) * 4", "4 * (7 - 8 / 8)"])

        def reply(prompt: str) -> str:
            if "Reply with one JSON object" in prompt:
                return '{"calls": ["1"]}' if method == "outcomes" else '{"tests": ["1"]}'
            return f"hm</think>\nAnswer: {next(answers)}"

        name, more = {
            "tested": ("sampling", {"k": 2, "choose": "tests", "critic": "none"}),
            "outcomes": ("tournament", {"n": 2, "inputs": 1}),
        }[method]
        with pytest.raises(BadInput, match=f"Mine.{method} {said}"):
            await agentflow.asolve(
                "4 7 8 8", name, domain="mine", model=ScriptedModel(reply), **more
            )

    @pytest.mark.parametrize("method", ["takes_tests", "call_form"])
    def test_one_that_says_what_it_takes_and_says_it_wrongly_is_named(self, method: str) -> None:
        mine = type("Mine", (Game24,), {"name": "mine", method: gives(None)})()
        with pytest.raises(BadInput, match=f"Mine.{method} returned None; it must return"):
            getattr(mine, method)(mine.parse("4 7 8 8"))

    @pytest.mark.parametrize(
        ("entered", "said"),
        [
            (Game24(), r"DOMAINS\['mine'\] is a Game24; give the class itself"),
            (dict, "must inherit from agentflow.domains.Domain"),
            (type("Bare", (domains.Domain,), {"name": "mine"}), "lacks parse, verify_answer"),
        ],
    )
    async def test_what_is_no_domain(
        self, monkeypatch: pytest.MonkeyPatch, entered: Any, said: str
    ) -> None:
        monkeypatch.setitem(domains.DOMAINS, "mine", entered)
        with pytest.raises(BadInput, match=said):
            await agentflow.asolve("4 7 8 8", domain="mine", model=ScriptedModel(SOLVED))


class Mine(Monitor):
    name, reads = "mine", "line"

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary or increment.answering:
            return memory, []
        end = increment.offset + len(increment.text)
        return memory, [State("line", {}, increment.offset, end)]

    async def verify(self, state: State, context: Any) -> Verdict:
        return Verdict(False, "no", source="mine")


class TestMonitors:
    async def solve(self, monkeypatch: pytest.MonkeyPatch, monitors: Any) -> agentflow.Result:
        module = ModuleType("of_mine")
        module.graph = steered(Settings, monitors).compile(name="of_mine")  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "of_mine", module)
        monkeypatch.setitem(METHODS, "of_mine", "of_mine")
        script = {r"<think>\n": SOLVED, "": "\n</think>\nAnswer: (7 - 8 / 8) * 4"}
        return await agentflow.asolve("4 7 8 8", "of_mine", model=ScriptedModel(script))

    async def one(self, monkeypatch: pytest.MonkeyPatch, **parts: Any) -> agentflow.Result:
        async def monitors(task: Any) -> Sequence[Monitor]:
            return [type("Mine", (Mine,), parts)()]

        return await self.solve(monkeypatch, monitors)

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (gives_later(True), "returned True; it must return a Verdict"),
            (gives(Verdict(False)), "is no coroutine; write `async def verify`"),
            (raises_later, "failed: ValueError: oops"),
            (lambda self: None, "failed: TypeError: "),
        ],
    )
    async def test_a_verify_that_fails_is_named_by_the_reason(
        self, monkeypatch: pytest.MonkeyPatch, wrong: Any, said: str
    ) -> None:
        quiet = gives(Intervention("continue"))
        result = await self.one(monkeypatch, verify=wrong, intervene=quiet)
        assert f"not judged: Mine.verify {said}" in result.reason
        assert "(and 2 more of 3 verdicts)" in result.reason
        assert result.status == "verified"

    @pytest.mark.parametrize(
        ("parts", "said"),
        [
            ({"intervene": gives(None)}, "Mine.intervene returned None; it must return"),
            ({"feed": gives(None)}, "Mine.feed returned None; it must return its memory"),
            ({"feed": empty}, "Mine.feed failed: StopIteration"),
            ({"feed": left}, "Mine.feed failed: GeneratorExit: oops"),
            ({"intervene": empty}, "Mine.intervene failed: StopIteration"),
            ({"intervene": left}, "Mine.intervene failed: GeneratorExit: oops"),
            ({"reads": "lines"}, "Mine.reads is 'lines'; it must be 'line' or 'token'"),
            ({"name": None}, "Mine.name must be a text"),
            ({"start": None}, "Mine is no monitor: it has no method start"),
        ],
    )
    async def test_other_mistakes_are_refused(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        caplog: pytest.LogCaptureFixture,
        parts: dict[str, Any],
        said: str,
    ) -> None:
        with pytest.raises(BadInput, match=said):
            await self.one(monkeypatch, **parts)
        assert "Exception in callback" not in capsys.readouterr().err + caplog.text

    @pytest.mark.parametrize(
        ("monitors", "said"),
        [
            (gives_later(None), "None is no list of monitors"),
            (gives_later([Mine]), r"Mine is a class, where a monitor should be; write Mine\(\)"),
            (gives([]), "is no coroutine; write `async def"),
        ],
    )
    async def test_monitors_that_are_none(
        self, monkeypatch: pytest.MonkeyPatch, monitors: Any, said: str
    ) -> None:
        with pytest.raises(BadInput, match=said):
            await self.solve(monkeypatch, monitors)

    def test_an_unknown_kind_of_intervention_is_refused_where_it_is_made(self) -> None:
        with pytest.raises(BadInput, match=r"'fedback'; known: continue, .*mean feedback\?"):
            Intervention("fedback")  # type: ignore[arg-type]


class Always(StopRule):
    rule: Literal["always"] = "always"
    signal: ClassVar = "tokens"

    def step(self, memory: Memory, value: Any) -> tuple[Memory, bool]:
        return memory, False


class TestRules:
    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (gives(True), "returned True; it must return its memory"),
            (raises, "failed: ValueError: oops"),
            (left, "failed: GeneratorExit: oops"),
            (lambda self: None, "failed: TypeError: "),
            (gives_later(({}, True)), "is a coroutine; write `def step`"),
        ],
    )
    async def test_a_step_that_fails_is_named_by_the_reason(self, wrong: Any, said: str) -> None:
        rule = type("Mine", (Always,), {"step": wrong})()
        with pytest.raises(BadInput, match="Mine"):
            stops([rule], "any", {}, {"tokens": 1})
        result = await agentflow.asolve(
            "4 7 8 8", "early_exit", rules=[rule], check="line", model=ScriptedModel(SOLVED)
        )
        assert f"not judged: Mine.step {said}" in result.reason
        assert result.status == "verified"

    def test_one_without_a_name(self) -> None:
        class Nameless(StopRule):
            signal: ClassVar = "tokens"

            def step(self, memory: Memory, value: Any) -> tuple[Memory, bool]:
                return memory, True

        with pytest.raises(BadInput, match="Nameless has no name; give it one: rule: Literal"):
            Nameless()  # type: ignore[call-arg]


async def test_a_method_is_entered_by_the_name_of_its_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(METHODS, "of_mine", agentflow)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"METHODS\['of_mine'\] is a module; enter the name of"):
        await agentflow.asolve("4 7 8 8", "of_mine")


async def run_with(mine: Any) -> None:
    """A run of a graph with a node of somebody's."""
    builder = single(Settings)
    builder.add_node("solve", solver())
    builder.add_node("mine", mine)
    builder.add_edge("solve", "mine")
    builder.add_edge("mine", "finish")
    graph = builder.compile(name="mine")
    config: Any = {"configurable": {"agentflow_model": ScriptedModel(SOLVED)}}
    await graph.ainvoke({"problem": "4 7 8 8"}, config)


async def test_an_event_needs_a_type() -> None:
    @node(Settings)
    async def telling(run: Run[Settings]) -> dict[str, Any]:
        run.emit({"no": "type"})
        return {}

    with pytest.raises(BadInput, match="is no event: it needs a text as its `type`"):
        await run_with(telling)


async def test_a_node_is_a_coroutine() -> None:
    @node(Settings)  # type: ignore[arg-type]
    def plain(run: Run[Settings]) -> dict[str, Any]:
        return {}

    with pytest.raises(BadInput, match="the node plain is no coroutine; write `async def plain`"):
        await run_with(plain)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"corections": 1}, "the node mine changes 'corections', no channel of its .* corrections"),
        (3, "the node mine returned 3; it must return a dict of the channels that it changes"),
    ],
)
@pytest.mark.parametrize("in_a_sample", [False, True])
def test_a_node_that_returns_what_has_no_channel(
    given: object, said: str, in_a_sample: bool
) -> None:
    """LangGraph drops it without a word."""

    @node(Settings)
    async def mine(run: Run[Settings]) -> Any:
        return given

    inner: Any = one_sample(Settings, "mine") if in_a_sample else single(Settings, "mine")
    inner.add_node("mine", mine)
    inner.add_edge("mine", "settle" if in_a_sample else "finish")
    build = inner
    if in_a_sample:
        build = sampled(Settings, inner, choose, lambda run: side_by_side(1))
    graph = build.compile(name="wrong")
    config: Any = {"configurable": {"agentflow_model": ScriptedModel("")}}
    with pytest.raises(BadInput, match=said):
        graph.invoke({"problem": "4 7 8 8"}, config)


def test_a_node_names_its_settings() -> None:
    async def mine(run: Run[Settings]) -> dict[str, Any]:
        return {}

    with pytest.raises(BadInput, match=r"@node needs the class of settings; write `@node\("):
        node(mine)  # type: ignore[arg-type]


def test_a_problem_is_what_parse_returns() -> None:
    assert isinstance(Game24().parse("4 7 8 8"), Problem)
