"""Search-augmented fact checking: a solution's facts are looked up one by one, then rated (SAFE,
Wei et al. 2024, "Long-form factuality in large language models", section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from agentflow.ledger import Entries
from agentflow.models.structured import Chosen, Parsed, Reply, Statement
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json, asked_together
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import Update, node
from agentflow.nodes.solution import fitting
from agentflow.nodes.tool_calls import tools_of, use_of
from agentflow.settings import Few, Settings
from agentflow.together import together
from agentflow.tools.findings import failed, found_by
from agentflow.tools.toolbox import Use
from agentflow.verdict import Verdict
from agentflow.verifiers import joined
from agentflow.verifiers.actions import quoted
from agentflow.verifiers.stance import agreeing, bearing

_NAME = "fact_check"
"""The verifier's name, and its prompts' folder."""
_HITS = 3
"""Hits of a search."""
_SHOWN = 6000
"""Characters that are kept of what a search found."""
_LINE = 500
"""Characters of a fact, and of what is searched for."""
_NOTHING = "(nothing)"
_BEARING = {"supported": True, "contradicted": False}


class FactSettings(Settings):
    """Settings of fact_check."""

    facts: Few = Field(
        default=8, description="Facts of a solution, at most, each of which is looked up"
    )
    searches: Few = Field(default=5, description="Searches for a fact, at most")


class Facts(Reply):
    """The facts that a solution states."""

    facts: list[Statement]


class Query(Reply):
    """What to search for next; empty where enough was found."""

    query: Statement


class Rating(Reply):
    """What the things that were found say of a fact, and why."""

    reason: str
    rating: Annotated[Literal["supported", "contradicted", "unknown"], Chosen]

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        agreeing(bearing(self.reason), _BEARING.get(self.rating))
        return self


class FactState(JudgingState, total=False):
    """The channels, with ``facts``: each with what was ``found`` of it so far, whether that is
    ``enough``, and the ``query`` that is searched for next."""

    facts: list[dict[str, Any]]


@dataclass(frozen=True)
class FactChecking(Judging[FactSettings]):
    """What the nodes of the verifier are given."""

    schema = FactState

    @property
    def facts(self) -> list[dict[str, Any]]:
        """The facts, each with what was found of it."""
        return self.channels.get("facts") or []

    @property
    def searches(self) -> int:
        """How many searches there were for each fact of which not enough was found."""
        return max((len(one["found"]) for one in self.facts), default=0)


@node(FactSettings, FactChecking)
async def list_facts(run: FactChecking) -> Update:
    """List the facts; a solution that states none cannot be judged."""
    most = run.settings.facts
    fields = {"solution": joined(run.steps).strip(), "count": most}
    reply, entries = await ask_role_json(run, (_NAME, "facts"), fields, Facts, tokens=2048)
    said = [] if reply.value is None else map(_in_line, reply.value.facts)
    named = list(filter(None, dict.fromkeys(said)))[:most]
    facts = [{"fact": fact, "found": [], "enough": False} for fact in named]
    update: Update = {"ledger": entries, "facts": facts}
    if facts:
        return update | {"verdict": {}}
    reason = "no fact is stated that could be looked up" if reply.value else reply.error
    return update | announced(run, _NAME, Verdict(None, reason, "cannot_tell", source=_NAME))


@node(FactSettings, FactChecking)
async def ask_queries(run: FactChecking) -> Update:
    """Have a model say what to search for next, for each fact of which not enough was found; it
    knows what was found so far. The search is a node of its own: pages may be slow, and what was
    asked is not asked again where the run ends meanwhile."""
    facts, round_ = run.facts, run.searches
    left = [number for number, one in enumerate(facts) if not one["enough"]]

    async def ask(number: int) -> tuple[Parsed[Query | None], Entries]:
        fields = {"fact": facts[number]["fact"], "found": await _shown(run, facts[number])}
        place = round_ * len(facts) + number
        return await ask_role_json(run, (_NAME, "query"), fields, Query, number=place)

    replies, entries = await asked_together(map(ask, left))
    told = [_in_line(reply.value.query) if reply.value else "" for reply in replies]
    asked = [[search["query"] for search in facts[number]["found"]] for number in left]
    queries = ["" if one in before else one for one, before in zip(told, asked, strict=True)]
    named = dict(zip(left, queries, strict=True))
    facts = [one | {"query": named.get(number, "")} for number, one in enumerate(facts)]
    return {"facts": facts, "ledger": entries}


@node(FactSettings, FactChecking)
async def search_facts(run: FactChecking) -> Update:
    """Search for what was named."""
    facts, round_ = run.facts, run.searches
    log = run.tool_log(f"{_NAME}/{run.branch}/{round_}")
    tools = await tools_of(run.settings, await run.domain())

    async def search(query: str) -> Use | None:
        return await use_of(tools, "search", query, log, limit=_HITS) if query else None

    uses = await together(search(one.get("query", "")) for one in facts)
    run.spent(log.entries)
    found = [_with(one, use) for one, use in zip(facts, uses, strict=True)]
    return {"facts": found, "ledger": log.entries}


@node(FactSettings, FactChecking)
async def rate_facts(run: FactChecking) -> Update:
    """Rate each fact by what was found of it; the solution passes only with all of them."""
    facts = [one for one in run.facts if any(search["text"] for search in one["found"])]

    async def rate(number: int) -> tuple[Parsed[Rating | None], Entries]:
        fields = {"fact": facts[number]["fact"], "found": await _shown(run, facts[number])}
        return await ask_role_json(run, (_NAME, "rate"), fields, Rating, number=number)

    replies, entries = await asked_together(map(rate, range(len(facts))))
    rated = {one["fact"]: one | _unknown(_not_found(one)) for one in run.facts}
    for one, reply in zip(facts, replies, strict=True):
        rated[one["fact"]] |= reply.value.model_dump() if reply.value else _unknown(reply.error)
    return announced(run, _NAME, rated_together(list(rated.values()))) | {"ledger": entries}


def _unknown(reason: str) -> dict[str, str]:
    return {"rating": "unknown", "reason": reason}


def _not_found(fact: dict[str, Any]) -> str:
    """Why nothing is known of a fact."""
    failed = [search["failed"] for search in fact["found"] if search["failed"]]
    why = "nothing was found of it" if fact["found"] else "nothing was searched for"
    return failed[0] if failed else why


def rated_together(facts: Sequence[dict[str, Any]]) -> Verdict:
    """The verdict: one fact that is contradicted refutes, and all of those are told; one of which
    nothing is known leaves it open. The score is the share that is supported (the paper's
    precision)."""
    supported = [one for one in facts if one["rating"] == "supported"]
    score, evidence = len(supported) / len(facts), {"facts": list(facts)}
    if wrong := _told(facts, "contradicted"):
        return Verdict(False, wrong, "wrong_fact", score, None, _NAME, evidence)
    if unknown := _told(facts, "unknown"):
        return Verdict(None, unknown, "cannot_tell", score, None, _NAME, evidence)
    return Verdict(True, "", "", score, None, _NAME, evidence)


def _told(facts: Sequence[dict[str, Any]], rating: str) -> str:
    """The facts with a rating, and why they have it."""
    said = [
        f'"{one["fact"]}" is {rating}: {one["reason"]}' for one in facts if one["rating"] == rating
    ]
    return "\n".join(said)[:_SHOWN]


def _with(fact: dict[str, Any], use: Use | None) -> dict[str, Any]:
    """A fact with what one more search found. It is enough where nothing new was searched for, and
    where the search failed."""
    query = fact.get("query", "")
    fact = {name: value for name, value in fact.items() if name != "query"}
    if use is None:
        return fact | {"enough": True}
    search = {"query": query, "text": found_by(use)[:_SHOWN]}
    search["failed"] = use.content[:_SHOWN] if failed(use) else ""
    return fact | {"found": [*fact["found"], search], "enough": failed(use)}


async def _shown(run: FactChecking, fact: dict[str, Any]) -> str:
    """What was found of a fact, as a prompt shows it: as much as fits."""
    said = [
        f"Searched for: {one['query']}\n{quoted(one['text'] or _NOTHING)}" for one in fact["found"]
    ]
    context = (await run.model("verifier")).profile.context
    return "\n\n".join(fitting(said, context)) or _NOTHING


def _in_line(text: str) -> str:
    """A text as one line that is not too long."""
    return " ".join(text.split())[:_LINE]
