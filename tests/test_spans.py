"""Spans by the GenAI conventions: one tree a run, the same that LangChain's listeners see."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tools import tool
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import agentflow
from agentflow import domains, telemetry
from agentflow.domains import Domain
from agentflow.errors import ModelUnavailable
from agentflow.ledger import total
from agentflow.models import Fault, ScriptedModel
from agentflow.problem import Problem
from agentflow.verdict import Verdict
from agentflow.version import install

PUZZLE = "4 7 8 8"
REPLY = (
    "<think>\n8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n</think>\n"
    "Answer: \\boxed{(7 - 8 / 8) * 4}"
)
Tree = Any


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What a program that set a provider has received; a provider can be set once a process."""
    found, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(found))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    yield found
    provider.shutdown()


def tree(spans: tuple[ReadableSpan, ...], root: ReadableSpan) -> Tree:
    """(name, children) of a span, in no order of time."""
    assert root.context is not None
    below = [
        one
        for one in spans
        if one.parent is not None and one.parent.span_id == root.context.span_id
    ]
    return root.name, sorted(tree(spans, one) for one in below)


def roots(spans: tuple[ReadableSpan, ...]) -> list[ReadableSpan]:
    return [one for one in spans if one.parent is None]


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


class Recording(BaseCallbackHandler):
    """The tree that LangSmith and Langfuse are told."""

    run_inline = True

    def __init__(self) -> None:
        self.runs: dict[UUID, tuple[str, UUID | None, list[str]]] = {}

    def on_chain_start(self, serialized: Any, inputs: Any, **more: Any) -> None:
        self._begun(more["name"], more, more["tags"])

    def on_chat_model_start(self, serialized: Any, messages: Any, **more: Any) -> None:
        self._begun(serialized["name"], more)

    def on_tool_start(self, serialized: Any, input_str: str, **more: Any) -> None:
        self._begun(serialized["name"], more)

    def _begun(self, name: str, more: Any, tags: Sequence[str] = ()) -> None:
        self.runs[more["run_id"]] = name, more["parent_run_id"], list(tags or ())

    def tree(self, at: UUID | None = None) -> list[Tree]:
        """Of what is no write and no edge of LangGraph's."""
        found: list[Tree] = []
        for run, (name, parent, tags) in self.runs.items():
            if parent == at and any(t.startswith(("langsmith:h", "seq:step")) for t in tags):
                found += self.tree(run)
            elif parent == at:
                found.append((name, self.tree(run)))
        return sorted(found)


def plain(found: Tree) -> Tree:
    """A tree of spans with the names that callbacks know."""
    name, below = found
    for word in ("invoke_workflow ", "text_completion ", "chat ", "execute_tool "):
        name = name.removeprefix(word)
    return name, sorted(map(plain, below))


@pytest.mark.parametrize("method", ["direct", "interwhen", "sampling", "unified"])
async def test_a_run_is_one_tree_and_callbacks_see_the_same(
    method: str, exporter: InMemorySpanExporter
) -> None:
    recording = Recording()
    await agentflow.asolve(PUZZLE, method, model=ScriptedModel(REPLY), callbacks=[recording])
    spans = exporter.get_finished_spans()
    (root,) = roots(spans)
    assert [plain(tree(spans, root))] == recording.tree()
    told = attributes(root)
    assert told["gen_ai.operation.name"] == "invoke_workflow"
    assert told["agentflow.status"] in ("verified", "accepted", "unverified")


async def test_requests_verdicts_and_tokens(exporter: InMemorySpanExporter) -> None:
    result = await agentflow.asolve(PUZZLE, "interwhen", model=ScriptedModel(REPLY, name="m"))
    spans = exporter.get_finished_spans()
    asked = [one for one in spans if one.kind is trace.SpanKind.CLIENT]
    used = [attributes(one) for one in asked]
    cost = total(result.ledger)
    assert sum(one["gen_ai.usage.input_tokens"] for one in used) == cost.prompt
    assert sum(one["gen_ai.usage.output_tokens"] for one in used) == cost.generated
    assert {one["gen_ai.request.model"] for one in used} == {"m"}
    assert {one["gen_ai.operation.name"] for one in used} == {"text_completion"}
    assert used[-1]["gen_ai.response.finish_reasons"] == ("stop",)
    verdicts = [dict(e.attributes or {}) for one in spans for e in one.events]
    told = [one for one in result.events if one["type"] == "verdict"]
    assert len(verdicts) == len(told) > 1
    assert {one["agentflow.domain"] for one in verdicts} == {"game24"}
    words = {True: "passed", False: "refuted", None: "undecided"}
    assert sorted(one["gen_ai.evaluation.score.label"] for one in verdicts) == sorted(
        words[one.get("verdict", one)["ok"]] for one in told
    )
    assert all(one["agentflow.verifier"] for one in verdicts)


async def test_runs_side_by_side_are_trees_of_their_own(exporter: InMemorySpanExporter) -> None:
    given = [agentflow.asolve(PUZZLE, "sampling", model=ScriptedModel(REPLY)) for _ in range(3)]
    await asyncio.gather(*given)
    spans = exporter.get_finished_spans()
    found = [tree(spans, one) for one in roots(spans)]
    assert len(found) == 3
    assert found[0] == found[1] == found[2]
    assert len({one.context.trace_id for one in spans if one.context}) == 3


