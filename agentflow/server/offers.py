"""What is served: methods on models, as a settings file names them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentflow import domains, settings_file
from agentflow.arguments import settings_for, with_solver
from agentflow.errors import BadInput
from agentflow.graphs import DEFAULT, VERIFIERS, methods
from agentflow.models import Model, bundled
from agentflow.nodes.context import TEAM
from agentflow.prompts import solver_prompts
from agentflow.server.settings import Key, ServeSettings
from agentflow.settings import Server, Settings, checked

KEY_ENV = "AGENTFLOW_API_KEY"
"""Holds the only key, where a settings file names none."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One model of the API.

    Attributes:
        id: ``METHOD/SERVED``.
        method: A name in ``agentflow.graphs.methods()``.
        settings: The operator's settings of the method.
        model: An object that takes the place of the settings' model.
    """

    id: str
    method: str
    settings: dict[str, Any] = field(default_factory=dict)
    model: Model | None = None


def load(
    file: str | None, model: str | None = None, *, command: str = "agentflow serve", **given: Any
) -> tuple[ServeSettings, dict[str, Offer]]:
    """The server's settings and what it serves, by id; of all methods, the default one is first.

    Args:
        file: A settings file; None serves every method with its defaults.
        model: Serve every method on this model, whatever the file says.
        command: What errors name where there is no file.
        given: Settings of the server that win over the file's; None for its own.

    Raises:
        BadInput: If the file cannot be used; names it and the key.
    """
    where = file or command
    values = settings_file.read(file) if file else {}
    table = values.get(settings_file.SERVE, {})
    if not isinstance(table, dict):
        raise BadInput(f"{where}: serve: write the server's settings as a table, [serve]")
    table = table | {key: value for key, value in given.items() if value is not None}
    settings = checked(ServeSettings, table, f"{where}: serve")
    if not settings.keys and os.environ.get(KEY_ENV):
        settings = settings.model_copy(update={"keys": {"default": Key(env=KEY_ENV)}})
    offers = {}
    for id, own in settings.models.items() if model is None else ():
        method, slash, served = id.partition("/")
        if method not in methods() or not (slash and served):
            known = ", ".join(methods())
            raise BadInput(f"{where}: serve.models: {id!r} is not METHOD/NAME; methods: {known}")
        merged = settings_file.over(settings_file.for_method(where, values, method), own)
        _checked(method, merged, f"{where}: serve.models: {id}")
        offers[id] = Offer(id, method, merged)
    if not offers:
        for method in sorted(methods(), key=lambda name: name != DEFAULT):
            merged = settings_file.for_method(where, values, method)
            if model is not None:
                alone = {name: one for name, one in merged.items() if name != TEAM}
                merged = with_solver(alone, model)
            id = f"{method}/{_served(_checked(method, merged, where), where)}"
            offers[id] = Offer(id, method, merged)
    _check_chosen(settings.client_settings, offers.values(), f"{where}: serve: client_settings")
    return settings, offers


def judges(file: str | None, model: str | None = None) -> dict[str, Offer]:
    """Verifiers of given solutions that ask a model, by name: with what the file's top says of
    every method, as far as a verifier has it.

    Raises:
        BadInput: If the file cannot be used; names it and the key.
    """
    where = file or "agentflow mcp"
    values = settings_file.read(file) if file else {}
    found = {}
    for verifier in VERIFIERS:
        fields = type(settings_for(verifier)).model_fields
        own = {key: one for key, one in values.items() if key in fields}
        own = own if model is None else with_solver(own, model)
        _checked(verifier, own, where)
        found[verifier] = Offer(verifier, verifier, own)
    return found


def _check_chosen(names: Iterable[str], offers: Iterable[Offer], where: str) -> None:
    """What clients may choose is a setting of a method that is offered."""
    taken = {name for one in offers for name in type(settings_for(one.method)).model_fields}
    if unknown := [name for name in names if name not in taken]:
        raise BadInput(f"{where}: no method that is offered has {', '.join(unknown)}")


def _checked(method: str, values: dict[str, Any], where: str) -> Settings:
    """The settings of an offer; what they name is there, and none may wait for a person, who is
    not."""
    try:
        settings = settings_for(method, **values)
        domains.get(settings.domain, {"search": "off", **settings.tools})
        _check_files(settings)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from error
    if settings.pauses:
        raise BadInput(f"{where}: {settings.pauses}: a server has nobody who could be asked")
    return settings


def _check_files(settings: Settings) -> None:
    """Models and prompts that are files are there."""
    if settings.solver_prompt not in solver_prompts():
        raise BadInput(f"prompt: there is no folder {settings.prompt!r} of prompts")
    for at in (server.at for server in settings.servers if server.api != "langchain"):
        if (
            at not in bundled.NAMES
            and not at.startswith(("http://", "https://"))
            and not Path(at).exists()
        ):
            raise BadInput(f"model {at!r}: there is no such file")


def _served(settings: Settings, where: str) -> str:
    """The name that the solver's model has in an id."""
    server = (settings.solver_at() or (Server.model_validate(settings.model),))[0]
    if server.name:
        return server.name
    if server.at.startswith(("http://", "https://")):
        raise BadInput(
            f"{where}: write {server.at}#NAME, or name what is served in [serve.models]: an id "
            "needs a name"
        )
    if server.api == "langchain":
        return server.at.rpartition(":")[2]
    return (bundled.file(server.at) if server.at in bundled.NAMES else Path(server.at)).stem
