"""schemathesis over the HTTP surface: whatever is sent, the server is not at fault."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from pydantic import BaseModel
from serving import SOLVED, offers

from agentflow.models import ScriptedModel
from agentflow.server import ServeSettings, application
from agentflow.server.completions import CompletionRequest
from agentflow.server.messages import MessagesRequest
from agentflow.server.wire import ChatRequest

pytestmark = pytest.mark.slow  # to import schemathesis takes most of it

APP = application(ServeSettings(), offers(ScriptedModel(lambda prompt: SOLVED)))
SCHEMAS = "#/components/schemas/"
TEXTS = ["4 7 8 8", "1 1 1 1", "What is 2 + 2?"]
WANTED = {"model", "messages", "prompt", "role", "content"}
IDS = ["interwhen/scripted", "direct/scripted"]


def body(request: type[BaseModel], **narrowed: Any) -> dict[str, Any]:
    """The schema of a request, narrowed so that some of what is made of it is answered."""
    schema = request.model_json_schema(ref_template=SCHEMAS + "{model}")
    for part in (schema, schema["$defs"].get("Message")):
        if part is not None:
            part["additionalProperties"] = False
            part["required"] = sorted(WANTED & set(part["properties"]))
    chosen = {"domain": {"enum": ["game24", "math", "logic", "x"]}}
    if request is MessagesRequest:
        schema["required"].append("max_tokens")
    given = {"model": {"enum": IDS}, "agentflow": {"type": "object", "properties": chosen}}
    for name, one in (given | narrowed).items():
        schema["properties"][name] = one
    return schema


def often(schema: dict[str, Any], *examples: dict[str, Any]) -> dict[str, Any]:
    """The schema, of which these are made often: so that some requests are answered."""
    return {"anyOf": [{"enum": [{"model": IDS[0]} | one for one in examples]}, schema]}


def messages(request: type[BaseModel]) -> dict[str, Any]:
    """The schema of its messages: mostly one alone, of a user, with a text that is one."""
    content = {"anyOf": [{"enum": TEXTS}, {"type": "string"}]}
    said = {"role": {"const": "user"}, "content": content}
    message = {"type": "object", "properties": said, "required": list(said)}
    message["additionalProperties"] = False
    alone = {"type": "array", "items": message, "minItems": 1, "maxItems": 1}
    return {"anyOf": [alone, body(request)["properties"]["messages"]]}


SCHEMA_OF_ONE = {"type": "object", "properties": {"answer": {"type": "string"}}}
FORMATS = [
    {"type": "text"},
    {"type": "json_object"},
    {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA_OF_ONE}},
]
MANY = {"anyOf": [{"enum": [1, 2, None]}, {"type": "integer"}]}
STOP = {"anyOf": [{"enum": ["=", ["x", "4"], None]}, {"type": "array", "items": {}}]}
PROMPT = {"anyOf": [{"enum": TEXTS}, {"type": "array", "items": {"enum": [*TEXTS, 3, ""]}}]}
BODIES = {
    "/v1/chat/completions": body(
        ChatRequest,
        messages=messages(ChatRequest),
        n=MANY,
        stop=STOP,
        response_format={"anyOf": [{"enum": FORMATS}, {"type": "object"}]},
    ),
    "/v1/completions": body(CompletionRequest, prompt=PROMPT, n=MANY, stop=STOP),
    "/v1/messages": body(MessagesRequest, messages=messages(MessagesRequest)),
    "/v1/messages/count_tokens": {"type": "object"},
}
SAID = {"messages": [{"role": "user", "content": TEXTS[0]}]}
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "/v1/chat/completions": [SAID, SAID | {"n": 2, "stop": "="}, SAID | {"stream": True}],
    "/v1/completions": [{"prompt": TEXTS[0]}, {"prompt": TEXTS, "n": 2}],
    "/v1/messages": [SAID | {"max_tokens": 999}, SAID | {"max_tokens": 999, "stream": True}],
    "/v1/messages/count_tokens": [SAID],
}


def surface() -> dict[str, Any]:
    parts: dict[str, Any] = {}
    answers = {"responses": {"default": {"description": "a reply or an error"}}}
    id = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    keys = [
        {"name": name, "in": "header", "schema": {"type": "string"}}
        for name in ("authorization", "x-api-key")
    ]
    posts: dict[str, Any] = {}
    for path, schema in BODIES.items():
        prefix = path.replace("/", "_")
        text = json.dumps([schema.pop("$defs", {}), often(schema, *EXAMPLES[path])])
        defs, own = json.loads(
            text.replace("#/components/schemas/", f"#/components/schemas/{prefix}")
        )
        parts |= {prefix + name: one for name, one in defs.items()}
        content = {"application/json": {"schema": own}}
        posts[path] = {"post": {"parameters": keys, "requestBody": {"content": content}} | answers}
    return {
        "openapi": "3.1.0",
        "info": {"title": "agentflow", "version": "1"},
        "components": {"schemas": parts},
        "paths": posts
        | {
            "/v1/models": {"get": {"parameters": keys} | answers},
            "/v1/models/{id}": {"get": {"parameters": [id]} | answers},
            "/metrics": {"get": answers},
            "/health": {"get": answers},
        },
    }


SCHEMA = schemathesis.openapi.from_dict(surface())


@pytest.fixture
def seen() -> Iterator[list[tuple[str, int]]]:
    """The answers of one operation: none is a wall of refusals."""
    answers: list[tuple[str, int]] = []
    yield answers
    codes = Counter(code for _, code in answers)
    path = answers[0][0]
    if path in BODIES and "count" not in path:
        assert {200, 400} <= set(codes), codes
    if path == "/v1/models":
        assert 200 in codes, codes


@SCHEMA.parametrize()
@settings(
    max_examples=120,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_5xx(case: Any, seen: list[tuple[str, int]]) -> None:
    reply = case.call(app=APP, base_url="http://localhost")
    seen.append((case.operation.path, reply.status_code))
    assert reply.status_code < 500, reply.text
