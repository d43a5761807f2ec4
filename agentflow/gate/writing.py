"""Policies in prose, made into rules by a model.

What the model writes is a text that a person can read (:mod:`agentflow.gate.text`). It allows
nothing by itself: :func:`~agentflow.gate.install` takes of it what a certificate holds for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from agentflow import prompts
from agentflow.gate.code import Seen, everything
from agentflow.gate.text import read_policy
from agentflow.models.model import Model
from agentflow.models.structured import ask

_BLOCK = re.compile(
    r"^[ \t]*```[ \t]*(?:toml)?[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE
)


_TOKENS = 8192
"""Most tokens of a reply."""


async def write_policy(
    model: Model,
    policy: str,
    schemas: Mapping[str, type[BaseModel]],
    knows: str = "",
    *,
    seen: Seen = everything,
    **request: Any,
) -> str:
    """A policy in prose as the text of rules; empty if the model wrote none that can be read.

    A reply that cannot be read is shown to the model once, with what is wrong.

    Args:
        policy: The prose.
        schemas: The tools.
        knows: What the state holds, in words.
        seen: As of :func:`read_policy`.
        request: What else :func:`~agentflow.models.structured.ask` takes.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """

    def read(reply: str) -> str:
        text = block(reply)
        if fault := read_policy(text, schemas, seen=seen).fault:
            raise ValueError(fault)
        return text

    tools = {name: schema.model_json_schema() for name, schema in schemas.items()}
    fields = {"policy": policy, "tools": json.dumps(tools, indent=1), "knows": knows or "Unknown."}
    prompt = prompts.render("gate", "policy", model.profile.name, fields)
    asked = await ask(model, prompt, read, "", tokens=_TOKENS, **request)
    return asked.value


def block(reply: str) -> str:
    """The one block of code of a reply, else all of it.

    Raises:
        ValueError: If there are several.
    """
    found = _BLOCK.findall(reply)
    if len(found) > 1:
        raise ValueError("there are several blocks of code; write one")
    return str(found[0]) if found else reply