class Checked(Domain):
    """Answers that a tool judges."""

    name, complete = "checked", True
    description, example = "Say yes.", "Yes?"

    def parse(self, text: str, id: str = "") -> Problem:
        return Problem(text, self.name, id or text, data={"prompt": text})

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        use = await self.toolbox.use("checker", word=answer)
        return Verdict(use.content == "right", source=self.name)


@tool
def checker(word: str) -> str:
    """Whether the answer is yes."""
    return "right" if word == "yes" else "wrong"


async def test_a_tool_is_a_span_below_its_node(
    exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(domains.DOMAINS, "checked", Checked)
    model, given = ScriptedModel("Answer: yes"), {"checker": checker}
    await agentflow.asolve("Yes?", "direct", model=model, domain="checked", tools=given)
    spans = exporter.get_finished_spans()
    names = {one.context.span_id: one.name for one in spans if one.context}
    (used,) = (one for one in spans if one.name == "execute_tool checker")
    told = attributes(used)
    assert (told["gen_ai.operation.name"], told["gen_ai.tool.name"]) == ("execute_tool", "checker")
    assert used.parent is not None
    assert names[used.parent.span_id] in ("verify", "finish")


@pytest.mark.parametrize("wanted", ["", "true", "span_only", "no_content"])
async def test_contents_are_left_out_unless_the_user_opts_in(
    wanted: str, exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", wanted)
    await agentflow.asolve(PUZZLE, "interwhen", model=ScriptedModel(REPLY))
    written = "".join(one.to_json() for one in exporter.get_finished_spans())
    assert ("left: 1 4 7" in written) is (wanted in ("true", "span_only"))
    assert (PUZZLE in written) is (wanted in ("true", "span_only"))


async def test_an_error_ends_its_spans_without_what_was_said(
    exporter: InMemorySpanExporter,
) -> None:
    error = ModelUnavailable("no 4 7 8 8 here", 503)
    error.request_id = "req_1"
    with pytest.raises(ModelUnavailable):
        await agentflow.asolve(PUZZLE, "direct", model=ScriptedModel([Fault(error)]), retries=0)
    spans = exporter.get_finished_spans()
    asked = next(one for one in spans if one.kind is trace.SpanKind.CLIENT)
    told = attributes(asked)
    assert (told["error.type"], told["http.response.status_code"]) == ("ModelUnavailable", 503)
    assert told["agentflow.request_id"] == "req_1"
    assert roots(spans)[0].status.status_code is trace.StatusCode.ERROR
    assert PUZZLE not in "".join(one.to_json() for one in spans)


async def test_a_run_goes_on_with_the_trace_of_whoever_asks(
    exporter: InMemorySpanExporter,
) -> None:
    trace_id, span_id = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    with telemetry.continued({"traceparent": f"00-{trace_id}-{span_id}-01"}):
        await agentflow.asolve(PUZZLE, "direct", model=ScriptedModel(REPLY))
    spans = exporter.get_finished_spans()
    assert {one.context.trace_id for one in spans if one.context} == {int(trace_id, 16)}
    (root,) = (one for one in spans if one.name.startswith("invoke_workflow"))
    assert root.parent is not None
    assert root.parent.span_id == int(span_id, 16)


def test_without_a_provider_nothing_is_imported() -> None:
    code = (
        "import sys, agentflow; from agentflow.models import ScriptedModel\n"
        f"agentflow.solve({PUZZLE!r}, 'direct', model=ScriptedModel({REPLY!r}))\n"
        "print([m for m in ('agentflow.spans', 'opentelemetry.exporter') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_environment_says_where_a_command_sends_its_spans() -> None:
    code = (
        "import json, os\n"
        "from agentflow import telemetry\n"
        "said = telemetry.set_up(), telemetry.listener() is None\n"
        "os.environ['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:9'\n"
        "os.environ['OTEL_SDK_DISABLED'] = 'true'\n"
        "off = telemetry.set_up(), telemetry.listener() is None\n"
        "del os.environ['OTEL_SDK_DISABLED']\n"
        "print(json.dumps([said, off, telemetry.set_up(), telemetry.listener() is None]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert json.loads(done.stdout) == [["", True], ["", True], "", False], done.stderr


def test_without_its_packages_how_to_install_them_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)
    said = f"no traces are sent to OTEL_EXPORTER_OTLP_ENDPOINT: {install('otel')}"
    assert telemetry.set_up() == said


async def test_a_stream_that_is_closed_is_no_error(exporter: InMemorySpanExporter) -> None:
    wrong = "8 / 8 = 2 (left: 2 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
    model = ScriptedModel({r"<think>\n": f"{wrong}</think>\n", r"Wait, .*\n": REPLY[8:]})
    said = await agentflow.asolve(PUZZLE, "interwhen", model=model)
    assert said.corrections == 1
    spans = exporter.get_finished_spans()
    chats = [attributes(one) for one in spans if one.kind is trace.SpanKind.CLIENT]
    reasons = [one.get("gen_ai.response.finish_reasons") for one in chats]
    assert ("closed",) in reasons
    assert not any("error.type" in one for one in chats)
    assert all(one["gen_ai.usage.output_tokens"] > 0 for one in chats)
