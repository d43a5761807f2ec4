"""Keep a thinking at one thought: words that begin another one are less likely (TIP, NoWait).

    so x = 4. Wait, let me try         the model drew " Wait"
    so x = 4. Then                     " Then" is put there, and the model goes on behind it

The papers lower the logits of such words as tokens are drawn. The same comes out here, behind any
server that tells how likely its tokens were: a word that was drawn stays by chance, or else a token
stands there that the penalty makes likelier.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Literal

from agentflow.monitors.monitor import (
    CONTINUE,
    LOOKBACK,
    Context,
    Increment,
    Intervention,
    Memory,
)
from agentflow.monitors.schedule import Schedule
from agentflow.profile import Profile, Sampling
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True)
class SwitchPenalty:
    """Makes words at which the thinking switches to another thought less likely.

    TIP (Wang et al. 2025, "Thoughts Are All Over the Place", section 4.1) takes ``penalty`` from a
    word's logit within the first ``tokens`` of a thought. NoWait (Wang et al. 2025, "Wait, We
    Don't Need to 'Wait'!", section 3) suppresses such words everywhere.

    Its verdicts are about nothing that could be right or wrong: they cannot tell.

    Attributes:
        words: What a thought begins with, single words, whatever their case.
        penalty: What is taken from their logits, in nats (TIP's alpha).
        tokens: For how many tokens from a thought's beginning (TIP's beta); 0 for all of it.
        profile: Whose markers are drawn.
        sampling: How tokens are drawn.
        seed: Of what is drawn instead.
    """

    words: Sequence[str]
    penalty: float
    tokens: int
    profile: Profile
    sampling: Sampling
    seed: int = 0
    name: str = "switch_penalty"
    reads: Literal["token"] = "token"

    @cached_property
    def _schedule(self) -> Schedule:
        return Schedule(at="keyword", keywords=tuple(self.words))

    @cached_property
    def _low(self) -> frozenset[str]:
        return frozenset(word.casefold() for word in self.words)

    @cached_property
    def _not_put(self) -> frozenset[str]:
        """Tokens that mean something to the engine alone, and what is no text."""
        ends = {self.profile.think_close, *self.profile.stops}
        return frozenset({*self.profile.markers, *self.profile.template.specials, ""} - ends)

    def start(self) -> Memory:
        return {"schedule": {}, "thought": 0, "recent": []}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.answering:
            return memory, []
        schedule, places = self._schedule.step(memory["schedule"], increment)
        thought = memory["thought"] + increment.tokens
        top = [list(one) for one in increment.top]
        recent = [*memory["recent"], [increment.offset, increment.text, top]][-LOOKBACK:]
        found = list[State]()
        for place in places:
            text, others = next(one[1:] for one in recent if one[0] == place.offset)
            length, instead = thought - place.behind, None
            if not self.tokens or length < self.tokens:
                instead = self.instead(text, dict(others), place.offset)
            if instead is None:
                thought = place.behind
            data = {"word": place.word, "thought": length, "instead": instead}
            found.append(State("switch", data, place.offset, place.offset))
        return {"schedule": schedule, "thought": thought, "recent": recent}, found

    def instead(self, drawn: str, told: Mapping[str, float], place: int) -> str | None:
        """What stands where a word was drawn: another token, or None where the word stays.

        The rule is that of speculative sampling (Leviathan et al. 2023, algorithm 1), with the
        plain model as the draft of the penalised one: what stands there in the end is distributed
        as :func:`penalised` says.

        Args:
            drawn: The token that begins the word.
            told: Log-probability of each token that might have been drawn, in nats, before
                temperature and truncation. Where the drawn one is not among them, it stays.
            place: Where it begins; another place is another draw.
        """
        if drawn not in told:
            return None
        able = {a: p for a, p in told.items() if a not in self._not_put and "\ufffd" not in a}
        switches = {a for a in able if a == drawn or self._begins_one(a)}
        plain = shares(able, self.sampling)
        wanted = penalised(able, switches, self.penalty, self.sampling)
        chance = Random(f"{self.seed}/{place}")
        if chance.random() * plain.get(drawn, 0.0) < wanted.get(drawn, 0.0):
            return None
        more = {a: max(0.0, p - plain.get(a, 0.0)) for a, p in wanted.items() if a != drawn}
        if not sum(more.values()):
            return None
        return chance.choices(list(more), list(more.values()))[0]

    def _begins_one(self, token: str) -> bool:
        """Whether a token is a word, or may become one: its first two letters are enough."""
        text = token.strip().casefold()
        return text in self._low or (
            len(text) > 1 and any(word.startswith(text) for word in self._low)
        )

    async def verify(self, state: State, context: Context) -> Verdict:
        word, instead = state.data["word"], state.data["instead"]
        if instead is None:
            reason = f"{word!r} stays after {state.data['thought']} tokens of a thought"
            return Verdict(None, reason, "stays", source=self.name)
        return Verdict(None, f"{instead!r} in place of {word!r}", "penalised", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        instead: str | None = state.data["instead"]
        if instead is None:
            return CONTINUE
        if instead == self.profile.think_close:
            return Intervention("close", state.end, "", verdict.reason, self.name)
        if instead in self.profile.stops:
            return Intervention("stop", state.end, "", verdict.reason, self.name)
        return Intervention("put", state.end, instead, verdict.reason, self.name)


def penalised(
    logits: Mapping[str, float], switches: Set[str], penalty: float, sampling: Sampling
) -> dict[str, float]:
    """How likely each token is drawn where ``penalty`` is taken from the logits of some.

    It is taken behind the truncation; where that leaves nothing but those, before it.

    Args:
        logits: As of :func:`shares`.
        switches: Those tokens.
        penalty: In nats.
    """
    plain = shares(logits, sampling)
    if switches >= plain.keys():
        return shares({a: p - penalty * (a in switches) for a, p in logits.items()}, sampling)
    kept = math.exp(-penalty / sampling.temperature) if sampling.temperature else 0.0
    weights = {a: p * (kept if a in switches else 1.0) for a, p in plain.items()}
    return {a: p / sum(weights.values()) for a, p in weights.items()}


def shares(logits: Mapping[str, float], sampling: Sampling) -> dict[str, float]:
    """How likely each token is drawn, under temperature, then top-k, then top-p.

    Args:
        logits: Of each token, in nats, up to a constant; the tokens that are missing are taken to
            be unlikely. At least one.
    """
    ranked = sorted(logits, key=logits.__getitem__, reverse=True)
    if sampling.temperature == 0:
        return {ranked[0]: 1.0}
    ranked = ranked[: sampling.top_k or None]
    best = logits[ranked[0]]
    weights = {one: math.exp((logits[one] - best) / sampling.temperature) for one in ranked}
    total, kept = sum(weights.values()), dict[str, float]()
    for one, weight in weights.items():
        kept[one] = weight
        if sum(kept.values()) >= sampling.top_p * total:
            break
    whole = sum(kept.values())
    return {one: weight / whole for one, weight in kept.items()}
