"""What a call of the API is given, as a method's settings and as objects that are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool

from agentflow import graphs
from agentflow.models import Model
from agentflow.settings import Role, Server, Settings, checked

Given = str | Model | BaseChatModel | Mapping[Role, Model | BaseChatModel] | None
"""A model as :func:`astream` takes it."""


def settings_for(method: str, **values: Any) -> Settings:
    """The settings of a method, or of a verifier of given solutions.

    Raises:
        BadInput: On an unknown method or setting, or a value out of bounds; names each.
    """
    schema: type[Settings] = graphs.module(method).graph.builder.context_schema
    return checked(schema, values, f"settings of {method}")


def with_solver(values: dict[str, Any], model: str) -> dict[str, Any]:
    """Settings whose solver is ``model``, whatever servers the role had."""
    roles = {role: at for role, at in values.get("roles", {}).items() if role != "solver"}
    return values | {"model": model, "roles": roles}


def split_roles(settings: dict[str, Any], model: Given) -> tuple[dict[str, Any], Given]:
    """(settings without objects, model objects), where ``roles`` names servers and objects."""
    roles: Any = settings.get("roles") or {}
    plain = (str, Mapping, list, tuple, Server)
    objects = {role: one for role, one in roles.items() if not isinstance(one, plain)}
    if not objects:
        return settings, model
    named = {role: at for role, at in roles.items() if role not in objects}
    if model is None or isinstance(model, str):
        others: dict[Any, Any] = {}
    else:
        given = model if isinstance(model, Mapping) else dict.fromkeys(get_args(Role), model)
        others = {role: one for role, one in given.items() if role not in named}
    return settings | {"roles": named}, others | objects


def arguments_of(values: dict[str, Any]) -> dict[str, Any]:
    """Settings as keywords of :func:`astream`, whose ``model`` wins over the solver's servers."""
    roles = values.get("roles") or {}
    if "model" not in values or not roles.get("solver"):
        return values
    others = dict.fromkeys(get_args(Role), values["model"])
    return {k: v for k, v in values.items() if k != "model"} | {"roles": others | roles}


def named_tools(
    tools: Mapping[str, str | BaseTool] | None,
) -> tuple[dict[str, str], dict[str, BaseTool]]:
    """The backends, which are settings, and the tools, which are not."""
    named, given = dict[str, str](), dict[str, BaseTool]()
    for role, tool in (tools or {}).items():
        if isinstance(tool, str):
            named[role] = tool
        else:
            given[role] = tool
    return named, given
