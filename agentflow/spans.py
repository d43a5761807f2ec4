"""Spans of a run, by OpenTelemetry's conventions for generative AI (status: development, 2026).

One listener makes them of LangChain's callbacks, so that they are the tree that LangSmith and
Langfuse show: the run, its nodes, requests to models, calls of tools. A verdict is an event of the
node that came to it. What was asked and said is left out, unless the user opted in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult
from langgraph.errors import GraphBubbleUp
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context

_HIDDEN = ("langsmith:hidden", "seq:step:")
"""Tags of what LangGraph runs beside the nodes: writes and edges."""
_PROVIDERS = {"azure": "azure.ai.openai", "gemini": "gcp.gemini", "google_genai": "gcp.gemini"}
"""Providers by the conventions' names, where ours, or LangChain's, are others."""
_ASKED = {
    "max_tokens": "gen_ai.request.max_tokens",
    "max_completion_tokens": "gen_ai.request.max_tokens",
    "temperature": "gen_ai.request.temperature",
    "top_p": "gen_ai.request.top_p",
    "seed": "gen_ai.request.seed",
}
_ROLES = {"human": "user", "ai": "assistant"}
_SAID = {True: "passed", False: "refuted", None: "undecided"}


class Spans(BaseCallbackHandler):
    """The spans of one run.

    Args:
        tracer: Makes them.
        content: Whether prompts, replies, arguments and reasons stand in them.
    """

    run_inline = True

    def __init__(self, tracer: Tracer, *, content: bool = False) -> None:
        self._tracer, self._content = tracer, content
        self._at: dict[UUID | None, Span] = {}  # also of what has no span: its parent's
        self._open: dict[UUID, Span] = {}

    def close(self) -> None:
        """End what is open still, of a run that was abandoned."""
        for run in list(self._open):
            self._end(run)

    def _begin(
        self,
        run: UUID,
        parent: UUID | None,
        name: str,
        kind: SpanKind,
        attributes: Mapping[str, Any],
    ) -> None:
        above = self._at.get(parent)
        context = None if above is None else set_span_in_context(above)
        known = {key: value for key, value in attributes.items() if value not in (None, "")}
        self._at[run] = self._open[run] = self._tracer.start_span(
            name, context, kind=kind, attributes=known
        )

    def _end(self, run: UUID, attributes: Mapping[str, Any] | None = None) -> None:
        if (span := self._open.pop(run, None)) is not None:
            span.set_attributes(
                {k: v for k, v in (attributes or {}).items() if v not in (None, "")}
            )
            span.end()

    def _fail(self, run: UUID, error: BaseException) -> None:
        if (span := self._open.get(run)) is not None:
            said = str(error) if self._content else None  # it may repeat what was asked
            span.set_status(Status(StatusCode.ERROR, said))
        status: int = getattr(error, "status", 0)
        told = {
            "error.type": type(error).__name__,
            "http.response.status_code": status or None,
            "agentflow.request_id": getattr(error, "request_id", ""),
        }
        self._end(run, told)

    # The run and its nodes

    def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """A graph or a node begins."""
        above, name = self._at.get(parent_run_id), kwargs.get("name") or "run"
        if above is not None and any(tag.startswith(_HIDDEN) for tag in tags or ()):
            self._at[run_id] = above
            return
        if above is None:
            thread = (metadata or {}).get("thread_id")
            about = {
                "gen_ai.operation.name": "invoke_workflow",
                "gen_ai.workflow.name": name,
                "gen_ai.conversation.id": thread,
            }
            self._begin(run_id, None, f"invoke_workflow {name}", SpanKind.INTERNAL, about)
            return
        branch = inputs.get("branch") if isinstance(inputs, Mapping) else None
        about = {"agentflow.node": name, "agentflow.branch": branch}
        self._begin(run_id, parent_run_id, name, SpanKind.INTERNAL, about)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """It ends; the whole run with a status."""
        result = outputs.get("result") if isinstance(outputs, Mapping) else None
        status = result.get("status") if isinstance(result, Mapping) else None
        self._end(run_id, {"agentflow.status": status})

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """It failed, or waits for a person."""
        if isinstance(error, GraphBubbleUp):
            self._end(run_id, {"agentflow.status": "paused"})
        else:
            self._fail(run_id, error)

    def on_verdict(self, verdict: Mapping[str, Any], domain: str, run_id: UUID | None) -> None:
        """A node came to a verdict."""
        span = self._at.get(run_id)
        if span is None:
            return
        said = verdict.get("verdict", verdict)  # that on a state stands beside it
        told = {
            "gen_ai.evaluation.name": verdict.get("monitor"),
            "gen_ai.evaluation.score.label": _SAID[said["ok"]],
            "gen_ai.evaluation.explanation": said.get("reason") if self._content else None,
            "agentflow.domain": domain,
            "agentflow.verifier": said.get("source") or verdict.get("monitor"),
            "agentflow.verdict.kind": said.get("kind"),
            "agentflow.verdict.final": bool(verdict.get("final")),
        }
        known = {key: value for key, value in told.items() if value not in (None, "")}
        span.add_event("gen_ai.evaluation.result", known)

    # Requests to models

    def on_chat_model_start(
        self,
        serialized: dict[str, Any] | None,
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """A request begins."""
        asked, known = kwargs.get("invocation_params") or {}, metadata or {}
        model = known.get("ls_model_name") or asked.get("model") or "unknown"
        provider = str(known.get("ls_provider") or "unknown")
        operation = asked.get("operation", "chat")
        at = urlsplit(str(asked.get("base_url") or ""))
        about = {
            "gen_ai.operation.name": operation,
            "gen_ai.provider.name": _PROVIDERS.get(provider, provider),
            "gen_ai.request.model": model,
            "server.address": at.hostname,
            "server.port": at.port if at.hostname else None,
        } | {name: asked.get(key) for key, name in _ASKED.items() if asked.get(key) is not None}
        if self._content:
            about["gen_ai.input.messages"] = _messages(messages[0] if messages else [])
        self._begin(run_id, parent_run_id, f"{operation} {model}", SpanKind.CLIENT, about)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """It is answered."""
        first = response.generations[0][0] if response.generations else None
        message: Any = getattr(first, "message", None)
        used: Any = getattr(message, "usage_metadata", None) or {}
        said: Any = getattr(message, "response_metadata", None) or {}
        reason = said.get("finish_reason") or said.get("stop_reason") or said.get("done_reason")
        told = {
            "gen_ai.usage.input_tokens": used.get("input_tokens"),
            "gen_ai.usage.output_tokens": used.get("output_tokens"),
            "gen_ai.usage.cache_read.input_tokens": _part(used, "input", "cache_read"),
            "gen_ai.usage.reasoning.output_tokens": _part(used, "output", "reasoning"),
            "gen_ai.response.finish_reasons": [str(reason)] if reason else None,
            "gen_ai.response.model": said.get("model_name"),
        }
        if self._content and message is not None:
            told["gen_ai.output.messages"] = _messages([message], reason)
        self._end(run_id, told)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """It failed."""
        self._fail(run_id, error)

    # Calls of tools

    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """A tool is called."""
        name = (serialized or {}).get("name") or kwargs.get("name") or "tool"
        about = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": kwargs.get("tool_call_id"),
            "gen_ai.tool.call.arguments": input_str if self._content else None,
        }
        self._begin(run_id, parent_run_id, f"execute_tool {name}", SpanKind.INTERNAL, about)

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """It answered."""
        failed = getattr(output, "status", "") == "error"
        if failed and (span := self._open.get(run_id)) is not None:
            span.set_status(Status(StatusCode.ERROR))
        said = str(getattr(output, "content", output)) if self._content else None
        told = {"gen_ai.tool.call.result": said, "error.type": "tool_error" if failed else None}
        self._end(run_id, told)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """It raised."""
        self._fail(run_id, error)


def _part(used: Mapping[str, Any], side: str, name: str) -> int | None:
    """Tokens of a kind, where there are any."""
    return (used.get(f"{side}_token_details") or {}).get(name) or None


def _messages(messages: Sequence[BaseMessage], reason: str | None = None) -> str:
    """Messages by the conventions' schema."""
    ending = {"finish_reason": reason} if reason else {}
    told = [
        {"role": _ROLES.get(one.type, one.type), "parts": [{"type": "text", "content": one.text}]}
        | ending
        for one in messages
    ]
    return json.dumps(told, ensure_ascii=False)
