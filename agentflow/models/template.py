"""How a served model is spoken to, learned from its own chat template.

The template is rendered with a stand-in for each content, and what stands around the stand-ins is
kept: what a user writes never goes through a template, nor is it searched for special tokens. It
is rendered here where its Jinja text is at hand (the model's folder, llama.cpp's ``/props``), else
by the server; where neither can, the profile keeps the template built into it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any, Protocol, TypeVar

from agentflow.errors import AgentflowError, BadInput
from agentflow.profile import Piece, Profile, Template, detect

_T = TypeVar("_T")
Messages = list[dict[str, str]]
Render = Callable[[Messages], Awaitable[str]]
"""Chat messages to the text of a prompt, the model's turn opened; raises AgentflowError."""
Tokenize = Callable[[Piece], Awaitable[tuple[int, ...]]]


class Ask(Protocol):
    """Asks an endpoint of the server, by its path; raises AgentflowError."""

    async def __call__(self, path: str, body: dict[str, Any] | None = None) -> Any: ...


_SYSTEM, _USER = "SYSTEM-q7Zk", "USER-q7Zk"
SPECIAL = r"<[^<>\s]+>|\[/?[A-Z_]+\]"
"""What a special token looks like; the server's tokenizer says whether it is one."""


def letters(text: str, profile: Profile) -> list[str]:
    """The text in parts of which none holds a whole special token.

    Some tokenizers always look for these, so what spells one is cut behind its first letter.
    """
    special = "|".join([*map(re.escape, filter(None, profile.markers)), SPECIAL])
    cuts = [0, *(found.start() + 1 for found in re.finditer(special, text)), len(text)]
    return [text[a:b] for a, b in pairwise(cuts)]


@dataclass(frozen=True, slots=True)
class Jinja:
    """A chat template in Jinja, and the special tokens that it may name."""

    text: str
    bos: str = ""
    eos: str = ""


async def served_profile(
    card: Mapping[str, Any], engine: str, ask: Ask, tokenize: Tokenize, given: Profile | None = None
) -> Profile:
    """The profile of a served model, its context no longer than the server's.

    Args:
        card: The model's entry in the server's list of models.
        engine: ``llamacpp`` or ``vllm``.
        given: A profile chosen by hand; its template is kept as it is.
    """
    props = await llamacpp_props(ask) if engine == "llamacpp" else {}
    profile = given or await _detected(card, props, engine, ask, tokenize)
    slot = _get(props.get("default_generation_settings"), "n_ctx")
    told = (card.get("max_model_len"), _get(card.get("meta"), "n_ctx"), slot)
    lengths = [length for length in told if type(length) is int and length > 0]
    return replace(profile, context=min([profile.context, *lengths]))


async def llamacpp_props(ask: Ask) -> dict[str, Any]:
    """What llama.cpp says of itself; nothing where it does not."""
    try:
        props = await ask("/props")
    except AgentflowError:
        return {}
    return props if isinstance(props, dict) else {}


async def _detected(
    card: Mapping[str, Any], props: dict[str, Any], engine: str, ask: Ask, tokenize: Tokenize
) -> Profile:
    path = _text(card.get("root") or props.get("model_path"))
    name = f"{card['id']} {PurePath(path).name}"
    if re.search("gpt.?oss", name, re.IGNORECASE):
        raise BadInput(
            f"{card['id']} thinks in channels, which end with several tokens: its text cannot be "
            'gone on with over raw completions; use the chat API, {"at": URL, "api": "chat"}'
        )
    profile = detect(name)
    if profile.name == "pocket":  # trained on exactly its built-in template
        return profile
    server: Render
    if engine == "llamacpp":
        texts = (_text(props.get(key)) for key in ("chat_template", "bos_token", "eos_token"))
        jinja, server = Jinja(*texts), partial(_by_llamacpp, ask)
    else:
        jinja = await asyncio.to_thread(from_folder, Path(path)) if path else Jinja("")
        server = partial(_by_vllm, ask, card["id"])
    template = await learn([partial(_by_jinja, jinja), server] if jinja.text else [server])
    if template is None:
        return detect(name, jinja.text)
    profile = detect(name, jinja.text or template.alone + template.end)
    if engine == "llamacpp" and await _adds_bos(ask) and not template.alone.startswith(jinja.bos):
        start, alone = jinja.bos + template.start, jinja.bos + template.alone
        template = replace(template, start=start, alone=alone)
    stops = _stops(profile, template, jinja.eos)
    specials = await _specials(template, tokenize)
    tools = re.search(r"{%[^%]*\btools\b", jinja.text) is not None
    template = replace(template, specials=specials)
    return replace(profile, template=template, stops=stops, tools=tools)


def _stops(profile: Profile, template: Template, eos: str) -> tuple[str, ...]:
    """The profile's stops and the model's own; first the one that a turn is closed with."""
    if eos in ("", *profile.stops):
        return profile.stops
    fits = profile.stops[0] in template.alone + template.end
    return (*profile.stops, eos) if fits else (eos, *profile.stops)


