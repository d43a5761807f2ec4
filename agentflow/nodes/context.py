"""What nodes take from the runtime: settings, the model, the domain with its tools."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, get_args

from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.runtime import Runtime
from pydantic import create_model

from agentflow import domains, models
from agentflow.configurable import BUDGET_KEY, MODEL_KEY, TOOLS_KEY
from agentflow.domains import Domain
from agentflow.errors import BadInput, known
from agentflow.ledger import Entries
from agentflow.models import JudgeModel, Model, RewardModel, bundled
from agentflow.models.budget import SHARED_KEY, Budget, Shared
from agentflow.models.langchain import is_chat, wrapped
from agentflow.nodes.team import TeamSettings
from agentflow.problem import Problem
from agentflow.settings import Role, Server, Settings, checked
from agentflow.tools.toolbox import Use

S = TypeVar("S", bound=Settings)

TEAM = "team"
"""What stands in the place of a role for model objects that solve by turns."""

_AS_A_NODE = (
    "where a graph of your own has a method as a node, give it the method's settings as its "
    "context_schema, as in StateGraph(State, method.context_schema), or call method.ainvoke(…, "
    "context=…) in a node"
)
"""What to do about a context that nodes cannot use."""


def configured(key: str) -> Any:
    """What the run's config has for nodes under a key (``config["configurable"]``); None for
    nothing."""
    return (get_config().get("configurable") or {}).get(key)


def given_context(runtime: Runtime[Any]) -> Any:
    """What was passed as settings; None for nothing, which may come as an empty mapping."""
    context: Any = runtime.context
    return None if isinstance(context, Mapping) and not context else context


def settings_of(runtime: Runtime[S], kind: type[S], state: Mapping[str, Any]) -> S:
    """The run's settings: what was passed now, else what its first node wrote down, for a run that
    is resumed without a context; the defaults where there is neither.

    Raises:
        BadInput: If what was passed is none.
    """
    context: Any = given_context(runtime)
    if isinstance(context, kind):
        return context
    if isinstance(context, Settings) and issubclass(kind, type(context)):  # what all methods have
        return kind(**context.model_dump(exclude_unset=True))
    if context is None:
        return settings_in(state, kind)
    if not isinstance(context, Mapping):
        found = type(context).__name__
        raise BadInput(f"the context is a {found}, where {kind.__name__} should be; {_AS_A_NODE}")
    try:
        return checked(kind, context, "the context")
    except BadInput as error:
        raise BadInput(f"{error}; {_AS_A_NODE}") from error


def settings_in(state: Mapping[str, Any], kind: type[S]) -> S:
    """The settings as edges find them: written down by the run's first node, of a graph around this
    one maybe, which has more; the defaults where none were. A team is among them, also for nodes
    that read fewer settings than the method has: their models are the team's."""
    written = state.get("settings") or {}
    known: type[S] = _with_team(kind) if TEAM in written else kind
    return known(**{k: v for k, v in written.items() if k in known.model_fields})


@cache
def _with_team(kind: type[S]) -> type[S]:
    """The class of settings, with a team."""
    bases: Any = TeamSettings if kind is Settings else (kind, TeamSettings)
    made: type[S] = create_model(kind.__name__, __base__=bases)
    return made


def injected(settings: Settings, role: Role, member: int = 0) -> Any:
    """The model object that the config has for a role; None where it has none, or servers solve by
    turns.

    Args:
        member: Which of a team solves.

    Raises:
        BadInput: If what it has is no model, or its role is none.
    """
    given: Any = configured(MODEL_KEY)
    see_models(given)
    by_role = given if isinstance(given, Mapping) else {}
    if role == "solver" and (team := by_role.get(TEAM)):
        return team[member % len(team)]
    if role == "solver" and settings.members:
        return None
    return by_role.get(role) if by_role is given else given


