"""How many problems servers take in an hour, and what they cost, from what recorded runs used."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from agentflow.errors import BadInput
from agentflow.evaluation.collected import Collected
from agentflow.evaluation.runner import Record


@dataclass(frozen=True, slots=True)
class Capacity:
    """One arm's line; runs that failed do not count.

    Attributes:
        generated: Tokens a problem, wasted ones and probes included.
        read: Prompt tokens a problem that no cache held, as far as the server told.
        seconds: Of one server at its throughput, a problem.
        problems: An hour, on all servers.
        right: Right answers an hour.
        price: Of a thousand problems; None where a server's is not known.
        price_right: Of a thousand right answers; None also where there was none.
    """

    arm: str
    generated: float
    read: float
    seconds: float
    problems: float
    right: float
    price: float | None
    price_right: float | None


def capacities(
    found: Collected,
    tokens_per_second: float,
    *,
    prompt_tokens_per_second: float | None = None,
    servers: int = 1,
    price_per_hour: float | None = None,
) -> list[Capacity]:
    """A line for each arm that has a run which did not fail.

    All roles are taken to be served by servers alike, and these to be kept busy; the time that
    tools and verifiers take beside them is not in it.

    Args:
        tokens_per_second: That one server generates over all its streams.
        prompt_tokens_per_second: That it reads besides; None to count reading as free.
        price_per_hour: Of one server.

    Raises:
        BadInput: If an arm used no tokens.
    """
    lines = []
    for arm in found.arms:
        if not (records := found.finished(arm)):
            continue
        generated, read = mean(r.tokens for r in records), mean(map(_read, records))
        seconds = server_seconds(generated, tokens_per_second, read, prompt_tokens_per_second)
        if not seconds:
            raise BadInput(f"arm {arm!r} used no tokens: there is nothing to reckon with")
        problems, right = 3600 * servers / seconds, mean(r.right for r in records)
        price = None if price_per_hour is None else price_per_hour * seconds / 3.6
        price_right = price / right if price is not None and right else None
        lines.append(
            Capacity(arm, generated, read, seconds, problems, problems * right, price, price_right)
        )
    return lines


def server_seconds(
    generated: float,
    tokens_per_second: float,
    read: float = 0.0,
    prompt_tokens_per_second: float | None = None,
) -> float:
    """Seconds of a server for so many tokens; reading is free where nobody says how fast it is."""
    seconds = generated / tokens_per_second
    if prompt_tokens_per_second is not None:
        seconds += read / prompt_tokens_per_second
    return seconds


def _read(record: Record) -> int:
    cached = sum(int(role.get("cached", 0)) for role in record.extra.get("roles", {}).values())
    return record.prompt - cached


def cells(line: Capacity) -> dict[str, str]:
    """A line of the table by its columns, as people read it."""
    known = {
        "price of 1,000": line.price,
        "price of 1,000 right": line.price_right,
    }
    return {
        "arm": line.arm,
        "tokens a problem": f"{line.generated:,.0f}",
        "prompt tokens read": f"{line.read:,.0f}",
        "server seconds": f"{line.seconds:,.3g}",
        "problems an hour": f"{line.problems:,.0f}",
        "right an hour": f"{line.right:,.0f}",
    } | {name: "–" if value is None else f"{value:,.2f}" for name, value in known.items()}
