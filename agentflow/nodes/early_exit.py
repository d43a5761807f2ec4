"""Early exit: the settings of the rules that end the thinking, and the monitors they make."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from agentflow.errors import MissingCapability
from agentflow.monitors import EarlyExit, KStable, Monitor, TokenBudget
from agentflow.monitors.named_rules import OURS, Rules
from agentflow.monitors.probes import ProbeSettings
from agentflow.monitors.repetition import Rounds, circles
from agentflow.monitors.rules import Budget, EntropyVariance, Rule, Stable
from agentflow.monitors.schedule import Schedule
from agentflow.nodes.context import weaker
from agentflow.nodes.prober import prober_of
from agentflow.nodes.refine import RefineSettings
from agentflow.nodes.solve import Task
from agentflow.nodes.thinks_apart import see_thinking
from agentflow.settings import Count, Role


class EarlyExitSettings(RefineSettings):
    """Settings of early_exit; the defaults are Algorithm 1's."""

    rules: Rules = Field(
        default=(EntropyVariance(),),
        description="entropy: its variance after the close marker; entropy_level: its mean; stall: "
        "its variance decays too slowly; confidence: of a greedy answer; confidence_variance: its "
        "variance; rollouts: how many answers differ; k_stable: the same candidate k times; "
        "budget: tokens. A name has the rule's defaults, "
        '{"rule": NAME, PARAMETER: VALUE} sets its parameters; NAME,NAME is two',
        json_schema_extra={"default": ["entropy"]},
    )
    combine: Literal["any", "all", "first"] = Field(
        default="any",
        description="any rule is enough, or all must stop at the same check point; first: as any, "
        "but k_stable and budget decide at every token instead of at check points",
    )
    check: Schedule = Field(
        default=Schedule(),
        description="Where the rules are asked; a text is where alone: candidate is "
        '{"at": "candidate"}',
    )
    probe: ProbeSettings = Field(
        default=ProbeSettings(), description="What the model is asked there"
    )
    proxy: bool = Field(
        default=False,
        description="Ask the model of the role proxy for entropy and confidence instead of the "
        "reasoner; answers are still rolled out by the reasoner, where it can be gone on from",
    )
    thinking_tokens: Count = Field(
        default=0,
        description="Close the thinking after this many tokens, whatever the rules say (T of "
        "Algorithm 1); 0 for no such limit",
    )
    ask_end: bool = Field(
        default=False, description="Also ask the probes where the thinking ends, for recordings"
    )
    substitute: bool = Field(
        default=True,
        description="Where the model that is asked cannot serve a rule, take k_stable in its place "
        "and say so; off to refuse",
    )
    repetition: Rounds = 0

    @model_validator(mode="before")
    @classmethod
    def _in_their_place(cls, given: Any) -> Any:
        """Say where a parameter that stands alone belongs: to a rule, the schedule or the probes.

        Raises:
            PydanticCustomError: If there is one; says how it is written.
        """
        if isinstance(given, Mapping):
            alone = [name for name in given if name not in cls.model_fields]
            if hints := [hint for name in alone if (hint := _place(name, given[name]))]:
                raise PydanticCustomError("place", "{hints}", {"hints": "; ".join(hints)})
        return given


_RENAMED = {
    "check_at": ("check", "at"),
    "check_every": ("check", "every"),
    "stall_window": ("stall", "window"),
    "stall_ratio": ("stall", "ratio"),
    "budget": ("budget", "tokens"),
}
"""Settings of earlier versions that have another name where they stand now."""


def _place(name: str, value: Any) -> str:
    """How a parameter that stands alone is to be written; empty for what is none."""
    place, field = _RENAMED.get(name, ("", name))
    shown = json.dumps(value, default=str)
    for table, kind in (("check", Schedule), ("probe", ProbeSettings)):
        if field in kind.model_fields and place in ("", table):
            return f'{name}: write {table}={{"{field}": {shown}}}, or --set {table}.{field}=…'
    for ours in OURS:
        rule = ours.model_fields["rule"].default
        if field in ours.model_fields.keys() - {"rule"} and place in ("", rule):
            return f'{name}: write rules=[{{"rule": "{rule}", "{field}": {shown}}}]'
    return ""


