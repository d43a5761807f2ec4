"""What each chat API is sent, and what is learned of one that is in no table."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from agentflow.errors import BadInput
from agentflow.models.dialects import DIALECTS, body_of, dialect_of, format_of, without
from agentflow.profile import Sampling
from agentflow.settings import Provider

WARM = Sampling(0.7, 0.9, 20)
SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}}

MISTRALS = "{'detail': [{'type': 'extra_forbidden', 'loc': ['body', 'seed'], 'msg': 'Extra inputs"


def body(provider: str, model: str = "m", **more: Any) -> dict[str, Any]:
    found = body_of(DIALECTS[provider], model, WARM, **{"limit": 100, "seed": 3} | more)
    del found["model"]
    return found


def test_every_provider_is_known() -> None:
    assert {*DIALECTS} == {*get_args(Provider)}


@pytest.mark.parametrize(
    ("url", "owner", "name"),
    [
        ("https://api.openai.com/v1", "system", "openai"),
        ("https://me.openai.azure.com/openai/v1", "", "azure"),
        ("https://api.anthropic.com/v1", "", "anthropic"),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "", "gemini"),
        ("https://api.deepseek.com/v1", "", "deepseek"),
        ("https://openrouter.ai/api/v1", "", "openrouter"),
        ("https://api.mistral.ai/v1", "mistralai", "mistral"),
        ("http://box/v1", "mistralai", "other"),
        ("http://localhost:11434/v1", "", "ollama"),
        ("http://box/v1", "library", "ollama"),
        ("http://box/v1", "sglang", "sglang"),
        ("http://box/v1", "llamacpp", "llamacpp"),
        ("http://box/v1", "vllm", "vllm"),
        ("http://box/v1", "", "other"),
        ("https://api.openai.com.evil.example/v1", "", "other"),
    ],
)
def test_a_dialect_is_told_from_the_url_or_the_list(url: str, owner: str, name: str) -> None:
    assert dialect_of(url, owner).name == name
    assert dialect_of(url, owner, "deepseek").name == "deepseek"


def test_reasoning_models_get_no_sampling() -> None:
    for model in ("o3-mini", "gpt-5", "gpt-5.1-2025-11-13", "openai/o4-mini"):
        assert body("openai", model, top=5) == {"max_completion_tokens": 100, "seed": 3}
    for model in ("gpt-4o", "gpt-5-chat-latest", "o"):
        assert body("openai", model, top=5)["temperature"] == 0.7
        assert body("openai", model, top=50)["top_logprobs"] == 20


def test_nothing_is_sent_that_an_api_does_not_know() -> None:
    assert body("gemini") == {"max_tokens": 100, "temperature": 0.7, "top_p": 0.9}
    assert body("anthropic") == {"max_tokens": 100, "temperature": 0.7}
    assert "seed" not in body("deepseek")
    assert "logprobs" not in body("deepseek", "deepseek-reasoner", top=5)
    assert body("vllm")["top_k"] == 20
    assert "top_k" not in body("openai")
    assert body("mistral", top=5) == {
        "max_tokens": 100,
        "temperature": 0.7,
        "top_p": 0.9,
        "random_seed": 3,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
    }


@pytest.mark.parametrize(
    ("provider", "given", "said"),
    [
        ("openai", {"effort": "low"}, {"reasoning_effort": "low"}),
        ("openrouter", {"effort": "high"}, {"reasoning": {"effort": "high"}}),
        ("openrouter", {"budget": 50}, {"reasoning": {"max_tokens": 50}}),
        ("anthropic", {"budget": 50}, {"thinking": {"type": "enabled", "budget_tokens": 50}}),
        ("anthropic", {"budget": 500}, {"thinking": {"type": "enabled", "budget_tokens": 99}}),
        (
            "gemini",
            {"budget": 50},
            {"extra_body": {"google": {"thinking_config": {"thinking_budget": 50}}}},
        ),
        ("deepseek", {"effort": "none"}, {"thinking": {"type": "disabled"}}),
        ("deepseek", {"effort": "high"}, {"thinking": {"type": "enabled"}}),
        ("vllm", {"effort": "none"}, {"chat_template_kwargs": {"enable_thinking": False}}),
        ("vllm", {"budget": 50}, {"thinking_token_budget": 50}),
        ("mistral", {"effort": "high"}, {"reasoning_effort": "high"}),
        ("ollama", {"effort": "medium"}, {"reasoning_effort": "medium"}),
        ("llamacpp", {"effort": "none"}, {"chat_template_kwargs": {"enable_thinking": False}}),
    ],
)
def test_how_much_to_think_is_said_in_the_apis_words(
    provider: str, given: dict[str, Any], said: dict[str, Any]
) -> None:
    usual = body(provider)
    found = body(provider, **given)
    assert {key: value for key, value in found.items() if key not in usual} == said
    assert ("temperature" in found) == (provider != "anthropic")


@pytest.mark.parametrize(
    ("provider", "given", "says"),
    [
        ("openai", {"budget": 5}, "openai takes no budget of thinking.*it takes: effort"),
        ("anthropic", {"effort": "low"}, "anthropic takes no effort.*thinking_tokens"),
        ("llamacpp", {"budget": 5}, "llamacpp takes no budget"),
    ],
)
def test_what_an_api_has_no_word_for_is_refused(
    provider: str, given: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        body(provider, **given)


def test_schemas_are_sent_as_the_api_takes_them() -> None:
    asked = [{"role": "user", "content": "Reply in JSON."}]
    (form,) = format_of(DIALECTS["openai"], SCHEMA, asked).values()
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"]["required"] == ["ok"]
    loose = {"type": "object", "additionalProperties": {"type": "integer"}}
    (form,) = format_of(DIALECTS["openai"], loose, asked).values()
    assert form["json_schema"] == {"name": "reply", "schema": loose, "strict": False}
    assert format_of(DIALECTS["anthropic"], SCHEMA, asked) == {}
    assert format_of(DIALECTS["deepseek"], SCHEMA, asked) == {
        "response_format": {"type": "json_object"}
    }
    assert format_of(DIALECTS["deepseek"], SCHEMA, [{"content": "Reply."}]) == {}


@pytest.mark.parametrize(
    ("refusal", "learned"),
    [
        ("Unsupported parameter: 'max_tokens'", ("max_tokens", "max_completion_tokens")),
        ('Unknown name "seed": Cannot find field.', ("seed", "")),
        ("'temperature' does not support 0.7", ("temperature", "")),
        ("the prompt is too long", None),
        ('Unknown name "model"', None),
        (MISTRALS, ("seed", "")),
    ],
)
def test_what_a_server_refuses_by_name_is_left_out(refusal: str, learned: Any) -> None:
    assert without(body("other"), refusal) == learned
