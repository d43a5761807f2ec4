"""The expander: where a step ends, what is asked, when a stream is closed, what it cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest

from agentflow import ledger
from agentflow.domains import Game24
from agentflow.errors import MissingCapability, ModelUnavailable, StreamBroken
from agentflow.models import (
    Capabilities,
    Delay,
    Fault,
    Finish,
    Request,
    ScriptedModel,
    Token,
    close_all,
    connect,
)
from agentflow.models.metered import Metered
from agentflow.models.model import segment
from agentflow.models.scripted import Reply
from agentflow.profile import PROFILES
from agentflow.scorers import RuleScorer
from agentflow.search import Path, TraceExpander, beam, best_of_n, lookahead
from agentflow.trace import Trace

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
CLOSE = "</think>"
RIGHT = ["8 / 8 = 1 (left: 1 4 7)\n", "7 - 1 = 6 (left: 4 6)\n", "4 * 6 = 24 (left: 24)\n"]
ANSWER = f"{CLOSE}\nAnswer: (7 - 8 / 8) * 4 = 24"
SOLUTION = "".join(RIGHT) + ANSWER


class Logged(ScriptedModel):
    """Goes on in its text from wherever a prompt ends; keeps the log an engine would keep.

    Args:
        texts: Each request goes on in the text that its seed chooses among those that fit.
    """

    def __init__(self, *texts: str, wait: float = 0.0, **options: Any) -> None:
        super().__init__(self.go_on, **options)
        self.texts, self.wait = texts, wait
        self.log: list[int] = []
        self.now = self.most = 0

    def go_on(self, prompt: str) -> Reply:
        said = prompt.rpartition("<think>\n")[2]
        fitting = [text for text in self.texts if text.startswith(said)]
        assert fitting, f"asked to go on from what it did not say: {said!r}"
        rest = fitting[self.requests[-1].seed % len(fitting)].removeprefix(said)
        return [Delay(self.wait), rest] if self.wait else rest

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        self.now += 1
        self.most = max(self.most, self.now)
        number = len(self.log)
        self.log.append(0)
        try:
            async with aclosing(super().stream(request)) as stream:
                async for item in stream:
                    if isinstance(item, Token):
                        self.log[number] += 1
                    yield item
        finally:
            self.now -= 1


async def expander(model: ScriptedModel, **options: Any) -> TraceExpander:
    prompt = await segment(model, "prompt", model.profile.render("go"))
    options = {"close": CLOSE, **options}
    return TraceExpander(Metered(model, "solver", "0"), [prompt.operation()], "p", **options)


def total(one: TraceExpander) -> ledger.Entry:
    return ledger.total(one.model.entries)


class TestSteps:
    async def test_a_line_is_a_step_and_the_answer_part_is_one(self) -> None:
        path = await (await expander(Logged(SOLUTION))).finish(Path())
        assert path == Path((*RIGHT, ANSWER), (), True)
        assert Trace(path.payload).body == path.text

    async def test_one_step_at_a_time_comes_to_the_same(self) -> None:
        model = Logged(SOLUTION)
        one = await expander(model)
        path, sizes = Path(), []
        while not path.done:
            (path,) = await one.expand(path, 1)
            sizes.append(len(path.steps))
        assert sizes == [1, 2, 3, 4]
        assert path == await one.finish(Path())
        assert Trace(path.payload).body == SOLUTION

    async def test_so_many_steps(self) -> None:
        one = await expander(Logged(SOLUTION))
        path = await one.finish(Path(), steps=2)
        assert path.steps == tuple(RIGHT[:2])
        assert (await one.finish(path, steps=0)) is path
        assert (await one.finish(path, steps=10**6)).done

    @pytest.mark.parametrize(
        ("boundary", "text", "steps"),
        [
            ("line", "\n\n a\n\n b c", ["\n\n a\n", "\n b c"]),
            ("paragraph", "\n\na\nb\n\nc\n\n\n d", ["\n\na\nb\n\n", "c\n\n", "\n d"]),
            ("tag", "<action>x</action>\n y</action>", ["<action>x</action>", "\n y</action>"]),
        ],
    )
    async def test_boundaries(self, boundary: str, text: str, steps: list[str]) -> None:
        model = ScriptedModel(text)
        path = await (await expander(model, boundary=boundary, close="")).finish(Path())
        assert list(path.steps) == steps
        assert path.done

    async def test_a_boundary_in_the_middle_of_a_token_ends_the_step_behind_it(self) -> None:
        model = ScriptedModel([Token("a", 1), Token("\n\nb", 2), Token("c", 3)])
        path = await (await expander(model, boundary="paragraph")).finish(Path())
        assert path.steps == ("a\n\nb", "c")
        assert [operation["ids"] for operation in path.payload[1:]] == [[1, 2], [3]]

    async def test_letters_that_spell_the_marker_close_nothing(self) -> None:
        spelled = [Token(t, n) for n, t in enumerate(["</", "think>", "\n", "a", "\n", "b"])]
        path = await (await expander(ScriptedModel(spelled))).finish(Path())
        assert path.steps == ("</think>\n", "a\n", "b")

    async def test_without_a_marker_every_part_has_steps(self) -> None:
        model = ScriptedModel("a\nb\nc", profile=PROFILES["qwen2.5-instruct"])
        assert (await (await expander(model, close="")).finish(Path())).steps == ("a\n", "b\n", "c")

    async def test_a_model_that_ends_at_once(self) -> None:
        (path,) = await (await expander(ScriptedModel(""))).expand(Path(), 1)
        assert path == Path(done=True)


class TestRequests:
    async def test_a_prompt_is_the_ids_of_the_kept_trace(self) -> None:
        model = Logged(SOLUTION)
        one = await expander(model)
        path = await one.finish(Path(), steps=2)
        await one.expand(path, 1)
        first, second = model.requests
        assert second.prompt == (*first.prompt, *(i for o in path.payload[1:] for i in o["ids"]))
        assert model.text(second.prompt).endswith("".join(RIGHT[:2]))  # type: ignore[arg-type]

    async def test_continuations_are_asked_for_at_once_each_with_its_own_seed(self) -> None:
        model = Logged(SOLUTION, wait=0.01)
        await (await expander(model)).expand(Path(), 8, "x")
        assert model.most == 8
        assert len({request.seed for request in model.requests}) == 8
        assert len({request.prompt for request in model.requests}) == 1

    async def test_seeds_depend_on_the_place_and_the_step_alone(self) -> None:
        async def seeds(*place: str | int, seed: int = 0) -> list[int]:
            model = Logged(SOLUTION)
            one = await expander(model, seed=seed)
            (path,) = await one.expand(Path(), 1, *place)
            await one.expand(path, 2, *place)
            return [request.seed for request in model.requests]

        assert await seeds(1) == await seeds(1)
        assert not set(await seeds(1)) & set(await seeds(2))
        assert not set(await seeds(1)) & set(await seeds(1, seed=1))

    async def test_a_model_that_cannot_continue_gives_whole_trajectories_only(self) -> None:
        model = ScriptedModel("a\nb", capabilities=Capabilities(continues=False))
        one = await expander(model)
        (path,) = await one.expand(Path(), 1)
        assert (await one.finish(Path())).steps == ("a\n", "b")
        with pytest.raises(MissingCapability, match=r"cannot continue.*best of n"):
            await one.expand(path, 1)


class TestClosing:
    async def test_a_stream_is_closed_at_the_end_of_its_step(self) -> None:
        model = Logged(SOLUTION)
        one = await expander(model)
        paths = await one.expand(Path(), 5)
        length = len((await one.finish(Path())).payload[1]["ids"])
        assert [len(path.payload[1]["ids"]) for path in paths] == [length] * 5
        assert model.log[:5] == [length] * 5  # not one token more was streamed
        assert model.now == 0

    @pytest.mark.usefixtures("virtual_time")
    async def test_where_one_branch_breaks_the_others_are_closed(self) -> None:
        class Breaking(Logged):
            def go_on(self, prompt: str) -> Reply:
                if len(self.requests) == 3:
                    return ["8 ", Fault(StreamBroken("gone"))]
                return [" so", Delay(60), " on"]

        model = Breaking("")
        one = await expander(model)
        with pytest.raises(StreamBroken):
            await asyncio.wait_for(one.expand(Path(), 4), 600)
        assert model.now == 0
        assert total(one).calls == 4

    @pytest.mark.usefixtures("virtual_time")
    async def test_a_search_that_is_cancelled_leaves_no_stream(self) -> None:
        model = Logged(SOLUTION, wait=60)
        one = await expander(model)
        task = asyncio.ensure_future(beam(PROBLEM, one, RuleScorer(GAME), 4))
        await asyncio.sleep(0.05)
        assert model.now == 4
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert model.now == 0

    async def test_a_stream_that_breaks_is_continued_from_where_it_broke(self) -> None:
        class Once(Logged):
            def go_on(self, prompt: str) -> Reply:
                cut = [SOLUTION[:20], Fault(StreamBroken("gone"))]
                return cut if len(self.requests) == 1 else super().go_on(prompt)

        model = Once(SOLUTION)
        one = await expander(model, retries=1)
        assert (await one.finish(Path())).text == SOLUTION
        assert total(one).calls == 2
        with pytest.raises(ModelUnavailable):
            await (await expander(ScriptedModel([Fault(ModelUnavailable("no"))]))).finish(Path())

    @pytest.mark.usefixtures("virtual_time")
    @pytest.mark.parametrize("search", [best_of_n, beam, lookahead])
    async def test_a_slow_iteration_keeps_no_other_one_waiting(self, search: Any) -> None:
        class Slow(Logged):
            def go_on(self, prompt: str) -> Reply:
                first = [Delay(60)] if len(self.requests) == 1 else []
                return [*first, *[super().go_on(prompt)]]  # type: ignore[list-item]

        one = await expander(Slow(SOLUTION))
        tasks = [
            asyncio.ensure_future(search(PROBLEM, one, RuleScorer(GAME), 2, k)) for k in range(3)
        ]
        done, waiting = await asyncio.wait(tasks, timeout=1)
        assert (done, waiting) == (set(tasks[1:]), {tasks[0]})
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class TestWithoutTags:
    """Models that were asked for tags, and write as they do."""

    async def test_a_paragraph_is_a_step_where_no_tag_is_opened(self) -> None:
        text = "First we add.\n\n<reasoning>a\n\nb</reasoning>\n<action>x</action>\n\nDone."
        one = await expander(ScriptedModel(text), boundary="tag", close="")
        path = await one.finish(Path())
        assert list(path.steps) == [
            "First we add.\n\n",
            "<reasoning>a\n\nb</reasoning>\n<action>x</action>",
            "\n\nDone.",
        ]

    async def test_a_long_step_is_cut_behind_a_sentence(self) -> None:
        text = ("It goes on and on. " * 40).rstrip()
        one = await expander(ScriptedModel(text), boundary="tag", close="", step_tokens=32)
        path = await one.finish(Path())
        assert len(path.steps) > 1
        assert all(step.rstrip().endswith("on.") for step in path.steps)
        assert all(step.startswith(("It", " It")) for step in path.steps)
        assert max(len(operation["ids"]) for operation in path.payload[1:]) <= 32


class TestBudgets:
    async def test_a_step_that_never_ends_is_cut(self) -> None:
        model = ScriptedModel(" so" * 100)
        one = await expander(model, step_tokens=7)
        path = await one.finish(Path(), steps=3)
        assert path.steps == (" so" * 7,) * 3
        (longer,) = await one.expand(path, 1)
        assert len(longer.steps) == 4

    async def test_the_answer_part_is_cut_by_the_path_alone(self) -> None:
        model = ScriptedModel(f"a\n{CLOSE}" + " so" * 50)
        path = await (await expander(model, step_tokens=5, max_tokens=30)).finish(Path())
        assert [len(operation["ids"]) for operation in path.payload[1:]] == [2, 28]
        assert not path.done

    async def test_a_path_has_so_many_tokens(self) -> None:
        model = ScriptedModel(" so" * 100)
        one = await expander(model, max_tokens=10, step_tokens=4)
        path = await one.finish(Path())
        assert [len(operation["ids"]) for operation in path.payload[1:]] == [4, 4, 2]
        assert not path.done
        assert await one.expand(path, 3) == [path] * 3
        assert model.streamed == 10

    async def test_a_path_fills_the_context_and_no_more(self) -> None:
        model = ScriptedModel(" so" * 5000)
        one = await expander(model, max_tokens=10**6)
        path = await one.finish(Path())
        assert len(Trace(path.payload).ids) == model.profile.context

    @pytest.mark.parametrize("n", [1, 3, 50])
    async def test_all_paths_together_have_so_many_tokens(self, n: int) -> None:
        model = ScriptedModel(" so" * 100)
        one = await expander(model, budget=120)
        paths = await one.expand(Path(), n)
        assert one.generated == model.streamed
        assert one.generated <= 120 + n
        assert (await one.finish(paths[0])).steps == paths[0].steps or n == 1

    @pytest.mark.parametrize("search", [best_of_n, beam, lookahead])
    async def test_sizes_beyond_the_budget_end(self, search: Any) -> None:
        model = Logged(*(f"{line}" * 50 for line in ("a\n", "b b\n")))
        one = await expander(model, budget=500)
        found = await search(PROBLEM, one, RuleScorer(GAME), 40)
        assert one.generated <= 500 + 40 * 40
        assert not found.best.done


class TestLedger:
    WAYS = (
        SOLUTION,
        "8 / 8 = 1 (left: 1 4 7)\n4 + 7 = 12 (left: 1 12)\nso\n",
        "8 - 7 = 2 (left: 2 4 8)\n2 * 4 = 8 (left: 8 8)\nand so on\n",
        "8 - 7 = 1 (left: 1 4 8)\n4 * 8 = 32 (left: 1 32)\nno\n",
    )

    @pytest.mark.parametrize(("search", "size"), [(best_of_n, 6), (beam, 3), (lookahead, 2)])
    async def test_it_is_what_the_model_s_own_log_says(self, search: Any, size: int) -> None:
        model = Logged(*self.WAYS)
        one = await expander(model, seed=3)
        found = await search(PROBLEM, one, RuleScorer(GAME), size)
        cost = total(one)
        assert cost.generated == sum(model.log) == model.streamed == one.generated
        assert cost.calls == len(model.log) == len(model.requests)
        assert cost.prompt == sum(len(request.prompt) for request in model.requests)
        kept = {id(o): len(o["ids"]) for path in found.paths for o in path.payload[1:]}
        entries = one.model.entries | one.wasted(found.paths)
        whole = ledger.total(entries)
        assert whole.wasted == sum(model.log) - sum(kept.values())
        assert (whole.generated, whole.calls) == (cost.generated, cost.calls)
        assert (whole.wasted == 0) == (search is best_of_n)

    async def test_what_was_found_is_the_right_path(self) -> None:
        for search, size in ((best_of_n, 30), (beam, 6), (lookahead, 3)):
            one = await expander(Logged(*self.WAYS), seed=1)
            options: dict[str, Any] = {"candidates": 6} if search is lookahead else {}
            found = await search(PROBLEM, one, RuleScorer(GAME), size, **options)
            assert found.best.text == SOLUTION
            assert found.best.scores == (1.0,) * 4


@pytest.mark.slow
async def test_the_bundled_model_goes_on_from_its_own_steps() -> None:
    model = await connect("embedded")
    prompt = await segment(model, "prompt", model.profile.render("game24: 4 7 8 8"))
    one = TraceExpander(Metered(model, "solver", "0"), [prompt.operation()], "p", close=CLOSE)
    found = await beam(PROBLEM, one, RuleScorer(GAME, hopeless=True, unread=1.0), 2)
    assert found.best.done
    *lines, answer = found.best.steps
    assert all(line.strip() and line.endswith("\n") for line in lines)
    assert answer.startswith(CLOSE)
    assert len(found.best.scores) == len(found.best.steps)
    trace = Trace(found.best.payload)
    assert trace.body == found.best.text
    assert tuple(trace.ids[len(prompt.ids) :]) == tuple(
        i for operation in found.best.payload[1:] for i in operation["ids"]
    )
    assert total(one).generated == one.generated
    await close_all()