async def exits(task: Task) -> Sequence[Monitor]:
    """The rules as one monitor; with ``first`` those that need no probe as their own.

    Raises:
        MissingCapability: If the solver does not think apart from its answer, or a rule asks for
            more alternatives than there are.
    """
    settings: EarlyExitSettings = task.settings
    see_thinking(task.model, "no thinking to end")
    chosen: list[Monitor] = []
    chosen += circles(settings.repetition)
    if settings.thinking_tokens:
        chosen.append(TokenBudget(settings.thinking_tokens, "thinking_tokens"))
    rules = list(settings.rules)
    if settings.combine == "first":
        stable = [KStable(task.problem, task.domain, r.k) for r in rules if isinstance(r, Stable)]
        budget = [TokenBudget(r.tokens) for r in rules if isinstance(r, Budget)]
        chosen += [*stable, *budget]
        rules = [rule for rule in rules if not isinstance(rule, Stable | Budget)]
    if not rules:
        return chosen
    rules = list(await served(task, rules))
    combine: Literal["any", "all"] = "all" if settings.combine == "all" else "any"
    role, rolls = _asked(task, "entropy"), _asked(task, "answers")
    prober = prober_of(task, role, settings.probe)
    rollouts = None if rolls == role else prober_of(task, rolls, settings.probe)
    exit_ = EarlyExit(
        task.problem,
        task.domain,
        prober,
        rules,
        settings.check,
        combine,
        rollouts,
        settings.ask_end,
    )
    return [exit_, *chosen]


def _asked(task: Task, signal: str) -> Role:
    """Whom a signal is asked of. Answers are the reasoner's own (EAT, Algorithm 3), and a proxy's
    only where the reasoner cannot be gone on from."""
    if not task.settings.proxy:
        return "solver"
    return "solver" if signal == "answers" and task.model.capabilities.continues else "proxy"


async def served(task: Task, rules: Sequence[Rule]) -> Sequence[Rule]:
    """The rules that the model which is asked can serve.

    In the place of those that it cannot, which is told, comes ``k_stable``, which needs nothing of
    it.

    Raises:
        MissingCapability: If a rule asks for more alternatives than it gives, or the settings
            allow no substitute.
    """
    probed = [rule for rule in rules if rule.signal in ("entropy", "confidence", "answers")]
    if not probed:
        return rules
    rolled = [rule.name for rule in probed if rule.signal == "answers"]
    role, rolls = _asked(task, "entropy"), _asked(task, "answers")
    able = (await task.ask(role, "probe")).capabilities
    lacking = [rule.name for rule in probed if not able.continues and rule.name not in rolled]
    what = "continues"
    if rolled and not (await task.ask(rolls, "probe")).capabilities.continues:
        lacking += rolled
    if able.logprobs == 0 and not lacking:
        lacking = [rule.name for rule in probed if rule.name not in rolled]
        what = "logprobs"
    if rolled and task.settings.proxy and rolls == "proxy":
        stands_in = (
            "the proxy's answers in the place of the reasoner's, which cannot be gone on from"
        )
        if not task.settings.substitute:
            raise MissingCapability(
                f"rules {', '.join(rolled)} roll out answers of {task.model.name}, which lacks the "
                "capability 'continues'; leave them out, or allow a substitute"
            )
        task.emit(weaker("continues", stands_in))
    if lacking and not task.settings.substitute:
        raise MissingCapability(
            f"rules {', '.join(lacking)} probe the {role}, which lacks the capability {what!r}; "
            "rules k_stable and budget need no probe, or name a proxy (roles.proxy, proxy=true)"
        )
    if lacking:
        named = f"k_stable in the place of {', '.join(lacking)}, which probe the {role}"
        task.emit(weaker(what, f"{named}; or name a proxy (roles.proxy, proxy=true)"))
        kept = [rule for rule in rules if rule.name not in lacking]
        return kept if any(isinstance(rule, Stable) for rule in kept) else [*kept, Stable()]
    wanted = task.settings.probe.alternatives
    few = [rule.name for rule in probed if rule.signal == "entropy"]
    if few and wanted is not None and able.logprobs is not None and wanted > able.logprobs:
        raise MissingCapability(
            f"rules {', '.join(few)} ask the {role} for {wanted} alternatives a token, and it "
            f"gives {able.logprobs} (set probe.alternatives lower, or leave it empty); confidence "
            "and rollouts need no more than it gives, k_stable and budget no probe, or name a "
            "proxy (roles.proxy, proxy=true)"
        )
    return rules
