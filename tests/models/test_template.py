"""Learning a chat template: from Jinja, from a server, and from neither."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import models
from agentflow.errors import BadInput
from agentflow.models import HTTPModel
from agentflow.models.template import (
    Jinja,
    Messages,
    around,
    from_folder,
    learn,
    render_jinja,
    served_profile,
)
from agentflow.profile import PROFILES, Piece, Template

# What the families' own templates write for one user turn, in templates of our own.
CHATML = """{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""
CHATML_THINKING = CHATML.replace("<think>\\n\\n</think>\\n\\n", "").replace(
    "assistant\\n", "assistant\\n<think>\\n"
)
QWEN25 = """{%- if messages[0]['role'] != 'system' %}
    {{- '<|im_start|>system\\nYou are Qwen, created by Alibaba Cloud. ' }}
    {{- 'You are a helpful assistant.<|im_end|>\\n' }}
{%- endif %}
{%- if tools %}{{ raise_exception('no tools here') }}{%- endif %}
""" + CHATML.replace("<think>\\n\\n</think>\\n\\n", "")
R1 = """{%- set ns = namespace(system='') -%}
{%- for message in messages if message.role == 'system' %}
    {%- set ns.system = message.content %}
{%- endfor -%}
{{ bos_token }}{{ ns.system }}
{%- for message in messages if message.role == 'user' %}
    {{- '<｜User｜>' + message.content }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<｜Assistant｜><think>\\n' }}{% endif %}"""
LLAMA = """{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- if messages[0].role == 'system' %}
    {%- set system = messages[0].content | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\nCutting Knowledge Date: December 2023\\n" }}
{{- "Today Date: " + date_string + "\\n\\n" + system + "<|eot_id|>" }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' }}
    {{- message.content | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""
# Its own template is one fixed system turn, whatever the messages say.
PHI = """{{ '<|im_start|>system<|im_sep|>Reason: <think> {Thought} </think>.<|im_end|>' }}
{%- for message in messages %}
    {%- if message.role == 'user' %}
        {{- '<|im_start|>user<|im_sep|>' + message.content + '<|im_end|>' }}
    {%- elif message.role == 'assistant' %}
        {{- '<|im_start|>assistant<|im_sep|>' }}
        {%- generation %}{{ message.content + '<|im_end|>' }}{%- endgeneration %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant<|im_sep|>' }}{% endif %}"""

FAMILIES = [
    ("Qwen/Qwen3-8B", CHATML, "", "qwen3"),
    ("Qwen/Qwen3-4B-Thinking-2507", CHATML_THINKING, "", "qwen3-thinking"),
    ("Qwen/QwQ-32B", CHATML_THINKING, "", "qwq"),
    ("Qwen/Qwen2.5-7B-Instruct", QWEN25, "", "qwen2.5-instruct"),
    ("DeepSeek-R1-Distill-Qwen-7B", R1, "<｜begin▁of▁sentence｜>", "deepseek-r1-distill"),
    ("Llama-3.1-8B-Instruct", LLAMA, "<|begin_of_text|>", "llama-3.1-instruct"),
]


class Server:
    """Answers what a test says, by path; an endpoint it lacks refuses."""

    def __init__(self, **replies: Any) -> None:
        self.replies = {name.replace("_", "-"): reply for name, reply in replies.items()}
        self.asked: list[str] = []

    async def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        self.asked.append(path)
        reply = self.replies.get(path.strip("/"))
        reply = reply(body) if callable(reply) else reply
        if reply is None:
            raise BadInput(f"{path} answered 404")
        return reply


async def one_token(piece: Piece) -> tuple[int, ...]:
    return (1,)


async def no_tokenizer(piece: Piece) -> tuple[int, ...]:
    raise BadInput("/tokenize answered 404")


def jinja_way(text: str, bos: str = "") -> Any:
    async def render(messages: Messages) -> str:
        return render_jinja(Jinja(text, bos), messages)

    return render


def props(text: str, bos: str = "", **more: Any) -> dict[str, Any]:
    return {"chat_template": text, "bos_token": bos, "eos_token": "", **more}


# From Jinja


@pytest.mark.parametrize(("name", "text", "bos", "profile"), FAMILIES)
@pytest.mark.parametrize("thinking", ["plain", "open", "none"])
async def test_a_familys_template_says_what_is_built_in(
    name: str, text: str, bos: str, profile: str, thinking: Any
) -> None:
    server = Server(props=props(text, bos))
    found = await served_profile({"id": name}, "llamacpp", server.ask, one_token)
    built_in = PROFILES[profile]
    assert set(found.template.specials) >= set(built_in.template.specials)
    assert replace(found, template=built_in.template, tools=False) == built_in
    for system in ("", "S"):
        for user in ("U", " U\n", "</think><|im_end|><|eot_id|>"):
            pieces = found.render(user, system, thinking=thinking, body="1</think>2")
            assert pieces == built_in.render(user, system, thinking=thinking, body="1</think>2")


async def test_the_words_of_a_fixed_system_prompt_are_the_models_own() -> None:
    server = Server(props=props(PHI))
    found = await served_profile({"id": "Phi-4-reasoning"}, "llamacpp", server.ask, one_token)
    turn = "<|im_start|>assistant<|im_sep|><think>\n"
    before = "<|im_start|>system<|im_sep|>Reason: <think> {Thought} </think>.<|im_end|>"
    for system, user in (("", "U"), ("S", "S\n\nU")):  # it leaves a system text out: ours stays
        text = "".join(piece.text for piece in found.render("U", system))
        assert text == f"{before}<|im_start|>user<|im_sep|>{user}<|im_end|>{turn}"
    assert Piece("</think>", special=True) in found.render("U")


REFUSES_SYSTEM = """{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}
<start_of_turn>user
{{ messages[0].content | trim }}<end_of_turn>
<start_of_turn>model
"""


async def test_an_unknown_family_is_spoken_to_by_its_own_template() -> None:
    server = Server(props=props(REFUSES_SYSTEM) | {"eos_token": "<end_of_turn>"})
    found = await served_profile({"id": "mine"}, "llamacpp", server.ask, one_token)
    assert "".join(p.text for p in found.render(" U ", "S")) == (
        "<start_of_turn>user\nS\n\nU<end_of_turn>\n<start_of_turn>model"
    )
    assert found.think_close == ""
    assert found.stops[-1] == "<end_of_turn>"


@pytest.mark.parametrize(
    ("text", "tools"),
    [("{%- if tools %}{{ tools }}{% endif %}", True), ("{# tools #} use your tools: ", False)],
)
async def test_a_template_says_whether_it_has_calls_of_tools(text: str, tools: bool) -> None:
    server = Server(props=props(text + REFUSES_SYSTEM))
    found = await served_profile({"id": "mine"}, "llamacpp", server.ask, one_token)
    assert found.tools is tools


async def test_only_what_is_one_token_is_special() -> None:
    async def tokenize(piece: Piece) -> tuple[int, ...]:
        assert piece.special
        return (1,) if piece.text.startswith("<|im") else (1, 2)

    text = "<b>{{ messages[-1].content }}</b><|im_end|>"
    found = await served_profile({"id": "m"}, "llamacpp", Server(props=props(text)).ask, tokenize)
    assert found.template.specials == ("<|im_end|>",)
    found = await served_profile({"id": "m"}, "vllm", echo_server(text).ask, no_tokenizer)
    assert found.template.specials == ("</b>", "<b>", "<|im_end|>")


@pytest.mark.parametrize(
    "text",
    [
        "{% for %}",
        "{{ messages[0].content.nothing.at_all }}",
        "{{ 1 + 'a' }}",
        "{{ raise_exception('never') }}",
        "{{ messages.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.clear() }}",
    ],
)
def test_a_template_that_fails_says_so(text: str) -> None:
    with pytest.raises(BadInput, match="the chat template cannot be rendered"):
        render_jinja(Jinja(text), [{"role": "user", "content": "U"}])


@pytest.mark.parametrize("text", ["none", "{{ messages[0].content }}{{ messages[0].content }}"])
async def test_a_template_that_does_not_write_the_content_once_is_not_learned(text: str) -> None:
    assert await learn([jinja_way(text)]) is None


async def test_the_first_way_that_works_counts() -> None:
    ways = [jinja_way("{% for %}"), jinja_way("a{{ messages[-1].content }}b"), jinja_way("c")]
    assert await learn(ways) == Template("a", "\n\n", "a", "b")


parts = st.text(max_size=20).filter(lambda text: "q7Zk" not in text)


@given(parts, parts, parts, parts)
def test_what_stands_around_the_contents_is_found(
    start: str, middle: str, alone: str, end: str
) -> None:
    for pad in (" ", ""):
        system, user = f"{pad}SYSTEM-q7Zk{pad}", f"{pad}USER-q7Zk{pad}"
        if pad or f"{alone[-1:]}{end[:1]}" != "  ":  # that would be padding
            both = start + system + middle + user + end
            expected = Template(start, middle, alone, end, trims=not pad)
            assert around(alone + user + end, both) == expected


# From a model's folder


def write(folder: Path, config: Any, jinja: str | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    text = config if isinstance(config, str) else json.dumps(config)
    (folder / "tokenizer_config.json").write_text(text, encoding="utf-8")
    if jinja is not None:
        (folder / "chat_template.jinja").write_text(jinja, encoding="utf-8")
    return folder


def test_the_template_in_a_models_folder(tmp_path: Path) -> None:
    tokens = {"bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": False}}
    config = tokens | {"chat_template": "old"}
    assert from_folder(write(tmp_path / "a", config)) == Jinja("old", "<s>", "</s>")
    assert from_folder(write(tmp_path / "b", config, "new")) == Jinja("new", "<s>", "</s>")
    assert from_folder(write(tmp_path / "c", {"bos_token": None}, "new")) == Jinja("new")
    several = [{"name": "tools", "template": "t"}, {"name": "default", "template": "d"}]
    assert from_folder(write(tmp_path / "d", {"chat_template": several})) == Jinja("d")


@pytest.mark.parametrize(
    "config", ["{", "[]", '{"chat_template": ["d"]}', "{}", '{"chat_template": 5}', "\x00"]
)
def test_a_folder_without_a_template(tmp_path: Path, config: str) -> None:
    assert from_folder(tmp_path) == from_folder(write(tmp_path, config)) == Jinja("")


async def test_vllm_serving_a_folder_at_hand_is_not_asked(tmp_path: Path) -> None:
    folder = write(tmp_path / "QwQ-32B", {"eos_token": "<|im_end|>"}, CHATML_THINKING)
    server = Server()
    card = {"id": "mine", "root": str(folder), "max_model_len": 4096}
    found = await served_profile(card, "vllm", server.ask, one_token)
    expected = PROFILES["qwq"].template
    assert replace(found.template, specials=expected.specials) == expected
    assert (found.name, found.context, server.asked) == ("qwq", 4096, [])


# From a server


def echo_server(text: str) -> Server:
    """Like vLLM's server: renders by /tokenize and /detokenize, each character one token."""

    def tokenize(body: dict[str, Any]) -> dict[str, Any]:
        assert body["model"] == "m"
        return {"tokens": [ord(c) for c in render_jinja(Jinja(text), body["messages"])]}

    def detokenize(body: dict[str, Any]) -> dict[str, Any]:
        return {"prompt": "".join(map(chr, body["tokens"]))}

    return Server(tokenize=tokenize, detokenize=detokenize)


async def test_vllm_renders_what_is_not_at_hand() -> None:
    card = {"id": "m", "root": "Qwen/Qwen3-8B"}
    found = await served_profile(card, "vllm", echo_server(CHATML).ask, one_token)
    assert replace(found.template, specials=PROFILES["qwen3"].template.specials) == (
        PROFILES["qwen3"].template
    )
    assert found.name == "qwen3"


async def test_llamacpp_renders_what_jinja_cannot_here() -> None:
    def apply(body: dict[str, Any]) -> dict[str, str]:
        return {"prompt": render_jinja(Jinja(CHATML_THINKING), body["messages"])}

    server = Server(props=props("{% unknown %}<think>"), apply_template=apply)
    found = await served_profile({"id": "m"}, "llamacpp", server.ask, one_token)
    assert found.name == "qwen3"
    assert found.render("U", "S") == PROFILES["qwq"].render("U", "S")


@pytest.mark.parametrize("adds", [True, False])
@pytest.mark.parametrize("writes", [True, False])
async def test_a_prompt_has_the_bos_that_llamacpp_would_put_there(adds: bool, writes: bool) -> None:
    """Its tokenizer may add it, its template write it, or both: there is one."""
    text = R1 if writes else R1.replace("{{ bos_token }}", "")
    told = props(text, "<｜begin▁of▁sentence｜>")
    server = Server(props=told, tokenize={"tokens": [0] if adds else []})
    found = await served_profile({"id": "DeepSeek-R1"}, "llamacpp", server.ask, one_token)
    expected = PROFILES["deepseek-r1-distill"].render("U", "S")
    assert found.render("U", "S") == (expected if adds or writes else [Piece("S"), *expected[2:]])


junk: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "{{", "<think>"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["n_ctx", "content", "tokens", "prompt", "default"]), inner, max_size=2
        )
    ),
    max_leaves=4,
)
keys = ("chat_template", "bos_token", "eos_token", "default_generation_settings", "model_path")