def see_models(given: Any) -> None:
    """See what was given as a model, or as models by role; None is none.

    Raises:
        BadInput: If an object is no model, or a role is none; else it would fail in the middle of
            the run, or be passed over.
    """
    by_role = given if isinstance(given, Mapping) else {} if given is None else {"": given}
    team: Any = by_role.get(TEAM, ())
    if not isinstance(team, list | tuple):
        raise BadInput(f"team: {team!r:.60} is no list; write [MODEL, MODEL]")
    roles = [(role, one) for role, one in by_role.items() if role != TEAM]
    for role, one in [*roles, *((TEAM, one) for one in team)]:
        if role and role not in (*get_args(Role), TEAM):
            there = known(str(role), get_args(Role))
            raise BadInput(f"a model for the role {role!r}: no such role; {there}")
        if isinstance(one, type) or not (is_chat(one) or hasattr(one, "open")):
            place = "in the team" if role == TEAM else f"for the role {role!r}"
            what = f"{one!r:.60} ({place})" if role else f"{one!r:.60}"
            raise BadInput(
                f"{what} is no model; give a URL, a model file or 'embedded' as `model` (in "
                "`roles` for one role), or a model object: agentflow's, or LangChain's chat model"
            )


def see_tools(given: Any) -> Mapping[str, Any]:
    """Tools by role, or names of their backends; none where nothing was given.

    Raises:
        BadInput: If it is something else.
    """
    if not isinstance(given or {}, Mapping):
        raise BadInput(f"tools: {given!r:.60} is no mapping; write {{ROLE: TOOL}}")
    for role, tool in (given or {}).items():
        if not isinstance(tool, str | BaseTool):
            raise BadInput(
                f"tools[{role!r}]: {tool!r:.60} is no tool of LangChain's; put "
                "langchain_core.tools.tool around it"
            )
    found: Mapping[str, Any] = given or {}
    return found


def has_reward_model(settings: Settings) -> bool:
    """Whether the role prm is a reward model; by default the bundled judge is, where the pocket
    model solves: it knows only how that one writes."""
    given = injected(settings, "prm")
    if given is not None:
        return isinstance(given, JudgeModel | RewardModel)
    if servers := settings.roles.get("prm"):
        return any(
            one.api == "reward" or one.at.startswith(bundled.JUDGE) or bundled.is_judge(one.at)
            for one in servers
        )
    solvers = settings.members or settings.solver_at()
    at = [one.at for one in solvers] or [settings.model]
    return injected(settings, "solver") is None and all(
        bundled.model_for("reward", one) != one for one in at
    )


def has_model(settings: Settings, role: Role, duty: str) -> bool:
    """Whether a role has a model of its own in a duty, besides the one that solves."""
    solver = injected(settings, "solver")
    given = injected(settings, role) or (solver if follows_solver(settings, role) else None)
    if given is not None:
        return given is not solver
    return _served(settings, role, duty) != _served(settings, "solver", "")


def follows_solver(settings: Settings, role: Role) -> bool:
    """Whether a role has the solver's model: neither it nor ``model`` was named."""
    return role not in settings.roles and "model" not in settings.model_fields_set


def team_of(settings: Settings) -> int:
    """How many models solve by turns; 0 where one does."""
    given: Any = configured(MODEL_KEY)
    objects = given.get(TEAM, ()) if isinstance(given, Mapping) else ()
    return len(objects) or len(settings.members)


async def model_of(
    settings: Settings, role: Role = "solver", duty: str = "", member: int = 0
) -> Model:
    """A role's model: the object in the config if there is one, else the settings' first server
    that answers.

    Args:
        duty: What the ledger counts it as: some have the bundled judge by default.
        member: Which of a team solves.

    Raises:
        BadInput: If the settings name no usable model.
        ModelUnavailable: If no server answers.
    """
    model = injected(settings, role, member)
    if model is None and role != "solver" and follows_solver(settings, role):
        model = injected(settings, "solver")
    if model is not None:
        model = wrapped(model)
        await model.open()
        found: Model = model
        return found
    return await connected(settings, role, duty, member)


