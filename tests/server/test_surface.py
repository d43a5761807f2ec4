"""schemathesis over the HTTP surface: whatever is sent, the server is not at fault."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from serving import SOLVED, offers

from agentflow.models import ScriptedModel
from agentflow.server import ServeSettings, application
from agentflow.server.wire import ChatRequest

pytestmark = pytest.mark.slow  # to import schemathesis takes most of it

APP = application(ServeSettings(), offers(ScriptedModel(lambda prompt: SOLVED)))
TEXTS = ["4 7 8 8", "1 1 1 1", "What is 2 + 2?"]
IDS = ["interwhen/scripted", "direct/scripted"]


def body() -> dict[str, Any]:
    """The schema of a request, narrowed so that some of what is made of it is answered."""
    schema = ChatRequest.model_json_schema(ref_template="#/components/schemas/{model}")
    schema["additionalProperties"] = False
    schema["properties"]["model"] = {"enum": IDS}
    said = {"role": {"const": "user"}, "content": {"anyOf": [{"enum": TEXTS}, {"type": "string"}]}}
    message = {"type": "object", "properties": said, "required": list(said)}
    alone = {"type": "array", "items": message, "minItems": 1, "maxItems": 1}
    schema["properties"]["messages"] = {"anyOf": [alone, schema["properties"]["messages"]]}
    chosen = {"domain": {"enum": ["game24", "math", "logic", "x"]}}
    schema["properties"]["agentflow"] = {"type": "object", "properties": chosen}
    return schema


def surface() -> dict[str, Any]:
    schema = body()
    parts = schema.pop("$defs")
    answers = {"responses": {"default": {"description": "a reply or an error"}}}
    id = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    auth = {"name": "authorization", "in": "header", "schema": {"type": "string"}}
    content = {"application/json": {"schema": schema}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "agentflow", "version": "1"},
        "components": {"schemas": parts},
        "paths": {
            "/v1/chat/completions": {
                "post": {"parameters": [auth], "requestBody": {"content": content}} | answers
            },
            "/v1/models": {"get": {"parameters": [auth]} | answers},
            "/v1/models/{id}": {"get": {"parameters": [id]} | answers},
            "/metrics": {"get": answers},
            "/health": {"get": answers},
        },
    }


SCHEMA = schemathesis.openapi.from_dict(surface())
SEEN: list[tuple[str, int]] = []


@SCHEMA.parametrize()
@settings(
    max_examples=300,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_5xx(case: Any) -> None:
    reply = case.call(app=APP, base_url="http://localhost")
    SEEN.append((case.operation.path, reply.status_code))
    assert reply.status_code < 500, reply.text


def test_it_was_no_wall_of_refusals() -> None:
    codes = Counter(code for path, code in SEEN if path == "/v1/chat/completions")
    assert {200, 400} <= set(codes), codes
    assert {code for path, code in SEEN if path == "/v1/models"} >= {200}
