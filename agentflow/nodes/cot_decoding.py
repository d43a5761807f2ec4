"""CoT decoding's settings, its beginnings, its measure, and its vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Literal

from pydantic import Field

from agentflow.channels import Sample
from agentflow.errors import MissingCapability
from agentflow.models.model import next_token, prompt_of, segment
from agentflow.monitors import Margins, Monitor
from agentflow.monitors.margin import of_answer
from agentflow.monitors.monitor import Memory
from agentflow.monitors.stream_result import Reading
from agentflow.nodes.frame import Start
from agentflow.nodes.prepare import prepared
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solve import Task
from agentflow.nodes.verified_sampling import majority_of, not_refuted, result_of
from agentflow.profile import Piece, Profile, Sampling
from agentflow.search import summed
from agentflow.settings import Few, Settings
from agentflow.trace import Trace

_SPARE = 4
"""More first tokens are asked for, since some begin no reply."""


class CoTDecodingSettings(Settings):
    """Settings of cot_decoding; the defaults are the paper's."""

    k: Few = Field(
        default=10, description="First tokens that are tried, the likeliest; one sample each"
    )
    vote: Literal["sum", "best"] = Field(
        default="sum",
        description="The answer whose samples' margins have the highest sum; or that of the sample "
        "with the highest margin",
    )

    @property
    def alternatives_read(self) -> int:
        return 2

    def sampling(self, profile: Profile) -> Sampling:
        """Greedy behind the first token, unless a temperature is set."""
        said = super().sampling(profile)
        return said if self.temperature is not None else replace(said, temperature=0.0)


@node(CoTDecodingSettings)
async def branch(run: Run[CoTDecodingSettings]) -> Update:
    """:func:`prepare`; then the ``k`` likeliest first tokens, each as what a sample begins with.

    Raises:
        BadInput: As :func:`prepare` says.
        MissingCapability: If the solver tells no log-probabilities of two tokens, or cannot go on
            from one.
        ModelUnavailable, StreamBroken: If it does not answer.
        Exhausted: If a limit of the run is reached first.
    """
    update = await prepared(run)
    if update.get("abstained"):
        return update
    run = run.anew()
    model = await run.ask("solver", "solver", "first")
    able = model.capabilities
    if not able.continues or able.logprobs in (0, 1):
        lacks = "tells too few log-probabilities" if able.continues else "only chats"
        raise MissingCapability(
            f"{model.name} {lacks}: no sample can begin with another token; cot_decoding needs a "
            "server of raw completions with log-probabilities"
        )
    trace = Trace(update["operations"].value)
    async with run.budget.in_limits():
        first = await next_token(model, prompt_of(model, trace), run.settings.k + _SPARE)
    run.spent(model.entries)
    update |= {"ledger": model.entries}
    markers = ("", *model.profile.markers)
    chances = {text: p for text, p in first.top if text not in markers and "\ufffd" not in text}
    begun = []
    for text in list(chances)[: run.settings.k]:
        ahead = chances[text] - max((p for other, p in first.top if other != text), default=0.0)
        operation = (await segment(model, "alternative", [Piece(text)])).operation()
        begun.append({"operation": operation, "margin": max(0.0, ahead)})
    if not begun:
        return update | {"abstained": "no likely first token begins a reply"}
    return update | {"beginnings": begun}


def from_each(run: View[CoTDecodingSettings]) -> list[Start]:
    """A sample from every first token, all at once."""
    prompt, begun = run.channels["operations"], run.channels["beginnings"]
    return [
        {
            "branch": number,
            "operations": [*prompt, one["operation"]],
            "reading": asdict(Reading(_read(one), unread=one["operation"]["text"])),
            "ledger": run.ledger,
        }
        for number, one in enumerate(begun)
    ]


def _read(beginning: Mapping[str, Any]) -> dict[str, Memory]:
    """What the monitor of a sample remembers of its first token, which it never sees."""
    token = [beginning["operation"]["text"], beginning["margin"]]
    return {Margins().name: {"tokens": [token]}}


async def margins(task: Task) -> Sequence[Monitor]:
    """What measures a sample."""
    return [Margins()]


def sureness(sample: Sample) -> float:
    """The mean margin of a sample's answer (Wang and Zhou 2024, section 2.2); 0 where it has
    none."""
    found = [one.state.data for one in sample.judgements if one.state.kind == "margins"]
    if not found or sample.said is None:
        return 0.0
    tokens: list[Any] = found[-1]["tokens"]
    return of_answer(tokens, sample.said) or 0.0


@node(CoTDecodingSettings)
async def surest(run: Run[CoTDecodingSettings]) -> Update:
    """Set ``result``: the answer that the model is surest of. Of equals the first."""
    domain, samples, count = await run.domain(), run.samples, len(run.samples)
    answered = [one for one in samples if one.said is not None]
    standing = await not_refuted(answered, domain, run.problem)
    if not standing:
        chosen = (answered or samples)[0]
        return await result_of(run, chosen, None, f"of {count} samples: {chosen.reason}")
    if run.settings.vote == "best":
        chosen = max(standing, key=sureness)
        reason = f"the highest margin, {sureness(chosen):.2f}, of {count} samples"
    else:
        agreed = await majority_of(standing, domain, run.problem, summed(sureness))
        chosen, weight = agreed[0], sum(map(sureness, agreed))
        reason = f"margins sum to {weight:.2f} in {len(agreed)} of {count} samples"
    return await result_of(run, chosen, chosen.said, reason, "unverified")
