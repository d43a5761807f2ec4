"""What a call of the API is given, as a method's settings and as objects that are none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, get_args

from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from agentflow import graphs
from agentflow.errors import BadInput, known
from agentflow.models import Model
from agentflow.nodes.context import TEAM, see_models, see_tools
from agentflow.problem import Problem
from agentflow.settings import Role, Server, Settings, checked

Objects = Model | Runnable[Any, Any] | Mapping[Any, Any] | None
"""Models that are objects: one for every role, or by role, a list of solvers as ``team``."""
_PLAIN = (str, Mapping, list, tuple, Server)
"""How a server is named."""
_OTHERS: tuple[Role, ...] = tuple(role for role in get_args(Role) if role != "solver")
Given = str | PurePath | Objects
"""A model as :func:`astream` takes it; a path is that of a model file."""


def settings_for(method: str, /, **values: Any) -> Settings:
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


def plainly(
    problem: str | dict[str, Any] | Problem, settings: dict[str, Any]
) -> tuple[str | dict[str, Any], dict[str, Any]]:
    """(a problem as plain JSON, the settings with its domain where they name none)."""
    if not isinstance(problem, Problem):
        return problem, settings
    given = {"text": problem.text, "id": problem.id, "gold": problem.gold}
    return given, {"domain": problem.domain, **settings}


def split_arguments(
    method: str, settings: dict[str, Any], model: Given, tools: Mapping[str, str | BaseTool] | None
) -> tuple[Settings, Objects, dict[str, BaseTool]]:
    """What :func:`astream` and :func:`ajudge` take: the settings, and the models and tools that are
    objects.

    Raises:
        BadInput: As of :func:`settings_for`, or if what is given as a model or as tools is none.
    """
    if isinstance(model, str | PurePath):
        settings, model = with_solver(settings, str(model)), None
    settings, model = _split_team(method, *_split_roles(settings, model))
    see_models(model)
    tools = see_tools(tools)
    given = {role: tool for role, tool in tools.items() if not isinstance(tool, str)}
    if named := {role: tool for role, tool in tools.items() if isinstance(tool, str)}:
        settings = settings | {"tools": {**settings.get("tools", {}), **named}}
    return settings_for(method, **settings), model, given


def _split_roles(settings: dict[str, Any], model: Objects) -> tuple[dict[str, Any], Objects]:
    """(settings without objects, model objects), where ``roles`` names servers and objects."""
    roles: Any = settings.get("roles") or {}
    if not isinstance(roles, Mapping):
        raise BadInput(f"roles: {roles!r:.60} is no mapping; write {{ROLE: MODEL}}")
    objects = {role: one for role, one in roles.items() if not isinstance(one, _PLAIN)}
    if not objects:
        return settings, model
    for role in objects.keys() - set(get_args(Role)):
        raise BadInput(f"roles.{role}: no such role; {known(role, get_args(Role))}")
    named = {role: at for role, at in roles.items() if role not in objects}
    others: dict[Any, Any] = {}
    if model is not None:
        given = model if isinstance(model, Mapping) else dict.fromkeys(get_args(Role), model)
        others = {role: one for role, one in given.items() if role not in named}
    return settings | {"roles": named}, others | objects


def _split_team(
    method: str, settings: dict[str, Any], model: Objects
) -> tuple[dict[str, Any], Objects]:
    """(settings without objects, model objects), where there is a ``team`` among the settings or,
    which wins, the models. One model object beside it has the other roles."""
    given: dict[Any, Any] = dict(model) if isinstance(model, Mapping) else {}
    named: Any = given.pop(TEAM, None) or settings.get(TEAM)
    if not named:
        return settings, model
    if model is not None and not isinstance(model, Mapping):
        given = dict.fromkeys(_OTHERS, model)
    if "solver" in given:
        raise BadInput("team and roles.solver both say who solves; leave one of them out")
    team = list(named) if isinstance(named, list | tuple) else [named]
    objects = [one for one in team if not isinstance(one, _PLAIN)]
    if not objects:
        return settings | {TEAM: team}, given or None
    if len(objects) < len(team):
        raise BadInput("team: some of it are objects and some servers; give all in one way")
    others = {name: at for name, at in settings.items() if name != TEAM}
    settings_for(method, **others, team=["embedded"] * len(team))  # whether the method has one
    return others, {**given, TEAM: team}


def arguments_of(values: dict[str, Any]) -> dict[str, Any]:
    """Settings as keywords of :func:`astream`, whose ``model`` wins over the solver's servers."""
    roles = values.get("roles") or {}
    if "model" not in values or not roles.get("solver"):
        return values
    others = dict.fromkeys(get_args(Role), values["model"])
    return {k: v for k, v in values.items() if k != "model"} | {"roles": others | roles}
