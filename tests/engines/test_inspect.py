"""The real Inspect: `make test-inspect` installs it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect_ai is not installed; see make test-inspect")

import anyio
from inspect_ai import Task, eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import includes
from inspect_ai.tool import ToolInfo
from inspect_ai.util import registry_info

from agentflow import graphs
from agentflow.errors import BadInput, ModelUnavailable, StreamBroken
from agentflow.generators import GENERATORS
from agentflow.inspect_ai import AgentflowAPI, dataset, judged, method
from agentflow.inspect_ai import tasks as our_tasks
from agentflow.inspect_ai.runs import NAME, configured, output_of, problem_in, seeded, to_end
from agentflow.models import close_all
from agentflow.run import Result

PUZZLE = ChatMessageUser(content="4 7 8 8", metadata={NAME: {"domain": "game24", "id": "p"}})
RIGHT = "8 - 7 = 1\n4 - 1 = 3\n8 * 3 = 24\nSo \\boxed{8 * ( 4 - ( 8 - 7 ) )}"
WRONG = "8 - 7 = 2\n\\boxed{8 * ( 4 + ( 8 - 7 ) )}"

Reply = Callable[..., Any]


def said(text: str, tokens: int = 20, **more: Any) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/model", text, **more)
    output.usage = ModelUsage(input_tokens=7, output_tokens=tokens, total_tokens=7 + tokens)
    return output


def puzzles(*more: Sample) -> Task:
    """One puzzle, and what else is given, under our scorer."""
    told = {NAME: {"domain": "game24", "id": "p"}}
    samples = [Sample(input=[PUZZLE], id="p", metadata=told), *more]
    return Task(dataset=MemoryDataset(samples, name="puzzles"), scorer=judged())


def other(text: str, id: str) -> Sample:
    told = {NAME: {"domain": "game24", "id": id}}
    return Sample(input=[ChatMessageUser(content=text, metadata=told)], id=id, metadata=told)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., EvalLog]:
    """An evaluation of a task on a scripted model."""

    def ran(task: Task, reply: Reply, **more: Any) -> EvalLog:
        model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
        given = {"model": model, "log_dir": str(tmp_path), "display": "none"} | more
        (log,) = eval(task, **given)
        return log

    return ran


def ours(sample: EvalSample) -> dict[str, Any]:
    return dict((sample.output.metadata or {})[NAME])


def scores(log: EvalLog) -> dict[str, float]:
    """The means of our scorer."""
    assert log.results is not None
    return {one.name: one.metrics["mean"].value for one in log.results.scores}


def test_a_method_drives_the_evaluations_model(run: Callable[..., EvalLog]) -> None:
    asked: list[list[str]] = []

    def reply(messages: list[Any], *rest: Any) -> ModelOutput:
        asked.append([one.role for one in messages])
        return said(WRONG if len(asked) == 1 else RIGHT, 10 * len(asked))

    log = run(puzzles(), reply, solver=method("interwhen"))
    assert log.status == "success"
    (sample,) = log.samples or []
    assert asked[1][-2:] == ["assistant", "user"], "the second call shows the model its own turn"
    result = ours(sample)
    assert (result["status"], result["answer"]) == ("verified", "8 * ( 4 - ( 8 - 7 ) )")
    assert result["corrections"] == 1
    calls = [event for event in sample.events if event.event == "model"]
    used = sum(event.output.usage.total_tokens for event in calls if event.output.usage)
    assert used == sample.model_usage["mockllm/model"].total_tokens == 14 + 10 + 20
    assert result["cost"]["generated"] == 30
    assert sample.output.usage == sample.model_usage["mockllm/model"]
    infos = [event for event in sample.events if event.event == "info" and event.source == NAME]
    assert {"verdict", "intervention"} == {event.data["type"] for event in infos}
    score = (sample.scores or {})["judged"]
    assert score.value == {"right": 1, "wrong": 0, "no_answer": 0, "undecided": 0}
    assert (score.metadata or {})["status"] == "verified"
    assert sample.messages[-1].text == sample.output.completion


def test_an_abstention_is_said_to_be_one(run: Callable[..., EvalLog]) -> None:
    log = run(puzzles(), lambda *_: said(WRONG), solver=method("interwhen", max_corrections=1))
    (sample,) = log.samples or []
    assert sample.output.completion == "", "no word that could be taken for an answer"
    score = (sample.scores or {})["judged"]
    assert score.value == {"right": 0, "wrong": 0, "no_answer": 1, "undecided": 0}
    assert score.reason == (score.metadata or {})["status"] == "abstained"
    assert "too many corrections" in str(score.explanation)
    assert scores(log) == {"right": 0, "wrong": 0, "no_answer": 1, "undecided": 0}


@pytest.mark.parametrize(
    ("text", "value", "status"),
    [
        (RIGHT, "right", "verified"),
        (f"<think>\nso\n</think>\n{RIGHT}", "right", "verified"),
        ("\\boxed{4 + 7 + 8 + 8}", "wrong", "unverified"),
        ("I do not know.", "no_answer", "no_response"),
        ("<think>\n\\boxed{8 * ( 4 - ( 8 - 7 ) )}", "no_answer", "no_response"),
        ("\\boxed{24, I think}", "undecided", "unverified"),
    ],
)
def test_the_scorer_judges_any_models_text(
    run: Callable[..., EvalLog], text: str, value: str, status: str
) -> None:
    (sample,) = run(puzzles(), lambda *_: said(text)).samples or []
    score = (sample.scores or {})["judged"]
    assert [name for name, one in dict(score.value).items() if one] == [value]  # type: ignore[arg-type]
    assert (score.metadata or {})["status"] == status


def test_gold_answers_decide_where_no_verifier_does(run: Callable[..., EvalLog]) -> None:
    told = {NAME: {"domain": "math", "id": "q"}}
    asked = "Ann has 14 apples and gives half of them away. How many apples does Ann have?"
    question = ChatMessageUser(content=asked, metadata={NAME: told[NAME]})
    samples = [
        Sample(input=[question], id="half", target="7", metadata=told),
        Sample(input=[question], id="none", target="8", metadata=told),
    ]
    task = Task(dataset=MemoryDataset(samples), scorer=judged())
    assert scores(run(task, lambda *_: said("Answer: 7")))["right"] == 0.5


def test_epochs_have_seeds_of_their_own(run: Callable[..., EvalLog]) -> None:
    log = run(puzzles(), lambda *_: said(RIGHT), solver=method("direct", seed=3), epochs=2)
    assert sorted(ours(one)["seed"] for one in log.samples or []) == [3, 4]


def test_the_token_limit_is_inspects(run: Callable[..., EvalLog]) -> None:
    solver = method("interwhen", max_corrections=9)
    log = run(puzzles(), lambda *_: said(WRONG, 40), solver=solver, token_limit=100)
    (sample,) = log.samples or []
    assert sample.limit is not None
    assert sample.limit.type == "token"
    assert 100 < sample.model_usage["mockllm/model"].total_tokens < 150
    assert (sample.scores or {})["judged"].reason == "no_response"


async def never(*_: Any) -> ModelOutput:
    await asyncio.Event().wait()
    raise AssertionError


def test_the_time_limit_is_inspects(run: Callable[..., EvalLog]) -> None:
    log = run(puzzles(), never, solver=method("interwhen"), time_limit=1)
    assert log.status == "success"
    (sample,) = log.samples or []
    assert sample.limit is not None
    assert sample.limit.type == "time"


def test_samples_run_side_by_side(run: Callable[..., EvalLog]) -> None:
    waiting = 0
    all_there = asyncio.Event()

    async def reply(*_: Any) -> ModelOutput:
        nonlocal waiting
        waiting += 1
        if waiting == 3:
            all_there.set()
        await all_there.wait()
        return said(RIGHT)

    task = puzzles(other("4 7 8 8", "q"), other("4 7 8 8", "r"))
    assert scores(run(task, reply, solver=method("direct")))["right"] == 1


def test_an_error_is_its_samples(run: Callable[..., EvalLog]) -> None:
    task = puzzles(other("no puzzle", "bad"))
    log = run(task, lambda *_: said(RIGHT), solver=method("direct"), fail_on_error=False)
    assert log.status == "success"
    errors = {one.id: one.error for one in log.samples or []}
    assert errors["p"] is None
    assert "game24" in str(errors["bad"])


def test_what_a_provider_raises_is_the_samples_error(run: Callable[..., EvalLog]) -> None:
    def reply(*_: Any) -> ModelOutput:
        raise ZeroDivisionError("of the provider")

    log = run(puzzles(), reply, solver=method("sampling"))
    assert log.status == "error"
    assert "of the provider" in str(log.error)


def test_a_reply_that_is_withheld_is_no_answer(run: Callable[..., EvalLog]) -> None:
    log = run(puzzles(), lambda *_: said("", stop_reason="content_filter"), solver=method("direct"))
    assert "withholds" in str(log.error)


async def test_what_inspect_cancels_is_put_away() -> None:
    done: list[str] = []

    async def work() -> Result:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            done.append("put away")
        raise AssertionError

    with anyio.CancelScope() as scope:
        asyncio.get_running_loop().call_soon(scope.cancel)
        await to_end(work())
    assert scope.cancelled_caught
    assert done == ["put away"]


def test_without_asyncio_it_says_so() -> None:
    async def work() -> Result:
        raise AssertionError

    with pytest.raises(BadInput, match="asyncio"):
        to_end(work()).send(None)


def test_a_conversation_is_one_problem() -> None:
    assert problem_in([PUZZLE]) == ({"text": "4 7 8 8", "id": "p"}, {"domain": "game24"})
    spoken = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content="What is 2 + 2?")]
    whole = "[Instructions]\nBe brief.\n\n[User]\nWhat is 2 + 2?"
    assert problem_in(spoken) == ({"text": whole}, {})


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [ChatMessageAssistant(content="It is 4.")],
        [ChatMessageUser(content="2 + 2?"), ChatMessageTool(content="4")],
        [ChatMessageUser(content=[ContentImage(image="data:image/png;base64,AA==")])],
        [ChatMessageUser(content="2 + 2?"), ChatMessageUser(content=" \n")],
        [ChatMessageUser(content=[ContentReasoning(reasoning="2 + 2?")])],
    ],
)
def test_messages_that_no_method_reads(messages: list[Any]) -> None:
    with pytest.raises(BadInput, match="message"):
        problem_in(messages)


def test_configuration_is_kept_to_or_refused() -> None:
    config = GenerateConfig(max_tokens=9, temperature=0, seed=4, max_connections=3, num_choices=1)
    assert configured(config) == {"max_tokens": 9, "temperature": 0, "seed": 4}
    with pytest.raises(BadInput, match="stop_seqs, logprobs"):
        configured(GenerateConfig(stop_seqs=["."], logprobs=True))
    assert seeded({"seed": 4}) == {"seed": 4}
    assert len({seeded({})["seed"] for _ in range(5)}) > 1


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("interwen", {}, "interwhen"),
        ("interwhen", {"k_stabel": 2}, "k_stable"),
        ("interwhen", {"review": True}, "nobody who could be asked"),
        ("interwhen", {"api_key": "k"}, "key_env"),
    ],
)
def test_a_model_that_cannot_be_set_up_says_why(name: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(PrerequisiteError, match=why):
        get_model(f"agentflow/{name}", memoize=False, **given)


def test_a_data_set_that_is_none_says_why() -> None:
    with pytest.raises(PrerequisiteError, match="no such file"):
        dataset("nowhere.jsonl")


async def test_tools_are_refused() -> None:
    api = get_model("agentflow/direct", memoize=False).api
    tool = ToolInfo(name="shell", description="A shell.")
    with pytest.raises(BadInput, match="shell"):
        await api.generate([PUZZLE], [tool], "auto", GenerateConfig())


def test_a_lost_server_is_worth_a_retry() -> None:
    api = get_model("agentflow/direct", memoize=False).api
    assert isinstance(api, AgentflowAPI)
    assert api.should_retry(ModelUnavailable("gone"))
    assert api.should_retry(StreamBroken("gone"))
    assert not api.should_retry(BadInput("wrong"))


def test_every_method_and_domain_is_registered() -> None:
    from inspect_ai._util.registry import registry_lookup

    from agentflow.inspect_ai import registry

    assert registry.tasks is our_tasks
    for name in graphs.methods():
        assert registry_info(registry_lookup("solver", f"agentflow/{name}")).type == "solver"
    for name in ("dataset", "game24", *GENERATORS):
        assert registry_lookup("task", f"agentflow/{name}") is not None


def test_a_task_states_the_problem_to_other_models(run: Callable[..., EvalLog]) -> None:
    asked: list[str] = []

    def reply(messages: list[Any], *_: Any) -> ModelOutput:
        asked.append(messages[-1].text)
        return said("Answer: 1")

    log = run(dataset("generate:math?count=2&seed=5"), reply)
    assert sorted(scores(log)) == ["no_answer", "right", "undecided", "wrong"]
    texts = [one.input[0].text for one in log.samples or []]  # type: ignore[union-attr]
    assert all(any(text in one and len(one) > len(text) for one in asked) for text in texts)


def test_a_models_thinking_is_told_apart(run: Callable[..., EvalLog]) -> None:
    parts = [ContentReasoning(reasoning="8 - 7 = 1\n"), ContentText(text=RIGHT)]

    def reply(*_: Any) -> ModelOutput:
        output = said("")
        output.choices[0].message.content = parts
        return output

    (sample,) = run(puzzles(), reply, solver=method("direct")).samples or []
    assert ours(sample)["status"] == "verified"
    assert sample.output.message.content[0].reasoning.strip() == "8 - 7 = 1"  # type: ignore[union-attr]


def test_without_an_answer_there_is_no_text() -> None:
    result = Result(None, "exhausted", "the time is over", candidate="7")
    output = output_of(result, "m", 1)
    assert (output.completion, output.stop_reason) == ("", "max_tokens")
    assert (output.metadata or {})[NAME]["candidate"] == "7"


@pytest.mark.slow
async def test_the_bundled_model_is_counted_to_the_token() -> None:
    model = get_model("agentflow/interwhen", memoize=False)
    output = await model.generate([PUZZLE], config=GenerateConfig(seed=1))
    told, usage = (output.metadata or {})[NAME], output.usage
    assert usage is not None
    cached = usage.input_tokens_cache_read or 0
    assert usage.output_tokens == told["cost"]["generated"] > 0
    assert usage.input_tokens + cached == told["cost"]["prompt"] > 0
    assert usage.total_tokens == usage.input_tokens + cached + usage.output_tokens
    await close_all()


@pytest.mark.slow
def test_any_evaluation_runs_under_a_method(tmp_path: Path) -> None:
    """Neither the task nor its scorer knows of us."""
    samples = MemoryDataset([Sample(input="4 7 8 8", target="8"), Sample(input="1 1", target="1")])
    task = Task(dataset=samples, scorer=includes())
    model = get_model("agentflow/interwhen", domain="game24", max_tokens=2000, memoize=False)
    (log,) = eval(
        task, model=model, log_dir=str(tmp_path), display="none", seed=1, fail_on_error=False
    )
    good, bad = log.samples or []
    assert ours(good)["status"] == "verified"
    assert (good.scores or {})["includes"].value == "C"
    assert "four numbers" in str(bad.error) or "game24" in str(bad.error)
    usage = good.model_usage["agentflow/interwhen"]
    assert usage.output_tokens == ours(good)["cost"]["generated"]
