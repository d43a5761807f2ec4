"""Tools of domains that are models: ``model`` or ``model:ROLE`` as a tool's backend.

``equality`` asks whether two texts say the same: Verina's code and specifications (interwhen,
section 4.2), answers in words (Farquhar et al. 2024, "Detecting hallucinations in large language
models using semantic entropy"). ``extract`` has a line of free text written in a domain's own forms
(interwhen, section 4.3, for spatial maps). What a model says here is only as good as the model.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast, get_args

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import Field

from agentflow import domains, prompts
from agentflow.errors import BadInput
from agentflow.models.metered import Metered
from agentflow.models.structured import Flag, Reply, ask_json
from agentflow.profile import GREEDY
from agentflow.settings import Role, Settings, request_seed
from agentflow.tools.toolbox import BY_MODEL

FOLDER = "tools"
"""Folder of the prompts."""
_LONGEST = 20_000
"""Characters of a text that is shown."""

Ask = Callable[[Role, str], Awaitable[Metered]]
"""(role of a model, role in the ledger) -> that model, its requests counted."""


class Same(Reply):
    """What a model says of two texts; null where it cannot tell."""

    equal: Flag | None


class Extracted(Reply):
    """What a line says, in the forms that were asked for; nothing where it says none of them."""

    claims: list[str] = Field(max_length=16)


def tool_roles(settings: Settings) -> dict[str, Role]:
    """The tools that are models: tool -> role.

    Raises:
        BadInput: If there is no such role, or the domain has no use for such a tool.
    """
    found: dict[str, Role] = {}
    for tool, backend in settings.tools.items():
        name, colon, role = backend.partition(":")
        if name != "model" or tool not in BY_MODEL:
            continue
        role = role if colon else "verifier"
        if role not in get_args(Role):
            known = ", ".join(get_args(Role))
            raise BadInput(f"tools.{tool} = {backend}: no role {role!r}; there are: {known}")
        if tool not in domains.kind(settings.domain).by_model:
            fit = ", ".join(one for one in domains.DOMAINS if tool in domains.kind(one).by_model)
            raise BadInput(
                f"tools.{tool} = {backend} has no use in the domain {settings.domain}; it has one "
                f"in {fit}"
            )
        found[tool] = cast("Role", role)
    return found


def made(
    settings: Settings, roles: Mapping[str, Role], ask: Ask, told: dict[Any, dict[str, Any]]
) -> dict[str, BaseTool]:
    """The tools, by name.

    Args:
        told: What they said so far in the run: the same is not asked twice.
    """

    async def reply(tool: str, kind: type[Any], default: Any, **fields: str) -> dict[str, Any]:
        asked = (tool, roles[tool], frozenset(fields.values()))
        if asked not in told:
            told[asked] = await _reply(tool, kind, default, fields)
        return told[asked]

    async def _reply(
        tool: str, kind: type[Any], default: Any, fields: Mapping[str, str]
    ) -> dict[str, Any]:
        model = await ask(roles[tool], f"tool-{tool}")
        shown = {name: text[:_LONGEST] for name, text in fields.items()}
        prompt = await prompts.rendered(FOLDER, tool, model.profile, shown)
        parsed = await ask_json(
            model,
            prompt,
            kind,
            default,
            tokens=512,
            sampling=GREEDY,
            seed=request_seed(settings.seed, tool, *fields.values()),
            cache=settings.shares_cache,
            think=roles[tool] in settings.think,
        )
        plain: dict[str, Any] = parsed.value.model_dump(mode="json")
        return plain

    async def equality(answer: str, gold: str, question: str = "") -> tuple[str, dict[str, Any]]:
        texts = {"question": question, "one": answer, "other": gold}
        found = await reply("equality", Same, Same(equal=None), **texts)
        return str(found["equal"]), found

    async def extract(text: str, names: str, forms: str) -> tuple[str, dict[str, Any]]:
        found = await reply(
            "extract", Extracted, Extracted(claims=[]), text=text, names=names, forms=forms
        )
        return "\n".join(found["claims"]), found

    functions: dict[str, Any] = {"equality": equality, "extract": extract}
    descriptions = {
        "equality": "Whether two texts say the same.",
        "extract": "What a line says, in given forms.",
    }
    return {
        tool: StructuredTool.from_function(
            coroutine=functions[tool],
            name=f"model_{tool}",
            description=descriptions[tool],
            response_format="content_and_artifact",
        )
        for tool in roles
    }