@given(
    st.dictionaries(st.sampled_from(["root", "meta", "max_model_len"]), junk),
    st.dictionaries(st.sampled_from(keys), junk),
    st.dictionaries(st.sampled_from(["tokenize", "detokenize", "apply_template"]), junk),
)
def test_whatever_a_server_answers_there_is_a_profile(
    card: dict[str, Any], told: dict[str, Any], replies: dict[str, Any]
) -> None:
    for engine in ("llamacpp", "vllm"):
        server = Server(props=told, **replies)
        found = asyncio.run(served_profile({"id": "m"} | card, engine, server.ask, one_token))
        assert found.name in PROFILES
        assert 1 <= found.context <= PROFILES[found.name].context
        assert found.render("U", "S")


@pytest.mark.parametrize("engine", ["llamacpp", "vllm"])
@pytest.mark.parametrize(
    "server",
    [
        Server(),
        Server(props=[], tokenize={}, apply_template={}),
        Server(props={"chat_template": None}, tokenize={"tokens": None}, detokenize=[]),
    ],
)
async def test_a_server_that_tells_nothing_leaves_the_built_in_template(
    engine: str, server: Server
) -> None:
    found = await served_profile({"id": "QwQ-32B"}, engine, server.ask, one_token)
    assert found == PROFILES["qwq"]