async def connected(settings: Settings, role: Role, duty: str = "", member: int = 0) -> Model:
    """The first of a role's servers that answers; raises what :func:`model_of` does."""
    servers = _served(settings, role, duty, member)
    return await models.connect(servers, idle_timeout=settings.idle_timeout)


def _served(settings: Settings, role: Role, duty: str, member: int = 0) -> str | Sequence[Server]:
    """Where a role's model is: its own servers; else those of the solver or the settings' model,
    or the bundled judge, which has some duties of the pocket model's by default."""
    if servers := settings.solver_at(member) if role == "solver" else settings.roles.get(role):
        return servers
    solvers = settings.solver_at() if follows_solver(settings, role) else ()
    at = solvers[0].at if solvers else settings.model
    judge = bundled.model_for(duty, at)
    return judge if judge != at else solvers or at


def new_budget(settings: Settings) -> Budget:
    """A budget with the limits that the settings name."""
    return Budget(settings.max_tokens, settings.timeout, settings.max_cost, settings.prices)


def budget_of(settings: Settings, ledger: Entries) -> Budget:
    """The run's budget. Where a graph runs without our API, its nodes share one that knows what the
    ledger said at first was used before; in a graph that is not ours, each node has its own."""
    given: Budget | None = configured(BUDGET_KEY)
    shared: Shared = configured(SHARED_KEY) or Shared()
    return given or shared.of(lambda: new_budget(settings).resumed(ledger))


async def check_prices(
    settings: Settings, budget: Budget, model: Callable[[Role], Awaitable[Model]]
) -> None:
    """See, where costs are limited, that every model of the run has a price.

    Args:
        model: Finds the model of a role.

    Raises:
        BadInput: If one has none; says what to set.
        ModelUnavailable: If no server of a role answers.
    """
    if settings.max_cost is None:
        return
    given: Any = configured(MODEL_KEY)
    objects = given if isinstance(given, Mapping) else {}
    roles: set[Role] = {"solver", *settings.roles, *objects} - {TEAM}
    for role in sorted(roles):
        budget.price((await model(role)).name)


async def domain_of(
    settings: Settings,
    notify: Callable[[Use], None] = lambda use: None,
    models: Mapping[str, BaseTool] = MappingProxyType({}),
) -> Domain:
    """The domain, with the tools that the config and the settings choose.

    Args:
        notify: Told of every call of a tool.
        models: The tools that are models of the run.

    Raises:
        BadInput: If the domain or one of its tools is not there.
    """
    given = see_tools(configured(TOOLS_KEY))
    chosen = {**settings.tools, **models, **given}  # building one may read files
    return await asyncio.to_thread(domains.get, settings.domain, chosen, notify)


def weaker(lacking: str, instead: str) -> dict[str, Any]:
    """The event that says by what a method makes do without a capability."""
    return {"type": "weaker", "lacking": lacking, "instead": instead}


def text_of(given: Any) -> str:
    """The text of a problem, which is given as a text or as a mapping that has one.

    Raises:
        BadInput: If it is neither, or is no text that can be sent.
    """
    text = given.get("text", "") if isinstance(given, Mapping) else given
    if not isinstance(text, str):
        raise BadInput(f"{given!r:.60} is no problem; give its text, or a mapping with `text`")
    for part in given.values() if isinstance(given, Mapping) else (given,):
        if isinstance(part, str) and (half := re.search("[\ud800-\udfff]", part)):
            raise BadInput(
                f"the problem has half a character, {half[0]!a}, in {part[:40]!a}; read its file "
                "as UTF-8"
            )
    return text


async def parse_problem(given: str | dict[str, Any], domain: Domain) -> Problem:
    """The problem as the domain sees it; a mapping needs ``text`` and may bring id and gold.

    Raises:
        BadInput: If it is no problem of the domain.
    """
    text = text_of(given)
    if isinstance(given, str):  # a domain may have a solver look at the problem
        return await asyncio.to_thread(domain.parse, text)
    parsed = await asyncio.to_thread(domain.parse, text, str(given.get("id", "")))
    return Problem(parsed.text, parsed.domain, parsed.id, given.get("gold"), parsed.data)