async def _adds_bos(ask: Ask) -> bool:
    """Whether llama.cpp begins every prompt with the BOS token, which is then not in its template's
    text, or taken out of it; our prompts are sent as they are, so they must have it."""
    try:
        return bool(_get(await ask("/tokenize", {"content": "", "add_special": True}), "tokens"))
    except AgentflowError:
        return False


async def _specials(template: Template, tokenize: Tokenize) -> tuple[str, ...]:
    """The special tokens in a template."""
    texts = (template.start, template.middle, template.alone, template.end)
    found = sorted({token for text in texts for token in re.findall(SPECIAL, text)})
    try:
        ids = [await tokenize(Piece(token, special=True)) for token in found]
    except AgentflowError:  # no tokenizer endpoint: prompts travel as text
        return tuple(found)
    return tuple(token for token, one in zip(found, ids, strict=True) if len(one) == 1)


async def learn(ways: Sequence[Render]) -> Template | None:
    """The template as the first way that can renders it, its special tokens still unknown."""
    system = {"role": "system", "content": f" {_SYSTEM} "}
    user = {"role": "user", "content": f" {_USER} "}
    for render in ways:
        try:
            alone = await render([user])
        except AgentflowError:
            continue
        try:
            both = await render([system, user])
        except AgentflowError:  # some templates refuse a system message
            both = ""
        if template := around(alone, both):
            return template
    return None


def around(alone: str, both: str) -> Template | None:
    """The template that wrote ``alone`` for a user text, and ``both`` with a system text before.

    A system text that it leaves out goes before the user text, as its first paragraph.

    Returns:
        None if the user text is not to be found in ``alone`` exactly once.
    """
    trims = f" {_USER} " not in alone
    system, user = (_SYSTEM, _USER) if trims else (f" {_SYSTEM} ", f" {_USER} ")
    if alone.count(_USER) != 1:
        return None
    before, _, end = alone.partition(user)
    start, has_system, rest = both.partition(system)
    middle, has_user, behind = rest.partition(user)
    if not (has_system and has_user and behind == end):
        start, middle = before, "\n\n"
    return Template(start, middle, before, end, trims=trims)


def from_folder(folder: Path) -> Jinja:
    """The Jinja template in a model's folder in Hugging Face's layout; empty if it has none."""
    try:
        config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        file = folder / "chat_template.jinja"
        text = file.read_text(encoding="utf-8") if file.is_file() else config.get("chat_template")
        if isinstance(text, list):  # several, each with a name
            text = next((one["template"] for one in text if one["name"] == "default"), "")
        bos, eos = (_text(config.get(key)) for key in ("bos_token", "eos_token"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Jinja("")
    return Jinja(_text(text), bos, eos)


def _text(entry: Any) -> str:
    """A text, or the content of a token that is described by an object; else nothing."""
    found = entry.get("content") if isinstance(entry, dict) else entry
    return found if isinstance(found, str) else ""


async def _by_jinja(jinja: Jinja, messages: Messages) -> str:
    return await asyncio.to_thread(render_jinja, jinja, messages)


def render_jinja(jinja: Jinja, messages: Messages) -> str:
    """The prompt that a Jinja template writes, the model's turn opened.

    No date is given to it: a template that wants one writes its own default, so that a prompt is
    the same on every day. (A server gives today's.)

    Raises:
        BadInput: If the template cannot be rendered.
    """
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(message: str) -> None:
        raise TemplateError(message)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals["raise_exception"] = refuse
    environment.filters["tojson"] = partial(json.dumps, ensure_ascii=False)
    # What transformers marks as the model's own text is text like any other.
    text = re.sub(r"(\{%[-+]?\s*)generation(\s*[-+]?%\})", r"\1if true\2", jinja.text)
    text = re.sub(r"(\{%[-+]?\s*)endgeneration(\s*[-+]?%\})", r"\1endif\2", text)
    values = {"bos_token": jinja.bos, "eos_token": jinja.eos, "tools": None, "documents": None}
    try:
        return environment.from_string(text).render(
            messages=messages, add_generation_prompt=True, **values
        )
    except Exception as error:  # a template is a program: it may fail in any way
        raise BadInput(f"the chat template cannot be rendered: {error}") from error


async def _by_llamacpp(ask: Ask, messages: Messages) -> str:
    return _field(await ask("/apply-template", {"messages": messages}), "prompt", str)


async def _by_vllm(ask: Ask, model: str, messages: Messages) -> str:
    reply = await ask("/tokenize", {"model": model, "messages": messages})
    tokens = _field(reply, "tokens", list)
    return _field(await ask("/detokenize", {"model": model, "tokens": tokens}), "prompt", str)


def _field(reply: Any, name: str, kind: type[_T]) -> _T:
    value = _get(reply, name)
    if not isinstance(value, kind):
        raise BadInput(f"the server's answer has no {name}")
    return value


def _get(found: Any, name: str) -> Any:
    return found.get(name) if isinstance(found, dict) else None