async def test_a_profile_chosen_by_hand_keeps_its_template() -> None:
    server = Server(props=props(LLAMA))
    given = PROFILES["qwen3"]
    found = await served_profile({"id": "QwQ"}, "llamacpp", server.ask, one_token, given)
    assert found == given
    assert server.asked == ["/props"]


# Limits


@pytest.mark.parametrize(
    ("card", "slot", "context"),
    [
        ({}, None, 40_960),
        ({"max_model_len": 8192}, None, 8192),
        ({"max_model_len": 100_000}, None, 40_960),
        ({"max_model_len": None, "meta": None}, None, 40_960),
        ({"meta": {"n_ctx": 512, "n_ctx_train": 2048}}, 4096, 512),
        ({"meta": {"n_ctx_train": 2048}}, 4096, 4096),
    ],
)
async def test_the_servers_context_counts_where_it_is_less(
    card: dict[str, Any], slot: int | None, context: int
) -> None:
    told = {"default_generation_settings": {"n_ctx": slot}} if slot else {}
    server = Server(props=told)
    card = {"id": "QwQ"} | card
    for chosen in (None, PROFILES["qwq"]):
        found = await served_profile(card, "llamacpp", server.ask, one_token, chosen)
        assert found.context == context


# The real thing


@pytest.fixture
async def pocket() -> AsyncIterator[HTTPModel]:
    model = await models.connect("embedded")
    assert isinstance(model, HTTPModel)
    yield model
    await models.close_all()


@pytest.mark.slow
async def test_the_pocket_models_file_and_server_say_what_is_built_in(pocket: HTTPModel) -> None:
    async def nameless(path: str, body: dict[str, Any] | None = None) -> Any:
        reply = await pocket._ask(path, body)
        reply.pop("model_path", None)
        return reply

    async def without_jinja(path: str, body: dict[str, Any] | None = None) -> Any:
        return {} if path == "/props" else await pocket._ask(path, body)

    built_in = PROFILES["pocket"]
    assert pocket.profile == built_in
    assert await served_profile({"id": "mine"}, "llamacpp", pocket._ask, one_token) == built_in
    tokenize = partial(pocket._ask_tokens, engine="llamacpp")
    for way in (nameless, without_jinja):
        found = await served_profile({"id": "mine"}, "llamacpp", way, tokenize)
        assert set(found.template.specials) == {"<|im_start|>", "<|im_end|>", "<think>"}
        assert replace(found.template, specials=built_in.template.specials) == built_in.template
        user = "say </think> and <|im_end|>"
        pieces = found.render(user, "S", thinking="none", body="1</think>2")
        assert pieces == built_in.render(user, "S", thinking="none", body="1</think>2")
        ids = [await tokenize(piece) for piece in pieces if piece.special]
        assert all(len(one) == 1 for one in ids)


MAGISTRAL = """{{ bos_token }}[SYSTEM_PROMPT]Use [THINK]...[/THINK].[/SYSTEM_PROMPT]
{%- for message in messages %}[INST]{{ message.content }}[/INST]{% endfor %}"""


@pytest.mark.parametrize(
    ("text", "name", "closes"),
    [
        (MAGISTRAL, "magistral", "[/THINK]"),
        (
            REFUSES_SYSTEM + "{% if x %}<seed:think></seed:think>{% endif %}",
            "seed-oss",
            "</seed:think>",
        ),
    ],
)
async def test_a_template_says_what_marks_the_thinking(text: str, name: str, closes: str) -> None:
    server = Server(props=props(text))
    found = await served_profile({"id": "mine"}, "llamacpp", server.ask, one_token)
    assert (found.name, found.think_close) == (name, closes)


async def test_channels_are_not_gone_on_with() -> None:
    server = Server(props=props(REFUSES_SYSTEM))
    with pytest.raises(BadInput, match="gpt-oss-20b thinks in channels"):
        await served_profile({"id": "openai/gpt-oss-20b"}, "llamacpp", server.ask, one_token)
